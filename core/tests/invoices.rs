//! Tests of what holds for any invoices: what they come to against a naive model, and what is paid with what, whatever is
//! done to them in whatever order.

use proptest::prelude::*;
use walkies_core::commands::{
    CreditInvoice, DeleteInvoice, RecordInvoicePayment, RecordInvoiceRefund, RemindOfInvoice,
    RemoveInvoicePayment, RemoveInvoiceRefund, RestoreInvoice, SetServicePaid, SettleOverpayment,
    ShareInvoice, decide,
};
use walkies_core::rows::client::Client;
use walkies_core::rows::invoice::{Beyond, Invoice, InvoiceExtra, InvoicePayment, PaymentMethod};
use walkies_core::rows::invoicing::{Invoicing, Tax};
use walkies_core::rows::service::{Service, ServiceStatus};
use walkies_core::rows::sitter::Sitter;
use walkies_core::rules::invoice::{InvoiceTotals, tip_amount, totals};
use walkies_core::rules::tax::{Rates, TaxedLine};
use walkies_core::values::bounds::INVOICE_BYTES;
use walkies_core::values::zone::TimeZone;
use walkies_core::{
    Business, Cents, Change, Command, Context, Decision, Id, Instant, Now, Refusal, Row,
};

/// A fraction of an amount in exact integers, rounded half away from zero by hand.
fn naive_share(amount: i64, part: i128, whole: i128) -> i64 {
    let exact = i128::from(amount) * part;
    let (quotient, rest) = (exact / whole, (exact % whole).abs());
    let step = if 2 * rest >= whole { exact.signum() } else { 0 };
    i64::try_from(quotient + step).unwrap()
}

fn extra(amount: i64) -> InvoiceExtra {
    InvoiceExtra {
        label: "Key fob".to_owned(),
        amount: Cents(amount),
        tax_name: None,
    }
}

/// The amounts of services that together cost so much, and of extra lines, all with the default rate.
fn amounts(services: i64, extras: &[InvoiceExtra], default: Option<&Tax>) -> InvoiceTotals {
    let line = TaxedLine {
        amount: Cents(services),
        tax_name: None,
    };
    totals([line], extras, Rates { default, more: &[] })
}

const CLIENT: u128 = 1;
const SERVICES: u128 = 6;
const INVOICES: u128 = 4;

fn service_id(n: u128) -> Id {
    Id::of(100 + n)
}

fn invoice_id(n: u128) -> Id {
    Id::of(200 + n)
}

fn context(at: i64) -> Context {
    Context::at(Now {
        at: Instant(1_790_000_000_000 + at * 1000),
        zone: TimeZone::UTC,
    })
}

/// A business with a client whose services cost 10 dollars, 20, and so on; the last one was cancelled.
fn business(tax: Option<Tax>) -> Business {
    let (name, zone, at) = ("Mara".to_owned(), "UTC".to_owned(), Instant(0));
    let sitter = Sitter {
        invoicing: Invoicing {
            tax,
            ..Invoicing::default()
        },
        ..Sitter::new(Id::of(9), name, String::new(), zone, at)
    };
    let mut business = Business::default();
    business.put(0, Row::Sitter(sitter));
    business.put(0, Row::Client(Client::new(Id::of(CLIENT), at)));
    for n in 0..SERVICES {
        let is_last = n + 1 == SERVICES;
        business.put(
            0,
            Row::Service(Service {
                client_id: Id::of(CLIENT),
                status: if is_last {
                    ServiceStatus::Cancelled
                } else {
                    ServiceStatus::Completed
                },
                price: Cents(i64::try_from(n + 1).unwrap() * 1000),
                ..Service::new(service_id(n), at)
            }),
        );
    }
    business
}

/// Something that a sitter, or their other phone, does.
fn step() -> impl Strategy<Value = Command> {
    let invoice = (0..INVOICES).prop_map(invoice_id);
    let method = prop::sample::select(vec![PaymentMethod::Cash, PaymentMethod::Card]);
    let amount = prop::option::of((1_i64..8000).prop_map(Cents));
    let services = prop::collection::vec((0..SERVICES).prop_map(service_id), 1..5);
    let payment = (300_u128..304).prop_map(Id::of);
    let beyond = prop::option::of(prop::sample::select(vec![
        Beyond::Tip,
        Beyond::Credit,
        Beyond::Back,
    ]));
    prop_oneof![
        2 => (invoice.clone(), 0_i64..6000, 0_i64..6000).prop_map(|(id, tip, kept)| SettleOverpayment {
            id, tip: Cents(tip), kept: Cents(kept)
        }.into()),
        2 => (invoice.clone(), payment.clone(), amount.clone()).prop_map(|(id, refund_id, amount)| RecordInvoiceRefund {
            id, refund_id, amount, ..RecordInvoiceRefund::default()
        }.into()),
        1 => (invoice.clone(), payment.clone()).prop_map(|(id, refund_id)| RemoveInvoiceRefund { id, refund_id }.into()),
        3 => (invoice.clone(), services).prop_map(|(id, services)| ShareInvoice {
            id, services, client_id: Some(Id::of(CLIENT)), ..ShareInvoice::default()
        }.into()),
        3 => (invoice.clone(), payment.clone(), amount.clone(), method, beyond).prop_map(
            |(id, payment_id, amount, method, beyond)| RecordInvoicePayment {
                id, payment_id, amount, method, beyond, ..RecordInvoicePayment::default()
            }.into()),
        2 => (invoice.clone(), payment).prop_map(|(id, payment_id)| RemoveInvoicePayment { id, payment_id }.into()),
        2 => invoice.clone().prop_map(|id| DeleteInvoice { id }.into()),
        2 => invoice.clone().prop_map(|id| RestoreInvoice { id }.into()),
        2 => (invoice.clone(), invoice.clone(), 1_i64..4000).prop_map(|(id, invoice_id, amount)| CreditInvoice {
            id, invoice_id, amount: Cents(amount), note: "A slip".to_owned()
        }.into()),
        1 => invoice.prop_map(|id| RemindOfInvoice { id }.into()),
        2 => (0..SERVICES, any::<bool>()).prop_map(|(n, paid)| SetServicePaid { id: service_id(n), paid }.into()),
    ]
}

