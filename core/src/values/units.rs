//! Owns in which units and on which clock a business reads what is shown.

use serde::Serialize;

use crate::values::json::read_by_name;

/// How lengths and weights are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Units {
    /// Miles and pounds.
    #[default]
    Imperial,
    /// Kilometers and kilograms.
    Metric,
}

read_by_name!(Units { Imperial, Metric });

/// How a business reads the time of day, as Unicode names it (UTS 35, hour cycle).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum HourCycle {
    /// `9:30 AM` (SPEC 9).
    #[default]
    H12,
    /// 24-hour clock: `09:30`.
    H23,
}

read_by_name!(HourCycle { H12, H23 });
