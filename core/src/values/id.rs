//! Owns the one kind of id that rows, commands and files have.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;
use uuid::Uuid;

/// UUIDv7, made by whoever makes the row, so that what is made offline can be referred to offline (RFC 9562, 5.7).
///
/// An id says when it was made and is no secret; nothing is ordered by it, since phone clocks lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
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

/// A text that should be an id and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not an id")]
pub struct IdError;

impl FromStr for Id {
    type Err = IdError;

    /// Takes the 36 characters of a UUID with its hyphens (RFC 9562, 4), and none of the library's other forms.
    fn from_str(text: &str) -> Result<Self, IdError> {
        let hyphenated = Some(text).filter(|it| it.len() == 36);
        let id = hyphenated.and_then(|it| Uuid::try_parse(it).ok());
        id.map(Self).ok_or(IdError)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_id_is_read_as_it_is_written(number: u128) {
            let id = Id::of(number);
            prop_assert_eq!(id.to_string().parse(), Ok(id));
            prop_assert_eq!(id.to_string().to_uppercase().parse(), Ok(id));
            let json = serde_json::to_string(&id).unwrap();
            prop_assert_eq!(serde_json::from_str::<Id>(&json).unwrap(), id);
        }

        #[test]
        fn what_is_no_id_is_none(text in "[-0-9a-gé]{0,40}") {
            let theirs = Uuid::parse_str(&text).ok().filter(|_| text.len() == 36);
            prop_assert_eq!(text.parse::<Id>().ok().map(|it| it.0), theirs);
        }
    }
}
