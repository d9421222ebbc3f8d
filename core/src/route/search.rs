//! Owns Dijkstra's search on a graph, within a limit of time, with memory that is used again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::{Arc, Graph, NodeIdx};
use super::weight::Weights;

/// A tree of cheapest ways from one node, or to it.
#[derive(Default)]
pub(super) struct Search {
    epoch: u32,
    seen: Vec<u32>,
    label: Vec<Label>,
    settled: Vec<NodeIdx>,
    heap: BinaryHeap<Reverse<u64>>,
}

#[derive(Clone, Copy)]
struct Label {
    cost: u32,
    time: u32,
    by: Arc,
    done: bool,
}

/// A penalty for what must not be walked.
pub(super) const NEVER: u32 = u32::MAX;

/// Whether ways lead from the root or to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    From,
    To,
}

impl Search {
    /// Finds the cheapest ways between `root` and every node; those of which `keep(node, milliseconds)` says no are left out.
    /// `penalty(arc)` makes an arc dearer by so many eighths.
    pub(super) fn run(
        &mut self,
        graph: &Graph,
        weights: &Weights,
        root: NodeIdx,
        direction: Direction,
        penalty: impl Fn(Arc) -> u32,
        keep: impl Fn(NodeIdx, u32) -> bool,
    ) {
        self.epoch += 1;
        let n_nodes = graph.nodes.len();
        if self.seen.len() < n_nodes {
            self.seen.resize(n_nodes, 0);
            let nothing = Label {
                cost: 0,
                time: 0,
                by: Arc::NONE,
                done: false,
            };
            self.label.resize(n_nodes, nothing);
        }
        self.settled.clear();
        self.heap.clear();
        self.seen[root as usize] = self.epoch;
        self.label[root as usize] = Label {
            cost: 0,
            time: 0,
            by: Arc::NONE,
            done: false,
        };
        self.heap.push(Reverse(u64::from(root)));
        while let Some(Reverse(top)) = self.heap.pop() {
            let node = top as u32;
            let label = &mut self.label[node as usize];
            if label.done {
                continue;
            }
            label.done = true;
            let Label { cost, time, by, .. } = *label;
            self.settled.push(node);
            for exit in graph.exits(node) {
                if by != Arc::NONE && exit.arc.edge() == by.edge() {
                    continue;
                }
                let arc = match direction {
                    Direction::From => exit.arc,
                    Direction::To => exit.arc.reversed(),
                };
                let penalty = penalty(arc);
                if penalty == NEVER {
                    continue;
                }
                let time = time + weights.time(arc);
                let mut cost = cost.saturating_add(weights.cost(arc).saturating_mul(penalty) / 8);
                // The label is the node's and not the arc's, so that this is no exact sum: it makes ways straight all the same.
                if by != Arc::NONE && weights.turn > 0 {
                    let back = match direction {
                        Direction::From => by.reversed(),
                        Direction::To => by,
                    };
                    if graph.is_turn(back, exit.arc) {
                        cost = cost.saturating_add(weights.turn);
                    }
                }
                let to = exit.to as usize;
                let known = self.seen[to] == self.epoch;
                if known && (self.label[to].done || self.label[to].cost <= cost) {
                    continue;
                }
                if !keep(exit.to, time) {
                    continue;
                }
                self.seen[to] = self.epoch;
                self.label[to] = Label {
                    cost,
                    time,
                    by: arc,
                    done: false,
                };
                self.heap
                    .push(Reverse(u64::from(cost) << 32 | u64::from(exit.to)));
            }
        }
    }

    /// Nodes in the order of their cost.
    pub(super) fn settled(&self) -> &[NodeIdx] {
        &self.settled
    }

    /// Cost and milliseconds of the way; `None` where there is none within the limit.
    pub(super) fn reached(&self, node: NodeIdx) -> Option<(u32, u32)> {
        let seen = self
            .seen
            .get(node as usize)
            .is_some_and(|it| *it == self.epoch);
        let label = self.label.get(node as usize)?;
        (seen && label.done).then_some((label.cost, label.time))
    }

    /// The arc by which the way comes to a node, or leaves it; `Arc::NONE` at the root.
    pub(super) fn by(&self, node: NodeIdx) -> Arc {
        self.label[node as usize].by
    }

    /// Appends the arcs of the way between the root and a node, in the order in which they are walked.
    pub(super) fn path(
        &self,
        graph: &Graph,
        node: NodeIdx,
        direction: Direction,
        to: &mut Vec<Arc>,
    ) {
        let first = to.len();
        let mut at = node;
        loop {
            let arc = self.by(at);
            if arc == Arc::NONE {
                break;
            }
            to.push(arc);
            at = match direction {
                Direction::From => graph.from(arc),
                Direction::To => graph.to(arc),
            };
        }
        if direction == Direction::From {
            to[first..].reverse();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::WayKind;
    use crate::map::testing::{at, town};
    use crate::route::RouteRequest;

    #[test]
    fn a_way_that_is_a_little_nicer_is_not_worth_a_turn_at_every_corner() {
        const SIDE: u32 = 6;
        let mut tile = town(SIDE, 100);
        for edge in &mut tile.network.edges {
            let (row, column) = (edge.from / SIDE, edge.from % SIDE);
            let is_stair = if edge.to == edge.from + 1 {
                column == row
            } else {
                column == row + 1
            };
            if is_stair {
                edge.way.kind = WayKind::Footway;
            }
        }
        let graph = Graph::of(&[tile]);
        let request = RouteRequest::plain(30, at(100, 100).place());
        let weights = Weights::of(&graph, &request, Vec::new());
        for direction in [Direction::From, Direction::To] {
            let mut tree = Search::default();
            tree.run(&graph, &weights, 0, direction, |_| 8, |_, _| true);
            let mut way = Vec::new();
            tree.path(&graph, SIDE * SIDE - 1, direction, &mut way);
            assert_eq!(way.len(), 2 * (SIDE as usize - 1));
            let is_turn = |it: &&[Arc]| graph.is_turn(it[0].reversed(), it[1]);
            assert_eq!(way.windows(2).filter(is_turn).count(), 1);
        }
    }
}
