//! Owns the network of one tile: from pieces of streets to nodes and the edges between them.
//!
//! Each tile is built from its own pieces alone, and yet the edges of neighbors must fit together. So where a straight piece
//! of a way leads from one tile into another, its end in the later one is a node in both, and the edge that ends there
//! belongs to the earlier one (by row, then by column). All other nodes and edges are known to one tile alone.

use std::collections::{BTreeMap, HashMap, HashSet};

use geo::{Coord, Distance, Euclidean, Line};
use walkies_core::map::{Crossing, Ground, Point, TileId, Way};

use super::piece::Street;
use super::shape::{length_m, simplified};

/// How far a drawn way may be from the surveyed one.
const TOLERANCE_M: f64 = 1.0;

/// Parts of the network up to this length in meters that reach no other tile are left out: steps on a terrace, a yard's
/// path.
const MIN_ISLAND_M: f64 = 100.0;

/// An edge before it knows what is around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The way's properties: kind, surface, crossing and others.
    pub way: Way,
    /// Its own name.
    pub name: Option<String>,
    /// The points from its first node, which lies in the tile, to its last.
    pub line: Vec<Point>,
}

/// The edges that belong to a tile, and which of their ends are crossings.
#[derive(Debug, Default)]
pub struct Mesh {
    /// The edges, in a fixed order.
    pub stretches: Vec<Stretch>,
    /// Nodes that are crossings.
    pub crossings: HashMap<Point, Crossing>,
}

/// Makes the network of a tile.
pub fn mesh(tile: TileId, streets: &[&Street], ground: &Ground) -> Mesh {
    let mut web = SegmentNet::new(tile, streets);
    web.drop_islands(ground);
    let mut chains = web.chains();
    for chain in &mut chains {
        turn(tile, &mut chain.1);
    }
    let mut stretches = told_apart(chains, ground, &web.looks);
    stretches.sort_by(|a, b| (&a.line, a.way).cmp(&(&b.line, b.way)));
    let crossings = web
        .vertices
        .iter()
        .filter(|it| it.crossing != Crossing::None)
        .map(|it| (it.at, it.crossing));
    Mesh {
        stretches,
        crossings: crossings.collect(),
    }
}

/// The way and the name, which must be the same on both sides of a node for it to be merged away.
type Look = (Way, Option<String>);

/// A chain of points with the number of its look.
type Chain = (u32, Vec<Point>);

/// Straight pieces and the points between them.
struct SegmentNet {
    vertices: Vec<Junction>,
    segments: Vec<Segment>,
    looks: Vec<Look>,
}

struct Junction {
    at: Point,
    crossing: Crossing,
    /// True if the point lies in another tile, or another tile takes it for a node.
    shared: bool,
    segments: Vec<u32>,
}

struct Segment {
    ends: [u32; 2],
    look: u32,
    used: bool,
}

impl SegmentNet {
    fn new(tile: TileId, streets: &[&Street]) -> Self {
        let mut web = Self {
            vertices: Vec::new(),
            segments: Vec::new(),
            looks: Vec::new(),
        };
        let mut index_of = HashMap::new();
        let mut look_of = HashMap::<Look, u32>::new();
        let mut seen = HashSet::new();
        for street in streets {
            let look = (street.way, street.name.clone());
            let look = *look_of.entry(look).or_insert_with_key(|look| {
                web.looks.push(look.clone());
                web.looks.len() as u32 - 1
            });
            for pair in street.course.windows(2) {
                let &[from, to] = pair else { continue };
                let (from_tile, to_tile) = (from.at.tile(), to.at.tile());
                // What only passes through, or passes by, has its nodes elsewhere.
                if from_tile != tile && to_tile != tile {
                    continue;
                }
                let mut index = |it: super::locate::Vertex| {
                    *index_of.entry(it.at).or_insert_with(|| {
                        let inside = it.at.tile() == tile;
                        web.vertices.push(Junction {
                            at: it.at,
                            crossing: it.crossing,
                            shared: !inside,
                            segments: Vec::new(),
                        });
                        web.vertices.len() as u32 - 1
                    })
                };
                let order = |it: TileId| (it.y, it.x);
                let own = |it: TileId| it == tile;
                // The edge that ends in this tile belongs to the earlier one, which lists it.
                if own(to_tile) && order(from_tile) < order(tile) {
                    let to = index(to);
                    web.share(to);
                    continue;
                }
                if own(from_tile) && order(to_tile) < order(tile) {
                    let from = index(from);
                    web.share(from);
                    continue;
                }
                let ends = [index(from), index(to)];
                let [a, b] = ends;
                // Two ways may be drawn over each other; one of them will do.
                if a == b || !seen.insert((a.min(b), a.max(b))) {
                    continue;
                }
                let number = web.segments.len() as u32;
                for end in ends {
                    if let Some(it) = web.vertices.get_mut(end as usize) {
                        it.segments.push(number);
                    }
                }
                web.segments.push(Segment {
                    ends,
                    look,
                    used: false,
                });
            }
        }
        web
    }

