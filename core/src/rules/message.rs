//! Owns what makes a message valid, and when its length is shown (SPEC 5 and 9, Messaging).

use serde::{Deserialize, Serialize};

use crate::values::form_errors::FieldErrors;
use crate::values::json::read_by_field;

/// Beyond this many characters the counter is shown.
pub const COUNTER_BEYOND: usize = 500;

/// Beyond this many it is red.
pub const COUNTER_RED_BEYOND: usize = 1000;

/// What a composer holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MessageDraft {
    /// The text; may be empty beside an image.
    pub content: String,
    /// Whether an image goes with it.
    pub has_image: bool,
}

read_by_field!(MessageDraft {} or default { content, has_image });

/// How the character counter looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Counter {
    /// Not shown.
    Hidden,
    /// Shown.
    Shown,
    /// Shown in red.
    Red,
}

/// What is wrong with a message: it has neither text nor an image.
pub fn errors(draft: &MessageDraft) -> FieldErrors {
    let mut errors = FieldErrors::default();
    let empty = draft.content.trim().is_empty() && !draft.has_image;
    errors.check(empty, "content", "Write a message or choose an image");
    errors
}

/// How the counter looks beside this text; characters and not bytes count.
pub fn counter(content: &str) -> Counter {
    match content.chars().count() {
        0..=COUNTER_BEYOND => Counter::Hidden,
        it if it <= COUNTER_RED_BEYOND => Counter::Shown,
        _ => Counter::Red,
    }
}
