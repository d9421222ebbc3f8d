//! Owns what the next month is already worth.

use serde::Serialize;

use super::period::Period;
use super::records::Records;
use super::sums::{Percent, Sum};
use crate::Cents;
use crate::rows::service::ServiceStatus;
use crate::values::format;

/// Services of the next calendar month, beside those of the last whole month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NextMonth {
    /// Name of the next month: `December 2026`.
    pub title: String,
    /// Number of services that are scheduled or done already.
    pub service_count: u32,
    /// Sum of the prices of those services.
    pub worth: Cents,
    /// The last whole month: `October 2026`.
    pub last_title: String,
    /// Number of services completed in it.
    pub last_service_count: u32,
    /// Revenue of those services.
    pub last_revenue: Cents,
    /// The share of it that is already worth; none where that was nothing.
    pub share: Option<Percent>,
}

pub(super) fn next_month(records: &Records) -> NextMonth {
    let last = Period::month(records.today, -1);
    let next = Period::month(records.today, 1);
    let (mut done, mut ahead) = (Sum::default(), Sum::default());
    for it in &records.services {
        if last.has(it.date) && it.is_done() {
            done.add(it);
        } else if next.has(it.date) && it.status != ServiceStatus::Cancelled {
            ahead.add(it);
        }
    }
    NextMonth {
        title: format::month_heading(next.start_date),
        service_count: ahead.services,
        worth: ahead.revenue,
        last_title: format::month_heading(last.start_date),
        last_service_count: done.services,
        last_revenue: done.revenue,
        share: Percent::of(ahead.revenue.0, done.revenue.0),
    }
}
