//! Owns what failures of the network, of a server's answer and of positions say to a person (SPEC 8).

use serde::Serialize;

/// Returns the text for a failed request (SPEC 8, Transport); status 0 is a server that cannot be reached. `said` is
/// the server's own message, or empty.
pub fn transport_error(status: u16, said: &str) -> String {
    match status {
        0 => NETWORK.to_owned(),
        401 => "Authentication failed (401). Please sign in again.".to_owned(),
        502 => "Backend service unavailable (502 Bad Gateway). Please try again in a moment."
            .to_owned(),
        503 => "Backend service temporarily unavailable (503). Please try again in a moment."
            .to_owned(),
        500..=599 => format!("Server error ({status}). Please try again later."),
        _ if said.is_empty() => format!("API Error: {status}"),
        _ => format!("HTTP {status}: {said}"),
    }
}

/// Returns the text for a failed upload (SPEC 8, Transport).
pub fn upload_error(status: u16, said: &str) -> String {
    if said.is_empty() {
        format!("Upload failed: {status}")
    } else {
        format!("Upload failed: {status} - {said}")
    }
}

/// Returns the text for a failure in a person's words (SPEC 8, Friendly mapping); status 0 is a server that cannot be
/// reached.
pub const fn friendly_error(status: u16) -> &'static str {
    match status {
        0 => NETWORK,
        401 => "Your session has expired. Please sign in again.",
        403 => "You do not have permission to perform this action.",
        404 => NOT_FOUND,
        500 => "Server error. Please try again later.",
        _ => UNEXPECTED,
    }
}

const NETWORK: &str = "Unable to connect to server. Please check your internet connection.";

/// Text for a connection that ended before the answer did.
pub const CONNECTION_RESET: &str =
    "The connection to the server was interrupted. Please try again.";

/// Text for an answer that did not come in time.
pub const CONNECTION_TIMED_OUT: &str =
    "The server took too long to answer. Please try again in a moment.";

/// Text for a failure that has no other text.
pub const UNEXPECTED: &str = "An unexpected error occurred. Please try again.";

/// Text for something that does not exist, or that the person may not see.
pub const NOT_FOUND: &str = "The requested resource was not found.";

/// Texts for a position that cannot be had (SPEC 8, Route).
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LocationTexts {
    /// The person or the phone does not allow positions.
    pub location_denied: &'static str,
    /// No position could be had in time.
    pub location_failed: &'static str,
    /// The browser has none to give.
    pub location_unsupported: &'static str,
    /// How long to wait for a position, in milliseconds (SPEC 9, Route).
    pub location_timeout_ms: u32,
}

/// The same on a walk as where a place is asked for.
pub const LOCATION_TEXTS: LocationTexts = LocationTexts {
    location_denied: "Location not available. Please enable location services.",
    location_failed: "Unable to get your location. Please enable location services.",
    location_unsupported: "Geolocation is not supported by this browser.",
    location_timeout_ms: 10_000,
};
