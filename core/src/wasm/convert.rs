//! Owns what comes in from JavaScript beside single values, which are tsify's `Ts`: lists, moments; and the ids that are made
//! here.

#[cfg(any(feature = "core", feature = "walk"))]
use std::cell::Cell;

#[cfg(any(feature = "walk", feature = "map"))]
use serde::de::DeserializeOwned;
#[cfg(any(feature = "walk", feature = "map"))]
use tsify::{Ts, Tsify};
#[cfg(any(feature = "core", feature = "walk"))]
use uuid::{Builder, Uuid};

#[cfg(any(feature = "core", feature = "walk"))]
use crate::Id;
use crate::Instant;

/// The values of a list from JavaScript.
#[cfg(any(feature = "walk", feature = "map"))]
pub(super) fn list_of<T: Tsify<JsType: Clone> + DeserializeOwned>(
    items: &[Ts<T>],
) -> Result<Vec<T>, tsify::Error> {
    items.iter().map(Ts::to_rust).collect()
}

/// A moment from JavaScript's clock, in milliseconds.
#[expect(
    clippy::cast_possible_truncation,
    reason = "JavaScript's dates are whole milliseconds"
)]
pub(super) const fn moment(now_ms: f64) -> Instant {
    Instant(now_ms as i64)
}

#[cfg(any(feature = "core", feature = "walk"))]
thread_local! {
    /// The millisecond of the id that was made last, and its place in that one.
    static LAST_ID: Cell<(u64, u16)> = const { Cell::new((0, 0)) };
}

/// An id that nobody has yet: the time, a count within a millisecond, so that what is made later comes later in order, and
/// what the browser's generator gives (RFC 9562, 5.7 and 6.2, method 1).
#[cfg(any(feature = "core", feature = "walk"))]
pub(super) fn fresh_id() -> Id {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "milliseconds since 1970 are whole and positive"
    )]
    let now_ms = js_sys::Date::now() as u64;
    let (at_ms, count) = match LAST_ID.get() {
        (last_ms, count) if now_ms <= last_ms && count < MAX_ID_COUNT => (last_ms, count + 1),
        (last_ms, _) => (now_ms.max(last_ms + 1), 0),
    };
    LAST_ID.set((at_ms, count));
    let [a, b] = count.to_be_bytes();
    let [c, d, e, f, g, h, _, _, _, i, j, ..] = Uuid::new_v4().into_bytes();
    let random = [a, b, c, d, e, f, g, h, i, j];
    Id(Builder::from_unix_timestamp_millis(at_ms, &random).into_uuid())
}

/// The count has the twelve bits that stand before the variant.
#[cfg(any(feature = "core", feature = "walk"))]
const MAX_ID_COUNT: u16 = (1 << 12) - 1;

/// The text in small letters, as JavaScript knows them.
#[cfg(feature = "core")]
pub(super) fn fold(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}
