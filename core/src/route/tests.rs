//! Tests of routes on towns that are made up: whatever the town, there is an answer, and it is a walk.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::map::*;

const ID: TileId = TileId { x: 4663, y: 2371 };
/// Streets on each side of the town.
const SIDE: u32 = 16;
/// Steps of the map between two streets: about 90 m.
const BLOCK: u32 = 300;

const WAY: Way = Way {
    kind: WayKind::Residential,
    surface: Surface::Paved,
    lit: Lit::Yes,
    sidewalk: Sidewalk::Yes,
    crossing: Crossing::None,
    naming: Naming::Own,
    beside_traffic: 0,
    bridge: false,
    tunnel: false,
};

/// A town of square blocks; of the pieces of its streets, in their order, those are there of which `has` says so.
fn town(mut has: impl FnMut(usize) -> bool, kinds: &[WayKind], heights: &[i16]) -> Tile {
    let corner = ID.corner();
    let names = (0..SIDE).flat_map(|it| [format!("{it}th Street"), format!("{it}th Avenue")]);
    let mut tile = Tile {
        names: names.collect(),
        ..Tile::empty(ID)
    };
    for row in 0..SIDE {
        for column in 0..SIDE {
            let index = (row * SIDE + column) as usize;
            tile.network.nodes.push(Node {
                at: Point {
                    x: corner.x + 200 + column * BLOCK,
                    y: corner.y + 200 + row * BLOCK,
                },
                height_m: heights.get(index % heights.len().max(1)).copied(),
                crossing: if index.is_multiple_of(7) {
                    Crossing::Signals
                } else {
                    Crossing::None
                },
            });
        }
    }
    let mut index = 0;
    for row in 0..SIDE {
        for column in 0..SIDE {
            let here = row * SIDE + column;
            for (there, is_there, name) in [
                (here + 1, column + 1 < SIDE, row * 2),
                (here + SIDE, row + 1 < SIDE, column * 2 + 1),
            ] {
                index += 1;
                if !is_there || !has(index) {
                    continue;
                }
                let kind = kinds
                    .get(index % kinds.len().max(1))
                    .copied()
                    .unwrap_or(WAY.kind);
                tile.network.edges.push(Edge {
                    from: here,
                    to: there,
                    way: Way { kind, ..WAY },
                    name: Some(name),
                    via: Vec::new(),
                    green: 0,
                    shade: 0,
                    waterside: false,
                    hump_m: 0,
                });
            }
        }
    }
    tile
}

fn request(minutes: u32, start: Point) -> RouteRequest {
    RouteRequest {
        duration: minutes,
        start_location: start.place(),
        pace: Pace::Normal,
        preferences: Preferences {
            avoid_highways: true,
            prefer_parks: true,
            include_water_stops: false,
            shaded_paths: false,
            hilliness: Hilliness::Any,
        },
        dog_count: 1,
        dog_sizes: Vec::new(),
        towards: None,
        seed: 0,
        via: Vec::new(),
        familiar: Vec::new(),
        at: None,
    }
}

/// Somewhere in the town, `right` and `down` in thousandths of its side.
fn somewhere(right: u32, down: u32) -> Point {
    let corner = ID.corner();
    let side = BLOCK * (SIDE - 1);
    Point {
        x: corner.x + 200 + side * right / 1000,
        y: corner.y + 200 + side * down / 1000,
    }
}

fn off_by(found: &Found, minutes: u32) -> f64 {
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
    for minutes in [5, 10, 15, 30, 60, 120] {
        let found = router.routes(&request(minutes, somewhere(300, 0))).unwrap();
        let it = &found[0];
        assert_eq!(it.kind, RouteKind::ThereAndBack);
        assert!(off_by(it, minutes) < 0.01, "{minutes}: {}", it.time_ms);
        assert_eq!(it.line.first(), it.line.last());
    }
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
            prop_assert!(off_by(it, minutes) < 0.08, "{:?} {}", it.kind, it.time_ms);
        }
        let again = router.routes(&request).unwrap();
        let lines = |it: &[Found]| it.iter().map(|it| it.line.clone()).collect::<Vec<_>>();
        prop_assert_eq!(lines(&found), lines(&again));
        prop_assert_eq!(lines(&found), lines(&Router::new(&[tile]).routes(&request).unwrap()));
    }
}
