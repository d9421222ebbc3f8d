//! Owns the bytes of a walk's log. Stored on phones. Only add tags; never change or reuse one.
//!
//! A chunk is the version byte and then records; chunks are joined by reading one after another. A record is a tag and its
//! fields, little-endian: `at` 6 bytes of milliseconds since 1970, `lat`, `lon` 4 bytes each of ten-millionths of a degree,
//! `accuracy` 2 bytes of decimeters, `altitude` 2 bytes of decimeters. Tags from 0x80 have a 2-byte length after the tag, so
//! that a reader can pass over what it does not know. A fix takes 17 bytes, 19 with its height. What is cut off at the end of
//! a chunk is a record that was never acknowledged, and is left out.

use uuid::Uuid;

use crate::Id;
use crate::values::place::Place;
use crate::values::report_kind::ReportKind;
use crate::values::walk_event::WalkEventKind;
use crate::walk::entry::{Entry, Fix};

/// The first byte of every chunk.
pub const FORMAT_VERSION: u8 = 1;

const FIX: u8 = 0x01;
const FIX_WITH_ALTITUDE: u8 = 0x02;
const STARTED: u8 = 0x80;
const PAUSED: u8 = 0x81;
const RESUMED: u8 = 0x82;
const INTERRUPTED: u8 = 0x83;
const EVENT: u8 = 0x84;
const EVENT_REMOVED: u8 = 0x85;
const EMERGENCY: u8 = 0x86;
const EMERGENCY_CANCELLED: u8 = 0x87;
const ENDED: u8 = 0x88;
/// A tag of its own, since an event's note takes the rest of its record: a reader that does not know it reads the event
/// all the same.
const EVENT_DOGS: u8 = 0x89;
/// The limit takes 4 bytes of milliseconds.
const GAP_LIMIT: u8 = 0x8A;
const EMERGENCY_OVER: u8 = 0x8B;
/// The occasion takes a byte.
const KIND: u8 = 0x8C;
/// A byte: 1 where positions are taken, 0 where they are not.
const POSITIONS: u8 = 0x8D;

/// Returns the bytes that every new chunk begins with.
pub fn log_header() -> Vec<u8> {
    vec![FORMAT_VERSION]
}

/// Appends one entry's record.
pub fn encode(entry: &Entry, bytes: &mut Vec<u8>) {
    match entry {
        Entry::Fix(fix) => {
            bytes.push(if fix.altitude_dm.is_some() {
                FIX_WITH_ALTITUDE
            } else {
                FIX
            });
            put_time(fix.at, bytes);
            bytes.extend(fix.place.lat_e7.to_le_bytes());
            bytes.extend(fix.place.lon_e7.to_le_bytes());
            bytes.extend(fix.accuracy_dm.to_le_bytes());
            bytes.extend(fix.altitude_dm.iter().flat_map(|it| it.to_le_bytes()));
        }
        Entry::Started { at } => put_long(STARTED, *at, &[], bytes),
        Entry::Paused { at } => put_long(PAUSED, *at, &[], bytes),
        Entry::Resumed { at } => put_long(RESUMED, *at, &[], bytes),
        Entry::Interrupted { at } => put_long(INTERRUPTED, *at, &[], bytes),
        Entry::Event { at, id, kind, note } => {
            put_long(
                EVENT,
                *at,
                &[id.0.as_bytes(), &[kind.code()], note.as_bytes()],
                bytes,
            );
        }
        Entry::EventDogs { at, id, dog_ids } => {
            let dogs: Vec<u8> = dog_ids.iter().flat_map(|it| *it.0.as_bytes()).collect();
            put_long(EVENT_DOGS, *at, &[id.0.as_bytes(), &dogs], bytes);
        }
        Entry::EventRemoved { at, id } => put_long(EVENT_REMOVED, *at, &[id.0.as_bytes()], bytes),
        Entry::Emergency { at, id } => put_long(EMERGENCY, *at, &[id.0.as_bytes()], bytes),
        Entry::EmergencyCancelled { at } => put_long(EMERGENCY_CANCELLED, *at, &[], bytes),
        Entry::EmergencyOver { at } => put_long(EMERGENCY_OVER, *at, &[], bytes),
        Entry::Ended { at } => put_long(ENDED, *at, &[], bytes),
        Entry::GapLimit { at, limit_ms } => {
            put_long(GAP_LIMIT, *at, &[&limit_ms.to_le_bytes()], bytes);
        }
        Entry::Kind { at, kind } => put_long(KIND, *at, &[&[kind.code()]], bytes),
        Entry::Positions { at, taken } => {
            put_long(POSITIONS, *at, &[&[u8::from(*taken)]], bytes);
        }
    }
}

