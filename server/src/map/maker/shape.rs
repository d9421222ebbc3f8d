//! Owns geometry on the map's steps: simplifying lines, cutting them and areas at tiles' borders, rings from their parts.

use std::collections::HashMap;

use walkies_core::map::{Ground, Point};

use super::frame::Frame;

/// The points of a line that must stay so that none of the others is further than `tolerance_m` from what is drawn,
/// by Douglas and Peucker. The ends stay.
pub fn simplified(line: &[Point], ground: &Ground, tolerance_m: f64) -> Vec<Point> {
    let mut keep = vec![false; line.len()];
    let mut open = vec![(0, line.len().saturating_sub(1))];
    while let Some((from, to)) = open.pop() {
        for end in [from, to] {
            if let Some(it) = keep.get_mut(end) {
                *it = true;
            }
        }
        if let Some((index, distance_m)) = farthest(line, from, to, ground)
            && distance_m > tolerance_m
        {
            open.push((from, index));
            open.push((index, to));
        }
    }
    line.iter()
        .zip(keep)
        .filter(|(_, keep)| *keep)
        .map(|(point, _)| *point)
        .collect()
}

/// Which point between two of a line is farthest from the straight line between them, and how far.
pub fn farthest(line: &[Point], from: usize, to: usize, ground: &Ground) -> Option<(usize, f64)> {
    let (a, b) = (*line.get(from)?, *line.get(to)?);
    let mut farthest: Option<(usize, f64)> = None;
    for (index, point) in line.iter().enumerate().take(to).skip(from + 1) {
        let distance_m = distance_to_segment_m(*point, a, b, ground);
        if farthest.is_none_or(|(_, it)| distance_m > it) {
            farthest = Some((index, distance_m));
        }
    }
    farthest
}

