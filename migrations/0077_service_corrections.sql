-- Completions and cancellations of a visit that the sitter took back later, as JSON.
ALTER TABLE service ADD COLUMN corrections TEXT NOT NULL DEFAULT '[]';
