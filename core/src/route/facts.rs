//! Owns what a route is like, counted along its way: green, water, traffic, climbs, what one passes, what to look out for.
//! No words here: those are in `words`.

use libm::atan2;

use super::graph::{Arc, Graph, GraphEdge, NodeIdx};
use super::line::{line_of, sector, twice};
use super::shape::{STEP_M, samples};
use super::warning::WarningKind;
use super::weight::SEVENTHS;
use crate::map::{Crossing, Lit, Naming, Point, Sidewalk, SpotKind, WayKind};

/// Distance in meters up to which a spot is on the way: a fountain is worth some steps, a bench is not.
const REACH_M: f64 = 50.0;
const BENCH_REACH_M: f64 = 25.0;
/// Heights are known to a meter, so that smaller changes may be none.
const CLIMB_M: i32 = 3;
/// From secondary streets on, traffic is a danger.
pub(super) const BUSY: u8 = 2;
/// Signals so near hold the traffic back at the crossing, too: many are mapped where the cars stop.
const SIGNALS_M: f64 = 30.0;
/// Two crossings of one street that are nearer to each other are one: its two directions.
const SAME_CROSSING_M: f64 = 60.0;
/// A stretch without a sidewalk or a light that is shorter is not worth a word.
const STRETCH_M: f64 = 30.0;
const DARK_STRETCH_M: f64 = 80.0;
/// The most parks that are named, and the most waters and streets each.
const MOST_NAMES: usize = 4;
/// A footpath of which so many sevenths are green seldom has lamps.
const GREEN_UNLIT: u8 = 4;
/// So many sevenths in a park make a place to rest.
const GREEN_REST: u8 = 5;
/// Two stretches of a kind with less between them are one.
const GAP_M: f64 = 40.0;

/// A thing beside the way.
#[derive(Clone, Debug)]
pub(super) struct NearbySpot {
    pub(super) kind: SpotKind,
    pub(super) name: Option<String>,
    pub(super) at: Point,
    /// Meters from the start along the route.
    pub(super) along_m: f64,
}

/// A place in a park on the way.
#[derive(Clone, Debug)]
pub(super) struct GreenPlace {
    /// The park's, where it has one.
    pub(super) name: Option<String>,
    pub(super) at: Point,
    /// Meters from the start along the route.
    pub(super) along_m: f64,
}

/// Something to look out for.
#[derive(Clone, Debug)]
pub(super) struct Hazard {
    pub(super) kind: WarningKind,
    /// The street that is crossed or walked along.
    pub(super) street: Option<String>,
    pub(super) at: Point,
    /// Meters from the start along the route.
    pub(super) along_m: f64,
    /// Its own length in meters.
    pub(super) length_m: f64,
    /// Meters up, less those down.
    pub(super) rise_m: i32,
}

/// Facts about a route.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) length_m: f64,
    /// Share of the length in parks and woods.
    pub(super) green: f64,
    /// Share of the length under trees.
    pub(super) shade: f64,
    /// Share of the length along water.
    pub(super) water: f64,
    /// Share of the length away from streets with traffic.
    pub(super) quiet: f64,
    /// Share of the length with lamps.
    pub(super) lit: f64,
    /// Share of the length that is walked twice.
    pub(super) twice: f64,
    /// Most of what is walked twice is not the same way but lies right beside it: the other side of a street, the other bank.
    pub(super) is_side_by_side: bool,
    /// Meters up, all climbs together, where heights are known.
    pub(super) climb_m: Option<u32>,
    /// Parks, waters and streets by name with their meters, the longest first.
    pub(super) parks: Vec<(String, f64)>,
    pub(super) waters: Vec<(String, f64)>,
    pub(super) streets: Vec<(String, f64)>,
    /// True if one needs a light on the walk.
    pub(super) dark: bool,
    /// True if the walker pushes a stroller or sits in a wheelchair.
    pub(super) on_wheels: bool,
    /// Direction of the route from its start: eighths of a circle clockwise from the north.
    pub(super) side: usize,
    /// Spots on the way, in its order.
    pub(super) nearby_spots: Vec<NearbySpot>,
    pub(super) hazards: Vec<Hazard>,
    /// Places in parks and woods, in the order of the way.
    pub(super) green_rests: Vec<GreenPlace>,
}

