//! Owns how tiles become a graph: nodes and names joined, edges measured, bridges and what hangs together found.

use std::collections::HashMap;

use libm::exp;

use super::{Arc, Exit, Graph, GraphEdge, GraphNode, NodeIdx, between, headings};
use crate::map::{Edge, Ground, Node, Point, Spot, Tile, WayKind};

/// Tobler's hiking function is steepest where nobody builds streets; beyond this slope a walker is no slower.
const STEEPEST: f64 = 0.5;

/// A graph under construction.
#[derive(Default)]
pub(super) struct GraphBuilder {
    graph: Graph,
    node_at: HashMap<Point, NodeIdx>,
    name_of: HashMap<String, u32>,
}

impl GraphBuilder {
    /// Adds a tile; nodes that another one has at the same point are the same.
    pub(super) fn add(&mut self, tile: &Tile) {
        let names: Vec<u32> = tile.names.iter().map(|it| self.name(it)).collect();
        let nodes: Vec<NodeIdx> = tile.network.nodes.iter().map(|it| self.node(it)).collect();
        for edge in &tile.network.edges {
            self.edge(edge, &nodes, &names);
        }
        self.graph.spots.extend(tile.spots.iter().map(|spot| Spot {
            name: spot.name.and_then(|it| names.get(it as usize).copied()),
            ..*spot
        }));
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(it) = self.name_of.get(name) {
            return *it;
        }
        let index = self.graph.names.len() as u32;
        self.graph.names.push(name.to_owned());
        self.name_of.insert(name.to_owned(), index);
        index
    }

    fn node(&mut self, node: &Node) -> NodeIdx {
        let index = self.graph.nodes.len() as NodeIdx;
        let known = *self.node_at.entry(node.at).or_insert(index);
        if known == index {
            let Node {
                at,
                height_m,
                crossing,
            } = *node;
            self.graph.nodes.push(GraphNode {
                at,
                x: 0.0,
                y: 0.0,
                height_m,
                crossing,
            });
        }
        known
    }

    fn edge(&mut self, edge: &Edge, nodes: &[NodeIdx], names: &[u32]) {
        let end = |it: u32| nodes.get(it as usize).copied();
        let (Some(from), Some(to)) = (end(edge.from), end(edge.to)) else {
            return;
        };
        let via_from = self.graph.points.len() as u32;
        self.graph.points.extend(&edge.via);
        self.graph.edges.push(GraphEdge {
            ends: [from, to],
            way: edge.way,
            name: edge.name.and_then(|it| names.get(it as usize).copied()),
            via_from,
            via_to: self.graph.points.len() as u32,
            green: edge.green,
            shade: edge.shade,
            waterside: edge.waterside,
            near_water_to_drink: false,
            length_mm: 0,
            effort_mm: [0; 2],
            climb_m: [edge.hump_m; 2],
            is_bridge: false,
            mid: (0.0, 0.0),
            heading: [(0.0, 0.0); 2],
        });
    }

    /// The graph, measured and joined up.
    pub(super) fn finish(self) -> Graph {
        let mut graph = self.graph;
        if graph.nodes.is_empty() {
            return graph;
        }
        graph.middle = middle(&graph.nodes);
        let ground = Ground::at(graph.middle);
        graph.ground = Some(ground);
        for index in 0..graph.nodes.len() {
            let (x, y) = graph.plane(graph.nodes[index].at);
            graph.nodes[index].x = x;
            graph.nodes[index].y = y;
        }
        let tobler = Tobler::new();
        for index in 0..graph.edges.len() {
            graph.measure(index, &tobler);
        }
        graph.connect();
        graph.find_bridges();
        graph.measure_components();
        graph.find_two_edge_components();
        graph
    }
}

/// The mean of all nodes.
fn middle(nodes: &[GraphNode]) -> Point {
    let count = nodes.len() as u64;
    let (x, y) = nodes.iter().fold((0, 0), |(x, y), it| {
        (x + u64::from(it.at.x), y + u64::from(it.at.y))
    });
    Point {
        x: (x / count) as u32,
        y: (y / count) as u32,
    }
}

