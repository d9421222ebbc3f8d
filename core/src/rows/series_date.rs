//! Owns the name that a visit has within its series.

use serde::Serialize;

use crate::values::json::read_by_field;
use crate::{Date, Id};

/// One visit of a series, by the day and the time that it has by the series' rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeriesDate {
    /// The day by the rule, wherever the visit was moved.
    pub date: Date,
    /// Id of the series' slot.
    pub slot: Id,
}

read_by_field!(SeriesDate { date, slot });
