//! Photos that somebody sent: how many a member may send, and what of them is stored.

use walkies_core::Id;
use walkies_core::rules::photo::{
    MAX_CLIENT_PHOTO_STORAGE_BYTES, MAX_CLIENT_UPLOADS_A_DAY, MAX_PHOTO_STORAGE_BYTES,
    MAX_UPLOADS_A_DAY, PhotoError as PhotoRefusal,
};

use crate::app::session::Member;
use crate::app::state::App;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::{self, roll_back};
use crate::media::files::{FileName, PhotoSize};
use crate::media::photo::{self, PhotoError, SanitizedPhoto};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Keeps a photo that a member sent, unless it is here already; `held` goes when the work on it is done. Another photo under
/// the same id does not take its place.
pub(crate) async fn take_in_photo(
    app: &App,
    member: &Member,
    id: Id,
    bytes: Vec<u8>,
    held: impl Send + 'static,
) -> Result<db::PhotoRow, AppError> {
    let source_hash = sha256(&bytes);
    let known = match find(app, member, id).await? {
        Some(known) => known,
        None => {
            check_quota(app, member).await?;
            app.disk
                .check_room(&app.db, member.sitter_id, bytes.len() as u64)
                .await?;
            // What was sent is held as long as it is worked on, whoever waits for it.
            store_photo(app, member, id, bytes, held).await?
        }
    };
    if known.source_hash == source_hash {
        Ok(known)
    } else {
        Err(AppError::KeyReused)
    }
}

/// Checks that the member may upload one more photo: by the uploads of this day, and by the bytes that are stored.
pub(crate) async fn check_quota(app: &App, member: &Member) -> Result<(), AppError> {
    let client_id = member.link.map(|it| it.client_id);
    let (most, most_bytes) = match client_id {
        None => (MAX_UPLOADS_A_DAY, MAX_PHOTO_STORAGE_BYTES),
        Some(_) => (MAX_CLIENT_UPLOADS_A_DAY, MAX_CLIENT_PHOTO_STORAGE_BYTES),
    };
    let mut tx = app.db.read_autocommit().await?;
    let (uploads, bytes) = db::uploads(&mut tx, member.sitter_id, client_id, today(app)).await?;
    if most <= uploads {
        let rest_ms = DAY_MS - app.now().0.rem_euclid(DAY_MS);
        let retry_after_s = u64::try_from(rest_ms / 1000).unwrap_or_default() + 1;
        return Err(AppError::TooManyPhotos {
            most,
            retry_after_s,
        });
    }
    if most_bytes <= bytes {
        return Err(AppError::PhotoStorageFull { most_bytes });
    }
    Ok(())
}

/// The day for which uploads are counted.
pub(crate) fn today(app: &App) -> i64 {
    app.now().0.div_euclid(DAY_MS)
}

/// Makes what was sent into a photo that may be kept, and keeps it; `held` goes when that work is done. Where another
/// upload of the same id was faster, what it brought stays and is given.
pub(crate) async fn store_photo(
    app: &App,
    member: &Member,
    id: Id,
    bytes: Vec<u8>,
    held: impl Send + 'static,
) -> Result<db::PhotoRow, AppError> {
    let client_id = member.link.map(|it| it.client_id);
    let source_hash = sha256(&bytes);
    let sanitize = move |bytes| {
        let _held = held;
        photo::sanitize(bytes)
    };
    let key = vec![member.payer().to_string()];
    let permits = app.photo_permits_for(&bytes);
    let sanitized = permits.run(key, move || sanitize(bytes));
    let sanitized = sanitized.await?.map_err(refuse)?;
    let photo = store_files(app, member.sitter_id, id, client_id, source_hash, sanitized).await?;
    let sitter_id = member.sitter_id;
    let mut tx = app.db.write().await?;
    let now = member.seen_in(&mut tx).await?;
    // What was sent may have taken long to come.
    if now.is_none_or(|it| it.actor() != member.actor()) {
        return roll_back(tx, AppError::NotLinked).await;
    }
    let is_new = db::insert_photo(&mut tx, sitter_id, &photo, app.now()).await?;
    db::count_upload(&mut tx, sitter_id, client_id, today(app)).await?;
    tx.commit().await?;
    if is_new {
        return Ok(photo);
    }
    delete_files(app, sitter_id, &photo).await?;
    // Of somebody else's under this id no more is said than that another one is needed.
    find(app, member, id).await?.ok_or(AppError::KeyReused)
}

