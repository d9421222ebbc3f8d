//! Owns how values are written for people: times, dates, durations, distances, weights, names (SPEC 9). Money writes itself
//! (`Cents`).

use crate::values::units::{HourCycle, Units};
use crate::values::zone::TimeZone;
use crate::{Date, Instant, Now, Time};

/// Shorter beginnings of a word mean too many things.
pub(crate) const LEAST_LETTERS: usize = 3;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(crate) const WEEKDAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// A time of day: `9:30 AM`, `12:00 PM`, `12:05 AM`, or `09:30`, `12:00`, `00:05`.
pub fn time(time: Time, cycle: HourCycle) -> String {
    if cycle == HourCycle::H23 {
        return time.to_string();
    }
    let (hour, minute) = (time.minute_of_day() / 60, time.minute_of_day() % 60);
    let half = if hour < 12 { "AM" } else { "PM" };
    let hour = if hour % 12 == 0 { 12 } else { hour % 12 };
    format!("{hour}:{minute:02} {half}")
}

/// How a business reads moments: in its zone, on its clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock<'a> {
    /// Its time zone.
    pub zone: &'a TimeZone,
    /// How times of day are shown.
    pub cycle: HourCycle,
}

impl Clock<'_> {
    /// The time of day of a moment.
    pub fn time(self, at: Instant) -> String {
        time(at.civil(self.zone).1, self.cycle)
    }
}

/// From and to: `9:30 AM - 10:00 AM`.
pub fn time_range(start: Time, minutes: u32, cycle: HourCycle) -> String {
    let end = Time::from_minutes(i64::from(start.minute_of_day()) + i64::from(minutes));
    from_to(start, end, cycle)
}

/// As `time_range`, for an end that is known.
pub fn from_to(start: Time, end: Time, cycle: HourCycle) -> String {
    [&time(start, cycle), " - ", &time(end, cycle)].concat()
}

/// The heading of a day: `Friday, November 20`.
pub fn date_heading(date: Date) -> String {
    let (_, month, day) = date.parts();
    format!("{}, {} {day}", weekday(date), month_name(month))
}

/// A date in a list: `Nov 20, 2026`.
pub fn date(date: Date) -> String {
    let (year, month, day) = date.parts();
    let short = month_name(month).get(..3).unwrap_or_default();
    format!("{short} {day}, {year}")
}

/// A date of this year in a sentence: `Nov 20`.
pub fn month_day(date: Date) -> String {
    let (_, month, day) = date.parts();
    let short = month_name(month).get(..3).unwrap_or_default();
    format!("{short} {day}")
}

/// A day and a time in a message: `Mon Nov 30, 12:00 PM`.
pub fn day_and_time(date: Date, at: Time, cycle: HourCycle) -> String {
    let day = weekday(date).get(..3).unwrap_or_default();
    [day, " ", &month_day(date), ", ", &time(at, cycle)].concat()
}

/// The heading of a month: `November 2026`.
pub fn month_heading(date: Date) -> String {
    let (year, month, _) = date.parts();
    format!("{} {year}", month_name(month))
}

/// The day's name: `Friday`.
pub fn weekday(date: Date) -> &'static str {
    WEEKDAYS
        .get(usize::from(date.day_of_week()))
        .copied()
        .unwrap_or_default()
}

/// The month, 1 to 12, whose name begins with these small letters, three at least.
pub(crate) fn month_named(beginning: &str) -> Option<i8> {
    i8::try_from(named(&MONTHS, beginning)? + 1).ok()
}

/// The weekday, 0 = Sunday, whose name begins with these small letters, three at least.
pub(crate) fn weekday_named(beginning: &str) -> Option<i64> {
    i64::try_from(named(&WEEKDAYS, beginning)?).ok()
}

fn named(names: &[&str], beginning: &str) -> Option<usize> {
    let begins = |name: &&str| {
        let start = name.get(..beginning.len());
        start.is_some_and(|it| it.eq_ignore_ascii_case(beginning))
    };
    let is_enough = LEAST_LETTERS <= beginning.len();
    names.iter().position(begins).filter(|_| is_enough)
}

