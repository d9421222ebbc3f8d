//! Owns what a person reads of a route: its name, what is good to know, what to look out for, what the season asks for.

use std::cmp::Ordering;

use super::facts::{Facts, GreenPlace, Hazard, NearbySpot};
use super::kind::RouteKind;
use super::warning::{RouteStop, RouteWarning, WarningKind};
use crate::map::SpotKind;
use crate::values::plane::distance_m;

/// A loop up to so many meters is one around the block.
const BLOCK_M: f64 = 1000.0;
/// Meters up in a kilometer: fewer are flat, more are hills.
const FLAT: f64 = 6.0;
const HILLY: f64 = 20.0;
/// From this length on every route is said to meet traffic (SPEC 9), in meters.
const BUSY_M: f64 = 2000.0;
/// So much of a way in the dark is told once and not stretch by stretch.
const MOSTLY: f64 = 0.5;
/// No more places to rest or to drink are told of one route.
const MOST_STOPS: usize = 5;
/// Places to rest are so many meters apart at least.
const REST_APART_M: f64 = 200.0;
/// Without a bench this near to the middle of a route, as a share of its length, a park does.
const MIDDLE: f64 = 1.0 / 6.0;
/// More flights of steps are told as one.
const MOST_FLIGHTS: usize = 3;

// From which share on a route is called by what it is like.

/// By a park or a water with a name, before all else,
const NAMED_FIRST: f64 = 0.25;
/// and after what much of the route is like; by a street, too.
const NAMED: f64 = 0.1;
const GREEN_MUCH: f64 = 0.5;
const GREEN_SOME: f64 = 0.3;
const WATER_MUCH: f64 = 0.3;
const WATER_SOME: f64 = 0.15;
/// From this share on it is told how much of a route is away from traffic.
const QUIET_MOSTLY: f64 = 0.5;
const QUIET: f64 = 0.8;
const QUIET_ALL: f64 = 0.9;
/// Lamps are mapped with small gaps.
const LIT_ALL: f64 = 0.95;
/// So much of the green lies under trees where it is a wood.
const WOODED: f64 = 0.7;
/// Nor is a route called by a park or a water of fewer meters, nor by such a street.
const NAMED_M: f64 = 120.0;
const STREET_M: f64 = 80.0;

const SIDES: [&str; 8] = [
    "north",
    "northeast",
    "east",
    "southeast",
    "south",
    "southwest",
    "west",
    "northwest",
];

/// Names of routes that are offered together: each the most telling one that it has and that none before it took.
pub(super) fn names(routes: &[(RouteKind, &Facts)]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (kind, facts) in routes {
        let mut candidates = phrases(*kind, facts);
        let side = side(facts);
        let first = candidates.first().cloned();
        candidates.push(side.clone());
        candidates.extend(first.map(|it| format!("{it}, {side}")));
        // Streets that are too short to call a route by tell it from another one all the same.
        let streets = facts.streets.iter().map(|it| by_street(&it.0));
        candidates.extend(streets.map(|it| format!("{side}, {it}")));
        let all = candidates.iter().map(|it| titled(*kind, it));
        let others = (2..).map(|number| {
            let name = titled(*kind, &side);
            if number == 2 {
                format!("{name}, another way")
            } else {
                format!("{name}, another way ({number})")
            }
        });
        let free = all.chain(others).find(|it| !names.contains(it));
        names.extend(free);
    }
    names
}

/// Returns phrases about a route, in small letters, the most telling first.
fn phrases(kind: RouteKind, facts: &Facts) -> Vec<String> {
    let (mostly, partly) = named_phrases(facts);
    let is_wooded = facts.shade > WOODED * facts.green;
    let green = if is_wooded {
        "through the woods"
    } else {
        "through the park"
    };
    let along_water = "along the water";
    let mut phrases = mostly;
    phrases.extend(those(&[
        (facts.water >= WATER_MUCH, along_water),
        (facts.green >= GREEN_MUCH, green),
    ]));
    phrases.extend(partly);
    if matches!(kind, RouteKind::Loop | RouteKind::Lollipop) {
        phrases.extend(loop_phrases(kind, facts));
    }
    phrases.extend(those(&[
        (facts.green >= GREEN_SOME, green),
        (facts.water >= WATER_SOME, along_water),
    ]));
    let streets = facts
        .streets
        .iter()
        .filter(|it| it.1 >= STREET_M && share_of(facts, it.1) >= NAMED);
    phrases.extend(streets.map(|it| by_street(&it.0)));
    phrases
}

