//! Owns the walks under way that sitters show to clients on a map: of each service the newest state alone.

use walkies_core::rows::service::ServiceStatus;
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

/// Stores what a phone sent of a walk; `false` where this map was switched off before.
pub async fn put_live_map(
    tx: &mut Tx,
    (sitter_id, map_id): (Id, Id),
    map: &LiveMapRow,
    now: Instant,
) -> sqlx::Result<bool> {
    let args = [
        sitter_id.arg(),
        map.service_id.arg(),
        map_id.arg(),
        map.client_id.arg(),
        map.track.clone().arg(),
        map.recorded_at.arg(),
        now.arg(),
    ];
    Ok(tx.execute(PUT, args).await? == 1)
}

const PUT: &str = "INSERT INTO live_map (sitter_id, service_id, map_id, client_id, track, recorded_at_ms, updated_at_ms) \
    VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (sitter_id, service_id) DO UPDATE SET map_id = excluded.map_id, \
    client_id = excluded.client_id, track = excluded.track, recorded_at_ms = excluded.recorded_at_ms, updated_at_ms = excluded.updated_at_ms \
    WHERE live_map.map_id <> excluded.map_id OR live_map.track IS NOT NULL";

/// Switches a live map off, also one of which nothing has come yet. Nothing of it stays but that it is off.
pub async fn end_live_map(
    tx: &mut Tx,
    sitter_id: Id,
    (service_id, map_id): (Id, Id),
    now: Instant,
) -> sqlx::Result<()> {
    let args = vec![sitter_id.arg(), service_id.arg(), map_id.arg(), now.arg()];
    tx.defer(END, args).await
}

// One that was switched on since goes on.
const END: &str = "INSERT INTO live_map (sitter_id, service_id, map_id, track, recorded_at_ms, updated_at_ms) \
    VALUES ($1, $2, $3, NULL, 0, $4) ON CONFLICT (sitter_id, service_id) DO UPDATE SET client_id = NULL, track = NULL, \
    recorded_at_ms = 0, updated_at_ms = excluded.updated_at_ms WHERE live_map.map_id = excluded.map_id";

/// Live maps of a client's services that are scheduled, of which something has come after `since`: so many at most.
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
    let args = [
        sitter_id.arg(),
        client_id.arg(),
        ServiceStatus::Scheduled.arg(),
        since.arg(),
        most.arg(),
    ];
    tx.fetch_all(SELECT_OF_CLIENT, args, read).await
}

const SELECT_OF_CLIENT: &str = "SELECT live_map.service_id, live_map.client_id, live_map.track, live_map.recorded_at_ms FROM live_map \
    JOIN service ON service.sitter_id = live_map.sitter_id AND service.id = live_map.service_id \
    WHERE live_map.sitter_id = $1 AND live_map.client_id = $2 AND service.client_id = $2 AND service.status = $3 AND live_map.track IS NOT NULL \
    AND $4 < live_map.updated_at_ms ORDER BY live_map.updated_at_ms DESC, live_map.service_id LIMIT $5";

/// Removes live maps of which nothing has come since.
pub async fn collect_live_maps(tx: &mut Tx, before: Instant) -> sqlx::Result<()> {
    tx.defer(DELETE_OLD, vec![before.arg()]).await
}

const DELETE_OLD: &str = "DELETE FROM live_map WHERE updated_at_ms < $1";
