//! Owns lines on the wire and in storage: encoded polylines with six decimals, as the directions services send them.

use geo_types::Coord;

use crate::walk::Place;

/// A step of 1 is a millionth of a degree, about 10 cm.
const DECIMALS: u32 = 6;

/// The line as text; a place moves by at most 6 cm.
pub fn encode(line: &[Place]) -> String {
    let points = line.iter().map(|it| Coord {
        x: it.lon(),
        y: it.lat(),
    });
    // Only what is no place on earth is refused, and a `Place` is one.
    polyline::encode_coordinates(points, DECIMALS).unwrap_or_default()
}

/// The line that a text tells; `None` for what is no line on earth.
pub fn decode(text: &str) -> Option<Vec<Place>> {
    let line = polyline::decode_polyline(text, DECIMALS).ok()?;
    line.into_iter()
        .map(|it| Place::from_degrees(it.y, it.x))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::distance_m;
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
            let back = decode(&encode(&line)).unwrap();
            prop_assert_eq!(back.len(), line.len());
            for (there, here) in back.iter().zip(&line) {
                prop_assert!(distance_m(*there, *here) < 0.1);
            }
        }

        #[test]
        fn no_text_is_too_strange(text in ".*") {
            decode(&text);
        }
    }
}
