//! Tests of what holds for any input: money, prices, intervals against brute force, merges, orders.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use walkies_core::commands::decision::Adjustment;
use walkies_core::commands::{
    CreateClient, ImportClients, OfferingPlace, PetPatch, ReorderOfferings, ScheduleService,
    UndoImport, UpdateClient, decide,
};
use walkies_core::rows::availability_config::AvailabilityConfig;
use walkies_core::rows::blocked_time::{BlockedTime, Recurrence};
use walkies_core::rows::business::FieldChange;
use walkies_core::rows::client::{Client, MultipleDogMethod};
use walkies_core::rows::left_alone::{LeftAlone, LeftAloneWhy};
use walkies_core::rows::message::Side;
use walkies_core::rows::offering::Offering;
use walkies_core::rows::overwritten::Overwritten;
use walkies_core::rows::pattern::Pattern;
use walkies_core::rows::pet::Pet;
use walkies_core::rows::report::{Report, ReportContent, SharedEvent};
use walkies_core::rows::service::{Service, ServiceStatus, ServiceType};
use walkies_core::rows::shared_mail::{SharedMail, SharedMailState};
use walkies_core::rules::conflict::{self, ConflictRequest};
use walkies_core::rules::offering::in_order;
use walkies_core::rules::refusal::Obstacle;
use walkies_core::rules::{pricing, service, slots};
use walkies_core::screens::calendar;
use walkies_core::values::bounds;
use walkies_core::values::patch::Patch;
use walkies_core::values::place::Place;
use walkies_core::values::report_kind::ReportKind;
use walkies_core::values::walk_event::WalkEventKind;
use walkies_core::values::zone::TimeZone;
use walkies_core::{
    Business, Cents, Change, Command, Context, Date, Id, Instant, Now, Refusal, Row, RowKey,
    TableName, Time,
};

const BOTH: [ServiceType; 2] = [ServiceType::Walk, ServiceType::Dropin];

fn date(text: &str) -> Date {
    text.parse().unwrap()
}

/// The Monday that the brute-force tests look at.
fn monday() -> Date {
    date("2026-11-23")
}

fn now(text: &str) -> Now {
    Now {
        at: text.parse().unwrap(),
        zone: TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap(),
    }
}

fn at(minute: i64) -> Time {
    Time::from_minutes(minute)
}

fn id_of(obstacle: &Obstacle) -> Id {
    match obstacle {
        Obstacle::Service { id, .. } | Obstacle::BlockedTime { id, .. } => *id,
    }
}

fn cents() -> impl Strategy<Value = Cents> {
    (0_i64..50_000).prop_map(Cents)
}

fn service_type() -> impl Strategy<Value = ServiceType> {
    prop::sample::select(BOTH.to_vec())
}

fn client() -> impl Strategy<Value = Client> {
    let method = prop::sample::select(vec![
        MultipleDogMethod::Percentage,
        MultipleDogMethod::Flat,
        MultipleDogMethod::None,
    ]);
    (
        [cents(), cents(), cents(), cents(), cents()],
        method,
        0_u32..=100,
        cents(),
        cents(),
    )
        .prop_map(
            |(
                [walk, dropin, half, three_quarters, hour],
                method,
                percentage,
                flat_walk,
                flat_dropin,
            )| Client {
                name: "Dana".to_owned(),
                pricing_walk: walk,
                pricing_dropin: dropin,
                walk_rate_30min: half,
                walk_rate_45min: three_quarters,
                walk_rate_60min: hour,
                multiple_dog_method: method,
                additional_dog_percentage: percentage,
                additional_dog_walk_rate: flat_walk,
                additional_dog_dropin_rate: flat_dropin,
                ..Client::new(Id::of(1), Instant(0))
            },
        )
}

/// A service within a day of the Monday, of a length that the form takes.
fn service(number: u128) -> impl Strategy<Value = Service> {
    let status = prop::sample::select(vec![
        ServiceStatus::Scheduled,
        ServiceStatus::Scheduled,
        ServiceStatus::Completed,
        ServiceStatus::Cancelled,
    ]);
    (
        -1_i64..=1,
        0_i64..1440,
        15_u32..=480,
        service_type(),
        status,
    )
        .prop_map(
            move |(day, start, duration_minutes, service_type, status)| Service {
                date: monday().plus_days(day),
                start_time: at(start),
                duration_minutes,
                service_type,
                status,
                ..Service::new(Id::of(1000 + number), Instant(0))
            },
        )
}

fn services() -> impl Strategy<Value = Vec<Service>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..6)
        .prop_flat_map(|items| (0..items.len() as u128).map(service).collect::<Vec<_>>())
}

/// More services than an answer names.
fn crowd() -> impl Strategy<Value = Vec<Service>> {
    (0_usize..60).prop_flat_map(|count| (0..count as u128).map(service).collect::<Vec<_>>())
}

fn pattern(number: u128) -> impl Strategy<Value = Pattern> {
    let types = prop::sample::subsequence(BOTH.to_vec(), 1..=2);
    (
        0_i64..1440,
        0_i64..1440,
        types,
        1_u32..=3,
        0_u32..90,
        (1_u32..=3, prop::bool::weighted(0.9), 0_u32..72, 0_u32..10),
    )
        .prop_map(
            move |(
                start,
                end,
                service_types,
                max,
                buffer_minutes,
                (priority, is_active, hours, days),
            )| Pattern {
                day_of_week: 1,
                start_time: at(start),
                end_time: at(end),
                service_types,
                max_concurrent_services: max,
                buffer_minutes,
                priority,
                is_active,
                min_advance_hours: hours,
                max_advance_days: days,
                ..Pattern::new(Id::of(2000 + number))
            },
        )
}

