//! Owns the map that the phone carries: tiles with the network that a walker can use and with what a walker's map shows.
//! The server makes them from OpenStreetMap, the phone draws them and finds its ways on them; both read and write them here.

mod address;
mod bytes;
mod coded;
mod draw;
mod network;
mod point;
mod spot;
mod tile;

#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
pub(crate) mod tests;

pub use address::{AddressOrder, AddressPlace, AddressStreet, Addresses, House};
pub use bytes::TileError;
pub use draw::{Area, AreaKind, Drawing, Label, LabelKind, Line, LineKind};
pub use network::{Crossing, Edge, Lit, Naming, Network, Node, Sidewalk, Surface, Way, WayKind};
pub use point::{Ground, Point, TILE_BITS, TILE_ZOOM, TileId};
pub use spot::{Spot, SpotKind};
pub use tile::{FORMAT_VERSION, Tile};
