//! Owns what stands in a row about mail: that which brings an invoice or a report to its client, and that which tells the
//! client of a visit.

use serde::Serialize;

use crate::values::json::{read_by_field, read_by_name};
use crate::{Id, Instant};

/// State of the mail by which something shared goes to its client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SharedMailState {
    /// It waits in the server's queue.
    #[default]
    Waiting,
    /// A mail server has taken it.
    Sent,
    /// It was given up.
    Failed,
    /// Its recipient has stopped mail.
    Stopped,
}

read_by_name!(SharedMailState {
    Waiting,
    Sent,
    Failed,
    Stopped
});

/// Mail by which the server sends an invoice or a report to its client.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SharedMail {
    /// The address that it goes to.
    pub to: String,
    /// State of the mail.
    pub state: SharedMailState,
    /// Start of that state.
    pub at: Instant,
}

read_by_field!(SharedMail { to, state, at });

/// Last mail that told a client of a visit.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VisitMail {
    /// The client whom it told: the visit may be another one's by now.
    pub client_id: Id,
    /// The client's address; empty for one with a login, whose address is the account's own.
    #[serde(default)]
    pub to: String,
    /// State of the mail.
    pub state: SharedMailState,
    /// Start of that state.
    pub at: Instant,
}

read_by_field!(VisitMail { client_id, state, at } or default { to });

impl VisitMail {
    /// Returns true while it is in the server's queue.
    pub fn is_waiting(&self) -> bool {
        self.state == SharedMailState::Waiting
    }
}

impl SharedMail {
    /// Returns true while it is in the server's queue.
    pub fn is_waiting(&self) -> bool {
        self.state == SharedMailState::Waiting
    }
}
