//! Owns the map that a phone keeps: which tiles it wants, what it must ask a server for them, and how it stands, in words.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::map::{Ground, Point, TILE_BITS, TileId};
use crate::route::{MAX_SNAP_M, MAX_WAY_M, RouteRequest};
use crate::values::bounds::MAP_RADIUS_M;
use crate::values::place::Place;
use crate::values::plane::distance_m;

/// How far around a home the map reaches: as far as a walk of an hour, and a little more.
const HOME_REACH_M: f64 = 2_500.0;

/// How far beside a walk that is looked at the map reaches.
const BESIDE_M: f64 = 500.0;

/// Meters in a mile of a radius, which is measured on the map; figures for people count 1,609 m (`values::format`).
const METERS_PER_MAP_MILE: f64 = 1_609.344;

/// A meter is not as many steps of the map at one end of a tile as in its middle.
const SCALE_MARGIN: f64 = 1.01;

/// So much comes unasked, on whatever network: less than a photo or two. What is more is said with its size first.
const UNASKED_BYTES: f64 = 5e6;

/// How far beside the straight way to somewhere the way on foot may lead, as a share of its length, and at least.
const DETOUR: f64 = 0.3;

const LEAST_DETOUR_M: f64 = 1_000.0;

/// A server's map is a few weeks old when it is new: to ask for a newer one once a day is enough.
const ASK_EVERY_MS: i64 = 24 * 3_600_000;

/// Latitude and longitude as profiles and clients have them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Degrees {
    /// Latitude, WGS 84.
    pub lat: f64,
    /// Longitude, WGS 84.
    pub lng: f64,
}

/// Places around which a sitter works.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct MapPlaces {
    /// The middle of the service area, where it is known.
    pub middle: Option<Degrees>,
    /// Its radius in miles.
    pub radius_miles: f64,
    /// Homes of clients.
    pub homes: Vec<Degrees>,
}

/// A part of the map to ask a server for: a square around a place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct AreaQuery {
    /// Latitude of the middle, WGS 84.
    pub lat: f64,
    /// Longitude of the middle, WGS 84.
    pub lng: f64,
    /// Meters to each side, at most 50,000.
    pub radius_m: f64,
}

/// Tiles that a phone needs, and the queries with which it finds them on a server.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Wanted {
    /// Tiles, row by row from the north-west.
    pub tiles: Vec<TileId>,
    /// Queries to a server whose answers name all of the tiles, and few others.
    pub asks: Vec<AreaQuery>,
}

/// The tiles of a service area and around the homes.
pub fn wanted(places: &MapPlaces) -> Wanted {
    let mut coverage = Coverage::default();
    if let Some(middle) = places.middle {
        let radius_m = (places.radius_miles * METERS_PER_MAP_MILE).clamp(0.0, MAP_RADIUS_M);
        coverage.add_place(middle, radius_m.max(HOME_REACH_M));
    }
    for home in &places.homes {
        coverage.add_place(*home, HOME_REACH_M);
    }
    coverage.wanted()
}

/// The tiles that a route needs: a loop gets half its length away from its door, and no further.
///
/// INVARIANT: A route tells the server the tile in which it begins, and nothing nearer.
/// It may begin where a walker is.
pub fn wanted_for_route(request: &RouteRequest) -> Wanted {
    let mut coverage = Coverage::default();
    coverage.add_by_tile(
        request.start_location,
        request.length_m() / 2.0 + MAX_SNAP_M,
    );
    coverage.wanted()
}

/// The tiles that a way from one place to another needs; none where nobody would go on foot.
pub fn wanted_for_way(from: Place, to: Place) -> Wanted {
    let length_m = distance_m(from, to);
    let mut coverage = Coverage::default();
    if length_m > MAX_WAY_M {
        return coverage.wanted();
    }
    let beside_m = (DETOUR * length_m).max(LEAST_DETOUR_M) + MAX_SNAP_M;
    // Circles that overlap, from one end to the other.
    let n_parts = (length_m / beside_m).ceil().max(1.0) as i64;
    for part in 0..=n_parts {
        let between = |from: i32, to: i32| {
            let (from, to) = (i64::from(from), i64::from(to));
            (from + (to - from) * part / n_parts) as i32
        };
        let place = Place {
            lat_e7: between(from.lat_e7, to.lat_e7),
            lon_e7: between(from.lon_e7, to.lon_e7),
        };
        coverage.add_by_tile(place, beside_m);
    }
    coverage.wanted()
}

