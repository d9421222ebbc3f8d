//! Binds what the work of a span of days comes to, computed of the bytes that the replica's module gives (`Phone.records`).

use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::json::{Json, list_to_js, to_js};
use crate::analytics;
use crate::analytics::{Analytics, ExportFormat, Period, PeriodPreset, Records};

/// The spans that are offered on a day.
#[wasm_bindgen(js_name = periodPresets)]
pub fn period_presets(today: &str) -> Result<Json<[PeriodPreset]>, JsError> {
    list_to_js(&analytics::presets(today.parse()?))
}

/// Why these days cannot be looked at, if they cannot.
#[wasm_bindgen(js_name = periodError)]
pub fn period_error(first: &str, last: &str, today: &str) -> Result<Option<String>, JsError> {
    let period = Period::asked(Some(first.parse()?), Some(last.parse()?), today.parse()?);
    let errors = period.err().unwrap_or_default();
    Ok(errors.first().map(str::to_owned))
}

/// What a file is called that is taken out.
#[wasm_bindgen(js_name = exportName)]
pub fn export_name(format: Ts<ExportFormat>) -> Result<String, JsError> {
    Ok(format.to_rust()?.file_name().to_owned())
}

/// The records that were looked at, for as long as somebody looks at them.
#[wasm_bindgen]
pub struct Figures {
    records: Records,
    period: Period,
}

/// What is said of them.
#[wasm_bindgen]
impl Figures {
    /// Of the bytes for these days.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8], first: &str, last: &str) -> Result<Figures, JsError> {
        let records = Records::from_bytes(bytes);
        Ok(Self {
            records: records.ok_or_else(|| JsError::new("no records"))?,
            period: Period {
                start_date: first.parse()?,
                end_date: last.parse()?,
            },
        })
    }

    /// All figures.
    pub fn analytics(&self) -> Result<Json<Analytics>, JsError> {
        to_js(&analytics::analytics(&self.records, self.period))
    }

    /// The services as a table for spreadsheets.
    pub fn csv(&self) -> String {
        analytics::csv(&self.records, self.period)
    }

    /// All figures and each service, as JSON.
    pub fn json(&self) -> Result<String, JsError> {
        let exported = analytics::exported(&self.records, self.period);
        Ok(serde_json::to_string_pretty(&exported)?)
    }
}
