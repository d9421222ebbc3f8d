//! Stripe: what is said to it (`client`, `checkout`), how its word is told from others' (`webhook`), and what of it becomes
//! payments of invoices (`invoices`).

pub mod checkout;
pub mod client;
pub mod invoices;
pub mod webhook;
