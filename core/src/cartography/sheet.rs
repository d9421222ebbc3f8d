//! Owns the sheets that a screen shows, 256 px on each side, and the tiles that they are drawn from.

use std::collections::BTreeMap;

use serde::Serialize;

use super::class::{LineClass, MarkKind, area_first_zoom};
use super::labels::{PlacedLabel, place_labels};
use super::prepared_tile::{PreparedArea, PreparedLine, PreparedTile};
use super::viewport::{Bounds, Px, Viewport, area, scale, thin};
use crate::map::{AreaKind, TILE_ZOOM, Tile, TileError, TileId};

/// Side of a sheet in px.
pub const SHEET_PX: f64 = 256.0;
/// Lines this far outside still reach in: half of the widest street, and a sign.
const MARGIN_PX: f64 = 28.0;
/// Farthest that the screen's outline of letters and signs reaches beyond them.
const OUTLINE_PX: f64 = 4.0;
/// Points nearer than this to the one before are left out.
const THIN_PX: f64 = 0.6;
/// Areas smaller than this cannot be seen.
const SMALLEST_PX: f64 = 1.5;
/// From here on trees are drawn.
const TREES_FROM_ZOOM: u32 = 17;
/// No sheet shows more of the earth.
const LEAST_ZOOM: u32 = 12;
/// Nor less: a step of the map is then 8 px.
const MOST_ZOOM: u32 = 21;

/// A sheet by zoom, column and row of the usual scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SheetId {
    /// From 12 on; below that nothing is drawn.
    pub zoom: u32,
    /// Column, from 0 in the west.
    pub x: u32,
    /// Row, from 0 in the north.
    pub y: u32,
}

impl SheetId {
    /// True if the zoom is one that is drawn and the column and row are on the map.
    fn is_valid(self) -> bool {
        let side = 1_u32 << self.zoom.min(MOST_ZOOM);
        (LEAST_ZOOM..=MOST_ZOOM).contains(&self.zoom) && self.x < side && self.y < side
    }

    /// The tiles that lie under it: those whose absence leaves it empty.
    pub fn own(self) -> Vec<TileId> {
        if !self.is_valid() {
            return Vec::new();
        }
        if let Some(deeper) = self.zoom.checked_sub(TILE_ZOOM) {
            return vec![TileId {
                x: self.x >> deeper,
                y: self.y >> deeper,
            }];
        }
        let across = 1_u32 << (TILE_ZOOM - self.zoom);
        let (left, top) = (self.x * across, self.y * across);
        (top..top + across)
            .flat_map(|y| (left..left + across).map(move |x| TileId { x, y }))
            .collect()
    }

    /// The tiles around them: a street belongs to the tile in which it begins.
    pub fn around(self) -> Vec<TileId> {
        let own = self.own();
        let (Some(first), Some(last)) = (own.first(), own.last()) else {
            return Vec::new();
        };
        let side = 1 << TILE_ZOOM;
        let rows = first.y.saturating_sub(1)..=(last.y + 1).min(side - 1);
        let columns = first.x.saturating_sub(1)..=(last.x + 1).min(side - 1);
        rows.flat_map(|y| columns.clone().map(move |x| TileId { x, y }))
            .filter(|it| !own.contains(it))
            .collect()
    }
}

/// A name or a sign on a sheet.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Mark {
    /// Kind of the name or sign.
    pub kind: MarkKind,
    /// The name; empty for signs without one.
    pub text: String,
    /// Px to the right of the sheet's corner, of its middle.
    pub x: f64,
    /// Px down from the sheet's corner, of its middle.
    pub y: f64,
    /// Radians to the right.
    pub angle: f64,
    /// Height of the letters in px.
    pub letters: f64,
    /// Side of the sign in px; 0 without one.
    pub sign: f64,
}

/// Content of a sheet, in the order in which it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sheet {
    /// Four numbers for each batch: what (0 areas, 1 lines, 2 trees), of which kind or class, whether its rings make holes in each
    /// other, and how many parts it has; then the number of points of each part.
    pub batches: Vec<u32>,
    /// The points of all parts in their order, x and y in px from the sheet's corner.
    pub points: Vec<f32>,
    /// Names and signs.
    pub marks: Vec<Mark>,
}

impl Sheet {
    fn push(&mut self, kind: PartKind, parts: &[Vec<Px>]) {
        let parts = || parts.iter().filter(|it| !it.is_empty());
        let n_parts = parts().count() as u32;
        if n_parts == 0 {
            return;
        }
        let (tag, kind, has_holes) = match kind {
            PartKind::Areas(kind, has_holes) => (0, kind as u32, has_holes),
            PartKind::Lines(class) => (1, class as u32, false),
            PartKind::Trees => (2, 0, false),
        };
        self.batches.extend([tag, kind, has_holes.into(), n_parts]);
        self.batches.extend(parts().map(|it| it.len() as u32));
        let points = parts().flatten();
        self.points
            .extend(points.flat_map(|(x, y)| [*x as f32, *y as f32]));
    }
}

