//! Makes a photo that somebody sent into one that may be kept and shown: checked by its bytes, upright, of a sensible
//! size, without metadata. It takes a good part of a second of a processor and up to 100 MB: callers have permits for it
//! (`App::photo_permits_for`). It stores nothing.

#[cfg(test)]
mod bombs;
mod color;
mod decode;
mod shrink;
mod strip;

use std::panic::catch_unwind;

use color::to_srgb;
use decode::Decoded;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageFormat, ImageResult, RgbImage};
use shrink::{Shrink, within};
use thiserror::Error;
use walkies_core::rules::photo::{MAX_PHOTO_BYTES, PhotoError as PhotoRefusal};

/// The longer side of what is kept: sharp on a desktop screen and in an invoice's print.
const FULL_SIDE: u32 = 2048;
/// The longer side of what lists show: 96 px cards at three device pixels each.
const THUMB_SIDE: u32 = 320;
/// JPEG quality above which a photo gets no visibly better and only gets bigger.
const QUALITY: u8 = 82;

/// A photo that may be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SanitizedPhoto {
    /// JPEG, at most 2048 px a side.
    pub full: Vec<u8>,
    /// JPEG, at most 320 px a side.
    pub thumb: Vec<u8>,
}

/// The most pixels of a photo that the app sends, which makes it smaller before.
const MAX_APP_PIXELS: u64 = (FULL_SIDE * FULL_SIDE) as u64;

/// Returns true if a picture says that it has more pixels than those of the app, so that to decode it takes long. Nothing in
/// it is unpacked.
pub fn is_large(sent: &[u8]) -> bool {
    let (width, height) = match format_of(sent) {
        Ok(ImageFormat::Jpeg) => match strip::jpeg(sent) {
            Ok(it) => (it.frame.width.into(), it.frame.height.into()),
            Err(_) => return false,
        },
        Ok(_) => match strip::png(sent) {
            Ok(it) => (it.width, it.height),
            Err(_) => return false,
        },
        Err(_) => return false,
    };
    MAX_APP_PIXELS < u64::from(width) * u64::from(height)
}

/// Why a photo is turned down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PhotoError {
    /// No photo at all, too large a one, or another kind of file, by its bytes and whatever its name says.
    #[error(transparent)]
    Refused(#[from] PhotoRefusal),
    /// HEIC, of which the app makes a JPEG.
    #[error("HEIC photos are turned into JPEG on the phone. Please send a JPEG or PNG here.")]
    Heic,
    /// It begins like a picture and then is none, or ends too early. Only who decodes it can find that out.
    #[error("This photo is damaged. Please choose another one.")]
    Damaged,
}

/// Checks and rewrites a photo. No upload takes 100 MB of memory, whatever it claims to be.
pub fn sanitize(sent: impl AsRef<[u8]>) -> Result<SanitizedPhoto, PhotoError> {
    let Decoded {
        picture: mut full,
        orientation,
        profile,
    } = decode(sent)?;
    // After the resizing, too, when there are fewer pixels to convert.
    if let Some(profile) = profile {
        to_srgb(&mut full, &profile);
    }
    // After the resizing, when there are fewer pixels to turn.
    full.apply_orientation(orientation);
    let encoded = encode(&full).and_then(|bytes| {
        Ok(SanitizedPhoto {
            full: bytes,
            thumb: encode(&thumb(full))?,
        })
    });
    encoded.map_err(|_| PhotoError::Damaged)
}

/// As `sanitize`, for what may come from a Walkies: what it has written keeps its bytes, so that a photo that moves from one to
/// another, and on, stays as sharp as it is.
pub fn sanitize_again(sent: Vec<u8>) -> Result<SanitizedPhoto, PhotoError> {
    let most = FULL_SIDE as u16;
    let is_bare = strip::jpeg(&sent)
        .is_ok_and(|it| it.bytes == sent && it.frame.width <= most && it.frame.height <= most);
    let bare = is_bare.then(|| sent.clone());
    let mut photo = sanitize(sent)?;
    if let Some(bare) = bare.filter(|it| is_written_like(it, &photo.full)) {
        photo.full = bare;
    }
    Ok(photo)
}

