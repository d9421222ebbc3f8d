//! Owns 'Bill all': what there is to bill of a span of days, client by client, and what became of the invoices that were
//! shared of it. Each client is billed by a `ShareInvoice` of its own; that command decides.

use serde::Serialize;

use crate::commands::ShareInvoice;
use crate::commands::invoice::billable as billable_of;
use crate::rows::client::Client;
use crate::rows::invoice::Invoice;
use crate::rows::service::Service;
use crate::rules::bill_day::billed_id;
use crate::rules::invoice::{is_billable, path};
use crate::rules::overdue::is_not_completed;
use crate::rules::refusal::Refusal;
use crate::rules::ways_to_client::{got_invoice, told_of_invoice};
use crate::screens::invoice_history::period;
use crate::screens::invoices::{
    add_deleted, check, counted, credits_of, is_done, of_client, trip_of,
};
use crate::screens::schedule::{ClientOption, DateRange};
use crate::screens::to_send;
use crate::sync::AttentionEntry;
use crate::sync::attention::reason;
use crate::values::format;
use crate::values::json::read_by_field;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Command, Date, Id, Now};

/// Until this day of a month the month before is proposed.
const PROPOSES_LAST_MONTH_UNTIL: u32 = 15;

/// So many days after the day of billing it is proposed still.
const DAYS_AFTER_BILLING: u32 = 7;

/// Months that can be chosen, this one among them.
const MONTHS: i32 = 13;

/// Choices of the person.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BillAllChoice {
    /// The days to bill; without them a month is proposed.
    #[serde(default)]
    pub range: Option<DateRange>,
    /// Ids of clients who are left out.
    #[serde(default)]
    pub left_out: Vec<Id>,
    /// Invoices that were adjusted, one for each client at most; their totals are computed anew.
    #[serde(default)]
    pub adjusted: Vec<ShareInvoice>,
}

read_by_field!(BillAllChoice {} or default { range, left_out, adjusted });

/// A month that can be billed.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BillMonth {
    /// `November 2026`.
    pub label: String,
    /// First and last day.
    pub range: DateRange,
}

/// One client of the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ClientBill {
    /// The client's id.
    pub client_id: Id,
    /// `Dana Whitfield (Biscuit)`.
    pub label: String,
    /// Invoice to share, with the total that is shown and without an id of its own.
    pub invoice: ShareInvoice,
    /// `4 visits, Nov 2 - Nov 27, 2026. Uses $50.00 credit`; empty where nothing is billed.
    pub what: String,
    /// Amount of the invoice, tax included.
    pub total: Cents,
    /// True unless the client was left out, there is nothing to bill, or the invoice cannot be shared.
    pub is_chosen: bool,
    /// True if the person has adjusted it.
    pub is_adjusted: bool,
    /// Sentences about visits of these days that are not billed, and about a client who cannot be reached.
    pub in_the_way: Vec<String>,
    /// Way in which the invoice gets to the client.
    pub way: String,
    /// Why it cannot be shared.
    pub problem: Option<String>,
}

/// The list of 'Bill all'.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BillAll {
    /// The days that are billed.
    pub range: DateRange,
    /// `November 2026`; the days where they are no whole month.
    pub title: String,
    /// Months that can be chosen, the newest first.
    pub months: Vec<BillMonth>,
    /// Clients with something to bill or with visits that should be done by now, by name.
    pub clients: Vec<ClientBill>,
    /// Number of invoices that would be shared.
    pub chosen: usize,
    /// Sum of their totals.
    pub total: Cents,
}

/// Lists what there is to bill of these days; `options` are all clients in the order of the list, and behind them come deleted
/// ones who owe something still.
///
/// As in the form of an invoice, visits that were done are billed, and a trip as a whole once one of its visits is owed.
pub fn bill_all(
    business: &Business,
    mut options: Vec<ClientOption>,
    choice: &BillAllChoice,
    now: &Now,
) -> BillAll {
    let months = months(now.today());
    let range = choice.range;
    let range = range.unwrap_or_else(|| proposed(now.today(), bill_day(business)));
    let is_open = |it: &&Service| is_billable(it) && it.credited_invoice_id.is_none();
    let mut open: Vec<&Service> = business.services.unpaid().filter(is_open).collect();
    open.small_sort_by_key(|it| (it.client_id, it.date, it.start_time, it.id));
    add_deleted(&mut options, open.iter(), business);
    let clients: Vec<ClientBill> = options
        .into_iter()
        .filter_map(|it| bill(business, it, &open, &range, choice, now))
        .collect();
    let chosen = || clients.iter().filter(|it| it.is_chosen);
    BillAll {
        title: title(&range, &months),
        months,
        chosen: chosen().count(),
        total: chosen().map(|it| it.total).sum(),
        clients,
        range,
    }
}

