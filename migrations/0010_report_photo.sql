-- Which reports show which photos, so that nobody reads all reports to know it. Written with the report.
CREATE TABLE report_photo (
    sitter_id TEXT NOT NULL,
    photo_id TEXT NOT NULL,
    report_id TEXT NOT NULL,
    PRIMARY KEY (sitter_id, photo_id, report_id),
    FOREIGN KEY (sitter_id, report_id) REFERENCES report (sitter_id, id) ON DELETE CASCADE
){{STRICT}};
-- What a report has shown goes with it, or with its next version.
CREATE INDEX report_photo_by_report ON report_photo (sitter_id, report_id);
INSERT INTO report_photo (sitter_id, photo_id, report_id)
    SELECT DISTINCT report.sitter_id, event.value ->> 'photo', report.id FROM report, {{REPORT_EVENTS}} AS event
    WHERE event.value ->> 'photo' IS NOT NULL;
-- Whose portrait a photo is.
CREATE INDEX pet_by_photo ON pet (sitter_id, photo) WHERE photo IS NOT NULL;
