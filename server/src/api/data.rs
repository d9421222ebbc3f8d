//! One's own data: everything as one archive, a sitter's or a pet parent's, a sitter's into an empty business, and a business
//! cleared of its work.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{OwnedSemaphorePermit, TryAcquireError};
use utoipa::ToSchema;
use walkies_core::archive::ArchiveFault;
use walkies_core::rules::account::CLEAR_WORD;
use walkies_core::rules::video::{VIDEO_PIECE_BYTES, piece_bytes};
use walkies_core::{Id, Instant};

use super::auth::empty_data;
use super::business_of_page;
use super::videos::{PieceQuery, read_piece};
use crate::accounts::passwords::prove;
use crate::app::session::{AnyUser, SitterUser};
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::archive::{
    self, Contents, OwnAccount, UNDO_MS, begin_clearing, begin_import, find_clearing, find_import,
    forget_import, receive_piece, start_import, undo_clearing,
};
use crate::base::error::AppError;
use crate::db::{self, ImportRow};
use crate::http::extract::{JsonBody, QueryParams};
use crate::http::route::{Access, Route, Schemas, get, post, route};
use crate::limits::concurrency::ConcurrencyPermit;
use crate::limits::listen::LongAnswer;
use crate::write::answer::{Answer, ok, success};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/export",
            Access::Sitter,
            "Everything of the business at one revision, as a ZIP: rows as JSON, tables as CSV, photos, videos, documents, \
             invoices and shared walks",
            export,
        )
        .fails(&[409])
        .file("application/zip"),
        get(
            "/client/export",
            Access::Client,
            "The caller's account as a ZIP: of each sitter, in a folder of its own, what the caller sees of the own record, pets, \
             services, requests, messages, invoices and shared walks, as JSON, CSV and pages, with photos and videos",
            export_account,
        )
        .fails(&[409])
        .file("application/zip"),
        post(
            "/import",
            Access::Sitter,
            "Announces an archive that is to come into this empty business, or says how much of it is here",
            begin,
        )
        .body::<NewImport>()
        .statuses(&[200, 201])
        .fails(&[409, 507])
        .answer::<ImportState>(),
        get(
            "/import",
            Access::Sitter,
            "How far the import is; null where there is none",
            state,
        )
        .answer_of(or_null::<ImportState>),
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
        .fails(&[404, 409, 507])
        .answer::<ImportState>(),
        post(
            "/import/start",
            Access::Sitter,
            "Writes the archive that was looked through into this empty business",
            start,
        )
        .once()
        .fails(&[404, 409, 507])
        .answer::<ImportState>(),
        route(
            Method::DELETE,
            "/import",
            Access::Sitter,
            "Forgets the archive; what is being written of it is taken back. Not while it is being looked through",
            forget,
        )
        .fails(&[404, 409])
        .answer_of(empty_data),
        post(
            "/clear",
            Access::Sitter,
            "Clears the business of all its work: clients, pets, services, availability, messages, invoices and reports. It can \
             be undone for 30 days; what is cleared meanwhile for a second time cannot, and what was cleared first stays kept",
            clear,
        )
        .body::<Clear>()
        .once()
        .fails(&[409])
        .answer::<ClearState>(),
        get(
            "/clear",
            Access::Sitter,
            "Whether the business was cleared, and until when that can be undone; null where there is nothing to undo",
            clear_state,
        )
        .answer_of(or_null::<ClearState>),
        post(
            "/clear/undo",
            Access::Sitter,
            "Brings back what the business was cleared of, as long as there is no new work in it",
            undo_clear,
        )
        .once()
        .fails(&[404, 409])
        .answer::<ClearState>(),
    ]
}

fn or_null<T: ToSchema>(schemas: &mut Schemas) -> Value {
    json!({ "oneOf": [{ "type": "null" }, schemas.of::<T>()] })
}

/// About how many bytes come, for whoever shows how far it is.
const ABOUT_BYTES: HeaderName = HeaderName::from_static("x-about-bytes");

