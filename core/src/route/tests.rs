//! Tests of routes on towns that are made up: whatever the town, there is an answer, and it is a walk.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::map::testing::{self, BLOCK, ID};
use crate::map::*;
use crate::values::place::Place;
use crate::values::plane::distance_m;

/// Streets on each side of the town.
const SIDE: u32 = 16;
/// How far it begins from the tile's corner.
const MARGIN: u32 = 200;

/// A town of square blocks; of the pieces of its streets, in their order, those are there of which `has` says so.
fn town(mut has: impl FnMut(usize) -> bool, kinds: &[WayKind], heights: &[i16]) -> Tile {
    let mut tile = testing::town(SIDE, MARGIN);
    let network = &mut tile.network;
    for (index, node) in network.nodes.iter_mut().enumerate() {
        node.height_m = heights.get(index % heights.len().max(1)).copied();
        if index.is_multiple_of(7) {
            node.crossing = Crossing::Signals;
        }
    }
    network.edges.retain_mut(|it| {
        // Two begin at a crossing, to the east and to the south.
        let index = (it.from * 2 + if it.to == it.from + 1 { 1 } else { 2 }) as usize;
        if let Some(kind) = kinds.get(index % kinds.len().max(1)) {
            it.way.kind = *kind;
        }
        has(index)
    });
    tile
}

fn request(minutes: u32, start: Point) -> RouteRequest {
    RouteRequest::plain(minutes, start.place())
}

/// Somewhere in the town, `right` and `down` in thousandths of its side.
fn somewhere(right: u32, down: u32) -> Point {
    let side = BLOCK * (SIDE - 1);
    testing::at(MARGIN + side * right / 1000, MARGIN + side * down / 1000)
}

fn off_by(found: &FoundRoute, minutes: u32) -> f64 {
    let budget = f64::from(minutes) * 60_000.0;
    (f64::from(found.time_ms) - budget).abs() / budget
}

#[test]
fn a_town_gives_three_loops_of_the_time_that_was_asked_for() {
    let mut router = Router::new(&[town(|_| true, &[], &[])]);
    for minutes in [15, 20, 30, 45] {
        let found = router
            .routes(&request(minutes, somewhere(480, 510)))
            .unwrap();
        assert_eq!(found.len(), 3, "{minutes}");
        for it in &found {
            assert_eq!(it.kind, RouteKind::Loop);
            assert!(off_by(it, minutes) < 0.05, "{minutes}: {}", it.time_ms);
            assert!(it.repeated < 0.05, "{minutes}: {}", it.repeated);
            assert!(it.shape.spur_m <= 30.0, "{minutes}: {:?}", it.shape);
        }
    }
}

#[test]
fn the_side_of_the_town_that_was_asked_for_is_where_the_loop_goes() {
    let mut router = Router::new(&[town(|_| true, &[], &[])]);
    let start = somewhere(500, 500);
    for (eighth, east, south) in [(0, 0, -1), (2, 1, 0), (4, 0, 1), (6, -1, 0)] {
        let request = RouteRequest {
            towards: Some(eighth),
            ..request(30, start)
        };
        let found = router.routes(&request).unwrap();
        let line = &found[0].line;
        let mean = |axis: fn(&Point) -> u32| {
            line.iter().map(|it| f64::from(axis(it))).sum::<f64>() / line.len() as f64
        };
        let (x, y) = (
            mean(|it| it.x) - f64::from(start.x),
            mean(|it| it.y) - f64::from(start.y),
        );
        assert!(
            x * f64::from(east) + y * f64::from(south) > 0.0,
            "{eighth}: {x} {y}"
        );
    }
}

#[test]
fn another_seed_gives_another_loop_and_the_same_seed_the_same() {
    let mut router = Router::new(&[town(|_| true, &[], &[])]);
    let mut first = |seed| {
        let request = RouteRequest {
            seed,
            ..request(30, somewhere(500, 500))
        };
        router.routes(&request).unwrap()[0].line.clone()
    };
    let lines: HashSet<Vec<Point>> = (0..6).map(&mut first).collect();
    assert!(lines.len() >= 4, "{}", lines.len());
    assert_eq!(first(3), first(3));
}

#[test]
fn one_street_without_a_loop_is_walked_there_and_back_to_the_second() {
    // The first piece of each row: one long street.
    let mut router = Router::new(&[town(
        |index| index % 2 == 1 && index < 2 * SIDE as usize,
        &[],
        &[],
    )]);
    for minutes in [5, 10, 15, 20] {
        let found = router.routes(&request(minutes, somewhere(300, 0))).unwrap();
        let it = &found[0];
        assert_eq!(it.kind, RouteKind::ThereAndBack);
        assert!(off_by(it, minutes) < 0.01, "{minutes}: {}", it.time_ms);
        assert_eq!(it.line.first(), it.line.last());
    }
}

#[test]
fn both_sides_of_one_street_are_no_loop() {
    const CORNERS: u32 = 8;
    let mut tile = Tile::empty(testing::ID);
    let edges = &mut tile.network.edges;
    for corner in 0..CORNERS {
        // 5 m apart.
        for down in [0, 16] {
            let place = testing::at(MARGIN + corner * BLOCK, MARGIN + down);
            tile.network.nodes.push(testing::node(place));
        }
        edges.push(testing::edge(2 * corner, 2 * corner + 1));
        for side in (0..2).filter(|_| corner + 1 < CORNERS) {
            let from = 2 * corner + side;
            edges.push(testing::edge(from, from + 2));
        }
    }
    let mut router = Router::new(&[tile]);
    let start = testing::at(MARGIN, MARGIN);
    let minutes = 9;
    let found = router.routes(&request(minutes, start)).unwrap();
    assert!(off_by(&found[0], minutes) < 0.05);
    assert!(found.iter().all(|it| it.kind == RouteKind::ThereAndBack));
}

