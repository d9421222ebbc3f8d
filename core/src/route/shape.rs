//! Owns what a route is like as a line on the ground: whether it goes the way it came, turns too often, encloses something.

use super::grid::{CORRIDOR_M, Grid};
use crate::values::plane::length;

/// Samples along the line stand this far apart, in meters.
pub(super) const STEP_M: f64 = 10.0;
/// Parts of a walk that follow each other within so many meters are near each other without being walked twice.
const APART_M: f64 = 100.0;
/// Around the door everything is near.
const HOME_M: f64 = 60.0;
/// Two parts of a walk no farther apart than this are two sides of one street or two banks of one canal,
const BESIDE_M: f64 = CORRIDOR_M;
/// if they do not follow each other within so many meters: that would be a corner.
const CORNER_M: f64 = 60.0;
/// A place to which one goes and comes back is a spur if both ways are no farther apart than this.
const SPUR_WIDTH_M: f64 = 6.0;
/// A bend is judged between the samples so many before it and behind it: over 20 m each.
const BEND_SAMPLES: usize = 2;
/// A line with fewer samples has no shape.
const FEWEST_SAMPLES: usize = 4;
/// From this angle a bend is a turn; its cosine.
const TURN_COS: f64 = std::f64::consts::FRAC_1_SQRT_2;

/// Measures of a route as a line on the ground.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shape {
    /// Its length in meters, to the 10 m of the samples.
    pub length_m: f64,
    /// Share of the length that lies within 25 m of another part of the same walk, the surroundings of the door left out.
    pub corridor: f64,
    /// Share of the length that lies within 25 m of another part of the same walk, as on two sides of one street.
    pub beside: f64,
    /// Turns of 45 degrees and more.
    pub turns_per_km: f64,
    /// The enclosed area against that of a circle as long as the walk: 1 for a circle, 0 for there and back.
    pub compactness: f64,
    /// The longest way out and back at once, in meters.
    pub spur_m: f64,
}

/// Points every 10 m along a line, its end left out.
pub fn samples(line: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut samples = Vec::new();
    let mut rest = 0.0;
    for pair in line.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let length = (dx * dx + dy * dy).sqrt();
        let mut at = rest;
        while at < length {
            let part = at / length;
            samples.push((from.0 + dx * part, from.1 + dy * part));
            at += STEP_M;
        }
        rest = at - length;
    }
    samples
}

/// Measures a closed line, given in meters on a plane; `stem_m` of it at both ends is the way between the door and the first
/// crossing, which has no other.
pub fn shape(line: &[(f64, f64)], stem_m: f64, grid: &mut Grid) -> Shape {
    let all = samples(line);
    let stem = ((stem_m / STEP_M).round() as usize).min(all.len() / 2);
    let samples = &all[stem..all.len() - stem];
    let n = samples.len();
    let length_m = all.len() as f64 * STEP_M;
    if n < FEWEST_SAMPLES {
        return Shape {
            length_m,
            ..Shape::default()
        };
    }
    let inner_m = n as f64 * STEP_M;
    let (corridor, beside) = twice(samples, grid);
    Shape {
        length_m,
        corridor,
        beside,
        turns_per_km: f64::from(turns(samples)) / (inner_m / 1e3),
        compactness: compactness(samples, inner_m),
        spur_m: spur(samples),
    }
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    length(a.0 - b.0, a.1 - b.1)
}

/// The shares of samples that are near another part of the walk, and right beside one.
fn twice(samples: &[(f64, f64)], grid: &mut Grid) -> (f64, f64) {
    let n = samples.len();
    let (apart, corner) = ((APART_M / STEP_M) as usize, (CORNER_M / STEP_M) as usize);
    let home = samples[0];
    grid.clear();
    for (index, at) in samples.iter().enumerate() {
        grid.put(*at, index as u32);
    }
    let (mut n_near, mut n_beside) = (0, 0);
    for (index, at) in samples.iter().enumerate() {
        let is_home = distance(*at, home) < HOME_M;
        let (mut is_near, mut is_beside) = (false, false);
        grid.any_near(*at, |other| {
            let other = other as usize;
            let gap = index.abs_diff(other);
            let gap = gap.min(n - gap);
            if gap > corner {
                let meters = distance(samples[other], *at);
                is_near |= !is_home && gap > apart && meters < CORRIDOR_M;
                is_beside |= meters < BESIDE_M;
            }
            is_beside && (is_near || is_home)
        });
        n_near += usize::from(is_near);
        n_beside += usize::from(is_beside);
    }
    let share = |count: usize| count as f64 / n as f64;
    (share(n_near), share(n_beside))
}

