//! Owns the row of what is for sale (SPEC 3).

use serde::Serialize;

use crate::values::field::{Field, money, plain};
use crate::values::json::{read_by_field, read_by_name};
use crate::{Cents, Id, Instant};

/// The icons to choose from; the first is the default (SPEC 3).
pub const ICONS: [&str; 10] = ["🐕", "🐾", "🦴", "🐈", "🏠", "🌙", "🚗", "🛁", "🎓", "💊"];

/// The categories; the first is the default, the others are those of SPEC 5.
pub const CATEGORIES: [&str; 10] = [
    "Pet Care",
    DOG_WALKING,
    "Pet Sitting",
    "Overnight Care",
    "Transportation",
    "Additional Services",
    "Grooming",
    "Training",
    "Boarding",
    "Emergency Care",
];

pub(crate) const DOG_WALKING: &str = "Dog Walking";

/// How long a duration-priced offering is until someone says otherwise (SPEC 9).
pub const DEFAULT_DURATION_MINUTES: u32 = 30;

/// The unit that the base price pays for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum PricingType {
    /// A single service, whatever its length.
    #[default]
    Fixed,
    /// One hour of a service.
    Hourly,
    /// One day of a stay.
    Daily,
    /// A service of `duration_minutes`.
    Duration,
}

read_by_name!(PricingType {
    Fixed,
    Hourly,
    Daily,
    Duration
});

/// A sitter service offering (SPEC 3). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Offering {
    /// Made by whoever makes the offering.
    pub id: Id,
    /// Never empty after trimming.
    pub name: String,
    /// May be empty.
    #[serde(default)]
    pub description: String,
    /// One of `ICONS`.
    pub icon: String,
    /// Greater than 0.
    pub base_price: Cents,
    /// The unit that the base price pays for.
    pub pricing_type: PricingType,
    /// Set for duration pricing only.
    #[serde(default)]
    pub duration_minutes: Option<u32>,
    /// One of `CATEGORIES`.
    pub category: String,
    /// True if it can be booked.
    pub is_active: bool,
    /// 0-based, across all categories.
    pub display_order: u32,
    /// When it was made.
    pub created_at: Instant,
}

read_by_field!(Offering from Offering::new(Id::default(), Instant(0)); { id, name, icon, base_price, pricing_type, category, is_active, display_order,
    created_at }
    or default { description, duration_minutes });

impl Offering {
    /// The fields that a person sets.
    pub const EDITABLE: &[Field] = &[
        plain("name"),
        plain("description"),
        plain("icon"),
        money("base_price"),
        plain("pricing_type"),
        plain("duration_minutes"),
        plain("category"),
        plain("is_active"),
    ];

    /// An offering with the defaults for new ones (SPEC 9, Pricing) and no name yet.
    pub fn new(id: Id, at: Instant) -> Self {
        let [icon, ..] = ICONS;
        let [category, ..] = CATEGORIES;
        Self {
            id,
            name: String::new(),
            description: String::new(),
            icon: icon.to_owned(),
            base_price: Cents(30_00),
            pricing_type: PricingType::Fixed,
            duration_minutes: None,
            category: category.to_owned(),
            is_active: true,
            display_order: 0,
            created_at: at,
        }
    }
}