/// The entries of one chunk, as far as they are whole; none of a chunk in a format that is not known.
pub fn decode(chunk: &[u8]) -> Vec<Entry> {
    let mut entries = Vec::new();
    let Some((&FORMAT_VERSION, rest)) = chunk.split_first() else {
        return entries;
    };
    let mut reader = RecordReader(rest);
    while let Some(record) = reader.record() {
        entries.extend(record);
    }
    entries
}

/// Reader of a chunk or a record; holds the bytes that are not read yet.
struct RecordReader<'a>(&'a [u8]);

impl<'a> RecordReader<'a> {
    /// `None` at the end or at a cut; `Some(None)` for a record of a kind that is not known.
    fn record(&mut self) -> Option<Option<Entry>> {
        let tag = self.byte()?;
        if tag < STARTED {
            return self.fix(tag).map(Some);
        }
        let length = usize::from(u16::from_le_bytes(self.array()?));
        Some(RecordReader(self.take(length)?).long(tag))
    }

    fn fix(&mut self, tag: u8) -> Option<Entry> {
        let at = self.time()?;
        let place = Place {
            lat_e7: i32::from_le_bytes(self.array()?),
            lon_e7: i32::from_le_bytes(self.array()?),
        };
        let accuracy_dm = u16::from_le_bytes(self.array()?);
        let altitude_dm = match tag {
            FIX => None,
            FIX_WITH_ALTITUDE => Some(i16::from_le_bytes(self.array()?)),
            // A short record of an unknown length: nothing after it can be read.
            _ => return None,
        };
        Some(Entry::Fix(Fix {
            at,
            place,
            accuracy_dm,
            altitude_dm,
        }))
    }

    fn long(mut self, tag: u8) -> Option<Entry> {
        let at = self.time()?;
        Some(match tag {
            STARTED => Entry::Started { at },
            PAUSED => Entry::Paused { at },
            RESUMED => Entry::Resumed { at },
            INTERRUPTED => Entry::Interrupted { at },
            EVENT => Entry::Event {
                at,
                id: self.id()?,
                kind: WalkEventKind::of_code(self.byte()?)?,
                note: String::from_utf8_lossy(self.0).into_owned(),
            },
            EVENT_DOGS => Entry::EventDogs {
                at,
                id: self.id()?,
                dog_ids: std::iter::from_fn(|| self.id()).collect(),
            },
            EVENT_REMOVED => Entry::EventRemoved { at, id: self.id()? },
            EMERGENCY => Entry::Emergency { at, id: self.id()? },
            EMERGENCY_CANCELLED => Entry::EmergencyCancelled { at },
            EMERGENCY_OVER => Entry::EmergencyOver { at },
            ENDED => Entry::Ended { at },
            GAP_LIMIT => Entry::GapLimit {
                at,
                limit_ms: u32::from_le_bytes(self.array()?),
            },
            KIND => Entry::Kind {
                at,
                kind: ReportKind::of_code(self.byte()?)?,
            },
            POSITIONS => Entry::Positions {
                at,
                taken: self.byte()? != 0,
            },
            _ => return None,
        })
    }

    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn byte(&mut self) -> Option<u8> {
        self.array().map(|[byte]| byte)
    }

    fn time(&mut self) -> Option<i64> {
        let [a, b, c, d, e, f] = self.array()?;
        Some(i64::from_le_bytes([a, b, c, d, e, f, 0, 0]))
    }

    fn id(&mut self) -> Option<Id> {
        self.array().map(|it| Id(Uuid::from_bytes(it)))
    }
}

fn put_time(at: i64, bytes: &mut Vec<u8>) {
    let [a, b, c, d, e, f, ..] = at.clamp(0, (1 << 48) - 1).to_le_bytes();
    bytes.extend([a, b, c, d, e, f]);
}

fn put_long(tag: u8, at: i64, fields: &[&[u8]], bytes: &mut Vec<u8>) {
    let length = 6 + fields.iter().map(|it| it.len()).sum::<usize>();
    bytes.push(tag);
    bytes.extend(u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
    put_time(at, bytes);
    for field in fields {
        bytes.extend_from_slice(field);
    }
}
