//! Owns what is where in a tile, cell by cell: green, trees, water, and whose name it has.
//! A grid answers at once what would take each edge a search through all areas around it.

use std::collections::VecDeque;

use walkies_core::map::{Point, TILE_BITS, TileId};

use super::deal::MARGIN;

/// Steps in a cell's side, as a power of two: 2.4 m in Helsinki.
const CELL_BITS: u32 = 3;

/// Cells in a side.
const SIDE: usize = (((1 << TILE_BITS) + 2 * MARGIN) >> CELL_BITS) as usize;

/// Values for the cells of a tile and of the margin around it.
pub struct Raster<T> {
    from: Point,
    /// None until the first one has a value.
    cells: Vec<T>,
}

impl<T: Copy + Default> Raster<T> {
    /// With the default value in all cells.
    pub fn new(tile: TileId) -> Self {
        let corner = tile.corner();
        let from = Point {
            x: corner.x.saturating_sub(MARGIN),
            y: corner.y.saturating_sub(MARGIN),
        };
        Self {
            from,
            cells: Vec::new(),
        }
    }

    fn cells_mut(&mut self) -> &mut [T] {
        if self.cells.is_empty() {
            self.cells = vec![T::default(); SIDE * SIDE];
        }
        &mut self.cells
    }

    /// The value at a point; the default one beyond the margin.
    pub fn at(&self, point: Point) -> T {
        self.index(point)
            .and_then(|it| self.cells.get(it))
            .copied()
            .unwrap_or_default()
    }

    fn index(&self, point: Point) -> Option<usize> {
        let column = (point.x.checked_sub(self.from.x)? >> CELL_BITS) as usize;
        let row = (point.y.checked_sub(self.from.y)? >> CELL_BITS) as usize;
        (column < SIDE && row < SIDE).then_some(row * SIDE + column)
    }

    /// Sets the cells whose middle lies within rings, by the even-odd rule.
    pub fn fill(&mut self, rings: &[Vec<Point>], value: T) {
        let rows = rings
            .iter()
            .flatten()
            .map(|it| it.y.saturating_sub(self.from.y) as usize >> CELL_BITS);
        let (Some(first), Some(last)) = (rows.clone().min(), rows.max()) else {
            return;
        };
        let half = f64::from(1 << CELL_BITS) / 2.0;
        let mut crossings = Vec::new();
        for row in first..=last.min(SIDE - 1) {
            let y = f64::from(self.from.y) + (row << CELL_BITS) as f64 + half;
            crossings.clear();
            crossings.extend(
                row_crossings(rings, y)
                    .map(|it| (it - f64::from(self.from.x) - half) / (2.0 * half)),
            );
            crossings.sort_unstable_by(f64::total_cmp);
            for pair in crossings.chunks_exact(2) {
                let &[from, to] = pair else { continue };
                // Cells whose middle lies between: from the next whole number on, to the one before.
                let from = from.ceil().max(0.0) as usize;
                let to = (to.ceil().max(0.0) as usize).min(SIDE);
                if let Some(cells) = self
                    .cells_mut()
                    .get_mut(row * SIDE + from..(row * SIDE + to).max(row * SIDE + from))
                {
                    cells.fill(value);
                }
            }
        }
    }

    /// Sets the cells along a line.
    pub fn draw(&mut self, line: &[Point], value: T) {
        for pair in line.windows(2) {
            let &[a, b] = pair else { continue };
            let cells = a.x.abs_diff(b.x).max(a.y.abs_diff(b.y)) >> CELL_BITS;
            for step in 0..=cells {
                let share = |from: u32, to: u32| {
                    let part = (i64::from(to) - i64::from(from)) * i64::from(step)
                        / i64::from(cells.max(1));
                    (i64::from(from) + part) as u32
                };
                self.set(
                    Point {
                        x: share(a.x, b.x),
                        y: share(a.y, b.y),
                    },
                    value,
                );
            }
        }
    }

