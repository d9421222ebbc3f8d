//! When a sitter works: patterns, blocked times, slot settings.

use axum::extract::State;
use axum::http::Method;
use axum::response::Response;
use serde_json::{Value, json};
use walkies_core::Command;
use walkies_core::commands::{
    CreateBlockedTime, CreatePattern, DeleteBlockedTime, DeletePattern, TakeTimeOff, TimeOffChoice,
    TimeOffMessage, UndoTimeOff, UpdateAvailabilityConfig, UpdatePattern,
};
use walkies_core::rows::availability_config::AvailabilityConfig;
use walkies_core::rows::blocked_time::BlockedTime;
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::availability::order_of_block;
use walkies_core::values::field::plain;
use walkies_core::values::patch::Patch;

use super::services::now;
use super::{command, removed, revised, with_fields};
use crate::app::session::SitterUser;
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db;
use crate::http::form::Form;
use crate::http::route::{Access, Route, Schemas, get, route};
use crate::write::answer::{Answer, Revised, ok, ok_list};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/availability/patterns",
            Access::Sitter,
            "The weekly hours",
            list_patterns,
        )
        .list_of(revised::<Pattern>),
        command(
            Method::POST,
            "/availability/patterns",
            "Adds hours of a weekday",
            |form| {
                Ok(Command::CreatePattern(CreatePattern {
                    id: form.id,
                    pattern: form.patch(),
                }))
            },
        )
        .statuses(&[201])
        .body_of(|it| it.subset_of::<Pattern>(Pattern::EDITABLE))
        .answer_of(revised::<Pattern>),
        command(
            Method::PUT,
            "/availability/patterns/{id}",
            "Changes hours",
            |form| {
                Ok(Command::UpdatePattern(UpdatePattern {
                    id: form.id,
                    changes: form.patch(),
                }))
            },
        )
        .body_of(|it| it.subset_of::<Pattern>(Pattern::EDITABLE))
        .answer_of(revised::<Pattern>),
        command(
            Method::DELETE,
            "/availability/patterns/{id}",
            "Deletes hours",
            |form| Ok(Command::DeletePattern(DeletePattern { id: form.id })),
        )
        .answer_of(removed),
        route(
            Method::PATCH,
            "/availability/patterns/{id}/toggle",
            Access::Sitter,
            "Turns hours on or off; without a body, the other way round",
            toggle_pattern,
        )
        .command()
        .body_of(
            |_| json!({ "type": "object", "properties": { "is_active": { "type": "boolean" } } }),
        )
        .answer_of(revised::<Pattern>),
        get(
            "/availability/blocked-times",
            Access::Sitter,
            "The blocked times",
            list_blocked_times,
        )
        .list_of(revised::<BlockedTime>),
        command(
            Method::POST,
            "/availability/blocked-times",
            "Blocks a time",
            |form| {
                Ok(Command::CreateBlockedTime(CreateBlockedTime {
                    id: form.id,
                    blocked_time: form.patch(),
                }))
            },
        )
        .statuses(&[201])
        .body_of(|it| it.subset_of::<BlockedTime>(BlockedTime::EDITABLE))
        .answer_of(revised::<BlockedTime>),
        command(
            Method::POST,
            "/availability/time-off",
            "Blocks a time and decides on the visits in it, with messages to their clients; a message is sent only if all \
             that was decided for its client came true",
            |form| {
                Ok(Command::TakeTimeOff(TakeTimeOff {
                    id: form.id,
                    blocked_time: form.patch(),
                    visits: form.get("visits")?,
                    messages: form.get("messages")?,
                }))
            },
        )
        .statuses(&[201])
        .body_of(time_off_form)
        .answer_of(revised::<BlockedTime>),
        command(
            Method::POST,
            "/availability/time-off/{id}/undo",
            "Undoes a time off: the time is free again, and the visits come back as they were; messages that were sent stay",
            |form| {
                Ok(Command::UndoTimeOff(UndoTimeOff {
                    id: form.id,
                    visits: form.get("visits")?,
                }))
            },
        )
        .body_of(|it| it.subset_of::<UndoTimeOff>(&[plain("visits")]))
        .answer_of(removed),
        command(
            Method::DELETE,
            "/availability/blocked-times/{id}",
            "Frees a blocked time",
            |form| {
                Ok(Command::DeleteBlockedTime(DeleteBlockedTime {
                    id: form.id,
                }))
            },
        )
        .answer_of(removed),
        get(
            "/availability/config",
            Access::Sitter,
            "The slot settings",
            read_config,
        )
        .answer_of(revised::<AvailabilityConfig>),
        command(
            Method::PUT,
            "/availability/config",
            "Changes the slot settings",
            |form| {
                Ok(Command::UpdateAvailabilityConfig(
                    UpdateAvailabilityConfig {
                        changes: form.patch(),
                    },
                ))
            },
        )
        .body_of(|it| it.subset_of::<AvailabilityConfig>(AvailabilityConfig::EDITABLE))
        .answer_of(revised::<AvailabilityConfig>),
    ]
}

