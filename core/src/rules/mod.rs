//! Owns what decides and stores nothing: prices, conflicts, slots, what makes a form valid, limits.

pub mod account;
pub mod availability;
pub mod card_payment;
pub mod client;
pub mod client_view;
pub mod conflict;
pub mod document;
pub mod invite;
pub mod invoice;
pub mod message;
pub mod offering;
pub mod onboarding;
pub mod photo;
pub mod pricing;
pub mod progress;
pub mod push;
pub mod refusal;
pub mod report;
pub mod request;
pub mod scheduling;
pub mod service;
pub mod sitter;
pub mod slots;
pub mod usage;
pub mod video;
pub mod words;
