//! Owns the addresses of a tile: what tags say of houses and of rows of them, and the streets that these belong to.
//!
//! After the OpenStreetMap wiki, 'Key:addr:*' and 'Key:addr:interpolation'. A house without the name of its street is left
//! out unless a row says it: that of the nearest street might be wrong.

use std::collections::{BTreeMap, HashMap, HashSet};

use walkies_core::addresses::letters;
use walkies_core::map::{
    AddressOrder, AddressPlace, AddressStreet, Addresses, Ground, House, LabelKind, LineKind,
    Point, TileId, WayKind,
};

use super::frame::Frame;
use super::osm::Tags;
use super::piece::Piece;
use super::whereabouts::{MAX_NAME_CHARS, Whereabouts};

/// The keys that this module asks for.
pub const KEYS: &[&str] = &[
    "addr:city",
    "addr:housenumber",
    "addr:interpolation",
    "addr:place",
    "addr:postcode",
    "addr:street",
];

/// Ways of one name that are so near to each other are one street, in meters.
const SAME_STREET_M: f64 = 200.0;

/// Marks of one house number that are so near to each other are one house, in meters.
const SAME_HOUSE_M: f64 = 30.0;

/// The same where one of them says less: an office in a house, which leaves the postcode out.
const SAME_HOUSE_WITHOUT_POSTCODE_M: f64 = 100.0;

/// Houses between two numbers of a row; more are a mistake of the data.
const MAX_ROW: u32 = 500;

/// Characters of what follows the digits of a house number.
const MAX_SUFFIX_CHARS: usize = 12;

/// House numbers that one house may list: '12;14;16'.
const MAX_LISTED: usize = 10;

/// Returns the house numbers as they are tagged, and the rest of the address; `None` for what has no number.
pub fn house(tags: &Tags) -> Option<(String, Whereabouts)> {
    let numbers = tags.get("addr:housenumber")?.trim();
    let fits = numbers.starts_with(|it: char| it.is_ascii_digit())
        && numbers.chars().count() <= MAX_NAME_CHARS;
    fits.then(|| (numbers.to_owned(), Whereabouts::new(tags)))
}

/// Returns the step from one house number to the next of a row (`addr:interpolation`), and what its houses share.
pub fn row(tags: &Tags) -> Option<(u32, Whereabouts)> {
    let step = match tags.get("addr:interpolation")? {
        "even" | "odd" => 2,
        "all" => 1,
        it => it.parse().ok().filter(|it| *it > 0)?,
    };
    Some((step, Whereabouts::new(tags)))
}

/// Returns true if a way is a house or a row of them.
pub fn matters(tags: &Tags) -> bool {
    house(tags).is_some() || row(tags).is_some()
}

/// The numbers of a house, as digits and what follows them.
fn numbers(listed: &str) -> impl Iterator<Item = (u32, &str)> {
    let parts = listed.split([';', ',']).take(MAX_LISTED);
    parts.filter_map(|part| {
        let part = part.trim();
        let end = part
            .find(|it: char| !it.is_ascii_digit())
            .unwrap_or(part.len());
        let (digits, suffix) = part.split_at(end);
        let fits = suffix.chars().count() <= MAX_SUFFIX_CHARS;
        digits.parse().ok().filter(|_| fits).map(|it| (it, suffix))
    })
}

/// Addresses of a tile, with names as texts.
#[derive(Debug)]
pub struct Draft {
    order: AddressOrder,
    streets: Vec<DraftStreet>,
    places: Vec<(LabelKind, Point, String)>,
}

#[derive(Debug)]
struct DraftStreet {
    whereabouts: Whereabouts,
    at: Point,
    houses: Vec<Numbered>,
}

/// A house number at a place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Numbered {
    number: u32,
    suffix: String,
    at: Point,
}

/// Ways of one name that belong together.
struct Part {
    frame: Frame,
    /// Its points within the tile.
    points: Vec<Point>,
}

