//! Owns what the commands about clients and their pets do.

use serde::Serialize;
use serde_json::Value;

use crate::commands::decision::{
    About, Actor, Context, Decision, Effect, Intent, Need, changed, check_photo, check_seen,
    name_in, overwritten, photo, removal, row,
};
use crate::commands::limit;
use crate::commands::other_text::{keep_unseen, tidy};
use crate::rows::client::{ACCESS_NOTES, Client, HOW_TO_GET_IN, ParentChange};
use crate::rows::message::Side;
use crate::rows::other_text::OtherText;
use crate::rows::pet::Pet;
use crate::rows::row::{Change, Row, RowKey, TableName};
use crate::rows::service::ServiceStatus;
use crate::rules::client::{PetsNeeded, is_blank, merge, merge_pet, valid};
use crate::rules::pricing;
use crate::rules::usage::Limited;
use crate::values::bounds::{self, check_room};
use crate::values::field::plain;
use crate::values::json::read_by_field;
use crate::values::patch::{Merged, Patch, label};
use crate::values::sort::SmallSort as _;
use crate::{Business, Date, FieldErrors, Id, Instant, Refusal};

/// Some fields of one pet, new or known, as part of a client's change.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PetPatch {
    /// The pet's id, which the phone makes for a new one.
    pub id: Id,
    /// The pet is to be made; a change to one that someone deleted must not bring it back half empty.
    #[serde(default)]
    pub is_new: bool,
    /// Fields of the pet that the person touched.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Pet>"))]
    pub changes: Patch,
}

read_by_field!(PetPatch { id, changes } or default { is_new });

/// Adds a client with at least one pet.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CreateClient {
    /// The new client's id.
    pub id: Id,
    /// Fields of the client; missing ones have the defaults for new clients.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Client>"))]
    pub client: Patch,
    /// The client's pets; at least one.
    pub dogs: Vec<PetPatch>,
}

read_by_field!(CreateClient { id, client, dogs });

impl Intent for CreateClient {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        needs_to_make(self.id, &self.dogs, business, ctx)
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        limit::check(business, ctx, Limited::Clients, ctx.today(), 1)?;
        let pets = new_pets(self.id, &self.dogs);
        let n_pets = pets.iter().filter(|it| !is_blank(it)).count();
        limit::check(business, ctx, Limited::Dogs, ctx.today(), n_pets)?;
        let needed = PetsNeeded::One;
        create(self.id, &self.client, &self.dogs, needed, business, ctx)
    }

    fn about(&self) -> About {
        about_making(self.id, &self.client, &self.dogs)
    }
}

/// Returns the fields of `patch` that this person may set: all for a sitter, `Client::EDITABLE_BY_CLIENT` for a pet
/// parent.
fn allowed(patch: &Patch, actor: Actor) -> Patch {
    let mut patch = patch.clone();
    if let Actor::Client(_) = actor {
        let own = Client::EDITABLE_BY_CLIENT;
        patch
            .0
            .retain(|field, _| own.iter().any(|it| it.name == field));
    }
    patch
}

/// Changes a client and its pets.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UpdateClient {
    /// Id of the client.
    pub id: Id,
    /// The client's touched fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Client>"))]
    pub changes: Patch,
    /// Touched and new pets.
    #[serde(default)]
    pub dogs: Vec<PetPatch>,
    /// Pets to remove.
    #[serde(default)]
    pub removed_dogs: Vec<Id>,
}

read_by_field!(UpdateClient { id, changes } or default { dogs, removed_dogs });

impl Intent for UpdateClient {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = vec![
            row(TableName::Client, self.id),
            changed(TableName::Client, self.id),
            Need::PetsOf(self.id),
        ];
        for dog in &self.dogs {
            needs.push(row(TableName::Pet, dog.id));
            needs.push(changed(TableName::Pet, dog.id));
            needs.extend(photo(&dog.changes, ctx));
        }
        if !self.removed_dogs.is_empty() {
            needs.push(Need::ServicesOfClientFrom(self.id, ctx.today()));
        }
        let removed = self.removed_dogs.iter();
        needs.extend(removed.map(|it| changed(TableName::Pet, *it)));
        if self.dogs.iter().any(|it| it.is_new) {
            needs.extend(limit::needs(business, Limited::Dogs, ctx.today()));
        }
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        update(self, business, ctx)
    }

    fn about(&self) -> About {
        About {
            made: pets(self.dogs.iter().filter(|it| it.is_new)),
            ..About::row("Client", Effect::Changes, TableName::Client, self.id)
        }
    }

    /// A pet parent corrects what is known of the own home and pets, and adds pets; taking one out is the sitter's, whose
    /// visits it may be in.
    fn may(&self, actor: Actor) -> bool {
        match actor {
            Actor::Sitter => true,
            Actor::Client(client_id) => client_id == self.id && self.removed_dogs.is_empty(),
        }
    }
}

