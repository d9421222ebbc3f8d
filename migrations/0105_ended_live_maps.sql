-- Live maps that were switched off, for good: also while their service is gone, and where it comes back.
CREATE TABLE live_map_end (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    service_id TEXT NOT NULL,
    map_id TEXT NOT NULL,
    ended_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, service_id, map_id)
){{STRICT}};
INSERT INTO live_map_end (sitter_id, service_id, map_id, ended_at_ms)
    SELECT sitter_id, service_id, map_id, updated_at_ms FROM live_map WHERE track IS NULL;
-- One without a track is one of which nothing has come for long: it may be shown again, unless another one was since.
DELETE FROM live_map WHERE track IS NULL;
-- Those that are old enough to be removed.
CREATE INDEX live_map_end_by_time ON live_map_end (ended_at_ms);
