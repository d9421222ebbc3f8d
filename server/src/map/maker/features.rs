//! Owns what is on the map beside the ways: what the tags of areas, lines and single things make of them.
//! Pure, after the OpenStreetMap wiki's 'Map features'.

use walkies_core::map::{AreaKind, LabelKind, LineKind, SpotKind};

use super::osm::Tags;

/// The keys that this module asks for.
pub const KEYS: &[&str] = &[
    "access",
    "amenity",
    "area",
    "boundary",
    "building",
    "drinking_water",
    "garden:type",
    "highway",
    "landuse",
    "leisure",
    "man_made",
    "name",
    "natural",
    "place",
    "railway",
    "route",
    "service",
    "tunnel",
    "vending",
    "waterway",
];

/// Meaning of an area: how it is drawn, and whether it is green.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Land {
    /// How it is drawn, if it is.
    pub kind: Option<AreaKind>,
    /// True if a way through it leads through the green: a park, a wood, a nature reserve.
    pub green: bool,
}

/// Classifies an area by its tags; `None` if it means nothing on the map.
pub fn land(tags: &Tags) -> Option<Land> {
    let drawn = |kind| {
        Some(Land {
            kind: Some(kind),
            green: matches!(kind, AreaKind::Park | AreaKind::Wood | AreaKind::DogPark),
        })
    };
    let green = |kind| {
        Some(Land {
            kind: Some(kind),
            green: true,
        })
    };
    if tags.get("building").is_some_and(|it| it != "no") {
        return drawn(AreaKind::Building);
    }
    match tags.get("leisure") {
        Some("dog_park") => return drawn(AreaKind::DogPark),
        Some("garden")
            if tags.is("garden:type", "residential")
                || tags.is_any("access", &["private", "no"]) =>
        {
            return drawn(AreaKind::Grass);
        }
        Some("park" | "garden") => return drawn(AreaKind::Park),
        Some("common" | "recreation_ground") => return green(AreaKind::Grass),
        Some("nature_reserve") => {
            return Some(Land {
                kind: None,
                green: true,
            });
        }
        Some("pitch" | "playground" | "track" | "stadium") => return drawn(AreaKind::Pitch),
        Some("sports_centre" | "horse_riding") => return drawn(AreaKind::Grounds),
        Some("golf_course") => return drawn(AreaKind::Grass),
        Some("swimming_pool") => return drawn(AreaKind::Water),
        Some("beach_resort") => return drawn(AreaKind::Sand),
        _ => {}
    }
    match tags.get("natural") {
        Some("water") => return drawn(AreaKind::Water),
        Some("wood") => return drawn(AreaKind::Wood),
        Some("grassland" | "heath" | "scrub" | "wetland" | "fell" | "moor" | "tundra") => {
            return green(AreaKind::Grass);
        }
        Some("beach" | "sand" | "bare_rock" | "scree" | "shingle" | "dune") => {
            return drawn(AreaKind::Sand);
        }
        _ => {}
    }
    match tags.get("landuse") {
        Some("forest") => return drawn(AreaKind::Wood),
        Some("village_green" | "recreation_ground") => return green(AreaKind::Grass),
        Some("grass" | "meadow" | "flowerbed" | "greenery") => return drawn(AreaKind::Grass),
        Some("reservoir" | "basin") => return drawn(AreaKind::Water),
        Some("cemetery") => return drawn(AreaKind::Cemetery),
        Some(
            "farmland" | "farmyard" | "orchard" | "vineyard" | "allotments" | "plant_nursery"
            | "farm",
        ) => {
            return drawn(AreaKind::Farmland);
        }
        Some(
            "industrial" | "commercial" | "retail" | "railway" | "military" | "depot" | "education"
            | "quarry" | "landfill",
        ) => {
            return drawn(AreaKind::Grounds);
        }
        _ => {}
    }
    match tags.get("amenity") {
        Some("grave_yard") => return drawn(AreaKind::Cemetery),
        Some("parking") if tags.get("building").is_none() => return drawn(AreaKind::Parking),
        Some("school" | "university" | "college" | "kindergarten" | "hospital") => {
            return drawn(AreaKind::Grounds);
        }
        _ => {}
    }
    if tags.is_any("waterway", &["riverbank", "dock"]) {
        return drawn(AreaKind::Water);
    }
    let square = tags.is("area", "yes")
        && tags.is_any(
            "highway",
            &["pedestrian", "footway", "path", "living_street", "platform"],
        );
    if square || tags.is("place", "square") {
        return drawn(AreaKind::Square);
    }
    if tags.is_any("boundary", &["national_park", "protected_area"]) {
        return Some(Land {
            kind: None,
            green: true,
        });
    }
    None
}

