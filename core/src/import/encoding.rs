//! Owns how the bytes of a file become text: UTF-8 and UTF-16 with or without their mark, else Windows-1252.

/// The text of a file. Every file has one: what is not Unicode is read as Windows-1252, which has a letter for every byte.
pub(super) fn decode(bytes: &[u8]) -> String {
    if let Some(rest) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        return String::from_utf8_lossy(rest).into_owned();
    }
    if let Some(rest) = bytes.strip_prefix(b"\xFF\xFE") {
        return utf16(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(b"\xFE\xFF") {
        return utf16(rest, u16::from_be_bytes);
    }
    // Text of Europe and America has a zero in every second byte of UTF-16, and nowhere else.
    let zeros = |at: usize| {
        let half = bytes.iter().skip(at).step_by(2).take(256);
        half.clone().count() < half.filter(|it| **it == 0).count() * 2
    };
    if zeros(1) {
        return utf16(bytes, u16::from_le_bytes);
    }
    if zeros(0) {
        return utf16(bytes, u16::from_be_bytes);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|it| windows_1252(*it)).collect(),
    }
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
