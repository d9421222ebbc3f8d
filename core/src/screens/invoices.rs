//! Owns what the form of an invoice asks: what each client has unbilled, what of it can be billed, and what a choice of it
//! comes to (SPEC 2, Invoices). It decides nothing anew: what is shared is what the command makes of the same choice.

use serde::Serialize;

use crate::commands::decision::Decision;
use crate::commands::invoice::billable as billable_of;
use crate::commands::{ShareInvoice, UsedCredit, decide};
use crate::rows::invoice::Invoice;
use crate::rows::invoicing::Invoicing;
use crate::rows::row::Row;
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::invoice::{InvoiceTotals, SERVED, is_billable, path};
use crate::rules::offering;
use crate::rules::overdue::is_not_completed;
use crate::rules::tax;
use crate::rules::ways_to_client::{is_left_to_sitter, sharing, told_of_invoice, told_of_mail};
use crate::screens::calendar::ServiceView;
use crate::screens::schedule::{ClientOption, DateRange};
use crate::values::form_errors::FieldError;
use crate::values::sort::SmallSort as _;
use crate::values::zone::TimeZone;
use crate::{Business, Cents, Change, Context, Date, Id, Now, Refusal};

/// SPEC 9, Invoices: the default range is the last 7 days.
const RANGE_DAYS: i64 = 7;

/// A client in the form of an invoice, with unbilled services summed up.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct UnbilledClient {
    /// The client's id.
    pub id: Id,
    /// `Dana Whitfield (Biscuit)`.
    pub label: String,
    /// `3 visits, $75.00 unbilled`; empty where nothing is.
    pub unbilled: String,
    /// `2 visits not marked done`: overdue, and billed once they are; empty where none is.
    pub overdue: String,
}

/// Sums up the services of each client that are done and neither paid nor billed, and counts those that are overdue; in
/// the order of `options`, and behind them deleted clients who owe something still.
pub fn unbilled_clients(
    business: &Business,
    mut options: Vec<ClientOption>,
    now: &Now,
) -> Vec<UnbilledClient> {
    let today = now.today();
    // What was credited in full is billed anew where somebody wants to, and asked for by nobody.
    let (mut overdue, mut open): (Vec<&Service>, Vec<&Service>) = business
        .services
        .unpaid()
        .filter(|it| is_billable(it) && it.credited_invoice_id.is_none())
        .partition(|it| is_not_completed(it, now));
    open.retain(|it| is_done(it) && it.date <= today);
    for services in [&mut overdue, &mut open] {
        services.small_sort_by_key(|it| (it.client_id, it.date, it.id));
    }
    add_deleted(&mut options, open.iter().chain(&overdue), business);
    let unbilled = |client_id: Id| {
        let services = of_client(&open, client_id);
        let amount: Cents = services.iter().map(|it| it.price).sum();
        let text = |it| format!("{it}, {amount} unbilled");
        counted(services).map(text).unwrap_or_default()
    };
    let overdue = |client_id: Id| {
        let text = |it| format!("{it} not marked done");
        let services = of_client(&overdue, client_id);
        counted(services).map(text).unwrap_or_default()
    };
    let clients = options.into_iter().map(|it| UnbilledClient {
        unbilled: unbilled(it.id),
        overdue: overdue(it.id),
        id: it.id,
        label: it.label,
    });
    clients.collect()
}

/// Adds the deleted clients of these services: they owe what they owed.
pub(super) fn add_deleted<'a>(
    options: &mut Vec<ClientOption>,
    services: impl Iterator<Item = &'a &'a Service>,
    business: &Business,
) {
    for service in services {
        let id = service.client_id;
        if business.client(id).is_none() && !options.iter().any(|it| it.id == id) {
            let label = service.client_name.clone() + " (deleted)";
            options.push(ClientOption { id, label });
        }
    }
}

