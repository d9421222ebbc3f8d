//! Owns what services, obstacles and blocked times are called (SPEC 3).

use crate::Date;
use crate::rows::blocked_time::BlockType;
use crate::rows::invoice::PaymentMethod;
use crate::rows::offering::StayUnit;
use crate::rows::service::{Service, ServiceType};
use crate::rules::refusal::Obstacle;
use crate::values::format::{
    self, date, duration, from_to, month_day, names, set_apart, time, time_range, weekday,
};
use crate::values::units::HourCycle;

/// Names a type of service: `Walk`, `Drop-in`.
pub const fn service_type(service_type: ServiceType) -> &'static str {
    match service_type {
        ServiceType::Walk => "Walk",
        ServiceType::Dropin => "Drop-in",
    }
}

/// Way in which money moved, behind what is said of it: ` in cash`; empty where nobody has said.
pub const fn payment_way(method: PaymentMethod) -> &'static str {
    match method {
        PaymentMethod::Unknown | PaymentMethod::Credit => "",
        PaymentMethod::Cash => " in cash",
        PaymentMethod::Transfer => " by transfer",
        PaymentMethod::Card => " by card",
        PaymentMethod::App => " by payment app",
    }
}

/// Names a service by the offering that it was booked as, else by its type.
pub fn service_kind(service: &Service) -> &str {
    if service.offering_name.is_empty() {
        service_type(service.service_type)
    } else {
        &service.offering_name
    }
}

/// How long a service lasts: `30 min`, `2 nights`, `3 days`.
pub fn length(service: &Service) -> String {
    match service.end_date {
        None => duration(service.duration_minutes),
        Some(_) => units(unit_of(service), service.n_units()),
    }
}

/// Counts the nights or days of a stay: `1 night`, `3 days`.
pub(crate) fn units(unit: StayUnit, count: u32) -> String {
    format::counted(count as usize, unit_name(unit))
}

/// Words for a price by the unit: ` per night`.
pub(crate) const fn per(unit: StayUnit) -> &'static str {
    match unit {
        StayUnit::Nights => " per night",
        StayUnit::Days => " per day",
    }
}

const fn unit_name(unit: StayUnit) -> &'static str {
    match unit {
        StayUnit::Nights => "night",
        StayUnit::Days => "day",
    }
}

/// The unit of a stay; one that keeps none counts days.
fn unit_of(service: &Service) -> StayUnit {
    service.stay_terms.map_or(StayUnit::Days, |it| it.unit)
}

/// Says how the count of a stay comes about: `2 nights, Fri Dec 4 to Sun Dec 6`; none for a visit.
pub fn stay_count(service: &Service, cycle: HourCycle) -> Option<String> {
    let last = service.end_date?;
    let (count, n_days) = (service.n_units(), service.n_days());
    let day = |date: Date| {
        let name = weekday(date).get(..3).unwrap_or_default();
        [name, " ", &month_day(date)].concat()
    };
    let mut text = length(service) + ", " + &day(service.date);
    if service.date < last {
        text += &[" to ", &day(last)].concat();
    }
    let Some(terms) = service.stay_terms else {
        return Some(text);
    };
    match (terms.unit, terms.further_day_after, service.departure_time) {
        (StayUnit::Nights, ..) if n_days == 1 => text += ": at least one night counts",
        (StayUnit::Days, Some(hour), None) if 1 < n_days => {
            text += &[
                ": the last day counts, since no departure by ",
                &time(hour, cycle),
                " is set",
            ]
            .concat();
        }
        (StayUnit::Days, Some(hour), Some(_)) if 1 < n_days => {
            let counts = match count < n_days {
                true => ["a departure by ", &time(hour, cycle), " is no further day"],
                false => [
                    "a departure after ",
                    &time(hour, cycle),
                    " counts as a further day",
                ],
            };
            text += ": ";
            text += &counts.concat();
        }
        _ => {}
    }
    Some(text)
}

/// `formatted_time` of a service (SPEC 3); of a stay `9:00 AM - Nov 23, 2026`, and if its departure is known
/// `9:00 PM - Nov 23, 2026, 7:00 AM`.
pub fn service_time(service: &Service, cycle: HourCycle) -> String {
    match service.end_date {
        None => time_range(service.start_time, service.duration_minutes, cycle),
        Some(last) => {
            let departure = service.departure_time.map(|it| time(it, cycle));
            let departure = departure.map_or_else(String::new, |it| ", ".to_owned() + &it);
            time(service.start_time, cycle) + " - " + &date(last) + &departure
        }
    }
}

/// Words for the window in which a visit may begin: `Between 11:00 AM and 2:00 PM`; empty where the start was agreed.
pub fn window(service: &Service, cycle: HourCycle) -> String {
    service.window().map_or_else(String::new, |(from, to)| {
        format!("Between {} and {}", time(from, cycle), time(to, cycle))
    })
}

/// Returns which of a service's days `today` is, if it has others: `Day 2 of 3`, or for a visit that began the evening
/// before, `Since yesterday`.
pub fn going_on(service: &Service, today: Date) -> Option<String> {
    let day = today.days_since_epoch() - service.date.days_since_epoch() + 1;
    match service.end_date {
        Some(_) => {
            let n_days = service.n_days();
            let is_one = 1 < n_days && (1..=i64::from(n_days)).contains(&day);
            is_one.then(|| {
                let place = place_in_stay(service, today);
                // Its first letter is a capital at the beginning.
                let rest = place.get(1..).unwrap_or_default();
                place.get(..1).unwrap_or_default().to_uppercase() + rest
            })
        }
        None => (day == 2).then(|| "Since yesterday".to_owned()),
    }
}

