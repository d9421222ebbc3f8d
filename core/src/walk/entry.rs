//! Owns what goes into a walk: positions, taps and the marks around them, in the precision in which they are stored.

use serde::{Deserialize, Serialize};

use crate::Id;
use crate::values::bounds::{NOTES, PETS};
use crate::values::place::Place;
use crate::values::report_kind::ReportKind;
use crate::values::walk_event::WalkEventKind;

/// The longest note of an event that is kept, in bytes of UTF-8; what is longer is cut at a character.
pub(super) const MAX_NOTE_BYTES: usize = 4 * NOTES;

/// A position as the phone gave it, in stored precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// The position's own time, in milliseconds since 1970.
    pub at: i64,
    /// Place as the phone reported it, not filtered.
    pub place: Place,
    /// Radius of uncertainty in decimeters; 0 where it is not known.
    pub accuracy_dm: u16,
    /// Height in decimeters, -3276.8 m to 3276.7 m, where it is known.
    pub altitude_dm: Option<i16>,
}

impl Fix {
    /// The radius of uncertainty in meters; 0 where it is not known.
    pub fn accuracy_m(&self) -> f64 {
        f64::from(self.accuracy_dm) / 10.0
    }
}

/// One line of a walk's log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case")]
pub enum Entry {
    /// The walk begins; always the first.
    Started {
        /// Milliseconds since 1970.
        at: i64,
    },
    /// The phone was here.
    Fix(Fix),
    /// Tracking pauses, by the walker's wish.
    Paused {
        /// Milliseconds since 1970.
        at: i64,
    },
    /// Tracking goes on, after a pause or after an end that was none.
    Resumed {
        /// Milliseconds since 1970.
        at: i64,
    },
    /// The recording was interrupted: the next fix begins a new segment however soon it comes.
    Interrupted {
        /// Milliseconds since 1970.
        at: i64,
    },
    /// An event was logged.
    Event {
        /// Milliseconds since 1970.
        at: i64,
        /// The event's id.
        id: Id,
        /// Kind of the event.
        kind: WalkEventKind,
        /// Note in words; may be empty.
        note: String,
    },
    /// An event was assigned to dogs, after it was logged.
    EventDogs {
        /// Milliseconds since 1970.
        at: i64,
        /// Id of the event.
        id: Id,
        /// The dogs; none stands for all that are along.
        dog_ids: Vec<Id>,
    },
    /// An event was a slip of the thumb, or its note was written anew.
    EventRemoved {
        /// Milliseconds since 1970.
        at: i64,
        /// Id of the event.
        id: Id,
    },
    /// Emergency mode: tracking stops.
    Emergency {
        /// Milliseconds since 1970.
        at: i64,
        /// The id of the event that it logs.
        id: Id,
    },
    /// The emergency was none: its event is taken out, and tracking goes on.
    EmergencyCancelled {
        /// Milliseconds since 1970.
        at: i64,
    },
    /// The emergency is over; its event stays, and tracking goes on.
    EmergencyOver {
        /// Milliseconds since 1970.
        at: i64,
    },
    /// The walk is over.
    Ended {
        /// Milliseconds since 1970.
        at: i64,
    },
    /// The recorder took positions more rarely than a phone does: only a silence longer than this is a gap.
    GapLimit {
        /// Milliseconds since 1970.
        at: i64,
        /// The longest silence that is no gap, in milliseconds.
        limit_ms: u32,
    },
    /// Occasion of the log, which is a walk unless this says otherwise.
    Kind {
        /// Milliseconds since 1970.
        at: i64,
        /// The kind of occasion.
        kind: ReportKind,
    },
    /// From now on positions are taken, or are not.
    Positions {
        /// Milliseconds since 1970.
        at: i64,
        /// True if they are taken.
        taken: bool,
    },
}

impl Entry {
    /// Returns the time of the entry, in milliseconds since 1970.
    pub fn at(&self) -> i64 {
        match self {
            Self::Fix(fix) => fix.at,
            Self::Started { at }
            | Self::Paused { at }
            | Self::Resumed { at }
            | Self::Interrupted { at }
            | Self::Event { at, .. }
            | Self::EventDogs { at, .. }
            | Self::EventRemoved { at, .. }
            | Self::Emergency { at, .. }
            | Self::EmergencyCancelled { at }
            | Self::EmergencyOver { at }
            | Self::Ended { at }
            | Self::GapLimit { at, .. }
            | Self::Kind { at, .. }
            | Self::Positions { at, .. } => *at,
        }
    }
}