/// The tiles in which a walk lies that everybody may see, with what is around it.
pub fn wanted_along(places: &[Place]) -> Wanted {
    let mut coverage = Coverage::default();
    for place in places {
        coverage.add_by_tile(*place, BESIDE_M);
    }
    coverage.wanted()
}

/// The tile in which a place lies.
pub fn tile_of(place: Place) -> TileId {
    Point::at(place).tile()
}

/// Returns true if the server should be asked again which tiles there are; times in milliseconds since 1970.
pub fn is_due(asked_at: i64, now: i64) -> bool {
    // A clock that was set back must not keep the map old for years.
    !(0..ASK_EVERY_MS).contains(&(now - asked_at))
}

/// Returns true if the map may be downloaded without anybody asking for it: if it is at most `UNASKED_BYTES`, and not
/// if the person saves data.
pub fn comes_unasked(missing_bytes: f64, saves_data: bool) -> bool {
    !saves_data && missing_bytes <= UNASKED_BYTES
}

/// Tiles while they are gathered place by place, and what to ask for them.
#[derive(Default)]
struct Coverage {
    tiles: std::collections::BTreeSet<(u32, u32)>,
    /// Tiles that the answers to `asks` will name, as row and column.
    named: std::collections::BTreeSet<(u32, u32)>,
    asks: Vec<AreaQuery>,
}

impl Coverage {
    /// A place that the server knows.
    fn add_place(&mut self, Degrees { lat, lng }: Degrees, radius_m: f64) {
        if let Some(place) = Place::from_degrees(lat, lng) {
            let ask = AreaQuery { lat, lng, radius_m };
            self.add(Point::at(place), radius_m, ask);
        }
    }

    /// A place of which the server need not hear: it is told the tile in which that lies, and nothing nearer.
    fn add_by_tile(&mut self, place: Place, radius_m: f64) {
        let point = Point::at(place);
        let middle = point.tile().middle();
        let ground = Ground::at(middle);
        let half_m = f64::from(1_u32 << (TILE_BITS - 1)) * ground.east_m.max(ground.south_m);
        let middle = middle.place();
        let ask = AreaQuery {
            lat: middle.lat(),
            lng: middle.lon(),
            radius_m: (radius_m + half_m) * SCALE_MARGIN,
        };
        self.add(point, radius_m, ask);
    }

    /// Adds the tiles within the radius around a point, and the query if they are not all named by then.
    fn add(&mut self, point: Point, radius_m: f64, ask: AreaQuery) {
        let square = TileId::around(point, radius_m);
        let rows = |it: &TileId| (it.y, it.x);
        let near = square.iter().filter(|it| is_near(point, **it, radius_m));
        let near: Vec<_> = near.map(rows).collect();
        if !near.iter().all(|it| self.named.contains(it)) {
            self.named.extend(square.iter().map(rows));
            self.asks.push(ask);
        }
        self.tiles.extend(near);
    }

    fn wanted(self) -> Wanted {
        Wanted {
            tiles: self
                .tiles
                .into_iter()
                .map(|(y, x)| TileId { x, y })
                .collect(),
            asks: self.asks,
        }
    }
}

/// Returns true if a part of the tile is within the radius: the corners of a square are further away than its sides.
fn is_near(middle: Point, tile: TileId, radius_m: f64) -> bool {
    let corner = tile.corner();
    let side = (1 << TILE_BITS) - 1;
    let nearest = Point {
        x: middle.x.clamp(corner.x, corner.x + side),
        y: middle.y.clamp(corner.y, corner.y + side),
    };
    Ground::at(middle).length_m(middle, nearest) <= radius_m
}

/// Why there is not more of the map here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum MapTrouble {
    /// The server cannot be reached.
    #[error("There is no network. It goes on where it stopped when there is.")]
    Offline,
    /// The server answers, but not with a map.
    #[error("The server did not send all of it. Try again in a while.")]
    Server,
    /// The disk is full, or all that the browser gives is used.
    #[error("There is no more room for it on this phone.")]
    NoRoom,
}