/// Ends the access of one pet parent, or of all of a household: what is the business's leaves their phones. A repeat changes
/// nothing.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UnlinkClient {
    /// Id of the client.
    pub id: Id,
    /// Login that ends; all of them without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<Id>,
}

read_by_field!(UnlinkClient { id } or default { user_id });

impl Intent for UnlinkClient {
    fn needs(&self, _: &Business, _: &Context) -> Vec<Need> {
        vec![row(TableName::Client, self.id)]
    }

    fn decide(&self, business: &Business, _: &Context) -> Result<Decision, Refusal> {
        let mut client = business.client(self.id).ok_or(Refusal::Gone)?.clone();
        let is_meant = |it: &Id| self.user_id.is_none_or(|user| user == *it);
        let ended: Vec<Id> = client.logins().filter(is_meant).collect();
        if ended.is_empty() {
            return Ok(Decision::default());
        }
        for user_id in ended {
            client.remove_login(user_id);
        }
        Ok(Change::from(client).into())
    }

    fn about(&self) -> About {
        About::row("Client", Effect::Changes, TableName::Client, self.id)
    }
}

/// Deletes a client with its pets; services of the past stay.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DeleteClient {
    /// Id of the client.
    pub id: Id,
}

read_by_field!(DeleteClient { id });

impl Intent for DeleteClient {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = vec![
            row(TableName::Client, self.id),
            changed(TableName::Client, self.id),
            Need::PetsOf(self.id),
            Need::ServicesOfClientFrom(self.id, ctx.today()),
        ];
        let pets = business.pets_of(self.id).into_iter();
        needs.extend(pets.map(|it| changed(TableName::Pet, it.id)));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        delete(self.id, business, ctx)
    }

    fn about(&self) -> About {
        About::row("Client", Effect::Removes, TableName::Client, self.id)
    }
}

/// Undoes a deletion: the client and its pets come back under their ids.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RestoreClient {
    /// Id of the client, as before the deletion.
    pub id: Id,
    /// All its fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Client>"))]
    pub client: Patch,
    /// The client's pets, under their ids from before the deletion.
    pub dogs: Vec<PetPatch>,
}

read_by_field!(RestoreClient { id, client, dogs });

impl Intent for RestoreClient {
    fn needs(&self, business: &Business, ctx: &Context) -> Vec<Need> {
        let mut needs = needs_to_make(self.id, &self.dogs, business, ctx);
        let rows = client_and_pets(self.id, &self.dogs);
        needs.extend(limit::needs_of_back(business, Limited::Clients, rows, ctx));
        needs
    }

    fn decide(&self, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
        let rows = client_and_pets(self.id, &self.dogs).into_iter();
        let (clients, dogs): (Vec<RowKey>, Vec<RowKey>) = rows
            .filter(|it| !limit::is_back(business, *it))
            .partition(|it| it.table == TableName::Client);
        let today = ctx.today();
        limit::check(business, ctx, Limited::Clients, today, clients.len())?;
        limit::check(business, ctx, Limited::Dogs, today, dogs.len())?;
        // One whose pets were still to be named comes back as it was.
        let needed = PetsNeeded::None;
        let mut decision = create(self.id, &self.client, &self.dogs, needed, business, ctx)?;
        for change in &mut decision.changes {
            match change {
                Change::Put(Row::Client(it)) => {
                    it.other_texts = other_texts(&self.client);
                    // It has no login: whoever comes into the portal next is not trusted with bookings, and does not read how
                    // one gets in. The sitter still does.
                    it.books_at_once = false;
                    it.other_texts.push(OtherText {
                        field: ACCESS_NOTES.to_owned(),
                        content: text_in(&self.client, HOW_TO_GET_IN),
                        by: Some(Side::Client),
                        at: ctx.acted_at(),
                    });
                    // What was given is often what the notes say, or a version of before.
                    tidy(&mut it.other_texts, ACCESS_NOTES, &it.access_notes);
                    it.other_texts.truncate(bounds::OTHER_TEXTS);
                    it.inactive_since = day_in(&self.client, "inactive_since");
                    it.parent_left_at = moment_in(&self.client, "parent_left_at");
                }
                Change::Put(Row::Pet(it)) => {
                    let dog = self.dogs.iter().find(|dog| dog.id == it.id);
                    it.other_texts = dog.map(|it| other_texts(&it.changes)).unwrap_or_default();
                    it.gone_on = dog.and_then(|it| day_in(&it.changes, "gone_on"));
                }
                _ => {}
            }
        }
        Ok(decision)
    }

