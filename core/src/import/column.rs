//! Owns what a column of a file can be, and the guess of it from what it is called.
//!
//! The names are those of spreadsheets in general. Of Precise Petcare's fields its help names `Client's Vet`, `Uses Keys`,
//! `Owner` and `Born/Age` (precisepetcare.freshdesk.com, 'Adding Client & Pet Profiles'); what its export calls the others,
//! and what Time To Pet's does, is published nowhere: their help describes forms (help.timetopet.com, 'Adding A Client').

use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde::de::Error as _;

use crate::rules::client_view::is_private;
use crate::values::json::read_by_name;

macro_rules! columns {
    (client { $($Kind:ident = $label:literal,)* } pet { $($PetKind:ident = $pet_label:literal,)* }) => {
        /// Meaning of a column.
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

            /// Label of the column as a person reads it.
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$Kind => $label,)*
                    $(Self::$PetKind => $pet_label,)*
                }
            }

            /// True if the column is about a pet.
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
    Country = "Country",
    AccessNotes = "Access notes",
    InternalNotes = "Internal notes",
    EmergencyContact = "Emergency contact",
    Vet = "Vet",
    HouseInstructions = "House instructions",
    PricingWalk = "Price of a walk",
    PricingDropin = "Price of a drop-in",
    BillingAddress = "Billing address",
    }
    pet {
    PetName = "Pet name",
    PetType = "Pet type",
    PetBreed = "Breed",
    PetSex = "Sex",
    PetBirthday = "Birthday",
    PetWeight = "Weight",
    PetMicrochipped = "Microchipped",
    PetSpayedNeutered = "Spayed or neutered",
    PetHouseTrained = "House trained",
    PetFriendlyWithChildren = "Friendly with kids",
    PetFriendlyWithDogs = "Friendly with dogs",
    PetFriendlyWithCats = "Friendly with cats",
    PetAdoptionDate = "Adoption date",
    PetAbout = "About the pet",
    }
}

impl Column {
    /// Returns true if its text is for the sitter alone.
    pub fn is_private(self) -> bool {
        match self {
            Self::AccessNotes => is_private("access_notes"),
            Self::InternalNotes => is_private("internal_notes"),
            _ => false,
        }
    }
}

/// Destination of a column's cells; written as `email`, and for a row's second pet as `pet_breed.2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Meaning of the column.
    pub column: Column,
    /// Number of the pet in its row, from 0; 0 for columns about the client.
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
    /// The column's destination as `Target` is written.
    pub value: String,
    /// Label as a person reads it.
    pub label: String,
    /// True if the sitter alone reads what is put there; the client reads everything else.
    pub is_private: bool,
}

/// Lists the meanings that a column can get, with columns for one pet more than `columns` already have.
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
        is_private: column.is_private(),
        label: match pet {
            0 => label.to_owned(),
            pet => format!("Pet {}: {label}", pet + 1),
        },
    }
}

/// Guesses the target of each column from its title and from the other columns; none where nothing is known of one.
pub fn guess(header: &[String]) -> Vec<Option<Target>> {
    let called: Vec<Words> = header.iter().map(|it| Words::new(it)).collect();
    let mut targets: Vec<Option<Target>> = called.iter().map(Words::target).collect();
    if is_address_book(&called, &targets) {
        // The birthday and the sex in an address book are a person's.
        for (target, called) in targets.iter_mut().zip(&called) {
            let is_persons = |it: &Target| it.column.is_of_pet() && !called.is_of_pet;
            *target = target.filter(|it| !is_persons(it));
        }
    }
    name_pets_beside_clients(&called, &mut targets);
    leave_out_whole_addresses(&called, &mut targets);
    tell_billing_addresses(&called, &mut targets);
    targets
}

/// `Billing address` is the client's only address unless another column has one.
fn tell_billing_addresses(called: &[Words], targets: &mut [Option<Target>]) {
    let is_address = |it: &Option<Target>| it.is_some_and(|it| it.column == Column::Address);
    let is_billing = |it: &Words| it.words == ["billing", "address"];
    let mut both = called.iter().zip(targets.iter());
    if !both.any(|(called, target)| is_address(target) && !is_billing(called)) {
        return;
    }
    for (target, called) in targets.iter_mut().zip(called) {
        if is_address(target) && is_billing(called) {
            *target = Some(Target {
                column: Column::BillingAddress,
                pet: 0,
            });
        }
    }
}

