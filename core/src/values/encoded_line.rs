//! Owns lines on the wire and in storage: encoded polylines with six decimals, as the directions services send them.

use polyline::{decode_polyline, encode_coordinates};

use crate::values::place::Place;

/// A step of 1 is a millionth of a degree, about 10 cm.
const DECIMALS: u32 = 6;

/// A difference of 360 degrees has six characters; a longer number is none of ours and would not fit into the reader's.
const MAX_NUMBER_BYTES: usize = 6;

/// The characters of a number, and from where on they say that it goes on.
const FIRST: u8 = b'?';

const LAST: u8 = b'~';

const GOES_ON: u8 = b'_';

/// The line as text; a place moves by at most 6 cm.
pub fn encode(line: impl IntoIterator<Item = Place>) -> String {
    let points: Vec<_> = line
        .into_iter()
        .map(|it| (it.lon(), it.lat()).into())
        .collect();
    // Only what is no place on earth is refused, and a `Place` is one.
    encode_coordinates(points, DECIMALS).unwrap_or_default()
}

/// The line that a text tells; `None` for what is no line on earth.
pub fn decode(text: &str) -> Option<Vec<Place>> {
    count_points(text)?;
    let line = decode_polyline(text, DECIMALS).ok()?;
    line.into_iter()
        .map(|it| Place::from_degrees(it.y, it.x))
        .collect()
}

/// How many points a line has by its form, or `None` for what has none; for those who need no reader for that.
pub fn count_points(text: &str) -> Option<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::plane::distance_m;
    use proptest::prelude::*;

    #[test]
    fn a_line_reads_as_the_services_write_it() {
        // The example of the format's own page, with six decimals.
        let line = decode("_izlhA~rlgdF_{geC~ywl@_kwzCn`{nI").unwrap();
        let degrees: Vec<_> = line.iter().map(|it| (it.lat(), it.lon())).collect();
        assert_eq!(
            degrees,
            [(38.5, -120.2), (40.7, -120.95), (43.252, -126.453)]
        );
    }

    proptest! {
        #[test]
        fn a_line_comes_back(line in prop::collection::vec((-900_000_000..900_000_000_i32, -1_800_000_000..1_800_000_000_i32), 0..40)) {
            let line: Vec<_> = line.into_iter().map(|(lat_e7, lon_e7)| Place { lat_e7, lon_e7 }).collect();
            let text = encode(line.iter().copied());
            let back = decode(&text).unwrap();
            prop_assert_eq!(back.len(), line.len());
            prop_assert_eq!(count_points(&text), Some(line.len()));
            for (there, here) in back.iter().zip(&line) {
                prop_assert!(distance_m(*there, *here) < 0.1);
            }
        }

        #[test]
        fn no_text_is_more_than_a_line_can_bear(text in "[?-~]{0,60}|.{0,20}") {
            if let Some(line) = decode(&text) {
                prop_assert_eq!(count_points(&text), Some(line.len()));
            }
        }
    }
}
