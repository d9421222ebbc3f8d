//! Owns what a walk says in words and figures: on the screen while it goes on, in the service's notes when it is over.

use serde::{Deserialize, Serialize};

use super::emergency::HOME_NUMBER;
use super::state::{SLIP_MS, Walk};
use super::trace::{LINE_TOLERANCE_M, WalkEvent, WalkTrace, simplify};
use crate::values::format::{self, Clock};
use crate::values::report_kind::ReportKind;
use crate::values::transport::{LOCATION_TEXTS, LocationTexts};
use crate::values::units::Units;
use crate::values::walk_event::{EMERGENCY_EVENT, WalkEventKind};
use crate::{Id, Instant};

/// Before that a pace is a guess.
const MIN_PACE_M: f64 = 50.0;
/// Slower than this per mile or kilometer is no pace but a stay.
const MAX_PACE_MS: f64 = 100.0 * 60_000.0;
const MINUTE_MS: i64 = 60_000;

/// Texts of a walk that the specification fixes, and those that both log and screen need (SPEC 8, Route).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WalkTexts {
    /// Text for the start of a walk.
    pub started: &'static str,
    /// Text for the end of a walk.
    pub completed: &'static str,
    /// Text for a walker far from the planned route.
    pub off_route: &'static str,
    /// The note of the event that emergency mode logs.
    pub emergency_event: &'static str,
    /// Number to call in an emergency where the place is not known.
    pub emergency_number: &'static str,
    /// Milliseconds in which an emergency can be canceled as a slip of the thumb.
    pub slip_ms: i64,
    /// All kinds of events with their names.
    pub events: Vec<WalkEventName>,
    /// Kinds that are offered on a walk, in order.
    pub walk_events: &'static [WalkEventKind],
    /// Kinds that are offered on a visit and on a day of a stay, in order.
    pub visit_events: &'static [WalkEventKind],
    /// Ways to tell a potty break more exactly.
    pub potty_events: &'static [WalkEventKind],
    /// Texts for a position that cannot be had.
    #[serde(flatten)]
    pub location: LocationTexts,
}

/// Name of a kind of event.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WalkEventName {
    /// The kind of event.
    pub kind: WalkEventKind,
    /// Name of the kind on the screen.
    pub name: &'static str,
}

/// Returns the texts of a walk.
pub fn texts() -> WalkTexts {
    WalkTexts {
        started: "Walk tracking started!",
        completed: "Walk completed!",
        off_route: "You appear to be off your planned route",
        emergency_event: EMERGENCY_EVENT,
        emergency_number: HOME_NUMBER,
        slip_ms: SLIP_MS,
        events: WalkEventKind::ALL
            .iter()
            .map(|kind| WalkEventName {
                kind: *kind,
                name: kind.name(),
            })
            .collect(),
        walk_events: WalkEventKind::offered(ReportKind::Walk),
        visit_events: WalkEventKind::offered(ReportKind::Visit),
        potty_events: WalkEventKind::POTTY,
        location: LOCATION_TEXTS,
    }
}

/// Figures that the Active Walk screen shows in large.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WalkFigures {
    /// `14:08`, or `1:14:08` from an hour on; pauses left out.
    pub time: String,
    /// `0.71 mi` or `1.14 km`.
    pub distance: String,
    /// `19:54`, or empty while there is none.
    pub pace: String,
    /// `per mile` or `per km`.
    pub pace_unit: &'static str,
    /// True if more was walked than was recorded or could be measured, so that the distance is a lower bound.
    pub at_least: bool,
}

/// Record of a finished walk for the list of past walks. Stored on phones. Only add optional fields; never rename.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct WalkSummary {
    /// Start of the walk, in milliseconds since 1970.
    pub started_at: i64,
    /// End of the walk, in milliseconds since 1970.
    pub ended_at: i64,
    /// Milliseconds of the walk, pauses left out.
    pub ran_ms: i64,
    /// Milliseconds in which the distance was walked.
    pub moving_ms: i64,
    /// Recorded distance in meters.
    pub distance_m: f64,
    /// True if more was walked: a part was not recorded, or could not be measured.
    pub at_least: bool,
    /// Milliseconds of the part that was not recorded.
    pub gap_ms: i64,
    /// The simplified lines, each a list of latitude and longitude in ten-millionths of a degree, one after another.
    pub line: Vec<Vec<i32>>,
    /// Number of events that were logged.
    pub n_events: u32,
    /// Text for the service's notes: times, distance, events.
    pub notes: String,
}

/// A dog that is along, by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct DogAlong {
    /// Id of the pet.
    pub id: Id,
    /// Name of the dog.
    pub name: String,
}

