//! Owns what is searched: the streets of all tiles that were added, joined across their borders, by the words of their names.

use std::collections::{BTreeMap, HashMap};

use super::words::{Word, letters, words};
use crate::map::{AddressOrder, Ground, LabelKind, Point, Tile, TileId};
use crate::values::place::Place;

/// Tiles that are searched at most: some thirty kilometers to each side, and some fifty megabytes of memory in a city.
const MAX_TILES: usize = 150;

/// Parts of streets, houses and places that are searched at most. No region has so many in its tiles: a map that says
/// otherwise must not fill a phone's memory or stop its answers.
const MAX_PARTS: usize = 300_000;
const MAX_HOUSES: usize = 4_000_000;
const MAX_PLACES: usize = 10_000;

/// Streets of one name that are far from each other; further ones are left out.
const MAX_SAME_NAME: usize = 1_000;

/// Parts of streets of one name that are so near to each other are one street, in meters.
const SAME_STREET_M: f64 = 500.0;

/// Greatest distance of a place's middle from a street that is said to be near it, in meters.
const NEAR_TOWN_M: f64 = 10_000.0;

/// Streets, houses and places of the tiles that were added.
#[derive(Default)]
pub struct AddressBook {
    texts: Texts,
    parts: Vec<StreetPart>,
    places: Vec<Settlement>,
    n_houses: usize,
    has_addresses: bool,
    index: Option<Index>,
}

impl AddressBook {
    /// The tiles that are searched, of those that are there: the nearest to a place, the nearest first.
    pub fn tiles_around(mut tiles: Vec<TileId>, near: Option<Place>) -> Vec<TileId> {
        let middle = near.map(|it| Point::at(it).tile());
        let square = |a: u32, b: u32| u64::from(a.abs_diff(b)).pow(2);
        tiles.sort_by_key(|it| {
            let apart = middle.map_or(0, |middle| square(it.x, middle.x) + square(it.y, middle.y));
            (apart, it.y, it.x)
        });
        tiles.truncate(MAX_TILES);
        tiles
    }

    /// Adds a tile that was not added before; what is beyond the bounds of a book is left out.
    pub fn add(&mut self, tile: &Tile) {
        let Some(addresses) = &tile.addresses else {
            return;
        };
        self.index = None;
        self.has_addresses = true;
        let name_of = |index: u32| tile.names.get(index as usize);
        let text_of = |index: Option<u32>| {
            let text = index.and_then(|it| addresses.texts.get(it as usize));
            text.map_or("", String::as_str)
        };
        for street in &addresses.streets {
            let Some(name) = name_of(street.name) else {
                continue;
            };
            if self.parts.len() == MAX_PARTS || MAX_HOUSES < self.n_houses + street.houses.len() {
                break;
            }
            self.n_houses += street.houses.len();
            let houses = street.houses.iter().map(|it| KnownHouse {
                number: it.number,
                suffix: self.texts.index(text_of(it.suffix)),
                at: it.at,
            });
            let houses: Vec<_> = houses.collect();
            self.parts.push(StreetPart {
                name: self.texts.index(name),
                postcode: self.texts.index(text_of(street.postcode)),
                town: self.texts.index(text_of(street.town)),
                at: street.at,
                order: addresses.order,
                houses,
            });
        }
        for place in &addresses.places {
            if self.places.len() == MAX_PLACES {
                break;
            }
            if let Some(name) = name_of(place.name) {
                self.places.push(Settlement {
                    name: self.texts.index(name),
                    kind: place.kind,
                    at: place.at,
                });
            }
        }
    }

    /// Returns true if a tile that was added says anything of addresses; older ones do not.
    pub fn has_addresses(&self) -> bool {
        self.has_addresses
    }

    /// Answers a question to the book with its index, which is made when the first one comes after a tile was added.
    pub(super) fn with_index<T>(&mut self, ask: impl FnOnce(&Self, &Index) -> T) -> T {
        let index = self
            .index
            .take()
            .unwrap_or_else(|| Index::new(&self.texts, &mut self.parts, &self.places));
        let answer = ask(self, &index);
        self.index = Some(index);
        answer
    }

    pub(super) fn text(&self, index: u32) -> &str {
        self.texts.get(index)
    }

    pub(super) fn part(&self, index: usize) -> Option<&StreetPart> {
        self.parts.get(index)
    }

    pub(super) fn places(&self) -> &[Settlement] {
        &self.places
    }
}

/// A street of a tile, or a part of one, with the postcode and the town that its houses share.
pub(super) struct StreetPart {
    pub(super) name: u32,
    pub(super) postcode: u32,
    pub(super) town: u32,
    pub(super) at: Point,
    pub(super) order: AddressOrder,
    pub(super) houses: Vec<KnownHouse>,
}

/// A house with a number.
#[derive(Clone, Copy)]
pub(super) struct KnownHouse {
    pub(super) number: u32,
    pub(super) suffix: u32,
    pub(super) at: Point,
}

/// A town, a village or a part of a town.
pub(super) struct Settlement {
    pub(super) name: u32,
    pub(super) kind: LabelKind,
    pub(super) at: Point,
}

