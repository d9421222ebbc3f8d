//! Owns the index of a mirror: its regions by name and by place, in the form of Geofabrik's `index-v1.json`
//! (download.geofabrik.de/technical.html), of which fields that are not needed are passed over.

use serde::Deserialize;

use super::towns::{self, Town};

/// A region that can be downloaded.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Its id at the mirror, such as `hamburg` or `us/california`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The id of the region that it is a part of.
    pub parent: Option<String>,
    /// The address of its extract, as the index writes it.
    pub extract: String,
    /// Its borders: rings of longitudes and latitudes, outer and inner ones alike.
    rings: Vec<Vec<(f64, f64)>>,
}

/// Why no region was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindError {
    /// Neither a region nor a town has this name.
    #[error(
        "the mirror has no region `{query}`, and no town of this name is known{}; a place can also be given as latitude and longitude, as in `53.55,9.99`",
        or_list(nearest, " (nearest names: ", ")")
    )]
    Unknown {
        /// The name that was looked for.
        query: String,
        /// Names of regions and towns that are written almost like it, the nearest first.
        nearest: Vec<String>,
    },
    /// Several regions or towns have this name.
    #[error(
        "`{query}` is several: {}; a place can also be given as latitude and longitude, as in `53.55,9.99`",
        or_list(choices, "write one of ", "")
    )]
    Ambiguous {
        /// The name that was looked for.
        query: String,
        /// Names to write instead, each of one of them.
        choices: Vec<String>,
    },
    /// The place lies in no region.
    #[error("the mirror has no region at {0}")]
    Nowhere(String),
}

fn or_list(names: &[String], before: &str, after: &str) -> String {
    if names.is_empty() {
        return String::new();
    }
    let quoted: Vec<String> = names.iter().map(|it| format!("`{it}`")).collect();
    format!("{before}{}{after}", quoted.join(", "))
}

/// A region, and why it is the one that was meant.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<'a> {
    /// Region that was meant.
    pub region: &'a Region,
    /// The town or the place that lies in it, for people; `None` if the region itself was named.
    pub place: Option<String>,
}

/// Regions of a mirror that have an extract.
#[derive(Clone, Debug, Default)]
pub struct Index(Vec<Region>);

#[derive(Deserialize)]
struct IndexFile {
    features: Vec<Feature>,
}

#[derive(Deserialize)]
struct Feature {
    properties: Properties,
    geometry: Option<Geometry>,
}

#[derive(Deserialize)]
struct Properties {
    id: String,
    name: String,
    parent: Option<String>,
    #[serde(default)]
    urls: Urls,
}

#[derive(Default, Deserialize)]
struct Urls {
    pbf: Option<String>,
}

type Ring = Vec<Vec<f64>>;

#[derive(Deserialize)]
#[serde(tag = "type", content = "coordinates")]
enum Geometry {
    Polygon(Vec<Ring>),
    MultiPolygon(Vec<Vec<Ring>>),
}

/// The most names that are proposed.
const MOST_NEAREST: usize = 5;
/// Characters of a region's id or name; what is longer names no region.
const MAX_NAME_CHARS: usize = 100;
/// Jaro-Winkler similarity below which a name is another one.
const LEAST_SIMILARITY: f64 = 0.82;
/// Multiple of the next larger town's people above which a town is meant without more being said.
const CLEARLY_LARGER: u32 = 20;

impl Index {
    /// Reads the file of an index. Names are shown in a terminal and stored, so a region without a plain one is left out.
    pub fn read(json: &[u8]) -> serde_json::Result<Self> {
        let file: IndexFile = serde_json::from_slice(json)?;
        let is_plain = |name: &str| {
            name.chars().count() <= MAX_NAME_CHARS && !name.chars().any(char::is_control)
        };
        let named = file.features.into_iter().filter(|it| {
            let parent = it.properties.parent.as_deref().unwrap_or_default();
            let Properties { id, name, .. } = &it.properties;
            [id.as_str(), name.as_str(), parent]
                .into_iter()
                .all(is_plain)
        });
        let regions = named.filter_map(|it| {
            let rings = match it.geometry {
                Some(Geometry::Polygon(rings)) => rings,
                Some(Geometry::MultiPolygon(polygons)) => polygons.concat(),
                None => Vec::new(),
            };
            let point = |it: &Vec<f64>| it.first().copied().zip(it.get(1).copied());
            Some(Region {
                id: it.properties.id,
                name: it.properties.name,
                parent: it.properties.parent,
                extract: it.properties.urls.pbf?,
                rings: rings
                    .iter()
                    .map(|it| it.iter().filter_map(point).collect())
                    .collect(),
            })
        });
        Ok(Self(regions.collect()))
    }