fn patterns() -> impl Strategy<Value = Vec<Pattern>> {
    prop::collection::vec(any::<bool>(), 0..4)
        .prop_flat_map(|items| (0..items.len() as u128).map(pattern).collect::<Vec<_>>())
}

fn block(number: u128) -> impl Strategy<Value = BlockedTime> {
    let recurrence = prop::sample::select(vec![
        Recurrence::Daily,
        Recurrence::Weekly,
        Recurrence::Monthly,
    ]);
    let types = prop::sample::subsequence(BOTH.to_vec(), 1..=2);
    (
        -40_i64..2,
        0_i64..1440,
        0_i64..1440,
        types,
        prop::bool::weighted(0.2),
        any::<bool>(),
        recurrence,
    )
        .prop_map(
            move |(
                day,
                start,
                end,
                blocked_services,
                allows_emergency,
                is_recurring,
                recurrence,
            )| BlockedTime {
                start_time: at(start),
                end_time: at(end),
                blocked_services,
                allows_emergency,
                is_recurring,
                recurrence_pattern: Some(recurrence),
                ..BlockedTime::new(Id::of(3000 + number), monday().plus_days(day))
            },
        )
}

fn blocks() -> impl Strategy<Value = Vec<BlockedTime>> {
    prop::collection::vec(any::<bool>(), 0..3)
        .prop_flat_map(|items| (0..items.len() as u128).map(block).collect::<Vec<_>>())
}

fn business(
    services: &[Service],
    patterns: &[Pattern],
    blocks: &[BlockedTime],
    step: u32,
) -> Business {
    let mut business = Business::default();
    let config = AvailabilityConfig {
        slot_interval_minutes: step,
        ..AvailabilityConfig::new(Id::of(9))
    };
    business.put(1, Row::AvailabilityConfig(config));
    services
        .iter()
        .for_each(|it| business.put(1, Row::Service(it.clone())));
    patterns
        .iter()
        .for_each(|it| business.put(1, Row::Pattern(it.clone())));
    blocks
        .iter()
        .for_each(|it| business.put(1, Row::BlockedTime(it.clone())));
    business
}

/// The decisions' sentences, minute by minute and with nothing clever: what is in the way of a service.
fn obstacles_by_minute(
    services: &[Service],
    patterns: &[Pattern],
    blocks: &[BlockedTime],
    request: &ConflictRequest,
) -> BTreeSet<Id> {
    let start = request.date.minute(request.start_time);
    let end = start + i64::from(request.duration_minutes);
    let holder = holder_by_hand(patterns, request);
    let (buffer, max) = holder.map_or((0, 1), |it| {
        (
            i64::from(it.buffer_minutes),
            it.max_concurrent_services as usize,
        )
    });
    let mut found = BTreeSet::new();
    for minute in start - buffer..end + buffer {
        let running: Vec<Id> = services
            .iter()
            .filter(|it| it.status != ServiceStatus::Cancelled)
            .filter(|it| {
                let start = it.date.minute(it.start_time);
                (start..start + i64::from(it.duration_minutes)).contains(&minute)
            })
            .map(|it| it.id)
            .collect();
        if running.len() + 1 > max {
            found.extend(running);
        }
        let day = date("1970-01-01").plus_days(minute.div_euclid(1440));
        let time = at(minute);
        let blocking = blocks.iter().filter(|it| {
            it.occurs_on(day)
                && it.start_time <= time
                && time < it.end_time
                && it.blocked_services.contains(&request.service_type)
                && !it.allows_emergency
        });
        found.extend(blocking.map(|it| it.id));
    }
    found
}

fn holder_by_hand<'a>(patterns: &'a [Pattern], request: &ConflictRequest) -> Option<&'a Pattern> {
    let start = i64::from(request.start_time.minute_of_day());
    let end = start + i64::from(request.duration_minutes);
    let holding = patterns.iter().filter(|it| {
        it.is_active
            && it.day_of_week == request.date.day_of_week()
            && it.service_types.contains(&request.service_type)
            && i64::from(it.start_time.minute_of_day()) <= start
            && end <= i64::from(it.end_time.minute_of_day())
    });
    holding.min_by_key(|it| (u32::MAX - it.priority, it.id))
}

/// From when to when each service takes place.
fn booked(business: &Business) -> Vec<(i64, i64)> {
    let services = business.services.values().map(|it| &it.row);
    services
        .map(|it| {
            let start = it.date.minute(it.start_time);
            (start, start + i64::from(it.duration_minutes))
        })
        .collect()
}

