//! Owns the way out that is the way home: what is left where no loop is, at exactly the time that was asked for.

use super::graph::{Arc, Graph, NodeIdx};
use super::line::sector;
use super::search::{Direction, Search};
use super::weight::{SIGNAL_MS, Weights};
use crate::map::Crossing;

/// Where a walk there and back turns.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// From the door to the node before it.
    pub(super) out: Vec<Arc>,
    /// The arc on which it turns.
    pub(super) on: Arc,
    /// How far along that arc, as a share of its length.
    pub(super) share: f64,
    /// Where the network ends too early: a way that is walked before, there and back,
    pub(super) lap: Vec<Arc>,
    /// so many times.
    pub(super) laps: u32,
    /// Eighth of the circle in which it turns.
    pub(super) sector: usize,
    score: f64,
}

/// The nicest turn in each eighth of the circle, the nicest first.
pub(super) fn turns(graph: &Graph, weights: &Weights, door: NodeIdx, budget_ms: u32) -> Vec<Turn> {
    let mut tree = Search::default();
    tree.run(
        graph,
        weights,
        door,
        Direction::From,
        |_| 8,
        |_, time| time < budget_ms,
    );
    let both_ways = |arc: Arc| weights.time(arc) + weights.time(arc.reversed());
    let mut there_and_back = vec![0_u32; graph.nodes.len()];
    let mut best: [Option<Turn>; 8] = Default::default();
    let mut farthest: Option<(u32, Turn)> = None;
    let start = graph.node(door);
    for node in tree.settled() {
        let by = tree.by(*node);
        let gone = if by == Arc::NONE {
            0
        } else {
            there_and_back[graph.from(by) as usize] + both_ways(by)
        };
        there_and_back[*node as usize] = gone;
        if gone > budget_ms {
            continue;
        }
        for exit in graph.exits(*node) {
            if by != Arc::NONE && exit.arc.edge() == by.edge() {
                continue;
            }
            let more = both_ways(exit.arc);
            let left = budget_ms - gone;
            let to = graph.node(exit.to);
            let (x, y) = (to.x - start.x, to.y - start.y);
            let crow_ms = (x * x + y * y).sqrt() * 2e6 / f64::from(weights.speed_mm_s);
            let straight = crow_ms / f64::from((gone + more).max(1));
            let cost = tree.reached(*node).map_or(0, |it| it.0) + weights.cost(exit.arc);
            let liked = f64::from(cost) * 2.0 / f64::from((gone + more).max(1));
            let turn = |share: f64| {
                let mut out = Vec::new();
                tree.path(graph, *node, Direction::From, &mut out);
                Turn {
                    out,
                    on: exit.arc,
                    share,
                    lap: Vec::new(),
                    laps: 0,
                    sector: sector(x, y),
                    score: liked - 0.3 * straight,
                }
            };
            if left > more {
                // Of use only where no way is long enough: to the farthest end and back until the time is over.
                let whole = gone + more;
                if farthest.as_ref().is_none_or(|(known, _)| whole > *known) {
                    farthest = Some((whole, turn(1.0)));
                }
                continue;
            }
            let slot = &mut best[sector(x, y)];
            let score = liked - 0.3 * straight;
            if slot.as_ref().is_none_or(|it| score < it.score) {
                *slot = Some(turn(share(graph, weights, exit.arc, left)));
            }
        }
    }
    let mut turns: Vec<Turn> = best.into_iter().flatten().collect();
    turns.sort_by(|a, b| a.score.total_cmp(&b.score));
    if turns.is_empty() {
        turns.extend(farthest.and_then(|it| to_and_fro(graph, weights, it, budget_ms)));
    }
    turns
}

/// How far along an arc one turns to be back at its beginning after so many milliseconds.
fn share(graph: &Graph, weights: &Weights, arc: Arc, ms: u32) -> f64 {
    let waits =
        |node: NodeIdx| u32::from(graph.node(node).crossing == Crossing::Signals) * SIGNAL_MS;
    let (near, far) = (waits(graph.from(arc)), waits(graph.to(arc)));
    let walking = (weights.time(arc) + weights.time(arc.reversed())).saturating_sub(near + far);
    (f64::from(ms.saturating_sub(near)) / f64::from(walking.max(1))).min(1.0)
}

/// The way to the farthest place as often as the time allows, and for the rest of it a part of that way.
fn to_and_fro(
    graph: &Graph,
    weights: &Weights,
    (whole_ms, farthest): (u32, Turn),
    budget_ms: u32,
) -> Option<Turn> {
    let mut rest = budget_ms % whole_ms.max(1);
    let Turn {
        mut out,
        on,
        sector,
        score,
        ..
    } = farthest;
    out.push(on);
    let lap = out;
    let turn = lap.iter().position(|arc| {
        let both_ways = weights.time(*arc) + weights.time(arc.reversed());
        let fits = rest <= both_ways;
        if !fits {
            rest -= both_ways;
        }
        fits
    })?;
    Some(Turn {
        out: lap[..turn].to_vec(),
        on: lap[turn],
        share: share(graph, weights, lap[turn], rest),
        lap,
        laps: budget_ms / whole_ms.max(1),
        sector,
        score,
    })
}
