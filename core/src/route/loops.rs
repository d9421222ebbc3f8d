//! Owns the search for loops: from a start, out to an anchor, and home by two ways that meet.
//!
//! A tree of cheapest ways from the start gives anchors in every direction. For each, one tree from the anchor and one to the
//! start avoid the way out; every node that both reach closes a loop. So thousands of loops come from two trees, and the
//! length is met by choosing where they meet and not by trying again (partial shortest paths: Gemsa, Pajor, Wagner,
//! Zuendorf, 'Efficient computation of jogging routes', 2013; via nodes: Abraham et al., 'Alternative routes', 2013).

use std::cmp::Ordering;

use super::graph::{Arc, Graph, NodeIdx};
use super::grid::Grid;
use super::mend::mended;
use super::router::{RouteKind, kind_by};
use super::search::{Direction, NEVER, Search};
use super::shape::{CORRIDOR_M, Shape, samples, shape};
use super::weight::{Weights, scramble};

/// Short walks have few loops, and each turn of theirs is felt.
const SHORT_MS: u32 = 20 * 60_000;
const SECTORS: usize = 8;
/// A loop is considered if its time is off by no more than this share.
const TOLERANCE: f64 = 0.075;

/// How hard loops are looked for.
struct Effort {
    /// Anchors stand so far out, as shares of the loop's time.
    rings: &'static [f64],
    /// So many anchors are tried besides, of all those in `OUT`.
    more_anchors: usize,
    /// Meeting points tried for each anchor.
    meetings: usize,
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
const THOROUGH: Effort = Effort {
    rings: &[0.17, 0.23, 0.30, 0.38, 0.45],
    more_anchors: 32,
    meetings: 20,
};
/// How far out places to turn at are, as shares of the loop's time.
const OUT: std::ops::Range<f64> = 0.12..0.5;
/// A loop that is off by no more than this share, without a spur longer than this, need not be looked for any harder.
const GOOD: f64 = 0.012;
const GOOD_SPUR_M: f64 = 20.0;
/// With a longer one it is no loop.
const LONG_SPUR_M: f64 = 30.0;
/// Where none is good, so many of the best are mended.
const MENDED: usize = 3;
/// What a turn in a kilometer counts against a loop; the few of a short one are half of what it is like.
const TURN: f64 = 0.25;
const SHORT_TURN: f64 = 1.1;
/// What the ways' factor of liking counts, on average over the loop.
const LIKED: f64 = 3.2;
/// The way out is this many times as dear for the way home, and what lies beside it; in eighths.
const WALKED: u32 = 64;
const BESIDE: u32 = 16;
/// Water to drink is worth an anchor from this share of the loop's time on; nearer, most loops can pass it.
const NEAREST_WATER: f64 = 0.08;
const WATER_ANCHORS: usize = 3;
const WATERS_APART_M: f64 = 150.0;
/// How much better a loop with water is than one without, and a meeting point there, where it is asked for.
const WATER: f64 = 2.5;
/// The golden angle as a share of the circle.
const GOLDEN_TURNS: f64 = 0.381_966_011_250_105;
/// How much worse a loop is that lies on the other side than its seed would have it.
const SIDE: f64 = 4.0;
/// Around the start everything is beside the way out.
const HOME_M: f64 = 60.0;

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

    fn is_good(&self) -> bool {
        self.kind == RouteKind::Loop && self.off <= GOOD && self.shape.spur_m <= GOOD_SPUR_M
    }
}

/// Memory of a search, used again.
#[derive(Default)]
pub(super) struct Memory {
    from_home: Search,
    pub(super) from_anchor: Search,
    to_home: Search,
    grid: Grid,
    walked: Vec<u32>,
    epoch: u32,
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
    fn stem_ms(&self) -> u32 {
        let both_ways = |it: &Arc| self.weights.time(*it) + self.weights.time(it.reversed());
        self.stem.iter().map(both_ways).sum()
    }

    fn lead_ms(&self) -> u32 {
        self.lead.iter().map(|it| self.weights.time(*it)).sum()
    }

