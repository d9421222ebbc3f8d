//! Owns reading on which days, at which times and how long something repeats, as people and other programs write it:
//! `Mon, Wed, Fri`, `M/W/F`, `weekdays`, `every other Tuesday`, `FREQ=WEEKLY;BYDAY=MO,WE`; `12:00 PM`; `1 h 30 min`.

use crate::rows::series::{SeriesEnd, SeriesRule};
use crate::{Date, Time};

/// Days on which something repeats, and its end where that stands with them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Repeats {
    pub(super) rule: SeriesRule,
    pub(super) end: Option<SeriesEnd>,
}

/// The days of a cell; `None` for what cannot be read in one way.
pub(super) fn repeats(cell: &str) -> Option<Repeats> {
    let upper = cell.trim().to_uppercase();
    if upper.contains("FREQ=") {
        return rrule(upper.trim_start_matches("RRULE:"));
    }
    let lower = cell.trim().to_lowercase();
    if matches!(
        lower.as_str(),
        "every other day" | "every 2 days" | "every two days"
    ) {
        return Some(Repeats {
            rule: SeriesRule::Daily { every: 2 },
            end: None,
        });
    }
    let mut text = lower.as_str();
    let mut every = 1;
    for (words, weeks) in [
        ("every other week on", 2),
        ("every other week", 2),
        ("every two weeks on", 2),
        ("every 2 weeks on", 2),
        ("every 2 weeks", 2),
        ("every 3 weeks on", 3),
        ("every 4 weeks on", 4),
        ("every other", 2),
        ("biweekly on", 2),
        ("biweekly", 2),
        ("bi-weekly", 2),
        ("every week on", 1),
        ("weekly on", 1),
        ("weekly", 1),
        ("every", 1),
        ("each", 1),
    ] {
        if let Some(rest) = text.strip_prefix(words) {
            (text, every) = (rest.trim_start_matches([' ', ':', ',', '-']), weeks);
            break;
        }
    }
    let text = text.trim();
    if every == 1
        && matches!(
            text,
            "day" | "daily" | "days" | "everyday" | "all days" | "7 days a week"
        )
    {
        return Some(Repeats {
            rule: SeriesRule::Daily { every: 1 },
            end: None,
        });
    }
    let weekdays = weekdays(text)?;
    Some(Repeats {
        rule: SeriesRule::Weekly { every, weekdays },
        end: None,
    })
}

/// The days of the week of a text, sorted, 0 = Sunday; `None` where a part of it is none.
fn weekdays(text: &str) -> Option<Vec<u32>> {
    let apart = text
        .replace(" through ", "-")
        .replace(" thru ", "-")
        .replace(" to ", "-")
        .replace(['–', '—'], "-")
        .replace(" - ", "-")
        .replace(" and ", ",")
        .replace(['/', '&', ';', '+', '|', ' ', '\n', '.'], ",");
    let mut days = Vec::new();
    for part in apart.split(',').filter(|it| !it.is_empty()) {
        match part {
            "weekdays" | "weekday" | "workdays" => days.extend(1..=5),
            "weekends" | "weekend" => days.extend([0, 6]),
            part => match part.split_once('-') {
                Some((first, last)) => {
                    let (first, last) = (weekday(first)?, weekday(last)?);
                    let n_days = (last + 7 - first) % 7;
                    days.extend((0..=n_days).map(|it| (first + it) % 7));
                }
                None => match weekday(part) {
                    Some(day) => days.push(day),
                    None => days.extend(letters(part)?),
                },
            },
        }
    }
    days.sort_unstable();
    days.dedup();
    (!days.is_empty()).then_some(days)
}

/// `mon`, `mo`, `m`, `mondays`; `t` is a Tuesday, since a Thursday is written `th` beside it. A lone `s` is two days.
fn weekday(text: &str) -> Option<u32> {
    let text = text.trim();
    let long = [
        "sunday",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
    ];
    match text {
        "m" => return Some(1),
        "t" => return Some(2),
        "w" => return Some(3),
        "r" => return Some(4),
        "f" => return Some(5),
        _ => {}
    }
    let text = match text.strip_suffix('s') {
        Some(one) if long.contains(&one) => one,
        _ => text,
    };
    let mut days = (0_u32..)
        .zip(long)
        .filter(|(_, day)| 2 <= text.len() && day.starts_with(text));
    let (day, _) = days.next()?;
    days.next().is_none().then_some(day)
}

