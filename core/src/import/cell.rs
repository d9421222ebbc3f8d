//! Owns reading one cell as what its column is: phone numbers, dates, weights, prices, answers with yes or no.

use super::column::Column;
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
    /// True if the dates themselves tell the order.
    is_known: bool,
    /// The columns in whose dates the order alone decides, each with the first such date.
    pub(super) examples: Vec<(u32, String)>,
}

impl Dates {
    /// Reads the cells of columns with dates, each with its column: one date whose first number is no month decides for all
    /// of them.
    pub(super) fn of<'a>(cells: impl Iterator<Item = (usize, &'a String)>) -> Self {
        let (mut has_day_first, mut has_month_first) = (false, false);
        let mut examples: Vec<(u32, String)> = Vec::new();
        for (place, cell) in cells {
            let cell = without_time(cell);
            let Some((first, second, _)) = parts(cell).filter(|_| !cell.contains('.')) else {
                continue;
            };
            if 31 < first {
                continue;
            }
            match (12 < first, 12 < second) {
                (true, false) => has_day_first = true,
                (false, true) => has_month_first = true,
                (false, false) if first != second => {
                    let column = u32::try_from(place).unwrap_or_default();
                    if examples.iter().all(|it| it.0 != column) {
                        examples.push((column, cell.to_owned()));
                    }
                }
                _ => {}
            }
        }
        let order = match (has_day_first, has_month_first) {
            (true, true) => DateOrder::Mixed,
            (true, false) => DateOrder::DayFirst,
            _ => DateOrder::MonthFirst,
        };
        Self {
            order,
            is_known: has_day_first != has_month_first,
            examples,
        }
    }

    /// The columns whose dates can be read in two ways, with nothing in the file that tells which one is meant.
    pub(super) fn unclear(&self) -> &[(u32, String)] {
        if self.is_known { &[] } else { &self.examples }
    }

    /// A sentence that names the order, if a date of the file depends on it.
    pub(super) fn notice(&self) -> Option<String> {
        let (_, example) = self.examples.first()?;
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

/// A date without the time of day that databases and spreadsheets write behind it: `2020-05-31T00:00:00Z`,
/// `05/31/2020 12:00:00 AM`.
pub(super) fn without_time(text: &str) -> &str {
    let text = text.trim();
    let Some((date, time)) = text.split_once([' ', 'T']) else {
        return text;
    };
    let is_date =
        date.ends_with(|it: char| it.is_ascii_digit()) && !date.contains(char::is_alphabetic);
    if is_date && 4 < date.len() && time.contains(':') {
        date
    } else {
        text
    }
}

/// The beginnings of the names of the months in English, German, French, Spanish, Italian and Dutch, from January on.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen"],
    &["feb", "fév", "fev"],
    &["mar", "mär", "mae", "mrz", "maa"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mag", "mei"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aoû", "aou", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott"],
    &["nov"],
    &["dec", "dez", "déc", "dic"],
];

/// `May 31, 2020`, `31-May-2020`, `Sunday, 31. Mai 2020`: a date with the name of its month, a day and a year.
fn written_out(text: &str) -> Option<Date> {
    let text = text.to_lowercase();
    let words = text.split(|it: char| !it.is_alphanumeric());
    let (mut month, mut numbers) = (None, Vec::new());
    for word in words.filter(|it| !it.is_empty()) {
        let endings = ["st", "nd", "rd", "th"].iter();
        let mut bare = endings.filter_map(|it| word.strip_suffix(it));
        match bare.next().unwrap_or(word).parse::<i16>() {
            Ok(number) => numbers.push(number),
            Err(_) if month.is_none() => month = month_of(word),
            Err(_) => {}
        }
    }
    let (day, year) = match numbers.as_slice() {
        [day, year] if *day <= 31 => (*day, *year),
        [year, day] if 31 < *year => (*day, *year),
        _ => return None,
    };
    let year = if year < 100 { 2000 + year } else { year };
    Date::new(year, month?, i8::try_from(day).ok()?)
}

fn month_of(word: &str) -> Option<i8> {
    let months = MONTHS.iter().zip(1..);
    let mut found = months.filter(|(names, _)| names.iter().any(|it| word.starts_with(it)));
    found.next().map(|(_, month)| month)
}

/// Returns true for what says roughly how old a pet is, and is no day: `5 years`, `May 2019`, `2019`, `unknown`.
pub(super) fn is_rough_age(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let words = text.split(|it: char| !it.is_alphanumeric());
    let mut words = words.filter(|it| !it.is_empty());
    let is_rough = |it: &str| {
        let letters = it.trim_start_matches(|it: char| it.is_ascii_digit());
        let is_number = letters.is_empty() && it.len() <= 4;
        let is_unit = ["y", "m", "w"].contains(&letters)
            || [
                "year", "yr", "yo", "month", "mo", "week", "wk", "old", "jahr", "monat", "approx",
                "about", "spring", "summer", "fall", "autumn", "winter", "early", "late", "mid",
            ]
            .iter()
            .any(|unit| letters.starts_with(unit));
        is_number
            || is_unit
            || month_of(it).is_some()
            || ["unknown", "ca", "n", "a", "and"].contains(&it)
    };
    let is_date = text.parse::<Date>().is_ok() || parts(&text).is_some();
    has_digit(&text) && words.all(is_rough) && !is_date
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
    let text = without_time(text);
    if let Ok(date) = text.parse() {
        return Some(date);
    }
    if text.chars().any(char::is_alphabetic) {
        return written_out(text);
    }
    if text.len() == 8 && text.chars().all(|it| it.is_ascii_digit()) {
        let day = [text.get(..4)?, text.get(4..6)?, text.get(6..)?].join("-");
        return day.parse().ok();
    }
    let (first, second, third) = parts(text)?;
    let small = |it: i16| i8::try_from(it).ok();
    if 31 < first {
        return Date::new(first, small(second)?, small(third)?);
    }
    let is_day_first = match order {
        _ if text.contains('.') => true,
        // Where somebody has answered for a column, some of it may be written the other way.
        DateOrder::DayFirst => second <= 12 || 12 < first,
        DateOrder::MonthFirst => 12 < first && second <= 12,
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
        if says_none(cell) {
            return Self::default();
        }
        let whole = whole_number(cell);
        let cell = whole.as_deref().unwrap_or(cell);
        if !has_digit(cell) {
            // No number at all: `ask Sam`.
            return Self {
                number: String::new(),
                further: vec![cell.to_owned()],
            };
        }
        let apart = cell.replace(" or ", ";").replace(" and ", ";");
        let separators = [';', ',', '|', '\n', '&', '/'];
        let parts = apart.split(separators).flat_map(|it| it.split(":::"));
        let parts: Vec<&str> = parts.map(str::trim).filter(|it| !it.is_empty()).collect();
        let (first, others) = match parts.split_first() {
            Some((first, others)) if parts.iter().all(|it| is_number(it)) => (*first, others),
            // `206-555-0114 / 0115`: the other one ends differently.
            Some((first, [_, ..])) if is_whole_number(first) => (*first, [].as_slice()),
            _ => (cell, [].as_slice()),
        };
        let mut further: Vec<String> = others.iter().map(|it| (*it).to_owned()).collect();
        let number = bare_number(first);
        if further.is_empty() && first != cell {
            further.push(cell.to_owned());
        } else if number != first {
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

/// Most digits of a number (ITU E.164).
const MAX_PHONE_DIGITS: usize = 15;

/// Returns true for a cell that is one phone number as people write it, and nothing else.
pub(super) fn is_phone_cell(text: &str) -> bool {
    let is_of_number = |it: char| it.is_ascii_digit() || "+() -./".contains(it);
    is_whole_number(text)
        && text.chars().all(is_of_number)
        && date(text, DateOrder::MonthFirst).is_none()
}

fn is_whole_number(text: &str) -> bool {
    let n = text.chars().filter(char::is_ascii_digit).count();
    (10..=MAX_PHONE_DIGITS).contains(&n) && !text.contains(char::is_alphabetic)
}

/// A number as a spreadsheet writes one that it takes for a quantity: `2065550109.0`, `2.065550116E+9`; none where digits
/// are missing.
fn whole_number(text: &str) -> Option<String> {
    if let Some(digits) = text.strip_suffix(".0") {
        let is_whole = digits.chars().all(|it| it.is_ascii_digit());
        return (is_whole && is_number(digits)).then(|| digits.to_owned());
    }
    let (number, zeros) = text.split_once(['E', 'e'])?;
    let zeros: usize = zeros.trim_start_matches('+').parse().ok()?;
    let (first, rest) = number.split_once('.')?;
    let is_whole = rest.len() == zeros && (PHONE_DIGITS..=MAX_PHONE_DIGITS).contains(&(zeros + 1));
    let digits = [first, rest].concat();
    (is_whole && digits.chars().all(|it| it.is_ascii_digit())).then_some(digits)
}

/// The first run of digits, and of what stands between them in a number, that is long enough for one.
fn number_within(text: &str) -> Option<&str> {
    let is_of_number = |it: char| it.is_ascii_digit() || "+() -.".contains(it);
    let runs = text.split(|it| !is_of_number(it));
    let bare = runs.map(|it| {
        it.trim_start_matches(|it: char| !it.is_ascii_digit() && it != '+' && it != '(')
            .trim_end_matches(|it: char| !it.is_ascii_digit() && it != ')')
    });
    let mut whole = bare.filter(|it| is_whole_number(it));
    whole.next()
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
    if is_number(number) {
        return two_in_a_row(number);
    }
    // `call after 5pm 206-555-0105`.
    number_within(text).unwrap_or(text)
}

/// The first of two numbers of ten digits that nothing but a space separates: `206 555 0117 206 555 0118`.
fn two_in_a_row(number: &str) -> &str {
    const OF_AREA: usize = 10;
    let digits = number.char_indices().filter(|(_, it)| it.is_ascii_digit());
    let digits: Vec<usize> = digits.map(|(place, _)| place).collect();
    match (digits.len() == 2 * OF_AREA, digits.get(OF_AREA)) {
        (true, Some(second)) => {
            let first = number.get(..*second).unwrap_or(number);
            first.trim_end_matches(|it: char| !it.is_ascii_digit())
        }
        _ => number,
    }
}

fn has_digit(text: &str) -> bool {
    text.chars().any(|it| it.is_ascii_digit())
}

/// Returns true for what people write where there is nothing.
pub(super) fn says_none(cell: &str) -> bool {
    let cell = cell.trim().to_lowercase();
    matches!(
        cell.as_str(),
        "n/a" | "na" | "none" | "-" | "--" | "?" | "unknown" | "not known" | "tbd"
    )
}

/// The addresses of mail in a cell, the first one first; the cell itself where there is but one text.
pub(super) fn emails(cell: &str) -> Vec<String> {
    if says_none(cell) {
        return Vec::new();
    }
    if let Some((name, rest)) = cell.split_once('<')
        && let Some((email, "")) = rest.split_once('>')
    {
        // `Dana Hill <dana@example.com>`.
        let whole = (!name.trim().is_empty()).then(|| cell.to_owned());
        return std::iter::once(email.trim().to_owned())
            .chain(whole)
            .collect();
    }
    let parts = cell.split([';', ',', '|', '\n', ' ', '/']).map(str::trim);
    let parts: Vec<&str> = parts.filter(|it| !it.is_empty() && *it != ":::").collect();
    if 1 < parts.len() && parts.iter().all(|it| it.contains('@')) {
        return parts.into_iter().map(str::to_owned).collect();
    }
    vec![cell.strip_prefix("mailto:").unwrap_or(cell).to_owned()]
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
            Self::AnyList if says_none(cell) => return Vec::new(),
            Self::AnyList => cell
                .replace(" and ", ",")
                .replace([';', '&', '\n', '/'], ","),
        };
        // What stands in brackets is of one name: `Rex (Lab, 5)`.
        let mut depth = 0_u32;
        let names = cell.split(|it| {
            match it {
                '(' => depth = depth.saturating_add(1),
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            it == ',' && depth == 0
        });
        let names = names.map(str::trim);
        names
            .filter(|it| !it.is_empty())
            .map(str::to_owned)
            .collect()
    }
}

/// `Rex` and its type of `Rex (Dog)`; the name itself where something else stands in the brackets.
pub(super) fn type_behind_name(name: &str) -> (&str, Option<&'static str>) {
    let bracket = name.strip_suffix(')').and_then(|it| it.rsplit_once('('));
    let Some((bare, inside)) = bracket.filter(|(bare, _)| !bare.trim().is_empty()) else {
        return (name, None);
    };
    match pet_type(inside) {
        "other" => (name, None),
        _ if inside.contains(' ') => (name, None),
        known => (bare.trim(), Some(known)),
    }
}

pub(super) fn pet_type(text: &str) -> &'static str {
    let text = text.to_lowercase();
    let is = |some: &[&str]| some.iter().any(|it| text.contains(it));
    if is(&[
        "dog", "canine", "puppy", "pup", "hund", "chien", "perro", "cane", "hond", "cachorro",
        "cão",
    ]) {
        "dog"
    } else if is(&[
        "cat", "feline", "kitten", "katze", "chat", "gato", "gatto", "kater",
    ]) || text == "kat"
    {
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
        _ if text.starts_with("hembra") || text.starts_with("hünd") => Some("female"),
        _ if ["rüde", "reu", "hane", "hann", "neutered", "castrated"]
            .iter()
            .any(|it| text.starts_with(it)) =>
        {
            Some("male")
        }
        _ if ["teef", "tik", "tispe", "tæve", "hona", "hun", "spayed"]
            .iter()
            .any(|it| text.starts_with(it)) =>
        {
            Some("female")
        }
        // `männlich`, `mâle`, `macho`; `weiblich`, `femelle`.
        'm' => Some("male"),
        'f' | 'w' => Some("female"),
        'u' | '-' | 'n' | '?' => Some("unknown"),
        _ => None,
    }
}

/// In pounds, rounded to a tenth where it was in kilograms: by the cell's own unit, or by the one that the column's name
/// has.
pub(super) fn weight(text: &str, called: &str) -> Option<f64> {
    let text = text.to_lowercase();
    let roughly = ["~", "ca.", "ca ", "approx.", "approx ", "about ", "circa "];
    let mut exact = text.trim();
    for it in roughly {
        exact = exact.strip_prefix(it).unwrap_or(exact).trim_start();
    }
    let (number, unit) = number_with_unit(exact)?;
    let called = called.to_lowercase();
    let mut words = called.split(|it: char| !it.is_alphanumeric());
    let tenth = |pounds: f64| libm::round(pounds * 10.0) / 10.0;
    let pounds = unit
        .split(|it: char| it.is_ascii_digit() || it == ' ')
        .next();
    if let Some(pounds) = pounds.filter(|it| it.len() < unit.len()) {
        // `9 lb 4 oz`.
        let rest = unit.get(pounds.len()..)?.trim_start();
        let (more, smaller) = number_with_unit(rest)?;
        let factor = pounds_in(smaller).filter(|it| *it < 1.0)?;
        return Some(tenth(number * pounds_in(pounds)? + more * factor));
    }
    match unit {
        "" => match words.find_map(|it| pounds_in(it).filter(|_| !it.is_empty())) {
            Some(1.0) | None => Some(number),
            Some(factor) => Some(tenth(number * factor)),
        },
        unit => match pounds_in(unit)? {
            1.0 => Some(number),
            factor => Some(tenth(number * factor)),
        },
    }
}

/// `12,5 kg` as the number and its unit, without points behind it.
fn number_with_unit(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|it: char| !it.is_ascii_digit() && it != '.' && it != ',');
    let (number, unit) = text.split_at_checked(end.unwrap_or(text.len()))?;
    // A comma with three digits behind it groups thousands.
    let number = match number.split_once(',') {
        Some((whole, rest)) if rest.len() == 3 && !rest.contains('.') => [whole, rest].concat(),
        _ => number.replace(',', "."),
    };
    let number = number.trim_end_matches('.').parse().ok()?;
    Some((number, unit.trim().trim_end_matches('.')))
}

/// Pounds of a unit of weight.
fn pounds_in(unit: &str) -> Option<f64> {
    Some(match unit {
        "lb" | "lbs" | "pounds" | "pound" | "#" => 1.0,
        "oz" | "ounce" | "ounces" => 1.0 / 16.0,
        "g" | "gr" | "gram" | "grams" | "gramm" | "grammes" => 0.002_204_622_6,
        "st" | "stone" | "stones" => 14.0,
        unit if is_kilograms(unit) => 2.204_622_6,
        _ => return None,
    })
}

fn is_kilograms(unit: &str) -> bool {
    matches!(
        unit,
        "kg" | "kgs" | "kilo" | "kilos" | "kilogram" | "kilograms" | "kilogramm" | "kilogrammes"
    )
}

/// A price in dollars: `30`, `$30.00`.
pub(super) fn price(text: &str) -> Option<f64> {
    // `$30/walk`, `30 per walk`.
    let is_unit = |it: &str| it.trim_start().starts_with(char::is_alphabetic);
    let bare = text.split_once('/').filter(|(_, unit)| is_unit(unit));
    let text = bare.map_or(text, |(price, _)| price);
    let text = text.split(" per ").next()?;
    let text = text.trim().to_lowercase();
    let is_currency = |it: char| it.is_whitespace() || "$€£".contains(it) || it.is_alphabetic();
    let text = text.trim_matches(is_currency);
    let text = match text.split_once(',') {
        // `27,50`.
        Some((whole, cents)) if cents.len() == 2 => [whole, ".", cents].concat(),
        _ => text.replace(',', ""),
    };
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
        "yes" | "y" | "true" | "1" | "x" | "✓" | "✔" | "ja" | "oui" | "si" | "sí" | "sim" => {
            whole("yes")
        }
        "no" | "n" | "false" | "0" | "nein" | "non" | "nee" | "nej" | "nei" | "não" => whole("no"),
        "none" if column == Column::PetMicrochipped => whole("no"),
        "unsure" | "not sure" | "unknown" | "?" | "-" | "n/a" => whole(unknown),
        "depends" | "it depends" if has_depends => whole("depends"),
        "spayed" | "neutered" | "castrated" | "fixed" | "altered" | "kastriert"
        | "sterilisiert" | "stérilisé" | "castrado" | "esterilizado"
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
