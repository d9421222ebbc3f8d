//! Owns dates as people type them where one line is for everything: `tomorrow`, `nov 30`, `12/24`; and bookings that repeat:
//! `every mon 12:00 Luna`.

use serde::Serialize;

use crate::values::format::{LEAST_LETTERS, month_named, weekday_named};
use crate::{Date, Time};

/// More words than this are no date.
const MOST_WORDS: usize = 4;

/// A date without its year is the first such day from so many days ago on: who looks back looks back a little.
const LOOKS_BACK_DAYS: i64 = 60;

/// February 29 is away for so long at most.
const YEARS_TO_LEAP_DAY: i16 = 8;

/// Further than this nobody counts.
const MOST_AWAY: i16 = 3_660;

/// The date that the text says, if it is one, seen from `today`.
///
/// A weekday is the first one after today, `next` that of the next week; months and weekdays may be cut to three
/// letters; numbers come as in the United States, the month first, or with the year at the front.
pub fn find(text: &str, today: Date) -> Option<Date> {
    let text = text.to_ascii_lowercase();
    let words: Vec<&str> = text
        .split(|it: char| it.is_ascii() && !it.is_ascii_alphanumeric())
        .filter(|it| !it.is_empty())
        .take(MOST_WORDS + 1)
        .collect();
    match *words.as_slice() {
        [word] => near(word, today),
        ["next", day] => Some(today.week_start().plus_days(7 + weekday_named(day)?)),
        ["in", count, unit] | [count, unit] if unit_days(unit).is_some() => {
            let count = number(count).filter(|it| *it <= MOST_AWAY)?;
            Some(today.plus_days(i64::from(count) * unit_days(unit)?))
        }
        [a, b] => {
            let (month, day) = month_and_day(a, b)?;
            first_such(month, day, today)
        }
        [year, month, day] if year.len() == 4 => {
            Date::new(number(year)?, small(number(month)?)?, small(number(day)?)?)
        }
        [a, b, year] => {
            let (month, day) = month_and_day(a, b)?;
            let year = number(year)?;
            Date::new(if year < 100 { 2000 + year } else { year }, month, day)
        }
        _ => None,
    }
}

fn near(word: &str, today: Date) -> Option<Date> {
    let begins = |day: &str| LEAST_LETTERS <= word.len() && day.starts_with(word);
    let days = if begins("today") {
        0
    } else if begins("tomorrow") {
        1
    } else if begins("yesterday") {
        -1
    } else {
        let ahead = weekday_named(word)? - i64::from(today.day_of_week());
        (ahead - 1).rem_euclid(7) + 1
    };
    Some(today.plus_days(days))
}

fn unit_days(word: &str) -> Option<i64> {
    match word {
        "day" | "days" => Some(1),
        "week" | "weeks" => Some(7),
        _ => None,
    }
}

/// `nov 30`, `30 nov`, `11/30`.
fn month_and_day(a: &str, b: &str) -> Option<(i8, i8)> {
    let day = |word| small(number(word)?);
    if let Some(month) = month_named(a) {
        return Some((month, day(b)?));
    }
    if let Some(month) = month_named(b) {
        return Some((month, day(a)?));
    }
    Some((day(a)?, day(b)?))
}

fn first_such(month: i8, day: i8, today: Date) -> Option<Date> {
    let from = today.plus_days(-LOOKS_BACK_DAYS);
    let (year, ..) = from.parts();
    (year..=year + YEARS_TO_LEAP_DAY)
        .filter_map(|year| Date::new(year, month, day))
        .find(|it| from <= *it)
}

/// Reads a number such as `30` or `30th`; 0 is none.
fn number(word: &str) -> Option<i16> {
    let digits = word.trim_end_matches(|it: char| it.is_ascii_lowercase());
    let ending = word.get(digits.len()..)?;
    let is_number = matches!(ending, "" | "st" | "nd" | "rd" | "th");
    digits.parse().ok().filter(|it: &i16| is_number && 0 < *it)
}

fn small(number: i16) -> Option<i8> {
    i8::try_from(number).ok()
}

/// A booking that repeats, as far as a text says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TypedSeries {
    /// Days of the week, 0 = Sunday to 6 = Saturday, in order; empty where none is said.
    pub weekdays: Vec<u32>,
    /// Every day is said.
    pub is_daily: bool,
    /// The first of these days after today; none where no day is said.
    pub begins: Option<Date>,
    /// The start, if one is said.
    pub start_time: Option<Time>,
    /// All other words, for a search; may be empty.
    pub search: String,
}

