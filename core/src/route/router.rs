//! Owns the answer to a request: up to three routes from a door, of which none is like another, and always one.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::candidate::{LOOSE_TOLERANCE, Loop, LoopQuery, REACH, Scratch, TOLERANCE};
use super::directions::steps;
use super::facts::{Facts, Spots};
use super::familiar::familiar;
use super::found_route::FoundRoute;
use super::generated::GeneratedRoute;
use super::graph::{Arc, Graph, Insertions, NodeIdx};
use super::kind::{RouteKind, kind_by, twice_by};
use super::line::{length_mm, line_of, twice};
use super::loops::{FORK, is_towards, loops};
use super::notice::Differs;
use super::request::{MAX_MINUTES, MIN_MINUTES, RouteRequest, is_short};
use super::search::{Direction, NO_PENALTY, Search, WALKED};
use super::shape::Shape;
use super::simple_loops::{PATIENT, Patience, QUICK, simple_loops};
use super::snap::{EdgeIndex, MAX_SNAP_M, Snap, nearest};
use super::sun;
use super::there_and_back::{TurningPoint, common_way, turning_points};
use super::weight::Weights;
use crate::map::{Point, SpotKind, Tile};
use crate::values::encoded_line;
use crate::values::place::Place;
use crate::values::plane::distance_m;

/// So many routes are offered.
const OPTIONS: usize = 3;

/// Two of them share at most this much of their length.
const MOST_SHARED: f64 = 0.5;

/// Share of its length that a route may have in common with another one at no cost. The share beyond it, times
/// `SHARED`, counts against its score.
const LITTLE_SHARED: f64 = 0.15;

const SHARED: f64 = 12.0;

/// Penalty for a way to a loop and back, where a loop from the door is asked for.
const NO_LOOP: f64 = 4.0;

/// A way to a loop and back is worth it while its time is off by no more than this share.
const LOLLIPOP_OFF: f64 = 0.03;

/// A walk home beside the way out is another way while no larger share is walked twice.
const OTHER_BANK: f64 = 0.05;

/// Number of other seeds that are tried where no loop is found: one of them leads to a loop, or there is none. On walks
/// of more than an hour, where each takes too long to search, none is tried, and no loop that takes more or less time.
const OTHER_SEEDS: u32 = 8;
const HOUR_MS: u32 = 60 * 60_000;

/// One that shares more than this with another is the same walk.
const SAME: f64 = 0.9;

/// Share of the time to try where there is no room for all of it; applied again to what is left.
const SHORTER: f64 = 0.85;

/// A loop is worth more than the longest walk there and back if it takes at least this share of its time.
const WORTH_A_LOOP: f64 = 0.75;

/// So many of the routes that were offered last are not offered again.
const MOST_SHOWN: usize = 15;

/// A walk both ways has these shares of its time for the first of them,
const FIRST_WAYS: [f64; 3] = [0.5, 0.35, 0.65];

/// and so many pairs of ways are looked at for each share.
const MOST_WAYS: usize = 6;

/// On a short walk loops may begin so far from the door, as a share of its time,
const NEAR: f64 = 0.12;

/// at so many places where ways part.
const NEAR_STARTS: usize = 6;

/// Loops of a plain search are looked for from so many places near the door.
const SIMPLE_STARTS: usize = 4;

/// Time up to which a walk is very short: on such a walk no loop that is off by seconds is enough while there may be a
/// better one.
const VERY_SHORT_MS: u32 = 10 * 60_000;

/// So many of the best loops are compared with each other.
const COMPARED: usize = 60;

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

/// Name of a route to a place.
const WAY_NAME: &str = "The way there";

/// Instruction at its end: the map knows the nearest street, and not which door.
const WAY_ENDS: &str = "You've arrived";

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
        /// Least time that such a walk takes, in minutes.
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
    index: EdgeIndex,
    spots: Spots,
    scratch: Scratch,
}

impl Router {
    /// For these tiles; those around the start, as far as half the walk reaches.
    pub fn new(tiles: &[Tile]) -> Self {
        let mut graph = Graph::of(tiles);
        let index = EdgeIndex::of(&graph);
        let spots = Spots::of(&graph);
        let water: Vec<_> = spots.of_kind(&graph, SpotKind::DrinkingWater).collect();
        for at in water {
            for edge in index.near(at, WATER_M) {
                if nearest(&graph, edge, at).distance_m <= WATER_M {
                    graph.edges[edge as usize].near_water_to_drink = true;
                }
            }
        }
        Self {
            graph,
            index,
            spots,
            scratch: Scratch::default(),
        }
    }

    /// Returns the network of the tiles.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Up to three routes in the form of the screens, the best first; at least one.
    pub fn generate(&mut self, request: &RouteRequest) -> Result<Vec<GeneratedRoute>, RouteError> {
        let found = self.routes(request)?;
        Ok(GeneratedRoute::all(request, &found))
    }

