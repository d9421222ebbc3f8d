//! Owns values that know nothing of a business: money, dates, places, ids, patches, what is wrong with a form, and how
//! each is written for people.

pub mod bounds;
pub mod checks;
pub mod csv;
pub mod date;
pub mod encoded_line;
pub mod field;
pub mod form_errors;
pub mod format;
pub mod id;
pub mod instant;
pub mod interval;
pub(crate) mod json;
pub mod miles;
pub mod money;
pub mod patch;
pub mod phone_numbers;
pub mod place;
pub mod plan;
pub mod plane;
pub mod push;
pub mod reach;
pub mod report_kind;
pub(crate) mod sort;
pub(crate) mod text;
pub mod transport;
pub mod typed_date;
pub mod typed_number;
pub mod units;
pub mod walk_event;
pub mod zone;
