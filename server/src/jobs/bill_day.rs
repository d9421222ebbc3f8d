//! Owns the day of the month on which a business is billed by itself: each client by the same command and on the same path
//! as by 'Bill all'. It looks each hour of the day, so that a day that was missed is made up for.

use std::collections::BTreeSet;
use std::time::Duration;

use walkies_core::commands::ShareInvoice;
use walkies_core::commands::decision::Need;
use walkies_core::rows::invoice::Invoice;
use walkies_core::rows::service::{PriceBreakdown, Service};
use walkies_core::rules::bill_day::{billed_at_first, billed_id, months_due};
use walkies_core::rules::invoice::{SERVED, is_billable, is_reminder_time};
use walkies_core::rules::push::{BillCounts, Notice};
use walkies_core::screens::bill_all::due_bills;
use walkies_core::values::push::PushKind;
use walkies_core::{Business, Command, Date, Id, Now, Row, TableName};

use crate::app::session::Member;
use crate::app::state::App;
use crate::app::zone;
use crate::base::error::AppError;
use crate::base::log::redacted;
use crate::db::{self, BillingBusiness, PushAudience, ServiceFilter};
use crate::write::execute::{CommandRequest, CommandSource, Executed, IdempotencyKey, execute};
use crate::write::notify::notify;

/// Interval between two looks.
const EVERY: Duration = Duration::from_secs(60 * 60);
/// So many businesses are read at once.
const AT_ONCE: u32 = 100;
/// So many ids are asked for at once.
const IDS_AT_ONCE: usize = 100;

