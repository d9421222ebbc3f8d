//! Tests of the bytes of a tile: what goes in comes out, and nothing that comes in does harm.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::testing::ID;
use super::*;

fn point() -> impl Strategy<Value = Point> {
    // A little beyond the tile: edges lead out of it.
    let side = 1 << TILE_BITS;
    (-500..side + 500, -500..side + 500).prop_map(|(x, y)| {
        let corner = ID.corner();
        Point {
            x: corner.x.saturating_add_signed(x),
            y: corner.y.saturating_add_signed(y),
        }
    })
}

fn way() -> impl Strategy<Value = Way> {
    (
        select(WayKind::ALL),
        select(Surface::ALL),
        select(Lit::ALL),
        select(Sidewalk::ALL),
        select(Crossing::ALL),
        select(Naming::ALL),
        0..4_u8,
        any::<[bool; 3]>(),
    )
        .prop_map(
            |(kind, surface, lit, sidewalk, crossing, naming, beside_traffic, flags)| {
                let [bridge, tunnel, fast] = flags;
                Way {
                    kind,
                    surface,
                    lit,
                    sidewalk,
                    crossing,
                    naming,
                    beside_traffic,
                    bridge,
                    tunnel,
                    fast,
                }
            },
        )
}

fn network() -> impl Strategy<Value = Network> {
    let node = (point(), select(Crossing::ALL));
    let heights = option::of(vec(option::weighted(0.9, any::<i16>()), 20));
    (vec(node, 1..20), heights).prop_flat_map(|(nodes, heights)| {
        let count = nodes.len() as u32;
        let nodes: Vec<Node> = nodes
            .into_iter()
            .enumerate()
            .map(|(index, (at, crossing))| Node {
                at,
                crossing,
                height_m: heights.as_ref().and_then(|it| it[index]),
            })
            .collect();
        let edge = (
            (0..count, 0..count),
            way(),
            option::of(0..3_u32),
            vec(point(), 0..6),
            (0..8_u8, 0..8_u8, any::<bool>()),
            any::<u16>(),
        );
        let edge = edge.prop_map(
            |((from, to), way, name, via, (green, shade, waterside), hump_m)| Edge {
                from,
                to,
                way,
                name,
                via,
                green,
                shade,
                waterside,
                hump_m,
            },
        );
        (Just(nodes), vec(edge, 0..20)).prop_map(|(nodes, edges)| Network { nodes, edges })
    })
}

pub(crate) fn tile() -> impl Strategy<Value = Tile> {
    let spot = (select(SpotKind::ALL), point(), option::of(0..3_u32))
        .prop_map(|(kind, at, name)| Spot { kind, at, name });
    let area = (select(AreaKind::ALL), vec(vec(point(), 0..8), 0..3))
        .prop_map(|(kind, rings)| Area { kind, rings });
    let line = (select(LineKind::ALL), vec(point(), 0..8))
        .prop_map(|(kind, points)| Line { kind, points });
    let label = (select(LabelKind::ALL), point(), 0..3_u32).prop_map(|(kind, at, name)| Label {
        kind,
        at,
        name,
    });
    (
        vec(".{0,12}", 0..4),
        network(),
        vec(spot, 0..9),
        (vec(area, 0..6), vec(line, 0..6), vec(label, 0..6)),
        option::of(addresses()),
    )
        .prop_map(
            |(names, network, spots, (areas, lines, labels), addresses)| Tile {
                id: ID,
                names,
                network,
                spots,
                drawing: Drawing {
                    areas,
                    lines,
                    labels,
                },
                addresses,
            },
        )
}

fn addresses() -> impl Strategy<Value = Addresses> {
    let at = || point().prop_map(Addresses::rounded);
    let house = (any::<u32>(), option::of(0..3_u32), at()).prop_map(|(number, suffix, at)| House {
        number,
        suffix,
        at,
    });
    let indices = (0..3_u32, option::of(0..3_u32), option::of(0..3_u32));
    let street =
        (indices, at(), vec(house, 0..6)).prop_map(|((name, postcode, town), at, houses)| {
            AddressStreet {
                name,
                postcode,
                town,
                at,
                houses,
            }
        });
    let place = (select(LabelKind::ALL), 0..3_u32, at())
        .prop_map(|(kind, name, at)| AddressPlace { kind, name, at });
    let order = any::<[bool; 2]>().prop_map(|[number_first, postcode_last]| AddressOrder {
        number_first,
        postcode_last,
    });
    (
        order,
        vec(".{0,8}", 0..4),
        vec(street, 0..5),
        vec(place, 0..4),
    )
        .prop_map(|(order, texts, streets, places)| Addresses {
            order,
            texts,
            streets,
            places,
        })
}