    /// From where it is free where to go.
    fn pivot(&self) -> NodeIdx {
        self.lead.last().map_or(self.home, |it| self.graph.to(*it))
    }

    fn is_short(&self) -> bool {
        self.budget_ms <= SHORT_MS
    }

    fn effort(&self) -> &'static Effort {
        if self.is_short() {
            &THOROUGH
        } else if self.over_bridges {
            &OVER_BRIDGES
        } else {
            &USUAL
        }
    }

    /// Whether a node is one to turn or to meet at.
    fn has_room(&self, node: NodeIdx) -> bool {
        let block = |it: NodeIdx| self.graph.block[it as usize];
        self.over_bridges || block(node) == block(self.home)
    }

    /// Whether water that is asked for is within reach of a node.
    fn has_water(&self, node: NodeIdx) -> bool {
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

    fn place(&self, node: NodeIdx) -> (f64, f64) {
        let node = self.graph.node(node);
        (node.x, node.y)
    }
}

/// All loops worth a look, the best first.
pub(super) fn loops(wanted: &Wanted, memory: &mut Memory) -> Vec<Loop> {
    let mut found = Vec::new();
    if !search(wanted, wanted.effort(), memory, &mut found) {
        // Ways that may turn as they like reach each other where straight ones do not.
        let weights = &wanted.weights.without_turns();
        let wanted = Wanted { weights, ..*wanted };
        search(&wanted, &THOROUGH, memory, &mut found);
    }
    found
}

/// Adds loops, the best first; whether that is a good one.
fn search(wanted: &Wanted, effort: &Effort, memory: &mut Memory, found: &mut Vec<Loop>) -> bool {
    let Wanted {
        graph,
        weights,
        end,
        ..
    } = *wanted;
    let Some(budget) = wanted.budget_ms.checked_sub(wanted.stem_ms()) else {
        return false;
    };
    let end_at = wanted.place(end);
    let lead_ms = wanted.lead_ms();
    memory.start_marks(graph.edges.len());
    let Memory {
        from_home,
        walked,
        epoch,
        ..
    } = &mut *memory;
    for arc in wanted.lead {
        walked[arc.edge() as usize] = *epoch;
    }
    from_home.run(
        graph,
        weights,
        wanted.pivot(),
        Direction::From,
        |arc| {
            if !wanted.lead.is_empty() && walked[arc.edge() as usize] == *epoch {
                WALKED
            } else {
                8
            }
        },
        |node, time| {
            let (x, y) = wanted.place(node);
            let crow = ((x - end_at.0).powi(2) + (y - end_at.1).powi(2)).sqrt();
            let time = time.saturating_add(lead_ms);
            time.saturating_add(weights.at_least_ms(crow)) < budget && time < budget / 2
        },
    );
    for anchor in anchors(wanted, memory, budget, effort) {
        close(wanted, memory, budget, anchor, effort, found);
    }
    found.sort_by(Loop::compare);
    let is_good = |found: &[Loop]| found.first().is_some_and(Loop::is_good);
    if !is_good(found) {
        let poor: Vec<Loop> = found.iter().take(MENDED).cloned().collect();
        for it in poor {
            found.extend(mended(wanted, memory, &it));
        }
        found.sort_by(Loop::compare);
    }
    is_good(found)
}