    /// The region with this id.
    pub fn region(&self, id: &str) -> Option<&Region> {
        self.0.iter().find(|it| it.id == id)
    }

    /// Finds the region that has this name or id, or in which a town or place lies.
    ///
    /// A query is `Georgia`, `Georgia, Europe` with what it is a part of, `us/georgia`, `Springfield, IL` or `53.55,9.99`.
    pub fn find(&self, query: &str) -> Result<Found<'_>, FindError> {
        let query = query.trim();
        if let Some((lat, lng)) = place(query) {
            let region = self
                .smallest_at(lat, lng)
                .ok_or_else(|| FindError::Nowhere(query.to_owned()))?;
            return Ok(Found {
                region,
                place: Some(query.to_owned()),
            });
        }
        let (name, within) = match query.split_once(',') {
            Some((name, within)) => (folded(name), Some(folded(within))),
            None => (folded(query), None),
        };
        let named = |it: &&Region| {
            let is_named = [folded(&it.name), folded(&it.id), folded(last_part(&it.id))];
            let parts = [it.parent.clone().unwrap_or_default(), self.parent_name(it)];
            is_named.contains(&name)
                && within
                    .as_ref()
                    .is_none_or(|within| parts.iter().any(|it| folded(it) == *within))
        };
        let regions: Vec<&Region> = self.0.iter().filter(named).collect();
        match regions.as_slice() {
            [] => self.find_town(query, &name, within.as_deref()),
            [region] => Ok(Found {
                region,
                place: None,
            }),
            several => Err(FindError::Ambiguous {
                query: query.to_owned(),
                choices: several.iter().map(|it| self.in_full(it)).collect(),
            }),
        }
    }

    fn find_town(
        &self,
        query: &str,
        name: &str,
        within: Option<&str>,
    ) -> Result<Found<'_>, FindError> {
        let all = towns::all();
        let is_there = |it: &&Town| {
            within.is_none_or(|within| {
                [it.country, it.state]
                    .map(folded)
                    .contains(&within.to_owned())
            })
        };
        let usual = |it: &&Town| folded(it.name()) == name;
        let other = |it: &&Town| it.names.split('|').any(|it| folded(it) == name);
        let mut towns: Vec<&Town> = all.iter().filter(is_there).filter(usual).collect();
        if towns.is_empty() {
            towns = all.iter().filter(is_there).filter(other).collect();
        }
        let town = match towns.as_slice() {
            [] => return Err(self.unknown(query, name, &all)),
            [town] => *town,
            // The largest is the first.
            [town, next, ..] if CLEARLY_LARGER * next.thousands <= town.thousands => *town,
            several => {
                let mut choices: Vec<String> = several.iter().map(|it| it.in_full()).collect();
                choices.dedup();
                choices.truncate(MOST_NEAREST);
                return Err(FindError::Ambiguous {
                    query: query.to_owned(),
                    choices,
                });
            }
        };
        let region = self.smallest_at(town.lat, town.lng);
        region
            .map(|region| Found {
                region,
                place: Some(town.in_full()),
            })
            .ok_or_else(|| FindError::Nowhere(town.in_full()))
    }

    fn unknown(&self, query: &str, name: &str, towns: &[Town]) -> FindError {
        let regions = self.0.iter().map(|it| it.name.as_str());
        let names = regions.chain(towns.iter().map(|it| it.name()));
        let mut near: Vec<(f64, &str)> = names
            .map(|it| (strsim::jaro_winkler(&folded(it), name), it))
            .filter(|(similarity, _)| LEAST_SIMILARITY <= *similarity)
            .collect();
        // Stable: of those that are as near, regions stay before towns, and large towns before small ones.
        near.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut nearest: Vec<String> = Vec::new();
        for (_, it) in near {
            if nearest.len() < MOST_NEAREST && !nearest.iter().any(|known| known == it) {
                nearest.push(it.to_owned());
            }
        }
        FindError::Unknown {
            query: query.to_owned(),
            nearest,
        }
    }

    /// The smallest region at a place: extracts lie in each other.
    fn smallest_at(&self, lat: f64, lng: f64) -> Option<&Region> {
        let there = self.0.iter().filter(|it| it.contains(lat, lng));
        there.min_by(|a, b| a.extent().total_cmp(&b.extent()))
    }

    fn parent_name(&self, region: &Region) -> String {
        let parent = region.parent.as_deref().and_then(|it| self.region(it));
        let named = parent.map(|it| it.name.clone()).or(region.parent.clone());
        named.unwrap_or_default()
    }

    /// The name of a region with what it is a part of.
    fn in_full(&self, region: &Region) -> String {
        match self.parent_name(region) {
            parent if parent.is_empty() => region.id.clone(),
            parent => format!("{}, {parent}", region.name),
        }
    }
}

