//! Sends the mail that waits in the database, tries again where that fails, and drops what is no longer true.

use std::time::Duration;

use walkies_core::rules::mail::stop_link;
use walkies_core::{Cents, Instant};

use crate::app::state::App;
use crate::base::log::redacted;
use crate::base::metrics;
use crate::db::{self, MailJob, Tx};
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

/// Returns the reason to drop a mail that has become untrue or unwanted while it waited; `None` if it may go out.
async fn drop_reason(
    tx: &mut Tx,
    job: &MailJob,
    now: Instant,
) -> sqlx::Result<Option<&'static str>> {
    if job.expires_at.is_some_and(|it| it <= now) {
        return Ok(Some("expired"));
    }
    if let Some(token) = &job.stop_token
        && db::has_stopped_mail(tx, token).await? == Some(true)
    {
        return Ok(Some("stopped by the recipient"));
    }
    if let Some(share_id) = &job.invoice_share_id {
        let shared = db::find_shared_invoice(tx, share_id).await?;
        if shared.is_none_or(|it| it.invoice.balance() == Cents::ZERO) {
            return Ok(Some("invoice settled or gone"));
        }
    }
    Ok(None)
}

/// Sends the next mail that is due; `false` when none is.
pub async fn send_next(app: &App, mailer: &Mailer) -> sqlx::Result<bool> {
    let now = app.now();
    let mut tx = app.db.write().await?;
    let Some(job) = db::lease_mail_job(&mut tx, now, Instant(now.0 + LEASE_MS)).await? else {
        tx.commit().await?;
        return Ok(false);
    };
    if let Some(reason) = drop_reason(&mut tx, &job, now).await? {
        tracing::info!(job = %job.id, reason, "dropped queued mail");
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