/// The best node of each sector on each ring, and some with water where that is asked for.
fn anchors(wanted: &Wanted, memory: &Memory, budget: u32, effort: &Effort) -> Vec<NodeIdx> {
    let Wanted { graph, home, .. } = *wanted;
    let home_at = wanted.place(home);
    let lead_ms = wanted.lead_ms();
    let turned = f64::from(scramble(wanted.seed) & 0xff) / 256.0 / SECTORS as f64;
    let turned = if wanted.seed == 0 {
        0.0
    } else {
        turned * 2.0 * std::f64::consts::PI
    };
    let (sin, cos) = (libm::sin(turned), libm::cos(turned));
    let rings = effort.rings;
    let mut near: Vec<(f64, NodeIdx)> = Vec::new();
    let mut best = vec![[(f64::MAX, None); SECTORS]; rings.len()];
    let mut with_water: Vec<NodeIdx> = Vec::new();
    for node in memory.from_home.settled() {
        if !wanted.has_room(*node) || graph.exits(*node).len() < 3 {
            continue;
        }
        let Some((cost, time)) = memory.from_home.reached(*node) else {
            continue;
        };
        let at = wanted.place(*node);
        let (x, y) = (at.0 - home_at.0, at.1 - home_at.1);
        let sector = sector(x, y);
        let elsewhere = wanted.towards.is_some_and(|it| !lies(it, sector));
        if elsewhere && wanted.lead.is_empty() {
            continue;
        }
        let far = f64::from(time.saturating_add(lead_ms)) / f64::from(budget.max(1));
        if far > NEAREST_WATER && with_water.len() < WATER_ANCHORS && wanted.has_water(*node) {
            let apart_m = |it: &NodeIdx| {
                let (x, y) = wanted.place(*it);
                (x - at.0).abs() + (y - at.1).abs()
            };
            if with_water.iter().all(|it| apart_m(it) > WATERS_APART_M) {
                with_water.push(*node);
            }
        }
        let turned = self::sector(x * cos - y * sin, x * sin + y * cos);
        let crow = (x * x + y * y).sqrt() * 1e6 / f64::from(wanted.weights.speed_mm_s);
        let liked = f64::from(cost) / f64::from(time.max(1));
        let straight = crow / f64::from(time.max(1));
        let nice = 0.5 * liked - 0.4 * straight;
        if OUT.contains(&far) {
            near.push((nice, *node));
        }
        for (ring, best) in rings.iter().zip(&mut best) {
            let off = (far - ring).abs() / ring;
            if off > 0.25 {
                continue;
            }
            let score = off + nice;
            if score < best[turned].0 {
                best[turned] = (score, Some(*node));
            }
        }
    }
    near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut anchors: Vec<NodeIdx> = best.iter().flatten().filter_map(|it| it.1).collect();
    anchors.extend(near.iter().take(effort.more_anchors).map(|it| it.1));
    anchors.extend(with_water);
    if !wanted.lead.is_empty() || wanted.end != home {
        anchors.push(wanted.pivot());
    }
    anchors.sort_unstable();
    anchors.dedup();
    anchors
}

/// Whether an eighth of the circle is the one where someone wants to go, or beside it.
pub(super) fn lies(towards: u8, sector: usize) -> bool {
    let off = (usize::from(towards) + SECTORS - sector) % SECTORS;
    matches!(off, 0 | 1 | 7)
}

/// Which eighth of the circle a direction lies in, clockwise, the first around the north.
pub(super) fn sector(east: f64, north: f64) -> usize {
    // tan(22.5 degrees): where the diagonal's sector begins.
    const TAN: f64 = 0.414_213_562_373_095_1;
    let (x, y) = (east.abs(), north.abs());
    if x <= y * TAN {
        if north >= 0.0 { 0 } else { 4 }
    } else if y <= x * TAN {
        if east >= 0.0 { 2 } else { 6 }
    } else {
        match (east >= 0.0, north >= 0.0) {
            (true, true) => 1,
            (true, false) => 3,
            (false, false) => 5,
            (false, true) => 7,
        }
    }
}

