//! Owns the row of the slot settings (SPEC 3).

use crate::Id;
use crate::rows::fields::row;

row! {
    /// The slot settings (SPEC 3, Availability config). Stored on phones. Only add optional fields; never rename.
    AvailabilityConfig {
        /// The sitter's id: there is one per business.
        id: Id = sitter_id, required;
        /// How long an offered slot is.
        default_slot_duration_minutes: u32 = 30 => plain, required;
        /// Steps between starts of slots; at least 5.
        slot_interval_minutes: u32 = 30 => plain, required;
        /// Buffer in minutes that a new pattern starts with.
        default_buffer_minutes: u32 = 15 => plain, required;
        /// Number of days of the calendar that clients see at once and that the nearest open time is searched in; it refuses
        /// nothing.
        show_slots_days_ahead: u32 = 30 => plain, required;
        /// True if free starts beside a visit at a home nearby are suggested.
        enable_smart_suggestions: bool = true => plain, required;
        /// True if services are to lie next to each other: starts beside any other visit are suggested, and the schedule
        /// form proposes one.
        prefer_block_scheduling: bool = false => plain, required;
        /// Weeks ahead for which visits of a series without an end are made: 4 to 26; without it twelve.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        series_weeks_ahead: Option<u32> = None => plain;
    }
    /// Returns the settings that a new business starts with.
    new(sitter_id: Id)
}
