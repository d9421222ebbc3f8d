-- The map that phones carry. It belongs to the server and not to a business: everybody walks on the same streets.

CREATE TABLE map_area (
    -- Of the import that made it; names its files.
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    -- Its bounds in ten-millionths of a degree; like all that follows but the last, zero until the import is complete.
    west_e7 {{INT64}} NOT NULL,
    south_e7 {{INT64}} NOT NULL,
    east_e7 {{INT64}} NOT NULL,
    north_e7 {{INT64}} NOT NULL,
    -- When the data was taken from OpenStreetMap; none where the extract does not say.
    data_at_ms {{INT64}},
    imported_at_ms {{INT64}} NOT NULL,
    n_tiles {{INT64}} NOT NULL,
    size_bytes {{INT64}} NOT NULL,
    -- Null while it is shown. Of an import under way: when it must have died. Of one that was replaced or removed: then.
    removable_at_ms {{INT64}}
){{STRICT}};
-- A name is shown once.
CREATE UNIQUE INDEX map_area_by_name ON map_area (name) WHERE removable_at_ms IS NULL;

CREATE TABLE map_tile (
    area_id TEXT NOT NULL REFERENCES map_area (id) ON DELETE CASCADE,
    -- Column from the west and row from the north, at zoom 13.
    x {{INT64}} NOT NULL,
    y {{INT64}} NOT NULL,
    -- The first 64 bits of the SHA-256 of the tile's bytes, hexadecimal.
    checksum TEXT NOT NULL,
    -- Compressed, as it is stored and sent.
    size_bytes {{INT64}} NOT NULL,
    PRIMARY KEY (area_id, x, y)
){{STRICT}};
-- What is around a place, and a tile by its name.
CREATE INDEX map_tile_by_place ON map_tile (x, y);