/// One client's services, of those that come by client.
pub(super) fn of_client<'a>(services: &'a [&'a Service], client_id: Id) -> &'a [&'a Service] {
    let from = services.partition_point(|it| it.client_id < client_id);
    let to = services.partition_point(|it| it.client_id <= client_id);
    services.get(from..to).unwrap_or_default()
}

/// `3 visits`, `1 service` where a stay is among them; `None` for none.
pub(super) fn counted(services: &[&Service]) -> Option<String> {
    let has_stays = services.iter().any(|it| it.end_date.is_some());
    let what = match (services.len(), has_stays) {
        (0, _) => return None,
        (1, false) => "visit",
        (1, true) => "service",
        (_, false) => "visits",
        (_, true) => "services",
    };
    Some(format!("{} {what}", services.len()))
}

/// A service of the client whose invoice is made.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BillableService {
    /// The service, with what is derived from it.
    pub view: ServiceView,
    /// True if it can be put on the invoice.
    pub can_bill: bool,
    /// True if it is ticked before anybody chooses: it was done and is owed, is paid already, or belongs to a trip of which
    /// a visit was done and is owed.
    pub is_ticked: bool,
    /// Name of the tax rate that it has unless the person chooses one: that of its offering; none for the default one.
    pub usual_tax: Option<String>,
    /// Remark beside it: `Paid`, `On INV-12`, `Not done yet`, `Not marked done`; may be empty.
    pub remark: String,
}

/// Options of the form of an invoice.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Billable {
    /// The days that are shown.
    pub range: DateRange,
    /// The days with everything of the client's that can be billed up to today; absent where nothing can.
    pub unpaid: Option<DateRange>,
    /// The services of these days, by date and start.
    pub services: Vec<BillableService>,
    /// Credit that the client has left, by the invoice that it is from, the oldest first.
    pub credits: Vec<UsedCredit>,
    /// Sum of it.
    pub credit: Cents,
}

/// The services of a client from `first` to `last`, both included: without them of the last 7 days, and of each trip that
/// has something owed in these.
pub fn billable(
    business: &Business,
    client_id: Id,
    first: Option<Date>,
    last: Option<Date>,
    now: &Now,
) -> Billable {
    let today = now.today();
    let mut range = DateRange {
        first: first.unwrap_or_else(|| today.plus_days(1 - RANGE_DAYS)),
        last: last.unwrap_or(today),
    };
    let is_open = |it: &Service| is_billable(it) && it.credited_invoice_id.is_none();
    let is_owed = |it: &&&Service| is_open(it) && is_done(it);
    let mut services: Vec<&Service> = business
        .services
        .referring_to(client_id)
        .filter(|it| it.client_id == client_id && SERVED.contains(&it.status))
        .collect();
    services.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    // One trip is one invoice, unless a person says otherwise.
    let trip_of = |it: &Service| trip_of(it, business);
    let owed = services.iter().filter(is_owed);
    let owed: Vec<(Id, Date)> = owed
        .filter_map(|it| Some((trip_of(it)?, it.date)))
        .collect();
    let open_days_of = |trips: &[Id]| {
        let of = services
            .iter()
            .filter(|it| is_open(it) && trip_of(it).is_some_and(|it| trips.contains(&it)));
        let days = of.map(|it| (it.date, it.end_date.unwrap_or(it.date)));
        days.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    };
    if first.is_none() && last.is_none() {
        let shown = owed
            .iter()
            .filter(|(_, day)| (range.first..=range.last).contains(day));
        let shown: Vec<Id> = shown.map(|(trip, _)| *trip).collect();
        if let Some((first, last)) = open_days_of(&shown) {
            range.first = range.first.min(first);
            range.last = range.last.max(last);
        }
    }
    let trips: Vec<Id> = owed.into_iter().map(|(trip, _)| trip).collect();
    let mut open = services.iter().filter(|it| is_open(it) && it.date <= today);
    let unpaid = open.next().map(|it| DateRange {
        first: it.date,
        last: open_days_of(&trips).map_or(today, |(_, last)| last.max(today)),
    });
    services.retain(|it| it.date <= range.last && range.first <= it.end_date.unwrap_or(it.date));
    let services = services
        .into_iter()
        .map(|it| {
            let mut offered = offered(it, business, now);
            let is_of_trip = trip_of(it).is_some_and(|it| trips.contains(&it));
            offered.is_ticked |= is_of_trip && is_open(it);
            offered
        })
        .collect();
    let credits = credits_of(client_id, business);
    Billable {
        range,
        unpaid,
        services,
        credit: credits.iter().map(|it| it.amount).sum(),
        credits,
    }
}

