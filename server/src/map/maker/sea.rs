//! Owns the sea: nobody draws it in OpenStreetMap, but its coast, with the land on the left of each line and the water on
//! the right. So a tile's water is what lies between the lines that lead through it and the tile's border.
//!
//! An extract may cut the coast. A line that ends close to the extract's own border is led on to there; where one ends
//! elsewhere, or leads the wrong way, nobody can say on which side the water is, and none is drawn. What has no coast is sea
//! if all its neighbors say so.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::Result;
use std::path::Path;

use geo::{Area, Closest, ClosestPoint};
use walkies_core::map::{AreaKind, Ground, Point, TileId};

use super::deal::{Dealer, key_tile, parts, tile_key};
use super::features::Land;
use super::frame::Frame;
use super::piece::Patch;
use super::record::{Reader, put_points};
use super::shape::{area_m2, coord, is_within, lines_within, point, polygon, window};
use super::spool::Sorter;

/// How far from the extract's border a line of the coast may end, as one does whose next point lies beyond.
const CUT_OFF_M: f64 = 300.0;

/// The coast of an extract.
pub struct Coast {
    lines: Sorter,
    /// How many lines begin at a point, less those that end there.
    ends: HashMap<Point, i32>,
}

impl Coast {
    /// None yet; its file lies in this folder.
    pub fn new(folder: &Path) -> Self {
        Self {
            lines: Sorter::new(folder),
            ends: HashMap::new(),
        }
    }

    /// A line of it, with the water on its right.
    pub fn line(&mut self, points: &[Point]) -> Result<()> {
        for (end, count) in [(points.first(), 1), (points.last(), -1)] {
            if let Some(end) = end {
                *self.ends.entry(*end).or_default() += count;
            }
        }
        let mut record = Vec::new();
        for (tile, part) in parts(points, 0, |it| *it) {
            record.clear();
            put_points(part, &mut record);
            self.lines.push(tile_key(tile), &record)?;
        }
        Ok(())
    }

    /// Deals out the sea. `covered` is the part of the world that the extract says that it has.
    pub fn flood(mut self, covered: Option<Frame>, dealer: &mut Dealer) -> Result<()> {
        if let Some(covered) = covered {
            self.lead_to(&covered)?;
        }
        let frame = |tile| match covered {
            Some(it) => Frame::of(tile, 0).common(&it),
            None => Some(Frame::of(tile, 0)),
        };
        let mut lines = self.lines.finish()?;
        let mut shores = BTreeMap::new();
        let mut record = Vec::new();
        while let Some(key) = lines.next_key() {
            let mut coast = Vec::new();
            while lines.next_key() == Some(key) {
                lines.next(&mut record)?;
                coast.push(Reader(&record).points()?);
            }
            let tile = key_tile(key);
            let Some(frame) = frame(tile) else {
                shores.insert(key, [None; 4]);
                continue;
            };
            let pieces = coast.iter().flat_map(|it| lines_within(it, &frame));
            let pieces: Lines = pieces.collect();
            // A line may pass by so closely that its tile was not sure.
            if pieces.is_empty() {
                continue;
            }
            let water = Water::within(pieces, &frame).unwrap_or_default();
            deal(water.rings, &frame, dealer)?;
            // A border of the extract says nothing of the tile beyond.
            let is_whole = frame == Frame::of(tile, 0);
            shores.insert(key, if is_whole { water.sides } else { [None; 4] });
        }
        for tile in open_sea(&dealer.wanted(), &shores) {
            if let Some(frame) = frame(tile) {
                deal(vec![corners(&frame).to_vec()], &frame, dealer)?;
            }
        }
        Ok(())
    }

    /// Leads lines that end close to a border straight on to it.
    fn lead_to(&mut self, border: &Frame) -> Result<()> {
        let open: BTreeMap<Point, i32> =
            self.ends.drain().filter(|(_, count)| *count != 0).collect();
        for (end, count) in open {
            let Some(there) = near_on(border, end) else {
                continue;
            };
            let line = if count < 0 {
                [end, there]
            } else {
                [there, end]
            };
            self.line(&line)?;
        }
        Ok(())
    }
}

/// The nearest point of a border to one within, unless it is too far.
fn near_on(border: &Frame, at: Point) -> Option<Point> {
    let nearest = match window(border).exterior().closest_point(&coord(at).into()) {
        Closest::SinglePoint(it) | Closest::Intersection(it) => point(it.0),
        Closest::Indeterminate => return None,
    };
    let far_m = Ground::at(at).length_m(at, nearest);
    (border.holds(at) && far_m <= CUT_OFF_M).then_some(nearest)
}

