//! Owns reading one cell as what its column is: phone numbers, dates, weights, prices, answers with yes or no.

use super::column::Column;
use super::table::Table;
use crate::Date;

/// Place of the day among the numbers of a date with slashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum DateOrder {
    /// `5/31/2020`, as in the United States: so it is read where nothing tells.
    #[default]
    MonthFirst,
    /// `31/5/2020`.
    DayFirst,
    /// Both stand in the file: only those that can be read in one way are read.
    Mixed,
}

/// The order of the dates of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Dates {
    pub(super) order: DateOrder,
    /// A date that the order alone decides, where there is one.
    pub(super) example: Option<String>,
}

impl Dates {
    /// Reads all cells of these columns: one date whose first number is no month decides for all of them.
    pub(super) fn of(table: &Table, is_date: impl Fn(usize) -> bool) -> Self {
        let (mut has_day_first, mut has_month_first) = (false, false);
        let mut example = None;
        let cells = table.rows.iter().flat_map(|it| it.cells.iter().enumerate());
        for (_, cell) in cells.filter(|(place, _)| is_date(*place)) {
            let Some((first, second, _)) = parts(cell).filter(|_| !cell.contains('.')) else {
                continue;
            };
            if 31 < first {
                continue;
            }
            match (12 < first, 12 < second) {
                (true, false) => has_day_first = true,
                (false, true) => has_month_first = true,
                (false, false) if first != second && example.is_none() => {
                    example = Some(cell.trim().to_owned());
                }
                _ => {}
            }
        }
        let order = match (has_day_first, has_month_first) {
            (true, true) => DateOrder::Mixed,
            (true, false) => DateOrder::DayFirst,
            _ => DateOrder::MonthFirst,
        };
        Self { order, example }
    }

    /// A sentence that names the order, if a date of the file depends on it.
    pub(super) fn notice(&self) -> Option<String> {
        let example = self.example.as_ref()?;
        let date = date(example, self.order)?;
        let how = match self.order {
            DateOrder::DayFirst => "day",
            _ => "month",
        };
        Some(format!(
            "Dates are read with the {how} first: {example} as {date}. Write them as 2020-05-31 where that is wrong."
        ))
    }
}

/// The three numbers of a date that is not written as `2020-05-31`.
fn parts(text: &str) -> Option<(i16, i16, i16)> {
    if text.parse::<Date>().is_ok() {
        return None;
    }
    let mut parts = text.split(['/', '-', '.']).map(str::trim);
    let mut part = || parts.next()?.parse::<i16>().ok();
    Some((part()?, part()?, part()?))
}

/// `0/0/00`: what Outlook writes where nobody has set a date.
pub(super) fn is_no_date(text: &str) -> bool {
    let mut digits = text.chars().filter(|it| it.is_ascii_digit()).peekable();
    digits.peek().is_some() && digits.all(|it| it == '0')
}

/// A day of the past: none that is still to come, and of two digits the last such year.
pub(super) fn past_date(text: &str, order: DateOrder, today: Date) -> Option<Date> {
    let date = date(text, order)?;
    match date {
        date if date <= today => Some(date),
        date if has_short_year(text) => date.in_month(-1_200, date.parts().2),
        _ => None,
    }
}

/// The problem of a cell that `past_date` does not read.
pub(super) fn date_problem(text: &str, order: DateOrder) -> &'static str {
    if date(text, order).is_some() {
        "This date is still to come. Correct it, or empty the cell."
    } else if date(text, DateOrder::MonthFirst).is_some() {
        "The day and the month of this date can be read in two ways. Write it as 2020-05-31, or empty the cell."
    } else {
        "This date cannot be read. Write it as 2020-05-31, or empty the cell."
    }
}

/// Returns true if the year comes last and has two digits.
fn has_short_year(text: &str) -> bool {
    let year = text.rsplit(['/', '-', '.']).next().map(str::trim);
    text.parse::<Date>().is_err() && year.is_some_and(|it| it.len() <= 2)
}

/// `2020-05-31`, `2020/5/31`, in the order of the file `5/31/2020`, or with dots, where the day is always first,
/// `31.5.2020`.
pub(super) fn date(text: &str, order: DateOrder) -> Option<Date> {
    if let Ok(date) = text.parse() {
        return Some(date);
    }
    let (first, second, third) = parts(text)?;
    let small = |it: i16| i8::try_from(it).ok();
    if 31 < first {
        return Date::new(first, small(second)?, small(third)?);
    }
    let is_day_first = match order {
        _ if text.contains('.') => true,
        DateOrder::DayFirst => true,
        DateOrder::MonthFirst => false,
        DateOrder::Mixed if first <= 12 && second <= 12 && first != second => return None,
        DateOrder::Mixed => 12 < first,
    };
    let (month, day) = if is_day_first {
        (second, first)
    } else {
        (first, second)
    };
    let year = if third < 100 { 2000 + third } else { third };
    Date::new(year, small(month)?, small(day)?)
}

