//! Owns the numbers that scheduling goes by: starts, lengths and steps (SPEC 3 and 9, Scheduling).

use serde::{Deserialize, Serialize};

use crate::Time;
use crate::rows::service::DEFAULT_MINUTES;
use crate::values::bounds::DURATION_LIMIT_MINUTES;

/// Defaults of the schedule form, and the bounds of a duration (SPEC 3, Scheduling constraints). All are in minutes.
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
    /// The longest service that can be scheduled.
    pub max_duration_minutes: u32,
}

/// Refusal of a day that is over.
pub(crate) const IN_THE_PAST: &str = "Cannot schedule services in the past";

/// The constraints of every business.
pub const CONSTRAINTS: Constraints = Constraints {
    default_walk_duration: DEFAULT_MINUTES,
    default_dropin_duration: DEFAULT_MINUTES,
    min_duration_minutes: 15,
    max_duration_minutes: DURATION_LIMIT_MINUTES,
};

/// Step in minutes by which services are placed: between the form's starts, and the least by which a visit is dragged.
pub const STEP_MINUTES: u32 = 15;

/// Starts that the schedule form offers: 06:00 to 21:45 in steps of 15 minutes (SPEC 9, Scheduling).
pub fn start_times() -> impl Iterator<Item = Time> {
    (6 * 60..=21 * 60 + 45)
        .step_by(STEP_MINUTES as usize)
        .map(Time::from_minutes)
}

/// The start that the schedule form proposes on a day with room.
pub const DEFAULT_START: Time = Time::hour(9);

/// Durations that the schedule form offers, in minutes.
pub const DURATION_OPTIONS: [u32; 8] = [15, 30, 45, 60, 90, 120, 180, 240];
