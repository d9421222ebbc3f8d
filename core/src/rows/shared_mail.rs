//! Owns what stands in the row of an invoice or a report about the mail that brings it to its client.

use serde::Serialize;

use crate::Instant;
use crate::values::json::{read_by_field, read_by_name};

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

impl SharedMail {
    /// Returns true while it is in the server's queue.
    pub fn is_waiting(&self) -> bool {
        self.state == SharedMailState::Waiting
    }
}