    fn share(&mut self, vertex: u32) {
        if let Some(it) = self.vertices.get_mut(vertex as usize) {
            it.shared = true;
        }
    }

    fn vertex(&self, index: u32) -> Option<&Junction> {
        self.vertices.get(index as usize)
    }

    fn look(&self, segment: u32) -> Option<u32> {
        self.segments.get(segment as usize).map(|it| it.look)
    }

    /// Returns true if an edge must end here.
    fn is_node(&self, index: u32) -> bool {
        let Some(it) = self.vertex(index) else {
            return true;
        };
        match it.segments.as_slice() {
            [a, b] => it.shared || it.crossing != Crossing::None || self.look(*a) != self.look(*b),
            _ => true,
        }
    }

    /// Marks as used what is too small to walk on.
    fn drop_islands(&mut self, ground: &Ground) {
        let mut seen = vec![false; self.vertices.len()];
        for start in (0..).take(self.vertices.len()) {
            let (mut open, mut segments, mut shared) = (vec![start], HashSet::new(), false);
            while let Some(index) = open.pop() {
                let Some(seen) = seen.get_mut(index as usize).filter(|it| !**it) else {
                    continue;
                };
                *seen = true;
                let Some(it) = self.vertex(index) else {
                    continue;
                };
                shared |= it.shared;
                segments.extend(it.segments.iter().copied());
                let ends = it
                    .segments
                    .iter()
                    .filter_map(|it| self.segments.get(*it as usize))
                    .flat_map(|it| it.ends);
                open.extend(ends);
            }
            let length = |segment: &u32| {
                let ends = self
                    .segments
                    .get(*segment as usize)?
                    .ends
                    .map(|it| self.vertex(it).map(|it| it.at));
                let [Some(a), Some(b)] = ends else {
                    return None;
                };
                Some(ground.length_m(a, b))
            };
            if !shared && segments.iter().filter_map(length).sum::<f64>() < MIN_ISLAND_M {
                for segment in segments {
                    if let Some(it) = self.segments.get_mut(segment as usize) {
                        it.used = true;
                    }
                }
            }
        }
    }

    /// All chains from node to node.
    fn chains(&mut self) -> Vec<Chain> {
        let mut order: Vec<u32> = (0..).take(self.vertices.len()).collect();
        order.sort_by_key(|it| self.vertex(*it).map(|it| it.at));
        let mut chains = Vec::new();
        let nodes: Vec<u32> = order
            .iter()
            .copied()
            .filter(|it| self.is_node(*it))
            .collect();
        // What is left after the nodes are rings without any: there each first point found becomes one.
        for start in nodes.into_iter().chain(order) {
            let segments = self
                .vertex(start)
                .map(|it| it.segments.clone())
                .unwrap_or_default();
            for segment in segments {
                chains.extend(self.chain(start, segment));
            }
        }
        chains
    }

