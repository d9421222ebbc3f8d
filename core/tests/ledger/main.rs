//! The books against an independent model of them, and single cases.
//!
//! `WALKIES_LEDGER_HISTORIES` says how many histories there are; `WALKIES_LEDGER_SEED` runs one alone.

mod model;

use walkies_core::commands::{
    CreditInvoice, DeleteClient, DeleteInvoice, PaymentPart, RecordInvoicePayment, RecordPayments,
    RemoveInvoicePayment, RestoreInvoice, ShareInvoice, UsedCredit, decide,
};
use walkies_core::rows::invoice::{Beyond, PaymentMethod};
use walkies_core::{Business, Cents, Command, Context, Id, Refusal, Row};

use model::{Model, Tally, bill_id, business, client_id, date, now, run, service_id};

/// Histories of the normal test.
const HISTORIES: u64 = 300;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn random_histories_agree_with_a_model_of_the_books() {
    if let Some(seed) = number("WALKIES_LEDGER_SEED") {
        return run(seed, &mut Tally::new());
    }
    let histories = number("WALKIES_LEDGER_HISTORIES").unwrap_or(HISTORIES);
    let threads = std::thread::available_parallelism().map_or(1, |it| it.get() as u64);
    let step = usize::try_from(threads).unwrap();
    let tally = std::thread::scope(|scope| {
        let tallies = (0..threads).map(|first| {
            scope.spawn(move || {
                let mut tally = Tally::new();
                let seeds = (first..histories).step_by(step);
                seeds.for_each(|seed| run(seed, &mut tally));
                tally
            })
        });
        let tallies: Vec<_> = tallies.collect();
        let mut all = Tally::new();
        for (name, times) in tallies.into_iter().flat_map(|it| it.join().unwrap()) {
            *all.entry(name).or_default() += times;
        }
        all
    });
    // What is hardly ever done is not tested.
    assert_eq!(tally.len(), 12, "{tally:?}");
    assert!(tally.values().all(|it| histories / 100 <= *it), "{tally:?}");
}

/// A business whose first client has one visit of this price, billed by invoice 1.
fn billed(price: i64) -> Business {
    let model = Model::of_prices(vec![price; 4]);
    let mut business = business(&model);
    act(&mut business, share(1, 0, Vec::new()));
    business
}

fn share(id: u64, job: usize, credits: Vec<UsedCredit>) -> Command {
    ShareInvoice {
        id: bill_id(id),
        client_id: Some(client_id(0)),
        services: vec![service_id(job)],
        credits,
        ..ShareInvoice::default()
    }
    .into()
}

fn act(business: &mut Business, command: Command) {
    let decision = decide(&command, business, &Context::at(now(0))).unwrap();
    business.apply(1, &decision.changes);
}

fn pay(amount: i64, beyond: Option<Beyond>) -> Command {
    RecordInvoicePayment {
        id: bill_id(1),
        payment_id: Id::of(7),
        amount: Some(Cents(amount)),
        method: PaymentMethod::Cash,
        beyond,
        ..RecordInvoicePayment::default()
    }
    .into()
}

#[test]
fn a_payment_is_recorded_once_and_its_id_brings_no_other_amount() {
    let mut business = billed(2_000);
    act(&mut business, pay(500, None));
    let again = |amount| decide(&pay(amount, None), &business, &Context::at(now(0)));
    assert!(again(500).unwrap().changes.is_empty());
    assert_eq!(again(600), Err(Refusal::Taken));
}

#[test]
fn what_is_credited_after_it_was_paid_is_owed_back_and_no_tip() {
    let mut business = billed(97_50);
    act(&mut business, pay(97_50, None));
    let note = "A visit fell out".to_owned();
    let (id, invoice_id, amount) = (bill_id(2), bill_id(1), Cents(37_50));
    act(
        &mut business,
        CreditInvoice {
            id,
            invoice_id,
            amount,
            note,
        }
        .into(),
    );
    let invoice = business.invoice(bill_id(1)).unwrap();
    assert_eq!((invoice.tip(), invoice.owed_back()), (Cents::ZERO, amount));
}

