//! Owns a loop while it is judged: what was asked for, how far it is off, and the memory that searches work in.

use std::cmp::Ordering;

use super::facts::climb_m;
use super::graph::{Arc, Graph, NodeIdx};
use super::grid::{CORRIDOR_M, Grid};
use super::kind::{RouteKind, kind_by};
use super::line::{SECTORS, length_mm, line_of};
use super::request::is_short;
use super::search::{Direction, FORBIDDEN, NO_PENALTY, Search};
use super::shape::{Shape, samples, shape};
use super::weight::{Weights, scramble};

/// A loop is considered if its time is off by no more than this share.
pub(super) const TOLERANCE: f64 = 0.075;
/// A loop that takes a little more or less than was asked for is better than the same way home: where no other is found, this
/// share is no more than two minutes of a quarter of an hour.
pub(super) const LOOSE_TOLERANCE: f64 = 0.12;
/// Nobody feels that a walk is off by this share of its time: seven seconds of half an hour.
pub(super) const TIME_SLACK: f64 = 0.004;
/// A loop that is off by no more than this share, without a spur longer than this, need not be looked for any harder.
const GOOD: f64 = 0.012;
const GOOD_SPUR_M: f64 = 20.0;
/// Length in meters from which a spur makes a loop none.
const LONG_SPUR_M: f64 = 30.0;
/// From this compactness on a loop is round enough.
const ROUND: f64 = 0.45;
/// A walk leads no farther from its door than this share of its length: downhill a little farther than half of it.
pub(super) const REACH: f64 = 0.65;
/// The golden angle as a share of the circle.
const GOLDEN_TURNS: f64 = 0.381_966_011_250_105;

/// Penalty in a loop's score for the share by which its time is off. All penalties are in one unit that means nothing
/// by itself.
const TIME_OFF: f64 = 200.0;
/// Penalty for the share that is walked twice, a stem included.
const REPEATED: f64 = 18.0;
/// Penalty for the share that lies beside another part of the walk.
const CORRIDOR: f64 = 20.0;
/// Penalty for the compactness that a loop lacks to be `ROUND`.
const HOLLOW: f64 = 1.6;
/// Penalty for one turn per kilometer. On a short loop turns weigh more: its few turns are half of what it is like.
const TURN: f64 = 0.6;
const SHORT_TURN: f64 = 2.4;
/// Penalty for the ways' factor of liking, on average over the loop; more where parks are worth a turn.
const LIKED: f64 = 7.7;
const LIKED_FOR_PARKS: f64 = 10.0;
/// Penalty for as much climb as is usual there, for those who want it flat; for those who want hills a bonus.
const HILLS: f64 = 14.0;
/// Penalty for a loop with steps, for those on wheels.
const BARRED: f64 = 20.0;
/// Penalty for each meter of a spur beyond `GOOD_SPUR_M`.
const SPUR: f64 = 0.06;
/// Penalty for a loop on the side opposite to the one where the request or the seed would have it.
const SIDE: f64 = 4.0;
/// Bonus for a loop with water to drink, and for a meeting point there, where it is asked for.
pub(super) const WATER: f64 = 6.0;

/// How hard loops are looked for.
pub(super) struct Effort {
    /// Anchors stand so far out, as shares of the loop's time.
    pub(super) rings: &'static [f64],
    /// So many anchors are tried besides, of all those in `OUT`.
    pub(super) more_anchors: usize,
    /// Meeting points tried for each anchor.
    pub(super) meetings: usize,
}

const USUAL: Effort = Effort {
    rings: &[0.30, 0.38],
    more_anchors: 0,
    meetings: 10,
};

/// Effort where the search may use ways that have no way around.
const OVER_BRIDGES: Effort = Effort {
    rings: THOROUGH.rings,
    ..USUAL
};

/// Effort where there are few loops: on short walks, and where none of the others is a good one.
pub(super) const THOROUGH: Effort = Effort {
    rings: &[0.17, 0.23, 0.30, 0.38, 0.45],
    more_anchors: 32,
    meetings: 20,
};

