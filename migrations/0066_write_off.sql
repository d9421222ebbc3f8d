-- The part of an invoice that will never be paid, as JSON; NULL where the sitter has not said so.
ALTER TABLE invoice ADD COLUMN write_off TEXT;
