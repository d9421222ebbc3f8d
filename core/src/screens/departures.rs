//! Owns the questions before a client is made inactive or a pet is said to be no longer there: what is to come, what is done
//! about it, and the commands for that with their undo.

use serde::Serialize;

use crate::commands::{
    ActivateClient, DeactivateClient, EndSeries, FormerPets, MarkPetGone, RestorePet,
    RestoreSeries, decide, is_open, to_come,
};
use crate::rows::series::{Series, SeriesDate, SeriesEnd};
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

/// Visits, series and requests to come of a client, and the ways to make it inactive.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Deactivation {
    /// Lines about all that is to come: `3 visits from Nov 30 to Dec 14`, `Every weekday at 12:00 PM, until you stop it`,
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
    /// The command to save.
    pub command: Command,
    /// The command that undoes it, to be saved with the base revision of the former.
    pub undo: Command,
    /// Effect in words: `3 visits are cancelled. 1 series ends.`; may be empty.
    pub done: String,
}

/// `3 visits from Nov 30 to Dec 14`; `services` are by date, and not empty.
fn span(services: &[&Service]) -> String {
    let visits = format::counted(services.len(), "visit");
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
        let counted = format::counted(usize::try_from(limit).unwrap_or_default(), "client");
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
    // A stay that has begun was cut to today with its trip, and keeps what it has been.
    let is_cut = |it: &Service| it.date < date && it.end_date == Some(date);
    let open = open.into_iter().filter(|it| is_open(it) && !is_cut(it));
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
            format::counted(n_visits, "visit")
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
    /// Effect on it: `Will go on with Rex`, `Will be cancelled`.
    pub becomes: String,
    /// Price before that.
    pub price: Cents,
    /// Price after it, where it goes on at another one.
    pub new_price: Option<Cents>,
}

/// Effects of a pet's departure on visits and series to come.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PetDeparture {
    /// Why it cannot be saved as it stands.
    pub problem: Option<String>,
    /// The visits to come that it concerns, by date and start.
    pub visits: Vec<LeftVisit>,
    /// Effect on each series: `Every weekday at 12:00 PM: will go on with Rex`.
    pub series: Vec<String>,
    /// The command with its undo.
    pub act: DepartureAct,
}

/// The visits of a series that have come to wait.
fn stood(was: &Series, is: &Series) -> Vec<SeriesDate> {
    let waiting = is.waiting.iter();
    waiting
        .filter(|it| !was.waiting.contains(it))
        .copied()
        .collect()
}

