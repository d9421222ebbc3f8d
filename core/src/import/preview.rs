//! Owns what would come of a file: its clients with their pets, who of them is known already, and what is wrong in which
//! cell, with what to do about it. Nothing is written here.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Serialize;
use serde_json::{Map, Value};

use super::cell::{
    DateOrder, Dates, PetNames, Phones, date, date_problem, emails, has_open_quote, is_no_date,
    is_rough_age, past_date, pet_type, price, says_none, sex, trait_answer, type_behind_name,
    weight,
};
use super::column::{Column, Target, address_rank, is_of_age, is_of_notes};
use super::table::{ImportFault, Table, TableRow};
use super::vcard::joined;
use crate::rows::client::Client;
use crate::rows::pet::Pet;
use crate::rules::client::{PetsNeeded, merge, merge_pet, valid};
use crate::values::bounds::{
    IMPORT_CLIENTS, IMPORT_FILE_PETS, IMPORT_JSON_BYTES, IMPORT_PETS, PETS, text_error,
};
use crate::values::format;
use crate::values::json::read_by_field;
use crate::values::patch::Patch;
use crate::{Business, Date, Id, Instant};

/// Result of importing a file, before anything is written.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Preview {
    /// Clients in the order of the file.
    pub clients: Vec<ImportedClient>,
    /// Number of clients that are imported.
    pub n_clients: u32,
    /// Number of pets that those clients have together.
    pub n_dogs: u32,
    /// Number of clients that a problem keeps from being imported.
    pub n_wrong: u32,
    /// Number of clients that are left out because they are known.
    pub n_known: u32,
    /// Number of clients that are imported without a pet: drafts, for which nothing can be booked until one is named.
    pub n_drafts: u32,
    /// Sentences on readings that could have been others, such as the order of dates.
    pub notices: Vec<String>,
    /// Columns of which something has no field, in the file's order.
    pub kept: Vec<KeptColumn>,
    /// Columns whose dates can be read in two ways, where nothing in the file tells which one is meant.
    pub dates: Vec<DateQuestion>,
    /// Numbers of clients that come as one change each, in their order: all that are ready.
    pub pieces: Vec<u32>,
}

/// A column of which something has no field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeptColumn {
    /// Place of the column.
    pub column: u32,
    /// Name of the column.
    pub name: String,
    /// True if its cells are left out; else they go to the client's internal notes.
    pub is_left_out: bool,
    /// Some of the texts, at most three.
    pub examples: Vec<String>,
}

/// A question how the dates of a column are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DateQuestion {
    /// Place of the column.
    pub column: u32,
    /// Name of the column.
    pub name: String,
    /// A date as it stands in the file.
    pub example: String,
    /// The date with the day first.
    pub day_first: Date,
    /// The date with the month first.
    pub month_first: Date,
    /// The answer; none until somebody has given one.
    pub is_day_first: Option<bool>,
}

/// An answer how the dates of a column are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DateAnswer {
    /// Place of the column.
    pub column: u32,
    /// True for `31/5/2020`.
    pub is_day_first: bool,
}

read_by_field!(DateAnswer {
    column,
    is_day_first
});

/// A client of a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportedClient {
    /// The numbers of its rows; the first one names it.
    pub rows: Vec<u32>,
    /// Fields of the client.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Client>"))]
    pub client: Patch,
    /// The fields of its pets.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Partial<Pet>[]"))]
    pub dogs: Vec<Patch>,
    /// The client that is there already, by e-mail, phone, or name and address.
    pub known: Option<Id>,
    /// Sentence on pets of the file that the known client does not have; empty where there are none.
    pub new_pets: String,
    /// Decision on the client: imported, or the reason for which it is not.
    pub state: ImportState,
    /// Problems that keep it from being imported.
    pub problems: Vec<Problem>,
}

/// Decision on a client of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ImportState {
    /// The client is imported.
    Ready,
    /// A problem keeps it from being imported.
    Wrong,
    /// The client exists already and so is left out, unless somebody chooses it.
    Known,
    /// Somebody has left it out.
    LeftOut,
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
    /// Description of the problem, and what to do about it.
    pub text: String,
}

/// A client that is there already, by what it is known again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct KnownClient {
    /// Id of the client.
    pub id: Id,
    /// Full name of the client.
    pub name: String,
    /// E-mail of the client; may be empty.
    pub email: String,
    /// Phone number of the client; may be empty.
    pub phone: String,
    /// Address of the client; may be empty.
    pub address: String,
    /// Names of its pets.
    pub pets: Vec<String>,
}

read_by_field!(KnownClient {
    id,
    name,
    email,
    phone,
    address,
    pets
});

impl KnownClient {
    /// Says which of a file's pets this client does not have, and what to do about it; empty where it has all of them.
    fn new_pets(&self, dogs: &[Patch]) -> String {
        let names = dogs.iter().filter_map(|it| it.0.get("name")?.as_str());
        let is_known = |name: &str| {
            let mut there = self.pets.iter();
            there.any(|it| it.trim().to_lowercase() == name.trim().to_lowercase())
        };
        let mut seen = BTreeSet::new();
        let names = names.filter(|it| !is_known(it) && seen.insert(it.trim().to_lowercase()));
        let names: Vec<String> = names.map(str::to_owned).collect();
        match names.len() {
            0 => String::new(),
            1 => format!(
                "{} is not here yet. Add this pet on the client’s page.",
                format::names(&names)
            ),
            _ => format!(
                "{} are not here yet. Add these pets on the client’s page.",
                format::names(&names)
            ),
        }
    }
}