/// A photo of an archive.
pub(crate) struct ImportedPhoto {
    /// By which rows name it.
    pub(crate) id: Id,
    /// The client who sent it.
    pub(crate) client_id: Option<Id>,
}

/// Keeps a photo of an archive as one that was uploaded, whoever has sent it. One that is here already stays.
pub(crate) async fn import_photo(
    app: &App,
    sitter_id: Id,
    ImportedPhoto { id, client_id }: ImportedPhoto,
    bytes: Vec<u8>,
) -> Result<(), AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let known = db::photo_exists(&mut tx, sitter_id, id).await?;
    drop(tx);
    if known {
        return Ok(());
    }
    let source_hash = sha256(&bytes);
    let key = vec![sitter_id.to_string()];
    let permits = app.photo_permits_for(&bytes);
    let sanitized = permits.run(key, move || photo::sanitize_again(bytes));
    let sanitized = sanitized.await?.map_err(refuse)?;
    let photo = store_files(app, sitter_id, id, client_id, source_hash, sanitized).await?;
    let mut tx = app.db.write().await?;
    let is_new = db::insert_photo(&mut tx, sitter_id, &photo, app.now()).await?;
    tx.commit().await?;
    match is_new {
        true => Ok(()),
        false => delete_files(app, sitter_id, &photo).await,
    }
}

/// Stores the two files of a photo, which go within a day where no row of it is written.
async fn store_files(
    app: &App,
    sitter_id: Id,
    id: Id,
    client_id: Option<Id>,
    source_hash: String,
    sanitized: SanitizedPhoto,
) -> Result<db::PhotoRow, AppError> {
    let photo = db::PhotoRow {
        id,
        file_id: app.env.id(),
        source_hash,
        size_bytes: (sanitized.full.len() + sanitized.thumb.len()) as u64,
        client_id,
    };
    let mut tx = app.db.write().await?;
    db::announce_photo(&mut tx, sitter_id, photo.file_id, app.now()).await?;
    tx.commit().await?;
    let name = |size| FileName::photo(sitter_id, photo.file_id, size);
    app.files
        .put(&name(PhotoSize::Full), sanitized.full.into())
        .await
        .map_err(unavailable)?;
    app.files
        .put(&name(PhotoSize::Thumb), sanitized.thumb.into())
        .await
        .map_err(unavailable)?;
    Ok(photo)
}

async fn delete_files(app: &App, sitter_id: Id, photo: &db::PhotoRow) -> Result<(), AppError> {
    for size in [PhotoSize::Full, PhotoSize::Thumb] {
        let name = FileName::photo(sitter_id, photo.file_id, size);
        app.files.delete(&name).await.map_err(unavailable)?;
    }
    Ok(())
}

/// A photo that the member may see.
pub(crate) async fn find(
    app: &App,
    member: &Member,
    id: Id,
) -> Result<Option<db::PhotoRow>, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let sitter_id = member.sitter_id;
    Ok(match member.link {
        None => db::find_photo(&mut tx, sitter_id, id).await?,
        Some(link) => db::find_photo_of_client(&mut tx, sitter_id, link.client_id, id).await?,
    })
}

pub(crate) fn refuse(error: PhotoError) -> AppError {
    match error {
        PhotoError::Refused(PhotoRefusal::TooLarge | PhotoRefusal::MessageImageTooLarge) => {
            AppError::TooLarge(error.to_string())
        }
        PhotoError::Heic
        | PhotoError::Refused(PhotoRefusal::Unsupported | PhotoRefusal::NotAnImage) => {
            AppError::Unsupported(error.to_string())
        }
        PhotoError::Refused(_) | PhotoError::Damaged => AppError::Malformed(error.to_string()),
    }
}

pub(crate) fn unavailable(error: impl Into<anyhow::Error>) -> AppError {
    AppError::Unavailable(error.into().context("the files' storage"))
}
