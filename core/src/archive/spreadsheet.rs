//! Owns the tables for spreadsheets: the rows that people look through, with names in place of ids.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::rows::pet::Pet;
use crate::rows::row::{Row, TableName};
use crate::rules::series::rrules;
use crate::values::csv::push_record;
use crate::values::id::Id;

/// Makes records of rows. Clients come first, whose names the others show, and before them `note_pet` takes all pets, whose
/// names stand with the clients: so that each of both tables can be imported as clients with their pets.
#[derive(Debug, Default)]
pub struct Spreadsheets {
    clients: BTreeMap<Id, Contact>,
    /// The pets' names, with a comma between them, by client.
    pets: BTreeMap<Id, String>,
}

/// Cells of a client that come from other tables.
#[derive(Debug, Default)]
struct Contact {
    name: String,
    email: String,
    phone: String,
}

/// A column that is no field: the client's name.
const CLIENT: &str = "client";

/// The same: the client's address of mail.
const CLIENT_EMAIL: &str = "client_email";

/// The same: the client's number.
const CLIENT_PHONE: &str = "client_phone";

/// The same: the names of the client's pets.
const PETS: &str = "pets";

/// The same: the rules of a series as calendars have them.
const RULES: &str = "rrule";

/// The same: an invoice's number as its client reads it.
const SHOWN_NUMBER: &str = "invoice";

/// Fields that people set and that have no column: nobody reads ids and positions.
const WITHOUT_COLUMN: [&str; 2] = ["photo", "display_order"];

