//! Owns every change to a business: `Command`, and for each noun a file with what its commands do.

mod availability;
mod client;
pub mod command;
mod decide;
pub mod decision;
mod offering;
mod report;
mod service;
mod sitter;

pub use decide::decide;
