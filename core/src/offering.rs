//! Owns offerings: what a sitter has for sale, in which order, and what makes one valid (SPEC 2, 3, 5 and 9).

use serde::Serialize;

use crate::bounds::{self, check_room};
use crate::business::{Change, RowKey, TableName};
use crate::check::{MAX_PRICE, PRICE_TOO_HIGH};
use crate::client::trim;
use crate::command::{Adjustment, Context, Decision, OfferingPlace, delete_row, overwritten};
use crate::field::FieldErrors;
use crate::fields::{read_by_field, read_by_name};
use crate::order::Order as _;
use crate::patch::{Merged, Patch};
use crate::service::ServiceType;
use crate::{Business, Cents, Id, Instant, Refusal, format};

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

const DOG_WALKING: &str = "Dog Walking";

/// How long a duration-priced offering is until someone says otherwise (SPEC 9).
pub const DEFAULT_DURATION_MINUTES: u32 = 30;

/// What the base price buys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum PricingType {
    /// One service.
    #[default]
    Fixed,
    /// An hour.
    Hourly,
    /// A day.
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
    /// What the base price buys.
    pub pricing_type: PricingType,
    /// Set for duration pricing only.
    #[serde(default)]
    pub duration_minutes: Option<u32>,
    /// One of `CATEGORIES`.
    pub category: String,
    /// Whether it can be booked.
    pub is_active: bool,
    /// 0-based, across all categories.
    pub display_order: u32,
    /// When it was made.
    pub created_at: Instant,
}

read_by_field!(Offering { id, name, icon, base_price, pricing_type, category, is_active, display_order,
    created_at }
    or default { description, duration_minutes });

impl Offering {
    /// The fields that a person sets.
    pub const EDITABLE: &[&str] = &[
        "name",
        "description",
        "icon",
        "base_price",
        "pricing_type",
        "duration_minutes",
        "category",
        "is_active",
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

/// A business's offerings in their order.
pub fn in_order(business: &Business) -> Vec<&Offering> {
    let mut offerings: Vec<&Offering> = business.offerings.values().map(|it| &it.row).collect();
    offerings.order_by_key(|it| (it.display_order, it.id));
    offerings
}

/// The offerings of a category as the services screen shows them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct OfferingGroup {
    /// Its name.
    pub category: String,
    /// Its offerings in their order.
    pub offerings: Vec<OfferingView>,
}

/// An offering with what is derived from it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct OfferingView {
    /// The row.
    #[serde(flatten)]
    pub offering: Offering,
    /// What it costs, in words: `$30.00 per hour`.
    pub price_text: String,
}

/// A business's offerings by category, in the order of the categories; those without offerings are left out.
pub fn groups(business: &Business) -> Vec<OfferingGroup> {
    let offerings = in_order(business);
    let group = |category: &&str| {
        let offerings = offerings.iter().filter(|it| it.category == **category);
        let offerings: Vec<OfferingView> = offerings
            .map(|it| OfferingView {
                offering: (*it).clone(),
                price_text: price_text(it),
            })
            .collect();
        (!offerings.is_empty()).then(|| OfferingGroup {
            category: (*category).to_owned(),
            offerings,
        })
    };
    CATEGORIES.iter().filter_map(group).collect()
}

/// What an offering costs, in words: `$30.00`, `$30.00 per hour`, `$30.00 for 45 min`.
pub fn price_text(offering: &Offering) -> String {
    let price = offering.base_price.to_string();
    match (offering.pricing_type, offering.duration_minutes) {
        (PricingType::Fixed, _) | (PricingType::Duration, None) => price,
        (PricingType::Hourly, _) => price + " per hour",
        (PricingType::Daily, _) => price + " per day",
        (PricingType::Duration, Some(minutes)) => {
            format!("{price} for {}", format::duration(minutes))
        }
    }
}

/// What the schedule form offers beside a plain walk and a plain drop-in.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Bookable {
    /// Which offering.
    pub id: Id,
    /// Its name.
    pub name: String,
    /// `Overnight Stay, $75.00 per day`.
    pub label: String,
    /// It is sold by the day, so it has a last day and no length.
    pub is_stay: bool,
    /// Its own length, where it has one.
    pub duration_minutes: Option<u32>,
}

/// Every active offering in its order, and the one that a service is booked with already.
pub fn bookable(business: &Business, booked: Option<Id>) -> Vec<Bookable> {
    let offerings = in_order(business).into_iter();
    let offered = offerings.filter(|it| it.is_active || Some(it.id) == booked);
    offered
        .map(|it| Bookable {
            id: it.id,
            name: it.name.clone(),
            label: [&it.name, ", ", &price_text(it)].concat(),
            is_stay: it.pricing_type == PricingType::Daily,
            duration_minutes: it.duration_minutes,
        })
        .collect()
}

/// Decisions, What is sold is booked: what kind of service an offering is booked as.
pub(crate) fn service_type(offering: &Offering) -> ServiceType {
    if offering.category == DOG_WALKING {
        ServiceType::Walk
    } else {
        ServiceType::Dropin
    }
}

/// SPEC 5: what the duration becomes when a form switches its pricing type.
pub fn duration_after_switch(to: PricingType) -> Option<u32> {
    (to == PricingType::Duration).then_some(DEFAULT_DURATION_MINUTES)
}

