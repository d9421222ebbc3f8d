//! Owns a row that is read when it is first asked for: a phone holds years of some, and shows a week.

use std::sync::{Arc, OnceLock};

use crate::rows::row::Row;
use crate::rows::versioned::{self, Versioned};

/// A line of a page of the disk.
#[derive(Clone, Debug)]
pub(super) struct PageLine {
    page: Arc<String>,
    from: usize,
    to: usize,
}

impl PageLine {
    pub(super) fn new(page: &Arc<String>, from: usize, to: usize) -> Self {
        let page = Arc::clone(page);
        Self { page, from, to }
    }

    pub(super) fn text(&self) -> &str {
        self.page.get(self.from..self.to).unwrap_or_default()
    }

    /// Its text; where it ends is not looked at, which in a page of a million bytes takes longer than what is looked for.
    pub(super) fn bytes(&self) -> &[u8] {
        let page = self.page.as_bytes();
        page.get(self.from..self.to).unwrap_or_default()
    }
}

/// A row, read or not. One that turns out to be unreadable for this build is not there.
#[derive(Clone, Debug)]
pub(super) struct LazyRow<T> {
    text: Option<PageLine>,
    row: OnceLock<Option<Box<Versioned<T>>>>,
}

impl<T> LazyRow<T> {
    pub(super) const fn unread(text: PageLine) -> Self {
        Self {
            text: Some(text),
            row: OnceLock::new(),
        }
    }

    pub(super) fn of(versioned: Box<Versioned<T>>) -> Self {
        Self {
            text: None,
            row: OnceLock::from(Some(versioned)),
        }
    }

    /// The row, read now if it was not; `of` knows those of its table.
    pub(super) fn read(&self, of: impl FnOnce(Row) -> Option<T>) -> Option<&Versioned<T>> {
        let row = self.row.get_or_init(|| {
            let Versioned { rev, row } = versioned::read(self.text.as_ref()?.text())?;
            let row = of(row)?;
            Some(Box::new(Versioned { rev, row }))
        });
        row.as_deref()
    }

    /// The text of a row that was not read.
    pub(super) fn unread_text(&self) -> Option<&str> {
        self.unread_line().map(PageLine::text)
    }

    /// Returns true if the row's JSON contains these words, and always for a row that was read.
    pub(super) fn may_say(&self, words: &str) -> bool {
        self.unread_text().is_none_or(|it| it.contains(words))
    }

    /// The same as bytes.
    pub(super) fn unread_bytes(&self) -> Option<&[u8]> {
        self.unread_line().map(PageLine::bytes)
    }

    fn unread_line(&self) -> Option<&PageLine> {
        let is_unread = self.row.get().is_none();
        self.text.as_ref().filter(|_| is_unread)
    }
}
