//! Owns a tile on its way to the phone: its name, which changes with its bytes, and its compressed form.

use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::str::FromStr;

use brotli::enc::BrotliEncoderParams;
use walkies_core::map::{TILE_ZOOM, TileId};

use crate::base::env::sha256;

/// Hexadecimal digits of a checksum. 64 bits: no two states of one tile come to the same by accident.
const CHECKSUM_DIGITS: usize = 16;

/// One state of one tile: `X-Y-CHECKSUM`. What has this name never changes, so it may be kept for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileName {
    /// Its column and row at the zoom of tiles.
    pub id: TileId,
    /// The first hexadecimal digits of the SHA-256 of its bytes.
    pub checksum: String,
}

impl fmt::Display for TileName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TileId { x, y } = self.id;
        write!(formatter, "{x}-{y}-{}", self.checksum)
    }
}

/// The text is no name of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoTileName;

impl FromStr for TileName {
    type Err = NoTileName;

    fn from_str(text: &str) -> Result<Self, NoTileName> {
        let mut parts = text.splitn(3, '-');
        let mut number = || {
            parts
                .next()?
                .parse()
                .ok()
                .filter(|it| *it < 1_u32 << TILE_ZOOM)
        };
        let (x, y) = number().zip(number()).ok_or(NoTileName)?;
        let checksum = parts.next().unwrap_or_default().to_owned();
        let is_checksum = checksum.len() == CHECKSUM_DIGITS
            && checksum
                .bytes()
                .all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
        let name = Self {
            id: TileId { x, y },
            checksum,
        };
        // One tile has one name: no leading zeros, no plus.
        (is_checksum && name.to_string() == text)
            .then_some(name)
            .ok_or(NoTileName)
    }
}

/// The checksum of a tile's bytes.
pub fn checksum(bytes: &[u8]) -> String {
    let mut digits = sha256(bytes);
    digits.truncate(CHECKSUM_DIGITS);
    digits
}

/// A tenth smaller than with 9, and still faster than the rest of an import; 11 takes twice as long for one part in a
/// hundred.
const QUALITY: i32 = 10;

/// The least and the greatest window of the format, as powers of two.
const WINDOWS: RangeInclusive<u32> = 10..=22;

/// Compresses a tile's bytes with brotli.
pub fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    // As large as the tile: the encoder's memory, eight bytes and more for each of the window's, grows with it. The format
    // keeps sixteen bytes for itself.
    let window = (bytes.len() + 16).next_power_of_two().ilog2();
    let window = window.clamp(*WINDOWS.start(), *WINDOWS.end());
    let params = BrotliEncoderParams {
        quality: QUALITY,
        lgwin: window as i32,
        size_hint: bytes.len(),
        ..BrotliEncoderParams::default()
    };
    let mut compressed = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut compressed, &params)?;
    Ok(compressed)
}

/// Decompresses a tile's bytes, the opposite of `compress`.
pub fn decompress(compressed: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    brotli::BrotliDecompress(&mut &*compressed, &mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_where_and_in_which_state() {
        let text = "4663-2371-0123456789abcdef";
        let name: TileName = text.parse().unwrap();
        assert_eq!(name.id, TileId { x: 4663, y: 2371 });
        assert_eq!(name.to_string(), text);
        assert_eq!(checksum(b"a tile").len(), name.checksum.len());
    }

    #[test]
    fn what_is_no_name_is_none() {
        for text in [
            "",
            "4663",
            "4663-2371",
            "4663-2371-",
            "4663-2371-0123456789abcde",
            "4663-2371-0123456789ABCDEF",
            "4663-2371-0123456789abcdef-",
            "04663-2371-0123456789abcdef",
            "+4663-2371-0123456789abcdef",
            "8192-2371-0123456789abcdef",
            "-1-2371-0123456789abcdef",
            "4663-2371-../../../../etc/",
        ] {
            assert_eq!(text.parse::<TileName>(), Err(NoTileName), "{text}");
        }
    }

    #[test]
    fn what_was_compressed_comes_back() {
        for bytes in [&b""[..], b"W", &b"a walk in the rain ".repeat(1000)] {
            assert_eq!(decompress(&compress(bytes).unwrap()).unwrap(), bytes);
        }
        assert!(decompress(b"no brotli").is_err());
    }
}
