//! Owns the walks under way that sitters show to clients on a map: of each service the newest state alone, and which of its
//! maps were switched off.

use walkies_core::{Id, Instant};

use crate::db::engine::{Column, DbRow, Tx};

/// State of a live map as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveMapRow {
    /// Id of the service.
    pub service_id: Id,
    /// Id of the client for whom it was made.
    pub client_id: Id,
    /// Lines and position as JSON.
    pub track: String,
    /// When the newest position was recorded.
    pub recorded_at: Instant,
}

/// The most live maps of a service that are kept, those that were switched off among them; beyond it none is switched on.
const MOST_LIVE_MAPS: i64 = 50;

/// Outcome of an update of a live map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveMapPut {
    /// It is shown, and all others of the service are off.
    Shown,
    /// It is off.
    Off,
    /// It is off, and another one of the service is shown.
    Replaced,
}

/// Stores what a phone sent of a walk unless that live map was switched off before. All others of the service are off from
/// then on.
pub async fn put_live_map(
    tx: &mut Tx,
    (sitter_id, map_id): (Id, Id),
    map: &LiveMapRow,
    now: Instant,
) -> sqlx::Result<LiveMapPut> {
    match known_live_map(tx, sitter_id, (map.service_id, map_id)).await? {
        Known::New | Known::On => {}
        Known::Off | Known::TooMany => return Ok(LiveMapPut::Off),
        Known::Replaced => return Ok(LiveMapPut::Replaced),
    }
    let args = [
        sitter_id.arg(),
        map.service_id.arg(),
        map_id.arg(),
        map.client_id.arg(),
        map.track.clone().arg(),
        map.recorded_at.arg(),
        now.arg(),
    ];
    tx.defer(PUT, args).await?;
    let others = [
        sitter_id.arg(),
        map.service_id.arg(),
        map_id.arg(),
        now.arg(),
    ];
    tx.defer(END_OTHERS, others).await?;
    Ok(LiveMapPut::Shown)
}

const PUT: &str = "INSERT INTO live_map (sitter_id, service_id, map_id, client_id, track, recorded_at_ms, updated_at_ms) \
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (sitter_id, service_id, map_id) DO UPDATE SET \
    client_id = excluded.client_id, track = excluded.track, recorded_at_ms = excluded.recorded_at_ms, updated_at_ms = excluded.updated_at_ms";

const END_OTHERS: &str = "UPDATE live_map SET client_id = NULL, track = NULL, recorded_at_ms = 0, updated_at_ms = $4 \
    WHERE sitter_id = $1 AND service_id = $2 AND map_id <> $3 AND track IS NOT NULL";

/// State of a live map before it is changed.
enum Known {
    New,
    On,
    Off,
    /// Off while another one is shown.
    Replaced,
    /// Nothing is known of it, and of too many others.
    TooMany,
}

async fn known_live_map(
    tx: &mut Tx,
    sitter_id: Id,
    (service_id, map_id): (Id, Id),
) -> sqlx::Result<Known> {
    let read = |row: &dyn DbRow| {
        let (on, off): (i64, i64) = (Column::get(row, "n_on")?, Column::get(row, "n_off")?);
        let (others, all): (i64, i64) = (Column::get(row, "n_others")?, Column::get(row, "n_all")?);
        Ok(match (on, off) {
            (1.., _) => Known::On,
            (_, 1..) if others > 0 => Known::Replaced,
            (_, 1..) => Known::Off,
            _ if MOST_LIVE_MAPS <= all => Known::TooMany,
            _ => Known::New,
        })
    };
    let args = [sitter_id.arg(), service_id.arg(), map_id.arg()];
    tx.fetch_one(SELECT_KNOWN, args, read).await
}

const SELECT_KNOWN: &str = "SELECT COUNT(*) AS n_all, COUNT(CASE WHEN map_id = $3 AND track IS NOT NULL THEN 1 END) AS n_on, \
    COUNT(CASE WHEN map_id = $3 AND track IS NULL THEN 1 END) AS n_off, \
    COUNT(CASE WHEN map_id <> $3 AND track IS NOT NULL THEN 1 END) AS n_others FROM live_map WHERE sitter_id = $1 AND service_id = $2";

/// Switches a live map off for good, also one of which nothing has come yet; others of the service go on. Nothing of it stays
/// but that it is off.
pub async fn end_live_map(
    tx: &mut Tx,
    sitter_id: Id,
    (service_id, map_id): (Id, Id),
    now: Instant,
) -> sqlx::Result<()> {
    let known = known_live_map(tx, sitter_id, (service_id, map_id)).await?;
    if matches!(known, Known::TooMany) {
        // None that is not known is switched on.
        return Ok(());
    }
    let args = vec![sitter_id.arg(), service_id.arg(), map_id.arg(), now.arg()];
    tx.defer(END, args).await
}

const END: &str = "INSERT INTO live_map (sitter_id, service_id, map_id, track, recorded_at_ms, updated_at_ms) \
    VALUES ($1, $2, $3, NULL, 0, $4) ON CONFLICT (sitter_id, service_id, map_id) DO UPDATE SET client_id = NULL, track = NULL, \
    recorded_at_ms = 0, updated_at_ms = excluded.updated_at_ms";

/// Live maps that were made for a client, of which something has come after `since`, the newest first: so many at most.
/// The caller asks `may_see_live_map` which of them the client may see.
pub async fn live_maps_of_client(
    tx: &mut Tx,
    (sitter_id, client_id): (Id, Id),
    since: Instant,
    most: u64,
) -> sqlx::Result<Vec<LiveMapRow>> {
    let read = |row: &dyn DbRow| {
        Ok(LiveMapRow {
            service_id: Column::get(row, "service_id")?,
            client_id: Column::get(row, "client_id")?,
            track: Column::get(row, "track")?,
            recorded_at: Column::get(row, "recorded_at_ms")?,
        })
    };
    let args = [sitter_id.arg(), client_id.arg(), since.arg(), most.arg()];
    tx.fetch_all(SELECT_OF_CLIENT, args, read).await
}

const SELECT_OF_CLIENT: &str = "SELECT service_id, client_id, track, recorded_at_ms FROM live_map \
    WHERE sitter_id = $1 AND client_id = $2 AND track IS NOT NULL AND $3 < updated_at_ms \
    ORDER BY updated_at_ms DESC, service_id LIMIT $4";

/// Removes live maps of which nothing has come since `before`, and those that were switched off before `ended_before`.
pub async fn collect_live_maps(
    tx: &mut Tx,
    before: Instant,
    ended_before: Instant,
) -> sqlx::Result<()> {
    tx.defer(DELETE_OLD, vec![before.arg(), ended_before.arg()])
        .await
}

const DELETE_OLD: &str =
    "DELETE FROM live_map WHERE updated_at_ms < $1 AND (track IS NOT NULL OR updated_at_ms < $2)";
