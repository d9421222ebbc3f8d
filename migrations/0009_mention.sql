-- Rows that a command's refusal or answer tells of beside the one that it is about, so that their words go with them.
CREATE TABLE mention (
    sitter_id TEXT NOT NULL,
    row_id TEXT NOT NULL,
    mutation_id TEXT NOT NULL,
    PRIMARY KEY (sitter_id, row_id, mutation_id),
    FOREIGN KEY (sitter_id, mutation_id) REFERENCES mutation (sitter_id, id) ON DELETE CASCADE
){{STRICT}};
-- A mutation takes its mentions with it.
CREATE INDEX mention_by_mutation ON mention (sitter_id, mutation_id);
-- Nobody knows what the older ones tell of, and it may be gone.
UPDATE mutation SET refusal = '{"code":"conflict","with":[],"free":[]}', answer_body = NULL
    WHERE refusal LIKE '{"code":"conflict"%';
UPDATE mutation SET refusal = '{"code":"changed_meanwhile","changes":[]}', answer_body = NULL
    WHERE refusal LIKE '{"code":"changed_meanwhile"%';
UPDATE mutation SET answer_body = NULL WHERE name = 'reorder_offerings';
