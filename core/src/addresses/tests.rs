//! Tests of the search on made-up towns: what is typed finds what was meant, and nothing that is typed does harm.

use proptest::prelude::*;

use super::*;
use crate::map::testing::{BLOCK, ID, at, town};
use crate::map::{
    AddressOrder, AddressPlace, AddressStreet, Addresses, House, LabelKind, Point, Tile, TileId,
};

/// A street of a made-up town: its name, postcode, town, and house numbers, which stand 20 steps apart.
type Row<'a> = (&'a str, &'a str, &'a str, &'a [&'a str]);

fn tile(id: TileId, rows: &[Row], places: &[(LabelKind, &str)], order: AddressOrder) -> Tile {
    let mut tile = Tile::empty(id);
    let mut addresses = Addresses {
        order,
        ..Addresses::default()
    };
    let name = |tile: &mut Tile, name: &str| {
        tile.names.push(name.to_owned());
        tile.names.len() as u32 - 1
    };
    let text = |addresses: &mut Addresses, text: &str| {
        (!text.is_empty()).then(|| {
            addresses.texts.push(text.to_owned());
            addresses.texts.len() as u32 - 1
        })
    };
    let there = |right: u32, down: u32| {
        let corner = id.corner();
        Addresses::rounded(Point {
            x: corner.x + right,
            y: corner.y + down,
        })
    };
    for (row, (street, postcode, town, numbers)) in (0..).zip(rows) {
        let down = 400 + row * BLOCK;
        let mut houses = Vec::new();
        for (column, number) in (0..).zip(*numbers) {
            let end = number
                .find(|it: char| !it.is_ascii_digit())
                .unwrap_or(number.len());
            houses.push(House {
                number: number[..end].parse().unwrap(),
                suffix: text(&mut addresses, &number[end..]),
                at: there(500 + column * 20, down),
            });
        }
        let street = AddressStreet {
            postcode: text(&mut addresses, postcode),
            town: text(&mut addresses, town),
            houses,
            ..AddressStreet::new(name(&mut tile, street), there(600, down))
        };
        addresses.streets.push(street);
    }
    for (index, (kind, place)) in (0..).zip(places) {
        addresses.places.push(AddressPlace {
            kind: *kind,
            name: name(&mut tile, place),
            at: there(4000, 4000 + index * 100),
        });
    }
    tile.addresses = Some(addresses);
    tile
}

const AMERICAN: AddressOrder = AddressOrder {
    number_first: true,
    postcode_last: true,
};

fn baltimore() -> AddressBook {
    let rows: &[Row] = &[
        (
            "North Charles Street",
            "21218",
            "Baltimore",
            &["2901", "2903", "2905", "2905A", "2910-2914", "3001"],
        ),
        ("Saint Paul Street", "21218", "Baltimore", &["3000", "3002"]),
        ("East 33rd Street", "21218", "Baltimore", &["12", "33"]),
        ("North Avenue", "21202", "Baltimore", &["1"]),
        ("Charles Village Alley", "", "", &[]),
        ("O’Donnell Street", "", "Baltimore", &["5"]),
        ("University Parkway", "21210", "Baltimore", &["100"]),
    ];
    let places = [
        (LabelKind::Town, "Baltimore"),
        (LabelKind::Suburb, "Roland Park"),
    ];
    let mut book = AddressBook::default();
    book.add(&tile(ID, rows, &places, AMERICAN));
    book
}

fn helsinki() -> AddressBook {
    let rows: &[Row] = &[
        (
            "Mannerheimintie",
            "00100",
            "Helsinki",
            &["1", "5", "12", "12 A", "14"],
        ),
        ("Fredrikinkatu", "00120", "Helsinki", &["12", "14"]),
        ("Töölönkatu", "00260", "Helsinki", &["7"]),
        ("Hauptstraße", "", "", &["3"]),
        ("Mannerheimin aukio", "", "Helsinki", &["2"]),
    ];
    let mut book = AddressBook::default();
    let places = [(LabelKind::Town, "Helsinki")];
    book.add(&tile(ID, rows, &places, AddressOrder::default()));
    book
}

/// Compares the first result of a query, as its kind, its text and its note.
fn check(book: &mut AddressBook, typed: &str, expected: (FoundKind, &str, Option<&str>)) {
    let found = book.find(typed, None);
    let first = found
        .first()
        .map(|it| (it.kind, it.text.as_str(), it.note.as_deref()));
    assert_eq!(first, Some(expected), "{typed}");
}

