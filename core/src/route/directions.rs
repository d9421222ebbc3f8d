//! Owns what is said on the way: where to turn, what to cross, whose path it is.
//! A step has the form of the directions services (OSRM's and Mapbox's `RouteStep`), so that theirs and ours are one type.

use serde::{Deserialize, Serialize};

use super::graph::{Arc, Graph, GraphEdge};
use super::weight::Weights;
use crate::map::{Naming, Point, WayKind};

/// A direction is that between points so far before and behind a node; the first meters of a way often lead elsewhere.
const LOOK_M: f64 = 20.0;
/// From this angle a bend is worth a word where another way could be taken.
const BEND_DEGREES: f64 = 40.0;
/// What is shorter is no way that one could take by mistake.
const EXIT_M: f64 = 15.0;
/// What lies between two crossings and is shorter is an island.
const ISLAND_M: f64 = 30.0;
/// A piece that is shorter, between two of one street, is part of it, and one without a name part of what comes behind it.
const LINK_M: f64 = 15.0;

/// A step of a route (SPEC 3, Generated route).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RouteStep {
    /// What to do, for the person.
    pub instruction: String,
    /// Meters until the next step.
    pub distance: f64,
    /// Seconds until then.
    pub duration: f64,
    /// What happens at its beginning.
    pub maneuver: Maneuver,
}

/// What happens at a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Maneuver {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: ManeuverKind,
    /// Which way; none for the beginning and the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modifier: Option<Modifier>,
    /// Degrees from the north, clockwise, in which one comes.
    pub bearing_before: u16,
    /// In which one goes on.
    pub bearing_after: u16,
    /// Longitude and latitude in degrees.
    pub location: [f64; 2],
}

/// What kind of thing happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum ManeuverKind {
    /// The walk begins.
    Depart,
    /// A turn.
    Turn,
    /// On, under another name.
    #[serde(rename = "new name")]
    NewName,
    /// The walk ends.
    Arrive,
    /// On, where there is something to say; and whatever else a provider knows.
    #[serde(other)]
    Continue,
}

/// Which way a turn goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Modifier {
    /// Back.
    #[serde(rename = "uturn")]
    Around,
    /// More than 120 degrees.
    #[serde(rename = "sharp right")]
    SharpRight,
    /// 45 degrees and more.
    Right,
    /// 20 degrees and more.
    #[serde(rename = "slight right")]
    SlightRight,
    /// Less.
    Straight,
    /// 20 degrees and more.
    #[serde(rename = "slight left")]
    SlightLeft,
    /// 45 degrees and more.
    Left,
    /// More than 120 degrees.
    #[serde(rename = "sharp left")]
    SharpLeft,
}

impl Modifier {
    /// Of a change of direction in degrees, -180 to 180, to the right above 0.
    pub fn of(turn: f64) -> Self {
        let right = turn > 0.0;
        match turn.abs() {
            it if it < 20.0 => Self::Straight,
            it if it < 45.0 => {
                if right {
                    Self::SlightRight
                } else {
                    Self::SlightLeft
                }
            }
            it if it < 120.0 => {
                if right {
                    Self::Right
                } else {
                    Self::Left
                }
            }
            it if it < 165.0 => {
                if right {
                    Self::SharpRight
                } else {
                    Self::SharpLeft
                }
            }
            _ => Self::Around,
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Around => "Turn around",
            Self::SharpRight => "Turn sharp right",
            Self::Right => "Turn right",
            Self::SlightRight => "Bear right",
            Self::Straight => "Go straight on",
            Self::SlightLeft => "Bear left",
            Self::Left => "Turn left",
            Self::SharpLeft => "Turn sharp left",
        }
    }
}

