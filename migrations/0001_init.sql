-- The whole database: who signs in, one business after another, what phones have sent, and what is still to be sent.
-- One text for SQLite and Postgres; `db/migrate.rs` puts the words of the dialect in place of the tokens in braces.
-- Ids are UUIDv7 as text, instants milliseconds since 1970, money cents, civil dates and times text, lists JSON text.
-- Never edit an applied file: add the next one.

CREATE TABLE server_meta (
    -- Always 1: the table has one row.
    id {{INT64}} NOT NULL PRIMARY KEY CHECK (id = 1),
    -- Random; a restore from a backup must change it, so that phones notice that acknowledged work may be missing.
    backend_id TEXT NOT NULL
){{STRICT}};

-- The tenant and its one counter. Every write transaction begins with `UPDATE sitter SET rev = rev + 1`.
CREATE TABLE sitter (
    id TEXT NOT NULL PRIMARY KEY,
    rev {{INT64}} NOT NULL,
    -- Bumped when what a sign-in may see changes; a phone with another one starts over.
    epoch {{INT64}} NOT NULL,
    -- Tombstones up to this revision are gone; a phone that has seen less starts over.
    tombstone_floor {{INT64}} NOT NULL,
    created_at_ms {{INT64}} NOT NULL
){{STRICT}};

