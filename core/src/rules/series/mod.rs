//! Owns which visits a series has: its dates by rule, end, pauses and what was left out; the ids of its visits; what makes
//! it valid; and how it is said, to people and as RFC 5545 says it.

mod errors;
mod ids;
mod occurrences;
mod rrule;
mod rule;
mod words;

pub(crate) use errors::{end_errors, pause_errors, rule_error};
pub use errors::{phase_errors, plan_errors, trip_errors};
pub use ids::occurrence_id;
pub use occurrences::{
    Occurrence, WEEKS_AHEAD, WEEKS_AHEAD_BOUNDS, days_ahead, due_on, is_ahead, is_over, last_date,
    made_ahead_until, made_until, occurrences, planned_between, planned_of_trip, trip_days,
};
pub use rrule::rrules;
pub use words::{Audience, later_phases, pause_words, sentence, times, trip_place, trip_span};
