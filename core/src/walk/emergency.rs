//! Owns what an emergency says of the place to send help to: where the walker is, or when they were last known to be there.

use serde::Serialize;

use super::state::WalkHere;
use crate::Instant;
use crate::values::format::{self, Clock};

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
    /// `give or take 8 m`; absent where it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<String>,
    /// True if the person is there now.
    pub is_now: bool,
}

/// Chooses among `known` positions, in any order, and says when that was, at `now` in milliseconds since 1970: of those of
/// the last half minute the most certain one, or else the last one. `None` without a position.
pub fn emergency_place(known: &[WalkHere], now: i64, clock: Clock<'_>) -> Option<EmergencyPlace> {
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
    Some(EmergencyPlace {
        intro: intro(here, is_now(here), now, clock),
        degrees: format!(
            "{}, {}",
            degrees(here.place.lat_e7),
            degrees(here.place.lon_e7)
        ),
        accuracy: (meters > 0.0).then(|| {
            format!(
                "accurate to {} ft ({meters} m)",
                (meters * FEET_PER_M).ceil()
            )
        }),
        is_now: is_now(here),
    })
}

const FEET_PER_M: f64 = 3.280_84;

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
        emergency_place(known, NOW, clock).map(|it| (it.intro, it.degrees, it.accuracy))
    }

    fn check(known: &[WalkHere], intro: &str, degrees: &str, accuracy: Option<&str>) {
        let expected = (intro.into(), degrees.into(), accuracy.map(Into::into));
        assert_eq!(said(known), Some(expected));
    }

    #[test]
    fn an_emergency_says_where_one_is_for_half_a_minute_only() {
        let near = Some("accurate to 27 ft (8 m)");
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
        let vague = Some("accurate to 2953 ft (900 m)");
        check(
            &[fix(12_000, 8.0), fix(1_000, 900.0)],
            "You are at",
            "42.10000, -71.09988",
            Some("accurate to 27 ft (8 m)"),
        );
        // It may be 60 meters away by now.
        check(
            &[fix(20_000, 8.0), fix(1_000, 40.0)],
            "You are at",
            "42.10000, -71.09999",
            Some("accurate to 132 ft (40 m)"),
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
}
