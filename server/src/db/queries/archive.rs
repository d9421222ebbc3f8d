//! Owns the statements that archives are made of: all that a business has, page by page.

use sqlx::AssertSqlSafe;
use walkies_core::{Id, Row, TableName};

use super::FeedScope;
use super::photo::{PhotoRow, read_photo};
use super::row::{read_row, select_from, sql_columns, sql_table};
use super::video::{VideoRow, read_video};
use crate::db::engine::{Arg, Column, DbRow, Tx};

/// The most bytes of a page of rows, unless its first row alone is longer: so much is in memory, and written in one
/// transaction.
pub const PAGE_BYTES: usize = 1024 * 1024;

/// The condition on `id` that leaves as much of a page as may be read at once. `page` selects `id` and `size`, in bytes.
pub(super) fn within_page_bytes(page: &str) -> String {
    format!(
        "id <= (SELECT max(id) FROM (SELECT id, sum(size) OVER (ORDER BY id) - size AS ahead FROM ({page}) AS page) AS sized \
         WHERE ahead < {PAGE_BYTES})"
    )
}

/// The rows of a table after this one by their ids, as they are stored: so many of those that are told of, or fewer where they
/// are long.
pub async fn page_of_rows(
    tx: &mut Tx,
    table: TableName,
    sitter_id: Id,
    scope: FeedScope,
    after: Option<Id>,
    most: u32,
) -> sqlx::Result<Vec<Row>> {
    let Some(told) = scope.condition(table) else {
        return Ok(Vec::new());
    };
    let size = sql_columns(table).iter();
    let size = size.map(|it| format!("coalesce(octet_length(CAST({it} AS TEXT)), 0)"));
    let size = size.collect::<Vec<_>>().join(" + ");
    let from = sql_table(table);
    let within = within_page_bytes(&format!(
        "SELECT id, {size} AS size FROM {from} WHERE sitter_id = $1 AND id > $2{told} ORDER BY id LIMIT $3"
    ));
    let condition = format!("AND id > $2{told} AND {within} ORDER BY id");
    let sql = AssertSqlSafe(select_from(table, &condition));
    let read = |row: &dyn DbRow| read_row(table, row).map(|it| it.row);
    let mut args = page_args(sitter_id, after, most).to_vec();
    if let FeedScope::Client(client_id) = scope
        && told.contains("$4")
    {
        args.push(client_id.arg());
    }
    tx.fetch_all(sql, args, read).await
}

/// The photos of a business after this one by their ids.
pub async fn page_of_photos(
    tx: &mut Tx,
    sitter_id: Id,
    after: Option<Id>,
    most: u32,
) -> sqlx::Result<Vec<PhotoRow>> {
    let args = page_args(sitter_id, after, most);
    tx.fetch_all(SELECT_PHOTOS, args, read_photo).await
}

const SELECT_PHOTOS: &str = "SELECT id, file_id, source_hash, size_bytes, client_id FROM photo \
    WHERE sitter_id = $1 AND id > $2 ORDER BY id LIMIT $3";

/// The videos of a business, those among them that are still on their way.
pub async fn videos(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Vec<VideoRow>> {
    tx.fetch_all(SELECT_VIDEOS, [sitter_id.arg()], read_video)
        .await
}

const SELECT_VIDEOS: &str = "SELECT id, size_bytes, received_bytes, media_type FROM video \
    WHERE sitter_id = $1 ORDER BY id";

/// No id comes before the empty text.
pub(super) fn page_args(sitter_id: Id, after: Option<Id>, most: u32) -> [Arg; 3] {
    let after = after.map(|it| it.to_string()).unwrap_or_default();
    [sitter_id.arg(), after.arg(), most.arg()]
}
