//! Owns what of an archive may become the rows of a business: each line is read and held against the bounds by itself, and
//! all of them against each other, before anything of it is written. Whoever wrote the archive may have written anything.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use thiserror::Error;

use super::{MAX_ROWS, read_line};
use crate::rows::row::{Row, RowKey, TableName};
use crate::rows::sitter::Sitter;
use crate::values::bounds;
use crate::values::date::Date;
use crate::values::id::Id;

/// Why an archive is not taken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ArchiveFault {
    /// It is no ZIP, or no archive of ours.
    #[error("This file is no archive of Walkies, or it is damaged.")]
    NoArchive,
    /// It says a higher format.
    #[error("This archive comes from a newer Walkies. Please update this one first.")]
    Newer,
    /// More bytes, files or rows than a business has.
    #[error("This archive is larger than any business: {0}")]
    TooLarge(&'static str),
    /// A row that no business has.
    #[error("This archive cannot be imported: {table}, line {line}: {why}")]
    Row {
        /// The row's table.
        table: &'static str,
        /// Line number in the table's file, from 1.
        line: usize,
        /// Reason for which the row is rejected.
        why: String,
    },
    /// Rows that do not go together.
    #[error("This archive cannot be imported: {0}")]
    Rows(&'static str),
    /// Somebody has done something in the business that it is to come into.
    #[error("There is work in this business already. Clear it first, or use a new account.")]
    NotEmpty,
    /// The business was cleared, and what it was cleared of does not come back beside new work.
    #[error(
        "There is new work in this business, so what it was cleared of cannot be brought back. Export the new work if you need it, and clear your business again: what was cleared first stays kept."
    )]
    NewWork,
    /// The person was told that what is cleared is kept and it would not be, or the other way round.
    #[error(
        "Whether this can be undone has changed since you were asked. Nothing was cleared. Close this and open it again to see what is kept."
    )]
    ClearingChanged,
    /// More photos or videos than there is room for.
    #[error(
        "There is no room for the {0} of this archive. What you have cleared takes its room until it is deleted for good."
    )]
    NoRoom(&'static str),
    /// A photo, a video or a document that would not be taken from a phone.
    #[error("This archive cannot be imported: {0} is damaged or of a kind that is not taken.")]
    File(String),
}

/// The rows of an archive as far as they have come, as much of them as the others are held against.
#[derive(Debug)]
pub struct Incoming {
    /// The row of the business that they come into.
    sitter: Sitter,
    seen: BTreeSet<RowKey>,
    lines: BTreeMap<TableName, usize>,
    /// Pets, messages and requests of each client.
    of_client: BTreeMap<(TableName, Id), usize>,
    /// Services and expenses of each day.
    on_day: BTreeMap<(TableName, Date), usize>,
    invoice_numbers: BTreeSet<u32>,
    /// With the client whose conversation they count.
    message_numbers: BTreeSet<(Id, u32)>,
    share_ids: BTreeSet<String>,
}

/// The last invoice of a business that was cleared many times.
const MAX_INVOICE_NUMBER: u32 = 1_000_000_000;

/// The largest number of any field that has no bound of its own: of dollars it is far below what sums can hold.
const MAX_NUMBER: f64 = 1e9;

impl Incoming {
    /// Into this business.
    pub fn new(sitter: Sitter) -> Self {
        Self {
            sitter,
            seen: BTreeSet::new(),
            lines: BTreeMap::new(),
            of_client: BTreeMap::new(),
            on_day: BTreeMap::new(),
            invoice_numbers: BTreeSet::new(),
            message_numbers: BTreeSet::new(),
            share_ids: BTreeSet::new(),
        }
    }

    /// How many rows have come of a table.
    pub fn count(&self, table: TableName) -> usize {
        self.lines.get(&table).copied().unwrap_or_default()
    }

