//! Owns finding what carries the points of bridges and tunnels: the nearest places on the ground, along them. All bridges and
//! tunnels of an extract are held at once, which is a few in a hundred of its ways.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use walkies_core::map::{Ground, Point};

use super::deck::{Deck, WHOLE};
use super::piece::Street;

/// Tells the points of bridges and tunnels what carries them. Where only one way of them ends, there is the ground.
pub fn lay(streets: &mut [Street]) {
    let mut web = GroundGraph::default();
    streets.iter().for_each(|it| web.insert(it));
    let carried_by = web.carried_by();
    for vertex in streets.iter_mut().flat_map(|it| &mut it.course) {
        vertex.deck = web.deck(vertex.at, &carried_by);
    }
}

/// A place on the ground and how far it is, in centimeters.
type Reach = (u64, usize);

#[derive(Default)]
struct GroundGraph {
    index_of: HashMap<Point, usize>,
    points: Vec<Point>,
    /// By point: which others are next to it, and how far in centimeters.
    next_to: Vec<Vec<(usize, u64)>>,
}

impl GroundGraph {
    fn insert(&mut self, street: &Street) {
        for pair in street.course.windows(2) {
            let &[a, b] = pair else { continue };
            let length_cm = (Ground::at(a.at).length_m(a.at, b.at) * 100.0) as u64;
            let ends = [a.at, b.at].map(|it| self.index(it));
            for (from, to) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                if let Some(it) = self.next_to.get_mut(from) {
                    it.push((to, length_cm));
                }
            }
        }
    }

    fn index(&mut self, at: Point) -> usize {
        *self.index_of.entry(at).or_insert_with(|| {
            self.points.push(at);
            self.next_to.push(Vec::new());
            self.points.len() - 1
        })
    }

    /// By point: the two places on the ground that are nearest along bridges.
    fn carried_by(&self) -> Vec<Vec<Reach>> {
        let mut carried_by = vec![Vec::<Reach>::new(); self.points.len()];
        let on_the_ground = self
            .next_to
            .iter()
            .enumerate()
            .filter(|(_, it)| it.len() == 1);
        let mut open: BinaryHeap<_> = on_the_ground
            .map(|(index, _)| Reverse((0, index, index)))
            .collect();
        while let Some(Reverse((far_cm, index, end))) = open.pop() {
            let Some(known) = carried_by.get_mut(index) else {
                continue;
            };
            if known.len() == 2 || known.iter().any(|(_, it)| *it == end) {
                continue;
            }
            known.push((far_cm, end));
            for (next, length_cm) in self.next_to.get(index).into_iter().flatten() {
                open.push(Reverse((far_cm + length_cm, *next, end)));
            }
        }
        carried_by
    }

    fn deck(&self, at: Point, carried_by: &[Vec<Reach>]) -> Option<Deck> {
        let carriers = carried_by.get(*self.index_of.get(&at)?)?;
        let [(near_cm @ 1.., near), (far_cm, far)] = *carriers.as_slice() else {
            return None;
        };
        let share = near_cm * u64::from(WHOLE) / (near_cm + far_cm).max(1);
        Some(Deck {
            ends: [*self.points.get(near)?, *self.points.get(far)?],
            share: share as u16,
        })
    }
}

#[cfg(test)]
mod tests {
    use walkies_core::map::{Crossing, WayKind};

    use super::super::extract::at;
    use super::super::locate::Vertex;
    use super::super::osm::Tags;
    use super::super::{country::Customs, rules};
    use super::*;

    fn street(points: &[(f64, f64)]) -> Street {
        let tags = Tags::of([("highway", "footway"), ("bridge", "yes")].into_iter());
        let vertex = |(east, north): &(f64, f64)| Vertex {
            at: at(*east, *north),
            crossing: Crossing::None,
            deck: None,
        };
        let way = rules::walkable(&tags, Customs::WORLD).unwrap();
        assert_eq!((way.kind, way.bridge), (WayKind::Footway, true));
        Street {
            way,
            name: None,
            course: points.iter().map(vertex).collect(),
        }
    }

    #[test]
    fn a_point_hangs_between_the_nearest_ends() {
        // A long bridge of two ways, and a third that joins it in the middle.
        let mut streets = [
            street(&[(0.0, 0.0), (100.0, 0.0), (300.0, 0.0)]),
            street(&[(400.0, 0.0), (300.0, 0.0)]),
            street(&[(300.0, 0.0), (300.0, 60.0)]),
        ];
        lay(&mut streets);
        let deck = |street: usize, index: usize| streets[street].course[index].deck;
        for (street, index) in [(0, 0), (1, 0), (2, 1)] {
            assert_eq!(deck(street, index), None, "an end is on the ground");
        }
        let ground = |it: Point| Some(if it == at(0.0, 0.0) { 0.0 } else { 36.0 });
        let height = |street, index| deck(street, index).unwrap().height_m(ground).unwrap();
        assert!((height(0, 1) - 10.0).abs() < 0.1, "{}", height(0, 1));
        assert!((height(1, 1) - 36.0).abs() < 0.1);
        assert_eq!(deck(0, 2), deck(2, 0));
        assert_eq!(deck(0, 1).unwrap().height_m(|_| None), None);
    }
}
