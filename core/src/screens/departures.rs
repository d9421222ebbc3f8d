//! Owns what screens show before a client is made inactive or a pet is said to be no longer there: what is to come, what is
//! done about it, and the commands for that with their undo.

use serde::Serialize;

use crate::commands::{
    ActivateClient, DeactivateClient, EndSeries, FormerVisit, MarkPetGone, RestorePet,
    RestoreSeries, decide, is_open, to_come,
};
use crate::rows::series::SeriesEnd;
use crate::rows::service::{Service, ServiceStatus};
use crate::rows::walk_request::RequestStatus;
use crate::rules::series::last_date;
use crate::rules::usage::{Limited, limit_of};
use crate::rules::words;
use crate::screens::directory::is_to_come;
use crate::screens::series::{self, sentence_now};
use crate::values::bounds::SERIES_VISITS_AT_ONCE;
use crate::values::format;
use crate::values::plan::UNLIMITED;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Command, Context, Date, Id, Now};

/// What is to come of a client, and the ways to make it inactive.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Deactivation {
    /// What is to come, a line each: `3 visits from Nov 30 to Dec 14`, `Every weekday at 12:00 PM, until you stop it`,
    /// `1 request waits for an answer`.
    pub to_come: Vec<String>,
    /// Remarks on what stays as it is, whatever is chosen.
    pub remarks: Vec<String>,
    /// Makes it inactive and keeps series and visits.
    pub keep: DepartureAct,
    /// Makes it inactive, ends the series and cancels the visits; absent where there are none.
    pub end: Option<DepartureAct>,
}

/// A command with its undo.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DepartureAct {
    /// The command.
    pub command: Command,
    /// The command that undoes it, to be saved with the base revision of the former.
    pub undo: Command,
    /// What it did, in words: `3 visits are cancelled. 1 series ends.`; may be empty.
    pub done: String,
}

/// `1 visit`, `3 visits`.
fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// `3 visits from Nov 30 to Dec 14`; `services` are by date, and not empty.
fn span(services: &[&Service]) -> String {
    let visits = counted(services.len(), "visit", "visits");
    match (services.first(), services.last()) {
        (Some(first), Some(last)) if first.date != last.date => {
            let (first, last) = (format::month_day(first.date), format::month_day(last.date));
            [&visits, " from ", &first, " to ", &last].concat()
        }
        (Some(only), _) => [&visits, " on ", &format::month_day(only.date)].concat(),
        _ => visits,
    }
}

fn upcoming<'a>(business: &'a Business, client_id: Id, now: &Now) -> Vec<&'a Service> {
    let services = business.services.referring_to(client_id);
    let mut upcoming: Vec<&Service> = services
        .filter(|it| it.client_id == client_id && is_to_come(it, now))
        .collect();
    upcoming.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    upcoming
}

/// Shows what is to come of a client before it is made inactive; `None` where it is not there.
pub fn deactivation(business: &Business, id: Id, now: &Now) -> Option<Deactivation> {
    let client = business.client(id)?;
    let today = now.today();
    let visits = upcoming(business, id, now);
    let all = business.series.values().map(|it| &it.row);
    let series: Vec<_> = all
        .filter(|it| it.client_id == id && last_date(it).is_none_or(|last| today < last))
        .collect();
    let requests = business.requests.values().map(|it| &it.row);
    let n_requests = requests
        .filter(|it| {
            let waits = it.status == RequestStatus::Pending;
            it.client_id == id && waits && today <= it.requested_date
        })
        .count();

    let mut to_come = Vec::new();
    if !visits.is_empty() {
        to_come.push(span(&visits));
    }
    to_come.extend(series.iter().map(|it| sentence_now(business, it, now)));
    let mut remarks = Vec::new();
    if n_requests > 0 {
        let (wait, stay) = match n_requests {
            1 => ("request waits", "It stays"),
            _ => ("requests wait", "They stay"),
        };
        to_come.push(format!("{n_requests} {wait} for an answer"));
        let name = format::set_apart(&client.name);
        remarks.push(format!(
            "{stay} under Requests. Approving one makes {name} active again."
        ));
    }
    let n_fixed = visits.iter().filter(|it| !is_open(it)).count();
    if n_fixed > 0 {
        let is = match n_fixed {
            1 => "1 visit is under way, billed or paid and stays as it is.",
            _ => "Visits that are under way, billed or paid stay as they are.",
        };
        remarks.push(is.to_owned());
    }
    let limit = limit_of(business, Limited::Clients);
    if limit != UNLIMITED {
        let counted = counted(
            usize::try_from(limit).unwrap_or_default(),
            "client",
            "clients",
        );
        remarks.push(format!(
            "Inactive clients still count toward the {counted} of your plan."
        ));
    }

    let keep = DeactivateClient {
        id,
        ends: Vec::new(),
        cancels: Vec::new(),
    };
    let back = ActivateClient {
        id,
        series: Vec::new(),
        reopens: Vec::new(),
    };
    let has_end = !series.is_empty() || visits.iter().any(|it| is_open(it));
    let end = has_end.then(|| {
        let ends: Vec<Id> = series.iter().map(|it| it.id).collect();
        ending(business, id, ends, now)
    });
    Some(Deactivation {
        to_come,
        remarks,
        keep: DepartureAct {
            command: keep.into(),
            undo: back.into(),
            done: String::new(),
        },
        end,
    })
}

