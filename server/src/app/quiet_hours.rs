//! Quiet hours of a person: when a notification may go out that may not go out now.

use walkies_core::values::push::PushPreferences;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Instant, Now};

use crate::app::zone;

/// When the quiet hours end that it is in now.
pub fn quiet_until(preferences: &PushPreferences, now: Instant) -> Option<Instant> {
    let hours = preferences.quiet_hours?;
    let zone = zone::time_zone(&preferences.time_zone).unwrap_or(TimeZone::UTC);
    hours.end(&Now { at: now, zone })
}
