//! Owns the statements that delete the business of an account: one short transaction closes it and removes every row that
//! gives somebody access, and then the other rows go in batches.

use sqlx::AssertSqlSafe;
use walkies_core::rows::sitter::Sitter;
use walkies_core::{Id, Instant};

use crate::db::engine::{Column, DbRow, Tx};

/// The tables of which a business may have many rows, each with its key, in the order in which they go: what refers to
/// others goes before them, so that no row takes many others along.
pub const TABLES_OF_MANY_ROWS: &[(&str, &str)] = &[
    ("cleared_row", "sitter_id, table_name, id"),
    ("mention", "sitter_id, row_id, mutation_id"),
    ("mutation", "sitter_id, id"),
    ("device", "sitter_id, id"),
    ("history", "sitter_id, table_name, row_id, rev, field"),
    ("tombstone", "sitter_id, table_name, id"),
    ("departure", "sitter_id, client_id, table_name, id"),
    ("revision", "sitter_id, rev"),
    ("service_reminder", "sitter_id, service_id"),
    ("service_overdue", "sitter_id, service_id"),
    ("client_upload_count", "sitter_id, client_id, day"),
    ("upload_count", "sitter_id, day"),
    ("report_photo", "sitter_id, photo_id, report_id"),
    ("report", "sitter_id, id"),
    ("invoice_photo", "sitter_id, photo_id, invoice_id"),
    ("invoice_video", "sitter_id, video_id, invoice_id"),
    ("invoice", "sitter_id, id"),
    ("stripe_checkout", "sitter_id, session_id"),
    ("stripe_event", "sitter_id, id"),
    ("message", "sitter_id, id"),
    ("conversation", "sitter_id, id"),
    ("expense", "sitter_id, id"),
    ("walk_request", "sitter_id, id"),
    ("service_photo", "sitter_id, photo_id, service_id"),
    ("live_map", "sitter_id, service_id, map_id"),
    ("live_map_end", "sitter_id, service_id, map_id"),
    ("service", "sitter_id, id"),
    ("series", "sitter_id, id"),
    ("pet", "sitter_id, id"),
    ("client", "sitter_id, id"),
    ("blocked_time", "sitter_id, id"),
    ("availability_pattern", "sitter_id, id"),
    ("offering", "sitter_id, id"),
];

/// The tables of which a business has few rows: they go when it is closed, or with its last one.
pub const TABLES_OF_FEW_ROWS: &[&str] = &[
    "user_account",
    "profile",
    "availability_config",
    "client_user_link",
    "invite",
    "calendar_address",
    "stripe_account",
    "billing_customer",
    "document",
    "video",
    "import",
    "clearing",
    "mail_job",
    "mailed_event",
];

/// The tables that name the files of pieces, with their keys.
pub const TABLES_OF_PIECES: &[(&str, &str)] = &[
    ("video_piece", "sitter_id, video_id, number"),
    ("import_piece", "sitter_id, number"),
];

/// Closes a business, of which no account is any more: nobody can read or write it from then on, and the job removes its rows.
pub async fn close_business(tx: &mut Tx, sitter_id: Id, now: Instant) -> sqlx::Result<()> {
    // Before its profile goes.
    let business = super::select_one::<Sitter>(tx, sitter_id, sitter_id).await?;
    let name = business.map(|it| it.row.shown_name().to_owned());
    for sql in CLOSE {
        tx.defer(*sql, vec![sitter_id.arg()]).await?;
    }
    super::set_importing(tx, sitter_id, Some(now)).await?;
    tx.defer(BEGIN, vec![sitter_id.arg(), now.arg(), name.arg()])
        .await
}

