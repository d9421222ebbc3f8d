//! Owns what a meter of a way costs a walker: its time, and how much it is liked.
//! Time is what a route is measured by; cost, which is time times a factor of liking, is what the search makes small.

use super::graph::{Arc, EdgeIdx, Graph, GraphEdge};
use super::request::{Hilliness, Preferences, RouteRequest, is_short};
use crate::map::{Crossing, Sidewalk, Surface, Way, WayKind};

/// Wait at a signal, in milliseconds; half of it is counted on each side of the node.
pub(super) const SIGNAL_MS: u32 = 10_000;

/// Factors of cost are in 256ths.
const ONE: f64 = 256.0;

/// A turn is worth a way that is longer by so much, in meters.
const TURN_M: f64 = 65.0;
/// Who prefers parks turns for them.
const TURN_FOR_PARKS_M: f64 = 50.0;

/// Factor of ways that were walked recently, which are liked less.
const FAMILIAR: f64 = 1.35;

/// Limits of the factor: what is liked best is not walked for ever, what is liked least is walked where nothing else leads.
const LEAST: f64 = 0.35;
const MOST: f64 = 6.0;

/// Time and cost of all arcs.
#[derive(Clone)]
pub(super) struct Weights {
    pub(super) speed_mm_s: u32,
    /// Milliseconds by arc.
    time: Vec<u32>,
    /// Cost by arc; milliseconds times the factor.
    cost: Vec<u32>,
    /// Cost of a turn: as much as so many milliseconds on a plain path.
    pub(super) turn: u32,
    /// True if parks are worth a turn: for those who prefer them, and not on a short walk, of which a turn is half.
    pub(super) turns_for_parks: bool,
    /// Factor of liking by edge, 1 for a plain path.
    factor: Vec<u16>,
    preferences: Preferences,
    seed_noise: SeedNoise,
    usual_slope: f64,
    /// Edges of recent walks, sorted.
    familiar: Vec<EdgeIdx>,
}

impl Weights {
    /// For a request; what lies along recent walks is `familiar`, sorted.
    pub(super) fn of(graph: &Graph, request: &RouteRequest, familiar: Vec<EdgeIdx>) -> Self {
        let turns_for_parks = request.preferences.prefer_parks && !is_short(request.budget_ms());
        let turn_m = if turns_for_parks {
            TURN_FOR_PARKS_M
        } else {
            TURN_M
        };
        let mut weights = Self {
            speed_mm_s: request.speed_mm_s(),
            time: Vec::with_capacity(graph.edges.len() * 2),
            cost: Vec::with_capacity(graph.edges.len() * 2),
            turn: (turn_m * 1e6 / f64::from(request.speed_mm_s())) as u32,
            turns_for_parks,
            factor: Vec::with_capacity(graph.edges.len()),
            preferences: request.preferences,
            seed_noise: SeedNoise::of(request),
            usual_slope: usual_slope(graph),
            familiar,
        };
        weights.update(graph);
        weights
    }

    /// Forgets edges that are gone and weighs those that are new.
    pub(super) fn update(&mut self, graph: &Graph) {
        let known = self.factor.len().min(graph.edges.len());
        self.factor.truncate(known);
        self.time.truncate(known * 2);
        self.cost.truncate(known * 2);
        let speed_mm_s = self.speed_mm_s;
        for (index, edge) in (0..).zip(&graph.edges).skip(known) {
            let mut factor = factor(edge, &self.preferences)
                * slope_factor(edge, self.preferences.hilliness, self.usual_slope)
                * self.seed_noise.at(edge.mid);
            if self.familiar.binary_search(&index).is_ok() {
                factor *= FAMILIAR;
            }
            factor = factor.clamp(LEAST, MOST);
            if self.preferences.on_wheels {
                factor *= wheels_factor(edge);
            }
            let factor = (factor * ONE).round() as u16;
            let signals = edge
                .ends
                .iter()
                .filter(|it| graph.node(**it).crossing == Crossing::Signals);
            let waiting = signals.count() as u32 * (SIGNAL_MS / 2);
            for effort_mm in edge.effort_mm {
                let walking = u64::from(effort_mm) * 1000 / u64::from(speed_mm_s.max(1));
                let time = walking.min(u64::from(u32::MAX / 64)) as u32 + waiting;
                self.time.push(time.max(1));
                self.cost
                    .push((u64::from(time.max(1)) * u64::from(factor) / ONE as u64) as u32);
            }
            self.factor.push(factor);
        }
    }

