-- What a business has driven and spent.
CREATE TABLE expense (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    date TEXT NOT NULL,
    category TEXT NOT NULL,
    -- Of mileage alone.
    miles_tenths {{INT64}},
    -- Of all else.
    amount_cents {{INT64}},
    note TEXT NOT NULL,
    created_at_ms {{INT64}} NOT NULL,
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX expense_by_rev ON expense (sitter_id, rev);
-- Those of a day, which are counted, and of a year.
CREATE INDEX expense_by_date ON expense (sitter_id, date);
