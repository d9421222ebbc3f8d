//! Owns the cells of a file, as a person sees and corrects them, and which files have some.

use serde::Serialize;
use thiserror::Error;

use super::column::{Column, guess};
use super::csv::records;
use super::encoding::decode;
use super::vcard::{contacts, is_vcard, without_pictures};
use crate::values::bounds::{
    IMPORT_BYTES, IMPORT_CARDS_BYTES, IMPORT_COLUMNS, IMPORT_ROWS, is_text,
};
use crate::values::csv::without_text_mark;
use crate::values::json::read_by_field;

/// The cells of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Table {
    /// Names of the columns.
    pub header: Vec<String>,
    /// Rows below the header.
    pub rows: Vec<TableRow>,
}

read_by_field!(Table { header, rows });

/// A row of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TableRow {
    /// Row number as a spreadsheet shows it; of vCards the number of the contact, from 1.
    pub number: u32,
    /// One cell for each column.
    pub cells: Vec<String>,
}

read_by_field!(TableRow { number, cells });

/// Why nothing of a file can be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ImportFault {
    /// Too many bytes.
    #[error("This file is too large. A file of up to 512 KB can be imported: divide it.")]
    TooLarge,
    /// A spreadsheet's own format, or a picture.
    #[error("This is neither a CSV file nor a vCard. In a spreadsheet, save it as CSV.")]
    NotText,
    /// Nothing below the header.
    #[error("There is nobody in this file.")]
    Empty,
    /// Too many rows.
    #[error("This file has more than 5,000 rows. Divide it.")]
    TooManyRows,
    /// Too many columns.
    #[error("This file has more than 200 columns. Remove those that are not needed.")]
    TooManyColumns,
    /// Nobody is left to import.
    #[error("Nobody in this file is to be imported.")]
    Nobody,
    /// Too many clients in it.
    #[error("This file has more than 500 clients. Divide it.")]
    TooManyClients,
    /// Too many pets in it.
    #[error("This file has more than 1,500 pets. Divide it.")]
    TooManyPets,
}

/// Names of the columns of vCards; that of pets is for the person to fill in.
const CONTACT: [&str; 6] = ["Name", "Email", "Phone", "Address", "Notes", PET_NAMES];

/// Name of the column that is added to a file without one for names of pets: no client is without a pet.
const PET_NAMES: &str = "Pets";

/// Most characters of a column's name that are kept: it is repeated with each of its cells.
const HEADER: usize = 60;

impl Table {
    /// The cells of a file.
    ///
    /// # Errors
    /// Where there are none, or too many.
    pub fn read(bytes: &[u8]) -> Result<Self, ImportFault> {
        if IMPORT_CARDS_BYTES < bytes.len() {
            return Err(ImportFault::TooLarge);
        }
        let bytes = &*without_pictures(bytes);
        if IMPORT_BYTES < bytes.len() {
            return Err(ImportFault::TooLarge);
        }
        // Spreadsheets are ZIP files, and older ones OLE's.
        if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\xD0\xCF\x11\xE0") {
            return Err(ImportFault::NotText);
        }
        let text = decode(bytes);
        if text.contains('\0') {
            return Err(ImportFault::NotText);
        }
        let table = if is_vcard(&text) {
            Self::of_vcards(&text)
        } else {
            Self::of_csv(&text)?
        };
        if table.rows.is_empty() {
            return Err(ImportFault::Empty);
        }
        if IMPORT_ROWS < table.rows.len() {
            return Err(ImportFault::TooManyRows);
        }
        Ok(table)
    }

    fn of_csv(text: &str) -> Result<Self, ImportFault> {
        let n_titles = titles(text);
        let mut records = records(text).skip(n_titles).take(IMPORT_ROWS + 2);
        let (_, header) = records.next().ok_or(ImportFault::Empty)?;
        let mut width = header.len();
        let mut rows = Vec::new();
        for (number, cells) in records {
            width = width.max(cells.len());
            let cells = cells.iter().map(|it| without_text_mark(it).to_owned());
            rows.push(TableRow {
                number,
                cells: cells.collect(),
            });
        }
        if IMPORT_COLUMNS < width {
            return Err(ImportFault::TooManyColumns);
        }
        let mut table = Self { header, rows };
        table.header.resize(width, String::new());
        let mut targets = guess(&table.header).into_iter().flatten();
        if !targets.any(|it| it.column == Column::PetName) {
            table.header.push(PET_NAMES.to_owned());
            width += 1;
        }
        for row in &mut table.rows {
            row.cells.resize(width, String::new());
        }
        table.clean();
        Ok(table)
    }

    fn of_vcards(text: &str) -> Self {
        let rows = contacts(text).into_iter().zip(1..).map(|(it, number)| {
            let cells = [
                it.name,
                it.email,
                it.phone,
                it.address,
                it.notes,
                String::new(),
            ];
            TableRow {
                number,
                cells: cells.into(),
            }
        });
        let mut table = Self {
            header: CONTACT.map(str::to_owned).into(),
            rows: rows.collect(),
        };
        table.clean();
        table
    }

    /// Removes what no text here holds.
    fn clean(&mut self) {
        let cells = self.rows.iter_mut().flat_map(|it| &mut it.cells);
        for cell in self.header.iter_mut().chain(cells) {
            if !cell.chars().all(is_text) {
                cell.retain(is_text);
            }
        }
        for name in &mut self.header {
            if let Some((end, _)) = name.char_indices().nth(HEADER) {
                name.truncate(end);
            }
        }
    }
}

/// Most records above a header that are examined.
const MAX_TITLES: usize = 10;

/// How many records stand above the header: lines of one cell, such as a title and the day of the export, that say
/// nothing of columns, above one where at least two columns are known.
fn titles(text: &str) -> usize {
    let n_known = |cells: &[String]| guess(cells).iter().flatten().count();
    for ((_, cells), place) in records(text).take(MAX_TITLES).zip(0..) {
        match n_known(&cells) {
            0 if cells.iter().filter(|it| !it.is_empty()).count() < 2 => {}
            0 | 1 => return 0,
            _ => return place,
        }
    }
    0
}
