//! Owns what the work of a span of days comes to: figures, how they compare with the span before, and what a sentence says
//! of each. The server computes it of its rows, a phone of its own.
//!
//! What each figure counts:
//! - **Revenue, services, clients**: services that are completed, on the day on which they begin. A stay counts with its
//!   whole price on its first day, as a drop-in. What was cancelled counts nowhere but as cancelled; tips are not revenue.
//! - **Payment rate**: the share of that revenue that is paid.
//! - **Growth**: against the span of as many days right before. From nothing there is no number.
//! - **Requests**: those that were made on a day of the span in the business's zone and are still kept, by where they stand.
//! - **Retention**: of the clients that were served in the span or in the one before; see `RetentionCategory`.
//! - **Per hour**: revenue of visits by the minutes of the visits and the ways between neighbors of a day; see `hours`.
//! - **Hours**: minutes that visits take, of those that are offered.
//! - **Next month**: what is scheduled in the next calendar month, beside what the last whole one has come to.

mod bytes;
mod dashboard;
mod export;
mod figures;
mod hours;
mod insights;
mod period;
mod records;
mod sums;
mod trend;

pub use dashboard::{Analytics, analytics};
pub use export::{ExportFormat, Exported, ExportedService, csv, exported};
pub use figures::{
    BookingFigures, ClientFigures, GrowthMetrics, MonthRevenue, Performance, PerformanceSummary,
    RequestShare, RetentionCategory, RetentionShare, RevenueFigures, TopClient, TypeRevenue,
    WeekdayFigures,
};
pub use hours::{Availability, ClientHours, HourCell, NextMonth, PerHour};
pub use insights::{Insights, Sentences};
pub use period::{PRESETS, Period, PeriodPreset, presets};
pub use records::{Asked, ClientPlace, OfferedHours, Records, Sources};
pub use sums::Percent;
pub use trend::{DayRevenue, Trend, TrendPoint, TrendUnit};
