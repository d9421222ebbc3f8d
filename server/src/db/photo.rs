//! Owns what is known of uploaded photos and of those whose files are to go; the files themselves are elsewhere.

use walkies_core::{Id, Instant};

use super::Tx;
use super::column::{Column, Source};
use crate::{bind_all, on_tx};

/// An uploaded photo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Photo {
    /// Made by the phone.
    pub id: Id,
    /// Names its files; random, so that an upload that lost a race overwrites nothing.
    pub file_id: Id,
    /// SHA-256 of what was uploaded.
    pub source_hash: String,
}

fn read_photo(source: &dyn Source) -> sqlx::Result<Photo> {
    Ok(Photo {
        id: Column::get(source, "id")?,
        file_id: Column::get(source, "file_id")?,
        source_hash: Column::get(source, "source_hash")?,
    })
}

/// Notes a photo whose files are stored; `false` when the id is taken.
pub async fn insert_photo(
    tx: &mut Tx,
    sitter_id: Id,
    photo: &Photo,
    now: Instant,
) -> sqlx::Result<bool> {
    let args = [
        sitter_id.arg(),
        photo.id.arg(),
        photo.file_id.arg(),
        photo.source_hash.arg(),
        now.arg(),
    ];
    let made = on_tx!(tx, connection => {
        bind_all!(sqlx::query(INSERT_PHOTO), args).execute(connection).await.map(|it| it.rows_affected())
    })?;
    Ok(made == 1)
}

const INSERT_PHOTO: &str = "INSERT INTO photo (sitter_id, id, file_id, source_hash, created_at_ms) \
    VALUES ($1, $2, $3, $4, $5) ON CONFLICT (sitter_id, id) DO NOTHING";

/// A photo of this business.
pub async fn find_photo(tx: &mut Tx, sitter_id: Id, id: Id) -> sqlx::Result<Option<Photo>> {
    let args = [sitter_id.arg(), id.arg()];
    on_tx!(tx, connection => {
        let row = bind_all!(sqlx::query(SELECT_PHOTO), args).fetch_optional(connection).await?;
        row.map(|row| read_photo(&row)).transpose()
    })
}

const SELECT_PHOTO: &str =
    "SELECT id, file_id, source_hash FROM photo WHERE sitter_id = $1 AND id = $2";

/// Whether a photo has arrived.
pub async fn photo_exists(tx: &mut Tx, sitter_id: Id, id: Id) -> sqlx::Result<bool> {
    Ok(find_photo(tx, sitter_id, id).await?.is_some())
}

/// Makes a photo disappear, unless something else of the business still shows it; its files are removed later.
pub async fn drop_photo(tx: &mut Tx, sitter_id: Id, id: Id) -> sqlx::Result<()> {
    let args = vec![sitter_id.arg(), id.arg()];
    tx.later(DROP_FILES, args.clone()).await?;
    tx.later(DELETE_DROPPED, args).await
}

const DROP_FILES: &str = "INSERT INTO dropped_photo (sitter_id, file_id) \
    SELECT sitter_id, file_id FROM photo WHERE sitter_id = $1 AND id = $2 \
    AND NOT EXISTS (SELECT 1 FROM profile WHERE profile.sitter_id = $1 AND profile.photo = $2) \
    AND NOT EXISTS (SELECT 1 FROM pet WHERE pet.sitter_id = $1 AND pet.photo = $2) \
    AND NOT EXISTS (SELECT 1 FROM report WHERE report.sitter_id = $1 AND report.content LIKE '%' || $2 || '%')";
const DELETE_DROPPED: &str = "DELETE FROM photo WHERE sitter_id = $1 AND id = $2 \
    AND EXISTS (SELECT 1 FROM dropped_photo \
    WHERE dropped_photo.sitter_id = photo.sitter_id AND dropped_photo.file_id = photo.file_id)";

/// Notes that the files of all photos of a business are to be removed, which is about to be deleted.
pub async fn drop_photos_of(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<()> {
    let args = [sitter_id.arg()];
    on_tx!(tx, connection => bind_all!(sqlx::query(DROP_ALL_FILES), args).execute(connection).await.map(drop))
}

const DROP_ALL_FILES: &str = "INSERT INTO dropped_photo (sitter_id, file_id) \
    SELECT sitter_id, file_id FROM photo WHERE sitter_id = $1";

/// Some photos whose files are still to be removed, each by its business and what names its files.
pub async fn dropped_photos(tx: &mut Tx) -> sqlx::Result<Vec<(Id, Id)>> {
    on_tx!(tx, connection => {
        let rows = sqlx::query(SELECT_DROPPED).fetch_all(connection).await?;
        rows.iter().map(|row| Ok((Column::get(row, "sitter_id")?, Column::get(row, "file_id")?))).collect()
    })
}

const SELECT_DROPPED: &str = "SELECT sitter_id, file_id FROM dropped_photo LIMIT 500";

/// Notes that a photo's files are removed.
pub async fn forget_dropped_photo(tx: &mut Tx, sitter_id: Id, file_id: Id) -> sqlx::Result<()> {
    tx.later(FORGET_DROPPED, vec![sitter_id.arg(), file_id.arg()])
        .await
}

const FORGET_DROPPED: &str = "DELETE FROM dropped_photo WHERE sitter_id = $1 AND file_id = $2";
