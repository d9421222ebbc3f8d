//! Facts of life: small extracts and what becomes of them, then the real ones.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use walkies_core::map::{
    AreaKind, Crossing, Edge, Ground, LabelKind, LineKind, Naming, Node, Point, SpotKind, Tile,
    WayKind,
};
use walkies_core::values::place::Place;

use super::extract::{Extract, WAY, at};
use super::{ImportError, Options, Summary, import};

/// Result of an import: its tiles and its summary.
struct Map {
    tiles: Vec<Tile>,
    summary: Summary,
}

fn try_map(file: &Path, options: &Options) -> Result<Map, ImportError> {
    let mut tiles = Vec::new();
    let summary = import(file, options, &mut |_| {}, &mut |tile| {
        tiles.push(tile);
        Ok(())
    })?;
    Ok(Map { tiles, summary })
}

fn map(extract: &Extract) -> Map {
    let folder = tempfile::tempdir().unwrap();
    let map = try_map(&extract.write(folder.path()), &Options::default()).unwrap();
    map.check();
    map
}

impl Map {
    /// Checks the invariants that hold for every map.
    fn check(&self) {
        let mut own = HashMap::new();
        for tile in &self.tiles {
            let bytes = tile.encode();
            assert_eq!(Tile::decode(&bytes).as_ref(), Ok(tile));
            for node in tile
                .network
                .nodes
                .iter()
                .filter(|it| it.at.tile() == tile.id)
            {
                own.insert(node.at, *node);
            }
        }
        for tile in &self.tiles {
            let network = &tile.network;
            let places: HashSet<Point> = network.nodes.iter().map(|it| it.at).collect();
            assert_eq!(
                places.len(),
                network.nodes.len(),
                "two nodes lie on one point"
            );
            let mut lines = HashSet::new();
            for edge in &network.edges {
                let line = line(tile, edge);
                assert_eq!(
                    line[0].tile(),
                    tile.id,
                    "an edge belongs to the tile of its first node"
                );
                assert!(
                    line[0] != line[line.len() - 1] || line.len() > 2,
                    "a loop has a point beside its node"
                );
                let mut back = line.clone();
                back.reverse();
                assert!(
                    lines.insert(line.clone().min(back)),
                    "an edge is there once"
                );
                let end = network.nodes[edge.to as usize];
                if end.at.tile() != tile.id
                    && let Some(there) = own.get(&end.at)
                {
                    assert_eq!(
                        *there, end,
                        "both tiles say the same of the node between them"
                    );
                }
                if let Some(name) = edge.name {
                    assert!((name as usize) < tile.names.len());
                }
            }
        }
    }

    fn edges(&self) -> Vec<(&Tile, &Edge)> {
        self.tiles
            .iter()
            .flat_map(|tile| tile.network.edges.iter().map(move |it| (tile, it)))
            .collect()
    }

    fn nodes(&self) -> Vec<Node> {
        let mut nodes: Vec<Node> = self
            .tiles
            .iter()
            .flat_map(|it| it.network.nodes.clone())
            .collect();
        nodes.sort_by_key(|it| it.at);
        nodes.dedup_by_key(|it| it.at);
        nodes
    }

    fn only_edge(&self) -> (&Tile, &Edge) {
        let edges = self.edges();
        assert_eq!(edges.len(), 1);
        edges[0]
    }

    fn length_m(&self) -> f64 {
        self.edges()
            .into_iter()
            .map(|(tile, edge)| whole(&line(tile, edge)))
            .sum()
    }

    /// How many separate networks there are.
    fn n_parts(&self) -> usize {
        let nodes = self.nodes();
        let mut group: HashMap<Point, usize> = nodes.iter().map(|it| it.at).zip(0..).collect();
        for (tile, edge) in self.edges() {
            let ends = [edge.from, edge.to].map(|it| group[&tile.network.nodes[it as usize].at]);
            group
                .values_mut()
                .filter(|it| **it == ends[0])
                .for_each(|it| *it = ends[1]);
        }
        group.into_values().collect::<HashSet<_>>().len()
    }

    fn kinds(&self) -> Vec<WayKind> {
        let mut kinds: Vec<_> = self.edges().iter().map(|(_, it)| it.way.kind).collect();
        kinds.sort();
        kinds
    }
}

fn line(tile: &Tile, edge: &Edge) -> Vec<Point> {
    let end = |index: u32| tile.network.nodes[index as usize].at;
    let mut line = vec![end(edge.from)];
    line.extend(&edge.via);
    line.push(end(edge.to));
    line
}

fn whole(line: &[Point]) -> f64 {
    line.windows(2).map(|it| it[0].distance_m(it[1])).sum()
}

fn name<'a>(tile: &'a Tile, edge: &Edge) -> Option<&'a str> {
    edge.name.map(|it| tile.names[it as usize].as_str())
}

/// A straight street of 400 m from west to east, with nodes 1 to 5.
fn street() -> Extract {
    (1..=5).fold(Extract::default(), |it, id| {
        it.node(id, (id - 3) as f64 * 100.0, 0.0, "")
    })
}

#[test]
fn ways_meet_where_they_share_a_node_and_nowhere_else() {
    let extract = street()
        .node(10, 0.0, 150.0, "")
        .node(11, 100.0, -100.0, "")
        .node(12, 100.0, 100.0, "")
        .way(1, &[1, 2, 3, 4, 5], "highway=residential, name=Long Street")
        .way(2, &[3, 10], "highway=path")
        .way(3, &[11, 12], "highway=footway, bridge=yes");
    let map = map(&extract);
    assert_eq!(
        map.kinds(),
        [
            WayKind::Footway,
            WayKind::Path,
            WayKind::Residential,
            WayKind::Residential
        ]
    );
    assert_eq!(map.nodes().len(), 6);
    assert_eq!(map.n_parts(), 2);
    assert!((map.length_m() - 750.0).abs() < 2.0);
}

