//! Owns the row of weekly hours (SPEC 3, Availability pattern).

use crate::rows::fields::row;
use crate::rows::service::{BOTH, ServiceType};
use crate::{Id, Time};

row! {
    /// An availability pattern: hours of one weekday (SPEC 3). Stored on phones. Only add optional fields; never rename.
    Pattern {
        /// Made by whoever makes the pattern.
        id: Id = id, required;
        /// Optional; may be empty.
        #[serde(default)]
        pattern_name: String = String::new() => plain;
        /// 0 = Sunday to 6 = Saturday.
        day_of_week: u8 = 0 => plain, required;
        /// When it begins on its weekday.
        start_time: Time = Time::hour(9) => time, required;
        /// When it ends; nothing checks that it is after the start, and a pattern that ends before it begins holds nothing.
        end_time: Time = Time::hour(17) => time, required;
        /// Service types that can be booked in these hours.
        service_types: Vec<ServiceType> = BOTH.to_vec() => plain, required;
        /// Largest number of services at once; at least 1.
        max_concurrent_services: u32 = 1 => plain, required;
        /// Kept free before and after each service.
        buffer_minutes: u32 = 15 => plain, required;
        /// How long ahead clients must book.
        min_advance_hours: u32 = 24 => plain, required;
        /// How far ahead clients may book.
        max_advance_days: u32 = 30 => plain, required;
        /// Inactive patterns count for nothing.
        is_active: bool = true => plain, required;
        /// The highest counts first; at least 1.
        priority: u32 = 1 => plain, required;
        /// Optional; may be empty.
        #[serde(default)]
        notes: String = String::new() => plain;
    }
    /// A pattern with the defaults of SPEC 9, on Sunday.
    new(id: Id)
}
