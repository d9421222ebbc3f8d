-- The later start of a visit that its client was told, as JSON; NULL where nobody was told of any.
ALTER TABLE service ADD COLUMN delay TEXT;
