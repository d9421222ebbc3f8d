//! Owns the letters of printed pages: which of the embedded fonts has a character, and their bytes as a typesetter reads
//! them. They are Google's Noto Sans and its kin, each cut into files by ranges of characters, as npm packages bring them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock, OnceLock};

use parley::fontique::Blob;
use rust_embed::Embed;
use serde_json::{Map, Value};

/// In a release the files are in the binary; in a debug build they are read from the folder.
#[derive(Embed)]
#[folder = "../node_modules/@fontsource-variable"]
#[include = "*/files/*-wght-normal.woff2"]
#[include = "*/unicode.json"]
struct Embedded;

/// Who comes first is asked first. Chinese has the characters of Japanese, too.
const FAMILIES: [&str; 7] = [
    "noto-sans",
    "noto-sans-hebrew",
    "noto-sans-arabic",
    "noto-sans-thai",
    "noto-sans-sc",
    KOREAN,
    "noto-emoji",
];

const KOREAN: &str = "noto-sans-kr";

/// Syllables of Korean.
const HANGUL: RangeInclusive<u32> = 0xac00..=0xd7a3;

/// The marks between which core sets a name that is written from right to left (`set_apart`).
pub const ISOLATES: [char; 2] = ['\u{2068}', '\u{2069}'];

/// The embedded fonts.
pub static FONTS: LazyLock<Fonts> = LazyLock::new(Fonts::read);

/// The embedded fonts, with an index by character; see `FONTS`.
pub struct Fonts {
    files: Vec<FontFile>,
    /// The first and the last character of a range, and the place of its file; those of earlier families first.
    ranges: Vec<(u32, u32, usize)>,
}

/// A font with some of the characters of its family.
pub struct FontFile {
    path: String,
    bytes: OnceLock<Option<Blob<u8>>>,
}

impl FontFile {
    /// Returns the family name under which the typesetter knows the font, which is its path.
    pub fn name(&self) -> &str {
        &self.path
    }

    /// The font, uncompressed when it is first needed: at most 25 MB for all of them.
    pub fn bytes(&self) -> Option<Blob<u8>> {
        let read = || {
            let packed: Cow<'static, [u8]> = Embedded::get(&self.path)?.data;
            let bytes = wuff::decompress_woff2(&packed).ok()?;
            Some(Blob::new(Arc::new(bytes)))
        };
        self.bytes.get_or_init(read).clone()
    }
}

impl Fonts {
    fn read() -> Self {
        let mut fonts = Self {
            files: Vec::new(),
            ranges: Vec::new(),
        };
        for family in FAMILIES {
            let index = Embedded::get(&format!("{family}/unicode.json"));
            let parts: Map<String, Value> = index
                .and_then(|it| serde_json::from_slice(&it.data).ok())
                .unwrap_or_default();
            for (part, ranges) in &parts {
                let part = part.trim_matches(['[', ']']);
                let path = format!("{family}/files/{family}-{part}-wght-normal.woff2");
                let file = fonts.files.len();
                let ranges = ranges.as_str().unwrap_or_default().split(',');
                fonts.ranges.extend(ranges.filter_map(|it| {
                    let (first, last) = read_range(it)?;
                    // The Chinese one names Korean letters that it does not have.
                    let is_had = family == KOREAN || !HANGUL.contains(&first);
                    is_had.then_some((first, last, file))
                }));
                fonts.files.push(FontFile {
                    path,
                    bytes: OnceLock::new(),
                });
            }
        }
        fonts
    }

    /// Returns true if no fonts were embedded.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The font that has this character.
    pub fn find(&self, character: char) -> Option<usize> {
        let code = u32::from(character);
        let has = |(first, last, _): &&(u32, u32, usize)| (*first..=*last).contains(&code);
        self.ranges.iter().find(has).map(|(.., file)| *file)
    }

    /// A font by its place.
    pub fn get(&self, file: usize) -> Option<&FontFile> {
        self.files.get(file)
    }

    /// The fonts of a text, those of earlier families first, and the text without what none of them has.
    pub fn of<'a>(&self, text: &'a str) -> (BTreeSet<usize>, Cow<'a, str>) {
        let mut files = BTreeSet::new();
        let mut has = |it: char| match it {
            '\n' => true,
            // They keep a name in its own direction, and are drawn by no font.
            it if ISOLATES.contains(&it) => true,
            // What turns the order of others' letters, and what nobody sees.
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}' | '\u{2067}' => false,
            it if it.is_control() => false,
            it => self.find(it).map(|file| files.insert(file)).is_some(),
        };
        let text = if text.chars().all(&mut has) {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(text.chars().filter(|it| has(*it)).collect())
        };
        (files, text)
    }
}

/// `U+4e00-4e7f`, or one character of it.
fn read_range(text: &str) -> Option<(u32, u32)> {
    let text = text.trim().strip_prefix("U+")?;
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let code = |it| u32::from_str_radix(it, 16).ok();
    Some((code(first)?, code(last)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_real_names_have_a_font_that_can_be_read() {
        for letter in "aÖŁéßşøñğžĐΩЖअשعไ犬龍貓はハ강아지🐶♥–’…€".chars()
        {
            let file = FONTS.find(letter).and_then(|it| FONTS.get(it));
            let file = file.unwrap_or_else(|| panic!("no font has {letter}"));
            assert!(file.bytes().is_some(), "{letter}: {}", file.name());
        }
    }

    #[test]
    fn what_no_font_has_and_what_nobody_sees_is_left_out() {
        let (_, text) = FONTS.of("Re\u{202e}x\u{7}\u{e000} and\n\u{2068}Łuna\u{2069}\u{2067}");
        assert_eq!(text, "Rex and\n\u{2068}Łuna\u{2069}");
    }
}