/// The clients that are there already.
pub fn known_clients(business: &Business) -> Vec<KnownClient> {
    let pets = business.pets_by_client();
    let clients = business.clients.values().map(|it| &it.row);
    let known = clients.map(|it| KnownClient {
        id: it.id,
        name: it.name.clone(),
        email: it.email.clone(),
        phone: it.phone.clone(),
        address: it.address.clone(),
        pets: pets.of(it.id).iter().map(|it| it.name.clone()).collect(),
    });
    known.collect()
}

/// Choices of a person among the clients of a file, by the numbers of their first rows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ImportChoice {
    /// Clients to be imported although they are known.
    pub added: Vec<u32>,
    /// Clients not to be imported.
    pub left_out: Vec<u32>,
    /// Answers how dates are read.
    #[serde(default)]
    pub dates: Vec<DateAnswer>,
}

read_by_field!(ImportChoice { added, left_out } or default { dates });

/// A value with the cell that it is from.
struct Known {
    /// Index of the pet, if the value is of one.
    pet: Option<usize>,
    field: &'static str,
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
    /// Texts of fields that a client has once for all pets.
    said: Vec<Said>,
    /// Index in `said` by field and text.
    places: HashMap<(&'static str, String), usize>,
    /// Texts of a row that no field takes, by column.
    kept: Vec<(u32, String)>,
}

/// A text for such a field, with the names of the pets in whose rows it stands.
struct Said {
    field: &'static str,
    pets: Vec<String>,
    text: String,
}

/// Fields that keep the texts of all rows.
const JOINED: [&str; 5] = [
    "access_notes",
    "internal_notes",
    "emergency_contact",
    "vet",
    "house_instructions",
];

/// Fields with one value, and the label under which the other value of a further row goes into the notes.
const FURTHER: [(&str, &str); 9] = [
    ("billing_address", "Billing address"),
    ("email", "Email"),
    ("phone", "Phone"),
    ("address", "Address"),
    ("pricing_walk", "Price of a walk"),
    ("pricing_dropin", "Price of a drop-in"),
    ("walk_rate_30min", "Price of a walk of 30 min"),
    ("walk_rate_45min", "Price of a walk of 45 min"),
    ("walk_rate_60min", "Price of a walk of 60 min"),
];

/// Reads the clients of a table whose columns have these meanings; nobody is born after `today`.
///
/// # Errors
/// Refuses more pets than can be imported from one file.
pub fn preview(
    table: &Table,
    columns: &[Option<Target>],
    known: &[KnownClient],
    choice: &ImportChoice,
    today: Date,
) -> Result<Preview, ImportFault> {
    let columns = Columns::of(table, columns, choice, today);
    let mut notices: Vec<String> = columns.notice().into_iter().collect();
    let mut drafts: Vec<Draft> = Vec::new();
    let mut examples: HashMap<u32, Vec<String>> = HashMap::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for row in &table.rows {
        if let Some(text) = columns.sum_line(row) {
            notices.push(format!(
                "Row {}, “{text}”, is no client and is left out.",
                row.number
            ));
            continue;
        }
        let mut draft = Draft::of(row, &columns);
        for (column, text) in std::mem::take(&mut draft.kept) {
            note_example(examples.entry(column).or_default(), &text);
        }
        let keys = draft.keys();
        let mut person = ["name", "email", "phone", "address"].iter();
        let former = if person.all(|it| draft.text(it).is_empty()) {
            // A row of a further pet may leave who the client is to the row before.
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
            None => drafts.push(draft),
        }
    }
    let mut ids = HashMap::new();
    for it in known {
        for key in keys(&it.name, &it.email, &it.phone, &it.address) {
            ids.entry(key).or_insert(it);
        }
    }
    let mut preview = Preview {
        notices,
        kept: kept_columns(table, &columns, examples),
        dates: columns.questions(),
        ..Preview::default()
    };
    for draft in drafts {
        let [name, email, phone, address] =
            ["name", "email", "phone", "address"].map(|it| draft.text(it));
        let mut keys = keys(name, email, phone, address).into_iter();
        let known = keys.find_map(|it| ids.get(&it).copied());
        preview.add(draft.finish(&columns, known, choice));
    }
    let n_dogs: usize = preview.clients.iter().map(|it| it.dogs.len()).sum();
    if IMPORT_FILE_PETS < n_dogs {
        return Err(ImportFault::FarTooManyPets);
    }
    preview.pieces = pieces(&preview.clients);
    Ok(preview)
}

/// Most examples of what a column has.
const EXAMPLES: usize = 3;

fn note_example(examples: &mut Vec<String>, text: &str) {
    let is_new = !text.is_empty() && examples.iter().all(|it| it != text);
    if is_new && examples.len() < EXAMPLES {
        examples.push(text.to_owned());
    }
}

/// The columns of which something has no field, with some of it; `kept` has that of columns that are not left out.
fn kept_columns(
    table: &Table,
    columns: &Columns,
    mut kept: HashMap<u32, Vec<String>>,
) -> Vec<KeptColumn> {
    let mut found: Vec<KeptColumn> = Vec::new();
    for (name, place) in table.header.iter().zip(0_u32..) {
        let index = usize::try_from(place).unwrap_or_default();
        let is_left_out = columns.targets.get(index).copied().flatten().is_none();
        let mut examples = kept.remove(&place).unwrap_or_default();
        if is_left_out {
            for cell in table.rows.iter().filter_map(|it| it.cells.get(index)) {
                note_example(&mut examples, cell.trim());
            }
        }
        if !examples.is_empty() {
            found.push(KeptColumn {
                column: place,
                name: name.clone(),
                is_left_out,
                examples,
            });
        }
    }
    found
}

/// Bytes of an id and what stands around it in JSON, with room to spare.
const ID_BYTES: usize = 100;

/// Numbers of the ready clients that come as one change each.
fn pieces(clients: &[ImportedClient]) -> Vec<u32> {
    let mut pieces: Vec<u32> = Vec::new();
    let (mut n, mut n_dogs, mut n_bytes) = (0_usize, 0_usize, 0_usize);
    for client in clients.iter().filter(|it| it.state == ImportState::Ready) {
        let written = |it: &Patch| ID_BYTES + serde_json::to_string(it).map_or(0, |it| it.len());
        let bytes = written(&client.client) + client.dogs.iter().map(written).sum::<usize>();
        let is_full = IMPORT_CLIENTS <= n
            || IMPORT_PETS < n_dogs + client.dogs.len()
            || IMPORT_JSON_BYTES < ID_BYTES + n_bytes + bytes;
        if is_full && 0 < n {
            pieces.push(u32::try_from(n).unwrap_or_default());
            (n, n_dogs, n_bytes) = (0, 0, 0);
        }
        n += 1;
        n_dogs += client.dogs.len();
        n_bytes += bytes;
    }
    if 0 < n {
        pieces.push(u32::try_from(n).unwrap_or_default());
    }
    pieces
}

impl Preview {
    fn add(&mut self, client: ImportedClient) {
        match client.state {
            ImportState::Ready => {
                self.n_clients += 1;
                self.n_dogs += u32::try_from(client.dogs.len()).unwrap_or_default();
                self.n_drafts += u32::from(client.dogs.is_empty());
            }
            ImportState::Wrong => self.n_wrong += 1,
            ImportState::Known => self.n_known += 1,
            ImportState::LeftOut => {}
        }
        self.clients.push(client);
    }
}

/// Columns of a table with their meanings, and what is worked out once for all rows.
struct Columns<'a> {
    header: &'a [String],
    targets: &'a [Option<Target>],
    /// For each column, true if no other has the same meaning.
    is_only: Vec<bool>,
    /// `address_rank` of the columns of addresses.
    address_ranks: Vec<Option<u32>>,
    pet_names: PetNames,
    dates: Dates,
    answers: &'a [DateAnswer],
    today: Date,
}