    /// The same where nothing but time counts.
    pub(super) fn fastest(&self) -> Self {
        Self {
            cost: self.time.clone(),
            turn: 0,
            ..self.clone()
        }
    }

    /// The same where it does not matter how straight a way is.
    pub(super) fn without_turns(&self) -> Self {
        Self {
            turn: 0,
            ..self.clone()
        }
    }

    /// The same with what another seed likes.
    pub(super) fn with_seed(&self, graph: &Graph, seed: u32) -> Self {
        let mut weights = Self {
            time: Vec::new(),
            cost: Vec::new(),
            factor: Vec::new(),
            seed_noise: SeedNoise {
                seed,
                ..self.seed_noise
            },
            ..self.clone()
        };
        weights.update(graph);
        weights
    }

    /// By how much a way is better or worse for climbing so many meters on so many: less is better.
    pub(super) fn climb_score(&self, climb_m: f64, length_m: f64) -> f64 {
        // What goes up comes down: a slope is one of both.
        let slope = (2.0 * climb_m / length_m.max(1.0) / self.usual_slope).min(STEEPEST_AVOIDED);
        match self.preferences.hilliness {
            Hilliness::Flat => slope,
            Hilliness::Any => 0.0,
            Hilliness::Hilly => -slope,
        }
    }

    /// Returns true if a way has steps and the walk is on wheels, with which nobody passes them.
    pub(super) fn is_barred(&self, edge: &GraphEdge) -> bool {
        self.preferences.on_wheels && edge.way.kind == WayKind::Steps
    }

    /// Returns true if it matters how much a route climbs.
    pub(super) fn cares_for_hills(&self) -> bool {
        self.preferences.cares_for_hills()
    }

    /// Returns true if drinking water on the way is asked for.
    pub(super) fn wants_water(&self) -> bool {
        self.preferences.include_water_stops
    }

    /// Returns the time of an arc in milliseconds, waiting at signals included.
    pub(super) fn time(&self, arc: Arc) -> u32 {
        self.time[arc.0 as usize]
    }

    /// Milliseconds times the factor of liking.
    pub(super) fn cost(&self, arc: Arc) -> u32 {
        self.cost[arc.0 as usize]
    }

    /// How far one gets on flat ground in so many milliseconds, in meters.
    pub(super) fn flat_m(&self, ms: u32) -> f64 {
        f64::from(ms) * f64::from(self.speed_mm_s) / 1e6
    }

    /// The factor of liking; 1 for a plain path.
    pub(super) fn factor(&self, arc: Arc) -> f64 {
        f64::from(self.factor[arc.edge() as usize]) / ONE
    }

    /// Milliseconds for so many meters at the most favorable slope: never more than a walk between takes.
    pub(super) fn at_least_ms(&self, meters: f64) -> u32 {
        /// Times as long as on the flat at a slope of -5 %, where one is fastest: Tobler's exp(-3.5 * 0.05), less a little.
        const DOWNHILL: f64 = 0.83;
        (meters * 1e6 * DOWNHILL / f64::from(self.speed_mm_s.max(1))) as u32
    }
}

// Factors for what a way is like; less is liked better.

