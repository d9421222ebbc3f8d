//! One's own data: everything as one archive, such an archive into an empty business, and a business cleared of its work.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::TryAcquireError;
use walkies_core::archive::{ArchiveFault, CLEAR_WORD};
use walkies_core::rules::video::{VIDEO_PIECE_BYTES, piece_bytes};
use walkies_core::{Id, Instant};

use super::auth::{empty_data, prove};
use super::photos::unavailable;
use super::{JsonBody, QueryParams, roll_back};
use crate::answer::{Answer, ok, success};
use crate::archive::{self, MAX_ARCHIVE_BYTES, UNDO_MS};
use crate::db::{self, ClearingRow, ImportRow};
use crate::error::AppError;
use crate::files::FileName;
use crate::listen::LongAnswer;
use crate::route::{Access, Route, get, post, route};
use crate::session::{AnyUser, SitterUser};
use crate::state::{App, AppState};
use crate::{jobs, throttle};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/export",
            Access::Sitter,
            "Everything of the business at one revision, as a ZIP: rows as JSON, tables as CSV, photos, videos, documents, \
             invoices and shared walks",
            export,
        )
        .file("application/zip"),
        post(
            "/import",
            Access::Sitter,
            "Announces an archive that is to come into this empty business, or says how much of it is here",
            begin,
        )
        .body::<NewImport>()
        .statuses(&[200, 201])
        .fails(&[409])
        .answer::<ImportState>(),
        get("/import", Access::Sitter, "How far the import is", state)
            .fails(&[404])
            .answer::<ImportState>(),
        route(
            Method::PATCH,
            "/import",
            Access::Sitter,
            "Takes in the piece of the archive that begins at the offset; a repeat changes nothing. With the last one all of \
             it is looked through",
            take_in,
        )
        .required_query("offset", "Where the piece begins: as much as is here")
        .bytes(VIDEO_PIECE_BYTES)
        .fails(&[404, 409])
        .answer::<ImportState>(),
        post(
            "/import/start",
            Access::Sitter,
            "Writes the archive that was looked through into this empty business",
            start,
        )
        .fails(&[404, 409])
        .answer::<ImportState>(),
        route(
            Method::DELETE,
            "/import",
            Access::Sitter,
            "Forgets the archive, unless it is being looked through or written",
            forget,
        )
        .fails(&[404, 409])
        .answer_of(empty_data),
        post(
            "/clear",
            Access::Sitter,
            "Clears the business of all its work: clients, pets, services, availability, messages, invoices and reports. It can \
             be undone for 30 days",
            clear,
        )
        .body::<Clear>()
        .fails(&[409])
        .answer::<ClearState>(),
        get(
            "/clear",
            Access::Sitter,
            "Whether the business was cleared, and until when that can be undone; null where there is nothing to undo",
            clear_state,
        )
        .answer_of(|it| json!({ "oneOf": [{ "type": "null" }, it.of::<ClearState>()] })),
        post("/clear/undo", Access::Sitter, "Brings back what the business was cleared of", undo_clear)
            .fails(&[404, 409])
            .answer::<ClearState>(),
    ]
}

/// About how many bytes come, for whoever shows how far it is.
const ABOUT_BYTES: HeaderName = HeaderName::from_static("x-about-bytes");

async fn export(State(app): State<AppState>, sitter: SitterUser) -> Result<Response, AppError> {
    throttle::export(&app, sitter.sitter_id)?;
    let own = app.exports.acquire(sitter.sitter_id).await?;
    let permit = app.export_permits.clone().try_acquire_owned();
    let permit = permit.map_err(|it: TryAcquireError| AppError::Unavailable(it.into()))?;
    let snapshot = archive::snapshot(&app, sitter.sitter_id).await?;
    tracing::info!(user_id = %sitter.user_id, sitter_id = %sitter.sitter_id, revision = snapshot.revision, "exported a business");
    let day = snapshot.made_at.civil(&snapshot.zone).0;
    let name = format!("attachment; filename=\"walkies-{day}.zip\"");
    let about_bytes = snapshot.about_bytes;
    let chunks = archive::stream(app.clone(), snapshot, (own, permit));
    let chunks = stream::unfold(chunks, |mut it| async move {
        let chunk = it.recv().await?;
        Some((chunk, it))
    });
    let mut response = Body::from_stream(chunks).into_response();
    response.extensions_mut().insert(LongAnswer);
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/zip"),
    );
    headers.insert(ABOUT_BYTES, HeaderValue::from(about_bytes));
    let name = HeaderValue::from_str(&name).map_err(|it| AppError::Internal(it.into()))?;
    headers.insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}

