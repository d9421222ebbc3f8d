//! Owns what a column of a file can be, and the guess of it from what it is called.
//!
//! The names are those of spreadsheets in general. Of Precise Petcare's fields its help names `Client's Vet`, `Uses Keys`,
//! `Owner` and `Born/Age` (precisepetcare.freshdesk.com, 'Adding Client & Pet Profiles'); what its export calls the others,
//! and what Time To Pet's does, is published nowhere: their help describes forms (help.timetopet.com, 'Adding A Client').

use serde::Serialize;

use crate::values::json::{read_by_field, read_by_name};

/// What a column is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// The client's whole name.
    Name,
    /// The first part of it.
    FirstName,
    /// The last part of it.
    LastName,
    /// E-mail.
    Email,
    /// Phone.
    Phone,
    /// The address, or its street.
    Address,
    /// Of the address.
    City,
    /// Of the address.
    State,
    /// Of the address.
    Zip,
    /// How to get in.
    AccessNotes,
    /// Whom to call.
    EmergencyContact,
    /// Name and number of the vet.
    Vet,
    /// What is to be known in the house.
    HouseInstructions,
    /// A pet's name, or those of several.
    PetName,
    /// What kind of animal.
    PetType,
    /// Its breed.
    PetBreed,
    /// Its sex.
    PetSex,
    /// Its birthday.
    PetBirthday,
    /// Its weight.
    PetWeight,
    /// What is to be known of it.
    PetAbout,
}

read_by_name!(Column {
    Name,
    FirstName,
    LastName,
    Email,
    Phone,
    Address,
    City,
    State,
    Zip,
    AccessNotes,
    EmergencyContact,
    Vet,
    HouseInstructions,
    PetName,
    PetType,
    PetBreed,
    PetSex,
    PetBirthday,
    PetWeight,
    PetAbout
});

impl Column {
    /// Whether it is of a pet.
    pub const fn is_of_pet(self) -> bool {
        matches!(
            self,
            Self::PetName
                | Self::PetType
                | Self::PetBreed
                | Self::PetSex
                | Self::PetBirthday
                | Self::PetWeight
                | Self::PetAbout
        )
    }
}

/// What becomes of a column's cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Target {
    /// What it is.
    pub column: Column,
    /// Of which of a row's pets, from 0; 0 for what is the client's.
    pub pet: u32,
}

read_by_field!(Target { column } or default { pet });

/// A row has no more pets in columns of their own.
const PETS_IN_A_ROW: u32 = 20;

/// What the columns are, by what they are called; none where nothing is known of one.
pub fn guess(header: &[String]) -> Vec<Option<Target>> {
    header.iter().map(|it| guess_one(it)).collect()
}

fn guess_one(called: &str) -> Option<Target> {
    let called = called.to_lowercase().replace(['\'', '’'], "");
    let mut words: Vec<&str> = called
        .split(|it: char| !it.is_alphanumeric())
        .flat_map(with_number_apart)
        .filter(|it| !it.is_empty())
        .collect();
    let number = words.iter().find_map(|it| it.parse::<u32>().ok());
    // The s of `Name(s)` and the e of `E-mail` tell nothing.
    words.retain(|it| 1 < it.chars().count() && it.parse::<u32>().is_err());
    let is_of_pet = words.iter().any(|it| PETS.contains(it));
    let column = match of_anything(&words) {
        Some(column) => column,
        None if is_of_pet => {
            words.retain(|it| !PETS.contains(it));
            of_pet(&words).or_else(|| words.is_empty().then_some(Column::PetName))?
        }
        None => {
            if 1 < words.len() {
                words.retain(|it| !WHOSE.contains(it));
            }
            of_client(&words).or_else(|| of_pet(&words))?
        }
    };
    let pet = number.unwrap_or(1).saturating_sub(1).min(PETS_IN_A_ROW - 1);
    Some(Target {
        column,
        pet: if column.is_of_pet() { pet } else { 0 },
    })
}

/// `pet2` as `pet` and `2`.
fn with_number_apart(word: &str) -> [&str; 2] {
    let letters = word.trim_end_matches(|it: char| it.is_ascii_digit());
    match word.get(letters.len()..) {
        Some(number) if !letters.is_empty() => [letters, number],
        _ => [word, ""],
    }
}

const PETS: [&str; 12] = [
    "pet", "pets", "dog", "dogs", "cat", "cats", "animal", "animals", "patient", "patients",
    "petname", "petnames",
];

/// What stands before what a column of a client is called.
const WHOSE: [&str; 12] = [
    "client", "clients", "customer", "owner", "owners", "parent", "contact", "primary", "main",
    "home", "billing", "service",
];

/// What one word tells, whatever else there is.
fn of_anything(words: &[&str]) -> Option<Column> {
    let has = |some: &[&str]| words.iter().any(|it| some.contains(it));
    if has(&["emergency"]) {
        Some(Column::EmergencyContact)
    } else if has(&["vet", "vets", "veterinarian", "veterinary", "clinic"]) {
        Some(Column::Vet)
    } else if has(&[
        "alarm", "key", "keys", "gate", "lockbox", "access", "entry", "door", "garage",
    ]) {
        Some(Column::AccessNotes)
    } else {
        None
    }
}

fn of_client(words: &[&str]) -> Option<Column> {
    let has = |some: &[&str]| words.iter().any(|it| some.contains(it));
    Some(match words {
        ["name" | "client" | "customer" | "owner" | "contact"]
        | ["full", "name"]
        | ["display", "name"] => Column::Name,
        ["first" | "forename" | "firstname"] | ["first" | "given", "name"] => Column::FirstName,
        ["last" | "surname" | "lastname"] | ["last" | "family", "name"] => Column::LastName,
        ["zip" | "zipcode" | "postcode" | "plz"] | ["zip" | "postal" | "post", "code"] => {
            Column::Zip
        }
        ["city" | "town" | "suburb"] => Column::City,
        _ if has(&["state", "province", "region", "county"]) => Column::State,
        _ if has(&["email", "mail"]) => Column::Email,
        _ if has(&["phone", "mobile", "cell", "telephone", "tel"]) => Column::Phone,
        _ if has(&["address", "street"]) => Column::Address,
        _ if has(&[
            "note",
            "notes",
            "instructions",
            "comments",
            "house",
            "household",
        ]) =>
        {
            Column::HouseInstructions
        }
        _ => return None,
    })
}

fn of_pet(words: &[&str]) -> Option<Column> {
    let has = |some: &[&str]| words.iter().any(|it| some.contains(it));
    Some(match words {
        ["name" | "names"] => Column::PetName,
        _ if has(&["type", "species", "kind"]) => Column::PetType,
        _ if has(&["breed"]) => Column::PetBreed,
        _ if has(&["sex", "gender"]) => Column::PetSex,
        _ if has(&["birthday", "birth", "born", "birthdate", "dob"]) => Column::PetBirthday,
        _ if has(&["weight"]) => Column::PetWeight,
        _ if has(&[
            "note",
            "notes",
            "about",
            "care",
            "instructions",
            "description",
            "medication",
            "medications",
            "feeding",
        ]) =>
        {
            Column::PetAbout
        }
        _ => return None,
    })
}
