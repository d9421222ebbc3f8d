//! Owns the question where on a planned route a walker is, and whether still on it (SPEC 4, Active walk).
//! A small state and one position in, the state after it and what to say out; the same positions always give the same.

use serde::{Deserialize, Serialize};

use crate::map::{Ground, Point};
use crate::values::place::Place;
use crate::values::plane::length;

/// SPEC 9: off the route begins here; the accuracy of the position is allowed for on top.
const OFF_M: f64 = 100.0;
/// On it again: nearer than where it was lost, so that a path along that border does not ring all the time.
const ON_M: f64 = 70.0;
/// A soft word before: here a person has just missed a turn.
const STRAYING_M: f64 = 50.0;
/// An accuracy that is worse says nothing about where one is.
const WORST_ACCURACY_M: f64 = 50.0;
/// One jump of the position is no walk: so many positions, over so many milliseconds.
const OFF_FIXES: u32 = 3;
const OFF_MS: i64 = 10_000;
const ON_FIXES: u32 = 2;
/// The route is looked for so far behind and ahead of where the walker was: loops cross themselves and run side by side.
const BEHIND_M: f64 = 150.0;
const AHEAD_M: f64 = 400.0;
/// After so long off the route, it may be met anywhere.
const ANYWHERE_MS: i64 = 30_000;
/// Difference in meters up to which two places on the route are equally near, so that the earlier one counts: who waits
/// where the loop closes has not walked it.
const EQUALLY_NEAR_M: f64 = 0.01;
/// Nobody wants to hear it all the time.
const REMIND_MS: i64 = 5 * 60_000;
/// A loop ends where it begins: only who has walked this share of it can have arrived.
const ARRIVAL_SHARE: f64 = 0.8;
const ARRIVAL_M: f64 = 30.0;

/// A planned route as a line with distances.
#[derive(Clone, Debug)]
pub struct PlannedLine {
    ground: Ground,
    origin: Point,
    points: Vec<(f64, f64)>,
    /// Meters along the line by point.
    at: Vec<f64>,
}

/// State of a walker on a planned route.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Following {
    /// Meters along the route; stands still while off it.
    pub progress_m: f64,
    /// Off the route.
    pub is_off: bool,
    /// Has come to its end.
    pub has_arrived: bool,
    /// Meters from the route, when last known.
    pub distance_m: f64,
    n_far: u32,
    far_since: Option<i64>,
    n_near: u32,
    off_since: Option<i64>,
    said_at: Option<i64>,
    was_straying: bool,
}

/// Notice for the walker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum FollowNotice {
    /// A turn was missed, perhaps.
    Straying,
    /// 'You appear to be off your planned route'; again after five minutes.
    OffRoute,
    /// Back on it.
    OnRoute,
    /// The walker has reached the end.
    Arrived,
}

impl PlannedLine {
    /// Measures the points of a route; `None` for fewer than two.
    pub fn of(line: &[Place]) -> Option<Self> {
        let points: Vec<Point> = line.iter().map(|it| Point::at(*it)).collect();
        let origin = *points.first()?;
        points.get(1)?;
        let ground = Ground::at(origin);
        let points: Vec<_> = points
            .iter()
            .map(|it| ground.vector_m(origin, *it))
            .collect();
        let mut at = vec![0.0];
        for pair in points.windows(2) {
            let gone = at.last().copied().unwrap_or_default();
            at.push(gone + length(pair[1].0 - pair[0].0, pair[1].1 - pair[0].1));
        }
        Some(Self {
            ground,
            origin,
            points,
            at,
        })
    }

    /// Length of the line in meters.
    pub fn length_m(&self) -> f64 {
        self.at.last().copied().unwrap_or_default()
    }

