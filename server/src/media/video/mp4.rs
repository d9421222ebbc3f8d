//! Reads MP4 and QuickTime (ISO/IEC 14496-12): boxes of a length, a name and what is in them. Boxes of metadata become
//! `free` ones, and so does every track that is neither picture nor sound, with its samples: cameras write down there
//! where they are.

use walkies_core::rules::video::VideoError;

use super::{Blank, Fault, Inspected, Pieces, position};

/// The most bytes of a movie or a fragment without its samples. A video of 100 MB is far below this: 20 bytes for each
/// picture.
const MAX_MOVIE_BYTES: u64 = 8 * 1024 * 1024;
/// A recording in fragments has a dozen for each, and one or two of these a second.
const MAX_BOXES: usize = 100_000;
/// The most chunks of samples that are overwritten in a track: one of positions has at most some tens a second.
const MAX_CHUNKS: usize = 100_000;
/// Tracks are two deep, and what they say of their samples four.
const MAX_DEPTH: usize = 8;
/// Those of the file itself that players need or that say nothing.
const PLAIN: [&[u8; 4]; 13] = [
    b"ftyp", b"styp", b"moov", b"mdat", b"moof", b"mfra", b"sidx", b"ssix", b"prft", b"emsg",
    b"free", b"skip", b"wide",
];
/// Those within a movie or a fragment that have others in them.
const CONTAINERS: [&[u8; 4]; 6] = [b"trak", b"mdia", b"minf", b"stbl", b"mvex", b"traf"];
/// Those that say where, when and by whom it was taken.
const METADATA: [&[u8; 4]; 6] = [b"udta", b"meta", b"uuid", b"XMP_", b"loci", b"\xa9xyz"];

/// The place of a box in the file, and its name.
#[derive(Clone, Copy, Debug)]
struct BoxAt {
    kind: [u8; 4],
    at: u64,
    /// Bytes of its head: the length and the name.
    head: u64,
    /// The length of the whole box, with its head.
    length: u64,
}

impl BoxAt {
    /// The box whose head this is, at a place from which on there is `room`.
    fn read(head: &[u8], at: u64, room: u64) -> Result<Self, VideoError> {
        let short = u64::from(u32_at(head, 0).ok_or(VideoError::Damaged)?);
        let kind = head.get(4..8).and_then(|it| it.try_into().ok());
        let kind = kind.ok_or(VideoError::Damaged)?;
        let (head, length) = match short {
            // Up to the end of whatever it is in.
            0 => (8, room),
            1 => (16, u64_at(head, 8).ok_or(VideoError::Damaged)?),
            _ => (8, short),
        };
        if length < head || room < length {
            return Err(VideoError::Damaged);
        }
        Ok(Self {
            kind,
            at,
            head,
            length,
        })
    }

    fn is(&self, kinds: &[&[u8; 4]]) -> bool {
        kinds.contains(&&self.kind)
    }

    /// A box of the same length that says nothing.
    fn blank(&self) -> Blank {
        let mut head = u32::try_from(self.length)
            .unwrap_or(1)
            .to_be_bytes()
            .to_vec();
        head.extend(b"free");
        if u32::try_from(self.length).is_err() {
            head.extend(self.length.to_be_bytes());
        }
        Blank {
            at: self.at,
            length: self.length,
            head,
        }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_be_bytes(bytes.try_into().ok()?))
}

