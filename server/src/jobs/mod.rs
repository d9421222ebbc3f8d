//! Loops beside the calls: each looks for work that is due and does it. Any number of processes may do so on one database;
//! each piece of work is done by one of them.

pub mod bill_day;
pub mod cleanup;
mod deleted_clients;
pub mod event_mail;
pub mod invoice_reminders;
pub mod mail;
pub mod map_updates;
pub mod push_delivery;
pub mod push_overdue;
pub mod push_reminders;
pub mod series;
