//! Owns where the points of ways lie: each way asks for its points, the file's nodes answer, in whatever order they come.
//! Points on which people walk get places of their own here, so that from here on a place says which point it is.

use std::collections::{HashMap, HashSet};
use std::io::Result;
use std::path::Path;

use walkies_core::map::{Crossing, Point, TILE_BITS, TileId};

use super::deck::Deck;
use super::record::Reader;
use super::spool::{Sorted, Sorter};

/// Marks of a node that matter to walkers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeMarks {
    /// The crossing that the node is, if any.
    pub crossing: Crossing,
    /// True if nobody gets past the node, as at a closed gate.
    pub blocks: bool,
}

/// A point of a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vertex {
    /// The place in steps of the map, in or beside the tile.
    pub at: Point,
    /// The crossing of a street at this point, if any.
    pub crossing: Crossing,
    /// The deck of a bridge or tunnel that carries it, if it does not lie on the ground.
    pub deck: Option<Deck>,
}

/// Takes questions and answers.
pub struct Places {
    nodes: Sorter,
    questions: Sorter,
}

impl Places {
    /// Without any yet; its files lie in this folder.
    pub fn new(folder: &Path) -> Self {
        Self {
            nodes: Sorter::new(folder),
            questions: Sorter::new(folder),
        }
    }

    /// A node of the file. Of those with the same number the last one holds.
    pub fn answer(&mut self, node: i64, at: Point, marks: NodeMarks) -> Result<()> {
        let mut record = [0; 9];
        let marks = marks.crossing as u8 | u8::from(marks.blocks) << 2;
        write(
            &mut record,
            &[&at.x.to_le_bytes(), &at.y.to_le_bytes(), &[marks]],
        );
        self.nodes.push(key(node), &record)
    }

    /// Asks where a way has its point with this index; `walked` if people may walk there.
    pub fn ask(&mut self, node: i64, way: u32, index: u32, walked: bool) -> Result<()> {
        let mut record = [0; 9];
        write(
            &mut record,
            &[&way.to_le_bytes(), &index.to_le_bytes(), &[walked.into()]],
        );
        self.questions.push(key(node), &record)
    }

    /// Brings both together.
    pub fn locate(self, folder: &Path) -> Result<Located> {
        let mut nodes = self.nodes.finish()?;
        let mut questions = self.questions.finish()?;
        let mut answers = Sorter::new(folder);
        let mut walked_places = Sorter::new(folder);
        let (mut node, mut question) = (Vec::new(), Vec::new());
        while let Some(wanted) = questions.next_key() {
            let mut found = false;
            while nodes.next_key().is_some_and(|it| it <= wanted) {
                found = nodes.next(&mut node)? == Some(wanted);
            }
            let mut first_walk = true;
            while questions.next_key() == Some(wanted) {
                questions.next(&mut question)?;
                if !found {
                    continue;
                }
                let mut reader = Reader(&question);
                let (way, index) = (le_u32(&mut reader)?, le_u32(&mut reader)?);
                let walked = reader.byte()? != 0;
                let mut answer = node.clone();
                answer.extend(wanted.to_le_bytes());
                answers.push(u64::from(way) << 32 | u64::from(index), &answer)?;
                let answer = LocatedNode::read(&answer)?;
                if !walked {
                    continue;
                }
                if answer.marks.blocks {
                    for side in [Side::Before, Side::After] {
                        let owner = Owner::End { way, index, side };
                        walked_places.push(place_key(answer.at), &owner.bytes())?;
                    }
                } else if first_walk {
                    first_walk = false;
                    walked_places.push(place_key(answer.at), &Owner::Node(wanted).bytes())?;
                }
            }
        }
        Ok(Located {
            moved: spread(walked_places.finish()?)?,
            answers: answers.finish()?,
            record: Vec::new(),
        })
    }
}

/// The points of the ways, in the order of the ways' numbers.
pub struct Located {
    answers: Sorted,
    /// Those that had to give way to another on the same place.
    moved: HashMap<Owner, Point>,
    record: Vec<u8>,
}

/// The points of a way, where they are known.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// Its pieces: one, unless the place of a point is missing or a point cannot be passed.
    pub pieces: Vec<Vec<Vertex>>,
    /// Points of which the extract does not know the place.
    pub missing: u32,
}