/// Formats the figures of a walk at `now`, in milliseconds since 1970.
pub fn figures(walk: &Walk, now: i64, units: Units) -> WalkFigures {
    let ran_ms = walk.ran_until(now);
    let per_m = unit_m(units);
    let seen_ms = (ran_ms - walk.gap_ms).max(0) as f64;
    let pace_ms = if walk.distance_m < MIN_PACE_M {
        f64::INFINITY
    } else {
        seen_ms / (walk.distance_m / per_m)
    };
    WalkFigures {
        time: stopwatch(ran_ms),
        distance: distance(walk.distance_m, units),
        pace: if pace_ms < MAX_PACE_MS {
            stopwatch(pace_ms.round() as i64)
        } else {
            String::new()
        },
        pace_unit: match units {
            Units::Imperial => "per mile",
            Units::Metric => "per km",
        },
        at_least: walk.is_at_least(),
    }
}

/// Builds the record of a walk, with its text for the service's notes; times of day by `clock`, and only these dogs
/// named.
pub fn summarize(
    walk: &Walk,
    trace: &WalkTrace,
    now: i64,
    units: Units,
    clock: Clock<'_>,
    dogs: &[DogAlong],
) -> WalkSummary {
    let ended_at = walk.until(now);
    let ran_ms = walk.ran_until(now);
    let line = trace.segments.iter().map(|segment| {
        let points = simplify(&segment.points, LINE_TOLERANCE_M);
        points
            .iter()
            .flat_map(|it| [it.place.lat_e7, it.place.lon_e7])
            .collect()
    });
    WalkSummary {
        started_at: walk.started_at,
        ended_at,
        ran_ms,
        moving_ms: walk.moving_ms,
        distance_m: walk.distance_m,
        at_least: walk.is_at_least(),
        gap_ms: walk.gap_ms,
        line: line.collect(),
        n_events: u32::try_from(trace.events.len()).unwrap_or(u32::MAX),
        notes: notes(walk, &trace.events, now, units, clock, dogs),
    }
}

/// Builds the text of a walk at `now` for a service's notes: its times and distance, and a line for each of `events`.
pub fn notes<'a>(
    walk: &Walk,
    events: impl IntoIterator<Item = &'a WalkEvent>,
    now: i64,
    units: Units,
    clock: Clock<'_>,
    dogs: &[DogAlong],
) -> String {
    let lines = events.into_iter().map(|it| line(it, clock, dogs));
    times(walk, now, units, clock) + &lines.collect::<String>()
}

fn times(walk: &Walk, now: i64, units: Units, clock: Clock<'_>) -> String {
    let (ended_at, ran_ms) = (walk.until(now), walk.ran_until(now));
    let clock = |at| clock.time(Instant(at));
    let mut text = format!(
        "{} {} to {}, {}",
        match walk.kind {
            ReportKind::Walk => "Walk",
            ReportKind::Visit => "Visit",
            ReportKind::Day => "Day",
        },
        clock(walk.started_at),
        clock(ended_at),
        minutes(ran_ms)
    );
    let paused_ms = ended_at - walk.started_at - ran_ms;
    if paused_ms >= MINUTE_MS {
        text.push_str(&format!(" and {} paused", minutes(paused_ms)));
    }
    if walk.n_fixes > 0 {
        let at_least = if walk.is_at_least() { "at least " } else { "" };
        text.push_str(&format!(", {at_least}{}", distance(walk.distance_m, units)));
    }
    text.push('.');
    text
}

fn line(event: &WalkEvent, clock: Clock<'_>, dogs: &[DogAlong]) -> String {
    let kind = match event.kind {
        WalkEventKind::Note => "",
        kind => kind.name(),
    };
    let colon = if kind.is_empty() || event.note.is_empty() {
        ""
    } else {
        ": "
    };
    let time = clock.time(Instant(event.timestamp));
    let named = dogs.iter().filter(|it| event.dog_ids.contains(&it.id));
    let named: Vec<String> = named.map(|it| it.name.clone()).collect();
    let of = if named.is_empty() {
        String::new()
    } else {
        format!(" ({})", format::names(&named))
    };
    let over = event
        .over_at
        .map(|at| format!(", called off {}", clock.time(Instant(at))))
        .unwrap_or_default();
    format!("\n{time} {kind}{colon}{}{over}{of}", event.note.trim())
}

/// `0.71 mi` or `1.14 km`.
pub(super) fn distance(meters: f64, units: Units) -> String {
    let name = match units {
        Units::Imperial => "mi",
        Units::Metric => "km",
    };
    // Hundredths as a whole number, so that no machine rounds otherwise than another.
    let hundredths = (meters / unit_m(units) * 100.0).round() as i64;
    format!("{}.{:02} {name}", hundredths / 100, hundredths % 100)
}

fn unit_m(units: Units) -> f64 {
    match units {
        Units::Imperial => format::METERS_PER_MILE,
        Units::Metric => 1000.0,
    }
}

fn stopwatch(ms: i64) -> String {
    let seconds = ms.max(0) / 1000;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

fn minutes(ms: i64) -> String {
    format::duration(u32::try_from((ms + MINUTE_MS / 2) / MINUTE_MS).unwrap_or_default())
}
