//! Owns the way from a place to its address: the house that is nearest, or else the street.

use super::found::{FoundAddress, FoundKind, Parts};
use crate::map::{Ground, Naming, Point, Tile, TileId, WayKind};
use crate::values::place::Place;

/// So far a house is from where a phone believes to be at its door, in meters: half a large house, and its mistake.
const HOUSE_M: f64 = 60.0;

/// The same of a street.
const STREET_M: f64 = 100.0;

/// The tiles in which the address of a place can lie.
pub fn tiles_near(place: Place) -> Vec<TileId> {
    TileId::around(Point::at(place), STREET_M)
}

/// The address of a place, from tiles with networks and addresses; `None` where the map has no house and no street near.
/// Without `with_number` it is the street's, as for a place that was blurred.
pub fn nearest_address(tiles: &[Tile], place: Place, with_number: bool) -> Option<FoundAddress> {
    let at = Point::at(place);
    let ground = Ground::at(at);
    nearest_house(tiles, at, &ground, with_number)
        .or_else(|| nearest_street(tiles, at, &ground, with_number))
}

fn nearest_house(
    tiles: &[Tile],
    at: Point,
    ground: &Ground,
    with_number: bool,
) -> Option<FoundAddress> {
    let houses = tiles.iter().flat_map(|tile| {
        let addresses = tile.addresses.as_ref();
        let streets = addresses.into_iter().flat_map(|it| {
            it.streets
                .iter()
                .flat_map(move |street| street.houses.iter().map(move |house| (street, house)))
        });
        streets.map(move |(street, house)| (tile, street, house))
    });
    let (_, tile, street, house) = houses
        .map(|(tile, street, house)| (ground.length_m(at, house.at), tile, street, house))
        .filter(|it| it.0 <= HOUSE_M)
        .min_by(|a, b| {
            let numbers = (a.3.number, a.3.suffix, a.3.at).cmp(&(b.3.number, b.3.suffix, b.3.at));
            a.0.total_cmp(&b.0).then(numbers)
        })?;
    let addresses = tile.addresses.as_ref()?;
    let text = |index: Option<u32>| {
        let text = index.and_then(|it| addresses.texts.get(it as usize));
        text.map_or("", String::as_str)
    };
    let number = format!("{}{}", house.number, text(house.suffix));
    let parts = Parts {
        number: if with_number { &number } else { "" },
        street: tile.names.get(street.name as usize)?,
        postcode: text(street.postcode),
        town: text(street.town),
    };
    Some(FoundAddress {
        kind: if with_number {
            FoundKind::House
        } else {
            FoundKind::Street
        },
        text: parts.text(addresses.order),
        note: with_number.then(|| format!("Nearest house: {number}")),
        place: house.at.place(),
    })
}

fn nearest_street(
    tiles: &[Tile],
    at: Point,
    ground: &Ground,
    with_number: bool,
) -> Option<FoundAddress> {
    let mut best: Option<(f64, &str, Point)> = None;
    for tile in tiles {
        let nodes = &tile.network.nodes;
        let point = |index: u32| nodes.get(index as usize).map(|it| it.at);
        for edge in &tile.network.edges {
            let name = edge.name.and_then(|it| tile.names.get(it as usize));
            let is_own = edge.way.naming == Naming::Own && edge.way.kind != WayKind::Crossing;
            let (Some(name), true, Some(from), Some(to)) =
                (name, is_own, point(edge.from), point(edge.to))
            else {
                continue;
            };
            let mut last = from;
            for next in edge.via.iter().copied().chain([to]) {
                let (distance_m, foot) = beside(at, last, next, ground);
                let is_better = best.is_none_or(|(best_m, best_name, _)| {
                    distance_m
                        .total_cmp(&best_m)
                        .then(name.as_str().cmp(best_name))
                        .is_lt()
                });
                if distance_m <= STREET_M && is_better {
                    best = Some((distance_m, name, foot));
                }
                last = next;
            }
        }
    }
    let (_, street, foot) = best?;
    Some(FoundAddress {
        kind: FoundKind::Street,
        text: street.to_owned(),
        note: with_number.then(|| "The map has no house number here".to_owned()),
        place: foot.place(),
    })
}

/// Returns the distance of a point from a straight piece of a way, in meters, and the point of the way that is nearest.
fn beside(at: Point, from: Point, to: Point, ground: &Ground) -> (f64, Point) {
    let (along, off) = (ground.vector_m(from, to), ground.vector_m(from, at));
    let square = along.0 * along.0 + along.1 * along.1;
    let share = if square > 0.0 {
        ((along.0 * off.0 + along.1 * off.1) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let between =
        |from: u32, to: u32| (f64::from(from) + (f64::from(to) - f64::from(from)) * share) as u32;
    let foot = Point {
        x: between(from.x, to.x),
        y: between(from.y, to.y),
    };
    (ground.length_m(at, foot), foot)
}