/// Says which night or day of a stay begins on a date: `night 1 of 2`, `day 2 of 3`; `day of departure` after the last that
/// counts.
pub fn place_in_stay(service: &Service, date: Date) -> String {
    let day = date.days_since_epoch() - service.date.days_since_epoch() + 1;
    let count = service.n_units();
    if i64::from(count) < day {
        return "day of departure".to_owned();
    }
    let name = unit_name(unit_of(service));
    format!("{name} {day} of {count}")
}

/// `summary` of a service (SPEC 3): `Walk for Biscuit and Rex, 30 min`.
pub fn service_summary(service: &Service) -> String {
    let (kind, length) = (service_kind(service), length(service));
    format!("{kind} for {}, {length}", names(&service.dogs))
}

/// Describes an obstacle: `Dana Whitfield, 9:30 AM - 10:00 AM`. The day is named only where it is not `on`.
pub fn obstacle(obstacle: &Obstacle, on: Date, cycle: HourCycle) -> String {
    let (what, day, time) = match obstacle {
        Obstacle::Service {
            client_name,
            date,
            start_time,
            duration_minutes,
            end_date,
            ..
        } => match end_date {
            None => (
                set_apart(client_name),
                *date,
                time_range(*start_time, *duration_minutes, cycle),
            ),
            Some(last) => {
                let days = [&self::date(*date), " - ", &self::date(*last)].concat();
                (set_apart(client_name), on, days)
            }
        },
        Obstacle::BlockedTime {
            block_type,
            reason,
            date,
            start_time,
            end_time,
            ..
        } => {
            let why = if reason.is_empty() {
                block_type_name(*block_type)
            } else {
                reason
            };
            (
                format!("Blocked: {}", set_apart(why)),
                *date,
                from_to(*start_time, *end_time, cycle),
            )
        }
    };
    if day == on {
        format!("{what}, {time}")
    } else {
        format!("{what}, {}, {time}", self::date(day))
    }
}

/// Why a time is blocked: `Lunch`.
pub const fn block_type_name(block_type: BlockType) -> &'static str {
    match block_type {
        BlockType::Break => "Break",
        BlockType::Lunch => "Lunch",
        BlockType::Admin => "Admin",
        BlockType::Personal => "Personal",
        BlockType::Vacation => "Vacation",
        BlockType::Sick => "Sick",
        BlockType::Emergency => "Emergency",
        BlockType::Maintenance => "Maintenance",
        BlockType::Other => "Other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::service::StayTerms;
    use crate::{Id, Instant};

    fn stay(
        last: &str,
        departure: Option<&str>,
        terms: Option<(StayUnit, Option<&str>)>,
    ) -> Service {
        Service {
            date: "2026-12-04".parse().unwrap(),
            end_date: Some(last.parse().unwrap()),
            departure_time: departure.map(|it| it.parse().unwrap()),
            stay_terms: terms.map(|(unit, hour)| StayTerms {
                unit,
                further_day_after: hour.map(|it| it.parse().unwrap()),
            }),
            ..Service::new(Id::of(1), Instant(0))
        }
    }

    #[test]
    fn a_stay_says_how_its_count_came_about() {
        let (nights, days, noon) = (StayUnit::Nights, StayUnit::Days, Some("12:00"));
        for (stay, said) in [
            (
                stay("2026-12-06", None, Some((nights, None))),
                "2 nights, Fri Dec 4 to Sun Dec 6",
            ),
            (
                stay("2026-12-04", None, Some((nights, None))),
                "1 night, Fri Dec 4: at least one night counts",
            ),
            (
                stay("2026-12-06", None, Some((days, None))),
                "3 days, Fri Dec 4 to Sun Dec 6",
            ),
            (
                stay("2026-12-06", Some("10:00"), Some((days, noon))),
                "2 days, Fri Dec 4 to Sun Dec 6: a departure by 12:00 PM is no further day",
            ),
            (
                stay("2026-12-06", Some("13:00"), Some((days, noon))),
                "3 days, Fri Dec 4 to Sun Dec 6: a departure after 12:00 PM counts as a further day",
            ),
            (
                stay("2026-12-06", None, Some((days, noon))),
                "3 days, Fri Dec 4 to Sun Dec 6: the last day counts, since no departure by 12:00 PM is set",
            ),
            (
                stay("2026-12-06", None, None),
                "3 days, Fri Dec 4 to Sun Dec 6",
            ),
        ] {
            assert_eq!(stay_count(&stay, HourCycle::H12).as_deref(), Some(said));
        }
    }

    #[test]
    fn a_stay_by_the_night_says_which_night_it_is_and_when_it_ends() {
        let stay = stay("2026-12-06", Some("07:00"), Some((StayUnit::Nights, None)));
        let on = |day: &str| going_on(&stay, day.parse().unwrap());
        assert_eq!(on("2026-12-04").as_deref(), Some("Night 1 of 2"));
        assert_eq!(on("2026-12-05").as_deref(), Some("Night 2 of 2"));
        assert_eq!(on("2026-12-06").as_deref(), Some("Day of departure"));
        assert_eq!(on("2026-12-07"), None);
        assert_eq!(length(&stay), "2 nights");
        assert_eq!(
            service_time(&stay, HourCycle::H12),
            "9:00 AM - Dec 6, 2026, 7:00 AM"
        );
    }
}
