//! Owns the part of a walk under way that a client sees on the live map: what was walked since the sitter switched it on,
//! but for the surroundings of other clients' homes.

use crate::report::compose::{TOLERANCE_M, encoded, is_near, simplified, trimmed};
use crate::rows::report::SharedLine;
use crate::rules::live_map::LiveMapUpdate;
use crate::values::bounds::{
    LIVE_MAP_AGE_SECONDS, LIVE_MAP_CHARS, LIVE_MAP_LINES, LIVE_MAP_POINTS,
};
use crate::values::place::Place;
use crate::walk::{LinePoint, Walk, WalkSegment, WalkTrace};
use crate::{Id, Instant};

/// Builds what this client is to see of a walk now; `None` while nothing of it may be sent. `hidden` are the homes of the
/// other clients; `since` is when the map was switched on, in milliseconds since 1970.
pub fn live_map_update(
    walk: &Walk,
    trace: &WalkTrace,
    (client_id, hidden): (Id, &[Place]),
    (map_id, since): (Id, i64),
    now: Instant,
) -> Option<LiveMapUpdate> {
    let walked = walked_since(trace, since);
    let shown = trimmed(&walked, hidden);
    let last_point = walked.last().and_then(|it| it.points.last());
    let here = walk.here.as_ref().map(|it| (it.place, it.at));
    let here = here.or(last_point.map(|it| (it.place, it.at)));
    let here = here.filter(|it| since <= it.1 && !is_near(hidden, it.0, it.0));
    let last_shown = shown.last().and_then(|it| it.points.last());
    let newest = last_shown.map(|it| it.at).max(here.map(|it| it.1))?;
    let age = u32::try_from((now.0 - newest).max(0) / 1000).unwrap_or(u32::MAX);
    Some(LiveMapUpdate {
        map_id,
        client_id,
        lines: lines(&shown, hidden),
        here: here.map(|it| it.0),
        age_seconds: age.min(LIVE_MAP_AGE_SECONDS),
    })
}

fn walked_since(trace: &WalkTrace, since: i64) -> Vec<WalkSegment> {
    let cut = |segment: &WalkSegment| {
        let points = segment.points.iter().filter(|it| since <= it.at);
        let points: Vec<LinePoint> = points.copied().collect();
        let gap = segment.gap.filter(|it| since <= it.from.at);
        (!points.is_empty()).then_some(WalkSegment { gap, points })
    };
    trace.segments.iter().filter_map(cut).collect()
}

/// The newest lines with as few points as their bounds allow.
fn lines(segments: &[WalkSegment], hidden: &[Place]) -> Vec<SharedLine> {
    let segments = newest(segments);
    let mut tolerance_m = TOLERANCE_M;
    loop {
        let simple = simplified(segments, tolerance_m, hidden);
        let simple = newest(&simple);
        let lines = encoded(simple);
        let n_points: usize = simple.iter().map(|it| it.points.len()).sum();
        let n_chars: usize = lines.iter().map(|it| it.points.len()).sum();
        // Two ends of each line always stay, and they are fewer than that.
        if n_points <= LIVE_MAP_POINTS && n_chars <= LIVE_MAP_CHARS {
            return lines;
        }
        tolerance_m *= 2.0;
    }
}

fn newest(segments: &[WalkSegment]) -> &[WalkSegment] {
    let first = segments.len().saturating_sub(LIVE_MAP_LINES);
    segments.get(first..).unwrap_or_default()
}