    fn about(&self) -> About {
        about_making(self.id, &self.client, &self.dogs)
    }
}

/// The versions that a deleted row had beside its long texts.
fn other_texts(row: &Patch) -> Vec<OtherText> {
    let others = row.0.get("other_texts").map(Value::to_string);
    let others = others.and_then(|it| serde_json::from_str::<Vec<OtherText>>(&it).ok());
    let mut others = others.unwrap_or_default();
    others.truncate(bounds::OTHER_TEXTS);
    others
}

/// A day that a deleted row had and that no form sets.
fn day_in(row: &Patch, field: &str) -> Option<Date> {
    row.0.get(field)?.as_str()?.parse().ok()
}

/// A text that a deleted row had and that no form of the sitter sets.
fn text_in(row: &Patch, field: &str) -> String {
    let text = row.0.get(field).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

/// A moment that a deleted row had and that no form sets.
fn moment_in(row: &Patch, field: &str) -> Option<Instant> {
    row.0.get(field)?.as_str()?.parse().ok()
}

fn client_and_pets(id: Id, dogs: &[PetPatch]) -> Vec<RowKey> {
    let mut rows = pets(dogs);
    rows.push(RowKey {
        table: TableName::Client,
        id,
    });
    rows
}

fn needs_to_make(id: Id, dogs: &[PetPatch], business: &Business, ctx: &Context) -> Vec<Need> {
    let mut needs = vec![
        row(TableName::Client, id),
        Need::PetsOf(id),
        Need::Count(TableName::Client),
        Need::Table(TableName::Offering),
    ];
    needs.extend(dogs.iter().map(|it| row(TableName::Pet, it.id)));
    needs.extend(dogs.iter().filter_map(|it| photo(&it.changes, ctx)));
    for what in [Limited::Clients, Limited::Dogs] {
        needs.extend(limit::needs(business, what, ctx.today()));
    }
    needs
}

fn about_making(id: Id, client: &Patch, dogs: &[PetPatch]) -> About {
    let mut about = About::row("Client", Effect::Makes, TableName::Client, id);
    about.made.extend(pets(dogs));
    about.called = name_in(client);
    about
}

fn pets<'a>(dogs: impl IntoIterator<Item = &'a PetPatch>) -> Vec<RowKey> {
    let keys = dogs.into_iter().map(|it| RowKey {
        table: TableName::Pet,
        id: it.id,
    });
    keys.collect()
}

/// The pets of a new client, in their order.
fn new_pets(id: Id, dogs: &[PetPatch]) -> Vec<Merged<Pet>> {
    let pets = dogs.iter().enumerate().map(|(place, dog)| {
        let mut pet = Pet::new(dog.id, id);
        pet.display_order = order_of(place);
        merge_pet(&dog.changes, &pet)
    });
    pets.collect()
}

/// Makes a client with its pets, or brings a deleted one back.
pub(super) fn create(
    id: Id,
    patch: &Patch,
    dogs: &[PetPatch],
    needed: PetsNeeded,
    business: &Business,
    ctx: &Context,
) -> Result<Decision, Refusal> {
    let taken = |table, id| business.get(RowKey { table, id }).is_some();
    if taken(TableName::Client, id) || dogs.iter().any(|it| taken(TableName::Pet, it.id)) {
        return Err(Refusal::Taken);
    }
    let there_are = business.count(TableName::Client, business.clients.len());
    check_room("clients", there_are, bounds::CLIENTS)?;
    let client = merge(patch, &pricing::new_client(business, id, ctx.acted_at()));
    let (client, pets) = valid(client, new_pets(id, dogs), needed, |_| true)?;
    for dog in dogs {
        check_photo(business, &dog.changes)?;
    }
    let mut changes = vec![Change::from(client)];
    changes.extend(pets.into_iter().map(Change::from));
    Ok(changes.into())
}

