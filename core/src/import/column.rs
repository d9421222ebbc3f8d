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
    WalkRateHalfHour = "Price of a walk of 30 min",
    WalkRateThreeQuarters = "Price of a walk of 45 min",
    WalkRateHour = "Price of a walk of 60 min",
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
    PetVaccination = "Vaccination",
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

    /// Returns true if it takes any text, which clients see: what was for the sitter alone is put there only by an act.
    pub const fn is_shown_text(self) -> bool {
        matches!(self, Self::HouseInstructions | Self::PetAbout)
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
    /// True if it takes any text, which clients see.
    pub is_shown_text: bool,
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
        is_shown_text: column.is_shown_text(),
        label: match pet {
            0 => label.to_owned(),
            pet => format!("Pet {}: {label}", pet + 1),
        },
    }
}

/// Guesses the target of each column from its title and from the other columns. One that no field takes goes to the
/// internal notes, with its title; one that only repeats others, or is of use to the other program alone, is left out.
pub fn guess(header: &[String]) -> Vec<Option<Target>> {
    let called: Vec<Words> = header.iter().map(|it| Words::new(it)).collect();
    let mut targets = known_targets(&called);
    let has_street = |number: u32| {
        let mut others = called.iter();
        others.any(|it| it.number == Some(number) && it.has(&["street"]))
    };
    for (target, it) in targets.iter_mut().zip(&called) {
        let is_repeated = it.has(&["formatted"]) && it.number.is_none_or(&has_street);
        if target.is_none() && !it.is_technical() && !is_repeated {
            *target = Some(Target {
                column: Column::InternalNotes,
                pet: 0,
            });
        }
    }
    targets
}

/// Guesses the target of each column; none where no field takes it.
pub(super) fn recognized(header: &[String]) -> Vec<Option<Target>> {
    let called: Vec<Words> = header.iter().map(|it| Words::new(it)).collect();
    known_targets(&called)
}

