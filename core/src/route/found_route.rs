//! Owns what a search gives: a route on the graph with its facts.

use super::directions::RouteStep;
use super::facts::Facts;
use super::kind::RouteKind;
use super::notice::Differs;
use super::shape::Shape;
use crate::map::Point;

/// A route on the network.
#[derive(Clone, Debug)]
pub struct FoundRoute {
    /// Kind of the route.
    pub kind: RouteKind,
    /// Milliseconds that it takes.
    pub time_ms: u32,
    /// Length in millimeters.
    pub length_mm: u64,
    /// Millimeters of the way to the first crossing, once.
    pub stem_mm: u64,
    /// Share of the length without the stem that is walked twice.
    pub repeated: f64,
    /// Its line on the ground, measured.
    pub shape: Shape,
    /// Its line, from the start to the start.
    pub line: Vec<Point>,
    /// Instructions on the way.
    pub steps: Vec<RouteStep>,
    /// The street on which it begins, where that has a name.
    pub(super) starts_on: Option<String>,
    /// How it differs from what was asked for.
    pub(super) differs: Differs,
    /// Facts about the route, for its texts.
    pub(super) facts: Facts,
}

impl FoundRoute {
    /// Returns true if it is shorter than asked for because the network has no room for so long.
    pub fn has_no_room(&self) -> bool {
        self.differs.has_no_room
    }

    /// Returns true if it is a loop of another time, since none was found that takes what was asked for.
    pub fn has_other_time(&self) -> bool {
        self.differs.has_other_time
    }

    /// Returns true if it was offered before, and there is no other one.
    pub fn was_shown(&self) -> bool {
        self.differs.was_shown
    }
}