/// Changes a client and its pets.
fn update(command: &UpdateClient, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
    let UpdateClient {
        id,
        changes: patch,
        dogs,
        removed_dogs: removed,
    } = command;
    let id = *id;
    let current = business.client(id).ok_or(Refusal::Gone)?;
    let patch = &allowed(patch, ctx.actor);
    let mut client = merge(patch, current);
    if ctx.actor != Actor::Sitter {
        let given = patch.merge(&client.row, &[plain(HOW_TO_GET_IN)]);
        client.row = given.row;
        client.malformed.extend(given.malformed);
    }
    let key = |table, id| RowKey { table, id };
    let mut told = overwritten(business, key(TableName::Client, id), patch);

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
    // Forms do not show those that are gone: errors name the places of the others.
    pets.small_sort_by_key(|it| it.row.gone_on.is_some());
    let is_new = |it: Id| business.pet(it).is_none();
    let stay = |it: &&Merged<Pet>| !(is_new(it.row.id) && is_blank(it));
    let n_pets = pets.iter().filter(stay).count();
    let more = n_pets.saturating_sub(business.pets_of(id).len());
    limit::check(business, ctx, Limited::Dogs, ctx.today(), more)
        .map_err(|refusal| without_plan(refusal, ctx.actor))?;
    // One whose pets are still to be named can be corrected without naming them.
    let needed = match business.pets_of(id).as_slice() {
        [] => PetsNeeded::None,
        _ => PetsNeeded::One,
    };
    let (mut client, mut pets) = valid(client, pets, needed, is_new)?;
    for dog in dogs {
        check_photo(business, &dog.changes)?;
    }
    let texts = client.long_texts();
    let of_client = key(TableName::Client, id);
    keep_unseen(
        &mut client.other_texts,
        &texts,
        &mut told,
        business,
        of_client,
        patch,
    )?;
    if ctx.actor != Actor::Sitter {
        give_access(&mut client, current, business, ctx)?;
    }
    let mut adjustments = told;
    for dog in dogs.iter().filter(|it| !is_new(it.id)) {
        let of_pet = key(TableName::Pet, dog.id);
        let mut told = overwritten(business, of_pet, &dog.changes);
        if let Some(pet) = pets.iter_mut().find(|it| it.id == dog.id) {
            let texts = pet.long_texts();
            let others = &mut pet.other_texts;
            keep_unseen(others, &texts, &mut told, business, of_pet, &dog.changes)?;
        }
        adjustments.extend(told);
    }

    pets.retain(|it| business.pet(it.id) != Some(it));
    if ctx.actor != Actor::Sitter && (client != *current || !pets.is_empty()) {
        let whole = NEW_PET.to_owned();
        let of_pets = dogs.iter().flat_map(|dog| {
            let pet = pets.iter().find(|it| it.id == dog.id);
            let is_added = is_new(dog.id);
            let fields = pet.filter(|_| !is_added).map(|_| dog.changes.0.keys());
            let added = pet.filter(|_| is_added).map(|_| &whole);
            let fields = fields.into_iter().flatten().chain(added);
            fields.map(move |it| (pet.map(|it| it.name.as_str()), it))
        });
        let own = patch.0.keys().map(|it| (None, it));
        note(&mut client, own.chain(of_pets), ctx.acted_at());
    }
    let mut changes = Vec::new();
    if client != *current {
        changes.push(client.into());
    }
    changes.extend(pets.into_iter().map(Change::from));
    changes.extend(removed.into_iter().map(|it| removal(TableName::Pet, it)));
    Ok(Decision {
        changes,
        adjustments,
        ..Decision::default()
    })
}