proptest! {
    #[test]
    fn money_survives_json_to_the_cent(amount in -100_000_000_000_i64..=100_000_000_000) {
        let amount = Cents(amount);
        let text = serde_json::to_string(&amount).unwrap();
        prop_assert_eq!(serde_json::from_str::<Cents>(&text).unwrap(), amount);
        prop_assert!(!text.ends_with(".0"), "whole dollars have no fraction: {}", text);
    }

    #[test]
    fn a_percentage_is_off_by_half_a_cent_at_most(amount in -100_000_i64..100_000, percent in 0_i64..=100) {
        let exact = amount * percent;
        let off = (Cents(amount).percent(percent).0 * 100 - exact).abs();
        prop_assert!(off <= 50);
        prop_assert_eq!(Cents(-amount).percent(percent), Cents(-Cents(amount).percent(percent).0));
    }

    #[test]
    fn a_price_is_the_sum_of_its_parts(client in client(), kind in service_type(), minutes in 1_u32..480, n_dogs in 1_usize..9) {
        let price = pricing::price(&client, kind, minutes, n_dogs);
        prop_assert_eq!(price.total, price.base_dog_price + price.additional_dogs_charge);
        prop_assert_eq!(price.additional_dogs_count as usize, n_dogs - 1);
        let alone = pricing::price(&client, kind, minutes, 1);
        prop_assert_eq!(alone.total, price.base_dog_price);
    }

    #[test]
    fn more_dogs_never_cost_less_and_each_adds_the_same(client in client(), kind in service_type(), minutes in 1_u32..480, n_dogs in 1_usize..9) {
        let total = |n| pricing::price(&client, kind, minutes, n).total;
        prop_assert!(total(n_dogs) <= total(n_dogs + 1));
        prop_assert_eq!(total(n_dogs + 1) - total(n_dogs), total(2) - total(1));
    }

    #[test]
    fn the_order_of_pets_does_not_change_the_price(client in client(), reversed: bool) {
        let mut business = Business::default();
        business.put(1, Row::Client(client));
        let mut dogs = vec![Id::of(11), Id::of(12), Id::of(13)];
        for id in &dogs {
            business.put(1, Row::Pet(Pet { name: "Rex".to_owned(), ..Pet::new(*id, Id::of(1)) }));
        }
        if reversed {
            dogs.reverse();
        }
        let price = service::preview(&business, &pricing::PriceRequest {
            client_id: Id::of(1), dog_ids: dogs, service_type: ServiceType::Walk, duration_minutes: 30,
            offering_id: None, date: None, end_date: None, departure_time: None,
        });
        let sorted = service::preview(&business, &pricing::PriceRequest {
            client_id: Id::of(1), dog_ids: vec![Id::of(11), Id::of(12), Id::of(13)],
            service_type: ServiceType::Walk, duration_minutes: 30,
            offering_id: None, date: None, end_date: None, departure_time: None,
        });
        prop_assert_eq!(price, sorted);
    }

    #[test]
    fn conflicts_are_those_of_every_minute(
        services in services(), patterns in patterns(), blocks in blocks(),
        start in 0_i64..1440, duration_minutes in 15_u32..=480, service_type in service_type(),
    ) {
        let business = business(&services, &patterns, &blocks, 30);
        let request = ConflictRequest { service_type, date: monday(), start_time: at(start), duration_minutes, service_id: None, end_date: None, departure_time: None };
        let answer = conflict::check(&business, &request, &now("2026-11-20T15:00:00Z"));
        let found: BTreeSet<Id> = answer.with.iter().map(id_of).collect();
        prop_assert_eq!(&found, &obstacles_by_minute(&services, &patterns, &blocks, &request));
        prop_assert_eq!(answer.conflict, !found.is_empty());
        for start_time in answer.free {
            let request = ConflictRequest { start_time, ..request.clone() };
            prop_assert!(obstacles_by_minute(&services, &patterns, &blocks, &request).is_empty(), "{} is free", start_time);
        }
    }

    #[test]
    fn of_a_crowded_day_the_first_obstacles_are_named(
        services in crowd(), patterns in patterns(), max in 1_u32..=30,
        start in 0_i64..1440, duration_minutes in 15_u32..=480, service_type in service_type(),
    ) {
        let patterns: Vec<_> = patterns.into_iter()
            .map(|it| Pattern { max_concurrent_services: max, ..it }).collect();
        let business = business(&services, &patterns, &[], 30);
        let request = ConflictRequest { service_type, date: monday(), start_time: at(start), duration_minutes, service_id: None, end_date: None, departure_time: None };
        let answer = conflict::check(&business, &request, &now("2026-11-20T15:00:00Z"));
        let found = obstacles_by_minute(&services, &patterns, &[], &request);
        let mut expected: Vec<&Service> = services.iter().filter(|it| found.contains(&it.id)).collect();
        expected.sort_by_key(|it| (it.date, it.start_time, it.id));
        expected.truncate(bounds::OBSTACLES);
        let expected: Vec<Id> = expected.into_iter().map(|it| it.id).collect();
        prop_assert_eq!(answer.with.iter().map(id_of).collect::<Vec<_>>(), expected);
        let is_open = |start_time: Time| {
            let request = ConflictRequest { start_time, ..request.clone() };
            let in_hours = holder_by_hand(&patterns, &request).is_some()
                || !patterns.iter().any(|it| it.is_active && it.day_of_week == 1 && it.service_types.contains(&service_type));
            in_hours && obstacles_by_minute(&services, &patterns, &[], &request).is_empty()
        };
        let open: Vec<Time> = walkies_core::rules::scheduling::start_times().filter(|it| is_open(*it)).collect();
        prop_assert_eq!(answer.free, if found.is_empty() { Vec::new() } else { open });
    }

    #[test]
    fn stays_are_in_each_others_way_on_the_days_that_are_full(
        spans in prop::collection::vec((-6_i64..6, 0_i64..5, any::<bool>()), 0..12), patterns in patterns(),
        n_days in 1_i64..6, service_type in service_type(),
    ) {
        let stays: Vec<Service> = (1..).zip(spans).map(|(number, (from, more, is_off))| {
            let first = monday().plus_days(from);
            Service {
                date: first, end_date: Some(first.plus_days(more)),
                status: if is_off { ServiceStatus::Cancelled } else { ServiceStatus::Scheduled },
                ..Service::new(Id::of(number), Instant(0))
            }
        }).collect();
        let business = business(&stays, &patterns, &[], 30);
        let request = ConflictRequest {
            service_type, date: monday(), start_time: at(540), duration_minutes: 30, service_id: None,
            end_date: Some(monday().plus_days(n_days - 1)), departure_time: None,
        };
        let mut expected = BTreeSet::new();
        for day in (0..n_days).map(|it| monday().plus_days(it)) {
            let of_day = |it: &&Pattern| it.is_active && it.day_of_week == day.day_of_week() && it.service_types.contains(&service_type);
            let leading = patterns.iter().filter(of_day).min_by_key(|it| (std::cmp::Reverse(it.priority), it.id));
            let at_once = leading.map_or(1, |it| it.max_concurrent_services.max(1));
            let there: Vec<Id> = stays.iter()
                .filter(|it| it.status != ServiceStatus::Cancelled && it.date <= day && it.end_date >= Some(day))
                .map(|it| it.id).collect();
            if there.len() >= at_once as usize {
                expected.extend(there);
            }
        }
        let answer = conflict::check(&business, &request, &now("2026-11-20T15:00:00Z"));
        prop_assert_eq!(answer.with.iter().map(id_of).collect::<BTreeSet<_>>(), expected);
    }

    #[test]
    fn two_services_are_in_each_others_way_or_neither_is(a in service(1), b in service(2)) {
        let [a, b] = [a, b].map(|it| Service { status: ServiceStatus::Scheduled, date: monday(), ..it });
        let meets = |there: &Service, comes: &Service| {
            let business = business(std::slice::from_ref(there), &[], &[], 30);
            conflict::check(&business, &ConflictRequest::of(comes), &now("2026-11-20T15:00:00Z")).conflict
        };
        prop_assert_eq!(meets(&a, &b), meets(&b, &a));
    }

    #[test]
    fn slots_are_those_of_every_minute(
        services in services(), patterns in patterns(), blocks in blocks(),
        duration_minutes in 15_u32..=240, service_type in service_type(), step in 5_u32..=60,
        minutes_before in -1500_i64..12_000,
    ) {
        let business = business(&services, &patterns, &blocks, step);
        let mut now = now("2026-11-23T05:00:00Z");
        now.at = Instant(now.at.0 - minutes_before * 60_000);
        let offered: Vec<(bool, Time)> = slots::open_slots(&business, monday(), service_type, duration_minutes, &now)
            .iter().map(|it| (it.suggested, it.start_time)).collect();
        let mut expected = Vec::new();
        for minute in 0..1440 {
            let request = ConflictRequest { service_type, date: monday(), start_time: at(minute), duration_minutes, service_id: None, end_date: None, departure_time: None };
            let of_type = |it: &&Pattern| it.is_active && it.service_types.contains(&service_type);
            let has_hours = patterns.iter().filter(of_type).any(|it| it.day_of_week == 1);
            let holder = holder_by_hand(&patterns, &request);
            if has_hours && holder.is_none() {
                continue;
            }
            let (first, step, buffer, hours, most_days) = match holder {
                Some(it) => (i64::from(it.start_time.minute_of_day()), step, it.buffer_minutes, it.min_advance_hours, it.max_advance_days),
                // Without hours on that day those starts that the form offers, and what ends on it.
                None if !(360..=1305).contains(&minute) || 1440 < minute + i64::from(duration_minutes) => continue,
                None => (0, 15, 0, 0, patterns.iter().filter(of_type).map(|it| it.max_advance_days).max().unwrap_or(u32::MAX)),
            };
            let on_step = (minute - first) % i64::from(step) == 0;
            let begins = Instant::from_civil(monday(), at(minute), &now.zone).0;
            let ahead_ms = begins - now.at.0;
            let late_enough = 0 < ahead_ms && i64::from(hours) * 3_600_000 <= ahead_ms;
            let days = monday().days_since_epoch() - now.today().days_since_epoch();
            let near_enough = (0..=i64::from(most_days)).contains(&days);
            let free = obstacles_by_minute(&services, &patterns, &blocks, &request).is_empty();
            if on_step && late_enough && near_enough && free {
                let reach = i64::from(buffer + step);
                let end = minute + i64::from(duration_minutes);
                let is_beside = services.iter().filter(|it| it.status != ServiceStatus::Cancelled).any(|it| {
                    let days = it.date.days_since_epoch() - monday().days_since_epoch();
                    let from = days * 1440 + i64::from(it.start_time.minute_of_day());
                    let gap = (from - end).max(minute - from - i64::from(it.duration_minutes));
                    (0..reach).contains(&gap)
                });
                expected.push((is_beside, at(minute)));
            }
        }
        expected.sort_by_key(|(suggested, start)| (!suggested, *start));
        prop_assert_eq!(offered, expected);
    }

    #[test]
    fn lanes_never_cover_each_other(services in services()) {
        let business = business(&services, &[], &[], 30);
        let day = calendar::day(&business, monday(), 0, &now("2026-11-20T15:00:00Z"));
        for (place, a) in day.items.iter().enumerate() {
            prop_assert!(a.lane < a.lanes);
            prop_assert!(a.top + a.height <= 1440);
            for b in &day.items[place + 1..] {
                let overlap = a.top < b.top + b.height && b.top < a.top + a.height;
                prop_assert!(!overlap || (a.lane != b.lane && a.lanes == b.lanes), "{:?} and {:?}", a, b);
            }
        }
    }

    #[test]
    fn recurrence_is_its_own_day_repeated(block in block(1), days in 0_i64..800, length in 0_i64..400) {
        let last = block.block_date.plus_days(length);
        let block = BlockedTime { is_recurring: true, recurrence_end_date: Some(last), ..block };
        let day = block.block_date.plus_days(days);
        let falls = match block.recurrence_pattern.unwrap() {
            Recurrence::Daily => true,
            Recurrence::Weekly => days % 7 == 0,
            Recurrence::Monthly => (0..40).any(|it| block.block_date.in_month(it, block.block_date.parts().2) == Some(day)),
        };
        prop_assert_eq!(block.occurs_on(day), falls && day <= last);
        prop_assert!(block.occurs_on(block.block_date));
        prop_assert!(!block.occurs_on(block.block_date.plus_days(-1 - days)));
    }

    #[test]
    fn reordering_is_a_permutation_with_places_from_0(n in 1_u32..8, orders in prop::collection::vec((0_u32..12, 0_u32..12), 0..10)) {
        let mut business = Business::default();
        for it in 0..n {
            let offering = Offering { name: "Walk".to_owned(), display_order: it * 3, ..Offering::new(Id::of(it.into()), Instant(0)) };
            business.put(1, Row::Offering(offering));
        }
        let before: Vec<Id> = in_order(&business).iter().map(|it| it.id).collect();
        let mut places = BTreeMap::new();
        for (id, place) in orders {
            places.entry(id).or_insert(place);
        }
        let orders = places.iter().map(|(id, place)| OfferingPlace {
            id: Id::of((*id).into()), display_order: *place, category: None,
        }).collect();
        let context = Context::at(now("2026-11-20T15:00:00Z"));
        let decision = decide(&Command::ReorderOfferings(ReorderOfferings { orders }), &business, &context).unwrap();
        business.apply(2, &decision.changes);
        let after = in_order(&business);
        let order: Vec<u32> = after.iter().map(|it| it.display_order).collect();
        prop_assert_eq!(order, (0..n).collect::<Vec<_>>());
        let unnamed = |id: &&Id| (n..12).chain(0..n).all(|it| Id::of(it.into()) != **id || !places.contains_key(&it));
        let kept: Vec<&Id> = before.iter().filter(unnamed).collect();
        let after: Vec<Id> = after.iter().map(|it| it.id).collect();
        prop_assert_eq!(after.iter().filter(unnamed).collect::<Vec<_>>(), kept);
    }

    #[test]
    fn edits_of_different_fields_both_survive_in_either_order(first in 0_usize..4, second in 0_usize..4, a in "[a-z]{1,8}", b in "[A-Z]{1,8}") {
        let fields = ["name", "address", "access_notes", "breed"];
        let (first, second) = (fields[first], fields[second]);
        let edit = |field: &str, text: &str| {
            let (changes, dogs) = if field == "breed" {
                (Patch::default(), vec![PetPatch { id: Id::of(11), is_new: false, changes: Patch::of(field, text) }])
            } else {
                (Patch::of(field, text), Vec::new())
            };
            Command::UpdateClient(UpdateClient { id: Id::of(1), changes, dogs, removed_dogs: Vec::new() })
        };
        let context = Context::at(now("2026-11-20T15:00:00Z"));
        let run = |commands: [&Command; 2]| {
            let mut business = Business::default();
            business.put(1, Row::Client(Client { name: "Dana".to_owned(), ..Client::new(Id::of(1), Instant(0)) }));
            business.put(1, Row::Pet(Pet { name: "Rex".to_owned(), ..Pet::new(Id::of(11), Id::of(1)) }));
            for command in commands {
                let decision = decide(command, &business, &context).unwrap();
                business.apply(2, &decision.changes);
            }
            business
        };
        let (one, two) = (edit(first, &a), edit(second, &b));
        let merged = run([&one, &two]);
        let value = |field: &str| {
            let client = merged.client(Id::of(1)).unwrap();
            match field {
                "name" => client.name.clone(),
                "address" => client.address.clone(),
                "access_notes" => client.access_notes.clone(),
                _ => merged.pet(Id::of(11)).unwrap().breed.clone(),
            }
        };
        prop_assert_eq!(value(second), b);
        if first != second {
            prop_assert_eq!(value(first), a);
            prop_assert_eq!(merged, run([&two, &one]));
        }
    }

    #[test]
    fn only_a_field_with_two_different_values_is_told(theirs in 0_u32..3, yours in 0_u32..3, same_field: bool) {
        let mut business = Business::default();
        business.put(1, Row::Client(Client { name: "Dana".to_owned(), ..Client::new(Id::of(1), Instant(0)) }));
        business.put(1, Row::Pet(Pet { name: "Rex".to_owned(), ..Pet::new(Id::of(11), Id::of(1)) }));
        business.field_changes.push(FieldChange {
            key: RowKey { table: TableName::Client, id: Id::of(1) },
            field: if same_field { "phone" } else { "address" }.to_owned(),
            value: json!(format!("555 000 000{theirs}")),
            by: None,
            at: Instant(0),
            added: Vec::new(),
        });
        let command = Command::UpdateClient(UpdateClient {
            id: Id::of(1), changes: Patch::of("phone", format!("555 000 000{yours}")), dogs: Vec::new(), removed_dogs: Vec::new(),
        });
        let decision = decide(&command, &business, &Context::at(now("2026-11-20T15:00:00Z"))).unwrap();
        let told = decision.adjustments.iter().any(|it| matches!(it, Adjustment::Overwritten(_)));
        prop_assert_eq!(told, same_field && theirs != yours);
    }

    #[test]
    fn a_decided_booking_never_overlaps_more_than_is_allowed(services in prop::collection::vec((0_i64..1440, 15_u32..=480), 1..12), max in 1_u32..=3) {
        let pattern = Pattern {
            day_of_week: 1, start_time: at(0), end_time: at(1439), max_concurrent_services: max, buffer_minutes: 0,
            ..Pattern::new(Id::of(2000))
        };
        let mut business = business(&[], &[pattern], &[], 30);
        business.put(1, Row::Client(Client { name: "Dana".to_owned(), ..Client::new(Id::of(1), Instant(0)) }));
        business.put(1, Row::Pet(Pet { name: "Rex".to_owned(), ..Pet::new(Id::of(11), Id::of(1)) }));
        let context = Context::at(now("2026-11-20T15:00:00Z"));
        for (number, (start, minutes)) in (0..).zip(services) {
            let command = Command::ScheduleService(ScheduleService {
                id: Id::of(100 + number),
                service: Patch(json!({
                    "client_id": Id::of(1), "dog_ids": [Id::of(11)], "service_type": "walk", "date": monday(),
                    "start_time": at(start), "duration_minutes": minutes,
                }).as_object().cloned().unwrap()),
                overlap_ok: false,
                quoted_price: None,
                brings_back: false,
            });
            let booked = booked(&business);
            match decide(&command, &business, &context) {
                Ok(decision) => business.apply(2, &decision.changes),
                Err(Refusal::Conflict { .. }) => {
                    let (from, to) = (monday().minute(at(start)), monday().minute(at(start)) + i64::from(minutes));
                    prop_assert!(booked.iter().any(|it| it.0 < to && from < it.1), "nothing is in the way");
                }
                Err(other) => prop_assert!(start + i64::from(minutes) > 1440, "{}", other),
            }
        }
        let booked = booked(&business);
        for (moment, _) in &booked {
            let running = booked.iter().filter(|(start, end)| start <= moment && moment < end).count();
            prop_assert!(running <= max as usize, "{} at once", running);
        }
    }
}

