//! Owns one tile: from the pieces that it was dealt to what the phone gets.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use geo::{Densify, Euclidean};
use walkies_core::map::{
    Crossing, Drawing, Edge, Ground, Label, Network, Node, Point, Spot, TILE_BITS, Tile, TileId,
    WayKind,
};

use super::address::addresses;
use super::context::Context;
use super::country::Countries;
use super::deck::Deck;
use super::drawing::picture;
use super::elevation::Elevation;
use super::network::{Stretch, mesh};
use super::piece::Piece;
use super::shape::{in_steps, point};

/// Heights along an edge are asked for every so many meters: about an arc second.
const HEIGHT_SAMPLE_M: f64 = 30.0;

/// Changes of the height below this many meters are noise (SRTM's relative error is some 5 m).
const NOISE_M: f64 = 6.0;

/// Builds a tile; `None` where there is nothing in it.
pub fn build(
    id: TileId,
    pieces: &[Piece],
    countries: &Countries,
    mut elevation: Option<&mut Elevation>,
) -> Option<Tile> {
    let corner = id.corner();
    let half = 1 << (TILE_BITS - 1);
    let middle = Point {
        x: corner.x + half,
        y: corner.y + half,
    };
    let ground = Ground::at(middle);
    let streets: Vec<_> = pieces
        .iter()
        .filter_map(|it| {
            if let Piece::Street(it) = it {
                Some(it)
            } else {
                None
            }
        })
        .collect();
    let mesh = mesh(id, &streets, &ground);
    let picture = picture(id, pieces, &ground);
    let addresses = addresses(id, pieces, &ground, countries.address_order(middle));
    let context = Context::new(id, pieces, ground);

    let edges: Vec<Drafted> = mesh
        .stretches
        .into_iter()
        .map(|it| {
            let around = context.around(&it.way, it.name.is_some(), &it.line);
            let hump_m = elevation
                .as_deref_mut()
                .map_or(0, |elevation| hump_m(&it, &ground, elevation));
            Drafted {
                stretch: it,
                around,
                hump_m,
            }
        })
        .collect();
    let mut names = Names::default();
    for it in &edges {
        names.count(it.name());
    }
    picture
        .spots
        .iter()
        .for_each(|(_, _, name)| names.count(name.as_deref()));
    picture
        .labels
        .iter()
        .for_each(|(_, _, name)| names.count(Some(name)));
    addresses.names().for_each(|it| names.count(Some(it)));
    let (names, name_of) = names.finish();
    let name_of = |name: Option<&str>| name.and_then(|it| name_of.get(it).copied());
    let vertices = streets.iter().flat_map(|it| &it.course);
    let decks = vertices.filter_map(|it| Some((it.at, it.deck?))).collect();
    let marks = PointMarks {
        crossings: mesh.crossings,
        decks,
    };
    let mut network = network(&edges, &marks, elevation, name_of);
    network.sort();
    let spots = picture.spots.iter().map(|(kind, at, name)| Spot {
        kind: *kind,
        at: *at,
        name: name_of(name.as_deref()),
    });
    let labels = picture.labels.iter().filter_map(|(kind, at, name)| {
        Some(Label {
            kind: *kind,
            at: *at,
            name: name_of(Some(name))?,
        })
    });
    let tile = Tile {
        id,
        names,
        network,
        spots: spots.collect(),
        drawing: Drawing {
            areas: picture.areas,
            lines: picture.lines,
            labels: labels.collect(),
        },
        addresses: None,
    };
    if tile == Tile::empty(id) && addresses.is_empty() {
        return None;
    }
    let addresses = addresses.finish(|it| name_of(Some(it)));
    Some(Tile {
        addresses: Some(addresses),
        ..tile
    })
}

/// An edge with what is around it.
struct Drafted {
    stretch: Stretch,
    around: super::context::Around,
    hump_m: u16,
}

impl Drafted {
    fn name(&self) -> Option<&str> {
        self.stretch
            .name
            .as_deref()
            .or(self.around.name.as_ref().map(|(_, name)| name.as_str()))
    }
}

/// The names of a tile, the most frequent first: their indexes take the fewest bytes.
#[derive(Default)]
struct Names<'a>(BTreeMap<&'a str, usize>);

impl<'a> Names<'a> {
    fn count(&mut self, name: Option<&'a str>) {
        if let Some(name) = name {
            *self.0.entry(name).or_default() += 1;
        }
    }

    fn finish(self) -> (Vec<String>, HashMap<String, u32>) {
        let mut names: Vec<_> = self.0.into_iter().collect();
        names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let names: Vec<String> = names.into_iter().map(|(name, _)| name.to_owned()).collect();
        let name_of = names.iter().cloned().zip(0..).collect();
        (names, name_of)
    }
}

