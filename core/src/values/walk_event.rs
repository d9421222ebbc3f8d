//! Owns what can be logged on a walk, by the names that logs, reports and screens share.

use serde::Serialize;

use crate::values::json::read_by_name;

/// What a walk event can be (SPEC 3, Walk event).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum WalkEventKind {
    /// A photo was taken; the phone keeps it under the event's id.
    Photo,
    /// Potty.
    Potty,
    /// Water.
    Water,
    /// Something to remember.
    Note,
    /// A break.
    Break,
}

read_by_name!(WalkEventKind {
    Photo,
    Potty,
    Water,
    Note,
    Break
});

/// The note of the event that emergency mode logs (SPEC 4, Active walk).
pub const EMERGENCY_EVENT: &str = "Emergency";

impl WalkEventKind {
    /// What it is called where nobody has said more.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Photo => "Photo",
            Self::Potty => "Potty",
            Self::Water => "Water",
            Self::Note => "Note",
            Self::Break => "Break",
        }
    }
}
