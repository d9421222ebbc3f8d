//! Owns what is known of the map's areas and tiles; the tiles' bytes are files elsewhere.

use walkies_core::map::TileId;
use walkies_core::{Id, Instant};

use crate::db::engine::{Column, DbRow, Tx};

/// An area that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapArea {
    /// The id of the import that made it.
    pub id: Id,
    /// The name that the operator gave it.
    pub name: String,
    /// The part of the earth that it lies in.
    pub bounds: Bounds,
    /// When its data was taken from OpenStreetMap.
    pub data_at: Option<Instant>,
    /// When it was imported.
    pub imported_at: Instant,
    /// The number of its tiles.
    pub n_tiles: u64,
    /// The sum of their compressed sizes.
    pub size_bytes: u64,
    /// The mirror's region that it was downloaded as; `None` if an operator imported a file.
    pub source: Option<MapSource>,
}

/// A mirror's extract from which an area was imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapSource {
    /// The id of its region in the mirror's index.
    pub region: String,
    /// The MD5 of the extract, 32 hexadecimal digits.
    pub md5: String,
}

/// A part of the earth, in ten-millionths of a degree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The least longitude.
    pub west_e7: i32,
    /// The least latitude.
    pub south_e7: i32,
    /// The greatest longitude.
    pub east_e7: i32,
    /// The greatest latitude.
    pub north_e7: i32,
}

/// A tile of an area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapTile {
    /// Its column and row at the zoom of tiles.
    pub id: TileId,
    /// As in its name; see `TileName`.
    pub checksum: String,
    /// Its compressed size.
    pub size_bytes: u64,
}

fn read_area(row: &dyn DbRow) -> sqlx::Result<MapArea> {
    let region: Option<String> = Column::get(row, "region")?;
    let md5: Option<String> = Column::get(row, "extract_md5")?;
    let source = region.zip(md5);
    Ok(MapArea {
        source: source.map(|(region, md5)| MapSource { region, md5 }),
        id: Column::get(row, "id")?,
        name: Column::get(row, "name")?,
        bounds: Bounds {
            west_e7: Column::get(row, "west_e7")?,
            south_e7: Column::get(row, "south_e7")?,
            east_e7: Column::get(row, "east_e7")?,
            north_e7: Column::get(row, "north_e7")?,
        },
        data_at: Column::get(row, "data_at_ms")?,
        imported_at: Column::get(row, "imported_at_ms")?,
        n_tiles: Column::get(row, "n_tiles")?,
        size_bytes: Column::get(row, "size_bytes")?,
    })
}

fn read_tile_id(row: &dyn DbRow) -> sqlx::Result<TileId> {
    Ok(TileId {
        x: Column::get(row, "x")?,
        y: Column::get(row, "y")?,
    })
}

fn read_tile(row: &dyn DbRow) -> sqlx::Result<MapTile> {
    Ok(MapTile {
        id: read_tile_id(row)?,
        checksum: Column::get(row, "checksum")?,
        size_bytes: Column::get(row, "size_bytes")?,
    })
}

/// Begins an area that is not shown yet.
pub async fn insert_map_area(
    tx: &mut Tx,
    id: Id,
    name: &str,
    removable_at: Instant,
) -> sqlx::Result<()> {
    let args = [id.arg(), name.to_owned().arg(), removable_at.arg()];
    tx.defer(INSERT_MAP_AREA, args).await
}

const INSERT_MAP_AREA: &str = "INSERT INTO map_area \
    (id, name, west_e7, south_e7, east_e7, north_e7, imported_at_ms, n_tiles, size_bytes, removable_at_ms) \
    VALUES ($1, $2, 0, 0, 0, 0, 0, 0, 0, $3)";

/// Says that an area is still being imported; `false` when it was removed meanwhile.
pub async fn postpone_map_area(tx: &mut Tx, id: Id, removable_at: Instant) -> sqlx::Result<bool> {
    let args = [id.arg(), removable_at.arg()];
    Ok(tx.execute(POSTPONE_MAP_AREA, args).await? == 1)
}

const POSTPONE_MAP_AREA: &str =
    "UPDATE map_area SET removable_at_ms = $2 WHERE id = $1 AND removable_at_ms IS NOT NULL";

