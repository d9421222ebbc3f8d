//! Owns what money came in: for the work of some days, and in some days; and what is still owed, by its age. The revenue of
//! SPEC 3 is another figure: what completed services cost, paid or not.

use serde::Serialize;

use crate::rows::invoice::{Invoice, InvoicePayment, PaymentMethod, is_money};
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::invoice::{deletion_refusal, totals_of};
use crate::values::format;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Date};

/// Money that came in and went back in some days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoneyMoved {
    /// Payments, with tips and tax.
    pub received: Cents,
    /// Part of the payments that is tips.
    pub tips: Cents,
    /// Part of the payments that is tax, with the tax that credit moves from one invoice to another.
    pub tax: Cents,
    /// Money that went back to clients.
    pub refunds: Cents,
    /// Part of the refunds that is tax.
    pub refunded_tax: Cents,
}

/// Adds up payments and refunds of days; credit notes move no money, and credit that pays a later invoice none either.
///
/// An invoice's tax comes in with its payments: each brings as much of it as of the total, to the cent, and all of them
/// together all of it. Credit of an earlier invoice brings the tax of the later one, and takes what it was of the earlier.
// INVARIANT: The tax of all payments of an invoice is its tax.
pub fn moved<'a>(
    invoices: impl Iterator<Item = &'a Invoice>,
    (first, last): (Date, Date),
) -> MoneyMoved {
    let mut sums = MoneyMoved::default();
    for invoice in invoices.filter(|it| counts(it)) {
        let whole = totals_of(invoice).tax;
        let tax_of = |paid: Cents| match invoice.total {
            Cents(0) => Cents::ZERO,
            total => whole.share(paid.0.clamp(0, total.0.max(0)), total.0),
        };
        let mut paid = Cents::ZERO;
        for step in steps(invoice) {
            let before = tax_of(paid);
            paid = paid + step.amount;
            if !(first..=last).contains(&step.on) {
                continue;
            }
            let tax = tax_of(paid) - before;
            // Credit that goes to a later invoice takes its tax along, and gives nobody money back.
            if step.is_money && step.is_back {
                sums.refunded_tax = sums.refunded_tax - tax;
            } else {
                sums.tax = sums.tax + tax;
            }
            match (step.is_money, step.is_back) {
                (true, true) => sums.refunds = sums.refunds - step.amount,
                (true, false) => {
                    sums.received = sums.received + step.amount + step.tip;
                    sums.tips = sums.tips + step.tip;
                }
                (false, _) => {}
            }
        }
    }
    sums
}

/// Returns true for an invoice whose amounts count. Credit notes have none of their own, and a deleted invoice none but the
/// money that had come or gone back before: the years in which it moved are told already.
fn counts(invoice: &Invoice) -> bool {
    let has_money = Cents::ZERO < invoice.received() + invoice.refunded();
    // Credit went back to where it came from.
    let is_settled = invoice.credit_used() == Cents::ZERO && deletion_refusal(invoice).is_none();
    invoice.credits.is_none() && (invoice.deleted_at.is_none() || (has_money && is_settled))
}

/// A payment or a refund of an invoice, or the use of credit.
struct Step {
    on: Date,
    /// True for what goes from the invoice: a refund, or credit that pays a later one.
    is_back: bool,
    /// False for credit.
    is_money: bool,
    /// Payment without its tip; below 0 for what goes.
    amount: Cents,
    tip: Cents,
}

