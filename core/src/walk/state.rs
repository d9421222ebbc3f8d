//! Owns the walk's states and what each entry does to them; a fold, so a log can be cut and gone on with anywhere.

use serde::{Deserialize, Serialize};

use super::filter::{Moved, WalkMotion};
use super::trace::{LinePoint, WalkEvent, WalkGap, WalkNotice};
use crate::Id;
use crate::values::place::Place;
use crate::values::plane::{distance_m, quantized};
use crate::values::report_kind::ReportKind;
use crate::values::walk_event::{EMERGENCY_EVENT, WalkEventKind};
use crate::walk::entry::{Entry, Fix};

/// How long an emergency can be taken back as a slip of the thumb.
pub const SLIP_MS: i64 = 60_000;

/// A position that may be further off than this says nothing of a walk.
const MAX_ACCURACY_M: f64 = 50.0;
/// Longer without a believed fix is a gap, unless the log sets another limit.
pub(crate) const GAP_MS: i64 = 60_000;
/// The longest silence that a log may allow itself, in milliseconds.
const MAX_GAP_LIMIT_MS: u32 = 15 * 60_000;
/// Between fixes that are further apart, in milliseconds, a walker takes corners that the line cuts: at 30 seconds 6 percent
/// of the real walks' length is lost, at 45 seconds 9 and more.
const SPARSE_MS: i64 = 25_000;
/// With more than this share of the distance between such fixes, it is a lower bound.
const SPARSE_SHARE: f64 = 0.25;
/// Distance is counted from places some meters apart, so each stop hides some meters around it: nothing of a usual walk, but
/// 5 to 40 percent of a stroll with a stop every 30 meters. With fewer meters to a stop than this, the distance is a lower
/// bound,
const STROLL_M: f64 = 45.0;
/// and with fewer than this where one is slow between the stops, too, in meters a second.
const SLOW_STROLL_M: f64 = 120.0;
const SLOW_M_S: f64 = 0.9;
/// A position this much ahead of the phone's clock is wrong; taking it would turn away all that follow.
const MAX_AHEAD_MS: i64 = 10_000;
/// A position this much older than the start was kept by the phone from before.
const MAX_BEFORE_START_MS: i64 = 5_000;

/// Status of an active walk (SPEC 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum WalkStatus {
    /// The walk has not begun.
    #[default]
    Ready,
    /// Tracking goes on.
    Running,
    /// Not tracking, by the walker's wish.
    Paused,
    /// Not tracking: help is needed.
    Emergency,
    /// The walk is over.
    Ended,
}

/// A walk at one moment: small, whatever its length, and all that is needed to go on with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Walk {
    /// Running, paused, over.
    pub status: WalkStatus,
    /// Start of the walk, in milliseconds since 1970.
    pub started_at: i64,
    /// Start of the status, in milliseconds since 1970.
    pub since: i64,
    /// Milliseconds spent running before `since`.
    pub ran_ms: i64,
    /// Meters that were recorded; never less than 0, never with a gap's in it.
    pub distance_m: f64,
    /// Milliseconds in which those meters were walked.
    pub moving_ms: i64,
    /// Number of times that the walker went on after standing, the beginning included.
    pub n_stops: u32,
    /// Part of `distance_m` that was walked between fixes more than 25 seconds apart.
    pub sparse_m: f64,
    /// Meters straight across the gaps, for 'at least'; not in `distance_m`.
    pub bridged_m: f64,
    /// Milliseconds without positions while running.
    pub gap_ms: i64,
    /// Number of those gaps.
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
    /// The longest silence that is no gap, where the log sets one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap_limit_ms: Option<u32>,
    /// Occasion of the log.
    #[serde(skip)]
    pub kind: ReportKind,
    /// The sitter's wish, where one was said, on whether positions are taken.
    #[serde(skip)]
    pub positions: Option<bool>,
    /// That emergency began in a pause, which goes on where it is called off.
    #[serde(skip)]
    pub was_paused: bool,
}

/// The last known place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WalkHere {
    /// The place, after the filter.
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
            // A slip is no note of the walk.
            let event = walk.leave_emergency(*at);
            return Some(Vec::from_iter(
                event.map(|id| WalkNotice::EventRemoved { id }),
            ));
        }
        Entry::EmergencyOver { at } if walk.status == WalkStatus::Emergency => {
            let event = walk.leave_emergency(*at);
            return Some(Vec::from_iter(
                event.map(|id| WalkNotice::EmergencyOver { id, at: *at }),
            ));
        }
        Entry::Ended { at } if walk.status != WalkStatus::Ended => {
            walk.enter(WalkStatus::Ended, *at);
        }
        Entry::GapLimit { limit_ms, .. } => walk.gap_limit_ms = Some(*limit_ms),
        Entry::Kind { kind, .. } => walk.kind = *kind,
        Entry::Positions { taken, .. } => {
            walk.positions = Some(*taken);
            if !*taken {
                // What was known of the place is of before, and what follows it is no gap.
                walk.here = None;
                walk.motion = None;
                walk.interrupted = false;
            }
        }
        _ => return None,
    }
    Some(Vec::new())
}

