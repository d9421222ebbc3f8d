//! Measures the search for addresses on whole extracts: which houses and streets are found, and how near to where they are.
//! The expected addresses are read from the extract here, by other code than the importer's.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use osmpbf::{Element, ElementReader};
use walkies_core::addresses::{AddressBook, FoundAddress, FoundKind, letters};
use walkies_core::map::{Point, Tile, TileId};
use walkies_core::values::place::Place;

use super::extract::{Extract, at};
use super::{Options, import};

/// A house is found if the place is so near to it.
const FOUND_M: f64 = 50.0;

/// A street is found if the place is so near to one of its points or houses.
const ON_STREET_M: f64 = 120.0;

/// Houses and streets of an extract that are searched, evenly among all.
const SAMPLE: usize = 600;

/// Ways with a name that are streets.
const STREETS: &[&str] = &[
    "primary",
    "secondary",
    "tertiary",
    "unclassified",
    "residential",
    "living_street",
    "pedestrian",
    "service",
];

fn tiles(file: &Path) -> Vec<Tile> {
    let mut tiles = Vec::new();
    import(file, &Options::default(), &mut |_| {}, &mut |tile| {
        // As a phone has it.
        tiles.push(Tile::decode_addresses(&tile.encode())?);
        Ok(())
    })
    .unwrap();
    tiles
}

fn book<'a>(tiles: impl IntoIterator<Item = &'a Tile>) -> AddressBook {
    let mut book = AddressBook::default();
    tiles.into_iter().for_each(|it| book.add(it));
    book
}

/// Content of an extract that can be searched for.
#[derive(Default)]
struct Truth {
    /// By house number, street, postcode and town: the places that have them.
    houses: BTreeMap<[String; 4], Vec<Point>>,
    /// Names of streets.
    streets: BTreeSet<String>,
    /// By name: the points of all ways and houses that have it.
    on_streets: BTreeMap<String, Vec<Point>>,
}

impl Truth {
    fn read(file: &Path) -> Self {
        let mut truth = Self::default();
        let mut points = BTreeMap::new();
        let mut ways = Vec::new();
        let place = |lat, lon| Point::at(Place::from_degrees(lat, lon).unwrap());
        let reader = ElementReader::from_path(file).unwrap();
        reader
            .for_each(|element| match element {
                Element::Node(it) => {
                    let at = place(it.lat(), it.lon());
                    points.insert(it.id(), at);
                    truth.house(&owned(it.tags()), at);
                }
                Element::DenseNode(it) => {
                    let at = place(it.lat(), it.lon());
                    points.insert(it.id(), at);
                    truth.house(&owned(it.tags()), at);
                }
                Element::Way(it) => {
                    ways.push((it.refs().collect::<Vec<_>>(), owned(it.tags())));
                }
                Element::Relation(_) => {}
            })
            .unwrap();
        for (refs, tags) in ways {
            let line: Vec<Point> = refs
                .iter()
                .filter_map(|it| points.get(it))
                .copied()
                .collect();
            let Some(n) = (!line.is_empty()).then_some(line.len() as u64) else {
                continue;
            };
            let mean = |axis: fn(&Point) -> u32| {
                (line.iter().map(|it| u64::from(axis(it))).sum::<u64>() / n) as u32
            };
            let middle = Point {
                x: mean(|it| it.x),
                y: mean(|it| it.y),
            };
            truth.house(&tags, middle);
            let kind = tags.get("highway").filter(|_| !tags.contains_key("tunnel"));
            // Of those at the border a single point may be left.
            if let Some((kind, name)) = kind.zip(tags.get("name"))
                && line.len() > 1
            {
                let name = name.split(';').next().unwrap_or_default().trim().to_owned();
                if STREETS.contains(&kind.as_str()) {
                    truth.streets.insert(name.clone());
                }
                truth.on_streets.entry(name).or_default().extend(line);
            }
        }
        truth
    }

    fn house(&mut self, tags: &BTreeMap<String, String>, at: Point) {
        let text = |key: &str| tags.get(key).cloned().unwrap_or_default().trim().to_owned();
        let (number, street) = (text("addr:housenumber"), text("addr:street"));
        let is_plain =
            number.starts_with(|it: char| it.is_ascii_digit()) && !number.contains([';', ',', '-']);
        if is_plain && !street.is_empty() {
            let key = [number, street, text("addr:postcode"), text("addr:city")];
            self.houses.entry(key).or_default().push(at);
        }
    }
}

