//! Owns what the commands about clients and their pets do.

use crate::commands::command::PetPatch;
use crate::commands::decision::{Context, Decision, check_photo, check_seen, overwritten, removal};
use crate::rows::client::Client;
use crate::rows::pet::Pet;
use crate::rows::row::{Change, RowKey, TableName};
use crate::rows::service::ServiceStatus;
use crate::rules::client::{merge, merge_pet, valid};
use crate::values::bounds::{self, check_room};
use crate::values::patch::{Merged, Patch};
use crate::{Business, Id, Refusal};

/// Makes a client with its pets, or brings a deleted one back.
pub(crate) fn create(
    id: Id,
    patch: &Patch,
    dogs: &[PetPatch],
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let taken = |table, id| business.get(RowKey { table, id }).is_some();
    if taken(TableName::Client, id) || dogs.iter().any(|it| taken(TableName::Pet, it.id)) {
        return Err(Refusal::Taken);
    }
    let there_are = business.count(TableName::Client, business.clients.len());
    check_room("clients", there_are, bounds::CLIENTS)?;
    let client = merge(patch, &Client::new(id, ctx.acted_at()));
    let mut pets = Vec::new();
    for dog in dogs {
        let mut pet = Pet::new(dog.id, id);
        pet.display_order = order_of(pets.len());
        pets.push(merge_pet(&dog.changes, &pet));
    }
    let (client, pets) = valid(client, pets)?;
    for dog in dogs {
        check_photo(business, &dog.changes)?;
    }
    let mut changes = vec![Change::from(client)];
    changes.extend(pets.into_iter().map(Change::from));
    Ok(changes.into())
}

/// Changes a client and its pets.
pub(crate) fn update(
    id: Id,
    patch: &Patch,
    dogs: &[PetPatch],
    removed: &[Id],
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let current = business.client(id).ok_or(Refusal::Gone)?;
    let client = merge(patch, current);
    let key = |table, id| RowKey { table, id };
    let mut adjustments = overwritten(business, key(TableName::Client, id), patch);

    let removed: Vec<Id> = business
        .pets_of(id)
        .iter()
        .map(|it| it.id)
        .filter(|it| removed.contains(it) && !dogs.iter().any(|dog| dog.id == *it))
        .collect();
    let count = future_services(business, id, ctx, |service| {
        service.dog_ids.iter().any(|it| removed.contains(it))
    });
    if count > 0 {
        return Err(Refusal::HasFutureServices { count });
    }
    let gone: Vec<RowKey> = removed.iter().map(|it| key(TableName::Pet, *it)).collect();
    check_seen(business, &gone)?;

    let mut pets: Vec<Merged<Pet>> = business
        .pets_of(id)
        .into_iter()
        .filter(|it| !removed.contains(&it.id))
        .map(|it| merge_pet(&Patch::default(), it))
        .collect();
    for dog in dogs {
        if let Some(pet) = pets.iter_mut().find(|it| it.row.id == dog.id) {
            adjustments.extend(overwritten(
                business,
                key(TableName::Pet, dog.id),
                &dog.changes,
            ));
            *pet = merge_pet(&dog.changes, &pet.row);
        } else if !dog.is_new {
            return Err(Refusal::Gone);
        } else if business.pet(dog.id).is_some() {
            return Err(Refusal::Taken);
        } else {
            check_room("dogs", pets.len(), bounds::PETS)?;
            let mut pet = Pet::new(dog.id, id);
            pet.display_order = pets
                .iter()
                .map(|it| it.row.display_order.saturating_add(1))
                .max()
                .unwrap_or(0);
            pets.push(merge_pet(&dog.changes, &pet));
        }
    }
    let (client, pets) = valid(client, pets)?;
    for dog in dogs {
        check_photo(business, &dog.changes)?;
    }

    let mut changes = Vec::new();
    if client != *current {
        changes.push(client.into());
    }
    changes.extend(
        pets.into_iter()
            .filter(|it| business.pet(it.id) != Some(it))
            .map(Change::from),
    );
    changes.extend(removed.into_iter().map(|it| removal(TableName::Pet, it)));
    Ok(Decision {
        changes,
        adjustments,
        ..Decision::default()
    })
}

/// Deletes a client with its pets, unless services are still to come; those of the past stay.
pub(crate) fn delete(id: Id, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    business.client(id).ok_or(Refusal::Gone)?;
    let count = future_services(business, id, ctx, |_| true);
    if count > 0 {
        return Err(Refusal::HasFutureServices { count });
    }
    let pets = business.pets_of(id).into_iter();
    let mut gone: Vec<RowKey> = pets
        .map(|it| RowKey {
            table: TableName::Pet,
            id: it.id,
        })
        .collect();
    gone.push(RowKey {
        table: TableName::Client,
        id,
    });
    check_seen(business, &gone)?;
    Ok(gone
        .into_iter()
        .map(Change::Delete)
        .collect::<Vec<_>>()
        .into())
}

/// How many of a client's services are still to be done, of those that `concern` a question.
fn future_services(
    business: &Business,
    client_id: Id,
    ctx: &Context,
    concern: impl Fn(&crate::rows::service::Service) -> bool,
) -> u32 {
    let today = ctx.today();
    let begun = business.services.stays_between(today, today);
    let upcoming = business.services.since(today);
    let count = upcoming
        .chain(begun.filter(|it| it.date < today))
        .filter(|it| {
            it.client_id == client_id && it.status == ServiceStatus::Scheduled && concern(it)
        })
        .count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn order_of(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
