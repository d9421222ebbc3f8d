//! Owns dates as people type them where one line is for everything: `tomorrow`, `nov 30`, `12/24`.

use crate::Date;
use crate::values::format::{LEAST_LETTERS, month_named, weekday_named};

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
