//! Owns who may walk where: what the tags of ways and nodes say to a person on foot with a dog.
//! Pure: from tags, and from what is usual in the country, to a way of the network or to none.
//!
//! After the OpenStreetMap wiki, 'Key:access', 'Key:foot', 'Key:highway', 'Key:sidewalk', 'Key:crossing', 'Key:barrier',
//! 'Key:sac_scale', 'Key:maxspeed'.
//! Conditions as in `access:conditional` and the direction of one-way streets are left out of account.

use walkies_core::map::{Crossing, Lit, Naming, Sidewalk, Surface, Way, WayKind};

use super::country::Customs;
use super::osm::Tags;

/// From this length on nobody walks through a tunnel that was made for cars, in meters: below a railway's tracks one does.
pub const LONG_TUNNEL_M: f64 = 100.0;

/// From this limit on cars are fast, in km/h.
const FAST_KMH: f64 = 70.0;

/// Keys of a road's speed limit, and those that may say instead what kind of road the law's limit is for.
const LIMITS: &[&str] = &["maxspeed", "maxspeed:forward", "maxspeed:backward"];
const LIMITS_BY_LAW: &[&str] = &[
    "maxspeed",
    "maxspeed:type",
    "source:maxspeed",
    "zone:maxspeed",
];

/// The keys that are asked for here.
pub const KEYS: &[&str] = &[
    "abandoned",
    "access",
    "area",
    "bridge",
    "construction",
    "conveying",
    "crossing",
    "crossing:markings",
    "crossing:signals",
    "cycleway",
    "disused",
    "dog",
    "foot",
    "footway",
    "highway",
    "indoor",
    "lit",
    "man_made",
    "maxspeed",
    "maxspeed:backward",
    "maxspeed:forward",
    "maxspeed:type",
    "motor_vehicle",
    "motorroad",
    "path",
    "proposed",
    "ref",
    "sac_scale",
    "service",
    "sidewalk",
    "sidewalk:both",
    "sidewalk:left",
    "sidewalk:right",
    "source:maxspeed",
    "surface",
    "tracktype",
    "tunnel",
    "vehicle",
    "zone:maxspeed",
];

/// Classifies a way by its tags; `None` unless a person with a dog may walk there.
pub fn walkable(tags: &Tags, customs: Customs) -> Option<Way> {
    let kind = kind(tags)?;
    if !is_there(tags)
        || needs_hands(tags)
        || tags.is("dog", "no")
        || tags.is_any("indoor", &["yes", "room", "corridor", "area"])
    {
        return None;
    }
    let sidewalk = sidewalk(tags);
    let may = may_walk(tags).unwrap_or_else(|| match kind {
        _ if tags.is("motorroad", "yes") => false,
        _ if tags.is("highway", "busway") => false,
        // Its crossings, too, are for bicycles alone where it is, unless they say that they are for walkers.
        _ if tags.is("highway", "cycleway") => customs.cycleway || tags.is("footway", "crossing"),
        WayKind::Bridleway => customs.bridleway,
        _ => true,
    });
    // That the law lets walkers onto a trunk road makes it no walk.
    let has_room =
        kind != WayKind::Trunk || sidewalk == Sidewalk::Yes || tags.is("foot", "designated");
    (may && has_room).then(|| Way {
        kind,
        surface: surface(tags),
        lit: lit(tags),
        sidewalk: if kind.is_street() {
            sidewalk
        } else {
            Sidewalk::Unknown
        },
        crossing: if kind == WayKind::Crossing {
            crossing(tags)
        } else {
            Crossing::None
        },
        naming: Naming::Own,
        beside_traffic: 0,
        bridge: tags.get("bridge").is_some_and(|it| it != "no"),
        tunnel: tags.get("tunnel").is_some_and(|it| it != "no"),
        fast: kind.is_street() && is_fast(tags),
    })
}

/// Returns true if a way, in case it is a long tunnel, is for cars alone: they drive there, and no tag tells of a
/// sidewalk or of walkers.
pub fn is_for_cars_if_long(tags: &Tags, way: &Way) -> bool {
    let is_made_for_cars =
        way.kind.is_street() || matches!(way.kind, WayKind::Service | WayKind::Driveway);
    let has_cars = is_made_for_cars
        && ["motor_vehicle", "vehicle"]
            .iter()
            .all(|key| !tags.is(key, "no"));
    let is_tunnel = way.tunnel && !tags.is("tunnel", "building_passage");
    is_tunnel && has_cars && way.sidewalk != Sidewalk::Yes && tags.get("foot").is_none()
}

