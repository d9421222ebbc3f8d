//! Owns what an invoice's page says: all its words, ready to be read, in the business's clock and time zone.
//! It is public: whatever is not on the page is not in here.

use serde::Serialize;

use crate::rows::invoice::Invoice;
use crate::rows::invoicing::{Issuer, PayTo};
use crate::rows::sitter::Sitter;
use crate::rules::bank::shown_iban;
use crate::rules::invoice::{self, InvoiceState};
use crate::rules::tax::{Rates, TaxSum};
use crate::rules::words;
use crate::values::bounds::MAX_PRICE;
use crate::values::format;
use crate::values::typed_number::{self, NumberKind, TOO_LARGE};
use crate::values::units::{HourCycle, Units};
use crate::values::zone::TimeZone;
use crate::{Cents, Date, Id, Instant};

/// An invoice's page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct InvoicePage {
    /// Name by which clients know the business.
    pub business_name: String,
    /// Postal address, tax number and registration number of the business, as far as there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub identity: Vec<PageFact>,
    /// True if the business has its own picture.
    pub has_logo: bool,
    /// True if the page has a picture of a pet.
    pub has_dog_photo: bool,
    /// Ways to contact the business.
    pub contacts: Vec<PageContact>,
    /// `Invoice INV-12`, or `Credit note INV-13`.
    pub title: String,
    /// State of the invoice.
    pub state: InvoiceState,
    /// State in words: `Due Nov 30, 2026`, `Overdue by 3 days`.
    pub state_text: String,
    /// Label of the first amount: `To pay`.
    pub amount_label: &'static str,
    /// Amount to be paid with the tip that was chosen, or that was paid, or is given back: `$138.00`.
    pub amount: String,
    /// Credited invoice, client with billing address, pets, days that it bills, day of issue and due date, as far as there
    /// are any.
    pub facts: Vec<PageFact>,
    /// Services, in order of time.
    pub lines: Vec<PageLine>,
    /// Totals, payments and the amount owed.
    pub sums: Vec<PageSum>,
    /// Tips to choose from; none where nothing is owed.
    pub tips: Vec<PageTip>,
    /// A word beside them; may be empty.
    pub tip_nudge: String,
    /// The tip that was chosen: `$18.00`.
    pub tip: Option<String>,
    /// Payment services and addresses at which it can be paid; none where nothing is owed.
    pub pay_to: Vec<PagePayTo>,
    /// Payment terms in words; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub terms: String,
    /// Note from the sitter; may be empty.
    pub note: String,
    /// Number of photos; each is addressed by its number from 0.
    pub n_photos: usize,
    /// Number of videos; each is addressed by its number from 0.
    pub n_videos: usize,
    /// Paper size for printing.
    pub paper: Paper,
}

/// A fact about the invoice, with its label.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageFact {
    /// Label such as `Period`.
    pub label: &'static str,
    /// `Nov 14, 2026 - Nov 20, 2026`.
    pub text: String,
}

/// A way to contact the business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageContact {
    /// Phone number or e-mail as it is read.
    pub text: String,
    /// `tel:` or `mailto:`.
    pub link: String,
}

/// A service as a line of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageLine {
    /// `Nov 20, 2026`; of a stay its first and last day.
    pub date: String,
    /// The offering's name, or `Walk`.
    pub what: String,
    /// `9:30 AM - 10:00 AM · 30 min`.
    pub time: String,
    /// `Rex and Luna`; may be empty.
    pub dogs: String,
    /// Notes from the sitter; may be empty.
    pub notes: String,
    /// Price such as `$25.00`.
    pub price: String,
    /// `Reduced 5%`, `No tax`; empty where all lines of the invoice are taxed alike.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub tax: String,
}

/// An amount with what it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageSum {
    /// `Sales tax 8.25%`.
    pub label: String,
    /// Formatted amount: `$9.90`.
    pub amount: String,
    /// True for an amount to emphasize: the total, and what is owed.
    pub is_strong: bool,
}

/// A tip that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PageTip {
    /// Percentage of the invoice's total.
    pub percent: u32,
    /// Formatted amount of the tip: `$18.00`.
    pub amount: String,
    /// Amount owed together with this tip: `$138.00`.
    pub to_pay: String,
    /// True if this tip was chosen.
    pub is_chosen: bool,
}

