//! Owns which hours of the week are taken, and which are empty.

use serde::Serialize;

use super::records::Records;
use super::sums::Percent;
use crate::Time;
use crate::rows::service::ServiceStatus;
use crate::values::date::MINUTES_PER_DAY;
use crate::values::format;
use crate::values::sort::SmallSort as _;

/// How many empty times of the week are named.
const LISTED_EMPTY: usize = 5;

/// An hour of the week is empty where visits take less than this share of it, in percent.
const EMPTY_BELOW: u32 = 10;

/// Fewest days in the span for the title `Nearly always free`; fewer say nothing about a habit.
const LEAST_DAYS_FOR_ALWAYS: i64 = 14;

/// When services are offered where nobody has said: from 6 AM to 10 PM.
const USUAL_HOURS: std::ops::Range<usize> = 6 * 60..22 * 60;

/// An hour of a weekday.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HourCell {
    /// 0 = Sunday to 6 = Saturday.
    pub day_of_week: u8,
    /// 0 to 23.
    pub hour: u8,
    /// Minutes of all these hours of the days in which services are offered and no time is blocked.
    pub open_minutes: u32,
    /// Minutes of `open_minutes` that visits take; visits at the same time count once.
    pub booked_minutes: u32,
    /// The share of them; none where none are offered.
    pub booked: Option<Percent>,
    /// True if services are offered in this hour and visits take less than 10% of its offered minutes.
    pub is_empty: bool,
}

/// When services are offered, and how much of it is taken (SPEC 7, Analytics), up to today, or in all of a span that is
/// still to come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Availability {
    /// True if the business has active availability patterns; without any, 6 AM to 10 PM counts as offered.
    pub has_patterns: bool,
    /// Each weekday that the days have, from Sunday on, hour by hour from the first to the last in which any are offered.
    pub hours: Vec<HourCell>,
    /// Labels of those hours: `9:00 AM`.
    pub hour_labels: Vec<String>,
    /// Times of the week that are free, the longest first, 5 at most: `Sunday, 6:00 AM - 10:00 AM`.
    pub empty: Vec<String>,
    /// Heading of `empty`: `Longest regular gaps`, or `Longest free times in these days` if the span is short.
    pub empty_title: &'static str,
    /// The share of all offered minutes that visits take; none where none are offered.
    pub booked: Option<Percent>,
}

const DAY_MINUTES: usize = 24 * 60;
const WEEK_MINUTES: usize = 7 * DAY_MINUTES;