/// Returns true for the columns of Google Contacts, Outlook or the like, where nothing is about a pet.
fn is_address_book(called: &[Words], targets: &[Option<Target>]) -> bool {
    const OF_PERSONS: [&str; 12] = [
        "phonetic",
        "yomi",
        "middle",
        "additional",
        "suffix",
        "nickname",
        "organization",
        "company",
        "job",
        "anniversary",
        "spouse",
        "occupation",
    ];
    // A column of all pets' names is added where a file has none.
    let is_of_pets = |(called, target): (&Words, &Option<Target>)| {
        let of_pets_alone = [Column::PetName, Column::PetBreed, Column::PetType];
        let is_known = target.is_some_and(|it| of_pets_alone.contains(&it.column));
        (called.is_of_pet || is_known) && called.words != ["pets"]
    };
    let of_persons = called.iter().filter(|it| it.has(&OF_PERSONS));
    1 < of_persons.count() && !called.iter().zip(targets).any(is_of_pets)
}

/// Makes `Name` the pet's if `Client` or `Owner` has the person and no other column has the name of the pets.
fn name_pets_beside_clients(called: &[Words], targets: &mut [Option<Target>]) {
    let is = |it: &Option<Target>, wanted: Column| it.is_some_and(|it| it.column == wanted);
    let is_name = |it: &Words| it.words == ["name"] && !it.is_of_pet;
    let has_person = called.iter().zip(targets.iter());
    let has_person = { has_person }
        .any(|(it, target)| is(target, Column::Name) && !is_name(it) && !it.has(&["name"]));
    let is_about_pets = targets.iter().flatten().any(|it| it.column.is_of_pet());
    let has_pet_name = targets.iter().any(|it| is(it, Column::PetName));
    if !has_person || !is_about_pets || has_pet_name {
        return;
    }
    for (target, _) in targets.iter_mut().zip(called).filter(|(_, it)| is_name(it)) {
        *target = Some(Target {
            column: Column::PetName,
            pet: 0,
        });
    }
}

/// `Address 1 - Formatted` says once more what `Address 1 - Street` and the columns beside it say.
fn leave_out_whole_addresses(called: &[Words], targets: &mut [Option<Target>]) {
    let has_street = |number: u32| {
        let mut others = called.iter();
        others.any(|it| it.number == Some(number) && it.has(&["street"]))
    };
    for (target, it) in targets.iter_mut().zip(called) {
        if it.has(&["formatted"]) && it.number.is_some_and(has_street) {
            *target = None;
        }
    }
}

/// Rank of the address that a column is a part of, the home's first: address books have columns for several.
pub(super) fn address_rank(called: &str) -> u32 {
    let called = Words::new(called);
    // `Address 2` alone is the second line of one.
    let is_part = called.has(&[
        "formatted",
        "street",
        "city",
        "region",
        "state",
        "postal",
        "country",
        "box",
        "extended",
    ]);
    match called.number {
        _ if called.has(&["business", "work", "office", "company"]) => 1_000,
        _ if called.has(&["other"]) => 1_001,
        Some(number) if is_part && called.has(&["address"]) => number,
        _ => 0,
    }
}

/// The words of a column's name.
struct Words {
    /// In small letters, without numbers and single letters.
    words: Vec<String>,
    number: Option<u32>,
    /// True if one of them names a pet.
    is_of_pet: bool,
}

impl Words {
    fn new(called: &str) -> Self {
        let called = called.to_lowercase().replace(['\'', '’'], "");
        let mut words: Vec<&str> = called
            .split(|it: char| !it.is_alphanumeric())
            .flat_map(with_number_apart)
            .filter(|it| !it.is_empty())
            .collect();
        let number = words.iter().find_map(|it| it.parse::<u32>().ok());
        // The s of `Name(s)` and the e of `E-mail` tell nothing.
        words.retain(|it| 1 < it.chars().count() && it.parse::<u32>().is_err());
        Self {
            is_of_pet: words.iter().any(|it| PETS.contains(it)),
            words: words.into_iter().map(str::to_owned).collect(),
            number,
        }
    }

    fn has(&self, some: &[&str]) -> bool {
        self.words.iter().any(|it| some.contains(&it.as_str()))
    }

