//! Owns the lists of services that REST calls ask for: which ones, in which order and how many is said to the database.

use std::collections::HashSet;
use std::fmt::Write as _;

use sqlx::AssertSqlSafe;
use walkies_core::rows::service::{Service, ServiceStatus};
use walkies_core::rows::walk_request::{RequestStatus, WalkRequest};
use walkies_core::rules::service::{RECORDED, ServiceTotal};
use walkies_core::values::units::HourCycle;
use walkies_core::{Cents, Date, Id, Versioned};

use super::row::{Synced as _, read_stored};
use crate::db::engine::{Arg, Column, DbRow, Tx};

/// Filter for the services of a business; the default matches all of them, by date and start.
#[derive(Clone, Debug, Default)]
pub struct ServiceFilter {
    /// None that is over before this day: a stay is not before its last one.
    pub first: Option<Date>,
    /// None that begins after this day.
    pub last: Option<Date>,
    /// Only this client's.
    pub client_id: Option<Id>,
    /// Only those of one of these; of any where it is empty.
    pub statuses: Vec<ServiceStatus>,
    /// True if the last one by date and start comes first.
    pub newest_first: bool,
    /// No more than so many.
    pub limit: Option<u64>,
    /// Without so many of the first ones.
    pub offset: u64,
}

impl ServiceFilter {
    /// The statement for a business, and its arguments.
    fn select(&self, sitter_id: Id) -> (String, Vec<Arg>) {
        let (conditions, mut args) = self.conditions(sitter_id);
        let mut sql = [Service::select_sql(), &conditions].concat();
        sql.push_str(if self.newest_first {
            "ORDER BY date DESC, start_time DESC, id DESC"
        } else {
            "ORDER BY date, start_time, id"
        });
        if self.limit.is_some() || 0 < self.offset {
            args.push(self.limit.unwrap_or(i64::MAX.unsigned_abs()).arg());
            let _ = write!(sql, " LIMIT ${}", args.len());
            args.push(self.offset.arg());
            let _ = write!(sql, " OFFSET ${}", args.len());
        }
        (sql, args)
    }

    /// Builds the SQL after `WHERE sitter_id = $1`, and the arguments so far.
    fn conditions(&self, sitter_id: Id) -> (String, Vec<Arg>) {
        let mut sql = String::new();
        let mut args = vec![sitter_id.arg()];
        let conditions = [
            (
                "(date >= ? OR end_date >= ?)",
                self.first.map(|it| it.arg()),
            ),
            ("date <= ?", self.last.map(|it| it.arg())),
            ("client_id = ?", self.client_id.map(|it| it.arg())),
        ];
        for (condition, arg) in conditions {
            if let Some(arg) = arg {
                args.push(arg);
                let condition = condition.replace('?', &format!("${}", args.len()));
                let _ = write!(sql, "AND {condition} ");
            }
        }
        if !self.statuses.is_empty() {
            let numbers = args.len() + 1..=args.len() + self.statuses.len();
            let placeholders: Vec<String> = numbers.map(|it| format!("${it}")).collect();
            let _ = write!(sql, "AND status IN ({}) ", placeholders.join(", "));
            args.extend(self.statuses.iter().map(Column::arg));
        }
        (sql, args)
    }
}

/// The services of a business that are meant.
pub async fn services(
    tx: &mut Tx,
    sitter_id: Id,
    filter: &ServiceFilter,
) -> sqlx::Result<Vec<Versioned<Service>>> {
    let (sql, args) = filter.select(sitter_id);
    tx.fetch_all(AssertSqlSafe(sql), args, read_stored).await
}

/// Gives each of the services of a business that are meant, one at a time.
pub async fn each_service(
    tx: &mut Tx,
    sitter_id: Id,
    filter: &ServiceFilter,
    mut take: impl FnMut(Versioned<Service>) -> sqlx::Result<()> + Send,
) -> sqlx::Result<()> {
    let (sql, args) = filter.select(sitter_id);
    let each = |row: &dyn DbRow| take(read_stored(row)?);
    tx.fetch_each(AssertSqlSafe(sql), args, each).await
}

/// Tells that a filter means more services than this; no more of them are read.
pub async fn has_more_services(
    tx: &mut Tx,
    sitter_id: Id,
    filter: &ServiceFilter,
    most: u64,
) -> sqlx::Result<bool> {
    let (conditions, mut args) = filter.conditions(sitter_id);
    args.push((most + 1).arg());
    let sql = format!(
        "SELECT count(*) AS n FROM (SELECT 1 AS one FROM service WHERE sitter_id = $1 {conditions} LIMIT ${}) AS found",
        args.len()
    );
    let count = |row: &dyn DbRow| <u64 as Column>::get(row, "n");
    Ok(most < tx.fetch_one(AssertSqlSafe(sql), args, count).await?)
}

/// How many services there are of which `read` were read: asked of the database only where that does not tell it.
pub async fn count_services(
    tx: &mut Tx,
    sitter_id: Id,
    filter: &ServiceFilter,
    read: usize,
) -> sqlx::Result<u64> {
    let read = read as u64;
    let is_last = filter.limit.is_none_or(|it| read < it);
    if is_last && (0 < read || filter.offset == 0) {
        return Ok(filter.offset + read);
    }
    let (conditions, args) = filter.conditions(sitter_id);
    let sql = [
        "SELECT count(*) AS n FROM service WHERE sitter_id = $1 ",
        &conditions,
    ]
    .concat();
    tx.fetch_one(AssertSqlSafe(sql), args, |row| Column::get(row, "n"))
        .await
}

