-- Invoices and credit notes, on which of them a service stands, and how a business bills.

CREATE TABLE invoice (
    sitter_id TEXT NOT NULL REFERENCES sitter (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    rev {{INT64}} NOT NULL,
    client_id TEXT NOT NULL,
    -- Its place among the business's, from 1: given when it is stored, and to no other one, deleted or not.
    number {{INT64}},
    prefix TEXT NOT NULL,
    -- 128 random bits as base64url: whoever has them sees the page.
    share_id TEXT,
    paid {{BOOL}} NOT NULL,
    issued_on TEXT NOT NULL,
    due_date TEXT,
    -- JSON, as in the feed.
    client_data TEXT NOT NULL,
    services_data TEXT NOT NULL,
    invoice_data TEXT NOT NULL,
    total_cents {{INT64}} NOT NULL,
    -- JSON: what was paid on it.
    payments TEXT NOT NULL,
    -- Of a credit note the invoice that it is for.
    credits TEXT,
    reminded_at_ms {{INT64}},
    shared_at_ms {{INT64}} NOT NULL,
    deleted_at_ms {{INT64}},
    PRIMARY KEY (sitter_id, id)
){{STRICT}};
CREATE INDEX invoice_by_rev ON invoice (sitter_id, rev);
-- A client's invoices.
CREATE INDEX invoice_by_client ON invoice (sitter_id, client_id);
-- The last number, and no number twice.
CREATE UNIQUE INDEX invoice_by_number ON invoice (sitter_id, number);
-- The page of an address.
CREATE UNIQUE INDEX invoice_by_share_id ON invoice (share_id);

-- Which invoices show which photos. Written with the invoice.
CREATE TABLE invoice_photo (
    sitter_id TEXT NOT NULL,
    photo_id TEXT NOT NULL,
    invoice_id TEXT NOT NULL,
    PRIMARY KEY (sitter_id, photo_id, invoice_id),
    FOREIGN KEY (sitter_id, invoice_id) REFERENCES invoice (sitter_id, id) ON DELETE CASCADE
){{STRICT}};
CREATE INDEX invoice_photo_by_invoice ON invoice_photo (sitter_id, invoice_id);

-- The invoice that a service stands on.
ALTER TABLE service ADD COLUMN invoice_id TEXT;

-- JSON: what the invoices of a business begin with.
ALTER TABLE profile ADD COLUMN invoicing TEXT NOT NULL DEFAULT '{"prefix":"INV-"}';
