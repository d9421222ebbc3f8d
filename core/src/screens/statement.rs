//! Owns a client's statement as the sitter sees it: the balance, the entries of the ledger in words, and the open invoices
//! that one payment is divided over.

use serde::Serialize;

use crate::rows::invoice::Invoice;
use crate::rules::ledger::{Entry, EntryKind, ledger};
use crate::rules::words;
use crate::values::format;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Date, Id, Now};

/// An entry of a client's ledger, in words.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct StatementLine {
    /// Place among all entries, from 0; it stays while entries follow.
    pub place: usize,
    /// `Nov 20, 2026`.
    pub day: String,
    /// `Invoice INV-7`, `Payment on INV-7 in cash`.
    pub text: String,
    /// `For Nov 13, 2026 - Nov 20, 2026` of an invoice, the sitter's words of another entry; may be empty.
    pub detail: String,
    /// Effect on the balance: above 0 where the client owes more after it.
    pub amount: Cents,
    /// Balance after it.
    pub balance: Cents,
}

/// A client's balance with the entries that it is made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Statement {
    /// Sum of the entries until today: below 0 for what is the client's.
    pub balance: Cents,
    /// The balance in words: `$40.00 is owed`.
    pub sentence: String,
    /// Owed on open invoices.
    pub owed: Cents,
    /// Amount that payments can still pay: what is owed and what is written off.
    pub payable: Cents,
    /// Kept as the client's credit.
    pub credit: Cents,
    /// Paid too much, and to be paid back or decided on.
    pub owed_back: Cents,
    /// The newest entries, the newest first.
    pub lines: Vec<StatementLine>,
    /// Count of the entries before them.
    pub more: usize,
}

/// Name of an invoice without a number.
const WAITS: &str = "Invoice that waits to be sent";

/// An open or written-off invoice among those that one payment is divided over.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct OpenInvoice {
    /// Id of the invoice.
    pub id: Id,
    /// `INV-7`, or that it waits to be sent.
    pub number: String,
    /// `Issued Nov 20, 2026`.
    pub issued: String,
    /// Amount that a payment can pay on it.
    pub payable: Cents,
    /// That amount in words: `$25.00 owed`, `$25.00 written off`.
    pub open: String,
    /// Amount that the payment brings to it: the oldest is paid first, and what is beyond all of them stands on the newest.
    /// Written-off ones are paid only where nothing is owed.
    pub amount: Cents,
}

/// Returns a client's balance on this day with the `most` newest entries.
pub fn statement(business: &Business, client_id: Id, most: usize, now: &Now) -> Statement {
    let today = now.today();
    let entries = ledger(business, client_id, &now.zone);
    let mut balance = Cents::ZERO;
    let mut lines: Vec<StatementLine> = Vec::new();
    let mut said = Statement::default();
    for (place, entry) in entries.iter().enumerate() {
        balance = balance + entry.amount;
        if entry.on <= today {
            said.balance = said.balance + entry.amount;
        }
        lines.push(line(place, entry, balance, business));
    }
    lines.reverse();
    said.more = lines.len().saturating_sub(most);
    lines.truncate(most);
    for invoice in of_client(business, client_id) {
        said.owed = said.owed + invoice.balance();
        said.payable = said.payable + invoice.outstanding();
        said.credit = said.credit + invoice.kept();
        said.owed_back = said.owed_back + invoice.owed_back();
    }
    said.sentence = sentence(said.balance);
    Statement { lines, ..said }
}

/// `$40.00 is owed`, `$25.87 is the client's`.
fn sentence(balance: Cents) -> String {
    match balance {
        Cents::ZERO => "Nothing is owed".to_owned(),
        it if it < Cents::ZERO => (Cents::ZERO - it).to_string() + " is the client's",
        it => it.to_string() + " is owed",
    }
}

