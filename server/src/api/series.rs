//! Bookings that repeat.

use axum::extract::State;
use axum::http::Method;
use axum::response::Response;
use serde_json::{Value, json};
use walkies_core::commands::{
    ChangeSeries, ChangeTrip, CreateSeries, DateChoice, DeleteSeries, EndSeries, LeaveOutDate,
    MakeSeriesDate, PauseSeries, RestoreSeries, ResumeSeries, SettleSeriesDates,
};
use walkies_core::rows::series::{Series, SeriesPlan};
use walkies_core::{Command, Id};

use super::{command, part_of, removed, revised, with_fields};
use crate::app::session::SitterUser;
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db;
use crate::http::route::{Access, Route, Schemas, get};
use crate::write::answer::{Revised, ok_list};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/series",
            Access::Sitter,
            "The bookings that repeat, the newest first",
            list,
        )
        .list_of(revised::<Series>),
        command(
            Method::POST,
            "/series",
            "Books a series, and makes its visits of the next twelve weeks, or as many as the settings say, or all of one with an end up to a year; \
             `choices` says what is to become of dates whose time is taken",
            |form| {
                Ok(Command::CreateSeries(CreateSeries {
                    id: form.id,
                    series: form.patch(),
                    choices: form.get("choices")?,
                }))
            },
        )
        .statuses(&[201])
        .body_of(plan_form)
        .answer_of(revised::<Series>),
        command(
            Method::PUT,
            "/series/{id}",
            "Changes what holds of a series from a day on; completed, invoiced and paid visits stay as they are",
            |form| {
                Ok(Command::ChangeSeries(ChangeSeries {
                    id: form.id,
                    from: form.get("from")?,
                    changes: form.get("changes")?,
                    slots: form.get("slots")?,
                    removed_slots: form.get("removed_slots")?,
                    replaces_own: form.get("replaces_own")?,
                    choices: form.get("choices")?,
                }))
            },
        )
        .body_of(|it| part_of::<ChangeSeries>(it, &["from", "changes", "slots", "removed_slots", "replaces_own", "choices"]))
        .answer_of(revised::<Series>),
        command(
            Method::POST,
            "/series/{id}/leave-out",
            "Leaves out a date of a series, or one time of it",
            |form| {
                Ok(Command::LeaveOutDate(LeaveOutDate {
                    id: form.id,
                    date: form.get("date")?,
                    slot: form.get("slot")?,
                }))
            },
        )
        .body_of(|it| part_of::<LeaveOutDate>(it, &["date", "slot"]))
        .answer_of(revised::<Series>),
        command(
            Method::POST,
            "/series/{id}/pauses",
            "Pauses a series",
            |form| {
                let pause_id: Option<Id> = form.get("pause_id")?;
                Ok(Command::PauseSeries(PauseSeries {
                    id: form.id,
                    pause_id: pause_id.unwrap_or_else(|| form.app.env.id()),
                    from: form.get("from")?,
                    to: form.get("to")?,
                    reason: form.get("reason")?,
                }))
            },
        )
        .body_of(|it| part_of::<PauseSeries>(it, &["pause_id", "from", "to", "reason"]))
        .answer_of(revised::<Series>),
        command(
            Method::POST,
            "/series/{id}/pauses/{pause_id}/end",
            "Ends a pause of a series; without a date it is taken back whole",
            |form| {
                Ok(Command::ResumeSeries(ResumeSeries {
                    id: form.id,
                    pause_id: form.part_id.ok_or(AppError::NotFound)?,
                    on: form.get("on")?,
                    choices: form.get("choices")?,
                }))
            },
        )
        .body_of(|it| part_of::<ResumeSeries>(it, &["on", "choices"]))
        .answer_of(revised::<Series>),
        command(
            Method::POST,
            "/series/{id}/end",
            "Says when a series ends, or that it goes on",
            |form| {
                Ok(Command::EndSeries(EndSeries {
                    id: form.id,
                    end: form.get("end")?,
                    choices: form.get("choices")?,
                }))
            },
        )
        .body_of(|it| part_of::<EndSeries>(it, &["end", "choices"]))
        .answer_of(revised::<Series>),
        command(
            Method::POST,
            "/series/{id}/trip",
            "Changes the days, the stay or the agreed total of a trip; its first and its last day keep their times unless \
             `changes` has others",
            |form| {
                Ok(Command::ChangeTrip(ChangeTrip {
                    id: form.id,
                    begins: form.get("begins")?,
                    ends: form.get("ends")?,
                    changes: form.get("changes")?,
                    choices: form.get("choices")?,
                }))
            },
        )
        .body_of(|it| part_of::<ChangeTrip>(it, &["begins", "ends", "changes", "choices"]))
        .answer_of(revised::<Series>),
        command(
            Method::POST,
            "/series/{id}/settle",
            "Decides on visits of a series whose time is taken",
            |form| {
                Ok(Command::SettleSeriesDates(SettleSeriesDates {
                    id: form.id,
                    choices: form.get("choices")?,
                }))
            },
        )
        .body_of(|it| part_of::<SettleSeriesDates>(it, &["choices"]))
        .answer_of(revised::<Series>),
        command(
            Method::POST,
            "/series/{id}/make",
            "Makes one visit that a series has planned beyond the weeks ahead",
            |form| {
                Ok(Command::MakeSeriesDate(MakeSeriesDate {
                    id: form.id,
                    date: form.get("date")?,
                    slot: form.get("slot")?,
                    overlap_ok: form.get("overlap_ok")?,
                }))
            },
        )
        .body_of(|it| part_of::<MakeSeriesDate>(it, &["date", "slot", "overlap_ok"]))
        .answer_of(revised::<Series>),
        command(
            Method::POST,
            "/series/{id}/restore",
            "Undoes a change of a series: what is named is again as it was",
            |form| {
                Ok(Command::RestoreSeries(RestoreSeries {
                    id: form.id,
                    end: form.get("end")?,
                    phases: form.get("phases")?,
                    pauses: form.get("pauses")?,
                    put_back: form.get("put_back")?,
                    left_out: form.get("left_out")?,
                    own: form.get("own")?,
                    waiting: form.get("waiting")?,
                    stood: form.get("stood")?,
                    unmade: form.get("unmade")?,
                    overlapping: form.get("overlapping")?,
                    trip: form.get("trip")?,
                }))
            },
        )
        .body_of(|it| part_of::<RestoreSeries>(it, &["end", "phases", "pauses", "put_back", "left_out", "own", "waiting", "stood", "unmade", "overlapping", "trip"]))
        .answer_of(revised::<Series>),
        command(
            Method::DELETE,
            "/series/{id}",
            "Undoes the booking of a series: it goes, with its visits that are to come",
            |form| Ok(Command::DeleteSeries(DeleteSeries { id: form.id })),
        )
        .answer_of(removed),
    ]
}

fn plan_form(schemas: &mut Schemas) -> Value {
    let choices = schemas.of::<DateChoice>();
    let own = json!({
        "id": { "type": "string", "format": "uuid" },
        "choices": { "type": "array", "items": choices },
    });
    with_fields(schemas.subset_of::<SeriesPlan>(SeriesPlan::EDITABLE), own)
}

async fn list(
    State(app): State<AppState>,
    sitter: SitterUser,
    page: Page,
) -> Result<Response, AppError> {
    let order = "ORDER BY created_at_ms DESC, id DESC";
    let mut tx = app.db.read_autocommit().await?;
    let series = db::select::<Series>(&mut tx, sitter.sitter_id, order, &[]).await?;
    let series: Vec<Revised<Series>> = series.into_iter().map(Revised::from).collect();
    drop(tx);
    ok_list(series, page).await
}