fn owned<'a>(tags: impl Iterator<Item = (&'a str, &'a str)>) -> BTreeMap<String, String> {
    tags.map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect()
}

/// Every so many, so that at most `SAMPLE` are left.
fn sample<T>(all: Vec<T>) -> impl Iterator<Item = T> {
    let step = all.len().div_ceil(SAMPLE).max(1);
    all.into_iter().step_by(step)
}

fn nearest_m(found: &FoundAddress, truth: &[Point]) -> f64 {
    let at = Point::at(found.place);
    truth
        .iter()
        .map(|it| it.distance_m(at))
        .fold(f64::INFINITY, f64::min)
}

/// Searches the houses and streets of an extract.
fn check(name: &str, file: &Path) {
    let tiles = tiles(file);
    let made: BTreeSet<TileId> = tiles.iter().map(|it| it.id).collect();
    let truth = Truth::read(file);
    let is_made = |points: &[Point]| points.iter().any(|it| made.contains(&it.tile()));

    let mut all = book(&tiles);
    let houses = truth
        .houses
        .iter()
        .filter(|(_, points)| is_made(points))
        .collect();
    let (mut n, mut n_found, mut lost) = (0, 0, Vec::new());
    for (index, ([number, street, postcode, town], points)) in sample(houses).enumerate() {
        // As people write it in different countries, with and without a town.
        let typed = match index % 4 {
            0 => format!("{number} {street}, {town} {postcode}"),
            1 => format!("{street} {number}, {postcode} {town}"),
            2 => format!("{street} {number} {town}").to_lowercase(),
            _ => format!("{number} {street} {postcode}").to_uppercase(),
        };
        n += 1;
        let found = all.find(&typed, None);
        if found
            .first()
            .is_some_and(|it| nearest_m(it, points) <= FOUND_M)
        {
            n_found += 1;
        } else {
            lost.push((typed, found.into_iter().next()));
        }
    }
    println!("{name}: {n_found} of {n} houses");
    assert!(n > 0, "{name} has no houses");
    assert!(
        98 * n <= 100 * n_found,
        "{name}: {n_found} of {n} houses, not {lost:#?}"
    );

    let streets = truth.streets.iter().filter_map(|it| {
        let points = truth.on_streets.get(it)?;
        is_made(points).then_some((it, points))
    });
    let streets = streets.collect();
    let (mut n, mut lost) = (0, Vec::new());
    for (street, points) in sample(streets) {
        n += 1;
        let found = all.find(street, None);
        let is_it = |it: &FoundAddress| {
            letters(&it.text).starts_with(&letters(street)) && nearest_m(it, points) <= ON_STREET_M
        };
        if !found.iter().any(is_it) {
            lost.push((street, found));
        }
    }
    println!("{name}: {} of {n} streets", n - lost.len());
    assert!(
        lost.is_empty(),
        "{name}: {} of {n} streets: {lost:#?}",
        lost.len()
    );

    held_out(name, &tiles);
}

/// Leaves each fifth number of the streets with several out of the index; each must find a house of its street.
fn held_out(name: &str, tiles: &[Tile]) {
    let is_out = |number: u32| number % 5 == 2;
    let mut out: BTreeMap<(u32, String, String), Vec<Point>> = BTreeMap::new();
    let mut others = tiles.to_vec();
    for tile in &mut others {
        let Some(addresses) = &mut tile.addresses else {
            continue;
        };
        for street in &mut addresses.streets {
            let before = street.houses.clone();
            street.houses.retain(|it| !is_out(it.number));
            let name = &tile.names[street.name as usize];
            let town = street
                .town
                .map_or("", |it| addresses.texts[it as usize].as_str());
            if !street.houses.is_empty() {
                for house in before.iter().filter(|it| is_out(it.number)) {
                    let key = (house.number, name.clone(), town.to_owned());
                    out.entry(key).or_default().push(house.at);
                }
            }
        }
    }
    let mut book = book(&others);
    let (mut n, mut n_near, mut lost) = (0, 0, Vec::new());
    for ((number, street, town), points) in sample(out.into_iter().collect()) {
        let typed = format!("{street} {number} {town}");
        n += 1;
        let found = book.find(&typed, None).into_iter().next();
        let is_near = found.as_ref().is_some_and(|it| {
            let note = it.note.as_deref().unwrap_or_default();
            // A range of another house may have the number.
            let is_range = it.kind == FoundKind::House;
            let is_nearest =
                it.kind == FoundKind::NearestHouse && note.starts_with("Nearest house: ");
            letters(&it.text).starts_with(&letters(&street)) && (is_nearest || is_range)
        });
        n_near += usize::from(
            found
                .as_ref()
                .is_some_and(|it| nearest_m(it, &points) <= FOUND_M),
        );
        if !is_near {
            lost.push((typed, found));
        }
    }
    println!(
        "{name}: {} of {n} houses that are not on the map, {n_near} of them by a house within {FOUND_M} m",
        n - lost.len()
    );
    assert!(lost.is_empty(), "{name}: {} of {n}: {lost:#?}", lost.len());
}

