//! Owns how a pet parent is invited to the portal: the link, and the words that go with it (SPEC 2, Clients).

use thiserror::Error;

use crate::Id;

/// How long a code may be used, in milliseconds.
pub const INVITE_MS: i64 = 14 * 24 * 60 * 60 * 1000;

/// The address that a code is opened by; `origin` is the server's own, without a slash at its end.
pub fn link(origin: &str, client_id: Id, code: &str) -> String {
    format!("{origin}/client?client_id={client_id}&code={code}")
}

/// Returns the text with which the sitter sends an invitation, as a message or by mail. `business` is the sitter's name
/// where the business has none.
pub fn text(client_name: &str, business: &str, link: &str) -> String {
    let first = client_name.split_whitespace().next().unwrap_or_default();
    let hello = if first.is_empty() {
        "Hello!".to_owned()
    } else {
        format!("Hello {first}!")
    };
    format!(
        "{hello} With this link you see your visits at {business}, ask for new ones and read the reports: {link} It is good \
         for 14 days and for you alone."
    )
}

/// Title of an invitation's link in a chat before it is opened.
pub fn preview_title(business: &str) -> String {
    format!("{business} invites you")
}

/// The sentence under it.
pub const PREVIEW_SENTENCE: &str = "See your visits, ask for new ones and read the reports.";

/// Why a code links nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InviteFault {
    /// There is none like it, or it is another client's.
    #[error(
        "This invitation is not known. Please check the link, or ask your sitter for a new one."
    )]
    Unknown,
    /// Somebody has used it.
    #[error("This invitation was already used. If it was not you, ask your sitter for a new one.")]
    Used,
    /// It is too old.
    #[error("This invitation has expired. Please ask your sitter for a new one.")]
    Expired,
    /// The record is somebody else's, or the person has another one of the same sitter.
    #[error("This invitation is for somebody else. Please ask your sitter.")]
    Taken,
    /// The person is connected with `bounds::SITTERS` sitters.
    #[error("You are connected with as many sitters as one account can have.")]
    Full,
}