impl<'a> Columns<'a> {
    fn of(
        table: &'a Table,
        targets: &'a [Option<Target>],
        choice: &'a ImportChoice,
        today: Date,
    ) -> Self {
        // What no field takes has its column's name before it; notes of the sitter have it only beside other notes.
        let named: Vec<bool> = { table.header.iter().zip(targets) }
            .map(|(called, target)| {
                let column = target.map(|it| it.column);
                match column {
                    Some(Column::InternalNotes) => !is_of_notes(called),
                    Some(Column::PetVaccination) => true,
                    Some(Column::PetAbout) => is_of_age(called),
                    _ => false,
                }
            })
            .collect();
        let is_only = |(place, target): (usize, &Option<Target>)| {
            let is_named = |it: usize| named.get(it).copied().unwrap_or_default();
            let same = targets.iter().enumerate();
            let same = same.filter(|(other, it)| *it == target && !is_named(*other));
            !is_named(place) && same.count() < 2
        };
        let is_of_address = |it: Target| {
            matches!(
                it.column,
                Column::Address | Column::City | Column::State | Column::Zip | Column::Country
            )
        };
        let ranks = targets.iter().zip(&table.header);
        let ranks = ranks.map(|(it, called)| {
            let is_part = it.is_some_and(is_of_address);
            is_part.then(|| address_rank(called))
        });
        let is_date = |place: usize| {
            let target = targets.get(place).copied().flatten();
            target.is_some_and(|it| {
                matches!(it.column, Column::PetBirthday | Column::PetAdoptionDate)
            })
        };
        Self {
            header: &table.header,
            targets,
            is_only: targets.iter().enumerate().map(is_only).collect(),
            address_ranks: ranks.collect(),
            pet_names: PetNames::of(&table.header),
            dates: Dates::of(table.cells_of(is_date)),
            answers: &choice.dates,
            today,
        }
    }

    /// The order of the dates of a column: as somebody has answered, or as the file tells.
    fn order(&self, column: u32) -> DateOrder {
        let is_asked = self.dates.unclear().iter().any(|it| it.0 == column);
        let answer = self
            .answers
            .iter()
            .find(|it| is_asked && it.column == column);
        match answer.map(|it| it.is_day_first) {
            Some(true) => DateOrder::DayFirst,
            Some(false) => DateOrder::MonthFirst,
            None => self.dates.order,
        }
    }

    /// A sentence that names the order of the dates, unless all that depends on it was asked.
    fn notice(&self) -> Option<String> {
        let is_answered = |column: u32| self.answers.iter().any(|it| it.column == column);
        let unclear = self.dates.unclear();
        let is_asked = !unclear.is_empty() && unclear.iter().all(|it| is_answered(it.0));
        if is_asked {
            return None;
        }
        self.dates.notice()
    }

    fn questions(&self) -> Vec<DateQuestion> {
        let unclear = self.dates.unclear().iter();
        let question = |(column, example): &(u32, String)| {
            let index = usize::try_from(*column).unwrap_or_default();
            let answer = self.answers.iter().find(|it| it.column == *column);
            Some(DateQuestion {
                column: *column,
                name: self.header.get(index).cloned().unwrap_or_default(),
                example: example.clone(),
                day_first: date(example, DateOrder::DayFirst)?,
                month_first: date(example, DateOrder::MonthFirst)?,
                is_day_first: answer.map(|it| it.is_day_first),
            })
        };
        unclear.filter_map(question).collect()
    }

