//! Owns a time off before it is saved: the visits in it by day, where they can move, the messages to their clients; its undo;
//! and the words for both.

use serde::Serialize;

use crate::commands::availability::new_block;
use crate::commands::series::is_open;
use crate::commands::time_off::{moved_to, place};
use crate::commands::{FormerVisit, TakeTimeOff, TimeOffChoice, TimeOffWay, UndoTimeOff};
use crate::rows::blocked_time::BlockedTime;
use crate::rows::service::Service;
use crate::rules::availability::blocked_time_errors;
use crate::rules::conflict::{ConflictRequest, check_blocked, next_free};
use crate::rules::time_off::{ToldVisit, message, visits_in};
use crate::rules::ways_to_client::{
    WayToClient, is_in_portal, is_mailed_of_changes, told_of_change, way_to,
};
use crate::rules::words;
use crate::screens::schedule::nearest;
use crate::values::bounds::TIME_OFF_VISITS;
use crate::values::format;
use crate::{Business, Command, Context, Date, Id, Now, Time};

/// A time for a visit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TimeOffPlace {
    /// Day of the visit.
    pub date: Date,
    /// Start of the visit.
    pub start_time: Time,
    /// `Thu Dec 3, 12:00 PM`.
    pub label: String,
}

/// A visit or stay in a time off.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TimeOffVisit {
    /// The decision on it, with the visit as it is now; where it is moved, with its new time, or without one if no free time
    /// was found.
    pub choice: TimeOffChoice,
    /// Name of the client.
    pub client_name: String,
    /// `Biscuit and Rex`.
    pub dogs: String,
    /// `12:00 PM - 12:30 PM`.
    pub time: String,
    /// True for a stay, which cannot be moved.
    pub is_stay: bool,
    /// True if it cannot be changed: it is under way, invoiced or paid.
    pub is_fixed: bool,
    /// The nearest free times, if it is moved.
    pub free: Vec<TimeOffPlace>,
    /// Its new time in words, if it is moved and has one.
    pub to: Option<String>,
    /// True if something is at its new time.
    pub is_taken: bool,
}

/// A day that has visits in a time off.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TimeOffDay {
    /// The day itself.
    pub date: Date,
    /// `Monday, November 30`.
    pub heading: String,
    /// Its visits, by start.
    pub visits: Vec<TimeOffVisit>,
}

/// A client whose visits a time off changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TimeOffClient {
    /// Id of the client.
    pub id: Id,
    /// Name of the client.
    pub name: String,
    /// The message from the template.
    pub content: String,
    /// Sentence about the way that a message takes.
    pub told: String,
    /// True if the sitter passes the message on.
    pub is_passed_on: bool,
}

/// A time off before it is saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TimeOffPlan {
    /// The days that have visits in it.
    pub days: Vec<TimeOffDay>,
    /// Count of visits that can be decided on.
    pub open: u32,
    /// Count of visits beyond those that one command takes; they are kept.
    pub more: u32,
    /// The clients whose visits it changes, by their first visit; those who were deleted are left out.
    pub clients: Vec<TimeOffClient>,
    /// Count of visits that are to move and have no free time.
    pub unplaced: u32,
}

/// Shows the visits in a time that is to be blocked, with the decisions so far; `can_send` is true where the command goes to
/// the server at once. Nothing while the time is not valid.
pub fn plan(business: &Business, command: &TakeTimeOff, now: &Now, can_send: bool) -> TimeOffPlan {
    let block = new_block(command.id, &command.blocked_time);
    if !blocked_time_errors(&block, &command.blocked_time)
        .0
        .is_empty()
    {
        return TimeOffPlan::default();
    }
    let block = block.row;
    let visits = visits_in(business, &block, now);
    let more = visits.len().saturating_sub(TIME_OFF_VISITS);
    let visits = visits.get(..visits.len() - more).unwrap_or_default();
    let planned = planned(business, &block, visits, &command.visits, now);
    let mut plan = TimeOffPlan {
        more: u32::try_from(more).unwrap_or(u32::MAX),
        clients: clients(business, &block, &planned, can_send),
        ..TimeOffPlan::default()
    };
    for visit in planned {
        plan.open += u32::from(!visit.is_fixed);
        let is_moved = visit.choice.way == TimeOffWay::Move;
        plan.unplaced += u32::from(is_moved && (visit.to.is_none() || visit.is_taken));
        let date = visit.choice.date;
        match plan.days.last_mut().filter(|it| it.date == date) {
            Some(day) => day.visits.push(visit),
            None => plan.days.push(TimeOffDay {
                date,
                heading: format::date_heading(date),
                visits: vec![visit],
            }),
        }
    }
    plan
}