/// The phone numbers in a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Phones {
    /// The first number, as the form takes it.
    pub(super) number: String,
    /// Further numbers, and the first one as it stood if it has an extension or a label.
    pub(super) further: Vec<String>,
}

/// A number has so many digits at least, its area's among them or not.
const PHONE_DIGITS: usize = 7;

impl Phones {
    pub(super) fn read(cell: &str) -> Self {
        let cell: String = cell.chars().filter_map(plain).collect();
        let cell = cell.trim().trim_start_matches('\'');
        if matches!(
            cell.to_lowercase().as_str(),
            "n/a" | "na" | "none" | "-" | "unknown"
        ) {
            return Self::default();
        }
        let apart = cell.replace(" or ", ";").replace(" and ", ";");
        let separators = [';', ',', '|', '\n', '&', '/'];
        let parts = apart.split(separators).flat_map(|it| it.split(":::"));
        let parts: Vec<&str> = parts.map(str::trim).filter(|it| !it.is_empty()).collect();
        let (first, others) = match parts.split_first() {
            Some((first, others)) if parts.iter().all(|it| is_number(it)) => (*first, others),
            _ => (cell, [].as_slice()),
        };
        let mut further: Vec<String> = others.iter().map(|it| (*it).to_owned()).collect();
        let number = bare_number(first);
        if number != first {
            further.insert(0, first.to_owned());
        }
        Self {
            number: number.replace(['.', '/'], "-"),
            further,
        }
    }
}

/// A character of a number as the form takes it; none for what only says in which direction it is read.
fn plain(it: char) -> Option<char> {
    Some(match it {
        '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => return None,
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' => ' ',
        // Digits of Arabic, Persian and wide letters.
        '\u{660}'..='\u{669}' => digit(it, '\u{660}'),
        '\u{6f0}'..='\u{6f9}' => digit(it, '\u{6f0}'),
        '\u{ff10}'..='\u{ff19}' => digit(it, '\u{ff10}'),
        it => it,
    })
}

fn digit(it: char, zero: char) -> char {
    let value = u32::from(it).saturating_sub(u32::from(zero));
    char::from_digit(value, 10).unwrap_or(it)
}

fn is_number(text: &str) -> bool {
    PHONE_DIGITS <= text.chars().filter(char::is_ascii_digit).count()
}

/// `(206) 555-0100` of `(206) 555-0100 x12`, and `206-555-0102` of `Home: 206-555-0102 (after 6)`; the text itself where
/// letters stand among the digits.
fn bare_number(text: &str) -> &str {
    let rest = match text.find(char::is_alphabetic) {
        Some(first) if !text.get(..first).is_some_and(has_digit) => {
            let begins = text.find(|it: char| it.is_ascii_digit() || it == '+');
            let begins = begins.unwrap_or_default();
            // The bracket around the area's number is a part of it.
            let opens = text.get(..begins).is_some_and(|it| it.ends_with('('));
            text.get(begins - usize::from(opens)..).unwrap_or(text)
        }
        _ => text,
    };
    let end = rest.find(|it: char| it.is_alphabetic() || it == '#');
    let number = end.and_then(|it| rest.get(..it)).unwrap_or(rest);
    let number = number.trim_end_matches(|it: char| !it.is_ascii_digit() && it != ')');
    if is_number(number) { number } else { text }
}

fn has_digit(text: &str) -> bool {
    text.chars().any(|it| it.is_ascii_digit())
}

/// The addresses of mail in a cell, the first one first; the cell itself where there is but one text.
pub(super) fn emails(cell: &str) -> Vec<String> {
    let parts = cell.split([';', ',', '|', '\n', ' ']).map(str::trim);
    let parts: Vec<&str> = parts.filter(|it| !it.is_empty() && *it != ":::").collect();
    if 1 < parts.len() && parts.iter().all(|it| it.contains('@')) {
        return parts.into_iter().map(str::to_owned).collect();
    }
    vec![cell.to_owned()]
}

/// How a file writes the names of pets in one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PetNames {
    /// `Rex, Luna & Biscuit`, as people write them.
    AnyList,
    /// `Rex, Salt & Pepper`: the clients' table of our own export, where a comma alone separates.
    CommaList,
    /// `Salt & Pepper`: the pets' table of our own export, with a row for each.
    One,
}

impl PetNames {
    /// The way of a file with this header.
    pub(super) fn of(header: &[String]) -> Self {
        let has = |all: &[&str]| {
            all.iter()
                .all(|it| header.iter().any(|called| called == it))
        };
        if has(&["client", "name", "spayed_neutered", "adoption_date"]) {
            Self::One
        } else if has(&["pets", "relationship_type", "pricing_dropin"]) {
            Self::CommaList
        } else {
            Self::AnyList
        }
    }

