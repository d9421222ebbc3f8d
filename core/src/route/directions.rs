//! Owns what is said on the way: where to turn, what to cross, whose path it is.
//! A step has the form of the directions services (OSRM's and Mapbox's `RouteStep`), so that theirs and ours are one type.

use serde::{Deserialize, Serialize};

use super::facts::BUSY;
use super::graph::{Arc, Graph, GraphEdge};
use super::weight::Weights;
use crate::map::{Crossing, Naming, Point, WayKind};

/// A direction is that between points so far before and behind a node; the first meters of a way often lead elsewhere.
const LOOK_M: f64 = 20.0;
/// From this angle a bend is worth a word where another way could be taken.
const BEND_DEGREES: f64 = 40.0;
/// Least length in meters of a way that one could take by mistake.
const EXIT_M: f64 = 15.0;
/// Length in meters below which a piece between two crossings is an island.
const ISLAND_M: f64 = 30.0;
/// Steps with less between them are one.
const NEAR_M: f64 = 10.0;
/// A piece that is shorter, between two of one street, is part of it, and one without a name part of what comes behind it.
const LINK_M: f64 = 15.0;

/// A step of a route (SPEC 3, Generated route).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct RouteStep {
    /// Instruction for the person.
    pub instruction: String,
    /// Meters until the next step.
    pub distance: f64,
    /// Seconds until then.
    pub duration: f64,
    /// Maneuver at the beginning of the step.
    pub maneuver: Maneuver,
}

/// A maneuver at a place, in the form of the directions services.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Maneuver {
    /// Kind of the maneuver.
    #[serde(rename = "type")]
    pub kind: ManeuverKind,
    /// Direction of the turn; none for the beginning and the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modifier: Option<Modifier>,
    /// Degrees from the north, clockwise, in which one comes.
    pub bearing_before: u16,
    /// Degrees from the north, clockwise, in which one goes on.
    pub bearing_after: u16,
    /// Longitude and latitude in degrees.
    pub location: [f64; 2],
}

/// Kind of a maneuver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum ManeuverKind {
    /// The walk begins.
    Depart,
    /// A turn onto another street, or one to stay on the same.
    Turn,
    /// Straight on, under another name.
    #[serde(rename = "new name")]
    NewName,
    /// The walk ends.
    Arrive,
    /// Straight on, where there is something to say; and every other kind that a provider knows.
    #[serde(other)]
    Continue,
}

/// Direction of a turn, by the change of direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Modifier {
    /// 165 degrees and more: back the way one came.
    #[serde(rename = "uturn")]
    Around,
    /// 120 to 165 degrees.
    #[serde(rename = "sharp right")]
    SharpRight,
    /// 45 degrees and more.
    Right,
    /// 20 degrees and more.
    #[serde(rename = "slight right")]
    SlightRight,
    /// Less than 20 degrees.
    Straight,
    /// 20 degrees and more.
    #[serde(rename = "slight left")]
    SlightLeft,
    /// 45 degrees and more.
    Left,
    /// 120 to 165 degrees.
    #[serde(rename = "sharp left")]
    SharpLeft,
}

impl Modifier {
    /// Returns the modifier for a change of direction in degrees, from -180 to 180; positive is to the right.
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

/// A piece of the way as a walker knows it: adjacent pieces that are equal are one street.
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

impl Run<'_> {
    /// A few steps along something, between what a walker knows it by; flights of steps and crossings are acts of their own.
    fn is_link(&self) -> bool {
        !matches!(self.street, Street::Steps | Street::Crossing) && self.length_m < LINK_M
    }

    /// A crossing of a main street, or one at signals.
    fn crosses_much_traffic(&self, graph: &Graph, arcs: &[Arc]) -> bool {
        let crossing = &arcs[self.from..self.to];
        let has_signals = |it: &Arc| {
            let ends = [graph.from(*it), graph.to(*it)];
            graph.edge(*it).way.crossing == Crossing::Signals
                || ends
                    .iter()
                    .any(|node| graph.node(*node).crossing == Crossing::Signals)
        };
        self.street == Street::Crossing
            && crossed_street(graph, crossing)
                .is_some_and(|it| it.is_busy || crossing.iter().any(has_signals))
    }
}

