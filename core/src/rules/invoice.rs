//! Owns what an invoice comes to, where it stands, what makes one valid, and how what it bills has changed since.

use serde::Serialize;

use crate::rows::invoice::{
    Invoice, InvoiceExtra, InvoicePayment, InvoiceRefund, InvoicedDog, InvoicedService,
    PaymentMethod, StayCount,
};
use crate::rows::invoicing::{Invoicing, Issuer, PayTo, Tax};
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::bank;
use crate::rules::mail::name_in_mail;
use crate::rules::tax::{Rates, TaxSum, TaxedLine, sums_by_rate};
use crate::rules::words;
use crate::values::bounds::PREFIX;
use crate::values::checks::{is_email, is_phone};
use crate::values::form_errors::FieldErrors;
use crate::values::format;
use crate::values::instant::MS_PER_HOUR;
use crate::values::text::trim;
use crate::{Business, Cents, Date, Id, Instant, Time};

/// Error of an invoice that is shared without a client or without a service (SPEC 5, Invoice share).
pub const NOTHING_CHOSEN: &str = "Please select a client and at least one service";

/// Amounts of an invoice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct InvoiceTotals {
    /// The services together.
    pub services: Cents,
    /// Services with extra lines and discounts.
    pub subtotal: Cents,
    /// All taxes, in the subtotal or beside it.
    pub tax: Cents,
    /// Amount to be paid.
    pub total: Cents,
    /// Sums by rate, the default one first; lines without tax come last.
    pub taxes: Vec<TaxSum>,
}

/// Adds up services, extra lines and taxes; the tax of each rate is rounded once, for all that it is on.
///
/// `services` are the prices of the services with the names of their rates.
pub fn totals<'a>(
    services: impl IntoIterator<Item = TaxedLine<'a>>,
    extras: &'a [InvoiceExtra],
    rates: Rates<'a>,
) -> InvoiceTotals {
    let mut sum = Cents::ZERO;
    let services = services.into_iter().inspect(|it| sum = sum + it.amount);
    let lines = extras.iter().map(|it| TaxedLine {
        amount: it.amount,
        tax_name: it.tax_name.as_deref(),
    });
    let taxes = sums_by_rate(services.chain(lines), rates);
    let subtotal = taxes.iter().map(|it| it.lines).sum();
    let added = taxes.iter().filter(|it| !it.included).map(|it| it.tax);
    InvoiceTotals {
        services: sum,
        subtotal,
        tax: taxes.iter().map(|it| it.tax).sum(),
        total: subtotal + added.sum(),
        taxes,
    }
}

/// Returns the amounts of an invoice that was shared.
pub fn totals_of(invoice: &Invoice) -> InvoiceTotals {
    let services = invoice.services_data.iter().map(|it| TaxedLine {
        amount: it.price,
        tax_name: it.tax_name.as_deref(),
    });
    let data = &invoice.invoice_data;
    totals(services, &data.extras, data.into())
}

/// State of an invoice on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum InvoiceState {
    /// It waits to be sent.
    Waiting,
    /// It is owed, and not overdue.
    Unpaid,
    /// It is owed, and its day is over.
    Overdue,
    /// All of it is paid.
    Paid,
    /// Credit notes have taken all of it off.
    Credited,
    /// It gives back, and nothing is owed on it.
    Credit,
    /// The unpaid part of it will never be paid, as the sitter has said.
    WrittenOff,
    /// It was deleted.
    Deleted,
}

/// Returns the state of an invoice on this day. An invoice of which credit notes have taken all off is `Credited`, paid
/// or not.
pub fn state(invoice: &Invoice, today: Date) -> InvoiceState {
    if invoice.deleted_at.is_some() {
        return InvoiceState::Deleted;
    }
    if invoice.share_id.is_none() {
        return InvoiceState::Waiting;
    }
    if invoice.credits.is_some() {
        return InvoiceState::Credit;
    }
    let is_owed = Cents::ZERO < invoice.balance();
    match invoice.due_date {
        _ if invoice.is_credited_in_full() && !is_owed => InvoiceState::Credited,
        _ if Cents::ZERO < invoice.written_off() && !is_owed => InvoiceState::WrittenOff,
        _ if invoice.paid => InvoiceState::Paid,
        Some(due) if due < today => InvoiceState::Overdue,
        _ => InvoiceState::Unpaid,
    }
}

