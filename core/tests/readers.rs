//! Compares the list of who reads each field (`rules::readers`) with the rows that have the fields, with what a client
//! sees of them, and with the pages that everybody with a link opens.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use walkies_core::commands::{ShareInvoice, decide};
use walkies_core::invoice::TipChoice;
use walkies_core::rows::blocked_time::BlockedTime;
use walkies_core::rows::client::Client;
use walkies_core::rows::expense::Expense;
use walkies_core::rows::invoice::{
    Invoice, InvoiceData, InvoiceExtra, InvoicePayment, InvoiceRefund, WriteOff,
};
use walkies_core::rows::message::Message;
use walkies_core::rows::offering::Offering;
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::pet::Pet;
use walkies_core::rows::report::{Report, ReportContent, SharedWalk};
use walkies_core::rows::series::{Series, SeriesPause, SeriesPhase};
use walkies_core::rows::service::{Service, ServiceStatus};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rows::walk_request::WalkRequest;
use walkies_core::rules::client_view::{is_private, shown_to};
use walkies_core::rules::readers::{READERS, Reader};
use walkies_core::values::field::Field;
use walkies_core::values::patch::Patch;
use walkies_core::values::report_kind::ReportKind;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Business, Change, Context, Date, Id, Instant, Now, Row, invoice, report};

const CLIENT: Id = Id::of(1);
const PET: Id = Id::of(2);
const SERVICE: Id = Id::of(3);
const AT: Instant = Instant(1_789_948_800_000);

/// Texts that are chosen from a list or say how something is shown, and tell nobody anything.
const CHOSEN: [&str; 3] = ["offering.category", "offering.icon", "sitter.time_zone"];

fn reader_of(name: &str) -> Option<Reader> {
    let found = READERS.iter().find(|it| it.name == name);
    found.map(|it| it.reader)
}

/// The row with the name of each field as its text: `client.vet`.
fn filled<T: Serialize + DeserializeOwned + Clone>(row: &T, table: &str, fields: &[Field]) -> T {
    let mut row = row.clone();
    for name in texts_of(&row, table, fields) {
        let (_, field) = name.split_once('.').unwrap();
        row = Patch::of(field, name.as_str()).merge(&row, fields).row;
    }
    row
}

/// The names of the fields of a row that take any words.
fn texts_of<T: Serialize + DeserializeOwned + Clone>(
    row: &T,
    table: &str,
    fields: &[Field],
) -> Vec<String> {
    let json = serde_json::to_value(row).unwrap();
    let takes_words = |field: &&Field| {
        let merged = Patch::of(field.name, "some words").merge(row, &[**field]);
        matches!(json.get(field.name), Some(Value::String(_))) && merged.malformed.is_empty()
    };
    let texts = fields.iter().filter(takes_words);
    let names = texts.map(|it| [table, ".", it.name].concat());
    names.filter(|it| !CHOSEN.contains(&it.as_str())).collect()
}

fn sitter() -> Sitter {
    let text = String::new;
    let sitter = Sitter::new(Id::of(9), text(), text(), "UTC".to_owned(), AT);
    Sitter {
        email: "sitter.email".to_owned(),
        ..filled(&sitter, "sitter", Sitter::EDITABLE)
    }
}

fn client() -> Client {
    Client {
        how_to_get_in: "client.how_to_get_in".to_owned(),
        ..filled(&Client::new(CLIENT, AT), "client", Client::EDITABLE)
    }
}

fn offering() -> Offering {
    filled(
        &Offering::new(Id::of(4), AT),
        "offering",
        Offering::EDITABLE,
    )
}

fn pet() -> Pet {
    filled(&Pet::new(PET, CLIENT), "pet", Pet::EDITABLE)
}

/// A visit that is done, whose texts are `notes`, or how it went where `is_told`.
fn service(is_told: bool) -> Service {
    let service = Service {
        client_id: CLIENT,
        dog_ids: vec![PET],
        dogs: vec!["pet.name".to_owned()],
        offering_id: Some(Id::of(4)),
        offering_name: "offering.name".to_owned(),
        status: ServiceStatus::Completed,
        date: "2026-09-21".parse().unwrap(),
        ..Service::new(SERVICE, AT)
    };
    let mut service = filled(&service, "service", Service::RECORD_EDITABLE);
    if !is_told {
        service.completion_notes.clear();
    }
    service
}

fn series() -> Series {
    let day = Date::default();
    let phase = SeriesPhase::new(day);
    let pause = SeriesPause::new(Id::of(6), day);
    Series {
        client_id: CLIENT,
        phases: vec![filled(&phase, "series", SeriesPhase::EDITABLE)],
        pauses: vec![filled(&pause, "series", SeriesPause::EDITABLE)],
        ..Series::new(Id::of(5), AT)
    }
}

