-- Events that wait to be mailed: to accounts whom no device tells of them, or who want both, and to clients without a login
-- where their sitter allows it. One row for each of them and topic, since a newer one of the same topic takes its place. The
-- mail is written when it is sent.
CREATE TABLE mailed_event (
    -- The account or the client.
    recipient_id TEXT NOT NULL,
    -- NULL for a client without a login.
    user_id TEXT REFERENCES user_account (id) ON DELETE CASCADE,
    -- NULL for an account.
    client_id TEXT,
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    topic TEXT NOT NULL,
    -- Another one for each notice: a mail that was sent does not remove what came in its place meanwhile.
    notice_id TEXT NOT NULL,
    -- JSON without a word that anybody typed.
    notice TEXT NOT NULL,
    -- Not before then: what is gathered, and what is beyond the mails of an hour.
    due_at_ms {{INT64}} NOT NULL,
    -- Worth nothing from then on.
    expires_at_ms {{INT64}} NOT NULL,
    created_at_ms {{INT64}} NOT NULL,
    -- The mail in the queue that tells of it; NULL before there is one.
    mail_id TEXT,
    PRIMARY KEY (recipient_id, topic),
    FOREIGN KEY (sitter_id, client_id) REFERENCES client (sitter_id, id) ON DELETE CASCADE
){{STRICT}};
INSERT INTO mailed_event (recipient_id, user_id, sitter_id, topic, notice_id, notice, due_at_ms, expires_at_ms, created_at_ms, mail_id)
SELECT user_id, user_id, sitter_id, topic, notice_id, notice, due_at_ms, expires_at_ms, created_at_ms, mail_id FROM event_mail;
DROP TABLE event_mail;
-- What is to be mailed next.
CREATE INDEX mailed_event_by_due ON mailed_event (due_at_ms) WHERE mail_id IS NULL;
-- What a mail tells of.
CREATE INDEX mailed_event_by_mail ON mailed_event (mail_id) WHERE mail_id IS NOT NULL;
-- A deleted business takes its own with it, a deleted client, too.
CREATE INDEX mailed_event_by_sitter ON mailed_event (sitter_id, client_id);
-- They go with their account, which may have another email by then.
CREATE INDEX mailed_event_by_user ON mailed_event (user_id) WHERE user_id IS NOT NULL;
-- The people whom a notice is for.
CREATE INDEX mailed_event_by_notice ON mailed_event (notice_id);
-- What was worth something is removed.
CREATE INDEX mailed_event_by_expiry ON mailed_event (expires_at_ms);

-- The client without a login whom a mail tells of events at the business of `sitter_id`.
ALTER TABLE mail_job ADD COLUMN event_client_id TEXT;
-- True if clients without a login are mailed of visits that are booked, moved, changed or cancelled.
ALTER TABLE profile ADD COLUMN mails_changes {{BOOL}} NOT NULL DEFAULT {{FALSE}};
