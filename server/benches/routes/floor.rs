//! Owns the floor of a search, by which its time is judged on any machine: one tree of shortest ways from the start and one
//! from each place to turn at, on a plain graph of the same tiles. No loop is closed, measured or chosen.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use walkies_core::map::{Ground, Point};

use crate::network::Network;

/// As many places to turn at as a usual search of the router has at most: one for each eighth of the circle on two rings.
const ANCHORS: usize = 16;
/// How far out they lie, as shares of the walk's length: from inside the router's inner ring to outside its outer one.
const OUT: std::ops::RangeInclusive<f64> = 0.25..=0.42;

/// A network in the form in which it is searched fastest, with the memory of a tree.
pub struct Floor {
    nodes: Vec<Point>,
    /// Meters east and south of the first node.
    plane: Vec<(f64, f64)>,
    /// For each node where its exits begin; one more at the end.
    first: Vec<usize>,
    /// The node that each exit leads to, and its length in millimeters.
    exits: Vec<(u32, u32)>,
    /// Millimeters from the root of the last tree; meaningless where `seen` is not of that tree.
    known: Vec<u32>,
    seen: Vec<u32>,
    n_trees: u32,
}

impl Floor {
    pub fn of(network: &Network) -> Self {
        let nodes = network.nodes.clone();
        let ground = Ground::at(nodes[0]);
        let mut first = vec![0];
        let mut exits = Vec::new();
        for from in &network.exits {
            exits.extend(from.iter().map(|(to, mm)| (*to as u32, *mm as u32)));
            first.push(exits.len());
        }
        Self {
            plane: nodes
                .iter()
                .map(|it| ground.vector_m(nodes[0], *it))
                .collect(),
            known: vec![0; nodes.len()],
            seen: vec![0; nodes.len()],
            n_trees: 0,
            nodes,
            first,
            exits,
        }
    }

    /// Grows the trees for a walk of this length from a node; how many nodes they have reached together.
    pub fn search(&mut self, start: Point, length_m: f64) -> usize {
        let Ok(start) = self.nodes.binary_search(&start) else {
            return 0;
        };
        let length_mm = length_m * 1e3;
        let reached = self.tree(start as u32, start, length_mm);
        let out = |(_, mm): &&(u32, u32)| OUT.contains(&(f64::from(*mm) / length_mm));
        let far: Vec<(u32, u32)> = reached.iter().filter(out).copied().collect();
        let mut n_reached = reached.len();
        for (anchor, mm) in far.iter().step_by(far.len().div_ceil(ANCHORS).max(1)) {
            let left_mm = length_mm - f64::from(*mm);
            n_reached += self.tree(*anchor, start, left_mm).len();
        }
        n_reached
    }

    /// The nodes by way of which `home` can be reached within the limit, with their distances from `root`, nearest first.
    fn tree(&mut self, root: u32, home: usize, limit_mm: f64) -> Vec<(u32, u32)> {
        self.n_trees += 1;
        let home = self.plane[home];
        let mut reached = Vec::new();
        let mut queue = BinaryHeap::from([Reverse(u64::from(root))]);
        self.seen[root as usize] = self.n_trees;
        self.known[root as usize] = 0;
        while let Some(Reverse(next)) = queue.pop() {
            let (gone, node) = ((next >> 32) as u32, next as u32);
            if gone > self.known[node as usize] {
                continue;
            }
            reached.push((node, gone));
            let node = node as usize;
            for (to, mm) in &self.exits[self.first[node]..self.first[node + 1]] {
                let (at, there) = (*to as usize, gone + mm);
                if self.seen[at] == self.n_trees && self.known[at] <= there {
                    continue;
                }
                let crow = (self.plane[at].0 - home.0).hypot(self.plane[at].1 - home.1);
                if f64::from(there) + crow * 1e3 > limit_mm {
                    continue;
                }
                self.seen[at] = self.n_trees;
                self.known[at] = there;
                queue.push(Reverse(u64::from(there) << 32 | u64::from(*to)));
            }
        }
        reached
    }
}
