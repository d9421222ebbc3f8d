//! Owns the map that comes from a mirror of OpenStreetMap extracts: which region is meant (`index`, `towns`), its
//! extract on the disk (`download`), and its way into the map, once and again when the mirror has a newer one (`get`).

mod download;
mod get;
mod index;
mod towns;

pub use download::DownloadBounds;
pub use get::{Got, Mirror, Step, get, update};
