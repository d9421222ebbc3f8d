//! Owns the server's map: areas that an operator imports from OpenStreetMap, cut in the core's tiles, each compressed
//! once and kept as a file. What a tile says is the core's; who asks for one is answered in `api`.

mod area;
pub mod maker;
pub mod mirror;
mod report;
mod tile;

pub use area::{clean_up, import, remove};
pub use report::ProgressReport;
pub use tile::{TileName, checksum, compress, decompress};
