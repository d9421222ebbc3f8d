-- Occasion that a report tells of: walk, visit or day of a stay; reports from before are of walks.
ALTER TABLE report ADD COLUMN kind TEXT NOT NULL DEFAULT 'walk';