/// The credit that a client has left, by the invoice that it is from, the oldest first.
pub(super) fn credits_of(client_id: Id, business: &Business) -> Vec<UsedCredit> {
    let invoices = business.invoices.values().map(|it| &it.row);
    let mut sources: Vec<&Invoice> = invoices
        .filter(|it| it.client_id == client_id && it.deleted_at.is_none())
        .filter(|it| Cents::ZERO < it.kept())
        .collect();
    sources.small_sort_by_key(|it| (it.issued_on, it.number, it.id));
    let credits = sources.into_iter().map(|it| UsedCredit {
        invoice_id: it.id,
        amount: it.kept(),
    });
    credits.collect()
}

/// The trip that a service belongs to.
pub(super) fn trip_of(service: &Service, business: &Business) -> Option<Id> {
    service.series_id.filter(|it| is_trip(*it, business))
}

fn is_trip(id: Id, business: &Business) -> bool {
    business
        .series
        .get(&id)
        .is_some_and(|it| it.row.trip.is_some())
}

pub(super) fn is_done(service: &Service) -> bool {
    service.status == ServiceStatus::Completed
}

fn offered(service: &Service, business: &Business, now: &Now) -> BillableService {
    let can_bill = is_billable(service);
    let invoice_id = service.invoice_id.or(service.credited_invoice_id);
    let invoice = invoice_id.and_then(|it| business.invoice(it));
    let remark = match invoice.map(remark) {
        Some(remark) => remark,
        None if service.paid => "Paid".to_owned(),
        None if is_done(service) => String::new(),
        None if is_not_completed(service, now) => "Not marked done".to_owned(),
        None => "Not done yet".to_owned(),
    };
    BillableService {
        view: ServiceView::at(service, business.hour_cycle(), Some(now)),
        can_bill,
        is_ticked: service.paid
            || (can_bill && is_done(service) && service.credited_invoice_id.is_none()),
        usual_tax: offering::tax_name(service, business).map(str::to_owned),
        remark,
    }
}

/// Returns the remark on a service that stands on this invoice, or stood on it before it was credited.
fn remark(invoice: &Invoice) -> String {
    match (invoice.shown_number().as_str(), invoice.paid) {
        (number, _) if invoice.is_credited_in_full() => ["Credited, was on ", number].concat(),
        ("", _) => "On an invoice that waits to be sent".to_owned(),
        (number, _) if invoice.is_written_off_in_full() => ["Written off, on ", number].concat(),
        (number, true) => ["Paid with ", number].concat(),
        (number, false) => ["On ", number].concat(),
    }
}

/// A tax rate that a line of an invoice can have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RateOption {
    /// Name of the rate; empty for no tax.
    pub name: String,
    /// `Sales tax 8.25%`, `No tax`.
    pub label: String,
    /// True for the rate of lines that name none.
    pub is_default: bool,
}

/// Lists the rates of a business, then no tax; nothing where it has no rate.
pub fn rate_options(invoicing: &Invoicing) -> Vec<RateOption> {
    let usual = invoicing.tax.iter().map(|it| (it, true));
    let more = invoicing.more_taxes.iter().map(|it| (it, false));
    let rates = usual.chain(more).map(|(tax, is_default)| RateOption {
        name: tax.name.clone(),
        label: tax::label(tax),
        is_default,
    });
    let mut rates: Vec<RateOption> = rates.collect();
    if !rates.is_empty() {
        rates.push(RateOption {
            name: String::new(),
            label: tax::NO_TAX.to_owned(),
            is_default: invoicing.tax.is_none(),
        });
    }
    rates
}

/// Result of a choice of services, and whether it can be shared.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct InvoiceCheck {
    /// All that is wrong with the fields.
    pub errors: Vec<FieldError>,
    /// Why it cannot be shared, where no field is wrong.
    pub problem: Option<String>,
    /// Amounts of the invoice, whatever is wrong.
    pub totals: InvoiceTotals,
    /// The tax rates that a line can have, the default one first; none where the business has no rate.
    pub rates: Vec<RateOption>,
    /// Day by which it is to be paid, whatever is wrong; absent if it is never due.
    pub due_date: Option<Date>,
    /// The invoice that would be shared; absent where it cannot be.
    pub invoice: Option<Invoice>,
    /// Way in which the invoice would get to the client; empty without one.
    pub way: String,
}

