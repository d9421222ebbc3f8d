//! Owns what hours bring: what each client comes to per hour with the ways between visits, which hours of the week are
//! empty, and what the next month is already worth.

use serde::Serialize;

use super::period::Period;
use super::records::{Counted, Customer, Records};
use super::sums::{Percent, Sum};
use crate::rows::service::ServiceStatus;
use crate::values::date::MINUTES_PER_DAY;
use crate::values::format;
use crate::values::plane::distance_m;
use crate::values::sort::SmallSort as _;
use crate::{Cents, Id, Time};

/// How much longer a way in a town is than the straight line.
const DETOUR: f64 = 1.3;

/// How fast somebody goes from door to door, by bicycle or by car with a place to be found for it.
const WAY_KM_PER_HOUR: u32 = 15;

/// How many clients are listed by what their hours bring.
const LISTED_CLIENTS: usize = 100;

/// How many empty times of the week are named.
const LISTED_EMPTY: usize = 5;

/// An hour of the week is empty where visits take less than this share of it, in percent.
const EMPTY_BELOW: u32 = 10;

/// When services are offered where nobody has said: from 6 AM to 10 PM.
const USUAL_HOURS: std::ops::Range<usize> = 6 * 60..22 * 60;

/// What a client's hours bring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PerHour {
    /// The client's; may be deleted.
    pub client_id: Id,
    /// As it is now, or was when the client was deleted.
    pub name: String,
    /// What completed visits come to.
    pub revenue: Cents,
    /// How long they took.
    pub visit_minutes: u32,
    /// Half of each way to and from a neighboring visit of the day.
    pub way_minutes: u32,
    /// What an hour of both brings.
    pub per_hour: Cents,
    /// Whether the client's home is known; without it the ways to it are left out.
    pub has_home: bool,
}

/// What hours bring.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ClientHours {
    /// What an hour of all visits and their ways brings; none without visits.
    pub per_hour: Option<Cents>,
    /// Client by client, who brings the most per hour first; 100 at most.
    pub clients: Vec<PerHour>,
    /// Ways that are left out, since a home is not known.
    pub ways_left_out: u32,
    /// How fast the ways are taken to be gone, in kilometers per hour; a way is 1.3 times the straight line.
    pub way_km_per_hour: u32,
}

/// An hour of a weekday.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HourCell {
    /// 0 = Sunday to 6 = Saturday.
    pub day_of_week: u8,
    /// 0 to 23.
    pub hour: u8,
    /// Minutes of all these hours of the span in which services are offered; 0 where none are.
    pub open_minutes: u32,
    /// How many of them visits take.
    pub booked_minutes: u32,
    /// The share of them; none where none are offered.
    pub booked: Option<Percent>,
}

/// When services are offered, and how much of it is taken (SPEC 7, Analytics).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Availability {
    /// Whether the business has said when it works; else it is from 6 AM to 10 PM.
    pub has_patterns: bool,
    /// Each weekday from Sunday on, hour by hour from the first to the last in which any are offered.
    pub hours: Vec<HourCell>,
    /// How each of those hours is called: `9:00 AM`.
    pub hour_labels: Vec<String>,
    /// Times of the week that are nearly always free, the longest first, 5 at most: `Sunday, 6:00 AM - 10:00 AM`.
    pub empty: Vec<String>,
    /// The share of all offered minutes that visits take; none where none are offered.
    pub booked: Option<Percent>,
}

/// What is scheduled for the next calendar month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NextMonth {
    /// `December 2026`.
    pub title: String,
    /// How many services are scheduled or done already.
    pub service_count: u32,
    /// What they come to.
    pub worth: Cents,
    /// The last whole month: `October 2026`.
    pub last_title: String,
    /// How many services were completed in it.
    pub last_service_count: u32,
    /// What they came to.
    pub last_revenue: Cents,
    /// The share of it that is already worth; none where that was nothing.
    pub share: Option<Percent>,
}

/// How long half of the way between two homes takes, in seconds; none where one is not known.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a saturating cast is right for a way around the world"
)]
fn half_way_seconds(from: &Customer, to: &Customer) -> Option<i64> {
    let meters = distance_m(from.home?, to.home?) * DETOUR;
    let seconds = meters * 3.6 / f64::from(WAY_KM_PER_HOUR);
    Some((seconds / 2.0).round() as i64)
}

/// Visits, and half of the ways beside each of them.
#[derive(Clone, Copy, Default)]
struct Worked {
    revenue: Cents,
    visit_minutes: i64,
    way_seconds: i64,
}

