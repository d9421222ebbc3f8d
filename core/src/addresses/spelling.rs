//! Owns how well a typed word fits a word of the map: the same, begun, or with a few letters wrong.

use super::words::Word;

/// Cost of a word that is begun and not written out.
const BEGUN: u8 = 1;

/// Cost of each wrong letter.
const WRONG_LETTER: u8 = 4;

/// Letters of a word that are compared; longer ones are compared up to there.
const MAX_LETTERS: usize = 40;

/// Cost of taking the word that is `typed` for one of the map: 0 where they are the same, `None` where they are not.
pub(super) fn cost(typed: &Word, known: &Word) -> Option<u8> {
    if typed.plain == known.plain || typed.short == known.short {
        return Some(0);
    }
    // A number that is another one is another house.
    if typed.is_number || known.is_number {
        return None;
    }
    if known.plain.starts_with(&typed.plain) {
        return Some(BEGUN);
    }
    let n_letters = typed.plain.chars().count();
    let most = match n_letters {
        0..=3 => return None,
        4..=7 => 1,
        _ => 2,
    };
    let wrong = wrong_letters(&typed.plain, &known.plain, most)?;
    Some(wrong.n as u8 * WRONG_LETTER + u8::from(wrong.is_begun) * BEGUN)
}

/// Letters that differ.
struct Wrong {
    n: usize,
    /// Fewer letters differ if the known word is cut off.
    is_begun: bool,
}

/// Letters to be added, left out, changed, or swapped with their neighbor between two words; of the known word, only as
/// much as was typed. `None` where there are more than `most`.
///
/// The optimal string alignment distance, by rows, of which only what is near the diagonal is computed.
fn wrong_letters(typed: &str, known: &str, most: usize) -> Option<Wrong> {
    // In short words the first letter is hardly ever wrong, and that spares most of the work.
    if most < 2 && typed.chars().next() != known.chars().next() {
        return None;
    }
    let typed: Vec<char> = typed.chars().take(MAX_LETTERS).collect();
    let known: Vec<char> = known.chars().take(MAX_LETTERS).collect();
    if typed.len() > known.len() + most {
        return None;
    }
    let far = most + 1;
    let width = known.len() + 1;
    let mut before_last: Vec<usize> = vec![far; width];
    let mut last: Vec<usize> = (0..width).map(|it| it.min(far)).collect();
    for (row, letter) in typed.iter().enumerate() {
        let mut here = vec![far; width];
        if let Some(it) = here.first_mut() {
            *it = (row + 1).min(far);
        }
        let from = (row + 1).saturating_sub(most).max(1);
        let to = (row + 1 + most).min(known.len());
        let get = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(far);
        for at in from..=to {
            let other = known.get(at - 1);
            let changed = get(&last, at - 1) + usize::from(other != Some(letter));
            let mut best = changed.min(get(&last, at) + 1).min(get(&here, at - 1) + 1);
            let is_swapped = at > 1
                && row > 0
                && typed.get(row - 1) == other
                && known.get(at - 2) == Some(letter);
            if is_swapped {
                best = best.min(get(&before_last, at - 2) + 1);
            }
            if let Some(it) = here.get_mut(at) {
                *it = best.min(far);
            }
        }
        if here.iter().all(|it| *it >= far) {
            return None;
        }
        before_last = std::mem::replace(&mut last, here);
    }
    let whole = last.last().copied().unwrap_or(far);
    let begun = last.iter().copied().min().unwrap_or(far);
    (begun <= most).then_some(Wrong {
        n: begun,
        is_begun: begun < whole,
    })
}

#[cfg(test)]
mod tests {
    use super::super::words::words;
    use super::*;

    fn check(typed: &str, known: &str, expected: Option<u8>) {
        let word = |text| words(text).remove(0);
        assert_eq!(
            cost(&word(typed), &word(known)),
            expected,
            "{typed} {known}"
        );
    }

    #[test]
    fn typed_words_fit_with_a_few_letters_wrong() {
        check("charles", "Charles", Some(0));
        check("street", "St", Some(0));
        check("char", "Charles", Some(1));
        check("fredrikink.", "Fredrikinkatu", Some(1));
        check("chalres", "Charles", Some(4));
        check("charls", "Charles", Some(4));
        check("charlees", "Charles", Some(4));
        check("mannerhiem", "Mannerheimintie", Some(5));
        check("manerhemintie", "Mannerheimintie", Some(8));
        check("muller", "Mueller", Some(4));
    }

    #[test]
    fn other_words_do_not_fit() {
        check("oak", "Elm", None);
        check("oak", "Oaf", None);
        check("park", "Dark", None);
        check("33rd", "34th", None);
        check("12a", "12", None);
        check("university", "Calvert", None);
        check("charles", "Chester", None);
    }
}
