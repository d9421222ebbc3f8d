//! The server of Walkies as a library: tests and the simulation build the real router on a real database with it.
//! One module for each folder, the lowest first; ARCHITECTURE.md says what each holds and which others it may use.

pub mod base;
pub mod db;
pub mod media;
pub mod print;

pub mod external;
pub mod limits;

pub mod app;
pub mod write;

pub mod accounts;
pub(crate) mod analytics;
pub mod archive;
pub mod content;
pub mod map;
pub mod payments;

pub mod http;

pub mod api;
pub mod jobs;

pub mod cli;

/// Taking and giving back memory was a fifth of what a command cost.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
