//! Owns which starts clients are offered, active patterns less blocked times and services (decisions, Server-side rules),
//! and which free starts are suggested: those beside other visits.

use serde::{Deserialize, Serialize};

use crate::rows::client::Client;
use crate::rows::service::{Service, ServiceType};
use crate::rules::conflict::{ConflictRequest, Day};
use crate::values::interval::Interval;
use crate::values::place::Place;
use crate::values::plane::distance_m;
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
    /// It lies beside another visit.
    #[serde(default)]
    pub suggested: bool,
}

/// Steps below this would offer a list that nobody reads.
const LEAST_STEP_MINUTES: u32 = 5;

const MS_PER_HOUR: i64 = 60 * 60 * 1000;

/// From one home to the next in a quarter of an hour on foot, in meters, straight.
const NEAR_M: f64 = 1_000.0;

/// Which free starts are suggested, by the slot settings.
pub(crate) struct Suggestions<'a> {
    business: &'a Business,
    /// For whom the time is, where that is known.
    client: Option<&'a Client>,
    is_smart: bool,
    in_blocks: bool,
}

impl<'a> Suggestions<'a> {
    /// Those for a client. Without one the homes of others count as near: a pet parent who could ask for one place after
    /// the other would else find out who lives where.
    pub(crate) fn of(business: &'a Business, client_id: Option<Id>) -> Self {
        let config = business.config();
        Self {
            business,
            client: client_id.and_then(|it| business.client(it)),
            is_smart: config.is_some_and(|it| it.enable_smart_suggestions),
            in_blocks: config.is_some_and(|it| it.prefer_block_scheduling),
        }
    }

    /// Whether that time is suggested: beside another visit, and of smart suggestions alone beside one at a home nearby.
    pub(crate) fn have(&self, day: &Day<'_>, interval: Interval, step_minutes: u32) -> bool {
        (self.is_smart || self.in_blocks)
            && day.is_beside(interval, step_minutes, |it| {
                self.in_blocks || self.is_near(it)
            })
    }

    /// Whether from a visit to the client is a short way, as far as both homes are known.
    fn is_near(&self, visit: &Service) -> bool {
        let home = |it: Option<&Client>| it.and_then(|it| Place::from_degrees(it.lat?, it.lng?));
        match (
            home(self.client),
            home(self.business.client(visit.client_id)),
        ) {
            (Some(from), Some(to)) => distance_m(from, to) <= NEAR_M,
            _ => true,
        }
    }
}

/// The free starts of a day for a service of that length, the suggested ones first and each by time; a length of 0 means
/// the default one. There are none further ahead than the settings say.
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
    let today = now.today();
    if config.is_some_and(|it| today.plus_days(it.show_slots_days_ahead.into()) < date) {
        return Vec::new();
    }
    let day = Day::of(business, &request);
    let suggestions = Suggestions::of(business, None);
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
                    suggested: suggestions.have(&day, interval, step),
                });
            }
        }
    }
    slots.small_sort_by_key(|it| (!it.suggested, it.start_time));
    slots
}
