//! Owns that a call which is no command and comes twice with one `Idempotency-Key` is done once: its answer is kept, and given
//! again. What proves who asks is not kept, nor is any answer with a secret in it: such calls take no key.

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use serde_json::{Map, Value};
use walkies_core::Instant;

use crate::app::session::AnyUser;
use crate::app::state::{App, AppState};
use crate::base::error::AppError;
use crate::db;
use crate::http::form::{key, read_body};
use crate::write::execute::IdempotencyKey;

/// Whoever works on a call has so long until a repeat of it is tried: its process has ended, or its caller has hung up.
const LEASE_MS: i64 = 2 * 60 * 1000;
/// No answer of these calls is nearly as long; a longer one would not be kept.
const MOST_BYTES: usize = 16 * 1024;
/// The field that proves who asks. It is left out of the hash of the request: that hash could be used to guess the
/// password.
const PROOF: &str = "password";

/// Does a call once for all that come with its key.
pub async fn once(
    State(app): State<AppState>,
    user: AnyUser,
    request: Request,
    next: Next,
) -> Response {
    if !request.headers().contains_key("idempotency-key") {
        return next.run(request).await;
    }
    match answer(&app, &user, request, next).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn answer(
    app: &App,
    user: &AnyUser,
    request: Request,
    next: Next,
) -> Result<Response, AppError> {
    let (parts, body) = request.into_parts();
    let bytes = read_body(body).await?;
    let (asked, has_proof) = without_proof(&bytes);
    let path = parts.uri.path_and_query().map_or("", |it| it.as_str());
    let Some(IdempotencyKey { id, args_hash }) = key(&parts.headers, &parts.method, path, &asked)?
    else {
        return Ok(next
            .run(Request::from_parts(parts, Body::from(bytes)))
            .await);
    };
    let (of, now) = ((user.account.id, id.as_str()), app.now());
    let abandoned = Instant(now.0 - LEASE_MS);
    let mut tx = app.db.write().await?;
    if !db::claim_answer(&mut tx, of, &args_hash, now, abandoned).await? {
        let known = db::find_answer(&mut tx, of).await?;
        tx.rollback().await?;
        let known = known.filter(|it| it.args_hash == args_hash);
        return match known.ok_or(AppError::KeyReused)?.answer {
            Some((status, body)) => Ok(response(status, body)),
            None => Err(AppError::Unavailable(anyhow::anyhow!(
                "a call with this key is being worked on"
            ))),
        };
    }
    tx.commit().await?;
    let done = next
        .run(Request::from_parts(parts, Body::from(bytes)))
        .await;
    let (parts, body) = done.into_parts();
    let body = to_bytes(body, usize::MAX).await;
    let body = body.map_err(|it| AppError::Internal(it.into()))?;
    let text = std::str::from_utf8(&body).ok();
    let text = text.filter(|it| it.len() <= MOST_BYTES && is_kept(parts.status, has_proof));
    let mut tx = app.db.write().await?;
    match text {
        Some(text) => {
            let status = u32::from(parts.status.as_u16());
            db::keep_answer(&mut tx, of, now, status, text).await?;
        }
        None => db::release_answer(&mut tx, of, now).await?,
    }
    tx.commit().await?;
    Ok(Response::from_parts(parts, Body::from(body)))
}

/// Returns true if a repeat gets this response again: the call was done, or refused for what it asked. A call that
/// failed for another reason, as for a declined card, is tried again, and so is a refused one that brought a password.
fn is_kept(status: StatusCode, has_proof: bool) -> bool {
    let is_refused = matches!(status.as_u16(), 403 | 404 | 409 | 410 | 422);
    status.is_success() || is_refused && !has_proof
}

fn response(status: u32, body: String) -> Response {
    let status = u16::try_from(status).ok();
    let status = status.and_then(|it| StatusCode::from_u16(it).ok());
    let json = HeaderValue::from_static("application/json");
    let headers = [(header::CONTENT_TYPE, json)];
    (status.unwrap_or_default(), headers, body).into_response()
}

/// A body as it counts for its key, and whether something was taken out of it.
fn without_proof(bytes: &Bytes) -> (Bytes, bool) {
    let fields = serde_json::from_slice::<Map<String, Value>>(bytes);
    let Ok(mut fields) = fields else {
        return (bytes.clone(), false);
    };
    match fields.remove(PROOF) {
        Some(_) => (Value::Object(fields).to_string().into(), true),
        None => (bytes.clone(), false),
    }
}
