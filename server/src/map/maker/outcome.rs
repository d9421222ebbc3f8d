//! Owns what an operator is told of an import: how far it is, what came of it, and what is said of a useless file.

use std::path::PathBuf;

use thiserror::Error;

use super::country::CountriesError;
use super::osm::ReadError;

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
    /// The receiver of the tiles failed to store one.
    #[error("A tile could not be stored: {0:#}.")]
    Sink(anyhow::Error),
}