/// The steps of a route, the last of which is the arrival.
pub(super) fn steps(graph: &Graph, weights: &Weights, arcs: &[Arc]) -> Vec<RouteStep> {
    let runs = folded(graph, arcs, runs(graph, arcs));
    let mut list = StepList {
        graph,
        arcs,
        line: RouteLine::of(graph, arcs),
        steps: Vec::new(),
        side_streets: Vec::new(),
    };
    let mut last: Option<&Run> = None;
    let mut crossed: Vec<Crossed> = Vec::new();
    let mut crossed_from = None;
    let is_only_run = runs.len() == 1;
    for run in &runs {
        if run.street == Street::Crossing && !is_only_run {
            crossed.extend(crossed_street(graph, &arcs[run.from..run.to]));
            crossed_from.get_or_insert(run.from);
            continue;
        }
        let (crossed, crossed_from) = (std::mem::take(&mut crossed), crossed_from.take());
        match last {
            None => list.depart(run, &crossed),
            Some(before) => list.go_on(before, crossed, crossed_from, run),
        }
        list.say_bends(run);
        last = Some(run);
    }
    if let Some(from) = crossed_from {
        list.cross_last(from, &crossed);
    }
    list.arrive();
    joined_steps(measured(graph, weights, arcs, list.steps))
}

/// The steps of a route as they are found, each with the index of the arc at which it begins.
struct StepList<'a> {
    graph: &'a Graph,
    arcs: &'a [Arc],
    line: RouteLine,
    steps: Vec<(usize, RouteStep)>,
    /// The names in the last step, where that leads straight over side streets: the next one joins it.
    side_streets: Vec<Crossed>,
}

/// A street that is crossed.
struct Crossed {
    /// Empty where it has none.
    name: String,
    /// It has much traffic, so that crossing it is an act of its own.
    is_busy: bool,
}

impl StepList<'_> {
    /// Over what is crossed before the first street.
    fn depart(&mut self, run: &Run, crossed: &[Crossed]) {
        let bearing = self.line.bearing_after(0);
        let (compass, street) = (compass(bearing), run.street.words());
        let words = match joined(crossed) {
            None => format!("Walk {compass} on {street}"),
            Some(name) if name == street => {
                format!("Walk {compass} to the other side of {name}")
            }
            Some(name) => format!("Walk {compass} across {name} to {street}"),
        };
        let at = self.place(0);
        self.push(0, at, words, ManeuverKind::Depart, None, (bearing, bearing));
    }

    /// From one street to another, or on, over what is crossed between them from `crossed_from` on.
    fn go_on(
        &mut self,
        before: &Run,
        crossed: Vec<Crossed>,
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
        let is_side_street = |it: &Crossed| !it.is_busy && run.street != Street::Named(&it.name);
        if is_same && turn == Modifier::Straight && crossed.iter().all(is_side_street) {
            self.pass_side_streets(run, at, crossed, bearings);
            return;
        }
        let Some(words) = words(&run.street, is_same, turn, joined(&crossed)) else {
            return;
        };
        let kind = match turn {
            Modifier::Straight if is_same => ManeuverKind::Continue,
            Modifier::Straight => ManeuverKind::NewName,
            _ => ManeuverKind::Turn,
        };
        self.push(at, self.place(at), words, kind, Some(turn), bearings);
    }

    /// Straight over streets with little traffic: one step for all that follow one another, and none for those without a name.
    fn pass_side_streets(
        &mut self,
        run: &Run,
        at: usize,
        crossed: Vec<Crossed>,
        bearings: (f64, f64),
    ) {
        let named: Vec<Crossed> = crossed
            .into_iter()
            .filter(|it| !it.name.is_empty())
            .collect();
        if named.is_empty() {
            return;
        }
        let is_first = self.side_streets.is_empty();
        let mut side_streets = std::mem::take(&mut self.side_streets);
        side_streets.extend(named);
        let onto = run.street.words();
        let names = joined(&side_streets).unwrap_or_default();
        let words = format!("Cross {names} and stay on {onto}");
        match self.steps.last_mut() {
            Some((_, step)) if !is_first => step.instruction = words,
            _ => {
                let turn = Some(Modifier::Straight);
                let kind = ManeuverKind::Continue;
                self.push(at, self.place(at), words, kind, turn, bearings);
            }
        }
        self.side_streets = side_streets;
    }

    /// Adds a step where one stays on a street but must turn to do so.
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

    /// Over a street behind which the route ends.
    fn cross_last(&mut self, from: usize, crossed: &[Crossed]) {
        let bearings = (
            self.line.bearing_before(from),
            self.line.bearing_after(from),
        );
        let turn = Modifier::of(turn_between(bearings));
        let words = format!(
            "Cross {}",
            joined(crossed).unwrap_or_else(|| "here".to_owned())
        );
        let kind = ManeuverKind::Continue;
        self.push(from, self.place(from), words, kind, Some(turn), bearings);
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

    /// Returns true if a walker could take another way between two arcs by mistake.
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

    /// Point at which an arc begins.
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
        self.side_streets.clear();
        self.steps.push((arc, step));
    }
}