impl Region {
    /// Returns true if a place lies within the outer rings and not within the inner ones.
    fn contains(&self, lat: f64, lng: f64) -> bool {
        let crossings = self.rings.iter().flat_map(|it| edges(it)).filter(|(a, b)| {
            let is_beside = (a.1 <= lat) != (b.1 <= lat);
            is_beside && lng < a.0 + (lat - a.1) / (b.1 - a.1) * (b.0 - a.0)
        });
        crossings.count() % 2 == 1
    }

    /// The size of what its rings enclose, in no unit: to tell a city from a country. Rings that cross the 180th meridian are
    /// cut there by the index.
    fn extent(&self) -> f64 {
        let ring = |it: &Vec<(f64, f64)>| {
            let strips = edges(it).map(|(a, b)| {
                let height = a.1.to_radians().sin() + b.1.to_radians().sin();
                (b.0 - a.0) * height
            });
            strips.sum::<f64>().abs()
        };
        self.rings.iter().map(ring).sum()
    }
}

fn edges(ring: &[(f64, f64)]) -> impl Iterator<Item = ((f64, f64), (f64, f64))> + '_ {
    let next = ring.iter().skip(1).chain(ring.first());
    ring.iter().copied().zip(next.copied())
}

/// Latitude and longitude, if the query is a place.
fn place(query: &str) -> Option<(f64, f64)> {
    let (lat, lng) = query.split_once(',')?;
    let (lat, lng): (f64, f64) = (lat.trim().parse().ok()?, lng.trim().parse().ok()?);
    let is_on_earth = (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lng);
    is_on_earth.then_some((lat, lng))
}

