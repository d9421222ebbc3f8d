//! Owns how a pet parent is invited to the portal: the link, and the words that go with it (SPEC 2, Clients).

use thiserror::Error;

use crate::values::format;
use crate::values::zone::TimeZone;
use crate::{Date, Id, Instant, Now, Time};

/// Days after the one on which it is made that a code may be used.
const DAYS: i64 = 14;

/// Returns the end of a code that is made now: a midnight of the business, so that a day says until when it is good.
pub fn expires_at(now: &Now) -> Instant {
    Instant::from_civil(now.today().plus_days(DAYS + 1), Time::hour(0), &now.zone)
}

/// The last day on which a code is good that expires then.
fn last_day(expires_at: Instant, zone: &TimeZone) -> Date {
    Instant(expires_at.0 - 1).civil(zone).0
}

/// The address that a code is opened by; `origin` is the server's own, without a slash at its end.
pub fn link(origin: &str, client_id: Id, code: &str) -> String {
    format!("{origin}/client?client_id={client_id}&code={code}")
}

/// Returns the text with which the sitter sends an invitation, as a message or by mail. `business` is the sitter's name
/// where the business has none, `zone` the zone of the business.
pub fn text(
    client_name: &str,
    business: &str,
    link: &str,
    expires_at: Instant,
    zone: &TimeZone,
) -> String {
    let first = client_name.split_whitespace().next().unwrap_or_default();
    let hello = if first.is_empty() {
        "Hello!".to_owned()
    } else {
        format!("Hello {first}!")
    };
    let day = format::date_heading(last_day(expires_at, zone));
    format!(
        "{hello} Here's your link to see your visits with {business}, request new ones and read walk reports: {link} It's \
         just for you and works until {day}."
    )
}

/// Title of an invitation's link in a chat before it is opened.
pub fn preview_title(business: &str) -> String {
    format!("{business} invites you")
}

/// The sentence under it.
pub const PREVIEW_SENTENCE: &str = "See your visits, request new ones and read walk reports.";

/// Why a code links nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InviteFault {
    /// There is none like it, or it is another client's.
    #[error(
        "This invitation is not known. Please check the link or the code, or ask your sitter for a new one."
    )]
    Unknown,
    /// Somebody has used it.
    #[error("This invitation was already used. If it was not you, ask your sitter for a new one.")]
    Used,
    /// It is too old, or the sitter has ended it by a newer one or by letting the client go.
    #[error(
        "This invitation has expired, or a newer one took its place. Please ask your sitter for a new one."
    )]
    Expired,
    /// It is from the person's own business.
    #[error("This invitation is from your own business. Send it to your client.")]
    Own,
    /// The person has another record of the same sitter.
    #[error("This invitation is for somebody else. Please ask your sitter.")]
    Taken,
    /// As many of the household have a login as `bounds::PARENTS`.
    #[error("Your household has as many logins as it can have. Please ask your sitter.")]
    HouseholdFull,
    /// The person is connected with `bounds::SITTERS` sitters.
    #[error("Your account has as many sitters as it can have.")]
    Full,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_says_the_last_day_on_which_it_is_good_however_late_it_is_said() {
        let zone = TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap();
        let now = Now {
            at: "2026-11-20T23:30:00-05:00".parse().unwrap(),
            zone,
        };
        let end = expires_at(&now);
        assert_eq!(end, "2026-12-05T00:00:00-05:00".parse().unwrap());
        let said = text("Dana Reyes", "Paws & Co", "https://x", end, &now.zone);
        assert_eq!(
            said,
            "Hello Dana! Here's your link to see your visits with Paws & Co, request new ones and read walk reports: https://x \
             It's just for you and works until Friday, December 4."
        );
    }
}