    /// The text of a row that is no client: the only cell of one that sums the others up, as `Total: 12`, and the first cell
    /// of one that repeats the header, as at the top of a page.
    fn sum_line<'b>(&self, row: &'b TableRow) -> Option<&'b str> {
        const BEGINNINGS: [&str; 8] = [
            "total",
            "count",
            "sum ",
            "summe",
            "printed",
            "exported",
            "generated",
            "end of ",
        ];
        let mut said = { row.cells.iter() }
            .zip(self.header)
            .filter(|(it, _)| !it.is_empty());
        if 1 < said.clone().count() && said.all(|(it, name)| it == name) {
            let mut cells = row.cells.iter().map(String::as_str);
            return cells.find(|it| !it.is_empty());
        }
        let mut cells = row
            .cells
            .iter()
            .map(|it| it.trim())
            .filter(|it| !it.is_empty());
        let (only, other) = (cells.next()?, cells.next());
        let text = only.to_lowercase();
        let is_sum = BEGINNINGS.iter().any(|it| text.starts_with(it))
            && text.contains(|it: char| it.is_ascii_digit() || it == ':');
        let n_known = self.targets.iter().flatten().count();
        (other.is_none() && is_sum && 2 < n_known).then_some(only)
    }

    /// The places of the pets that a row names, in the order of the columns.
    fn pet_places(&self, row: &TableRow) -> PetPlaces {
        let mut names: BTreeMap<u32, Vec<(String, Option<&str>)>> = BTreeMap::new();
        let mut columns = Vec::new();
        let cells = row.cells.iter().zip(self.targets).zip(self.header);
        for ((cell, target), called) in cells {
            let Some(target) = target.filter(|it| it.column == Column::PetName) else {
                columns.push(Vec::new());
                continue;
            };
            let pet_type = type_of_header(called);
            let known = names.entry(target.pet).or_default();
            let read = self.pet_names.read(cell.trim());
            let places = read.into_iter().filter(|it| !it.is_empty()).map(|name| {
                // A name that two columns have is that of one pet, unless they are of dogs and of cats.
                let is_known =
                    |it: &(String, Option<&str>)| same(&it.0) == same(&name) && it.1 == pet_type;
                let at = known.iter().position(is_known);
                at.unwrap_or_else(|| {
                    known.push((name, pet_type));
                    known.len() - 1
                })
            });
            columns.push(places.collect());
        }
        let counts = names.into_iter().map(|(pet, names)| (pet, names.len()));
        PetPlaces {
            counts: counts.collect(),
            columns,
        }
    }

    /// The lowest rank of the addresses that a row has.
    fn address_rank(&self, row: &TableRow) -> Option<u32> {
        let cells = row.cells.iter().zip(&self.address_ranks);
        let said = cells.filter(|(cell, _)| !cell.trim().is_empty());
        said.filter_map(|(_, rank)| *rank).min()
    }

    /// The first one that is one of these.
    fn first(&self, wanted: impl Fn(Target) -> bool) -> Option<u32> {
        let targets = self.targets.iter().zip(0..);
        let mut found = targets.filter(|(it, _)| it.is_some_and(&wanted));
        found.next().map(|(_, place)| place)
    }

    /// Returns the first cell of a row that is not empty, of the columns with this meaning.
    fn cell<'b>(&self, row: &'b TableRow, wanted: Column) -> &'b str {
        let cells = row.cells.iter().zip(self.targets);
        let mut cells = cells.filter(|(_, it)| it.is_some_and(|it| it.column == wanted));
        let said = cells.find_map(|(it, _)| Some(it.trim()).filter(|it| !it.is_empty()));
        said.unwrap_or_default()
    }
}

/// The problem of a cell that `has_open_quote`.
const OPEN_QUOTE: &str = "This quotation mark is never closed. Remove it, and check that nothing of this row is missing.";

/// A text or a number as a person reads it.
fn plain_text(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// A text without what people write differently.
fn same(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").to_lowercase()
}

/// Returns the keys by which two records are recognized as one client: e-mail, phone, and name with address.
fn keys(name: &str, email: &str, phone: &str, address: &str) -> Vec<String> {
    let digits = last_digits(phone);
    let mut keys = Vec::new();
    if !email.is_empty() {
        keys.push(["e", &same(email)].concat());
    }
    if !digits.is_empty() {
        keys.push(["p", &digits].concat());
    }
    if !name.is_empty() && !address.is_empty() {
        keys.push(["n", &same(name), "\n", &same(address)].concat());
    }
    keys
}

/// The digits of a phone number with the country's number or without it.
fn last_digits(phone: &str) -> String {
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    let last = digits.get(digits.len().saturating_sub(10)..);
    last.unwrap_or_default().to_owned()
}

/// A text of a column that says nothing of a client: what programs write where nobody has set anything.
fn says_nothing(text: &str) -> bool {
    const NOTHING: [&str; 7] = [
        "unspecified",
        "keine angabe",
        "non spécifié",
        "no especificado",
        "* mycontacts",
        "normal",
        "-",
    ];
    is_no_date(text) || NOTHING.contains(&text.to_lowercase().as_str())
}

/// A cell that is being read.
#[derive(Clone, Copy)]
struct Cell<'a> {
    text: &'a str,
    /// With the column's name before it, where others are the same.
    said: &'a str,
    called: &'a str,
    row: u32,
    column: u32,
}

