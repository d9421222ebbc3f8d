//! Owns what a walker is told of a route beforehand: warnings, and where one can stop.

use serde::{Deserialize, Serialize};

use crate::values::place::Place;

/// A place on a route where one may stop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RouteStop {
    /// Name for the person: `Bench`, `Drinking water`.
    pub name: String,
    /// Place of the stop.
    pub location: Place,
    /// Meters from the start along the route.
    pub distance: f64,
}

/// Something to look out for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RouteWarning {
    /// Kind of the warning.
    pub kind: WarningKind,
    /// Text for the person.
    pub text: String,
    /// Place of the hazard; none for a warning about the whole route.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Place>,
    /// Meters from the start along the route.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
}

/// Kind of hazard on a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum WarningKind {
    /// A street with much traffic is crossed.
    BusyCrossing,
    /// A street with much traffic is walked along without a sidewalk.
    NoSidewalk,
    /// A street with much traffic is walked along, and its sidewalk is another way.
    SeparateSidewalk,
    /// A road with fast cars is walked along and no sidewalk is known.
    FastRoad,
    /// Steps, up or down.
    Steps,
    /// No lights, in the dark.
    Unlit,
    /// Ground that is hard to go on with wheels, where they are there.
    RoughGround,
    /// Any other hazard, also of a kind that this build does not know.
    #[serde(other)]
    Other,
}
