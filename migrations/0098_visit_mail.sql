-- The last mail that told the client of a visit, and what became of it, as JSON; null where there was none.
ALTER TABLE service ADD COLUMN mailed TEXT;
