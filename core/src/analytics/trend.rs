//! Owns how revenue and services go on within a span: by day, by week or by month, whichever a phone has room for, each
//! beside the same days of the span before.

use serde::Serialize;

use super::period::Period;
use super::records::Records;
use super::sums::Sum;
use crate::values::format;
use crate::{Cents, Date};

/// The most points of one day each, which is also how many days `dailyTrends` has (SPEC 9: revenue trend up to 30 days).
pub(super) const MAX_DAYS: i64 = 30;

/// Up to so many days the points are weeks.
const MAX_DAYS_BY_WEEK: i64 = 190;

/// Length of time that one point of a trend stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum TrendUnit {
    /// A single day.
    Day,
    /// A week from Sunday on, or what of it is in the span.
    Week,
    /// A calendar month, or what of it is in the span.
    Month,
}

/// A day of the revenue trend (SPEC 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DayRevenue {
    /// The day in the business's zone.
    pub service_date: Date,
    /// Revenue of the services completed on this day.
    pub daily_revenue: Cents,
    /// Number of services completed on this day.
    pub service_count: u32,
}

/// A part of a span.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TrendPoint {
    /// The days that the point stands for.
    pub period: Period,
    /// In short, for an axis: `Nov 20`, `Nov`.
    pub label: String,
    /// In full: `Nov 15, 2026 - Nov 21, 2026`.
    pub title: String,
    /// Revenue of its completed services.
    pub revenue: Cents,
    /// Number of completed services.
    pub service_count: u32,
    /// Number of completed walks.
    pub walk_count: u32,
    /// Number of completed drop-ins.
    pub dropin_count: u32,
    /// The revenue of the same days of the span before.
    pub revenue_before: Cents,
    /// The services of the same days of the span before.
    pub service_count_before: u32,
}

/// A span in parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Trend {
    /// Length of time that each point stands for.
    pub unit: TrendUnit,
    /// In order; together they are the span.
    pub points: Vec<TrendPoint>,
}

/// Sums of the completed services of each day of a span.
pub(super) struct ByDay {
    first: i64,
    days: Vec<Sum>,
}

impl ByDay {
    pub(super) fn of(records: &Records, period: Period) -> Self {
        let first = period.start_date.days_since_epoch();
        let n_days = usize::try_from(period.n_days()).unwrap_or_default();
        let mut days = vec![Sum::default(); n_days];
        for it in records.services.iter().filter(|it| it.is_done()) {
            let place = usize::try_from(it.date.days_since_epoch() - first);
            if let Some(day) = place.ok().and_then(|it| days.get_mut(it)) {
                day.add(it);
            }
        }
        Self { first, days }
    }

    /// Adds up the sums of the days of `period`.
    pub(super) fn sum(&self, period: Period) -> Sum {
        let from = usize::try_from(period.start_date.days_since_epoch() - self.first);
        let n_days = usize::try_from(period.n_days()).unwrap_or_default();
        let mut sum = Sum::default();
        for it in self.days.iter().skip(from.unwrap_or_default()).take(n_days) {
            sum.services += it.services;
            sum.walks += it.walks;
            sum.dropins += it.dropins;
            sum.revenue = sum.revenue + it.revenue;
            sum.paid = sum.paid + it.paid;
        }
        sum
    }
}

/// The last days of a span.
pub(super) fn daily_trends(period: Period, now: &ByDay) -> Vec<DayRevenue> {
    let n_days = period.n_days().min(MAX_DAYS);
    let day = |before: i64| {
        let service_date = period.end_date.plus_days(-before);
        let sum = now.sum(Period::until(service_date, 1));
        DayRevenue {
            service_date,
            daily_revenue: sum.revenue,
            service_count: sum.services,
        }
    };
    (0..n_days).rev().map(day).collect()
}

/// The span in parts, beside the one before.
pub(super) fn trend(period: Period, now: &ByDay, before: &ByDay) -> Trend {
    let unit = if period.n_days() <= MAX_DAYS {
        TrendUnit::Day
    } else if period.n_days() <= MAX_DAYS_BY_WEEK {
        TrendUnit::Week
    } else {
        TrendUnit::Month
    };
    let points = parts(period, unit).into_iter().map(|part| {
        let (sum, earlier) = (now.sum(part), before.sum(moved(part, -period.n_days())));
        TrendPoint {
            period: part,
            label: label(part, unit),
            title: match unit {
                TrendUnit::Month => part.month_text(),
                TrendUnit::Day | TrendUnit::Week => part.text(),
            },
            revenue: sum.revenue,
            service_count: sum.services,
            walk_count: sum.walks,
            dropin_count: sum.dropins,
            revenue_before: earlier.revenue,
            service_count_before: earlier.services,
        }
    });
    Trend {
        unit,
        points: points.collect(),
    }
}

fn moved(period: Period, days: i64) -> Period {
    Period {
        start_date: period.start_date.plus_days(days),
        end_date: period.end_date.plus_days(days),
    }
}

/// `Nov 20`; of a month `Nov`, of January `2027`.
fn label(part: Period, unit: TrendUnit) -> String {
    let date = format::date(part.start_date);
    let (day, year) = date.split_once(", ").unwrap_or((&date, ""));
    match unit {
        TrendUnit::Day | TrendUnit::Week => day.to_owned(),
        TrendUnit::Month if day.starts_with("Jan") => year.to_owned(),
        TrendUnit::Month => day.get(..3).unwrap_or_default().to_owned(),
    }
}

/// The parts of a span.
pub(super) fn parts(period: Period, unit: TrendUnit) -> Vec<Period> {
    let mut parts = Vec::new();
    let mut first = period.start_date;
    loop {
        let last = match unit {
            TrendUnit::Day => first,
            TrendUnit::Week => first.week_start().plus_days(6),
            TrendUnit::Month => Period::month(first, 0).end_date,
        };
        let last = last.min(period.end_date);
        parts.push(Period {
            start_date: first,
            end_date: last,
        });
        // The calendar's last day has none after it.
        let next = last.plus_days(1);
        if period.end_date <= last || next <= last {
            return parts;
        }
        first = next;
    }
}