#[test]
fn a_dual_carriageway_up_and_down_is_no_loop() {
    // 12 m apart, joined at both ends alone.
    let mut router = Router::new(&[two_rows(8, 40)]);
    let start = testing::at(MARGIN + 3 * BLOCK, MARGIN);
    let minutes = 16;
    let found = router.routes(&request(minutes, start)).unwrap();
    assert!(off_by(&found[0], minutes) < 0.05);
    for it in &found {
        assert_eq!(it.kind, RouteKind::ThereAndBack, "{:?}", it.shape);
    }
}

/// Two rows of so many corners, so many steps apart, joined at both ends alone.
fn two_rows(n_corners: u32, apart: u32) -> Tile {
    let mut tile = Tile::empty(testing::ID);
    for down in [0, apart] {
        for corner in 0..n_corners {
            let place = testing::at(MARGIN + corner * BLOCK, MARGIN + down);
            tile.network.nodes.push(testing::node(place));
        }
    }
    let rows = [0, n_corners].into_iter().flat_map(|first| {
        let corners = first..first + n_corners - 1;
        corners.map(|it| testing::edge(it, it + 1))
    });
    let ends = [0, n_corners - 1].map(|it| testing::edge(it, it + n_corners));
    tile.network.edges = rows.chain(ends).collect();
    tile
}

#[test]
fn both_banks_of_a_canal_are_no_loop_and_not_the_same_way_either() {
    // 20 m apart.
    let mut router = Router::new(&[two_rows(8, 66)]);
    let start = testing::at(MARGIN + 3 * BLOCK, MARGIN);
    let routes = router.generate(&request(16, start)).unwrap();
    let found = router.routes(&request(16, start)).unwrap();
    for (route, it) in routes.iter().zip(&found) {
        assert_ne!(route.kind, RouteKind::Loop, "{:?}", it.shape);
        let says = |text: &str| route.features.iter().any(|it| it == text);
        let is_same_way = it.repeated > 0.4;
        assert_eq!(says("The same way out and back"), is_same_way);
        assert_eq!(
            says("Out on one side and back on the other, close by"),
            !is_same_way,
            "{:?}",
            route.features
        );
    }
    assert!(found[0].repeated < 0.1, "{}", found[0].repeated);
}

/// The town, and so many steps to the east of it a single block of streets that nothing joins to it.
fn town_and_island(steps: u32) -> (Tile, Point) {
    let mut tile = town(|_| true, &[], &[]);
    let first = tile.network.nodes.len() as u32;
    let west = MARGIN + (SIDE - 1) * BLOCK + steps;
    for (right, down) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
        let place = testing::at(west + right * BLOCK, MARGIN + (7 + down) * BLOCK);
        tile.network.nodes.push(testing::node(place));
    }
    let around = (0..4).map(|it| testing::edge(first + it, first + (it + 1) % 4));
    tile.network.edges.extend(around);
    (tile, testing::at(west, MARGIN + 7 * BLOCK + BLOCK / 2))
}

#[test]
fn a_small_network_at_the_door_is_walked_before_a_larger_one_far_away() {
    // 210 m, and the width of a courtyard.
    let (tile, door) = town_and_island(700);
    let mut router = Router::new(&[tile]);
    for minutes in [5, 15, 30] {
        let found = router.routes(&request(minutes, door)).unwrap();
        let off_m = found[0].line[0].distance_m(door);
        assert!(off_m < 2.0, "{minutes}: {off_m}");
        let told = router.generate(&request(minutes, door)).unwrap();
        assert_eq!(told[0].approach, None);
        for it in &told[1..] {
            let approach = it.approach.as_ref().map(|it| it.distance);
            assert!(approach.is_none_or(|it| (190.0..230.0).contains(&it)));
        }
        let starts_away = told.iter().filter(|it| it.approach.is_some());
        assert_eq!(starts_away.count(), if minutes == 5 { 0 } else { 2 });
    }
    let (tile, door) = town_and_island(100);
    let mut router = Router::new(&[tile]);
    let found = router.routes(&request(30, door)).unwrap();
    assert_eq!(found[0].kind, RouteKind::Loop);
}

#[test]
fn a_place_to_pass_that_only_the_larger_network_reaches_is_passed() {
    let (tile, door) = town_and_island(700);
    let mut router = Router::new(&[tile]);
    let via = somewhere(900, 466);
    let request = RouteRequest {
        via: vec![via.place()],
        ..request(30, door)
    };
    let found = router.routes(&request).unwrap();
    assert!(passes(&found[0].line, via));
}

/// How often the piece of a line that is walked most often is walked.
fn most_walked(line: &[Point]) -> usize {
    let mut times: std::collections::HashMap<(Point, Point), usize> = Default::default();
    for it in line.windows(2).filter(|it| it[0] != it[1]) {
        *times
            .entry((it[0].min(it[1]), it[0].max(it[1])))
            .or_default() += 1;
    }
    times.into_values().max().unwrap_or(0)
}

#[test]
fn where_there_is_no_room_for_so_long_the_longest_good_walk_is_offered() {
    let one_street: fn(usize) -> bool = |index| index % 2 == 1 && index < 2 * SIDE as usize;
    let nine_blocks: fn(usize) -> bool = |index| {
        let from = (index - 1) / 2;
        let (row, column, is_east) = (from / SIDE as usize, from % SIDE as usize, index % 2 == 1);
        row < if is_east { 4 } else { 3 } && column < if is_east { 3 } else { 4 }
    };
    for (has, start, kind, least) in [
        // There and back to one end takes 24 minutes at most.
        (one_street, somewhere(300, 0), RouteKind::ThereAndBack, 24),
        (nine_blocks, somewhere(66, 66), RouteKind::Loop, 12),
    ] {
        let mut router = Router::new(&[town(has, &[], &[])]);
        for minutes in [60, 120] {
            let found = router.routes(&request(minutes, start)).unwrap();
            assert_eq!(found[0].kind, kind);
            for it in &found {
                assert!(most_walked(&it.line) <= 2, "{minutes}: {:?}", it.line);
                assert!(it.has_no_room());
            }
            let told = router.generate(&request(minutes, start)).unwrap();
            let notice = told[0].notice.clone().unwrap();
            assert!(
                notice.contains(&format!("a good walk of {minutes} minutes")),
                "{notice}"
            );
            let took = found[0].time_ms / 60_000;
            assert!((least..minutes - 3).contains(&took), "{took}");
        }
    }
}

