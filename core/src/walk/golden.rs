//! Answers the walks of `core/testdata/walk.json` and the doors of `door.json`. Only tests are built with it.

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    DogAlong, DoorHome, Doors, Entry, Recording, WalkInput, decode, figures, log_header, replay,
    summarize,
};
use crate::values::format::Clock;
use crate::values::place::Place;
use crate::values::units::{HourCycle, Units};
use crate::values::zone::TimeZone;
use crate::{Id, Instant};

/// 2026-11-20T14:00:00Z: nine in the morning in New York.
const START: i64 = 1_795_183_200_000;
const LAT: f64 = 40.0;
const LON: f64 = -74.0;
/// Meters in a degree there.
const LAT_M: f64 = 111_035.0;
const LON_M: f64 = 85_394.0;

/// A walk as a person would tell it.
#[derive(Deserialize)]
struct Input {
    steps: Vec<Part>,
    /// Time at which the screen is read, in seconds after the start.
    shown_at: i64,
    units: Units,
    /// True if the answer holds the whole state, to the last bit.
    #[serde(default)]
    state: bool,
    /// The dogs that are along.
    #[serde(default)]
    dogs: Vec<DogAlong>,
}

/// A part of a walk: a stretch of fixes, or a single input.
#[derive(Deserialize)]
#[serde(untagged)]
enum Part {
    /// A fix each second from `from` to `to`, from meters `start` east and north at meters per second `speed`.
    Walk {
        from: i64,
        to: i64,
        start: (f64, f64),
        speed: (f64, f64),
        accuracy: f64,
    },
    /// A single input, so many seconds after the start.
    Input { at: i64, input: WalkInput },
}

/// Returns the walk's figures, state and notes; fails if a replay of its log leads to another walk.
pub fn answer(input: &str) -> Result<Value, Box<dyn std::error::Error>> {
    let input: Input = serde_json::from_str(input)?;
    let mut recording = Recording::default();
    let mut log = log_header();
    for step in input.steps {
        let (at, inputs) = match step {
            Part::Input { at, input } => (at, vec![input]),
            Part::Walk {
                from,
                to,
                start,
                speed,
                accuracy,
            } => {
                let fixes = (from..=to).map(|second| {
                    let passed = (second - from) as f64;
                    let (east, north) = (start.0 + speed.0 * passed, start.1 + speed.1 * passed);
                    WalkInput::Position {
                        at: (START + second * 1000) as f64,
                        lat: LAT + north / LAT_M,
                        lon: LON + east / LON_M,
                        accuracy,
                        altitude: None,
                    }
                });
                (to, fixes.collect())
            }
        };
        log.extend(recording.take(inputs, START + at * 1000));
    }
    let (walk, trace) = (recording.walk(), recording.trace());
    let entries: Vec<Entry> = decode(&log);
    if replay(&entries) != (walk.clone(), trace.clone()) {
        return Err("the log tells another walk".into());
    }
    let now = START + input.shown_at * 1000;
    let zone = TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap_or(TimeZone::UTC);
    let clock = Clock {
        zone: &zone,
        cycle: HourCycle::H12,
    };
    let summary = summarize(walk, trace, now, input.units, clock, &input.dogs);
    let figures = figures(walk, now, input.units);
    let mut answer = json!({
        "screen": [figures.time, figures.distance, figures.pace, figures.pace_unit],
        "status": walk.status,
        "began": Instant(walk.started_at),
        "moving_s": walk.moving_ms / 1000,
        "gaps": walk.n_gaps,
        "gap_s": walk.gap_ms / 1000,
        "bridged_m": walk.bridged_m.round() as i64,
        "segments": trace.segments.len(),
        "line": summary.line.iter().map(|it| it.len() / 2).collect::<Vec<_>>(),
        "notes": summary.notes,
    });
    if let Some(answer) = answer.as_object_mut().filter(|_| input.state) {
        let sum = |sum: u32, it: &u8| sum.wrapping_mul(31).wrapping_add(u32::from(*it));
        answer.insert("state".to_owned(), serde_json::to_value(walk)?);
        answer.insert("log_bytes".to_owned(), log.len().into());
        answer.insert("log_sum".to_owned(), log.iter().fold(0, sum).into());
    }
    Ok(answer)
}

/// Returns the doors that are shown after each place; places are meters east and north of the first home.
pub fn doors(input: &str) -> Result<Value, Box<dyn std::error::Error>> {
    #[derive(Deserialize)]
    struct Input {
        /// Homes as meters east and north, the clients numbered from 1.
        homes: Vec<(f64, f64)>,
        way: Vec<(f64, f64)>,
        /// The step after which the person puts away what is shown.
        #[serde(default)]
        put_away_after: Option<usize>,
    }
    let input: Input = serde_json::from_str(input)?;
    let (lat, lng) = (
        |north: f64| LAT + north / LAT_M,
        |east: f64| LON + east / LON_M,
    );
    let numbered = (1..).zip(&input.homes);
    let homes: Vec<DoorHome> = numbered
        .map(|(number, (east, north))| DoorHome {
            client_id: Id::of(number),
            lat: lat(*north),
            lng: lng(*east),
        })
        .collect();
    let mut doors = Doors::default();
    let mut shown = Vec::new();
    for (step, (east, north)) in input.way.iter().enumerate() {
        let here = Place::from_degrees(lat(*north), lng(*east)).ok_or("no place")?;
        doors.step(here, &homes);
        shown.push(doors.at.iter().map(|it| it.0.as_u128()).collect::<Vec<_>>());
        if input.put_away_after == Some(step) {
            doors.at.clear();
        }
    }
    Ok(json!(shown))
}
