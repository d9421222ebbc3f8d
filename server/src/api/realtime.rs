//! The WebSocket over which open apps are told that something changed.

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde::Deserialize;
use walkies_core::api::Ticket;
use walkies_core::{Id, Instant};

use crate::app::realtime::{Event, Notice, Subscription};
use crate::app::session::{self, AnyUser};
use crate::app::state::AppState;
use crate::base::env::{Uptime, sha256};
use crate::base::error::AppError;
use crate::base::log::redacted;
use crate::base::malformed;
use crate::db;
use crate::http::extract::QueryParams;
use crate::http::route::{Access, Route, get, post};
use crate::write::answer::{Answer, ok};

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
        .query("ticket", "From `POST /realtime/ticket`")
        .statuses(&[101])
        .fails(&[401, 403]),
    ]
}

const TICKET_S: i64 = 30;

/// Who types says so at most so often.
const TYPING_EVERY_MS: i64 = 400;

/// An event that an app sends.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Said {
    /// Its person is typing, or has stopped.
    Typing {
        /// The id of the business. A sitter, and a pet parent of one business, may leave it out.
        sitter_id: Option<Id>,
        /// The id of the conversation.
        conversation_id: Id,
        /// True if the typing has stopped.
        #[serde(default)]
        stopped: bool,
    },
}

/// Whoever has not answered so many of them is gone.
const MISSED_PINGS: u32 = 2;

/// The most bytes of a message from an app: such messages are short, and events to apps are shorter.
const MESSAGE_BYTES: usize = 4 * 1024;
/// Most sockets are silent most of the time.
const BUFFER_BYTES: usize = 1024;

/// The session that a connection was opened with has ended.
const SESSION_ENDED: CloseFrame = CloseFrame {
    code: 4401,
    reason: Utf8Bytes::from_static("the session has ended"),
};
/// More apps of this user were opened than are told at once; whoever is told this polls for a while.
const SUBSCRIPTION_LOST: CloseFrame = CloseFrame {
    code: 4408,
    reason: Utf8Bytes::from_static("opened elsewhere too often"),
};

async fn ticket(State(app): State<AppState>, user: AnyUser) -> Result<Answer, AppError> {
    let ticket = app.env.token();
    let expires_at = Instant(app.now().0 + TICKET_S * 1000);
    let mut tx = app.db.write().await?;
    db::insert_ticket(
        &mut tx,
        &sha256(ticket.as_bytes()),
        (user.session_hash.as_str(), user.account.role),
        expires_at,
    )
    .await?;
    tx.commit().await?;
    Ok(ok(Ticket {
        ticket,
        expires_in_seconds: TICKET_S,
    }))
}

#[derive(Debug, Deserialize)]
struct TicketQuery {
    #[serde(default)]
    ticket: String,
}