/// Meters from a point to the straight line between two others.
pub fn distance_to_segment_m(point: Point, a: Point, b: Point, ground: &Ground) -> f64 {
    let (bx, by) = ground.vector_m(a, b);
    let (px, py) = ground.vector_m(a, point);
    let square = bx * bx + by * by;
    let share = if square > 0.0 {
        ((px * bx + py * by) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let (dx, dy) = (px - share * bx, py - share * by);
    (dx * dx + dy * dy).sqrt()
}

/// Meters along a line.
pub fn length_m(line: &[Point], ground: &Ground) -> f64 {
    line.windows(2)
        .map(|it| match it {
            [a, b] => ground.length_m(*a, *b),
            _ => 0.0,
        })
        .sum()
}

/// A ring as `simplified` makes it; empty if nothing with an inside is left.
pub fn simplified_ring(ring: &[Point], ground: &Ground, tolerance_m: f64) -> Vec<Point> {
    let Some(first) = ring.first() else {
        return Vec::new();
    };
    // Two ends far from each other, so that the result does not depend on where the ring begins in the data more than it must.
    let lowest = ring
        .iter()
        .enumerate()
        .min_by_key(|(_, it)| **it)
        .map_or(0, |(index, _)| index);
    let mut open: Vec<Point> = ring
        .iter()
        .cycle()
        .skip(lowest)
        .take(ring.len())
        .copied()
        .collect();
    open.push(open.first().copied().unwrap_or(*first));
    let mut short = simplified(&open, ground, tolerance_m);
    short.pop();
    short.dedup();
    if short.len() < 3 { Vec::new() } else { short }
}

/// Twice the square steps within a ring: above zero if it runs clockwise.
pub fn doubled_area(ring: &[Point]) -> i64 {
    let next = ring.iter().cycle().skip(1);
    let parts = ring.iter().zip(next).map(|(a, b)| {
        let [ax, ay, bx, by] = [a.x, a.y, b.x, b.y].map(i64::from);
        (bx - ax) * (by + ay)
    });
    -parts.sum::<i64>()
}

/// Whether a point lies within rings, by the even-odd rule.
pub fn is_within(at: Point, rings: &[Vec<Point>]) -> bool {
    let before = row_crossings(rings, f64::from(at.y) + 0.25).filter(|it| *it < f64::from(at.x));
    before.count() % 2 == 1
}

/// Square meters within a ring.
pub fn area_m2(ring: &[Point], ground: &Ground) -> f64 {
    let Some(first) = ring.first() else {
        return 0.0;
    };
    let next = ring.iter().cycle().skip(1);
    let doubled: f64 = ring
        .iter()
        .zip(next)
        .map(|(a, b)| {
            let (ax, ay) = ground.vector_m(*first, *a);
            let (bx, by) = ground.vector_m(*first, *b);
            ax * by - bx * ay
        })
        .sum();
    doubled.abs() / 2.0
}

/// The part of a ring within a frame, by Sutherland and Hodgman: what lay beyond runs along the frame, which an even-odd
/// filling does not show. Empty if nothing is left.
pub fn ring_within(ring: &[Point], frame: &Frame) -> Vec<Point> {
    let mut ring = ring.to_vec();
    for (axis, bound, keep_below) in [
        (Axis::X, frame.from.x, false),
        (Axis::X, frame.to.x, true),
        (Axis::Y, frame.from.y, false),
        (Axis::Y, frame.to.y, true),
    ] {
        let inside = |it: Point| {
            if keep_below {
                axis.of(it) <= bound
            } else {
                axis.of(it) >= bound
            }
        };
        if ring.iter().all(|it| inside(*it)) {
            continue;
        }
        let mut cut = Vec::with_capacity(ring.len());
        let mut last = ring.last().copied().unwrap_or_default();
        for point in &ring {
            if inside(*point) != inside(last) {
                cut.push(axis.crossing(last, *point, bound));
            }
            if inside(*point) {
                cut.push(*point);
            }
            last = *point;
        }
        ring = cut;
    }
    ring.dedup();
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    if ring.len() < 3 { Vec::new() } else { ring }
}

/// The parts of a line within a frame.
pub fn lines_within(line: &[Point], frame: &Frame) -> Vec<Vec<Point>> {
    let mut lines = Vec::new();
    let mut current: Vec<Point> = Vec::new();
    for pair in line.windows(2) {
        let &[a, b] = pair else { continue };
        let Some((from, to)) = segment_within(a, b, frame) else {
            lines.push(std::mem::take(&mut current));
            continue;
        };
        if current.last() != Some(&from) {
            lines.push(std::mem::take(&mut current));
            current.push(from);
        }
        if to != from {
            current.push(to);
        }
    }
    lines.push(current);
    lines.retain(|it| it.len() > 1);
    lines
}

/// The part of a straight line within a frame.
fn segment_within(a: Point, b: Point, frame: &Frame) -> Option<(Point, Point)> {
    let (mut a, mut b) = (a, b);
    for (axis, bound, keep_below) in [
        (Axis::X, frame.from.x, false),
        (Axis::X, frame.to.x, true),
        (Axis::Y, frame.from.y, false),
        (Axis::Y, frame.to.y, true),
    ] {
        let inside = |it: Point| {
            if keep_below {
                axis.of(it) <= bound
            } else {
                axis.of(it) >= bound
            }
        };
        match (inside(a), inside(b)) {
            (true, true) => {}
            (false, false) => return None,
            (true, false) => b = axis.crossing(a, b, bound),
            (false, true) => a = axis.crossing(a, b, bound),
        }
    }
    Some((a, b))
}

#[derive(Clone, Copy)]
enum Axis {
    X,
    Y,
}

impl Axis {
    fn of(self, point: Point) -> u32 {
        match self {
            Self::X => point.x,
            Self::Y => point.y,
        }
    }

    /// Where a line crosses a bound; the same from both sides.
    fn crossing(self, a: Point, b: Point, bound: u32) -> Point {
        let (a, b) = (a.min(b), a.max(b));
        let share = |from: u32, to: u32| {
            let span = f64::from(to) - f64::from(from);
            if span == 0.0 {
                0.0
            } else {
                (f64::from(bound) - f64::from(from)) / span
            }
        };
        let between = |share: f64, from: u32, to: u32| {
            (f64::from(from) + share * (f64::from(to) - f64::from(from))).round() as u32
        };
        match self {
            Self::X => Point {
                x: bound,
                y: between(share(a.x, b.x), a.y, b.y),
            },
            Self::Y => Point {
                x: between(share(a.y, b.y), a.x, b.x),
                y: bound,
            },
        }
    }
}

/// A point within rings for a name or a mark: the middle of the widest stretch on one of a few lines from west to east.
pub fn middle(rings: &[Vec<Point>]) -> Option<Point> {
    let frame = Frame::around(rings.iter().flatten().copied())?;
    let height = frame.to.y - frame.from.y;
    let mut widest: Option<(u32, Point)> = None;
    // The middle line first: it wins unless another is wider by far.
    for eighth in [4, 3, 5, 2, 6] {
        let y = frame.from.y + (u64::from(height) * eighth / 8) as u32;
        let mut crossings: Vec<u32> = row_crossings(rings, f64::from(y) + 0.5)
            .map(|it| it.round() as u32)
            .collect();
        crossings.sort_unstable();
        for pair in crossings.chunks_exact(2) {
            let &[from, to] = pair else { continue };
            if widest.is_none_or(|(it, _)| to - from > it + it / 4) {
                widest = Some((
                    to - from,
                    Point {
                        x: u32::midpoint(from, to),
                        y,
                    },
                ));
            }
        }
    }
    let corner = frame.from;
    Some(widest.map_or(corner, |(_, it)| it))
}

/// Where rings cross a line from west to east, in steps.
pub fn row_crossings(rings: &[Vec<Point>], y: f64) -> impl Iterator<Item = f64> {
    rings
        .iter()
        .flat_map(|ring| ring.iter().zip(ring.iter().cycle().skip(1)))
        .filter_map(move |(a, b)| {
            let (ay, by) = (f64::from(a.y), f64::from(b.y));
            let share = (y - ay) / (by - ay);
            ((ay > y) != (by > y))
                .then(|| f64::from(a.x) + share * (f64::from(b.x) - f64::from(a.x)))
        })
}

/// Rings from the lines of an area's border, in whatever order and direction they come; and whether any line was left over.
pub fn rings(lines: Vec<Vec<Point>>) -> (Vec<Vec<Point>>, bool) {
    let mut rings = Vec::new();
    let mut left_over = false;
    let mut used = vec![false; lines.len()];
    let mut at = HashMap::<Point, Vec<usize>>::new();
    for (index, line) in lines.iter().enumerate() {
        for end in [line.first(), line.last()].into_iter().flatten() {
            at.entry(*end).or_default().push(index);
        }
    }
    for start in 0..lines.len() {
        let mut ring: Vec<Point> = Vec::new();
        let mut next = Some(start);
        while let Some(index) = next {
            let (Some(line), Some(is_used)) = (lines.get(index), used.get_mut(index)) else {
                break;
            };
            if std::mem::replace(is_used, true) {
                break;
            }
            let same_way = ring.is_empty() || line.first() == ring.last();
            let joint = usize::from(!ring.is_empty());
            if same_way {
                ring.extend(line.iter().skip(joint));
            } else {
                ring.extend(line.iter().rev().skip(joint));
            }
            if ring.first() == ring.last() {
                break;
            }
            let here = ring.last().and_then(|it| at.get(it));
            next = here
                .into_iter()
                .flatten()
                .copied()
                .find(|it| used.get(*it) == Some(&false));
        }
        if ring.len() > 3 && ring.first() == ring.last() {
            ring.pop();
            rings.push(ring);
        } else {
            left_over |= ring.len() > 1;
        }
    }
    (rings, left_over)
}