/// Returns true if cars may drive fast there, one way or the other.
fn is_fast(tags: &Tags) -> bool {
    let limits: Vec<f64> = LIMITS
        .iter()
        .filter_map(|key| tags.get(key))
        .flat_map(|it| it.split(';'))
        .filter_map(kmh)
        .collect();
    if !limits.is_empty() {
        return limits.iter().any(|it| *it >= FAST_KMH);
    }
    LIMITS_BY_LAW
        .iter()
        .filter_map(|key| tags.get(key))
        .any(|it| {
            // 'DE:rural', 'GB:nsl_single'.
            let road = it.rsplit(':').next().unwrap_or(it);
            matches!(
                road,
                "rural" | "trunk" | "motorway" | "nsl_single" | "nsl_dual"
            )
        })
}

/// A speed limit in km/h; nothing where it is no number.
fn kmh(limit: &str) -> Option<f64> {
    let limit = limit.trim();
    if limit == "none" {
        return Some(f64::INFINITY);
    }
    let end = limit.find(|it: char| !it.is_ascii_digit() && it != '.');
    let (number, unit) = limit.split_at(end.unwrap_or(limit.len()));
    let number: f64 = number.parse().ok()?;
    match unit.trim() {
        "" | "km/h" | "kmh" | "kph" => Some(number),
        "mph" => Some(number * 1.609_344),
        _ => None,
    }
}

/// Returns the name that people call a way by: its own, or the number of a road with traffic that has none.
pub fn name(tags: &Tags, way: &Way) -> Option<String> {
    let number = || {
        (way.kind.traffic() > 0)
            .then(|| tags.first("ref"))
            .flatten()
    };
    tags.name().or_else(number)
}

/// Returns true if a path is climbed rather than walked: no dog has hands.
fn needs_hands(tags: &Tags) -> bool {
    let climbs = [
        "alpine_hiking",
        "demanding_alpine_hiking",
        "difficult_alpine_hiking",
    ];
    tags.is_any("sac_scale", &climbs)
}

/// Returns true if a way might be walkable somewhere: cheap, and without regard to access.
pub fn may_matter(tags: &Tags) -> bool {
    kind(tags).is_some()
}

/// Returns the kind of a way that can be walked on, whoever may.
fn kind(tags: &Tags) -> Option<WayKind> {
    let kind = match tags.get("highway") {
        Some("footway") => match (tags.get("footway"), tags.get("crossing")) {
            (Some("sidewalk"), _) => WayKind::Sidewalk,
            (Some("crossing" | "traffic_island"), _) => WayKind::Crossing,
            _ => WayKind::Footway,
        },
        Some("path") if tags.is("path", "crossing") || tags.is("footway", "crossing") => {
            WayKind::Crossing
        }
        Some("path") if tags.is("path", "sidewalk") || tags.is("footway", "sidewalk") => {
            WayKind::Sidewalk
        }
        Some("path") => WayKind::Path,
        Some("cycleway") if tags.is("cycleway", "crossing") => WayKind::Crossing,
        Some("cycleway") => WayKind::Cycleway,
        Some("bridleway") => WayKind::Bridleway,
        // Moving stairs hurt paws.
        Some("steps") if tags.get("conveying").is_some_and(|it| it != "no") => return None,
        Some("steps") => WayKind::Steps,
        Some("crossing") => WayKind::Crossing,
        Some("pedestrian") => WayKind::Pedestrian,
        Some("living_street") => WayKind::LivingStreet,
        Some("track") => WayKind::Track,
        Some("residential") => WayKind::Residential,
        Some("unclassified" | "road") => WayKind::Unclassified,
        Some("service")
            if tags.is_any("service", &["driveway", "parking_aisle", "drive-through"]) =>
        {
            WayKind::Driveway
        }
        Some("service" | "busway") => WayKind::Service,
        Some("tertiary" | "tertiary_link") => WayKind::Tertiary,
        Some("secondary" | "secondary_link") => WayKind::Secondary,
        Some("primary" | "primary_link") => WayKind::Primary,
        Some("trunk" | "trunk_link") => WayKind::Trunk,
        Some("platform") => WayKind::Footway,
        Some(_) => return None,
        None if tags.is("man_made", "pier") => WayKind::Footway,
        None => return None,
    };
    if !tags.is("area", "yes") {
        return Some(kind);
    }
    let square = matches!(
        kind,
        WayKind::Footway
            | WayKind::Path
            | WayKind::Pedestrian
            | WayKind::LivingStreet
            | WayKind::Sidewalk
    );
    square.then_some(WayKind::Square)
}