#[test]
fn a_street_is_one_edge_until_something_about_it_changes() {
    let whole = street().way(1, &[1, 2, 3], "highway=residential").way(
        2,
        &[5, 4, 3],
        "highway=residential, maxspeed=30",
    );
    assert_eq!(map(&whole).edges().len(), 1);
    for change in [
        "surface=sett",
        "lit=yes",
        "sidewalk=both",
        "bridge=yes",
        "name=Other Street",
    ] {
        let extract = street().way(1, &[1, 2, 3], "highway=residential").way(
            2,
            &[5, 4, 3],
            &format!("highway=residential, {change}"),
        );
        assert_eq!(map(&extract).edges().len(), 2, "{change}");
    }
}

#[test]
fn a_crossing_stays_a_node() {
    let extract = street()
        .node(3, 0.0, 0.0, "highway=crossing, crossing=zebra")
        .way(1, &[1, 2, 3, 4, 5], "highway=primary");
    let map = map(&extract);
    assert_eq!(map.edges().len(), 2);
    assert_eq!(
        map.nodes()
            .iter()
            .filter(|it| it.crossing == Crossing::Marked)
            .count(),
        1
    );
}

#[test]
fn a_closed_gate_cuts_and_an_open_one_does_not() {
    let gate = |tags| {
        street()
            .node(3, 0.0, 0.0, tags)
            .way(1, &[1, 2, 3, 4, 5], "highway=track")
    };
    assert_eq!(map(&gate("barrier=gate")).edges().len(), 1);
    let closed = map(&gate("barrier=gate, access=private"));
    assert_eq!(closed.edges().len(), 2);
    assert_eq!(closed.n_parts(), 2);
    assert!((closed.length_m() - 400.0).abs() < 2.0);
}

#[test]
fn nodes_on_the_same_place_are_joined_only_by_ways() {
    let extract = street()
        .node(20, 0.0, 0.0, "")
        .node(21, 0.0, 120.0, "")
        .node(22, 0.0, -120.0, "")
        .way(1, &[1, 2, 3, 4, 5], "highway=residential")
        .way(2, &[21, 20, 22], "highway=footway, bridge=yes");
    let map = map(&extract);
    assert_eq!(map.edges().len(), 2);
    assert_eq!(map.n_parts(), 2);
}

#[test]
fn ways_between_the_same_nodes_and_loops_survive() {
    let extract = street()
        .node(30, 0.0, 40.0, "")
        .node(31, 30.0, 70.0, "")
        .node(32, -30.0, 70.0, "")
        .way(1, &[1, 5], "highway=residential")
        .way(2, &[1, 30, 5], "highway=footway")
        .way(3, &[30, 31, 32, 30], "highway=path");
    let map = map(&extract);
    // The straight street, both halves of the footway, and the loop.
    assert_eq!(map.edges().len(), 4);
    let twice = street()
        .node(30, 0.0, 40.0, "")
        .way(1, &[1, 5], "highway=residential")
        .way(2, &[1, 30, 5], "highway=footway");
    let twice = self::map(&twice);
    assert_eq!(twice.edges().len(), 2);
    assert!(twice.edges().iter().all(|(_, it)| it.via.len() == 1));
}

#[test]
fn a_ring_without_any_junction_is_a_loop() {
    let extract = Extract::default()
        .node(1, 0.0, 0.0, "")
        .node(2, 100.0, 0.0, "")
        .node(3, 100.0, 100.0, "")
        .node(4, 0.0, 100.0, "")
        .way(1, &[1, 2, 3, 4, 1], "highway=footway");
    let map = map(&extract);
    let (_, edge) = map.only_edge();
    assert_eq!(edge.from, edge.to);
    assert!((map.length_m() - 400.0).abs() < 3.0);
}

#[test]
fn what_is_cut_off_from_everything_is_left_out_if_it_is_small() {
    let extract = street()
        .node(40, 0.0, 500.0, "")
        .node(41, 60.0, 500.0, "")
        .way(1, &[1, 2, 3, 4, 5], "highway=residential")
        .way(2, &[40, 41], "highway=footway");
    assert_eq!(map(&extract).kinds(), [WayKind::Residential]);
}

#[test]
fn a_way_that_lacks_points_keeps_the_others_and_is_counted() {
    let extract = street().node(6, 300.0, 0.0, "").way(
        1,
        &[97, 1, 2, 3, 99, 4, 5, 6, 98],
        "highway=residential",
    );
    let map = map(&extract);
    assert_eq!(map.summary.warnings.ways_cut, 1);
    assert_eq!(map.n_parts(), 2);
    assert!((map.length_m() - 400.0).abs() < 2.0);
}

#[test]
fn the_order_of_the_file_and_the_sign_of_its_numbers_do_not_matter() {
    let ordered = street()
        .node(10, 0.0, 150.0, "")
        .way(1, &[1, 2, 3, 4, 5], "highway=residential")
        .way(2, &[3, 10], "highway=path");
    let mixed = Extract::default()
        .way(-1, &[-1, -2, -3, -4, -5], "highway=residential")
        .way(-2, &[-3, -10], "highway=path")
        .node(-10, 0.0, 150.0, "")
        // Of two with one number the last one holds.
        .node(-4, 900.0, 900.0, "");
    let mixed = [5, 3, 1, 2, 4].into_iter().fold(mixed, |it, id| {
        it.node(-id, (id - 3) as f64 * 100.0, 0.0, "")
    });
    assert_eq!(map(&ordered).tiles, map(&mixed).tiles);
}

