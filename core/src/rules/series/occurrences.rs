//! Owns the visits of a series: by rule, end, pauses and what was left out.

use crate::rows::availability_config::AvailabilityConfig;
use crate::rows::series::{Series, SeriesDate, SeriesEnd, SeriesPhase, SeriesSlot};
use crate::values::bounds::{SERIES_VISITS_AT_ONCE, SERIES_VISITS_OF_END};
use crate::values::sort::SmallSort as _;
use crate::{Date, Id, Time};

/// Weeks ahead for which visits of a series without an end are made where nobody says otherwise.
pub const WEEKS_AHEAD: u32 = 12;

/// The least and the most weeks that a person may say.
pub const WEEKS_AHEAD_BOUNDS: (u32, u32) = (4, 26);

/// The same of a series with an end: a year.
const DAYS_AHEAD_TO_AN_END: i64 = 365;

/// A visit that a series has.
#[derive(Clone, Copy, Debug)]
pub struct Occurrence<'a> {
    /// The day by the rule.
    pub date: Date,
    /// The phase of that day.
    pub phase: &'a SeriesPhase,
    /// The time of the day.
    pub slot: &'a SeriesSlot,
}

impl Occurrence<'_> {
    /// Names it within its series.
    pub const fn key(&self) -> SeriesDate {
        SeriesDate {
            date: self.date,
            slot: self.slot.id,
        }
    }

    /// The id of its service.
    pub fn id(&self, series: Id) -> Id {
        super::ids::occurrence_id(series, self.slot.id, self.date)
    }
}

/// The visits by the rules of the phases alone, from `from` on, by date and start. Never ends for a series with a rule
/// that does not.
fn ruled(series: &Series, from: Date) -> impl Iterator<Item = Occurrence<'_>> {
    let ends = series.phases.iter().skip(1).map(|it| it.from.plus_days(-1));
    let phases = series.phases.iter().zip(ends.map(Some).chain([None]));
    phases.flat_map(move |(phase, last)| {
        let next = move |from: Date| {
            let next = phase.rule.next_date(phase.anchor, from.max(phase.from));
            next.filter(|it| last.is_none_or(|last| *it <= last))
        };
        let after = move |it: &Date| {
            let tomorrow = it.plus_days(1);
            (tomorrow != *it).then(|| next(tomorrow)).flatten()
        };
        // Without a time of the day its dates would be counted to the end of all days.
        let first = next(from).filter(|_| !phase.slots.is_empty());
        let dates = std::iter::successors(first, after);
        dates.flat_map(move |date| of_day(series, phase, date))
    })
}

/// The visits of a phase on a day, by start.
fn of_day<'a>(
    series: &'a Series,
    phase: &'a SeriesPhase,
    date: Date,
) -> impl Iterator<Item = Occurrence<'a>> {
    let slots = phase.slots.iter();
    let mut slots: Vec<&SeriesSlot> = slots
        .filter(|it| is_of_trip_on(series, phase, date, it))
        .collect();
    slots.small_sort_by_key(|it| by_start(it));
    let visits = slots.into_iter();
    visits.map(move |slot| Occurrence { date, phase, slot })
}

/// Orders the times of a day.
const fn by_start(slot: &SeriesSlot) -> (Time, Id) {
    (slot.start_time, slot.id)
}

/// Returns false for a time of a trip's first day before its first visit, and of its last day after its last one.
fn is_of_trip_on(series: &Series, phase: &SeriesPhase, date: Date, slot: &SeriesSlot) -> bool {
    let Some(trip) = &series.trip else {
        return true;
    };
    let named = |id: Option<Id>| id.and_then(|it| phase.slot(it)).map(by_start);
    let is_last_day = series.end == SeriesEnd::On { date };
    let is_early = date == series.begins()
        && named(trip.first_slot).is_some_and(|first| by_start(slot) < first);
    let is_late = is_last_day && named(trip.last_slot).is_some_and(|last| last < by_start(slot));
    !is_early && !is_late
}

/// The stay of a trip, if it has a day from `from` to `to`.
fn stay_between(series: &Series, from: Date, to: Date) -> Option<Occurrence<'_>> {
    let (slot, key) = series.stay()?;
    let (begins, last) = (series.begins(), last_date(series)?);
    let takes_place = begins <= last && begins <= to && from <= last;
    let phase = series.phases.first().filter(|_| takes_place)?;
    let date = key.date;
    Some(Occurrence { date, phase, slot })
}

/// The last visit that a series has by its end; `None` where it has no end, or no visit at all.
fn last(series: &Series) -> Option<SeriesDate> {
    let SeriesEnd::After { visits } = series.end else {
        return None;
    };
    let visits = usize::try_from(visits).ok()?.min(SERIES_VISITS_OF_END);
    let mut visits = ruled(series, series.begins()).take(visits);
    visits.by_ref().last().map(|it| it.key())
}

/// The last day on which a series can have a visit; `None` for one without an end.
pub fn last_date(series: &Series) -> Option<Date> {
    match series.end {
        SeriesEnd::Never => None,
        SeriesEnd::On { date } => Some(date),
        SeriesEnd::After { .. } => {
            Some(last(series).map_or_else(|| series.begins().plus_days(-1), |it| it.date))
        }
    }
}

