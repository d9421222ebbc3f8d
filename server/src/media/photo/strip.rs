//! Takes from an uploaded file what makes its picture and leaves the rest: no decoder ever sees a text, a preview or a
//! place. On the way it reads how much work a decoder would have, and the color profile.

use image::metadata::Orientation;
use walkies_core::rules::photo::PhotoError as PhotoRefusal;

use super::PhotoError;

/// Parts of a progressive picture: cameras and programs write some ten, those who crunch files up to thirty.
const MAX_SCANS: usize = 50;
/// A sequential picture has each of its at most four planes once.
const MAX_SEQUENTIAL_SCANS: usize = 4;
/// Quantization and Huffman tables take less than 2 kB, and each scan may bring some.
const MAX_TABLE_BYTES: usize = 128 * 1024;

/// ICC profiles of phones, cameras and screens have up to a few thousand bytes; larger ones are those of printers.
pub const MAX_PROFILE_BYTES: usize = 64 * 1024;

/// The frame header of a JPEG, with what its scans say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JpegFrame {
    pub width: u16,
    pub height: u16,
    pub is_progressive: bool,
    pub planes: Vec<Plane>,
}

/// A plane of a JPEG: brightness or one of two colors, or an ink.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    id: u8,
    /// How finely it is sampled, of 1 to 4.
    pub across: u8,
    pub down: u8,
    /// A bit for each of the 64 coefficients of its blocks, set once the scans have given it to its last bit.
    scanned: u64,
}

impl Plane {
    /// Returns true if the scans have given all of it.
    pub fn is_whole(&self) -> bool {
        self.scanned == u64::MAX
    }
}

impl JpegFrame {
    /// A scan tells coefficients of some planes (ITU T.81, B.2.3).
    fn read_scan(&mut self, header: &[u8]) -> Option<()> {
        let (count, rest) = header.split_first()?;
        let (planes, rest) = rest.split_at_checked(2 * usize::from(*count))?;
        let [from, to @ ..=63, bits] = rest else {
            return None;
        };
        let is_last_bit = bits & 0xf == 0;
        let is_meant = |it: &Plane| planes.chunks_exact(2).any(|plane| plane[0] == it.id);
        for plane in self
            .planes
            .iter_mut()
            .filter(|it| is_last_bit && is_meant(it))
        {
            plane.scanned |= (*from..=*to).fold(0, |scanned, it| scanned | 1 << it);
        }
        Some(())
    }
}

/// A JPEG that has nothing left but its picture.
pub struct Jpeg {
    pub bytes: Vec<u8>,
    pub frame: JpegFrame,
    pub orientation: Orientation,
    /// ICC profile of its colors.
    pub profile: Option<Vec<u8>>,
}

/// A PNG that has nothing left but its picture.
pub struct Png {
    pub bytes: Vec<u8>,
    pub width: u32,
    pub height: u32,
    pub orientation: Orientation,
}

/// Strips a JPEG. Decoders fill in what is missing of one with grey, so that half of an upload would be kept as a whole
/// photo: it has to have its end. What follows that, such as a second picture, is no part of it.
pub fn jpeg(sent: &[u8]) -> Result<Jpeg, PhotoError> {
    let mut bytes = Vec::with_capacity(sent.len());
    bytes.extend([0xff, 0xd8]);
    let (mut frame, mut orientation) = (None, None);
    let (mut scans, mut table_bytes) = (0, 0);
    let mut profile: Option<Vec<u8>> = None;
    let mut at = 2;
    loop {
        let &[0xff, marker] = part(sent, at, 2)? else {
            return Err(PhotoError::Damaged);
        };
        match marker {
            // Bytes of 0xff may stand before a marker to fill up.
            0xff => {
                at += 1;
                continue;
            }
            // Some programs end a scan with a restart.
            0xd0..=0xd7 => {
                at += 2;
                continue;
            }
            0xd9 => break,
            _ => {}
        }
        let segment = jpeg_segment(sent, at)?;
        let content = segment.get(4..).unwrap_or_default();
        at += segment.len();
        match marker {
            // Baseline, extended and progressive, all with Huffman codes.
            0xc0..=0xc2 if frame.is_none() => {
                frame = Some(read_frame(content, marker == 0xc2)?);
                bytes.extend_from_slice(segment);
            }
            0xc4 | 0xdb => {
                table_bytes += segment.len();
                bytes.extend_from_slice(segment);
            }
            // What says how colors are to be read (JFIF, Adobe), and how often a scan restarts.
            0xdd | 0xe0 | 0xee => bytes.extend_from_slice(segment),
            0xda => {
                scans += 1;
                let known = frame
                    .as_mut()
                    .and_then(|it: &mut JpegFrame| it.read_scan(content));
                known.ok_or(PhotoError::Damaged)?;
                let end = at + scan_length(sent.get(at..).unwrap_or_default());
                bytes.extend_from_slice(segment);
                bytes.extend_from_slice(sent.get(at..end).unwrap_or_default());
                at = end;
            }
            0xe1 if orientation.is_none() => {
                let exif = content.strip_prefix(b"Exif\0\0");
                orientation = exif.and_then(Orientation::from_exif_chunk);
            }
            0xe2 => {
                if let Some(piece) = icc_piece(content) {
                    let profile = profile.get_or_insert_default();
                    if profile.len() <= MAX_PROFILE_BYTES {
                        profile.extend_from_slice(piece);
                    }
                }
            }
            0xe1..=0xef | 0xfe => {}
            _ => return Err(PhotoError::Damaged),
        }
        let most = match &frame {
            Some(it) if it.is_progressive => MAX_SCANS,
            _ => MAX_SEQUENTIAL_SCANS,
        };
        if most < scans || MAX_TABLE_BYTES < table_bytes {
            return Err(PhotoRefusal::TooLarge.into());
        }
    }
    bytes.extend([0xff, 0xd9]);
    match frame {
        Some(frame) if 0 < scans => Ok(Jpeg {
            bytes,
            frame,
            orientation: orientation.unwrap_or(Orientation::NoTransforms),
            profile: profile.filter(|it| it.len() <= MAX_PROFILE_BYTES),
        }),
        _ => Err(PhotoError::Damaged),
    }
}

