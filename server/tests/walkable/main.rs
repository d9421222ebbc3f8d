//! Every step of a route is one that Valhalla would let a person walk, and ways are as long as OSRM's: judged on the demo's map
//! by what both engines were recorded to know of it. `cargo xtask bench routes --record` records it anew.

mod network;
mod recording;

use std::path::Path;
use std::sync::LazyLock;

use walkies_core::map::{Ground, Point, Tile};
use walkies_core::route::{FoundRoute, RouteKind, Router};
use walkies_server::base::env::sha256;
use walkies_server::map::maker::{Options, import};

use network::{Chance, Network, length_m, lines, off_street, usual_walk};
use recording::{Recording, Refusal};

const EXTRACT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/demo/helsinki.osm.pbf");

static RECORDING: LazyLock<Recording> =
    LazyLock::new(|| Recording::read(include_str!("helsinki.jsonl"), &OURS_ALONE));

static TILES: LazyLock<Vec<Tile>> = LazyLock::new(|| {
    let mut tiles = Vec::new();
    let mut sink = |tile| {
        tiles.push(tile);
        Ok(())
    };
    import(
        Path::new(EXTRACT),
        &Options::default(),
        &mut |_| {},
        &mut sink,
    )
    .expect("an extract");
    tiles
});

/// Places where we let people walk and Valhalla does not: a crossing between two sidewalks that is drawn as a cycleway.
/// That it is a crossing on foot is said (footway=crossing), but not once more as Valhalla wants it (foot=yes).
const OURS_ALONE: [&[(f64, f64)]; 2] = [
    &[(60.170_961, 24.937_601), (60.170_91, 24.937_616)],
    &[(60.170_91, 24.937_616), (60.170_85, 24.937_632)],
];

/// All options from so many places.
fn routes(tiles: &[Tile], n_starts: usize, minutes: &[u32]) -> Vec<FoundRoute> {
    let mut router = Router::new(tiles);
    let starts = Network::of(tiles).starts(n_starts);
    let requests = starts
        .iter()
        .flat_map(|start| minutes.iter().map(|it| usual_walk(*start, *it)));
    requests
        .flat_map(|it| router.routes(&it).expect("an answer"))
        .collect()
}

/// Returns the refusals of those routes that are no walks.
fn refusals(routes: &[FoundRoute]) -> Vec<Refusal> {
    let judged = routes.iter().map(|it| RECORDING.judge(&it.line));
    judged.filter_map(Result::err).collect()
}

/// Asserts that the judge refuses at most one of fifty routes. Of a hundred that are open it refuses one or two: at a
/// knot of short ways it counts a few meters too many.
fn assert_hardly_any_refused(routes: &[FoundRoute]) {
    let refused = refusals(routes);
    assert!(
        refused.len() * 50 <= routes.len(),
        "{} of {} routes: {refused:?}",
        refused.len(),
        routes.len()
    );
}

#[test]
fn the_recording_is_of_this_map() {
    let extract = std::fs::read(EXTRACT).unwrap();
    assert_eq!(RECORDING.extract_sha256, sha256(&extract));
}

#[test]
fn every_step_of_a_route_is_open_on_foot() {
    let routes = routes(&TILES, 20, &[5, 15, 30, 60]);
    assert!(200 <= routes.len(), "{} routes", routes.len());
    assert_hardly_any_refused(&routes);
    for route in routes {
        let (said_m, line_m) = (route.length_mm as f64 / 1e3, length_m(&route.line));
        let differs = (said_m / line_m - 1.0).abs();
        assert!(differs < 0.005, "{said_m} m along {line_m} m");
    }
}

#[test]
fn five_minutes_take_five_minutes() {
    let mut router = Router::new(&TILES);
    let starts = Network::of(&TILES).starts(60);
    let is_in_time = |start: &&Point| {
        let request = usual_walk(**start, 5);
        let found = router.routes(&request).expect("an answer");
        let budget_ms = f64::from(request.budget_ms());
        let off = (f64::from(found[0].time_ms) / budget_ms - 1.0).abs();
        off <= 0.05 || found[0].has_no_room()
    };
    let n_in_time = starts.iter().filter(is_in_time).count();
    assert!(
        n_in_time * 10 >= starts.len() * 9,
        "{n_in_time} of {}",
        starts.len()
    );
}

#[test]
fn a_door_off_the_street_has_the_loops_of_the_street() {
    let mut router = Router::new(&TILES);
    let mut n_loops = 0;
    for street in Network::of(&TILES).starts(20) {
        let mut is_loop = |at: Point| {
            let found = router.routes(&usual_walk(at, 30)).expect("an answer");
            found[0].kind == RouteKind::Loop
        };
        if is_loop(street) {
            n_loops += 1;
            for door in off_street(street) {
                assert!(is_loop(door), "{:?} off {:?}", door.place(), street.place());
            }
        }
    }
    assert!(15 <= n_loops, "{n_loops}");
}

#[test]
fn the_network_is_that_on_which_valhalla_walks() {
    let (mut refused_m, mut all_m) = (0.0, 0.0);
    for line in lines(&TILES) {
        let edge_m = length_m(&line);
        all_m += edge_m;
        if RECORDING.judge(&line).is_err() {
            refused_m += edge_m;
        }
    }
    // Islands that the extract's border cut off were recorded only in part.
    assert!(
        refused_m < 0.02 * all_m,
        "{refused_m:.0} of {all_m:.0} m are refused"
    );
}