/// Crossings and decks at the points of a tile.
struct PointMarks {
    crossings: HashMap<Point, Crossing>,
    /// The decks of points that do not lie on the ground.
    decks: HashMap<Point, Deck>,
}

impl PointMarks {
    /// Meters above the sea.
    fn height_m(&self, at: Point, elevation: &mut Elevation) -> Option<i16> {
        let height_m = match self.decks.get(&at) {
            Some(deck) => deck.height_m(|it| elevation.height_m(it)),
            None => elevation.height_m(at),
        };
        height_m.map(|it| it.round() as i16)
    }
}

fn network(
    edges: &[Drafted],
    marks: &PointMarks,
    mut elevation: Option<&mut Elevation>,
    name_of: impl Fn(Option<&str>) -> Option<u32>,
) -> Network {
    let ends = edges
        .iter()
        .flat_map(|it| [it.stretch.line.first(), it.stretch.line.last()])
        .flatten();
    let places: BTreeSet<Point> = ends.copied().collect();
    let index_of: HashMap<Point, u32> = places.iter().copied().zip(0..).collect();
    let nodes = places.iter().map(|at| Node {
        at: *at,
        height_m: elevation
            .as_deref_mut()
            .and_then(|it| marks.height_m(*at, it)),
        crossing: marks.crossings.get(at).copied().unwrap_or(Crossing::None),
    });
    let nodes = nodes.collect();
    let edges = edges.iter().filter_map(|it| {
        let [from, via @ .., to] = it.stretch.line.as_slice() else {
            return None;
        };
        let mut way = it.stretch.way;
        way.beside_traffic = it.around.beside_traffic;
        if let Some((naming, _)) = &it.around.name {
            way.naming = *naming;
        }
        Some(Edge {
            from: *index_of.get(from)?,
            to: *index_of.get(to)?,
            way,
            name: name_of(it.name()),
            via: via.to_vec(),
            green: it.around.green,
            shade: it.around.shade,
            waterside: it.around.waterside,
            hump_m: it.hump_m,
        })
    });
    Network {
        nodes,
        edges: edges.collect(),
    }
}

/// Meters that an edge goes up and down again beyond the difference between its ends.
/// What does not lie on the ground has none: a bridge does not follow the valley, nor do steps the slope beside them.
fn hump_m(stretch: &Stretch, ground: &Ground, elevation: &mut Elevation) -> u16 {
    if stretch.way.bridge || stretch.way.tunnel || stretch.way.kind == WayKind::Steps {
        return 0;
    }
    let line = in_steps(&stretch.line);
    let places = Euclidean.densify(&line, HEIGHT_SAMPLE_M / ground.east_m);
    let heights = places.coords().copied().map(point);
    let heights: Vec<f64> = heights.filter_map(|it| elevation.height_m(it)).collect();
    hump_of(&heights).round().clamp(0.0, f64::from(u16::MAX)) as u16
}

/// The same of a row of heights: turns are counted where they are more than noise.
fn hump_of(heights: &[f64]) -> f64 {
    let (Some(first), Some(last)) = (heights.first(), heights.last()) else {
        return 0.0;
    };
    let (mut turn, mut extreme, mut up, mut total) = (*first, *first, None, 0.0);
    for height in heights {
        let further = match up {
            Some(true) => *height > extreme,
            Some(false) => *height < extreme,
            None => (height - turn).abs() > (extreme - turn).abs(),
        };
        if further {
            extreme = *height;
            if up.is_none() && (extreme - turn).abs() > NOISE_M {
                up = Some(extreme > turn);
            }
        } else if up.is_some() && (height - extreme).abs() > NOISE_M {
            total += (extreme - turn).abs();
            turn = extreme;
            extreme = *height;
            up = up.map(|it| !it);
        }
    }
    total += (last - turn).abs();
    ((total - (last - first).abs()) / 2.0).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hump_is_what_goes_up_and_down_again() {
        for (heights, expected) in [
            (vec![], 0.0),
            (vec![5.0], 0.0),
            (vec![0.0, 10.0, 20.0], 0.0),
            (vec![0.0, 20.0, 0.0], 20.0),
            (vec![0.0, 20.0, 10.0], 10.0),
            (vec![20.0, 0.0, 20.0, 0.0], 20.0),
            (vec![0.0, 3.0, 0.0, 4.0, 1.0], 0.0),
            (vec![0.0, 10.0, 7.0, 20.0], 0.0),
        ] {
            assert_eq!(hump_of(&heights), expected, "{heights:?}");
        }
    }
}
