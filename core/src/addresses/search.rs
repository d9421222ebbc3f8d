//! Owns how what was typed is compared with the streets, places and postcodes of a book, and which of them come first.
//!
//! Each street gets costs for what does not fit: letters, words of its name that were not typed, typed words that are no
//! part of it. The work is bounded by the words of the query, by those of the map, and by `MAX_CANDIDATES`.

use std::collections::BTreeMap;

use super::book::{AddressBook, Index, KnownHouse, KnownPostcode, KnownStreet, StreetPart};
use super::found::{FoundAddress, FoundKind, Parts};
use super::spelling::cost;
use super::words::{Word, letters, words};
use crate::map::{AddressOrder, LabelKind, Point};
use crate::values::place::Place;

/// Addresses that are found at most.
const MAX_FOUND: usize = 6;

/// Streets that are looked at more closely.
const MAX_CANDIDATES: usize = 20_000;

/// No typed word fits.
const NEVER: u8 = u8::MAX;

/// Cost of a typed word that is no part of the address, and of one that people leave out or add.
const UNKNOWN_WORD: u32 = 6;
const UNKNOWN_LIGHT_WORD: u32 = 2;

/// Cost of a word of the street that was not typed, and of one that people leave out.
const MISSING_WORD: u32 = 5;
const MISSING_LIGHT_WORD: u32 = 1;

/// Cost of another house than the one that was typed, and of a street without houses.
const NEAREST_HOUSE: u32 = 1;
const NO_HOUSES: u32 = 2;

/// Cost of a number that is neither a house nor the postcode, but as long as one.
const UNKNOWN_POSTCODE: u32 = 1;

/// Greatest cost of a street that is an answer.
const MAX_COST: u32 = 30;

/// Results that cost so much more than the best one are something else.
const MAX_BEHIND: u32 = 8;

/// Results of one text are one where they are so near to each other, in meters.
const SAME_RESULT_M: f64 = 300.0;

/// Words before the number of a flat or a floor.
const UNIT: &[&str] = &[
    "apt",
    "apartment",
    "unit",
    "suite",
    "ste",
    "floor",
    "fl",
    "bldg",
    "as",
    "krs",
];

/// A result with what it is sorted by.
struct Ranked {
    cost: u32,
    distance_m: u32,
    found: FoundAddress,
}

impl AddressBook {
    /// Up to six addresses that fit what was typed, the best first, and of those that fit alike the nearest to `near`.
    pub fn find(&mut self, typed: &str, near: Option<Place>) -> Vec<FoundAddress> {
        self.with_index(|book, index| find(book, index, typed, near))
    }
}

/// The addresses that fit, the best first.
fn find(book: &AddressBook, index: &Index, typed: &str, near: Option<Place>) -> Vec<FoundAddress> {
    let query = Query::new(typed, index);
    if query.words.is_empty() {
        return Vec::new();
    }
    let near = near.map(Point::at);
    let mut ranked = Vec::new();
    let mut add = |cost: u32, at: Point, found: FoundAddress| {
        let distance_m = near.map_or(0, |it| it.distance_m(at) as u32);
        ranked.push(Ranked {
            cost,
            distance_m,
            found,
        });
    };
    for street in query.candidates(index) {
        let Some(street) = index.streets.get(street as usize) else {
            continue;
        };
        if let Some(fit) = query.fit(street, book, index)
            && fit.cost <= MAX_COST
        {
            let (cost, at, found) = query.address(street, &fit, book, index);
            add(cost, at, found);
        }
    }
    for (place, place_words) in book.places().iter().zip(&index.places) {
        if let Some(cost) = query.cost_of_all(place_words) {
            let found = FoundAddress {
                kind: FoundKind::Town,
                text: book.text(place.name).to_owned(),
                note: Some(match place.kind {
                    LabelKind::Suburb => "The middle of this part of town".to_owned(),
                    _ => "The middle of the place".to_owned(),
                }),
                place: place.at.place(),
            };
            add(cost, place.at, found);
        }
    }
    if let Some(postcode) = query.postcode(index) {
        let parts = Parts {
            postcode: book.text(postcode.text),
            town: book.text(postcode.town),
            ..Parts::default()
        };
        let found = FoundAddress {
            kind: FoundKind::Postcode,
            text: parts.text(postcode.order),
            note: Some("The middle of the houses with this postcode".to_owned()),
            place: postcode.at().place(),
        };
        add(0, postcode.at(), found);
    }
    best(ranked)
}

