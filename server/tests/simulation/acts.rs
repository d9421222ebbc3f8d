//! Owns what sitters do by an act that the app works out before it is saved: trips, time off, several visits at once,
//! delays, departures, prices and the better order of a day. Each is made by the function of `core::screens` that its screen
//! calls, and so is its undo.

use serde_json::json;
use walkies_core::commands::{
    ActivateClient, AnnounceDelay, ApproveRequest, ApproveRequests, ChangeTrip, CopyServices,
    CreateSeries, DeactivateClient, DelayNews, DelayedVisit, FormerTime, GrantRequest,
    MakeSeriesDate, MarkServices, MoveServices, MoveVisits, MovedVisit, RestorePet,
    ScheduleService, SendLive, ServiceCopy, TakeBackDelay, TakeTimeOff, TimeOffChoice,
    TimeOffMessage, TimeOffWay, UndoApproval, UpdateAvailabilityConfig, UpdateClient,
    UpdateOffering,
};
use walkies_core::rows::offering::PricingType;
use walkies_core::rows::series::Series;
use walkies_core::rows::service::{LiveEvent, Service, ServiceStatus};
use walkies_core::rows::walk_request::{RequestStatus, RequestSubject, WalkRequest};
use walkies_core::rules::live::live_recipients;
use walkies_core::rules::series::trip_days;
use walkies_core::screens::day_way::better_order;
use walkies_core::screens::departures::{DepartureAct, deactivation, pet_departure};
use walkies_core::screens::repricing::{PricesOf, repricing};
use walkies_core::screens::requests::{RequestCard, RequestFilter, requests};
use walkies_core::screens::{delay, series, services, time_off};
use walkies_core::values::patch::Patch;
use walkies_core::values::walk_event::WalkEventKind;
use walkies_core::{Business, Command, Date, Id, Now, Time};

use crate::people::{Days, Wish, chosen, ids, patch, slot, start};
use crate::rng::Rng;

/// Acts of one part of the app.
#[derive(Clone, Copy, Debug)]
pub enum Acts {
    Trips,
    TimeOff,
    Several,
    Planned,
    Weeks,
    Delays,
    Inactive,
    GonePets,
    Prices,
    Grants,
    Order,
    Approvals,
    Live,
}

/// Draws an act, half of them of the favoured ones if there are any; nothing where the app has nothing to offer for it.
pub fn of_acts(
    rng: &mut Rng,
    view: &Business,
    client: Id,
    days: &Days,
    value: i64,
    favoured: Option<Acts>,
    now: &Now,
) -> Option<Wish> {
    let acts = match favoured {
        Some(acts) if rng.chance(50) => acts,
        _ => some_acts(rng),
    };
    match acts {
        Acts::Trips => of_trips(rng, view, client, days, value, now),
        Acts::TimeOff => take_time_off(rng, view, days, now),
        Acts::Several => of_several(rng, view, days, now),
        Acts::Planned => make_planned(rng, view, now),
        Acts::Weeks => Some(weeks_ahead(rng)),
        Acts::Delays => of_delay(rng, view, client, now),
        Acts::Inactive => of_inactive(rng, view, client, now),
        Acts::GonePets => of_gone_pets(rng, view, now),
        Acts::Prices => of_prices(rng, view, client, days, now),
        Acts::Grants => grant_one(rng, view, value, now),
        Acts::Order => of_order(rng, view, client, days, now),
        Acts::Approvals => approve(rng, view, value, now),
        Acts::Live => live(rng, view, value, now),
    }
}

fn some_acts(rng: &mut Rng) -> Acts {
    match rng.below(32) {
        0..=2 => Acts::Trips,
        3 | 4 => Acts::TimeOff,
        5..=9 => Acts::Several,
        10 => Acts::Planned,
        11 => Acts::Weeks,
        12 | 13 => Acts::Delays,
        14 => Acts::Inactive,
        15 => Acts::GonePets,
        16 | 17 => Acts::Prices,
        18 | 19 => Acts::Grants,
        28 | 29 => Acts::Approvals,
        30.. => Acts::Live,
        _ => Acts::Order,
    }
}

