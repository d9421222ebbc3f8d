//! Owns `Business`: the rows of one sitter that are known here, and the changes that a command makes to them.
//! On the phone it holds everything; on the server what one command needs. It persists nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::de::DeserializeSeed;
use serde::{Deserialize, Deserializer, Serialize};

use crate::availability::{AvailabilityConfig, BlockedTime, Pattern};
use crate::client::{Client, Pet};
use crate::command::FieldChange;
use crate::offering::Offering;
use crate::order::Order as _;
use crate::report::Report;
use crate::request::WalkRequest;
use crate::service::Service;
use crate::services::Services;
use crate::sitter::{HourCycle, Sitter};
use crate::stored::{self, Stored};
use crate::{Date, Id};

/// Rows of one kind by id. Boxed, so that the maps of all tables are one piece of machine code on the phone.
pub type Table<T> = BTreeMap<Id, Box<Stored<T>>>;

/// Names a row across tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RowKey {
    /// Which table.
    pub table: TableName,
    /// Which row.
    pub id: Id,
}

/// What a command does to one row.
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
    /// Which row it is about.
    pub fn key(&self) -> RowKey {
        match self {
            Self::Put(row) => row.key(),
            Self::Delete(key) => *key,
        }
    }
}

/// Pets sorted by client, for lists that show every client with its own.
pub struct PetsByClient<'a>(Vec<&'a Pet>);

impl<'a> PetsByClient<'a> {
    /// A client's pets in their order.
    pub fn of(&self, client_id: Id) -> &[&'a Pet] {
        let from = self.0.partition_point(|it| it.client_id < client_id);
        let to = self.0.partition_point(|it| it.client_id <= client_id);
        self.0.get(from..to).unwrap_or_default()
    }
}