/// The visits of a series that go with it and that the sitter had booked over something else.
fn overlapping_visits(series_id: Id, business: &Business, after: &Business) -> Vec<SeriesDate> {
    let visits = business.services.referring_to(series_id);
    let gone = visits.filter(|it| {
        let left = after.service(it.id);
        it.overlap_ok
            && it.status == ServiceStatus::Scheduled
            && left.is_none_or(|it| it.series_off)
    });
    let keys = gone.filter_map(Service::occurrence);
    let keys = keys.filter(|(series, _)| *series == series_id);
    keys.map(|(_, key)| key).collect()
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
    // A stay that runs over this day has no pet taken out of it; that of a trip ends with the trip.
    let today = ctx.today();
    let begun = business.services.stays_between(today, today);
    before.extend(begun.filter(|it| {
        let is_theirs = it.client_id == pet.client_id && it.dog_ids.contains(&id);
        it.date < today && is_theirs && is_open(it)
    }));
    before.small_sort_by_key(|it| (it.date, it.start_time, it.id));
    let (mut visits, mut reopens, mut own) = (Vec::new(), Vec::new(), Vec::new());
    for service in before {
        let left = after.service(service.id);
        let left = left.filter(|it| it.status == ServiceStatus::Scheduled);
        let is_begun = service.date < today;
        let becomes = match left {
            Some(left) if is_begun && left.end_date != service.end_date => {
                "Will end today".to_owned()
            }
            Some(_) if is_begun => "Will go on as it is".to_owned(),
            Some(left) => ["Will go on with ", &names(&left.dog_ids)].concat(),
            None => "Will be cancelled".to_owned(),
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
            // With its series it becomes again what it was.
            Some(_) if is_begun => {}
            Some(_) => own.push(FormerPets {
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
            (true, Some(phase)) => ["will go on with ", &names(&phase.dog_ids)].concat(),
            _ => "will end".to_owned(),
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
            stood: stood(was, is),
            unmade: Vec::new(),
            overlapping: overlapping_visits(was.id, business, &after),
            trip: was.trip.clone().filter(|_| was.trip != is.trip),
        });
    }
    own.truncate(SERIES_VISITS_AT_ONCE);
    let n_of = |becomes: &str| visits.iter().filter(|it| it.becomes == becomes).count();
    let (n_off, n_ended) = (n_of("Will be cancelled"), n_of("Will end today"));
    let n_left = visits.len() - n_off - n_ended - n_of("Will go on as it is");
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
            done.push(format!("{} {does}.", format::counted(n, "visit")));
        }
    }
    match n_ended {
        0 => {}
        1 => done.push("1 stay ends today.".to_owned()),
        n => done.push(format!("{n} stays end today.")),
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

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::commands::series::tests::loaded;
    use crate::rows::client::Client;
    use crate::rows::offering::{Offering, PricingType};
    use crate::rows::pet::Pet;
    use crate::rows::sitter::Sitter;
    use crate::rows::subscription::Subscription;
    use crate::rows::walk_request::WalkRequest;
    use crate::screens::repricing::{PricesOf, repricing};
    use crate::values::zone::TimeZone;
    use crate::{Instant, Refusal, Row};

    const DANA: Id = Id::of(1);
    const LUNA: Id = Id::of(2);
    const REX: Id = Id::of(3);
    const BOTH: Id = Id::of(500);
    const REX_ALONE: Id = Id::of(501);

    /// 2026-11-20, a Friday, at 10:00.
    fn now() -> Now {
        Now {
            at: "2026-11-20T10:00:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    fn command(name: &str, args: Value) -> Command {
        let Value::Object(args) = args else {
            unreachable!()
        };
        Command::read(name, args).unwrap()
    }

    /// Decides a command, by all rows and by those of its needs alone, and does what it says.
    fn does(business: &mut Business, command: &Command) -> Result<usize, Refusal> {
        let ctx = Context::at(now());
        let decided = decide(command, business, &ctx);
        let of_needs = decide(command, &loaded(command, business, &ctx), &ctx);
        assert_eq!(format!("{decided:?}"), format!("{of_needs:?}"));
        let changes = decided?.changes;
        business.apply(2, &changes);
        Ok(changes.len())
    }

    fn visit(id: u128, dogs: &[Id], date: &str, start: &str) -> Command {
        let service = json!({
            "client_id": DANA, "dog_ids": dogs, "date": date, "start_time": start, "duration_minutes": 30,
            "service_type": "walk",
        });
        command(
            "schedule_service",
            json!({ "id": Id::of(id), "service": service }),
        )
    }

    /// Dana with Luna and Rex: a series for both, one for Rex alone, a walk of both later today, and one of Rex tomorrow.
    fn business() -> Business {
        let mut business = Business::default();
        let client = |id: Id, name: &str| Client {
            name: name.to_owned(),
            ..Client::new(id, Instant(0))
        };
        let pet = |id: Id, client_id: Id, name: &str| Pet {
            name: name.to_owned(),
            ..Pet::new(id, client_id)
        };
        for row in [
            Row::Client(client(DANA, "Dana")),
            Row::Pet(pet(LUNA, DANA, "Luna")),
            Row::Pet(pet(REX, DANA, "Rex")),
            Row::Client(client(Id::of(8), "Noa")),
            Row::Pet(pet(Id::of(9), Id::of(8), "Bo")),
        ] {
            business.put(1, row);
        }
        let series = |id: Id, dogs: &[Id], weekday: u32| {
            let slot = json!({
                "id": Id::of(600), "start_time": "12:00", "duration_minutes": 30, "service_type": "walk",
            });
            let plan = json!({
                "client_id": DANA, "dog_ids": dogs, "begins": "2026-11-20", "slots": [slot],
                "rule": { "kind": "weekly", "every": 1, "weekdays": [weekday] },
            });
            command("create_series", json!({ "id": id, "series": plan }))
        };
        for command in [
            series(BOTH, &[LUNA, REX], 2),
            series(REX_ALONE, &[REX], 4),
            visit(700, &[LUNA, REX], "2026-11-20", "16:00"),
            visit(701, &[REX], "2026-11-21", "09:00"),
        ] {
            does(&mut business, &command).unwrap();
        }
        business
    }

    /// The services with status, pets and price, by id.
    fn services(business: &Business) -> Vec<(Id, ServiceStatus, Vec<Id>, Cents)> {
        let services = business.services.values().map(|it| &it.row);
        services
            .map(|it| (it.id, it.status, it.dog_ids.clone(), it.price))
            .collect()
    }

    fn open(business: &Business) -> usize {
        upcoming(business, DANA, &now()).len()
    }

    /// Does an act and undoes it: everything is as it was.
    fn does_and_undoes(business: &Business, act: &DepartureAct) -> Business {
        let mut after = business.clone();
        does(&mut after, &act.command).unwrap();
        let mut back = after.clone();
        does(&mut back, &act.undo).unwrap();
        assert_eq!(services(&back), services(business));
        let ends = |of: &Business| -> Vec<_> {
            let series = of.series.values();
            series
                .map(|it| (it.row.end, it.row.phases.clone()))
                .collect()
        };
        assert_eq!(ends(&back), ends(business));
        after
    }

    #[test]
    fn making_a_client_inactive_keeps_its_visits_or_ends_them_all_and_both_are_undone() {
        let mut business = business();
        let mut request = WalkRequest::new(Id::of(7), DANA, Instant(0));
        request.requested_date = now().today();
        business.put(1, Row::WalkRequest(request));
        let n_open = open(&business);
        assert_eq!(n_open, 26);
        let shown = deactivation(&business, DANA, &now()).unwrap();
        assert_eq!(
            shown.to_come,
            [
                "26 visits from Nov 20 to Feb 11",
                "Tuesdays at 12:00 PM, until you stop it",
                "Thursdays at 12:00 PM, until you stop it",
                "1 request waits for an answer",
            ]
        );
        assert_eq!(
            shown.remarks,
            ["It stays under Requests. Approving one makes Dana active again."]
        );
        let kept = does_and_undoes(&business, &shown.keep);
        assert_eq!(open(&kept), n_open);
        assert_eq!(
            kept.client(DANA).unwrap().inactive_since,
            Some(now().today())
        );
        let end = shown.end.unwrap();
        assert_eq!(end.done, "26 visits are cancelled. 2 series end.");
        let ended = does_and_undoes(&business, &end);
        assert_eq!(open(&ended), 0);
        assert_eq!(deactivation(&ended, DANA, &now()).unwrap().end, None);
    }

    #[test]
    fn the_nightly_job_makes_no_visits_of_a_client_who_is_inactive() {
        let mut business = business();
        let keep = deactivation(&business, DANA, &now()).unwrap().keep;
        does(&mut business, &keep.command).unwrap();
        let extend = |business: &mut Business, days: i64| {
            let mut now = now();
            now.at = Instant(now.at.0 + days * 24 * 60 * 60 * 1000);
            let command = command("extend_series", json!({}));
            let changes = decide(&command, business, &Context::at(now))
                .unwrap()
                .changes;
            business.apply(3, &changes);
            changes.len()
        };
        assert_eq!(extend(&mut business, 30), 0);
        does(&mut business, &keep.undo).unwrap();
        assert!(0 < extend(&mut business, 30));
    }

    #[test]
    fn what_is_another_clients_is_left_alone() {
        let mut business = business();
        let before = services(&business);
        let foreign = json!({ "id": Id::of(8), "ends": [BOTH], "cancels": [Id::of(700)] });
        assert_eq!(
            does(&mut business, &command("deactivate_client", foreign)),
            Ok(1)
        );
        assert_eq!(services(&business), before);
        let end = deactivation(&business, DANA, &now()).unwrap().end.unwrap();
        does(&mut business, &end.command).unwrap();
        let Command::ActivateClient(undo) = end.undo else {
            unreachable!()
        };
        let before = services(&business);
        let foreign = ActivateClient {
            id: Id::of(8),
            ..undo
        };
        does(&mut business, &foreign.into()).unwrap();
        assert_eq!(services(&business), before);
    }

    #[test]
    fn visits_of_a_pet_that_is_gone_go_on_with_the_others_or_end_and_an_undo_brings_all_back() {
        let business = business();
        let shown = pet_departure(&business, REX, now().today(), &now()).unwrap();
        assert_eq!(shown.problem, None);
        assert_eq!(
            shown.series,
            [
                "Tuesdays at 12:00 PM, until you stop it: will go on with Luna",
                "Thursdays at 12:00 PM, until you stop it: will end",
            ]
        );
        assert_eq!(shown.visits.len(), 26);
        assert_eq!(shown.visits[0].becomes, "Will go on with Luna");
        assert_eq!(shown.visits[0].new_price, Some(Cents(25_00)));
        assert_eq!(shown.visits[1].becomes, "Will be cancelled");
        assert_eq!(
            shown.act.done,
            "13 visits go on with the other pets. 13 visits are cancelled."
        );
        let after = does_and_undoes(&business, &shown.act);
        let left = upcoming(&after, DANA, &now());
        assert_eq!(left.len(), 13);
        assert!(left.iter().all(|it| it.dog_ids == [LUNA]));
        assert!(left.iter().all(|it| it.dogs == ["Luna"]));
        assert_eq!(after.pet(REX).unwrap().gone_on, Some(now().today()));
        // Of those of the series none counts as changed by itself.
        let series = series::list(&after, Some(DANA), &now());
        assert!(series.iter().all(|it| it.own.is_empty()));
    }

    #[test]
    fn a_request_books_the_pets_that_are_there_and_makes_its_client_active() {
        let mut business = business();
        let request = |id: u128, dogs: &[Id]| WalkRequest {
            requested_date: "2026-12-01".parse().unwrap(),
            requested_start_time: "16:00".parse().unwrap(),
            requested_duration_minutes: 30,
            dog_ids: dogs.to_vec(),
            ..WalkRequest::new(Id::of(id), DANA, Instant(0))
        };
        business.put(1, Row::WalkRequest(request(7, &[LUNA, REX])));
        business.put(1, Row::WalkRequest(request(6, &[REX])));
        let keep = deactivation(&business, DANA, &now()).unwrap().keep;
        does(&mut business, &keep.command).unwrap();
        let gone = MarkPetGone {
            id: REX,
            on: now().today(),
        };
        does(&mut business, &gone.into()).unwrap();
        let filter = crate::screens::requests::RequestFilter::Pending;
        let cards = crate::screens::requests::requests(&business, filter, 9, &now()).cards;
        let said: Vec<_> = cards
            .iter()
            .map(|it| (it.remarks.clone(), it.only_decline.clone()))
            .collect();
        let remarks = [
            "Dana is inactive. Approving makes Dana active again.",
            "Rex is no longer with us. Approving books the visit for Luna.",
        ];
        let only = "The pet is no longer with us, so it can only be declined.";
        assert_eq!(
            said,
            [
                (remarks.map(str::to_owned).to_vec(), None),
                (Vec::new(), Some(only.to_owned())),
            ]
        );
        let approve = command(
            "approve_request",
            json!({ "id": Id::of(7), "service_id": Id::of(70) }),
        );
        does(&mut business, &approve).unwrap();
        assert_eq!(business.service(Id::of(70)).unwrap().dog_ids, [LUNA]);
        assert_eq!(business.client(DANA).unwrap().inactive_since, None);
    }

    #[test]
    fn visits_are_repriced_from_a_day_on_and_an_undo_brings_their_prices_back() {
        let mut business = business();
        let rates = command(
            "update_client",
            json!({ "id": DANA, "changes": { "walk_rate_30min": 40 } }),
        );
        does(&mut business, &rates).unwrap();
        let of = |business: &Business, from: &str| {
            repricing(
                business,
                PricesOf::Client,
                DANA,
                from.parse().unwrap(),
                &now(),
            )
        };
        assert_eq!(of(&business, "2026-11-20").changes.len(), 26);
        let shown = of(&business, "2026-12-01");
        assert_eq!(shown.changes.len(), 22);
        assert_eq!(shown.changes[0].day, "Dec 1");
        assert_eq!(shown.changes[0].what, "Dana, Walk for Luna and Rex, 30 min");
        let mut after = business.clone();
        does(&mut after, &shown.command).unwrap();
        assert_eq!(of(&after, "2026-12-01").changes, []);
        assert_eq!(of(&after, "2026-11-20").changes.len(), 4);
        let series = series::list(&after, Some(DANA), &now());
        assert!(series.iter().all(|it| it.own.is_empty()));
        does(&mut after, &shown.undo).unwrap();
        assert_eq!(services(&after), services(&business));
    }

    #[test]
    fn a_stay_that_runs_over_the_day_is_told_and_is_cut_with_its_trip() {
        let mut business = business();
        let stay = Service {
            client_id: DANA,
            dog_ids: vec![REX],
            date: "2026-11-17".parse().unwrap(),
            end_date: Some("2026-11-22".parse().unwrap()),
            status: ServiceStatus::Scheduled,
            ..Service::new(Id::of(720), Instant(0))
        };
        let mut alone = business.clone();
        alone.put(1, Row::Service(stay));
        let shown = pet_departure(&alone, REX, now().today(), &now()).unwrap();
        let told = &shown.visits[0];
        assert_eq!(
            (told.becomes.as_str(), told.new_price),
            ("Will go on as it is", None)
        );
        does_and_undoes(&alone, &shown.act);
        let nights = Offering {
            name: "Overnight".to_owned(),
            base_price: Cents(75_00),
            pricing_type: PricingType::Daily,
            ..Offering::new(Id::of(730), Instant(0))
        };
        business.put(1, Row::Offering(nights));
        let slot = |id: u128, offering: Option<Id>| {
            json!({
                "id": Id::of(id), "start_time": "20:00", "duration_minutes": 30, "service_type": "dropin",
                "offering_id": offering,
            })
        };
        let trip = json!({
            "client_id": DANA, "dog_ids": [REX], "begins": "2026-11-18",
            "end": { "kind": "on", "date": "2026-11-25" }, "rule": { "kind": "daily", "every": 1 },
            "slots": [slot(610, None)],
            "trip": { "total": 400, "stay": slot(611, Some(Id::of(730))) },
        });
        let create = command(
            "create_series",
            json!({ "id": Id::of(502), "series": trip }),
        );
        let mut begun = now();
        begun.at = "2026-11-18T10:00:00Z".parse().unwrap();
        let made = decide(&create, &business, &Context::at(begun)).unwrap();
        business.apply(1, &made.changes);
        let shown = pet_departure(&business, REX, now().today(), &now()).unwrap();
        let cut = &shown.visits[0];
        assert_eq!(cut.becomes, "Will end today");
        assert_eq!(cut.new_price, Some(cut.price.spread(&[3, 5])[0]));
        assert!(shown.act.done.ends_with(" 1 stay ends today."));
        does_and_undoes(&business, &shown.act);
        let end = deactivation(&business, DANA, &now()).unwrap().end.unwrap();
        let ended = does_and_undoes(&business, &end);
        let stay = ended.service(cut.id).unwrap();
        assert_eq!(
            (stay.status, stay.end_date),
            (ServiceStatus::Scheduled, Some(now().today()))
        );
    }

    #[test]
    fn the_undo_of_a_departure_leaves_visits_done_that_were_done_since() {
        let mut business = business();
        let end = deactivation(&business, DANA, &now()).unwrap().end.unwrap();
        does(&mut business, &end.command).unwrap();
        let id = Id::of(700);
        let done = json!({ "id": id, "notes": "Went all the same", "despite_cancel": true });
        does(&mut business, &command("complete_service", done)).unwrap();
        does(&mut business, &end.undo).unwrap();
        let visit = business.service(id).unwrap();
        assert_eq!(visit.status, ServiceStatus::Completed);
        assert_eq!(open(&business), 25);
    }

    #[test]
    fn what_comes_back_is_counted_by_the_month_of_each_visit() {
        let mut business = Business::default();
        let none = String::new;
        let sitter = Sitter::new(Id::of(90), none(), none(), none(), Instant(0));
        let sitter = Sitter {
            subscription: Some(Subscription::free()),
            ..sitter
        };
        for row in [
            Row::Sitter(sitter),
            Row::Client(Client::new(DANA, Instant(0))),
            Row::Pet(Pet::new(LUNA, DANA)),
        ] {
            business.put(1, row);
        }
        for (id, date) in [
            (700, "2026-11-21"),
            (701, "2026-12-05"),
            (702, "2026-12-06"),
        ] {
            does(&mut business, &visit(id, &[LUNA], date, "12:00")).unwrap();
        }
        let ids = [700, 701, 702].map(Id::of);
        let cancels = json!({ "id": DANA, "cancels": ids });
        does(&mut business, &command("deactivate_client", cancels)).unwrap();
        // One of December alone has room.
        for id in 800..829 {
            let other = Service {
                date: "2026-12-20".parse().unwrap(),
                status: ServiceStatus::Scheduled,
                ..Service::new(Id::of(id), Instant(0))
            };
            business.put(1, Row::Service(other));
        }
        let back = command("activate_client", json!({ "id": DANA, "reopens": ids }));
        let refused = does(&mut business, &back);
        assert!(matches!(refused, Err(Refusal::LimitReached { .. })));
        business.services.remove(&Id::of(800));
        assert_eq!(does(&mut business, &back), Ok(4));
    }
}