/// Previews what the command would share; nothing is changed.
pub fn check(business: &Business, command: &ShareInvoice, now: &Now) -> InvoiceCheck {
    let invoicing = business.sitter().map(|it| it.invoicing.clone());
    let invoicing = invoicing.unwrap_or_default();
    let due_date = invoicing.due_date(now.today());
    let services = command
        .client_id
        .map(|it| billable_of(command, it, business))
        .unwrap_or_default();
    let mut check = InvoiceCheck {
        totals: command.totals(&services, &invoicing, business),
        rates: rate_options(&invoicing),
        due_date: command.due_date.or(due_date),
        ..InvoiceCheck::default()
    };
    match decide(&command.clone().into(), business, &Context::at(now.clone())) {
        Ok(decision) => check.invoice = invoice_of(decision),
        Err(Refusal::Invalid { fields }) => check.errors = fields,
        Err(refusal) => check.problem = Some(refusal.to_string()),
    }
    if let Some(client_id) = command.client_id {
        let owed = check.invoice.as_ref().map(Invoice::balance);
        let owed = owed.unwrap_or(check.totals.total);
        check.way = told_of_invoice(business, business.client(client_id), owed);
    }
    check
}

fn invoice_of(decision: Decision) -> Option<Invoice> {
    // Before it come the earlier invoices whose credit it uses.
    let mut changes = decision.changes.into_iter().rev();
    changes.find_map(|it| match it {
        Change::Put(Row::Invoice(invoice)) => Some(invoice),
        _ => None,
    })
}

/// An invoice, as a link to it shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct InvoiceLink {
    /// `INV-12`; empty while it waits to be sent.
    pub number: String,
    /// The path of its page; absent while it waits to be sent.
    pub link: Option<String>,
    /// Remark on its services: `On INV-12`, `Paid with INV-12`, `Written off, on INV-12`.
    pub remark: String,
    /// Total, including tax.
    pub total: Cents,
    /// The client's id.
    pub client_id: Id,
    /// The client's name.
    pub client_name: String,
    /// Sentence about how it gets to the client.
    pub told: String,
    /// True if the sitter has to pass the link on.
    pub is_to_pass_on: bool,
}