/// The month that begins on this day.
fn month_from(first: Date) -> Option<DateRange> {
    month(first, 0)
}

/// Invoices of a month that are made without a person.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DueBills {
    /// Invoices to share, each with the total that it comes to and the id that it always has.
    pub invoices: Vec<ShareInvoice>,
    /// Clients with something in the way of their invoice.
    pub left: Vec<Id>,
}

/// Works out what a month brings, by the same rule as the screen; `business` has the unpaid services of the month with
/// their trips, and the invoices with credit.
pub fn due_bills(business: &Business, first: Date, now: &Now) -> DueBills {
    let options = business.clients.keys().map(|id| ClientOption {
        id: *id,
        label: String::new(),
    });
    let choice = BillAllChoice {
        range: month_from(first),
        ..BillAllChoice::default()
    };
    let clients = bill_all(business, options.collect(), &choice, now).clients;
    let left = clients.iter().filter(|it| !it.in_the_way.is_empty());
    let left = left.map(|it| it.client_id).collect();
    let chosen = clients.into_iter().filter(|it| it.is_chosen);
    let invoices = chosen.map(|it| ShareInvoice {
        id: billed_id(first, it.client_id),
        ..it.invoice
    });
    DueBills {
        invoices: invoices.collect(),
        left,
    }
}

/// Billing by itself as the screen tells of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BilledByItself {
    /// `On day 3 of each month, the month before is billed by itself.`; empty where that is switched off.
    pub setting: String,
    /// `November 2026 was billed by itself on Dec 3, 2026.`; empty where it was not.
    pub done: String,
    /// Ids of the invoices of that month that were made by it and are there still.
    pub ids: Vec<Id>,
}

/// Tells of billing by itself: the setting, and the last month's invoices.
pub fn billed_by_itself(business: &Business, now: &Now) -> BilledByItself {
    let invoicing = business.sitter().map(|it| &it.invoicing);
    let day = bill_day(business);
    let waits = invoicing.is_some_and(|it| it.bill_waits);
    let setting = match day {
        None => String::new(),
        Some(day) if waits => {
            format!(
                "On day {day} of each month you get a notification that the previous month can be billed."
            )
        }
        Some(day) => format!("On day {day} of each month, the month before is billed by itself."),
    };
    let range = month(now.today(), 1);
    let first = range.map(|it| it.first);
    let invoices = business.invoices.values().map(|it| &it.row);
    let is_of_it =
        |it: &&Invoice| first.is_some_and(|first| it.id == billed_id(first, it.client_id));
    let made: Vec<&Invoice> = invoices
        .filter(|it| it.deleted_at.is_none())
        .filter(is_of_it)
        .collect();
    let on = made.iter().map(|it| it.issued_on).min();
    let done = range.zip(on).map_or_else(String::new, |(range, on)| {
        let month = format::month_heading(range.first);
        format!("{month} was billed by itself on {}.", format::date(on))
    });
    BilledByItself {
        setting,
        done,
        ids: made.iter().map(|it| it.id).collect(),
    }
}

fn month(today: Date, months_ago: i32) -> Option<DateRange> {
    Some(DateRange {
        first: today.in_month(-months_ago, 1)?,
        last: today.in_month(1 - months_ago, 1)?.plus_days(-1),
    })
}

fn months(today: Date) -> Vec<BillMonth> {
    let ranges = (0..MONTHS).filter_map(|it| month(today, it));
    let months = ranges.map(|range| BillMonth {
        label: format::month_heading(range.first),
        range,
    });
    months.collect()
}

fn bill_day(business: &Business) -> Option<u32> {
    business.sitter()?.invoicing.bill_day
}