fn with_undo(command: Command, undo: Option<Command>) -> Wish {
    Wish {
        undo,
        ..command.into()
    }
}

/// The act of a screen that shows it with its undo.
fn departing(act: DepartureAct) -> Wish {
    with_undo(act.command, Some(act.undo))
}

/// Books a trip, or moves the days, the stay or the agreed total of one.
fn of_trips(
    rng: &mut Rng,
    view: &Business,
    client: Id,
    days: &Days,
    value: i64,
    now: &Now,
) -> Option<Wish> {
    let at = now.at.0;
    let trips = view.series.values().map(|it| &it.row);
    let trips: Vec<&Series> = trips.filter(|it| it.trip.is_some()).collect();
    if let Some(trip) = rng
        .pick(&trips)
        .filter(|_| 2 < trips.len() || rng.chance(60))
    {
        return change_trip(rng, view, trip, value, now);
    }
    let dog_ids: Vec<Id> = view.pets_of(client).iter().map(|it| it.id).collect();
    let slots: Vec<_> = (0..=rng.below(2))
        .map(|_| {
            let mut slot = slot(rng, view);
            slot["id"] = json!(rng.id(at));
            slot
        })
        .collect();
    let named = |rng: &mut Rng| {
        let slot = rng.pick(&slots).map(|it| it["id"].clone());
        slot.filter(|_| rng.chance(40))
    };
    let (first_slot, last_slot) = (named(rng), named(rng));
    let begins = days.contended[0].plus_days(rng.between(-8, 3));
    let stay = stay(rng, view, at);
    let total = rng.chance(60).then(|| rng.between(50, 400));
    let plan = patch(json!({
        "client_id": client, "dog_ids": dog_ids, "begins": begins, "slots": slots,
        "rule": { "kind": "daily", "every": 1 },
        "end": { "kind": "on", "date": begins.plus_days(rng.between(0, 5)) },
        "trip": { "first_slot": first_slot, "last_slot": last_slot, "stay": stay, "total": total },
    }));
    let command = CreateSeries {
        id: rng.id(at),
        series: plan,
        choices: Vec::new(),
    };
    Some(chosen(rng, view, command.into(), now))
}

/// The stay of a trip, where an offering is sold by the day.
fn stay(rng: &mut Rng, view: &Business, at: i64) -> Option<serde_json::Value> {
    let offerings = view.offerings.values().map(|it| &it.row);
    let daily = offerings.filter(|it| it.pricing_type == PricingType::Daily);
    let daily: Vec<Id> = daily.map(|it| it.id).collect();
    let offering_id = *rng.pick(&daily).filter(|_| rng.chance(50))?;
    Some(json!({
        "id": rng.id(at), "start_time": "18:00", "duration_minutes": 30, "service_type": "dropin",
        "offering_id": offering_id,
    }))
}

fn change_trip(
    rng: &mut Rng,
    view: &Business,
    trip: &Series,
    value: i64,
    now: &Now,
) -> Option<Wish> {
    let (begins, ends) = trip_days(trip)?;
    let moved =
        |rng: &mut Rng, date: Date| rng.chance(50).then(|| date.plus_days(rng.between(-2, 2)));
    let changes = match rng.below(5) {
        0 => Patch::of("total", json!(rng.between(50, 400))),
        1 => Patch::of("total", json!(null)),
        2 => Patch::of("stay", json!(stay(rng, view, now.at.0))),
        3 => {
            let slots = trip.phases.iter().flat_map(|it| &it.slots);
            let slots: Vec<Id> = slots.map(|it| it.id).collect();
            let field = if value % 2 == 0 {
                "first_slot"
            } else {
                "last_slot"
            };
            Patch::of(field, json!(rng.pick(&slots)))
        }
        _ => Patch::default(),
    };
    let command = ChangeTrip {
        id: trip.id,
        begins: moved(rng, begins),
        ends: moved(rng, ends),
        changes,
        choices: Vec::new(),
    };
    Some(chosen(rng, view, command.into(), now))
}

