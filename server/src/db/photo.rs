//! Owns what is known of uploaded photos; the files themselves are elsewhere.

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

/// All photos of a business, for its deletion.
pub async fn photos_of(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Vec<Photo>> {
    let args = [sitter_id.arg()];
    on_tx!(tx, connection => {
        let rows = bind_all!(sqlx::query(SELECT_PHOTOS), args).fetch_all(connection).await?;
        rows.iter().map(|row| read_photo(row)).collect()
    })
}

const SELECT_PHOTOS: &str = "SELECT id, file_id, source_hash FROM photo WHERE sitter_id = $1";