/// A payment service or address at which an invoice can be paid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PagePayTo {
    /// Name of the service: `Venmo`.
    pub label: &'static str,
    /// Handle at the service: `@maras-walks`.
    pub text: String,
    /// Leads there with the amount filled in; absent where there is no such address.
    pub link: Option<String>,
}

/// The paper of the business's country.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Paper {
    /// 8.5 by 11 inches.
    Letter,
    /// 210 by 297 mm.
    A4,
}

impl Paper {
    /// Returns the paper of a business that uses these units.
    pub const fn of(units: Units) -> Self {
        match units {
            Units::Imperial => Self::Letter,
            Units::Metric => Self::A4,
        }
    }
}

/// A tip that somebody thinks of giving.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TipChoice {
    /// No tip is given.
    #[default]
    None,
    /// Percentage of the invoice's total.
    Percent(u32),
    /// A fixed amount.
    Amount(Cents),
}

impl TipChoice {
    /// Reads the tip from an address's query: a percentage, or dollars as people type them. Anything else is no tip.
    pub fn read(percent: Option<&str>, amount: Option<&str>) -> Self {
        let percent = percent.and_then(|it| it.parse().ok());
        if let Some(percent @ 1..=MAX_TIP_PERCENT) = percent {
            return Self::Percent(percent);
        }
        match amount.and_then(typed_number::amount) {
            Some(amount) if Cents::ZERO < amount && amount <= MAX_PRICE => Self::Amount(amount),
            _ => Self::None,
        }
    }

    /// Why an amount is no tip that somebody has typed; nothing of none and of $0.
    pub fn fault(amount: &str) -> Option<&'static str> {
        let typed = typed_number::read(amount, NumberKind::Money);
        typed.error.or_else(|| match typed_number::amount(amount)? {
            amount if amount < Cents::ZERO => Some("A tip cannot be negative"),
            amount if MAX_PRICE < amount => Some(TOO_LARGE),
            _ => None,
        })
    }

    /// Returns the amount of the tip on an invoice.
    pub fn of(self, invoice: &Invoice) -> Cents {
        match self {
            Self::Percent(percent) => invoice::tip_amount(invoice, percent),
            Self::Amount(amount) => amount,
            Self::None => Cents::ZERO,
        }
    }
}

/// Highest percentage of a tip; more is taken for a slip.
const MAX_TIP_PERCENT: u32 = 100;

/// The page of an invoice of this business.
pub fn page(
    invoice: &Invoice,
    sitter: &Sitter,
    zone: &TimeZone,
    now: Instant,
    tip: TipChoice,
) -> InvoicePage {
    let today = now.civil(zone).0;
    let state = invoice::state(invoice, today);
    let balance = invoice.balance();
    let is_owed = Cents::ZERO < balance;
    let tip = if is_owed {
        tip.of(invoice)
    } else {
        Cents::ZERO
    };
    let title = title(invoice);
    let data = &invoice.invoice_data;
    let taxes = invoice::totals_of(invoice).taxes;
    let owed_back = invoice.owed_back();
    let (amount_label, amount) = match state {
        _ if is_owed => ("To pay", balance + tip),
        InvoiceState::Credit => ("Credit", invoice.total),
        _ if Cents::ZERO < owed_back => (OWED_BACK, owed_back),
        InvoiceState::Credited => ("Credited", invoice.credited()),
        InvoiceState::WrittenOff => (NO_LONGER_OWED, invoice.written_off()),
        _ => ("Paid", invoice.charged()),
    };
    let tips = data.tips.iter().map(|percent| {
        let amount = invoice::tip_amount(invoice, *percent);
        PageTip {
            percent: *percent,
            amount: amount.to_string(),
            to_pay: (balance + amount).to_string(),
            is_chosen: tip == amount && Cents::ZERO < tip,
        }
    });
    InvoicePage {
        business_name: sitter.shown_name().to_owned(),
        identity: identity(&data.issuer),
        has_logo: sitter.photo.is_some(),
        has_dog_photo: invoice.client_data.dog_photo.is_some(),
        contacts: contacts(sitter),
        state,
        state_text: state_text(invoice, state, today),
        amount_label,
        amount: amount.to_string(),
        facts: facts(invoice),
        lines: lines(invoice, &taxes, sitter.hour_cycle),
        sums: sums(invoice, tip, &taxes),
        tips: tips.filter(|_| is_owed).collect(),
        tip_nudge: data.tip_nudge.clone(),
        tip: (Cents::ZERO < tip).then(|| tip.to_string()),
        pay_to: if is_owed {
            pay_to(&data.pay_to, amount, &title)
        } else {
            Vec::new()
        },
        terms: data.terms.clone(),
        note: data.note.clone(),
        n_photos: data.photos.len(),
        n_videos: data.videos.len(),
        paper: Paper::of(sitter.units),
        title,
    }
}

