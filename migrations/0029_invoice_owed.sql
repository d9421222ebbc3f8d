-- What a business is owed, by the day until which it was to be paid: of whom to remind.
CREATE INDEX invoice_owed ON invoice (sitter_id, due_date) WHERE NOT paid AND deleted_at_ms IS NULL;
