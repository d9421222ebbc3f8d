-- A walk under way that a sitter shows to the client of one of its services: its newest state alone, in place of the one
-- before. It is no row of the feed, and in no archive.
CREATE TABLE live_map (
    sitter_id TEXT NOT NULL,
    service_id TEXT NOT NULL,
    -- For whom it was made; NULL once it was switched off.
    client_id TEXT,
    -- Made by the phone each time that the map is switched on.
    map_id TEXT NOT NULL,
    -- JSON: lines and position; NULL once it was switched off, so that an update that was late on its way shows nothing.
    track TEXT,
    -- When the newest position of it was recorded.
    recorded_at_ms {{INT64}} NOT NULL,
    -- When the phone sent it.
    updated_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, service_id),
    FOREIGN KEY (sitter_id, service_id) REFERENCES service (sitter_id, id) ON DELETE CASCADE
){{STRICT}};
-- Those that are old enough to be removed.
CREATE INDEX live_map_by_update ON live_map (updated_at_ms);
