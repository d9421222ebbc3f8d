//! Owns dates and times of day as people and the API write them (RFC 3339).

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A text that should be a date, a time of day or an instant and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a valid {0}")]
pub struct TimeError(pub(super) &'static str);

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
pub(crate) const FIRST_DAY: i64 = -719_528;

pub(crate) const LAST_DAY: i64 = 2_932_896;

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
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

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
    pub(crate) fn sign(&mut self, signs: &[u8]) -> Option<u8> {
        let (sign, rest) = self.0.split_first()?;
        self.0 = rest;
        signs.contains(sign).then_some(*sign)
    }

    pub(crate) fn date(&mut self) -> Option<Date> {
        let year = self.number(4)?;
        self.sign(b"-")?;
        let month = self.number(2)?;
        self.sign(b"-")?;
        let day = self.number(2)?;
        Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?)
    }

    /// Reads a time of day as `HH:MM`.
    pub(crate) fn time(&mut self) -> Option<Time> {
        let hour = self.number(2)?;
        self.sign(b":")?;
        Time::new(hour.try_into().ok()?, self.number(2)?.try_into().ok()?)
    }

    /// `:SS`, and a fraction of any length; in milliseconds.
    pub(crate) fn seconds(&mut self) -> Option<i64> {
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
    pub(crate) fn offset(&mut self) -> Option<i64> {
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

macro_rules! text_in_json {
    ($($name:ident),*) => { $(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )* };
}

text_in_json!(Date, Time);

pub(super) use text_in_json;
