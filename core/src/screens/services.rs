//! Owns what screens ask of several services at once: what an act on them would do before it is saved, its undo, and which
//! services of a time are there to be copied.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::commands::services::{Several, copied, marked, moved, uncopied, written};
use crate::commands::{MarkServices, MoveServices, ServiceMove, UndoCopy};
use crate::rows::row::Change;
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::ways_to_client::{is_awaited, is_in_portal, is_to_begin, told_of_changes};
use crate::screens::correction::is_cancellation_shown;
use crate::screens::series::{SeriesPreview, of_visits};
use crate::sync::attention::left_alone;
use crate::values::bounds::SERVICES_AT_ONCE;
use crate::values::sort::SmallSort as _;
use crate::{Business, Command, Context, Date, Id, Now, Refusal, Time};

/// An act on several services before it is saved.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ServicesPreview {
    /// The services that are moved or made, as for a series; the slot of a date is the id of the service that it was.
    pub preview: SeriesPreview,
    /// Count of services that the act changes or makes.
    pub count: u32,
    /// The sentence about services that stay as they are; empty where there are none.
    pub left: String,
    /// The sentence about who is told; empty where nobody has to be.
    pub told: String,
}

fn outcome(
    command: &Command,
    business: &Business,
    ctx: &Context,
) -> Option<Result<Several, Refusal>> {
    Some(match command {
        Command::MoveServices(it) => Ok(moved(it, business, ctx)),
        Command::MarkServices(it) => Ok(marked(it, business, ctx)),
        Command::CopyServices(it) => copied(it, business, ctx),
        Command::UndoCopy(it) => Ok(uncopied(it, business)),
        _ => return None,
    })
}

/// Shows what a command about several services would do; nothing for another command.
pub fn preview(
    business: &Business,
    command: &Command,
    can_send: bool,
    now: &Now,
) -> ServicesPreview {
    let ctx = Context::at(now.clone());
    let several = match outcome(command, business, &ctx) {
        Some(Ok(several)) => several,
        Some(Err(refusal)) => {
            return ServicesPreview {
                preview: SeriesPreview {
                    problem: Some(refusal.words(business.hour_cycle())),
                    ..SeriesPreview::default()
                },
                ..ServicesPreview::default()
            };
        }
        None => return ServicesPreview::default(),
    };
    let count = several.changes.len();
    let (will, done) = verbs(command);
    let of = u32::try_from(several.asked).unwrap_or(u32::MAX);
    let left = match several.left.as_slice() {
        [] => String::new(),
        left => left_alone(business, left, of),
    };
    let sentence = |one: &str, many: &str| match count {
        0 => String::new(),
        1 => ["1 visit ", one, "."].concat(),
        _ => format!("{count} visits {many}."),
    };
    let mut shown = of_visits(business, &several.visits);
    shown.effect = sentence(will, will);
    shown.done = sentence(&["is ", done].concat(), &["are ", done].concat());
    if let Some(note) = agreed_prices(business, command, &several) {
        let sentences = [shown.effect, note];
        shown.effect = sentences.join(" ").trim_start().to_owned();
    }
    ServicesPreview {
        preview: shown,
        count: u32::try_from(count).unwrap_or(u32::MAX),
        left,
        told: told(business, command, &several, can_send, now),
    }
}

/// Words for the effect of a command on a service, before it is saved and after it.
const fn verbs(command: &Command) -> (&'static str, &'static str) {
    match command {
        Command::MoveServices(_) => ("will move", "moved"),
        Command::CopyServices(_) => ("will be booked", "booked"),
        Command::UndoCopy(_) => ("will be removed", "removed"),
        Command::MarkServices(it) => match it.status {
            ServiceStatus::Completed => ("will be completed", "completed"),
            ServiceStatus::Cancelled => ("will be cancelled", "cancelled"),
            ServiceStatus::Scheduled => ("will be scheduled again", "scheduled again"),
        },
        _ => ("", ""),
    }
}

