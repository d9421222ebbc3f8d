//! Owns what a business was cleared of, for as long as that can be undone.

use sqlx::AssertSqlSafe;
use walkies_core::{Id, Instant, RowKey, TableName};

use super::archive::{page_args, within_page_bytes};
use crate::db::engine::{Column, DbRow, Tx};

/// A business that was cleared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClearingRow {
    /// The id of the business.
    pub sitter_id: Id,
    /// `clearing`, `cleared` or `restoring`; `deleting` where the account is gone and its rows are going.
    pub state: String,
    /// When somebody asked for it; for what is kept.
    pub cleared_at: Instant,
    /// True if rows are kept for an undo as they are removed.
    pub keeps: bool,
    /// Why it could not be brought back, in words.
    pub fault: Option<String>,
}

fn read_clearing(row: &dyn DbRow) -> sqlx::Result<ClearingRow> {
    Ok(ClearingRow {
        sitter_id: Column::get(row, "sitter_id")?,
        state: Column::get(row, "state")?,
        cleared_at: Column::get(row, "cleared_at_ms")?,
        keeps: Column::get(row, "keeps")?,
        fault: Column::read(row, "fault")?,
    })
}

/// Whoever works on one has so long until another one tries.
const LEASE_MS: i64 = 60 * 1000;

