//! Looks through a video that has come in pieces: whether it is one that browsers play, by its bytes, and where in it
//! stands what nobody but its owner is to know, as where it was taken. What is found is overwritten in place, so that
//! nothing else moves. It reads a piece at a time and never decodes a picture.

mod mp4;
mod webm;

use axum::body::Bytes;
use walkies_core::Id;
use walkies_core::rules::video::{VIDEO_PIECE_BYTES, VideoError};

use crate::base::error::AppError;
use crate::media::files::{FileName, Files};

/// Result of an inspection: the type of the video, and the parts that have to be overwritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspected {
    /// The media type under which browsers play it.
    pub media_type: &'static str,
    /// The parts to overwrite, in the order of their places, and apart from each other.
    pub blanks: Vec<Blank>,
}

/// A part of a video that is overwritten: by `head`, and by zeros up to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blank {
    /// Its place in the video.
    pub at: u64,
    /// How many bytes it has, with `head`.
    pub length: u64,
    /// Bytes that tell players to skip this part; empty among pictures and sounds.
    pub head: Vec<u8>,
}

/// Why a video cannot be inspected to its end.
#[derive(Debug)]
pub enum Fault {
    /// It is none that is taken.
    Refused(VideoError),
    /// Its bytes cannot be read now.
    Unreadable(anyhow::Error),
}

impl From<VideoError> for Fault {
    fn from(error: VideoError) -> Self {
        Self::Refused(error)
    }
}

impl From<Fault> for AppError {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Refused(VideoError::TooLarge) => {
                Self::TooLarge(VideoError::TooLarge.to_string())
            }
            Fault::Refused(VideoError::Unsupported) => {
                Self::Unsupported(VideoError::Unsupported.to_string())
            }
            Fault::Refused(error) => Self::Malformed(error.to_string()),
            Fault::Unreadable(error) => Self::Unavailable(error.context("the files' storage")),
        }
    }
}

/// How a file that browsers play begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Container {
    /// MP4, or QuickTime, from which it comes.
    Mp4,
    /// WebM, which begins with EBML's magic number.
    WebM,
}

fn container(beginning: &[u8]) -> Result<Container, VideoError> {
    if beginning.get(4..8) == Some(b"ftyp") {
        Ok(Container::Mp4)
    } else if beginning.starts_with(&webm::EBML) {
        Ok(Container::WebM)
    } else {
        Err(VideoError::Unsupported)
    }
}

/// Checks that a video may begin like this: what cannot become one is turned down before the rest of it comes.
///
/// # Errors
/// Where it may not.
pub fn check_beginning(beginning: &[u8]) -> Result<(), VideoError> {
    container(beginning).map(drop)
}

/// The bytes of a video, in its pieces.
#[derive(Debug)]
pub struct Pieces<'a> {
    files: &'a Files,
    sitter_id: Id,
    file_ids: Vec<Id>,
    size_bytes: u64,
    /// The last one that was read.
    current: Option<(u64, Bytes)>,
}

impl<'a> Pieces<'a> {
    /// Creates a reader of a video of `size_bytes` whose pieces are stored under these names, in their order.
    pub const fn new(files: &'a Files, sitter_id: Id, file_ids: Vec<Id>, size_bytes: u64) -> Self {
        Self {
            files,
            sitter_id,
            file_ids,
            size_bytes,
            current: None,
        }
    }

    /// The whole piece of that number.
    pub async fn piece(&mut self, number: u64) -> Result<Bytes, Fault> {
        if let Some((known, bytes)) = &self.current
            && *known == number
        {
            return Ok(bytes.clone());
        }
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let file_id = self.file_ids.get(index).ok_or_else(lost)?;
        let name = FileName::video_piece(self.sitter_id, *file_id);
        let found = self.files.get(&name).await;
        let bytes = found
            .map_err(|it| Fault::Unreadable(it.into()))?
            .ok_or_else(lost)?;
        self.current = Some((number, bytes.clone()));
        Ok(bytes)
    }

    /// So many bytes from a place, fewer only where the video ends.
    async fn read(&mut self, at: u64, length: u64) -> Result<Vec<u8>, Fault> {
        let end = self.size_bytes.min(at.saturating_add(length));
        let mut found = Vec::new();
        let mut at = at;
        while at < end {
            let number = at / VIDEO_PIECE_BYTES;
            let begins = number * VIDEO_PIECE_BYTES;
            let bytes = self.piece(number).await?;
            let last = end.min(begins + VIDEO_PIECE_BYTES);
            let (from, to) = (position(at - begins), position(last - begins));
            found.extend_from_slice(bytes.get(from..to).ok_or_else(lost)?);
            at = last;
        }
        Ok(found)
    }
}

fn lost() -> Fault {
    Fault::Unreadable(anyhow::anyhow!("a piece of a video is not there"))
}

