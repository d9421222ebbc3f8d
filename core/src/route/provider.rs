//! Owns what a walking directions service is asked and what its answer means: the fallback outside the mapped area, where
//! one is configured (SPEC 7, Maps directions). A phone says which places, the server asks with its own key and passes on
//! what it knows of the answer, and the phone makes a route of that.
//!
//! The form is that of OSRM's and Mapbox's directions, version 5.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::directions::{Maneuver, ManeuverKind, Modifier, RouteStep};
use super::facts::Facts;
use super::form::texts;
use super::generated::{GeneratedRoute, has_rest};
use super::kind::RouteKind;
use super::request::RouteRequest;
use super::warning::RouteStop;
use super::{sun, words};
use crate::values::encoded_line;
use crate::values::format::METERS_PER_MILE;
use crate::values::place::Place;
use crate::values::plane::distance_m;

/// SPEC 9: waypoints lie at most so far from the start, half a mile.
const MAX_RADIUS_M: f64 = METERS_PER_MILE / 2.0;
/// Streets are so much longer than the circle's sides.
const DETOUR: f64 = 1.3;
/// The start and this many waypoints are the corners.
const WAYPOINTS: usize = 3;
/// SPEC 9: a length that is this much off is only logged.
const MISMATCH: f64 = 0.3;
/// An answer with more points is no walk.
const MAX_POINTS: usize = 20_000;
/// Eighths of a circle.
const EIGHTH: f64 = std::f64::consts::FRAC_PI_4;

/// A route from a service.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Provided {
    /// The route, in our own form.
    pub route: GeneratedRoute,
    /// Its length is more than 30 percent from what was asked: to be logged.
    pub is_mismatch: bool,
}

/// Why a service has no route; the text is for the person (SPEC 8, Route).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ProviderError {
    /// It did not answer, or not as such services do.
    #[error("{}", texts().service_failed)]
    Failed,
    /// It knows no way.
    #[error("{}", texts().none_found)]
    NoRoute,
}

/// The places that a service is asked to connect, as `lng,lat` pairs with semicolons between them. `option` counts the
/// routes of one request from 0; each goes another way round.
pub fn places(request: &RouteRequest, option: u32) -> String {
    let start = request.start_location;
    let corners = if request.via.is_empty() {
        corners(request, option)
    } else {
        request.via.clone()
    };
    let places = std::iter::once(start)
        .chain(corners)
        .chain(std::iter::once(start));
    written(places)
}

fn written(places: impl Iterator<Item = Place>) -> String {
    let pairs: Vec<String> = places
        .map(|it| format!("{:.6},{:.6}", it.lon(), it.lat()))
        .collect();
    pairs.join(";")
}

/// No service connects more.
const MAX_PLACES: usize = 25;

/// The part of the address behind the service's own: the places, and what is wanted of the answer. `None` where a text
/// has no places, or anything else.
pub fn query(places: &str) -> Option<String> {
    let pairs: Vec<&str> = places.split(';').take(MAX_PLACES + 1).collect();
    if pairs.len() < 2 || MAX_PLACES < pairs.len() {
        return None;
    }
    let places: Vec<Place> = pairs.into_iter().map(place).collect::<Option<_>>()?;
    let places = written(places.into_iter());
    Some(format!(
        "{places}?geometries=geojson&overview=full&steps=true&annotations=duration,distance"
    ))
}

fn place(pair: &str) -> Option<Place> {
    let (lon, lat) = pair.split_once(',')?;
    Place::from_degrees(lat.parse().ok()?, lon.parse().ok()?)
}

/// The waypoints of a walk of that length: the corners of a polygon that begins at the start; where those would lie too far
/// away, places all around the start.
fn corners(request: &RouteRequest, option: u32) -> Vec<Place> {
    let around_m = request.length_m() / DETOUR;
    let first = f64::from(request.towards.unwrap_or_default() % 8);
    let turn = match request.towards {
        Some(_) => f64::from(option) * 0.5,
        None => f64::from(option.wrapping_add(request.seed) % 8) * 2.7,
    };
    let heading = (first + turn) * EIGHTH;
    let start = request.start_location;
    let radius_m = around_m / std::f64::consts::TAU;
    if MAX_RADIUS_M < 2.0 * radius_m {
        // There, from each waypoint to the next, and back.
        let sides = 2.0 + 3.0_f64.sqrt() * (WAYPOINTS as f64 - 1.0);
        let away_m = (around_m / sides).min(MAX_RADIUS_M);
        let third = std::f64::consts::TAU / WAYPOINTS as f64;
        return (0..WAYPOINTS)
            .map(|it| offset(start, heading + third * it as f64, away_m))
            .collect();
    }
    // The start lies on the circle, whose middle is straight ahead.
    let middle = offset(start, heading, radius_m);
    let sides = WAYPOINTS as f64 + 1.0;
    (1..=WAYPOINTS)
        .map(|it| {
            let around = heading + std::f64::consts::PI * (1.0 + 2.0 * it as f64 / sides);
            offset(middle, around, radius_m)
        })
        .collect()
}

