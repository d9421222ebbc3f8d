//! Owns what may be uploaded as a video, by what the sender says of it; the bytes are checked where they arrive. And into
//! what pieces a video is cut on its way, so that a network that breaks costs one of them.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::photo::{PickedFile, room};
use crate::values::bounds;

/// The largest video.
pub const MAX_VIDEO_BYTES: u64 = bounds::VIDEO_BYTES;

/// A phone makes a larger one smaller before it sends it (SPEC 9, Limits).
pub const MAX_UNCOMPRESSED_VIDEO_BYTES: u64 = 10 * 1024 * 1024;

/// Size of a piece, of which the last may be shorter: half a minute is enough for it at 20 kB a second.
pub const VIDEO_PIECE_BYTES: u64 = 512 * 1024;

/// Storage for all videos of a business, in bytes.
pub const MAX_VIDEO_STORAGE_BYTES: u64 = 10 * 1024 * 1024 * 1024;

/// So many of a business may be under way: those of two invoices.
pub const MAX_UNFINISHED_VIDEOS: u64 = 10;

/// Why a video is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum VideoError {
    /// There is nothing in it.
    #[error("No video selected")]
    Missing,
    /// Larger than `MAX_VIDEO_BYTES`.
    #[error("Video size too large (max 100MB)")]
    TooLarge,
    /// Neither MP4 nor QuickTime nor WebM.
    #[error("Unsupported file type (use MP4, MOV, or WebM)")]
    Unsupported,
    /// It begins like a video and then is none.
    #[error("This video is damaged and cannot be shown. Please choose another one.")]
    Damaged,
    /// The limit of storage is reached.
    #[error(
        "The storage for your videos is full ({}). Please delete invoices that you no longer need.",
        room(MAX_VIDEO_STORAGE_BYTES)
    )]
    StorageFull,
}

/// Checks whether a file may be uploaded as a video.
///
/// # Errors
/// Returns the reason in words for a person if it may not.
pub fn check(file: &PickedFile) -> Result<(), VideoError> {
    // `video/webm;codecs=vp9` is one, too.
    let kind = file.content_type.split(';').next().unwrap_or_default();
    let kind = kind.trim().to_ascii_lowercase();
    if file.size == 0 {
        Err(VideoError::Missing)
    } else if MAX_VIDEO_BYTES < file.size {
        Err(VideoError::TooLarge)
    } else if ["video/mp4", "video/quicktime", "video/webm"].contains(&kind.as_str()) {
        Ok(())
    } else {
        Err(VideoError::Unsupported)
    }
}

/// How many pieces a video of so many bytes has.
pub const fn n_pieces(size_bytes: u64) -> u64 {
    size_bytes.div_ceil(VIDEO_PIECE_BYTES)
}

/// How many bytes the piece has that begins at `offset`.
pub const fn piece_bytes(size_bytes: u64, offset: u64) -> u64 {
    let rest = size_bytes.saturating_sub(offset);
    if rest < VIDEO_PIECE_BYTES {
        rest
    } else {
        VIDEO_PIECE_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(content_type: &str, size: u64) -> Result<(), VideoError> {
        check(&PickedFile {
            content_type: content_type.to_owned(),
            size,
        })
    }

    #[test]
    fn what_browsers_play_may_be_uploaded_up_to_100_mb() {
        assert_eq!(checked("video/mp4", MAX_VIDEO_BYTES), Ok(()));
        assert_eq!(checked("video/WebM; codecs=vp9", 1), Ok(()));
        assert_eq!(checked("video/quicktime", 1), Ok(()));
        assert_eq!(checked("video/webm", 0), Err(VideoError::Missing));
        assert_eq!(
            checked("video/mp4", MAX_VIDEO_BYTES + 1),
            Err(VideoError::TooLarge)
        );
        assert_eq!(checked("video/avi", 1), Err(VideoError::Unsupported));
        assert_eq!(checked("", 1), Err(VideoError::Unsupported));
    }

    #[test]
    fn pieces_make_up_the_whole() {
        for size in [1, VIDEO_PIECE_BYTES, VIDEO_PIECE_BYTES + 1, MAX_VIDEO_BYTES] {
            let mut offset = 0;
            for _ in 0..n_pieces(size) {
                offset += piece_bytes(size, offset);
            }
            assert_eq!(offset, size);
            assert_eq!(piece_bytes(size, size), 0);
        }
    }
}