/// Counts and state of the map on this phone, from which `status` is made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct MapCount {
    /// Tiles here, wanted or not.
    pub tiles: u32,
    /// Bytes that those tiles take on this phone.
    pub bytes: f64,
    /// Tiles that are wanted and that the server has.
    pub wanted: u32,
    /// How many of them are here in the server's state.
    pub done: u32,
    /// Tiles that are wanted and of which the server was never asked, as after a client has moved.
    pub unlisted: u32,
    /// Bytes to download for the wanted tiles that are missing or outdated.
    pub missing_bytes: f64,
    /// True if a place is known around which the sitter works.
    pub has_places: bool,
    /// True if a server was ever asked for its tiles.
    pub was_asked: bool,
    /// True while tiles are downloaded.
    pub is_downloading: bool,
    /// True if the phone has a network.
    pub is_online: bool,
    /// Reason for which the last download stopped.
    pub trouble: Option<MapTrouble>,
}

/// How the map on this phone stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum MapState {
    /// Nothing is here.
    None,
    /// Tiles are being downloaded.
    Downloading,
    /// All that is wanted is here, as the server has it.
    Ready,
    /// Some of it is here, or there is a newer state of it.
    Partial,
    /// Nothing is here, and it could not be had.
    Failed,
}

/// How the map on this phone stands, for screens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct MapStatus {
    /// In a word.
    pub state: MapState,
    /// Number of tiles on this phone, wanted or not.
    pub tiles: u32,
    /// Bytes that those tiles take on this phone.
    pub bytes: f64,
    /// Wanted tiles that are here.
    pub done: u32,
    /// Wanted tiles that the server has.
    pub wanted: u32,
    /// True if the server was asked, and has no map of where the sitter works.
    pub server_lacks_it: bool,
    /// True if the server can be asked for the map now.
    pub can_download: bool,
    /// For the person.
    pub text: String,
}

/// How the map stands.
pub fn status(count: &MapCount) -> MapStatus {
    let state = if count.is_downloading {
        MapState::Downloading
    } else if count.tiles == 0 {
        if count.trouble.is_some() {
            MapState::Failed
        } else {
            MapState::None
        }
    } else if count.done == count.wanted && count.unlisted == 0 && count.trouble.is_none() {
        MapState::Ready
    } else {
        MapState::Partial
    };
    MapStatus {
        state,
        tiles: count.tiles,
        bytes: count.bytes,
        done: count.done,
        wanted: count.wanted,
        server_lacks_it: server_lacks_it(state, count),
        can_download: count.has_places && (count.is_online || count.is_downloading),
        text: text(state, count),
    }
}

/// Said while the server was never asked what there is: what is missing cannot be told before.
const UNLISTED: &str = "The server was not asked yet for all places where you work.";

fn server_lacks_it(state: MapState, count: &MapCount) -> bool {
    let is_answered = count.was_asked && count.unlisted == 0;
    state == MapState::None && count.has_places && is_answered && count.wanted == 0
}

fn text(state: MapState, count: &MapCount) -> String {
    let here = megabytes(count.bytes);
    let left = megabytes(count.missing_bytes);
    match state {
        MapState::Downloading if count.wanted == count.done => {
            "Looking for the map of your area".to_owned()
        }
        MapState::Downloading => format!(
            "Downloading the map: {} of {} tiles, {left} to go",
            count.done, count.wanted
        ),
        MapState::Ready => format!("The map is on this phone, {here}. It works with no network."),
        MapState::Partial => match count.trouble {
            Some(it) => format!("A part of the map is on this phone, {here}. {it}"),
            None if count.unlisted == 0 => {
                format!("A part of the map is on this phone, {here}; {left} are missing or newer.")
            }
            None => format!("A part of the map is on this phone, {here}. {UNLISTED}"),
        },
        MapState::Failed => count
            .trouble
            .map_or_else(String::new, |it| format!("No map came. {it}")),
        MapState::None if !count.has_places => {
            "This phone does not know yet where you work. Set the position of your service area, or of a client's home."
                .to_owned()
        }
        MapState::None if server_lacks_it(state, count) => {
            "Maps aren't available in your area yet. Routes and street maps need one; everything else works without it. The server's administrator can add it.".to_owned()
        }
        MapState::None if !count.is_online => {
            "No map is on this phone yet, and there is no network to get it.".to_owned()
        }
        MapState::None if count.wanted > 0 => format!("The map of where you work can be downloaded, {left}."),
        MapState::None => "No map is on this phone yet.".to_owned(),
    }
}

