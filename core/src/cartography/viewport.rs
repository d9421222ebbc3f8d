//! Owns the way from the map's steps to the px of a sheet, and cutting what lies beyond its border.

use crate::map::Point;

/// Zoom at which a step of the map is a px.
const STEP_ZOOM: i32 = 18;

/// A point in px, to the right and down.
pub(super) type Px = (f64, f64);

/// Px per step of the map at a zoom.
pub(super) fn scale(zoom: u32) -> f64 {
    2.0_f64.powi(zoom as i32 - STEP_ZOOM)
}

/// A rectangle in steps of the map, both ends within.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) west: u32,
    pub(super) north: u32,
    pub(super) east: u32,
    pub(super) south: u32,
}

impl Bounds {
    /// Around points; of none, a rectangle that touches nothing.
    pub(super) fn of<'a>(points: impl IntoIterator<Item = &'a Point>) -> Self {
        let nothing = Self {
            west: u32::MAX,
            north: u32::MAX,
            east: 0,
            south: 0,
        };
        points.into_iter().fold(nothing, |it, point| Self {
            west: it.west.min(point.x),
            north: it.north.min(point.y),
            east: it.east.max(point.x),
            south: it.south.max(point.y),
        })
    }

    /// Returns true if the two rectangles have a point in common.
    pub(super) fn touches(&self, other: &Self) -> bool {
        self.west <= other.east
            && other.west <= self.east
            && self.north <= other.south
            && other.north <= self.south
    }

    /// The longer of its sides in steps.
    pub(super) fn span(&self) -> u32 {
        let width = self.east.saturating_sub(self.west);
        width.max(self.south.saturating_sub(self.north))
    }
}

/// The part of the map that a sheet shows, in px of its zoom from the north-west corner of the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewport {
    scale: f64,
    left: f64,
    top: f64,
    side: f64,
    margin: f64,
}

impl Viewport {
    /// Creates the viewport of a sheet of `side` px whose corner is so many px from the world's, with a margin around
    /// it in which lines still count.
    pub(super) fn new(zoom: u32, (left, top): Px, side: f64, margin: f64) -> Self {
        Self {
            scale: scale(zoom),
            left,
            top,
            side,
            margin,
        }
    }

    /// On the sheet.
    pub(super) fn px(&self, point: Point) -> Px {
        (
            f64::from(point.x) * self.scale - self.left,
            f64::from(point.y) * self.scale - self.top,
        )
    }

    /// The part of the map that is on the sheet or in its margin.
    pub(super) fn bounds(&self) -> Bounds {
        let from = |at: f64| ((at - self.margin) / self.scale).floor().max(0.0) as u32;
        let to = |at: f64| {
            ((at + self.side + self.margin) / self.scale)
                .ceil()
                .max(0.0) as u32
        };
        Bounds {
            west: from(self.left),
            north: from(self.top),
            east: to(self.left),
            south: to(self.top),
        }
    }

    /// The parts of a line within sheet and margin.
    pub(super) fn cut_line(&self, line: &[Px]) -> Vec<Vec<Px>> {
        let mut parts: Vec<Vec<Px>> = Vec::new();
        let mut goes_on = false;
        for pair in line.windows(2) {
            let [from, to] = pair else { continue };
            let Some((start, end)) = self.cut(*from, *to) else {
                goes_on = false;
                continue;
            };
            match parts.last_mut() {
                Some(part) if goes_on => part.push(end),
                _ => parts.push(vec![start, end]),
            }
            goes_on = end == *to;
        }
        parts
    }

    /// The part of a stretch within sheet and margin (Liang and Barsky).
    fn cut(&self, from: Px, to: Px) -> Option<(Px, Px)> {
        let (low, high) = (-self.margin, self.side + self.margin);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        for (direction, room) in [
            (-dx, from.0 - low),
            (dx, high - from.0),
            (-dy, from.1 - low),
            (dy, high - from.1),
        ] {
            if direction == 0.0 {
                if room < 0.0 {
                    return None;
                }
            } else if direction < 0.0 {
                enters = enters.max(room / direction);
            } else {
                leaves = leaves.min(room / direction);
            }
        }
        let at = |share: f64| (from.0 + share * dx, from.1 + share * dy);
        (enters <= leaves).then(|| {
            (
                if enters > 0.0 { at(enters) } else { from },
                if leaves < 1.0 { at(leaves) } else { to },
            )
        })
    }

    /// The part of an area's ring within sheet and margin (Sutherland and Hodgman); edges along the border may lie upon each
    /// other, which no filling shows.
    pub(super) fn cut_ring(&self, ring: &[Px]) -> Vec<Px> {
        let (low, high) = (-self.margin, self.side + self.margin);
        let mut ring = ring.to_vec();
        // How far inside of each of the four borders a point is.
        let borders: [fn(Px, f64, f64) -> f64; 4] = [
            |it, low, _| it.0 - low,
            |it, _, high| high - it.0,
            |it, low, _| it.1 - low,
            |it, _, high| high - it.1,
        ];
        for inside in borders {
            let inside = |it: Px| inside(it, low, high);
            if ring.iter().all(|it| inside(*it) >= 0.0) {
                continue;
            }
            let mut cut = Vec::with_capacity(ring.len());
            let Some(mut from) = ring.last().copied() else {
                return ring;
            };
            for to in ring {
                let (there, here) = (inside(from), inside(to));
                if (there >= 0.0) != (here >= 0.0) {
                    let share = there / (there - here);
                    cut.push((
                        from.0 + share * (to.0 - from.0),
                        from.1 + share * (to.1 - from.1),
                    ));
                }
                if here >= 0.0 {
                    cut.push(to);
                }
                from = to;
            }
            ring = cut;
        }
        ring
    }
}

/// Leaves out points that are less than `px` from the last one that was taken; the ends stay.
pub(super) fn thin(line: impl Iterator<Item = Px>, px: f64) -> Vec<Px> {
    let mut taken: Vec<Px> = Vec::new();
    let mut left_out = None;
    for point in line {
        let is_near = taken
            .last()
            .is_some_and(|it| (it.0 - point.0).abs() < px && (it.1 - point.1).abs() < px);
        if is_near {
            left_out = Some(point);
        } else {
            taken.push(point);
            left_out = None;
        }
    }
    if let Some(end) = left_out {
        if taken.len() > 1 {
            taken.pop();
        }
        taken.push(end);
    }
    taken
}

/// Twice the area of a ring; its sign tells which way round it goes.
pub(super) fn area(ring: &[Px]) -> f64 {
    let Some(mut from) = ring.last().copied() else {
        return 0.0;
    };
    let mut sum = 0.0;
    for to in ring {
        sum += from.0 * to.1 - to.0 * from.1;
        from = *to;
    }
    sum
}