fn planned(
    business: &Business,
    block: &BlockedTime,
    visits: &[&Service],
    choices: &[TimeOffChoice],
    now: &Now,
) -> Vec<TimeOffVisit> {
    let cycle = business.hour_cycle();
    let ctx = Context::at(now.clone());
    let mut planned: Vec<TimeOffVisit> = visits
        .iter()
        .map(|service| {
            let chosen = choices.iter().find(|it| it.id == service.id);
            let is_fixed = !is_open(service);
            let is_stay = service.end_date.is_some();
            let way = match chosen.map(|it| it.way) {
                Some(TimeOffWay::Move) if is_stay => TimeOffWay::Keep,
                Some(way) if !is_fixed => way,
                _ => TimeOffWay::Keep,
            };
            TimeOffVisit {
                choice: TimeOffChoice {
                    id: service.id,
                    client_id: service.client_id,
                    date: service.date,
                    start_time: service.start_time,
                    way,
                    to_date: chosen.and_then(|it| it.to_date),
                    to_start_time: chosen.and_then(|it| it.to_start_time),
                },
                client_name: service.client_name.clone(),
                dogs: format::names(&service.dogs),
                time: words::service_time(service, cycle),
                is_stay,
                is_fixed,
                free: Vec::new(),
                to: None,
                is_taken: false,
            }
        })
        .collect();
    // What is cancelled makes room for what moves, and what moves takes it.
    let cancelled: Vec<TimeOffChoice> = planned
        .iter()
        .filter(|it| it.choice.way == TimeOffWay::Cancel)
        .map(|it| it.choice.clone())
        .collect();
    let placed = place(&cancelled, block, business, &ctx);
    let mut moved = placed.map(|it| it.moved).unwrap_or_default();
    let moves = planned.iter_mut().zip(visits);
    for (visit, service) in moves.filter(|it| it.0.choice.way == TimeOffWay::Move) {
        let request = ConflictRequest {
            date: service.date.max(now.today()),
            ..ConflictRequest::of(service)
        };
        let at = |date: Date, start_time: Time| TimeOffPlace {
            date,
            start_time,
            label: format::day_and_time(date, start_time, cycle),
        };
        let free = match visit.choice.to_date {
            // Other times of the day that a person has picked.
            Some(date) => {
                let request = ConflictRequest {
                    date,
                    start_time: visit.choice.to_start_time.unwrap_or(service.start_time),
                    ..request
                };
                let answer = check_blocked(business, &moved, block, &request, now);
                visit.is_taken = answer.conflict || date < now.today();
                Some((request, answer.free))
            }
            None => next_free(business, &moved, block, &request, now).map(|(date, free)| {
                let request = ConflictRequest { date, ..request };
                (request, free)
            }),
        };
        let free = free.map(|(request, free)| {
            let date = request.date;
            let starts = nearest(business, service.client_id, &request, free);
            let starts: Vec<Time> = starts.into_iter().map(|it| it.value).collect();
            (request, date, starts)
        });
        if let Some((request, date, starts)) = free {
            if visit.choice.to_date.is_none() {
                let wanted = request.start_time.minute_of_day();
                let away = |it: &Time| (it.minute_of_day().abs_diff(wanted), *it);
                visit.choice.to_start_time = starts.iter().min_by_key(|it| away(it)).copied();
                visit.choice.to_date = visit.choice.to_start_time.map(|_| date);
            } else {
                visit.choice.to_start_time.get_or_insert(request.start_time);
            }
            visit.free = starts.into_iter().map(|it| at(date, it)).collect();
        }
        if let (Some(date), Some(start)) = (visit.choice.to_date, visit.choice.to_start_time) {
            visit.to = Some(at(date, start).label);
            match moved_to(service, (date, start), Some(block), &moved, business, &ctx) {
                Ok(Ok(after)) => {
                    moved.0.insert(after.id, Some(after));
                }
                _ => visit.is_taken = true,
            }
        }
    }
    planned
}

