//! Owns a plain view of tiles as a network, apart from the product's own, by which the product is judged: places, what joins
//! them, shortest ways, and what is asked from where.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use serde_json::json;
use walkies_core::map::{Ground, Point, Tile};
use walkies_core::route::RouteRequest;

/// Distance inside an extract, in meters, from which on no walk misses what was cut off; of a small one a fifth of its
/// width is enough.
const INSIDE_M: f64 = 500.0;

/// Ways of several tiles, joined at their places.
#[derive(Debug)]
pub struct Network {
    /// Places where ways meet or end, sorted.
    pub nodes: Vec<Point>,
    /// For each node the others that are one edge away, and how far along it, in millimeters.
    pub exits: Vec<Vec<(usize, u64)>>,
}

impl Network {
    /// Builds the network of all that can be walked on these tiles.
    pub fn of(tiles: &[Tile]) -> Self {
        let mut exits: BTreeMap<Point, Vec<(Point, u64)>> = BTreeMap::new();
        for line in lines(tiles) {
            if let (Some(from), Some(to)) = (line.first(), line.last()) {
                let length_mm = (length_m(&line) * 1e3).round() as u64;
                exits.entry(*from).or_default().push((*to, length_mm));
                exits.entry(*to).or_default().push((*from, length_mm));
            }
        }
        let nodes: Vec<Point> = exits.keys().copied().collect();
        let place = |at: &Point| nodes.binary_search(at).expect("every end is a node");
        let exits = exits
            .values()
            .map(|it| it.iter().map(|(to, mm)| (place(to), *mm)).collect())
            .collect();
        Self { nodes, exits }
    }

    /// Meters of the shortest way between two nodes, given by their indices; `None` where there is none.
    pub fn shortest_m(&self, from: usize, to: usize) -> Option<f64> {
        let mut known = vec![u64::MAX; self.nodes.len()];
        let mut queue = BinaryHeap::from([(Reverse(0), from)]);
        known[from] = 0;
        while let Some((Reverse(gone), node)) = queue.pop() {
            if node == to {
                return Some(gone as f64 / 1e3);
            }
            for (next, length) in &self.exits[node] {
                let there = gone + length;
                if known[node] == gone && there < known[*next] {
                    known[*next] = there;
                    queue.push((Reverse(there), *next));
                }
            }
        }
        None
    }

    /// So many nodes well inside the network, by chance and the same in every run.
    pub fn starts(&self, n: usize) -> Vec<Point> {
        let sorted = |of: fn(&Point) -> u32| {
            let mut all: Vec<u32> = self.nodes.iter().map(of).collect();
            all.sort_unstable();
            all
        };
        let ground = Ground::at(self.nodes[0]);
        let columns = inside(&sorted(|it| it.x), ground.east_m);
        let rows = inside(&sorted(|it| it.y), ground.south_m);
        let inside: Vec<Point> = self
            .nodes
            .iter()
            .copied()
            .filter(|it| columns.contains(&it.x) && rows.contains(&it.y))
            .collect();
        let mut chance = Chance(1);
        (0..n).map(|_| inside[chance.below(inside.len())]).collect()
    }
}

/// Every edge as its line on the map.
pub fn lines(tiles: &[Tile]) -> impl Iterator<Item = Vec<Point>> {
    tiles.iter().flat_map(|tile| {
        let at = |node: u32| tile.network.nodes[node as usize].at;
        tile.network.edges.iter().map(move |edge| {
            let via = edge.via.iter().copied();
            std::iter::once(at(edge.from))
                .chain(via)
                .chain([at(edge.to)])
                .collect()
        })
    })
}

/// Meters along a line.
pub fn length_m(line: &[Point]) -> f64 {
    line.windows(2).map(|it| it[0].distance_m(it[1])).sum()
}

/// So far off the street, in meters, a door stands in a yard or at the end of a drive.
const OFF_STREET_M: f64 = 30.0;
/// Steps of the grid, by which they are measured in meters.
const FAR: u32 = 100_000;
/// To the east and to the south.
const YARDS: [(f64, f64); 4] = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];

/// Doors off a street, on all sides of a place in it.
pub fn off_street(street: Point) -> [Point; 4] {
    let far = Point {
        x: street.x + FAR,
        ..street
    };
    let steps = OFF_STREET_M * f64::from(FAR) / street.distance_m(far);
    YARDS.map(|(east, south)| Point {
        x: (f64::from(street.x) + east * steps) as u32,
        y: (f64::from(street.y) + south * steps) as u32,
    })
}

/// Numbers that look random and are the same in every run.
#[derive(Debug)]
pub struct Chance(pub u64);

impl Chance {
    /// The next one, below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Without the few ways that stick far out of an extract, and without its margin.
fn inside(sorted: &[u32], step_m: f64) -> std::ops::Range<u32> {
    let at = |share: f64| sorted[(sorted.len() as f64 * share) as usize];
    let (from, to) = (at(0.005), at(0.995));
    let margin = ((INSIDE_M / step_m) as u32).min((to - from) / 5);
    from + margin..to - margin
}

/// A usual walk with one dog: away from traffic and through parks.
pub fn usual_walk(start: Point, minutes: u32) -> RouteRequest {
    let request = json!({
        "duration": minutes,
        "startLocation": start.place(),
        "pace": "normal",
        "preferences": {
            "avoidHighways": true,
            "preferParks": true,
            "includeWaterStops": false,
            "shadedPaths": false,
            "hilliness": "any",
        },
        "dogCount": 1,
        "dogSizes": ["medium"],
        "seed": 0,
    });
    serde_json::from_value(request).expect("a request")
}
