//! Owns what can be logged on a walk: one list, from which logs, reports and screens have the names.

use serde::Serialize;

use crate::values::json::read_by_name;

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
            /// All of them, in the order in which they are offered.
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
}

/// The note of the event that emergency mode logs (SPEC 4, Active walk).
pub const EMERGENCY_EVENT: &str = "Emergency";
