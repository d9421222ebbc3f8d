//! Reads WebM (RFC 8794, RFC 9559): elements of a name, a length and what is in them. Those of tags and attachments become
//! `Void` ones.

use walkies_core::rules::video::VideoError;

use super::{Blank, Fault, Inspected, Pieces};

/// How it begins.
pub(super) const EBML: [u8; 4] = [0x1A, 0x45, 0xDF, 0xA3];
const DOC_TYPE: u64 = 0x4282;
const SEGMENT: u64 = 0x1853_8067;
const CLUSTER: u64 = 0x1F43_B675;
const TRACKS: u64 = 0x1654_AE6B;
const TRACK: u64 = 0xAE;
const TRACK_TYPE: u64 = 0x83;
const PICTURES: u8 = 1;
const TAGS: u64 = 0x1254_C367;
const ATTACHMENTS: u64 = 0x1941_A469;
const VOID: u8 = 0xEC;

/// The most bytes in the element that begins a file, and in the one that describes the tracks.
const MAX_PART_BYTES: u64 = 1024 * 1024;
/// A recording that was never finished has one for each picture and each bit of sound: of 100 MB a fraction of this.
const MAX_ELEMENTS: usize = 2_000_000;

/// After so many whoever else waits for this worker has a turn.
const ELEMENTS_AT_ONCE: usize = 10_000;

/// An element's name and the lengths of its parts.
#[derive(Clone, Copy, Debug)]
struct Element {
    id: u64,
    /// How long its name and its length are.
    head: u64,
    /// How long what is in it is; none where that is known only when it ends.
    length: Option<u64>,
}

impl Element {
    fn read(bytes: &[u8]) -> Result<Self, VideoError> {
        let (id, of_id) = number(bytes, false).ok_or(VideoError::Damaged)?;
        let rest = bytes.get(of_id..).unwrap_or_default();
        let (length, of_length) = number(rest, true).ok_or(VideoError::Damaged)?;
        let unknown = (1 << (7 * of_length)) - 1;
        Ok(Self {
            id,
            head: (of_id + of_length) as u64,
            length: (length != unknown).then_some(length),
        })
    }
}

/// A number whose first byte says by its leading zeros how many more follow, with or without the bit that ends those; and
/// how many bytes it has.
fn number(bytes: &[u8], is_length: bool) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    let n = first.leading_zeros() as usize + 1;
    let most = if is_length { 8 } else { 4 };
    if most < n {
        return None;
    }
    let mut value = u64::from(first);
    if is_length {
        value &= (1 << (8 - n)) - 1;
    }
    for byte in bytes.get(1..n)? {
        value = value << 8 | u64::from(*byte);
    }
    Some((value, n))
}

/// The elements that these bytes are, each with what is in it.
fn elements(mut bytes: &[u8]) -> Result<Vec<(u64, &[u8])>, VideoError> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let element = Element::read(bytes)?;
        let (_, rest) = split(bytes, element.head)?;
        let (content, rest) = split(rest, element.length.ok_or(VideoError::Damaged)?)?;
        found.push((element.id, content));
        bytes = rest;
    }
    Ok(found)
}

fn split(bytes: &[u8], at: u64) -> Result<(&[u8], &[u8]), VideoError> {
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    bytes.split_at_checked(at).ok_or(VideoError::Damaged)
}

/// Looks through a file.
pub(super) async fn inspect(pieces: &mut Pieces<'_>) -> Result<Inspected, Fault> {
    let mut blanks = Vec::new();
    let mut has_pictures = false;
    let (mut at, mut n_elements) = (0, 0);
    while at < pieces.size_bytes {
        n_elements += 1;
        if MAX_ELEMENTS < n_elements {
            return Err(VideoError::Damaged.into());
        }
        if n_elements.is_multiple_of(ELEMENTS_AT_ONCE) {
            tokio::task::yield_now().await;
        }
        let element = Element::read(&pieces.read(at, 12).await?)?;
        let begins = at + element.head;
        // What is in these comes next; where a cluster of unknown length ends makes no difference here.
        if element.id == SEGMENT || (element.id == CLUSTER && element.length.is_none()) {
            at = begins;
            continue;
        }
        let length = element.length.ok_or(VideoError::Damaged)?;
        let ends = begins.checked_add(length);
        let ends = ends.filter(|it| *it <= pieces.size_bytes);
        let ends = ends.ok_or(VideoError::Damaged)?;
        match element.id {
            id if at == 0 || id == TRACKS => {
                if MAX_PART_BYTES < length {
                    return Err(VideoError::Damaged.into());
                }
                let bytes = pieces.read(begins, length).await?;
                let inner = elements(&bytes)?;
                if at == 0 {
                    let is_webm = |it: &(u64, &[u8])| it.0 == DOC_TYPE && it.1.starts_with(b"webm");
                    if !inner.iter().any(is_webm) {
                        return Err(VideoError::Unsupported.into());
                    }
                } else {
                    for (_, track) in inner.into_iter().filter(|it| it.0 == TRACK) {
                        let fields = elements(track)?;
                        has_pictures |= fields.contains(&(TRACK_TYPE, &[PICTURES]));
                    }
                }
            }
            TAGS | ATTACHMENTS => blanks.push(void(at, ends - at)),
            _ => {}
        }
        at = ends;
    }
    if !has_pictures {
        return Err(VideoError::Damaged.into());
    }
    Ok(Inspected {
        media_type: "video/webm",
        blanks,
    })
}

