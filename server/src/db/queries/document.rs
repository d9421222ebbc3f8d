//! Owns what is known of a sitter's documents and of those whose files are to go; the files themselves are elsewhere.

use walkies_core::{Id, Instant};

use super::photo::dropped_files;
use crate::db::engine::{Column, DbRow, Tx};

/// A stored document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentRow {
    /// Made by the caller, or by the server.
    pub id: Id,
    /// The id that names its file.
    pub file_id: Id,
    /// The name of the uploaded file.
    pub name: String,
    /// Its media type, such as `application/pdf`.
    pub media_type: String,
    /// SHA-256 of what was uploaded.
    pub source_hash: String,
    /// The length of its file in bytes.
    pub size_bytes: u64,
    /// When it was stored.
    pub created_at: Instant,
}

fn read_document(row: &dyn DbRow) -> sqlx::Result<DocumentRow> {
    Ok(DocumentRow {
        id: Column::get(row, "id")?,
        file_id: Column::get(row, "file_id")?,
        name: Column::get(row, "name")?,
        media_type: Column::get(row, "media_type")?,
        source_hash: Column::get(row, "source_hash")?,
        size_bytes: Column::get(row, "size_bytes")?,
        created_at: Column::get(row, "created_at_ms")?,
    })
}

/// Notes that a file is about to be stored: if nothing comes of it, it is removed when it is due.
pub async fn announce_document(
    tx: &mut Tx,
    sitter_id: Id,
    file_id: Id,
    due_at: Instant,
) -> sqlx::Result<()> {
    let args = vec![sitter_id.arg(), file_id.arg(), due_at.arg()];
    tx.defer(ANNOUNCE_DOCUMENT, args).await
}

const ANNOUNCE_DOCUMENT: &str =
    "INSERT INTO dropped_document (sitter_id, file_id, due_at_ms) VALUES ($1, $2, $3)";

/// How many documents a business has. Takes the business's row, so that nobody stores another one meanwhile.
pub async fn count_documents_for_one_more(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<usize> {
    tx.defer(LOCK_SITTER, vec![sitter_id.arg()]).await?;
    count_documents(tx, sitter_id).await
}

const LOCK_SITTER: &str = "UPDATE sitter SET rev = rev WHERE id = $1";

/// How many documents a business has.
pub async fn count_documents(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<usize> {
    let count = |row: &dyn DbRow| -> sqlx::Result<u64> { Column::get(row, "n") };
    let n = tx
        .fetch_one(COUNT_DOCUMENTS, vec![sitter_id.arg()], count)
        .await?;
    Ok(usize::try_from(n).unwrap_or(usize::MAX))
}

const COUNT_DOCUMENTS: &str = "SELECT count(*) AS n FROM document WHERE sitter_id = $1";

/// Notes a document whose file is stored; `false` when the id is taken.
pub async fn insert_document(
    tx: &mut Tx,
    sitter_id: Id,
    document: &DocumentRow,
) -> sqlx::Result<bool> {
    let args = [
        sitter_id.arg(),
        document.id.arg(),
        document.file_id.arg(),
        document.name.arg(),
        document.media_type.arg(),
        document.source_hash.arg(),
        document.size_bytes.arg(),
        document.created_at.arg(),
    ];
    let made = tx.execute(INSERT_DOCUMENT, args).await?;
    if made == 1 {
        forget_dropped_document(tx, sitter_id, document.file_id).await?;
    }
    Ok(made == 1)
}

const INSERT_DOCUMENT: &str = "INSERT INTO document \
    (sitter_id, id, file_id, name, media_type, source_hash, size_bytes, created_at_ms) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (sitter_id, id) DO NOTHING";

/// The documents of a business, the oldest first.
pub async fn documents(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Vec<DocumentRow>> {
    tx.fetch_all(SELECT_DOCUMENTS, [sitter_id.arg()], read_document)
        .await
}

const SELECT_DOCUMENTS: &str = "SELECT id, file_id, name, media_type, source_hash, size_bytes, created_at_ms \
    FROM document WHERE sitter_id = $1 ORDER BY created_at_ms, id";

/// A document of this business.
pub async fn find_document(
    tx: &mut Tx,
    sitter_id: Id,
    id: Id,
) -> sqlx::Result<Option<DocumentRow>> {
    let args = [sitter_id.arg(), id.arg()];
    tx.fetch_optional(SELECT_DOCUMENT, args, read_document)
        .await
}

const SELECT_DOCUMENT: &str = "SELECT id, file_id, name, media_type, source_hash, size_bytes, created_at_ms \
    FROM document WHERE sitter_id = $1 AND id = $2";

/// Makes a document disappear; its file is removed later. `false` when there is none.
pub async fn drop_document(tx: &mut Tx, sitter_id: Id, id: Id, now: Instant) -> sqlx::Result<bool> {
    let args = [sitter_id.arg(), id.arg(), now.arg()];
    tx.defer(DROP_FILE, args.to_vec()).await?;
    let args = [sitter_id.arg(), id.arg()];
    Ok(tx.execute(DELETE_DOCUMENT, args).await? == 1)
}

const DROP_FILE: &str = "INSERT INTO dropped_document (sitter_id, file_id, due_at_ms) \
    SELECT sitter_id, file_id, $3 FROM document WHERE sitter_id = $1 AND id = $2";
const DELETE_DOCUMENT: &str = "DELETE FROM document WHERE sitter_id = $1 AND id = $2";

/// Notes that the files of all documents of a business are to be removed, which is about to be deleted.
pub async fn drop_documents_of(tx: &mut Tx, sitter_id: Id, now: Instant) -> sqlx::Result<()> {
    tx.defer(DROP_ALL_FILES, vec![sitter_id.arg(), now.arg()])
        .await
}

const DROP_ALL_FILES: &str = "INSERT INTO dropped_document (sitter_id, file_id, due_at_ms) \
    SELECT sitter_id, file_id, $2 FROM document WHERE sitter_id = $1";

/// Some documents whose files are to be removed by now, each by its business and what names its file.
pub async fn dropped_documents(tx: &mut Tx, now: Instant) -> sqlx::Result<Vec<(Id, Id)>> {
    dropped_files(tx, SELECT_DROPPED, now).await
}

const SELECT_DROPPED: &str =
    "SELECT sitter_id, file_id FROM dropped_document WHERE due_at_ms <= $1 LIMIT 100";

/// Notes that a document's file is removed.
pub async fn forget_dropped_document(tx: &mut Tx, sitter_id: Id, file_id: Id) -> sqlx::Result<()> {
    tx.defer(FORGET_DROPPED, vec![sitter_id.arg(), file_id.arg()])
        .await
}

const FORGET_DROPPED: &str = "DELETE FROM dropped_document WHERE sitter_id = $1 AND file_id = $2";
