//! Owns the way of an extract to tiles: its steps.

use std::path::{Path, PathBuf};

use walkies_core::map::Tile;

use super::blocks;
use super::build::build;
use super::country::Countries;
use super::elevation::Elevation;
use super::outcome::{ImportError, Phase, Progress, Summary};
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

/// Makes the tiles of an extract and hands them to `sink`, row by row from the north.
pub fn import(
    file: &Path,
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    sink: &mut dyn FnMut(Tile) -> anyhow::Result<()>,
) -> Result<Summary, ImportError> {
    blocks::check(file)?;
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
    let countries = Countries::load()?;
    while let Some((id, pieces)) = hands.next()? {
        progress(Progress {
            phase: Phase::Building,
            share: hands.share(),
        });
        let tile = build(id, &pieces, &countries, elevation.as_mut());
        let Some(tile) = tile else { continue };
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