/// Purpose of a map that is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum MapUse {
    /// A sitter walks, or looks for the way.
    #[default]
    Walk,
    /// A sitter chooses a place by moving the map below a pin.
    Choice,
    /// Anybody looks at a walk, a route or a day that is drawn on it.
    Look,
}

/// Facts about a place at which no map is drawn, from which `blank_ground` makes a sentence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct GroundCount {
    /// Purpose of the map.
    #[serde(default)]
    pub map_use: MapUse,
    /// True if a place is known around which the sitter works.
    pub has_places: bool,
    /// True if the place lies in the part of the map that the phone keeps.
    pub is_wanted: bool,
    /// True if the server has a map of the place; absent if it was not asked.
    pub is_there: Option<bool>,
    /// False if the server has no map of any place; absent if it was not asked.
    #[serde(default)]
    pub server_has_map: Option<bool>,
    /// True while tiles are downloaded.
    pub is_downloading: bool,
    /// True if the phone has a network.
    pub is_online: bool,
    /// Bytes to download for all of the map that the phone keeps.
    pub missing_bytes: f64,
    /// Reason for which the last download stopped.
    pub trouble: Option<MapTrouble>,
}

/// Why the ground is blank, for the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct BlankGround {
    /// Sentence for the person: the reason, and what to do about it if anything. Empty while there is nothing to say.
    pub text: String,
    /// Size of the download that 'Get the map' starts, as people say it; absent where a press would bring nothing.
    pub size: Option<String>,
}

/// Why the ground is blank.
pub fn blank_ground(count: &GroundCount) -> BlankGround {
    let mut size = None;
    let text = if count.map_use == MapUse::Choice {
        match (count.is_there, count.is_downloading, count.is_online) {
            (Some(false), ..) => {
                "The server has no map of this place, so no streets are shown. The pin still marks the place."
            }
            (_, true, _) => "The map is on its way.",
            (_, _, false) => {
                "The map of this place is not on this phone, and there is no network. The pin still marks the place."
            }
            _ => "",
        }
        .to_owned()
    } else if count.map_use == MapUse::Look {
        match count.is_there {
            Some(false) => {
                "The server has no street map of this place. What is drawn here is still in the right place."
            }
            _ => "",
        }
        .to_owned()
    } else if count.server_has_map == Some(false) {
        "The server has no street map. Walks are tracked without one.".to_owned()
    } else if !count.has_places {
        "Set the position of your service area in your profile, and its map comes here if the server has one."
            .to_owned()
    } else if !count.is_wanted {
        "No map here: this is outside of your service area and not near a client's home.".to_owned()
    } else if count.is_there == Some(false) {
        "The server has no street map of this area. Walks are tracked without one.".to_owned()
    } else if count.is_downloading {
        "The map is on its way.".to_owned()
    } else if !count.is_online {
        "The map of this area is not on this phone, and there is no network.".to_owned()
    } else {
        size = Some(if count.is_there.is_some() {
            megabytes(count.missing_bytes)
        } else {
            String::new()
        });
        match count.trouble {
            Some(it) => format!("No map came. {it}"),
            None => "The map of this area is not on this phone yet.".to_owned(),
        }
    };
    BlankGround { text, size }
}

/// As people say it: `0.4 MB`, `12 MB`.
fn megabytes(bytes: f64) -> String {
    let megabytes = bytes / 1e6;
    if megabytes < 9.95 {
        format!(
            "{:.1} MB",
            megabytes.max(if bytes > 0.0 { 0.1 } else { 0.0 })
        )
    } else {
        format!("{megabytes:.0} MB")
    }
}

/// Why no route was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum NoMap {
    /// The tiles are not here, and there is no network.
    #[error("The map of this place is not on this phone, and there is no network to get it.")]
    Offline,
    /// The server answers, but not with a map.
    #[error("The map of this place could not be fetched. Try again in a while.")]
    Server,
    /// The server has none.
    #[error(
        "Routes need a map, and the server has none of this place. Its administrator can add it. Walks are tracked without a route, too."
    )]
    NotThere,
    /// There is no room for it.
    #[error("There is no room on this phone for the map of this place.")]
    NoRoom,
}

