//! Owns what an emergency says of the place to send help to: where the walker is, or when they were last known to be there.

use serde::Serialize;

use super::state::WalkHere;
use crate::Instant;
use crate::values::format::{self, Clock};
use crate::values::units::Units;

/// A position that is older, or further in the future, does not say where somebody is now.
const NOW_MS: i64 = 30_000;
/// Speed of somebody who runs for help, in meters per second: so fast a position that was precise becomes vague.
const RUNNING_M_S: f64 = 3.0;
/// Radius of uncertainty in meters of a position that has none: another one is preferred.
const UNKNOWN_ACCURACY_M: f64 = 1_000.0;

/// The place to which help has to come, in words for the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct EmergencyPlace {
    /// `You are at`, or with the time where that is not known to be so any more: `At 9:31 AM you were at`.
    pub intro: String,
    /// Latitude and longitude in degrees, to about a meter: `42.10000, -71.10000`.
    pub degrees: String,
    /// `accurate to 26 ft`; absent where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<String>,
    /// True if the person is there now.
    pub is_now: bool,
    /// Emergency number of the country; `HOME_NUMBER` unless the place is surely in another one.
    pub number: &'static str,
}

/// Emergency number where the place is not known (SPEC 4).
pub const HOME_NUMBER: &str = "911";

/// A rectangle of degrees that lies in countries with one emergency number, and their seas.
struct Area {
    number: &'static str,
    lat: (f64, f64),
    lon: (f64, f64),
}

/// Areas in which a number reaches help, well within their borders: an area that no rectangle has keeps the number of
/// SPEC 4. 112 is that of the European Union and its neighbors (<https://en.wikipedia.org/wiki/112_(emergency_telephone_number)>,
/// <https://digital-strategy.ec.europa.eu/en/policies/112>), 000 of Australia
/// (<https://www.infrastructure.gov.au/media-communications-arts/phone/services/emergency-call-service>), 111 of New Zealand
/// (<https://www.police.govt.nz/contact-us/calling-emergency-111>).
const AREAS: &[Area] = &[
    // From Portugal and Ireland to Finland, Ukraine and Turkey; south of it the shores of Africa come near.
    Area {
        number: "112",
        lat: (37.6, 71.5),
        lon: (-10.8, 40.0),
    },
    // The south of Spain and Portugal, Sicily and Malta, Greece, and Cyprus.
    Area {
        number: "112",
        lat: (36.2, 37.8),
        lon: (-9.2, -0.5),
    },
    Area {
        number: "112",
        lat: (35.7, 37.8),
        lon: (12.6, 16.0),
    },
    Area {
        number: "112",
        lat: (34.7, 37.8),
        lon: (20.0, 28.3),
    },
    Area {
        number: "112",
        lat: (34.5, 35.8),
        lon: (32.2, 34.7),
    },
    Area {
        number: "112",
        lat: (63.0, 67.0),
        lon: (-25.0, -13.0),
    },
    Area {
        number: "000",
        lat: (-39.5, -12.0),
        lon: (113.0, 142.0),
    },
    Area {
        number: "000",
        lat: (-44.0, -12.0),
        lon: (142.0, 149.0),
    },
    Area {
        number: "000",
        lat: (-40.0, -20.0),
        lon: (149.0, 154.0),
    },
    Area {
        number: "111",
        lat: (-47.5, -34.0),
        lon: (166.0, 179.0),
    },
];

/// Emergency number at a place that is known to `accuracy_m`: 911 unless all of that circle is in an area with another one.
fn number_at(here: &WalkHere) -> &'static str {
    let (lat, lon) = (
        f64::from(here.place.lat_e7) / 1e7,
        f64::from(here.place.lon_e7) / 1e7,
    );
    // A degree of longitude is more than a third of one of latitude as far north as these areas reach.
    let doubt = here.accuracy_m.max(0.0) / METERS_PER_DEGREE * 3.0;
    let is_in = |value: f64, (from, to): (f64, f64)| from + doubt < value && value < to - doubt;
    let area = AREAS
        .iter()
        .find(|it| is_in(lat, it.lat) && is_in(lon, it.lon));
    area.map_or(HOME_NUMBER, |it| it.number)
}

/// Meters of a degree of latitude.
const METERS_PER_DEGREE: f64 = 111_000.0;

/// Chooses among `known` positions, in any order, and says when that was, at `now` in milliseconds since 1970: of those of
/// the last half minute the most certain one, or else the last one. `None` without a position.
pub fn emergency_place(
    known: &[WalkHere],
    now: i64,
    clock: Clock<'_>,
    units: Units,
) -> Option<EmergencyPlace> {
    let is_now = |it: &WalkHere| (now - it.at).abs() <= NOW_MS;
    let doubt = |it: &WalkHere| {
        let accuracy_m = if it.accuracy_m > 0.0 {
            it.accuracy_m
        } else {
            UNKNOWN_ACCURACY_M
        };
        accuracy_m + (now - it.at).max(0) as f64 / 1_000.0 * RUNNING_M_S
    };
    let fresh = known.iter().filter(|it| is_now(it));
    let here = fresh
        .min_by(|a, b| doubt(a).total_cmp(&doubt(b)))
        .or_else(|| known.iter().max_by_key(|it| it.at))?;
    let degrees = |e7: i32| format!("{:.5}", f64::from(e7) / 1e7);
    let meters = here.accuracy_m.ceil();
    let accuracy = || format!("accurate to {}", format::distance(meters, units));
    Some(EmergencyPlace {
        intro: intro(here, is_now(here), now, clock),
        degrees: format!(
            "{}, {}",
            degrees(here.place.lat_e7),
            degrees(here.place.lon_e7)
        ),
        accuracy: (meters > 0.0).then(accuracy),
        is_now: is_now(here),
        number: number_at(here),
    })
}

