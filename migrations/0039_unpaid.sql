-- Who does not pay: since when, and what they have let go.

-- Since when the last payment has not gone through; null where all have.
ALTER TABLE billing_customer ADD COLUMN past_due_at_ms {{INT64}};
-- Stripe's name of a subscription that ended unpaid, which nobody is asked for any more: the person stays on the free plan.
ALTER TABLE billing_customer ADD COLUMN let_go_id TEXT;
