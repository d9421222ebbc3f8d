//! Owns how a series is said to people.

use super::occurrences::{last_date, occurrences, trip_days};
use super::rule::LAST;
use crate::Date;
use crate::rows::series::{
    Series, SeriesDate, SeriesEnd, SeriesPause, SeriesPhase, SeriesRule, SeriesSlot, Trip,
};
use crate::values::format;
use crate::values::sort::SmallSort as _;
use crate::values::units::HourCycle;

/// The reader of a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// The sitter, who can end it.
    Sitter,
    /// The client, who cannot.
    Client,
}

/// A series as people say it: `Every weekday at 12:00 PM, until you stop it`, `Mondays and Thursdays at 8:00 AM and 6:00
/// PM, until Mar 3`, `3 visits a day from Fri, Dec 4 (evening) to Mon, Dec 7 (morning)`. Says what holds on the day `on`, or
/// from its first day on; empty for a series without days and times.
pub fn sentence(
    series: &Series,
    on: Date,
    today: Date,
    cycle: HourCycle,
    audience: Audience,
) -> String {
    let phase = series.phase_on(on);
    if let Some(trip) = &series.trip {
        return phase.map_or_else(String::new, |it| {
            trip_sentence(series, trip, it, today, cycle)
        });
    }
    let Some(days_and_times) = phase.and_then(|it| days_and_times(it, cycle)) else {
        return String::new();
    };
    let end = match (series.end, audience) {
        (SeriesEnd::Never, Audience::Sitter) => "until you stop it".to_owned(),
        (SeriesEnd::Never, Audience::Client) => "until further notice".to_owned(),
        (SeriesEnd::On { date }, _) => ["until ", &day_of(date, today)].concat(),
        (SeriesEnd::After { visits: 1 }, _) => "1 visit".to_owned(),
        (SeriesEnd::After { visits }, _) => format!("{visits} visits"),
    };
    [&days_and_times, ", ", &end].concat()
}

/// `3 visits a day from Fri, Dec 4 (evening) to Mon, Dec 7 (morning)`; empty without times or a last day.
fn trip_sentence(
    series: &Series,
    trip: &Trip,
    phase: &SeriesPhase,
    today: Date,
    cycle: HourCycle,
) -> String {
    if phase.slots.is_empty() || last_date(series).is_none() {
        return String::new();
    }
    let Some((first, last)) = trip_days(series) else {
        return [
            "Trip from ",
            &weekday_of(series.begins(), today),
            ", cancelled",
        ]
        .concat();
    };
    let n_slots = phase.slots.len();
    let stay = if trip.stay.is_some() {
        "A stay and "
    } else {
        ""
    };
    let visits = |n: usize| match n {
        1 => "1 visit".to_owned(),
        _ => format!("{n} visits"),
    };
    if first == last {
        let n = occurrences(series, first, first).filter(|it| !series.is_stay(it.slot.id));
        let day = weekday_of(first, today);
        return [stay, &visits(n.count()), " on ", &day].concat();
    }
    let part = |date: Date, slot: Option<crate::Id>, is_first: bool| {
        let phase = series.phase_on(date);
        let words = phase.and_then(|it| part_of_day(it, it.slot(slot?)?, is_first, cycle));
        let words = words.map_or_else(String::new, |it| format!(" ({it})"));
        weekday_of(date, today) + &words
    };
    let from = part(first, trip.first_slot, true);
    let to = part(last, trip.last_slot, false);
    [stay, &visits(n_slots), " a day from ", &from, " to ", &to].concat()
}

/// Words for the times of a trip's first day, which begins with `slot`, or its last one, which ends with it: `evening`,
/// `from noon`, `until noon`; none for a whole day.
fn part_of_day(
    phase: &SeriesPhase,
    slot: &SeriesSlot,
    is_first: bool,
    cycle: HourCycle,
) -> Option<String> {
    let start = |it: &SeriesSlot| (it.start_time, it.id);
    let is_left = |it: &&SeriesSlot| match is_first {
        true => start(slot) <= start(it),
        false => start(it) <= start(slot),
    };
    let n_left = phase.slots.iter().filter(is_left).count();
    if n_left == phase.slots.len() {
        return None;
    }
    let name = named_time(slot);
    let mut alike = phase.slots.iter().filter(|it| named_time(it) == name);
    // Two times of one name are told apart by the clock.
    let name = match alike.nth(1) {
        Some(_) => format::time(slot.start_time, cycle),
        None => name.to_owned(),
    };
    Some(match (n_left, is_first) {
        (1, _) => name,
        (_, true) => ["from ", &name].concat(),
        (_, false) => ["until ", &name].concat(),
    })
}

