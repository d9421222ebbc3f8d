//! Owns the answer to a request: up to three routes from a door, of which none is like another, and always one.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::directions::{RouteStep, steps};
use super::generated::GeneratedRoute;
use super::graph::{Arc, Graph, NodeIdx};
use super::loops::{Loop, Memory, Wanted, line_of, loops};
use super::request::RouteRequest;
use super::search::Direction;
use super::shape::Shape;
use super::snap::{MAX_SNAP_M, Places};
use super::there_and_back::{Turn, turns};
use super::weight::Weights;
use crate::encoded_line;
use crate::map::{Point, Tile};
use crate::walk::Place;

/// So many routes are offered.
const OPTIONS: usize = 3;
/// Two of them share at most this much of their length.
const MOST_SHARED: f64 = 0.5;
/// What they share beyond this counts against the second.
const LITTLE_SHARED: f64 = 0.15;
/// The part of the network around a loop's start has at least so many times the loop's length of ways.
const ROOM: f64 = 1.2;
/// A loop to which the way takes more than this share of the time, there and back, is called what it is.
const LONG_STEM: f64 = 0.2;
/// How many places a loop at the end of a way is looked for.
const LOLLIPOPS: usize = 4;

/// What a route is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum RouteKind {
    /// Around, and home another way than out.
    Loop,
    /// A loop at the end of a way that is walked twice.
    Lollipop,
    /// Out, and the same way home.
    ThereAndBack,
}

/// A route on the network.
#[derive(Clone, Debug)]
pub struct Found {
    /// What it is.
    pub kind: RouteKind,
    /// Milliseconds that it takes.
    pub time_ms: u32,
    /// Millimeters.
    pub length_mm: u64,
    /// Millimeters of the way to the first crossing, once.
    pub stem_mm: u64,
    /// Share of the length without the stem that is walked twice.
    pub repeated: f64,
    /// How it looks.
    pub shape: Shape,
    /// Its line, from the start to the start.
    pub line: Vec<Point>,
    /// What to say on the way.
    pub steps: Vec<RouteStep>,
}

/// Why there is no route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum RouteError {
    /// The start is too far from any way.
    #[error("There is no path or street for walking within {MAX_SNAP_M} m of here.")]
    NoNetwork,
}

/// The network around a place, with the memory to search it again and again.
pub struct Router {
    graph: Graph,
    places: Places,
    memory: Memory,
}

impl Router {
    /// For these tiles; those around the start, as far as half the walk reaches.
    pub fn new(tiles: &[Tile]) -> Self {
        let graph = Graph::of(tiles);
        let places = Places::of(&graph);
        Self {
            graph,
            places,
            memory: Memory::default(),
        }
    }

    /// The network.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Up to three routes in the form of the screens, the best first; at least one.
    pub fn generate(&mut self, request: &RouteRequest) -> Result<Vec<GeneratedRoute>, RouteError> {
        let found = self.routes(request)?;
        Ok(found.into_iter().map(generated).collect())
    }

    /// Up to three routes, the best first; at least one.
    pub fn routes(&mut self, request: &RouteRequest) -> Result<Vec<Found>, RouteError> {
        let start = self.snap(request.start_location)?;
        let door = self
            .graph
            .start_on(start.0, start.1)
            .ok_or(RouteError::NoNetwork)?;
        let mut weights = Weights::of(&self.graph, request, &|_| false);
        let length_m = f64::from(request.budget_ms()) * f64::from(weights.speed_mm_s) / 1e6;
        let at = self.graph.node(door.node);
        self.memory.make_room((at.x, at.y), length_m);
        let mut found = Search {
            graph: &self.graph,
            weights: &weights,
            door: door.node,
            request,
            memory: &mut self.memory,
        }
        .options();
        if found.len() < OPTIONS {
            for turn in turns(&self.graph, &weights, door.node, request.budget_ms()) {
                found.extend(self.turned(&mut weights, request, &turn));
                if found.len() == OPTIONS {
                    break;
                }
            }
        }
        self.graph.remove_start(door);
        if found.is_empty() {
            Err(RouteError::NoNetwork)
        } else {
            Ok(found)
        }
    }

    /// A walk there and back, whose turn is put on the network for as long as it is measured.
    fn turned(
        &mut self,
        weights: &mut Weights,
        request: &RouteRequest,
        turn: &Turn,
    ) -> Option<Found> {
        let Turn {
            out,
            on,
            share,
            laps,
            lap,
            ..
        } = turn;
        let share = if on.is_backward() {
            1.0 - share
        } else {
            *share
        };
        let split = self.graph.start_on(on.edge(), share)?;
        weights.keep_up(&self.graph, request, &|_| false);
        let halves = self.graph.edges.len() as u32 - 2;
        let half = if on.is_backward() {
            Arc::new(halves + 1, true)
        } else {
            Arc::new(halves, false)
        };
        let last: Vec<Arc> = out.iter().copied().chain(Some(half)).collect();
        let back = |there: &[Arc]| {
            there
                .iter()
                .rev()
                .map(|it| it.reversed())
                .collect::<Vec<_>>()
        };
        let mut arcs = Vec::new();
        for _ in 0..*laps {
            arcs.extend(lap);
            arcs.extend(back(lap));
        }
        arcs.extend(&last);
        arcs.extend(back(&last));
        let line = line_of(&self.graph, &arcs);
        let found = Found {
            kind: RouteKind::ThereAndBack,
            time_ms: arcs.iter().map(|it| weights.time(*it)).sum(),
            length_mm: arcs
                .iter()
                .map(|it| u64::from(self.graph.edge(*it).length_mm))
                .sum(),
            stem_mm: 0,
            repeated: 0.5,
            shape: self.memory.shape(&line),
            line: points_of(&self.graph, &arcs),
            steps: steps(&self.graph, weights, &arcs),
        };
        self.graph.remove_start(split);
        weights.keep_up(&self.graph, request, &|_| false);
        Some(found)
    }

