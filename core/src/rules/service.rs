//! Owns what makes a service valid, and what its offering, its client and its price write into it (SPEC 5); of what records
//! are, and what they come to.

use serde::Serialize;

use crate::rows::offering::PricingType;
use crate::rows::service::{Service, ServiceStatus, ServiceType};
use crate::rules::pricing::{PricePreview, PriceRequest};
use crate::rules::scheduling::CONSTRAINTS;
use crate::rules::{offering, pricing};
use crate::values::bounds::{self, MAX_PRICE, MAX_TOTAL};
use crate::values::checks::{NEGATIVE_PRICE, PRICE_TOO_HIGH, is_price};
use crate::values::field::Field;
use crate::values::form_errors::FieldErrors;
use crate::values::patch::{Merged, Patch};
use crate::values::text::trim;
use crate::{Business, Cents, Id, Instant, Now, Refusal};

/// Status of the services that are service records (decisions, Words): those that are done.
pub const RECORDED: ServiceStatus = ServiceStatus::Completed;

/// How long after its planned end the sitter may still be on the way to a visit.
const LATE_MINUTES: i64 = 60;

/// Returns true once nobody is on the way to it any more: an hour after a visit's end, the day after a stay's last one.
pub fn is_long_over(service: &Service, now: &Now) -> bool {
    match service.end_date {
        Some(last) => last < now.today(),
        None => service.interval().end <= now.today().minute(now.time()) - LATE_MINUTES,
    }
}

/// Returns true for a service on an invoice of which all or the rest was written off; on one that is credited in full none
/// stands.
pub fn is_written_off(service: &Service) -> bool {
    let is_lost = service.credited_invoice_id == service.invoice_id || Cents::ZERO < service.lost;
    service.invoice_id.is_some() && is_lost
}

/// Completed services of one type that are all paid, or all unpaid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServiceTotal {
    /// Walk or drop-in.
    pub service_type: ServiceType,
    /// True if nothing of any of them is owed: it is paid, or paid in part and written off for the rest. False if none is
    /// paid.
    pub paid: bool,
    /// How many there are.
    pub n_services: u32,
    /// Number of them on an invoice that was written off: nobody is to pay them any more.
    pub n_written_off: u32,
    /// The sum of their prices, without what of them nobody is to pay.
    pub price: Cents,
}

/// Dashboard stats (SPEC 3, Analytics), of all services that are done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DashboardStats {
    /// Walks that are done.
    pub walks: u32,
    /// Drop-ins and stays that are done.
    pub dropins: u32,
    /// Sum of the prices of all of them.
    pub revenue: Cents,
    /// Sum of the prices of those that are not paid.
    pub unpaid_amount: Cents,
    /// Number of unpaid services, without those that were written off.
    pub unpaid_count: u32,
}

impl DashboardStats {
    /// All of them together.
    pub fn of(totals: &[ServiceTotal]) -> Self {
        let mut stats = Self::default();
        for total in totals {
            match total.service_type {
                ServiceType::Walk => stats.walks += total.n_services,
                ServiceType::Dropin => stats.dropins += total.n_services,
            }
            stats.revenue = stats.revenue + total.price;
            if !total.paid {
                stats.unpaid_amount = stats.unpaid_amount + total.price;
                stats.unpaid_count += total.n_services.saturating_sub(total.n_written_off);
            }
        }
        stats
    }
}

/// Returns the errors of a schedule form, in its order (SPEC 5). A date in the past is checked apart, since a service
/// of yesterday may still be edited; `given` says what was chosen.
pub(crate) fn schedule_errors(service: &Merged<Service>, given: &Patch) -> FieldErrors {
    let row = &service.row;
    let missing = |field: &str| !given.has(field) || service.is_malformed(field);
    let mut errors = FieldErrors::default();
    errors.check(missing("client_id"), "client_id", "Please select a client");
    let no_dogs = row.dog_ids.is_empty() || service.is_malformed("dog_ids");
    errors.check(no_dogs, "dog_ids", "Please select at least one dog");
    errors.check(missing("date"), "date", "Please select a date");
    errors.check(
        missing("start_time"),
        "start_time",
        match row.end_date {
            Some(_) => "Please select an arrival time",
            None => "Please select a start time",
        },
    );
    check_duration(&mut errors, service);
    let (least, most) = (
        CONSTRAINTS.min_duration_minutes,
        CONSTRAINTS.max_duration_minutes,
    );
    let minutes = row.duration_minutes;
    errors.check(
        minutes < least,
        "duration_minutes",
        format!("Duration must be at least {least} minutes"),
    );
    errors.check(
        most < minutes,
        "duration_minutes",
        format!("Duration cannot exceed {most} minutes"),
    );
    check_stay(&mut errors, row);
    check_departure(&mut errors, row);
    check_window(&mut errors, row);
    if let Some(agreed) = &row.price_override {
        let (amount, reason) = ("price_override.amount", "price_override.reason");
        errors.check(!is_price(agreed.amount), amount, NEGATIVE_PRICE);
        errors.check(MAX_PRICE < agreed.amount, amount, PRICE_TOO_HIGH);
        errors.check(agreed.reason.is_empty(), reason, "Please say why");
    }
    errors
}