/// Says that agreed prices stay behind, where some originals have one.
fn agreed_prices(business: &Business, command: &Command, several: &Several) -> Option<String> {
    let Command::CopyServices(_) = command else {
        return None;
    };
    let originals = several.visits.iter().map(|it| it.key.slot);
    let originals: BTreeSet<Id> = originals.collect();
    let agreed = originals.into_iter().filter(|it| {
        business
            .service(*it)
            .is_some_and(|it| it.price_override.is_some())
    });
    match agreed.count() {
        0 => None,
        1 => Some(
            "1 visit has an agreed price, which is not copied: the copy has your rates.".to_owned(),
        ),
        n => Some(format!(
            "{n} visits have agreed prices, which are not copied: the copies have your rates."
        )),
    }
}

/// Says which clients are told of what changes for them.
fn told(
    business: &Business,
    command: &Command,
    several: &Several,
    can_send: bool,
    now: &Now,
) -> String {
    let is_news = match command {
        // The client hears of it by the report and the invoice.
        Command::MarkServices(it) => it.status != ServiceStatus::Completed,
        _ => true,
    };
    if !is_news {
        return String::new();
    }
    let (mut pushed, mut others) = (BTreeSet::new(), BTreeSet::new());
    for change in &several.changes {
        let id = change.key().id;
        let before = business.service(id);
        let Some(client_id) = before.map(|it| it.client_id).or_else(|| client_of(change)) else {
            continue;
        };
        let is_pushed = match before {
            Some(before) => is_awaited(before, now.today()) || is_cancellation_shown(before, now),
            None => written(std::slice::from_ref(change)).any(|it| is_to_begin(it, now)),
        };
        match is_pushed {
            true => pushed.insert(client_id),
            false => others.insert(client_id),
        };
    }
    others.retain(|it| !pushed.contains(it));
    let ids = |it: BTreeSet<Id>| it.into_iter().collect::<Vec<_>>();
    told_of_changes(business, &ids(pushed), &ids(others), can_send)
}

fn client_of(change: &Change) -> Option<Id> {
    let service = written(std::slice::from_ref(change)).next()?;
    Some(service.client_id)
}

/// The command that undoes one about several services, computed before that is saved; none where it changes nothing. The undo
/// of copies is to be saved with the base revision of the command that it undoes.
pub fn undo(business: &Business, command: &Command, now: &Now) -> Option<Command> {
    let ctx = Context::at(now.clone());
    let several = outcome(command, business, &ctx)?.ok()?;
    let ids: Vec<Id> = several.changes.iter().map(|it| it.key().id).collect();
    if ids.is_empty() {
        return None;
    }
    Some(match command {
        Command::MoveServices(_) => {
            let moves = written(&several.changes).filter_map(|after| {
                let before = business.service(after.id)?;
                Some(ServiceMove {
                    id: after.id,
                    date: before.date,
                    start_time: before.start_time,
                    was_date: after.date,
                    was_start_time: after.start_time,
                    overlap_ok: before.overlap_ok,
                    window: before.start_window(),
                })
            });
            let moves = moves.collect();
            Command::MoveServices(MoveServices {
                moves,
                brings_back: true,
            })
        }
        Command::MarkServices(it) if it.status != ServiceStatus::Scheduled => {
            Command::MarkServices(MarkServices {
                marked: ids,
                status: ServiceStatus::Scheduled,
                was: Some(it.status),
                ..MarkServices::default()
            })
        }
        Command::CopyServices(_) => Command::UndoCopy(UndoCopy { copied: ids }),
        _ => return None,
    })
}

/// A service that can be moved or copied.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ServiceTime {
    /// Id of the service.
    pub id: Id,
    /// Day of the service.
    pub date: Date,
    /// Start of the service.
    pub start_time: Time,
}

/// The minutes of a day.
const MINUTES_PER_DAY: i64 = 24 * 60;

