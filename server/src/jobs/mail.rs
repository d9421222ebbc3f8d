//! Sends the mail that waits in the database, tries again where that fails, and drops what is no longer true.

use std::time::Duration;

use walkies_core::invoice::TipChoice;
use walkies_core::rows::client::Client;
use walkies_core::rows::report::Report;
use walkies_core::rows::row::TableName;
use walkies_core::rows::shared_mail::SharedMailState;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::mail::stop_link;
use walkies_core::{Cents, Id, Instant};

use crate::app::state::App;
use crate::base::error::AppError;
use crate::base::log::redacted;
use crate::base::mail_error::MailError;
use crate::base::metrics;
use crate::db::{self, MailJob, Tx};
use crate::external::mail::{Mail, Mailer, Pdf};
use crate::jobs::event_mail;
use crate::write::client_mail::with_stop_line;
use crate::write::visit_mail::{self, MailedVisit, Outcome};
use crate::write::{invoice_pdf, shared_mail};

/// Milliseconds that a process has to send a mail that it took; after them another one tries.
const LEASE_MS: i64 = 2 * 60 * 1000;
/// Time that a mail waits for its PDF, well below the lease: after it other mail goes first.
const PRINT_PATIENCE: Duration = Duration::from_secs(30);
/// After the first failure; each further one waits four times as long.
const FIRST_DELAY_MS: i64 = 60 * 1000;
/// With the delays above the last try is three days after the first.
const MAX_ATTEMPTS: u32 = 8;
const MAIL_EVERY: Duration = Duration::from_secs(2);