    /// Up to three routes, the best first; at least one.
    pub fn routes(&mut self, request: &RouteRequest) -> Result<Vec<FoundRoute>, RouteError> {
        if request.via.len() > MAX_VIA {
            return Err(RouteError::TooManyPlaces);
        }
        let mut places = vec![request.start_location];
        places.extend(&request.via);
        let snaps = self.snapped(&places)?;
        let mut found = self.between(&snaps, request, |task, nodes| match nodes {
            [door] => task.around(*door),
            [door, via @ ..] => task.over(*door, via),
            [] => Err(RouteError::NoNetwork),
        })?;
        if let [door] = snaps.as_slice()
            && found.iter().all(FoundRoute::has_no_room)
            && let Some(larger) = self.larger_network(request.start_location, door)
        {
            let others = self.between(&[larger], request, |task, nodes| match nodes {
                [start] => task.around(*start),
                _ => Err(RouteError::NoNetwork),
            });
            if let Ok(others) = others {
                found.truncate(1);
                found.retain(|it| !it.was_shown());
                found.extend(others);
                found.truncate(OPTIONS);
            }
        }
        Ok(found)
    }

    /// Finds where a larger network than that of a door begins, if one is within reach.
    fn larger_network(&self, place: Place, door: &Snap) -> Option<Snap> {
        let larger = self.index.snap_to_larger(&self.graph, Point::at(place))?;
        (self.component(&larger) != self.component(door)).then_some(larger)
    }

    /// The part of the network in which a place lies.
    fn component(&self, snap: &Snap) -> u32 {
        let end = self.graph.edges[snap.edge as usize].ends[0];
        self.graph.component[end as usize]
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
        let snaps = self.snapped(&[from, home])?;
        let found = self.between(&snaps, &request, |task, nodes| match nodes {
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
        snaps: &[Snap],
        request: &RouteRequest,
        find: impl FnOnce(&mut Task, &[NodeIdx]) -> Result<Vec<FoundRoute>, RouteError>,
    ) -> Result<Vec<FoundRoute>, RouteError> {
        let mut insertions = Insertions::default();
        let nodes: Option<Vec<NodeIdx>> = snaps
            .iter()
            .map(|it| insertions.put(&mut self.graph, it.edge, it.share))
            .collect();
        let found = nodes.ok_or(RouteError::NoNetwork).and_then(|nodes| {
            let mut task = self.task(request, &nodes);
            find(&mut task, &nodes)
        });
        insertions.remove(&mut self.graph);
        found
    }

    /// The nearest way of each place, all in one component: that of the first place, or the larger one near it from which the
    /// others can be reached.
    fn snapped(&self, places: &[Place]) -> Result<Vec<Snap>, RouteError> {
        let Some((first, others)) = places.split_first() else {
            return Ok(Vec::new());
        };
        let point = Point::at(*first);
        let nearest = self.index.snap(&self.graph, point, None);
        let nearest = nearest.ok_or(RouteError::NoNetwork)?;
        let from = |first: Snap| {
            let component = Some(self.component(&first));
            let others = others.iter().map(|place| {
                let point = Point::at(*place);
                let snap = self.index.snap(&self.graph, point, component);
                snap.ok_or_else(|| match self.index.snap(&self.graph, point, None) {
                    Some(_) => RouteError::NotConnected,
                    None => RouteError::NoNetwork,
                })
            });
            std::iter::once(Ok(first)).chain(others).collect()
        };
        let larger = || self.index.snap_to_larger(&self.graph, point);
        match from(nearest) {
            Err(RouteError::NotConnected) => larger().map_or(Err(RouteError::NotConnected), from),
            snaps => snaps,
        }
    }

    /// Makes ready for a request whose places are these nodes.
    fn task<'a>(&'a mut self, request: &'a RouteRequest, nodes: &[NodeIdx]) -> Task<'a> {
        let start = nodes.first().map_or((0.0, 0.0), |it| {
            let node = self.graph.node(*it);
            (node.x, node.y)
        });
        let length_m = request.length_m();
        self.scratch.make_room(start, length_m);
        let known = if request.familiar.is_empty() {
            Vec::new()
        } else {
            let lines = &request.familiar;
            familiar(&self.graph, &self.index, lines, start, length_m * REACH)
        };
        let dark = request
            .at
            .is_some_and(|at| sun::is_dark(request.start_location, at, request.budget_ms()));
        let shown = request.shown.iter().rev().take(MOST_SHOWN);
        let shown = shown.filter_map(|it| encoded_line::decode(it));
        let shown = shown.map(|it| {
            it.iter()
                .map(|at| self.graph.plane(Point::at(*at)))
                .collect()
        });
        let shown: Vec<Vec<(f64, f64)>> = shown.collect();
        Task {
            weights: Weights::of(&self.graph, request, known),
            graph: &mut self.graph,
            spots: &self.spots,
            scratch: &mut self.scratch,
            request,
            shown,
            dark,
        }
    }
}

/// The start of a loop near a door, and the way there.
struct StartNearby {
    home: NodeIdx,
    stem: Vec<Arc>,
}

/// One request, while its places are on the network.
struct Task<'a> {
    graph: &'a mut Graph,
    spots: &'a Spots,
    scratch: &'a mut Scratch,
    weights: Weights,
    request: &'a RouteRequest,
    /// Lines of what was offered before, in the plane of the graph.
    shown: Vec<Vec<(f64, f64)>>,
    dark: bool,
}

impl Task<'_> {
    /// Routes from a door, wherever they lead.
    fn around(&mut self, door: NodeIdx) -> Result<Vec<FoundRoute>, RouteError> {
        let mut candidates = self.loops(door, self.request.towards);
        if candidates.is_empty() && self.request.towards.is_some() {
            candidates = self.loops(door, None);
        }
        let mut found = self.offered(door, &candidates);
        let has_loops = !candidates.is_empty();
        if found.is_empty() && !has_loops {
            found = self.longest(door);
        }
        if found.is_empty() && !self.shown.is_empty() {
            // All that there is was offered before.
            self.shown.clear();
            found = self.offered(door, &candidates);
            if found.is_empty() && !has_loops {
                found = self.longest(door);
            }
            for it in &mut found {
                it.differs.was_shown = true;
            }
        }
        if found.is_empty() {
            Err(RouteError::NoNetwork)
        } else {
            Ok(found)
        }
    }

