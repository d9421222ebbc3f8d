//! Owns how a tracked walk becomes a shared one: on the phone, with what the sitter chose to share and nothing more.

use serde::{Deserialize, Serialize};

use crate::rows::report::{SharedEvent, SharedLine, SharedWalk};
use crate::rules::report::REPORT_HOME_M;
use crate::values::bounds::{REPORT_LINES, REPORT_POINTS};
use crate::values::encoded_line;
use crate::values::place::Place;
use crate::values::plane::distance_m;
use crate::values::walk_event::WalkEventKind;
use crate::walk::{Walk, WalkSegment, WalkTrace, off_line_m, simplify_where};
use crate::{Id, Instant};

/// A point may lie this far from the shared line at first: at the map's closest look that is the line's own width.
pub(super) const TOLERANCE_M: f64 = 3.0;

/// With a tolerance above it a line is cut where it would come near a home, and takes no more points to go around it.
const MOST_TOLERANCE_M: f64 = 200.0;

/// Meters by which a line may be drawn nearer to a home than it is: places are sent with six decimals.
const DRAWN_OFF_M: f64 = 1.0;

/// A stretch is straight on the map and not on the ground: apart by its square by this at most, up to 68 degrees north.
const BOW_M: f64 = 2e7;

/// Choices of the sitter on what a report shares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ReportChoices {
    /// True if the map is in the report; without it no position leaves the phone.
    pub show_map: bool,
    /// True if the map also shows the surroundings of homes: all who have the report's link then see where they are.
    #[serde(default)]
    pub show_homes: bool,
    /// Homes of the clients whose dogs were along.
    #[serde(default)]
    pub homes: Vec<Place>,
    /// A home is not known: the walk's ends are taken for it.
    #[serde(default)]
    pub has_unknown_home: bool,
    /// Audience of each event; an event that is not listed is not shared.
    pub events: Vec<ReportEventChoice>,
}

/// Audience of one event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct ReportEventChoice {
    /// Id of the event.
    pub id: Id,
    /// Id under which its photo is uploaded.
    #[serde(default)]
    pub photo: Option<Id>,
    /// Ids of the clients whose reports show it; without any, it is not shared.
    pub client_ids: Vec<Id>,
}

/// The ended walk as it is shared.
pub fn of_walk(walk: &Walk, trace: &WalkTrace, choices: &ReportChoices) -> SharedWalk {
    let hidden = hidden_places(trace, choices);
    SharedWalk {
        started_at: Instant(walk.started_at),
        ended_at: Instant(walk.until(walk.since)),
        ran_seconds: seconds(walk.ran_ms),
        distance_m: meters(walk.distance_m),
        bridged_m: meters(walk.bridged_m),
        gap_seconds: seconds(walk.gap_ms),
        is_at_least: walk.is_at_least(),
        lines: if choices.show_map {
            lines(&trimmed(&trace.segments, &hidden), &hidden)
        } else {
            Vec::new()
        },
        events: events(trace, choices, &hidden),
    }
}

fn events(trace: &WalkTrace, choices: &ReportChoices, hidden: &[Place]) -> Vec<SharedEvent> {
    let shared = trace.events.iter().filter_map(|event| {
        let choice = choices.events.iter().find(|it| it.id == event.id)?;
        let photo = choice.photo.filter(|_| event.kind == WalkEventKind::Photo);
        // A photo that the phone has lost is nothing to show.
        let is_nothing =
            event.kind == WalkEventKind::Photo && photo.is_none() && event.note.is_empty();
        (!choice.client_ids.is_empty() && !is_nothing).then(|| SharedEvent {
            kind: event.kind,
            at: Instant(event.timestamp),
            note: event.note.trim().to_owned(),
            place: event
                .location
                .filter(|it| choices.show_map && !is_near(hidden, *it, *it)),
            photo,
            client_ids: Some(choice.client_ids.clone()),
            dog_ids: event.dog_ids.clone(),
            dogs: Vec::new(),
            over_at: event.over_at.map(Instant),
        })
    });
    shared.collect()
}