fn line(place: usize, entry: &Entry, balance: Cents, business: &Business) -> StatementLine {
    let invoice = business.invoice(entry.invoice_id);
    let number = invoice.map(Invoice::shown_number);
    let number = number.filter(|it| !it.is_empty());
    let number = number.unwrap_or_else(|| "an invoice that waits to be sent".to_owned());
    let text = match entry.kind {
        EntryKind::Charge if invoice.is_some_and(|it| it.number.is_none()) => WAITS.to_owned(),
        EntryKind::Charge => "Invoice ".to_owned() + &number,
        EntryKind::Credit => "Credit note for ".to_owned() + &number,
        EntryKind::Payment => ["Payment on ", &number, words::payment_way(entry.method)].concat(),
        EntryKind::Tip => "Tip on ".to_owned() + &number,
        EntryKind::CreditUsed if is_taken(entry) => "Credit taken from ".to_owned() + &number,
        EntryKind::CreditUsed => "Credit used on ".to_owned() + &number,
        EntryKind::Refund => ["Refund on ", &number, words::payment_way(entry.method)].concat(),
        EntryKind::WriteOff => "Written off on ".to_owned() + &number,
    };
    let text = match entry.is_reversal {
        true => text + ", deleted",
        false => text,
    };
    StatementLine {
        place,
        day: format::date(entry.on),
        detail: match entry.kind {
            EntryKind::Charge => "For ".to_owned() + &days(entry.work_from, entry.work_to),
            _ => entry.note.clone(),
        },
        text,
        amount: entry.amount,
        balance,
    }
}

/// Returns true for credit on the invoice that it comes from.
fn is_taken(entry: &Entry) -> bool {
    (Cents::ZERO < entry.amount) != entry.is_reversal
}

fn days(first: Date, last: Date) -> String {
    if first == last {
        return format::date(first);
    }
    [&format::date(first), " - ", &format::date(last)].concat()
}

/// The invoices of a client that were not deleted, the oldest first.
fn of_client(business: &Business, client_id: Id) -> Vec<&Invoice> {
    let invoices = business.invoices.values().map(|it| &it.row);
    let mut invoices: Vec<&Invoice> = invoices
        .filter(|it| it.client_id == client_id && it.deleted_at.is_none())
        .collect();
    invoices.small_sort_by_key(|it| (it.issued_on, it.number, it.id));
    invoices
}

/// Lists the open invoices of a client, the oldest first, and then those that are written off, with what a payment pays of
/// each; without an amount it pays all.
pub fn open_invoices(
    business: &Business,
    client_id: Id,
    amount: Option<Cents>,
) -> Vec<OpenInvoice> {
    let mut invoices = of_client(business, client_id);
    invoices.retain(|it| Cents::ZERO < it.outstanding());
    let (owed, lost): (Vec<&Invoice>, Vec<&Invoice>) =
        (invoices.into_iter()).partition(|it| Cents::ZERO < it.balance());
    let is_owed = !owed.is_empty();
    let due = |it: &Invoice| match is_owed {
        true => it.balance(),
        false => it.outstanding(),
    };
    let newest = if is_owed { owed.len() } else { lost.len() }.saturating_sub(1);
    let invoices = || owed.iter().chain(&lost);
    let mut left = amount.unwrap_or_else(|| invoices().map(|it| due(it)).sum());
    let mut open: Vec<OpenInvoice> = Vec::new();
    for it in invoices() {
        let amount = left.min(due(it)).max(Cents::ZERO);
        left = left - amount;
        open.push(OpenInvoice {
            id: it.id,
            number: match it.shown_number() {
                number if number.is_empty() => WAITS.to_owned(),
                number => number,
            },
            issued: "Issued ".to_owned() + &format::date(it.issued_on),
            payable: it.outstanding(),
            open: open_text(it),
            amount,
        });
    }
    if let Some(newest) = open.get_mut(newest) {
        newest.amount = newest.amount + left.max(Cents::ZERO);
    }
    open
}

