//! Owns how a line of a walk goes over the wire: as an encoded polyline with six decimals, 11 cm.

use polyline::{decode_polyline, encode_coordinates};

use crate::walk::Place;

const DECIMALS: u32 = 6;
/// A difference of 360 degrees has six characters; a longer number is none of ours and would not fit into the reader's.
const MAX_NUMBER_BYTES: usize = 6;
/// The characters of a number, and from where on they say that it goes on.
const FIRST: u8 = b'?';
const LAST: u8 = b'~';
const GOES_ON: u8 = b'_';

/// The places as a polyline; empty where one of them is on no earth.
pub fn encode_line(places: impl IntoIterator<Item = Place>) -> String {
    let coordinates = places
        .into_iter()
        .map(|it| (it.lon(), it.lat()).into())
        .collect::<Vec<_>>();
    encode_coordinates(coordinates, DECIMALS).unwrap_or_default()
}

/// How many points a polyline has by its form, or `None` for what has none. It is read by who shows it alone: the
/// phone, which writes it and never shows it, need not have a reader for it.
pub(super) fn count_points(text: &str) -> Option<usize> {
    let (mut numbers, mut digits) = (0, 0);
    for byte in text.bytes() {
        digits += 1;
        if !(FIRST..=LAST).contains(&byte) || MAX_NUMBER_BYTES < digits {
            return None;
        }
        if byte < GOES_ON {
            numbers += 1;
            digits = 0;
        }
    }
    (digits == 0 && numbers % 2 == 0).then_some(numbers / 2)
}

/// The places of a polyline, or `None` for what is none.
pub fn decode_line(text: &str) -> Option<Vec<Place>> {
    count_points(text)?;
    let line = decode_polyline(text, DECIMALS).ok()?;
    line.into_inner()
        .into_iter()
        .map(|it| Place::from_degrees(it.y, it.x))
        .collect()
}
