//! Saved commands up, the change feed down.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use walkies_core::sync::wire::{PullRequest, PullResponse, PushRequest, PushResponse};

use super::{Asked, Sent};
use crate::error::AppError;
use crate::route::{Access, Route, get, post};
use crate::session::SitterUser;
use crate::state::AppState;

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(
            "/sync/push",
            Access::Sitter,
            "Takes saved commands, in order",
            push,
        )
        .body::<PushRequest>()
        .answer::<PushResponse>(),
        get(
            "/sync/pull",
            Access::Sitter,
            "All rows that changed since, in pages",
            pull,
        )
        .query(
            "cursor",
            "The revision up to which everything is known; 0 for nothing",
        )
        .query("device_id", "Whose commands' outcomes to send")
        .query(
            "schema",
            "The version of rows and commands that the caller reads",
        )
        .query("epoch", "The epoch of the last answer")
        .query("backend_id", "The server of the last answer")
        .answer::<PullResponse>(),
    ]
}

/// As `answer::success`, without a detour over `Value`: a page of the feed has raw rows, and many.
#[derive(Debug, Serialize)]
struct Success<T> {
    success: bool,
    data: T,
}

fn success<T: Serialize>(data: T) -> Response {
    Json(Success {
        success: true,
        data,
    })
    .into_response()
}

async fn push(
    State(app): State<AppState>,
    sitter: SitterUser,
    Sent(request): Sent<PushRequest>,
) -> Result<Response, AppError> {
    Ok(success(crate::sync::push(&app, &sitter, request).await?))
}

async fn pull(
    State(app): State<AppState>,
    sitter: SitterUser,
    Asked(request): Asked<PullRequest>,
) -> Result<Response, AppError> {
    Ok(success(crate::sync::pull(&app, &sitter, &request).await?))
}
