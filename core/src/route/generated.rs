//! Owns the form in which a route is told to screens and kept (SPEC 3, Generated route).
//! Stored on phones. Only add optional fields; never rename.

use serde::{Deserialize, Serialize};

use super::directions::RouteStep;
use super::router::RouteKind;
use crate::walk::Place;

/// A route to choose, to walk, and to keep.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct GeneratedRoute {
    /// What it is like, in a few words: `Through the park`.
    pub name: String,
    /// What it is.
    pub kind: RouteKind,
    /// Meters.
    pub distance: f64,
    /// Seconds.
    pub duration: f64,
    /// Its line from the start to the start: an encoded polyline with six decimals.
    pub geometry: String,
    /// What to do on the way.
    pub steps: Vec<RouteStep>,
    /// What is good to know of it, for the person; the most telling first.
    pub features: Vec<String>,
    /// What to look out for, in the order of the way.
    pub warnings: Vec<RouteWarning>,
    /// Meters up, all climbs together; 0 where the map knows no heights.
    pub elevation_gain: f64,
    /// Where to rest, on routes of more than 30 minutes.
    #[serde(
        rename = "restPoints",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub rest_points: Option<Vec<RouteStop>>,
    /// Where there is water, where it was asked for; empty where none is in reach.
    #[serde(
        rename = "waterStops",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub water_stops: Option<Vec<RouteStop>>,
    /// What the season asks for.
    #[serde(
        rename = "weatherAdvice",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub weather_advice: Option<Vec<String>>,
}

/// A place on a route where one may stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RouteStop {
    /// What it is, for the person: `Bench`, `Drinking water`.
    pub name: String,
    /// Where it is.
    pub location: Place,
    /// Meters from the start along the route.
    pub distance: f64,
}

/// Something to look out for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RouteWarning {
    /// What it is.
    pub kind: WarningKind,
    /// For the person.
    pub text: String,
    /// Where; none for what holds of the whole route.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Place>,
    /// Meters from the start along the route.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
}

/// What kind of thing to look out for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// A street with much traffic is crossed.
    BusyCrossing,
    /// A street with much traffic is walked along without a sidewalk.
    NoSidewalk,
    /// Steps.
    Steps,
    /// No lights, in the dark.
    Unlit,
    /// Something else.
    #[serde(other)]
    Other,
}
