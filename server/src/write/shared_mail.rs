//! Owns the mail that brings an invoice or a report to its client: which are mailed, its words, and what became of it, which
//! stands in the row. `jobs::mail` sends it, in the words of that moment, and an invoice with its PDF.

use walkies_core::rows::client::Client;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::report::Report;
use walkies_core::rows::row::{RowKey, TableName};
use walkies_core::rows::shared_mail::{SharedMail, SharedMailState};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::mail::business_in_mail;
use walkies_core::rules::ways_to_client::{is_invoice_mailed, is_report_mailed};
use walkies_core::rules::{invoice, report};
use walkies_core::values::reach::Reach;
use walkies_core::{Business, Cents, Change, Decision, Id, Instant, Row};

use crate::app::state::App;
use crate::app::throttle;
use crate::db::{self, Synced, Tx};
use crate::write::client_mail::{self, ClientMail};

/// Queues the mail of each new invoice and report of a decision, and notes in the row that it waits. One beyond the limits
/// is not mailed, and its link is left to the sitter.
///
/// INVARIANT: An invoice is mailed once.
/// INVARIANT: A report is mailed once, however often it is changed.
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
        match change {
            Change::Put(Row::Invoice(row)) if is_new_invoice(row, before) => {
                row.mailed = mail_invoice(app, tx, sitter_id, row, now).await?;
            }
            Change::Put(Row::Report(row)) if !before.reports.contains_key(&row.id) => {
                row.mailed = mail_report(app, tx, sitter_id, row, now).await?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn is_new_invoice(invoice: &Invoice, before: &Business) -> bool {
    before.invoices.get(&invoice.id).is_none()
        && invoice.credits.is_none()
        && Cents::ZERO < invoice.balance()
}

async fn mail_invoice(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    invoice: &Invoice,
    now: Instant,
) -> sqlx::Result<Option<SharedMail>> {
    let Some((sitter, client, business)) = reach(tx, sitter_id, invoice.client_id).await? else {
        return Ok(None);
    };
    if !is_invoice_mailed(&business, &client) {
        return Ok(None);
    }
    let (subject, text) = invoice_words(app, tx, &sitter, invoice, true).await?;
    let mail = ClientMail {
        to: client.email,
        subject,
        text,
        expires_at: None,
        invoice_share_id: invoice.share_id.clone(),
        brings: Some((sitter_id, key(TableName::Invoice, invoice.id))),
        is_bulk: false,
    };
    queue(app, tx, sitter_id, mail, now).await
}

async fn mail_report(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    report: &Report,
    now: Instant,
) -> sqlx::Result<Option<SharedMail>> {
    let Some((sitter, client, business)) = reach(tx, sitter_id, report.client_id).await? else {
        return Ok(None);
    };
    if !is_report_mailed(&business, &client) {
        return Ok(None);
    }
    let (subject, text) = report_words(app, &sitter, &client, report);
    let mail = ClientMail {
        to: client.email,
        subject,
        text,
        expires_at: None,
        invoice_share_id: None,
        brings: Some((sitter_id, key(TableName::Report, report.id))),
        is_bulk: false,
    };
    queue(app, tx, sitter_id, mail, now).await
}

const fn key(table: TableName, id: Id) -> RowKey {
    RowKey { table, id }
}

/// Reads a sitter and a client with how the server reaches the client, as the sitter's phone is told.
async fn reach(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Id,
) -> sqlx::Result<Option<(Sitter, Client, Business)>> {
    let sitter = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await?;
    let client = db::select_one::<Client>(tx, sitter_id, client_id).await?;
    let (Some(sitter), Some(client)) = (sitter, client) else {
        return Ok(None);
    };
    let mut business = Business {
        reach: Reach {
            sends_mail: true,
            notified: db::notified_clients(tx, sitter_id).await?,
            mailed: Vec::new(),
        },
        ..Business::default()
    };
    business.put(0, Row::Sitter(sitter.row.clone()));
    Ok(Some((sitter.row, client.row, business)))
}

/// Queues a mail within the limits. Returns what its row says of it; `None` beyond the limits.
async fn queue(
    app: &App,
    tx: &mut Tx,
    sitter_id: Id,
    mail: ClientMail,
    now: Instant,
) -> sqlx::Result<Option<SharedMail>> {
    let to = mail.to.clone();
    let table = mail.brings.map_or(TableName::Invoice, |(_, row)| row.table);
    let note = |state| {
        Some(SharedMail {
            to: to.clone(),
            state,
            at: now,
        })
    };
    if db::is_mail_stopped(tx, &to).await? {
        return Ok(note(SharedMailState::Stopped));
    }
    if throttle::share_by_mail(app, (sitter_id, table), &to).is_err() {
        return Ok(None);
    }
    Ok(match client_mail::queue(app, tx, mail, now).await? {
        Ok(()) => note(SharedMailState::Waiting),
        Err(_) => note(SharedMailState::Stopped),
    })
}

/// Subject and text of the mail with an invoice as it is now, without the line about stopping mail.
pub async fn invoice_words(
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
        invoice::mail_subject(invoice, &from),
        invoice::mail_text(invoice, &from, origin, has_pdf, takes_cards),
    ))
}

