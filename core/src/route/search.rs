//! Owns Dijkstra's search on a graph, within a limit of time, with memory that is used again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::graph::{Arc, Graph, NodeIdx};
use super::weight::Weights;

/// Penalties are in eighths of an arc's cost; this one leaves it as it is.
pub(super) const NO_PENALTY: u32 = 8;

/// The penalty of a way that the same walk has walked before: so many times as dear is the same way home.
pub(super) const WALKED: u32 = 8 * NO_PENALTY;

/// The penalty of what must not be walked at all.
pub(super) const FORBIDDEN: u32 = u32::MAX;

/// A tree of cheapest ways from one node, or to it.
#[derive(Default)]
pub(super) struct Search {
    /// Counts the runs: a label counts if `seen` has its run.
    epoch: u32,
    seen: Vec<u32>,
    labels: Vec<NodeLabel>,
    settled: Vec<NodeIdx>,
    /// Cost in the upper half, the node in the lower.
    heap: BinaryHeap<Reverse<u64>>,
}

/// The cheapest way to a node that is known.
#[derive(Clone, Copy)]
struct NodeLabel {
    cost: u32,
    /// Milliseconds of the way.
    time: u32,
    /// The last arc of the way, or its first where ways lead to the root.
    by: Arc,
    is_settled: bool,
}

impl NodeLabel {
    const ROOT: Self = Self {
        cost: 0,
        time: 0,
        by: Arc::NONE,
        is_settled: false,
    };
}

/// Direction of the ways in a tree: from the root, or to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    From,
    To,
}

impl Search {
    /// Finds the cheapest ways between `root` and every node of which `in_reach(node, milliseconds)` says yes.
    /// `penalty(arc)` makes an arc dearer by so many eighths.
    pub(super) fn run(
        &mut self,
        graph: &Graph,
        weights: &Weights,
        root: NodeIdx,
        direction: Direction,
        penalty: impl Fn(Arc) -> u32,
        in_reach: impl Fn(NodeIdx, u32) -> bool,
    ) {
        self.start(graph.nodes.len(), root);
        while let Some(Reverse(top)) = self.heap.pop() {
            let node = top as u32;
            let label = &mut self.labels[node as usize];
            if label.is_settled {
                continue;
            }
            label.is_settled = true;
            let NodeLabel { cost, time, by, .. } = *label;
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
                if penalty == FORBIDDEN {
                    continue;
                }
                let time = time + weights.time(arc);
                let cost = cost
                    .saturating_add(weights.cost(arc).saturating_mul(penalty) / NO_PENALTY)
                    .saturating_add(turn_cost(graph, weights, direction, by, exit.arc));
                let is_better = self.is_better(exit.to, cost);
                if is_better && in_reach(exit.to, time) {
                    self.reach(
                        exit.to,
                        NodeLabel {
                            cost,
                            time,
                            by: arc,
                            is_settled: false,
                        },
                    );
                }
            }
        }
    }

    /// Forgets the last run and begins at a root.
    fn start(&mut self, n_nodes: usize, root: NodeIdx) {
        self.epoch += 1;
        if self.seen.len() < n_nodes {
            self.seen.resize(n_nodes, 0);
            self.labels.resize(n_nodes, NodeLabel::ROOT);
        }
        self.settled.clear();
        self.heap.clear();
        self.reach(root, NodeLabel::ROOT);
    }

    fn is_better(&self, node: NodeIdx, cost: u32) -> bool {
        let node = node as usize;
        let known = &self.labels[node];
        self.seen[node] != self.epoch || !known.is_settled && cost < known.cost
    }

    fn reach(&mut self, node: NodeIdx, label: NodeLabel) {
        self.seen[node as usize] = self.epoch;
        self.labels[node as usize] = label;
        self.heap
            .push(Reverse(u64::from(label.cost) << 32 | u64::from(node)));
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
        let label = self.labels.get(node as usize)?;
        (seen && label.is_settled).then_some((label.cost, label.time))
    }

    /// The arc by which the way comes to a node, or leaves it; `Arc::NONE` at the root.
    pub(super) fn by(&self, node: NodeIdx) -> Arc {
        self.labels[node as usize].by
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

/// Returns the cost of a turn between the arc by which a node was reached and an exit of it; 0 where the way goes
/// straight on.
///
/// The label is the node's and not the arc's, so that sums of these are not exact: they make ways straight all the
/// same.
fn turn_cost(graph: &Graph, weights: &Weights, direction: Direction, by: Arc, exit: Arc) -> u32 {
    if by == Arc::NONE || weights.turn == 0 {
        return 0;
    }
    let back = match direction {
        Direction::From => by.reversed(),
        Direction::To => by,
    };
    if graph.is_turn(back, exit) {
        weights.turn
    } else {
        0
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
            tree.run(&graph, &weights, 0, direction, |_| NO_PENALTY, |_, _| true);
            let mut way = Vec::new();
            tree.path(&graph, SIDE * SIDE - 1, direction, &mut way);
            assert_eq!(way.len(), 2 * (SIDE as usize - 1));
            let is_turn = |it: &&[Arc]| graph.is_turn(it[0].reversed(), it[1]);
            assert_eq!(way.windows(2).filter(is_turn).count(), 1);
        }
    }
}