    /// The best loops that were not offered before, and where these are too few, walks there and back.
    fn offered(&mut self, door: NodeIdx, candidates: &[Loop]) -> Vec<FoundRoute> {
        let mut found = self.choose(candidates);
        if found.len() == OPTIONS {
            return found;
        }
        let budget_ms = self.request.budget_ms();
        self.add_there_and_back(door, budget_ms, &mut found);
        if found.len() < OPTIONS && (!self.shown.is_empty() || found.is_empty()) {
            let both_ways = self.both_ways(door);
            found.extend(both_ways.into_iter().take(OPTIONS - found.len()));
        }
        if found.is_empty() && !self.shown.is_empty() {
            for seed in 1..=OTHER_SEEDS {
                let seed = self.request.seed.wrapping_add(seed);
                let weights = self.weights.with_seed(self.graph, seed);
                let before = std::mem::replace(&mut self.weights, weights);
                self.add_there_and_back(door, budget_ms, &mut found);
                self.weights = before;
            }
        }
        found
    }

    /// Adds walks there and back that were not offered before: first those that share little with what is there, then those
    /// that are not the same.
    fn add_there_and_back(&mut self, door: NodeIdx, budget_ms: u32, found: &mut Vec<FoundRoute>) {
        let mut points = turning_points(self.graph, &self.weights, door, budget_ms).points;
        if let Some(towards) = self.request.towards {
            points.sort_by_key(|it| !is_towards(towards, it.sector));
        }
        let mut lines: Vec<_> = found.iter().map(|it| self.plane_line(it)).collect();
        let mut others = Vec::new();
        for point in &points {
            if found.len() == OPTIONS {
                return;
            }
            let Some(walk) = self.there_and_back(&[], point, &[]) else {
                continue;
            };
            let line = self.plane_line(&walk);
            if self.most_shared(&line) > SAME {
                continue;
            }
            if self.is_like(&line, &lines, MOST_SHARED) {
                others.push((line, walk));
            } else {
                lines.push(line);
                found.push(walk);
            }
        }
        for (line, walk) in others {
            if found.len() < OPTIONS && !self.is_like(&line, &lines, SAME) {
                lines.push(line);
                found.push(walk);
            }
        }
    }

    /// Returns true if a line shares more than this with one of the others.
    fn is_like(&mut self, line: &[(f64, f64)], others: &[Vec<(f64, f64)>], most: f64) -> bool {
        let mut others = others.iter();
        others.any(|it| self.scratch.shared(line, it) > most)
    }

