//! Owns how values cross between Rust and JavaScript: as JSON, and moments as numbers.

use serde::Serialize;
#[cfg(any(feature = "core", feature = "walk"))]
use serde::de::DeserializeOwned;
#[cfg(any(feature = "core", feature = "walk"))]
use uuid::{Builder, Uuid};
use wasm_bindgen::prelude::*;

#[cfg(any(feature = "core", feature = "walk"))]
use crate::Id;
use crate::Instant;

#[wasm_bindgen(typescript_custom_section)]
const ANSWER: &str = r#"
export type Answer<T, E> = { status: "ok"; value: T } | { status: "rejected"; error: E };
"#;

#[derive(Serialize)]
#[serde(tag = "status", rename_all = "lowercase")]
enum Answer<T, E> {
    Ok { value: T },
    Rejected { error: E },
}

/// A value as plain objects, arrays, numbers and nulls: what JSON has and the store can keep.
pub(super) fn to_js(value: &(impl Serialize + ?Sized)) -> Result<JsValue, JsError> {
    js_sys::JSON::parse(&serde_json::to_string(value)?).map_err(|_| JsError::new("not JSON"))
}

/// A value from JavaScript, read as JSON: one reader for what comes from the store, the feed and the screens.
#[cfg(any(feature = "core", feature = "walk"))]
pub(super) fn from_js<T: DeserializeOwned>(value: &JsValue) -> Result<T, JsError> {
    let text = js_sys::JSON::stringify(value).map_err(|_| JsError::new("not JSON"))?;
    Ok(serde_json::from_str(&String::from(text))?)
}

/// What a rule decided.
pub(super) fn answer<T: Serialize, E: Serialize>(result: Result<T, E>) -> Result<JsValue, JsError> {
    to_js(&match result {
        Ok(value) => Answer::Ok { value },
        Err(error) => Answer::Rejected { error },
    })
}

/// A moment from JavaScript's clock, in milliseconds.
#[expect(
    clippy::cast_possible_truncation,
    reason = "JavaScript's dates are whole milliseconds"
)]
pub(super) const fn moment(now_ms: f64) -> Instant {
    Instant(now_ms as i64)
}

/// An id that nobody has yet (RFC 9562, 5.7): the time, and what the browser's generator gives. None follows from the one
/// before it, since nothing is ordered by ids.
#[cfg(any(feature = "core", feature = "walk"))]
pub(super) fn fresh_id() -> Id {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "milliseconds since 1970 are whole and positive"
    )]
    let now_ms = js_sys::Date::now() as u64;
    let [a, b, c, d, e, f, _, g, _, h, i, j, ..] = Uuid::new_v4().into_bytes();
    let random = [a, b, c, d, e, f, g, h, i, j];
    Id(Builder::from_unix_timestamp_millis(now_ms, &random).into_uuid())
}

/// The text in small letters, as JavaScript knows them.
#[cfg(feature = "core")]
pub(super) fn fold(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}
