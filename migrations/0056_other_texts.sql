-- JSON: versions of long texts that two people wrote without having seen each other's, until somebody decides.
ALTER TABLE client ADD COLUMN other_texts TEXT NOT NULL DEFAULT '[]';
ALTER TABLE pet ADD COLUMN other_texts TEXT NOT NULL DEFAULT '[]';
-- Which side made the change; null for what was noted before.
ALTER TABLE history ADD COLUMN side TEXT;
