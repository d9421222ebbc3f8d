//! Owns the answer to a request: up to three routes from a door, of which none is like another, and always one.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::candidate::{Loop, Memory, Wanted};
use super::directions::steps;
use super::facts::{Facts, Spots};
use super::familiar::familiar;
use super::found::Found;
use super::generated::GeneratedRoute;
use super::graph::{Arc, Graph, NodeIdx, Starts};
use super::kind::{RouteKind, kind_by};
use super::line::{length_mm, line_of, twice};
use super::loops::{lies, loops};
use super::request::{MAX_MINUTES, RouteRequest};
use super::search::{Direction, Search as Tree};
use super::shape::Shape;
use super::snap::{MAX_SNAP_M, Places, nearest};
use super::sun;
use super::there_and_back::{Turn, turns};
use super::weight::Weights;
use crate::map::{Point, SpotKind, Tile};
use crate::values::place::Place;
use crate::values::plane::distance_m;

/// So many routes are offered.
const OPTIONS: usize = 3;

/// Two of them share at most this much of their length.
const MOST_SHARED: f64 = 0.5;

/// What they share beyond this counts against the second.
const LITTLE_SHARED: f64 = 0.15;

/// The part of the network around a loop's start has at least so many times the loop's length of ways.
const ROOM: f64 = 1.2;

/// A way home of which a larger share lies beside itself leads in circles.
const CIRCLES: f64 = 0.15;

/// Who is nearer to home is there.
const AT_HOME_MS: u32 = 60_000;

/// How many places a loop at the end of a way is looked for.
const LOLLIPOPS: usize = 4;

/// A route can be made to pass so many places.
pub const MAX_VIA: usize = 8;

/// Water so near the way is on it, in meters.
const WATER_M: f64 = 50.0;

/// A walk over places may take longer by this share before it is called too long.
const LATE: f64 = 0.05;

/// Further away, straight, nobody goes on foot: some two hours.
pub(crate) const MAX_WAY_M: f64 = 8_000.0;

/// What a way to somewhere is called.
const WAY_NAME: &str = "The way there";

/// What is said at its end: the map knows the nearest street, and not which door.
const WAY_ENDS: &str = "You are there";

/// Why there is no route; its text is for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum RouteError {
    /// The start, or a place to pass, is too far from any way.
    #[error("There is no path or street for walking within {MAX_SNAP_M} m of here.")]
    NoNetwork,
    /// A place cannot be reached from the start.
    #[error("No way for walking leads there from here.")]
    NotConnected,
    /// The places to pass are too far away for the time.
    #[error(
        "That is too far for this walk: there and back takes at least {minutes} minutes. Choose a longer walk or a nearer place."
    )]
    TooFar {
        /// What it takes at least, in minutes.
        minutes: u32,
    },
    /// Nobody walks there.
    #[error("That is too far to walk. Let your phone's navigation take you there.")]
    TooFarOnFoot,
    /// More places to pass than can be put in an order.
    #[error("A route can pass up to {MAX_VIA} places.")]
    TooManyPlaces,
}

/// The network around a place, with the memory to search it again and again.
pub struct Router {
    graph: Graph,
    places: Places,
    spots: Spots,
    memory: Memory,
}

