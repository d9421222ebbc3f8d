//! Owns the second version of a long text that two people wrote without having seen each other's. Its row keeps it until
//! a person decides.

use serde::Serialize;

use crate::Instant;
use crate::rows::message::Side;
use crate::values::json::read_by_field;

/// A version of a long text that is not the one in its field. Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OtherText {
    /// The field's name in JSON.
    pub field: String,
    /// The text, never blank.
    pub content: String,
    /// The side that wrote it; absent where an older server did not record it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub by: Option<Side>,
    /// When it reached the server.
    pub at: Instant,
}

read_by_field!(OtherText { field, content, at } or default { by });
