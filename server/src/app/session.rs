//! Owns who is calling: the bearer token, the session behind it, and the extractors by which a handler says whom
//! it serves.

use axum::extract::FromRequestParts;
use axum::http::{HeaderMap, header, request::Parts};
use walkies_core::api::Role;
use walkies_core::commands::decision::Actor;
use walkies_core::{Business, Id, Instant};

use crate::app::state::{App, AppState};
use crate::base::env::{id_of_text, sha256};
use crate::base::error::AppError;
use crate::base::log::redacted;
use crate::db::{self, Account, ClientLink, FeedScope, Tx};

/// A session ends when it was not used for so long,
const IDLE_MS: i64 = 30 * DAY_MS;
/// and in any case after so long.
const ABSOLUTE_MS: i64 = 180 * DAY_MS;
/// A device that was away for longer counts as a stranger's.
const DEVICE_MS: i64 = 400 * DAY_MS;
/// Milliseconds after its end for which an invitation's code is still known as expired or used.
const INVITE_KEPT_MS: i64 = 14 * DAY_MS;
/// Its use is written down at most so often: a poll every half minute is no reason for a write.
const TOUCH_MS: i64 = 60 * 60 * 1000;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Someone who is signed in.
#[derive(Clone, Debug)]
pub struct AnyUser {
    /// As it was when the call began, in the role in which the call is made.
    pub account: Account,
    /// The session, by its token's hash.
    pub session_hash: String,
    /// True if the call itself names the role in which it is made.
    pub names_role: bool,
}

/// A sitter who is signed in.
#[derive(Clone, Debug)]
pub struct SitterUser {
    /// The account of the person.
    pub user_id: Id,
    /// The id of the person's business.
    pub sitter_id: Id,
}

/// A caller as a member of a business: its sitter, or one of its clients.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// The account of the person.
    pub user_id: Id,
    /// The id of the business.
    pub sitter_id: Id,
    /// The client record by which a pet parent takes part; the sitter has none.
    pub link: Option<ClientLink>,
}

impl From<SitterUser> for Member {
    fn from(sitter: SitterUser) -> Self {
        Self {
            user_id: sitter.user_id,
            sitter_id: sitter.sitter_id,
            link: None,
        }
    }
}

impl Member {
    /// The caller as a member of this business; a sitter is one of the own business alone. Who
    /// has one sitter need not name it.
    pub async fn of(app: &App, user: &AnyUser, sitter_id: Option<Id>) -> Result<Self, AppError> {
        let account = &user.account;
        if account.role == Role::Sitter {
            let own = user.sitter()?.sitter_id;
            return match sitter_id {
                Some(other) if other != own => Err(AppError::NotLinked),
                _ => Ok(Self {
                    user_id: account.id,
                    sitter_id: own,
                    link: None,
                }),
            };
        }
        let mut tx = app.db.read_autocommit().await?;
        let links = db::client_links(&mut tx, account.id, sitter_id).await?;
        match links.as_slice() {
            [] => Err(AppError::NotLinked),
            [_, _, ..] if sitter_id.is_none() => Err(AppError::Malformed(
                "`sitter_id` says which of your sitters is meant".to_owned(),
            )),
            [link, ..] => Ok(Self {
                user_id: account.id,
                sitter_id: link.sitter_id,
                link: Some(*link),
            }),
        }
    }

    /// The member as this transaction sees it, which may begin long after the call was let in; nobody where the sitter has let
    /// the person go meanwhile.
    pub async fn seen_in(mut self, tx: &mut Tx) -> sqlx::Result<Option<Self>> {
        if let Some(link) = &mut self.link {
            let links = db::client_links(tx, self.user_id, Some(self.sitter_id)).await?;
            let Some(now) = links.first() else {
                return Ok(None);
            };
            *link = *now;
        }
        Ok(Some(self))
    }

    /// Returns true if the client record by which a pet parent takes part is still linked to that person, by its row;
    /// always true for the sitter.
    pub fn is_linked_in(&self, business: &Business) -> bool {
        self.link.is_none_or(|link| {
            let client = business.client(link.client_id);
            client.is_some_and(|it| it.has_login(self.user_id))
        })
    }

    /// As whom commands are decided.
    pub fn actor(&self) -> Actor {
        self.link
            .map_or(Actor::Sitter, |it| Actor::Client(it.client_id))
    }

    /// Returns the id by which this member's phones know the database: `of_business` for the sitter, and for a pet
    /// parent one that is derived from it and from the link's history.
    pub fn backend_id(&self, of_business: Id) -> Id {
        self.link.map_or(of_business, |it| {
            id_of_text(&format!("{of_business} {}", it.history))
        })
    }

    /// Returns the key under which a command's id, or a call's idempotency key, is stored here. A pet parent's begins
    /// with the account, so that it never meets another person's.
    pub fn mutation_key(&self, id: &str) -> String {
        match self.link {
            Some(_) => format!("{} {id}", self.user_id),
            None => id.to_owned(),
        }
    }

