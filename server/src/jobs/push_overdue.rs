//! Owns that a sitter is told of a visit that is overdue, once, and that this is taken back as soon as it is no longer
//! true.

use walkies_core::rows::client::Client;
use walkies_core::rows::service::Service;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::overdue::{LATE_MINUTES, Lateness, told_lateness};
use walkies_core::rules::push::{Appointment, Notice};
use walkies_core::values::bounds;
use walkies_core::values::instant::MS_PER_MINUTE;
use walkies_core::values::push::PushKind;
use walkies_core::{Business, Date, Id, Instant, Now, Row, Time};

use crate::app::state::App;
use crate::app::zone;
use crate::db::{self, OpenVisit, PushAudience, StartSpan, Tx};
use crate::write::notify::notices::about_service;
use crate::write::notify::notify;

/// So much longer than the longest visit a start may be over: a server that was down does not tell of days that are gone.
const MORE_MS: i64 = 60 * MS_PER_MINUTE;
/// So many go in one transaction, so that others write in between.
const AT_ONCE: u32 = 50;

/// Tells of what is overdue, and takes back what is no longer.
pub async fn tell_once(app: &App) -> sqlx::Result<()> {
    let at = app.now();
    for (name, zone) in zone::of_businesses(app).await? {
        let now = Now { at, zone };
        for span in spans(&now, &name) {
            tell_of_span(app, &now, &span).await?;
        }
    }
    take_back(app, at).await
}

/// Starts by the wall clock of a zone of visits that may be overdue now and were not an hour ago: of today, and of yesterday
/// where midnight was not long ago.
fn spans(now: &Now, name: &str) -> Vec<StartSpan> {
    let longest = i64::from(bounds::DURATION_LIMIT_MINUTES) + LATE_MINUTES;
    let from = Instant(now.at.0 - longest * MS_PER_MINUTE - MORE_MS);
    let (first, after) = from.civil(&now.zone);
    let (last, until) = Instant(now.at.0 - LATE_MINUTES * MS_PER_MINUTE).civil(&now.zone);
    let span = |date: Date, after: Option<Time>, until: Option<Time>| StartSpan {
        time_zone: name.to_owned(),
        date,
        after,
        until,
    };
    match first == last {
        true => vec![span(last, Some(after), Some(until))],
        false => vec![
            span(first, Some(after), None),
            span(last, None, Some(until)),
        ],
    }
}

async fn tell_of_span(app: &App, now: &Now, span: &StartSpan) -> sqlx::Result<()> {
    let mut after: Option<OpenVisit> = None;
    loop {
        let mut read = app.db.read_autocommit().await?;
        let found = db::open_visits(&mut read, span, after.as_ref(), AT_ONCE).await?;
        let mut due = Vec::new();
        for visit in &found {
            let late = overdue(&mut read, (visit.sitter_id, visit.id), now).await?;
            due.extend(late.map(|it| (visit, it.0)));
        }
        drop(read);
        if !due.is_empty() {
            let mut tx = app.db.write().await?;
            for (visit, service) in due {
                // INVARIANT: Of a visit that is overdue a sitter is told once. Several processes may look at the same moment.
                if !db::claim_overdue(&mut tx, visit).await? {
                    continue;
                }
                let notice = about_service(PushKind::VisitOverdue, visit.sitter_id, &service);
                let audience = PushAudience::Sitter(visit.sitter_id);
                notify(app, &mut tx, audience, &notice, now.at).await?;
            }
            tx.flush().await?;
            tx.commit().await?;
            app.push_queued.notify_one();
        }
        after = found.last().cloned();
        if found.len() < AT_ONCE as usize {
            return Ok(());
        }
    }
}

/// The visit with its lateness, if the sitter is told of it; `now` is in the zone of the sitter.
pub(super) async fn overdue(
    tx: &mut Tx,
    (sitter_id, id): (Id, Id),
    now: &Now,
) -> sqlx::Result<Option<(Service, Lateness)>> {
    let Some(service) = db::select_one::<Service>(tx, sitter_id, id).await? else {
        return Ok(None);
    };
    let service = service.row;
    let mut business = Business::default();
    if let Some(sitter) = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await? {
        business.put(0, Row::Sitter(sitter.row));
    }
    if let Some(client) = db::select_one::<Client>(tx, sitter_id, service.client_id).await? {
        business.put(0, Row::Client(client.row));
    }
    let late = told_lateness(&business, &service, now);
    Ok(late.map(|it| (service, it)))
}

async fn take_back(app: &App, at: Instant) -> sqlx::Result<()> {
    loop {
        let changed = db::changed_overdue(&mut app.db.read_autocommit().await?, AT_ONCE).await?;
        if changed.is_empty() {
            return Ok(());
        }
        let mut tx = app.db.write().await?;
        for visit in &changed {
            if !db::take_back_overdue(&mut tx, visit, at).await? {
                continue;
            }
            let service = db::select_one::<Service>(&mut tx, visit.sitter_id, visit.id).await?;
            let mut service = service.map_or_else(|| Service::new(visit.id, at), |it| it.row);
            service.client_id = visit.client_id;
            (service.date, service.start_time) = (visit.date, visit.start_time);
            let notice = Notice {
                is_withdrawn: true,
                appointment: Some(Appointment::from(&service)),
                ..about_service(PushKind::VisitOverdue, visit.sitter_id, &service)
            };
            let audience = PushAudience::Sitter(visit.sitter_id);
            notify(app, &mut tx, audience, &notice, at).await?;
        }
        tx.flush().await?;
        tx.commit().await?;
        app.push_queued.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use walkies_core::values::zone::TimeZone;

    #[test]
    fn after_midnight_visits_of_last_night_are_looked_at_too() {
        let spans = |at: &str| {
            let now = Now {
                at: at.parse().unwrap(),
                zone: TimeZone::UTC,
            };
            let spans = spans(&now, "UTC").into_iter();
            let text = |it: Option<Time>| it.map(|it| it.to_string()).unwrap_or_default();
            spans
                .map(|it| format!("{} {}-{}", it.date, text(it.after), text(it.until)))
                .collect::<Vec<_>>()
        };
        assert_eq!(spans("2026-11-20T12:00:00Z"), ["2026-11-20 02:45-11:45"]);
        assert_eq!(
            spans("2026-11-20T01:00:00Z"),
            ["2026-11-19 15:45-", "2026-11-20 -00:45"]
        );
    }
}
