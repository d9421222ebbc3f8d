//! Owns the layer of the router that counts every answer of a call until it is taken in, in memory or on the disk.

use std::io::Write as _;

use axum::body::{HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::app::state::{App, AppState};
use crate::base::address::caller_ip;
use crate::base::error::AppError;
use crate::limits::outgoing::{BUFFER_BYTES, SMALL_BYTES, Taker, Unchanging, held, unkept};

/// Counts answers that are whole in memory, and brings those to the disk that there is no room for.
pub async fn hold(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    // The app's own files are in memory once.
    let is_counted = path.starts_with("/api") || path.starts_with("/invoice");
    let address = caller_ip(
        app.settings.behind_proxy,
        request.headers(),
        request.extensions(),
    );
    let mut response = next.run(request).await;
    let taker = response.extensions_mut().remove::<Taker>();
    let is_unchanging = response.extensions_mut().remove::<Unchanging>().is_some();
    let bytes = response.body().size_hint().exact().unwrap_or_default();
    if !is_counted || is_unchanging || bytes <= SMALL_BYTES as u64 {
        return response;
    }
    let taker = taker.unwrap_or(Taker::Address(address));
    if let Some(lease) = app.outgoing.hold_in_memory(taker, bytes) {
        return response.map(|body| held(body, lease));
    }
    match to_disk(&app, taker, response).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

async fn to_disk(app: &App, taker: Taker, response: Response) -> Result<Response, AppError> {
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await;
    let bytes = bytes.map_err(|it| AppError::Internal(it.into()))?;
    let mut writer = app.answer_writer(taker);
    for chunk in bytes.chunks(BUFFER_BYTES) {
        writer.write_all(chunk).map_err(unkept)?;
        tokio::task::yield_now().await;
    }
    drop(bytes);
    // However short it is: there is no room for it in memory.
    writer.spill().map_err(unkept)?;
    let (body, length) = writer.finish().map_err(unkept)?;
    parts
        .headers
        .insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    Ok(Response::from_parts(parts, body))
}
