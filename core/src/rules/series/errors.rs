//! Owns what makes a series valid.

use crate::rows::offering::PricingType;
use crate::rows::series::{Series, SeriesEnd, SeriesPhase, SeriesPlan, SeriesRule};
use crate::rules::scheduling::{CONSTRAINTS, IN_THE_PAST};
use crate::rules::series::occurrences::{planned_of_trip, trip_days};
use crate::rules::service::EARLY_DEPARTURE;
use crate::values::bounds::{self, MAX_PRICE};
use crate::values::checks::{NEGATIVE_PRICE, PRICE_TOO_HIGH, is_price};
use crate::values::form_errors::FieldErrors;
use crate::values::patch::{Merged, Patch};
use crate::{Business, Date};

/// The longest that a rule counts weeks or days, and the furthest that an end after visits is.
const EVERY: u32 = 365;

/// The errors of the form of a new series, in its order; `given` says what was chosen, `is_past` that its first day is over.
pub fn plan_errors(
    plan: &Merged<SeriesPlan>,
    given: &Patch,
    business: &Business,
    is_past: bool,
) -> FieldErrors {
    let row = &plan.row;
    let missing = |field: &str| !given.has(field) || plan.is_malformed(field);
    let mut errors = FieldErrors::default();
    errors.check(missing("client_id"), "client_id", "Please select a client");
    let phase = SeriesPhase {
        rule: row.rule.clone(),
        slots: row.slots.clone(),
        dog_ids: row.dog_ids.clone(),
        price_override: row.price_override.clone(),
        ..SeriesPhase::new(row.begins)
    };
    errors.0.extend(phase_errors(&phase, business).0);
    errors.check(missing("begins"), "begins", "Please select a date");
    errors.check(is_past, "begins", IN_THE_PAST);
    errors.0.extend(end_errors(row.end, row.begins).0);
    errors
}

/// The errors of what holds from a day on.
pub fn phase_errors(phase: &SeriesPhase, business: &Business) -> FieldErrors {
    let mut errors = FieldErrors::default();
    let no_dogs = phase.dog_ids.is_empty();
    errors.check(no_dogs, "dog_ids", "Please select at least one dog");
    if let Some(text) = rule_error(&phase.rule) {
        errors.add("rule", text);
    }
    slot_errors(&mut errors, phase, business);
    if let Some(agreed) = &phase.price_override {
        let (amount, reason) = ("price_override.amount", "price_override.reason");
        errors.check(!is_price(agreed.amount), amount, NEGATIVE_PRICE);
        errors.check(MAX_PRICE < agreed.amount, amount, PRICE_TOO_HIGH);
        errors.check(agreed.reason.is_empty(), reason, "Please say why");
    }
    errors
}

/// The errors of an end; `begins` is the first day.
pub(crate) fn end_errors(end: SeriesEnd, begins: Date) -> FieldErrors {
    let mut errors = FieldErrors::default();
    let most = bounds::SERIES_VISITS_OF_END;
    match end {
        SeriesEnd::Never => {}
        SeriesEnd::On { date } => errors.check(
            date < begins.plus_days(-1),
            "end",
            "The last day cannot be before the first",
        ),
        SeriesEnd::After { visits } => errors.check(
            visits == 0 || usize::try_from(visits).is_ok_and(|it| most < it),
            "end",
            format!("Visits must be from 1 to {most}"),
        ),
    }
    errors
}