    /// Takes one filtered position, at a time in milliseconds.
    pub fn step(
        &self,
        before: Following,
        place: Place,
        accuracy_m: f64,
        at: i64,
    ) -> (Following, Option<FollowNotice>) {
        if accuracy_m > WORST_ACCURACY_M || before.has_arrived {
            return (before, None);
        }
        let here = self.ground.vector_m(self.origin, Point::at(place));
        let is_lost = before
            .off_since
            .is_some_and(|since| at - since >= ANYWHERE_MS);
        let (from_m, to_m) = if is_lost {
            (0.0, self.length_m())
        } else {
            (before.progress_m - BEHIND_M, before.progress_m + AHEAD_M)
        };
        let (distance_m, along_m) = self.nearest(here, from_m, to_m);
        let mut now = Following {
            distance_m,
            ..before
        };
        let notice = if before.is_off {
            now.step_off_route(along_m, at)
        } else if distance_m > OFF_M + accuracy_m.min(WORST_ACCURACY_M) / 2.0 {
            now.step_away(at)
        } else if distance_m > STRAYING_M + accuracy_m / 2.0 {
            now.step_astray()
        } else {
            now.step_on_route(along_m, self.length_m())
        };
        (now, notice)
    }

    /// Meters to the nearest place of a part of the line, and how far along it that is.
    fn nearest(&self, (x, y): (f64, f64), from: f64, to: f64) -> (f64, f64) {
        let mut best = (f64::MAX, from.max(0.0));
        for (pair, at) in self.points.windows(2).zip(self.at.windows(2)) {
            if at[1] < from || at[0] > to {
                continue;
            }
            let (dx, dy) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
            let square = dx * dx + dy * dy;
            let part = if square > 0.0 {
                ((x - pair[0].0) * dx + (y - pair[0].1) * dy) / square
            } else {
                0.0
            };
            let part = part.clamp(0.0, 1.0);
            let distance = length(pair[0].0 + part * dx - x, pair[0].1 + part * dy - y);
            if distance < best.0 - EQUALLY_NEAR_M {
                best = (distance, at[0] + part * (at[1] - at[0]));
            }
        }
        best
    }
}

impl Following {
    /// Off the route, where it is nearest so far along it.
    fn step_off_route(&mut self, along_m: f64, at: i64) -> Option<FollowNotice> {
        self.n_near = if self.distance_m < ON_M {
            self.n_near + 1
        } else {
            0
        };
        if self.n_near >= ON_FIXES {
            *self = Self {
                progress_m: along_m,
                distance_m: self.distance_m,
                was_straying: true, // which was said when it was
                ..Self::default()
            };
            return Some(FollowNotice::OnRoute);
        }
        if self.said_at.is_some_and(|said| at - said >= REMIND_MS) {
            self.said_at = Some(at);
            return Some(FollowNotice::OffRoute);
        }
        None
    }

    /// So far away that a few such positions are off the route.
    fn step_away(&mut self, at: i64) -> Option<FollowNotice> {
        self.n_far += 1;
        let since = *self.far_since.get_or_insert(at);
        if self.n_far < OFF_FIXES || at - since < OFF_MS {
            return None;
        }
        self.is_off = true;
        self.n_near = 0;
        self.off_since = Some(at);
        self.said_at = Some(at);
        Some(FollowNotice::OffRoute)
    }

    /// Not off the route, but beside it.
    fn step_astray(&mut self) -> Option<FollowNotice> {
        self.n_far = 0;
        self.far_since = None;
        let was_straying = std::mem::replace(&mut self.was_straying, true);
        (!was_straying).then_some(FollowNotice::Straying)
    }

