//! Owns what the server alone knows of how people are reached: whether it sends mail, and where notifications are on.

use serde::Serialize;

use crate::Id;
use crate::values::json::read_by_field;

/// How the server reaches the clients of a business. Nothing is known of a server that has not said so: the sentences for
/// that promise neither mail nor notification.
///
/// Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Reach {
    /// True where mail leaves the server.
    #[serde(default)]
    pub sends_mail: bool,
    /// The clients whose login has notifications on for at least one device, and has turned no kind off.
    #[serde(default)]
    pub notified: Vec<Id>,
    /// The clients whose login is mailed of changes, since no device has notifications on, and has turned no kind off.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mailed: Vec<Id>,
}

read_by_field!(Reach {} or default { sends_mail, notified, mailed });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_promised_of_a_server_that_has_not_said_how_it_reaches_people() {
        let read = |text| serde_json::from_str::<Reach>(text).unwrap();
        assert_eq!(read("{}"), Reach::default());
        assert!(!Reach::default().sends_mail);
        let newer = read(r#"{"sends_mail":true,"notified":null,"by_pigeon":1}"#);
        assert!(newer.sends_mail && newer.notified.is_empty());
    }
}