impl Located {
    /// Returns the course of the way with this number; numbers must rise from call to call. `walked` as in the
    /// questions.
    pub fn course(&mut self, way: u32, n_points: u32, walked: bool) -> Result<Course> {
        let mut course = Course {
            pieces: Vec::new(),
            missing: n_points,
        };
        let mut piece: Vec<Vertex> = Vec::new();
        let mut expected = 0;
        while let Some(key) = self
            .answers
            .next_key()
            .filter(|key| (key >> 32) as u32 == way)
        {
            self.answers.next(&mut self.record)?;
            let answer = LocatedNode::read(&self.record)?;
            let index = key as u32;
            if index != expected {
                course.pieces.push(std::mem::take(&mut piece));
            }
            expected = index + 1;
            course.missing = course.missing.saturating_sub(1);
            let push = |owner, piece: &mut Vec<Vertex>| {
                let at = if walked {
                    self.moved.get(&owner).copied().unwrap_or(answer.at)
                } else {
                    answer.at
                };
                if piece.last().is_none_or(|it| it.at != at) {
                    piece.push(Vertex {
                        at,
                        crossing: answer.marks.crossing,
                        deck: None,
                    });
                }
            };
            if walked && answer.marks.blocks {
                push(
                    Owner::End {
                        way,
                        index,
                        side: Side::Before,
                    },
                    &mut piece,
                );
                course.pieces.push(std::mem::take(&mut piece));
                push(
                    Owner::End {
                        way,
                        index,
                        side: Side::After,
                    },
                    &mut piece,
                );
            } else {
                push(Owner::Node(answer.node), &mut piece);
            }
        }
        course.pieces.push(piece);
        course.pieces.retain(|it| it.len() > 1);
        Ok(course)
    }
}

/// Whose place it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner {
    /// A node's, by its sorting key.
    Node(u64),
    /// That of a way's end where nobody gets further: such ends must not meet.
    End { way: u32, index: u32, side: Side },
}

/// On which side of a barrier a way ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Side {
    Before,
    After,
}

