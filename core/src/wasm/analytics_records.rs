//! Binds what the replica knows of a span of days, for the module that computes with it.

use wasm_bindgen::prelude::*;

use super::convert::moment;
use super::phone::Phone;
use crate::analytics::{Period, Records, find_ahead};

/// Queries of analytics on the replica.
#[wasm_bindgen]
impl Phone {
    /// Records of these days as bytes for `Figures` of the module `analytics`; nothing where there are too many
    /// services.
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

    /// Finds some of what the longest choice of days counts, before a day or of all. Gives the day to go on before; nothing
    /// when everything is found.
    #[wasm_bindgen(js_name = findAnalyticsAhead)]
    pub fn find_analytics_ahead(
        &self,
        end: Option<String>,
        now_ms: f64,
    ) -> Result<Option<String>, JsError> {
        let end = end.map(|it| it.parse()).transpose()?;
        let today = self.replica.now(moment(now_ms)).today();
        let next = find_ahead(self.replica.business(), end, today);
        Ok(next.map(|it| it.to_string()))
    }
}
