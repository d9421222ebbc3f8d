//! Binds what the replica knows of a span of days, for the module that computes with it.

use wasm_bindgen::prelude::*;

use super::convert::moment;
use super::phone::Phone;
use crate::analytics::{Period, Records};

/// What analytics ask.
#[wasm_bindgen]
impl Phone {
    /// What is counted of these days, as bytes for `Figures` of the module `analytics`; nothing where that is too much.
    #[wasm_bindgen(js_name = analyticsRecords)]
    pub fn analytics_records(
        &self,
        first: &str,
        last: &str,
        now_ms: f64,
    ) -> Result<Option<Vec<u8>>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let period = Period {
            start_date: first.parse()?,
            end_date: last.parse()?,
        };
        let records = Records::of_business(self.replica.business(), period, &now);
        Ok(records.ok().map(|it| it.to_bytes()))
    }
}