/// Returns true if a series has ended before `today`.
pub fn is_over(series: &Series, today: Date) -> bool {
    last_date(series).is_some_and(|last| last < today)
}

/// The visits by rule and end, from `from` to `to`, both included, by date and start; those that are paused or left out
/// are among them. Before them stands the stay of a trip that has a day among these.
pub fn planned_between(
    series: &Series,
    from: Date,
    to: Date,
) -> impl Iterator<Item = Occurrence<'_>> {
    let to = last_date(series).map_or(to, |last| last.min(to));
    // On its last day a series may end between two visits.
    let end = last(series);
    let mut is_over = false;
    let visits = ruled(series, from)
        .take_while(move |it| it.date <= to)
        .take_while(move |it| {
            let goes_on = !is_over;
            is_over |= end == Some(it.key());
            goes_on
        });
    stay_between(series, from, to).into_iter().chain(visits)
}

/// Returns true if a visit is one of `today` or later; a stay, if its last day is.
pub fn is_ahead(series: &Series, key: SeriesDate, today: Date) -> bool {
    match series.is_stay(key.slot) {
        true => !is_over(series, today),
        false => today <= key.date,
    }
}

/// The visits that a series has from `from` to `to`, both included, by date and start: without those that are paused or
/// left out. A stay is one booking, which no pause divides.
pub fn occurrences(series: &Series, from: Date, to: Date) -> impl Iterator<Item = Occurrence<'_>> {
    planned_between(series, from, to).filter(|it| {
        let is_paused = series.is_paused_on(it.date) && !series.is_stay(it.slot.id);
        !is_paused && !series.left_out.contains(&it.key())
    })
}

/// The first and the last day of a trip; `None` for another series, and for a trip that was called off before it began.
pub fn trip_days(series: &Series) -> Option<(Date, Date)> {
    series.trip.as_ref()?;
    let (first, last) = (series.begins(), last_date(series)?);
    (first <= last).then_some((first, last))
}

/// All visits of a trip by its plan, those that are paused or left out among them; none for another series.
pub fn planned_of_trip(series: &Series) -> impl Iterator<Item = Occurrence<'_>> {
    let days = trip_days(series);
    days.into_iter()
        .flat_map(|(first, last)| planned_between(series, first, last))
}

/// The day up to which visits of a series were made, as far as a change from `first` on concerns them: an archive may say
/// any day.
pub fn made_until(series: &Series, first: Date) -> Date {
    let furthest = first
        .max(series.begins())
        .plus_days(2 * DAYS_AHEAD_TO_AN_END);
    series.made_until.min(furthest)
}

/// Days ahead for which visits of a series without an end are made by these settings.
pub fn days_ahead(config: Option<&AvailabilityConfig>) -> i64 {
    let weeks = config.and_then(|it| it.series_weeks_ahead);
    let (least, most) = WEEKS_AHEAD_BOUNDS;
    7 * i64::from(weeks.unwrap_or(WEEKS_AHEAD).clamp(least, most))
}

/// The day on which more visits of a series are to be made than those up to `made_until`; `None` when all are.
pub fn due_on(series: &Series, today: Date, days_ahead: i64) -> Option<Date> {
    let from = series.made_until.plus_days(1).max(today);
    let furthest = from.plus_days(2 * DAYS_AHEAD_TO_AN_END);
    let next = occurrences(series, from, furthest).next()?;
    let on = next.date.plus_days(-days_ahead);
    // As many as there may be are made: there is room for more once a day of them is over.
    let is_full = on <= today && made_ahead_until(series, today, days_ahead) <= series.made_until;
    Some(if is_full { today.plus_days(1) } else { on })
}

/// The day up to which the visits of a series are to be made: so many days from `today`, a year for one with an end, but no
/// more than `SERIES_VISITS_AT_ONCE` from `today` on, in whole days; paused ones count, since a pause that ends brings them
/// all back at once. Days without a visit after that are among them, so that
/// a row changes only when there is a visit to make; not those after an end, which may be put off.
pub fn made_ahead_until(series: &Series, today: Date, days_ahead: i64) -> Date {
    let (days, first) = match series.end {
        SeriesEnd::Never => (days_ahead, today),
        _ => (DAYS_AHEAD_TO_AN_END, today.max(series.begins())),
    };
    let furthest = first.plus_days(days);
    let all = furthest.plus_days(DAYS_AHEAD_TO_AN_END);
    let visits = planned_between(series, today, all);
    let visits = visits.filter(|it| !series.left_out.contains(&it.key()));
    let mut next = visits.take(SERIES_VISITS_AT_ONCE + 1).enumerate();
    let is_too_far = |it: &Occurrence<'_>| furthest < it.date && !series.is_paused_on(it.date);
    // A day that does not fit whole is made with those that follow.
    let next = next.find(|(n, it)| *n == SERIES_VISITS_AT_ONCE || is_too_far(it));
    next.map_or_else(
        || last_date(series).map_or(all, |last| last.min(all)),
        |(_, it)| it.date.plus_days(-1),
    )
}
