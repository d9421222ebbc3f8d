//! Tests of invoices and credit notes with several tax rates, of their numbers, and of who is named on them.

use crate::commands::decision::{Decision, Intent, Need};
use crate::commands::{
    CreditInvoice, RecordInvoicePayment, ServiceTax, SetWrittenOff, ShareInvoice, decide,
};
use crate::rows::client::Client;
use crate::rows::invoice::{Invoice, InvoiceExtra};
use crate::rows::invoicing::{Invoicing, Issuer, Tax};
use crate::rows::offering::Offering;
use crate::rows::row::Row;
use crate::rows::service::{Service, ServiceStatus};
use crate::rows::service_figures::ServiceFigures;
use crate::rows::sitter::Sitter;
use crate::rules::invoice::totals_of;
use crate::rules::service::is_written_off;
use crate::values::zone::TimeZone;
use crate::{Business, Cents, Change, Context, Id, Instant, Now, Refusal};

const DANA: Id = Id::of(1);
const WALKS: [u128; 3] = [11, 12, 13];
const INVOICE: Id = Id::of(50);

fn context() -> Context {
    Context::at(Now {
        at: "2026-11-20T10:00:00Z".parse().unwrap(),
        zone: TimeZone::UTC,
    })
}

fn rate(name: &str, rate: u32, rate_thousandths: u32) -> Tax {
    Tax {
        name: name.to_owned(),
        rate,
        rate_thousandths,
        included: false,
    }
}

fn settings() -> Invoicing {
    Invoicing {
        tax: Some(rate("Sales tax", 887, 5)),
        more_taxes: vec![rate("City tax", 662, 5), rate("Unused", 100, 0)],
        issuer: Issuer {
            tax_id: "DE123456789".to_owned(),
            ..Issuer::default()
        },
        terms: "Within 14 days".to_owned(),
        number_year: true,
        number_digits: 4,
        ..Invoicing::default()
    }
}

/// A business with three walks at 25 dollars that are done.
fn business(invoicing: Invoicing) -> Business {
    let (name, zone) = ("Mara".to_owned(), "UTC".to_owned());
    let sitter = Sitter {
        invoicing,
        ..Sitter::new(Id::of(9), name, String::new(), zone, Instant(0))
    };
    let mut business = Business::default();
    business.put(0, Row::Sitter(sitter));
    let client = Client {
        name: "Dana".to_owned(),
        billing_address: "Reyes Inc.\n7 Elm Street".to_owned(),
        ..Client::new(DANA, Instant(0))
    };
    business.put(0, Row::Client(client));
    for id in WALKS {
        let walk = Service {
            client_id: DANA,
            date: "2026-11-19".parse().unwrap(),
            status: ServiceStatus::Completed,
            price: Cents(25_00),
            ..Service::new(Id::of(id), Instant(0))
        };
        business.put(0, Row::Service(walk));
    }
    business
}

fn tax_of(walk: u128, name: &str) -> ServiceTax {
    ServiceTax {
        id: Id::of(walk),
        tax_name: name.to_owned(),
    }
}

/// The first walk has the default rate, the second the city's, the third and a key fob none.
fn share() -> ShareInvoice {
    ShareInvoice {
        id: INVOICE,
        client_id: Some(DANA),
        services: WALKS.map(Id::of).to_vec(),
        service_taxes: vec![tax_of(12, "City tax"), tax_of(13, "")],
        extras: vec![InvoiceExtra {
            label: "Key fob".to_owned(),
            amount: Cents(5_00),
            tax_name: Some(String::new()),
        }],
        // 8.875 % of $25.00 are $2.21875, 6.625 % are $1.65625.
        total: Some(Cents(83_88)),
        ..ShareInvoice::default()
    }
}

fn shared(business: &mut Business) -> Invoice {
    let decision = decide(&share().into(), business, &context()).unwrap();
    business.apply(1, &decision.changes);
    let invoice = business.invoice(INVOICE).unwrap().clone();
    let invoice = Invoice {
        number: Some(12),
        ..invoice
    };
    business.put(1, Row::Invoice(invoice.clone()));
    invoice
}

fn credit(id: u128, cents: i64) -> CreditInvoice {
    CreditInvoice {
        id: Id::of(id),
        invoice_id: INVOICE,
        amount: Cents(cents),
        note: "Rain".to_owned(),
    }
}

