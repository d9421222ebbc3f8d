//! Owns what the work of a span of days comes to: figures, how they compare with the span before, and what a sentence says
//! of each. The server computes it of its rows, a phone of its own.
//!
//! What each figure counts:
//! - **Revenue, services, clients**: services that are completed, on the day on which they begin. A stay counts with its
//!   whole price on its first day, by its kind. What was cancelled counts nowhere but as cancelled; tips are not revenue.
//! - **Payment rate**: the share of that revenue that is paid.
//! - **Growth**: against the span of as many days right before. From nothing there is no number, nor of a span that goes on
//!   after today.
//! - **Requests**: those that were made on a day of the span in the business's zone and are still kept, whatever they ask for, by where they stand.
//! - **Retention**: of the clients that were served in the span or in the one before; see `RetentionCategory`.
//! - **Per hour**: revenue of visits by the minutes of the visits and the ways between neighbors of a day; see
//!   `client_hours`. Time that visits share counts once, and is split between their clients.
//! - **Hours**: minutes that visits take up to today, of those that are offered and not blocked.
//! - **Next month**: what is scheduled in the next calendar month, beside what the last whole one has come to.
//!
//! Months are not compared with the span before, which has others, nor is retention, which is a comparison by itself, nor
//! are hours, whose offer of then nobody keeps.

mod availability;
mod bytes;
mod client_hours;
mod dashboard;
mod export;
mod figures;
mod insights;
mod next_month;
mod period;
mod records;
mod sums;
mod trend;

pub use availability::{Availability, HourCell};
pub use client_hours::{ClientHours, PerHour};
pub use dashboard::{Analytics, analytics};
pub use export::{ExportFormat, Exported, ExportedService, csv, exported};
pub use figures::{
    BookingFigures, ClientFigures, GrowthMetrics, MonthRevenue, Performance, PerformanceSummary,
    RequestShare, RetentionCategory, RetentionShare, RevenueFigures, TopClient, TypeRevenue,
    WeekdayFigures,
};
pub use insights::{Insights, Sentences};
pub use next_month::NextMonth;
pub use period::{PRESETS, Period, PeriodPreset, presets};
pub use records::{
    Asked, ClientPlace, OfferedHours, Records, Sources, find_ahead, too_many_services,
};
pub use sums::Percent;
pub use trend::{DayRevenue, Trend, TrendPoint, TrendUnit};