#[test]
fn a_fast_road_is_said_and_walked_only_where_nothing_else_leads() {
    let row = 8;
    let fast = |sidewalk: Sidewalk, has: fn(usize) -> bool| {
        let mut tile = town(has, &[], &[]);
        let edges = tile.network.edges.iter_mut();
        for edge in edges.filter(|it| it.name == Some(row * 2)) {
            edge.way.kind = WayKind::Unclassified;
            edge.way.fast = true;
            edge.way.sidewalk = sidewalk;
        }
        let mut router = Router::new(&[tile]);
        let route = router.generate(&request(30, somewhere(533, 533)));
        let warnings = route.unwrap().swap_remove(0).warnings.into_iter();
        let told = warnings.filter(|it| it.kind == WarningKind::FastRoad);
        told.map(|it| it.text).collect::<Vec<_>>()
    };
    let alone = |index: usize| index % 2 == 1 && index / (2 * SIDE as usize) == 8;
    for sidewalk in [Sidewalk::Unknown, Sidewalk::No, Sidewalk::Separate] {
        let told = fast(sidewalk, alone);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(told[0].contains("8th Street"), "{told:?}");
        assert_eq!(fast(sidewalk, |_| true), [""; 0]);
    }
    assert_eq!(fast(Sidewalk::Yes, alone), [""; 0]);
}

#[test]
fn a_door_on_a_fast_road_begins_on_the_path_beside_it() {
    // 20 m and 45 m apart.
    for (apart, is_beside) in [(66, true), (150, false)] {
        let mut tile = two_rows(8, apart);
        let road_y = tile.network.nodes[0].at.y;
        let nodes = tile.network.nodes.clone();
        let is_on = |node: u32| nodes[node as usize].at.y == road_y;
        for edge in &mut tile.network.edges {
            if is_on(edge.from) && is_on(edge.to) {
                edge.way.kind = WayKind::Primary;
                edge.way.fast = true;
                edge.way.sidewalk = Sidewalk::Separate;
            } else {
                edge.way.kind = WayKind::Path;
            }
        }
        let mut router = Router::new(&[tile]);
        let door = testing::at(MARGIN + 3 * BLOCK + BLOCK / 2, MARGIN);
        let route = router.generate(&request(6, door)).unwrap().swap_remove(0);
        let found = router.routes(&request(6, door)).unwrap().swap_remove(0);
        let warned = route.warnings.iter();
        let is_warned = warned
            .map(|it| it.kind)
            .any(|it| it == WarningKind::FastRoad);
        let on_road = found.line.iter().any(|it| it.y == road_y);
        assert_eq!((on_road, is_warned), (!is_beside, !is_beside), "{apart}");
    }
}

#[test]
fn a_loop_that_takes_a_little_more_or_less_is_better_than_the_same_way_back() {
    // Around two blocks by four, and a street to nowhere.
    let has = |index: usize| {
        let from = (index - 1) / 2;
        let (row, column, is_east) = (from / SIDE as usize, from % SIDE as usize, index % 2 == 1);
        let around = if is_east {
            matches!(row, 0 | 2) && column < 4
        } else {
            row < 2 && matches!(column, 0 | 4)
        };
        around || is_east && row == 0
    };
    let mut router = Router::new(&[town(has, &[], &[])]);
    let door = testing::at(MARGIN + 2 * BLOCK + BLOCK / 2, MARGIN);
    let mut offs = Vec::new();
    for (minutes, dog_count) in (11..20).flat_map(|it| (1..=4).map(move |dogs| (it, dogs))) {
        let request = RouteRequest {
            dog_count,
            ..request(minutes, door)
        };
        let found = router.routes(&request).unwrap().swap_remove(0);
        let told = router.generate(&request).unwrap().swap_remove(0);
        if found.kind != RouteKind::Loop {
            continue;
        }
        let off = off_by(&found, minutes);
        assert!(off <= 0.12, "{minutes}: {off}");
        assert_eq!(found.has_other_time(), off > 0.075);
        let takes = format!("This one takes {}.", (found.time_ms + 30_000) / 60_000);
        let says = told.notice.is_some_and(|it| it.ends_with(&takes));
        assert_eq!(says, found.has_other_time());
        offs.push(off);
    }
    assert!(offs.iter().any(|it| *it <= 0.075), "{offs:?}");
    assert!(offs.iter().any(|it| *it > 0.08), "{offs:?}");
}

#[test]
fn a_sidewalk_that_is_drawn_apart_is_walked_and_not_its_street() {
    let mut tile = town(|_| true, &[], &[]);
    let first = tile.network.nodes.len() as u32;
    for edge in &mut tile.network.edges {
        if edge.to == edge.from + 1 {
            edge.way.sidewalk = Sidewalk::Separate;
        } else {
            edge.from += first;
        }
    }
    // 10 m to the south of each street that leads east.
    for index in 0..SIDE * SIDE {
        let corner = tile.network.nodes[index as usize].at;
        let beside = Point {
            y: corner.y + 33,
            ..corner
        };
        tile.network.nodes.push(testing::node(beside));
        let mut add = |from: u32, to: u32, kind: WayKind| {
            let mut edge = testing::edge(from, to);
            edge.way.kind = kind;
            tile.network.edges.push(edge);
        };
        add(index, first + index, WayKind::Crossing);
        if index % SIDE + 1 < SIDE {
            add(first + index, first + index + 1, WayKind::Sidewalk);
        }
    }
    let streets: Vec<u32> = tile.network.nodes[..first as usize]
        .iter()
        .map(|it| it.at.y)
        .collect();
    let mut router = Router::new(&[tile]);
    let door = testing::at(MARGIN + 7 * BLOCK + 150, MARGIN + 7 * BLOCK + 33);
    for minutes in [20, 30, 45] {
        for it in router.routes(&request(minutes, door)).unwrap() {
            let on_street = it
                .line
                .windows(2)
                .filter(|it| it[0].y == it[1].y && streets.contains(&it[0].y));
            let meters: f64 = on_street.map(|it| it[0].distance_m(it[1])).sum();
            assert!(meters < 100.0, "{minutes}: {meters}");
        }
    }
}

