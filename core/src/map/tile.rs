//! Owns the bytes of a tile. Stored on phones. Only add sections and kinds; never change or reuse one.
//!
//! A tile is the four bytes `WKTL`, the version byte, column, row, the sections, and the CRC-32 (IEEE) of all before it in
//! four bytes, little-endian. A section is its tag, its length and its bytes; one that is not known is passed over. Numbers
//! are varints. Within a section the values stand column by column, which compresses best: first all eastings, then all
//! southings, and so on. A node is where the last one before it is to which an edge leads, and some steps further; the
//! points of an edge are where they would be on a straight line, and some steps beside. Compression itself is HTTP's.
//! The time of the data is not part of a tile: where nothing has changed since an older extract the bytes are the same,
//! and so no phone gets them again.

use super::address::Addresses;
use super::bytes::{ByteReader, TileError, put, put_signed, put_text};
use super::draw::{Area, Drawing, Label, Line};
use super::network::{Crossing, Edge, Network, Node, Way};
use super::point::{Point, TileId};
use super::spot::Spot;

/// The fifth byte of every tile.
pub const FORMAT_VERSION: u8 = 1;

const MAGIC: &[u8; 4] = b"WKTL";
const CHECKSUM_BYTES: usize = 4;

const NAMES: u8 = 1;
const NETWORK: u8 = 2;
const SPOTS: u8 = 3;
const DRAWING: u8 = 4;
const ADDRESSES: u8 = 5;

/// Bytes of addresses that are read. Some hundred thousand houses; in memory they take up to thirty times as much, which a
/// phone has to have.
const MAX_ADDRESS_BYTES: usize = 4 << 20;

/// No node of a tile has a height.
const NO_HEIGHTS: u8 = 0;
/// All have one.
const ALL_HEIGHTS: u8 = 1;
/// Those have one of which a byte says so.
const SOME_HEIGHTS: u8 = 2;

/// One tile of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Its column and row.
    pub id: TileId,
    /// Names of streets, parks and waters, each once.
    pub names: Vec<String>,
    /// Ways that can be walked.
    pub network: Network,
    /// Single things such as benches and trees.
    pub spots: Vec<Spot>,
    /// Areas, lines and names that are drawn beside the network.
    pub drawing: Drawing,
    /// Streets and houses by their addresses; absent where the tile says nothing of them.
    pub addresses: Option<Addresses>,
}

impl Tile {
    /// A tile without anything.
    pub fn empty(id: TileId) -> Self {
        Self {
            id,
            names: Vec::new(),
            network: Network::default(),
            spots: Vec::new(),
            drawing: Drawing::default(),
            addresses: None,
        }
    }

