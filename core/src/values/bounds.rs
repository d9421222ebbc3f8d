//! Owns how much there may be of anything: of rows, in a list, of a text, of a number; and the one check of all that
//! somebody sends or types, by the names of its fields. Server, forms and the API's document have these numbers from here.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::values::date::Date;
use crate::values::form_errors::FieldErrors;
use crate::values::money::{Cents, grouped};
use crate::values::patch::label;

/// The pets of a client, and those along on a service or a walk.
pub const PETS: usize = 50;

/// The clients of a business.
pub const CLIENTS: usize = 10_000;

/// The sitters that a pet parent is connected with.
pub const SITTERS: usize = 100;

/// The unused invitations of a client; the oldest make room.
pub const INVITES: usize = 5;

/// The bytes of a file of clients that is imported.
pub const IMPORT_BYTES: usize = 512 * 1024;

/// The same of vCards with the pictures in them, which are passed over.
pub const IMPORT_CARDS_BYTES: usize = 4 * 1024 * 1024;

/// The rows of such a file.
pub const IMPORT_ROWS: usize = 5_000;

/// The columns of such a file.
pub const IMPORT_COLUMNS: usize = 200;

/// The clients of such a file that come, and go again, as one change.
pub const IMPORT_CLIENTS: usize = 500;

/// The pets of such clients together, three for each of the most clients: clients and pets are written in one transaction,
/// for which everybody else waits.
pub const IMPORT_PETS: usize = 1_500;

/// The pets of a file, whose clients come in pieces of so many.
pub const IMPORT_FILE_PETS: usize = 10 * IMPORT_PETS;

/// The bytes of such clients on their way, as JSON: a push has them with room to spare.
pub const IMPORT_JSON_BYTES: usize = 768 * 1024;

/// The series of a file that is imported.
pub const IMPORT_SERIES: usize = 500;

/// The services on a day, cancelled ones among them.
pub const SERVICES_ON_A_DAY: usize = 500;

/// The newest service records that are listed where nobody says how many, and at most.
pub const RECENT_RECORDS: (u64, u64) = (10, 100);

/// The days of a stay, the first and the last among them.
pub const STAY_DAYS: u32 = 90;

/// The days that analytics look at together: five years.
pub const ANALYTICS_DAYS: u32 = 1_830;

/// The services that analytics look at together: five years of ten thousand with the five before, and a month.
pub const ANALYTICS_SERVICES: usize = 110_000;

/// How many days are searched for the nearest time that a client may ask for, at most.
pub const DAYS_SEARCHED: u32 = 62;

/// The requests that are made and approved at once.
pub const REQUESTS_AT_ONCE: usize = 14;

/// Number of days ahead at which the calendar ends from which clients choose, where no hours limit it.
pub const CALENDAR_DAYS: u32 = 366;

/// The overlapping services that an answer names.
pub const OBSTACLES: usize = 20;

/// The patterns of a business.
pub const PATTERNS: usize = 200;

/// The blocked times of a business.
pub const BLOCKED_TIMES: usize = 2_000;

/// The offerings of a business.
pub const OFFERINGS: usize = 200;

/// The series of a business that have not ended.
pub const SERIES: usize = 500;

/// The series of a business, ended ones among them.
pub const SERIES_KEPT: usize = 5_000;

/// The times a day of a series.
pub const SERIES_SLOTS: usize = 6;

/// The pauses of a series.
pub const SERIES_PAUSES: usize = 20;

/// The visits that a command about a series makes or changes, and that a series has made ahead.
pub const SERIES_VISITS_AT_ONCE: usize = 366;

/// The services that are moved, marked or copied at once.
pub const SERVICES_AT_ONCE: usize = 366;

/// The visits after which a series can end.
pub const SERIES_VISITS_OF_END: usize = 2_000;

/// The visits that a series keeps in mind as left out: those of the past quarter and of two years to come.
pub const SERIES_LEFT_OUT: usize = 1_200;

