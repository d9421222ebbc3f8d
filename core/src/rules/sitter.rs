//! Owns what makes a profile valid and complete, and what a new business starts with (SPEC 2 and 3).

use crate::rows::availability_config::AvailabilityConfig;
use crate::rows::offering::{Offering, PricingType, StayUnit};
use crate::rows::pattern::Pattern;
use crate::rows::row::Row;
use crate::rows::sitter::Sitter;
use crate::rules::invoice;
use crate::values::checks::is_phone;
use crate::values::form_errors::FieldErrors;
use crate::values::format::METERS_PER_MILE;
use crate::values::patch::{Merged, Patch};
use crate::values::text::trim;
use crate::values::units::Units;
use crate::{Cents, Id, Instant};

pub(crate) const NAME_REQUIRED: &str = "Name is required";

/// Returns true if clients know who comes, and how to reach them: name and phone are set.
pub(crate) fn has_person(sitter: &Sitter) -> bool {
    !sitter.name.is_empty() && !sitter.phone.is_empty()
}

/// Returns true if clients know where the sitter works: the service area has an address or a position.
pub(crate) fn has_area(sitter: &Sitter) -> bool {
    !sitter.service_area_address.is_empty() || sitter.service_area_lat.is_some()
}

/// Returns the fields that a profile lacks to be complete, each with a text.
fn lacks(sitter: &Sitter) -> FieldErrors {
    let mut lacks = FieldErrors::default();
    lacks.check(sitter.name.is_empty(), "name", NAME_REQUIRED);
    lacks.check(sitter.phone.is_empty(), "phone", "Phone is required");
    lacks.check(
        !has_area(sitter),
        "service_area_address",
        "Service area is required",
    );
    lacks
}

/// Returns the errors that a profile with these changes would have, and the fields that it would lack to be complete.
pub fn missing(current: &Sitter, changes: &Patch) -> FieldErrors {
    let changed = merge(current, changes);
    let mut errors = errors(&changed);
    for lack in lacks(&changed.row).0 {
        errors.add(lack.field, lack.text);
    }
    errors
}

/// A radius as the form shows it, in miles or kilometers, to a tenth.
pub fn radius_in(miles: f64, units: Units) -> f64 {
    (miles * miles_to(units) * 10.0).round() / 10.0
}

/// Converts a typed radius in those units into miles; to a thousandth, so that it is shown as it was typed.
pub fn radius_to_miles(radius: f64, units: Units) -> f64 {
    (radius / miles_to(units) * 1000.0).round() / 1000.0
}

fn miles_to(units: Units) -> f64 {
    match units {
        Units::Imperial => 1.0,
        Units::Metric => METERS_PER_MILE / 1000.0,
    }
}

/// Returns the rows that a new business starts with beside its own: offerings, hours from Monday to Friday, slot
/// settings.
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
            // The only one for stays is a night.
            stay_unit: (pricing_type == PricingType::Daily).then_some(StayUnit::Nights),
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

pub(crate) fn merge(current: &Sitter, patch: &Patch) -> Merged<Sitter> {
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
    invoice::tidy(&mut row.invoicing);
    sitter
}

/// Returns the errors of a profile form; that the time zone exists is checked where the zones are known.
pub(crate) fn errors(sitter: &Merged<Sitter>) -> FieldErrors {
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
    let text = "This is not how invoices are set up";
    errors.check(bad("invoicing"), "invoicing", text);
    invoice::check_invoicing(&row.invoicing, &mut errors);
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
