//! Owns what a tile says of addresses: streets with their houses, and the places that people name with them.
//! Stored on phones. Only add to the end of the section; never change what stands there.
//!
//! The section is optional: a tile of an older server has none, and then nothing is known of its addresses.

use super::bytes::{ByteReader, TileError, put, put_signed, put_text};
use super::draw::LabelKind;
use super::point::{Point, TileId};

/// Steps of the map, as a power of two, to which points of addresses are rounded: 1.2 m in Helsinki, 2 m at most.
const ROUNDED_BITS: u32 = 2;

/// Bit of the section's first byte: the house number stands before the street.
const NUMBER_FIRST: u8 = 1;
/// Bit of the section's first byte: the postcode stands behind the town.
const POSTCODE_LAST: u8 = 2;

/// Addresses of one tile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Addresses {
    /// Order in which people write an address there.
    pub order: AddressOrder,
    /// Postcodes, towns and ends of house numbers, each once.
    pub texts: Vec<String>,
    /// Streets, with or without houses; several of one name where its houses have several postcodes or towns.
    pub streets: Vec<AddressStreet>,
    /// Towns, villages and parts of towns.
    pub places: Vec<AddressPlace>,
}

/// Order of the parts of an address, which differs by country.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddressOrder {
    /// True for '12 Long Street', false for 'Long Street 12'.
    pub number_first: bool,
    /// True for 'Baltimore 21218', false for '00100 Helsinki'.
    pub postcode_last: bool,
}

impl AddressOrder {
    /// The order in a country, by its code of ISO 3166-1 in capital letters; as in the Universal Postal Union's 'Postal
    /// addressing systems'. Countries that are not listed write the number behind the street and the postcode before the town.
    pub fn from_country(code: &str) -> Self {
        let postcode_last = matches!(
            code,
            "US" | "CA" | "GB" | "IE" | "AU" | "NZ" | "IN" | "SG" | "ZA" | "PR"
        );
        Self {
            number_first: postcode_last || matches!(code, "FR" | "MC" | "LU" | "MA" | "TN"),
            postcode_last,
        }
    }
}

/// A street, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressStreet {
    /// An index of the tile's names.
    pub name: u32,
    /// An index of `texts`.
    pub postcode: Option<u32>,
    /// An index of `texts`.
    pub town: Option<u32>,
    /// A point of the street near its middle, rounded.
    pub at: Point,
    /// Houses with a number of this street.
    pub houses: Vec<House>,
}

/// A house with a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct House {
    /// Digits with which the house number begins.
    pub number: u32,
    /// Rest of the house number, such as 'A' or '-14'; an index of `texts`.
    pub suffix: Option<u32>,
    /// Its point, rounded.
    pub at: Point,
}

/// A town, a village or a part of a town.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressPlace {
    /// Kind of the place: `Town`, `Village` or `Suburb`.
    pub kind: LabelKind,
    /// An index of the tile's names.
    pub name: u32,
    /// Its middle, rounded.
    pub at: Point,
}

impl AddressStreet {
    /// A street without houses.
    pub fn new(name: u32, at: Point) -> Self {
        Self {
            name,
            postcode: None,
            town: None,
            at,
            houses: Vec::new(),
        }
    }
}

impl Addresses {
    /// The point that stands for one in the section.
    pub fn rounded(at: Point) -> Point {
        let round = |it: u32| widened(u64::from(it >> ROUNDED_BITS)).unwrap_or(it);
        Point {
            x: round(at.x),
            y: round(at.y),
        }
    }

    /// Appends the section's bytes.
    pub(super) fn encode(&self, id: TileId, to: &mut Vec<u8>) {
        to.push(
            (u8::from(self.order.number_first) * NUMBER_FIRST)
                | (u8::from(self.order.postcode_last) * POSTCODE_LAST),
        );
        put(self.texts.len() as u64, to);
        self.texts.iter().for_each(|it| put_text(it, to));

        let streets = &self.streets;
        put(streets.len() as u64, to);
        let mut last = 0;
        for street in streets {
            put_signed(i64::from(street.name) - last, to);
            last = i64::from(street.name);
        }
        streets.iter().for_each(|it| put_index(it.postcode, to));
        streets.iter().for_each(|it| put_index(it.town, to));
        streets
            .iter()
            .for_each(|it| put(it.houses.len() as u64, to));
        let corner = id.corner();
        for axis in [|it: Point| it.x, |it: Point| it.y] {
            put_along(streets.iter().map(|it| axis(it.at)), axis(corner), to);
        }
        for street in streets {
            let mut last = 0;
            for house in &street.houses {
                put_signed(i64::from(house.number) - last, to);
                last = i64::from(house.number);
            }
        }
        let houses = || streets.iter().flat_map(|it| &it.houses);
        houses().for_each(|it| put_index(it.suffix, to));
        for axis in [|it: Point| it.x, |it: Point| it.y] {
            for street in streets {
                let houses = street.houses.iter().map(|it| axis(it.at));
                put_along(houses, axis(street.at), to);
            }
        }

        let places = &self.places;
        put(places.len() as u64, to);
        to.extend(places.iter().map(|it| it.kind as u8));
        places.iter().for_each(|it| put(it.name.into(), to));
        for axis in [|it: Point| it.x, |it: Point| it.y] {
            put_along(places.iter().map(|it| axis(it.at)), axis(corner), to);
        }
    }

