//! Owns what was shared as the history of invoices shows it, to the sitter and to a pet parent: each with where it stands
//! and what has changed since, how many there are of each kind, and what is owed in all (SPEC 2, Invoices).

use serde::Serialize;

use crate::rows::invoice::{Invoice, PaymentMethod, is_note};
use crate::rules::card_payment::CardOffer;
use crate::rules::invoice::{
    InvoiceDifference, InvoiceState, credit_label, differences, may_be_reminded, path,
    payment_label, refund_label, reminder_text, state, totals, totals_of,
};
use crate::rules::tax::{Rates, TaxedLine};
use crate::rules::ways_to_client::{is_left_to_sitter, is_reminded, opened, told_of_mail};
use crate::rules::words;
use crate::values::format;
use crate::values::instant::MS_PER_MINUTE;
use crate::values::json::read_by_name;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Date, Id, Instant, Now};

/// Filter of the list of invoices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum InvoiceFilter {
    /// All that were not deleted.
    All,
    /// Invoices on which something is owed, overdue or not.
    Unpaid,
    /// Unpaid invoices whose due date has passed.
    Overdue,
    /// Invoices of which all is paid.
    Paid,
    /// Invoices that credit notes have taken off in full.
    Credited,
    /// Credit notes that were sent.
    Credit,
    /// Invoices of which a part, or all, will never be paid.
    WrittenOff,
    /// Deleted invoices and credit notes.
    Deleted,
}

read_by_name!(InvoiceFilter {
    All,
    Unpaid,
    Overdue,
    Paid,
    Credited,
    Credit,
    WrittenOff,
    Deleted
});

impl InvoiceFilter {
    /// Returns true if an invoice in this state is listed. A credit note that waits to be sent gives back all the same,
    /// and is never unpaid.
    const fn takes(self, invoice: &Invoice, state: InvoiceState) -> bool {
        use InvoiceState as State;
        let state = match state {
            State::Waiting if invoice.credits.is_some() => State::Credit,
            state => state,
        };
        match self {
            Self::All => !matches!(state, State::Deleted),
            Self::Unpaid => matches!(state, State::Waiting | State::Unpaid | State::Overdue),
            Self::Overdue => matches!(state, State::Overdue),
            Self::Paid => matches!(state, State::Paid),
            Self::Credited => matches!(state, State::Credited),
            Self::Credit => matches!(state, State::Credit),
            Self::WrittenOff => matches!(state, State::WrittenOff),
            Self::Deleted => matches!(state, State::Deleted),
        }
    }
}

/// How many there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[expect(missing_docs, reason = "as in `InvoiceFilter`")]
pub struct InvoiceCounts {
    pub all: usize,
    pub unpaid: usize,
    pub overdue: usize,
    pub paid: usize,
    pub credited: usize,
    pub credit: usize,
    pub written_off: usize,
    pub deleted: usize,
}

/// Somebody who was billed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BilledClient {
    /// The client's id.
    pub id: Id,
    /// Name of the client now; as it was billed where the client is deleted.
    pub name: String,
}

/// Something that was paid, as a line says it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PaymentLine {
    /// Id of the payment or the refund; for a credit note, the id of the note.
    pub id: Id,
    /// Amount of the payment or the refund.
    pub amount: Cents,
    /// Method of payment.
    pub method: PaymentMethod,
    /// Day of the payment or the refund.
    pub paid_on: Date,
    /// Day in words: `Nov 20, 2026`.
    pub day: String,
    /// The sitter's words; may be empty.
    pub note: String,
    /// Part that is a tip, where that was said.
    pub tip: Option<Cents>,
    /// Part that was left as credit, where that was said.
    pub kept: Option<Cents>,
    /// `Credit from INV-7`, `Used for INV-9`; absent for a line of money and a credit note.
    pub credit: Option<String>,
}

/// Differences between an invoice and its services as they are now.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct InvoiceChanges {
    /// A sentence for each of them.
    pub lines: Vec<String>,
    /// Amount to give back for the invoice to be right, tax included, less its credit notes; never below 0.
    pub give_back: Cents,
    /// Amount to bill in addition, tax included; never below 0.
    pub bill: Cents,
}

/// An invoice as its card shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct InvoiceCard {
    /// The invoice's id.
    pub id: Id,
    /// The client's id.
    pub client_id: Id,
    /// `INV-12`; empty while it waits to be sent.
    pub number: String,
    /// The client's name now; as it was billed where it is deleted.
    pub client_name: String,
    /// `Rex and Bella`; may be empty.
    pub dogs: String,
    /// `Nov 13 - Nov 20, 2026`.
    pub period: String,
    /// State of the invoice today.
    pub state: InvoiceState,
    /// State in words: `Overdue by 3 days`.
    pub standing: String,
    /// Day on which it was shared: `Nov 20, 2026`.
    pub issued: String,
    /// `Due Nov 27, 2026`; empty where it is due at no day, or nothing is owed.
    pub due: String,
    /// Total, including tax.
    pub total: Cents,
    /// Amount that is still owed.
    pub balance: Cents,
    /// Part of the money received that is a tip.
    pub tip: Cents,
    /// Amount that the client gets back.
    pub owed_back: Cents,
    /// Part of that which may be a tip, which the sitter is asked: it was paid beyond the invoice.
    pub unsaid: Cents,
    /// Amount that the client has left as credit, and that pays no other invoice yet.
    pub kept: Cents,
    /// Amount that the sitter has written off.
    pub written_off: Cents,
    /// Amount that a payment can still pay: what is owed and what is written off.
    pub payable: Cents,
    /// True if money or credit of other invoices stands on it.
    pub has_payments: bool,
    /// Payments and credit notes.
    pub payments: Vec<PaymentLine>,
    /// Refunds to the client.
    pub refunds: Vec<PaymentLine>,
    /// Payments, credit notes and refunds as its client reads them: `Paid Nov 20, 2026 by card`, `Credit note INV-8 of Nov 21,
    /// 2026`. An amount below 0 came off what is owed. Empty for the sitter, whose lists are `payments` and `refunds`.
    pub receipt: Vec<InvoiceLine>,
    /// Payment by card where one takes what is owed, for its client alone.
    pub by_card: Option<CardOffer>,
    /// How many services are paid once it is.
    pub unpaid_services: usize,
    /// Amount that a credit note can still give back.
    pub creditable: Cents,
    /// The path of its page; absent while it waits to be sent, and once it is deleted.
    pub link: Option<String>,
    /// True if its client can be reminded of it: it was sent, and something is owed on it.
    pub is_owed: bool,
    /// When its client was last reminded.
    pub reminded_at: Option<Instant>,
    /// True if the last reminder, if any, was more than an hour ago.
    pub may_be_reminded: bool,
    /// Differences to its services as they are now; absent where there are none.
    pub changes: Option<InvoiceChanges>,
    /// The client's phone; may be empty.
    pub phone: String,
    /// True if a reminder reaches the client by a notification or by mail.
    pub is_told: bool,
    /// Outcome of the mail with it: `Mailed to kim@example.com on Nov 20, 2026`; empty where there is none.
    pub mail: String,
    /// True if the client did not get that mail.
    pub is_mail_lost: bool,
    /// `Opened on Nov 20, 2026 at 9:30 AM`; empty while the server knows of no opening.
    pub opened: String,
}

