-- A service has a row for each time that a live map of it was switched on: the one that is shown, and those that were
-- switched off, for good.
ALTER TABLE live_map RENAME TO live_map_by_service;
DROP INDEX live_map_by_update;
CREATE TABLE live_map (
    sitter_id TEXT NOT NULL,
    service_id TEXT NOT NULL,
    -- Made by the phone each time that the map is switched on.
    map_id TEXT NOT NULL,
    -- For whom it was made; NULL once it was switched off.
    client_id TEXT,
    -- JSON: lines and position; NULL once it was switched off, so that an update that was late on its way shows nothing.
    track TEXT,
    -- When the newest position of it was recorded.
    recorded_at_ms {{INT64}} NOT NULL,
    -- When the phone sent it.
    updated_at_ms {{INT64}} NOT NULL,
    -- Postgres names keys for the whole schema, and the old table still has the usual names.
    CONSTRAINT live_map_by_id_pkey PRIMARY KEY (sitter_id, service_id, map_id),
    CONSTRAINT live_map_by_id_service_fkey FOREIGN KEY (sitter_id, service_id) REFERENCES service (sitter_id, id) ON DELETE CASCADE
){{STRICT}};
INSERT INTO live_map (sitter_id, service_id, map_id, client_id, track, recorded_at_ms, updated_at_ms)
    SELECT sitter_id, service_id, map_id, client_id, track, recorded_at_ms, updated_at_ms FROM live_map_by_service;
DROP TABLE live_map_by_service;
-- Those that are old enough to be removed.
CREATE INDEX live_map_by_update ON live_map (updated_at_ms);
