-- Of which visits sitters were told that they are overdue: once for each day, whenever it is moved on it.
CREATE TABLE service_overdue (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    service_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    -- The day and the start that the visit had then.
    date TEXT NOT NULL,
    start_time TEXT NOT NULL,
    -- JSON: how far it had come; empty where nothing was noted.
    progress TEXT NOT NULL,
    -- When the notification was taken back, since the visit has begun, is done, off or moved; NULL while it stands.
    taken_back_at_ms {{INT64}},
    PRIMARY KEY (sitter_id, service_id)
){{STRICT}};
-- The old ones are removed.
CREATE INDEX service_overdue_by_day ON service_overdue (date);
-- Those that may have to be taken back.
CREATE INDEX service_overdue_standing ON service_overdue (sitter_id) WHERE taken_back_at_ms IS NULL;