/// How many bends are turns.
fn turns(samples: &[(f64, f64)]) -> u32 {
    let n = samples.len();
    let mut turns = 0;
    let mut index = BEND_SAMPLES;
    while index + BEND_SAMPLES < n {
        let before = samples[index - BEND_SAMPLES];
        let (at, after) = (samples[index], samples[index + BEND_SAMPLES]);
        let (a, b) = (
            (at.0 - before.0, at.1 - before.1),
            (after.0 - at.0, after.1 - at.1),
        );
        let lengths = distance(before, at) * distance(at, after);
        if lengths > 0.0 && (a.0 * b.0 + a.1 * b.1) / lengths < TURN_COS {
            turns += 1;
            // One bend is no two turns.
            index += BEND_SAMPLES + 1;
        } else {
            index += 1;
        }
    }
    turns
}

/// The area by the shoelace formula, against that of a circle with the same way around.
fn compactness(samples: &[(f64, f64)], length_m: f64) -> f64 {
    let n = samples.len();
    let twice: f64 = (0..n)
        .map(|index| {
            let (a, b) = (samples[index], samples[(index + 1) % n]);
            a.0 * b.1 - b.0 * a.1
        })
        .sum();
    2.0 * std::f64::consts::PI * twice.abs() / (length_m * length_m)
}

/// The longest way to a tip and back, in meters one way.
fn spur(samples: &[(f64, f64)]) -> f64 {
    let n = samples.len();
    let mut longest = 0;
    for tip in 1..n {
        let mut reach = 0;
        // Samples on the way back lie elsewhere than those on the way out, so that it is their line that is near.
        while reach < tip && tip + reach + 1 < n {
            let back = &samples[tip + reach..n.min(tip + reach + 3)];
            let is_near = |it: &[(f64, f64)]| {
                distance_to_segment(samples[tip - reach - 1], it[0], it[1]) < SPUR_WIDTH_M
            };
            if !back.windows(2).any(is_near) {
                break;
            }
            reach += 1;
        }
        longest = longest.max(reach);
    }
    longest as f64 * STEP_M
}

fn distance_to_segment(at: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let along = ((at.0 - from.0) * x + (at.1 - from.1) * y) / (x * x + y * y).max(1e-9);
    let along = along.clamp(0.0, 1.0);
    distance(at, (from.0 + x * along, from.1 + y * along))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape_of(line: &[(f64, f64)]) -> Shape {
        shape(line, 0.0, &mut Grid::around((0.0, 0.0), 1000.0))
    }

    #[test]
    fn two_sides_of_a_street_lie_beside_each_other_and_a_block_does_not() {
        let around = |length: f64, width: f64| {
            let far = [(length, 0.0), (length, width), (0.0, width), (0.0, 0.0)];
            shape_of(&[&[(0.0, 0.0)][..], &far].concat()).beside
        };
        for length in [150.0, 600.0] {
            for width in [12.0, 20.0, 24.0] {
                assert!(around(length, width) > 0.5, "{length} {width}");
            }
            assert_eq!(around(length, 30.0), 0.0, "{length}");
        }
        assert_eq!(around(60.0, 60.0), 0.0);
    }

    #[test]
    fn a_spur_is_one_wherever_the_samples_of_its_line_lie() {
        for longer in 0..10 {
            for beside in [0.0, 2.5, 5.0] {
                let tip = 150.0 + f64::from(longer);
                let line = [
                    (0.0, 0.0),
                    (100.0, 0.0),
                    (100.0, tip),
                    (100.0 + beside, tip),
                    (100.0 + beside, 0.0),
                    (200.0, 0.0),
                    (200.0, -200.0),
                    (0.0, -200.0),
                    (0.0, 0.0),
                ];
                let found = shape_of(&line).spur_m;
                assert!(
                    (130.0..=170.0).contains(&found),
                    "{found} of {tip}, {beside}"
                );
            }
        }
    }
}
