//! Owns the calendar as screens show it: which days, what lies where on them, what comes next (SPEC 2 and 9,
//! Scheduling). It knows minutes and columns; pixels are the screen's.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use serde::{Deserialize, Serialize};

use crate::rows::blocked_time::BlockType;
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::overdue::{Lateness, lateness};
use crate::rules::{service, words};
use crate::values::date::MINUTES_PER_DAY;
use crate::values::format;
use crate::values::interval::Interval;
use crate::values::json::read_by_name;
use crate::values::sort::SmallSort as _;
use crate::values::units::HourCycle;
use crate::{Business, Date, Id, Now, Time};

/// How many days the calendar shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum CalendarView {
    /// The selected date alone.
    Day,
    /// Five from the selected date on.
    #[default]
    FiveDays,
    /// The selected date's week, from Sunday.
    Week,
}

read_by_name!(CalendarView {
    Day,
    FiveDays,
    Week
});

/// A service with what is derived from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ServiceView {
    /// The service itself.
    #[serde(flatten)]
    pub service: Service,
    /// When it ends; earlier than its start where it crosses midnight.
    pub end_time: Time,
    /// `9:30 AM - 10:00 AM`.
    pub formatted_time: String,
    /// `Between 11:00 AM and 2:00 PM`, which a client reads in place of the time; empty where the start was agreed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub window: String,
    /// `Walk`, `Drop-in`, or the name of the offering that it was booked as.
    pub kind: String,
    /// `30 min`, `3 days`.
    pub length: String,
    /// `Walk for Biscuit and Rex, 30 min`.
    pub summary: String,
    /// It starts before 6 AM: the yellow dot.
    pub overnight: bool,
    /// It should be done by now and is still open.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub overdue: bool,
    /// The way in which it is behind its plan, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub lateness: Option<Lateness>,
    /// Nobody is to pay it any more: the invoice that it stands on was written off.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub written_off: bool,
}

/// A service at its place on a day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CalendarItem {
    /// The service, with what is derived from it.
    pub view: ServiceView,
    /// Its start on this day, in minutes after midnight; 0 if it began the day before.
    pub top: u32,
    /// How long it is on this day, in minutes.
    pub height: u32,
    /// Its column among those that overlap, 0-based.
    pub lane: u32,
    /// How many columns those need.
    pub lanes: u32,
    /// It began the day before.
    pub continued: bool,
    /// The client's address up to the first comma: as much of it as a calendar has room for. May be empty.
    pub street: String,
}

/// A blocked time at its place on a day.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CalendarBlock {
    /// The blocked time's id.
    pub id: Id,
    /// The kind of reason.
    pub block_type: BlockType,
    /// The sitter's words; may be empty.
    pub reason: String,
    /// `12:00 PM - 1:00 PM`.
    pub formatted_time: String,
    /// Its start, in minutes after midnight.
    pub top: u32,
    /// How long it is, in minutes.
    pub height: u32,
    /// Emergencies are let through.
    pub allows_emergency: bool,
}

/// A stay on one of its days.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CalendarStay {
    /// The service, with what is derived from it.
    pub view: ServiceView,
    /// Number of this day among the stay's days, from 1 on.
    pub day: u32,
    /// How many days the stay has.
    pub n_days: u32,
    /// Night or day of the stay that this one is: `night 1 of 2`.
    pub place: String,
}

/// A day of the calendar.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CalendarDay {
    /// The day itself.
    pub date: Date,
    /// `Friday, November 20`.
    pub heading: String,
    /// True if it is today.
    pub is_today: bool,
    /// How many visits start on it, cancelled ones not counted.
    pub count: u32,
    /// The stays of which it is a day, by their first.
    pub stays: Vec<CalendarStay>,
    /// The visits, by start.
    pub items: Vec<CalendarItem>,
    /// The blocked times, by start.
    pub blocks: Vec<CalendarBlock>,
}

/// How many services a day has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DayCount {
    /// The day that is counted.
    pub date: Date,
    /// How many visits start on it and how many stays it is a day of, cancelled ones not counted.
    pub count: u32,
}