/// Why a visit stays with its client, where money or a series ties it to them; another client's visit is booked anew.
pub fn tied_to_client(service: &Service) -> Option<&'static str> {
    if service.invoice_id.is_some() {
        Some(
            "This visit is on an invoice, so its client stays. Delete the invoice first, or book a new visit.",
        )
    } else if service.paid {
        Some(
            "This visit is paid, so its client stays. Mark it as unpaid first, or book a new visit.",
        )
    } else if service.series_id.is_some() {
        Some(
            "This visit belongs to a series or a trip, so its client stays. Book a new visit for the other client.",
        )
    } else {
        None
    }
}

/// Adds the errors of the window in which a visit may begin.
fn check_window(errors: &mut FieldErrors, row: &Service) {
    let is_half = row.window_from.is_some() != row.window_to.is_some();
    errors.check(
        is_half,
        "window_to",
        "Please select both times of the window",
    );
    if let Some((from, to)) = row.window() {
        errors.check(to <= from, "window_to", "The window ends before it begins");
        let is_outside = !(from..=to).contains(&row.start_time);
        errors.check(
            is_outside,
            "start_time",
            "The start lies outside the agreed window",
        );
    }
}

/// Adds the errors of the days of a stay.
fn check_stay(errors: &mut FieldErrors, row: &Service) {
    let Some(last) = row.end_date else {
        return;
    };
    errors.check(
        row.offering_id.is_none(),
        "offering_id",
        "A booking of several days needs an offering that is sold by the day",
    );
    errors.check(
        last < row.date,
        "end_date",
        "The last day cannot be before the first",
    );
    let longest = row.date.plus_days(i64::from(bounds::STAY_DAYS) - 1);
    errors.check(
        longest < last,
        "end_date",
        format!("A stay cannot exceed {} days", bounds::STAY_DAYS),
    );
}

/// Error of a stay of one day that ends before it begins.
pub(crate) const EARLY_DEPARTURE: &str =
    "The departure is before the arrival; choose a later last day";

/// Adds the error of a departure that is before the arrival.
fn check_departure(errors: &mut FieldErrors, row: &Service) {
    let is_one_day = row.end_date == Some(row.date);
    let is_early = row.departure_time.is_some_and(|it| it <= row.start_time);
    errors.check(is_one_day && is_early, "departure_time", EARLY_DEPARTURE);
}

/// Returns the errors of a service record (SPEC 5, Shared service check). `given` says what was filled in.
pub(crate) fn record_errors(service: &Merged<Service>, given: &Patch) -> FieldErrors {
    let row = &service.row;
    let missing = |field: &str| !given.has(field) || service.is_malformed(field);
    let mut errors = FieldErrors::default();
    errors.check(missing("client_id"), "client_id", "Client is required");
    errors.check(
        missing("service_type"),
        "service_type",
        "Service type is required",
    );
    errors.check(missing("date"), "date", "Date is required");
    errors.check(
        missing("start_time"),
        "start_time",
        "Start time is required",
    );
    let no_dogs = row.dog_ids.is_empty() || service.is_malformed("dog_ids");
    errors.check(no_dogs, "dog_ids", "At least one dog is required");
    errors.check(!is_price(row.price), "price", NEGATIVE_PRICE);
    errors.check(MAX_PRICE < row.price, "price", PRICE_TOO_HIGH);
    check_duration(&mut errors, service);
    let most = CONSTRAINTS.max_duration_minutes;
    let too_long = most < row.duration_minutes;
    errors.check(
        too_long,
        "duration_minutes",
        format!("Duration cannot exceed {most} minutes"),
    );
    check_stay(&mut errors, row);
    check_departure(&mut errors, row);
    errors
}