    /// Its bytes. Nodes must be sorted as `Network::sort` leaves them for the bytes to be small; any order is kept.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(FORMAT_VERSION);
        put(self.id.x.into(), &mut bytes);
        put(self.id.y.into(), &mut bytes);
        let addresses = self.addresses.as_ref().map(|it| {
            let mut section = Vec::new();
            it.encode(self.id, &mut section);
            (ADDRESSES, section)
        });
        let sections = [
            (NAMES, self.encode_names()),
            (NETWORK, self.encode_network()),
            (SPOTS, self.encode_spots()),
            (DRAWING, self.encode_drawing()),
        ];
        for (tag, section) in sections.into_iter().chain(addresses) {
            bytes.push(tag);
            put(section.len() as u64, &mut bytes);
            bytes.extend(section);
        }
        let checksum = crc32fast::hash(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// The tile that these bytes are.
    pub fn decode(bytes: &[u8]) -> Result<Self, TileError> {
        Self::decode_parts(bytes, &[NETWORK, SPOTS, DRAWING, ADDRESSES])
    }

    /// The tile without what is only drawn and without addresses: all that the router needs.
    pub fn decode_network(bytes: &[u8]) -> Result<Self, TileError> {
        Self::decode_parts(bytes, &[NETWORK, SPOTS])
    }

    /// The tile without addresses: all that is drawn.
    pub fn decode_drawn(bytes: &[u8]) -> Result<Self, TileError> {
        Self::decode_parts(bytes, &[NETWORK, SPOTS, DRAWING])
    }

    /// The tile with names and addresses alone.
    pub fn decode_addresses(bytes: &[u8]) -> Result<Self, TileError> {
        Self::decode_parts(bytes, &[ADDRESSES])
    }

    /// The tile with its names and these sections.
    fn decode_parts(bytes: &[u8], wanted: &[u8]) -> Result<Self, TileError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(TileError::NotATile)?;
        if rest.first() != Some(&FORMAT_VERSION) {
            return Err(TileError::Newer);
        }
        let body = bytes.len().saturating_sub(CHECKSUM_BYTES);
        let (body, checksum) = bytes.split_at_checked(body).ok_or(TileError::Cut)?;
        if crc32fast::hash(body).to_le_bytes() != checksum {
            return Err(TileError::Damaged);
        }
        let mut reader = ByteReader(body.get(MAGIC.len() + 1..).ok_or(TileError::Cut)?);
        let id = TileId {
            x: reader.small()?,
            y: reader.small()?,
        };
        let mut tile = Self::empty(id);
        while !reader.0.is_empty() {
            let tag = reader.byte()?;
            let length = reader.count()?;
            let mut section = ByteReader(reader.take(length)?);
            match tag {
                NAMES => {
                    let count = section.count()?;
                    tile.names = (0..count)
                        .map(|_| section.text())
                        .collect::<Result<_, _>>()?;
                }
                _ if !wanted.contains(&tag) => {}
                ADDRESSES if MAX_ADDRESS_BYTES < length => {}
                NETWORK => tile.network = decode_network(&mut section, id)?,
                SPOTS => tile.spots = decode_spots(&mut section, id)?,
                DRAWING => tile.drawing = decode_drawing(&mut section, id)?,
                ADDRESSES => tile.addresses = Some(Addresses::decode(&mut section, id)?),
                _ => {}
            }
        }
        Ok(tile)
    }

    fn encode_names(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(self.names.len() as u64, &mut bytes);
        self.names.iter().for_each(|it| put_text(it, &mut bytes));
        bytes
    }

    fn encode_network(&self) -> Vec<u8> {
        let Network { nodes, edges } = &self.network;
        let mut bytes = Vec::new();
        let to = &mut bytes;
        put(nodes.len() as u64, to);
        put(edges.len() as u64, to);
        put_deltas(edges.iter().map(|it| i64::from(it.from)), to);
        for edge in edges {
            put_signed(i64::from(edge.to) - i64::from(edge.from), to);
        }
        put_node_points(&self.network, self.id.corner(), to);
        put_crossings(nodes, to);
        put_heights(nodes, to);
        put_edges(&self.network, to);
        bytes
    }

    fn encode_spots(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put(self.spots.len() as u64, &mut bytes);
        put_points(
            self.spots.iter().map(|it| it.at),
            self.id.corner(),
            &mut bytes,
        );
        bytes.extend(self.spots.iter().map(|it| it.kind as u8));
        self.spots
            .iter()
            .for_each(|it| put(it.name.map_or(0, |name| u64::from(name) + 1), &mut bytes));
        bytes
    }

    fn encode_drawing(&self) -> Vec<u8> {
        let Drawing {
            areas,
            lines,
            labels,
        } = &self.drawing;
        let corner = self.id.corner();
        let mut bytes = Vec::new();
        let to = &mut bytes;
        put(areas.len() as u64, to);
        to.extend(areas.iter().map(|it| it.kind as u8));
        areas.iter().for_each(|it| put(it.rings.len() as u64, to));
        let rings = || areas.iter().flat_map(|it| &it.rings);
        rings().for_each(|it| put(it.len() as u64, to));
        put_chains(rings(), corner, to);
        put(lines.len() as u64, to);
        to.extend(lines.iter().map(|it| it.kind as u8));
        lines.iter().for_each(|it| put(it.points.len() as u64, to));
        put_chains(lines.iter().map(|it| &it.points), corner, to);
        put(labels.len() as u64, to);
        put_points(labels.iter().map(|it| it.at), corner, to);
        to.extend(labels.iter().map(|it| it.kind as u8));
        labels.iter().for_each(|it| put(it.name.into(), to));
        bytes
    }
}

