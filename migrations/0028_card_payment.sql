-- Paying invoices by card: a business's own keys of Stripe, what was begun there, and which of Stripe's events were dealt
-- with. None of it is in a feed, an export or an answer.

CREATE TABLE stripe_account (
    sitter_id TEXT NOT NULL PRIMARY KEY REFERENCES sitter (id) ON DELETE CASCADE,
    -- As it is, since Stripe is called with it.
    secret_key TEXT NOT NULL,
    -- JSON: one or two, since one is replaced by the next without a gap.
    webhook_secrets TEXT NOT NULL,
    -- Who gave the keys: payments are written down as by that person.
    user_id TEXT NOT NULL,
    -- What Stripe has against the key, since it was last called with it.
    fault TEXT,
    created_at_ms {{INT64}} NOT NULL
){{STRICT}};

-- A page of Stripe's on which somebody may pay, or has.
CREATE TABLE stripe_checkout (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    -- Stripe's.
    session_id TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    amount_cents {{INT64}} NOT NULL,
    -- Of the page; null where a backup was put back that does not know it.
    url TEXT,
    -- `open`, `paid`, `failed`.
    state TEXT NOT NULL,
    -- Names the payment to Stripe, once there is one: refunds are told by it.
    payment_intent TEXT,
    -- What was given back of it.
    refunded_cents {{INT64}} NOT NULL,
    created_at_ms {{INT64}} NOT NULL,
    -- Nobody pays there from then on.
    expires_at_ms {{INT64}} NOT NULL,
    -- When Stripe was asked about it because its payer came back before its event.
    asked_at_ms {{INT64}},
    PRIMARY KEY (sitter_id, session_id)
){{STRICT}};
-- What was begun for an invoice.
CREATE INDEX stripe_checkout_by_invoice ON stripe_checkout (sitter_id, invoice_id, created_at_ms);
-- What a refund is of.
CREATE INDEX stripe_checkout_by_payment ON stripe_checkout (sitter_id, payment_intent) WHERE payment_intent IS NOT NULL;
-- What is old is removed.
CREATE INDEX stripe_checkout_by_age ON stripe_checkout (created_at_ms);

CREATE TABLE stripe_event (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    -- Stripe's.
    id TEXT NOT NULL,
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
-- What is old is removed.
CREATE INDEX stripe_event_by_age ON stripe_event (created_at_ms);
