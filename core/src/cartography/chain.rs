//! Owns joining pieces of a street to lines as long as they go: dashes and names run on where the data has a crossing.

use std::collections::BTreeMap;

use crate::map::Point;

/// Joins pieces that end where another begins; where several go on, the straightest. The order of the pieces decides ties,
/// so the same pieces give the same lines.
pub(super) fn join(pieces: Vec<Vec<Point>>) -> Vec<Vec<Point>> {
    let mut ends: BTreeMap<Point, Vec<usize>> = BTreeMap::new();
    for (index, piece) in pieces.iter().enumerate() {
        for end in [piece.first(), piece.last()].into_iter().flatten() {
            ends.entry(*end).or_default().push(index);
        }
    }
    let mut rest: Vec<Option<Vec<Point>>> = pieces.into_iter().map(Some).collect();
    let mut lines = Vec::new();
    for index in 0..rest.len() {
        let Some(mut line) = rest.get_mut(index).and_then(Option::take) else {
            continue;
        };
        while let Some(next) = next(&line, &ends, &mut rest) {
            line.extend(next.into_iter().skip(1));
        }
        line.reverse();
        while let Some(next) = next(&line, &ends, &mut rest) {
            line.extend(next.into_iter().skip(1));
        }
        lines.push(line);
    }
    lines
}

/// The piece that goes on best at the end of a line, turned so that it begins there.
fn next(
    line: &[Point],
    ends: &BTreeMap<Point, Vec<usize>>,
    rest: &mut [Option<Vec<Point>>],
) -> Option<Vec<Point>> {
    let [.., before, end] = line else {
        return None;
    };
    let ahead = towards(*before, *end);
    let mut best: Option<(f64, usize)> = None;
    for index in ends.get(end)? {
        let Some(piece) = rest.get(*index).and_then(Option::as_ref) else {
            continue;
        };
        let second = if piece.first() == Some(end) {
            piece.get(1)
        } else {
            piece.iter().rev().nth(1)
        };
        let Some(second) = second else {
            continue;
        };
        let there = towards(*end, *second);
        let straight = ahead.0 * there.0 + ahead.1 * there.1;
        // A corner is where another line begins.
        if straight > 0.5 && best.is_none_or(|(it, _)| it < straight) {
            best = Some((straight, *index));
        }
    }
    let (_, index) = best?;
    let mut piece = rest.get_mut(index)?.take()?;
    if piece.first() != Some(end) {
        piece.reverse();
    }
    Some(piece)
}

/// The direction from one point to another, of length 1.
fn towards(from: Point, to: Point) -> (f64, f64) {
    let (x, y) = (
        f64::from(to.x) - f64::from(from.x),
        f64::from(to.y) - f64::from(from.y),
    );
    let length = crate::values::plane::length(x, y).max(1e-9);
    (x / length, y / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(points: &[(u32, u32)]) -> Vec<Point> {
        points.iter().map(|(x, y)| Point { x: *x, y: *y }).collect()
    }

    #[test]
    fn pieces_of_a_street_become_one_line() {
        let pieces = vec![
            line(&[(10, 0), (20, 0)]),
            line(&[(30, 1), (20, 0)]),
            line(&[(0, 0), (5, 1), (10, 0)]),
        ];
        assert_eq!(
            join(pieces),
            [line(&[(30, 1), (20, 0), (10, 0), (5, 1), (0, 0)])]
        );
    }

    #[test]
    fn at_a_corner_another_line_begins_and_a_ring_ends() {
        let corner = vec![line(&[(0, 0), (10, 0)]), line(&[(10, 0), (10, 10)])];
        assert_eq!(join(corner).len(), 2);
        let ring = line(&[(0, 0), (9, 3), (18, 0), (9, 40), (0, 0)]);
        assert_eq!(join(vec![ring]).len(), 1);
    }

    #[test]
    fn where_several_go_on_the_straightest_does() {
        let fork = vec![
            line(&[(0, 0), (10, 0)]),
            line(&[(10, 0), (20, 8)]),
            line(&[(10, 0), (20, 1)]),
        ];
        let joined = join(fork);
        assert!(
            joined.contains(&line(&[(20, 1), (10, 0), (0, 0)])),
            "{joined:?}"
        );
    }
}
