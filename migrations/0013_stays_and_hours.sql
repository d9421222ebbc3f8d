-- How times of day are shown.
ALTER TABLE profile ADD COLUMN hour_cycle TEXT NOT NULL DEFAULT 'h12';
-- The last day of a stay; none for a visit.
ALTER TABLE service ADD COLUMN end_date TEXT;
-- The offering's name when it was booked, which outlives the offering.
ALTER TABLE service ADD COLUMN offering_name TEXT NOT NULL DEFAULT '';
-- JSON: a price that a person set for this service, and why.
ALTER TABLE service ADD COLUMN price_override TEXT;
-- What may be in a new stay's way.
CREATE INDEX service_stay ON service (sitter_id, end_date) WHERE end_date IS NOT NULL;
