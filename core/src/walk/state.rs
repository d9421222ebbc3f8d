//! Owns the walk's states and what each entry does to them; a fold, so a log can be cut and gone on with anywhere.

use serde::{Deserialize, Serialize};

use super::filter::{Moved, WalkMotion};
use super::trace::{LinePoint, WalkEvent, WalkGap, WalkNotice};
use crate::Id;
use crate::values::place::Place;
use crate::values::plane::{distance_m, quantized};
use crate::values::walk_event::{EMERGENCY_EVENT, WalkEventKind};
use crate::walk::entry::{Entry, Fix};

/// A position that may be further off than this says nothing of a walk.
const MAX_ACCURACY_M: f64 = 50.0;
/// Longer without a believed fix is a gap.
const GAP_MS: i64 = 60_000;
/// A position this much ahead of the phone's clock is wrong; taking it would turn away all that follow.
const MAX_AHEAD_MS: i64 = 10_000;
/// A position this much older than the start was kept by the phone from before.
const MAX_BEFORE_START_MS: i64 = 5_000;

/// Where an active walk stands (SPEC 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum WalkStatus {
    /// Not begun.
    #[default]
    Ready,
    /// Tracking.
    Running,
    /// Not tracking, by the walker's wish.
    Paused,
    /// Not tracking: help is needed.
    Emergency,
    /// Over.
    Ended,
}

/// A walk at one moment: small, whatever its length, and all that is needed to go on with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Walk {
    /// Running, paused, over.
    pub status: WalkStatus,
    /// When it began, in milliseconds since 1970.
    pub started_at: i64,
    /// When the status began.
    pub since: i64,
    /// Milliseconds spent running before `since`.
    pub ran_ms: i64,
    /// Meters that were recorded; never less than 0, never with a gap's in it.
    pub distance_m: f64,
    /// Milliseconds in which those meters were walked.
    pub moving_ms: i64,
    /// Meters straight across the gaps, for 'at least'; not in `distance_m`.
    pub bridged_m: f64,
    /// Milliseconds without positions while running.
    pub gap_ms: i64,
    /// Gaps.
    pub n_gaps: u32,
    /// Fixes that were believed.
    pub n_fixes: u32,
    /// The time of the last fix, believed or not; an earlier one is out of order.
    pub last_fix_at: Option<i64>,
    /// The last known place, and its time and accuracy in meters.
    pub here: Option<WalkHere>,
    /// The filter of this segment; none between segments.
    pub motion: Option<WalkMotion>,
    /// Between two segments of one stretch of running; else a new segment follows a pause.
    pub interrupted: bool,
    /// The event of the emergency that goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emergency: Option<Id>,
    /// That emergency began in a pause, which goes on where it is called off.
    #[serde(skip)]
    pub was_paused: bool,
}

/// The last known place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WalkHere {
    /// Where, after the filter.
    pub place: Place,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// Radius of uncertainty in meters; 0 where it is not known.
    pub accuracy_m: f64,
}

/// Takes one entry, or gives `None` and leaves the walk as it was.
///
/// `now` only turns away what claims to come from the future; a stored entry is replayed with its own time.
pub fn step(walk: &mut Walk, entry: &Entry, now: i64) -> Option<Vec<WalkNotice>> {
    match entry {
        Entry::Fix(fix) => return walk.fix(fix, now),
        Entry::Started { at } if walk.status == WalkStatus::Ready => {
            walk.started_at = *at;
            walk.enter(WalkStatus::Running, *at);
        }
        _ if walk.status == WalkStatus::Ready => return None,
        Entry::Started { .. } => return None,
        Entry::Paused { at } if walk.status == WalkStatus::Running => {
            walk.enter(WalkStatus::Paused, *at)
        }
        Entry::Resumed { at } if matches!(walk.status, WalkStatus::Paused | WalkStatus::Ended) => {
            walk.enter(WalkStatus::Running, *at);
        }
        Entry::Interrupted { .. }
            if walk.status == WalkStatus::Running && walk.motion.is_some() =>
        {
            walk.motion = None;
            walk.interrupted = true;
        }
        Entry::Event { at, id, kind, note } if walk.status != WalkStatus::Ended => {
            return Some(vec![WalkNotice::Event(walk.event(*at, *id, *kind, note))]);
        }
        Entry::EventDogs { id, dog_ids, .. } => {
            let (id, dog_ids) = (*id, dog_ids.clone());
            return Some(vec![WalkNotice::EventDogs { id, dog_ids }]);
        }
        Entry::EventRemoved { id, .. } => return Some(vec![WalkNotice::EventRemoved { id: *id }]),
        Entry::Emergency { at, id }
            if matches!(walk.status, WalkStatus::Running | WalkStatus::Paused) =>
        {
            let event = walk.event(*at, *id, WalkEventKind::Note, EMERGENCY_EVENT);
            walk.was_paused = walk.status == WalkStatus::Paused;
            walk.enter(WalkStatus::Emergency, *at);
            walk.emergency = Some(*id);
            return Some(vec![WalkNotice::Event(event)]);
        }
        Entry::EmergencyCancelled { at } if walk.status == WalkStatus::Emergency => {
            let before = if walk.was_paused {
                WalkStatus::Paused
            } else {
                WalkStatus::Running
            };
            walk.enter(before, *at);
            // What was called off did not happen, and is no note of the walk.
            let event = walk.emergency.take();
            return Some(Vec::from_iter(
                event.map(|id| WalkNotice::EventRemoved { id }),
            ));
        }
        Entry::Ended { at } if walk.status != WalkStatus::Ended => {
            walk.enter(WalkStatus::Ended, *at);
        }
        _ => return None,
    }
    Some(Vec::new())
}

