//! Owns the words of an address: without accents and capitals, and with one form for what is written in several ways.

/// Words of a query or a name that count; more are passed over.
pub(super) const MAX_WORDS: usize = 12;

/// Characters of a query that count: as many as an address may have.
pub(super) const MAX_CHARS: usize = 300;

/// A word of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// Letters and digits as they are typed, folded: 'strasse' for 'Straße'.
    pub(super) plain: String,
    /// The one form of a word that has several: 'st' for 'Street', '33' for '33rd'.
    pub(super) short: String,
    /// Begins with a digit: a house number, a postcode, or the name of a numbered street.
    pub(super) is_number: bool,
    /// Kind of a street or a direction, which people leave out: 'Street', 'North'.
    pub(super) is_light: bool,
}

impl Word {
    fn new(plain: String) -> Self {
        let short = short(&plain);
        Self {
            is_number: plain.starts_with(|it: char| it.is_ascii_digit()),
            is_light: LIGHT.contains(&short),
            short: short.to_owned(),
            plain,
        }
    }

    /// Two words as one: 'Haupt Straße' for 'Hauptstraße'.
    pub(super) fn joined(&self, other: &Self) -> Self {
        Self::new(format!("{}{}", self.plain, other.plain))
    }
}

/// The words of a text, at most `MAX_WORDS`.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in text.chars().take(MAX_CHARS).chain([' ']) {
        // O'Donnell is one word; so is 12/3 or 12-14, where numbers begin with a digit.
        let is_joint = matches!(c, '\'' | '’' | 'ʼ' | '`' | '´');
        let is_within_number =
            matches!(c, '-' | '/') && word.starts_with(|it: char| it.is_ascii_digit());
        if c.is_alphanumeric() || is_accent(c) {
            push_folded(c, &mut word);
        } else if is_within_number {
            word.push(c);
        } else if !is_joint && !word.is_empty() {
            words.push(Word::new(std::mem::take(&mut word)));
        }
    }
    words.truncate(MAX_WORDS);
    words
}

/// The letters and digits of a text, folded, without anything between them: names that are the same but for capitals,
/// accents and hyphens have the same.
pub fn letters(text: &str) -> String {
    let mut letters = String::new();
    let all = text.chars().take(MAX_CHARS);
    all.filter(|it| it.is_alphanumeric())
        .for_each(|it| push_folded(it, &mut letters));
    letters
}

/// Returns true for marks that are set above or below the letter before.
fn is_accent(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

/// Appends a letter without its accents, in small letters.
fn push_folded(c: char, to: &mut String) {
    for c in c.to_lowercase().filter(|it| !is_accent(*it)) {
        match c {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => to.push('a'),
            'æ' => to.push_str("ae"),
            'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => to.push('c'),
            'ð' | 'ď' | 'đ' => to.push('d'),
            'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => to.push('e'),
            'ĝ' | 'ğ' | 'ġ' | 'ģ' => to.push('g'),
            'ì' | 'í' | 'î' | 'ï' | 'ĩ' | 'ī' | 'į' | 'ı' => to.push('i'),
            'ĺ' | 'ļ' | 'ľ' | 'ł' => to.push('l'),
            'ñ' | 'ń' | 'ņ' | 'ň' => to.push('n'),
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => to.push('o'),
            'œ' => to.push_str("oe"),
            'ŕ' | 'ř' => to.push('r'),
            'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => to.push('s'),
            'ß' => to.push_str("ss"),
            'ţ' | 'ť' | 'ț' => to.push('t'),
            'þ' => to.push_str("th"),
            'ù' | 'ú' | 'û' | 'ü' | 'ũ' | 'ū' | 'ů' | 'ű' | 'ų' => to.push('u'),
            'ý' | 'ÿ' => to.push('y'),
            'ź' | 'ż' | 'ž' => to.push('z'),
            _ => to.push(c),
        }
    }
}

/// The one form of a word.
fn short(plain: &str) -> &str {
    let forms = FORMS.iter().find(|(long, _)| *long == plain);
    forms.map_or_else(|| without_ordinal(plain), |(_, short)| *short)
}

/// '33' for '33rd'.
fn without_ordinal(plain: &str) -> &str {
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|it| plain.strip_suffix(it));
    digits
        .filter(|it| !it.is_empty() && it.chars().all(|it| it.is_ascii_digit()))
        .unwrap_or(plain)
}

