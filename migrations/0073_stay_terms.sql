-- When a stay ends on its last day; NULL for a visit and where it is not known.
ALTER TABLE service ADD COLUMN departure_time TEXT;
-- The way to count a stay that it was booked with, as JSON; NULL for a visit and for stays from before.
ALTER TABLE service ADD COLUMN stay_terms TEXT;
