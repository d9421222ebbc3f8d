//! Accounts of people: signing up and in, passwords, emails, second factors, roles, deletion, invites and links with client
//! records, names of devices.

pub(crate) mod client_links;
pub(crate) mod deletion;
pub(crate) mod device;
pub(crate) mod email_change;
pub(crate) mod factors;
pub(crate) mod invites;
pub(crate) mod passwords;
pub(crate) mod roles;
pub(crate) mod sign_in;
pub(crate) mod sign_up;

/// No secret that was given out, and no code, is longer, in bytes.
pub(crate) const MAX_SECRET_BYTES: usize = 64;
