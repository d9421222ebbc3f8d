//! Owns the map as a picture without colors: what of the tiles is shown at a zoom, where it runs on a sheet, where names
//! stand. Colors, widths and letters are the screen's; the same tiles give the same sheet wherever its borders are.

mod chain;
mod class;
mod labels;
mod prepared_tile;
mod sheet;
mod viewport;

#[cfg(test)]
mod tests;

pub use class::{LineClass, MarkKind};
pub use sheet::{Atlas, Mark, SHEET_PX, Sheet, SheetId};
