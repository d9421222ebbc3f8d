//! Owns what is dealt out to the tiles: pieces of streets, areas and lines, names and single things, and their bytes.

use std::io::Result;

use walkies_core::map::{
    AreaKind, Crossing, LabelKind, LineKind, Lit, Naming, Point, Sidewalk, SpotKind, Surface, Way,
    WayKind,
};

use super::deck::Deck;
use super::features::Land;
use super::locate::Vertex;
use super::record::{Reader, broken, put, put_points, put_text};
use super::whereabouts::Whereabouts;

const STREET: u8 = 0;
const AREA: u8 = 1;
const LINE: u8 = 2;
const LABEL: u8 = 3;
const SPOT: u8 = 4;
const HOUSE: u8 = 5;
const HOUSE_ROW: u8 = 6;

/// In place of a kind where there is none.
const NO_KIND: u8 = 255;

/// Something that belongs to a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A walkable way, with the first of its points beyond the tile's margin on either side.
    Street(Street),
    /// An area, cut at the tile's margin.
    Area(Patch),
    /// A line, with the first of its points beyond the tile's margin on either side.
    Line(Strand),
    /// A name in the tile.
    Label(LabelKind, Point, String),
    /// A single thing in the tile or its margin.
    Spot(SpotKind, Point, Option<String>),
    /// A house in the tile or its margin: its numbers as they are tagged, the rest of its address, and its point.
    House(String, Whereabouts, Point),
    /// A row of houses: the step between their numbers, what they share, and the line along which they stand.
    HouseRow(u32, Whereabouts, Vec<Point>),
}

/// A piece of an area.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The kind of area.
    pub land: Land,
    /// The name of the area.
    pub name: Option<String>,
    /// The size of the whole area.
    pub whole_m2: u64,
    /// Outlines and holes, without the first point again at the end.
    pub rings: Vec<Vec<Point>>,
}

/// A piece of a line that cannot be walked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strand {
    /// The kind of line; `None` for a row of trees.
    pub kind: Option<LineKind>,
    /// The name of the line.
    pub name: Option<String>,
    /// The points of the line, in its direction.
    pub points: Vec<Point>,
}

/// A piece of a walkable way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Street {
    /// The way's properties: kind, surface, crossing and others.
    pub way: Way,
    /// The name of the way, or its road number.
    pub name: Option<String>,
    /// The points of the way, in its direction.
    pub course: Vec<Vertex>,
}

impl Piece {
    /// Appends the piece's bytes to `to`.
    pub fn put(&self, to: &mut Vec<u8>) {
        match self {
            Self::Street(it) => {
                to.push(STREET);
                to.extend(way_bytes(&it.way));
                put_text(it.name.as_deref().unwrap_or_default(), to);
                let points: Vec<Point> = it.course.iter().map(|it| it.at).collect();
                put_points(&points, to);
                to.extend(it.course.iter().map(|it| it.crossing as u8));
                let has_decks = it.course.iter().any(|it| it.deck.is_some());
                to.push(has_decks.into());
                if has_decks {
                    it.course.iter().for_each(|it| Deck::put(it.deck, to));
                }
            }
            Self::Area(it) => {
                to.extend([
                    AREA,
                    it.land.kind.map_or(NO_KIND, |it| it as u8),
                    it.land.green.into(),
                ]);
                put_text(it.name.as_deref().unwrap_or_default(), to);
                put(it.whole_m2, to);
                put(it.rings.len() as u64, to);
                it.rings.iter().for_each(|it| put_points(it, to));
            }
            Self::Line(it) => {
                to.extend([LINE, it.kind.map_or(NO_KIND, |it| it as u8)]);
                put_text(it.name.as_deref().unwrap_or_default(), to);
                put_points(&it.points, to);
            }
            Self::Label(kind, at, name) => {
                to.extend([LABEL, *kind as u8]);
                put_points(&[*at], to);
                put_text(name, to);
            }
            Self::Spot(kind, at, name) => {
                to.extend([SPOT, *kind as u8]);
                put_points(&[*at], to);
                put_text(name.as_deref().unwrap_or_default(), to);
            }
            Self::House(numbers, whereabouts, at) => {
                to.push(HOUSE);
                put_text(numbers, to);
                put_whereabouts(whereabouts, to);
                put_points(&[*at], to);
            }
            Self::HouseRow(step, whereabouts, points) => {
                to.push(HOUSE_ROW);
                put(u64::from(*step), to);
                put_whereabouts(whereabouts, to);
                put_points(points, to);
            }
        }
    }

