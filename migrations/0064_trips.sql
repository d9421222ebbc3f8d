-- The trip that a series is for, as JSON; null for another one.
ALTER TABLE series ADD COLUMN trip TEXT;
