//! Owns heights above the sea: from a folder of SRTM files, `N42E001.hgt` or `N42E001.hgt.zip`, of one or three arc seconds,
//! and of GeoTIFF files of any name (`geotiff`), which go before them. Few files are held at once.
//! SRTM's format is that of NASA's documentation: rows from the north, big-endian, the edges shared by neighboring files,
//! -32768 where nothing is known.

use std::collections::{BTreeSet, VecDeque};
use std::fs::File;
use std::io::{BufReader, Read, Result};
use std::path::{Path, PathBuf};

use walkies_core::map::Point;

use super::geotiff;
use super::height_grid::{GridFrame, HeightGrid};

/// Files that are held at once; one of an arc second takes 26 MB. Tiles come row by row, so few more would be of use.
const FILES_HELD: usize = 3;

/// Heights from a folder.
#[derive(Debug)]
pub struct Elevation {
    folder: PathBuf,
    /// GeoTIFF files by their names, and what they cover.
    geotiffs: Vec<(PathBuf, GridFrame)>,
    /// The ones last used, the very last in front; without a grid where there is no file.
    held: VecDeque<(Source, Option<HeightGrid>)>,
    /// Files that are there but of no use.
    pub n_unreadable: u64,
    /// South-western corners of the squares that no file is there for.
    pub missing: BTreeSet<(i32, i32)>,
}

/// A file of heights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// The index of a GeoTIFF.
    GeoTiff(usize),
    /// The SRTM file of a degree, by its south-western corner.
    Degree(i32, i32),
}

impl Elevation {
    /// Those in this folder. Where the GeoTIFF files lie is read at once, heights when they are asked for.
    pub fn new(folder: &Path) -> Self {
        let mut it = Self {
            folder: folder.to_owned(),
            geotiffs: Vec::new(),
            held: VecDeque::new(),
            n_unreadable: 0,
            missing: BTreeSet::new(),
        };
        for path in geotiffs(folder) {
            let frame = File::open(&path).and_then(|it| geotiff::frame_of(BufReader::new(it)));
            match frame {
                Ok(frame) => it.geotiffs.push((path, frame)),
                Err(error) => it.unreadable(&path, &error),
            }
        }
        it
    }

    /// Meters above the sea, if a file knows.
    pub fn height_m(&mut self, at: Point) -> Option<f64> {
        let place = at.place();
        let (lat, lon) = (
            f64::from(place.lat_e7) * 1e-7,
            f64::from(place.lon_e7) * 1e-7,
        );
        let covers = |it: &(PathBuf, GridFrame)| it.1.covers(lat, lon);
        let source = match self.geotiffs.iter().position(covers) {
            Some(index) => Source::GeoTiff(index),
            None => Source::Degree(lat.floor() as i32, lon.floor() as i32),
        };
        let grid = self.grid(source)?;
        grid.height_m(lat, lon)
    }

    fn grid(&mut self, source: Source) -> Option<&HeightGrid> {
        match self.held.iter().position(|(it, _)| *it == source) {
            Some(0) => {}
            Some(index) => {
                let it = self.held.remove(index)?;
                self.held.push_front(it);
            }
            None => {
                // Room is made first, so that no more than these are ever in memory.
                self.held.truncate(FILES_HELD - 1);
                let grid = self.load(source);
                self.held.push_front((source, grid));
            }
        }
        self.held.front().and_then(|(_, grid)| grid.as_ref())
    }

    fn load(&mut self, source: Source) -> Option<HeightGrid> {
        let path = match source {
            Source::GeoTiff(index) => self.geotiffs.get(index)?.0.clone(),
            Source::Degree(lat, lon) => {
                let name = name_of(lat, lon);
                let names = [format!("{name}.zip"), name];
                let mut paths = names.iter().rev().map(|it| self.folder.join(it));
                let Some(path) = paths.find(|it| it.exists()) else {
                    self.missing.insert((lat, lon));
                    return None;
                };
                path
            }
        };
        let is_packed = path.extension() == Some("zip".as_ref());
        let grid = File::open(&path)
            .map(BufReader::new)
            .and_then(|file| match source {
                Source::GeoTiff(_) => geotiff::read(file),
                Source::Degree(lat, lon) if is_packed => srtm_packed(file, lat, lon),
                Source::Degree(lat, lon) => srtm(file, lat, lon),
            });
        grid.map_err(|error| self.unreadable(&path, &error)).ok()
    }

    fn unreadable(&mut self, path: &Path, error: &std::io::Error) {
        self.n_unreadable += 1;
        tracing::warn!(path = %path.display(), %error, "A file of heights cannot be used.");
    }
}

/// The files of a folder that are called GeoTIFF, in the order of their names.
fn geotiffs(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = files.map(|it| it.path()).collect();
    paths.retain(|it| {
        let extension = it.extension().map(|it| it.to_ascii_lowercase());
        extension.is_some_and(|it| it == "tif" || it == "tiff")
    });
    paths.sort();
    paths
}

