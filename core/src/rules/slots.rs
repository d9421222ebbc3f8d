//! Owns which starts clients are offered: active patterns less blocked times and services (decisions, Server-side rules).

use serde::{Deserialize, Serialize};

use crate::rows::service::ServiceType;
use crate::rules::conflict::{ConflictRequest, Day};
use crate::values::interval::Interval;
use crate::values::sort::SmallSort as _;
use crate::{Business, Date, Id, Instant, Now, Time};

/// A time that can be booked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Slot {
    /// When it begins.
    pub start_time: Time,
    /// When it ends.
    pub end_time: Time,
    /// The pattern that holds it.
    pub pattern_id: Id,
}

/// Steps below this would offer a list that nobody reads.
const LEAST_STEP_MINUTES: u32 = 5;

const MS_PER_HOUR: i64 = 60 * 60 * 1000;

/// The free starts of a day for a service of that length, by time; a length of 0 means the default one.
///
/// Each start belongs to the first pattern by priority that holds it, and follows that pattern's step, buffer,
/// concurrency, and limits on how early and late to book. Hours ahead are hours that really pass, whatever the
/// clock is changed by in between.
pub fn open_slots(
    business: &Business,
    date: Date,
    service_type: ServiceType,
    duration_minutes: u32,
    now: &Now,
) -> Vec<Slot> {
    let config = business.config();
    let length = match duration_minutes {
        0 => config.map_or(30, |it| it.default_slot_duration_minutes),
        minutes => minutes,
    };
    let step = config
        .map_or(30, |it| it.slot_interval_minutes)
        .max(LEAST_STEP_MINUTES);
    let request = ConflictRequest {
        service_type,
        date,
        start_time: Time::hour(0),
        duration_minutes: length,
        service_id: None,
        end_date: None,
    };
    let day = Day::of(business, &request);
    let today = now.today();
    let mut slots = Vec::new();
    // By minute of the day: many patterns may have the same starts.
    let mut holders: Vec<Option<Option<Id>>> = vec![None; 24 * 60];
    for pattern in &day.patterns {
        if date < today || today.plus_days(pattern.max_advance_days.into()) < date {
            continue;
        }
        let earliest = now.at.0 + i64::from(pattern.min_advance_hours) * MS_PER_HOUR;
        let last = i64::from(pattern.end_time.minute_of_day()) - i64::from(length);
        for minute in (pattern.start_time.minute_of_day().into()..=last).step_by(step as usize) {
            let start_time = Time::from_minutes(minute);
            let start = date.minute(start_time);
            let interval = Interval {
                start,
                end: start + i64::from(length),
            };
            let holder = || day.holder(interval).map(|it| it.id);
            let known = usize::try_from(minute)
                .ok()
                .and_then(|it| holders.get_mut(it));
            let is_ours =
                known.is_some_and(|it| *it.get_or_insert_with(holder) == Some(pattern.id));
            let in_time = || {
                let at = Instant::from_civil(date, start_time, &now.zone);
                earliest <= at.0 && now.at < at
            };
            if is_ours && in_time() && day.is_free(interval) {
                let end_time = Time::from_minutes(minute + i64::from(length));
                slots.push(Slot {
                    start_time,
                    end_time,
                    pattern_id: pattern.id,
                });
            }
        }
    }
    slots.small_sort_by_key(|it| it.start_time);
    slots
}