impl Worked {
    fn per_hour(self) -> Option<Cents> {
        let seconds = self.visit_minutes * 60 + self.way_seconds;
        (0 < seconds).then(|| self.revenue.share(3600, seconds))
    }
}

pub(super) fn client_hours(records: &Records, period: Period) -> ClientHours {
    let mut by_client = vec![Worked::default(); records.clients.len()];
    let (mut all, mut ways_left_out) = (Worked::default(), 0);
    let mut last: Option<&Counted> = None;
    let visits = records
        .services
        .iter()
        .filter(|it| it.is_done() && !it.is_stay);
    for visit in visits.filter(|it| period.has(it.date)) {
        let minutes = i64::from(visit.minutes);
        if let Some(it) = by_client.get_mut(visit.client) {
            it.revenue = it.revenue + visit.price;
            it.visit_minutes += minutes;
        }
        all.revenue = all.revenue + visit.price;
        all.visit_minutes += minutes;
        // From one visit to the next of the same client there is no way.
        if let Some(before) = last.filter(|it| it.date == visit.date && it.client != visit.client) {
            let ends = (
                records.clients.get(before.client),
                records.clients.get(visit.client),
            );
            let half = match ends {
                (Some(from), Some(to)) => half_way_seconds(from, to),
                _ => None,
            };
            match half {
                Some(half) => {
                    for client in [before.client, visit.client] {
                        if let Some(it) = by_client.get_mut(client) {
                            it.way_seconds += half;
                        }
                    }
                    all.way_seconds += 2 * half;
                }
                None => ways_left_out += 1,
            }
        }
        last = Some(visit);
    }
    let listed = records.clients.iter().zip(by_client);
    let mut clients: Vec<PerHour> = listed
        .filter_map(|(client, worked)| {
            let minutes = |it: i64| u32::try_from(it).unwrap_or(u32::MAX);
            Some(PerHour {
                client_id: client.id,
                name: client.name.clone(),
                revenue: worked.revenue,
                visit_minutes: minutes(worked.visit_minutes),
                way_minutes: minutes((worked.way_seconds + 30) / 60),
                per_hour: worked.per_hour()?,
                has_home: client.home.is_some(),
            })
        })
        .collect();
    clients.small_sort_by(|a, b| {
        let by_hour = (b.per_hour, b.revenue).cmp(&(a.per_hour, a.revenue));
        by_hour.then_with(|| (&a.name, a.client_id).cmp(&(&b.name, b.client_id)))
    });
    clients.truncate(LISTED_CLIENTS);
    ClientHours {
        per_hour: all.per_hour(),
        clients,
        ways_left_out,
        way_km_per_hour: WAY_KM_PER_HOUR,
    }
}

const DAY_MINUTES: usize = 24 * 60;

/// In which minutes of each weekday services are offered.
fn offered_minutes(records: &Records) -> [Vec<bool>; 7] {
    let mut week = [const { Vec::new() }; 7];
    for day in &mut week {
        *day = vec![false; DAY_MINUTES];
        if records.offered.is_empty()
            && let Some(usual) = day.get_mut(USUAL_HOURS)
        {
            usual.fill(true);
        }
    }
    for it in &records.offered {
        let (start, end) = (it.start.minute_of_day(), it.end.minute_of_day());
        let day = week.get_mut(usize::from(it.day_of_week));
        if let Some(minutes) = day.and_then(|it| it.get_mut(start.into()..end.into())) {
            minutes.fill(true);
        }
    }
    week
}

/// Minutes that are offered and those of them that are taken.
#[derive(Clone, Copy, Default)]
struct Taken {
    open: u32,
    booked: u32,
}

impl Taken {
    fn share(self) -> Option<Percent> {
        Percent::of(self.booked.into(), self.open.into())
    }

    const fn is_empty(self) -> bool {
        0 < self.open && self.booked * 100 < self.open * EMPTY_BELOW
    }
}

/// Each hour of the week, from Sunday 0:00 on.
type Week = [Taken; 7 * 24];

