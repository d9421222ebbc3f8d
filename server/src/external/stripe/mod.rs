//! The client of Stripe's API: its requests and responses. `payments` decides what becomes of them.

pub mod checkout;
pub mod client;
pub mod subscriptions;