/// The days from which on something else holds of a series.
pub const SERIES_PHASES: usize = 50;

/// The visits that a sitter decides on when a time is blocked, and the messages about it.
pub const TIME_OFF_VISITS: usize = 366;

/// The characters of those messages together: a push has them with room to spare.
pub const TIME_OFF_CHARS: usize = 100_000;

/// The days of a trip, the first and the last among them.
pub const TRIP_DAYS: u32 = 366;

/// The documents of a business.
pub const DOCUMENTS: usize = 20;

/// The bytes of all rows of an archive, as JSON: ten years of a hundred services a day.
pub const ARCHIVE_ROW_BYTES: u64 = 256 * 1024 * 1024;

/// The reports that a business has shared and not taken back: of five years of long days.
pub const REPORTS: usize = 20_000;

/// The phones of a business whose queues the server follows; a phone that numbers its queue anew is another one.
pub const DEVICES: usize = 1_000;

/// The tickets of a session, one for each app that is just being opened.
pub const TICKETS: usize = 10;

/// The subscriptions to push that an account has: a phone each, and those of phones that never said that they are gone.
pub const PUSH_SUBSCRIPTIONS: usize = 20;

/// The notifications that wait for one subscription; the oldest make room.
pub const PUSH_DELIVERIES: usize = 50;

/// The events that wait to be mailed to one pet parent; the oldest make room.
pub const EVENT_MAILS: usize = 50;

/// The bytes of a notification before it is encrypted: push services need to take no more than 4,096 (RFC 8030, 7.2).
pub const PUSH_PAYLOAD_BYTES: usize = 2_500;

/// The routes that a phone keeps.
pub const SAVED_ROUTES: usize = 200;

/// The commands in a push.
pub const COMMANDS_IN_A_PUSH: usize = 200;

/// The bytes of a body without files, a push among them.
pub const BODY_BYTES: usize = 1024 * 1024;

/// The characters of a name.
pub const NAME: usize = 200;

/// The characters of an address.
pub const ADDRESS: usize = 500;

/// The characters of notes, of what is said about a pet and of a message.
pub const NOTES: usize = 5_000;

/// The versions of a row's long texts that wait for a decision, beside those that stand.
pub const OTHER_TEXTS: usize = 8;

/// The pet parents of one household who have a login.
pub const PARENTS: usize = 4;

/// The characters of an e-mail address, and its bytes where it is an account's: mail is sent to no longer one (RFC 5321).
pub const EMAIL: usize = 254;

/// The characters of any other text.
pub const TEXT: usize = 500;

/// The messages of a conversation: five years of ten a day.
pub const MESSAGES: usize = 20_000;

/// The bytes that a client writes to one sitter in a day: a thousand short messages, or fifty of the longest in English.
pub const MESSAGE_BYTES_A_DAY: u32 = 256 * 1024;

/// The bytes that the account of a client writes to all its sitters in a day.
pub const MESSAGE_BYTES_OF_ACCOUNT_A_DAY: u32 = 2 * MESSAGE_BYTES_A_DAY;

/// The most requests of one client that wait for an answer and whose day is not over.
pub const PENDING_REQUESTS: usize = 50;

/// The requests of one client that are kept: eight years of one each working day.
pub const REQUESTS: usize = 2_000;

/// How far around a place the server lists tiles of the map, in meters: some 80 MB in a city.
pub const MAP_RADIUS_M: f64 = 50_000.0;

/// The mileage and expense entries of a business: ten years of some five a day.
pub const EXPENSES: usize = 20_000;

/// The same of a day.
pub const EXPENSES_ON_A_DAY: usize = 50;

/// The miles of one of them.
const MILES: f64 = 2_000.0;

/// The invoices and credit notes of a business, deleted ones among them.
pub const INVOICES: usize = 20_000;