#[test]
fn what_was_offered_is_not_offered_again_while_there_is_something_else() {
    let everywhere: fn(usize) -> bool = |_| true;
    // On a single street one goes east, west, or both ways, and what differs by some steps is the same.
    let one_street: fn(usize) -> bool = |index| index % 2 == 1 && index < 2 * SIDE as usize;
    let cases = [
        (everywhere, somewhere(500, 0), 12),
        (one_street, somewhere(500, 0), 3),
    ];
    for (has, start, most) in cases {
        let mut router = Router::new(&[town(has, &[], &[])]);
        let mut request = request(10, start);
        let mut known: HashSet<String> = HashSet::new();
        while known.len() < most {
            let routes = router.generate(&request).unwrap();
            for it in &routes {
                assert!(known.insert(it.geometry.clone()), "{}", known.len());
            }
            request
                .shown
                .extend(routes.into_iter().map(|it| it.geometry));
            request.seed += 1;
        }
        // Whatever was offered, there is an answer, and it says so where it is an old one.
        for it in router.generate(&request).unwrap() {
            let says = it
                .notice
                .is_some_and(|it| it.contains("You have seen this walk"));
            assert!(says || !known.contains(&it.geometry));
        }
    }
}

#[test]
fn flat_and_hilly_are_what_they_are_called_where_the_ground_has_both() {
    // Level in the west, up and down in the east.
    let heights: Vec<i16> = (0..SIDE as i16)
        .map(|it| if it < 8 { 0 } else { it % 2 * 8 })
        .collect();
    let mut router = Router::new(&[town(|_| true, &[], &heights)]);
    let climb = |hilliness| {
        let mut request = request(45, somewhere(500, 500));
        request.preferences.hilliness = hilliness;
        router.generate(&request).unwrap()[0].elevation_gain
    };
    let [flat, any, hilly] = [Hilliness::Flat, Hilliness::Any, Hilliness::Hilly].map(climb);
    assert!(flat * 1.5 <= any && any <= hilly, "{flat} {any} {hilly}");
    assert!(flat * 2.0 <= hilly, "{flat} {any} {hilly}");
}

#[test]
fn out_and_back_leads_up_or_stays_level_as_was_asked_whatever_else_is_liked() {
    // A level street that nobody likes, and on from there a quiet one up a hill.
    let heights: Vec<i16> = (0..SIDE as i16).map(|it| (it - 8).max(0) * 6).collect();
    let kinds: Vec<WayKind> = (0..2 * SIDE)
        .map(|it| match it {
            0..16 => WayKind::Trunk,
            _ => WayKind::Residential,
        })
        .collect();
    let one_street = |index| index % 2 == 1 && index < 2 * SIDE as usize;
    let mut router = Router::new(&[town(one_street, &kinds, &heights)]);
    let climb = |hilliness| {
        let mut request = request(10, somewhere(530, 0));
        request.preferences.hilliness = hilliness;
        router.generate(&request).unwrap()[0].elevation_gain
    };
    let all = [Hilliness::Flat, Hilliness::Any, Hilliness::Hilly].map(climb);
    assert!(all[0] < 5.0 && 20.0 < all[1] && 20.0 < all[2], "{all:?}");
}

#[test]
fn a_way_to_a_loop_is_offered_where_it_meets_the_time() {
    // A lane to four blocks.
    let has = |index: usize| {
        let from = (index - 1) / 2;
        let (row, column, is_east) = (from / SIDE as usize, from % SIDE as usize, index % 2 == 1);
        let lane = (row, column, is_east) == (0, 8, false);
        let east = is_east && (1..4).contains(&row) && (8..10).contains(&column);
        let south = !is_east && (1..3).contains(&row) && (8..11).contains(&column);
        lane || east || south
    };
    let mut router = Router::new(&[town(has, &[], &[])]);
    let door = testing::at(MARGIN + 8 * BLOCK, MARGIN);
    let mut kinds = Vec::new();
    for (minutes, dog_count) in (5..16).flat_map(|it| (1..=4).map(move |dogs| (it, dogs))) {
        let request = RouteRequest {
            dog_count,
            ..request(minutes, door)
        };
        let found = router.routes(&request).unwrap().swap_remove(0);
        let off = off_by(&found, minutes);
        assert!(
            found.kind == RouteKind::Loop || off <= 0.03 || found.has_no_room(),
            "{minutes} min: {:?} is off by {off}",
            found.kind
        );
        kinds.push(found.kind);
    }
    assert!(kinds.contains(&RouteKind::Lollipop) && kinds.contains(&RouteKind::ThereAndBack));
}