    /// The names in a cell.
    pub(super) fn read(self, cell: &str) -> Vec<String> {
        let cell = match self {
            Self::One => return vec![cell.to_owned()],
            Self::CommaList => cell.to_owned(),
            Self::AnyList => cell
                .replace(" and ", ",")
                .replace([';', '&', '\n', '/'], ","),
        };
        let names = cell.split(',').map(str::trim);
        names
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    }
}

pub(super) fn pet_type(text: &str) -> &'static str {
    let text = text.to_lowercase();
    let is = |some: &[&str]| some.iter().any(|it| text.contains(it));
    if is(&["dog", "canine", "puppy", "pup"]) {
        "dog"
    } else if is(&["cat", "feline", "kitten"]) {
        "cat"
    } else {
        "other"
    }
}

pub(super) fn sex(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    match text.chars().next()? {
        _ if text.contains("female") => Some("female"),
        _ if text.contains("male") => Some("male"),
        'm' => Some("male"),
        'f' => Some("female"),
        'u' | '-' | 'n' => Some("unknown"),
        _ => None,
    }
}

/// In pounds, rounded to a tenth where it was in kilograms: by the cell's own unit, or by the one that the column's name
/// has.
pub(super) fn weight(text: &str, called: &str) -> Option<f64> {
    let text = text.to_lowercase();
    let end = text.find(|it: char| !it.is_ascii_digit() && it != '.');
    let (number, unit) = text.split_at_checked(end.unwrap_or(text.len()))?;
    let number: f64 = number.parse().ok()?;
    let called = called.to_lowercase();
    let mut words = called.split(|it: char| !it.is_alphanumeric());
    let unit = match unit.trim().trim_end_matches('.') {
        "" if words.any(is_kilograms) => "kg",
        unit => unit,
    };
    match unit {
        "" | "lb" | "lbs" | "pounds" | "pound" | "#" => Some(number),
        unit if is_kilograms(unit) => Some(libm::round(number * 22.046_226) / 10.0),
        _ => None,
    }
}

fn is_kilograms(unit: &str) -> bool {
    matches!(
        unit,
        "kg" | "kgs" | "kilo" | "kilos" | "kilogram" | "kilograms"
    )
}

/// A price in dollars: `30`, `$30.00`.
pub(super) fn price(text: &str) -> Option<f64> {
    let text = text.trim().trim_start_matches('$').trim();
    let is_plain = text.chars().all(|it| it.is_ascii_digit() || it == '.');
    text.parse().ok().filter(|_| is_plain)
}

/// An answer to what is asked of a pet, and whether the cell says more than that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TraitAnswer {
    pub(super) value: &'static str,
    pub(super) has_more: bool,
}

/// The field of a pet that this column answers, with the cell's answer; none for a column that asks nothing.
pub(super) fn trait_answer(column: Column, cell: &str) -> Option<(&'static str, TraitAnswer)> {
    let (field, unknown) = match column {
        Column::PetMicrochipped => ("microchipped", "unknown"),
        Column::PetSpayedNeutered => ("spayed_neutered", "unsure"),
        Column::PetHouseTrained => ("house_trained", "unsure"),
        Column::PetFriendlyWithChildren => ("friendly_with_children", "unsure"),
        Column::PetFriendlyWithDogs => ("friendly_with_dogs", "unsure"),
        Column::PetFriendlyWithCats => ("friendly_with_cats", "unsure"),
        _ => return None,
    };
    let has_depends = !matches!(column, Column::PetMicrochipped | Column::PetSpayedNeutered);
    let text = cell.trim().to_lowercase();
    let whole = |value| TraitAnswer {
        value,
        has_more: false,
    };
    let more = |value| TraitAnswer {
        value,
        has_more: true,
    };
    let answer = match text.as_str() {
        "yes" | "y" | "true" | "1" | "x" | "✓" => whole("yes"),
        "no" | "n" | "false" | "0" => whole("no"),
        "unsure" | "not sure" | "unknown" | "?" | "-" | "n/a" => whole(unknown),
        "depends" | "it depends" if has_depends => whole("depends"),
        "spayed" | "neutered" | "castrated" | "fixed" | "altered"
            if column == Column::PetSpayedNeutered =>
        {
            whole("yes")
        }
        "intact" | "entire" if column == Column::PetSpayedNeutered => whole("no"),
        // The chip's own number.
        text if column == Column::PetMicrochipped && has_digit(text) => more("yes"),
        _ if has_depends => more("depends"),
        _ => more(unknown),
    };
    Some((field, answer))
}

/// Returns true if a quotation mark opens a cell and nothing closes it.
pub(super) fn has_open_quote(cell: &str) -> bool {
    cell.starts_with('"') && cell.matches('"').count() % 2 == 1
}
