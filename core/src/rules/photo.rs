//! Owns what may be uploaded as a photo or sent as an image, by what the sender says of it; the bytes are checked
//! where they arrive (SPEC 5).

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::values::json::read_by_field;

/// The largest photo (SPEC 9, Limits).
pub const MAX_PHOTO_BYTES: u64 = 10 * 1024 * 1024;

/// Photos that a business may upload on one day (UTC): many more than are taken on the longest day's walks.
pub const MAX_UPLOADS_A_DAY: u32 = 300;

/// Storage for all photos of a business, in bytes, as they are kept.
pub const MAX_PHOTO_STORAGE_BYTES: u64 = 10 * 1024 * 1024 * 1024;

/// Photos that one client of a business may upload there on one day (UTC).
pub const MAX_CLIENT_UPLOADS_A_DAY: u32 = 50;

/// Storage for the photos that one client of a business has uploaded there, in bytes.
pub const MAX_CLIENT_PHOTO_STORAGE_BYTES: u64 = 512 * 1024 * 1024;

/// The size that an image in a message must stay below (SPEC 9, Limits).
pub const MAX_MESSAGE_IMAGE_BYTES: u64 = 5 * 1024 * 1024;

/// The largest file of which an image for a message is made: what is sent of it is much smaller.
pub const MAX_PICKED_IMAGE_BYTES: u64 = 25 * 1024 * 1024;

/// Facts about a file that are known before its bytes are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct PickedFile {
    /// Its media type, as the browser or the sender says.
    pub content_type: String,
    /// Its size in bytes.
    pub size: u64,
}

read_by_field!(PickedFile { content_type, size });

/// Why a file is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum PhotoError {
    /// There is none.
    #[error("No photo selected")]
    Missing,
    /// Larger than `MAX_PHOTO_BYTES`.
    #[error("Photo size too large (max 10MB)")]
    TooLarge,
    /// Neither JPEG nor PNG nor HEIC.
    #[error("Unsupported file type (use JPEG, PNG, or HEIC)")]
    Unsupported,
    /// No image at all, in a message.
    #[error("Only image files are supported")]
    NotAnImage,
    /// `MAX_MESSAGE_IMAGE_BYTES` or more, in a message.
    #[error("File size must be less than 5MB")]
    MessageImageTooLarge,
    /// The server keeps no photos.
    #[error("Photo storage is not configured")]
    NotConfigured,
    /// The limit of uploads for one day is reached.
    #[error("No more than {most} photos can be uploaded a day. Please try again tomorrow.")]
    TooManyToday {
        /// `MAX_UPLOADS_A_DAY`, or `MAX_CLIENT_UPLOADS_A_DAY`.
        most: u32,
    },
    /// The limit of storage is reached.
    #[error(
        "The storage for your photos is full ({}). Please remove some that you no longer need.",
        room(*most_bytes)
    )]
    StorageFull {
        /// `MAX_PHOTO_STORAGE_BYTES`, or `MAX_CLIENT_PHOTO_STORAGE_BYTES`.
        most_bytes: u64,
    },
}

/// Formats an amount of storage: `10GB`, `512MB`.
pub(super) fn room(bytes: u64) -> String {
    const MB: u64 = 1024 * 1024;
    match bytes / MB {
        mb if mb.is_multiple_of(1024) => (mb / 1024).to_string() + "GB",
        mb => mb.to_string() + "MB",
    }
}

/// Checks whether a file may be uploaded as a photo.
pub fn check(file: Option<&PickedFile>) -> Result<(), PhotoError> {
    let file = file.ok_or(PhotoError::Missing)?;
    if MAX_PHOTO_BYTES < file.size {
        return Err(PhotoError::TooLarge);
    }
    let kind = file.content_type.to_ascii_lowercase();
    let supported = [
        "image/jpeg",
        "image/jpg",
        "image/png",
        "image/heic",
        "image/heif",
    ];
    if supported.contains(&kind.as_str()) {
        Ok(())
    } else {
        Err(PhotoError::Unsupported)
    }
}

/// Checks whether a file may be sent in a message.
pub fn check_message_image(file: &PickedFile) -> Result<(), PhotoError> {
    check_image(file, MAX_MESSAGE_IMAGE_BYTES)
}

/// Checks whether an image for a message may be made of a file.
pub fn check_picked_image(file: &PickedFile) -> Result<(), PhotoError> {
    check_image(file, MAX_PICKED_IMAGE_BYTES)
}

fn check_image(file: &PickedFile, below_bytes: u64) -> Result<(), PhotoError> {
    if !file.content_type.to_ascii_lowercase().starts_with("image/") {
        return Err(PhotoError::NotAnImage);
    }
    if file.size < below_bytes {
        Ok(())
    } else {
        Err(PhotoError::MessageImageTooLarge)
    }
}
