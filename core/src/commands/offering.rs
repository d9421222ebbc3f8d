//! Owns what the commands about offerings do, and their order.

use serde::Serialize;

use crate::commands::decision::{
    About, Adjustment, Context, Decision, Effect, Intent, Need, Shows, changed, delete_row,
    name_in, overwritten, row,
};
use crate::rows::offering::{CATEGORIES, Offering};
use crate::rows::row::{Change, RowKey, TableName};
use crate::rules::offering::{category_error, in_order, valid};
use crate::values::bounds::{self, check_room};
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::values::sort::SmallSort as _;
use crate::{Business, Id, Refusal};

/// A place in the order of offerings.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OfferingPlace {
    /// The offering's id.
    pub id: Id,
    /// New place of the offering, from 0.
    pub display_order: u32,
    /// The category that it was moved to; unchanged when absent.
    #[serde(default)]
    pub category: Option<String>,
}

read_by_field!(OfferingPlace { id, display_order } or default { category });

/// Adds an offering, at the end of the order.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreateOffering {
    /// The new offering's id.
    pub id: Id,
    /// The offering's fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Offering>"))]
    pub offering: Patch,
}

read_by_field!(CreateOffering { id, offering });

impl Intent for CreateOffering {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![Need::Table(TableName::Offering)]
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        create(self.id, &self.offering, business, ctx)
    }

    fn about(&self) -> About {
        About {
            called: name_in(&self.offering),
            ..About::row("Services", Effect::Makes, TableName::Offering, self.id)
        }
    }
}

/// Changes an offering, its active state among it.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpdateOffering {
    /// Id of the offering.
    pub id: Id,
    /// The touched fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Offering>"))]
    pub changes: Patch,
}

read_by_field!(UpdateOffering { id, changes });

impl Intent for UpdateOffering {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![
            row(TableName::Offering, self.id),
            changed(TableName::Offering, self.id),
        ]
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        update(self.id, &self.changes, business)
    }

    fn about(&self) -> About {
        About::row("Services", Effect::Changes, TableName::Offering, self.id)
    }
}

/// Deletes an offering, or deactivates it where services, series or requests name it (SPEC 4).
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeleteOffering {
    /// Id of the offering.
    pub id: Id,
}

read_by_field!(DeleteOffering { id });

impl Intent for DeleteOffering {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![
            row(TableName::Offering, self.id),
            changed(TableName::Offering, self.id),
            Need::ServiceWithOffering(self.id),
            Need::RequestWithOffering(self.id),
            Need::Table(TableName::Series),
        ]
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        delete(self.id, business)
    }

    fn about(&self) -> About {
        About::row("Services", Effect::Removes, TableName::Offering, self.id)
    }
}

/// Puts the offerings in an order; those not named keep theirs after the named ones.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReorderOfferings {
    /// New places of the offerings that move.
    pub orders: Vec<OfferingPlace>,
}

read_by_field!(ReorderOfferings { orders });

impl Intent for ReorderOfferings {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![Need::Table(TableName::Offering)]
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        reorder(&self.orders, business)
    }

    fn about(&self) -> About {
        About {
            shows: Shows::Offerings,
            ..About::of("Services", Effect::Changes)
        }
    }
}

/// Adds an offering at the end of the order.
fn create(id: Id, patch: &Patch, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
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
fn update(id: Id, patch: &Patch, business: &Business) -> Result<Decision, Refusal> {
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

/// SPEC 4: deletes an offering, or deactivates one that services, series or requests name.
fn delete(id: Id, business: &Business) -> Result<Decision, Refusal> {
    let current = &business.offerings.get(&id).ok_or(Refusal::Gone)?.row;
    let mut services = business.services.referring_to(id);
    let is_booked = services.any(|it| it.offering_id == Some(id));
    let mut requests = business.requests.values();
    let is_asked_for = requests.any(|it| it.row.offering_id == Some(id));
    let mut slots = business.series.values().flat_map(|it| {
        let stay = it.row.stay().map(|(stay, _)| stay);
        it.row.phases.iter().flat_map(|it| &it.slots).chain(stay)
    });
    if !is_booked && !is_asked_for && slots.all(|it| it.offering_id != Some(id)) {
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
fn reorder(orders: &[OfferingPlace], business: &Business) -> Result<Decision, Refusal> {
    // Of several places for one the first counts.
    let mut places: Vec<&OfferingPlace> = orders.iter().collect();
    places.small_sort_by_key(|it| it.id);
    let place_of = |id: Id| {
        let place = places.get(places.partition_point(|it| it.id < id));
        place.filter(|it| it.id == id)
    };
    let mut offerings = in_order(business);
    // The sort is stable, so those without a place stay as they were, behind those with one.
    offerings
        .small_sort_by_key(|it| place_of(it.id).map_or((1, 0), |place| (0, place.display_order)));
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