/// The bytes of all that an invoice says of its services, as JSON: each of its payments writes them again.
pub const INVOICE_BYTES: usize = 512 * 1024;

/// The payments on one invoice, credit notes among them.
pub const PAYMENTS: usize = 50;

/// The photos on an invoice.
pub const INVOICE_PHOTOS: usize = 30;

/// The videos on an invoice.
pub const INVOICE_VIDEOS: usize = 5;

/// The lines of an invoice that are no services.
pub const EXTRAS: usize = 20;

/// The tips that an invoice offers, and the days on which its client is reminded.
pub const CHOICES: usize = 5;

/// The tax rates of a business beside the default one.
pub const MORE_TAXES: usize = 4;

/// The characters before an invoice's number.
pub const PREFIX: usize = 20;

/// The characters of an IBAN, a BIC, a routing number or an account number, with spaces as people type them.
pub const ACCOUNT_NUMBER: usize = 50;

/// The characters of a tax or VAT number, of one in a register, and of the name on an account.
pub const REGISTRATION: usize = 100;

/// The items of any other list.
const ITEMS: usize = 200;

/// The largest video, in bytes.
pub const VIDEO_BYTES: u64 = 100 * 1024 * 1024;

/// The most points that a report's lines have together; a walk of hours is simplified until it has no more.
pub const REPORT_POINTS: usize = 2_000;

/// The most unbroken lines of a report: a phone that lost its position each minute of a day has fewer.
pub const REPORT_LINES: usize = 500;

/// The most events of a report.
pub const REPORT_EVENTS: usize = 200;

/// The most photos in one report.
pub const REPORT_PHOTOS: usize = 50;

/// The most that all events of a report say together, in characters.
pub const REPORT_EVENT_CHARS: usize = 20_000;

/// The characters of a polyline: a point of the longest line has two numbers of seven.
const POLYLINE: usize = REPORT_POINTS * 14;

/// The highest price that a form takes: prices times dogs stay far below what can be written and read exactly.
pub const MAX_PRICE: Cents = Cents(100_000_000);

/// The highest that a service comes to, by the price, the days and the dogs together.
pub const MAX_TOTAL: Cents = Cents(MAX_PRICE.0 * 100);

/// The longest service (SPEC 5, Generic).
pub const DURATION_LIMIT_MINUTES: u32 = 480;

/// The stops of a day among whose orders the best one is looked for: of ten there are 3,628,800.
pub const DAY_STOPS: usize = 10;

/// The corrections of a service that are kept: the latest ones.
pub const CORRECTIONS: usize = 20;

/// The photos and events that a client sees of a visit before its report: the latest ones.
pub const LIVE_EVENTS: usize = 40;

/// The longest way of which a client is told when the sitter should be there, in minutes.
pub const WAY_MINUTES: u32 = 180;

/// The points of the line of a live map; a walk of hours is simplified until it has no more.
pub const LIVE_MAP_POINTS: usize = 2_000;

/// The characters of that line, which is sent three times a minute.
pub const LIVE_MAP_CHARS: usize = 16_000;

/// The unbroken lines of a live map: the newest ones.
pub const LIVE_MAP_LINES: usize = 100;

/// The age of the newest position of a live map, in seconds: a dog may sleep on the way.
pub const LIVE_MAP_AGE_SECONDS: u32 = 24 * 60 * 60;

/// Live maps of a service of which the server knows, those that were switched off in the last day among them; beyond it no
/// other one is shown.
pub const LIVE_MAPS_OF_A_SERVICE: u64 = 50;

/// The most that those events say together, in characters.
pub const LIVE_CHARS: usize = 2 * NOTES;

/// The most minutes by which a sitter says to be late.
pub const DELAY_MINUTES: u32 = 240;

/// The longest time that can be kept free around a service: with it and the longest service, what can be in the
/// way of a service lies within a day on either side.
pub const BUFFER_LIMIT_MINUTES: u32 = 480;

