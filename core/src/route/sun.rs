//! Owns where the sun stands: whether it is dark on a walk, and which season it is there.
//! By the low-precision formulas of the Astronomical Almanac, good to a hundredth of a degree between 1950 and 2050.

use libm::{asin, atan2, cos, sin};

use crate::values::date::Date;
use crate::values::instant::MS_PER_DAY;
use crate::values::place::Place;

/// Noon of 1 January 2000, UTC, in milliseconds since 1970.
const J2000_MS: i64 = 946_728_000_000;
const DEGREE: f64 = std::f64::consts::PI / 180.0;
/// The end of civil twilight: below it one needs a light.
const DARK_DEGREES: f64 = -6.0;

/// How high the sun stands above the horizon, in degrees, at a moment in milliseconds since 1970.
pub(super) fn elevation(place: Place, at: i64) -> f64 {
    let days = (at as f64 - J2000_MS as f64) / MS_PER_DAY as f64;
    let mean_longitude = 280.460 + 0.985_647_4 * days;
    let anomaly = (357.528 + 0.985_600_3 * days) * DEGREE;
    let longitude = (mean_longitude + 1.915 * sin(anomaly) + 0.020 * sin(2.0 * anomaly)) * DEGREE;
    let tilt = (23.439 - 0.000_000_4 * days) * DEGREE;
    let declination = asin((sin(tilt) * sin(longitude)).clamp(-1.0, 1.0));
    let ascension = atan2(cos(tilt) * sin(longitude), cos(longitude));
    let sidereal = (280.460_618_37 + 360.985_647_366_29 * days) * DEGREE;
    let hour = sidereal + place.lon() * DEGREE - ascension;
    let lat = place.lat() * DEGREE;
    let sine = sin(lat) * sin(declination) + cos(lat) * cos(declination) * cos(hour);
    asin(sine.clamp(-1.0, 1.0)) / DEGREE
}

/// Returns true if it is dark at the beginning or at the end of a walk of so many milliseconds.
pub(super) fn is_dark(place: Place, at: i64, duration_ms: u32) -> bool {
    [at, at.saturating_add(i64::from(duration_ms))]
        .iter()
        .any(|it| elevation(place, *it) < DARK_DEGREES)
}

/// The month at a place, 1 to 12, by the sun there; south of the equator that of the same season in the north.
pub(super) fn northern_month(place: Place, at: i64) -> u8 {
    let local = at.saturating_add((place.lon() / 360.0 * MS_PER_DAY as f64) as i64);
    let (_, month, _) = Date::of_days(local.div_euclid(MS_PER_DAY)).parts();
    let month = month.clamp(1, 12) as u8;
    if place.lat_e7 < 0 {
        (month + 5) % 12 + 1
    } else {
        month
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::instant::Instant;

    fn at(text: &str) -> i64 {
        text.parse::<Instant>().unwrap().0
    }

    fn place(lat: f64, lon: f64) -> Place {
        Place::from_degrees(lat, lon).unwrap()
    }

    #[test]
    fn at_noon_of_a_solstice_the_sun_stands_as_high_as_geometry_says() {
        // 90 degrees less the latitude, and the tilt of the axis more or less; noon is at the meridian of Greenwich, some
        // minutes off by the equation of time.
        for (lat, when, expected) in [
            (51.48, "2026-06-21T12:02:00Z", 90.0 - 51.48 + 23.44),
            (51.48, "2026-12-21T11:58:00Z", 90.0 - 51.48 - 23.44),
            (-33.87, "2026-12-21T11:58:00Z", 90.0 - 33.87 + 23.44),
            (0.0, "2026-03-20T12:07:00Z", 90.0),
        ] {
            let height = elevation(place(lat, 0.0), at(when));
            assert!((height - expected).abs() < 0.25, "{lat} {when}: {height}");
        }
    }

    #[test]
    fn it_is_dark_when_the_books_say_so() {
        // Helsinki: the sun set at 15:24 on 22 November 2026 and rose at 3:54 on 21 June; Sydney is half a day ahead.
        let helsinki = place(60.17, 24.94);
        for (place, when, expected) in [
            (helsinki, "2026-11-22T12:00:00+02:00", false),
            (helsinki, "2026-11-22T17:30:00+02:00", true),
            (helsinki, "2026-06-21T23:00:00+03:00", false),
            (place(-33.87, 151.21), "2026-06-21T12:00:00+10:00", false),
            (place(-33.87, 151.21), "2026-06-21T19:00:00+10:00", true),
            (place(40.71, -74.01), "2026-11-20T06:00:00-05:00", true),
            (place(40.71, -74.01), "2026-11-20T12:00:00-05:00", false),
        ] {
            assert_eq!(is_dark(place, at(when), 0), expected, "{when}");
        }
        // The light goes on the way.
        assert!(is_dark(
            helsinki,
            at("2026-11-22T15:30:00+02:00"),
            3_600_000
        ));
    }

    #[test]
    fn the_sun_sets_when_the_almanac_says() {
        // The upper edge touches the horizon at -0.83 degrees: London, 21 June 2026, 21:22 summer time.
        let london = place(51.51, -0.13);
        let height = elevation(london, at("2026-06-21T21:22:00+01:00"));
        assert!((height + 0.83).abs() < 0.2, "{height}");
    }

    #[test]
    fn half_a_year_lies_between_the_seasons_of_the_hemispheres() {
        let january = at("2026-01-15T12:00:00Z");
        assert_eq!(northern_month(place(50.0, 8.0), january), 1);
        assert_eq!(northern_month(place(-34.0, 151.0), january), 7);
        let july = at("2026-07-15T12:00:00Z");
        assert_eq!(northern_month(place(-34.0, 151.0), july), 1);
        let december = at("2026-12-15T12:00:00Z");
        assert_eq!(northern_month(place(-34.0, 151.0), december), 6);
        // It is June already where the day begins.
        let turn = at("2026-05-31T20:00:00Z");
        assert_eq!(northern_month(place(35.0, 139.0), turn), 6);
    }

    #[test]
    fn no_moment_is_too_strange() {
        for when in [i64::MIN, -1, 0, i64::MAX] {
            assert!(elevation(place(90.0, 180.0), when).is_finite());
            let _ = is_dark(place(-90.0, -180.0), when, u32::MAX);
            assert!((1..=12).contains(&northern_month(place(-90.0, 180.0), when)));
        }
    }
}
