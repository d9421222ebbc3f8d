//! Owns what a search for an address finds, and how it is written.

use serde::{Deserialize, Serialize};

use crate::map::AddressOrder;
use crate::values::place::Place;

/// Kind of the place that stands for a found address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FoundKind {
    /// The house with the number.
    House,
    /// Another house of the street, the nearest to the number by its own.
    NearestHouse,
    /// Middle of the street.
    Street,
    /// Middle of a town, a village or a part of one.
    Town,
    /// Middle of the houses with a postcode.
    Postcode,
}

/// An address on the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FoundAddress {
    /// Kind of the place.
    pub kind: FoundKind,
    /// The address as it is written there: '2905 North Charles Street, Baltimore 21218'.
    pub text: String,
    /// Words for the person on where the place is, without a full stop; absent for the very house.
    pub note: Option<String>,
    /// Position of that place.
    pub place: Place,
}

/// Parts of an address.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parts<'a> {
    pub(super) number: &'a str,
    pub(super) street: &'a str,
    pub(super) postcode: &'a str,
    pub(super) town: &'a str,
}

impl Parts<'_> {
    /// The address in one line.
    pub(super) fn text(&self, order: AddressOrder) -> String {
        let pair = |first: &str, second: &str| match (first, second) {
            ("", it) | (it, "") => it.to_owned(),
            (first, second) => format!("{first} {second}"),
        };
        let door = if order.number_first {
            pair(self.number, self.street)
        } else {
            pair(self.street, self.number)
        };
        let town = if order.postcode_last {
            pair(self.town, self.postcode)
        } else {
            pair(self.postcode, self.town)
        };
        match (door.as_str(), town.as_str()) {
            ("", _) => town,
            (_, "") => door,
            _ => format!("{door}, {town}"),
        }
    }
}
