//! Owns reading vCards: versions 3.0 (RFC 2426) and 4.0 (RFC 6350), and 2.1 as phones still write it, with lines in
//! quoted-printable.

use std::borrow::Cow;

use super::encoding::{decode, windows_1252};

/// Data of one contact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Contact {
    pub(super) name: String,
    pub(super) email: String,
    pub(super) phone: String,
    pub(super) address: String,
    /// Notes, with further phone numbers and e-mail addresses, and with what no field takes.
    pub(super) notes: String,
    /// Names of groups of properties as the person has called them, such as `item4` and `Dog`.
    labels: Vec<(String, String)>,
    /// Properties that no field takes: the group, the name as a person reads it, the value.
    others: Vec<(String, String, String)>,
    /// The address as it is printed, in version 2.1.
    printed_address: String,
}

/// Returns true if a text begins like a vCard.
pub(super) fn is_vcard(text: &str) -> bool {
    let begins = text.trim_start().get(..11);
    begins.is_some_and(|it| it.eq_ignore_ascii_case("BEGIN:VCARD"))
}

/// The properties that have files in them: none of it is imported.
const FILES: [&[u8]; 4] = [b"PHOTO", b"LOGO", b"SOUND", b"KEY"];

/// The bytes of vCards without their pictures and other files; those of anything else as they are.
pub(super) fn without_pictures(bytes: &[u8]) -> Cow<'_, [u8]> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let begins = text.trim_ascii_start().get(..11);
    if !begins.is_some_and(|it| it.eq_ignore_ascii_case(b"BEGIN:VCARD")) {
        return Cow::Borrowed(bytes);
    }
    let mut kept = Vec::new();
    let mut is_file = false;
    for line in text.split_inclusive(|it| *it == b'\n') {
        let goes_on = line.starts_with(b" ") || line.starts_with(b"\t");
        if !goes_on {
            is_file = has_file(line);
        }
        if !is_file {
            kept.extend_from_slice(line);
        }
    }
    Cow::Owned(kept)
}

/// Returns true if a line begins a property that has a file: `PHOTO;TYPE=JPEG:`, `item1.LOGO:`.
fn has_file(line: &[u8]) -> bool {
    let end = line.iter().position(|it| b":;".contains(it));
    let head = end.and_then(|it| line.get(..it)).unwrap_or_default();
    let name = head.rsplit(|it| *it == b'.').next().unwrap_or_default();
    FILES.iter().any(|it| it.eq_ignore_ascii_case(name))
}

/// The contacts of a text, in its order.
pub(super) fn contacts(text: &str) -> Vec<Contact> {
    let mut contacts = Vec::new();
    let mut open: Option<Contact> = None;
    for line in lines(text) {
        let Some(property) = Property::read(&line) else {
            continue;
        };
        match (property.name.as_str(), &mut open) {
            ("BEGIN", _) => open = Some(Contact::default()),
            ("END", _) => contacts.extend(open.take().map(Contact::finish)),
            (_, Some(contact)) => contact.take(&property),
            _ => {}
        }
    }
    contacts.retain(|it| *it != Contact::default());
    contacts
}

/// A line with all that goes on in those below it.
struct Line {
    text: String,
    /// True if the head of the property names the encoding; looked up once, however many lines continue it.
    is_quoted_printable: bool,
}

impl Line {
    fn new(text: &str) -> Self {
        let head = text.split(':').next().unwrap_or_default();
        Self {
            is_quoted_printable: head.to_ascii_uppercase().contains("QUOTED-PRINTABLE"),
            text: text.to_owned(),
        }
    }
}

/// The lines, with those that go on in the next one put together.
fn lines(text: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for line in text.lines() {
        let goes_on = line.strip_prefix([' ', '\t']);
        match (lines.last_mut(), goes_on) {
            // A soft line break.
            (Some(last), _) if last.is_quoted_printable && last.text.ends_with('=') => {
                last.text.pop();
                last.text.push_str(line.trim_start());
            }
            (Some(last), Some(rest)) => last.text.push_str(rest),
            _ => lines.push(Line::new(line)),
        }
    }
    lines
}

struct Property {
    /// The group before the name, as `item1` of `item1.TEL`; may be empty.
    group: String,
    /// In capitals, without the group before it.
    name: String,
    /// As it stands there, but for quoted-printable.
    value: String,
}

