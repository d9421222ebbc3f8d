//! Owns finding fields in the text of a row that nobody has read: in JSON of this build, one behind the other. A phone that
//! starts does it ten thousand times, and one that looks at its years twenty thousand times with all fields that count.

use std::str;

/// The rest of a row's text, from the front.
#[derive(Clone, Copy, Debug)]
pub struct RowText<'a>(&'a [u8]);

impl<'a> RowText<'a> {
    /// A whole row's text, which is UTF-8.
    pub const fn new(text: &'a [u8]) -> Self {
        Self(text)
    }

    /// Returns the text behind the field that was found last.
    pub const fn rest(&self) -> &'a [u8] {
        self.0
    }

    /// Goes on behind the first `name`, which has two letters or more, that is not within the next `least` bytes. The search
    /// of the standard library gets ready for each name first, which takes longer than to find one that is near.
    #[inline]
    fn find(&mut self, name: &str, least: usize) -> Option<()> {
        let name = name.as_bytes();
        let (first, second) = (name.first()?, name.get(1)?);
        let mut rest = self.0.get(least..)?;
        while let [one, behind @ ..] = rest {
            if one == first && behind.first() == Some(second) && rest.starts_with(name) {
                self.0 = rest.get(name.len()..)?;
                return Some(());
            }
            rest = behind;
        }
        None
    }

    /// A word in quotes, of which `name` has the first; one that a person typed has its escapes still.
    pub fn word(&mut self, name: &str, least: usize) -> Option<&'a str> {
        self.find(name, least)?;
        let mut is_escaped = false;
        self.until(|it| {
            let ends = it == b'"' && !is_escaped;
            is_escaped = it == b'\\' && !is_escaped;
            ends
        })
    }

    /// A number or a truth value.
    pub fn value(&mut self, name: &str, least: usize) -> Option<&'a str> {
        self.find(name, least)?;
        self.until(|it| it == b',' || it == b'}')
    }

    #[inline]
    fn until(&self, mut is_end: impl FnMut(u8) -> bool) -> Option<&'a str> {
        let end = self.0.iter().position(|it| is_end(*it))?;
        str::from_utf8(self.0.get(..end)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_behind_each_other() {
        let mut text =
            RowText::new(br#"{"id":"7","name":"Rex \"the\" dog","paid":true,"price":2.5}"#);
        assert_eq!(text.word(r#""name":""#, 0), Some(r#"Rex \"the\" dog"#));
        assert_eq!(text.value(r#""paid":"#, 0), Some("true"));
        assert_eq!(text.value(r#""price":"#, 0), Some("2.5"));
        assert_eq!(text.rest(), b"2.5}");
        assert_eq!(text.word(r#""id":""#, 0), None, "it is before the others");
    }

    #[test]
    fn what_is_nearer_than_it_can_be_is_passed_over() {
        let text = RowText::new(br#"{"a":1,"a":2}"#);
        assert_eq!({ text }.value(r#""a":"#, 0), Some("1"));
        assert_eq!({ text }.value(r#""a":"#, 2), Some("2"));
        assert_eq!({ text }.value(r#""a":"#, 100), None);
    }

    #[test]
    fn a_text_that_ends_too_early_has_nothing() {
        assert_eq!(RowText::new(br#"{"a":"never"#).word(r#""a":""#, 0), None);
        assert_eq!(RowText::new(b"").value(r#""a":"#, 0), None);
    }
}
