-- Photos and events of a visit that its client sees before the report, as JSON.
ALTER TABLE service ADD COLUMN live TEXT NOT NULL DEFAULT '[]';
-- How they get to a client: ask, off or on.
ALTER TABLE client ADD COLUMN sends_live TEXT NOT NULL DEFAULT 'ask';
-- Services whose clients were sent which photos, so that nobody reads all services to know it. The service itself says if
-- one is still shown.
CREATE TABLE service_photo (
    sitter_id TEXT NOT NULL,
    photo_id TEXT NOT NULL,
    service_id TEXT NOT NULL,
    PRIMARY KEY (sitter_id, photo_id, service_id),
    FOREIGN KEY (sitter_id, service_id) REFERENCES service (sitter_id, id) ON DELETE CASCADE
){{STRICT}};
-- They go with their service.
CREATE INDEX service_photo_by_service ON service_photo (sitter_id, service_id);
