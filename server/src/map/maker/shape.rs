//! Owns geometry on the map's steps, most of which the `geo` crate does: simplifying lines, cutting them and areas at tiles'
//! borders, sizes, what lies within what; and rings from their parts, for which it has nothing.

use std::collections::HashMap;

use geo::{
    Area, BooleanOps, Contains, Coord, Euclidean, InteriorPoint, Length, LineString, MultiPolygon,
    Polygon, Rect, SimplifyIdx,
};
use walkies_core::map::{Ground, Point};

use super::frame::Frame;

/// `geo` calls itself once more for each point of a jagged line, and the stack has room for some thousands.
const SIMPLIFIED_AT_ONCE: usize = 1000;

/// A line in steps.
pub fn in_steps(line: &[Point]) -> LineString {
    line.iter().copied().map(coord).collect()
}

/// A line in meters east and north of its first point.
pub fn in_meters(line: &[Point], ground: &Ground) -> LineString {
    let first = line.first().copied().unwrap_or_default();
    line.iter().map(|it| ground.vector_m(first, *it)).collect()
}

/// A point in steps, between which there may be others.
pub fn coord(at: Point) -> Coord {
    Coord {
        x: at.x.into(),
        y: at.y.into(),
    }
}

/// The nearest whole steps.
pub fn point(at: Coord) -> Point {
    Point {
        x: at.x.round() as u32,
        y: at.y.round() as u32,
    }
}

/// Converts a ring to the area that it surrounds, in steps.
pub fn polygon(ring: &[Point]) -> Polygon {
    Polygon::new(in_steps(ring), Vec::new())
}

/// Rings by the even-odd rule, with no word on which are holes: operations on areas find that out.
fn even_odd(rings: &[Vec<Point>]) -> MultiPolygon {
    rings.iter().map(|it| polygon(it)).collect()
}

/// A frame as an area.
pub fn window(frame: &Frame) -> Polygon {
    Rect::new(coord(frame.from), coord(frame.to)).to_polygon()
}

/// The points of a line that must stay so that none of the others is further than `tolerance_m` from what is drawn,
/// by Douglas and Peucker. The ends stay.
pub fn simplified(line: &[Point], ground: &Ground, tolerance_m: f64) -> Vec<Point> {
    let mut kept = Vec::new();
    for from in (0..line.len()).step_by(SIMPLIFIED_AT_ONCE) {
        let part = line.iter().skip(from).take(SIMPLIFIED_AT_ONCE + 1);
        let part: Vec<Point> = part.copied().collect();
        let stay = in_meters(&part, ground).simplify_idx(tolerance_m);
        // A part begins where the one before ends.
        kept.pop();
        kept.extend(stay.iter().filter_map(|it| part.get(*it).copied()));
    }
    kept
}

/// A ring as `simplified` makes it; empty if nothing with an inside is left.
pub fn simplified_ring(ring: &[Point], ground: &Ground, tolerance_m: f64) -> Vec<Point> {
    // Two ends far from each other, so that the result does not depend on where the ring begins in the data more than it must.
    let lowest = ring.iter().enumerate().min_by_key(|(_, it)| **it);
    let lowest = lowest.map_or(0, |(index, _)| index);
    let around = ring.iter().cycle().skip(lowest).copied();
    let closed: Vec<Point> = around.take(ring.len() + 1).collect();
    let mut short = simplified(&closed, ground, tolerance_m);
    short.pop();
    short.dedup();
    if short.len() < 3 { Vec::new() } else { short }
}

/// Meters along a line.
pub fn length_m(line: &[Point], ground: &Ground) -> f64 {
    Euclidean.length(&in_meters(line, ground))
}

/// Square meters within a ring.
pub fn area_m2(ring: &[Point], ground: &Ground) -> f64 {
    polygon(ring).unsigned_area() * ground.east_m * ground.south_m
}

/// Returns true if a point lies within rings, by the even-odd rule.
pub fn is_within(at: Point, rings: &[Vec<Point>]) -> bool {
    let around = rings.iter().filter(|it| polygon(it).contains(&coord(at)));
    around.count() % 2 == 1
}

/// Cuts an area at a frame; its rings, by the even-odd rule, are outlines and holes.
pub fn rings_within(rings: &[Vec<Point>], frame: &Frame) -> Vec<Vec<Point>> {
    let around = Frame::around(rings.iter().flatten().copied());
    if around.is_none_or(|it| it.common(frame) == Some(it)) {
        return rings.to_vec();
    }
    // It is done on a grid that all whole steps lie on, so that points within stay what they are.
    let within = even_odd(rings).intersection(&window(frame));
    within
        .rings()
        .map(|ring| {
            let mut ring: Vec<Point> = ring.coords().copied().map(point).collect();
            ring.dedup();
            ring.pop();
            ring
        })
        .filter(|it| it.len() > 2)
        .collect()
}