/// A client of a file: with so many pets, and right or wrong.
fn imported(number: u128, n_dogs: u128, is_right: bool) -> CreateClient {
    let name = if is_right { "Dana" } else { "" };
    let dogs = (0..n_dogs).map(|dog| PetPatch {
        id: Id::of(10_000 + number * 100 + dog),
        is_new: true,
        changes: Patch::of("name", "Rex"),
    });
    CreateClient {
        id: Id::of(1_000 + number),
        client: Patch::of("name", name),
        dogs: dogs.collect(),
    }
}

proptest! {
    #[test]
    fn an_import_is_all_or_nothing_and_its_undo_leaves_what_was_there_and_what_was_worked_with(
        clients in prop::collection::vec((1_u128..4, prop::bool::weighted(0.97)), 1..40),
        booked in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
    ) {
        let mut business = business(&[], &[], &[], 30);
        business.put(1, Row::Client(Client { name: "Sam".to_owned(), ..Client::new(Id::of(1), Instant(0)) }));
        business.put(1, Row::Pet(Pet { name: "Bo".to_owned(), ..Pet::new(Id::of(11), Id::of(1)) }));
        let before = business.clone();
        let context = Context::at(now("2026-11-20T15:00:00Z"));
        let command = ImportClients {
            clients: (0..).zip(&clients).map(|(number, (n_dogs, is_right))| imported(number, *n_dogs, *is_right)).collect(),
        };
        let ids: Vec<Id> = command.clients.iter().map(|it| it.id).collect();
        let decided = decide(&command.into(), &business, &context);
        let are_right = clients.iter().all(|it| it.1);
        prop_assert_eq!(decided.is_ok(), are_right);
        let Ok(decision) = decided else { return Ok(()) };
        business.apply(2, &decision.changes);
        let n_dogs: u128 = clients.iter().map(|it| it.0).sum();
        prop_assert_eq!(business.clients.len(), 1 + clients.len());
        prop_assert_eq!(business.pets.len() as u128, 1 + n_dogs);
        let booked: BTreeSet<Id> = booked.iter().map(|it| *it.get(&ids)).collect();
        for (number, client) in (0..).zip(&booked) {
            let service = Service { client_id: *client, ..Service::new(Id::of(50 + number), Instant(0)) };
            business.put(3, Row::Service(service));
        }
        let undone = decide(&UndoImport { clients: ids.clone() }.into(), &business, &context).unwrap();
        business.apply(4, &undone.changes);
        for client in &ids {
            prop_assert_eq!(business.client(*client).is_some(), booked.contains(client));
            prop_assert_eq!(business.pets_of(*client).is_empty(), !booked.contains(client));
        }
        let told: BTreeSet<Id> = undone.adjustments.iter().flat_map(|it| match it {
            Adjustment::Kept { clients } => clients.clone(),
            _ => Vec::new(),
        }).collect();
        prop_assert_eq!(&told, &booked);
        if booked.is_empty() {
            prop_assert_eq!(business, before);
        }
    }
}

