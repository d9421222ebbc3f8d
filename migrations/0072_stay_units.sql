-- The unit in which stays of an offering are counted, `nights` or `days`; NULL counts each day begun, as before.
ALTER TABLE offering ADD COLUMN stay_unit TEXT;
-- A departure after it counts as a further day.
ALTER TABLE offering ADD COLUMN further_day_after TEXT;