/// By a street: 'via Main Street', and 'along Via Cairoli' where the name says 'via' itself.
pub(super) fn by_street(name: &str) -> String {
    let says_via = name
        .split(' ')
        .next()
        .is_some_and(|it| it.eq_ignore_ascii_case("via"));
    let via = if says_via { "along" } else { "via" };
    format!("{via} {name}")
}

/// Parks and waters by name, the longest first: those that the route is mostly in, and others.
fn named_phrases(facts: &Facts) -> (Vec<String>, Vec<String>) {
    let parks = facts.parks.iter();
    let parks = parks.map(|it| (format!("through {}", it.0), it.1));
    let waters = facts.waters.iter();
    let waters = waters.map(|it| (format!("along {}", with_article(&it.0)), it.1));
    let mut named: Vec<(String, f64)> = parks.chain(waters).collect();
    named.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (mostly, partly): (Vec<_>, Vec<_>) = named
        .into_iter()
        .filter(|it| it.1 >= NAMED_M && share_of(facts, it.1) >= NAMED)
        .partition(|it| share_of(facts, it.1) >= NAMED_FIRST);
    let words = |all: Vec<(String, f64)>| all.into_iter().map(|it| it.0).collect();
    (words(mostly), words(partly))
}

/// Returns phrases about a loop that do not depend on the places that it leads through.
fn loop_phrases(kind: RouteKind, facts: &Facts) -> Vec<String> {
    let climb = climb_per_km(facts);
    let is_flat = climb.is_some_and(|it| it < FLAT);
    let is_hilly = climb.is_some_and(|it| it >= HILLY);
    let is_block = facts.length_m <= BLOCK_M && kind == RouteKind::Loop;
    those(&[
        (is_block, "around the block"),
        (is_flat && facts.quiet >= QUIET, "flat and quiet"),
        (is_hilly, "up and down the hills"),
        (facts.quiet >= QUIET_ALL, "quiet all the way"),
        (is_flat, "flat all the way"),
    ])
    .collect()
}

/// The phrases of which it is so.
fn those(phrases: &[(bool, &str)]) -> impl Iterator<Item = String> {
    let said = phrases.iter().filter(|it| it.0);
    said.map(|it| it.1.to_owned())
}

/// So many meters as a share of the route.
fn share_of(facts: &Facts, meters: f64) -> f64 {
    meters / facts.length_m.max(1.0)
}

fn side(facts: &Facts) -> String {
    format!("{} side", SIDES.get(facts.side).copied().unwrap_or("north"))
}

