//! Owns mail that tells pet parents of events: all that is due between a person and a business goes into one mail, in the
//! words of the moment in which that is sent. Beyond the mails of an hour it waits, and is gathered.

use walkies_core::rows::client::Client;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::report::Report;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::mail::{business_in_mail, event_mail};
use walkies_core::rules::push::{Notice, Notification, Recipient, notification};
use walkies_core::rules::ways_to_client::{is_invoice_event_mailed, is_report_event_mailed};
use walkies_core::values::push::{MailChoice, PushKind};
use walkies_core::values::zone::TimeZone;
use walkies_core::{Id, Instant, Now};

use crate::app::state::App;
use crate::app::{throttle, zone};
use crate::db::{self, MailJob, Tx};
use crate::jobs::push_delivery;
use crate::write::client_mail::with_stop_line;

/// So many people are looked at before other mail goes on.
const AT_ONCE: u32 = 50;

/// The mail about some events, as it is now.
#[derive(Debug)]
pub(super) struct Composed {
    /// The business that it is of.
    pub sitter: Sitter,
    /// The subject, one line of text.
    pub subject: String,
    /// Plain text, without the line about stopping mail.
    pub text: String,
    /// The notices that it tells of, and those that are no longer true.
    pub told: Vec<Id>,
}

/// Queues a mail for some of those for whom events are due.
pub async fn queue_due(app: &App) -> sqlx::Result<()> {
    let now = app.now();
    let due = db::due_event_mail(&mut app.db.read_autocommit().await?, now, AT_ONCE).await?;
    for who in due {
        queue_one(app, who, now).await?;
    }
    Ok(())
}

async fn queue_one(app: &App, who: (Id, Id), now: Instant) -> sqlx::Result<()> {
    let mail_id = app.env.id();
    let mut tx = app.db.write().await?;
    if !db::claim_event_mail(&mut tx, who, mail_id, now).await? {
        return tx.rollback().await;
    }
    let account = db::account_by_id(&mut tx, who.0).await?;
    let composed = compose(app, &mut tx, who, mail_id).await?;
    let (Some(account), Some(mail)) = (account, composed) else {
        forget(&mut tx, mail_id).await?;
        return tx.commit().await;
    };
    let recipient = db::mail_recipient(&mut tx, &account.email, app.env.share_id(), now).await?;
    if recipient.is_stopped {
        forget(&mut tx, mail_id).await?;
        return tx.commit().await;
    }
    if let Err(seconds) = throttle::mail_events(app, &account.email) {
        tx.rollback().await?;
        let wait_ms = i64::try_from(seconds)
            .unwrap_or(i64::MAX)
            .saturating_mul(1000);
        let due_at = Instant(now.0.saturating_add(wait_ms));
        let mut tx = app.db.write().await?;
        db::postpone_event_mail(&mut tx, who, now, due_at).await?;
        return tx.commit().await;
    }
    let job = MailJob {
        id: mail_id,
        recipient: account.email,
        subject: mail.subject,
        body: with_stop_line(app, &mail.text, &recipient.token),
        attempts: 0,
        stop_token: Some(recipient.token),
        expires_at: None,
        invoice_share_id: None,
        brings: None,
        // Whoever waits for a code goes first.
        is_bulk: true,
        events_of: Some(who),
    };
    db::insert_mail_job(&mut tx, &job, now).await?;
    tx.commit().await
}

/// Forgets the events of a mail that is not to be sent.
pub(super) async fn forget(tx: &mut Tx, mail_id: Id) -> sqlx::Result<()> {
    let events = db::events_of_mail(tx, mail_id).await?;
    let told: Vec<Id> = events.into_iter().map(|it| it.notice_id).collect();
    db::finish_event_mail(tx, mail_id, &told).await
}

/// Writes the mail with what is still true and wanted of its events; `None` if nothing is.
pub(super) async fn compose(
    app: &App,
    tx: &mut Tx,
    (user_id, sitter_id): (Id, Id),
    mail_id: Id,
) -> sqlx::Result<Option<Composed>> {
    let preferences = db::push_preferences(tx, user_id).await?;
    let sitter = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await?;
    let Some(sitter) = sitter.filter(|_| preferences.mail != MailChoice::Never) else {
        return Ok(None);
    };
    let sitter = sitter.row;
    let zone = zone::time_zone(&sitter.time_zone).unwrap_or(TimeZone::UTC);
    let now = Now {
        at: app.now(),
        zone,
    };
    let (mut said, mut told) = (Vec::new(), Vec::new());
    for event in db::events_of_mail(tx, mail_id).await? {
        told.push(event.notice_id);
        if now.at < event.expires_at && !preferences.off.contains(&event.notice.kind) {
            said.extend(sentence(tx, user_id, &sitter, &event.notice, &now).await?);
        }
    }
    let business = business_in_mail(sitter.shown_name());
    let words = event_mail(&business, &said, &app.settings.public_url);
    Ok(words.map(|(subject, text)| Composed {
        sitter,
        subject,
        text,
        told,
    }))
}

/// Says what is true of an event by now; `None` if nothing is, or if another mail tells of it.
async fn sentence(
    tx: &mut Tx,
    user_id: Id,
    sitter: &Sitter,
    notice: &Notice,
    now: &Now,
) -> sqlx::Result<Option<Notification>> {
    let client = db::select_one::<Client>(tx, sitter.id, notice.client_id).await?;
    let client = client.map(|it| it.row);
    // Who was let go since is told nothing more.
    let Some(client) = client.filter(|it| it.has_login(user_id)) else {
        return Ok(None);
    };
    if !is_left_to_this_mail(tx, sitter, &client, notice).await? {
        return Ok(None);
    }
    let found = push_delivery::as_of_now(tx, notice, Recipient::Client, now).await?;
    Ok(found.and_then(|(notice, current)| {
        notification(&notice, Recipient::Client, sitter, &client.name, &current)
    }))
}

/// Returns true unless an invoice or a report is brought by a mail of its own.
async fn is_left_to_this_mail(
    tx: &mut Tx,
    sitter: &Sitter,
    client: &Client,
    notice: &Notice,
) -> sqlx::Result<bool> {
    Ok(match notice.kind {
        _ if notice.is_withdrawn => true,
        PushKind::Invoice => {
            let invoice = db::select_one::<Invoice>(tx, sitter.id, notice.about).await?;
            invoice.is_some_and(|it| {
                is_invoice_event_mailed(sitter, client, &it.row, notice.is_reminder)
            })
        }
        PushKind::ReportReady => {
            let report = db::select_one::<Report>(tx, sitter.id, notice.about).await?;
            report.is_some_and(|it| is_report_event_mailed(sitter, &it.row))
        }
        _ => true,
    })
}
