//! Owns what is around the edges of a tile: green, shade, water, the streets beside them, and whose name an unnamed way has.

use std::collections::{BTreeMap, HashMap};

use geo::{Coord, Distance, Euclidean, InterpolateLine, Line, Vector2DOps};
use walkies_core::map::{
    AreaKind, Ground, LineKind, Naming, Point, SpotKind, TileId, Way, WayKind,
};

use super::deal::MARGIN;
use super::frame::Frame;
use super::piece::{Patch, Piece};
use super::raster::Raster;
use super::shape::{coord, point};

/// Distance in meters between the samples along a way at which its surroundings are looked up.
const SAMPLE_M: f64 = 8.0;

/// How far the shade of a tree at the roadside reaches.
const CANOPY_M: f64 = 7.0;

/// How far a way along the water may be from it.
const WATERSIDE_M: f64 = 30.0;

/// A pond in a garden or a swimming pool is no waterside.
const MIN_WATER_M2: u64 = 400;

/// How far a way beside a street may be from its middle.
const BESIDE_M: f64 = 20.0;

/// The cosine of the angle up to which two ways run in the same direction: 25 degrees.
const PARALLEL: f64 = 0.906;

/// The share of a way along which something must hold for it to hold for the way.
const MOST: f64 = 0.5;

const GREEN: u8 = 1;
const WOOD: u8 = 2;
const CANOPY: u8 = 4;

/// The surroundings of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Around {
    /// Sevenths of it in the green.
    pub green: u8,
    /// Sevenths of it under trees.
    pub shade: u8,
    /// True if most of it runs along water.
    pub waterside: bool,
    /// The busiest street beside it.
    pub beside_traffic: u8,
    /// The name that it borrows from its surroundings, if it has none of its own.
    pub name: Option<(Naming, String)>,
}

/// Lookup of the surroundings at each point of a tile: green, shade, parks, water and streets.
pub struct Context {
    ground: Ground,
    cover: Raster<u8>,
    canopy: Raster<u8>,
    /// Indexes into `names` plus one.
    parks: Raster<u16>,
    /// Indexes into `names` plus one; water without a name has the last index there can be.
    waters: Raster<u16>,
    names: Vec<String>,
    streets: Streets,
}

const UNNAMED: u16 = u16::MAX;

impl Context {
    /// From what a tile was dealt.
    pub fn new(tile: TileId, pieces: &[Piece], ground: Ground) -> Self {
        let mut context = Self {
            ground,
            cover: Raster::new(tile),
            canopy: Raster::new(tile),
            parks: Raster::new(tile),
            waters: Raster::new(tile),
            names: Vec::new(),
            streets: Streets::new(ground, Frame::of(tile, MARGIN)),
        };
        let mut areas: Vec<&Patch> = pieces
            .iter()
            .filter_map(|it| {
                if let Piece::Area(it) = it {
                    Some(it)
                } else {
                    None
                }
            })
            .collect();
        // The smallest last: of a garden in a park it is the garden that gives its name.
        areas.sort_by_key(|it| std::cmp::Reverse(it.whole_m2));
        let mut numbers = HashMap::new();
        let (woods, open): (Vec<&Patch>, Vec<&Patch>) = areas
            .iter()
            .copied()
            .filter(|it| it.land.green)
            .partition(|it| it.land.kind == Some(AreaKind::Wood));
        open.iter()
            .for_each(|it| context.cover.fill(&it.rings, GREEN));
        woods
            .iter()
            .for_each(|it| context.cover.fill(&it.rings, GREEN | WOOD));
        for area in &areas {
            if area.land.green
                && let Some(name) = &area.name
            {
                let number = context.number(name, &mut numbers);
                context.parks.fill(&area.rings, number);
            }
            if area.land.kind == Some(AreaKind::Water) && area.whole_m2 >= MIN_WATER_M2 {
                let number = area
                    .name
                    .as_ref()
                    .map_or(UNNAMED, |it| context.number(it, &mut numbers));
                context.waters.fill(&area.rings, number);
            }
        }
        for piece in pieces {
            match piece {
                Piece::Street(it) => {
                    let points: Vec<Point> = it.course.iter().map(|it| it.at).collect();
                    if it.way.kind.is_street() || it.way.kind == WayKind::LivingStreet {
                        context
                            .streets
                            .insert(&points, it.name.as_deref(), it.way.kind.traffic());
                    }
                }
                Piece::Line(it) => match it.kind {
                    None => context.canopy.draw(&it.points, CANOPY),
                    Some(LineKind::River) => {
                        let number = it
                            .name
                            .as_ref()
                            .map_or(UNNAMED, |it| context.number(it, &mut numbers));
                        context.waters.draw(&it.points, number);
                    }
                    // A brook with a name is worth the way along it, a ditch is not.
                    Some(LineKind::Stream) => {
                        if let Some(name) = &it.name {
                            let number = context.number(name, &mut numbers);
                            context.waters.draw(&it.points, number);
                        }
                    }
                    Some(LineKind::Motorway) => context.streets.insert(&it.points, None, 3),
                    Some(LineKind::Road) => {
                        context.streets.insert(&it.points, it.name.as_deref(), 2)
                    }
                    _ => {}
                },
                Piece::Spot(SpotKind::Tree, at, _) => context.canopy.set(*at, CANOPY),
                _ => {}
            }
        }
        context
            .canopy
            .spread(Raster::<u8>::cells(CANOPY_M / ground.east_m));
        context
            .waters
            .spread(Raster::<u16>::cells(WATERSIDE_M / ground.east_m));
        context
    }