impl Spreadsheets {
    /// The columns of a table's file; nothing where there is none. Those of pets are followed by all other fields that
    /// people set, and by the day from which on a pet is gone.
    fn columns(table: TableName) -> impl Iterator<Item = &'static str> {
        let (_, first) = Self::shape(table).unwrap_or_default();
        let (fields, last) = match table {
            TableName::Pet => (Pet::EDITABLE, Some("gone_on")),
            _ => (&[][..], None),
        };
        let others = fields.iter().map(|it| it.name);
        let others = others.filter(move |it| !first.contains(it) && !WITHOUT_COLUMN.contains(it));
        first.iter().copied().chain(others).chain(last)
    }

    /// The file of a table, and its first columns; `None` where people have no use for one.
    fn shape(table: TableName) -> Option<(&'static str, &'static [&'static str])> {
        Some(match table {
            TableName::Client => (
                "csv/clients.csv",
                &[
                    "name",
                    "email",
                    "phone",
                    "address",
                    PETS,
                    "access_notes",
                    "internal_notes",
                    "house_instructions",
                    "emergency_contact",
                    "vet",
                    "relationship_type",
                    "pricing_walk",
                    "pricing_dropin",
                    "created_at",
                    "inactive_since",
                    "billing_address",
                ],
            ),
            TableName::Pet => (
                "csv/pets.csv",
                &[
                    CLIENT,
                    CLIENT_EMAIL,
                    CLIENT_PHONE,
                    "name",
                    "pet_type",
                    "breed",
                    "sex",
                    "weight",
                    "birthday",
                ],
            ),
            TableName::Service => (
                "csv/services.csv",
                &[
                    "date",
                    "end_date",
                    "start_time",
                    "duration_minutes",
                    "client_name",
                    "dogs",
                    "service_type",
                    "offering_name",
                    "status",
                    "price",
                    "paid",
                    "notes",
                    "internal_notes",
                    "completion_notes",
                    "window_from",
                    "window_to",
                ],
            ),
            TableName::Invoice => (
                "csv/invoices.csv",
                &[
                    "prefix",
                    "number",
                    CLIENT,
                    "issued_on",
                    "due_date",
                    "total",
                    "paid",
                    "shared_at",
                    "deleted_at",
                    "currency",
                    SHOWN_NUMBER,
                ],
            ),
            TableName::Series => (
                "csv/series.csv",
                &["client_name", RULES, "made_until", "created_at"],
            ),
            TableName::Expense => (
                "csv/expenses.csv",
                &["date", "category", "miles", "amount", "note"],
            ),
            TableName::Message => (
                "csv/messages.csv",
                &[CLIENT, "created_at", "sender_type", "content"],
            ),
            _ => return None,
        })
    }

    /// The file of a table with its first line; `None` where there is none.
    pub fn begin(table: TableName) -> Option<(&'static str, String)> {
        let (name, _) = Self::shape(table)?;
        // Spreadsheets take what has no such mark for an older code.
        let mut csv = "\u{feff}".to_owned();
        push_record(&mut csv, Self::columns(table));
        Some((name, csv))
    }

    /// Takes in the name of a pet for its client's record.
    pub fn note_pet(&mut self, pet: &Pet) {
        let pets = self.pets.entry(pet.client_id).or_default();
        if !pets.is_empty() {
            pets.push_str(", ");
        }
        pets.push_str(&pet.name);
    }

    /// Appends a row's record, where its table has a file.
    pub fn push(&mut self, csv: &mut String, row: &Row) -> serde_json::Result<()> {
        if let Row::Client(client) = row {
            let contact = Contact {
                name: client.name.clone(),
                email: client.email.clone(),
                phone: client.phone.clone(),
            };
            self.clients.insert(client.id, contact);
        }
        let table = row.key().table;
        if Self::shape(table).is_none() {
            return Ok(());
        }
        let mut fields: Map<String, Value> = serde_json::from_str(&row.json()?)?;
        if let Row::Series(series) = row {
            fields.insert(RULES.to_owned(), rrules(series).join("\n").into());
        }
        if let Row::Invoice(invoice) = row {
            fields.insert(SHOWN_NUMBER.to_owned(), invoice.shown_number().into());
        }
        push_record(csv, Self::columns(table).map(|it| self.cell(&fields, it)));
        Ok(())
    }

    fn cell(&self, fields: &Map<String, Value>, column: &str) -> String {
        let id_of = |field: &str| -> Option<Id> { fields.get(field)?.as_str()?.parse().ok() };
        let contact = || id_of("client_id").and_then(|it| self.clients.get(&it));
        let text = match column {
            CLIENT => contact().map(|it| &it.name),
            CLIENT_EMAIL => contact().map(|it| &it.email),
            CLIENT_PHONE => contact().map(|it| &it.phone),
            PETS => id_of("id").and_then(|it| self.pets.get(&it)),
            column => return Self::field(fields, column),
        };
        text.cloned().unwrap_or_default()
    }

    fn field(fields: &Map<String, Value>, column: &str) -> String {
        match fields.get(column) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(Value::Bool(is)) => (if *is { "yes" } else { "no" }).to_owned(),
            Some(Value::Array(items)) => {
                let texts: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
                texts.join(", ")
            }
            Some(other) => other.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Instant;
    use crate::rows::client::Client;
    use crate::rows::pet::Pet;

    #[test]
    fn a_pet_stands_with_its_clients_name_and_no_formula() {
        let (mut client, mut pet) = (
            Client::new(Id::of(1), Instant(0)),
            Pet::new(Id::of(2), Id::of(1)),
        );
        client.name = "=HYPERLINK(\"http://x\")".to_owned();
        pet.name = "Rex".to_owned();
        let (mut sheets, mut clients) = (Spreadsheets::default(), String::new());
        sheets.note_pet(&pet);
        sheets.push(&mut clients, &Row::Client(client)).unwrap();
        let (name, mut csv) = Spreadsheets::begin(TableName::Pet).unwrap();
        sheets.push(&mut csv, &Row::Pet(pet)).unwrap();
        assert_eq!(name, "csv/pets.csv");
        let record = csv.lines().nth(1).unwrap();
        assert!(
            record.starts_with("\"'=HYPERLINK(\"\"http://x\"\")\",,,Rex,"),
            "{record}"
        );
        assert!(clients.contains(",,,,Rex,"), "{clients}");
    }

    #[test]
    fn every_column_is_a_field() {
        let day = "2026-11-20".parse().ok();
        let client = Client {
            inactive_since: day,
            ..Client::new(Id::of(1), Instant(0))
        };
        let pet = Pet {
            gone_on: day,
            ..Pet::new(Id::of(1), Id::of(1))
        };
        for (row, table) in [
            (Row::Client(client).json(), TableName::Client),
            (Row::Pet(pet).json(), TableName::Pet),
        ] {
            let fields: Map<String, Value> = serde_json::from_str(&row.unwrap()).unwrap();
            for column in Spreadsheets::columns(table) {
                assert!(
                    [CLIENT, CLIENT_EMAIL, CLIENT_PHONE, PETS].contains(&column)
                        || fields.contains_key(column),
                    "{column}"
                );
            }
        }
    }

    #[test]
    fn every_field_of_a_pet_that_people_set_has_a_column() {
        let columns: Vec<&str> = Spreadsheets::columns(TableName::Pet).collect();
        for field in Pet::EDITABLE {
            let is_there = columns.contains(&field.name) || WITHOUT_COLUMN.contains(&field.name);
            assert!(is_there, "{} has no column", field.name);
        }
        // Formulas of people name columns by letters, so a new column comes after these.
        let known = "client,client_email,client_phone,name,pet_type,breed,sex,weight,birthday,microchipped,\
            spayed_neutered,house_trained,friendly_with_children,friendly_with_dogs,friendly_with_cats,adoption_date,about";
        assert!(
            columns.join(",").starts_with(known),
            "a new field stands below `about` in core/src/rows/pet.rs: {columns:?}"
        );
    }
}
