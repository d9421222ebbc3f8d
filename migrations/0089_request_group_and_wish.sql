-- Shared by requests that were made at once; NULL for one by itself.
ALTER TABLE walk_request ADD COLUMN group_id TEXT;
-- True if the time that is asked for was not offered.
ALTER TABLE walk_request ADD COLUMN is_wish {{BOOL}} NOT NULL DEFAULT {{FALSE}};
