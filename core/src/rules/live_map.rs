//! Owns who sees a walk on the live map while it is under way, for how long, and what one update of it may hold
//! (docs/decisions/clients.md, the live map).

use std::collections::BTreeSet;

use serde::Serialize;

use crate::rows::client::Client;
use crate::rows::report::SharedLine;
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::live::clients_along;
use crate::rules::mileage::{base, home};
use crate::rules::ways_to_client::is_in_portal;
use crate::values::bounds::{LIVE_MAP_CHARS, LIVE_MAP_LINES, LIVE_MAP_POINTS};
use crate::values::encoded_line::count_points;
use crate::values::instant::MS_PER_MINUTE;
use crate::values::json::read_by_field;
use crate::values::place::Place;
use crate::{Business, Date, FieldErrors, Id, Now};

/// Milliseconds without an update after which a live map is shown to nobody: the phone may be dead, and cannot say that
/// the walk is over.
pub const LIVE_MAP_NEWS_MS: i64 = 30 * MS_PER_MINUTE;

/// Returns true if the walk of a service may be on the live map now: it is neither done nor cancelled, and of today,
/// yesterday or tomorrow, or noted as under way: the server is not told of each walk when it begins. `now` is in the zone of
/// the sitter.
pub fn may_be_on_live_map(service: &Service, now: &Now) -> bool {
    let last = service.end_date.unwrap_or(service.date);
    let days = service.date.plus_days(-1)..=last.plus_days(1);
    service.status == ServiceStatus::Scheduled
        && (days.contains(&now.today()) || service.is_under_way())
}

/// Returns true if this client may see the walk of a service on a map now: the service is the client's, who is in the portal,
/// and may be on the live map.
pub fn may_see_live_map(service: &Service, client: &Client, now: &Now) -> bool {
    client.id == service.client_id && is_in_portal(client) && may_be_on_live_map(service, now)
}

/// A client who may see a walk on the live map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LiveMapViewer {
    /// Id of the service at which the client sees it.
    pub service_id: Id,
    /// Id of the client.
    pub client_id: Id,
    /// The client's name.
    pub name: String,
    /// Homes of the other clients of the walk and of the day: no position near them is sent to this one.
    pub hidden: Vec<Place>,
}

/// Clients of a walk in the portal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LiveMapAudience {
    /// Clients who may see it.
    pub viewers: Vec<LiveMapViewer>,
    /// Names of the clients who may not, since the home of another client is not known.
    pub left_out: Vec<String>,
}

/// Lists the clients to whom a walk may be shown while it is under way. `service_ids` are the services of the walk,
/// `along` its dogs.
// INVARIANT: no client sees on the live map where another client of the walk lives.
pub fn live_map_audience(
    business: &Business,
    service_ids: &[Id],
    along: &[Id],
    now: &Now,
) -> LiveMapAudience {
    let services: Vec<&Service> = service_ids
        .iter()
        .filter_map(|it| business.service(*it))
        .collect();
    let clients = clients_along(business, &services, along);
    // The walk may come to them before their dog is noted as along.
    let visited = visited_on(business, now.today());
    let mut audience = LiveMapAudience::default();
    let mut known: Vec<Id> = Vec::new();
    for service in services {
        let client = business.client(service.client_id);
        let Some(client) = client.filter(|it| may_see_live_map(service, it, now)) else {
            continue;
        };
        if known.contains(&client.id) {
            continue;
        }
        known.push(client.id);
        let others = clients.iter().filter(|it| it.client_id != client.id);
        let homes = others.map(|it| business.client(it.client_id).and_then(home));
        let Some(mut hidden) = homes.collect::<Option<Vec<Place>>>() else {
            audience.left_out.push(client.name.clone());
            continue;
        };
        let is_along = |id: Id| clients.iter().any(|it| it.client_id == id);
        let more = visited
            .iter()
            .filter(|it| **it != client.id && !is_along(**it));
        hidden.extend(more.filter_map(|it| business.client(*it).and_then(home)));
        // A walk that nobody ends goes home with the sitter.
        hidden.extend(business.sitter().and_then(base));
        audience.viewers.push(LiveMapViewer {
            service_id: service.id,
            client_id: client.id,
            name: client.name.clone(),
            hidden,
        });
    }
    audience
}