#[test]
fn a_service_has_the_rate_of_its_offering_unless_the_invoice_names_another() {
    let mut business = business(settings());
    let boarding = |tax_name: Option<&str>| Offering {
        tax_name: tax_name.map(str::to_owned),
        ..Offering::new(Id::of(30), Instant(0))
    };
    let names = |business: &Business, service_taxes: Vec<ServiceTax>| {
        let command = ShareInvoice {
            service_taxes,
            extras: Vec::new(),
            total: None,
            ..share()
        };
        // The server decides on what it has loaded.
        let mut loaded = Business::default();
        for _ in 0..3 {
            for need in command.needs(&loaded, &context()) {
                let is_needed = |row: &Row| match &need {
                    Need::Row(key) => *key == row.key(),
                    Need::Table(table) => *table == row.key().table,
                    _ => false,
                };
                for it in business.rows().filter(|it| is_needed(&it.row)) {
                    loaded.put(it.rev, it.row);
                }
            }
        }
        let decision = decide(&command.clone().into(), business, &context()).unwrap();
        let on_server = decide(&command.into(), &loaded, &context()).unwrap();
        assert_eq!(on_server.changes, decision.changes);
        let invoice = decision.changes.into_iter().find_map(|it| match it {
            Change::Put(Row::Invoice(invoice)) => Some(invoice),
            _ => None,
        });
        let invoice = invoice.unwrap();
        let n_taxes = invoice.invoice_data.more_taxes.len();
        let names = invoice.services_data.into_iter().map(|it| it.tax_name);
        (names.collect::<Vec<_>>(), n_taxes)
    };
    for id in [11, 12] {
        let walk = Service {
            offering_id: Some(Id::of(30)),
            ..business.service(Id::of(id)).unwrap().clone()
        };
        business.put(1, Row::Service(walk));
    }
    let named = |name: &str| Some(name.to_owned());
    business.put(1, Row::Offering(boarding(Some("City tax"))));
    let chosen = vec![tax_of(12, "Sales tax")];
    assert_eq!(
        names(&business, chosen),
        (vec![named("City tax"), named("Sales tax"), None], 1)
    );
    business.put(2, Row::Offering(boarding(Some(""))));
    assert_eq!(
        names(&business, Vec::new()),
        (vec![named(""), named(""), None], 0)
    );
    // A rate that is gone from the settings is the default one, and so is that of an offering without one.
    for tax_name in [Some("Gone"), None] {
        business.put(3, Row::Offering(boarding(tax_name)));
        assert_eq!(names(&business, Vec::new()), (vec![None, None, None], 0));
    }
}

#[test]
fn each_line_has_its_rate_and_the_invoice_keeps_those_that_it_names() {
    let mut business = business(settings());
    let invoice = shared(&mut business);
    let data = &invoice.invoice_data;
    let names = invoice
        .services_data
        .iter()
        .map(|it| it.tax_name.as_deref());
    assert_eq!(
        names.collect::<Vec<_>>(),
        [None, Some("City tax"), Some("")]
    );
    assert_eq!(data.more_taxes, [rate("City tax", 662, 5)]);
    let sums = totals_of(&invoice).taxes;
    let sums = sums
        .iter()
        .map(|it| (it.label.as_str(), it.lines.0, it.tax.0));
    let expected = [
        ("Sales tax 8.875%", 25_00, 2_22),
        ("City tax 6.625%", 25_00, 1_66),
        ("", 30_00, 0),
    ];
    assert_eq!(sums.collect::<Vec<_>>(), expected);
    assert_eq!(invoice.shown_number(), "INV-2026-0012");
    assert_eq!(
        (data.terms.as_str(), data.issuer.tax_id.as_str()),
        ("Within 14 days", "DE123456789")
    );
    let address = "Reyes Inc.\n7 Elm Street";
    assert_eq!(invoice.client_data.billing_address, address);
}

#[test]
fn a_rate_that_the_settings_do_not_have_is_refused_at_its_line() {
    let business = business(settings());
    let mut command = share();
    command.total = None;
    command.service_taxes = vec![tax_of(11, "Gone")];
    command.extras[0].tax_name = Some("Gone".to_owned());
    let refused = decide(&command.into(), &business, &context()).unwrap_err();
    let Refusal::Invalid { fields } = refused else {
        panic!("{refused:?}");
    };
    let fields = fields.iter().map(|it| it.field.as_str());
    assert_eq!(
        fields.collect::<Vec<_>>(),
        ["extras.0.tax_name", "service_taxes"]
    );
}

