//! Owns what screens ask of the rows: lists, calendars, cards, and the forms of services and invoices as they are filled in.

pub mod availability;
pub mod bill_all;
pub mod billing;
pub mod calendar;
pub mod day_way;
pub mod delay;
pub mod departures;
pub mod directory;
pub mod guided_start;
pub mod invoice_history;
pub mod invoices;
pub mod limits;
pub mod messages;
pub mod offerings;
pub mod parent_home;
pub mod parent_series;
pub mod repricing;
pub mod requests;
pub mod schedule;
pub mod series;
pub mod services;
pub mod sold;
pub mod statement;
pub mod time_off;
pub mod to_send;
