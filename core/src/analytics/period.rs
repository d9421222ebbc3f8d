//! Owns spans of days: which may be asked for, which one is meant where nobody says, and what they are compared with
//! (SPEC 9, Analytics).

use serde::Serialize;

use crate::values::bounds::ANALYTICS_DAYS;
use crate::values::format;
use crate::values::money::grouped;
use crate::values::sort::SmallSort as _;
use crate::{Date, FieldErrors};

/// The spans that are offered, in days; all end today.
pub const PRESETS: [u32; 5] = [7, 30, 90, 180, 365];

/// Length of the span that is used when none is asked for.
const DEFAULT_DAYS: u32 = 30;

/// Days from the first to the last, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Period {
    /// The first day, in the business's zone.
    pub start_date: Date,
    /// The last day; not before the first.
    pub end_date: Date,
}

/// A span that is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PeriodPreset {
    /// Number of days.
    pub days: u32,
    /// The span of `days` days that ends today.
    pub period: Period,
    /// True for the span that is used when none is asked for.
    pub is_default: bool,
}

/// The spans that are offered on a day.
pub fn presets(today: Date) -> Vec<PeriodPreset> {
    let preset = |days| PeriodPreset {
        days,
        period: Period::until(today, days),
        is_default: days == DEFAULT_DAYS,
    };
    PRESETS.iter().copied().map(preset).collect()
}

impl Period {
    /// So many days up to `last`.
    pub fn until(last: Date, days: u32) -> Self {
        Self {
            start_date: last.plus_days(1 - i64::from(days)),
            end_date: last,
        }
    }

    /// The span that is asked for: without a last day up to today, or to the first one if that is later; without a first
    /// day 30 days.
    pub fn asked(
        first: Option<Date>,
        last: Option<Date>,
        today: Date,
    ) -> Result<Self, FieldErrors> {
        let last = last.unwrap_or_else(|| first.map_or(today, |it| it.max(today)));
        let first = first.unwrap_or_else(|| Self::until(last, DEFAULT_DAYS).start_date);
        let period = Self {
            start_date: first,
            end_date: last,
        };
        let mut errors = FieldErrors::default();
        errors.check(
            last < first,
            "endDate",
            "The end date cannot be before the start date",
        );
        errors.check(
            i64::from(ANALYTICS_DAYS) < period.n_days(),
            "startDate",
            format!(
                "At most {} days can be looked at together",
                grouped(ANALYTICS_DAYS.into())
            ),
        );
        errors.or(period)
    }

    /// Returns the number of days of the span.
    pub fn n_days(&self) -> i64 {
        self.end_date.days_since_epoch() - self.start_date.days_since_epoch() + 1
    }

    /// Returns the span of as many days right before it.
    pub fn before(&self) -> Self {
        Self {
            start_date: self.start_date.plus_days(-self.n_days()),
            end_date: self.start_date.plus_days(-1),
        }
    }

    /// Returns the days of the span and of the one before it.
    pub fn with_before(&self) -> Self {
        Self {
            // The calendar's first day has none before it.
            start_date: self.before().start_date.min(self.start_date),
            end_date: self.end_date,
        }
    }

    /// Cuts the span after `today`; a span that does not contain `today` stays whole.
    pub(super) fn so_far(&self, today: Date) -> Self {
        Self {
            start_date: self.start_date,
            end_date: if self.has(today) {
                today
            } else {
                self.end_date
            },
        }
    }

    /// Iterates over the days from the first to the last.
    pub(super) fn days(self) -> impl Iterator<Item = Date> {
        (0..self.n_days()).map(move |it| self.start_date.plus_days(it))
    }

    /// Returns true if `date` is from the first to the last day.
    pub fn has(&self, date: Date) -> bool {
        self.start_date <= date && date <= self.end_date
    }

    /// `Nov 1, 2026 - Nov 30, 2026`; of one day that day.
    pub fn text(&self) -> String {
        let first = format::date(self.start_date);
        if self.start_date == self.end_date {
            return first;
        }
        [&first, " - ", &format::date(self.end_date)].concat()
    }

    /// Returns true if the span is one calendar month from the first to the last day.
    pub(super) fn is_month(&self) -> bool {
        *self == Self::month(self.start_date, 0)
    }

    /// `November 2026`; what is only a part of one by its days.
    pub(super) fn month_text(&self) -> String {
        if self.is_month() {
            format::month_heading(self.start_date)
        } else {
            self.text()
        }
    }

    /// The calendar month of a day `months` later.
    pub(super) fn month(of: Date, months: i32) -> Self {
        let first = of.in_month(months, 1).unwrap_or(of);
        // The calendar's last month has none after it: it has 31 days.
        let next = of.in_month(months + 1, 1);
        Self {
            start_date: first,
            end_date: next.map_or(first.plus_days(30), |it| it.plus_days(-1)),
        }
    }

