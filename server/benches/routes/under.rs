//! Owns what lies under a walk, by the tiles alone and by nothing that the router says of it: green, car tunnels, fast roads.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use walkies_core::map::{Point, Sidewalk, Tile, Way, WayKind};

/// The edge's green is in sevenths.
const SEVENTHS: f64 = 7.0;

/// Every straight piece of the ways of an area, by its ends.
pub struct Under {
    pieces: BTreeMap<(Point, Point), (Way, f64)>,
}

/// The ground of one walk.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Ground {
    /// The share of its length in parks and woods.
    pub green: f64,
    /// The longest way through a tunnel with cars in it, in meters.
    pub tunnel_m: f64,
    /// The longest way along a road with fast cars and without a known sidewalk, in meters.
    pub fast_m: f64,
}

impl Under {
    pub fn of(tiles: &[Tile]) -> Self {
        let mut pieces = BTreeMap::new();
        for tile in tiles {
            let at = |node: u32| tile.network.nodes[node as usize].at;
            for edge in &tile.network.edges {
                let mut last = at(edge.from);
                for next in edge.via.iter().copied().chain([at(edge.to)]) {
                    let what = (edge.way, f64::from(edge.green) / SEVENTHS);
                    pieces.insert((last.min(next), last.max(next)), what);
                    last = next;
                }
            }
        }
        Self { pieces }
    }

    /// Under this walk; the pieces that it walks in part, at its ends, are left out.
    pub fn walk(&self, line: &[Point]) -> Ground {
        let mut ground = Ground::default();
        let (mut length_m, mut tunnel_m, mut fast_m) = (0.0, 0.0, 0.0);
        for pair in line.windows(2) {
            let piece_m = pair[0].distance_m(pair[1]);
            length_m += piece_m;
            let ends = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            let Some((way, green)) = self.pieces.get(&ends) else {
                continue;
            };
            ground.green += piece_m * green;
            let run = |is: bool, run_m: &mut f64, longest_m: &mut f64| {
                *run_m = if is { *run_m + piece_m } else { 0.0 };
                *longest_m = longest_m.max(*run_m);
            };
            run(is_car_tunnel(way), &mut tunnel_m, &mut ground.tunnel_m);
            let is_fast = way.fast && !has_sidewalk(way);
            run(is_fast, &mut fast_m, &mut ground.fast_m);
        }
        ground.green /= f64::max(length_m, 1.0);
        ground
    }
}

fn has_sidewalk(way: &Way) -> bool {
    matches!(way.sidewalk, Sidewalk::Yes | Sidewalk::Separate)
}

fn is_car_tunnel(way: &Way) -> bool {
    let has_cars = way.kind.is_street() || matches!(way.kind, WayKind::Service | WayKind::Driveway);
    way.tunnel && has_cars && way.sidewalk != Sidewalk::Yes
}