/// Places of the pets of a row: a column may name several, and several columns may name those of one number.
struct PetPlaces {
    /// Number of names by the number of the pet in the columns.
    counts: BTreeMap<u32, usize>,
    /// For each column that has names, their places among those of the same number.
    columns: Vec<Vec<usize>>,
}

impl PetPlaces {
    /// The place of the first pet of this number: pets of smaller numbers may be several.
    fn first(&self, pet: u32) -> usize {
        let before = self.counts.range(..pet).map(|it| it.1.saturating_sub(1));
        usize::try_from(pet).unwrap_or_default() + before.sum::<usize>()
    }

    /// The pets that a column of this number may be about, where it is no name: all of them, and those that the nearest
    /// column before it names.
    fn about(&self, pet: u32, column: usize, targets: &[Option<Target>]) -> (usize, Vec<usize>) {
        let is_name = |it: &Option<Target>| {
            it.is_some_and(|it| it.column == Column::PetName && it.pet == pet)
        };
        let before = targets.iter().zip(&self.columns).take(column);
        let named = before.filter(|(it, places)| is_name(it) && !places.is_empty());
        let nearest = named.map(|(_, places)| places.clone()).next_back();
        let all = self.counts.get(&pet).copied().unwrap_or_default();
        (all, nearest.unwrap_or_else(|| (0..all.max(1)).collect()))
    }
}

impl Draft {
    fn of(row: &TableRow, columns: &Columns) -> Self {
        let mut draft = Self {
            rows: vec![row.number],
            ..Self::default()
        };
        let said_whole = said_whole(row, columns);
        let places = columns.pet_places(row);
        let rank = columns.address_rank(row);
        let targets = columns.targets.iter().zip(&columns.is_only);
        let targets = targets.zip(&columns.address_ranks);
        let cells = row.cells.iter().zip(targets).zip(columns.header).zip(0..);
        for (((text, ((target, is_only), own_rank)), called), column) in cells {
            let (text, Some(target)) = (text.trim(), target) else {
                continue;
            };
            if text.is_empty() || said_whole.contains(&target.column) {
                continue;
            }
            let is_other = target.column == Column::InternalNotes && !is_of_notes(called);
            if is_other && says_nothing(text) {
                continue;
            }
            // Google's groups, of which everybody is in the first one.
            let text = text
                .trim_end_matches("* myContacts")
                .trim_end_matches(" ::: ");
            let said = match called.as_str() {
                "" => text.to_owned(),
                _ if *is_only => text.to_owned(),
                called => [called, ": ", text].concat(),
            };
            if is_other {
                draft.kept.push((column, text.to_owned()));
            }
            let cell = Cell {
                text,
                said: &said,
                called,
                row: row.number,
                column,
            };
            if has_open_quote(text) {
                draft.problem(row.number, Some(column), OPEN_QUOTE.to_owned());
            }
            if target.column.is_of_pet() {
                draft.set_of_pet(*target, cell, columns, &places);
            } else if own_rank.is_some() && *own_rank != rank {
                draft.keep_in_notes(text, cell);
            } else {
                draft.set(target.column, cell);
            }
        }
        draft.join_parts();
        draft.close_ranks();
        let pets = draft.names();
        for field in JOINED {
            let text = draft.text(field).to_owned();
            draft.say(field, &pets, text);
        }
        draft
    }

    /// The names of the pets.
    fn names(&self) -> Vec<String> {
        let names = self.dogs.iter().filter_map(|it| it.get("name"));
        let names = names.filter_map(Value::as_str).map(str::to_owned);
        names.collect()
    }

    /// Keeps a text for a field where a client has one for all pets.
    fn say(&mut self, field: &'static str, pets: &[String], text: String) {
        if text.is_empty() {
            return;
        }
        let place = self.places.entry((field, text.clone()));
        let place = *place.or_insert(self.said.len());
        match self.said.get_mut(place) {
            Some(said) => {
                let new = pets.iter().filter(|it| !said.pets.contains(it));
                let new: Vec<String> = new.cloned().collect();
                said.pets.extend(new);
            }
            None => self.said.push(Said {
                field,
                pets: pets.to_vec(),
                text,
            }),
        }
    }

    /// Writes what all rows say: with the pets' names where they say different things of them.
    fn join_said(&mut self) {
        for field in JOINED {
            let said = self.said.iter().filter(|it| it.field == field);
            let of_pets = said.clone().filter(|it| !it.pets.is_empty());
            let is_named = 1 < of_pets.count();
            let texts = said.map(|it| match it.pets.as_slice() {
                pets if is_named && !pets.is_empty() => [&pets.join(", "), ": ", &it.text].concat(),
                _ => it.text.clone(),
            });
            let texts: Vec<String> = texts.collect();
            if !texts.is_empty() {
                let text = texts.join("\n");
                self.client.insert(field.to_owned(), text.into());
            }
        }
    }

    /// Takes out pets of which the row says nothing; those after them move up, with their cells.
    fn close_ranks(&mut self) {
        let mut place = 0;
        let places = self.dogs.iter().map(|it| {
            let own = place;
            place += usize::from(!it.is_empty());
            own
        });
        let places: Vec<usize> = places.collect();
        for cell in &mut self.cells {
            cell.pet = cell.pet.and_then(|it| places.get(it).copied());
        }
        self.dogs.retain(|it| !it.is_empty());
    }

    fn text(&self, field: &str) -> &str {
        let value = self.client.get(field).and_then(Value::as_str);
        value.unwrap_or_default()
    }