/// Bills on the days of the month, for ever.
pub async fn bill(app: &App) {
    loop {
        if let Err(error) = bill_once(app).await {
            tracing::warn!(error = redacted(&error), "cannot bill on days of the month");
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Bills the months that are due where it is day.
pub async fn bill_once(app: &App) -> sqlx::Result<()> {
    let mut tx = app.db.write().await?;
    db::forget_billed_months(&mut tx).await?;
    tx.flush().await?;
    tx.commit().await?;
    for (name, zone) in zone::of_businesses(app).await? {
        let now = Now {
            at: app.now(),
            zone,
        };
        let mut after = Id::default();
        loop {
            let mut tx = app.db.read_autocommit().await?;
            let found = db::billing_businesses(&mut tx, &name, after, AT_ONCE).await?;
            drop(tx);
            let Some(last) = found.last() else { break };
            after = last.sitter_id;
            for business in &found {
                if let Err(error) = bill_business(app, &now, business).await {
                    // It is tried again within the hour.
                    let sitter_id = business.sitter_id;
                    tracing::warn!(%sitter_id, ?error, "cannot bill the month of a business");
                }
            }
        }
    }
    Ok(())
}

async fn bill_business(app: &App, now: &Now, business: &BillingBusiness) -> Result<(), AppError> {
    let Some(day) = business.invoicing.bill_day else {
        return Ok(());
    };
    let today = now.today();
    let billed = match business.billed_month {
        Some(month) => month,
        None => {
            let Some(month) = billed_at_first(day, today) else {
                return Ok(());
            };
            let mut tx = app.db.write().await?;
            db::mark_billed(&mut tx, business.sitter_id, month).await?;
            tx.flush().await?;
            tx.commit().await?;
            month
        }
    };
    if !is_reminder_time(now.time()) {
        return Ok(());
    }
    for month in months_due(day, billed, today) {
        bill_month(app, now, business, month).await?;
    }
    Ok(())
}

/// Bills a month, of which there is one invoice for each client at most, and tells the sitter.
async fn bill_month(
    app: &App,
    now: &Now,
    business: &BillingBusiness,
    month: Date,
) -> Result<(), AppError> {
    let (loaded, clients) = load(app, business.sitter_id, month).await?;
    let due = due_bills(&loaded, month, now);
    drop(loaded);
    let mut left: BTreeSet<Id> = due.left.into_iter().collect();
    let mut counts = BillCounts::default();
    if business.invoicing.bill_waits {
        counts.waiting = count(due.invoices.len());
    } else {
        for invoice in due.invoices {
            let client_id = invoice.client_id.unwrap_or_default();
            if !share(app, business, invoice, month).await? {
                left.insert(client_id);
            }
        }
        // Those of before a stop, and of another process, are among them.
        counts.shared = count(shared(app, business.sitter_id, month, &clients).await?);
    }
    counts.left = count(left.len());
    let mut tx = app.db.write().await?;
    // INVARIANT: A month is billed by itself once. Several processes may look at the same moment.
    if db::mark_billed(&mut tx, business.sitter_id, month).await? && counts != BillCounts::default()
    {
        let sitter = PushAudience::Sitter(business.sitter_id);
        notify(app, &mut tx, sitter, &notice(business, counts), now.at).await?;
    }
    tx.flush().await?;
    tx.commit().await?;
    app.push_queued.notify_one();
    Ok(())
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Loads what decides on the invoices of a month, and the clients who have services in it, billed ones among them.
async fn load(app: &App, sitter_id: Id, month: Date) -> sqlx::Result<(Business, BTreeSet<Id>)> {
    let mut business = Business::default();
    let (mut clients, mut series) = (BTreeSet::new(), BTreeSet::new());
    let last = month.in_month(1, 1).map(|it| it.plus_days(-1));
    let filter = ServiceFilter {
        first: Some(month),
        last: Some(last.unwrap_or(month)),
        statuses: SERVED.to_vec(),
        ..ServiceFilter::default()
    };
    let mut tx = app.db.read().await?;
    db::each_service(&mut tx, sitter_id, &filter, |service| {
        clients.insert(service.row.client_id);
        series.extend(service.row.series_id);
        if is_billable(&service.row) {
            business.put(service.rev, Row::Service(slim(service.row)));
        }
        Ok(())
    })
    .await?;
    let ids: Vec<Id> = clients.iter().copied().collect();
    let mut needs = vec![
        Need::Table(TableName::Sitter),
        Need::Table(TableName::Offering),
    ];
    needs.extend(in_parts(TableName::Client, &ids));
    needs.extend(in_parts(
        TableName::Series,
        &series.into_iter().collect::<Vec<_>>(),
    ));
    db::load(&mut tx, sitter_id, &needs, None, &mut business).await?;
    // A trip is billed as a whole, whatever month it goes on in.
    let all = business.series.values().map(|it| &it.row);
    let trips = all.filter(|it| it.trip.is_some());
    let trips: Vec<Need> = trips
        .map(|it| Need::VisitsOfSeries(it.id, it.begins()))
        .collect();
    let slimmed = |row| match row {
        Row::Service(service) => Row::Service(slim(service)),
        row => row,
    };
    db::load_slimmed(&mut tx, sitter_id, &trips, None, &mut business, slimmed).await?;
    for invoice in db::invoices_with_credit(&mut tx, sitter_id).await? {
        business.put(invoice.rev, Row::Invoice(invoice.row));
    }
    tx.commit().await?;
    Ok((business, clients))
}

/// A service without its texts, of which thousands would fill the memory.
fn slim(service: Service) -> Service {
    Service {
        notes: String::new(),
        internal_notes: String::new(),
        completion_notes: String::new(),
        pricing_breakdown: PriceBreakdown::default(),
        ..service
    }
}

fn in_parts(table: TableName, ids: &[Id]) -> impl Iterator<Item = Need> {
    let parts = ids.chunks(IDS_AT_ONCE);
    parts.map(move |it| Need::Rows(table, it.to_vec()))
}

/// Shares an invoice; false where it was refused.
async fn share(
    app: &App,
    business: &BillingBusiness,
    invoice: ShareInvoice,
    month: Date,
) -> Result<bool, AppError> {
    let id = invoice.id;
    let request = CommandRequest {
        member: Member {
            user_id: business.user_id,
            sitter_id: business.sitter_id,
            link: None,
        },
        command: Ok(Command::ShareInvoice(invoice)),
        key: Some(IdempotencyKey {
            id: format!("invoice {id} of {month}"),
            args_hash: String::new(),
        }),
        source: CommandSource::Rest { if_match: None },
    };
    Ok(match execute(app, &request).await? {
        Executed::Decided {
            decided: Err(refusal),
            ..
        } => {
            let (sitter_id, code) = (business.sitter_id, refusal.code());
            tracing::info!(%sitter_id, code, "an invoice of a billing day was refused");
            false
        }
        Executed::Known(known) => known.refusal.is_none(),
        _ => true,
    })
}

/// The number of invoices of a month that were made by itself and are there.
async fn shared(
    app: &App,
    sitter_id: Id,
    month: Date,
    clients: &BTreeSet<Id>,
) -> sqlx::Result<usize> {
    let ids: Vec<Id> = clients.iter().map(|it| billed_id(month, *it)).collect();
    let needs: Vec<Need> = in_parts(TableName::Invoice, &ids).collect();
    let slimmed = |row| match row {
        Row::Invoice(invoice) => Row::Invoice(Invoice {
            services_data: Vec::new(),
            ..invoice
        }),
        row => row,
    };
    let mut found = Business::default();
    let mut tx = app.db.read_autocommit().await?;
    db::load_slimmed(&mut tx, sitter_id, &needs, None, &mut found, slimmed).await?;
    let invoices = found.invoices.values();
    Ok(invoices.filter(|it| it.row.deleted_at.is_none()).count())
}

fn notice(business: &BillingBusiness, counts: BillCounts) -> Notice {
    Notice {
        bills: Some(counts),
        ..Notice::of(
            PushKind::BillingDay,
            business.sitter_id,
            Id::default(),
            business.sitter_id,
        )
    }
}