fn alive(business: &Business) -> impl Iterator<Item = &Invoice> {
    let rows = business.invoices.values().map(|it| &it.row);
    rows.filter(|it| it.deleted_at.is_none())
}

/// INVARIANT: A service stands on one invoice at a time.
/// INVARIANT: The services on an invoice are paid when it is, and only then.
fn check(business: &Business) -> Result<(), TestCaseError> {
    for n in 0..SERVICES {
        let service = business.service(service_id(n)).unwrap();
        let on: Vec<&Invoice> = alive(business)
            .filter(|it| service.invoice_id == Some(it.id))
            .collect();
        prop_assert_eq!(on.len(), usize::from(service.invoice_id.is_some()));
        if let [invoice] = on.as_slice() {
            prop_assert_eq!(service.paid, invoice.paid);
            prop_assert!(invoice.services_data.iter().any(|it| it.id == service.id));
        }
        // INVARIANT: No service stands on an invoice that is credited in full.
        prop_assert!(on.iter().all(|it| !it.is_credited_in_full()));
        let unpaid = alive(business).filter(|it| !it.paid && !it.is_credited_in_full());
        let billing = unpaid.filter(|it| it.services_data.iter().any(|line| line.id == service.id));
        prop_assert!(billing.count() <= 1);
    }
    for invoice in alive(business).filter(|it| it.credits.is_none()) {
        prop_assert!(invoice.unsaid() <= invoice.owed_back());
    }
    for invoice in alive(business) {
        // INVARIANT: Money is where it went to: toward the invoice, to a tip, into credit, back, or owed back.
        let of = |takes: fn(&&InvoicePayment) -> bool| -> i64 {
            let payments = invoice.payments.iter().filter(takes);
            payments.map(|it| it.amount.0).sum()
        };
        let money = of(|it| it.method != PaymentMethod::Credit);
        let charged = invoice.total.0 - of(|it| it.method == PaymentMethod::Credit);
        let refunded: i64 = invoice.refunds.iter().map(|it| it.amount.0).sum();
        if invoice.credits.is_none() {
            let toward = charged - invoice.balance().0;
            let elsewhere = invoice.tip() + invoice.kept() + invoice.owed_back();
            prop_assert_eq!(money, toward + elsewhere.0 + refunded);
            let is_credited = 0 < invoice.total.0 && charged == 0;
            prop_assert_eq!(
                invoice.paid,
                invoice.balance() == Cents::ZERO && !is_credited
            );
        }
        let credits = invoice
            .payments
            .iter()
            .filter(|it| it.method == PaymentMethod::Credit);
        let mut credited = 0;
        for credit in credits {
            let note = business.invoice(credit.id).unwrap();
            prop_assert_eq!(note.credits, Some(invoice.id));
            prop_assert!(note.deleted_at.is_none());
            credited += credit.amount.0;
        }
        prop_assert!(credited <= invoice.total.0);
    }
    Ok(())
}

