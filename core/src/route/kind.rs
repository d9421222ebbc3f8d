//! Owns what a route is called: a loop, or something less.

use serde::{Deserialize, Serialize};

/// A loop to which the way takes more than this share of the time, there and back, is called what it is.
const LONG_STEM: f64 = 0.25;
/// A loop of which a larger share is walked a second time is none.
const MUCH_REPEATED: f64 = 0.05;
/// Nor is one of which more than a quarter lies beside another part of it, each of both counted: less, since of a short loop
/// that share is known to a few hundredths alone.
const MUCH_BESIDE: f64 = 0.22;

/// Nor is one of which a larger share lies beside another part of it if the stem is counted, too.
const MUCH_WITH_STEM: f64 = 0.28;

/// A walk of which a larger share is walked a second time is one there and back.
const MOSTLY_TWICE: f64 = 0.35;

/// Kind of a route: a loop, or something less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum RouteKind {
    /// Around, and home another way than out.
    Loop,
    /// A loop at the end of a way that is walked twice.
    Lollipop,
    /// Out, and the same way home.
    ThereAndBack,
    /// Home from where one is.
    OneWay,
}

/// The share of a way that is walked a second time: on the other side of the street, too, where that is much.
pub(super) fn twice_by(repeated: f64, beside: f64) -> f64 {
    if beside > MUCH_BESIDE {
        repeated.max(beside / 2.0)
    } else {
        repeated
    }
}

/// Kind of a way whose first part is walked twice as a stem of this share. Of the rest so much is walked twice, and so much
/// lies beside another part of it.
pub(super) fn kind_by(stem: f64, repeated: f64, beside: f64) -> RouteKind {
    let both_ways = 2.0 * stem;
    let again = twice_by(repeated, beside);
    if stem + again > MOSTLY_TWICE {
        RouteKind::ThereAndBack
    } else if both_ways > LONG_STEM
        || again > MUCH_REPEATED
        || both_ways + beside * (1.0 - both_ways) > MUCH_WITH_STEM
    {
        RouteKind::Lollipop
    } else {
        RouteKind::Loop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_is_one_up_to_a_twentieth_that_is_walked_again() {
        let kind = |repeated| kind_by(0.0, repeated, 0.0);
        assert_eq!([0.0, 0.05].map(kind), [RouteKind::Loop; 2]);
        assert_eq!([0.051, 0.35].map(kind), [RouteKind::Lollipop; 2]);
        assert_eq!(kind(0.36), RouteKind::ThereAndBack);
    }

    #[test]
    fn a_way_to_a_loop_and_what_lies_side_by_side_count_together() {
        assert_eq!(kind_by(0.12, 0.0, 0.0), RouteKind::Loop);
        assert_eq!(kind_by(0.0, 0.0, 0.2), RouteKind::Loop);
        assert_eq!(kind_by(0.1, 0.0, 0.15), RouteKind::Lollipop);
    }
}