/// Classifies a line that cannot be walked; `None` if it is `walked`, lies below the ground or is not drawn.
pub fn line(tags: &Tags, walked: bool) -> Option<LineKind> {
    // What is below the ground is not seen.
    let hidden = tags
        .get("tunnel")
        .is_some_and(|it| it != "no" && it != "building_passage");
    if hidden || walked || tags.is("area", "yes") {
        return None;
    }
    match tags.get("highway") {
        Some("motorway" | "motorway_link") => return Some(LineKind::Motorway),
        Some(
            "trunk" | "trunk_link" | "primary" | "primary_link" | "secondary" | "secondary_link"
            | "tertiary" | "tertiary_link" | "residential" | "unclassified" | "living_street"
            | "busway",
        ) => return Some(LineKind::Road),
        Some(
            "service" | "footway" | "path" | "track" | "cycleway" | "bridleway" | "pedestrian"
            | "steps",
        ) => {
            return Some(LineKind::Private);
        }
        Some(_) => return None,
        None => {}
    }
    match (tags.get("railway"), tags.get("waterway")) {
        (Some("tram"), _) => Some(LineKind::Tram),
        // Yards and sidings would be a thicket.
        (Some("rail" | "light_rail" | "narrow_gauge" | "subway" | "funicular"), _)
            if tags.get("service").is_none() =>
        {
            Some(LineKind::Rail)
        }
        (_, Some("river" | "canal")) => Some(LineKind::River),
        (_, Some("stream" | "ditch" | "drain")) => Some(LineKind::Stream),
        _ if tags.is("route", "ferry") => Some(LineKind::Ferry),
        _ => None,
    }
}

/// Returns true if a line is a row of trees.
pub fn is_tree_row(tags: &Tags) -> bool {
    tags.is("natural", "tree_row")
}

/// Returns true if a line is the coast of the sea.
pub fn is_coast(tags: &Tags) -> bool {
    tags.is("natural", "coastline")
}

/// Returns true if a way is anything on the map, walkable or not.
pub fn matters(tags: &Tags) -> bool {
    land(tags).is_some()
        || line(tags, false).is_some()
        || is_tree_row(tags)
        || is_coast(tags)
        || spot(tags).is_some()
}

/// Returns the kind of label that a node puts on the map.
pub fn node_label(tags: &Tags) -> Option<LabelKind> {
    match tags.get("place") {
        Some("city" | "town") => Some(LabelKind::Town),
        Some("village" | "hamlet") => Some(LabelKind::Village),
        Some("suburb" | "quarter" | "neighbourhood") => Some(LabelKind::Suburb),
        _ if tags.is("natural", "peak") => Some(LabelKind::Peak),
        _ if tags.is("leisure", "dog_park") => Some(LabelKind::DogPark),
        _ => None,
    }
}

/// Returns the kind of label that an area puts on the map.
pub fn area_label(land: Land) -> Option<LabelKind> {
    match land.kind {
        Some(AreaKind::Park | AreaKind::Wood) | None => Some(LabelKind::Park),
        Some(AreaKind::Grass) if land.green => Some(LabelKind::Park),
        Some(AreaKind::Water) => Some(LabelKind::Water),
        Some(AreaKind::DogPark) => Some(LabelKind::DogPark),
        _ => None,
    }
}