/// Returns the instruction for coming to a street by a turn, over the streets that are crossed; `None` where the way
/// goes on as it was.
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
        (Some(name), _) if name == onto => match turn {
            Modifier::Straight => format!("Cross to the other side of {name}"),
            Modifier::Around => format!("Cross {name} and walk back on its other side"),
            _ => format!(
                "Cross {name}, then {} along it",
                turn.words().to_lowercase()
            ),
        },
        (Some(name), true) if is_straight => format!("Cross {name} and stay on {onto}"),
        (Some(name), false) if is_straight => format!("Cross {name} to {onto}"),
        (Some(name), _) if turn == Modifier::Around => {
            format!("Cross {name} and turn back onto {onto}")
        }
        (Some(name), _) => {
            let turn = turn.words().to_lowercase();
            format!("Cross {name}, then {turn} onto {onto}")
        }
    })
}

/// Joins steps that follow one another within a few meters: a walker sees them as one act.
fn joined_steps(steps: Vec<RouteStep>) -> Vec<RouteStep> {
    let mut joined: Vec<RouteStep> = Vec::new();
    for step in steps {
        match joined.last_mut() {
            Some(before)
                if before.distance < NEAR_M && step.maneuver.kind != ManeuverKind::Arrive =>
            {
                let mut letters = step.instruction.chars();
                let first = letters.next().map(|it| it.to_ascii_lowercase());
                before.instruction.push_str(", then ");
                before.instruction.extend(first.into_iter().chain(letters));
                before.distance = tenths(before.distance + step.distance);
                before.duration = tenths(before.duration + step.duration);
                before.maneuver.bearing_after = step.maneuver.bearing_after;
            }
            _ => joined.push(step),
        }
    }
    joined
}

