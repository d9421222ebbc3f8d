//! Owns the network around a start as the router uses it: tiles joined, lengths measured, what is a dead end found out.

use std::collections::HashMap;

use libm::exp;

use crate::map::{Crossing, Edge, Ground, Naming, Node, Point, Spot, Tile, Way, WayKind};

/// Tobler's hiking function is steepest where nobody builds streets; beyond this slope a walker is no slower.
const STEEPEST: f64 = 0.5;
/// Where an edge leads from its end is measured so far along it, in meters.
const HEADING_M: f64 = 20.0;
/// From 45 degrees a bend is a turn; its cosine.
const TURN_COS: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// Index of a node.
pub(super) type NodeIdx = u32;
/// Index of an edge.
pub(super) type EdgeIdx = u32;

/// An edge in one direction: twice the edge's index, and one more against the edge's own direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Arc(pub(super) u32);

impl Arc {
    pub(super) const NONE: Self = Self(u32::MAX);

    pub(super) fn new(edge: EdgeIdx, backward: bool) -> Self {
        Self(edge << 1 | u32::from(backward))
    }

    pub(super) fn edge(self) -> EdgeIdx {
        self.0 >> 1
    }

    pub(super) fn is_backward(self) -> bool {
        self.0 & 1 == 1
    }

    pub(super) fn reversed(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// A way out of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    pub(super) to: NodeIdx,
    pub(super) arc: Arc,
}

/// Where ways meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct GraphNode {
    pub(super) at: Point,
    /// Meters east and north of the graph's middle.
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) height_m: Option<i16>,
    pub(super) crossing: Crossing,
}

/// A piece of a way.
#[derive(Clone, Copy, Debug)]
pub(super) struct GraphEdge {
    pub(super) ends: [NodeIdx; 2],
    pub(super) way: Way,
    pub(super) name: Option<u32>,
    /// Its points between the ends lie in `Graph::points` from here
    via_from: u32,
    /// to here.
    via_to: u32,
    pub(super) green: u8,
    pub(super) shade: u8,
    pub(super) waterside: bool,
    /// Water to drink is within reach of it.
    pub(super) near_water_to_drink: bool,
    pub(super) length_mm: u32,
    /// How far one would get on flat ground in the same time, there and back.
    pub(super) effort_mm: [u32; 2],
    /// Meters up, there and back.
    pub(super) climb_m: [u16; 2],
    /// No way around: it is on no cycle.
    pub(super) is_bridge: bool,
    /// Middle of the edge in the plane.
    pub(super) mid: (f64, f64),
    /// Where it leads from each of its ends: a unit vector east and north.
    heading: [(f32, f32); 2],
}

/// The walkable network of some tiles.
///
/// One node, two edges and their exits more than the tiles have are kept free: `Graph::start_on` puts a start there.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub(super) ground: Option<Ground>,
    pub(super) middle: Point,
    pub(super) nodes: Vec<GraphNode>,
    pub(super) edges: Vec<GraphEdge>,
    pub(super) points: Vec<Point>,
    pub(super) names: Vec<String>,
    pub(super) spots: Vec<Spot>,
    /// Exits of node `i` are `exits[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    exits: Vec<Exit>,
    /// Number of the part of the network that hangs together by two ways at least.
    pub(super) block: Vec<u32>,
    /// Meters of ways in each such part.
    pub(super) block_m: Vec<f64>,
    /// Meters of ways that can be reached from each node.
    pub(super) component_m: Vec<f64>,
    pub(super) component: Vec<u32>,
}

impl Graph {
    /// Joins tiles; those that lie beside each other by the points that both have.
    pub fn of(tiles: &[Tile]) -> Self {
        let mut join = Join::default();
        for tile in tiles {
            join.add(tile);
        }
        join.finish()
    }

