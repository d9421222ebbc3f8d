//! Owns rectangles on the map: what lies around points or a tile, and which tiles it reaches.

use std::ops::RangeInclusive;

use walkies_core::map::{Point, TILE_BITS, TileId};

/// A rectangle on the map, its border included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Its north-west corner.
    pub from: Point,
    /// Its south-east corner.
    pub to: Point,
}

impl Frame {
    /// The smallest around some points; none around nothing.
    pub fn around(points: impl IntoIterator<Item = Point>) -> Option<Self> {
        points
            .into_iter()
            .map(|it| Self { from: it, to: it })
            .reduce(|a, b| Self {
                from: Point {
                    x: a.from.x.min(b.from.x),
                    y: a.from.y.min(b.from.y),
                },
                to: Point {
                    x: a.to.x.max(b.to.x),
                    y: a.to.y.max(b.to.y),
                },
            })
    }

    /// A tile's with so many steps around it.
    pub fn of(tile: TileId, margin: u32) -> Self {
        let corner = tile.corner();
        let side = 1 << TILE_BITS;
        Self {
            from: Point {
                x: corner.x.saturating_sub(margin),
                y: corner.y.saturating_sub(margin),
            },
            to: Point {
                x: corner.x + side + margin,
                y: corner.y + side + margin,
            },
        }
    }

    /// Returns the intersection of both; `None` if they do not meet.
    pub fn common(&self, other: &Self) -> Option<Self> {
        self.meets(other).then(|| Self {
            from: Point {
                x: self.from.x.max(other.from.x),
                y: self.from.y.max(other.from.y),
            },
            to: Point {
                x: self.to.x.min(other.to.x),
                y: self.to.y.min(other.to.y),
            },
        })
    }

    /// Returns true if both have a point in common, if only of their borders.
    pub fn meets(&self, other: &Self) -> bool {
        self.from.x <= other.to.x
            && other.from.x <= self.to.x
            && self.from.y <= other.to.y
            && other.from.y <= self.to.y
    }

    /// Returns true if a point lies in it or on its border.
    pub fn holds(&self, at: Point) -> bool {
        self.meets(&Self { from: at, to: at })
    }

    /// Rows and columns of the tiles that reach into it with so many steps around them.
    pub fn rows_and_columns(self, margin: u32) -> [RangeInclusive<u32>; 2] {
        let last = (1 << (2 * TILE_BITS)) - 1;
        let range = |from: u32, to: u32| {
            from.saturating_sub(margin) >> TILE_BITS..=(to + margin).min(last) >> TILE_BITS
        };
        [range(self.from.y, self.to.y), range(self.from.x, self.to.x)]
    }

    /// Those tiles, row by row.
    pub fn tiles(self, margin: u32) -> impl Iterator<Item = TileId> {
        let [rows, columns] = self.rows_and_columns(margin);
        rows.flat_map(move |y| columns.clone().map(move |x| TileId { x, y }))
    }
}