    /// Reads the next line of a table: the row as it is to be written. The tables come in the order of `TableName::ALL`.
    ///
    /// # Errors
    /// Where no business has such a row, or as many.
    pub fn read(&mut self, table: TableName, json: &str) -> Result<Row, ArchiveFault> {
        let line = self.lines.entry(table).or_default();
        *line += 1;
        let line = *line;
        let fault = |why: String| ArchiveFault::Row {
            table: table.name(),
            line,
            why,
        };
        let errors = bounds::check(json).map_err(|_| fault("it is no JSON".to_owned()))?;
        if let Some(first) = errors.first() {
            return Err(fault(first.to_owned()));
        }
        let numbers = serde_json::from_str(json).is_ok_and(|it| has_sane_numbers("", &it));
        if !numbers {
            return Err(fault("a number is out of bounds".to_owned()));
        }
        let mut row = read_line(table, json).map_err(|it| fault(it.to_string()))?;
        self.adopt(&mut row);
        self.hold_against_others(&row, line)?;
        Ok(row)
    }

    /// Makes the row one of this business: the account is its own, and nobody who was linked elsewhere is linked here.
    fn adopt(&self, row: &mut Row) {
        match row {
            Row::Sitter(it) => {
                it.id = self.sitter.id;
                it.email.clone_from(&self.sitter.email);
                it.created_at = self.sitter.created_at;
                it.subscription.clone_from(&self.sitter.subscription);
            }
            Row::AvailabilityConfig(it) => it.id = self.sitter.id,
            Row::Client(it) => {
                it.client_user_id = None;
                it.parents.clear();
                for change in &mut it.parent_changes {
                    change.by = None;
                }
            }
            Row::Message(it) => it.client_user_id = None,
            Row::WalkRequest(it) => it.asked_by = None,
            // A mail that waits is in the queue of the other server.
            Row::Invoice(it) => it.mailed = it.mailed.take().filter(|it| !it.is_waiting()),
            Row::Report(it) => it.mailed = it.mailed.take().filter(|it| !it.is_waiting()),
            Row::Service(it) => it.mailed = it.mailed.take().filter(|it| !it.is_waiting()),
            _ => {}
        }
    }

    fn hold_against_others(&mut self, row: &Row, line: usize) -> Result<(), ArchiveFault> {
        let key = row.key();
        if MAX_ROWS <= self.seen.len() {
            return Err(ArchiveFault::TooLarge("it has too many rows"));
        }
        if !self.seen.insert(key) {
            return Err(ArchiveFault::Rows("two rows have one id"));
        }
        let table = key.table;
        let of_client = match row {
            Row::Pet(it) => {
                let client = RowKey {
                    table: TableName::Client,
                    id: it.client_id,
                };
                if !self.seen.contains(&client) {
                    return Err(ArchiveFault::Rows("a pet has no client"));
                }
                Some((it.client_id, bounds::PETS))
            }
            Row::Message(it) => Some((it.client_id, bounds::MESSAGES)),
            Row::WalkRequest(it) => Some((it.client_id, bounds::REQUESTS)),
            _ => None,
        };
        let is_too_many = of_client.is_some_and(|(client_id, most)| {
            let n = self.of_client.entry((table, client_id)).or_default();
            *n += 1;
            most < *n
        });
        if most_rows(table) < line || is_too_many {
            return Err(ArchiveFault::TooLarge(table.name()));
        }
        let share_id = match row {
            Row::Service(it) => {
                let most = bounds::SERVICES_ON_A_DAY;
                self.check_day(table, it.date, most, "services on a day")?;
                None
            }
            Row::Expense(it) => {
                let most = bounds::EXPENSES_ON_A_DAY;
                self.check_day(table, it.date, most, "expenses on a day")?;
                None
            }
            Row::Invoice(it) => {
                let is_new = it.number.is_some_and(|it| {
                    // Above them there is room for as many again.
                    (1..=MAX_INVOICE_NUMBER).contains(&it) && self.invoice_numbers.insert(it)
                });
                if !is_new {
                    return Err(ArchiveFault::Rows(
                        "two invoices have one number, or one has none",
                    ));
                }
                it.share_id.as_ref()
            }
            Row::Message(it) => {
                if !self.message_numbers.insert((it.client_id, it.number)) {
                    return Err(ArchiveFault::Rows(
                        "two messages of a conversation have one number",
                    ));
                }
                None
            }
            Row::Report(it) => it.share_id.as_ref(),
            _ => None,
        };
        let is_known = share_id.is_some_and(|it| !self.share_ids.insert(it.clone()));
        if is_known {
            return Err(ArchiveFault::Rows("two pages have one address"));
        }
        Ok(())
    }

