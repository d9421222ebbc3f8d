-- What phones are told that this database is, where a business's history went back without the operator saying so: a
-- backup was put back. Null is what `server_meta` says.
ALTER TABLE sitter ADD COLUMN backend_id TEXT;
