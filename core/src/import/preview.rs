//! Owns what would come of a file: its clients with their pets, who of them is known already, and what is wrong in which
//! cell, with what to do about it. Nothing is written here.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::column::{Column, Target};
use super::table::{ImportFault, Table, TableRow};
use crate::rows::client::Client;
use crate::rows::pet::Pet;
use crate::rules::client::{merge, merge_pet, valid};
use crate::values::bounds::{IMPORT_CLIENTS, PETS, text_error};
use crate::values::patch::Patch;
use crate::{Business, Date, Id, Instant};

/// What would come of a file.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preview {
    /// In the order of the file.
    pub clients: Vec<ImportedClient>,
    /// In the order of the clients.
    pub problems: Vec<Problem>,
}

/// A client of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportedClient {
    /// The numbers of its rows.
    pub rows: Vec<u32>,
    /// Its fields.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Client>"))]
    pub client: Patch,
    /// The fields of its pets.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Pet>[]"))]
    pub dogs: Vec<Patch>,
    /// The client that is there already, by e-mail, phone, or name and address.
    pub known: Option<Id>,
}

/// Something that keeps a client from being imported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Problem {
    /// The number of the row.
    pub row: u32,
    /// The place of the column, where it is one cell's.
    pub column: Option<u32>,
    /// What is wrong, and what to do.
    pub text: String,
}

/// A value with the cell that it is from.
struct Known {
    field: String,
    row: u32,
    column: u32,
}

/// A client while its rows are read.
#[derive(Default)]
struct Draft {
    rows: Vec<u32>,
    client: Map<String, Value>,
    dogs: Vec<Map<String, Value>>,
    cells: Vec<Known>,
    problems: Vec<Problem>,
}

/// What comes of the cells, where the columns are these.
///
/// # Errors
/// Where there are more clients than can be imported at once.
pub fn preview(
    table: &Table,
    columns: &[Option<Target>],
    business: &Business,
) -> Result<Preview, ImportFault> {
    let is_only = |target: &Option<Target>| columns.iter().filter(|it| *it == target).count() < 2;
    let is_only: Vec<bool> = columns.iter().map(is_only).collect();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for row in &table.rows {
        let draft = Draft::of(table, row, columns, &is_only);
        let keys = draft.keys();
        let former = if draft.client.is_empty() {
            // A row of a further pet may leave all that is the client's to the row before.
            drafts.len().checked_sub(1)
        } else {
            keys.iter().find_map(|it| places.get(it).copied())
        };
        let place = former.unwrap_or(drafts.len());
        for key in keys {
            places.entry(key).or_insert(place);
        }
        match drafts.get_mut(place) {
            Some(former) => former.take(draft),
            None if place < IMPORT_CLIENTS => drafts.push(draft),
            None => return Err(ImportFault::TooManyClients),
        }
    }
    let mut known = HashMap::new();
    for client in business.clients.values() {
        for key in keys(
            &client.row.name,
            &client.row.email,
            &client.row.phone,
            &client.row.address,
        ) {
            known.entry(key).or_insert(client.row.id);
        }
    }
    let mut preview = Preview::default();
    for draft in drafts {
        let [name, email, phone, address] =
            ["name", "email", "phone", "address"].map(|it| draft.text(it));
        let mut keys = keys(name, email, phone, address).into_iter();
        let known = keys.find_map(|it| known.get(&it).copied());
        let (client, problems) = draft.finish(known);
        preview.problems.extend(problems);
        preview.clients.push(client);
    }
    Ok(preview)
}