/// The services of some days that a copy of those days has.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct CopySources {
    /// The services, by date and start; at most `SERVICES_AT_ONCE`.
    pub services: Vec<ServiceTime>,
    /// The sentence about what is not copied: stays, cancelled services, and those beyond the most. Empty if all of it is.
    pub left: String,
}

/// The services from `first` to `last`, both included, that are there to be copied.
pub fn copy_sources(business: &Business, first: Date, last: Date) -> CopySources {
    let stays = business.stays_between(first, last);
    let is_on = |it: &Service| it.status != ServiceStatus::Cancelled;
    let n_stays = stays.iter().filter(|it| is_on(it)).count();
    let mut visits = business.visits_between(first, last);
    let n_all = visits.len();
    visits.retain(|it| is_on(it));
    let n_cancelled = n_all - visits.len();
    visits.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    let n_beyond = visits.len().saturating_sub(SERVICES_AT_ONCE);
    let counted = |n: usize, one: &str, many: &str| match n {
        0 => None,
        1 => Some(one.to_owned()),
        _ => Some(format!("{n} {many}")),
    };
    let sentences = [
        counted(n_stays, "1 stay is not copied.", "stays are not copied."),
        counted(
            n_cancelled,
            "1 cancelled visit is not copied.",
            "cancelled visits are not copied.",
        ),
        counted(
            n_beyond,
            "1 visit is not copied: there are too many at once.",
            "visits are not copied: there are too many at once.",
        ),
    ];
    let left: Vec<String> = sentences.into_iter().flatten().collect();
    CopySources {
        services: visits
            .into_iter()
            .take(SERVICES_AT_ONCE)
            .map(time_of)
            .collect(),
        left: left.join(" "),
    }
}

fn time_of(service: &Service) -> ServiceTime {
    ServiceTime {
        id: service.id,
        date: service.date,
        start_time: service.start_time,
    }
}

/// The times of services, by date and start; those that are gone are left out.
pub fn times(business: &Business, ids: &[Id]) -> Vec<ServiceTime> {
    let services = ids.iter().filter_map(|it| business.service(*it));
    let mut times: Vec<ServiceTime> = services.map(time_of).collect();
    times.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    times
}

/// Moves of services to a time later by so many minutes, or earlier by as many below 0; by date and start.
pub fn moves_by(business: &Business, ids: &[Id], minutes: i64) -> Vec<ServiceMove> {
    let moves = times(business, ids).into_iter().map(|it| {
        let minute = i64::from(it.start_time.minute_of_day()) + minutes;
        ServiceMove {
            id: it.id,
            date: it.date.plus_days(minute.div_euclid(MINUTES_PER_DAY)),
            start_time: Time::from_minutes(minute.rem_euclid(MINUTES_PER_DAY)),
            was_date: it.date,
            was_start_time: it.start_time,
            overlap_ok: false,
            window: None,
        }
    });
    moves.collect()
}

/// A client of some services, to whom something is to be said.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Recipient {
    /// Id of the client.
    pub id: Id,
    /// Name of the client.
    pub name: String,
    /// Phone number; may be empty.
    pub phone: String,
    /// E-mail address; may be empty.
    pub email: String,
    /// A message in Walkies reaches the client; anybody else is texted or mailed by the sitter.
    pub has_messages: bool,
}

/// The clients of these services, each once, by name.
pub fn recipients(business: &Business, ids: &[Id]) -> Vec<Recipient> {
    let services = ids.iter().filter_map(|it| business.service(*it));
    let clients: BTreeSet<Id> = services.map(|it| it.client_id).collect();
    let clients = clients.into_iter().filter_map(|it| business.client(it));
    let mut recipients: Vec<Recipient> = clients
        .map(|it| Recipient {
            id: it.id,
            name: it.name.clone(),
            phone: it.phone.clone(),
            email: it.email.clone(),
            has_messages: is_in_portal(it),
        })
        .collect();
    recipients.small_sort_by_key(|it| (it.name.to_lowercase(), it.id));
    recipients
}
