//! Owns what a log on a phone, and the report made of it, tells of.

use serde::Serialize;

use crate::values::json::read_by_name;

/// Occasion that a log and its report tell of.
///
/// Stored by name on phones and in databases. Only add variants; never rename.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ReportKind {
    /// A walk, with positions; the default.
    #[default]
    Walk,
    /// A drop-in or another visit, without positions unless the sitter asks for them.
    Visit,
    /// One day of a stay.
    Day,
}

read_by_name!(ReportKind { Walk, Visit, Day });

impl ReportKind {
    /// Noun for it in a sentence: `walk`.
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Visit => "visit",
            Self::Day => "day",
        }
    }

    /// Its byte in a log, which stays as it is.
    pub const fn code(self) -> u8 {
        match self {
            Self::Walk => 0,
            Self::Visit => 1,
            Self::Day => 2,
        }
    }

    /// The kind with that byte; `None` for one of a later build.
    pub const fn of_code(code: u8) -> Option<Self> {
        match code {
            0 => Some(Self::Walk),
            1 => Some(Self::Visit),
            2 => Some(Self::Day),
            _ => None,
        }
    }

    /// Returns true for the default, which is left out where it is stored.
    pub fn is_walk(&self) -> bool {
        *self == Self::Walk
    }
}