#[test]
fn the_same_file_gives_the_same_bytes() {
    let extract = street().node(9, 0.0, 80.0, "natural=tree").way(
        1,
        &[1, 2, 3, 4, 5],
        "highway=residential, name=A",
    );
    let bytes = || {
        map(&extract)
            .tiles
            .iter()
            .map(Tile::encode)
            .collect::<Vec<_>>()
    };
    assert_eq!(bytes(), bytes());
}

#[test]
fn an_edge_that_leaves_its_tile_is_known_to_one_and_its_end_to_both() {
    // Back and forth across the border to the east, 1.6 km away, and to the south.
    for (dx, dy) in [(1590.0, 0.0), (0.0, -1590.0), (1590.0, -1590.0)] {
        let mut extract = Extract::default();
        let ids: Vec<i64> = (1..=12).collect();
        let mut points = Vec::new();
        for id in &ids {
            let side = if id / 2 % 2 == 0 { 60.0 } else { -60.0 };
            let (east, north) = (dx + side, dy + *id as f64 * 25.0 - 150.0 - side);
            extract = extract.node(*id, east, north, "");
            points.push(at(east, north));
        }
        let map = map(&extract.way(1, &ids, "highway=path"));
        assert!(map.tiles.len() >= 2);
        assert_eq!(map.n_parts(), 1);
        let whole = whole(&points);
        assert!(
            (map.length_m() / whole - 1.0).abs() < 0.01,
            "{} {whole}",
            map.length_m()
        );
        let ends = map.edges().iter().fold(
            HashMap::new(),
            |mut ends: HashMap<Point, usize>, (tile, edge)| {
                for end in [edge.from, edge.to] {
                    *ends.entry(tile.network.nodes[end as usize].at).or_default() += 1;
                }
                ends
            },
        );
        assert_eq!(
            ends.values().filter(|it| **it == 1).count(),
            2,
            "a path has two ends"
        );
    }
}

#[test]
fn the_edge_of_a_square_can_be_walked() {
    let corners = Extract::default()
        .node(1, 0.0, 0.0, "")
        .node(2, 80.0, 0.0, "")
        .node(3, 80.0, 80.0, "")
        .node(4, 0.0, 80.0, "")
        .node(5, -200.0, 0.0, "")
        .way(9, &[5, 1], "highway=footway");
    let simple = corners.clone().way(
        1,
        &[1, 2, 3, 4, 1],
        "highway=pedestrian, area=yes, name=Market",
    );
    let made_of_two = corners
        .way(1, &[1, 2, 3], "")
        .way(2, &[3, 4, 1], "")
        .relation(
            7,
            &[1, 2],
            "type=multipolygon, highway=pedestrian, area=yes, name=Market",
        );
    for extract in [simple, made_of_two] {
        let map = map(&extract);
        assert_eq!(map.kinds(), [WayKind::Footway, WayKind::Square]);
        assert_eq!(map.n_parts(), 1);
        assert_eq!(map.tiles[0].drawing.areas[0].kind, AreaKind::Square);
    }
}

#[test]
fn a_wood_of_several_ways_has_its_clearing() {
    let mut extract = street().way(1, &[1, 2, 3, 4, 5], "highway=track");
    for (id, (east, north)) in (10..).zip([
        (-400.0, -300.0),
        (400.0, -300.0),
        (400.0, 300.0),
        (-400.0, 300.0),
    ]) {
        extract = extract.node(id, east, north, "");
    }
    for (id, (east, north)) in
        (20..).zip([(-40.0, -40.0), (40.0, -40.0), (40.0, 40.0), (-40.0, 40.0)])
    {
        extract = extract.node(id, east, north, "");
    }
    let extract = extract
        .way(2, &[10, 11, 12], "")
        .way(3, &[10, 13, 12], "")
        .way(4, &[20, 21, 22, 23, 20], "")
        .relation(
            5,
            &[3, 2, 4],
            "type=multipolygon, landuse=forest, name=Great Wood",
        );
    let whole = map(&extract);
    let (tile, edge) = whole.only_edge();
    // 320 of 400 m.
    assert_eq!((edge.green, edge.shade), (6, 6));
    assert_eq!(
        (edge.way.naming, name(tile, edge)),
        (Naming::Through, Some("Great Wood"))
    );
    assert_eq!(tile.drawing.areas.len(), 1);
    assert_eq!(tile.drawing.areas[0].rings.len(), 2);
    assert_eq!(tile.drawing.labels[0].kind, LabelKind::Park);
    let open = map(&extract
        .clone()
        .relation(6, &[2], "type=multipolygon, landuse=forest"));
    assert_eq!(open.summary.warnings.areas_open, 1);
    assert_eq!(open.tiles[0].drawing.areas.len(), 1);
}

#[test]
fn an_area_whose_border_has_its_tags_keeps_its_holes() {
    let square = |mut extract: Extract, first: i64, half: f64| {
        for (id, (east, north)) in
            (first..).zip([(-half, -half), (half, -half), (half, half), (-half, half)])
        {
            extract = extract.node(id, east, north, "");
        }
        extract
    };
    let wood = square(square(street(), 10, 300.0), 20, 100.0)
        .way(1, &[1, 2, 3, 4, 5], "highway=track")
        .way(3, &[20, 21, 22, 23, 20], "");
    let forest = [10, 11, 12, 13, 10];
    let members = [(2, "outer", WAY), (3, "inner", WAY)];
    let old = wood.clone().way(2, &forest, "landuse=forest").relation_of(
        5,
        &members,
        "type=multipolygon",
    );
    let new = wood.clone().way(2, &forest, "").relation_of(
        5,
        &members,
        "type=multipolygon, landuse=forest",
    );
    let [old, new] = [old, new].map(|it| map(&it));
    assert_eq!(old.tiles, new.tiles);
    assert_eq!(old.tiles[0].drawing.areas.len(), 1);
    assert_eq!(old.tiles[0].drawing.areas[0].rings.len(), 2);
    // 200 of 400 m.
    assert!([3, 4].contains(&old.only_edge().1.green));
    // What says what it is by itself does not take it from its border.
    let lake = wood.way(2, &forest, "natural=water").relation_of(
        5,
        &members,
        "type=multipolygon, landuse=forest",
    );
    let kinds: Vec<_> = map(&lake).tiles[0]
        .drawing
        .areas
        .iter()
        .map(|it| it.kind)
        .collect();
    assert_eq!(kinds, [AreaKind::Wood, AreaKind::Water]);
}

