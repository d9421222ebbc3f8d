//! Owns what a geocoder of others is asked and what its answer means: the fallback for addresses outside the imported map,
//! where an operator has configured one. The server asks it, with the words of an address and nothing else.

use serde::Serialize;
use serde_json::Value;

use super::found::{FoundAddress, FoundKind, Parts};
use crate::map::AddressOrder;
use crate::values::bounds;
use crate::values::place::Place;

/// As many as the search on the map proposes.
const MAX_FOUND: usize = 6;
/// The most entries of an answer that are read.
const MAX_READ: usize = 50;
/// Fewer letters name half of a country.
const LEAST_LETTERS: usize = 3;

/// Parts of Nominatim's addresses that stand for the town, the nearest first.
const TOWNS: [&str; 5] = ["city", "town", "village", "hamlet", "municipality"];
/// Parts of them that stand for the street, the most usual first.
const ROADS: [&str; 6] = ["road", "pedestrian", "footway", "path", "square", "place"];

/// Kind of geocoder, by the form of its calls and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeocoderKind {
    /// <https://github.com/komoot/photon>: `GET /api`, answered as GeoJSON.
    Photon,
    /// <https://nominatim.org/release-docs/latest/api/Search/>: `GET /search`, answered in the format `jsonv2`.
    Nominatim,
}

/// Says if there is a geocoder for addresses outside the areas.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GeocoderService {
    /// Name of the geocoder that `POST /map/geocoder/search` asks: `Photon` or `Nominatim`; null where there is none.
    pub name: Option<String>,
}

/// Addresses that a geocoder found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GeocoderAnswer {
    /// False if the geocoder did not answer, or not in its form.
    pub is_answered: bool,
    /// At most six, in the geocoder's order.
    pub addresses: Vec<FoundAddress>,
}

impl GeocoderAnswer {
    /// The answer in place of one that never came.
    pub const fn failed() -> Self {
        Self {
            is_answered: false,
            addresses: Vec::new(),
        }
    }
}

/// Words of an address that a geocoder may be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchedAddress(String);

impl SearchedAddress {
    /// Takes what was typed, in one line; or says why it cannot be searched, for the person.
    pub fn parse(typed: &str) -> Result<Self, String> {
        if typed.chars().filter(|it| it.is_alphanumeric()).count() < LEAST_LETTERS {
            return Err(format!(
                "Type at least {LEAST_LETTERS} letters of the address"
            ));
        }
        if let Some(error) = bounds::text_error("address", typed) {
            return Err(error);
        }
        let words: Vec<&str> = typed.split_whitespace().collect();
        Ok(Self(words.join(" ")))
    }
}

impl GeocoderKind {
    /// Every kind that an operator can choose.
    pub const ALL: [Self; 2] = [Self::Photon, Self::Nominatim];

    /// Name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Photon => "Photon",
            Self::Nominatim => "Nominatim",
        }
    }

    /// Path of a search, below the geocoder's address.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Photon => "api",
            Self::Nominatim => "search",
        }
    }

    /// Query of a search, not yet encoded.
    pub fn query(self, SearchedAddress(words): &SearchedAddress) -> Vec<(&'static str, String)> {
        let mut query = vec![("q", words.clone()), ("limit", MAX_FOUND.to_string())];
        if self == Self::Nominatim {
            query.push(("format", "jsonv2".to_owned()));
            query.push(("addressdetails", "1".to_owned()));
        }
        query
    }

    /// The addresses of an answer; entries that are no address are left out.
    pub fn read(self, answer: &[u8]) -> GeocoderAnswer {
        let Ok(answer) = serde_json::from_slice::<Value>(answer) else {
            return GeocoderAnswer::failed();
        };
        let entries = match self {
            Self::Photon => answer.get("features").and_then(Value::as_array),
            Self::Nominatim => answer.as_array(),
        };
        let Some(entries) = entries else {
            return GeocoderAnswer::failed();
        };
        let mut addresses: Vec<FoundAddress> = Vec::new();
        for entry in entries.iter().take(MAX_READ) {
            let entry = match self {
                Self::Photon => Entry::from_photon(entry),
                Self::Nominatim => Entry::from_nominatim(entry),
            };
            let Some(found) = entry.and_then(Entry::into_found) else {
                continue;
            };
            // A street comes once for each of its parts.
            let is_known = |it: &FoundAddress| it.text == found.text && it.note == found.note;
            if !addresses.iter().any(is_known) {
                addresses.push(found);
            }
            if addresses.len() == MAX_FOUND {
                break;
            }
        }
        GeocoderAnswer {
            is_answered: true,
            addresses,
        }
    }
}

