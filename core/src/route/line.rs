//! Owns lines of a route on the ground: its points, and in which sector of directions one lies.

use super::graph::{Arc, Graph};

/// Directions are told apart by eighths of the circle.
pub(super) const SECTORS: usize = 8;

/// Returns the eighth of the circle in which a direction lies, clockwise; 0 is around the north.
pub(super) fn sector(east: f64, north: f64) -> usize {
    // tan(22.5 degrees): where the diagonal's sector begins.
    const TAN: f64 = 0.414_213_562_373_095_1;
    let (x, y) = (east.abs(), north.abs());
    if x <= y * TAN {
        if north >= 0.0 { 0 } else { 4 }
    } else if y <= x * TAN {
        if east >= 0.0 { 2 } else { 6 }
    } else {
        match (east >= 0.0, north >= 0.0) {
            (true, true) => 1,
            (true, false) => 3,
            (false, false) => 5,
            (false, true) => 7,
        }
    }
}

/// The line of a way in the plane of its graph.
pub(super) fn line_of(graph: &Graph, arcs: &[Arc]) -> Vec<(f64, f64)> {
    let mut line = Vec::new();
    for arc in arcs {
        if line.is_empty() {
            line.push(graph.plane(graph.node(graph.from(*arc)).at));
        }
        let via = graph.via(arc.edge());
        if arc.is_backward() {
            line.extend(via.iter().rev().map(|it| graph.plane(*it)));
        } else {
            line.extend(via.iter().map(|it| graph.plane(*it)));
        }
        line.push(graph.plane(graph.node(graph.to(*arc)).at));
    }
    line
}

/// The length of a way in millimeters.
pub(super) fn length_mm(graph: &Graph, arcs: &[Arc]) -> u64 {
    let lengths = arcs.iter().map(|it| u64::from(graph.edge(*it).length_mm));
    lengths.sum()
}

/// The share of a way that is walked a second time.
pub(super) fn twice(graph: &Graph, arcs: &[Arc]) -> f64 {
    let mut walked: Vec<u32> = arcs.iter().map(|it| it.edge()).collect();
    walked.sort_unstable();
    let again = walked.windows(2).filter(|it| it[0] == it[1]);
    let again = again.map(|it| u64::from(graph.edges[it[0] as usize].length_mm));
    again.sum::<u64>() as f64 / length_mm(graph, arcs).max(1) as f64
}
