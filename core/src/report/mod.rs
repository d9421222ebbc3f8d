//! Owns a walk's report: what of a walk goes to which client when the sitter shares it, and what its page says.
//! A walk itself stays on the phone; what is here left it by an explicit act, and only as far as that act said.

mod compose;
mod live_map;
mod page;
#[cfg(test)]
mod tests;

pub use compose::{ReportChoices, ReportEventChoice, of_walk};
pub use live_map::live_map_update;
pub use page::{PageEvent, PageGap, PageMap, ReportPage, page, preview_sentence};