/// Looks through a file.
pub(super) async fn inspect(pieces: &mut Pieces<'_>) -> Result<Inspected, Fault> {
    let mut blanks = Vec::new();
    let (mut is_quicktime, mut has_pictures) = (false, false);
    let (mut at, mut n_boxes) = (0, 0);
    while at < pieces.size_bytes {
        n_boxes += 1;
        if MAX_BOXES < n_boxes {
            return Err(VideoError::Damaged.into());
        }
        let head = pieces.read(at, 16).await?;
        let found = BoxAt::read(&head, at, pieces.size_bytes - at)?;
        at += found.length;
        match &found.kind {
            b"ftyp" => is_quicktime = head.get(8..12) == Some(b"qt  "),
            b"moov" | b"moof" => {
                if MAX_MOVIE_BYTES < found.length {
                    return Err(VideoError::Damaged.into());
                }
                let bytes = pieces.read(found.at, found.length).await?;
                let mut movie = Movie {
                    bytes: &bytes,
                    at: found.at,
                    blanks: &mut blanks,
                    has_pictures: &mut has_pictures,
                    n_boxes: &mut n_boxes,
                };
                movie.walk(found.head, found.length, 0)?;
            }
            _ if !found.is(&PLAIN) => blanks.push(found.blank()),
            _ => {}
        }
    }
    if !has_pictures {
        return Err(VideoError::Damaged.into());
    }
    Ok(Inspected {
        media_type: if is_quicktime {
            "video/quicktime"
        } else {
            "video/mp4"
        },
        blanks,
    })
}

/// A movie or a fragment of one; places are counted from its beginning.
struct Movie<'a> {
    bytes: &'a [u8],
    /// Its place in the file.
    at: u64,
    blanks: &'a mut Vec<Blank>,
    has_pictures: &'a mut bool,
    /// The number of boxes in the whole file so far.
    n_boxes: &'a mut usize,
}

impl<'a> Movie<'a> {
    fn walk(&mut self, from: u64, to: u64, depth: usize) -> Result<(), VideoError> {
        if MAX_DEPTH < depth {
            return Err(VideoError::Damaged);
        }
        for found in self.boxes(from, to)? {
            if found.is(&METADATA) {
                self.blank(found);
            } else if found.is(&[b"trak"]) {
                self.track(found, depth)?;
            } else if found.is(&CONTAINERS) {
                self.walk(found.at + found.head, found.at + found.length, depth + 1)?;
            }
        }
        Ok(())
    }

    fn boxes(&mut self, from: u64, to: u64) -> Result<Vec<BoxAt>, VideoError> {
        let (mut found, mut at) = (Vec::new(), from);
        // QuickTime ends some lists with four bytes of zero.
        while at + 8 <= to {
            let rest = self.bytes.get(position(at)..position(to));
            let next = BoxAt::read(rest.ok_or(VideoError::Damaged)?, at, to - at)?;
            at += next.length;
            *self.n_boxes += 1;
            if MAX_BOXES < *self.n_boxes {
                return Err(VideoError::Damaged);
            }
            found.push(next);
        }
        Ok(found)
    }

    fn blank(&mut self, found: BoxAt) {
        let mut blank = found.blank();
        blank.at += self.at;
        self.blanks.push(blank);
    }

    /// The box to which these names lead from within another one.
    fn find(&mut self, outer: BoxAt, names: &[&[u8; 4]]) -> Result<Option<BoxAt>, VideoError> {
        let mut inner = outer;
        for name in names {
            let boxes = self.boxes(inner.at + inner.head, inner.at + inner.length)?;
            match boxes.into_iter().find(|it| it.is(&[name])) {
                Some(found) => inner = found,
                None => return Ok(None),
            }
        }
        Ok(Some(inner))
    }