/// Returns true if it is built and still in use.
fn is_there(tags: &Tags) -> bool {
    ["construction", "proposed", "disused", "abandoned"]
        .iter()
        .all(|key| matches!(tags.get(key), None | Some("no" | "minor" | "widening")))
}

/// Reads the access on foot from the tags: the special key before the general one. Vehicles' keys do not concern
/// walkers.
fn may_walk(tags: &Tags) -> Option<bool> {
    ["foot", "access"]
        .iter()
        .filter_map(|key| tags.get(key))
        .find_map(access)
}

/// Reads one value of an access tag; `None` if it is unknown or says nothing.
fn access(value: &str) -> Option<bool> {
    // Several values mean several users: one that lets walkers in is enough.
    let values = value.split(';').map(|it| match it.trim() {
        "yes" | "designated" | "permissive" | "official" | "public" | "destination"
        | "discouraged" => Some(true),
        // 'use_sidepath': there is a way beside it which must be used.
        "no" | "private" | "customers" | "permit" | "military" | "delivery" | "agricultural"
        | "forestry" | "residents" | "employees" | "emergency" | "use_sidepath" | "restricted" => {
            Some(false)
        }
        _ => None,
    });
    values.flatten().reduce(|a, b| a || b)
}

fn sidewalk(tags: &Tags) -> Sidewalk {
    let keys = [
        "sidewalk",
        "sidewalk:both",
        "sidewalk:left",
        "sidewalk:right",
    ];
    let said: Vec<_> = keys.iter().filter_map(|key| tags.get(key)).collect();
    let any = |values: &[&str]| said.iter().any(|it| values.contains(it));
    if any(&["yes", "both", "left", "right"]) {
        Sidewalk::Yes
    } else if any(&["separate"]) {
        Sidewalk::Separate
    } else if any(&["no", "none"]) {
        Sidewalk::No
    } else {
        Sidewalk::Unknown
    }
}

fn lit(tags: &Tags) -> Lit {
    match tags.get("lit") {
        Some(
            "yes" | "24/7" | "automatic" | "limited" | "interval" | "dusk-dawn" | "sunset-sunrise"
            | "operating_times",
        ) => Lit::Yes,
        Some("no" | "disused") => Lit::No,
        _ => Lit::Unknown,
    }
}

fn surface(tags: &Tags) -> Surface {
    let said = tags
        .get("surface")
        .map(|it| it.split([':', ';']).next().unwrap_or(it));
    match said {
        Some(
            "paved" | "asphalt" | "concrete" | "paving_stones" | "bricks" | "brick" | "metal"
            | "metal_grid" | "wood" | "tartan" | "rubber" | "tiles" | "chipseal" | "acrylic"
            | "plastic" | "stepping_stones",
        ) => Surface::Paved,
        Some(
            "sett" | "cobblestone" | "unhewn_cobblestone" | "grass_paver" | "pebblestone"
            | "cobbles",
        ) => Surface::Cobbles,
        Some(
            "gravel" | "fine_gravel" | "compacted" | "unpaved" | "crushed_limestone" | "shells"
            | "rock" | "stone" | "scree",
        ) => Surface::Gravel,
        Some(
            "ground" | "dirt" | "earth" | "grass" | "sand" | "mud" | "clay" | "woodchips" | "snow"
            | "ice" | "artificial_turf",
        ) => Surface::Soft,
        // How firm a track is says it, too (wiki, 'Key:tracktype').
        _ => match tags.get("tracktype") {
            Some("grade1") => Surface::Paved,
            Some("grade2" | "grade3") => Surface::Gravel,
            Some("grade4" | "grade5") => Surface::Soft,
            _ => Surface::Unknown,
        },
    }
}

