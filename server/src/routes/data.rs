//! One's own data: everything as one archive.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use tokio::sync::TryAcquireError;

use crate::archive;
use crate::error::AppError;
use crate::listen::LongAnswer;
use crate::route::{Access, Route, get};
use crate::session::SitterUser;
use crate::state::AppState;
use crate::throttle;

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
