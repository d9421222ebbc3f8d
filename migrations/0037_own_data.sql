-- Since when an archive is to be written: what cannot be for too long is taken back.
ALTER TABLE import ADD COLUMN started_at_ms {{INT64}};
-- How many files were left out; `left_out` has the first of them.
ALTER TABLE import ADD COLUMN left_out_count {{INT64}} NOT NULL DEFAULT 0;

-- Whether what is cleared now is kept. What an earlier clearing has kept stays, and then this is not.
ALTER TABLE clearing ADD COLUMN keeps {{BOOL}} NOT NULL DEFAULT {{TRUE}};
-- Why it could not be brought back, in words.
ALTER TABLE clearing ADD COLUMN fault TEXT;

-- The address of a page among what was cleared: nobody else gets it meanwhile.
ALTER TABLE cleared_row ADD COLUMN share_id TEXT;
CREATE INDEX cleared_row_by_share_id ON cleared_row (share_id);

-- The last invoice's number of a business that was cleared: no later one has it again.
ALTER TABLE sitter ADD COLUMN last_invoice_number {{INT64}} NOT NULL DEFAULT 0;
UPDATE sitter SET last_invoice_number =
    (SELECT last_invoice_number FROM clearing WHERE clearing.sitter_id = sitter.id)
    WHERE EXISTS (SELECT 1 FROM clearing WHERE clearing.sitter_id = sitter.id);
ALTER TABLE clearing DROP COLUMN last_invoice_number;
-- Businesses that are closed to everything else, for the operator.
CREATE INDEX sitter_by_importing ON sitter (importing_since_ms) WHERE importing_since_ms IS NOT NULL;