/// The square meters of water in all tiles.
fn water_m2(map: &Map) -> f64 {
    let areas = map.tiles.iter().flat_map(|tile| {
        let ground = Ground::at(tile.id.corner());
        let water = tile
            .drawing
            .areas
            .iter()
            .filter(|it| it.kind == AreaKind::Water);
        water.map(move |area| {
            let sizes = area
                .rings
                .iter()
                .map(|it| super::shape::area_m2(it, &ground));
            // Islands are in the first ring.
            let (first, rest) = sizes.fold((None, 0.0), |(first, rest), it| match first {
                None => (Some(it), rest),
                Some(_) => (first, rest + it),
            });
            first.unwrap_or_default() - rest
        })
    });
    areas.sum()
}

/// The street in the middle of nine tiles, and a coast 500 m south of it, from the west to the east.
fn shore(from_m: f64, to_m: f64) -> Extract {
    street()
        .way(1, &[1, 2, 3, 4, 5], "highway=path")
        .node(11, from_m, -500.0, "")
        .node(12, 0.0, -500.0, "")
        .node(13, to_m, -500.0, "")
        .way(2, &[11, 12], "natural=coastline")
        .way(3, &[12, 13], "natural=coastline")
}

#[test]
fn the_sea_lies_on_the_right_of_its_coast() {
    let map = map(&shore(-9000.0, 9000.0));
    let tile_m = 2.0 * 1590.0_f64;
    // The row of the street, and the whole row below it.
    let expected = 3.0 * tile_m * (tile_m / 2.0 - 500.0 + tile_m);
    assert!(
        (water_m2(&map) / expected - 1.0).abs() < 0.02,
        "{} {expected}",
        water_m2(&map)
    );
    let (_, street) = map.only_edge();
    assert!(!street.waterside);
    let turned = shore(9000.0, -9000.0);
    let turned = self::map(&turned);
    let expected = 3.0 * tile_m * (tile_m / 2.0 + 500.0 + tile_m);
    assert!((water_m2(&turned) / expected - 1.0).abs() < 0.02);
    assert!(turned.only_edge().1.waterside, "it leads through the water");
}

#[test]
fn an_island_is_no_sea() {
    let mut extract = shore(-9000.0, 9000.0);
    for (id, (east, north)) in (20..).zip([
        (-100.0, -900.0),
        (100.0, -900.0),
        (100.0, -700.0),
        (-100.0, -700.0),
    ]) {
        extract = extract.node(id, east, north, "");
    }
    // Land on the left: against the clock.
    let with = map(&extract
        .clone()
        .way(4, &[20, 21, 22, 23, 20], "natural=coastline"));
    let without = map(&extract);
    let island_m2 = water_m2(&without) - water_m2(&with);
    assert!((island_m2 - 40_000.0).abs() < 500.0, "{island_m2}");
}

#[test]
fn a_coast_that_is_cut_off_leads_on_to_the_border_of_the_extract() {
    let cut = shore(-800.0, 800.0);
    assert!(
        water_m2(&map(&cut)) < 1.0,
        "nobody knows where the land ends"
    );
    let covered = cut.clone().covers((-900.0, -1000.0), (900.0, 1000.0));
    let water = water_m2(&map(&covered));
    assert!((water - 1800.0 * 500.0).abs() < 5_000.0, "{water}");
    let far = cut.covers((-1400.0, -1400.0), (1400.0, 1400.0));
    assert!(water_m2(&map(&far)) < 1.0, "600 m are too far to guess");
}

fn is_water_at(map: &Map, at: Point) -> bool {
    let tile = map.tiles.iter().find(|it| it.id == at.tile());
    let areas = tile.into_iter().flat_map(|it| &it.drawing.areas);
    let mut waters = areas.filter(|it| it.kind == AreaKind::Water);
    waters.any(|it| super::shape::is_within(at, &it.rings))
}

#[test]
fn a_coast_that_passes_by_leaves_the_sea_open() {
    let across = |nodes: [i64; 3]| {
        let extract = street()
            .way(1, &[1, 2, 3, 4, 5], "highway=path")
            .node(11, -6000.0, 4000.0, "")
            .node(12, -100.0, -500.0, "")
            .node(13, 9000.0, -500.0, "");
        map(&extract.way(2, &nodes, "natural=coastline"))
    };
    // North of the street's tile, around which the first line leads without touching it.
    let there = at(0.0, 3000.0);
    assert!(is_water_at(&across([13, 12, 11]), there));
    assert!(!is_water_at(&across([11, 12, 13]), there));
}

