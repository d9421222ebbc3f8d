//! Owns clients and their pets: the rows, their defaults and what makes them valid (SPEC 3 and 5).

use serde::{Deserialize, Deserializer, Serialize};

use crate::bounds::{self, check_room};
use crate::business::{Change, RowKey, TableName};
use crate::check::{MAX_PRICE, NEGATIVE_PRICE, PRICE_TOO_HIGH, is_email, is_phone};
use crate::command::{Context, Decision, PetPatch, check_photo, check_seen, overwritten, removal};
use crate::field::FieldErrors;
use crate::fields::{read_by_field, read_by_name};
use crate::patch::{Merged, Patch};
use crate::service::ServiceStatus;
use crate::{Business, Cents, Date, Id, Instant, Refusal};

/// How more dogs than one are charged (SPEC 9, Pricing).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum MultipleDogMethod {
    /// A percentage of the base for each extra dog.
    #[default]
    Percentage,
    /// A flat rate for each extra dog.
    Flat,
    /// Nothing.
    None,
}

read_by_name!(MultipleDogMethod {
    Percentage,
    Flat,
    None
});

/// What connects a client with the sitter (SPEC 3, Messageable client).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RelationshipType {
    /// In the client list.
    #[default]
    ExistingClient,
    /// Has asked for a walk.
    PendingRequest,
    /// Had a request approved.
    ApprovedRequest,
    /// Asked once.
    PastRequest,
    /// Has a service scheduled.
    ScheduledService,
}

read_by_name!(RelationshipType {
    ExistingClient,
    PendingRequest,
    ApprovedRequest,
    PastRequest,
    ScheduledService
});

/// What kind of animal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum PetType {
    /// A dog.
    #[default]
    Dog,
    /// A cat.
    Cat,
    /// Any other animal.
    Other,
}

read_by_name!(PetType { Dog, Cat, Other });

/// A pet's sex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Sex {
    /// Male.
    Male,
    /// Female.
    Female,
    /// Not known.
    #[default]
    Unknown,
}

read_by_name!(Sex {
    Male,
    Female,
    Unknown
});

/// Whether a pet is chipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Microchipped {
    /// Yes.
    Yes,
    /// No.
    No,
    /// Not known.
    #[default]
    Unknown,
}

read_by_name!(Microchipped { Yes, No, Unknown });

/// Whether a pet is spayed or neutered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Neutered {
    /// Yes.
    Yes,
    /// No.
    No,
    /// Not sure.
    #[default]
    Unsure,
}

read_by_name!(Neutered { Yes, No, Unsure });

/// How a pet is with something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Friendly {
    /// Yes.
    Yes,
    /// No.
    No,
    /// Not sure.
    #[default]
    Unsure,
    /// It depends.
    Depends,
}

read_by_name!(Friendly {
    Yes,
    No,
    Unsure,
    Depends
});

/// A sitter's customer (SPEC 3). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Client {
    /// Made by whoever makes the client.
    pub id: Id,
    /// Full name; never empty.
    pub name: String,
    /// Where the pets are picked up; may be empty.
    pub address: String,
    /// May be empty.
    pub phone: String,
    /// May be empty; without it and without a client user the client cannot be messaged.
    pub email: String,
    /// Key, alarm, gate: how to get in. Never leaves the sitter's own devices.
    pub access_notes: String,
    /// Base price of a walk of more than 60 minutes.
    pub pricing_walk: Cents,
    /// Price of a drop-in.
    pub pricing_dropin: Cents,
    /// Price of a walk of up to 30 minutes.
    pub walk_rate_30min: Cents,
    /// Price of a walk of up to 45 minutes.
    pub walk_rate_45min: Cents,
    /// Price of a walk of up to 60 minutes.
    pub walk_rate_60min: Cents,
    /// How more dogs than one are charged.
    pub multiple_dog_method: MultipleDogMethod,
    /// Whole percent of the base per extra dog, 0 to 100.
    pub additional_dog_percentage: u32,
    /// Flat charge per extra dog on a walk.
    pub additional_dog_walk_rate: Cents,
    /// Flat charge per extra dog on a drop-in.
    pub additional_dog_dropin_rate: Cents,
    /// The login of the pet parent, once linked.
    pub client_user_id: Option<Id>,
    /// What connects the client with the sitter.
    pub relationship_type: RelationshipType,
    /// Messages of this client that the sitter has not read.
    pub unread_count: u32,
    /// Home, WGS 84 degrees, where known.
    pub lat: Option<f64>,
    /// Home, WGS 84 degrees, where known.
    pub lng: Option<f64>,
    /// When the server, or the phone until then, made the row.
    pub created_at: Instant,
}

