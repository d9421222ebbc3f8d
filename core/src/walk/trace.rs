//! Owns the trace of a walk: its lines, the gaps between them, its events, and fewer points for what is drawn small or kept
//! long.

use serde::{Deserialize, Serialize};

use crate::Id;
use crate::values::place::Place;
use crate::values::plane::{Scale, length};
use crate::values::walk_event::WalkEventKind;

/// A point may lie this far from the simplified line; about the jitter that the filter leaves.
pub const LINE_TOLERANCE_M: f64 = 8.0;

/// A point of the line to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct LinePoint {
    /// The filtered place.
    pub place: Place,
    /// Its time in milliseconds since 1970.
    pub at: i64,
}

/// A time in which the walk went on and nobody saw where; drawn dashed, never counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WalkGap {
    /// The last known point.
    pub from: LinePoint,
    /// The first known point after it.
    pub to: LinePoint,
}

/// An event of the walk (SPEC 3, Walk event).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WalkEvent {
    /// Made by the phone; a photo is kept under it.
    pub id: Id,
    /// Kind of the event.
    #[serde(rename = "type")]
    pub kind: WalkEventKind,
    /// When, in milliseconds since 1970.
    pub timestamp: i64,
    /// Place of the event, if the phone knew it within the last minute.
    pub location: Option<Place>,
    /// Note in words; may be empty.
    pub note: String,
    /// Ids of the dogs; none stands for all that are along.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dog_ids: Vec<Id>,
    /// Time at which an emergency was called off, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_at: Option<i64>,
}

/// Change that a step makes to a trace.
#[derive(Clone, Debug, PartialEq)]
pub enum WalkNotice {
    /// A new line begins; with a gap where the recording was interrupted, without after a pause.
    Segment {
        /// Gap between it and the line before.
        gap: Option<WalkGap>,
    },
    /// The line goes on to here.
    Point(LinePoint),
    /// An event was logged, or its note was written anew.
    Event(WalkEvent),
    /// An event was assigned to these dogs.
    EventDogs {
        /// Id of the event.
        id: Id,
        /// The dogs; none stands for all that are along.
        dog_ids: Vec<Id>,
    },
    /// The emergency is over.
    EmergencyOver {
        /// Id of the emergency's event.
        id: Id,
        /// Milliseconds since 1970.
        at: i64,
    },
    /// An event was removed from the walk.
    EventRemoved {
        /// Id of the event.
        id: Id,
    },
}

/// One unbroken line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WalkSegment {
    /// Gap between the segment before and this one, if it follows an interruption and not a pause.
    pub gap: Option<WalkGap>,
    /// At least one.
    pub points: Vec<LinePoint>,
}

/// Lines and events of a walk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WalkTrace {
    /// Lines in order of time.
    pub segments: Vec<WalkSegment>,
    /// Events in order of time.
    pub events: Vec<WalkEvent>,
}

impl WalkTrace {
    /// Changes what a step told.
    pub fn apply(&mut self, notice: WalkNotice) {
        match notice {
            WalkNotice::Segment { gap } => self.segments.push(WalkSegment {
                gap,
                points: Vec::new(),
            }),
            WalkNotice::Point(point) => {
                if let Some(segment) = self.segments.last_mut() {
                    segment.points.push(point);
                }
            }
            WalkNotice::Event(event) => {
                // An event that is told again has new words or is told more exactly; when and where it was stays.
                match self.events.iter_mut().find(|it| it.id == event.id) {
                    Some(told) => (told.kind, told.note) = (event.kind, event.note),
                    None => self.events.push(event),
                }
            }
            WalkNotice::EventDogs { id, dog_ids } => {
                if let Some(told) = self.events.iter_mut().find(|it| it.id == id) {
                    told.dog_ids = dog_ids;
                }
            }
            WalkNotice::EmergencyOver { id, at } => {
                if let Some(told) = self.events.iter_mut().find(|it| it.id == id) {
                    told.over_at = Some(at);
                }
            }
            WalkNotice::EventRemoved { id } => self.events.retain(|it| it.id != id),
        }
    }
}

/// The line with as few points as keep it within `tolerance_m` (Ramer-Douglas-Peucker); ends stay.
pub fn simplify(points: &[LinePoint], tolerance_m: f64) -> Vec<LinePoint> {
    simplify_where(points, tolerance_m, |_, _| true)
}

/// The same with as many points more as it takes to make each stretch one that is allowed, or one of the whole line.
pub fn simplify_where(
    points: &[LinePoint],
    tolerance_m: f64,
    is_allowed: impl Fn(Place, Place) -> bool,
) -> Vec<LinePoint> {
    let Some(last) = points.len().checked_sub(1) else {
        return Vec::new();
    };
    let mut is_kept = vec![false; points.len()];
    let mut open = vec![(0, last)];
    // A stack and not recursion: a straight hour of walking must not exhaust a phone's.
    while let Some((first, last)) = open.pop() {
        for it in [first, last] {
            if let Some(is_kept) = is_kept.get_mut(it) {
                *is_kept = true;
            }
        }
        let farthest = (first + 1..last)
            .filter_map(|it| {
                Some((
                    it,
                    off_line_m(
                        points.get(first)?.place,
                        points.get(last)?.place,
                        points.get(it)?.place,
                    ),
                ))
            })
            .fold(
                (0, tolerance_m),
                |most, it| if it.1 > most.1 { it } else { most },
            );
        let is_stretch_allowed = || match (points.get(first), points.get(last)) {
            (Some(from), Some(to)) => is_allowed(from.place, to.place),
            _ => true,
        };
        let middle = first.midpoint(last);
        let split = if farthest.0 > 0 {
            farthest.0
        } else if first < middle && !is_stretch_allowed() {
            middle
        } else {
            continue;
        };
        open.push((first, split));
        open.push((split, last));
    }
    points
        .iter()
        .zip(is_kept)
        .filter_map(|(point, is_kept)| is_kept.then_some(*point))
        .collect()
}

/// Meters from `place` to the stretch between `from` and `to`.
pub(crate) fn off_line_m(from: Place, to: Place, place: Place) -> f64 {
    let scale = Scale::at(f64::from(from.lat_e7));
    let (to_x, to_y) = scale.to_plane(from, to);
    let (x, y) = scale.to_plane(from, place);
    let square = to_x * to_x + to_y * to_y;
    let along = if square > 0.0 {
        ((x * to_x + y * to_y) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    length(x - along * to_x, y - along * to_y)
}