impl Owner {
    fn bytes(self) -> [u8; 10] {
        let mut bytes = [0; 10];
        match self {
            Self::Node(node) => write(&mut bytes, &[&[0], &node.to_le_bytes()]),
            Self::End { way, index, side } => {
                let side = u8::from(side == Side::After);
                write(
                    &mut bytes,
                    &[&[1], &way.to_le_bytes(), &index.to_le_bytes(), &[side]],
                );
            }
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Self> {
        let mut reader = Reader(bytes);
        Ok(match reader.byte()? {
            0 => Self::Node(le_u64(&mut reader)?),
            _ => Self::End {
                way: le_u32(&mut reader)?,
                index: le_u32(&mut reader)?,
                side: if reader.byte()? == 0 {
                    Side::Before
                } else {
                    Side::After
                },
            },
        })
    }
}

/// Gives each walked point a place of its own, as near as possible and in the same tile.
/// Two that lie on the same step of the map are rare: a bridge's and the street's below, or the two sides of a gate.
fn spread(mut places: Sorted) -> Result<HashMap<Owner, Point>> {
    let mut moved = HashMap::new();
    let mut record = Vec::new();
    let mut tile: Vec<(u64, Owner)> = Vec::new();
    loop {
        let next = places.next(&mut record)?;
        let same_tile = tile
            .last()
            .zip(next)
            .is_some_and(|((last, _), next)| last >> (2 * TILE_BITS) == next >> (2 * TILE_BITS));
        if !same_tile {
            spread_in_tile(&tile, &mut moved);
            tile.clear();
        }
        let Some(key) = next else {
            return Ok(moved);
        };
        tile.push((key, Owner::read(&record)?));
    }
}

fn spread_in_tile(places: &[(u64, Owner)], moved: &mut HashMap<Owner, Point>) {
    let mut taken = HashSet::new();
    let mut late = Vec::new();
    // Nodes first, so that only the ends at barriers move where both meet.
    let (nodes, ends): (Vec<_>, Vec<_>) = places
        .iter()
        .partition(|(_, owner)| matches!(owner, Owner::Node(_)));
    for (key, owner) in nodes.into_iter().chain(ends) {
        if !taken.insert(key) {
            late.push((key, owner));
        }
    }
    for (key, owner) in late {
        let at = key_place(key);
        let free = near(at).find(|it| it.tile() == at.tile() && taken.insert(place_key(*it)));
        moved.insert(owner, free.unwrap_or(at));
    }
}

/// The points around one, nearest square first.
fn near(at: Point) -> impl Iterator<Item = Point> {
    (1..1_i64 << TILE_BITS).flat_map(move |radius| {
        (-radius..=radius).flat_map(move |dy| {
            let step = if dy.abs() == radius {
                1
            } else {
                2 * radius as usize
            };
            (-radius..=radius).step_by(step).filter_map(move |dx| {
                let x = u32::try_from(i64::from(at.x) + dx).ok()?;
                let y = u32::try_from(i64::from(at.y) + dy).ok()?;
                Some(Point { x, y })
            })
        })
    })
}

/// A node's number as a sorting key; numbers may be negative.
fn key(node: i64) -> u64 {
    node as u64 ^ 1 << 63
}

/// Row and column of the tile, then those within it.
fn place_key(at: Point) -> u64 {
    let mask = (1 << TILE_BITS) - 1;
    let tile = u64::from(at.y >> TILE_BITS) << TILE_BITS | u64::from(at.x >> TILE_BITS);
    let within = u64::from(at.y & mask) << TILE_BITS | u64::from(at.x & mask);
    tile << (2 * TILE_BITS) | within
}

fn key_place(key: u64) -> Point {
    let mask = (1 << TILE_BITS) - 1;
    let part = |shift: u32| (key >> shift) as u32 & mask;
    let corner = TileId {
        x: part(2 * TILE_BITS),
        y: part(3 * TILE_BITS),
    }
    .corner();
    Point {
        x: corner.x + part(0),
        y: corner.y + part(TILE_BITS),
    }
}

struct LocatedNode {
    at: Point,
    marks: NodeMarks,
    node: u64,
}

impl LocatedNode {
    fn read(record: &[u8]) -> Result<Self> {
        let mut reader = Reader(record);
        let at = Point {
            x: le_u32(&mut reader)?,
            y: le_u32(&mut reader)?,
        };
        let marks = reader.byte()?;
        let crossing = Crossing::of(marks & 3).unwrap_or(Crossing::None);
        Ok(Self {
            at,
            marks: NodeMarks {
                crossing,
                blocks: marks >> 2 == 1,
            },
            node: le_u64(&mut reader)?,
        })
    }
}

/// Lays bytes one after the other.
fn write(record: &mut [u8], parts: &[&[u8]]) {
    for (slot, byte) in record.iter_mut().zip(parts.iter().flat_map(|it| it.iter())) {
        *slot = *byte;
    }
}

fn le_u32(reader: &mut Reader) -> Result<u32> {
    let bytes = reader.take(4)?;
    Ok(bytes
        .iter()
        .rev()
        .fold(0, |sum, byte| sum << 8 | u32::from(*byte)))
}

fn le_u64(reader: &mut Reader) -> Result<u64> {
    let low = le_u32(reader)?;
    Ok(u64::from(le_u32(reader)?) << 32 | u64::from(low))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_places_belong_together() {
        for at in [
            Point { x: 0, y: 0 },
            Point {
                x: 38_203_456,
                y: 19_425_111,
            },
            Point {
                x: (1 << 26) - 1,
                y: (1 << 26) - 1,
            },
        ] {
            assert_eq!(key_place(place_key(at)), at);
        }
        assert!(key(-5) < key(-4) && key(-1) < key(0) && key(0) < key(7));
    }

    #[test]
    fn two_nodes_on_one_place_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let mut places = Places::new(folder.path());
        let at = Point { x: 1000, y: 2000 };
        let marks = NodeMarks {
            crossing: Crossing::None,
            blocks: false,
        };
        for (node, x) in [(5, 1000), (-3, 1000), (9, 1010)] {
            places.answer(node, Point { x, ..at }, marks).unwrap();
        }
        for (way, nodes) in [(0, [5, 9]), (1, [-3, 9])] {
            for (index, node) in (0..).zip(nodes) {
                places.ask(node, way, index, true).unwrap();
            }
        }
        let mut located = places.locate(folder.path()).unwrap();
        let mut first = |way| located.course(way, 2, true).unwrap().pieces[0].clone();
        let (a, b) = (first(0), first(1));
        assert_ne!(a[0].at, b[0].at);
        assert!(a[0].at.distance_m(b[0].at) < 2.0);
        assert_eq!(a[1], b[1]);
    }

    #[test]
    fn a_way_is_cut_where_nobody_gets_past_and_where_points_are_missing() {
        let folder = tempfile::tempdir().unwrap();
        let mut places = Places::new(folder.path());
        for node in [1, 2, 3, 4, 6, 7] {
            let marks = NodeMarks {
                crossing: Crossing::None,
                blocks: node == 3,
            };
            places
                .answer(
                    node,
                    Point {
                        x: node as u32 * 100,
                        y: 50,
                    },
                    marks,
                )
                .unwrap();
        }
        for (index, node) in (0..).zip(1..=7) {
            places.ask(node, 4, index, true).unwrap();
        }
        let course = places
            .locate(folder.path())
            .unwrap()
            .course(4, 7, true)
            .unwrap();
        assert_eq!(course.missing, 1);
        let lengths: Vec<_> = course.pieces.iter().map(Vec::len).collect();
        assert_eq!(lengths, [3, 2, 2]);
        assert_ne!(course.pieces[0][2].at, course.pieces[1][0].at);
    }
}
