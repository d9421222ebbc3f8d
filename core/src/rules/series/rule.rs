//! Owns on which days a rule falls.

use crate::Date;
use crate::rows::series::SeriesRule;

/// The number of the last of a weekday in a month.
pub(super) const LAST: u32 = 5;

impl SeriesRule {
    /// The first day on or after `from` on which the rule falls, counted from `anchor`: none is before the anchor. `None`
    /// for a rule that names no day, or past the year 9999.
    pub fn next_date(&self, anchor: Date, from: Date) -> Option<Date> {
        let from = from.max(anchor);
        let found = match self {
            Self::Weekly { every, weekdays } => next_of_weeks(*every, weekdays, anchor, from),
            Self::Daily { every } => {
                let every = i64::from(*every).max(1);
                let passed = from.days_since_epoch() - anchor.days_since_epoch();
                Some(from.plus_days((every - passed % every) % every))
            }
            Self::Monthly { day } => in_this_month_or_the_next(from, |month| day_in(month, *day)),
            Self::MonthlyWeekday { nth, weekday } => {
                in_this_month_or_the_next(from, |month| nth_weekday_in(month, *nth, *weekday))
            }
        };
        // Dates stop at the end of the calendar.
        found.filter(|it| from <= *it)
    }
}

fn next_of_weeks(every: u32, weekdays: &[u32], anchor: Date, from: Date) -> Option<Date> {
    let every = i64::from(every).max(1);
    let first_week = anchor.week_start();
    let weeks = (from.week_start().days_since_epoch() - first_week.days_since_epoch()) / 7;
    let begun = first_week.plus_days(7 * every * (weeks / every));
    // A week that counts may be over for its days; the next one is not.
    [begun, begun.plus_days(7 * every)]
        .into_iter()
        .find_map(|week| {
            let days = (0..7).filter(|it| weekdays.contains(it));
            let mut dates = days.map(|it| week.plus_days(it.into()));
            dates.find(|it| from <= *it)
        })
}

fn in_this_month_or_the_next(from: Date, day: impl Fn(Date) -> Option<Date>) -> Option<Date> {
    let months = [Some(from), from.in_month(1, 1)];
    let mut days = months.into_iter().flatten().filter_map(day);
    days.find(|it| from <= *it)
}

/// The last day of a date's month.
fn month_end(date: Date) -> Option<Date> {
    Some(date.in_month(1, 1)?.plus_days(-1))
}

/// The day of that number in a date's month, or its last one where it has none.
fn day_in(month: Date, day: u32) -> Option<Date> {
    let day = i8::try_from(day).ok().filter(|it| 0 < *it)?;
    month.in_month(0, day).or_else(|| month_end(month))
}

fn nth_weekday_in(month: Date, nth: u32, weekday: u32) -> Option<Date> {
    let away = |from: i64, to: i64| (to - from).rem_euclid(7);
    if nth == LAST {
        let end = month_end(month)?;
        let back = away(weekday.into(), end.day_of_week().into());
        return Some(end.plus_days(-back));
    }
    let first = month.in_month(0, 1)?;
    let on = away(first.day_of_week().into(), weekday.into());
    Some(first.plus_days(on + 7 * (i64::from(nth) - 1)))
}