/// Returns true if a JPEG is written as this one of ours, of the same size, in all but the picture itself.
fn is_written_like(sent: &[u8], own: &[u8]) -> bool {
    let scan = own.windows(2).position(|it| it == [0xff, 0xda]);
    let Some((head, own_head)) =
        scan.and_then(|at| Some((sent.get(..at + 2)?, own.get(..at + 2)?)))
    else {
        return false;
    };
    let rest = sent.get(head.len()..sent.len().saturating_sub(2));
    // One scan, and no other part behind it.
    let has_no_marker = |it: &[u8]| it.windows(2).all(|it| it[0] != 0xff || it[1] == 0);
    head == own_head && rest.is_some_and(has_no_marker)
}

/// Decodes an upload; the bytes that were sent are freed before the decoder begins.
fn decode(sent: impl AsRef<[u8]>) -> Result<Decoded, PhotoError> {
    let bytes = sent.as_ref();
    if bytes.is_empty() {
        return Err(PhotoRefusal::Missing.into());
    }
    if MAX_PHOTO_BYTES < u64::try_from(bytes.len()).unwrap_or(u64::MAX) {
        return Err(PhotoRefusal::TooLarge.into());
    }
    match format_of(bytes)? {
        ImageFormat::Jpeg => {
            let stripped = strip::jpeg(bytes)?;
            drop(sent);
            // The decoder asserts what no whole picture breaks; one that does is damaged.
            let decoded = catch_unwind(|| decode::jpeg(stripped, FULL_SIDE));
            decoded.unwrap_or(Err(PhotoError::Damaged))
        }
        _ => {
            let stripped = strip::png(bytes)?;
            drop(sent);
            decode::png(stripped, FULL_SIDE)
        }
    }
}

fn format_of(bytes: &[u8]) -> Result<ImageFormat, PhotoError> {
    if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        Ok(ImageFormat::Jpeg)
    } else if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Ok(ImageFormat::Png)
    } else if is_heic(bytes) {
        Err(PhotoError::Heic)
    } else {
        Err(PhotoRefusal::Unsupported.into())
    }
}

/// By its brand, behind the length of a box (ISO/IEC 23008-12, annex B).
fn is_heic(bytes: &[u8]) -> bool {
    let brand = bytes.get(4..12).and_then(|it| it.strip_prefix(b"ftyp"));
    let brands = [
        b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1",
    ];
    brand.is_some_and(|brand| brands.iter().any(|it| it.as_slice() == brand))
}

fn thumb(picture: DynamicImage) -> DynamicImage {
    let size = (picture.width(), picture.height());
    let to = within(THUMB_SIDE, size);
    let picture = picture.into_rgb8();
    let mut shrink = Shrink::new(size, to);
    for row in picture.chunks_exact(3 * size.0 as usize) {
        shrink.push(row);
    }
    RgbImage::from_raw(to.0, to.1, shrink.finish())
        .unwrap_or_default()
        .into()
}

