-- JSON: what is asked for, where that is not one visit.
ALTER TABLE walk_request ADD COLUMN subject TEXT;
