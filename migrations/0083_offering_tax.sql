-- The tax rate of invoice lines about what is booked with an offering: empty for no tax, NULL for the default rate.
ALTER TABLE offering ADD COLUMN tax_name TEXT;
