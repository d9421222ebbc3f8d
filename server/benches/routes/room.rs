//! Owns the bound of what can be asked: from which places the network has room for a loop at all.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use walkies_core::map::{Point, Tile};

use crate::network::{length_m, lines};

/// A loop may have so much of its length as a stem, once, and walk so much of it a second time; beyond that it is called a
/// lollipop.
const STEM: f64 = 0.125;
const AGAIN: f64 = 0.05;
/// And be so much too long.
const LONGER: f64 = 1.075;

/// The ways of an area.
pub struct Room {
    nodes: Vec<Point>,
    edges: Vec<Edge>,
    /// For each node its edges.
    exits: Vec<Vec<usize>>,
}

struct Edge {
    ends: [usize; 2],
    length_m: f64,
    /// The shortest way around on which it lies; infinite where that is longer than any walk that is asked for.
    around_m: f64,
}

impl Room {
    /// For walks of at most so many meters.
    pub fn of(tiles: &[Tile], longest_m: f64) -> Self {
        let lines: Vec<Vec<Point>> = lines(tiles).collect();
        let ends = lines.iter().flat_map(|it| [it.first(), it.last()]);
        let ends: BTreeSet<Point> = ends.flatten().copied().collect();
        let nodes: Vec<Point> = ends.into_iter().collect();
        let mut exits = vec![Vec::new(); nodes.len()];
        let mut edges = Vec::new();
        for line in &lines {
            let place = |at: Option<&Point>| at.and_then(|it| nodes.binary_search(it).ok());
            if let (Some(from), Some(to)) = (place(line.first()), place(line.last())) {
                exits[from].push(edges.len());
                exits[to].push(edges.len());
                edges.push(Edge {
                    ends: [from, to],
                    length_m: length_m(line),
                    around_m: f64::INFINITY,
                });
            }
        }
        let mut room = Self {
            nodes,
            edges,
            exits,
        };
        for edge in 0..room.edges.len() {
            room.edges[edge].around_m = room.around_m(edge, longest_m * LONGER);
        }
        room
    }

    /// True if a loop of this length may begin at a node: without what is within its reach it cannot, however it is
    /// walked. True does not mean that there is one.
    pub fn may_hold(&self, start: Point, length_m: f64) -> bool {
        let Ok(start) = self.nodes.binary_search(&start) else {
            return true;
        };
        let near = self.within(start, length_m / 2.0, |it| it.length_m);
        // A loop consists of ways around that are no longer than it. Every other way is walked there and back, as a stem or
        // as what is walked again.
        let is_around = |it: &Edge| it.around_m <= length_m * LONGER;
        let dead_m = (STEM + AGAIN / 2.0) * length_m;
        let open = self.within(
            start,
            dead_m,
            |it| if is_around(it) { 0.0 } else { it.length_m },
        );
        let reached = |node: usize| near[node] && open[node];
        let around = self
            .edges
            .iter()
            .filter(|it| is_around(it) && it.ends.iter().any(|node| reached(*node)));
        let around_m: f64 = around.map(|it| it.length_m).sum();
        (1.0 - 2.0 * STEM - AGAIN) * length_m <= around_m
    }

    /// Returns for each node whether it is no farther away than the limit.
    fn within(&self, start: usize, limit_m: f64, cost_m: impl Fn(&Edge) -> f64) -> Vec<bool> {
        let mut known = vec![f64::INFINITY; self.nodes.len()];
        let mut queue = BinaryHeap::from([(Reverse(0), start)]);
        known[start] = 0.0;
        while let Some((_, node)) = queue.pop() {
            for edge in self.exits[node].iter().map(|it| &self.edges[*it]) {
                let to = edge.ends[usize::from(edge.ends[0] == node)];
                let there = known[node] + cost_m(edge);
                if there <= limit_m && there < known[to] {
                    known[to] = there;
                    queue.push((Reverse((there * 1e3) as u64), to));
                }
            }
        }
        known.iter().map(|it| it.is_finite()).collect()
    }

    /// Meters of the shortest way around on which an edge lies.
    fn around_m(&self, edge: usize, longest_m: f64) -> f64 {
        let Edge {
            ends: [from, to],
            length_m,
            ..
        } = self.edges[edge];
        let mut known = BTreeMap::from([(from, 0.0)]);
        let mut queue = BinaryHeap::from([(Reverse(0), from)]);
        while let Some((Reverse(gone_mm), node)) = queue.pop() {
            let gone = known[&node];
            if node == to {
                return gone + length_m;
            }
            if gone_mm > (gone * 1e3) as u64 {
                continue;
            }
            for other in self.exits[node].iter().filter(|it| **it != edge) {
                let Edge { ends, length_m, .. } = self.edges[*other];
                let next = ends[usize::from(ends[0] == node)];
                let there = gone + length_m;
                let before = known.get(&next).copied().unwrap_or(f64::INFINITY);
                if there <= longest_m && there < before {
                    known.insert(next, there);
                    queue.push((Reverse((there * 1e3) as u64), next));
                }
            }
        }
        f64::INFINITY
    }
}
