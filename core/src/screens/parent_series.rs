//! Owns what a pet parent sees of series, and what may be asked for of their visits.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::commands::decision::{Actor, Decision};
use crate::commands::{AskForChange, covers, decide, has_known_price, moved_service};
use crate::rows::series::Series;
use crate::rows::service::{Service, ServiceStatus};
use crate::rows::walk_request::{RequestStatus, RequestSubject};
use crate::rules::series::{Audience, is_over, later_phases, pause_words, sentence};
use crate::rules::words;
use crate::screens::requests::subject_words;
use crate::screens::series::next_days;
use crate::values::form_errors::FieldError;
use crate::values::format;
use crate::values::sort::SmallSort as _;
use crate::{Business, Cents, Command, Context, Date, Id, Now, Refusal, Time};

/// Something that was asked for and is not answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AskedChange {
    /// Id of the request.
    pub request_id: Id,
    /// `Pause from Dec 24 to Jan 2`, `Leave out this visit, Dec 24`.
    pub text: String,
}

/// A series as the client sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ParentSeries {
    /// Id of the series.
    pub id: Id,
    /// `Every weekday at 12:00 PM, until further notice`.
    pub sentence: String,
    /// `From Dec 15: Every weekday at 1:00 PM`, for each later change of it, by date.
    pub later: Vec<String>,
    /// The names of the pets now.
    pub dogs: Vec<String>,
    /// `Paused from Dec 20 to Jan 3`, for each pause that is not over, by its first day.
    pub pauses: Vec<String>,
    /// The next days that have visits, in words: `Dec 1`; at most three.
    pub next: Vec<String>,
    /// Changes that were asked for and wait for an answer, the earliest asked first.
    pub asked: Vec<AskedChange>,
}

/// The series of a visit as its client sees it, and the change of the visit that the client may ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ParentVisit {
    /// `Every weekday at 12:00 PM, until further notice`, as it is on the visit's day.
    pub series: Option<String>,
    /// The change that can be asked for; none once it was asked for, and for a visit that is done, over or billed.
    pub change: Option<RequestSubject>,
    /// True if another time, or other days of a stay, can be asked for.
    pub can_move: bool,
    /// Changes of it that wait for an answer, the earliest asked first.
    pub asked: Vec<AskedChange>,
}

/// The series that have not ended, by their next day. A trip is none of them: its visits are among the visits to come.
pub fn series(business: &Business, now: &Now) -> Vec<ParentSeries> {
    let today = now.today();
    let running = business.series.values().map(|it| &it.row);
    let running = running.filter(|it| it.trip.is_none() && !is_over(it, today));
    let mut series: Vec<(Option<Date>, ParentSeries)> = running
        .map(|it| {
            let next = next_days(business, it, today);
            (next.first().copied(), view(business, it, &next, now))
        })
        .collect();
    // One without a next day comes last.
    series.small_sort_by_key(|(next, it)| (next.is_none(), *next, it.id));
    series.into_iter().map(|(_, it)| it).collect()
}

fn view(business: &Business, series: &Series, next: &BTreeSet<Date>, now: &Now) -> ParentSeries {
    let today = now.today();
    let pets = series
        .phase_on(today)
        .map_or(&[][..], |it| it.dog_ids.as_slice());
    let pets = pets.iter().filter_map(|id| business.pet(*id));
    let pauses = series.pauses.iter().filter(|it| today <= it.to);
    ParentSeries {
        id: series.id,
        sentence: said(business, series, today, now),
        later: later_phases(series, today, today, business.hour_cycle()),
        dogs: pets.map(|it| it.name.clone()).collect(),
        pauses: pauses.map(|it| pause_words(it, today)).collect(),
        next: next.iter().map(|it| format::month_day(*it)).collect(),
        asked: asked(business, now, |subject| match subject {
            RequestSubject::PauseSeries { series_id, .. }
            | RequestSubject::LeaveOutDate { series_id, .. } => *series_id == series.id,
            RequestSubject::CancelService { .. }
            | RequestSubject::MoveService { .. }
            | RequestSubject::Series { .. } => false,
        }),
    }
}

/// Says what holds of a series on the day `on`.
fn said(business: &Business, series: &Series, on: Date, now: &Now) -> String {
    let cycle = business.hour_cycle();
    sentence(series, on, now.today(), cycle, Audience::Client)
}

