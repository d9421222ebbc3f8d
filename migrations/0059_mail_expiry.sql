-- From then on the mail says nothing true, and is not sent.
ALTER TABLE mail_job ADD COLUMN expires_at_ms {{INT64}};
-- The address of the invoice that it reminds of: not sent once that is settled or gone.
ALTER TABLE mail_job ADD COLUMN invoice_share_id TEXT;