macro_rules! tables {
    ($($(#[$doc:meta])* $Type:ident $field:ident: $Table:ty, $name:literal;)*) => {
        /// The synced tables, by the names that they have in the feed and in the database.
        ///
        /// Stored on phones. Only add variants; never rename.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

        /// Reads a row of this table where one stands in something larger.
        impl<'de> DeserializeSeed<'de> for TableName {
            type Value = Row;

            fn deserialize<D: Deserializer<'de>>(self, row: D) -> Result<Row, D::Error> {
                match self { $(Self::$Type => $Type::deserialize(row).map(Row::$Type)),* }
            }
        }

        /// A row of any synced table.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Row {
            $($(#[$doc])* $Type($Type),)*
        }

        impl Row {
            /// Which row it is.
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

        /// The rows of one sitter that are known here.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Business {
            $($(#[$doc])* pub $field: $Table,)*
            /// How many rows tables have of which not all are known here; empty on phones.
            pub counts: Vec<(TableName, usize)>,
            /// What other devices changed since the sender of the command at hand saw its rows; empty on phones.
            pub field_changes: Vec<FieldChange>,
            /// Photos that the command at hand names and that have not arrived; empty on phones.
            pub missing_photos: BTreeSet<Id>,
        }

        impl Business {
            /// The row of that key, if it is known.
            pub fn get(&self, key: RowKey) -> Option<Stored<Row>> {
                match key.table {
                    $(TableName::$Type => self.$field.get(&key.id)
                        .map(|it| Stored { rev: it.rev, row: Row::$Type(it.row.clone()) })),*
                }
            }

            /// Writes a row at a revision.
            pub fn put(&mut self, rev: u64, row: Row) {
                match row {
                    $(Row::$Type(row) => { self.$field.insert(row.id, Box::new(Stored { rev, row })); })*
                }
            }

            /// Removes a row.
            pub fn delete(&mut self, key: RowKey) {
                match key.table {
                    $(TableName::$Type => { self.$field.remove(&key.id); })*
                }
            }

            /// Every row, table by table.
            pub fn rows(&self) -> impl Iterator<Item = Stored<Row>> + '_ {
                let none = std::iter::empty();
                $(let none = none.chain(self.$field.values()
                    .map(|it| Stored { rev: it.rev, row: Row::$Type(it.row.clone()) }));)*
                none
            }
        }
    };
}

tables! {
    /// The business itself: one row.
    Sitter sitters: Table<Sitter>, "sitter";
    /// Customers.
    Client clients: Table<Client>, "client";
    /// Their animals.
    Pet pets: Table<Pet>, "pet";
    /// What is for sale.
    Offering offerings: Table<Offering>, "offering";
    /// Weekly hours.
    Pattern patterns: Table<Pattern>, "availability_pattern";
    /// Times in which nothing is booked.
    BlockedTime blocked_times: Table<BlockedTime>, "blocked_time";
    /// The slot settings: one row.
    AvailabilityConfig configs: Table<AvailabilityConfig>, "availability_config";
    /// Walks and drop-ins.
    Service services: Services, "service";
    /// What pet parents ask for.
    WalkRequest requests: Table<WalkRequest>, "walk_request";
    /// Walks that were shared with clients.
    Report reports: Table<Report>, "report";
}

impl Business {
    /// How many rows a table has, of which `known` are known here.
    pub(crate) fn count(&self, table: TableName, known: usize) -> usize {
        let counted = self.counts.iter().find(|it| it.0 == table);
        counted.map_or(known, |it| it.1)
    }

    /// The business's own row, if it is known.
    pub fn sitter(&self) -> Option<&Sitter> {
        self.sitters.values().next().map(|it| &it.row)
    }

    /// How times of day are shown.
    pub fn hour_cycle(&self) -> HourCycle {
        self.sitter().map(|it| it.hour_cycle).unwrap_or_default()
    }

    /// The slot settings, if they are known.
    pub fn config(&self) -> Option<&AvailabilityConfig> {
        self.configs.values().next().map(|it| &it.row)
    }

    /// The client, if it is known.
    pub fn client(&self, id: Id) -> Option<&Client> {
        self.clients.get(&id).map(|it| &it.row)
    }

    /// The pet, if it is known.
    pub fn pet(&self, id: Id) -> Option<&Pet> {
        self.pets.get(&id).map(|it| &it.row)
    }

    /// The service, if it is known.
    pub fn service(&self, id: Id) -> Option<&Service> {
        self.services.get(&id).map(|it| &it.row)
    }

    /// A client's pets in their order.
    pub fn pets_of(&self, client_id: Id) -> Vec<&Pet> {
        let mut pets: Vec<&Pet> = self
            .pets
            .values()
            .map(|it| &it.row)
            .filter(|it| it.client_id == client_id)
            .collect();
        pets.order_by_key(|it| (it.display_order, it.id));
        pets
    }

    /// The reports of a walk, by id.
    pub fn reports_of(&self, walk_id: Id) -> impl Iterator<Item = &Report> {
        let reports = self.reports.values().map(|it| &it.row);
        reports.filter(move |it| it.walk_id == walk_id)
    }

    /// All pets, those of a client together and in their order.
    pub fn pets_by_client(&self) -> PetsByClient<'_> {
        let mut pets: Vec<&Pet> = self.pets.values().map(|it| &it.row).collect();
        pets.order_by_key(|it| (it.client_id, it.display_order, it.id));
        PetsByClient(pets)
    }

    /// Services from `first` to `last`, both included, by date, start and id.
    pub fn services_between(&self, first: Date, last: Date) -> Vec<&Service> {
        let mut services: Vec<&Service> = self.services.between(first, last).collect();
        services.order_by_key(|it| (it.date, it.start_time, it.id));
        services
    }

    /// Visits from `first` to `last`, both included, by date, start and id: all services but stays.
    pub fn visits_between(&self, first: Date, last: Date) -> Vec<&Service> {
        let mut visits = self.services_between(first, last);
        visits.retain(|it| it.end_date.is_none());
        visits
    }

    /// Stays that have a day in common with these days, both included, by their first day, start and id.
    pub fn stays_between(&self, first: Date, last: Date) -> Vec<&Service> {
        let mut stays: Vec<&Service> = self.services.stays_between(first, last).collect();
        stays.order_by_key(|it| (it.date, it.start_time, it.id));
        stays
    }

    /// Adds the rows on a page of the disk: each on a line of its own, its table and id, a blank, and its text. Rows that
    /// this build cannot read are passed over.
    pub fn load(&mut self, page: &Arc<str>) {
        let mut from = 0;
        for line in page.split('\n') {
            let to = from + line.len();
            if let Some((key, text)) = line.split_once(' ')
                && !self.load_unread(key, page, to - text.len(), to)
                && let Some(stored) = stored::read(text)
            {
                self.put(stored.rev, stored.row);
            }
            from = to + 1;
        }
    }

    /// Only services are so many that reading them can wait.
    fn load_unread(&mut self, key: &str, page: &Arc<str>, from: usize, to: usize) -> bool {
        let id = key.strip_prefix("service/").and_then(|it| it.parse().ok());
        id.is_some_and(|id| self.services.insert_unread(id, page, from, to))
    }

    /// Does to the rows what a decided command says.
    pub fn apply(&mut self, rev: u64, changes: &[Change]) {
        for change in changes {
            match change {
                Change::Put(row) => self.put(rev, row.clone()),
                Change::Delete(key) => self.delete(*key),
            }
        }
    }
}