read_by_field!(Client { id, name, pricing_walk, pricing_dropin, walk_rate_30min, walk_rate_45min, walk_rate_60min, multiple_dog_method,
    additional_dog_percentage, additional_dog_walk_rate, additional_dog_dropin_rate, created_at }
    or default { address, phone, email, access_notes, client_user_id, relationship_type, unread_count, lat, lng });

/// One animal of a client; `dogs` in the API (SPEC 3). Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pet {
    /// Made by whoever makes the pet.
    pub id: Id,
    /// Whose pet it is.
    pub client_id: Id,
    /// Never empty.
    pub name: String,
    /// Dog, cat or other.
    pub pet_type: PetType,
    /// In pounds (lbs).
    pub weight: Option<f64>,
    /// Where known.
    pub birthday: Option<Date>,
    /// Male, female or unknown.
    pub sex: Sex,
    /// May be empty.
    pub breed: String,
    /// Yes, no or unknown.
    pub microchipped: Microchipped,
    /// Yes, no or unsure.
    pub spayed_neutered: Neutered,
    /// Yes, no, unsure or depends.
    pub house_trained: Friendly,
    /// Yes, no, unsure or depends.
    pub friendly_with_children: Friendly,
    /// Yes, no, unsure or depends.
    pub friendly_with_dogs: Friendly,
    /// Yes, no, unsure or depends.
    pub friendly_with_cats: Friendly,
    /// Where known.
    pub adoption_date: Option<Date>,
    /// Care notes: food, fears, medicine.
    pub about: String,
    /// The uploaded photo's id; `GET /photos/{id}` serves it.
    pub photo: Option<Id>,
    /// Position among the client's pets, 0-based.
    pub display_order: u32,
}

read_by_field!(Pet { id, client_id, name }
    or default { pet_type, weight, birthday, sex, breed, microchipped, spayed_neutered, house_trained,
    friendly_with_children, friendly_with_dogs, friendly_with_cats, adoption_date, about, photo, display_order });

impl Client {
    /// The fields that a person sets; the rest is set by rules.
    pub const EDITABLE: &[&str] = &[
        "name",
        "address",
        "phone",
        "email",
        "access_notes",
        "pricing_walk",
        "pricing_dropin",
        "walk_rate_30min",
        "walk_rate_45min",
        "walk_rate_60min",
        "multiple_dog_method",
        "additional_dog_percentage",
        "additional_dog_walk_rate",
        "additional_dog_dropin_rate",
        "lat",
        "lng",
    ];

    /// A client with the defaults for new ones (SPEC 9, Pricing) and no name yet.
    pub fn new(id: Id, at: Instant) -> Self {
        Self {
            id,
            name: String::new(),
            address: String::new(),
            phone: String::new(),
            email: String::new(),
            access_notes: String::new(),
            pricing_walk: Cents(30_00),
            pricing_dropin: Cents(30_00),
            walk_rate_30min: RATE_30MIN,
            walk_rate_45min: RATE_45MIN,
            walk_rate_60min: RATE_60MIN,
            multiple_dog_method: MultipleDogMethod::Percentage,
            additional_dog_percentage: 50,
            additional_dog_walk_rate: Cents::ZERO,
            additional_dog_dropin_rate: Cents::ZERO,
            client_user_id: None,
            relationship_type: RelationshipType::ExistingClient,
            unread_count: 0,
            lat: None,
            lng: None,
            created_at: at,
        }
    }
}

/// What an empty or zero 30-minute rate falls back to (SPEC 5).
const RATE_30MIN: Cents = Cents(25_00);
/// The same for 45 minutes.
const RATE_45MIN: Cents = Cents(30_00);
/// The same for 60 minutes.
const RATE_60MIN: Cents = Cents(35_00);

impl Pet {
    /// The fields that a person sets.
    pub const EDITABLE: &[&str] = &[
        "name",
        "pet_type",
        "weight",
        "birthday",
        "sex",
        "breed",
        "microchipped",
        "spayed_neutered",
        "house_trained",
        "friendly_with_children",
        "friendly_with_dogs",
        "friendly_with_cats",
        "adoption_date",
        "about",
        "photo",
        "display_order",
    ];

    /// A pet of which nothing is known yet.
    pub fn new(id: Id, client_id: Id) -> Self {
        Self {
            id,
            client_id,
            name: String::new(),
            pet_type: PetType::Dog,
            weight: None,
            birthday: None,
            sex: Sex::Unknown,
            breed: String::new(),
            microchipped: Microchipped::Unknown,
            spayed_neutered: Neutered::Unsure,
            house_trained: Friendly::Unsure,
            friendly_with_children: Friendly::Unsure,
            friendly_with_dogs: Friendly::Unsure,
            friendly_with_cats: Friendly::Unsure,
            adoption_date: None,
            about: String::new(),
            photo: None,
            display_order: 0,
        }
    }
}

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