/// What a piece of the way is to a walker: what has the same is one street.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Street<'a> {
    /// A street, or the sidewalk beside it.
    Named(&'a str),
    Through(&'a str),
    Along(&'a str),
    Plain(&'static str),
    Steps,
    Crossing,
}

impl Street<'_> {
    fn words(&self) -> String {
        match self {
            Self::Named(name) => (*name).to_owned(),
            Self::Through(name) => format!("the path through {name}"),
            Self::Along(name) => format!("the path along {name}"),
            Self::Plain(what) => format!("the {what}"),
            Self::Steps => "the steps".to_owned(),
            Self::Crossing => "the crossing".to_owned(),
        }
    }
}

/// A part of the route along one street.
struct Run<'a> {
    street: Street<'a>,
    /// Its arcs by index.
    from: usize,
    to: usize,
    length_m: f64,
}

/// The steps of a route, the last of which is the arrival.
pub(super) fn steps(graph: &Graph, weights: &Weights, arcs: &[Arc]) -> Vec<RouteStep> {
    let runs = folded(runs(graph, arcs));
    let mut list = StepList {
        graph,
        arcs,
        line: RouteLine::of(graph, arcs),
        steps: Vec::new(),
    };
    let mut last: Option<&Run> = None;
    let mut crossed: Vec<String> = Vec::new();
    let mut crossed_from = None;
    for run in &runs {
        match last {
            None => list.depart(run),
            Some(_) if run.street == Street::Crossing => {
                crossed.extend(crossed_street(graph, &arcs[run.from..run.to]));
                crossed_from.get_or_insert(run.from);
                continue;
            }
            Some(before) => {
                let crossing = joined(&std::mem::take(&mut crossed));
                list.go_on(before, crossing, crossed_from.take(), run);
            }
        }
        list.say_bends(run);
        last = Some(run);
    }
    list.arrive();
    measured(graph, weights, arcs, list.steps)
}

/// The steps of a route as they are found, each with the index of the arc at which it begins.
struct StepList<'a> {
    graph: &'a Graph,
    arcs: &'a [Arc],
    line: RouteLine,
    steps: Vec<(usize, RouteStep)>,
}

impl StepList<'_> {
    fn depart(&mut self, run: &Run) {
        let bearing = self.line.bearing_after(run.from);
        let words = format!("Walk {} on {}", compass(bearing), run.street.words());
        let at = self.place(run.from);
        self.push(
            run.from,
            at,
            words,
            ManeuverKind::Depart,
            None,
            (bearing, bearing),
        );
    }

    /// From one street to another, or on, over what is crossed between them from `crossed_from` on.
    fn go_on(
        &mut self,
        before: &Run,
        crossing: Option<String>,
        crossed_from: Option<usize>,
        run: &Run,
    ) {
        let at = crossed_from.unwrap_or(run.from);
        let bearings = (
            self.line.bearing_before(at),
            self.line.bearing_after(run.from),
        );
        let turn = Modifier::of(turn_between(bearings));
        let is_same = run.street == before.street;
        let Some(words) = words(&run.street, is_same, turn, crossing) else {
            return;
        };
        let kind = match turn {
            Modifier::Straight if is_same => ManeuverKind::Continue,
            Modifier::Straight => ManeuverKind::NewName,
            _ => ManeuverKind::Turn,
        };
        self.push(at, self.place(at), words, kind, Some(turn), bearings);
    }

    /// Where one stays on a street, but must turn to do so.
    fn say_bends(&mut self, run: &Run) {
        for at in run.from + 1..run.to {
            // Who has to go back the same way does not see it from the way.
            let is_back = self.arcs[at].edge() == self.arcs[at - 1].edge();
            if !is_back && !self.has_other_exits(at) {
                continue;
            }
            let bearings = (self.line.bearing_before(at), self.line.bearing_after(at));
            let turned = turn_between(bearings);
            let is_just_said = self
                .steps
                .last()
                .is_some_and(|(index, _)| self.line.meters(*index, at) < LOOK_M);
            if !is_back && (turned.abs() < BEND_DEGREES || is_just_said) {
                continue;
            }
            let (turn, words) = if is_back {
                let words = format!("Turn around and walk back on {}", run.street.words());
                (Modifier::Around, words)
            } else {
                let turn = Modifier::of(turned);
                let words = format!("{} to stay on {}", turn.words(), run.street.words());
                (turn, words)
            };
            let kind = ManeuverKind::Turn;
            self.push(at, self.place(at), words, kind, Some(turn), bearings);
        }
    }

    fn arrive(&mut self) {
        let Some(last) = self.arcs.last() else {
            return;
        };
        let end = self.arcs.len();
        let bearing = self.line.bearing_before(end);
        let words = "You are back where you started".to_owned();
        let at = self.graph.node(self.graph.to(*last)).at;
        self.push(
            end,
            at,
            words,
            ManeuverKind::Arrive,
            None,
            (bearing, bearing),
        );
    }

    /// Whether one could take another way between two arcs by mistake.
    fn has_other_exits(&self, at: usize) -> bool {
        let Self { graph, arcs, .. } = *self;
        let mut exits = graph.exits(graph.from(arcs[at])).iter();
        exits.any(|it| {
            let edge = it.arc.edge();
            edge != arcs[at].edge()
                && edge != arcs[at - 1].edge()
                && f64::from(graph.edge(it.arc).length_mm) / 1e3 >= EXIT_M
        })
    }

    /// Where an arc begins.
    fn place(&self, arc: usize) -> Point {
        self.graph.node(self.graph.from(self.arcs[arc])).at
    }

    fn push(
        &mut self,
        arc: usize,
        at: Point,
        instruction: String,
        kind: ManeuverKind,
        modifier: Option<Modifier>,
        (before, after): (f64, f64),
    ) {
        let step = RouteStep {
            instruction,
            distance: 0.0,
            duration: 0.0,
            maneuver: Maneuver {
                kind,
                modifier,
                bearing_before: degrees(before),
                bearing_after: degrees(after),
                location: location(at),
            },
        };
        self.steps.push((arc, step));
    }
}