impl ServiceView {
    /// The service with what is derived from it at `now`; without a time nothing is overdue.
    pub fn at(service: &Service, cycle: HourCycle, now: Option<&Now>) -> Self {
        let minutes =
            i64::from(service.start_time.minute_of_day()) + i64::from(service.duration_minutes);
        let late = now.and_then(|it| lateness(service, it));
        Self {
            end_time: Time::from_minutes(minutes),
            formatted_time: words::service_time(service, cycle),
            window: words::window(service, cycle),
            kind: words::service_kind(service).to_owned(),
            length: words::length(service),
            summary: words::service_summary(service),
            overnight: service.start_time < DAY_STARTS,
            overdue: late == Some(Lateness::NotCompleted),
            lateness: late,
            written_off: service::is_written_off(service),
            service: service.clone(),
        }
    }
}

/// Services that start before it are overnight (SPEC 4).
const DAY_STARTS: Time = Time::hour(6);

/// SPEC 2: the upcoming list covers the next 7 days.
pub const UPCOMING_DAYS: i64 = 7;

/// The first day that a view shows of a selected date, and how many.
pub fn range(view: CalendarView, selected: Date) -> (Date, u32) {
    match view {
        CalendarView::Day => (selected, 1),
        CalendarView::FiveDays => (selected, 5),
        CalendarView::Week => (selected.week_start(), 7),
    }
}

/// The days of a view; `least_minutes` as in `day`.
pub fn days(
    business: &Business,
    view: CalendarView,
    selected: Date,
    least_minutes: u32,
    now: &Now,
) -> Vec<CalendarDay> {
    let (first, n_days) = range(view, selected);
    (0..n_days)
        .map(|it| day(business, first.plus_days(it.into()), least_minutes, now))
        .collect()
}

/// One day with what lies on it, what reaches in from the day before among it.
///
/// Where the screen cannot draw a service lower than `least_minutes`, shorter ones take up as much room as that: they get
/// columns in which none covers the next.
pub fn day(business: &Business, date: Date, least_minutes: u32, now: &Now) -> CalendarDay {
    let midnight = date.minute(Time::hour(0));
    let on_this_day = |it: Interval| Interval {
        start: (it.start - midnight).max(0),
        end: (it.end - midnight).min(MINUTES_PER_DAY),
    };
    let services: Vec<(Interval, &Service)> = business
        .visits_between(date.plus_days(-1), date)
        .into_iter()
        .map(|it| (on_this_day(it.interval()), it))
        .filter(|(interval, _)| interval.start < interval.end)
        .collect();
    let drawn = |it: Interval| Interval {
        end: it.end.max(it.start + i64::from(least_minutes)),
        ..it
    };
    let intervals: Vec<Interval> = services.iter().map(|(it, _)| drawn(*it)).collect();
    let items = services
        .iter()
        .zip(lanes(&intervals))
        .map(|((interval, service), (lane, lanes))| CalendarItem {
            view: ServiceView::at(service, business.hour_cycle(), Some(now)),
            top: minutes(interval.start),
            height: minutes(interval.end - interval.start),
            lane,
            lanes,
            continued: service.date != date,
            street: street(business, service),
        })
        .collect();
    let mut blocks: Vec<CalendarBlock> = business
        .blocked_times
        .values()
        .filter_map(|it| {
            let block = &it.row;
            let interval = on_this_day(block.interval_on(date)?);
            let height = minutes(interval.end - interval.start);
            Some(CalendarBlock {
                id: block.id,
                block_type: block.block_type,
                reason: block.reason.clone(),
                formatted_time: format::time_range(block.start_time, height, business.hour_cycle()),
                top: minutes(interval.start),
                height,
                allows_emergency: block.allows_emergency,
            })
        })
        .collect();
    blocks.small_sort_by_key(|it| (it.top, it.id));
    CalendarDay {
        date,
        heading: format::date_heading(date),
        is_today: date == now.today(),
        count: count(business.services.between(date, date), |it| {
            it.end_date.is_none()
        }),
        stays: stays(business, date, now),
        items,
        blocks,
    }
}

