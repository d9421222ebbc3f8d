//! Owns the invoices that are known here, by id. A phone holds years of them and opens on the day: one that comes from the
//! disk is read when it is first asked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::rows::invoice::Invoice;
use crate::rows::lazy_row::{LazyRow, PageLine};
use crate::rows::versioned::Versioned;
use crate::{Id, Row};

/// Invoices by id, each read when it is first asked for.
#[derive(Clone, Debug, Default)]
pub struct LazyInvoices(BTreeMap<Id, Box<LazyRow<Invoice>>>);

fn read(row: &LazyRow<Invoice>) -> Option<&Versioned<Invoice>> {
    row.read(|row| match row {
        Row::Invoice(row) => Some(row),
        _ => None,
    })
}

impl LazyInvoices {
    /// The invoice, if it is known.
    pub fn get(&self, id: &Id) -> Option<&Versioned<Invoice>> {
        read(self.0.get(id)?)
    }

    /// All of them, by id; reads what was not read.
    pub fn values(&self) -> impl Iterator<Item = &Versioned<Invoice>> {
        self.0.values().filter_map(|it| read(it))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes one.
    pub fn insert(&mut self, id: Id, versioned: Box<Versioned<Invoice>>) {
        self.0.insert(id, Box::new(LazyRow::of(versioned)));
    }

    /// Takes the one on the line `from..to` of a page without reading it.
    pub fn insert_unread(&mut self, id: Id, page: &Arc<String>, from: usize, to: usize) {
        let line = PageLine::new(page, from, to);
        self.0.insert(id, Box::new(LazyRow::unread(line)));
    }

    /// Removes one.
    pub fn remove(&mut self, id: &Id) {
        self.0.remove(id);
    }
}

impl PartialEq for LazyInvoices {
    fn eq(&self, other: &Self) -> bool {
        self.values().eq(other.values())
    }
}
