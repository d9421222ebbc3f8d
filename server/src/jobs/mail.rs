//! Sends the mail that waits in the database, and tries again where that fails.

use std::time::Duration;

use walkies_core::Instant;
use walkies_core::rules::mail::stop_link;

use crate::app::state::App;
use crate::base::log::redacted;
use crate::base::metrics;
use crate::db;
use crate::external::mail::{Mail, Mailer};

/// Milliseconds that a process has to send a mail that it took; after them another one tries.
const LEASE_MS: i64 = 2 * 60 * 1000;
/// After the first failure; each further one waits four times as long.
const FIRST_DELAY_MS: i64 = 60 * 1000;
/// With the delays above the last try is three days after the first.
const MAX_ATTEMPTS: u32 = 8;
const MAIL_EVERY: Duration = Duration::from_secs(2);

/// Sends what waits, for ever.
pub async fn send_mail(app: &App, mailer: &Mailer) {
    loop {
        match send_next(app, mailer).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(error) => {
                tracing::warn!(
                    error = redacted(&error),
                    "mail that waits cannot be looked at"
                );
            }
        }
        tokio::select! {
            () = app.mail_queued.notified() => {}
            // What another process has put in, and what is due again.
            () = tokio::time::sleep(MAIL_EVERY) => {}
        }
    }
}

/// Sends the next mail that is due; `false` when none is.
pub async fn send_next(app: &App, mailer: &Mailer) -> sqlx::Result<bool> {
    let now = app.now();
    let mut tx = app.db.write().await?;
    let Some(job) = db::lease_mail_job(&mut tx, now, Instant(now.0 + LEASE_MS)).await? else {
        tx.commit().await?;
        return Ok(false);
    };
    if let Some(token) = &job.stop_token
        && db::has_stopped_mail(&mut tx, token).await? == Some(true)
    {
        // Stopped while it waited.
        db::delete_mail_job(&mut tx, job.id).await?;
        tx.commit().await?;
        return Ok(true);
    }
    tx.commit().await?;
    let stop_token = job.stop_token.as_deref();
    let mail = Mail {
        stop_link: stop_token.map(|it| stop_link(&app.settings.public_url, it)),
        to: job.recipient.clone(),
        subject: job.subject.clone(),
        text: job.body.clone(),
    };
    let sent = mailer.send(&mail).await;
    let mut tx = app.db.write().await?;
    match sent {
        Ok(()) => {
            metrics::mail("sent");
            db::delete_mail_job(&mut tx, job.id).await?;
        }
        Err(error) => {
            let is_lost = error.is_permanent() || MAX_ATTEMPTS <= job.attempts;
            metrics::mail(if is_lost { "given_up" } else { "later" });
            let delay = FIRST_DELAY_MS * 4_i64.saturating_pow(job.attempts.saturating_sub(1));
            let due_at = Instant(app.now().0 + delay);
            db::postpone_mail_job(&mut tx, job.id, due_at, &error.to_string(), is_lost).await?;
            if is_lost {
                tracing::error!(job = %job.id, error = redacted(&error), "a mail was given up; it is kept in the table `mail_job` for a month");
            } else {
                tracing::warn!(job = %job.id, error = redacted(&error), attempts = job.attempts, "a mail could not be sent yet");
            }
        }
    }
    tx.commit().await?;
    Ok(true)
}