impl Network {
    /// Brings nodes and edges in the order in which their bytes are few: along the ways, so that the next node is mostly the
    /// one at the end of an edge, and always the nearest of those. Edges within the tile run from the earlier node to the later.
    pub fn sort(&mut self) {
        let order = self.depth_first();
        let mut place_of = vec![0; order.len()];
        for (place, index) in (0_u32..).zip(&order) {
            if let Some(it) = place_of.get_mut(*index as usize) {
                *it = place;
            }
        }
        let moved = |index: u32| place_of.get(index as usize).copied().unwrap_or(index);
        let tile_of = |index: u32| self.nodes.get(index as usize).map(|it| it.at.tile());
        for edge in &mut self.edges {
            // An edge belongs to the tile of its first node, so that those that leave it keep their direction.
            let within = tile_of(edge.from) == tile_of(edge.to);
            (edge.from, edge.to) = (moved(edge.from), moved(edge.to));
            if within && edge.to < edge.from {
                (edge.from, edge.to) = (edge.to, edge.from);
                edge.via.reverse();
            }
        }
        self.nodes = order
            .iter()
            .filter_map(|it| self.nodes.get(*it as usize).copied())
            .collect();
        self.edges
            .sort_by(|a, b| (a.from, a.to, &a.via).cmp(&(b.from, b.to, &b.via)));
    }

    /// All nodes as a walker finds them who goes on to the nearest new one, and back where there is none.
    /// Where a walk must begin anew, it does so at the next one of a Z-order curve.
    fn depth_first(&self) -> Vec<u32> {
        let mut next_to = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            for (here, there) in [(edge.from, edge.to), (edge.to, edge.from)] {
                if let Some(it) = next_to.get_mut(here as usize) {
                    it.push(there);
                }
            }
        }
        let at = |index: u32| {
            self.nodes
                .get(index as usize)
                .map(|it| it.at)
                .unwrap_or_default()
        };
        let mut starts: Vec<u32> = (0..).take(self.nodes.len()).collect();
        starts.sort_by_key(|it| z_order(at(*it)));
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut seen = vec![false; self.nodes.len()];
        for start in starts {
            let mut open = vec![start];
            while let Some(here) = open.pop() {
                let Some(seen_here) = seen.get_mut(here as usize).filter(|it| !**it) else {
                    continue;
                };
                *seen_here = true;
                order.push(here);
                let from = open.len();
                let near = next_to.get(here as usize).into_iter().flatten();
                open.extend(near.filter(|it| seen.get(**it as usize) == Some(&false)));
                // The nearest last: it is taken first.
                let far_first = |it: &u32| std::cmp::Reverse((square(at(here), at(*it)), at(*it)));
                open.get_mut(from..)
                    .unwrap_or_default()
                    .sort_by_key(far_first);
            }
        }
        order
    }
}

/// Writes the positions of nodes, each relative to its reference node.
fn put_node_points(Network { nodes, edges }: &Network, corner: Point, to: &mut Vec<u8>) {
    let ends: Vec<_> = edges.iter().map(|it| (it.from, it.to)).collect();
    let references = reference_nodes(nodes.len(), &ends);
    for axis in [|it: Point| it.x, |it: Point| it.y] {
        for (node, reference) in nodes.iter().zip(&references) {
            let reference = reference.and_then(|it| nodes.get(it)).map(|it| it.at);
            let from = axis(reference.unwrap_or(corner));
            put_signed(i64::from(axis(node.at)) - i64::from(from), to);
        }
    }
}

/// The crossings among nodes, by their index.
fn put_crossings(nodes: &[Node], to: &mut Vec<u8>) {
    let crossings: Vec<_> = (0..)
        .zip(nodes)
        .filter(|(_, it)| it.crossing != Crossing::None)
        .collect();
    put(crossings.len() as u64, to);
    put_rising(crossings.iter().map(|(index, _)| *index), to);
    to.extend(crossings.iter().map(|(_, it)| it.crossing as u8));
}

fn put_heights(nodes: &[Node], to: &mut Vec<u8>) {
    let heights = nodes.iter().filter_map(|it| it.height_m);
    let known = match heights.clone().count() {
        0 => NO_HEIGHTS,
        count if count == nodes.len() => ALL_HEIGHTS,
        _ => SOME_HEIGHTS,
    };
    to.push(known);
    if known == SOME_HEIGHTS {
        to.extend(nodes.iter().map(|it| u8::from(it.height_m.is_some())));
    }
    put_deltas(heights.map(i64::from), to);
}

