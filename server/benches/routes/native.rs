//! Owns how the router is asked natively, on all tiles of an area at once: times, memory, and the routes themselves.

use std::fs;
use std::hint::black_box;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use serde::{Deserialize, Serialize};
use walkies_core::map::{Point, Tile};
use walkies_core::route::{FoundRoute, RouteKind, RouteRequest, Router, WarningKind};

use crate::floor::Floor;
use crate::network::{Network, off_street, usual_walk};
use crate::room::Room;
use crate::stats::peak_mb;
use crate::under::{Ground, Under};
use crate::wishes::Wishes;

/// Minutes of the walks that every engine is asked for.
pub const MINUTES: [u32; 6] = [5, 10, 15, 30, 45, 60];
/// The longest walk there is, whose time alone is measured.
pub const LONGEST: u32 = 120;

/// Number of other seeds that are tried where no loop was found, before none is known.
const OTHER_TRIES: u32 = 16;
/// One whose time is off by a larger share does not count, as it does not for the share of walks that are in time.
const IN_TIME: f64 = 0.05;
/// Sides towards which a walk may lead.
const SIDES: u32 = 8;
/// A shorter walk is at most around the block, which there is or is not.
pub const LOOPS_FROM_MIN: u32 = 15;

/// The router on an area.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Native {
    pub n_nodes: usize,
    pub n_edges: usize,
    /// From bytes in memory to the first request.
    pub load_ms: f64,
    pub peak_mb: f64,
}

/// A request of the benchmark.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Asked {
    /// The minutes and the number of the start, joined by a hyphen.
    pub id: String,
    pub start: usize,
    pub request: RouteRequest,
}

impl Asked {
    /// Returns the length that the walk should have on flat ground, in meters.
    pub fn length_m(&self) -> f64 {
        length_m(&self.request)
    }
}

fn length_m(request: &RouteRequest) -> f64 {
    f64::from(request.budget_ms()) * f64::from(request.speed_mm_s()) / 1e6
}

/// The router's answer to a request, with the time that it took.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Answer {
    pub id: String,
    pub ms: f64,
    /// Time of the floor of a search, measured right after it.
    pub floor_ms: f64,
    /// True if the network has room for a loop of this length at all.
    pub has_room: bool,
    /// True if a loop is known there, however it was asked for.
    pub is_loop_known: bool,
    /// If the best route is a loop: for each door off the street, true if the best route from there is one, too.
    pub off_street: Vec<bool>,
    /// The best first; none where there is no way to walk on.
    pub options: Vec<Route>,
}

/// A route that was offered.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Route {
    pub kind: Kind,
    pub time_ms: u32,
    pub length_m: f64,
    pub ground: Ground,
    /// True if a warning says that cars drive fast on it, where they do.
    pub warns_of_fast_cars: bool,
    /// Latitudes and longitudes in degrees.
    pub line: Vec<(f64, f64)>,
}

/// Shape of a route, as the answers name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    Loop,
    Lollipop,
    ThereAndBack,
}

impl From<RouteKind> for Kind {
    fn from(kind: RouteKind) -> Self {
        match kind {
            RouteKind::Loop => Self::Loop,
            RouteKind::Lollipop => Self::Lollipop,
            // Nobody asks for the way home here.
            RouteKind::ThereAndBack | RouteKind::OneWay => Self::ThereAndBack,
        }
    }
}

