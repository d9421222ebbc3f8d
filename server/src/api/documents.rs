//! Calls of a sitter's documents, as a licence or an insurance, for their owner alone.

use axum::extract::multipart::{MultipartError, MultipartRejection};
use axum::extract::{Multipart, Path, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use walkies_core::api::DocumentAnswer;
use walkies_core::rules::document::{DocumentError, MAX_DOCUMENT_BYTES};
use walkies_core::values::bounds;
use walkies_core::{FieldErrors, Id};

use super::photos::{self, ID_LENGTH, id_of_key, read_id};
use crate::app::dropped_files;
use crate::app::session::SitterUser;
use crate::app::state::{App, AppState};
use crate::base::error::AppError;
use crate::base::malformed;
use crate::base::page::Page;
use crate::content::documents::{SentDocument, find, refuse, take_in_document};
use crate::content::photos::unavailable;
use crate::db::{self, DocumentRow, roll_back};
use crate::http::route::{Access, Route, get, post, route};
use crate::limits::bodies::OfCall;
use crate::limits::uploads;
use crate::media::files::FileName;
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
    let document = take_in_document(&app, &sitter, sent, upload).await?;
    Ok(Answer {
        status: StatusCode::CREATED,
        body: success(answer(&document)),
    })
}

/// `key` is the id of a document that brings none of its own.
async fn read_form(
    app: &App,
    mut form: Multipart,
    key: Option<Id>,
) -> Result<SentDocument, AppError> {
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
    Ok(SentDocument {
        id: id.or(key).unwrap_or_else(|| app.env.id()),
        name: name.trim().to_owned(),
        bytes,
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