/// The days of `MWF`, `TTh`, `MTWRF`.
fn letters(text: &str) -> Option<Vec<u32>> {
    let mut days = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let two = rest
            .get(..2)
            .filter(|it| matches!(*it, "th" | "tu" | "sa" | "su" | "mo" | "we" | "fr"));
        let part = two.or_else(|| rest.get(..1))?;
        days.push(weekday(part)?);
        rest = rest.get(part.len()..)?;
    }
    (1 < days.len()).then_some(days)
}

/// A rule of RFC 5545; `None` where it says more than a series can.
fn rrule(text: &str) -> Option<Repeats> {
    let (mut freq, mut every) = ("", 1);
    let (mut by_day, mut by_month_day, mut end) = (Vec::new(), None, None);
    for part in text.split(';').map(str::trim).filter(|it| !it.is_empty()) {
        let (name, value) = part.split_once('=')?;
        match name {
            "FREQ" => freq = value,
            "INTERVAL" => every = value.parse::<u32>().ok().filter(|it| 0 < *it)?,
            "BYDAY" => by_day = value.split(',').map(nth_day).collect::<Option<Vec<_>>>()?,
            "BYMONTHDAY" => by_month_day = Some(value.parse::<u32>().ok()?),
            "COUNT" => {
                end = Some(SeriesEnd::After {
                    visits: value.parse().ok()?,
                });
            }
            "UNTIL" => {
                end = Some(SeriesEnd::On {
                    date: until(value)?,
                })
            }
            // Weeks begin on Sunday here; another beginning matters only where weeks are left out.
            "WKST" if every == 1 || value == "SU" => {}
            _ => return None,
        }
    }
    let is_plain = by_day.iter().all(|it| it.0 == 0);
    let rule = match (freq, by_day.as_slice(), by_month_day) {
        ("DAILY", [], None) => SeriesRule::Daily { every },
        ("DAILY" | "WEEKLY", days, None) if is_plain && !days.is_empty() => {
            if freq == "DAILY" && every != 1 {
                return None;
            }
            let mut weekdays: Vec<u32> = days.iter().map(|it| it.1).collect();
            weekdays.sort_unstable();
            weekdays.dedup();
            SeriesRule::Weekly { every, weekdays }
        }
        ("MONTHLY", [], Some(day)) if every == 1 && (1..=31).contains(&day) => {
            SeriesRule::Monthly { day }
        }
        ("MONTHLY", [(nth, weekday)], None) if every == 1 => SeriesRule::MonthlyWeekday {
            nth: match nth {
                -1 => 5,
                1..=4 => u32::try_from(*nth).ok()?,
                _ => return None,
            },
            weekday: *weekday,
        },
        _ => return None,
    };
    Some(Repeats { rule, end })
}

/// `MO`, `2TU`, `-1FR`: how many of its month, 0 for each, and the day of the week.
fn nth_day(text: &str) -> Option<(i32, u32)> {
    let at = text.len().checked_sub(2)?;
    let (nth, day) = text.split_at_checked(at)?;
    let days = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
    let (day, _) = (0_u32..).zip(days).find(|it| it.1 == day)?;
    match nth {
        "" => Some((0, day)),
        nth => Some((nth.parse().ok()?, day)),
    }
}

/// The day of `20261231` or `20261231T235959Z`.
fn until(text: &str) -> Option<Date> {
    let digits = text.get(..8)?;
    let [year, month, day] = [digits.get(..4)?, digits.get(4..6)?, digits.get(6..)?];
    [year, month, day].join("-").parse().ok()
}

/// The starts of a cell, sorted, each with its length in minutes where it names its end: `8:00 AM, 6 PM`, `12:00 - 12:30`.
pub(super) fn times(cell: &str) -> Option<Vec<(Time, Option<u32>)>> {
    let lower = cell.trim().to_lowercase().replace(['–', '—'], "-");
    let mut starts = Vec::new();
    for part in lower
        .replace(" and ", ",")
        .split([',', ';', '&', '/', '\n'])
        .map(str::trim)
    {
        if part.is_empty() {
            continue;
        }
        match part.replace(" to ", "-").split_once('-') {
            None => starts.push((time(part, None)?, None)),
            Some((start, end)) => {
                let end_half = half(end);
                let last = time(end, None)?;
                let mut first = time(start, None)?;
                // `8 - 8:30 PM` names the half of the day once.
                if half(start).is_none() && end_half.is_some() {
                    first = time(start, end_half)
                        .filter(|it| *it < last)
                        .unwrap_or(first);
                }
                let minutes = (i32::from(last.minute_of_day()) - i32::from(first.minute_of_day()))
                    .rem_euclid(24 * 60);
                let length = u32::try_from(minutes).ok().filter(|it| 0 < *it);
                starts.push((first, length));
            }
        }
    }
    starts.sort_unstable();
    // Of a time that is there twice the one with a length says more.
    starts.reverse();
    starts.dedup_by_key(|it| it.0);
    starts.reverse();
    (!starts.is_empty()).then_some(starts)
}

