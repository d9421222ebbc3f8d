//! Owns the way out that is the way home: what is left where no loop is, at exactly the time that was asked for.

use super::graph::{Arc, Exit, Graph, NodeIdx};
use super::line::{SECTORS, sector};
use super::search::{Direction, NO_PENALTY, Search};
use super::weight::{SIGNAL_MS, Weights};
use crate::map::Crossing;

/// Bonus of a turning point for its way as the crow flies, as a share of the walk: there and back on winding ways leads
/// nowhere.
const STRAIGHT: f64 = 0.3;

/// Penalty for as much climb as is usual there, for those who want it flat; for those who want hills a bonus.
const HILLS: f64 = 2.0;

/// Place at which a walk there and back turns.
#[derive(Clone, Debug)]
pub(super) struct TurningPoint {
    /// Arcs from the door to the node before it.
    pub(super) out: Vec<Arc>,
    /// The arc on which it turns.
    pub(super) on: Arc,
    /// How far along that arc, as a share of its length.
    pub(super) share: f64,
    /// Eighth of the circle in which it turns.
    pub(super) sector: usize,
    score: f64,
}

impl TurningPoint {
    /// Returns true if the ways to both points begin with the same edge.
    pub(super) fn leaves_as(&self, other: &Self) -> bool {
        let first = |it: &Self| it.out.first().unwrap_or(&it.on).edge();
        first(self) == first(other)
    }
}

/// Places at which walks there and back turn.
#[derive(Clone, Debug, Default)]
pub(super) struct TurningPoints {
    /// The nicest in each eighth of the circle, the nicest first; none where the network ends too early.
    pub(super) points: Vec<TurningPoint>,
    /// The farthest end of the network, where that is too near, and the milliseconds there and back.
    pub(super) farthest: Option<(u32, TurningPoint)>,
}

/// Returns the arcs with which the ways to all these points begin.
pub(super) fn common_way(points: &[TurningPoint]) -> &[Arc] {
    let Some((first, others)) = points.split_first() else {
        return &[];
    };
    let same = |it: &TurningPoint| {
        first
            .out
            .iter()
            .zip(&it.out)
            .take_while(|(a, b)| a == b)
            .count()
    };
    let n_same = others.iter().map(same).min();
    &first.out[..n_same.unwrap_or(0)]
}

/// Finds where a walk there and back of so many milliseconds can turn.
pub(super) fn turning_points(
    graph: &Graph,
    weights: &Weights,
    door: NodeIdx,
    budget_ms: u32,
) -> TurningPoints {
    let mut tree = Search::default();
    tree.run(
        graph,
        weights,
        door,
        Direction::From,
        |_| NO_PENALTY,
        |_, time| time < budget_ms,
    );
    let there_and_back = there_and_back(graph, weights, &tree);
    let mut best: [Option<TurningPoint>; SECTORS] = Default::default();
    let mut farthest: Option<(u32, TurningPoint)> = None;
    for node in tree.settled() {
        let by = tree.by(*node);
        let there = there_and_back[*node as usize];
        let Some(left_ms) = budget_ms.checked_sub(there.time_ms) else {
            continue;
        };
        for exit in graph.exits(*node) {
            if by != Arc::NONE && exit.arc.edge() == by.edge() {
                continue;
            }
            let total = there.and(graph, weights, exit.arc);
            let (total_ms, exit_ms) = (total.time_ms, total.time_ms - there.time_ms);
            let (sector, score) = judged(graph, weights, &tree, (door, *node), *exit, &total);
            let turning_point = |share: f64| {
                let mut out = Vec::new();
                tree.path(graph, *node, Direction::From, &mut out);
                TurningPoint {
                    out,
                    on: exit.arc,
                    share,
                    sector,
                    score,
                }
            };
            if left_ms > exit_ms {
                // Of use only where no way is long enough.
                if farthest.as_ref().is_none_or(|it| total_ms > it.0) {
                    farthest = Some((total_ms, turning_point(1.0)));
                }
            } else if best[sector].as_ref().is_none_or(|it| score < it.score) {
                let share = share(graph, weights, exit.arc, left_ms);
                best[sector] = Some(turning_point(share));
            }
        }
    }
    let mut points: Vec<TurningPoint> = best.into_iter().flatten().collect();
    points.sort_by(|a, b| a.score.total_cmp(&b.score));
    TurningPoints { points, farthest }
}

/// Sums over a way, there and back.
#[derive(Clone, Copy, Default)]
struct ThereAndBack {
    time_ms: u32,
    length_m: f64,
    climb_m: f64,
}

impl ThereAndBack {
    /// With one more arc.
    fn and(&self, graph: &Graph, weights: &Weights, arc: Arc) -> Self {
        let edge = graph.edge(arc);
        let climb_m: u16 = edge.climb_m.iter().sum();
        Self {
            time_ms: self.time_ms + both_ways_ms(weights, arc),
            length_m: self.length_m + f64::from(edge.length_mm) * 2.0 / 1e3,
            climb_m: self.climb_m + f64::from(climb_m),
        }
    }
}

/// The way of a tree to each of its nodes.
fn there_and_back(graph: &Graph, weights: &Weights, tree: &Search) -> Vec<ThereAndBack> {
    let mut ways = vec![ThereAndBack::default(); graph.nodes.len()];
    for node in tree.settled() {
        let by = tree.by(*node);
        if by != Arc::NONE {
            ways[*node as usize] = ways[graph.from(by) as usize].and(graph, weights, by);
        }
    }
    ways
}

fn both_ways_ms(weights: &Weights, arc: Arc) -> u32 {
    weights.time(arc) + weights.time(arc.reversed())
}

/// The eighth of the circle in which a turn on an exit of a node lies, and what counts against it.
fn judged(
    graph: &Graph,
    weights: &Weights,
    tree: &Search,
    (door, node): (NodeIdx, NodeIdx),
    exit: Exit,
    total: &ThereAndBack,
) -> (usize, f64) {
    let total_ms = total.time_ms;
    let (start, to) = (graph.node(door), graph.node(exit.to));
    let (x, y) = (to.x - start.x, to.y - start.y);
    let crow_ms = (x * x + y * y).sqrt() * 2e6 / f64::from(weights.speed_mm_s);
    let straight = crow_ms / f64::from(total_ms.max(1));
    let cost = tree.reached(node).map_or(0, |it| it.0) + weights.cost(exit.arc);
    let liked = f64::from(cost) * 2.0 / f64::from(total_ms.max(1));
    let hills = HILLS * weights.climb_score(total.climb_m, total.length_m);
    (sector(x, y), liked + hills - STRAIGHT * straight)
}

/// How far along an arc one turns to be back at its beginning after so many milliseconds.
fn share(graph: &Graph, weights: &Weights, arc: Arc, ms: u32) -> f64 {
    let waits =
        |node: NodeIdx| u32::from(graph.node(node).crossing == Crossing::Signals) * SIGNAL_MS;
    let (near, far) = (waits(graph.from(arc)), waits(graph.to(arc)));
    let walking = both_ways_ms(weights, arc).saturating_sub(near + far);
    (f64::from(ms.saturating_sub(near)) / f64::from(walking.max(1))).min(1.0)
}
