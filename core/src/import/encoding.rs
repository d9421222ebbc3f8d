//! Owns how the bytes of a file become text: UTF-8 and UTF-16 with or without their mark, else the encoding of a computer of
//! before, which is asked for where the bytes do not tell which one.

use serde::Serialize;

use crate::values::json::read_by_name;

/// An encoding with a letter for every byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// Windows-1252, of western Europe and America.
    WesternWindows,
    /// Mac OS Roman.
    WesternMac,
    /// Windows-1250, of central Europe.
    CentralEuropean,
    /// Windows-1251, of Cyrillic scripts.
    Cyrillic,
}

read_by_name!(Encoding {
    WesternWindows,
    WesternMac,
    CentralEuropean,
    Cyrillic
});

/// A way to read the letters of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Reading {
    /// Encoding of the bytes.
    pub encoding: Encoding,
    /// Name of the encoding as a person reads it.
    pub label: String,
    /// A line of the file as it is with this encoding, at most 80 characters; the readings differ in it.
    pub sample: String,
}

/// Most characters of a sample.
const SAMPLE: usize = 80;

impl Encoding {
    const ALL: [Self; 4] = [
        Self::WesternWindows,
        Self::WesternMac,
        Self::CentralEuropean,
        Self::Cyrillic,
    ];

    const fn label(self) -> &'static str {
        match self {
            Self::WesternWindows => "Western, from Windows",
            Self::WesternMac => "Western, from an old Mac",
            Self::CentralEuropean => "Central European",
            Self::Cyrillic => "Cyrillic",
        }
    }

    fn letter(self, byte: u8) -> char {
        let upper = match self {
            Self::WesternWindows => return windows_1252(byte),
            Self::WesternMac => MAC_ROMAN,
            Self::CentralEuropean => WINDOWS_1250,
            Self::Cyrillic => WINDOWS_1251,
        };
        let place = byte.checked_sub(0x80).map(usize::from);
        let letter = place.and_then(|it| upper.chars().nth(it));
        letter.unwrap_or(char::from(byte))
    }

    fn decode(self, bytes: &[u8]) -> String {
        let letters: Vec<char> = (0..=u8::MAX).map(|it| self.letter(it)).collect();
        let letter = |it: &u8| letters.get(usize::from(*it)).copied().unwrap_or_default();
        bytes.iter().map(letter).collect()
    }
}

/// The ways in which a file can be read where its bytes do not tell, the likeliest first; none where they do.
pub(super) fn readings(bytes: &[u8]) -> Vec<Reading> {
    if unicode(bytes).is_some() {
        return Vec::new();
    }
    let lines = bytes.split(|it| *it == b'\n' || *it == b'\r');
    let lines = lines.filter(|it| !it.is_ascii());
    let mut found: Vec<Reading> = Vec::new();
    let likely = likely(bytes);
    // The first line in which they differ.
    for line in lines.take(LINES_COMPARED) {
        found = likely
            .iter()
            .map(|it| Reading {
                encoding: *it,
                label: it.label().to_owned(),
                sample: sample(&it.decode(line)),
            })
            .collect();
        let mut seen: Vec<String> = Vec::new();
        found.retain(|it| {
            let is_new = !seen.contains(&it.sample);
            seen.push(it.sample.clone());
            is_new
        });
        if 1 < found.len() {
            return found;
        }
    }
    found.clear();
    found
}

/// Most lines in which a difference is searched.
const LINES_COMPARED: usize = 200;

/// The part of a line around its first letter that is not ASCII.
fn sample(line: &str) -> String {
    let letters: Vec<char> = line.chars().collect();
    let first = letters.iter().position(|it| !it.is_ascii()).unwrap_or(0);
    let begin = first.saturating_sub(SAMPLE / 2);
    let part = letters.iter().skip(begin).take(SAMPLE);
    part.collect::<String>().trim().to_owned()
}

/// The encodings that fit the bytes, the likeliest first.
fn likely(bytes: &[u8]) -> Vec<Encoding> {
    let (mut mac, mut windows, mut central) = (0, 0, 0);
    let (mut runs, mut high, mut apostrophes) = (0_usize, 0_usize, 0_usize);
    for (place, byte) in bytes.iter().enumerate().filter(|(_, it)| !it.is_ascii()) {
        let at = |place: Option<usize>| place.and_then(|it| bytes.get(it)).copied();
        let before = at(place.checked_sub(1)).unwrap_or(b' ');
        let after = at(place.checked_add(1)).unwrap_or(b' ');
        high += 1;
        apostrophes += usize::from(is_apostrophe(bytes, place));
        if !before.is_ascii() && !after.is_ascii() {
            runs += 1;
        }
        if !before.is_ascii_alphabetic() && !after.is_ascii_alphabetic() {
            continue;
        }
        let is_within = before.is_ascii_lowercase();
        match byte {
            // Symbols and capitals of Windows within a word, letters of a Mac.
            0x80..=0x84 | 0x86..=0x8f | 0x98 | 0x9b | 0x9d | 0x9f | 0xa7 if is_within => mac += 1,
            0x81 | 0x83 | 0x87 | 0x88 | 0x8d | 0x8f | 0x90 | 0x98 => mac += 1,
            0xb3 | 0xb9 | 0xbf if is_within || after.is_ascii_lowercase() => central += 1,
            0xd0..=0xd5 => {}
            0xc0..=0xff => windows += 1,
            _ => {}
        }
    }
    if 0 < high && high == apostrophes {
        // All encodings of Windows have it at the same place.
        return vec![Encoding::WesternWindows];
    }
    if 0 < runs && high <= 2 * runs {
        return vec![
            Encoding::Cyrillic,
            Encoding::WesternWindows,
            Encoding::CentralEuropean,
        ];
    }
    if 0 < mac && windows == 0 {
        return vec![Encoding::WesternMac];
    }
    if 0 < central {
        return vec![Encoding::CentralEuropean, Encoding::WesternWindows];
    }
    if 0 < windows && mac == 0 {
        return vec![Encoding::WesternWindows, Encoding::CentralEuropean];
    }
    Encoding::ALL.get(..3).unwrap_or_default().to_vec()
}

