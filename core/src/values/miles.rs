//! Owns miles that were driven, as an odometer counts them and tax papers ask for them: in whole tenths.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::values::money::grouped;

/// Miles in whole tenths; in JSON a number of miles, of which what is finer is rounded half away from zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = f64))]
pub struct Miles(#[cfg_attr(target_arch = "wasm32", tsify(type = "number"))] pub u32);

/// A hundred million miles: far beyond any sum of rows, and exact in every number that holds them.
const LIMIT_TENTHS: f64 = 1e9;

impl Miles {
    /// No miles at all.
    pub const ZERO: Self = Self(0);

    /// The nearest tenth; none for what is below zero or beyond all reason.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "held against both ends"
    )]
    pub fn of(miles: f64) -> Option<Self> {
        let tenths = (miles * 10.0).round();
        (0.0..=LIMIT_TENTHS)
            .contains(&tenths)
            .then_some(Self(tenths as u32))
    }
}

impl Add for Miles {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sum for Miles {
    fn sum<I: Iterator<Item = Self>>(miles: I) -> Self {
        miles.fold(Self::ZERO, Add::add)
    }
}

/// `1,234.5`.
impl fmt::Display for Miles {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{}.{}",
            grouped((self.0 / 10).into()),
            self.0 % 10
        )
    }
}

impl Serialize for Miles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Whole miles are written without a fraction, as JavaScript writes them.
        if self.0.is_multiple_of(10) {
            return serializer.serialize_u32(self.0 / 10);
        }
        serializer.serialize_f64(f64::from(self.0) / 10.0)
    }
}

impl<'de> Deserialize<'de> for Miles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::of(f64::deserialize(deserializer)?)
            .ok_or_else(|| D::Error::custom("expected a number of miles, 0 or more"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn miles_are_written_in_tenths() {
        assert_eq!(Miles(12_345).to_string(), "1,234.5");
        assert_eq!(Miles(4).to_string(), "0.4");
        assert_eq!(
            serde_json::to_string(&[Miles(124), Miles(120)]).unwrap(),
            "[12.4,12]"
        );
    }

    #[test]
    fn what_is_finer_than_a_tenth_is_rounded() {
        let miles: Vec<Miles> = serde_json::from_str("[12.44, 12.45, 0.04, 7]").unwrap();
        assert_eq!(miles, [Miles(124), Miles(125), Miles(0), Miles(70)]);
    }

    #[test]
    fn what_is_no_distance_is_refused() {
        for wrong in ["-0.1", "1e12", "\"12\"", "null"] {
            assert!(serde_json::from_str::<Miles>(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn miles_are_read_as_they_are_written(tenths in 0..1_000_000_000_u32) {
            let json = serde_json::to_string(&Miles(tenths)).unwrap();
            prop_assert_eq!(serde_json::from_str::<Miles>(&json).unwrap(), Miles(tenths));
        }
    }
}
