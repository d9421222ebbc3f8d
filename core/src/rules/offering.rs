//! Owns what makes an offering valid, in which order they stand, and what one costs in words (SPEC 4 and 5).

use crate::rows::offering::{
    CATEGORIES, DEFAULT_DURATION_MINUTES, DOG_WALKING, ICONS, Offering, PricingType, StayUnit,
};
use crate::rows::service::{Service, ServiceType, StayTerms};
use crate::rules::tax::Rates;
use crate::values::bounds::MAX_PRICE;
use crate::values::checks::PRICE_TOO_HIGH;
use crate::values::form_errors::FieldErrors;
use crate::values::format;
use crate::values::patch::{Merged, Patch};
use crate::values::sort::SmallSort as _;
use crate::values::text::trim;
use crate::{Business, Cents};

/// A business's offerings in their order.
pub fn in_order(business: &Business) -> Vec<&Offering> {
    let mut offerings: Vec<&Offering> = business.offerings.values().map(|it| &it.row).collect();
    offerings.small_sort_by_key(|it| (it.display_order, it.id));
    offerings
}

/// Words the price of an offering: `$30.00`, `$30.00 per hour`, `$30.00 for 45 min`.
pub fn price_text(offering: &Offering) -> String {
    let price = offering.base_price.to_string();
    match (offering.pricing_type, offering.duration_minutes) {
        (PricingType::Fixed, _) | (PricingType::Duration, None) => price,
        (PricingType::Hourly, _) => price + " per hour",
        (PricingType::Daily, _) => match offering.stay_unit {
            Some(StayUnit::Nights) => price + " per night",
            Some(StayUnit::Days) | None => price + " per day",
        },
        (PricingType::Duration, Some(minutes)) => {
            format!("{price} for {}", format::duration(minutes))
        }
    }
}

/// Words an offering with its price: `30-Minute Walk: $25.00`, `Walk: $25.00 for 30 min`. A length that the name tells is
/// not said again.
pub fn named_price(offering: &Offering) -> String {
    let name = offering.name.to_lowercase();
    let tells_length = |minutes: u32| {
        let words = name.split(|it: char| !it.is_alphanumeric());
        let mut words = words.skip_while(|it| *it != minutes.to_string()).skip(1);
        words.next().is_some_and(|it| it.starts_with("min"))
    };
    let price = match (offering.pricing_type, offering.duration_minutes) {
        (PricingType::Duration, Some(minutes)) if tells_length(minutes) => {
            offering.base_price.to_string()
        }
        _ => price_text(offering),
    };
    [&offering.name, ": ", &price].concat()
}

/// Decisions, What is sold is booked: what kind of service an offering is booked as.
pub(crate) fn service_type(offering: &Offering) -> ServiceType {
    if offering.category == DOG_WALKING {
        ServiceType::Walk
    } else {
        ServiceType::Dropin
    }
}

/// The way to count stays that are booked with an offering from now on; none for one without a unit.
pub(crate) fn stay_terms(offering: &Offering) -> Option<StayTerms> {
    let unit = offering.stay_unit?;
    (offering.pricing_type == PricingType::Daily).then_some(StayTerms {
        unit,
        further_day_after: offering.further_day_after,
    })
}

/// Name of the tax rate of an invoice line about a service: that of its offering, where the business has such a rate; none
/// for the default one.
pub(crate) fn tax_name<'a>(service: &Service, business: &'a Business) -> Option<&'a str> {
    let offering = &business.offerings.get(&service.offering_id?)?.row;
    let rates = Rates::from(&business.sitter()?.invoicing);
    offering.tax_name.as_deref().filter(|it| rates.has(it))
}

/// SPEC 5: what the duration becomes when a form switches its pricing type.
pub fn duration_after_switch(to: PricingType) -> Option<u32> {
    (to == PricingType::Duration).then_some(DEFAULT_DURATION_MINUTES)
}

pub(crate) fn category_error() -> FieldErrors {
    let mut errors = FieldErrors::default();
    errors.add("category", "Category is not valid");
    errors
}

/// Returns the errors of an offering form (SPEC 5).
fn errors(offering: &Merged<Offering>) -> FieldErrors {
    let row = &offering.row;
    let bad = |field: &str| offering.is_malformed(field);
    let mut errors = FieldErrors::default();
    errors.check(row.name.is_empty() || bad("name"), "name", REQUIRED);
    errors.check(
        row.base_price <= Cents::ZERO || bad("base_price"),
        "base_price",
        REQUIRED,
    );
    errors.check(MAX_PRICE < row.base_price, "base_price", PRICE_TOO_HIGH);
    errors.check(
        row.duration_minutes == Some(0),
        "duration_minutes",
        "Duration must be greater than 0",
    );
    errors.check(row.category.is_empty(), "category", REQUIRED);
    errors.check(
        !CATEGORIES.contains(&row.category.as_str()),
        "category",
        "Category is not valid",
    );
    errors.check(
        !ICONS.contains(&row.icon.as_str()),
        "icon",
        "Icon is not valid",
    );
    errors
}

const REQUIRED: &str = "Please fill in all required fields";

pub(crate) fn valid(patch: &Patch, current: &Offering) -> Result<Offering, FieldErrors> {
    let mut offering = patch.merge(current, Offering::EDITABLE);
    let row = &mut offering.row;
    trim(&mut row.name);
    if let Some(tax_name) = &mut row.tax_name {
        trim(tax_name);
    }
    // SPEC 5: duration pricing begins with 30 minutes, any other has none.
    row.duration_minutes = (row.pricing_type == PricingType::Duration)
        .then(|| row.duration_minutes.unwrap_or(DEFAULT_DURATION_MINUTES));
    if row.pricing_type != PricingType::Daily {
        row.stay_unit = None;
    }
    if row.stay_unit != Some(StayUnit::Days) {
        row.further_day_after = None;
    }
    let errors = errors(&offering);
    offering.or_errors(errors)
}