impl Router {
    /// For these tiles; those around the start, as far as half the walk reaches.
    pub fn new(tiles: &[Tile]) -> Self {
        let mut graph = Graph::of(tiles);
        let places = Places::of(&graph);
        let spots = Spots::of(&graph);
        let water: Vec<_> = spots.of_kind(&graph, SpotKind::DrinkingWater).collect();
        for at in water {
            for edge in places.near(at, WATER_M) {
                if nearest(&graph, edge, at).distance_m <= WATER_M {
                    graph.edges[edge as usize].near_water_to_drink = true;
                }
            }
        }
        Self {
            graph,
            places,
            spots,
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
        Ok(GeneratedRoute::all(request, &found))
    }

    /// Up to three routes, the best first; at least one.
    pub fn routes(&mut self, request: &RouteRequest) -> Result<Vec<Found>, RouteError> {
        if request.via.len() > MAX_VIA {
            return Err(RouteError::TooManyPlaces);
        }
        let mut places = vec![request.start_location];
        places.extend(&request.via);
        self.between(&places, request, |task, nodes| match nodes {
            [door] => task.around(*door),
            [door, via @ ..] => task.over(*door, via),
            [] => Err(RouteError::NoNetwork),
        })
    }

    /// The way home for someone who left the route: as long as the time allows that is left, and never longer for nothing.
    ///
    /// Takes what the walker and the way are like from `request`, not its time, start or places to pass.
    pub fn home(
        &mut self,
        from: Place,
        home: Place,
        budget_ms: u32,
        request: &RouteRequest,
    ) -> Result<GeneratedRoute, RouteError> {
        let request = RouteRequest {
            via: Vec::new(),
            start_location: from,
            ..request.clone()
        };
        let budget_ms = budget_ms.min(MAX_MINUTES * 60_000);
        let found = self.between(&[from, home], &request, |task, nodes| match nodes {
            [from, home] => task.home(*from, *home, budget_ms).map(|it| vec![it]),
            _ => Err(RouteError::NoNetwork),
        })?;
        let mut routes = GeneratedRoute::all(&request, &found);
        routes.pop().ok_or(RouteError::NotConnected)
    }

    /// The quickest way on foot from one place to another, for a person alone.
    pub fn way(&mut self, from: Place, to: Place) -> Result<GeneratedRoute, RouteError> {
        if distance_m(from, to) > MAX_WAY_M {
            return Err(RouteError::TooFarOnFoot);
        }
        let mut way = self.home(from, to, 0, &RouteRequest::alone(from))?;
        WAY_NAME.clone_into(&mut way.name);
        if let Some(arrival) = way.steps.last_mut() {
            WAY_ENDS.clone_into(&mut arrival.instruction);
        }
        Ok(way)
    }

    /// Puts places on the network for as long as routes between them are looked for.
    fn between(
        &mut self,
        places: &[Place],
        request: &RouteRequest,
        find: impl FnOnce(&mut Task, &[NodeIdx]) -> Result<Vec<Found>, RouteError>,
    ) -> Result<Vec<Found>, RouteError> {
        let mut component = None;
        let mut snaps = Vec::new();
        for place in places {
            let point = Point::at(*place);
            let snap = self.places.snap(&self.graph, point, component);
            let snap = snap.ok_or_else(|| match self.places.snap(&self.graph, point, None) {
                Some(_) => RouteError::NotConnected,
                None => RouteError::NoNetwork,
            })?;
            let end = self.graph.edges[snap.edge as usize].ends[0];
            component = Some(self.graph.component[end as usize]);
            snaps.push(snap);
        }
        let mut starts = Starts::default();
        let nodes: Option<Vec<NodeIdx>> = snaps
            .iter()
            .map(|it| starts.put(&mut self.graph, it.edge, it.share))
            .collect();
        let found = nodes.ok_or(RouteError::NoNetwork).and_then(|nodes| {
            let start = nodes.first().map_or((0.0, 0.0), |it| {
                let node = self.graph.node(*it);
                (node.x, node.y)
            });
            let length_m = f64::from(request.budget_ms()) * f64::from(request.speed_mm_s()) / 1e6;
            self.memory.make_room(start, length_m);
            let known = if request.familiar.is_empty() {
                Vec::new()
            } else {
                let lines = &request.familiar;
                familiar(&self.graph, &self.places, lines, start, length_m * 0.65)
            };
            let dark = request
                .at
                .is_some_and(|at| sun::is_dark(request.start_location, at, request.budget_ms()));
            let weights = Weights::of(&self.graph, request, known);
            let mut task = Task {
                graph: &mut self.graph,
                spots: &self.spots,
                memory: &mut self.memory,
                weights,
                request,
                dark,
            };
            find(&mut task, &nodes)
        });
        starts.remove(&mut self.graph);
        found
    }
}

/// One request, while its places are on the network.
struct Task<'a> {
    graph: &'a mut Graph,
    spots: &'a Spots,
    memory: &'a mut Memory,
    weights: Weights,
    request: &'a RouteRequest,
    dark: bool,
}

