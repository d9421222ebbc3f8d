//! Owns the row of the slot settings (SPEC 3).

use serde::Serialize;

use crate::Id;
use crate::values::field::{Field, plain};
use crate::values::json::read_by_field;

/// The slot settings (SPEC 3, Availability config). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AvailabilityConfig {
    /// The sitter's id: there is one per business.
    pub id: Id,
    /// How long an offered slot is.
    pub default_slot_duration_minutes: u32,
    /// Steps between starts of slots; at least 5.
    pub slot_interval_minutes: u32,
    /// Buffer in minutes that a new pattern starts with.
    pub default_buffer_minutes: u32,
    /// Over how many days clients are shown the nearest open time; it refuses nothing.
    pub show_slots_days_ahead: u32,
    /// True if free starts beside a visit at a home nearby are suggested.
    pub enable_smart_suggestions: bool,
    /// True if services are to lie next to each other: starts beside any other visit are suggested, and the schedule
    /// form proposes one.
    pub prefer_block_scheduling: bool,
}

read_by_field!(AvailabilityConfig from AvailabilityConfig::new(Id::default()); {
    id,
    default_slot_duration_minutes,
    slot_interval_minutes,
    default_buffer_minutes,
    show_slots_days_ahead,
    enable_smart_suggestions,
    prefer_block_scheduling
});

impl AvailabilityConfig {
    /// The fields that a person sets.
    pub const EDITABLE: &[Field] = &[
        plain("default_slot_duration_minutes"),
        plain("slot_interval_minutes"),
        plain("default_buffer_minutes"),
        plain("show_slots_days_ahead"),
        plain("enable_smart_suggestions"),
        plain("prefer_block_scheduling"),
    ];

    /// Returns the settings that a new business starts with.
    pub const fn new(sitter_id: Id) -> Self {
        Self {
            id: sitter_id,
            default_slot_duration_minutes: 30,
            slot_interval_minutes: 30,
            default_buffer_minutes: 15,
            show_slots_days_ahead: 30,
            enable_smart_suggestions: true,
            prefer_block_scheduling: false,
        }
    }
}
