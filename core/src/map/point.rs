//! Owns the map's coordinates: whole steps of Web Mercator, in which tiles are cut, stored and drawn.
//! The same numbers on every machine: no transcendental function of the platform is used, they differ in the last bit.

use libm::{atan, log, sinh, tan};
use serde::{Deserialize, Serialize};

use crate::values::place::Place;
use crate::values::plane::Scale;

/// Tiles are those of zoom 13 of the usual scheme: 2.4 km wide in Helsinki, 3.2 km in Heidelberg.
pub const TILE_ZOOM: u32 = 13;

/// Steps of a tile's side, as a power of two: a step is 0.3 m in Helsinki and 0.6 m at the equator.
pub const TILE_BITS: u32 = 13;

const WORLD_BITS: u32 = TILE_ZOOM + TILE_BITS;
const WORLD: f64 = (1_u32 << WORLD_BITS) as f64;
const E7: f64 = 1e7;
const PI: f64 = std::f64::consts::PI;

/// A point on the map: steps from the world's north-west corner, east and south, each below 2^26.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Point {
    /// Steps to the east of 180 degrees west.
    pub x: u32,
    /// Steps to the south of 85.05 degrees north.
    pub y: u32,
}

impl Point {
    /// The nearest point; what lies beyond 85 degrees north or south is moved to there.
    pub fn at(place: Place) -> Self {
        let lat = place.lat().clamp(-85.0, 85.0) * PI / 180.0;
        let north = log(tan(PI / 4.0 + lat / 2.0)) / PI;
        Self {
            x: step((place.lon() / 360.0 + 0.5) * WORLD),
            y: step((0.5 - north / 2.0) * WORLD),
        }
    }

    /// Converts the point to its place on earth.
    pub fn place(self) -> Place {
        let lat = self.latitude() * E7;
        let lon = (f64::from(self.x) / WORLD - 0.5) * 360.0 * E7;
        Place {
            lat_e7: lat.round() as i32,
            lon_e7: lon.round() as i32,
        }
    }

    /// The tile in which it lies.
    pub fn tile(self) -> TileId {
        TileId {
            x: self.x >> TILE_BITS,
            y: self.y >> TILE_BITS,
        }
    }

    /// Meters between two points that are not far apart, straight.
    pub fn distance_m(self, other: Self) -> f64 {
        let middle = u32::midpoint(self.y, other.y);
        Ground::at(Self { y: middle, ..self }).length_m(self, other)
    }

    fn latitude(self) -> f64 {
        atan(sinh(PI * (1.0 - 2.0 * f64::from(self.y) / WORLD))) * 180.0 / PI
    }
}

/// A fraction of the world in whole steps.
fn step(steps: f64) -> u32 {
    steps.round().clamp(0.0, WORLD - 1.0) as u32
}

/// How long the map's steps are around a place; good for some ten kilometers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Meters in a step east.
    pub east_m: f64,
    /// Meters in a step south.
    pub south_m: f64,
}

impl Ground {
    /// At this point, on the WGS 84 ellipsoid.
    pub fn at(point: Point) -> Self {
        let lat = point.latitude();
        let (lat_m, lon_m) = Scale::at(lat * E7).meters();
        let degrees = 360.0 / WORLD * E7;
        // A step south is as many degrees as one east, times the cosine of the latitude.
        let cos = 1.0 / (1.0 + tan(lat * PI / 180.0).powi(2)).sqrt();
        Self {
            east_m: lon_m * degrees,
            south_m: lat_m * degrees * cos,
        }
    }

    /// East and north in meters.
    pub fn vector_m(&self, from: Point, to: Point) -> (f64, f64) {
        (
            (f64::from(to.x) - f64::from(from.x)) * self.east_m,
            (f64::from(from.y) - f64::from(to.y)) * self.south_m,
        )
    }

    /// Meters between two points, straight.
    pub fn length_m(&self, from: Point, to: Point) -> f64 {
        let (x, y) = self.vector_m(from, to);
        (x * x + y * y).sqrt()
    }
}

/// One tile of the map: columns from the west, rows from the north, each below 2^13.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct TileId {
    /// Column, from 0 in the west.
    pub x: u32,
    /// Row, from 0 in the north.
    pub y: u32,
}

impl TileId {
    /// Its north-west corner.
    pub fn corner(self) -> Point {
        Point {
            x: self.x << TILE_BITS,
            y: self.y << TILE_BITS,
        }
    }

    /// The point in its middle.
    pub(crate) fn middle(self) -> Point {
        let corner = self.corner();
        let half = 1 << (TILE_BITS - 1);
        Point {
            x: corner.x + half,
            y: corner.y + half,
        }
    }

    /// The tiles that a square around a point touches, row by row; at most `reach_m` meters to each side.
    pub fn around(middle: Point, reach_m: f64) -> Vec<Self> {
        let ground = Ground::at(middle);
        let reach = (
            (reach_m / ground.east_m) as u32,
            (reach_m / ground.south_m) as u32,
        );
        let last = (1 << WORLD_BITS) - 1;
        let from = Point {
            x: middle.x.saturating_sub(reach.0),
            y: middle.y.saturating_sub(reach.1),
        };
        let to = Point {
            x: (middle.x + reach.0).min(last),
            y: (middle.y + reach.1).min(last),
        };
        let (from, to) = (from.tile(), to.tile());
        (from.y..=to.y)
            .flat_map(|y| (from.x..=to.x).map(move |x| Self { x, y }))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::plane::distance_m;

    fn place(lat: f64, lon: f64) -> Place {
        Place::from_degrees(lat, lon).unwrap()
    }

    #[test]
    fn a_place_lies_in_the_tile_that_the_usual_scheme_gives() {
        // By the formula of the OpenStreetMap wiki's page 'Slippy map tilenames'.
        for (lat, lon, x, y) in [
            (60.1699, 24.9384, 4663, 2371),
            (49.4094, 8.6947, 4293, 2799),
            (-33.8688, 151.2093, 7536, 4915),
        ] {
            assert_eq!(Point::at(place(lat, lon)).tile(), TileId { x, y });
        }
    }

    #[test]
    fn a_place_comes_back_within_a_step() {
        for lat in [-84.0, -33.9, 0.0, 42.5, 60.2, 84.0] {
            for lon in [-179.9, -122.4, 0.0, 8.7, 179.9] {
                let there = place(lat, lon);
                let back = Point::at(there).place();
                assert!(distance_m(there, back) < 0.5, "{lat} {lon}: {back:?}");
            }
        }
    }

    #[test]
    fn distances_are_those_of_the_ellipsoid() {
        for lat in [-70.0, 0.0, 42.5, 49.4, 60.2, 75.0] {
            for (north, east) in [(0.01, 0.0), (0.0, 0.01), (0.007, -0.004)] {
                let (from, to) = (place(lat, 8.0), place(lat + north, 8.0 + east));
                let map = Point::at(from).distance_m(Point::at(to));
                let truth = distance_m(from, to);
                assert!((map - truth).abs() < 1.0, "{lat}: {map} {truth}");
            }
        }
    }

    #[test]
    fn the_tiles_around_a_point_are_those_within_reach() {
        let tile = TileId { x: 4663, y: 2371 };
        let corner = tile.corner();
        let middle = Point {
            x: corner.x + (1 << TILE_BITS) / 2,
            y: corner.y + (1 << TILE_BITS) / 2,
        };
        assert_eq!(TileId::around(middle, 100.0), [tile]);
        assert_eq!(TileId::around(middle, 1500.0).len(), 9);
        assert_eq!(TileId::around(corner, 100.0).len(), 4);
    }
}
