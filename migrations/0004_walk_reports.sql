-- Walks that sitters have shared with clients, and files of photos that nobody is to see any more.

CREATE TABLE report (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    -- The walk itself is on a phone and in no table.
    walk_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    -- Names of the client's dogs that were along.
    dogs TEXT NOT NULL,
    started_at_ms {{INT64}} NOT NULL,
    -- 128 random bits as base64url: whoever has them sees the page.
    share_id TEXT,
    shared_at_ms {{INT64}} NOT NULL,
    -- What the page shows; never part of the feed.
    content TEXT NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX report_by_rev ON report (sitter_id, rev);
-- Sharing again and taking back.
CREATE INDEX report_by_walk ON report (sitter_id, walk_id);
-- A client user's reports.
CREATE INDEX report_by_client ON report (sitter_id, client_id);
-- The page of an address.
CREATE UNIQUE INDEX report_by_share_id ON report (share_id);

-- Written with what makes the photo disappear and removed with its files, so that a crash in between leaves none.
CREATE TABLE dropped_photo (
    -- Without a reference: files outlive the business that they were of.
    sitter_id TEXT NOT NULL,
    file_id TEXT NOT NULL,
    PRIMARY KEY (sitter_id, file_id)
){{STRICT}};