/// The act that ends series and cancels all visits to come.
fn ending(business: &Business, id: Id, ends: Vec<Id>, now: &Now) -> DepartureAct {
    let ctx = Context::at(now.clone());
    let date = now.today();
    let undo_of = |series: &Id| -> Option<RestoreSeries> {
        let command = EndSeries {
            id: *series,
            end: SeriesEnd::On { date },
            choices: Vec::new(),
        };
        match series::undo(business, &command.into(), now)? {
            Command::RestoreSeries(it) => Some(it),
            _ => None,
        }
    };
    let restores = ends.iter().filter_map(undo_of).collect();
    let mut act = DeactivateClient {
        id,
        ends,
        cancels: Vec::new(),
    };
    // What stays when the series have ended is cancelled one by one.
    let after = applied(business, &act.clone().into(), &ctx);
    let open = upcoming(&after, id, now);
    let open = open.into_iter().filter(|it| is_open(it));
    act.cancels = open.take(SERIES_VISITS_AT_ONCE).map(|it| it.id).collect();
    let undo = ActivateClient {
        id,
        series: restores,
        reopens: act.cancels.clone(),
    };
    let n_series = act.ends.len();
    let command: Command = act.into();
    let after = applied(business, &command, &ctx);
    let was = upcoming(business, id, now);
    let is_off = |it: &&&Service| {
        let now = after.service(it.id);
        now.is_none_or(|it| it.status == ServiceStatus::Cancelled)
    };
    let n_visits = was.iter().filter(is_off).count();
    let mut done = Vec::new();
    if n_visits > 0 {
        let are = if n_visits == 1 { "is" } else { "are" };
        done.push(format!(
            "{} {are} cancelled.",
            counted(n_visits, "visit", "visits")
        ));
    }
    match n_series {
        0 => {}
        1 => done.push("The series ends.".to_owned()),
        _ => done.push(format!("{n_series} series end.")),
    }
    DepartureAct {
        command,
        undo: undo.into(),
        done: done.join(" "),
    }
}

/// The rows as a command leaves them; as they are where it is refused.
fn applied(business: &Business, command: &Command, ctx: &Context) -> Business {
    let mut after = business.clone();
    if let Ok(decision) = decide(command, business, ctx) {
        after.apply(0, &decision.changes);
    }
    after
}

/// A visit to come that a pet leaves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LeftVisit {
    /// Id of the service.
    pub id: Id,
    /// `Tuesday, December 1`.
    pub heading: String,
    /// `12:00 PM - 12:30 PM`.
    pub time: String,
    /// What becomes of it: `Goes on with Rex`, `Is cancelled`.
    pub becomes: String,
    /// Price before that.
    pub price: Cents,
    /// Price after it, where it goes on at another one.
    pub new_price: Option<Cents>,
}

