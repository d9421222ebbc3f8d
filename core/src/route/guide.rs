//! Owns what a walker is told on a planned route: the next instruction and how far it is, what is left, and when to speak.
//! Where the walker is on it is `follow`'s.

use serde::Serialize;

use super::directions::{ManeuverKind, Modifier};
use super::follow::{FollowNotice, Following, PlannedLine};
use super::generated::GeneratedRoute;
use crate::values::place::Place;
use crate::values::units::Units;
use crate::values::{encoded_line, format};
use crate::walk::{LinePoint, texts};

/// So near, an instruction is said: some twenty seconds before the turn.
const SAY_M: f64 = 25.0;
/// So near, the turn is here.
const NOW_M: f64 = 8.0;
/// A turn that lies this little behind is still the one to take: positions are not better.
const PASSED_M: f64 = 4.0;
/// Points of a stored track say nothing of their accuracy; they went through the filter.
const TRACK_ACCURACY_M: f64 = 10.0;

/// How far a walker has come on a route, and what was said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct GuideState {
    following: Following,
    /// The last step that was said; the first one is on the screen from the start.
    said: usize,
}

/// A planned route and where on it the walker is.
#[derive(Clone, Debug)]
pub struct Guide {
    planned: PlannedLine,
    steps: Vec<PlannedStep>,
    seconds: f64,
    state: GuideState,
}

/// A step of the route, by where it is on it.
#[derive(Clone, Debug)]
struct PlannedStep {
    /// Meters along the line.
    at_m: f64,
    instruction: String,
    kind: ManeuverKind,
    modifier: Option<Modifier>,
}

/// A message that is spoken and announced by a vibration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Cue {
    /// Why it is said.
    pub kind: CueKind,
    /// The spoken words.
    pub text: String,
}

/// Why something is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum CueKind {
    /// The next instruction is due.
    Turn,
    /// A turn was missed, perhaps.
    Straying,
    /// Off the route.
    OffRoute,
    /// Back on it.
    OnRoute,
    /// At its end.
    Arrived,
}

/// Guidance on a planned route, as the screen of a walk shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Guidance {
    /// The next instruction.
    pub instruction: String,
    /// Kind of that step.
    pub kind: ManeuverKind,
    /// Direction of its turn; none for the beginning and the end.
    pub modifier: Option<Modifier>,
    /// How far it is: `in 220 ft`, or `now`.
    pub when: String,
    /// Share of the route that is walked, 0 to 1.
    pub progress: f64,
    /// Remaining distance and time: `0.8 mi, 17 min`.
    pub left: String,
    /// Seconds that are left.
    pub seconds_left: f64,
    /// 'You appear to be off your planned route'.
    pub is_off: bool,
    /// True if the walker has reached its end.
    pub has_arrived: bool,
}

impl Guide {
    /// At the start of a route; `None` for one without a line.
    pub fn of(route: &GeneratedRoute) -> Option<Self> {
        let planned = PlannedLine::of(&encoded_line::decode(&route.geometry)?)?;
        // A provider's lengths are not quite those of its line.
        let scale = planned.length_m() / route.distance.max(1.0);
        let mut at_m = 0.0;
        let mut steps = Vec::new();
        for step in &route.steps {
            steps.push(PlannedStep {
                at_m: at_m * scale,
                instruction: step.instruction.clone(),
                kind: step.maneuver.kind,
                modifier: step.maneuver.modifier,
            });
            at_m += step.distance;
        }
        Some(Self {
            planned,
            steps,
            seconds: route.duration,
            state: GuideState::default(),
        })
    }

