//! Owns what is printed: pages of type as tagged PDF. Those who print say what stands on them.

mod fonts;
mod sheets;
mod typeset;

pub use sheets::{
    GAP, INK, INK_2, Item, Line, MADE_WITH, MARGIN, PrintError, SMALL, Sheets, TEXT, at_end, bold,
    heading, height, style,
};
pub use typeset::{Color, Paragraph, WHITE};
