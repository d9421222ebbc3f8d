//! Owns numbers and amounts as people type them (SPEC 9: USD, en-US format): `12`, `1,000.50`, `$12.5`.

use serde::Serialize;

use crate::Cents;
use crate::values::json::read_by_name;
use crate::values::money::LIMIT;

/// Kind of number that a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum NumberKind {
    /// Dollars and cents.
    Money,
    /// A number without parts.
    Whole,
    /// A number with up to six decimals.
    Decimal,
}

read_by_name!(NumberKind {
    Money,
    Whole,
    Decimal
});

impl NumberKind {
    /// How many digits there may be behind the point.
    const fn decimals(self) -> usize {
        match self {
            Self::Money => 2,
            Self::Whole => 0,
            Self::Decimal => 6,
        }
    }

    /// How large it may be, in the smallest part that it takes.
    const fn limit(self) -> i64 {
        match self {
            Self::Money => LIMIT,
            // What a double tells apart.
            Self::Whole | Self::Decimal => 1_000_000_000_000_000,
        }
    }

    /// Error text for input that cannot be read.
    const fn unreadable(self) -> &'static str {
        match self {
            Self::Money => "Enter dollars and cents, such as 12.50",
            Self::Whole => "Enter a whole number, such as 12",
            Self::Decimal => "Enter a number, such as 12.5",
        }
    }
}

/// Error text for a number above the limit of its kind.
pub const TOO_LARGE: &str = "This is too large";

/// Number that was read from input, or the error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TypedNumber {
    /// The number, of money in dollars; absent where nothing is typed and where it cannot be read.
    pub value: Option<f64>,
    /// Why it cannot be read.
    pub error: Option<&'static str>,
}

/// Reads a text. A comma stands before each three digits or nowhere, and is no point.
pub fn read(text: &str, kind: NumberKind) -> TypedNumber {
    let text = text.trim();
    if text.is_empty() {
        return TypedNumber::default();
    }
    match parts(text, kind) {
        Some(parts) if parts.abs() <= kind.limit() => TypedNumber {
            value: Some(number(parts, kind)),
            error: None,
        },
        number => TypedNumber {
            value: None,
            error: Some(number.map_or(kind.unreadable(), |_| TOO_LARGE)),
        },
    }
}

/// The amount that a text says, if it says one.
pub fn amount(text: &str) -> Option<Cents> {
    let parts = parts(text.trim(), NumberKind::Money)?;
    (parts.abs() <= LIMIT).then_some(Cents(parts))
}

/// The number in the smallest part that its kind takes, as many as there may be; cents of money.
fn parts(text: &str, kind: NumberKind) -> Option<i64> {
    let (sign, text) = match text.strip_prefix(['-', '−']) {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let text = match kind {
        NumberKind::Money => text.strip_prefix('$').unwrap_or(text).trim_start(),
        NumberKind::Whole | NumberKind::Decimal => text,
    };
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if text == "." || text.is_empty() || kind.decimals() < decimals.len() || !is_grouped(whole) {
        return None;
    }
    let zeros = "0".repeat(kind.decimals() - decimals.len());
    let mut parts: i64 = 0;
    for digit in whole
        .bytes()
        .filter(|it| *it != b',')
        .chain(decimals.bytes())
        .chain(zeros.bytes())
    {
        if !digit.is_ascii_digit() {
            return None;
        }
        parts = parts
            .saturating_mul(10)
            .saturating_add(i64::from(digit - b'0'));
    }
    Some(sign * parts)
}

/// Returns true if the commas, if there are any, part groups of three digits as in `1,000`; `0,500` is somebody's half.
fn is_grouped(whole: &str) -> bool {
    let Some((first, others)) = whole.split_once(',') else {
        return true;
    };
    (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && others.split(',').all(|it| it.len() == 3)
}

/// Both are exact, so that this is the double that is nearest.
#[expect(clippy::cast_precision_loss, reason = "the limit is below 2^53")]
fn number(parts: i64, kind: NumberKind) -> f64 {
    let mut scale = 1.0;
    for _ in 0..kind.decimals() {
        scale *= 10.0;
    }
    parts as f64 / scale
}