/// The best results, each once.
fn best(mut ranked: Vec<Ranked>) -> Vec<FoundAddress> {
    let key = |it: &Ranked| (it.cost, it.distance_m);
    ranked.sort_by(|a, b| {
        let place = |it: &Ranked| (it.found.place.lat_e7, it.found.place.lon_e7);
        (key(a), &a.found.text, place(a)).cmp(&(key(b), &b.found.text, place(b)))
    });
    let least = ranked.first().map_or(0, |it| it.cost);
    let mut found: Vec<FoundAddress> = Vec::new();
    for Ranked {
        cost, found: next, ..
    } in ranked
    {
        if least + MAX_BEHIND < cost {
            break;
        }
        let at = Point::at(next.place);
        let is_there = found
            .iter()
            .any(|it| it.text == next.text && Point::at(it.place).distance_m(at) <= SAME_RESULT_M);
        if !is_there {
            found.push(next);
        }
        if found.len() == MAX_FOUND {
            break;
        }
    }
    found
}

/// Typed words, compared with each word of the map.
struct Query {
    words: Vec<Word>,
    /// By typed word, then by word of the map: what it costs to take one for the other.
    singles: Vec<Vec<u8>>,
    /// The same for a typed word together with the next.
    pairs: Vec<Vec<u8>>,
}

/// Fit of a query to a street.
struct Fit {
    cost: u32,
    /// Indexes of the typed words that are part of the street's name.
    street: Vec<usize>,
    /// Numbers that may be the house's, in their order.
    numbers: Vec<usize>,
    /// A number that is a postcode of the street.
    postcode: Option<usize>,
}

impl Query {
    fn new(typed: &str, index: &Index) -> Self {
        let query = words(typed);
        let costs = |typed: &Word| {
            let costs = index
                .words
                .iter()
                .map(|it| cost(typed, it).unwrap_or(NEVER));
            costs.collect::<Vec<u8>>()
        };
        let pairs = query.windows(2).map(|pair| match pair {
            [a, b] if !a.is_number && !b.is_number => costs(&a.joined(b)),
            _ => Vec::new(),
        });
        Self {
            singles: query.iter().map(&costs).collect(),
            pairs: pairs.collect(),
            words: query,
        }
    }

    /// Streets that any typed word may name, each once.
    fn candidates(&self, index: &Index) -> Vec<u32> {
        let mut is_wanted = vec![false; index.streets.len()];
        for costs in self.singles.iter().chain(&self.pairs) {
            for (cost, streets) in costs.iter().zip(&index.streets_with) {
                if *cost == NEVER {
                    continue;
                }
                for street in streets {
                    if let Some(it) = is_wanted.get_mut(*street as usize) {
                        *it = true;
                    }
                }
            }
        }
        let wanted = (0..)
            .zip(is_wanted)
            .filter_map(|(index, it)| it.then_some(index));
        wanted.take(MAX_CANDIDATES).collect()
    }

    fn single(&self, typed: usize, word: u32) -> u8 {
        cost_at(&self.singles, typed, word)
    }

