//! Owns the search for loops: from a start, out to an anchor, and home by two ways that meet.
//!
//! A tree of cheapest ways from the start gives anchors in every direction. For each, one tree from the anchor and one to the
//! start avoid the way out; every node that both reach closes a loop. So thousands of loops come from two trees, and the
//! length is met by choosing where they meet and not by trying again (partial shortest paths: Gemsa, Pajor, Wagner,
//! Zuendorf, 'Efficient computation of jogging routes', 2013; via nodes: Abraham et al., 'Alternative routes', 2013).

use super::candidate::{
    Effort, Loop, LoopQuery, Scratch, THOROUGH, TIME_SLACK, TOLERANCE, WATER, measured,
};
use super::graph::{Arc, NodeIdx};
use super::line::{SECTORS, line_of, sector};
use super::mend::mended;
use super::search::{Direction, NO_PENALTY, WALKED};
use super::shape::samples;
use super::weight::scramble;

/// How far out anchors are, as shares of the loop's time.
pub(super) const OUT: std::ops::Range<f64> = 0.12..0.5;

/// An anchor belongs to a ring if it is off by no more than this share of the ring's own.
const RING_WIDTH: f64 = 0.25;

/// Weights in an anchor's score, of which less is better: the cost of the way out counts against the anchor, its time
/// as the crow flies for it, both against the way's time.
const ANCHOR_LIKED: f64 = 0.5;
const ANCHOR_STRAIGHT: f64 = 0.4;

/// So many exits make a node a place where ways part; others lead on to the next.
pub(super) const FORK: usize = 3;

/// Number of the best loops that are mended where none is good.
const MENDED: usize = 3;

/// The penalty of what lies beside the way out, as `WALKED` is that of the way out itself.
const BESIDE: u32 = 2 * NO_PENALTY;

/// Water to drink is worth an anchor from this share of the loop's time on; nearer, most loops can pass it.
const NEAREST_WATER: f64 = 0.08;

const WATER_ANCHORS: usize = 3;

const WATERS_APART_M: f64 = 150.0;

/// Around the start everything is beside the way out.
const HOME_M: f64 = 60.0;

/// Penalty for a meeting point before its loop is measured: for its ways' factor of liking.
const MEETING_LIKED: f64 = 2.2;
/// Penalty for a meeting point by the share by which the time is off.
const MEETING_TIME_OFF: f64 = 40.0;

/// Meeting points of one anchor lie as far apart as if so many of them stood around the loop,
const MEETINGS_AROUND: f64 = 30.0;
/// The most meters that meeting points of one anchor have to be apart.
const MEETINGS_APART_M: f64 = 80.0;

/// All loops worth a look, the best first.
pub(super) fn loops(query: &LoopQuery, scratch: &mut Scratch) -> Vec<Loop> {
    let mut found = Vec::new();
    if !search(query, query.effort(), scratch, &mut found) {
        // Ways that may turn as they like reach each other where straight ones do not.
        let weights = &query.weights.without_turns();
        let query = LoopQuery { weights, ..*query };
        search(&query, &THOROUGH, scratch, &mut found);
    }
    found
}

/// Adds the loops that this effort finds and sorts all, the best first; whether that one is good.
pub(super) fn search(
    query: &LoopQuery,
    effort: &Effort,
    scratch: &mut Scratch,
    found: &mut Vec<Loop>,
) -> bool {
    let Some(budget_ms) = query.budget_ms.checked_sub(query.stem_ms()) else {
        return false;
    };
    grow_from_home(query, scratch, budget_ms);
    for anchor in anchors(query, scratch, budget_ms, effort) {
        close(query, scratch, budget_ms, anchor, effort, found);
    }
    found.sort_by(Loop::compare);
    let is_good = |found: &[Loop]| found.first().is_some_and(Loop::is_good);
    if !is_good(found) {
        let poor: Vec<Loop> = found.iter().take(MENDED).cloned().collect();
        for it in poor {
            found.extend(mended(query, scratch, &it));
        }
        found.sort_by(Loop::compare);
    }
    is_good(found)
}

/// Grows the tree of ways out, to whatever leaves time to come home.
fn grow_from_home(query: &LoopQuery, scratch: &mut Scratch, budget_ms: u32) {
    let LoopQuery { graph, weights, .. } = *query;
    let end_at = query.position(query.end);
    let lead_ms = query.lead_ms();
    scratch.mark(graph, query.lead);
    let Scratch {
        from_home,
        walked,
        epoch,
        ..
    } = scratch;
    from_home.run(
        graph,
        weights,
        query.pivot(),
        Direction::From,
        |arc| {
            if !query.lead.is_empty() && walked[arc.edge() as usize] == *epoch {
                WALKED
            } else {
                NO_PENALTY
            }
        },
        |node, time| {
            let (x, y) = query.position(node);
            let crow_m = ((x - end_at.0).powi(2) + (y - end_at.1).powi(2)).sqrt();
            let time = time.saturating_add(lead_ms);
            time.saturating_add(weights.at_least_ms(crow_m)) < budget_ms && time < budget_ms / 2
        },
    );
}