/// Input from the phone, in the units of its browser.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(tag = "input", rename_all = "snake_case")]
pub enum WalkInput {
    /// A position from `navigator.geolocation`.
    Position {
        /// The position's own time, milliseconds since 1970; may have a fraction.
        at: f64,
        /// Latitude in degrees, WGS 84.
        lat: f64,
        /// Longitude in degrees, WGS 84.
        lon: f64,
        /// Radius of uncertainty in meters.
        accuracy: f64,
        /// Meters, where it is known.
        altitude: Option<f64>,
    },
    /// The walker starts the walk.
    Start,
    /// The log is of this occasion; without it, of a walk.
    Kind {
        /// The kind of occasion.
        kind: ReportKind,
    },
    /// The sitter asks for positions to be taken, or no longer.
    Positions {
        /// True if they are taken from now on.
        taken: bool,
    },
    /// The walker pauses the walk.
    Pause,
    /// The walker resumes the walk.
    Resume,
    /// The app was not there for a while.
    Interrupt,
    /// The walker logs an event.
    Event {
        /// The event's id, made by the phone.
        id: Id,
        /// Kind of the event.
        kind: WalkEventKind,
        /// Note in words; may be empty.
        note: String,
    },
    /// Assigns an event to dogs.
    EventDogs {
        /// Id of the event.
        id: Id,
        /// The dogs; none stands for all that are along.
        dog_ids: Vec<Id>,
    },
    /// Takes an event back.
    RemoveEvent {
        /// Id of the event.
        id: Id,
    },
    /// Emergency mode begins: tracking stops.
    Emergency {
        /// The id of the event that it logs, made by the phone.
        id: Id,
    },
    /// The emergency was a slip of the thumb; after a minute it counts as over.
    CancelEmergency,
    /// The emergency is over.
    EndEmergency,
    /// The walker ends the walk.
    End {
        /// Time at which it really ended, if that was earlier than now; milliseconds since 1970.
        at: Option<f64>,
    },
}

impl WalkInput {
    /// The log's line for it at `now`, or `None` for a position that is none.
    pub fn into_entry(self, now: i64) -> Option<Entry> {
        Some(match self {
            Self::Position {
                at,
                lat,
                lon,
                accuracy,
                altitude,
            } => Entry::Fix(Fix {
                at: at.is_finite().then(|| rounded_i64(at))?,
                place: Place::from_degrees(lat, lon)?,
                // A phone that does not say how exact it is, or says nonsense, is not believed to be exact.
                accuracy_dm: if accuracy.is_finite() && accuracy > 0.0 {
                    decimeters(accuracy)
                } else {
                    u16::MAX
                },
                altitude_dm: altitude.and_then(altitude_dm),
            }),
            Self::Start => Entry::Started { at: now },
            Self::Kind { kind } => Entry::Kind { at: now, kind },
            Self::Positions { taken } => Entry::Positions { at: now, taken },
            Self::Pause => Entry::Paused { at: now },
            Self::Resume => Entry::Resumed { at: now },
            Self::Interrupt => Entry::Interrupted { at: now },
            Self::Event { id, kind, mut note } => {
                note.truncate(note.floor_char_boundary(MAX_NOTE_BYTES));
                Entry::Event {
                    at: now,
                    id,
                    kind,
                    note,
                }
            }
            Self::EventDogs { id, mut dog_ids } => {
                dog_ids.truncate(PETS);
                Entry::EventDogs {
                    at: now,
                    id,
                    dog_ids,
                }
            }
            Self::RemoveEvent { id } => Entry::EventRemoved { at: now, id },
            Self::Emergency { id } => Entry::Emergency { at: now, id },
            Self::CancelEmergency => Entry::EmergencyCancelled { at: now },
            Self::EndEmergency => Entry::EmergencyOver { at: now },
            Self::End { at } => Entry::Ended {
                at: at.map_or(now, rounded_i64).min(now),
            },
        })
    }
}

/// Meters as stored decimeters, at least 1 so that it is not 'not known', at most 6.5 km.
pub(crate) fn decimeters(meters: f64) -> u16 {
    (meters * 10.0).round().clamp(1.0, f64::from(u16::MAX)) as u16
}

/// Height in stored decimeters, or `None` for what does not fit.
pub(crate) fn altitude_dm(meters: f64) -> Option<i16> {
    let decimeters = (meters * 10.0).round();
    let fits = (f64::from(i16::MIN)..=f64::from(i16::MAX)).contains(&decimeters);
    fits.then_some(decimeters as i16)
}

fn rounded_i64(number: f64) -> i64 {
    number.round() as i64
}