    /// Whose rows the feed tells.
    pub fn scope(&self) -> FeedScope {
        self.link
            .map_or(FeedScope::Sitter, |it| FeedScope::Client(it.client_id))
    }

    /// Returns the id under which a phone's database is known here. A pet parent's is derived from the account and the
    /// given id, so that nobody takes the place of the sitter's in its queue.
    pub fn device_key(&self, device_id: Id) -> Id {
        match self.link {
            Some(_) => id_of_text(&format!("{} {device_id}", self.user_id)),
            None => device_id,
        }
    }

    /// Who waits for oneself where only so many may do something at once.
    pub const fn payer(&self) -> Id {
        match self.link {
            Some(_) => self.user_id,
            None => self.sitter_id,
        }
    }
}

impl FromRequestParts<AppState> for AnyUser {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _state: &AppState) -> Result<Self, AppError> {
        // The route's access has put it there; without one the route is declared public by mistake.
        parts
            .extensions
            .get::<Self>()
            .cloned()
            .ok_or(AppError::SignInNeeded)
    }
}

impl FromRequestParts<AppState> for SitterUser {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        AnyUser::from_request_parts(parts, state).await?.sitter()
    }
}

impl AnyUser {
    /// The sitter, if it is one.
    pub fn sitter(&self) -> Result<SitterUser, AppError> {
        match (self.account.role, self.account.sitter_id) {
            (Role::Sitter, Some(sitter_id)) => Ok(SitterUser {
                user_id: self.account.id,
                sitter_id,
            }),
            _ => Err(AppError::Forbidden),
        }
    }
}

/// Returns the caller, by the `Authorization` header: a session's token, behind which a person with both roles names the one in
/// which the call is made, as in `token.client`.
pub async fn authenticate(app: &App, headers: &HeaderMap) -> Result<AnyUser, AppError> {
    let header = headers
        .get(header::AUTHORIZATION)
        .ok_or(AppError::SignInNeeded)?;
    let token = header
        .to_str()
        .ok()
        .and_then(|it| it.strip_prefix("Bearer "))
        .ok_or(AppError::TokenExpired)?;
    // No token has a dot in it.
    let (token, role) = match token.trim().split_once('.') {
        None => (token.trim(), None),
        Some((token, "sitter")) => (token, Some(Role::Sitter)),
        Some((token, "client")) => (token, Some(Role::Client)),
        Some(_) => return Err(AppError::TokenExpired),
    };
    by_hash(app, sha256(token.as_bytes()), role).await
}

/// Returns the person of a session that still stands, in the role that is asked for; without one in that which the account
/// began with.
pub async fn by_hash(
    app: &App,
    session_hash: String,
    role: Option<Role>,
) -> Result<AnyUser, AppError> {
    let session = db::find_session(&mut app.db.read_autocommit().await?, &session_hash).await?;
    let session = session.ok_or(AppError::TokenExpired)?;
    let now = app.now();
    if !is_good(session.created_at, session.last_used_at, now) {
        return Err(AppError::TokenExpired);
    }
    // A clock that was set back must not show a use in the future.
    if TOUCH_MS < (now.0 - session.last_used_at.0).abs()
        && let Err(error) = touch(app, &session_hash, now).await
    {
        // A full disk must not keep anybody from reading.
        tracing::warn!(
            error = redacted(&error),
            "the use of a session could not be written down"
        );
    }
    let names_role = role.is_some();
    let role = role.unwrap_or(session.account.role);
    let account = session.account.in_role(role);
    Ok(AnyUser {
        account: account.ok_or(AppError::TokenExpired)?,
        session_hash,
        names_role,
    })
}

/// Returns true if a session has not expired, neither since its last use nor since its start.
pub const fn is_good(created_at: Instant, last_used_at: Instant, now: Instant) -> bool {
    now.0 <= last_used_at.0 + IDLE_MS && now.0 <= created_at.0 + ABSOLUTE_MS
}

async fn touch(app: &App, session_hash: &str, now: Instant) -> sqlx::Result<()> {
    let mut tx = app.db.write().await?;
    db::touch_session(&mut tx, session_hash, now).await?;
    tx.commit().await
}

/// Removes what can no longer be used.
pub async fn collect(app: &App) -> sqlx::Result<()> {
    let now = app.now();
    let mut tx = app.db.write().await?;
    db::collect_sessions(
        &mut tx,
        Instant(now.0 - IDLE_MS),
        Instant(now.0 - ABSOLUTE_MS),
        now,
    )
    .await?;
    db::collect_identity(&mut tx, Instant(now.0 - DEVICE_MS), now).await?;
    db::collect_invites(&mut tx, Instant(now.0 - INVITE_KEPT_MS)).await?;
    tx.commit().await
}