/// The list of invoices, with the figures above it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct InvoiceHistory {
    /// How many there are of each kind.
    pub counts: InvoiceCounts,
    /// Clients who were billed, by name.
    pub clients: Vec<BilledClient>,
    /// Sentence about all that is owed: `You owe nothing` where nothing is.
    pub owed: String,
    /// Sentences about money that clients get back and money left as credit; empty where there is none.
    pub back: Vec<String>,
    /// The newest of those that were asked for, the newest first.
    pub cards: Vec<InvoiceCard>,
    /// How many of that kind there are beyond them.
    pub more: usize,
}

/// Sums over the invoices of one client or of all, for the sentences above the list.
#[derive(Debug, Default)]
struct Owed {
    amount: Cents,
    overdue: Cents,
    clients: Vec<Id>,
    /// Days since the oldest overdue one was due; `shared_days` since the oldest one was shared.
    overdue_days: i64,
    shared_days: i64,
    /// Sum that the clients get back.
    back: Cents,
    /// Sum that they have left as credit.
    kept: Cents,
}

impl Owed {
    fn add(&mut self, invoice: &Invoice, today: Date) {
        let balance = invoice.balance();
        let state = state(invoice, today);
        if InvoiceFilter::All.takes(invoice, state) {
            self.back = self.back + invoice.owed_back();
            self.kept = self.kept + invoice.kept();
        }
        if !InvoiceFilter::Unpaid.takes(invoice, state) || balance == Cents::ZERO {
            return;
        }
        self.amount = self.amount + balance;
        if !self.clients.contains(&invoice.client_id) {
            self.clients.push(invoice.client_id);
        }
        self.shared_days = self.shared_days.max(days(invoice.issued_on, today));
        if let (InvoiceState::Overdue, Some(due)) = (state, invoice.due_date) {
            self.overdue = self.overdue + balance;
            self.overdue_days = self.overdue_days.max(days(due, today));
        }
    }

    /// `$37.50 to pay back`, `$25.87 kept as credit`.
    fn back(&self, is_sitter: bool) -> Vec<String> {
        let (back, kept) = match is_sitter {
            true => (" to pay back to clients", " kept as clients' credit"),
            false => (" is owed back to you", " is kept as your credit"),
        };
        let said = [(self.back, back), (self.kept, kept)].into_iter();
        said.filter(|(amount, _)| Cents::ZERO < *amount)
            .map(|(amount, what)| amount.to_string() + what)
            .collect()
    }

    /// `$420.00 owed by 3 clients, $120.00 of it overdue, the oldest for 34 days`.
    fn sentence(&self, is_sitter: bool) -> String {
        if self.amount == Cents::ZERO {
            let nothing = match is_sitter {
                true => "Nothing is owed",
                false => "You owe nothing",
            };
            return nothing.to_owned();
        }
        let mut said = match is_sitter {
            true => {
                let clients = format::counted(self.clients.len(), "client");
                format!("{} owed by {clients}", self.amount)
            }
            false => format!("You owe {}", self.amount),
        };
        let days = if self.overdue == Cents::ZERO {
            self.shared_days
        } else {
            said += &format!(", {} of it overdue", self.overdue);
            self.overdue_days
        };
        if days > 0 {
            let days = usize::try_from(days).unwrap_or_default();
            said += &format!(", the oldest for {}", format::counted(days, "day"));
        }
        said
    }
}

/// Invoices that are asked for.
#[derive(Clone, Copy)]
pub struct HistoryQuery<'a> {
    /// Kind of the invoices.
    pub filter: InvoiceFilter,
    /// The client of whom alone they are.
    pub client_id: Option<Id>,
    /// Words that a person typed: a number, a client, an amount, a date; empty for all.
    pub search: &'a str,
    /// Takes the case away, as a phone's browser does it.
    pub fold: &'a dyn Fn(&str) -> String,
    /// The newest of so many at most.
    pub most: usize,
}

/// The newest invoices that are asked for, as their sitter sees them.
pub fn invoice_history(business: &Business, query: &HistoryQuery<'_>, now: &Now) -> InvoiceHistory {
    history(business, query, now, true)
}

/// The `most` newest invoices, as the pet parent sees them whom they are for.
pub fn parent_invoices(business: &Business, most: usize, now: &Now) -> InvoiceHistory {
    let query = HistoryQuery {
        filter: InvoiceFilter::All,
        client_id: None,
        search: "",
        fold: &str::to_owned,
        most,
    };
    history(business, &query, now, false)
}

/// Words of a search, each of which begins a word of what is found.
struct Search<'a> {
    words: Vec<String>,
    /// The whole search, where it is the number of an invoice: that one alone is meant.
    number: Option<String>,
    fold: &'a dyn Fn(&str) -> String,
}

