//! Owns the server's side of sync: a phone's saved commands in, one transaction each and in order; the change feed out.

use serde_json::value::RawValue;
use walkies_core::sync::wire::{
    MIN_SCHEMA, Mutation, Outcome, OutcomeKind, PUSH_LIMIT, PullRequest, PullResponse, PushRequest,
    PushResponse, SCHEMA, WireRow,
};
use walkies_core::{Id, Refusal, Row};

use crate::db;
use crate::env::sha256;
use crate::error::AppError;
use crate::execute::{Executed, Key, Order, Source, execute};
use crate::session::SitterUser;
use crate::state::App;
use crate::zone;

/// Takes saved commands, in order, until one cannot be decided now.
pub async fn push(
    app: &App,
    sitter: &SitterUser,
    request: PushRequest,
) -> Result<PushResponse, AppError> {
    if request.schema < MIN_SCHEMA {
        return Err(AppError::UpdateRequired);
    }
    if PUSH_LIMIT < request.mutations.len() {
        return Err(AppError::Malformed(format!(
            "at most {PUSH_LIMIT} mutations are pushed at once"
        )));
    }
    let first = request.mutations.first().map(|it| it.id);
    if request.backend_id.is_some_and(|it| it != app.backend_id) {
        // The phone's place in its queue means nothing here. Its next pull says so, and it starts over.
        return Ok(PushResponse {
            results: Vec::new(),
            stopped_at: first,
        });
    }
    let mut results = Vec::new();
    for mutation in request.mutations {
        let id = mutation.id;
        match push_one(app, sitter, request.device_id, mutation).await {
            Ok(Some(outcome)) => results.push(outcome),
            Ok(None) => {
                return Ok(PushResponse {
                    results,
                    stopped_at: Some(id),
                });
            }
            // What was decided before it is told; it and what follows is sent again.
            Err(AppError::Unavailable(error)) if !results.is_empty() => {
                tracing::warn!(error = format!("{error:#}"), "a push stopped half way");
                return Ok(PushResponse {
                    results,
                    stopped_at: Some(id),
                });
            }
            Err(error) => return Err(error),
        }
    }
    Ok(PushResponse {
        results,
        stopped_at: None,
    })
}

/// Decides one; `None` where it cannot be decided now.
async fn push_one(
    app: &App,
    sitter: &SitterUser,
    device_id: Id,
    mutation: Mutation,
) -> Result<Option<Outcome>, AppError> {
    let Mutation {
        id,
        seq,
        v,
        made_at,
        base_rev,
        ..
    } = mutation;
    let asked = format!("{} {}", mutation.name, mutation.args);
    let command = match mutation.command() {
        Ok(command) => Ok(command),
        // A newer phone's command may be understood after an update of this server.
        Err(_) if SCHEMA < v => return Ok(None),
        Err(error) => {
            tracing::error!(%id, name = mutation.name, %error, "a phone's command cannot be read");
            Err(Refusal::Invalid { fields: Vec::new() })
        }
    };
    let order = Order {
        sitter_id: sitter.sitter_id,
        user_id: sitter.user_id,
        command,
        key: Some(Key {
            id: id.to_string(),
            args_hash: sha256(asked.as_bytes()),
        }),
        source: Source::Push {
            device_id,
            seq,
            made_at,
            base_rev,
        },
    };
    Ok(match execute(app, &order).await? {
        Executed::Decided {
            rev,
            decided: Ok(decision),
            ..
        } => Some(Outcome::done(id, decision.adjustments, rev)),
        Executed::Decided {
            rev,
            decided: Err(refusal),
            ..
        } => Some(Outcome::refused(id, refusal, rev)),
        Executed::Known(known) => Some(outcome(&known)?),
        Executed::OutOfOrder => None,
    })
}