/// A loop that was found.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) kind: RouteKind,
    /// Arcs from the start back to the start.
    pub(super) arcs: Vec<Arc>,
    /// How many arcs at each end are the way to the first crossing and back.
    pub(super) n_stem: usize,
    /// Share of the length, without the stem, that is walked twice.
    pub(super) repeated: f64,
    pub(super) shape: Shape,
    /// Sum of the penalties; less is better.
    pub(super) score: f64,
    /// Line in the plane of the graph.
    pub(super) line: Vec<(f64, f64)>,
    /// Share by which the time is off.
    pub(super) off: f64,
}

impl Loop {
    /// The better one first.
    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let by_score = || self.score.total_cmp(&other.score);
        self.kind.cmp(&other.kind).then_with(by_score)
    }

    pub(super) fn is_good(&self) -> bool {
        self.kind == RouteKind::Loop && self.off <= GOOD && self.shape.spur_m <= GOOD_SPUR_M
    }
}

/// Memory that all searches of a router work in, one after the other.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) from_home: Search,
    pub(super) from_anchor: Search,
    pub(super) to_home: Search,
    pub(super) grid: Grid,
    /// By edge: marked if it has the number in `epoch`.
    pub(super) walked: Vec<u32>,
    pub(super) epoch: u32,
}

/// Conditions of the loops that a search looks for.
#[derive(Clone, Copy)]
pub(super) struct LoopQuery<'a> {
    pub(super) graph: &'a Graph,
    pub(super) weights: &'a Weights,
    /// Node at which they begin.
    pub(super) home: NodeIdx,
    /// Node at which they end: `home`, unless only a way there is looked for.
    pub(super) end: NodeIdx,
    /// The way from the door to `home`, where that is not the door.
    pub(super) stem: &'a [Arc],
    /// How they begin: the way from `home` over places that have to be passed.
    pub(super) lead: &'a [Arc],
    /// Places that have to be passed; a way there and back to one is no detour.
    pub(super) via: &'a [NodeIdx],
    /// True if bridges, ways without a way around, may be walked, which means there and back.
    pub(super) over_bridges: bool,
    /// Milliseconds of the whole walk, stem and all.
    pub(super) budget_ms: u32,
    /// Share of `budget_ms` by which the time may be off.
    pub(super) tolerance: f64,
    /// Eighths of a circle, clockwise from the north.
    pub(super) towards: Option<u8>,
    pub(super) seed: u32,
}