/// Subject and text of the mail with a report as it is now, without the line about stopping mail.
pub fn report_words(
    app: &App,
    sitter: &Sitter,
    client: &Client,
    shared: &Report,
) -> (String, String) {
    let from = business_in_mail(sitter.shown_name());
    (
        report::mail_subject(shared, &from),
        report::mail_text(shared, client, &from, &app.settings.public_url),
    )
}

/// Returns the address that answers to a mail of this business go to: the one on its invoices, if any. The address with
/// which a sitter signs in is nobody else's to know.
pub fn reply_to(sitter: &Sitter) -> Option<String> {
    let address = Some(sitter.invoicing.contact_email.clone());
    address.filter(|it| !it.is_empty())
}

/// Notes what became of the mail that brings this row; without a state that there is none. Returns the revision at which it
/// stands, if anything has changed, which is to be told once the transaction is committed.
pub async fn note_outcome(
    app: &App,
    tx: &mut Tx,
    (sitter_id, row): (Id, RowKey),
    state: Option<SharedMailState>,
) -> sqlx::Result<Option<u64>> {
    let at = app.now();
    let after = |mailed: Option<&SharedMail>| {
        let mail = mailed?.clone();
        match state? {
            state if state == mail.state => Some(mail),
            state => Some(SharedMail { state, at, ..mail }),
        }
    };
    let of = (sitter_id, row.id);
    if row.table == TableName::Report {
        let becomes = |it: &Report| Report {
            mailed: after(it.mailed.as_ref()),
            ..it.clone()
        };
        return change(app, tx, of, becomes).await;
    }
    let becomes = |it: &Invoice| Invoice {
        mailed: after(it.mailed.as_ref()),
        ..it.clone()
    };
    change(app, tx, of, becomes).await
}

/// Notes that the page of an invoice or a report was opened by somebody else than its sitter; only the first time counts.
pub async fn note_opening(app: &App, sitter_id: Id, row: RowKey) -> sqlx::Result<()> {
    let at = app.now();
    let of = (sitter_id, row.id);
    let mut tx = app.db.write().await?;
    let rev = if row.table == TableName::Report {
        let becomes = |it: &Report| Report {
            opened_at: it.opened_at.or(Some(at)),
            ..it.clone()
        };
        change(app, &mut tx, of, becomes).await?
    } else {
        let becomes = |it: &Invoice| Invoice {
            opened_at: it.opened_at.or(Some(at)),
            ..it.clone()
        };
        change(app, &mut tx, of, becomes).await?
    };
    tx.commit().await?;
    if let Some(rev) = rev {
        app.realtime.changed(sitter_id, rev);
    }
    Ok(())
}

/// Writes what the server alone says of a row, at the next revision of its business; the revision, where that is something
/// else than before.
async fn change<T: Synced + PartialEq>(
    app: &App,
    tx: &mut Tx,
    (sitter_id, id): (Id, Id),
    becomes: impl Fn(&T) -> T,
) -> sqlx::Result<Option<u64>> {
    let known = db::select_one::<T>(tx, sitter_id, id).await?;
    if known.is_none_or(|it| becomes(&it.row) == it.row) {
        return Ok(None);
    }
    let Some(next) = db::claim_next_revision(tx, sitter_id, None, None).await? else {
        return Ok(None);
    };
    db::set_revision_id(tx, sitter_id, &next, app.current_revision_id()).await?;
    // Read again, now that nobody else writes it.
    let Some(known) = db::select_one::<T>(tx, sitter_id, id).await? else {
        return Ok(None);
    };
    let row = becomes(&known.row);
    db::write_row(tx, sitter_id, next.rev, &row.into_row()).await?;
    Ok(Some(next.rev))
}
