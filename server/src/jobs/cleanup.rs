//! Removes what was kept long enough: sessions, tombstones, records, deliveries that failed, files that no row names.

use std::time::Duration;

use walkies_core::rules::live_map::LIVE_MAP_NEWS_MS;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Date, Instant};

use crate::app::dropped_files::{
    remove_dropped_documents, remove_dropped_photos, remove_dropped_video_pieces,
};
use crate::app::session;
use crate::app::state::App;
use crate::base::log::redacted_chain;
use crate::base::metrics;
use crate::jobs::deleted_clients;
use crate::{archive, db, map};

const CLEAN_UP_EVERY: Duration = Duration::from_secs(60 * 60);
const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// A phone that was off for longer starts over.
const TOMBSTONE_DAYS: i64 = 180;
/// A command that comes again after so long is done again.
const RECORD_DAYS: i64 = 400;
/// So long, and the newest thousand, an operator finds mail that was given up.
const FAILED_MAIL_DAYS: i64 = 30;

/// The same of notifications.
const FAILED_PUSH_DAYS: i64 = 30;
/// Stripe reports an event again for three days, and what nobody paid on is open for hours.
const STRIPE_EVENT_DAYS: i64 = 30;
/// Nobody sees one of which nothing has come for this long.
const LIVE_MAP_MS: i64 = 2 * LIVE_MAP_NEWS_MS;
/// No walk goes on for so long, nor is an update of one on its way.
const FORGOTTEN_LIVE_MAP_MS: i64 = DAY_MS;
/// Whoever repeats a call that is no command does so within minutes.
const KEPT_ANSWER_DAYS: i64 = 7;

/// Whatever the zone, nothing that began on an earlier day begins soon.
fn reminders_from(now: Instant) -> Date {
    now.civil(&TimeZone::UTC).0.plus_days(-2)
}

/// Removes what was kept long enough, for ever.
pub async fn clean_up(app: &App) {
    loop {
        let cleaned = clean_up_once(app).await;
        metrics::job("clean_up", cleaned.is_ok());
        if let Err(error) = cleaned {
            tracing::warn!(
                error = redacted_chain(&error),
                "old records could not be removed"
            );
        }
        tokio::time::sleep(CLEAN_UP_EVERY).await;
    }
}

/// Removes what was kept long enough.
pub async fn clean_up_once(app: &App) -> anyhow::Result<()> {
    session::collect(app).await?;
    let now = app.now();
    let mut tx = app.db.write().await?;
    let tombstones = Instant(now.0 - TOMBSTONE_DAYS * DAY_MS);
    db::raise_tombstone_floors(&mut tx, tombstones).await?;
    db::collect_records(&mut tx, Instant(now.0 - RECORD_DAYS * DAY_MS)).await?;
    db::collect_upload_counts(&mut tx, now.0.div_euclid(DAY_MS)).await?;
    db::collect_failed_mail(&mut tx, Instant(now.0 - FAILED_MAIL_DAYS * DAY_MS)).await?;
    db::collect_mail_recipients(&mut tx, Instant(now.0 - RECORD_DAYS * DAY_MS)).await?;
    db::collect_reminders(&mut tx, reminders_from(now)).await?;
    db::collect_overdue(&mut tx, reminders_from(now)).await?;
    db::collect_event_mail(&mut tx, now).await?;
    db::collect_push(&mut tx, Instant(now.0 - FAILED_PUSH_DAYS * DAY_MS)).await?;
    let events = Instant(now.0 - STRIPE_EVENT_DAYS * DAY_MS);
    db::collect_billing_events(&mut tx, events).await?;
    let answers = Instant(now.0 - KEPT_ANSWER_DAYS * DAY_MS);
    db::collect_answers(&mut tx, answers).await?;
    db::collect_stripe(&mut tx, events, Instant(now.0 - RECORD_DAYS * DAY_MS)).await?;
    db::collect_imports(&mut tx, Instant(now.0 - DAY_MS), now).await?;
    let forgotten = Instant(now.0 - FORGOTTEN_LIVE_MAP_MS);
    db::collect_live_maps(&mut tx, Instant(now.0 - LIVE_MAP_MS), forgotten).await?;
    tx.commit().await?;
    collect_tombstones(app, tombstones).await?;
    archive::collect(app).await?;
    deleted_clients::collect(app).await?;
    drop_unnamed_photos(app).await?;
    drop_unnamed_videos(app).await?;
    app.db.checkpoint().await?;
    while remove_dropped_photos(app).await? {}
    while remove_dropped_documents(app).await? {}
    while remove_dropped_video_pieces(app).await? {}
    map::clean_up(app).await
}

/// Forgets old deletions: some at a time, so that others write in between.
async fn collect_tombstones(app: &App, before: Instant) -> sqlx::Result<()> {
    loop {
        let mut tx = app.db.write().await?;
        let has_more = db::collect_tombstones(&mut tx, before).await?;
        tx.commit().await?;
        if !has_more {
            return Ok(());
        }
    }
}

/// Drops photos that no row has named for a day: some at a time, so that others write in between.
async fn drop_unnamed_photos(app: &App) -> anyhow::Result<()> {
    // Whatever is looked at is due again only after this.
    let now = app.now();
    loop {
        let due = db::due_photos(&mut app.db.read_autocommit().await?, now).await?;
        if due.is_empty() {
            return Ok(());
        }
        for (sitter_id, photos) in due {
            let mut tx = app.db.write().await?;
            db::sweep_photos(&mut tx, sitter_id, &photos, now).await?;
            tx.commit().await?;
        }
    }
}

/// Drops videos that no invoice names and of which nothing has come for a day.
async fn drop_unnamed_videos(app: &App) -> anyhow::Result<()> {
    let now = app.now();
    loop {
        let due = db::due_videos(&mut app.db.read_autocommit().await?, now).await?;
        if due.is_empty() {
            return Ok(());
        }
        for (sitter_id, videos) in due {
            let mut tx = app.db.write().await?;
            db::sweep_videos(&mut tx, sitter_id, &videos, now).await?;
            tx.commit().await?;
        }
    }
}