fn proposed(today: Date, bill_day: Option<u32>) -> DateRange {
    let until = bill_day.map_or(0, |it| it + DAYS_AFTER_BILLING);
    let until = until.max(PROPOSES_LAST_MONTH_UNTIL);
    let is_early = i64::from(today.parts().2) <= i64::from(until);
    month(today, i32::from(is_early)).unwrap_or(DateRange {
        first: today,
        last: today,
    })
}

fn title(range: &DateRange, months: &[BillMonth]) -> String {
    let month = months.iter().find(|it| it.range == *range);
    month.map_or_else(|| period(range.first, range.last), |it| it.label.clone())
}

fn last_day(service: &Service) -> Date {
    service.end_date.unwrap_or(service.date)
}

/// `4 visits, Nov 2 - Nov 27, 2026`.
fn described(services: &[&Service]) -> String {
    let first = services.iter().map(|it| it.date).min();
    let last = services.iter().map(|it| last_day(it)).max();
    let (Some(first), Some(last), Some(count)) = (first, last, counted(services)) else {
        return String::new();
    };
    [&count, ", ", &period(first, last)].concat()
}

/// Returns a client's part of the list; `None` where nothing is to be billed and no visit should have been done.
fn bill(
    business: &Business,
    option: ClientOption,
    open: &[&Service],
    range: &DateRange,
    choice: &BillAllChoice,
    now: &Now,
) -> Option<ClientBill> {
    let client_id = option.id;
    let client = business.client(client_id);
    let open = of_client(open, client_id);
    let is_in = |it: &Service| it.date <= range.last && range.first <= last_day(it);
    let owed = open.iter().filter(|it| is_in(it) && is_done(it));
    let trips: Vec<Id> = owed.filter_map(|it| trip_of(it, business)).collect();
    let is_of_trip = |it: &Service| trip_of(it, business).is_some_and(|it| trips.contains(&it));
    let (billed, rest): (Vec<&Service>, Vec<&Service>) = open
        .iter()
        .filter(|it| is_in(it) || is_of_trip(it))
        .partition(|it| is_done(it) || is_of_trip(it));
    let (overdue, to_come): (Vec<&Service>, Vec<&Service>) =
        rest.into_iter().partition(|it| is_not_completed(it, now));
    let invoicing = business.sitter().map(|it| it.invoicing.clone());
    let invoicing = invoicing.unwrap_or_default();
    let proposed = ShareInvoice::default()
        .totals(&billed, &invoicing, business)
        .total;
    let mut adjusted = choice.adjusted.iter();
    let adjusted = adjusted.rfind(|it| it.client_id == Some(client_id));
    let is_free = adjusted.is_none() && proposed == Cents::ZERO;
    if is_free && overdue.is_empty() {
        return None;
    }
    let billed = if is_free { Vec::new() } else { billed };
    let (what, total, problem) = match adjusted {
        None => (described(&billed), proposed, None),
        Some(it) => {
            let checked = check(business, it, now);
            let wrong = checked.errors.into_iter().next().map(|it| it.text);
            let what = described(&billable_of(it, client_id, business));
            (what, checked.totals.total, wrong.or(checked.problem))
        }
    };
    let credits = match adjusted {
        None => credits_of(client_id, business),
        Some(it) => it.credits.clone(),
    };
    let credit: Cents = credits.iter().map(|it| it.amount).sum();
    let credit = credit.min(total);
    let what = match Cents::ZERO < credit {
        true => format!("{what}. Uses {credit} credit"),
        false => what,
    };
    let invoice = ShareInvoice {
        total: Some(total),
        ..adjusted.cloned().unwrap_or_else(|| ShareInvoice {
            client_id: Some(client_id),
            services: billed.iter().map(|it| it.id).collect(),
            start_date: billed.iter().map(|it| it.date).chain([range.first]).min(),
            end_date: billed
                .iter()
                .map(|it| last_day(it))
                .chain([range.last])
                .max(),
            credits,
            ..ShareInvoice::default()
        })
    };
    let not_done = counted(&overdue).map(|it| it + " not marked done");
    let to_come = counted(&to_come).map(|it| it + " not done yet");
    let unreachable = client.is_none_or(is_unreachable).then(|| NO_WAY.to_owned());
    Some(ClientBill {
        client_id,
        label: option.label,
        what,
        total,
        is_chosen: problem.is_none()
            && !(invoice.services.is_empty() && invoice.extras.is_empty())
            && !choice.left_out.contains(&client_id),
        is_adjusted: adjusted.is_some(),
        in_the_way: [not_done, to_come, unreachable]
            .into_iter()
            .flatten()
            .collect(),
        way: told_of_invoice(business, client, total - credit),
        problem,
        invoice,
    })
}