impl Property {
    fn read(line: &Line) -> Option<Self> {
        let mut is_quoted = false;
        let colon = line.text.find(|it| {
            is_quoted ^= it == '"';
            it == ':' && !is_quoted
        })?;
        let (head, value) = line.text.split_at_checked(colon)?;
        let value = value.get(1..)?;
        let name = head.split(';').next()?;
        let (group, name) = name.rsplit_once('.').unwrap_or(("", name));
        let value = if line.is_quoted_printable {
            unquoted(value)
        } else {
            value.to_owned()
        };
        Some(Self {
            group: group.trim().to_ascii_lowercase(),
            name: name.trim().to_ascii_uppercase(),
            value,
        })
    }

    /// The parts of a value, without what protects letters in them.
    fn parts(&self) -> Vec<String> {
        let mut parts = vec![String::new()];
        let mut letters = self.value.chars();
        while let Some(letter) = letters.next() {
            let letter = match letter {
                ';' => {
                    parts.push(String::new());
                    continue;
                }
                '\\' => match letters.next() {
                    Some('n' | 'N') => '\n',
                    Some(letter) => letter,
                    None => break,
                },
                letter => letter,
            };
            if let Some(last) = parts.last_mut() {
                last.push(letter);
            }
        }
        parts.iter().map(|it| it.trim().to_owned()).collect()
    }

    fn text(&self) -> String {
        self.parts().join(";")
    }
}

/// `=C3=A4` as what it stands for.
fn unquoted(value: &str) -> String {
    let mut bytes = Vec::with_capacity(value.len());
    let mut rest = value.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.first_chunk::<2>().filter(|_| *first == b'=');
        let byte = digits.and_then(|it| {
            let text = std::str::from_utf8(it).ok()?;
            u8::from_str_radix(text, 16).ok()
        });
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() {
            after.get(2..).unwrap_or_default()
        } else {
            after
        };
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => text.to_owned(),
        Err(_) if bytes.contains(&0) => bytes.iter().map(|it| windows_1252(*it)).collect(),
        Err(_) => decode(&bytes, None),
    }
}

/// Name of the property for a company.
const ORGANIZATION: &str = "Organization";

/// Properties that no field takes, each with its name as a person reads it.
const OTHERS: [(&str, &str); 17] = [
    ("ORG", ORGANIZATION),
    ("GENDER", "Gender"),
    ("TITLE", "Title"),
    ("ROLE", "Role"),
    ("NICKNAME", "Nickname"),
    ("BDAY", "Birthday"),
    ("ANNIVERSARY", "Anniversary"),
    ("X-ANNIVERSARY", "Anniversary"),
    ("X-ABDATE", "Date"),
    ("X-ABRELATEDNAMES", "Related"),
    ("RELATED", "Related"),
    ("X-SPOUSE", "Spouse"),
    ("URL", "Website"),
    ("IMPP", "Messages"),
    ("X-SOCIALPROFILE", "Profile"),
    ("CATEGORIES", "Groups"),
    ("X-ANDROID-CUSTOM", "More"),
];

/// Beginnings of the names of properties that their program alone understands.
const TECHNICAL: [&str; 12] = [
    "X-AB",
    "X-APPLE",
    "X-EVOLUTION",
    "X-IMAGE",
    "X-PHONETIC",
    "X-ADDRESSBOOK",
    "X-ACCOUNT",
    "X-MS-",
    "X-WAB",
    "X-FILE",
    "X-PRODID",
    "X-SOURCE",
];

/// The name of a property that no field takes, as a person reads it; none for what the program alone understands.
fn called(name: &str) -> Option<String> {
    if let Some((_, called)) = OTHERS.iter().find(|(it, _)| *it == name) {
        return Some((*called).to_owned());
    }
    let own = name.strip_prefix("X-")?;
    let is_technical = TECHNICAL.iter().any(|it| name.starts_with(it));
    let words = own.replace('-', " ").to_lowercase();
    let mut letters = words.chars();
    let first = letters.next().filter(|_| !is_technical)?;
    Some(first.to_uppercase().chain(letters).collect())
}

/// A birthday as people write it: `19800102` and `--0203` (RFC 6350) as `1980-01-02` and `02-03`.
fn day_of(text: &str) -> String {
    let bare = text.trim_start_matches('-');
    let is_digits = bare.chars().all(|it| it.is_ascii_digit());
    let day = match (is_digits, bare.len()) {
        (true, 8) => bare.split_at_checked(4).and_then(|(year, rest)| {
            let (month, day) = rest.split_at_checked(2)?;
            Some([year, month, day].join("-"))
        }),
        (true, 4) if bare.len() < text.len() => bare
            .split_at_checked(2)
            .map(|(month, day)| [month, day].join("-")),
        _ => None,
    };
    day.unwrap_or_else(|| text.to_owned())
}