/// A text without what people write differently.
fn same(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// What somebody is known by.
fn keys(name: &str, email: &str, phone: &str, address: &str) -> Vec<String> {
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    // With the country's number or without it.
    let digits = digits
        .get(digits.len().saturating_sub(10)..)
        .unwrap_or_default();
    let mut keys = Vec::new();
    if !email.is_empty() {
        keys.push(["e", &same(email)].concat());
    }
    if !digits.is_empty() {
        keys.push(["p", digits].concat());
    }
    if !name.is_empty() && !address.is_empty() {
        keys.push(["n", &same(name), "\n", &same(address)].concat());
    }
    keys
}

impl Draft {
    fn of(table: &Table, row: &TableRow, columns: &[Option<Target>], is_only: &[bool]) -> Self {
        let mut draft = Self {
            rows: vec![row.number],
            ..Self::default()
        };
        let columns = columns.iter().zip(is_only);
        let cells = row.cells.iter().zip(columns).zip(&table.header).zip(0..);
        for (((cell, (target, is_only)), called), column) in cells {
            let (cell, Some(target)) = (cell.trim(), target) else {
                continue;
            };
            if cell.is_empty() {
                continue;
            }
            let said = match called.as_str() {
                "" => cell.to_owned(),
                _ if *is_only => cell.to_owned(),
                called => [called, ": ", cell].concat(),
            };
            if target.column.is_of_pet() {
                draft.set_of_pet(*target, cell, &said, row.number, column);
            } else {
                draft.set(target.column, cell, &said, called, (row.number, column));
            }
        }
        draft.finish_address();
        // What was left of pets without a name tells nothing by itself, and is asked for.
        draft.dogs.retain(|it| !it.is_empty());
        draft
    }

    fn text(&self, field: &str) -> &str {
        let value = self.client.get(field).and_then(Value::as_str);
        value.unwrap_or_default()
    }

    fn set(
        &mut self,
        column: Column,
        cell: &str,
        said: &str,
        called: &str,
        (row, place): (u32, u32),
    ) {
        let (field, between) = match column {
            Column::Name => ("name", " "),
            // Whatever comes first in the file, the last name is the last one.
            Column::FirstName if self.client.contains_key("name") => {
                let both = [cell, " ", self.text("name")].concat();
                self.client.insert("name".to_owned(), both.into());
                return;
            }
            Column::FirstName | Column::LastName => ("name", " "),
            Column::Email => ("email", ""),
            Column::Phone => ("phone", ""),
            Column::Address => ("address", ", "),
            Column::City => ("city", " "),
            Column::State => ("state", " "),
            Column::Zip => ("zip", " "),
            Column::AccessNotes => ("access_notes", "\n"),
            Column::EmergencyContact => ("emergency_contact", "\n"),
            Column::Vet => ("vet", "\n"),
            _ => ("house_instructions", "\n"),
        };
        let text = match column {
            Column::Phone => phone(cell),
            Column::Address => cell.replace('\n', ", "),
            Column::AccessNotes
            | Column::EmergencyContact
            | Column::Vet
            | Column::HouseInstructions => said.to_owned(),
            _ => cell.to_owned(),
        };
        let known = self.text(field);
        let text = match (known, between) {
            ("", _) => text,
            (known, _) if known == text => text,
            (_, "") => {
                // A client has one; nothing that somebody wrote is lost.
                let further = [called, ": ", cell].concat();
                self.set(
                    Column::HouseInstructions,
                    cell,
                    &further,
                    called,
                    (row, place),
                );
                return;
            }
            (known, between) => [known, between, &text].concat(),
        };
        self.client.insert(field.to_owned(), text.into());
        let field = match field {
            "city" | "state" | "zip" => "address",
            field => field,
        };
        self.note(field.to_owned(), row, place);
    }

    fn note(&mut self, field: String, row: u32, column: u32) {
        self.cells.push(Known { field, row, column });
    }

    fn finish_address(&mut self) {
        let mut part = |field: &str| {
            let value = self.client.remove(field);
            value.and_then(|it| it.as_str().map(str::to_owned))
        };
        let [address, city, state, zip] = ["address", "city", "state", "zip"].map(&mut part);
        let region: Vec<String> = [state, zip].into_iter().flatten().collect();
        let region = Some(region.join(" ")).filter(|it| !it.is_empty());
        let parts: Vec<String> = [address, city, region].into_iter().flatten().collect();
        if !parts.is_empty() {
            self.client
                .insert("address".to_owned(), parts.join(", ").into());
        }
    }

    /// The fields of a pet, which is made where there is none.
    fn dog(&mut self, pet: usize) -> Option<&mut Map<String, Value>> {
        let pet = pet.min(PETS);
        while self.dogs.len() <= pet {
            self.dogs.push(Map::new());
        }
        self.dogs.get_mut(pet)
    }

    fn set_of_pet(&mut self, target: Target, cell: &str, said: &str, row: u32, column: u32) {
        let first = usize::try_from(target.pet).unwrap_or_default();
        let names = match target.column {
            Column::PetName => several(cell),
            _ => vec![cell.to_owned()],
        };
        for (text, pet) in names.into_iter().zip(first..) {
            let (field, value) = match target.column {
                Column::PetName => ("name", Some(text.into())),
                Column::PetBreed => ("breed", Some(text.into())),
                Column::PetAbout => ("about", Some(said.into())),
                Column::PetType => ("pet_type", Some(pet_type(&text).into())),
                Column::PetSex => ("sex", sex(&text).map(Value::from)),
                Column::PetBirthday => ("birthday", date(&text).map(|it| it.to_string().into())),
                _ => ("weight", weight(&text).map(Value::from)),
            };
            let Some(value) = value else {
                let text = match target.column {
                    Column::PetBirthday => {
                        "This date cannot be read. Write it as 2020-05-31, or empty the cell."
                    }
                    Column::PetSex => "Write male or female, or empty the cell.",
                    _ => "Write the weight as a number of pounds, or empty the cell.",
                };
                self.problem(row, Some(column), text.to_owned());
                continue;
            };
            let Some(dog) = self.dog(pet) else {
                continue;
            };
            let known = dog.get(field).and_then(Value::as_str).map(str::to_owned);
            let value = match (known, field) {
                (Some(known), "about" | "breed") => [&known, "\n", said].concat().into(),
                _ => value,
            };
            dog.insert(field.to_owned(), value);
            self.note(format!("dogs.{pet}.{field}"), row, column);
        }
    }

    fn problem(&mut self, row: u32, column: Option<u32>, text: String) {
        self.problems.push(Problem { row, column, text });
    }

    /// By what another row of the same client is known: the name with e-mail or phone, or with nothing that differs.
    fn keys(&self) -> Vec<String> {
        let [name, email, phone, address] =
            ["name", "email", "phone", "address"].map(|it| same(self.text(it)));
        let mut keys = Vec::new();
        if name.is_empty() {
            return keys;
        }
        if !email.is_empty() {
            keys.push([&name, "\ne", &email].concat());
        }
        if !phone.is_empty() {
            keys.push([&name, "\np", &phone].concat());
        }
        keys.push([&name, "\n", &email, "\n", &phone, "\n", &address].concat());
        keys
    }

    /// Takes in a further row of the same client.
    fn take(&mut self, further: Self) {
        self.rows.extend(further.rows);
        self.problems.extend(further.problems);
        for (field, value) in further.client {
            self.client.entry(field).or_insert(value);
        }
        let n_dogs = self.dogs.len();
        for mut cell in further.cells {
            if let Some((pet, field)) = pet_of(&cell.field) {
                cell.field = format!("dogs.{}.{field}", n_dogs + pet);
            }
            self.cells.push(cell);
        }
        self.dogs.extend(further.dogs);
    }

    fn finish(mut self, known: Option<Id>) -> (ImportedClient, Vec<Problem>) {
        let id = Id::default();
        let client = Patch(std::mem::take(&mut self.client));
        let dogs: Vec<Patch> = std::mem::take(&mut self.dogs)
            .into_iter()
            .map(Patch)
            .collect();
        let first_row = self.rows.first().copied().unwrap_or_default();
        if PETS < dogs.len() {
            let what_to_do = "Take some out of the file, or leave this client out.";
            let text = format!("A client has at most {PETS} pets. {what_to_do}");
            self.problem(first_row, None, text);
        }
        let of_use = dogs.get(..PETS).unwrap_or(&dogs);
        let pets = of_use.iter().map(|it| merge_pet(it, &Pet::new(id, id)));
        let merged = merge(&client, &Client::new(id, Instant(0)));
        let mut errors: Vec<(String, String)> = Vec::new();
        if let Err(found) = valid(merged, pets.collect()) {
            errors.extend(found.0.into_iter().map(|it| (it.field, it.text)));
        }
        let of_pets = of_use.iter().zip(0..).flat_map(|(dog, place)| {
            let fields = dog.0.iter();
            fields.map(move |(field, value)| (format!("dogs.{place}.{field}"), field, value))
        });
        let of_client = client
            .0
            .iter()
            .map(|(field, value)| (field.clone(), field, value));
        for (place, field, value) in of_client.chain(of_pets) {
            let error = value.as_str().and_then(|it| text_error(field, it));
            errors.extend(error.map(|it| (place, it)));
        }
        for (field, text) in errors {
            let cell = self.cells.iter().find(|it| it.field == field);
            let place = cell.map(|it| (it.row, Some(it.column)));
            let (row, column) = place.unwrap_or((first_row, None));
            let what_to_do = match (field.as_str(), column) {
                ("dogs", _) => "Write the pet’s name, or leave this client out",
                ("name", Some(_)) => "Correct it, or leave this client out",
                (field, None) if field.ends_with("name") => "Write it, or leave this client out",
                (_, Some(_)) => "Correct it, or empty the cell",
                (_, None) => "Correct it, or leave this client out",
            };
            self.problem(row, column, format!("{text}. {what_to_do}."));
        }
        let rows = self.rows;
        (
            ImportedClient {
                rows,
                client,
                dogs,
                known,
            },
            self.problems,
        )
    }
}

/// `dogs.2.name` as 2 and `name`.
fn pet_of(field: &str) -> Option<(usize, String)> {
    let (pet, field) = field.strip_prefix("dogs.")?.split_once('.')?;
    Some((pet.parse().ok()?, field.to_owned()))
}

/// The names in a cell: `Rex, Luna & Biscuit`.
fn several(cell: &str) -> Vec<String> {
    let cell = cell.replace(" and ", ",");
    let names = cell.split([',', ';', '&', '\n', '/']).map(str::trim);
    names
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A phone's number as the form takes it: other programs write dots and slashes.
fn phone(cell: &str) -> String {
    let plain = |it: char| match it {
        '.' | '/' | '–' => '-',
        '\u{a0}' => ' ',
        it => it,
    };
    cell.chars().map(plain).collect()
}

fn pet_type(text: &str) -> &'static str {
    let text = text.to_lowercase();
    let is = |some: &[&str]| some.iter().any(|it| text.contains(it));
    if is(&["dog", "canine", "puppy", "pup"]) {
        "dog"
    } else if is(&["cat", "feline", "kitten"]) {
        "cat"
    } else {
        "other"
    }
}

fn sex(text: &str) -> Option<&'static str> {
    match text.to_lowercase().chars().next()? {
        'm' => Some("male"),
        'f' => Some("female"),
        'u' | '-' | 'n' => Some("unknown"),
        _ => None,
    }
}

/// `2020-05-31`, or as in the United States `5/31/2020`.
fn date(text: &str) -> Option<Date> {
    if let Ok(date) = text.parse() {
        return Some(date);
    }
    let mut parts = text.split(['/', '-', '.']).map(str::trim);
    let mut part = || parts.next()?.parse::<i16>().ok();
    let (month, day, year) = (part()?, part()?, part()?);
    let year = if year < 100 { 2000 + year } else { year };
    let small = |it: i16| i8::try_from(it).ok();
    Date::new(year, small(month)?, small(day)?)
}

/// In pounds, rounded to a tenth where it was in kilograms.
fn weight(text: &str) -> Option<f64> {
    let text = text.to_lowercase();
    let end = text.find(|it: char| !it.is_ascii_digit() && it != '.');
    let (number, unit) = text.split_at_checked(end.unwrap_or(text.len()))?;
    let number: f64 = number.parse().ok()?;
    match unit.trim().trim_end_matches('.') {
        "" | "lb" | "lbs" | "pounds" | "pound" | "#" => Some(number),
        "kg" | "kgs" | "kilograms" => Some(libm::round(number * 22.046_226) / 10.0),
        _ => None,
    }
}
