//! Owns PDFs of shared invoices that were made of late, so that one is made once however often it is asked for.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use axum::body::Bytes;

/// The bytes of all together; most take 50 kB.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// The largest that is kept.
const MAX_BYTES_OF_ONE: usize = 4 * 1024 * 1024;

/// PDFs by all that they depend on.
#[derive(Debug, Default)]
pub struct PrintedInvoices(Mutex<PrintedTable>);

#[derive(Debug, Default)]
struct PrintedTable {
    by_key: HashMap<String, PrintedInvoice>,
    bytes: usize,
    /// Counts how often one was looked for.
    time: u64,
}

#[derive(Debug)]
struct PrintedInvoice {
    pdf: Bytes,
    used: u64,
}

impl PrintedInvoices {
    /// The PDF of a key.
    pub fn find(&self, key: &str) -> Option<Bytes> {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        table.time += 1;
        let time = table.time;
        let found = table.by_key.get_mut(key)?;
        found.used = time;
        Some(found.pdf.clone())
    }

    /// Keeps one; those that were not asked for the longest make room.
    pub fn keep(&self, key: String, pdf: Bytes) {
        if MAX_BYTES_OF_ONE < pdf.len() {
            return;
        }
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        table.time += 1;
        let used = table.time;
        table.bytes += pdf.len();
        if let Some(before) = table.by_key.insert(key, PrintedInvoice { pdf, used }) {
            table.bytes -= before.pdf.len();
        }
        while MAX_BYTES < table.bytes {
            let oldest = table.by_key.iter().min_by_key(|(_, it)| it.used);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
                return;
            };
            if let Some(gone) = table.by_key.remove(&oldest) {
                table.bytes -= gone.pdf.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_nobody_asks_for_make_room() {
        let printed = PrintedInvoices::default();
        let pdf = Bytes::from(vec![0; MAX_BYTES_OF_ONE]);
        let fits = MAX_BYTES / MAX_BYTES_OF_ONE;
        for n in 0..fits {
            printed.keep(n.to_string(), pdf.clone());
        }
        assert!(printed.find("0").is_some());
        printed.keep("new".to_owned(), pdf.clone());
        assert!(printed.find("0").is_some());
        assert!(printed.find("1").is_none());
        printed.keep("new".to_owned(), pdf);
        assert!(printed.find("2").is_some());
        printed.keep("large".to_owned(), vec![0; MAX_BYTES_OF_ONE + 1].into());
        assert!(printed.find("large").is_none());
    }
}