/// The way to an invoice that was not deleted.
pub fn link(business: &Business, id: Id, zone: &TimeZone) -> Option<InvoiceLink> {
    let invoice = business.invoice(id).filter(|it| it.deleted_at.is_none())?;
    let sharing = sharing(business, &[invoice.client_id]);
    let mailed = invoice.mailed.as_ref();
    let is_left = is_left_to_sitter(mailed);
    let mail = told_of_mail(mailed, zone);
    let mail = (!mail.is_empty()).then(|| mail + ".");
    let rest = Some(sharing.done).filter(|it| is_left && !it.is_empty());
    let told: Vec<String> = mail.into_iter().chain(rest).collect();
    Some(InvoiceLink {
        told: told.join(" "),
        is_to_pass_on: is_left && !sharing.to_pass_on.is_empty(),
        number: invoice.shown_number(),
        link: path(invoice),
        remark: remark(invoice),
        total: invoice.total,
        client_id: invoice.client_id,
        client_name: invoice.client_data.name.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::client::Client;
    use crate::rows::invoice::InvoiceExtra;
    use crate::rows::invoicing::Tax;
    use crate::rows::series::{Series, Trip};
    use crate::rows::sitter::Sitter;
    use crate::{Command, Instant};

    const DANA: u128 = 1;
    const AMIR: u128 = 2;

    /// 2026-11-20, a Friday, at 10:00 in UTC.
    fn now() -> Now {
        Now {
            at: "2026-11-20T10:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    fn day(of: &str) -> Date {
        of.parse().unwrap()
    }

    /// Returns a completed service of Dana's on that day, at 25 dollars.
    fn done(n: u128, date: &str) -> Service {
        Service {
            client_id: Id::of(DANA),
            date: day(date),
            status: ServiceStatus::Completed,
            price: Cents(2500),
            ..Service::new(Id::of(100 + n), Instant(0))
        }
    }

    fn business(services: Vec<Service>) -> Business {
        let mut business = Business::default();
        let (name, zone) = ("Mara".to_owned(), "UTC".to_owned());
        let sitter = Sitter::new(Id::of(9), name, String::new(), zone, Instant(0));
        business.put(0, Row::Sitter(sitter));
        for id in [DANA, AMIR] {
            business.put(0, Row::Client(Client::new(Id::of(id), Instant(0))));
        }
        for service in services {
            business.put(0, Row::Service(service));
        }
        business
    }

    fn share(services: &[u128]) -> ShareInvoice {
        ShareInvoice {
            id: Id::of(200),
            client_id: Some(Id::of(DANA)),
            services: services.iter().map(|it| Id::of(100 + it)).collect(),
            ..ShareInvoice::default()
        }
    }

    fn of_dana(business: &Business, first: Option<&str>, last: Option<&str>) -> Billable {
        let (first, last) = (first.map(day), last.map(day));
        billable(business, Id::of(DANA), first, last, &now())
    }

    /// Each day with whether it can be billed, whether it is ticked, and its remark.
    fn remarks(billable: &Billable) -> Vec<(String, bool, bool, &str)> {
        let services = billable.services.iter().map(|it| {
            let date = it.view.service.date.to_string();
            (date, it.can_bill, it.is_ticked, it.remark.as_str())
        });
        services.collect()
    }

    #[test]
    fn the_last_seven_days_are_offered_first() {
        let services = ["2026-11-13", "2026-11-14", "2026-11-20", "2026-11-21"];
        let services = (0..).zip(services).map(|(n, it)| done(n, it));
        let business = business(services.collect());
        let billable = of_dana(&business, None, None);
        let range = billable.range;
        assert_eq!(
            (range.first, range.last),
            (day("2026-11-14"), day("2026-11-20"))
        );
        let dates = remarks(&billable).into_iter().map(|it| it.0);
        assert_eq!(dates.collect::<Vec<_>>(), ["2026-11-14", "2026-11-20"]);
    }

    #[test]
    fn what_was_done_and_is_owed_is_ticked_and_the_rest_says_why_it_is_not() {
        let (first, last) = (Some("2026-11-10"), Some("2026-11-30"));
        let mut business = business(vec![
            done(1, "2026-11-11"),
            Service {
                paid: true,
                ..done(2, "2026-11-12")
            },
            done(3, "2026-11-13"),
            Service {
                status: ServiceStatus::Scheduled,
                ..done(4, "2026-11-14")
            },
            Service {
                status: ServiceStatus::Cancelled,
                ..done(5, "2026-11-15")
            },
            Service {
                status: ServiceStatus::Scheduled,
                ..done(6, "2026-11-25")
            },
        ]);
        let command: Command = share(&[3]).into();
        let decision = decide(&command, &business, &Context::at(now())).unwrap();
        business.apply(1, &decision.changes);
        let waits = "On an invoice that waits to be sent";
        let all = |remark| {
            [
                ("2026-11-11".to_owned(), true, true, ""),
                ("2026-11-12".to_owned(), false, true, "Paid"),
                ("2026-11-13".to_owned(), false, false, remark),
                ("2026-11-14".to_owned(), true, false, "Not marked done"),
                ("2026-11-25".to_owned(), true, false, "Not done yet"),
            ]
        };
        assert_eq!(remarks(&of_dana(&business, first, last)), all(waits));
        let invoice = business.invoice(Id::of(200)).unwrap().clone();
        let numbered = Invoice {
            number: Some(12),
            ..invoice
        };
        business.put(2, Row::Invoice(numbered));
        assert_eq!(remarks(&of_dana(&business, first, last)), all("On INV-12"));
    }

    #[test]
    fn the_visits_of_a_trip_are_proposed_together_once_one_of_them_is_owed() {
        let trip = Series {
            trip: Some(Trip::new(Date::default())),
            ..Series::new(Id::of(50), Instant(0))
        };
        let of_trip = |service: Service| Service {
            series_id: Some(Id::of(50)),
            ..service
        };
        let to_come = |n, date| Service {
            status: ServiceStatus::Scheduled,
            ..done(n, date)
        };
        let services = [
            of_trip(done(1, "2026-11-09")),
            done(2, "2026-11-10"),
            of_trip(done(3, "2026-11-19")),
            to_come(4, "2026-11-21"),
            of_trip(to_come(5, "2026-11-22")),
            of_trip(Service {
                status: ServiceStatus::Cancelled,
                ..done(6, "2026-11-23")
            }),
        ];
        let mut known = business(services.to_vec());
        known.put(0, Row::Series(trip.clone()));
        let ticked = |billable: &Billable| -> Vec<(String, bool)> {
            let remarks = remarks(billable).into_iter();
            remarks.map(|(date, _, ticked, _)| (date, ticked)).collect()
        };
        let all = |days: &[(&str, bool)]| -> Vec<(String, bool)> {
            days.iter()
                .map(|(day, it)| ((*day).to_owned(), *it))
                .collect()
        };
        let whole = all(&[
            ("2026-11-09", true),
            ("2026-11-10", true),
            ("2026-11-19", true),
            ("2026-11-21", false),
            ("2026-11-22", true),
        ]);
        let billable = of_dana(&known, None, None);
        assert_eq!(ticked(&billable), whole);
        let unpaid = billable.unpaid.unwrap();
        assert_eq!(
            (unpaid.first, unpaid.last),
            (day("2026-11-09"), day("2026-11-22"))
        );
        // Days that a person chose are those.
        let chosen = of_dana(&known, Some("2026-11-19"), Some("2026-11-19"));
        assert_eq!(ticked(&chosen), all(&[("2026-11-19", true)]));
        // Of one that has not begun nothing is owed, and a series that is no trip is billed by what is done.
        let mut to_begin = business(vec![of_trip(to_come(7, "2026-11-20"))]);
        to_begin.put(0, Row::Series(trip.clone()));
        assert_eq!(
            ticked(&of_dana(&to_begin, None, None)),
            all(&[("2026-11-20", false)])
        );
        let mut plain = business(services.to_vec());
        plain.put(0, Row::Series(Series { trip: None, ..trip }));
        assert_eq!(
            ticked(&of_dana(&plain, None, None)),
            all(&[("2026-11-19", true)])
        );
    }

    #[test]
    fn everything_unpaid_goes_from_the_first_service_that_is_owed_to_today() {
        let paid = Service {
            paid: true,
            ..done(1, "2026-08-01")
        };
        let mut services = vec![paid, done(2, "2026-09-03"), done(3, "2026-11-20")];
        let unpaid = of_dana(&business(services.clone()), None, None).unpaid;
        assert_eq!(
            unpaid,
            Some(DateRange {
                first: day("2026-09-03"),
                last: day("2026-11-20")
            })
        );
        services.truncate(1);
        assert_eq!(of_dana(&business(services), None, None).unpaid, None);
    }

    #[test]
    fn each_client_says_what_was_done_and_not_billed() {
        let stay = Service {
            client_id: Id::of(AMIR),
            end_date: Some(day("2026-11-12")),
            ..done(3, "2026-11-10")
        };
        let to_come = Service {
            status: ServiceStatus::Scheduled,
            ..done(4, "2026-11-19")
        };
        let business = business(vec![
            done(1, "2026-11-11"),
            done(2, "2026-11-12"),
            stay,
            to_come,
        ]);
        let option = |id| ClientOption {
            id: Id::of(id),
            label: String::new(),
        };
        let options = [DANA, AMIR, 3].map(option).to_vec();
        let clients = unbilled_clients(&business, options, &now());
        let unbilled: Vec<_> = clients.iter().map(|it| it.unbilled.as_str()).collect();
        assert_eq!(
            unbilled,
            [
                "2 visits, $50.00 unbilled",
                "1 service, $25.00 unbilled",
                ""
            ]
        );
        let overdue: Vec<_> = clients.iter().map(|it| it.overdue.as_str()).collect();
        assert_eq!(overdue, ["1 visit not marked done", "", ""]);
    }

    #[test]
    fn a_choice_comes_to_what_its_command_shares_with_tax_and_extra_lines() {
        let mut business = business(vec![done(1, "2026-11-11"), done(2, "2026-11-12")]);
        let mut sitter = business.sitter().unwrap().clone();
        sitter.invoicing = Invoicing {
            tax: Some(Tax {
                name: "Sales tax".to_owned(),
                rate: 825,
                ..Tax::default()
            }),
            ..Invoicing::default()
        };
        business.put(1, Row::Sitter(sitter));
        let command = ShareInvoice {
            extras: vec![InvoiceExtra {
                label: "A discount".to_owned(),
                amount: Cents(-1000),
                tax_name: None,
            }],
            ..share(&[1, 2])
        };
        let check = check(&business, &command, &now());
        let rates = check
            .rates
            .iter()
            .map(|it| (it.label.as_str(), it.is_default));
        let expected = [("Sales tax 8.25%", true), ("No tax", false)];
        assert_eq!(rates.collect::<Vec<_>>(), expected);
        let InvoiceTotals { tax, total, .. } = check.totals;
        assert_eq!((tax, total), (Cents(330), Cents(4330)));
        assert_eq!(check.invoice.map(|it| it.total), Some(total));
    }

    fn line(label: &str, dollars: i64) -> InvoiceExtra {
        InvoiceExtra {
            label: label.to_owned(),
            amount: Cents(dollars * 100),
            ..InvoiceExtra::default()
        }
    }

    #[test]
    fn a_line_alone_makes_an_invoice() {
        let command = ShareInvoice {
            extras: vec![line("Keys", 10)],
            ..share(&[])
        };
        let check = check(&business(vec![]), &command, &now());
        assert_eq!(check.errors, []);
        let invoice = check.invoice.unwrap();
        assert_eq!(
            (invoice.total, invoice.services_data),
            (Cents(1000), vec![])
        );
        let data = invoice.invoice_data;
        assert_eq!(
            (data.start_date, data.end_date),
            (now().today(), now().today())
        );
    }

    #[test]
    fn a_line_beside_services_that_are_billed_already_makes_none() {
        let mut business = business(vec![Service {
            invoice_id: Some(Id::of(50)),
            ..done(1, "2026-11-11")
        }]);
        let other = Invoice {
            id: Id::of(50),
            number: Some(10),
            prefix: "INV-".to_owned(),
            ..Invoice::default()
        };
        business.put(0, Row::Invoice(other));
        let command = ShareInvoice {
            extras: vec![line("Keys", 10)],
            ..share(&[1])
        };
        let check = check(&business, &command, &now());
        let problem = check.problem.unwrap();
        assert_eq!(problem, "Already on INV-10. Nothing was shared.");
    }

    #[test]
    fn a_discount_that_is_too_large_says_how_much_it_may_be() {
        let business = business(vec![done(1, "2026-11-11")]);
        let error = |extras: Vec<InvoiceExtra>| {
            let command = ShareInvoice {
                extras,
                ..share(&[1])
            };
            let check = check(&business, &command, &now());
            let errors = check.errors.into_iter().map(|it| (it.field, it.text));
            errors.collect::<Vec<_>>()
        };
        let at = |field: &str, text: &str| vec![(field.to_owned(), text.to_owned())];
        assert_eq!(
            error(vec![line("One", -10), line("Keys", 5), line("Two", -30)]),
            at("extras.2.amount", "This discount can be at most $20.00")
        );
        assert_eq!(
            error(vec![line("All", -25), line("More", -1)]),
            at("extras.1.amount", "Nothing is left to discount")
        );
        assert_eq!(error(vec![line("All", -25)]), []);
    }

    #[test]
    fn nothing_chosen_is_said_and_so_is_what_is_wrong_with_a_line() {
        let mut business = business(vec![done(1, "2026-11-11")]);
        let mut sitter = business.sitter().unwrap().clone();
        sitter.invoicing.due_days = Some(14);
        business.put(1, Row::Sitter(sitter));
        let nothing = check(&business, &share(&[]), &now());
        let texts: Vec<_> = nothing.errors.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, [crate::rules::invoice::NOTHING_CHOSEN]);
        let command = ShareInvoice {
            extras: vec![InvoiceExtra::default()],
            ..share(&[1])
        };
        let wrong = check(&business, &command, &now());
        let fields: Vec<_> = wrong.errors.iter().map(|it| it.field.as_str()).collect();
        assert_eq!(fields, ["extras.0.label", "extras.0.amount"]);
        assert_eq!(wrong.invoice, None);
        assert_eq!(wrong.totals.total, Cents(2500));
        assert_eq!(wrong.due_date, Some("2026-12-04".parse().unwrap()));
    }
}