/// Our node for a place of another map; none if there is none within three meters.
fn node_at(network: &Network, place: Point) -> Option<usize> {
    let away_m = |it: &usize| network.nodes[*it].distance_m(place);
    let nearest = (0..network.nodes.len()).min_by(|a, b| away_m(a).total_cmp(&away_m(b)));
    nearest.filter(|it| away_m(it) <= 3.0)
}

#[test]
fn the_shortest_ways_are_as_long_as_those_of_osrm() {
    let network = Network::of(&TILES);
    let mut off: Vec<f64> = RECORDING
        .pairs
        .iter()
        .filter_map(|(from, to, theirs_m)| {
            let ours_m = network.shortest_m(node_at(&network, *from)?, node_at(&network, *to)?)?;
            Some((ours_m / theirs_m - 1.0).abs())
        })
        .collect();
    off.sort_by(f64::total_cmp);
    let at = |share: f64| off[(off.len() as f64 * share) as usize];
    assert!(300 <= off.len(), "{} pairs", off.len());
    assert!(at(0.5) < 0.005, "median {}", at(0.5));
    assert!(at(0.9) < 0.03, "p90 {}", at(0.9));
}

/// Tiles with edges that are not there: they are the last ones, and no way that is open on foot is where they are.
fn with_forbidden_ways(n: usize) -> (Vec<Tile>, Vec<[Point; 2]>) {
    let mut tiles = TILES.clone();
    let mut chance = Chance(3);
    let mut added = Vec::new();
    let network = &mut tiles[0].network;
    while added.len() < n {
        let (from, to) = (
            chance.below(network.nodes.len()),
            chance.below(network.nodes.len()),
        );
        let line = [from, to].map(|it| network.nodes[it].at);
        if !(80.0..200.0).contains(&length_m(&line)) || RECORDING.judge(&line).is_ok() {
            continue;
        }
        let mut edge = network.edges[chance.below(network.edges.len())].clone();
        (edge.from, edge.to) = (from as u32, to as u32);
        edge.via.clear();
        edge.green = 7;
        network.edges.push(edge);
        added.push(line);
    }
    (tiles, added)
}

#[test]
fn a_way_that_is_not_open_on_foot_is_found() {
    let (tiles, added) = with_forbidden_ways(200);
    let routes = routes(&tiles, 16, &[15, 30]);
    let is_added = |pair: &[Point]| {
        added
            .iter()
            .any(|[from, to]| pair == [*from, *to] || pair == [*to, *from])
    };
    let (wrong, right): (Vec<_>, Vec<_>) = routes
        .into_iter()
        .partition(|it| it.line.windows(2).any(is_added));
    assert!(20 <= wrong.len(), "{} routes use one", wrong.len());
    assert_eq!(refusals(&wrong).len(), wrong.len());
    assert_hardly_any_refused(&right);
}

/// The line with its longest piece bent aside in its middle.
fn bent(line: &[Point], by_m: f64) -> Vec<Point> {
    let ground = Ground::at(line[0]);
    let pieces = 0..line.len() - 1;
    let length_m = |it: &usize| ground.length_m(line[*it], line[*it + 1]);
    let longest = pieces.max_by(|a, b| length_m(a).total_cmp(&length_m(b)));
    let at = longest.expect("a line has pieces");
    let (east, north) = ground.vector_m(line[at], line[at + 1]);
    let share = by_m / east.hypot(north);
    let moved = Point {
        x: (f64::from(u32::midpoint(line[at].x, line[at + 1].x)) + north * share / ground.east_m)
            as u32,
        y: (f64::from(u32::midpoint(line[at].y, line[at + 1].y)) + east * share / ground.south_m)
            as u32,
    };
    [&line[..=at], &[moved], &line[at + 1..]].concat()
}

#[test]
fn an_edge_that_lies_elsewhere_is_found() {
    let by_m = 6.0;
    let right = lines(&TILES).filter(|it| 40.0 < length_m(it) && RECORDING.judge(it).is_ok());
    let wrong: Vec<bool> = right
        .map(|it| RECORDING.judge(&bent(&it, by_m)).is_err())
        .collect();
    let found = wrong.iter().filter(|it| **it).count();
    // Where two ways run side by side, a step aside is a step onto the other.
    assert!(
        500 <= wrong.len() && 0.95 * wrong.len() as f64 <= found as f64,
        "{found} of {}",
        wrong.len()
    );
}

#[test]
fn routes_over_edges_that_lie_elsewhere_are_refused() {
    let mut tiles = TILES.clone();
    for tile in &mut tiles {
        let nodes = tile.network.nodes.clone();
        for edge in &mut tile.network.edges {
            let ends = [edge.from, edge.to].map(|it| nodes[it as usize].at);
            let line = [&ends[..1], &edge.via, &ends[1..]].concat();
            if 40.0 < length_m(&line) {
                let line = bent(&line, 6.0);
                edge.via = line[1..line.len() - 1].to_vec();
            }
        }
    }
    let routes = routes(&tiles, 4, &[15]);
    assert!(10 <= routes.len(), "{} routes", routes.len());
    assert_eq!(refusals(&routes).len(), routes.len());
}