/// Blocks a day, some days or some hours, and decides on the visits in that time.
fn take_time_off(rng: &mut Rng, view: &Business, days: &Days, now: &Now) -> Option<Wish> {
    let (first, hours) = match rng.below(4) {
        0 => (now.today(), ["00:00", "23:59"]),
        1 => (days.contended[rng.below(2)], ["00:00", "23:59"]),
        2 => (days.loose[rng.below(2)], ["00:00", "23:59"]),
        _ => (days.contended[rng.below(2)], ["10:00", "11:30"]),
    };
    let last = first.plus_days(rng.between(0, 2));
    let block = patch(json!({
        "block_date": first, "start_time": hours[0], "end_time": hours[1],
        "block_type": if rng.chance(50) { "sick" } else { "vacation" }, "is_recurring": first < last,
        "recurrence_pattern": (first < last).then_some("daily"),
        "recurrence_end_date": (first < last).then_some(last),
    }));
    let mut command = TakeTimeOff {
        id: rng.id(now.at.0),
        blocked_time: block,
        visits: Vec::new(),
        messages: Vec::new(),
    };
    let visits_of = |command: &TakeTimeOff| -> Vec<TimeOffChoice> {
        let days = time_off::plan(view, command, now, true).days.into_iter();
        days.flat_map(|it| it.visits).map(|it| it.choice).collect()
    };
    let mut choices = visits_of(&command);
    for choice in &mut choices {
        let ways = [TimeOffWay::Cancel, TimeOffWay::Move, TimeOffWay::Keep];
        choice.way = *rng.pick(&ways)?;
    }
    command.visits = choices;
    let mut visits = visits_of(&command);
    for it in &mut visits {
        let has_place = it.to_date.is_some() && it.to_start_time.is_some();
        match it.way {
            TimeOffWay::Move if has_place => {}
            // No time is free for it.
            TimeOffWay::Move => it.way = TimeOffWay::Keep,
            TimeOffWay::Cancel | TimeOffWay::Keep => (it.to_date, it.to_start_time) = (None, None),
        }
    }
    command.visits = visits;
    if rng.chance(70) {
        let clients = time_off::plan(view, &command, now, true).clients;
        let messages = clients.into_iter().map(|it| TimeOffMessage {
            id: rng.id(now.at.0),
            client_id: it.id,
            content: it.content,
        });
        command.messages = messages.collect();
    }
    let undo = time_off::undo(view, &command);
    Some(with_undo(command.into(), Some(undo)))
}

/// Moves, marks or copies several visits at once.
fn of_several(rng: &mut Rng, view: &Business, days: &Days, now: &Now) -> Option<Wish> {
    let day = days.contended[rng.below(2)];
    let mut near = view.services_between(day.plus_days(-1), day.plus_days(2));
    near.retain(|_| rng.chance(60));
    let mut marked: Vec<Id> = near.iter().map(|it| it.id).collect();
    marked.truncate(6);
    let command: Command = match rng.below(5) {
        0 | 1 => {
            let minutes = [-30, -15, 15, 30, 90, 7 * 24 * 60, -2 * 24 * 60];
            let mut moves = services::moves_by(view, &marked, *rng.pick(&minutes)?);
            for it in &mut moves {
                it.overlap_ok = rng.chance(6);
            }
            MoveServices {
                moves,
                brings_back: false,
            }
            .into()
        }
        2 | 3 => {
            let status = if rng.chance(60) {
                ServiceStatus::Cancelled
            } else {
                ServiceStatus::Completed
            };
            MarkServices {
                marked,
                status,
                was: None,
                ..MarkServices::default()
            }
            .into()
        }
        _ => {
            let (from, to) = match rng.below(3) {
                0 => (day, days.contended[0]),
                1 => (day, days.contended[1]),
                _ => (day, day.plus_days(7)),
            };
            let mut sources = services::copy_sources(view, from, from).services;
            sources.truncate(4);
            let copies = sources.into_iter().map(|it| ServiceCopy {
                id: rng.id(now.at.0),
                original: it.id,
                date: to,
                start_time: match rng.chance(50) {
                    true => it.start_time,
                    false => start(rng).parse().unwrap(),
                },
                overlap_ok: rng.chance(6),
            });
            CopyServices {
                copies: copies.collect(),
            }
            .into()
        }
    };
    // The bar has no button for an act that changes nothing.
    let preview = services::preview(view, &command, true, now);
    if preview.count == 0 {
        return None;
    }
    let undo = services::undo(view, &command, now);
    Some(with_undo(command, undo))
}