/// The shown name that a business had before it was closed.
pub async fn closed_name(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Option<String>> {
    let name = |row: &dyn DbRow| Column::read(row, "business");
    let found = tx.fetch_optional(SELECT_CLOSED_NAME, [sitter_id.arg()], name);
    Ok(found.await?.flatten())
}

const SELECT_CLOSED_NAME: &str = "SELECT business FROM clearing WHERE sitter_id = $1";

/// Removes the rows by which shared pages, calendars, pet parents, invitations, card payments and plans find a business.
const CLOSE: &[&str] = &[
    "DELETE FROM profile WHERE sitter_id = $1",
    "DELETE FROM client_user_link WHERE sitter_id = $1",
    "DELETE FROM invite WHERE sitter_id = $1",
    "DELETE FROM calendar_address WHERE sitter_id = $1",
    "DELETE FROM stripe_account WHERE sitter_id = $1",
    "DELETE FROM billing_customer WHERE sitter_id = $1",
    // Whoever writes an archive into it stops.
    "UPDATE import SET state = 'failed' WHERE sitter_id = $1",
];
const BEGIN: &str = "INSERT INTO clearing (sitter_id, state, cleared_at_ms, leased_until_ms, keeps, business) \
    VALUES ($1, 'deleting', $2, 0, FALSE, $3) ON CONFLICT (sitter_id) DO UPDATE SET state = excluded.state, \
    keeps = FALSE, business = excluded.business, fault = NULL, leased_until_ms = 0";

/// Returns `true` if the business has rows in this table.
pub async fn has_rows(tx: &mut Tx, sitter_id: Id, table: &str) -> sqlx::Result<bool> {
    let sql = format!("SELECT 1 FROM {table} WHERE sitter_id = $1 LIMIT 1");
    let found = tx.fetch_optional(AssertSqlSafe(sql), [sitter_id.arg()], |_| Ok(()));
    Ok(found.await?.is_some())
}

/// Removes some rows of a business from a table with this key.
pub async fn delete_some_rows(
    tx: &mut Tx,
    sitter_id: Id,
    (table, key): (&str, &str),
    most: u32,
) -> sqlx::Result<()> {
    let sql = format!(
        "DELETE FROM {table} WHERE ({key}) IN (SELECT {key} FROM {table} WHERE sitter_id = $1 LIMIT $2)"
    );
    tx.defer(AssertSqlSafe(sql), vec![sitter_id.arg(), most.arg()])
        .await
}

/// Drops some pieces of a business's videos and archives, whose files are removed later.
pub async fn drop_some_pieces(
    tx: &mut Tx,
    sitter_id: Id,
    table: (&str, &str),
    now: Instant,
    most: u32,
) -> sqlx::Result<()> {
    let some = format!(
        "FROM {} WHERE sitter_id = $1 ORDER BY {} LIMIT $2",
        table.0, table.1
    );
    let sql = format!(
        "INSERT INTO dropped_video_piece (sitter_id, file_id, due_at_ms) SELECT sitter_id, file_id, CAST($3 AS BIGINT) {some}"
    );
    let args = vec![sitter_id.arg(), most.arg(), now.arg()];
    tx.defer(AssertSqlSafe(sql), args).await?;
    let sql = format!(
        "DELETE FROM {} WHERE ({1}) IN (SELECT {1} {some})",
        table.0, table.1
    );
    tx.defer(AssertSqlSafe(sql), vec![sitter_id.arg(), most.arg()])
        .await
}

/// Drops some photos of a business, whose files are removed later; `false` if there were none.
pub async fn drop_some_photos(tx: &mut Tx, sitter_id: Id, most: u32) -> sqlx::Result<bool> {
    let photos = tx.fetch_all(SELECT_PHOTOS, [sitter_id.arg(), most.arg()], |row| {
        Ok((Column::get(row, "id")?, Column::get(row, "file_id")?))
    });
    let photos: Vec<(Id, Id)> = photos.await?;
    for (id, file_id) in &photos {
        let args = vec![sitter_id.arg(), file_id.arg()];
        tx.defer(DROP_PHOTO, args).await?;
        tx.defer(DELETE_PHOTO, vec![sitter_id.arg(), id.arg()])
            .await?;
    }
    Ok(!photos.is_empty())
}

const SELECT_PHOTOS: &str =
    "SELECT id, file_id FROM photo WHERE sitter_id = $1 ORDER BY id LIMIT $2";
const DROP_PHOTO: &str = "INSERT INTO dropped_photo (sitter_id, file_id) VALUES ($1, $2)";
const DELETE_PHOTO: &str = "DELETE FROM photo WHERE sitter_id = $1 AND id = $2";