/// Finds the loops over one anchor.
fn close(
    wanted: &Wanted,
    memory: &mut Memory,
    budget: u32,
    anchor: NodeIdx,
    effort: &Effort,
    found: &mut Vec<Loop>,
) {
    let Wanted {
        graph,
        weights,
        home,
        end,
        ..
    } = *wanted;
    let Some((_, out_ms)) = memory.from_home.reached(anchor) else {
        return;
    };
    let out_ms = out_ms.saturating_add(wanted.lead_ms());
    let mut out = wanted.lead.to_vec();
    memory
        .from_home
        .path(graph, anchor, Direction::From, &mut out);
    memory.start_marks(graph.edges.len());
    let home_at = wanted.place(home);
    memory.grid.clear();
    for arc in &out {
        memory.walked[arc.edge() as usize] = memory.epoch;
    }
    for at in samples(&line_of(graph, &out)).iter().step_by(2) {
        memory.grid.mark_around(*at);
    }
    let Memory {
        from_anchor,
        to_home,
        grid,
        walked,
        epoch,
        ..
    } = &mut *memory;
    let penalty = |arc: Arc| {
        if walked[arc.edge() as usize] == *epoch {
            return WALKED;
        }
        let mid = graph.edge(arc).mid;
        let near = (mid.0 - home_at.0).abs().max((mid.1 - home_at.1).abs()) < HOME_M;
        if !near && grid.is_marked(mid) {
            BESIDE
        } else {
            8
        }
    };
    let longest = f64::from(budget) * (1.0 + TOLERANCE);
    let rest = (longest as u32).saturating_sub(out_ms);
    let within = |place: (f64, f64)| {
        move |node: NodeIdx, time: u32| {
            let (x, y) = wanted.place(node);
            let crow = ((x - place.0).powi(2) + (y - place.1).powi(2)).sqrt();
            time + weights.at_least_ms(crow) <= rest
        }
    };
    let anchor_at = wanted.place(anchor);
    from_anchor.run(
        graph,
        weights,
        anchor,
        Direction::From,
        penalty,
        within(wanted.place(end)),
    );
    to_home.run(
        graph,
        weights,
        end,
        Direction::To,
        penalty,
        within(anchor_at),
    );

    let (from_anchor, to_home) = (&memory.from_anchor, &memory.to_home);
    let mut meetings = Vec::new();
    for node in from_anchor.settled() {
        if !wanted.has_room(*node) || *node == home || *node == end || *node == anchor {
            continue;
        }
        let Some((home_cost, home_ms)) = to_home.reached(*node) else {
            continue;
        };
        let Some((cost, time)) = from_anchor.reached(*node) else {
            continue;
        };
        if from_anchor.by(*node).edge() == to_home.by(*node).edge() {
            continue;
        }
        let total = f64::from(out_ms + time + home_ms);
        let off = (total - f64::from(budget)).abs() / f64::from(wanted.budget_ms);
        if off > TOLERANCE {
            continue;
        }
        let liked = f64::from(cost.saturating_add(home_cost)) / f64::from(time + home_ms);
        let water = if wanted.has_water(*node) { WATER } else { 0.0 };
        meetings.push((2.2 * liked + 40.0 * (off - 0.004).max(0.0) - water, *node));
    }
    meetings.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let apart_m = (f64::from(budget) * f64::from(weights.speed_mm_s) / 1e6 / 30.0).min(80.0);
    let mut taken: Vec<(f64, f64)> = Vec::new();
    for (_, meeting) in meetings {
        let at = wanted.place(meeting);
        let near =
            |it: &(f64, f64)| (it.0 - at.0).powi(2) + (it.1 - at.1).powi(2) < apart_m * apart_m;
        if taken.iter().any(near) {
            continue;
        }
        taken.push(at);
        let mut arcs = out.clone();
        memory
            .from_anchor
            .path(graph, meeting, Direction::From, &mut arcs);
        memory
            .to_home
            .path(graph, meeting, Direction::To, &mut arcs);
        let found_one = measured(wanted, memory, arcs);
        found.extend(found_one);
        if taken.len() >= effort.meetings {
            break;
        }
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

/// The line of a way in the plane of its graph.
pub(super) fn line_of(graph: &Graph, arcs: &[Arc]) -> Vec<(f64, f64)> {
    let mut line = Vec::new();
    for arc in arcs {
        if line.is_empty() {
            line.push(graph.plane(graph.node(graph.from(*arc)).at));
        }
        let via = graph.via(arc.edge());
        if arc.is_backward() {
            line.extend(via.iter().rev().map(|it| graph.plane(*it)));
        } else {
            line.extend(via.iter().map(|it| graph.plane(*it)));
        }
        line.push(graph.plane(graph.node(graph.to(*arc)).at));
    }
    line
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
