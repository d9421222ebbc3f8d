-- New e-mails of accounts that wait for the code from the mail; also of e-mails that have an account, whose code nobody is sent.
CREATE TABLE email_change (
    -- Of what the answer gave to whoever asks.
    token_hash TEXT NOT NULL PRIMARY KEY,
    -- Of that and the code: the table alone does not tell which of the few codes it is.
    code_hash TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    email TEXT NOT NULL,
    expires_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- Expired ones are removed.
CREATE INDEX email_change_by_age ON email_change (expires_at_ms);
-- They go with their account.
CREATE INDEX email_change_by_user ON email_change (user_id);
