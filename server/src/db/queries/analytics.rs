//! Owns the rows that analytics read: services without their words, where clients live, when they asked.

use walkies_core::analytics::{Asked, ClientPlace, Period};
use walkies_core::rows::service::ServiceStatus;
use walkies_core::rows::service_figures::ServiceFigures;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Date, Id, Instant, Time};

use crate::db::engine::{Column, Tx, unreadable};

/// The services of one client that begin in a span of days, as analytics count them.
#[derive(Debug)]
pub struct ClientServices {
    client_id: Id,
    /// The name that a deleted client has in the last service up to the end of the span; `None` for other clients.
    former_name: Option<String>,
    /// How many they are.
    pub count: usize,
    /// A line for each; see `ServiceFigures::in_line`.
    lines: String,
}

impl ClientServices {
    /// Returns the id and the former name of a client that was deleted; `None` for one that was not.
    pub fn former(&self) -> Option<(Id, String)> {
        Some((self.client_id, self.former_name.clone()?))
    }

    /// The services, in any order.
    ///
    /// # Errors
    /// Where one cannot be read.
    pub fn figures(&self) -> sqlx::Result<Vec<ServiceFigures>> {
        let figures = |it| {
            let figures = ServiceFigures::in_line(it, self.client_id);
            figures.ok_or_else(|| unreadable("lines", it))
        };
        self.lines.lines().map(figures).collect()
    }
}

/// Reads the services that begin in a span of days for analytics, client by client, in any order; at most `most`
/// services.
pub async fn client_services(
    tx: &mut Tx,
    sitter_id: Id,
    period: Period,
    most: usize,
) -> sqlx::Result<Vec<ClientServices>> {
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    let (first, last) = (period.start_date.arg(), period.end_date.arg());
    let args = [sitter_id.arg(), first, last, most.arg()];
    tx.fetch_all(SELECT_SERVICES, args, |row| {
        let count: u64 = Column::get(row, "count")?;
        Ok(ClientServices {
            client_id: Column::get(row, "client_id")?,
            former_name: Column::get(row, "former_name")?,
            count: usize::try_from(count).unwrap_or(usize::MAX),
            lines: Column::get(row, "lines")?,
        })
    })
    .await
}

// The database puts a client's services into one text: to bring each of 20,000 as a row of its own takes both drivers three
// times as long as everything else together.
const SELECT_SERVICES: &str = "SELECT client_id, count(*) AS count, \
    CASE WHEN EXISTS (SELECT 1 FROM client WHERE client.sitter_id = $1 AND client.id = counted.client_id) THEN NULL ELSE \
    (SELECT client_name FROM service WHERE service.sitter_id = $1 AND service.client_id = counted.client_id \
    AND service.date <= $3 ORDER BY service.date DESC, service.id DESC LIMIT 1) END AS former_name, \
    string_agg(date || ' ' || start_time || ' ' || duration_minutes || ' ' || service_type || ' ' || status || ' ' \
    || CASE WHEN credited_invoice_id IS NULL THEN price_cents - lost_cents ELSE 0 END || CASE WHEN end_date IS NULL THEN ' 0 ' ELSE ' 1 ' END || CASE WHEN paid OR lost_cents > 0 THEN '1' ELSE '0' END, '\n') \
    AS lines FROM (SELECT client_id, date, end_date, start_time, duration_minutes, service_type, status, price_cents, paid, \
    credited_invoice_id, lost_cents FROM service WHERE sitter_id = $1 AND date >= $2 AND date <= $3 LIMIT $4) AS counted GROUP BY client_id";

/// Lists the clients that had a service completed before a day, those that are deleted among them.
pub async fn served_before(tx: &mut Tx, sitter_id: Id, day: Date) -> sqlx::Result<Vec<Id>> {
    let args = [sitter_id.arg(), day.arg(), ServiceStatus::Completed.arg()];
    tx.fetch_all(SELECT_SERVED, args, |row| Column::get(row, "client_id"))
        .await
}

// Served by `service_by_client`: whose services there are is read in it alone, and then the first that was completed of each.
const SELECT_SERVED: &str = "SELECT client_id FROM \
    (SELECT DISTINCT client_id FROM service WHERE sitter_id = $1) AS known \
    WHERE EXISTS (SELECT 1 FROM service WHERE service.sitter_id = $1 AND service.client_id = known.client_id \
    AND service.date < $2 AND service.status = $3)";

/// Who the clients of a business are and where.
pub async fn client_places(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Vec<ClientPlace>> {
    let sql = "SELECT id, name, lat, lng FROM client WHERE sitter_id = $1";
    tx.fetch_all(sql, [sitter_id.arg()], |row| {
        Ok(ClientPlace {
            id: Column::get(row, "id")?,
            name: Column::get(row, "name")?,
            lat: Column::get(row, "lat")?,
            lng: Column::get(row, "lng")?,
        })
    })
    .await
}

/// The requests that were made on the days of a span, in the business's zone.
pub async fn requests_made(
    tx: &mut Tx,
    sitter_id: Id,
    period: Period,
    zone: &TimeZone,
) -> sqlx::Result<Vec<Asked>> {
    let midnight = |date: Date| Instant::from_civil(date, Time::hour(0), zone);
    let (first, end) = (
        midnight(period.start_date),
        midnight(period.end_date.plus_days(1)),
    );
    let args = [sitter_id.arg(), first.arg(), end.arg()];
    tx.fetch_all(SELECT_REQUESTS, args, |row| {
        let made_at: Instant = Column::get(row, "created_at_ms")?;
        Ok(Asked {
            date: made_at.civil(zone).0,
            status: Column::get(row, "status")?,
        })
    })
    .await
}

// It is completed once its service is, which nobody writes down.
const SELECT_REQUESTS: &str = "SELECT walk_request.created_at_ms, \
    CASE service.status WHEN 'completed' THEN 'completed' ELSE walk_request.status END AS status \
    FROM walk_request LEFT JOIN service ON service.sitter_id = walk_request.sitter_id \
    AND service.id = walk_request.scheduled_service_id \
    WHERE walk_request.sitter_id = $1 AND walk_request.created_at_ms >= $2 AND walk_request.created_at_ms <= $3";
