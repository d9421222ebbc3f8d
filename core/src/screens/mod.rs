//! Owns what screens ask of the rows: lists, calendars, cards, and the schedule form as it is typed.

pub mod availability;
pub mod calendar;
pub mod directory;
pub mod guided_start;
pub mod limits;
pub mod messages;
pub mod offerings;
pub mod requests;
pub mod schedule;