/// Statuses of services that can be billed (SPEC 3, Billable service in range): done, or still to be done, but not
/// cancelled.
pub const SERVED: [ServiceStatus; 2] = [ServiceStatus::Scheduled, ServiceStatus::Completed];

/// Returns true if a service can be billed: it was or will be done, is not paid, and stands on no invoice.
pub fn is_billable(service: &Service) -> bool {
    SERVED.contains(&service.status) && !service.paid && service.invoice_id.is_none()
}

/// A service as an invoice keeps it, with its dogs as they are now.
pub(crate) fn billed(
    service: &Service,
    business: &Business,
    tax_name: Option<String>,
) -> InvoicedService {
    let dogs = service.dog_ids.iter().zip(&service.dogs);
    let minutes = service.start_time.minute_of_day();
    let end = i64::from(minutes) + i64::from(service.duration_minutes);
    InvoicedService {
        id: service.id,
        service_type: service.service_type,
        name: service.offering_name.clone(),
        date: service.date,
        end_date: service.end_date,
        start_time: service.start_time,
        end_time: Time::from_minutes(end),
        duration: service.duration_minutes,
        stay: service.stay_terms.map(|it| StayCount {
            unit: it.unit,
            count: service.n_units(),
        }),
        price: service.price,
        notes: match service.completion_notes.as_str() {
            "" => service.notes.clone(),
            notes => notes.to_owned(),
        },
        dogs: dogs
            .map(|(id, name)| InvoicedDog {
                id: *id,
                name: name.clone(),
                photo: business.pet(*id).and_then(|it| it.photo),
            })
            .collect(),
        tax_name,
    }
}

/// How a service differs from what an invoice says of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct InvoiceDifference {
    /// The service's day on the invoice.
    pub date: Date,
    /// Price on the invoice.
    pub billed: Cents,
    /// Price now; none where the service was cancelled or deleted.
    pub now: Option<Cents>,
    /// Name of its tax rate on the invoice; empty for no tax, none for the default rate.
    pub tax_name: Option<String>,
}

/// How the services of an invoice have changed since it was shared: what was called off, deleted, moved to another day or
/// has another price. The invoice stays as it was shared.
pub fn differences(invoice: &Invoice, business: &Business) -> Vec<InvoiceDifference> {
    let changed = invoice.services_data.iter().filter_map(|line| {
        let service = business.service(line.id);
        let service = service.filter(|it| it.status != ServiceStatus::Cancelled);
        let is_same = service.is_some_and(|it| {
            it.price == line.price
                && it.date == line.date
                && it.end_date == line.end_date
                && it.duration_minutes == line.duration
        });
        (!is_same).then(|| InvoiceDifference {
            date: line.date,
            billed: line.price,
            now: service.map(|it| it.price),
            tax_name: line.tax_name.clone(),
        })
    });
    changed.collect()
}

/// Takes away what people write around the name of an account: `@mara`, `$mara`, `paypal.me/mara`.
fn tidy_handle(text: &mut String) {
    trim(text);
    let bare = text.rsplit('/').next().unwrap_or_default();
    let bare = bare.trim_start_matches(['@', '$']);
    *text = bare.to_owned();
}

