//! A sitter's documents, as a licence or an insurance: taken in, and given back to their owner alone.

use axum::extract::multipart::{MultipartError, MultipartRejection};
use axum::extract::{Multipart, Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use walkies_core::api::DocumentAnswer;
use walkies_core::rules::document::{DocumentError, MAX_DOCUMENT_BYTES, check_room, is_pdf};
use walkies_core::values::bounds;
use walkies_core::{FieldErrors, Id, Instant};

use super::photos::{self, ID_LENGTH, check_quota, id_of_key, read_id, today, unavailable};
use super::roll_back;
use crate::app::dropped_files;
use crate::app::session::SitterUser;
use crate::app::state::{App, AppState};
use crate::archive::DocumentLine;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::base::malformed;
use crate::base::page::Page;
use crate::db::{self, DocumentRow};
use crate::http::route::{Access, Route, get, post, route};
use crate::limits::bodies::OfCall;
use crate::limits::uploads;
use crate::media::files::FileName;
use crate::media::photo::{self, PhotoError};
use crate::write::answer::{Answer, ok, ok_list, success};

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(
            "/sitters/upload-document",
            Access::Sitter,
            "Stores a PDF, JPEG or PNG for its owner alone; with an id of the caller's own or an `Idempotency-Key`, once",
            upload,
        )
        .multipart(json!({
            "document": { "type": "string", "format": "binary", "maxLength": MAX_DOCUMENT_BYTES },
            "name": { "type": "string" },
            "id": { "type": "string", "format": "uuid" },
        }))
        .statuses(&[201])
        .fails(&[409, 415, 429, 507])
        .answer::<DocumentAnswer>()
        .body_limit(BODY_LIMIT),
        get(
            "/sitters/documents",
            Access::Sitter,
            "The documents of the business, the oldest first",
            list,
        )
        .list_of(|it| it.of::<DocumentAnswer>()),
        get(
            "/sitters/documents/{id}",
            Access::Sitter,
            "A document of the business",
            show,
        )
        .file("*/*"),
        route(
            Method::DELETE,
            "/sitters/documents/{id}",
            Access::Sitter,
            "Deletes a document",
            remove,
        )
        .answer_of(super::auth::empty_data),
    ]
}

/// A document of the largest size with its form around it.
const BODY_LIMIT: usize = MAX_DOCUMENT_BYTES as usize + 64 * 1024;
/// The most bytes of a name that is not too long.
const NAME_LENGTH: usize = bounds::NAME * 4;
/// A file that was stored and not noted is removed after this.
const ANNOUNCED_MS: i64 = 24 * 60 * 60 * 1000;

/// A document as it was sent.
struct Sent {
    id: Id,
    name: String,
    bytes: Vec<u8>,
    source_hash: String,
}

/// The stored form of a document.
struct Kept {
    media_type: &'static str,
    bytes: Vec<u8>,
}