/// Words in the forms that people write, and the one that stands for all: abbreviations of the United States Postal Service
/// (Publication 28, appendix C1), and those of Europe's maps. An abbreviation that begins its word, as 'k.' for 'katu' or
/// 'Str.' for 'Straße' at the end of a name, is found as what is typed of it.
const FORMS: &[(&str, &str)] = &[
    ("street", "st"),
    ("str", "st"),
    ("strasse", "st"),
    ("straat", "st"),
    ("saint", "st"),
    ("sankt", "st"),
    ("avenue", "ave"),
    ("av", "ave"),
    ("avenida", "ave"),
    ("avda", "ave"),
    ("boulevard", "blvd"),
    ("bd", "blvd"),
    ("road", "rd"),
    ("drive", "dr"),
    ("doctor", "dr"),
    ("lane", "ln"),
    ("court", "ct"),
    ("place", "pl"),
    ("platz", "pl"),
    ("plaza", "plz"),
    ("piazza", "plz"),
    ("pza", "plz"),
    ("square", "sq"),
    ("terrace", "ter"),
    ("terr", "ter"),
    ("parkway", "pkwy"),
    ("pky", "pkwy"),
    ("highway", "hwy"),
    ("circle", "cir"),
    ("alley", "aly"),
    ("trail", "trl"),
    ("way", "wy"),
    ("crescent", "cres"),
    ("close", "cl"),
    ("gardens", "gdns"),
    ("grove", "grv"),
    ("expressway", "expy"),
    ("freeway", "fwy"),
    ("turnpike", "tpke"),
    ("route", "rte"),
    ("chemin", "ch"),
    ("impasse", "imp"),
    ("viale", "vle"),
    ("corso", "cso"),
    ("calle", "c"),
    ("rua", "r"),
    ("mount", "mt"),
    ("fort", "ft"),
    ("heights", "hts"),
    ("point", "pt"),
    ("junior", "jr"),
    ("north", "n"),
    ("south", "s"),
    ("east", "e"),
    ("west", "w"),
    ("northeast", "ne"),
    ("northwest", "nw"),
    ("southeast", "se"),
    ("southwest", "sw"),
    ("first", "1"),
    ("second", "2"),
    ("third", "3"),
    ("fourth", "4"),
    ("fifth", "5"),
    ("sixth", "6"),
    ("seventh", "7"),
    ("eighth", "8"),
    ("ninth", "9"),
    ("tenth", "10"),
];

/// Forms that do not tell one street from another: people leave them out.
const LIGHT: &[&str] = &[
    "st", "ave", "blvd", "rd", "dr", "ln", "ct", "pl", "plz", "sq", "ter", "pkwy", "hwy", "cir",
    "aly", "trl", "wy", "cres", "cl", "rte", "ch", "imp", "vle", "cso", "c", "r", "rue", "via",
    "weg", "gasse", "allee", "n", "s", "e", "w", "ne", "nw", "se", "sw", "de", "du", "des", "la",
    "le", "les", "del", "della", "di", "of", "the", "der", "die", "den", "am", "an", "im", "zur",
    "zum",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn shorts(text: &str) -> Vec<String> {
        words(text).into_iter().map(|it| it.short).collect()
    }

    #[test]
    fn words_have_one_form_for_all_ways_to_write_them() {
        for (one, other) in [
            ("North Charles Street", "n. charles st."),
            ("Saint Paul Street", "St Paul St"),
            ("East 33rd Street", "E 33 St"),
            ("Fifth Avenue", "5th Ave"),
            ("O’Donnell Street", "ODonnell street"),
            ("Straße des 17. Juni", "strasse des 17 juni"),
            ("Töölönkatu", "toolonkatu"),
            ("Łódź", "lodz"),
            ("Jean-Jaurès", "jean jaures"),
            ("e\u{301}cole", "école"),
        ] {
            assert_eq!(shorts(one), shorts(other), "{one}");
        }
    }

    #[test]
    fn numbers_keep_what_belongs_to_them() {
        assert_eq!(shorts("12-14, 3/2 12a #4"), ["12-14", "3/2", "12a", "4"]);
        assert!(words("12-14")[0].is_number);
        assert!(!words("a12")[0].is_number);
    }

    #[test]
    fn words_are_bounded() {
        assert_eq!(words(&"ä ".repeat(5_000)).len(), MAX_WORDS);
        assert_eq!(words(&"x".repeat(5_000))[0].plain.len(), MAX_CHARS);
        assert_eq!(words(" ,.- "), []);
    }
}