/// How a street is crossed by a way or at a node that is a crossing.
fn crossing(tags: &Tags) -> Crossing {
    let marks = tags.get("crossing:markings");
    match tags.get("crossing") {
        _ if tags.get("crossing:signals").is_some_and(|it| it != "no") => Crossing::Signals,
        Some("traffic_signals" | "pelican" | "puffin" | "toucan" | "pegasus") => Crossing::Signals,
        Some("marked" | "zebra" | "uncontrolled" | "island;uncontrolled") => Crossing::Marked,
        _ if marks.is_some_and(|it| it != "no") => Crossing::Marked,
        _ => Crossing::Plain,
    }
}

/// Returns the kind of crossing that a node is.
pub fn node_crossing(tags: &Tags) -> Crossing {
    match tags.get("highway") {
        Some("traffic_signals") => Crossing::Signals,
        Some("crossing") => crossing(tags),
        _ => Crossing::None,
    }
}

/// Returns true if nobody gets past a node: a closed gate, or a wall that a way was drawn through.
pub fn blocks(tags: &Tags) -> bool {
    let Some(barrier) = tags.get("barrier") else {
        return false;
    };
    let walls = [
        "wall",
        "fence",
        "hedge",
        "city_wall",
        "retaining_wall",
        "ditch",
        "debris",
    ];
    let by_kind = walls.contains(&barrier) || tags.is("locked", "yes");
    may_walk(tags).map_or(by_kind, |may| !may)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(text: &str) -> Tags<'_> {
        Tags::of(text.split(' ').filter_map(|it| it.split_once('=')))
    }

    fn kind_in(country: &str, text: &str) -> Option<WayKind> {
        walkable(&tags(text), Customs::of(country)).map(|it| it.kind)
    }

    fn check(text: &str, expected: Option<WayKind>) {
        assert_eq!(kind_in("DE", text), expected, "{text}");
    }

    fn way(text: &str) -> Way {
        walkable(&tags(text), Customs::WORLD).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn each_kind_of_road_is_what_walkers_call_it() {
        for (text, kind) in [
            ("highway=footway", WayKind::Footway),
            ("highway=footway footway=sidewalk", WayKind::Sidewalk),
            ("highway=footway footway=crossing", WayKind::Crossing),
            ("highway=footway footway=traffic_island", WayKind::Crossing),
            ("highway=path", WayKind::Path),
            ("highway=path sac_scale=mountain_hiking", WayKind::Path),
            ("highway=path path=crossing", WayKind::Crossing),
            ("highway=cycleway foot=designated", WayKind::Cycleway),
            ("highway=bridleway foot=yes", WayKind::Bridleway),
            ("highway=steps", WayKind::Steps),
            ("highway=pedestrian", WayKind::Pedestrian),
            ("highway=pedestrian area=yes", WayKind::Square),
            ("highway=footway area=yes", WayKind::Square),
            ("highway=living_street", WayKind::LivingStreet),
            ("highway=track", WayKind::Track),
            ("highway=residential", WayKind::Residential),
            ("highway=unclassified", WayKind::Unclassified),
            ("highway=road", WayKind::Unclassified),
            ("highway=service", WayKind::Service),
            ("highway=service service=alley", WayKind::Service),
            ("highway=service service=driveway", WayKind::Driveway),
            ("highway=service service=parking_aisle", WayKind::Driveway),
            ("highway=tertiary_link", WayKind::Tertiary),
            ("highway=secondary", WayKind::Secondary),
            ("highway=primary", WayKind::Primary),
            ("highway=trunk sidewalk=both", WayKind::Trunk),
            ("highway=platform", WayKind::Footway),
            ("man_made=pier", WayKind::Footway),
        ] {
            check(text, Some(kind));
        }
    }

    #[test]
    fn what_is_no_way_for_walkers_is_none() {
        for text in [
            "highway=motorway",
            "highway=motorway foot=yes",
            "highway=motorway_link",
            "highway=primary motorroad=yes",
            "highway=construction construction=residential",
            "highway=proposed",
            "highway=residential construction=yes",
            "highway=footway disused=yes",
            "highway=raceway",
            "highway=bus_guideway",
            "highway=busway",
            "highway=corridor",
            "highway=footway indoor=yes",
            "highway=elevator",
            "highway=via_ferrata",
            "highway=steps conveying=yes",
            "highway=service area=yes",
            "highway=footway dog=no",
            "highway=path sac_scale=alpine_hiking",
            "highway=rest_area",
            "route=ferry foot=yes",
            "railway=rail",
            "railway=platform",
            "building=yes",
            "leisure=park",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn the_special_key_of_access_goes_before_the_general_one() {
        for (text, may) in [
            ("highway=residential access=private", false),
            ("highway=residential access=no", false),
            ("highway=residential access=no foot=yes", true),
            ("highway=residential access=private foot=permissive", true),
            ("highway=residential access=yes foot=no", false),
            ("highway=residential foot=private", false),
            ("highway=residential access=destination", true),
            ("highway=residential access=permissive", true),
            ("highway=service access=customers", false),
            ("highway=service access=delivery", false),
            ("highway=track access=agricultural", false),
            ("highway=track access=forestry foot=yes", true),
            ("highway=track access=agricultural;forestry", false),
            ("highway=path access=unknown", true),
            ("highway=primary foot=use_sidepath", false),
            ("highway=residential vehicle=no", true),
            ("highway=residential motor_vehicle=private", true),
            ("highway=residential access:conditional=no@(Mo-Fr)", true),
            ("highway=pedestrian foot:conditional=no@(22:00-06:00)", true),
            ("highway=service service=driveway access=private", false),
            ("highway=primary motorroad=yes foot=yes", true),
            ("highway=busway foot=yes", true),
        ] {
            assert_eq!(kind_in("DE", text).is_some(), may, "{text}");
        }
    }

    #[test]
    fn what_a_road_allows_by_itself_depends_on_the_country() {
        for (country, text, may) in [
            ("DE", "highway=cycleway", false),
            ("DE", "highway=bridleway", false),
            ("DE", "highway=cycleway cycleway=crossing", false),
            (
                "DE",
                "highway=cycleway cycleway=crossing foot=designated",
                true,
            ),
            (
                "DE",
                "highway=cycleway cycleway=crossing footway=crossing",
                true,
            ),
            ("FI", "highway=cycleway cycleway=crossing", true),
            ("FI", "highway=cycleway", true),
            ("FI", "highway=cycleway foot=no", false),
            ("FI", "highway=bridleway", false),
            ("GB", "highway=bridleway", true),
            ("GB", "highway=cycleway", true),
            ("US", "highway=cycleway", true),
            ("IE", "highway=cycleway", false),
            ("IE", "highway=bridleway", true),
        ] {
            assert_eq!(kind_in(country, text).is_some(), may, "{country}: {text}");
        }
    }

    #[test]
    fn a_busy_road_without_a_sidewalk_stays_and_says_so() {
        assert_eq!(way("highway=primary sidewalk=no").sidewalk, Sidewalk::No);
        assert_eq!(
            way("highway=secondary sidewalk=none").sidewalk,
            Sidewalk::No
        );
    }

    #[test]
    fn a_trunk_road_is_walked_only_where_there_is_room_for_walkers() {
        for (text, may) in [
            ("highway=trunk", false),
            ("highway=trunk_link", false),
            ("highway=trunk sidewalk=none", false),
            ("highway=trunk sidewalk=separate", false),
            ("highway=trunk foot=yes", false),
            ("highway=trunk foot=designated", true),
            ("highway=trunk sidewalk=right", true),
            ("highway=trunk sidewalk=right foot=no", false),
            ("highway=trunk sidewalk=right motorroad=yes", false),
        ] {
            for country in ["AT", "DE", "GB"] {
                assert_eq!(kind_in(country, text).is_some(), may, "{country}: {text}");
            }
        }
    }

    #[test]
    fn cars_are_fast_from_70_kilometers_an_hour_on() {
        for (limit, is_fast) in [
            ("maxspeed=50", false),
            ("maxspeed=70", true),
            ("maxspeed=100", true),
            ("maxspeed=none", true),
            ("maxspeed=50;80", true),
            ("maxspeed:forward=50 maxspeed:backward=70", true),
            ("maxspeed=DE:rural", true),
            ("maxspeed=DE:urban", false),
            ("maxspeed=50 source:maxspeed=DE:rural", false),
            ("maxspeed:type=GB:nsl_single", true),
            ("maxspeed=signals", false),
            ("name=x", false),
        ] {
            let text = format!("highway=unclassified {limit}");
            assert_eq!(way(&text).fast, is_fast, "{text}");
        }
        let in_miles = |limit| {
            let tags = Tags::of([("highway", "tertiary"), ("maxspeed", limit)].into_iter());
            walkable(&tags, Customs::WORLD).unwrap().fast
        };
        assert!(in_miles("45 mph") && !in_miles("40 mph"));
        assert!(!way("highway=track maxspeed=100").fast);
    }

    #[test]
    fn sidewalks_are_read_from_all_their_keys() {
        for (text, expected) in [
            ("sidewalk=both", Sidewalk::Yes),
            ("sidewalk=left", Sidewalk::Yes),
            ("sidewalk=separate", Sidewalk::Separate),
            ("sidewalk:both=separate", Sidewalk::Separate),
            ("sidewalk:left=yes sidewalk:right=separate", Sidewalk::Yes),
            (
                "sidewalk:left=no sidewalk:right=separate",
                Sidewalk::Separate,
            ),
            ("sidewalk:both=no", Sidewalk::No),
            ("name=x", Sidewalk::Unknown),
        ] {
            assert_eq!(
                way(&format!("highway=residential {text}")).sidewalk,
                expected,
                "{text}"
            );
        }
        assert_eq!(
            way("highway=footway sidewalk=both").sidewalk,
            Sidewalk::Unknown
        );
    }

    #[test]
    fn the_ground_and_the_lamps_are_known() {
        for (text, surface) in [
            ("surface=asphalt", Surface::Paved),
            ("surface=concrete:plates", Surface::Paved),
            ("surface=fine_gravel", Surface::Gravel),
            ("surface=grass", Surface::Soft),
            ("surface=sett", Surface::Cobbles),
            ("tracktype=grade1", Surface::Paved),
            ("tracktype=grade3", Surface::Gravel),
            ("tracktype=grade5", Surface::Soft),
            ("surface=asphalt tracktype=grade5", Surface::Paved),
            ("surface=unheard_of", Surface::Unknown),
        ] {
            assert_eq!(
                way(&format!("highway=track {text}")).surface,
                surface,
                "{text}"
            );
        }
        for (text, lit) in [
            ("lit=yes", Lit::Yes),
            ("lit=24/7", Lit::Yes),
            ("lit=no", Lit::No),
            ("lit=maybe", Lit::Unknown),
        ] {
            assert_eq!(way(&format!("highway=path {text}")).lit, lit, "{text}");
        }
    }

    #[test]
    fn bridges_and_tunnels_are_marked() {
        assert!(way("highway=footway bridge=yes").bridge);
        assert!(way("highway=footway bridge=boardwalk").bridge);
        assert!(!way("highway=footway bridge=no").bridge);
        assert!(way("highway=footway tunnel=building_passage").tunnel);
        assert!(!way("highway=footway").tunnel);
    }

    #[test]
    fn crossings_say_how_safe_they_are() {
        for (text, expected) in [
            ("crossing=traffic_signals", Crossing::Signals),
            ("crossing:signals=yes", Crossing::Signals),
            ("crossing=zebra", Crossing::Marked),
            ("crossing=uncontrolled", Crossing::Marked),
            ("crossing:markings=zebra", Crossing::Marked),
            ("crossing=unmarked", Crossing::Plain),
            ("crossing=unmarked crossing:markings=no", Crossing::Plain),
            ("name=x", Crossing::Plain),
        ] {
            assert_eq!(
                way(&format!("highway=footway footway=crossing {text}")).crossing,
                expected,
                "{text}"
            );
            assert_eq!(
                node_crossing(&tags(&format!("highway=crossing {text}"))),
                expected,
                "{text}"
            );
        }
        assert_eq!(
            way("highway=footway crossing=zebra").crossing,
            Crossing::None
        );
        assert_eq!(
            node_crossing(&tags("highway=traffic_signals")),
            Crossing::Signals
        );
        assert_eq!(node_crossing(&tags("highway=bus_stop")), Crossing::None);
    }

    #[test]
    fn a_gate_stops_nobody_unless_it_is_closed() {
        for (text, expected) in [
            ("barrier=gate", false),
            ("barrier=bollard", false),
            ("barrier=gate access=private", true),
            ("barrier=gate access=no", true),
            ("barrier=gate access=no foot=yes", false),
            ("barrier=gate access=private foot=designated", false),
            ("barrier=lift_gate motor_vehicle=private", false),
            ("barrier=gate locked=yes", true),
            ("barrier=gate locked=yes foot=yes", false),
            ("barrier=kissing_gate", false),
            ("barrier=stile", false),
            ("barrier=fence", true),
            ("barrier=wall foot=yes", false),
            ("access=private", false),
        ] {
            assert_eq!(blocks(&tags(text)), expected, "{text}");
        }
    }
}
