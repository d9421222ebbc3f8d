-- Web push: the server's keys, the phones that are told, what each person wants, and what is on its way to them.

-- Pairs of VAPID keys (RFC 8292). The newest is the one that phones subscribe with; an older one stays as long as a
-- subscription was made with it, since push services take no other for that.
CREATE TABLE push_key (
    -- An uncompressed point of P-256, base64url.
    public_key TEXT NOT NULL PRIMARY KEY,
    -- The scalar, base64url, as it is, since messages are signed with it.
    private_key TEXT NOT NULL,
    created_at_ms {{INT64}} NOT NULL
){{STRICT}};

CREATE TABLE push_subscription (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    -- Who signs out on a phone is told nothing more there.
    session_hash TEXT NOT NULL REFERENCES session (token_hash) ON DELETE CASCADE,
    -- Where messages go: whoever knows it can send there, so that it is in no log.
    endpoint TEXT NOT NULL UNIQUE,
    -- The browser's public key and its secret, base64url.
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    public_key TEXT NOT NULL REFERENCES push_key (public_key) ON DELETE CASCADE,
    created_at_ms {{INT64}} NOT NULL,
    last_success_at_ms {{INT64}}
){{STRICT}};
-- Whoever is told of something.
CREATE INDEX push_subscription_by_user ON push_subscription (user_id);
-- The end of a session takes its subscriptions with it.
CREATE INDEX push_subscription_by_session ON push_subscription (session_hash);
-- A key without a subscription is removed, and one that leaked takes its subscriptions with it.
CREATE INDEX push_subscription_by_pair ON push_subscription (public_key);

CREATE TABLE push_preference (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES user_account (id) ON DELETE CASCADE,
    -- JSON: kinds that are off, quiet hours, their zone.
    preferences TEXT NOT NULL
){{STRICT}};

-- What is to be sent: one row for each subscription and topic, since a newer one of the same topic takes its place.
CREATE TABLE push_delivery (
    subscription_id TEXT NOT NULL REFERENCES push_subscription (id) ON DELETE CASCADE,
    topic TEXT NOT NULL,
    -- Another one for each notice: whoever has sent one does not remove what came in its place meanwhile.
    notice_id TEXT NOT NULL,
    -- The subscription's.
    user_id TEXT NOT NULL,
    -- JSON without a word that anybody typed.
    notice TEXT NOT NULL,
    attempts {{INT64}} NOT NULL,
    -- Not before then: quiet hours, or the delay after a failure.
    due_at_ms {{INT64}} NOT NULL,
    -- Somebody is sending it until then; 0 while nobody is.
    leased_until_ms {{INT64}} NOT NULL,
    -- Worth nothing from then on.
    expires_at_ms {{INT64}} NOT NULL,
    created_at_ms {{INT64}} NOT NULL,
    -- Why the last attempt failed.
    last_error TEXT,
    PRIMARY KEY (subscription_id, topic)
){{STRICT}};
-- What is to be sent next.
CREATE INDEX push_delivery_by_due ON push_delivery (due_at_ms);
-- Of each user one at a time, the one that is due first.
CREATE INDEX push_delivery_by_user ON push_delivery (user_id, due_at_ms, subscription_id, topic);
-- Those that are being sent, which are few.
CREATE INDEX push_delivery_by_lease ON push_delivery (user_id, leased_until_ms) WHERE leased_until_ms > 0;
-- The subscriptions that a notice went to.
CREATE INDEX push_delivery_by_notice ON push_delivery (notice_id);

-- What could not be delivered, for the operator.
CREATE TABLE push_failure (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    -- Of the push service.
    host TEXT NOT NULL,
    -- What it was about, by the kind's name.
    kind TEXT NOT NULL,
    error TEXT NOT NULL,
    attempts {{INT64}} NOT NULL,
    failed_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- The newest are shown and the oldest removed.
CREATE INDEX push_failure_by_age ON push_failure (failed_at_ms);
-- A deleted account takes its own with it.
CREATE INDEX push_failure_by_user ON push_failure (user_id);