/// All of edges but their ends.
fn put_edges(Network { nodes, edges }: &Network, to: &mut Vec<u8>) {
    let ways = Ways::of(edges);
    put(ways.0.len() as u64, to);
    ways.0.iter().for_each(|it| to.extend(way_bytes(it)));
    edges.iter().for_each(|it| put(ways.index(&it.way), to));
    edges
        .iter()
        .for_each(|it| put(it.name.map_or(0, |name| u64::from(name) + 1), to));
    to.extend(
        edges
            .iter()
            .map(|it| it.green.min(7) | it.shade.min(7) << 3 | u8::from(it.waterside) << 6),
    );
    edges.iter().for_each(|it| put(it.hump_m.into(), to));
    edges.iter().for_each(|it| put(it.via.len() as u64, to));
    let at = |index: u32| nodes.get(index as usize).map(|it| it.at);
    for edge in edges {
        let ends = [edge.from, edge.to].map(|it| at(it).unwrap_or_default());
        for axis in [|it: Point| it.x, |it: Point| it.y] {
            let [mut last, end] = ends.map(|it| i64::from(axis(it)));
            for (left, point) in (1..=edge.via.len() as i64).rev().zip(&edge.via) {
                let here = i64::from(axis(*point));
                put_signed(here - interpolated(last, end, left), to);
                last = here;
            }
        }
    }
}

/// The square of the distance between two points, in steps.
fn square(a: Point, b: Point) -> u64 {
    let (x, y) = (u64::from(a.x.abs_diff(b.x)), u64::from(a.y.abs_diff(b.y)));
    x * x + y * y
}

/// Bits of both coordinates in turn.
fn z_order(at: Point) -> u64 {
    let spread = |number: u32| {
        (0..32).fold(0_u64, |sum, bit| {
            sum | u64::from(number >> bit & 1) << (2 * bit)
        })
    };
    spread(at.x) | spread(at.y) << 1
}

/// The ways of a tile, the most frequent first.
struct Ways(Vec<Way>);

impl Ways {
    fn of(edges: &[Edge]) -> Self {
        let mut counts = std::collections::BTreeMap::<Way, usize>::new();
        for edge in edges {
            *counts.entry(edge.way).or_default() += 1;
        }
        let mut ways: Vec<_> = counts.into_iter().collect();
        ways.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Self(ways.into_iter().map(|(way, _)| way).collect())
    }

    fn index(&self, way: &Way) -> u64 {
        self.0.iter().position(|it| it == way).unwrap_or_default() as u64
    }
}

fn way_bytes(way: &Way) -> [u8; 3] {
    [
        way.kind as u8,
        way.surface as u8
            | (way.lit as u8) << 3
            | (way.sidewalk as u8) << 5
            | u8::from(way.bridge) << 7,
        way.crossing as u8
            | (way.naming as u8) << 2
            | way.beside_traffic.min(3) << 4
            | u8::from(way.tunnel) << 6
            | u8::from(way.fast) << 7,
    ]
}

fn way_of(bytes: [u8; 3]) -> Option<Way> {
    let [kind, second, third] = bytes;
    let ways = Way {
        kind: super::WayKind::of(kind)?,
        surface: super::Surface::of(second & 7)?,
        lit: super::Lit::of(second >> 3 & 3)?,
        sidewalk: super::Sidewalk::of(second >> 5 & 3)?,
        bridge: second >> 7 == 1,
        crossing: Crossing::of(third & 3)?,
        naming: super::Naming::of(third >> 2 & 3)?,
        beside_traffic: third >> 4 & 3,
        tunnel: third >> 6 & 1 == 1,
        fast: third >> 7 == 1,
    };
    Some(ways)
}

/// Returns the coordinate of the next point if the `left` points on the way to an end were evenly spaced on a straight
/// line.
fn interpolated(last: i64, end: i64, left: i64) -> i64 {
    last + (end - last) / (left + 1)
}