fn tenths(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
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

/// Islands become part of the crossing, short links part of the street that goes on behind them, and other links part of what
/// they lead to: nobody looks for a footpath or a street of some steps. To cross a main street is an act of its own, however
/// narrow it is.
fn folded<'a>(graph: &'a Graph, arcs: &[Arc], runs: Vec<Run<'a>>) -> Vec<Run<'a>> {
    let mut folded: Vec<Run> = Vec::new();
    let mut runs = runs.into_iter().peekable();
    while let Some(mut run) = runs.next() {
        while run.is_link()
            && let Some(next) = runs.next()
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
                (before, Some(next)) => {
                    before == next
                        && run.length_m < LINK_M
                        && !run.crosses_much_traffic(graph, arcs)
                }
                // The last steps to the door.
                (Street::Crossing | Street::Steps, None) => false,
                (_, None) => run.is_link(),
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

/// The street that a crossing crosses.
fn crossed_street(graph: &Graph, crossing: &[Arc]) -> Option<Crossed> {
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
    Some(Crossed {
        name: graph.own_name(best).unwrap_or_default().to_owned(),
        is_busy: best.way.kind.traffic() >= BUSY,
    })
}

fn joined(crossed: &[Crossed]) -> Option<String> {
    let mut once: Vec<&str> = Vec::new();
    for Crossed { name, .. } in crossed {
        let name = if name.is_empty() { "the street" } else { name };
        if !once.contains(&name) {
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

    /// Returns the instructions for a way over these places, also `back` if asked for. The street to each place after
    /// the first has the kind and name at its index.
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

    const MAIN: (WayKind, Option<&str>) = (WayKind::Secondary, Some("Main Street"));
    const SIDEWALK: (WayKind, Option<&str>) = (WayKind::Sidewalk, Some("Oak Street"));
    const CROSSING: (WayKind, Option<&str>) = (WayKind::Crossing, None);

    #[test]
    fn a_street_of_a_few_steps_is_no_step() {
        let places = [(0, 0), (300, 0), (303, 0), (303, 300)];
        assert_eq!(
            said(&places, &[OAK, MAIN, ELM], false)[1..],
            [
                "Turn right onto Elm Street",
                "You are back where you started"
            ]
        );
        let to_the_door = [(0, 0), (300, 0), (303, 0)];
        assert_eq!(
            said(&to_the_door, &[OAK, MAIN], false)[1..],
            ["You are back where you started"]
        );
        let across = [(0, 0), (3, 0), (43, 0), (343, 0)];
        assert_eq!(
            said(&across, &[OAK, CROSSING, OAK], false)[..1],
            ["Walk east to the other side of Oak Street"]
        );
        let home = [(0, 0), (300, 0), (340, 0)];
        assert_eq!(
            said(&home, &[OAK, CROSSING], false)[1..],
            ["Cross Oak Street", "You are back where you started"]
        );
        let from_the_door = [(0, 0), (3, 0), (303, 0)];
        assert_eq!(
            said(&from_the_door, &[MAIN, OAK], false)[..1],
            ["Walk east on Oak Street"]
        );
    }

    /// The directions of a way straight to the east along sidewalks of Oak Street, over these streets.
    fn said_across(crossed: &[(WayKind, Option<&str>)]) -> Vec<String> {
        let mut tile = Tile::empty(ID);
        let mut add = |from: u32, to: u32, (kind, name): (WayKind, Option<&str>)| {
            let mut street = edge(from, to);
            street.way.kind = kind;
            street.name = name.map(|it| {
                tile.names.push(it.to_owned());
                tile.names.len() as u32 - 1
            });
            tile.network.edges.push(street);
        };
        let n_nodes = 2 * crossed.len() as u32 + 2;
        for (block, street) in (0..).zip(crossed) {
            let west = 2 * block;
            add(west, west + 1, SIDEWALK);
            add(west + 1, west + 2, CROSSING);
            add(west + 1, n_nodes + block, *street);
        }
        add(n_nodes - 2, n_nodes - 1, SIDEWALK);
        let along = (0..n_nodes).map(|it| node(at(it / 2 * 300 + it % 2 * 240, 300)));
        let up = (0..crossed.len() as u32).map(|it| node(at(it * 300 + 240, 0)));
        tile.network.nodes = along.chain(up).collect();
        let graph = Graph::of(&[tile]);
        // Every third edge is a street that is crossed.
        let along = (0..graph.edges.len() as u32).filter(|it| it % 3 != 2);
        let arcs: Vec<Arc> = along.map(|it| Arc::new(it, false)).collect();
        let request = RouteRequest::plain(30, at(0, 0).place());
        let weights = Weights::of(&graph, &request, Vec::new());
        let steps = steps(&graph, &weights, &arcs);
        steps.into_iter().map(|it| it.instruction).collect()
    }

    #[test]
    fn side_streets_on_a_straight_way_are_one_step_and_a_main_street_is_its_own() {
        let pine = (WayKind::Residential, Some("Pine Street"));
        let yard = (WayKind::Service, None);
        assert_eq!(
            said_across(&[ELM, yard, pine, MAIN, ELM]),
            [
                "Walk east on Oak Street",
                "Cross Elm Street and Pine Street and stay on Oak Street",
                "Cross Main Street and stay on Oak Street",
                "Cross Elm Street and stay on Oak Street",
                "You are back where you started"
            ]
        );
        assert_eq!(said_across(&[yard, yard]).len(), 2);
    }

    /// The directions over a crossing of 10 m, in two halves that meet on a street, between two pieces of Oak Street.
    fn said_over_narrow(street: (WayKind, Option<&str>), crossing: Crossing) -> Vec<String> {
        let mut tile = Tile::empty(ID);
        let places = [(0, 300), (300, 300), (316, 300), (332, 300), (632, 300)];
        let places = places.into_iter().chain([(316, 0), (316, 600)]);
        tile.network.nodes = places.map(|it| node(at(it.0, it.1))).collect();
        tile.network.nodes[2].crossing = crossing;
        for (from, to, (kind, name)) in [
            (0, 1, SIDEWALK),
            (1, 2, CROSSING),
            (2, 3, CROSSING),
            (3, 4, SIDEWALK),
            (5, 2, street),
            (2, 6, street),
        ] {
            let mut edge = edge(from, to);
            edge.way.kind = kind;
            edge.name = name.map(|it| {
                tile.names.push(it.to_owned());
                tile.names.len() as u32 - 1
            });
            tile.network.edges.push(edge);
        }
        let graph = Graph::of(&[tile]);
        let arcs = [0, 1, 2, 3].map(|it| Arc::new(it, false));
        let request = RouteRequest::plain(30, at(0, 0).place());
        let weights = Weights::of(&graph, &request, Vec::new());
        let steps = steps(&graph, &weights, &arcs);
        steps.into_iter().map(|it| it.instruction).collect()
    }

    #[test]
    fn a_narrow_main_street_is_told_where_it_is_crossed_and_a_narrow_side_street_is_not() {
        let primary = (WayKind::Primary, Some("Main Street"));
        for (street, crossing, crossed) in [
            (MAIN, Crossing::None, Some("Main Street")),
            (MAIN, Crossing::Marked, Some("Main Street")),
            (primary, Crossing::Plain, Some("Main Street")),
            (ELM, Crossing::Signals, Some("Elm Street")),
            (ELM, Crossing::Marked, None),
        ] {
            let said = said_over_narrow(street, crossing);
            let told = crossed.map(|it| format!("Cross {it} and stay on Oak Street"));
            assert_eq!(said.get(1), told.as_ref().or(said.last()), "{said:?}");
            assert_eq!(said.len(), if crossed.is_some() { 3 } else { 2 });
        }
    }

    #[test]
    fn steps_within_a_few_meters_are_joined() {
        let step = |words: &str, distance, kind| RouteStep {
            instruction: words.to_owned(),
            distance,
            duration: distance,
            maneuver: Maneuver {
                kind,
                modifier: None,
                bearing_before: 0,
                bearing_after: distance as u16,
                location: [0.0, 0.0],
            },
        };
        let steps = joined_steps(vec![
            step("Walk east on Oak Street", 90.0, ManeuverKind::Depart),
            step("Turn left to stay on Oak Street", 3.7, ManeuverKind::Turn),
            step("Cross Elm Street to the path", 60.4, ManeuverKind::NewName),
            step("Turn right onto Pine Street", 4.0, ManeuverKind::Turn),
            step("You are back where you started", 0.0, ManeuverKind::Arrive),
        ]);
        let said: Vec<_> = steps
            .iter()
            .map(|it| (it.instruction.as_str(), it.distance))
            .collect();
        assert_eq!(
            said,
            [
                ("Walk east on Oak Street", 90.0),
                (
                    "Turn left to stay on Oak Street, then cross Elm Street to the path",
                    64.1
                ),
                ("Turn right onto Pine Street", 4.0),
                ("You are back where you started", 0.0),
            ]
        );
        assert_eq!(steps[1].maneuver.bearing_after, 60);
    }

    #[test]
    fn the_other_side_of_a_street_is_called_that() {
        let (oak, around) = (Street::Named("Oak Street"), Modifier::Around);
        let say = |is_same, turn, name: &str| words(&oak, is_same, turn, Some(name.to_owned()));
        for (is_same, turn, name, expected) in [
            (
                true,
                Modifier::Straight,
                "Oak Street",
                "Cross to the other side of Oak Street",
            ),
            (
                true,
                around,
                "Oak Street",
                "Cross Oak Street and walk back on its other side",
            ),
            (
                false,
                Modifier::Right,
                "Oak Street",
                "Cross Oak Street, then turn right along it",
            ),
            (
                false,
                around,
                "Elm Street",
                "Cross Elm Street and turn back onto Oak Street",
            ),
        ] {
            assert_eq!(say(is_same, turn, name).as_deref(), Some(expected));
        }
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