async fn upload(
    State(app): State<AppState>,
    sitter: SitterUser,
    headers: HeaderMap,
    body: OfCall,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Answer, AppError> {
    if !app.files.is_configured() {
        return Err(AppError::NoPhotoStorage);
    }
    let upload = app.uploads.begin(sitter.sitter_id, body)?;
    let no_form = |_| AppError::Malformed(malformed::NO_MULTIPART.to_owned());
    let form = form.map_err(no_form)?;
    let key = headers
        .get("idempotency-key")
        .map(|it| id_of_key(it.as_bytes()));
    let sent = read_form(&app, form, key).await?;
    if let Some(known) = find(&app, sitter.sitter_id, sent.id).await? {
        return upload_answer(&known, &sent.source_hash);
    }
    check_quota(&app, &sitter.clone().into()).await?;
    app.disk
        .check_room(&app.db, sitter.sitter_id, sent.bytes.len() as u64)
        .await?;
    let Sent {
        id,
        name,
        bytes,
        source_hash,
    } = sent;
    // What was sent is held as long as it is worked on, whoever waits for it.
    let work = move || {
        let _held = upload;
        keep(bytes)
    };
    let kept = app
        .photo_permits
        .run(vec![sitter.sitter_id.to_string()], work)
        .await??;
    let document = DocumentRow {
        id,
        file_id: app.env.id(),
        name,
        media_type: kept.media_type.to_owned(),
        source_hash,
        size_bytes: kept.bytes.len() as u64,
        created_at: app.now(),
    };
    store(&app, sitter.sitter_id, document, kept.bytes).await
}

/// `key` is the id of a document that brings none of its own.
async fn read_form(app: &App, mut form: Multipart, key: Option<Id>) -> Result<Sent, AppError> {
    let (mut id, mut name, mut bytes) = (None, None, Vec::new());
    while let Some(field) = form.next_field().await.map_err(unreadable)? {
        match field.name() {
            Some("document") if bytes.is_empty() => {
                name = name.or_else(|| field.file_name().map(str::to_owned));
                let most = MAX_DOCUMENT_BYTES as usize;
                let read = uploads::read(field, most, unreadable).await?;
                bytes = read.ok_or_else(|| refuse(DocumentError::TooLarge))?;
            }
            Some("name") => {
                let text = uploads::read(field, NAME_LENGTH, unreadable).await?;
                let text = text.map(|it| String::from_utf8_lossy(&it).into_owned());
                // What is longer than any name is turned down as one that is too long.
                name = Some(text.unwrap_or_else(|| "x".repeat(NAME_LENGTH)));
            }
            Some("id") => {
                let text = uploads::read(field, ID_LENGTH, unreadable).await?;
                id = Some(read_id(text)?);
            }
            _ => {}
        }
    }
    let name = name.unwrap_or_default();
    if let Some(wrong) = bounds::text_error("name", &name) {
        let mut errors = FieldErrors::default();
        errors.add("name", wrong);
        return Err(errors.into());
    }
    if bytes.is_empty() {
        return Err(refuse(DocumentError::Missing));
    }
    let source_hash = sha256(&bytes);
    Ok(Sent {
        id: id.or(key).unwrap_or_else(|| app.env.id()),
        name: name.trim().to_owned(),
        bytes,
        source_hash,
    })
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

/// Keeps a document of an archive as one that was uploaded. One that is here already stays.
pub(crate) async fn import_document(
    app: &App,
    sitter_id: Id,
    line: &DocumentLine,
    bytes: Vec<u8>,
) -> Result<(), AppError> {
    if find(app, sitter_id, line.id).await?.is_some() {
        return Ok(());
    }
    if bounds::text_error("name", &line.name).is_some() {
        return Err(refuse(DocumentError::Unsupported));
    }
    let source_hash = sha256(&bytes);
    let key = vec![sitter_id.to_string()];
    let kept = app.photo_permits.run(key, move || keep(bytes)).await??;
    let document = DocumentRow {
        id: line.id,
        file_id: app.env.id(),
        name: line.name.clone(),
        media_type: kept.media_type.to_owned(),
        source_hash,
        size_bytes: kept.bytes.len() as u64,
        created_at: line.created_at,
    };
    store(app, sitter_id, document, kept.bytes).await.map(drop)
}

/// Keeps a document. Where another upload of the same id was faster, what it brought stays and is answered.
async fn store(
    app: &App,
    sitter_id: Id,
    document: DocumentRow,
    bytes: Vec<u8>,
) -> Result<Answer, AppError> {
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
        return upload_answer(&document, &document.source_hash);
    }
    app.files.delete(&file).await.map_err(unavailable)?;
    noted?;
    let known = find(app, sitter_id, document.id).await?;
    upload_answer(&known.ok_or(AppError::NotFound)?, &document.source_hash)
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

async fn find(app: &App, sitter_id: Id, id: Id) -> Result<Option<DocumentRow>, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    Ok(db::find_document(&mut tx, sitter_id, id).await?)
}

/// A repeat gets the first answer again; another document under the same id does not take its place.
fn upload_answer(known: &DocumentRow, source_hash: &str) -> Result<Answer, AppError> {
    if known.source_hash != source_hash {
        return Err(AppError::KeyReused);
    }
    Ok(Answer {
        status: StatusCode::CREATED,
        body: success(answer(known)),
    })
}

fn answer(document: &DocumentRow) -> DocumentAnswer {
    DocumentAnswer {
        id: document.id,
        name: document.name.clone(),
        media_type: document.media_type.clone(),
        size_bytes: document.size_bytes,
        created_at: document.created_at,
    }
}

fn unreadable(error: MultipartError) -> AppError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => refuse(DocumentError::TooLarge),
        _ => photos::unreadable(error),
    }
}

fn refuse(error: DocumentError) -> AppError {
    match error {
        DocumentError::TooLarge => AppError::TooLarge(error.to_string()),
        DocumentError::Unsupported => AppError::Unsupported(error.to_string()),
        DocumentError::Missing => AppError::Malformed(error.to_string()),
    }
}

async fn list(
    State(app): State<AppState>,
    sitter: SitterUser,
    page: Page,
) -> Result<Response, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let documents = db::documents(&mut tx, sitter.sitter_id).await?;
    drop(tx);
    let answers: Vec<DocumentAnswer> = documents.iter().map(answer).collect();
    ok_list(answers, page).await
}

async fn show(
    State(app): State<AppState>,
    sitter: SitterUser,
    Path(id): Path<String>,
) -> Result<Response, AppError> {
    let id: Id = id.parse().map_err(|_| AppError::NotFound)?;
    let found = find(&app, sitter.sitter_id, id).await?;
    let document = found.ok_or(AppError::NotFound)?;
    let file = FileName::document(sitter.sitter_id, document.file_id);
    let found = app.files.get(&file).await.map_err(unavailable)?;
    let bytes = found.ok_or(AppError::NotFound)?;
    // Saved and not opened: nothing in it acts in the app's name.
    let (media_type, disposition) = match document.media_type.as_str() {
        "application/pdf" => ("application/pdf", "attachment; filename=\"document.pdf\""),
        _ => ("image/jpeg", "attachment; filename=\"document.jpg\""),
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::from_static(disposition),
        ),
    ];
    Ok((headers, bytes).into_response())
}

async fn remove(
    State(app): State<AppState>,
    sitter: SitterUser,
    Path(id): Path<String>,
) -> Result<Answer, AppError> {
    let id: Id = id.parse().map_err(|_| AppError::NotFound)?;
    let mut tx = app.db.write().await?;
    if !db::drop_document(&mut tx, sitter.sitter_id, id, app.now()).await? {
        return roll_back(tx, AppError::NotFound).await;
    }
    tx.commit().await?;
    dropped_files::remove_dropped_documents_or_log(&app).await;
    Ok(ok(json!({})))
}
