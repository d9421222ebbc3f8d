-- The shown name of a business that is being deleted, for those who are told of it.
ALTER TABLE clearing ADD COLUMN business TEXT;
-- True for mail that many get at once: mail that somebody waits for goes before it.
ALTER TABLE mail_job ADD COLUMN is_bulk {{BOOL}} NOT NULL DEFAULT {{FALSE}};
