//! Owns who is told that a service begins soon: once for each time that it begins, by whichever process looks first.

use std::time::Duration;

use walkies_core::rules::push::{Appointment, Notice, ttl_seconds};
use walkies_core::values::push::PushKind;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Date, Instant, Time};

use crate::app::state::App;
use crate::app::zone;
use crate::base::log::redacted;
use crate::db::{self, DueService, PushAudience, StartSpan};
use crate::jobs::push_overdue;
use crate::write::notify::notify_until;

/// How long before its start a service is told of: as long as the notice is worth anything.
const AHEAD_MS: i64 = ttl_seconds(PushKind::UpcomingService) as i64 * 1000;
/// A start is told of at most so much later.
const EVERY: Duration = Duration::from_secs(60);
/// So many go in one transaction, so that others write in between.
const AT_ONCE: u32 = 50;

/// Tells of what begins soon and of what is overdue, for ever.
pub async fn remind(app: &App) {
    loop {
        if let Err(error) = remind_once(app).await {
            tracing::warn!(
                error = redacted(&error),
                "what begins soon cannot be looked at"
            );
        }
        if let Err(error) = push_overdue::tell_once(app).await {
            tracing::warn!(error = redacted(&error), "cannot load overdue visits");
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Tells of what begins soon.
pub async fn remind_once(app: &App) -> sqlx::Result<()> {
    let now = app.now();
    for (name, zone) in zone::of_businesses(app).await? {
        for span in spans(now, &zone, &name) {
            remind_of_span(app, now, &zone, &span).await?;
        }
    }
    Ok(())
}

/// The starts by the wall clock of that zone that are due now: of today, and of tomorrow where midnight is near.
fn spans(now: Instant, zone: &TimeZone, name: &str) -> Vec<StartSpan> {
    let ((today, from), (end, to)) = (now.civil(zone), Instant(now.0 + AHEAD_MS).civil(zone));
    let span = |date: Date, after: Option<Time>, until: Option<Time>| StartSpan {
        time_zone: name.to_owned(),
        date,
        after,
        until,
    };
    match today == end {
        true => vec![span(today, Some(from), Some(to))],
        false => vec![span(today, Some(from), None), span(end, None, Some(to))],
    }
}

async fn remind_of_span(
    app: &App,
    now: Instant,
    zone: &TimeZone,
    span: &StartSpan,
) -> sqlx::Result<()> {
    loop {
        let found = db::due_services(&mut app.db.read_autocommit().await?, span, AT_ONCE).await?;
        if found.is_empty() {
            return Ok(());
        }
        let mut tx = app.db.write().await?;
        for due in &found {
            // INVARIANT: Of a start nobody is told twice. Several processes may look at the same moment.
            if !db::claim_reminder(&mut tx, due).await? {
                continue;
            }
            let start = Instant::from_civil(due.date, due.start_time, zone);
            for audience in audiences(due) {
                notify_until(app, &mut tx, audience, &notice(due), now, start).await?;
            }
        }
        tx.flush().await?;
        tx.commit().await?;
        app.push_queued.notify_one();
    }
}

const fn audiences(due: &DueService) -> [PushAudience; 2] {
    let (sitter_id, client_id) = (due.sitter_id, due.client_id);
    let clients = PushAudience::ClientUsers {
        sitter_id,
        client_id,
    };
    [PushAudience::Sitter(sitter_id), clients]
}

fn notice(due: &DueService) -> Notice {
    Notice {
        appointment: Some(Appointment {
            service_type: due.service_type,
            is_stay: due.is_stay,
            date: due.date,
            start_time: due.start_time,
            // Looked up when it is told.
            window: None,
        }),
        ..Notice::of(
            PushKind::UpcomingService,
            due.sitter_id,
            due.client_id,
            due.id,
        )
    }
}
