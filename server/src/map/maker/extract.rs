//! Owns small extracts for tests: writes the .osm.pbf format, uncompressed, element by element in the given order
//! (OpenStreetMap wiki, 'PBF Format').

use std::path::{Path, PathBuf};

use walkies_core::map::{Ground, Point};
use walkies_core::values::place::Place;

use super::record::{put, put_signed};

/// Place of the tests' maps: the middle of a tile near Heidelberg, unless they say otherwise.
pub const ORIGIN: Point = Point {
    x: (4293 << 13) + 4096,
    y: (2800 << 13) + 4096,
};

/// An extract under construction.
#[derive(Clone, Debug, Default)]
pub struct Extract {
    texts: Vec<String>,
    groups: Vec<Vec<u8>>,
    covered: Vec<u8>,
}

/// A relation's member is a way.
pub const WAY: u64 = 1;

impl Extract {
    /// A node so many meters east and north of the origin.
    pub fn node(mut self, id: i64, east_m: f64, north_m: f64, tags: &str) -> Self {
        let place = at(east_m, north_m).place();
        let mut bytes = Vec::new();
        signed(1, id, &mut bytes);
        self.tags(tags, &mut bytes);
        signed(8, place.lat_e7.into(), &mut bytes);
        signed(9, place.lon_e7.into(), &mut bytes);
        self.group(1, &bytes)
    }

    /// Adds a way through these nodes.
    pub fn way(mut self, id: i64, nodes: &[i64], tags: &str) -> Self {
        let mut bytes = Vec::new();
        plain(1, id as u64, &mut bytes);
        self.tags(tags, &mut bytes);
        field(8, &deltas(nodes), &mut bytes);
        self.group(3, &bytes)
    }

    /// A relation of ways that are the outer border of something.
    pub fn relation(self, id: i64, ways: &[i64], tags: &str) -> Self {
        let members: Vec<_> = ways.iter().map(|it| (*it, "outer", WAY)).collect();
        self.relation_of(id, &members, tags)
    }

    /// A relation of members: their numbers, roles, and what they are.
    pub fn relation_of(mut self, id: i64, members: &[(i64, &str, u64)], tags: &str) -> Self {
        let mut bytes = Vec::new();
        plain(1, id as u64, &mut bytes);
        self.tags(tags, &mut bytes);
        let roles: Vec<u64> = members.iter().map(|it| self.text(it.1)).collect();
        let ids: Vec<i64> = members.iter().map(|it| it.0).collect();
        let kinds: Vec<u64> = members.iter().map(|it| it.2).collect();
        field(8, &packed(&roles), &mut bytes);
        field(9, &deltas(&ids), &mut bytes);
        field(10, &packed(&kinds), &mut bytes);
        self.group(4, &bytes)
    }

    /// Says that it covers what lies between two points, in meters east and north of the origin.
    pub fn covers(mut self, south_west: (f64, f64), north_east: (f64, f64)) -> Self {
        let nano = |e7: i32| i64::from(e7) * 100;
        let [low, high] = [south_west, north_east].map(|(east, north)| at(east, north).place());
        let sides = [low.lon_e7, high.lon_e7, high.lat_e7, low.lat_e7];
        self.covered.clear();
        for (tag, side) in (1..).zip(sides) {
            signed(tag, nano(side), &mut self.covered);
        }
        self
    }

    /// Encodes the extract as the bytes of an .osm.pbf file.
    pub fn bytes(&self) -> Vec<u8> {
        let mut header = Vec::new();
        if !self.covered.is_empty() {
            field(1, &self.covered, &mut header);
        }
        field(4, b"OsmSchema-V0.6", &mut header);
        plain(32, 1_700_000_000, &mut header);
        let mut table = Vec::new();
        field(1, b"", &mut table);
        self.texts
            .iter()
            .for_each(|it| field(1, it.as_bytes(), &mut table));
        let mut block = Vec::new();
        field(1, &table, &mut block);
        self.groups.iter().for_each(|it| field(2, it, &mut block));
        let mut bytes = blob("OSMHeader", &header);
        bytes.extend(blob("OSMData", &block));
        bytes
    }

    /// Writes it into a folder.
    pub fn write(&self, folder: &Path) -> PathBuf {
        let path = folder.join("extract.osm.pbf");
        std::fs::write(&path, self.bytes()).unwrap();
        path
    }

    fn group(mut self, tag: u32, element: &[u8]) -> Self {
        let mut bytes = Vec::new();
        field(tag, element, &mut bytes);
        self.groups.push(bytes);
        self
    }

    fn tags(&mut self, tags: &str, to: &mut Vec<u8>) {
        let pairs: Vec<(u64, u64)> = tags
            .split_terminator(", ")
            .filter_map(|it| it.split_once('='))
            .map(|(key, value)| (self.text(key), self.text(value)))
            .collect();
        field(
            2,
            &packed(&pairs.iter().map(|it| it.0).collect::<Vec<_>>()),
            to,
        );
        field(
            3,
            &packed(&pairs.iter().map(|it| it.1).collect::<Vec<_>>()),
            to,
        );
    }

    fn text(&mut self, text: &str) -> u64 {
        let index = self
            .texts
            .iter()
            .position(|it| it == text)
            .unwrap_or_else(|| {
                self.texts.push(text.to_owned());
                self.texts.len() - 1
            });
        index as u64 + 1
    }
}

/// The point so many meters from the origin, as it is after its way through the file.
pub fn at(east_m: f64, north_m: f64) -> Point {
    let ground = Ground::at(ORIGIN);
    let step = |from: u32, by: f64| (f64::from(from) + by).round() as u32;
    let point = Point {
        x: step(ORIGIN.x, east_m / ground.east_m),
        y: step(ORIGIN.y, -north_m / ground.south_m),
    };
    let place = point.place();
    Point::at(Place {
        lat_e7: place.lat_e7,
        lon_e7: place.lon_e7,
    })
}

fn blob(kind: &str, content: &[u8]) -> Vec<u8> {
    let mut data = Vec::new();
    field(1, content, &mut data);
    let mut header = Vec::new();
    field(1, kind.as_bytes(), &mut header);
    plain(3, data.len() as u64, &mut header);
    let mut bytes = (header.len() as u32).to_be_bytes().to_vec();
    bytes.extend(header);
    bytes.extend(data);
    bytes
}

fn field(tag: u32, content: &[u8], to: &mut Vec<u8>) {
    put(u64::from(tag) << 3 | 2, to);
    put(content.len() as u64, to);
    to.extend(content);
}

fn plain(tag: u32, number: u64, to: &mut Vec<u8>) {
    put(u64::from(tag) << 3, to);
    put(number, to);
}

fn signed(tag: u32, number: i64, to: &mut Vec<u8>) {
    put(u64::from(tag) << 3, to);
    put_signed(number, to);
}

fn packed(numbers: &[u64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    numbers.iter().for_each(|it| put(*it, &mut bytes));
    bytes
}

fn deltas(numbers: &[i64]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut last = 0;
    for number in numbers {
        put_signed(number - last, &mut bytes);
        last = *number;
    }
    bytes
}
