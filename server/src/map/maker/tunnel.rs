//! Owns how long the tunnels for cars are: surveyors cut one into many ways, so a way's own length says nothing of it.
//! All of an extract are held at once; there are fewer of them than of bridges.

use std::collections::HashMap;

use walkies_core::map::{Ground, Point, Way};

use super::locate::Course;
use super::osm::Tags;
use super::rules;
use super::shape::length_m;

/// A way through a tunnel on which nobody walks if the tunnel is long.
pub struct CarTunnel {
    /// As [`Tags::put`] writes them: the extract's own are gone by the time that all tunnels are known.
    pub tags: Vec<u8>,
    pub way: Way,
    pub course: Course,
}

impl CarTunnel {
    pub fn new(tags: &Tags, way: Way, course: Course) -> Self {
        let mut record = Vec::new();
        tags.put(|_| true, &mut record);
        Self {
            tags: record,
            way,
            course,
        }
    }

    fn points(&self) -> impl Iterator<Item = Point> {
        self.course.pieces.iter().flatten().map(|it| it.at)
    }

    fn length_m(&self) -> f64 {
        let lengths = self.course.pieces.iter().map(|piece| {
            let points: Vec<_> = piece.iter().map(|it| it.at).collect();
            points
                .first()
                .map_or(0.0, |it| length_m(&points, &Ground::at(*it)))
        });
        lengths.sum()
    }
}

/// By tunnel: whether it is a long one, with all that hang together with it.
pub fn are_long(tunnels: &[CarTunnel]) -> Vec<bool> {
    let mut through: HashMap<Point, Vec<usize>> = HashMap::new();
    for (index, tunnel) in tunnels.iter().enumerate() {
        for point in tunnel.points() {
            through.entry(point).or_default().push(index);
        }
    }
    let mut are_long = vec![false; tunnels.len()];
    let mut is_seen = vec![false; tunnels.len()];
    for first in 0..tunnels.len() {
        let mut together = Vec::new();
        let mut open = vec![first];
        let mut length_m = 0.0;
        while let Some(index) = open.pop() {
            let (Some(tunnel), Some(seen)) = (tunnels.get(index), is_seen.get_mut(index)) else {
                continue;
            };
            if std::mem::replace(seen, true) {
                continue;
            }
            together.push(index);
            length_m += tunnel.length_m();
            open.extend(
                tunnel
                    .points()
                    .filter_map(|it| through.remove(&it))
                    .flatten(),
            );
        }
        for index in together {
            if let Some(it) = are_long.get_mut(index) {
                *it = length_m > rules::LONG_TUNNEL_M;
            }
        }
    }
    are_long
}
