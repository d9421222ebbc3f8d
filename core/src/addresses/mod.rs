//! Owns the search for addresses on the map's tiles, with no network: from what a person types to a place, and from a place
//! to its address; and the meaning of a geocoder's answers, for places outside the map. Pure; the order of what is found is
//! the same on every machine, and its work is bounded.

mod book;
mod found;
mod geocoder;
mod near;
mod search;
mod spelling;
mod words;

#[cfg(test)]
mod tests;

pub use book::AddressBook;
pub use found::{FoundAddress, FoundKind};
pub use geocoder::{GeocoderAnswer, GeocoderKind, GeocoderService, SearchedAddress};
pub use near::{nearest_address, tiles_near};
pub use words::letters;
