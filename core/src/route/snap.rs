//! Owns the question which way is nearest to a place.

use super::graph::{Arc, EdgeIdx, Graph};
use crate::map::{Point, WayKind};

/// No walk begins farther from a way than this, in meters.
pub const MAX_SNAP_M: f64 = 250.0;

/// A part of the network with fewer meters of ways is an island.
const ISLAND_M: f64 = 2000.0;

/// A larger network comes before an island that is nearer if it is no more than this farther away: one steps over a
/// courtyard's path to the street, but does not set out from another neighborhood.
const BEYOND_ISLAND_M: f64 = 50.0;

/// A door on a road that has no place for walkers is on the way for walkers beside it that is no more than this farther away.
const BESIDE_ROAD_M: f64 = 35.0;

const CELL_M: f64 = 50.0;

/// The nearest place on a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Snap {
    pub(super) edge: EdgeIdx,
    /// Share of the edge's length before it.
    pub(super) share: f64,
    pub(super) distance_m: f64,
}

/// Edges by where they are: cells of 50 m with the edges that touch them.
#[derive(Clone, Debug, Default)]
pub(super) struct EdgeIndex {
    west: f64,
    south: f64,
    columns: usize,
    rows: usize,
    /// Edges of cell `i`, row by row from the south-west, are `edges[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    edges: Vec<EdgeIdx>,
}