async fn connect(
    State(app): State<AppState>,
    QueryParams(TicketQuery { ticket }): QueryParams<TicketQuery>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, AppError> {
    if !is_same_origin(&headers) {
        return Err(AppError::Forbidden);
    }
    let ticket_hash = sha256(ticket.as_bytes());
    // Who brings none that exists does not get to the turns of those who write.
    if !db::has_ticket(
        &mut app.db.read_autocommit().await?,
        &ticket_hash,
        app.now(),
    )
    .await?
    {
        return Err(AppError::TokenExpired);
    }
    // Used up even where the upgrade then fails: a ticket is good for one try.
    let mut tx = app.db.write().await?;
    let taken = db::take_ticket(&mut tx, &ticket_hash, app.now()).await?;
    tx.commit().await?;
    let (session_hash, role) = taken.ok_or(AppError::TokenExpired)?;
    let user = session::by_hash(&app, session_hash, Some(role)).await?;
    let no_socket = |_| AppError::Malformed(malformed::NO_WEBSOCKET.to_owned());
    let upgrade = upgrade.map_err(no_socket)?;
    Ok(upgrade
        .max_message_size(MESSAGE_BYTES)
        .max_frame_size(MESSAGE_BYTES)
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
        .max_write_buffer_size(2 * MESSAGE_BYTES)
        .on_upgrade(async move |socket| forward_events(app, user, socket).await))
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

/// Passes events on until the app closes the connection, the session ends, or it has lost its subscription.
async fn forward_events(app: AppState, user: AnyUser, mut socket: WebSocket) {
    let mut subscription = app.realtime.subscribe(&user.account);
    let mut typing = Typing::default();
    // A connection that a network drops in silence is noticed by what it does not answer.
    let mut ping = tokio::time::interval(app.settings.ping_every);
    let mut missed_pings = 0;
    loop {
        if subscription.has_old_links() {
            look_up_links(&app, &user, &subscription).await;
        }
        let message = tokio::select! {
            received = socket.recv() => match received {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(said)) => {
                    missed_pings = 0;
                    if let Message::Text(said) = said
                        && let Ok(Said::Typing { sitter_id, conversation_id, stopped }) = serde_json::from_str(&said)
                        && typing.is_heard(conversation_id, stopped, app.uptime())
                    {
                        app.realtime.typing(&subscription, sitter_id, conversation_id, stopped);
                    }
                    continue;
                }
            },
            _ = ping.tick() => {
                if missed_pings == MISSED_PINGS {
                    return;
                }
                missed_pings += 1;
                // Nor need a notice have come where the sitter has let somebody go by another process.
                if user.account.sitter_id.is_none() {
                    subscription.forget_links();
                }
                // The notice of its end may have got lost, and a session that nobody uses ends by itself.
                match has_ended(&app, &user).await {
                    true => Message::Close(Some(SESSION_ENDED)),
                    false => Message::Ping(Default::default()),
                }
            }
            notice = subscription.notices.recv() => match notice {
                Some(Notice::Tell { event, .. }) => text(&event),
                Some(Notice::SessionsEnded { .. }) => match has_ended(&app, &user).await {
                    true => Message::Close(Some(SESSION_ENDED)),
                    false => continue,
                },
                Some(Notice::LinksChanged { .. }) => continue,
                None => Message::Close(Some(SUBSCRIPTION_LOST)),
            },
        };
        let is_last = matches!(message, Message::Close(_));
        if socket.send(message).await.is_err() || is_last {
            return;
        }
    }
}

/// Rate limit on the typing events of one app. Events beyond it are dropped, and so is a stop whose start was dropped.
#[derive(Default)]
struct Typing {
    until: Uptime,
    conversation_id: Option<Id>,
}

impl Typing {
    fn is_heard(&mut self, conversation_id: Id, stopped: bool, now: Uptime) -> bool {
        if stopped {
            let heard = &mut self.conversation_id;
            return heard.take_if(|it| *it == conversation_id).is_some();
        }
        if now < self.until {
            return false;
        }
        self.until = Uptime(now.0 + TYPING_EVERY_MS);
        self.conversation_id = Some(conversation_id);
        true
    }
}

/// Finds of which businesses a pet parent's app is told. Where that cannot be found now it is with the next ping, and the
/// app polls.
async fn look_up_links(app: &AppState, user: &AnyUser, subscription: &Subscription) {
    subscription.look_up_links();
    let links = async {
        let mut tx = app.db.read_autocommit().await?;
        db::client_links(&mut tx, user.account.id, None).await
    };
    match links.await {
        Ok(links) => subscription.link(&links),
        Err(error) => {
            tracing::warn!(
                error = redacted(&error),
                "a pet parent's app does not hear of changes yet"
            );
            subscription.forget_links();
        }
    }
}

/// Returns true if the session that the connection was opened with is over, or the person's role in it; false if that
/// cannot be told just now.
async fn has_ended(app: &AppState, user: &AnyUser) -> bool {
    let role = Some(user.account.role);
    let session = session::by_hash(app, user.session_hash.clone(), role).await;
    matches!(session, Err(AppError::TokenExpired))
}

fn text(event: &Event) -> Message {
    Message::Text(serde_json::json!(event).to_string().into())
}
