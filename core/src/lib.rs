//! The rules of Walkies: what the phone and the server must agree on, decided once.
//! Nothing here reads a clock, makes a random number, does I/O or knows a URL, an SQL row or the DOM;
//! bindings for the phone live in `wasm` alone.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

// In suggested reading order: values, rows, rules, commands, sync.
pub mod id;
pub mod money;
pub mod time;
pub mod zone;

pub mod availability;
pub mod client;
pub mod offering;
pub mod request;
pub mod service;
pub mod sitter;

pub mod bounds;
pub mod business;
pub mod field;
mod fields;
pub mod limits;
mod order;
pub mod patch;
pub mod refusal;
pub mod services;
pub mod stored;

pub mod account;
pub mod calendar;
pub mod check;
pub mod conflict;
pub mod dates;
pub mod format;
pub mod message;
pub mod photo;
pub mod pricing;
pub mod slots;
pub mod usage;

pub mod command;

pub mod attention;
pub mod directory;
pub mod guide;
pub mod schedule;
pub mod sync;

pub mod encoded_line;
pub mod gpx;
mod plane;
pub mod report;
pub mod walk;

pub mod map;
pub mod route;

pub mod cartography;

#[cfg(any(test, feature = "golden"))]
pub mod golden;

#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use business::{Business, Change, Row, RowKey, TableName};
pub use command::{Command, Context, Decision};
pub use field::FieldErrors;
pub use id::Id;
pub use money::Cents;
pub use refusal::Refusal;
pub use stored::Stored;
pub use time::{Date, Instant, Now, Time};