    fn set(&mut self, column: Column, cell: Cell) {
        let (field, between) = match column {
            Column::Name => ("name", " "),
            Column::FirstName => ("first_name", " "),
            Column::LastName => ("last_name", " "),
            Column::Email => ("email", ""),
            Column::Phone => ("phone", ""),
            Column::Address => ("address", ", "),
            Column::City => ("city", " "),
            Column::State => ("state", " "),
            Column::Zip => ("zip", " "),
            Column::Country => ("country", " "),
            Column::AccessNotes => ("access_notes", "\n"),
            Column::EmergencyContact => ("emergency_contact", "\n"),
            Column::Vet => ("vet", "\n"),
            Column::HouseInstructions => ("house_instructions", "\n"),
            Column::BillingAddress => ("billing_address", "\n"),
            Column::PricingWalk => return self.set_price("pricing_walk", cell),
            Column::PricingDropin => return self.set_price("pricing_dropin", cell),
            Column::WalkRateHalfHour => return self.set_price("walk_rate_30min", cell),
            Column::WalkRateThreeQuarters => return self.set_price("walk_rate_45min", cell),
            Column::WalkRateHour => return self.set_price("walk_rate_60min", cell),
            _ => ("internal_notes", "\n"),
        };
        let texts = match column {
            Column::Phone => {
                let Phones { number, further } = Phones::read(cell.text);
                std::iter::once(number).chain(further).collect()
            }
            Column::Email => emails(cell.text),
            Column::Address => vec![cell.text.replace('\n', ", ")],
            _ if between == "\n" => vec![cell.said.to_owned()],
            _ => vec![cell.text.to_owned()],
        };
        let mut texts = texts.into_iter();
        let text = texts.next().unwrap_or_default();
        let known = self.text(field);
        let text = match (known, between) {
            ("", _) => text,
            (known, _) if known == text => text,
            (_, "") => {
                // A client has one; nothing that somebody wrote is lost.
                return self.keep_in_notes(cell.text, cell);
            }
            (known, between) => [known, between, &text].concat(),
        };
        if !text.is_empty() {
            self.client.insert(field.to_owned(), text.into());
        }
        let field = match field {
            "first_name" | "last_name" => "name",
            "city" | "state" | "zip" | "country" => "address",
            field => field,
        };
        self.note(None, field, (cell.row, cell.column));
        for further in texts {
            self.keep_in_notes(&further, cell);
        }
    }

    fn set_price(&mut self, field: &'static str, cell: Cell) {
        match price(cell.text) {
            Some(_) if self.client.contains_key(field) => self.keep_in_notes(cell.text, cell),
            Some(price) => {
                self.client.insert(field.to_owned(), price.into());
                self.note(None, field, (cell.row, cell.column));
            }
            None => {
                let text = "Write the price as a number of dollars, or empty the cell.";
                self.problem(cell.row, Some(cell.column), text.to_owned());
            }
        }
    }

    /// Keeps what no field has room for where the sitter alone reads it.
    fn keep_in_notes(&mut self, text: &str, cell: Cell) {
        let said = match cell.called {
            "" => text.to_owned(),
            called => [called, ": ", text].concat(),
        };
        self.kept.push((cell.column, text.to_owned()));
        self.say("internal_notes", &[], said);
        self.note(None, "internal_notes", (cell.row, cell.column));
    }

    fn note(&mut self, pet: Option<usize>, field: &'static str, (row, column): (u32, u32)) {
        // What is of more pets than there may be is asked of nobody.
        if pet.is_none_or(|it| it < PETS) {
            self.cells.push(Known {
                pet,
                field,
                row,
                column,
            });
        }
    }

