//! Owns where names and signs stand: along their streets, none on another, the important first. It is decided for a whole
//! tile at a zoom, and nothing stands across the tile's border, so that every sheet shows the same and cuts none.

use std::collections::{BTreeMap, HashMap};

use super::class::MarkKind;
use super::prepared_tile::PreparedTile;
use super::viewport::{Px, scale};
use crate::map::{Point, TILE_BITS};

/// A name or a sign, in px from its tile's corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlacedLabel {
    pub(super) kind: MarkKind,
    /// Index of the tile's names.
    pub(super) name: Option<u32>,
    /// Its middle, in px from the tile's corner.
    pub(super) at: Px,
    /// Radians to the right, half a turn at most in all.
    pub(super) angle: f64,
    /// Half of its width and of its height, before it is turned.
    pub(super) half: Px,
}

/// Room around each of them.
const PADDING_PX: f64 = 3.0;
/// A street says its name again after so much.
const AGAIN_PX: f64 = 420.0;
/// And another street of the same name not nearer than this.
const SAME_NAME_PX: f64 = 260.0;
/// A name stands straight; its street may leave it by so much.
const BEND_PX: f64 = 3.0;
/// How far apart places on a street are tried.
const STEP_PX: f64 = 16.0;
/// The chord under a name is at least this share of the name's width.
const STRAIGHT: f64 = 0.95;
/// A name that is turned by fewer radians is covered by one box.
const LEVEL: f64 = 0.02;
/// No straight line is longer than so many times the longer side of its bounds: the square root of 2.
const DIAGONAL: f64 = 1.42;
/// A name is never longer: somebody typed a sentence.
const WIDEST_PX: f64 = 240.0;

/// Finds room for the names and signs of a tile at a zoom.
pub(super) fn place_labels(tile: &PreparedTile, zoom: u32) -> Vec<PlacedLabel> {
    let mut layout = LabelLayout::new(tile, zoom);
    let mut candidates = layout.points();
    candidates.extend(layout.streets());
    // Equal ones in the order of the tile.
    candidates.sort_by_key(LabelCandidate::rank);
    for candidate in candidates {
        match candidate {
            LabelCandidate::Point { kind, name, at } => layout.place_at(kind, name, at),
            LabelCandidate::Line { kind, name, line } => layout.place_along(kind, name, &line),
        }
    }
    layout.placed
}

/// A name or a sign that wants room.
enum LabelCandidate {
    Point {
        kind: MarkKind,
        name: Option<u32>,
        at: Px,
    },
    Line {
        kind: MarkKind,
        name: u32,
        line: Vec<Px>,
    },
}

impl LabelCandidate {
    fn rank(&self) -> MarkKind {
        match self {
            Self::Point { kind, .. } | Self::Line { kind, .. } => *kind,
        }
    }
}

/// The names and signs of a tile while room is found for them.
struct LabelLayout<'a> {
    tile: &'a PreparedTile,
    zoom: u32,
    scale: f64,
    side: f64,
    placed: Vec<PlacedLabel>,
    taken: TakenBoxes,
    by_name: BTreeMap<u32, Vec<Px>>,
}

impl<'a> LabelLayout<'a> {
    fn new(tile: &'a PreparedTile, zoom: u32) -> Self {
        Self {
            tile,
            zoom,
            scale: scale(zoom),
            side: f64::from(1_u32 << TILE_BITS) * scale(zoom),
            placed: Vec::new(),
            taken: TakenBoxes::default(),
            by_name: BTreeMap::new(),
        }
    }

    fn px(&self, point: Point) -> Px {
        let corner = self.tile.id.corner();
        (
            (f64::from(point.x) - f64::from(corner.x)) * self.scale,
            (f64::from(point.y) - f64::from(corner.y)) * self.scale,
        )
    }

    /// Names and signs of places.
    fn points(&self) -> Vec<LabelCandidate> {
        let labels = self.tile.labels.iter().filter_map(|it| {
            let (kind, from, to) = MarkKind::of_label(it.kind);
            (from..=to)
                .contains(&self.zoom)
                .then(|| LabelCandidate::Point {
                    kind,
                    name: Some(it.name),
                    at: self.px(it.at),
                })
        });
        let spots = self.tile.spots.iter().filter_map(|it| {
            let (kind, from) = MarkKind::of_spot(it.kind)?;
            let name = it
                .name
                .filter(|_| kind == MarkKind::Veterinary || kind == MarkKind::DogPark);
            (from <= self.zoom).then(|| LabelCandidate::Point {
                kind,
                name,
                at: self.px(it.at),
            })
        });
        labels.chain(spots).collect()
    }

