//! Owns a row with its revision, and how a phone reads one from the text that came with the feed.

use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer as _, Serialize};

use crate::rows::row::{Row, TableName};

/// A row with the revision of its business at which it was last written; 0 for one not yet confirmed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Versioned<T> {
    /// The business's revision that wrote it.
    pub rev: u64,
    /// The row's fields.
    pub row: T,
}

/// The row in a text that `WireRow` has written, if this build can read it.
pub fn read(text: &str) -> Option<Versioned<Row>> {
    let mut text = serde_json::Deserializer::from_str(text);
    text.deserialize_map(VersionedRow).ok()?
}

/// Reads a row in one pass: a phone reads ten thousand of them before it shows anything.
struct VersionedRow;

impl<'de> Visitor<'de> for VersionedRow {
    type Value = Option<Versioned<Row>>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a row of the feed")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Self::Value, A::Error> {
        let (mut table, mut rev, mut row) = (None, 0, None);
        while let Some(field) = fields.next_key::<&str>()? {
            match (field, table) {
                ("t", _) => table = TableName::parse(fields.next_value()?),
                ("rev", _) => rev = fields.next_value()?,
                // INVARIANT: a stored row names its table before its fields.
                ("d", Some(table)) => row = Some(fields.next_value_seed(table)?),
                _ => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        Ok(row.map(|row| Versioned { rev, row }))
    }
}
