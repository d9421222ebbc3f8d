//! Owns which services begin soon, and of which of them people were told.

use walkies_core::rows::service::ServiceType;
use walkies_core::{Date, Id, Time};

use crate::db::engine::{Column, DbRow, Tx};

/// Starts of one day, by the wall clock of the businesses of one zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartSpan {
    /// IANA name of the time zone.
    pub time_zone: String,
    /// The day, in that time zone.
    pub date: Date,
    /// Later than that; none for the whole morning.
    pub after: Option<Time>,
    /// No later than that; none for the whole evening.
    pub until: Option<Time>,
}

/// The parts of a service that a reminder of its start needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DueService {
    /// The id of the business.
    pub sitter_id: Id,
    /// The id of the service.
    pub id: Id,
    /// The client whose service it is.
    pub client_id: Id,
    /// Walk or drop-in.
    pub service_type: ServiceType,
    /// True if the service lasts for several days.
    pub is_stay: bool,
    /// Its first day.
    pub date: Date,
    /// When it begins.
    pub start_time: Time,
}

/// The zones that businesses are in.
pub async fn time_zones(tx: &mut Tx) -> sqlx::Result<Vec<String>> {
    tx.fetch_all(SELECT_ZONES, [], |row| Column::get(row, "time_zone"))
        .await
}

const SELECT_ZONES: &str = "SELECT DISTINCT time_zone FROM profile ORDER BY time_zone";

/// So many services of the span that nobody was told of and that somebody can be told of.
pub async fn due_services(
    tx: &mut Tx,
    span: &StartSpan,
    most: u32,
) -> sqlx::Result<Vec<DueService>> {
    let text = |time: Option<Time>, none: &str| time.map_or(none.to_owned(), |it| it.to_string());
    let args = [
        span.date.arg(),
        // Times are compared as texts, and every one of a day lies between these.
        text(span.after, "").arg(),
        text(span.until, "24:00").arg(),
        span.time_zone.clone().arg(),
        most.arg(),
    ];
    tx.fetch_all(SELECT_DUE, args, read_due).await
}

fn read_due(row: &dyn DbRow) -> sqlx::Result<DueService> {
    let end_date: Option<Date> = Column::get(row, "end_date")?;
    Ok(DueService {
        sitter_id: Column::get(row, "sitter_id")?,
        id: Column::get(row, "id")?,
        client_id: Column::get(row, "client_id")?,
        service_type: Column::get(row, "service_type")?,
        is_stay: end_date.is_some(),
        date: Column::get(row, "date")?,
        start_time: Column::get(row, "start_time")?,
    })
}

const SELECT_DUE: &str = concat!(
    "SELECT service.sitter_id, service.id, service.client_id, service.service_type, \
    service.end_date, service.date, service.start_time FROM service \
    JOIN profile ON profile.sitter_id = service.sitter_id \
    WHERE service.status = 'scheduled' AND service.date = $1 AND service.start_time > $2 AND service.start_time <= $3 \
    AND profile.time_zone = $4 AND service.progress IS NULL \
    AND NOT EXISTS (SELECT 1 FROM service_reminder told WHERE told.sitter_id = service.sitter_id \
    AND told.service_id = service.id AND told.date = service.date AND told.start_time = service.start_time) \
    AND (EXISTS (SELECT 1 FROM user_account JOIN push_subscription ON push_subscription.user_id = user_account.id \
    WHERE user_account.sitter_id = service.sitter_id) \
    OR EXISTS (SELECT 1 FROM client_user_link AS link JOIN push_subscription ON push_subscription.user_id = link.user_id \
    JOIN client ON client.sitter_id = link.sitter_id AND client.id = link.client_id AND ",
    linked_by_row!("link"),
    " WHERE link.sitter_id = service.sitter_id AND link.client_id = service.client_id)) \
    ORDER BY service.start_time, service.sitter_id, service.id LIMIT $5"
);

/// Notes that people are told of this start; `false` where somebody else has done so.
pub async fn claim_reminder(tx: &mut Tx, due: &DueService) -> sqlx::Result<bool> {
    let args = [
        due.sitter_id.arg(),
        due.id.arg(),
        due.date.arg(),
        due.start_time.arg(),
    ];
    Ok(tx.execute(CLAIM, args).await? == 1)
}

const CLAIM: &str = "INSERT INTO service_reminder (sitter_id, service_id, date, start_time) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (sitter_id, service_id) DO UPDATE SET date = excluded.date, start_time = excluded.start_time \
    WHERE service_reminder.date <> excluded.date OR service_reminder.start_time <> excluded.start_time";

/// Forgets starts of before that day.
pub async fn collect_reminders(tx: &mut Tx, before: Date) -> sqlx::Result<()> {
    tx.defer(DELETE_OLD, [before.arg()]).await
}

const DELETE_OLD: &str = "DELETE FROM service_reminder WHERE date < $1";