fn last_part(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

/// A name as names are compared: small letters without the commonest accents, one space between words.
fn folded(name: &str) -> String {
    let mut folded = String::new();
    for letter in name.trim().chars().flat_map(char::to_lowercase) {
        match letter {
            'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => folded.push('a'),
            'ç' | 'č' | 'ć' => folded.push('c'),
            'è' | 'é' | 'ê' | 'ë' | 'ě' | 'ę' => folded.push('e'),
            'ì' | 'í' | 'î' | 'ï' => folded.push('i'),
            'ñ' | 'ń' | 'ň' => folded.push('n'),
            'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' => folded.push('o'),
            'ù' | 'ú' | 'û' | 'ü' | 'ů' => folded.push('u'),
            'ý' => folded.push('y'),
            'ł' => folded.push('l'),
            'š' | 'ś' => folded.push('s'),
            'ž' | 'ź' | 'ż' => folded.push('z'),
            'ß' => folded.push_str("ss"),
            '-' | '_' | ' ' | '\'' | '’' => {
                if !folded.ends_with(' ') {
                    folded.push(' ');
                }
            }
            other => folded.push(other),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A country around Hamburg, the city in it, and two Georgias.
    const INDEX: &str = r#"{ "type": "FeatureCollection", "features": [
        { "type": "Feature", "properties": { "id": "germany", "parent": "europe", "name": "Germany",
            "iso3166-1:alpha2": ["DE"], "urls": { "pbf": "https://mirror/europe/germany-latest.osm.pbf" } },
          "geometry": { "type": "MultiPolygon", "coordinates": [[[[6, 47], [15, 47], [15, 55], [6, 55], [6, 47]]]] } },
        { "type": "Feature", "properties": { "id": "hamburg", "parent": "germany", "name": "Hamburg",
            "urls": { "pbf": "https://mirror/europe/germany/hamburg-latest.osm.pbf" } },
          "geometry": { "type": "Polygon", "coordinates": [[[9.7, 53.3], [10.4, 53.3], [10.4, 53.8], [9.7, 53.8], [9.7, 53.3]]] } },
        { "type": "Feature", "properties": { "id": "baden-wuerttemberg", "parent": "germany", "name": "Baden-Württemberg",
            "urls": { "pbf": "https://mirror/europe/germany/baden-wuerttemberg-latest.osm.pbf" } },
          "geometry": { "type": "Polygon", "coordinates": [[[7.5, 47.5], [10.5, 47.5], [10.5, 49.8], [7.5, 49.8], [7.5, 47.5]]] } },
        { "type": "Feature", "properties": { "id": "georgia", "parent": "europe", "name": "Georgia",
            "urls": { "pbf": "https://mirror/europe/georgia-latest.osm.pbf" } }, "geometry": null },
        { "type": "Feature", "properties": { "id": "us/georgia", "parent": "us", "name": "Georgia",
            "urls": { "pbf": "https://mirror/north-america/us/georgia-latest.osm.pbf" } }, "geometry": null },
        { "type": "Feature", "properties": { "id": "europe", "name": "Europe", "urls": {} }, "geometry": null }
    ] }"#;

    fn index() -> Index {
        Index::read(INDEX.as_bytes()).expect("an index")
    }

    fn id(query: &str) -> Result<String, FindError> {
        index().find(query).map(|it| it.region.id.clone())
    }

    #[test]
    fn a_region_is_found_by_its_name_its_id_and_what_it_is_a_part_of() {
        for (query, expected) in [
            ("Hamburg", "hamburg"),
            (" hamburg ", "hamburg"),
            ("baden wurttemberg", "baden-wuerttemberg"),
            ("Baden-Württemberg", "baden-wuerttemberg"),
            ("us/georgia", "us/georgia"),
            ("Georgia, us", "us/georgia"),
            ("georgia, EUROPE", "georgia"),
        ] {
            assert_eq!(id(query).as_deref(), Ok(expected), "{query}");
        }
    }

    #[test]
    fn the_smallest_region_around_a_town_or_place_is_taken() {
        for (query, expected) in [
            ("Heidelberg, DE", "baden-wuerttemberg"),
            ("München", "germany"),
            ("Muenchen", "germany"),
            ("53.55,9.99", "hamburg"),
            ("52.5, 13.4", "germany"),
        ] {
            assert_eq!(id(query).as_deref(), Ok(expected), "{query}");
        }
        let place = index().find("Heidelberg, DE").map(|it| it.place);
        assert_eq!(place, Ok(Some("Heidelberg, DE".to_owned())));
        assert_eq!(id("0,0"), Err(FindError::Nowhere("0,0".to_owned())));
        let far = id("Helsinki");
        assert_eq!(far, Err(FindError::Nowhere("Helsinki, FI".to_owned())));
    }

    #[test]
    fn a_name_that_several_have_is_asked_back() {
        let choices = |query| match id(query) {
            Err(FindError::Ambiguous { choices, .. }) => choices,
            other => panic!("{other:?}"),
        };
        assert_eq!(choices("Georgia"), ["Georgia, europe", "Georgia, us"]);
        let towns = choices("Springfield");
        assert!(towns.contains(&"Springfield, IL".to_owned()), "{towns:?}");
        assert!(towns.len() <= MOST_NEAREST);
    }

    #[test]
    fn an_unknown_name_brings_the_nearest_ones() {
        let error = id("Hambrug").expect_err("unknown");
        let FindError::Unknown { nearest, .. } = &error else {
            panic!("{error:?}");
        };
        assert_eq!(nearest.first().map(String::as_str), Some("Hamburg"));
        assert!(error.to_string().contains("nearest names: `Hamburg`"));
        let error = id("qqqqqqqqxx").expect_err("unknown").to_string();
        assert!(!error.contains("nearest"), "{error}");
    }

    #[test]
    fn regions_whose_names_would_steer_a_terminal_are_left_out() {
        let with_name = |name: &str| {
            let json = serde_json::json!({ "features": [{
                "properties": { "id": "hamburg", "name": name, "urls": { "pbf": "https://mirror/hamburg.osm.pbf" } },
                "geometry": null,
            }] });
            let index = Index::read(json.to_string().as_bytes()).expect("an index");
            index.region("hamburg").is_some()
        };
        assert!(with_name("Hamburg"));
        assert!(!with_name("Ham\u{1b}[2Jburg"));
        assert!(!with_name(&"Hamburg ".repeat(100)));
    }

    #[test]
    fn an_index_in_another_form_is_refused() {
        for text in ["", "<!doctype html>", "[]", r#"{ "features": 7 }"#] {
            assert!(Index::read(text.as_bytes()).is_err(), "{text}");
        }
    }
}
