//! Owns what Valhalla and OSRM were recorded to know of an area, and judges any walk in it by that: is it a walk along ways
//! that are open on foot, and as long as they are? It knows nothing of our tiles or our search.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Deserialize;
use walkies_core::map::{Ground, Point};
use walkies_core::values::place::Place;

/// The line is looked at in steps of at most so many meters.
const STEP_M: f64 = 5.0;
/// A place is on a way if it is no farther from it. Tiles are simplified by one meter and rounded to a third of one.
const MOST_OFF_M: f64 = 3.0;
/// Along the ways a step may be so much longer or shorter: one end before and one behind where it belongs.
const MOST_LONGER_M: f64 = 6.0;
/// And the whole by this share, if that is more.
const MOST_LONGER: f64 = 0.02;
const CELL_M: f64 = 20.0;

/// A line of the recording.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Recorded {
    Head {
        extract_sha256: String,
    },
    Way {
        way: String,
    },
    Closed {
        closed: (f64, f64),
    },
    Pair {
        from: (f64, f64),
        to: (f64, f64),
        length_m: f64,
    },
}

/// The knowledge of both engines about an area.
#[derive(Debug)]
pub struct Recording {
    /// Checksum of the extract that they read.
    pub extract_sha256: String,
    /// Places and OSRM's meters between them.
    pub pairs: Vec<(Point, Point, f64)>,
    ground: Ground,
    home: Point,
    ways: Vec<Way>,
    /// The ways that begin or end at each node. At a closed node each end is one of its own.
    exits: Vec<Vec<usize>>,
    /// Pieces by the cells that they touch: ways and the places in their lines.
    cells: HashMap<(i32, i32), BTreeSet<(usize, usize)>>,
}

#[derive(Debug)]
struct Way {
    line: Vec<(f64, f64)>,
    /// Meters along the line to each of its points.
    gone_m: Vec<f64>,
    ends: [usize; 2],
}

impl Way {
    fn length_m(&self) -> f64 {
        self.gone_m.last().copied().unwrap_or_default()
    }
}

/// A place on a way, and how well the walk to it fits.
#[derive(Clone, Copy, Debug)]
struct Stand {
    way: usize,
    at_m: f64,
    /// Meters by which steps differ from the ways, added up.
    bent_m: f64,
    /// Meters along the ways from the walk's beginning.
    walked_m: f64,
}

/// The place where a line is no walk, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Place where the line leaves what can be walked.
    pub at: Point,
    /// The reason in words.
    pub why: String,
}

impl Recording {
    /// Reads what `cargo xtask bench routes --record` has written, and takes `further` ways for open on foot.
    pub fn read(text: &str, further: &[&[(f64, f64)]]) -> Self {
        let (mut sha256, mut lines, mut closed, mut pairs) =
            (String::new(), Vec::new(), BTreeSet::new(), Vec::new());
        for line in text.lines() {
            match serde_json::from_str(line).expect("a line of the recording") {
                Recorded::Head { extract_sha256 } => sha256 = extract_sha256,
                Recorded::Way { way } => lines.push(polyline6(&way)),
                Recorded::Closed { closed: at } => {
                    closed.insert(e7(at));
                }
                Recorded::Pair { from, to, length_m } => {
                    pairs.push((point(from), point(to), length_m));
                }
            }
        }
        lines.extend(further.iter().map(|it| it.to_vec()));
        let home = point(lines[0][0]);
        let mut recording = Self {
            extract_sha256: sha256,
            pairs,
            ground: Ground::at(home),
            home,
            ways: Vec::new(),
            exits: Vec::new(),
            cells: HashMap::new(),
        };
        let mut nodes = BTreeMap::new();
        for line in lines {
            recording.add(&line, &closed, &mut nodes);
        }
        recording
    }

