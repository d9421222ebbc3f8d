-- The postal address of a client on invoices; everybody with an invoice's link reads it.
ALTER TABLE client ADD COLUMN billing_address TEXT NOT NULL DEFAULT '';