/// Puts what a pet parent now gives on getting in beside the sitter's notes, as a version on which the sitter decides; into
/// them only where they are empty. `client` has the new text, `current` is the row before.
///
/// INVARIANT: No pet parent replaces notes of the sitter on getting in.
fn give_access(
    client: &mut Client,
    current: &Client,
    business: &Business,
    ctx: &Context,
) -> Result<(), FieldErrors> {
    let (given, before) = (client.how_to_get_in.trim(), current.how_to_get_in.trim());
    if given == before {
        return Ok(());
    }
    // One that this person had read is replaced by its new version; one of somebody else that was not read stays.
    let is_unseen = business.field_changes.iter().any(|it| {
        it.key.table == TableName::Client && it.key.id == client.id && it.field == HOW_TO_GET_IN
    });
    client.other_texts.retain(|it| {
        is_unseen
            || it.field != ACCESS_NOTES
            || it.by != Some(Side::Client)
            || it.content.trim() != before
    });
    if client.access_notes.trim().is_empty() {
        client.access_notes = given.to_owned();
    } else {
        client.other_texts.push(OtherText {
            field: ACCESS_NOTES.to_owned(),
            content: given.to_owned(),
            by: Some(Side::Client),
            at: ctx.now.at,
        });
    }
    tidy(&mut client.other_texts, ACCESS_NOTES, &client.access_notes);
    let mut errors = FieldErrors::default();
    if bounds::OTHER_TEXTS < client.other_texts.len() {
        errors.add(HOW_TO_GET_IN, TOO_MANY_GIVEN);
    }
    errors.or(())
}

/// Said to a pet parent where the sitter has too many versions of texts to decide on.
const TOO_MANY_GIVEN: &str =
    "Your sitter has not decided on earlier changes yet. Please tell them yourself how to get in.";

/// Field that stands for all of a pet that a pet parent has added: `Rex: New pet`.
const NEW_PET: &str = "new_pet";

/// The refusal of a plan's limit as its person may read it: how full a plan is stays with the sitter.
fn without_plan(refusal: Refusal, actor: Actor) -> Refusal {
    match (actor, &refusal) {
        (Actor::Client(_), Refusal::LimitReached { .. }) => {
            let mut errors = FieldErrors::default();
            errors.add("dogs", NO_ROOM_FOR_PETS);
            errors.into()
        }
        _ => refusal,
    }
}

/// Said to a pet parent where the sitter's plan has no room for one more pet.
const NO_ROOM_FOR_PETS: &str = "Your sitter can take in no more pets right now. Please ask them.";

/// Largest number of changed fields of a pet parent that the sitter sees: the newest ones.
const PARENT_CHANGES: usize = 20;

/// Notes what a pet parent has set: fields of the own record, and of pets by their names.
pub(super) fn note<'a>(
    client: &mut Client,
    fields: impl Iterator<Item = (Option<&'a str>, &'a String)>,
    at: Instant,
) {
    for (pet, field) in fields {
        let what = match pet {
            Some(pet) => format!("{pet}: {}", label(field)),
            None => label(field),
        };
        client.parent_changes.retain(|it| it.what != what);
        client
            .parent_changes
            .push(ParentChange { what, at, by: None });
    }
    let too_many = client.parent_changes.len().saturating_sub(PARENT_CHANGES);
    client.parent_changes.drain(..too_many);
}

