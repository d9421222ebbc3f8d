//! The server of Walkies as a library: tests and the simulation build the real router on a real database with it.
//! In reading order: what it stands on, who calls, how a write is done, the calls, what runs beside them.

mod address;
pub mod bodies;
pub mod concurrency;
pub mod db;
pub mod defects;
pub mod disk;
pub mod dropped_files;
pub mod env;
pub mod error;
pub mod limit;
pub mod link;
pub mod listen;
pub mod log;
pub mod long_writes;
pub mod metrics;
pub mod metrics_page;
pub mod outgoing;
mod outgoing_layer;
pub mod permits;
pub mod state;
pub mod uploads;
pub mod zone;

pub mod password;
pub mod session;

pub mod answer;
pub mod archive;
pub mod billing;
pub mod billing_settings;
pub mod compressed;
pub mod device;
pub mod execute;
pub mod form;
pub mod invoice_reminders;
pub mod kept_answer;
mod malformed;
mod mention;
pub mod page;
mod qr;
mod reminder_mail;
pub mod sync;
pub mod throttle;

pub mod client_mail;
mod expenses;
pub mod external_service;
pub mod files;
pub mod mail;
pub mod mail_error;
pub mod map;
pub mod photo;
mod print;
pub mod push;
pub mod pwa;
pub mod quiet_hours;
pub mod realtime;
pub mod stripe;
pub mod video;

pub mod route;
pub mod router;
mod routes;

pub mod config;
pub mod conversations;
pub mod deleted_clients;
pub mod demo;
pub mod invoice;
pub mod jobs;
pub mod operator;
pub mod serve;

/// Taking and giving back memory was a fifth of what a command cost.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