/// Kind of the parts of one batch, which are painted at once.
enum PartKind {
    /// Areas of a kind, and true if their rings make holes in each other.
    Areas(AreaKind, bool),
    Lines(LineClass),
    Trees,
}

/// Tiles that are ready to be drawn.
#[derive(Debug, Default)]
pub struct Atlas {
    tiles: BTreeMap<TileId, PreparedTile>,
    /// Names and signs at each zoom that was drawn; where they stand is decided once for a whole tile.
    placed: BTreeMap<TileId, BTreeMap<u32, Vec<PlacedLabel>>>,
}

impl Atlas {
    /// Adds a tile, or another state of it, and returns its id and the names in it, whose widths should be measured.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(TileId, Vec<String>), TileError> {
        let tile = PreparedTile::of(Tile::decode_drawn(bytes)?);
        let (id, names) = (tile.id, tile.names.clone());
        self.tiles.insert(id, tile);
        self.placed.remove(&id);
        Ok((id, names))
    }

    /// Takes the widths of a tile's names, in px at letters 1 px high.
    pub fn measure(&mut self, id: TileId, widths: &[f32]) {
        if let Some(tile) = self.tiles.get_mut(&id) {
            tile.measure(widths);
            self.placed.remove(&id);
        }
    }

    /// Forgets a tile.
    pub fn remove(&mut self, id: TileId) {
        self.tiles.remove(&id);
        self.placed.remove(&id);
    }

    /// Draws a sheet from the tiles that were added so far; `None` if none of the tiles under it was.
    pub fn draw(&mut self, id: SheetId) -> Option<Sheet> {
        let own: Vec<TileId> = id.own();
        if !own.iter().any(|it| self.tiles.contains_key(it)) {
            return None;
        }
        let corner = (f64::from(id.x) * SHEET_PX, f64::from(id.y) * SHEET_PX);
        let viewport = Viewport::new(id.zoom, corner, SHEET_PX, MARGIN_PX);
        let bounds = viewport.bounds();
        let mut sheet = Sheet::default();
        for tile in own.iter().filter_map(|it| self.tiles.get(it)) {
            draw_areas(tile, id.zoom, &viewport, &bounds, &mut sheet);
        }
        let near: Vec<TileId> = own.iter().copied().chain(id.around()).collect();
        self.draw_lines(&near, id.zoom, &viewport, &bounds, &mut sheet);
        if TREES_FROM_ZOOM <= id.zoom {
            self.draw_trees(&near, &viewport, &bounds, &mut sheet);
        }
        for tile in own {
            sheet.marks.extend(self.marks(tile, id.zoom, corner));
        }
        Some(sheet)
    }

    /// The marks of a tile that reach onto the sheet whose corner this is, in px from the world's.
    fn marks(&mut self, id: TileId, zoom: u32, corner: Px) -> Vec<Mark> {
        let Some(tile) = self.tiles.get(&id) else {
            return Vec::new();
        };
        let px = |steps: u32| f64::from(steps) * scale(zoom);
        let offset = (px(id.corner().x) - corner.0, px(id.corner().y) - corner.1);
        let of_tile = self.placed.entry(id).or_default();
        let placed = of_tile
            .entry(zoom)
            .or_insert_with(|| place_labels(tile, zoom));
        placed
            .iter()
            .filter_map(|it| mark(tile, it, offset))
            .collect()
    }

    fn draw_lines(
        &self,
        tiles: &[TileId],
        zoom: u32,
        viewport: &Viewport,
        bounds: &Bounds,
        sheet: &mut Sheet,
    ) {
        let mut by_class: BTreeMap<LineClass, Vec<Vec<Px>>> = BTreeMap::new();
        let lines = tiles
            .iter()
            .filter_map(|it| self.tiles.get(it))
            .flat_map(|it| &it.lines);
        let shown = |it: &&PreparedLine| it.class.first_zoom() <= zoom && it.bounds.touches(bounds);
        for line in lines.filter(shown) {
            let px = thin(line.points.iter().map(|it| viewport.px(*it)), THIN_PX);
            let parts = by_class.entry(line.class).or_default();
            if line.class.is_dashed() {
                parts.push(px);
            } else {
                parts.extend(viewport.cut_line(&px));
            }
        }
        for (class, parts) in by_class {
            sheet.push(PartKind::Lines(class), &parts);
        }
    }

    fn draw_trees(
        &self,
        tiles: &[TileId],
        viewport: &Viewport,
        bounds: &Bounds,
        sheet: &mut Sheet,
    ) {
        let trees = tiles
            .iter()
            .filter_map(|it| self.tiles.get(it))
            .flat_map(|it| &it.trees);
        let near = trees.filter(|it| Bounds::of([*it]).touches(bounds));
        let near = near.map(|it| viewport.px(*it)).collect();
        sheet.push(PartKind::Trees, &[near]);
    }
}