#[test]
fn houses_are_found_however_their_address_is_written() {
    let mut book = baltimore();
    for typed in [
        "2905 North Charles Street, Baltimore, MD 21218",
        "2905 n charles st",
        "2905 N. Charles St.",
        "2905 charles",
        "2905 chalres street",
        "charles st baltimore 2905",
        "2905 N Charles St Apt 4",
        "21218 Baltimore, 2905 Charles Street North",
    ] {
        let found = book.find(typed, None);
        assert_eq!(found[0].kind, FoundKind::House, "{typed}");
        assert!(found[0].text.contains("2905"), "{typed}: {}", found[0].text);
        assert!(
            found[0].text.contains("North Charles Street"),
            "{typed}: {}",
            found[0].text
        );
    }
    for (typed, text) in [
        (
            "2905a n charles",
            "2905A North Charles Street, Baltimore 21218",
        ),
        ("3002 st paul", "3002 Saint Paul Street, Baltimore 21218"),
        (
            "3002 saint paul st",
            "3002 Saint Paul Street, Baltimore 21218",
        ),
        ("33 e 33 st", "33 East 33rd Street, Baltimore 21218"),
        ("33 33rd st", "33 East 33rd Street, Baltimore 21218"),
        ("33rd st 33", "East 33rd Street 33, Baltimore 21218"),
        ("12 33rd street", "12 East 33rd Street, Baltimore 21218"),
        ("5 odonnell", "5 O’Donnell Street, Baltimore"),
        ("1 north ave", "1 North Avenue, Baltimore 21202"),
        (
            "100 universty pkwy",
            "100 University Parkway, Baltimore 21210",
        ),
    ] {
        check(&mut book, typed, (FoundKind::House, text, None));
    }
    let mut book = helsinki();
    for (typed, text) in [
        ("mannerheimintie 12", "Mannerheimintie 12, 00100 Helsinki"),
        (
            "mannerheimintie 12 a 5",
            "Mannerheimintie 12 A, 00100 Helsinki",
        ),
        ("fredrikink. 14", "Fredrikinkatu 14, 00120 Helsinki"),
        ("toolonkatu 7, helsinki", "Töölönkatu 7, 00260 Helsinki"),
        ("Haupt Strasse 3", "Hauptstraße 3"),
        ("mannerheiminauk. 2", "Mannerheimin aukio 2, Helsinki"),
        (
            "00100 helsinki mannerheimintie 5",
            "Mannerheimintie 5, 00100 Helsinki",
        ),
    ] {
        check(&mut book, typed, (FoundKind::House, text, None));
    }
}

#[test]
fn a_number_that_is_missing_finds_the_nearest_house_and_says_so() {
    let mut book = baltimore();
    check(
        &mut book,
        "2907 n charles st",
        (
            FoundKind::NearestHouse,
            "2907 North Charles Street, Baltimore 21218",
            Some("Nearest house: 2905"),
        ),
    );
    let mut book = helsinki();
    check(
        &mut book,
        "mannerheimintie 13",
        (
            FoundKind::NearestHouse,
            "Mannerheimintie 13, 00100 Helsinki",
            Some("Nearest house: 12"),
        ),
    );
}

#[test]
fn a_number_within_a_range_is_that_house_and_one_across_the_street_is_not() {
    let mut book = baltimore();
    check(
        &mut book,
        "2912 n charles st",
        (
            FoundKind::House,
            "2912 North Charles Street, Baltimore 21218",
            None,
        ),
    );
    let across = &book.find("2911 n charles st", None)[0];
    assert_eq!(across.kind, FoundKind::NearestHouse);
}

#[test]
fn streets_places_and_postcodes_are_found_alone() {
    let mut book = baltimore();
    check(
        &mut book,
        "university park",
        (
            FoundKind::Street,
            "University Parkway, Baltimore 21210",
            None,
        ),
    );
    check(
        &mut book,
        "charles village al",
        (
            FoundKind::Street,
            "Charles Village Alley",
            Some("Near Baltimore"),
        ),
    );
    check(
        &mut book,
        "8 charles village alley",
        (
            FoundKind::Street,
            "8 Charles Village Alley",
            Some("The map has no house numbers of this street"),
        ),
    );
    check(
        &mut book,
        "roland park",
        (
            FoundKind::Town,
            "Roland Park",
            Some("The middle of this part of town"),
        ),
    );
    check(
        &mut book,
        "21210",
        (
            FoundKind::Postcode,
            "Baltimore 21210",
            Some("The middle of the houses with this postcode"),
        ),
    );
}

#[test]
fn other_words_find_nothing() {
    let mut book = baltimore();
    for typed in [
        "",
        " , ",
        "12",
        "blue house by the lake",
        "99999",
        "zzz street",
    ] {
        assert_eq!(book.find(typed, None), [], "{typed}");
    }
}