impl Task<'_> {
    /// Routes from a door, wherever they lead.
    fn around(&mut self, door: NodeIdx) -> Result<Vec<Found>, RouteError> {
        let mut candidates = self.loops(door, self.request.towards);
        if candidates.is_empty() && self.request.towards.is_some() {
            candidates = self.loops(door, None);
        }
        let mut found = self.choose(candidates);
        if found.len() < OPTIONS {
            let mut turns = turns(self.graph, &self.weights, door, self.request.budget_ms());
            if let Some(towards) = self.request.towards {
                turns.sort_by_key(|it| !lies(towards, it.sector));
            }
            for turn in &turns {
                found.extend(self.turned(&[], turn, &[]));
                if found.len() == OPTIONS {
                    break;
                }
            }
        }
        if found.is_empty() {
            Err(RouteError::NoNetwork)
        } else {
            Ok(found)
        }
    }

    /// Loops from the first place that has room for one, with the way to it.
    fn loops(&mut self, door: NodeIdx, towards: Option<u8>) -> Vec<Loop> {
        let budget = self.request.budget_ms();
        let length_m = f64::from(budget) * f64::from(self.weights.speed_mm_s) / 1e6;
        let mut tree = Tree::default();
        let in_time = |_, time| time < budget / 2;
        tree.run(
            self.graph,
            &self.weights,
            door,
            Direction::From,
            |_| 8,
            in_time,
        );
        let mut tried = Vec::new();
        let mut all: Vec<Loop> = Vec::new();
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
            let wanted = Wanted {
                home: *node,
                end: *node,
                stem: &stem,
                towards,
                ..wanted(self.graph, &self.weights, self.request, door)
            };
            all.extend(loops(&wanted, self.memory));
            if !all.is_empty() || tried.len() >= LOLLIPOPS {
                break;
            }
        }
        if all.iter().all(|it| it.kind != RouteKind::Loop) {
            let wanted = Wanted {
                over_bridges: true,
                towards,
                ..wanted(self.graph, &self.weights, self.request, door)
            };
            all.extend(loops(&wanted, self.memory));
        }
        // Where the way is the same, `there_and_back` meets the time to the second.
        all.retain(|it| it.kind != RouteKind::ThereAndBack);
        all
    }

    /// Routes from a door over places that have to be passed.
    fn over(&mut self, door: NodeIdx, via: &[NodeIdx]) -> Result<Vec<Found>, RouteError> {
        let order = tour(self.graph, door, via);
        let back: Vec<NodeIdx> = order.iter().rev().copied().collect();
        let mut candidates = Vec::new();
        for order in [&order, &back] {
            let lead = legs(
                self.graph,
                &self.weights,
                door,
                order,
                self.request.budget_ms(),
            );
            let Some(lead) = lead else {
                continue;
            };
            let wanted = Wanted {
                lead: &lead,
                pins: via,
                over_bridges: true,
                ..wanted(self.graph, &self.weights, self.request, door)
            };
            candidates.extend(loops(&wanted, self.memory));
        }
        let found = self.choose(candidates);
        if found.is_empty() {
            self.straight_over(door, &order).map(|it| vec![it])
        } else {
            Ok(found)
        }
    }

    /// The way over some places and back where no loop leads over them; what is left of the time is walked there and back
    /// from the last of them.
    fn straight_over(&mut self, door: NodeIdx, via: &[NodeIdx]) -> Result<Found, RouteError> {
        let budget = self.request.budget_ms();
        let latest = (f64::from(budget) * (1.0 + LATE)) as u32;
        let hurried = self.weights.hurried();
        let there_and_back: Vec<NodeIdx> = via.iter().copied().chain([door]).collect();
        let in_time = [&self.weights, &hurried].into_iter().find_map(|weights| {
            let arcs = legs(self.graph, weights, door, &there_and_back, u32::MAX)?;
            (time_ms(&self.weights, &arcs) <= latest).then_some(arcs)
        });
        let Some(arcs) = in_time else {
            let least = shortest_ms(self.graph, &hurried, door, &there_and_back);
            let minutes = least.div_ceil(60_000);
            return Err(RouteError::TooFar { minutes });
        };
        let left = budget.saturating_sub(time_ms(&self.weights, &arcs));
        if let Some(last) = via
            .last()
            .filter(|_| f64::from(left) > LATE * f64::from(budget))
        {
            let met = arcs.iter().position(|it| self.graph.to(*it) == *last);
            let (before, after) = arcs.split_at(met.map_or(0, |it| it + 1));
            let at = before.last().map_or(door, |it| self.graph.to(*it));
            let turns = turns(self.graph, &self.weights, at, left);
            if let Some(found) = turns.first().and_then(|it| self.turned(before, it, after)) {
                return Ok(found);
            }
        }
        let line = line_of(self.graph, &arcs);
        let shape = self.memory.shape(&line);
        let repeated = twice(self.graph, &arcs);
        let kind = kind_by(0.0, repeated);
        Ok(self.found(kind, &arcs, 0, repeated, shape))
    }

    /// The way home, in the time that is left.
    fn home(&mut self, from: NodeIdx, home: NodeIdx, budget_ms: u32) -> Result<Found, RouteError> {
        let nicest = legs(self.graph, &self.weights, from, &[home], u32::MAX);
        let nicest = nicest.ok_or(RouteError::NotConnected)?;
        let time = time_ms(&self.weights, &nicest);
        let arcs = if time > budget_ms {
            legs(self.graph, &self.weights.hurried(), from, &[home], u32::MAX).unwrap_or(nicest)
        } else {
            let longer = Wanted {
                end: home,
                over_bridges: true,
                budget_ms,
                ..wanted(self.graph, &self.weights, self.request, from)
            };
            let mut ways = if time < AT_HOME_MS {
                Vec::new()
            } else {
                loops(&longer, self.memory)
            };
            ways.retain(|it| it.repeated < CIRCLES && it.shape.corridor < CIRCLES);
            match ways.into_iter().next() {
                Some(it) => it.arcs,
                None => nicest,
            }
        };
        let line = line_of(self.graph, &arcs);
        let shape = self.memory.shape(&line);
        let repeated = twice(self.graph, &arcs);
        let mut found = self.found(RouteKind::OneWay, &arcs, 0, repeated, shape);
        if found.line.is_empty() {
            found.line = vec![self.graph.node(home).at; 2];
        }
        Ok(found)
    }

    /// A walk there and back from the end of one way to the beginning of another; its turn is put on the network for as
    /// long as it is measured.
    fn turned(&mut self, before: &[Arc], turn: &Turn, after: &[Arc]) -> Option<Found> {
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
        self.weights.keep_up(self.graph);
        let halves = self.graph.edges.len() as u32 - 2;
        let half = if on.is_backward() {
            Arc::new(halves + 1, true)
        } else {
            Arc::new(halves, false)
        };
        let last: Vec<Arc> = out.iter().copied().chain(Some(half)).collect();
        let mut arcs = before.to_vec();
        for _ in 0..*laps {
            arcs.extend(lap);
            arcs.extend(lap.iter().rev().map(|it| it.reversed()));
        }
        arcs.extend(&last);
        arcs.extend(last.iter().rev().map(|it| it.reversed()));
        arcs.extend(after);
        let line = line_of(self.graph, &arcs);
        let shape = self.memory.shape(&line);
        let repeated = twice(self.graph, &arcs);
        let kind = kind_by(0.0, repeated);
        let found = self.found(kind, &arcs, 0, repeated, shape);
        self.graph.remove_start(split);
        self.weights.keep_up(self.graph);
        Some(found)
    }

    /// Takes the best and then those that differ from what was taken.
    fn choose(&mut self, mut candidates: Vec<Loop>) -> Vec<Found> {
        candidates.sort_by(Loop::compare);
        candidates.truncate(60);
        let mut chosen: Vec<usize> = Vec::new();
        let mut against = vec![0.0_f64; candidates.len()];
        while chosen.len() < OPTIONS {
            if let Some(last) = chosen.last().map(|it| &candidates[*it]) {
                for (shared, it) in against.iter_mut().zip(&candidates) {
                    *shared = shared.max(self.memory.shared(&it.line, &last.line));
                }
            }
            let cost = |index: &usize| {
                candidates[*index].score + 7.0 * (against[*index] - LITTLE_SHARED).max(0.0)
            };
            let free = (0..candidates.len()).filter(|it| against[*it] <= MOST_SHARED);
            let Some(best) = free.min_by(|a, b| cost(a).total_cmp(&cost(b))) else {
                break;
            };
            chosen.push(best);
            against[best] = 1.0;
        }
        let chosen = chosen.into_iter().map(|it| &candidates[it]);
        chosen
            .map(|it| self.found(it.kind, &it.arcs, it.n_stem, it.repeated, it.shape))
            .collect()
    }

    fn found(
        &self,
        kind: RouteKind,
        arcs: &[Arc],
        n_stem: usize,
        repeated: f64,
        shape: Shape,
    ) -> Found {
        Found {
            kind,
            time_ms: time_ms(&self.weights, arcs),
            length_mm: length_mm(self.graph, arcs),
            stem_mm: length_mm(self.graph, &arcs[..n_stem]),
            repeated,
            shape,
            line: points_of(self.graph, arcs),
            steps: steps(self.graph, &self.weights, arcs),
            facts: Facts::of(self.graph, self.spots, arcs, self.dark),
        }
    }
}

