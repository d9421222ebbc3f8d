//! Owns the question which ways a person walked of late.

use super::graph::{Arc, EdgeIdx, Graph};
use super::grid::Grid;
use super::shape::samples;
use super::snap::EdgeIndex;
use crate::map::Point;
use crate::values::encoded_line;

/// A walk's line lies so near the way that was walked; the other sidewalk is as familiar.
const NEAR_M: f64 = 18.0;
/// So much of an edge has to lie there: streets that were crossed are not known by it.
const MOST: f64 = 0.7;
/// No two points of a line that a walk left lie farther apart.
const LONGEST_M: f64 = 2000.0;

/// Nobody walked more samples of late: a thousand kilometers.
const MOST_SAMPLES: usize = 100_000;

/// The edges that lie along the lines of recent walks, sorted; what lies farther than `reach_m` from `around` is left out.
pub(super) fn familiar(
    graph: &Graph,
    index: &EdgeIndex,
    lines: &[String],
    around: (f64, f64),
    reach_m: f64,
) -> Vec<EdgeIdx> {
    let in_reach =
        |(x, y): &(f64, f64)| (x - around.0).abs() < reach_m && (y - around.1).abs() < reach_m;
    let mut grid = Grid::around(around, reach_m);
    grid.clear();
    let mut walked: Vec<(f64, f64)> = Vec::new();
    for line in lines.iter().filter_map(|it| encoded_line::decode(it)) {
        if walked.len() > MOST_SAMPLES {
            break;
        }
        let line: Vec<_> = line.iter().map(|it| graph.plane(Point::at(*it))).collect();
        for pair in line.windows(2) {
            let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            if in_reach(&pair[0]) && dx * dx + dy * dy < LONGEST_M * LONGEST_M {
                walked.extend(samples(pair).into_iter().filter(in_reach));
            }
        }
    }
    walked.truncate(MOST_SAMPLES);
    let mut edges: Vec<EdgeIdx> = Vec::new();
    for (number, at) in (0..).zip(&walked) {
        grid.put(*at, number);
        edges.extend(index.near(*at, NEAR_M));
    }
    edges.sort_unstable();
    edges.dedup();
    let is_near = |at: &(f64, f64)| {
        grid.any_near(*at, |other| {
            let other = walked[other as usize];
            (other.0 - at.0).powi(2) + (other.1 - at.1).powi(2) < NEAR_M * NEAR_M
        })
    };
    edges.retain(|edge| {
        let line = graph.line(Arc::new(*edge, false));
        let line: Vec<_> = line.iter().map(|it| graph.plane(*it)).collect();
        let all = samples(&line);
        let near = all.iter().filter(|it| is_near(it)).count();
        near as f64 >= MOST * all.len() as f64
    });
    edges
}