/// The payments and refunds of an invoice, and the credit on it, by their days; on one day what comes in is first.
fn steps(invoice: &Invoice) -> Vec<Step> {
    let money: Vec<&InvoicePayment> = invoice.payments.iter().filter(|it| is_money(it)).collect();
    let said: Cents = money.iter().filter_map(|it| it.tip).sum();
    // Of builds that did not ask: what was paid by card beyond the invoice, so the last payments have it.
    let mut unsaid = invoice.tip() - said;
    let mut steps: Vec<Step> = Vec::new();
    for it in money.into_iter().rev() {
        let tip = it.tip.unwrap_or_else(|| match it.method {
            PaymentMethod::Card => unsaid.min(it.amount).max(Cents::ZERO),
            _ => Cents::ZERO,
        });
        if it.tip.is_none() {
            unsaid = unsaid - tip;
        }
        steps.push(Step {
            on: it.paid_on,
            is_back: false,
            is_money: true,
            amount: it.amount - tip,
            tip,
        });
    }
    let credit = invoice.payments.iter().filter(|it| it.from.is_some());
    steps.extend(credit.map(|it| Step {
        on: it.paid_on,
        is_back: false,
        is_money: false,
        amount: it.amount,
        tip: Cents::ZERO,
    }));
    steps.extend(invoice.refunds.iter().map(|it| Step {
        on: it.refunded_on,
        is_back: true,
        is_money: it.to.is_none(),
        amount: Cents::ZERO - it.amount,
        tip: Cents::ZERO,
    }));
    steps.small_sort_by_key(|it| (it.on, it.is_back));
    steps
}

/// Returns true for a service that was paid by itself: there is no invoice, and so no day of the payment.
pub fn is_paid_alone(service: &Service) -> bool {
    service.paid
        && service.invoice_id.is_none()
        && service.credited_invoice_id.is_none()
        && service.status != ServiceStatus::Cancelled
}

/// Sum of the services of some days that were paid by themselves.
pub fn paid_alone(business: &Business, (first, last): (Date, Date)) -> Cents {
    let services = business.services.paid_alone_between(first, last);
    services
        .filter(|it| is_paid_alone(it))
        .map(|it| it.price)
        .sum()
}

/// An amount of a money report, by either day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct MoneyLine {
    /// `Received`, `Including tips`.
    pub label: &'static str,
    /// For the work of the days; none where the line has no such amount.
    pub by_work: Option<Cents>,
    /// In the days themselves; none where no money moves by it.
    pub by_money: Option<Cents>,
}

/// Amount that is owed, of one age.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct OwedByAge {
    /// `Not due yet`, `1 to 30 days overdue`.
    pub label: &'static str,
    /// Number of invoices.
    pub count: u32,
    /// Amount that is still owed on them.
    pub amount: Cents,
}

/// Money of some days, and what all invoices still owe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct MoneyReport {
    /// Lines in their order.
    pub lines: Vec<MoneyLine>,
    /// Sentence about the column of the work.
    pub of_work: &'static str,
    /// Sentence about the column of the money.
    pub of_money: &'static str,
    /// Sentence about services that were paid without an invoice; empty where there are none.
    pub of_paid_alone: String,
    /// Amounts that are still owed, by how long they are overdue.
    pub ages: Vec<OwedByAge>,
    /// Sum of those.
    pub owed: Cents,
    /// `Owed on Nov 29, 2026, on all invoices`.
    pub owed_title: String,
}

const OF_WORK: &str = "By date of work: invoices whose last day of work is in these days, with all that was paid and \
                       refunded on them so far.";

const OF_MONEY: &str =
    "By date of money: what was paid and refunded in these days, whenever the work was done.";

/// Groups of amounts that are owed, each with the most days that it is overdue.
const AGES: [(&str, i64); 5] = [
    ("Not due yet", 0),
    ("1 to 30 days overdue", 30),
    ("31 to 60 days overdue", 60),
    ("61 to 90 days overdue", 90),
    ("More than 90 days overdue", i64::MAX),
];

