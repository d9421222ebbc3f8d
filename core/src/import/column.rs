//! Owns what a column of a file can be, and the guess of it from what it is called.
//!
//! The names are those of spreadsheets in general. Of Precise Petcare's fields its help names `Client's Vet`, `Uses Keys`,
//! `Owner` and `Born/Age` (precisepetcare.freshdesk.com, 'Adding Client & Pet Profiles'); what its export calls the others,
//! and what Time To Pet's does, is published nowhere: their help describes forms (help.timetopet.com, 'Adding A Client').

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde::de::Error as _;

use crate::values::json::read_by_name;

macro_rules! columns {
    (client { $($Kind:ident = $label:literal,)* } pet { $($PetKind:ident = $pet_label:literal,)* }) => {
        /// What a column is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "snake_case")]
        #[expect(missing_docs, reason = "the label says it")]
        pub enum Column {
            $($Kind,)*
            $($PetKind,)*
        }

        read_by_name!(Column { $($Kind,)* $($PetKind),* });

        impl Column {
            /// All of them, as they are offered.
            pub const ALL: &[Self] = &[$(Self::$Kind,)* $(Self::$PetKind),*];

            /// It as a person reads it.
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$Kind => $label,)*
                    $(Self::$PetKind => $pet_label,)*
                }
            }

            /// Whether it is of a pet.
            pub const fn is_of_pet(self) -> bool {
                matches!(self, $(Self::$PetKind)|*)
            }
        }
    };
}

columns! {
    client {
    Name = "Name",
    FirstName = "First name",
    LastName = "Last name",
    Email = "Email",
    Phone = "Phone",
    Address = "Address",
    City = "City",
    State = "State",
    Zip = "ZIP code",
    AccessNotes = "Access notes",
    EmergencyContact = "Emergency contact",
    Vet = "Vet",
    HouseInstructions = "House instructions",
    }
    pet {
    PetName = "Pet name",
    PetType = "Pet type",
    PetBreed = "Breed",
    PetSex = "Sex",
    PetBirthday = "Birthday",
    PetWeight = "Weight",
    PetAbout = "About the pet",
    }
}

/// What becomes of a column's cells; written as `email`, and of a row's second pet as `pet_breed.2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// What it is.
    pub column: Column,
    /// Of which of a row's pets, from 0; 0 for what is the client's.
    pub pet: u32,
}

/// A row has no more pets in columns of their own.
pub const PETS_IN_A_ROW: u32 = 20;

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let name = serde_json::to_string(&self.column).unwrap_or_default();
        formatter.write_str(name.trim_matches('"'))?;
        match self.pet {
            0 => Ok(()),
            pet => write!(formatter, ".{}", pet + 1),
        }
    }
}

impl FromStr for Target {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, pet) = text.split_once('.').unwrap_or((text, "1"));
        let column: Column = serde_json::from_value(name.into())?;
        let pet: u32 = pet.parse().map_err(serde_json::Error::custom)?;
        let is_there = (1..=PETS_IN_A_ROW).contains(&pet) && (column.is_of_pet() || pet == 1);
        if !is_there {
            return Err(serde_json::Error::custom("a row has no such pet"));
        }
        Ok(Self {
            column,
            pet: pet - 1,
        })
    }
}

/// The written targets; an empty text is a column that is left out.
///
/// # Errors
/// Where one of them is none.
pub fn read_columns<'a>(
    written: impl IntoIterator<Item = &'a str>,
) -> serde_json::Result<Vec<Option<Target>>> {
    let read = |it: &str| match it {
        "" => Ok(None),
        it => it.parse().map(Some),
    };
    written.into_iter().map(read).collect()
}

/// The targets as they are written.
pub fn written(columns: &[Option<Target>]) -> Vec<String> {
    let columns = columns.iter();
    columns
        .map(|it| it.map_or_else(String::new, |it| it.to_string()))
        .collect()
}

/// A choice of what a column is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ColumnChoice {
    /// As it is written.
    pub value: String,
    /// As a person reads it.
    pub label: String,
}

/// What a column can be, where these are chosen: of one pet more than they know.
pub fn choices(columns: &[Option<Target>]) -> Vec<ColumnChoice> {
    let pets = columns.iter().flatten().map(|it| it.pet + 1).max();
    let pets = (pets.unwrap_or(0) + 1).clamp(2, PETS_IN_A_ROW);
    let of_client = Column::ALL.iter().filter(|it| !it.is_of_pet());
    let mut choices: Vec<ColumnChoice> = of_client.map(|it| choice(*it, 0)).collect();
    for pet in 0..pets {
        let of_pet = Column::ALL.iter().filter(|it| it.is_of_pet());
        choices.extend(of_pet.map(|it| choice(*it, pet)));
    }
    choices
}

fn choice(column: Column, pet: u32) -> ColumnChoice {
    let label = column.label();
    ColumnChoice {
        value: Target { column, pet }.to_string(),
        label: match pet {
            0 => label.to_owned(),
            pet => format!("Pet {}: {label}", pet + 1),
        },
    }
}

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
