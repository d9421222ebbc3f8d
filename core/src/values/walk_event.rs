//! Owns what can be logged on a walk: one list, from which logs, reports and screens have the names.

use serde::Serialize;

use crate::values::json::read_by_name;
use crate::values::report_kind::ReportKind;

macro_rules! walk_events {
    ($($(#[$doc:meta])* $Kind:ident = $code:literal, $key:literal, $name:literal;)*) => {
        /// Kind of a walk event (SPEC 3, Walk event).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(rename_all = "lowercase")]
        pub enum WalkEventKind {
            $($(#[$doc])* $Kind,)*
        }

        read_by_name!(WalkEventKind { $($Kind),* });

        impl WalkEventKind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$Kind),*];

            /// Its name in JSON and GPX, which stays as it is.
            pub const fn key(self) -> &'static str {
                match self { $(Self::$Kind => $key),* }
            }

            /// The kind of that key; `None` for one of a later build or of another program.
            pub fn of_key(key: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.key() == key)
            }

            /// Returns the name that is shown for an event without a note.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Kind => $name),* }
            }

            /// Its byte in a walk's log.
            pub const fn code(self) -> u8 {
                match self { $(Self::$Kind => $code),* }
            }

            /// The kind with that byte; `None` for one of a later build.
            pub const fn of_code(code: u8) -> Option<Self> {
                match code {
                    $($code => Some(Self::$Kind),)*
                    _ => None,
                }
            }
        }
    };
}

// Stored on phones and in databases. Only add; never rename, and never change or reuse a byte.
walk_events! {
    /// A photo was taken; the phone keeps it under the event's id.
    Photo = 0, "photo", "Photo";
    /// A dog did its business.
    Potty = 1, "potty", "Potty";
    /// A dog drank.
    Water = 2, "water", "Water";
    /// Something to remember.
    Note = 3, "note", "Note";
    /// The walk rested for a while.
    Break = 4, "break", "Break";
    /// A dog peed: told apart from `potty` where the sitter knows.
    Pee = 5, "pee", "Pee";
    /// A dog pooped: told apart from `potty` where the sitter knows.
    Poop = 6, "poop", "Poop";
    /// A pet was fed.
    Fed = 7, "fed", "Fed";
    /// The litter box was cleaned.
    Litter = 8, "litter", "Litter";
    /// A pet had its medication.
    Medication = 9, "medication", "Medication";
    /// The sitter played with a pet.
    Play = 10, "play", "Play";
}

impl WalkEventKind {
    /// Ways to tell a potty break more exactly.
    pub const POTTY: &[Self] = &[Self::Pee, Self::Poop];

    /// Kinds that are offered on such an occasion, in order; on a walk those of SPEC 3, Walk event.
    pub const fn offered(kind: ReportKind) -> &'static [Self] {
        match kind {
            ReportKind::Walk => &[
                Self::Photo,
                Self::Potty,
                Self::Water,
                Self::Note,
                Self::Break,
            ],
            ReportKind::Visit | ReportKind::Day => &[
                Self::Photo,
                Self::Fed,
                Self::Water,
                Self::Pee,
                Self::Poop,
                Self::Litter,
                Self::Medication,
                Self::Play,
                Self::Note,
            ],
        }
    }
}

/// The note of the event that emergency mode logs (SPEC 4, Active walk).
pub const EMERGENCY_EVENT: &str = "Emergency";