#[test]
fn addresses_of_helsinki_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("helsinki.osm.pbf");
    std::fs::write(&path, include_bytes!("../../../demo/helsinki.osm.pbf")).unwrap();
    check("helsinki", &path);
}

#[test]
fn addresses_of_real_extracts_are_found() {
    let Some(data) = super::tests::data() else {
        return;
    };
    for name in ["baltimore", "dortmund_sued", "neuss"] {
        check(name, &data.join(format!("map/{name}.osm.pbf")));
    }
}

fn addresses(extract: &Extract) -> Vec<Tile> {
    let folder = tempfile::tempdir().unwrap();
    tiles(&extract.write(folder.path()))
}

fn first(tiles: &[Tile], typed: &str) -> FoundAddress {
    let found = book(tiles).find(typed, None);
    assert!(!found.is_empty(), "{typed}");
    found.into_iter().next().unwrap()
}

/// A straight street of 400 m with a house on a node, one that is a building, and a row between two nodes.
fn street() -> Extract {
    let mut extract = Extract::default();
    for (id, east) in (1..=3).zip([-200.0, 0.0, 200.0]) {
        extract = extract.node(id, east, 0.0, "");
    }
    let street = "addr:street=Long Street";
    extract
        .way(1, &[1, 2, 3], "highway=residential, name=Long Street")
        .node(10, -150.0, 10.0, &format!("addr:housenumber=2, {street}"))
        .node(20, -110.0, 10.0, "")
        .node(21, -90.0, 10.0, "")
        .node(22, -90.0, 30.0, "")
        .node(23, -110.0, 30.0, "")
        .way(
            2,
            &[20, 21, 22, 23, 20],
            &format!("building=house, addr:housenumber=4;6, {street}, addr:city=Springfield"),
        )
        .node(30, 0.0, -10.0, "addr:housenumber=1")
        .node(31, 80.0, -10.0, "addr:housenumber=9")
        .way(3, &[30, 31], &format!("addr:interpolation=odd, {street}"))
}

#[test]
fn houses_come_from_nodes_buildings_and_rows() {
    let tiles = addresses(&street());
    for (number, east, north) in [
        (2, -150.0, 10.0),
        (4, -100.0, 20.0),
        (6, -100.0, 20.0),
        (1, 0.0, -10.0),
        (3, 20.0, -10.0),
        (7, 60.0, -10.0),
        (9, 80.0, -10.0),
    ] {
        let found = first(&tiles, &format!("Long Street {number}"));
        assert_eq!(found.kind, FoundKind::House, "{number}: {found:?}");
        let off_m = Point::at(found.place).distance_m(at(east, north));
        assert!(off_m < 5.0, "{number}: {off_m} m");
    }
    let found = first(&tiles, "Long Street 8");
    assert_eq!(found.note.as_deref(), Some("Nearest house: 6"));
}

#[test]
fn a_house_without_its_street_is_left_out() {
    let alone = street().node(50, 100.0, 10.0, "addr:housenumber=77");
    let found = first(&addresses(&alone), "Long Street 77");
    assert_eq!(found.kind, FoundKind::NearestHouse);
}

#[test]
fn a_street_that_nobody_walks_on_is_found_too() {
    let private = street()
        .node(60, 0.0, 300.0, "")
        .node(61, 100.0, 300.0, "")
        .way(
            9,
            &[60, 61],
            "highway=residential, access=private, foot=private, name=Mill Lane",
        );
    let found = first(&addresses(&private), "mill ln");
    assert_eq!(
        (found.kind, found.text.as_str()),
        (FoundKind::Street, "Mill Lane")
    );
}
