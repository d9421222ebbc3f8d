-- A reminder of an invoice waits for the mail that brings the invoice.
CREATE INDEX mail_job_by_invoice ON mail_job (invoice_share_id) WHERE invoice_share_id IS NOT NULL;
