//! Owns the bytes of a tile. Stored on phones. Only add sections and kinds; never change or reuse one.
//!
//! A tile is the four bytes `WKTL`, the version byte, column, row, the time of the data, the sections, and the CRC-32 (IEEE)
//! of all before it in four bytes, little-endian. A section is its tag, its length and its bytes; one that is not known is
//! passed over. Numbers are varints. Within a section the values stand column by column, which compresses best: first all
//! eastings, then all southings, and so on. Compression itself is HTTP's.

use thiserror::Error;

use super::bytes::{Reader, put, put_signed, put_text};
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

/// An enum whose variants are bytes of the format.
macro_rules! coded {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$inner:meta])* $variant:ident = $code:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum $name { $($(#[$inner])* $variant = $code,)+ }

        impl $name {
            /// All of them, in the order of their codes.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// By its byte in a tile; `None` for one that this version does not know.
            pub fn of(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}
pub(super) use coded;

/// One tile of the map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Which.
    pub id: TileId,
    /// When its data was taken from OpenStreetMap, in seconds since 1970; 0 where the extract does not say.
    pub data_at: i64,
    /// Names of streets, parks and waters, each once.
    pub names: Vec<String>,
    /// What can be walked.
    pub network: Network,
    /// Single things.
    pub spots: Vec<Spot>,
    /// What is drawn beside it.
    pub drawing: Drawing,
}

/// Why bytes are no tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TileError {
    /// They are something else.
    #[error("This is not a map tile.")]
    NotATile,
    /// A newer app wrote them.
    #[error("This map tile needs a newer version of the app.")]
    Newer,
    /// They were changed on the way.
    #[error("This map tile is damaged.")]
    Damaged,
    /// They end too early or say what cannot be.
    #[error("This map tile is cut off.")]
    Cut,
}

impl Tile {
    /// A tile without anything.
    pub fn empty(id: TileId) -> Self {
        Self {
            id,
            data_at: 0,
            names: Vec::new(),
            network: Network::default(),
            spots: Vec::new(),
            drawing: Drawing::default(),
        }
    }

    /// Its bytes. Nodes must be sorted as `Network::sort` leaves them for the bytes to be small; any order is kept.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.push(FORMAT_VERSION);
        put(self.id.x.into(), &mut bytes);
        put(self.id.y.into(), &mut bytes);
        put_signed(self.data_at, &mut bytes);
        for (tag, section) in [
            (NAMES, self.encode_names()),
            (NETWORK, self.encode_network()),
            (SPOTS, self.encode_spots()),
            (DRAWING, self.encode_drawing()),
        ] {
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
        Self::decode_parts(bytes, true)
    }

    /// The tile without what is only drawn: all that the router needs.
    pub fn decode_network(bytes: &[u8]) -> Result<Self, TileError> {
        Self::decode_parts(bytes, false)
    }

    fn decode_parts(bytes: &[u8], with_drawing: bool) -> Result<Self, TileError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(TileError::NotATile)?;
        if rest.first() != Some(&FORMAT_VERSION) {
            return Err(TileError::Newer);
        }
        let body = bytes.len().saturating_sub(CHECKSUM_BYTES);
        let (body, checksum) = bytes.split_at_checked(body).ok_or(TileError::Cut)?;
        if crc32fast::hash(body).to_le_bytes() != checksum {
            return Err(TileError::Damaged);
        }
        let mut reader = Reader(body.get(MAGIC.len() + 1..).ok_or(TileError::Cut)?);
        let id = TileId {
            x: reader.small()?,
            y: reader.small()?,
        };
        let mut tile = Self {
            data_at: reader.signed()?,
            ..Self::empty(id)
        };
        while !reader.0.is_empty() {
            let tag = reader.byte()?;
            let length = reader.count()?;
            let mut section = Reader(reader.take(length)?);
            match tag {
                NAMES => {
                    let count = section.count()?;
                    tile.names = (0..count)
                        .map(|_| section.text())
                        .collect::<Result<_, _>>()?;
                }
                NETWORK => tile.network = decode_network(&mut section, id)?,
                SPOTS => tile.spots = decode_spots(&mut section, id)?,
                DRAWING if with_drawing => tile.drawing = decode_drawing(&mut section, id)?,
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
        put_points(nodes.iter().map(|it| it.at), self.id.corner(), to);
        let crossings: Vec<_> = (0..)
            .zip(nodes)
            .filter(|(_, it)| it.crossing != Crossing::None)
            .collect();
        put(crossings.len() as u64, to);
        put_rising(crossings.iter().map(|(index, _)| *index), to);
        to.extend(crossings.iter().map(|(_, it)| it.crossing as u8));
        let heights: Option<Vec<i16>> = nodes.iter().map(|it| it.height_m).collect();
        to.push(heights.is_some().into());
        put_deltas(heights.into_iter().flatten().map(i64::from), to);

        let ways = Ways::of(edges);
        put(ways.0.len() as u64, to);
        ways.0.iter().for_each(|it| to.extend(way_bytes(it)));
        put(edges.len() as u64, to);
        put_deltas(edges.iter().map(|it| i64::from(it.from)), to);
        for edge in edges {
            put_signed(i64::from(edge.to) - i64::from(edge.from), to);
        }
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
        for edge in edges {
            let from = nodes
                .get(edge.from as usize)
                .map(|it| it.at)
                .unwrap_or_default();
            put_points(edge.via.iter().copied(), from, to);
        }
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
    /// Brings nodes and edges in the order in which their bytes are few: along a Z-order curve.
    pub fn sort(&mut self) {
        let mut order: Vec<u32> = (0..).take(self.nodes.len()).collect();
        let at = |index: &u32| self.nodes.get(*index as usize).map(|it| z_order(it.at));
        order.sort_by_key(at);
        let mut place_of = vec![0; order.len()];
        for (place, index) in (0_u32..).zip(&order) {
            if let Some(it) = place_of.get_mut(*index as usize) {
                *it = place;
            }
        }
        let moved = |index: u32| place_of.get(index as usize).copied().unwrap_or(index);
        for edge in &mut self.edges {
            (edge.from, edge.to) = (moved(edge.from), moved(edge.to));
        }
        self.nodes = order
            .iter()
            .filter_map(|it| self.nodes.get(*it as usize).copied())
            .collect();
        self.edges
            .sort_by(|a, b| (a.from, a.to, &a.via).cmp(&(b.from, b.to, &b.via)));
    }
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
            | u8::from(way.tunnel) << 6,
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
    };
    Some(ways)
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

fn decode_network(reader: &mut Reader, id: TileId) -> Result<Network, TileError> {
    let n_nodes = reader.count()?;
    let points = points(reader, n_nodes, id.corner())?;
    let mut nodes: Vec<Node> = points
        .into_iter()
        .map(|at| Node {
            at,
            height_m: None,
            crossing: Crossing::None,
        })
        .collect();
    let n_crossings = reader.count()?;
    let mut index = 0_u64;
    let crossings = (0..n_crossings)
        .map(|_| {
            index = index.checked_add(reader.number()?).ok_or(TileError::Cut)?;
            Ok(index)
        })
        .collect::<Result<Vec<_>, TileError>>()?;
    for (index, code) in crossings.into_iter().zip(reader.take(n_crossings)?) {
        let node = usize::try_from(index).ok().and_then(|it| nodes.get_mut(it));
        node.ok_or(TileError::Cut)?.crossing = Crossing::of(*code).ok_or(TileError::Newer)?;
    }
    if reader.byte()? != 0 {
        let heights = deltas(reader, n_nodes, 0)?;
        for (node, height) in nodes.iter_mut().zip(heights) {
            node.height_m = Some(i16::try_from(height).map_err(|_| TileError::Cut)?);
        }
    }

    let n_ways = reader.count()?;
    let ways = (0..n_ways)
        .map(|_| way_of([reader.byte()?, reader.byte()?, reader.byte()?]).ok_or(TileError::Newer))
        .collect::<Result<Vec<_>, _>>()?;
    let n_edges = reader.count()?;
    let froms = deltas(reader, n_edges, 0)?;
    let mut edges = Vec::with_capacity(n_edges);
    for from in froms {
        let to = from.checked_add(reader.signed()?).ok_or(TileError::Cut)?;
        let node = |index: i64| {
            let index = u32::try_from(index).map_err(|_| TileError::Cut)?;
            nodes
                .get(index as usize)
                .map(|_| index)
                .ok_or(TileError::Cut)
        };
        edges.push((node(from)?, node(to)?));
    }
    let ways = column(reader, n_edges, |reader| {
        let index: usize = reader.small()?;
        ways.get(index).copied().ok_or(TileError::Cut)
    })?;
    let names = column(reader, n_edges, |reader| reader.small::<u32>())?;
    let grounds = reader.take(n_edges)?;
    let humps = column(reader, n_edges, |reader| reader.small::<u16>())?;
    let counts = column(reader, n_edges, |reader| reader.count())?;
    let columns = edges
        .into_iter()
        .zip(ways)
        .zip(names)
        .zip(grounds)
        .zip(humps)
        .zip(counts);
    let edges = columns
        .map(|(((((ends, way), name), ground), hump_m), n_via)| {
            let (from, to) = ends;
            let at = nodes.get(from as usize).map(|it| it.at).unwrap_or_default();
            Ok(Edge {
                from,
                to,
                way,
                name: name.checked_sub(1),
                via: points_from(reader, n_via, at)?,
                green: ground & 7,
                shade: ground >> 3 & 7,
                waterside: ground >> 6 & 1 == 1,
                hump_m,
            })
        })
        .collect::<Result<_, TileError>>()?;
    Ok(Network { nodes, edges })
}

fn decode_spots(reader: &mut Reader, id: TileId) -> Result<Vec<Spot>, TileError> {
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

fn decode_drawing(reader: &mut Reader, id: TileId) -> Result<Drawing, TileError> {
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
    reader: &mut Reader,
    count: usize,
    mut read: impl FnMut(&mut Reader) -> Result<T, TileError>,
) -> Result<Vec<T>, TileError> {
    (0..count).map(|_| read(reader)).collect()
}

fn deltas(reader: &mut Reader, count: usize, from: i64) -> Result<Vec<i64>, TileError> {
    let mut last = from;
    column(reader, count, |reader| {
        last = last.checked_add(reader.signed()?).ok_or(TileError::Cut)?;
        Ok(last)
    })
}

fn points(reader: &mut Reader, count: usize, from: Point) -> Result<Vec<Point>, TileError> {
    points_from(reader, count, from)
}

fn points_from(reader: &mut Reader, count: usize, from: Point) -> Result<Vec<Point>, TileError> {
    let xs = deltas(reader, count, from.x.into())?;
    let ys = deltas(reader, count, from.y.into())?;
    xs.into_iter().zip(ys).map(|(x, y)| point(x, y)).collect()
}

fn chains(
    reader: &mut Reader,
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