pub(super) fn titled(kind: RouteKind, phrase: &str) -> String {
    if kind == RouteKind::ThereAndBack {
        let comma = if phrase.contains(" side") { "," } else { "" };
        return format!("There and back{comma} {phrase}");
    }
    if kind == RouteKind::OneWay {
        return if phrase.contains(" side") {
            "The way home".to_owned()
        } else {
            format!("Home {phrase}")
        };
    }
    let mut letters = phrase.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Rivers have an article, lakes and bays that say what they are mostly none: 'the Neckar', 'the River Thames', 'Lake Merritt'.
fn with_article(water: &str) -> String {
    const RIVERS: [&str; 5] = ["River", "Canal", "Creek", "Brook", "Stream"];
    let is_river = |it: &str| RIVERS.contains(&it);
    let mut words = water.split(' ');
    let (first, last) = (words.next().unwrap_or_default(), words.next_back());
    if first != "The" && last.is_none_or(|last| is_river(first) || is_river(last)) {
        format!("the {water}")
    } else {
        water.to_owned()
    }
}

/// Meters up in each kilometer.
fn climb_per_km(facts: &Facts) -> Option<f64> {
    facts
        .climb_m
        .map(|it| f64::from(it) / (facts.length_m / 1e3).max(0.1))
}

/// Returns the facts worth knowing of a route, the most telling first.
pub(super) fn features(kind: RouteKind, facts: &Facts, wants_shade: bool) -> Vec<String> {
    let mut features = share_features(kind, facts, wants_shade);
    if kind == RouteKind::ThereAndBack {
        let text = if facts.is_side_by_side {
            "Out on one side and back on the other, close by"
        } else {
            "The same way out and back"
        };
        features.insert(0, text.to_owned());
    }
    if let Some(climb) = climb_per_km(facts) {
        features.push(
            match climb {
                it if it < FLAT => "Nearly flat",
                it if it < HILLY => "Some ups and downs",
                _ => "Hilly",
            }
            .to_owned(),
        );
    }
    features.extend(spot_features(facts));
    if !facts.dark && facts.lit >= LIT_ALL {
        features.push("Street lights all the way".to_owned());
    }
    features
}

/// How much of a route is like something, each from the share on from which it is worth a word.
fn share_features(kind: RouteKind, facts: &Facts, wants_shade: bool) -> Vec<String> {
    let mut features = Vec::new();
    let mut share = |least: f64, share: f64, what: &str| {
        if share >= least {
            features.push(format!("{:.0}% {what}", share * 100.0));
        }
    };
    match kind {
        RouteKind::Loop | RouteKind::OneWay => share(0.05, facts.twice, "is walked twice"),
        RouteKind::Lollipop if facts.is_side_by_side => {
            share(0.0, facts.twice * 2.0, "is out and back side by side");
        }
        RouteKind::Lollipop => share(0.0, facts.twice * 2.0, "is the way to a loop and back"),
        RouteKind::ThereAndBack => (),
    }
    if facts.dark {
        share(0.1, facts.lit, "with street lights");
    }
    share(0.1, facts.green, "in parks and woods");
    share(0.08, facts.water, "along water");
    let least_shade = if wants_shade { 0.05 } else { 0.4 };
    share(least_shade, facts.shade, "under trees");
    share(QUIET_MOSTLY, facts.quiet, "away from traffic");
    features
}

/// Names the spots that a route passes.
fn spot_features(facts: &Facts) -> Vec<String> {
    let mut features = Vec::new();
    let of_kind = |kind| facts.nearby_spots.iter().filter(move |it| it.kind == kind);
    match of_kind(SpotKind::DrinkingWater).count() {
        0 => (),
        1 => features.push("Passes drinking water".to_owned()),
        n => features.push(format!("Passes {n} places with drinking water")),
    }
    let mut dog_parks = of_kind(SpotKind::DogPark);
    if let Some(first) = dog_parks.next() {
        features.push(match (&first.name, dog_parks.count()) {
            (Some(name), 0) => format!("Passes the dog park {name}"),
            (None, 0) => "Passes a dog park".to_owned(),
            (_, more) => format!("Passes {} dog parks", more + 1),
        });
    }
    match of_kind(SpotKind::Bench).count() {
        0 => (),
        1 => features.push("A bench on the way".to_owned()),
        n => features.push(format!("{n} benches on the way")),
    }
    if of_kind(SpotKind::Toilets).count() > 0 {
        features.push("Passes toilets".to_owned());
    }
    features
}

/// Returns the warnings of a route: first those about the whole of it, then the others in the order of the way. For
/// those who care for hills there is one where the map knows no heights.
pub(super) fn warnings(facts: &Facts, no_water: bool, cares_for_hills: bool) -> Vec<RouteWarning> {
    let of_all = |kind: WarningKind, text: &str| RouteWarning {
        kind,
        text: text.to_owned(),
        location: None,
        distance: None,
    };
    let mut warnings = Vec::new();
    if facts.length_m > BUSY_M {
        let text = if facts.quiet >= QUIET_MOSTLY {
            "Most walks of this length meet a busy intersection. This one keeps mostly away from traffic: keep your dogs close wherever you do cross."
        } else {
            "A busy intersection is likely on a walk of this length. Keep your dogs close when you cross."
        };
        warnings.push(of_all(WarningKind::BusyCrossing, text));
    }
    if no_water {
        let text = "No drinking water is known on this route. Bring some along.";
        warnings.push(of_all(WarningKind::Other, text));
    }
    if cares_for_hills && facts.climb_m.is_none() {
        let text = "The map knows no heights here: this route may be flat or hilly.";
        warnings.push(of_all(WarningKind::Other, text));
    }
    let unlit = facts
        .hazards
        .iter()
        .filter(|it| it.kind == WarningKind::Unlit);
    let mostly_dark = unlit.map(|it| it.length_m).sum::<f64>() > MOSTLY * facts.length_m;
    if mostly_dark {
        let text = "Most of this route may have no street lights. Bring a light.";
        warnings.push(of_all(WarningKind::Unlit, text));
    }
    let of_steps = |it: &&Hazard| it.kind == WarningKind::Steps;
    let n_flights = facts.hazards.iter().filter(of_steps).count();
    let many_steps = n_flights > MOST_FLIGHTS;
    if many_steps {
        let text = format!("Steps at {n_flights} places on the way.");
        warnings.push(of_all(WarningKind::Steps, &text));
    }
    let told = facts.hazards.iter().filter(|it| match it.kind {
        WarningKind::Unlit => !mostly_dark,
        WarningKind::Steps => !many_steps,
        _ => true,
    });
    warnings.extend(told.map(|it| RouteWarning {
        kind: it.kind,
        text: warning(it),
        location: Some(it.at.place()),
        distance: Some(it.along_m.round()),
    }));
    warnings
}

fn warning(hazard: &Hazard) -> String {
    let street = hazard.street.as_deref();
    match hazard.kind {
        WarningKind::BusyCrossing => format!(
            "Cross {} with care: there are no signals and no marked crossing.",
            street.unwrap_or("the main road")
        ),
        WarningKind::NoSidewalk => format!(
            "{} has no sidewalk here. Walk facing the traffic and keep your dogs on the far side.",
            street.unwrap_or("The main road")
        ),
        WarningKind::SeparateSidewalk => format!(
            "The sidewalk of {} is not on this route. Use it where you find it, or walk facing the traffic and keep your dogs on the far side.",
            street.unwrap_or("the main road")
        ),
        WarningKind::FastRoad => format!(
            "Cars drive fast on {} and no sidewalk is known. Walk facing the traffic and keep your dogs on the far side.",
            street.unwrap_or("this road")
        ),
        WarningKind::Steps => match hazard.rise_m {
            1.. => "Steps up here.",
            0 => "Steps here.",
            _ => "Steps down here.",
        }
        .to_owned(),
        WarningKind::Unlit => "There may be no street lights here. Bring a light.".to_owned(),
        WarningKind::RoughGround => "Rough or soft ground here: hard going on wheels.".to_owned(),
        WarningKind::Other => "Look out here.".to_owned(),
    }
}

/// Returns the places with drinking water, at most `MOST_STOPS`.
pub(super) fn water_stops(facts: &Facts) -> Vec<RouteStop> {
    let water = facts
        .nearby_spots
        .iter()
        .filter(|it| it.kind == SpotKind::DrinkingWater);
    water
        .take(MOST_STOPS)
        .map(|it| stop("Drinking water", it))
        .collect()
}

/// Places to rest: benches spread along the way, the nearest to its middle first, and parks if no bench is near the middle.
pub(super) fn rest_points(facts: &Facts) -> Vec<RouteStop> {
    let benches = facts
        .nearby_spots
        .iter()
        .filter(|it| it.kind == SpotKind::Bench);
    let mut rests = Vec::new();
    add_rests(&mut rests, benches.map(|it| stop("Bench", it)), facts);
    let middle_m = MIDDLE * facts.length_m;
    let is_middle = |it: &RouteStop| off_middle_m(facts, it.distance) <= middle_m;
    if !rests.iter().any(is_middle) {
        add_rests(&mut rests, facts.green_rests.iter().map(green_stop), facts);
    }
    rests
}

/// Adds what is far enough from all that are there: first so far apart that they are spread over the whole route, then as
/// near as they may be.
fn add_rests(rests: &mut Vec<RouteStop>, found: impl Iterator<Item = RouteStop>, facts: &Facts) {
    let mut found: Vec<RouteStop> = found.collect();
    found.sort_by(|a, b| by_middle(facts, a, b));
    let spread_m = facts.length_m / MOST_STOPS as f64;
    for along_m in [spread_m, 0.0] {
        for stop in &found {
            let is_apart = rests.iter().all(|it| {
                distance_m(it.location, stop.location) >= REST_APART_M
                    && (it.distance - stop.distance).abs() >= along_m
            });
            if is_apart && rests.len() < MOST_STOPS {
                rests.push(stop.clone());
            }
        }
    }
    rests.sort_by(|a, b| by_middle(facts, a, b));
}

/// How far a place is from the middle of a route, along it.
fn off_middle_m(facts: &Facts, along_m: f64) -> f64 {
    (along_m - facts.length_m / 2.0).abs()
}

fn by_middle(facts: &Facts, a: &RouteStop, b: &RouteStop) -> Ordering {
    let [a, b] = [a, b].map(|it| off_middle_m(facts, it.distance));
    a.total_cmp(&b)
}

fn green_stop(place: &GreenPlace) -> RouteStop {
    RouteStop {
        name: place
            .name
            .clone()
            .unwrap_or_else(|| "Green space".to_owned()),
        location: place.at.place(),
        distance: place.along_m.round(),
    }
}

fn stop(what: &str, spot: &NearbySpot) -> RouteStop {
    RouteStop {
        name: match &spot.name {
            Some(name) => format!("{what}: {name}"),
            None => what.to_owned(),
        },
        location: spot.at.place(),
        distance: spot.along_m.round(),
    }
}

/// Returns the advice for the season, by the month of the northern half of the earth, and always that for the sun (SPEC
/// 9).
pub(super) fn advice(month: Option<u8>) -> Vec<String> {
    let season = match month {
        Some(6..=8) => Some(
            "Summer heat: hot pavement burns paws. If it is too hot for the back of your hand, walk on grass or in the shade, and bring water.",
        ),
        Some(11 | 12 | 1 | 2) => Some(
            "Cold months: ice and road salt hurt paws. Wipe them after the walk, and keep it short for dogs with little fur.",
        ),
        _ => None,
    };
    let sun = "UV: light noses and thin fur burn like skin. Look for shade around noon, and wear sunscreen yourself.";
    season.into_iter().chain([sun]).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Point;

    fn facts() -> Facts {
        Facts {
            length_m: 2000.0,
            ..Facts::default()
        }
    }

    fn named(name: &str, meters: f64) -> Vec<(String, f64)> {
        vec![(name.to_owned(), meters)]
    }

    #[test]
    fn a_route_is_called_what_it_is_most_of() {
        let park = Facts {
            parks: named("Westfalenpark", 900.0),
            waters: named("Emscher", 300.0),
            ..facts()
        };
        let river = Facts {
            waters: named("Neckar", 800.0),
            ..facts()
        };
        let flat = Facts {
            climb_m: Some(2),
            quiet: 0.9,
            ..facts()
        };
        let all = [&park, &river, &flat].map(|it| (RouteKind::Loop, it));
        assert_eq!(
            names(&all),
            [
                "Through Westfalenpark",
                "Along the Neckar",
                "Flat and quiet"
            ]
        );
    }

    #[test]
    fn no_two_routes_have_one_name() {
        let plain = facts();
        let all = [(RouteKind::Loop, &plain); 4];
        assert_eq!(
            names(&all),
            [
                "North side",
                "North side, another way",
                "North side, another way (3)",
                "North side, another way (4)"
            ]
        );
    }

    #[test]
    fn routes_on_one_side_are_told_apart_by_their_streets() {
        let by = |street: &str| Facts {
            streets: named(street, 90.0),
            ..facts()
        };
        let (elm, pine) = (by("Elm Street"), by("Pine Street"));
        let all = [&elm, &elm, &pine].map(|it| (RouteKind::Loop, it));
        assert_eq!(
            names(&all),
            [
                "North side",
                "North side, via Elm Street",
                "North side, via Pine Street"
            ]
        );
        let there = [&elm, &elm].map(|it| (RouteKind::ThereAndBack, it));
        assert_eq!(
            names(&there)[1],
            "There and back, north side, via Elm Street"
        );
    }

    #[test]
    fn a_street_that_is_called_via_is_not_called_so_twice() {
        let rome = Facts {
            streets: named("Via Principe Amedeo", 900.0),
            ..facts()
        };
        assert_eq!(
            names(&[(RouteKind::Loop, &rome)]),
            ["Along Via Principe Amedeo"]
        );
        assert_eq!(by_street("Viale Trastevere"), "via Viale Trastevere");
    }

    #[test]
    fn who_walks_the_same_way_back_reads_it_first() {
        let river = Facts {
            waters: named("Neckar", 800.0),
            twice: 0.5,
            ..facts()
        };
        let kind = RouteKind::ThereAndBack;
        assert_eq!(
            names(&[(kind, &river)]),
            ["There and back along the Neckar"]
        );
        assert_eq!(names(&[(kind, &facts())]), ["There and back, north side"]);
        let features = features(kind, &river, false);
        assert_eq!(features.first().unwrap(), "The same way out and back");
    }

    #[test]
    fn waters_have_articles_as_people_say_them() {
        for (name, expected) in [
            ("Neckar", "the Neckar"),
            ("River Thames", "the River Thames"),
            ("Regent's Canal", "the Regent's Canal"),
            ("Lake Merritt", "Lake Merritt"),
            ("The Serpentine", "The Serpentine"),
        ] {
            assert_eq!(with_article(name), expected);
        }
    }

    #[test]
    fn what_is_true_is_said_with_its_share() {
        let spot = |kind, name: Option<&str>, along_m| NearbySpot {
            kind,
            name: name.map(str::to_owned),
            at: Point::default(),
            along_m,
        };
        let facts = Facts {
            dark: true,
            green: 0.62,
            water: 0.03,
            quiet: 0.8,
            lit: 0.4,
            climb_m: Some(30),
            nearby_spots: vec![
                spot(SpotKind::Bench, None, 100.0),
                spot(SpotKind::Bench, None, 900.0),
                spot(SpotKind::DogPark, Some("Bark Park"), 950.0),
                spot(SpotKind::Bench, Some("Rosa's"), 1050.0),
                spot(SpotKind::Bench, None, 1500.0),
            ],
            ..facts()
        };
        assert_eq!(
            features(RouteKind::Loop, &facts, false),
            [
                "40% with street lights",
                "62% in parks and woods",
                "80% away from traffic",
                "Some ups and downs",
                "Passes the dog park Bark Park",
                "4 benches on the way",
            ]
        );
        let rests: Vec<_> = rest_points(&facts).into_iter().map(|it| it.name).collect();
        assert_eq!(rests, ["Bench: Rosa's"]);
        assert_eq!(water_stops(&facts), []);
    }

    /// In the tile of the tests, a little more than in truth.
    const STEPS_PER_M: f64 = 3.4;

    /// The meters along a route of 3 km, straight to the east, at which one can rest.
    fn rests(benches: &[f64], greens: &[f64]) -> Vec<f64> {
        let at = |along_m: &f64| crate::map::testing::at((along_m * STEPS_PER_M) as u32, 0);
        let facts = Facts {
            length_m: 3000.0,
            nearby_spots: benches
                .iter()
                .map(|it| NearbySpot {
                    kind: SpotKind::Bench,
                    name: None,
                    at: at(it),
                    along_m: *it,
                })
                .collect(),
            green_rests: greens
                .iter()
                .map(|it| GreenPlace {
                    name: None,
                    at: at(it),
                    along_m: *it,
                })
                .collect(),
            ..Facts::default()
        };
        rest_points(&facts)
            .into_iter()
            .map(|it| it.distance)
            .collect()
    }

    #[test]
    fn places_to_rest_are_spread_along_the_way_the_nearest_to_its_middle_first() {
        let everywhere: Vec<f64> = (0..=150).map(|it| f64::from(it) * 20.0).collect();
        assert_eq!(
            rests(&everywhere, &[]),
            [1500.0, 900.0, 2100.0, 300.0, 2700.0]
        );
        assert_eq!(rests(&[100.0], &[]), [100.0], "far from the middle");
        assert_eq!(rests(&[1400.0, 1420.0], &[]), [1420.0], "the same bench");
        assert_eq!(
            rests(&[1300.0, 1480.0, 1700.0, 1900.0], &[]),
            [1480.0, 1700.0, 1900.0]
        );
    }

    #[test]
    fn a_park_is_a_place_to_rest_where_no_bench_is_near_the_middle() {
        assert_eq!(rests(&[], &[400.0, 500.0]), [500.0]);
        assert_eq!(rests(&[100.0], &[1600.0]), [1600.0, 100.0]);
        assert_eq!(rests(&[1300.0], &[1600.0]), [1300.0]);
        assert_eq!(rests(&[], &[]), [0.0; 0]);
    }

    #[test]
    fn a_quiet_route_is_not_said_to_meet_traffic_for_certain() {
        let told = |quiet| {
            let facts = Facts {
                length_m: 2500.0,
                quiet,
                ..facts()
            };
            let first = warnings(&facts, false, false).swap_remove(0);
            assert_eq!(first.kind, WarningKind::BusyCrossing);
            assert!(first.text.contains("busy intersection"));
            first.text.contains("is likely")
        };
        assert_eq!([0.0, 0.4, 0.5, 1.0].map(told), [true, true, false, false]);
    }

    #[test]
    fn long_routes_meet_traffic_and_dark_ones_are_said_once() {
        let hazard = |kind, along_m, length_m| Hazard {
            kind,
            street: None,
            at: Point::default(),
            along_m,
            length_m,
            rise_m: 3,
        };
        let mut facts = facts();
        facts.hazards = vec![
            hazard(WarningKind::Steps, 50.0, 10.0),
            hazard(WarningKind::Unlit, 100.0, 1200.0),
        ];
        let kinds = |facts: &Facts| {
            let all = warnings(facts, false, false);
            all.iter()
                .map(|it| (it.kind, it.distance))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            kinds(&facts),
            [(WarningKind::Unlit, None), (WarningKind::Steps, Some(50.0))]
        );
        facts.length_m = 2001.0;
        facts.hazards.pop();
        assert_eq!(
            kinds(&facts),
            [
                (WarningKind::BusyCrossing, None),
                (WarningKind::Steps, Some(50.0))
            ]
        );
        assert!(
            warnings(&facts, true, false)[1]
                .text
                .contains("No drinking water")
        );
    }

    #[test]
    fn many_flights_of_steps_are_told_once() {
        let flight = |along_m| Hazard {
            kind: WarningKind::Steps,
            street: None,
            at: Point::default(),
            along_m,
            length_m: 10.0,
            rise_m: 0,
        };
        let told = |count: u8| {
            let facts = Facts {
                hazards: (0..count).map(|it| flight(f64::from(it) * 100.0)).collect(),
                ..facts()
            };
            let all = warnings(&facts, false, false);
            all.into_iter().map(|it| it.text).collect::<Vec<_>>()
        };
        assert_eq!(told(3), ["Steps here."; 3]);
        assert_eq!(told(4), ["Steps at 4 places on the way."]);
    }

    #[test]
    fn who_cares_for_hills_is_told_where_no_heights_are_known() {
        let flat = Facts {
            climb_m: Some(0),
            ..facts()
        };
        assert_eq!(warnings(&flat, false, true), []);
        assert_eq!(warnings(&facts(), false, false), []);
        let [told] = warnings(&facts(), false, true).try_into().unwrap();
        assert!(told.text.contains("no heights"), "{told:?}");
    }

    #[test]
    fn the_season_and_always_the_sun() {
        assert!(advice(Some(7))[0].starts_with("Summer"));
        assert!(advice(Some(1))[0].starts_with("Cold months"));
        assert_eq!(advice(Some(4)).len(), 1);
        assert!(advice(None)[0].starts_with("UV"));
    }
}
