//! Owns a tile made ready to be drawn at any zoom: pieces of streets joined, bounds known, names with their widths.

use std::collections::BTreeMap;

use super::chain::join;
use super::class::LineClass;
use super::viewport::Bounds;
use crate::map::{Area, Label, Naming, Point, Spot, SpotKind, TILE_BITS, Tile, TileId};

/// A line with what it is called.
#[derive(Debug)]
pub(super) struct PreparedLine {
    pub(super) class: LineClass,
    pub(super) name: Option<u32>,
    pub(super) bounds: Bounds,
    pub(super) points: Vec<Point>,
}

/// An area of one kind.
#[derive(Debug)]
pub(super) struct PreparedArea {
    pub(super) area: Area,
    pub(super) bounds: Bounds,
}

/// A tile that is ready to be drawn.
#[derive(Debug)]
pub(super) struct PreparedTile {
    pub(super) id: TileId,
    /// Those that lie under others first.
    pub(super) areas: Vec<PreparedArea>,
    /// By class, in the order in which they are drawn.
    pub(super) lines: Vec<PreparedLine>,
    pub(super) spots: Vec<Spot>,
    pub(super) trees: Vec<Point>,
    pub(super) labels: Vec<Label>,
    pub(super) names: Vec<String>,
    /// How wide each name is, for each px of its letters' height.
    widths: Vec<f32>,
}

impl PreparedTile {
    pub(super) fn of(tile: Tile) -> Self {
        let mut pieces: BTreeMap<(LineClass, Option<u32>), Vec<Vec<Point>>> = BTreeMap::new();
        let nodes = &tile.network.nodes;
        let at = |index: u32| nodes.get(index as usize).map(|it| it.at);
        for edge in &tile.network.edges {
            let (Some(class), Some(from), Some(to)) =
                (LineClass::of_way(&edge.way), at(edge.from), at(edge.to))
            else {
                continue;
            };
            let name = edge.name.filter(|_| edge.way.naming == Naming::Own);
            let points = [from]
                .into_iter()
                .chain(edge.via.iter().copied())
                .chain([to]);
            pieces
                .entry((class, name))
                .or_default()
                .push(points.collect());
        }
        for line in tile.drawing.lines {
            let class = LineClass::of_line(line.kind);
            pieces.entry((class, None)).or_default().push(line.points);
        }
        let lines = pieces.into_iter().flat_map(|((class, name), pieces)| {
            join(pieces).into_iter().map(move |points| PreparedLine {
                class,
                name,
                bounds: Bounds::of(&points),
                points,
            })
        });
        let areas = tile.drawing.areas.into_iter().map(|area| PreparedArea {
            bounds: Bounds::of(area.rings.iter().flatten()),
            area,
        });
        let is_tree = |it: &&Spot| it.kind == SpotKind::Tree;
        Self {
            id: tile.id,
            lines: lines.collect(),
            areas: areas.collect(),
            trees: tile.spots.iter().filter(is_tree).map(|it| it.at).collect(),
            spots: tile
                .spots
                .into_iter()
                .filter(|it| it.kind != SpotKind::Tree)
                .collect(),
            labels: tile.drawing.labels,
            widths: tile.names.iter().map(|it| guessed_width(it)).collect(),
            names: tile.names,
        }
    }

    /// The part of the map that is the tile's own.
    pub(super) fn square(&self) -> Bounds {
        let corner = self.id.corner();
        let side = (1 << TILE_BITS) - 1;
        Bounds {
            west: corner.x,
            north: corner.y,
            east: corner.x + side,
            south: corner.y + side,
        }
    }

    /// Takes the widths of its names as they were measured, in px at letters of 1 px.
    pub(super) fn measure(&mut self, widths: &[f32]) {
        for (width, measured) in self.widths.iter_mut().zip(widths) {
            *width = *measured;
        }
    }

    pub(super) fn name(&self, name: u32) -> Option<(&str, f64)> {
        let index = name as usize;
        let width = self.widths.get(index)?;
        Some((self.names.get(index)?, f64::from(*width)))
    }
}

/// Until it is measured: letters are a little more than half as wide as high.
fn guessed_width(name: &str) -> f32 {
    name.chars().count() as f32 * 0.56
}
