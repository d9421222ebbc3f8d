//! Owns the two years that the demo has behind it: clients come one after the other, summers are busy and Januaries are not, some
//! visits were called off, and not everything is paid.

use serde_json::json;
use walkies_core::commands::{CancelService, RecordService, ScheduleService};
use walkies_core::rows::service::ServiceType;
use walkies_core::{Command, Date, Time};

use super::{DemoClient, Dice, SLOTS, Worker, bills, patch};

/// The first day of it, in days from today; the two weeks before today are made visit by visit.
const FIRST: i64 = -729;
const LAST: i64 = -15;

/// A client comes every so many days.
const NEW_CLIENT_EVERY: i64 = 48;

/// Visits in each month, January first, as a percentage of those in a full week.
const SEASON: [usize; 12] = [55, 60, 75, 85, 95, 115, 130, 120, 95, 85, 75, 90];

/// Who has not come back for long, and how long: the place among the clients, and the last day.
const LAPSED: (usize, i64) = (9, -70);

pub(super) async fn year(worker: &mut Worker<'_>, clients: &[DemoClient]) -> anyhow::Result<()> {
    let mut dice = Dice(11);
    let today = worker.now.today();
    for day in FIRST..=LAST {
        let date = today.plus_days(day);
        let known = usize::try_from((day - FIRST) / NEW_CLIENT_EVERY).unwrap_or_default() + 2;
        let known = known.min(clients.len());
        let month = usize::try_from(date.parts().1 - 1).unwrap_or_default();
        let season = SEASON.get(month).copied().unwrap_or(100);
        let is_weekend = matches!(date.day_of_week(), 0 | 6);
        let most = if is_weekend { 6 } else { 10 + known };
        for slot in SLOTS {
            // More clients, more visits; and on Sunday mornings people walk themselves.
            if dice.below(SLOTS.len() * 10) * 100 >= most * season
                || (date.day_of_week() == 0 && slot.0 < 12)
            {
                continue;
            }
            // Whoever came first comes most often.
            let place = dice.below(known).min(dice.below(known));
            if place == LAPSED.0 && LAPSED.1 < day {
                continue;
            }
            if let Some(client) = clients.get(place) {
                visit(worker, &mut dice, client, place, date, slot).await?;
            }
        }
    }
    Ok(())
}

async fn visit(
    worker: &mut Worker<'_>,
    dice: &mut Dice,
    client: &DemoClient,
    place: usize,
    date: Date,
    (hour, minute, minutes, service_type): (u16, u16, u32, ServiceType),
) -> anyhow::Result<()> {
    let id = worker.app.env.id();
    let fate = dice.below(25);
    let mut fields = json!({
        "client_id": client.id, "dog_ids": client.dogs, "service_type": service_type, "date": date,
        "start_time": Time::new(hour, minute), "duration_minutes": minutes,
    });
    if fate == 0 {
        let schedule = ScheduleService {
            id,
            service: patch(fields),
            overlap_ok: true,
            quoted_price: None,
            brings_back: false,
        };
        let asked = worker.at(date.plus_days(-3), 19, 0);
        worker
            .send(Command::ScheduleService(schedule), asked)
            .await?;
        let cancelled = worker.at(date.plus_days(-1), 20, 0);
        let cancel = Command::CancelService(CancelService::new(id));
        return worker.send(cancel, cancelled).await;
    }
    // What those owe who are billed is made with their invoices.
    fields["paid"] = json!(place < bills::BILLED || fate != 1);
    let record = Command::RecordService(RecordService {
        id,
        service: patch(fields),
        brings_back: false,
    });
    let done = worker.at(date, hour + 1, minute);
    worker.send(record, done).await
}
