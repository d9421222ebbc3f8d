-- What clients see of a visit on its day, where the sitter lets them.
ALTER TABLE profile ADD COLUMN tells_progress {{BOOL}} NOT NULL DEFAULT {{FALSE}};
-- JSON: how far a visit has come, and since when.
ALTER TABLE service ADD COLUMN progress TEXT;

-- Of which services people were told that they begin soon, and for which time: who moves one has it told again.
CREATE TABLE service_reminder (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    service_id TEXT NOT NULL,
    -- The day and the start that the service had then.
    date TEXT NOT NULL,
    start_time TEXT NOT NULL,
    PRIMARY KEY (sitter_id, service_id)
){{STRICT}};
-- The old ones are removed.
CREATE INDEX service_reminder_by_day ON service_reminder (date);
-- What begins soon, of all businesses.
CREATE INDEX service_by_start ON service (date, start_time) WHERE status = 'scheduled';
