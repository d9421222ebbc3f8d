//! Owns a square of ground in cells of 25 m, into which points are put and looked for again many times over.

/// Two parts of a walk that are this near feel like the same street, whichever side one walks on.
pub(super) const CORRIDOR_M: f64 = 25.0;
const NOTHING: u32 = u32::MAX;

/// Points by cell; made once for a search and cleared at no cost.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    west: f64,
    south: f64,
    side: usize,
    epoch: u32,
    cells: Vec<(u32, u32)>,
    /// By number of the put: the value, and the number of the put before in the same cell, or `NOTHING`.
    next: Vec<(u32, u32)>,
}

impl Grid {
    /// Around a place, `reach_m` meters to each side; what lies beyond counts to the outermost cells.
    pub fn around((x, y): (f64, f64), reach_m: f64) -> Self {
        let side = (2.0 * reach_m / CORRIDOR_M) as usize + 3;
        Self {
            west: x - reach_m - CORRIDOR_M,
            south: y - reach_m - CORRIDOR_M,
            side,
            epoch: 1,
            cells: vec![(0, NOTHING); side * side],
            next: Vec::new(),
        }
    }

    /// Forgets all points.
    pub(super) fn clear(&mut self) {
        self.epoch += 1;
        self.next.clear();
    }

    fn cell(&self, (x, y): (f64, f64)) -> (usize, usize) {
        let last = self.side.saturating_sub(1);
        let column = ((x - self.west) / CORRIDOR_M).max(0.0) as usize;
        let row = ((y - self.south) / CORRIDOR_M).max(0.0) as usize;
        (column.min(last), row.min(last))
    }

    /// Remembers something at a place.
    pub(super) fn put(&mut self, at: (f64, f64), what: u32) {
        let (column, row) = self.cell(at);
        let cell = &mut self.cells[row * self.side + column];
        let before = if cell.0 == self.epoch {
            cell.1
        } else {
            NOTHING
        };
        *cell = (self.epoch, self.next.len() as u32);
        self.next.push((what, before));
    }

    /// Returns true if `is_meant` accepts a value in the cells around a place; these hold all within 25 m, and some
    /// more.
    pub(super) fn any_near(&self, at: (f64, f64), mut is_meant: impl FnMut(u32) -> bool) -> bool {
        let (column, row) = self.cell(at);
        let last = self.side.saturating_sub(1);
        for row in row.saturating_sub(1)..=(row + 1).min(last) {
            for column in column.saturating_sub(1)..=(column + 1).min(last) {
                let (epoch, mut entry) = self.cells[row * self.side + column];
                if epoch != self.epoch {
                    continue;
                }
                while entry != NOTHING {
                    let (what, before) = self.next[entry as usize];
                    if is_meant(what) {
                        return true;
                    }
                    entry = before;
                }
            }
        }
        false
    }

    /// Marks the cells in which and beside which a point lies.
    pub(super) fn mark_around(&mut self, at: (f64, f64)) {
        let (column, row) = self.cell(at);
        let last = self.side.saturating_sub(1);
        for row in row.saturating_sub(1)..=(row + 1).min(last) {
            for column in column.saturating_sub(1)..=(column + 1).min(last) {
                self.cells[row * self.side + column] = (self.epoch, NOTHING);
            }
        }
    }

    /// Returns true if a point lies in a cell that is marked or has something in it.
    pub(super) fn is_marked(&self, at: (f64, f64)) -> bool {
        let (column, row) = self.cell(at);
        self.cells[row * self.side + column].0 == self.epoch
    }
}
