-- What a command was about, so that its answer goes when that is deleted.
ALTER TABLE mutation ADD COLUMN about_id TEXT;
-- Nobody knows any more what the older answers are about, and they hold whole clients.
UPDATE mutation SET answer_body = NULL, adjustments = NULL;
-- The answers that go with a row.
CREATE INDEX mutation_by_about ON mutation (sitter_id, about_id) WHERE about_id IS NOT NULL;
