-- The mail by which an invoice goes to its client, as JSON; NULL where the server sends none.
ALTER TABLE invoice ADD COLUMN mailed TEXT;
-- When its page was first opened by somebody else than the sitter.
ALTER TABLE invoice ADD COLUMN opened_at_ms {{INT64}};
-- The invoice that a mail brings, with its business: the outcome is written into its row.
ALTER TABLE mail_job ADD COLUMN sitter_id TEXT;
ALTER TABLE mail_job ADD COLUMN invoice_id TEXT;