/// What is looked for from a door, if nothing else is said.
fn wanted<'a>(
    graph: &'a Graph,
    weights: &'a Weights,
    request: &RouteRequest,
    door: NodeIdx,
) -> Wanted<'a> {
    Wanted {
        graph,
        weights,
        home: door,
        end: door,
        stem: &[],
        lead: &[],
        pins: &[],
        over_bridges: false,
        budget_ms: request.budget_ms(),
        towards: None,
        seed: request.seed,
    }
}

/// The order in which a walk from a door and back passes some places: each new one where it makes the walk the least longer.
fn tour(graph: &Graph, door: NodeIdx, via: &[NodeIdx]) -> Vec<NodeIdx> {
    let crow_m = |a: NodeIdx, b: NodeIdx| {
        let (a, b) = (graph.node(a), graph.node(b));
        ((a.x - b.x).powi(2) + (a.y - b.y).powi(2)).sqrt()
    };
    let mut tour = vec![door, door];
    for place in via {
        let longer = |index: &usize| {
            let (a, b) = (tour[*index - 1], tour[*index]);
            crow_m(a, *place) + crow_m(*place, b) - crow_m(a, b)
        };
        let best = (1..tour.len()).min_by(|a, b| longer(a).total_cmp(&longer(b)));
        tour.insert(best.unwrap_or(1), *place);
    }
    tour[1..tour.len() - 1].to_vec()
}