fn request() -> WalkRequest {
    WalkRequest {
        message: "walk_request.message".to_owned(),
        sitter_response: "walk_request.sitter_response".to_owned(),
        ..WalkRequest::new(Id::of(7), CLIENT, AT)
    }
}

/// A report, as it is shared.
fn shared_report() -> Report {
    Report {
        id: Id::of(8),
        walk_id: Id::of(10),
        client_id: CLIENT,
        kind: ReportKind::Walk,
        dogs: vec!["pet.name".to_owned()],
        service_ids: vec![SERVICE],
        started_at: AT,
        share_id: None,
        shared_at: AT,
        passed_on_at: None,
        mailed: None,
        opened_at: None,
        content: ReportContent {
            note: "report.note".to_owned(),
            walk: SharedWalk::default(),
        },
    }
}

/// An invoice with a line that is no service, money that came and went, and a rest that is written off; or a credit note.
fn paid_invoice(is_credit: bool) -> Invoice {
    let note = || "invoice.payment_note".to_owned();
    let payment = InvoicePayment {
        note: note(),
        ..InvoicePayment::default()
    };
    let refund = InvoiceRefund {
        note: note(),
        ..InvoiceRefund::default()
    };
    let said = match is_credit {
        true => "invoice.credit_reason",
        false => "invoice.note",
    };
    let extra = InvoiceExtra {
        label: "invoice.extra".to_owned(),
        ..InvoiceExtra::default()
    };
    Invoice {
        id: Id::of(11),
        client_id: CLIENT,
        invoice_data: InvoiceData {
            note: said.to_owned(),
            extras: vec![extra],
            ..InvoiceData::default()
        },
        payments: vec![payment],
        refunds: vec![refund],
        write_off: Some(WriteOff {
            note: note(),
            ..WriteOff::default()
        }),
        credits: is_credit.then_some(Id::of(12)),
        ..Invoice::default()
    }
}

/// Fields that no row has as a text of its own: photos are ids, the words of a report come with its page, the settings of
/// invoices are many texts, and walks stay on the phone.
const NOT_COMPARED: [&str; 7] = [
    "invoice.photo",
    "pet.photo",
    "report.note",
    "sitter.invoicing",
    "sitter.photo",
    "walk.note",
    "walk.title",
];

#[test]
fn every_text_that_people_set_in_a_row_has_its_readers() {
    let (id, day) = (Id::of(1), Date::default());
    let mut texts = texts_of(&sitter(), "sitter", Sitter::EDITABLE);
    texts.extend(texts_of(&client(), "client", Client::EDITABLE));
    texts.extend(texts_of(&client(), "client", Client::EDITABLE_BY_CLIENT));
    texts.extend(texts_of(&pet(), "pet", Pet::EDITABLE));
    texts.extend(texts_of(&offering(), "offering", Offering::EDITABLE));
    texts.extend(texts_of(&service(true), "service", Service::EDITABLE));
    texts.extend(texts_of(
        &service(true),
        "service",
        Service::RECORD_EDITABLE,
    ));
    texts.extend(texts_of(&Pattern::new(id), "pattern", Pattern::EDITABLE));
    let block = BlockedTime::new(id, day);
    texts.extend(texts_of(&block, "blocked_time", BlockedTime::EDITABLE));
    let expense = Expense::new(id, day, AT);
    texts.extend(texts_of(&expense, "expense", Expense::EDITABLE));
    let phase = SeriesPhase::new(day);
    texts.extend(texts_of(&phase, "series", SeriesPhase::EDITABLE));
    let pause = SeriesPause::new(id, day);
    texts.extend(texts_of(&pause, "series", SeriesPause::EDITABLE));
    texts.extend(texts_of(&request(), "walk_request", WalkRequest::EDITABLE));
    assert!(texts.contains(&"client.vet".to_owned()), "{texts:?}");
    for name in texts {
        assert!(reader_of(&name).is_some(), "{name} is not in `READERS`");
    }
}

