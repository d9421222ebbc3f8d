//! Clients and pets from a file that another system has written: CSV as spreadsheets and pet-sitting programs export it,
//! and vCard as address books do. Read into a table of cells, whose columns are guessed and can be chosen; what would come
//! of it is shown before anything is, with what is wrong and what to do about it.

#[cfg(test)]
mod cases;
mod cell;
pub mod column;
mod csv;
pub mod encoding;
pub mod join;
pub mod preview;
mod recurrence;
pub mod schedule;
pub mod table;
#[cfg(test)]
mod tests;
mod vcard;