    fn check_day(
        &mut self,
        table: TableName,
        date: Date,
        most: usize,
        what: &'static str,
    ) -> Result<(), ArchiveFault> {
        let n = self.on_day.entry((table, date)).or_default();
        *n += 1;
        if most < *n {
            return Err(ArchiveFault::TooLarge(what));
        }
        Ok(())
    }

    /// Checks that the rows read so far make a complete business.
    ///
    /// # Errors
    /// Unless there is exactly one sitter.
    pub fn finish(&self) -> Result<(), ArchiveFault> {
        if self.count(TableName::Sitter) != 1 {
            return Err(ArchiveFault::Rows("it has no business"));
        }
        Ok(())
    }
}

/// The most rows that a table of a business has.
pub fn most_rows(table: TableName) -> usize {
    match table {
        TableName::Sitter | TableName::AvailabilityConfig => 1,
        TableName::Client => bounds::CLIENTS,
        TableName::Offering => bounds::OFFERINGS,
        TableName::Pattern => bounds::PATTERNS,
        TableName::BlockedTime => bounds::BLOCKED_TIMES,
        TableName::Report => bounds::REPORTS,
        TableName::Invoice => bounds::INVOICES,
        TableName::Expense => bounds::EXPENSES,
        TableName::Series => bounds::SERIES_KEPT,
        // So many of a client, or on a day.
        _ => usize::MAX,
    }
}

