//! Decodes pictures within a bound of memory, whatever they claim to be: a JPEG is made smaller while it is decoded, a
//! PNG comes row by row.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, RgbImage};
use jpeg_decoder::PixelFormat;
use png::{Limits, Transformations};
use walkies_core::rules::photo::PhotoError as PhotoRefusal;

use super::PhotoError;
use super::shrink::{Shrink, within};
use super::strip::{Jpeg, JpegFrame, Plane, Png};

/// No phone's camera makes longer pictures; a file that claims one is an attack.
const MAX_SIDE: u32 = 12_000;
/// Phones' cameras make up to 50 million.
const MAX_PIXELS: u64 = 50_000_000;
/// The most bytes of memory that decoding may take, the file itself included.
const MAX_WORK_BYTES: u64 = 75_000_000;
/// A JPEG is only halved while it is decoded if it stays about as long as what is kept.
const MIN_HALVED_SIDE: u32 = 2000;
/// The most bytes of memory that an interlaced PNG may take, the file itself included, beside the rows and the smaller
/// picture that are made of it.
const MAX_INTERLACED_BYTES: u64 = 60_000_000;
/// Rows and tables of a PNG: the longest row has 96 kB.
const MAX_PNG_BYTES: usize = 4_000_000;

/// A picture of at most this side, to be turned as its file says.
pub struct Decoded {
    pub picture: DynamicImage,
    pub orientation: Orientation,
    /// ICC profile of the colors, if the file has one.
    pub profile: Option<Vec<u8>>,
}

fn check_size(width: u32, height: u32) -> Result<(), PhotoError> {
    let pixels = u64::from(width) * u64::from(height);
    if MAX_SIDE < width.max(height) || MAX_PIXELS < pixels {
        return Err(PhotoRefusal::TooLarge.into());
    }
    if pixels == 0 {
        return Err(PhotoError::Damaged);
    }
    Ok(())
}

fn finish(shrink: Shrink, (width, height): (u32, u32)) -> Result<DynamicImage, PhotoError> {
    RgbImage::from_raw(width, height, shrink.finish())
        .map(DynamicImage::ImageRgb8)
        .ok_or(PhotoError::Damaged)
}

/// Decodes a JPEG.
pub fn jpeg(stripped: Jpeg, side: u32) -> Result<Decoded, PhotoError> {
    let Jpeg {
        bytes,
        frame,
        orientation,
        profile,
    } = stripped;
    check_size(frame.width.into(), frame.height.into())?;
    let eighths = frame.eighths(bytes.len()).ok_or(PhotoRefusal::TooLarge)?;
    let mut decoder = jpeg_decoder::Decoder::new(bytes.as_slice());
    // The longer side alone says which scale is meant: the first at which it is as long as this.
    let wanted = |it: u16| u16::try_from(scaled(it, eighths)).unwrap_or(u16::MAX);
    let (width, height) = if frame.height < frame.width {
        decoder.scale(wanted(frame.width), u16::MAX)
    } else {
        decoder.scale(u16::MAX, wanted(frame.height))
    }
    .map_err(|_| PhotoError::Damaged)?;
    let pixels = decoder.decode().map_err(|_| PhotoError::Damaged)?;
    let format = decoder.info().ok_or(PhotoError::Damaged)?.pixel_format;
    drop(decoder);
    drop(bytes);
    let samples = match format {
        PixelFormat::L8 => 1,
        PixelFormat::RGB24 => 3,
        PixelFormat::CMYK32 => 4,
        PixelFormat::L16 => return Err(PhotoError::Damaged),
    };
    let from = (u32::from(width), u32::from(height));
    let to = within(side, from);
    let mut shrink = Shrink::new(from, to);
    let mut row = Vec::new();
    for samples_of_row in pixels.chunks_exact(samples * usize::from(width)) {
        match format {
            PixelFormat::L8 => rgb_of(samples_of_row, &mut row, |&[it]| [it; 3]),
            PixelFormat::CMYK32 => rgb_of(samples_of_row, &mut row, |&cmyk| rgb_of_cmyk(cmyk)),
            _ => rgb_of(samples_of_row, &mut row, |&rgb| rgb),
        }
        shrink.push(&row);
    }
    drop(pixels);
    Ok(Decoded {
        picture: finish(shrink, to)?,
        orientation,
        // A profile of ink or grey does not describe the RGB that is made of it.
        profile: profile.filter(|_| format == PixelFormat::RGB24),
    })
}

/// A side of a JPEG at so many eighths.
fn scaled(side: u16, eighths: u32) -> u32 {
    (u32::from(side) * eighths).div_ceil(8)
}

