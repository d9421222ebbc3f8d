//! Owns a row of any synced table, its key, and what a command does to it.

use serde::de::{DeserializeSeed, Error as _};
use serde::{Deserialize, Deserializer, Serialize};

use crate::rows::availability_config::AvailabilityConfig;
use crate::rows::blocked_time::BlockedTime;
use crate::rows::client::Client;
use crate::rows::conversation::Conversation;
use crate::rows::expense::Expense;
use crate::rows::invoice::Invoice;
use crate::rows::message::Message;
use crate::rows::offering::Offering;
use crate::rows::pattern::Pattern;
use crate::rows::pet::Pet;
use crate::rows::report::Report;
use crate::rows::series::Series;
use crate::rows::service::Service;
use crate::rows::sitter::Sitter;
use crate::rows::tables::tables;
use crate::rows::walk_request::WalkRequest;
use crate::values::id::Id;

/// Names a row across tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RowKey {
    /// The row's table.
    pub table: TableName,
    /// The row's id, which is its table's alone.
    pub id: Id,
}

/// A change of one row by a command.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::large_enum_variant,
    reason = "a command makes a handful of them"
)]
pub enum Change {
    /// Writes the row, new or not.
    Put(Row),
    /// Removes it; a tombstone stays in the feed.
    Delete(RowKey),
}

impl Change {
    /// Returns the key of the changed row.
    pub fn key(&self) -> RowKey {
        match self {
            Self::Put(row) => row.key(),
            Self::Delete(key) => *key,
        }
    }
}

macro_rules! make_rows {
    ($($(#[$doc:meta])* $Type:ident $field:ident: $Table:ty, $name:literal;)*) => {
        /// The synced tables, by the names that they have in the feed and in the database.
        ///
        /// Stored on phones. Only add variants; never rename.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        pub enum TableName {
            $($(#[$doc])* #[serde(rename = $name)] $Type,)*
        }

        impl TableName {
            /// Every table, in an order in which a row comes after those that it refers to.
            pub const ALL: &[Self] = &[$(Self::$Type),*];

            /// The name in feed and database.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$Type => $name),* }
            }

            /// The table of that name; `None` for one that a newer server knows.
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.name() == name)
            }

            /// Reads a row's JSON.
            pub fn read(self, json: &str) -> serde_json::Result<Row> {
                self.deserialize(&mut serde_json::Deserializer::from_str(json))
            }
        }

        impl<'de> Deserialize<'de> for TableName {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = String::deserialize(deserializer)?;
                Self::parse(&name).ok_or_else(|| D::Error::custom(["unknown table ", &name].concat()))
            }
        }

        /// Reads a row of this table where one stands in something larger.
        impl<'de> DeserializeSeed<'de> for TableName {
            type Value = Row;

            fn deserialize<D: Deserializer<'de>>(self, row: D) -> Result<Row, D::Error> {
                match self { $(Self::$Type => $Type::deserialize(row).map(Row::$Type)),* }
            }
        }

        /// A row of any synced table.
        #[derive(Clone, Debug, PartialEq)]
        #[cfg_attr(
            target_pointer_width = "64",
            expect(clippy::large_enum_variant, reason = "it lives as long as a change; tables keep each row by itself")
        )]
        pub enum Row {
            $($(#[$doc])* $Type($Type),)*
        }

        impl Row {
            /// Its table and id.
            pub fn key(&self) -> RowKey {
                match self {
                    $(Self::$Type(row) => RowKey { table: TableName::$Type, id: row.id }),*
                }
            }

            /// The row as JSON.
            pub fn json(&self) -> serde_json::Result<String> {
                match self { $(Self::$Type(row) => serde_json::to_string(row)),* }
            }
        }

        $(impl From<$Type> for Change {
            fn from(row: $Type) -> Self {
                Self::Put(Row::$Type(row))
            }
        })*
    };
}

tables!(make_rows);