CREATE TABLE user_account (
    id TEXT NOT NULL PRIMARY KEY,
    -- Lower case.
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    -- 'sitter' or 'client'.
    role TEXT NOT NULL,
    -- The business of a sitter; none for client users.
    sitter_id TEXT REFERENCES sitter (id) ON DELETE CASCADE,
    -- PHC string.
    password_hash TEXT NOT NULL,
    created_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- Deleting a business finds its users.
CREATE INDEX user_account_by_sitter ON user_account (sitter_id);

CREATE TABLE session (
    -- SHA-256 of the bearer token, hexadecimal; the token itself is nowhere.
    token_hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    -- What the person's device calls itself.
    device_name TEXT NOT NULL,
    created_at_ms {{INT64}} NOT NULL,
    -- Written at most once an hour.
    last_used_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- A new password ends the user's sessions.
CREATE INDEX session_by_user ON session (user_id);
-- Expired sessions are removed.
CREATE INDEX session_by_last_used ON session (last_used_at_ms);

CREATE TABLE password_reset (
    -- SHA-256 of the token in the mail, hexadecimal.
    token_hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    expires_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- A used one takes the user's others with it.
CREATE INDEX password_reset_by_user ON password_reset (user_id);

CREATE TABLE realtime_ticket (
    -- SHA-256 of the ticket, hexadecimal. A WebSocket cannot send a header, and a token has no place in an address.
    token_hash TEXT NOT NULL PRIMARY KEY,
    -- The session it was given to; it ends with it.
    session_hash TEXT NOT NULL REFERENCES session (token_hash) ON DELETE CASCADE,
    expires_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- A session's end takes its tickets with it.
CREATE INDEX realtime_ticket_by_session ON realtime_ticket (session_hash);

-- The business's own row in the feed, where it is called `sitter`.
CREATE TABLE profile (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    name TEXT NOT NULL,
    business_name TEXT NOT NULL,
    email TEXT NOT NULL,
    phone TEXT NOT NULL,
    photo TEXT,
    time_zone TEXT NOT NULL,
    units TEXT NOT NULL,
    service_area_address TEXT NOT NULL,
    service_area_lat {{FLOAT}},
    service_area_lng {{FLOAT}},
    service_area_radius_miles {{FLOAT}} NOT NULL,
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX profile_by_rev ON profile (sitter_id, rev);

CREATE TABLE client (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    name TEXT NOT NULL,
    address TEXT NOT NULL,
    phone TEXT NOT NULL,
    email TEXT NOT NULL,
    -- For the sitter alone.
    access_notes TEXT NOT NULL,
    pricing_walk_cents {{INT64}} NOT NULL,
    pricing_dropin_cents {{INT64}} NOT NULL,
    walk_rate_30min_cents {{INT64}} NOT NULL,
    walk_rate_45min_cents {{INT64}} NOT NULL,
    walk_rate_60min_cents {{INT64}} NOT NULL,
    multiple_dog_method TEXT NOT NULL,
    additional_dog_percentage {{INT64}} NOT NULL,
    additional_dog_walk_rate_cents {{INT64}} NOT NULL,
    additional_dog_dropin_rate_cents {{INT64}} NOT NULL,
    client_user_id TEXT,
    relationship_type TEXT NOT NULL,
    unread_count {{INT64}} NOT NULL,
    lat {{FLOAT}},
    lng {{FLOAT}},
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX client_by_rev ON client (sitter_id, rev);

CREATE TABLE pet (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    client_id TEXT NOT NULL,
    name TEXT NOT NULL,
    pet_type TEXT NOT NULL,
    -- Pounds.
    weight {{FLOAT}},
    birthday TEXT,
    sex TEXT NOT NULL,
    breed TEXT NOT NULL,
    microchipped TEXT NOT NULL,
    spayed_neutered TEXT NOT NULL,
    house_trained TEXT NOT NULL,
    friendly_with_children TEXT NOT NULL,
    friendly_with_dogs TEXT NOT NULL,
    friendly_with_cats TEXT NOT NULL,
    adoption_date TEXT,
    about TEXT NOT NULL,
    photo TEXT,
    display_order {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX pet_by_rev ON pet (sitter_id, rev);
-- A client's pets.
CREATE INDEX pet_by_client ON pet (sitter_id, client_id);

CREATE TABLE offering (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    icon TEXT NOT NULL,
    base_price_cents {{INT64}} NOT NULL,
    pricing_type TEXT NOT NULL,
    duration_minutes {{INT64}},
    category TEXT NOT NULL,
    is_active {{BOOL}} NOT NULL,
    display_order {{INT64}} NOT NULL,
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX offering_by_rev ON offering (sitter_id, rev);

CREATE TABLE availability_pattern (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    pattern_name TEXT NOT NULL,
    -- 0 = Sunday.
    day_of_week {{INT64}} NOT NULL,
    start_time TEXT NOT NULL,
    end_time TEXT NOT NULL,
    -- JSON list.
    service_types TEXT NOT NULL,
    max_concurrent_services {{INT64}} NOT NULL,
    buffer_minutes {{INT64}} NOT NULL,
    min_advance_hours {{INT64}} NOT NULL,
    max_advance_days {{INT64}} NOT NULL,
    is_active {{BOOL}} NOT NULL,
    priority {{INT64}} NOT NULL,
    notes TEXT NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX availability_pattern_by_rev ON availability_pattern (sitter_id, rev);

CREATE TABLE blocked_time (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    block_date TEXT NOT NULL,
    start_time TEXT NOT NULL,
    end_time TEXT NOT NULL,
    block_type TEXT NOT NULL,
    reason TEXT NOT NULL,
    -- JSON list.
    blocked_services TEXT NOT NULL,
    allows_emergency {{BOOL}} NOT NULL,
    is_recurring {{BOOL}} NOT NULL,
    recurrence_pattern TEXT,
    recurrence_end_date TEXT,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX blocked_time_by_rev ON blocked_time (sitter_id, rev);

CREATE TABLE availability_config (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    default_slot_duration_minutes {{INT64}} NOT NULL,
    slot_interval_minutes {{INT64}} NOT NULL,
    default_buffer_minutes {{INT64}} NOT NULL,
    show_slots_days_ahead {{INT64}} NOT NULL,
    enable_smart_suggestions {{BOOL}} NOT NULL,
    prefer_block_scheduling {{BOOL}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX availability_config_by_rev ON availability_config (sitter_id, rev);

CREATE TABLE service (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    -- No foreign key: a service of the past outlives its client.
    client_id TEXT NOT NULL,
    client_name TEXT NOT NULL,
    -- JSON lists, in the same order.
    dog_ids TEXT NOT NULL,
    dogs TEXT NOT NULL,
    service_type TEXT NOT NULL,
    date TEXT NOT NULL,
    start_time TEXT NOT NULL,
    duration_minutes {{INT64}} NOT NULL,
    notes TEXT NOT NULL,
    -- For the sitter alone.
    internal_notes TEXT NOT NULL,
    completion_notes TEXT NOT NULL,
    status TEXT NOT NULL,
    price_cents {{INT64}} NOT NULL,
    -- JSON.
    pricing_breakdown TEXT NOT NULL,
    paid {{BOOL}} NOT NULL,
    offering_id TEXT,
    overlap_ok {{BOOL}} NOT NULL,
    completed_at_ms {{INT64}},
    cancelled_at_ms {{INT64}},
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX service_by_rev ON service (sitter_id, rev);
-- Days of the calendar, and what may be in a new service's way.
CREATE INDEX service_by_date ON service (sitter_id, date);
-- What is still to come for a client.
CREATE INDEX service_by_client ON service (sitter_id, client_id, date);
-- Whether an offering was ever booked.
CREATE INDEX service_by_offering ON service (sitter_id, offering_id) WHERE offering_id IS NOT NULL;

CREATE TABLE walk_request (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    client_id TEXT NOT NULL,
    status TEXT NOT NULL,
    requested_date TEXT NOT NULL,
    requested_start_time TEXT NOT NULL,
    requested_duration_minutes {{INT64}} NOT NULL,
    service_type TEXT NOT NULL,
    -- JSON list.
    dog_ids TEXT NOT NULL,
    message TEXT NOT NULL,
    sitter_response TEXT NOT NULL,
    estimated_price_cents {{INT64}} NOT NULL,
    scheduled_service_id TEXT,
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX walk_request_by_rev ON walk_request (sitter_id, rev);
-- The badge asks for the pending ones every half minute.
CREATE INDEX walk_request_by_status ON walk_request (sitter_id, status);

-- What was deleted, so that the feed can say so. No personal data.
CREATE TABLE tombstone (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    -- The table's name in the feed.
    table_name TEXT NOT NULL,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    deleted_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, table_name, id)
){{STRICT}};
CREATE INDEX tombstone_by_rev ON tombstone (sitter_id, rev);
-- The old ones are removed.
CREATE INDEX tombstone_by_age ON tombstone (deleted_at_ms);

-- What became of each command that came with a key, so that a repeat gets the first answer.
CREATE TABLE mutation (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    -- The command's id from a phone, or the `Idempotency-Key` of a REST call.
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    user_id TEXT NOT NULL,
    -- The phone that pushed it; none for REST calls.
    device_id TEXT,
    seq {{INT64}},
    name TEXT NOT NULL,
    -- SHA-256 of what was asked, hexadecimal.
    args_hash TEXT NOT NULL,
    -- 'applied', 'adjusted' or 'rejected'.
    outcome TEXT NOT NULL,
    -- JSON.
    refusal TEXT,
    -- JSON list.
    adjustments TEXT,
    -- The REST call's answer; none for pushed commands.
    answer_status {{INT64}},
    answer_body TEXT,
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
-- The outcomes of one phone's commands, in the feed.
CREATE INDEX mutation_by_device ON mutation (sitter_id, device_id, rev);
-- Those of 400 days ago are removed.
CREATE INDEX mutation_by_age ON mutation (created_at_ms);

-- How far the queue of each phone has come.
CREATE TABLE device (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    last_seq {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};

-- What a field was set to, when and by which phone: tells two people who changed the same field of each other.
CREATE TABLE history (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    table_name TEXT NOT NULL,
    row_id TEXT NOT NULL,
    field TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    -- JSON.
    value_json TEXT NOT NULL,
    -- None for REST calls.
    device_id TEXT,
    changed_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, table_name, row_id, field, rev)
){{STRICT}};
-- The old ones are removed.
CREATE INDEX history_by_age ON history (changed_at_ms);

-- Which client users may see which client records.
CREATE TABLE client_user_link (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    client_id TEXT NOT NULL,
    user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    PRIMARY KEY (sitter_id, client_id, user_id)
){{STRICT}};
-- Everything that a client user may see.
CREATE INDEX client_user_link_by_user ON client_user_link (user_id);

CREATE TABLE photo (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    -- Names its files; random, so that an upload that lost a race overwrites nothing.
    file_id TEXT NOT NULL,
    -- SHA-256 of what was uploaded, hexadecimal: tells a repeat from another photo under the same id.
    source_hash TEXT NOT NULL,
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};

CREATE TABLE mail_job (
    id TEXT NOT NULL PRIMARY KEY,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    attempts {{INT64}} NOT NULL,
    -- Not before then: the delay after a failure, or the end of the lease of who is sending it.
    due_at_ms {{INT64}} NOT NULL,
    -- Why the last attempt failed.
    last_error TEXT,
    -- Given up; kept for the operator.
    failed {{BOOL}} NOT NULL,
    created_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- What is to be sent next.
CREATE INDEX mail_job_by_due ON mail_job (due_at_ms) WHERE failed = {{FALSE}};