/// By node: the one that its point is told from. The last one before it to which an edge leads, and if there is none, the one
/// just before: it is mostly near.
fn reference_nodes(n_nodes: usize, ends: &[(u32, u32)]) -> Vec<Option<usize>> {
    let mut before = vec![None; n_nodes];
    for (from, to) in ends {
        let (first, last) = (*from.min(to) as usize, *from.max(to) as usize);
        if first != last
            && let Some(it) = before.get_mut(last)
        {
            *it = (*it).max(Some(first));
        }
    }
    let just_before = (0..n_nodes).map(|it| it.checked_sub(1));
    let both = before.into_iter().zip(just_before);
    both.map(|(it, just_before)| it.or(just_before)).collect()
}

/// Each number as its difference from the one before.
fn put_deltas(numbers: impl Iterator<Item = i64>, to: &mut Vec<u8>) {
    let mut last = 0;
    for number in numbers {
        put_signed(number - last, to);
        last = number;
    }
}

/// The same for numbers that only rise.
fn put_rising(numbers: impl Iterator<Item = u64>, to: &mut Vec<u8>) {
    let mut last = 0;
    for number in numbers {
        put(number - last, to);
        last = number;
    }
}

/// All eastings, then all southings, each from the point before.
fn put_points(points: impl Iterator<Item = Point> + Clone, from: Point, to: &mut Vec<u8>) {
    put_deltas(
        points.clone().map(|it| i64::from(it.x) - i64::from(from.x)),
        to,
    );
    put_deltas(points.map(|it| i64::from(it.y) - i64::from(from.y)), to);
}

/// Several lists of points, each of which begins where the one before began.
fn put_chains<'a>(
    chains: impl Iterator<Item = &'a Vec<Point>> + Clone,
    from: Point,
    to: &mut Vec<u8>,
) {
    for axis in [|it: Point| it.x, |it: Point| it.y] {
        let mut first = i64::from(axis(from));
        for chain in chains.clone() {
            let mut last = first;
            for (index, point) in chain.iter().enumerate() {
                let here = i64::from(axis(*point));
                put_signed(here - last, to);
                last = here;
                if index == 0 {
                    first = here;
                }
            }
        }
    }
}

fn decode_network(reader: &mut ByteReader, id: TileId) -> Result<Network, TileError> {
    let n_nodes = reader.count()?;
    let n_edges = reader.count()?;
    let ends = ends(reader, n_edges, n_nodes)?;
    let points = node_points(reader, id.corner(), &reference_nodes(n_nodes, &ends))?;
    let crossings = crossings(reader)?;
    let heights = heights(reader, n_nodes)?;
    let mut nodes: Vec<Node> = points
        .into_iter()
        .zip(heights)
        .map(|(at, height_m)| Node {
            at,
            height_m,
            crossing: Crossing::None,
        })
        .collect();
    for (index, crossing) in crossings {
        let node = usize::try_from(index).ok().and_then(|it| nodes.get_mut(it));
        node.ok_or(TileError::Cut)?.crossing = crossing;
    }
    let edges = edges(reader, ends, &nodes)?;
    Ok(Network { nodes, edges })
}

fn node_points(
    reader: &mut ByteReader,
    corner: Point,
    references: &[Option<usize>],
) -> Result<Vec<Point>, TileError> {
    let mut axis = |corner: u32| {
        let mut values = Vec::with_capacity(references.len());
        for reference in references {
            let reference = reference.and_then(|it| values.get(it)).copied();
            let from: i64 = reference.unwrap_or(i64::from(corner));
            values.push(from.checked_add(reader.signed()?).ok_or(TileError::Cut)?);
        }
        Ok::<_, TileError>(values)
    };
    let (xs, ys) = (axis(corner.x)?, axis(corner.y)?);
    xs.into_iter().zip(ys).map(|(x, y)| point(x, y)).collect()
}

/// The crossings among nodes, with the indices of these.
fn crossings(reader: &mut ByteReader) -> Result<Vec<(u64, Crossing)>, TileError> {
    let count = reader.count()?;
    let mut index = 0_u64;
    let indices = column(reader, count, |reader| {
        index = index.checked_add(reader.number()?).ok_or(TileError::Cut)?;
        Ok(index)
    })?;
    let codes = reader.take(count)?.iter();
    indices
        .into_iter()
        .zip(codes)
        .map(|(index, code)| Ok((index, Crossing::of(*code).ok_or(TileError::Newer)?)))
        .collect()
}