fn outcome(mutation: &db::Mutation) -> Result<Outcome, AppError> {
    let unreadable = |error: serde_json::Error| AppError::Internal(error.into());
    let read = |text: &Option<String>| text.as_deref().map(serde_json::from_str).transpose();
    Ok(Outcome {
        id: mutation.id.parse().map_err(|_| AppError::KeyReused)?,
        outcome: match mutation.outcome.as_str() {
            "applied" => OutcomeKind::Applied,
            "adjusted" => OutcomeKind::Adjusted,
            _ => OutcomeKind::Rejected,
        },
        refusal: read(&mutation.refusal).map_err(unreadable)?,
        adjustments: mutation
            .adjustments
            .as_deref()
            .map(serde_json::from_str)
            .transpose()
            .map_err(unreadable)?
            .unwrap_or_default(),
        rev: mutation.rev,
    })
}

/// A page of what changed, read in one transaction.
pub async fn pull(
    app: &App,
    sitter: &SitterUser,
    request: &PullRequest,
) -> Result<PullResponse, AppError> {
    if request.schema < MIN_SCHEMA {
        return Err(AppError::UpdateRequired);
    }
    let sitter_id = sitter.sitter_id;
    // Most pulls find nothing new, and need not begin a transaction for it.
    let state = db::feed_state(&mut app.db.glance().await?, sitter_id).await?;
    if let Some(state) = state
        && state.rev == request.cursor
        && !starts_over(app, request, state)
    {
        return Ok(page(app, request.cursor, state, false));
    }
    let mut tx = app.db.read().await?;
    let Some(state) = db::feed_state(&mut tx, sitter_id).await? else {
        tx.commit().await?;
        return Err(AppError::TokenExpired);
    };
    let reset = starts_over(app, request, state);
    let from = if reset { 0 } else { request.cursor };
    let mut response = page(app, from, state, reset);
    // A reset comes whole: the cursor of its second page could not be told from that of a phone that is far behind.
    if !reset
        && let Some(end) = db::page_end(
            &mut tx,
            sitter_id,
            from,
            request.device_id,
            app.settings.page_size,
        )
        .await?
    {
        response.next = end;
        response.more = end < state.rev;
    }
    let mut rows = db::rows_between(&mut tx, sitter_id, from, response.next).await?;
    let tombstones = if from == 0 {
        Vec::new()
    } else {
        db::tombstones_between(&mut tx, sitter_id, from, response.next).await?
    };
    let mutations =
        db::mutations_between(&mut tx, sitter_id, request.device_id, from, response.next).await?;
    tx.commit().await?;

    rows.sort_by_key(|it| it.rev);
    for stored in rows {
        if let Row::Sitter(sitter) = &stored.row {
            response.zone = zone::for_phone(&sitter.time_zone);
        }
        let key = stored.row.key();
        let json = stored.row.json().and_then(RawValue::from_string);
        response.rows.push(WireRow {
            t: key.table.name().to_owned(),
            id: key.id,
            rev: stored.rev,
            del: false,
            d: Some(json.map_err(|it| AppError::Internal(it.into()))?),
        });
    }
    response
        .rows
        .extend(tombstones.into_iter().map(|it| WireRow {
            t: it.table_name,
            id: it.id,
            rev: it.rev,
            del: true,
            d: None,
        }));
    // Of a row that was deleted and came back, the newer word must come last.
    response.rows.sort_by_key(|it| it.rev);
    response.outcomes = mutations.iter().map(outcome).collect::<Result<_, _>>()?;
    Ok(response)
}

/// Whether what the phone knows cannot be added to: it is of another database, of another view of this one, or
/// older than the tombstones.
fn starts_over(app: &App, request: &PullRequest, state: db::FeedState) -> bool {
    let is_elsewhere = request.backend_id != Some(app.backend_id)
        || request.epoch != Some(state.epoch)
        || state.rev < request.cursor;
    (request.cursor != 0 && is_elsewhere) || request.cursor < state.tombstone_floor
}

/// An empty page up to the last revision.
fn page(app: &App, from: u64, state: db::FeedState, reset: bool) -> PullResponse {
    PullResponse {
        from,
        rows: Vec::new(),
        outcomes: Vec::new(),
        next: state.rev,
        more: false,
        reset,
        epoch: state.epoch,
        backend_id: app.backend_id,
        min_schema: MIN_SCHEMA,
        zone: None,
    }
}