/// Things of the map that a walker with a dog wants to know of, by where they are.
#[derive(Clone, Debug, Default)]
pub(super) struct Spots {
    /// From the west to the east; the index is the graph's.
    by_x: Vec<(f64, f64, usize)>,
}

impl Spots {
    pub(super) fn of(graph: &Graph) -> Self {
        let all = graph.spots.iter().enumerate();
        let wanted = all.filter(|(_, it)| reach_m(it.kind).is_some());
        let mut by_x: Vec<_> = wanted
            .map(|(index, it)| {
                let (x, y) = graph.plane(it.at);
                (x, y, index)
            })
            .collect();
        by_x.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.2.cmp(&b.2)));
        Self { by_x }
    }

    /// Those of a kind, with their places in the plane of the graph.
    pub(super) fn of_kind(
        &self,
        graph: &Graph,
        kind: SpotKind,
    ) -> impl Iterator<Item = (f64, f64)> {
        let of_kind = move |it: &&(f64, f64, usize)| graph.spots[it.2].kind == kind;
        self.by_x.iter().filter(of_kind).map(|it| (it.0, it.1))
    }

    /// Returns the spots beside a line, in the order of the line.
    fn beside(&self, graph: &Graph, line: &[(f64, f64)]) -> Vec<NearbySpot> {
        /// So many samples stand between two that are looked at first.
        const COARSE: usize = 5;
        let samples = samples(line);
        let west = samples.iter().map(|it| it.0).fold(f64::MAX, f64::min) - REACH_M;
        let east = samples.iter().map(|it| it.0).fold(f64::MIN, f64::max) + REACH_M;
        let from = self.by_x.partition_point(|it| it.0 < west);
        let mut beside = Vec::new();
        for (x, y, index) in &self.by_x[from..] {
            if *x > east {
                break;
            }
            let spot = &graph.spots[*index];
            let Some(reach) = reach_m(spot.kind) else {
                continue;
            };
            let square = |it: &(f64, f64)| (it.0 - x).powi(2) + (it.1 - y).powi(2);
            let outer = (reach + STEP_M * COARSE as f64).powi(2);
            let is_near = samples.iter().step_by(COARSE).any(|it| square(it) < outer);
            if !is_near {
                continue;
            }
            let nearest = samples
                .iter()
                .map(square)
                .enumerate()
                .min_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((sample, _)) = nearest.filter(|it| it.1 <= reach * reach) {
                beside.push(NearbySpot {
                    kind: spot.kind,
                    name: spot
                        .name
                        .and_then(|it| graph.names.get(it as usize))
                        .cloned(),
                    at: spot.at,
                    along_m: sample as f64 * STEP_M,
                });
            }
        }
        beside.sort_by(|a, b| a.along_m.total_cmp(&b.along_m));
        beside
    }
}

/// How far from the way a thing is still on it; `None` for what is not looked for.
fn reach_m(kind: SpotKind) -> Option<f64> {
    match kind {
        SpotKind::Bench => Some(BENCH_REACH_M),
        SpotKind::DrinkingWater | SpotKind::DogPark | SpotKind::Toilets => Some(REACH_M),
        SpotKind::Bin | SpotKind::Tree | SpotKind::DogBags | SpotKind::Veterinary => None,
    }
}

