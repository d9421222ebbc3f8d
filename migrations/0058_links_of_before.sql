-- Links that were shared before there was a list of those to send went out as they always did: nobody is asked to send them
-- again. Phones are told with the next revision.
UPDATE sitter SET rev = rev + 1 WHERE id IN
    (SELECT sitter_id FROM report WHERE passed_on_at_ms IS NULL UNION SELECT sitter_id FROM invoice WHERE passed_on_at_ms IS NULL);
UPDATE report SET passed_on_at_ms = shared_at_ms, rev = (SELECT sitter.rev FROM sitter WHERE sitter.id = report.sitter_id)
    WHERE passed_on_at_ms IS NULL;
UPDATE invoice SET passed_on_at_ms = shared_at_ms, rev = (SELECT sitter.rev FROM sitter WHERE sitter.id = invoice.sitter_id)
    WHERE passed_on_at_ms IS NULL;