/// Finds the addresses of a tile.
pub fn addresses(tile: TileId, pieces: &[Piece], ground: &Ground, order: AddressOrder) -> Draft {
    let streets = named_parts(tile, pieces, ground);
    let mut groups = BTreeMap::<(Whereabouts, usize), Vec<Numbered>>::new();
    let name_of: HashMap<String, &String> = streets.keys().map(|it| (letters(it), it)).collect();
    for (mut whereabouts, house) in houses(tile, pieces, ground) {
        // As the street itself is written.
        if !streets.contains_key(&whereabouts.street)
            && let Some(name) = name_of.get(&letters(&whereabouts.street))
        {
            whereabouts.street = (*name).clone();
        }
        let parts = streets.get(&whereabouts.street);
        let nearest = parts.into_iter().flatten().enumerate();
        let nearest = nearest.min_by_key(|(_, it)| apart(&it.frame, house.at));
        let part = nearest.map_or(0, |(index, _)| index);
        groups.entry((whereabouts, part)).or_default().push(house);
    }
    drop_repeated(&mut groups, ground);

    let with_houses: HashSet<(&str, usize)> = groups
        .keys()
        .map(|(it, part)| (it.street.as_str(), *part))
        .collect();
    let mut drafts = Vec::new();
    for (name, parts) in &streets {
        for (index, part) in parts.iter().enumerate() {
            let has_houses = with_houses.contains(&(name.as_str(), index));
            if !has_houses && let Some(at) = middle(&part.points) {
                let whereabouts = Whereabouts {
                    street: name.clone(),
                    ..Whereabouts::default()
                };
                drafts.push(DraftStreet {
                    whereabouts,
                    at,
                    houses: Vec::new(),
                });
            }
        }
    }
    for ((whereabouts, part), mut houses) in groups {
        // One side of the street after the other: so the differences are small and alike.
        houses.sort_by(|a, b| (a.number % 2, a).cmp(&(b.number % 2, b)));
        let parts = streets.get(&whereabouts.street);
        let of_street = parts
            .and_then(|it| it.get(part))
            .and_then(|it| middle(&it.points));
        let points: Vec<Point> = houses.iter().map(|it| it.at).collect();
        if let Some(at) = of_street.or_else(|| middle(&points)) {
            drafts.push(DraftStreet {
                whereabouts,
                at,
                houses,
            });
        }
    }
    let is_settled = |kind: &LabelKind| {
        matches!(
            kind,
            LabelKind::Town | LabelKind::Village | LabelKind::Suburb
        )
    };
    let places = pieces.iter().filter_map(|it| match it {
        Piece::Label(kind, at, name) if is_settled(kind) => {
            Some((*kind, Addresses::rounded(*at), name.clone()))
        }
        _ => None,
    });
    let mut places: Vec<_> = places.collect();
    places.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
    places.dedup();
    Draft {
        order,
        streets: drafts,
        places,
    }
}

impl Draft {
    /// Returns true if there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.streets.is_empty() && self.places.is_empty()
    }

    /// The names that have to be among the tile's.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let streets = self.streets.iter().map(|it| it.whereabouts.street.as_str());
        streets.chain(self.places.iter().map(|(.., name)| name.as_str()))
    }

    /// The addresses with names as indexes of the tile's.
    pub fn finish(self, name_of: impl Fn(&str) -> Option<u32>) -> Addresses {
        let mut texts = Texts::default();
        for street in &self.streets {
            texts.count(&street.whereabouts.postcode);
            texts.count(&street.whereabouts.town);
            street.houses.iter().for_each(|it| texts.count(&it.suffix));
        }
        let (texts, text_of) = texts.finish();
        let text_of = |text: &str| text_of.get(text).copied();
        let streets = self.streets.into_iter().filter_map(|street| {
            let houses = street.houses.into_iter().map(|it| House {
                number: it.number,
                suffix: text_of(&it.suffix),
                at: it.at,
            });
            Some(AddressStreet {
                name: name_of(&street.whereabouts.street)?,
                postcode: text_of(&street.whereabouts.postcode),
                town: text_of(&street.whereabouts.town),
                at: Addresses::rounded(street.at),
                houses: houses.collect(),
            })
        });
        let mut streets: Vec<_> = streets.collect();
        streets.sort_by_key(|it| (it.name, it.postcode, it.town, it.at));
        let places = self.places.into_iter().filter_map(|(kind, at, name)| {
            let name = name_of(&name)?;
            Some(AddressPlace { kind, name, at })
        });
        Addresses {
            order: self.order,
            texts,
            streets,
            places: places.collect(),
        }
    }
}

/// Texts with how often they stand there; the most frequent come first, their indexes take the fewest bytes.
#[derive(Default)]
struct Texts(BTreeMap<String, usize>);

impl Texts {
    fn count(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.0.get_mut(text) {
            Some(count) => *count += 1,
            None => {
                self.0.insert(text.to_owned(), 1);
            }
        }
    }

    fn finish(self) -> (Vec<String>, HashMap<String, u32>) {
        let mut texts: Vec<_> = self.0.into_iter().collect();
        texts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let texts: Vec<String> = texts.into_iter().map(|(text, _)| text).collect();
        let index_of = texts.iter().cloned().zip(0..).collect();
        (texts, index_of)
    }
}