    /// Compares the query with a street; `None` where nothing of its name was typed, or more that is no part of it.
    fn fit(&self, street: &KnownStreet, book: &AddressBook, index: &Index) -> Option<Fit> {
        let mut is_typed = vec![false; street.words.len()];
        let mut is_used = vec![false; self.words.len()];
        let mut cost = self.take_whole(street, index, &mut is_typed, &mut is_used);
        cost += self.take_pairs(street, &mut is_typed, &mut is_used);
        cost += self.take_singles(street, index, &mut is_typed, &mut is_used);
        let is_light = |word: u32| index.words.get(word as usize).is_none_or(|it| it.is_light);
        let all_light = street.words.iter().all(|it| is_light(*it));
        let mut n_named = 0;
        for (word, is_typed) in street.words.iter().zip(is_typed) {
            let counts = all_light || !is_light(*word);
            n_named += u32::from(is_typed && counts);
            cost += match (is_typed, counts) {
                (true, _) => 0,
                (false, true) => MISSING_WORD,
                (false, false) => MISSING_LIGHT_WORD,
            };
        }
        if n_named == 0 {
            return None;
        }
        let indexes = is_used.iter().enumerate();
        let mut fit = Fit {
            cost,
            street: indexes.filter(|it| *it.1).map(|it| it.0).collect(),
            numbers: Vec::new(),
            postcode: None,
        };
        let n_unknown = self.take_rest(&mut fit, street, &is_used, book);
        (n_unknown <= n_named).then_some(fit)
    }

    /// Takes a typed word for all of the street's, where it is longer than each of them: 'Parkway' for 'Park Way'.
    fn take_whole(
        &self,
        street: &KnownStreet,
        index: &Index,
        is_typed: &mut [bool],
        is_used: &mut [bool],
    ) -> u32 {
        let Some(as_one) = street.as_one else {
            return 0;
        };
        let known = |it: &u32| index.words.get(*it as usize).map_or(0, |it| it.plain.len());
        let longest = street.words.iter().map(known).max().unwrap_or(0);
        let longer = self.words.iter().enumerate();
        let longer = longer.filter(|(_, it)| longest < it.plain.len());
        let fits = longer.map(|(typed, _)| (self.single(typed, as_one), typed));
        match fits.filter(|it| it.0 != NEVER).min() {
            Some((cost, typed)) => {
                is_typed.fill(true);
                mark(is_used, typed);
                u32::from(cost)
            }
            None => 0,
        }
    }

    /// Takes two typed words for one of the street's where neither is one of it: 'Haupt Straße'.
    fn take_pairs(&self, street: &KnownStreet, is_typed: &mut [bool], is_used: &mut [bool]) -> u32 {
        let mut total = 0;
        for typed in 0..self.pairs.len() {
            let is_one = |typed: usize| street.words.iter().any(|it| self.single(typed, *it) == 0);
            let is_free = |at: usize| is_used.get(at) == Some(&false);
            if !is_free(typed) || !is_free(typed + 1) || is_one(typed) || is_one(typed + 1) {
                continue;
            }
            let costs = street
                .words
                .iter()
                .map(|it| cost_at(&self.pairs, typed, *it));
            if let Some((at, cost)) = least(costs, is_typed)
                && cost <= 1
            {
                total += u32::from(cost);
                mark(is_typed, at);
                mark(is_used, typed);
                mark(is_used, typed + 1);
            }
        }
        total
    }

    /// Takes typed words for words of the street: first those that are the same, then other forms of it ('33' for '33rd'),
    /// then those that are alike.
    fn take_singles(
        &self,
        street: &KnownStreet,
        index: &Index,
        is_typed: &mut [bool],
        is_used: &mut [bool],
    ) -> u32 {
        let mut total = 0;
        let is_same = |typed: usize, word: u32| {
            let known = index.words.get(word as usize).map(|it| &it.plain);
            known == self.words.get(typed).map(|it| &it.plain)
        };
        for (most, is_exact) in [(0, true), (0, false), (NEVER - 1, false)] {
            // From the end: of '33 E 33 St' the first number is the house.
            for typed in (0..self.words.len()).rev() {
                if is_used.get(typed) != Some(&false) {
                    continue;
                }
                let costs = street.words.iter().map(|it| match is_exact {
                    true if !is_same(typed, *it) => NEVER,
                    _ => self.single(typed, *it),
                });
                if let Some((at, cost)) = least(costs, is_typed)
                    && cost <= most
                {
                    total += u32::from(cost);
                    mark(is_typed, at);
                    mark(is_used, typed);
                }
            }
        }
        total
    }

