//! Owns the tracked walk: a state machine over positions and taps, whose log of entries is the truth (SPEC 4, Active walk).
//! The same log always gives the same state, on every machine; nothing here stores, draws or sends anything.

mod door;
mod emergency;
mod entry;
mod filter;
mod log;
mod recording;
mod state;
mod summary;
mod trace;

#[cfg(any(test, feature = "golden"))]
pub mod golden;
#[cfg(test)]
mod tests;

pub use door::{DoorHome, Doors};
pub use emergency::{EmergencyPlace, HOME_NUMBER, emergency_place};
pub use entry::{Entry, Fix, WalkInput};
pub(crate) use entry::{altitude_dm, decimeters};
pub use log::{FORMAT_VERSION, decode, encode, log_header};
pub use recording::{Recording, WalkChange, WalkState, replay};
pub(crate) use state::GAP_MS;
pub use state::{Walk, WalkHere, WalkStatus, step};
pub use summary::{
    DogAlong, WalkFigures, WalkSummary, WalkTexts, figures, notes, summarize, texts,
};
pub(crate) use trace::off_line_m;
pub use trace::{
    LINE_TOLERANCE_M, LinePoint, WalkEvent, WalkGap, WalkNotice, WalkSegment, WalkTrace, simplify,
    simplify_where,
};
