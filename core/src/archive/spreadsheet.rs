//! Owns the tables for spreadsheets: the rows that people look through, with names in place of ids.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::Cents;
use crate::rows::invoice::{Invoice, PaymentMethod};
use crate::rows::pet::Pet;
use crate::rows::row::{Row, TableName};
use crate::rules::invoice::totals_of;
use crate::rules::ledger::{EntryKind, entries_of};
use crate::rules::series::rrules;
use crate::values::csv::push_record;
use crate::values::id::Id;
use crate::values::zone::TimeZone;

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

/// The same: the tax in the total of an invoice.
const TAX: &str = "tax";

/// The same: the money that came in, with its tips.
const RECEIVED: &str = "received";

/// The same: the tips in it.
const TIP: &str = "tip";

/// The same: the money that went back.
const REFUNDED: &str = "refunded";

/// The same: the amount that credit notes have taken off.
const CREDITED: &str = "credited";

/// The same: the amount that is still owed.
const BALANCE: &str = "balance";

/// The same: credit of earlier invoices that pays it.
const CREDIT_USED: &str = "credit_used";

/// The same: its credit that pays later invoices.
const CREDIT_SPENT: &str = "credit_spent";

/// The same: the amount that will never be paid.
const WRITTEN_OFF: &str = "written_off";

/// The same: the number of the invoice that a credit note credits.
const CREDITS: &str = "credits_invoice";

/// Columns of the ledger.
const LEDGER: &str =
    "date,kind,reversal,amount,client,invoice,issued_on,work_from,work_to,method,note";

/// Columns of the money that moved; what went back is below 0.
const PAYMENTS: &str = "date,amount,client,invoice,method,reversal,note";

const fn method_name(method: PaymentMethod) -> &'static str {
    match method {
        PaymentMethod::Unknown | PaymentMethod::Credit => "",
        PaymentMethod::Cash => "cash",
        PaymentMethod::Transfer => "transfer",
        PaymentMethod::Card => "card",
        PaymentMethod::App => "app",
    }
}

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
                    "departure_time",
                    "lost",
                    "cancel_reason",
                    "tells_cancel_reason",
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
                    TAX,
                    RECEIVED,
                    TIP,
                    REFUNDED,
                    CREDITED,
                    BALANCE,
                    CREDITS,
                    "currency",
                    SHOWN_NUMBER,
                    CREDIT_USED,
                    CREDIT_SPENT,
                    WRITTEN_OFF,
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
            for (column, amount) in [
                (TAX, totals_of(invoice).tax),
                (RECEIVED, invoice.received()),
                (TIP, invoice.tip()),
                (REFUNDED, invoice.refunded()),
                (CREDITED, invoice.credited()),
                (BALANCE, invoice.balance()),
                (CREDIT_USED, invoice.credit_used()),
                (CREDIT_SPENT, invoice.credit_spent()),
                (WRITTEN_OFF, invoice.written_off()),
            ] {
                fields.insert(column.to_owned(), serde_json::to_value(amount)?);
            }
            let credits = invoice.invoice_data.credited.clone();
            fields.insert(CREDITS.to_owned(), credits.into());
            fields.insert(SHOWN_NUMBER.to_owned(), invoice.shown_number().into());
        }
        push_record(csv, Self::columns(table).map(|it| self.cell(&fields, it)));
        Ok(())
    }

    /// The tables of what invoices say about money, each with its first line: the ledger, and the money that moved.
    pub fn begin_money() -> [(&'static str, String); 2] {
        [("csv/ledger.csv", LEDGER), ("csv/payments.csv", PAYMENTS)].map(|(name, columns)| {
            let mut csv = "\u{feff}".to_owned();
            push_record(&mut csv, columns.split(','));
            (name, csv)
        })
    }

    /// Appends an invoice's records to both.
    pub fn push_money(&self, [ledger, payments]: &mut [String; 2], row: &Invoice, zone: &TimeZone) {
        let client = self.clients.get(&row.client_id);
        let client = client.map_or(&row.client_data.name, |it| &it.name);
        let number = match row.credits {
            Some(_) => row.invoice_data.credited.clone(),
            None => row.shown_number(),
        };
        let dollars = |it: Cents| serde_json::to_string(&it).unwrap_or_default();
        for entry in entries_of(row, zone) {
            let (on, method) = (entry.on.to_string(), method_name(entry.method));
            let is_reversal = if entry.is_reversal { "yes" } else { "no" };
            let cells = [
                &on,
                entry.kind.name(),
                is_reversal,
                &dollars(entry.amount),
                client,
                &number,
                &entry.issued_on.to_string(),
                &entry.work_from.to_string(),
                &entry.work_to.to_string(),
                method,
                &entry.note,
            ];
            push_record(ledger, cells);
            // Seen from the business: what came in is above 0.
            let amount = dollars(Cents::ZERO - entry.amount);
            if matches!(entry.kind, EntryKind::Payment | EntryKind::Refund) {
                push_record(
                    payments,
                    [
                        &on,
                        &amount,
                        client,
                        &number,
                        method,
                        is_reversal,
                        &entry.note,
                    ],
                );
            }
        }
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
    use crate::rows::client::Client;
    use crate::rows::invoice::{Invoice, InvoicePayment, WriteOff};
    use crate::rows::pet::Pet;
    use crate::{Cents, Instant};

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
    fn an_invoice_says_what_was_paid_on_it_and_what_is_owed() {
        let mut invoice = Invoice {
            total: Cents(50_00),
            write_off: Some(WriteOff {
                amount: Cents(10_00),
                ..WriteOff::default()
            }),
            ..Invoice::default()
        };
        invoice.payments.push(InvoicePayment {
            amount: Cents(30_00),
            tip: Some(Cents(5_00)),
            ..InvoicePayment::default()
        });
        let mut csv = String::new();
        let mut sheets = Spreadsheets::default();
        sheets.push(&mut csv, &Row::Invoice(invoice)).unwrap();
        assert!(csv.ends_with(",,0,30,5,0,0,15,,USD,,0,0,10\r\n"), "{csv}");
    }

    #[test]
    fn an_invoice_is_in_the_ledger_and_its_money_among_the_payments() {
        let invoice = Invoice {
            number: Some(7),
            prefix: "INV-".to_owned(),
            total: Cents(25_00),
            payments: vec![InvoicePayment {
                amount: Cents(30_00),
                method: PaymentMethod::Cash,
                tip: Some(Cents(5_00)),
                note: "At the door".to_owned(),
                ..InvoicePayment::default()
            }],
            ..Invoice::default()
        };
        let [(_, ledger), (_, payments)] = Spreadsheets::begin_money();
        let mut csv = [ledger, payments];
        Spreadsheets::default().push_money(&mut csv, &invoice, &TimeZone::UTC);
        let [ledger, payments] = csv;
        let of = |csv: &str| csv.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(of(&payments), ["1970-01-01,30,,INV-7,cash,no,At the door"]);
        let days = "1970-01-01,1970-01-01,1970-01-01";
        assert_eq!(
            of(&ledger),
            [
                format!("1970-01-01,charge,no,25,,INV-7,{days},,"),
                format!("1970-01-01,payment,no,-30,,INV-7,{days},cash,At the door"),
                format!("1970-01-01,tip,no,5,,INV-7,{days},cash,"),
            ]
        );
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
