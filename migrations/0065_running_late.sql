-- The later start of a visit that its client was told, as JSON; NULL where nobody was told of any.
ALTER TABLE service ADD COLUMN delay TEXT;
-- The window in which a visit may begin, where that was agreed with the client and not the start itself.
ALTER TABLE service ADD COLUMN window_from TEXT;
ALTER TABLE service ADD COLUMN window_to TEXT;
