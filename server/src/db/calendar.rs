//! Owns the addresses at which other calendars read a business's schedule, of which it has the hashes.

use walkies_core::{Id, Instant};

use super::Tx;
use super::column::{Column, DbRow};

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