/// The streets of a tile by name, each in parts that are not connected: two villages may have streets of one name.
fn named_parts(tile: TileId, pieces: &[Piece], ground: &Ground) -> BTreeMap<String, Vec<Part>> {
    let mut lines = BTreeMap::<&str, Vec<Vec<Point>>>::new();
    for piece in pieces {
        let (name, points) = match piece {
            Piece::Street(it) if it.way.kind != WayKind::Crossing => {
                (&it.name, it.course.iter().map(|it| it.at).collect())
            }
            Piece::Line(it)
                if matches!(
                    it.kind,
                    Some(LineKind::Motorway | LineKind::Road | LineKind::Private)
                ) =>
            {
                (&it.name, it.points.clone())
            }
            _ => continue,
        };
        if let Some(name) = name
            && name.chars().count() <= MAX_NAME_CHARS
        {
            lines.entry(name).or_default().push(points);
        }
    }
    let reach = (SAME_STREET_M / ground.east_m) as u32;
    let streets = lines.into_iter().map(|(name, lines)| {
        let mut parts: Vec<Part> = Vec::new();
        for line in lines {
            let Some(mut frame) = Frame::around(line.iter().copied()) else {
                continue;
            };
            let mut points: Vec<Point> = line.into_iter().filter(|it| it.tile() == tile).collect();
            // What it joins may be near to another part by now; that one is joined by the next line between them.
            while let Some(at) = parts
                .iter()
                .position(|it| grown(&it.frame, reach).meets(&frame))
            {
                let part = parts.swap_remove(at);
                points.extend(part.points);
                frame = Frame {
                    from: Point {
                        x: frame.from.x.min(part.frame.from.x),
                        y: frame.from.y.min(part.frame.from.y),
                    },
                    to: Point {
                        x: frame.to.x.max(part.frame.to.x),
                        y: frame.to.y.max(part.frame.to.y),
                    },
                };
            }
            parts.push(Part { frame, points });
        }
        parts.sort_by_key(|it| (it.frame.from, it.frame.to));
        (name.to_owned(), parts)
    });
    streets.collect()
}

fn grown(frame: &Frame, by: u32) -> Frame {
    Frame {
        from: Point {
            x: frame.from.x.saturating_sub(by),
            y: frame.from.y.saturating_sub(by),
        },
        to: Point {
            x: frame.to.x + by,
            y: frame.to.y + by,
        },
    }
}

/// Returns the distance of a point from a frame, in steps along both axes.
fn apart(frame: &Frame, at: Point) -> u32 {
    let outside = |from: u32, to: u32, it: u32| from.saturating_sub(it) + it.saturating_sub(to);
    outside(frame.from.x, frame.to.x, at.x) + outside(frame.from.y, frame.to.y, at.y)
}

/// The one of the points that is nearest to their middle.
fn middle(points: &[Point]) -> Option<Point> {
    let count = points.len().max(1) as u64;
    let mean = |axis: fn(&Point) -> u32| {
        let sum: u64 = points.iter().map(|it| u64::from(axis(it))).sum();
        (sum / count) as u32
    };
    let (x, y) = (mean(|it| it.x), mean(|it| it.y));
    let apart = |it: &&Point| {
        (
            u64::from(it.x.abs_diff(x)) + u64::from(it.y.abs_diff(y)),
            **it,
        )
    };
    points.iter().min_by_key(apart).copied()
}

/// The houses in a tile that say where they are, and those of rows.
fn houses(tile: TileId, pieces: &[Piece], ground: &Ground) -> Vec<(Whereabouts, Numbered)> {
    let mut here = HashMap::<Point, Vec<(&str, &Whereabouts)>>::new();
    let mut found = Vec::new();
    let mut add = |at: Point, number: u32, suffix: &str, whereabouts: Whereabouts| {
        if at.tile() == tile && !whereabouts.street.is_empty() {
            let house = Numbered {
                number,
                suffix: suffix.to_owned(),
                at: Addresses::rounded(at),
            };
            found.push((whereabouts, house));
        }
    };
    for piece in pieces {
        if let Piece::House(listed, whereabouts, at) = piece {
            here.entry(*at).or_default().push((listed, whereabouts));
            for (number, suffix) in numbers(listed) {
                add(*at, number, suffix, whereabouts.clone());
            }
        }
    }
    for piece in pieces {
        let Piece::HouseRow(step, shared, points) = piece else {
            continue;
        };
        let mut last: Option<(usize, u32, Whereabouts)> = None;
        for (index, at) in points.iter().enumerate() {
            let Some((listed, said)) = here.get(at).and_then(|it| it.first()) else {
                continue;
            };
            let Some((number, suffix)) = numbers(listed).next() else {
                continue;
            };
            let whereabouts = said.or(shared);
            if said.street.is_empty() {
                add(*at, number, suffix, whereabouts.clone());
            }
            if let Some((from, before, there)) = last
                && let Some(line) = points.get(from..=index)
            {
                let whereabouts = there.or(&whereabouts);
                for (number, at) in between(before, number, *step, line, ground) {
                    add(at, number, "", whereabouts.clone());
                }
            }
            last = Some((index, number, whereabouts));
        }
    }
    found
}

