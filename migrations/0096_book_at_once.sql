-- True if the client books open times without asking.
ALTER TABLE client ADD COLUMN books_at_once {{BOOL}} NOT NULL DEFAULT {{FALSE}};
-- True if the request was booked without asking.
ALTER TABLE walk_request ADD COLUMN booked_at_once {{BOOL}} NOT NULL DEFAULT {{FALSE}};