    /// The longest good walks, where the network has no room for the time that was asked for: a loop, if one takes not much
    /// less than what there is else.
    fn longest(&mut self, door: NodeIdx) -> Vec<FoundRoute> {
        let asked = self.request.budget_ms() / 60_000;
        let turning = turning_points(self.graph, &self.weights, door, self.request.budget_ms());
        let Some((farthest_ms, farthest)) = turning.farthest else {
            return Vec::new();
        };
        // What was shown before had room all the same.
        let shown = std::mem::take(&mut self.shown);
        let has_room = !turning.points.is_empty() || !self.both_ways(door).is_empty();
        self.shown = shown;
        if has_room {
            return Vec::new();
        }
        let farthest_minutes = farthest_ms / 60_000;
        let least = (f64::from(farthest_minutes) * WORTH_A_LOOP) as u32;
        let loops = |task: &mut Task| {
            let mut candidates = task.loops_of_seed(door, None);
            candidates.retain(|it| it.kind == RouteKind::Loop);
            task.choose(&candidates)
        };
        let mut found = self.longest_of(asked, least, loops);
        if found.is_empty() {
            let both_ways = |task: &mut Task| task.both_ways(door);
            found = self.longest_of(asked, farthest_minutes, both_ways);
        }
        if found.is_empty() {
            let walk = self.there_and_back(&[], &farthest, &[]);
            found.extend(walk.filter(|it| !self.was_shown(it)));
            self.add_there_and_back(door, farthest_ms, &mut found);
        }
        for it in &mut found {
            it.differs.has_no_room = true;
        }
        found
    }

    /// Finds routes for the longest time below the one asked for, down to another one, in minutes.
    fn longest_of(
        &mut self,
        asked: u32,
        least: u32,
        mut find: impl FnMut(&mut Task) -> Vec<FoundRoute>,
    ) -> Vec<FoundRoute> {
        let shorter = |minutes: u32, times: f64| (f64::from(minutes) * times) as u32;
        let mut minutes = shorter(asked, SHORTER);
        while minutes >= least.max(MIN_MINUTES) {
            let found = self.with_request(minutes, self.request.seed, &mut find);
            if !found.is_empty() {
                let longer = shorter(minutes, 1.0 / SHORTER.sqrt());
                let more = self.with_request(longer, self.request.seed, &mut find);
                return if more.is_empty() { found } else { more };
            }
            minutes = shorter(minutes, SHORTER);
        }
        Vec::new()
    }

    /// Does something as if another time had been asked for.
    fn with_request<T>(&mut self, minutes: u32, seed: u32, find: impl FnOnce(&mut Task) -> T) -> T {
        let request = RouteRequest {
            duration: minutes,
            seed,
            ..self.request.clone()
        };
        let weights = if seed == self.request.seed {
            self.weights.clone()
        } else {
            self.weights.with_seed(self.graph, seed)
        };
        let mut task = Task {
            weights,
            graph: self.graph,
            spots: self.spots,
            scratch: self.scratch,
            request: &request,
            shown: std::mem::take(&mut self.shown),
            dark: self.dark,
        };
        let found = find(&mut task);
        self.shown = task.shown;
        found
    }

    /// Walks there and back by one way and then by another, from where these part. For who was offered all others, and where
    /// neither way alone is long enough.
    fn both_ways(&mut self, door: NodeIdx) -> Vec<FoundRoute> {
        let half_ms = self.request.budget_ms() / 2;
        let near = turning_points(self.graph, &self.weights, door, half_ms).points;
        let stem = common_way(&near);
        let stem_back: Vec<Arc> = stem.iter().rev().map(|it| it.reversed()).collect();
        let stem_ms = time_ms(&self.weights, stem) + time_ms(&self.weights, &stem_back);
        let from = stem.last().map_or(door, |it| self.graph.to(*it));
        let budget_ms = self.request.budget_ms().saturating_sub(stem_ms);
        let mut found: Vec<FoundRoute> = Vec::new();
        let mut lines = Vec::new();
        for share in FIRST_WAYS {
            let first_ms = (f64::from(budget_ms) * share) as u32;
            let [firsts, seconds] = [first_ms, budget_ms - first_ms]
                .map(|ms| turning_points(self.graph, &self.weights, from, ms).points);
            let ways = firsts.iter().flat_map(|first| {
                let others = seconds.iter().filter(|it| !it.leaves_as(first));
                others.map(move |second| (first, second))
            });
            for (first, second) in ways.take(MOST_WAYS) {
                // Where they come together again, nobody goes a third time.
                let meets = first.out.iter().any(|it| second.out.contains(it));
                if meets || first.out.contains(&second.on) || second.out.contains(&first.on) {
                    continue;
                }
                let walk = self.turned(first, |task, arcs| {
                    task.there_and_back(&[stem, arcs].concat(), second, &stem_back)
                });
                let Some(walk) = walk.flatten() else {
                    continue;
                };
                let line = self.plane_line(&walk);
                if self.most_shared(&line) <= SAME && !self.is_like(&line, &lines, SAME) {
                    lines.push(line);
                    found.push(walk);
                }
                if found.len() == OPTIONS {
                    return found;
                }
            }
        }
        found
    }

    fn plane_line(&self, route: &FoundRoute) -> Vec<(f64, f64)> {
        route.line.iter().map(|it| self.graph.plane(*it)).collect()
    }