/// The clients whose visits change, with the message to each.
fn clients(
    business: &Business,
    block: &BlockedTime,
    planned: &[TimeOffVisit],
    can_send: bool,
) -> Vec<TimeOffClient> {
    let is_changed = |it: &&TimeOffVisit| it.choice.way != TimeOffWay::Keep;
    let changed: Vec<&TimeOffVisit> = planned.iter().filter(is_changed).collect();
    let mut clients: Vec<TimeOffClient> = Vec::new();
    for visit in &changed {
        let id = visit.choice.client_id;
        let is_listed = clients.iter().any(|it| it.id == id);
        let Some(client) = business.client(id).filter(|_| !is_listed) else {
            continue;
        };
        let of_client = changed.iter().filter(|it| it.choice.client_id == id);
        let told: Vec<ToldVisit> = of_client
            .map(|it| ToldVisit {
                was: (it.choice.date, it.choice.start_time),
                until: business.service(it.choice.id).and_then(|it| it.end_date),
                to: match it.choice.way {
                    TimeOffWay::Move => it.choice.to_date.zip(it.choice.to_start_time),
                    _ => None,
                },
            })
            .collect();
        let is_passed_on = !is_in_portal(client);
        let name = format::set_apart(&client.name);
        clients.push(TimeOffClient {
            id,
            content: message(block, &told, business.hour_cycle()),
            told: match is_passed_on {
                true if way_to(business, client) == WayToClient::Copy => format!(
                    "{name} is not in the portal and has no phone number or email: copy the message under To send."
                ),
                true if is_mailed_of_changes(business, client) => {
                    let mailed = told_of_change(business, Some(id), true, can_send);
                    format!("{mailed} The message itself waits under To send: pass it on.")
                }
                true => format!(
                    "{name} is not in the portal: pass the message on under To send."
                ),
                false => told_of_change(business, Some(id), true, can_send),
            },
            name: client.name.clone(),
            is_passed_on,
        });
    }
    clients
}

/// The command that undoes a time off, computed before that is saved. It is to be saved with the base revision of the command
/// that it undoes.
pub fn undo(business: &Business, command: &TakeTimeOff) -> Command {
    let changed = command
        .visits
        .iter()
        .filter(|it| it.way != TimeOffWay::Keep);
    let visits = changed.filter_map(|it| business.service(it.id));
    let visits = visits.filter(|it| is_open(it)).map(|it| FormerVisit {
        id: it.id,
        date: it.date,
        start_time: it.start_time,
        overlap_ok: it.overlap_ok,
        window: it.start_window(),
    });
    Command::UndoTimeOff(UndoTimeOff {
        id: command.id,
        visits: visits.collect(),
    })
}

/// Says what a time off did: `2 visits are cancelled. 1 visit is moved.`
pub fn done(command: &TakeTimeOff) -> String {
    let counted = |way, does: &str| {
        let n = command.visits.iter().filter(|it| it.way == way).count();
        match n {
            0 => None,
            1 => Some(["1 visit is ", does, "."].concat()),
            _ => Some(format!("{n} visits are {does}.")),
        }
    };
    let cancelled = counted(TimeOffWay::Cancel, "cancelled");
    let moved = counted(TimeOffWay::Move, "moved");
    let sentences: Vec<String> = cancelled.into_iter().chain(moved).collect();
    sentences.join(" ")
}