/// In which minutes of the week, from Sunday 0:00 on, services are offered.
fn offered_minutes(records: &Records) -> Vec<bool> {
    let mut week = vec![false; WEEK_MINUTES];
    for (weekday, day) in week.chunks_mut(DAY_MINUTES).enumerate() {
        if records.offered.is_empty()
            && let Some(usual) = day.get_mut(USUAL_HOURS)
        {
            usual.fill(true);
        }
        let offered = records.offered.iter();
        for it in offered.filter(|it| usize::from(it.day_of_week) == weekday) {
            let (start, end) = (it.start.minute_of_day(), it.end.minute_of_day());
            if let Some(minutes) = day.get_mut(start.into()..end.into()) {
                minutes.fill(true);
            }
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
    fn of(minutes: &[Self]) -> Self {
        Self {
            open: minutes.iter().map(|it| it.open).sum(),
            booked: minutes.iter().map(|it| it.booked).sum(),
        }
    }

    fn share(self) -> Option<Percent> {
        Percent::of(self.booked.into(), self.open.into())
    }

    const fn is_empty(self) -> bool {
        0 < self.open && self.booked * 100 < self.open * EMPTY_BELOW
    }
}

/// The minutes of a week, on all weeks of a span together.
struct Week {
    /// From Sunday 0:00 on.
    minutes: Vec<Taken>,
    /// Number of days of each weekday in the span, from Sunday on.
    n_days: [u32; 7],
    n_all_days: i64,
}

impl Week {
    fn of(records: &Records) -> Self {
        let period = records.period.so_far(records.today);
        let offered = offered_minutes(records);
        let mut n_days = [0; 7];
        for date in period.days() {
            if let Some(it) = n_days.get_mut(usize::from(date.day_of_week())) {
                *it += 1;
            }
        }
        let mut minutes = vec![Taken::default(); WEEK_MINUTES];
        let days = minutes.chunks_mut(DAY_MINUTES).zip(n_days);
        let days = days.flat_map(|(day, n_days)| day.iter_mut().map(move |it| (it, n_days)));
        for ((minute, n_days), is_offered) in days.zip(&offered) {
            minute.open = if *is_offered { n_days } else { 0 };
        }
        let begin = period.start_date.days_since_epoch() * MINUTES_PER_DAY;
        let end = begin + period.n_days() * MINUTES_PER_DAY;
        for minute in records
            .blocked
            .iter()
            .flat_map(|it| it.start..it.end.min(end))
        {
            if let Some(it) = minutes.get_mut(place_in_week(minute)) {
                it.open = it.open.saturating_sub(1);
            }
        }
        let mut blocked = records.blocked.iter().peekable();
        // What is taken twice counts once.
        let mut taken_until = begin;
        let visits = records.services.iter().filter(|it| !it.is_stay);
        for it in visits.filter(|it| it.status != ServiceStatus::Cancelled) {
            let from = it.begin().max(taken_until);
            let to = it.end().min(end);
            taken_until = taken_until.max(to);
            let rest = place_in_week(from)..WEEK_MINUTES;
            let places = rest.chain((0..WEEK_MINUTES).cycle());
            for (minute, place) in (from..to).zip(places) {
                while blocked.next_if(|it| it.end <= minute).is_some() {}
                let is_blocked = blocked.peek().is_some_and(|it| it.start <= minute);
                if !is_blocked
                    && offered.get(place) == Some(&true)
                    && let Some(it) = minutes.get_mut(place)
                {
                    it.booked += 1;
                }
            }
        }
        Self {
            minutes,
            n_days,
            n_all_days: period.n_days(),
        }
    }

    /// Each hour from Sunday 0:00 on.
    fn hours(&self) -> Vec<Taken> {
        self.minutes.chunks(60).map(Taken::of).collect()
    }

    /// Returns the runs of consecutive empty hours within a day, as ranges of minutes of the week (from Sunday 0:00),
    /// cut to the minutes that are offered; the longest first, at most `LISTED_EMPTY`.
    fn empty_times(&self) -> Vec<std::ops::Range<usize>> {
        let mut times: Vec<std::ops::Range<usize>> = Vec::new();
        for (hour, minutes) in self.minutes.chunks(60).enumerate() {
            if !Taken::of(minutes).is_empty() {
                continue;
            }
            let is_open = |it: &Taken| 0 < it.open;
            let first = minutes.iter().position(is_open).unwrap_or_default();
            let end = minutes.iter().rposition(is_open).unwrap_or_default() + 1;
            let (first, end) = (hour * 60 + first, hour * 60 + end);
            match times.last_mut() {
                Some(last) if last.end == first && hour % 24 != 0 => last.end = end,
                _ => times.push(first..end),
            }
        }
        times.small_sort_by_key(|it| std::cmp::Reverse(it.len()));
        times.truncate(LISTED_EMPTY);
        times
    }
}

/// Converts a minute since 1970 to the minute of the week, from Sunday 0:00; 1970 began on a Thursday.
fn place_in_week(minute: i64) -> usize {
    let since_sunday = minute + 4 * MINUTES_PER_DAY;
    usize::try_from(since_sunday.rem_euclid(7 * MINUTES_PER_DAY)).unwrap_or_default()
}

pub(super) fn availability(records: &Records) -> Availability {
    let week = Week::of(records);
    let all = week.hours();
    let is_open = |hour: &usize| all.iter().skip(*hour).step_by(24).any(|it| 0 < it.open);
    let first = (0..24).find(is_open).unwrap_or_default();
    let last = (0..24).rfind(is_open).map_or(first, |it| it + 1);
    let mut hours = Vec::new();
    for (place, taken) in all.iter().enumerate() {
        let has_day = week.n_days.get(place / 24).is_some_and(|it| 0 < *it);
        if has_day && (first..last).contains(&(place % 24)) {
            hours.push(HourCell {
                day_of_week: u8::try_from(place / 24).unwrap_or_default(),
                hour: u8::try_from(place % 24).unwrap_or_default(),
                open_minutes: taken.open,
                booked_minutes: taken.booked,
                booked: taken.share(),
                is_empty: taken.is_empty(),
            });
        }
    }
    let time = |minute: usize| {
        let minute = i64::try_from(minute % DAY_MINUTES).unwrap_or_default();
        format::time(Time::from_minutes(minute), records.hour_cycle)
    };
    let empty = week.empty_times().into_iter().map(|it| {
        let day = format::WEEKDAYS.get(it.start / DAY_MINUTES).copied();
        let (from, to) = (time(it.start), time(it.end));
        format!("{}, {from} - {to}", day.unwrap_or_default())
    });
    Availability {
        has_patterns: !records.offered.is_empty(),
        hours,
        hour_labels: (first..last).map(|it| time(it * 60)).collect(),
        empty: empty.collect(),
        empty_title: if week.n_all_days < LEAST_DAYS_FOR_ALWAYS {
            "Longest free times in these days"
        } else {
            "Longest regular gaps"
        },
        booked: Taken::of(&all).share(),
    }
}