impl Facts {
    /// Collects the facts of a way. `dark` is true if one needs a light on it, `on_wheels` if rough ground is hard to
    /// go on.
    pub(super) fn of(
        graph: &Graph,
        spots: &Spots,
        arcs: &[Arc],
        dark: bool,
        on_wheels: bool,
    ) -> Self {
        let line = line_of(graph, arcs);
        let mut facts = Self {
            climb_m: climb_m(graph, arcs),
            dark,
            on_wheels,
            side: side(&line),
            nearby_spots: spots.beside(graph, &line),
            ..Self::default()
        };
        let mut names: [Vec<(u32, f64)>; 3] = Default::default();
        for arc in arcs {
            let edge = graph.edge(*arc);
            let length_m = f64::from(edge.length_mm) / 1e3;
            facts.length_m += length_m;
            facts.green += length_m * f64::from(edge.green) / SEVENTHS;
            facts.shade += length_m * f64::from(edge.shade) / SEVENTHS;
            facts.water += length_m * f64::from(u8::from(edge.waterside));
            facts.quiet += length_m * f64::from(u8::from(is_quiet(edge)));
            facts.lit += length_m * f64::from(u8::from(edge.way.lit == Lit::Yes));
            let list = match edge.way.naming {
                Naming::Through => 0,
                Naming::Along => 1,
                Naming::Own | Naming::Beside => 2,
            };
            if let Some(name) = edge.name {
                match names[list].iter_mut().find(|it| it.0 == name) {
                    Some(it) => it.1 += length_m,
                    None => names[list].push((name, length_m)),
                }
            }
        }
        facts.twice = twice(graph, arcs);
        for share in [
            &mut facts.green,
            &mut facts.shade,
            &mut facts.water,
            &mut facts.quiet,
            &mut facts.lit,
        ] {
            *share /= facts.length_m.max(1.0);
        }
        let [parks, waters, streets] = names.map(|mut list| {
            list.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            let named = list.into_iter().filter_map(|(name, meters)| {
                Some((graph.names.get(name as usize)?.clone(), meters))
            });
            named.take(MOST_NAMES).collect()
        });
        (facts.parks, facts.waters, facts.streets) = (parks, waters, streets);
        facts.find_hazards(graph, arcs);
        facts.green_rests = green_rests(graph, arcs);
        facts
    }

    /// Finds what to look out for, in the order of the way.
    fn find_hazards(&mut self, graph: &Graph, arcs: &[Arc]) {
        let (dark, on_wheels) = (self.dark, self.on_wheels);
        let mut along_m = 0.0;
        for (index, arc) in arcs.iter().enumerate() {
            let edge = graph.edge(*arc);
            let from = graph.from(*arc);
            if index > 0 {
                self.find_crossing(graph, arcs[index - 1], *arc, along_m);
            }
            let length_m = f64::from(edge.length_mm) / 1e3;
            let mut stretch = |kind: WarningKind, street: Option<String>| {
                let hazard = Hazard {
                    kind,
                    street,
                    at: graph.node(from).at,
                    along_m,
                    length_m,
                    rise_m: rise_m(graph, *arc),
                };
                self.add_stretch(hazard);
            };
            if edge.way.kind == WayKind::Steps {
                stretch(WarningKind::Steps, None);
            }
            let street = || graph.own_name(edge).map(str::to_owned);
            if edge.way.is_fast_without_sidewalk() {
                stretch(WarningKind::FastRoad, street());
            } else if edge.way.kind.traffic() >= BUSY && edge.way.sidewalk == Sidewalk::No {
                stretch(WarningKind::NoSidewalk, street());
            } else if edge.way.kind.traffic() >= BUSY && edge.way.has_separate_sidewalk() {
                stretch(WarningKind::SeparateSidewalk, street());
            }
            if dark && is_unlit(edge) {
                stretch(WarningKind::Unlit, None);
            }
            if on_wheels && edge.way.is_rough() {
                stretch(WarningKind::RoughGround, None);
            }
            along_m += length_m;
        }
        self.hazards.retain(|it| match it.kind {
            WarningKind::Unlit => it.length_m >= DARK_STRETCH_M,
            WarningKind::NoSidewalk
            | WarningKind::SeparateSidewalk
            | WarningKind::FastRoad
            | WarningKind::RoughGround => it.length_m >= STRETCH_M,
            _ => true,
        });
        self.hazards.sort_by(|a, b| a.along_m.total_cmp(&b.along_m));
    }