impl Walk {
    /// Returns true if positions are taken: on a walk unless the walker says otherwise, else only where the sitter asks.
    ///
    /// INVARIANT: A visit takes no position unless the sitter asks for it.
    pub fn takes_positions(&self) -> bool {
        self.positions.unwrap_or(self.kind.is_walk())
    }

    /// Milliseconds that the walk has run until `now`, pauses left out.
    pub fn ran_until(&self, now: i64) -> i64 {
        let running = if self.status == WalkStatus::Running {
            (now - self.since).max(0)
        } else {
            0
        };
        self.ran_ms + running
    }

    /// Returns true if more was walked than `distance_m` tells, by more than a few percent: in gaps, between positions that
    /// came too rarely, or around the stops of a slow stroll.
    pub fn is_at_least(&self) -> bool {
        let distance_m = self.distance_m;
        self.n_gaps > 0 || self.sparse_m > SPARSE_SHARE * distance_m || self.is_stroll()
    }

    /// Returns true if one stopped so often that the distance around the stops counts.
    fn is_stroll(&self) -> bool {
        let is_slow = self.distance_m < SLOW_M_S * self.moving_ms as f64 / 1e3;
        let to_a_stop_m = if is_slow { SLOW_STROLL_M } else { STROLL_M };
        self.n_stops > 1 && self.distance_m < to_a_stop_m * f64::from(self.n_stops)
    }

    /// Returns the end of the walk, or `now` while it goes on.
    pub fn until(&self, now: i64) -> i64 {
        if self.status == WalkStatus::Ended {
            self.since
        } else {
            now
        }
    }

    /// Returns true if the emergency that goes on can still be taken back as a slip of the thumb.
    pub fn is_slip(&self, now: i64) -> bool {
        self.status == WalkStatus::Emergency && now - self.since <= SLIP_MS
    }

    /// Returns true if the walker stands, as far as the last fix tells.
    pub fn is_resting(&self) -> bool {
        self.motion.as_ref().is_none_or(WalkMotion::is_resting)
    }

    fn gap_limit_ms(&self) -> i64 {
        self.gap_limit_ms
            .map_or(GAP_MS, |it| it.min(MAX_GAP_LIMIT_MS).into())
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

    /// Goes on as before the emergency; gives its event.
    fn leave_emergency(&mut self, at: i64) -> Option<Id> {
        let before = if self.was_paused {
            WalkStatus::Paused
        } else {
            WalkStatus::Running
        };
        self.enter(before, at);
        self.emergency.take()
    }

    fn event(&self, at: i64, id: Id, kind: WalkEventKind, note: &str) -> WalkEvent {
        let limit_ms = self.gap_limit_ms();
        let known = self.here.as_ref().filter(|it| at - it.at <= limit_ms);
        WalkEvent {
            id,
            kind,
            timestamp: at,
            location: known.map(|it| it.place),
            note: note.to_owned(),
            dog_ids: Vec::new(),
            over_at: None,
        }
    }

    fn fix(&mut self, fix: &Fix, now: i64) -> Option<Vec<WalkNotice>> {
        let fits = self.status == WalkStatus::Running
            && self.takes_positions()
            && fix.accuracy_m() <= MAX_ACCURACY_M
            && fix.at <= now + MAX_AHEAD_MS
            && fix.at >= self.started_at - MAX_BEFORE_START_MS
            && self.last_fix_at.is_none_or(|last| last < fix.at);
        if !fits {
            return None;
        }
        self.last_fix_at = Some(fix.at);
        let limit_ms = self.gap_limit_ms();
        let was_resting = self.is_resting();
        let silence_ms = self.here.as_ref().map_or(0, |it| fix.at - it.at);
        let moved = match self.motion.as_mut() {
            Some(motion) if fix.at - motion.at() <= limit_ms => motion.take(fix),
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
                if silence_ms > SPARSE_MS {
                    self.sparse_m = quantized(self.sparse_m + distance_m);
                }
                self.moving_ms += ms;
                self.n_stops += u32::from(was_resting);
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