impl LoopQuery<'_> {
    /// Milliseconds of the stem, out and back.
    pub(super) fn stem_ms(&self) -> u32 {
        let both_ways = |it: &Arc| self.weights.time(*it) + self.weights.time(it.reversed());
        self.stem.iter().map(both_ways).sum()
    }

    /// Milliseconds of the lead.
    pub(super) fn lead_ms(&self) -> u32 {
        self.lead.iter().map(|it| self.weights.time(*it)).sum()
    }

    /// The node from which on the way is free: the end of the lead.
    pub(super) fn pivot(&self) -> NodeIdx {
        self.lead.last().map_or(self.home, |it| self.graph.to(*it))
    }

    fn is_short(&self) -> bool {
        is_short(self.budget_ms)
    }

    pub(super) fn effort(&self) -> &'static Effort {
        if self.is_short() {
            &THOROUGH
        } else if self.over_bridges {
            &OVER_BRIDGES
        } else {
            &USUAL
        }
    }

    /// Returns true if a loop from `home` can turn or meet at a node.
    pub(super) fn has_room(&self, node: NodeIdx) -> bool {
        let component = |it: NodeIdx| self.graph.two_edge_component[it as usize];
        self.over_bridges || component(node) == component(self.home)
    }

    /// Returns true if water is asked for and is within reach of a node.
    pub(super) fn has_water(&self, node: NodeIdx) -> bool {
        self.weights.wants_water()
            && self
                .graph
                .exits(node)
                .iter()
                .any(|it| self.graph.edge(it.arc).near_water_to_drink)
    }

    /// How much worse a loop is for lying elsewhere than it was asked to, or than its seed would have it; the first seed has
    /// no such place.
    fn side_penalty(&self, line: &[(f64, f64)]) -> f64 {
        if self.home != self.end || self.seed == 0 && self.towards.is_none() {
            return 0.0;
        }
        let home = self.position(self.home);
        let sum = samples(line)
            .iter()
            .fold((0.0, 0.0), |sum: (f64, f64), it| {
                (sum.0 + it.0 - home.0, sum.1 + it.1 - home.1)
            });
        let far = (sum.0 * sum.0 + sum.1 * sum.1).sqrt().max(1.0);
        // Seeds that follow each other lie apart by the golden angle, which never comes back to where it was.
        let turns = match self.towards {
            None => f64::from(self.seed) * GOLDEN_TURNS,
            Some(it) => {
                // The number of the first seed is scrambled to itself.
                let beside = f64::from(scramble(self.seed)) / f64::from(u32::MAX);
                (f64::from(it) + (beside + 0.5).fract() * 2.0 - 1.0) / SECTORS as f64
            }
        };
        let angle = turns.fract() * 2.0 * std::f64::consts::PI;
        let along = (sum.0 * libm::sin(angle) + sum.1 * libm::cos(angle)) / far;
        SIDE * (1.0 - along) / 2.0
    }

    fn climb_score(&self, totals: &Totals, arcs: &[Arc]) -> f64 {
        let wanted = self.weights.cares_for_hills();
        let climb_m = wanted.then(|| climb_m(self.graph, arcs)).flatten();
        climb_m.map_or(0.0, |it| {
            let length_m = totals.length_mm as f64 / 1e3;
            self.weights.climb_score(f64::from(it), length_m)
        })
    }

    /// Meters east and north of the middle of the graph.
    pub(super) fn position(&self, node: NodeIdx) -> (f64, f64) {
        let node = self.graph.node(node);
        (node.x, node.y)
    }

    /// By what share of the budget the time of a way is off, the stem counted in.
    fn time_off(&self, inner: &[Arc]) -> f64 {
        let time_ms: u32 = inner.iter().map(|it| self.weights.time(*it)).sum();
        let budget_ms = f64::from(self.budget_ms);
        (f64::from(time_ms + self.stem_ms()) - budget_ms).abs() / budget_ms
    }

    /// A way without what of it is walked to and fro at once, except to a place that has to be passed.
    fn without_spurs(&self, arcs: Vec<Arc>) -> Vec<Arc> {
        let mut inner: Vec<Arc> = Vec::with_capacity(arcs.len());
        for arc in arcs {
            let is_spur = inner.last() == Some(&arc.reversed());
            if is_spur && !self.via.contains(&self.graph.from(arc)) {
                inner.pop();
            } else {
                inner.push(arc);
            }
        }
        inner
    }

    /// The way from the door over a way between its ends and back to the door.
    fn with_stem(&self, inner: Vec<Arc>) -> Vec<Arc> {
        let back = self.stem.iter().rev().map(|it| it.reversed());
        self.stem.iter().copied().chain(inner).chain(back).collect()
    }

    /// Returns the sum of a loop's penalties; less is better.
    fn score(
        &self,
        totals: &Totals,
        off: f64,
        shape: &Shape,
        arcs: &[Arc],
        line: &[(f64, f64)],
    ) -> f64 {
        let has_water = |it: &Arc| self.graph.edge(*it).near_water_to_drink;
        let water = if self.weights.wants_water() && arcs.iter().any(has_water) {
            WATER
        } else {
            0.0
        };
        let liked = if self.weights.turns_for_parks {
            LIKED_FOR_PARKS
        } else {
            LIKED
        };
        let is_barred = |it: &Arc| self.weights.is_barred(self.graph.edge(*it));
        let barred = if arcs.iter().any(is_barred) {
            BARRED
        } else {
            0.0
        };
        let stem = f64::from(self.stem_ms()) / 2.0 / f64::from(self.budget_ms);
        let turn = if self.is_short() { SHORT_TURN } else { TURN };
        let hollow = if self.home == self.end {
            (ROUND - shape.compactness).max(0.0)
        } else {
            0.0
        };
        TIME_OFF * (off - TIME_SLACK).max(0.0)
            + REPEATED * (totals.repeats() + stem)
            + CORRIDOR * shape.corridor
            + turn * shape.turns_per_km
            + liked * totals.liked()
            + barred
            + HILLS * self.climb_score(totals, arcs)
            + HOLLOW * hollow
            + SPUR * (shape.spur_m - GOOD_SPUR_M).max(0.0)
            - water
            + self.side_penalty(line)
    }
}