    /// Returns the bytes of a box without its head.
    fn content(&self, found: BoxAt) -> &'a [u8] {
        let (from, to) = (found.at + found.head, found.at + found.length);
        self.bytes
            .get(position(from)..position(to))
            .unwrap_or_default()
    }

    fn track(&mut self, track: BoxAt, depth: usize) -> Result<(), VideoError> {
        let handler = self.find(track, &[b"mdia", b"hdlr"])?;
        let handler = handler.and_then(|it| self.content(it).get(8..12));
        match handler {
            Some(b"vide") => *self.has_pictures = true,
            Some(b"soun") => {}
            _ => {
                if let Some(table) = self.find(track, &[b"mdia", b"minf", b"stbl"])? {
                    self.blank_samples(table)?;
                }
                self.blank(track);
                return Ok(());
            }
        }
        self.walk(track.at + track.head, track.at + track.length, depth + 1)
    }

    /// Overwrites what a track says, which lies in chunks somewhere in the file.
    fn blank_samples(&mut self, table: BoxAt) -> Result<(), VideoError> {
        let mut part = |name| -> Result<&[u8], VideoError> {
            let found = self.find(table, &[name])?;
            Ok(found.map(|it| self.content(it)).unwrap_or_default())
        };
        let (sizes, chunks, wide) = (part(b"stsz")?, part(b"stco")?, part(b"co64")?);
        let runs = part(b"stsc")?;
        let same_size = u32_at(sizes, 4).unwrap_or_default();
        let chunk_at = |n: usize| match wide.is_empty() {
            true => u32_at(chunks, 8 + 4 * n).map(u64::from),
            false => u64_at(wide, 8 + 8 * n),
        };
        let (mut chunk, mut run, mut sample) = (0, 0, 0);
        while let Some(at) = chunk_at(chunk) {
            if MAX_CHUNKS <= chunk {
                return Err(VideoError::Damaged);
            }
            // The last run that begins at this chunk, counted from 1, or before.
            while u32_at(runs, 8 + 12 * (run + 1)).is_some_and(|it| it as usize <= chunk + 1) {
                run += 1;
            }
            let samples = u32_at(runs, 12 + 12 * run).unwrap_or_default();
            let length = if same_size == 0 {
                let table = sizes.get(12 + 4 * sample..).unwrap_or_default();
                let (each, _) = table.as_chunks::<4>();
                let of_chunk = each.iter().take(samples as usize);
                of_chunk.map(|it| u64::from(u32::from_be_bytes(*it))).sum()
            } else {
                u64::from(same_size) * u64::from(samples)
            };
            sample = sample.saturating_add(samples as usize).min(sizes.len());
            self.blanks.push(Blank {
                at,
                length,
                head: Vec::new(),
            });
            chunk += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::taken_in;
    use super::*;

    fn boxed(kind: &[u8; 4], content: &[&[u8]]) -> Vec<u8> {
        let content = content.concat();
        let length = u32::try_from(8 + content.len()).unwrap().to_be_bytes();
        [&length[..], kind, &content].concat()
    }

    fn track(handler: &[u8; 4], more: &[&[u8]]) -> Vec<u8> {
        let hdlr = boxed(b"hdlr", &[&[0; 8], handler, &[0; 13]]);
        let stbl = boxed(b"stbl", more);
        let minf = boxed(b"minf", &[&stbl]);
        let mdia = boxed(b"mdia", &[&hdlr, &minf]);
        boxed(b"trak", &[&mdia])
    }

    const PLACE: &[u8] = b"+59.3293+018.0686/";

    fn knows_place(bytes: &[u8]) -> bool {
        bytes.windows(PLACE.len()).any(|it| it == PLACE)
    }

    #[tokio::test]
    async fn where_it_was_taken_is_overwritten_and_nothing_moves() {
        let ftyp = boxed(b"ftyp", &[b"isom\0\0\0\0"]);
        let xyz = boxed(b"\xa9xyz", &[PLACE]);
        let udta = boxed(b"udta", &[&xyz, &[0; 4]]);
        let meta = boxed(b"meta", &[b"com.apple.quicktime.location.ISO6709", PLACE]);
        let loci = boxed(b"loci", &[PLACE]);
        let mut video = track(b"vide", &[]);
        video.extend(&udta);
        let length = u32::try_from(video.len()).unwrap().to_be_bytes();
        video[..4].copy_from_slice(&length);
        let moov = boxed(
            b"moov",
            &[&video, &track(b"soun", &[]), &udta, &meta, &loci],
        );
        let mdat = boxed(b"mdat", &[&vec![9; 700_000]]);
        let uuid = boxed(b"uuid", &[PLACE]);
        let file = [ftyp, mdat.clone(), moov, uuid].concat();
        assert!(knows_place(&file));
        let (media_type, after) = taken_in(&file).await.unwrap();
        assert_eq!(media_type, "video/mp4");
        assert_eq!(after.len(), file.len());
        assert!(!knows_place(&after));
        assert!(after.windows(mdat.len()).any(|it| it == mdat));
        // Once more there is nothing to do.
        assert_eq!(taken_in(&after).await.unwrap().1, after);
    }

    #[tokio::test]
    async fn a_track_of_positions_goes_with_its_samples() {
        let ftyp = boxed(b"ftyp", &[b"qt  \0\0\0\0"]);
        let mdat = boxed(b"mdat", &[&[7; 40], PLACE, &[7; 40], PLACE, &[7; 40]]);
        let begins = u32::try_from(ftyp.len() + 8).unwrap();
        let number = |n: u32| n.to_be_bytes();
        let length = u32::try_from(PLACE.len()).unwrap();
        let chunks = [40, 80 + length].map(|it| number(begins + it)).concat();
        let for_each = |size: u32, sizes: &[u8]| {
            let stco = boxed(b"stco", &[&[0; 4], &number(2), &chunks]);
            let runs = [1, 1, 1].map(number).concat();
            let stsc = boxed(b"stsc", &[&[0; 4], &number(1), &runs]);
            let stsz = boxed(b"stsz", &[&[0; 4], &number(size), &number(2), sizes]);
            let positions = track(b"meta", &[&stco, &stsc, &stsz]);
            let moov = boxed(b"moov", &[&track(b"vide", &[]), &positions]);
            [ftyp.clone(), mdat.clone(), moov].concat()
        };
        let sizes = [length, length].map(number).concat();
        for file in [for_each(length, &[]), for_each(0, &sizes)] {
            let (media_type, after) = taken_in(&file).await.unwrap();
            assert_eq!(media_type, "video/quicktime");
            assert!(knows_place(&file) && !knows_place(&after));
            assert_eq!(after.iter().filter(|it| **it == 7).count(), 120);
        }
    }

    #[tokio::test]
    async fn a_file_that_is_cut_off_or_has_no_pictures_is_damaged() {
        let ftyp = boxed(b"ftyp", &[b"isom\0\0\0\0"]);
        let moov = boxed(b"moov", &[&track(b"vide", &[])]);
        let whole = [ftyp.clone(), moov.clone()].concat();
        assert!(taken_in(&whole).await.is_ok());
        for cut in 1..moov.len() {
            let part = &whole[..whole.len() - cut];
            assert_eq!(taken_in(part).await, Err(VideoError::Damaged), "{cut}");
        }
        let sound = boxed(b"moov", &[&track(b"soun", &[])]);
        let sound = [ftyp, sound].concat();
        assert_eq!(taken_in(&sound).await, Err(VideoError::Damaged));
    }

    #[tokio::test]
    async fn boxes_in_boxes_without_an_end_are_damaged() {
        let ftyp = boxed(b"ftyp", &[b"isom\0\0\0\0"]);
        let film = track(b"vide", &[]);
        let mut deep = Vec::new();
        for _ in 0..300_000 {
            deep.extend(b"mdia\0\0\0\0");
        }
        // Each has a length of nought: up to the end of the one around it.
        deep.rotate_right(4);
        let many = boxed(b"skip", &[]).repeat(200_000);
        for more in [deep, many] {
            let file = [ftyp.clone(), boxed(b"moov", &[&film, &more])].concat();
            assert_eq!(taken_in(&file).await, Err(VideoError::Damaged));
        }
    }

    #[tokio::test]
    async fn whatever_the_numbers_in_it_say_it_comes_to_an_end() {
        let ftyp = boxed(b"ftyp", &[b"isom\0\0\0\0"]);
        let most = u32::MAX.to_be_bytes();
        let stco = boxed(b"stco", &[&[0; 8], &[0; 4_000]]);
        let stsc = boxed(b"stsc", &[&[0; 4], &most, &most, &most, &most]);
        let stsz = boxed(b"stsz", &[&[0; 4], &most, &most]);
        let endless = track(b"text", &[&stco, &stsc, &stsz]);
        let moov = boxed(b"moov", &[&track(b"vide", &[]), &endless]);
        let (_, after) = taken_in(&[ftyp, moov].concat()).await.unwrap();
        assert!(after.iter().all(|it| *it == 0), "its own doing");
    }
}