/// Has one visit made that a series has planned beyond the weeks ahead.
fn make_planned(rng: &mut Rng, view: &Business, now: &Now) -> Option<Wish> {
    let first = now.today().plus_days(rng.between(20, 150));
    let planned = series::planned(view, first, first.plus_days(21), now);
    let it = rng.pick(&planned)?;
    let command = Command::MakeSeriesDate(MakeSeriesDate {
        id: it.series_id,
        date: it.date,
        slot: it.slot,
        overlap_ok: false,
    });
    let undo = series::undo(view, &command, now);
    Some(with_undo(command, undo))
}

/// Has the visits of series made for other weeks ahead.
fn weeks_ahead(rng: &mut Rng) -> Wish {
    let weeks = *rng.pick(&[Some(4), Some(6), Some(14), None]).unwrap();
    let changes = Patch::of("series_weeks_ahead", json!(weeks));
    Command::UpdateAvailabilityConfig(UpdateAvailabilityConfig { changes }).into()
}

/// Tells clients that the visits of today are later. On a day without visits one is booked instead.
fn of_delay(rng: &mut Rng, view: &Business, client: Id, now: &Now) -> Option<Wish> {
    let minutes = u32::try_from(5 * rng.between(1, 12)).unwrap();
    let plan = delay::plan(view, minutes, (&[], &[]), true, now);
    if plan.visits.is_empty() || rng.chance(25) {
        return visit_today(rng, view, client, now);
    }
    let left_out: Vec<Id> = plan.visits.iter().map(|it| it.id).collect();
    let left_out: Vec<Id> = left_out.into_iter().filter(|_| rng.chance(20)).collect();
    let plan = delay::plan(view, minutes, (&[], &left_out), true, now);
    let later = plan.visits.iter().filter(|it| !left_out.contains(&it.id));
    let delayed: Vec<DelayedVisit> = later
        .filter_map(|it| {
            Some(DelayedVisit {
                id: it.id,
                planned: it.planned,
                start_time: it.start_time?,
                window: None,
            })
        })
        .collect();
    let told = plan.clients.iter().filter(|_| rng.chance(80));
    let told: Vec<Id> = told.map(|it| it.client_id).collect();
    let told: Vec<DelayNews> = told
        .into_iter()
        .map(|client_id| DelayNews {
            client_id,
            message_id: rng.id(now.at.0),
            content: match rng.chance(30) {
                true => format!("I am late by {minutes}"),
                false => String::new(),
            },
        })
        .collect();
    let undo = TakeBackDelay {
        delayed: delayed.clone(),
        messages: told.iter().map(|it| it.message_id).collect(),
    };
    let command = AnnounceDelay {
        date: plan.date,
        delayed,
        told,
        moves_plan: rng.chance(60),
    };
    Some(with_undo(command.into(), Some(undo.into())))
}

/// A visit in the next hours.
fn visit_today(rng: &mut Rng, view: &Business, client: Id, now: &Now) -> Option<Wish> {
    let minute = i64::from(now.time().minute_of_day()) + rng.between(10, 600);
    let start_time = Time::from_minutes((minute - minute % 15).min(23 * 60 + 15));
    let dog_ids: Vec<Id> = view.pets_of(client).iter().map(|it| it.id).collect();
    let service = patch(json!({
        "client_id": client, "dog_ids": dog_ids, "date": now.today(), "start_time": start_time,
        "duration_minutes": 30, "service_type": "walk",
    }));
    let command = ScheduleService {
        id: rng.id(now.at.0),
        service,
        overlap_ok: false,
        quoted_price: None,
        brings_back: false,
    };
    Some(Command::from(command).into())
}

