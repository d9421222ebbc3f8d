//! Owns the plain search for loops: step by step from the start and home again, no place twice. It finds the one loop that
//! there is where shortest ways, of which `loops` makes its own, all lead over the same shortcut.

use super::candidate::{Loop, LoopQuery, Scratch, measured};
use super::graph::{Arc, NodeIdx};
use super::search::{Direction, NO_PENALTY};

/// How long is looked.
#[derive(Clone, Copy)]
pub(super) struct Patience {
    /// So many steps are taken from each exit of the start.
    pub(super) steps: u32,
    /// So many of the loops found are measured.
    pub(super) measured: usize,
}

/// Patience for one start; it takes some milliseconds.
pub(super) const PATIENT: Patience = Patience {
    steps: 12_000,
    measured: 48,
};

/// Patience for each of several starts.
pub(super) const QUICK: Patience = Patience {
    steps: 3_000,
    measured: 6,
};

/// A way around, before it is measured.
struct Round {
    off_ms: u32,
    /// Its cost for each thousand milliseconds.
    disliked: u64,
    arcs: Vec<Arc>,
}

/// A place on the way and which of its exits is next.
struct Turn {
    node: NodeIdx,
    next: usize,
    time_ms: u32,
}

/// Loops from the start that pass no node twice, in any order.
pub(super) fn simple_loops(
    query: &LoopQuery,
    patience: Patience,
    scratch: &mut Scratch,
) -> Vec<Loop> {
    let LoopQuery {
        graph,
        weights,
        home,
        ..
    } = *query;
    let Some(budget_ms) = query.budget_ms.checked_sub(query.stem_ms()) else {
        return Vec::new();
    };
    let slack_ms = (f64::from(query.budget_ms) * query.tolerance) as u32;
    let longest_ms = budget_ms.saturating_add(slack_ms);
    scratch.to_home.run(
        graph,
        weights,
        home,
        Direction::To,
        |_| NO_PENALTY,
        |_, time| time <= longest_ms / 2,
    );
    let home_ms = |node: NodeIdx| scratch.to_home.reached(node).map(|it| it.1);
    let component = graph.two_edge_component[home as usize];
    let mut is_on_way = vec![false; graph.nodes.len()];
    let mut rounds: Vec<Round> = Vec::new();
    for first in graph.exits(home) {
        let mut steps = 0;
        let mut arcs: Vec<Arc> = Vec::new();
        let mut turns = Vec::new();
        let is_way_around = |arc: Arc, to: NodeIdx| {
            !graph.edge(arc).is_bridge && graph.two_edge_component[to as usize] == component
        };
        if first.to != home && is_way_around(first.arc, first.to) {
            is_on_way[first.to as usize] = true;
            arcs.push(first.arc);
            turns.push(Turn {
                node: first.to,
                next: 0,
                time_ms: weights.time(first.arc),
            });
        }
        while let Some(turn) = turns.last_mut() {
            steps += 1;
            let exit = graph.exits(turn.node).get(turn.next).copied();
            let Some(exit) = exit.filter(|_| steps < patience.steps) else {
                is_on_way[turn.node as usize] = false;
                turns.pop();
                arcs.pop();
                continue;
            };
            turn.next += 1;
            let time_ms = turn.time_ms + weights.time(exit.arc);
            let is_back = arcs.last().is_some_and(|it| it.edge() == exit.arc.edge());
            if is_back || !is_way_around(exit.arc, exit.to) {
                continue;
            }
            if exit.to == home {
                let off_ms = time_ms.abs_diff(budget_ms);
                if off_ms <= slack_ms {
                    let all = arcs.iter().copied().chain([exit.arc]);
                    let cost: u64 = all.clone().map(|it| u64::from(weights.cost(it))).sum();
                    rounds.push(Round {
                        off_ms,
                        disliked: cost * 1000 / u64::from(time_ms.max(1)),
                        arcs: all.collect(),
                    });
                }
                continue;
            }
            let is_in_time = home_ms(exit.to).is_some_and(|it| time_ms + it <= longest_ms);
            if is_in_time && !is_on_way[exit.to as usize] {
                is_on_way[exit.to as usize] = true;
                arcs.push(exit.arc);
                turns.push(Turn {
                    node: exit.to,
                    next: 0,
                    time_ms,
                });
            }
        }
    }
    // Seconds do not matter, and what is liked does.
    rounds.sort_by_key(|it| (it.off_ms / (slack_ms / 4).max(1), it.disliked));
    rounds.truncate(patience.measured);
    let rounds = rounds.into_iter();
    rounds
        .filter_map(|it| measured(query, scratch, it.arcs))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::testing::{at, town};
    use crate::route::RouteRequest;
    use crate::route::candidate::TOLERANCE;
    use crate::route::candidate::tests::SIDE;
    use crate::route::graph::Graph;
    use crate::route::kind::RouteKind;
    use crate::route::weight::Weights;

    #[test]
    fn a_loop_is_found_that_no_shortest_way_is_a_part_of() {
        let graph = Graph::of(&[town(SIDE, 100)]);
        let request = RouteRequest::plain(30, at(100, 100).place());
        let weights = Weights::of(&graph, &request, Vec::new());
        let query = LoopQuery {
            graph: &graph,
            weights: &weights,
            home: 0,
            end: 0,
            stem: &[],
            lead: &[],
            via: &[],
            over_bridges: false,
            budget_ms: 12 * weights.time(Arc::new(0, false)),
            tolerance: TOLERANCE,
            towards: None,
            seed: 0,
        };
        let mut scratch = Scratch::default();
        scratch.make_room((0.0, 0.0), 2000.0);
        let found = simple_loops(&query, PATIENT, &mut scratch);
        assert!(!found.is_empty());
        assert!(found.iter().any(|it| it.kind == RouteKind::Loop));
        for it in found {
            assert!(it.off <= TOLERANCE && it.repeated == 0.0);
            let ends = it.arcs.first().zip(it.arcs.last()).unwrap();
            assert_eq!((graph.from(*ends.0), graph.to(*ends.1)), (0, 0));
        }
    }
}
