//! Owns finding telephone numbers in what people write: `Dr. Cole 555-010-0101, after hours 555-010-0199`.

/// A telephone number in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundNumber {
    /// The words before it, without the punctuation around them; may be empty.
    pub words: String,
    /// Its digits, with a plus sign in front where it has one.
    pub dialed: String,
}

/// Fewer digits are a house number or a code, and more are no number that can be dialed (ITU-T E.164).
const DIGITS: std::ops::RangeInclusive<usize> = 7..=15;

/// Finds the telephone numbers of a text, in its order. Dates like 2026-11-20 are none.
pub fn numbers_in(text: &str) -> Vec<FoundNumber> {
    let mut found = Vec::new();
    // Of each line the words belong to the number behind them.
    for line in text.lines() {
        // Within a number a slash has no blanks around it.
        let line = line.replace(" / ", ", ");
        let mut rest = line.as_str();
        let mut words = String::new();
        while let Some(start) = rest.find(|it: char| it.is_ascii_digit() || it == '+' || it == '(')
        {
            let (before, from) = rest.split_at(start);
            let is_of_number = |it: char| it.is_ascii_digit() || " -./()+\u{a0}".contains(it);
            let end = from.find(|it| !is_of_number(it)).unwrap_or(from.len());
            let (run, after) = from.split_at(end);
            let n_digits = run.chars().filter(char::is_ascii_digit).count();
            words.push_str(before);
            if DIGITS.contains(&n_digits) && !is_date(run.trim()) {
                let plus = if run.starts_with('+') { "+" } else { "" };
                let digits = run.chars().filter(char::is_ascii_digit);
                found.push(FoundNumber {
                    words: bare(&words),
                    dialed: plus.chars().chain(digits).collect(),
                });
                words.clear();
            } else {
                words.push_str(run);
            }
            rest = after;
        }
    }
    found
}

/// `2026-11-20`.
fn is_date(run: &str) -> bool {
    let parts: Vec<usize> = run.split('-').map(str::len).collect();
    parts == [4, 2, 2]
}

/// Words without the punctuation that joins them to a number.
fn bare(words: &str) -> String {
    let is_joint = |it: char| it.is_whitespace() || ",;:/-–—(|".contains(it);
    words.trim_matches(is_joint).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = numbers_in(text);
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.words.as_str(), it.dialed.as_str()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn numbers_are_found_with_the_words_before_them() {
        check("Dr. Cole (555) 010-0101", &[("Dr. Cole", "5550100101")]);
        check(
            "Oak Vets: +1 555 010 0101, after hours: 555.010.0199",
            &[("Oak Vets", "+15550100101"), ("after hours", "5550100199")],
        );
        check(
            "Lee\n040 123 4567\nNight - 040 765 4321",
            &[("", "0401234567"), ("Night", "0407654321")],
        );
    }

    #[test]
    fn two_numbers_beside_each_other_are_two() {
        check(
            "Lee 555-010-0101 / 555-010-0102",
            &[("Lee", "5550100101"), ("", "5550100102")],
        );
        check("Dr. Vogt 030/1234567", &[("Dr. Vogt", "0301234567")]);
    }

    #[test]
    fn house_numbers_codes_and_dates_are_no_telephone_numbers() {
        check("Oak Vets, 18 Alder Street, code 4711", &[]);
        check("Seen on 2026-11-20", &[]);
        check("Dr. Cole", &[]);
        check("", &[]);
        check(
            "18 Alder Street, 5550100101",
            &[("18 Alder Street", "5550100101")],
        );
    }
}