/// Ends of words behind an apostrophe: `Dana’s`, `don’t`, `we’ll`.
const ENDINGS: [&[u8]; 7] = [b"s", b"t", b"d", b"m", b"ll", b"re", b"ve"];

/// Returns true for the curly apostrophe of Windows where an `í`, which a Mac has at its place, makes no word: before the end
/// of an English word, behind a plural, and between capitals (`O’Brien`).
fn is_apostrophe(bytes: &[u8], place: usize) -> bool {
    if bytes.get(place) != Some(&0x92) {
        return false;
    }
    let before = place.checked_sub(1).and_then(|it| bytes.get(it));
    let Some(before) = before.filter(|it| it.is_ascii_alphabetic()) else {
        return false;
    };
    let rest = bytes.get(place + 1..).unwrap_or_default();
    let end = rest.iter().position(|it| !it.is_ascii_alphabetic());
    match rest.get(..end.unwrap_or(rest.len())).unwrap_or_default() {
        [] => before.eq_ignore_ascii_case(&b's') && rest.first().is_none_or(u8::is_ascii),
        [first, ..] if before.is_ascii_uppercase() => first.is_ascii_uppercase(),
        word => ENDINGS.contains(&word),
    }
}

/// The text of a file. Every file has one: what is not Unicode is read with `chosen`, or with the likeliest encoding.
pub(super) fn decode(bytes: &[u8], chosen: Option<Encoding>) -> String {
    unicode(bytes).unwrap_or_else(|| {
        let encoding = chosen.or_else(|| likely(bytes).first().copied());
        encoding.unwrap_or(Encoding::WesternWindows).decode(bytes)
    })
}

/// The text of a file in UTF-8 or UTF-16; none for any other.
fn unicode(bytes: &[u8]) -> Option<String> {
    if let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        return Some(
            mended_utf8(rest).unwrap_or_else(|| String::from_utf8_lossy(rest).into_owned()),
        );
    }
    if let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
        return Some(utf16(rest, u16::from_le_bytes));
    }
    if let Some(rest) = bytes.strip_prefix(b"\xFE\xFF") {
        return Some(utf16(rest, u16::from_be_bytes));
    }
    // Commas, digits and line breaks have a zero in every UTF-16, in the same half of it, and nowhere else.
    let has_zero = |at: usize| bytes.iter().skip(at).step_by(2).any(|it| *it == 0);
    let unit = match (has_zero(0), has_zero(1)) {
        (false, true) => Some(u16::from_le_bytes as fn([u8; 2]) -> u16),
        (true, false) => Some(u16::from_be_bytes as fn([u8; 2]) -> u16),
        _ => None,
    };
    let text = unit.map(|it| utf16(bytes, it));
    let is_text = |it: &String| {
        !it.contains([char::REPLACEMENT_CHARACTER, '\0']) && it.contains(['\n', '\r', ',', ';'])
    };
    text.filter(is_text).or_else(|| mended_utf8(bytes))
}

/// UTF-8, also where single bytes of Windows-1252 stand between it, as in files that two programs have written; none where
/// there are as many of those as letters of UTF-8.
fn mended_utf8(bytes: &[u8]) -> Option<String> {
    let (mut text, mut n_letters, mut n_wrong) = (String::with_capacity(bytes.len()), 0, 0);
    for chunk in bytes.utf8_chunks() {
        n_letters += chunk.valid().chars().filter(|it| !it.is_ascii()).count();
        n_wrong += chunk.invalid().len();
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|it| windows_1252(*it)));
    }
    (n_wrong == 0 || n_wrong < n_letters).then_some(text)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes
        .chunks_exact(2)
        .filter_map(|it| it.first_chunk().copied())
        .map(unit);
    char::decode_utf16(units)
        .map(|it| it.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// The letters from 0x80 to 0x9F (WHATWG Encoding Standard, index windows-1252); the others are those of Unicode.
const LETTERS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

pub(super) fn windows_1252(byte: u8) -> char {
    let letter = byte.checked_sub(0x80).map(usize::from);
    let letter = letter.and_then(|it| LETTERS.get(it).copied());
    letter.unwrap_or(char::from(byte))
}

/// The letters from 0x80 on of Mac OS Roman (WHATWG Encoding Standard, index macintosh).
const MAC_ROMAN: &str = "\
    ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø\
    ¿¡¬√ƒ≈∆«»…\u{a0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{f8ff}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ";

/// Letters of Windows-1250.
const WINDOWS_1250: &str = "\
    €\u{81}‚\u{83}„…†‡\u{88}‰Š‹ŚŤŽŹ\u{90}‘’“”•–—\u{98}™š›śťžź\u{a0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{ad}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż\
    ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙";

/// Letters of Windows-1251.
const WINDOWS_1251: &str = "\
    ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{98}™љ›њќћџ\u{a0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{ad}®Ї°±Ііґµ¶·ё№є»јЅѕї\
    АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя";
