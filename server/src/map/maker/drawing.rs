//! Owns what a tile shows beside its ways: areas, lines, names and single things, cut at its border.

use walkies_core::map::{
    Area, AreaKind, Ground, LabelKind, Line, LineKind, Point, SpotKind, TILE_BITS, TileId,
};

use super::frame::Frame;
use super::piece::Piece;
use super::raster::Raster;
use super::shape::{area_m2, lines_within, rings_within};

/// Smaller ones are not seen on a walker's map.
const MIN_AREA_M2: f64 = 30.0;

/// Smaller houses are sheds and garages' roofs.
const MIN_BUILDING_M2: f64 = 20.0;

/// The drawing of a tile, with names as texts.
#[derive(Debug, Default)]
pub struct Picture {
    /// Areas, those under others first.
    pub areas: Vec<Area>,
    /// Lines that cannot be walked.
    pub lines: Vec<Line>,
    /// Names, each with its kind and its place.
    pub labels: Vec<(LabelKind, Point, String)>,
    /// Single things, each with its kind, its place and its name if it has one.
    pub spots: Vec<(SpotKind, Point, Option<String>)>,
}

/// Draws a tile.
pub fn picture(tile: TileId, pieces: &[Piece], ground: &Ground) -> Picture {
    let frame = Frame::of(tile, 0);
    let inside = |at: &Point| at.tile() == tile;
    let mut picture = Picture::default();
    let mut water = Raster::new(tile);
    for piece in pieces {
        match piece {
            Piece::Area(it) => {
                let Some(kind) = it.land.kind else { continue };
                let least_m2 = if kind == AreaKind::Building {
                    MIN_BUILDING_M2
                } else {
                    MIN_AREA_M2
                };
                let rings: Vec<_> = rings_within(&it.rings, &frame)
                    .into_iter()
                    .filter(|it| area_m2(it, ground) >= least_m2)
                    .map(turned)
                    .collect();
                if kind == AreaKind::Water {
                    water.fill(&it.rings, 1_u8);
                }
                if !rings.is_empty() {
                    picture.areas.push(Area { kind, rings });
                }
            }
            Piece::Label(kind, at, name) => picture.labels.push((*kind, *at, name.clone())),
            Piece::Spot(kind, at, name) if inside(at) => {
                picture.spots.push((*kind, *at, name.clone()))
            }
            _ => {}
        }
    }
    for piece in pieces {
        let Piece::Line(it) = piece else { continue };
        let Some(kind) = it.kind else { continue };
        for line in lines_within(&it.points, &frame) {
            // A river whose bed is drawn needs no line.
            let wet = matches!(kind, LineKind::River | LineKind::Stream)
                && line.iter().all(|it| water.at(*it) != 0);
            if !wet {
                picture.lines.push(Line { kind, points: line });
            }
        }
    }
    // Neighbors beside each other, which takes the fewest bytes. Within a kind nobody sees which is above.
    let start = |it: &Vec<Point>| it.first().map(|it| along_curve(*it));
    picture
        .areas
        .sort_by_cached_key(|it| (layer(it.kind), it.rings.first().and_then(start)));
    picture
        .lines
        .sort_by_cached_key(|it| (it.kind, start(&it.points)));
    picture
        .labels
        .sort_by(|a, b| (a.0, along_curve(a.1), &a.2).cmp(&(b.0, along_curve(b.1), &b.2)));
    picture
        .spots
        .sort_by(|a, b| (a.0, along_curve(a.1), &a.2).cmp(&(b.0, along_curve(b.1), &b.2)));
    picture.labels.dedup();
    picture.spots.dedup();
    picture.lines.dedup();
    picture.areas.dedup();
    picture
}

/// A ring that begins at its first point along the curve, so that it begins near the one before.
fn turned(ring: Vec<Point>) -> Vec<Point> {
    let start = ring
        .iter()
        .enumerate()
        .min_by_key(|(_, it)| along_curve(**it))
        .map_or(0, |(index, _)| index);
    ring.iter()
        .cycle()
        .skip(start)
        .take(ring.len())
        .copied()
        .collect()
}

/// Returns the drawing order of a kind of area; those with a higher number lie on top.
fn layer(kind: AreaKind) -> u8 {
    match kind {
        AreaKind::Grounds => 0,
        AreaKind::Farmland => 1,
        AreaKind::Park => 2,
        AreaKind::Cemetery => 3,
        AreaKind::Grass => 4,
        AreaKind::Wood => 5,
        AreaKind::DogPark => 6,
        AreaKind::Sand => 7,
        AreaKind::Water => 8,
        AreaKind::Parking => 9,
        AreaKind::Pitch => 10,
        AreaKind::Square => 11,
        AreaKind::Building => 12,
    }
}

/// A point's place along a curve that fills the tile (Morton's): the bits of both coordinates in turn.
pub fn along_curve(at: Point) -> u64 {
    let spread = |number: u32| {
        (0..2 * TILE_BITS).fold(0_u64, |sum, bit| {
            sum | u64::from(number >> bit & 1) << (2 * bit)
        })
    };
    spread(at.x) | spread(at.y) << 1
}