/// An archive before any of it comes.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct NewImport {
    /// All of it.
    #[schema(minimum = 1)]
    archive_bytes: u64,
    /// The caller's own.
    #[serde(default)]
    password: String,
}

/// How far an archive has come.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct ImportState {
    id: Id,
    /// `receiving`, `checking`, `ready`, `writing`, `undoing`, `done` or `failed`.
    state: String,
    /// All of it.
    archive_bytes: u64,
    /// As much as is here: where the next piece begins.
    offset: u64,
    /// What each piece has, but for the last.
    piece_bytes: u64,
    /// How many rows of each table and how many files it has, by name, once it was looked through.
    #[schema(value_type = Vec<Vec<Value>>)]
    counts: Value,
    /// Files that it names and that are not in it, or of no kind that is taken.
    #[schema(value_type = Vec<String>)]
    left_out: Value,
    /// How many rows and files there are.
    total: u64,
    /// How many of them are written.
    done: u64,
    /// Why it failed, in words.
    fault: Option<String>,
}

impl From<&ImportRow> for ImportState {
    fn from(import: &ImportRow) -> Self {
        let list = |it: &str| serde_json::from_str(it).unwrap_or_else(|_| json!([]));
        Self {
            id: import.id,
            state: import.state.clone(),
            archive_bytes: import.size_bytes,
            offset: import.received_bytes,
            piece_bytes: VIDEO_PIECE_BYTES,
            counts: list(&import.counts),
            left_out: list(&import.left_out),
            total: import.total,
            done: import.done,
            fault: import.fault.clone(),
        }
    }
}

async fn find_import(app: &App, sitter_id: Id) -> Result<ImportRow, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let found = db::find_import(&mut tx, sitter_id).await?;
    found.ok_or(AppError::NotFound)
}

fn is_busy(import: &ImportRow) -> bool {
    matches!(import.state.as_str(), "checking" | "writing" | "undoing")
}

async fn begin(
    State(app): State<AppState>,
    user: AnyUser,
    JsonBody(new): JsonBody<NewImport>,
) -> Result<Answer, AppError> {
    let sitter_id = user.sitter()?.sitter_id;
    if !app.files.is_configured() {
        return Err(AppError::NoPhotoStorage);
    }
    prove(&app, &user, "password", new.password).await?;
    throttle::import(&app, sitter_id)?;
    if MAX_ARCHIVE_BYTES < new.archive_bytes {
        let fault = ArchiveFault::TooLarge("it has too many bytes");
        return Err(AppError::TooLarge(fault.to_string()));
    }
    if new.archive_bytes == 0 {
        return Err(AppError::Malformed(ArchiveFault::NoArchive.to_string()));
    }
    let mut tx = app.db.write().await?;
    // Takes the business's row: of two that begin at once, one does.
    db::video_usage_for_one_more(&mut tx, sitter_id).await?;
    let known = db::find_import(&mut tx, sitter_id).await?;
    if let Some(known) = &known {
        if is_busy(known) {
            return roll_back(tx, AppError::ImportElsewhere).await;
        }
        let is_same = known.state == "receiving" && known.size_bytes == new.archive_bytes;
        if is_same {
            tx.commit().await?;
            return Ok(ok(ImportState::from(known)));
        }
    }
    if !archive::is_empty(&mut tx, sitter_id).await? {
        return roll_back(tx, AppError::BusinessNotEmpty).await;
    }
    if let Err(error) = throttle::begin_import(&app, sitter_id) {
        return roll_back(tx, error).await;
    }
    db::drop_import(&mut tx, sitter_id, app.now()).await?;
    db::insert_import(
        &mut tx,
        sitter_id,
        app.env.id(),
        new.archive_bytes,
        app.now(),
    )
    .await?;
    tx.commit().await?;
    tracing::info!(user_id = %user.account.id, %sitter_id, "began an import");
    Ok(Answer {
        status: StatusCode::CREATED,
        body: success(ImportState::from(&find_import(&app, sitter_id).await?)),
    })
}