impl<'a> Search<'a> {
    fn new(business: &Business, text: &str, fold: &'a dyn Fn(&str) -> String) -> Self {
        let text = fold(text.trim());
        let mut invoices = business.invoices.values().map(|it| &it.row);
        let is_number = !text.is_empty() && invoices.any(|it| fold(&it.shown_number()) == text);
        Self {
            words: text.split_whitespace().map(str::to_owned).collect(),
            number: is_number.then_some(text),
            fold,
        }
    }

    fn finds(&self, business: &Business, invoice: &Invoice) -> bool {
        if let Some(number) = &self.number {
            return (self.fold)(&invoice.shown_number()) == *number;
        }
        if self.words.is_empty() {
            return true;
        }
        let text = (self.fold)(&searched_text(business, invoice));
        let begins = |word: &String| text.contains(&[" ", word.as_str()].concat());
        self.words.iter().all(begins)
    }
}

/// Text that a search looks at, with a space before each word: the number with and without its prefix, the client, dogs, days in
/// words and in figures, and amounts with and without their sign.
fn searched_text(business: &Business, invoice: &Invoice) -> String {
    let mut text = String::new();
    let mut add = |part: &str| {
        text.push(' ');
        text.push_str(part);
    };
    add(&invoice.shown_number());
    add(&invoice.number.map(|it| it.to_string()).unwrap_or_default());
    add(&name_of(business, invoice));
    add(&invoice.client_data.dog_name);
    for day in [Some(invoice.issued_on), invoice.due_date]
        .into_iter()
        .flatten()
    {
        add(&format::date(day));
        add(&format::month_heading(day));
        add(&day.to_string());
    }
    for amount in [invoice.total, invoice.balance()] {
        let amount = amount.to_string();
        add(&amount);
        add(amount.trim_start_matches('$'));
    }
    text
}

/// An invoice that was found by its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FoundInvoice {
    /// The invoice's id.
    pub id: Id,
    /// `INV-10`.
    pub number: String,
    /// `INV-10, Dana Whitfield, $75.00`.
    pub label: String,
}

/// Invoices whose number begins with the text, or is the number that was typed without its prefix: the lowest first, `most`
/// at most.
pub fn find_invoices(
    business: &Business,
    text: &str,
    most: usize,
    fold: &dyn Fn(&str) -> String,
) -> Vec<FoundInvoice> {
    let text = fold(text.trim());
    if !text.bytes().any(|it| it.is_ascii_digit()) {
        return Vec::new();
    }
    let mut found: Vec<&Invoice> = business
        .invoices
        .values()
        .map(|it| &it.row)
        .filter(|it| it.deleted_at.is_none())
        .filter(|it| {
            let is_bare = it.number.is_some_and(|it| it.to_string() == text);
            is_bare || fold(&it.shown_number()).starts_with(&text)
        })
        .collect();
    found.small_sort_by_key(|it| (it.number, it.id));
    let found = found.into_iter().take(most).map(|it| FoundInvoice {
        id: it.id,
        number: it.shown_number(),
        label: [
            &it.shown_number(),
            ", ",
            &name_of(business, it),
            ", ",
            &it.total.to_string(),
        ]
        .concat(),
    });
    found.collect()
}

fn history(
    business: &Business,
    query: &HistoryQuery<'_>,
    now: &Now,
    is_sitter: bool,
) -> InvoiceHistory {
    let (filter, client_id, most) = (query.filter, query.client_id, query.most);
    let search = Search::new(business, query.search, query.fold);
    let today = now.today();
    let mut counts = InvoiceCounts::default();
    let mut owed = Owed::default();
    let mut clients: Vec<BilledClient> = Vec::new();
    let mut found: Vec<&Invoice> = Vec::new();
    for invoice in business.invoices.values().map(|it| &it.row) {
        if !clients.iter().any(|it| it.id == invoice.client_id) {
            clients.push(BilledClient {
                id: invoice.client_id,
                name: name_of(business, invoice),
            });
        }
        if client_id.is_some_and(|it| it != invoice.client_id) {
            continue;
        }
        // The sentences above the list are of all invoices, whatever is searched for.
        owed.add(invoice, today);
        if !search.finds(business, invoice) {
            continue;
        }
        let state = state(invoice, today);
        let kinds = [
            (InvoiceFilter::All, &mut counts.all),
            (InvoiceFilter::Unpaid, &mut counts.unpaid),
            (InvoiceFilter::Overdue, &mut counts.overdue),
            (InvoiceFilter::Paid, &mut counts.paid),
            (InvoiceFilter::Credited, &mut counts.credited),
            (InvoiceFilter::Credit, &mut counts.credit),
            (InvoiceFilter::WrittenOff, &mut counts.written_off),
            (InvoiceFilter::Deleted, &mut counts.deleted),
        ];
        for (kind, count) in kinds {
            *count += usize::from(kind.takes(invoice, state));
        }
        if filter.takes(invoice, state) {
            found.push(invoice);
        }
    }
    clients.small_sort_by(|a, b| (&a.name, a.id).cmp(&(&b.name, b.id)));
    found.small_sort_by_key(|it| std::cmp::Reverse((it.shared_at, it.number, it.id)));
    InvoiceHistory {
        counts,
        clients,
        owed: owed.sentence(is_sitter),
        back: owed.back(is_sitter),
        more: found.len().saturating_sub(most),
        cards: found
            .into_iter()
            .take(most)
            .map(|it| card(business, it, now, is_sitter))
            .collect(),
    }
}

/// Returns the card of one invoice, as its sitter sees it.
pub fn invoice_card(business: &Business, id: Id, now: &Now) -> Option<InvoiceCard> {
    let invoice = business.invoice(id)?;
    Some(card(business, invoice, now, true))
}

/// The invoice that a service stands on.
pub fn invoice_of(business: &Business, service_id: Id, now: &Now) -> Option<InvoiceCard> {
    let service = business.service(service_id)?;
    invoice_card(business, service.invoice_id?, now)
}