/// The parts of a line within a frame, in its direction.
pub fn lines_within(line: &[Point], frame: &Frame) -> Vec<Vec<Point>> {
    let window = window(frame);
    // Of a line that is cut as a whole `geo` makes pieces that also begin and end within.
    let mut lines = Vec::new();
    let mut current: Vec<Point> = Vec::new();
    for pair in line.windows(2) {
        let &[a, b] = pair else { continue };
        let Some((from, to)) = segment_within(a, b, frame, &window) else {
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

/// The part of a straight line within a window.
fn segment_within(a: Point, b: Point, frame: &Frame, window: &Polygon) -> Option<(Point, Point)> {
    if frame.holds(a) && frame.holds(b) {
        return Some((a, b));
    }
    let within = window.clip(&in_steps(&[a, b]).into(), false);
    match within.0.first()?.0.as_slice() {
        [from, .., to] => Some((point(*from), point(*to))),
        _ => None,
    }
}

/// A point within rings for a name or a mark: the middle of the widest stretch halfway from north to south.
pub fn middle(rings: &[Vec<Point>]) -> Option<Point> {
    let with_holes = even_odd(rings).union(&MultiPolygon::empty());
    with_holes.interior_point().map(|it| point(it.0))
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

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame {
        from: Point { x: 1000, y: 1000 },
        to: Point { x: 2000, y: 2000 },
    };

    fn points(line: &[(u32, u32)]) -> Vec<Point> {
        line.iter().map(|(x, y)| Point { x: *x, y: *y }).collect()
    }

    #[test]
    fn an_area_is_cut_at_the_border_into_its_parts() {
        // A comb with two teeth in the frame, one of which has a hole across the border.
        let comb = points(&[
            (500, 1100),
            (1500, 1100),
            (1501, 1300),
            (800, 1300),
            (800, 1500),
            (1500, 1500),
            (1500, 1700),
            (500, 1700),
        ]);
        let hole = points(&[(900, 1150), (1200, 1150), (1201, 1250), (900, 1250)]);
        let mut parts = rings_within(&[comb, hole], &FRAME);
        parts.iter_mut().for_each(|it| it.sort_unstable());
        parts.sort();
        let with_a_bay = [
            (1000, 1100),
            (1000, 1150),
            (1000, 1250),
            (1000, 1300),
            (1200, 1150),
            (1201, 1250),
            (1500, 1100),
            (1501, 1300),
        ];
        let other = [(1000, 1500), (1000, 1700), (1500, 1500), (1500, 1700)];
        assert_eq!(parts, [points(&with_a_bay), points(&other)]);
    }

    #[test]
    fn a_line_is_cut_only_at_the_border() {
        let line = points(&[
            (500, 1500),
            (1500, 1500),
            (1200, 1700),
            (2500, 1700),
            (2500, 1801),
            (1900, 1801),
        ]);
        let first = points(&[(1000, 1500), (1500, 1500), (1200, 1700), (2000, 1700)]);
        let second = points(&[(2000, 1801), (1900, 1801)]);
        assert_eq!(lines_within(&line, &FRAME), [first, second]);
    }

    #[test]
    fn a_name_stands_in_its_area_and_not_in_a_hole() {
        let square = |from, to| points(&[(from, from), (to, from), (to, to), (from, to)]);
        let rings = [square(1000, 2000), square(1100, 1900)];
        let at = middle(&rings).unwrap();
        assert!(is_within(at, &rings), "{at:?}");
        assert_eq!(middle(&[]), None);
    }

    #[test]
    fn a_line_of_any_length_is_simplified() {
        let line = |side: u32| -> Vec<Point> {
            let point = |it: u32| Point {
                x: 30_000_000 + 10 * it,
                y: 20_000_000 + side * (it % 2),
            };
            (0..20_000).map(point).collect()
        };
        let simplified = |line: &[Point]| simplified(line, &Ground::at(line[0]), 2.0);
        let (jagged, straight) = (line(1000), line(0));
        assert_eq!(simplified(&jagged), jagged);
        let short = simplified(&straight);
        assert!(short.len() < 30, "{}", short.len());
        assert_eq!(
            [short[0], short[short.len() - 1]],
            [straight[0], straight[19_999]]
        );
    }
}