/// Returns the name of SRTM's file for a degree, by its southern and western edge.
fn name_of(lat: i32, lon: i32) -> String {
    let north = if lat < 0 { 'S' } else { 'N' };
    let east = if lon < 0 { 'W' } else { 'E' };
    format!("{north}{:02}{east}{:03}.hgt", lat.abs(), lon.abs())
}

/// The SRTM file of a degree, from its archive.
fn srtm_packed(file: BufReader<File>, lat: i32, lon: i32) -> Result<HeightGrid> {
    let mut archive = zip::ZipArchive::new(file).map_err(std::io::Error::other)?;
    // Some archives write the name in small letters or put it into a folder.
    let inner = archive
        .file_names()
        .flatten()
        .find(|it| it.to_ascii_lowercase().ends_with(".hgt"))
        .map(|it| it.into_owned());
    let file = archive
        .by_name(&inner.unwrap_or_else(|| name_of(lat, lon)))
        .map_err(std::io::Error::other)?;
    srtm(BufReader::new(file), lat, lon)
}

/// The SRTM file of a degree.
fn srtm(mut file: impl Read, lat: i32, lon: i32) -> Result<HeightGrid> {
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
    let side = side.ok_or_else(|| std::io::Error::other("it has neither 1201 nor 3601 rows"))?;
    let frame = GridFrame {
        north: f64::from(lat) + 1.0,
        west: f64::from(lon),
        rows_per_degree: (side - 1) as f64,
        columns_per_degree: (side - 1) as f64,
        rows: side as i64,
        columns: side as i64,
    };
    Ok(HeightGrid { frame, heights })
}

#[cfg(test)]
mod tests {
    use super::super::height_grid::VOID;
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
        for name in ["N10E020.hgt", "N10E020.hgt.zip", "heights.tif"] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join(name), b"no heights").unwrap();
            let mut elevation = Elevation::new(folder.path());
            assert_eq!(elevation.height_m(point(10.5, 20.5)), None, "{name}");
            assert_eq!(elevation.n_unreadable, 1, "{name}");
        }
    }

    /// A GeoTIFF of 100 by 200 cells of a thousandth of a degree whose north-western corner is 50 north, 8 east: a slope that
    /// rises by a meter a cell to the east, with a cell of which nothing is known; `keys` are model type and raster type.
    fn geotiff(keys: [u16; 2]) -> Vec<u8> {
        use tiff::encoder::{TiffEncoder, colortype::Gray32Float};
        use tiff::tags::Tag;
        const COLUMNS: u32 = 200;
        let mut heights: Vec<f32> = (0..COLUMNS * 100).map(|it| (it % COLUMNS) as f32).collect();
        heights[0] = -9999.0;
        let mut file = std::io::Cursor::new(Vec::new());
        let mut encoder = TiffEncoder::new(&mut file).unwrap();
        let mut image = encoder.new_image::<Gray32Float>(COLUMNS, 100).unwrap();
        let tags = image.encoder();
        let directory = [1, 1, 0, 2, 1024, 0, 1, keys[0], 1025, 0, 1, keys[1]];
        tags.write_tag(Tag::GeoKeyDirectoryTag, &directory[..])
            .unwrap();
        tags.write_tag(Tag::ModelPixelScaleTag, &[0.001, 0.001, 0.0][..])
            .unwrap();
        let tie = [0.0, 0.0, 0.0, 8.0, 50.0, 0.0];
        tags.write_tag(Tag::ModelTiepointTag, &tie[..]).unwrap();
        tags.write_tag(Tag::GdalNodata, "-9999").unwrap();
        image.write_data(&heights).unwrap();
        file.into_inner()
    }

    #[test]
    fn a_geotiff_says_where_its_heights_lie() {
        for (raster, middle) in [(1, 0.5), (2, 0.0)] {
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("Any name.TIF"), geotiff([2, raster])).unwrap();
            let mut elevation = Elevation::new(folder.path());
            for column in [1.0, 17.25, 198.0] {
                let at = point(49.95, 8.0 + (column + middle) * 0.001);
                let height = elevation.height_m(at).unwrap();
                assert!(
                    (height - column).abs() < 0.01,
                    "{raster}: {height} {column}"
                );
            }
            // What is not known is taken from around it.
            let hole = point(50.0 - middle * 0.001, 8.0 + middle * 0.001);
            assert!(elevation.height_m(hole).unwrap() < 2.0, "{raster}");
            assert_eq!(elevation.height_m(point(49.85, 8.1)), None);
            assert_eq!(elevation.missing.len(), 1);
            assert_eq!(elevation.n_unreadable, 0);
        }
    }

    #[test]
    fn a_geotiff_in_meters_is_not_taken_for_one_in_degrees() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("utm.tif"), geotiff([1, 1])).unwrap();
        let mut elevation = Elevation::new(folder.path());
        assert_eq!(elevation.height_m(point(49.95, 8.1)), None);
        assert_eq!(elevation.n_unreadable, 1);
    }
}