/// A line of an invoice.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct InvoiceLine {
    /// `Nov 20, 2026, 9:30 AM - 10:00 AM: Walk for Rex`.
    pub text: String,
    /// Amount of the line; below 0 for a discount.
    pub amount: Cents,
}

/// Lists the services, the extra lines and the tax of an invoice. Tax that prices include already has no line.
pub fn invoice_lines(business: &Business, id: Id) -> Vec<InvoiceLine> {
    let Some(invoice) = business.invoice(id) else {
        return Vec::new();
    };
    let cycle = business.hour_cycle();
    let services = invoice.services_data.iter().map(|it| {
        let dogs: Vec<String> = it.dogs.iter().map(|it| it.name.clone()).collect();
        let what = match it.name.as_str() {
            "" => words::service_type(it.service_type),
            name => name,
        };
        let when = match it.end_date {
            Some(last) => {
                let count = it.stay.map(|it| words::units(it.unit, it.count));
                let count = count.map_or_else(String::new, |it| ", ".to_owned() + &it);
                period(it.date, last) + &count
            }
            None => {
                let time = format::time_range(it.start_time, it.duration, cycle);
                [&format::date(it.date), ", ", &time].concat()
            }
        };
        InvoiceLine {
            text: [&when, ": ", what, " for ", &format::names(&dogs)].concat(),
            amount: it.price,
        }
    });
    let data = &invoice.invoice_data;
    let extras = data.extras.iter().map(|it| InvoiceLine {
        text: it.label.clone(),
        amount: it.amount,
    });
    let taxes = totals_of(invoice).taxes.into_iter();
    let added = taxes.filter(|it| !it.included && !it.label.is_empty());
    let taxes = added.map(|it| InvoiceLine {
        text: it.label,
        amount: it.tax,
    });
    services.chain(extras).chain(taxes).collect()
}

/// Returns the text of a reminder that the sitter sends by hand. `origin` is the server's address, without a slash at
/// its end.
pub fn reminder(business: &Business, id: Id, origin: &str) -> Option<String> {
    let invoice = business.invoice(id)?;
    let from = business.sitter().map_or("", |it| it.shown_name());
    Some(reminder_text(invoice, from, origin))
}

fn name_of(business: &Business, invoice: &Invoice) -> String {
    let client = business.client(invoice.client_id).map(|it| &it.name);
    client.unwrap_or(&invoice.client_data.name).clone()
}

fn days(since: Date, today: Date) -> i64 {
    today.days_since_epoch() - since.days_since_epoch()
}

fn card(business: &Business, invoice: &Invoice, now: &Now, is_sitter: bool) -> InvoiceCard {
    let today = now.today();
    let state = state(invoice, today);
    let balance = invoice.balance();
    let is_owed =
        matches!(state, InvoiceState::Unpaid | InvoiceState::Overdue) && balance > Cents::ZERO;
    let client = business.client(invoice.client_id);
    let services = invoice.services_data.iter();
    let services = services.filter_map(|it| business.service(it.id));
    let data = &invoice.invoice_data;
    let credited = invoice.credited();
    let is_deleted = state == InvoiceState::Deleted;
    let due = invoice.due_date.filter(|_| balance > Cents::ZERO);
    InvoiceCard {
        id: invoice.id,
        client_id: invoice.client_id,
        number: invoice.shown_number(),
        client_name: name_of(business, invoice),
        dogs: invoice.client_data.dog_name.clone(),
        period: period(data.start_date, data.end_date),
        state,
        standing: standing(business, invoice, state, today, is_sitter),
        issued: format::date(invoice.issued_on),
        due: due.map_or_else(String::new, |it| "Due ".to_owned() + &format::date(it)),
        total: invoice.total,
        balance,
        tip: invoice.tip(),
        owed_back: invoice.owed_back(),
        unsaid: invoice.unsaid(),
        kept: invoice.kept(),
        written_off: invoice.written_off(),
        payable: invoice.outstanding(),
        has_payments: invoice.credits.is_none()
            && Cents::ZERO < invoice.received() + invoice.credit_used(),
        payments: invoice
            .payments
            .iter()
            .map(|it| PaymentLine {
                id: it.id,
                amount: it.amount,
                method: it.method,
                paid_on: it.paid_on,
                day: format::date(it.paid_on),
                note: it.note.clone(),
                tip: it.tip,
                kept: it.kept,
                credit: it.from.map(|_| credit_label(it)),
            })
            .collect(),
        refunds: invoice
            .refunds
            .iter()
            .map(|it| PaymentLine {
                id: it.id,
                amount: it.amount,
                method: it.method,
                paid_on: it.refunded_on,
                day: format::date(it.refunded_on),
                note: it.note.clone(),
                tip: None,
                kept: None,
                credit: it.to.map(|to| {
                    let number = business.invoice(to).map(Invoice::shown_number);
                    let number = number.filter(|it| !it.is_empty());
                    "Used for ".to_owned() + &number.unwrap_or_else(|| "a later invoice".to_owned())
                }),
            })
            .collect(),
        receipt: match is_sitter {
            true => Vec::new(),
            false => receipt(business, invoice),
        },
        by_card: CardOffer::of(invoice).filter(|_| !is_sitter && is_owed),
        unpaid_services: services
            .filter(|it| it.invoice_id == Some(invoice.id) && !it.paid)
            .count(),
        creditable: match invoice.credits {
            Some(_) => Cents::ZERO,
            None => (invoice.total - credited).max(Cents::ZERO),
        },
        link: path(invoice),
        is_owed,
        reminded_at: invoice.reminded_at,
        // Screens ask with the beginning of the minute: a reminder of this minute would be in the future there.
        may_be_reminded: [now.at, Instant(now.at.0 + MS_PER_MINUTE)]
            .into_iter()
            .all(|it| may_be_reminded(invoice, it)),
        changes: (is_sitter && !is_deleted)
            .then(|| changes(invoice, credited, business))
            .flatten(),
        phone: client.map(|it| it.phone.clone()).unwrap_or_default(),
        is_told: client.is_some_and(|it| is_reminded(business, it)),
        mail: told_of_mail(invoice.mailed.as_ref(), &now.zone),
        is_mail_lost: invoice.mailed.is_some() && is_left_to_sitter(invoice.mailed.as_ref()),
        opened: opened(invoice.opened_at, &now.zone, business.hour_cycle()),
    }
}