/// The clients who are visited on a day.
fn visited_on(business: &Business, day: Date) -> BTreeSet<Id> {
    let services = business.services_within(day, day).into_iter();
    let services = services.filter(|it| it.status != ServiceStatus::Cancelled);
    services.map(|it| it.client_id).collect()
}

/// The walk as the sitter's phone sends it to the client of one service: all of it, in place of what it sent before.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LiveMapUpdate {
    /// Made by the phone each time that the map is switched on; what comes late of one that was switched off is dropped.
    pub map_id: Id,
    /// Id of the client for whom it was made; nobody else sees it, whoever the service is of by then.
    pub client_id: Id,
    /// Lines that were walked since.
    pub lines: Vec<SharedLine>,
    /// Position of the walker; `None` near the home of another client.
    #[serde(default)]
    pub here: Option<Place>,
    /// Age of the newest position of it, in seconds.
    pub age_seconds: u32,
}

read_by_field!(LiveMapUpdate { map_id, client_id, lines, age_seconds } or default { here });

impl LiveMapUpdate {
    /// Checks what no bound of a single field says.
    ///
    /// # Errors
    /// If a line cannot be read, the lines are too long together, or the position is not on earth.
    pub fn check(&self) -> Result<(), FieldErrors> {
        let mut errors = FieldErrors::default();
        let chars: usize = self.lines.iter().map(|it| it.points.len()).sum();
        let is_long = LIVE_MAP_LINES < self.lines.len() || LIVE_MAP_CHARS < chars;
        errors.check(is_long, "lines", "The line of this walk is too long");
        if !is_long {
            let points = self.lines.iter().map(|it| count_points(&it.points));
            let points: Option<usize> = points.sum();
            errors.check(
                points.is_none_or(|it| LIVE_MAP_POINTS < it),
                "lines",
                "The line of this walk cannot be read",
            );
        }
        let is_on_earth = |it: Place| Place::from_degrees(it.lat(), it.lon()).is_some();
        errors.check(
            !self.here.is_none_or(is_on_earth),
            "here",
            "This is no place on earth",
        );
        errors.or(())
    }
}

/// Answer to a phone that sends a walk to a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LiveMapTaken {
    /// True if the client sees it; false where the service is over, the client is not in the portal any more, this map was
    /// switched off, or another one of the service was switched on since.
    pub is_shown: bool,
    /// True if the client does not see it since another one of the service was switched on, as by another phone.
    pub is_replaced: bool,
}

