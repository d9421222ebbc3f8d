//! Owns what the commands about offerings do, and their order.

use crate::commands::command::OfferingPlace;
use crate::commands::decision::{Adjustment, Context, Decision, delete_row, overwritten};
use crate::rows::offering::{CATEGORIES, Offering};
use crate::rows::row::{Change, RowKey, TableName};
use crate::rules::offering::{category_error, in_order, valid};
use crate::values::bounds::{self, check_room};
use crate::values::patch::Patch;
use crate::values::sort::Order as _;
use crate::{Business, Id, Refusal};

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
