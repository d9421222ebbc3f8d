//! Owns moments: an instant, and the time that a caller says it is (RFC 3339).

use std::fmt;
use std::str::FromStr;

use crate::values::date::{Date, MINUTES_PER_DAY, Reader, Time, TimeError, text_in_json};
use crate::values::zone::TimeZone;

/// A moment, in milliseconds since 1970-01-01T00:00Z; in JSON RFC 3339 in UTC with milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = "date-time"))]
pub struct Instant(#[cfg_attr(target_arch = "wasm32", tsify(type = "string"))] pub i64);

impl Instant {
    /// The wall clock's date and time in `zone` at this moment.
    pub fn civil(self, zone: &TimeZone) -> (Date, Time) {
        let minutes = (self.0 + offset_ms(self.0, zone)).div_euclid(MS_PER_MINUTE);
        (
            Date::of_days(minutes.div_euclid(MINUTES_PER_DAY)),
            Time::from_minutes(minutes),
        )
    }

    /// The moment at which the wall clock in `zone` shows `date` and `time`.
    ///
    /// A time that the clock skips is moved forward by the gap; of a time shown twice the first counts.
    pub fn from_civil(date: Date, time: Time, zone: &TimeZone) -> Self {
        let local = date.minute(time) * MS_PER_MINUTE;
        // The zone's offset from UTC well before and well after: the clock is changed at most once in between.
        let day = MINUTES_PER_DAY * MS_PER_MINUTE;
        let (before, after) = (offset_ms(local - day, zone), offset_ms(local + day, zone));
        let shows = |moment: i64| moment + offset_ms(moment, zone) == local;
        if shows(local - before) || !shows(local - after) {
            Self(local - before)
        } else {
            Self(local - after)
        }
    }
}

text_in_json!(Instant);

/// Milliseconds of a minute.
pub const MS_PER_MINUTE: i64 = 60_000;
pub(crate) const MS_PER_HOUR: i64 = 60 * MS_PER_MINUTE;
pub(crate) const MS_PER_DAY: i64 = 24 * MS_PER_HOUR;

/// How far the wall clock in `zone` is ahead of UTC at a moment, in milliseconds.
fn offset_ms(moment: i64, zone: &TimeZone) -> i64 {
    zone.offset_at(moment.div_euclid(1000)) * 1000
}

impl fmt::Display for Instant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (date, time) = self.civil(&TimeZone::UTC);
        let millis = self.0.rem_euclid(60_000);
        write!(
            formatter,
            "{date}T{time}:{:02}.{:03}Z",
            millis / 1000,
            millis % 1000
        )
    }
}

impl FromStr for Instant {
    type Err = TimeError;

    /// Takes RFC 3339 with any offset.
    fn from_str(text: &str) -> Result<Self, TimeError> {
        let mut reader = Reader(text.as_bytes());
        let mut read = || {
            let date = reader.date()?;
            reader.sign(b"Tt ")?;
            let minute = date.minute(reader.time()?);
            let millis = reader.seconds()?;
            let minute = minute - reader.offset()?;
            reader
                .0
                .is_empty()
                .then(|| Self(minute * MS_PER_MINUTE + millis))
        };
        read().ok_or(TimeError("date and time"))
    }
}

/// Current time as the caller gives it, and the sitter's zone in which dates and times of day are meant.
#[derive(Clone, Debug)]
pub struct Now {
    /// The current moment.
    pub at: Instant,
    /// The sitter's IANA time zone.
    pub zone: TimeZone,
}

impl Now {
    /// The wall clock's date now.
    pub fn today(&self) -> Date {
        self.at.civil(&self.zone).0
    }

    /// The wall clock's time of day now.
    pub fn time(&self) -> Time {
        self.at.civil(&self.zone).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::date::{FIRST_DAY, LAST_DAY};
    use proptest::prelude::*;

    fn date(text: &str) -> Date {
        text.parse().unwrap()
    }

    const NEW_YORK: &str = "EST5EDT,M3.2.0,M11.1.0";

    fn new_york() -> TimeZone {
        TimeZone::posix(NEW_YORK).unwrap()
    }

    #[test]
    fn a_date_is_a_day_that_exists() {
        for text in [
            "2024-02-29",
            "1970-01-01",
            "0000-01-01",
            "9999-12-31",
            "2000-02-29",
        ] {
            assert_eq!(date(text).to_string(), text);
        }
        for text in [
            "2023-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-04-31",
            "2026-1-1",
            "26-01-01",
            "2026-01-01T",
            "",
            "+026-01-01",
            "2026/01/01",
            "2026-01-00",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text} is no date");
        }
    }

