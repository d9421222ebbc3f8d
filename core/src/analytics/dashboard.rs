//! Owns all that is said of a span, put together.

use serde::Serialize;

use super::availability::{Availability, availability};
use super::figures::{BookingFigures, ClientFigures, Performance, RevenueFigures, figures};
use super::insights::{Sentences, sentences};
use super::period::Period;
use super::records::Records;

/// The analytics dashboard (SPEC 3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Analytics {
    /// The days that the figures are about.
    pub period: Period,
    /// The span of as many days right before `period`, with which it is compared.
    pub previous: Period,
    /// True if no service was completed in either span and no request was made in `period`.
    pub is_empty: bool,
    /// Totals, growth and the next month.
    pub performance: Performance,
    /// Revenue by day, month and kind of service.
    pub revenue: RevenueFigures,
    /// Completed services by weekday, and requests by status.
    pub booking: BookingFigures,
    /// Retention of clients, and those who bring the most.
    pub clients: ClientFigures,
    /// Hours in which services are offered, and the part of them that is booked.
    pub availability: Availability,
    /// A sentence for each chart.
    pub sentences: Sentences,
}

/// Computes the dashboard of the span of `records`.
pub fn analytics(records: &Records) -> Analytics {
    let figures = figures(records);
    let availability = availability(records);
    let sentences = sentences(&figures, &availability, records);
    let (period, counts) = (records.period, records.period.with_before());
    let mut done = records.services.iter().filter(|it| it.is_done());
    let mut requests = records.requests.iter();
    Analytics {
        period,
        previous: period.before(),
        is_empty: !done.any(|it| counts.has(it.date)) && !requests.any(|it| period.has(it.date)),
        performance: figures.performance,
        revenue: figures.revenue,
        booking: figures.booking,
        clients: figures.clients,
        availability,
        sentences,
    }
}
