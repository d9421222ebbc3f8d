//! Payments through Stripe: plans of businesses, and invoices that are paid by card.

pub mod billing;
pub mod invoices;
pub mod webhook;