#[test]
fn addresses_that_would_fill_a_phone_are_passed_over() {
    let tile = Tile {
        names: vec!["Long Street".to_owned()],
        addresses: Some(Addresses {
            texts: vec!["x".repeat(5 << 20)],
            ..Addresses::default()
        }),
        ..Tile::empty(ID)
    };
    let read = Tile::decode(&tile.encode());
    let without = Tile {
        addresses: None,
        ..tile
    };
    assert_eq!(read, Ok(without));
}

proptest! {
    #[test]
    fn a_tile_comes_back_as_it_was(tile in tile()) {
        let bytes = tile.encode();
        prop_assert_eq!(Tile::decode(&bytes), Ok(tile.clone()));
        let drawn = Tile { addresses: None, ..tile.clone() };
        prop_assert_eq!(Tile::decode_drawn(&bytes), Ok(drawn.clone()));
        let network = Tile { drawing: Drawing::default(), ..drawn };
        prop_assert_eq!(Tile::decode_network(&bytes), Ok(network));
        let addresses = Tile { names: tile.names, addresses: tile.addresses, ..Tile::empty(ID) };
        prop_assert_eq!(Tile::decode_addresses(&bytes), Ok(addresses));
    }

    #[test]
    fn sorting_a_network_loses_nothing(network in network()) {
        let tile = |network: Network| Tile { network, ..Tile::empty(ID) };
        let ends = |network: &Network| {
            let at = |index: u32| network.nodes[index as usize].at;
            // Within a tile an edge may be turned.
            let course = |edge: &Edge| {
                let mut line = vec![at(edge.from)];
                line.extend(&edge.via);
                line.push(at(edge.to));
                let back = line.iter().rev().copied().collect();
                if line[0].tile() == at(edge.to).tile() { line.min(back) } else { line }
            };
            let mut edges: Vec<_> = network.edges.iter().map(|it| (course(it), it.way)).collect();
            edges.sort();
            edges
        };
        let mut sorted = network.clone();
        sorted.sort();
        prop_assert_eq!(ends(&sorted), ends(&network));
        prop_assert!(Tile::decode(&tile(sorted).encode()).is_ok());
    }

    #[test]
    fn a_tile_with_a_wrong_byte_is_turned_down(tile in tile(), at in any::<prop::sample::Index>(), by in 1..=255_u8) {
        let mut bytes = tile.encode();
        let at = at.index(bytes.len());
        bytes[at] ^= by;
        prop_assert!(Tile::decode(&bytes).is_err());
    }

    #[test]
    fn a_tile_that_is_cut_off_is_turned_down(tile in tile(), at in any::<prop::sample::Index>()) {
        let bytes = tile.encode();
        prop_assert!(Tile::decode(&bytes[..at.index(bytes.len())]).is_err());
    }

    /// As a broken importer would write them: the checksum is right and what is in it is not.
    #[test]
    fn whatever_a_tile_says_the_decoder_comes_back(
        tile in tile(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
    ) {
        let mut bytes = tile.encode();
        bytes.truncate(bytes.len() - 4);
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        if let Ok(tile) = Tile::decode(&bytes) {
            let n_edges = tile.network.edges.len();
            prop_assert_eq!(crate::route::Graph::of(&[tile]).n_edges(), n_edges);
        }
    }

    #[test]
    fn whatever_bytes_come_the_decoder_comes_back(bytes in vec(any::<u8>(), 0..400)) {
        prop_assert!(Tile::decode(&bytes).is_err());
    }
}

#[test]
fn what_is_no_tile_says_so() {
    assert_eq!(Tile::decode(b"<html>"), Err(TileError::NotATile));
    assert_eq!(Tile::decode(b""), Err(TileError::NotATile));
    let mut newer = Tile::empty(ID).encode();
    newer[4] = FORMAT_VERSION + 1;
    assert_eq!(Tile::decode(&newer), Err(TileError::Newer));
}