    /// Names of streets, as far as these are long enough, the longest first.
    fn streets(&self) -> Vec<LabelCandidate> {
        let named = self.tile.lines.iter().filter_map(|line| {
            let (from, kind) = line.class.name()?;
            let name = line.name?;
            let (_, width) = self.tile.name(name)?;
            let length_px = f64::from(line.bounds.span()) * DIAGONAL * self.scale;
            (from <= self.zoom && width * kind.letters_px() <= length_px).then(|| {
                LabelCandidate::Line {
                    kind,
                    name,
                    line: line.points.iter().map(|it| self.px(*it)).collect(),
                }
            })
        });
        let mut named: Vec<LabelCandidate> = named.collect();
        // Of two pieces of a street the longer one has more room.
        let length = |it: &LabelCandidate| match it {
            LabelCandidate::Line { line, .. } => -length_of(line),
            LabelCandidate::Point { .. } => 0.0,
        };
        named.sort_by(|a, b| length(a).total_cmp(&length(b)));
        named
    }

    /// A name or sign at a place, moved as much as the tile's border wants.
    fn place_at(&mut self, kind: MarkKind, name: Option<u32>, at: Px) {
        let sign = kind.sign_px();
        let (width, height) = match name.and_then(|it| self.tile.name(it)) {
            // The name stands below its sign.
            Some((_, width)) => (width * kind.letters_px(), kind.letters_px() + sign),
            None if sign > 0.0 => (sign, sign),
            None => return,
        };
        let half = (width.max(sign) / 2.0, height / 2.0);
        let room = |half: f64| half + PADDING_PX..=self.side - half - PADDING_PX;
        // What lies in another tile is that tile's to show.
        let is_inside = (0.0..self.side).contains(&at.0) && (0.0..self.side).contains(&at.1);
        let (across, down) = (room(half.0), room(half.1));
        if !is_inside || across.is_empty() || down.is_empty() || width > WIDEST_PX {
            return;
        }
        // A sign shows where the thing is, so it stays there.
        if sign > 0.0 && !(across.contains(&at.0) && down.contains(&at.1)) {
            return;
        }
        let at = (
            at.0.clamp(*across.start(), *across.end()),
            at.1.clamp(*down.start(), *down.end()),
        );
        self.place(PlacedLabel {
            kind,
            name,
            at,
            angle: 0.0,
            half,
        });
    }

    /// A street's name along it, as often as it is long.
    fn place_along(&mut self, kind: MarkKind, name: u32, line: &[Px]) {
        let Some((_, width)) = self.tile.name(name) else {
            return;
        };
        let half = (width * kind.letters_px() / 2.0, kind.letters_px() / 2.0);
        if half.0 * 2.0 > WIDEST_PX {
            return;
        }
        let length = length_of(line);
        let n_parts = (length / AGAIN_PX).floor().max(1.0);
        let part = length / n_parts;
        let mut middle = part / 2.0;
        while middle < length {
            let most = (part / 2.0 - half.0).max(0.0);
            let mut aside = 0.0;
            'tries: while aside <= most {
                for at in [middle + aside, middle - aside] {
                    if let Some(placed) = self.straight(kind, name, line, at, half)
                        && self.place(placed)
                    {
                        break 'tries;
                    }
                }
                aside += STEP_PX;
            }
            middle += part;
        }
    }

    /// The name with its middle so far along the line, where that is straight enough.
    fn straight(
        &self,
        kind: MarkKind,
        name: u32,
        line: &[Px],
        at: f64,
        half: Px,
    ) -> Option<PlacedLabel> {
        let along = stretch(line, at - half.0, at + half.0)?;
        let [from, .., to] = along.as_slice() else {
            return None;
        };
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let chord = crate::values::plane::length(dx, dy);
        if chord < 2.0 * STRAIGHT * half.0 {
            return None;
        }
        let off = |it: &Px| ((it.0 - from.0) * dy - (it.1 - from.1) * dx).abs() / chord;
        if along.iter().any(|it| off(it) > BEND_PX) {
            return None;
        }
        let (dx, dy) = if dx < 0.0 { (-dx, -dy) } else { (dx, dy) };
        let at = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let same = self.by_name.get(&name);
        if same.is_some_and(|all| all.iter().any(|it| apart(*it, at) < SAME_NAME_PX)) {
            return None;
        }
        Some(PlacedLabel {
            kind,
            name: Some(name),
            at,
            angle: libm::atan2(dy, dx),
            half,
        })
    }

    /// Takes the room, if all of it is free and in the tile.
    fn place(&mut self, placed: PlacedLabel) -> bool {
        let boxes = boxes_of(&placed);
        let inside =
            |it: &Box4| it.0 >= 0.0 && it.1 >= 0.0 && it.2 <= self.side && it.3 <= self.side;
        if !boxes.iter().all(|it| inside(it) && self.taken.is_free(it)) {
            return false;
        }
        for it in boxes {
            self.taken.take(it);
        }
        if let Some(name) = placed.name {
            self.by_name.entry(name).or_default().push(placed.at);
        }
        self.placed.push(placed);
        true
    }
}

