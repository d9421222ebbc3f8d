-- Bookings that repeat, and which service is a visit of which.
CREATE TABLE series (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    client_id TEXT NOT NULL,
    client_name TEXT NOT NULL,
    -- JSON: never, on a date, or after so many visits.
    series_end TEXT NOT NULL,
    -- JSON: what holds from which day on.
    phases TEXT NOT NULL,
    -- JSON: the days without visits.
    pauses TEXT NOT NULL,
    -- JSON: visits that are never made again.
    left_out TEXT NOT NULL,
    -- JSON: visits on which a person is to decide.
    waiting TEXT NOT NULL,
    -- The day up to which its visits were made.
    made_until TEXT NOT NULL,
    -- The day on which more of its visits are to be made; null when all are.
    due_on TEXT,
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX series_by_rev ON series (sitter_id, rev);
-- Those of a client, which go to that client's phone.
CREATE INDEX series_by_client ON series (sitter_id, client_id);
-- Those of which the nightly job makes visits.
CREATE INDEX series_by_due_on ON series (sitter_id, due_on);
-- The visit of a series that a service is; null for a single one.
ALTER TABLE service ADD COLUMN series_id TEXT;
ALTER TABLE service ADD COLUMN series_slot TEXT;
ALTER TABLE service ADD COLUMN series_date TEXT;
-- Cancelled with its series and not by itself.
ALTER TABLE service ADD COLUMN series_off {{BOOL}} NOT NULL DEFAULT {{FALSE}};
-- The visits of a series from a day on.
CREATE INDEX service_by_series ON service (sitter_id, series_id, series_date);