/// An element of the same length that says nothing.
fn void(at: u64, length: u64) -> Blank {
    // One byte of name, and one of length where that is enough: what is left of nine is never negative.
    let head = match u8::try_from(length) {
        Ok(short) if short < 2 + 126 => vec![VOID, 0x80 | (short - 2)],
        _ => {
            let rest = (length - 9).to_be_bytes();
            let mut head = vec![VOID, 0x01];
            head.extend(rest.iter().skip(1));
            head
        }
    };
    Blank { at, length, head }
}

#[cfg(test)]
mod tests {
    use super::super::tests::taken_in;
    use super::*;

    fn element(id: u64, content: &[&[u8]]) -> Vec<u8> {
        let content = content.concat();
        let length = 0x1000_0000 | u32::try_from(content.len()).unwrap();
        [&name(id), &length.to_be_bytes()[..], &content].concat()
    }

    fn name(id: u64) -> Vec<u8> {
        let bytes = id.to_be_bytes();
        let zeros = bytes.iter().take_while(|it| **it == 0).count();
        bytes[zeros..].to_vec()
    }

    fn endless(id: u64, content: &[&[u8]]) -> Vec<u8> {
        let unknown = [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
        [&name(id), &unknown[..], &content.concat()].concat()
    }

    fn beginning(doc_type: &[u8]) -> Vec<u8> {
        element(0x1A45_DFA3, &[&element(DOC_TYPE, &[doc_type])])
    }

    fn tracks(kind: u8) -> Vec<u8> {
        element(
            TRACKS,
            &[&element(TRACK, &[&element(TRACK_TYPE, &[&[kind]])])],
        )
    }

    const PLACE: &[u8] = b"+59.3293+018.0686/";

    fn knows_place(bytes: &[u8]) -> bool {
        bytes.windows(PLACE.len()).any(|it| it == PLACE)
    }

    #[tokio::test]
    async fn tags_are_overwritten_and_nothing_moves() {
        let long = [PLACE, &[b' '; 600]].concat();
        let parts = [
            &tracks(1)[..],
            &element(TAGS, &[PLACE]),
            &element(CLUSTER, &[&element(0xA3, &[&[5; 1_000]])]),
            &element(ATTACHMENTS, &[&long]),
            &element(TAGS, &[]),
        ];
        let whole = [beginning(b"webm"), element(SEGMENT, &parts)].concat();
        let recorded = [beginning(b"webm"), endless(SEGMENT, &parts)].concat();
        for file in [whole, recorded] {
            let (media_type, after) = taken_in(&file).await.unwrap();
            assert_eq!((media_type, after.len()), ("video/webm", file.len()));
            assert!(knows_place(&file) && !knows_place(&after));
            assert_eq!(after.iter().filter(|it| **it == 5).count(), 1_000);
            assert_eq!(taken_in(&after).await.unwrap().1, after);
        }
    }

    #[tokio::test]
    async fn clusters_of_a_recording_have_no_length() {
        let block = element(0xA3, &[&[5; 100]]);
        let cluster = endless(CLUSTER, &[&element(0xE7, &[&[1]]), &block, &block]);
        let parts: [&[u8]; 4] = [&tracks(1), &cluster, &cluster, &element(TAGS, &[PLACE])];
        let file = [beginning(b"webm"), endless(SEGMENT, &parts)].concat();
        assert!(!knows_place(&taken_in(&file).await.unwrap().1));
    }

    #[tokio::test]
    async fn other_files_of_the_same_beginning_are_none() {
        let segment = |kind| endless(SEGMENT, &[&tracks(kind)]);
        let matroska = [beginning(b"matroska"), segment(1)].concat();
        assert_eq!(taken_in(&matroska).await, Err(VideoError::Unsupported));
        let sound = [beginning(b"webm"), segment(2)].concat();
        assert_eq!(taken_in(&sound).await, Err(VideoError::Damaged));
        let whole = [beginning(b"webm"), segment(1)].concat();
        assert!(taken_in(&whole).await.is_ok());
        for cut in 1..tracks(1).len() {
            let part = &whole[..whole.len() - cut];
            assert_eq!(taken_in(part).await, Err(VideoError::Damaged), "{cut}");
        }
    }
}