fn deal(rings: Vec<Vec<Point>>, frame: &Frame, dealer: &mut Dealer) -> Result<()> {
    let ground = Ground::at(frame.from);
    let land = Land {
        kind: Some(AreaKind::Water),
        green: false,
    };
    dealer.area(&Patch {
        land,
        name: None,
        // The sea is larger than the tile; so large it is at least.
        whole_m2: area_m2(&corners(frame), &ground) as u64,
        rings,
    })
}

/// Tiles without any coast whose neighbors that have one all say that it is water.
fn open_sea(wanted: &HashSet<TileId>, shores: &BTreeMap<u64, [Option<bool>; 4]>) -> Vec<TileId> {
    let mut inland: BTreeSet<u64> = wanted.iter().copied().map(tile_key).collect();
    inland.retain(|it| !shores.contains_key(it));
    let mut sea = Vec::new();
    while let Some(first) = inland.pop_first() {
        let (mut open, mut region, mut said) = (vec![first], Vec::new(), BTreeSet::new());
        while let Some(key) = open.pop() {
            region.push(key_tile(key));
            for (side, beside) in neighbors(key) {
                if let Some(sides) = shores.get(&beside) {
                    said.insert(sides.get((side + 2) % 4).copied().flatten());
                } else if inland.remove(&beside) {
                    open.push(beside);
                }
            }
        }
        said.remove(&None);
        if said.into_iter().eq([Some(true)]) {
            sea.extend(region);
        }
    }
    sea
}

/// The tiles beside one, by the side on which they are: north, east, south, west.
fn neighbors(key: u64) -> impl Iterator<Item = (usize, u64)> {
    let TileId { x, y } = key_tile(key);
    let beside = [
        (Some(x), y.checked_sub(1)),
        (x.checked_add(1), Some(y)),
        (Some(x), y.checked_add(1)),
        (x.checked_sub(1), Some(y)),
    ];
    let tiles = beside
        .into_iter()
        .map(|(x, y)| Some(tile_key(TileId { x: x?, y: y? })));
    tiles.enumerate().filter_map(|(side, it)| Some((side, it?)))
}

/// The water of a tile.
#[derive(Debug, Default, PartialEq, Eq)]
struct Water {
    /// Its outlines and its islands, by the even-odd rule.
    rings: Vec<Vec<Point>>,
    /// True for each side (north, east, south, west) that has water along all of it, false for land; `None` if it has
    /// both, or nobody knows.
    sides: [Option<bool>; 4],
}

/// A line of the coast through a frame.
struct Shore {
    points: Vec<Point>,
    /// The points of the frame's border at which it enters and leaves, as distances along the border.
    enters: u64,
    leaves: u64,
}

impl Water {
    /// Builds a frame's water from the lines of a coast, cut at its border; `None` if they make none or contradict each
    /// other.
    fn within(pieces: Lines, frame: &Frame) -> Option<Self> {
        let (lines, islands) = joined(pieces)?;
        if lines.is_empty() && islands.is_empty() {
            return None;
        }
        let mut shores = Vec::new();
        for points in lines {
            shores.push(Shore {
                enters: along_border(*points.first()?, frame)?,
                leaves: along_border(*points.last()?, frame)?,
                points,
            });
        }
        // Along the border, clockwise, water begins where a line leaves and ends where the next one enters.
        let mut doors: Vec<(u64, bool)> = shores
            .iter()
            .flat_map(|it| [(it.enters, false), (it.leaves, true)])
            .collect();
        doors.sort_unstable();
        let mut next = doors.iter().cycle().skip(1);
        let is_possible = |(at, leaves): &(u64, bool)| {
            next.next()
                .is_some_and(|(next_at, next_leaves)| leaves != next_leaves && at != next_at)
        };
        if !doors.iter().all(is_possible) {
            return None;
        }
        let mut rings = outlines(shores, frame)?;
        // Lakes before what is in them, and islands only where there is water around.
        let mut islands: Vec<_> = islands
            .into_iter()
            .map(|it| (polygon(&it).signed_area(), it))
            .collect();
        islands.sort_by(|(a, _), (b, _)| b.abs().total_cmp(&a.abs()));
        let is_open = doors.is_empty() && islands.first().is_some_and(|(size, _)| *size < 0.0);
        if is_open {
            rings.push(corners(frame).to_vec());
        }
        for (size, ring) in islands {
            let is_in_water = is_within(*ring.first()?, &rings);
            if is_in_water == (size < 0.0) {
                rings.push(ring);
            }
        }
        let sides = std::array::from_fn(|side| {
            let [from, to] = side_range(side, frame);
            let is_touched = doors.iter().any(|(at, _)| (from..=to).contains(at))
                || (to == round(frame) && doors.first().is_some_and(|(at, _)| *at == 0));
            // The next door says it, and the first one after the last.
            let next = doors.iter().find(|(at, _)| to < *at).or(doors.first());
            (!is_touched).then(|| next.map_or(is_open, |(_, leaves)| !leaves))
        });
        Some(Self { rings, sides })
    }
}

