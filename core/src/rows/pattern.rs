//! Owns the row of weekly hours (SPEC 3, Availability pattern).

use serde::Serialize;

use crate::rows::service::{BOTH, ServiceType};
use crate::values::field::{Field, plain, time};
use crate::values::json::read_by_field;
use crate::{Id, Time};

/// An availability pattern: hours of one weekday (SPEC 3). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pattern {
    /// Made by whoever makes the pattern.
    pub id: Id,
    /// Optional; may be empty.
    #[serde(default)]
    pub pattern_name: String,
    /// 0 = Sunday to 6 = Saturday.
    pub day_of_week: u8,
    /// When it begins on its weekday.
    pub start_time: Time,
    /// When it ends; nothing checks that it is after the start, and a pattern that ends before it begins holds nothing.
    pub end_time: Time,
    /// Service types that can be booked in these hours.
    pub service_types: Vec<ServiceType>,
    /// How many services may run at once; at least 1.
    pub max_concurrent_services: u32,
    /// Kept free before and after each service.
    pub buffer_minutes: u32,
    /// How long ahead clients must book.
    pub min_advance_hours: u32,
    /// How far ahead clients may book.
    pub max_advance_days: u32,
    /// Inactive patterns count for nothing.
    pub is_active: bool,
    /// The highest counts first; at least 1.
    pub priority: u32,
    /// Optional; may be empty.
    #[serde(default)]
    pub notes: String,
}

read_by_field!(Pattern from Pattern::new(Id::default()); { id, day_of_week, start_time, end_time, service_types, max_concurrent_services,
    buffer_minutes, min_advance_hours, max_advance_days, is_active, priority }
    or default { pattern_name, notes });

impl Pattern {
    /// The fields that a person sets.
    pub const EDITABLE: &[Field] = &[
        plain("pattern_name"),
        plain("day_of_week"),
        time("start_time"),
        time("end_time"),
        plain("service_types"),
        plain("max_concurrent_services"),
        plain("buffer_minutes"),
        plain("min_advance_hours"),
        plain("max_advance_days"),
        plain("is_active"),
        plain("priority"),
        plain("notes"),
    ];

    /// A pattern with the defaults of SPEC 9, on Sunday.
    pub fn new(id: Id) -> Self {
        Self {
            id,
            pattern_name: String::new(),
            day_of_week: 0,
            start_time: Time::hour(9),
            end_time: Time::hour(17),
            service_types: BOTH.to_vec(),
            max_concurrent_services: 1,
            buffer_minutes: 15,
            min_advance_hours: 24,
            max_advance_days: 30,
            is_active: true,
            priority: 1,
            notes: String::new(),
        }
    }
}
