-- JSON: messages about a blocked time to clients who are not in the portal, which the sitter passes on.
ALTER TABLE blocked_time ADD COLUMN to_pass_on TEXT NOT NULL DEFAULT '[]';
