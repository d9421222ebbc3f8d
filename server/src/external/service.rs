//! Owns how a service of others is named in the settings: its address and its origin.

/// A server of others.
#[derive(Clone, Debug)]
pub struct ExternalService {
    /// The address of the service, which may contain placeholders and a key.
    pub url: String,
    /// Scheme, host and port of it.
    pub origin: String,
}
