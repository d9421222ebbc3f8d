//! Owns the sitter's profile, its settings, and what a new business starts with (SPEC 2 and 3).

use serde::{Deserialize, Serialize};

use crate::availability::{AvailabilityConfig, Pattern};
use crate::business::{Row, RowKey, TableName};
use crate::check::is_phone;
use crate::client::trim;
use crate::command::{Decision, check_photo, overwritten};
use crate::field::FieldErrors;
use crate::fields::{read_by_field, read_by_name};
use crate::format::METERS_PER_MILE;
use crate::offering::{Offering, PricingType};
use crate::patch::{Merged, Patch};
use crate::{Business, Cents, Id, Instant, Refusal};

/// How lengths and weights are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Units {
    /// Miles and pounds.
    #[default]
    Imperial,
    /// Kilometers and kilograms.
    Metric,
}

read_by_name!(Units { Imperial, Metric });

/// How a business reads the time of day, as Unicode names it (UTS 35, hour cycle).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum HourCycle {
    /// `9:30 AM` (SPEC 9).
    #[default]
    H12,
    /// `09:30`.
    H23,
}

read_by_name!(HourCycle { H12, H23 });

/// A user who owns a business: the tenant. Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sitter {
    /// The business's id.
    pub id: Id,
    /// The person's name.
    pub name: String,
    /// What clients know the business by; may be empty.
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
    /// When the business signed up.
    pub created_at: Instant,
}

read_by_field!(Sitter { id, name, email, time_zone, service_area_radius_miles, created_at }
    or default { business_name, phone, photo, units, hour_cycle, service_area_address, service_area_lat, service_area_lng });

impl Sitter {
    /// The fields that the sitter sets; the e-mail is changed only with the password.
    pub const EDITABLE: &[&str] = &[
        "name",
        "business_name",
        "phone",
        "photo",
        "time_zone",
        "units",
        "hour_cycle",
        "service_area_address",
        "service_area_lat",
        "service_area_lng",
        "service_area_radius_miles",
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
            service_area_address: String::new(),
            service_area_lat: None,
            service_area_lng: None,
            service_area_radius_miles: 5.0,
            created_at: at,
        }
    }

    /// Whether clients can know who comes and where: name, phone and service area are set.
    pub fn is_complete(&self) -> bool {
        self.missing().0.is_empty()
    }

    /// What a profile lacks to be complete.
    fn missing(&self) -> FieldErrors {
        let has_area = !self.service_area_address.is_empty() || self.service_area_lat.is_some();
        let mut missing = FieldErrors::default();
        missing.check(self.name.is_empty(), "name", NAME_REQUIRED);
        missing.check(self.phone.is_empty(), "phone", "Phone is required");
        missing.check(
            !has_area,
            "service_area_address",
            "Service area is required",
        );
        missing
    }
}

const NAME_REQUIRED: &str = "Name is required";

/// What a profile with these changes would lack to be complete, and what is wrong with it.
pub fn missing(current: &Sitter, changes: &Patch) -> FieldErrors {
    let changed = merge(current, changes);
    let mut errors = errors(&changed);
    for lack in changed.row.missing().0 {
        errors.add(lack.field, lack.text);
    }
    errors
}

/// A radius as the form shows it, in miles or kilometers, to a tenth.
pub fn radius_in(miles: f64, units: Units) -> f64 {
    (miles * miles_to(units) * 10.0).round() / 10.0
}

/// What was typed in those units, in miles; to a thousandth, so that it is shown as it was typed.
pub fn radius_to_miles(radius: f64, units: Units) -> f64 {
    (radius / miles_to(units) * 1000.0).round() / 1000.0
}

fn miles_to(units: Units) -> f64 {
    match units {
        Units::Imperial => 1.0,
        Units::Metric => METERS_PER_MILE / 1000.0,
    }
}

/// How far the sitter's profile is (SPEC 3, Sitter profile status).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProfileStatus {
    /// Whether there is one.
    pub has_profile: bool,
    /// Whether everything that clients need is set.
    pub is_complete: bool,
    /// The profile.
    pub profile: Option<Sitter>,
}

/// The status of a profile that may not be there.
pub fn profile_status(sitter: Option<&Sitter>) -> ProfileStatus {
    ProfileStatus {
        has_profile: sitter.is_some(),
        is_complete: sitter.is_some_and(Sitter::is_complete),
        profile: sitter.cloned(),
    }
}

/// What a new business starts with beside its own row: offerings, hours from Monday to Friday, slot settings.
pub fn starter_rows(sitter: &Sitter, mut ids: impl FnMut() -> Id, at: Instant) -> Vec<Row> {
    let mut rows = Vec::new();
    for (display_order, (name, description, icon, price, pricing_type, minutes, category)) in
        (0..).zip(STARTERS)
    {
        rows.push(Row::Offering(Offering {
            name: name.to_owned(),
            description: description.to_owned(),
            icon: icon.to_owned(),
            base_price: price,
            pricing_type,
            duration_minutes: minutes,
            category: category.to_owned(),
            display_order,
            ..Offering::new(ids(), at)
        }));
    }
    for day_of_week in 1..=5 {
        rows.push(Row::Pattern(Pattern {
            day_of_week,
            ..Pattern::new(ids())
        }));
    }
    rows.push(Row::AvailabilityConfig(AvailabilityConfig::new(sitter.id)));
    rows
}

