//! Owns the cells of a file, as a person sees and corrects them, and which files have some.

use serde::Serialize;
use thiserror::Error;

use super::cell::{is_phone_cell, without_time};
use super::column::{Column, Target, guess, recognized};
use super::csv::records;
use super::encoding::{Encoding, Reading, decode, readings};
use super::vcard::{contacts, is_vcard, without_pictures};
use crate::Date;
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
    /// Names of the columns; `Column C` where the file has none.
    pub header: Vec<String>,
    /// Rows below the header.
    pub rows: Vec<TableRow>,
    /// Number of the row that has the names of the columns, 0 where none has; none of vCards.
    #[serde(default)]
    pub header_row: Option<u32>,
    /// The file's first rows, at most 10, from which that one is chosen.
    #[serde(default)]
    pub first_rows: Vec<TableRow>,
}

read_by_field!(Table { header, rows } or default { header_row, first_rows });

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
    #[error("This file is too large. Please split it into files of up to 512 KB.")]
    TooLarge,
    /// A spreadsheet's own format, or a picture.
    #[error("This is neither a CSV file nor a vCard. In a spreadsheet, save it as CSV.")]
    NotText,
    /// Nothing below the header.
    #[error("There are no clients in this file.")]
    Empty,
    /// Too many rows.
    #[error("This file has more than 5,000 rows. Split it into smaller files.")]
    TooManyRows,
    /// Too many columns.
    #[error("This file has more than 200 columns. Remove those that are not needed.")]
    TooManyColumns,
    /// Nobody is left to import.
    #[error("All clients of this file are left out, so there is nothing to import.")]
    Nobody,
    /// Too many clients for one change.
    #[error("This file has more than 500 clients. Split it into smaller files.")]
    TooManyClients,
    /// Too many pets for one change.
    #[error("This file has more than 1,500 pets. Split it into smaller files.")]
    TooManyPets,
    /// Too many pets in it, however many changes bring them.
    #[error("This file has more than 15,000 pets. Split it into smaller files.")]
    FarTooManyPets,
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
        Self::read_as(bytes, None)
    }

    /// The ways in which the letters of a file can be read where its bytes do not tell, the likeliest first; none where
    /// they do.
    pub fn readings(bytes: &[u8]) -> Vec<Reading> {
        readings(&without_pictures(bytes))
    }

    /// The cells of a file whose letters are read so, unless they are Unicode.
    ///
    /// # Errors
    /// Refuses a file with none, or with too many.
    pub fn read_as(bytes: &[u8], encoding: Option<Encoding>) -> Result<Self, ImportFault> {
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
        let text = decode(bytes, encoding);
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
        let mut rows: Vec<TableRow> = Vec::new();
        let mut width = 0;
        for (number, cells) in records(text).take(IMPORT_ROWS + 2 + MAX_TITLES) {
            width = width.max(cells.len());
            if IMPORT_COLUMNS < width {
                return Err(ImportFault::TooManyColumns);
            }
            let cells = cells.iter().map(|it| without_text_mark(it).to_owned());
            rows.push(TableRow {
                number,
                cells: cells.collect(),
            });
        }
        for row in &mut rows {
            row.cells.resize(width, String::new());
        }
        let header_row = header_row(&rows);
        let mut table = Self {
            first_rows: rows.iter().take(MAX_TITLES).cloned().collect(),
            rows,
            ..Self::default()
        };
        table.clean();
        Ok(table.below(header_row))
    }

    /// The table with the names of its columns in this row of the file, 0 for none. Cells that were corrected stay so.
    #[must_use]
    pub fn with_header(mut self, header_row: u32) -> Self {
        if self.header_row.is_none() {
            return self;
        }
        let first = self.rows.first().map_or(u32::MAX, |it| it.number);
        let above = self.first_rows.iter().filter(|it| it.number < first);
        let mut rows: Vec<TableRow> = above.cloned().collect();
        // Without the column that was added for names of pets.
        let width = self.first_rows.first().map_or(0, |it| it.cells.len());
        rows.append(&mut self.rows);
        for row in &mut rows {
            row.cells.truncate(width);
        }
        self.rows = rows;
        self.below(header_row)
    }

    /// All rows of a file as those below this one.
    fn below(mut self, header_row: u32) -> Self {
        let mut width = self.rows.first().map_or(0, |it| it.cells.len());
        let named = self.rows.iter().find(|it| it.number == header_row);
        let mut header = named.map_or_else(Vec::new, |it| it.cells.clone());
        header.resize(width, String::new());
        for (name, place) in header.iter_mut().zip(0..) {
            if let Some((end, _)) = name.char_indices().nth(HEADER) {
                name.truncate(end);
            }
            if name.is_empty() {
                *name = letters(place);
            }
        }
        let has_header = named.is_some();
        self.header_row = Some(if has_header { header_row } else { 0 });
        if has_header {
            self.rows.retain(|it| header_row < it.number);
        }
        let mut targets = recognized(&header).into_iter().flatten();
        if !targets.any(|it| it.column == Column::PetName) {
            header.push(PET_NAMES.to_owned());
            width += 1;
        }
        self.header = header;
        for row in &mut self.rows {
            row.cells.resize(width, String::new());
        }
        self
    }

    /// The cells of some columns in all rows, each with its column.
    pub(super) fn cells_of(
        &self,
        is_wanted: impl Fn(usize) -> bool,
    ) -> impl Iterator<Item = (usize, &String)> {
        let cells = self.rows.iter().flat_map(|it| it.cells.iter().enumerate());
        cells.filter(move |(place, _)| is_wanted(*place))
    }

    /// Guesses what the columns are by their names, and by their cells where the file has no names for them.
    pub fn guess(&self) -> Vec<Option<Target>> {
        let mut targets = guess(&self.header);
        for ((target, name), place) in targets.iter_mut().zip(&self.header).zip(0..) {
            if *name == letters(place) {
                let column = self.column_by_cells(place).unwrap_or(Column::InternalNotes);
                *target = Some(Target { column, pet: 0 });
            }
        }
        targets
    }

    /// Recognizes the column of e-mail addresses and that of phone numbers by most of their cells.
    fn column_by_cells(&self, place: usize) -> Option<Column> {
        let cells = self.rows.iter().filter_map(|it| it.cells.get(place));
        let cells = cells.filter(|it| !it.is_empty()).take(CELLS_EXAMINED);
        let is_most = |is: &dyn Fn(&str) -> bool| {
            let all = cells.clone().count();
            0 < all && all * 4 <= cells.clone().filter(|it| is(it)).count() * 5
        };
        if is_most(&|it| it.contains('@')) {
            Some(Column::Email)
        } else if is_most(&is_phone_cell) {
            Some(Column::Phone)
        } else {
            None
        }
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
            ..Self::default()
        };
        table.clean();
        table
    }

    /// Removes what no text here holds.
    fn clean(&mut self) {
        let rows = self.rows.iter_mut().chain(&mut self.first_rows);
        for cell in rows.flat_map(|it| &mut it.cells) {
            if !cell.chars().all(is_text) {
                cell.retain(is_text);
            }
        }
    }
}

