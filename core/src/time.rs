//! Owns dates, times of day, instants and `Now`: what the caller says the clock shows, since the core has no clock.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use crate::zone::TimeZone;

/// A text that should be a date, a time of day or an instant and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a valid {0}")]
pub struct TimeError(&'static str);

/// A day of the calendar, wall clock in the sitter's time zone; in JSON `YYYY-MM-DD`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = "date"))]
pub struct Date(
    /// Days since 1970-01-01.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "string"))]
    i32,
);

/// 0000-01-01 and 9999-12-31: what four digits can say.
const FIRST_DAY: i64 = -719_528;
const LAST_DAY: i64 = 2_932_896;

impl Date {
    /// The date, or `None` where the calendar has no such day.
    pub fn new(year: i16, month: i8, day: i8) -> Option<Self> {
        let date = Self::of_days(days_of(year.into(), month.into(), day.into()));
        // A day that the calendar does not have comes out as another one.
        (date.parts() == (year, month, day)).then_some(date)
    }

    /// From days since 1970-01-01; stays within the years 0 to 9999.
    pub(crate) fn of_days(days: i64) -> Self {
        Self(i32::try_from(days.clamp(FIRST_DAY, LAST_DAY)).unwrap_or_default())
    }

    /// `days` later, or earlier when negative; stays within the years 0 to 9999.
    pub fn plus_days(self, days: i64) -> Self {
        Self::of_days(self.days_since_epoch().saturating_add(days))
    }

    /// The day of the month `day` in the month `months` later, or `None` where that month has no such day.
    pub fn in_month(self, months: i32, day: i8) -> Option<Self> {
        let (year, month, _) = self.parts();
        let month = i32::from(year) * 12 + i32::from(month) - 1 + months;
        let year = i16::try_from(month.div_euclid(12)).ok()?;
        let month = i8::try_from(month.rem_euclid(12) + 1).ok()?;
        Self::new(year, month, day)
    }

    /// 0 = Sunday to 6 = Saturday (SPEC 3, Availability pattern).
    pub fn day_of_week(self) -> u8 {
        // 1970-01-01 was a Thursday.
        u8::try_from((self.0 + 4).rem_euclid(7)).unwrap_or_default()
    }

    /// The Sunday that begins this date's week (SPEC 9, Scheduling).
    pub fn week_start(self) -> Self {
        self.plus_days(-i64::from(self.day_of_week()))
    }

    /// Days since 1970-01-01, for arithmetic across midnight.
    pub fn days_since_epoch(self) -> i64 {
        self.0.into()
    }

    /// Year, month 1-12, day 1-31.
    pub fn parts(self) -> (i16, i8, i8) {
        // Years that begin in March put the leap day last, so that a month's place in the year does not depend on it.
        let days = self.days_since_epoch() - FIRST_MARCH;
        let century = days.div_euclid(DAYS_PER_400_YEARS);
        let day = days.rem_euclid(DAYS_PER_400_YEARS);
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = century * 400 + year + i64::from(month <= 2);
        (
            i16::try_from(year).unwrap_or_default(),
            i8::try_from(month).unwrap_or_default(),
            i8::try_from(day).unwrap_or_default(),
        )
    }

    /// Minutes since 1970-01-01 00:00 of this wall clock: one number line for intervals that cross midnight.
    pub fn minute(self, time: Time) -> i64 {
        self.days_since_epoch() * MINUTES_PER_DAY + i64::from(time.minute_of_day())
    }
}

/// 0000-03-01 in days since 1970-01-01.
const FIRST_MARCH: i64 = -719_468;
const DAYS_PER_400_YEARS: i64 = 146_097;

/// The inverse of `Date::parts`; of a day that does not exist the day that many days after the month's begin.
const fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let (century, year) = (year.div_euclid(400), year.rem_euclid(400));
    let days = year * 365 + year / 4 - year / 100 + (153 * month + 2) / 5 + day - 1;
    century * DAYS_PER_400_YEARS + days + FIRST_MARCH
}