/// What is said where one comes to a street by a turn, over what is crossed; nothing where all goes on as it was.
fn words(
    street: &Street,
    is_same: bool,
    turn: Modifier,
    crossing: Option<String>,
) -> Option<String> {
    let is_straight = turn == Modifier::Straight;
    let onto = street.words();
    Some(match (crossing, is_same) {
        (None, true) if is_straight => return None,
        (None, true) => format!("{} to stay on {onto}", turn.words()),
        (None, false) => match (street, is_straight) {
            (Street::Steps, true) => "Take the steps".to_owned(),
            (Street::Steps, false) => format!("{} and take the steps", turn.words()),
            (_, true) => format!("Continue on {onto}"),
            (_, false) => format!("{} onto {onto}", turn.words()),
        },
        (Some(name), true) if is_straight => format!("Cross {name} and stay on {onto}"),
        (Some(name), false) if is_straight => format!("Cross {name} to {onto}"),
        (Some(name), _) => {
            let turn = turn.words().to_lowercase();
            format!("Cross {name}, then {turn} onto {onto}")
        }
    })
}

/// Distances and times from each step to the next. What is rounded is how far and how long it is from the beginning, so that
/// the steps add up to the route however many they are.
fn measured(
    graph: &Graph,
    weights: &Weights,
    arcs: &[Arc],
    steps: Vec<(usize, RouteStep)>,
) -> Vec<RouteStep> {
    let (mut length_mm, mut time_ms) = (0_u64, 0_u64);
    let mut so_far = vec![(0, 0)];
    for arc in arcs {
        length_mm += u64::from(graph.edge(*arc).length_mm);
        time_ms += u64::from(weights.time(*arc));
        so_far.push(((length_mm + 50) / 100, (time_ms + 50) / 100));
    }
    let ends: Vec<usize> = steps
        .iter()
        .skip(1)
        .map(|it| it.0)
        .chain(Some(arcs.len()))
        .collect();
    let steps = steps.into_iter().zip(ends).map(|((from, mut step), to)| {
        let (from, to) = (so_far[from.min(to)], so_far[to]);
        step.distance = (to.0 - from.0) as f64 / 10.0;
        step.duration = (to.1 - from.1) as f64 / 10.0;
        step
    });
    steps.collect()
}

fn street<'a>(graph: &'a Graph, edge: &'a GraphEdge) -> Street<'a> {
    if edge.way.kind == WayKind::Crossing {
        return Street::Crossing;
    }
    if let Some(name) = graph.name(edge) {
        return match edge.way.naming {
            Naming::Own | Naming::Beside => Street::Named(name),
            Naming::Through => Street::Through(name),
            Naming::Along => Street::Along(name),
        };
    }
    Street::Plain(match edge.way.kind {
        WayKind::Steps => return Street::Steps,
        WayKind::Track => "track",
        WayKind::Path | WayKind::Bridleway => "path",
        WayKind::Cycleway => "cycle path",
        WayKind::Sidewalk => "sidewalk",
        WayKind::Square => "square",
        WayKind::Service | WayKind::Driveway => "access road",
        WayKind::Footway | WayKind::Pedestrian => "footpath",
        WayKind::Crossing => "crossing",
        WayKind::LivingStreet | WayKind::Residential | WayKind::Unclassified => "street",
        WayKind::Tertiary | WayKind::Secondary | WayKind::Primary | WayKind::Trunk => "road",
    })
}

fn runs<'a>(graph: &'a Graph, arcs: &[Arc]) -> Vec<Run<'a>> {
    let mut runs: Vec<Run> = Vec::new();
    for (index, arc) in arcs.iter().enumerate() {
        let edge = graph.edge(*arc);
        let street = street(graph, edge);
        let length_m = f64::from(edge.length_mm) / 1e3;
        match runs.last_mut() {
            Some(run) if run.street == street => {
                run.to = index + 1;
                run.length_m += length_m;
            }
            _ => runs.push(Run {
                street,
                from: index,
                to: index + 1,
                length_m,
            }),
        }
    }
    runs
}