/// An entry of an answer.
struct Entry<'a> {
    place: Place,
    parts: Parts<'a>,
    kind: FoundKind,
    /// Name of what stands there; may be that of the street or town.
    name: &'a str,
    state: &'a str,
    country: &'a str,
    /// ISO 3166-1, in any case.
    country_code: &'a str,
}

impl<'a> Entry<'a> {
    /// A GeoJSON feature.
    fn from_photon(entry: &'a Value) -> Option<Self> {
        let coordinates = entry.get("geometry")?.get("coordinates")?;
        let degrees = |at: usize| coordinates.get(at).and_then(Value::as_f64);
        let about = entry.get("properties")?;
        let name = text(about, "name");
        let kind = text(about, "type");
        let number = text(about, "housenumber");
        let is_area = matches!(kind, "city" | "county" | "state" | "country");
        let town = first(about, &["city", "district", "locality", "county"]);
        Some(Self {
            place: Place::from_degrees(degrees(1)?, degrees(0)?)?,
            kind: match kind {
                _ if !number.is_empty() => FoundKind::House,
                "street" => FoundKind::Street,
                _ => FoundKind::Town,
            },
            parts: Parts {
                number,
                street: first_of(&[text(about, "street"), if is_area { "" } else { name }]),
                postcode: text(about, "postcode"),
                town: if kind == "city" { name } else { town },
            },
            name,
            state: text(about, "state"),
            country: text(about, "country"),
            country_code: text(about, "countrycode"),
        })
    }

    /// A place in the format `jsonv2` with address details.
    fn from_nominatim(entry: &'a Value) -> Option<Self> {
        let degrees = |key| match entry.get(key)? {
            Value::String(text) => text.parse::<f64>().ok(),
            other => other.as_f64(),
        };
        let about = entry.get("address")?;
        let name = text(entry, "name");
        let kind = text(entry, "addresstype");
        let number = text(about, "house_number");
        let is_road = ROADS.contains(&kind);
        let is_town = TOWNS.contains(&kind);
        let town = first(about, &TOWNS);
        let named = match kind {
            "postcode" | "county" | "state" | "country" => "",
            _ if is_town => "",
            _ => name,
        };
        Some(Self {
            place: Place::from_degrees(degrees("lat")?, degrees("lon")?)?,
            kind: match kind {
                _ if !number.is_empty() => FoundKind::House,
                "postcode" => FoundKind::Postcode,
                _ if is_road => FoundKind::Street,
                _ => FoundKind::Town,
            },
            parts: Parts {
                number,
                street: first_of(&[first(about, &ROADS), named]),
                postcode: text(about, "postcode"),
                town: first_of(&[town, first(about, &["suburb", "county"])]),
            },
            name,
            state: text(about, "state"),
            country: text(about, "country"),
            country_code: text(about, "country_code"),
        })
    }

    /// The address as people write it there; `None` where it has no words, or such as no field takes.
    fn into_found(mut self) -> Option<FoundAddress> {
        let Parts {
            number,
            street,
            town,
            postcode,
        } = self.parts;
        // A village without streets has numbers of its own.
        if !number.is_empty() && street.is_empty() {
            self.parts.street = town;
            self.parts.town = "";
        }
        if street == town && number.is_empty() {
            self.parts.street = "";
        }
        if [number, street, town, postcode]
            .iter()
            .all(|it| it.is_empty())
        {
            self.parts.town = first_of(&[self.name, self.state, self.country]);
        }
        let order = AddressOrder::from_country(&self.country_code.to_ascii_uppercase());
        let text = self.parts.text(order);
        let is_said = |it: &str| it.is_empty() || text.contains(it);
        let around = [self.name, self.state, self.country];
        let around: Vec<&str> = around.into_iter().filter(|it| !is_said(it)).collect();
        let note = (!around.is_empty()).then(|| around.join(", "));
        let is_usable = |text: &str| {
            bounds::text_error("address", text).is_none() && !text.contains(['\n', '\t'])
        };
        let is_found =
            !text.is_empty() && is_usable(&text) && note.as_deref().is_none_or(is_usable);
        is_found.then_some(FoundAddress {
            kind: self.kind,
            text,
            note,
            place: self.place,
        })
    }
}