#[test]
fn who_was_offered_both_ways_from_the_end_of_a_lane_is_offered_one_after_the_other() {
    let street = 2 * SIDE as usize..4 * SIDE as usize;
    let lane = 18;
    let has = |index: usize| index == lane || index % 2 == 1 && street.contains(&index);
    let mut router = Router::new(&[town(has, &[], &[])]);
    let door = testing::at(MARGIN + 8 * BLOCK, MARGIN);
    let mut request = request(15, door);
    for it in router.generate(&request).unwrap() {
        request.shown.push(it.geometry);
    }
    let found = router.routes(&request).unwrap().swap_remove(0);
    assert!(off_by(&found, 15) < 0.01, "{}", found.time_ms);
    let goes =
        |is_there: fn(&u32, &u32) -> bool| found.line.iter().any(|it| is_there(&it.x, &door.x));
    assert!(goes(u32::lt) && goes(u32::gt), "{:?}", found.line);
    assert_eq!(found.line.iter().filter(|it| **it == door).count(), 2);
}

#[test]
fn wheels_take_no_steps_and_are_told_of_rough_ground() {
    let kinds = [
        WayKind::Steps,
        WayKind::Footway,
        WayKind::Footway,
        WayKind::Residential,
        WayKind::Footway,
    ];
    let mut tile = town(|_| true, &kinds, &[]);
    let told = |tile: &Tile, on_wheels: bool, kind: WarningKind| {
        let mut router = Router::new(std::slice::from_ref(tile));
        let mut request = request(30, somewhere(500, 466));
        request.preferences.on_wheels = on_wheels;
        let routes = router.generate(&request).unwrap();
        let warnings = routes.iter().flat_map(|it| &it.warnings);
        warnings.filter(|it| it.kind == kind).count()
    };
    assert!(told(&tile, false, WarningKind::Steps) > 0);
    assert_eq!(told(&tile, true, WarningKind::Steps), 0);
    for edge in &mut tile.network.edges {
        edge.way.surface = Surface::Soft;
    }
    assert_eq!(told(&tile, false, WarningKind::RoughGround), 0);
    assert!(told(&tile, true, WarningKind::RoughGround) > 0);
}

#[test]
fn where_no_way_is_near_the_answer_says_so() {
    let mut router = Router::new(&[town(|_| true, &[], &[])]);
    let far = Point {
        x: ID.corner().x + 7800,
        y: ID.corner().y + 7800,
    };
    assert_eq!(
        router.routes(&request(30, far)).unwrap_err(),
        RouteError::NoNetwork
    );
    assert_eq!(
        Router::new(&[]).routes(&request(30, far)).unwrap_err(),
        RouteError::NoNetwork
    );
}

#[test]
fn a_loop_has_its_corners_said() {
    let mut router = Router::new(&[town(|_| true, &[], &[])]);
    let found = router.routes(&request(15, somewhere(500, 466))).unwrap();
    let steps = &found[0].steps;
    assert_eq!(
        steps.first().map(|it| it.maneuver.kind),
        Some(ManeuverKind::Depart)
    );
    assert_eq!(
        steps.last().map(|it| it.maneuver.kind),
        Some(ManeuverKind::Arrive)
    );
    let turns: Vec<_> = steps
        .iter()
        .filter(|it| it.maneuver.kind == ManeuverKind::Turn)
        .collect();
    assert!(turns.len() >= 3, "{steps:#?}");
    for it in turns {
        assert!(
            matches!(it.maneuver.modifier, Some(Modifier::Left | Modifier::Right)),
            "{it:?}"
        );
        assert!(it.instruction.starts_with("Turn "), "{it:?}");
    }
}

/// Returns true if a line comes within a meter of a point.
fn passes(line: &[Point], point: Point) -> bool {
    let ground = Ground::at(point);
    line.windows(2).any(|it| {
        let there = ground.length_m(it[0], point) + ground.length_m(point, it[1]);
        there < ground.length_m(it[0], it[1]) + 1.0
    })
}

/// Meters of the way between two places in the town, along its streets.
fn blocks_m(from: Point, to: Point) -> f64 {
    let (x, y) = Ground::at(from).vector_m(from, to);
    x.abs() + y.abs()
}

#[test]
fn a_place_that_was_dropped_is_passed_in_the_same_time() {
    let mut router = Router::new(&[town(|_| true, &[], &[])]);
    let (door, near, far) = (
        somewhere(500, 466),
        somewhere(533, 300),
        somewhere(200, 800),
    );
    for via in [
        vec![near],
        vec![far],
        vec![near, far],
        vec![far, somewhere(467, 100), near],
    ] {
        let request = RouteRequest {
            via: via.iter().map(|it| it.place()).collect(),
            ..request(45, door)
        };
        let found = router.routes(&request).unwrap();
        for it in &found {
            assert!(off_by(it, 45) < 0.08, "{via:?}: {}", it.time_ms);
            for place in &via {
                assert!(passes(&it.line, *place), "{via:?}");
            }
        }
        assert_eq!(found[0].kind, RouteKind::Loop, "{via:?}");
        assert!(found[0].repeated < 0.06, "{via:?}: {}", found[0].repeated);
    }
}

#[test]
fn what_is_too_far_to_be_passed_is_said_with_the_time_that_it_takes() {
    let mut router = Router::new(&[town(|_| true, &[], &[])]);
    let (door, via) = (somewhere(100, 100), somewhere(800, 700));
    let mut ask = |minutes, via: Vec<Place>| {
        router.routes(&RouteRequest {
            via,
            ..request(minutes, door)
        })
    };
    let Err(RouteError::TooFar { minutes }) = ask(10, vec![via.place()]) else {
        panic!("it was reached");
    };
    let least = 2.0 * blocks_m(door, via) / 1.34 / 60.0;
    // Some signals are on the way.
    assert!(
        (least..least + 6.0).contains(&f64::from(minutes)),
        "{minutes} {least}"
    );
    let found = ask(minutes, vec![via.place()]).unwrap();
    assert!(passes(&found[0].line, via));
    assert_eq!(
        ask(30, vec![via.place(); 9]).unwrap_err(),
        RouteError::TooManyPlaces
    );
    let away = Place {
        lat_e7: 0,
        lon_e7: 0,
    };
    assert_eq!(ask(30, vec![away]).unwrap_err(), RouteError::NoNetwork);
}