/// The numbers between two of a row, evenly along its line.
fn between(from: u32, to: u32, step: u32, line: &[Point], ground: &Ground) -> Vec<(u32, Point)> {
    let n_steps = from.abs_diff(to) / step;
    if !(2..=MAX_ROW).contains(&n_steps) || !from.abs_diff(to).is_multiple_of(step) {
        return Vec::new();
    }
    let lengths_m: Vec<f64> = line
        .windows(2)
        .map(|it| match it {
            [a, b] => ground.length_m(*a, *b),
            _ => 0.0,
        })
        .collect();
    let whole_m: f64 = lengths_m.iter().sum();
    let numbers = (1..n_steps).filter_map(|index| {
        let number = if from < to {
            from + index * step
        } else {
            from - index * step
        };
        let mut left_m = whole_m * f64::from(index) / f64::from(n_steps);
        for (pair, length_m) in line.windows(2).zip(&lengths_m) {
            if left_m <= *length_m
                && let [a, b] = pair
            {
                let share = left_m / length_m.max(f64::MIN_POSITIVE);
                let along = |a: u32, b: u32| {
                    (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u32
                };
                let at = Point {
                    x: along(a.x, b.x),
                    y: along(a.y, b.y),
                };
                return Some((number, at));
            }
            left_m -= length_m;
        }
        line.last().map(|it| (number, *it))
    });
    numbers.collect()
}

/// Leaves one mark of each house: several businesses in it have its number, too, and some of them say less.
fn drop_repeated(groups: &mut BTreeMap<(Whereabouts, usize), Vec<Numbered>>, ground: &Ground) {
    for houses in groups.values_mut() {
        houses.sort();
        let mut kept: Vec<Numbered> = Vec::with_capacity(houses.len());
        for house in houses.drain(..) {
            let is_same = |it: &Numbered| {
                (it.number, &it.suffix) == (house.number, &house.suffix)
                    && ground.length_m(it.at, house.at) <= SAME_HOUSE_M
            };
            // Sorted, so that marks of one number stand together.
            let mut before = kept.iter().rev().take_while(|it| it.number == house.number);
            if !before.any(is_same) {
                kept.push(house);
            }
        }
        *houses = kept;
    }
    let mut fuller = HashMap::<(String, u32, String), Vec<(Point, usize)>>::new();
    let n_said =
        |it: &Whereabouts| usize::from(!it.postcode.is_empty()) + usize::from(!it.town.is_empty());
    for ((whereabouts, _), houses) in groups.iter() {
        for it in houses {
            let key = (whereabouts.street.clone(), it.number, it.suffix.clone());
            let marks = fuller.entry(key).or_default();
            marks.push((it.at, n_said(whereabouts)));
        }
    }
    groups.retain(|(whereabouts, _), houses| {
        houses.retain(|it| {
            let key = (whereabouts.street.clone(), it.number, it.suffix.clone());
            let mut marks = fuller.get(&key).into_iter().flatten();
            !marks.any(|(at, n)| {
                n_said(whereabouts) < *n
                    && ground.length_m(*at, it.at) <= SAME_HOUSE_WITHOUT_POSTCODE_M
            })
        });
        !houses.is_empty()
    });
}

#[cfg(test)]
mod tests {
    use super::super::extract::at;
    use super::*;

    #[test]
    fn listed_numbers_are_houses_of_their_own() {
        let all = |text| numbers(text).collect::<Vec<_>>();
        assert_eq!(all("12"), [(12, "")]);
        assert_eq!(all("12a; 14 B,16-18"), [(12, "a"), (14, " B"), (16, "-18")]);
        assert_eq!(all("Mill House"), []);
        assert_eq!(all("99999999999"), []);
    }

    #[test]
    fn a_row_has_its_numbers_evenly_along_its_line() {
        let line = [at(0.0, 0.0), at(100.0, 0.0), at(100.0, 100.0)];
        let ground = Ground::at(line[0]);
        let row = between(2, 10, 2, &line, &ground);
        let numbers: Vec<u32> = row.iter().map(|it| it.0).collect();
        assert_eq!(numbers, [4, 6, 8]);
        for (index, (east, north)) in [(50.0, 0.0), (100.0, 0.0), (100.0, 50.0)]
            .into_iter()
            .enumerate()
        {
            assert!(row[index].1.distance_m(at(east, north)) < 2.0, "{index}");
        }
        assert_eq!(between(10, 4, 2, &line, &ground).len(), 2);
        // An odd number at the end of an even row, and a row that is none.
        assert_eq!(between(2, 9, 2, &line, &ground), []);
        assert_eq!(between(2, 100_000, 2, &line, &ground), []);
    }
}
