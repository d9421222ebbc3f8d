//! Owns heights on a grid of degrees, and the height between its cells.

/// The height of a cell of which nothing is known.
pub const VOID: i16 = -32768;

/// How many rows of a file around a hole are looked at for a height to take in its place.
const HOLE_REACH: i64 = 60;

/// Position, resolution and size of a grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridFrame {
    /// The middle of the cell in the north-west, in degrees.
    pub north: f64,
    pub west: f64,
    pub rows_per_degree: f64,
    pub columns_per_degree: f64,
    pub rows: i64,
    pub columns: i64,
}

/// One file's heights.
#[derive(Debug)]
pub struct HeightGrid {
    /// The position of the grid.
    pub frame: GridFrame,
    /// Row by row from the north, in meters.
    pub heights: Vec<i16>,
}

impl GridFrame {
    /// Returns true if a place lies in one of its cells.
    pub fn covers(&self, lat: f64, lon: f64) -> bool {
        let row = (self.north - lat) * self.rows_per_degree;
        let column = (lon - self.west) * self.columns_per_degree;
        let within = |at: f64, count: i64| (-0.5..=count as f64 - 0.5).contains(&at);
        within(row, self.rows) && within(column, self.columns)
    }
}

impl HeightGrid {
    /// Meters above the sea, if a cell knows.
    pub fn height_m(&self, lat: f64, lon: f64) -> Option<f64> {
        let GridFrame { north, west, .. } = self.frame;
        let row = (north - lat) * self.frame.rows_per_degree;
        let column = (lon - west) * self.frame.columns_per_degree;
        let (top, left) = (row.floor() as i64, column.floor() as i64);
        let (down, right) = (row - row.floor(), column - column.floor());
        // Holes leave their weight to the corners around them.
        let corners = [
            (0, 0, (1.0 - down) * (1.0 - right)),
            (0, 1, (1.0 - down) * right),
            (1, 0, down * (1.0 - right)),
            (1, 1, down * right),
        ];
        let (mut sum, mut weights) = (0.0, 0.0);
        for (dy, dx, weight) in corners {
            if let Some(height) = self.at(top + dy, left + dx) {
                sum += weight * height;
                weights += weight;
            }
        }
        if weights > 1e-6 {
            Some(sum / weights)
        } else {
            self.around(row.round() as i64, column.round() as i64)
        }
    }

    fn at(&self, row: i64, column: i64) -> Option<f64> {
        let GridFrame { rows, columns, .. } = self.frame;
        let within = (0..rows).contains(&row) && (0..columns).contains(&column);
        let index = usize::try_from(row * columns + column)
            .ok()
            .filter(|_| within)?;
        self.heights
            .get(index)
            .filter(|it| **it != VOID)
            .map(|it| f64::from(*it))
    }

    /// The mean of the nearest square of heights around a hole.
    fn around(&self, row: i64, column: i64) -> Option<f64> {
        (1..=HOLE_REACH).find_map(|reach| {
            let (mut sum, mut count) = (0.0, 0.0);
            for offset in -reach..=reach {
                for (dy, dx) in [
                    (-reach, offset),
                    (reach, offset),
                    (offset, -reach),
                    (offset, reach),
                ] {
                    if let Some(height) = self.at(row + dy, column + dx) {
                        sum += height;
                        count += 1.0;
                    }
                }
            }
            (count > 0.0).then(|| sum / count)
        })
    }
}