/// A street with traffic and without a sidewalk.
const NO_SIDEWALK: f64 = 1.3;
/// A road on which cars are fast and nobody knows of a sidewalk.
const FAST: f64 = 2.5;
/// A street whose sidewalk is drawn apart: that one is walked, on quiet streets, too.
const SEPARATE: f64 = 2.0;
/// For who avoids traffic: beside it, on a way of one's own,
const BESIDE_TRAFFIC: f64 = 1.1;
/// and among it.
const AMONG_TRAFFIC: f64 = 1.35;
/// Reduction of the factor on a way that is in parks and woods all along; more for those who prefer parks.
const GREEN: f64 = 0.1;
const GREEN_PREFERRED: f64 = 0.6;
/// Along water; who prefers parks likes that, too.
const WATERSIDE: f64 = 0.97;
const WATERSIDE_PREFERRED: f64 = 0.9;
/// Past water to drink, where that is asked for.
const NEAR_WATER: f64 = 0.85;
/// Reduction of the factor on a way that is under trees all along, where shade is asked for.
const SHADE: f64 = 0.3;
/// Paws do not like them.
const COBBLES: f64 = 1.05;
const TUNNEL: f64 = 1.2;
/// Increase of the factor for a slope that is as steep as is usual there, for those who want it flat; slopes steeper
/// than so many times that count no more.
const SLOPE_AVOIDED: f64 = 0.8;
const STEEPEST_AVOIDED: f64 = 4.0;
/// Reduction of the factor for such a slope, for those who want hills, up to so many times.
const SLOPE_LIKED: f64 = 0.25;
const STEEPEST_LIKED: f64 = 2.0;
/// Least average slope that counts: a network that is flatter is flat everywhere.
const LEAST_SLOPE: f64 = 0.004;
/// With wheels: steps, which nobody takes who finds any other way; ground that is soft or rough; and slopes from this on.
const WHEELS_STEPS: f64 = 40.0;
const WHEELS_ROUGH: f64 = 3.0;
const WHEELS_STEEP: f64 = 2.0;
const STEEP: f64 = 0.08;

/// The edge's `green` and `shade` are in sevenths.
pub(super) const SEVENTHS: f64 = 7.0;

/// How much longer a meter feels than one on a plain path.
fn factor(edge: &GraphEdge, preferences: &Preferences) -> f64 {
    let way = &edge.way;
    kind_factor(way.kind)
        * factor_if(is_without_sidewalk(way), NO_SIDEWALK)
        * factor_if(way.is_fast_without_sidewalk(), FAST)
        * factor_if(way.has_separate_sidewalk(), SEPARATE)
        * traffic_factor(way, preferences)
        * green_factor(edge, preferences)
        * waterside_factor(edge, preferences)
        * factor_if(
            preferences.include_water_stops && edge.near_water_to_drink,
            NEAR_WATER,
        )
        * shade_factor(edge, preferences)
        * factor_if(way.surface == Surface::Cobbles, COBBLES)
        * factor_if(way.tunnel, TUNNEL)
}

fn factor_if(applies: bool, factor: f64) -> f64 {
    if applies { factor } else { 1.0 }
}

fn kind_factor(kind: WayKind) -> f64 {
    match kind {
        WayKind::Footway
        | WayKind::Path
        | WayKind::Pedestrian
        | WayKind::LivingStreet
        | WayKind::Track
        | WayKind::Bridleway
        | WayKind::Square => 0.95,
        WayKind::Cycleway | WayKind::Crossing => 1.0,
        WayKind::Sidewalk => 1.08,
        WayKind::Residential => 1.05,
        WayKind::Unclassified => 1.1,
        WayKind::Service => 1.15,
        WayKind::Driveway => 1.6,
        WayKind::Steps => 1.4,
        WayKind::Tertiary => 1.3,
        WayKind::Secondary => 1.6,
        WayKind::Primary => 2.0,
        WayKind::Trunk => 4.0,
    }
}

fn is_without_sidewalk(way: &Way) -> bool {
    way.kind.traffic() > 0 && way.sidewalk == Sidewalk::No
}

fn traffic_factor(way: &Way, preferences: &Preferences) -> f64 {
    let street = way.kind.traffic().max(u8::from(way.fast));
    if !preferences.avoid_highways || street.max(way.beside_traffic) == 0 {
        1.0
    } else if street == 0 || way.sidewalk == Sidewalk::Yes {
        BESIDE_TRAFFIC
    } else {
        AMONG_TRAFFIC
    }
}

fn green_factor(edge: &GraphEdge, preferences: &Preferences) -> f64 {
    let most = if preferences.prefer_parks {
        GREEN_PREFERRED
    } else {
        GREEN
    };
    1.0 - most * (f64::from(edge.green) / SEVENTHS)
}

fn waterside_factor(edge: &GraphEdge, preferences: &Preferences) -> f64 {
    let waterside = if preferences.prefer_parks {
        WATERSIDE_PREFERRED
    } else {
        WATERSIDE
    };
    factor_if(edge.waterside, waterside)
}