#[test]
fn a_digit_before_the_number_is_kept_apart_from_it() {
    let on = |prefix: &str, number_year| {
        let settings = Invoicing {
            prefix: prefix.to_owned(),
            number_year,
            ..Invoicing::default()
        };
        settings.prefix_on("2027-01-01".parse().unwrap())
    };
    assert_eq!(
        (on("INV-", false), on("INV-", true)),
        ("INV-".to_owned(), "INV-2027-".to_owned())
    );
    assert_eq!(
        (on("A1", false), on("A1", true)),
        ("A1-".to_owned(), "A1-2027-".to_owned())
    );
    assert_eq!(on("", true), "2027-");
}

/// Decides on the rows that the command names alone, as a server does.
fn decide_on_needs(command: &CreditInvoice, full: &Business) -> Decision {
    let mut known = Business::default();
    let rows = |it: &Need| match it {
        Need::Row(key) => full.invoice(key.id).map(|it| Row::Invoice(it.clone())),
        _ => None,
    };
    for _ in 0..3 {
        let needs = command.needs(&known, &context());
        for row in needs.iter().filter_map(rows) {
            known.put(1, row);
        }
    }
    let sitter = full.sitter().unwrap().clone();
    known.put(1, Row::Sitter(sitter));
    let services = WALKS.iter().filter_map(|it| full.service(Id::of(*it)));
    for service in services {
        known.put(1, Row::Service(service.clone()));
    }
    command.decide(&known, &context()).unwrap()
}

#[test]
fn credit_notes_have_the_taxes_of_what_they_credit_on_the_server_too() {
    let mut business = business(settings());
    let invoice = shared(&mut business);
    let mut taxes = [0, 0];
    for (id, cents) in [(60, 10_01), (61, 33_33), (62, 40_54)] {
        let decision = decide(&credit(id, cents).into(), &business, &context()).unwrap();
        let on_server = decide_on_needs(&credit(id, cents), &business);
        let note = |decision: &Decision| match decision.changes.last() {
            Some(Change::Put(Row::Invoice(note))) => note.clone(),
            other => panic!("{other:?}"),
        };
        let note_row = note(&decision);
        assert_eq!(
            note_row.invoice_data.taxes,
            note(&on_server).invoice_data.taxes
        );
        for (sum, name) in taxes
            .iter_mut()
            .zip(["Sales tax 8.875%", "City tax 6.625%"])
        {
            let parts = note_row.invoice_data.taxes.iter();
            let parts = parts.filter(|it| it.label == name).map(|it| it.amount.0);
            *sum += parts.sum::<i64>();
        }
        business.apply(1, &decision.changes);
        if id == 60 {
            // $10.01 of $83.88: 26.5 and 19.8 cents.
            assert_eq!(taxes, [26, 20]);
            assert_eq!(note_row.prefix, "INV-2026-");
        }
    }
    assert_eq!(invoice.total, Cents(83_88));
    assert_eq!(taxes, [2_22, 1_66], "all is credited, so all of the tax is");
}

#[test]
fn what_is_written_off_in_part_is_lost_on_all_services_alike_and_nothing_of_them_is_owed() {
    let mut business = business(Invoicing::default());
    let mut does = |command: crate::Command| {
        let decision = decide(&command, &business, &context()).unwrap();
        business.apply(1, &decision.changes);
        let services = WALKS.map(|it| business.service(Id::of(it)).unwrap().clone());
        let figures = services.each_ref().map(ServiceFigures::from);
        let revenue: Cents = figures.iter().map(|it| it.price).sum();
        let is_owed = figures.iter().any(|it| !it.paid && it.price != Cents::ZERO);
        let is_off = services.iter().all(is_written_off);
        assert!(!services.iter().any(|it| it.paid));
        (revenue, is_owed, is_off)
    };
    let share = ShareInvoice {
        service_taxes: Vec::new(),
        extras: Vec::new(),
        total: None,
        ..share()
    };
    let write_off = |written_off| SetWrittenOff {
        id: INVOICE,
        written_off,
        note: String::new(),
    };
    assert_eq!(does(share.into()), (Cents(75_00), true, false));
    // All of it: no revenue.
    assert_eq!(does(write_off(true).into()), (Cents::ZERO, false, true));
    assert_eq!(does(write_off(false).into()), (Cents(75_00), true, false));
    let payment = RecordInvoicePayment {
        id: INVOICE,
        payment_id: Id::of(60),
        amount: Some(Cents(25_01)),
        ..RecordInvoicePayment::default()
    };
    assert_eq!(does(payment.into()), (Cents(75_00), true, false));
    assert_eq!(does(write_off(true).into()), (Cents(25_01), false, true));
    assert_eq!(does(write_off(false).into()), (Cents(75_00), true, false));
}