/// Makes a client inactive, with its visits or without them; or active again.
fn of_inactive(rng: &mut Rng, view: &Business, client: Id, now: &Now) -> Option<Wish> {
    let inactive = view.clients.values().map(|it| &it.row);
    let inactive = inactive.filter(|it| it.inactive_since.is_some());
    let inactive: Vec<Id> = inactive.map(|it| it.id).collect();
    if let Some(id) = rng.pick(&inactive).copied().filter(|_| rng.chance(60)) {
        let command = ActivateClient {
            id,
            series: Vec::new(),
            reopens: Vec::new(),
        };
        let undo = DeactivateClient {
            id,
            ends: Vec::new(),
            cancels: Vec::new(),
        };
        return Some(with_undo(command.into(), Some(undo.into())));
    }
    let shown = deactivation(view, client, now)?;
    let keep = shown.keep;
    let act = shown.end.filter(|_| rng.chance(60)).unwrap_or(keep);
    Some(departing(act))
}

/// Says that a pet is no longer there, or that it is after all.
fn of_gone_pets(rng: &mut Rng, view: &Business, now: &Now) -> Option<Wish> {
    let pet = *rng.pick(&ids(view.pets.keys()))?;
    if view.pet(pet)?.gone_on.is_some() {
        let command = RestorePet {
            id: pet,
            series: Vec::new(),
            reopens: Vec::new(),
            own: Vec::new(),
        };
        return Some(Command::from(command).into());
    }
    let on = now.today().plus_days(rng.between(-2, 0));
    let shown = pet_departure(view, pet, on, now)?;
    shown.problem.is_none().then(|| departing(shown.act))
}

/// Changes rates, or gives visits to come the price by the rates of now.
fn of_prices(rng: &mut Rng, view: &Business, client: Id, days: &Days, now: &Now) -> Option<Wish> {
    let offering = rng.pick(&ids(view.offerings.keys())).copied();
    let from = match rng.chance(70) {
        true => now.today(),
        false => days.contended[0],
    };
    let stale = |of, id| {
        let shown = repricing(view, of, id, from, now);
        (!shown.changes.is_empty()).then(|| with_undo(shown.command, Some(shown.undo)))
    };
    let clients = ids(view.clients.keys());
    let wish = match rng.chance(70) {
        true => clients
            .into_iter()
            .find_map(|it| stale(PricesOf::Client, it)),
        false => offering.and_then(|it| stale(PricesOf::Offering, it)),
    };
    if let Some(wish) = wish.filter(|_| rng.chance(80)) {
        return Some(wish);
    }
    let price = json!(rng.between(10, 60));
    let command: Command = match offering.filter(|_| rng.chance(30)) {
        Some(id) => UpdateOffering {
            id,
            changes: Patch::of("base_price", price),
        }
        .into(),
        None => UpdateClient {
            id: client,
            changes: Patch::of("walk_rate_30min", price),
            dogs: Vec::new(),
            removed_dogs: Vec::new(),
        }
        .into(),
    };
    Some(command.into())
}

/// Books a visit that may begin at almost any time of a day.
fn visit_in_window(
    rng: &mut Rng,
    view: &Business,
    client: Id,
    days: &Days,
    now: &Now,
) -> Option<Wish> {
    let dog_ids: Vec<Id> = view.pets_of(client).iter().map(|it| it.id).collect();
    let service = patch(json!({
        "client_id": client, "dog_ids": dog_ids, "date": days.contended[0], "start_time": start(rng),
        "duration_minutes": 30, "service_type": "walk", "window_from": "08:00", "window_to": "18:00",
    }));
    let command = ScheduleService {
        id: rng.id(now.at.0),
        service,
        overlap_ok: false,
        quoted_price: None,
        brings_back: false,
    };
    Some(Command::from(command).into())
}