    fn number(&mut self, name: &str, numbers: &mut HashMap<String, u16>) -> u16 {
        if let Some(number) = numbers.get(name) {
            return *number;
        }
        if self.names.len() >= usize::from(UNNAMED) - 1 {
            return UNNAMED;
        }
        self.names.push(name.to_owned());
        let number = self.names.len() as u16;
        numbers.insert(name.to_owned(), number);
        number
    }

    fn name(&self, number: u16) -> Option<&String> {
        usize::from(number)
            .checked_sub(1)
            .and_then(|it| self.names.get(it))
    }

    /// Works out the surroundings of an edge with this line; only an edge that is not `named` gets a name from them.
    pub fn around(&self, way: &Way, named: bool, line: &[Point]) -> Around {
        let samples = samples(line, &self.ground);
        let count = samples.len().max(1) as f64;
        let share = |has: &dyn Fn(Point) -> bool| {
            samples.iter().filter(|it| has(it.at)).count() as f64 / count
        };
        let sevenths = |share: f64| (share * 7.0).round() as u8;
        let open_air = !way.tunnel;
        let green = if open_air {
            share(&|at| self.cover.at(at) & GREEN != 0)
        } else {
            0.0
        };
        let shade = if open_air {
            share(&|at| self.cover.at(at) & WOOD != 0 || self.canopy.at(at) != 0)
        } else {
            0.0
        };
        let waterside = open_air && !way.bridge && share(&|at| self.waters.at(at) != 0) > MOST;
        let beside = if is_beside_kind(way.kind) {
            self.streets.beside(&samples)
        } else {
            Default::default()
        };
        let name = (!named)
            .then(|| self.borrowed_name(way.kind, &samples, &beside))
            .flatten();
        Around {
            green: sevenths(green),
            shade: sevenths(shade),
            waterside,
            beside_traffic: beside.traffic,
            name,
        }
    }

    fn borrowed_name(
        &self,
        kind: WayKind,
        samples: &[Sample],
        beside: &Beside,
    ) -> Option<(Naming, String)> {
        if !borrows(kind) {
            return None;
        }
        let most = |raster: &Raster<u16>| {
            let mut counts = BTreeMap::new();
            for sample in samples {
                *counts.entry(raster.at(sample.at)).or_insert(0_usize) += 1;
            }
            let (number, count) = counts
                .into_iter()
                .filter(|(number, _)| *number != 0)
                .max_by_key(|(_, count)| *count)?;
            (count as f64 > MOST * samples.len() as f64)
                .then(|| self.name(number))
                .flatten()
                .cloned()
        };
        let street = || beside.name.clone().map(|it| (Naming::Beside, it));
        let park = || most(&self.parks).map(|it| (Naming::Through, it));
        let water = || most(&self.waters).map(|it| (Naming::Along, it));
        match kind {
            WayKind::Sidewalk => street().or_else(park).or_else(water),
            _ => park().or_else(street).or_else(water),
        }
    }
}

/// Returns true if a way of this kind may be part of a street that it runs beside.
fn is_beside_kind(kind: WayKind) -> bool {
    use WayKind::{Cycleway, Footway, Path, Sidewalk};
    matches!(kind, Sidewalk | Footway | Cycleway | Path)
}

/// Returns true if a way of this kind, where it has no name, is called after its surroundings.
fn borrows(kind: WayKind) -> bool {
    use WayKind::{Bridleway, Pedestrian, Service, Square, Steps, Track};
    is_beside_kind(kind)
        || matches!(
            kind,
            Bridleway | Pedestrian | Service | Square | Steps | Track
        )
}

/// A place on a line and the direction there.
#[derive(Clone, Copy, Debug)]
struct Sample {
    at: Point,
    /// East and north, of length one.
    heading: Coord,
}

