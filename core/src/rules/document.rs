//! Owns what may be stored as a document of a sitter: a licence, an insurance. The bytes are checked where they arrive.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::FieldErrors;
use crate::rules::photo::MAX_PHOTO_BYTES;
use crate::values::bounds::{self, DOCUMENTS};

/// The largest document: as large as a photo, which phones know the bound of.
pub const MAX_DOCUMENT_BYTES: u64 = MAX_PHOTO_BYTES;

/// Why a document is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum DocumentError {
    /// There is none.
    #[error("No document selected")]
    Missing,
    /// Larger than `MAX_DOCUMENT_BYTES`.
    #[error("Document size too large (max 10MB)")]
    TooLarge,
    /// Neither PDF nor a picture.
    #[error("Unsupported file type (use PDF, JPEG, PNG, or HEIC)")]
    Unsupported,
}

/// Checks that a business that has so many documents may have one more.
///
/// # Errors
/// Returns the reason in words for a person if it may not.
pub fn check_room(documents: usize) -> Result<(), FieldErrors> {
    bounds::check_room("documents", documents, DOCUMENTS)
}

/// How a PDF begins and ends (ISO 32000-2, 7.5.2 and 7.5.5); readers allow some bytes behind its end.
const PDF_BEGINNING: &[u8] = b"%PDF-";
const PDF_END: &[u8] = b"%%EOF";
const PDF_END_WITHIN: usize = 1024;

/// Returns true if these bytes are a whole PDF, whatever the file is called.
pub fn is_pdf(bytes: &[u8]) -> bool {
    let tail = bytes.len().saturating_sub(PDF_END_WITHIN);
    let tail = bytes.get(tail..).unwrap_or_default();
    bytes.starts_with(PDF_BEGINNING) && tail.windows(PDF_END.len()).any(|it| it == PDF_END)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pdf_is_known_by_its_beginning_and_its_end() {
        assert!(is_pdf(b"%PDF-1.7\n...\n%%EOF\n"));
        assert!(!is_pdf(b"%PDF-1.7\n cut off"));
        assert!(!is_pdf(b"<html>%PDF-1.7 %%EOF"));
        assert!(!is_pdf(b""));
        let long = [b"%PDF-2.0 %%EOF".as_slice(), &[b' '; 2000]].concat();
        assert!(!is_pdf(&long), "the end is at the end");
    }
}