/// Grants a request beside a visit that waits, if there is any.
fn grant_one(rng: &mut Rng, view: &Business, value: i64, now: &Now) -> Option<Wish> {
    let requests = view.requests.values().map(|it| &it.row);
    let waiting = requests.filter(|it| it.status == RequestStatus::Pending && it.subject.is_some());
    let waiting: Vec<&WalkRequest> = waiting.collect();
    let request = *rng.pick(&waiting)?;
    Some(grant(rng, view, request, value, now))
}

/// Takes the better order of a day whose visits have windows, or books another such visit where there is none.
fn of_order(rng: &mut Rng, view: &Business, client: Id, days: &Days, now: &Now) -> Option<Wish> {
    let on_foot = rng.chance(50);
    let found = days.contended.iter().find_map(|date| {
        let better = better_order(view, *date, on_foot, now)?;
        (!better.moved.is_empty()).then_some((*date, better.moved))
    });
    let Some((date, better)) = found else {
        return visit_in_window(rng, view, client, days, now);
    };
    let moved = |turn: fn(MovedVisit) -> MovedVisit| {
        let moved = better.iter().map(|it| MovedVisit {
            id: it.id,
            planned: it.planned,
            start_time: it.start_time,
            window: None,
        });
        let moved = moved.map(turn).collect();
        Command::MoveVisits(MoveVisits { date, moved })
    };
    let back = |it: MovedVisit| MovedVisit {
        planned: it.start_time,
        start_time: it.planned,
        ..it
    };
    Some(with_undo(moved(|it| it), Some(moved(back))))
}

/// Sends an event of a visit to its client, or takes one back that was sent.
pub fn live(rng: &mut Rng, view: &Business, value: i64, now: &Now) -> Option<Wish> {
    let services = || view.services.values().map(|it| &it.row);
    let told: Vec<&Service> = services().filter(|it| !it.live.is_empty()).collect();
    if let Some(service) = rng.pick(&told).filter(|_| rng.chance(35)) {
        let command = SendLive {
            id: service.id,
            events: Vec::new(),
            taken_back: vec![rng.pick(&service.live)?.id],
        };
        return Some(Command::from(command).into());
    }
    let is_linked = |it: &&Service| {
        let client = view.client(it.client_id);
        client.is_some_and(|it| it.client_user_id.is_some())
    };
    let theirs: Vec<&Service> = services().filter(is_linked).collect();
    // Those of a walk with dogs of one client or of two.
    let walked: Vec<&Service> = (0..=rng.below(2))
        .filter_map(|_| rng.pick(&theirs).copied())
        .collect();
    let is_photo = rng.chance(60);
    let photo = is_photo.then(|| rng.id(now.at.0));
    let event = LiveEvent {
        id: rng.id(now.at.0),
        kind: match is_photo {
            true => WalkEventKind::Photo,
            false => WalkEventKind::Water,
        },
        at: now.at,
        note: match rng.chance(30) {
            true => format!("happy {value}"),
            false => String::new(),
        },
        photo,
    };
    let service_ids: Vec<Id> = walked.iter().map(|it| it.id).collect();
    let along: Vec<Id> = walked.iter().flat_map(|it| it.dog_ids.clone()).collect();
    let of_one = walked.first().filter(|_| rng.chance(60));
    let dog_ids = of_one.map(|it| it.dog_ids.clone()).unwrap_or_default();
    let recipients = live_recipients(view, &service_ids, &along, &event, &dog_ids);
    let to = rng.pick(&recipients)?;
    let command = SendLive {
        id: to.service_id,
        events: vec![event],
        taken_back: Vec::new(),
    };
    Some(Wish {
        photos: photo.into_iter().collect(),
        ..Command::from(command).into()
    })
}

