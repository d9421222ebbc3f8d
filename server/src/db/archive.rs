//! Owns the statements that archives are made of: all that a business has, page by page.

use sqlx::AssertSqlSafe;
use walkies_core::{Id, Row, TableName};

use super::Tx;
use super::column::{Arg, Column};
use super::photo::{PhotoRow, read_photo};
use super::row::{read_row, select_from};
use super::video::{VideoRow, read_video};

/// The rows of a table after this one by their ids.
pub async fn page_of_rows(
    tx: &mut Tx,
    table: TableName,
    sitter_id: Id,
    after: Option<Id>,
    most: u32,
) -> sqlx::Result<Vec<Row>> {
    let sql = AssertSqlSafe(select_from(table, "AND id > $2 ORDER BY id LIMIT $3"));
    let read = |row: &dyn super::DbRow| read_row(table, row).map(|it| it.row);
    tx.fetch_all(sql, page_args(sitter_id, after, most), read)
        .await
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
fn page_args(sitter_id: Id, after: Option<Id>, most: u32) -> [Arg; 3] {
    let after = after.map(|it| it.to_string()).unwrap_or_default();
    [sitter_id.arg(), after.arg(), most.arg()]
}