/// A walk under way as its client sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LiveMap {
    /// Id of the service.
    pub service_id: Id,
    /// Lines that were walked since the sitter switched it on.
    pub lines: Vec<SharedLine>,
    /// Last position of the walker; `None` where it is not shown.
    pub here: Option<Place>,
    /// Age of the newest position, in seconds.
    pub age_seconds: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::pet::Pet;
    use crate::rows::service::{Progress, ProgressStep};
    use crate::rows::sitter::Sitter;
    use crate::values::zone::TimeZone;
    use crate::{Instant, Row};

    const MIKKO: Id = Id::of(2);
    const DANA: Id = Id::of(3);
    const REX: Id = Id::of(20);
    const TAIKA: Id = Id::of(30);

    fn client(id: Id, home: Option<(f64, f64)>) -> Client {
        Client {
            name: if id == MIKKO { "Mikko" } else { "Dana" }.to_owned(),
            client_user_id: Some(Id::of(7)),
            lat: home.map(|it| it.0),
            lng: home.map(|it| it.1),
            ..Client::new(id, Instant(0))
        }
    }

    fn service(client_id: Id) -> Service {
        Service {
            client_id,
            dog_ids: vec![if client_id == MIKKO { REX } else { TAIKA }],
            date: now().today(),
            ..Service::new(service_of(client_id), Instant(0))
        }
    }

    fn service_of(client_id: Id) -> Id {
        Id::of(if client_id == MIKKO { 200 } else { 300 })
    }

    fn now() -> Now {
        Now {
            at: "2026-11-20T12:20:00Z".parse().unwrap(),
            zone: TimeZone::UTC,
        }
    }

    fn business(clients: &[Client]) -> Business {
        let mut business = Business::default();
        for it in clients {
            let dog = if it.id == MIKKO { REX } else { TAIKA };
            business.put(1, Row::Client(it.clone()));
            business.put(1, Row::Pet(Pet::new(dog, it.id)));
            business.put(1, Row::Service(service(it.id)));
        }
        business
    }

    fn audience(business: &Business, along: &[Id]) -> LiveMapAudience {
        let services = [service_of(MIKKO), service_of(DANA)];
        live_map_audience(business, &services, along, &now())
    }

    fn names(audience: &LiveMapAudience) -> Vec<&str> {
        audience.viewers.iter().map(|it| it.name.as_str()).collect()
    }

    #[test]
    fn no_client_sees_on_the_live_map_where_the_sitter_sets_out_from() {
        let mut business = business(&[client(Id::of(1), None)]);
        business.put(
            1,
            Row::Sitter(Sitter {
                service_area_lat: Some(60.2),
                service_area_lng: Some(24.9),
                ..Sitter::new(
                    Id::of(9),
                    String::new(),
                    String::new(),
                    String::new(),
                    Instant(0),
                )
            }),
        );
        let shown = audience(&business, &[]);
        let base = Place::from_degrees(60.2, 24.9).unwrap();
        assert!(shown.viewers.iter().all(|it| it.hidden == [base]));
        assert_eq!(shown.viewers.len(), 1);
    }

    #[test]
    fn no_client_sees_on_the_live_map_where_another_client_of_the_walk_lives() {
        let (mikkos, danas) = ((60.17, 24.95), (60.18, 24.96));
        let both = [client(MIKKO, Some(mikkos)), client(DANA, Some(danas))];
        let shown = audience(&business(&both), &[REX, TAIKA]);
        let hidden: Vec<_> = shown.viewers.iter().map(|it| it.hidden.clone()).collect();
        let place = |(lat, lng)| vec![Place::from_degrees(lat, lng).unwrap()];
        assert_eq!(names(&shown), ["Mikko", "Dana"]);
        assert_eq!(hidden, [place(danas), place(mikkos)]);

        let unknown = [client(MIKKO, Some(mikkos)), client(DANA, None)];
        let shown = audience(&business(&unknown), &[REX, TAIKA]);
        assert_eq!(names(&shown), ["Dana"]);
        assert_eq!(shown.left_out, ["Mikko"]);
    }

    #[test]
    fn a_dog_that_is_along_without_a_service_has_a_home_too() {
        let mut business = business(&[client(MIKKO, None)]);
        assert_eq!(audience(&business, &[REX]).viewers[0].hidden, []);
        business.put(1, Row::Client(client(DANA, Some((60.18, 24.96)))));
        business.put(1, Row::Pet(Pet::new(TAIKA, DANA)));
        assert_eq!(
            audience(&business, &[REX, TAIKA]).viewers[0].hidden.len(),
            1
        );
        business.put(1, Row::Client(client(DANA, None)));
        assert_eq!(audience(&business, &[REX, TAIKA]).left_out, ["Mikko"]);
    }

    #[test]
    fn a_client_who_is_visited_that_day_has_a_home_before_the_dog_is_along() {
        let both = [
            client(MIKKO, Some((60.17, 24.95))),
            client(DANA, Some((60.18, 24.96))),
        ];
        let mut business = business(&both);
        let mikkos = |business: &Business| {
            let shown = live_map_audience(business, &[service_of(MIKKO)], &[REX], &now());
            assert_eq!(names(&shown), ["Mikko"]);
            shown.viewers[0].hidden.clone()
        };
        assert_eq!(
            mikkos(&business),
            [Place::from_degrees(60.18, 24.96).unwrap()]
        );
        let cancelled = Service {
            status: ServiceStatus::Cancelled,
            ..service(DANA)
        };
        business.put(1, Row::Service(cancelled));
        assert_eq!(mikkos(&business), []);
        // Whose home is not known hides nothing before the dog is along.
        business.put(1, Row::Service(service(DANA)));
        business.put(1, Row::Client(client(DANA, None)));
        assert_eq!(mikkos(&business), []);
    }

    #[test]
    fn only_the_client_of_a_service_that_is_on_sees_it() {
        let mikko = client(MIKKO, None);
        let check = |service: &Service, client: &Client, expected| {
            assert_eq!(may_see_live_map(service, client, &now()), expected);
        };
        let today = service(MIKKO);
        check(&today, &mikko, true);
        check(&today, &client(DANA, None), false);
        let outside = Client {
            client_user_id: None,
            ..mikko.clone()
        };
        check(&today, &outside, false);
        for status in [ServiceStatus::Completed, ServiceStatus::Cancelled] {
            let over = Service {
                status,
                ..today.clone()
            };
            check(&over, &mikko, false);
        }
        let on = |date: &str| Service {
            date: date.parse::<Date>().unwrap(),
            ..today.clone()
        };
        check(&on("2026-11-19"), &mikko, true);
        check(&on("2026-11-17"), &mikko, false);
        let begun = Service {
            progress: Some(Progress {
                step: ProgressStep::Started,
                at: Instant(0),
                expected_at: None,
            }),
            ..on("2026-11-17")
        };
        check(&begun, &mikko, true);
        let stay = Service {
            end_date: Some("2026-11-22".parse().unwrap()),
            ..on("2026-11-17")
        };
        check(&stay, &mikko, true);
    }

    #[test]
    fn a_stay_may_be_on_the_live_map_on_each_of_its_days_and_the_next() {
        let stay = |first: &str, last: &str| Service {
            date: first.parse().unwrap(),
            end_date: Some(last.parse().unwrap()),
            ..service(MIKKO)
        };
        assert!(may_be_on_live_map(
            &stay("2026-11-10", "2026-11-19"),
            &now()
        ));
        assert!(!may_be_on_live_map(
            &stay("2026-11-10", "2026-11-18"),
            &now()
        ));
        assert!(may_be_on_live_map(
            &stay("2026-11-21", "2026-11-30"),
            &now()
        ));
        assert!(!may_be_on_live_map(
            &stay("2026-11-22", "2026-11-30"),
            &now()
        ));
    }

    #[test]
    fn an_update_that_is_too_long_or_nowhere_is_refused() {
        let line = |points: &str| SharedLine {
            points: points.to_owned(),
            after_gap: false,
        };
        let update = |lines: Vec<SharedLine>, here| LiveMapUpdate {
            map_id: Id::of(1),
            client_id: MIKKO,
            lines,
            here,
            age_seconds: 0,
        };
        let first = |it: &LiveMapUpdate| match it.check() {
            Ok(()) => None,
            Err(errors) => errors.first().map(str::to_owned),
        };
        let place = Place {
            lat_e7: 601_675_000,
            lon_e7: 249_540_000,
        };
        assert_eq!(
            first(&update(vec![line("_izlhA~rlgdF")], Some(place))),
            None
        );
        assert_eq!(first(&update(Vec::new(), None)), None);
        let too_long = "The line of this walk is too long";
        let long = line(&"?".repeat(LIVE_MAP_CHARS + 2));
        assert_eq!(first(&update(vec![long], None)).unwrap(), too_long);
        let many = vec![line("??"); LIVE_MAP_LINES + 1];
        assert_eq!(first(&update(many, None)).unwrap(), too_long);
        let unreadable = "The line of this walk cannot be read";
        assert_eq!(
            first(&update(vec![line("no line")], None)).unwrap(),
            unreadable
        );
        let points = line(&"??".repeat(LIVE_MAP_POINTS + 1));
        assert_eq!(first(&update(vec![points], None)).unwrap(), unreadable);
        let nowhere = Place {
            lat_e7: i32::MAX,
            ..place
        };
        let refused = first(&update(Vec::new(), Some(nowhere)));
        assert_eq!(refused.unwrap(), "This is no place on earth");
    }
}
