-- The sitter's words on why a service is cancelled, and whether its client reads them.
ALTER TABLE service ADD COLUMN cancel_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE service ADD COLUMN tells_cancel_reason {{BOOL}} NOT NULL DEFAULT {{FALSE}};