/// The stays of a day, by their first day and start.
fn stays(business: &Business, date: Date, now: &Now) -> Vec<CalendarStay> {
    let stays = business.stays_between(date, date);
    let shown = stays.into_iter().map(|it| CalendarStay {
        view: ServiceView::at(it, business.hour_cycle(), Some(now)),
        day: minutes(date.days_since_epoch() - it.date.days_since_epoch() + 1),
        n_days: it.n_days(),
        place: words::place_in_stay(it, date),
    });
    shown.collect()
}

fn street(business: &Business, service: &Service) -> String {
    let address = business.client(service.client_id).map(|it| &it.address);
    let street = address.and_then(|it| it.split([',', '\n']).next());
    street.unwrap_or_default().trim().to_owned()
}

/// How many services each day has, from `first` to `last`, both included.
pub fn counts(business: &Business, first: Date, last: Date) -> Vec<DayCount> {
    let n_days = last.days_since_epoch() - first.days_since_epoch() + 1;
    let dates = (0..n_days).map(|it| first.plus_days(it));
    dates
        .map(|date| DayCount {
            date,
            count: count(business.services.between(date, date), |it| {
                it.end_date.is_none()
            }) + count(business.services.stays_between(date, date), |_| true),
        })
        .collect()
}

/// How many of these are not cancelled.
fn count<'a>(
    services: impl Iterator<Item = &'a Service>,
    is_asked_for: impl Fn(&Service) -> bool,
) -> u32 {
    let counted = services.filter(|it| it.status != ServiceStatus::Cancelled && is_asked_for(it));
    minutes(counted.count() as i64)
}

/// A column for each interval so that none covers another, and how many columns its group needs. The intervals
/// come by start; a group is a run of intervals that hang together by overlaps.
pub(crate) fn lanes(intervals: &[Interval]) -> Vec<(u32, u32)> {
    let mut placed: Vec<(u32, u32)> = Vec::new();
    // Of the group at hand: which columns are taken until when, which are free again, how many there are.
    let mut taken: BinaryHeap<Reverse<(i64, u32)>> = BinaryHeap::new();
    let mut free: BinaryHeap<Reverse<u32>> = BinaryHeap::new();
    let mut n_lanes = 0;
    let mut group_start = 0;
    for interval in intervals {
        while let Some(Reverse((end, lane))) = taken.peek().copied()
            && end <= interval.start
        {
            taken.pop();
            free.push(Reverse(lane));
        }
        if taken.is_empty() {
            close(&mut placed, group_start, n_lanes);
            group_start = placed.len();
            free.clear();
            n_lanes = 0;
        }
        let lane = free.pop().map_or(n_lanes, |it| it.0);
        n_lanes = n_lanes.max(lane + 1);
        taken.push(Reverse((interval.end, lane)));
        placed.push((lane, 0));
    }
    close(&mut placed, group_start, n_lanes);
    placed
}

/// Writes down how many columns a finished group needed.
fn close(placed: &mut [(u32, u32)], group_start: usize, n_lanes: u32) {
    for (_, lanes) in placed.iter_mut().skip(group_start) {
        *lanes = n_lanes;
    }
}

/// A number that is never negative or large, as the screen's type.
fn minutes(number: i64) -> u32 {
    u32::try_from(number).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::client::Client;
    use crate::values::zone::TimeZone;
    use crate::{Instant, Row};

    #[test]
    fn a_visit_says_in_which_street_it_is() {
        let check = |address: &str, expected: &str| {
            let mut business = Business::default();
            let mut client = Client::new(Id::of(1), Instant(0));
            client.address = address.to_owned();
            let mut service = Service::new(Id::of(2), Instant(0));
            service.client_id = client.id;
            business.put(1, Row::Client(client));
            business.put(1, Row::Service(service.clone()));
            let now = Now {
                at: Instant(0),
                zone: TimeZone::UTC,
            };
            let day = day(&business, service.date, 0, &now);
            let streets: Vec<&str> = day.items.iter().map(|it| it.street.as_str()).collect();
            assert_eq!(streets, [expected]);
        };
        check("18 Alder Street", "18 Alder Street");
        check("18 Alder Street , Apt 4, Portland", "18 Alder Street");
        check("18 Alder Street\nPortland", "18 Alder Street");
        check("", "");
    }
}
