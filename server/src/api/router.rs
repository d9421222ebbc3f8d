//! Owns the whole router: the calls below `/api`, the app's pages, the operator's two checks, and what holds for all
//! of them: headers, the time limit, the log line, failures in the failure form.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::Value;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, NotForContentType, Predicate};

use crate::app::state::AppState;
use crate::base::error::{AppError, Detail};
use crate::base::metrics;
use crate::http::compressed::UnchangingText;
use crate::http::route::{self, Access, Route, mount};
use crate::http::{outgoing_layer, static_app};
use crate::{api, db};

/// No call takes longer; what does has met a database or a body that hangs.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// The router of a server.
pub fn router(state: &AppState) -> Router {
    mount(calls(), state)
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .merge(api::pages())
        .method_not_allowed_fallback(async || {
            failure(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed")
        })
        .fallback(page)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn_with_state(
            state.clone(),
            outgoing_layer::hold,
        ))
        .layer(CompressionLayer::new().compress_when(is_compressible()))
        .layer(middleware::from_fn_with_state(state.clone(), wrap_call))
        .with_state(state.clone())
}

/// Matches responses that compression makes smaller: a video is not one, and would no longer state its length; nor is
/// an archive.
fn is_compressible() -> impl Predicate {
    let is_small = DefaultPredicate::new().and(NotForContentType::const_new("video/"));
    is_small.and(NotForContentType::const_new("application/zip"))
}

/// The OpenAPI document of the same calls, made when somebody first asks for it.
pub fn document() -> &'static Value {
    static DOCUMENT: LazyLock<Value> = LazyLock::new(|| route::document(calls()));
    &DOCUMENT
}

fn calls() -> Vec<Route> {
    let mut calls = api::all();
    calls.push(
        route::get("/openapi.json", Access::Public, "This document", openapi)
            .file("application/json"),
    );
    calls
}

/// The OpenAPI document as it is sent.
static DOCUMENT_TEXT: LazyLock<UnchangingText> =
    LazyLock::new(|| UnchangingText::new(document().to_string()));

/// Makes ready what never changes, before somebody asks for it.
pub fn prepare_document() {
    LazyLock::force(&DOCUMENT_TEXT);
}

async fn openapi(headers: HeaderMap) -> Response {
    DOCUMENT_TEXT.answer(&headers, "application/json")
}

/// Readiness probe: succeeds if the database answers, and says when the disk is low on space.
async fn ready(State(state): State<AppState>) -> Result<&'static str, AppError> {
    let mut tx = state.db.read().await?;
    db::ping(&mut tx).await?;
    tx.commit().await?;
    // It serves all the same, so that no proxy takes it out.
    Ok(match state.disk.is_low() {
        true => "ready, low on disk space\n",
        false => "ready\n",
    })
}

/// Handles every path that no route has: a page of the app, and below `/api` a 404.
async fn page(State(state): State<AppState>, request: Request) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return AppError::NotFound.into_response();
    }
    let (mut parts, body) = request.into_parts();
    let preview = api::preview(&state, &mut parts).await;
    let request = Request::from_parts(parts, body);
    static_app::serve_with(request, &state.settings, preview.as_ref())
}

fn failure(status: StatusCode, code: &'static str) -> Response {
    let text = walkies_core::values::transport::transport_error(status.as_u16(), "");
    let body =
        serde_json::json!({ "success": false, "code": code, "error": text, "message": text });
    (status, Json(body)).into_response()
}

fn panicked(panic: Box<dyn std::any::Any + Send>) -> Response {
    let said = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    AppError::Internal(anyhow::anyhow!(
        "panicked: {}",
        said.unwrap_or("without a word")
    ))
    .into_response()
}

/// Headers of every answer that is no page: nothing of it may be kept, framed, or taken for something else.
const API_HEADERS: [(HeaderName, HeaderValue); 5] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::STRICT_TRANSPORT_SECURITY,
        HeaderValue::from_static("max-age=31536000; includeSubDomains"),
    ),
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
        ),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
];

/// Calls that need no sign-in but a secret in their path.
const PUBLIC_CALLS: [&str; 2] = ["/api/public/", "/api/calendar/"];

/// Returns the path as it is logged: the route, never the values in it. The path of a shared report or invoice holds a
/// secret, and a path without a route may be anything that somebody typed.
fn logged_path(route: Option<&MatchedPath>, path: &str) -> String {
    match (route, static_app::public_page(path)) {
        (Some(route), _) => route.as_str().to_owned(),
        _ if path.starts_with("/api") => "/api/…".to_owned(),
        (None, Some(beginning)) => beginning.to_owned() + "…",
        (None, None) => path.to_owned(),
    }
}

/// The time limit, the headers and the log line. Neither query nor headers are logged.
async fn wrap_call(State(state): State<AppState>, request: Request<Body>, next: Next) -> Response {
    let begun = Instant::now();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let is_page = !path.starts_with("/api");
    let is_public = PUBLIC_CALLS.iter().any(|it| path.starts_with(it))
        || static_app::public_page(&path).is_some();
    let matched = request.extensions().get::<MatchedPath>().cloned();
    let route = logged_path(matched.as_ref(), &path);
    let request_id = state.env.id();
    let mut response = match tokio::time::timeout(TIME_LIMIT, next.run(request)).await {
        Ok(response) => response,
        Err(_) => AppError::Unavailable(anyhow::anyhow!("took longer than {TIME_LIMIT:?}"))
            .into_response(),
    };
    let detail = response.extensions_mut().remove::<Detail>();
    let headers = response.headers_mut();
    for (name, value) in API_HEADERS {
        if !is_page || name != header::CACHE_CONTROL {
            headers.entry(name).or_insert(value);
        }
    }
    if let Ok(value) = HeaderValue::from_str(&request_id.to_string()) {
        headers.insert("x-request-id", value);
    }
    if is_public {
        headers.insert("x-robots-tag", HeaderValue::from_static("noindex"));
    }
    let status = response.status().as_u16();
    let took = begun.elapsed();
    metrics::request(matched.as_ref(), is_page, &method, status, took);
    let took_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    match detail {
        Some(Detail(detail)) if status == 500 => {
            tracing::error!(%method, route, status, took_ms, %request_id, detail, "the call failed by a defect");
        }
        Some(Detail(detail)) => {
            tracing::warn!(%method, route, status, took_ms, %request_id, detail, "the call could not be served");
        }
        None if is_page => tracing::debug!(%method, route, status, took_ms, %request_id, "served"),
        None => tracing::info!(%method, route, status, took_ms, %request_id, "answered"),
    }
    response
}
