//! Owns money: whole cents, the one rounding rule, and the way an amount is written.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Mul, Sub};

use crate::values::sort::SmallSort as _;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An amount of US dollars in whole cents; in JSON a number of dollars (SPEC 9, Pricing).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = f64))]
pub struct Cents(#[cfg_attr(target_arch = "wasm32", tsify(type = "number"))] pub i64);

/// Currency of an amount, by its code of ISO 4217.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Currency {
    /// US dollars (SPEC 9, Pricing).
    #[default]
    #[serde(rename = "USD")]
    Usd,
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "USD" => Ok(Self::Usd),
            _ => Err(D::Error::custom("expected the currency USD")),
        }
    }
}

/// A thousand times what a form takes (`check::MAX_PRICE`), so that every sum of rows can be read again, and small
/// enough that a double tells cents apart.
pub(crate) const LIMIT: i64 = 100_000_000_000;

impl Cents {
    /// Zero dollars, zero cents.
    pub const ZERO: Self = Self(0);

    /// `percent` of the amount, rounded to a cent, half away from zero.
    pub const fn percent(self, percent: i64) -> Self {
        self.share(percent, 100)
    }

    /// `part` of `whole` parts of the amount, rounded to a cent, half away from zero; `whole` is greater than 0.
    ///
    /// The only place where a fraction of a cent can arise.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "`From` and `TryFrom` are no const functions, and a share of an amount fits where the amount does"
    )]
    pub const fn share(self, part: i64, whole: i64) -> Self {
        // Two amounts of $80M multiply to more than 64 bits hold.
        let parts = 2 * self.0 as i128 * part as i128;
        let whole = whole as i128;
        let half = if parts < 0 { -whole } else { whole };
        Self(((parts + half) / (2 * whole)) as i64)
    }

    /// The amount in parts by their weights, none of them negative: equal parts where all weights are 0. The parts come to
    /// the amount to the cent: those that lost most of a cent get the cents that are left, the first ones first.
    pub fn spread(self, weights: &[i64]) -> Vec<Self> {
        let weigh_nothing = weights.iter().all(|it| *it <= 0);
        let weight = |it: i64| i128::from(if weigh_nothing { 1 } else { it.max(0) });
        let whole: i128 = weights.iter().map(|it| weight(*it)).sum::<i128>().max(1);
        let exact = |it: &i64| i128::from(self.0) * weight(*it);
        let floors = weights.iter().map(|it| exact(it).div_euclid(whole));
        let mut parts: Vec<Self> = floors
            .map(|it| Self(i64::try_from(it).unwrap_or(i64::MAX)))
            .collect();
        let left = self.0 - parts.iter().map(|it| it.0).sum::<i64>();
        let mut places: Vec<usize> = (0..parts.len()).collect();
        let lost = |it: usize| weights.get(it).map_or(0, |it| exact(it).rem_euclid(whole));
        places.small_sort_by_key(|it| (std::cmp::Reverse(lost(*it)), *it));
        for place in places
            .into_iter()
            .take(usize::try_from(left).unwrap_or_default())
        {
            if let Some(part) = parts.get_mut(place) {
                part.0 += 1;
            }
        }
        parts
    }
}

impl Add for Cents {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Cents {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<i64> for Cents {
    type Output = Self;
    fn mul(self, times: i64) -> Self {
        Self(self.0 * times)
    }
}

impl Sum for Cents {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

/// `1,234`: a whole number with its digits in groups.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// SPEC 9: USD, en-US format, dollar sign and two decimals: `$1,234.50`, `-$3.00`.
impl fmt::Display for Cents {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (dollars, cents) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        let grouped = grouped(dollars);
        write!(formatter, "{sign}${grouped}.{cents:02}")
    }
}

impl Serialize for Cents {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Whole dollars are written without a fraction, as JavaScript writes them: 25 and not 25.0.
        if self.0 % 100 == 0 {
            return serializer.serialize_i64(self.0 / 100);
        }
        // A double holds every cent of LIMIT exactly enough that writing and reading it gives the same cent.
        #[expect(clippy::cast_precision_loss, reason = "amounts stay below 2^53")]
        serializer.serialize_f64(self.0 as f64 / 100.0)
    }
}

impl<'de> Deserialize<'de> for Cents {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let dollars = f64::deserialize(deserializer)?;
        let cents = (dollars * 100.0).round();
        #[expect(clippy::cast_precision_loss, reason = "LIMIT is far below 2^53")]
        if !dollars.is_finite() || cents.abs() > LIMIT as f64 {
            return Err(D::Error::custom("expected a smaller amount"));
        }
        if (dollars * 100.0 - cents).abs() > 1e-4 {
            return Err(D::Error::custom("expected an amount in whole cents"));
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "checked against LIMIT above"
        )]
        Ok(Self(cents as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_large_amounts_are_exact() {
        let total = Cents(LIMIT);
        assert_eq!(total.share(LIMIT, LIMIT), total);
        assert_eq!(total.share(LIMIT / 2, LIMIT), Cents(LIMIT / 2));
        assert_eq!(Cents(-LIMIT).share(LIMIT, LIMIT), Cents(-LIMIT));
        assert_eq!(Cents(-3).share(1, 2), Cents(-2));
    }
}
