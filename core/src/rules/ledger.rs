//! Owns the ledger of a client: what was charged, credited, paid, given back and written off, as entries that the rows of
//! invoices say. It stores nothing, and is the one place that says what a client owes on a day.

use crate::rows::invoice::{Invoice, PaymentMethod, is_money, is_note};
use crate::values::format;
use crate::values::sort::SmallSort as _;
use crate::values::zone::TimeZone;
use crate::{Business, Cents, Date, Id};

/// Kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// Total of an invoice, tax included.
    Charge,
    /// Part that a credit note takes off.
    Credit,
    /// Money that came in, with the tip in it.
    Payment,
    /// Part of a payment that is a tip.
    Tip,
    /// Credit of an earlier invoice that pays a later one: once on each of them.
    CreditUsed,
    /// Money that went back.
    Refund,
    /// Amount that will never be paid.
    WriteOff,
}

impl EntryKind {
    /// Name in tables: `credit used`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Charge => "charge",
            Self::Credit => "credit note",
            Self::Payment => "payment",
            Self::Tip => "tip",
            Self::CreditUsed => "credit used",
            Self::Refund => "refund",
            Self::WriteOff => "write-off",
        }
    }
}

/// An entry of a client's ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Id of the invoice that it is on.
    pub invoice_id: Id,
    /// Kind of the entry, or of the one that it reverses.
    pub kind: EntryKind,
    /// Effect on the client's balance: above 0 where the client owes more after it.
    pub amount: Cents,
    /// True if it reverses an entry of an invoice, or of a credit note, that was deleted.
    pub is_reversal: bool,
    /// Day on which it counts: of issue, of the money, or of the decision.
    pub on: Date,
    /// Day on which its invoice was issued; of a reversed credit, its credit note.
    pub issued_on: Date,
    /// First day of the work that its invoice bills.
    pub work_from: Date,
    /// Last day of that work.
    pub work_to: Date,
    /// Way of the money; `Unknown` where none moved.
    pub method: PaymentMethod,
    /// The sitter's words; may be empty.
    pub note: String,
}

/// Lists the entries of one invoice, or the reversed credit of a credit note that was deleted; they have no order.
pub fn entries_of(invoice: &Invoice, zone: &TimeZone) -> Vec<Entry> {
    let mut entries = Vec::new();
    let deleted_on = invoice.deleted_at.map(|it| it.civil(zone).0);
    // Credit notes that stand are payments of the invoice that they credit.
    if invoice.credits.is_some() && deleted_on.is_none() {
        return entries;
    }
    let mut add = |kind, amount, on, method, note: &str| {
        if amount != Cents::ZERO {
            entries.push(Entry {
                invoice_id: invoice.credits.unwrap_or(invoice.id),
                kind,
                amount,
                is_reversal: false,
                on,
                issued_on: invoice.issued_on,
                work_from: invoice.invoice_data.start_date,
                work_to: invoice.invoice_data.end_date,
                method,
                note: note.to_owned(),
            });
        }
    };
    let off = |amount: Cents| Cents::ZERO - amount;
    let no_money = PaymentMethod::Unknown;
    if invoice.credits.is_some() {
        let note = &invoice.invoice_data.note;
        let (amount, on) = (off(invoice.total), invoice.issued_on);
        add(EntryKind::Credit, amount, on, no_money, note);
    } else {
        add(
            EntryKind::Charge,
            invoice.total,
            invoice.issued_on,
            no_money,
            "",
        );
        let mut tips = Cents::ZERO;
        let mut last_card = None;
        for it in &invoice.payments {
            // Credit that went back with the deletion is on its invoice again, where it has no entry either.
            if it.from.is_some() && deleted_on.is_some() {
                continue;
            }
            let (kind, method) = match it {
                it if is_note(it) => (EntryKind::Credit, no_money),
                it if is_money(it) => (EntryKind::Payment, it.method),
                _ => (EntryKind::CreditUsed, no_money),
            };
            add(kind, off(it.amount), it.paid_on, method, &it.note);
            let tip = it.tip.filter(|_| is_money(it));
            if let Some(tip) = tip {
                add(EntryKind::Tip, tip, it.paid_on, it.method, "");
                tips = tips + tip;
            } else if it.method == PaymentMethod::Card {
                last_card = last_card.max(Some(it.paid_on));
            }
        }
        // Builds before asked nobody: a card brought the tip that its payer had chosen.
        if let Some(on) = last_card {
            add(
                EntryKind::Tip,
                invoice.tip() - tips,
                on,
                PaymentMethod::Card,
                "",
            );
        }
        for it in &invoice.refunds {
            let (kind, method) = match it.to {
                None => (EntryKind::Refund, it.method),
                Some(_) => (EntryKind::CreditUsed, no_money),
            };
            add(kind, it.amount, it.refunded_on, method, &it.note);
        }
        if let Some(it) = &invoice.write_off {
            let amount = off(invoice.written_off());
            add(
                EntryKind::WriteOff,
                amount,
                it.written_off_on,
                no_money,
                &it.note,
            );
        }
    }
    let Some(on) = deleted_on else {
        return entries;
    };
    let reversed = entries.clone();
    entries.extend(reversed.into_iter().map(|it| Entry {
        amount: off(it.amount),
        is_reversal: true,
        on: on.max(it.on),
        ..it
    }));
    entries
}

/// Lists the entries of a client, the oldest first.
///
/// INVARIANT: A client's balance is what the open invoices say is owed, less what is owed back and kept as credit.
pub fn ledger(business: &Business, client_id: Id, zone: &TimeZone) -> Vec<Entry> {
    let invoices = business.invoices.values().map(|it| &it.row);
    let mut invoices: Vec<&Invoice> = invoices.filter(|it| it.client_id == client_id).collect();
    invoices.small_sort_by_key(|it| (it.issued_on, it.number, it.shared_at, it.id));
    let entries = invoices.into_iter().flat_map(|it| entries_of(it, zone));
    let mut entries: Vec<Entry> = entries.collect();
    // Entries of one day keep the order of their invoices.
    entries.small_sort_by_key(|it| (it.on, it.is_reversal));
    entries
}

/// Days after which a payment that is written down is taken for a slip.
const OLD_DAYS: i64 = 366;

/// Asks about an amount or a day that looks like a slip: ten times what is owed, or more than a year ago.
pub fn money_doubt(amount: Cents, owed: Cents, day: Date, today: Date) -> Option<String> {
    if Cents::ZERO < owed && owed * 10 <= amount {
        return Some(format!(
            "You typed {amount}, and {owed} is owed. Is that right?"
        ));
    }
    let is_old = day.plus_days(OLD_DAYS) < today;
    is_old.then(|| format!("You chose {}. Is that right?", format::date(day)))
}

/// Sums up the entries until the end of a day: above 0 for what the client owes, below 0 for what is theirs.
pub fn balance_on(entries: &[Entry], day: Date) -> Cents {
    let until = entries.iter().filter(|it| it.on <= day);
    until.map(|it| it.amount).sum()
}