/// The places around which nothing is on the map.
fn hidden_places(trace: &WalkTrace, choices: &ReportChoices) -> Vec<Place> {
    if choices.show_homes {
        return Vec::new();
    }
    let mut hidden = choices.homes.clone();
    if choices.has_unknown_home {
        let mut points = trace.segments.iter().flat_map(|it| &it.points);
        let ends = [points.next(), points.next_back()];
        hidden.extend(ends.into_iter().flatten().map(|it| it.place));
    }
    hidden
}

/// Returns true if a stretch, as a map draws it, comes near one of these places.
pub(super) fn is_near(hidden: &[Place], from: Place, to: Place) -> bool {
    if hidden.is_empty() {
        return false;
    }
    let length = distance_m(from, to);
    let near_m = REPORT_HOME_M + DRAWN_OFF_M + length * length / BOW_M;
    hidden.iter().any(|it| off_line_m(from, to, *it) < near_m)
}

/// The lines without what is near these places; a line that is cut becomes two.
pub(super) fn trimmed(segments: &[WalkSegment], hidden: &[Place]) -> Vec<WalkSegment> {
    let mut kept: Vec<WalkSegment> = Vec::new();
    // Whether the last point of the segment before is still the last one that is kept.
    let mut is_end_kept = false;
    for segment in segments {
        let mut before: Option<Place> = None;
        for (index, point) in segment.points.iter().enumerate() {
            if is_near(hidden, point.place, point.place) {
                before = None;
                is_end_kept = false;
                continue;
            }
            let goes_on = before.is_some_and(|it| !is_near(hidden, it, point.place));
            before = Some(point.place);
            let last = kept.last().and_then(|it| it.points.last());
            let is_gap_near = last.is_some_and(|it| is_near(hidden, it.place, point.place));
            match kept.last_mut().filter(|_| goes_on) {
                Some(line) => line.points.push(*point),
                None => kept.push(WalkSegment {
                    gap: segment
                        .gap
                        .filter(|_| index == 0 && is_end_kept && !is_gap_near),
                    points: vec![*point],
                }),
            }
            is_end_kept = true;
        }
    }
    kept
}

/// The lines with as few points as their number allows.
fn lines(segments: &[WalkSegment], hidden: &[Place]) -> Vec<SharedLine> {
    let segments = segments.get(..REPORT_LINES).unwrap_or(segments);
    let mut tolerance_m = TOLERANCE_M;
    loop {
        let mut simple = simplified(segments, tolerance_m, hidden);
        simple.truncate(REPORT_LINES);
        // Two ends of each line always stay, and they are fewer than that.
        if simple.iter().map(|it| it.points.len()).sum::<usize>() <= REPORT_POINTS {
            return encoded(&simple);
        }
        tolerance_m *= 2.0;
    }
}

/// The lines with the points that keep each within `tolerance_m`. None that keeps away from these places comes near one by
/// that.
pub(super) fn simplified(
    segments: &[WalkSegment],
    tolerance_m: f64,
    hidden: &[Place],
) -> Vec<WalkSegment> {
    let goes_around = tolerance_m <= MOST_TOLERANCE_M;
    let is_away = |from, to| !goes_around || !is_near(hidden, from, to);
    let simple = segments.iter().map(|it| WalkSegment {
        gap: it.gap,
        points: simplify_where(&it.points, tolerance_m, is_away),
    });
    let simple: Vec<WalkSegment> = simple.collect();
    if goes_around {
        simple
    } else {
        trimmed(&simple, hidden)
    }
}

/// The lines as they are sent.
pub(super) fn encoded(segments: &[WalkSegment]) -> Vec<SharedLine> {
    let lines = segments.iter().map(|it| SharedLine {
        points: encoded_line::encode(it.points.iter().map(|it| it.place)),
        after_gap: it.gap.is_some(),
    });
    lines.collect()
}

fn seconds(ms: i64) -> u32 {
    u32::try_from((ms + 500) / 1000).unwrap_or_default()
}

fn meters(meters: f64) -> u32 {
    meters.round().max(0.0) as u32
}
