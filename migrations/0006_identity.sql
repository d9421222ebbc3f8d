-- What keeps strangers out of accounts: devices that are known, sign-ups that wait for their code, invitations, second
-- factors. Secrets that somebody brings back are kept as SHA-256 in hexadecimal and are themselves nowhere.

-- Devices that have signed in before: strangers who guess do not use up their tries.
CREATE TABLE known_device (
    token_hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    last_used_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- The newest ones of a user are kept.
CREATE INDEX known_device_by_user ON known_device (user_id, last_used_at_ms);

-- Sign-ups that wait for the code from the mail; also of e-mails that have an account, whose code nobody is sent.
CREATE TABLE sign_up (
    -- Of what the answer gave to whoever signs up.
    token_hash TEXT NOT NULL PRIMARY KEY,
    -- Of that and the code: the table alone does not tell which of the few codes it is.
    code_hash TEXT NOT NULL,
    email TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    -- PHC string.
    password_hash TEXT NOT NULL,
    -- Of the invitation that it came with, which is used up with the code.
    invitation_hash TEXT,
    expires_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- Expired ones are removed.
CREATE INDEX sign_up_by_age ON sign_up (expires_at_ms);

-- Links that an operator gives out.
CREATE TABLE invitation (
    token_hash TEXT NOT NULL PRIMARY KEY,
    -- Of the one person whom it is for: then it stands for the mail's code.
    email TEXT,
    expires_at_ms {{INT64}} NOT NULL
){{STRICT}};

CREATE TABLE factor (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    -- 'totp'.
    kind TEXT NOT NULL,
    -- What the person calls it.
    name TEXT NOT NULL,
    -- The authenticator app's key in Base32, as it is, since codes are made of it.
    secret TEXT NOT NULL,
    -- Null until it was used once; it counts from then on.
    confirmed_at_ms {{INT64}},
    -- The half minute of the last code that was taken: none is taken twice.
    last_step {{INT64}} NOT NULL,
    created_at_ms {{INT64}} NOT NULL,
    last_used_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- Those of who signs in.
CREATE INDEX factor_by_user ON factor (user_id);

CREATE TABLE recovery_code (
    user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    code_hash TEXT NOT NULL,
    PRIMARY KEY (user_id, code_hash)
){{STRICT}};

-- The right password came and the second step did not yet. It is no session and becomes one, once.
CREATE TABLE sign_in_challenge (
    token_hash TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
    expires_at_ms {{INT64}} NOT NULL
){{STRICT}};
-- A new password ends the user's.
CREATE INDEX sign_in_challenge_by_user ON sign_in_challenge (user_id);