#[test]
fn the_bay_and_the_harbor_of_helsinki_are_water() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("helsinki.osm.pbf");
    std::fs::write(&path, include_bytes!("../../../demo/helsinki.osm.pbf")).unwrap();
    let map = try_map(&path, &Options::default()).unwrap();
    for (name, lat, lng, is_water) in [
        ("Eläintarhanlahti", 60.1780, 24.9427, true),
        ("Kaisaniemenlahti", 60.1767, 24.9480, true),
        ("Eteläsatama", 60.1671, 24.9530, true),
        ("Rautatieasema", 60.1719, 24.9414, false),
        ("Siltasaari", 60.1785, 24.9500, false),
        ("Senaatintori", 60.1695, 24.9525, false),
    ] {
        let at = Point::at(Place::from_degrees(lat, lng).unwrap());
        assert_eq!(is_water_at(&map, at), is_water, "{name}");
    }
}

#[test]
fn coasts_that_contradict_each_other_are_no_sea() {
    let extract = shore(-9000.0, 9000.0)
        .node(14, -9000.0, -800.0, "")
        .node(15, 9000.0, -800.0, "")
        .way(4, &[14, 15], "natural=coastline");
    let map = map(&extract);
    assert!(water_m2(&map) < 1.0);
}

#[test]
fn what_lies_far_from_all_ways_is_not_on_the_map() {
    let mut extract = street().way(1, &[1, 2, 3, 4, 5], "highway=path");
    for (id, (east, north)) in (10..).zip([
        (-40_000.0, -200.0),
        (40_000.0, -200.0),
        (40_000.0, 200.0),
        (-40_000.0, 200.0),
    ]) {
        extract = extract.node(id, east, north, "");
    }
    let map = map(&extract.way(2, &[10, 11, 12, 13, 10], "natural=water"));
    assert_eq!(map.tiles.len(), 3);
}

#[test]
fn a_large_area_is_cut_at_the_borders_of_tiles() {
    let mut extract = street().way(1, &[1, 2, 3, 4, 5], "highway=track");
    for (id, (east, north)) in (10..).zip([
        (-4000.0, -3500.0),
        (4000.0, -3500.0),
        (4000.0, 3500.0),
        (-4000.0, 3500.0),
    ]) {
        extract = extract.node(id, east, north, "");
    }
    let map = map(&extract.way(2, &[10, 11, 12, 13, 10], "natural=water"));
    let mut area = 0.0;
    for tile in &map.tiles {
        for point in tile
            .drawing
            .areas
            .iter()
            .flat_map(|it| it.rings.iter().flatten())
        {
            assert!(point.x >= tile.id.corner().x && point.x <= tile.id.corner().x + 8192);
            assert!(point.y >= tile.id.corner().y && point.y <= tile.id.corner().y + 8192);
        }
        let ground = Ground::at(tile.id.corner());
        area += tile
            .drawing
            .areas
            .iter()
            .flat_map(|it| &it.rings)
            .map(|it| super::shape::area_m2(it, &ground))
            .sum::<f64>();
    }
    assert!((area / 56e6 - 1.0).abs() < 0.01, "{area}");
}

#[test]
fn a_sidewalk_has_the_name_and_the_traffic_of_its_street() {
    let mut extract = street().way(1, &[1, 2, 3, 4, 5], "highway=secondary, name=Main Road");
    for id in 1..=5 {
        extract = extract
            .node(10 + id, (id - 3) as f64 * 100.0, 9.0, "")
            .node(20 + id, (id - 3) as f64 * 100.0, 60.0, "");
    }
    let extract = extract
        .way(
            2,
            &[11, 12, 13, 14, 15],
            "highway=footway, footway=sidewalk",
        )
        .way(3, &[21, 22, 23, 24, 25], "highway=footway");
    let map = map(&extract);
    let edges = map.edges();
    let (tile, sidewalk) = edges
        .iter()
        .find(|(_, it)| it.way.kind == WayKind::Sidewalk)
        .unwrap();
    assert_eq!(
        (sidewalk.way.naming, name(tile, sidewalk)),
        (Naming::Beside, Some("Main Road"))
    );
    assert_eq!(sidewalk.way.beside_traffic, 2);
    let (tile, far) = edges
        .iter()
        .find(|(_, it)| it.way.kind == WayKind::Footway)
        .unwrap();
    assert_eq!(
        (far.way.naming, name(tile, far), far.way.beside_traffic),
        (Naming::Own, None, 0)
    );
}

#[test]
fn a_path_along_a_river_has_its_name() {
    let mut extract = street().way(1, &[1, 2, 3, 4, 5], "highway=path");
    for id in 1..=5 {
        extract = extract.node(10 + id, (id - 3) as f64 * 100.0, 20.0, "");
    }
    let map = map(&extract.way(2, &[11, 12, 13, 14, 15], "waterway=river, name=Neckar"));
    let (tile, edge) = map.only_edge();
    assert!(edge.waterside);
    assert_eq!(
        (edge.way.naming, name(tile, edge)),
        (Naming::Along, Some("Neckar"))
    );
    assert_eq!(tile.drawing.lines[0].kind, LineKind::River);
}

#[test]
fn trees_give_shade() {
    let rows = street()
        .node(11, -200.0, 4.0, "")
        .node(12, 0.0, 4.0, "")
        .way(1, &[1, 2, 3, 4, 5], "highway=residential")
        .way(2, &[11, 12], "natural=tree_row");
    assert!([3, 4].contains(&map(&rows).only_edge().1.shade));
    let single = (0..40).fold(street(), |it, id| {
        it.node(
            100 + id,
            f64::from(id as i32) * 10.0 - 195.0,
            3.0,
            "natural=tree",
        )
    });
    assert_eq!(
        map(&single.way(1, &[1, 2, 3, 4, 5], "highway=residential"))
            .only_edge()
            .1
            .shade,
        7
    );
}