/// Lines of what was paid, credited and given back, as the client reads them.
fn receipt(business: &Business, invoice: &Invoice) -> Vec<InvoiceLine> {
    let paid = invoice.payments.iter().map(|it| {
        let note = business.invoice(it.id).filter(|_| is_note(it));
        let number = note.map(Invoice::shown_number).unwrap_or_default();
        let text = match number.as_str() {
            "" => payment_label(it),
            number => ["Credit note ", number, " of ", &format::date(it.paid_on)].concat(),
        };
        InvoiceLine {
            text,
            amount: Cents::ZERO - it.amount,
        }
    });
    let refunds = invoice.refunds.iter().map(|it| InvoiceLine {
        text: refund_label(it),
        amount: it.amount,
    });
    paid.chain(refunds).collect()
}

/// `Nov 13 - Nov 20, 2026`.
pub(super) fn period(first: Date, last: Date) -> String {
    let (from, to) = (format::date(first), format::date(last));
    match from.rsplit_once(", ") {
        _ if first == last => to,
        Some((day, year)) if to.ends_with(year) => [day, " - ", &to].concat(),
        _ => [&from, " - ", &to].concat(),
    }
}

fn standing(
    business: &Business,
    invoice: &Invoice,
    state: InvoiceState,
    today: Date,
    is_sitter: bool,
) -> String {
    match (state, invoice.due_date) {
        (InvoiceState::Waiting, _) => "Waiting to be sent".to_owned(),
        (InvoiceState::Deleted, _) => "Deleted".to_owned(),
        (InvoiceState::Credit, _) => {
            let credited = invoice.credits.and_then(|it| business.invoice(it));
            let number = credited.map(Invoice::shown_number);
            // A client is not shown an invoice that was deleted; its number stands on the note.
            let number = number.filter(|it| !it.is_empty());
            match number
                .as_ref()
                .unwrap_or(&invoice.invoice_data.credited)
                .as_str()
            {
                "" => "Credit note".to_owned(),
                number => format!("Credit note for {number}"),
            }
        }
        (InvoiceState::Credited, _) => "Credited".to_owned(),
        (InvoiceState::WrittenOff, _) if is_sitter => "Written off".to_owned(),
        (InvoiceState::WrittenOff, _) => "No longer owed".to_owned(),
        (InvoiceState::Paid, _) => match invoice.last_paid_on() {
            None => "Paid".to_owned(),
            Some(day) => format!("Paid on {}", format::date(day)),
        },
        (InvoiceState::Overdue, Some(due)) => {
            let days = usize::try_from(days(due, today)).unwrap_or_default();
            format!("Overdue by {}", format::counted(days, "day"))
        }
        // What was taken off is not paid.
        _ if Cents::ZERO < invoice.received() + invoice.credit_used() => "Partly paid".to_owned(),
        _ => "Unpaid".to_owned(),
    }
}

fn changes(invoice: &Invoice, credited: Cents, business: &Business) -> Option<InvoiceChanges> {
    let found = differences(invoice, business);
    if found.is_empty() {
        return None;
    }
    let changed = found.iter().map(|it| TaxedLine {
        amount: it.now.unwrap_or(Cents::ZERO) - it.billed,
        tax_name: it.tax_name.as_deref(),
    });
    let mut by: Vec<TaxedLine> = Vec::new();
    for line in changed {
        match by.iter_mut().find(|it| it.tax_name == line.tax_name) {
            Some(same) => same.amount = same.amount + line.amount,
            None => by.push(line),
        }
    }
    // Rates that come to less and rates that come to more are told by one amount.
    let rates = Rates::from(&invoice.invoice_data);
    let total_of = |sign: i64| {
        let lines = by.iter().map(|it| TaxedLine {
            amount: (it.amount * sign).max(Cents::ZERO),
            ..*it
        });
        totals(lines, &[], rates).total
    };
    let (less, more) = (total_of(-1), total_of(1));
    Some(InvoiceChanges {
        lines: found.iter().map(line).collect(),
        give_back: (less - more - credited).max(Cents::ZERO),
        bill: (more - less).max(Cents::ZERO),
    })
}