#[test]
fn a_place_at_the_end_of_a_road_is_gone_to_and_the_time_is_kept() {
    let mut router = Router::new(&[town(
        |index| index % 2 == 1 && index < 2 * SIDE as usize,
        &[],
        &[],
    )]);
    let via = somewhere(600, 0);
    let request = RouteRequest {
        via: vec![via.place()],
        ..request(30, somewhere(300, 0))
    };
    let found = router.routes(&request).unwrap();
    assert!(passes(&found[0].line, via));
    assert!(off_by(&found[0], 30) < 0.01, "{}", found[0].time_ms);
    assert_eq!(found[0].kind, RouteKind::ThereAndBack);
}

#[test]
fn the_way_home_takes_the_time_that_is_left_and_never_less_than_it_must() {
    let mut router = Router::new(&[town(|_| true, &[], &[])]);
    let (here, home) = (somewhere(200, 200), somewhere(700, 600));
    let request = request(30, home);
    let shortest = blocks_m(here, home) / 1.34;
    for (minutes, least, most) in [(2, shortest, shortest * 1.1), (25, 1390.0, 1610.0)] {
        let way = router
            .home(here.place(), home.place(), minutes * 60_000, &request)
            .unwrap();
        assert!(
            (least..most).contains(&way.duration),
            "{minutes}: {}",
            way.duration
        );
        let line = crate::values::encoded_line::decode(&way.geometry).unwrap();
        let ends = [line[0], line[line.len() - 1]].map(Point::at);
        assert!(ends[0].distance_m(here) < 1.0 && ends[1].distance_m(home) < 1.0);
        assert_eq!(way.kind, RouteKind::OneWay);
        assert!(
            !way.features.iter().any(|it| it.contains("twice")),
            "{:?}",
            way.features
        );
    }
    let way = router
        .home(home.place(), home.place(), 600_000, &request)
        .unwrap();
    assert!(way.distance < 1.0, "{}", way.distance);
}

#[test]
fn the_way_there_is_the_quickest_and_ends_at_the_door() {
    let mut router = Router::new(&[town(|_| true, &[], &[])]);
    let (here, door) = (somewhere(200, 200), somewhere(700, 600));
    let way = router.way(here.place(), door.place()).unwrap();
    let shortest = blocks_m(here, door);
    assert!(
        (shortest..shortest * 1.02).contains(&way.distance),
        "{}",
        way.distance
    );
    let line = crate::values::encoded_line::decode(&way.geometry).unwrap();
    let ends = [line[0], line[line.len() - 1]].map(Point::at);
    assert!(ends[0].distance_m(here) < 1.0 && ends[1].distance_m(door) < 1.0);
    assert_eq!(way.kind, RouteKind::OneWay);
    assert_eq!(way.steps.last().unwrap().instruction, "You've arrived");
    let steps_m: f64 = way.steps.iter().map(|it| it.distance).sum();
    assert!((steps_m - way.distance).abs() < 1.0, "{steps_m}");
    // Who stands there is there.
    let none = router.way(door.place(), door.place()).unwrap();
    assert!(none.distance < 1.0 && !none.geometry.is_empty(), "{none:?}");
    let far = Place::from_degrees(10.0, 10.0).unwrap();
    assert_eq!(router.way(far, door.place()), Err(RouteError::TooFarOnFoot));
}

#[test]
fn what_was_walked_of_late_is_walked_less() {
    let mut router = Router::new(&[town(|_| true, &[], &[])]);
    let first = request(30, somewhere(500, 500));
    let known = router.generate(&first).unwrap().swap_remove(0);
    let line = |it: &GeneratedRoute| -> Vec<Point> {
        let line = crate::values::encoded_line::decode(&it.geometry).unwrap();
        line.into_iter().map(Point::at).collect()
    };
    let known_line = line(&known);
    let again = RouteRequest {
        familiar: vec![known.geometry, "no line".to_owned()],
        ..first
    };
    let other = line(&router.generate(&again).unwrap()[0]);
    let ground = Ground::at(known_line[0]);
    let plane = |it: &[Point]| -> Vec<(f64, f64)> {
        it.iter()
            .map(|it| ground.vector_m(known_line[0], *it))
            .collect()
    };
    let (known, other) = (samples(&plane(&known_line)), samples(&plane(&other)));
    let near = |a: &&(f64, f64)| known.iter().any(|b| (a.0 - b.0).hypot(a.1 - b.1) < 20.0);
    let shared = other.iter().filter(near).count() as f64 / other.len() as f64;
    assert!(shared < 0.4, "{shared}");
}

#[test]
fn who_wants_to_go_east_on_a_road_without_a_loop_goes_east() {
    let mut router = Router::new(&[town(
        |index| index % 2 == 1 && index < 2 * SIDE as usize,
        &[],
        &[],
    )]);
    let start = somewhere(500, 0);
    for (towards, is_east) in [(2, true), (6, false)] {
        let request = RouteRequest {
            towards: Some(towards),
            ..request(10, start)
        };
        let found = router.routes(&request).unwrap();
        let farthest = found[0].line.iter().max_by_key(|it| it.x.abs_diff(start.x));
        assert_eq!(farthest.unwrap().x > start.x, is_east, "{towards}");
    }
}