fn shade_factor(edge: &GraphEdge, preferences: &Preferences) -> f64 {
    if preferences.shaded_paths {
        1.0 - SHADE * (f64::from(edge.shade) / SEVENTHS)
    } else {
        1.0
    }
}

/// How much longer a meter feels with wheels.
fn wheels_factor(edge: &GraphEdge) -> f64 {
    if edge.way.kind == WayKind::Steps {
        WHEELS_STEPS
    } else {
        factor_if(edge.way.is_rough(), WHEELS_ROUGH) * factor_if(slope(edge) > STEEP, WHEELS_STEEP)
    }
}

/// Meters up and down in a meter.
fn slope(edge: &GraphEdge) -> f64 {
    climb_m(edge) * 1e3 / f64::from(edge.length_mm.max(1))
}

fn climb_m(edge: &GraphEdge) -> f64 {
    f64::from(edge.climb_m[0]) + f64::from(edge.climb_m[1])
}

/// How steep the ways of a network are on average.
fn usual_slope(graph: &Graph) -> f64 {
    let climbs_m: f64 = graph.edges.iter().map(climb_m).sum();
    let length_mm: u64 = graph.edges.iter().map(|it| u64::from(it.length_mm)).sum();
    (climbs_m * 1e3 / length_mm.max(1) as f64).max(LEAST_SLOPE)
}

/// By how steep a way is against those around it.
fn slope_factor(edge: &GraphEdge, hilliness: Hilliness, usual_slope: f64) -> f64 {
    let slope = slope(edge) / usual_slope;
    match hilliness {
        Hilliness::Flat => 1.0 + SLOPE_AVOIDED * slope.min(STEEPEST_AVOIDED),
        Hilliness::Any => 1.0,
        Hilliness::Hilly => 1.0 - SLOPE_LIKED * slope.min(STEEPEST_LIKED),
    }
}

/// Noise by which another seed likes whole quarters more and others less, so that its loops lie elsewhere. Value noise:
/// a number at each corner of a square grid, and between them what lies between (Perlin, 'An image synthesizer', 1985).
#[derive(Clone, Copy)]
struct SeedNoise {
    seed: u32,
    cell_m: f64,
}

impl SeedNoise {
    /// So many of the grid's cells are as long as the loop.
    const CELLS: f64 = 12.0;
    /// Smaller cells would make neighbors of a block differ.
    const SMALLEST_M: f64 = 50.0;
    /// How much less the least liked quarter is liked, as a power of e; the most liked one is as much more.
    const STRENGTH: f64 = 0.5;

    fn of(request: &RouteRequest) -> Self {
        Self {
            seed: request.seed,
            cell_m: (request.length_m() / Self::CELLS).max(Self::SMALLEST_M),
        }
    }

    /// The factor at a place; 1 for the first seed, which is the best that can be found.
    fn at(&self, (x, y): (f64, f64)) -> f64 {
        if self.seed == 0 {
            return 1.0;
        }
        let (x, y) = (x / self.cell_m, y / self.cell_m);
        let (column, row) = (x.floor(), y.floor());
        let (right, up) = (x - column, y - row);
        let corner = |dx: f64, dy: f64| {
            let at = ((column + dx) as i32 as u32).wrapping_mul(0x9e37_79b9)
                ^ ((row + dy) as i32 as u32).wrapping_mul(0x85eb_ca6b);
            f64::from(scramble(at ^ scramble(self.seed))) / f64::from(u32::MAX) * 2.0 - 1.0
        };
        let below = corner(0.0, 0.0) * (1.0 - right) + corner(1.0, 0.0) * right;
        let above = corner(0.0, 1.0) * (1.0 - right) + corner(1.0, 1.0) * right;
        libm::exp(Self::STRENGTH * (below * (1.0 - up) + above * up))
    }
}

/// The finalizer of MurmurHash3: every bit of the answer depends on every bit of the number.
pub(super) fn scramble(number: u32) -> u32 {
    let mut it = number;
    it = (it ^ (it >> 16)).wrapping_mul(0x85eb_ca6b);
    it = (it ^ (it >> 13)).wrapping_mul(0xc2b2_ae35);
    it ^ (it >> 16)
}
