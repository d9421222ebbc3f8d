//! Owns the way from a jittering position to a distance: a constant-velocity Kalman filter with a gate, and an anchor.
//! Numbers are those measured on 43 real walks; the rest rule is stricter, since white noise at rest still walked off.

use serde::Serialize;

use crate::values::place::Place;
use crate::values::plane::{Scale, length, quantized};
use crate::walk::entry::Fix;

/// Phones claim more exactness than they have.
const MIN_SIGMA_M: f64 = 5.0;
/// How wildly a walker accelerates, in m²/s³.
const PROCESS_NOISE: f64 = 0.35;
/// Variance of the first velocity, (m/s)²: anything from standing to running.
const FIRST_VELOCITY_VARIANCE: f64 = 4.0;
/// A fix more than this many sigmas from where the walker can be is a jump.
const GATE_SIGMAS: f64 = 4.0;
/// After so many jumps in a row it is the walker who is elsewhere.
const MAX_REJECTS: u32 = 5;
/// Distance counts when the walker is so far from the last counted place; less is jitter.
const ANCHOR_M: f64 = 9.0;
/// The same as a share of the accuracy, for worse positions.
const ANCHOR_PER_ACCURACY: f64 = 0.7;
/// Within the anchor's radius for so long is standing; a larger radius takes in proportion longer to leave.
const REST_MS: f64 = 20_000.0;
/// Standing ends at so many radii from the middle of where one stood...
const LEAVE_RADII: f64 = 2.0;
/// ...held for so long.
const LEAVE_MS: i64 = 2000;
/// The plane moves along when the walker is so far from its origin, where it would begin to bend.
const MOVE_ORIGIN_M: f64 = 2000.0;

/// Position and velocity of the walker within one segment. All lengths in meters on a plane around `origin`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WalkMotion {
    origin: Place,
    at: i64,
    x: f64,
    y: f64,
    vx: f64,
    vy: f64,
    // One covariance serves both axes, since both have the same noise.
    var_p: f64,
    cov_pv: f64,
    var_v: f64,
    n_rejects: u32,
    anchor_x: f64,
    anchor_y: f64,
    anchor_at: i64,
    resting: bool,
    // The middle of the positions since the anchor was set.
    middle_x: f64,
    middle_y: f64,
    n_middle: u32,
    inside_at: i64,
    outside_at: Option<i64>,
}

/// Effect of a fix on the filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Moved {
    /// Nothing that counts.
    Stayed,
    /// A jump that is not believed.
    Rejected,
    /// So many jumps that they are believed: a new segment must begin.
    Lost,
    /// The walker came `distance_m` further, in `ms` of walking.
    Advanced { distance_m: f64, ms: i64 },
}

impl WalkMotion {
    /// At rest where the first fix of a segment says.
    pub(super) fn new(fix: &Fix) -> Self {
        Self {
            origin: fix.place,
            at: fix.at,
            x: 0.0,
            y: 0.0,
            vx: 0.0,
            vy: 0.0,
            var_p: quantized(variance(fix)),
            cov_pv: 0.0,
            var_v: FIRST_VELOCITY_VARIANCE,
            n_rejects: 0,
            anchor_x: 0.0,
            anchor_y: 0.0,
            anchor_at: fix.at,
            resting: true,
            middle_x: 0.0,
            middle_y: 0.0,
            n_middle: 1,
            inside_at: fix.at,
            outside_at: None,
        }
    }

    /// When the last believed fix was.
    pub(super) fn at(&self) -> i64 {
        self.at
    }

    /// Returns the filtered position of the walker.
    pub(super) fn place(&self) -> Place {
        Scale::at(f64::from(self.origin.lat_e7)).to_place(self.origin, self.x, self.y)
    }

    /// Returns true if the walker stands.
    pub(super) fn is_resting(&self) -> bool {
        self.resting
    }