/// Deletes a client with its pets, unless services are still to come; those of the past stay.
fn delete(id: Id, business: &Business, ctx: &Context) -> Result<Decision, Refusal> {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Now;
    use crate::values::zone::TimeZone;

    fn business() -> Business {
        let mut business = Business::default();
        let mut client = Client::new(Id::of(1), Instant(0));
        client.name = "Sam".to_owned();
        let mut pet = Pet::new(Id::of(2), client.id);
        pet.name = "Rex".to_owned();
        business.put(1, Row::Client(client));
        business.put(1, Row::Pet(pet));
        business
    }

    /// Makes a change at that moment and returns the client's `parent_changes` after it.
    fn noted(
        business: &mut Business,
        actor: Actor,
        at: i64,
        own: serde_json::Value,
        pet: serde_json::Value,
    ) -> Vec<(String, i64)> {
        let command = UpdateClient {
            id: Id::of(1),
            changes: serde_json::from_value(own).unwrap(),
            dogs: vec![PetPatch {
                id: Id::of(2),
                is_new: false,
                changes: serde_json::from_value(pet).unwrap(),
            }],
            removed_dogs: Vec::new(),
        };
        let now = Now {
            at: Instant(at),
            zone: TimeZone::UTC,
        };
        let ctx = Context {
            actor,
            ..Context::at(now)
        };
        for change in command.decide(business, &ctx).unwrap().changes {
            if let Change::Put(row) = change {
                business.put(2, row);
            }
        }
        let changes = &business.client(Id::of(1)).unwrap().parent_changes;
        changes
            .iter()
            .map(|it| (it.what.clone(), it.at.0))
            .collect()
    }

    /// Fields that a restored client or pet does not get from the command's patch.
    const NOT_RESTORED: [&str; 9] = [
        "id",
        // They end with the last login.
        "books_at_once",
        "how_to_get_in",
        "client_id",
        "client_user_id",
        "relationship_type",
        "parent_changes",
        "unread_count",
        "created_at",
    ];

    #[test]
    fn a_deleted_client_comes_back_with_every_field() {
        let client = json!(Client::new(Id::of(1), Instant(0)));
        let pet = json!(Pet::new(Id::of(2), Id::of(1)));
        for (row, editable) in [(client, Client::EDITABLE), (pet, Pet::EDITABLE)] {
            for field in row.as_object().unwrap().keys() {
                let comes_back = editable.iter().any(|it| it.name == field);
                assert!(
                    comes_back || NOT_RESTORED.contains(&field.as_str()),
                    "`RestoreClient` drops the new field {field}: let it restore the field, or name the field here"
                );
            }
        }
    }

    /// The client as it comes back by the undo of its deletion.
    fn restored(gone: &Client) -> Client {
        let command = RestoreClient {
            id: gone.id,
            client: Patch::from_row(gone),
            dogs: Vec::new(),
        };
        let now = Now {
            at: Instant(0),
            zone: TimeZone::UTC,
        };
        let decided = command.decide(&Business::default(), &Context::at(now));
        match decided.unwrap().changes.as_slice() {
            [Change::Put(Row::Client(back))] => back.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_client_that_comes_back_trusts_nobody_and_leaves_the_way_in_to_the_sitter() {
        let gone = Client {
            name: "Dana".to_owned(),
            books_at_once: true,
            access_notes: "Second key with Sam".to_owned(),
            how_to_get_in: "Code 4711".to_owned(),
            ..Client::new(Id::of(1), Instant(0))
        };
        let back = restored(&gone);
        assert!(!back.books_at_once && back.how_to_get_in.is_empty());
        assert_eq!(
            back.access_in_all_versions(),
            "Second key with Sam\n\nDana: Code 4711"
        );
    }

    #[test]
    fn a_way_in_that_the_notes_of_a_client_that_comes_back_say_already_is_no_version_of_them() {
        let gone = Client {
            name: "Dana".to_owned(),
            access_notes: "Code 4711".to_owned(),
            how_to_get_in: "Code 4711".to_owned(),
            ..Client::new(Id::of(1), Instant(0))
        };
        let back = restored(&gone);
        assert_eq!(back.other_texts, []);
        assert_eq!(back.access_in_all_versions(), "Code 4711");
    }

    #[test]
    fn what_a_parent_sets_is_noted_once_for_each_field_and_what_the_sitter_sets_is_not() {
        let mut business = business();
        let parent = Actor::Client(Id::of(1));
        let (none, vet) = (
            json!({}),
            json!({ "vet": "Dr. Cole", "walk_rate_30min": 1 }),
        );
        let found = noted(&mut business, parent, 1, vet, json!({ "breed": "Beagle" }));
        assert_eq!(found, [("Vet".to_owned(), 1), ("Rex: Breed".to_owned(), 1)]);
        let found = noted(
            &mut business,
            parent,
            2,
            json!({ "vet": "Dr. Lee" }),
            none.clone(),
        );
        assert_eq!(found, [("Rex: Breed".to_owned(), 1), ("Vet".to_owned(), 2)]);
        let same = noted(
            &mut business,
            parent,
            3,
            json!({ "vet": "Dr. Lee" }),
            none.clone(),
        );
        assert_eq!(same, found, "nothing was changed");
        let found = noted(
            &mut business,
            Actor::Sitter,
            4,
            json!({ "address": "4 Elm Street" }),
            none,
        );
        assert_eq!(found, same);
    }
}
