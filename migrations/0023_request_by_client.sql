-- What a client has asked for: how much there is, the earliest, what waits from a day on, and the latest of each status.
CREATE INDEX walk_request_by_client ON walk_request (sitter_id, client_id, requested_date, status);