/// Places along a line, evenly spaced within each straight piece.
fn samples(line: &[Point], ground: &Ground) -> Vec<Sample> {
    let sample = |a: Point, b: Point, share| {
        let at = Euclidean.point_at_ratio_from_start(&Line::new(coord(a), coord(b)), share);
        let heading = Coord::from(ground.vector_m(a, b)).try_normalize();
        Sample {
            at: point(at.0),
            heading: heading.unwrap_or_default(),
        }
    };
    let mut samples = Vec::new();
    let mut left_m = SAMPLE_M / 2.0;
    for pair in line.windows(2) {
        let &[a, b] = pair else { continue };
        let length_m = ground.length_m(a, b);
        while left_m <= length_m {
            samples.push(sample(a, b, left_m / length_m));
            left_m += SAMPLE_M;
        }
        left_m -= length_m;
    }
    if samples.is_empty()
        && let (Some(a), Some(b)) = (line.first(), line.last())
    {
        samples.push(sample(*a, *b, 0.5));
    }
    samples
}

/// The street that a way runs beside: its traffic and its name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Beside {
    traffic: u8,
    name: Option<String>,
}

/// Streets, by the squares of a grid that they may be beside.
struct Streets {
    ground: Ground,
    /// The rectangle in which streets are looked up; a street may lead far beyond it.
    frame: Frame,
    /// A square's side in steps.
    side: u32,
    squares: HashMap<(u32, u32), Vec<u32>>,
    parts: Vec<StreetPart>,
    names: Vec<String>,
}

struct StreetPart {
    /// In meters east and north of the frame's first corner.
    line: Line,
    name: Option<u32>,
    traffic: u8,
}

impl Streets {
    fn new(ground: Ground, frame: Frame) -> Self {
        let side = (BESIDE_M / ground.east_m.min(ground.south_m))
            .ceil()
            .max(1.0) as u32;
        Self {
            ground,
            frame,
            side,
            squares: HashMap::new(),
            parts: Vec::new(),
            names: Vec::new(),
        }
    }

    fn insert(&mut self, line: &[Point], name: Option<&str>, traffic: u8) {
        let name = name.map(|name| {
            if self.names.last().is_none_or(|it| it != name) {
                self.names.push(name.to_owned());
            }
            self.names.len() as u32 - 1
        });
        for pair in line.windows(2) {
            let &[a, b] = pair else { continue };
            let around = Frame::around([a, b]).and_then(|it| it.common(&self.frame));
            let Some(Frame { from, to }) = around else {
                continue;
            };
            let index = self.parts.len() as u32;
            self.parts.push(StreetPart {
                line: Line::new(self.meters(a), self.meters(b)),
                name,
                traffic,
            });
            // Squares are as wide as the reach, so that those around each point of the street are enough.
            let range =
                |from: u32, to: u32| (from / self.side).saturating_sub(1)..=to / self.side + 1;
            for x in range(from.x, to.x) {
                for y in range(from.y, to.y) {
                    self.squares.entry((x, y)).or_default().push(index);
                }
            }
        }
    }

    fn meters(&self, at: Point) -> Coord {
        self.ground.vector_m(self.frame.from, at).into()
    }

    fn beside(&self, samples: &[Sample]) -> Beside {
        let mut names = BTreeMap::<&str, usize>::new();
        let mut busy = [0_usize; 4];
        for sample in samples {
            let square = (sample.at.x / self.side, sample.at.y / self.side);
            let at = self.meters(sample.at);
            let mut nearest: Option<(f64, &str)> = None;
            let mut traffic = 0;
            for part in self
                .squares
                .get(&square)
                .into_iter()
                .flatten()
                .filter_map(|it| self.parts.get(*it as usize))
            {
                let course = part.line.delta();
                let cosine = course.dot_product(sample.heading) / course.magnitude().max(1e-9);
                if cosine.abs() < PARALLEL {
                    continue;
                }
                let distance_m = Euclidean.distance(at, &part.line);
                if distance_m > BESIDE_M {
                    continue;
                }
                traffic = traffic.max(part.traffic);
                if let Some(name) = part.name.and_then(|it| self.names.get(it as usize))
                    && nearest.is_none_or(|(it, _)| distance_m < it)
                {
                    nearest = Some((distance_m, name));
                }
            }
            if let Some((_, name)) = nearest {
                *names.entry(name).or_default() += 1;
            }
            for count in busy.iter_mut().take(usize::from(traffic) + 1) {
                *count += 1;
            }
        }
        let enough = |count: usize| count as f64 > MOST * samples.len() as f64;
        let traffic = (1..=3_u8)
            .rev()
            .find(|it| busy.get(usize::from(*it)).is_some_and(|it| enough(*it)));
        let name = names
            .into_iter()
            .max_by_key(|(_, count)| *count)
            .filter(|(_, count)| enough(*count));
        Beside {
            traffic: traffic.unwrap_or(0),
            name: name.map(|(name, _)| name.to_owned()),
        }
    }
}