/// Asserts that the value that `read` makes of each name, with fields for all of them, survives its JSON.
fn survive_their_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    names: &[&str],
    read: impl Fn(&str) -> serde_json::Result<T>,
) {
    for name in names {
        let value = read(name).unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = serde_json::to_string(&value).unwrap();
        assert!(text.contains(&format!("{name:?}")), "{text}");
        assert_eq!(serde_json::from_str::<T>(&text).unwrap(), value);
    }
}

#[test]
fn every_command_survives_its_json() {
    let id = Id::of(7).to_string();
    let row = json!({ "name": "Rex", "weight": 7.5 });
    let dogs = json!([{ "id": id, "is_new": true, "changes": row }]);
    let walk = json!({ "started_at": Instant(0), "ended_at": Instant(1000), "ran_seconds": 1 });
    let mut args = json!({
        "id": id, "changes": row, "client": row, "offering": row, "service": row, "pattern": row,
        "blocked_time": row, "expense": row, "dogs": dogs, "removed_dogs": [id], "overlap_ok": true,
        "quoted_price": 25.5, "notes": "Good", "despite_cancel": true, "paid": true, "walk": walk,
        "orders": [{ "id": id, "display_order": 3, "category": "Pet Care" }],
        "reports": [{ "id": id, "client_id": id, "dog_ids": [id], "note": "Hi" }],
        "service_id": id, "sitter_response": "Gladly", "start_time": "09:30", "request": row,
        "client_id": id, "conversation_id": id, "content": "Hello", "photo": id, "message_id": id, "archived": true,
        "payment_id": id, "parts": [{ "invoice_id": id, "amount": 12.5 }], "invoice_id": id, "amount": 12.5, "services": [id], "total": 25.5,
        "clients": [{ "id": id, "client": row, "dogs": dogs }], "what": "invoice", "passed_on": true,
        "refund_id": id, "field": "about", "settled": ["Shy"],
    });
    args["written_off"] = json!(true);
    args["reason"] = json!("Flu");
    args["tells_reason"] = json!(true);
    args["way_minutes"] = json!(12);
    let Value::Object(mut args) = args else {
        unreachable!()
    };
    let choice = json!({ "date": monday(), "slot": id, "way": "book" });
    for (field, value) in [
        ("series", row.clone()),
        ("pause_id", json!(id)),
        ("slot", json!(id)),
        ("date", json!(monday())),
        ("from", json!(monday())),
        ("to", json!(monday())),
        ("end", json!({ "kind": "never" })),
        ("choices", json!([choice])),
        (
            "visits",
            json!([{ "id": id, "client_id": id, "date": monday(), "start_time": "09:30", "way": "cancel" }]),
        ),
        (
            "messages",
            json!([{ "id": id, "client_id": id, "content": "I am ill" }]),
        ),
        (
            "change",
            json!({ "kind": "cancel_service", "service_id": id }),
        ),
        (
            "repeats",
            json!({ "rule": { "kind": "daily", "every": 2 }, "last_day": monday() }),
        ),
    ] {
        args.insert(field.to_owned(), value);
    }
    let time = json!({
        "id": id, "original": id, "date": monday(), "start_time": "09:30", "was_date": monday(), "was_start_time": "09:00",
    });
    for (field, value) in [
        ("moves", json!([time])),
        ("copies", json!([time])),
        ("marked", json!([id])),
        ("copied", json!([id])),
        ("brings_back", json!(true)),
        ("status", json!("cancelled")),
        ("was", json!("scheduled")),
        (
            "delayed",
            json!([{ "id": id, "planned": "12:00", "start_time": "12:20" }]),
        ),
        (
            "told",
            json!([{ "client_id": id, "message_id": id, "content": "Late" }]),
        ),
        (
            "moved",
            json!([{ "id": id, "planned": "12:00", "start_time": "11:00" }]),
        ),
        ("approvals", json!([{ "id": id, "service_id": id }])),
        ("group_id", json!(id)),
        ("is_wish", json!(true)),
        ("cancels", json!([id])),
        ("reopens", json!([id])),
        ("corrects", json!(true)),
        ("on", json!(monday())),
        ("own", json!([])),
        (
            "prices",
            json!([{ "id": id, "price": 25.5, "breakdown": { "baseDogPrice": 25.5, "additionalDogsCount": 0, "additionalDogsCharge": 0, "total": 25.5, "explanation": "" } }]),
        ),
        ("begins", json!(monday())),
        ("ends", json!(monday())),
    ] {
        args.insert(field.to_owned(), value);
    }
    survive_their_json(Command::NAMES, |name| {
        let mut args = args.clone();
        if name == "undo_import" {
            args.insert("clients".to_owned(), json!([id]));
        }
        if name == "deactivate_client" {
            args.insert("ends".to_owned(), json!([id]));
        }
        if name == "take_back_delay" {
            args.insert("messages".to_owned(), json!([id]));
        }
        if name == "send_live" {
            args.insert(
                "events".to_owned(),
                json!([{ "id": id, "kind": "photo", "at": Instant(0), "photo": id }]),
            );
            args.insert("taken_back".to_owned(), json!([id]));
        }
        if name == "activate_client" || name == "restore_pet" {
            args.insert("series".to_owned(), json!([{ "id": id }]));
        }
        Command::read(name, args)
    });
}