    /// Looks at the typed words that are no part of the street's name: numbers, a town, a postcode, a flat. Returns how
    /// many are nothing of it.
    fn take_rest(
        &self,
        fit: &mut Fit,
        street: &KnownStreet,
        is_used: &[bool],
        book: &AddressBook,
    ) -> u32 {
        let parts = || street.parts.iter().filter_map(|it| book.part(*it));
        let is_postcode = |typed: &str| {
            let same =
                |it: &StreetPart| it.postcode != 0 && letters(book.text(it.postcode)) == typed;
            parts().any(same)
        };
        let mut n_unknown = 0;
        let mut after_unit = false;
        for (typed, word) in self.words.iter().enumerate() {
            if is_used.get(typed) != Some(&false) {
                continue;
            }
            let was_unit = std::mem::replace(&mut after_unit, UNIT.contains(&word.plain.as_str()));
            if after_unit || (was_unit && word.is_number) {
                continue;
            }
            if word.is_number {
                if fit.postcode.is_none() && is_postcode(&letters(&word.plain)) {
                    fit.postcode = Some(typed);
                } else {
                    fit.numbers.push(typed);
                }
                continue;
            }
            // 'Long Street 12 A 5': the stairs, or a part of the number.
            if word.plain.chars().count() == 1 && !fit.numbers.is_empty() {
                continue;
            }
            let towns = street.town_words.iter();
            let town = towns.map(|it| self.single(typed, *it)).min();
            match town.filter(|it| *it != NEVER) {
                Some(cost) => fit.cost += u32::from(cost),
                None if word.is_light => fit.cost += UNKNOWN_LIGHT_WORD,
                None => {
                    fit.cost += UNKNOWN_WORD;
                    n_unknown += 1;
                }
            }
        }
        n_unknown
    }

    /// Takes all typed words for a place's, and all of the place's were typed.
    fn cost_of_all(&self, place: &[u32]) -> Option<u32> {
        if place.len() != self.words.len() {
            return None;
        }
        let mut is_typed = vec![false; place.len()];
        let mut total = 0;
        for typed in 0..self.words.len() {
            let costs = place.iter().map(|it| self.single(typed, *it));
            let (at, cost) = least(costs, &is_typed)?;
            total += u32::from(cost);
            mark(&mut is_typed, at);
        }
        Some(total)
    }