impl JpegFrame {
    /// At how many eighths of its size a picture of so many bytes is decoded, if the work fits in memory.
    fn eighths(&self, file_bytes: usize) -> Option<u32> {
        let longer = self.width.max(self.height);
        let fits = |eighths| self.work_bytes(eighths) + file_bytes as u64 <= MAX_WORK_BYTES;
        let is_enough = |eighths: u32| scaled(longer, eighths / 2) < MIN_HALVED_SIDE;
        let scales = [8, 4, 2, 1];
        let mut enough = scales.into_iter().filter(|it| *it == 1 || is_enough(*it));
        enough.find(|it| fits(*it))
    }

    /// Estimates the decoder's memory in bytes: the planes and the pixels made of them, and for a progressive picture
    /// two bytes for each coefficient. A plane that the scans leave unfinished has them twice, since its rows are all
    /// made at the end.
    fn work_bytes(&self, eighths: u32) -> u64 {
        let most = |of: fn(&Plane) -> u8| self.planes.iter().map(of).max().unwrap_or(1);
        let units = |side: u16, most: u8| u64::from(side).div_ceil(8 * u64::from(most));
        let across = units(self.width, most(|it| it.across));
        let down = units(self.height, most(|it| it.down));
        let blocks = |it: &Plane| across * u64::from(it.across) * down * u64::from(it.down);
        let all: u64 = self.planes.iter().map(blocks).sum();
        let unfinished = self.planes.iter().filter(|it| !it.is_whole());
        let again = unfinished.map(blocks).max().unwrap_or(0);
        let pixels = u64::from(scaled(self.width, eighths) * scaled(self.height, eighths));
        let coefficients = if self.is_progressive {
            2 * 64 * (all + again)
        } else {
            0
        };
        coefficients + all * u64::from(eighths * eighths) + pixels * self.planes.len() as u64
    }
}

fn rgb_of<const N: usize>(samples: &[u8], row: &mut Vec<u8>, rgb: impl Fn(&[u8; N]) -> [u8; 3]) {
    row.clear();
    let (pixels, _) = samples.as_chunks::<N>();
    row.extend(pixels.iter().flat_map(rgb));
}

/// Converts amounts of ink, as the decoder gives them, to the color that they have on paper.
fn rgb_of_cmyk([cyan, magenta, yellow, black]: [u8; 4]) -> [u8; 3] {
    [cyan, magenta, yellow].map(|it| times(255 - it, 255 - black))
}

/// The product of two shares of 255.
fn times(a: u8, b: u8) -> u8 {
    u8::try_from(u32::from(a) * u32::from(b) / 255).unwrap_or(u8::MAX)
}

/// JPEG knows no transparency: what can be seen through becomes white, as on paper.
fn over_white(it: u8, alpha: u8) -> u8 {
    let mixed = u32::from(it) * u32::from(alpha) + 255 * (255 - u32::from(alpha));
    u8::try_from(mixed / 255).unwrap_or(u8::MAX)
}

/// Decodes a PNG.
pub fn png(stripped: Png, side: u32) -> Result<Decoded, PhotoError> {
    let size = (stripped.width, stripped.height);
    check_size(size.0, size.1)?;
    let limits = Limits {
        bytes: MAX_PNG_BYTES,
    };
    let file_bytes = stripped.bytes.len();
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(stripped.bytes), limits);
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(|_| PhotoError::Damaged)?;
    let samples = reader.output_color_type().0.samples();
    let row_bytes = samples * size.0 as usize;
    let to = within(side, size);
    let mut shrink = Shrink::new(size, to);
    let mut rgb = Vec::new();
    let mut push = |row: &[u8]| {
        match samples {
            1 => rgb_of(row, &mut rgb, |&[it]| [it; 3]),
            2 => rgb_of(row, &mut rgb, |&[it, alpha]| [over_white(it, alpha); 3]),
            3 => rgb_of(row, &mut rgb, |&it| it),
            _ => rgb_of(row, &mut rgb, |&[red, green, blue, alpha]| {
                [red, green, blue].map(|it| over_white(it, alpha))
            }),
        }
        shrink.push(&rgb);
    };
    if reader.info().interlaced {
        // The last of seven passes has half of the rows: nothing is whole before all are there.
        let bytes = reader.output_buffer_size().ok_or(PhotoRefusal::TooLarge)?;
        if MAX_INTERLACED_BYTES < (bytes + file_bytes) as u64 {
            return Err(PhotoRefusal::TooLarge.into());
        }
        let mut pixels = vec![0; bytes];
        reader
            .next_frame(&mut pixels)
            .map_err(|_| PhotoError::Damaged)?;
        pixels.chunks_exact(row_bytes).for_each(&mut push);
    } else {
        let mut row = vec![0; row_bytes];
        for _ in 0..size.1 {
            reader.read_row(&mut row).map_err(|_| PhotoError::Damaged)?;
            push(&row);
        }
    }
    let has_colors = 3 <= samples;
    let profile = reader.info().icc_profile.as_ref();
    let profile = profile.filter(|_| has_colors).map(|it| it.to_vec());
    drop(reader);
    Ok(Decoded {
        picture: finish(shrink, to)?,
        orientation: stripped.orientation,
        profile,
    })
}
