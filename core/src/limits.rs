//! Owns the numbers of SPEC 9 that screens and rules share.

use serde::{Deserialize, Serialize};

use crate::Time;

/// The longest service (SPEC 5, Generic).
pub const DURATION_LIMIT_MINUTES: u32 = 480;

/// The longest time that can be kept free around a service: with it and the longest service, what can be in the
/// way of a service lies within a day on either side.
pub const BUFFER_LIMIT_MINUTES: u32 = 480;

/// What the schedule form starts with and holds a duration against (SPEC 3, Scheduling constraints).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Constraints {
    /// Default length of a walk.
    pub default_walk_duration: u32,
    /// Default length of a drop-in.
    pub default_dropin_duration: u32,
    /// The shortest service that can be scheduled.
    pub min_duration_minutes: u32,
    /// The longest.
    pub max_duration_minutes: u32,
}

/// The constraints of every business.
pub const CONSTRAINTS: Constraints = Constraints {
    default_walk_duration: 30,
    default_dropin_duration: 30,
    min_duration_minutes: 15,
    max_duration_minutes: DURATION_LIMIT_MINUTES,
};

/// Starts that the schedule form offers: 06:00 to 21:45 in steps of 15 minutes (SPEC 9, Scheduling).
pub fn start_times() -> impl Iterator<Item = Time> {
    (6 * 60..=21 * 60 + 45).step_by(15).map(Time::from_minutes)
}