    /// Reads the section.
    pub(super) fn decode(reader: &mut ByteReader, id: TileId) -> Result<Self, TileError> {
        let flags = reader.byte()?;
        let n_texts = reader.count()?;
        let texts = (0..n_texts)
            .map(|_| reader.text())
            .collect::<Result<Vec<_>, _>>()?;
        let streets = decode_streets(reader, id)?;
        let places = decode_places(reader, id)?;
        Ok(Self {
            order: AddressOrder {
                number_first: flags & NUMBER_FIRST != 0,
                postcode_last: flags & POSTCODE_LAST != 0,
            },
            texts,
            streets,
            places,
        })
    }
}

fn decode_streets(reader: &mut ByteReader, id: TileId) -> Result<Vec<AddressStreet>, TileError> {
    let count = reader.count()?;
    let mut last = 0_i64;
    let names = read(count, || {
        last = last.checked_add(reader.signed()?).ok_or(TileError::Cut)?;
        u32::try_from(last).map_err(|_| TileError::Cut)
    })?;
    let postcodes = read(count, || index(reader))?;
    let towns = read(count, || index(reader))?;
    let counts = read(count, || reader.count())?;
    // Each house takes a byte at least, so that wrong counts cannot fill the memory.
    let n_houses = counts
        .iter()
        .try_fold(0_usize, |sum, it| sum.checked_add(*it));
    n_houses
        .filter(|it| *it <= reader.0.len())
        .ok_or(TileError::Cut)?;
    let corner = id.corner();
    let xs = read_along(reader, count, corner.x)?;
    let ys = read_along(reader, count, corner.y)?;

    let numbers = read_each(&counts, |count, _| {
        let mut last = 0_i64;
        read(count, || {
            last = last.checked_add(reader.signed()?).ok_or(TileError::Cut)?;
            u32::try_from(last).map_err(|_| TileError::Cut)
        })
    })?;
    let suffixes = read_each(&counts, |count, _| read(count, || index(reader)))?;
    let from = |all: &[u32], at: usize| all.get(at).copied().ok_or(TileError::Cut);
    let house_xs = read_each(&counts, |count, at| {
        read_along(reader, count, from(&xs, at)?)
    })?;
    let house_ys = read_each(&counts, |count, at| {
        read_along(reader, count, from(&ys, at)?)
    })?;

    let houses = numbers
        .into_iter()
        .zip(suffixes)
        .zip(house_xs.into_iter().zip(house_ys))
        .map(|((numbers, suffixes), (xs, ys))| {
            let houses = numbers
                .into_iter()
                .zip(suffixes)
                .zip(xs.into_iter().zip(ys));
            houses
                .map(|((number, suffix), (x, y))| House {
                    number,
                    suffix,
                    at: Point { x, y },
                })
                .collect()
        });
    let heads = names.into_iter().zip(postcodes).zip(towns);
    let points = xs.iter().zip(&ys);
    let streets = heads.zip(points).zip(houses);
    Ok(streets
        .map(
            |((((name, postcode), town), (x, y)), houses)| AddressStreet {
                name,
                postcode,
                town,
                at: Point { x: *x, y: *y },
                houses,
            },
        )
        .collect())
}

fn decode_places(reader: &mut ByteReader, id: TileId) -> Result<Vec<AddressPlace>, TileError> {
    let count = reader.count()?;
    let kinds = reader.take(count)?;
    let names = read(count, || reader.small::<u32>())?;
    let corner = id.corner();
    let xs = read_along(reader, count, corner.x)?;
    let ys = read_along(reader, count, corner.y)?;
    let points = xs.into_iter().zip(ys).map(|(x, y)| Point { x, y });
    // A kind that only a newer server knows is left out.
    let places = kinds.iter().zip(names).zip(points);
    Ok(places
        .filter_map(|((kind, name), at)| {
            let kind = LabelKind::of(*kind)?;
            Some(AddressPlace { kind, name, at })
        })
        .collect())
}

fn read<T>(
    count: usize,
    mut one: impl FnMut() -> Result<T, TileError>,
) -> Result<Vec<T>, TileError> {
    (0..count).map(|_| one()).collect()
}

/// Reads a list for each count; the second argument of `some` is the list's index.
fn read_each<T>(
    counts: &[usize],
    mut some: impl FnMut(usize, usize) -> Result<Vec<T>, TileError>,
) -> Result<Vec<Vec<T>>, TileError> {
    let lists = counts.iter().enumerate();
    lists.map(|(at, count)| some(*count, at)).collect()
}

fn put_index(index: Option<u32>, to: &mut Vec<u8>) {
    put(index.map_or(0, |it| u64::from(it) + 1), to);
}

fn index(reader: &mut ByteReader) -> Result<Option<u32>, TileError> {
    let plus_one = reader.number()?;
    let index = plus_one.checked_sub(1).map(u32::try_from).transpose();
    index.map_err(|_| TileError::Cut)
}

/// Rounded coordinates, each as its difference from the one before.
fn put_along(coordinates: impl Iterator<Item = u32>, from: u32, to: &mut Vec<u8>) {
    let mut last = i64::from(from >> ROUNDED_BITS);
    for coordinate in coordinates {
        let here = i64::from(coordinate >> ROUNDED_BITS);
        put_signed(here - last, to);
        last = here;
    }
}

fn read_along(reader: &mut ByteReader, count: usize, from: u32) -> Result<Vec<u32>, TileError> {
    let mut last = i64::from(from >> ROUNDED_BITS);
    read(count, || {
        last = last.checked_add(reader.signed()?).ok_or(TileError::Cut)?;
        let here = u64::try_from(last).map_err(|_| TileError::Cut)?;
        widened(here).ok_or(TileError::Cut)
    })
}

/// The coordinate in the middle of those that are rounded to this one.
fn widened(rounded: u64) -> Option<u32> {
    let middle = rounded.checked_mul(1 << ROUNDED_BITS)? + (1 << (ROUNDED_BITS - 1));
    u32::try_from(middle).ok()
}