/// Makes the areas of this name removable that are still being imported.
pub async fn abandon_map_areas(tx: &mut Tx, name: &str, now: Instant) -> sqlx::Result<()> {
    let args = [name.to_owned().arg(), now.arg()];
    tx.defer(ABANDON_MAP_AREAS, args).await
}

const ABANDON_MAP_AREAS: &str =
    "UPDATE map_area SET removable_at_ms = $2 WHERE name = $1 AND removable_at_ms > $2";

/// Notes a tile whose file is stored.
pub async fn insert_map_tile(tx: &mut Tx, area_id: Id, tile: &MapTile) -> sqlx::Result<()> {
    let args = [
        area_id.arg(),
        tile.id.x.arg(),
        tile.id.y.arg(),
        tile.checksum.arg(),
        tile.size_bytes.arg(),
    ];
    tx.defer(INSERT_MAP_TILE, args).await
}

const INSERT_MAP_TILE: &str = "INSERT INTO map_tile (area_id, x, y, checksum, size_bytes) \
    VALUES ($1, $2, $3, $4, $5)";

/// Shows an area whose tiles are all there, in place of the one that had its name; `false` when it was removed meanwhile.
pub async fn show_map_area(tx: &mut Tx, area: &MapArea) -> sqlx::Result<bool> {
    let args = [area.name.arg(), area.imported_at.arg()];
    tx.defer(HIDE_MAP_AREAS_NAMED, args).await?;
    let args = [
        area.id.arg(),
        area.bounds.west_e7.arg(),
        area.bounds.south_e7.arg(),
        area.bounds.east_e7.arg(),
        area.bounds.north_e7.arg(),
        area.data_at.arg(),
        area.imported_at.arg(),
        area.n_tiles.arg(),
        area.size_bytes.arg(),
        area.source.as_ref().map(|it| it.region.clone()).arg(),
        area.source.as_ref().map(|it| it.md5.clone()).arg(),
    ];
    Ok(tx.execute(SHOW_MAP_AREA, args).await? == 1)
}

const HIDE_MAP_AREAS_NAMED: &str =
    "UPDATE map_area SET removable_at_ms = $2 WHERE name = $1 AND removable_at_ms IS NULL";

const SHOW_MAP_AREA: &str = "UPDATE map_area SET west_e7 = $2, south_e7 = $3, east_e7 = $4, north_e7 = $5, \
    data_at_ms = $6, imported_at_ms = $7, n_tiles = $8, size_bytes = $9, region = $10, extract_md5 = $11, \
    removable_at_ms = NULL WHERE id = $1";

/// Takes an area out of sight; `false` when it is not shown.
pub async fn hide_map_area(tx: &mut Tx, id: Id, now: Instant) -> sqlx::Result<bool> {
    let args = [id.arg(), now.arg()];
    Ok(tx.execute(HIDE_MAP_AREA, args).await? == 1)
}

const HIDE_MAP_AREA: &str =
    "UPDATE map_area SET removable_at_ms = $2 WHERE id = $1 AND removable_at_ms IS NULL";

/// All areas that are shown, by name.
pub async fn map_areas(tx: &mut Tx) -> sqlx::Result<Vec<MapArea>> {
    tx.fetch_all(SELECT_MAP_AREAS, [], read_area).await
}

const SELECT_MAP_AREAS: &str = "SELECT id, name, west_e7, south_e7, east_e7, north_e7, data_at_ms, imported_at_ms, \
    n_tiles, size_bytes, region, extract_md5 FROM map_area WHERE removable_at_ms IS NULL ORDER BY name";

/// Returns the names of the areas from a mirror that are due for an update, by name.
pub async fn map_areas_due(tx: &mut Tx, now: Instant) -> sqlx::Result<Vec<String>> {
    let args = [now.arg()];
    tx.fetch_all(SELECT_MAP_AREAS_DUE, args, |row| Column::get(row, "name"))
        .await
}

const SELECT_MAP_AREAS_DUE: &str = "SELECT name FROM map_area WHERE removable_at_ms IS NULL AND region IS NOT NULL \
    AND COALESCE(update_due_at_ms, 0) <= $1 ORDER BY name";

