//! Owns the day as a way: its visits as stops on the map, the ways between them, and where there is too little time for one.

use serde::Serialize;

use crate::rows::service::{Service, ServiceStatus};
use crate::rules::mileage::{WALK_KM_PER_HOUR, WAY_KM_PER_HOUR, home, way_m, way_minutes};
use crate::rules::words;
use crate::values::format;
use crate::values::place::Place;
use crate::{Business, Date, Id};

/// A visit as a stop of its day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DayStop {
    /// Id of the service.
    pub id: Id,
    /// Its place in the order, from 1.
    pub number: u32,
    /// `Walk for Luna`.
    pub title: String,
    /// Name of the client.
    pub client_name: String,
    /// `12:00 PM - 12:30 PM`.
    pub time: String,
    /// The client's home, if it is on the map.
    pub place: Option<Place>,
    /// Status of the visit.
    pub status: ServiceStatus,
    /// The way to the next stop; none behind the last one.
    pub leg: Option<DayLeg>,
}

/// The way from a stop to the next one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DayLeg {
    /// `About 12 min on foot, 0.6 mi`, `Same home`, or why nothing is known of it.
    pub text: String,
    /// Why the time between is too little: `15 min between, the way takes about 22 min`; empty where it is enough.
    pub problem: String,
}

/// A way that the router of the phone found in place of the estimate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundWay {
    /// Length of the way.
    pub meters: f64,
    /// Time for it.
    pub minutes: u32,
}

/// The stops of a day in the order of their starts; cancelled visits and stays are none.
///
/// `found` has the ways of the phone's router by the index of the stop before; any other way is an estimate by the straight
/// line.
pub fn day_way(
    business: &Business,
    date: Date,
    on_foot: bool,
    found: &[Option<FoundWay>],
) -> Vec<DayStop> {
    let mut visits = business.visits_between(date, date);
    visits.retain(|it| it.status != ServiceStatus::Cancelled);
    let cycle = business.hour_cycle();
    let nexts = visits.iter().skip(1).map(Some).chain([None]);
    let stops = visits
        .iter()
        .zip(nexts)
        .zip(0..)
        .map(|((visit, next), index)| {
            let kind = words::service_kind(visit);
            DayStop {
                id: visit.id,
                number: index + 1,
                title: match visit.dogs.as_slice() {
                    [] => kind.to_owned(),
                    dogs => [kind, " for ", &format::names(dogs)].concat(),
                },
                client_name: visit.client_name.clone(),
                time: words::service_time(visit, cycle),
                place: home_of(business, visit),
                status: visit.status,
                leg: next.map(|next| {
                    let found = found.get(index as usize).copied().flatten();
                    leg(business, (visit, next), on_foot, found)
                }),
            }
        });
    stops.collect()
}

fn home_of(business: &Business, visit: &Service) -> Option<Place> {
    business.client(visit.client_id).and_then(home)
}

fn leg(
    business: &Business,
    (from, to): (&Service, &Service),
    on_foot: bool,
    found: Option<FoundWay>,
) -> DayLeg {
    let between = to.interval().start - from.interval().end;
    if between < 0 {
        let text = match from.client_id == to.client_id {
            true => "Same home".to_owned(),
            false => String::new(),
        };
        let overlap = u32::try_from(-between).unwrap_or(u32::MAX);
        return DayLeg {
            text,
            problem: format!("Overlaps by {}", format::duration(overlap)),
        };
    }
    let (meters, minutes, about) = match (found, way(business, from, to)) {
        _ if from.client_id == to.client_id => {
            return DayLeg {
                text: "Same home".to_owned(),
                problem: String::new(),
            };
        }
        (Some(found), _) if on_foot => (found.meters, i64::from(found.minutes), ""),
        (_, Some(meters)) => {
            let speed = match on_foot {
                true => WALK_KM_PER_HOUR,
                false => WAY_KM_PER_HOUR,
            };
            (meters, way_minutes(meters, speed), "About ")
        }
        (_, None) => {
            return DayLeg {
                text: "The way is not known: a home is not on the map".to_owned(),
                problem: String::new(),
            };
        }
    };
    let length = |minutes: i64| format::duration(u32::try_from(minutes).unwrap_or(u32::MAX));
    let units = business.sitter().map(|it| it.units).unwrap_or_default();
    let distance = format::distance(meters, units);
    let means = if on_foot {
        "on foot"
    } else {
        "by car or bicycle"
    };
    let problem = (between < minutes).then(|| {
        let takes = if about.is_empty() { "" } else { "about " };
        let (between, way) = (length(between), length(minutes));
        format!("{between} between, the way takes {takes}{way}")
    });
    DayLeg {
        text: format!("{about}{} {means}, {distance}", length(minutes)),
        problem: problem.unwrap_or_default(),
    }
}

