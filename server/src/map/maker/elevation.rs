//! Owns heights above the sea: from a folder of SRTM files, `N42E001.hgt` or `N42E001.hgt.zip`, of one or three arc seconds.
//! The format is that of NASA's SRTM documentation: rows from the north, big-endian, the edges shared by neighboring files,
//! -32768 where nothing is known. Few files are held at once.

use std::collections::{BTreeSet, VecDeque};
use std::fs::File;
use std::io::{BufReader, Read, Result};
use std::path::{Path, PathBuf};

use walkies_core::map::Point;

/// Files that are held at once; one of an arc second takes 26 MB. Tiles come row by row, so few more would be of use.
const FILES_HELD: usize = 3;

const VOID: i16 = -32768;

/// How many rows of a file around a hole are looked at for a height to take in its place.
const HOLE_REACH: i64 = 60;

/// Heights from a folder.
#[derive(Debug)]
pub struct Elevation {
    folder: PathBuf,
    /// The ones last used, the very last in front; without a grid where there is no file.
    held: VecDeque<((i32, i32), Option<Grid>)>,
    /// Files that are there but of no use.
    pub n_unreadable: u64,
    /// South-western corners of the squares that no file is there for.
    pub missing: BTreeSet<(i32, i32)>,
}

/// One file's heights.
#[derive(Debug)]
struct Grid {
    side: i64,
    heights: Vec<i16>,
}

impl Elevation {
    /// Those in this folder; files are opened when they are asked for.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            held: VecDeque::new(),
            n_unreadable: 0,
            missing: BTreeSet::new(),
        }
    }

    /// Meters above the sea, if a file knows.
    pub fn height_m(&mut self, at: Point) -> Option<f64> {
        let place = at.place();
        let (lat, lon) = (
            f64::from(place.lat_e7) * 1e-7,
            f64::from(place.lon_e7) * 1e-7,
        );
        let corner = (lat.floor() as i32, lon.floor() as i32);
        let grid = self.grid(corner)?;
        let cells = (grid.side - 1) as f64;
        let row = (f64::from(corner.0) + 1.0 - lat) * cells;
        let column = (lon - f64::from(corner.1)) * cells;
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
            if let Some(height) = grid.at(top + dy, left + dx) {
                sum += weight * height;
                weights += weight;
            }
        }
        if weights > 1e-6 {
            Some(sum / weights)
        } else {
            grid.around(row.round() as i64, column.round() as i64)
        }
    }

    fn grid(&mut self, corner: (i32, i32)) -> Option<&Grid> {
        match self.held.iter().position(|(it, _)| *it == corner) {
            Some(0) => {}
            Some(index) => {
                let it = self.held.remove(index)?;
                self.held.push_front(it);
            }
            None => {
                // Room is made first, so that no more than these are ever in memory.
                self.held.truncate(FILES_HELD - 1);
                let grid = self.load(corner).unwrap_or_else(|error| {
                    self.n_unreadable += 1;
                    tracing::warn!(lat = corner.0, lon = corner.1, %error, "A file of heights cannot be used.");
                    None
                });
                self.held.push_front((corner, grid));
            }
        }
        self.held.front().and_then(|(_, grid)| grid.as_ref())
    }

    fn load(&mut self, (lat, lon): (i32, i32)) -> Result<Option<Grid>> {
        let north = if lat < 0 { 'S' } else { 'N' };
        let east = if lon < 0 { 'W' } else { 'E' };
        let name = format!("{north}{:02}{east}{:03}.hgt", lat.abs(), lon.abs());
        let plain = self.folder.join(&name);
        if plain.exists() {
            return Grid::read(BufReader::new(File::open(plain)?)).map(Some);
        }
        let packed = self.folder.join(format!("{name}.zip"));
        if !packed.exists() {
            self.missing.insert((lat, lon));
            return Ok(None);
        }
        let mut archive = zip::ZipArchive::new(BufReader::new(File::open(packed)?))
            .map_err(std::io::Error::other)?;
        // Some archives write the name in small letters or put it into a folder.
        let inner = archive
            .file_names()
            .flatten()
            .find(|it| it.to_ascii_lowercase().ends_with(".hgt"))
            .map(|it| it.into_owned());
        let file = archive
            .by_name(&inner.unwrap_or(name))
            .map_err(std::io::Error::other)?;
        Grid::read(BufReader::new(file)).map(Some)
    }
}

impl Grid {
    fn read(mut file: impl Read) -> Result<Self> {
        let mut heights = Vec::new();
        let mut row = [0; 3601 * 2];
        let mut filled = 0;
        loop {
            let more = file.read(row.get_mut(filled..).unwrap_or_default())?;
            filled += more;
            let whole = filled - filled % 2;
            if more == 0 || filled == row.len() {
                let pairs = row.get(..whole).unwrap_or_default().chunks_exact(2);
                heights.extend(
                    pairs
                        .filter_map(|it| it.try_into().ok())
                        .map(i16::from_be_bytes),
                );
                filled = 0;
            }
            if more == 0 {
                break;
            }
        }
        let side = [1201, 3601].into_iter().find(|it| it * it == heights.len());
        let side =
            side.ok_or_else(|| std::io::Error::other("it has neither 1201 nor 3601 rows"))?;
        Ok(Self {
            side: side as i64,
            heights,
        })
    }

    fn at(&self, row: i64, column: i64) -> Option<f64> {
        let within = (0..self.side).contains(&row) && (0..self.side).contains(&column);
        let index = usize::try_from(row * self.side + column)
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

#[cfg(test)]
mod tests {
    use super::*;
    use walkies_core::values::place::Place;

    fn point(lat: f64, lon: f64) -> Point {
        Point::at(Place::from_degrees(lat, lon).unwrap())
    }

    /// A slope that rises by a meter a cell to the south, with a hole.
    fn slope(side: usize) -> Vec<u8> {
        let heights = (0..side * side).map(|it| match (it / side, it % side) {
            (row, column) if (100..104).contains(&row) && (100..104).contains(&column) => VOID,
            (row, _) => row as i16,
        });
        heights.flat_map(i16::to_be_bytes).collect()
    }

    #[test]
    fn heights_lie_on_the_slope_between_the_cells() {
        for side in [1201, 3601] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("S34W071.hgt"), slope(side)).unwrap();
            let mut elevation = Elevation::new(folder.path());
            let cells = (side - 1) as f64;
            let height = elevation
                .height_m(point(-33.0 - 10.5 / cells, -70.5))
                .unwrap();
            assert!((height - 10.5).abs() < 0.02, "{height}");
            assert_eq!(elevation.height_m(point(-32.5, -70.5)), None);
        }
    }

    #[test]
    fn a_hole_takes_its_height_from_around_it() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("N10E020.hgt"), slope(1201)).unwrap();
        let mut elevation = Elevation::new(folder.path());
        let height = elevation
            .height_m(point(11.0 - 101.5 / 1200.0, 20.0 + 101.5 / 1200.0))
            .unwrap();
        assert!((height - 101.5).abs() < 2.0, "{height}");
    }

    #[test]
    fn a_file_that_is_none_counts_as_missing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("N10E020.hgt"), b"no heights").unwrap();
        let mut elevation = Elevation::new(folder.path());
        assert_eq!(elevation.height_m(point(10.5, 20.5)), None);
        assert_eq!(elevation.n_unreadable, 1);
    }
}
