//! Owns the row of the business itself: profile and settings (SPEC 3).

use serde::Serialize;

use crate::rows::invoicing::Invoicing;
use crate::rows::subscription::Subscription;
use crate::values::field::{Field, plain};
use crate::values::json::read_by_field;
use crate::values::units::{HourCycle, Units};
use crate::{Id, Instant};

/// A user who owns a business: the tenant. Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sitter {
    /// The business's id.
    pub id: Id,
    /// The person's name.
    pub name: String,
    /// Name by which clients know the business; may be empty.
    #[serde(default)]
    pub business_name: String,
    /// The sign-in's e-mail; changed only with the password.
    pub email: String,
    /// May be empty.
    #[serde(default)]
    pub phone: String,
    /// The uploaded photo's id.
    #[serde(default)]
    pub photo: Option<Id>,
    /// IANA name; every date and time of the business is meant in it.
    pub time_zone: String,
    /// How lengths and weights are shown.
    #[serde(default)]
    pub units: Units,
    /// How times of day are shown.
    #[serde(default)]
    pub hour_cycle: HourCycle,
    /// True if clients see on the day that the sitter is on the way, and that a visit has begun.
    #[serde(default)]
    pub tells_progress: bool,
    /// How it bills.
    #[serde(default)]
    pub invoicing: Invoicing,
    /// Center of the service area in words; may be empty.
    #[serde(default)]
    pub service_area_address: String,
    /// Center, WGS 84 degrees.
    #[serde(default)]
    pub service_area_lat: Option<f64>,
    /// Center, WGS 84 degrees.
    #[serde(default)]
    pub service_area_lng: Option<f64>,
    /// How far the sitter goes.
    pub service_area_radius_miles: f64,
    /// The subscription; none on a server that sells no plans. Only the server sets it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subscription: Option<Subscription>,
    /// When the business signed up.
    pub created_at: Instant,
}

read_by_field!(Sitter from Sitter::new(Id::default(), String::new(), String::new(), String::new(), Instant(0)); { id, name, email, time_zone, service_area_radius_miles, created_at }
    or default { business_name, phone, photo, units, hour_cycle, tells_progress, invoicing, service_area_address, service_area_lat, service_area_lng, subscription });

impl Sitter {
    /// Returns the name by which clients know the business: its own, or its sitter's where it has none.
    pub fn shown_name(&self) -> &str {
        match self.business_name.as_str() {
            "" => &self.name,
            name => name,
        }
    }

    /// The fields that the sitter sets; the e-mail is changed only with the password.
    pub const EDITABLE: &[Field] = &[
        plain("name"),
        plain("business_name"),
        plain("phone"),
        plain("photo"),
        plain("time_zone"),
        plain("units"),
        plain("hour_cycle"),
        plain("tells_progress"),
        plain("invoicing"),
        plain("service_area_address"),
        plain("service_area_lat"),
        plain("service_area_lng"),
        plain("service_area_radius_miles"),
    ];

    /// A business that has just signed up.
    pub fn new(id: Id, name: String, email: String, time_zone: String, at: Instant) -> Self {
        Self {
            id,
            name,
            business_name: String::new(),
            email,
            phone: String::new(),
            photo: None,
            time_zone,
            units: Units::Imperial,
            hour_cycle: HourCycle::H12,
            tells_progress: false,
            invoicing: Invoicing::default(),
            service_area_address: String::new(),
            service_area_lat: None,
            service_area_lng: None,
            service_area_radius_miles: 5.0,
            subscription: None,
            created_at: at,
        }
    }
}
