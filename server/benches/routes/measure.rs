//! Owns how any closed walk is measured, ours and the others' alike: by its line and by nothing that its maker says of it.

use std::collections::BTreeSet;

use walkies_core::map::{Ground, Point};
use walkies_core::route::{Grid, samples, shape};
use walkies_core::values::place::Place;

use crate::network::length_m;

/// Two walks share what lies within so many meters of the other.
const SHARED_M: f64 = 25.0;

/// How a closed walk looks.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    pub length_m: f64,
    /// The way to the first crossing, that has no other: once, in meters.
    pub stem_m: f64,
    /// The share of all but the stem that is walked again.
    pub repeated: f64,
    /// The share that lies within 25 m of another part.
    pub corridor: f64,
    /// The share that lies within 25 m of another part.
    pub beside: f64,
    pub spur_m: f64,
    pub turns_per_km: f64,
    pub compactness: f64,
}

impl Measure {
    pub fn of(line: &[(f64, f64)]) -> Self {
        let line = points(line);
        let stem_m = stem_m(&line);
        let length_m = length_m(&line);
        let plane = plane(&line, &line);
        let mut grid = Grid::around(plane[0], length_m / 2.0 + 100.0);
        let shape = shape(&plane, stem_m, &mut grid);
        Self {
            length_m,
            stem_m,
            repeated: (repeated_m(&line) - stem_m).max(0.0) / (length_m - 2.0 * stem_m).max(1.0),
            corridor: shape.corridor,
            beside: shape.beside,
            spur_m: shape.spur_m,
            turns_per_km: shape.turns_per_km,
            compactness: shape.compactness,
        }
    }
}

/// The share of a walk that lies near another.
pub fn shared(line: &[(f64, f64)], with: &[(f64, f64)]) -> f64 {
    let (line, with) = (points(line), points(with));
    let with = plane(&with, &line);
    let (a, b) = (samples(&plane(&line, &line)), samples(&with));
    let is_near = |a: &&(f64, f64)| b.iter().any(|b| (a.0 - b.0).hypot(a.1 - b.1) < SHARED_M);
    a.iter().filter(is_near).count() as f64 / a.len().max(1) as f64
}

/// The points of the map, without those that lie on the last one.
fn points(line: &[(f64, f64)]) -> Vec<Point> {
    let mut points: Vec<Point> = line
        .iter()
        .filter_map(|(lat, lon)| Place::from_degrees(*lat, *lon).map(Point::at))
        .collect();
    points.dedup();
    points
}

/// Meters east and north of where `home` begins.
fn plane(line: &[Point], home: &[Point]) -> Vec<(f64, f64)> {
    let ground = Ground::at(home[0]);
    line.iter()
        .map(|it| ground.vector_m(home[0], *it))
        .collect()
}

/// How far the walk comes back as it went.
fn stem_m(line: &[Point]) -> f64 {
    let back = line.iter().rev();
    let same = line.iter().zip(back).take_while(|(a, b)| a == b).count();
    length_m(&line[..same.min(line.len().div_ceil(2))])
}

/// Meters of all pieces that were walked before, this way or the other.
fn repeated_m(line: &[Point]) -> f64 {
    let mut walked = BTreeSet::new();
    let pairs = line.windows(2).filter(|it| {
        let ends = (it[0].min(it[1]), it[0].max(it[1]));
        !walked.insert(ends)
    });
    pairs.map(|it| it[0].distance_m(it[1])).sum()
}
