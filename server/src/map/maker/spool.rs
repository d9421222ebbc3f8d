//! Owns sorting what does not fit into memory: records go in with a key, in any order, and come out by key.
//! What has the same key keeps its order, so that the same extract always gives the same tiles.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::record::{Reader, broken, put};
use crate::limits::disk::{Folders, FreeSpace as _};

/// Bytes that a sorter holds before it writes them to its file.
const HELD_BYTES: usize = 12 << 20;

/// Bytes that are read at once from each sorted run. There is one run for each 12 MiB.
const CHUNK_BYTES: usize = 64 << 10;

/// Takes records in any order, and sorts them by key.
pub struct Sorter {
    folder: PathBuf,
    /// One entry for each record in memory: its key, and where it begins and ends in `bytes`.
    index: Vec<(u64, u32, u32)>,
    bytes: Vec<u8>,
    file: Option<File>,
    runs: Vec<Run>,
    written: u64,
}

/// A part of the file whose records are sorted.
struct Run {
    next: u64,
    end: u64,
    chunk: Vec<u8>,
    /// How much of `chunk` is used up.
    used: usize,
}

impl Sorter {
    /// An empty one, with its file in this folder if it needs one.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            index: Vec::new(),
            bytes: Vec::new(),
            file: None,
            runs: Vec::new(),
            written: 0,
        }
    }

    /// Takes a record.
    pub fn push(&mut self, key: u64, record: &[u8]) -> Result<()> {
        let start = self.bytes.len() as u32;
        self.bytes.extend(record);
        self.index.push((key, start, self.bytes.len() as u32));
        if self.bytes.len() + self.index.len() * size_of::<(u64, u32, u32)>() > HELD_BYTES {
            self.write()?;
        }
        Ok(())
    }

    /// Gives them back, sorted.
    pub fn finish(mut self) -> Result<Sorted> {
        self.sort();
        let mut heap = BinaryHeap::new();
        // What is still held stays in memory; it came last, and so does its run.
        let held = self.runs.len();
        let file = self.file.take();
        let mut sorted = Sorted {
            file,
            runs: self.runs,
            index: self.index,
            bytes: self.bytes,
            at: 0,
            held,
            heap: BinaryHeap::new(),
        };
        for run in 0..=held {
            if let Some(key) = sorted.peek(run)? {
                heap.push(Reverse((key, run)));
            }
        }
        sorted.heap = heap;
        Ok(sorted)
    }

    fn sort(&mut self) {
        // Starts rise with the order of arrival, which makes the unstable sort a stable one.
        if !self.index.is_sorted() {
            self.index.sort_unstable();
        }
    }

    /// Refuses to use the disk's reserve: a small extract may ask for any number of places, and the server's database may
    /// be on the same disk.
    fn check_room(&self) -> Result<()> {
        let space = Folders(vec![self.folder.clone()]).read();
        if space.is_some_and(|it| it.free < it.reserve() + HELD_BYTES as u64) {
            let text = "the disk is nearly full, and a reserve is kept free for everything else";
            return Err(Error::new(ErrorKind::StorageFull, text));
        }
        Ok(())
    }

    fn write(&mut self) -> Result<()> {
        self.check_room()?;
        self.sort();
        let mut file = match self.file.take() {
            Some(file) => file,
            None => tempfile::tempfile_in(&self.folder)?,
        };
        let start = self.written;
        let mut chunk = Vec::with_capacity(CHUNK_BYTES * 2);
        for (key, from, to) in &self.index {
            let record = self
                .bytes
                .get(*from as usize..*to as usize)
                .unwrap_or_default();
            chunk.extend(key.to_le_bytes());
            put(record.len() as u64, &mut chunk);
            chunk.extend(record);
            if chunk.len() >= CHUNK_BYTES {
                file.write_all(&chunk)?;
                self.written += chunk.len() as u64;
                chunk.clear();
            }
        }
        file.write_all(&chunk)?;
        self.written += chunk.len() as u64;
        self.file = Some(file);
        self.runs.push(Run {
            next: start,
            end: self.written,
            chunk: Vec::new(),
            used: 0,
        });
        self.index.clear();
        self.bytes.clear();
        Ok(())
    }
}

