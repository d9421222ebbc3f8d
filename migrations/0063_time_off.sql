-- JSON: messages about a blocked time to clients who are not in the portal, which the sitter passes on.
ALTER TABLE blocked_time ADD COLUMN to_pass_on TEXT NOT NULL DEFAULT '[]';
-- How many weeks ahead the visits of series without an end are made; null for twelve.
ALTER TABLE availability_config ADD COLUMN series_weeks_ahead {{INT64}};