/// Computes the money report of some days, as of `today`.
pub fn report(business: &Business, days: (Date, Date), today: Date) -> MoneyReport {
    let invoices = || business.invoices.values().map(|it| &it.row);
    let mut work = OfWork::default();
    for invoice in invoices().filter(|it| counts(it)) {
        if (days.0..=days.1).contains(&last_day(invoice)) {
            work.add(invoice);
        }
    }
    let moved = moved(invoices(), days);
    let alone = paid_alone(business, days);
    let (ages, owed) = by_age(invoices(), today);
    let line = |label, by_work, by_money| MoneyLine {
        label,
        by_work,
        by_money,
    };
    let mut lines = vec![
        line("Billed", Some(work.billed), None),
        line("Including services", Some(work.services), None),
        line("Including extra charges and fees", Some(work.extras), None),
        line("Including discounts", Some(work.discounts), None),
        line(
            "Including tax",
            Some(work.tax),
            Some(moved.tax - moved.refunded_tax),
        ),
        line("Taken off by credit notes", Some(work.credited), None),
        line(
            "Received on invoices",
            Some(work.received),
            Some(moved.received),
        ),
        line("Including tips", Some(work.tips), Some(moved.tips)),
        line("Refunded", Some(work.refunded), Some(moved.refunds)),
    ];
    if alone != Cents::ZERO {
        lines.push(line("Paid without an invoice", Some(alone), Some(alone)));
    }
    lines.push(line(
        "Received after refunds",
        Some(work.received - work.refunded + alone),
        Some(moved.received - moved.refunds + alone),
    ));
    // Most businesses have none of these.
    for (label, amount) in [
        ("Paid with credit", work.credit_used),
        ("Credit used for later invoices", work.credit_spent),
        ("Written off", work.written_off),
    ] {
        if amount != Cents::ZERO {
            lines.push(line(label, Some(amount), None));
        }
    }
    lines.push(line("Still owed", Some(work.owed), None));
    MoneyReport {
        lines,
        of_work: OF_WORK,
        of_money: OF_MONEY,
        of_paid_alone: match alone {
            Cents(0) => String::new(),
            _ => PAID_ALONE.to_owned(),
        },
        ages,
        owed,
        owed_title: format!("Owed on {}, on all invoices", format::date(today)),
    }
}

/// Sentence about money whose day nobody wrote down.
pub const PAID_ALONE: &str = "Services that were marked as paid without an invoice have no date of payment, so they count on their own day.";

/// The last day that an invoice bills.
fn last_day(invoice: &Invoice) -> Date {
    let days = invoice.services_data.iter();
    let last = days.map(|it| it.end_date.unwrap_or(it.date)).max();
    last.unwrap_or(invoice.invoice_data.end_date)
}

#[derive(Default)]
struct OfWork {
    billed: Cents,
    services: Cents,
    extras: Cents,
    discounts: Cents,
    tax: Cents,
    credited: Cents,
    received: Cents,
    tips: Cents,
    refunded: Cents,
    credit_used: Cents,
    credit_spent: Cents,
    written_off: Cents,
    owed: Cents,
}

impl OfWork {
    fn add(&mut self, invoice: &Invoice) {
        let totals = totals_of(invoice);
        let extras = invoice.invoice_data.extras.iter();
        for amount in extras.map(|it| it.amount) {
            let sum = match amount < Cents::ZERO {
                true => &mut self.discounts,
                false => &mut self.extras,
            };
            *sum = *sum + amount;
        }
        for (sum, amount) in [
            (&mut self.billed, invoice.total),
            (&mut self.services, totals.services),
            (&mut self.tax, totals.tax),
            (&mut self.credited, invoice.credited()),
            (&mut self.received, invoice.received()),
            (&mut self.tips, invoice.tip()),
            (&mut self.refunded, invoice.refunded()),
            (&mut self.credit_used, invoice.credit_used()),
            (&mut self.credit_spent, invoice.credit_spent()),
            (&mut self.written_off, invoice.written_off()),
            (&mut self.owed, invoice.balance()),
        ] {
            *sum = *sum + amount;
        }
    }
}