/// The cheapest way over some places in their order, which avoids what it has walked; `None` if it takes longer than
/// `longest_ms`.
fn legs(
    graph: &Graph,
    weights: &Weights,
    from: NodeIdx,
    over: &[NodeIdx],
    longest_ms: u32,
) -> Option<Vec<Arc>> {
    let mut arcs: Vec<Arc> = Vec::new();
    let mut tree = Tree::default();
    let mut walked = vec![false; graph.edges.len()];
    let (mut at, mut gone) = (from, 0_u32);
    for place in over {
        let again = |arc: Arc| if walked[arc.edge() as usize] { 64 } else { 8 };
        let left = longest_ms.saturating_sub(gone);
        tree.run(graph, weights, at, Direction::From, again, |_, time| {
            time <= left
        });
        gone = gone.saturating_add(tree.reached(*place)?.1);
        let first = arcs.len();
        tree.path(graph, *place, Direction::From, &mut arcs);
        for arc in &arcs[first..] {
            walked[arc.edge() as usize] = true;
        }
        at = *place;
    }
    Some(arcs)
}

/// What the shortest way over some places takes; the places may be passed in this order only.
fn shortest_ms(graph: &Graph, hurried: &Weights, from: NodeIdx, over: &[NodeIdx]) -> u32 {
    let mut tree = Tree::default();
    let (mut at, mut sum) = (from, 0_u32);
    for place in over {
        tree.run(graph, hurried, at, Direction::From, |_| 8, |_, _| true);
        sum = sum.saturating_add(tree.reached(*place).map_or(0, |it| it.1));
        at = *place;
    }
    sum
}

pub(super) fn time_ms(weights: &Weights, arcs: &[Arc]) -> u32 {
    arcs.iter().map(|it| weights.time(*it)).sum()
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
