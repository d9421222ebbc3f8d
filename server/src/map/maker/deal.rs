//! Owns dealing out: which tiles a street, an area, a line or a single thing touches, and what of it each of them gets.

use std::io::Result;
use std::path::Path;

use walkies_core::map::{LabelKind, Point, SpotKind, TileId};

use super::frame::Frame;
use super::piece::{Patch, Piece, Strand, Street};
use super::shape::ring_within;
use super::spool::{Sorted, Sorter};

/// How far beyond its border a tile knows what is there, in steps: 40 m at 68 degrees north, more elsewhere.
/// Streets, parks and waters that far away tell what the ways near the border are like.
pub const MARGIN: u32 = 192;

/// Takes pieces and keeps them for their tiles.
pub struct Dealer {
    tiles: Sorter,
    n_pieces: u64,
    n_streets: u64,
    record: Vec<u8>,
}

impl Dealer {
    /// With its file in this folder.
    pub fn new(folder: &Path) -> Self {
        Self {
            tiles: Sorter::new(folder),
            n_pieces: 0,
            n_streets: 0,
            record: Vec::new(),
        }
    }

    /// Gives a street to the tiles that it touches or passes by.
    pub fn street(&mut self, street: &Street) -> Result<()> {
        let Some(frame) = Frame::around(street.course.iter().map(|it| it.at)) else {
            return Ok(());
        };
        self.n_streets += 1;
        let tiles = frame.tiles(MARGIN);
        let alone = tiles.len() == 1;
        for tile in tiles {
            if alone {
                self.deal(tile, &Piece::Street(street.clone()))?;
                continue;
            }
            let wide = Frame::of(tile, MARGIN);
            for course in runs(&street.course, &wide, |it| it.at) {
                self.deal(
                    tile,
                    &Piece::Street(Street {
                        course: course.to_vec(),
                        ..street.clone()
                    }),
                )?;
            }
        }
        Ok(())
    }

    /// Gives each tile what it has of an area.
    pub fn area(&mut self, area: &Patch) -> Result<()> {
        let Some(frame) = Frame::around(area.rings.iter().flatten().copied()) else {
            return Ok(());
        };
        let tiles = frame.tiles(MARGIN);
        if let [tile] = tiles.as_slice() {
            return self.deal(*tile, &Piece::Area(area.clone()));
        }
        // First into rows, then each row into tiles: an area of a hundred tiles is not cut a hundred times whole.
        let mut row = (None, Vec::new());
        for tile in tiles {
            let wide = Frame::of(tile, MARGIN);
            if row.0 != Some(tile.y) {
                let band = Frame {
                    from: Point {
                        x: frame.from.x,
                        ..wide.from
                    },
                    to: Point {
                        x: frame.to.x,
                        ..wide.to
                    },
                };
                row = (Some(tile.y), rings_within(&area.rings, &band));
            }
            let rings = rings_within(&row.1, &wide);
            if !rings.is_empty() {
                self.deal(
                    tile,
                    &Piece::Area(Patch {
                        rings,
                        ..area.clone()
                    }),
                )?;
            }
        }
        Ok(())
    }

    /// Gives a line to the tiles that it touches or passes by.
    pub fn line(&mut self, line: &Strand) -> Result<()> {
        let Some(frame) = Frame::around(line.points.iter().copied()) else {
            return Ok(());
        };
        for tile in frame.tiles(MARGIN) {
            let wide = Frame::of(tile, MARGIN);
            for points in runs(&line.points, &wide, |it| *it) {
                self.deal(
                    tile,
                    &Piece::Line(Strand {
                        points: points.to_vec(),
                        ..line.clone()
                    }),
                )?;
            }
        }
        Ok(())
    }

    /// Gives a name to its tile.
    pub fn label(&mut self, kind: LabelKind, at: Point, name: &str) -> Result<()> {
        self.deal(at.tile(), &Piece::Label(kind, at, name.to_owned()))
    }

    /// Gives a single thing to the tiles that it is near.
    pub fn spot(&mut self, kind: SpotKind, at: Point, name: Option<String>) -> Result<()> {
        let piece = Piece::Spot(kind, at, name);
        for tile in (Frame { from: at, to: at }).tiles(MARGIN) {
            self.deal(tile, &piece)?;
        }
        Ok(())
    }

    fn deal(&mut self, tile: TileId, piece: &Piece) -> Result<()> {
        self.record.clear();
        self.n_pieces += 1;
        piece.put(&mut self.record);
        self.tiles
            .push(u64::from(tile.y) << 32 | u64::from(tile.x), &self.record)
    }

    /// All pieces, tile by tile.
    pub fn finish(self) -> Result<Hands> {
        let (n_pieces, n_streets) = (self.n_pieces, self.n_streets);
        Ok(Hands {
            sorted: self.tiles.finish()?,
            n_pieces,
            n_streets,
            n_given: 0,
            record: Vec::new(),
        })
    }
}

/// What each tile was dealt.
pub struct Hands {
    sorted: Sorted,
    n_pieces: u64,
    n_streets: u64,
    n_given: u64,
    record: Vec<u8>,
}

impl Hands {
    /// Whether there is anything to walk on.
    pub fn has_streets(&self) -> bool {
        self.n_streets > 0
    }

    /// How much of it was given, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.n_given as f64 / self.n_pieces.max(1) as f64
    }

    /// The next tile with its pieces in the order in which they were dealt.
    pub fn next(&mut self) -> Result<Option<(TileId, Vec<Piece>)>> {
        let Some(key) = self.sorted.next_key() else {
            return Ok(None);
        };
        let mut pieces = Vec::new();
        while self.sorted.next_key() == Some(key) {
            self.sorted.next(&mut self.record)?;
            self.n_given += 1;
            pieces.push(Piece::read(&self.record)?);
        }
        Ok(Some((
            TileId {
                x: key as u32,
                y: (key >> 32) as u32,
            },
            pieces,
        )))
    }
}

/// What of an area's rings lies within a frame.
fn rings_within(rings: &[Vec<Point>], frame: &Frame) -> Vec<Vec<Point>> {
    rings
        .iter()
        .map(|it| ring_within(it, frame))
        .filter(|it| !it.is_empty())
        .collect()
}

/// The parts of a course whose straight lines may touch a frame.
fn runs<'a, T>(course: &'a [T], frame: &Frame, at: impl Fn(&T) -> Point) -> Vec<&'a [T]> {
    let mut runs = Vec::new();
    let mut start = None;
    for (index, pair) in course.windows(2).enumerate() {
        let touches = Frame::around(pair.iter().map(&at)).is_some_and(|it| it.meets(frame));
        match (touches, start) {
            (true, None) => start = Some(index),
            (false, Some(from)) => {
                runs.extend(course.get(from..=index));
                start = None;
            }
            _ => {}
        }
    }
    runs.extend(start.and_then(|from| course.get(from..)));
    runs
}
