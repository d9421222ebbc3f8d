//! Owns what makes a client and its pets valid (SPEC 5).

use crate::rows::client::{Client, RATE_30MIN, RATE_45MIN, RATE_60MIN};
use crate::rows::pet::Pet;
use crate::values::bounds::MAX_PRICE;
use crate::values::checks::{NEGATIVE_PRICE, PRICE_TOO_HIGH, is_email, is_phone};
use crate::values::form_errors::FieldErrors;
use crate::values::patch::{Merged, Patch};
use crate::values::text::trim;
use crate::{Cents, Id};

/// Sort key of a client in lists: its name, in which `fold` has removed the letters' case, then its id.
pub fn order(client: &Client, fold: &dyn Fn(&str) -> String) -> (String, Id) {
    (fold(&client.name), client.id)
}

/// Number of pets with which a client is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PetsNeeded {
    /// At least one (SPEC 5).
    One,
    /// None: a contact of an import, whose pets are named later. Nothing can be booked for it until then, since a visit
    /// has at least one pet.
    None,
}

/// Returns the errors of a client form, in the form's order (SPEC 5). `dog_names` has the names of the pets, each with
/// its place in the form.
fn errors(client: &Merged<Client>, dog_names: &[(usize, &str)], needed: PetsNeeded) -> FieldErrors {
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
    if dog_names.is_empty() && needed == PetsNeeded::None {
        // Its pets are still to be named.
    } else if dog_names.iter().all(|(_, name)| name.is_empty()) {
        errors.add("dogs", "At least one dog is required");
    } else {
        for (place, _) in dog_names.iter().filter(|(_, name)| name.is_empty()) {
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

/// A new pet of which nothing was entered is none, where another one has a name.
pub(crate) fn is_blank(pet: &Merged<Pet>) -> bool {
    let Pet {
        id,
        client_id,
        display_order,
        ..
    } = pet.row;
    let blank = Pet {
        display_order,
        ..Pet::new(id, client_id)
    };
    pet.malformed.is_empty() && pet.row == blank
}

/// The client and its pets. `is_new` says which of them are.
pub(crate) fn valid(
    client: Merged<Client>,
    pets: Vec<Merged<Pet>>,
    needed: PetsNeeded,
    is_new: impl Fn(Id) -> bool,
) -> Result<(Client, Vec<Pet>), FieldErrors> {
    let is_none = |it: &Merged<Pet>| is_blank(it) && is_new(it.row.id);
    let named = pets.iter().enumerate().filter(|(_, it)| !is_none(it));
    let names: Vec<(usize, &str)> = named
        .map(|(place, it)| (place, it.row.name.as_str()))
        .collect();
    let mut errors = errors(&client, &names, needed);
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
                crate::values::patch::label(field) + " is not valid",
            );
        }
    }
    Ok((
        client.or_errors(errors)?,
        pets.into_iter()
            .filter(|it| !is_none(it))
            .map(|it| it.row)
            .collect(),
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

pub(crate) fn merge_pet(patch: &Patch, current: &Pet) -> Merged<Pet> {
    let mut pet = patch.merge(current, Pet::EDITABLE);
    trim(&mut pet.row.name);
    trim(&mut pet.row.breed);
    pet
}
