//! Owns which visits may be overdue, and of which of them sitters were told.

use walkies_core::{Date, Id, Instant, Time};

use super::reminder::StartSpan;
use crate::db::engine::{Column, DbRow, Tx};

/// A visit that is not done, as a sitter may be told or was told of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenVisit {
    /// The id of the business.
    pub sitter_id: Id,
    /// The id of the service.
    pub id: Id,
    /// The client whose service it is.
    pub client_id: Id,
    /// The day on which it begins.
    pub date: Date,
    /// When it begins.
    pub start_time: Time,
    /// JSON of how far it has come; empty where nothing was noted.
    pub progress: String,
}

/// Lists open visits with a start in that span, of which the sitter was not told and can be told; a page of at most
/// `most` by start, behind the visit `after`.
pub async fn open_visits(
    tx: &mut Tx,
    span: &StartSpan,
    after: Option<&OpenVisit>,
    most: u32,
) -> sqlx::Result<Vec<OpenVisit>> {
    let text = |time: Option<Time>, none: &str| time.map_or(none.to_owned(), |it| it.to_string());
    let (start, sitter_id, id) = after.map_or_else(Default::default, |it| {
        let ids = (it.sitter_id.to_string(), it.id.to_string());
        (it.start_time.to_string(), ids.0, ids.1)
    });
    let args = [
        span.date.arg(),
        text(span.after, "").arg(),
        text(span.until, "24:00").arg(),
        span.time_zone.clone().arg(),
        start.arg(),
        sitter_id.arg(),
        id.arg(),
        most.arg(),
    ];
    tx.fetch_all(SELECT_OPEN, args, read).await
}

fn read(row: &dyn DbRow) -> sqlx::Result<OpenVisit> {
    Ok(OpenVisit {
        sitter_id: Column::get(row, "sitter_id")?,
        id: Column::get(row, "id")?,
        client_id: Column::get(row, "client_id")?,
        date: Column::get(row, "date")?,
        start_time: Column::get(row, "start_time")?,
        progress: Column::get(row, "progress")?,
    })
}

const SELECT_OPEN: &str = "SELECT service.sitter_id, service.id, service.client_id, service.date, service.start_time, \
    COALESCE(service.progress, '') AS progress FROM service JOIN profile ON profile.sitter_id = service.sitter_id \
    WHERE service.status = 'scheduled' AND service.end_date IS NULL \
    AND service.date = $1 AND service.start_time > $2 AND service.start_time <= $3 AND profile.time_zone = $4 \
    AND (service.start_time, service.sitter_id, service.id) > ($5, $6, $7) \
    AND NOT EXISTS (SELECT 1 FROM service_overdue told WHERE told.sitter_id = service.sitter_id \
    AND told.service_id = service.id AND told.date = service.date) \
    AND EXISTS (SELECT 1 FROM user_account JOIN push_subscription ON push_subscription.user_id = user_account.id \
    WHERE user_account.sitter_id = service.sitter_id) \
    ORDER BY service.start_time, service.sitter_id, service.id LIMIT $8";

/// Notes that the sitter is told that this visit is overdue; `false` where somebody else has done so.
pub async fn claim_overdue(tx: &mut Tx, visit: &OpenVisit) -> sqlx::Result<bool> {
    let args = [
        visit.sitter_id.arg(),
        visit.id.arg(),
        visit.client_id.arg(),
        visit.date.arg(),
        visit.start_time.arg(),
        visit.progress.arg(),
    ];
    Ok(tx.execute(CLAIM, args).await? == 1)
}

const CLAIM: &str = "INSERT INTO service_overdue (sitter_id, service_id, client_id, date, start_time, progress) \
    VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (sitter_id, service_id) DO UPDATE SET client_id = excluded.client_id, \
    date = excluded.date, start_time = excluded.start_time, progress = excluded.progress, taken_back_at_ms = NULL \
    WHERE service_overdue.date <> excluded.date";

/// Lists visits of which the sitter was told and that have changed since: at most `most`, as they were then.
pub async fn changed_overdue(tx: &mut Tx, most: u32) -> sqlx::Result<Vec<OpenVisit>> {
    tx.fetch_all(SELECT_CHANGED, [most.arg()], read).await
}

const SELECT_CHANGED: &str = "SELECT told.sitter_id, told.service_id AS id, told.client_id, told.date, told.start_time, \
    told.progress FROM service_overdue told \
    LEFT JOIN service ON service.sitter_id = told.sitter_id AND service.id = told.service_id \
    WHERE told.taken_back_at_ms IS NULL AND (service.id IS NULL OR service.status <> 'scheduled' \
    OR service.date <> told.date OR service.start_time <> told.start_time \
    OR COALESCE(service.progress, '') <> told.progress) ORDER BY told.sitter_id, told.service_id LIMIT $1";

/// Notes that the notification of this visit is taken back; `false` where somebody else has done so.
pub async fn take_back_overdue(tx: &mut Tx, visit: &OpenVisit, now: Instant) -> sqlx::Result<bool> {
    let args = [visit.sitter_id.arg(), visit.id.arg(), now.arg()];
    Ok(tx.execute(TAKE_BACK, args).await? == 1)
}

const TAKE_BACK: &str = "UPDATE service_overdue SET taken_back_at_ms = $3 \
    WHERE sitter_id = $1 AND service_id = $2 AND taken_back_at_ms IS NULL";

/// Forgets visits of before that day.
pub async fn collect_overdue(tx: &mut Tx, before: Date) -> sqlx::Result<()> {
    tx.defer(DELETE_OLD, [before.arg()]).await
}

const DELETE_OLD: &str = "DELETE FROM service_overdue WHERE date < $1";