    fn add(
        &mut self,
        line: &[(f64, f64)],
        closed: &BTreeSet<(i64, i64)>,
        nodes: &mut BTreeMap<(i64, i64), usize>,
    ) {
        let way = self.ways.len();
        let ends = [line[0], line[line.len() - 1]].map(|end| {
            let node = if closed.contains(&e7(end)) {
                self.exits.len()
            } else {
                *nodes.entry(e7(end)).or_insert(self.exits.len())
            };
            self.exits
                .resize(self.exits.len().max(node + 1), Vec::new());
            self.exits[node].push(way);
            node
        });
        let line: Vec<(f64, f64)> = line.iter().map(|it| self.plane(point(*it))).collect();
        let mut gone_m = vec![0.0];
        for (piece, pair) in line.windows(2).enumerate() {
            gone_m.push(gone_m[piece] + distance_m(pair[0], pair[1]));
            let (from, to) = (cell(pair[0]), cell(pair[1]));
            for x in from.0.min(to.0)..=from.0.max(to.0) {
                for y in from.1.min(to.1)..=from.1.max(to.1) {
                    self.cells.entry((x, y)).or_default().insert((way, piece));
                }
            }
        }
        self.ways.push(Way { line, gone_m, ends });
    }

    fn plane(&self, point: Point) -> (f64, f64) {
        self.ground.vector_m(self.home, point)
    }

    /// Checks that a line is a walk along recorded ways, step by step, and as long as they are.
    ///
    /// # Errors
    /// The first place that cannot be reached on them, or the line's end if its length is wrong.
    pub fn judge(&self, line: &[Point]) -> Result<(), Refusal> {
        let steps = self.steps(line);
        let mut stands: Vec<Stand> = Vec::new();
        let mut given_m = 0.0;
        for (index, (at, place)) in steps.iter().enumerate() {
            let here = self.places(*place);
            let refused = |why: &str| Refusal {
                at: *at,
                why: why.to_owned(),
            };
            if here.is_empty() {
                return Err(refused("no way that is open on foot is here"));
            }
            if index == 0 {
                stands = here;
                continue;
            }
            let step_m = distance_m(steps[index - 1].1, *place);
            given_m += step_m;
            stands = self.step(&stands, &here, step_m);
            if stands.is_empty() {
                return Err(refused("no way goes on to here from the last place"));
            }
        }
        let allowed_m = MOST_LONGER_M.max(MOST_LONGER * given_m);
        let fits = |it: &Stand| (it.walked_m - given_m).abs() <= allowed_m;
        match (steps.last(), stands.first()) {
            (Some((at, _)), Some(stand)) if !stands.iter().any(fits) => Err(Refusal {
                at: *at,
                why: format!("{given_m:.0} m are {:.0} m by the ways", stand.walked_m),
            }),
            _ => Ok(()),
        }
    }

    /// The best way to stand on each of these places after the step from those.
    fn step(&self, from: &[Stand], to: &[Stand], step_m: f64) -> Vec<Stand> {
        let reach_m = step_m + MOST_LONGER_M;
        let reaches: Vec<_> = from
            .iter()
            .map(|it| self.nodes_around(it, reach_m))
            .collect();
        let mut stands = Vec::new();
        for place in to {
            let ends = self.ways[place.way].ends;
            let length_m = self.ways[place.way].length_m();
            let mut best: Option<Stand> = None;
            for (stand, reach) in from.iter().zip(&reaches) {
                let along = (stand.way == place.way).then(|| (stand.at_m - place.at_m).abs());
                let around = [(ends[0], place.at_m), (ends[1], length_m - place.at_m)];
                let around = around
                    .iter()
                    .filter_map(|(node, rest_m)| Some(reach.get(node)? + rest_m));
                for walked_m in along.into_iter().chain(around) {
                    let bent_m = (walked_m - step_m).abs();
                    if MOST_LONGER_M < bent_m {
                        continue;
                    }
                    let there = Stand {
                        bent_m: stand.bent_m + bent_m,
                        walked_m: stand.walked_m + walked_m,
                        ..*place
                    };
                    if best.is_none_or(|it| there.bent_m < it.bent_m) {
                        best = Some(there);
                    }
                }
            }
            stands.extend(best);
        }
        stands
    }