/// Texts, each once; the first is empty.
struct Texts {
    all: Vec<String>,
    index_of: HashMap<String, u32>,
}

impl Default for Texts {
    fn default() -> Self {
        Self {
            all: vec![String::new()],
            index_of: HashMap::from([(String::new(), 0)]),
        }
    }
}

impl Texts {
    fn index(&mut self, text: &str) -> u32 {
        if let Some(index) = self.index_of.get(text) {
            return *index;
        }
        let index = self.all.len() as u32;
        self.all.push(text.to_owned());
        self.index_of.insert(text.to_owned(), index);
        index
    }

    fn get(&self, index: u32) -> &str {
        self.all.get(index as usize).map_or("", String::as_str)
    }
}

/// Streets, places and postcodes by their words.
pub(super) struct Index {
    /// Words of streets, towns and places, each once.
    pub(super) words: Vec<Word>,
    pub(super) streets: Vec<KnownStreet>,
    /// By word: the streets that can be found by it.
    pub(super) streets_with: Vec<Vec<u32>>,
    /// Words of the place with the same index.
    pub(super) places: Vec<Vec<u32>>,
    pub(super) postcodes: BTreeMap<String, KnownPostcode>,
}

/// A street across all tiles.
pub(super) struct KnownStreet {
    /// Words of its name, as indexes.
    pub(super) words: Vec<u32>,
    /// All words of its name as one, where it has several: 'Park Way' is typed as 'Parkway', too.
    pub(super) as_one: Option<u32>,
    /// Words of its towns, and of the place that is nearest to it.
    pub(super) town_words: Vec<u32>,
    pub(super) parts: Vec<usize>,
    /// A point near its middle.
    pub(super) at: Point,
    /// The nearest place, an index of the texts.
    pub(super) nearest_place: u32,
}

/// The houses with one postcode.
pub(super) struct KnownPostcode {
    pub(super) text: u32,
    pub(super) town: u32,
    pub(super) order: AddressOrder,
    sum: (u64, u64),
    n: u64,
}

impl KnownPostcode {
    /// The middle of the houses.
    pub(super) fn at(&self) -> Point {
        let n = self.n.max(1);
        Point {
            x: (self.sum.0 / n) as u32,
            y: (self.sum.1 / n) as u32,
        }
    }
}

impl Index {
    fn new(texts: &Texts, parts: &mut [StreetPart], places: &[Settlement]) -> Self {
        // In an order that does not depend on that of the tiles.
        parts.sort_by(|a, b| {
            let key = |it: &StreetPart| (it.at, it.houses.first().map(|it| (it.number, it.at)));
            let text = |it: &StreetPart| [it.name, it.postcode, it.town].map(|it| texts.get(it));
            (key(a), text(a)).cmp(&(key(b), text(b)))
        });
        let mut vocabulary = Vocabulary::default();
        let mut by_name = BTreeMap::<String, Vec<usize>>::new();
        for (index, part) in parts.iter().enumerate() {
            let name = letters(texts.get(part.name));
            by_name.entry(name).or_default().push(index);
        }
        let mut streets = Vec::new();
        for same_name in by_name.into_values() {
            for street in joined(same_name, parts) {
                streets.extend(known_street(street, parts, places, texts, &mut vocabulary));
            }
        }
        let places = places
            .iter()
            .map(|it| vocabulary.indexes(texts.get(it.name)))
            .collect();
        let words = vocabulary.words;
        let mut streets_with = vec![Vec::new(); words.len()];
        for (index, street) in (0..).zip(&streets) {
            let is_light = |it: &u32| words.get(*it as usize).is_none_or(|it| it.is_light);
            let all_light = street.words.iter().all(is_light);
            let telling = street.words.iter().filter(|it| all_light || !is_light(it));
            for word in telling.chain(&street.as_one) {
                if let Some(it) = streets_with.get_mut(*word as usize) {
                    it.push(index);
                }
            }
        }
        Self {
            words,
            streets,
            streets_with,
            places,
            postcodes: postcodes(parts, texts),
        }
    }
}

/// Words, each once.
#[derive(Default)]
struct Vocabulary {
    words: Vec<Word>,
    index_of: HashMap<String, u32>,
}

impl Vocabulary {
    fn indexes(&mut self, text: &str) -> Vec<u32> {
        words(text).into_iter().map(|it| self.index(it)).collect()
    }

    fn index(&mut self, word: Word) -> u32 {
        if let Some(index) = self.index_of.get(&word.plain) {
            return *index;
        }
        let index = self.words.len() as u32;
        self.index_of.insert(word.plain.clone(), index);
        self.words.push(word);
        index
    }
}

/// From the north-west corner to the south-east one.
#[derive(Clone, Copy)]
struct Extent(Point, Point);

impl Extent {
    fn around(part: &StreetPart) -> Self {
        let points = part.houses.iter().map(|it| it.at);
        points.fold(Self(part.at, part.at), |it, at| it.with(Self(at, at)))
    }