/// Finds the clearing of a business, with its state; `None` if it was not cleared.
pub async fn find_clearing(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Option<ClearingRow>> {
    tx.fetch_optional(SELECT_CLEARING, [sitter_id.arg()], read_clearing)
        .await
}

const SELECT_CLEARING: &str = "SELECT * FROM clearing WHERE sitter_id = $1";

/// Notes that a business is to be cleared. What it was cleared of before stays kept, and what is cleared now is not.
pub async fn begin_clearing(tx: &mut Tx, sitter_id: Id, now: Instant) -> sqlx::Result<()> {
    tx.defer(BEGIN, vec![sitter_id.arg(), now.arg()]).await
}

const BEGIN: &str = "INSERT INTO clearing (sitter_id, state, cleared_at_ms, leased_until_ms) \
    VALUES ($1, 'clearing', $2, 0) ON CONFLICT (sitter_id) DO UPDATE SET state = excluded.state, \
    keeps = FALSE, fault = NULL, leased_until_ms = 0";

/// Notes where one stands, on which nobody works; with a fault what is cleared from then on is kept.
pub async fn set_clearing_state(
    tx: &mut Tx,
    sitter_id: Id,
    state: &str,
    fault: Option<String>,
) -> sqlx::Result<()> {
    let args = vec![sitter_id.arg(), state.to_owned().arg(), fault.arg()];
    tx.defer(SET_STATE, args).await
}

// Whoever still works on a business whose account was deleted meanwhile changes nothing about that.
const SET_STATE: &str = "UPDATE clearing SET state = $2, fault = $3, keeps = TRUE, leased_until_ms = 0 \
    WHERE sitter_id = $1 AND state <> 'deleting'";

/// Takes up one that somebody has to work on: nobody else does before its lease is over.
pub async fn lease_clearing(tx: &mut Tx, now: Instant) -> sqlx::Result<Option<ClearingRow>> {
    let args = [now.arg(), Instant(now.0 + LEASE_MS).arg()];
    tx.fetch_optional(LEASE, args, read_clearing).await
}

const LEASE: &str = "UPDATE clearing SET leased_until_ms = $2 WHERE leased_until_ms <= $1 AND sitter_id = \
    (SELECT sitter_id FROM clearing WHERE leased_until_ms <= $1 AND state IN ('clearing', 'restoring', 'deleting') \
    ORDER BY leased_until_ms, sitter_id LIMIT 1) RETURNING *";

/// Begins the lease of one anew that is worked on.
pub async fn renew_clearing(tx: &mut Tx, sitter_id: Id, now: Instant) -> sqlx::Result<()> {
    let until = Instant(now.0 + LEASE_MS);
    tx.defer(RENEW, vec![sitter_id.arg(), until.arg()]).await
}

/// Ends the lease of one that others are to go on with.
pub async fn release_clearing(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<()> {
    let args = vec![sitter_id.arg(), Instant(0).arg()];
    tx.defer(RENEW, args).await
}

const RENEW: &str = "UPDATE clearing SET leased_until_ms = $2 WHERE sitter_id = $1";

/// Keeps a row that is about to be removed.
pub async fn keep_cleared_row(
    tx: &mut Tx,
    sitter_id: Id,
    key: RowKey,
    json: String,
    share_id: Option<String>,
) -> sqlx::Result<()> {
    let table = key.table.name().to_owned();
    let (id, share_id) = (key.id.arg(), share_id.arg());
    let args = vec![sitter_id.arg(), table.arg(), id, json.arg(), share_id];
    tx.defer(KEEP, args).await
}

const KEEP: &str = "INSERT INTO cleared_row (sitter_id, table_name, id, json, share_id) VALUES ($1, $2, $3, $4, $5) \
    ON CONFLICT (sitter_id, table_name, id) DO UPDATE SET json = excluded.json, share_id = excluded.share_id";

/// The rows that a table was cleared of after this one by their ids: so many, or fewer where they are long.
pub async fn cleared_rows(
    tx: &mut Tx,
    sitter_id: Id,
    table: TableName,
    after: Option<Id>,
    most: u32,
) -> sqlx::Result<Vec<(Id, String)>> {
    let within = within_page_bytes(
        "SELECT id, octet_length(json) AS size FROM cleared_row WHERE sitter_id = $1 AND id > $2 AND table_name = $4 \
         ORDER BY id LIMIT $3",
    );
    let sql = format!(
        "SELECT id, json FROM cleared_row WHERE sitter_id = $1 AND id > $2 AND table_name = $4 AND {within} ORDER BY id"
    );
    let [sitter_id, after, most] = page_args(sitter_id, after, most);
    let args = [sitter_id, after, most, table.name().to_owned().arg()];
    tx.fetch_all(AssertSqlSafe(sql), args, |row| {
        Ok((Column::get(row, "id")?, Column::get(row, "json")?))
    })
    .await
}

/// Forgets a row that was put back.
pub async fn forget_cleared_row(tx: &mut Tx, sitter_id: Id, key: RowKey) -> sqlx::Result<()> {
    let table = key.table.name().to_owned();
    tx.defer(FORGET, vec![sitter_id.arg(), table.arg(), key.id.arg()])
        .await
}

const FORGET: &str = "DELETE FROM cleared_row WHERE sitter_id = $1 AND table_name = $2 AND id = $3";

/// Forgets that a business was cleared.
pub async fn forget_clearing(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<()> {
    tx.defer(DELETE, vec![sitter_id.arg()]).await
}

const DELETE: &str = "DELETE FROM clearing WHERE sitter_id = $1 AND state <> 'deleting'";

/// Businesses that were cleared before this.
pub async fn old_clearings(tx: &mut Tx, before: Instant) -> sqlx::Result<Vec<Id>> {
    tx.fetch_all(SELECT_OLD, [before.arg()], |row| {
        Column::get(row, "sitter_id")
    })
    .await
}

const SELECT_OLD: &str =
    "SELECT sitter_id FROM clearing WHERE cleared_at_ms < $1 AND state = 'cleared' LIMIT 100";

/// Forgets some of the rows that a business was cleared of; how many there were.
pub async fn forget_cleared_rows(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<u64> {
    tx.execute(FORGET_SOME, [sitter_id.arg()]).await
}

const FORGET_SOME: &str = "DELETE FROM cleared_row WHERE (sitter_id, table_name, id) IN \
    (SELECT sitter_id, table_name, id FROM cleared_row WHERE sitter_id = $1 LIMIT 100)";