/// Sends what waits, for ever.
pub async fn send_mail(app: &App, mailer: &Mailer) {
    loop {
        if let Err(error) = event_mail::queue_due(app).await {
            tracing::warn!(error = redacted(&error), "cannot queue mail about events");
        }
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

/// Reason to drop a mail.
const STOPPED: &str = "stopped by the recipient";

/// Another reason: its events go to the address that the recipient has now.
const ELSEWHERE: &str = "its recipient has another address";

/// A mail, the notices that it tells of, and the visits that it tells a client of.
type WrittenMail = (Mail, Vec<Id>, Vec<MailedVisit>);

/// Returns the mail of a job; what it brings, or tells of, is written, and printed, as it is now.
async fn mail_of(app: &App, job: &MailJob) -> Result<WrittenMail, AppError> {
    let origin = &app.settings.public_url;
    let stop_token = job.stop_token.as_deref();
    let mut mail = Mail {
        stop_link: stop_token.map(|it| stop_link(origin, it)),
        to: job.recipient.clone(),
        subject: job.subject.clone(),
        text: job.body.clone(),
        reply_to: None,
        pdf: None,
        message_id: None,
    };
    let host = origin.split("//").last().unwrap_or_default();
    let message_id = Some(format!("<{}@{host}>", job.id));
    if let Some(who) = job.events_of {
        let mut tx = app.db.read().await?;
        let composed = event_mail::compose(app, &mut tx, who, job.id).await?;
        tx.commit().await?;
        let composed = composed.ok_or(AppError::NotFound)?;
        mail.subject = composed.subject;
        mail.text = match stop_token {
            Some(token) => with_stop_line(app, &composed.text, token),
            None => composed.text,
        };
        mail.reply_to = composed.reply_to;
        mail.message_id = message_id;
        return Ok((mail, composed.told, composed.visits));
    }
    let Some((sitter_id, row)) = job.brings else {
        return Ok((mail, Vec::new(), Vec::new()));
    };
    let (sitter, (subject, text)) = if let Some(share_id) = &job.invoice_share_id {
        mail.pdf = pdf_of(app, sitter_id, share_id).await?;
        // What was paid while the mail waited is in its words as in its PDF.
        let mut tx = app.db.read().await?;
        let shared = db::find_shared_invoice(&mut tx, share_id).await?;
        let invoice = shared.ok_or(AppError::InvoiceGone)?.invoice;
        let sitter = db::select_one::<Sitter>(&mut tx, sitter_id, sitter_id).await?;
        let sitter = sitter.ok_or(AppError::InvoiceGone)?.row;
        let has_pdf = mail.pdf.is_some();
        let words = shared_mail::invoice_words(app, &mut tx, &sitter, &invoice, has_pdf).await?;
        tx.commit().await?;
        (sitter, words)
    } else {
        let mut tx = app.db.read().await?;
        let (report, client) = report_of(&mut tx, (sitter_id, row.id))
            .await?
            .ok_or(AppError::ReportGone)?;
        let sitter = db::select_one::<Sitter>(&mut tx, sitter_id, sitter_id).await?;
        let sitter = sitter.ok_or(AppError::ReportGone)?.row;
        tx.commit().await?;
        let words = shared_mail::report_words(app, &sitter, &client, &report);
        (sitter, words)
    };
    mail.subject = subject;
    mail.text = match stop_token {
        Some(token) => with_stop_line(app, &text, token),
        None => text,
    };
    mail.reply_to = shared_mail::reply_to(&sitter);
    mail.message_id = message_id;
    Ok((mail, Vec::new(), Vec::new()))
}

/// A report with its client, while it has an address and the business is there; `None` once it was taken back.
async fn report_of(
    tx: &mut Tx,
    (sitter_id, id): (Id, Id),
) -> sqlx::Result<Option<(Report, Client)>> {
    let report = db::select_one::<Report>(tx, sitter_id, id).await?;
    let Some(report) = report.map(|it| it.row).filter(|it| it.share_id.is_some()) else {
        return Ok(None);
    };
    let client = db::select_one::<Client>(tx, sitter_id, report.client_id).await?;
    Ok(client.map(|it| (report, it.row)))
}

/// Returns the PDF of an invoice; `None` for one that is too long to be printed, which no further attempt makes shorter.
async fn pdf_of(app: &App, sitter_id: Id, share_id: &str) -> Result<Option<Pdf>, AppError> {
    let caller = format!("mail of {sitter_id}");
    let printing = invoice_pdf::print(app, caller, share_id, TipChoice::None);
    let printed = tokio::time::timeout(PRINT_PATIENCE, printing).await;
    match printed {
        Ok(Ok((name, pdf))) => Ok(Some(Pdf {
            name: invoice_pdf::file_name(&name),
            bytes: pdf.to_vec(),
        })),
        Ok(Err(AppError::TooLarge(_))) => Ok(None),
        Ok(Err(error)) => Err(error),
        Err(_) => Err(AppError::Unavailable(anyhow::anyhow!(
            "the PDF was not printed in time"
        ))),
    }
}

/// Notes in the visits that a mail tells of what became of it. Returns the revision to tell of once that is committed.
///
/// It is called before anything else is written of a mail that ends: a command, too, takes the business's row before those of
/// its events.
async fn note_visits(
    app: &App,
    tx: &mut Tx,
    job: &MailJob,
    visits: &[(MailedVisit, Outcome)],
) -> sqlx::Result<Option<u64>> {
    match job.events_of {
        Some(who) => visit_mail::note(app, tx, who.sitter_id(), visits).await,
        None => Ok(None),
    }
}

/// Notes in the row that a mail brings what became of it; commits, and tells the open apps.
async fn finish(
    app: &App,
    mut tx: Tx,
    job: &MailJob,
    state: Option<SharedMailState>,
) -> sqlx::Result<()> {
    let Some(shared) = job.brings else {
        return tx.commit().await;
    };
    let rev = shared_mail::note_outcome(app, &mut tx, shared, state).await?;
    tx.commit().await?;
    if let Some(rev) = rev {
        app.realtime.changed(shared.0, rev);
    }
    Ok(())
}

fn tell_of_visits(app: &App, job: &MailJob, rev: Option<u64>) {
    if let Some((who, rev)) = job.events_of.zip(rev) {
        app.realtime.changed(who.sitter_id(), rev);
    }
}

/// Returns the reason to drop a mail that has become untrue or unwanted while it waited; `None` if it may go out.
async fn drop_reason(
    app: &App,
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
        return Ok(Some(STOPPED));
    }
    if let Some(who) = job.events_of {
        match event_mail::compose(app, tx, who, job.id).await? {
            None => return Ok(Some("nothing of its events is true or wanted any more")),
            Some(it) if it.to != job.recipient => return Ok(Some(ELSEWHERE)),
            Some(_) => {}
        }
    }
    if let Some(share_id) = &job.invoice_share_id {
        let shared = db::find_shared_invoice(tx, share_id).await?;
        if shared.is_none_or(|it| it.invoice.balance() == Cents::ZERO) {
            return Ok(Some("invoice settled or gone"));
        }
    }
    if let Some((sitter_id, row)) = job.brings
        && row.table == TableName::Report
    {
        let is_wanted = report_of(tx, (sitter_id, row.id))
            .await?
            .is_some_and(|(_, client)| client.email == job.recipient);
        if !is_wanted {
            return Ok(Some("report taken back, or its client has another address"));
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
    if let Some(reason) = drop_reason(app, &mut tx, &job, now).await? {
        tracing::info!(job = %job.id, reason, "dropped queued mail");
        let visits = match (job.events_of, reason) {
            (None, _) | (_, ELSEWHERE) => Vec::new(),
            (Some(who), STOPPED) => {
                let composed = event_mail::compose(app, &mut tx, who, job.id).await?;
                composed.map_or_else(Vec::new, |it| it.visits_in(SharedMailState::Stopped))
            }
            _ => event_mail::dropped_visits(app, &mut tx, job.id).await?,
        };
        let rev = note_visits(app, &mut tx, &job, &visits).await?;
        db::delete_mail_job(&mut tx, job.id).await?;
        match reason {
            // Another mail tells of the same.
            ELSEWHERE => db::finish_event_mail(&mut tx, job.id, &[]).await?,
            _ => event_mail::forget(&mut tx, job.id).await?,
        }
        let state = (reason == STOPPED).then_some(SharedMailState::Stopped);
        finish(app, tx, &job, state).await?;
        tell_of_visits(app, &job, rev);
        return Ok(true);
    }
    tx.commit().await?;
    let (sent, told, visits) = match mail_of(app, &job).await {
        Ok((mail, told, visits)) => (mailer.send(&mail).await, told, visits),
        // Whatever keeps a PDF from being printed is gone at the next attempt, or the mail is given up.
        Err(error) => {
            let error = MailError::Attachment(format!("{error:?}"));
            (Err(error), Vec::new(), Vec::new())
        }
    };
    let state = match &sent {
        Ok(()) => SharedMailState::Sent,
        Err(error) if error.is_permanent() || MAX_ATTEMPTS <= job.attempts => {
            SharedMailState::Failed
        }
        Err(_) => SharedMailState::Waiting,
    };
    let visits = visits.into_iter().map(|it| (it, Outcome::State(state)));
    let visits: Vec<(MailedVisit, Outcome)> = visits.collect();
    let mut tx = app.db.write().await?;
    let rev = note_visits(app, &mut tx, &job, &visits).await?;
    match sent {
        Ok(()) => {
            metrics::mail("sent");
            db::delete_mail_job(&mut tx, job.id).await?;
            db::finish_event_mail(&mut tx, job.id, &told).await?;
        }
        Err(error) => {
            let is_lost = state == SharedMailState::Failed;
            metrics::mail(if is_lost { "given_up" } else { "later" });
            let delay = FIRST_DELAY_MS * 4_i64.saturating_pow(job.attempts.saturating_sub(1));
            let due_at = Instant(app.now().0 + delay);
            db::postpone_mail_job(&mut tx, job.id, due_at, &error.to_string(), is_lost).await?;
            if is_lost {
                event_mail::forget(&mut tx, job.id).await?;
                tracing::error!(job = %job.id, error = redacted(&error), "a mail was given up; it is kept in the table `mail_job` for a month");
            } else {
                tracing::warn!(job = %job.id, error = redacted(&error), attempts = job.attempts, "a mail could not be sent yet");
            }
        }
    }
    finish(app, tx, &job, Some(state)).await?;
    tell_of_visits(app, &job, rev);
    Ok(true)
}
