//! Owns the making of the map: reads an OpenStreetMap extract and writes the tiles that phones carry.
//!
//! An extract may be larger than the memory, and its parts may come in any order. So everything that grows with it goes
//! through sorted temporary files (`spool`), in three steps:
//! the extract's blocks are found to be within their bounds (`blocks`), it is read, and each way asks for the places of its points (`reading`);
//! questions and answers, both sorted by point, are brought together (`locate`);
//! what is now known to be somewhere becomes streets, areas and lines (`surveying`) and is dealt out to tiles (`deal`),
//! last of all what needs to know the others: tunnels of several ways (`tunnel`), what carries bridges (`ground_graph`), and the
//! sea beside its coast (`sea`).
//! Then one tile after the other is built from what it was dealt (`build`): its network, what is around the edges (`context`),
//! its addresses (`address`), and what is drawn (`drawing`). What tags mean is said in `rules` for walkers and in `features` for all else.

mod address;
mod blocks;
mod build;
mod context;
mod country;
mod deal;
mod deck;
mod drawing;
mod elevation;
mod features;
mod frame;
mod geotiff;
mod ground_graph;
mod height_grid;
mod import;
mod locate;
mod network;
mod osm;
mod outcome;
mod piece;
mod raster;
mod reading;
mod record;
mod rules;
mod sea;
mod shape;
mod spool;
mod surveying;
mod tunnel;
mod whereabouts;

#[cfg(test)]
mod extract;
#[cfg(test)]
mod found_addresses;
#[cfg(test)]
mod tests;

pub use import::{Options, import};
pub use outcome::{ImportError, Phase, Progress, Summary, Warnings};