/// Changes of that kind that wait for an answer.
fn asked(
    business: &Business,
    now: &Now,
    is_of: impl Fn(&RequestSubject) -> bool,
) -> Vec<AskedChange> {
    let requests = business.requests.values().map(|it| &it.row);
    let waiting = requests
        .filter(|it| it.status == RequestStatus::Pending && now.today() <= it.requested_date);
    let mut of: Vec<_> = waiting
        .filter(|it| it.subject.as_ref().is_some_and(&is_of))
        .collect();
    of.small_sort_by_key(|it| (it.created_at, it.id));
    let changes = of.into_iter().filter_map(|it| {
        let title = subject_words(business, it, Audience::Client, now)?.title;
        let text = match it.subject {
            // The days of a pause are in its title, and the new time of a visit.
            Some(RequestSubject::PauseSeries { .. } | RequestSubject::MoveService { .. }) => title,
            _ => [&title, ", ", &format::month_day(it.requested_date)].concat(),
        };
        let request_id = it.id;
        Some(AskedChange { request_id, text })
    });
    changes.collect()
}

/// The series of a visit, and the change of the visit that can be asked for or was; none for an unknown service.
pub fn visit(business: &Business, service_id: Id, now: &Now) -> Option<ParentVisit> {
    let service = business.service(service_id)?;
    let occurrence = service.occurrence();
    let of = occurrence.and_then(|(id, key)| Some((&business.series.get(&id)?.row, key)));
    let change = match of {
        Some((series, key)) => RequestSubject::LeaveOutDate {
            series_id: series.id,
            date: key.date,
            slot: Some(key.slot),
        },
        None => RequestSubject::CancelService { service_id },
    };
    let is_open = service.status == ServiceStatus::Scheduled;
    let asked = match is_open {
        true => asked(business, now, |it| {
            let is_move = matches!(it, RequestSubject::MoveService { service_id: moved, .. } if *moved == service_id);
            is_move || covers(it, &change, business)
        }),
        false => Vec::new(),
    };
    Some(ParentVisit {
        series: of
            .filter(|(series, _)| series.trip.is_none())
            .map(|(series, key)| said(business, series, key.date, now)),
        asked,
        can_move: may_ask(business, service, &elsewhen(service), now),
        change: may_ask(business, service, &change, now).then_some(change),
    })
}

/// A move of a visit to a time that nothing but the visit itself keeps from being asked for.
fn elsewhen(service: &Service) -> RequestSubject {
    let hour = |it| Time::hour(it);
    RequestSubject::MoveService {
        service_id: service.id,
        date: service.date,
        end_date: service.end_date,
        departure_time: None,
        start_time: match service.start_time == hour(23) {
            true => hour(22),
            false => hour(23),
        },
    }
}

/// Returns true if the service's client may ask for a change.
fn may_ask(business: &Business, service: &Service, change: &RequestSubject, now: &Now) -> bool {
    ask(business, service, change, now).is_ok()
}

fn ask(
    business: &Business,
    service: &Service,
    change: &RequestSubject,
    now: &Now,
) -> Result<Decision, Refusal> {
    let ctx = Context {
        actor: Actor::Client(service.client_id),
        ..Context::at(now.clone())
    };
    let ask = Command::AskForChange(AskForChange {
        // A new one, which none has.
        id: Id::default(),
        change: change.clone(),
        message: String::new(),
        quoted_price: None,
    });
    decide(&ask, business, &ctx)
}

/// Days that a stay is to move to, as its client chooses them.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct StayMoveCheck {
    /// All that is wrong, by the fields of a service.
    pub errors: Vec<FieldError>,
    /// Why it cannot be asked for at all.
    pub problem: Option<String>,
    /// Price of the stay on these days; none while they are wrong, or the offering is sold no more.
    pub price: Option<Cents>,
    /// How that comes about.
    pub explanation: String,
    /// Count of its nights or days in words: `2 nights, Fri Dec 4 to Sun Dec 6`.
    pub stay_count: Option<String>,
}

