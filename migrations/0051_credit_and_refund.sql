-- What went back to clients, and which services were credited in full.

-- JSON: the refunds of an invoice.
ALTER TABLE invoice ADD COLUMN refunds TEXT NOT NULL DEFAULT '[]';
-- The invoice that billed a service last and was credited in full since; null otherwise.
ALTER TABLE service ADD COLUMN credited_invoice_id TEXT;