/// Islands become part of the crossing, short links part of the street that goes on behind them, and links that have no name
/// part of what they lead to: nobody looks for a footpath of some steps.
fn folded(runs: Vec<Run>) -> Vec<Run> {
    let mut folded: Vec<Run> = Vec::new();
    let mut runs = runs.into_iter().peekable();
    while let Some(mut run) = runs.next() {
        let is_link = matches!(run.street, Street::Plain(_)) && run.length_m < LINK_M;
        if is_link
            && !folded.is_empty()
            && let Some(next) = runs.next_if(|it| it.street != Street::Crossing)
        {
            run = Run {
                from: run.from,
                length_m: run.length_m + next.length_m,
                ..next
            };
        }
        let next = runs.peek().map(|it| &it.street);
        let is_part = folded
            .last()
            .is_some_and(|before| match (&before.street, next) {
                (Street::Crossing, Some(Street::Crossing)) => run.length_m < ISLAND_M,
                (before, Some(next)) => before == next && run.length_m < LINK_M,
                (_, None) => false,
            });
        match folded.last_mut() {
            Some(before) if is_part || before.street == run.street => {
                before.to = run.to;
                before.length_m += run.length_m;
            }
            _ => folded.push(run),
        }
    }
    folded
}

/// The names of streets that a crossing crosses.
fn crossed_street(graph: &Graph, crossing: &[Arc]) -> Option<String> {
    let nodes = crossing
        .iter()
        .flat_map(|it| [graph.from(*it), graph.to(*it)]);
    let edges = nodes
        .flat_map(|it| graph.exits(it))
        .map(|it| graph.edge(it.arc));
    let streets = edges.filter(|it| it.way.kind.is_street());
    let best = streets.max_by_key(|it| {
        (
            it.way.kind.traffic(),
            it.name.is_some(),
            it.name.map(std::cmp::Reverse),
        )
    })?;
    Some(
        graph
            .own_name(best)
            .map_or("the street".to_owned(), str::to_owned),
    )
}

fn joined(names: &[String]) -> Option<String> {
    let mut once: Vec<&str> = Vec::new();
    for name in names {
        if !once.contains(&name.as_str()) {
            once.push(name);
        }
    }
    match once.as_slice() {
        [] => None,
        [one] => Some((*one).to_owned()),
        [many @ .., last] => Some(format!("{} and {last}", many.join(", "))),
    }
}

fn location(at: Point) -> [f64; 2] {
    let place = at.place();
    [place.lon(), place.lat()]
}

/// Degrees to the right above 0, to the left below.
fn turn_between((before, after): (f64, f64)) -> f64 {
    let turn = after - before;
    if turn > 180.0 {
        turn - 360.0
    } else if turn < -180.0 {
        turn + 360.0
    } else {
        turn
    }
}

fn degrees(bearing: f64) -> u16 {
    (bearing.round() as u16) % 360
}

fn compass(bearing: f64) -> &'static str {
    const NAMES: [&str; 8] = [
        "north",
        "northeast",
        "east",
        "southeast",
        "south",
        "southwest",
        "west",
        "northwest",
    ];
    let eighth = (bearing / 45.0).round() as usize % NAMES.len();
    NAMES.get(eighth).copied().unwrap_or("north")
}

/// The route's line in the plane of the graph, with how far along it each arc begins.
struct RouteLine {
    points: Vec<(f64, f64)>,
    /// Meters along the line by point.
    at: Vec<f64>,
    /// Index of the point at which each arc begins; one more for the end.
    first: Vec<usize>,
}

impl RouteLine {
    fn of(graph: &Graph, arcs: &[Arc]) -> Self {
        let mut line = Self {
            points: Vec::new(),
            at: Vec::new(),
            first: Vec::new(),
        };
        for arc in arcs {
            line.first.push(line.points.len().saturating_sub(1));
            for point in graph
                .line(*arc)
                .into_iter()
                .skip(usize::from(!line.points.is_empty()))
            {
                let here = graph.plane(point);
                let gone = match (line.points.last(), line.at.last()) {
                    (Some(last), Some(at)) => {
                        at + ((here.0 - last.0).powi(2) + (here.1 - last.1).powi(2)).sqrt()
                    }
                    _ => 0.0,
                };
                line.points.push(here);
                line.at.push(gone);
            }
        }
        line.first.push(line.points.len().saturating_sub(1));
        line
    }

