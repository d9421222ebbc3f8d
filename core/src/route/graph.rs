//! Owns the network around a start as the router uses it: tiles joined, lengths measured, what is a dead end found out.

mod build;
mod split;

use build::GraphBuilder;
pub(super) use split::Insertions;

use crate::map::{Crossing, Ground, Naming, Point, Spot, Tile, Way};

/// Length in meters over which the direction of an edge at its end is measured.
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

/// A node of the network, at which ways meet or end.
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
    /// Index in `Graph::points` of the first of its points between the ends.
    via_from: u32,
    /// Index after the last of these points.
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
    /// Directions in which it leaves each of its ends: unit vectors east and north.
    heading: [(f32, f32); 2],
}

/// The walkable network of some tiles.
///
/// One node, two edges and their exits more than the tiles have are kept free: `Graph::split_edge` puts a start there.
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
    /// By node: its component, the part of the network that can be reached from it.
    pub(super) component: Vec<u32>,
    /// Meters of ways in each component.
    pub(super) component_m: Vec<f64>,
    /// By node: its 2-edge-connected component, the part that holds together where any one edge is taken away. Only within
    /// one is there a loop.
    pub(super) two_edge_component: Vec<u32>,
    /// Meters of ways in each of these.
    pub(super) two_edge_component_m: Vec<f64>,
}

impl Graph {
    /// Joins tiles; those that lie beside each other by the points that both have.
    pub fn of(tiles: &[Tile]) -> Self {
        let mut builder = GraphBuilder::default();
        for tile in tiles {
            builder.add(tile);
        }
        builder.finish()
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

    /// Returns true if a walker turns who comes along `back`, reversed, and goes on along `on`; both arcs leave the
    /// same node.
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

    /// The name that an edge has of its own.
    pub(super) fn own_name(&self, edge: &GraphEdge) -> Option<&str> {
        (edge.way.naming == Naming::Own)
            .then(|| self.name(edge))
            .flatten()
    }

    /// The name of an edge, or of what it runs along or through.
    pub(super) fn name(&self, edge: &GraphEdge) -> Option<&str> {
        edge.name
            .and_then(|it| self.names.get(it as usize))
            .map(String::as_str)
    }
}

/// Returns the directions in which a line leaves its first point and, backwards, its last: unit vectors east and north.
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

/// The point of a straight piece at this share of it.
fn between(from: Point, to: Point, share: f64) -> Point {
    let axis =
        |from: u32, to: u32| (f64::from(from) + (f64::from(to) - f64::from(from)) * share).round();
    Point {
        x: axis(from.x, to.x) as u32,
        y: axis(from.y, to.y) as u32,
    }
}
