//! Owns what the demo has billed: paid, partly paid, owed and overdue, and a credit note.

use serde_json::json;
use walkies_core::commands::{CreditInvoice, RecordInvoicePayment, ShareInvoice, UpdateProfile};
use walkies_core::rows::invoice::PaymentMethod;
use walkies_core::rows::service::{Service, ServiceStatus};
use walkies_core::rules::invoice::is_billable;
use walkies_core::{Cents, Command, Date, Id};

use super::{DemoClient, Worker, patch, portraits};
use crate::content::videos::store_video;
use crate::db::{self, ServiceFilter};

/// The number of clients, from the first on, who are billed; what the others owe is paid visit by visit.
pub(super) const BILLED: usize = 9;

/// Fate of an invoice, after it was shared.
enum Fate {
    Owed,
    Paid(PaymentMethod),
    PartlyPaid,
    Credited,
}

/// Bills what was done for some clients.
pub(super) async fn bill(worker: &mut Worker<'_>, clients: &[DemoClient]) -> anyhow::Result<()> {
    let now = worker.now.at;
    let handle = worker.town.handle;
    let changes = patch(json!({ "invoicing": {
        "prefix": "INV-", "due_days": 14, "tips": [15, 18, 20],
        "tip_nudge": "Every bit of it goes into better treats.",
        "pay_to": { "venmo": handle, "paypal": handle.replace('-', ""), "zelle": "demo@walkies.example" },
        "reminder_days": [3, 10], "contact_email": "hello@walkies.example",
    } }));
    let settings = Command::UpdateProfile(UpdateProfile { changes });
    worker.send(settings, now).await?;
    // The newest day that is billed and until when it is due, in days from today.
    let mut bills = [
        (-8, 5, Fate::Paid(PaymentMethod::App)),
        (-8, -5, Fate::Owed),
        (-4, 9, Fate::PartlyPaid),
        (-4, 10, Fate::Paid(PaymentMethod::Cash)),
        (-3, 11, Fate::Credited),
    ]
    .into_iter();
    let today = worker.now.today();
    for (place, client) in clients.iter().take(BILLED).enumerate() {
        let done = done(worker, client, today.plus_days(-8)).await?;
        let Some(middle) = done.get(done.len().saturating_sub(1) / 2) else {
            continue;
        };
        let Some((last, due, fate)) = bills.next() else {
            break;
        };
        let last = match place {
            // Something is left for a second one.
            0 => middle.date,
            _ => today.plus_days(last),
        };
        let due = today.plus_days(due);
        share(worker, client, last, due, None, fate).await?;
    }
    // The pet parent who has a login owes what was done since.
    match clients.first() {
        Some(first) => {
            let due = today.plus_days(14);
            let film = film(worker).await?;
            share(worker, first, today, due, film, Fate::Owed).await
        }
        None => Ok(()),
    }
}

/// Takes in the film of a pet as a phone's video is taken in; none where there is no place for videos.
async fn film(worker: &Worker<'_>) -> anyhow::Result<Option<Id>> {
    let app = worker.app;
    if !app.files.is_configured() {
        return Ok(None);
    }
    let id = app.env.id();
    store_video(app, worker.member.sitter_id, id, portraits::FILM.into())
        .await
        .map_err(|it| anyhow::anyhow!("{it:?}"))?;
    Ok(Some(id))
}

/// Lists the completed services of a client until that day that are on no invoice yet.
async fn done(
    worker: &Worker<'_>,
    client: &DemoClient,
    last: Date,
) -> anyhow::Result<Vec<Service>> {
    let filter = ServiceFilter {
        last: Some(last),
        client_id: Some(client.id),
        statuses: vec![ServiceStatus::Completed],
        ..ServiceFilter::default()
    };
    let mut tx = worker.app.db.read().await?;
    let done = db::services(&mut tx, worker.member.sitter_id, &filter).await?;
    tx.commit().await?;
    let services = done.into_iter().map(|it| it.row);
    Ok(services.filter(is_billable).collect())
}

/// Shares what was done for a client until that day, if anything was, and lets come of it what does.
async fn share(
    worker: &mut Worker<'_>,
    client: &DemoClient,
    last: Date,
    due: Date,
    film: Option<Id>,
    fate: Fate,
) -> anyhow::Result<()> {
    let done = done(worker, client, last).await?;
    if done.is_empty() {
        return Ok(());
    }
    let id = worker.app.env.id();
    let command = Command::ShareInvoice(ShareInvoice {
        id,
        client_id: Some(client.id),
        services: done.iter().map(|it| it.id).collect(),
        videos: film.into_iter().collect(),
        note: "Thank you for walking with us!".to_owned(),
        due_date: Some(due),
        ..ShareInvoice::default()
    });
    let at = worker.at(last, 20, 0).min(worker.now.at);
    worker.send(command, at).await?;
    settle(worker, id, last, fate).await
}

async fn settle(worker: &mut Worker<'_>, id: Id, shared: Date, fate: Fate) -> anyhow::Result<()> {
    let day = shared.plus_days(2).min(worker.now.today());
    let payment = RecordInvoicePayment {
        id,
        payment_id: worker.app.env.id(),
        paid_on: Some(day),
        ..RecordInvoicePayment::default()
    };
    let command = match fate {
        Fate::Owed => return Ok(()),
        Fate::Paid(method) => {
            Command::RecordInvoicePayment(RecordInvoicePayment { method, ..payment })
        }
        Fate::PartlyPaid => Command::RecordInvoicePayment(RecordInvoicePayment {
            amount: Some(Cents(15_00)),
            method: PaymentMethod::Transfer,
            ..payment
        }),
        Fate::Credited => Command::CreditInvoice(CreditInvoice {
            id: payment.payment_id,
            invoice_id: id,
            amount: Cents(10_00),
            note: "The second walk was cut short by the rain.".to_owned(),
        }),
    };
    let at = worker.at(day, 19, 0).min(worker.now.at);
    worker.send(command, at).await
}
