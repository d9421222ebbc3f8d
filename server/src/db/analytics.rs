//! What analytics look at: services without their words, where clients live, when they asked.

use walkies_core::analytics::{Asked, ClientPlace, Period};
use walkies_core::rows::service::ServiceStatus;
use walkies_core::rows::service_figures::ServiceFigures;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Date, Id, Instant, Time};

use super::Tx;
use super::column::{Column, DbRow};

/// What of services is counted that begin in a span of days, in any order; no more than `most`.
pub async fn service_figures(
    tx: &mut Tx,
    sitter_id: Id,
    period: Period,
    most: usize,
) -> sqlx::Result<Vec<ServiceFigures>> {
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    let (first, last) = (period.start_date.arg(), period.end_date.arg());
    let args = [sitter_id.arg(), first, last, most.arg()];
    tx.fetch_all(SELECT_FIGURES, args, read_figures).await
}

const SELECT_FIGURES: &str = "SELECT id, client_id, client_name, service_type, date, \
    end_date IS NOT NULL AS is_stay, start_time, duration_minutes, status, price_cents, paid \
    FROM service WHERE sitter_id = $1 AND date >= $2 AND date <= $3 LIMIT $4";

fn read_figures(row: &dyn DbRow) -> sqlx::Result<ServiceFigures> {
    Ok(ServiceFigures {
        id: Column::get(row, "id")?,
        client_id: Column::get(row, "client_id")?,
        client_name: Column::get(row, "client_name")?,
        service_type: Column::get(row, "service_type")?,
        date: Column::get(row, "date")?,
        is_stay: Column::get(row, "is_stay")?,
        start_time: Column::get(row, "start_time")?,
        duration_minutes: Column::get(row, "duration_minutes")?,
        status: Column::get(row, "status")?,
        price: Column::get(row, "price_cents")?,
        paid: Column::get(row, "paid")?,
    })
}

/// Which clients had a service completed before a day, those that are deleted among them.
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
