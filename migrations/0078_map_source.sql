-- The mirror's id of the region that an area was downloaded as, and the MD5 of that extract; NULL where an operator
-- imported a file.
ALTER TABLE map_area ADD COLUMN region TEXT;
ALTER TABLE map_area ADD COLUMN extract_md5 TEXT;
-- When a server that keeps the map up to date asks the mirror again; NULL: at once.
ALTER TABLE map_area ADD COLUMN update_due_at_ms {{INT64}};
