//! Owns the form in which a route is told to screens and kept (SPEC 3, Generated route).
//! Stored on phones. Only add optional fields; never rename.

use serde::{Deserialize, Serialize};

use super::directions::RouteStep;
use super::found_route::FoundRoute;
use super::kind::RouteKind;
use super::request::RouteRequest;
use super::warning::{RouteStop, RouteWarning};
use super::{notice, sun, words};
use crate::values::encoded_line;
use crate::values::plane::distance_m;

/// Routes that take longer have places to rest (SPEC 9), in milliseconds.
const REST_MS: u32 = 30 * 60_000;

/// Returns true if a route that takes so many milliseconds has places to rest.
pub(super) fn has_rest(time_ms: f64) -> bool {
    f64::from(REST_MS) < time_ms
}

/// A route that begins farther than this from where it was asked for says so, in meters.
const AWAY_M: f64 = 50.0;

/// How far away a route begins, where no way for walking is nearer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Approach {
    /// Straight distance in meters, rounded to whole ones.
    pub distance: f64,
    /// The street on which the route begins, where that has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub street: Option<String>,
}

/// A route to choose, to walk, and to keep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct GeneratedRoute {
    /// Name in a few words: `Through the park`.
    pub name: String,
    /// Kind of the route.
    pub kind: RouteKind,
    /// Length in meters.
    pub distance: f64,
    /// Time in seconds.
    pub duration: f64,
    /// Its line from the start to the start: an encoded polyline with six decimals.
    pub geometry: String,
    /// Instructions on the way.
    pub steps: Vec<RouteStep>,
    /// Facts worth knowing, in words for the person; the most telling first.
    pub features: Vec<String>,
    /// Warnings, in the order of the way; those about the whole route come first.
    pub warnings: Vec<RouteWarning>,
    /// Meters up, all climbs together; 0 where the map knows no heights.
    pub elevation_gain: f64,
    /// Places to rest; absent on routes of up to 30 minutes.
    #[serde(
        rename = "restPoints",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub rest_points: Option<Vec<RouteStop>>,
    /// Places with drinking water, where it was asked for; empty where none is in reach.
    #[serde(
        rename = "waterStops",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub water_stops: Option<Vec<RouteStop>>,
    /// How far from the place that was asked for it begins; none where it begins there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approach: Option<Approach>,
    /// How it differs from what was asked for, in words for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// Advice for the season and the sun.
    #[serde(
        rename = "weatherAdvice",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub weather_advice: Option<Vec<String>>,
}

impl GeneratedRoute {
    /// Routes that are offered together, no two with one name.
    pub(super) fn all(request: &RouteRequest, found: &[FoundRoute]) -> Vec<Self> {
        let facts: Vec<_> = found.iter().map(|it| (it.kind, &it.facts)).collect();
        let names = words::names(&facts);
        let named = found.iter().zip(names);
        named
            .map(|(it, name)| Self::of(request, it, name))
            .collect()
    }

    fn of(request: &RouteRequest, found: &FoundRoute, name: String) -> Self {
        let FoundRoute { kind, facts, .. } = found;
        let line = found.line.iter().map(|it| it.place());
        let rests = has_rest(f64::from(found.time_ms));
        let preferences = &request.preferences;
        let water_stops = preferences
            .include_water_stops
            .then(|| words::water_stops(facts));
        let no_water = water_stops.as_ref().is_some_and(Vec::is_empty);
        let away_m = found
            .line
            .first()
            .map_or(0.0, |it| distance_m(request.start_location, it.place()));
        let month = request
            .at
            .map(|at| sun::northern_month(request.start_location, at));
        Self {
            name,
            kind: *kind,
            distance: found.length_mm as f64 / 1e3,
            duration: f64::from(found.time_ms) / 1e3,
            geometry: encoded_line::encode(line),
            steps: found.steps.clone(),
            features: words::features(*kind, facts, preferences.shaded_paths),
            warnings: words::warnings(facts, no_water, preferences.cares_for_hills()),
            elevation_gain: facts.climb_m.map_or(0.0, f64::from),
            rest_points: rests.then(|| words::rest_points(facts)),
            water_stops,
            approach: (away_m > AWAY_M).then(|| Approach {
                distance: away_m.round(),
                street: found.starts_on.clone(),
            }),
            notice: notice::notice(request, found.differs, found.time_ms),
            weather_advice: Some(words::advice(month)),
        }
    }
}