/// So many meters from a place in a direction clockwise from the north.
fn offset(from: Place, heading: f64, meters: f64) -> Place {
    let scale = crate::values::plane::Scale::at(f64::from(from.lat_e7));
    scale.to_place(
        from,
        meters * libm::sin(heading),
        meters * libm::cos(heading),
    )
}

/// Answer of a directions service, as far as it is of use.
#[derive(Debug, Serialize, Deserialize)]
pub struct DirectionsResponse {
    code: String,
    #[serde(default)]
    routes: Vec<DirectionsRoute>,
}

const OK: &str = "Ok";
const NO_ROUTE: &str = "NoRoute";
/// In place of an answer that never came, or that is none.
const FAILED: &str = "Failed";

impl DirectionsResponse {
    /// The ways of an answer, and nothing else of the service's words, which may quote the
    /// key that it was asked with.
    pub fn read(answer: &[u8]) -> Self {
        match serde_json::from_slice::<Self>(answer) {
            Ok(found) if found.code == OK => found,
            Ok(_) => Self::without_routes(NO_ROUTE),
            Err(_) => Self::failed(),
        }
    }

    /// The service gave no answer.
    pub fn failed() -> Self {
        Self::without_routes(FAILED)
    }

    fn without_routes(code: &str) -> Self {
        Self {
            code: code.to_owned(),
            routes: Vec::new(),
        }
    }
}

#[derive(Debug, Serialize, Deserialize)]
struct DirectionsRoute {
    /// Length in meters.
    distance: f64,
    geometry: LineString,
    #[serde(default)]
    legs: Vec<Leg>,
}