/// The texts that are none empty, with this between them.
fn joined_all(texts: &[String], between: &str) -> String {
    let texts: Vec<&str> = texts
        .iter()
        .map(String::as_str)
        .filter(|it| !it.is_empty())
        .collect();
    texts.join(between)
}

impl Contact {
    fn take(&mut self, property: &Property) {
        match property.name.as_str() {
            "FN" if !property.text().is_empty() => self.name = property.text(),
            "N" if self.name.is_empty() => {
                let parts = property.parts();
                let part = |place: usize| parts.get(place).map(String::as_str).unwrap_or_default();
                // Family, given, more, before, after; said as given, more, family.
                self.name = joined([part(1), part(2), part(0)], " ");
            }
            "EMAIL" => {
                let email = property.text();
                let email = email.strip_prefix("mailto:").unwrap_or(&email).to_owned();
                self.first_or_note(|it| &mut it.email, email);
            }
            "TEL" => {
                let number = property.text();
                self.first_or_note(|it| &mut it.phone, phone_of_uri(&number).unwrap_or(number));
            }
            "ADR" => {
                let parts = property.parts();
                let part = |place: usize| parts.get(place).map(String::as_str).unwrap_or_default();
                let street = joined([part(2), part(1), part(0)], ", ").replace('\n', ", ");
                let region = joined([part(4), part(5)], " ");
                let address = joined([&street, part(3), &region, part(6)], ", ");
                self.first_or_note(|it| &mut it.address, address);
            }
            "NOTE" => self.note(&property.text()),
            "LABEL" => self.printed_address = property.text().replace('\n', ", "),
            "X-ABLABEL" => {
                let label = property.text();
                // Those of Apple's own list: `_$!<Mobile>!$_`.
                let bare = label
                    .strip_prefix("_$!<")
                    .and_then(|it| it.strip_suffix(">!$_"));
                let label = bare.unwrap_or(&label).to_owned();
                self.labels.push((property.group.clone(), label));
            }
            "BDAY" => self.other(property, day_of(&property.text())),
            "X-ANDROID-CUSTOM" => {
                let parts = property.parts();
                self.other(property, parts.get(1).cloned().unwrap_or_default());
            }
            _ => {
                let parts = property.parts();
                self.other(property, joined_all(&parts, ", "));
            }
        }
    }

    /// Keeps a property that no field takes; none of those that the program alone understands.
    fn other(&mut self, property: &Property, text: String) {
        let called = called(&property.name);
        let is_new = |it: &(String, String, String)| it.2 != text;
        if let Some(called) = called
            && !text.is_empty()
            && self.others.iter().all(is_new)
        {
            self.others.push((property.group.clone(), called, text));
        }
    }

    /// The contact with what its properties say together.
    fn finish(mut self) -> Self {
        if self.address.is_empty() {
            self.address = std::mem::take(&mut self.printed_address);
        }
        for (group, called, text) in std::mem::take(&mut self.others) {
            if called == ORGANIZATION && self.name.is_empty() {
                self.name = text;
                continue;
            }
            let label = self
                .labels
                .iter()
                .find(|it| !group.is_empty() && it.0 == group);
            let called = label.map_or(&called, |it| &it.1);
            let text = [called, ": ", &text].concat();
            self.note(&text);
        }
        self.labels.clear();
        self
    }

    fn first_or_note(&mut self, field: impl Fn(&mut Self) -> &mut String, value: String) {
        let known = field(self);
        if known.is_empty() {
            *known = value;
        } else if *known != value {
            self.note(&value);
        }
    }

    fn note(&mut self, text: &str) {
        if !self.notes.is_empty() && !text.is_empty() {
            self.notes.push('\n');
        }
        self.notes.push_str(text);
    }
}

/// `tel:+1-206-555-0109;ext=5102` (RFC 3966) as people write it; none for what is no such address.
fn phone_of_uri(uri: &str) -> Option<String> {
    let mut parts = uri.strip_prefix("tel:")?.split(';').map(str::trim);
    let number = parts.next()?;
    let extension = parts.find_map(|it| it.strip_prefix("ext="));
    Some(match extension {
        Some(extension) => [number, " ext. ", extension].concat(),
        None => number.to_owned(),
    })
}

/// The texts that are none empty, with this between them.
pub(super) fn joined<const N: usize>(texts: [&str; N], between: &str) -> String {
    let texts: Vec<&str> = texts.into_iter().filter(|it| !it.is_empty()).collect();
    texts.join(between)
}
