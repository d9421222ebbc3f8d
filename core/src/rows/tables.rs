//! Owns the one list of the synced tables: what their rows are, where `Business` keeps them, and what they are called in
//! the feed and in the database.

/// Hands the list to a macro that makes something of it.
macro_rules! tables {
    ($make:ident) => {
        $make! {
            /// The business itself: one row.
            Sitter sitters: Table<Sitter>, "sitter";
            /// Customers.
            Client clients: LazyTable<Client>, "client";
            /// Their animals.
            Pet pets: LazyTable<Pet>, "pet";
            /// What is for sale.
            Offering offerings: Table<Offering>, "offering";
            /// Weekly hours.
            Pattern patterns: Table<Pattern>, "availability_pattern";
            /// Times in which nothing is booked.
            BlockedTime blocked_times: Table<BlockedTime>, "blocked_time";
            /// The slot settings: one row.
            AvailabilityConfig configs: Table<AvailabilityConfig>, "availability_config";
            /// Walks and drop-ins.
            Service services: LazyServices, "service";
            /// What pet parents ask for.
            WalkRequest requests: Table<WalkRequest>, "walk_request";
            /// Walks that were shared with clients.
            Report reports: Table<Report>, "report";
            /// What sitter and clients have to say to each other, one for each client.
            Conversation conversations: Table<Conversation>, "conversation";
            /// What they have said.
            Message messages: LazyMessages, "message";
            /// Invoices and credit notes that were shared with clients.
            Invoice invoices: LazyTable<Invoice>, "invoice";
            /// What was driven and spent.
            Expense expenses: LazyTable<Expense>, "expense";
        }
    };
}

pub(crate) use tables;
