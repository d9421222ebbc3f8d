//! Binds what the work of a span of days comes to, computed of the bytes that the replica's module gives (`Phone.analyticsRecords`).

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::json::{Json, list_to_js, to_js};
use crate::FieldErrors;
use crate::analytics;
use crate::analytics::{Analytics, ExportFormat, Percent, Period, PeriodPreset, Records};

/// The spans that are offered on a day.
#[wasm_bindgen(js_name = periodPresets)]
pub fn period_presets(today: &str) -> Result<Json<[PeriodPreset]>, JsError> {
    list_to_js(&analytics::presets(today.parse()?))
}

/// Why these days cannot be looked at, by `startDate` and `endDate`; nothing where they can.
#[wasm_bindgen(js_name = periodErrors)]
pub fn period_errors(first: &str, last: &str, today: &str) -> Result<Json<FieldErrors>, JsError> {
    let period = Period::asked(Some(first.parse()?), Some(last.parse()?), today.parse()?);
    to_js(&period.err().unwrap_or_default())
}

/// Why days are not looked at of which the replica's module gives no records.
#[wasm_bindgen(js_name = tooManyServices)]
pub fn too_many_services() -> Result<Json<FieldErrors>, JsError> {
    to_js(&analytics::too_many_services())
}

/// Days for people: `Nov 1, 2026 - Nov 30, 2026`.
#[wasm_bindgen(js_name = periodText)]
pub fn period_text(first: &str, last: &str) -> Result<String, JsError> {
    let period = Period {
        start_date: first.parse()?,
        end_date: last.parse()?,
    };
    Ok(period.text())
}

/// A share of `Figures` for people: `12%`, `3.4%`, `99.6%`.
#[wasm_bindgen(js_name = percentText)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "a saturating cast is right for what is no percentage"
)]
pub fn percent_text(percent: f64) -> String {
    Percent((percent * 10.0).round() as i64).text()
}

/// Returns the name of an exported file of this format.
#[wasm_bindgen(js_name = exportName)]
pub fn export_name(format: Ts<ExportFormat>) -> Result<String, JsError> {
    Ok(format.to_rust()?.file_name().to_owned())
}

/// The records that were looked at, for as long as somebody looks at them.
#[wasm_bindgen]
pub struct Figures(Records);

/// Answers about the records.
#[wasm_bindgen]
impl Figures {
    /// Reads the bytes that the replica's module gives (`Phone.analyticsRecords`); throws for anything else.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Figures, JsError> {
        let records = Records::from_bytes(bytes);
        records.map(Self).ok_or_else(|| JsError::new("no records"))
    }

    /// Computes all figures of the dashboard.
    pub fn analytics(&self) -> Result<Json<Analytics>, JsError> {
        to_js(&analytics::analytics(&self.0))
    }

    /// The services as a table for spreadsheets.
    pub fn csv(&self) -> String {
        analytics::csv(&self.0)
    }

    /// All figures and each service, as JSON.
    pub fn json(&self) -> Result<String, JsError> {
        let exported = analytics::exported(&self.0);
        Ok(serde_json::to_string_pretty(&exported)?)
    }
}