/// The height of each node that has one.
fn heights(reader: &mut ByteReader, n_nodes: usize) -> Result<Vec<Option<i16>>, TileError> {
    let is_known = match reader.byte()? {
        NO_HEIGHTS => vec![false; n_nodes],
        ALL_HEIGHTS => vec![true; n_nodes],
        SOME_HEIGHTS => reader.take(n_nodes)?.iter().map(|it| *it != 0).collect(),
        _ => return Err(TileError::Newer),
    };
    let n_known = is_known.iter().filter(|it| **it).count();
    let mut known = deltas(reader, n_known, 0)?.into_iter();
    let heights = is_known.into_iter().map(|is_known| {
        let height = is_known.then(|| known.next()).flatten();
        let height = height.map(|it| i16::try_from(it).map_err(|_| TileError::Cut));
        height.transpose()
    });
    heights.collect()
}

/// Edges between these ends.
fn edges(
    reader: &mut ByteReader,
    ends: Vec<(u32, u32)>,
    nodes: &[Node],
) -> Result<Vec<Edge>, TileError> {
    let n_edges = ends.len();
    let n_ways = reader.count()?;
    let ways = column(reader, n_ways, |reader| {
        way_of([reader.byte()?, reader.byte()?, reader.byte()?]).ok_or(TileError::Newer)
    })?;
    let ways = column(reader, n_edges, |reader| {
        let index: usize = reader.small()?;
        ways.get(index).copied().ok_or(TileError::Cut)
    })?;
    let names = column(reader, n_edges, |reader| reader.small::<u32>())?;
    let grounds = reader.take(n_edges)?;
    let humps = column(reader, n_edges, |reader| reader.small::<u16>())?;
    let counts = column(reader, n_edges, |reader| reader.count())?;
    let columns = ends
        .into_iter()
        .zip(ways)
        .zip(names)
        .zip(grounds)
        .zip(humps)
        .zip(counts);
    columns
        .map(|(((((ends, way), name), ground), hump_m), n_via)| {
            let (from, to) = ends;
            let at = |index: u32| nodes.get(index as usize).map(|it| it.at);
            let ends = [from, to].map(|it| at(it).unwrap_or_default());
            Ok(Edge {
                from,
                to,
                way,
                name: name.checked_sub(1),
                via: points_between(reader, n_via, ends)?,
                green: ground & 7,
                shade: ground >> 3 & 7,
                waterside: ground >> 6 & 1 == 1,
                hump_m,
            })
        })
        .collect()
}

/// The nodes where edges begin and end.
fn ends(
    reader: &mut ByteReader,
    n_edges: usize,
    n_nodes: usize,
) -> Result<Vec<(u32, u32)>, TileError> {
    let node = |index: i64| {
        let index = u32::try_from(index).map_err(|_| TileError::Cut)?;
        let is_there = (index as usize) < n_nodes;
        is_there.then_some(index).ok_or(TileError::Cut)
    };
    let froms = deltas(reader, n_edges, 0)?.into_iter();
    froms
        .map(|from| {
            let to = from.checked_add(reader.signed()?).ok_or(TileError::Cut)?;
            Ok((node(from)?, node(to)?))
        })
        .collect()
}

fn decode_spots(reader: &mut ByteReader, id: TileId) -> Result<Vec<Spot>, TileError> {
    let count = reader.count()?;
    let points = points(reader, count, id.corner())?;
    let kinds = reader.take(count)?;
    let names = column(reader, count, |reader| reader.small::<u32>())?;
    // What a newer server knows and this version does not is left out; the rest is of use.
    let spots = points
        .into_iter()
        .zip(kinds)
        .zip(names)
        .filter_map(|((at, kind), name)| {
            let kind = super::SpotKind::of(*kind)?;
            Some(Spot {
                kind,
                at,
                name: name.checked_sub(1),
            })
        });
    Ok(spots.collect())
}

