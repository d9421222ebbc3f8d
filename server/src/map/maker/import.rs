//! Owns the way of an extract to tiles: its steps, what an operator is told on the way, and what is said of a useless file.

use std::path::{Path, PathBuf};

use thiserror::Error;
use walkies_core::map::Tile;

use super::build::build;
use super::country::CountriesError;
use super::elevation::Elevation;
use super::osm::ReadError;
use super::reading::Reading;
use super::surveying::survey;

/// Options of an import that an operator may choose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The folder for temporary files, for which ten times the extract's size may be needed; by default the system's.
    pub scratch: Option<PathBuf>,
    /// A folder with SRTM or GeoTIFF files, for heights.
    pub elevation: Option<PathBuf>,
}

/// A part of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The extract is read.
    Reading,
    /// Ways learn where they are.
    Locating,
    /// Ways and areas are dealt out to tiles.
    Dealing,
    /// Tiles are built.
    Building,
}

/// How far the work has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The phase that is being done.
    pub phase: Phase,
    /// How much of it is done: from 0 to 1.
    pub share: f64,
}

/// Result of an import, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// When the data was taken from OpenStreetMap, in seconds since 1970; 0 where the extract does not say.
    pub data_at: i64,
    /// Nodes in the extract.
    pub n_nodes: u64,
    /// Ways in the extract.
    pub n_ways: u64,
    /// Tiles that were made.
    pub n_tiles: u64,
    /// Edges in them.
    pub n_edges: u64,
    /// Broken parts that were passed over.
    pub warnings: Warnings,
}

/// Broken parts of a good file, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Warnings {
    /// Nodes that lie nowhere on earth.
    pub nodes_off_the_map: u64,
    /// Ways that lack some of their points, as at the extract's border.
    pub ways_cut: u64,
    /// Areas whose border is not closed or not all there.
    pub areas_open: u64,
    /// Files of heights that are none.
    pub heights_unreadable: u64,
    /// Files of heights that would be needed and are not there.
    pub heights_missing: u64,
}

/// Why there are no tiles.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// There is nothing to walk on in it.
    #[error("{} has no ways that can be walked.", .0.display())]
    NoWays(PathBuf),
    /// It has ways but does not say where their points are.
    #[error("{} does not say where its ways are: make the extract anew, with all nodes.", .0.display())]
    NoPlaces(PathBuf),
    /// The disk is full or at fault.
    #[error("Temporary files could not be written: {0}.")]
    Scratch(#[from] std::io::Error),
    /// The program is damaged.
    #[error(transparent)]
    Countries(#[from] CountriesError),
    /// Whoever takes the tiles could not.
    #[error("A tile could not be stored: {0:#}.")]
    Sink(anyhow::Error),
}

/// Makes the tiles of an extract and hands them to `sink`, row by row from the north.
pub fn import(
    file: &Path,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    sink: &mut dyn FnMut(Tile) -> anyhow::Result<()>,
) -> Result<Summary, ImportError> {
    let folder = match &options.scratch {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let folder = folder.path();
    let reading = Reading::of(file, folder, &mut |share| {
        progress(Progress {
            phase: Phase::Reading,
            share,
        })
    })?;
    let mut summary = reading.summary.clone();
    if reading.n_walked == 0 {
        return Err(ImportError::NoWays(file.to_owned()));
    }
    let mut hands = survey(
        reading,
        folder,
        options.elevation.is_some(),
        &mut summary.warnings,
        progress,
    )?;
    if !hands.has_streets() {
        let lost = summary.warnings.ways_cut > 0;
        return Err(if lost {
            ImportError::NoPlaces(file.to_owned())
        } else {
            ImportError::NoWays(file.to_owned())
        });
    }
    let mut elevation = options.elevation.as_deref().map(Elevation::new);
    while let Some((id, pieces)) = hands.next()? {
        progress(Progress {
            phase: Phase::Building,
            share: hands.share(),
        });
        let tile = build(id, &pieces, elevation.as_mut());
        if tile == Tile::empty(id) {
            continue;
        }
        summary.n_tiles += 1;
        summary.n_edges += tile.network.edges.len() as u64;
        sink(tile).map_err(ImportError::Sink)?;
    }
    if let Some(elevation) = elevation {
        summary.warnings.heights_unreadable = elevation.n_unreadable;
        summary.warnings.heights_missing = elevation.missing.len() as u64;
    }
    Ok(summary)
}