/// Postpones the update of an area that is due; `false` if another process has done so meanwhile.
pub async fn claim_map_update(
    tx: &mut Tx,
    name: &str,
    now: Instant,
    until: Instant,
) -> sqlx::Result<bool> {
    let args = [name.to_owned().arg(), now.arg(), until.arg()];
    Ok(tx.execute(CLAIM_MAP_UPDATE, args).await? == 1)
}

const CLAIM_MAP_UPDATE: &str = "UPDATE map_area SET update_due_at_ms = $3 WHERE name = $1 AND removable_at_ms IS NULL \
    AND COALESCE(update_due_at_ms, 0) <= $2";

/// Sets when the area of this name is due for its next update.
pub async fn set_map_update_due(tx: &mut Tx, name: &str, due_at: Instant) -> sqlx::Result<()> {
    let args = [name.to_owned().arg(), due_at.arg()];
    tx.defer(SET_MAP_UPDATE_DUE, args).await
}

const SET_MAP_UPDATE_DUE: &str =
    "UPDATE map_area SET update_due_at_ms = $2 WHERE name = $1 AND removable_at_ms IS NULL";

/// The tiles that are shown from one corner to the other, row by row; where areas overlap, the one with most in it.
pub async fn map_tiles_between(
    tx: &mut Tx,
    north_west: TileId,
    south_east: TileId,
) -> sqlx::Result<Vec<MapTile>> {
    let args = [
        north_west.x.arg(),
        south_east.x.arg(),
        north_west.y.arg(),
        south_east.y.arg(),
    ];
    let mut tiles: Vec<MapTile> = tx
        .fetch_all(SELECT_MAP_TILES_BETWEEN, args, read_tile)
        .await?;
    tiles.dedup_by_key(|it| it.id);
    Ok(tiles)
}

// Of two that are as large the checksum decides, so that every answer names the same one.
const SELECT_MAP_TILES_BETWEEN: &str = "SELECT x, y, checksum, map_tile.size_bytes FROM map_tile \
    JOIN map_area ON map_area.id = area_id \
    WHERE x BETWEEN $1 AND $2 AND y BETWEEN $3 AND $4 AND removable_at_ms IS NULL \
    ORDER BY y, x, map_tile.size_bytes DESC, checksum";

/// An area that shows a tile with these bytes.
pub async fn map_area_of_tile(tx: &mut Tx, id: TileId, checksum: &str) -> sqlx::Result<Option<Id>> {
    let args = [id.x.arg(), id.y.arg(), checksum.to_owned().arg()];
    tx.fetch_optional(SELECT_MAP_AREA_OF_TILE, args, |row| {
        Column::get(row, "area_id")
    })
    .await
}

const SELECT_MAP_AREA_OF_TILE: &str = "SELECT area_id FROM map_tile JOIN map_area ON map_area.id = area_id \
    WHERE x = $1 AND y = $2 AND checksum = $3 AND removable_at_ms IS NULL LIMIT 1";

/// Areas that were removed, replaced, or left by an import that died.
pub async fn removable_map_areas(tx: &mut Tx, now: Instant) -> sqlx::Result<Vec<Id>> {
    let args = [now.arg()];
    tx.fetch_all(SELECT_REMOVABLE_MAP_AREAS, args, |row| {
        Column::get(row, "id")
    })
    .await
}

const SELECT_REMOVABLE_MAP_AREAS: &str =
    "SELECT id FROM map_area WHERE removable_at_ms <= $1 ORDER BY id";

/// Lists the tiles of an area, by their place in the grid.
pub async fn tiles_of_map_area(tx: &mut Tx, area_id: Id) -> sqlx::Result<Vec<TileId>> {
    let args = [area_id.arg()];
    tx.fetch_all(SELECT_TILES_OF_MAP_AREA, args, read_tile_id)
        .await
}

const SELECT_TILES_OF_MAP_AREA: &str = "SELECT x, y FROM map_tile WHERE area_id = $1";

/// Forgets an area and its tiles, whose files are gone.
pub async fn delete_map_area(tx: &mut Tx, id: Id) -> sqlx::Result<()> {
    let args = [id.arg()];
    tx.defer(DELETE_MAP_AREA, args).await
}

const DELETE_MAP_AREA: &str = "DELETE FROM map_area WHERE id = $1";
