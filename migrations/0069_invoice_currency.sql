-- The ISO 4217 code of the currency of an invoice's amounts.
ALTER TABLE invoice ADD COLUMN currency TEXT NOT NULL DEFAULT 'USD';