/// The best node of each sector on each ring, and some with water where that is asked for.
pub(super) fn anchors(
    query: &LoopQuery,
    scratch: &Scratch,
    budget_ms: u32,
    effort: &Effort,
) -> Vec<NodeIdx> {
    let LoopQuery { graph, home, .. } = *query;
    let home_at = query.position(home);
    let lead_ms = query.lead_ms();
    let (sin, cos) = sectors_turned_by(query.seed);
    let mut in_reach: Vec<(f64, NodeIdx)> = Vec::new();
    let mut best = vec![[(f64::MAX, None); SECTORS]; effort.rings.len()];
    let mut with_water: Vec<NodeIdx> = Vec::new();
    for node in scratch.from_home.settled() {
        if !query.has_room(*node) || graph.exits(*node).len() < FORK {
            continue;
        }
        let Some((cost, time)) = scratch.from_home.reached(*node) else {
            continue;
        };
        let at = query.position(*node);
        let (x, y) = (at.0 - home_at.0, at.1 - home_at.1);
        let is_elsewhere = query
            .towards
            .is_some_and(|it| !is_towards(it, sector(x, y)));
        if is_elsewhere && query.lead.is_empty() {
            continue;
        }
        let out = f64::from(time.saturating_add(lead_ms)) / f64::from(budget_ms.max(1));
        if out > NEAREST_WATER && is_other_water(query, &with_water, *node) {
            with_water.push(*node);
        }
        let crow_ms = (x * x + y * y).sqrt() * 1e6 / f64::from(query.weights.speed_mm_s);
        let liked = f64::from(cost) / f64::from(time.max(1));
        let straight = crow_ms / f64::from(time.max(1));
        let score = ANCHOR_LIKED * liked - ANCHOR_STRAIGHT * straight;
        if OUT.contains(&out) {
            in_reach.push((score, *node));
        }
        let sector = sector(x * cos - y * sin, x * sin + y * cos);
        for (ring, best) in effort.rings.iter().zip(&mut best) {
            let off = (out - ring).abs() / ring;
            if off <= RING_WIDTH && off + score < best[sector].0 {
                best[sector] = (off + score, Some(*node));
            }
        }
    }
    in_reach.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut anchors: Vec<NodeIdx> = best.iter().flatten().filter_map(|it| it.1).collect();
    anchors.extend(in_reach.iter().take(effort.more_anchors).map(|it| it.1));
    anchors.extend(with_water);
    if !query.lead.is_empty() || query.end != home {
        anchors.push(query.pivot());
    }
    anchors.sort_unstable();
    anchors.dedup();
    anchors
}

/// Returns true if a node has drinking water that is asked for, apart from that of the anchors so far, unless these are
/// enough.
fn is_other_water(query: &LoopQuery, with_water: &[NodeIdx], node: NodeIdx) -> bool {
    let at = query.position(node);
    let apart_m = |it: &NodeIdx| {
        let (x, y) = query.position(*it);
        (x - at.0).abs() + (y - at.1).abs()
    };
    with_water.len() < WATER_ANCHORS
        && query.has_water(node)
        && with_water.iter().all(|it| apart_m(it) > WATERS_APART_M)
}

/// Sine and cosine of the angle by which a seed turns the sectors, so that its anchors are others; none for the first seed.
fn sectors_turned_by(seed: u32) -> (f64, f64) {
    let turns = f64::from(scramble(seed) & 0xff) / 256.0 / SECTORS as f64;
    let angle = if seed == 0 {
        0.0
    } else {
        turns * 2.0 * std::f64::consts::PI
    };
    (libm::sin(angle), libm::cos(angle))
}

/// Returns true if an eighth of the circle is the one in which someone wants to go, or beside it.
pub(super) fn is_towards(towards: u8, sector: usize) -> bool {
    let off = (usize::from(towards) + SECTORS - sector) % SECTORS;
    matches!(off, 0 | 1 | 7)
}

/// A way out from the start, and what it leaves for the way home.
struct OutboundWay {
    anchor: NodeIdx,
    /// The lead and the way from its end to the anchor.
    arcs: Vec<Arc>,
    time_ms: u32,
}