/// Returns true if every number in `json` is one that a form could have taken, or at least far from where sums break.
fn has_sane_numbers(field: &str, json: &Value) -> bool {
    match json {
        Value::Number(number) => {
            let (least, most) = match field {
                "duration_minutes" | "requested_duration_minutes" => {
                    (0.0, 24.0 * 60.0 * f64::from(bounds::STAY_DAYS))
                }
                "default_slot_duration_minutes"
                | "slot_interval_minutes"
                | "buffer_minutes"
                | "default_buffer_minutes"
                | "day_of_week"
                | "show_slots_days_ahead"
                | "series_weeks_ahead" => (0.0, 1440.0),
                "price"
                | "base_price"
                | "estimated_price"
                | "pricing_walk"
                | "pricing_dropin"
                | "walk_rate_30min"
                | "walk_rate_45min"
                | "walk_rate_60min"
                | "additional_dog_percentage"
                | "additional_dog_walk_rate"
                | "additional_dog_dropin_rate"
                | "amount"
                | "tip"
                | "kept"
                | "miles" => (0.0, MAX_NUMBER),
                _ => (-MAX_NUMBER, MAX_NUMBER),
            };
            number
                .as_f64()
                .is_some_and(|it| (least..=most).contains(&it))
        }
        Value::Array(items) => items.iter().all(|it| has_sane_numbers(field, it)),
        Value::Object(fields) => fields
            .iter()
            .all(|(name, it)| match (field, name.as_str()) {
                // A discount is a line below 0.
                ("extras", "amount") => has_sane_numbers("discount", it),
                (_, name) => has_sane_numbers(name, it),
            }),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Instant;
    use crate::archive::line;
    use crate::rows::client::{Client, Parent};
    use crate::rows::invoice::Invoice;
    use crate::rows::message::Message;
    use crate::rows::pet::Pet;
    use crate::rows::report::Report;
    use crate::rows::service::Service;
    use crate::rows::subscription::Subscription;

    fn sitter(id: u128, email: &str) -> Sitter {
        Sitter::new(
            Id::of(id),
            "Dana".into(),
            email.into(),
            "Europe/Helsinki".into(),
            Instant(5),
        )
    }

    fn incoming() -> Incoming {
        Incoming::new(sitter(1, "own@example.com"))
    }

    fn read(incoming: &mut Incoming, row: Row) -> Result<Row, ArchiveFault> {
        let json = line(&row).unwrap();
        incoming.read(row.key().table, &json)
    }

    #[test]
    fn a_price_below_zero_is_turned_down_and_a_discount_is_not() {
        let read = |json: Value, table| incoming().read(table, &json.to_string());
        let with = |row: Row, field: &str, value: Value| -> Value {
            let mut json: Value = serde_json::from_str(&line(&row).unwrap()).unwrap();
            json[field] = value;
            json
        };
        let client = || Row::Client(Client::new(Id::of(2), Instant(5)));
        let wrong = with(client(), "pricing_walk", (-25).into());
        let refused = read(wrong, TableName::Client).unwrap_err().to_string();
        assert!(refused.contains("a number is out of bounds"), "{refused}");
        assert!(read(with(client(), "pricing_walk", 25.into()), TableName::Client).is_ok());
        let invoice = Invoice {
            number: Some(1),
            ..Invoice::default()
        };
        let with_amounts = |discount: i64, paid: i64| {
            let mut json: Value =
                serde_json::from_str(&line(&Row::Invoice(invoice.clone())).unwrap()).unwrap();
            json["invoice_data"]["extras"] =
                serde_json::json!([{ "label": "A friend", "amount": discount }]);
            json["payments"] =
                serde_json::json!([{ "id": Id::of(3), "amount": paid, "paid_on": "2026-11-20" }]);
            read(json, TableName::Invoice)
        };
        assert!(with_amounts(-5, 20).is_ok(), "{:?}", with_amounts(-5, 20));
        assert!(with_amounts(-5, -20).is_err());
    }

    #[test]
    fn more_rows_than_all_tables_may_have_are_turned_down() {
        let mut incoming = incoming();
        let others = (1..MAX_ROWS).map(|n| RowKey {
            table: TableName::Expense,
            id: Id::of(n as u128),
        });
        incoming.seen.extend(others);
        let mut client = Client::new(Id::of(3), Instant(0));
        client.name = "Sam".to_owned();
        assert!(read(&mut incoming, Row::Client(client.clone())).is_ok());
        client.id = Id::of(4);
        let refused = ArchiveFault::TooLarge("it has too many rows");
        assert_eq!(read(&mut incoming, Row::Client(client)), Err(refused));
    }

    #[test]
    fn the_account_stays_the_own_one_and_links_stay_behind() {
        let mut incoming = incoming();
        let mut other = sitter(2, "other@example.com");
        let pro = Subscription {
            plan_id: "pro".to_owned(),
            ..Subscription::free()
        };
        other.subscription = Some(pro);
        let Ok(Row::Sitter(read_sitter)) = read(&mut incoming, Row::Sitter(other)) else {
            panic!("a sitter");
        };
        assert_eq!(
            (read_sitter.id, read_sitter.email.as_str()),
            (Id::of(1), "own@example.com")
        );
        assert_eq!(
            read_sitter.subscription, None,
            "what is paid for is no part of an archive"
        );
        let mut client = Client::new(Id::of(3), Instant(0));
        client.name = "Sam".to_owned();
        client.add_login(Parent::default(), None);
        let Ok(Row::Client(client)) = read(&mut incoming, Row::Client(client)) else {
            panic!("a client");
        };
        assert_eq!((client.client_user_id, client.parents), (None, Vec::new()));
        assert_eq!(incoming.finish(), Ok(()));
    }

    #[test]
    fn a_report_comes_back_with_what_its_page_shows() {
        let json = r#"{"id":"00000000-0000-0000-0000-000000000005","walk_id":"00000000-0000-0000-0000-000000000006",
            "client_id":"00000000-0000-0000-0000-000000000003","dogs":["Rex"],"started_at":"2026-11-20T08:00:00Z",
            "share_id":null,"shared_at":"2026-11-20T09:00:00Z"}"#;
        let mut report: Report = serde_json::from_str(json).unwrap();
        report.content.note = "Good dog".to_owned();
        assert_eq!(
            read(&mut incoming(), Row::Report(report.clone())),
            Ok(Row::Report(report))
        );
    }

    #[test]
    fn rows_that_no_business_has_are_named() {
        let client = Client::new(Id::of(3), Instant(0));
        let json = line(&Row::Client(client.clone())).unwrap();
        let bad = |json: String| {
            incoming()
                .read(TableName::Client, &json)
                .unwrap_err()
                .to_string()
        };
        let long = json.replace(r#""name":"""#, &format!(r#""name":"{}""#, "n".repeat(201)));
        let text =
            "This archive cannot be imported: client, line 1: Name cannot exceed 200 characters";
        assert_eq!(bad(long), text);
        for wrong in [
            "{}".to_owned(),
            "[".to_owned(),
            String::new(),
            json.replace(r#""pricing_walk":"#, r#""pricing_walk":1e300,"x":"#),
            json.replace(r#""name":"""#, r#""name":"\u0000""#),
        ] {
            assert!(bad(wrong.clone()).contains("line 1"), "{wrong}");
        }
    }

    #[test]
    fn rows_that_do_not_go_together_are_turned_down() {
        let client = Row::Client(Client::new(Id::of(3), Instant(0)));
        let mut twice = incoming();
        assert!(read(&mut twice, client.clone()).is_ok());
        assert_eq!(
            read(&mut twice, client),
            Err(ArchiveFault::Rows("two rows have one id"))
        );
        let stray = Row::Pet(Pet::new(Id::of(4), Id::of(99)));
        assert_eq!(
            read(&mut incoming(), stray),
            Err(ArchiveFault::Rows("a pet has no client"))
        );
        let invoice = |id: u128, number: u32| {
            Row::Invoice(Invoice {
                id: Id::of(id),
                number: Some(number),
                ..Invoice::default()
            })
        };
        let mut gap = incoming();
        assert!(read(&mut gap, Row::Sitter(sitter(2, ""))).is_ok());
        assert!(read(&mut gap, invoice(1, 1)).is_ok());
        assert!(read(&mut gap, invoice(2, 3)).is_ok());
        assert!(read(&mut gap, invoice(3, 3)).is_err());
        assert!(read(&mut gap, invoice(4, 0)).is_err());
        assert_eq!(gap.finish(), Ok(()));
        assert!(incoming().finish().is_err());
    }

    #[test]
    fn no_two_messages_of_a_conversation_have_one_number() {
        let mut incoming = incoming();
        let message =
            |id, client_id| Row::Message(Message::new(Id::of(id), Id::of(client_id), Instant(0)));
        assert!(read(&mut incoming, message(1, 3)).is_ok());
        assert!(read(&mut incoming, message(2, 4)).is_ok());
        assert_eq!(
            read(&mut incoming, message(5, 3)),
            Err(ArchiveFault::Rows(
                "two messages of a conversation have one number"
            )),
        );
    }

    #[test]
    fn no_day_has_more_services_than_a_business_takes() {
        let mut day = incoming();
        let service = |id: usize| {
            let mut service = Service::new(Id::of(id as u128), Instant(0));
            service.date = "2026-11-20".parse().unwrap();
            Row::Service(service)
        };
        for id in 0..bounds::SERVICES_ON_A_DAY {
            assert!(read(&mut day, service(id)).is_ok());
        }
        assert_eq!(
            read(&mut day, service(bounds::SERVICES_ON_A_DAY)),
            Err(ArchiveFault::TooLarge("services on a day")),
        );
    }
}