/// The most characters that the text of this field has.
pub fn text(field: &str) -> usize {
    match field {
        "name" | "business_name" | "pattern_name" | "client_name" | "tax_name" => NAME,
        "email" | "contact_email" => EMAIL,
        "address"
        | "service_area_address"
        | "postal_address"
        | "billing_address"
        | "billingAddress" => ADDRESS,
        "notes" | "internal_notes" | "completion_notes" | "access_notes" | "about"
        | "house_instructions" | "how_to_get_in" | "message" | "description" | "content"
        | "note" | "settled" => NOTES,
        "points" => POLYLINE,
        "prefix" => PREFIX,
        "iban" | "bic" | "routing_number" | "account_number" => ACCOUNT_NUMBER,
        "tax_id" | "registration_number" | "account_holder" => REGISTRATION,
        _ => TEXT,
    }
}

/// The most items that the list of this field has.
pub fn list(field: &str) -> usize {
    match field {
        "dogs" | "removed_dogs" | "dog_ids" | "reports" | "client_ids" | "service_ids" => PETS,
        "clients" => IMPORT_CLIENTS,
        "other_texts" => OTHER_TEXTS,
        "service_types" | "blocked_services" => 10,
        "events" => REPORT_EVENTS,
        "live" | "taken_back" => LIVE_EVENTS,
        "lines" => REPORT_LINES,
        "photos" => INVOICE_PHOTOS,
        "videos" => INVOICE_VIDEOS,
        "extras" => EXTRAS,
        "tips" | "reminder_days" => CHOICES,
        "more_taxes" | "moreTaxes" => MORE_TAXES,
        "orders" | "serviceOrders" => OFFERINGS,
        "mutations" | "ids" => COMMANDS_IN_A_PUSH,
        "weekdays" => 7,
        "slots" | "removed_slots" => SERIES_SLOTS,
        "pauses" => SERIES_PAUSES,
        "phases" => SERIES_PHASES,
        "choices" | "waiting" | "stood" | "overlapping" | "own" | "put_back" | "cancels"
        | "reopens" | "prices" | "shares" => SERIES_VISITS_AT_ONCE,
        "left_out" => SERIES_LEFT_OUT,
        "visits" | "messages" | "to_pass_on" => TIME_OFF_VISITS,
        "approvals" => REQUESTS_AT_ONCE,
        "moves" | "marked" | "copies" | "copied" => SERVICES_AT_ONCE,
        _ => ITEMS,
    }
}

/// The least and the most that the number of this field is, where no rule has a sentence of its own for it.
pub fn number(field: &str) -> Option<(f64, f64)> {
    Some(match field {
        "lat" => (-90.0, 90.0),
        "lng" => (-180.0, 180.0),
        "radius_m" => (0.0, MAP_RADIUS_M),
        "weight" => (f64::MIN, 10_000.0),
        "max_concurrent_services" | "priority" => (f64::MIN, 1_000.0),
        "min_advance_hours" => (f64::MIN, 8_784.0),
        "max_advance_days" => (f64::MIN, 3_660.0),
        // Hundredths of a percent.
        "rate" => (f64::MIN, 10_000.0),
        "rate_thousandths" => (0.0, 9.0),
        "number_digits" | "numberDigits" => (0.0, 8.0),
        "due_days" | "reminder_days" => (0.0, 365.0),
        "tips" => (1.0, 100.0),
        // Every month has these days.
        "bill_day" => (1.0, 28.0),
        "display_order" => (f64::MIN, 1_000_000.0),
        "miles" => (0.0, MILES),
        "age_seconds" => (0.0, f64::from(LIVE_MAP_AGE_SECONDS)),
        _ => return None,
    })
}