/// A picture of an invoice's page by its name there: the number of a photo, or `dog`.
pub fn picture(invoice: &Invoice, name: &str) -> Option<Id> {
    if name == "dog" {
        return invoice.client_data.dog_photo;
    }
    let number: usize = name.parse().ok()?;
    invoice.invoice_data.photos.get(number).copied()
}

/// Label of the amount that the client gets back.
const OWED_BACK: &str = "Owed back to you";

/// Label of the amount that the client need not pay any more.
const NO_LONGER_OWED: &str = "No longer owed";

fn title(invoice: &Invoice) -> String {
    let kind = match invoice.credits {
        Some(_) => "Credit note ",
        None => "Invoice ",
    };
    let title = kind.to_owned() + &invoice.shown_number();
    title.trim_end().to_owned()
}

/// Title of an invoice's link in a chat before it is opened: `Invoice INV-12 from Paws & Co`.
pub fn preview_title(page: &InvoicePage) -> String {
    format!("{} from {}", page.title, page.business_name)
}

/// The sentence under it, without anything that only the client may know.
pub const fn preview_sentence(page: &InvoicePage) -> &'static str {
    match page.state {
        InvoiceState::Credit => "Open it to see what was credited.",
        InvoiceState::Unpaid | InvoiceState::Overdue => {
            "Open it to see what it is for and how to pay."
        }
        _ => "Open it to see what it is for.",
    }
}

fn contacts(sitter: &Sitter) -> Vec<PageContact> {
    let phone = (&sitter.phone, "tel:");
    let email = (&sitter.invoicing.contact_email, "mailto:");
    let known = [phone, email].into_iter().filter(|it| !it.0.is_empty());
    let contacts = known.map(|(text, scheme)| {
        let dialed = |it: &char| scheme == "mailto:" || it.is_ascii_digit() || *it == '+';
        let target: String = text.chars().filter(dialed).collect();
        PageContact {
            text: text.clone(),
            link: scheme.to_owned() + &in_address(&target),
        }
    });
    contacts.collect()
}

fn state_text(invoice: &Invoice, state: InvoiceState, today: Date) -> String {
    match (state, invoice.due_date) {
        (InvoiceState::Paid, _) => "Paid".to_owned(),
        (InvoiceState::Credited, _) => "Credited".to_owned(),
        (InvoiceState::Credit, _) => "Credit note".to_owned(),
        (InvoiceState::WrittenOff, _) => NO_LONGER_OWED.to_owned(),
        (InvoiceState::Deleted, _) => "Deleted".to_owned(),
        (InvoiceState::Overdue, Some(due)) => {
            match today.days_since_epoch() - due.days_since_epoch() {
                1 => "Overdue by 1 day".to_owned(),
                days => ["Overdue by ", &days.to_string(), " days"].concat(),
            }
        }
        (_, Some(due)) if due == today => "Due today".to_owned(),
        (_, Some(due)) => "Due ".to_owned() + &format::date(due),
        (_, None) => "Due on receipt".to_owned(),
    }
}

/// From one day to another: `Nov 14, 2026 - Nov 20, 2026`.
fn days(first: Date, last: Date) -> String {
    if first == last {
        return format::date(first);
    }
    [&format::date(first), " - ", &format::date(last)].concat()
}

