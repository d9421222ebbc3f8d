//! Parts that know nothing of the rest of the server: clock and randomness, failures, the log, metrics, pages of lists.

pub(crate) mod address;
pub mod env;
pub mod error;
pub mod log;
pub mod mail_error;
pub(crate) mod malformed;
pub mod metrics;
pub mod page;
