//! Owns the reminders of invoices: the mail that goes with each, and those that come by themselves on the days that the
//! sitter has set, each by the same command and on the same path as one that is sent by hand.

use std::time::Duration;

use walkies_core::commands::RemindOfInvoice;
use walkies_core::rows::client::Client;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::invoice::{
    REMINDED_OFTEN, is_reminder_day, is_reminder_time, reminder_text,
};
use walkies_core::rules::mail::{NotMailed, business_in_mail};
use walkies_core::rules::push::Notice;
use walkies_core::values::form_errors::FieldError;
use walkies_core::values::push::PushKind;
use walkies_core::{Command, Id, Instant, Now, Refusal, Time};

use crate::client_mail::{self, ClientMail};
use crate::db::{self, RemindingBusiness, Tx};
use crate::error::AppError;
use crate::execute::{CommandRequest, CommandSource, IdempotencyKey, execute};
use crate::log::redacted;
use crate::session::Member;
use crate::state::App;
use crate::{throttle, zone};

/// A reminder comes so much after its hour at most.
const EVERY: Duration = Duration::from_secs(60 * 60);
/// So many businesses are read at once.
const AT_ONCE: u32 = 100;

/// Returns true if mail is sent beside this notification: it is a reminder of an invoice.
pub fn is_mailed(notice: &Notice) -> bool {
    notice.kind == PushKind::Invoice && notice.is_reminder
}

/// Counts the mail of a reminder against the limits before anything is written. Beyond them a reminder sent by hand is
/// refused in words, and an automatic one fails and is retried within the hour.
pub async fn count_mail(
    app: &App,
    tx: &mut Tx,
    request: &CommandRequest,
    notice: &Notice,
) -> Result<Result<(), Refusal>, AppError> {
    let sitter_id = notice.sitter_id;
    let client = db::select_one::<Client>(tx, sitter_id, notice.client_id).await?;
    let client = client.map(|it| it.row);
    let Some(client) = client.filter(|it| !it.email.is_empty()) else {
        return Ok(Ok(()));
    };
    let email = client.email;
    if client.client_user_id.is_none() && db::is_mail_stopped(tx, &email).await? {
        // Nothing else would reach this client.
        return Ok(Err(refused(&NotMailed::Stopped { email }.to_string())));
    }
    match throttle::remind_by_mail(app, sitter_id, &email) {
        Ok(()) => Ok(Ok(())),
        Err(error) if is_by_itself(request) => Err(error),
        Err(_) => Ok(Err(refused(REMINDED_OFTEN))),
    }
}

fn refused(text: &str) -> Refusal {
    Refusal::Invalid {
        fields: vec![FieldError {
            field: "email".to_owned(),
            text: text.to_owned(),
        }],
    }
}

/// Automatic reminders have a key without a hash; calls always have one.
fn is_by_itself(request: &CommandRequest) -> bool {
    request
        .key
        .as_ref()
        .is_some_and(|it| it.args_hash.is_empty())
}

/// Queues the mail of a reminder, which goes out if the transaction is committed; none where the client has no e-mail.
pub async fn queue_mail(app: &App, tx: &mut Tx, notice: &Notice, now: Instant) -> sqlx::Result<()> {
    let sitter_id = notice.sitter_id;
    let sitter = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await?;
    let client = db::select_one::<Client>(tx, sitter_id, notice.client_id).await?;
    let invoice = db::select_one::<Invoice>(tx, sitter_id, notice.about).await?;
    let (Some(sitter), Some(client), Some(invoice)) = (sitter, client, invoice) else {
        return Ok(());
    };
    let email = client.row.email;
    if email.is_empty() {
        return Ok(());
    }
    let origin = &app.settings.public_url;
    let from = business_in_mail(sitter.row.shown_name());
    let mail = ClientMail {
        to: email,
        subject: format!("Reminder of an invoice from {from}"),
        text: reminder_text(&invoice.row, &from, origin),
    };
    // Whoever has stopped mail is reminded on the phone alone.
    let _ = client_mail::queue(app, tx, mail, now).await?;
    Ok(())
}

/// Reminds of what is owed, for ever.
pub async fn remind(app: &App) {
    loop {
        if let Err(error) = remind_once(app).await {
            tracing::warn!(
                error = redacted(&error),
                "what clients owe cannot be looked at"
            );
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Reminds of what is owed where it is day.
pub async fn remind_once(app: &App) -> sqlx::Result<()> {
    let now = app.now();
    for (name, zone) in zone::of_businesses(app).await? {
        if !is_reminder_time(now.civil(&zone).1) {
            continue;
        }
        let now = Now { at: now, zone };
        let mut after = Id::default();
        loop {
            let mut tx = app.db.read_autocommit().await?;
            let found = db::reminding_businesses(&mut tx, &name, after, AT_ONCE).await?;
            drop(tx);
            let Some(last) = found.last() else { break };
            after = last.sitter_id;
            for business in &found {
                remind_of_business(app, &now, business).await?;
            }
        }
    }
    Ok(())
}

async fn remind_of_business(
    app: &App,
    now: &Now,
    business: &RemindingBusiness,
) -> sqlx::Result<()> {
    let today = now.today();
    let morning = Instant::from_civil(today, Time::hour(0), &now.zone);
    for days in &business.invoicing.reminder_days {
        let due_date = today.plus_days(-i64::from(*days));
        let mut after = 0;
        loop {
            let mut tx = app.db.read_autocommit().await?;
            let sitter_id = business.sitter_id;
            let owed = db::owed_invoices(&mut tx, sitter_id, due_date, morning, after).await?;
            drop(tx);
            let Some(last) = owed.last().and_then(|it| it.number) else {
                break;
            };
            after = last;
            for invoice in owed {
                if is_reminder_day(&invoice, &business.invoicing, today)
                    && let Err(error) = execute(app, &reminder(business, &invoice, now)).await
                {
                    // It is tried again within the hour.
                    tracing::warn!(?error, "nobody could be reminded of an invoice");
                }
            }
        }
    }
    Ok(())
}

/// Several processes may look at the same moment; what they ask for has one name.
///
/// INVARIANT: Of what is owed nobody is reminded twice on one day.
fn reminder(business: &RemindingBusiness, invoice: &Invoice, now: &Now) -> CommandRequest {
    let id = invoice.id;
    CommandRequest {
        member: Member {
            user_id: business.user_id,
            sitter_id: business.sitter_id,
            link: None,
        },
        command: Ok(Command::RemindOfInvoice(RemindOfInvoice { id })),
        key: Some(IdempotencyKey {
            id: format!("reminder of {id} on {}", now.today()),
            args_hash: String::new(),
        }),
        source: CommandSource::Rest { if_match: None },
    }
}