/// A month, 1 to 12, by its name.
pub(crate) fn month_name(month: i8) -> &'static str {
    usize::try_from(month - 1)
        .ok()
        .and_then(|it| MONTHS.get(it))
        .copied()
        .unwrap_or_default()
}

/// SPEC 9, Messaging: under a minute `Just now`, then minutes, hours under 24, days under 7, then a date.
///
/// What lies ahead, because another clock is fast, was just now.
pub fn relative_time(at: Instant, now: &Now) -> String {
    let minutes = (now.at.0 - at.0) / 60_000;
    match minutes {
        ..1 => "Just now".to_owned(),
        1..60 => format!("{minutes}m ago"),
        60..1440 => format!("{}h ago", minutes / 60),
        1440..10_080 => format!("{}d ago", minutes / 1440),
        _ => date(at.civil(&now.zone).0),
    }
}

/// A length of time: `30 min`, `1 h`, `1 h 30 min`.
pub fn duration(minutes: u32) -> String {
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes} min"),
    }
}

/// SPEC 9, Route.
pub const METERS_PER_MILE: f64 = 1609.0;

const FEET_PER_METER: f64 = 3.280_84;

const POUNDS_PER_KILOGRAM: f64 = 2.204_62;

/// A distance: `350 ft`, `1.2 mi`, or `350 m`, `1.2 km`.
pub fn distance(meters: f64, units: Units) -> String {
    match units {
        Units::Imperial if meters < METERS_PER_MILE / 10.0 => {
            rounded(meters * FEET_PER_METER) + " ft"
        }
        Units::Imperial => tenths(meters / METERS_PER_MILE) + " mi",
        Units::Metric if meters < 1000.0 => rounded(meters) + " m",
        Units::Metric => tenths(meters / 1000.0) + " km",
    }
}

/// A weight that is kept in pounds: `70 lbs`, or `31.8 kg`.
pub fn weight(pounds: f64, units: Units) -> String {
    match units {
        Units::Imperial => {
            let tenths = tenths(pounds);
            tenths.strip_suffix(".0").unwrap_or(&tenths).to_owned() + " lbs"
        }
        Units::Metric => tenths(pounds / POUNDS_PER_KILOGRAM) + " kg",
    }
}

/// Whole numbers are printed as integers: the general printing of fractions would be the phone's largest function.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a saturating cast is right for a number to read"
)]
fn rounded(number: f64) -> String {
    (number.round() as i64).to_string()
}

/// One decimal, half away from zero.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a saturating cast is right for a number to read"
)]
fn tenths(number: f64) -> String {
    let tenths = (number * 10.0).round() as i64;
    let sign = if tenths < 0 { "-" } else { "" };
    format!(
        "{sign}{}.{}",
        tenths.unsigned_abs() / 10,
        tenths.unsigned_abs() % 10
    )
}

/// Names in a sentence: `Biscuit`, `Biscuit and Rex`, `Biscuit, Rex and Luna`.
pub fn names(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|it| set_apart(it)).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => first.join(", ") + " and " + last,
    }
}

/// Counts what this noun names: `1 visit`, `3 visits`. Of all nouns in sentences the plural has an s.
pub(crate) fn counted(n: usize, noun: &str) -> String {
    format!("{n} {}", plural(n, noun))
}

/// The noun for so many: `visit`, `visits`.
pub(crate) fn plural(n: usize, noun: &str) -> String {
    let ending = if n == 1 { "" } else { "s" };
    [noun, ending].concat()
}

/// A person's words within a sentence of ours. What is written from right to left would change places with the numbers
/// and the punctuation beside it; between two marks that nobody sees (Unicode's isolates) it does not. Others stay as
/// they are.
pub fn set_apart(words: &str) -> String {
    let is_right_to_left = |it| matches!(it, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}');
    if words.contains(is_right_to_left) {
        format!("\u{2068}{words}\u{2069}")
    } else {
        words.to_owned()
    }
}