/// Puts the settings into the form in which they are kept.
pub(crate) fn tidy(invoicing: &mut Invoicing) {
    let Invoicing {
        prefix,
        tax,
        pay_to,
        tips,
        tip_nudge,
        reminder_days,
        contact_email,
        more_taxes,
        issuer,
        terms,
        ..
    } = invoicing;
    bank::tidy(pay_to);
    let PayTo {
        venmo,
        paypal,
        cash_app,
        zelle,
        ..
    } = pay_to;
    let Issuer {
        postal_address,
        tax_id,
        registration_number,
    } = issuer;
    for text in [postal_address, tax_id, registration_number, terms] {
        trim(text);
    }
    for handle in [venmo, paypal, cash_app] {
        tidy_handle(handle);
    }
    for text in [prefix, zelle, tip_nudge, contact_email] {
        trim(text);
    }
    for tax in tax.iter_mut().chain(more_taxes) {
        trim(&mut tax.name);
    }
    for numbers in [tips, reminder_days] {
        numbers.sort_unstable();
        numbers.dedup();
    }
}

/// Returns true if an account can have this name: it has nothing that would change the address in which it stands, as
/// `..` would. An empty name is allowed and means no account.
fn is_handle(text: &str) -> bool {
    let is_plain = |it: u8| it.is_ascii_alphanumeric();
    let is_part = |it: u8| is_plain(it) || b"-_.".contains(&it);
    let has_plain = text.is_empty() || text.bytes().any(is_plain);
    has_plain && text.len() <= 50 && text.bytes().all(is_part)
}

/// Adds the errors of a business's invoice settings.
pub(crate) fn check_invoicing(invoicing: &Invoicing, errors: &mut FieldErrors) {
    let pay_to = &invoicing.pay_to;
    let handles = [
        (&pay_to.venmo, "invoicing.pay_to.venmo"),
        (&pay_to.paypal, "invoicing.pay_to.paypal"),
        (&pay_to.cash_app, "invoicing.pay_to.cash_app"),
    ];
    for (handle, field) in handles {
        let text = "This is not the name of an account";
        errors.check(!is_handle(handle), field, text);
    }
    let zelle = &pay_to.zelle;
    errors.check(
        !zelle.is_empty() && !is_email(zelle) && !is_phone(zelle),
        "invoicing.pay_to.zelle",
        "Zelle needs an email address or a phone number",
    );
    check_taxes(invoicing, errors);
    bank::check(pay_to, errors);
    let prefix = invoicing.prefix_on(Date::default());
    let text = format!("With the year, the prefix can have at most {PREFIX} characters");
    let is_long = invoicing.number_year && PREFIX < prefix.chars().count();
    errors.check(is_long, "invoicing.prefix", &text);
    let email = &invoicing.contact_email;
    let text = "Invalid email format";
    let is_wrong = !email.is_empty() && !is_email(email);
    errors.check(is_wrong, "invoicing.contact_email", text);
    let text = "A tip must be more than 0 %";
    errors.check(invoicing.tips.contains(&0), "invoicing.tips", text);
}

/// Adds the errors of the tax rates, each at its field: `invoicing.more_taxes.0.rate`.
fn check_taxes(invoicing: &Invoicing, errors: &mut FieldErrors) {
    let more = invoicing.more_taxes.iter().enumerate();
    let more = more.map(|(place, it)| (format!("invoicing.more_taxes.{place}"), it));
    let usual = invoicing.tax.iter();
    let taxes = usual.map(|it| ("invoicing.tax".to_owned(), it)).chain(more);
    let mut known: Vec<&Tax> = Vec::new();
    for (field, tax) in taxes {
        let (name, rate) = (field.clone() + ".name", field.clone() + ".rate");
        let text = "Please say what the tax is called";
        errors.check(tax.name.is_empty(), &name, text);
        let text = "Another rate has this name";
        let is_other = |it: &&Tax| it.name == tax.name && !tax.name.is_empty();
        errors.check(known.iter().any(is_other), &name, text);
        let text = "The rate must be more than 0";
        errors.check(tax.thousandths() == 0, &rate, text);
        let text = "Three decimals at most";
        errors.check(9 < tax.rate_thousandths, &rate, text);
        let text = "Prices include all of your taxes or none of them";
        let differs = known.first().is_some_and(|it| it.included != tax.included);
        errors.check(differs, &(field + ".included"), text);
        known.push(tax);
    }
}

