-- Whom mail was sent to that somebody else may have caused, and who has stopped it. Addresses themselves are not kept.
CREATE TABLE mail_recipient (
    -- SHA-256 of the mailbox, hexadecimal.
    recipient_hash TEXT NOT NULL PRIMARY KEY,
    -- In the link at the end of each mail to it.
    token TEXT NOT NULL,
    -- Since when it is sent no such mail.
    stopped_at_ms {{INT64}},
    -- The latest mail.
    mailed_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- The page of a link.
CREATE UNIQUE INDEX mail_recipient_by_token ON mail_recipient (token);
-- Those to whom nothing was sent for long.
CREATE INDEX mail_recipient_by_age ON mail_recipient (mailed_at_ms);

-- The token of the recipient, of mail that can be stopped.
ALTER TABLE mail_job ADD COLUMN stop_token TEXT;
