//! Owns dealing out: which tiles a street, an area, a line or a single thing touches, and what of it each of them gets.

use std::collections::{BTreeSet, HashSet};
use std::io::Result;
use std::ops::RangeInclusive;
use std::path::Path;

use walkies_core::map::{LabelKind, Point, SpotKind, TILE_BITS, TileId};

use super::frame::Frame;
use super::piece::{Patch, Piece, Strand, Street};
use super::shape::rings_within;
use super::spool::{Sorted, Sorter};
use super::whereabouts::Whereabouts;

/// How far beyond its border a tile knows what is there, in steps: 40 m at 68 degrees north, more elsewhere.
/// Streets, parks and waters that far away tell what the ways near the border are like.
pub const MARGIN: u32 = 192;

/// Straight pieces of ways that are longer, in steps (16 tiles, some fifty kilometers), are mistakes of the data.
const LONGEST_LEAP: u32 = 1 << (TILE_BITS + 4);

/// So are areas that are wider than so many tiles: some 1500 kilometers.
const WIDEST_AREA: u32 = 512;

/// Takes pieces and keeps them for their tiles.
pub struct Dealer {
    tiles: Sorter,
    n_pieces: u64,
    /// Tiles in which people walk.
    walked: HashSet<TileId>,
    record: Vec<u8>,
}

impl Dealer {
    /// With its file in this folder.
    pub fn new(folder: &Path) -> Self {
        Self {
            tiles: Sorter::new(folder),
            n_pieces: 0,
            walked: HashSet::new(),
            record: Vec::new(),
        }
    }

    /// Gives a street to the tiles that it touches or passes by.
    pub fn street(&mut self, street: &Street) -> Result<()> {
        self.walked
            .extend(street.course.iter().map(|it| it.at.tile()));
        for (tile, course) in parts(&street.course, MARGIN, |it| it.at) {
            let part = Street {
                course: course.to_vec(),
                ..street.clone()
            };
            self.deal(tile, &Piece::Street(part))?;
        }
        Ok(())
    }

    /// Gives each tile what it has of an area.
    pub fn area(&mut self, area: &Patch) -> Result<()> {
        let Some(frame) = Frame::around(area.rings.iter().flatten().copied()) else {
            return Ok(());
        };
        let [rows, columns] = frame.rows_and_columns(MARGIN);
        let width = |it: &RangeInclusive<u32>| it.end() - it.start();
        if width(&rows).max(width(&columns)) > WIDEST_AREA {
            return Ok(());
        }
        if width(&rows) == 0 && width(&columns) == 0 {
            let (x, y) = (*columns.start(), *rows.start());
            return self.deal(TileId { x, y }, &Piece::Area(area.clone()));
        }
        // First into rows, then each row into tiles: an area of a hundred tiles is not cut a hundred times whole.
        for y in rows {
            let row = Frame::of(TileId { x: 0, y }, MARGIN);
            let band = Frame {
                from: Point {
                    x: frame.from.x,
                    ..row.from
                },
                to: Point {
                    x: frame.to.x,
                    ..row.to
                },
            };
            let row = rings_within(&area.rings, &band);
            for x in columns.clone() {
                let tile = TileId { x, y };
                let rings = rings_within(&row, &Frame::of(tile, MARGIN));
                if !rings.is_empty() {
                    let part = Patch {
                        rings,
                        ..area.clone()
                    };
                    self.deal(tile, &Piece::Area(part))?;
                }
            }
        }
        Ok(())
    }

