-- When a phone's queue has last moved on: those that are silent for long are forgotten, as their outcomes are.
ALTER TABLE device ADD COLUMN used_at_ms {{INT64}} NOT NULL DEFAULT 0;
UPDATE device SET used_at_ms = coalesce((SELECT max(mutation.created_at_ms) FROM mutation
    WHERE mutation.sitter_id = device.sitter_id AND mutation.device_id = device.id), 0);
