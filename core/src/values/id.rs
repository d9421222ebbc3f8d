//! Owns the one kind of id that rows, commands and files have.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// UUIDv7, made by whoever makes the row, so that what is made offline can be referred to offline (RFC 9562, 5.7).
///
/// An id says when it was made and is no secret; nothing is ordered by it, since phone clocks lie.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = "uuid"))]
#[serde(transparent)]
pub struct Id(#[cfg_attr(target_arch = "wasm32", tsify(type = "string"))] pub Uuid);

impl Id {
    /// Before every other in order.
    pub const FIRST: Self = Self(Uuid::nil());
    /// After every other in order.
    pub const LAST: Self = Self(Uuid::max());

    /// An id from a number; for tests and fixtures.
    pub const fn of(number: u128) -> Self {
        Self(Uuid::from_u128(number))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl FromStr for Id {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Uuid::from_str(text).map(Self)
    }
}
