//! Owns what is done to any text that somebody typed.

/// Removes white space around a text.
pub(crate) fn trim(text: &mut String) {
    let trimmed = text.trim();
    if trimmed.len() < text.len() {
        *text = trimmed.to_owned();
    }
}