/// The errors of a series as a trip, beside those of its phases; none for another series, nor for a trip that was called
/// off before it began.
pub fn trip_errors(series: &Series, business: &Business) -> FieldErrors {
    let mut errors = FieldErrors::default();
    let Some(trip) = &series.trip else {
        return errors;
    };
    let is_daily = |it: &SeriesPhase| it.rule == SeriesRule::Daily { every: 1 };
    errors.check(
        !series.phases.iter().all(is_daily),
        "rule",
        "A trip has visits on each of its days",
    );
    let is_on_a_date = matches!(series.end, SeriesEnd::On { .. });
    errors.check(!is_on_a_date, "end", "Please select the last day");
    let days = trip_days(series);
    let n_days = days.map_or(0, |(first, last)| {
        last.days_since_epoch() - first.days_since_epoch() + 1
    });
    let too_long = |n_days: i64, most: u32| i64::from(most) < n_days;
    errors.check(
        too_long(n_days, bounds::TRIP_DAYS),
        "end",
        format!("A trip cannot exceed {} days", bounds::TRIP_DAYS),
    );
    let has = |date: Date, slot: Option<crate::Id>| {
        slot.is_none_or(|it| {
            series
                .phase_on(date)
                .is_some_and(|phase| phase.slot(it).is_some())
        })
    };
    if let Some((first, last)) = days {
        errors.check(
            !has(first, trip.first_slot),
            "trip.first_slot",
            "Please select the times of the first day",
        );
        errors.check(
            !has(last, trip.last_slot),
            "trip.last_slot",
            "Please select the times of the last day",
        );
    }
    let has_visits = || planned_of_trip(series).any(|it| !series.is_stay(it.slot.id));
    let has_times = series.phases.iter().any(|it| !it.slots.is_empty());
    errors.check(
        days.is_some() && has_times && errors.0.is_empty() && !has_visits(),
        "trip.last_slot",
        "The last visit cannot be before the first",
    );
    let most = bounds::SERIES_VISITS_AT_ONCE;
    errors.check(
        errors.0.is_empty() && most < planned_of_trip(series).take(most + 1).count(),
        "slots",
        format!("A trip can have at most {most} visits"),
    );
    if let Some(stay) = &trip.stay {
        let offering = stay.offering_id.and_then(|id| business.offerings.get(&id));
        let is_of_a_day = offering.is_some_and(|it| it.row.pricing_type != PricingType::Daily);
        errors.check(
            stay.offering_id.is_none() || is_of_a_day,
            "trip.stay",
            "A stay is booked as an offering that is sold by the day",
        );
        errors.check(
            too_long(n_days, bounds::STAY_DAYS),
            "end",
            format!("A stay cannot exceed {} days", bounds::STAY_DAYS),
        );
        let is_early = stay.departure_time.is_some_and(|it| it <= stay.start_time);
        errors.check(n_days <= 1 && is_early, "trip.stay", EARLY_DEPARTURE);
        let mut slots = series.phases.iter().flat_map(|it| &it.slots);
        errors.check(
            slots.any(|it| it.id == stay.id),
            "trip.stay",
            "Two of these times are the same",
        );
    }
    if let Some(total) = trip.total {
        errors.check(!is_price(total), "trip.total", NEGATIVE_PRICE);
        errors.check(MAX_PRICE < total, "trip.total", PRICE_TOO_HIGH);
        let mut phases = series.phases.iter();
        errors.check(
            phases.any(|it| it.price_override.is_some()),
            "trip.total",
            "Set a total or a price for each visit, not both",
        );
    }
    errors
}

/// The longest pause.
const PAUSE_DAYS: i64 = 366;

/// The errors of the days of a pause.
pub(crate) fn pause_errors(from: Date, to: Date) -> FieldErrors {
    let mut errors = FieldErrors::default();
    errors.check(to < from, "to", "The last day cannot be before the first");
    errors.check(
        from.plus_days(PAUSE_DAYS) <= to,
        "to",
        format!("A pause cannot exceed {PAUSE_DAYS} days"),
    );
    errors
}

/// The error of a rule.
pub(crate) fn rule_error(rule: &SeriesRule) -> Option<&'static str> {
    let is_every = |it: &u32| (1..=EVERY).contains(it);
    match rule {
        SeriesRule::Weekly { weekdays, .. } if weekdays.is_empty() => {
            Some("Please select at least one day of the week")
        }
        SeriesRule::Weekly { weekdays, .. } if weekdays.iter().any(|it| 6 < *it) => {
            Some("A day of the week is from 0 to 6")
        }
        SeriesRule::Weekly { every, .. } if !is_every(every) => Some("Weeks must be from 1 to 365"),
        SeriesRule::Daily { every } if !is_every(every) => Some("Days must be from 1 to 365"),
        SeriesRule::Monthly { day } if !(1..=31).contains(day) => {
            Some("A day of the month is from 1 to 31")
        }
        SeriesRule::MonthlyWeekday { nth, .. } if !(1..=5).contains(nth) => {
            Some("Please select the first to fourth or the last one of a month")
        }
        SeriesRule::MonthlyWeekday { weekday, .. } if 6 < *weekday => {
            Some("A day of the week is from 0 to 6")
        }
        _ => None,
    }
}

fn slot_errors(errors: &mut FieldErrors, phase: &SeriesPhase, business: &Business) {
    let most = bounds::SERIES_SLOTS;
    let n_slots = phase.slots.len();
    errors.check(n_slots == 0, "slots", "Please select a start time");
    errors.check(
        most < n_slots,
        "slots",
        format!("A series can have at most {most} times a day"),
    );
    let (least, longest) = (
        CONSTRAINTS.min_duration_minutes,
        CONSTRAINTS.max_duration_minutes,
    );
    for (place, slot) in phase.slots.iter().enumerate() {
        let minutes = slot.duration_minutes;
        let field = format!("slots.{place}.duration_minutes");
        errors.check(
            minutes < least,
            &field,
            format!("Duration must be at least {least} minutes"),
        );
        errors.check(
            longest < minutes,
            &field,
            format!("Duration cannot exceed {longest} minutes"),
        );
        let offering = slot.offering_id.and_then(|id| business.offerings.get(&id));
        errors.check(
            offering.is_some_and(|it| it.row.pricing_type == PricingType::Daily),
            &format!("slots.{place}.offering_id"),
            "An offering that is sold by the day cannot repeat",
        );
        let is_twice = phase.slots.iter().take(place).any(|it| it.id == slot.id);
        errors.check(is_twice, "slots", "Two of these times are the same");
    }
}
