//! Owns what can be logged on a walk: one list, from which logs, reports and screens have the names.

use serde::Serialize;

use crate::values::json::read_by_name;

macro_rules! walk_events {
    ($($(#[$doc:meta])* $Kind:ident = $code:literal, $name:literal;)*) => {
        /// What a walk event can be (SPEC 3, Walk event).
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

            /// What it is called where nobody has said more.
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
    Photo = 0, "Photo";
    /// Potty.
    Potty = 1, "Potty";
    /// Water.
    Water = 2, "Water";
    /// Something to remember.
    Note = 3, "Note";
    /// A break.
    Break = 4, "Break";
}

/// The note of the event that emergency mode logs (SPEC 4, Active walk).
pub const EMERGENCY_EVENT: &str = "Emergency";