/// Sums over the arcs of a way.
struct Totals {
    length_mm: u64,
    /// Length of the arcs whose edge was walked before.
    twice_mm: u64,
    /// Lengths times their factors of liking.
    liked_mm: f64,
}

impl Totals {
    fn of(query: &LoopQuery, scratch: &mut Scratch, arcs: &[Arc]) -> Self {
        let LoopQuery { graph, weights, .. } = *query;
        // Whoever begins near the door has walked the way from it by then.
        scratch.mark(graph, query.stem);
        let mut totals = Self {
            length_mm: 0,
            twice_mm: 0,
            liked_mm: 0.0,
        };
        for arc in arcs {
            let length_mm = u64::from(graph.edge(*arc).length_mm);
            totals.length_mm += length_mm;
            let mark = &mut scratch.walked[arc.edge() as usize];
            if *mark == scratch.epoch {
                totals.twice_mm += length_mm;
            }
            *mark = scratch.epoch;
            totals.liked_mm += weights.factor(*arc) * length_mm as f64;
        }
        totals
    }

    /// The share that is walked a second time.
    fn repeats(&self) -> f64 {
        self.twice_mm as f64 / self.length_mm.max(1) as f64
    }

    /// The factor of liking, on average.
    fn liked(&self) -> f64 {
        self.liked_mm / (self.length_mm.max(1) as f64)
    }
}

/// Takes out what is walked to and fro at once, and measures what is left; `None` if nothing is, or its time is off.
pub(super) fn measured(query: &LoopQuery, scratch: &mut Scratch, arcs: Vec<Arc>) -> Option<Loop> {
    let LoopQuery { graph, stem, .. } = *query;
    let inner = query.without_spurs(arcs);
    let n_back = n_walked_back(&inner);
    if inner.is_empty() || n_back * 2 >= inner.len() && query.via.is_empty() {
        return None;
    }
    let off = query.time_off(&inner);
    if off > query.tolerance {
        return None;
    }
    let totals = Totals::of(query, scratch, &inner);
    // A way to the loop that nobody cut off before is a stem like any other.
    let n_own_stem = if stem.is_empty() { n_back } else { 0 };
    let own_stem_mm = length_mm(graph, &inner[..n_own_stem]);
    let loop_mm = totals.length_mm - 2 * own_stem_mm;
    let repeated = (totals.twice_mm - own_stem_mm) as f64 / loop_mm.max(1) as f64;
    let length_mm = totals.length_mm + 2 * length_mm(graph, stem);
    let stem_mm = (length_mm - loop_mm) / 2;
    let arcs = query.with_stem(inner);
    let line = line_of(graph, &arcs);
    let shape = shape(&line, stem_mm as f64 / 1e3, &mut scratch.grid);
    // On both sides of a street it is the same way, too.
    let spur = shape.spur_m * 1e3 / loop_mm.max(1) as f64;
    let kind = kind_by(
        stem_mm as f64 / length_mm.max(1) as f64,
        repeated.max(spur),
        shape.beside,
    );
    let kind = if shape.spur_m > LONG_SPUR_M {
        kind.max(RouteKind::Lollipop)
    } else {
        kind
    };
    let score = query.score(&totals, off, &shape, &arcs, &line);
    Some(Loop {
        kind,
        arcs,
        n_stem: stem.len() + n_own_stem,
        repeated,
        shape,
        score,
        line,
        off,
    })
}

/// How many arcs at the beginning of a way are walked back at its end. They are not taken out: without them the walk would not
/// begin at the door.
fn n_walked_back(arcs: &[Arc]) -> usize {
    let pairs = arcs.iter().zip(arcs.iter().rev()).take(arcs.len() / 2);
    pairs
        .take_while(|(out, back)| **out == back.reversed())
        .count()
}

