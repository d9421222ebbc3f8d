//! Tests of routes at real places where faults were found, on the network around them alone.

use super::*;
use crate::map::Tile;
use crate::values::place::Place;
use crate::values::plane::distance_m;

/// A street grid in Bangor, Maine, and around it.
const BANGOR: &[&[u8]] = &[
    include_bytes!("../../testdata/places/bangor-2531-2953.wktl"),
    include_bytes!("../../testdata/places/bangor-2531-2954.wktl"),
];
/// A small network in Holden, Maine, that only a trunk road joins to others.
const HOLDEN: &[&[u8]] = &[
    include_bytes!("../../testdata/places/holden-2531-2953.wktl"),
    include_bytes!("../../testdata/places/holden-2531-2954.wktl"),
    include_bytes!("../../testdata/places/holden-2532-2953.wktl"),
    include_bytes!("../../testdata/places/holden-2532-2954.wktl"),
    include_bytes!("../../testdata/places/holden-2533-2954.wktl"),
];
/// A fast road near Karlsruhe with paths beside it.
const FAST_ROAD: &[&[u8]] = &[
    include_bytes!("../../testdata/places/karlsruhe-4286-2811.wktl"),
    include_bytes!("../../testdata/places/karlsruhe-4287-2811.wktl"),
];
/// A canal in a forest with a path on each bank.
const CANAL: &[&[u8]] = &[
    include_bytes!("../../testdata/places/canal-4287-2809.wktl"),
    include_bytes!("../../testdata/places/canal-4287-2810.wktl"),
    include_bytes!("../../testdata/places/canal-4288-2809.wktl"),
    include_bytes!("../../testdata/places/canal-4288-2810.wktl"),
];
/// A neighborhood in Bangor, Maine, whose streets have letters for names.
const LETTERED_STREETS: &[&[u8]] = &[
    include_bytes!("../../testdata/places/streets-2530-2951.wktl"),
    include_bytes!("../../testdata/places/streets-2530-2952.wktl"),
];
/// A hillside above Monaco with a few paths.
const HILLSIDE: &[&[u8]] = &[
    include_bytes!("../../testdata/places/hillside-4263-2986.wktl"),
    include_bytes!("../../testdata/places/hillside-4264-2986.wktl"),
];
/// An avenue in Monaco with no fork for half a kilometer either way.
const LONG_AVENUE: &[&[u8]] = &[
    include_bytes!("../../testdata/places/avenue-4264-2986.wktl"),
    include_bytes!("../../testdata/places/avenue-4264-2987.wktl"),
    include_bytes!("../../testdata/places/avenue-4265-2986.wktl"),
    include_bytes!("../../testdata/places/avenue-4265-2987.wktl"),
];
/// A park on a cape beside Monaco, below its streets.
const CAPE: &[&[u8]] = &[
    include_bytes!("../../testdata/places/cape-4263-2987.wktl"),
    include_bytes!("../../testdata/places/cape-4264-2986.wktl"),
    include_bytes!("../../testdata/places/cape-4264-2987.wktl"),
];

fn router(tiles: &[&[u8]]) -> Router {
    let tiles: Vec<Tile> = tiles
        .iter()
        .map(|it| Tile::decode_network(it).unwrap())
        .collect();
    Router::new(&tiles)
}

fn request(minutes: u32, lat: f64, lon: f64) -> RouteRequest {
    RouteRequest::plain(minutes, Place::from_degrees(lat, lon).unwrap())
}

#[test]
fn the_one_loop_of_a_street_grid_is_found_beyond_the_next_corner() {
    let request = request(15, 44.77406, -68.76154);
    let route = router(BANGOR).generate(&request).unwrap().swap_remove(0);
    assert_eq!(route.kind, RouteKind::Loop);
    assert!(route.duration < 17.0 * 60.0, "{}", route.duration);
    let notice = route.notice.unwrap_or_default();
    assert!(
        notice.starts_with("No loop of 15 minutes was found"),
        "{notice}"
    );
}

#[test]
fn a_loop_is_offered_in_a_neighborhood_of_few_streets() {
    for minutes in [15, 30] {
        let request = request(minutes, 44.84513, -68.79024);
        let routes = router(LETTERED_STREETS).generate(&request).unwrap();
        let offered: Vec<_> = routes.iter().map(|it| (it.kind, it.duration)).collect();
        let is_loop_in_time = |(kind, duration): &(RouteKind, f64)| {
            let off = (duration / (f64::from(minutes) * 60.0) - 1.0).abs();
            *kind == RouteKind::Loop && off <= 0.12
        };
        assert!(offered.iter().any(is_loop_in_time), "{offered:?}");
    }
}

#[test]
fn a_loop_of_the_time_that_was_asked_for_is_found_in_a_park_on_a_cape() {
    let request = request(30, 43.73273, 7.39959);
    let routes = router(CAPE).generate(&request).unwrap();
    assert_eq!(routes[0].kind, RouteKind::Loop);
    assert!((routes[0].duration / 1800.0 - 1.0).abs() < 0.05);
    assert_eq!(routes[0].notice, None);
}

#[test]
fn no_loop_is_claimed_where_each_takes_much_more_or_less_time() {
    for (tiles, lat, lon) in [
        (HILLSIDE, 43.76000, 7.37783),
        (LONG_AVENUE, 43.74485, 7.42101),
    ] {
        for route in router(tiles).generate(&request(30, lat, lon)).unwrap() {
            assert_eq!(route.kind, RouteKind::ThereAndBack);
            let says = |it: &String| it.contains("back");
            assert!(route.features.iter().any(says), "{:?}", route.features);
            assert!((route.duration / 1800.0 - 1.0).abs() < 0.01);
        }
    }
}

#[test]
fn a_door_on_a_fast_road_is_led_along_the_paths_beside_it() {
    for minutes in [15, 30] {
        let request = request(minutes, 49.04773, 8.39249);
        for route in router(FAST_ROAD).generate(&request).unwrap() {
            let warned = route.warnings.iter();
            let fast: Vec<_> = warned
                .filter(|it| it.kind == WarningKind::FastRoad)
                .collect();
            assert!(fast.is_empty(), "{minutes}: {fast:?}");
        }
    }
}

#[test]
fn a_walk_begins_at_the_door_or_says_how_far_away() {
    for minutes in [15, 30, 60] {
        let request = request(minutes, 44.76465, -68.70816);
        let mut router = router(HOLDEN);
        let routes = router.generate(&request).unwrap();
        assert_eq!(routes[0].approach, None);
        for (route, found) in routes.iter().zip(router.routes(&request).unwrap()) {
            let away_m = distance_m(found.line[0].place(), request.start_location);
            assert_eq!(route.approach.is_some(), away_m > 50.0);
        }
    }
}

#[test]
fn both_banks_of_a_canal_are_offered_as_what_they_are() {
    for minutes in [30, 60] {
        let request = request(minutes, 49.09127, 8.43605);
        let mut router = router(CANAL);
        let routes = router.generate(&request).unwrap();
        for (route, found) in routes.iter().zip(router.routes(&request).unwrap()) {
            if found.shape.beside > 0.25 {
                assert_ne!(route.kind, RouteKind::Loop, "{:?}", found.shape);
                let says = |it: &String| it.contains("back");
                assert!(route.features.iter().any(says), "{:?}", route.features);
            }
        }
    }
}