/// Sorts what is owed by how long it is overdue; an invoice without a due date is never overdue.
fn by_age<'a>(invoices: impl Iterator<Item = &'a Invoice>, today: Date) -> (Vec<OwedByAge>, Cents) {
    let mut ages: Vec<OwedByAge> = AGES
        .iter()
        .map(|(label, _)| OwedByAge {
            label,
            count: 0,
            amount: Cents::ZERO,
        })
        .collect();
    let mut owed = Cents::ZERO;
    for invoice in invoices.filter(|it| counts(it)) {
        let balance = invoice.balance();
        if balance <= Cents::ZERO {
            continue;
        }
        let overdue = invoice
            .due_date
            .map_or(0, |due| today.days_since_epoch() - due.days_since_epoch());
        let place = AGES.iter().position(|(_, most)| overdue <= *most);
        if let Some(age) = place.and_then(|it| ages.get_mut(it)) {
            age.count += 1;
            age.amount = age.amount + balance;
        }
        owed = owed + balance;
    }
    (ages, owed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::invoice::{InvoiceData, InvoiceExtra, InvoiceRefund, WriteOff};
    use crate::rows::invoicing::Tax;
    use crate::{Id, Instant, Row};

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    /// An invoice of one service of $100, with these payments by day, and 8% tax beside.
    fn invoice(n: u128, work: &str, payments: &[(&str, i64)]) -> Invoice {
        let service = Service {
            date: day(work),
            price: Cents(10_000),
            ..Service::new(Id::of(n), Instant(0))
        };
        let tax = Tax {
            name: "Sales tax".to_owned(),
            rate: 800,
            included: false,
            rate_thousandths: 0,
        };
        Invoice {
            id: Id::of(n),
            services_data: vec![crate::rules::invoice::billed(
                &service,
                &Business::default(),
                None,
            )],
            invoice_data: InvoiceData {
                tax: Some(tax),
                ..InvoiceData::default()
            },
            total: Cents(10_800),
            due_date: Some(day(work)),
            payments: payments
                .iter()
                .map(|(on, cents)| InvoicePayment {
                    amount: Cents(*cents),
                    method: PaymentMethod::Cash,
                    paid_on: day(on),
                    ..InvoicePayment::default()
                })
                .collect(),
            ..Invoice::default()
        }
    }

    fn in_2026() -> (Date, Date) {
        (day("2026-01-01"), day("2026-12-31"))
    }

    #[test]
    fn the_tax_of_all_payments_of_an_invoice_is_its_tax() {
        let thirds = invoice(
            1,
            "2026-03-01",
            &[
                ("2026-03-02", 36_00),
                ("2026-03-03", 36_01),
                ("2026-03-04", 35_99),
            ],
        );
        let sums = moved([&thirds].into_iter(), in_2026());
        assert_eq!((sums.received, sums.tax), (Cents(10_800), Cents(8_00)));
    }

    #[test]
    fn money_counts_on_its_own_day_and_a_refund_takes_its_tax_back() {
        let mut paid = invoice(
            1,
            "2025-12-30",
            &[("2025-12-31", 54_00), ("2026-01-02", 64_00)],
        );
        if let Some(last) = paid.payments.last_mut() {
            last.tip = Some(Cents(10_00));
        }
        paid.refunds.push(InvoiceRefund {
            amount: Cents(27_00),
            refunded_on: day("2026-02-01"),
            ..InvoiceRefund::default()
        });
        let sums = moved([&paid].into_iter(), in_2026());
        assert_eq!(
            sums,
            MoneyMoved {
                received: Cents(64_00),
                tips: Cents(10_00),
                tax: Cents(4_00),
                refunds: Cents(27_00),
                refunded_tax: Cents(2_00),
            }
        );
    }

    #[test]
    fn a_credit_note_and_a_deleted_invoice_move_no_money() {
        let mut credited = invoice(1, "2026-03-01", &[("2026-03-02", 10_800)]);
        for payment in &mut credited.payments {
            payment.method = PaymentMethod::Credit;
        }
        let note = Invoice {
            credits: Some(Id::of(1)),
            ..invoice(2, "2026-03-01", &[("2026-03-02", 10_800)])
        };
        let deleted = Invoice {
            deleted_at: Some(Instant(1)),
            ..invoice(3, "2026-03-01", &[("2026-03-02", 10_800)])
        };
        let sums = moved([&credited, &note, &deleted].into_iter(), in_2026());
        assert_eq!(sums, MoneyMoved::default());
    }

    #[test]
    fn a_deleted_invoice_keeps_the_money_that_had_come_and_gone_back_before() {
        let mut refunded = invoice(1, "2026-03-01", &[("2026-03-02", 10_800)]);
        refunded.payments.push(InvoicePayment {
            amount: Cents(10_800),
            method: PaymentMethod::Credit,
            paid_on: day("2027-01-08"),
            ..InvoicePayment::default()
        });
        refunded.refunds.push(InvoiceRefund {
            amount: Cents(10_800),
            refunded_on: day("2027-01-09"),
            ..InvoiceRefund::default()
        });
        let in_2027 = (day("2027-01-01"), day("2027-12-31"));
        let years =
            |it: &Invoice| [in_2026(), in_2027].map(|year| moved(std::iter::once(it), year));
        let before = years(&refunded);
        assert_eq!(before[0].received, Cents(10_800));
        assert_eq!(before[1].refunded_tax, Cents(8_00));
        refunded.deleted_at = Some(Instant(1));
        assert_eq!(years(&refunded), before);
    }

    #[test]
    fn credit_that_pays_a_later_invoice_is_no_money_and_brings_its_tax() {
        let mut former = invoice(1, "2025-12-30", &[("2025-12-31", 16_200)]);
        former.refunds.push(InvoiceRefund {
            amount: Cents(54_00),
            refunded_on: day("2026-02-01"),
            to: Some(Id::of(2)),
            ..InvoiceRefund::default()
        });
        let mut later = invoice(2, "2026-01-30", &[]);
        later.payments.push(InvoicePayment {
            amount: Cents(54_00),
            paid_on: day("2026-02-01"),
            from: Some(Id::of(1)),
            ..InvoicePayment::default()
        });
        let tax = Cents(4_00);
        assert_eq!(
            moved([&former, &later].into_iter(), in_2026()),
            MoneyMoved {
                tax,
                ..MoneyMoved::default()
            }
        );
    }

    /// An invoice that was paid, of which half was credited and pays half of a later one, of which the rest is written off.
    fn with_credit_and_write_off() -> [Invoice; 2] {
        let mut former = invoice(1, "2026-03-01", &[("2026-03-02", 10_800)]);
        former.payments[0].kept = Some(Cents(54_00));
        former.payments.push(InvoicePayment {
            amount: Cents(54_00),
            method: PaymentMethod::Credit,
            paid_on: day("2026-03-03"),
            ..InvoicePayment::default()
        });
        former.refunds.push(InvoiceRefund {
            amount: Cents(54_00),
            refunded_on: day("2026-03-05"),
            to: Some(Id::of(2)),
            ..InvoiceRefund::default()
        });
        let mut later = invoice(2, "2026-03-04", &[]);
        later.payments.push(InvoicePayment {
            amount: Cents(54_00),
            paid_on: day("2026-03-05"),
            from: Some(Id::of(1)),
            ..InvoicePayment::default()
        });
        later.write_off = Some(WriteOff {
            amount: Cents(54_00),
            ..WriteOff::default()
        });
        [former, later]
    }

    #[test]
    fn credit_that_moves_to_another_invoice_refunds_no_tax() {
        let invoices = with_credit_and_write_off();
        assert_eq!(
            moved(invoices.iter(), in_2026()),
            MoneyMoved {
                received: Cents(10_800),
                tax: Cents(8_00),
                ..MoneyMoved::default()
            }
        );
    }

    #[test]
    fn a_report_with_credit_and_write_offs_adds_up() {
        let mut business = Business::default();
        for invoice in with_credit_and_write_off() {
            business.put(1, Row::Invoice(invoice));
        }
        let report = report(&business, in_2026(), day("2026-06-15"));
        let of = |label: &str| {
            let line = report.lines.iter().find(|it| it.label == label).unwrap();
            line.by_work.unwrap()
        };
        assert_eq!(
            of("Billed") - of("Taken off by credit notes"),
            of("Received after refunds") + of("Paid with credit")
                - of("Credit used for later invoices")
                + of("Written off")
                + of("Still owed")
        );
        assert_eq!(of("Written off"), Cents(54_00));
    }

    #[test]
    fn a_report_says_each_amount_by_its_day() {
        let mut business = Business::default();
        let mut of_may = invoice(1, "2026-05-20", &[("2026-06-02", 58_00)]);
        of_may.invoice_data.extras = vec![
            InvoiceExtra {
                label: "Key".to_owned(),
                amount: Cents(10_00),
                ..InvoiceExtra::default()
            },
            InvoiceExtra {
                label: "Friends".to_owned(),
                amount: Cents(-5_00),
                ..InvoiceExtra::default()
            },
        ];
        of_may.total = totals_of(&of_may).total;
        business.put(1, Row::Invoice(of_may));
        business.put(2, Row::Invoice(invoice(2, "2026-03-01", &[])));
        business.put(3, Row::Invoice(invoice(3, "2026-07-30", &[])));
        let alone = Service {
            paid: true,
            price: Cents(20_00),
            date: day("2026-05-04"),
            ..Service::new(Id::of(9), Instant(0))
        };
        business.put(4, Row::Service(alone));
        let may = (day("2026-05-01"), day("2026-05-31"));
        let report = report(&business, may, day("2026-06-15"));
        let of = |label: &str| {
            let line = report.lines.iter().find(|it| it.label == label).unwrap();
            (line.by_work, line.by_money)
        };
        assert_eq!(of("Billed"), (Some(Cents(11_340)), None));
        assert_eq!(
            of("Including extra charges and fees"),
            (Some(Cents(10_00)), None)
        );
        assert_eq!(of("Including discounts"), (Some(Cents(-5_00)), None));
        assert_eq!(of("Including tax"), (Some(Cents(8_40)), Some(Cents::ZERO)));
        assert_eq!(
            of("Received on invoices"),
            (Some(Cents(58_00)), Some(Cents::ZERO))
        );
        assert_eq!(
            of("Received after refunds"),
            (Some(Cents(78_00)), Some(Cents(20_00)))
        );
        assert_eq!(of("Still owed"), (Some(Cents(55_40)), None));
        assert_eq!(report.of_paid_alone, PAID_ALONE);
        let ages: Vec<(u32, Cents)> = report.ages.iter().map(|it| (it.count, it.amount)).collect();
        assert_eq!(
            ages,
            [
                (1, Cents(10_800)),
                (1, Cents(55_40)),
                (0, Cents::ZERO),
                (0, Cents::ZERO),
                (1, Cents(10_800)),
            ]
        );
        assert_eq!(report.owed, Cents(27_140));
        assert_eq!(report.owed_title, "Owed on Jun 15, 2026, on all invoices");
    }

    #[test]
    fn an_invoice_is_overdue_from_the_day_after_it_is_due() {
        for (today, place) in [
            ("2026-03-01", 0),
            ("2026-03-02", 1),
            ("2026-03-31", 1),
            ("2026-04-01", 2),
            ("2026-04-30", 2),
            ("2026-05-01", 3),
            ("2026-05-30", 3),
            ("2026-05-31", 4),
        ] {
            let owed = invoice(1, "2026-03-01", &[]);
            let (ages, _) = by_age([&owed].into_iter(), day(today));
            let found = ages.iter().position(|it| it.count == 1);
            assert_eq!(found, Some(place), "{today}");
        }
    }
}