type Lines = Vec<Vec<Point>>;

/// Lines from border to border, and rings, of pieces that follow each other; nothing if it is not clear which does.
fn joined(pieces: Lines) -> Option<(Lines, Lines)> {
    let mut starts = BTreeMap::new();
    for piece in pieces {
        if starts.insert(*piece.first()?, piece).is_some() {
            return None;
        }
    }
    let ends: HashSet<Point> = starts
        .values()
        .filter_map(|it| it.last().copied())
        .collect();
    if ends.len() != starts.len() {
        return None;
    }
    let firsts: Vec<Point> = starts
        .keys()
        .copied()
        .filter(|it| !ends.contains(it))
        .collect();
    let lines = firsts
        .into_iter()
        .map(|it| follow(vec![it], &mut starts))
        .collect();
    let mut rings = Vec::new();
    while let Some((_, line)) = starts.pop_first() {
        let mut ring = follow(line, &mut starts);
        ring.pop();
        rings.push(ring);
    }
    rings.retain(|it| it.len() > 2);
    Some((lines, rings))
}

fn follow(mut line: Vec<Point>, starts: &mut BTreeMap<Point, Vec<Point>>) -> Vec<Point> {
    while let Some(next) = line.last().and_then(|it| starts.remove(it)) {
        line.extend(next.into_iter().skip(1));
    }
    line
}

/// Closes the lines of a coast along a frame's border, clockwise.
fn outlines(shores: Vec<Shore>, frame: &Frame) -> Option<Vec<Vec<Point>>> {
    let mut by_entry: BTreeMap<u64, Shore> = shores.into_iter().map(|it| (it.enters, it)).collect();
    let mut rings = Vec::new();
    while let Some((entry, first)) = by_entry.pop_first() {
        let mut ring = first.points;
        let mut at = first.leaves;
        loop {
            let next = by_entry.range(at..).next().or(by_entry.first_key_value());
            let next = next.map(|(it, _)| *it);
            let is_closed =
                next.is_none_or(|it| clockwise(at, entry, frame) < clockwise(at, it, frame));
            let to = if is_closed { entry } else { next? };
            ring.extend(corners_between(at, to, frame));
            if is_closed {
                break;
            }
            let shore = by_entry.remove(&to)?;
            ring.extend(shore.points);
            at = shore.leaves;
        }
        rings.push(ring);
    }
    Some(rings)
}

/// The corners, clockwise from the north-west.
fn corners(frame: &Frame) -> [Point; 4] {
    let Frame { from, to } = *frame;
    [
        from,
        Point { x: to.x, ..from },
        to,
        Point { y: to.y, ..from },
    ]
}

fn sizes(frame: &Frame) -> (u64, u64) {
    let Frame { from, to } = frame;
    (u64::from(to.x - from.x), u64::from(to.y - from.y))
}

/// Steps around a frame.
fn round(frame: &Frame) -> u64 {
    let (width, height) = sizes(frame);
    2 * (width + height)
}

/// How many steps clockwise from the north-west corner a side begins and ends.
fn side_range(side: usize, frame: &Frame) -> [u64; 2] {
    let (width, height) = sizes(frame);
    let ends = [0, width, width + height, 2 * width + height, round(frame)];
    [side, side + 1].map(|it| ends.get(it).copied().unwrap_or_default())
}

/// How many steps clockwise from the north-west corner a point of a frame's border is; none for one that is not on it.
fn along_border(at: Point, frame: &Frame) -> Option<u64> {
    let Frame { from, to } = *frame;
    let (width, height) = sizes(frame);
    if at.y == from.y {
        Some(u64::from(at.x - from.x))
    } else if at.x == to.x {
        Some(width + u64::from(at.y - from.y))
    } else if at.y == to.y {
        Some(width + height + u64::from(to.x - at.x))
    } else if at.x == from.x {
        Some(2 * width + height + u64::from(to.y - at.y))
    } else {
        None
    }
}

/// Steps clockwise along a border.
fn clockwise(from: u64, to: u64, frame: &Frame) -> u64 {
    if from <= to {
        to - from
    } else {
        round(frame) - from + to
    }
}

