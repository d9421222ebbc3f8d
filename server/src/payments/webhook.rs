//! Owns how Stripe's word is told from anybody else's: the signature of what it posts (docs.stripe.com/webhooks/signature),
//! and what an event says.

use ring::hmac;
use serde::Deserialize;
use serde_json::Value;
use walkies_core::Instant;

use crate::app::state::App;
use crate::app::throttle;
use crate::base::error::AppError;

/// The most seconds between a signature and now: an older event may be a replay by somebody who has overheard it.
/// Stripe signs each of its own deliveries anew.
pub const TOLERANCE_S: i64 = 300;

/// Two secrets have two signatures while one takes the other's place; nobody sends more than these.
const MOST_SIGNATURES: usize = 16;

/// No id of Stripe's is longer (docs.stripe.com/upgrades).
const MOST_ID_BYTES: usize = 255;

/// Stripe's own are far below: of what is longer nothing is signed here to compare.
pub const MOST_BYTES: usize = 256 * 1024;

/// Why something is not Stripe's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignatureFault {
    /// It has no signature that can be read.
    #[error("it is not signed")]
    Unsigned,
    /// It was signed too long ago, or by a clock that is ahead.
    #[error("its signature is of another time")]
    Stale,
    /// Nobody who has one of the secrets has signed this.
    #[error("its signature is another's")]
    Wrong,
}

/// An event of Stripe's.
#[derive(Clone, Debug, Deserialize)]
pub struct Event {
    /// `evt_…`; a repeat has the same one.
    pub id: String,
    /// The type of event, such as `checkout.session.completed`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The object that it is about.
    #[serde(default)]
    pub data: EventData,
}

/// The object of an event.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct EventData {
    /// The object as it was when the event happened.
    #[serde(default)]
    pub object: Value,
}

impl Event {
    /// The event that a body is; none where it is no event. None of Stripe's has a NUL in it, of which PostgreSQL has no text:
    /// ids in an event are looked up as they are.
    pub fn read(body: &[u8]) -> Option<Self> {
        const NUL: &[u8] = br"\u0000";
        let has_nul = body.windows(NUL.len()).any(|it| it == NUL);
        let event: Option<Self> = serde_json::from_slice(body).ok();
        event.filter(|it| !has_nul && it.id.len() <= MOST_ID_BYTES)
    }
}

/// Verifies that one of the secrets has signed these very bytes a short while ago.
pub fn verify(
    body: &[u8],
    header: &str,
    secrets: &[String],
    now: Instant,
) -> Result<(), SignatureFault> {
    let parts = || header.split(',').filter_map(|it| it.trim().split_once('='));
    let stated = parts().find(|(name, _)| *name == "t").map(|it| it.1);
    let stated = stated.ok_or(SignatureFault::Unsigned)?;
    let at: i64 = stated.parse().map_err(|_| SignatureFault::Unsigned)?;
    let signatures: Vec<Vec<u8>> = parts()
        .filter(|(name, _)| *name == "v1")
        .take(MOST_SIGNATURES)
        .filter_map(|(_, hex)| bytes(hex))
        .collect();
    if signatures.is_empty() || MOST_BYTES < body.len() {
        return Err(SignatureFault::Unsigned);
    }
    let signed = [stated.as_bytes(), b".", body].concat();
    // All of a body is signed once for each secret, however many signatures somebody sends with it.
    let is_signed = secrets.iter().any(|secret| {
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        let ours = hmac::sign(&key, &signed);
        // What has the same signature is the same: the library compares those in constant time.
        let of_ours = hmac::sign(&key, ours.as_ref());
        let is_ours = |it: &Vec<u8>| hmac::verify(&key, it, of_ours.as_ref()).is_ok();
        signatures.iter().any(is_ours)
    });
    if !is_signed {
        return Err(SignatureFault::Wrong);
    }
    let age = now.0.div_euclid(1000).saturating_sub(at);
    if (-TOLERANCE_S..=TOLERANCE_S).contains(&age) {
        Ok(())
    } else {
        Err(SignatureFault::Stale)
    }
}

