//! Owns `Business`: the rows of one sitter that are known here.
//! On the phone it holds everything; on the server what one command needs. It persists nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use crate::rows::availability_config::AvailabilityConfig;
use crate::rows::blocked_time::BlockedTime;
use crate::rows::client::Client;
use crate::rows::conversation::Conversation;
use crate::rows::expense::Expense;
use crate::rows::invoice::Invoice;
use crate::rows::lazy_messages::LazyMessages;
use crate::rows::lazy_services::LazyServices;
use crate::rows::lazy_table::LazyTable;
use crate::rows::message::Side;
use crate::rows::offering::Offering;
use crate::rows::pattern::Pattern;
use crate::rows::pet::Pet;
use crate::rows::report::Report;
use crate::rows::row::{Change, Row, RowKey, TableName};
use crate::rows::series::Series;
use crate::rows::service::Service;
use crate::rows::sitter::Sitter;
use crate::rows::tables::tables;
use crate::rows::versioned::{self, Versioned};
use crate::rows::walk_request::WalkRequest;
use crate::values::date::{Date, Time};
use crate::values::id::Id;
use crate::values::instant::Instant;
use crate::values::reach::Reach;
use crate::values::sort::SmallSort as _;
use crate::values::units::HourCycle;

/// Rows of one kind by id. Boxed, so that the maps of all tables are one piece of machine code on the phone.
pub type Table<T> = BTreeMap<Id, Box<Versioned<T>>>;

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

