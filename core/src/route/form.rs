//! Owns what the form of a route begins with, what it makes of what was typed, and its words (SPEC 5, 8 and 9, Route).

use serde::Serialize;

use super::request::{DEFAULT_MINUTES, DogSize, MAX_MINUTES, MIN_MINUTES};
use crate::values::place::Place;

/// Numbers of the route form.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RouteNumbers {
    /// Minutes to choose from.
    pub durations: [u32; 4],
    /// The shortest walk that can be typed, in minutes.
    pub min_minutes: u32,
    /// The longest walk that can be typed, in minutes.
    pub max_minutes: u32,
    /// Minutes that are chosen at first.
    pub default_minutes: u32,
    /// The most dogs on one walk; the fewest are 1.
    pub max_dogs: u32,
    /// City in which a route begins when nothing else is known (SPEC 8: it falls back to a default city).
    pub default_city: City,
}

/// A city to begin in.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct City {
    /// Name of the city.
    pub name: &'static str,
    /// Center of the city.
    pub place: Place,
}

/// More than anybody holds.
const MAX_DOGS: u32 = 12;

/// The words of a route that the specification fixes (SPEC 8, Route).
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RouteTexts {
    /// A route was found.
    pub generated: &'static str,
    /// None could be made.
    pub failed: &'static str,
    /// The directions service did not answer.
    pub service_failed: &'static str,
    /// It answered that there is none.
    pub none_found: &'static str,
}

/// Returns the numbers of the route form.
pub const fn numbers() -> RouteNumbers {
    RouteNumbers {
        durations: [15, 30, 45, 60],
        min_minutes: MIN_MINUTES,
        max_minutes: MAX_MINUTES,
        default_minutes: DEFAULT_MINUTES,
        max_dogs: MAX_DOGS,
        default_city: City {
            name: "New York",
            place: Place {
                lat_e7: 407_128_000,
                lon_e7: -740_060_000,
            },
        },
    }
}

/// The words of a route.
pub const fn texts() -> RouteTexts {
    RouteTexts {
        generated: "Route generated successfully!",
        failed: "Failed to generate route. Please try again.",
        service_failed: "Failed to get route from mapping service",
        none_found: "No routes found",
    }
}

/// Whole minutes, 5 to 120, of what was typed; 30 for what is no number (SPEC 5).
pub fn minutes(typed: Option<f64>) -> u32 {
    match typed {
        Some(minutes) if minutes.is_finite() => {
            let whole = minutes.round();
            whole.clamp(f64::from(MIN_MINUTES), f64::from(MAX_MINUTES)) as u32
        }
        _ => DEFAULT_MINUTES,
    }
}

impl DogSize {
    /// By its weight in pounds.
    pub fn of(pounds: f64) -> Self {
        if pounds <= 25.0 {
            Self::Small
        } else if pounds <= 60.0 {
            Self::Medium
        } else {
            Self::Large
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_within_limits_and_thirty_where_it_is_no_number() {
        assert_eq!(minutes(Some(42.4)), 42);
        assert_eq!(minutes(Some(1.0)), 5);
        assert_eq!(minutes(Some(1e9)), 120);
        assert_eq!(minutes(Some(-3.0)), 5);
        assert_eq!(minutes(Some(f64::NAN)), 30);
        assert_eq!(minutes(None), 30);
    }

    #[test]
    fn the_form_offers_what_the_specification_lists() {
        let numbers = numbers();
        assert_eq!(numbers.durations, [15, 30, 45, 60]);
        let range = (numbers.min_minutes, numbers.max_minutes);
        assert_eq!((range, numbers.default_minutes), ((5, 120), 30));
        assert_eq!(numbers.max_dogs, 12);
        assert_eq!(
            texts().failed,
            "Failed to generate route. Please try again."
        );
    }

    #[test]
    fn a_dog_has_a_size_by_its_weight() {
        assert_eq!(DogSize::of(12.0), DogSize::Small);
        assert_eq!(DogSize::of(60.0), DogSize::Medium);
        assert_eq!(DogSize::of(95.0), DogSize::Large);
    }
}