async fn state(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let import = find_import(&app, sitter.sitter_id).await?;
    Ok(ok(ImportState::from(&import)))
}

#[derive(Debug, Deserialize)]
struct PieceQuery {
    offset: u64,
}

async fn take_in(
    State(app): State<AppState>,
    sitter: SitterUser,
    QueryParams(PieceQuery { offset }): QueryParams<PieceQuery>,
    request: Request,
) -> Result<Answer, AppError> {
    let sitter_id = sitter.sitter_id;
    let known = find_import(&app, sitter_id).await?;
    if offset < known.received_bytes {
        // Its answer was lost on the way.
        return Ok(ok(ImportState::from(&known)));
    }
    if known.received_bytes < offset || known.state != "receiving" {
        return Err(AppError::WrongOffset {
            offset: known.received_bytes,
        });
    }
    throttle::import(&app, sitter_id)?;
    let wanted = piece_bytes(known.size_bytes, offset);
    let most = usize::try_from(wanted).unwrap_or(usize::MAX);
    let mut upload = app.uploads.begin(sitter_id)?;
    let body = request.into_body().into_data_stream();
    let read = upload.read(body, most, |_| AppError::BodyBrokeOff).await?;
    let wrong_size = || AppError::Malformed(format!("The piece at this offset has {wanted} bytes"));
    let bytes = read.filter(|it| it.len() == most).ok_or_else(wrong_size)?;
    let file_id = app.env.id();
    let mut tx = app.db.write().await?;
    db::announce_video_piece(&mut tx, sitter_id, file_id, app.now()).await?;
    tx.commit().await?;
    let name = FileName::video_piece(sitter_id, file_id);
    app.files
        .put(&name, bytes.into())
        .await
        .map_err(unavailable)?;
    let mut tx = app.db.write().await?;
    let piece = (offset / VIDEO_PIECE_BYTES, file_id);
    // Where another call was faster, what that one brought stays.
    if db::receive_import(&mut tx, &known, offset + wanted, piece, app.now()).await? {
        tx.commit().await?;
    } else {
        tx.rollback().await?;
    }
    app.import_queued.notify_one();
    let import = find_import(&app, sitter_id).await?;
    Ok(ok(ImportState::from(&import)))
}

async fn start(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let sitter_id = sitter.sitter_id;
    let mut tx = app.db.write().await?;
    db::video_usage_for_one_more(&mut tx, sitter_id).await?;
    let Some(import) = db::find_import(&mut tx, sitter_id).await? else {
        return roll_back(tx, AppError::NotFound).await;
    };
    if import.state != "ready" {
        return roll_back(tx, AppError::ImportElsewhere).await;
    }
    if !archive::is_empty(&mut tx, sitter_id).await? {
        return roll_back(tx, AppError::BusinessNotEmpty).await;
    }
    db::set_import_state(&mut tx, &import, "writing", app.now()).await?;
    db::set_importing(&mut tx, sitter_id, Some(app.now())).await?;
    tx.commit().await?;
    tracing::info!(user_id = %sitter.user_id, %sitter_id, total = import.total, "started an import");
    app.import_queued.notify_one();
    let import = find_import(&app, sitter_id).await?;
    Ok(ok(ImportState::from(&import)))
}