    /// Reads them back.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader(bytes);
        match reader.byte()? {
            STREET => {
                let way = read_way(&mut reader)?;
                let name = optional(reader.text()?);
                let points = reader.points()?;
                let crossings = reader.take(points.len())?;
                let course = points
                    .into_iter()
                    .zip(crossings)
                    .map(|(at, crossing)| Vertex {
                        at,
                        crossing: Crossing::of(*crossing).unwrap_or(Crossing::None),
                        deck: None,
                    });
                let mut course: Vec<Vertex> = course.collect();
                if reader.byte()? != 0 {
                    for vertex in &mut course {
                        vertex.deck = Deck::read(&mut reader)?;
                    }
                }
                Ok(Self::Street(Street { way, name, course }))
            }
            AREA => {
                let (kind, green) = (reader.byte()?, reader.byte()? != 0);
                Ok(Self::Area(Patch {
                    land: Land {
                        kind: AreaKind::of(kind),
                        green,
                    },
                    name: optional(reader.text()?),
                    whole_m2: reader.number()?,
                    rings: (0..reader.number()?)
                        .map(|_| reader.points())
                        .collect::<Result<_>>()?,
                }))
            }
            LINE => Ok(Self::Line(Strand {
                kind: LineKind::of(reader.byte()?),
                name: optional(reader.text()?),
                points: reader.points()?,
            })),
            LABEL => {
                let kind = LabelKind::of(reader.byte()?).ok_or_else(broken)?;
                Ok(Self::Label(
                    kind,
                    read_point(&mut reader)?,
                    reader.text()?.to_owned(),
                ))
            }
            SPOT => {
                let kind = SpotKind::of(reader.byte()?).ok_or_else(broken)?;
                Ok(Self::Spot(
                    kind,
                    read_point(&mut reader)?,
                    optional(reader.text()?),
                ))
            }
            HOUSE => Ok(Self::House(
                reader.text()?.to_owned(),
                read_whereabouts(&mut reader)?,
                read_point(&mut reader)?,
            )),
            HOUSE_ROW => Ok(Self::HouseRow(
                reader.small()?,
                read_whereabouts(&mut reader)?,
                reader.points()?,
            )),
            _ => Err(broken()),
        }
    }
}

fn put_whereabouts(it: &Whereabouts, to: &mut Vec<u8>) {
    for text in [&it.street, &it.postcode, &it.town] {
        put_text(text, to);
    }
}

fn read_whereabouts(reader: &mut Reader) -> Result<Whereabouts> {
    Ok(Whereabouts {
        street: reader.text()?.to_owned(),
        postcode: reader.text()?.to_owned(),
        town: reader.text()?.to_owned(),
    })
}

fn read_point(reader: &mut Reader) -> Result<Point> {
    reader.points()?.first().copied().ok_or_else(broken)
}

fn optional(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn way_bytes(way: &Way) -> [u8; 6] {
    [
        way.kind as u8,
        way.surface as u8,
        way.lit as u8,
        way.sidewalk as u8,
        way.crossing as u8,
        u8::from(way.bridge) | u8::from(way.tunnel) << 1 | u8::from(way.fast) << 2,
    ]
}

fn read_way(reader: &mut Reader) -> Result<Way> {
    let way = Way {
        kind: WayKind::of(reader.byte()?).ok_or_else(broken)?,
        surface: Surface::of(reader.byte()?).ok_or_else(broken)?,
        lit: Lit::of(reader.byte()?).ok_or_else(broken)?,
        sidewalk: Sidewalk::of(reader.byte()?).ok_or_else(broken)?,
        crossing: Crossing::of(reader.byte()?).ok_or_else(broken)?,
        naming: Naming::Own,
        beside_traffic: 0,
        bridge: false,
        tunnel: false,
        fast: false,
    };
    let flags = reader.byte()?;
    Ok(Way {
        bridge: flags & 1 == 1,
        tunnel: flags >> 1 & 1 == 1,
        fast: flags >> 2 == 1,
        ..way
    })
}