/// Name of a time of day.
const fn named_time(slot: &SeriesSlot) -> &'static str {
    match slot.start_time.minute_of_day() / 60 {
        0..=10 => "morning",
        11..=13 => "noon",
        14..=16 => "afternoon",
        _ => "evening",
    }
}

/// The days of a trip: `Fri, Dec 4 to Mon, Dec 7`; empty for another series, and for a trip that was called off before it
/// began.
pub fn trip_span(series: &Series, today: Date) -> String {
    match trip_days(series) {
        Some((first, last)) if first == last => weekday_of(first, today),
        Some((first, last)) => {
            [&weekday_of(first, today), " to ", &weekday_of(last, today)].concat()
        }
        None => String::new(),
    }
}

/// Place of a visit in its trip: `Visit 3 of 9 of the trip Fri, Dec 4 to Mon, Dec 7`; none for another series, and for a
/// trip that was called off before it began.
pub fn trip_place(series: &Series, key: SeriesDate, today: Date) -> Option<String> {
    let (first, last) = trip_days(series)?;
    let span = trip_span(series, today);
    if series.is_stay(key.slot) {
        return Some(["Stay of the trip ", &span].concat());
    }
    let visits = occurrences(series, first, last).filter(|it| !series.is_stay(it.slot.id));
    let keys: Vec<SeriesDate> = visits.map(|it| it.key()).collect();
    let place = keys.iter().position(|it| *it == key);
    Some(match place {
        Some(place) => format!("Visit {} of {} of the trip {span}", place + 1, keys.len()),
        None => ["No longer part of the trip ", &span].concat(),
    })
}

/// `Fri, Dec 4` in this year, `Mon, Jan 4, 2027` in another one.
fn weekday_of(date: Date, today: Date) -> String {
    let day: String = format::weekday(date).chars().take(3).collect();
    [&day, ", ", &day_of(date, today)].concat()
}

/// Says what holds of a series from days after `on`, unless it has ended by then: `From Dec 15: Every weekday at 1:00 PM`.
pub fn later_phases(series: &Series, on: Date, today: Date, cycle: HourCycle) -> Vec<String> {
    let last = last_date(series);
    let later = series.phases.iter().skip(1);
    let later = later.filter(|it| on < it.from && last.is_none_or(|last| it.from <= last));
    let words = later.filter_map(|it| {
        let days_and_times = days_and_times(it, cycle)?;
        Some(["From ", &day_of(it.from, today), ": ", &days_and_times].concat())
    });
    words.collect()
}

/// `Every weekday at 12:00 PM`; none without days or times.
fn days_and_times(phase: &SeriesPhase, cycle: HourCycle) -> Option<String> {
    let (days, times) = (days(&phase.rule), times(phase, cycle));
    let is_whole = !days.is_empty() && !times.is_empty();
    is_whole.then(|| [&days, " at ", &times].concat())
}

/// The times of a day: `8:00 AM and 6:00 PM`.
pub fn times(phase: &SeriesPhase, cycle: HourCycle) -> String {
    let mut times: Vec<_> = phase.slots.iter().map(|it| it.start_time).collect();
    times.small_sort_by_key(|it| *it);
    let times: Vec<String> = times
        .into_iter()
        .map(|it| format::time(it, cycle))
        .collect();
    format::names(&times)
}

/// The days of a pause: `Paused from Dec 20 to Jan 3, 2027`, `Paused on Dec 24`.
pub fn pause_words(pause: &SeriesPause, today: Date) -> String {
    let from = day_of(pause.from, today);
    match pause.from == pause.to {
        true => ["Paused on ", &from].concat(),
        false => ["Paused from ", &from, " to ", &day_of(pause.to, today)].concat(),
    }
}

/// `Mar 3` in this year, `Mar 3, 2027` in another one.
fn day_of(date: Date, today: Date) -> String {
    match date.parts().0 == today.parts().0 {
        true => format::month_day(date),
        false => format::date(date),
    }
}