fn time_off_form(schemas: &mut Schemas) -> Value {
    let visits = schemas.of::<TimeOffChoice>();
    let messages = schemas.of::<TimeOffMessage>();
    let own = json!({
        "id": { "type": "string", "format": "uuid" },
        "visits": { "type": "array", "items": visits },
        "messages": { "type": "array", "items": messages },
    });
    with_fields(schemas.subset_of::<BlockedTime>(BlockedTime::EDITABLE), own)
}

async fn list_patterns(
    State(app): State<AppState>,
    sitter: SitterUser,
    page: Page,
) -> Result<Response, AppError> {
    let order = "ORDER BY day_of_week, start_time, id";
    let mut tx = app.db.read_autocommit().await?;
    let patterns = db::select::<Pattern>(&mut tx, sitter.sitter_id, order, &[]).await?;
    let patterns: Vec<Revised<Pattern>> = patterns.into_iter().map(Revised::from).collect();
    drop(tx);
    ok_list(patterns, page).await
}

async fn toggle_pattern(
    State(app): State<AppState>,
    sitter: SitterUser,
    form: Form,
) -> Result<Response, AppError> {
    let is_active = match form.get::<Option<bool>>("is_active")? {
        Some(is_active) => is_active,
        None => {
            let mut tx = app.db.read_autocommit().await?;
            let pattern = db::select_one::<Pattern>(&mut tx, sitter.sitter_id, form.id).await?;
            !pattern.ok_or(AppError::NotFound)?.row.is_active
        }
    };
    let command = Command::UpdatePattern(UpdatePattern {
        id: form.id,
        changes: Patch::of("is_active", is_active),
    });
    form.submit(sitter.into(), command).await
}

async fn list_blocked_times(
    State(app): State<AppState>,
    sitter: SitterUser,
    page: Page,
) -> Result<Response, AppError> {
    let id = sitter.sitter_id;
    let mut tx = app.db.read().await?;
    let owner = db::select_one::<Sitter>(&mut tx, id, id).await?;
    let mut blocks = db::select::<BlockedTime>(&mut tx, id, "", &[]).await?;
    tx.commit().await?;
    let today = now(&app, owner.as_ref().map(|it| &it.row)).today();
    blocks.sort_by_cached_key(|it| order_of_block(&it.row, today));
    let blocks: Vec<Revised<BlockedTime>> = blocks.into_iter().map(Revised::from).collect();
    ok_list(blocks, page).await
}

async fn read_config(State(app): State<AppState>, sitter: SitterUser) -> Result<Answer, AppError> {
    let id = sitter.sitter_id;
    let mut tx = app.db.read_autocommit().await?;
    let config = db::select_one::<AvailabilityConfig>(&mut tx, id, id).await?;
    config
        .map(|it| ok(Revised::from(it)))
        .ok_or(AppError::NotFound)
}