/// The least and the most that the number of this field is, whoever says so: for the API's document.
#[cfg(feature = "openapi")]
#[expect(clippy::cast_precision_loss, reason = "a million is none")]
pub fn range(field: &str) -> Option<(f64, f64)> {
    let minutes = f64::from(DURATION_LIMIT_MINUTES);
    Some(match field {
        "price"
        | "amount"
        | "quoted_price"
        | "base_price"
        | "pricing_walk"
        | "pricing_dropin"
        | "walk_rate_30min"
        | "walk_rate_45min"
        | "walk_rate_60min"
        | "additional_dog_walk_rate"
        | "additional_dog_dropin_rate" => (0.0, (MAX_PRICE.0 / 100) as f64),
        "additional_dog_percentage" | "service_area_radius_miles" | "radius_miles" => (0.0, 100.0),
        "duration_minutes" | "requested_duration_minutes" | "default_slot_duration_minutes" => {
            (1.0, minutes)
        }
        "slot_interval_minutes" => (5.0, minutes),
        "buffer_minutes" | "default_buffer_minutes" => (0.0, f64::from(BUFFER_LIMIT_MINUTES)),
        "show_slots_days_ahead" => (1.0, 365.0),
        "series_weeks_ahead" => (4.0, 26.0),
        "day_of_week" | "weekday" | "weekdays" => (0.0, 6.0),
        "every" => (1.0, 365.0),
        "day" => (1.0, 31.0),
        "nth" => (1.0, 5.0),
        "visits" => (1.0, SERIES_VISITS_OF_END as f64),
        "size_bytes" => (1.0, VIDEO_BYTES as f64),
        "service_area_lat" => return number("lat"),
        "service_area_lng" => return number("lng"),
        _ => {
            let (least, most) = number(field)?;
            (if least == f64::MIN { 0.0 } else { least }, most)
        }
    })
}

/// The first and the last day that this field takes.
pub fn days(field: &str) -> Option<(Date, Date)> {
    let first = match field {
        "date"
        | "start_date"
        | "end_date"
        | "requested_end_date"
        | "due_date"
        | "paid_on"
        | "refunded_on"
        | "block_date"
        | "recurrence_end_date"
        | "begins"
        | "ends"
        | "booked_for"
        | "from"
        | "to"
        | "to_date"
        | "last_day"
        | "on" => 2000,
        // A tortoise is older than most sitters.
        "birthday" | "adoption_date" => 1900,
        _ => return None,
    };
    Date::new(first, 1, 1).zip(Date::new(2200, 12, 31))
}

/// Returns true if a text may hold the character: no control character but line feed and tab.
pub fn is_text(char: char) -> bool {
    !char.is_control() || matches!(char, '\n' | '\t')
}

/// Returns the error of a field's text that has control characters, is too long, or names a day out of bounds.
pub fn text_error(field: &str, content: &str) -> Option<String> {
    let most = text(field);
    if !content.chars().all(is_text) {
        return Some(label(field) + " cannot hold control characters");
    }
    // What has no more bytes has no more characters.
    if most < content.len() && most < content.chars().count() {
        return Some(too_much(field, most, " characters"));
    }
    let (first, last) = days(field)?;
    let day: Date = content.parse().ok()?;
    (!(first..=last).contains(&day)).then(|| {
        let (first, last) = (first.to_string(), last.to_string());
        [&label(field), " must be from ", &first, " to ", &last].concat()
    })
}

fn number_error(field: &str, value: f64) -> Option<String> {
    let (least, most) = number(field)?;
    if (least..=most).contains(&value) {
        return None;
    }
    Some(if least == f64::MIN {
        [&label(field), " cannot exceed ", &whole(most)].concat()
    } else {
        let (least, most) = (whole(least), whole(most));
        [&label(field), " must be from ", &least, " to ", &most].concat()
    })
}

/// A bound in words; all of them are whole. What writes any other number is one of the largest functions of the standard
/// library, and the phone would download it for this alone.
#[expect(clippy::cast_possible_truncation, reason = "it is whole and small")]
fn whole(bound: f64) -> String {
    (bound as i64).to_string()
}

