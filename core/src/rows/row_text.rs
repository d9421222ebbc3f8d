//! Owns finding fields in the text of a row that nobody has read: in JSON of this build, one behind the other.

use std::borrow::Cow;

/// The rest of a row's text, from the front.
pub(super) struct RowText<'a>(pub(super) &'a str);

impl<'a> RowText<'a> {
    /// Goes on behind the first `name`, which has two letters or more, that is not within the next `least` bytes. The search
    /// of the standard library gets ready for each name first, which takes longer than to find one that is near.
    pub(super) fn find(&mut self, name: &str, least: usize) -> Option<()> {
        let text = self.0.as_bytes();
        let name = name.as_bytes();
        let (first, second) = (name.first()?, name.get(1)?);
        let mut rest = text.get(least..)?;
        while let [one, behind @ ..] = rest {
            if one == first && behind.first() == Some(second) && rest.starts_with(name) {
                self.0 = self.0.get(text.len() - rest.len() + name.len()..)?;
                return Some(());
            }
            rest = behind;
        }
        None
    }

    /// A word in quotes, of which `name` has the first.
    pub(super) fn word(&mut self, name: &str, least: usize) -> Option<&'a str> {
        self.find(name, least)?;
        self.until(|it| it == b'"')
    }

    /// The same of what a person typed.
    pub(super) fn words(&mut self, name: &str, least: usize) -> Option<Cow<'a, str>> {
        let word = self.word(name, least)?;
        if !word.contains('\\') {
            return Some(Cow::Borrowed(word));
        }
        let mut is_escaped = false;
        let end = self.0.bytes().position(|it| {
            let ends = it == b'"' && !is_escaped;
            is_escaped = it == b'\\' && !is_escaped;
            ends
        })?;
        let word = ["\"", self.0.get(..=end)?].concat();
        serde_json::from_str(&word).ok().map(Cow::Owned)
    }

    /// A number or a truth value.
    pub(super) fn value(&mut self, name: &str, least: usize) -> Option<&'a str> {
        self.find(name, least)?;
        self.until(|it| it == b',' || it == b'}')
    }

    fn until(&self, is_end: impl Fn(u8) -> bool) -> Option<&'a str> {
        self.0.get(..self.0.bytes().position(is_end)?)
    }
}
