//! Binds reading files of clients and what would come of them; who is there already says `Phone.knownClients`.

use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::json::{Answer, Json, answer, list_to_js, to_js};
use crate::Date;
use crate::import::column::{ColumnChoice, choices, read_columns, written};
use crate::import::encoding::{Encoding, Reading};
use crate::import::join::{Join, join};
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
    /// Ways to read the letters, the likeliest first; none where the bytes tell.
    readings: Vec<Reading>,
}

impl ImportFile {
    fn of(table: Table, readings: Vec<Reading>) -> Self {
        Self {
            columns: written(&table.guess()),
            table,
            readings,
        }
    }
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

/// Reads a file; its letters with the encoding of one of the `readings`, where one is given.
#[wasm_bindgen(js_name = readImport)]
pub fn read_import(
    bytes: &[u8],
    encoding: Option<String>,
) -> Result<Json<Answer<ImportFile, ImportRefusal>>, JsError> {
    let encoding: Option<Encoding> = match encoding {
        Some(name) => Some(serde_json::from_value(name.into())?),
        None => None,
    };
    let read = Table::read_as(bytes, encoding);
    let file = read.map(|table| ImportFile::of(table, Table::readings(bytes)));
    answer(file.map_err(ImportRefusal::from))
}

/// A table and the number of the row with the names of its columns, 0 for none.
#[derive(Serialize, Tsify)]
pub struct HeaderRequest {
    table: Table,
    header_row: u32,
}

read_by_field!(HeaderRequest { table, header_row });

/// Returns the table below another row with the names of its columns, and what these seem to be.
#[wasm_bindgen(js_name = withHeader)]
pub fn with_header(request: Ts<HeaderRequest>) -> Result<Json<ImportFile>, JsError> {
    let HeaderRequest { table, header_row } = request.to_rust()?;
    to_js(&ImportFile::of(table.with_header(header_row), Vec::new()))
}

/// Adds the columns of a second file to the rows of the first one that it belongs to.
#[wasm_bindgen(js_name = joinTables)]
pub fn join_tables(request: Ts<Join>) -> Result<Json<JoinedFile>, JsError> {
    let joined = join(&request.to_rust()?);
    to_js(&JoinedFile {
        columns: written(&joined.table.guess()),
        table: joined.table,
        n_unmatched: joined.n_unmatched,
        unmatched: joined.unmatched,
    })
}

/// Two files as one.
#[derive(Serialize, Tsify)]
pub struct JoinedFile {
    table: Table,
    /// Meaning of each column, as `ColumnChoice` writes it; empty where it is left out.
    columns: Vec<String>,
    /// Number of the second file's rows that belong to nobody in the first one, and are in no row of the table.
    n_unmatched: u32,
    /// Some of those rows, at most three, in words.
    unmatched: Vec<String>,
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
