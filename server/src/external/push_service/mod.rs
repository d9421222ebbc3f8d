//! Push services of browser makers: which are allowed, and how a message is encrypted and sent.

pub mod endpoint;
pub mod sender;