    fn with(self, other: Self) -> Self {
        let corner = |a: Point, b: Point, pick: fn(u32, u32) -> u32| Point {
            x: pick(a.x, b.x),
            y: pick(a.y, b.y),
        };
        Self(
            corner(self.0, other.0, u32::min),
            corner(self.1, other.1, u32::max),
        )
    }

    fn is_near(self, other: Self, ground: &Ground) -> bool {
        let between = |a: (u32, u32), b: (u32, u32)| a.0.max(b.0).saturating_sub(a.1.min(b.1));
        let x = between((self.0.x, self.1.x), (other.0.x, other.1.x));
        let y = between((self.0.y, self.1.y), (other.0.y, other.1.y));
        f64::from(x) * ground.east_m <= SAME_STREET_M
            && f64::from(y) * ground.south_m <= SAME_STREET_M
    }
}

/// Joins the parts of one name that are near to each other. Those with different towns stay apart: the same street goes on
/// beyond a border with other numbers.
fn joined(same_name: Vec<usize>, parts: &[StreetPart]) -> Vec<Vec<usize>> {
    struct Joined {
        town: u32,
        extent: Extent,
        parts: Vec<usize>,
    }
    let mut streets: Vec<Joined> = Vec::new();
    // Those that say a town first, so that the others join them.
    let with_town = |it: &usize| parts.get(*it).is_some_and(|it| it.town != 0);
    let (first, second): (Vec<_>, Vec<_>) = same_name.into_iter().partition(with_town);
    for index in first.into_iter().chain(second) {
        let Some(part) = parts.get(index) else {
            continue;
        };
        let ground = Ground::at(part.at);
        let mut new = Joined {
            town: part.town,
            extent: Extent::around(part),
            parts: vec![index],
        };
        let mut at = 0;
        while let Some(it) = streets.get(at) {
            let fits = it.town == new.town || new.town == 0;
            if fits && it.extent.is_near(new.extent, &ground) {
                let it = streets.remove(at);
                new.town = it.town.max(new.town);
                new.extent = new.extent.with(it.extent);
                new.parts.extend(it.parts);
                at = 0;
            } else {
                at += 1;
            }
        }
        if streets.len() < MAX_SAME_NAME {
            streets.push(new);
        }
    }
    streets.into_iter().map(|it| it.parts).collect()
}

fn known_street(
    mut indexes: Vec<usize>,
    parts: &[StreetPart],
    places: &[Settlement],
    texts: &Texts,
    vocabulary: &mut Vocabulary,
) -> Option<KnownStreet> {
    indexes.sort_unstable();
    let all: Vec<&StreetPart> = indexes.iter().filter_map(|it| parts.get(*it)).collect();
    let first = all.first()?;
    let n = all.len() as u64;
    let mean = |axis: fn(Point) -> u32| {
        (all.iter().map(|it| u64::from(axis(it.at))).sum::<u64>() / n) as u32
    };
    let mean = Point {
        x: mean(|it| it.x),
        y: mean(|it| it.y),
    };
    let apart = |it: Point| u64::from(it.x.abs_diff(mean.x)) + u64::from(it.y.abs_diff(mean.y));
    let at = all
        .iter()
        .map(|it| it.at)
        .min_by_key(|it| (apart(*it), *it))?;
    let ground = Ground::at(at);
    let nearest = places
        .iter()
        .map(|it| (ground.length_m(it.at, at), texts.get(it.name), it))
        .filter(|it| it.0 <= NEAR_TOWN_M)
        .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(b.1)));
    let nearest_place = nearest.map_or(0, |(.., it)| it.name);
    let mut towns: Vec<u32> = all.iter().map(|it| it.town).collect();
    towns.push(nearest_place);
    towns.sort_unstable();
    towns.dedup();
    let town_words = towns
        .iter()
        .flat_map(|it| vocabulary.indexes(texts.get(*it)));
    let town_words = town_words.collect();
    let name = words(texts.get(first.name));
    let as_one = name.iter().skip(1).fold(name.first().cloned(), |sum, it| {
        sum.map(|sum| sum.joined(it))
    });
    let as_one = as_one
        .filter(|_| name.len() > 1)
        .map(|it| vocabulary.index(it));
    Some(KnownStreet {
        words: name.into_iter().map(|it| vocabulary.index(it)).collect(),
        as_one,
        town_words,
        at,
        nearest_place,
        parts: indexes,
    })
}

fn postcodes(parts: &[StreetPart], texts: &Texts) -> BTreeMap<String, KnownPostcode> {
    let mut postcodes = BTreeMap::<String, KnownPostcode>::new();
    for part in parts.iter().filter(|it| it.postcode != 0) {
        let key = letters(texts.get(part.postcode));
        let known = postcodes.entry(key).or_insert(KnownPostcode {
            text: part.postcode,
            town: part.town,
            order: part.order,
            sum: (0, 0),
            n: 0,
        });
        if known.town != part.town {
            // In several towns, or some do not say it: then it is left out.
            known.town = 0;
        }
        for house in &part.houses {
            known.sum.0 += u64::from(house.at.x);
            known.sum.1 += u64::from(house.at.y);
            known.n += 1;
        }
    }
    postcodes.retain(|_, it| it.n > 0);
    postcodes
}
