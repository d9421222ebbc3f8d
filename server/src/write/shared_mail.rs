//! Owns the mail that brings an invoice to its client: which invoices are mailed, its words, and what became of it, which
//! stands in the invoice's row. `jobs::mail` sends it with the PDF, in the words of that moment.

use walkies_core::rows::client::Client;
use walkies_core::rows::invoice::{Invoice, InvoiceMail, InvoiceMailState};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::invoice::{mail_subject, mail_text};
use walkies_core::rules::mail::business_in_mail;
use walkies_core::rules::ways_to_client::is_invoice_mailed;
use walkies_core::values::push::PushKind;
use walkies_core::values::reach::Reach;
use walkies_core::{Business, Cents, Change, Decision, Id, Instant, Row};

use crate::app::state::App;
use crate::app::throttle;
use crate::db::{self, Tx};
use crate::write::client_mail::{self, ClientMail};

/// Queues the mail of each new invoice of a decision, and notes in the row that it waits. One beyond the limits is not
/// mailed, and its link is left to the sitter.
///
/// INVARIANT: An invoice is mailed once.
pub async fn queue_mail(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    (decision, before): (&mut Decision, &Business),
    now: Instant,
) -> sqlx::Result<()> {
    if !app.settings.sends_mail {
        return Ok(());
    }
    for change in &mut decision.changes {
        if let Change::Put(Row::Invoice(invoice)) = change
            && is_new(invoice, before)
        {
            invoice.mailed = mail(app, tx, sitter_id, invoice, now).await?;
        }
    }
    Ok(())
}

fn is_new(invoice: &Invoice, before: &Business) -> bool {
    before.invoices.get(&invoice.id).is_none()
        && invoice.credits.is_none()
        && Cents::ZERO < invoice.balance()
}

async fn mail(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    invoice: &Invoice,
    now: Instant,
) -> sqlx::Result<Option<InvoiceMail>> {
    let client_id = invoice.client_id;
    let sitter = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await?;
    let client = db::select_one::<Client>(tx, sitter_id, client_id).await?;
    let (Some(sitter), Some(client)) = (sitter, client) else {
        return Ok(None);
    };
    let (sitter, client) = (sitter.row, client.row);
    let is_notified = db::is_client_notified(tx, (sitter_id, client_id), PushKind::Invoice).await?;
    let (subject, text) = words(app, tx, &sitter, invoice, true).await?;
    let mut business = Business {
        reach: Reach {
            sends_mail: true,
            notified: is_notified.then_some(client_id).into_iter().collect(),
        },
        ..Business::default()
    };
    business.put(0, Row::Sitter(sitter));
    if !is_invoice_mailed(&business, &client) {
        return Ok(None);
    }
    let note = |state| InvoiceMail {
        to: client.email.clone(),
        state,
        at: now,
    };
    if db::is_mail_stopped(tx, &client.email).await? {
        return Ok(Some(note(InvoiceMailState::Stopped)));
    }
    if throttle::bill_by_mail(app, sitter_id, &client.email).is_err() {
        return Ok(None);
    }
    let mail = ClientMail {
        to: client.email.clone(),
        subject,
        text,
        expires_at: None,
        invoice_share_id: invoice.share_id.clone(),
        invoice: Some((sitter_id, invoice.id)),
    };
    let queued = client_mail::queue(app, tx, mail, now).await?;
    Ok(Some(note(match queued {
        Ok(()) => InvoiceMailState::Waiting,
        Err(_) => InvoiceMailState::Stopped,
    })))
}

/// Subject and text of the mail with an invoice as it is now, without the line about stopping mail.
pub async fn words(
    app: &App,
    tx: &mut Tx,
    sitter: &Sitter,
    invoice: &Invoice,
    has_pdf: bool,
) -> sqlx::Result<(String, String)> {
    let from = business_in_mail(sitter.shown_name());
    let takes_cards = db::stripe_account(tx, sitter.id).await?.is_some();
    let origin = &app.settings.public_url;
    Ok((
        mail_subject(invoice, &from),
        mail_text(invoice, &from, origin, has_pdf, takes_cards),
    ))
}

/// Returns the address that answers to a mail of this business go to: the one on its invoices, if any.
pub fn reply_to(sitter: &Sitter) -> Option<String> {
    let address = Some(sitter.invoicing.contact_email.clone());
    address.filter(|it| !it.is_empty())
}

/// Notes what became of the mail with an invoice; without a state that there is none. Returns the revision at which it
/// stands, if anything has changed, which is to be told once the transaction is committed.
pub async fn note_outcome(
    app: &App,
    tx: &mut Tx,
    invoice: (Id, Id),
    state: Option<InvoiceMailState>,
) -> sqlx::Result<Option<u64>> {
    let at = app.now();
    change(app, tx, invoice, |it| Invoice {
        mailed: it.mailed.clone().and_then(|mail| match state {
            Some(state) if state == mail.state => Some(mail),
            Some(state) => Some(InvoiceMail { state, at, ..mail }),
            None => None,
        }),
        ..it.clone()
    })
    .await
}

/// Notes that an invoice's page was opened by somebody else than its sitter; only the first time counts.
pub async fn note_opening(app: &App, sitter_id: Id, id: Id) -> sqlx::Result<()> {
    let at = app.now();
    let mut tx = app.db.write().await?;
    let rev = change(app, &mut tx, (sitter_id, id), |it| Invoice {
        opened_at: it.opened_at.or(Some(at)),
        ..it.clone()
    })
    .await?;
    tx.commit().await?;
    if let Some(rev) = rev {
        app.realtime.changed(sitter_id, rev);
    }
    Ok(())
}

/// Writes what the server alone says of an invoice, at the next revision of its business; the revision, where that is
/// something else than before.
async fn change(
    app: &App,
    tx: &mut Tx,
    (sitter_id, id): (Id, Id),
    becomes: impl Fn(&Invoice) -> Invoice,
) -> sqlx::Result<Option<u64>> {
    let known = db::select_one::<Invoice>(tx, sitter_id, id).await?;
    if known.is_none_or(|it| becomes(&it.row) == it.row) {
        return Ok(None);
    }
    let Some(next) = db::claim_next_revision(tx, sitter_id, None, None).await? else {
        return Ok(None);
    };
    db::set_revision_id(tx, sitter_id, &next, app.current_revision_id()).await?;
    // Read again, now that nobody else writes it.
    let Some(known) = db::select_one::<Invoice>(tx, sitter_id, id).await? else {
        return Ok(None);
    };
    let row = becomes(&known.row);
    db::write_row(tx, sitter_id, next.rev, &Row::Invoice(row)).await?;
    Ok(Some(next.rev))
}