fn facts(invoice: &Invoice) -> Vec<PageFact> {
    let (client, data) = (&invoice.client_data, &invoice.invoice_data);
    let due = invoice.due_date.map(format::date);
    let facts = [
        ("Credit for", data.credited.clone()),
        ("For", client.name.clone()),
        ("Billing address", client.billing_address.clone()),
        ("Pets", client.dog_name.clone()),
        ("Period", days(data.start_date, data.end_date)),
        ("Issued", format::date(invoice.issued_on)),
        ("Due", due.unwrap_or_default()),
    ];
    known_facts(facts)
}

/// The facts whose texts are not empty.
fn known_facts<const N: usize>(facts: [(&'static str, String); N]) -> Vec<PageFact> {
    let facts = facts.into_iter().filter(|(_, text)| !text.is_empty());
    facts
        .map(|(label, text)| PageFact { label, text })
        .collect()
}

fn identity(issuer: &Issuer) -> Vec<PageFact> {
    known_facts([
        ("Address", issuer.postal_address.clone()),
        ("Tax number", issuer.tax_id.clone()),
        ("Registration number", issuer.registration_number.clone()),
    ])
}

/// The rate of a line; empty where all lines of the invoice have one.
fn rate_of(invoice: &Invoice, taxes: &[TaxSum], tax_name: Option<&str>) -> String {
    if taxes.len() < 2 {
        return String::new();
    }
    Rates::from(&invoice.invoice_data).label(tax_name)
}

fn lines(invoice: &Invoice, taxes: &[TaxSum], cycle: HourCycle) -> Vec<PageLine> {
    let lines = invoice.services_data.iter().map(|it| {
        let dogs: Vec<String> = it.dogs.iter().map(|it| it.name.clone()).collect();
        PageLine {
            date: days(it.date, it.end_date.unwrap_or(it.date)),
            what: match it.name.as_str() {
                "" => words::service_type(it.service_type).to_owned(),
                name => name.to_owned(),
            },
            time: match it.end_date {
                // Its days are told.
                Some(_) => {
                    let count = it.stay.map(|it| words::units(it.unit, it.count));
                    let count = count.map_or_else(String::new, |it| it + " · ");
                    count + &format::time(it.start_time, cycle)
                }
                None => {
                    let times = format::from_to(it.start_time, it.end_time, cycle);
                    [&times, " · ", &format::duration(it.duration)].concat()
                }
            },
            dogs: format::names(&dogs),
            notes: it.notes.clone(),
            price: it.price.to_string(),
            tax: rate_of(invoice, taxes, it.tax_name.as_deref()),
        }
    });
    lines.collect()
}

fn sum(label: impl Into<String>, amount: Cents) -> PageSum {
    PageSum {
        label: label.into(),
        amount: amount.to_string(),
        is_strong: false,
    }
}

fn strong(label: &str, amount: Cents) -> PageSum {
    PageSum {
        is_strong: true,
        ..sum(label, amount)
    }
}

fn sums(invoice: &Invoice, tip: Cents, taxes: &[TaxSum]) -> Vec<PageSum> {
    let data = &invoice.invoice_data;
    let mut sums = Vec::new();
    let taxed = taxes.iter().filter(|it| !it.label.is_empty());
    let has_services = !invoice.services_data.is_empty();
    if has_services && (!data.extras.is_empty() || taxed.clone().next().is_some()) {
        let services = invoice.services_data.iter().map(|it| it.price).sum();
        sums.push(sum("Services", services));
    }
    sums.extend(data.extras.iter().map(|it| {
        // A discount on all lines has no rate of its own.
        let is_spread = it.tax_name.is_none() && it.amount < Cents::ZERO;
        let rate = match is_spread {
            true => String::new(),
            false => rate_of(invoice, taxes, it.tax_name.as_deref()),
        };
        let label = match rate.as_str() {
            "" => it.label.clone(),
            rate => [&it.label, " · ", rate].concat(),
        };
        sum(label, it.amount)
    }));
    let label = |it: &TaxSum| match taxes.len() {
        ..2 => it.label.clone(),
        _ => it.label_with_base(),
    };
    let added = taxed.clone().filter(|it| !it.included);
    sums.extend(added.map(|it| sum(label(it), it.tax)));
    sums.push(strong("Total", invoice.total));
    let includes = |label: &str| "Includes ".to_owned() + label;
    let included = taxed.filter(|it| it.included);
    sums.extend(included.map(|it| sum(includes(&label(it)), it.tax)));
    let credited = data.taxes.iter();
    sums.extend(credited.map(|it| sum(includes(&it.label), it.amount)));
    let paid = invoice.payments.iter();
    sums.extend(paid.map(|it| sum(invoice::payment_label(it), Cents::ZERO - it.amount)));
    if Cents::ZERO < invoice.tip() {
        sums.push(sum("Tip, thank you", invoice.tip()));
    }
    let refunds = invoice.refunds.iter();
    sums.extend(refunds.map(|it| sum(invoice::refund_label(it), it.amount)));
    if Cents::ZERO < invoice.kept() {
        sums.push(sum("Kept as your credit", invoice.kept()));
    }
    if Cents::ZERO < invoice.owed_back() {
        sums.push(strong(OWED_BACK, invoice.owed_back()));
    }
    let lost = invoice.written_off();
    if Cents::ZERO < lost {
        sums.push(sum(NO_LONGER_OWED, Cents::ZERO - lost));
    }
    let balance = invoice.balance();
    if Cents::ZERO < balance && balance != invoice.total {
        sums.push(strong("Still to pay", balance));
    }
    if Cents::ZERO < tip {
        sums.push(sum("Tip", tip));
        sums.push(strong("To pay with tip", balance + tip));
    }
    sums
}

/// Lists the payment services of the business with links that fill in the amount. The addresses are those that the
/// services make themselves when somebody asks for money.
fn pay_to(handles: &PayTo, amount: Cents, note: &str) -> Vec<PagePayTo> {
    let dollars = [
        &(amount.0 / 100).to_string(),
        ".",
        (100 + amount.0 % 100).to_string().get(1..).unwrap_or("00"),
    ]
    .concat();
    let (venmo, paypal) = (in_address(&handles.venmo), in_address(&handles.paypal));
    let (cash_app, note) = (in_address(&handles.cash_app), in_address(note));
    let venmo = [
        "https://venmo.com/",
        &venmo,
        "?txn=pay&amount=",
        &dollars,
        "&note=",
        &note,
    ];
    let paypal = [
        "https://www.paypal.com/paypalme/",
        &paypal,
        "/",
        &dollars,
        "USD",
    ];
    let cash_app = ["https://cash.app/$", &cash_app, "/", &dollars];
    let ways = [
        ("Venmo", "@", &handles.venmo, venmo.concat()),
        ("PayPal", "", &handles.paypal, paypal.concat()),
        ("Cash App", "$", &handles.cash_app, cash_app.concat()),
        ("Zelle", "", &handles.zelle, String::new()),
    ];
    let ways = ways
        .into_iter()
        .filter(|(_, _, handle, _)| !handle.is_empty());
    let ways = ways.map(|(label, sign, handle, link)| PagePayTo {
        label,
        text: sign.to_owned() + handle,
        link: (!link.is_empty()).then_some(link),
    });
    ways.chain(bank(handles)).collect()
}

/// The bank account of the business, a line for each of its numbers.
fn bank(account: &PayTo) -> impl Iterator<Item = PagePayTo> {
    let has_account = !account.iban.is_empty() || !account.account_number.is_empty();
    let holder = has_account.then(|| account.account_holder.clone());
    let lines = [
        ("Bank account of", holder.unwrap_or_default()),
        ("IBAN", shown_iban(&account.iban)),
        ("BIC", account.bic.clone()),
        ("Routing number", account.routing_number.clone()),
        ("Account number", account.account_number.clone()),
    ];
    let lines = lines.into_iter().filter(|(_, text)| !text.is_empty());
    lines.map(|(label, text)| PagePayTo {
        label,
        text,
        link: None,
    })
}

/// Text as a part of an address: what is no letter, digit or one of `-._~@+` is written as its bytes (RFC 3986, 2.3).
fn in_address(text: &str) -> String {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut written = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~@+".contains(&byte) {
            written.push(char::from(byte));
        } else {
            let digit = |half: u8| DIGITS.get(usize::from(half)).copied().unwrap_or(b'0');
            written.push('%');
            written.push(char::from(digit(byte >> 4)));
            written.push(char::from(digit(byte & 15)));
        }
    }
    written
}