    /// The postcode that was typed, with nothing else.
    fn postcode<'a>(&self, index: &'a Index) -> Option<&'a KnownPostcode> {
        let typed: String = self.words.iter().map(|it| letters(&it.plain)).collect();
        index.postcodes.get(&typed)
    }

    /// The address that a street is found as: its cost, its point and its text.
    fn address(
        &self,
        street: &KnownStreet,
        fit: &Fit,
        book: &AddressBook,
        index: &Index,
    ) -> (u32, Point, FoundAddress) {
        let mut cost = fit.cost;
        let parts: Vec<&StreetPart> = street
            .parts
            .iter()
            .filter_map(|it| book.part(*it))
            .collect();
        let order = parts.first().map(|it| it.order).unwrap_or_default();
        let houses = || {
            parts
                .iter()
                .flat_map(|part| part.houses.iter().map(move |house| (*part, house)))
        };
        let postcode = fit.postcode.and_then(|it| self.words.get(it));
        let fits_postcode = |part: &StreetPart| {
            postcode.is_some_and(|it| letters(book.text(part.postcode)) == letters(&it.plain))
        };
        let wanted: Vec<HouseNumber> = fit
            .numbers
            .iter()
            .filter_map(|it| HouseNumber::new(&self.words, *it))
            .collect();
        let exact = wanted.iter().find_map(|number| {
            let same = houses().filter(|(_, it)| number.is(it, book.text(it.suffix)));
            let house = same.min_by_key(|(part, it)| {
                let suffix = book.text(it.suffix);
                let is_elsewhere = postcode.is_some() && part.postcode != 0 && !fits_postcode(part);
                let is_worse = (number.is_range(suffix), !fits_postcode(part));
                (is_elsewhere, is_worse, number.differs(suffix), it.at)
            });
            house.map(|it| (number, it))
        });
        // A number that is a postcode elsewhere is hardly a house.
        let is_known = |it: &&HouseNumber| !index.postcodes.contains_key(&it.letters);
        let first = wanted.iter().find(is_known).or_else(|| wanted.first());
        let chosen = exact.map(|it| it.0).or(first);
        let others = wanted
            .iter()
            .filter(|it| chosen.is_none_or(|chosen| chosen.at != it.at) && it.letters.len() >= 4);
        cost += UNKNOWN_POSTCODE * others.count() as u32;
        // As it was typed, where a number says it.
        let order = match (chosen, fit.street.first()) {
            (Some(number), Some(first)) => AddressOrder {
                number_first: number.at < *first,
                ..order
            },
            _ => order,
        };
        let name = |part: &StreetPart| book.text(part.name).to_owned();
        let found = |kind, number: &str, part: &StreetPart, note, at: Point| {
            let street = name(part);
            let parts = Parts {
                number,
                street: &street,
                postcode: book.text(part.postcode),
                town: book.text(part.town),
            };
            FoundAddress {
                kind,
                text: parts.text(order),
                note,
                place: at.place(),
            }
        };
        if let Some((number, (part, house))) = exact {
            let text = if number.is_range(book.text(house.suffix)) {
                number.text.clone()
            } else {
                shown(house, book)
            };
            return (
                cost,
                house.at,
                found(FoundKind::House, &text, part, None, house.at),
            );
        }
        let nearest = chosen.and_then(|number| {
            let key = |(part, it): &(&StreetPart, &KnownHouse)| {
                let across = (it.number % 2) != (number.number % 2);
                let apart = it.number.abs_diff(number.number);
                let apart = apart.saturating_add(u32::from(across));
                (
                    apart,
                    across,
                    !fits_postcode(part),
                    it.number,
                    it.suffix,
                    it.at,
                )
            };
            houses().min_by_key(key).map(|it| (number, it))
        });
        if let Some((number, (part, house))) = nearest {
            let note = Some(format!("Nearest house: {}", shown(house, book)));
            let place = found(FoundKind::NearestHouse, &number.text, part, note, house.at);
            return (cost + NEAREST_HOUSE, house.at, place);
        }
        let whole = whole_street(street, &parts);
        let note = match chosen {
            Some(_) => Some("The map has no house numbers of this street".to_owned()),
            None if whole.town == 0 && street.nearest_place != 0 => {
                Some(format!("Near {}", book.text(street.nearest_place)))
            }
            None => None,
        };
        let number = chosen.map_or("", |it| it.text.as_str());
        let place = found(FoundKind::Street, number, &whole, note, street.at);
        cost += chosen.map_or(0, |_| NO_HOUSES);
        (cost, street.at, place)
    }
}

/// A street's name with the postcode and the town that all of its houses share.
fn whole_street(street: &KnownStreet, parts: &[&StreetPart]) -> StreetPart {
    let shared = |of: fn(&StreetPart) -> u32| {
        let mut said = parts.iter().map(|it| of(it)).filter(|it| *it != 0);
        let first = said.next().unwrap_or(0);
        if said.all(|it| it == first) { first } else { 0 }
    };
    let first = parts.first();
    // As most of its houses write it: 'Straße' and 'Strasse' are one street.
    let mut counts = BTreeMap::<u32, usize>::new();
    for part in parts {
        *counts.entry(part.name).or_default() += part.houses.len() + 1;
    }
    let name = counts.iter().max_by_key(|(_, count)| **count);
    StreetPart {
        name: name.map_or(0, |(name, _)| *name),
        postcode: shared(|it| it.postcode),
        town: shared(|it| it.town),
        at: street.at,
        order: first.map(|it| it.order).unwrap_or_default(),
        houses: Vec::new(),
    }
}

