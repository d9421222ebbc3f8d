//! Binds the answers to the golden cases, in builds for tests alone.

use wasm_bindgen::prelude::*;

/// The cases of `core/testdata` that are not answered to the byte as they are written.
#[wasm_bindgen(js_name = goldenWrong)]
pub fn golden_wrong(rule: &str, cases: &str) -> Result<Vec<String>, JsError> {
    crate::golden::wrong(rule, cases).map_err(|error| JsError::new(&error.to_string()))
}