/// Classifies a node or an area as something that a walker looks for, such as a bench. Most kinds count only if they
/// are open to the public.
pub fn spot(tags: &Tags) -> Option<SpotKind> {
    let closed = tags.is_any("access", &["private", "no", "customers"]);
    let potable = !tags.is("drinking_water", "no");
    match tags.get("amenity") {
        _ if tags.is("natural", "tree") => Some(SpotKind::Tree),
        _ if tags.is("leisure", "dog_park") => (!closed).then_some(SpotKind::DogPark),
        Some("veterinary") => Some(SpotKind::Veterinary),
        _ if closed => None,
        _ if tags
            .get("vending")
            .is_some_and(|it| it.split(';').any(|it| it.trim() == "excrement_bags")) =>
        {
            Some(SpotKind::DogBags)
        }
        Some("drinking_water" | "water_point") if potable => Some(SpotKind::DrinkingWater),
        Some("bench") => Some(SpotKind::Bench),
        Some("waste_basket") => Some(SpotKind::Bin),
        Some("toilets") => Some(SpotKind::Toilets),
        Some("fountain") if tags.is("drinking_water", "yes") => Some(SpotKind::DrinkingWater),
        None if tags.is("man_made", "water_tap") && potable => Some(SpotKind::DrinkingWater),
        None if tags.is("man_made", "water_well") && tags.is("drinking_water", "yes") => {
            Some(SpotKind::DrinkingWater)
        }
        None if tags.is("natural", "spring") && tags.is("drinking_water", "yes") => {
            Some(SpotKind::DrinkingWater)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(text: &str) -> Tags<'_> {
        Tags::of(text.split(' ').filter_map(|it| it.split_once('=')))
    }

    #[test]
    fn areas_are_what_their_tags_say() {
        for (text, kind, green) in [
            ("building=yes", Some(AreaKind::Building), false),
            (
                "building=house leisure=park",
                Some(AreaKind::Building),
                false,
            ),
            ("leisure=park", Some(AreaKind::Park), true),
            (
                "leisure=garden access=private",
                Some(AreaKind::Grass),
                false,
            ),
            ("landuse=forest", Some(AreaKind::Wood), true),
            ("natural=wood", Some(AreaKind::Wood), true),
            ("landuse=grass", Some(AreaKind::Grass), false),
            ("landuse=recreation_ground", Some(AreaKind::Grass), true),
            ("leisure=nature_reserve", None, true),
            ("natural=water", Some(AreaKind::Water), false),
            ("waterway=riverbank", Some(AreaKind::Water), false),
            ("highway=pedestrian area=yes", Some(AreaKind::Square), false),
            ("leisure=dog_park", Some(AreaKind::DogPark), true),
        ] {
            assert_eq!(land(&tags(text)), Some(Land { kind, green }), "{text}");
        }
        for text in [
            "building=no",
            "landuse=residential",
            "highway=pedestrian",
            "amenity=cafe",
        ] {
            assert_eq!(land(&tags(text)), None, "{text}");
        }
    }

    #[test]
    fn lines_are_drawn_where_nobody_walks() {
        for (text, walked, kind) in [
            ("highway=motorway", false, Some(LineKind::Motorway)),
            ("highway=primary", false, Some(LineKind::Road)),
            ("highway=primary", true, None),
            (
                "highway=service access=private",
                false,
                Some(LineKind::Private),
            ),
            ("highway=motorway tunnel=yes", false, None),
            ("railway=rail", false, Some(LineKind::Rail)),
            ("railway=rail service=yard", false, None),
            ("railway=tram", false, Some(LineKind::Tram)),
            ("waterway=river", false, Some(LineKind::River)),
            ("waterway=stream tunnel=culvert", false, None),
            ("route=ferry", false, Some(LineKind::Ferry)),
            ("highway=construction", false, None),
        ] {
            assert_eq!(line(&tags(text), walked), kind, "{text}");
        }
    }

    #[test]
    fn spots_are_those_that_anybody_may_use() {
        for (text, kind) in [
            ("amenity=drinking_water", Some(SpotKind::DrinkingWater)),
            ("amenity=drinking_water drinking_water=no", None),
            ("amenity=drinking_water access=private", None),
            ("man_made=water_tap", Some(SpotKind::DrinkingWater)),
            ("amenity=fountain", None),
            (
                "amenity=fountain drinking_water=yes",
                Some(SpotKind::DrinkingWater),
            ),
            (
                "amenity=vending_machine vending=excrement_bags",
                Some(SpotKind::DogBags),
            ),
            (
                "amenity=waste_basket vending=cigarettes;excrement_bags",
                Some(SpotKind::DogBags),
            ),
            ("amenity=waste_basket", Some(SpotKind::Bin)),
            ("amenity=toilets access=customers", None),
            (
                "amenity=veterinary access=private",
                Some(SpotKind::Veterinary),
            ),
            ("leisure=dog_park", Some(SpotKind::DogPark)),
            ("leisure=dog_park access=private", None),
            ("natural=tree", Some(SpotKind::Tree)),
        ] {
            assert_eq!(spot(&tags(text)), kind, "{text}");
        }
    }
}
