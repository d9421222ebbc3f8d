-- JSON: pet parents of the household who have a login; empty for a login from before, which client_user_id alone names.
ALTER TABLE client ADD COLUMN parents TEXT NOT NULL DEFAULT '[]';
-- Login of the pet parent who asked; null for requests from before.
ALTER TABLE walk_request ADD COLUMN asked_by TEXT;
