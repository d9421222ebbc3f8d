//! Accounts of people: links with client records, and names of devices.

pub mod client_links;
pub mod device;