#[test]
fn every_refusal_survives_its_json() {
    let id = Id::of(7).to_string();
    let fields = json!({
        "fields": [{ "field": "name", "text": "Name is required" }], "count": 2, "at": Instant(0),
        "with": [], "free": ["09:00"], "photo": id, "video": id, "text": "no",
        "status": "approved", "quoted": 25, "total": 30.5, "invoice_id": id,
        "what": "dogs", "usage": { "current": 10, "limit": 10 },
        "hours": 24, "last": monday(), "minutes": 15,
        "changes": [{ "field": "name", "theirs": "Rex", "yours": null }],
    });
    survive_their_json(Refusal::CODES, |code| {
        let mut fields = fields.clone();
        fields["code"] = json!(code);
        serde_json::from_value::<Refusal>(fields)
    });
}

#[test]
fn every_obstacle_survives_its_json() {
    let fields = json!({
        "id": Id::of(7), "client_name": "Dana", "date": monday(), "start_time": "09:00", "duration_minutes": 30,
        "end_date": monday().plus_days(1), "block_type": "vacation", "reason": "Away", "end_time": "10:00",
    });
    survive_their_json(Obstacle::CODES, |kind| {
        let mut fields = fields.clone();
        fields["kind"] = json!(kind);
        serde_json::from_value::<Obstacle>(fields)
    });
}