    /// Adds a stretch, to the last one of its kind where that has hardly ended.
    fn add_stretch(&mut self, hazard: Hazard) {
        let same = self
            .hazards
            .iter_mut()
            .rev()
            .find(|it| it.kind == hazard.kind && it.street == hazard.street);
        match same {
            Some(it) if hazard.along_m - (it.along_m + it.length_m) < GAP_M => {
                it.length_m = hazard.along_m + hazard.length_m - it.along_m;
                it.rise_m += hazard.rise_m;
            }
            _ => self.hazards.push(hazard),
        }
    }

    /// Adds a crossing of a street with traffic between two arcs, unless something stops the cars.
    fn find_crossing(&mut self, graph: &Graph, before: Arc, after: Arc, along_m: f64) {
        let node = graph.from(after);
        let Some(street) = crossed_street(graph, before, after) else {
            return;
        };
        let is_safe = |it: Crossing| matches!(it, Crossing::Marked | Crossing::Signals);
        let on_crossing = [before, after]
            .iter()
            .any(|it| is_safe(graph.edge(*it).way.crossing));
        let signals_near = || {
            graph.exits(node).iter().any(|it| {
                graph.node(it.to).crossing == Crossing::Signals
                    && f64::from(graph.edge(it.arc).length_mm) / 1e3 < SIGNALS_M
            })
        };
        if is_safe(graph.node(node).crossing) || on_crossing || signals_near() {
            return;
        }
        let street = graph.own_name(street).map(str::to_owned);
        let again = self.hazards.iter().any(|it| {
            it.kind == WarningKind::BusyCrossing
                && it.street == street
                && along_m - it.along_m < SAME_CROSSING_M
        });
        if !again {
            self.hazards.push(Hazard {
                kind: WarningKind::BusyCrossing,
                street,
                at: graph.node(node).at,
                along_m,
                length_m: 0.0,
                rise_m: 0,
            });
        }
    }
}

/// Without traffic, and not beside it either.
fn is_quiet(edge: &GraphEdge) -> bool {
    edge.way.kind.traffic() == 0 && !edge.way.fast && edge.way.beside_traffic == 0
}

/// Without lamps, or of a kind that has them seldom and of which nobody said.
fn is_unlit(edge: &GraphEdge) -> bool {
    match edge.way.lit {
        Lit::Yes => false,
        Lit::No => true,
        Lit::Unknown => {
            matches!(
                edge.way.kind,
                WayKind::Path | WayKind::Track | WayKind::Bridleway
            ) || edge.way.kind == WayKind::Footway && edge.green >= GREEN_UNLIT
        }
    }
}

fn rise_m(graph: &Graph, arc: Arc) -> i32 {
    let heights = [graph.from(arc), graph.to(arc)].map(|it| graph.node(it).height_m);
    match heights {
        [Some(from), Some(to)] => i32::from(to) - i32::from(from),
        _ => 0,
    }
}

/// All climbs together; what goes up and down by less than can be known does not add up.
pub(super) fn climb_m(graph: &Graph, arcs: &[Arc]) -> Option<u32> {
    let mut last: Option<i32> = None;
    let mut climb = 0;
    let mut see = |height: i32| {
        let from = *last.get_or_insert(height);
        if (height - from).abs() >= CLIMB_M {
            climb += (height - from).max(0);
            last = Some(height);
        }
    };
    for arc in arcs {
        let ends = [graph.from(*arc), graph.to(*arc)].map(|it| graph.node(it).height_m);
        let [Some(from), Some(to)] = ends.map(|it| it.map(i32::from)) else {
            continue;
        };
        let up = i32::from(graph.edge(*arc).climb_m[usize::from(arc.is_backward())]);
        see(from);
        // The top of a hump between the ends.
        see(from + up);
        see(to);
    }
    last.map(|_| climb as u32)
}

/// Returns the eighth of the circle in which the middle of a line lies, seen from its beginning.
fn side(line: &[(f64, f64)]) -> usize {
    let all = samples(line);
    let Some(start) = all.first() else {
        return 0;
    };
    let sum = all.iter().fold((0.0, 0.0), |sum, it| {
        (sum.0 + it.0 - start.0, sum.1 + it.1 - start.1)
    });
    sector(sum.0, sum.1)
}

