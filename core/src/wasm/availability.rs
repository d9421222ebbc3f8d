//! Binds what the availability screen reads and starts from.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::moment;
use super::json::{Json, list_to_js, to_js};
use super::phone::Phone;
use crate::commands::TakeTimeOff;
use crate::rows::blocked_time::BlockedTime;
use crate::rows::pattern::Pattern;
use crate::rules::availability;
use crate::screens::availability::BlockedTimeView;
use crate::screens::time_off::{self, TimeOffPlan};
use crate::values::format;
use crate::{Command, Date, screens};

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

/// Says what a time off did: `2 visits are cancelled.`
#[wasm_bindgen(js_name = timeOffDone)]
pub fn time_off_done(command: Ts<TakeTimeOff>) -> Result<String, JsError> {
    Ok(time_off::done(&command.to_rust()?))
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

    /// A time off before it is saved: the visits in it, where they can move, and the messages to their clients.
    #[wasm_bindgen(js_name = planTimeOff)]
    pub fn plan_time_off(
        &self,
        command: Ts<TakeTimeOff>,
        now_ms: f64,
        can_send: bool,
    ) -> Result<Json<TimeOffPlan>, JsError> {
        let now = self.replica.now(moment(now_ms));
        let business = self.replica.business();
        to_js(&time_off::plan(
            business,
            &command.to_rust()?,
            &now,
            can_send,
        ))
    }

    /// The command that undoes a time off, computed before that is saved.
    #[wasm_bindgen(js_name = undoTimeOff)]
    pub fn undo_time_off(&self, command: Ts<TakeTimeOff>) -> Result<Json<Command>, JsError> {
        to_js(&time_off::undo(
            self.replica.business(),
            &command.to_rust()?,
        ))
    }
}
