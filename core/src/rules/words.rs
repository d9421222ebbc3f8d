//! Owns what services, obstacles and blocked times are called (SPEC 3).

use crate::Date;
use crate::rows::blocked_time::BlockType;
use crate::rows::invoice::PaymentMethod;
use crate::rows::service::{Service, ServiceType};
use crate::rules::refusal::Obstacle;
use crate::values::format::{date, duration, from_to, names, set_apart, time, time_range};
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
        PaymentMethod::App => " by app",
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

/// How long a service lasts: `30 min`, `3 days`.
pub fn length(service: &Service) -> String {
    match (service.end_date, service.n_days()) {
        (None, _) => duration(service.duration_minutes),
        (Some(_), 1) => "1 day".to_owned(),
        (Some(_), n_days) => format!("{n_days} days"),
    }
}

/// `formatted_time` of a service (SPEC 3); of a stay `9:00 AM - Nov 23, 2026`.
pub fn service_time(service: &Service, cycle: HourCycle) -> String {
    match service.end_date {
        None => time_range(service.start_time, service.duration_minutes, cycle),
        Some(last) => time(service.start_time, cycle) + " - " + &date(last),
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
            is_one.then(|| format!("Day {day} of {n_days}"))
        }
        None => (day == 2).then(|| "Since yesterday".to_owned()),
    }
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
