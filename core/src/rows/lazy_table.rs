//! Owns rows by id of which a phone holds years and shows a part: one that comes from the disk is read when it is first
//! asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::rows::client::Client;
use crate::rows::expense::Expense;
use crate::rows::invoice::Invoice;
use crate::rows::lazy_row::{LazyRow, PageLine};
use crate::rows::pet::Pet;
use crate::rows::versioned::Versioned;
use crate::{Id, Row};

/// Rows of one kind by id, each read when it is first asked for.
#[derive(Clone, Debug)]
pub struct LazyTable<T>(BTreeMap<Id, Box<LazyRow<T>>>);

/// A row that can be read late.
pub trait Late: Sized {
    /// Itself, out of a row of any table.
    fn of(row: Row) -> Option<Self>;
}

macro_rules! late {
    ($($Type:ident)*) => { $(
        impl Late for $Type {
            fn of(row: Row) -> Option<Self> {
                match row {
                    Row::$Type(row) => Some(row),
                    _ => None,
                }
            }
        }
    )* };
}

late!(Client Pet Invoice Expense);

impl<T> Default for LazyTable<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T: Late> LazyTable<T> {
    /// The row, if it is known.
    pub fn get(&self, id: &Id) -> Option<&Versioned<T>> {
        self.0.get(id)?.read(T::of)
    }

    /// All of them, by id; reads what was not read.
    pub fn values(&self) -> impl Iterator<Item = &Versioned<T>> {
        self.0.values().filter_map(|it| it.read(T::of))
    }

    /// The id of each, in order; reads none.
    pub fn keys(&self) -> impl Iterator<Item = &Id> {
        self.0.keys()
    }

    /// At least those in which these words are, as JSON has them, by id; reads few others.
    pub fn saying(&self, words: &str) -> impl Iterator<Item = &T> {
        let candidates = self.0.values().filter(|it| it.may_say(words));
        candidates.filter_map(|it| Some(&it.read(T::of)?.row))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Inserts a row that was read already, or replaces the one with this id.
    pub fn insert(&mut self, id: Id, versioned: Box<Versioned<T>>) {
        self.0.insert(id, Box::new(LazyRow::of(versioned)));
    }

    /// Takes the one on the line `from..to` of a page without reading it; says `true`, for none has to be read.
    pub fn insert_unread(&mut self, id: Id, page: &Arc<String>, from: usize, to: usize) -> bool {
        let line = PageLine::new(page, from, to);
        self.0.insert(id, Box::new(LazyRow::unread(line)));
        true
    }

    /// Removes the row with this id, if there is one.
    pub fn remove(&mut self, id: &Id) {
        self.0.remove(id);
    }
}

impl<T: Late + PartialEq> PartialEq for LazyTable<T> {
    fn eq(&self, other: &Self) -> bool {
        self.values().eq(other.values())
    }
}
