//! Binds what the availability screen reads and starts from.

use wasm_bindgen::prelude::*;

use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::rows::blocked_time::BlockedTime;
use crate::rows::pattern::Pattern;
use crate::rules::availability;
use crate::screens::availability::BlockedTimeView;
use crate::values::format;
use crate::{Date, screens};

/// A form for blocking a time before anything is typed.
#[wasm_bindgen(js_name = newBlockedTime)]
pub fn new_blocked_time(id: &str, date: &str) -> Result<Json<BlockedTime>, JsError> {
    to_js(&BlockedTime::new(id.parse()?, date.parse()?))
}

/// `Friday`, from `2026-11-20`.
#[wasm_bindgen(js_name = formatWeekday)]
pub fn format_weekday(date: &str) -> Result<String, JsError> {
    Ok(format::weekday(date.parse::<Date>()?).to_owned())
}

/// Queries of the availability screen.
#[wasm_bindgen]
impl Phone {
    /// A pattern form before anything is typed.
    #[wasm_bindgen(js_name = newPattern)]
    pub fn new_pattern(&self, id: &str) -> Result<Json<Pattern>, JsError> {
        to_js(&availability::new_pattern(
            id.parse()?,
            self.replica.business(),
        ))
    }

    /// Blocked times: what comes next first, what is over last.
    #[wasm_bindgen(js_name = blockedTimeList)]
    pub fn blocked_time_list(&self, today: &str) -> Result<Json<[BlockedTimeView]>, JsError> {
        list_to_js(&screens::availability::blocked_times(
            self.replica.business(),
            today.parse()?,
        ))
    }
}