fn position(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// Looks through all of a video.
///
/// # Errors
/// Where it is none that browsers play, or cannot be read now.
pub async fn inspect(pieces: &mut Pieces<'_>) -> Result<Inspected, Fault> {
    let beginning = pieces.read(0, 8).await?;
    let mut inspected = match container(&beginning)? {
        Container::Mp4 => mp4::inspect(pieces).await?,
        Container::WebM => webm::inspect(pieces).await?,
    };
    inspected.blanks = apart(inspected.blanks, pieces.size_bytes);
    Ok(inspected)
}

/// In the order of their places: what reaches beyond the end or into the one before is cut off, so that to overwrite all of
/// them takes no longer than to overwrite the whole video.
fn apart(mut blanks: Vec<Blank>, size_bytes: u64) -> Vec<Blank> {
    blanks.sort_by_key(|it| it.at);
    let mut done = 0;
    blanks.retain_mut(|it| {
        let end = it.at.saturating_add(it.length).min(size_bytes);
        if it.at < done {
            it.at = done;
            it.head.clear();
        }
        it.length = end.saturating_sub(it.at);
        done = done.max(end);
        0 < it.length
    });
    blanks
}

/// A piece with what is overwritten in it; nothing where nothing is.
///
/// # Errors
/// Where it cannot be read now.
pub async fn blanked(
    pieces: &mut Pieces<'_>,
    number: u64,
    blanks: &[Blank],
) -> Result<Option<Bytes>, Fault> {
    let begins = number * VIDEO_PIECE_BYTES;
    let ends = begins + VIDEO_PIECE_BYTES;
    let first = blanks.partition_point(|it| it.at + it.length <= begins);
    let last = blanks.partition_point(|it| it.at < ends);
    let Some(blanks @ [_, ..]) = blanks.get(first..last) else {
        return Ok(None);
    };
    let mut bytes = Vec::from(pieces.piece(number).await?);
    for blank in blanks {
        let (from, to) = (blank.at.max(begins), ends.min(blank.at + blank.length));
        let (from_here, to_here) = (position(from - begins), position(to - begins));
        let place = bytes.get_mut(from_here..to_here).ok_or_else(lost)?;
        place.fill(0);
        let head = blank.head.get(position(from - blank.at)..);
        for (byte, of_head) in place.iter_mut().zip(head.unwrap_or_default()) {
            *byte = *of_head;
        }
    }
    Ok(Some(bytes.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use walkies_core::rules::video::n_pieces;

    const SITTER: Id = Id::of(1);

    /// Stores bytes as the pieces of a video, and looks through it: what it is and all its bytes afterwards.
    pub async fn taken_in(bytes: &[u8]) -> Result<(&'static str, Vec<u8>), VideoError> {
        let files = Files::open("none").expect("memory");
        let mut file_ids = Vec::new();
        for (number, piece) in bytes.chunks(position(VIDEO_PIECE_BYTES)).enumerate() {
            let id = Id::of(100 + number as u128);
            let name = FileName::video_piece(SITTER, id);
            files
                .put(&name, Bytes::copy_from_slice(piece))
                .await
                .expect("kept");
            file_ids.push(id);
        }
        let mut pieces = Pieces::new(&files, SITTER, file_ids, bytes.len() as u64);
        let inspected = match inspect(&mut pieces).await {
            Ok(inspected) => inspected,
            Err(Fault::Refused(error)) => return Err(error),
            Err(Fault::Unreadable(error)) => panic!("{error}"),
        };
        let mut after = bytes.to_vec();
        for number in 0..n_pieces(bytes.len() as u64) {
            let changed = blanked(&mut pieces, number, &inspected.blanks).await;
            if let Some(piece) = changed.expect("readable") {
                let begins = position(number * VIDEO_PIECE_BYTES);
                after[begins..begins + piece.len()].copy_from_slice(&piece);
            }
        }
        Ok((inspected.media_type, after))
    }

    #[test]
    fn blanks_are_in_order_and_apart_and_within_the_video() {
        let blank = |at, length| Blank {
            at,
            length,
            head: vec![7],
        };
        let blanks = vec![blank(50, 100), blank(0, 10), blank(5, 10), blank(5, 2)];
        let found = apart(blanks, 100);
        let places: Vec<_> = found
            .iter()
            .map(|it| (it.at, it.length, it.head.len()))
            .collect();
        assert_eq!(places, [(0, 10, 1), (10, 5, 0), (50, 50, 1)]);
    }

    #[tokio::test]
    async fn what_begins_like_no_video_is_none() {
        for bytes in [
            &b"<html>"[..],
            b"",
            b"GIF89a",
            b"\0\0\0\x18ftyp",
            &webm::EBML,
        ] {
            assert!(taken_in(bytes).await.is_err(), "{bytes:?}");
        }
    }
}