#[test]
fn a_busy_street_is_named_where_it_is_crossed_without_help() {
    let row = 8;
    let busy = |crossing: Crossing| {
        let mut tile = town(|_| true, &[], &[]);
        for edge in tile
            .network
            .edges
            .iter_mut()
            .filter(|it| it.name == Some(row * 2))
        {
            edge.way.kind = WayKind::Secondary;
        }
        for node in &mut tile.network.nodes {
            node.crossing = crossing;
        }
        let mut router = Router::new(&[tile]);
        // From just north of it to the south.
        let request = RouteRequest {
            towards: Some(4),
            ..request(45, somewhere(500, 466))
        };
        router.generate(&request).unwrap().swap_remove(0)
    };
    let crossings = |route: &GeneratedRoute| -> Vec<RouteWarning> {
        let all = route
            .warnings
            .iter()
            .filter(|it| it.kind == WarningKind::BusyCrossing);
        all.filter(|it| it.location.is_some()).cloned().collect()
    };
    let route = busy(Crossing::None);
    let told = crossings(&route);
    assert!(!told.is_empty(), "{:?}", route.warnings);
    for it in &told {
        assert!(it.text.contains("8th Street"), "{}", it.text);
        let at = Point::at(it.location.unwrap());
        assert!(at.y.abs_diff(ID.corner().y + 200 + row * BLOCK) <= 1);
    }
    let along: Vec<f64> = told.iter().filter_map(|it| it.distance).collect();
    assert!(along.is_sorted(), "{along:?}");
    assert!(crossings(&busy(Crossing::Marked)).is_empty());
    assert!(crossings(&busy(Crossing::Signals)).is_empty());
}

#[test]
fn what_a_route_is_like_is_true_of_its_way() {
    let mut tile = town(|_| true, &[WayKind::Path], &(0..40).collect::<Vec<i16>>());
    for edge in &mut tile.network.edges {
        edge.green = 7;
        edge.way.lit = Lit::No;
        edge.way.naming = Naming::Through;
        edge.name = Some(0);
    }
    tile.names[0] = "Westfalenpark".to_owned();
    let corner = somewhere(500, 500);
    for (kind, step) in [
        (SpotKind::DrinkingWater, 1),
        (SpotKind::Bench, 1),
        (SpotKind::Bin, 1),
    ] {
        let all = tile.network.nodes.iter().step_by(step);
        tile.spots.extend(all.map(|it| Spot {
            kind,
            at: it.at,
            name: None,
        }));
    }
    let mut router = Router::new(&[tile]);
    let mut request = request(45, corner);
    request.preferences.include_water_stops = true;
    // A winter's night in Helsinki.
    request.at = Some(1_768_510_800_000);
    let routes = router.generate(&request).unwrap();
    let names: HashSet<&str> = routes.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names.len(), routes.len());
    let best = &routes[0];
    assert_eq!(best.name, "Through Westfalenpark");
    assert!(
        best.features
            .contains(&"100% in parks and woods".to_owned()),
        "{:?}",
        best.features
    );
    assert!(best.elevation_gain > 30.0, "{}", best.elevation_gain);
    let dark = best
        .warnings
        .iter()
        .filter(|it| it.kind == WarningKind::Unlit);
    assert_eq!(dark.count(), 1);
    assert!(best.water_stops.as_ref().is_some_and(|it| !it.is_empty()));
    let rests = best.rest_points.as_ref().unwrap();
    assert!(!rests.is_empty());
    for (index, rest) in rests.iter().enumerate() {
        for other in &rests[..index] {
            assert!(distance_m(rest.location, other.location) >= 200.0);
        }
    }
    let off = |it: &RouteStop| (it.distance / best.distance - 0.5).abs();
    assert!(rests.is_sorted_by(|a, b| off(a) <= off(b)), "{rests:?}");
    assert!(best.weather_advice.as_ref().is_some_and(|it| it.len() == 2));
    request.duration = 31;
    let longer = router.generate(&request).unwrap();
    for route in &longer {
        assert_eq!(route.rest_points.is_some(), 1800.0 < route.duration);
    }
    request.duration = 30;
    request.at = None;
    for route in router.generate(&request).unwrap() {
        assert_eq!(route.rest_points.is_some(), 1800.0 < route.duration);
    }
    request.duration = 25;
    let short = &router.generate(&request).unwrap()[0];
    assert_eq!(short.rest_points, None);
    assert!(
        short
            .warnings
            .iter()
            .all(|it| it.kind != WarningKind::Unlit)
    );
}

#[test]
fn in_a_city_of_sidewalks_no_step_is_of_a_few_meters() {
    let tiles: Vec<Tile> = golden::TILES
        .iter()
        .map(|it| Tile::decode_network(it).unwrap())
        .collect();
    let mut router = Router::new(&tiles);
    let (mut n_steps, mut length_m) = (0, 0.0);
    for (lat, lon) in [
        (60.166, 24.942),
        (60.169, 24.945),
        (60.171, 24.951),
        (60.168, 24.934),
    ] {
        for minutes in [20, 45] {
            let request = RouteRequest::plain(minutes, Place::from_degrees(lat, lon).unwrap());
            for route in router.generate(&request).unwrap() {
                // The last but one may lead to the door.
                let on_the_way = &route.steps[..route.steps.len() - 2];
                for step in on_the_way {
                    assert!(step.distance >= 10.0, "{step:?}");
                }
                n_steps += on_the_way.len();
                length_m += route.distance;
            }
        }
    }
    let per_km = n_steps as f64 / length_m * 1e3;
    assert!(per_km <= 8.0, "{per_km} steps in a kilometer");
}

#[test]
fn a_loop_with_water_is_better_than_one_without_where_water_is_asked_for() {
    let mut tile = town(|_| true, &[], &[]);
    let fountain = somewhere(933, 500);
    tile.spots.push(Spot {
        kind: SpotKind::DrinkingWater,
        at: fountain,
        name: None,
    });
    let mut router = Router::new(&[tile]);
    let mut request = request(30, somewhere(500, 500));
    let met = |it: &GeneratedRoute| it.features.iter().any(|it| it == "Passes drinking water");
    request.preferences.include_water_stops = true;
    let best = router.generate(&request).unwrap().swap_remove(0);
    assert!(met(&best), "{:?}", best.features);
    assert_eq!(best.water_stops.unwrap()[0].location, fountain.place());
    let far = router
        .generate(&RouteRequest {
            duration: 5,
            ..request
        })
        .unwrap();
    assert_eq!(far[0].water_stops, Some(Vec::new()));
    assert!(
        far[0]
            .warnings
            .iter()
            .any(|it| it.text.contains("No drinking water"))
    );
}