    #[test]
    fn weeks_start_on_sunday() {
        assert_eq!(date("2026-11-20").day_of_week(), 5);
        assert_eq!(date("2026-11-22").day_of_week(), 0);
        assert_eq!(date("2026-11-20").week_start(), date("2026-11-15"));
        assert_eq!(date("2026-11-15").week_start(), date("2026-11-15"));
        assert_eq!(date("1969-12-31").day_of_week(), 3);
    }

    #[test]
    fn days_stop_at_the_end_of_the_calendar() {
        assert_eq!(date("9999-12-31").plus_days(i64::MAX), date("9999-12-31"));
        assert_eq!(date("0000-01-01").plus_days(-1), date("0000-01-01"));
        assert_eq!(date("2026-12-31").plus_days(1), date("2027-01-01"));
    }

    #[test]
    fn a_month_without_the_day_has_none() {
        assert_eq!(date("2026-01-31").in_month(1, 31), None);
        assert_eq!(date("2026-01-31").in_month(2, 31), Some(date("2026-03-31")));
        assert_eq!(
            date("2026-01-15").in_month(-1, 15),
            Some(date("2025-12-15"))
        );
    }

    #[test]
    fn a_time_is_of_the_day_and_may_come_with_seconds() {
        assert_eq!("09:30".parse::<Time>(), Ok(Time::new(9, 30).unwrap()));
        assert_eq!("09:30:59".parse::<Time>().unwrap().to_string(), "09:30");
        for text in [
            "24:00",
            "9:30",
            "09:60",
            "+9:30",
            "09:30:",
            "09-30",
            "",
            "09:30:00:00",
        ] {
            assert!(text.parse::<Time>().is_err(), "{text} is no time");
        }
    }

    #[test]
    fn an_instant_is_read_with_any_offset_and_written_in_utc() {
        let cases = [
            ("2026-11-20T15:04:05Z", "2026-11-20T15:04:05.000Z"),
            ("2026-11-20t15:04:05.1239999z", "2026-11-20T15:04:05.123Z"),
            ("2026-11-20T17:04:05.5+02:00", "2026-11-20T15:04:05.500Z"),
            ("2026-11-20T23:30:00-05:30", "2026-11-21T05:00:00.000Z"),
            ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse::<Instant>().unwrap().to_string(), expected);
        }
        for text in [
            "2026-11-20T15:04:05",
            "2026-11-20",
            "2026-11-20T15:04Z",
            "2026-11-20T15:04:05+0200",
            "now",
        ] {
            assert!(text.parse::<Instant>().is_err(), "{text} is no instant");
        }
    }

    #[test]
    fn a_time_that_the_clock_skips_is_moved_forward_and_of_two_the_first_counts() {
        let at = |day: &str, time: &str| {
            Instant::from_civil(date(day), time.parse().unwrap(), &new_york()).to_string()
        };
        assert_eq!(at("2026-03-08", "01:59"), "2026-03-08T06:59:00.000Z");
        assert_eq!(at("2026-03-08", "02:30"), "2026-03-08T07:30:00.000Z");
        assert_eq!(at("2026-03-08", "03:00"), "2026-03-08T07:00:00.000Z");
        assert_eq!(at("2026-11-01", "01:30"), "2026-11-01T05:30:00.000Z");
        assert_eq!(at("2026-11-01", "02:00"), "2026-11-01T07:00:00.000Z");
    }

    proptest! {
        #[test]
        fn days_and_parts_are_inverse_and_agree_with_jiff(days in FIRST_DAY..=LAST_DAY) {
            let date = Date::of_days(days);
            let (year, month, day) = date.parts();
            prop_assert_eq!(Date::new(year, month, day), Some(date));
            prop_assert_eq!(date.to_string().parse(), Ok(date));
            let theirs = jiff::civil::date(1970, 1, 1).saturating_add(jiff::Span::new().days(days));
            prop_assert_eq!((theirs.year(), theirs.month(), theirs.day()), (year, month, day));
            prop_assert_eq!(theirs.weekday().to_sunday_zero_offset(), i8::try_from(date.day_of_week()).unwrap());
        }

        #[test]
        fn wall_clocks_agree_with_jiff(minute in 27_000_000_i64..31_000_000) {
            let at = Instant(minute * MS_PER_MINUTE);
            let zone = new_york();
            let (date, time) = at.civil(&zone);
            let theirs = jiff::tz::TimeZone::posix(NEW_YORK).unwrap();
            let shown = theirs.to_datetime(jiff::Timestamp::from_millisecond(at.0).unwrap());
            prop_assert_eq!(format!("{date}T{time}:00"), shown.to_string());
            let back = theirs.to_timestamp(shown).unwrap().as_millisecond();
            prop_assert_eq!(Instant::from_civil(date, time, &zone).0, back);
        }

        #[test]
        fn instants_survive_their_text(ms in -62_000_000_000_000_i64..253_000_000_000_000) {
            let at = Instant(ms);
            prop_assert_eq!(at.to_string().parse(), Ok(at));
        }
    }
}