    /// Makes one name and one address of their parts, in their order whatever comes first in the file.
    fn join_parts(&mut self) {
        let mut take = |field: &str| match self.client.remove(field) {
            Some(Value::String(text)) => text,
            _ => String::new(),
        };
        let [first, name, last] = ["first_name", "name", "last_name"].map(&mut take);
        let [address, city, state, zip, country] =
            ["address", "city", "state", "zip", "country"].map(&mut take);
        let name = joined([&first, &name, &last], " ");
        let region = joined([&state, &zip], " ");
        let address = joined([&address, &city, &region, &country], ", ");
        for (field, text) in [("name", name), ("address", address)] {
            if !text.is_empty() {
                self.client.insert(field.to_owned(), text.into());
            }
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

    fn set_of_pet(&mut self, target: Target, cell: Cell, columns: &Columns, places: &PetPlaces) {
        let is_date = matches!(target.column, Column::PetBirthday | Column::PetAdoptionDate);
        if is_date && (is_no_date(cell.text) || says_none(cell.text)) {
            return;
        }
        let at = usize::try_from(cell.column).unwrap_or(usize::MAX);
        let first = places.first(target.pet);
        let (texts, pets) = if target.column == Column::PetName {
            let named = places.columns.get(at).cloned().unwrap_or_default();
            (columns.pet_names.read(cell.text), named)
        } else {
            let (n_all, nearest) = places.about(target.pet, at, columns.targets);
            let texts = one_for_each(target.column, cell.text, n_all);
            if texts.len() == n_all {
                (texts, (0..n_all).collect())
            } else {
                let texts = one_for_each(target.column, cell.text, nearest.len());
                (texts, nearest)
            }
        };
        for (text, pet) in texts.into_iter().zip(pets) {
            let pet = first + pet;
            match pet_value(target.column, &text, cell, columns) {
                PetValue::Field(field, value) => self.set_field_of_pet(pet, field, value, cell),
                PetValue::Name(name, pet_type) => {
                    self.set_field_of_pet(pet, "name", name.into(), cell);
                    if let Some(pet_type) = pet_type.or_else(|| type_of_header(cell.called)) {
                        self.set_field_of_pet(pet, "pet_type", pet_type.into(), cell);
                    }
                }
                PetValue::Trait(field, value, is_more) => {
                    if is_more {
                        let said = [cell.called, ": ", &text].concat();
                        self.set_field_of_pet(pet, "about", said.into(), cell);
                    }
                    self.set_field_of_pet(pet, field, value.into(), cell);
                }
                PetValue::Nothing => {}
                PetValue::Wrong(problem) => {
                    self.problem(cell.row, Some(cell.column), problem.to_owned());
                }
            }
        }
    }

    /// Sets a field of a pet; a second value of one that has another goes where people read it.
    fn set_field_of_pet(&mut self, pet: usize, field: &'static str, value: Value, cell: Cell) {
        let Some(dog) = self.dog(pet) else {
            return;
        };
        let (field, value) = match (dog.get(field), value.as_str()) {
            (Some(known), _) if *known == value => (field, value),
            (Some(Value::String(known)), Some(said)) if matches!(field, "about" | "breed") => {
                (field, [known, "\n", said].concat().into())
            }
            (Some(_), _) => {
                let said = [cell.called, ": ", cell.text].concat();
                let about = dog.get("about").and_then(Value::as_str);
                let about = about.map_or_else(|| said.clone(), |it| [it, "\n", &said].concat());
                ("about", about.into())
            }
            (None, _) => (field, value),
        };
        dog.insert(field.to_owned(), value);
        self.note(Some(pet), field, (cell.row, cell.column));
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
        let digits = last_digits(&phone);
        if !digits.is_empty() {
            keys.push([&name, "\np", &digits].concat());
        }
        keys.push([&name, "\n", &email, "\n", &phone, "\n", &address].concat());
        keys
    }

    /// Takes in a further row of the same client.
    fn take(&mut self, further: Self) {
        self.rows.extend(further.rows);
        self.problems.extend(further.problems);
        for (field, called) in FURTHER {
            let known = self.client.get(field).map(plain_text);
            let text = further.client.get(field).map(plain_text);
            let (Some(known), Some(text)) = (known, text) else {
                continue;
            };
            let is_same = match field {
                "phone" => last_digits(&known) == last_digits(&text),
                _ => same(&known) == same(&text),
            };
            if !is_same {
                self.say("internal_notes", &[], [called, ": ", &text].concat());
            }
        }
        for (field, value) in further.client {
            self.client.entry(field).or_insert(value);
        }
        for Said { field, pets, text } in further.said {
            self.say(field, &pets, text);
        }
        // The places that its pets get here: a row that comes twice brings none twice.
        let mut places = Vec::new();
        for dog in further.dogs {
            let known = self.dogs.iter().position(|it| is_same_pet(it, &dog));
            let place = known.unwrap_or(self.dogs.len());
            places.push(place);
            match self.dogs.get_mut(place) {
                Some(known) => {
                    for (field, value) in dog {
                        known.entry(field).or_insert(value);
                    }
                }
                None => self.dogs.push(dog),
            }
        }
        for Known {
            pet,
            field,
            row,
            column,
        } in further.cells
        {
            let place = pet.map(|it| places.get(it).copied().unwrap_or(PETS));
            self.note(place, field, (row, column));
        }
    }

    fn finish(
        mut self,
        columns: &Columns,
        known: Option<&KnownClient>,
        choice: &ImportChoice,
    ) -> ImportedClient {
        self.join_said();
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
        // Who has no pet yet comes as a draft.
        let needed = PetsNeeded::None;
        if let Err(found) = valid(merged, pets.collect(), needed, |_| true) {
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
            let (pet, field) = pet_of(&field);
            let from = self
                .cells
                .iter()
                .find(|it| it.pet == pet && it.field == field);
            let what_to_do = match (field, from) {
                ("dogs", _) => "Write the pet’s name, or leave this client out",
                ("name", None) => "Write it, or leave this client out",
                ("name", Some(_)) if pet.is_none() => "Correct it, or leave this client out",
                (_, Some(_)) => "Correct it, or empty the cell",
                (_, None) => "Correct it, or leave this client out",
            };
            let (row, column) = match from {
                Some(it) => (it.row, Some(it.column)),
                None => self.place_for(pet, field, columns, first_row),
            };
            self.problem(row, column, format!("{text}. {what_to_do}."));
        }
        let state = if choice.left_out.contains(&first_row) {
            ImportState::LeftOut
        } else if known.is_some() && !choice.added.contains(&first_row) {
            ImportState::Known
        } else if self.problems.is_empty() {
            ImportState::Ready
        } else {
            ImportState::Wrong
        };
        ImportedClient {
            rows: self.rows,
            client,
            new_pets: known.map_or_else(String::new, |it| it.new_pets(&dogs)),
            dogs,
            known: known.map(|it| it.id),
            state,
            problems: self.problems,
        }
    }

    /// Finds the row and column in which the person has to fill in a missing value.
    fn place_for(
        &self,
        pet: Option<usize>,
        field: &str,
        columns: &Columns,
        first_row: u32,
    ) -> (u32, Option<u32>) {
        let Some(pet) = pet else {
            let names = [Column::Name, Column::FirstName, Column::LastName];
            let column = match field {
                "name" => columns.first(|it| names.contains(&it.column)),
                "dogs" => columns.first(|it| it.column == Column::PetName),
                _ => None,
            };
            return (first_row, column);
        };
        let Some(other) = self.cells.iter().find(|it| it.pet == Some(pet)) else {
            return (first_row, None);
        };
        let same_pet = columns
            .targets
            .get(usize::try_from(other.column).unwrap_or_default());
        let same_pet = same_pet.copied().flatten().map(|it| it.pet);
        let is_its_name = |it: Target| it.column == Column::PetName && Some(it.pet) == same_pet;
        (other.row, columns.first(is_its_name))
    }
}

/// Returns true if two rows are about one pet: the same name, and nothing that differs.
fn is_same_pet(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    let name = |it: &Map<String, Value>| {
        let name = it.get("name").and_then(Value::as_str);
        name.map(same)
    };
    let is_same = |(field, value): (&String, &Value)| {
        field == "name" || other.get(field).is_none_or(|it| it == value)
    };
    name(one).is_some() && name(one) == name(other) && one.iter().all(is_same)
}

/// The texts of a cell for the pets that its row names: one for each where there are as many, else one for the first.
fn one_for_each(column: Column, text: &str, n_pets: usize) -> Vec<String> {
    let has_commas = matches!(
        column,
        Column::PetType
            | Column::PetBreed
            | Column::PetSex
            | Column::PetWeight
            | Column::PetSpayedNeutered
    );
    let separators: &[char] = if has_commas {
        &[',', ';', '\n', '&']
    } else {
        &[';', '\n']
    };
    let parts = text.split(separators).map(str::trim);
    let parts: Vec<String> = parts.map(str::to_owned).collect();
    if 1 < n_pets && parts.len() == n_pets && parts.iter().all(|it| !it.is_empty()) {
        return parts;
    }
    vec![text.to_owned()]
}

/// The type that a column of names says by its own name: `Cats`.
fn type_of_header(called: &str) -> Option<&'static str> {
    let lower = called.to_lowercase();
    let mut words = lower.split(|it: char| !it.is_alphabetic());
    let is_cat = words.any(|it| matches!(it, "cat" | "cats"));
    let is_dog = ["dog", "dogs", "pet", "pets"];
    let mut words = lower.split(|it: char| !it.is_alphabetic());
    (is_cat && !words.any(|it| is_dog.contains(&it))).then_some("cat")
}

/// Value of a cell about a pet.
enum PetValue {
    Field(&'static str, Value),
    /// A name, and the type that stands behind it.
    Name(String, Option<&'static str>),
    /// An answer, and whether the cell says more than that.
    Trait(&'static str, &'static str, bool),
    Nothing,
    Wrong(&'static str),
}

fn pet_value(column: Column, text: &str, cell: Cell, columns: &Columns) -> PetValue {
    let named = || Value::from([cell.called, ": ", text].concat());
    let day = |field: &'static str| {
        let order = columns.order(cell.column);
        match past_date(text, order, columns.today) {
            Some(day) => PetValue::Field(field, day.to_string().into()),
            None if is_rough_age(text) => PetValue::Field("about", named()),
            None => PetValue::Wrong(date_problem(text, order)),
        }
    };
    match column {
        Column::PetName => {
            let (name, pet_type) = type_behind_name(text);
            PetValue::Name(name.to_owned(), pet_type)
        }
        Column::PetBreed => PetValue::Field("breed", text.into()),
        Column::PetVaccination => PetValue::Field("about", named()),
        Column::PetAbout => PetValue::Field("about", cell.said.into()),
        Column::PetType => PetValue::Field("pet_type", pet_type(text).into()),
        Column::PetSex => match sex(text) {
            Some(sex) => PetValue::Field("sex", sex.into()),
            None => PetValue::Wrong("Write male or female, or empty the cell."),
        },
        Column::PetBirthday => day("birthday"),
        Column::PetAdoptionDate => day("adoption_date"),
        Column::PetWeight if !text.contains(|it: char| it.is_ascii_digit()) => {
            if says_none(text) {
                PetValue::Nothing
            } else {
                PetValue::Field("about", named())
            }
        }
        column => match trait_answer(column, text) {
            Some((field, answer)) => PetValue::Trait(field, answer.value, answer.has_more),
            None => match weight(text, cell.called) {
                Some(weight) => PetValue::Field("weight", weight.into()),
                // `30-35 lbs`.
                None if text.contains(['-', '–']) => PetValue::Field("about", named()),
                None => {
                    PetValue::Wrong("Write the weight as a number of pounds, or empty the cell.")
                }
            },
        },
    }
}

/// Returns the columns of name parts that repeat what the whole name says: both of them, or the one that the name
/// begins or ends with.
fn said_whole(row: &TableRow, columns: &Columns) -> Vec<Column> {
    let whole = same(columns.cell(row, Column::Name));
    let parts = [Column::FirstName, Column::LastName];
    let said = parts.map(|it| same(columns.cell(row, it)));
    let is_whole = |it: &String| {
        let has_both = said.iter().all(|it| !it.is_empty());
        let begins_or_ends = || {
            let rest = whole
                .strip_prefix(it.as_str())
                .or(whole.strip_suffix(it.as_str()));
            rest.is_some_and(|it| it.is_empty() || it.starts_with(' ') || it.ends_with(' '))
        };
        !whole.is_empty() && !it.is_empty() && (has_both || begins_or_ends())
    };
    let parts = parts.into_iter().zip(&said);
    parts
        .filter(|(_, it)| is_whole(it))
        .map(|it| it.0)
        .collect()
}

/// `dogs.2.name` as `name` of the pet 2.
fn pet_of(field: &str) -> (Option<usize>, &str) {
    let of_pet = field
        .strip_prefix("dogs.")
        .and_then(|it| it.split_once('.'));
    match of_pet.map(|(pet, field)| (pet.parse(), field)) {
        Some((Ok(pet), field)) => (Some(pet), field),
        _ => (None, field),
    }
}
