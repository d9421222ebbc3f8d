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

pub mod values;

pub mod rows;

pub mod rules;

pub mod commands;

pub mod sync;

pub mod screens;

pub mod walk;

pub mod gpx;

pub mod map;

pub mod route;

pub mod offline_map;

pub mod cartography;

pub mod addresses;

pub mod analytics;

pub mod expenses;

pub mod invoice;

pub mod report;

pub mod import;

pub mod archive;

pub mod api;

#[cfg(any(test, feature = "golden"))]
pub mod golden;

// The model of the books in `tests` calls the core by its name.
#[cfg(all(target_arch = "wasm32", feature = "golden"))]
extern crate self as walkies_core;

#[cfg(target_arch = "wasm32")]
pub mod wasm;

pub use commands::command::Command;
pub use commands::decision::{Context, Decision};
pub use rows::business::Business;
pub use rows::row::{Change, Row, RowKey, TableName};
pub use rows::versioned::Versioned;
pub use rules::refusal::Refusal;
pub use values::date::{Date, Time};
pub use values::form_errors::FieldErrors;
pub use values::id::Id;
pub use values::instant::{Instant, Now};
pub use values::money::Cents;