/// Checks days that a stay is to move to, and says its price then; none for a service that is not here.
pub fn check_stay_move(
    business: &Business,
    change: &RequestSubject,
    now: &Now,
) -> Option<StayMoveCheck> {
    let RequestSubject::MoveService { service_id, .. } = change else {
        return None;
    };
    let service = business.service(*service_id)?;
    let mut check = StayMoveCheck::default();
    match ask(business, service, change, now).err() {
        Some(Refusal::Invalid { fields }) => check.errors = fields,
        Some(refusal) => check.problem = Some(refusal.words(business.hour_cycle())),
        None => {}
    }
    let Ok(moved) = moved_service(change, service, business) else {
        return Some(check);
    };
    if has_known_price(&moved, service, business) {
        check.price = Some(moved.price);
        check.explanation = moved.pricing_breakdown.explanation.clone();
    }
    check.stay_count = words::stay_count(&moved, business.hour_cycle());
    Some(check)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::client::Client;
    use crate::rows::series::{SeriesPause, SeriesPhase, SeriesRule, SeriesSlot, Trip};
    use crate::rows::walk_request::WalkRequest;
    use crate::rules::series::occurrence_id;
    use crate::values::zone::TimeZone;
    use crate::{Instant, Row, Time};

    const SAM: Id = Id::of(1);
    const SERIES: Id = Id::of(2);
    const SLOT: Id = Id::of(3);

    /// The visit of Nov 24.
    fn visit_id() -> Id {
        occurrence_id(SERIES, SLOT, date("2026-11-24"))
    }

    fn now() -> Now {
        let at = "2026-11-20T09:00:00Z".parse().unwrap();
        let zone = TimeZone::UTC;
        Now { at, zone }
    }

    fn date(text: &str) -> Date {
        text.parse().unwrap()
    }

    /// Each Tuesday at noon, and the visit of Nov 24.
    fn business() -> Business {
        let mut business = Business::default();
        business.put(1, Row::Client(Client::new(SAM, Instant(0))));
        let phase = SeriesPhase {
            rule: SeriesRule::Weekly {
                every: 1,
                weekdays: vec![2],
            },
            slots: vec![SeriesSlot {
                start_time: Time::hour(12),
                ..SeriesSlot::new(SLOT)
            }],
            ..SeriesPhase::new(date("2026-11-17"))
        };
        business.put(
            1,
            Row::Series(Series {
                client_id: SAM,
                phases: vec![phase],
                pauses: vec![SeriesPause {
                    to: date("2027-01-03"),
                    reason: "Mara is ill".to_owned(),
                    ..SeriesPause::new(Id::of(5), date("2026-12-20"))
                }],
                made_until: date("2026-12-01"),
                ..Series::new(SERIES, Instant(0))
            }),
        );
        business.put(
            1,
            Row::Service(Service {
                client_id: SAM,
                date: date("2026-11-24"),
                start_time: Time::hour(12),
                series_id: Some(SERIES),
                series_slot: Some(SLOT),
                series_date: Some(date("2026-11-24")),
                ..Service::new(visit_id(), Instant(0))
            }),
        );
        business
    }

    fn ask(business: &mut Business, subject: RequestSubject) {
        let request = WalkRequest {
            requested_date: date("2026-12-30"),
            subject: Some(subject),
            ..WalkRequest::new(Id::of(9), SAM, Instant(0))
        };
        business.put(2, Row::WalkRequest(request));
    }

    #[test]
    fn a_series_is_said_for_its_client_with_nothing_that_is_the_sitters() {
        let series = series(&business(), &now());
        assert_eq!(series.len(), 1);
        assert_eq!(
            series[0].sentence,
            "Tuesdays at 12:00 PM, until further notice"
        );
        assert_eq!(series[0].next, ["Nov 24", "Dec 8", "Dec 15"]);
        assert_eq!(series[0].pauses, ["Paused from Dec 20 to Jan 3, 2027"]);
        assert!(!format!("{series:?}").contains("ill"));
    }

    #[test]
    fn a_trip_is_no_regular_visit_and_its_visits_can_be_asked_to_be_left_out() {
        let mut business = business();
        let trip = Series {
            trip: Some(Trip::new(date("2026-11-20"))),
            ..business.series[&SERIES].row.clone()
        };
        business.put(2, Row::Series(trip));
        assert_eq!(series(&business, &now()), []);
        let seen = visit(&business, visit_id(), &now()).unwrap();
        assert_eq!(seen.series, None);
        assert!(matches!(
            seen.change,
            Some(RequestSubject::LeaveOutDate { .. })
        ));
    }

    #[test]
    fn a_visit_says_its_series_and_what_can_be_asked_for_until_it_was() {
        let mut business = business();
        let seen = visit(&business, visit_id(), &now()).unwrap();
        assert_eq!(
            seen.series.as_deref(),
            Some("Tuesdays at 12:00 PM, until further notice")
        );
        assert!(matches!(
            seen.change,
            Some(RequestSubject::LeaveOutDate { .. })
        ));
        assert_eq!(seen.asked, []);
        assert!(seen.can_move);
        ask(
            &mut business,
            RequestSubject::PauseSeries {
                series_id: SERIES,
                from: date("2026-11-21"),
                to: date("2026-12-30"),
            },
        );
        let seen = visit(&business, visit_id(), &now()).unwrap();
        assert_eq!(seen.change, None);
        let asked: Vec<&str> = seen.asked.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(asked, ["Pause from Nov 21 to Dec 30"]);
        let of_series = &series(&business, &now())[0].asked;
        assert_eq!(of_series.len(), 1);
    }

    #[test]
    fn a_visit_that_is_done_has_nothing_to_ask_for() {
        let mut business = business();
        let mut done = business.service(visit_id()).unwrap().clone();
        done.status = ServiceStatus::Completed;
        business.put(2, Row::Service(done));
        let seen = visit(&business, visit_id(), &now()).unwrap();
        assert_eq!((seen.change, seen.can_move), (None, false));
        assert_eq!(seen.asked, []);
    }
}