impl Graph {
    /// Finds an edge's length, middle, headings, climbs and efforts.
    fn measure(&mut self, index: usize, tobler: &Tobler) {
        let line = self.line(Arc::new(index as u32, false));
        // Where the edge is, since a graph may reach so far that its middle's scale is off by a part in a thousand.
        let ground = line.first().copied().map_or(
            Ground {
                east_m: 0.0,
                south_m: 0.0,
            },
            Ground::at,
        );
        let length: f64 = line
            .windows(2)
            .map(|it| ground.length_m(it[0], it[1]))
            .sum();
        let mid = halfway(&line, &ground, length).map(|it| self.plane(it));
        let heights = self.edges[index].ends.map(|it| self.node(it).height_m);
        let edge = &mut self.edges[index];
        edge.mid = mid.unwrap_or_default();
        edge.heading = headings(&line, &ground);
        edge.length_mm = (length * 1e3).round().clamp(1.0, f64::from(u32::MAX / 8)) as u32;
        let rise = match heights {
            [Some(from), Some(to)] => i32::from(to) - i32::from(from),
            _ => 0,
        };
        let hump = i32::from(edge.climb_m[0]);
        let climbs = [hump + rise.max(0), hump + (-rise).max(0)];
        edge.climb_m = climbs.map(|it| it.clamp(0, i32::from(u16::MAX)) as u16);
        edge.effort_mm = [
            tobler.effort_mm(edge.length_mm, climbs[0], climbs[1]),
            tobler.effort_mm(edge.length_mm, climbs[1], climbs[0]),
        ];
        if edge.way.kind == WayKind::Steps {
            // Climbing stairs is about half as fast as walking on the flat, downwards three quarters
            // (Fujiyama & Tyler, 'An explicit study on walking speeds of pedestrians on stairs', 2004).
            edge.effort_mm = edge.effort_mm.map(|it| it.max(edge.length_mm * 3 / 2));
        }
    }

    /// Lists the exits of each node.
    fn connect(&mut self) {
        let mut counts = vec![0_u32; self.nodes.len() + 1];
        for edge in &self.edges {
            for end in edge.ends {
                counts[end as usize + 1] += 1;
            }
        }
        for index in 1..counts.len() {
            counts[index] += counts[index - 1];
        }
        let nowhere = Exit {
            to: 0,
            arc: Arc::NONE,
        };
        let mut exits = vec![nowhere; self.edges.len() * 2];
        let mut next = counts.clone();
        for (index, edge) in (0..).zip(&self.edges) {
            for (end, arc) in [(0, Arc::new(index, false)), (1, Arc::new(index, true))] {
                let slot = &mut next[edge.ends[end] as usize];
                exits[*slot as usize] = Exit {
                    to: edge.ends[1 - end],
                    arc,
                };
                *slot += 1;
            }
        }
        self.first = counts;
        self.exits = exits;
    }

    /// Tarjan's bridges ('A note on finding the bridges of a graph', 1974), without recursion, and the components.
    fn find_bridges(&mut self) {
        const UNSEEN: u32 = u32::MAX;
        let n = self.nodes.len();
        let mut order = vec![UNSEEN; n];
        let mut low = vec![UNSEEN; n];
        let mut component = vec![0; n];
        let mut n_components = 0;
        let mut time = 0;
        for root in 0..n {
            if order[root] != UNSEEN {
                continue;
            }
            order[root] = time;
            low[root] = time;
            time += 1;
            component[root] = n_components;
            let mut stack = vec![(root, Arc::NONE, self.first[root])];
            while let Some((node, came_by, next)) = stack.last_mut() {
                let at = *node;
                if *next < self.first[at + 1] {
                    let exit = self.exits[*next as usize];
                    *next += 1;
                    if *came_by != Arc::NONE && exit.arc.edge() == came_by.edge() {
                        continue;
                    }
                    let to = exit.to as usize;
                    if order[to] == UNSEEN {
                        order[to] = time;
                        low[to] = time;
                        time += 1;
                        component[to] = n_components;
                        stack.push((to, exit.arc, self.first[to]));
                    } else {
                        low[at] = low[at].min(order[to]);
                    }
                } else {
                    let came_by = *came_by;
                    stack.pop();
                    if let Some((parent, _, _)) = stack.last() {
                        low[*parent] = low[*parent].min(low[at]);
                        if low[at] > order[*parent] {
                            self.edges[came_by.edge() as usize].is_bridge = true;
                        }
                    }
                }
            }
            n_components += 1;
        }
        self.component = component;
        self.component_m = vec![0.0; n_components as usize];
    }

