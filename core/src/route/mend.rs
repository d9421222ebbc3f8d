//! Owns how a loop whose time is off is mended: a part of it is walked another way that takes as much more or less as is
//! missing (a local search on circuits: Lewis, Corcoran, 'Finding fixed-length circuits and cycles in undirected
//! edge-weighted graphs', 2022).

use super::candidate::{Loop, LoopQuery, Scratch, measured};
use super::graph::Arc;
use super::search::Direction;

/// A part that is walked another way is at most this share of the whole.
const PART: f64 = 0.3;
/// And takes no longer than this.
const PART_MS: u32 = 6 * 60_000;
/// So many ways of mending are looked at closely.
const LOOKED_AT: usize = 16;

/// A part of a walk, by its first and last arc, that another way could stand for.
struct Detour {
    /// By how many milliseconds the walk is off then.
    off_ms: u32,
    first: usize,
    last: usize,
}

/// Loops like one whose time is off, that are nearer to it.
pub(super) fn mended(query: &LoopQuery, scratch: &mut Scratch, it: &Loop) -> Vec<Loop> {
    let LoopQuery { graph, weights, .. } = *query;
    let n_stem = query.stem.len();
    let arcs = &it.arcs[n_stem..it.arcs.len() - n_stem];
    let total_ms: u32 = it.arcs.iter().map(|it| weights.time(*it)).sum();
    let mut detours: Vec<(Detour, Vec<Arc>)> = Vec::new();
    scratch.mark(graph, arcs);
    for first in 0..arcs.len() {
        let Some(it) = best_detour(query, scratch, arcs, first, total_ms) else {
            continue;
        };
        let mut path = Vec::new();
        let to = graph.to(arcs[it.last]);
        scratch
            .from_anchor
            .path(graph, to, Direction::From, &mut path);
        detours.push((it, path));
    }
    detours.sort_by_key(|it| (it.0.off_ms, it.0.first));
    detours.truncate(LOOKED_AT);
    let mended = detours.into_iter().filter_map(|(it, path)| {
        let before = arcs[..it.first].iter();
        let after = arcs[it.last + 1..].iter();
        let arcs = before.chain(&path).chain(after).copied().collect();
        measured(query, scratch, arcs)
    });
    mended.collect()
}

/// The part from one arc on that best takes another way, if the walk is less off then; the tree from there is left in
/// `from_anchor`.
fn best_detour(
    query: &LoopQuery,
    scratch: &mut Scratch,
    arcs: &[Arc],
    first: usize,
    total_ms: u32,
) -> Option<Detour> {
    let LoopQuery { graph, weights, .. } = *query;
    let longest_ms = ((f64::from(query.budget_ms) * PART) as u32).min(PART_MS);
    let from = graph.from(arcs[first]);
    scratch.run_beside(query, from, longest_ms);
    let mut part_ms = 0;
    let mut best: Option<Detour> = None;
    for (last, arc) in arcs.iter().enumerate().skip(first) {
        part_ms += weights.time(*arc);
        let to = graph.to(*arc);
        if part_ms > longest_ms {
            break;
        }
        if let Some((_, time)) = scratch.from_anchor.reached(to)
            && to != from
        {
            let off_ms = (total_ms - part_ms + time).abs_diff(query.budget_ms);
            if best.as_ref().is_none_or(|it| off_ms < it.off_ms) {
                best = Some(Detour {
                    off_ms,
                    first,
                    last,
                });
            }
        }
        if query.via.contains(&to) {
            break;
        }
    }
    best.filter(|it| it.off_ms < total_ms.abs_diff(query.budget_ms))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::testing::{at, town};
    use crate::route::RouteRequest;
    use crate::route::candidate::TOLERANCE;
    use crate::route::candidate::tests::{SIDE, along};
    use crate::route::graph::Graph;
    use crate::route::weight::Weights;

    #[test]
    fn a_loop_that_is_too_short_takes_a_part_another_way() {
        let graph = Graph::of(&[town(SIDE, 100)]);
        let request = RouteRequest::plain(30, at(100, 100).place());
        let weights = Weights::of(&graph, &request, Vec::new());
        let short = [0, 1, 2, 3, 9, 15, 21, 20, 19, 18, 12, 6, 0];
        let arcs = along(&graph, &short);
        let block_ms = weights.time(arcs[0]);
        let n_blocks = |n: u32| LoopQuery {
            graph: &graph,
            weights: &weights,
            home: 0,
            end: 0,
            stem: &[],
            lead: &[],
            via: &[],
            over_bridges: false,
            budget_ms: n * block_ms,
            tolerance: TOLERANCE,
            towards: None,
            seed: 0,
        };
        let mut scratch = Scratch::default();
        scratch.make_room((0.0, 0.0), 2000.0);
        let it = measured(&n_blocks(12), &mut scratch, arcs).unwrap();
        let mended = mended(&n_blocks(14), &mut scratch, &it);
        assert!(!mended.is_empty());
        for it in mended {
            assert!(it.off < 0.01 && it.repeated == 0.0);
            assert_eq!(it.arcs.len(), 14);
            let ends = it.arcs.first().zip(it.arcs.last()).unwrap();
            assert_eq!((graph.from(*ends.0), graph.to(*ends.1)), (0, 0));
        }
    }
}
