//! Calls of photos: forms with one, and photos for those who may see them.

use axum::extract::multipart::{MultipartError, MultipartRejection};
use axum::extract::{Multipart, Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use walkies_core::Id;
use walkies_core::rules::photo::{MAX_PHOTO_BYTES, PhotoError as PhotoRefusal, PickedFile};

use crate::app::session::Member;
use crate::app::state::{App, AppState};
use crate::base::error::AppError;
use crate::base::malformed;
use crate::content::photos::{find, refuse, take_in_photo, unavailable};
use crate::db::{self, Tx};
use crate::http::extract::{Caller, OF_SITTER, QueryParams};
use crate::http::route::{Access, Route, Schemas, get, post};
use crate::limits::bodies::OfCall;
use crate::limits::uploads;
use crate::media::files::{FileName, PhotoSize};
use crate::write::answer::{Answer, success};

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(
            "/upload",
            Access::AnyUser,
            "Takes in a photo, JPEG or PNG; with an id of the caller's own, once",
            upload,
        )
        .query("sitter_id", OF_SITTER)
        .multipart(json!({
            "photo": { "type": "string", "format": "binary", "maxLength": MAX_PHOTO_BYTES },
            "id": { "type": "string", "format": "uuid" },
        }))
        .statuses(&[201])
        .fails(&[403, 409, 415, 507])
        .answer::<Uploaded>()
        .body_limit(PHOTO_BODY_LIMIT),
        get(
            "/photos/{id}",
            Access::AnyUser,
            "A photo of the business that the caller may see",
            show,
        )
        .fails(&[403])
        .query("sitter_id", OF_SITTER)
        .query("size", "full or thumb; full without it")
        .file("image/jpeg"),
    ]
}

/// A photo of the largest size with its form around it.
pub(super) const PHOTO_BODY_LIMIT: usize = MAX_PHOTO_BYTES as usize + 64 * 1024;
/// The longest way to write a UUID.
pub(super) const ID_LENGTH: usize = 45;

/// The id in the address of a photo or a video, or the id itself.
pub(super) fn id_in_url(url: &str) -> Option<Id> {
    let path = url.strip_suffix("/file").unwrap_or(url);
    path.rsplit('/').next()?.parse().ok()
}

/// The schema of the answer to an upload.
pub(super) fn uploaded(schemas: &mut Schemas) -> Value {
    schemas.of::<Uploaded>()
}

/// A photo that was taken in, as a media item (SPEC 3).
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Uploaded {
    id: Id,
    filename: String,
    photo_url: String,
    url: String,
    /// The kind of media item; always `photo`.
    r#type: &'static str,
}

async fn upload(
    State(app): State<AppState>,
    Caller(member): Caller,
    headers: HeaderMap,
    body: OfCall,
    form: Result<Multipart, MultipartRejection>,
) -> Result<Answer, AppError> {
    let kind = PhotoForm {
        field: "photo",
        max_bytes: MAX_PHOTO_BYTES,
        too_large: PhotoRefusal::TooLarge,
        // Its bytes say what it is.
        check: |_| Ok(()),
    };
    take_in(&app, &member, &headers, (body, form), &kind).await
}

/// A form with a photo: in which part that is, and what may be sent.
pub(super) struct PhotoForm {
    pub(super) field: &'static str,
    pub(super) max_bytes: u64,
    pub(super) too_large: PhotoRefusal,
    pub(super) check: fn(&PickedFile) -> Result<(), PhotoRefusal>,
}

/// Takes in the photo of a form.
pub(super) async fn take_in(
    app: &App,
    member: &Member,
    headers: &HeaderMap,
    (body, form): (OfCall, Result<Multipart, MultipartRejection>),
    kind: &PhotoForm,
) -> Result<Answer, AppError> {
    if !app.files.is_configured() {
        return Err(AppError::NoPhotoStorage);
    }
    let key = headers
        .get("idempotency-key")
        .map(|it| it.as_bytes().to_vec());
    let upload = app.uploads.begin(member.payer(), body)?;
    let no_form = |_| AppError::Malformed(malformed::NO_MULTIPART.to_owned());
    let mut form = form.map_err(no_form)?;
    let (mut id, mut bytes) = (None, None);
    while let Some(field) = form.next_field().await.map_err(unreadable)? {
        match field.name() {
            Some(name) if name == kind.field && bytes.is_none() => {
                let content_type = field.content_type().unwrap_or_default().to_owned();
                let most = usize::try_from(kind.max_bytes).unwrap_or(usize::MAX);
                let read = uploads::read(field, most, unreadable).await?;
                let read = read.ok_or_else(|| refuse(kind.too_large.into()))?;
                let size = read.len() as u64;
                let picked = PickedFile { content_type, size };
                (kind.check)(&picked).map_err(|it| refuse(it.into()))?;
                bytes = Some(read);
            }
            Some("id") => {
                let text = uploads::read(field, ID_LENGTH, unreadable).await?;
                id = Some(read_id(text)?);
            }
            _ => {}
        }
    }
    let no_file = || AppError::Malformed(format!("`{}` is missing", kind.field));
    let bytes = bytes.ok_or_else(no_file)?;
    let id = id
        .or_else(|| key.as_deref().map(id_of_key))
        .unwrap_or_else(|| app.env.id());
    let known = take_in_photo(app, member, id, bytes, upload).await?;
    Ok(answer(known.id))
}