impl EdgeIndex {
    /// Indexes all edges of a graph.
    pub(super) fn of(graph: &Graph) -> Self {
        let mut pairs: Vec<(u32, EdgeIdx)> = Vec::new();
        let xs = || graph.nodes.iter().map(|it| it.x);
        let ys = || graph.nodes.iter().map(|it| it.y);
        let (west, east) = (xs().fold(f64::MAX, f64::min), xs().fold(f64::MIN, f64::max));
        let (south, north) = (ys().fold(f64::MAX, f64::min), ys().fold(f64::MIN, f64::max));
        if graph.nodes.is_empty() {
            return Self::default();
        }
        let mut index = Self {
            west,
            south,
            columns: ((east - west) / CELL_M) as usize + 1,
            rows: ((north - south) / CELL_M) as usize + 1,
            ..Self::default()
        };
        for edge in 0..graph.edges.len() as EdgeIdx {
            let line = graph.line(Arc::new(edge, false));
            for pair in line.windows(2) {
                let (from, to) = (graph.plane(pair[0]), graph.plane(pair[1]));
                let from_cell = index.cell(from.0.min(to.0), from.1.min(to.1));
                let to_cell = index.cell(from.0.max(to.0), from.1.max(to.1));
                for row in from_cell.1..=to_cell.1 {
                    for column in from_cell.0..=to_cell.0 {
                        pairs.push(((row * index.columns + column) as u32, edge));
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        index.first = vec![0; index.columns * index.rows + 1];
        for (cell, _) in &pairs {
            index.first[*cell as usize + 1] += 1;
        }
        for cell in 1..index.first.len() {
            index.first[cell] += index.first[cell - 1];
        }
        index.edges = pairs.into_iter().map(|(_, edge)| edge).collect();
        index
    }

    fn cell(&self, x: f64, y: f64) -> (usize, usize) {
        let column = ((x - self.west) / CELL_M).max(0.0) as usize;
        let row = ((y - self.south) / CELL_M).max(0.0) as usize;
        (
            column.min(self.columns.saturating_sub(1)),
            row.min(self.rows.saturating_sub(1)),
        )
    }

    /// Edges that come within `reach_m` of a place, some more, each at least once.
    pub(super) fn near(&self, (x, y): (f64, f64), reach_m: f64) -> impl Iterator<Item = EdgeIdx> {
        let from = self.cell(x - reach_m, y - reach_m);
        let to = self.cell(x + reach_m, y + reach_m);
        let rows = if self.first.is_empty() {
            0..0
        } else {
            from.1..to.1 + 1
        };
        rows.flat_map(move |row| (from.0..=to.0).map(move |column| row * self.columns + column))
            .flat_map(|cell| &self.edges[self.first[cell] as usize..self.first[cell + 1] as usize])
            .copied()
    }

    /// The nearest place on a way within 250 m, or one of a larger network that is little farther away than an island, and
    /// beside a road that has no place for walkers. Where a `component` is given, one of that part of the network.
    pub(super) fn snap(&self, graph: &Graph, point: Point, component: Option<u32>) -> Option<Snap> {
        let (nearest, larger) = self.candidates(graph, point, component);
        let is_near = |it: &Snap| {
            nearest.is_some_and(|nearest| it.distance_m <= nearest.distance_m + BEYOND_ISLAND_M)
        };
        let snap = larger.filter(is_near).or(nearest);
        snap.map(|it| self.beside_road(graph, point, it))
    }

    /// The nearest place within 250 m on a way of a network that is no island.
    pub(super) fn snap_to_larger(&self, graph: &Graph, point: Point) -> Option<Snap> {
        let larger = self.candidates(graph, point, None).1;
        larger.map(|it| self.beside_road(graph, point, it))
    }

    /// The nearest place on a way beside a road that has no place for walkers: what leads over or under the road is none.
    fn beside_road(&self, graph: &Graph, point: Point, on: Snap) -> Snap {
        let edge = |it: EdgeIdx| &graph.edges[it as usize];
        if !edge(on.edge).way.is_among_cars() {
            return on;
        }
        let part = |it: EdgeIdx| graph.component[edge(it).ends[0] as usize];
        let is_open = |it: &EdgeIdx| {
            let way = edge(*it).way;
            let is_beside = !way.bridge
                && !way.tunnel
                && !matches!(way.kind, WayKind::Steps | WayKind::Crossing)
                && !way.is_among_cars();
            is_beside && part(*it) == part(on.edge)
        };
        let place = graph.plane(point);
        let reach_m = (on.distance_m + BESIDE_ROAD_M).min(MAX_SNAP_M);
        let ways = self.near(place, reach_m).filter(is_open);
        let snaps = ways.map(|it| nearest(graph, it, place));
        let beside = snaps.min_by(|a, b| a.distance_m.total_cmp(&b.distance_m));
        beside.filter(|it| it.distance_m <= reach_m).unwrap_or(on)
    }

    /// The nearest place on any way within 250 m, and the nearest on a way of a network that is no island.
    fn candidates(
        &self,
        graph: &Graph,
        point: Point,
        component: Option<u32>,
    ) -> (Option<Snap>, Option<Snap>) {
        let place = graph.plane(point);
        let (mut nearest_of_all, mut nearest_of_larger): (Option<Snap>, Option<Snap>) =
            (None, None);
        for reach in [CELL_M, MAX_SNAP_M] {
            for edge in self.near(place, reach) {
                let snap = nearest(graph, edge, place);
                if snap.distance_m > reach {
                    continue;
                }
                let part = graph.component[graph.edges[edge as usize].ends[0] as usize];
                if component.is_some_and(|it| it != part) {
                    continue;
                }
                let is_nearer =
                    |known: &Option<Snap>| known.is_none_or(|it| snap.distance_m < it.distance_m);
                if is_nearer(&nearest_of_all) {
                    nearest_of_all = Some(snap);
                }
                if graph.component_m[part as usize] >= ISLAND_M && is_nearer(&nearest_of_larger) {
                    nearest_of_larger = Some(snap);
                }
            }
            if nearest_of_larger.is_some() {
                break;
            }
        }
        (nearest_of_all, nearest_of_larger)
    }
}

/// The place of an edge that is nearest to one in the plane.
pub(super) fn nearest(graph: &Graph, edge: EdgeIdx, (x, y): (f64, f64)) -> Snap {
    let line = graph.line(Arc::new(edge, false));
    let mut best = (f64::MAX, 0.0);
    let mut gone = 0.0;
    for pair in line.windows(2) {
        let (from, to) = (graph.plane(pair[0]), graph.plane(pair[1]));
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let square = dx * dx + dy * dy;
        let part = if square > 0.0 {
            ((x - from.0) * dx + (y - from.1) * dy) / square
        } else {
            0.0
        };
        let part = part.clamp(0.0, 1.0);
        let (off_x, off_y) = (from.0 + part * dx - x, from.1 + part * dy - y);
        let distance = (off_x * off_x + off_y * off_y).sqrt();
        let piece = square.sqrt();
        if distance < best.0 {
            best = (distance, gone + part * piece);
        }
        gone += piece;
    }
    Snap {
        edge,
        share: if gone > 0.0 { best.1 / gone } else { 0.0 },
        distance_m: best.0,
    }
}
