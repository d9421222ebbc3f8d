//! Owns the walks under way that sitters show to clients on a map: of each service the newest state alone, and which of its
//! maps were switched off. The latter does not go with the service, which may come back.

use walkies_core::values::bounds::LIVE_MAPS_OF_A_SERVICE;
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
    let others = || [sitter_id.arg(), map.service_id.arg(), map_id.arg()];
    let ends = [others().as_slice(), &[now.arg()]].concat();
    tx.defer(END_OTHERS, ends).await?;
    tx.defer(FORGET_OTHERS, others()).await?;
    Ok(LiveMapPut::Shown)
}

const PUT: &str = "INSERT INTO live_map (sitter_id, service_id, map_id, client_id, track, recorded_at_ms, updated_at_ms) \
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (sitter_id, service_id, map_id) DO UPDATE SET \
    client_id = excluded.client_id, track = excluded.track, recorded_at_ms = excluded.recorded_at_ms, updated_at_ms = excluded.updated_at_ms";

const END_OTHERS: &str = "INSERT INTO live_map_end (sitter_id, service_id, map_id, ended_at_ms) \
    SELECT sitter_id, service_id, map_id, $4 FROM live_map WHERE sitter_id = $1 AND service_id = $2 AND map_id <> $3";

const FORGET_OTHERS: &str =
    "DELETE FROM live_map WHERE sitter_id = $1 AND service_id = $2 AND map_id <> $3";

/// State of a live map before it is changed.
enum Known {
    New,
    On,
    Off,
    /// Off while another one is on.
    Replaced,
    /// Nothing is known of it, and of too many others.
    TooMany,
}

async fn known_live_map(
    tx: &mut Tx,
    sitter_id: Id,
    (service_id, map_id): (Id, Id),
) -> sqlx::Result<Known> {
    let n = |row: &dyn DbRow, name: &str| <u64 as Column>::get(row, name);
    let read = |row: &dyn DbRow| Ok((n(row, "n_this")?, n(row, "n_seen")?, n(row, "n_all")?));
    let args = || [sitter_id.arg(), service_id.arg(), map_id.arg()];
    let (on, others, n_on) = tx.fetch_one(COUNT_ON, args(), read).await?;
    let read = |row: &dyn DbRow| Ok((n(row, "n_this")?, n(row, "n_all")?));
    let (off, n_off) = tx.fetch_one(COUNT_OFF, args(), read).await?;
    Ok(match (on, off) {
        (_, 1..) if others > 0 => Known::Replaced,
        (_, 1..) => Known::Off,
        (1.., _) => Known::On,
        _ if LIVE_MAPS_OF_A_SERVICE <= n_on + n_off => Known::TooMany,
        _ => Known::New,
    })
}

const COUNT_ON: &str = "SELECT COUNT(*) AS n_all, COUNT(CASE WHEN map_id = $3 THEN 1 END) AS n_this, \
    COUNT(CASE WHEN map_id <> $3 AND track IS NOT NULL THEN 1 END) AS n_seen FROM live_map WHERE sitter_id = $1 AND service_id = $2";

const COUNT_OFF: &str = "SELECT COUNT(*) AS n_all, COUNT(CASE WHEN map_id = $3 THEN 1 END) AS n_this \
    FROM live_map_end WHERE sitter_id = $1 AND service_id = $2";

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
    let args = || [sitter_id.arg(), service_id.arg(), map_id.arg()];
    tx.defer(END, [args().as_slice(), &[now.arg()]].concat())
        .await?;
    tx.defer(FORGET, args()).await
}

const END: &str = "INSERT INTO live_map_end (sitter_id, service_id, map_id, ended_at_ms) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (sitter_id, service_id, map_id) DO UPDATE SET ended_at_ms = excluded.ended_at_ms";

const FORGET: &str =
    "DELETE FROM live_map WHERE sitter_id = $1 AND service_id = $2 AND map_id = $3";

/// Returns true if the business had a service that was deleted: it may come back, and a live map of it with it.
pub async fn is_service_deleted(tx: &mut Tx, sitter_id: Id, service_id: Id) -> sqlx::Result<bool> {
    let args = [sitter_id.arg(), service_id.arg()];
    let found = tx.fetch_optional(SELECT_DELETED, args, |_| Ok(())).await?;
    Ok(found.is_some())
}

const SELECT_DELETED: &str =
    "SELECT 1 FROM tombstone WHERE sitter_id = $1 AND table_name = 'service' AND id = $2";

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

/// Removes where a walk is from live maps of which nothing has come since `before`; and, from `forgotten_before` on, that they
/// were ever on or off.
pub async fn collect_live_maps(
    tx: &mut Tx,
    before: Instant,
    forgotten_before: Instant,
) -> sqlx::Result<()> {
    tx.defer(EMPTY_OLD, [before.arg()]).await?;
    tx.defer(DELETE_OLD, [forgotten_before.arg()]).await?;
    tx.defer(DELETE_OLD_ENDS, [forgotten_before.arg()]).await
}

const EMPTY_OLD: &str = "UPDATE live_map SET client_id = NULL, track = NULL, recorded_at_ms = 0 \
    WHERE updated_at_ms < $1 AND track IS NOT NULL";

const DELETE_OLD: &str = "DELETE FROM live_map WHERE updated_at_ms < $1";

const DELETE_OLD_ENDS: &str = "DELETE FROM live_map_end WHERE ended_at_ms < $1";