#[test]
fn single_things_are_where_they_are() {
    let extract = street()
        .node(11, 10.0, 10.0, "amenity=bench")
        .node(12, 20.0, 10.0, "amenity=drinking_water")
        .node(13, 100.0, 100.0, "")
        .node(14, 140.0, 100.0, "")
        .node(15, 140.0, 140.0, "")
        .node(16, 100.0, 140.0, "")
        .node(17, 0.0, 300.0, "place=village, name=Hamlet")
        .way(1, &[1, 2, 3, 4, 5], "highway=residential")
        .way(2, &[13, 14, 15, 16, 13], "leisure=dog_park, name=Paws");
    let map = map(&extract);
    let tile = &map.tiles[0];
    let spots: Vec<_> = tile
        .spots
        .iter()
        .map(|it| (it.kind, it.name.map(|it| tile.names[it as usize].as_str())))
        .collect();
    assert_eq!(
        spots,
        [
            (SpotKind::DrinkingWater, None),
            (SpotKind::Bench, None),
            (SpotKind::DogPark, Some("Paws"))
        ]
    );
    assert!(tile.spots[2].at.distance_m(at(120.0, 120.0)) < 3.0);
    assert_eq!(tile.spots[1].at, at(10.0, 10.0));
    assert_eq!(tile.drawing.labels.len(), 1);
    assert_eq!(tile.drawing.areas[0].kind, AreaKind::DogPark);
}

#[test]
fn roads_without_walkers_are_only_drawn() {
    let extract = street()
        .node(11, -200.0, 50.0, "")
        .node(12, 200.0, 50.0, "")
        .way(1, &[1, 2, 3, 4, 5], "highway=residential")
        .way(2, &[11, 12], "highway=motorway");
    let map = map(&extract);
    assert_eq!(map.edges().len(), 1);
    assert_eq!(map.tiles[0].drawing.lines[0].kind, LineKind::Motorway);
}

#[test]
fn nobody_walks_through_a_long_tunnel_for_cars() {
    let n_walked = |tags: &str, to_m: f64| {
        let extract = Extract::default()
            .node(1, -300.0, 0.0, "")
            .node(2, 0.0, 0.0, "")
            .node(3, to_m, 0.0, "")
            .way(1, &[1, 2], "highway=residential")
            .way(2, &[2, 3], tags);
        map(&extract).edges().len()
    };
    let car = "highway=primary, tunnel=yes";
    assert_eq!(n_walked(car, 130.0), 1);
    assert_eq!(n_walked(car, 60.0), 2);
    for open in ["foot=yes", "sidewalk=both"] {
        assert_eq!(n_walked(&format!("{car}, {open}"), 130.0), 2);
    }
    for car in ["residential", "unclassified", "service", "secondary"] {
        let tags = format!("highway={car}, tunnel=yes");
        assert_eq!(n_walked(&tags, 130.0), 1, "{car}");
        let apart = format!("{tags}, sidewalk=separate");
        assert_eq!(n_walked(&apart, 130.0), 1, "{car}");
    }
    for open in [
        "highway=footway, tunnel=yes",
        "highway=track, tunnel=yes",
        "highway=living_street, tunnel=yes",
        "highway=residential, tunnel=yes, motor_vehicle=no",
        "highway=service, tunnel=building_passage",
    ] {
        assert_eq!(n_walked(open, 130.0), 2, "{open}");
    }
}

#[test]
fn a_tunnel_of_several_ways_is_as_long_as_all_of_them() {
    // From one street to another through ways of this length, of which each has tags of its own.
    let n_walked = |each_m: f64, tunnel: &[&str]| {
        let mut extract = Extract::default()
            .node(1, -300.0, 0.0, "")
            .node(2, 0.0, 0.0, "")
            .way(1, &[1, 2], "highway=residential");
        for (step, tags) in (3..).zip(tunnel) {
            let tags = format!("highway=primary, name=Street {step}, {tags}");
            extract = extract.node(step, (step - 2) as f64 * each_m, 0.0, "").way(
                step,
                &[step - 1, step],
                &tags,
            );
        }
        map(&extract).edges().len() - 1
    };
    let dark = "tunnel=yes";
    assert_eq!(n_walked(40.0, &[dark; 2]), 2);
    assert_eq!(n_walked(40.0, &[dark; 3]), 0);
    // Open air between them makes two of it.
    assert_eq!(n_walked(40.0, &[dark, dark, "lit=yes", dark, dark]), 5);
    assert_eq!(n_walked(40.0, &[dark, "lit=yes", dark, dark, dark]), 2);
    // So does a part that is made for walkers.
    assert_eq!(n_walked(90.0, &[dark, "tunnel=yes, foot=yes", dark]), 3);
}

#[test]
fn a_road_without_a_name_has_its_number_and_of_two_names_the_first() {
    let name_of = |tags: &str| {
        let map = map(&street().way(1, &[1, 2, 3, 4, 5], tags));
        let (tile, edge) = map.only_edge();
        name(tile, edge).map(str::to_owned)
    };
    for (tags, expected) in [
        ("highway=primary, ref=CG-3;CG-4", Some("CG-3")),
        (
            "highway=primary, ref=CG-3, name=Main Road",
            Some("Main Road"),
        ),
        ("highway=track, ref=7", None),
        (
            "highway=residential, name=; Oak Street; Elm Street",
            Some("Oak Street"),
        ),
    ] {
        assert_eq!(name_of(tags).as_deref(), expected, "{tags}");
    }
}

