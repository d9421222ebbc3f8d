//! Owns numbers in a tile's bytes, and why they may not be read: LEB128 varints, signed ones in zigzag (as in Protocol Buffers' encoding).

use thiserror::Error;

/// Why bytes are no tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TileError {
    /// They are something else.
    #[error("This is not a map tile.")]
    NotATile,
    /// A newer app wrote them.
    #[error("This map tile needs a newer version of the app.")]
    Newer,
    /// They were changed on the way.
    #[error("This map tile is damaged.")]
    Damaged,
    /// They end too early or say what cannot be.
    #[error("This map tile is cut off.")]
    Cut,
}

/// Appends a number.
pub(super) fn put(number: u64, to: &mut Vec<u8>) {
    let mut rest = number;
    while rest >= 0x80 {
        to.push((rest as u8) | 0x80);
        rest >>= 7;
    }
    to.push(rest as u8);
}

/// Appends a number that may be negative.
pub(super) fn put_signed(number: i64, to: &mut Vec<u8>) {
    put(((number << 1) ^ (number >> 63)) as u64, to);
}

/// Appends a text with its length.
pub(super) fn put_text(text: &str, to: &mut Vec<u8>) {
    put(text.len() as u64, to);
    to.extend(text.as_bytes());
}

/// Reader of numbers and texts; holds the bytes that are not read yet.
pub(super) struct ByteReader<'a>(pub(super) &'a [u8]);

impl<'a> ByteReader<'a> {
    /// The next byte.
    pub(super) fn byte(&mut self) -> Result<u8, TileError> {
        let (&first, rest) = self.0.split_first().ok_or(TileError::Cut)?;
        self.0 = rest;
        Ok(first)
    }

    /// The next number.
    pub(super) fn number(&mut self) -> Result<u64, TileError> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(TileError::Cut)
    }

    /// The next number, as what it must fit.
    pub(super) fn small<T: TryFrom<u64>>(&mut self) -> Result<T, TileError> {
        T::try_from(self.number()?).map_err(|_| TileError::Cut)
    }

    /// The next number that may be negative.
    pub(super) fn signed(&mut self) -> Result<i64, TileError> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// A count of things of which each takes at least a byte of what is left, so that a wrong one cannot fill the memory.
    pub(super) fn count(&mut self) -> Result<usize, TileError> {
        let count: usize = self.small()?;
        if count > self.0.len() {
            return Err(TileError::Cut);
        }
        Ok(count)
    }

    /// The next bytes.
    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], TileError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(TileError::Cut)?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next text.
    pub(super) fn text(&mut self) -> Result<String, TileError> {
        let length = self.count()?;
        let bytes = self.take(length)?.to_vec();
        String::from_utf8(bytes).map_err(|_| TileError::Cut)
    }
}
