//! Owns the search for loops: from a start, out to an anchor, and home by two ways that meet.
//!
//! A tree of cheapest ways from the start gives anchors in every direction. For each, one tree from the anchor and one to the
//! start avoid the way out; every node that both reach closes a loop. So thousands of loops come from two trees, and the
//! length is met by choosing where they meet and not by trying again (partial shortest paths: Gemsa, Pajor, Wagner,
//! Zuendorf, 'Efficient computation of jogging routes', 2013; via nodes: Abraham et al., 'Alternative routes', 2013).

use super::candidate::{Effort, Loop, Memory, THOROUGH, TOLERANCE, WATER, Wanted, measured};
use super::graph::{Arc, NodeIdx};
use super::line::{SECTORS, line_of, sector};
use super::mend::mended;
use super::search::Direction;
use super::shape::samples;
use super::weight::scramble;

/// How far out places to turn at are, as shares of the loop's time.
pub(super) const OUT: std::ops::Range<f64> = 0.12..0.5;

/// Where none is good, so many of the best are mended.
const MENDED: usize = 3;

/// The way out is this many times as dear for the way home, and what lies beside it; in eighths.
const WALKED: u32 = 64;

const BESIDE: u32 = 16;

/// Water to drink is worth an anchor from this share of the loop's time on; nearer, most loops can pass it.
const NEAREST_WATER: f64 = 0.08;

const WATER_ANCHORS: usize = 3;

const WATERS_APART_M: f64 = 150.0;

/// Around the start everything is beside the way out.
const HOME_M: f64 = 60.0;

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
pub(super) fn search(
    wanted: &Wanted,
    effort: &Effort,
    memory: &mut Memory,
    found: &mut Vec<Loop>,
) -> bool {
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
pub(super) fn anchors(
    wanted: &Wanted,
    memory: &Memory,
    budget: u32,
    effort: &Effort,
) -> Vec<NodeIdx> {
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