    /// Adds up the ways of each component.
    fn measure_components(&mut self) {
        for edge in &self.edges {
            let of = self.component[edge.ends[0] as usize] as usize;
            self.component_m[of] += f64::from(edge.length_mm) / 1e3;
        }
    }

    /// Finds the 2-edge-connected components, which are the pieces that remain without the bridges: between any two
    /// nodes of one lead two ways that share no edge.
    fn find_two_edge_components(&mut self) {
        const UNSEEN: u32 = u32::MAX;
        let mut component = vec![UNSEEN; self.nodes.len()];
        let mut n_components = 0;
        let mut open = Vec::new();
        for root in 0..self.nodes.len() {
            if component[root] != UNSEEN {
                continue;
            }
            component[root] = n_components;
            open.push(root as NodeIdx);
            while let Some(node) = open.pop() {
                for exit in self.exits(node) {
                    let to = exit.to as usize;
                    if component[to] == UNSEEN && !self.edge(exit.arc).is_bridge {
                        component[to] = n_components;
                        open.push(exit.to);
                    }
                }
            }
            n_components += 1;
        }
        self.two_edge_component_m = vec![0.0; n_components as usize];
        for edge in self.edges.iter().filter(|it| !it.is_bridge) {
            self.two_edge_component_m[component[edge.ends[0] as usize] as usize] +=
                f64::from(edge.length_mm) / 1e3;
        }
        self.two_edge_component = component;
    }
}

/// The point in the middle of a line.
fn halfway(line: &[Point], ground: &Ground, length_m: f64) -> Option<Point> {
    let mut rest_m = length_m / 2.0;
    for pair in line.windows(2) {
        let piece_m = ground.length_m(pair[0], pair[1]);
        if piece_m >= rest_m && piece_m > 0.0 {
            return Some(between(pair[0], pair[1], rest_m / piece_m));
        }
        rest_m -= piece_m;
    }
    line.first().copied()
}

/// Tobler's hiking function (1993): speed on a slope `s` is 6 exp(-3.5 |s + 0.05|) km/h; here against that on the flat.
struct Tobler(Vec<f64>);

impl Tobler {
    const STEPS: i32 = 500;

    fn new() -> Self {
        let slopes = -Self::STEPS..=Self::STEPS;
        let of = |step: i32| {
            let slope = f64::from(step) / f64::from(Self::STEPS) * STEEPEST;
            exp(3.5 * (slope + 0.05).abs() - 3.5 * 0.05)
        };
        Self(slopes.map(of).collect())
    }

    /// Times as long as on the flat.
    fn times(&self, slope: f64) -> f64 {
        let step = (slope / STEEPEST * f64::from(Self::STEPS)).round() as i32;
        let step = step.clamp(-Self::STEPS, Self::STEPS) + Self::STEPS;
        self.0.get(step as usize).copied().unwrap_or(1.0)
    }

    /// Millimeters on the flat that take as long as a way that goes up and down so many meters at one slope.
    fn effort_mm(&self, length_mm: u32, up_m: i32, down_m: i32) -> u32 {
        let total = f64::from(up_m + down_m);
        if total == 0.0 {
            return length_mm;
        }
        let length = f64::from(length_mm);
        let slope = total * 1e3 / length;
        let up = f64::from(up_m) / total;
        let times = up * self.times(slope) + (1.0 - up) * self.times(-slope);
        (length * times).round() as u32
    }
}