/// Adds an offering at the end of the order.
pub(crate) fn create(
    id: Id,
    patch: &Patch,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    if business.offerings.contains_key(&id) {
        return Err(Refusal::Taken);
    }
    check_room("offerings", business.offerings.len(), bounds::OFFERINGS)?;
    let mut offering = Offering::new(id, ctx.acted_at());
    offering.display_order = in_order(business)
        .last()
        .map_or(0, |it| it.display_order.saturating_add(1));
    Ok(Change::from(valid(patch, &offering)?).into())
}

/// Changes an offering.
pub(crate) fn update(id: Id, patch: &Patch, business: &Business) -> Result<Decision, Refusal> {
    let current = &business.offerings.get(&id).ok_or(Refusal::Gone)?.row;
    let offering = valid(patch, current)?;
    let adjustments = overwritten(
        business,
        RowKey {
            table: TableName::Offering,
            id,
        },
        patch,
    );
    let changes = if offering == *current {
        Vec::new()
    } else {
        vec![offering.into()]
    };
    Ok(Decision {
        changes,
        adjustments,
        ..Decision::default()
    })
}

/// SPEC 4: deletes an offering, or deactivates one that services were booked with.
pub(crate) fn delete(id: Id, business: &Business) -> Result<Decision, Refusal> {
    let current = &business.offerings.get(&id).ok_or(Refusal::Gone)?.row;
    if !business
        .services
        .naming(id)
        .any(|it| it.offering_id == Some(id))
    {
        return delete_row(TableName::Offering, id, business);
    }
    let inactive = Offering {
        is_active: false,
        ..current.clone()
    };
    let changes = if current.is_active {
        vec![inactive.into()]
    } else {
        Vec::new()
    };
    Ok(Decision {
        changes,
        adjustments: vec![Adjustment::Deactivated],
        ..Decision::default()
    })
}

/// Puts the offerings in an order. Unknown ids are passed over; offerings that are not named keep their order
/// after the named ones. Afterwards the places are 0 to n-1.
pub(crate) fn reorder(orders: &[OfferingPlace], business: &Business) -> Result<Decision, Refusal> {
    // Of several places for one the first counts.
    let mut places: Vec<&OfferingPlace> = orders.iter().collect();
    places.order_by_key(|it| it.id);
    let place_of = |id: Id| {
        let place = places.get(places.partition_point(|it| it.id < id));
        place.filter(|it| it.id == id)
    };
    let mut offerings = in_order(business);
    // The sort is stable, so those without a place stay as they were, behind those with one.
    offerings.order_by_key(|it| place_of(it.id).map_or((1, 0), |place| (0, place.display_order)));
    let mut changes = Vec::new();
    for (display_order, current) in (0..).zip(offerings) {
        let category = place_of(current.id).and_then(|it| it.category.clone());
        let moved = Offering {
            display_order,
            category: category.unwrap_or_else(|| current.category.clone()),
            ..current.clone()
        };
        if !CATEGORIES.contains(&moved.category.as_str()) {
            return Err(category_error().into());
        }
        if moved != *current {
            changes.push(moved.into());
        }
    }
    Ok(changes.into())
}

fn category_error() -> FieldErrors {
    let mut errors = FieldErrors::default();
    errors.add("category", "Category is not valid");
    errors
}

/// What is wrong with an offering form (SPEC 5).
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

fn valid(patch: &Patch, current: &Offering) -> Result<Offering, FieldErrors> {
    let mut offering = patch.merge(current, Offering::EDITABLE);
    let row = &mut offering.row;
    trim(&mut row.name);
    // SPEC 5: duration pricing begins with 30 minutes, any other has none.
    row.duration_minutes = (row.pricing_type == PricingType::Duration)
        .then(|| row.duration_minutes.unwrap_or(DEFAULT_DURATION_MINUTES));
    let errors = errors(&offering);
    offering.or_errors(errors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;

    #[test]
    fn offerings_are_grouped_in_the_order_of_the_categories_and_of_their_own_places() {
        let mut business = Business::default();
        for (number, category, display_order) in [
            (1, "Grooming", 0),
            (2, "Pet Care", 3),
            (3, "Pet Care", 1),
            (4, "Boarding", 2),
        ] {
            let mut offering = Offering::new(Id::of(number), Instant(0));
            offering.category = category.to_owned();
            offering.display_order = display_order;
            business.put(1, Row::Offering(offering));
        }
        let shown: Vec<(String, Vec<Id>)> = groups(&business)
            .into_iter()
            .map(|it| {
                (
                    it.category,
                    it.offerings.iter().map(|it| it.offering.id).collect(),
                )
            })
            .collect();
        let expected = [
            ("Pet Care", vec![Id::of(3), Id::of(2)]),
            ("Grooming", vec![Id::of(1)]),
            ("Boarding", vec![Id::of(4)]),
        ];
        assert_eq!(
            shown,
            expected.map(|(category, ids)| (category.to_owned(), ids))
        );
    }

    #[test]
    fn a_price_says_what_it_buys() {
        let mut offering = Offering::new(Id::of(1), Instant(0));
        let mut said = |pricing_type| {
            offering.pricing_type = pricing_type;
            offering.duration_minutes = duration_after_switch(pricing_type);
            price_text(&offering)
        };
        assert_eq!(said(PricingType::Fixed), "$30.00");
        assert_eq!(said(PricingType::Hourly), "$30.00 per hour");
        assert_eq!(said(PricingType::Daily), "$30.00 per day");
        assert_eq!(said(PricingType::Duration), "$30.00 for 30 min");
    }
}