    fn step_on_route(&mut self, along_m: f64, length_m: f64) -> Option<FollowNotice> {
        self.n_far = 0;
        self.far_since = None;
        self.was_straying = false;
        self.progress_m = along_m;
        let is_at_end = length_m - along_m < ARRIVAL_M
            && along_m > ARRIVAL_SHARE * length_m
            && self.distance_m < ARRIVAL_M;
        self.has_arrived = is_at_end;
        is_at_end.then_some(FollowNotice::Arrived)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const METERS_PER_DEGREE: f64 = 111_319.5;

    /// East and north of a place on the equator, in meters.
    fn place(x: f64, y: f64) -> Place {
        Place::from_degrees(y / METERS_PER_DEGREE, x / METERS_PER_DEGREE).unwrap()
    }

    /// A square of 500 m, walked from its south-west corner to the north.
    fn square() -> PlannedLine {
        let corners = [
            (0.0, 0.0),
            (0.0, 500.0),
            (500.0, 500.0),
            (500.0, 0.0),
            (0.0, 0.0),
        ];
        PlannedLine::of(&corners.map(|(x, y)| place(x, y))).unwrap()
    }

    /// Walks from one place to another at 1.3 m/s with a position each second.
    fn walk(
        planned: &PlannedLine,
        state: &mut Following,
        clock: &mut i64,
        (from, to): ((f64, f64), (f64, f64)),
    ) -> Vec<FollowNotice> {
        let steps = (length(to.0 - from.0, to.1 - from.1) / 1.3) as i32;
        let mut said = Vec::new();
        for step in 1..=steps {
            let part = f64::from(step) / f64::from(steps);
            let at = (
                from.0 + (to.0 - from.0) * part,
                from.1 + (to.1 - from.1) * part,
            );
            *clock += 1000;
            let (now, notice) = planned.step(*state, place(at.0, at.1), 6.0, *clock);
            *state = now;
            said.extend(notice);
        }
        said
    }

    #[test]
    fn who_walks_the_loop_arrives_once_and_only_at_its_end() {
        let (planned, mut state, mut clock) = (square(), Following::default(), 0);
        let corners = [
            (0.0, 0.0),
            (0.0, 500.0),
            (500.0, 500.0),
            (500.0, 0.0),
            (0.0, 0.0),
        ];
        let mut said = Vec::new();
        for pair in corners.windows(2) {
            assert_eq!(said, []);
            said.extend(walk(&planned, &mut state, &mut clock, (pair[0], pair[1])));
        }
        assert_eq!(said, [FollowNotice::Arrived]);
    }

    #[test]
    fn who_misses_a_turn_hears_it_and_is_back_when_near() {
        let (planned, mut state, mut clock) = (square(), Following::default(), 0);
        walk(&planned, &mut state, &mut clock, ((0.0, 0.0), (0.0, 500.0)));
        let said = walk(
            &planned,
            &mut state,
            &mut clock,
            ((0.0, 500.0), (0.0, 700.0)),
        );
        assert_eq!(said, [FollowNotice::Straying, FollowNotice::OffRoute]);
        let progress = state.progress_m;
        assert!((490.0..560.0).contains(&progress), "{progress}");
        let said = walk(
            &planned,
            &mut state,
            &mut clock,
            ((0.0, 700.0), (200.0, 510.0)),
        );
        assert_eq!(said, [FollowNotice::OnRoute]);
        assert!((state.progress_m - 700.0).abs() < 15.0, "{state:?}");
    }

    #[test]
    fn a_jump_of_the_position_is_no_walk() {
        let (planned, mut state, mut clock) = (square(), Following::default(), 0);
        walk(&planned, &mut state, &mut clock, ((0.0, 0.0), (0.0, 250.0)));
        for second in 0..60 {
            clock += 1000;
            let x = if second % 4 == 0 { 250.0 } else { 0.0 };
            let (now, notice) = planned.step(state, place(x, 250.0), 8.0, clock);
            state = now;
            assert!(
                notice.is_none_or(|it| it == FollowNotice::Straying),
                "{notice:?}"
            );
        }
        assert!(!state.is_off);
    }

    #[test]
    fn what_the_phone_does_not_know_changes_nothing() {
        let (planned, state) = (square(), Following::default());
        assert_eq!(
            planned.step(state, place(400.0, 250.0), 80.0, 1000),
            (state, None)
        );
    }

    #[test]
    fn who_stays_off_is_told_again_after_five_minutes() {
        let (planned, mut state, mut clock) = (square(), Following::default(), 0);
        let mut said = Vec::new();
        for _ in 0..11 * 60 {
            clock += 1000;
            let (now, notice) = planned.step(state, place(-300.0, 0.0), 5.0, clock);
            state = now;
            said.extend(notice);
        }
        assert_eq!(said, [FollowNotice::OffRoute; 3]);
    }
}