/// Left, top, right, bottom.
type Box4 = (f64, f64, f64, f64);

/// Returns the boxes that a name covers: one, or a row of squares if it is turned.
fn boxes_of(placed: &PlacedLabel) -> Vec<Box4> {
    let PlacedLabel {
        at, angle, half, ..
    } = *placed;
    let around = |x: f64, y: f64, wide: f64, high: f64| {
        let (wide, high) = (wide + PADDING_PX, high + PADDING_PX);
        (x - wide, y - high, x + wide, y + high)
    };
    if angle.abs() < LEVEL {
        return vec![around(at.0, at.1, half.0, half.1)];
    }
    let (along_x, along_y) = (libm::cos(angle), libm::sin(angle));
    let reach = (half.0 - half.1).max(0.0);
    let n_gaps = (2.0 * reach / (1.5 * half.1)).ceil().max(1.0) as u32;
    (0..=n_gaps)
        .map(|index| {
            let away = 2.0 * reach * f64::from(index) / f64::from(n_gaps) - reach;
            around(at.0 + away * along_x, at.1 + away * along_y, half.1, half.1)
        })
        .collect()
}

/// Cells of the grid in which taken boxes are found again.
const CELL_PX: f64 = 64.0;

/// Boxes in which something stands, by the cells that they touch.
#[derive(Default)]
struct TakenBoxes {
    cells: HashMap<(i32, i32), Vec<Box4>>,
}

impl TakenBoxes {
    fn is_free(&self, it: &Box4) -> bool {
        cells_of(it).all(|cell| {
            let there = self.cells.get(&cell).map_or(&[][..], Vec::as_slice);
            there.iter().all(|other| {
                it.2 <= other.0 || other.2 <= it.0 || it.3 <= other.1 || other.3 <= it.1
            })
        })
    }

    fn take(&mut self, it: Box4) {
        for cell in cells_of(&it) {
            self.cells.entry(cell).or_default().push(it);
        }
    }
}

fn cells_of(it: &Box4) -> impl Iterator<Item = (i32, i32)> + use<> {
    let cell = |px: f64| (px / CELL_PX).floor() as i32;
    let (left, right) = (cell(it.0), cell(it.2));
    (cell(it.1)..=cell(it.3)).flat_map(move |row| (left..=right).map(move |column| (column, row)))
}

fn apart(a: Px, b: Px) -> f64 {
    crate::values::plane::length(a.0 - b.0, a.1 - b.1)
}

fn length_of(line: &[Px]) -> f64 {
    let pairs = line.iter().zip(line.iter().skip(1));
    pairs.map(|(from, to)| apart(*from, *to)).sum()
}

/// The part of a line between two lengths along it; `None` where it is shorter.
fn stretch(line: &[Px], from: f64, to: f64) -> Option<Vec<Px>> {
    if from < 0.0 {
        return None;
    }
    let mut gone = 0.0;
    let mut part: Vec<Px> = Vec::new();
    for (start, end) in line.iter().zip(line.iter().skip(1)) {
        let length = apart(*start, *end);
        let at = |along: f64| {
            let share = if length > 0.0 {
                (along - gone) / length
            } else {
                0.0
            };
            (
                start.0 + share * (end.0 - start.0),
                start.1 + share * (end.1 - start.1),
            )
        };
        if part.is_empty() && from <= gone + length {
            part.push(at(from));
        }
        if !part.is_empty() {
            if to <= gone + length {
                part.push(at(to));
                return Some(part);
            }
            part.push(*end);
        }
        gone += length;
    }
    None
}
