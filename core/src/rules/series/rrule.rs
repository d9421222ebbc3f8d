//! Owns how a series is written as RFC 5545 has it (3.3.10): one rule for each time of day and phase.

use super::occurrences::{Occurrence, last_date, made_until, planned_between};
use super::rule::LAST;
use crate::rows::series::{Series, SeriesEnd, SeriesPhase, SeriesRule, SeriesSlot};
use crate::{Date, Time};

/// The properties of the events of each time of day: `DTSTART`, `RRULE`, and `EXDATE` where dates are left out or paused;
/// in floating time, which is the sitter's. A time that has no visit has none.
pub fn rrules(series: &Series) -> Vec<String> {
    let mut rules = Vec::new();
    for (at, phase) in series.phases.iter().enumerate() {
        let next = series.phases.get(at + 1).map(|it| it.from);
        let phase_end = next.map(|it| it.plus_days(-1));
        let end = match (phase_end, last_date(series)) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        for slot in &phase.slots {
            rules.extend(rrule(series, phase, slot, end));
        }
    }
    rules
}

fn rrule(
    series: &Series,
    phase: &SeriesPhase,
    slot: &SeriesSlot,
    end: Option<Date>,
) -> Option<String> {
    let is_own = |it: &Occurrence<'_>| it.slot.id == slot.id;
    let (first, end) = match end.filter(|_| series.trip.is_some()) {
        // Its first and its last day may have some of the times alone.
        Some(end) => {
            let visits = planned_between(series, phase.from, end).filter(is_own);
            let mut dates = visits.map(|it| it.date);
            let first = dates.next()?;
            (first, Some(dates.last().unwrap_or(first)))
        }
        None => (phase.rule.next_date(phase.anchor, phase.from)?, end),
    };
    // Where it ends after so many visits, the last day may have some of its times alone.
    let end = match (series.end, end) {
        (SeriesEnd::After { .. }, Some(end)) => {
            let has_last = planned_between(series, end, end).any(|it| is_own(&it));
            Some(if has_last { end } else { end.plus_days(-1) })
        }
        (_, end) => end,
    };
    if end.is_some_and(|end| end < first) {
        return None;
    }
    let start = slot.start_time;
    let mut text = format!(
        "DTSTART:{}\nRRULE:{}",
        stamp(first, start),
        rule(&phase.rule)
    );
    if let Some(end) = end {
        text += &format!(";UNTIL={}", stamp(end, start));
    }
    let made = made_until(series, first);
    let last = end.map_or(made, |end| end.min(made));
    let is_off =
        |it: &Occurrence<'_>| series.is_paused_on(it.date) || series.left_out.contains(&it.key());
    let off = planned_between(series, first, last)
        .filter(is_own)
        .filter(is_off);
    let off: Vec<String> = off.map(|it| stamp(it.date, start)).collect();
    if !off.is_empty() {
        text += &format!("\nEXDATE:{}", off.join(","));
    }
    Some(text)
}

/// `20261201T120000`.
fn stamp(date: Date, time: Time) -> String {
    let (date, time) = (date.to_string(), time.to_string());
    [&date.replace('-', ""), "T", &time.replace(':', ""), "00"].concat()
}

const DAYS: [&str; 7] = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];

fn day(weekday: u32) -> &'static str {
    let place = usize::try_from(weekday).unwrap_or_default();
    DAYS.get(place).copied().unwrap_or_default()
}

fn rule(rule: &SeriesRule) -> String {
    match rule {
        SeriesRule::Weekly { every, weekdays } => {
            let days = (0..7).filter(|it| weekdays.contains(it)).map(day);
            let days = days.collect::<Vec<_>>().join(",");
            format!("FREQ=WEEKLY;INTERVAL={every};WKST=SU;BYDAY={days}")
        }
        SeriesRule::Daily { every } => format!("FREQ=DAILY;INTERVAL={every}"),
        // The last of those that a month has: of the days up to the one that is meant.
        SeriesRule::Monthly { day } if 28 < *day => {
            let days: Vec<String> = (28..=*day).map(|it| it.to_string()).collect();
            format!("FREQ=MONTHLY;BYMONTHDAY={};BYSETPOS=-1", days.join(","))
        }
        SeriesRule::Monthly { day } => format!("FREQ=MONTHLY;BYMONTHDAY={day}"),
        SeriesRule::MonthlyWeekday { nth: LAST, weekday } => {
            format!("FREQ=MONTHLY;BYDAY=-1{}", day(*weekday))
        }
        SeriesRule::MonthlyWeekday { nth, weekday } => {
            format!("FREQ=MONTHLY;BYDAY={nth}{}", day(*weekday))
        }
    }
}
