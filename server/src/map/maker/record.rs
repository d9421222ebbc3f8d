//! Owns the bytes of what waits in temporary files: numbers as LEB128 varints, signed ones in zigzag, texts with their length.
//! Nothing here outlives an import.

use std::io::{Error, ErrorKind, Result};

use walkies_core::map::Point;

/// Appends a number.
pub fn put(number: u64, to: &mut Vec<u8>) {
    let mut rest = number;
    while rest >= 0x80 {
        to.push((rest as u8) | 0x80);
        rest >>= 7;
    }
    to.push(rest as u8);
}

/// Appends a number that may be negative.
pub fn put_signed(number: i64, to: &mut Vec<u8>) {
    put(((number << 1) ^ (number >> 63)) as u64, to);
}

/// Appends a text.
pub fn put_text(text: &str, to: &mut Vec<u8>) {
    put(text.len() as u64, to);
    to.extend(text.as_bytes());
}

/// Appends points, each as its difference from the one before.
pub fn put_points(points: &[Point], to: &mut Vec<u8>) {
    put(points.len() as u64, to);
    let mut last = Point::default();
    for point in points {
        put_signed(i64::from(point.x) - i64::from(last.x), to);
        put_signed(i64::from(point.y) - i64::from(last.y), to);
        last = *point;
    }
}

/// The rest of a record that is being read.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// The next byte.
    pub fn byte(&mut self) -> Result<u8> {
        let (&first, rest) = self.0.split_first().ok_or_else(broken)?;
        self.0 = rest;
        Ok(first)
    }

    /// The next number.
    pub fn number(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(broken())
    }

    /// The next number that may be negative.
    pub fn signed(&mut self) -> Result<i64> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    /// The next number, as what it must fit.
    pub fn small<T: TryFrom<u64>>(&mut self) -> Result<T> {
        T::try_from(self.number()?).map_err(|_| broken())
    }

    /// The next bytes.
    pub fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(broken)?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next text.
    pub fn text(&mut self) -> Result<&'a str> {
        let length = self.small()?;
        std::str::from_utf8(self.take(length)?).map_err(|_| broken())
    }

    /// The next points.
    pub fn points(&mut self) -> Result<Vec<Point>> {
        let count: usize = self.small()?;
        let mut points = Vec::with_capacity(count.min(self.0.len()));
        let (mut x, mut y) = (0, 0);
        for _ in 0..count {
            x += self.signed()?;
            y += self.signed()?;
            points.push(Point {
                x: x as u32,
                y: y as u32,
            });
        }
        Ok(points)
    }
}

/// A temporary file does not hold what was written to it: the disk is at fault.
pub fn broken() -> Error {
    Error::new(
        ErrorKind::InvalidData,
        "a temporary file was changed while it was in use",
    )
}
