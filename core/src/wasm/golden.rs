//! Binds the answers to the golden cases, in builds for tests alone.

use wasm_bindgen::prelude::*;

#[path = "../../tests/ledger/model.rs"]
#[expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "it is a test"
)]
mod books;

/// The cases of `core/testdata` that are not answered to the byte as they are written.
#[wasm_bindgen(js_name = goldenWrong)]
pub fn golden_wrong(rule: &str, cases: &str) -> Result<Vec<String>, JsError> {
    crate::golden::wrong(rule, cases).map_err(|error| JsError::new(&error.to_string()))
}

/// Runs the random history of the books with this seed; traps where core and the model of the books do not agree.
#[wasm_bindgen(js_name = runHistory)]
pub fn run_history(seed: u32) {
    books::run(seed.into(), &mut books::Tally::new());
}
