//! Owns the lists of services that REST calls ask for: which ones, in which order and how many is said to the database.

use std::fmt::Write as _;

use sqlx::AssertSqlSafe;
use walkies_core::rows::service::{Service, ServiceStatus, ServiceType};
use walkies_core::{Cents, Date, Id, Versioned};

use super::Tx;
use super::column::{Arg, Column, DbRow};
use super::row::{Synced as _, read_stored};

/// Which services of a business are meant; all of them by default, by date and start.
#[derive(Clone, Debug, Default)]
pub struct ServiceFilter {
    /// None that begins before this day.
    pub first: Option<Date>,
    /// None that begins after this day.
    pub last: Option<Date>,
    /// Only this client's.
    pub client_id: Option<Id>,
    /// Only those of one of these; of any where it is empty.
    pub statuses: Vec<ServiceStatus>,
    /// Whether the last one by date and start comes first.
    pub newest_first: bool,
    /// No more than so many.
    pub limit: Option<u64>,
}

impl ServiceFilter {
    /// The statement for a business, and its arguments.
    fn select(&self, sitter_id: Id) -> (String, Vec<Arg>) {
        let mut sql = Service::select_sql().to_owned();
        let mut args = vec![sitter_id.arg()];
        let conditions = [
            ("date >= ", self.first.map(|it| it.arg())),
            ("date <= ", self.last.map(|it| it.arg())),
            ("client_id = ", self.client_id.map(|it| it.arg())),
        ];
        for (condition, arg) in conditions {
            if let Some(arg) = arg {
                args.push(arg);
                let _ = write!(sql, "AND {condition}${} ", args.len());
            }
        }
        if !self.statuses.is_empty() {
            let numbers = args.len() + 1..=args.len() + self.statuses.len();
            let placeholders: Vec<String> = numbers.map(|it| format!("${it}")).collect();
            let _ = write!(sql, "AND status IN ({}) ", placeholders.join(", "));
            args.extend(self.statuses.iter().map(Column::arg));
        }
        sql.push_str(if self.newest_first {
            "ORDER BY date DESC, start_time DESC, id DESC"
        } else {
            "ORDER BY date, start_time, id"
        });
        if let Some(limit) = self.limit {
            args.push(limit.arg());
            let _ = write!(sql, " LIMIT ${}", args.len());
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

/// Completed services of one type that are all paid, or all unpaid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceTotal {
    /// Walk or drop-in.
    pub service_type: ServiceType,
    /// Whether they are paid.
    pub paid: bool,
    /// How many there are.
    pub n_services: u32,
    /// The sum of their prices.
    pub price: Cents,
}

/// The totals of all completed services of a business; none for what there is none of.
pub async fn completed_totals(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Vec<ServiceTotal>> {
    let args = [sitter_id.arg(), ServiceStatus::Completed.arg()];
    tx.fetch_all(SELECT_COMPLETED_TOTALS, args, read_total)
        .await
}

fn read_total(row: &dyn DbRow) -> sqlx::Result<ServiceTotal> {
    Ok(ServiceTotal {
        service_type: Column::get(row, "service_type")?,
        paid: Column::get(row, "paid")?,
        n_services: Column::get(row, "n_services")?,
        price: Column::get(row, "price_cents")?,
    })
}

// Postgres sums to a type of its own.
const SELECT_COMPLETED_TOTALS: &str = "SELECT service_type, paid, count(*) AS n_services, \
    CAST(sum(price_cents) AS BIGINT) AS price_cents FROM service WHERE sitter_id = $1 AND status = $2 \
    GROUP BY service_type, paid";
