//! Saved commands up, the change feed down.

use std::io::Write as _;

use axum::Json;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use walkies_core::sync::wire::{
    PullRequest, PullResponse, PushRequest, PushResponse, VerifyRequest, VerifyResponse, WireRow,
};

use crate::app::session::{AnyUser, Member};
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::http::extract::{JsonBody, OF_SITTER, OfSitter, QueryParams};
use crate::http::form::{from_json_except, read_body};
use crate::http::route::{Access, Route, get, post};
use crate::limits::outgoing::{Taker, unkept};

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(
            "/sync/push",
            Access::AnyUser,
            "Takes saved commands, in order",
            push,
        )
        .fails(&[403, 426])
        .query("sitter_id", OF_SITTER)
        .body::<PushRequest>()
        .answer::<PushResponse>(),
        post(
            "/sync/verify",
            Access::AnyUser,
            "Which of a phone's decided commands this database does not know, as after a restore from a backup",
            verify,
        )
        .fails(&[403])
        .query("sitter_id", OF_SITTER)
        .body::<VerifyRequest>()
        .answer::<VerifyResponse>(),
        get(
            "/sync/pull",
            Access::AnyUser,
            "All rows that changed since and that the caller may see, in pages",
            pull,
        )
        .fails(&[403, 426])
        .required_query(
            "cursor",
            "The revision up to which everything is known; 0 for nothing",
        )
        .required_query("device_id", "Whose commands' outcomes to send")
        .required_query(
            "schema",
            "The version of rows and commands that the caller reads",
        )
        .query("epoch", "The epoch of the last answer")
        .query("backend_id", "The server of the last answer")
        .query("seen", "The last revision that the last answer told of, where that is not the cursor")
        .query("rev_id", "What the last answer called that revision")
        .query("sitter_id", OF_SITTER)
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
    user: AnyUser,
    QueryParams(of): QueryParams<OfSitter>,
    request: Request,
) -> Result<Response, AppError> {
    let body = read_body(request.into_body()).await?;
    // The arguments of each command are checked with it.
    let request = from_json_except("args", &body)?;
    let member = Member::of(&app, &user, of.sitter_id).await?;
    Ok(success(
        crate::write::sync::push(&app, &member, request).await?,
    ))
}

async fn verify(
    State(app): State<AppState>,
    user: AnyUser,
    QueryParams(of): QueryParams<OfSitter>,
    JsonBody(request): JsonBody<VerifyRequest>,
) -> Result<Response, AppError> {
    let member = Member::of(&app, &user, of.sitter_id).await?;
    Ok(success(
        crate::write::sync::verify(&app, &member, request).await?,
    ))
}

/// The rows in a page of the feed that has none.
const NO_ROWS: &str = r#""rows":[]"#;

async fn pull(
    State(app): State<AppState>,
    user: AnyUser,
    QueryParams(of): QueryParams<OfSitter>,
    QueryParams(request): QueryParams<PullRequest>,
) -> Result<Response, AppError> {
    let member = Member::of(&app, &user, of.sitter_id).await?;
    // A whole business is never in memory at once: its rows are written as they are read, and what stands around them after.
    let mut rows = app.answer_writer(Taker::Account(user.account.id));
    let mut is_first = true;
    let take = |row: WireRow| -> sqlx::Result<()> {
        if !std::mem::take(&mut is_first) {
            rows.write_all(b",")?;
        }
        serde_json::to_writer(&mut rows, &row).map_err(std::io::Error::from)?;
        Ok(())
    };
    let around = crate::write::sync::pull_each(&app, &member, &request, take).await?;
    let around = Success {
        success: true,
        data: around,
    };
    let around = serde_json::to_string(&around).map_err(|it| AppError::Internal(it.into()))?;
    let place = around.find(NO_ROWS).map(|it| it + NO_ROWS.len() - 1);
    let place = place.ok_or_else(|| AppError::Internal(anyhow::anyhow!("a page has no rows")))?;
    let (head, tail) = around.split_at(place);
    rows.write_all(tail.as_bytes()).map_err(unkept)?;
    rows.into_json_after(head.to_owned())
}