impl Walk {
    /// Milliseconds that the walk has run until `now`, pauses left out.
    pub fn ran_until(&self, now: i64) -> i64 {
        let running = if self.status == WalkStatus::Running {
            (now - self.since).max(0)
        } else {
            0
        };
        self.ran_ms + running
    }

    /// When it ended, or `now` while it goes on.
    pub fn until(&self, now: i64) -> i64 {
        if self.status == WalkStatus::Ended {
            self.since
        } else {
            now
        }
    }

    /// Whether the walker stands, as far as the last fix tells.
    pub fn is_resting(&self) -> bool {
        self.motion.as_ref().is_none_or(WalkMotion::is_resting)
    }

    fn enter(&mut self, status: WalkStatus, at: i64) {
        // An end is never before the last fix that it covers, and no status before the one that it follows.
        let at = at.max(self.since);
        self.ran_ms = self.ran_until(at);
        self.status = status;
        self.since = at;
        self.motion = None;
        self.interrupted = false;
    }

    fn event(&self, at: i64, id: Id, kind: WalkEventKind, note: &str) -> WalkEvent {
        let known = self.here.as_ref().filter(|it| at - it.at <= GAP_MS);
        WalkEvent {
            id,
            kind,
            timestamp: at,
            location: known.map(|it| it.place),
            note: note.to_owned(),
            dog_ids: Vec::new(),
        }
    }

    fn fix(&mut self, fix: &Fix, now: i64) -> Option<Vec<WalkNotice>> {
        let fits = self.status == WalkStatus::Running
            && fix.accuracy_m() <= MAX_ACCURACY_M
            && fix.at <= now + MAX_AHEAD_MS
            && fix.at >= self.started_at - MAX_BEFORE_START_MS
            && self.last_fix_at.is_none_or(|last| last < fix.at);
        if !fits {
            return None;
        }
        self.last_fix_at = Some(fix.at);
        let moved = match self.motion.as_mut() {
            Some(motion) if fix.at - motion.at() <= GAP_MS => motion.take(fix),
            Some(_) => Moved::Lost,
            None => return Some(self.begin_segment(fix, self.interrupted)),
        };
        match moved {
            Moved::Rejected => Some(Vec::new()),
            Moved::Lost => Some(self.begin_segment(fix, true)),
            Moved::Stayed => {
                self.believe(fix);
                Some(Vec::new())
            }
            Moved::Advanced { distance_m, ms } => {
                self.distance_m = quantized(self.distance_m + distance_m);
                self.moving_ms += ms;
                let place = self.believe(fix);
                Some(vec![WalkNotice::Point(LinePoint { place, at: fix.at })])
            }
        }
    }

    fn begin_segment(&mut self, fix: &Fix, interrupted: bool) -> Vec<WalkNotice> {
        let to = LinePoint {
            place: fix.place,
            at: fix.at,
        };
        let from = self.here.as_ref().map(|it| LinePoint {
            place: it.place,
            at: it.at,
        });
        let gap = from
            .filter(|_| interrupted)
            .map(|from| WalkGap { from, to });
        if let Some(gap) = gap {
            self.n_gaps += 1;
            self.gap_ms += gap.to.at - gap.from.at;
            self.bridged_m = quantized(self.bridged_m + distance_m(gap.from.place, gap.to.place));
        }
        self.motion = Some(WalkMotion::new(fix));
        self.interrupted = false;
        self.believe(fix);
        vec![WalkNotice::Segment { gap }, WalkNotice::Point(to)]
    }

    fn believe(&mut self, fix: &Fix) -> Place {
        self.n_fixes += 1;
        let place = self.motion.as_ref().map_or(fix.place, WalkMotion::place);
        self.here = Some(WalkHere {
            place,
            at: fix.at,
            accuracy_m: fix.accuracy_m(),
        });
        place
    }
}
