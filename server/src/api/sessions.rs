//! The devices on which somebody is signed in, and signing them out from elsewhere.

use axum::extract::{Path, State};
use axum::http::Method;
use axum::response::Response;
use serde_json::json;
use walkies_core::api::DeviceSession;

use crate::accounts::device;
use crate::app::realtime::Notice;
use crate::app::session::{AnyUser, is_good};
use crate::app::state::{App, AppState};
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db::{self, roll_back};
use crate::http::route::{Access, Route, get, route};
use crate::write::answer::{Answer, ok, ok_list};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/auth/sessions",
            Access::AnyUser,
            "The devices that are signed in, the one used last first",
            list_sessions,
        )
        .list_of(|schemas| schemas.of::<DeviceSession>()),
        route(
            Method::DELETE,
            "/auth/sessions/{id}",
            Access::AnyUser,
            "Signs out one device",
            end_session,
        )
        .answer_of(super::auth::empty_data),
        route(
            Method::DELETE,
            "/auth/sessions",
            Access::AnyUser,
            "Signs out all devices but this one",
            end_other_sessions,
        )
        .answer_of(super::auth::empty_data),
    ]
}

async fn list_sessions(
    State(app): State<AppState>,
    user: AnyUser,
    page: Page,
) -> Result<Response, AppError> {
    let now = app.now();
    let sessions = db::sessions_of(&mut app.db.read_autocommit().await?, user.account.id).await?;
    let good = sessions
        .iter()
        .filter(|it| is_good(it.created_at, it.last_used_at, now));
    let devices: Vec<DeviceSession> = good
        .map(|it| DeviceSession {
            id: it.id(),
            name: device::name(&it.device_name),
            created_at: it.created_at,
            last_used_at: it.last_used_at,
            is_current: it.token_hash == user.session_hash,
        })
        .collect();
    ok_list(devices, page).await
}

async fn end_session(
    State(app): State<AppState>,
    user: AnyUser,
    Path(id): Path<String>,
) -> Result<Answer, AppError> {
    let mut tx = app.db.write().await?;
    let sessions = db::sessions_of(&mut tx, user.account.id).await?;
    // What is not even an id names nothing.
    let session = sessions.iter().find(|it| it.id().to_string() == id);
    let Some(session) = session else {
        return roll_back(tx, AppError::NotFound).await;
    };
    db::delete_session(&mut tx, &session.token_hash).await?;
    tx.commit().await?;
    Ok(ended(&app, &user))
}

async fn end_other_sessions(
    State(app): State<AppState>,
    user: AnyUser,
) -> Result<Answer, AppError> {
    let mut tx = app.db.write().await?;
    db::delete_sessions(&mut tx, user.account.id, Some(&user.session_hash)).await?;
    tx.commit().await?;
    Ok(ended(&app, &user))
}

/// Open connections of the user look whether theirs still stands.
fn ended(app: &App, user: &AnyUser) -> Answer {
    app.realtime.send(Notice::SessionsEnded {
        user_id: user.account.id,
    });
    ok(json!({}))
}
