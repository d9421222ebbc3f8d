//! Owns all that is said of a span, put together.

use serde::Serialize;

use super::figures::{BookingFigures, ClientFigures, Performance, RevenueFigures, figures};
use super::hours::{Availability, availability};
use super::insights::{Sentences, sentences};
use super::period::Period;
use super::records::Records;

/// The analytics dashboard (SPEC 3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Analytics {
    /// The span.
    pub period: Period,
    /// What it is compared with.
    pub previous: Period,
    /// Whether there is nothing at all to show of either.
    pub is_empty: bool,
    /// How the business does.
    pub performance: Performance,
    /// What comes in.
    pub revenue: RevenueFigures,
    /// What is booked and asked for.
    pub booking: BookingFigures,
    /// Who is served.
    pub clients: ClientFigures,
    /// When services are offered, and how much of it is taken.
    pub availability: Availability,
    /// A sentence for each chart.
    pub sentences: Sentences,
}

/// What these records say of a span.
pub fn analytics(records: &Records, period: Period) -> Analytics {
    let figures = figures(records, period);
    let availability = availability(records, period);
    let sentences = sentences(&figures, &availability, period);
    let previous = period.before();
    let is_near = |date| period.has(date) || previous.has(date);
    Analytics {
        period,
        previous,
        is_empty: !records.services.iter().any(|it| is_near(it.date))
            && !records.requests.iter().any(|it| period.has(it.date))
            && figures.performance.next_month.service_count == 0,
        performance: figures.performance,
        revenue: figures.revenue,
        booking: figures.booking,
        clients: figures.clients,
        availability,
        sentences,
    }
}