#[test]
fn what_was_paid_too_much_pays_the_next_invoice_and_comes_back_with_its_deletion() {
    let mut business = billed(34_13);
    act(&mut business, pay(60_00, Some(Beyond::Credit)));
    let credit = UsedCredit {
        invoice_id: bill_id(1),
        amount: Cents(25_87),
    };
    act(&mut business, share(2, 2, vec![credit]));
    let kept = |business: &Business| business.invoice(bill_id(1)).unwrap().kept().0;
    let next = business.invoice(bill_id(2)).unwrap();
    assert_eq!(
        (next.balance().0, next.received().0, kept(&business)),
        (8_26, 0, 0)
    );
    // Deleting the invoice that the credit is from would take the payment off the other one.
    let early = decide(
        &DeleteInvoice { id: bill_id(1) }.into(),
        &business,
        &Context::at(now(0)),
    );
    assert!(early.is_err());
    act(&mut business, DeleteInvoice { id: bill_id(2) }.into());
    assert_eq!(kept(&business), 25_87);
    act(&mut business, RestoreInvoice { id: bill_id(2) }.into());
    assert_eq!(kept(&business), 0);
}

#[test]
fn an_invoice_that_money_and_credit_pay_is_not_deleted() {
    let mut business = billed(34_13);
    act(&mut business, pay(60_00, Some(Beyond::Credit)));
    let credit = UsedCredit {
        invoice_id: bill_id(1),
        amount: Cents(25_87),
    };
    act(&mut business, share(2, 2, vec![credit]));
    let (id, payment_id) = (bill_id(2), Id::of(8));
    let payment = RecordInvoicePayment {
        id,
        payment_id,
        method: PaymentMethod::Cash,
        ..RecordInvoicePayment::default()
    };
    act(&mut business, payment.into());
    let delete =
        |business: &Business| decide(&DeleteInvoice { id }.into(), business, &Context::at(now(0)));
    // The credit would go back, the visit would be open again, and the cash would be gone.
    assert!(delete(&business).is_err());
    act(
        &mut business,
        RemoveInvoicePayment { id, payment_id }.into(),
    );
    assert!(delete(&business).is_ok());
}

#[test]
fn one_payment_over_several_invoices_is_of_one_client_and_of_no_deleted_invoice() {
    let mut business = billed(50_00);
    let other = ShareInvoice {
        id: bill_id(3),
        client_id: Some(client_id(1)),
        services: vec![service_id(1)],
        ..ShareInvoice::default()
    };
    act(&mut business, other.into());
    // The second invoice bills now what the first one billed: money on both would come to it twice.
    act(&mut business, DeleteInvoice { id: bill_id(1) }.into());
    act(&mut business, share(2, 0, Vec::new()));
    let pay = |ids: &[u64]| {
        let parts = ids.iter().map(|it| PaymentPart {
            invoice_id: bill_id(*it),
            amount: Cents(25_00),
        });
        let command = RecordPayments {
            payment_id: Id::of(9),
            parts: parts.collect(),
            method: PaymentMethod::Card,
            ..RecordPayments::default()
        };
        decide(&command.into(), &business, &Context::at(now(0)))
    };
    assert_eq!(pay(&[1, 2]), Err(Refusal::Gone));
    assert!(matches!(pay(&[2, 3]), Err(Refusal::Invalid { .. })));
    assert!(pay(&[2]).is_ok());
}

#[test]
fn a_free_invoice_that_is_deleted_leaves_its_service_to_be_billed() {
    let mut business = billed(0);
    act(&mut business, DeleteInvoice { id: bill_id(1) }.into());
    assert!(!business.service(service_id(0)).unwrap().paid);
    act(&mut business, share(2, 0, Vec::new()));
}

#[test]
fn what_a_deleted_client_owes_can_be_billed() {
    let mut business = billed(25_00);
    let mut service = business.service(service_id(2)).unwrap().clone();
    service.client_name = "Sam".to_owned();
    business.put(1, Row::Service(service));
    act(&mut business, DeleteClient { id: client_id(0) }.into());
    act(&mut business, share(2, 2, Vec::new()));
    assert_eq!(
        business.invoice(bill_id(2)).unwrap().client_data.name,
        "Sam"
    );
}

#[test]
fn money_does_not_move_on_a_day_to_come_or_ten_years_ago() {
    let business = billed(25_00);
    let on = |day: i64| {
        let paid_on = Some(date(day));
        let Command::RecordInvoicePayment(payment) = pay(25_00, None) else {
            unreachable!()
        };
        let command = RecordInvoicePayment { paid_on, ..payment };
        decide(&command.into(), &business, &Context::at(now(0))).is_ok()
    };
    assert_eq!(
        [on(2), on(1), on(0), on(-3_653), on(-3_654)],
        [false, true, true, true, false]
    );
}