/// Turns down what nobody we know has signed, and counts it by where it comes from. What is signed is not counted: all of
/// Stripe's reports come from the same few addresses, whosever they are.
pub fn refuse(app: &App, address: &str, fault: SignatureFault) -> AppError {
    let counted = throttle::stranger(app, "stripe", address, app.settings.rate_of_reports);
    let refused = AppError::Malformed(format!("This is not of Stripe's: {fault}"));
    counted.err().unwrap_or(refused)
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let is_hex = hex.len() == 64 && hex.bytes().all(|it| it.is_ascii_hexdigit());
    let pair = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    is_hex.then(|| (0..64).step_by(2).map(pair).collect())?
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A header and a body, and what Stripe's own library makes of them.
    #[derive(Deserialize)]
    struct Case {
        name: String,
        header: String,
        body: String,
        secrets: Vec<String>,
        now: i64,
        accepted: bool,
    }

    #[derive(Deserialize)]
    struct Recorded {
        cases: Vec<Case>,
    }

    const RECORDED: &str = include_str!("../../tests/support/stripe/signatures.json");

    #[test]
    fn signatures_are_judged_as_stripes_own_library_does() {
        let recorded: Recorded = serde_json::from_str(RECORDED).expect("it can be read");
        assert!(10 < recorded.cases.len());
        for it in recorded.cases {
            let now = Instant(it.now * 1000);
            let judged = verify(it.body.as_bytes(), &it.header, &it.secrets, now);
            assert_eq!(judged.is_ok(), it.accepted, "{}: {judged:?}", it.name);
        }
    }

    #[test]
    fn what_somebody_makes_up_is_no_signature_and_takes_no_time() {
        let secrets = ["whsec_x".to_owned()];
        let many = format!("t=0{}", format!(",v1={}", "0".repeat(64)).repeat(10_000));
        for header in [
            many.as_str(),
            "t=9223372036854775807,v1=00",
            "t=-9223372036854775808",
            "t==,v1=é",
            ",,,=,t",
            "t=1,v1=\u{1F415}\u{1F415}\u{1F415}\u{1F415}\u{1F415}\u{1F415}\u{1F415}\u{1F415}\u{1F415}\u{1F415}\u{1F415}\u{1F415}\u{1F415}\u{1F415}\u{1F415}\u{1F415}",
        ] {
            assert!(verify(b"{}", header, &secrets, Instant(0)).is_err());
        }
    }

    fn header(body: &[u8], secret: &str, at: i64) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
        let signed = [at.to_string().as_bytes(), b".", body].concat();
        let tag = hmac::sign(&key, &signed);
        let hex: String = tag.as_ref().iter().map(|it| format!("{it:02x}")).collect();
        format!("t={at},v1={hex}")
    }

    proptest! {
        #[test]
        fn what_is_signed_is_taken_and_nothing_that_was_changed_since(
            body in proptest::collection::vec(any::<u8>(), 0..300),
            at in -1_000_000_000_i64..10_000_000_000,
            place in any::<prop::sample::Index>(),
            other in any::<char>(),
        ) {
            let secrets = ["whsec_a".to_owned(), "whsec_b".to_owned()];
            let now = Instant(at * 1000);
            let said = header(&body, "whsec_b", at);
            prop_assert_eq!(verify(&body, &said, &secrets, now), Ok(()));
            prop_assert_eq!(verify(&body, &said, &secrets[..1], now), Err(SignatureFault::Wrong));
            let late = Instant(now.0 + (TOLERANCE_S + 1) * 1000);
            prop_assert_eq!(verify(&body, &said, &secrets, late), Err(SignatureFault::Stale));
            let mut longer = body.clone();
            longer.push(0);
            prop_assert!(verify(&longer, &said, &secrets, now).is_err());
            // The same in another case, or with a space at an end, is the same.
            let mut changed: Vec<char> = said.chars().collect();
            let place = place.index(changed.len());
            changed[place] = other;
            let changed: String = changed.into_iter().collect();
            let is_same = changed.trim().eq_ignore_ascii_case(&said);
            prop_assert!(is_same || verify(&body, &changed, &secrets, now).is_err(), "{}", changed);
        }

        #[test]
        fn no_bytes_are_an_event_that_makes_it_panic(body in proptest::collection::vec(any::<u8>(), 0..300), text in ".*") {
            for body in [body.as_slice(), text.as_bytes()] {
                let event = Event::read(body);
                prop_assert!(event.is_none_or(|it| it.id.len() <= MOST_ID_BYTES));
                prop_assert!(verify(body, &text, &["whsec_a".to_owned()], Instant(0)).is_err());
            }
        }
    }
}
