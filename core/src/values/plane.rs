//! Owns geometry on the ground: a flat plane in meters around a place, with arithmetic that gives the same bits everywhere.
//! No `sin`, `cos` or `atan` of the platform, but `libm`'s: the platform's differ in the last bit between machines, and so
//! would a replayed walk.

use crate::values::place::Place;

const DEGREES_PER_E7: f64 = 1e-7;

const RADIANS_PER_DEGREE: f64 = std::f64::consts::PI / 180.0;

const FULL_TURN_E7: i64 = 3_600_000_000;

/// Meters in one ten-millionth of a degree at a latitude.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    lat_m: f64,
    lon_m: f64,
}

impl Scale {
    /// At this place; the usual series for the WGS 84 ellipsoid, good to a few millimeters per kilometer.
    pub(crate) fn at(lat_e7: f64) -> Self {
        let cos = libm::cos(lat_e7 * DEGREES_PER_E7 * RADIANS_PER_DEGREE);
        let cos_2 = 2.0 * cos * cos - 1.0;
        let cos_3 = 4.0 * cos * cos * cos - 3.0 * cos;
        let cos_4 = 2.0 * cos_2 * cos_2 - 1.0;
        Self {
            lat_m: (111_132.92 - 559.82 * cos_2 + 1.175 * cos_4) * DEGREES_PER_E7,
            lon_m: (111_412.84 * cos - 93.5 * cos_3) * DEGREES_PER_E7,
        }
    }

    /// Meters north and east in one ten-millionth of a degree.
    pub(crate) fn meters(self) -> (f64, f64) {
        (self.lat_m, self.lon_m)
    }

    /// East and north in meters from `origin` to `place`.
    pub(crate) fn to_plane(self, origin: Place, place: Place) -> (f64, f64) {
        let east = lon_between(origin.lon_e7, place.lon_e7) as f64;
        let north = (i64::from(place.lat_e7) - i64::from(origin.lat_e7)) as f64;
        (east * self.lon_m, north * self.lat_m)
    }

    /// The place that lies `x` meters east and `y` north of `origin`.
    pub(crate) fn to_place(self, origin: Place, x: f64, y: f64) -> Place {
        let lat = f64::from(origin.lat_e7) + y / self.lat_m;
        // At the poles a meter is any number of degrees; no walk is there, and nothing must blow up.
        let lon = if self.lon_m > 1e-6 {
            x / self.lon_m
        } else {
            0.0
        };
        let lon = i64::from(origin.lon_e7) + lon.round() as i64;
        Place {
            lat_e7: lat.round().clamp(-9e8, 9e8) as i32,
            lon_e7: wrapped(lon) as i32,
        }
    }
}

/// Meters between two places, straight; exact enough for walks, not for flights.
pub fn distance_m(from: Place, to: Place) -> f64 {
    let middle = (f64::from(from.lat_e7) + f64::from(to.lat_e7)) / 2.0;
    let (x, y) = Scale::at(middle).to_plane(from, to);
    length(x, y)
}

/// The length of a vector; `hypot` of the platform is not used, since it is not the same everywhere.
pub(crate) fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// Rounded to a millionth, without a negative zero: what the state keeps survives JSON to the bit.
pub(crate) fn quantized(number: f64) -> f64 {
    (number * 1e6).round() / 1e6 + 0.0
}

fn lon_between(from: i32, to: i32) -> i64 {
    wrapped(i64::from(to) - i64::from(from))
}

/// Within half a turn of 0, so that a walk across the date line is no trip around the world.
fn wrapped(lon_e7: i64) -> i64 {
    let half = FULL_TURN_E7 / 2;
    (lon_e7 + half).rem_euclid(FULL_TURN_E7) - half
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_degree_has_the_length_that_surveyors_give() {
        let place = |lat, lon| Place::from_degrees(lat, lon).unwrap();
        for (lat, north, east) in [
            (0.0, 110_574.3, 111_319.5),
            (45.0, 111_131.7, 78_846.8),
            (60.0, 111_412.2, 55_800.0),
        ] {
            let up = distance_m(place(lat - 0.005, 8.0), place(lat + 0.005, 8.0)) * 100.0;
            let across = distance_m(place(lat, 8.0), place(lat, 8.01)) * 100.0;
            assert!((up - north).abs() < 2.0, "{lat}: {up}");
            assert!((across - east).abs() < 2.0, "{lat}: {across}");
        }
    }

    #[test]
    fn the_date_line_is_no_wall() {
        let place = |lon| Place::from_degrees(10.0, lon).unwrap();
        let across = distance_m(place(179.9999), place(-179.9999));
        assert!((across - 21.93).abs() < 0.05, "{across}");
        let scale = Scale::at(1e8);
        let origin = place(179.9999);
        let (x, y) = scale.to_plane(origin, place(-179.9999));
        assert_eq!(scale.to_place(origin, x, y), place(-179.9999));
    }
}
