//! Owns the addresses at which other calendars read a business's schedule, or a pet parent's visits, of which it has the
//! hashes.

use std::collections::HashMap;

use sqlx::AssertSqlSafe;
use walkies_core::rows::service::Service;
use walkies_core::rules::calendar_feed::{FeedClient, FeedWindow};
use walkies_core::{Id, Instant, Versioned};

use super::row::{Synced as _, read_stored};
use crate::db::engine::{Column, DbRow, Tx};

/// When the address of a business was made, if it has one.
pub async fn calendar_address(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Option<Instant>> {
    let read = |row: &dyn DbRow| Column::get(row, "created_at_ms");
    tx.fetch_optional(SELECT_ADDRESS, [sitter_id.arg()], read)
        .await
}

const SELECT_ADDRESS: &str = "SELECT created_at_ms FROM calendar_address WHERE sitter_id = $1";

/// Whose calendar is at an address.
pub async fn sitter_of_calendar(tx: &mut Tx, secret_hash: &str) -> sqlx::Result<Option<Id>> {
    let read = |row: &dyn DbRow| Column::get(row, "sitter_id");
    let args = [secret_hash.to_owned().arg()];
    tx.fetch_optional(SELECT_SITTER, args, read).await
}

const SELECT_SITTER: &str = "SELECT sitter_id FROM calendar_address WHERE secret_hash = $1";

/// Gives a business an address; a former one leads nowhere from then on.
pub async fn set_calendar_address(
    tx: &mut Tx,
    sitter_id: Id,
    secret_hash: &str,
    now: Instant,
) -> sqlx::Result<()> {
    let args = [sitter_id.arg(), secret_hash.to_owned().arg(), now.arg()];
    tx.defer(UPSERT_ADDRESS, args).await
}

const UPSERT_ADDRESS: &str = "INSERT INTO calendar_address (sitter_id, secret_hash, created_at_ms) VALUES ($1, $2, $3) \
    ON CONFLICT (sitter_id) DO UPDATE SET secret_hash = excluded.secret_hash, created_at_ms = excluded.created_at_ms";

/// Ends the address of a business.
pub async fn delete_calendar_address(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<()> {
    tx.defer(DELETE_ADDRESS, [sitter_id.arg()]).await
}

const DELETE_ADDRESS: &str = "DELETE FROM calendar_address WHERE sitter_id = $1";

/// When the address of a pet parent was made, if there is one.
pub async fn parent_calendar(tx: &mut Tx, user_id: Id) -> sqlx::Result<Option<Instant>> {
    let read = |row: &dyn DbRow| Column::get(row, "created_at_ms");
    tx.fetch_optional(SELECT_PARENT_ADDRESS, [user_id.arg()], read)
        .await
}

const SELECT_PARENT_ADDRESS: &str = "SELECT created_at_ms FROM parent_calendar WHERE user_id = $1";

/// The pet parent whose visits are at an address.
pub async fn parent_of_calendar(tx: &mut Tx, secret_hash: &str) -> sqlx::Result<Option<Id>> {
    let read = |row: &dyn DbRow| Column::get(row, "user_id");
    let args = [secret_hash.to_owned().arg()];
    tx.fetch_optional(SELECT_PARENT, args, read).await
}

const SELECT_PARENT: &str = "SELECT user_id FROM parent_calendar WHERE secret_hash = $1";

/// Gives a pet parent an address; a former one leads nowhere from then on.
pub async fn set_parent_calendar(
    tx: &mut Tx,
    user_id: Id,
    secret_hash: &str,
    now: Instant,
) -> sqlx::Result<()> {
    let args = [user_id.arg(), secret_hash.to_owned().arg(), now.arg()];
    tx.defer(UPSERT_PARENT_ADDRESS, args).await
}

const UPSERT_PARENT_ADDRESS: &str = "INSERT INTO parent_calendar (user_id, secret_hash, created_at_ms) VALUES ($1, $2, $3) \
    ON CONFLICT (user_id) DO UPDATE SET secret_hash = excluded.secret_hash, created_at_ms = excluded.created_at_ms";

/// Ends the address of a pet parent.
pub async fn delete_parent_calendar(tx: &mut Tx, user_id: Id) -> sqlx::Result<()> {
    tx.defer(DELETE_PARENT_ADDRESS, [user_id.arg()]).await
}

const DELETE_PARENT_ADDRESS: &str = "DELETE FROM parent_calendar WHERE user_id = $1";

/// The services that a calendar shows, of all clients or of one, by date and start, without anybody's notes: so many at most.
pub async fn services_of_calendar(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Option<Id>,
    window: FeedWindow,
    most: usize,
) -> sqlx::Result<Vec<Versioned<Service>>> {
    let columns = Service::COLUMNS.iter().map(|it| match *it {
        "notes" | "internal_notes" | "completion_notes" => format!("'' AS {it}"),
        it => it.to_owned(),
    });
    let columns = columns.collect::<Vec<_>>().join(", ");
    let select = |condition: &str| {
        format!("SELECT rev, {columns} FROM service WHERE sitter_id = $1 {condition}")
    };
    let of_client = |place: &str| match client_id {
        Some(_) => format!("AND client_id = {place}"),
        None => String::new(),
    };
    let sql = select(&format!(
        "AND date >= $2 AND date <= $3 {} ORDER BY date, start_time, id LIMIT $4",
        of_client("$5")
    ));
    let mut args = vec![
        sitter_id.arg(),
        window.today.arg(),
        window.begins_until.arg(),
        (most as u64).arg(),
    ];
    args.extend(client_id.map(|it| it.arg()));
    let mut ahead = tx.fetch_all(AssertSqlSafe(sql), args, read_stored).await?;
    let sql = select(&format!(
        "AND date >= $2 AND date < $3 AND coalesce(end_date, date) >= $4 {} \
         ORDER BY date DESC, start_time DESC, id DESC LIMIT $5",
        of_client("$6")
    ));
    let mut args = vec![
        sitter_id.arg(),
        window.begins_from.arg(),
        window.today.arg(),
        window.ends_from.arg(),
        ((most - ahead.len()) as u64).arg(),
    ];
    args.extend(client_id.map(|it| it.arg()));
    let mut all = tx.fetch_all(AssertSqlSafe(sql), args, read_stored).await?;
    all.reverse();
    all.append(&mut ahead);
    Ok(all)
}

/// The clients of these services.
pub async fn clients_of_calendar(
    tx: &mut Tx,
    sitter_id: Id,
    window: FeedWindow,
) -> sqlx::Result<HashMap<Id, FeedClient>> {
    let args = [
        sitter_id.arg(),
        window.begins_from.arg(),
        window.begins_until.arg(),
    ];
    let read = |row: &dyn DbRow| -> sqlx::Result<(Id, FeedClient)> {
        let (name, address) = (Column::get(row, "name")?, Column::get(row, "address")?);
        Ok((Column::get(row, "id")?, FeedClient { name, address }))
    };
    let clients = tx.fetch_all(SELECT_CLIENTS, args, read).await?;
    Ok(clients.into_iter().collect())
}

const SELECT_CLIENTS: &str = "SELECT id, name, address FROM client WHERE sitter_id = $1 AND id IN \
    (SELECT client_id FROM service WHERE sitter_id = $1 AND date >= $2 AND date <= $3)";
