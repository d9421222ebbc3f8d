//! Owns the day as a way: its visits as stops on the map, the ways between them, and where there is too little time for one.

use serde::Serialize;

use crate::commands::series::is_open;
use crate::rows::service::{Service, ServiceStatus};
use crate::rules::day_order::{Stop, Way, best};
use crate::rules::mileage::{WALK_KM_PER_HOUR, WAY_KM_PER_HOUR, home, way_m, way_minutes};
use crate::rules::words;
use crate::values::bounds::DAY_STOPS;
use crate::values::format;
use crate::values::place::Place;
use crate::{Business, Date, Id, Now, Time};

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
    /// `Between 11:00 AM and 2:00 PM`; empty where the start was agreed.
    pub window: String,
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

/// A visit that a better order moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BetterStart {
    /// Id of the service.
    pub id: Id,
    /// `Walk for Luna, Dana Reyes`.
    pub title: String,
    /// Start on the plan.
    pub planned: Time,
    /// The same as it is read.
    pub planned_text: String,
    /// Start in the better order.
    pub start_time: Time,
    /// The same as it is read.
    pub new_text: String,
}

/// A shorter way through a day.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BetterOrder {
    /// Visits that it moves, by their new starts; none where there is nothing to offer.
    pub moved: Vec<BetterStart>,
    /// The way that it saves: `1.2 mi`; empty where there is nothing to offer.
    pub saved: String,
    /// Why nothing is offered; empty where something is.
    pub reason: String,
}

/// Less than this is no better order, in meters: the ways are estimates.
const WORTH_M: i64 = 200;

/// True for a visit that may begin at another time of its window.
fn is_flexible(visit: &Service, now: &Now) -> bool {
    let begins = visit.date.minute(visit.start_time);
    visit.window().is_some() && is_open(visit) && now.today().minute(now.time()) < begins
}

/// Finds the shortest way through a day whose visits have windows; none where no visit that is to come has one.
pub fn better_order(
    business: &Business,
    date: Date,
    on_foot: bool,
    now: &Now,
) -> Option<BetterOrder> {
    let mut visits = business.visits_between(date, date);
    visits.retain(|it| it.status != ServiceStatus::Cancelled);
    visits.iter().find(|it| is_flexible(it, now))?;
    let nothing = |reason: String| {
        Some(BetterOrder {
            reason,
            ..BetterOrder::default()
        })
    };
    if DAY_STOPS < visits.len() {
        return nothing(format!(
            "This day has more than {DAY_STOPS} visits: too many orders to compare all of them."
        ));
    }
    let homes: Option<Vec<Place>> = visits.iter().map(|it| home_of(business, it)).collect();
    let Some(homes) = homes else {
        return nothing("A home is not on the map, so orders cannot be compared.".to_owned());
    };
    let speed = if on_foot {
        WALK_KM_PER_HOUR
    } else {
        WAY_KM_PER_HOUR
    };
    let way = |from: &Place, to: &Place| {
        let meters = way_m(*from, *to);
        Way {
            meters: whole(meters),
            minutes: way_minutes(meters, speed),
        }
    };
    let ways: Vec<Vec<Way>> = homes
        .iter()
        .map(|from| homes.iter().map(|to| way(from, to)).collect())
        .collect();
    let minute_now = match date == now.today() {
        true => i64::from(now.time().minute_of_day()),
        false => 0,
    };
    let stops: Vec<Stop> = visits
        .iter()
        .map(|it| {
            let minute = |time: Time| i64::from(time.minute_of_day());
            let start = minute(it.start_time);
            let window = it.window().filter(|_| is_flexible(it, now));
            let (earliest, latest) = window.map_or((start, start), |(from, to)| {
                // Five minutes are for setting out.
                let earliest = minute(from).max(minute_now + 5);
                (earliest.min(start), minute(to))
            });
            Stop {
                earliest,
                latest,
                length: it.duration_minutes.into(),
            }
        })
        .collect();
    let present: i64 = ways
        .iter()
        .zip(1..)
        .filter_map(|(row, next)| row.get(next))
        .map(|it| it.meters)
        .sum();
    let best = best(&stops, &ways).filter(|it| WORTH_M <= present - it.meters);
    let Some(best) = best else {
        return nothing("No order that the windows allow has a shorter way.".to_owned());
    };
    let cycle = business.hour_cycle();
    let moved = best.starts.iter().filter_map(|(index, start)| {
        let visit = *visits.get(*index)?;
        let start_time = Time::from_minutes(*start);
        (start_time != visit.start_time).then(|| BetterStart {
            id: visit.id,
            title: [&title_of(visit), ", ", &visit.client_name].concat(),
            planned: visit.start_time,
            planned_text: format::time(visit.start_time, cycle),
            start_time,
            new_text: format::time(start_time, cycle),
        })
    });
    let units = business.sitter().map(|it| it.units).unwrap_or_default();
    #[expect(
        clippy::cast_precision_loss,
        reason = "meters of a day are far below 2^53"
    )]
    let saved = format::distance((present - best.meters) as f64, units);
    Some(BetterOrder {
        moved: moved.collect(),
        saved,
        reason: String::new(),
    })
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a saturating cast is right for a way around the world"
)]
fn whole(meters: f64) -> i64 {
    meters.round() as i64
}