impl Scratch {
    /// Makes room for walks of so many meters from a place.
    pub(super) fn make_room(&mut self, at: (f64, f64), length_m: f64) {
        self.grid = Grid::around(at, length_m * REACH);
    }

    /// Marks what is walked.
    pub(super) fn mark(&mut self, graph: &Graph, arcs: &[Arc]) {
        self.start_marks(graph.edges.len());
        for arc in arcs {
            self.walked[arc.edge() as usize] = self.epoch;
        }
    }

    /// Ways from a node that share nothing with what is marked, no longer than so many milliseconds.
    pub(super) fn run_beside(&mut self, query: &LoopQuery, from: NodeIdx, longest_ms: u32) {
        let Self {
            from_anchor,
            walked,
            epoch,
            ..
        } = self;
        from_anchor.run(
            query.graph,
            query.weights,
            from,
            Direction::From,
            |arc| {
                if walked[arc.edge() as usize] == *epoch {
                    FORBIDDEN
                } else {
                    NO_PENALTY
                }
            },
            |_, time| time <= longest_ms,
        );
    }

    /// Takes all marks away.
    fn start_marks(&mut self, n_edges: usize) {
        self.epoch += 1;
        if self.walked.len() < n_edges {
            self.walked.resize(n_edges, 0);
        }
    }

    /// How a walk without a stem looks.
    pub(super) fn shape(&mut self, line: &[(f64, f64)]) -> Shape {
        shape(line, 0.0, &mut self.grid)
    }

    /// Share of a line that runs within 25 m of another.
    pub(super) fn shared(&mut self, line: &[(f64, f64)], with: &[(f64, f64)]) -> f64 {
        self.grid.clear();
        let others = samples(with);
        for (index, at) in (0..).zip(&others) {
            self.grid.put(*at, index);
        }
        let all = samples(line);
        let is_near = |at: &&(f64, f64)| {
            self.grid.any_near(**at, |other| {
                let other = others[other as usize];
                (other.0 - at.0).powi(2) + (other.1 - at.1).powi(2) < CORRIDOR_M * CORRIDOR_M
            })
        };
        all.iter().filter(is_near).count() as f64 / all.len().max(1) as f64
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::map::testing::{at, town};
    use crate::route::RouteRequest;

    pub(crate) const SIDE: u32 = 6;

    /// Along the streets from corner to corner.
    pub(crate) fn along(graph: &Graph, corners: &[u32]) -> Vec<Arc> {
        let pairs = corners.windows(2);
        pairs
            .map(|it| {
                let mut exits = graph.exits(it[0]).iter();
                exits.find(|exit| exit.to == it[1]).unwrap().arc
            })
            .collect()
    }

    #[test]
    fn what_leads_from_the_door_to_a_loop_is_walked_twice_where_the_loop_has_it_too() {
        let graph = Graph::of(&[town(SIDE, 100)]);
        let request = RouteRequest::plain(30, at(100, 100).place());
        let weights = Weights::of(&graph, &request, Vec::new());
        let stem = along(&graph, &[0, 1]);
        let query = LoopQuery {
            graph: &graph,
            weights: &weights,
            home: 1,
            end: 1,
            stem: &stem,
            lead: &[],
            via: &[],
            over_bridges: false,
            budget_ms: 10 * weights.time(stem[0]),
            tolerance: TOLERANCE,
            towards: None,
            seed: 0,
        };
        let mut scratch = Scratch::default();
        scratch.make_room((0.0, 0.0), 2000.0);
        let mut kind_of = |corners: &[u32]| {
            let it = measured(&query, &mut scratch, along(&graph, corners)).unwrap();
            (it.kind, it.repeated)
        };
        let beside = kind_of(&[1, 2, 3, 9, 15, 14, 13, 7, 1]);
        assert_eq!(beside, (RouteKind::Loop, 0.0));
        let over = kind_of(&[1, 2, 8, 14, 13, 12, 6, 0, 1]);
        assert_eq!(over.0, RouteKind::Lollipop);
        assert!((0.12..0.13).contains(&over.1), "{over:?}");
    }
}
