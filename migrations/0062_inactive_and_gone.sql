-- The day from which on a client is inactive; null for one that is active.
ALTER TABLE client ADD COLUMN inactive_since TEXT;
-- The day from which on a pet is no longer with its people; null for one that is.
ALTER TABLE pet ADD COLUMN gone_on TEXT;
