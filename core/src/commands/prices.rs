//! Owns what the commands do that give visits to come the price by the rates of now, and take that back.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::commands::decision::{
    About, Adjustment, Context, Decision, Effect, Intent, Need, Shows,
};
use crate::commands::series::is_open;
use crate::rows::row::{RowKey, TableName};
use crate::rows::service::{PriceBreakdown, Service};
use crate::rules::service::reprice;
use crate::values::bounds::MAX_TOTAL;
use crate::values::checks::{NEGATIVE_PRICE, PRICE_TOO_HIGH, is_price};
use crate::values::form_errors::FieldErrors;
use crate::values::json::read_by_field;
use crate::{Business, Cents, Id, Refusal};

/// A visit and the price that the person saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VisitPrice {
    /// Id of the service.
    pub id: Id,
    /// Price that it has.
    pub price: Cents,
}

read_by_field!(VisitPrice { id, price });

/// Gives visits to come the price by the rates of now. A visit whose price is another one by now, that has an agreed price, or
/// that is done, cancelled, under way, billed or paid is left alone, and told.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RepriceServices {
    /// The visits with the prices that they had when the person looked at them.
    pub prices: Vec<VisitPrice>,
}

read_by_field!(RepriceServices { prices });

impl Intent for RepriceServices {
    fn needs(&self, business: &Business, _: &Context) -> Vec<Need> {
        let mut needs = services(self.prices.iter().map(|it| it.id));
        let (mut clients, mut offerings) = (BTreeSet::new(), BTreeSet::new());
        for service in self.prices.iter().filter_map(|it| business.service(it.id)) {
            clients.insert(service.client_id);
            offerings.extend(service.offering_id);
        }
        if !clients.is_empty() {
            let clients: Vec<Id> = clients.into_iter().collect();
            needs.push(Need::Rows(TableName::Client, clients.clone()));
            needs.push(Need::PetsOfAny(clients));
        }
        if !offerings.is_empty() {
            let offerings = offerings.into_iter().collect();
            needs.push(Need::Rows(TableName::Offering, offerings));
        }
        needs
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        let visits = self.prices.iter().map(|seen| {
            let service = business.service(seen.id);
            let as_seen = service.filter(|it| it.price == seen.price);
            (seen.id, as_seen.and_then(|it| repriced(it, business)))
        });
        Ok(decided(visits, business))
    }

    fn about(&self) -> About {
        about(self.prices.iter().map(|it| it.id))
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(Vec::new())
    }
}

/// A visit at the price by the rates of now; `None` for one whose price is not theirs to change.
pub(crate) fn repriced(service: &Service, business: &Business) -> Option<Service> {
    let mut service = service.clone();
    let is_priced = has_usual_price(&service) && reprice(&mut service, business).is_ok();
    is_priced.then_some(service)
}

/// Returns true if a visit is to come, neither billed nor paid, and nobody has agreed on its price.
const fn has_usual_price(service: &Service) -> bool {
    is_open(service) && service.price_override.is_none()
}

/// A visit that was given another price, and the one that it had.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FormerPrice {
    /// Id of the service.
    pub id: Id,
    /// Price that it was given.
    pub price: Cents,
    /// Breakdown of its former price; `total` is that price.
    pub breakdown: PriceBreakdown,
}

read_by_field!(FormerPrice {
    id,
    price,
    breakdown
});

/// Undoes `RepriceServices`: visits have their former price again. One that was changed since is left alone, and told.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RestorePrices {
    /// The visits with their former prices.
    pub prices: Vec<FormerPrice>,
}

read_by_field!(RestorePrices { prices });

impl Intent for RestorePrices {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        services(self.prices.iter().map(|it| it.id))
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        let mut errors = FieldErrors::default();
        for former in &self.prices {
            check_total(&mut errors, "prices", former.breakdown.total);
        }
        errors.or(())?;
        let visits = self.prices.iter().map(|former| {
            let service = business.service(former.id);
            let as_given = service.filter(|it| has_usual_price(it) && it.price == former.price);
            let as_before = as_given.map(|it| Service {
                price: former.breakdown.total,
                pricing_breakdown: former.breakdown.clone(),
                ..it.clone()
            });
            (former.id, as_before)
        });
        Ok(decided(visits, business))
    }

    fn about(&self) -> About {
        about(self.prices.iter().map(|it| it.id))
    }

    fn words(&self) -> Option<Vec<(&str, &str)>> {
        Some(Vec::new())
    }
}

/// Adds the error of what a service cannot come to.
pub(super) fn check_total(errors: &mut FieldErrors, field: &str, total: Cents) {
    errors.check(!is_price(total), field, NEGATIVE_PRICE);
    errors.check(MAX_TOTAL < total, field, PRICE_TOO_HIGH);
}

fn services(ids: impl Iterator<Item = Id>) -> Vec<Need> {
    let ids: Vec<Id> = ids.collect();
    match ids.as_slice() {
        [] => Vec::new(),
        _ => vec![Need::Rows(TableName::Service, ids)],
    }
}

fn about(ids: impl Iterator<Item = Id>) -> About {
    let services = ids.map(|id| RowKey {
        table: TableName::Service,
        id,
    });
    About {
        builds_on: services.collect(),
        shows: Shows::Made(TableName::Service),
        ..About::of("Prices", Effect::Marks)
    }
}

/// The decision that writes each visit as it is to be; those of which nothing is to be are told.
fn decided(visits: impl Iterator<Item = (Id, Option<Service>)>, business: &Business) -> Decision {
    let mut named = BTreeSet::new();
    let (mut changes, mut left) = (Vec::new(), Vec::new());
    // One that is named twice is asked once.
    for (id, wanted) in visits.filter(|it| named.insert(it.0)) {
        match wanted {
            Some(service) if business.service(id) == Some(&service) => {}
            Some(service) => changes.push(service.into()),
            None => left.push(id),
        }
    }
    let of = u32::try_from(changes.len() + left.len()).unwrap_or(u32::MAX);
    let left = (!left.is_empty()).then_some(Adjustment::PricesLeft { services: left, of });
    Decision {
        changes,
        adjustments: left.into_iter().collect(),
        ..Decision::default()
    }
}
