-- JSON: of which services a report's walk was; none where nobody has said so.
ALTER TABLE report ADD COLUMN service_ids TEXT NOT NULL DEFAULT '[]';