/// Most rows above a header that are examined.
const MAX_TITLES: usize = 10;

/// Most cells by which a column without a name is recognized.
const CELLS_EXAMINED: usize = 50;

/// `Column A`, `Column AB`: the name of a column of which a spreadsheet shows the letters alone.
fn letters(place: usize) -> String {
    let letter = |it: usize| {
        let offset = u32::try_from(it % 26).unwrap_or_default();
        char::from_u32(u32::from('A') + offset).unwrap_or('A')
    };
    match place / 26 {
        0 => format!("Column {}", letter(place)),
        more => format!("Column {}{}", letter(more - 1), letter(place)),
    }
}

/// The number of the row that has the names of the columns, 0 where none has. Above it stand only rows with fewer cells,
/// such as a title and the day of the export, that say nothing of columns.
fn header_row(rows: &[TableRow]) -> u32 {
    let n_known = |cells: &[String]| recognized(cells).iter().flatten().count();
    let n_cells = |cells: &[String]| cells.iter().filter(|it| !it.is_empty()).count();
    let mut n_above = 0;
    for row in rows.iter().take(MAX_TITLES) {
        let (known, cells) = (n_known(&row.cells), n_cells(&row.cells));
        if 1 < known && n_above < cells && !has_values(&row.cells) {
            return row.number;
        }
        if 0 < known {
            break;
        }
        n_above = n_above.max(cells);
    }
    match rows.first() {
        Some(first) if n_known(&first.cells) == 0 && has_values(&first.cells) => 0,
        first => first.map_or(0, |it| it.number),
    }
}

/// Returns true for a row of which a cell is an e-mail address, a phone number or a date: no header has one.
fn has_values(cells: &[String]) -> bool {
    let is_date = |it: &str| without_time(it).parse::<Date>().is_ok();
    let is_email = |it: &str| it.contains('@') && !it.contains(' ');
    let mut cells = cells.iter().map(String::as_str);
    cells.any(|it| is_email(it) || is_phone_cell(it) || is_date(it))
}