    fn snap(&self, place: Place) -> Result<(u32, f64), RouteError> {
        let snap = self.places.snap(&self.graph, Point::at(place));
        snap.map(|it| (it.edge, it.share))
            .ok_or(RouteError::NoNetwork)
    }
}

fn generated(found: Found) -> GeneratedRoute {
    let line: Vec<Place> = found.line.iter().map(|it| it.place()).collect();
    GeneratedRoute {
        name: String::new(),
        kind: found.kind,
        distance: found.length_mm as f64 / 1e3,
        duration: f64::from(found.time_ms) / 1e3,
        geometry: encoded_line::encode(&line),
        steps: found.steps,
        features: Vec::new(),
        warnings: Vec::new(),
        elevation_gain: 0.0,
        rest_points: None,
        water_stops: None,
        weather_advice: None,
    }
}

struct Search<'a> {
    graph: &'a Graph,
    weights: &'a Weights,
    door: NodeIdx,
    request: &'a RouteRequest,
    memory: &'a mut Memory,
}

impl Search<'_> {
    fn options(mut self) -> Vec<Found> {
        let mut chosen: Vec<(RouteKind, Loop)> = Vec::new();
        let candidates = self.loops();
        self.choose(candidates, &mut chosen);
        chosen
            .into_iter()
            .map(|(kind, it)| self.found(kind, it))
            .collect()
    }

    fn found(&self, kind: RouteKind, found: Loop) -> Found {
        let stem = &found.arcs[..found.n_stem];
        Found {
            kind,
            time_ms: found.time_ms,
            length_mm: found.length_mm,
            stem_mm: stem
                .iter()
                .map(|it| u64::from(self.graph.edge(*it).length_mm))
                .sum(),
            repeated: found.repeated,
            shape: found.shape,
            line: points_of(self.graph, &found.arcs),
            steps: steps(self.graph, self.weights, &found.arcs),
        }
    }

    /// Takes the best and then those that differ from what was taken.
    fn choose(
        &mut self,
        mut candidates: Vec<(RouteKind, Loop)>,
        chosen: &mut Vec<(RouteKind, Loop)>,
    ) {
        candidates.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.score.total_cmp(&b.1.score)));
        candidates.truncate(60);
        let mut against = vec![0.0_f64; candidates.len()];
        while chosen.len() < OPTIONS {
            if let Some((_, last)) = chosen.last() {
                for (shared, (_, it)) in against.iter_mut().zip(&candidates) {
                    *shared = shared.max(self.memory.shared(&it.line, &last.line));
                }
            }
            let cost = |index: &usize| {
                candidates[*index].1.score + 5.0 * (against[*index] - LITTLE_SHARED).max(0.0)
            };
            let free = (0..candidates.len()).filter(|it| against[*it] <= MOST_SHARED);
            let Some(best) = free.min_by(|a, b| cost(a).total_cmp(&cost(b))) else {
                break;
            };
            chosen.push(candidates[best].clone());
            against[best] = 1.0;
        }
    }

    /// Loops from the first place that has room for one, with the way to it.
    fn loops(&mut self) -> Vec<(RouteKind, Loop)> {
        let budget = self.request.budget_ms();
        let length_m = f64::from(budget) * f64::from(self.weights.speed_mm_s) / 1e6;
        let mut tree = super::search::Search::default();
        tree.run(
            self.graph,
            self.weights,
            self.door,
            Direction::From,
            |_| 8,
            |_, time| time < budget / 2,
        );
        let mut tried = Vec::new();
        let mut all: Vec<(RouteKind, Loop)> = Vec::new();
        for node in tree.settled() {
            let block = self.graph.block[*node as usize];
            let room_m = self.graph.block_m[block as usize];
            let Some((_, time)) = tree.reached(*node) else {
                continue;
            };
            let left_m = length_m * (1.0 - 2.0 * f64::from(time) / f64::from(budget));
            if room_m < ROOM * left_m || tried.contains(&block) {
                continue;
            }
            tried.push(block);
            let mut stem = Vec::new();
            tree.path(self.graph, *node, Direction::From, &mut stem);
            let kind = if f64::from(2 * time) > LONG_STEM * f64::from(budget) {
                RouteKind::Lollipop
            } else {
                RouteKind::Loop
            };
            let wanted = Wanted {
                graph: self.graph,
                weights: self.weights,
                home: *node,
                stem: &stem,
                budget_ms: budget,
                towards: self.request.towards,
                seed: self.request.seed,
            };
            all.extend(loops(&wanted, self.memory).into_iter().map(|it| (kind, it)));
            if !all.is_empty() || tried.len() >= LOLLIPOPS {
                break;
            }
        }
        all
    }
}

fn points_of(graph: &Graph, arcs: &[Arc]) -> Vec<Point> {
    let mut line: Vec<Point> = Vec::new();
    for arc in arcs {
        line.extend(
            graph
                .line(*arc)
                .into_iter()
                .skip(usize::from(!line.is_empty())),
        );
    }
    line
}
