//! Owns a walk while it is recorded, or as its log tells it: its state, its trace and the doors that one came to. Positions
//! and taps go in; bytes for the log and what there is to show come out.

use serde::Serialize;

use super::door::{DoorHome, Doors};
use super::log;
use super::state::{Walk, WalkHere, WalkStatus, step};
use super::trace::{WalkEvent, WalkGap, WalkNotice, WalkSegment, WalkTrace};
use crate::Id;
use crate::values::place::Place;
use crate::values::plane::Scale;
use crate::values::report_kind::ReportKind;
use crate::walk::entry::{Entry, WalkInput};

/// Two points of the line that are further apart in time tell no direction of now.
const MAX_HEADING_MS: i64 = 30_000;

/// A walk with its trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    walk: Walk,
    trace: WalkTrace,
    doors: Doors,
    /// Homes of the clients whose dogs are along; none before they were set.
    homes: Option<Vec<DoorHome>>,
    changed: Changed,
}

/// Parts that changed since they were last asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Changed {
    lines: bool,
    events: bool,
    doors: bool,
}

impl Changed {
    const ALL: Self = Self {
        lines: true,
        events: true,
        doors: true,
    };
}

/// State of a walk, for its screens.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WalkState {
    /// Running, paused, over.
    pub status: WalkStatus,
    /// Start of the walk, in milliseconds since 1970.
    pub started_at: i64,
    /// Start of the status, in milliseconds since 1970.
    pub since: i64,
    /// Occasion of the log.
    pub kind: ReportKind,
    /// True if positions are taken while it runs.
    pub takes_positions: bool,
    /// The last time at which something was recorded, in milliseconds since 1970: a status, a fix or an event.
    pub last_at: i64,
    /// The time of the last fix, believed or not, in milliseconds since 1970.
    pub last_fix_at: Option<i64>,
    /// The last known place.
    pub here: Option<WalkHere>,
    /// Direction in which the walker is heading, in degrees from the north, clockwise; none for one who stands.
    pub heading: Option<u16>,
    /// Meters straight across the gaps, for 'at least'.
    pub bridged_m: f64,
    /// Gaps between its lines, in which nothing was recorded.
    pub gaps: Vec<WalkGap>,
}

/// Events and doors of a walk; a part that is absent has not changed since it was last asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WalkChange {
    /// All events, in order of time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<WalkEvent>>,
    /// Clients to whose door the walker has come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doors: Option<Vec<Id>>,
}

/// The walk that a log tells, with its trace.
pub fn replay<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> (Walk, WalkTrace) {
    let mut walk = Walk::default();
    let mut trace = WalkTrace::default();
    for entry in entries {
        for notice in step(&mut walk, entry, entry.at()).unwrap_or_default() {
            trace.apply(notice);
        }
    }
    (walk, trace)
}

impl Recording {
    /// The walk that a log tells; all of it is to be shown.
    pub fn replay<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Self {
        let (walk, trace) = replay(entries);
        Self {
            walk,
            trace,
            changed: Changed::ALL,
            ..Self::default()
        }
    }

    /// Returns the state of the walk.
    pub fn walk(&self) -> &Walk {
        &self.walk
    }

    /// Returns the lines and events of the walk.
    pub fn trace(&self) -> &WalkTrace {
        &self.trace
    }

    /// Takes inputs in order at `now`, in milliseconds since 1970. Gives what to append to the log before anything is shown;
    /// empty when nothing was taken: what is too vague, repeated, out of order or does not fit the status is dropped.
    pub fn take(&mut self, inputs: Vec<WalkInput>, now: i64) -> Vec<u8> {
        let mut bytes = Vec::new();
        for input in inputs {
            // An emergency that went on for longer was no slip of the thumb.
            let input = match input {
                WalkInput::CancelEmergency if !self.walk.is_slip(now) => WalkInput::EndEmergency,
                input => input,
            };
            let Some(entry) = input.into_entry(now) else {
                continue;
            };
            let Some(notices) = step(&mut self.walk, &entry, now) else {
                continue;
            };
            log::encode(&entry, &mut bytes);
            notices.into_iter().for_each(|it| self.show(it));
            if let (Entry::Fix(_), Some(here)) = (&entry, &self.walk.here) {
                self.come_to(here.place);
            }
        }
        bytes
    }

