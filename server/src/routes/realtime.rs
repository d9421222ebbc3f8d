//! The WebSocket over which open apps are told that something changed.

use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast::error::RecvError;
use walkies_core::Instant;

use super::Asked;
use crate::answer::{Answer, found};
use crate::db;
use crate::env::sha256;
use crate::error::AppError;
use crate::realtime::{Audience, Event, Notice};
use crate::route::{Access, Route, get, post};
use crate::session::{self, AnyUser};
use crate::state::AppState;

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(
            "/realtime/ticket",
            Access::AnyUser,
            "A ticket for one WebSocket, good for half a minute",
            ticket,
        )
        .answer::<Ticket>(),
        get(
            "/realtime",
            Access::Public,
            "A WebSocket that tells events as JSON texts",
            connect,
        )
        .query("ticket", "From `POST /realtime/ticket`"),
    ]
}

const TICKET_S: i64 = 30;

/// A connection that a network drops in silence is noticed by what it does not answer.
const PING_EVERY: Duration = Duration::from_secs(30);

#[derive(Debug, Serialize, utoipa::ToSchema)]
struct Ticket {
    ticket: String,
    expires_in_seconds: i64,
}

async fn ticket(State(app): State<AppState>, user: AnyUser) -> Result<Answer, AppError> {
    let ticket = app.env.token();
    let expires_at = Instant(app.now().0 + TICKET_S * 1000);
    let mut tx = app.db.write().await?;
    db::insert_ticket(
        &mut tx,
        &sha256(ticket.as_bytes()),
        &user.session_hash,
        expires_at,
    )
    .await?;
    tx.commit().await?;
    Ok(found(Ticket {
        ticket,
        expires_in_seconds: TICKET_S,
    }))
}

#[derive(Debug, Deserialize)]
struct Query {
    #[serde(default)]
    ticket: String,
}

async fn connect(
    State(app): State<AppState>,
    Asked(Query { ticket }): Asked<Query>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, AppError> {
    if !is_same_origin(&headers) {
        return Err(AppError::Forbidden);
    }
    // Used up even where the upgrade then fails: a ticket is good for one try.
    let mut tx = app.db.write().await?;
    let session_hash = db::take_ticket(&mut tx, &sha256(ticket.as_bytes()), app.now()).await?;
    tx.commit().await?;
    let session_hash = session_hash.ok_or(AppError::TokenExpired)?;
    let user = session::by_hash(&app, session_hash).await?;
    let upgrade = upgrade.map_err(|it| AppError::Malformed(it.body_text()))?;
    Ok(upgrade
        .max_message_size(16 * 1024)
        .on_upgrade(async move |socket| tell(app, user, socket).await))
}

/// A page of another site may not listen, whatever ticket it came by. Callers that are no browsers send no origin.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let host = headers.get(header::HOST).and_then(|it| it.to_str().ok());
    let origin = origin
        .to_str()
        .ok()
        .and_then(|it| it.split_once("://"))
        .map(|(_, host)| host);
    host.is_some() && origin == host
}

/// Passes events on until the app closes the connection or the session ends.
async fn tell(app: AppState, user: AnyUser, mut socket: WebSocket) {
    let mut notices = app.realtime.subscribe();
    let mut ping = tokio::time::interval(PING_EVERY);
    loop {
        let event = tokio::select! {
            received = socket.recv() => match received {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                // Typing is passed on once conversations exist; all else is not for this connection.
                Some(Ok(_)) => continue,
            },
            _ = ping.tick() => {
                if socket.send(Message::Ping(Default::default())).await.is_err() {
                    return;
                }
                continue;
            }
            notice = notices.recv() => match notice {
                Ok(Notice::Tell { to, event }) if is_for(&to, &user) => event,
                Ok(Notice::Tell { .. }) => continue,
                Ok(Notice::SessionsEnded { user_id }) => {
                    if user_id == user.account.id && session::by_hash(&app, user.session_hash.clone()).await.is_err() {
                        let frame = CloseFrame { code: 4401, reason: "the session has ended".into() };
                        let _ = socket.send(Message::Close(Some(frame))).await;
                        return;
                    }
                    continue;
                }
                // Some were missed: pulling makes up for all of them.
                Err(RecvError::Lagged(_)) => Event::Changed { rev: 0 },
                Err(RecvError::Closed) => return,
            },
        };
        let Ok(text) = serde_json::to_string(&event) else {
            continue;
        };
        if socket.send(Message::Text(text.into())).await.is_err() {
            return;
        }
    }
}

fn is_for(to: &Audience, user: &AnyUser) -> bool {
    match to {
        Audience::Sitter(id) => user.account.sitter_id == Some(*id),
        Audience::User(id) => user.account.id == *id,
    }
}