async fn export(State(app): State<AppState>, sitter: SitterUser) -> Result<Response, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    if db::is_rewritten(&mut tx, sitter.sitter_id).await? {
        return Err(AppError::ImportElsewhere);
    }
    drop(tx);
    let held = turn(&app, sitter.sitter_id).await?;
    let mut tx = app.db.read_autocommit().await?;
    let business = business_of_page(&mut tx, sitter.sitter_id).await?;
    let (_, zone) = business.ok_or(AppError::NotFound)?;
    let (_, photo_bytes) = db::uploads(&mut tx, sitter.sitter_id, None, 0).await?;
    let about_bytes = photo_bytes + db::video_bytes(&mut tx, sitter.sitter_id).await?;
    drop(tx);
    tracing::info!(user_id = %sitter.user_id, sitter_id = %sitter.sitter_id, "exports a business");
    let day = app.now().civil(&zone).0;
    let reading = app.clone();
    let contents = async move {
        let snapshot = archive::snapshot(&reading, sitter.sitter_id).await;
        snapshot.map(Contents::from)
    };
    let name = format!("walkies-{day}.zip");
    let mut response = archive_of(app, contents, held, &name)?;
    let about_bytes = HeaderValue::from(about_bytes);
    response.headers_mut().insert(ABOUT_BYTES, about_bytes);
    Ok(response)
}

async fn export_account(
    State(app): State<AppState>,
    AnyUser { account, .. }: AnyUser,
) -> Result<Response, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    for link in db::client_links(&mut tx, account.id, None).await? {
        if db::is_rewritten(&mut tx, link.sitter_id).await? {
            return Err(AppError::ImportElsewhere);
        }
    }
    drop(tx);
    let held = turn(&app, account.id).await?;
    tracing::info!(user_id = %account.id, "exports an account");
    let own = OwnAccount {
        id: account.id,
        email: account.email,
        name: account.name,
        created_at: account.created_at,
    };
    let reading = app.clone();
    let contents = async move {
        let shared = archive::shared_with(&reading, own.id).await;
        shared.map(|it| Contents::Account(own, it))
    };
    archive_of(app, contents, held, "walkies-account.zip")
}

/// Lets somebody make an archive, one at a time and some a day; what comes of it is held until it is made.
async fn turn(app: &App, whose: Id) -> Result<(ConcurrencyPermit, OwnedSemaphorePermit), AppError> {
    throttle::export(app, whose)?;
    let own = app.exports.acquire(whose).await?;
    let permit = app.export_permits.clone().try_acquire_owned();
    let permit = permit.map_err(|it: TryAcquireError| AppError::Unavailable(it.into()))?;
    Ok((own, permit))
}

/// An archive under a name, as it is made. However long the `contents` take: the call is answered by then.
fn archive_of(
    app: AppState,
    contents: impl Future<Output = Result<Contents, AppError>> + Send + 'static,
    held: impl Send + 'static,
    name: &str,
) -> Result<Response, AppError> {
    let permits = app.clone();
    let contents = async move {
        let _permit = permits.snapshot_permits.acquire().await;
        contents.await
    };
    let chunks = archive::stream(app, contents, held);
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
    let name = format!("attachment; filename=\"{name}\"");
    let name = HeaderValue::from_str(&name).map_err(|it| AppError::Internal(it.into()))?;
    headers.insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}

/// An archive before any of it comes.
#[derive(Debug, Deserialize, ToSchema)]
struct NewImport {
    /// All of it.
    #[schema(minimum = 1)]
    archive_bytes: u64,
    /// SHA-256 of its last 64 KiB, or of all of it where it has fewer: by it a part that is here is known to be of this one.
    #[serde(default)]
    #[schema(max_length = 64, pattern = "^[0-9a-f]{64}$")]
    end_sha256: Option<String>,
    /// The caller's own.
    #[serde(default)]
    password: String,
}