/// The booking that repeats that the text says; `None` unless it begins with `every`.
///
/// Weekdays may be cut to three letters, or be `day` or `weekday`; the start is `12:00`, `9am` or `9:30 pm`. Words after
/// the first one that is neither are for the search.
pub fn find_series(text: &str, today: Date) -> Option<TypedSeries> {
    let separates = |it: char| it.is_whitespace() || it == ',';
    let mut words = text.split(separates).filter(|it| !it.is_empty());
    words.next().filter(|it| it.eq_ignore_ascii_case("every"))?;
    let mut found = TypedSeries {
        weekdays: Vec::new(),
        is_daily: false,
        begins: None,
        start_time: None,
        search: String::new(),
    };
    let mut rest: Vec<&str> = words.collect();
    while let Some(word) = rest.first() {
        let word = word.to_ascii_lowercase();
        let half = rest.get(1).map(|it| it.to_ascii_lowercase());
        let half = half.filter(|it| it == "am" || it == "pm");
        let with_half = half.map(|it| word.clone() + &it);
        let n_words = match (weekday_named(word.trim_end_matches('s')), word.as_str()) {
            (Some(day), _) => {
                found.weekdays.extend(u32::try_from(day));
                1
            }
            (_, "day" | "days") => {
                found.is_daily = true;
                1
            }
            (_, "weekday" | "weekdays") => {
                found.weekdays.extend(1..=5);
                1
            }
            (_, "and" | "at") => 1,
            _ if found.start_time.is_some() => break,
            _ => match (time_in(&word), with_half.and_then(|it| time_in(&it))) {
                (_, Some(time)) => {
                    found.start_time = Some(time);
                    2
                }
                (Some(time), None) => {
                    found.start_time = Some(time);
                    1
                }
                (None, None) => break,
            },
        };
        rest.drain(..n_words);
    }
    found.weekdays.sort_unstable();
    found.weekdays.dedup();
    found.search = rest.join(" ");
    let is_said = |it: &Date| found.is_daily || found.weekdays.contains(&it.day_of_week().into());
    let mut days = (1..=7).map(|it| today.plus_days(it));
    found.begins = days.find(is_said);
    Some(found)
}

/// A time of day: `12:00`, `9am`, `9:30pm`.
fn time_in(word: &str) -> Option<Time> {
    let (digits, is_later) = match (word.strip_suffix("am"), word.strip_suffix("pm")) {
        (Some(digits), _) => (digits, Some(false)),
        (_, Some(digits)) => (digits, Some(true)),
        _ => (word, None),
    };
    let (hour, minute) = match digits.split_once(':') {
        Some((hour, minute)) if minute.len() == 2 => (hour, minute.parse().ok()?),
        Some(_) => return None,
        // A number alone is none: it may belong to a name.
        None if is_later.is_none() => return None,
        None => (digits, 0),
    };
    let hour: i64 = hour.parse().ok()?;
    let hour = match is_later {
        None => Some(hour).filter(|it| (0..24).contains(it)),
        Some(is_later) => Some(hour)
            .filter(|it| (1..=12).contains(it))
            .map(|it| it % 12 + if is_later { 12 } else { 0 }),
    };
    let minute = Some(minute).filter(|it: &i64| (0..60).contains(it));
    Some(Time::from_minutes(hour? * 60 + minute?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, weekdays: &[u32], begins: &str, start: &str, search: &str) {
        // A Friday.
        let today = "2026-11-20".parse().unwrap();
        let found = find_series(text, today).unwrap();
        let said = |it: Option<String>| it.unwrap_or_default();
        assert_eq!(found.weekdays, weekdays, "{text}");
        assert_eq!(
            said(found.begins.map(|it| it.to_string())),
            begins,
            "{text}"
        );
        let time = said(found.start_time.map(|it| it.to_string()));
        assert_eq!(time, start, "{text}");
        assert_eq!(found.search, search, "{text}");
    }

    #[test]
    fn a_booking_that_repeats_is_read_as_far_as_it_is_said() {
        check("every", &[], "", "", "");
        check("every mon 12:00 Luna", &[1], "2026-11-23", "12:00", "Luna");
        check("Every Monday", &[1], "2026-11-23", "", "");
        check("every fri", &[5], "2026-11-27", "", "");
        check(
            "every tue and thu at 9am Sam Rivers",
            &[2, 4],
            "2026-11-24",
            "09:00",
            "Sam Rivers",
        );
        check(
            "every wed, mondays 9:30 pm",
            &[1, 3],
            "2026-11-23",
            "21:30",
            "",
        );
        check(
            "every weekday 12pm",
            &[1, 2, 3, 4, 5],
            "2026-11-23",
            "12:00",
            "",
        );
        check("every day 12am rex", &[], "2026-11-21", "00:00", "rex");
        check("every Luna", &[], "", "", "Luna");
        check("every 25:00", &[], "", "", "25:00");
        check("every mon 12", &[1], "2026-11-23", "", "12");
    }

    #[test]
    fn only_a_text_that_begins_with_every_is_a_booking_that_repeats() {
        let today = "2026-11-20".parse().unwrap();
        for text in ["", "mon", "everyone", "not every mon"] {
            assert_eq!(find_series(text, today), None, "{text}");
        }
    }
}
