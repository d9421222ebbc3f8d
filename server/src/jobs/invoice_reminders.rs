//! Owns the reminders of invoices that come by themselves on the days that the sitter has set, each by the same command and
//! on the same path as one that is sent by hand. What would reach nobody is no reminder, and is not noted as one.

use std::time::Duration;

use walkies_core::commands::RemindOfInvoice;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rules::invoice::{is_reminder_day, is_reminder_time};
use walkies_core::{Command, Id, Instant, Now, Time};

use crate::app::session::Member;
use crate::app::state::App;
use crate::app::zone;
use crate::base::log::redacted;
use crate::db::{self, RemindingBusiness};
use crate::write::execute::{CommandRequest, CommandSource, IdempotencyKey, execute};
use crate::write::reminder_mail::reaches_client;

/// A reminder comes so much after its hour at most.
const EVERY: Duration = Duration::from_secs(60 * 60);
/// So many businesses are read at once.
const AT_ONCE: u32 = 100;

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
                    && reaches_client(app, sitter_id, invoice.client_id).await?
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
