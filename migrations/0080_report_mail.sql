-- The mail by which a report goes to its client, as JSON; NULL where the server sends none.
ALTER TABLE report ADD COLUMN mailed TEXT;
-- When its page was first opened by somebody else than the sitter.
ALTER TABLE report ADD COLUMN opened_at_ms {{INT64}};
-- The report that a mail brings, with its business: the outcome is written into its row.
ALTER TABLE mail_job ADD COLUMN report_id TEXT;
-- True if reports are not to go to clients by mail.
ALTER TABLE profile ADD COLUMN keeps_report_mail_off {{BOOL}} NOT NULL DEFAULT {{FALSE}};