    /// Takes a fix that is later than the last one.
    pub(super) fn take(&mut self, fix: &Fix) -> Moved {
        let scale = Scale::at(f64::from(self.origin.lat_e7));
        let (fix_x, fix_y) = scale.to_plane(self.origin, fix.place);
        let dt = (fix.at - self.at) as f64 / 1000.0;
        let x = self.x + self.vx * dt;
        let y = self.y + self.vy * dt;
        let var_p = self.var_p
            + 2.0 * dt * self.cov_pv
            + dt * dt * self.var_v
            + PROCESS_NOISE * dt * dt * dt / 3.0;
        let cov_pv = self.cov_pv + dt * self.var_v + PROCESS_NOISE * dt * dt / 2.0;
        let var_v = self.var_v + PROCESS_NOISE * dt;
        let spread = var_p + variance(fix);
        let (off_x, off_y) = (fix_x - x, fix_y - y);
        if off_x * off_x + off_y * off_y > GATE_SIGMAS * GATE_SIGMAS * spread {
            self.n_rejects += 1;
            return if self.n_rejects < MAX_REJECTS {
                Moved::Rejected
            } else {
                Moved::Lost
            };
        }
        let gain_p = var_p / spread;
        let gain_v = cov_pv / spread;
        self.at = fix.at;
        self.n_rejects = 0;
        self.x = quantized(x + gain_p * off_x);
        self.y = quantized(y + gain_p * off_y);
        self.vx = quantized(self.vx + gain_v * off_x);
        self.vy = quantized(self.vy + gain_v * off_y);
        self.var_p = quantized(var_p - gain_p * var_p);
        self.cov_pv = quantized(cov_pv - gain_p * cov_pv);
        self.var_v = quantized(var_v - gain_v * cov_pv);
        let moved = self.measure(fix);
        self.move_origin(scale);
        moved
    }

    /// Counts the way from the anchor when the walker is far enough from it, or from the middle of where one stood.
    fn measure(&mut self, fix: &Fix) -> Moved {
        let radius = ANCHOR_M.max(ANCHOR_PER_ACCURACY * fix.accuracy_m());
        let from_middle_m = length(self.x - self.middle_x, self.y - self.middle_y);
        let distance_m = length(self.x - self.anchor_x, self.y - self.anchor_y);
        let (off_m, limit) = if self.resting {
            (from_middle_m, radius * LEAVE_RADII)
        } else {
            (distance_m, radius)
        };
        if off_m <= radius {
            self.inside_at = fix.at;
        }
        if off_m <= limit {
            self.outside_at = None;
            if from_middle_m <= radius {
                let n = f64::from(self.n_middle);
                self.middle_x = quantized((self.middle_x * n + self.x) / (n + 1.0));
                self.middle_y = quantized((self.middle_y * n + self.y) / (n + 1.0));
                self.n_middle += 1;
            }
            self.resting |= (fix.at - self.anchor_at) as f64 >= REST_MS * radius / ANCHOR_M;
            return Moved::Stayed;
        }
        let outside_at = *self.outside_at.get_or_insert(fix.at);
        if self.resting && fix.at - outside_at < LEAVE_MS {
            return Moved::Stayed;
        }
        let since = if self.resting {
            self.inside_at
        } else {
            self.anchor_at
        };
        self.anchor_x = self.x;
        self.anchor_y = self.y;
        self.anchor_at = fix.at;
        self.resting = false;
        self.middle_x = self.x;
        self.middle_y = self.y;
        self.n_middle = 1;
        self.inside_at = fix.at;
        self.outside_at = None;
        Moved::Advanced {
            distance_m,
            ms: fix.at - since,
        }
    }

    fn move_origin(&mut self, scale: Scale) {
        if self.x.abs().max(self.y.abs()) <= MOVE_ORIGIN_M {
            return;
        }
        let origin = scale.to_place(self.origin, self.x, self.y);
        let (dx, dy) = scale.to_plane(self.origin, origin);
        for it in [&mut self.x, &mut self.anchor_x, &mut self.middle_x] {
            *it = quantized(*it - dx);
        }
        for it in [&mut self.y, &mut self.anchor_y, &mut self.middle_y] {
            *it = quantized(*it - dy);
        }
        self.origin = origin;
    }
}

fn variance(fix: &Fix) -> f64 {
    let sigma = fix.accuracy_m().max(MIN_SIGMA_M);
    sigma * sigma
}