fn shown(house: &KnownHouse, book: &AddressBook) -> String {
    format!("{}{}", house.number, book.text(house.suffix))
}

/// A house number as it was typed.
struct HouseNumber {
    /// Index of the typed word.
    at: usize,
    number: u32,
    /// Letters and digits behind the number.
    suffix: String,
    /// A single letter that was typed behind it and apart, which may be a part of it or the stairs.
    letter: String,
    /// As it is written.
    text: String,
    letters: String,
}

impl HouseNumber {
    fn new(words: &[Word], at: usize) -> Option<Self> {
        let plain = words.get(at)?.short.as_str();
        let end = plain
            .find(|it: char| !it.is_ascii_digit())
            .unwrap_or(plain.len());
        let (digits, suffix) = plain.split_at(end);
        let next = words.get(at + 1).map_or("", |it| it.plain.as_str());
        let is_letter = suffix.is_empty() && next.chars().count() == 1;
        Some(Self {
            at,
            number: digits.parse().ok()?,
            suffix: letters(suffix),
            letter: if is_letter {
                letters(next)
            } else {
                String::new()
            },
            text: plain.to_uppercase(),
            letters: letters(plain),
        })
    }

    /// Returns true if a house has the number, alone or in its range: 12 is in '10-14', and 11 is not.
    fn is(&self, house: &KnownHouse, suffix: &str) -> bool {
        if house.number == self.number && !self.is_range(suffix) {
            let suffix = letters(suffix);
            return suffix == self.suffix || (self.suffix.is_empty() && suffix == self.letter);
        }
        let Some(last) = last_of_range(suffix).filter(|_| self.suffix.is_empty()) else {
            return house.number == self.number && letters(suffix) == self.suffix;
        };
        let one_side = last.abs_diff(house.number) % 2 == 0;
        let fits = !one_side || self.number.abs_diff(house.number).is_multiple_of(2);
        (house.number..=last).contains(&self.number) && fits
    }

    /// Returns true if a house has another letter than the one that was typed apart, if any was.
    fn differs(&self, suffix: &str) -> bool {
        !self.letter.is_empty() && letters(suffix) != self.letter
    }

    /// Returns true if a house has several numbers and one was typed.
    fn is_range(&self, suffix: &str) -> bool {
        self.suffix.is_empty() && last_of_range(suffix).is_some()
    }
}

/// 14 for the rest of '12-14'.
fn last_of_range(suffix: &str) -> Option<u32> {
    let last = suffix.trim().strip_prefix(['-', '–'])?.trim();
    let end = last
        .find(|it: char| !it.is_ascii_digit())
        .unwrap_or(last.len());
    last.get(..end)?.parse().ok()
}

fn cost_at(costs: &[Vec<u8>], typed: usize, word: u32) -> u8 {
    let costs = costs.get(typed);
    costs
        .and_then(|it| it.get(word as usize))
        .copied()
        .unwrap_or(NEVER)
}

/// The least cost of the words that are not taken yet, and which has it.
fn least(costs: impl Iterator<Item = u8>, is_taken: &[bool]) -> Option<(usize, u8)> {
    let free = costs
        .zip(is_taken)
        .enumerate()
        .filter(|(_, (cost, is_taken))| !**is_taken && *cost != NEVER);
    free.map(|(at, (cost, _))| (at, cost))
        .min_by_key(|(at, cost)| (*cost, *at))
}

fn mark(marks: &mut [bool], at: usize) {
    if let Some(it) = marks.get_mut(at) {
        *it = true;
    }
}