/// Approves what waits: one visit, or all visits of a card that were asked for at once, as the requests' screen does.
pub fn approve(rng: &mut Rng, view: &Business, value: i64, now: &Now) -> Option<Wish> {
    let cards = requests(view, RequestFilter::Pending, 50, now)
        .cards
        .into_iter();
    let cards = cards.filter(|it| it.subject.is_none() && it.only_decline.is_none());
    let cards: Vec<RequestCard> = cards.collect();
    let picked = rng.pick(&cards)?;
    let of_group = cards.iter().filter(|it| match it.group_id {
        Some(group) => picked.group_id == Some(group),
        None => picked.id == it.id,
    });
    let mut approvals = Vec::new();
    for card in of_group {
        approvals.push(ApproveRequest {
            id: card.id,
            service_id: rng.id(now.at.0),
            sitter_response: match approvals.is_empty() {
                true => format!("gladly {value}"),
                false => String::new(),
            },
            start_time: None,
            overlap_ok: !card.obstacles.is_empty() && rng.chance(30),
            price: Some(card.price),
        });
    }
    let client = view.requests.get(&picked.id).map(|it| it.row.client_id);
    let client = client.and_then(|it| view.client(it));
    let inactive_since = client.and_then(|it| it.inactive_since);
    let mut undos = approvals.iter().map(|it| {
        Command::UndoApproval(UndoApproval {
            inactive_since,
            ..UndoApproval::new(it.id, it.service_id)
        })
    });
    let (undo, undo_too) = (undos.next(), undos.collect());
    let command = match approvals.as_slice() {
        [one] => Command::ApproveRequest(one.clone()),
        _ => Command::ApproveRequests(ApproveRequests { approvals }),
    };
    Some(Wish {
        undo,
        undo_too,
        ..command.into()
    })
}

/// Grants what a pet parent has asked for beside a visit.
pub fn grant(rng: &mut Rng, view: &Business, request: &WalkRequest, value: i64, now: &Now) -> Wish {
    let command = GrantRequest {
        id: request.id,
        sitter_response: format!("granted {value}"),
        start_time: rng.chance(20).then(|| start(rng).parse().unwrap()),
        choices: Vec::new(),
        overlap_ok: false,
    };
    let wish = chosen(rng, view, command.into(), now);
    Wish {
        undo: undo_of_move(view, request),
        ..wish
    }
}

/// The command that undoes a granted move, as the requests' screen has it; other wishes have none.
fn undo_of_move(view: &Business, request: &WalkRequest) -> Option<Command> {
    let Some(RequestSubject::MoveService { service_id, .. }) = &request.subject else {
        return None;
    };
    let service = view.service(*service_id)?;
    let former = FormerTime {
        date: service.date,
        start_time: service.start_time,
        end_date: service.end_date,
        departure_time: service.departure_time,
        overlap_ok: service.overlap_ok,
        price: Some(service.pricing_breakdown.clone()),
    };
    Some(Command::UndoApproval(UndoApproval {
        former: Some(former),
        ..UndoApproval::new(request.id, service.id)
    }))
}

/// The window of a visit around its start, as a client agrees to it.
pub fn window(rng: &mut Rng, start: &str) -> (Option<Time>, Option<Time>) {
    if !rng.chance(30) {
        return (None, None);
    }
    let start: Time = start.parse().unwrap();
    let minute = i64::from(start.minute_of_day());
    let around = |minutes: i64| Some(Time::from_minutes(minute + minutes));
    (around(-60), around(rng.between(2, 8) * 30))
}

/// True for a visit that is still to be done and that nobody has begun, billed or paid.
pub fn is_untouched(service: &Service) -> bool {
    service.status == ServiceStatus::Scheduled && !is_fixed(service)
}

/// True for a visit that is done, under way, billed or paid.
pub fn is_fixed(service: &Service) -> bool {
    service.status == ServiceStatus::Completed
        || service.paid
        || service.invoice_id.is_some()
        || service.credited_invoice_id.is_some()
        || service.progress.is_some()
        || !service.live.is_empty()
}