type Starter = (
    &'static str,
    &'static str,
    &'static str,
    Cents,
    PricingType,
    Option<u32>,
    &'static str,
);

/// The prices are those that new clients start with (SPEC 9, Pricing).
const STARTERS: [Starter; 5] = {
    use PricingType::{Daily, Duration, Fixed};
    [
        (
            "30-Minute Walk",
            "A walk around the neighborhood",
            "🐕",
            Cents(25_00),
            Duration,
            Some(30),
            "Dog Walking",
        ),
        (
            "45-Minute Walk",
            "Time for a proper round in the park",
            "🐾",
            Cents(30_00),
            Duration,
            Some(45),
            "Dog Walking",
        ),
        (
            "60-Minute Walk",
            "A long walk for dogs with energy to spare",
            "🦴",
            Cents(35_00),
            Duration,
            Some(60),
            "Dog Walking",
        ),
        (
            "Drop-in Visit",
            "Food, fresh water and company at home",
            "🏠",
            Cents(30_00),
            Fixed,
            None,
            "Pet Sitting",
        ),
        (
            "Overnight Stay",
            "A night at the pet's own home",
            "🌙",
            Cents(85_00),
            Daily,
            None,
            "Overnight Care",
        ),
    ]
};

/// Changes the profile or the settings.
pub(crate) fn update(patch: &Patch, business: &Business) -> Result<Decision, Refusal> {
    let current = business.sitter().ok_or(Refusal::Gone)?;
    let sitter = merge(current, patch);
    let errors = errors(&sitter);
    let sitter = sitter.or_errors(errors)?;
    check_photo(business, patch)?;
    let key = RowKey {
        table: TableName::Sitter,
        id: current.id,
    };
    let adjustments = overwritten(business, key, patch);
    let changes = if sitter == *current {
        Vec::new()
    } else {
        vec![sitter.into()]
    };
    Ok(Decision {
        changes,
        adjustments,
        ..Decision::default()
    })
}

fn merge(current: &Sitter, patch: &Patch) -> Merged<Sitter> {
    let mut sitter = patch.merge(current, Sitter::EDITABLE);
    let row = &mut sitter.row;
    for text in [
        &mut row.name,
        &mut row.business_name,
        &mut row.phone,
        &mut row.service_area_address,
    ] {
        trim(text);
    }
    sitter
}

/// What is wrong with a profile form; that the time zone exists is checked where the zones are known.
fn errors(sitter: &Merged<Sitter>) -> FieldErrors {
    let row = &sitter.row;
    let bad = |field: &str| sitter.is_malformed(field);
    let mut errors = FieldErrors::default();
    errors.check(row.name.is_empty() || bad("name"), "name", NAME_REQUIRED);
    errors.check(
        !row.phone.is_empty() && !is_phone(&row.phone),
        "phone",
        "Invalid phone format",
    );
    errors.check(
        row.time_zone.is_empty() || bad("time_zone"),
        "time_zone",
        "Time zone is required",
    );
    let out =
        |degrees: Option<f64>, most: f64| degrees.is_some_and(|it| !(-most..=most).contains(&it));
    errors.check(
        out(row.service_area_lat, 90.0),
        "service_area_lat",
        "Latitude must be from -90 to 90",
    );
    errors.check(
        out(row.service_area_lng, 180.0),
        "service_area_lng",
        "Longitude must be from -180 to 180",
    );
    errors.check(
        !(0.0..=100.0).contains(&row.service_area_radius_miles) || bad("service_area_radius_miles"),
        "service_area_radius_miles",
        "Radius must be from 0 to 100 miles",
    );
    errors
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn newcomer() -> Sitter {
        let (name, email) = ("Mara".to_owned(), "mara@example.com".to_owned());
        Sitter::new(Id::of(1), name, email, "UTC".to_owned(), Instant(0))
    }

    fn check(changes: &Patch, expected: &[(&str, &str)]) {
        let missing = missing(&newcomer(), changes).0;
        let missing: Vec<_> = missing
            .iter()
            .map(|it| (it.field.as_str(), it.text.as_str()))
            .collect();
        assert_eq!(missing, expected);
    }

    #[test]
    fn a_profile_lacks_what_clients_need_until_it_is_given() {
        let area = ("service_area_address", "Service area is required");
        check(&Patch::default(), &[("phone", "Phone is required"), area]);
        check(
            &Patch::of("phone", "555"),
            &[("phone", "Invalid phone format"), area],
        );
        check(&Patch::of("phone", "555-0100-200"), &[area]);
        check(
            &Patch::of("service_area_lat", 40.7),
            &[("phone", "Phone is required")],
        );
        assert!(!newcomer().is_complete());
    }

    proptest! {
        #[test]
        fn a_radius_is_shown_as_it_was_typed(tenths in 0..1000_u32) {
            let typed = f64::from(tenths) / 10.0;
            for units in [Units::Imperial, Units::Metric] {
                prop_assert_eq!(radius_in(radius_to_miles(typed, units), units), typed);
            }
        }
    }
}