/// A piece of a profile (ICC.1, B.4): behind its name stand its number and how many there are, in order in every file that
/// is met.
fn icc_piece(content: &[u8]) -> Option<&[u8]> {
    content.strip_prefix(b"ICC_PROFILE\0")?.get(2..)
}

fn part(bytes: &[u8], at: usize, length: usize) -> Result<&[u8], PhotoError> {
    bytes.get(at..at + length).ok_or(PhotoError::Damaged)
}

/// A marker with its length and what it has.
fn jpeg_segment(sent: &[u8], at: usize) -> Result<&[u8], PhotoError> {
    let &[_, _, high, low] = part(sent, at, 4)? else {
        return Err(PhotoError::Damaged);
    };
    let length = usize::from(u16::from_be_bytes([high, low]));
    if length < 2 {
        return Err(PhotoError::Damaged);
    }
    part(sent, at, 2 + length)
}

fn read_frame(content: &[u8], is_progressive: bool) -> Result<JpegFrame, PhotoError> {
    let [_, h1, h0, w1, w0, count, planes @ ..] = content else {
        return Err(PhotoError::Damaged);
    };
    let planes: Vec<_> = planes
        .chunks_exact(3)
        .map(|it| Plane {
            id: it[0],
            across: it[1] >> 4,
            down: it[1] & 0xf,
            scanned: 0,
        })
        .collect();
    let frame = JpegFrame {
        width: u16::from_be_bytes([*w1, *w0]),
        height: u16::from_be_bytes([*h1, *h0]),
        is_progressive,
        planes,
    };
    let is_sampled = |it: &Plane| (1..=4).contains(&it.across) && (1..=4).contains(&it.down);
    let is_whole = usize::from(*count) == frame.planes.len()
        && (1..=4).contains(count)
        && frame.planes.iter().all(is_sampled)
        && 0 < frame.width
        && 0 < frame.height;
    is_whole.then_some(frame).ok_or(PhotoError::Damaged)
}

/// How long the data of a scan is: inside it a byte of 0xff is followed by 0, by a restart or by another one
/// (ITU T.81, B.1.1.5).
fn scan_length(data: &[u8]) -> usize {
    let is_end =
        |pair: &[u8]| matches!(pair, &[0xff, next] if !matches!(next, 0 | 0xff | 0xd0..=0xd7));
    data.windows(2).position(is_end).unwrap_or(data.len())
}

/// Strips a PNG. Where it ends too early the decoder finds out.
pub fn png(sent: &[u8]) -> Result<Png, PhotoError> {
    const SIGNATURE: usize = 8;
    let mut bytes = Vec::with_capacity(sent.len());
    bytes.extend_from_slice(part(sent, 0, SIGNATURE)?);
    let header = part(sent, SIGNATURE, 25)?;
    let &[
        0,
        0,
        0,
        13,
        b'I',
        b'H',
        b'D',
        b'R',
        w3,
        w2,
        w1,
        w0,
        h3,
        h2,
        h1,
        h0,
        ..,
    ] = header
    else {
        return Err(PhotoError::Damaged);
    };
    bytes.extend_from_slice(header);
    let mut orientation = None;
    let mut at = SIGNATURE + header.len();
    while let Some(&[l3, l2, l1, l0, a, b, c, d]) = sent.get(at..at + 8) {
        // Four bytes each for length, kind and checksum.
        let length = 12 + u32::from_be_bytes([l3, l2, l1, l0]) as usize;
        let Some(chunk) = sent.get(at..at + length) else {
            break;
        };
        match &[a, b, c, d] {
            b"PLTE" | b"tRNS" | b"IDAT" | b"IEND" => bytes.extend_from_slice(chunk),
            // Packed it is smaller still, and the decoder unpacks no more than its bound.
            b"iCCP" if length <= MAX_PROFILE_BYTES => bytes.extend_from_slice(chunk),
            b"eXIf" if orientation.is_none() => {
                let exif = chunk.get(8..length - 4).unwrap_or_default();
                orientation = Orientation::from_exif_chunk(exif);
            }
            _ => {}
        }
        at += length;
    }
    Ok(Png {
        bytes,
        width: u32::from_be_bytes([w3, w2, w1, w0]),
        height: u32::from_be_bytes([h3, h2, h1, h0]),
        orientation: orientation.unwrap_or(Orientation::NoTransforms),
    })
}
