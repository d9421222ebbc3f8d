//! Binds the core for the phone: converts, calls, converts back. No rules live here.
//!
//! What can be expected to go wrong is an answer: `Answer`; only a call of the wrong form throws.
//! With the feature `walk` it binds walks alone, with `map` the map alone: modules of their own, which only those download
//! who need them.

use serde::Serialize;
#[cfg(not(feature = "map"))]
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use crate::Instant;

#[cfg(not(any(feature = "walk", feature = "map")))]
mod availability;
#[cfg(not(any(feature = "walk", feature = "map")))]
mod catalogue;
#[cfg(feature = "golden")]
mod golden;
#[cfg(feature = "map")]
mod map;
#[cfg(not(any(feature = "walk", feature = "map")))]
mod phone;
#[cfg(not(any(feature = "walk", feature = "map")))]
mod profile;
#[cfg(not(any(feature = "walk", feature = "map")))]
mod rules;
#[cfg(not(any(feature = "walk", feature = "map")))]
mod schedule;
#[cfg(not(any(feature = "walk", feature = "map")))]
mod views;
#[cfg(feature = "walk")]
mod walk;

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
fn to_js(value: &(impl Serialize + ?Sized)) -> Result<JsValue, JsError> {
    js_sys::JSON::parse(&serde_json::to_string(value)?).map_err(|_| JsError::new("not JSON"))
}

/// A value from JavaScript, read as JSON: one reader for what comes from the store, the feed and the screens.
#[cfg(not(feature = "map"))]
fn from_js<T: DeserializeOwned>(value: &JsValue) -> Result<T, JsError> {
    let text = js_sys::JSON::stringify(value).map_err(|_| JsError::new("not JSON"))?;
    Ok(serde_json::from_str(&String::from(text))?)
}

/// What a rule decided.
fn answer<T: Serialize, E: Serialize>(result: Result<T, E>) -> Result<JsValue, JsError> {
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
const fn moment(now_ms: f64) -> Instant {
    Instant(now_ms as i64)
}

/// The text in small letters, as JavaScript knows them.
#[cfg(not(any(feature = "walk", feature = "map")))]
fn fold(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}