/// Texts of the screen on which routes are searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct SearchTexts {
    /// While it is searched.
    pub finding: &'static str,
}

/// The words of the search.
pub fn search_texts() -> SearchTexts {
    SearchTexts {
        finding: "Looking for good loops",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const KLUUVI: Degrees = Degrees {
        lat: 60.1705,
        lng: 24.9410,
    };

    fn area(radius_miles: f64, homes: Vec<Degrees>) -> MapPlaces {
        MapPlaces {
            middle: Some(KLUUVI),
            radius_miles,
            homes,
        }
    }

    #[test]
    fn a_service_area_is_a_circle_of_tiles() {
        let five_miles = wanted(&area(5.0, Vec::new()));
        // 16.1 km across, tiles of 2.4 km: 203 square kilometers are 35 tiles, and those on its edge.
        assert!(
            (40..=60).contains(&five_miles.tiles.len()),
            "{}",
            five_miles.tiles.len()
        );
        assert_eq!(five_miles.asks.len(), 1);
        let all = wanted(&area(100.0, Vec::new()));
        assert_eq!(all.asks[0].radius_m, MAP_RADIUS_M);
    }

    #[test]
    fn a_home_outside_the_area_is_asked_for_and_one_inside_is_not() {
        let near = Degrees {
            lat: 60.175,
            ..KLUUVI
        };
        let far = Degrees {
            lat: 61.4981,
            lng: 23.7610,
        };
        let places = area(5.0, vec![near, far, near]);
        let wanted = wanted(&places);
        assert_eq!(wanted.asks.len(), 2);
        assert_eq!(wanted.asks[1].lat, far.lat);
        let home = Point::at(Place::from_degrees(far.lat, far.lng).unwrap()).tile();
        assert!(wanted.tiles.contains(&home));
    }

    #[test]
    fn a_walk_that_is_looked_at_wants_the_tiles_that_it_leads_through() {
        let east_of = |lng: f64| Place::from_degrees(KLUUVI.lat, KLUUVI.lng + lng).unwrap();
        // 5 km, twice as wide as a tile.
        let walk: Vec<Place> = (0..=100)
            .map(|it| east_of(f64::from(it) * 0.0009))
            .collect();
        let wanted = wanted_along(&walk);
        for place in &walk {
            assert!(wanted.tiles.contains(&Point::at(*place).tile()));
        }
        assert!(wanted.tiles.len() <= 8, "{}", wanted.tiles.len());
        // Most places lie in what was asked for already, and none of them is said.
        assert!(wanted.asks.len() <= 4, "{}", wanted.asks.len());
        for AreaQuery { lat, lng, .. } in &wanted.asks {
            let asked = Point::at(Place::from_degrees(*lat, *lng).unwrap());
            assert!(asked.distance_m(asked.tile().middle()) < 1.0);
        }
        assert_eq!(wanted_along(&[]), Wanted::default());
    }

    #[test]
    fn who_has_no_position_wants_nothing() {
        assert_eq!(wanted(&MapPlaces::default()), Wanted::default());
        let nowhere = Degrees {
            lat: f64::NAN,
            lng: 0.0,
        };
        assert_eq!(wanted(&area(5.0, vec![nowhere])).asks.len(), 1);
    }

    #[test]
    fn the_server_is_asked_once_a_day() {
        assert!(!is_due(1_000, 2_000));
        assert!(is_due(1_000, 1_000 + ASK_EVERY_MS));
        assert!(is_due(5_000, 1_000));
    }

    fn check(count: MapCount, state: MapState, expected: &str) {
        let status = status(&count);
        assert_eq!(status.state, state);
        assert_eq!(status.text, expected);
    }

    #[test]
    fn how_the_map_stands_is_said_in_a_sentence() {
        use MapState::{Downloading, Failed, None as Nothing, Partial, Ready};
        let known = MapCount {
            has_places: true,
            was_asked: true,
            is_online: true,
            ..MapCount::default()
        };
        check(
            MapCount::default(),
            Nothing,
            "This phone does not know yet where you work. Set the position of your service area, or of a client's home.",
        );
        check(
            known.clone(),
            Nothing,
            "Maps aren't available in your area yet. Routes and street maps need one; everything else works without it. The server's administrator can add it.",
        );
        let some = MapCount {
            wanted: 12,
            missing_bytes: 2_400_000.0,
            ..known
        };
        check(
            some.clone(),
            Nothing,
            "The map of where you work can be downloaded, 2.4 MB.",
        );
        let cut = MapCount {
            is_online: false,
            ..some.clone()
        };
        assert!(status(&some).can_download && !status(&cut).can_download);
        check(
            cut,
            Nothing,
            "No map is on this phone yet, and there is no network to get it.",
        );
        let coming = MapCount {
            is_downloading: true,
            tiles: 4,
            done: 4,
            bytes: 1e6,
            missing_bytes: 1_600_000.0,
            ..some.clone()
        };
        check(
            coming.clone(),
            Downloading,
            "Downloading the map: 4 of 12 tiles, 1.6 MB to go",
        );
        let stopped = MapCount {
            is_downloading: false,
            trouble: Some(MapTrouble::Offline),
            ..coming.clone()
        };
        check(
            stopped,
            Partial,
            "A part of the map is on this phone, 1.0 MB. There is no network. It goes on where it stopped when there is.",
        );
        let nothing = MapCount {
            trouble: Some(MapTrouble::NoRoom),
            ..some
        };
        check(
            nothing,
            Failed,
            "No map came. There is no more room for it on this phone.",
        );
        let whole = MapCount {
            is_downloading: false,
            done: 12,
            tiles: 12,
            bytes: 12_345_678.0,
            missing_bytes: 0.0,
            ..coming
        };
        check(
            whole.clone(),
            Ready,
            "The map is on this phone, 12 MB. It works with no network.",
        );
        let moved = MapCount {
            unlisted: 4,
            ..whole
        };
        check(
            moved.clone(),
            Partial,
            "A part of the map is on this phone, 12 MB. The server was not asked yet for all places where you work.",
        );
        check(
            MapCount {
                tiles: 0,
                wanted: 0,
                done: 0,
                ..moved
            },
            Nothing,
            "No map is on this phone yet.",
        );
    }

    #[test]
    fn little_comes_unasked_and_nothing_where_data_is_saved() {
        assert!(comes_unasked(0.0, false));
        assert!(comes_unasked(5e6, false));
        assert!(!comes_unasked(5e6 + 1.0, false));
        assert!(!comes_unasked(1.0, true));
    }

    #[test]
    fn why_the_ground_is_blank_is_said_with_what_helps() {
        let check = |count: &GroundCount, text: &str, size: Option<&str>| {
            let blank = blank_ground(count);
            assert_eq!((blank.text.as_str(), blank.size.as_deref()), (text, size));
        };
        let nowhere = GroundCount {
            is_online: true,
            ..GroundCount::default()
        };
        check(
            &nowhere,
            "Set the position of your service area in your profile, and its map comes here if the server has one.",
            None,
        );
        let mapless = GroundCount {
            server_has_map: Some(false),
            ..nowhere.clone()
        };
        check(
            &mapless,
            "The server has no street map. Walks are tracked without one.",
            None,
        );
        let outside = GroundCount {
            has_places: true,
            ..nowhere
        };
        check(
            &outside,
            "No map here: this is outside of your service area and not near a client's home.",
            None,
        );
        let wanted = GroundCount {
            is_wanted: true,
            missing_bytes: 12e6,
            ..outside
        };
        let yet = "The map of this area is not on this phone yet.";
        check(&wanted, yet, Some(""));
        let there = GroundCount {
            is_there: Some(true),
            ..wanted.clone()
        };
        check(&there, yet, Some("12 MB"));
        let refused = GroundCount {
            trouble: Some(MapTrouble::NoRoom),
            ..there.clone()
        };
        check(
            &refused,
            "No map came. There is no more room for it on this phone.",
            Some("12 MB"),
        );
        let cut = GroundCount {
            is_online: false,
            ..there.clone()
        };
        check(
            &cut,
            "The map of this area is not on this phone, and there is no network.",
            None,
        );
        let coming = GroundCount {
            is_downloading: true,
            ..there
        };
        check(&coming, "The map is on its way.", None);
        let none = GroundCount {
            is_there: Some(false),
            ..wanted
        };
        check(
            &none,
            "The server has no street map of this area. Walks are tracked without one.",
            None,
        );
        let choice = GroundCount {
            map_use: MapUse::Choice,
            ..none.clone()
        };
        check(
            &choice,
            "The server has no map of this place, so no streets are shown. The pin still marks the place.",
            None,
        );
        let unasked = GroundCount {
            is_there: None,
            has_places: false,
            ..choice
        };
        check(&unasked, "", None);
        let cut = GroundCount {
            is_online: false,
            ..unasked
        };
        check(
            &cut,
            "The map of this place is not on this phone, and there is no network. The pin still marks the place.",
            None,
        );
        let look = GroundCount {
            map_use: MapUse::Look,
            has_places: false,
            ..none
        };
        check(
            &look,
            "The server has no street map of this place. What is drawn here is still in the right place.",
            None,
        );
        let unasked = GroundCount {
            is_there: None,
            ..look
        };
        check(&unasked, "", None);
    }

    #[test]
    fn a_way_wants_the_tiles_between_its_ends_and_those_around() {
        let from = Place::from_degrees(KLUUVI.lat, KLUUVI.lng).unwrap();
        let to = Place::from_degrees(KLUUVI.lat + 0.04, KLUUVI.lng + 0.06).unwrap();
        let wanted = wanted_for_way(from, to);
        for place in [from, to] {
            assert!(wanted.tiles.contains(&Point::at(place).tile()));
        }
        assert!(
            (6..=24).contains(&wanted.tiles.len()),
            "{}",
            wanted.tiles.len()
        );
        assert!(!wanted_for_way(from, from).tiles.is_empty());
        let far = Place::from_degrees(KLUUVI.lat + 1.0, KLUUVI.lng).unwrap();
        assert_eq!(wanted_for_way(from, far), Wanted::default());
    }

    fn named(wanted: &Wanted) -> Vec<TileId> {
        let around = wanted.asks.iter().flat_map(|ask| {
            let place = Place::from_degrees(ask.lat, ask.lng).unwrap();
            TileId::around(Point::at(place), ask.radius_m)
        });
        around.collect()
    }

    #[test]
    fn a_route_tells_the_server_the_tile_in_which_it_begins_and_nothing_nearer() {
        let corner = Point::at(Place::from_degrees(KLUUVI.lat, KLUUVI.lng).unwrap())
            .tile()
            .corner();
        let from = |x: u32, y: u32| {
            let start = Point {
                x: corner.x + x,
                y: corner.y + y,
            };
            wanted_for_route(&RouteRequest::plain(30, start.place()))
        };
        let last = (1 << TILE_BITS) - 2;
        let one = from(3, 5);
        assert_eq!(one.asks.len(), 1);
        assert_eq!(one.asks, from(last, last).asks);
        assert_ne!(one.tiles, from(last, last).tiles);
    }

    proptest! {
        #[test]
        fn what_is_asked_for_a_route_names_all_that_it_needs(
            lat in -80.0..80.0_f64, lng in -179.0..179.0_f64, minutes in 5..=120_u32,
        ) {
            let start = Place::from_degrees(lat, lng).unwrap();
            let wanted = wanted_for_route(&RouteRequest::plain(minutes, start));
            let named = named(&wanted);
            prop_assert!(wanted.tiles.iter().all(|it| named.contains(it)));
        }

        #[test]
        fn what_is_asked_names_all_that_is_wanted(
            lat in -80.0..80.0_f64, lng in -179.0..179.0_f64, radius_miles in 0.0..20.0_f64,
            homes in prop::collection::vec((-0.3..0.3_f64, -0.3..0.3_f64), 0..6),
        ) {
            let middle = Degrees { lat, lng };
            let homes = homes.iter().map(|(north, east)| Degrees { lat: lat + north, lng: lng + east }).collect();
            let wanted = wanted(&MapPlaces { middle: Some(middle), radius_miles, homes });
            let named = named(&wanted);
            prop_assert!(wanted.tiles.iter().all(|it| named.contains(it)));
        }
    }
}