/// Places in parks and woods on the way, one at the beginning of each piece.
fn green_rests(graph: &Graph, arcs: &[Arc]) -> Vec<GreenPlace> {
    let mut along_m = 0.0;
    let mut places = Vec::new();
    for arc in arcs {
        let edge = graph.edge(*arc);
        if edge.green >= GREEN_REST {
            let is_park = edge.way.naming == Naming::Through;
            places.push(GreenPlace {
                name: graph.name(edge).filter(|_| is_park).map(str::to_owned),
                at: graph.node(graph.from(*arc)).at,
                along_m,
            });
        }
        along_m += f64::from(edge.length_mm) / 1e3;
    }
    places
}

/// The street with traffic that leads away to both sides of a way through a node.
fn crossed_street(graph: &Graph, before: Arc, after: Arc) -> Option<&GraphEdge> {
    let node = graph.from(after);
    let is_arm = |arc: Arc| {
        arc.edge() != before.edge()
            && arc.edge() != after.edge()
            && graph.edge(arc).way.kind.traffic() >= BUSY
    };
    let arms = || {
        let exits = graph.exits(node).iter();
        exits.map(|it| it.arc).filter(|it| is_arm(*it))
    };
    // Most nodes have none.
    arms().nth(1)?;
    let back = direction(graph, node, before.reversed());
    let out = counterclockwise(back, direction(graph, node, after));
    let is_left = |arc: &Arc| counterclockwise(back, direction(graph, node, *arc)) < out;
    let left = arms().find(is_left)?;
    let right = arms().find(|it| !is_left(it))?;
    // Who walks along one street and crosses another is told of the other.
    let here = graph.edge(after).name;
    let other = [left, right].map(|it| graph.edge(it));
    other
        .into_iter()
        .find(|it| it.name.is_some() && it.name != here)
        .or(Some(graph.edge(left)))
}

/// The direction in which an arc leaves a node, in radians.
fn direction(graph: &Graph, node: NodeIdx, arc: Arc) -> f64 {
    let via = graph.via(arc.edge());
    let first = if arc.is_backward() {
        via.last()
    } else {
        via.first()
    };
    let to = first.copied().unwrap_or(graph.node(graph.to(arc)).at);
    let (here, there) = (graph.plane(graph.node(node).at), graph.plane(to));
    atan2(there.1 - here.1, there.0 - here.0)
}

/// From one direction to another, counterclockwise, 0 to a whole turn.
fn counterclockwise(from: f64, to: f64) -> f64 {
    let turn = to - from;
    if turn < 0.0 {
        turn + 2.0 * std::f64::consts::PI
    } else {
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Tile;
    use crate::map::testing::{ID, at, edge, node};

    /// Meters up on a way over nodes of these heights.
    fn climb(heights: &[i16]) -> Option<u32> {
        let mut tile = Tile::empty(ID);
        for (index, height) in (0..).zip(heights) {
            tile.network.nodes.push(crate::map::Node {
                height_m: Some(*height),
                ..node(at(100 * index, 0))
            });
        }
        let ends = (0..).zip(1..heights.len() as u32);
        tile.network.edges = ends.map(|(from, to)| edge(from, to)).collect();
        let graph = Graph::of(&[tile]);
        let arcs: Vec<Arc> = (0..graph.edges.len() as u32)
            .map(|it| Arc::new(it, false))
            .collect();
        climb_m(&graph, &arcs)
    }

    #[test]
    fn noise_of_a_meter_is_no_climb_and_hills_are() {
        assert_eq!(climb(&[10, 11, 10, 11, 10, 9, 10, 11]), Some(0));
        assert_eq!(climb(&[0, 10, 20, 30, 20, 10, 0]), Some(30));
        assert_eq!(climb(&[0, 2, 4, 6, 8, 10, 12, 0, 12]), Some(24));
        assert_eq!(climb(&[]), None);
    }
}
