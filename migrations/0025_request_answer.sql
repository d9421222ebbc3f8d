-- When the answer to a walk request was decided; null where that was before it was kept.
ALTER TABLE walk_request ADD COLUMN answered_at_ms {{INT64}};