    fn was_shown(&mut self, route: &FoundRoute) -> bool {
        let line = self.plane_line(route);
        self.most_shared(&line) > SAME
    }

    /// The largest share of a line that one of those has that were offered before.
    fn most_shared(&mut self, line: &[(f64, f64)]) -> f64 {
        let shares = self.shown.iter().map(|it| self.scratch.shared(line, it));
        shares.fold(0.0, f64::max)
    }

    /// All that is no walk there and back, the best first.
    fn loops(&mut self, door: NodeIdx, towards: Option<u8>) -> Vec<Loop> {
        let mut all = self.loops_of_seed(door, towards);
        let mut loose = Vec::new();
        let are_loops_rare = !has_loop(&all);
        if are_loops_rare {
            let near = self.ways_around(door);
            all.extend(self.simple_loops(door, near.first(), TOLERANCE, PATIENT));
            let is_usual = (VERY_SHORT_MS + 1..=HOUR_MS).contains(&self.request.budget_ms());
            if !has_loop(&all) && is_usual {
                loose = self.simple_loops(door, &near, LOOSE_TOLERANCE, QUICK);
                let in_time = |it: &mut Loop| it.off <= TOLERANCE;
                all.extend(loose.extract_if(.., in_time));
            }
        }
        if !has_loop(&all) {
            all.extend(self.loops_of_other_seeds(door, towards));
        }
        // Where the way is the same, `there_and_back` meets the time to the second.
        all.retain(|it| {
            let is_worth_it = it.off <= LOLLIPOP_OFF;
            // The other bank of a canal is better than the same way back.
            let is_other_way = it.kind == RouteKind::Lollipop || it.repeated <= OTHER_BANK;
            it.kind == RouteKind::Loop || is_other_way && is_worth_it
        });
        if !has_loop(&all) {
            all.extend(loose.into_iter().filter(|it| it.kind == RouteKind::Loop));
        }
        all.sort_by(Loop::compare);
        let best = all.iter().find(|it| it.kind == RouteKind::Loop);
        if let Some(best) = best.filter(|_| are_loops_rare) {
            // A way to a loop and back whose time is nearer would crowd out the loop, of which it is a part.
            let line = best.line.clone();
            all.retain(|it| {
                it.kind == RouteKind::Loop || self.scratch.shared(&line, &it.line) <= MOST_SHARED
            });
        }
        all
    }

    /// The nearest places to a door that lie on a way around, the nearest first.
    fn ways_around(&self, door: NodeIdx) -> Vec<StartNearby> {
        // A longer way there makes it no loop.
        let near_ms = (f64::from(self.request.budget_ms()) * NEAR) as u32;
        let mut tree = Search::default();
        tree.run(
            self.graph,
            &self.weights,
            door,
            Direction::From,
            |_| NO_PENALTY,
            |_, time| time <= near_ms,
        );
        let is_around = |node: &NodeIdx| {
            let exits = self.graph.exits(*node).iter();
            exits
                .filter(|it| !self.graph.edge(it.arc).is_bridge)
                .count()
                > 1
        };
        let mut nodes = tree.settled().iter().copied().filter(is_around);
        let first = nodes.next();
        let forks = nodes.filter(|it| self.graph.exits(*it).len() >= FORK);
        let starts = first.into_iter().chain(forks).map(|home| {
            let mut stem = Vec::new();
            tree.path(self.graph, home, Direction::From, &mut stem);
            StartNearby { home, stem }
        });
        starts.take(SIMPLE_STARTS).collect()
    }