fn check_duration(errors: &mut FieldErrors, service: &Merged<Service>) {
    let wrong = service.row.duration_minutes == 0 || service.is_malformed("duration_minutes");
    errors.check(wrong, "duration_minutes", "Duration must be greater than 0");
}

/// Applies the touched fields to the `current` service, or to the `fresh` one if it is new, with what its offering
/// determines.
pub(crate) fn merged(
    patch: &Patch,
    current: Option<&Service>,
    fresh: &Service,
    business: &Business,
) -> Merged<Service> {
    let mut service = merge(patch, current.unwrap_or(fresh), Service::EDITABLE);
    settle(&mut service.row, current, business);
    service
}

/// The row with the touched fields, its pets named once each.
pub(crate) fn merge(patch: &Patch, current: &Service, editable: &[Field]) -> Merged<Service> {
    let mut service = patch.merge(current, editable);
    name_once(&mut service.row.dog_ids);
    if let Some(agreed) = &mut service.row.price_override {
        trim(&mut agreed.reason);
    }
    service
}

fn name_once(ids: &mut Vec<Id>) {
    let mut seen = Vec::new();
    ids.retain(|it| {
        let is_new = !seen.contains(it);
        seen.push(*it);
        is_new
    });
}

/// Writes down what the offering makes of a service that is booked with it: its kind, its name, and whether it lasts for
/// days. Where the offering stays the one it was `before`, what was written then stays too.
pub(crate) fn settle(service: &mut Service, before: Option<&Service>, business: &Business) {
    let before = before.filter(|it| it.offering_id == service.offering_id);
    let offering = service
        .offering_id
        .and_then(|id| business.offerings.get(&id));
    let is_daily = offering.is_some_and(|it| it.row.pricing_type == PricingType::Daily);
    if let Some(before) = before.filter(|it| it.offering_id.is_some()) {
        service.service_type = before.service_type;
    } else if let Some(offering) = offering {
        service.service_type = offering::service_type(&offering.row);
        service.offering_name.clone_from(&offering.row.name);
    } else {
        // An offering that was deleted in the meantime is no reason to turn a booking down: a visit is a plain one then, and
        // a stay is one at the price of as many drop-ins.
        service.offering_name.clear();
        match (service.offering_id, service.end_date) {
            (Some(_), Some(_)) => service.service_type = ServiceType::Dropin,
            _ => service.offering_id = None,
        }
    }
    if is_daily || before.is_some_and(|it| it.end_date.is_some()) {
        service.end_date = service.end_date.or(Some(service.date));
    } else if offering.is_some() {
        service.end_date = None;
    }
    if service.end_date.is_some() {
        // A stay begins on a day; windows are those of visits.
        (service.window_from, service.window_to) = (None, None);
        service.stay_terms = match before.filter(|it| it.end_date.is_some()) {
            Some(before) => before.stay_terms,
            None => offering.and_then(|it| offering::stay_terms(&it.row)),
        };
    }
    service.settle_stay();
}

/// Returns the price that scheduling a service would charge the client today.
pub fn preview(business: &Business, request: &PriceRequest) -> Result<PricePreview, Refusal> {
    let mut asked = Service {
        client_id: request.client_id,
        dog_ids: request.dog_ids.clone(),
        service_type: request.service_type,
        duration_minutes: request.duration_minutes,
        offering_id: request.offering_id,
        date: request.date.unwrap_or_default(),
        end_date: request.end_date,
        departure_time: request.departure_time,
        ..Service::new(Id::default(), Instant(0))
    };
    name_once(&mut asked.dog_ids);
    settle(&mut asked, None, business);
    snapshot(&mut asked, business)?;
    let mut errors = FieldErrors::default();
    let has_no_date = request.end_date.is_some() && request.date.is_none();
    errors.check(has_no_date, "date", "Please select a date");
    check_stay(&mut errors, &asked);
    errors.or(())?;
    reprice(&mut asked, business)?;
    Ok(PricePreview {
        price: asked.price,
        breakdown: asked.pricing_breakdown,
    })
}

/// The current row's fields with those of the patch on top.
pub(crate) fn given(patch: &Patch, current: &Service) -> Patch {
    let mut given = Patch::from_row(current);
    given.0.extend(patch.0.clone());
    given
}

