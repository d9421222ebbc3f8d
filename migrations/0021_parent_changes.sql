-- JSON: what the pet parent has set of late, for the sitter to see.
ALTER TABLE client ADD COLUMN parent_changes TEXT NOT NULL DEFAULT '[]';