    /// How many nodes it has.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How many edges it has.
    pub fn n_edges(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn exits(&self, node: NodeIdx) -> &[Exit] {
        let node = node as usize;
        &self.exits[self.first[node] as usize..self.first[node + 1] as usize]
    }

    pub(super) fn edge(&self, arc: Arc) -> &GraphEdge {
        &self.edges[arc.edge() as usize]
    }

    pub(super) fn from(&self, arc: Arc) -> NodeIdx {
        self.edge(arc).ends[usize::from(arc.is_backward())]
    }

    pub(super) fn to(&self, arc: Arc) -> NodeIdx {
        self.edge(arc).ends[usize::from(!arc.is_backward())]
    }

    pub(super) fn node(&self, node: NodeIdx) -> &GraphNode {
        &self.nodes[node as usize]
    }

    /// Whether one turns who comes back along `back` and goes on along `on`; both leave the same node.
    pub(super) fn is_turn(&self, back: Arc, on: Arc) -> bool {
        let heading = |it: Arc| self.edge(it).heading[usize::from(it.is_backward())];
        let (a, b) = (heading(back), heading(on));
        a.0 * b.0 + a.1 * b.1 > -TURN_COS
    }

    /// The points of an edge between its ends, in its own direction.
    pub(super) fn via(&self, edge: EdgeIdx) -> &[Point] {
        let edge = &self.edges[edge as usize];
        &self.points[edge.via_from as usize..edge.via_to as usize]
    }

    /// All points of an arc in its direction, both ends too.
    pub(super) fn line(&self, arc: Arc) -> Vec<Point> {
        let via = self.via(arc.edge());
        let mut line = Vec::with_capacity(via.len() + 2);
        line.push(self.node(self.from(arc)).at);
        if arc.is_backward() {
            line.extend(via.iter().rev());
        } else {
            line.extend(via);
        }
        line.push(self.node(self.to(arc)).at);
        line
    }

    /// A point in meters east and north of the middle.
    pub(super) fn plane(&self, point: Point) -> (f64, f64) {
        self.ground
            .map_or((0.0, 0.0), |it| it.vector_m(self.middle, point))
    }

    /// Puts a start in the middle of an edge, at `share` of its length, and returns its node. Where it falls on an end, that.
    ///
    /// The edge stays in `edges`, and no exit leads along it any more; two edges stand for its halves. `remove_start` undoes it.
    pub(super) fn start_on(&mut self, edge: EdgeIdx, share: f64) -> Option<Split> {
        let line = self.line(Arc::new(edge, false));
        let ground = self.ground?;
        let whole = *self.edges.get(edge as usize)?;
        let length_m = f64::from(whole.length_mm) / 1e3;
        let reach = share.clamp(0.0, 1.0) * length_m;
        let mut gone = 0.0;
        let cut = line.windows(2).enumerate().find_map(|(index, pair)| {
            let piece = ground.length_m(pair[0], pair[1]);
            gone += piece;
            (gone >= reach).then(|| {
                (
                    index,
                    if piece > 0.0 {
                        1.0 - (gone - reach) / piece
                    } else {
                        0.0
                    },
                )
            })
        });
        let (index, part) = cut.unwrap_or((line.len() - 2, 1.0));
        let between =
            |a: u32, b: u32| (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round() as u32;
        let at = Point {
            x: between(line[index].x, line[index + 1].x),
            y: between(line[index].y, line[index + 1].y),
        };
        let node = self.nodes.len() as NodeIdx;
        let (x, y) = self.plane(at);
        let heights = whole.ends.map(|it| self.node(it).height_m);
        let height_m = match heights {
            [Some(a), Some(b)] => {
                Some((f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as i16)
            }
            _ => None,
        };
        self.nodes.push(GraphNode {
            at,
            x,
            y,
            height_m,
            crossing: Crossing::None,
        });
        let first = self.edges.len() as EdgeIdx;
        let halves = [
            (whole.ends[0], node, &line[1..=index], share),
            (
                node,
                whole.ends[1],
                &line[index + 1..line.len() - 1],
                1.0 - share,
            ),
        ];
        for (from, to, via, part) in halves {
            let via_from = self.points.len() as u32;
            self.points.extend(via);
            let scaled = |it: u32| (f64::from(it) * part).round() as u32;
            let ends = (self.node(from), self.node(to));
            self.edges.push(GraphEdge {
                ends: [from, to],
                via_from,
                via_to: self.points.len() as u32,
                length_mm: scaled(whole.length_mm),
                effort_mm: whole.effort_mm.map(scaled),
                climb_m: whole
                    .climb_m
                    .map(|it| (f64::from(it) * part).round() as u16),
                mid: (
                    f64::midpoint(ends.0.x, ends.1.x),
                    f64::midpoint(ends.0.y, ends.1.y),
                ),
                ..whole
            });
            let half = Arc::new(self.edges.len() as EdgeIdx - 1, false);
            let heading = headings(&self.line(half), &ground);
            self.edges[half.edge() as usize].heading = heading;
        }
        let end_of_exits = self.exits.len() as u32;
        self.exits.push(Exit {
            to: whole.ends[0],
            arc: Arc::new(first, true),
        });
        self.exits.push(Exit {
            to: whole.ends[1],
            arc: Arc::new(first + 1, false),
        });
        self.first.push(end_of_exits + 2);
        for (end, towards) in [(0, Arc::new(edge, false)), (1, Arc::new(edge, true))] {
            let half = if end == 0 {
                Arc::new(first, false)
            } else {
                Arc::new(first + 1, true)
            };
            self.redirect(
                whole.ends[end],
                towards,
                Exit {
                    to: node,
                    arc: half,
                },
            );
        }
        let block = if whole.is_bridge {
            self.block_m.push(0.0);
            self.block_m.len() as u32 - 1
        } else {
            self.block[whole.ends[0] as usize]
        };
        self.block.push(block);
        self.component.push(self.component[whole.ends[0] as usize]);
        Some(Split { node, edge, whole })
    }

    /// Takes a start away again; splits are taken back in the order opposite to that in which they were made.
    pub(super) fn remove_start(&mut self, split: Split) {
        let first = self.edges.len() as EdgeIdx - 2;
        let Split { node, edge, whole } = split;
        let restored = [
            (
                whole.ends[0],
                Arc::new(first, false),
                Exit {
                    to: whole.ends[1],
                    arc: Arc::new(edge, false),
                },
            ),
            (
                whole.ends[1],
                Arc::new(first + 1, true),
                Exit {
                    to: whole.ends[0],
                    arc: Arc::new(edge, true),
                },
            ),
        ];
        for (end, half, exit) in restored {
            self.redirect(end, half, exit);
        }
        self.points
            .truncate(self.edges[first as usize].via_from as usize);
        self.edges.truncate(first as usize);
        self.exits.truncate(self.exits.len() - 2);
        self.first.pop();
        self.nodes.truncate(node as usize);
        self.block.pop();
        self.component.pop();
        if whole.is_bridge {
            self.block_m.pop();
        }
    }

    fn redirect(&mut self, node: NodeIdx, from: Arc, exit: Exit) {
        let node = node as usize;
        let exits = self.first[node] as usize..self.first[node + 1] as usize;
        if let Some(it) = self.exits[exits].iter_mut().find(|it| it.arc == from) {
            *it = exit;
        }
    }
}

/// A start in the middle of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    pub(super) node: NodeIdx,
    edge: EdgeIdx,
    whole: GraphEdge,
}

/// Places that were put on the network for one request, in the order in which they were put there.
#[derive(Default)]
pub(super) struct Starts(Vec<(EdgeIdx, f64, EdgeIdx, Split)>);

impl Starts {
    /// Puts a start on an edge as it was before all others: on a half of it where it was cut.
    pub(super) fn put(&mut self, graph: &mut Graph, edge: EdgeIdx, share: f64) -> Option<NodeIdx> {
        let (mut edge, mut share) = (edge, share.clamp(0.0, 1.0));
        for (cut, at, first, _) in &self.0 {
            if *cut == edge && share < *at {
                (edge, share) = (*first, share / at);
            } else if *cut == edge {
                (edge, share) = (first + 1, (share - at) / (1.0 - at).max(1e-9));
            }
        }
        let first = graph.edges.len() as EdgeIdx;
        let split = graph.start_on(edge, share)?;
        self.0.push((edge, share, first, split));
        Some(split.node)
    }

    /// Takes all away again.
    pub(super) fn remove(self, graph: &mut Graph) {
        for (_, _, _, split) in self.0.into_iter().rev() {
            graph.remove_start(split);
        }
    }
}

/// A graph under construction.
#[derive(Default)]
struct Join {
    graph: Graph,
    node_at: HashMap<Point, NodeIdx>,
    name_of: HashMap<String, u32>,
}

impl Join {
    fn add(&mut self, tile: &Tile) {
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

    fn finish(self) -> Graph {
        let mut graph = self.graph;
        if graph.nodes.is_empty() {
            return graph;
        }
        let count = graph.nodes.len() as u64;
        let sum = graph.nodes.iter().fold((0, 0), |(x, y), it| {
            (x + u64::from(it.at.x), y + u64::from(it.at.y))
        });
        graph.middle = Point {
            x: (sum.0 / count) as u32,
            y: (sum.1 / count) as u32,
        };
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
        graph
    }
}

/// Where a line leads from its first point, and back from its last.
fn headings(line: &[Point], ground: &Ground) -> [(f32, f32); 2] {
    let heading = |mut line: &mut dyn Iterator<Item = Point>| {
        let Some(from) = line.next() else {
            return (0.0, 0.0);
        };
        let mut to = (0.0, 0.0);
        for point in &mut line {
            to = ground.vector_m(from, point);
            if to.0.abs() + to.1.abs() >= HEADING_M {
                break;
            }
        }
        let length = (to.0 * to.0 + to.1 * to.1).sqrt().max(1e-9);
        ((to.0 / length) as f32, (to.1 / length) as f32)
    };
    [
        heading(&mut line.iter().copied()),
        heading(&mut line.iter().rev().copied()),
    ]
}

impl Graph {
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

    /// Tarjan's bridges ('A note on finding the bridges of a graph', 1974), without recursion; what is left in one piece
    /// without them is a block.
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
        for edge in &self.edges {
            let of = self.component[edge.ends[0] as usize] as usize;
            self.component_m[of] += f64::from(edge.length_mm) / 1e3;
        }
        self.find_blocks();
    }

    fn find_blocks(&mut self) {
        const UNSEEN: u32 = u32::MAX;
        let mut block = vec![UNSEEN; self.nodes.len()];
        let mut n_blocks = 0;
        let mut open = Vec::new();
        for root in 0..self.nodes.len() {
            if block[root] != UNSEEN {
                continue;
            }
            block[root] = n_blocks;
            open.push(root as NodeIdx);
            while let Some(node) = open.pop() {
                for exit in self.exits(node) {
                    let to = exit.to as usize;
                    if block[to] == UNSEEN && !self.edge(exit.arc).is_bridge {
                        block[to] = n_blocks;
                        open.push(exit.to);
                    }
                }
            }
            n_blocks += 1;
        }
        self.block_m = vec![0.0; n_blocks as usize];
        for edge in self.edges.iter().filter(|it| !it.is_bridge) {
            self.block_m[block[edge.ends[0] as usize] as usize] += f64::from(edge.length_mm) / 1e3;
        }
        self.block = block;
    }

    /// The name that an edge has of its own.
    pub(super) fn own_name(&self, edge: &GraphEdge) -> Option<&str> {
        (edge.way.naming == Naming::Own)
            .then(|| self.name(edge))
            .flatten()
    }

    /// The name that belongs to an edge, whosesoever it is.
    pub(super) fn name(&self, edge: &GraphEdge) -> Option<&str> {
        edge.name
            .and_then(|it| self.names.get(it as usize))
            .map(String::as_str)
    }
}

/// The point in the middle of a line.
fn halfway(line: &[Point], ground: &Ground, length_m: f64) -> Option<Point> {
    let mut rest = length_m / 2.0;
    for pair in line.windows(2) {
        let piece = ground.length_m(pair[0], pair[1]);
        if piece >= rest && piece > 0.0 {
            let part = rest / piece;
            let between = |a: u32, b: u32| {
                (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round() as u32
            };
            return Some(Point {
                x: between(pair[0].x, pair[1].x),
                y: between(pair[0].y, pair[1].y),
            });
        }
        rest -= piece;
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
