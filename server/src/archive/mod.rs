//! Owns the archive of a business, or of a pet parent's account, as a ZIP: how one is written while the business goes on, and how
//! one of a business is read and becomes the rows of an empty one. What is in it, and what of it may come in, says `core::archive`.

mod clear;
mod clear_request;
mod delete;
pub mod import;
mod import_request;
mod pages;
mod read;
mod rows;
mod snapshot;
mod write;

pub use clear::{UNDO_MS, collect};
pub use clear_request::{begin_clearing, find_clearing, undo_clearing};
pub use delete::delete_first_rows;
pub use import_request::{
    BegunImport, begin_import, find_import, forget_import, receive_piece, start_import,
};
pub use rows::is_empty;
pub use snapshot::{Snapshot, shared_with, snapshot};
pub use write::{Contents, stream};

use serde::{Deserialize, Serialize};
use walkies_core::{Id, Instant};

/// Manifest of an archive: its last file, which describes the others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the format, `core::archive::FORMAT` when it was made.
    pub format: u32,
    /// When it was made.
    pub made_at: Instant,
    /// Name of the business, as others see it.
    pub business: String,
    /// Revision of the business at which all rows were read.
    pub revision: u64,
    /// How many rows there are of each table, and how many files.
    pub counts: Vec<(String, u64)>,
    /// Files that were listed and then were not there any more.
    pub missing: Vec<String>,
    /// Every other file of the archive.
    #[serde(default, skip_deserializing)]
    pub files: Vec<ManifestFile>,
}

/// Manifest of the archive of a pet parent's account, in its last file.
#[derive(Debug, Serialize)]
pub struct OwnManifest {
    /// Version of the format, `core::archive::FORMAT` when it was made.
    pub format: u32,
    /// The account that the archive is of.
    pub account: OwnAccount,
    /// Each sitter whose client they are.
    pub sitters: Vec<SharedFolder>,
    /// Files that were listed and then were not there any more.
    pub missing: Vec<String>,
    /// Every other file of the archive.
    pub files: Vec<ManifestFile>,
}

/// The account of a pet parent.
#[derive(Clone, Debug, Serialize)]
pub struct OwnAccount {
    /// The account's id.
    pub id: Id,
    /// The e-mail address by which they sign in.
    pub email: String,
    /// The person's name.
    pub name: String,
    /// When it was made.
    pub created_at: Instant,
}

/// Everything that one sitter shares with the pet parent.
#[derive(Debug, Serialize)]
pub struct SharedFolder {
    /// The folder that it lies in.
    pub folder: String,
    /// Name of the sitter's business, as others see it.
    pub business: String,
    /// Revision of the business at which all rows were read.
    pub revision: u64,
    /// When it was read.
    pub made_at: Instant,
    /// How many rows there are of each table, and how many files.
    pub counts: Vec<(String, u64)>,
}

/// A file of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ManifestFile {
    /// Its name in the archive.
    pub name: String,
    /// How long it is.
    pub bytes: u64,
    /// Its checksum, hexadecimal.
    pub sha256: String,
}

/// A line of `files/photos.jsonl`, which describes one photo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhotoLine {
    /// The id by which rows name the photo.
    pub id: Id,
    /// The client who sent the photo; `None` for the sitter's own.
    #[serde(default)]
    pub client_id: Option<Id>,
}

/// A line of `files/videos.jsonl`, which describes one video.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VideoLine {
    /// The id by which invoices name the video.
    pub id: Id,
    /// Its media type, such as `video/mp4`.
    pub media_type: String,
}

/// A line of `files/documents.jsonl`, which describes one document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentLine {
    /// The document's id, which also names its file in the archive.
    pub id: Id,
    /// The name of the uploaded file.
    pub name: String,
    /// Its media type, such as `application/pdf`.
    pub media_type: String,
    /// When it was stored.
    pub created_at: Instant,
}
