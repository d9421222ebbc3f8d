//! Binds what the forms of the profile ask for.

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::convert::moment;
use super::json::{Json, to_js};
use super::phone::Phone;
use crate::FieldErrors;
use crate::rules::bill_day::next_words;
use crate::rules::{account, sitter};
use crate::screens::billing::{BillingView, billing};
use crate::values::patch::Patch;
use crate::values::push::PushKind;
use crate::values::transport::{LOCATION_TEXTS, LocationTexts};
use crate::values::units::Units;

/// A radius as a form shows it, in miles or kilometers.
#[wasm_bindgen(js_name = radiusIn)]
pub fn radius_in(miles: f64, units: Ts<Units>) -> Result<f64, JsError> {
    Ok(sitter::radius_in(miles, units.to_rust()?))
}

/// A radius that was typed in miles or kilometers, in miles.
#[wasm_bindgen(js_name = radiusToMiles)]
pub fn radius_to_miles(radius: f64, units: Ts<Units>) -> Result<f64, JsError> {
    Ok(sitter::radius_to_miles(radius, units.to_rust()?))
}

/// Texts for a position that cannot be had, the same as on a walk.
#[wasm_bindgen(js_name = locationTexts)]
pub fn location_texts() -> Result<Json<LocationTexts>, JsError> {
    to_js(&LOCATION_TEXTS)
}

/// Returns the name of a kind of notifications; empty for a kind that this version does not know.
#[wasm_bindgen(js_name = pushKindName)]
pub fn push_kind_name(kind: Ts<PushKind>) -> String {
    let name = kind.to_rust().map(|it| it.facts().name.to_owned());
    name.unwrap_or_default()
}

/// Queries of the profile's forms.
#[wasm_bindgen]
impl Phone {
    /// Returns the errors of the profile with these changes, and the fields that it lacks to be complete; `changes` is
    /// JSON.
    #[wasm_bindgen(js_name = profileMissing)]
    pub fn profile_missing(&self, changes: &str) -> Result<Json<FieldErrors>, JsError> {
        let changes: Patch = serde_json::from_str(changes)?;
        let sitter = self.replica.business().sitter();
        to_js(
            &sitter
                .map(|it| sitter::missing(it, &changes))
                .unwrap_or_default(),
        )
    }

    /// Returns the word that a person types to confirm that all work of the business is cleared.
    #[wasm_bindgen(js_name = clearWord)]
    pub fn clear_word(&self) -> String {
        account::CLEAR_WORD.to_owned()
    }

    /// Sentence on the next month that is billed by itself once that day of the month is saved.
    #[wasm_bindgen(js_name = nextBillDay)]
    pub fn next_bill_day(&self, bill_day: u32, now_ms: f64) -> String {
        let now = self.replica.now(moment(now_ms));
        let sitter = self.replica.business().sitter();
        let before = sitter.and_then(|it| it.invoicing.bill_day);
        next_words(before, bill_day, now.today())
    }

    /// The subscription, and how far its plan is used up.
    pub fn billing(&self, now_ms: f64) -> Result<Json<BillingView>, JsError> {
        let now = self.replica.now(moment(now_ms));
        to_js(&billing(self.replica.business(), &now))
    }
}