    /// Goes along a track that was walked on this route before, and says nothing.
    pub fn replay<'a>(&mut self, track: impl IntoIterator<Item = &'a LinePoint>) {
        for point in track {
            self.take(point.place, TRACK_ACCURACY_M, point.at);
        }
    }

    /// Takes a filtered position with its accuracy in meters, at a time in milliseconds.
    pub fn take(&mut self, place: Place, accuracy_m: f64, at: i64) -> Option<Cue> {
        let (following, notice) = self
            .planned
            .step(self.state.following, place, accuracy_m, at);
        self.state.following = following;
        let (kind, text) = match notice? {
            FollowNotice::Straying => (CueKind::Straying, STRAYING),
            FollowNotice::OffRoute => (CueKind::OffRoute, texts().off_route),
            FollowNotice::OnRoute => (CueKind::OnRoute, ON_ROUTE),
            FollowNotice::Arrived => (CueKind::Arrived, ARRIVED),
        };
        Some(Cue {
            kind,
            text: text.to_owned(),
        })
    }

    /// The instruction that is due and was not said yet.
    pub fn due(&mut self) -> Option<Cue> {
        let following = &self.state.following;
        let (index, step) = self.next()?;
        let is_due = step.at_m - following.progress_m <= SAY_M;
        if following.is_off || following.has_arrived || !is_due || index <= self.state.said {
            return None;
        }
        // The end is said by arriving.
        if step.kind == ManeuverKind::Arrive {
            return None;
        }
        let text = step.instruction.clone();
        self.state.said = index;
        Some(Cue {
            kind: CueKind::Turn,
            text,
        })
    }

    /// Returns the guidance at the walker's position.
    pub fn guidance(&self, units: Units) -> Guidance {
        let Following {
            progress_m,
            is_off,
            has_arrived,
            ..
        } = self.state.following;
        let length_m = self.planned.length_m();
        let left_m = if has_arrived {
            0.0
        } else {
            (length_m - progress_m).max(0.0)
        };
        let seconds_left = self.seconds * left_m / length_m.max(1.0);
        let (instruction, kind, modifier, when) = match self.shown() {
            Some((step, away_m)) => (
                step.instruction.clone(),
                step.kind,
                step.modifier,
                when(away_m, units),
            ),
            None => (
                ARRIVED.to_owned(),
                ManeuverKind::Arrive,
                None,
                "now".to_owned(),
            ),
        };
        Guidance {
            instruction,
            kind,
            modifier,
            when,
            progress: if has_arrived {
                1.0
            } else {
                (progress_m / length_m.max(1.0)).clamp(0.0, 1.0)
            },
            left: left(left_m, seconds_left, units),
            seconds_left,
            is_off,
            has_arrived,
        }
    }

    /// The step to show and the meters to it; `None` at the end.
    fn shown(&self) -> Option<(&PlannedStep, f64)> {
        let Following {
            progress_m,
            is_off,
            has_arrived,
            ..
        } = self.state.following;
        // Until the first steps are made, the first instruction counts.
        match self.steps.first() {
            _ if has_arrived => None,
            Some(first) if progress_m < NOW_M && !is_off => Some((first, 0.0)),
            _ => self.next().map(|(_, it)| (it, it.at_m - progress_m)),
        }
    }

    /// The first step that is not passed.
    fn next(&self) -> Option<(usize, &PlannedStep)> {
        let here_m = self.state.following.progress_m - PASSED_M;
        let ahead = self.steps.iter().enumerate().skip(1);
        ahead.into_iter().find(|(_, it)| it.at_m > here_m)
    }
}

const STRAYING: &str = "This may not be your planned route";
const ON_ROUTE: &str = "Back on your route";
const ARRIVED: &str = "You are back where you started";

/// `in 220 ft`, or `now`.
fn when(away_m: f64, units: Units) -> String {
    if away_m > NOW_M {
        format!("in {}", format::distance(rounded(away_m), units))
    } else {
        "now".to_owned()
    }
}

/// `0.8 mi, 17 min`.
fn left(meters: f64, seconds: f64, units: Units) -> String {
    let minutes = (seconds / 60.0).ceil() as u32;
    let distance = format::distance(rounded(meters), units);
    format!("{distance}, {}", format::duration(minutes.max(1)))
}