/// Wall-clock minutes in a day; daylight saving changes instants, not the wall clock.
pub const MINUTES_PER_DAY: i64 = 24 * 60;

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(formatter, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Date {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, TimeError> {
        let mut reader = Reader(text.as_bytes());
        let date = reader.date();
        date.filter(|_| reader.0.is_empty())
            .ok_or(TimeError("date"))
    }
}

/// Reads fixed-width numbers and signs off the front of a text.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    /// A number of exactly that many digits.
    fn number(&mut self, n_digits: usize) -> Option<i16> {
        let (digits, rest) = self.0.split_at_checked(n_digits)?;
        self.0 = rest;
        let digit = |it: &u8| it.is_ascii_digit().then(|| i16::from(it - b'0'));
        digits
            .iter()
            .try_fold(0, |sum, it| Some(sum * 10 + digit(it)?))
    }

    /// One of these signs.
    fn sign(&mut self, signs: &[u8]) -> Option<u8> {
        let (sign, rest) = self.0.split_first()?;
        self.0 = rest;
        signs.contains(sign).then_some(*sign)
    }

    fn date(&mut self) -> Option<Date> {
        let year = self.number(4)?;
        self.sign(b"-")?;
        let month = self.number(2)?;
        self.sign(b"-")?;
        let day = self.number(2)?;
        Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?)
    }

    /// `HH:MM`.
    fn time(&mut self) -> Option<Time> {
        let hour = self.number(2)?;
        self.sign(b":")?;
        Time::new(hour.try_into().ok()?, self.number(2)?.try_into().ok()?)
    }

    /// `:SS`, and a fraction of any length; in milliseconds.
    fn seconds(&mut self) -> Option<i64> {
        self.sign(b":")?;
        // 60 is a leap second; it counts as the next minute's first.
        let mut millis = i64::from(self.number(2).filter(|it| *it <= 60)?) * 1000;
        if self.0.first() == Some(&b'.') {
            self.0 = self.0.get(1..)?;
            let mut worth = 100;
            while self.0.first().is_some_and(u8::is_ascii_digit) {
                millis += i64::from(self.number(1)?) * worth;
                worth /= 10;
            }
        }
        Some(millis)
    }

    /// `Z` or `+HH:MM`, in minutes.
    fn offset(&mut self) -> Option<i64> {
        let sign = match self.sign(b"Zz+-")? {
            b'+' => 1,
            b'-' => -1,
            _ => return Some(0),
        };
        Some(sign * i64::from(self.time()?.minute_of_day()))
    }
}

/// A time of day to the minute, 00:00 to 23:59, wall clock; in JSON `HH:MM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, pattern = r"^\d\d:\d\d$"))]
pub struct Time(#[cfg_attr(target_arch = "wasm32", tsify(type = "string"))] u16);

impl Time {
    /// The time, or `None` outside 00:00 to 23:59.
    pub const fn new(hour: u16, minute: u16) -> Option<Self> {
        if hour < 24 && minute < 60 {
            Some(Self(hour * 60 + minute))
        } else {
            None
        }
    }

    /// Hour of the day for constants; minutes 0.
    pub const fn hour(hour: u16) -> Self {
        Self((hour % 24) * 60)
    }

    /// From minutes after midnight, wrapping past the end of the day.
    pub fn from_minutes(minutes: i64) -> Self {
        Self(u16::try_from(minutes.rem_euclid(MINUTES_PER_DAY)).unwrap_or_default())
    }

    /// Minutes after midnight, 0 to 1439.
    pub const fn minute_of_day(self) -> u16 {
        self.0
    }
}

impl fmt::Display for Time {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl FromStr for Time {
    type Err = TimeError;

    /// Takes `HH:MM` and, as some time inputs give it, `HH:MM:SS`, whose seconds are dropped (SPEC 3: shown to 5 characters).
    fn from_str(text: &str) -> Result<Self, TimeError> {
        let mut reader = Reader(text.as_bytes());
        let time = reader.time();
        let is_whole = reader.0.is_empty() || (reader.seconds().is_some() && reader.0.is_empty());
        time.filter(|_| is_whole).ok_or(TimeError("time"))
    }
}

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

pub(crate) const MS_PER_MINUTE: i64 = 60_000;

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

macro_rules! text_in_json {
    ($($name:ident),*) => { $(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(D::Error::custom)
            }
        }
    )* };
}
text_in_json!(Date, Time, Instant);

/// What the caller says the time is, and the sitter's zone in which dates and times of day are meant.
#[derive(Clone, Debug)]
pub struct Now {
    /// The moment.
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
