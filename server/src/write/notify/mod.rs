//! Queues notifications, and mail in their place, in the transaction that writes what they tell of. `jobs::push_delivery`
//! and `jobs::event_mail` send them.

pub mod notices;

use walkies_core::rules::push::{Notice, is_mailed, settles_ms, topic, ttl_seconds};
use walkies_core::{Id, Instant};

use crate::app::state::App;
use crate::db::{self, PushAudience, PushSpan, Tx};

/// Queues a notice for all phones of those whom it is for; it goes out if the transaction is committed, and then
/// `App::push_queued` is to be told. Nothing is read, and nobody's subscription costs nothing.
pub async fn notify(
    app: &App,
    tx: &mut Tx,
    audience: PushAudience,
    notice: &Notice,
    now: Instant,
) -> sqlx::Result<()> {
    notify_until(app, tx, audience, notice, now, Instant(i64::MAX)).await
}

/// The same of what is worth nothing from that moment on.
pub async fn notify_until(
    app: &App,
    tx: &mut Tx,
    audience: PushAudience,
    notice: &Notice,
    now: Instant,
    end: Instant,
) -> sqlx::Result<()> {
    let ttl_ms = i64::from(ttl_seconds(notice.kind)) * 1000;
    let span = PushSpan {
        now,
        due_at: Instant(now.0 + settles_ms(notice.kind)),
        expires_at: Instant(now.0 + ttl_ms).min(end),
    };
    let id: Id = app.env.id();
    db::insert_push_deliveries(tx, id, audience, &topic(notice), notice, span).await?;
    notify_by_mail(app, tx, audience, notice, now, span.expires_at).await
}

/// Queues a notice for a mail to those among its audience whom no device tells of it, or who want both; not later than
/// `end`. `jobs::event_mail` makes the mail.
pub async fn notify_by_mail(
    app: &App,
    tx: &mut Tx,
    audience: PushAudience,
    notice: &Notice,
    now: Instant,
    end: Instant,
) -> sqlx::Result<()> {
    if !app.settings.sends_mail || !is_mailed(notice) {
        return Ok(());
    }
    let span = PushSpan {
        now,
        due_at: Instant(now.0 + notice.kind.mail_settles_ms()),
        expires_at: end,
    };
    let id: Id = app.env.id();
    db::insert_event_mail(tx, id, audience, &topic(notice), notice, span).await
}