/// How far an archive has come.
#[derive(Debug, Serialize, ToSchema)]
struct ImportState {
    id: Id,
    /// `receiving`, `checking`, `ready`, `writing`, `undoing`, `done` or `failed`.
    state: String,
    /// The length of the whole archive in bytes.
    archive_bytes: u64,
    /// The number of bytes that have arrived, at which the next piece begins.
    offset: u64,
    /// Size of each piece in bytes, except the last.
    piece_bytes: u64,
    /// The number of rows of each table and of files, by name, once the archive was checked.
    #[schema(value_type = Vec<Vec<Value>>)]
    counts: Value,
    /// The first files that it names and that are not in it, or of no kind that is taken: 100 at most.
    #[schema(value_type = Vec<String>)]
    left_out: Value,
    /// How many there are.
    left_out_count: u64,
    /// How many rows and files there are.
    total: u64,
    /// How many of them are written.
    done: u64,
    /// The reason why it failed, as text for the person.
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
            left_out_count: import.left_out_count,
            total: import.total,
            done: import.done,
            fault: import.fault.clone(),
        }
    }
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
    let begun = begin_import(&app, &user, sitter_id, new.archive_bytes, new.end_sha256).await?;
    let status = match begun.is_new {
        true => StatusCode::CREATED,
        false => StatusCode::OK,
    };
    Ok(Answer {
        status,
        body: success(ImportState::from(&begun.import)),
    })
}

async fn state(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let import = db::find_import(&mut tx, sitter.sitter_id).await?;
    Ok(ok(import.as_ref().map(ImportState::from)))
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
    let wanted = piece_bytes(known.size_bytes, offset);
    app.disk.check_room(&app.db, sitter_id, wanted).await?;
    throttle::import(&app, sitter_id)?;
    let bytes = read_piece(&app, &sitter, request, wanted).await?;
    let import = receive_piece(&app, &known, offset, bytes).await?;
    Ok(ok(ImportState::from(&import)))
}

async fn start(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let import = start_import(&app, &sitter).await?;
    Ok(ok(ImportState::from(&import)))
}

async fn forget(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    forget_import(&app, sitter.sitter_id).await?;
    Ok(ok(json!({})))
}

/// Confirmation that somebody means to clear the business.
#[derive(Debug, Deserialize, ToSchema)]
struct Clear {
    /// The password of the caller's account.
    #[serde(default)]
    password: String,
    /// The word `CLEAR`, typed by the person.
    #[serde(default)]
    word: String,
    /// True if the person was told that it can be undone, false if not; where that is not so, nothing is cleared. Absent for
    /// callers that do not mind.
    #[serde(default)]
    keeps: Option<bool>,
}

/// A business that was cleared.
#[derive(Debug, Serialize, ToSchema)]
struct ClearState {
    /// `clearing`, `cleared` or `restoring`.
    state: String,
    /// When somebody asked for it.
    cleared_at: Instant,
    /// Until when it can be undone.
    undo_until: Instant,
    /// True if there is new work in the business: cleared work is not restored beside it.
    has_new_work: bool,
    /// The reason why it was not or cannot be undone, as text for the person.
    fault: Option<String>,
}

async fn look_at_clearing(app: &App, sitter_id: Id) -> Result<Option<ClearState>, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let Some(clearing) = find_clearing(app, &mut tx, sitter_id).await? else {
        return Ok(None);
    };
    let has_new_work =
        clearing.state == "cleared" && !archive::is_empty(&mut tx, sitter_id).await?;
    Ok(Some(ClearState {
        state: clearing.state,
        cleared_at: clearing.cleared_at,
        undo_until: Instant(clearing.cleared_at.0 + UNDO_MS),
        has_new_work,
        fault: match has_new_work {
            true => Some(ArchiveFault::NewWork.to_string()),
            false => clearing.fault,
        },
    }))
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
    begin_clearing(&app, user.account.id, sitter_id, form.keeps).await?;
    Ok(ok(look_at_clearing(&app, sitter_id).await?))
}

async fn clear_state(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    Ok(ok(look_at_clearing(&app, sitter.sitter_id).await?))
}

async fn undo_clear(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let sitter_id = sitter.sitter_id;
    undo_clearing(&app, &sitter).await?;
    Ok(ok(look_at_clearing(&app, sitter_id).await?))
}