fn corners_between(from: u64, to: u64, frame: &Frame) -> impl Iterator<Item = Point> {
    let far = clockwise(from, to, frame);
    let all = corners(frame).into_iter().enumerate();
    let mut passed: Vec<(u64, Point)> = all
        .map(|(side, it)| (clockwise(from, side_range(side, frame)[0], frame), it))
        .filter(|(it, _)| 0 < *it && *it < far)
        .collect();
    passed.sort_unstable();
    passed.into_iter().map(|(_, it)| it)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame {
        from: Point { x: 1000, y: 1000 },
        to: Point { x: 2000, y: 2000 },
    };

    fn line(points: &[(u32, u32)]) -> Vec<Point> {
        points.iter().map(|(x, y)| Point { x: *x, y: *y }).collect()
    }

    /// Square steps of water, and what the sides say.
    fn water(coast: &[&[(u32, u32)]]) -> Option<(i64, [Option<bool>; 4])> {
        let pieces = coast.iter().flat_map(|it| lines_within(&line(it), &FRAME));
        let water = Water::within(pieces.collect(), &FRAME)?;
        let sizes = water
            .rings
            .iter()
            .map(|it| polygon(it).signed_area() as i64);
        Some((sizes.sum(), water.sides))
    }

    const WET: Option<bool> = Some(true);
    const DRY: Option<bool> = Some(false);

    #[test]
    fn water_is_on_the_right_of_its_coast() {
        for (coast, size, sides) in [
            // To the east, to the west, and around corners.
            (
                &[(900, 1400), (2100, 1400)],
                600_000,
                [DRY, None, WET, None],
            ),
            (
                &[(2100, 1400), (900, 1400)],
                400_000,
                [WET, None, DRY, None],
            ),
            (
                &[(1500, 900), (1500, 2100)],
                500_000,
                [None, DRY, None, WET],
            ),
            (
                &[(1500, 2100), (1500, 900)],
                500_000,
                [None, WET, None, DRY],
            ),
            (&[(1400, 900), (900, 1400)], 45_000, [None, DRY, DRY, None]),
            (&[(900, 1400), (1400, 900)], 955_000, [None, WET, WET, None]),
        ] {
            assert_eq!(water(&[coast]), Some((size, sides)), "{coast:?}");
        }
    }

    #[test]
    fn several_lines_share_the_border() {
        let strait = [
            &[(900, 1200), (2100, 1200)][..],
            &[(2100, 1700), (900, 1700)],
        ];
        assert_eq!(water(&strait), Some((500_000, [DRY, None, DRY, None])));
        let tongue = [
            &[(2100, 1200), (900, 1200)][..],
            &[(900, 1700), (2100, 1700)],
        ];
        assert_eq!(water(&tongue), Some((500_000, [WET, None, WET, None])));
        let parts = [
            &[(1300, 1400), (2100, 1400)][..],
            &[(900, 1400), (1300, 1400)],
        ];
        assert_eq!(water(&parts), Some((600_000, [DRY, None, WET, None])));
    }

    #[test]
    fn rings_are_islands_or_lakes() {
        let island = [
            (1200, 1200),
            (1200, 1300),
            (1300, 1300),
            (1300, 1200),
            (1200, 1200),
        ];
        let lake = [
            (1100, 1100),
            (1500, 1100),
            (1500, 1500),
            (1100, 1500),
            (1100, 1100),
        ];
        assert_eq!(water(&[&island]), Some((1_000_000 - 10_000, [WET; 4])));
        assert_eq!(water(&[&lake]), Some((160_000, [DRY; 4])));
        assert_eq!(water(&[&lake, &island]), Some((150_000, [DRY; 4])));
        let beach: &[(u32, u32)] = &[(900, 1400), (2100, 1400)];
        let sides = [DRY, None, WET, None];
        assert_eq!(
            water(&[&island, beach]),
            Some((600_000, sides)),
            "an island on land is none"
        );
    }

    #[test]
    fn what_cannot_be_is_no_water() {
        for coast in [
            // It ends on the way, another leads the same way, two begin at one point.
            &[&[(900, 1400), (1500, 1400)][..]][..],
            &[&[(900, 1400), (2100, 1400)], &[(900, 1600), (2100, 1600)]],
            &[&[(1500, 1500), (2100, 1400)], &[(1500, 1500), (2100, 1600)]],
        ] {
            assert_eq!(water(coast), None, "{coast:?}");
        }
    }

    #[test]
    fn the_sea_is_open_where_all_neighbors_say_so() {
        let tile = |x, y| TileId { x, y };
        let wanted: HashSet<TileId> = (0..4)
            .flat_map(|x| (0..3).map(move |y| tile(x, y)))
            .collect();
        let shores = |last| {
            BTreeMap::from([
                (tile_key(tile(0, 1)), [DRY, None, WET, None]),
                (tile_key(tile(1, 1)), [DRY, None, WET, None]),
                (tile_key(tile(2, 1)), [DRY, None, WET, None]),
                (tile_key(tile(3, 1)), [DRY, None, last, None]),
            ])
        };
        let mut sea = open_sea(&wanted, &shores(WET));
        sea.sort();
        assert_eq!(sea, [tile(0, 2), tile(1, 2), tile(2, 2), tile(3, 2)]);
        assert_eq!(open_sea(&wanted, &shores(None)).len(), 4);
        assert_eq!(open_sea(&wanted, &shores(DRY)), []);
    }
}