macro_rules! make_business {
    ($($(#[$doc:meta])* $Type:ident $field:ident: $Table:ty, $name:literal;)*) => {
        /// The rows of one sitter that are known here.
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Business {
            $($(#[$doc])* pub $field: $Table,)*
            /// How the server reaches the clients; on servers only what a rule was given.
            pub reach: Reach,
            /// How many rows tables have of which not all are known here; empty on phones.
            pub counts: Vec<(TableName, usize)>,
            /// Fields that other devices have set since the sender of the current command saw its rows; empty on
            /// phones.
            pub field_changes: Vec<FieldChange>,
            /// Photos that the command at hand names and that have not arrived; empty on phones.
            pub missing_photos: BTreeSet<Id>,
            /// Videos that the command at hand names and that have not arrived; empty on phones.
            pub missing_videos: BTreeSet<Id>,
            /// Rows that the command at hand says to bring back and that never were there; empty on phones.
            pub never_there: BTreeSet<RowKey>,
            /// Clients that the command at hand is about and with whom somebody has worked; empty on phones.
            pub in_use: BTreeSet<Id>,
        }

        impl Business {
            /// The row of that key, if it is known.
            pub fn get(&self, key: RowKey) -> Option<Versioned<Row>> {
                match key.table {
                    $(TableName::$Type => self.$field.get(&key.id)
                        .map(|it| Versioned { rev: it.rev, row: Row::$Type(it.row.clone()) })),*
                }
            }

            /// Writes a row at a revision.
            pub fn put(&mut self, rev: u64, row: Row) {
                match row {
                    $(Row::$Type(row) => { self.$field.insert(row.id, Box::new(Versioned { rev, row })); })*
                }
            }

            /// Removes a row.
            pub fn delete(&mut self, key: RowKey) {
                match key.table {
                    $(TableName::$Type => { self.$field.remove(&key.id); })*
                }
            }

            /// Every row, table by table.
            pub fn rows(&self) -> impl Iterator<Item = Versioned<Row>> + '_ {
                let none = std::iter::empty();
                $(let none = none.chain(self.$field.values()
                    .map(|it| Versioned { rev: it.rev, row: Row::$Type(it.row.clone()) }));)*
                none
            }
        }
    };
}

tables!(make_business);

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

    /// The invoice or credit note, if it is known, deleted or not.
    pub fn invoice(&self, id: Id) -> Option<&Invoice> {
        self.invoices.get(&id).map(|it| &it.row)
    }

    /// The conversation with this client, if there is any.
    pub fn conversation(&self, client_id: Id) -> Option<&Conversation> {
        self.conversations.get(&client_id).map(|it| &it.row)
    }

    /// A client's pets in their order.
    pub fn pets_of(&self, client_id: Id) -> Vec<&Pet> {
        let id = client_id.to_string();
        let candidates = self.pets.saying(&id);
        let mut pets: Vec<&Pet> = candidates.filter(|it| it.client_id == client_id).collect();
        pets.small_sort_by_key(|it| (it.display_order, it.id));
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
        pets.small_sort_by_key(|it| (it.client_id, it.display_order, it.id));
        PetsByClient(pets)
    }

    /// Services from `first` to `last`, both included, by date, start and id.
    pub fn services_between(&self, first: Date, last: Date) -> Vec<&Service> {
        let mut services: Vec<&Service> = self.services.between(first, last).collect();
        services.small_sort_by_key(|it| (it.date, it.start_time, it.id));
        services
    }

    /// Services that have a part in these days, both included, by date, start and id: what begins on them, stays that go
    /// on, and visits that began the evening before and reach past midnight.
    pub fn services_within(&self, first: Date, last: Date) -> Vec<&Service> {
        let mut services: Vec<&Service> = self
            .services
            .stays_between(first, last)
            .filter(|it| it.date < first)
            .collect();
        let midnight = first.minute(Time::hour(0));
        let evening = self.visits_between(first.plus_days(-1), first.plus_days(-1));
        services.extend(
            evening
                .into_iter()
                .filter(|it| midnight < it.interval().end),
        );
        services.small_sort_by_key(|it| (it.date, it.start_time, it.id));
        services.extend(self.services_between(first, last));
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
        stays.small_sort_by_key(|it| (it.date, it.start_time, it.id));
        stays
    }

    /// Adds the rows on a page of the disk: each on a line of its own, its table and id, a blank, and its text. Rows that
    /// this build cannot read are passed over.
    pub fn load(&mut self, page: String) {
        // Services keep the page as it is: to copy it would take as long as finding them in it.
        let page = Arc::new(page);
        let mut from = 0;
        for line in page.split('\n') {
            let to = from + line.len();
            if let Some((key, text)) = line.split_once(' ')
                && !self.load_unread(key, &page, to - text.len(), to)
                && let Some(versioned) = versioned::read(text)
            {
                self.put(versioned.rev, versioned.row);
            }
            from = to + 1;
        }
    }

    /// Keeps a row as text until it is first asked for, if its table is so large, or its rows so long, that reading
    /// them can wait. Returns false if the row must be read now.
    fn load_unread(&mut self, key: &str, page: &Arc<String>, from: usize, to: usize) -> bool {
        match key.split_once('/').map(|(table, id)| (table, id.parse())) {
            Some(("service", Ok(id))) => self.services.insert_unread(id, page, from, to),
            Some(("message", Ok(id))) => self.messages.insert_unread(id, page, from, to),
            Some(("client", Ok(id))) => self.clients.insert_unread(id, page, from, to),
            Some(("pet", Ok(id))) => self.pets.insert_unread(id, page, from, to),
            Some(("invoice", Ok(id))) => self.invoices.insert_unread(id, page, from, to),
            Some(("expense", Ok(id))) => self.expenses.insert_unread(id, page, from, to),
            _ => false,
        }
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

/// A field that another device changed after the sender had last seen its row.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    /// Key of the changed row.
    pub key: RowKey,
    /// The field's name in JSON.
    pub field: String,
    /// The new value.
    pub value: Value,
    /// The side that set it; unknown in history that an older server wrote.
    pub by: Option<Side>,
    /// When the server decided the change.
    pub at: Instant,
    /// Visits that others have added to the list of what a series leaves out, in all their changes of it.
    pub added: Vec<Value>,
}
