//! Documents that a sitter sent: how many there may be, and what of them is stored.

use walkies_core::rules::document::{DocumentError, check_room, is_pdf};
use walkies_core::values::bounds;
use walkies_core::{Id, Instant};

use crate::app::session::SitterUser;
use crate::app::state::App;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::content::photos::{check_quota, today, unavailable};
use crate::db::{self, DocumentRow, roll_back};
use crate::media::files::FileName;
use crate::media::photo::{self, PhotoError};

/// A file that was stored and not noted is removed after this.
const ANNOUNCED_MS: i64 = 24 * 60 * 60 * 1000;

/// A document as it was sent.
pub(crate) struct SentDocument {
    pub(crate) id: Id,
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The stored form of a document.
struct Kept {
    media_type: &'static str,
    bytes: Vec<u8>,
}

/// Keeps a document that a sitter sent, unless it is here already; `held` goes when the work on it is done.
pub(crate) async fn take_in_document(
    app: &App,
    sitter: &SitterUser,
    sent: SentDocument,
    held: impl Send + 'static,
) -> Result<DocumentRow, AppError> {
    let SentDocument { id, name, bytes } = sent;
    let source_hash = sha256(&bytes);
    if let Some(known) = find(app, sitter.sitter_id, id).await? {
        return check_same(known, &source_hash);
    }
    check_quota(app, &sitter.clone().into()).await?;
    app.disk
        .check_room(&app.db, sitter.sitter_id, bytes.len() as u64)
        .await?;
    let permits = app.photo_permits_for(&bytes);
    // What was sent is held as long as it is worked on, whoever waits for it.
    let work = move || {
        let _held = held;
        keep(bytes)
    };
    let key = vec![sitter.sitter_id.to_string()];
    let kept = permits.run(key, work).await??;
    let document = DocumentRow {
        id,
        file_id: app.env.id(),
        name,
        media_type: kept.media_type.to_owned(),
        source_hash,
        size_bytes: kept.bytes.len() as u64,
        created_at: app.now(),
    };
    store(app, sitter.sitter_id, document, kept.bytes).await
}

/// A repeat gets the document that is here; another one under the same id does not take its place.
fn check_same(known: DocumentRow, source_hash: &str) -> Result<DocumentRow, AppError> {
    if known.source_hash == source_hash {
        Ok(known)
    } else {
        Err(AppError::KeyReused)
    }
}

/// A document of an archive.
pub(crate) struct ImportedDocument {
    pub(crate) id: Id,
    pub(crate) name: String,
    pub(crate) created_at: Instant,
}

/// Keeps a document of an archive as one that was uploaded. One that is here already stays.
pub(crate) async fn import_document(
    app: &App,
    sitter_id: Id,
    ImportedDocument {
        id,
        name,
        created_at,
    }: ImportedDocument,
    bytes: Vec<u8>,
) -> Result<(), AppError> {
    if find(app, sitter_id, id).await?.is_some() {
        return Ok(());
    }
    if bounds::text_error("name", &name).is_some() {
        return Err(refuse(DocumentError::Unsupported));
    }
    let source_hash = sha256(&bytes);
    let key = vec![sitter_id.to_string()];
    let permits = app.photo_permits_for(&bytes);
    let kept = permits.run(key, move || keep(bytes)).await??;
    let document = DocumentRow {
        id,
        file_id: app.env.id(),
        name,
        media_type: kept.media_type.to_owned(),
        source_hash,
        size_bytes: kept.bytes.len() as u64,
        created_at,
    };
    store(app, sitter_id, document, kept.bytes).await.map(drop)
}

/// Returns the stored form of a document, by its bytes: a PDF as it is, a picture without its metadata.
fn keep(bytes: Vec<u8>) -> Result<Kept, AppError> {
    if is_pdf(&bytes) {
        return Ok(Kept {
            media_type: "application/pdf",
            bytes,
        });
    }
    match photo::sanitize(bytes) {
        Ok(picture) => Ok(Kept {
            media_type: "image/jpeg",
            bytes: picture.full,
        }),
        Err(PhotoError::Damaged) => Err(AppError::Malformed(PhotoError::Damaged.to_string())),
        Err(PhotoError::Heic) => Err(AppError::Unsupported(PhotoError::Heic.to_string())),
        Err(PhotoError::Refused(_)) => Err(refuse(DocumentError::Unsupported)),
    }
}

/// Keeps a document. Where another upload of the same id was faster, what it brought stays and is given.
async fn store(
    app: &App,
    sitter_id: Id,
    document: DocumentRow,
    bytes: Vec<u8>,
) -> Result<DocumentRow, AppError> {
    let file = FileName::document(sitter_id, document.file_id);
    let due_at = Instant(document.created_at.0 + ANNOUNCED_MS);
    let mut tx = app.db.write().await?;
    db::announce_document(&mut tx, sitter_id, document.file_id, due_at).await?;
    tx.commit().await?;
    app.files
        .put(&file, bytes.into())
        .await
        .map_err(unavailable)?;
    let noted = note(app, sitter_id, &document).await;
    if let Ok(true) = noted {
        return Ok(document);
    }
    app.files.delete(&file).await.map_err(unavailable)?;
    noted?;
    let known = find(app, sitter_id, document.id).await?;
    check_same(known.ok_or(AppError::NotFound)?, &document.source_hash)
}

/// Writes the row of a document whose file is there; `false` when its id is taken.
async fn note(app: &App, sitter_id: Id, document: &DocumentRow) -> Result<bool, AppError> {
    let mut tx = app.db.write().await?;
    let documents = db::count_documents_for_one_more(&mut tx, sitter_id).await?;
    if let Err(full) = check_room(documents) {
        return roll_back(tx, full.into()).await;
    }
    let is_new = db::insert_document(&mut tx, sitter_id, document).await?;
    db::count_upload(&mut tx, sitter_id, None, today(app)).await?;
    tx.commit().await?;
    Ok(is_new)
}

pub(crate) async fn find(
    app: &App,
    sitter_id: Id,
    id: Id,
) -> Result<Option<DocumentRow>, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    Ok(db::find_document(&mut tx, sitter_id, id).await?)
}

pub(crate) fn refuse(error: DocumentError) -> AppError {
    match error {
        DocumentError::TooLarge => AppError::TooLarge(error.to_string()),
        DocumentError::Unsupported => AppError::Unsupported(error.to_string()),
        DocumentError::Missing => AppError::Malformed(error.to_string()),
    }
}