    fn show(&mut self, notice: WalkNotice) {
        match &notice {
            WalkNotice::Segment { .. } | WalkNotice::Point(_) => self.changed.lines = true,
            WalkNotice::Event(_)
            | WalkNotice::EventDogs { .. }
            | WalkNotice::EmergencyOver { .. }
            | WalkNotice::EventRemoved { .. } => self.changed.events = true,
        }
        self.trace.apply(notice);
    }

    /// Says where those live whose dogs are along. What was walked before that was first said counts too, so that one who
    /// goes on after a kill has been away from a door.
    pub fn set_homes(&mut self, homes: Vec<DoorHome>) {
        let is_first = self.homes.is_none();
        self.homes = Some(homes);
        if is_first {
            let points = self.trace.segments.iter().flat_map(|it| &it.points);
            let way: Vec<Place> = points.map(|it| it.place).collect();
            way.into_iter().for_each(|it| self.come_to(it));
        }
    }

    fn come_to(&mut self, place: Place) {
        let homes = self.homes.as_deref().unwrap_or_default();
        self.changed.doors |= self.doors.step(place, homes);
    }

    /// Hides a client's door until the walker comes to it again.
    pub fn leave_door(&mut self, client_id: Id) {
        self.doors.at.retain(|it| *it != client_id);
        self.changed.doors = true;
    }

    /// Returns the state of the walk, for its screens.
    pub fn state(&self) -> WalkState {
        let Walk {
            status,
            started_at,
            since,
            kind,
            last_fix_at,
            ref here,
            bridged_m,
            ..
        } = self.walk;
        let told = self.trace.events.iter().map(|it| it.timestamp);
        let last_at = told.chain(last_fix_at).fold(since, i64::max);
        WalkState {
            status,
            started_at,
            since,
            kind,
            takes_positions: self.walk.takes_positions(),
            last_at,
            last_fix_at,
            here: here.clone(),
            heading: self.heading(),
            bridged_m,
            gaps: self.trace.segments.iter().filter_map(|it| it.gap).collect(),
        }
    }

    /// Computes the heading from the last two points of the line; `None` for one who stands: what a phone reports then
    /// is noise.
    fn heading(&self) -> Option<u16> {
        let walk = &self.walk;
        let [.., from, to] = self.trace.segments.last()?.points.as_slice() else {
            return None;
        };
        let is_fresh = walk
            .last_fix_at
            .is_some_and(|at| at - from.at <= MAX_HEADING_MS);
        if walk.status != WalkStatus::Running || walk.is_resting() || !is_fresh {
            return None;
        }
        let scale = Scale::at(f64::from(from.place.lat_e7));
        let (east, north) = scale.to_plane(from.place, to.place);
        let degrees = libm::atan2(east, north).to_degrees().round() as i32;
        u16::try_from(degrees.rem_euclid(360)).ok()
    }

    /// Returns the lines of the walk, unless they have not changed since the last call.
    pub fn changed_segments(&mut self) -> Option<&[WalkSegment]> {
        std::mem::take(&mut self.changed.lines).then_some(&self.trace.segments)
    }

    /// Returns the events and doors of the walk that have changed since the last call.
    pub fn changes(&mut self) -> WalkChange {
        let events = std::mem::take(&mut self.changed.events);
        let doors = std::mem::take(&mut self.changed.doors);
        WalkChange {
            events: events.then(|| self.trace.events.clone()),
            doors: doors.then(|| self.doors.at.clone()),
        }
    }
}