/// Fields whose row a client sees or does not see, by the rows as the client sees them.
#[test]
fn a_client_sees_the_fields_that_are_said_to_be_seen_and_no_others() {
    let whole = [
        Row::Sitter(sitter()),
        Row::Client(client()),
        Row::Pet(pet()),
        Row::Offering(offering()),
        Row::Service(service(true)),
        Row::Series(series()),
        Row::WalkRequest(request()),
        Row::Pattern(filled(
            &Pattern::new(Id::of(1)),
            "pattern",
            Pattern::EDITABLE,
        )),
        Row::BlockedTime(filled(
            &BlockedTime::new(Id::of(1), Date::default()),
            "blocked_time",
            BlockedTime::EDITABLE,
        )),
        Row::Expense(filled(
            &Expense::new(Id::of(1), Date::default(), AT),
            "expense",
            Expense::EDITABLE,
        )),
        Row::Report(shared_report()),
        Row::Invoice(paid_invoice(false)),
        Row::Invoice(paid_invoice(true)),
        Row::Message(Message {
            content: "message.content".to_owned(),
            ..Message::new(Id::of(13), CLIENT, AT)
        }),
    ];
    let json = |rows: &[Row]| -> String { rows.iter().map(|it| it.json().unwrap()).collect() };
    let seen: Vec<Row> = whole.iter().filter_map(|it| shown_to(CLIENT, it)).collect();
    let (whole, seen) = (json(&whole), json(&seen));
    let mut left = Vec::new();
    for it in READERS {
        let text = json!(it.name).to_string();
        match whole.contains(&text) {
            true => assert_eq!(seen.contains(&text), it.reader.has_client(), "{}", it.name),
            false => left.push(it.name),
        }
    }
    assert_eq!(left, NOT_COMPARED);
}

#[test]
fn the_marks_of_the_forms_agree_with_the_list() {
    for it in READERS {
        let (table, field) = it.name.split_once('.').unwrap();
        if ["client", "pet", "service"].contains(&table) {
            assert_eq!(
                is_private(field),
                it.reader == Reader::Sitter,
                "{}",
                it.name
            );
        }
    }
}

/// Text of all pages that everybody with a link opens: invoice and report, with the name of the business or without.
fn public_pages() -> String {
    let zone = TimeZone::UTC;
    let mut pages = Vec::new();
    for (is_told, has_name) in [(true, true), (false, false)] {
        let mut sitter = sitter();
        if !has_name {
            sitter.business_name.clear();
        }
        let mut business = Business::default();
        for row in [
            Row::Sitter(sitter.clone()),
            Row::Client(client()),
            Row::Pet(pet()),
            Row::Offering(offering()),
            Row::Service(service(is_told)),
        ] {
            business.put(1, row);
        }
        let share = ShareInvoice {
            id: Id::of(8),
            client_id: Some(CLIENT),
            services: vec![SERVICE],
            note: "invoice.note".to_owned(),
            ..ShareInvoice::default()
        };
        let now = Now {
            at: AT,
            zone: zone.clone(),
        };
        let decision = decide(&share.into(), &business, &Context::at(now)).unwrap();
        let shared = decision.changes.iter().find_map(|it| match it {
            Change::Put(Row::Invoice(it)) => Some(it.clone()),
            _ => None,
        });
        let page = invoice::page(&shared.unwrap(), &sitter, &zone, AT, TipChoice::None);
        pages.push(serde_json::to_string(&page).unwrap());
        for invoice in [paid_invoice(false), paid_invoice(true)] {
            let page = invoice::page(&invoice, &sitter, &zone, AT, TipChoice::None);
            pages.push(serde_json::to_string(&page).unwrap());
        }
        let page = report::page(&shared_report(), &sitter, &zone);
        pages.push(serde_json::to_string(&page).unwrap());
    }
    pages.concat()
}

#[test]
fn a_public_page_shows_the_fields_that_are_said_to_be_public_and_no_others() {
    let pages = public_pages();
    // Photos are named by their numbers, the settings of invoices are copied whole, and a series gives its notes to visits.
    let is_text = |name: &str| {
        let (table, field) = name.split_once('.').unwrap();
        field != "photo" && field != "invoicing" && table != "series"
    };
    for it in READERS.iter().filter(|it| is_text(it.name)) {
        assert_eq!(
            pages.contains(it.name),
            it.reader.has_public(),
            "{}",
            it.name
        );
    }
}

#[test]
fn the_table_of_the_document_has_every_field_in_the_line_of_its_readers() {
    let document = include_str!("../../docs/decisions/clients.md");
    let line_of = |name: &str| {
        let named = ["`", name, "`"].concat();
        let mut lines = document.lines().filter(|it| it.starts_with("| "));
        lines.position(|it| it.contains(&named))
    };
    for it in READERS {
        assert!(
            line_of(it.name).is_some(),
            "{} is not in the table",
            it.name
        );
        let other = READERS
            .iter()
            .find(|other| (it.reader == other.reader) != (line_of(it.name) == line_of(other.name)));
        assert_eq!(other, None, "{} stands in the wrong line", it.name);
    }
}
