-- The last month that was billed by itself, as its first day; NULL where that is switched off.
ALTER TABLE sitter ADD COLUMN billed_month TEXT;
-- The tax rate of invoice lines about what is booked with an offering: empty for no tax, NULL for the default rate.
ALTER TABLE offering ADD COLUMN tax_name TEXT;
