//! Owns every change to a business: `Command`, and for each noun a file with its commands, what they are about and what
//! they do.

mod availability;
mod client;
mod combined;
pub mod command;
pub mod decision;
mod expense;
mod gone_pet;
mod import;
mod inactive;
pub(crate) mod invoice;
mod limit;
mod message;
mod offering;
mod other_text;
mod pass_on;
mod prices;
mod progress;
mod report;
mod request;
pub(crate) mod series;
mod service;
mod sitter;
mod text;

pub use availability::*;
pub use client::*;
pub use command::decide;
pub use expense::*;
pub use gone_pet::*;
pub use import::*;
pub use inactive::*;
pub use invoice::*;
pub use message::*;
pub use offering::*;
pub use pass_on::*;
pub use prices::*;
pub use progress::*;
pub use report::*;
pub use request::*;
pub use series::*;
pub use service::*;
pub use sitter::*;
pub use text::*;