/// What is done about visits and series to come when a pet is no longer there.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PetDeparture {
    /// Why it cannot be saved as it stands.
    pub problem: Option<String>,
    /// The visits to come that it concerns, by date and start.
    pub visits: Vec<LeftVisit>,
    /// What becomes of each series: `Every weekday at 12:00 PM: goes on with Rex`.
    pub series: Vec<String>,
    /// The command with its undo.
    pub act: DepartureAct,
}

/// Shows what becomes of visits and series of a pet that is no longer there from `on` on; `None` where there is no such pet.
pub fn pet_departure(business: &Business, id: Id, on: Date, now: &Now) -> Option<PetDeparture> {
    let pet = business.pet(id)?;
    let ctx = Context::at(now.clone());
    let command: Command = MarkPetGone { id, on }.into();
    let (problem, after) = match decide(&command, business, &ctx) {
        Ok(decision) => {
            let mut after = business.clone();
            after.apply(0, &decision.changes);
            (None, after)
        }
        Err(refusal) => (Some(refusal.words(business.hour_cycle())), business.clone()),
    };
    let names = |ids: &[Id]| -> String {
        let pets = ids.iter().filter_map(|it| business.pet(*it));
        let names: Vec<String> = pets.map(|it| it.name.clone()).collect();
        format::names(&names)
    };
    let mut before: Vec<&Service> = to_come(pet, business, &ctx).collect();
    before.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    let (mut visits, mut reopens, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for service in before {
        let left = after.service(service.id);
        let left = left.filter(|it| it.status == ServiceStatus::Scheduled);
        let becomes = match left {
            Some(left) => ["Goes on with ", &names(&left.dog_ids)].concat(),
            None => "Is cancelled".to_owned(),
        };
        let cycle = business.hour_cycle();
        visits.push(LeftVisit {
            id: service.id,
            heading: format::date_heading(service.date),
            time: words::service_time(service, cycle),
            becomes,
            price: service.price,
            new_price: left.map(|it| it.price).filter(|it| *it != service.price),
        });
        match left {
            Some(_) => own.push(FormerVisit {
                id: service.id,
                dog_ids: service.dog_ids.clone(),
                breakdown: service.pricing_breakdown.clone(),
            }),
            // What went with its series comes back with it.
            None if after.service(service.id).is_some_and(|it| !it.series_off) => {
                reopens.push(service.id);
            }
            None => {}
        }
    }
    let (mut series, mut restores) = (Vec::new(), Vec::new());
    for was in business.series.values().map(|it| &it.row) {
        let Some(is) = after.series.get(&was.id).map(|it| &it.row) else {
            continue;
        };
        if is.end == was.end && is.phases == was.phases {
            continue;
        }
        let becomes = match (is.end == was.end, is.phases.last()) {
            (true, Some(phase)) => ["goes on with ", &names(&phase.dog_ids)].concat(),
            _ => "ends".to_owned(),
        };
        series.push([&sentence_now(business, was, now), ": ", &becomes].concat());
        restores.push(RestoreSeries {
            id: was.id,
            end: (is.end != was.end).then_some(was.end),
            phases: (is.phases != was.phases).then(|| was.phases.clone()),
            pauses: None,
            put_back: Vec::new(),
            left_out: Vec::new(),
            own: Vec::new(),
            waiting: Vec::new(),
        });
    }
    own.truncate(SERIES_VISITS_AT_ONCE);
    let n_off = visits
        .iter()
        .filter(|it| it.becomes == "Is cancelled")
        .count();
    let n_left = visits.len() - n_off;
    let mut done = Vec::new();
    for (n, one, many) in [
        (
            n_left,
            "goes on with the other pets",
            "go on with the other pets",
        ),
        (n_off, "is cancelled", "are cancelled"),
    ] {
        if n > 0 {
            let does = if n == 1 { one } else { many };
            done.push(format!("{} {does}.", counted(n, "visit", "visits")));
        }
    }
    Some(PetDeparture {
        problem,
        visits,
        series,
        act: DepartureAct {
            command,
            undo: RestorePet {
                id,
                series: restores,
                reopens,
                own,
            }
            .into(),
            done: done.join(" "),
        },
    })
}