/// Writes down the client's and the pets' names, and checks that they belong together.
pub(crate) fn snapshot(service: &mut Service, business: &Business) -> Result<(), Refusal> {
    let client = business.client(service.client_id).ok_or(Refusal::Gone)?;
    service.client_name.clone_from(&client.name);
    service.dogs.clear();
    for id in &service.dog_ids {
        match business.pet(*id).filter(|it| it.client_id == client.id) {
            Some(pet) => service.dogs.push(pet.name.clone()),
            None => {
                let mut errors = FieldErrors::default();
                errors.add("dog_ids", "A selected dog is not one of this client's");
                return Err(errors.into());
            }
        }
    }
    Ok(())
}

pub(crate) fn reprice(service: &mut Service, business: &Business) -> Result<(), Refusal> {
    service.pricing_breakdown = pricing::of_service(business, service).ok_or(Refusal::Gone)?;
    service.price = service.pricing_breakdown.total;
    let mut errors = FieldErrors::default();
    errors.check(MAX_TOTAL < service.price, "price", PRICE_TOO_HIGH);
    Ok(errors.or(())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Row;
    use crate::rows::offering::{Offering, StayUnit};
    use crate::rows::service::StayTerms;

    const OFFERING: Id = Id::of(21);

    fn business(stay_unit: Option<StayUnit>) -> Business {
        let mut business = Business::default();
        let offering = Offering {
            pricing_type: PricingType::Daily,
            stay_unit,
            ..Offering::new(OFFERING, Instant(0))
        };
        business.put(1, Row::Offering(offering));
        business
    }

    fn stay(terms: Option<StayTerms>) -> Service {
        Service {
            offering_id: Some(OFFERING),
            date: "2026-12-04".parse().unwrap(),
            end_date: Some("2026-12-06".parse().unwrap()),
            stay_terms: terms,
            ..Service::new(Id::of(1), Instant(0))
        }
    }

    #[test]
    fn a_stay_keeps_its_way_of_counting_when_its_offering_changes() {
        let nights = StayTerms {
            unit: StayUnit::Nights,
            further_day_after: None,
        };
        let business = business(Some(StayUnit::Days));
        for (terms, n_units) in [(None, 3), (Some(nights), 2)] {
            let before = stay(terms);
            let mut after = before.clone();
            settle(&mut after, Some(&before), &business);
            assert_eq!((after.stay_terms, after.n_units()), (terms, n_units));
        }
    }

    #[test]
    fn a_new_stay_is_counted_as_its_offering_says() {
        for (unit, n_units) in [
            (None, 3),
            (Some(StayUnit::Nights), 2),
            (Some(StayUnit::Days), 3),
        ] {
            let mut service = stay(None);
            settle(&mut service, None, &business(unit));
            assert_eq!(service.stay_terms.map(|it| it.unit), unit);
            assert_eq!(service.n_units(), n_units);
        }
    }

    #[test]
    fn what_was_written_off_is_not_unpaid_on_the_dashboard() {
        let total = |service_type, paid, n_services, n_written_off| ServiceTotal {
            service_type,
            paid,
            n_services,
            n_written_off,
            price: Cents(25_00),
        };
        let stats = DashboardStats::of(&[
            total(ServiceType::Walk, false, 3, 2),
            total(ServiceType::Walk, true, 4, 0),
            total(ServiceType::Dropin, false, 1, 0),
        ]);
        assert_eq!((stats.walks, stats.dropins, stats.unpaid_count), (7, 1, 2));
        let on = |invoice_id: Option<u128>, credited: Option<u128>| {
            is_written_off(&Service {
                invoice_id: invoice_id.map(Id::of),
                credited_invoice_id: credited.map(Id::of),
                ..stay(None)
            })
        };
        assert!(on(Some(1), Some(1)));
        assert!(!on(None, None) && !on(None, Some(1)) && !on(Some(2), Some(1)));
    }

    #[test]
    fn a_visit_has_no_departure_and_no_nights() {
        let before = stay(Some(StayTerms {
            unit: StayUnit::Nights,
            further_day_after: None,
        }));
        let mut visit = Service {
            offering_id: None,
            end_date: None,
            departure_time: Some("11:00".parse().unwrap()),
            ..before.clone()
        };
        settle(&mut visit, Some(&before), &business(None));
        assert_eq!((visit.departure_time, visit.stay_terms), (None, None));
    }
}
