//! Owns every change to a business: `Command`, and for each noun a file with its commands, what they are about and what
//! they do.

pub(crate) mod availability;
mod client;
mod combined;
pub mod command;
pub mod decision;
mod delay;
mod expense;
mod gone_pet;
mod import;
mod inactive;
pub(crate) mod invoice;
mod limit;
mod live;
mod message;
mod move_visits;
mod offering;
mod other_text;
mod pass_on;
mod prices;
mod progress;
mod report;
mod request;
mod request_change;
mod requests;
pub(crate) mod series;
mod service;
pub(crate) mod services;
mod sitter;
#[cfg(test)]
mod tax_tests;
mod text;
pub(crate) mod time_off;

pub use availability::*;
pub use client::*;
pub use command::decide;
pub use delay::*;
pub use expense::*;
pub use gone_pet::*;
pub use import::*;
pub use inactive::*;
pub use invoice::*;
pub use live::*;
pub use message::*;
pub use move_visits::*;
pub use offering::*;
pub use pass_on::*;
pub use prices::*;
pub use progress::*;
pub use report::*;
pub use request::*;
pub use request_change::*;
pub(crate) use request_change::{
    asked_series, covers, has_known_price, moved_service, refuse_grant,
};
pub use requests::*;
pub use series::*;
pub use service::*;
pub use services::*;
pub use sitter::*;
pub use text::*;
pub use time_off::{
    FormerVisit, TakeTimeOff, TimeOffChoice, TimeOffMessage, TimeOffWay, UndoTimeOff,
};