#[test]
fn nodes_have_heights_and_bridges_no_humps() {
    let folder = tempfile::tempdir().unwrap();
    // A ridge of 100 m through the middle of the street: a triangle 400 m wide, in cells of three seconds.
    let place = at(0.0, 0.0).place();
    let (lat, lon) = (
        f64::from(place.lat_e7) * 1e-7,
        f64::from(place.lon_e7) * 1e-7,
    );
    let middle = (lon - lon.floor()) * 1200.0;
    let heights = (0..1201 * 1201).map(|it| {
        let cells = (f64::from(it % 1201) - middle).abs();
        (100.0 - cells * 60.0 / 2.0).max(0.0) as i16
    });
    let bytes: Vec<u8> = heights.flat_map(i16::to_be_bytes).collect();
    std::fs::write(
        folder
            .path()
            .join(format!("N{:02}E{:03}.hgt", lat.floor(), lon.floor())),
        bytes,
    )
    .unwrap();
    let options = Options {
        elevation: Some(folder.path().to_owned()),
        ..Options::default()
    };
    let edge_of = |tags: &str| {
        let extract = street().way(1, &[1, 2, 3, 4, 5], tags);
        let map = try_map(&extract.write(folder.path()), &options).unwrap();
        map.check();
        let (tile, edge) = map.only_edge();
        (tile.network.nodes[edge.from as usize].height_m, edge.hump_m)
    };
    let (height, hump) = edge_of("highway=track");
    assert!((0..30).contains(&height.unwrap()), "{height:?}");
    assert!((60..=100).contains(&hump), "{hump}");
    assert_eq!(edge_of("highway=track, bridge=yes").1, 0);
    assert_eq!(edge_of("highway=steps").1, 0);
}

/// Heights of a folder: a slope that rises by ten meters for each cell of three seconds to the east, from the degree's
/// western border to its eastern one.
fn slope() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let heights = (0..1201 * 1201).map(|it| (it % 1201 * 10) as i16);
    let bytes: Vec<u8> = heights.flat_map(i16::to_be_bytes).collect();
    std::fs::write(folder.path().join("N49E008.hgt"), bytes).unwrap();
    folder
}

fn map_on(folder: &Path, extract: &Extract) -> Map {
    let options = Options {
        elevation: Some(folder.to_owned()),
        ..Options::default()
    };
    let map = try_map(&extract.write(folder), &options).unwrap();
    map.check();
    map
}

#[test]
fn bridges_lead_straight_from_end_to_end() {
    let folder = slope();
    // A detour to the east: what is on the ground there lies higher than both ends.
    let over = |bridge: &str| {
        let extract = Extract::default()
            .node(1, -200.0, 0.0, "")
            .node(2, -100.0, 0.0, "")
            .node(3, 500.0, 0.0, "")
            .node(4, -100.0, 50.0, "")
            .node(5, -200.0, 50.0, "")
            .way(1, &[1, 2], "highway=path")
            .way(2, &[2, 3], &format!("highway=path, bridge={bridge}"))
            .way(
                3,
                &[3, 4],
                &format!("highway=path, bridge={bridge}, surface=sett"),
            )
            .way(4, &[4, 5], "highway=path");
        map_on(folder.path(), &extract)
    };
    let height = |map: &Map, east: f64, north: f64| {
        let near = |it: &Node| it.at.distance_m(at(east, north)) < 2.0;
        map.nodes()
            .into_iter()
            .find(near)
            .unwrap()
            .height_m
            .unwrap()
    };
    let map = over("yes");
    let ends = [height(&map, -100.0, 0.0), height(&map, -100.0, 50.0)];
    assert!((ends[0] - ends[1]).abs() <= 1, "{ends:?}");
    assert!((height(&map, 500.0, 0.0) - ends[0]).abs() <= 1);
    assert!(height(&over("no"), 500.0, 0.0) > ends[0] + 50);
}

#[test]
fn where_the_heights_end_those_that_are_known_stay() {
    let folder = slope();
    let origin = at(0.0, 0.0);
    let border = Point::at(Place::from_degrees(origin.place().lat(), 9.0).unwrap());
    let (border_m, _) = Ground::at(origin).vector_m(origin, border);
    // Across the border, and within one tile.
    let extract = (1..=4)
        .fold(Extract::default(), |it, id| {
            it.node(id, border_m + (id as f64 - 2.5) * 150.0, 0.0, "")
        })
        .way(1, &[1, 2], "highway=path")
        .way(2, &[2, 3], "highway=footway")
        .way(3, &[3, 4], "highway=path");
    let map = map_on(folder.path(), &extract);
    let known: Vec<bool> = map.nodes().iter().map(|it| it.height_m.is_some()).collect();
    assert_eq!(known, [true, true, false, false]);
    assert_eq!(map.summary.warnings.heights_missing, 1);
}

/// Bytes at a time change in ways that are always the same.
fn damaged(good: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let mut seed = 7_u64;
    let mut draw = move |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    (0..400).map(move |number| {
        let mut bytes = good.to_vec();
        if number % 4 == 0 {
            bytes.truncate(draw(good.len()));
            return bytes;
        }
        for _ in 0..=draw(3) {
            let at = draw(bytes.len());
            bytes[at] = match draw(4) {
                0 => 0xff,
                1 => 0,
                2 => bytes[at] ^ 1 << draw(8),
                _ => draw(256) as u8,
            };
        }
        bytes
    })
}