fn week(records: &Records, period: Period) -> Week {
    let offered = offered_minutes(records);
    let mut week = [Taken::default(); 7 * 24];
    let mut n_days = [0_u32; 7];
    for place in 0..period.n_days() {
        let first = i64::from(period.start_date.day_of_week());
        let weekday = usize::try_from((first + place).rem_euclid(7)).unwrap_or_default();
        if let Some(it) = n_days.get_mut(weekday) {
            *it += 1;
        }
    }
    let minutes = offered.iter().zip(n_days).enumerate();
    for (weekday, (minutes, n_days)) in minutes {
        for (hour, minutes) in minutes.chunks(60).enumerate() {
            let open = minutes.iter().filter(|it| **it).count();
            if let Some(it) = week.get_mut(weekday * 24 + hour) {
                it.open = u32::try_from(open).unwrap_or_default() * n_days;
            }
        }
    }
    let begin = period.start_date.days_since_epoch() * MINUTES_PER_DAY;
    let end = begin + period.n_days() * MINUTES_PER_DAY;
    // What is taken twice counts once.
    let mut taken_until = begin;
    let visits = records.services.iter().filter(|it| !it.is_stay);
    for it in visits.filter(|it| it.status != ServiceStatus::Cancelled) {
        let start = it.date.minute(it.start);
        let from = start.max(taken_until);
        let to = (start + i64::from(it.minutes)).min(end);
        taken_until = taken_until.max(to);
        for minute in from..to {
            let weekday = weekday_of(minute);
            let of_day = usize::try_from(minute.rem_euclid(MINUTES_PER_DAY)).unwrap_or_default();
            let is_open = offered.get(weekday).and_then(|it| it.get(of_day));
            if is_open == Some(&true)
                && let Some(it) = week.get_mut(weekday * 24 + of_day / 60)
            {
                it.booked += 1;
            }
        }
    }
    week
}

/// 0 = Sunday, of a minute since 1970, which began on a Thursday.
fn weekday_of(minute: i64) -> usize {
    usize::try_from((minute.div_euclid(MINUTES_PER_DAY) + 4).rem_euclid(7)).unwrap_or_default()
}

pub(super) fn availability(records: &Records, period: Period) -> Availability {
    let week = week(records, period);
    let is_open = |hour: &usize| {
        let hours = week.iter().skip(*hour).step_by(24);
        hours.into_iter().any(|it| 0 < it.open)
    };
    let first = (0..24).find(is_open).unwrap_or_default();
    let last = (0..24).rfind(is_open).map_or(first, |it| it + 1);
    let mut hours = Vec::new();
    let mut all = Taken::default();
    for (place, taken) in week.iter().enumerate() {
        all.open += taken.open;
        all.booked += taken.booked;
        if (first..last).contains(&(place % 24)) {
            hours.push(HourCell {
                day_of_week: u8::try_from(place / 24).unwrap_or_default(),
                hour: u8::try_from(place % 24).unwrap_or_default(),
                open_minutes: taken.open,
                booked_minutes: taken.booked,
                booked: taken.share(),
            });
        }
    }
    let time = |hour: usize| {
        let hour = u16::try_from(hour).unwrap_or_default();
        format::time(Time::hour(hour), records.hour_cycle)
    };
    let empty = empty_times(&week).into_iter().map(|(place, n_hours)| {
        let day = format::WEEKDAYS.get(place / 24).copied();
        let (from, to) = (time(place % 24), time(place % 24 + n_hours));
        format!("{}, {from} - {to}", day.unwrap_or_default())
    });
    Availability {
        has_patterns: !records.offered.is_empty(),
        hours,
        hour_labels: (first..last).map(time).collect(),
        empty: empty.collect(),
        booked: all.share(),
    }
}

/// Where hours of a day are empty one after the other: the first hour of the week and how many, the most first.
fn empty_times(week: &Week) -> Vec<(usize, usize)> {
    let mut times: Vec<(usize, usize)> = Vec::new();
    for (place, _) in week.iter().enumerate().filter(|(_, it)| it.is_empty()) {
        match times.last_mut() {
            Some((from, n_hours)) if *from + *n_hours == place && place % 24 != 0 => *n_hours += 1,
            _ => times.push((place, 1)),
        }
    }
    times.small_sort_by_key(|it| std::cmp::Reverse(it.1));
    times.truncate(LISTED_EMPTY);
    times
}

pub(super) fn next_month(records: &Records) -> NextMonth {
    let last = Period::month(records.today, -1);
    let next = Period::month(records.today, 1);
    let (mut done, mut ahead) = (Sum::default(), Sum::default());
    for it in &records.services {
        if last.has(it.date) && it.is_done() {
            done.add(it);
        } else if next.has(it.date) && it.status != ServiceStatus::Cancelled {
            ahead.add(it);
        }
    }
    NextMonth {
        title: format::month_heading(next.start_date),
        service_count: ahead.services,
        worth: ahead.revenue,
        last_title: format::month_heading(last.start_date),
        last_service_count: done.services,
        last_revenue: done.revenue,
        share: Percent::of(ahead.revenue.0, done.revenue.0),
    }
}