fn any_place() -> impl Strategy<Value = Place> {
    let in_town = (0..1000_u32, 0..1000_u32).prop_map(|it| somewhere(it.0, it.1).place());
    let anywhere = (any::<i32>(), any::<i32>()).prop_map(|it| Place {
        lat_e7: it.0,
        lon_e7: it.1,
    });
    prop_oneof![4 => in_town, 1 => anywhere]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_request_is_too_strange(
        (duration, seed, dog_count) in (prop_oneof![0..40_u32, any::<u32>()], any::<u32>(), any::<u32>()),
        (start, from) in (any_place(), any_place()),
        via in vec(any_place(), 0..4),
        familiar in vec(".{0,40}", 0..3),
        towards in proptest::option::of(any::<u8>()),
        at in proptest::option::of(any::<i64>()),
        shown in vec(".{0,40}", 0..3),
        wishes in any::<[bool; 5]>(),
        hilliness in select(&[Hilliness::Flat, Hilliness::Any, Hilliness::Hilly][..]),
        budget_ms in any::<u32>(),
        (gaps, share) in (vec(0..100_u32, 64), 30..100_u32),
    ) {
        let [avoid_highways, prefer_parks, include_water_stops, shaded_paths, on_wheels] = wishes;
        let request = RouteRequest {
            duration,
            start_location: start,
            pace: Pace::Fast,
            preferences: Preferences {
                avoid_highways,
                prefer_parks,
                include_water_stops,
                shaded_paths,
                hilliness,
                on_wheels,
            },
            dog_count,
            dog_sizes: vec![DogSize::Large; 3],
            towards,
            seed,
            via,
            familiar,
            shown,
            at,
        };
        let tile = town(|index| gaps[index % gaps.len()] < share, WayKind::ALL, &[3, 9, 4]);
        let mut router = Router::new(&[tile]);
        let nodes = (router.graph().n_nodes(), router.graph().n_edges());
        match router.generate(&request) {
            Ok(routes) => {
                prop_assert!((1..=3).contains(&routes.len()));
                let names: HashSet<&str> = routes.iter().map(|it| it.name.as_str()).collect();
                prop_assert_eq!(names.len(), routes.len());
                for it in &routes {
                    prop_assert!(!it.name.is_empty() && it.steps.len() >= 2);
                    let steps: f64 = it.steps.iter().map(|it| it.distance).sum();
                    prop_assert!((steps - it.distance).abs() < 0.2);
                }
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
        let _ = router.home(from, start, budget_ms, &request);
        prop_assert_eq!((router.graph().n_nodes(), router.graph().n_edges()), nodes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn whatever_the_town_there_is_a_walk(
        gaps in vec(0..100_u32, 64),
        share in 20..100_u32,
        kinds in vec(select(WayKind::ALL), 1..9),
        heights in vec(0..60_i16, 0..9),
        minutes in select(&[5, 10, 15, 30, 45, 60, 120][..]),
        (right, down) in (0..1000_u32, 0..1000_u32),
        seed in 0..4_u32,
    ) {
        let tile = town(|index| gaps[index % gaps.len()] < share, &kinds, &heights);
        let ground = Ground::at(ID.corner());
        let segments: Vec<(Point, Point)> = tile.network.edges.iter().map(|it| {
            let at = |index: u32| tile.network.nodes[index as usize].at;
            (at(it.from), at(it.to))
        }).collect();
        let on_a_way = |point: Point| segments.iter().any(|(from, to)| {
            let (a, b) = (ground.length_m(*from, point), ground.length_m(point, *to));
            a + b < ground.length_m(*from, *to) + 1.0
        });
        let mut router = Router::new(std::slice::from_ref(&tile));
        let request = RouteRequest { seed, ..request(minutes, somewhere(right, down)) };
        let Ok(found) = router.routes(&request) else {
            // Only where nothing is near.
            let start = Point::at(request.start_location);
            let near = segments.iter().any(|(from, to)| {
                ground.length_m(*from, start).min(ground.length_m(*to, start)) < 200.0
            });
            prop_assert!(!near);
            return Ok(());
        };
        prop_assert!((1..=3).contains(&found.len()));
        for it in &found {
            prop_assert_eq!(it.line.first(), it.line.last());
            for point in &it.line {
                prop_assert!(on_a_way(*point), "{:?}", point);
            }
            let length: f64 = it.line.windows(2).map(|it| ground.length_m(it[0], it[1])).sum();
            let stated = it.length_mm as f64 / 1e3;
            prop_assert!((length - stated).abs() < 5.0 + stated / 200.0, "{} {}", length, stated);
            let steps: f64 = it.steps.iter().map(|it| it.distance).sum();
            prop_assert!((steps - stated).abs() < 0.2, "{} {}", steps, stated);
            let time: f64 = it.steps.iter().map(|it| it.duration).sum();
            prop_assert!((time - f64::from(it.time_ms) / 1e3).abs() < 0.2);
            let in_time = off_by(it, minutes) < if it.has_other_time() { 0.125 } else { 0.08 };
            prop_assert!(in_time || it.has_no_room(), "{:?} {}", it.kind, it.time_ms);
            prop_assert!(it.time_ms < minutes * 65_000 || it.has_other_time());
        }
        let again = router.routes(&request).unwrap();
        let lines = |it: &[FoundRoute]| it.iter().map(|it| it.line.clone()).collect::<Vec<_>>();
        prop_assert_eq!(lines(&found), lines(&again));
        prop_assert_eq!(lines(&found), lines(&Router::new(&[tile]).routes(&request).unwrap()));
    }
}
