-- What was answered to calls that came with an `Idempotency-Key` and are no commands.
CREATE TABLE kept_answer (
    user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    -- The key, as the caller made it.
    id TEXT NOT NULL,
    -- SHA-256 of what was asked, without the password that came with it.
    args_hash TEXT NOT NULL,
    -- Since when somebody works on it, or has.
    claimed_at_ms {{INT64}} NOT NULL,
    -- HTTP status and JSON body of the answer; null as long as it is worked on.
    status {{INT64}},
    body TEXT,
    PRIMARY KEY (user_id, id)
){{STRICT}};
-- Those that are old.
CREATE INDEX kept_answer_by_claim ON kept_answer (claimed_at_ms);
