//! Binds the answers to the golden cases, in builds for tests alone.

use wasm_bindgen::prelude::*;

/// The rule's answer to a case of `core/testdata`; both are JSON.
#[wasm_bindgen(js_name = goldenAnswer)]
pub fn golden_answer(rule: &str, input: &str) -> Result<String, JsError> {
    crate::golden::answer(rule, input).map_err(|error| JsError::new(&error.to_string()))
}
