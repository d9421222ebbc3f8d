//! Owns the phone's side of sync: what is shown while changes wait, what is sent, and how the feed is applied.
//! It decides what is to be stored and never stores; the shell writes each `Batch` in one transaction and only
//! then says so, so memory never runs ahead of the disk.

pub mod attention;
mod bring_back;
mod entries;
mod heal;
mod replica;
#[cfg(test)]
mod tests;
pub mod text_choices;
pub mod wire;

pub use entries::{AttentionEntry, Batch, Meta, OutboxEntry, Pulled, SaveRequest};
pub use heal::is_wordless;
pub use replica::Replica;