/// `am` or `pm` at the end.
fn half(text: &str) -> Option<&'static str> {
    let plain: String = text.chars().filter(|it| it.is_ascii_alphabetic()).collect();
    match plain.as_str() {
        "am" | "a" => Some("am"),
        "pm" | "p" => Some("pm"),
        _ => None,
    }
}

/// `12:00 pm`, `12pm`, `9`, `09:30`, `13:30:00`, `noon`; `given` is the half of the day where it has none of its own.
fn time(text: &str, given: Option<&'static str>) -> Option<Time> {
    let text = text.trim();
    match text {
        "noon" | "midday" => return Time::new(12, 0),
        "midnight" => return Time::new(0, 0),
        _ => {}
    }
    let own = half(text);
    let digits =
        text.trim_end_matches(|it: char| it.is_ascii_alphabetic() || it == '.' || it == ' ');
    let has_other_letters = digits.chars().any(|it| !it.is_ascii_digit() && it != ':');
    let has_unread_end = own.is_none() && digits.len() < text.trim_end_matches(['.', ' ']).len();
    if has_other_letters || has_unread_end {
        return None;
    }
    let mut parts = digits.split(':');
    let hour: u16 = parts.next()?.parse().ok()?;
    let minute: u16 = parts.next().map_or(Some(0), |it| it.parse().ok())?;
    let seconds = parts.next().map_or(Some(0), |it| it.parse::<u16>().ok())?;
    if seconds != 0 || parts.next().is_some() {
        return None;
    }
    let hour = match own.or(given) {
        Some(_) if hour == 0 || 12 < hour => return None,
        Some("am") => hour % 12,
        Some(_) => hour % 12 + 12,
        None => hour,
    };
    Time::new(hour, minute)
}

/// The minutes of `30`, `30 min`, `1 hour`, `1.5 h`, `1h 30m`, `0:45`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is whole, positive and small"
)]
pub(super) fn minutes(cell: &str) -> Option<u32> {
    let text = cell.trim().to_lowercase();
    if let Some((hours, minutes)) = text.split_once(':') {
        let (hours, minutes): (u32, u32) =
            (hours.trim().parse().ok()?, minutes.trim().parse().ok()?);
        return (hours < 24 && minutes < 60).then_some(hours * 60 + minutes);
    }
    let (mut sum, mut rest) = (0.0, text.as_str());
    let mut has_any = false;
    while !rest.is_empty() {
        let end = rest
            .find(|it: char| !it.is_ascii_digit() && it != '.')
            .unwrap_or(rest.len());
        let number: f64 = rest.get(..end)?.parse().ok()?;
        rest = rest.get(end..)?.trim_start();
        let end = rest
            .find(|it: char| !it.is_alphabetic())
            .unwrap_or(rest.len());
        let unit = rest.get(..end)?;
        rest = rest.get(end..)?.trim_start_matches(['.', ',', ' ']);
        sum += number
            * match unit {
                "" | "m" | "min" | "mins" | "minute" | "minutes" => 1.0,
                "h" | "hr" | "hrs" | "hour" | "hours" => 60.0,
                _ => return None,
            };
        has_any = true;
    }
    let is_whole = (sum - sum.round()).abs() < f64::EPSILON;
    (has_any && is_whole && (1.0..=MINUTES_READ).contains(&sum)).then_some(sum as u32)
}