/// The id that a form names.
pub(super) fn read_id(bytes: Option<Vec<u8>>) -> Result<Id, AppError> {
    let text = bytes.and_then(|it| String::from_utf8(it).ok());
    text.and_then(|it| it.parse().ok())
        .ok_or_else(|| AppError::Malformed("`id` must be a UUID".to_owned()))
}

/// A key names the photo where the caller has no id of its own, so that a repeat finds it.
pub(super) fn id_of_key(key: &[u8]) -> Id {
    let mut bytes = [0; 16];
    for (byte, digit) in bytes.iter_mut().zip(Sha256::digest(key)) {
        *byte = digit;
    }
    Id(uuid::Builder::from_custom_bytes(bytes).into_uuid())
}

fn answer(id: Id) -> Answer {
    let url = format!("/api/photos/{id}");
    let uploaded = Uploaded {
        id,
        filename: format!("{id}.jpg"),
        photo_url: url.clone(),
        url,
        r#type: "photo",
    };
    Answer {
        status: StatusCode::CREATED,
        body: success(uploaded),
    }
}

pub(super) fn unreadable(error: MultipartError) -> AppError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => refuse(PhotoRefusal::TooLarge.into()),
        StatusCode::INTERNAL_SERVER_ERROR => AppError::BodyBrokeOff,
        _ => AppError::Malformed(malformed::BROKEN_MULTIPART.to_owned()),
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct SizeQuery {
    pub(super) size: Option<String>,
}

async fn show(
    State(app): State<AppState>,
    Caller(member): Caller,
    Path(id): Path<String>,
    QueryParams(SizeQuery { size }): QueryParams<SizeQuery>,
) -> Result<Response, AppError> {
    let id: Id = id.parse().map_err(|_| AppError::NotFound)?;
    let size = read_size(size.as_deref())?;
    let photo = find(&app, &member, id).await?.ok_or(AppError::NotFound)?;
    show_file(&app, member.sitter_id, &photo, size).await
}

/// Parses the size of a photo that is asked for; `full` by default.
pub(super) fn read_size(size: Option<&str>) -> Result<PhotoSize, AppError> {
    match size {
        None | Some("full") => Ok(PhotoSize::Full),
        Some("thumb") => Ok(PhotoSize::Thumb),
        Some(_) => Err(AppError::Malformed(
            "`size` must be `full` or `thumb`".to_owned(),
        )),
    }
}

/// A photo's file on a page that was shared: `gone` where the page has no such photo.
pub(super) async fn show_on_page(
    app: &App,
    mut tx: Tx,
    sitter_id: Id,
    photo: Option<Id>,
    size: PhotoSize,
    gone: AppError,
) -> Result<Response, AppError> {
    let photo = match photo {
        Some(id) => db::find_photo(&mut tx, sitter_id, id).await?,
        None => None,
    };
    tx.commit().await?;
    show_file(app, sitter_id, &photo.ok_or(gone)?, size).await
}

/// A photo's file, for somebody who may see it.
pub(super) async fn show_file(
    app: &App,
    sitter_id: Id,
    photo: &db::PhotoRow,
    size: PhotoSize,
) -> Result<Response, AppError> {
    let name = FileName::photo(sitter_id, photo.file_id, size);
    let bytes = app
        .files
        .get(&name)
        .await
        .map_err(unavailable)?
        .ok_or(AppError::NotFound)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/jpeg")),
        (
            header::CONTENT_DISPOSITION,
            HeaderValue::from_static("inline; filename=\"photo.jpg\""),
        ),
    ];
    Ok((headers, bytes).into_response())
}