    /// Loops of a plain search from places near the door.
    fn simple_loops<'a>(
        &mut self,
        door: NodeIdx,
        starts: impl IntoIterator<Item = &'a StartNearby>,
        tolerance: f64,
        patience: Patience,
    ) -> Vec<Loop> {
        let mut all = Vec::new();
        for StartNearby { home, stem } in starts {
            let query = LoopQuery {
                home: *home,
                end: *home,
                stem,
                tolerance,
                ..query(self.graph, &self.weights, self.request, door)
            };
            all.extend(simple_loops(&query, patience, self.scratch));
        }
        all
    }

    /// Loops from the first place that has room for one, with the way to it, or over ways that have no way around.
    fn loops_of_seed(&mut self, door: NodeIdx, towards: Option<u8>) -> Vec<Loop> {
        let mut all = self.loops_with_room(door, towards);
        if !has_loop(&all) {
            let query = LoopQuery {
                over_bridges: true,
                towards,
                ..query(self.graph, &self.weights, self.request, door)
            };
            all.extend(loops(&query, self.scratch));
        }
        all
    }

    /// Loops that are looked for elsewhere and by who likes other quarters, up to the first.
    fn loops_of_other_seeds(&mut self, door: NodeIdx, towards: Option<u8>) -> Vec<Loop> {
        let mut all = Vec::new();
        let n_seeds = if self.request.budget_ms() <= HOUR_MS {
            OTHER_SEEDS
        } else {
            0
        };
        for seed in 1..=n_seeds {
            let seed = self.request.seed.wrapping_add(seed);
            let minutes = self.request.duration;
            let of_seed = |task: &mut Task| task.loops_of_seed(door, towards);
            all.extend(self.with_request(minutes, seed, of_seed));
            if has_loop(&all) {
                break;
            }
        }
        all
    }

    /// Loops within the nearest 2-edge-connected component that has as many ways as they are long, and where it gives none,
    /// within the next. Short ones, of which there are few, begin at other places near the door, too, until there is one.
    fn loops_with_room(&mut self, door: NodeIdx, towards: Option<u8>) -> Vec<Loop> {
        let budget_ms = self.request.budget_ms();
        let length_m = self.weights.flat_m(budget_ms);
        let mut tree = Search::default();
        tree.run(
            self.graph,
            &self.weights,
            door,
            Direction::From,
            |_| NO_PENALTY,
            |_, time| time < budget_ms / 2,
        );
        let near_ms = if is_short(budget_ms) {
            (f64::from(budget_ms) * NEAR) as u32
        } else {
            0
        };
        let is_enough =
            |it: &Loop| it.is_good() || it.kind == RouteKind::Loop && budget_ms > VERY_SHORT_MS;
        let mut tried = Vec::new();
        let mut all: Vec<Loop> = Vec::new();
        for node in tree.settled() {
            let component = self.graph.two_edge_component[*node as usize];
            let room_m = self.graph.two_edge_component_m[component as usize];
            let Some((_, time)) = tree.reached(*node) else {
                continue;
            };
            let is_near = time <= near_ms;
            if all.iter().any(is_enough) || !all.is_empty() && !is_near {
                break;
            }
            let left_m = length_m * (1.0 - 2.0 * f64::from(time) / f64::from(budget_ms));
            let is_new = !tried.contains(&component);
            let is_fork = is_near && self.graph.exits(*node).len() >= FORK;
            if room_m < ROOM * left_m || !is_new && !is_fork {
                continue;
            }
            tried.push(component);
            let mut stem = Vec::new();
            tree.path(self.graph, *node, Direction::From, &mut stem);
            let query = LoopQuery {
                home: *node,
                end: *node,
                stem: &stem,
                towards,
                ..query(self.graph, &self.weights, self.request, door)
            };
            all.extend(loops(&query, self.scratch));
            if tried.len() >= if is_near { NEAR_STARTS } else { LOLLIPOPS } {
                break;
            }
        }
        all
    }

    /// Routes from a door over places that have to be passed.
    fn over(&mut self, door: NodeIdx, via: &[NodeIdx]) -> Result<Vec<FoundRoute>, RouteError> {
        let there = tour(self.graph, door, via);
        let back: Vec<NodeIdx> = there.iter().rev().copied().collect();
        let mut candidates = Vec::new();
        for tour in [&there, &back] {
            let budget_ms = self.request.budget_ms();
            let Some(lead) = legs(self.graph, &self.weights, door, tour, budget_ms) else {
                continue;
            };
            let query = LoopQuery {
                lead: &lead,
                via,
                over_bridges: true,
                ..query(self.graph, &self.weights, self.request, door)
            };
            candidates.extend(loops(&query, self.scratch));
        }
        candidates.sort_by(Loop::compare);
        let found = self.choose(&candidates);
        if found.is_empty() {
            self.straight_over(door, &there).map(|it| vec![it])
        } else {
            Ok(found)
        }
    }

    /// The way over some places and back where no loop leads over them; what is left of the time is walked there and back
    /// from the last of them.
    fn straight_over(&mut self, door: NodeIdx, via: &[NodeIdx]) -> Result<FoundRoute, RouteError> {
        let budget_ms = self.request.budget_ms();
        let latest_ms = (f64::from(budget_ms) * (1.0 + LATE)) as u32;
        let fastest = self.weights.fastest();
        let and_back: Vec<NodeIdx> = via.iter().copied().chain([door]).collect();
        let in_time = [&self.weights, &fastest].into_iter().find_map(|weights| {
            let arcs = legs(self.graph, weights, door, &and_back, u32::MAX)?;
            (time_ms(&self.weights, &arcs) <= latest_ms).then_some(arcs)
        });
        let Some(arcs) = in_time else {
            let least_ms = shortest_ms(self.graph, &fastest, door, &and_back);
            let minutes = least_ms.div_ceil(60_000);
            return Err(RouteError::TooFar { minutes });
        };
        let left_ms = budget_ms.saturating_sub(time_ms(&self.weights, &arcs));
        let has_time = f64::from(left_ms) > LATE * f64::from(budget_ms);
        if let Some(last) = via.last().filter(|_| has_time) {
            let met = arcs.iter().position(|it| self.graph.to(*it) == *last);
            let (before, after) = arcs.split_at(met.map_or(0, |it| it + 1));
            let from = before.last().map_or(door, |it| self.graph.to(*it));
            let turning = turning_points(self.graph, &self.weights, from, left_ms);
            let farthest = || turning.farthest.as_ref().map(|it| &it.1);
            let nicest = turning.points.first().or_else(farthest);
            if let Some(mut found) = nicest.and_then(|it| self.there_and_back(before, it, after)) {
                found.differs.has_no_room = turning.points.is_empty();
                return Ok(found);
            }
        }
        let mut found = self.without_loop(&arcs);
        found.differs.has_no_room = has_time;
        Ok(found)
    }

    /// The way home, in the time that is left.
    fn home(
        &mut self,
        from: NodeIdx,
        home: NodeIdx,
        budget_ms: u32,
    ) -> Result<FoundRoute, RouteError> {
        let nicest = legs(self.graph, &self.weights, from, &[home], u32::MAX);
        let nicest = nicest.ok_or(RouteError::NotConnected)?;
        let nicest_ms = time_ms(&self.weights, &nicest);
        let arcs = if nicest_ms > budget_ms {
            let fastest = self.weights.fastest();
            legs(self.graph, &fastest, from, &[home], u32::MAX).unwrap_or(nicest)
        } else if nicest_ms < AT_HOME_MS {
            nicest
        } else {
            self.longer_way_home(from, home, budget_ms)
                .unwrap_or(nicest)
        };
        let mut found = FoundRoute {
            kind: RouteKind::OneWay,
            ..self.without_loop(&arcs)
        };
        if found.line.is_empty() {
            found.line = vec![self.graph.node(home).at; 2];
        }
        Ok(found)
    }

    /// A way home that takes all of the time and leads in no circle.
    fn longer_way_home(
        &mut self,
        from: NodeIdx,
        home: NodeIdx,
        budget_ms: u32,
    ) -> Option<Vec<Arc>> {
        let query = LoopQuery {
            end: home,
            over_bridges: true,
            budget_ms,
            ..query(self.graph, &self.weights, self.request, from)
        };
        let ways = loops(&query, self.scratch).into_iter();
        let is_straight = |it: &Loop| it.repeated < CIRCLES && it.shape.corridor < CIRCLES;
        ways.filter(is_straight).map(|it| it.arcs).next()
    }

    /// A walk there and back from the end of one way to the beginning of another.
    fn there_and_back(
        &mut self,
        before: &[Arc],
        point: &TurningPoint,
        after: &[Arc],
    ) -> Option<FoundRoute> {
        self.turned(point, |task, both_ways| {
            let arcs = [before, both_ways, after].concat();
            task.without_loop(&arcs)
        })
    }

    /// Puts a turning point on the network for as long as something is done with the way there and back.
    fn turned<T>(
        &mut self,
        point: &TurningPoint,
        with: impl FnOnce(&mut Self, &[Arc]) -> T,
    ) -> Option<T> {
        let TurningPoint { out, on, share, .. } = point;
        let share = if on.is_backward() {
            1.0 - share
        } else {
            *share
        };
        let split = self.graph.split_edge(on.edge(), share)?;
        self.weights.update(self.graph);
        let half = if on.is_backward() {
            Arc::new(split.first_half + 1, true)
        } else {
            Arc::new(split.first_half, false)
        };
        let last: Vec<Arc> = out.iter().copied().chain(Some(half)).collect();
        let mut arcs = Vec::new();
        push_both_ways(&last, &mut arcs);
        let made = with(self, &arcs);
        self.graph.join_again(split);
        self.weights.update(self.graph);
        Some(made)
    }

    /// Takes the best and then those that differ from what was taken, and from what was offered before.
    fn choose(&mut self, candidates: &[Loop]) -> Vec<FoundRoute> {
        let candidates = &candidates[..candidates.len().min(COMPARED)];
        let mut chosen: Vec<usize> = Vec::new();
        let lines = candidates.iter().map(|it| &it.line);
        let mut against: Vec<f64> = lines.map(|it| self.most_shared(it)).collect();
        while chosen.len() < OPTIONS {
            if let Some(last) = chosen.last().map(|it| &candidates[*it]) {
                for (shared, it) in against.iter_mut().zip(candidates) {
                    *shared = shared.max(self.scratch.shared(&it.line, &last.line));
                }
            }
            let cost = |index: &usize| {
                let candidate = &candidates[*index];
                let is_loop = candidate.kind == RouteKind::Loop;
                candidate.score
                    + SHARED * (against[*index] - LITTLE_SHARED).max(0.0)
                    + if is_loop { 0.0 } else { NO_LOOP }
            };
            let best_below = |most: f64| {
                let free = (0..candidates.len()).filter(|it| against[*it] <= most);
                free.min_by(|a, b| cost(a).total_cmp(&cost(b)))
            };
            let another = || best_below(SAME).filter(|_| chosen.is_empty());
            let Some(best) = best_below(MOST_SHARED).or_else(another) else {
                break;
            };
            chosen.push(best);
            against[best] = 1.0;
        }
        let chosen = chosen.into_iter().map(|it| &candidates[it]);
        let routes = chosen.map(|it| {
            let mut found = self.found(it.kind, &it.arcs, it.n_stem, it.repeated, it.shape);
            found.differs.has_other_time = it.off > TOLERANCE;
            found
        });
        routes.collect()
    }

    /// A way that is no loop, or not known as one.
    fn without_loop(&mut self, arcs: &[Arc]) -> FoundRoute {
        let line = line_of(self.graph, arcs);
        let shape = self.scratch.shape(&line);
        let repeated = twice(self.graph, arcs);
        let kind = kind_by(0.0, repeated, shape.beside);
        self.found(kind, arcs, 0, repeated, shape)
    }

    fn found(
        &self,
        kind: RouteKind,
        arcs: &[Arc],
        n_stem: usize,
        repeated: f64,
        shape: Shape,
    ) -> FoundRoute {
        let on_wheels = self.request.preferences.on_wheels;
        let mut facts = Facts::of(self.graph, self.spots, arcs, self.dark, on_wheels);
        let same_way = facts.twice;
        facts.twice = twice_by(same_way, shape.beside);
        facts.is_side_by_side = facts.twice - same_way > same_way;
        FoundRoute {
            kind,
            time_ms: time_ms(&self.weights, arcs),
            length_mm: length_mm(self.graph, arcs),
            stem_mm: length_mm(self.graph, &arcs[..n_stem]),
            repeated,
            shape,
            line: points_of(self.graph, arcs),
            steps: steps(self.graph, &self.weights, arcs),
            starts_on: arcs.first().and_then(|it| {
                let street = self.graph.own_name(self.graph.edge(*it));
                street.map(str::to_owned)
            }),
            differs: Differs::default(),
            facts,
        }
    }
}