/// The longest length that is read; a form has its own bounds.
const MINUTES_READ: f64 = 24.0 * 60.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn weekly(cell: &str, every: u32, weekdays: &[u32]) {
        let rule = SeriesRule::Weekly {
            every,
            weekdays: weekdays.to_vec(),
        };
        assert_eq!(repeats(cell).map(|it| it.rule), Some(rule), "{cell}");
    }

    #[test]
    fn days_are_read_as_people_and_programs_write_them() {
        for cell in [
            "Mon, Wed, Fri",
            "M/W/F",
            "MWF",
            "mondays, wednesdays and fridays",
            "Mo We Fr",
            "M W F",
        ] {
            weekly(cell, 1, &[1, 3, 5]);
        }
        for cell in [
            "weekdays",
            "Weekday",
            "every weekday",
            "Mon-Fri",
            "M-F",
            "Monday to Friday",
            "Mon – Fri",
            "MTWRF",
        ] {
            weekly(cell, 1, &[1, 2, 3, 4, 5]);
        }
        for cell in [
            "Tu/Th",
            "TTh",
            "Tues & Thurs",
            "tuesday; thursday",
            "T, Th",
            "weekly on Tue, Thu",
        ] {
            weekly(cell, 1, &[2, 4]);
        }
        weekly("weekends", 1, &[0, 6]);
        weekly("Fri-Mon", 1, &[0, 1, 5, 6]);
        weekly("every other Tuesday", 2, &[2]);
        weekly("Biweekly: Sat", 2, &[6]);
        for cell in ["daily", "Every day", "everyday"] {
            let daily = SeriesRule::Daily { every: 1 };
            assert_eq!(repeats(cell).map(|it| it.rule), Some(daily), "{cell}");
        }
        let daily = SeriesRule::Daily { every: 2 };
        assert_eq!(repeats("Every other day").map(|it| it.rule), Some(daily));
        for cell in [
            "",
            "S",
            "Mon, S",
            "sometimes",
            "Mon, Funday",
            "1st of the month",
        ] {
            assert_eq!(repeats(cell), None, "{cell}");
        }
    }

    #[test]
    fn rules_of_calendars_are_read_as_far_as_a_series_says_the_same() {
        weekly("FREQ=WEEKLY;BYDAY=MO,WE", 1, &[1, 3]);
        weekly("RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=SU", 2, &[0]);
        weekly("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", 1, &[1, 2, 3, 4, 5]);
        let rule = |cell: &str| repeats(cell).map(|it| it.rule);
        assert_eq!(
            rule("FREQ=DAILY;INTERVAL=3"),
            Some(SeriesRule::Daily { every: 3 })
        );
        assert_eq!(
            rule("FREQ=MONTHLY;BYMONTHDAY=31"),
            Some(SeriesRule::Monthly { day: 31 })
        );
        let last_friday = SeriesRule::MonthlyWeekday { nth: 5, weekday: 5 };
        assert_eq!(rule("FREQ=MONTHLY;BYDAY=-1FR"), Some(last_friday));
        let end = |cell: &str| repeats(cell).and_then(|it| it.end);
        assert_eq!(
            end("FREQ=DAILY;COUNT=10"),
            Some(SeriesEnd::After { visits: 10 })
        );
        let date = "2026-12-31".parse().unwrap();
        assert_eq!(
            end("FREQ=DAILY;UNTIL=20261231T235959Z"),
            Some(SeriesEnd::On { date })
        );
        for cell in [
            "FREQ=YEARLY",
            "FREQ=WEEKLY",
            "FREQ=MONTHLY;INTERVAL=2;BYMONTHDAY=1",
            "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9",
            "FREQ=WEEKLY;BYDAY=1MO",
            "FREQ=DAILY;INTERVAL=0",
            "FREQ=WEEKLY;BYDAY=XX",
            "FREQ=DAILY;UNTIL=soon",
        ] {
            assert_eq!(repeats(cell), None, "{cell}");
        }
    }

    #[test]
    fn times_are_read_with_halves_of_the_day_or_without() {
        #[track_caller]
        fn check(cell: &str, starts: &[&str], length: Option<u32>) {
            let starts = starts.iter().map(|it| (it.parse().unwrap(), length));
            assert_eq!(times(cell), Some(starts.collect()), "{cell}");
        }
        check("12:00 PM", &["12:00"], None);
        check("12:00", &["12:00"], None);
        check("12am", &["00:00"], None);
        check("9 a.m.", &["09:00"], None);
        check("13:30:00", &["13:30"], None);
        check("noon", &["12:00"], None);
        check("6 PM, 8:00 AM", &["08:00", "18:00"], None);
        check("12:00 PM - 12:30 PM", &["12:00"], Some(30));
        check("1-1:45pm", &["13:00"], Some(45));
        check("11:30 - 12:15 pm", &["11:30"], Some(45));
        check("23:45 - 00:15", &["23:45"], Some(30));
        for cell in [
            "",
            "25:00",
            "13 PM",
            "0 am",
            "morning",
            "9:75",
            "9:00:30",
            "12:00 CET",
        ] {
            assert_eq!(times(cell), None, "{cell}");
        }
    }

    #[test]
    fn lengths_are_read_in_minutes_and_hours() {
        for (cell, expected) in [
            ("30", 30),
            ("30 min", 30),
            ("45 minutes", 45),
            ("1 hour", 60),
            ("1.5 h", 90),
            ("1h 30m", 90),
            ("0:45", 45),
            ("1:30", 90),
        ] {
            assert_eq!(minutes(cell), Some(expected), "{cell}");
        }
        for cell in ["", "long", "30 sec", "-30", "0", "1:75", "1e3"] {
            assert_eq!(minutes(cell), None, "{cell}");
        }
    }
}
