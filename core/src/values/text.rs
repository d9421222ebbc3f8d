//! Owns what is done to any text that somebody typed.

use serde::{Deserialize, Deserializer};

/// Removes white space around a text.
pub(crate) fn trim(text: &mut String) {
    let trimmed = text.trim();
    if trimmed.len() < text.len() {
        *text = trimmed.to_owned();
    }
}

/// Reads `null` as an empty text: callers send either for 'nothing entered'.
pub(crate) fn null_is_empty<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    Ok(Option::<String>::deserialize(deserializer)?.unwrap_or_default())
}