fn too_much(field: &str, most: usize, of_what: &str) -> String {
    let most = grouped(most.try_into().unwrap_or(u64::MAX));
    [&label(field), " cannot exceed ", &most, of_what].concat()
}

/// The refusal of one more where a business has as many as it may have.
pub(crate) fn check_room(field: &str, there_are: usize, most: usize) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    errors.check(most <= there_are, field, too_much(field, most, ""));
    errors.or(())
}

/// Returns errors for the parts of this JSON that are out of bounds, by the names of its fields. Reading ends at a list
/// that is too long.
///
/// # Errors
/// If the text is not JSON.
pub fn check(json: &str) -> serde_json::Result<FieldErrors> {
    check_but("", json)
}

/// As `check`, but for what fields of this name have, which is checked apart.
///
/// # Errors
/// Where the text is no JSON.
pub fn check_but(unread: &'static str, json: &str) -> serde_json::Result<FieldErrors> {
    let mut found = Found {
        unread,
        ..Found::default()
    };
    let mut reader = serde_json::Deserializer::from_str(json);
    let checked = Checked {
        field: "",
        found: &mut found,
    };
    let read = checked.deserialize(&mut reader).and_then(|()| reader.end());
    match read {
        Err(error) if found.errors.0.is_empty() => Err(error),
        _ => Ok(found.errors),
    }
}

/// Words around the fields of a row, which forms do not know.
const AROUND: [&str; 9] = [
    "args",
    "changes",
    "client",
    "offering",
    "service",
    "pattern",
    "blocked_time",
    "expense",
    "walk",
];

#[derive(Default)]
struct Found {
    /// Path of the value that is being read: `dogs.0.name`.
    path: String,
    /// Fields that are passed over.
    unread: &'static str,
    errors: FieldErrors,
}

impl Found {
    /// Goes down to a part of what is read; gives where it was.
    fn enter(&mut self, part: &str) -> usize {
        let before = self.path.len();
        if !AROUND.contains(&part) {
            if before > 0 {
                self.path.push('.');
            }
            self.path.push_str(part);
        }
        before
    }

    fn add(&mut self, error: Option<String>) {
        if let Some(error) = error {
            self.errors.add(self.path.as_str(), error);
        }
    }
}

/// Reads a value of a field and keeps nothing of it but what is wrong.
struct Checked<'a> {
    field: &'a str,
    found: &'a mut Found,
}