/// A line as GeoJSON has it: longitude first, in degrees.
#[derive(Debug, Serialize, Deserialize)]
struct LineString {
    coordinates: Vec<[f64; 2]>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Leg {
    #[serde(default)]
    steps: Vec<LegStep>,
}

#[derive(Debug, Serialize, Deserialize)]
struct LegStep {
    distance: f64,
    #[serde(default)]
    name: String,
    maneuver: StepManeuver,
}

#[derive(Debug, Serialize, Deserialize)]
struct StepManeuver {
    #[serde(rename = "type")]
    kind: ManeuverKind,
    #[serde(default)]
    modifier: Option<serde_json::Value>,
    #[serde(default)]
    bearing_before: f64,
    #[serde(default)]
    bearing_after: f64,
    location: [f64; 2],
    #[serde(default)]
    instruction: Option<String>,
}

/// The route of a service's answer, with the time that this walk takes: the service's is that of people without dogs.
pub fn route(answer: &str, request: &RouteRequest) -> Result<Provided, ProviderError> {
    let response: DirectionsResponse =
        serde_json::from_str(answer).map_err(|_| ProviderError::Failed)?;
    match response.code.as_str() {
        OK => {}
        FAILED => return Err(ProviderError::Failed),
        _ => return Err(ProviderError::NoRoute),
    }
    let found = response
        .routes
        .into_iter()
        .next()
        .ok_or(ProviderError::NoRoute)?;
    let is_length = found.distance.is_finite() && (1.0..1e6).contains(&found.distance);
    let points = &found.geometry.coordinates;
    if !is_length || points.len() < 2 || points.len() > MAX_POINTS {
        return Err(ProviderError::Failed);
    }
    let line: Vec<Place> = points
        .iter()
        .map(|[lon, lat]| Place::from_degrees(*lat, *lon))
        .collect::<Option<_>>()
        .ok_or(ProviderError::Failed)?;
    let speed_m_s = f64::from(request.speed_mm_s()) / 1e3;
    let asked_m = request.length_m();
    // Its length is all that is known of what it passes.
    let facts = Facts {
        length_m: found.distance,
        ..Facts::default()
    };
    let month = request
        .at
        .map(|at| sun::northern_month(request.start_location, at));
    let duration = found.distance / speed_m_s;
    let wants_water = request.preferences.include_water_stops;
    let rest_points = has_rest(duration * 1e3).then(|| vec![halfway(&line)]);
    Ok(Provided {
        is_mismatch: (found.distance - asked_m).abs() > MISMATCH * asked_m,
        route: GeneratedRoute {
            name: name(&found.legs),
            kind: RouteKind::Loop,
            distance: found.distance,
            duration,
            geometry: encoded_line::encode(line),
            steps: steps(found.legs, speed_m_s)?,
            features: Vec::new(),
            warnings: words::warnings(&facts, wants_water, request.preferences.cares_for_hills()),
            elevation_gain: 0.0,
            rest_points,
            // The service knows streets and no fountains.
            water_stops: wants_water.then(Vec::new),
            approach: None,
            notice: None,
            weather_advice: Some(words::advice(month)),
        },
    })
}

/// Returns the point at half of the line as a place to rest; nobody knows what stands there.
fn halfway(line: &[Place]) -> RouteStop {
    let mut along = vec![(0.0, line.first().copied().unwrap_or_default())];
    let mut walked_m = 0.0;
    for (from, to) in line.iter().zip(line.iter().skip(1)) {
        walked_m += distance_m(*from, *to);
        along.push((walked_m, *to));
    }
    let off = |at: f64| (at - walked_m / 2.0).abs();
    let middle = along
        .into_iter()
        .min_by(|a, b| off(a.0).total_cmp(&off(b.0)));
    let (at_m, location) = middle.unwrap_or_default();
    RouteStop {
        name: "Halfway".to_owned(),
        location,
        distance: at_m.round(),
    }
}

/// By the street that is walked longest.
fn name(legs: &[Leg]) -> String {
    let steps = legs.iter().flat_map(|it| &it.steps);
    let named = steps.filter(|it| !it.name.trim().is_empty());
    match named.max_by(|a, b| a.distance.total_cmp(&b.distance)) {
        Some(step) => words::titled(RouteKind::Loop, &words::by_street(&step.name)),
        None => "Around from here".to_owned(),
    }
}

/// The legs' steps as those of one route: its waypoints are ours, and nobody arrives there.
fn steps(legs: Vec<Leg>, speed_m_s: f64) -> Result<Vec<RouteStep>, ProviderError> {
    let last_leg = legs.len().saturating_sub(1);
    let mut steps: Vec<RouteStep> = Vec::new();
    for (leg, at) in legs.into_iter().zip(0..) {
        for step in leg.steps {
            let kind = step.maneuver.kind;
            let passes_on = kind == ManeuverKind::Arrive && at < last_leg
                || kind == ManeuverKind::Depart && at > 0;
            if !step.distance.is_finite() || step.distance < 0.0 {
                return Err(ProviderError::Failed);
            }
            match steps.last_mut() {
                Some(before) if passes_on => {
                    before.distance += step.distance;
                    before.duration = before.distance / speed_m_s;
                }
                _ => steps.push(route_step(step, speed_m_s)?),
            }
        }
    }
    Ok(steps)
}

/// A service's step as one of ours.
fn route_step(step: LegStep, speed_m_s: f64) -> Result<RouteStep, ProviderError> {
    let LegStep {
        distance,
        name,
        maneuver,
    } = step;
    let [lon, lat] = maneuver.location;
    Place::from_degrees(lat, lon).ok_or(ProviderError::Failed)?;
    let modifier: Option<Modifier> = maneuver
        .modifier
        .and_then(|it| serde_json::from_value(it).ok());
    let instruction = maneuver
        .instruction
        .filter(|it| !it.trim().is_empty())
        .unwrap_or_else(|| instruction(maneuver.kind, modifier, &name));
    Ok(RouteStep {
        instruction,
        distance,
        duration: distance / speed_m_s,
        maneuver: Maneuver {
            kind: maneuver.kind,
            modifier,
            bearing_before: degrees(maneuver.bearing_before),
            bearing_after: degrees(maneuver.bearing_after),
            location: [lon, lat],
        },
    })
}

/// For services that give no words.
fn instruction(kind: ManeuverKind, modifier: Option<Modifier>, street: &str) -> String {
    let turn = modifier.unwrap_or(Modifier::Straight);
    let (alone, onto) = match kind {
        ManeuverKind::Depart => ("Start walking", "Start on"),
        ManeuverKind::Arrive => return "You are back where you started".to_owned(),
        _ if turn == Modifier::Straight => ("Go straight on", "Continue on"),
        _ => (turn.words(), ""),
    };
    match (street, onto) {
        ("", _) => alone.to_owned(),
        (street, "") => format!("{alone} onto {street}"),
        (street, onto) => format!("{onto} {street}"),
    }
}

fn degrees(bearing: f64) -> u16 {
    bearing.rem_euclid(360.0) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn request(duration: u32) -> RouteRequest {
        RouteRequest::plain(duration, Place::from_degrees(60.17, 24.94).unwrap())
    }

    /// As a service answers: two legs, with and without words.
    const ANSWER: &str = r#"{"code":"Ok","routes":[{"distance":2400.5,"duration":1700,"weight":1,
        "geometry":{"type":"LineString","coordinates":[[24.94,60.17],[24.95,60.17],[24.95,60.175],[24.94,60.17]]},
        "legs":[
          {"distance":1200,"steps":[
            {"distance":700,"duration":500,"name":"Mannerheimintie","maneuver":{"type":"depart","bearing_before":0,"bearing_after":90,"location":[24.94,60.17]}},
            {"distance":500,"duration":350,"name":"Kaivokatu","maneuver":{"type":"turn","modifier":"left","bearing_before":90,"bearing_after":0,"location":[24.95,60.17],"instruction":"Turn left onto Kaivokatu."}},
            {"distance":0,"duration":0,"name":"Kaivokatu","maneuver":{"type":"arrive","location":[24.95,60.175]}}]},
          {"distance":1200.5,"steps":[
            {"distance":200.5,"duration":140,"name":"Kaivokatu","maneuver":{"type":"depart","location":[24.95,60.175]}},
            {"distance":1000,"duration":700,"name":"","maneuver":{"type":"end of road","modifier":"sharp left","location":[24.95,60.176]}},
            {"distance":0,"duration":0,"name":"","maneuver":{"type":"arrive","location":[24.94,60.17]}}]}]}]}"#;

    #[test]
    fn an_answer_becomes_a_route_of_ours() {
        let Provided { route, is_mismatch } = route(ANSWER, &request(30)).unwrap();
        assert!(!is_mismatch);
        assert!((route.duration - 2400.5 / 1.34).abs() < 1e-6);
        let words: Vec<_> = route
            .steps
            .iter()
            .map(|it| it.instruction.as_str())
            .collect();
        assert_eq!(route.name, "Via Mannerheimintie");
        assert_eq!(
            words,
            [
                "Start on Mannerheimintie",
                "Turn left onto Kaivokatu.",
                "Turn sharp left",
                "You are back where you started"
            ]
        );
        let sum: f64 = route.steps.iter().map(|it| it.distance).sum();
        assert!((sum - route.distance).abs() < 1e-6);
        assert_eq!(encoded_line::decode(&route.geometry).unwrap().len(), 4);
    }

    #[test]
    fn a_route_of_more_than_half_an_hour_has_a_place_to_rest_halfway() {
        let rest = |minutes, distance: &str| {
            let answer = ANSWER.replace("2400.5", distance);
            let rest = route(&answer, &request(minutes)).unwrap().route.rest_points;
            rest.map(|it| it.iter().map(|stop| stop.name.clone()).collect::<Vec<_>>())
        };
        let halfway = Some(vec!["Halfway".to_owned()]);
        assert_eq!(rest(31, "2500"), halfway);
        assert_eq!(rest(30, "2420"), halfway);
        assert_eq!(rest(30, "3000"), halfway);
        assert_eq!(rest(45, "2400"), None);
    }

    #[test]
    fn a_service_knows_no_fountains_and_water_that_is_wanted_is_said_to_be_missing() {
        let mut wanting = request(30);
        wanting.preferences.include_water_stops = true;
        let dry = route(ANSWER, &wanting).unwrap().route;
        assert_eq!(dry.water_stops, Some(Vec::new()));
        let says_so = |it: &GeneratedRoute| {
            let mut texts = it.warnings.iter().map(|it| it.text.as_str());
            texts.any(|it| it.contains("No drinking water"))
        };
        assert!(says_so(&dry), "{:?}", dry.warnings);
        assert!(!says_so(&route(ANSWER, &request(30)).unwrap().route));
    }

    #[test]
    fn a_length_that_is_far_off_is_for_the_log() {
        assert!(route(ANSWER, &request(60)).unwrap().is_mismatch);
    }

    #[test]
    fn a_service_without_a_route_says_so() {
        let no = |text: &str| route(text, &request(30)).unwrap_err().to_string();
        assert_eq!(no(r#"{"code":"NoRoute","routes":[]}"#), "No routes found");
        assert_eq!(no(r#"{"code":"Ok","routes":[]}"#), "No routes found");
        assert_eq!(no("<html>"), "Failed to get route from mapping service");
        assert_eq!(
            no(r#"{"message":"Not Authorized"}"#),
            "Failed to get route from mapping service"
        );
    }

    #[test]
    fn what_is_asked_goes_around_from_the_start_with_waypoints_within_half_a_mile() {
        for (minutes, option) in [(5, 0), (30, 1), (45, 3), (60, 1), (120, 2)] {
            let request = request(minutes);
            let query = query(&places(&request, option)).unwrap();
            let (places, rest) = query.split_once('?').unwrap();
            assert!(
                rest.contains("geometries=geojson")
                    && rest.contains("annotations=duration,distance")
            );
            let places: Vec<Place> = places
                .split(';')
                .map(|pair| {
                    let (lon, lat) = pair.split_once(',').unwrap();
                    Place::from_degrees(lat.parse().unwrap(), lon.parse().unwrap()).unwrap()
                })
                .collect();
            assert_eq!(places.len(), WAYPOINTS + 2);
            assert_eq!(places.first(), places.last());
            for place in &places {
                assert!(distance_m(request.start_location, *place) <= MAX_RADIUS_M + 1.0);
            }
            let legs = places.iter().zip(places.iter().skip(1));
            let around_m: f64 = legs.map(|(from, to)| distance_m(*from, *to)).sum();
            // As long as the walk is for 70 minutes, and no longer way is asked for.
            let asked_m = request.length_m() / DETOUR;
            assert!(around_m <= asked_m * 1.01);
            assert!(
                0.85 * asked_m.min(4_300.0) <= around_m,
                "{minutes}: {around_m}"
            );
        }
    }

    #[test]
    fn only_places_are_asked_for() {
        let asked = query("24.94,60.17;24.95,60.18").unwrap();
        assert!(asked.starts_with("24.940000,60.170000;24.950000,60.180000?geometries="));
        let many = vec!["24.94,60.17"; MAX_PLACES + 1].join(";");
        for text in [
            "",
            "24.94,60.17",
            "24.94;60.17",
            "24.94,60.17;../x,1",
            "24.94,60.17;24.95,95",
            "24.94,60.17;24.95,60.18?access_token=x",
            &many,
        ] {
            assert_eq!(query(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_passed_on_is_an_answer_without_other_words_of_the_service() {
        let passed_on = |answer: &str| {
            let response = DirectionsResponse::read(answer.as_bytes());
            serde_json::to_string(&response).unwrap()
        };
        let with_more = ANSWER.replacen('{', r#"{"message":"key=KEY","#, 1);
        let text = passed_on(&with_more);
        assert!(!text.contains("KEY"), "{text}");
        assert_eq!(route(&text, &request(30)), route(ANSWER, &request(30)));
        for (answer, error) in [
            (r#"{"code":"InvalidToken KEY"}"#, ProviderError::NoRoute),
            (
                r#"{"message":"Not Authorized: KEY"}"#,
                ProviderError::Failed,
            ),
            ("<html>", ProviderError::Failed),
        ] {
            let text = passed_on(answer);
            assert!(!text.contains("KEY"), "{text}");
            assert_eq!(route(&text, &request(30)), Err(error), "{answer}");
        }
    }

    /// Returns true for an error, and for a route that can be walked and shown.
    fn is_sound(provided: &Result<Provided, ProviderError>) -> bool {
        provided.as_ref().map_or(true, |Provided { route, .. }| {
            let line = encoded_line::decode(&route.geometry);
            let is_length = |it: f64| it.is_finite() && it >= 0.0;
            line.is_some_and(|it| it.len() >= 2)
                && is_length(route.distance)
                && is_length(route.duration)
                && route.steps.iter().all(|it| is_length(it.distance))
        })
    }

    proptest! {
        #[test]
        fn no_answer_is_too_strange(cut in 0..ANSWER.len(), byte in any::<u8>(), text in ".{0,40}") {
            let mut bytes = ANSWER.as_bytes().to_vec();
            if let Some(it) = bytes.get_mut(cut) {
                *it = byte;
            }
            prop_assert!(is_sound(&route(&String::from_utf8_lossy(&bytes), &request(30))));
            let cut_off = ANSWER.get(..cut).unwrap_or_default();
            prop_assert_eq!(route(cut_off, &request(30)), Err(ProviderError::Failed));
            prop_assert!(is_sound(&route(&ANSWER.replace("24.9", &text), &request(30))));
        }
    }
}