const NO_WAY: &str = "No phone or email to send it to";

fn is_unreachable(client: &Client) -> bool {
    client.client_user_id.is_none() && client.phone.is_empty() && client.email.is_empty()
}

/// State of an invoice that 'Bill all' has saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum BilledState {
    /// It waits to be sent.
    Waiting,
    /// It has a number and an address.
    Shared,
    /// The server has turned it down; Needs attention has it.
    Refused,
}

/// An invoice that 'Bill all' has saved.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BilledInvoice {
    /// The invoice's id.
    pub id: Id,
    /// The client's id.
    pub client_id: Id,
    /// The client's name.
    pub client_name: String,
    /// `INV-12`; empty until it is shared.
    pub number: String,
    /// Amount of the invoice.
    pub total: Cents,
    /// State of the invoice.
    pub state: BilledState,
    /// Way in which it got to the client, or the reason for which it was refused; empty while it waits.
    pub said: String,
    /// True if the sitter has to pass its link on.
    pub is_to_send: bool,
}

/// Tells what became of these invoices, in their order; those that were deleted or discarded since are left out.
pub fn billed(
    business: &Business,
    attention: &[AttentionEntry],
    ids: &[Id],
    now: &Now,
) -> Vec<BilledInvoice> {
    let found = ids.iter().filter_map(|id| {
        let invoice = business.invoice(*id).filter(|it| it.deleted_at.is_none());
        let Some(invoice) = invoice else {
            return refused(business, attention, *id);
        };
        let client = business.client(invoice.client_id);
        let is_shared = path(invoice).is_some();
        let said = match client.filter(|_| is_shared) {
            Some(client) => got_invoice(business, client, invoice, &now.zone),
            None if is_shared => "Shared".to_owned(),
            None => String::new(),
        };
        Some(BilledInvoice {
            id: *id,
            client_id: invoice.client_id,
            client_name: invoice.client_data.name.clone(),
            number: invoice.shown_number(),
            total: invoice.total,
            state: match is_shared {
                true => BilledState::Shared,
                false => BilledState::Waiting,
            },
            said,
            is_to_send: to_send::of_invoice(business, invoice, now).is_some(),
        })
    });
    found.collect()
}