/// Adds the errors of the lines that are no services, each at its field: `extras.0.amount`.
pub(crate) fn check_extras(extras: &[InvoiceExtra], rates: Rates, errors: &mut FieldErrors) {
    for (place, extra) in extras.iter().enumerate() {
        let field = |name: &str| ["extras.", &place.to_string(), ".", name].concat();
        let text = "Please say what it is for";
        errors.check(extra.label.is_empty(), &field("label"), text);
        let text = "The amount must not be 0";
        errors.check(extra.amount == Cents::ZERO, &field("amount"), text);
        let has_rate = extra.tax_name.as_deref().is_none_or(|it| rates.has(it));
        errors.check(!has_rate, &field("tax_name"), NO_SUCH_RATE);
    }
}

/// Names the credit that pays a part of an invoice: `Credit from INV-7`.
pub fn credit_label(payment: &InvoicePayment) -> String {
    match payment.from_number.as_str() {
        "" => "Credit".to_owned(),
        number => "Credit from ".to_owned() + number,
    }
}

/// Names a payment or a credit note on an invoice: `Paid Nov 20, 2026 by card`.
pub(crate) fn payment_label(payment: &InvoicePayment) -> String {
    if payment.from.is_some() {
        return credit_label(payment);
    }
    let what = match payment.method {
        PaymentMethod::Credit => "Credit note of ",
        _ => "Paid ",
    };
    [
        what,
        &format::date(payment.paid_on),
        words::payment_way(payment.method),
    ]
    .concat()
}

/// Names money that went back, or credit that pays a later invoice: `Refund of Nov 20, 2026 by card`.
pub(crate) fn refund_label(refund: &InvoiceRefund) -> String {
    let day = format::date(refund.refunded_on);
    if refund.to.is_some() {
        return "Used for a later invoice on ".to_owned() + &day;
    }
    ["Refund of ", &day, words::payment_way(refund.method)].concat()
}

/// Error of a line that names a tax rate that the settings do not have.
pub(crate) const NO_SUCH_RATE: &str = "Your settings have no tax rate of this name";

/// Adds the error of the first discount that takes off more than is left: services and lines that are charged, less the
/// discounts before it.
pub(crate) fn check_discounts(services: Cents, extras: &[InvoiceExtra], errors: &mut FieldErrors) {
    let charged = extras.iter().map(|it| it.amount.max(Cents::ZERO));
    let mut left = services + charged.sum();
    for (place, extra) in extras.iter().enumerate() {
        let taken_off = Cents::ZERO - extra.amount;
        if taken_off <= Cents::ZERO {
            continue;
        }
        if left < taken_off {
            let field = ["extras.", &place.to_string(), ".amount"].concat();
            let text = match left {
                Cents::ZERO => "Nothing is left to discount".to_owned(),
                left => format!("This discount can be at most {left}"),
            };
            errors.add(&field, &text);
            return;
        }
        left = left - taken_off;
    }
}

/// Returns the tip of so many percent of the invoice's total.
pub fn tip_amount(invoice: &Invoice, percent: u32) -> Cents {
    invoice.total.percent(i64::from(percent))
}

/// Returns true if an invoice's client is reminded on this day: as many days after it was due as the sitter has set,
/// and never on the day on which it was shared.
pub fn is_reminder_day(invoice: &Invoice, invoicing: &Invoicing, today: Date) -> bool {
    let is_owed = matches!(
        state(invoice, today),
        InvoiceState::Unpaid | InvoiceState::Overdue
    );
    let due = invoice.due_date.filter(|_| is_owed);
    due.is_some_and(|due| {
        let mut days = invoicing.reminder_days.iter();
        invoice.issued_on < today && days.any(|it| due.plus_days(i64::from(*it)) == today)
    })
}

