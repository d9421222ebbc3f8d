//! Owns `Business`: the rows of one sitter that are known here, and the changes that a command makes to them.
//! On the phone it holds everything; on the server what one command needs. It persists nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde::de::DeserializeSeed;
use serde::{Deserialize, Deserializer, Serialize};

use crate::availability::{AvailabilityConfig, BlockedTime, Pattern};
use crate::client::{Client, Pet};
use crate::command::FieldChange;
use crate::offering::Offering;
use crate::order::Order as _;
use crate::request::WalkRequest;
use crate::service::Service;
use crate::sitter::Sitter;
use crate::{Date, Id};

/// A row with the revision of its business at which it was last written; 0 for one not yet confirmed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stored<T> {
    /// The business's revision that wrote it.
    pub rev: u64,
    /// The row.
    pub row: T,
}

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
    ($($(#[$doc:meta])* $Type:ident $field:ident $name:literal;)*) => {
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
            $($(#[$doc])* pub $field: Table<$Type>,)*
            /// What other devices changed since the sender of the command at hand saw its rows; empty on phones.
            pub field_changes: Vec<FieldChange>,
            /// Photos that the command at hand names and that have not arrived; empty on phones.
            pub missing_photos: BTreeSet<Id>,
            services_by_date: BTreeSet<(Date, Id)>,
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
                self.unindex(row.key());
                if let Row::Service(service) = &row {
                    self.services_by_date.insert((service.date, service.id));
                }
                match row {
                    $(Row::$Type(row) => { self.$field.insert(row.id, Box::new(Stored { rev, row })); })*
                }
            }

            /// Removes a row.
            pub fn delete(&mut self, key: RowKey) {
                self.unindex(key);
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
    Sitter sitters "sitter";
    /// Customers.
    Client clients "client";
    /// Their animals.
    Pet pets "pet";
    /// What is for sale.
    Offering offerings "offering";
    /// Weekly hours.
    Pattern patterns "availability_pattern";
    /// Times in which nothing is booked.
    BlockedTime blocked_times "blocked_time";
    /// The slot settings: one row.
    AvailabilityConfig configs "availability_config";
    /// Walks and drop-ins.
    Service services "service";
    /// What pet parents ask for.
    WalkRequest requests "walk_request";
}

impl Business {
    /// The business's own row, if it is known.
    pub fn sitter(&self) -> Option<&Sitter> {
        self.sitters.values().next().map(|it| &it.row)
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

    /// All pets, those of a client together and in their order.
    pub fn pets_by_client(&self) -> PetsByClient<'_> {
        let mut pets: Vec<&Pet> = self.pets.values().map(|it| &it.row).collect();
        pets.order_by_key(|it| (it.client_id, it.display_order, it.id));
        PetsByClient(pets)
    }

    /// Services from `first` to `last`, both included, by date, start and id.
    pub fn services_between(&self, first: Date, last: Date) -> Vec<&Service> {
        if last < first {
            return Vec::new();
        }
        let mut services: Vec<&Service> = self
            .services_by_date
            .range((first, Id::FIRST)..=(last, Id::LAST))
            .filter_map(|(_, id)| self.service(*id))
            .collect();
        services.order_by_key(|it| (it.date, it.start_time, it.id));
        services
    }

    /// Services of `first` and later, by date.
    pub fn services_from(&self, first: Date) -> impl Iterator<Item = &Service> {
        let ids = self.services_by_date.range((first, Id::FIRST)..);
        ids.filter_map(|(_, id)| self.service(*id))
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

    fn unindex(&mut self, key: RowKey) {
        if key.table != TableName::Service {
            return;
        }
        if let Some(date) = self.services.get(&key.id).map(|it| it.row.date) {
            self.services_by_date.remove(&(date, key.id));
        }
    }
}