fn survives_its_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = serde_json::to_string(value).unwrap();
    assert_eq!(serde_json::from_str::<T>(&text).unwrap(), *value, "{text}");
}

#[test]
fn every_adjustment_survives_its_json() {
    survives_its_json(&Adjustment::Overwritten(Overwritten {
        field: "name".to_owned(),
        theirs: json!("Rex"),
        yours: json!("Max"),
        kept: true,
        by: Some(Side::Client),
    }));
    survives_its_json(&Adjustment::Price {
        quoted: Cents(2500),
        price: Cents(2750),
    });
    survives_its_json(&Adjustment::Deactivated);
    survives_its_json(&Adjustment::Kept {
        clients: vec![Id::of(7)],
    });
    survives_its_json(&Adjustment::LeftAlone {
        services: vec![
            LeftAlone::of(Id::of(7), LeftAloneWhy::Taken),
            LeftAlone {
                copy_date: Some("2026-12-02".parse().unwrap()),
                copy_time: Some(Time::hour(9)),
                ..LeftAlone::of(Id::of(8), LeftAloneWhy::Full)
            },
        ],
        of: 3,
    });
}

#[test]
fn a_report_and_its_events_survive_their_json() {
    survives_its_json(&SharedEvent {
        kind: WalkEventKind::Note,
        at: Instant(1000),
        note: "A heron".to_owned(),
        place: Some(Place {
            lat_e7: 601_700_000,
            lon_e7: 249_400_000,
        }),
        photo: Some(Id::of(1)),
        client_ids: Some(vec![Id::of(2)]),
        dog_ids: vec![Id::of(3)],
        dogs: vec!["Rex".to_owned()],
        over_at: Some(Instant(2000)),
    });
    survives_its_json(&Report {
        passed_on_at: None,
        mailed: Some(SharedMail {
            to: "kim@example.com".to_owned(),
            state: SharedMailState::Failed,
            at: Instant(3000),
        }),
        opened_at: Some(Instant(4000)),
        id: Id::of(1),
        walk_id: Id::of(2),
        client_id: Id::of(3),
        kind: ReportKind::Day,
        dogs: vec!["Rex".to_owned()],
        service_ids: vec![Id::of(4)],
        started_at: Instant(1000),
        share_id: Some("secret".to_owned()),
        shared_at: Instant(2000),
        content: ReportContent::default(),
    });
}

#[test]
fn a_change_of_a_row_is_known_by_its_key() {
    let key = RowKey {
        table: TableName::Client,
        id: Id::of(7),
    };
    assert_eq!(Change::from(Client::new(key.id, Instant(0))).key(), key);
    assert_eq!(Change::Delete(key).key(), key);
}

#[test]
fn every_table_is_found_by_its_name() {
    for table in TableName::ALL {
        assert_eq!(TableName::parse(table.name()), Some(*table));
    }
    assert_eq!(TableName::parse("visit"), None);
}
