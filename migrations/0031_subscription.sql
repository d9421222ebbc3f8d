-- What businesses have subscribed to, where plans are sold: the account of whoever runs the server at Stripe.

-- JSON; null where no plans are sold. In the row, so that phones know it and limit by it without a network.
ALTER TABLE profile ADD COLUMN subscription TEXT;

CREATE TABLE billing_customer (
    sitter_id TEXT NOT NULL PRIMARY KEY REFERENCES sitter (id) ON DELETE CASCADE,
    -- Stripe's names of the customer and of the subscription that counts, once there is one.
    customer_id TEXT NOT NULL UNIQUE,
    subscription_id TEXT,
    -- Who had a subscription tries none for nothing any more.
    was_subscribed {{BOOL}} NOT NULL,
    -- When Stripe is asked the next time, whatever it reports; null where nothing is to be known.
    due_at_ms {{INT64}},
    -- How often what it says was written: of two who ask at once, the second asks again.
    n_looks {{INT64}} NOT NULL
){{STRICT}};
CREATE INDEX billing_customer_due ON billing_customer (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE billing_event (
    -- Stripe's.
    id TEXT NOT NULL PRIMARY KEY,
    created_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- What is old is removed.
CREATE INDEX billing_event_by_age ON billing_event (created_at_ms);

-- Customers of accounts that were deleted: Stripe is to forget them, which ends what they have subscribed to.
CREATE TABLE billing_farewell (
    customer_id TEXT NOT NULL PRIMARY KEY,
    due_at_ms {{INT64}} NOT NULL,
    attempts {{INT64}} NOT NULL
){{STRICT}};
