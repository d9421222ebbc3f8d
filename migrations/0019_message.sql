-- What sitters and clients have to say to each other, and whose photos are whose.

CREATE TABLE conversation (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    -- The client's: there is one for each client record. It stays when the client is deleted, as services do.
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    client_name TEXT NOT NULL,
    -- How many messages each side has written.
    sitter_count {{INT64}} NOT NULL,
    client_count {{INT64}} NOT NULL,
    -- How many of the other side's messages each has read, and when it read the last of them.
    sitter_read {{INT64}} NOT NULL,
    client_read {{INT64}} NOT NULL,
    sitter_read_at_ms {{INT64}},
    client_read_at_ms {{INT64}},
    archived_by_sitter {{BOOL}} NOT NULL,
    archived_by_client {{BOOL}} NOT NULL,
    -- The beginning of the last message.
    last_message_content TEXT NOT NULL,
    last_message_type TEXT NOT NULL,
    last_message_sender_type TEXT NOT NULL,
    last_message_created_at_ms {{INT64}},
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX conversation_by_rev ON conversation (sitter_id, rev);

CREATE TABLE message (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    -- Whose conversation it is in.
    client_id TEXT NOT NULL,
    -- Its place there, from 1.
    number {{INT64}} NOT NULL,
    -- Its place among those of its sender.
    sender_number {{INT64}} NOT NULL,
    sender_type TEXT NOT NULL,
    client_user_id TEXT,
    message_type TEXT NOT NULL,
    content TEXT NOT NULL,
    photo TEXT,
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX message_by_rev ON message (sitter_id, rev);
-- Pages of a conversation.
CREATE UNIQUE INDEX message_by_number ON message (sitter_id, client_id, number);
-- Who may see a photo.
CREATE INDEX message_by_photo ON message (sitter_id, photo) WHERE photo IS NOT NULL;

-- The client record of the pet parent who uploaded it; null for the sitter's own.
ALTER TABLE photo ADD COLUMN client_id TEXT;
-- What a client's photos take.
CREATE INDEX photo_by_client ON photo (sitter_id, client_id) WHERE client_id IS NOT NULL;

-- Clients count for themselves, so that none uses up what the sitter may upload.
CREATE TABLE client_upload_count (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    -- Days since 1970 in UTC.
    day {{INT64}} NOT NULL,
    uploads {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, client_id, day)
){{STRICT}};
-- The old ones are forgotten.
CREATE INDEX client_upload_count_by_day ON client_upload_count (day);
