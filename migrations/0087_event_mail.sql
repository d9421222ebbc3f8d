-- Events that wait to be mailed to pet parents whom no device tells of them, or who want both: one row for each person and
-- topic, since a newer one of the same topic takes its place. The mail is written when it is sent.
CREATE TABLE event_mail (
    user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
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
    PRIMARY KEY (user_id, topic)
){{STRICT}};
-- What is to be mailed next.
CREATE INDEX event_mail_by_due ON event_mail (due_at_ms) WHERE mail_id IS NULL;
-- What a mail tells of.
CREATE INDEX event_mail_by_mail ON event_mail (mail_id) WHERE mail_id IS NOT NULL;
-- A deleted business takes its own with it.
CREATE INDEX event_mail_by_sitter ON event_mail (sitter_id);
-- The people whom a notice is for.
CREATE INDEX event_mail_by_notice ON event_mail (notice_id);
-- What was worth something is removed.
CREATE INDEX event_mail_by_expiry ON event_mail (expires_at_ms);

-- The pet parent whom a mail tells of events at the business of `sitter_id`.
ALTER TABLE mail_job ADD COLUMN event_user_id TEXT;
-- True for somebody who wants mail beside notifications, as the preferences say, too.
ALTER TABLE push_preference ADD COLUMN always_mails {{BOOL}} NOT NULL DEFAULT {{FALSE}};
