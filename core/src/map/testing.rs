//! Owns towns that are made up: what tests of everything that is made of tiles are made on.

use super::*;

/// The tile that they lie in.
pub(crate) const ID: TileId = TileId { x: 4663, y: 2371 };
/// Steps of the map between two streets: about 90 m.
pub(crate) const BLOCK: u32 = 300;

/// A quiet street.
pub(crate) const WAY: Way = Way {
    kind: WayKind::Residential,
    surface: Surface::Paved,
    lit: Lit::Yes,
    sidewalk: Sidewalk::Yes,
    crossing: Crossing::None,
    naming: Naming::Own,
    beside_traffic: 0,
    bridge: false,
    tunnel: false,
    fast: false,
};

/// A place so many steps from the tile's corner.
pub(crate) fn at(right: u32, down: u32) -> Point {
    let corner = ID.corner();
    Point {
        x: corner.x + right,
        y: corner.y + down,
    }
}

/// A node there.
pub(crate) fn node(at: Point) -> Node {
    Node {
        at,
        height_m: None,
        crossing: Crossing::None,
    }
}

/// A piece of a street, straight and without a name.
pub(crate) fn edge(from: u32, to: u32) -> Edge {
    Edge {
        from,
        to,
        way: WAY,
        name: None,
        via: Vec::new(),
        green: 0,
        shade: 0,
        waterside: false,
        hump_m: 0,
    }
}

/// A town of square blocks: `side` streets and as many avenues, the first ones `margin` steps from the tile's corner.
pub(crate) fn town(side: u32, margin: u32) -> Tile {
    let names = (0..side).flat_map(|it| [format!("{it}th Street"), format!("{it}th Avenue")]);
    let mut tile = Tile {
        names: names.collect(),
        ..Tile::empty(ID)
    };
    for row in 0..side {
        for column in 0..side {
            let place = at(margin + column * BLOCK, margin + row * BLOCK);
            tile.network.nodes.push(node(place));
            let here = row * side + column;
            for (there, is_there, name) in [
                (here + 1, column + 1 < side, row * 2),
                (here + side, row + 1 < side, column * 2 + 1),
            ] {
                if is_there {
                    let name = Some(name);
                    let street = edge(here, there);
                    tile.network.edges.push(Edge { name, ..street });
                }
            }
        }
    }
    tile
}
