//! Owns a loop while it is judged: what was wanted, how far it is off, and what was seen before.

use std::cmp::Ordering;

use super::graph::{Arc, Graph, NodeIdx};
use super::grid::{CORRIDOR_M, Grid};
use super::kind::{RouteKind, kind_by};
use super::line::{SECTORS, line_of};
use super::search::{Direction, NEVER, Search};
use super::shape::{Shape, samples, shape};
use super::weight::{Weights, scramble};

/// Short walks have few loops, and each turn of theirs is felt.
const SHORT_MS: u32 = 20 * 60_000;
/// A loop is considered if its time is off by no more than this share.
pub(super) const TOLERANCE: f64 = 0.075;
/// A loop that is off by no more than this share, without a spur longer than this, need not be looked for any harder.
const GOOD: f64 = 0.012;
const GOOD_SPUR_M: f64 = 20.0;
/// With a longer one it is no loop.
const LONG_SPUR_M: f64 = 30.0;
/// What a turn in a kilometer counts against a loop; the few of a short one are half of what it is like.
const TURN: f64 = 0.25;
const SHORT_TURN: f64 = 1.1;
/// What the ways' factor of liking counts, on average over the loop.
const LIKED: f64 = 3.2;
/// How much better a loop with water is than one without, and a meeting point there, where it is asked for.
pub(super) const WATER: f64 = 2.5;
/// The golden angle as a share of the circle.
const GOLDEN_TURNS: f64 = 0.381_966_011_250_105;
/// How much worse a loop is that lies on the other side than its seed would have it.
const SIDE: f64 = 4.0;

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

/// Where some ways have no way around.
const OVER_BRIDGES: Effort = Effort {
    rings: THOROUGH.rings,
    ..USUAL
};

/// Where there are few loops: on short walks, and where none of the others is a good one.
pub(super) const THOROUGH: Effort = Effort {
    rings: &[0.17, 0.23, 0.30, 0.38, 0.45],
    more_anchors: 32,
    meetings: 20,
};

/// A loop that was found.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    pub(super) kind: RouteKind,
    /// From the start to the start.
    pub(super) arcs: Vec<Arc>,
    /// How many arcs at each end are the way to the first crossing and back.
    pub(super) n_stem: usize,
    /// Share of the length, without the stem, that is walked twice.
    pub(super) repeated: f64,
    pub(super) shape: Shape,
    pub(super) score: f64,
    /// In the plane of the graph.
    pub(super) line: Vec<(f64, f64)>,
    /// By what share the time is off.
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

/// Memory of a search, used again.
#[derive(Default)]
pub(super) struct Memory {
    pub(super) from_home: Search,
    pub(super) from_anchor: Search,
    pub(super) to_home: Search,
    pub(super) grid: Grid,
    pub(super) walked: Vec<u32>,
    pub(super) epoch: u32,
}

/// What loops are looked for.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) graph: &'a Graph,
    pub(super) weights: &'a Weights,
    /// Where they begin.
    pub(super) home: NodeIdx,
    /// Where they end: `home`, unless only a way there is looked for.
    pub(super) end: NodeIdx,
    /// The way from the door to `home`, where that is not the door.
    pub(super) stem: &'a [Arc],
    /// How they begin: the way from `home` over places that have to be passed.
    pub(super) lead: &'a [Arc],
    /// Those places: a way there and back to them is no detour.
    pub(super) pins: &'a [NodeIdx],
    /// Whether ways without a way around may be walked, which means there and back.
    pub(super) over_bridges: bool,
    /// Milliseconds of the whole walk, stem and all.
    pub(super) budget_ms: u32,
    /// Eighths of a circle, clockwise from the north.
    pub(super) towards: Option<u8>,
    pub(super) seed: u32,
}

