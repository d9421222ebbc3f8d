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
    /// The span.
    pub period: Period,
    /// What it is compared with.
    pub previous: Period,
    /// Whether nothing was completed in either, and nothing asked for in the span.
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

/// What these records say of their span.
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