impl<'de> DeserializeSeed<'de> for Checked<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Checked<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "what loses precision is far out of bounds"
    )]
    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.visit_f64(value as f64)
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "what loses precision is far out of bounds"
    )]
    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.found.add(number_error(self.field, value));
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.found.add(text_error(self.field, value));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Self { field, found } = self;
        let most = list(field);
        for place in 0_usize.. {
            let before = found.enter(&place.to_string());
            let item = Checked { field, found };
            let is_there = items.next_element_seed(item)?.is_some();
            found.path.truncate(before);
            if !is_there {
                break;
            }
            if place == most {
                found.add(Some(too_much(field, most, "")));
                return Err(A::Error::custom("a list is too long"));
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let found = self.found;
        while let Some(field) = fields.next_key::<String>()? {
            if text_error("field", &field).is_some() {
                found.add(Some("A field has no such name".to_owned()));
                return Err(A::Error::custom("a field has no such name"));
            }
            if field == found.unread {
                fields.next_value::<IgnoredAny>()?;
                continue;
            }
            let before = found.enter(&field);
            fields.next_value_seed(Checked {
                field: &field,
                found,
            })?;
            found.path.truncate(before);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::form_errors::ERRORS;
    use serde_json::json;

    fn said(json: &serde_json::Value) -> Vec<(String, String)> {
        let errors = check(&json.to_string()).unwrap().0;
        errors.into_iter().map(|it| (it.field, it.text)).collect()
    }

    #[track_caller]
    fn refused(json: &serde_json::Value, field: &str, text: &str) {
        assert_eq!(said(json), [(field.to_owned(), text.to_owned())]);
    }

    #[test]
    fn an_undo_of_a_series_has_room_for_all_visits_that_its_change_may_touch() {
        for field in ["own", "put_back", "waiting", "stood", "overlapping"] {
            assert_eq!(list(field), SERIES_VISITS_AT_ONCE, "{field}");
        }
    }

    #[test]
    fn what_is_within_the_bounds_is_taken() {
        let pets = vec![json!({ "changes": { "name": "Rex", "about": "é".repeat(NOTES) } }); PETS];
        let command = json!({ "name": "create_client", "args": {
            "client": { "name": "n".repeat(NAME), "address": "a\nb\tc", "lat": 60.1 }, "dogs": pets,
        } });
        assert_eq!(said(&command), []);
    }

    #[test]
    fn a_text_that_is_too_long_is_named_with_its_bound() {
        refused(
            &json!({ "args": { "client": { "access_notes": "é".repeat(NOTES + 1) } } }),
            "access_notes",
            "Access notes cannot exceed 5,000 characters",
        );
        let pet = json!({ "changes": { "name": "n".repeat(NAME + 1) } });
        refused(
            &json!({ "args": { "dogs": [{}, pet] } }),
            "dogs.1.name",
            "Name cannot exceed 200 characters",
        );
    }

    #[test]
    fn a_text_holds_no_control_characters_but_line_feed_and_tab() {
        for bad in ["\0", "a\rb", "\u{1b}[2J", "\u{7f}", "\u{85}"] {
            let text = "Email cannot hold control characters";
            refused(&json!({ "email": bad }), "email", text);
        }
        refused(&json!({ "a\0b": 1 }), "", "A field has no such name");
    }

    #[test]
    fn reading_ends_at_a_list_that_is_too_long() {
        // What follows is no JSON, and nobody gets that far.
        let json = format!("{{\"dogs\":[{}", "{},".repeat(8_000));
        let errors = check(&json).unwrap().0;
        assert_eq!(errors.len(), 1);
        assert_eq!(errors[0].field, "dogs");
        assert_eq!(errors[0].text, "Dogs cannot exceed 50");
        assert!(check("{\"dogs\":[").is_err());
    }

    #[test]
    fn what_is_checked_apart_is_not_even_read() {
        let json = r#"{"args":{"name":"\ud800"},"name":"\u0000"}"#;
        assert!(check(json).is_err());
        assert_eq!(check_but("args", json).unwrap().0[0].field, "name");
    }

    #[test]
    fn an_answer_names_so_many_errors_and_no_more() {
        let fields: serde_json::Map<_, _> = (0..2_000)
            .map(|it| (format!("f{it}"), json!("\0")))
            .collect();
        assert_eq!(said(&fields.into()).len(), ERRORS);
    }

    #[test]
    fn numbers_and_days_have_their_bounds() {
        let weight = "Weight cannot exceed 10000";
        refused(&json!({ "weight": 1e300 }), "weight", weight);
        refused(&json!({ "lat": 91 }), "lat", "Lat must be from -90 to 90");
        let date = "Date must be from 2000-01-01 to 2200-12-31";
        refused(&json!({ "date": "1999-12-31" }), "date", date);
        refused(&json!({ "date": "9999-12-31" }), "date", date);
        assert_eq!(
            said(&json!({ "birthday": "1987-02-01", "date": "2000-01-01" })),
            []
        );
    }

    #[test]
    fn a_business_has_room_for_so_many_rows() {
        assert!(check_room("clients", CLIENTS - 1, CLIENTS).is_ok());
        let errors = check_room("clients", CLIENTS, CLIENTS).unwrap_err();
        assert_eq!(errors.first(), Some("Clients cannot exceed 10,000"));
    }
}
