-- What each revision of a business is called, of the newest ones: where a backup was put back, another one comes to have
-- its number, and a phone that knows the first can be told so.
CREATE TABLE revision (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    rev {{INT64}} NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (sitter_id, rev)
){{STRICT_BY_KEY}};
