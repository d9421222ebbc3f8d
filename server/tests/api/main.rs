//! The server's tests: the real router on both databases, and the layer below it.

#[path = "../support/mod.rs"]
mod support;

#[path = "../simulation/rng.rs"]
mod rng;

#[path = "../support/extract.rs"]
mod extract;

mod access;
mod analytics;
mod archive;
mod auth;
mod bill_day;
mod billing;
mod book_at_once;
mod both_roles;
mod bounds;
mod calendar;
mod card_payments;
mod client_files;
mod connections;
mod database;
mod delays;
mod deleted;
mod departures;
mod disk;
mod document;
mod event_mail;
mod expenses;
mod foreign;
mod geocoder;
mod hostile;
mod idempotency;
mod invoice_mail;
mod invoice_reminders;
mod invoices;
mod isolation;
mod limits;
mod live;
mod live_maps;
mod log;
mod mails;
mod map;
mod map_mirror;
mod memory;
mod messages;
mod metrics;
mod moving;
mod onboarding;
mod parents;
mod photos;
mod plan_limits;
mod push;
mod realtime;
mod report_mail;
mod reports;
mod rest;
mod series;
mod services;
mod shared_invoices;
mod sync;
mod time_off;
mod videos;
mod webhooks;
