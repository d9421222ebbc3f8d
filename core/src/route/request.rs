//! Owns what a person asks of a route, and how fast they and their dogs walk (SPEC 3, Route request; SPEC 9, Route).

use serde::{Deserialize, Serialize};

use crate::values::place::Place;

/// The shortest walk that can be asked for, in minutes (SPEC 9).
pub const MIN_MINUTES: u32 = 5;
/// The longest walk that can be asked for, in minutes (SPEC 9).
pub const MAX_MINUTES: u32 = 120;
/// Duration in minutes in place of one that is no number (SPEC 5).
pub const DEFAULT_MINUTES: u32 = 30;

/// Short walks have few loops, and each turn of theirs is felt.
const SHORT_MS: u32 = 20 * 60_000;

/// Returns true if a walk of so many milliseconds is a short one.
pub(super) fn is_short(budget_ms: u32) -> bool {
    budget_ms <= SHORT_MS
}

/// SPEC 9 counts 1,609 m in a mile for routes.
const METERS_PER_MILE: u32 = 1609;
const SECONDS_PER_HOUR: u32 = 3600;

/// A route that is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct RouteRequest {
    /// Minutes, 5 to 120; what is outside is moved to the nearest.
    pub duration: u32,
    /// Place at which it begins and ends.
    pub start_location: Place,
    /// How fast the person walks.
    pub pace: Pace,
    /// Wishes for the route.
    pub preferences: Preferences,
    /// Dogs on the leash, at least 1.
    pub dog_count: u32,
    /// How large they are; as many as dogs, or fewer where nobody knows.
    pub dog_sizes: Vec<DogSize>,
    /// Direction to go, if any: eighths of a circle clockwise from the north.
    pub towards: Option<u8>,
    /// Another number, other loops.
    pub seed: u32,
    /// Places that the route has to pass, in any order: where a person dropped a point.
    #[serde(default)]
    pub via: Vec<Place>,
    /// Lines of recent walks, to be avoided: encoded polylines with six decimals.
    #[serde(default)]
    pub familiar: Vec<String>,
    /// Lines of routes that were offered for this before, in the same form: they are not offered again while there are others.
    #[serde(default)]
    pub shown: Vec<String>,
    /// When the walk begins, in milliseconds since 1970: the season for the advice, and whether it is dark.
    #[serde(default)]
    pub at: Option<i64>,
}

/// How fast a person walks (SPEC 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Pace {
    /// A stroll at 2.5 mph.
    Slow,
    /// The normal pace of 3 mph.
    Normal,
    /// A brisk 3.5 mph.
    Fast,
}

/// How large a dog is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum DogSize {
    /// Up to 25 lb.
    Small,
    /// Up to 60 lb.
    Medium,
    /// More than 60 lb.
    Large,
}

/// Wishes for a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Preferences {
    /// Away from streets with much traffic.
    pub avoid_highways: bool,
    /// Through parks and woods.
    pub prefer_parks: bool,
    /// Past water to drink.
    pub include_water_stops: bool,
    /// Along ways under trees.
    pub shaded_paths: bool,
    /// Up and down, or not.
    pub hilliness: Hilliness,
    /// True for a stroller or a wheelchair: without steps, on firm ground.
    #[serde(default)]
    pub on_wheels: bool,
}

impl Preferences {
    /// Returns true if it matters how much a route climbs.
    pub(super) fn cares_for_hills(self) -> bool {
        self.hilliness != Hilliness::Any
    }
}

/// Wish about hills.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Hilliness {
    /// As flat as can be.
    Flat,
    /// It does not matter.
    Any,
    /// Up and down.
    Hilly,
}

impl RouteRequest {
    /// Returns a request for a person without a dog, who wants nothing of the way but to get there.
    pub(super) fn alone(start_location: Place) -> Self {
        Self {
            duration: MAX_MINUTES,
            start_location,
            pace: Pace::Normal,
            preferences: Preferences {
                avoid_highways: false,
                prefer_parks: false,
                include_water_stops: false,
                shaded_paths: false,
                hilliness: Hilliness::Any,
                on_wheels: false,
            },
            dog_count: 1,
            dog_sizes: Vec::new(),
            towards: None,
            seed: 0,
            via: Vec::new(),
            familiar: Vec::new(),
            shown: Vec::new(),
            at: None,
        }
    }

    /// Returns the time of the walk in milliseconds.
    pub fn budget_ms(&self) -> u32 {
        self.duration.clamp(MIN_MINUTES, MAX_MINUTES) * 60_000
    }

    /// How far one gets in that time on flat ground, in meters.
    pub(crate) fn length_m(&self) -> f64 {
        f64::from(self.budget_ms()) * f64::from(self.speed_mm_s()) / 1e6
    }

    /// How fast this walk is on flat ground, in millimeters per second: 10 percent less for each dog after the first, up to
    /// 30 percent (SPEC 9).
    pub fn speed_mm_s(&self) -> u32 {
        let tenths_mph = match self.pace {
            Pace::Slow => 25,
            Pace::Normal => 30,
            Pace::Fast => 35,
        };
        let extra = self.dog_count.saturating_sub(1).min(3);
        let percent = 100 - 10 * extra;
        tenths_mph * METERS_PER_MILE * percent / SECONDS_PER_HOUR
    }
}

#[cfg(test)]
impl RouteRequest {
    /// Returns a request with the wishes that most people have, with one dog.
    pub(crate) fn plain(minutes: u32, start: Place) -> Self {
        let anybody = Self::alone(start);
        Self {
            duration: minutes,
            preferences: Preferences {
                avoid_highways: true,
                prefer_parks: true,
                ..anybody.preferences
            },
            ..anybody
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed(pace: Pace, dog_count: u32) -> u32 {
        let start = Place {
            lat_e7: 0,
            lon_e7: 0,
        };
        let request = RouteRequest {
            pace,
            dog_count,
            ..RouteRequest::plain(30, start)
        };
        request.speed_mm_s()
    }

    #[test]
    fn three_miles_an_hour_are_1_34_meters_a_second() {
        assert_eq!(speed(Pace::Normal, 1), 1340);
        assert_eq!(speed(Pace::Slow, 1), 1117);
        assert_eq!(speed(Pace::Fast, 1), 1564);
    }

    #[test]
    fn every_further_dog_takes_a_tenth_up_to_three() {
        assert_eq!(speed(Pace::Normal, 2), 1206);
        assert_eq!(speed(Pace::Normal, 4), 938);
        assert_eq!(speed(Pace::Normal, 9), 938);
    }
}
