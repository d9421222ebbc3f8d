//! Bookings that repeat.

use axum::extract::State;
use axum::http::Method;
use axum::response::Response;
use walkies_core::commands::{
    ChangeSeries, CreateSeries, DeleteSeries, EndSeries, LeaveOutDate, PauseSeries, RestoreSeries,
    ResumeSeries, SettleSeriesDates,
};
use walkies_core::rows::series::{Series, SeriesPlan};
use walkies_core::{Command, Id};

use super::{command, removed, revised};
use crate::app::session::SitterUser;
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::base::page::Page;
use crate::db;
use crate::http::route::{Access, Route, get};
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
            "Books a series, and makes its visits of the next twelve weeks, or all of one with an end up to a year; \
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
        .body_of(|it| it.subset_of::<SeriesPlan>(SeriesPlan::EDITABLE))
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
        .body_of(|it| it.of::<ChangeSeries>())
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
        .body_of(|it| it.of::<LeaveOutDate>())
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
        .body_of(|it| it.of::<PauseSeries>())
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
        .body_of(|it| it.of::<ResumeSeries>())
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
        .body_of(|it| it.of::<EndSeries>())
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
        .body_of(|it| it.of::<SettleSeriesDates>())
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
                }))
            },
        )
        .body_of(|it| it.of::<RestoreSeries>())
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