/// What is wrong with a client form, in its order (SPEC 5).
fn errors(client: &Merged<Client>, dog_names: &[&str]) -> FieldErrors {
    let row = &client.row;
    let bad = |field: &str| client.is_malformed(field);
    let negative = |amount: Cents| amount < Cents::ZERO;
    let mut errors = FieldErrors::default();
    errors.check(
        row.name.is_empty() || bad("name"),
        "name",
        "Client name is required",
    );
    errors.check(
        !row.email.is_empty() && !is_email(&row.email),
        "email",
        "Invalid email format",
    );
    errors.check(
        !row.phone.is_empty() && !is_phone(&row.phone),
        "phone",
        "Invalid phone format",
    );
    if dog_names.iter().all(|it| it.is_empty()) {
        errors.add("dogs", "At least one dog is required");
    } else {
        for (place, _) in dog_names
            .iter()
            .enumerate()
            .filter(|(_, name)| name.is_empty())
        {
            errors.add(format!("dogs.{place}.name"), "Pet name is required");
        }
    }
    errors.check(
        negative(row.pricing_walk),
        "pricing_walk",
        "Walk price cannot be negative",
    );
    errors.check(
        negative(row.pricing_dropin),
        "pricing_dropin",
        "Drop-in price cannot be negative",
    );
    for (field, amount) in [
        ("pricing_walk", row.pricing_walk),
        ("pricing_dropin", row.pricing_dropin),
        ("walk_rate_30min", row.walk_rate_30min),
        ("walk_rate_45min", row.walk_rate_45min),
        ("walk_rate_60min", row.walk_rate_60min),
        ("additional_dog_walk_rate", row.additional_dog_walk_rate),
        ("additional_dog_dropin_rate", row.additional_dog_dropin_rate),
    ] {
        errors.check(negative(amount), field, NEGATIVE_PRICE);
        errors.check(MAX_PRICE < amount, field, PRICE_TOO_HIGH);
    }
    errors.check(
        row.additional_dog_percentage > 100 || bad("additional_dog_percentage"),
        "additional_dog_percentage",
        "Percentage must be a whole number from 0 to 100",
    );
    errors
}

fn valid(
    client: Merged<Client>,
    pets: Vec<Merged<Pet>>,
) -> Result<(Client, Vec<Pet>), FieldErrors> {
    let names: Vec<&str> = pets.iter().map(|it| it.row.name.as_str()).collect();
    let mut errors = errors(&client, &names);
    for (place, pet) in pets.iter().enumerate() {
        let negative = pet.row.weight.is_some_and(|it| it < 0.0);
        errors.check(
            negative,
            &format!("dogs.{place}.weight"),
            "Weight cannot be negative",
        );
        for field in &pet.malformed {
            errors.add(
                format!("dogs.{place}.{field}"),
                crate::patch::label(field) + " is not valid",
            );
        }
    }
    Ok((
        client.or_errors(errors)?,
        pets.into_iter().map(|it| it.row).collect(),
    ))
}

/// The row with the touched fields, with its texts trimmed and SPEC 5's fallback for empty and zero rates.
pub(crate) fn merge(patch: &Patch, current: &Client) -> Merged<Client> {
    let mut patch = patch.clone();
    let rates = ["walk_rate_30min", "walk_rate_45min", "walk_rate_60min"];
    for rate in rates
        .into_iter()
        .filter(|it| patch.empties(it))
        .collect::<Vec<_>>()
    {
        patch.0.insert(rate.to_owned(), 0.into());
    }
    let mut client = patch.merge(current, Client::EDITABLE);
    let row = &mut client.row;
    for text in [
        &mut row.name,
        &mut row.address,
        &mut row.phone,
        &mut row.email,
    ] {
        trim(text);
    }
    for (rate, fallback) in [
        (&mut row.walk_rate_30min, RATE_30MIN),
        (&mut row.walk_rate_45min, RATE_45MIN),
        (&mut row.walk_rate_60min, RATE_60MIN),
    ] {
        if *rate == Cents::ZERO {
            *rate = fallback;
        }
    }
    client
}

fn merge_pet(patch: &Patch, current: &Pet) -> Merged<Pet> {
    let mut pet = patch.merge(current, Pet::EDITABLE);
    trim(&mut pet.row.name);
    trim(&mut pet.row.breed);
    pet
}

/// How many of a client's services are still to be done, of those that `concern` a question.
fn future_services(
    business: &Business,
    client_id: Id,
    ctx: &Context,
    concern: impl Fn(&crate::service::Service) -> bool,
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

/// Removes white space around a text.
pub(crate) fn trim(text: &mut String) {
    let trimmed = text.trim();
    if trimmed.len() < text.len() {
        *text = trimmed.to_owned();
    }
}

/// Reads `null` as an empty text: callers send either for 'nothing entered'.
pub(crate) fn null_is_empty<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.unwrap_or_default())
}