/// The tiles of an area, with their networks alone.
pub fn tiles(folder: &Path) -> Result<Vec<Tile>> {
    let files = fs::read_dir(folder.join("tiles"))?;
    let mut files: Vec<_> = files
        .map(|it| it.map(|it| it.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    files
        .iter()
        .map(|it| Ok(Tile::decode_network(&fs::read(it)?)?))
        .collect()
}

/// Asks for routes on the area of this folder and writes `requests.json`, `answers.jsonl`, `wishes.json` and `native.json`
/// into it.
pub fn run(folder: &Path, n_starts: usize) -> Result<()> {
    let tiles = tiles(folder)?;
    let network = Network::of(&tiles);
    let starts = network.starts(n_starts);
    let mut floor = Floor::of(&network);
    let longest = starts
        .first()
        .map(|it| usual_walk(*it, MINUTES[MINUTES.len() - 1]));
    let longest_m = longest.map_or(0.0, |request| length_m(&request));
    let room = Room::of(&tiles, longest_m);
    let clock = Instant::now();
    let mut router = Router::new(&tiles);
    let mut native = Native {
        n_nodes: router.graph().n_nodes(),
        n_edges: router.graph().n_edges(),
        load_ms: ms_since(clock),
        peak_mb: 0.0,
    };
    let under = Under::of(&tiles);
    let mut all = Vec::new();
    let mut out = BufWriter::new(fs::File::create(folder.join("answers.jsonl"))?);
    for minutes in MINUTES.into_iter().chain([LONGEST]) {
        for (start, at) in starts.iter().enumerate() {
            let asked = Asked {
                id: format!("{minutes}-{start}"),
                start,
                request: usual_walk(*at, minutes),
            };
            let has_room = room.may_hold(*at, asked.length_m());
            let answer = answer(&mut router, &mut floor, &under, &asked, *at, has_room);
            writeln!(out, "{}", serde_json::to_string(&answer)?)?;
            all.push(asked);
        }
    }
    out.flush()?;
    native.peak_mb = peak_mb()?;
    let mut wishes = Wishes::default();
    for asked in all.iter().filter(|it| it.request.duration != LONGEST) {
        if room.may_hold(starts[asked.start], asked.length_m()) {
            wishes.ask_again(&mut router, asked)?;
        }
        wishes.ask_otherwise(&mut router, &under, asked)?;
    }
    fs::write(folder.join("wishes.json"), serde_json::to_string(&wishes)?)?;
    fs::write(folder.join("requests.json"), serde_json::to_string(&all)?)?;
    fs::write(folder.join("native.json"), serde_json::to_string(&native)?)?;
    Ok(())
}

fn answer(
    router: &mut Router,
    floor: &mut Floor,
    under: &Under,
    asked: &Asked,
    start: Point,
    has_room: bool,
) -> Answer {
    let clock = Instant::now();
    let found = router.routes(&asked.request);
    let ms = ms_since(clock);
    let clock = Instant::now();
    black_box(floor.search(start, asked.length_m()));
    let floor_ms = ms_since(clock);
    let found = found.unwrap_or_default();
    let is_loop_known =
        has_loop(&asked.request, &found) || has_room && finds_a_loop(router, &asked.request);
    let is_usual = (LOOPS_FROM_MIN..LONGEST).contains(&asked.request.duration);
    let off_street = if is_usual && begins_with_loop(&found) {
        let is_loop_from = |door: Point| {
            let request = usual_walk(door, asked.request.duration);
            router
                .routes(&request)
                .is_ok_and(|it| begins_with_loop(&it))
        };
        off_street(start).map(is_loop_from).into()
    } else {
        Vec::new()
    };
    let grounds: Vec<Ground> = found.iter().map(|it| under.walk(&it.line)).collect();
    let is_fast = grounds.iter().any(|it| 0.0 < it.fast_m);
    let told = if is_fast {
        router.generate(&asked.request).unwrap_or_default()
    } else {
        Vec::new()
    };
    let warns = |option: usize| {
        let warnings = told.get(option).map(|it| it.warnings.as_slice());
        let mut warnings = warnings.unwrap_or_default().iter();
        warnings.any(|it| it.kind == WarningKind::FastRoad)
    };
    let options = found.into_iter().zip(grounds).enumerate();
    Answer {
        id: asked.id.clone(),
        ms,
        floor_ms,
        has_room,
        is_loop_known,
        off_street,
        options: options
            .map(|(option, (it, ground))| Route {
                kind: it.kind.into(),
                time_ms: it.time_ms,
                length_m: it.length_mm as f64 / 1e3,
                ground,
                warns_of_fast_cars: warns(option),
                line: it.line.iter().map(|at| degrees(*at)).collect(),
            })
            .collect(),
    }
}

/// True if one of the routes is a loop, and in time.
fn has_loop(request: &RouteRequest, found: &[FoundRoute]) -> bool {
    let budget = f64::from(request.budget_ms());
    let off = |it: &FoundRoute| (f64::from(it.time_ms) / budget - 1.0).abs();
    found
        .iter()
        .any(|it| it.kind == RouteKind::Loop && off(it) <= IN_TIME)
}

/// True if the best route is a loop.
fn begins_with_loop(found: &[FoundRoute]) -> bool {
    found.first().is_some_and(|it| it.kind == RouteKind::Loop)
}

/// True if one of many tries with another seed, every other one towards another side, finds a loop.
fn finds_a_loop(router: &mut Router, request: &RouteRequest) -> bool {
    (1..=OTHER_TRIES).any(|seed| {
        let other = RouteRequest {
            seed,
            towards: (seed % 2 == 0).then_some((seed / 2 % SIDES) as u8),
            ..request.clone()
        };
        router.routes(&other).is_ok_and(|it| has_loop(request, &it))
    })
}

/// Latitude and longitude.
pub fn degrees(at: Point) -> (f64, f64) {
    let place = at.place();
    (place.lat(), place.lon())
}

fn ms_since(clock: Instant) -> f64 {
    clock.elapsed().as_secs_f64() * 1e3
}