/// Finds the loops over one anchor.
fn close(
    query: &LoopQuery,
    scratch: &mut Scratch,
    budget_ms: u32,
    anchor: NodeIdx,
    effort: &Effort,
    found: &mut Vec<Loop>,
) {
    let LoopQuery { graph, weights, .. } = *query;
    let Some(out) = way_out(query, scratch, anchor) else {
        return;
    };
    grow_home(query, scratch, budget_ms, &out);
    let apart_m = (weights.flat_m(budget_ms) / MEETINGS_AROUND).min(MEETINGS_APART_M);
    let mut taken: Vec<(f64, f64)> = Vec::new();
    for meeting in meetings(query, scratch, budget_ms, &out) {
        let at = query.position(meeting);
        let is_near =
            |it: &(f64, f64)| (it.0 - at.0).powi(2) + (it.1 - at.1).powi(2) < apart_m * apart_m;
        if taken.iter().any(is_near) {
            continue;
        }
        taken.push(at);
        let mut arcs = out.arcs.clone();
        scratch
            .from_anchor
            .path(graph, meeting, Direction::From, &mut arcs);
        scratch
            .to_home
            .path(graph, meeting, Direction::To, &mut arcs);
        found.extend(measured(query, scratch, arcs));
        if taken.len() >= effort.meetings {
            break;
        }
    }
}

/// The way out to an anchor, where the tree from the start reaches it.
fn way_out(query: &LoopQuery, scratch: &Scratch, anchor: NodeIdx) -> Option<OutboundWay> {
    let (_, time_ms) = scratch.from_home.reached(anchor)?;
    let mut arcs = query.lead.to_vec();
    scratch
        .from_home
        .path(query.graph, anchor, Direction::From, &mut arcs);
    Some(OutboundWay {
        anchor,
        arcs,
        time_ms: time_ms.saturating_add(query.lead_ms()),
    })
}

/// Grows the two trees of ways home, from the anchor and to the end, that keep away from the way out.
fn grow_home(query: &LoopQuery, scratch: &mut Scratch, budget_ms: u32, out: &OutboundWay) {
    let LoopQuery {
        graph,
        weights,
        end,
        ..
    } = *query;
    scratch.mark(graph, &out.arcs);
    scratch.grid.clear();
    // They stand 10 m apart and the cells are of 25 m, so that every second one marks them all.
    for at in samples(&line_of(graph, &out.arcs)).iter().step_by(2) {
        scratch.grid.mark_around(*at);
    }
    let Scratch {
        from_anchor,
        to_home,
        grid,
        walked,
        epoch,
        ..
    } = scratch;
    let home_at = query.position(query.home);
    let penalty = |arc: Arc| {
        if walked[arc.edge() as usize] == *epoch {
            return WALKED;
        }
        let mid = graph.edge(arc).mid;
        let is_home = (mid.0 - home_at.0).abs().max((mid.1 - home_at.1).abs()) < HOME_M;
        if !is_home && grid.is_marked(mid) {
            BESIDE
        } else {
            NO_PENALTY
        }
    };
    let longest_ms = f64::from(budget_ms) * (1.0 + TOLERANCE);
    let left_ms = (longest_ms as u32).saturating_sub(out.time_ms);
    let leads_in_time_to = |target: (f64, f64)| {
        move |node: NodeIdx, time: u32| {
            let (x, y) = query.position(node);
            let crow_m = ((x - target.0).powi(2) + (y - target.1).powi(2)).sqrt();
            time + weights.at_least_ms(crow_m) <= left_ms
        }
    };
    let to_end = leads_in_time_to(query.position(end));
    from_anchor.run(graph, weights, out.anchor, Direction::From, penalty, to_end);
    let to_anchor = leads_in_time_to(query.position(out.anchor));
    to_home.run(graph, weights, end, Direction::To, penalty, to_anchor);
}

/// Nodes at which the two trees of ways home meet so that the time is right, the most promising first.
fn meetings(
    query: &LoopQuery,
    scratch: &Scratch,
    budget_ms: u32,
    out: &OutboundWay,
) -> Vec<NodeIdx> {
    let Scratch {
        from_anchor,
        to_home,
        ..
    } = scratch;
    let ends = [query.home, query.end, out.anchor];
    let mut meetings = Vec::new();
    for node in from_anchor.settled() {
        if !query.has_room(*node) || ends.contains(node) {
            continue;
        }
        let Some((home_cost, home_ms)) = to_home.reached(*node) else {
            continue;
        };
        let Some((cost, time)) = from_anchor.reached(*node) else {
            continue;
        };
        // Who comes and goes by one edge turns around there.
        if from_anchor.by(*node).edge() == to_home.by(*node).edge() {
            continue;
        }
        let total_ms = f64::from(out.time_ms + time + home_ms);
        let off = (total_ms - f64::from(budget_ms)).abs() / f64::from(query.budget_ms);
        if off > TOLERANCE {
            continue;
        }
        let liked = f64::from(cost.saturating_add(home_cost)) / f64::from(time + home_ms);
        let water = if query.has_water(*node) { WATER } else { 0.0 };
        let score = MEETING_LIKED * liked + MEETING_TIME_OFF * (off - TIME_SLACK).max(0.0) - water;
        meetings.push((score, *node));
    }
    meetings.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    meetings.into_iter().map(|it| it.1).collect()
}
