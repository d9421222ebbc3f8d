//! Binds what screens read from the replica: clients, offerings, availability, the profile.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::{fold, moment, to_js};
use super::phone::Phone;
use crate::Id;
use crate::commands::command::Command;
use crate::rows::report::Report;
use crate::rows::walk_request::RequestStatus;
use crate::rules::sitter;
use crate::screens::{directory, guided_start};
use crate::values::sort::SmallSort as _;

/// What screens show.
#[wasm_bindgen]
impl Phone {
    /// The business's own row; absent before the first pull.
    #[wasm_bindgen(unchecked_return_type = "Sitter | undefined")]
    pub fn sitter(&self) -> Result<JsValue, JsError> {
        self.replica
            .business()
            .sitter()
            .map_or(Ok(JsValue::UNDEFINED), to_js)
    }

    /// The units that the business reads distances and weights in.
    #[wasm_bindgen(unchecked_return_type = "Units")]
    pub fn units(&self) -> Result<JsValue, JsError> {
        let sitter = self.replica.business().sitter();
        to_js(&sitter.map(|it| it.units).unwrap_or_default())
    }

    /// How the business reads times of day.
    #[wasm_bindgen(js_name = hourCycle, unchecked_return_type = "HourCycle")]
    pub fn hour_cycle(&self) -> Result<JsValue, JsError> {
        to_js(&self.replica.business().hour_cycle())
    }

    /// The rules of the business's time zone, for what has them read again; absent before the first pull.
    #[wasm_bindgen(unchecked_return_type = "Zone | undefined")]
    pub fn zone(&self) -> Result<JsValue, JsError> {
        let zone = self.replica.meta().zone.as_ref();
        zone.map_or(Ok(JsValue::UNDEFINED), to_js)
    }

    /// Whether the profile is complete.
    #[wasm_bindgen(js_name = profileStatus, unchecked_return_type = "ProfileStatus")]
    pub fn profile_status(&self) -> Result<JsValue, JsError> {
        to_js(&sitter::profile_status(self.replica.business().sitter()))
    }

    /// How far the guided start is, for a business that needs one.
    #[wasm_bindgen(js_name = guidedStart, unchecked_return_type = "GuidedStart | undefined")]
    pub fn guided_start(&self, has_begun: bool) -> Result<JsValue, JsError> {
        guided_start::guided_start(self.replica.business(), has_begun)
            .map_or(Ok(JsValue::UNDEFINED), |it| to_js(&it))
    }

    /// Whether anything was ever pulled: before that, empty lists mean nothing.
    #[wasm_bindgen(js_name = hasLoaded)]
    pub fn has_loaded(&self) -> bool {
        self.replica.meta().cursor > 0
    }

    /// Clients that a search finds, by name.
    #[wasm_bindgen(unchecked_return_type = "ClientCard[]")]
    pub fn clients(&self, search: &str) -> Result<JsValue, JsError> {
        to_js(&directory::clients(self.replica.business(), search, &fold))
    }

    /// One client with its pets.
    #[wasm_bindgen(unchecked_return_type = "ClientCard | undefined")]
    pub fn client(&self, id: &str) -> Result<JsValue, JsError> {
        directory::client_card(self.replica.business(), id.parse()?)
            .map_or(Ok(JsValue::UNDEFINED), |it| to_js(&it))
    }

    /// Offerings in their order.
    #[wasm_bindgen(unchecked_return_type = "Offering[]")]
    pub fn offerings(&self) -> Result<JsValue, JsError> {
        let mut offerings: Vec<_> = self
            .replica
            .business()
            .offerings
            .values()
            .map(|it| &it.row)
            .collect();
        offerings.small_sort_by_key(|it| (it.display_order, it.id));
        to_js(&offerings)
    }

    /// Availability patterns by weekday and start.
    #[wasm_bindgen(unchecked_return_type = "Pattern[]")]
    pub fn patterns(&self) -> Result<JsValue, JsError> {
        let mut patterns: Vec<_> = self
            .replica
            .business()
            .patterns
            .values()
            .map(|it| &it.row)
            .collect();
        patterns.small_sort_by_key(|it| (it.day_of_week, it.start_time, it.id));
        to_js(&patterns)
    }

    /// The slot settings.
    #[wasm_bindgen(js_name = availabilityConfig, unchecked_return_type = "AvailabilityConfig | undefined")]
    pub fn availability_config(&self) -> Result<JsValue, JsError> {
        self.replica
            .business()
            .config()
            .map_or(Ok(JsValue::UNDEFINED), to_js)
    }

    /// How many walk requests wait for an answer.
    #[wasm_bindgen(js_name = pendingRequests)]
    pub fn pending_requests(&self) -> usize {
        let requests = self.replica.business().requests.values();
        requests
            .filter(|it| it.row.status == RequestStatus::Pending)
            .count()
    }

    /// The reports of a walk, or all of them, the newest walk first.
    #[wasm_bindgen(unchecked_return_type = "Report[]")]
    pub fn reports(&self, walk_id: Option<String>) -> Result<JsValue, JsError> {
        let walk_id = walk_id.map(|it| it.parse::<Id>()).transpose()?;
        let reports = self.replica.business().reports.values();
        let mut reports: Vec<&Report> = reports
            .map(|it| &it.row)
            .filter(|it| walk_id.is_none_or(|id| it.walk_id == id))
            .collect();
        reports.small_sort_by(|a, b| (b.started_at, b.id).cmp(&(a.started_at, a.id)));
        to_js(&reports)
    }

    /// Today in the business's time zone.
    pub fn today(&self, now_ms: f64) -> String {
        self.replica.now(moment(now_ms)).today().to_string()
    }

    /// The minute of the day in the business's time zone.
    #[wasm_bindgen(js_name = minuteOfDay)]
    pub fn minute_of_day(&self, now_ms: f64) -> u16 {
        self.replica.now(moment(now_ms)).time().minute_of_day()
    }

    /// Decides a command on what the screen shows without saving it: `null` when it would be taken, else why not.
    #[wasm_bindgen(unchecked_return_type = "Refusal | null")]
    pub fn check(&self, command: Ts<Command>, now_ms: f64) -> Result<JsValue, JsError> {
        match self.replica.preview(&command.to_rust()?, moment(now_ms)) {
            Ok(_) => Ok(JsValue::NULL),
            Err(refusal) => to_js(&refusal),
        }
    }
}