    /// Gives a line to the tiles that it touches or passes by.
    pub fn line(&mut self, line: &Strand) -> Result<()> {
        for (tile, points) in parts(&line.points, MARGIN, |it| *it) {
            let part = Strand {
                points: points.to_vec(),
                ..line.clone()
            };
            self.deal(tile, &Piece::Line(part))?;
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

    /// Gives a house to the tiles that it is near: rows of neighbors may end at it.
    pub fn house(&mut self, numbers: String, whereabouts: Whereabouts, at: Point) -> Result<()> {
        let piece = Piece::House(numbers, whereabouts, at);
        for tile in (Frame { from: at, to: at }).tiles(MARGIN) {
            self.deal(tile, &piece)?;
        }
        Ok(())
    }

    /// Gives a row of houses to the tiles that it touches or passes by.
    pub fn house_row(
        &mut self,
        step: u32,
        whereabouts: &Whereabouts,
        line: &[Point],
    ) -> Result<()> {
        for (tile, points) in parts(line, MARGIN, |it| *it) {
            let row = Piece::HouseRow(step, whereabouts.clone(), points.to_vec());
            self.deal(tile, &row)?;
        }
        Ok(())
    }

    fn deal(&mut self, tile: TileId, piece: &Piece) -> Result<()> {
        self.record.clear();
        self.n_pieces += 1;
        piece.put(&mut self.record);
        self.tiles.push(tile_key(tile), &self.record)
    }

    /// The tiles that are worth making: those in which people walk, and those beside them, for what is seen from there.
    pub fn wanted(&self) -> HashSet<TileId> {
        let beside = |it: &TileId| Frame::of(*it, 0).tiles(1);
        self.walked.iter().flat_map(beside).collect()
    }

    /// All pieces, tile by tile.
    pub fn finish(self) -> Result<Hands> {
        Ok(Hands {
            wanted: self.wanted(),
            sorted: self.tiles.finish()?,
            n_pieces: self.n_pieces,
            n_given: 0,
            record: Vec::new(),
        })
    }
}

/// The pieces that each tile was dealt, in the order of the tiles.
pub struct Hands {
    wanted: HashSet<TileId>,
    sorted: Sorted,
    n_pieces: u64,
    n_given: u64,
    record: Vec<u8>,
}

impl Hands {
    /// Returns true if any tile is worth making, since people walk in it or beside it.
    pub fn has_streets(&self) -> bool {
        !self.wanted.is_empty()
    }

    /// How much of it was given, from 0 to 1.
    pub fn share(&self) -> f64 {
        self.n_given as f64 / self.n_pieces.max(1) as f64
    }

    /// The next tile with its pieces in the order in which they were dealt.
    pub fn next(&mut self) -> Result<Option<(TileId, Vec<Piece>)>> {
        while let Some(key) = self.sorted.next_key() {
            let tile = key_tile(key);
            let is_wanted = self.wanted.contains(&tile);
            let mut pieces = Vec::new();
            while self.sorted.next_key() == Some(key) {
                self.sorted.next(&mut self.record)?;
                self.n_given += 1;
                if is_wanted {
                    pieces.push(Piece::read(&self.record)?);
                }
            }
            if is_wanted {
                return Ok(Some((tile, pieces)));
            }
        }
        Ok(None)
    }
}

/// A tile as a sorting key: row by row from the north.
pub fn tile_key(tile: TileId) -> u64 {
    u64::from(tile.y) << 32 | u64::from(tile.x)
}

/// Returns the tile with this key.
pub fn key_tile(key: u64) -> TileId {
    TileId {
        x: key as u32,
        y: (key >> 32) as u32,
    }
}

/// Lists the tiles that a course touches or passes by within `margin`, row by row, with the parts of it whose straight
/// lines may do so.
pub fn parts<T>(course: &[T], margin: u32, at: impl Fn(&T) -> Point + Copy) -> Vec<(TileId, &[T])> {
    let is_near = |a: &T, b: &T| {
        let (a, b) = (at(a), at(b));
        a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)) <= LONGEST_LEAP
    };
    let mut parts = Vec::new();
    for course in course.chunk_by(is_near).filter(|it| it.len() > 1) {
        // Step by step: a course may lead around much that it does not touch.
        let steps = course
            .windows(2)
            .filter_map(|pair| Frame::around(pair.iter().map(at)));
        let tiles: BTreeSet<u64> = steps
            .flat_map(|it| it.tiles(margin).map(tile_key))
            .collect();
        for tile in tiles.into_iter().map(key_tile) {
            let runs = runs(course, &Frame::of(tile, margin), at);
            parts.extend(runs.into_iter().map(|it| (tile, it)));
        }
    }
    parts
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
