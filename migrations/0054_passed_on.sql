-- When the sitter passed the link on oneself, to a client who is not in the portal; null as long as that is to be done.

ALTER TABLE report ADD COLUMN passed_on_at_ms {{INT64}};
ALTER TABLE invoice ADD COLUMN passed_on_at_ms {{INT64}};