    /// The spans of services that a look at this one needs, none of which touch: it with the one before, and the months
    /// beside today's.
    pub fn needed(&self, today: Date) -> Vec<Self> {
        let mut spans = vec![
            self.with_before(),
            Self::month(today, -1),
            Self::month(today, 1),
        ];
        spans.small_sort_by_key(|it| it.start_date);
        let mut apart: Vec<Self> = Vec::new();
        for span in spans {
            match apart.last_mut() {
                Some(last) if span.start_date <= last.end_date.plus_days(1) => {
                    last.end_date = last.end_date.max(span.end_date);
                }
                _ => apart.push(span),
            }
        }
        apart
    }

    /// The same days in spans of at most `n_days` one after the other.
    pub fn pieces(self, n_days: u16) -> impl Iterator<Item = Self> {
        let n_days = i64::from(n_days.max(1));
        // Counted, since after the last day that there is comes no other.
        let n_pieces = (self.n_days() + n_days - 1) / n_days;
        (0..n_pieces).map(move |it| {
            let start_date = self.start_date.plus_days(it * n_days);
            let last = start_date.plus_days(n_days - 1);
            Self {
                start_date,
                end_date: self.end_date.min(last),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analytics::trend::{TrendUnit, parts};

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[test]
    fn pieces_are_the_same_days_one_after_the_other() {
        let period = Period {
            start_date: day("2026-11-01"),
            end_date: day("2026-11-08"),
        };
        let of = |n_days| period.pieces(n_days).map(|it| (it.start_date, it.end_date));
        let (first, last) = (day("2026-11-01"), day("2026-11-08"));
        let thirds = [("01", "03"), ("04", "06"), ("07", "08")];
        let thirds = thirds.map(|(from, to)| {
            (
                day(&format!("2026-11-{from}")),
                day(&format!("2026-11-{to}")),
            )
        });
        assert_eq!(of(3).collect::<Vec<_>>(), thirds);
        assert_eq!(of(8).collect::<Vec<_>>(), [(first, last)]);
        assert_eq!(of(1).count(), 8);
        assert_eq!(of(0).count(), 8);
        let end_of_time = Period {
            start_date: day("9999-12-30"),
            end_date: day("9999-12-31"),
        };
        assert_eq!(end_of_time.pieces(3).count(), 1);
    }

    #[test]
    fn without_dates_the_last_thirty_days_are_meant() {
        let today = day("2026-11-26");
        let period = Period::asked(None, None, today).unwrap();
        assert_eq!(
            period.text(),
            "Oct 28, 2026 - Nov 26, 2026",
            "today is the last"
        );
        assert_eq!(period.n_days(), 30);
        assert_eq!(period.before().text(), "Sep 28, 2026 - Oct 27, 2026");
        let later = Period::asked(Some(day("2026-12-24")), None, today).unwrap();
        assert_eq!(later.text(), "Dec 24, 2026");
    }

    #[test]
    fn spans_of_up_to_a_year_are_offered() {
        let offered = presets(day("2026-11-26"));
        let days = offered.iter().map(|it| it.days).collect::<Vec<_>>();
        assert_eq!(days, [7, 30, 90, 180, 365]);
    }

    #[test]
    fn a_span_that_is_too_long_or_ends_before_it_begins_is_refused() {
        let today = day("2026-11-26");
        let asked = |first: &str, last: &str| {
            let period = Period::asked(Some(day(first)), Some(day(last)), today);
            period.map_err(|it| it.0.into_iter().map(|it| it.field).collect::<Vec<_>>())
        };
        assert!(asked("2026-11-26", "2026-11-26").is_ok());
        assert_eq!(asked("2026-11-26", "2026-11-25").unwrap_err(), ["endDate"]);
        assert_eq!(
            asked("0000-01-01", "9999-12-31").unwrap_err(),
            ["startDate"]
        );
    }

    #[test]
    fn the_last_month_of_the_calendar_ends_with_it() {
        let last = day("9999-12-31");
        let month = Period::month(day("9999-12-05"), 0);
        assert_eq!(
            (month.start_date, month.end_date),
            (day("9999-12-01"), last)
        );
        for unit in [TrendUnit::Day, TrendUnit::Week, TrendUnit::Month] {
            let parts = parts(Period::until(last, 30), unit);
            assert_eq!(parts.last().map(|it| it.end_date), Some(last));
            assert!(parts.len() <= 30, "{unit:?}");
        }
    }

    #[test]
    fn what_is_needed_is_read_once() {
        let today = day("2026-11-26");
        let needed = |first: &str, last: &str| {
            let period = Period::asked(Some(day(first)), Some(day(last)), today).unwrap();
            let spans = period.needed(today);
            spans.iter().map(Period::text).collect::<Vec<_>>()
        };
        assert_eq!(
            needed("2026-10-28", "2026-11-26"),
            ["Sep 28, 2026 - Nov 26, 2026", "Dec 1, 2026 - Dec 31, 2026"]
        );
        assert_eq!(
            needed("2026-01-01", "2026-01-10"),
            [
                "Dec 22, 2025 - Jan 10, 2026",
                "Oct 1, 2026 - Oct 31, 2026",
                "Dec 1, 2026 - Dec 31, 2026"
            ]
        );
    }
}