async fn forget(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let mut tx = app.db.write().await?;
    db::video_usage_for_one_more(&mut tx, sitter.sitter_id).await?;
    match db::find_import(&mut tx, sitter.sitter_id).await? {
        None => return roll_back(tx, AppError::NotFound).await,
        Some(import) if is_busy(&import) => {
            return roll_back(tx, AppError::ImportElsewhere).await;
        }
        Some(_) => db::drop_import(&mut tx, sitter.sitter_id, app.now()).await?,
    }
    tx.commit().await?;
    jobs::remove_dropped_videos_or_log(&app).await;
    Ok(ok(json!({})))
}

/// What proves that somebody means it.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct Clear {
    /// The caller's own.
    #[serde(default)]
    password: String,
    /// `CLEAR`.
    #[serde(default)]
    word: String,
}

/// A business that was cleared.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct ClearState {
    /// `clearing`, `cleared` or `restoring`.
    state: String,
    /// When somebody asked for it.
    cleared_at: Instant,
    /// Until when it can be undone.
    undo_until: Instant,
}

impl From<ClearingRow> for ClearState {
    fn from(clearing: ClearingRow) -> Self {
        Self {
            state: clearing.state,
            cleared_at: clearing.cleared_at,
            undo_until: Instant(clearing.cleared_at.0 + UNDO_MS),
        }
    }
}

async fn find_clearing(app: &App, sitter_id: Id) -> Result<ClearState, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let found = db::find_clearing(&mut tx, sitter_id).await?;
    Ok(found.ok_or(AppError::NotFound)?.into())
}

async fn clear(
    State(app): State<AppState>,
    user: AnyUser,
    JsonBody(form): JsonBody<Clear>,
) -> Result<Answer, AppError> {
    let sitter_id = user.sitter()?.sitter_id;
    if form.word != CLEAR_WORD {
        return Err(AppError::of_field("word", &format!("Type {CLEAR_WORD}")));
    }
    prove(&app, &user, "password", form.password).await?;
    let mut tx = app.db.write().await?;
    db::video_usage_for_one_more(&mut tx, sitter_id).await?;
    // An import, or a clearing, is under way.
    if db::is_importing(&mut tx, sitter_id).await? {
        return roll_back(tx, AppError::ImportElsewhere).await;
    }
    let last = db::last_invoice_number(&mut tx, sitter_id).await?;
    db::begin_clearing(&mut tx, sitter_id, last, app.now()).await?;
    db::set_importing(&mut tx, sitter_id, Some(app.now())).await?;
    tx.commit().await?;
    tracing::info!(user_id = %user.account.id, %sitter_id, "clears the business");
    app.import_queued.notify_one();
    Ok(ok(find_clearing(&app, sitter_id).await?))
}

async fn clear_state(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let found = db::find_clearing(&mut tx, sitter.sitter_id).await?;
    Ok(ok(found.map(ClearState::from)))
}

async fn undo_clear(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let sitter_id = sitter.sitter_id;
    let mut tx = app.db.write().await?;
    db::video_usage_for_one_more(&mut tx, sitter_id).await?;
    let Some(clearing) = db::find_clearing(&mut tx, sitter_id).await? else {
        return roll_back(tx, AppError::NotFound).await;
    };
    let is_busy = clearing.state != "cleared" || db::is_importing(&mut tx, sitter_id).await?;
    if is_busy {
        return roll_back(tx, AppError::ImportElsewhere).await;
    }
    if !archive::has_room_to_restore(&mut tx, sitter_id).await? {
        return roll_back(tx, AppError::NoRoomToRestore).await;
    }
    db::set_clearing_state(&mut tx, sitter_id, "restoring").await?;
    db::set_importing(&mut tx, sitter_id, Some(app.now())).await?;
    tx.commit().await?;
    tracing::info!(user_id = %sitter.user_id, %sitter_id, "restores the business");
    app.import_queued.notify_one();
    Ok(ok(find_clearing(&app, sitter_id).await?))
}