fn has_loop(found: &[Loop]) -> bool {
    found.iter().any(|it| it.kind == RouteKind::Loop)
}

/// Returns the query for loops from a door, with the time and seed of the request and no direction.
fn query<'a>(
    graph: &'a Graph,
    weights: &'a Weights,
    request: &RouteRequest,
    door: NodeIdx,
) -> LoopQuery<'a> {
    LoopQuery {
        graph,
        weights,
        home: door,
        end: door,
        stem: &[],
        lead: &[],
        via: &[],
        over_bridges: false,
        budget_ms: request.budget_ms(),
        tolerance: TOLERANCE,
        towards: None,
        seed: request.seed,
    }
}

/// Appends a way, and the same way back.
fn push_both_ways(way: &[Arc], to: &mut Vec<Arc>) {
    to.extend(way);
    to.extend(way.iter().rev().map(|it| it.reversed()));
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
    let mut tree = Search::default();
    let mut walked = vec![false; graph.edges.len()];
    let (mut at, mut gone_ms) = (from, 0_u32);
    for place in over {
        let penalty = |arc: Arc| {
            if walked[arc.edge() as usize] {
                WALKED
            } else {
                NO_PENALTY
            }
        };
        let left_ms = longest_ms.saturating_sub(gone_ms);
        let in_time = |_, time| time <= left_ms;
        tree.run(graph, weights, at, Direction::From, penalty, in_time);
        gone_ms = gone_ms.saturating_add(tree.reached(*place)?.1);
        let first = arcs.len();
        tree.path(graph, *place, Direction::From, &mut arcs);
        for arc in &arcs[first..] {
            walked[arc.edge() as usize] = true;
        }
        at = *place;
    }
    Some(arcs)
}

/// Returns the time of the shortest way over some places, in milliseconds; the places may be passed in this order only.
fn shortest_ms(graph: &Graph, fastest: &Weights, from: NodeIdx, over: &[NodeIdx]) -> u32 {
    let mut tree = Search::default();
    let (mut at, mut sum_ms) = (from, 0_u32);
    for place in over {
        tree.run(
            graph,
            fastest,
            at,
            Direction::From,
            |_| NO_PENALTY,
            |_, _| true,
        );
        sum_ms = sum_ms.saturating_add(tree.reached(*place).map_or(0, |it| it.1));
        at = *place;
    }
    sum_ms
}

/// Returns the time of a way in milliseconds.
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