proptest! {
    #[test]
    fn an_invoice_comes_to_what_a_naive_sum_says(
        services in 0_i64..100_000_000, extras in prop::collection::vec(-100_000_i64..100_000, 0..5),
        rate in 1_u32..=10_000, rate_thousandths in 0_u32..10, included: bool,
    ) {
        let lines: Vec<InvoiceExtra> = extras.iter().copied().map(extra).collect();
        let subtotal = services + extras.iter().sum::<i64>();
        prop_assert_eq!(amounts(services, &lines, None).total.0, subtotal);
        let tax = Tax { name: "Sales tax".to_owned(), rate, included, rate_thousandths };
        let found = amounts(services, &lines, Some(&tax));
        let rate = i128::from(rate) * 10 + i128::from(rate_thousandths);
        let whole = if included { 100_000 + rate } else { 100_000 };
        prop_assert_eq!(found.tax.0, naive_share(subtotal, rate, whole));
        prop_assert_eq!(found.subtotal.0, subtotal);
        prop_assert_eq!(found.total.0, if included { subtotal } else { subtotal + found.tax.0 });
    }

    #[test]
    fn a_tip_is_its_percentage_of_the_whole(total in 0_i64..100_000_000, percent in 1_u32..=100) {
        let invoice = Invoice { total: Cents(total), ..Invoice::default() };
        let found = tip_amount(&invoice, percent);
        prop_assert_eq!(found.0, naive_share(total, percent.into(), 100));
    }

    #[test]
    fn whatever_is_done_a_service_is_paid_by_one_thing_at_a_time(
        steps in prop::collection::vec(step(), 1..40), taxed: bool,
    ) {
        let tax = taxed.then(|| Tax { name: "Tax".to_owned(), rate: 825, ..Tax::default() });
        let mut business = business(tax);
        for (command, at) in steps.iter().zip(0..) {
            let before = business.clone();
            match decide(command, &business, &context(at)) {
                Ok(decision) => {
                    // A service that is on an invoice was put there by it, and is never taken from another one.
                    for change in &decision.changes {
                        if let Change::Put(Row::Service(after)) = change
                            && let Some(was_on) = before.service(after.id).unwrap().invoice_id
                        {
                            prop_assert!(after.invoice_id.is_none_or(|it| it == was_on));
                        }
                    }
                    business.apply(1, &decision.changes);
                    // A repeat changes nothing, or is told that it was done; a reminder waits for an hour.
                    let again = decide(command, &business, &context(at));
                    let is_quiet = again.as_ref().is_ok_and(|it| it.changes.is_empty());
                    let is_told = match command {
                        Command::RemindOfInvoice(_) => again.is_err(),
                        _ => matches!(again, Err(Refusal::Taken)),
                    };
                    prop_assert!(is_quiet || is_told, "{again:?}");
                }
                Err(_) => prop_assert_eq!(&business, &before),
            }
            check(&business)?;
        }
    }

    #[test]
    fn a_credit_note_makes_no_tip_and_no_payment(
        total in 1_i64..10_000, paid in 0_i64..20_000, by_card: bool, tip in prop::option::of(0_i64..20_000), part in 1_i64..=100,
    ) {
        let credit = (total * part / 100).max(1);
        let payment = InvoicePayment {
            amount: Cents(paid),
            method: if by_card { PaymentMethod::Card } else { PaymentMethod::Cash },
            tip: tip.map(|it| Cents(it.min(paid))),
            ..InvoicePayment::default()
        };
        let mut invoice = Invoice { total: Cents(total), payments: vec![payment], ..Invoice::default() };
        let (tip, received, day) = (invoice.tip(), invoice.received(), invoice.last_paid_on());
        invoice.payments.push(InvoicePayment {
            amount: Cents(credit),
            method: PaymentMethod::Credit,
            paid_on: "2199-01-01".parse().unwrap(),
            ..InvoicePayment::default()
        });
        prop_assert_eq!((invoice.tip(), invoice.received(), invoice.last_paid_on()), (tip, received, day));
    }

    #[test]
    fn an_invoice_that_was_shared_bills_for_ever_what_it_billed(
        steps in prop::collection::vec(step(), 1..30),
    ) {
        let mut business = business(None);
        for (command, at) in steps.iter().zip(0..) {
            let before = business.clone();
            if let Ok(decision) = decide(command, &business, &context(at)) {
                business.apply(1, &decision.changes);
            }
            for old in before.invoices.values() {
                let now = business.invoice(old.row.id).unwrap();
                prop_assert_eq!(&now.services_data, &old.row.services_data);
                prop_assert_eq!(&now.invoice_data, &old.row.invoice_data);
                prop_assert_eq!(now.total, old.row.total);
            }
        }
    }
}

#[test]
fn an_invoice_is_shared_with_as_many_notes_as_fit_into_its_bytes() {
    let share = |notes: usize| {
        let mut business = business(None);
        let mut service = business.service(service_id(0)).unwrap().clone();
        service.notes = "n".repeat(notes);
        business.put(0, Row::Service(service));
        let command = ShareInvoice {
            id: invoice_id(0),
            client_id: Some(Id::of(CLIENT)),
            services: vec![service_id(0)],
            ..ShareInvoice::default()
        };
        decide(&command.into(), &business, &context(0))
    };
    let row = |decision: &Decision| match decision.changes.last() {
        Some(Change::Put(Row::Invoice(invoice))) => {
            serde_json::to_string(&invoice.services_data).unwrap()
        }
        other => panic!("{other:?} is no invoice"),
    };
    let left = INVOICE_BYTES - row(&share(0).unwrap()).len();
    assert_eq!(row(&share(left).unwrap()).len(), INVOICE_BYTES);
    let refused = share(left + 1).unwrap_err();
    let Refusal::Invalid { fields } = &refused else {
        panic!("{refused:?} is about no field");
    };
    assert_eq!(fields[0].field, "services");
}