impl Wanted<'_> {
    pub(super) fn stem_ms(&self) -> u32 {
        let both_ways = |it: &Arc| self.weights.time(*it) + self.weights.time(it.reversed());
        self.stem.iter().map(both_ways).sum()
    }

    pub(super) fn lead_ms(&self) -> u32 {
        self.lead.iter().map(|it| self.weights.time(*it)).sum()
    }

    /// From where it is free where to go.
    pub(super) fn pivot(&self) -> NodeIdx {
        self.lead.last().map_or(self.home, |it| self.graph.to(*it))
    }

    fn is_short(&self) -> bool {
        self.budget_ms <= SHORT_MS
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

    /// Whether a node is one to turn or to meet at.
    pub(super) fn has_room(&self, node: NodeIdx) -> bool {
        let block = |it: NodeIdx| self.graph.block[it as usize];
        self.over_bridges || block(node) == block(self.home)
    }

    /// Whether water that is asked for is within reach of a node.
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
    fn off_side(&self, line: &[(f64, f64)]) -> f64 {
        if self.home != self.end || self.seed == 0 && self.towards.is_none() {
            return 0.0;
        }
        let home = self.place(self.home);
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

    pub(super) fn place(&self, node: NodeIdx) -> (f64, f64) {
        let node = self.graph.node(node);
        (node.x, node.y)
    }
}

/// Takes out what is walked to and fro at once, and measures what is left; `None` if nothing is, or its time is off.
pub(super) fn measured(wanted: &Wanted, memory: &mut Memory, arcs: Vec<Arc>) -> Option<Loop> {
    let Wanted {
        graph,
        weights,
        stem,
        ..
    } = *wanted;
    let mut inner: Vec<Arc> = Vec::with_capacity(arcs.len());
    for arc in arcs {
        let is_spur = inner.last() == Some(&arc.reversed());
        if is_spur && !wanted.pins.contains(&graph.from(arc)) {
            inner.pop();
        } else {
            inner.push(arc);
        }
    }
    // What is left of it at the door is not taken out: without it the walk would not begin there.
    let n_back = inner
        .iter()
        .zip(inner.iter().rev())
        .take(inner.len() / 2)
        .take_while(|(out, back)| **out == back.reversed())
        .count();
    if inner.is_empty() || n_back * 2 >= inner.len() && wanted.pins.is_empty() {
        return None;
    }
    let time: u32 = inner.iter().map(|it| weights.time(*it)).sum::<u32>() + wanted.stem_ms();
    let off = (f64::from(time) - f64::from(wanted.budget_ms)).abs() / f64::from(wanted.budget_ms);
    if off > TOLERANCE {
        return None;
    }
    memory.start_marks(graph.edges.len());
    let (mut once, mut twice, mut liked) = (0_u64, 0_u64, 0.0);
    for arc in &inner {
        let length = u64::from(graph.edge(*arc).length_mm);
        once += length;
        let mark = &mut memory.walked[arc.edge() as usize];
        if *mark == memory.epoch {
            twice += length;
        }
        *mark = memory.epoch;
        liked += weights.factor(*arc) * length as f64;
    }
    let liked = liked / (once.max(1) as f64);
    let repeats = twice as f64 / once.max(1) as f64;
    // A way to the loop that nobody cut off before is a stem like any other.
    let own_stem = if stem.is_empty() { n_back } else { 0 };
    let length_mm = |it: &[Arc]| -> u64 {
        it.iter()
            .map(|it| u64::from(graph.edge(*it).length_mm))
            .sum()
    };
    let own_stem_mm = length_mm(&inner[..own_stem]);
    let inner_mm = once - 2 * own_stem_mm;
    let repeated = (twice - own_stem_mm) as f64 / inner_mm.max(1) as f64;
    let n_stem = stem.len() + own_stem;
    let length_mm = once + 2 * length_mm(stem);
    let stem_mm = (length_mm - inner_mm) / 2;
    let arcs: Vec<Arc> = stem
        .iter()
        .copied()
        .chain(inner)
        .chain(stem.iter().rev().map(|it| it.reversed()))
        .collect();
    let line = line_of(graph, &arcs);
    let shape = shape(&line, stem_mm as f64 / 1e3, &mut memory.grid);
    let has_water = |it: &Arc| graph.edge(*it).near_water_to_drink;
    let water = weights.wants_water() && arcs.iter().any(has_water);
    let turn = if wanted.is_short() { SHORT_TURN } else { TURN };
    let open = wanted.home != wanted.end;
    let hollow = if open {
        0.0
    } else {
        (0.45 - shape.compactness).max(0.0)
    };
    // On both sides of a street it is the same way, too.
    let twice_m = (repeated * inner_mm as f64 / 1e3).max(shape.spur_m);
    let kind = kind_by(
        stem_mm as f64 / length_mm.max(1) as f64,
        twice_m * 1e3 / inner_mm.max(1) as f64,
    );
    let kind = if shape.spur_m > LONG_SPUR_M {
        kind.max(RouteKind::Lollipop)
    } else {
        kind
    };
    let score = 160.0 * (off - 0.004).max(0.0)
        + 18.0 * repeats
        + 15.0 * shape.corridor
        + turn * shape.turns_per_km
        + LIKED * liked
        + 1.6 * hollow
        + 0.06 * (shape.spur_m - 20.0).max(0.0)
        - if water { WATER } else { 0.0 }
        + wanted.off_side(&line);
    Some(Loop {
        kind,
        arcs,
        n_stem,
        repeated,
        shape,
        score,
        line,
        off,
    })
}

impl Memory {
    /// Makes room for walks of so many meters from a place.
    pub(super) fn make_room(&mut self, at: (f64, f64), length_m: f64) {
        // Downhill one gets a little farther than half of it.
        self.grid = Grid::around(at, length_m * 0.65);
    }

    /// Marks what is walked.
    pub(super) fn mark(&mut self, graph: &Graph, arcs: &[Arc]) {
        self.start_marks(graph.edges.len());
        for arc in arcs {
            self.walked[arc.edge() as usize] = self.epoch;
        }
    }

    /// Ways from a node that share nothing with what is marked, no longer than so many milliseconds.
    pub(super) fn run_beside(&mut self, wanted: &Wanted, from: NodeIdx, longest_ms: u32) {
        let Self {
            from_anchor,
            walked,
            epoch,
            ..
        } = self;
        from_anchor.run(
            wanted.graph,
            wanted.weights,
            from,
            Direction::From,
            |arc| {
                if walked[arc.edge() as usize] == *epoch {
                    NEVER
                } else {
                    8
                }
            },
            |_, time| time <= longest_ms,
        );
    }

    pub(super) fn start_marks(&mut self, n_edges: usize) {
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