fn title_of(visit: &Service) -> String {
    let kind = words::service_kind(visit);
    match visit.dogs.as_slice() {
        [] => kind.to_owned(),
        dogs => [kind, " for ", &format::names(dogs)].concat(),
    }
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
        .map(|((visit, next), index)| DayStop {
            id: visit.id,
            number: index + 1,
            title: title_of(visit),
            client_name: visit.client_name.clone(),
            time: words::service_time(visit, cycle),
            window: words::window(visit, cycle),
            place: home_of(business, visit),
            status: visit.status,
            leg: next.map(|next| {
                let found = found.get(index as usize).copied().flatten();
                leg(business, (visit, next), on_foot, found)
            }),
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

    fn now() -> Now {
        Now {
            at: "2026-11-19T09:00:00Z".parse().unwrap(),
            zone: crate::values::zone::TimeZone::UTC,
        }
    }

    #[test]
    fn a_better_order_moves_only_visits_with_windows_and_within_them() {
        // There, back and there again.
        let mut day = business(&[(1, "10:00"), (2, "11:30"), (1, "12:00"), (2, "13:00")]);
        assert_eq!(better_order(&day, self::day(), true, &now()), None);
        let free = |id: u128| Service {
            window_from: Some(Time::hour(10)),
            window_to: Some(Time::hour(14)),
            ..day.service(Id::of(id)).unwrap().clone()
        };
        let visit = free(12);
        day.put(2, Row::Service(visit));
        let better = better_order(&day, self::day(), true, &now()).unwrap();
        let moved: Vec<_> = better
            .moved
            .iter()
            .map(|it| (it.id, it.planned_text.as_str(), it.new_text.as_str()))
            .collect();
        assert_eq!(moved, [(Id::of(12), "12:00 PM", "10:30 AM")]);
        assert_eq!(
            (better.saved.as_str(), better.reason.as_str()),
            ("1.6 mi", "")
        );
    }

    #[test]
    fn nothing_untrue_is_offered() {
        let with_window = |visits: &[(u128, &str)]| {
            let mut day = business(visits);
            let visit = Service {
                window_from: Some(Time::hour(8)),
                window_to: Some(Time::hour(20)),
                ..day.service(Id::of(10)).unwrap().clone()
            };
            day.put(2, Row::Service(visit));
            better_order(&day, self::day(), true, &now()).unwrap()
        };
        let one = with_window(&[(1, "10:00"), (2, "12:00")]);
        assert_eq!(
            one.reason,
            "No order that the windows allow has a shorter way."
        );
        let unknown = with_window(&[(1, "10:00"), (3, "12:00")]);
        assert!(unknown.reason.starts_with("A home is not on the map"));
        let many: Vec<(u128, String)> =
            (0..11).map(|it| (1, format!("{:02}:00", it + 9))).collect();
        let many: Vec<(u128, &str)> = many.iter().map(|it| (it.0, it.1.as_str())).collect();
        let many = with_window(&many);
        assert!(many.reason.starts_with("This day has more than 10 visits"));
        assert!(many.moved.is_empty());
    }
}