fn known_targets(called: &[Words]) -> Vec<Option<Target>> {
    let mut targets: Vec<Option<Target>> = called.iter().map(Words::target).collect();
    if is_address_book(called, &targets) {
        // The birthday and the sex in an address book are a person's.
        for (target, called) in targets.iter_mut().zip(called) {
            let is_persons = |it: &Target| it.column.is_of_pet() && !called.is_of_pet;
            *target = target.filter(|it| !is_persons(it));
        }
    }
    name_pets_beside_clients(called, &mut targets);
    leave_out_whole_addresses(called, &mut targets);
    tell_billing_addresses(called, &mut targets);
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

/// Returns true if a column with this name has notes of the sitter, so that its cells need no name before them.
pub(super) fn is_of_notes(called: &str) -> bool {
    let target = Words::new(called).target();
    target.is_some_and(|it| it.column == Column::InternalNotes)
}

/// Returns true if cells of this column say little without its name: `5 years`.
pub(super) fn is_of_age(called: &str) -> bool {
    Words::new(called).has(&["age"])
}

/// Returns true for the columns of Google Contacts, Outlook or the like, where nothing is about a pet.
fn is_address_book(called: &[Words], targets: &[Option<Target>]) -> bool {
    const OF_PERSONS: [&str; 15] = [
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
        "prefix",
        "title",
        "labels",
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
        "zip",
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
        let called = apart(called).to_lowercase().replace(['\'', '’'], "");
        let called = in_english(&called);
        let mut words: Vec<&str> = called
            .split(|it: char| !it.is_alphanumeric())
            .flat_map(with_number_apart)
            .filter(|it| !it.is_empty())
            .collect();
        let number = words.iter().find_map(|it| it.parse::<u32>().ok());
        // The s of `Name(s)` and the e of `E-mail` tell nothing.
        words.retain(|it| {
            1 < it.chars().count() && it.parse::<u32>().is_err() && !ARTICLES.contains(it)
        });
        Self {
            is_of_pet: words.iter().any(|it| PETS.contains(it)),
            words: words.into_iter().map(str::to_owned).collect(),
            number,
        }
    }

    fn has(&self, some: &[&str]) -> bool {
        self.words.iter().any(|it| some.contains(&it.as_str()))
    }

    /// Returns true for a column that is of use to the other program alone: its own numbers and marks, and labels of the
    /// column beside it.
    fn is_technical(&self) -> bool {
        const OF_THE_PROGRAM: [&[&str]; 17] = [
            &["photo"],
            &["photo", "url"],
            &["picture"],
            &["sensitivity"],
            &["priority"],
            &["private"],
            &["initials"],
            &["file", "as"],
            &["directory", "server"],
            &["relationship", "type"],
            &["created", "at"],
            &["updated", "at"],
            &["created"],
            &["id"],
            &["client", "id"],
            &["customer", "id"],
            &["pet", "id"],
        ];
        let words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let labels_value = self.is_label() && self.has(&CONTACT);
        labels_value || OF_THE_PROGRAM.contains(&words.as_slice())
    }

    /// `Phone 1 - Label` says which kind of number the next column has.
    fn is_label(&self) -> bool {
        self.has(&["label", "type", "display"])
    }

    fn is_price(&self) -> bool {
        self.has(&["rate", "rates", "price", "pricing", "fee", "cost", "charge"])
    }

    /// The column of an agreed price.
    fn price(&self) -> Option<Column> {
        if !self.is_price() {
            return None;
        }
        let is_more_dogs = self.has(&["additional", "extra", "another"]) && self.is_of_pet;
        let is_dropin = self.has(&["dropin", "drop", "visit", "visits"]);
        Some(match self.number {
            // Its price is one of several ways to charge for them, which a person has to choose.
            _ if is_more_dogs => return None,
            _ if is_dropin => Column::PricingDropin,
            Some(30) => Column::WalkRateHalfHour,
            Some(45) => Column::WalkRateThreeQuarters,
            Some(60) => Column::WalkRateHour,
            None if self.has(&["hour", "hourly"]) => Column::WalkRateHour,
            None if self.has(&["walk", "walks", "walking"]) => Column::PricingWalk,
            _ => return None,
        })
    }

    fn target(&self) -> Option<Target> {
        let mut words: Vec<&str> = self.words.iter().map(String::as_str).collect();
        let known = { self.price() }
            .or_else(|| of_trait(&words))
            .or_else(|| of_anything(&words));
        let column = match known {
            Some(column) => column,
            None if self.is_price() => return None,
            None if self.is_of_pet => {
                words.retain(|it| !PETS.contains(it));
                let named = words.is_empty().then_some(Column::PetName);
                of_pet(&words).or_else(|| of_named_pet(&words)).or(named)?
            }
            None => {
                let is_whose = |it: &&str| WHOSE.contains(it);
                if words.iter().all(is_whose) {
                    // `Primary Contact`: the last one is the noun.
                    words = words.pop().into_iter().collect();
                } else {
                    words.retain(|it| !is_whose(it));
                }
                of_client(&words).or_else(|| of_pet(&words))?
            }
        };
        let number = self.number.filter(|it| *it <= PETS_IN_A_ROW);
        let pet = number.unwrap_or(1).saturating_sub(1);
        let pet = pet.min(PETS_IN_A_ROW - 1);
        Some(Target {
            column,
            pet: if column.is_of_pet() { pet } else { 0 },
        })
    }
}

/// Words of other languages, in small letters, with what they are in English: German, French, Spanish, Italian, Dutch,
/// Portuguese, Swedish, Norwegian and Danish. Those of several words come before those that are a part of them.
const FOREIGN: &[(&str, &str)] = &[
    ("zweiter vorname", "middle name"),
    ("weitere vornamen", "middle name"),
    ("speichern unter", "file as"),
    ("name der organisation", "organization"),
    ("titel der organisation", "organization title"),
    ("angezeigter name", "display name"),
    ("deuxième prénom", "middle name"),
    ("nom de famille", "last name"),
    ("second prénom", "middle name"),
    ("date de naissance", "birthday"),
    ("segundo nombre", "middle name"),
    ("fecha de nacimiento", "birthday"),
    ("correo electrónico", "email"),
    ("data di nascita", "birthday"),
    ("data de nascimento", "birthday"),
    ("secondo nome", "middle name"),
    ("tweede naam", "middle name"),
    ("adresse de messagerie", "email address"),
    ("adresse e-mail", "email"),
    ("numéro de téléphone", "phone"),
    ("numero di telefono", "phone"),
    ("número de teléfono", "phone"),
    ("contact d urgence", "emergency contact"),
    ("en cas d urgence", "emergency"),
    ("vorname", "first name"),
    ("nachname", "last name"),
    ("familienname", "last name"),
    ("kunde", "client"),
    ("kundin", "client"),
    ("kunden", "client"),
    ("kundenname", "client name"),
    ("besitzer", "owner"),
    ("halter", "owner"),
    ("tierhalter", "owner"),
    ("telefon", "phone"),
    ("telefonnummer", "phone"),
    ("handy", "mobile"),
    ("handynummer", "mobile"),
    ("mobiltelefon", "mobile phone"),
    ("mobil", "mobile"),
    ("festnetz", "phone"),
    ("straße", "street"),
    ("strasse", "street"),
    ("anschrift", "address"),
    ("adresse", "address"),
    ("adressen", "address"),
    ("plz", "zip"),
    ("postleitzahl", "zip"),
    ("ort", "city"),
    ("wohnort", "city"),
    ("stadt", "city"),
    ("land", "country"),
    ("bundesland", "state"),
    ("geschäftlich", "business"),
    ("privat", "home"),
    ("weitere", "other"),
    ("hund", "dog"),
    ("hunde", "dogs"),
    ("hundename", "dog name"),
    ("katze", "cat"),
    ("katzen", "cats"),
    ("tiere", "pets"),
    ("haustier", "pet"),
    ("haustiere", "pets"),
    ("tiername", "pet name"),
    ("tierart", "species"),
    ("tierarzt", "vet"),
    ("tierärztin", "vet"),
    ("rasse", "breed"),
    ("geburtstag", "birthday"),
    ("geburtsdatum", "birthday"),
    ("geboren", "born"),
    ("alter", "age"),
    ("gewicht", "weight"),
    ("geschlecht", "sex"),
    ("kastriert", "neutered"),
    ("kastration", "neutered"),
    ("chipnummer", "microchip"),
    ("mikrochip", "microchip"),
    ("chipnr", "microchip"),
    ("futter", "food"),
    ("fütterung", "feeding"),
    ("medikamente", "medication"),
    ("allergien", "allergies"),
    ("impfung", "vaccination"),
    ("impfungen", "vaccinations"),
    ("notizen", "notes"),
    ("notiz", "notes"),
    ("bemerkung", "notes"),
    ("bemerkungen", "notes"),
    ("anmerkung", "notes"),
    ("anmerkungen", "notes"),
    ("schlüssel", "key"),
    ("notfall", "emergency"),
    ("notfallkontakt", "emergency contact"),
    ("preis", "price"),
    ("zusätzlich", "additional"),
    ("minuten", "minutes"),
    ("wert", "value"),
    ("formatiert", "formatted"),
    ("typ", "type"),
    ("foto", "photo"),
    ("initialen", "initials"),
    ("priorität", "priority"),
    ("vertraulichkeit", "sensitivity"),
    ("namenspräfix", "prefix"),
    ("namenssuffix", "suffix"),
    ("spitzname", "nickname"),
    ("firma", "company"),
    ("abteilung", "department"),
    ("jahrestag", "anniversary"),
    ("anrede", "title"),
    ("phonetischer", "phonetic"),
    ("prénom", "first name"),
    ("nom", "name"),
    ("surnom", "nickname"),
    ("propriétaire", "owner"),
    ("téléphone", "phone"),
    ("tél", "phone"),
    ("portable", "mobile"),
    ("courriel", "email"),
    ("mél", "email"),
    ("rue", "street"),
    ("ville", "city"),
    ("pays", "country"),
    ("domicile", "home"),
    ("domicilio", "home"),
    ("lanimal", "pet"),
    ("bureau", "business"),
    ("société", "company"),
    ("titre", "title"),
    ("suffixe", "suffix"),
    ("chien", "dog"),
    ("chiens", "dogs"),
    ("chat", "cat"),
    ("chats", "cats"),
    ("animal", "pet"),
    ("animaux", "pets"),
    ("race", "breed"),
    ("espèce", "species"),
    ("naissance", "birth"),
    ("anniversaire", "birthday"),
    ("poids", "weight"),
    ("sexe", "sex"),
    ("stérilisé", "neutered"),
    ("puce", "microchip"),
    ("vétérinaire", "vet"),
    ("clé", "key"),
    ("clés", "key"),
    ("clef", "key"),
    ("remarques", "notes"),
    ("commentaires", "notes"),
    ("libellé", "label"),
    ("libellés", "labels"),
    ("valeur", "value"),
    ("prix", "price"),
    ("tarif", "rate"),
    ("nombre", "name"),
    ("apellido", "last name"),
    ("apellidos", "last name"),
    ("cliente", "client"),
    ("dueño", "owner"),
    ("propietario", "owner"),
    ("teléfono", "phone"),
    ("móvil", "mobile"),
    ("celular", "mobile"),
    ("correo", "email"),
    ("dirección", "address"),
    ("calle", "street"),
    ("ciudad", "city"),
    ("código", "code"),
    ("país", "country"),
    ("provincia", "province"),
    ("particular", "home"),
    ("trabajo", "business"),
    ("organización", "organization"),
    ("tratamiento", "title"),
    ("sufijo", "suffix"),
    ("perro", "dog"),
    ("perros", "dogs"),
    ("gato", "cat"),
    ("gatos", "cats"),
    ("mascota", "pet"),
    ("mascotas", "pets"),
    ("raza", "breed"),
    ("especie", "species"),
    ("cumpleaños", "birthday"),
    ("nacimiento", "birth"),
    ("peso", "weight"),
    ("sexo", "sex"),
    ("esterilizado", "neutered"),
    ("castrado", "neutered"),
    ("veterinario", "vet"),
    ("llave", "key"),
    ("llaves", "key"),
    ("notas", "notes"),
    ("comentarios", "notes"),
    ("observaciones", "notes"),
    ("etiqueta", "label"),
    ("etiquetas", "labels"),
    ("valor", "value"),
    ("precio", "price"),
    ("nome", "name"),
    ("cognome", "last name"),
    ("proprietario", "owner"),
    ("telefono", "phone"),
    ("cellulare", "mobile"),
    ("indirizzo", "address"),
    ("città", "city"),
    ("cap", "zip"),
    ("paese", "country"),
    ("cane", "dog"),
    ("cani", "dogs"),
    ("gatto", "cat"),
    ("animale", "pet"),
    ("animali", "pets"),
    ("razza", "breed"),
    ("nascita", "birth"),
    ("compleanno", "birthday"),
    ("sesso", "sex"),
    ("chiave", "key"),
    ("chiavi", "key"),
    ("sterilizzato", "neutered"),
    ("prezzo", "price"),
    ("etichetta", "label"),
    ("valore", "value"),
    ("naam", "name"),
    ("voornaam", "first name"),
    ("achternaam", "last name"),
    ("klant", "client"),
    ("eigenaar", "owner"),
    ("telefoon", "phone"),
    ("telefoonnummer", "phone"),
    ("mobiel", "mobile"),
    ("adres", "address"),
    ("straat", "street"),
    ("plaats", "city"),
    ("woonplaats", "city"),
    ("hond", "dog"),
    ("honden", "dogs"),
    ("kat", "cat"),
    ("katten", "cats"),
    ("huisdier", "pet"),
    ("ras", "breed"),
    ("geboortedatum", "birthday"),
    ("geslacht", "sex"),
    ("dierenarts", "vet"),
    ("sleutel", "key"),
    ("opmerkingen", "notes"),
    ("opmerking", "notes"),
    ("prijs", "price"),
    ("apelido", "last name"),
    ("sobrenome", "last name"),
    ("telefone", "phone"),
    ("telemóvel", "mobile"),
    ("endereço", "address"),
    ("morada", "address"),
    ("rua", "street"),
    ("cidade", "city"),
    ("cachorro", "dog"),
    ("cão", "dog"),
    ("raça", "breed"),
    ("nascimento", "birth"),
    ("chave", "key"),
    ("observações", "notes"),
    ("preço", "price"),
    ("namn", "name"),
    ("navn", "name"),
    ("förnamn", "first name"),
    ("fornavn", "first name"),
    ("efternamn", "last name"),
    ("etternavn", "last name"),
    ("efternavn", "last name"),
    ("kund", "client"),
    ("ägare", "owner"),
    ("eier", "owner"),
    ("ejer", "owner"),
    ("mobilnummer", "mobile"),
    ("epost", "email"),
    ("adress", "address"),
    ("gatuadress", "street"),
    ("postnummer", "zip"),
    ("postnr", "zip"),
    ("poststed", "city"),
    ("djur", "pet"),
    ("husdjur", "pet"),
    ("kjæledyr", "pet"),
    ("kæledyr", "pet"),
    ("hundens", "dog"),
    ("född", "born"),
    ("født", "born"),
    ("övrigt", "notes"),
    ("födelsedatum", "birthday"),
    ("fødselsdato", "birthday"),
    ("vikt", "weight"),
    ("vekt", "weight"),
    ("vægt", "weight"),
    ("kön", "sex"),
    ("kjønn", "sex"),
    ("køn", "sex"),
    ("rase", "breed"),
    ("veterinär", "vet"),
    ("veterinær", "vet"),
    ("dyrlege", "vet"),
    ("dyrlæge", "vet"),
    ("nyckel", "key"),
    ("nøkkel", "key"),
    ("nøgle", "key"),
    ("anteckningar", "notes"),
    ("notater", "notes"),
    ("noter", "notes"),
    ("pris", "price"),
];

/// The name of a column with the words that are known from other languages in English.
fn in_english(called: &str) -> String {
    let mut called = called.to_owned();
    for (foreign, english) in FOREIGN.iter().filter(|(it, _)| it.contains(' ')) {
        if called.contains(foreign) {
            called = called.replace(foreign, english);
        }
    }
    let mut english = String::with_capacity(called.len());
    for part in called.split_inclusive(|it: char| !it.is_alphanumeric()) {
        let word = part.trim_end_matches(|it: char| !it.is_alphanumeric());
        let known = FOREIGN.iter().find(|(it, _)| *it == word);
        english.push_str(known.map_or(word, |(_, it)| *it));
        english.push_str(part.get(word.len()..).unwrap_or_default());
    }
    english
}

/// `PetBreed` as `Pet Breed`.
fn apart(called: &str) -> String {
    let mut words = String::with_capacity(called.len());
    let mut before = ' ';
    for letter in called.chars() {
        if before.is_lowercase() && letter.is_uppercase() {
            words.push(' ');
        }
        words.push(letter);
        before = letter;
    }
    words
}

/// `pet2` as `pet` and `2`, and `30min` as `30` and `min`.
fn with_number_apart(word: &str) -> [&str; 2] {
    let is_digit = |it: char| it.is_ascii_digit();
    let before = word.trim_end_matches(is_digit).len();
    let after = word.len() - word.trim_start_matches(is_digit).len();
    let apart = match (before, after) {
        (0, _) | (_, 0) if before == 0 || before == word.len() => None,
        (_, 0) => word.split_at_checked(before),
        _ => word.split_at_checked(after),
    };
    apart.map_or([word, ""], |(first, rest)| [first, rest])
}

/// Words that tell nothing of a column.
const ARTICLES: [&str; 16] = [
    "of", "the", "de", "du", "des", "del", "la", "le", "les", "el", "di", "da", "do", "der", "die",
    "van",
];

const PETS: [&str; 14] = [
    "pet", "pets", "dog", "dogs", "cat", "cats", "animal", "animals", "patient", "patients",
    "petname", "petnames", "puppy", "kitten",
];

/// Words of columns that say how a person is reached.
const CONTACT: [&str; 7] = [
    "email",
    "mail",
    "phone",
    "mobile",
    "telephone",
    "tel",
    "address",
];

/// Words that can stand before the name of a column about a client.
const WHOSE: [&str; 15] = [
    "client", "clients", "customer", "owner", "owners", "parent", "parents", "contact", "primary",
    "main", "home", "billing", "business", "service", "human",
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
            "neutering",
            "spay",
            "neuter",
            "sterilised",
            "sterilized",
            "altered",
        ]) =>
        {
            Column::PetSpayedNeutered
        }
        _ if has(&["microchip", "microchipped", "microchips", "chip", "chipped"]) => {
            Column::PetMicrochipped
        }
        _ if has(&["adoption", "adopted", "gotcha"]) => Column::PetAdoptionDate,
        _ if has(&[
            "vaccination",
            "vaccinations",
            "vaccine",
            "vaccines",
            "vaccinated",
            "rabies",
            "dhpp",
            "dapp",
            "distemper",
            "bordetella",
            "parvo",
            "fvrcp",
            "lepto",
            "leptospirosis",
            "shots",
        ]) =>
        {
            Column::PetVaccination
        }
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
            "allergy",
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
    let is_label = has(&["label", "type", "display"]);
    Some(match words {
        _ if is_label && has(&CONTACT) => return None,
        _ if has(&[
            "assistants",
            "managers",
            "middle",
            "phonetic",
            "yomi",
            "nickname",
            "fax",
        ]) =>
        {
            return None;
        }
        ["name" | "client" | "customer" | "owner" | "contact"]
        | ["full", "name"]
        | ["display", "name"]
        | ["name", "last", "first"]
        | ["last", "first"] => Column::Name,
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
        _ if has(&["email", "mail"]) => Column::Email,
        _ if has(&["phone", "mobile", "cell", "telephone", "tel"]) => Column::Phone,
        _ if has(&["address", "street"]) => Column::Address,
        ["apt" | "apartment" | "unit" | "suite"] => Column::Address,
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
        ["type" | "kind" | "types"] => Column::PetType,
        _ if has(&["species"]) => Column::PetType,
        _ if has(&["breed", "breeds"]) => Column::PetBreed,
        _ if has(&["sex", "gender"]) => Column::PetSex,
        _ if has(&["birthday", "birth", "born", "birthdate", "dob"]) => Column::PetBirthday,
        _ if has(&["weight"]) => Column::PetWeight,
        _ if has(&["about", "care", "description", "age"]) => Column::PetAbout,
        _ => return None,
    })
}

/// The column of a pet by words that alone would say less.
fn of_named_pet(words: &[&str]) -> Option<Column> {
    let has = |some: &[&str]| words.iter().any(|it| some.contains(it));
    if has(&["type", "types", "kind"]) {
        Some(Column::PetType)
    } else if has(&["instructions"]) {
        Some(Column::PetAbout)
    } else {
        None
    }
}