#[test]
fn a_street_across_tiles_is_one_and_those_of_two_towns_are_two() {
    let next = TileId { x: ID.x + 1, ..ID };
    let far = TileId { x: ID.x + 4, ..ID };
    let row = |town: &'static str, numbers: &'static [&'static str]| -> Tile {
        tile(ID, &[("Long Street", "", town, numbers)], &[], AMERICAN)
    };
    let moved = |mut tile: Tile, to: TileId, by: u32| {
        for street in &mut tile.addresses.as_mut().unwrap().streets {
            for at in street
                .houses
                .iter_mut()
                .map(|it| &mut it.at)
                .chain([&mut street.at])
            {
                at.x += by;
            }
        }
        Tile { id: to, ..tile }
    };
    let tiles = [
        row("Springfield", &["1", "3"]),
        moved(row("Springfield", &["5"]), next, 300),
        moved(row("Shelbyville", &["7"]), next, 400),
        moved(row("Springfield", &["9"]), far, 4 << 13),
    ];
    let found = |order: [usize; 4], typed: &str, near: Option<_>| {
        let mut book = AddressBook::default();
        order.iter().for_each(|it| book.add(&tiles[*it]));
        book.find(typed, near)
    };
    let texts = |found: &[FoundAddress]| -> Vec<String> {
        found.iter().map(|it| it.text.clone()).collect()
    };
    let all = found([0, 1, 2, 3], "5 long street", None);
    assert_eq!(all[0].kind, FoundKind::House);
    assert_eq!(all.len(), 3, "{all:?}");
    assert_eq!(texts(&all)[0], "5 Long Street, Springfield");
    // The order of the tiles makes no difference.
    assert_eq!(found([3, 1, 0, 2], "5 long street", None), all);
    assert_eq!(
        texts(&found([0, 1, 2, 3], "long st 7 shelbyville", None))[0],
        "Long Street 7, Shelbyville"
    );
    let there = far.corner().place();
    let nearest = &found([0, 1, 2, 3], "long street springfield", Some(there))[0];
    assert!(Point::at(nearest.place).tile() == far, "{nearest:?}");
}

#[test]
fn streets_of_one_name_are_bounded() {
    let corner = ID.corner();
    let streets = (0..1_200).map(|index| {
        let at = Point {
            x: corner.x + index * 5_000,
            ..corner
        };
        AddressStreet::new(0, Addresses::rounded(at))
    });
    let mut tile = Tile::empty(ID);
    tile.names.push("Long Street".to_owned());
    tile.addresses = Some(Addresses {
        streets: streets.collect(),
        ..Addresses::default()
    });
    let mut book = AddressBook::default();
    book.add(&tile);
    assert_eq!(book.with_index(|_, index| index.streets.len()), 1_000);
    assert!(!book.find("long street", None).is_empty());
}

#[test]
fn a_tile_of_an_older_map_has_no_addresses_and_says_nothing() {
    let mut book = AddressBook::default();
    assert!(!book.has_addresses());
    book.add(&town(4, 100));
    assert!(!book.has_addresses());
    assert_eq!(book.find("2nd street", None), []);
    book.add(&tile(ID, &[], &[], AMERICAN));
    assert!(book.has_addresses());
}

#[test]
fn a_place_has_the_address_of_the_nearest_house_or_else_its_street() {
    let rows: &[Row] = &[("Long Street", "21218", "Baltimore", &["1", "3", "5"])];
    let tile = Tile {
        network: town(4, 2000).network,
        names: Vec::new(),
        ..tile(ID, rows, &[], AMERICAN)
    };
    let mut names = town(4, 2000).names;
    let moved = names.len() as u32;
    names.push("Long Street".to_owned());
    let mut tile = Tile { names, ..tile };
    tile.addresses.as_mut().unwrap().streets[0].name = moved;
    let tiles = [tile];
    let near = |right, down| nearest_address(&tiles, at(right, down).place(), true);
    let house = near(521, 410).unwrap();
    assert_eq!(house.text, "3 Long Street, Baltimore 21218");
    assert_eq!(house.note.as_deref(), Some("Nearest house: 3"));
    let blurred = nearest_address(&tiles, at(521, 410).place(), false).unwrap();
    assert_eq!(blurred.text, "Long Street, Baltimore 21218");
    assert_eq!(blurred.note, None);
    let street = near(2150, 2020).unwrap();
    assert_eq!(street.kind, FoundKind::Street);
    assert_eq!(street.text, "0th Street");
    assert_eq!(near(7000, 7000), None);
}

#[test]
fn the_nearest_tiles_are_searched() {
    let all = (0..40).flat_map(|x| (0..40).map(move |y| TileId { x, y }));
    let middle = TileId { x: 20, y: 20 }.middle().place();
    let tiles = AddressBook::tiles_around(all.collect(), Some(middle));
    assert_eq!(tiles[0], TileId { x: 20, y: 20 });
    assert_eq!(tiles.len(), 150);
}

proptest! {
    #[test]
    fn whatever_is_typed_the_search_comes_back_with_the_same(typed in ".{0,60}") {
        let mut book = baltimore();
        let found = book.find(&typed, Some(at(0, 0).place()));
        prop_assert!(found.len() <= 6);
        prop_assert_eq!(book.find(&typed, Some(at(0, 0).place())), found);
    }
}