/// Gives records, sorted.
pub struct Sorted {
    file: Option<File>,
    runs: Vec<Run>,
    index: Vec<(u64, u32, u32)>,
    bytes: Vec<u8>,
    /// How much of `index` is used up.
    at: usize,
    /// The number of the run that never went to the file.
    held: usize,
    heap: BinaryHeap<Reverse<(u64, usize)>>,
}

impl Sorted {
    /// The key of the next record.
    pub fn next_key(&self) -> Option<u64> {
        self.heap.peek().map(|Reverse((key, _))| *key)
    }

    /// The next record, in place of what `record` held; its key, or nothing after the last.
    pub fn next(&mut self, record: &mut Vec<u8>) -> Result<Option<u64>> {
        let Some(Reverse((key, run))) = self.heap.pop() else {
            return Ok(None);
        };
        record.clear();
        if run == self.held {
            if let Some((_, from, to)) = self.index.get(self.at) {
                record.extend(
                    self.bytes
                        .get(*from as usize..*to as usize)
                        .unwrap_or_default(),
                );
            }
            self.at += 1;
        } else {
            self.take(run, record)?;
        }
        if let Some(key) = self.peek(run)? {
            self.heap.push(Reverse((key, run)));
        }
        Ok(Some(key))
    }

    fn peek(&mut self, run: usize) -> Result<Option<u64>> {
        if run == self.held {
            return Ok(self.index.get(self.at).map(|(key, ..)| *key));
        }
        if !self.fill(run, 8)? {
            return Ok(None);
        }
        let run = self.runs.get(run).ok_or_else(broken)?;
        let key = run.chunk.get(run.used..run.used + 8).ok_or_else(broken)?;
        Ok(Some(u64::from_le_bytes(
            key.try_into().map_err(|_| broken())?,
        )))
    }

    /// The record whose key was looked at.
    fn take(&mut self, run: usize, record: &mut Vec<u8>) -> Result<()> {
        // A length takes ten bytes at most; the last record may be shorter than that.
        self.fill(run, 18)?;
        let it = self.runs.get(run).ok_or_else(broken)?;
        let rest = it.chunk.get(it.used + 8..).ok_or_else(broken)?;
        let mut reader = Reader(rest);
        let length: usize = reader.small()?;
        let head = 8 + rest.len() - reader.0.len();
        self.fill(run, head + length)?;
        let it = self.runs.get_mut(run).ok_or_else(broken)?;
        let from = it.used + head;
        record.extend(it.chunk.get(from..from + length).ok_or_else(broken)?);
        it.used = from + length;
        Ok(())
    }

    /// Reads on until a run has this many bytes or is at its end; whether anything is left.
    fn fill(&mut self, run: usize, wanted: usize) -> Result<bool> {
        let it = self.runs.get_mut(run).ok_or_else(broken)?;
        if it.chunk.len() - it.used < wanted && it.next < it.end {
            it.chunk.drain(..it.used);
            it.used = 0;
            let file = self.file.as_mut().ok_or_else(broken)?;
            let missing = wanted.saturating_sub(it.chunk.len()).max(CHUNK_BYTES);
            let more = (it.end - it.next).min(missing as u64);
            let old = it.chunk.len();
            it.chunk.resize(old + more as usize, 0);
            file.seek(SeekFrom::Start(it.next))?;
            file.read_exact(it.chunk.get_mut(old..).unwrap_or_default())?;
            it.next += more;
        }
        Ok(it.used < it.chunk.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_out_by_key_and_those_of_one_key_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(folder.path());
        let mut seed = 1_u64;
        let mut all = Vec::new();
        // More than is held, so that runs are written and merged; some records larger than a chunk.
        for number in 0..60_000_u64 {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let key = seed >> 50;
            let length = if number % 9_999 == 0 { 200_000 } else { 900 };
            let mut record = vec![number as u8; length];
            record.extend(number.to_le_bytes());
            sorter.push(key, &record).unwrap();
            all.push((key, number, length));
        }
        assert!(sorter.runs.len() > 1);
        all.sort();
        let mut sorted = sorter.finish().unwrap();
        let mut record = Vec::new();
        for (key, number, length) in all {
            assert_eq!(sorted.next_key(), Some(key));
            assert_eq!(sorted.next(&mut record).unwrap(), Some(key));
            assert_eq!(record.len(), length + 8);
            assert_eq!(record[length..], number.to_le_bytes());
        }
        assert_eq!(sorted.next(&mut record).unwrap(), None);
    }
}
