-- The offering that is asked for; NULL for a plain walk or drop-in.
ALTER TABLE walk_request ADD COLUMN offering_id TEXT;
-- The last day of a stay, and when it ends on that day; NULL for a visit.
ALTER TABLE walk_request ADD COLUMN requested_end_date TEXT;
ALTER TABLE walk_request ADD COLUMN requested_departure_time TEXT;