fn intro(here: &WalkHere, is_now: bool, now: i64, clock: Clock<'_>) -> String {
    if is_now {
        return "You are at".to_owned();
    }
    let day = |at| Instant(at).civil(clock.zone).0;
    let time = clock.time(Instant(here.at));
    if day(here.at) == day(now) {
        format!("At {time} you were at")
    } else {
        format!("On {} at {time} you were at", format::date(day(here.at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::place::Place;
    use crate::values::units::HourCycle;
    use crate::values::zone::TimeZone;

    /// Nov 20, 2026, 9:31 AM in UTC.
    const NOW: i64 = 1_795_167_060_000;

    fn fix(age_ms: i64, accuracy_m: f64) -> WalkHere {
        WalkHere {
            place: Place {
                lat_e7: 421_000_000,
                lon_e7: -711_000_000 + i32::try_from(age_ms / 1_000).unwrap_or_default() * 100,
            },
            at: NOW - age_ms,
            accuracy_m,
        }
    }

    fn said(known: &[WalkHere]) -> Option<(String, String, Option<String>)> {
        let clock = Clock {
            zone: &TimeZone::UTC,
            cycle: HourCycle::H12,
        };
        emergency_place(known, NOW, clock, Units::Metric)
            .map(|it| (it.intro, it.degrees, it.accuracy))
    }

    fn check(known: &[WalkHere], intro: &str, degrees: &str, accuracy: Option<&str>) {
        let expected = (intro.into(), degrees.into(), accuracy.map(Into::into));
        assert_eq!(said(known), Some(expected));
    }

    #[test]
    fn an_emergency_says_where_one_is_for_half_a_minute_only() {
        let near = Some("accurate to 8 m");
        check(&[fix(0, 7.2)], "You are at", "42.10000, -71.10000", near);
        check(
            &[fix(30_000, 7.2)],
            "You are at",
            "42.10000, -71.09970",
            near,
        );
        check(
            &[fix(31_000, 7.2)],
            "At 9:30 AM you were at",
            "42.10000, -71.09969",
            near,
        );
        check(
            &[fix(1_200_000, 0.0)],
            "At 9:11 AM you were at",
            "42.10000, -71.08800",
            None,
        );
        check(
            &[fix(86_400_000, 8.0)],
            "On Nov 19, 2026 at 9:31 AM you were at",
            "42.10000, -70.23600",
            near,
        );
        assert_eq!(said(&[]), None);
    }

    #[test]
    fn an_emergency_prefers_a_sure_position_of_now_and_otherwise_the_last_one() {
        let vague = Some("accurate to 900 m");
        check(
            &[fix(12_000, 8.0), fix(1_000, 900.0)],
            "You are at",
            "42.10000, -71.09988",
            Some("accurate to 8 m"),
        );
        // It may be 60 meters away by now.
        check(
            &[fix(20_000, 8.0), fix(1_000, 40.0)],
            "You are at",
            "42.10000, -71.09999",
            Some("accurate to 40 m"),
        );
        check(
            &[fix(300_000, 8.0), fix(1_000, 900.0)],
            "You are at",
            "42.10000, -71.09999",
            vague,
        );
        check(
            &[fix(60_000, 900.0), fix(300_000, 8.0)],
            "At 9:30 AM you were at",
            "42.10000, -71.09940",
            vague,
        );
    }

    #[test]
    fn the_number_is_the_local_one_where_the_place_is_surely_in_another_country() {
        let number = |lat: f64, lon: f64, accuracy_m: f64| {
            let place = Place::from_degrees(lat, lon).unwrap();
            let here = WalkHere {
                place,
                at: NOW,
                accuracy_m,
            };
            let clock = Clock {
                zone: &TimeZone::UTC,
                cycle: HourCycle::H12,
            };
            emergency_place(&[here], NOW, clock, Units::Metric).map(|it| it.number)
        };
        for (place, lat, lon, expected) in [
            ("Boston", 42.36, -71.06, "911"),
            ("Honolulu", 21.31, -157.86, "911"),
            ("Helsinki", 60.17, 24.94, "112"),
            ("Lisbon", 38.72, -9.14, "112"),
            ("Heraklion", 35.34, 25.13, "112"),
            ("Tunis", 36.81, 10.18, "911"),
            ("Reykjavik", 64.15, -21.94, "112"),
            ("Sydney", -33.87, 151.21, "000"),
            ("Auckland", -36.85, 174.76, "111"),
            // Where several numbers are near each other, or one does not reach all help.
            ("Tangier", 35.77, -5.80, "911"),
            ("Port Moresby", -9.44, 147.18, "911"),
            ("Tokyo", 35.68, 139.69, "911"),
        ] {
            assert_eq!(number(lat, lon, 20.0), Some(expected), "{place}");
        }
        // Somewhere within a thousand kilometers is not surely there.
        assert_eq!(number(60.17, 24.94, 1_000_000.0), Some("911"));
    }

    #[test]
    fn the_accuracy_is_in_the_units_of_the_sitter() {
        let clock = Clock {
            zone: &TimeZone::UTC,
            cycle: HourCycle::H12,
        };
        let place = emergency_place(&[fix(0, 7.2)], NOW, clock, Units::Imperial);
        assert_eq!(
            place.and_then(|it| it.accuracy).as_deref(),
            Some("accurate to 26 ft")
        );
    }
}