    fn target(&self) -> Option<Target> {
        let mut words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let column = match of_trait(&words).or_else(|| of_anything(&words)) {
            Some(column) => column,
            None if self.is_of_pet => {
                words.retain(|it| !PETS.contains(it));
                let named = words.is_empty().then_some(Column::PetName);
                of_pet(&words).or_else(|| of_named_pet(&words)).or(named)?
            }
            None => {
                if 1 < words.len() {
                    words.retain(|it| !WHOSE.contains(it));
                }
                of_client(&words).or_else(|| of_pet(&words))?
            }
        };
        let pet = self.number.unwrap_or(1).saturating_sub(1);
        let pet = pet.min(PETS_IN_A_ROW - 1);
        Some(Target {
            column,
            pet: if column.is_of_pet() { pet } else { 0 },
        })
    }
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

/// Words that can stand before the name of a column about a client.
const WHOSE: [&str; 13] = [
    "client", "clients", "customer", "owner", "owners", "parent", "contact", "primary", "main",
    "home", "billing", "business", "service",
];

/// Names of free notes: private, whomever they are about.
const NOTES: [&str; 8] = [
    "note", "notes", "comment", "comments", "remark", "remarks", "memo", "internal",
];

/// Columns about a pet whose words also occur in columns about clients.
fn of_trait(words: &[&str]) -> Option<Column> {
    let has = |some: &[&str]| words.iter().any(|it| some.contains(it));
    let is_friendly = has(&["friendly", "good", "gets", "along", "sociable"]);
    Some(match words {
        _ if is_friendly && has(&["child", "children", "kid", "kids"]) => {
            Column::PetFriendlyWithChildren
        }
        _ if is_friendly && has(&["dog", "dogs"]) => Column::PetFriendlyWithDogs,
        _ if is_friendly && has(&["cat", "cats"]) => Column::PetFriendlyWithCats,
        _ if has(&["house", "potty", "toilet"]) && has(&["trained", "broken"]) => {
            Column::PetHouseTrained
        }
        _ if has(&["housetrained", "housebroken"]) => Column::PetHouseTrained,
        _ if has(&[
            "spayed",
            "neutered",
            "castrated",
            "desexed",
            "sterilized",
            "altered",
        ]) =>
        {
            Column::PetSpayedNeutered
        }
        _ if has(&["microchip", "microchipped", "microchips", "chip", "chipped"]) => {
            Column::PetMicrochipped
        }
        _ if has(&["adoption", "adopted"]) => Column::PetAdoptionDate,
        _ if has(&[
            "feeding",
            "feed",
            "food",
            "diet",
            "medication",
            "medications",
            "medicine",
            "medical",
            "allergies",
            "temperament",
        ]) =>
        {
            Column::PetAbout
        }
        _ => return None,
    })
}

/// Recognizes a column by a single word, whatever else its name says.
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
    } else if has(&NOTES) {
        Some(Column::InternalNotes)
    } else {
        None
    }
}

fn of_client(words: &[&str]) -> Option<Column> {
    let has = |some: &[&str]| words.iter().any(|it| some.contains(it));
    // `Phone 1 - Label` says which kind of number the next column has.
    let is_label = has(&["label", "type", "display"]);
    let is_contact = has(&[
        "email",
        "mail",
        "phone",
        "mobile",
        "telephone",
        "tel",
        "address",
    ]);
    Some(match words {
        _ if is_label && is_contact => return None,
        _ if has(&["assistants", "managers"]) => return None,
        ["name" | "client" | "customer" | "owner" | "contact"]
        | ["full", "name"]
        | ["display", "name"] => Column::Name,
        ["first" | "forename" | "firstname"] | ["first" | "given", "name"] => Column::FirstName,
        ["last" | "surname" | "lastname"] | ["last" | "family", "name"] => Column::LastName,
        ["zip" | "zipcode" | "postcode" | "plz"] => Column::Zip,
        _ if has(&["zip", "postal", "postcode"]) || words.ends_with(&["post", "code"]) => {
            Column::Zip
        }
        ["country"] => Column::Country,
        ["country", "region"] | ["address", "country"] | ["other", "country", ..] => {
            Column::Country
        }
        _ if has(&["city", "town", "suburb"]) => Column::City,
        _ if has(&["state", "province", "region", "county"]) => Column::State,
        ["pricing" | "price", "walk"] | ["walk", "price"] => Column::PricingWalk,
        ["pricing" | "price", "dropin"] | ["dropin", "price"] => Column::PricingDropin,
        _ if has(&["email", "mail"]) => Column::Email,
        _ if has(&["phone", "mobile", "cell", "telephone", "tel"]) => Column::Phone,
        _ if has(&["address", "street"]) => Column::Address,
        _ if has(&["house", "household"]) => Column::HouseInstructions,
        _ if has(&["instructions"]) && !has(&["care"]) => Column::InternalNotes,
        ["description"] => Column::InternalNotes,
        _ => return None,
    })
}

fn of_pet(words: &[&str]) -> Option<Column> {
    let has = |some: &[&str]| words.iter().any(|it| some.contains(it));
    Some(match words {
        ["name" | "names"] => Column::PetName,
        ["type" | "kind"] => Column::PetType,
        _ if has(&["species"]) => Column::PetType,
        _ if has(&["breed"]) => Column::PetBreed,
        _ if has(&["sex", "gender"]) => Column::PetSex,
        _ if has(&["birthday", "birth", "born", "birthdate", "dob"]) => Column::PetBirthday,
        _ if has(&["weight"]) => Column::PetWeight,
        _ if has(&["about", "care", "description"]) => Column::PetAbout,
        _ => return None,
    })
}

/// The column of a pet by words that alone would say less.
fn of_named_pet(words: &[&str]) -> Option<Column> {
    let has = |some: &[&str]| words.iter().any(|it| some.contains(it));
    if has(&["type", "kind"]) {
        Some(Column::PetType)
    } else if has(&["instructions"]) {
        Some(Column::PetAbout)
    } else {
        None
    }
}