fn encode(picture: &DynamicImage) -> ImageResult<Vec<u8>> {
    let mut bytes = Vec::new();
    picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, QUALITY))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{GenericImageView, Rgba, RgbaImage};
    use std::io::Cursor;

    const RED: [u8; 3] = [220, 20, 20];
    const BLUE: [u8; 3] = [20, 20, 220];

    /// Red on the left, blue on the right.
    fn two_halves(width: u32, height: u32) -> DynamicImage {
        let color = |x| image::Rgb(if x < width / 2 { RED } else { BLUE });
        DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, _| color(x)))
    }

    fn jpeg(width: u32, height: u32) -> Vec<u8> {
        encode(&two_halves(width, height)).expect("a JPEG")
    }

    fn png(picture: &DynamicImage) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        picture
            .write_to(&mut bytes, ImageFormat::Png)
            .expect("a PNG");
        bytes.into_inner()
    }

    #[test]
    fn a_picture_is_large_by_the_size_that_it_says() {
        let long = two_halves(2_100, 2_000);
        let long = [png(&long), encode(&long).expect("a JPEG")];
        assert!(long.iter().all(|it| is_large(it)));
        let short = [jpeg(2_048, 2_048), png(&two_halves(100, 60)), Vec::new()];
        assert!(!short.iter().any(|it| is_large(it)));
    }

    fn open(bytes: &[u8]) -> DynamicImage {
        image::load_from_memory_with_format(bytes, ImageFormat::Jpeg).expect("a JPEG")
    }

    fn is_near(picture: &DynamicImage, x: u32, y: u32, color: [u8; 3]) -> bool {
        let found = picture.get_pixel(x, y).0;
        color.iter().zip(found).all(|(a, b)| a.abs_diff(b) < 24)
    }

    /// EXIF as a phone writes it: an orientation, and the place where the photo was taken (61° 30' N).
    fn with_exif(jpeg: &[u8], orientation: u16) -> Vec<u8> {
        let entry = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
            let mut bytes = tag.to_be_bytes().to_vec();
            bytes.extend(kind.to_be_bytes());
            bytes.extend(count.to_be_bytes());
            bytes.extend(value);
            bytes
        };
        let [high, low] = orientation.to_be_bytes();
        // The first directory stands at 8 and takes 2 + 2 * 12 + 4 bytes, the second with the place stands
        // at 38 and takes as many, and the three fractions of the latitude stand at 68.
        let tiff = [
            b"MM\0\x2a\0\0\0\x08\0\x02".to_vec(),
            entry(0x0112, 3, 1, [high, low, 0, 0]),
            entry(0x8825, 4, 1, 38_u32.to_be_bytes()),
            b"\0\0\0\0\0\x02".to_vec(),
            entry(1, 2, 2, *b"N\0\0\0"),
            entry(2, 5, 3, 68_u32.to_be_bytes()),
            vec![0; 4],
            [61_u32, 1, 30, 1, 0, 1]
                .into_iter()
                .flat_map(u32::to_be_bytes)
                .collect(),
        ]
        .concat();
        let mut segment = b"Exif\0\0".to_vec();
        segment.extend(tiff);
        let length = u16::try_from(segment.len() + 2).expect("a short segment");
        let mut bytes = jpeg[..2].to_vec();
        bytes.extend([0xff, 0xe1]);
        bytes.extend(length.to_be_bytes());
        bytes.extend(segment);
        // A comment, which is metadata too.
        bytes.extend([0xff, 0xfe, 0, 8]);
        bytes.extend(b"secret");
        bytes.extend(&jpeg[2..]);
        bytes
    }

    fn contains(bytes: &[u8], part: &[u8]) -> bool {
        bytes.windows(part.len()).any(|it| it == part)
    }

    #[test]
    fn the_place_where_a_photo_was_taken_is_gone() {
        let sent = with_exif(&jpeg(64, 32), 1);
        let gps = [0x88, 0x25, 0, 4];
        assert!(contains(&sent, b"Exif") && contains(&sent, &gps));
        let photo = sanitize(&sent).expect("a photo");
        for kept in [photo.full, photo.thumb] {
            assert!(!contains(&kept, b"Exif"));
            assert!(!contains(&kept, b"secret"));
            assert!(!contains(&kept, &gps));
        }
    }

    #[test]
    fn a_photo_is_kept_upright() {
        // 6: to be turned a quarter to the right, so that left becomes top.
        let sent = with_exif(&jpeg(64, 32), 6);
        let photo = sanitize(&sent).expect("a photo");
        for kept in [open(&photo.full), open(&photo.thumb)] {
            assert_eq!((kept.width(), kept.height()), (32, 64));
            assert!(is_near(&kept, 16, 8, RED));
            assert!(is_near(&kept, 16, 56, BLUE));
        }
    }

    #[test]
    fn a_large_photo_is_made_smaller_and_a_small_one_is_not_made_larger() {
        let photo = sanitize(jpeg(3000, 1000)).expect("a photo");
        assert_eq!(open(&photo.full).dimensions(), (2048, 683));
        assert_eq!(open(&photo.thumb).dimensions(), (320, 107));
        let photo = sanitize(jpeg(100, 60)).expect("a photo");
        assert_eq!(open(&photo.full).dimensions(), (100, 60));
        assert_eq!(open(&photo.thumb).dimensions(), (100, 60));
    }

    #[test]
    fn what_can_be_seen_through_becomes_white() {
        let clear = RgbaImage::from_pixel(16, 16, Rgba([0, 0, 0, 0]));
        let photo = sanitize(png(&DynamicImage::ImageRgba8(clear))).expect("a photo");
        assert!(is_near(&open(&photo.full), 8, 8, [255, 255, 255]));
    }

    #[test]
    fn a_png_of_sixteen_bits_of_grey_is_a_photo_too() {
        let grey = DynamicImage::new_luma16(20, 10);
        assert!(sanitize(png(&grey)).is_ok());
    }

    #[test]
    fn a_file_is_what_its_bytes_say_and_not_what_its_name_says() {
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
        assert_eq!(sanitize(svg), Err(PhotoRefusal::Unsupported.into()));
        let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
        assert_eq!(sanitize(heic), Err(PhotoError::Heic));
        assert_eq!(
            sanitize(b"GIF89a\x01\0\x01\0"),
            Err(PhotoRefusal::Unsupported.into())
        );
        let html = b"\x89PNG\r\n\x1a\n<html><script>alert(1)</script></html>";
        assert_eq!(sanitize(html), Err(PhotoError::Damaged));
    }

    #[test]
    fn what_was_written_here_keeps_its_bytes_and_everything_else_is_written_anew() {
        let (large, small) = (jpeg(3000, 1000), jpeg(100, 60));
        for sent in [large, small] {
            let first = sanitize(&sent).expect("a photo").full;
            let again = sanitize_again(first.clone()).expect("a photo");
            assert!(again.full == first);
            assert_eq!(
                open(&again.thumb).width().max(open(&again.thumb).height()),
                320.min(open(&first).width())
            );
        }
        let own = jpeg(64, 32);
        let mut finer = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut finer, 95);
        two_halves(64, 32)
            .write_with_encoder(encoder)
            .expect("a JPEG");
        let mut word = own[..2].to_vec();
        word.extend([0xff, 0xe0, 0, 8]);
        word.extend(b"secret");
        word.extend(&own[2..]);
        let restart = [&own[..2], &[0xff, 0xdd, 0, 4, 0, 0], &own[2..]].concat();
        for sent in [with_exif(&own, 6), finer, word, restart, jpeg(2049, 16)] {
            let again = sanitize_again(sent.clone()).expect("a photo");
            assert_eq!(again, sanitize(sent).expect("a photo"));
            assert!(!contains(&again.full, b"secret"));
        }
    }

    /// A JPEG with this profile, in as many pieces.
    fn with_profile(jpeg: &[u8], profile: &[u8], n: usize) -> Vec<u8> {
        let mut bytes = jpeg[..2].to_vec();
        let size = profile.len().div_ceil(n);
        for (piece, number) in profile.chunks(size).zip(1_u8..) {
            bytes.extend([0xff, 0xe2]);
            bytes.extend(u16::try_from(piece.len() + 16).unwrap().to_be_bytes());
            bytes.extend(b"ICC_PROFILE\0");
            bytes.extend([number, u8::try_from(n).unwrap()]);
            bytes.extend(piece);
        }
        bytes.extend(&jpeg[2..]);
        bytes
    }

    fn plain(color: [u8; 3]) -> DynamicImage {
        RgbImage::from_pixel(32, 32, image::Rgb(color)).into()
    }

    #[test]
    fn colors_of_a_wider_space_are_kept_as_those_that_every_screen_shows() {
        let profile = moxcms::ColorProfile::new_display_p3().encode().unwrap();
        let sent = encode(&plain([200, 40, 40])).unwrap();
        let color = |sent: &[u8]| {
            let kept = sanitize(sent).expect("a photo");
            let (full, thumb) = (open(&kept.full), open(&kept.thumb));
            assert!(!contains(&kept.full, b"ICC_PROFILE"));
            let [red, green, blue, _] = full.get_pixel(16, 16).0;
            assert!(is_near(&thumb, 16, 16, [red, green, blue]));
            [red, green, blue]
        };
        let is_converted = |[red, green, blue]: [u8; 3]| {
            red.abs_diff(218) < 4 && green < 6 && blue.abs_diff(26) < 6
        };
        for n in [1, 3] {
            let found = color(&with_profile(&sent, &profile, n));
            assert!(is_converted(found), "{found:?}");
        }
        let mut png = Vec::new();
        let mut encoder = image::codecs::png::PngEncoder::new(&mut png);
        image::ImageEncoder::set_icc_profile(&mut encoder, profile.clone()).unwrap();
        plain([200, 40, 40]).write_with_encoder(encoder).unwrap();
        let found = color(&png);
        assert!(is_converted(found), "{found:?}");
        // What is no profile, or too large a one, leaves the picture as it is.
        for odd in [&profile[..100], b"no profile", &[7; 100_000][..]] {
            let found = color(&with_profile(&sent, odd, 2));
            assert!(
                found[0].abs_diff(200) < 4 && found[1].abs_diff(40) < 4,
                "{found:?}"
            );
        }
        let mut grey = Vec::new();
        let mut encoder = JpegEncoder::new_with_quality(&mut grey, 90);
        image::ImageEncoder::set_icc_profile(&mut encoder, profile).unwrap();
        let picture = DynamicImage::new_luma8(32, 32);
        picture.write_with_encoder(encoder).unwrap();
        assert_eq!(color(&grey), [0, 0, 0]);
    }

    #[test]
    fn what_follows_a_picture_is_not_kept() {
        let mut sent = jpeg(64, 32);
        sent.extend(b"<script>alert(1)</script>");
        let photo = sanitize(&sent).expect("a photo");
        assert!(!contains(&photo.full, b"<script>"));
        assert!(photo.full.ends_with(&[0xff, 0xd9]));
    }

    #[test]
    fn a_bomb_is_turned_down_before_it_is_decoded() {
        // Nothing but the header: had the decoder looked for pixels, it would have found the picture damaged.
        let header = |width: u32, height: u32| {
            let mut chunk = b"IHDR".to_vec();
            chunk.extend(width.to_be_bytes());
            chunk.extend(height.to_be_bytes());
            chunk.extend([8, 6, 0, 0, 0]);
            let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
            bytes.extend(&chunk);
            bytes.extend(crc32(&chunk).to_be_bytes());
            bytes.extend(b"\0\0\0\0IDAT\x35\xaf\x06\x1e");
            bytes
        };
        assert_eq!(
            sanitize(header(30_000, 30_000)),
            Err(PhotoRefusal::TooLarge.into())
        );
        assert_eq!(
            sanitize(header(12_001, 1)),
            Err(PhotoRefusal::TooLarge.into())
        );
        assert_eq!(
            sanitize(header(8_000, 8_000)),
            Err(PhotoRefusal::TooLarge.into())
        );
        assert_eq!(sanitize(header(100, 100)), Err(PhotoError::Damaged));
    }

    #[test]
    fn half_a_photo_is_damaged() {
        let whole = jpeg(400, 300);
        assert_eq!(
            sanitize(&whole[..whole.len() / 2]),
            Err(PhotoError::Damaged)
        );
        assert_eq!(sanitize(&whole[..12]), Err(PhotoError::Damaged));
        let whole = png(&two_halves(400, 300));
        assert_eq!(
            sanitize(&whole[..whole.len() / 2]),
            Err(PhotoError::Damaged)
        );
    }

    #[test]
    fn nothing_and_too_much_have_their_own_words() {
        let said = |bytes: &[u8]| sanitize(bytes).expect_err("no photo").to_string();
        assert_eq!(said(&[]), "No photo selected");
        assert_eq!(
            said(&vec![0xff; 10 * 1024 * 1024 + 1]),
            "Photo size too large (max 10MB)"
        );
        assert_eq!(
            said(b"%PDF-1.7"),
            "Unsupported file type (use JPEG, PNG, or HEIC)"
        );
        for heic in [b"\0\0\0\x18ftypheic", b"\0\0\0\x24ftypmif1"] {
            assert_eq!(
                said(heic),
                "HEIC photos are turned into JPEG on the phone. Please send a JPEG or PNG here."
            );
        }
    }

    /// As PNG wants it at the end of each chunk (ISO 3309).
    pub(super) fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0_u32, |crc, byte| {
            (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
                if crc & 1 == 1 {
                    (crc >> 1) ^ 0xedb8_8320
                } else {
                    crc >> 1
                }
            })
        })
    }
}