    /// Meters between the beginnings of two arcs.
    fn meters(&self, from: usize, to: usize) -> f64 {
        self.at[self.first[to]] - self.at[self.first[from]]
    }

    /// The place so many meters along the line.
    fn place(&self, meters: f64) -> (f64, f64) {
        let after = self
            .at
            .partition_point(|it| *it < meters)
            .clamp(1, self.at.len() - 1);
        let (from, to) = (self.points[after - 1], self.points[after]);
        let piece = self.at[after] - self.at[after - 1];
        let part = if piece > 0.0 {
            ((meters - self.at[after - 1]) / piece).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (
            from.0 + (to.0 - from.0) * part,
            from.1 + (to.1 - from.1) * part,
        )
    }

    /// Degrees from the north, clockwise, between two places on the line.
    fn bearing(&self, from: f64, to: f64) -> f64 {
        let (from, to) = (self.place(from), self.place(to));
        let bearing = libm::atan2(to.0 - from.0, to.1 - from.1) * 180.0 / std::f64::consts::PI;
        if bearing < 0.0 {
            bearing + 360.0
        } else {
            bearing
        }
    }

    fn bearing_before(&self, arc: usize) -> f64 {
        let at = self.at[self.first[arc]];
        self.bearing((at - LOOK_M).max(0.0), at)
    }

    fn bearing_after(&self, arc: usize) -> f64 {
        let at = self.at[self.first[arc]];
        self.bearing(at, (at + LOOK_M).min(self.at.last().copied().unwrap_or(at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Tile;
    use crate::map::testing::{ID, at, edge, node};
    use crate::route::RouteRequest;

    /// What is said on a way over these places, there and `back`; each street has the kind and name that its end says.
    fn said(places: &[(u32, u32)], streets: &[(WayKind, Option<&str>)], back: bool) -> Vec<String> {
        let mut tile = Tile::empty(ID);
        tile.network.nodes = places.iter().map(|it| node(at(it.0, it.1))).collect();
        for (from, (kind, name)) in (0..).zip(streets) {
            let mut street = edge(from, from + 1);
            street.way.kind = *kind;
            street.name = name.map(|it| {
                tile.names.push(it.to_owned());
                tile.names.len() as u32 - 1
            });
            tile.network.edges.push(street);
        }
        let graph = Graph::of(&[tile]);
        let ends = 0..streets.len() as u32;
        let there = ends.map(|it| Arc::new(it, false));
        let mut arcs: Vec<Arc> = there.collect();
        if back {
            arcs.extend(arcs.clone().iter().rev().map(|it| it.reversed()));
        }
        let request = RouteRequest::plain(30, at(0, 0).place());
        let weights = Weights::of(&graph, &request, Vec::new());
        let steps = steps(&graph, &weights, &arcs);
        steps.into_iter().map(|it| it.instruction).collect()
    }

    const OAK: (WayKind, Option<&str>) = (WayKind::Residential, Some("Oak Street"));
    const ELM: (WayKind, Option<&str>) = (WayKind::Residential, Some("Elm Street"));

    #[test]
    fn who_has_to_turn_around_is_told_at_a_dead_end_too() {
        assert_eq!(
            said(&[(0, 0), (300, 0)], &[OAK], true),
            [
                "Walk east on Oak Street",
                "Turn around and walk back on Oak Street",
                "You are back where you started"
            ]
        );
    }

    #[test]
    fn a_link_of_some_steps_is_no_street_of_its_own() {
        let places = [(0, 0), (300, 0), (300, 30), (600, 30)];
        let link = (WayKind::Footway, None);
        assert_eq!(
            said(&places, &[OAK, link, ELM], false)[1..],
            [
                "Bear right onto Elm Street",
                "You are back where you started"
            ]
        );
        let far = [(0, 0), (300, 0), (300, 100), (600, 100)];
        assert_eq!(
            said(&far, &[OAK, link, ELM], false)[1..3],
            ["Turn right onto the footpath", "Turn left onto Elm Street"]
        );
    }

    #[test]
    fn steps_lie_on_a_side() {
        let steps = (WayKind::Steps, None);
        assert_eq!(
            said(&[(0, 0), (300, 0), (300, 100)], &[OAK, steps], false)[1],
            "Turn right and take the steps"
        );
        assert_eq!(
            said(&[(0, 0), (300, 0), (400, 0)], &[OAK, steps], false)[1],
            "Take the steps"
        );
    }
}