fn line(difference: &InvoiceDifference) -> String {
    let (day, billed) = (format::date(difference.date), difference.billed);
    match difference.now {
        None => format!("{day}: billed {billed}, called off since"),
        Some(now) if now == billed => format!("{day}: changed since, still {now}"),
        Some(now) => format!("{day}: billed {billed}, now {now}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Time;
    use crate::rows::client::Client;
    use crate::rows::invoice::{
        InvoiceClient, InvoiceData, InvoiceExtra, InvoicePayment, InvoicedDog, InvoicedService,
    };
    use crate::rows::invoicing::Tax;
    use crate::rows::row::Row;
    use crate::rows::service::{Service, ServiceType};
    use crate::values::zone::TimeZone;

    fn now() -> Now {
        let at = "2026-11-20T15:00:00Z".parse().unwrap();
        let zone = TimeZone::UTC;
        Now { at, zone }
    }

    fn cents(dollars: i64) -> Cents {
        Cents(dollars * 100)
    }

    /// An invoice of $100 that was shared so many days ago for one of the clients.
    fn invoice(number: u32, client: u128, days_ago: i64) -> Invoice {
        let today = now().today();
        Invoice {
            id: Id::of(u128::from(number)),
            client_id: Id::of(client),
            number: Some(number),
            prefix: "INV-".to_owned(),
            share_id: Some(format!("share{number}")),
            issued_on: today.plus_days(-days_ago),
            client_data: InvoiceClient {
                name: format!("Client {client}"),
                ..InvoiceClient::default()
            },
            total: cents(100),
            shared_at: Instant(now().at.0 - days_ago * 86_400_000),
            ..Invoice::default()
        }
    }

    fn due(invoice: Invoice, in_days: i64) -> Invoice {
        Invoice {
            due_date: Some(now().today().plus_days(in_days)),
            ..invoice
        }
    }

    fn paid(invoice: Invoice, dollars: i64) -> Invoice {
        let payment = InvoicePayment {
            amount: cents(dollars),
            paid_on: now().today().plus_days(-1),
            ..InvoicePayment::default()
        };
        Invoice {
            paid: invoice.total <= payment.amount,
            payments: vec![payment],
            ..invoice
        }
    }

    fn business(invoices: Vec<Invoice>) -> Business {
        let mut business = Business::default();
        for invoice in invoices {
            business.put(1, Row::Invoice(invoice));
        }
        business
    }

    fn all(business: &Business, filter: InvoiceFilter) -> InvoiceHistory {
        list(business, filter, None, 100, "")
    }

    fn list(
        business: &Business,
        filter: InvoiceFilter,
        client_id: Option<Id>,
        most: usize,
        search: &str,
    ) -> InvoiceHistory {
        let query = HistoryQuery {
            filter,
            client_id,
            search,
            fold: &|it| it.to_lowercase(),
            most,
        };
        invoice_history(business, &query, &now())
    }

    #[test]
    fn a_search_finds_by_number_client_amount_and_date() {
        let mut business = business(vec![
            invoice(1, 7, 3),
            due(invoice(10, 8, 2), 9),
            Invoice {
                total: cents(1),
                ..invoice(11, 8, 40)
            },
        ]);
        let kim = Client {
            name: "Kim Park".to_owned(),
            ..Client::new(Id::of(8), Instant(0))
        };
        business.put(1, Row::Client(kim));
        let found = |search: &str| {
            let found = list(&business, InvoiceFilter::All, None, 9, search);
            let numbers = found.cards.into_iter().map(|it| it.number);
            (numbers.collect::<Vec<_>>().join(" "), found.counts.all)
        };
        let numbers = |search: &str| found(search).0;
        assert_eq!(found("inv-1"), ("INV-1".to_owned(), 1), "that one alone");
        assert_eq!(numbers("inv-"), "INV-10 INV-1 INV-11");
        assert_eq!(numbers("park"), "INV-10 INV-11");
        assert_eq!(numbers("kim 100"), "INV-10");
        assert_eq!(numbers("$100.00"), "INV-10 INV-1");
        assert_eq!(numbers("nov 29"), "INV-10", "by its due date");
        assert_eq!(numbers("2026-11-17"), "INV-1");
        assert_eq!(numbers("ark"), "");
    }

    #[test]
    fn a_search_changes_nothing_about_what_is_owed() {
        let business = business(vec![paid(invoice(1, 7, 3), 100), invoice(2, 8, 0)]);
        let found = list(&business, InvoiceFilter::All, None, 9, "inv-1");
        assert_eq!((found.cards.len(), found.counts.all), (1, 1));
        assert_eq!(found.owed, "$100.00 owed by 1 client");
        let of_client = list(&business, InvoiceFilter::All, Some(Id::of(7)), 9, "");
        assert_eq!(of_client.owed, "Nothing is owed");
    }

    #[test]
    fn invoices_are_found_by_the_beginning_of_their_number() {
        let business = business(vec![invoice(1, 7, 3), invoice(10, 7, 2), invoice(2, 7, 1)]);
        let found = |text: &str| {
            let found = find_invoices(&business, text, 5, &|it| it.to_lowercase());
            let labels = found.into_iter().map(|it| it.label);
            labels.collect::<Vec<_>>()
        };
        assert_eq!(
            found("Inv-1"),
            ["INV-1, Client 7, $100.00", "INV-10, Client 7, $100.00"]
        );
        assert_eq!(found("10"), ["INV-10, Client 7, $100.00"]);
        assert!(found("inv").is_empty(), "a word is no number");
    }

    #[test]
    fn what_is_owed_in_all_says_by_how_many_and_for_how_long() {
        let of = |invoices: Vec<Invoice>| all(&business(invoices), InvoiceFilter::All).owed;
        assert_eq!(of(vec![]), "Nothing is owed");
        assert_eq!(of(vec![paid(invoice(1, 7, 3), 100)]), "Nothing is owed");
        assert_eq!(of(vec![invoice(1, 7, 0)]), "$100.00 owed by 1 client");
        assert_eq!(
            of(vec![invoice(1, 7, 1), paid(invoice(2, 7, 0), 30)]),
            "$170.00 owed by 1 client, the oldest for 1 day"
        );
        let overdue = due(invoice(3, 8, 60), -34);
        assert_eq!(
            of(vec![invoice(1, 7, 70), overdue, due(invoice(4, 9, 9), 0)]),
            "$300.00 owed by 3 clients, $100.00 of it overdue, the oldest for 34 days"
        );
    }

    #[test]
    fn a_pet_parent_reads_what_is_owed_as_theirs() {
        let business = business(vec![due(invoice(1, 7, 9), -2)]);
        let shown = parent_invoices(&business, 100, &now());
        assert_eq!(
            shown.owed,
            "You owe $100.00, $100.00 of it overdue, the oldest for 2 days"
        );
        assert_eq!(shown.cards.len(), 1);
    }

    #[test]
    fn a_pet_parent_reads_payments_and_the_numbers_of_credit_notes_and_is_offered_to_pay_the_rest()
    {
        let note = Invoice {
            credits: Some(Id::of(1)),
            total: cents(10),
            paid: true,
            ..invoice(2, 7, 0)
        };
        let mut billed = paid(invoice(1, 7, 9), 30);
        billed.payments.push(InvoicePayment {
            id: note.id,
            amount: note.total,
            method: PaymentMethod::Credit,
            paid_on: now().today(),
            ..InvoicePayment::default()
        });
        let business = business(vec![billed, note]);
        let shown = parent_invoices(&business, 100, &now());
        let card = |id| shown.cards.iter().find(|it| it.id == Id::of(id)).unwrap();
        let number = card(2).number.clone();
        let day = format::date(now().today());
        let texts: Vec<&str> = card(1).receipt.iter().map(|it| it.text.as_str()).collect();
        assert!(texts[0].starts_with("Paid "), "{texts:?}");
        assert_eq!(texts[1], format!("Credit note {number} of {day}"));
        assert_eq!(card(1).by_card.as_ref().unwrap().amount, cents(60));
        assert_eq!(
            card(2).standing,
            format!("Credit note for {}", card(1).number)
        );
        assert_eq!(card(2).by_card, None);
        let theirs = all(&business, InvoiceFilter::All);
        assert!(
            theirs
                .cards
                .iter()
                .all(|it| it.receipt.is_empty() && it.by_card.is_none())
        );
    }

    #[test]
    fn a_pet_parent_who_owes_nothing_reads_what_is_owed_back() {
        let credited = |dollars: i64, invoice: Invoice| {
            let mut invoice = invoice;
            invoice.payments.push(InvoicePayment {
                amount: cents(dollars),
                method: PaymentMethod::Credit,
                paid_on: now().today(),
                ..InvoicePayment::default()
            });
            let business = business(vec![invoice]);
            let shown = parent_invoices(&business, 100, &now());
            (shown.owed, shown.back)
        };
        let nothing = || "You owe nothing".to_owned();
        assert_eq!(credited(100, invoice(1, 7, 9)), (nothing(), vec![]));
        assert_eq!(
            credited(40, paid(invoice(1, 7, 9), 100)),
            (nothing(), vec!["$40.00 is owed back to you".to_owned()])
        );
    }

    #[test]
    fn a_credit_note_that_waits_to_be_sent_is_a_credit_and_not_unpaid() {
        let waiting = Invoice {
            number: None,
            share_id: None,
            credits: Some(Id::of(6)),
            ..invoice(7, 7, 0)
        };
        let business = business(vec![waiting]);
        let shown = all(&business, InvoiceFilter::Unpaid);
        assert_eq!((shown.counts.unpaid, shown.counts.credit), (0, 1));
        assert_eq!(shown.cards, []);
        assert_eq!(all(&business, InvoiceFilter::Credit).cards.len(), 1);
    }

    #[test]
    fn each_invoice_says_where_it_stands() {
        let waiting = Invoice {
            number: None,
            share_id: None,
            ..invoice(1, 7, 0)
        };
        let credit = Invoice {
            credits: Some(Id::of(6)),
            paid: true,
            ..invoice(7, 7, 0)
        };
        let deleted = Invoice {
            deleted_at: Some(now().at),
            ..invoice(8, 7, 0)
        };
        let invoices = vec![
            waiting,
            invoice(2, 7, 1),
            due(invoice(3, 7, 2), 0),
            due(invoice(4, 7, 3), -1),
            paid(invoice(5, 7, 4), 40),
            paid(invoice(6, 7, 5), 120),
            credit,
            deleted,
        ];
        let business = business(invoices);
        let standing = |filter| {
            let mut cards = all(&business, filter).cards;
            cards.sort_by_key(|it| it.id);
            let said = cards.into_iter().map(|it| it.standing);
            said.collect::<Vec<_>>()
        };
        assert_eq!(
            standing(InvoiceFilter::All),
            [
                "Waiting to be sent",
                "Unpaid",
                "Unpaid",
                "Overdue by 1 day",
                "Partly paid",
                "Paid on Nov 19, 2026",
                "Credit note for INV-6",
            ]
        );
        assert_eq!(standing(InvoiceFilter::Unpaid).len(), 5);
        assert_eq!(standing(InvoiceFilter::Overdue), ["Overdue by 1 day"]);
        assert_eq!(standing(InvoiceFilter::Deleted), ["Deleted"]);
        let counts = all(&business, InvoiceFilter::Paid).counts;
        let InvoiceCounts {
            all,
            unpaid,
            overdue,
            paid,
            credited,
            credit,
            written_off,
            deleted,
        } = counts;
        assert_eq!(
            [
                all,
                unpaid,
                overdue,
                paid,
                credited,
                credit,
                written_off,
                deleted
            ],
            [7, 5, 1, 1, 0, 1, 0, 1]
        );
        let card = invoice_card(&business, Id::of(6), &now()).unwrap();
        assert_eq!((card.balance, card.tip), (Cents::ZERO, Cents::ZERO));
        assert_eq!((card.owed_back, card.unsaid), (cents(20), cents(20)));
        let deleted = invoice_card(&business, Id::of(8), &now()).unwrap();
        assert_eq!(deleted.link, None, "its page shows nothing any more");
    }

    #[test]
    fn a_credit_note_on_a_paid_invoice_is_owed_back_and_leaves_its_day() {
        let mut invoice = paid(invoice(9, 7, 5), 100);
        invoice.payments.push(InvoicePayment {
            amount: cents(40),
            method: PaymentMethod::Credit,
            paid_on: now().today(),
            ..InvoicePayment::default()
        });
        let of = |invoice: &Invoice| {
            let business = business(vec![invoice.clone()]);
            let card = invoice_card(&business, Id::of(9), &now()).unwrap();
            (card, all(&business, InvoiceFilter::All).back)
        };
        let (card, back) = of(&invoice);
        assert_eq!(card.standing, "Paid on Nov 19, 2026");
        assert_eq!(
            (card.tip, card.owed_back, card.unsaid),
            (cents(0), cents(40), cents(0))
        );
        assert_eq!(back, ["$40.00 to pay back to clients"]);
        invoice.payments[0].kept = Some(cents(15));
        let (card, back) = of(&invoice);
        assert_eq!((card.owed_back, card.kept), (cents(25), cents(15)));
        assert_eq!(
            back,
            [
                "$25.00 to pay back to clients",
                "$15.00 kept as clients' credit"
            ]
        );
        invoice.payments[1].amount = cents(100);
        assert_eq!(of(&invoice).0.standing, "Credited");
    }

    #[test]
    fn a_card_says_whether_an_hour_has_passed_since_the_last_reminder() {
        let may = |minutes_ago: Option<i64>| {
            let reminded_at = minutes_ago.map(|it| Instant(now().at.0 - it * MS_PER_MINUTE));
            let business = business(vec![Invoice {
                reminded_at,
                ..invoice(1, 7, 9)
            }]);
            let card = invoice_card(&business, Id::of(1), &now()).unwrap();
            card.may_be_reminded
        };
        assert!(may(None));
        assert!(!may(Some(59)));
        assert!(may(Some(60)));
        assert!(may(Some(-2)), "the clock was set back");
        // The screen's clock shows the beginning of the minute in which the client was reminded.
        let business = business(vec![Invoice {
            reminded_at: Some(Instant(now().at.0 + 59_000)),
            ..invoice(1, 7, 9)
        }]);
        let card = invoice_card(&business, Id::of(1), &now()).unwrap();
        assert!(!card.may_be_reminded);
    }

    #[test]
    fn what_was_given_back_is_not_paid() {
        let mut invoice = paid(invoice(9, 7, 1), 40);
        invoice.payments[0].method = PaymentMethod::Credit;
        let card = invoice_card(&business(vec![invoice]), Id::of(9), &now()).unwrap();
        assert_eq!(
            (card.standing.as_str(), card.balance),
            ("Unpaid", cents(60))
        );
        assert_eq!(card.creditable, cents(60));
    }

    #[test]
    fn a_period_says_its_year_once() {
        let day = |text: &str| text.parse().unwrap();
        let says = |first, last, said| assert_eq!(period(day(first), day(last)), said);
        says("2026-11-13", "2026-11-20", "Nov 13 - Nov 20, 2026");
        says("2026-11-20", "2026-11-20", "Nov 20, 2026");
        says("2026-12-28", "2027-01-03", "Dec 28, 2026 - Jan 3, 2027");
    }

    #[test]
    fn the_newest_come_first_and_of_one_client_where_one_is_asked_for() {
        let business = business(
            (1..=5)
                .map(|n| invoice(n, u128::from(n % 2), 9 - i64::from(n)))
                .collect(),
        );
        let shown = list(&business, InvoiceFilter::All, None, 2, "");
        let numbers = shown.cards.iter().map(|it| it.number.as_str());
        assert_eq!(numbers.collect::<Vec<_>>(), ["INV-5", "INV-4"]);
        assert_eq!(shown.more, 3);
        let of_one = list(&business, InvoiceFilter::All, Some(Id::of(0)), 9, "");
        assert_eq!((of_one.counts.all, of_one.cards.len()), (2, 2));
        assert_eq!(of_one.clients.len(), 2, "the other one can be chosen still");
    }

    #[test]
    fn the_lines_of_an_invoice_come_to_its_total() {
        let line = InvoicedService {
            dogs: vec![InvoicedDog {
                name: "Rex".to_owned(),
                ..InvoicedDog::default()
            }],
            ..line(2, 60)
        };
        let billed = Invoice {
            services_data: vec![line],
            invoice_data: InvoiceData {
                extras: vec![InvoiceExtra {
                    label: "Friends".to_owned(),
                    amount: cents(-10),
                    tax_name: None,
                }],
                tax: Some(Tax {
                    name: "Sales tax".to_owned(),
                    rate: 800,
                    ..Tax::default()
                }),
                ..InvoiceData::default()
            },
            // $50 and 8 % of it.
            total: cents(54),
            ..invoice(1, 7, 0)
        };
        let total = billed.total;
        let lines = invoice_lines(&business(vec![billed]), Id::of(1));
        let said: Vec<&str> = lines.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(
            said,
            [
                "Nov 20, 2026, 9:00 AM - 10:00 AM: Walk for Rex",
                "Friends",
                "Sales tax 8%"
            ]
        );
        assert_eq!(lines.iter().map(|it| it.amount).sum::<Cents>(), total);
    }

    fn line(n: u128, dollars: i64) -> InvoicedService {
        InvoicedService {
            id: Id::of(n),
            service_type: ServiceType::Walk,
            name: String::new(),
            date: now().today(),
            end_date: None,
            start_time: Time::hour(9),
            end_time: Time::hour(10),
            duration: 60,
            stay: None,
            price: cents(dollars),
            notes: String::new(),
            dogs: Vec::new(),
            tax_name: None,
        }
    }

    #[test]
    fn what_has_changed_since_says_what_to_give_back_or_to_bill() {
        let service = |n: u128, dollars: i64| Service {
            date: now().today(),
            start_time: Time::hour(9),
            duration_minutes: 60,
            price: cents(dollars),
            invoice_id: Some(Id::of(1)),
            ..Service::new(Id::of(n), Instant(0))
        };
        let changes = |now_costs: Vec<Service>| {
            let mut business = business(vec![Invoice {
                services_data: vec![line(2, 60), line(3, 40)],
                ..invoice(1, 7, 3)
            }]);
            for service in now_costs {
                business.put(1, Row::Service(service));
            }
            invoice_card(&business, Id::of(1), &now()).unwrap().changes
        };
        assert_eq!(changes(vec![service(2, 60), service(3, 40)]), None);
        let dearer = changes(vec![service(2, 75), service(3, 40)]).unwrap();
        assert_eq!(dearer.lines, ["Nov 20, 2026: billed $60.00, now $75.00"]);
        assert_eq!((dearer.give_back, dearer.bill), (Cents::ZERO, cents(15)));
        let called_off = changes(vec![service(2, 60)]).unwrap();
        assert_eq!(
            called_off.lines,
            ["Nov 20, 2026: billed $40.00, called off since"]
        );
        assert_eq!(
            (called_off.give_back, called_off.bill),
            (cents(40), Cents::ZERO)
        );
    }
}