fn refused(business: &Business, attention: &[AttentionEntry], id: Id) -> Option<BilledInvoice> {
    attention.iter().find_map(|it| {
        let Ok(Command::ShareInvoice(command)) = it.entry.mutation.command() else {
            return None;
        };
        let refusal: &Refusal = it.outcome.refusal.as_ref().filter(|_| command.id == id)?;
        let client_id = command.client_id?;
        let client = business.client(client_id);
        let said = reason(
            business,
            Some(&Command::ShareInvoice(command.clone())),
            refusal,
        );
        Some(BilledInvoice {
            id,
            client_id,
            client_name: client.map(|it| it.name.clone()).unwrap_or_default(),
            number: String::new(),
            total: command.total.unwrap_or_default(),
            state: BilledState::Refused,
            said,
            is_to_send: false,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::UsedCredit;
    use crate::rows::invoice::{InvoiceExtra, InvoicePayment};
    use crate::rows::invoicing::Tax;
    use crate::rows::row::Row;
    use crate::rows::series::{Series, Trip};
    use crate::rows::service::ServiceStatus;
    use crate::rows::sitter::Sitter;
    use crate::values::zone::TimeZone;
    use crate::{Instant, Time};

    const DANA: u128 = 1;
    const KIM: u128 = 2;

    fn now() -> Now {
        Now {
            at: "2026-12-02T10:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    fn day(of: &str) -> Date {
        of.parse().unwrap()
    }

    fn november() -> DateRange {
        DateRange {
            first: day("2026-11-01"),
            last: day("2026-11-30"),
        }
    }

    /// A visit of $25 that was done.
    fn done(n: u128, client: u128, date: &str) -> Service {
        Service {
            client_id: Id::of(client),
            date: day(date),
            start_time: Time::hour(9),
            duration_minutes: 30,
            status: ServiceStatus::Completed,
            price: Cents(2500),
            ..Service::new(Id::of(100 + n), Instant(0))
        }
    }

    fn scheduled(n: u128, client: u128, date: &str) -> Service {
        Service {
            status: ServiceStatus::Scheduled,
            ..done(n, client, date)
        }
    }

    fn business(services: Vec<Service>) -> Business {
        let mut business = Business::default();
        let (name, zone) = ("Mara".to_owned(), "UTC".to_owned());
        let sitter = Sitter::new(Id::of(9), name, String::new(), zone, Instant(0));
        business.put(0, Row::Sitter(sitter));
        for (id, name, phone) in [(DANA, "Dana", ""), (KIM, "Kim", "555 0100")] {
            let client = Client {
                name: name.to_owned(),
                phone: phone.to_owned(),
                ..Client::new(Id::of(id), Instant(0))
            };
            business.put(0, Row::Client(client));
        }
        for service in services {
            business.put(0, Row::Service(service));
        }
        business
    }

    fn list(business: &Business, choice: &BillAllChoice) -> BillAll {
        let clients = business.clients.values();
        let options = clients.map(|it| ClientOption {
            id: it.row.id,
            label: it.row.name.clone(),
        });
        bill_all(business, options.collect(), choice, &now())
    }

    #[test]
    fn the_month_before_is_proposed_until_the_middle_of_a_month() {
        let all = list(&business(vec![]), &BillAllChoice::default());
        assert_eq!(
            (all.range, all.title.as_str()),
            (november(), "November 2026")
        );
        assert_eq!(all.months.len(), 13);
        assert_eq!(all.months[0].label, "December 2026");
        let first = |bill_day| proposed(day("2026-12-16"), bill_day).first;
        assert_eq!(first(None), day("2026-12-01"));
        assert_eq!(first(Some(3)), day("2026-12-01"));
        assert_eq!(first(Some(9)), day("2026-11-01"));
        let range = Some(DateRange {
            first: day("2026-11-03"),
            last: day("2026-11-09"),
        });
        let choice = BillAllChoice {
            range,
            ..BillAllChoice::default()
        };
        let title = list(&business(vec![]), &choice).title;
        assert_eq!(title, "Nov 3 - Nov 9, 2026");
    }

    #[test]
    fn what_was_done_is_billed_and_the_rest_is_in_the_way() {
        let business = business(vec![
            done(1, DANA, "2026-11-02"),
            done(2, DANA, "2026-11-27"),
            done(3, DANA, "2026-12-01"),
            scheduled(4, DANA, "2026-11-28"),
            scheduled(5, KIM, "2026-11-28"),
            scheduled(6, KIM, "2026-11-29"),
            Service {
                invoice_id: Some(Id::of(50)),
                ..done(7, KIM, "2026-11-03")
            },
        ]);
        let all = list(&business, &BillAllChoice::default());
        let [dana, kim] = all.clients.as_slice() else {
            panic!("{:?}", all.clients)
        };
        assert_eq!(dana.what, "2 visits, Nov 2 - Nov 27, 2026");
        assert_eq!(dana.invoice.services, [Id::of(101), Id::of(102)]);
        assert_eq!(dana.invoice.total, Some(Cents(5000)));
        assert_eq!(
            dana.in_the_way,
            ["1 visit not marked done", "No phone or email to send it to"]
        );
        assert!(dana.is_chosen && !kim.is_chosen);
        assert_eq!((kim.what.as_str(), kim.total), ("", Cents::ZERO));
        assert_eq!(kim.in_the_way, ["2 visits not marked done"]);
        assert_eq!((all.chosen, all.total), (1, Cents(5000)));
    }

    #[test]
    fn a_client_can_be_left_out_or_adjusted() {
        let mut business = business(vec![
            done(1, DANA, "2026-11-02"),
            done(2, DANA, "2026-11-27"),
            done(3, KIM, "2026-11-05"),
        ]);
        let mut sitter = business.sitter().unwrap().clone();
        sitter.invoicing.tax = Some(Tax {
            name: "Sales tax".to_owned(),
            rate: 1000,
            ..Tax::default()
        });
        business.put(1, Row::Sitter(sitter));
        let adjusted = |amount: i64| ShareInvoice {
            client_id: Some(Id::of(DANA)),
            services: vec![Id::of(102)],
            extras: vec![InvoiceExtra {
                label: "Keys".to_owned(),
                amount: Cents(amount),
                ..InvoiceExtra::default()
            }],
            ..ShareInvoice::default()
        };
        let choice = |amount: i64| BillAllChoice {
            range: Some(november()),
            left_out: vec![Id::of(KIM)],
            adjusted: vec![adjusted(amount)],
        };
        let all = list(&business, &choice(1000));
        assert_eq!((all.chosen, all.total), (1, Cents(3850)));
        let dana = &all.clients[0];
        assert_eq!(dana.what, "1 visit, Nov 27, 2026");
        assert!(dana.is_adjusted && dana.problem.is_none());
        let all = list(&business, &choice(-3000));
        let problem = all.clients[0].problem.as_deref();
        assert_eq!(problem, Some("This discount can be at most $25.00"));
        assert_eq!((all.chosen, all.total), (0, Cents::ZERO));
    }

    /// A paid invoice of Dana's with so much credit left.
    fn with_credit(credit: i64) -> Invoice {
        Invoice {
            id: Id::of(60),
            client_id: Id::of(DANA),
            total: Cents(2500),
            payments: vec![InvoicePayment {
                amount: Cents(2500 + credit),
                kept: Some(Cents(credit)),
                ..InvoicePayment::default()
            }],
            ..Invoice::default()
        }
    }

    #[test]
    fn credit_of_a_client_pays_the_proposed_invoice() {
        let mut business = business(vec![done(1, DANA, "2026-11-02")]);
        business.put(1, Row::Invoice(with_credit(10_00)));
        let all = list(&business, &BillAllChoice::default());
        let dana = &all.clients[0];
        assert_eq!(dana.what, "1 visit, Nov 2, 2026. Uses $10.00 credit");
        let used = [UsedCredit {
            invoice_id: Id::of(60),
            amount: Cents(10_00),
        }];
        assert_eq!(dana.invoice.credits, used);
        let command = ShareInvoice {
            id: Id::of(70),
            ..dana.invoice.clone()
        };
        let shared = check(&business, &command, &now()).invoice.unwrap();
        assert_eq!(shared.balance(), Cents(15_00));
        // Credit beyond the total stays where it is, and the person may leave all of it for later.
        business.put(2, Row::Invoice(with_credit(90_00)));
        let all = list(&business, &BillAllChoice::default());
        assert!(all.clients[0].what.ends_with("Uses $25.00 credit"));
        let choice = BillAllChoice {
            adjusted: vec![ShareInvoice {
                credits: Vec::new(),
                ..command
            }],
            ..BillAllChoice::default()
        };
        let all = list(&business, &choice);
        assert_eq!(all.clients[0].what, "1 visit, Nov 2, 2026");
    }

    #[test]
    fn deleted_clients_are_billed_for_what_they_owe() {
        let gone = Service {
            client_name: "Ada".to_owned(),
            ..done(1, 77, "2026-11-02")
        };
        let all = list(&business(vec![gone]), &BillAllChoice::default());
        let [ada] = all.clients.as_slice() else {
            panic!("{:?}", all.clients)
        };
        assert_eq!(ada.label, "Ada (deleted)");
        assert_eq!((ada.total, ada.is_chosen), (Cents(2500), true));
        assert_eq!(ada.way, "You get a link to copy");
        assert_eq!(ada.in_the_way, [NO_WAY]);
    }

    #[test]
    fn a_trip_that_ends_in_the_next_month_is_billed_as_a_whole() {
        let trip = Id::of(300);
        let of_trip = |service: Service| Service {
            series_id: Some(trip),
            ..service
        };
        let mut business = business(vec![
            of_trip(done(1, KIM, "2026-11-30")),
            of_trip(scheduled(2, KIM, "2026-12-03")),
            done(3, KIM, "2026-12-01"),
        ]);
        let series = Series {
            trip: Some(Trip::new(day("2026-11-30"))),
            ..Series::new(trip, Instant(0))
        };
        business.put(0, Row::Series(series));
        let all = list(&business, &BillAllChoice::default());
        let kim = &all.clients[0];
        assert_eq!(kim.invoice.services, [Id::of(101), Id::of(102)]);
        assert_eq!(kim.invoice.end_date, Some(day("2026-12-03")));
    }

    #[test]
    fn shared_invoices_say_how_they_got_there_and_what_is_left_to_send() {
        let mut business = business(vec![]);
        let invoice = |n: u128, client: u128, share_id: Option<&str>| Invoice {
            id: Id::of(n),
            client_id: Id::of(client),
            number: share_id.map(|_| 12),
            prefix: "INV-".to_owned(),
            share_id: share_id.map(str::to_owned),
            total: Cents(2500),
            shared_at: now().at,
            ..Invoice::default()
        };
        business.put(1, Row::Invoice(invoice(7, KIM, Some("secret"))));
        business.put(1, Row::Invoice(invoice(8, DANA, None)));
        business.put(1, Row::Invoice(invoice(9, 77, Some("of a deleted client"))));
        let ids = [Id::of(7), Id::of(8), Id::of(9), Id::of(99)];
        let told = billed(&business, &[], &ids, &now());
        let said: Vec<_> = told
            .iter()
            .map(|it| {
                (
                    it.number.as_str(),
                    it.state,
                    it.said.as_str(),
                    it.is_to_send,
                )
            })
            .collect();
        assert_eq!(
            said,
            [
                ("INV-12", BilledState::Shared, "Send the link", true),
                ("", BilledState::Waiting, "", false),
                ("INV-12", BilledState::Shared, "Shared", false),
            ]
        );
    }

    #[test]
    fn a_month_is_billed_by_itself_once_and_what_is_in_the_way_is_named() {
        let mut business = business(vec![
            done(1, DANA, "2026-11-02"),
            scheduled(2, DANA, "2026-11-28"),
            scheduled(3, KIM, "2026-11-29"),
            done(4, KIM, "2026-12-01"),
        ]);
        let first = day("2026-11-01");
        let due = due_bills(&business, first, &now());
        assert_eq!(due.left, [Id::of(DANA), Id::of(KIM)]);
        let [invoice] = due.invoices.as_slice() else {
            panic!("{:?}", due.invoices)
        };
        assert_eq!(invoice.services, [Id::of(101)]);
        assert_eq!(invoice.total, Some(Cents(2500)));
        assert_eq!(billed_by_itself(&business, &now()).ids, []);
        let ctx = crate::Context::at(now());
        let shared = crate::commands::decide(&invoice.clone().into(), &business, &ctx).unwrap();
        business.apply(2, &shared.changes);
        assert_eq!(due_bills(&business, first, &now()).invoices, []);
        let mut sitter = business.sitter().unwrap().clone();
        sitter.invoicing.bill_day = Some(2);
        business.put(3, Row::Sitter(sitter));
        let told = billed_by_itself(&business, &now());
        assert_eq!(told.ids, [billed_id(first, Id::of(DANA))]);
        assert_eq!(
            (told.setting.as_str(), told.done.as_str()),
            (
                "On day 2 of each month, the month before is billed by itself.",
                "November 2026 was billed by itself on Dec 2, 2026."
            )
        );
    }

    #[test]
    fn three_hundred_clients_are_listed_with_their_sum() {
        let mut business = business(vec![]);
        let mut n = 0;
        for client in 10..310 {
            business.put(0, Row::Client(Client::new(Id::of(client), Instant(0))));
            for date in (1..=30).map(|it| Date::new(2026, 11, it).unwrap()) {
                n += 1;
                let service = done(1000 + n, client, "2026-11-01");
                business.put(0, Row::Service(Service { date, ..service }));
            }
        }
        let all = list(&business, &BillAllChoice::default());
        assert_eq!((all.chosen, all.total), (300, Cents(300 * 30 * 25_00)));
    }
}