/// The text of a field; empty where there is none.
fn text<'a>(of: &'a Value, key: &str) -> &'a str {
    of.get(key).and_then(Value::as_str).map_or("", str::trim)
}

/// The first of these fields that has a text.
fn first<'a>(of: &'a Value, keys: &[&str]) -> &'a str {
    keys.iter()
        .map(|key| text(of, key))
        .find(|it| !it.is_empty())
        .unwrap_or_default()
}

/// The first of these texts that has words.
fn first_of<'a>(texts: &[&'a str]) -> &'a str {
    texts
        .iter()
        .copied()
        .find(|it| !it.is_empty())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn photon(properties: Value) -> Value {
        json!({ "type": "Feature", "properties": properties,
                "geometry": { "type": "Point", "coordinates": [-76.6165, 39.3289] } })
    }

    fn read(kind: GeocoderKind, entries: Value) -> Vec<FoundAddress> {
        let answer = match kind {
            GeocoderKind::Photon => json!({ "type": "FeatureCollection", "features": entries }),
            GeocoderKind::Nominatim => entries,
        };
        let answer = kind.read(answer.to_string().as_bytes());
        assert!(answer.is_answered);
        answer.addresses
    }

    #[track_caller]
    fn check(kind: GeocoderKind, entry: Value, expected: (FoundKind, &str, Option<&str>)) {
        let found = read(kind, json!([entry]));
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.kind, it.text.as_str(), it.note.as_deref()))
            .collect();
        assert_eq!(found, [expected]);
    }

    #[test]
    fn photon_features_are_addresses_as_people_write_them_there() {
        let kind = GeocoderKind::Photon;
        check(
            kind,
            photon(json!({
                "osm_key": "building", "type": "house", "housenumber": "2905", "street": "North Charles Street",
                "postcode": "21218", "city": "Baltimore", "state": "Maryland", "country": "United States",
                "countrycode": "US",
            })),
            (
                FoundKind::House,
                "2905 North Charles Street, Baltimore 21218",
                Some("Maryland, United States"),
            ),
        );
        check(
            kind,
            photon(json!({
                "type": "street", "name": "Mannerheimintie", "postcode": "00100", "city": "Helsinki",
                "country": "Finland", "countrycode": "FI",
            })),
            (
                FoundKind::Street,
                "Mannerheimintie, 00100 Helsinki",
                Some("Finland"),
            ),
        );
        check(
            kind,
            photon(
                json!({ "type": "city", "name": "Springfield", "state": "Illinois", "countrycode": "US" }),
            ),
            (FoundKind::Town, "Springfield", Some("Illinois")),
        );
        check(
            kind,
            photon(json!({
                "type": "house", "name": "Corner Cafe", "housenumber": "12", "street": "Long Street",
                "city": "Springfield", "countrycode": "US",
            })),
            (
                FoundKind::House,
                "12 Long Street, Springfield",
                Some("Corner Cafe"),
            ),
        );
        check(
            kind,
            photon(
                json!({ "type": "other", "name": "Druid Hill Park", "city": "Baltimore", "countrycode": "US" }),
            ),
            (FoundKind::Town, "Druid Hill Park, Baltimore", None),
        );
        check(
            kind,
            photon(json!({ "type": "state", "name": "Maryland", "country": "United States" })),
            (FoundKind::Town, "Maryland", Some("United States")),
        );
    }

    #[test]
    fn nominatim_places_are_addresses_as_people_write_them_there() {
        let kind = GeocoderKind::Nominatim;
        let at = |addresstype: &str, name: &str, address: Value| {
            json!({
                "lat": "39.3289", "lon": "-76.6165", "category": "place", "addresstype": addresstype, "name": name,
                "display_name": "Much longer", "address": address,
            })
        };
        check(
            kind,
            at(
                "building",
                "",
                json!({
                    "house_number": "2905", "road": "North Charles Street", "neighbourhood": "Charles Village",
                    "city": "Baltimore", "state": "Maryland", "postcode": "21218", "country": "United States",
                    "country_code": "us",
                }),
            ),
            (
                FoundKind::House,
                "2905 North Charles Street, Baltimore 21218",
                Some("Maryland, United States"),
            ),
        );
        check(
            kind,
            at(
                "road",
                "Long Street",
                json!({ "road": "Long Street", "town": "Springfield", "country_code": "us" }),
            ),
            (FoundKind::Street, "Long Street, Springfield", None),
        );
        check(
            kind,
            at(
                "suburb",
                "Hampden",
                json!({ "suburb": "Hampden", "city": "Baltimore", "country_code": "us" }),
            ),
            (FoundKind::Town, "Hampden, Baltimore", None),
        );
        check(
            kind,
            at(
                "postcode",
                "21218",
                json!({ "postcode": "21218", "city": "Baltimore", "country_code": "us" }),
            ),
            (FoundKind::Postcode, "Baltimore 21218", None),
        );
        check(
            kind,
            at(
                "house",
                "",
                json!({ "house_number": "7", "village": "Kleindorf", "postcode": "01234", "country_code": "de" }),
            ),
            (FoundKind::House, "Kleindorf 7, 01234", None),
        );
        check(
            kind,
            at(
                "city",
                "Baltimore",
                json!({ "city": "Baltimore", "state": "Maryland", "country_code": "us" }),
            ),
            (FoundKind::Town, "Baltimore", Some("Maryland")),
        );
    }

    #[test]
    fn entries_that_are_no_address_are_left_out() {
        let good = photon(json!({ "type": "street", "name": "Long Street" }));
        let long = "x".repeat(501);
        let mut far = good.clone();
        far["geometry"]["coordinates"] = json!([-76.6, 139.3]);
        let mut flat = good.clone();
        flat["geometry"]["coordinates"] = json!([-76.6]);
        let found = read(
            GeocoderKind::Photon,
            json!([
                null,
                7,
                {},
                far,
                flat,
                photon(json!({})),
                photon(json!({ "name": long })),
                photon(json!({ "name": "a\u{0}b" })),
                photon(json!({ "name": "a\nb" })),
                good,
                good,
            ]),
        );
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].text, "Long Street");
        let many: Vec<Value> = (0..40)
            .map(|it| photon(json!({ "type": "street", "name": format!("Street {it}") })))
            .collect();
        assert_eq!(read(GeocoderKind::Photon, json!(many)).len(), MAX_FOUND);
        assert_eq!(read(GeocoderKind::Photon, json!([])), []);
    }

    #[test]
    fn answers_that_are_not_in_the_form_count_as_none() {
        for answer in [
            "",
            "<html>",
            "[",
            "{}",
            "null",
            "[]",
            r#"{"features":7}"#,
            r#"{"message":"KEY"}"#,
        ] {
            let expected = GeocoderAnswer::failed();
            assert_eq!(
                GeocoderKind::Photon.read(answer.as_bytes()),
                expected,
                "{answer}"
            );
        }
        for answer in ["", "{}", r#"{"error":"Unable"}"#] {
            assert!(
                !GeocoderKind::Nominatim.read(answer.as_bytes()).is_answered,
                "{answer}"
            );
        }
        let deep = "[".repeat(100_000);
        assert!(!GeocoderKind::Nominatim.read(deep.as_bytes()).is_answered);
    }

    #[test]
    fn only_the_words_of_an_address_are_asked_for() {
        let searched = SearchedAddress::parse("  12  Long\nStreet ").unwrap();
        let query = GeocoderKind::Photon.query(&searched);
        assert_eq!(
            query,
            [
                ("q", "12 Long Street".to_owned()),
                ("limit", "6".to_owned())
            ]
        );
        let query = GeocoderKind::Nominatim.query(&searched);
        let keys: Vec<&str> = query.iter().map(|it| it.0).collect();
        assert_eq!(keys, ["q", "limit", "format", "addressdetails"]);
    }

    #[test]
    fn texts_that_are_no_address_are_not_asked_for() {
        let long = "x".repeat(501);
        for typed in ["", "  ", "ab", "!!!!", "a\u{0}bcd", "\u{1b}[2Jabc", &long] {
            assert!(SearchedAddress::parse(typed).is_err(), "{typed}");
        }
    }

    proptest! {
        #[test]
        fn no_answer_does_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200), text in ".*") {
            for kind in GeocoderKind::ALL {
                kind.read(&bytes);
                let entry = photon(json!({ "type": text, "name": text, "city": text, "housenumber": text }));
                for found in kind.read(json!({ "features": [entry] }).to_string().as_bytes()).addresses {
                    prop_assert!(found.text.chars().count() <= bounds::ADDRESS);
                }
            }
        }
    }
}