fn days(rule: &SeriesRule) -> String {
    match rule {
        SeriesRule::Weekly { every, weekdays } => {
            // People begin the week with Monday when they tell days.
            let order = [1, 2, 3, 4, 5, 6, 0];
            let weekdays: Vec<u32> = order
                .into_iter()
                .filter(|it| weekdays.contains(it))
                .collect();
            let named = |plural: &str| {
                let names = weekdays.iter().map(|it| [weekday(*it), plural].concat());
                format::names(&names.collect::<Vec<_>>())
            };
            match (every, weekdays.as_slice()) {
                (_, []) => String::new(),
                (0 | 1, [1, 2, 3, 4, 5]) => "Every weekday".to_owned(),
                (0 | 1, [_, _, _, _, _, _, _]) => "Every day".to_owned(),
                (0 | 1, _) => named("s"),
                (_, [1, 2, 3, 4, 5]) => format!("Every {every} weeks on weekdays"),
                (_, [_, _, _, _, _, _, _]) => format!("Every {every} weeks on every day"),
                _ => format!("Every {every} weeks on {}", named("")),
            }
        }
        SeriesRule::Daily { every: 0 | 1 } => "Every day".to_owned(),
        SeriesRule::Daily { every } => format!("Every {every} days"),
        SeriesRule::Monthly { day } => {
            let shorter = if 28 < *day { ", or the last day," } else { "" };
            format!("Monthly on the {}{shorter}", ordinal(*day))
        }
        SeriesRule::MonthlyWeekday { nth, weekday: day } => {
            let nth = match *nth {
                1 => "first",
                2 => "second",
                3 => "third",
                LAST => "last",
                _ => "fourth",
            };
            format!("Every {nth} {} of the month", weekday(*day))
        }
    }
}

fn weekday(weekday: u32) -> &'static str {
    // 1970-01-04 was a Sunday.
    format::weekday(Date::of_days(3 + i64::from(weekday % 7)))
}

/// `31st`.
fn ordinal(number: u32) -> String {
    let ending = match (number / 10 % 10, number % 10) {
        (1, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::series::SeriesSlot;
    use crate::{Id, Instant, Time};

    fn said(rule: SeriesRule, hours: &[u16], end: SeriesEnd) -> String {
        let today: Date = "2026-11-20".parse().unwrap();
        let slots = hours.iter().zip(1..).map(|(hour, id)| SeriesSlot {
            start_time: Time::hour(*hour),
            ..SeriesSlot::new(Id::of(id))
        });
        let series = Series {
            end,
            phases: vec![SeriesPhase {
                rule,
                slots: slots.collect(),
                ..SeriesPhase::new(today)
            }],
            ..Series::new(Id::of(1), Instant(0))
        };
        sentence(
            &series,
            today,
            today,
            HourCycle::default(),
            Audience::Sitter,
        )
    }

    #[test]
    fn a_series_is_said_in_words_that_one_reads_at_once() {
        let weekly = |every, weekdays: &[u32]| SeriesRule::Weekly {
            every,
            weekdays: weekdays.to_vec(),
        };
        let on = |date: &str| SeriesEnd::On {
            date: date.parse().unwrap(),
        };
        let never = SeriesEnd::Never;
        for (rule, hours, end, text) in [
            (
                weekly(1, &[1, 2, 3, 4, 5]),
                &[12][..],
                never,
                "Every weekday at 12:00 PM, until you stop it",
            ),
            (
                weekly(1, &[4, 1]),
                &[18, 8],
                on("2027-03-03"),
                "Mondays and Thursdays at 8:00 AM and 6:00 PM, until Mar 3, 2027",
            ),
            (
                weekly(1, &[0, 6]),
                &[9],
                on("2026-12-13"),
                "Saturdays and Sundays at 9:00 AM, until Dec 13",
            ),
            (
                weekly(2, &[2]),
                &[9],
                SeriesEnd::After { visits: 10 },
                "Every 2 weeks on Tuesday at 9:00 AM, 10 visits",
            ),
            (
                weekly(1, &[0, 1, 2, 3, 4, 5, 6]),
                &[9],
                never,
                "Every day at 9:00 AM, until you stop it",
            ),
            (
                SeriesRule::Daily { every: 3 },
                &[9],
                SeriesEnd::After { visits: 1 },
                "Every 3 days at 9:00 AM, 1 visit",
            ),
            (
                SeriesRule::Monthly { day: 31 },
                &[9],
                never,
                "Monthly on the 31st, or the last day, at 9:00 AM, until you stop it",
            ),
            (
                SeriesRule::Monthly { day: 12 },
                &[9],
                never,
                "Monthly on the 12th at 9:00 AM, until you stop it",
            ),
            (
                SeriesRule::MonthlyWeekday { nth: 2, weekday: 2 },
                &[9],
                never,
                "Every second Tuesday of the month at 9:00 AM, until you stop it",
            ),
            (weekly(1, &[]), &[9], never, ""),
        ] {
            assert_eq!(said(rule, hours, end), text);
        }
    }
}