    /// Sets the cell of a point.
    pub fn set(&mut self, point: Point, value: T) {
        if let Some(index) = self.index(point)
            && let Some(cell) = self.cells_mut().get_mut(index)
        {
            *cell = value;
        }
    }

    /// Gives each cell without a value that of a cell that has one, no more than so many cells away, along rows and columns
    /// and their diagonals in turn, which makes the reach round enough.
    pub fn spread(&mut self, cells: u32)
    where
        T: PartialEq,
    {
        let none = T::default();
        let mut open: VecDeque<(usize, u32)> = VecDeque::new();
        open.extend(
            self.cells
                .iter()
                .enumerate()
                .filter(|(_, it)| **it != none)
                .map(|(index, _)| (index, 0)),
        );
        while let Some((index, distance)) = open.pop_front() {
            if distance == cells {
                continue;
            }
            let Some(value) = self.cells.get(index).copied() else {
                continue;
            };
            let (row, column) = (index / SIDE, index % SIDE);
            let diagonal = distance % 2 == 1;
            for (dy, dx) in [
                (0, -1),
                (0, 1),
                (-1, 0),
                (1, 0),
                (-1, -1),
                (-1, 1),
                (1, -1),
                (1, 1),
            ] {
                if !diagonal && dy != 0 && dx != 0 {
                    continue;
                }
                let near = row
                    .checked_add_signed(dy)
                    .zip(column.checked_add_signed(dx));
                let Some((row, column)) =
                    near.filter(|(row, column)| *row < SIDE && *column < SIDE)
                else {
                    continue;
                };
                let index = row * SIDE + column;
                if let Some(cell) = self.cells.get_mut(index).filter(|it| **it == none) {
                    *cell = value;
                    open.push_back((index, distance + 1));
                }
            }
        }
    }

    /// How many cells reach so many steps.
    pub fn cells(steps: f64) -> u32 {
        (steps / f64::from(1 << CELL_BITS)).round() as u32
    }
}

/// Returns the x coordinates, in steps, at which rings cross a line that runs from west to east.
fn row_crossings(rings: &[Vec<Point>], y: f64) -> impl Iterator<Item = f64> {
    rings
        .iter()
        .flat_map(|ring| ring.iter().zip(ring.iter().cycle().skip(1)))
        .filter_map(move |(a, b)| {
            let (ay, by) = (f64::from(a.y), f64::from(b.y));
            let share = (y - ay) / (by - ay);
            ((ay > y) != (by > y))
                .then(|| f64::from(a.x) + share * (f64::from(b.x) - f64::from(a.x)))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TILE: TileId = TileId { x: 4293, y: 2800 };

    fn point(x: u32, y: u32) -> Point {
        let corner = TILE.corner();
        Point {
            x: corner.x + x,
            y: corner.y + y,
        }
    }

    #[test]
    fn an_area_fills_its_inside_and_leaves_its_holes() {
        let square = |from: u32, to: u32| {
            vec![
                point(from, from),
                point(to, from),
                point(to, to),
                point(from, to),
            ]
        };
        let mut raster = Raster::new(TILE);
        raster.fill(&[square(100, 4000), square(1000, 2000)], 1_u8);
        for (x, y, value) in [
            (500, 500, 1),
            (1500, 1500, 0),
            (50, 500, 0),
            (3990, 3990, 1),
            (4010, 100, 0),
        ] {
            assert_eq!(raster.at(point(x, y)), value, "{x} {y}");
        }
    }

    #[test]
    fn a_value_spreads_as_far_as_it_should() {
        let mut raster = Raster::new(TILE);
        raster.draw(&[point(0, 1000), point(8000, 1000)], 7_u16);
        raster.spread(Raster::<u16>::cells(100.0));
        for (y, value) in [(1000, 7), (1090, 7), (910, 7), (1120, 0), (880, 0)] {
            assert_eq!(raster.at(point(4000, y)), value, "{y}");
        }
        assert_eq!(raster.at(Point { x: 0, y: 0 }), 0);
    }
}
