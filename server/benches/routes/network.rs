//! The plain view of tiles by which the test of the walkable routes judges them, too, and how large the area of their ways is.

#[path = "../../tests/walkable/network.rs"]
mod plain;

use std::collections::BTreeSet;

use walkies_core::map::{Ground, Tile};

pub use plain::{Chance, Network, length_m, lines, off_street, usual_walk};

/// An area is as large as all squares of this many meters through which a way leads.
const CELL_M: f64 = 150.0;
/// Ways are looked at in steps of so many meters.
const STEP_M: f64 = 10.0;

/// How large the area is in which there are ways, in square kilometers.
pub fn km2(tiles: &[Tile]) -> f64 {
    let mut cells = BTreeSet::new();
    let Some(home) = tiles.first().map(|it| it.id.corner()) else {
        return 0.0;
    };
    let ground = Ground::at(home);
    for line in lines(tiles) {
        for pair in line.windows(2) {
            let (from, to) = (
                ground.vector_m(home, pair[0]),
                ground.vector_m(home, pair[1]),
            );
            let n = (ground.length_m(pair[0], pair[1]) / STEP_M).ceil().max(1.0);
            cells.extend((0..=n as u32).map(|step| {
                let share = f64::from(step) / n;
                let (east, north) = (
                    from.0 + (to.0 - from.0) * share,
                    from.1 + (to.1 - from.1) * share,
                );
                (
                    (east / CELL_M).floor() as i32,
                    (north / CELL_M).floor() as i32,
                )
            }));
        }
    }
    cells.len() as f64 * CELL_M * CELL_M / 1e6
}