/// Returns true if the sitter may remind the client of an invoice now: there was no reminder in the last hour. A reminder
/// in the future was sent while the clock was ahead, and does not count.
pub fn may_be_reminded(invoice: &Invoice, now: Instant) -> bool {
    invoice
        .reminded_at
        .is_none_or(|it| !(0..MS_PER_HOUR).contains(&(now.0 - it.0)))
}

/// Returns true if people may be reminded of money at this time of day: from 9 AM until before 8 PM.
pub fn is_reminder_time(time: Time) -> bool {
    (Time::hour(9)..Time::hour(20)).contains(&time)
}

/// The path of an invoice's page; absent while it waits to be sent, and once it is deleted.
pub fn path(invoice: &Invoice) -> Option<String> {
    let share_id = invoice.share_id.as_ref();
    let share_id = share_id.filter(|_| invoice.deleted_at.is_none());
    share_id.map(|it| "/invoice/".to_owned() + it)
}

/// `Hello Kim!`; nothing of a name that a mail program shows as a link.
fn hello(invoice: &Invoice) -> String {
    let name = name_in_mail(&invoice.client_data.name);
    let first = name.split_whitespace().next();
    first.map_or_else(|| "Hello!".to_owned(), |it| format!("Hello {it}!"))
}

/// `, due on Nov 27, 2026`; empty where it is due at no day.
fn due_in_words(invoice: &Invoice) -> String {
    let due = invoice.due_date;
    due.map(|it| [", due on ", &format::date(it)].concat())
        .unwrap_or_default()
}

/// Returns the text of a reminder, for a message or a mail: it names the business, the invoice's number, the amount that
/// is owed, the due date and its address, and nothing of the content. `origin` is the server's address, without a slash
/// at its end.
pub fn reminder_text(invoice: &Invoice, business: &str, origin: &str) -> String {
    let path = path(invoice).unwrap_or_default();
    let number = invoice.shown_number();
    let (hello, due) = (hello(invoice), due_in_words(invoice));
    let owed = invoice.balance();
    format!(
        "{hello} This is a reminder of invoice {number} from {business}: {owed} to pay{due}. {origin}{path}"
    )
}

/// Subject of the mail that brings an invoice.
pub fn mail_subject(invoice: &Invoice, business: &str) -> String {
    let (number, owed) = (invoice.shown_number(), invoice.balance());
    format!("Invoice {number} from {business}, {owed}")
}

/// Returns the text of the mail that brings an invoice, like that of a reminder. `has_pdf` is true if its PDF goes with it,
/// `takes_cards` if its page takes cards.
pub fn mail_text(
    invoice: &Invoice,
    business: &str,
    origin: &str,
    has_pdf: bool,
    takes_cards: bool,
) -> String {
    let path = path(invoice).unwrap_or_default();
    let number = invoice.shown_number();
    let (hello, due) = (hello(invoice), due_in_words(invoice));
    let owed = invoice.balance();
    let is_payable = takes_cards || invoice.invoice_data.pay_to != PayTo::default();
    let page = match (has_pdf, is_payable) {
        (true, true) => {
            "The PDF is attached. This page has the invoice, too, and the ways to pay it:"
        }
        (true, false) => "The PDF is attached. This page has the invoice, too:",
        (false, true) => "This page has the invoice and the ways to pay it:",
        (false, false) => "This page has the invoice:",
    };
    format!(
        "{hello} Here is invoice {number} from {business}: {owed} to pay{due}.\n\n{page}\nView invoice {number}: {origin}{path}"
    )
}

/// Returns the reason for which an invoice cannot be deleted; `None` where it can.
///
/// INVARIANT: An invoice that was paid is not deleted without a credit. Its client has a receipt, which only a credit note
/// takes back.
pub fn deletion_refusal(invoice: &Invoice) -> Option<&'static str> {
    if Cents::ZERO < invoice.credit_spent() {
        return Some("Its credit pays a later invoice, so please delete that one first");
    }
    if invoice.received() <= Cents::ZERO {
        return None;
    }
    // Credit would go back to where it came from, its services would be open again, and the money lost.
    if !invoice.is_credited_in_full() || Cents::ZERO < invoice.credit_used() {
        return Some(
            "It was paid, so please write a credit note instead, or remove a payment that was never made",
        );
    }
    let is_clients = Cents::ZERO < invoice.owed_back() + invoice.kept();
    is_clients.then_some("It holds money of the client, so please record the refund first")
}