fn decode_drawing(reader: &mut ByteReader, id: TileId) -> Result<Drawing, TileError> {
    let corner = id.corner();
    let n_areas = reader.count()?;
    let kinds = reader.take(n_areas)?;
    let n_rings = column(reader, n_areas, |reader| reader.count())?;
    let total = n_rings
        .iter()
        .try_fold(0_usize, |sum, it| sum.checked_add(*it));
    let total = total
        .filter(|it| *it <= reader.0.len())
        .ok_or(TileError::Cut)?;
    let lengths = column(reader, total, |reader| reader.count())?;
    let mut rings = chains(reader, &lengths, corner)?.into_iter();
    let areas = kinds.iter().zip(n_rings).filter_map(|(kind, n_rings)| {
        let rings = rings.by_ref().take(n_rings).collect();
        Some(Area {
            kind: super::AreaKind::of(*kind)?,
            rings,
        })
    });
    let areas = areas.collect();
    let n_lines = reader.count()?;
    let kinds = reader.take(n_lines)?;
    let lengths = column(reader, n_lines, |reader| reader.count())?;
    let chains = chains(reader, &lengths, corner)?;
    let lines = kinds.iter().zip(chains).filter_map(|(kind, points)| {
        Some(Line {
            kind: super::LineKind::of(*kind)?,
            points,
        })
    });
    let lines = lines.collect();
    let n_labels = reader.count()?;
    let places = points(reader, n_labels, corner)?;
    let kinds = reader.take(n_labels)?;
    let names = column(reader, n_labels, |reader| reader.small::<u32>())?;
    let labels = places
        .into_iter()
        .zip(kinds)
        .zip(names)
        .filter_map(|((at, kind), name)| {
            Some(Label {
                kind: super::LabelKind::of(*kind)?,
                at,
                name,
            })
        });
    Ok(Drawing {
        areas,
        lines,
        labels: labels.collect(),
    })
}

fn column<T>(
    reader: &mut ByteReader,
    count: usize,
    mut read: impl FnMut(&mut ByteReader) -> Result<T, TileError>,
) -> Result<Vec<T>, TileError> {
    (0..count).map(|_| read(reader)).collect()
}

fn deltas(reader: &mut ByteReader, count: usize, from: i64) -> Result<Vec<i64>, TileError> {
    let mut last = from;
    column(reader, count, |reader| {
        last = last.checked_add(reader.signed()?).ok_or(TileError::Cut)?;
        Ok(last)
    })
}

fn points(reader: &mut ByteReader, count: usize, from: Point) -> Result<Vec<Point>, TileError> {
    let xs = deltas(reader, count, from.x.into())?;
    let ys = deltas(reader, count, from.y.into())?;
    xs.into_iter().zip(ys).map(|(x, y)| point(x, y)).collect()
}

fn points_between(
    reader: &mut ByteReader,
    count: usize,
    ends: [Point; 2],
) -> Result<Vec<Point>, TileError> {
    let mut axis = |ends: [u32; 2]| {
        let [mut last, end] = ends.map(i64::from);
        let lefts = (1..=count as i64).rev();
        lefts
            .map(|left| {
                let interpolated = interpolated(last, end, left);
                // No point of the map is so far from another that the next sum could be too large.
                let here = interpolated.checked_add(reader.signed()?);
                last = here
                    .filter(|it| u32::try_from(*it).is_ok())
                    .ok_or(TileError::Cut)?;
                Ok(last)
            })
            .collect::<Result<Vec<_>, TileError>>()
    };
    let (xs, ys) = (axis(ends.map(|it| it.x))?, axis(ends.map(|it| it.y))?);
    xs.into_iter().zip(ys).map(|(x, y)| point(x, y)).collect()
}

fn chains(
    reader: &mut ByteReader,
    lengths: &[usize],
    from: Point,
) -> Result<Vec<Vec<Point>>, TileError> {
    let mut axis = |from: u32| {
        let mut first = i64::from(from);
        let chains = lengths.iter().map(|length| {
            let chain = deltas(reader, *length, first)?;
            first = chain.first().copied().unwrap_or(first);
            Ok(chain)
        });
        chains.collect::<Result<Vec<_>, TileError>>()
    };
    let (xs, ys) = (axis(from.x)?, axis(from.y)?);
    let both = xs.into_iter().zip(ys);
    both.map(|(xs, ys)| xs.into_iter().zip(ys).map(|(x, y)| point(x, y)).collect())
        .collect()
}

fn point(x: i64, y: i64) -> Result<Point, TileError> {
    let x = u32::try_from(x).map_err(|_| TileError::Cut)?;
    let y = u32::try_from(y).map_err(|_| TileError::Cut)?;
    Ok(Point { x, y })
}