/// `$25.00 owed`, `$25.00 written off`, or both.
fn open_text(invoice: &Invoice) -> String {
    let parts = [
        (invoice.balance(), " owed"),
        (invoice.written_off(), " written off"),
    ];
    let parts = parts.iter().filter(|(amount, _)| Cents::ZERO < *amount);
    let parts: Vec<String> = parts
        .map(|(amount, what)| amount.to_string() + what)
        .collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;
    use crate::rows::invoice::{InvoicePayment, PaymentMethod};
    use crate::values::zone::TimeZone;

    fn invoice(number: u32, total: i64) -> Invoice {
        Invoice {
            id: Id::of(number.into()),
            client_id: Id::of(100),
            number: Some(number),
            prefix: "INV-".to_owned(),
            total: Cents(total),
            ..Invoice::default()
        }
    }

    fn business(invoices: [Invoice; 2]) -> Business {
        let mut business = Business::default();
        for it in invoices {
            business.put(1, Row::Invoice(it));
        }
        business
    }

    #[test]
    fn the_oldest_invoice_is_paid_first_and_the_newest_takes_what_is_beyond() {
        let business = business([invoice(1, 25_00), invoice(2, 30_00)]);
        let parts = |amount: Option<i64>| -> Vec<i64> {
            let open = open_invoices(&business, Id::of(100), amount.map(Cents));
            open.iter().map(|it| it.amount.0).collect()
        };
        assert_eq!(parts(None), [25_00, 30_00]);
        assert_eq!(parts(Some(20_00)), [20_00, 0]);
        assert_eq!(parts(Some(40_00)), [25_00, 15_00]);
        assert_eq!(parts(Some(60_00)), [25_00, 35_00]);
    }

    #[test]
    fn a_written_off_invoice_is_paid_only_where_nothing_is_owed() {
        let lost = |amount: i64| {
            let write_off = crate::rows::invoice::WriteOff {
                amount: Cents(amount),
                ..crate::rows::invoice::WriteOff::default()
            };
            Invoice {
                write_off: Some(write_off),
                ..invoice(1, amount)
            }
        };
        let parts = |business: &Business, amount: Option<i64>| -> Vec<(String, i64)> {
            let open = open_invoices(business, Id::of(100), amount.map(Cents));
            open.into_iter().map(|it| (it.open, it.amount.0)).collect()
        };
        let both = business([lost(25_00), invoice(2, 30_00)]);
        let [owed, written_off] = ["$30.00 owed".to_owned(), "$25.00 written off".to_owned()];
        assert_eq!(
            parts(&both, Some(40_00)),
            [(owed, 40_00), (written_off.clone(), 0)]
        );
        let mut alone = Business::default();
        alone.put(1, Row::Invoice(lost(25_00)));
        assert_eq!(parts(&alone, None), [(written_off, 25_00)]);
        let now = Now {
            at: crate::Instant(0),
            zone: TimeZone::UTC,
        };
        let said = statement(&alone, Id::of(100), 2, &now);
        assert_eq!((said.owed, said.payable), (Cents::ZERO, Cents(25_00)));
    }

    #[test]
    fn a_statement_says_the_balance_and_its_entries_the_newest_first() {
        let paid = InvoicePayment {
            amount: Cents(60_00),
            method: PaymentMethod::Cash,
            kept: Some(Cents(35_00)),
            ..InvoicePayment::default()
        };
        let first = Invoice {
            payments: vec![paid],
            ..invoice(1, 25_00)
        };
        let business = business([first, invoice(2, 30_00)]);
        let now = Now {
            at: crate::Instant(0),
            zone: TimeZone::UTC,
        };
        let said = statement(&business, Id::of(100), 2, &now);
        assert_eq!(said.sentence, "$5.00 is the client's");
        assert_eq!((said.owed, said.credit), (Cents(30_00), Cents(35_00)));
        let lines: Vec<(&str, i64)> = (said.lines.iter())
            .map(|it| (it.text.as_str(), it.balance.0))
            .collect();
        assert_eq!(
            lines,
            [
                ("Invoice INV-2", -5_00),
                ("Payment on INV-1 in cash", -35_00)
            ]
        );
        assert_eq!(said.more, 1);
    }
}
