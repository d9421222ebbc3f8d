//! Binds reading files of clients and what would come of them; who is there already says `Phone.knownClients`.

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::json::{Answer, Json, answer, list_to_js, to_js};
use crate::Date;
use crate::import::column::{ColumnChoice, choices, guess, read_columns, written};
use crate::import::preview::{ImportChoice, KnownClient, Preview, preview};
use crate::import::schedule::{
    BookableNames, ScheduleColumn, SchedulePreview, guess_schedule, preview_schedule,
};
use crate::import::table::{ImportFault, Table};
use crate::values::json::read_by_field;

/// The cells of a file, and what its columns seem to be.
#[derive(Serialize, Tsify)]
pub struct ImportFile {
    table: Table,
    /// Meaning of each column, as `ColumnChoice` writes it; empty where it is left out.
    columns: Vec<String>,
}

/// Why a file cannot be imported, in words for the person.
#[derive(Serialize, Tsify)]
pub struct ImportRefusal {
    text: String,
}

impl From<ImportFault> for ImportRefusal {
    fn from(fault: ImportFault) -> Self {
        Self {
            text: fault.to_string(),
        }
    }
}

/// A file's table with the person's choices for its columns and clients.
#[derive(Serialize, Tsify)]
pub struct PreviewRequest {
    table: Table,
    columns: Vec<String>,
    known: Vec<KnownClient>,
    choice: ImportChoice,
    today: Date,
}

read_by_field!(PreviewRequest {
    table,
    columns,
    known,
    choice,
    today
});

/// Reads a file.
#[wasm_bindgen(js_name = readImport)]
pub fn read_import(bytes: &[u8]) -> Result<Json<Answer<ImportFile, ImportRefusal>>, JsError> {
    let read = Table::read(bytes).map(|table| ImportFile {
        columns: written(&guess(&table.header)),
        table,
    });
    answer(read.map_err(ImportRefusal::from))
}

/// Lists the meanings that a column can get when these are chosen.
#[wasm_bindgen(js_name = columnChoices)]
pub fn column_choices(columns: Vec<String>) -> Result<Json<[ColumnChoice]>, JsError> {
    let columns = read_columns(columns.iter().map(String::as_str))?;
    list_to_js(&choices(&columns))
}

/// Previews the import of a file; writes nothing.
#[wasm_bindgen(js_name = previewImport)]
pub fn preview_import(
    request: Ts<PreviewRequest>,
) -> Result<Json<Answer<Preview, ImportRefusal>>, JsError> {
    let PreviewRequest {
        table,
        columns,
        known,
        choice,
        today,
    } = request.to_rust()?;
    let columns = read_columns(columns.iter().map(String::as_str))?;
    let found = preview(&table, &columns, &known, &choice, today);
    answer(found.map_err(ImportRefusal::from))
}

/// The cells of a file of bookings that repeat, and what its columns seem to be.
#[derive(Serialize, Tsify)]
pub struct ScheduleFile {
    table: Table,
    columns: Vec<ScheduleColumn>,
}

/// A table of bookings that repeat, with the person's choices for its columns.
#[derive(Serialize, Tsify)]
pub struct ScheduleRequest {
    table: Table,
    columns: Vec<ScheduleColumn>,
    known: BookableNames,
    today: Date,
}

read_by_field!(ScheduleRequest {
    table,
    columns,
    known,
    today
});

/// Reads a file of bookings that repeat.
#[wasm_bindgen(js_name = readSchedule)]
pub fn read_schedule(bytes: &[u8]) -> Result<Json<Answer<ScheduleFile, ImportRefusal>>, JsError> {
    let read = Table::read(bytes).map(|table| ScheduleFile {
        columns: guess_schedule(&table.header),
        table,
    });
    answer(read.map_err(ImportRefusal::from))
}

/// Previews the import of a file of bookings that repeat; writes nothing.
#[wasm_bindgen(js_name = previewSchedule)]
pub fn preview_schedule_file(
    request: Ts<ScheduleRequest>,
) -> Result<Json<SchedulePreview>, JsError> {
    let ScheduleRequest {
        table,
        columns,
        known,
        today,
    } = request.to_rust()?;
    to_js(&preview_schedule(&table, &columns, &known, today))
}
