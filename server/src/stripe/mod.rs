//! Stripe: what is said to it (`client`, `checkout`, `subscriptions`), how its word is told from others' (`webhook`), and what
//! of it becomes payments of invoices (`invoices`). What becomes plans of businesses is in `billing`.

pub mod checkout;
pub mod client;
pub mod invoices;
pub mod subscriptions;
pub mod webhook;