    /// Meters to all nodes that are no farther.
    fn nodes_around(&self, stand: &Stand, reach_m: f64) -> BTreeMap<usize, f64> {
        let way = &self.ways[stand.way];
        let mut known: BTreeMap<usize, f64> = BTreeMap::new();
        let mut open = vec![
            (way.ends[0], stand.at_m),
            (way.ends[1], way.length_m() - stand.at_m),
        ];
        while let Some((node, gone_m)) = open.pop() {
            if reach_m < gone_m || known.get(&node).is_some_and(|it| *it <= gone_m) {
                continue;
            }
            known.insert(node, gone_m);
            for exit in &self.exits[node] {
                let way = &self.ways[*exit];
                let next = way.ends.into_iter().find(|it| *it != node).unwrap_or(node);
                open.push((next, gone_m + way.length_m()));
            }
        }
        known
    }

    /// Places on ways that are near, one for each piece of a way.
    fn places(&self, place: (f64, f64)) -> Vec<Stand> {
        let (column, row) = cell(place);
        let cells =
            (column - 1..=column + 1).flat_map(|x| (row - 1..=row + 1).map(move |y| (x, y)));
        let pieces: BTreeSet<(usize, usize)> = cells
            .filter_map(|it| self.cells.get(&it))
            .flatten()
            .copied()
            .collect();
        let near = pieces.into_iter().filter_map(|(way, piece)| {
            let it = &self.ways[way];
            let (off_m, share) = off(place, it.line[piece], it.line[piece + 1]);
            let length_m = it.gone_m[piece + 1] - it.gone_m[piece];
            (off_m <= MOST_OFF_M).then(|| Stand {
                way,
                at_m: it.gone_m[piece] + share * length_m,
                bent_m: 0.0,
                walked_m: 0.0,
            })
        });
        near.collect()
    }

    /// The line's points and those between, on the map and in meters.
    fn steps(&self, line: &[Point]) -> Vec<(Point, (f64, f64))> {
        let mut steps: Vec<(Point, (f64, f64))> = Vec::new();
        for pair in line.windows(2) {
            let (from, to) = (self.plane(pair[0]), self.plane(pair[1]));
            let n = (distance_m(from, to) / STEP_M).ceil().max(1.0);
            steps.extend((0..n as u32).map(|step| {
                let share = f64::from(step) / n;
                let at = (
                    from.0 + (to.0 - from.0) * share,
                    from.1 + (to.1 - from.1) * share,
                );
                (pair[0], at)
            }));
        }
        steps.extend(line.last().map(|it| (*it, self.plane(*it))));
        steps
    }
}

fn cell((x, y): (f64, f64)) -> (i32, i32) {
    ((x / CELL_M).floor() as i32, (y / CELL_M).floor() as i32)
}

fn distance_m(a: (f64, f64), b: (f64, f64)) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// Meters from a place to a straight piece, and the share of the piece before the nearest place on it.
fn off(place: (f64, f64), from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let square = dx * dx + dy * dy;
    let along = (place.0 - from.0) * dx + (place.1 - from.1) * dy;
    let share = if square > 0.0 {
        (along / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let nearest = (from.0 + share * dx, from.1 + share * dy);
    (distance_m(place, nearest), share)
}

fn point((lat, lon): (f64, f64)) -> Point {
    Point::at(Place::from_degrees(lat, lon).expect("a place on earth"))
}

fn e7((lat, lon): (f64, f64)) -> (i64, i64) {
    ((lat * 1e7).round() as i64, (lon * 1e7).round() as i64)
}

/// The latitudes and longitudes of an encoded polyline with six decimals.
fn polyline6(text: &str) -> Vec<(f64, f64)> {
    let (mut numbers, mut value, mut shift) = (Vec::new(), 0_i64, 0);
    for byte in text.bytes() {
        let bits = i64::from(byte) - 63;
        value |= (bits & 0x1f) << shift;
        shift += 5;
        if bits < 0x20 {
            numbers.push(if value & 1 == 1 {
                !(value >> 1)
            } else {
                value >> 1
            });
            (value, shift) = (0, 0);
        }
    }
    let mut at = (0, 0);
    numbers
        .chunks_exact(2)
        .map(|it| {
            at = (at.0 + it[0], at.1 + it[1]);
            (at.0 as f64 / 1e6, at.1 as f64 / 1e6)
        })
        .collect()
}
