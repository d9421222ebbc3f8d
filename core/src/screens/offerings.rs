//! Owns what is for sale as lists and forms show it.

use serde::Serialize;

use crate::rows::offering::{CATEGORIES, Offering, PricingType, StayUnit};
use crate::rows::service::ServiceType;
use crate::rules::offering::{in_order, named_price, price_text, service_type};
use crate::{Business, Id};

/// The offerings of a category as the services screen shows them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct OfferingGroup {
    /// Name of the category.
    pub category: String,
    /// Its offerings in their order.
    pub offerings: Vec<OfferingView>,
}

/// An offering with what is derived from it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct OfferingView {
    /// The offering itself.
    #[serde(flatten)]
    pub offering: Offering,
    /// Price in words: `$30.00 per hour`.
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

/// Offering that the schedule form lists beside a plain walk and a plain drop-in.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Bookable {
    /// The offering's id.
    pub id: Id,
    /// Name of the offering.
    pub name: String,
    /// `Overnight Stay: $75.00 per day`.
    pub label: String,
    /// Description of what is sold; may be empty.
    pub description: String,
    /// The type of service that it is booked as.
    pub service_type: ServiceType,
    /// It is sold by the day, so it has a last day and no length.
    pub is_stay: bool,
    /// The unit in which its stays are counted, where it has one.
    pub stay_unit: Option<StayUnit>,
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
            label: named_price(it),
            description: it.description.clone(),
            service_type: service_type(it),
            is_stay: it.pricing_type == PricingType::Daily,
            stay_unit: it.stay_unit,
            duration_minutes: it.duration_minutes,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;
    use crate::rules::offering::duration_after_switch;
    use crate::values::instant::Instant;

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
    fn a_length_that_the_name_tells_is_not_said_again() {
        let mut offering = Offering::new(Id::of(1), Instant(0));
        offering.pricing_type = PricingType::Duration;
        offering.duration_minutes = Some(30);
        let mut said = |name: &str| {
            offering.name = name.to_owned();
            named_price(&offering)
        };
        assert_eq!(said("30-Minute Walk"), "30-Minute Walk: $30.00");
        assert_eq!(said("Walk (30 min)"), "Walk (30 min): $30.00");
        assert_eq!(said("60-Minute Walk"), "60-Minute Walk: $30.00 for 30 min");
        assert_eq!(said("Walk 30"), "Walk 30: $30.00 for 30 min");
        assert_eq!(said("Walk"), "Walk: $30.00 for 30 min");
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
