//! Owns dates, times of day, instants and `Now`: what the caller says the clock shows, since the core has no clock.

use std::fmt;
use std::str::FromStr;

use jiff::civil;
use jiff::tz::TimeZone;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

/// A text that should be a date, a time of day or an instant and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("not a valid {0}")]
pub struct TimeError(&'static str);

/// A day of the calendar, wall clock in the sitter's time zone; in JSON `YYYY-MM-DD`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, format = "date"))]
pub struct Date(#[cfg_attr(target_arch = "wasm32", tsify(type = "string"))] civil::Date);

impl Date {
    /// The date, or `None` where the calendar has no such day.
    pub fn new(year: i16, month: i8, day: i8) -> Option<Self> {
        civil::Date::new(year, month, day).ok().map(Self)
    }

    /// `days` later, or earlier when negative; stays at the calendar's end (year 9999).
    pub fn plus_days(self, days: i64) -> Self {
        Self(self.0.saturating_add(jiff::Span::new().try_days(days).unwrap_or_default()))
    }

    /// The day of the month `day` in the month `months` later, or `None` where that month has no such day.
    pub fn in_month(self, months: i32, day: i8) -> Option<Self> {
        let month = i32::from(self.0.year()) * 12 + i32::from(self.0.month()) - 1 + months;
        let year = i16::try_from(month.div_euclid(12)).ok()?;
        let month = i8::try_from(month.rem_euclid(12) + 1).ok()?;
        Self::new(year, month, day)
    }

    /// 0 = Sunday to 6 = Saturday (SPEC 3, Availability pattern).
    pub fn day_of_week(self) -> u8 {
        u8::try_from(self.0.weekday().to_sunday_zero_offset()).unwrap_or_default()
    }

    /// The Sunday that begins this date's week (SPEC 9, Scheduling).
    pub fn week_start(self) -> Self {
        self.plus_days(-i64::from(self.day_of_week()))
    }

    /// Days since 1970-01-01, for arithmetic across midnight.
    pub fn days_since_epoch(self) -> i64 {
        i64::from((self.0 - civil::date(1970, 1, 1)).get_days())
    }

    /// Year, month 1-12, day 1-31.
    pub fn parts(self) -> (i16, i8, i8) {
        (self.0.year(), self.0.month(), self.0.day())
    }

    /// Minutes since 1970-01-01 00:00 of this wall clock: one number line for intervals that cross midnight.
    pub fn minute(self, time: Time) -> i64 {
        self.days_since_epoch() * MINUTES_PER_DAY + i64::from(time.minute_of_day())
    }
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
        let mut parts = text.splitn(3, '-');
        let mut next = |length: usize| parts.next().filter(|it| it.len() == length);
        let (year, month, day) = (next(4), next(2), next(2));
        year.and_then(|it| it.parse().ok())
            .zip(month.and_then(|it| it.parse().ok()))
            .zip(day.and_then(|it| it.parse().ok()))
            .and_then(|((year, month), day)| Self::new(year, month, day))
            .ok_or(TimeError("date"))
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
        if hour < 24 && minute < 60 { Some(Self(hour * 60 + minute)) } else { None }
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
        let mut parts = text.split(':');
        let mut next = || parts.next().filter(|it| it.len() == 2).and_then(|it| it.parse().ok());
        match (next(), next()) {
            (Some(hour), Some(minute)) => Self::new(hour, minute).ok_or(TimeError("time")),
            _ => Err(TimeError("time")),
        }
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
        let at = zone.to_datetime(self.timestamp());
        let minutes = i64::from(at.hour()) * 60 + i64::from(at.minute());
        (Date(at.date()), Time::from_minutes(minutes))
    }

    /// The moment at which the wall clock in `zone` shows `date` and `time`.
    ///
    /// A time that the clock skips is moved forward by the gap; of a time shown twice the first counts.
    pub fn from_civil(date: Date, time: Time, zone: &TimeZone) -> Self {
        let (hour, minute) = (time.0 / 60, time.0 % 60);
        let hour = i8::try_from(hour).unwrap_or_default();
        let minute = i8::try_from(minute).unwrap_or_default();
        zone.to_timestamp(date.0.at(hour, minute, 0, 0))
            .map_or(Self::default(), |it| Self(it.as_millisecond()))
    }

    fn timestamp(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or_default()
    }
}

impl fmt::Display for Instant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (date, time) = self.civil(&TimeZone::UTC);
        let millis = self.0.rem_euclid(60_000);
        write!(formatter, "{date}T{time}:{:02}.{:03}Z", millis / 1000, millis % 1000)
    }
}

impl FromStr for Instant {
    type Err = TimeError;

    /// Takes RFC 3339 with any offset.
    fn from_str(text: &str) -> Result<Self, TimeError> {
        text.parse::<jiff::Timestamp>()
            .map(|it| Self(it.as_millisecond()))
            .map_err(|_| TimeError("date and time"))
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
