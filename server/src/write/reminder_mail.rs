//! Owns the mail that goes with each reminder of an invoice: its limits and its text.

use walkies_core::rows::client::Client;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::versioned::Versioned;
use walkies_core::rules::invoice::reminder_text;
use walkies_core::rules::mail::{NotMailed, business_in_mail};
use walkies_core::rules::push::Notice;
use walkies_core::rules::ways_to_client::is_reminded;
use walkies_core::values::form_errors::FieldError;
use walkies_core::values::push::PushKind;
use walkies_core::values::reach::Reach;
use walkies_core::{Business, Id, Instant, Refusal};

use crate::app::state::App;
use crate::app::throttle;
use crate::base::error::AppError;
use crate::db::{self, Tx};
use crate::write::client_mail::{self, ClientMail};

/// Returns true if mail is sent beside this notification: it is a reminder of an invoice.
pub fn is_mailed(notice: &Notice) -> bool {
    notice.kind == PushKind::Invoice && notice.is_reminder
}

/// Returns true if a reminder of an invoice reaches this client: by a notification, or by mail that leaves the server.
pub async fn reaches_client(app: &App, sitter_id: Id, client_id: Id) -> sqlx::Result<bool> {
    let mut tx = app.db.read_autocommit().await?;
    let client = db::select_one::<Client>(&mut tx, sitter_id, client_id).await?;
    let Some(Versioned { row: client, .. }) = client else {
        return Ok(false);
    };
    let is_notified =
        db::is_client_notified(&mut tx, (sitter_id, client_id), PushKind::Invoice).await?;
    let reach = Reach {
        sends_mail: app.settings.sends_mail && !db::is_mail_stopped(&mut tx, &client.email).await?,
        notified: is_notified.then_some(client_id).into_iter().collect(),
        mailed: Vec::new(),
    };
    let business = Business {
        reach,
        ..Business::default()
    };
    Ok(is_reminded(&business, &client))
}

/// Counts the mail of a reminder against the limits before anything is written. Beyond them a reminder sent by hand is
/// refused in words, and an automatic one fails and is retried within the hour.
pub async fn count_mail(
    app: &App,
    tx: &mut Tx,
    is_automatic: bool,
    notice: &Notice,
) -> Result<Result<(), Refusal>, AppError> {
    let sitter_id = notice.sitter_id;
    let client = db::select_one::<Client>(tx, sitter_id, notice.client_id).await?;
    let Some(Versioned { row: client, .. }) = client else {
        return Ok(Ok(()));
    };
    let email = client.email.clone();
    let who = (sitter_id, notice.client_id);
    let is_stopped = db::is_mail_stopped(tx, &email).await?;
    if email.is_empty() || is_stopped {
        // Mail about events goes to the address of a login, whatever the sitter has typed.
        let is_mailed = !is_stopped && client.logins().next().is_some();
        if is_mailed || db::is_client_notified(tx, who, PushKind::Invoice).await? {
            return Ok(Ok(()));
        }
        // Nothing else would reach this client.
        let why = match is_stopped {
            true => NotMailed::Stopped { email },
            false => NotMailed::NoWay { name: client.name },
        };
        return Ok(Err(refused(&why)));
    }
    match throttle::remind_by_mail(app, sitter_id, &email) {
        Ok(()) => Ok(Ok(())),
        Err(why) if is_automatic => Err(why.into()),
        Err(why) => Ok(Err(refused(&why))),
    }
}

fn refused(why: &NotMailed) -> Refusal {
    Refusal::Invalid {
        fields: vec![FieldError {
            field: "email".to_owned(),
            text: why.to_string(),
        }],
    }
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
        expires_at: None,
        invoice_share_id: invoice.row.share_id,
        brings: None,
        is_bulk: false,
    };
    // Whoever has stopped mail is reminded on the phone alone.
    let _ = client_mail::queue(app, tx, mail, now).await?;
    Ok(())
}