/// Areas in their order; neighbors of one kind without holes go together.
fn draw_areas(
    tile: &PreparedTile,
    zoom: u32,
    viewport: &Viewport,
    bounds: &Bounds,
    sheet: &mut Sheet,
) {
    let px_per_step = scale(zoom);
    let shown = |it: &&PreparedArea| {
        area_first_zoom(it.area.kind) <= zoom
            && it.bounds.touches(bounds)
            && f64::from(it.bounds.span()) * px_per_step >= SMALLEST_PX
    };
    let mut houses = Vec::new();
    let mut run: Option<(AreaKind, Vec<Vec<Px>>)> = None;
    for PreparedArea { area, .. } in tile.areas.iter().filter(shown) {
        let rings = area.rings.iter().map(|ring| {
            let px = thin(ring.iter().map(|it| viewport.px(*it)), THIN_PX);
            viewport.cut_ring(&px)
        });
        let mut rings: Vec<Vec<Px>> = rings.filter(|it| it.len() > 2).collect();
        if let [ring] = rings.as_mut_slice() {
            // All the same way round: where two of them lie on each other, both are filled.
            if self::area(ring) < 0.0 {
                ring.reverse();
            }
            if area.kind == AreaKind::Building {
                houses.append(&mut rings);
                continue;
            }
            match &mut run {
                Some((kind, parts)) if *kind == area.kind => parts.append(&mut rings),
                _ => {
                    flush(run.take(), sheet);
                    run = Some((area.kind, rings));
                }
            }
        } else {
            flush(run.take(), sheet);
            sheet.push(PartKind::Areas(area.kind, true), &rings);
        }
    }
    flush(run, sheet);
    sheet.push(PartKind::Areas(AreaKind::Building, false), &houses);
    if LineClass::House.first_zoom() <= zoom {
        draw_outlines(tile, viewport, bounds, sheet);
    }
}

fn flush(run: Option<(AreaKind, Vec<Vec<Px>>)>, sheet: &mut Sheet) {
    if let Some((kind, parts)) = run {
        sheet.push(PartKind::Areas(kind, false), &parts);
    }
}

/// The walls of houses, but not where the tile's border cuts through one.
fn draw_outlines(tile: &PreparedTile, viewport: &Viewport, bounds: &Bounds, sheet: &mut Sheet) {
    let square = tile.square();
    let (east, south) = (square.east + 1, square.south + 1);
    let mut walls = Vec::new();
    let houses = tile
        .areas
        .iter()
        .filter(|it| it.area.kind == AreaKind::Building);
    for ring in houses
        .filter(|it| it.bounds.touches(bounds))
        .flat_map(|it| &it.area.rings)
    {
        let mut wall: Vec<Px> = Vec::new();
        let mut before = ring.last();
        for point in ring {
            let is_cut = before.is_some_and(|it| {
                (it.x == point.x && (point.x <= square.west || east <= point.x))
                    || (it.y == point.y && (point.y <= square.north || south <= point.y))
            });
            if is_cut {
                walls.push(std::mem::take(&mut wall));
            } else if wall.is_empty() {
                wall.extend(before.map(|it| viewport.px(*it)));
            }
            wall.push(viewport.px(*point));
            before = Some(point);
        }
        walls.push(wall);
    }
    let parts: Vec<_> = walls.iter().flat_map(|it| viewport.cut_line(it)).collect();
    sheet.push(PartKind::Lines(LineClass::House), &parts);
}

/// A mark, where any of it is on the sheet.
fn mark(tile: &PreparedTile, placed: &PlacedLabel, offset: Px) -> Option<Mark> {
    let (x, y) = (placed.at.0 + offset.0, placed.at.1 + offset.1);
    let reach = crate::values::plane::length(placed.half.0, placed.half.1) + OUTLINE_PX;
    let is_on = |it: f64| (-reach..SHEET_PX + reach).contains(&it);
    let text = placed
        .name
        .and_then(|it| tile.name(it))
        .map_or("", |(it, _)| it);
    (is_on(x) && is_on(y)).then(|| Mark {
        kind: placed.kind,
        text: text.to_owned(),
        x,
        y,
        angle: placed.angle,
        letters: placed.kind.letters_px(),
        sign: placed.kind.sign_px(),
    })
}