/// The ids of the services that it bills.
pub(crate) fn service_ids(invoice: &Invoice) -> impl Iterator<Item = Id> + '_ {
    invoice.services_data.iter().map(|it| it.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(handle: &str) -> bool {
        let mut invoicing = Invoicing {
            pay_to: PayTo {
                paypal: handle.to_owned(),
                ..PayTo::default()
            },
            ..Invoicing::default()
        };
        tidy(&mut invoicing);
        let mut errors = FieldErrors::default();
        check_invoicing(&invoicing, &mut errors);
        !errors.0.is_empty()
    }

    #[test]
    fn an_invoice_that_was_paid_is_not_deleted_without_a_credit() {
        let money = |cents, method| InvoicePayment {
            amount: Cents(cents),
            method,
            ..InvoicePayment::default()
        };
        let mut invoice = Invoice {
            total: Cents(25_00),
            ..Invoice::default()
        };
        assert_eq!(deletion_refusal(&invoice), None);
        invoice.payments.push(money(5_00, PaymentMethod::Cash));
        assert!(deletion_refusal(&invoice).unwrap().contains("credit note"));
        invoice.payments.push(money(25_00, PaymentMethod::Credit));
        assert!(deletion_refusal(&invoice).unwrap().contains("refund"));
        invoice.refunds.push(InvoiceRefund {
            amount: Cents(5_00),
            ..InvoiceRefund::default()
        });
        assert_eq!(deletion_refusal(&invoice), None);
    }

    #[test]
    fn the_mail_of_an_invoice_promises_neither_a_file_nor_ways_to_pay_that_are_not_there() {
        let mut invoice = Invoice::default();
        let text = |invoice: &Invoice, has_pdf, takes_cards| {
            mail_text(invoice, "Mara", "https://example.com", has_pdf, takes_cards)
        };
        for takes_cards in [true, false] {
            let with_pdf = text(&invoice, true, takes_cards);
            let without = text(&invoice, false, takes_cards);
            assert!(with_pdf.contains("The PDF is attached"));
            assert!(!without.contains("PDF") && without.contains("This page has the invoice"));
            for text in [with_pdf, without] {
                assert_eq!(text.contains("the ways to pay it"), takes_cards, "{text}");
            }
        }
        invoice.invoice_data.pay_to.venmo = "mara".to_owned();
        assert!(text(&invoice, false, false).contains("the ways to pay it"));
    }

    #[test]
    fn a_client_may_be_reminded_once_an_hour() {
        let now = Instant(100 * MS_PER_HOUR);
        let may = |ms_ago: Option<i64>| {
            let invoice = Invoice {
                reminded_at: ms_ago.map(|it| Instant(now.0 - it)),
                ..Invoice::default()
            };
            may_be_reminded(&invoice, now)
        };
        assert!(may(None), "never reminded");
        assert!(!may(Some(0)), "reminded just now");
        assert!(!may(Some(MS_PER_HOUR - 1)), "reminded within the hour");
        assert!(may(Some(MS_PER_HOUR)), "reminded an hour ago");
        assert!(may(Some(-1)), "the clock was set back");
    }

    #[test]
    fn an_account_has_a_name_that_leaves_its_address_as_it_is() {
        for handle in ["", "mara", "@mara.k", "paypal.me/mara-walks", "m_1", "7"] {
            assert!(!is_refused(handle), "{handle}");
        }
        for handle in [
            ".",
            "..",
            "@..",
            "$-_",
            "mara?",
            "mara#",
            "a b",
            "mar\u{e1}",
        ] {
            assert!(is_refused(handle), "{handle}");
        }
        assert!(is_refused(&"m".repeat(51)));
    }
}
