-- The last month that was billed by itself, as its first day; NULL where that is switched off.
ALTER TABLE sitter ADD COLUMN billed_month TEXT;
