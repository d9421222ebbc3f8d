//! Binds the core for the phone: converts, calls, converts back. No rules live here.
//!
//! What can be expected to go wrong is an answer: `Answer`; only a call of the wrong form throws.

use serde::Serialize;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::prelude::*;

mod catalogue;
mod phone;
mod rules;
mod schedule;
mod views;
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
    Ok(value.serialize(&Serializer::json_compatible())?)
}

/// What a rule decided.
fn answer<T: Serialize, E: Serialize>(result: Result<T, E>) -> Result<JsValue, JsError> {
    to_js(&match result {
        Ok(value) => Answer::Ok { value },
        Err(error) => Answer::Rejected { error },
    })
}
