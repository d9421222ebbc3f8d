//! Owns what becomes of ways and areas once they know where they are: streets, areas, lines, names, single things.

use std::path::Path;

use walkies_core::map::{AreaKind, Crossing, Ground, Point, Way};

use super::address;
use super::country::Countries;
use super::deal::{Dealer, Hands};
use super::features::{self, Land};
use super::frame::Frame;
use super::ground_graph;
use super::locate::{Course, Vertex};
use super::osm::Tags;
use super::outcome::{ImportError, Phase, Progress, Warnings};
use super::piece::{Patch, Strand, Street};
use super::reading::{Reading, WantedWay};
use super::record::{Reader, put_points};
use super::rules;
use super::sea::Coast;
use super::shape::{area_m2, middle, rings, simplified, simplified_ring};
use super::spool::Sorter;
use super::tunnel::{self, CarTunnel};

/// How far an area's drawn border may be from the surveyed one.
const AREA_TOLERANCE_M: f64 = 2.0;

/// A house is looked at more closely.
const BUILDING_TOLERANCE_M: f64 = 1.0;

const LINE_TOLERANCE_M: f64 = 2.0;

/// Areas below this size do not put their names on the map; their names are still those of the ways through them.
const MIN_LABEL_M2: f64 = 2_000.0;

/// Deals all ways and areas out to their tiles; `with_decks` if it matters what lies on the ground and what does not.
pub fn survey(
    reading: Reading,
    folder: &Path,
    with_decks: bool,
    warnings: &mut Warnings,
    progress: &mut dyn FnMut(Progress),
) -> Result<Hands, ImportError> {
    progress(Progress {
        phase: Phase::Locating,
        share: 0.0,
    });
    let mut located = reading.places.locate(folder)?;
    let mut borders = Sorter::new(folder);
    let mut surveyor = Surveyor {
        dealer: reading.dealer,
        countries: Countries::load()?,
        coast: Coast::new(folder),
        decks: with_decks.then(Vec::new),
        tunnels: Vec::new(),
        warnings,
    };
    let mut ways = reading.ways.finish()?;
    let mut record = Vec::new();
    while let Some(number) = ways.next(&mut record)? {
        if number % 4096 == 0 {
            progress(Progress {
                phase: Phase::Dealing,
                share: number as f64 / f64::from(reading.n_ways),
            });
        }
        let way = WantedWay::read(&record)?;
        let course = located.course(number as u32, way.n_points, way.walked)?;
        surveyor.way(&way, course, &mut borders)?;
    }
    surveyor.large_areas(reading.areas, borders)?;
    surveyor.finish(reading.covered)
}

struct Surveyor<'a> {
    dealer: Dealer,
    countries: Countries,
    coast: Coast,
    /// Streets on bridges and in tunnels, where they matter.
    decks: Option<Vec<Street>>,
    /// Those that are long are only drawn, and how long they are is known with the last of them.
    tunnels: Vec<CarTunnel>,
    warnings: &'a mut Warnings,
}

