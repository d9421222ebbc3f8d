//! Owns the row of what is for sale (SPEC 3).

use serde::Serialize;

use crate::rows::fields::row;
use crate::values::json::read_by_name;
use crate::{Cents, Id, Instant, Time};

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

/// The unit in which a stay is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum StayUnit {
    /// From one day to the next; Friday to Sunday is two.
    Nights,
    /// Each day begun; Friday to Sunday is three.
    Days,
}

read_by_name!(StayUnit { Nights, Days });

row! {
    /// A sitter service offering (SPEC 3). Stored on phones. Only add optional fields; never rename.
    Offering {
        /// Made by whoever makes the offering.
        id: Id = id, required;
        /// Never empty after trimming.
        name: String = String::new() => plain, required;
        /// May be empty.
        #[serde(default)]
        description: String = String::new() => plain;
        /// One of `ICONS`.
        icon: String = first(ICONS) => plain, required;
        /// Greater than 0.
        base_price: Cents = Cents(30_00) => money, required;
        /// The unit that the base price pays for.
        pricing_type: PricingType = PricingType::Fixed => plain, required;
        /// Set for duration pricing only.
        #[serde(default)]
        duration_minutes: Option<u32> = None => plain;
        /// The unit in which stays are counted, for daily pricing only. None counts each day begun, with an extra pet's flat
        /// charge once for each stay, as all offerings did before there was a choice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stay_unit: Option<StayUnit> = None => plain;
        /// A departure after it counts as a further day; for days only. None counts the last day at any departure.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        further_day_after: Option<Time> = None => time;
        /// Name of a rate in the settings of the business, for the lines of invoices about what is booked with it; empty for
        /// no tax. None has the default rate, as has the name of a rate that is not there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tax_name: Option<String> = None => plain;
        /// One of `CATEGORIES`.
        category: String = first(CATEGORIES) => plain, required;
        /// True if it can be booked.
        is_active: bool = true => plain, required;
        /// 0-based, across all categories.
        display_order: u32 = 0, required;
        /// When it was made.
        created_at: Instant = at, required;
    }
    /// An offering with the defaults for new ones (SPEC 9, Pricing) and no name yet.
    new(id: Id, at: Instant)
}

/// Returns the default of a list of choices.
fn first([first, ..]: [&str; 10]) -> String {
    first.to_owned()
}