#[test]
fn whatever_is_wrong_with_a_file_the_import_comes_back() {
    let good = shore(-800.0, 800.0)
        .covers((-900.0, -1000.0), (900.0, 1000.0))
        .node(20, 0.0, 150.0, "amenity=bench")
        .node(21, 40.0, 150.0, "")
        .node(22, 0.0, 190.0, "place=suburb, name=Hamlet")
        .way(5, &[3, 20], "highway=path, name=Lane, bridge=yes")
        .way(6, &[20, 21, 22, 20], "leisure=park, name=Green")
        .way(7, &[20, 21], "natural=tree_row")
        .relation(8, &[6], "type=multipolygon, natural=water")
        .bytes();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.osm.pbf");
    let (mut n_good, mut n_refused) = (0, 0);
    for bytes in damaged(&good) {
        std::fs::write(&path, &bytes).unwrap();
        match try_map(&path, &Options::default()) {
            Ok(map) => {
                map.check();
                n_good += 1;
            }
            Err(error) => {
                let sentence = error.to_string();
                assert!(
                    sentence.contains("file.osm.pbf") && sentence.ends_with('.'),
                    "{sentence}"
                );
                n_refused += 1;
            }
        }
    }
    assert!(n_good > 20 && n_refused > 100, "{n_good} {n_refused}");
}

#[test]
fn a_compressed_file_that_is_damaged_is_refused() {
    let good = include_bytes!("../../../demo/helsinki.osm.pbf");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.osm.pbf");
    for bytes in damaged(good).take(40) {
        std::fs::write(&path, &bytes).unwrap();
        let sentence = try_map(&path, &Options::default())
            .err()
            .unwrap()
            .to_string();
        assert!(sentence.contains("file.osm.pbf is"), "{sentence}");
    }
}

#[test]
fn useless_files_are_refused_with_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |bytes: &[u8]| {
        let path = folder.path().join("file.osm.pbf");
        std::fs::write(&path, bytes).unwrap();
        try_map(&path, &Options::default())
            .err()
            .map(|it| it.to_string())
            .unwrap_or_default()
    };
    let good = street()
        .way(1, &[1, 2, 3, 4, 5], "highway=residential")
        .bytes();
    for (bytes, part) in [
        (
            &b"<?xml version='1.0'?><osm/>"[..],
            "is not an OpenStreetMap extract",
        ),
        (&b""[..], "is not an OpenStreetMap extract"),
        (&good[..good.len() - 5], "is damaged or cut off"),
        (
            &[good.as_slice(), &[0, 0]].concat(),
            "is damaged or cut off",
        ),
        (
            &street()
                .way(1, &[1, 2, 3, 4, 5], "highway=residential")
                .relation_of(2, &[(1, "outer", 7)], "type=multipolygon, natural=water")
                .bytes(),
            "is damaged or cut off",
        ),
        (&street().bytes(), "has no ways that can be walked"),
        (
            &street().way(1, &[1, 2], "highway=motorway").bytes(),
            "has no ways that can be walked",
        ),
        (
            &street()
                .way(1, &[1, 2], "highway=footway, access=private")
                .bytes(),
            "has no ways that can be walked",
        ),
        (
            &Extract::default()
                .way(1, &[1, 2, 3], "highway=residential")
                .bytes(),
            "does not say where its ways are",
        ),
    ] {
        let sentence = refused(bytes);
        assert!(
            sentence.contains(part) && sentence.ends_with('.'),
            "{part}: {sentence}"
        );
    }
    let missing = try_map(&folder.path().join("none.osm.pbf"), &Options::default())
        .err()
        .unwrap()
        .to_string();
    assert!(missing.contains("cannot be read"), "{missing}");
}

#[test]
fn a_sink_that_fails_stops_the_import() {
    let folder = tempfile::tempdir().unwrap();
    let file = street()
        .way(1, &[1, 2, 3, 4, 5], "highway=residential")
        .write(folder.path());
    let result = import(&file, &Options::default(), &mut |_| {}, &mut |_| {
        anyhow::bail!("the disk is full")
    });
    assert_eq!(
        result.err().unwrap().to_string(),
        "A tile could not be stored: the disk is full."
    );
}

#[test]
fn progress_only_goes_forward() {
    let folder = tempfile::tempdir().unwrap();
    let file = street()
        .way(1, &[1, 2, 3, 4, 5], "highway=residential")
        .write(folder.path());
    let mut seen = Vec::new();
    import(
        &file,
        &Options::default(),
        &mut |it| seen.push((it.phase as u8, it.share)),
        &mut |_| Ok(()),
    )
    .unwrap();
    assert!(seen.is_sorted_by(|a, b| a <= b), "{seen:?}");
    assert!(seen.iter().all(|(_, share)| (0.0..=1.0).contains(share)));
}

/// Finds the folder with the real extracts, which are no part of the project. In CI they must be there.
pub(super) fn data() -> Option<PathBuf> {
    let data = std::env::var_os("WALKIES_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared"),
        PathBuf::from,
    );
    if data.join("map").is_dir() {
        return Some(data);
    }
    assert_ne!(
        std::env::var("CI").as_deref(),
        Ok("true"),
        "the real extracts are missing"
    );
    eprintln!(
        "Left out: there are no real extracts in {}.",
        data.display()
    );
    None
}

#[test]
fn real_extracts_become_whole_maps() {
    let Some(data) = data() else { return };
    for (file, n_edges, length_km, has_heights) in [
        ("dortmund_sued", 15_000..17_000, 530.0..570.0, false),
        ("heidelberg", 38_000..41_000, 3_450.0..3_650.0, false),
        ("andorra", 2_500..3_000, 770.0..800.0, true),
    ] {
        let options = Options {
            elevation: Some(data.join("elevation")),
            ..Options::default()
        };
        let map = try_map(&data.join(format!("map/{file}.osm.pbf")), &options).unwrap();
        map.check();
        assert!(
            n_edges.contains(&map.summary.n_edges),
            "{file}: {:?}",
            map.summary
        );
        assert!(
            length_km.contains(&(map.length_m() / 1000.0)),
            "{file}: {}",
            map.length_m()
        );
        assert_eq!(
            map.nodes().iter().all(|it| it.height_m.is_some()),
            has_heights,
            "{file}"
        );
    }
}