/// How a business writes times of day.
pub async fn hour_cycle(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<HourCycle> {
    let sql = "SELECT hour_cycle FROM profile WHERE sitter_id = $1";
    let read = |row: &dyn DbRow| Column::get(row, "hour_cycle");
    let found: Option<HourCycle> = tx.fetch_optional(sql, [sitter_id.arg()], read).await?;
    Ok(found.unwrap_or_default())
}

/// Filter of a business's requests.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestFilter {
    /// Only this client's.
    pub client_id: Option<Id>,
    /// Only those that stand like this.
    pub status: Option<RequestStatus>,
}

/// So many of a business's requests, the newest first, after so many; and how many there are.
pub async fn requests(
    tx: &mut Tx,
    sitter_id: Id,
    filter: RequestFilter,
    limit: u64,
    offset: u64,
) -> sqlx::Result<(Vec<Versioned<WalkRequest>>, u64)> {
    let mut args = vec![sitter_id.arg()];
    let mut conditions = String::new();
    if let Some(client_id) = filter.client_id {
        args.push(client_id.arg());
        let _ = write!(conditions, "AND client_id = ${} ", args.len());
    }
    if let Some(status) = filter.status {
        // Completed is what was approved and is done.
        let stored = match status {
            RequestStatus::Completed => RequestStatus::Approved,
            status => status,
        };
        args.push(stored.arg());
        let _ = write!(conditions, "AND status = ${} ", args.len());
        let served = match status {
            RequestStatus::Completed => "AND ",
            RequestStatus::Approved => "AND NOT ",
            _ => "",
        };
        if !served.is_empty() {
            args.push(ServiceStatus::Completed.arg());
            let _ = write!(
                conditions,
                "{served}EXISTS (SELECT 1 FROM service WHERE service.sitter_id = walk_request.sitter_id \
                 AND service.id = walk_request.scheduled_service_id AND service.status = ${}) ",
                args.len()
            );
        }
    }
    let count = [
        "SELECT count(*) AS n FROM walk_request WHERE sitter_id = $1 ",
        &conditions,
    ]
    .concat();
    let total = tx
        .fetch_one(AssertSqlSafe(count), args.clone(), |row| {
            Column::get(row, "n")
        })
        .await?;
    let mut sql = [WalkRequest::select_sql(), &conditions].concat();
    args.extend([limit.arg(), offset.arg()]);
    let (limit, offset) = (args.len() - 1, args.len());
    let _ = write!(
        sql,
        "ORDER BY created_at_ms DESC, id DESC LIMIT ${limit} OFFSET ${offset}"
    );
    let found = tx.fetch_all(AssertSqlSafe(sql), args, read_stored).await?;
    Ok((found, total))
}

macro_rules! select_served_requests {
    ($more:literal) => {
        concat!(
            "SELECT walk_request.id FROM walk_request JOIN service ON service.sitter_id = walk_request.sitter_id \
            AND service.id = walk_request.scheduled_service_id \
            WHERE walk_request.sitter_id = $1 AND service.status = $2",
            $more
        )
    };
}

/// The requests of a business, or of one client, whose service is done.
pub async fn served_requests(
    tx: &mut Tx,
    sitter_id: Id,
    client_id: Option<Id>,
) -> sqlx::Result<HashSet<Id>> {
    let mut args = vec![sitter_id.arg(), ServiceStatus::Completed.arg()];
    args.extend(client_id.map(|it| it.arg()));
    let sql = match client_id {
        None => select_served_requests!(""),
        Some(_) => select_served_requests!(" AND walk_request.client_id = $3"),
    };
    let ids = tx
        .fetch_all(sql, args, |row| Column::get(row, "id"))
        .await?;
    Ok(ids.into_iter().collect())
}

/// The totals of all completed services of a business; none for what there is none of.
pub async fn completed_totals(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Vec<ServiceTotal>> {
    let args = [sitter_id.arg(), RECORDED.arg()];
    tx.fetch_all(SELECT_COMPLETED_TOTALS, args, read_total)
        .await
}

fn read_total(row: &dyn DbRow) -> sqlx::Result<ServiceTotal> {
    Ok(ServiceTotal {
        service_type: Column::get(row, "service_type")?,
        paid: Column::get(row, "paid")?,
        n_services: Column::get(row, "n_services")?,
        n_written_off: Column::get(row, "n_written_off")?,
        price: Column::get(row, "price_cents")?,
    })
}

// Postgres sums to a type of its own.
const SELECT_COMPLETED_TOTALS: &str = "SELECT service_type, CASE WHEN lost_cents > 0 THEN TRUE ELSE paid END AS paid, count(*) AS n_services, \
    count(CASE WHEN credited_invoice_id = invoice_id THEN 1 END) AS n_written_off, \
    CAST(sum(CASE WHEN credited_invoice_id IS NULL THEN price_cents - lost_cents ELSE 0 END) AS BIGINT) AS price_cents FROM service WHERE sitter_id = $1 AND status = $2 \
    GROUP BY 1, 2";

/// Adds up what `core::rules::money::is_paid_alone` counts, in the database: a year may have ten thousand services.
const PAID_ALONE: &str = "SELECT CAST(coalesce(sum(price_cents), 0) AS BIGINT) AS cents FROM service \
    WHERE sitter_id = $1 AND date >= $2 AND date <= $3 AND paid AND invoice_id IS NULL \
    AND credited_invoice_id IS NULL AND status <> 'cancelled'";

/// Sum of the services of some days that were paid without an invoice.
pub async fn paid_alone(
    tx: &mut Tx,
    sitter_id: Id,
    (first, last): (Date, Date),
) -> sqlx::Result<Cents> {
    let args = vec![sitter_id.arg(), first.arg(), last.arg()];
    let sum = |row: &dyn DbRow| <Cents as Column>::get(row, "cents");
    tx.fetch_one(PAID_ALONE, args, sum).await
}
