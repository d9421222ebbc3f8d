-- A person may be a sitter and a pet parent with one sign-in: `role` is the role of calls that name none, `sitter_id` the
-- business of a sitter, and this says who is a pet parent.
ALTER TABLE user_account ADD COLUMN is_parent {{BOOL}} NOT NULL DEFAULT {{FALSE}};
UPDATE user_account SET is_parent = {{TRUE}} WHERE role = 'client';

-- The role in which the ticket was asked for; tickets are good for half a minute, so those of before are gone soon.
ALTER TABLE realtime_ticket ADD COLUMN role TEXT NOT NULL DEFAULT 'sitter';
