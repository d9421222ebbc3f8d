//! Owns the one list of the synced tables: what their rows are, where `Business` keeps them, and what they are called in
//! the feed and in the database.

/// Hands the list to a macro that makes something of it.
macro_rules! tables {
    ($make:ident) => {
        $make! {
            /// The business itself: one row.
            Sitter sitters: Table<Sitter>, "sitter";
            /// Customers of the business.
            Client clients: LazyTable<Client>, "client";
            /// The clients' animals.
            Pet pets: LazyTable<Pet>, "pet";
            /// Offerings for sale.
            Offering offerings: Table<Offering>, "offering";
            /// Weekly hours in which services can be booked.
            Pattern patterns: Table<Pattern>, "availability_pattern";
            /// Times in which nothing is booked.
            BlockedTime blocked_times: Table<BlockedTime>, "blocked_time";
            /// The slot settings: one row.
            AvailabilityConfig configs: Table<AvailabilityConfig>, "availability_config";
            /// Bookings that repeat.
            Series series: Table<Series>, "series";
            /// Walks and drop-ins.
            Service services: LazyServices, "service";
            /// Walk requests from pet parents.
            WalkRequest requests: Table<WalkRequest>, "walk_request";
            /// Walks that were shared with clients.
            Report reports: Table<Report>, "report";
            /// Conversations of sitter and clients, one for each client.
            Conversation conversations: Table<Conversation>, "conversation";
            /// Messages in these conversations.
            Message messages: LazyMessages, "message";
            /// Invoices and credit notes that were shared with clients.
            Invoice invoices: LazyTable<Invoice>, "invoice";
            /// Expenses and mileage.
            Expense expenses: LazyTable<Expense>, "expense";
        }
    };
}

pub(crate) use tables;