impl Surveyor<'_> {
    /// Deals a way; what is part of an area's border goes to `borders`, by area.
    fn way(
        &mut self,
        way: &WantedWay,
        course: Course,
        borders: &mut Sorter,
    ) -> Result<(), ImportError> {
        let tags = &way.tags;
        self.warnings.ways_cut += u64::from(course.missing > 0);
        let Some(first) = course
            .pieces
            .first()
            .and_then(|it| it.first())
            .map(|it| it.at)
        else {
            return Ok(());
        };
        let mut record = Vec::new();
        for area in &way.areas {
            for piece in &course.pieces {
                record.clear();
                put_points(&points(piece), &mut record);
                record.extend(piece.iter().map(|it| it.crossing as u8));
                borders.push(u64::from(*area), &record)?;
            }
        }
        let is_whole = course.missing == 0 && course.pieces.len() == 1;
        self.addresses(tags, &course, way.is_ring && is_whole)?;
        if way.is_ring
            && !tags.is("area", "no")
            && let Some(land) = features::land(tags)
        {
            match course.pieces.as_slice() {
                [ring] if is_whole => {
                    let mut ring = points(ring);
                    ring.pop();
                    self.area(land, tags, &[ring])?;
                }
                _ => self.warnings.areas_open += 1,
            }
        } else if let Some((kind, vertex)) = features::spot(tags).zip(middle_vertex(&course)) {
            self.dealer.spot(kind, vertex.at, tags.name())?;
        }
        let ground = Ground::at(first);
        if features::is_coast(tags) {
            for piece in &course.pieces {
                let points = simplified(&points(piece), &ground, AREA_TOLERANCE_M);
                self.coast.line(&points)?;
            }
        }
        let look = way
            .walked
            .then(|| rules::walkable(tags, self.countries.customs(first)))
            .flatten();
        match look {
            Some(way) if rules::is_for_cars_if_long(tags, &way) => {
                self.tunnels.push(CarTunnel::new(tags, way, course));
                Ok(())
            }
            _ => self.path(tags, look, course),
        }
    }

    /// Deals what a way says of houses; a ring's is in its middle.
    fn addresses(&mut self, tags: &Tags, course: &Course, is_ring: bool) -> std::io::Result<()> {
        if let Some((step, whereabouts)) = address::row(tags) {
            for piece in &course.pieces {
                let line = points(piece);
                self.dealer.house_row(step, &whereabouts, &line)?;
            }
        }
        let Some((numbers, whereabouts)) = address::house(tags) else {
            return Ok(());
        };
        let ring = course.pieces.first().filter(|_| is_ring);
        let inside = ring.and_then(|it| middle(&[points(it)]));
        let at = inside.or_else(|| middle_vertex(course).map(|it| it.at));
        match at {
            Some(at) => self.dealer.house(numbers, whereabouts, at),
            None => Ok(()),
        }
    }

    /// Deals what leads somewhere, whether it is walked on or not.
    fn path(&mut self, tags: &Tags, look: Option<Way>, course: Course) -> Result<(), ImportError> {
        let kind = features::line(tags, look.is_some());
        if kind.is_some() || features::is_tree_row(tags) {
            for piece in course.pieces.iter().map(|it| points(it)) {
                let Some(first) = piece.first() else { continue };
                let points = simplified(&piece, &Ground::at(*first), LINE_TOLERANCE_M);
                self.dealer.line(&Strand {
                    kind,
                    name: tags.name(),
                    points,
                })?;
            }
        }
        if let Some(way) = look {
            for course in course.pieces {
                let street = Street {
                    way,
                    name: rules::name(tags, &way),
                    course,
                };
                match &mut self.decks {
                    Some(decks) if way.bridge || way.tunnel => decks.push(street),
                    _ => self.dealer.street(&street)?,
                }
            }
        }
        Ok(())
    }

    /// Deals an area that is known whole; its rings without the first point again at the end.
    fn area(&mut self, land: Land, tags: &Tags, rings: &[Vec<Point>]) -> Result<(), ImportError> {
        let Some(first) = rings.first().and_then(|it| it.first()) else {
            return Ok(());
        };
        let ground = Ground::at(*first);
        let tolerance_m = if land.kind == Some(AreaKind::Building) {
            BUILDING_TOLERANCE_M
        } else {
            AREA_TOLERANCE_M
        };
        let rings: Vec<_> = rings
            .iter()
            .map(|it| simplified_ring(it, &ground, tolerance_m))
            .filter(|it| !it.is_empty())
            .collect();
        let sizes_m2 = rings.iter().map(|it| area_m2(it, &ground));
        // Holes count as well: it is the size on the map that matters.
        let whole_m2 = sizes_m2.fold(0.0, f64::max);
        if let Some(kind) = features::spot(tags)
            && let Some(middle) = middle(&rings)
        {
            self.dealer.spot(kind, middle, tags.name())?;
        }
        if let Some((kind, name)) = features::area_label(land).zip(tags.name())
            && whole_m2 >= MIN_LABEL_M2
            && let Some(middle) = middle(&rings)
        {
            self.dealer.label(kind, middle, &name)?;
        }
        Ok(self.dealer.area(&Patch {
            land,
            name: tags.name(),
            whole_m2: whole_m2 as u64,
            rings,
        })?)
    }

    /// Puts together the areas that are made of several ways.
    fn large_areas(&mut self, areas: Sorter, borders: Sorter) -> Result<(), ImportError> {
        let mut areas = areas.finish()?;
        let mut borders = borders.finish()?;
        let (mut tags, mut border) = (Vec::new(), Vec::new());
        while let Some(number) = areas.next(&mut tags)? {
            let tags = Tags::read(&mut Reader(&tags))?;
            // The others of several ways that gave their tags.
            while areas.next_key() == Some(number) {
                areas.next(&mut border)?;
            }
            // Those of areas that no way gave any.
            while borders.next_key().is_some_and(|it| it < number) {
                borders.next(&mut border)?;
            }
            let mut lines = Vec::new();
            let mut crossings = std::collections::HashMap::new();
            while borders.next_key() == Some(number) {
                borders.next(&mut border)?;
                let mut reader = Reader(&border);
                let points = reader.points()?;
                let codes = reader
                    .take(points.len())?
                    .iter()
                    .map(|it| Crossing::of(*it).unwrap_or(Crossing::None));
                crossings.extend(
                    points
                        .iter()
                        .copied()
                        .zip(codes)
                        .filter(|(_, it)| *it != Crossing::None),
                );
                lines.push(points);
            }
            let (rings, left_over) = rings(lines);
            self.warnings.areas_open += u64::from(left_over);
            let Some((land, first)) =
                features::land(&tags).zip(rings.iter().flatten().next().copied())
            else {
                continue;
            };
            if let Some((numbers, whereabouts)) = address::house(&tags)
                && let Some(at) = middle(&rings)
            {
                self.dealer.house(numbers, whereabouts, at)?;
            }
            self.area(land, &tags, &rings)?;
            if let Some(way) = rules::walkable(&tags, self.countries.customs(first)) {
                for ring in rings {
                    let closed = ring.iter().chain(ring.first());
                    let course = closed.map(|at| Vertex {
                        at: *at,
                        crossing: crossings.get(at).copied().unwrap_or(Crossing::None),
                        deck: None,
                    });
                    self.dealer.street(&Street {
                        way,
                        name: tags.name(),
                        course: course.collect(),
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Deals what could not be dealt before all was known, and gives back what all tiles were dealt.
    fn finish(mut self, covered: Option<Frame>) -> Result<Hands, ImportError> {
        let tunnels = std::mem::take(&mut self.tunnels);
        let are_long = tunnel::are_long(&tunnels);
        for (tunnel, is_long) in tunnels.into_iter().zip(are_long) {
            let look = (!is_long).then_some(tunnel.way);
            self.path(&Tags::read(&mut Reader(&tunnel.tags))?, look, tunnel.course)?;
        }
        let mut decks = self.decks.unwrap_or_default();
        ground_graph::lay(&mut decks);
        for street in decks {
            self.dealer.street(&street)?;
        }
        self.coast.flood(covered, &mut self.dealer)?;
        Ok(self.dealer.finish()?)
    }
}

fn points(course: &[Vertex]) -> Vec<Point> {
    course.iter().map(|it| it.at).collect()
}

fn middle_vertex(course: &Course) -> Option<Vertex> {
    let piece = course.pieces.first()?;
    piece.get(piece.len() / 2).copied()
}
