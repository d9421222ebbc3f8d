-- Videos of invoices, which come and are kept in pieces.

CREATE TABLE video (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    -- Made by the phone.
    id TEXT NOT NULL,
    -- All of it, as it was announced.
    size_bytes {{INT64}} NOT NULL,
    -- What has come of it, from its beginning.
    received_bytes {{INT64}} NOT NULL,
    -- What it is by its bytes; set once all of them are there, checked and without location.
    media_type TEXT,
    -- Since when nothing has come of it and no invoice names it; none while one does.
    unnamed_since_ms {{INT64}},
    -- When it is looked at next.
    due_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
-- Those whose turn it is.
CREATE INDEX video_by_due ON video (due_at_ms);

CREATE TABLE video_piece (
    sitter_id TEXT NOT NULL,
    video_id TEXT NOT NULL,
    -- From 0.
    number {{INT64}} NOT NULL,
    -- Names its file; random, so that a piece that lost a race overwrites nothing.
    file_id TEXT NOT NULL,
    PRIMARY KEY (sitter_id, video_id, number),
    FOREIGN KEY (sitter_id, video_id) REFERENCES video (sitter_id, id) ON DELETE CASCADE
){{STRICT}};

-- Files that are to be removed, those among them that are just being written. They outlive their business.
CREATE TABLE dropped_video_piece (
    sitter_id TEXT NOT NULL,
    file_id TEXT NOT NULL,
    due_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, file_id)
){{STRICT}};
-- Those whose turn it is.
CREATE INDEX dropped_video_piece_by_due ON dropped_video_piece (due_at_ms);

-- Which invoices show which videos. Written with the invoice.
CREATE TABLE invoice_video (
    sitter_id TEXT NOT NULL,
    video_id TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    PRIMARY KEY (sitter_id, video_id, invoice_id),
    FOREIGN KEY (sitter_id, invoice_id) REFERENCES invoice (sitter_id, id) ON DELETE CASCADE
){{STRICT}};
CREATE INDEX invoice_video_by_invoice ON invoice_video (sitter_id, invoice_id);
