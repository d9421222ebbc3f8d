//! Owns the field of a row that somebody changed while somebody else was changing it, too.

use serde::Serialize;
use serde_json::Value;

use crate::rows::message::Side;
use crate::values::json::read_by_field;

/// The field of a row that someone else changed after the sender had last seen it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Overwritten {
    /// The field's name in JSON.
    pub field: String,
    /// Value that the other had set.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
    pub theirs: Value,
    /// Value that this change has set; it stands.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
    pub yours: Value,
    /// The row keeps both until a person decides.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub kept: bool,
    /// The side that had set the other value, if both are kept and it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub by: Option<Side>,
}

read_by_field!(Overwritten { field, theirs, yours } or default { kept, by });
