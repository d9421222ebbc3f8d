-- Part of the price that nobody is to pay: its invoice was paid in part and written off for the rest.
ALTER TABLE service ADD COLUMN lost_cents {{INT64}} NOT NULL DEFAULT 0;