    fn chain(&mut self, start: u32, first: u32) -> Option<Chain> {
        let look = self.look(first)?;
        let mut line = vec![self.vertex(start)?.at];
        let (mut here, mut segment) = (start, first);
        loop {
            let it = self
                .segments
                .get_mut(segment as usize)
                .filter(|it| !it.used)?;
            it.used = true;
            let [a, b] = it.ends;
            here = if a == here { b } else { a };
            line.push(self.vertex(here)?.at);
            if here == start || self.is_node(here) {
                return Some((look, line));
            }
            segment = *self
                .vertex(here)?
                .segments
                .iter()
                .find(|it| **it != segment)?;
        }
    }
}

/// Lets a chain begin in its tile, and at the lesser of its ends if both lie there.
fn turn(tile: TileId, line: &mut [Point]) {
    let (Some(first), Some(last)) = (line.first(), line.last()) else {
        return;
    };
    let first_is_own = first.tile() == tile;
    let last_is_own = last.tile() == tile;
    let turn = match (first_is_own, last_is_own) {
        (true, true) if first == last => line.iter().skip(1).lt(line.iter().rev().skip(1)),
        (true, true) => last < first,
        (own, _) => !own,
    };
    if turn {
        line.reverse();
    }
}

/// Simplifies chains so that those between the same two nodes stay different lines, and loops stay loops.
fn told_apart(chains: Vec<Chain>, ground: &Ground, looks: &[Look]) -> Vec<Stretch> {
    let chains = chains
        .into_iter()
        .flat_map(|(look, line)| halves(line).map(move |line| (look, line)));
    let mut between = BTreeMap::<(Point, Point), Vec<Chain>>::new();
    for (look, line) in chains {
        if let (Some(first), Some(last)) = (line.first(), line.last()) {
            between
                .entry((*first.min(last), *first.max(last)))
                .or_default()
                .push((look, line));
        }
    }
    let mut stretches = Vec::new();
    for ((first, last), chains) in between {
        let alone = chains.len() == 1 && first != last;
        let mut lines = HashSet::new();
        for (look, line) in chains {
            let mut short = simplified(&line, ground, TOLERANCE_M);
            if !alone && short.len() < 3 {
                short = bent(&line, ground);
            }
            // Two ways that cannot be told apart are one.
            if !lines.insert(short.clone()) || length_m(&short, ground) == 0.0 {
                continue;
            }
            if let Some((way, name)) = looks.get(look as usize) {
                stretches.push(Stretch {
                    way: *way,
                    name: name.clone(),
                    line: short,
                });
            }
        }
    }
    stretches
}

/// A chain that comes from later tiles and leads to later tiles belongs to none of them: it gets a node in this one.
fn halves(line: Vec<Point>) -> impl Iterator<Item = Vec<Point>> {
    let foreign = |it: Option<&Point>, middle: Option<&Point>| {
        it.map(|it| it.tile()) != middle.map(|it| it.tile())
    };
    let inner = line
        .get(1..line.len().saturating_sub(1))
        .unwrap_or_default();
    let split = inner
        .iter()
        .enumerate()
        .min_by_key(|(_, point)| **point)
        .map(|(index, _)| index + 1);
    let split = split
        .filter(|it| foreign(line.first(), line.get(*it)) && foreign(line.last(), line.get(*it)));
    let parts = match split {
        None => vec![line],
        Some(at) => {
            let mut first = line.get(..=at).unwrap_or_default().to_vec();
            first.reverse();
            vec![first, line.get(at..).unwrap_or_default().to_vec()]
        }
    };
    parts.into_iter()
}

/// A line with a point between its ends: the one that stands out most, or the middle of a straight one.
fn bent(line: &[Point], ground: &Ground) -> Vec<Point> {
    let [first, inner @ .., last] = line else {
        return Vec::new();
    };
    let meters = |at: &Point| Coord::from(ground.vector_m(*first, *at));
    let straight = Line::new(meters(first), meters(last));
    let beside_m = |at: &&Point| Euclidean.distance(meters(at), &straight);
    let point = inner
        .iter()
        .max_by(|a, b| beside_m(a).total_cmp(&beside_m(b)));
    let middle = Point {
        x: u32::midpoint(first.x, last.x),
        y: u32::midpoint(first.y, last.y),
    };
    vec![*first, point.copied().unwrap_or(middle), *last]
}
