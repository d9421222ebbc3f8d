//! Owns what is printed: pages of type as tagged PDF, and pages without scripts. Those who print say what stands on them.

pub(crate) mod expenses;
mod fonts;
pub mod invoice;
pub(crate) mod qr;
pub(crate) mod report;
mod sheets;
mod typeset;

pub use sheets::PrintError;
pub(crate) use sheets::{
    GAP, INK, INK_2, Item, Line, MADE_WITH, MARGIN, Row, SMALL, Sheets, TEXT, at_end, bold,
    heading, height, style,
};
pub(crate) use typeset::{Color, Paragraph, WHITE};
