//! Owns the row of the business itself: profile and settings (SPEC 3).

use crate::rows::fields::row;
use crate::rows::invoicing::Invoicing;
use crate::rows::subscription::Subscription;
use crate::values::units::{HourCycle, Units};
use crate::{Id, Instant};

row! {
    /// A user who owns a business: the tenant. Stored on phones. Only add optional fields; never rename.
    Sitter {
        /// The business's id.
        id: Id = id, required;
        /// The person's name.
        name: String = name => plain, required;
        /// Name by which clients know the business; may be empty.
        #[serde(default)]
        business_name: String = String::new() => plain;
        /// The sign-in's e-mail; changed only with the password.
        email: String = email, required;
        /// May be empty.
        #[serde(default)]
        phone: String = String::new() => plain;
        /// The uploaded photo's id.
        #[serde(default)]
        photo: Option<Id> = None => plain;
        /// IANA name; every date and time of the business is meant in it.
        time_zone: String = time_zone => plain, required;
        /// How lengths and weights are shown.
        #[serde(default)]
        units: Units = Units::Imperial => plain;
        /// How times of day are shown.
        #[serde(default)]
        hour_cycle: HourCycle = HourCycle::H12 => plain;
        /// True if clients see on the day that the sitter is on the way, and that a visit has begun.
        #[serde(default)]
        tells_progress: bool = false => plain;
        /// True if reports of walks are not to go to clients by mail.
        #[serde(default)]
        keeps_report_mail_off: bool = false => plain;
        /// True if clients without a login are mailed of visits that are booked, moved, changed or cancelled.
        #[serde(default)]
        mails_changes: bool = false => plain;
        /// How it bills.
        #[serde(default)]
        invoicing: Invoicing = Invoicing::default() => plain;
        /// Center of the service area in words; may be empty.
        #[serde(default)]
        service_area_address: String = String::new() => plain;
        /// Center, WGS 84 degrees.
        #[serde(default)]
        service_area_lat: Option<f64> = None => plain;
        /// Center, WGS 84 degrees.
        #[serde(default)]
        service_area_lng: Option<f64> = None => plain;
        /// How far the sitter goes.
        service_area_radius_miles: f64 = 5.0 => plain, required;
        /// The subscription; none on a server that sells no plans. Only the server sets it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        subscription: Option<Subscription> = None;
        /// When the business signed up.
        created_at: Instant = at, required;
    }
    /// A business that has just signed up.
    new(id: Id, name: String, email: String, time_zone: String, at: Instant)
}

impl Sitter {
    /// Returns the name by which clients know the business: its own, or its sitter's where it has none.
    pub fn shown_name(&self) -> &str {
        match self.business_name.as_str() {
            "" => &self.name,
            name => name,
        }
    }
}
