//! Owns what a search gives: a route on the graph with its facts.

use super::directions::RouteStep;
use super::facts::Facts;
use super::kind::RouteKind;
use super::shape::Shape;
use crate::map::Point;

/// A route on the network.
#[derive(Clone, Debug)]
pub struct FoundRoute {
    /// What it is.
    pub kind: RouteKind,
    /// Milliseconds that it takes.
    pub time_ms: u32,
    /// Millimeters.
    pub length_mm: u64,
    /// Millimeters of the way to the first crossing, once.
    pub stem_mm: u64,
    /// Share of the length without the stem that is walked twice.
    pub repeated: f64,
    /// Its line on the ground, measured.
    pub shape: Shape,
    /// Its line, from the start to the start.
    pub line: Vec<Point>,
    /// What to say on the way.
    pub steps: Vec<RouteStep>,
    /// What it is like.
    pub(super) facts: Facts,
}