fn way(business: &Business, from: &Service, to: &Service) -> Option<f64> {
    Some(way_m(home_of(business, from)?, home_of(business, to)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::client::Client;
    use crate::{Instant, Row};

    fn day() -> Date {
        Date::new(2026, 11, 20).unwrap()
    }

    fn business(visits: &[(u128, &str)]) -> Business {
        let mut business = Business::default();
        // A kilometer to the north each; the home of the third client is not known.
        for (n, km) in [(1, Some(0.0)), (2, Some(1.0)), (3, None)] {
            let client = Client {
                lat: km.map(|it: f64| 40.0 + it / 111.0),
                lng: km.map(|_| -74.0),
                ..Client::new(Id::of(n), Instant(0))
            };
            business.put(1, Row::Client(client));
        }
        for (place, (client, start)) in (10..).zip(visits) {
            let service = Service {
                client_id: Id::of(*client),
                date: day(),
                start_time: start.parse().unwrap(),
                ..Service::new(Id::of(place), Instant(0))
            };
            business.put(1, Row::Service(service));
        }
        business
    }

    #[track_caller]
    fn check(visits: &[(u128, &str)], on_foot: bool, legs: &[(&str, &str)]) {
        let stops = day_way(&business(visits), day(), on_foot, &[]);
        let found: Vec<(String, String)> = stops
            .into_iter()
            .filter_map(|it| it.leg)
            .map(|it| (it.text, it.problem))
            .collect();
        let legs: Vec<(String, String)> = legs
            .iter()
            .map(|it| (it.0.to_owned(), it.1.to_owned()))
            .collect();
        assert_eq!(found, legs);
    }

    #[test]
    fn ways_that_take_longer_than_the_gap_are_marked() {
        let visits = [(1, "12:00"), (2, "12:40"), (1, "13:10"), (1, "13:30")];
        check(
            &visits,
            true,
            &[
                (
                    "About 16 min on foot, 0.8 mi",
                    "10 min between, the way takes about 16 min",
                ),
                (
                    "About 16 min on foot, 0.8 mi",
                    "0 min between, the way takes about 16 min",
                ),
                ("Same home", "Overlaps by 10 min"),
            ],
        );
        check(
            &[(1, "12:00"), (2, "12:40")],
            false,
            &[("About 6 min by car or bicycle, 0.8 mi", "")],
        );
    }

    #[test]
    fn a_home_that_is_not_known_has_no_way() {
        let unknown = "The way is not known: a home is not on the map";
        check(&[(1, "12:00"), (3, "12:40")], true, &[(unknown, "")]);
    }

    #[test]
    fn the_way_of_the_router_takes_the_place_of_the_estimate_on_foot() {
        let business = business(&[(1, "12:00"), (2, "12:40")]);
        let found = [Some(FoundWay {
            meters: 1_500.0,
            minutes: 19,
        })];
        let text = |on_foot| {
            let stops = day_way(&business, day(), on_foot, &found);
            let leg = stops[0].leg.clone().unwrap();
            (leg.text, leg.problem)
        };
        assert_eq!(
            text(true),
            (
                "19 min on foot, 0.9 mi".to_owned(),
                "10 min between, the way takes 19 min".to_owned()
            )
        );
        assert_eq!(text(false).0, "About 6 min by car or bicycle, 0.8 mi");
    }
}