/// To ten meters: more is not known, and figures that flicker are not read.
fn rounded(meters: f64) -> f64 {
    (meters / 10.0).round() * 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route::{Maneuver, RouteKind, RouteStep};

    const METERS_PER_DEGREE: f64 = 111_319.5;

    fn place(x: f64, y: f64) -> Place {
        Place::from_degrees(y / METERS_PER_DEGREE, x / METERS_PER_DEGREE).unwrap()
    }

    fn step(
        instruction: &str,
        distance: f64,
        kind: ManeuverKind,
        modifier: Option<Modifier>,
    ) -> RouteStep {
        RouteStep {
            instruction: instruction.to_owned(),
            distance,
            duration: distance / 1.34,
            maneuver: Maneuver {
                kind,
                modifier,
                bearing_before: 0,
                bearing_after: 0,
                location: [0.0, 0.0],
            },
        }
    }

    /// A square of 500 m, to the north first.
    fn square() -> GeneratedRoute {
        let corners = [
            (0.0, 0.0),
            (0.0, 500.0),
            (500.0, 500.0),
            (500.0, 0.0),
            (0.0, 0.0),
        ];
        let right = Some(Modifier::Right);
        GeneratedRoute {
            name: "Around the block".to_owned(),
            kind: RouteKind::Loop,
            distance: 2000.0,
            duration: 1500.0,
            geometry: encoded_line::encode(corners.map(|(x, y)| place(x, y))),
            steps: vec![
                step(
                    "Walk north on West Street",
                    500.0,
                    ManeuverKind::Depart,
                    None,
                ),
                step(
                    "Turn right onto North Street",
                    500.0,
                    ManeuverKind::Turn,
                    right,
                ),
                step(
                    "Turn right onto East Street",
                    500.0,
                    ManeuverKind::Turn,
                    right,
                ),
                step(
                    "Turn right onto South Street",
                    500.0,
                    ManeuverKind::Turn,
                    right,
                ),
                step(
                    "You are back where you started",
                    0.0,
                    ManeuverKind::Arrive,
                    None,
                ),
            ],
            features: Vec::new(),
            warnings: Vec::new(),
            elevation_gain: 0.0,
            rest_points: None,
            water_stops: None,
            approach: None,
            notice: None,
            weather_advice: None,
        }
    }

    /// Walks along the corners with a position each second; what was said.
    fn walk(guide: &mut Guide, clock: &mut i64, corners: &[(f64, f64)]) -> Vec<String> {
        let mut said = Vec::new();
        for pair in corners.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let steps = ((x1 - x0).hypot(y1 - y0) / 1.3) as i32;
            for step in 1..=steps {
                let part = f64::from(step) / f64::from(steps);
                *clock += 1000;
                let here = place(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part);
                said.extend(guide.take(here, 6.0, *clock).map(|it| it.text));
                said.extend(guide.due().map(|it| it.text));
            }
        }
        said
    }

    #[test]
    fn each_turn_is_said_once_and_before_it_is_there() {
        let mut guide = Guide::of(&square()).unwrap();
        let mut clock = 0;
        let first = guide.guidance(Units::Metric);
        assert_eq!(first.instruction, "Walk north on West Street");
        assert_eq!(
            walk(&mut guide, &mut clock, &[(0.0, 0.0), (0.0, 470.0)]),
            [""; 0]
        );
        let shown = guide.guidance(Units::Metric);
        assert_eq!(shown.instruction, "Turn right onto North Street");
        assert_eq!(shown.when, "in 30 m");
        assert_eq!(shown.left, "1.5 km, 20 min");
        let corners = [
            (0.0, 470.0),
            (0.0, 500.0),
            (500.0, 500.0),
            (500.0, 0.0),
            (0.0, 0.0),
        ];
        assert_eq!(
            walk(&mut guide, &mut clock, &corners),
            [
                "Turn right onto North Street",
                "Turn right onto East Street",
                "Turn right onto South Street",
                "You are back where you started",
            ]
        );
        let end = guide.guidance(Units::Metric);
        assert!(end.has_arrived && end.progress >= 1.0, "{end:?}");
        assert_eq!(end.instruction, "You are back where you started");
    }

    #[test]
    fn who_leaves_the_route_hears_no_turns_until_back() {
        let mut guide = Guide::of(&square()).unwrap();
        let mut clock = 0;
        walk(&mut guide, &mut clock, &[(0.0, 0.0), (0.0, 300.0)]);
        let said = walk(
            &mut guide,
            &mut clock,
            &[(0.0, 300.0), (-180.0, 300.0), (-180.0, 420.0)],
        );
        assert_eq!(said, [STRAYING, texts().off_route]);
        let lost = guide.guidance(Units::Imperial);
        assert!(lost.is_off);
        let said = walk(
            &mut guide,
            &mut clock,
            &[(-180.0, 420.0), (0.0, 420.0), (0.0, 495.0)],
        );
        assert_eq!(said, [ON_ROUTE, "Turn right onto North Street"]);
    }

    #[test]
    fn who_goes_on_after_a_kill_is_where_the_track_ends() {
        let mut guide = Guide::of(&square()).unwrap();
        let track: Vec<_> = (0..60)
            .map(|it| LinePoint {
                place: place(0.0, f64::from(it) * 8.0),
                at: i64::from(it) * 6000,
            })
            .collect();
        guide.replay(&track);
        let shown = guide.guidance(Units::Metric);
        assert!((shown.progress - 472.0 / 2000.0).abs() < 0.01, "{shown:?}");
        assert_eq!(shown.instruction, "Turn right onto North Street");
    }
}
