//! Owns how answers wait for whoever takes them in: short ones in memory, as long as there is room for them, and all others
//! in files without names on the disk. How much there is of either is bounded for all together and for each one who asks;
//! where the disk's share is used up, the largest answer gives way of who holds the most.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::net::IpAddr;
use std::os::unix::fs::FileExt as _;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use hyper::body::{Frame, SizeHint};
use walkies_core::Id;

use crate::base::error::AppError;
use crate::media::files::Files;

/// Answers up to this size are not counted: the buffers of a connection hold as much.
pub(crate) const SMALL_BYTES: usize = 16 * 1024;
/// The bytes of the others in memory together,
const MEMORY_BYTES: u64 = 32 * 1024 * 1024;
/// and those of one account or address: an app asks for a few lists at once.
const MEMORY_SHARE: u64 = 4 * 1024 * 1024;
/// The bytes of all on the disk together,
const DISK_BYTES: u64 = 1536 * 1024 * 1024;
/// and those of one account or address: a list of all that a business may bring has room.
const DISK_SHARE: u64 = 384 * 1024 * 1024;
/// As much of an answer is in memory while it is made,
pub(crate) const BUFFER_BYTES: usize = 256 * 1024;
/// and as much of it while it is taken in.
const CHUNK_BYTES: u64 = 32 * 1024;

/// The receiver of an answer, by whom limits count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Taker {
    /// Somebody who is signed in.
    Account(Id),
    /// Anybody else, by the address of the caller where it is known.
    Address(Option<IpAddr>),
}

/// Marks an answer that is in memory for as long as the server runs.
#[derive(Clone, Copy, Debug)]
pub struct Unchanging;

/// Answers that are being taken in.
#[derive(Clone, Debug, Default)]
pub struct OutgoingAnswers(Arc<Mutex<OutgoingTable>>);

#[derive(Debug, Default)]
struct OutgoingTable {
    last: u64,
    by_number: HashMap<u64, OutgoingAnswer>,
}

/// An answer that is being taken in.
#[derive(Debug)]
struct OutgoingAnswer {
    taker: Taker,
    memory: u64,
    disk: u64,
    file: Option<Arc<File>>,
}

/// Counts an answer until it is taken in, or its connection is gone.
#[derive(Debug)]
pub(crate) struct OutgoingLease {
    outgoing: OutgoingAnswers,
    number: u64,
}

impl Drop for OutgoingLease {
    fn drop(&mut self) {
        self.outgoing.lock().by_number.remove(&self.number);
    }
}

impl OutgoingAnswers {
    fn lock(&self) -> MutexGuard<'_, OutgoingTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, answer: OutgoingAnswer) -> OutgoingLease {
        let mut table = self.lock();
        table.last += 1;
        let number = table.last;
        table.by_number.insert(number, answer);
        OutgoingLease {
            outgoing: self.clone(),
            number,
        }
    }

    /// Counts an answer in memory; `None` where there is no room for it.
    pub(crate) fn hold_in_memory(&self, taker: Taker, bytes: u64) -> Option<OutgoingLease> {
        let table = self.lock();
        let (all, own) = (table.in_memory(None), table.in_memory(Some(taker)));
        drop(table);
        if MEMORY_BYTES < all + bytes || MEMORY_SHARE < own + bytes {
            return None;
        }
        Some(self.begin(OutgoingAnswer {
            taker,
            memory: bytes,
            disk: 0,
            file: None,
        }))
    }
}

impl OutgoingTable {
    /// Counts more of an answer on the disk. Of those who hold the most the largest answer gives way: its file is emptied, and
    /// whoever takes it in finds its connection closed.
    fn grow(&mut self, number: u64, bytes: u64) -> io::Result<()> {
        let too_much = || io::Error::other("too much is being answered at once");
        let taker = self.by_number.get(&number).ok_or_else(too_much)?.taker;
        while DISK_SHARE < self.on_disk(|it| it.taker == taker) + bytes {
            self.evict(number, |it| it.taker == taker)
                .ok_or_else(too_much)?;
        }
        while DISK_BYTES < self.on_disk(|_| true) + bytes {
            self.evict(number, |_| true).ok_or_else(too_much)?;
        }
        if let Some(answer) = self.by_number.get_mut(&number) {
            answer.disk += bytes;
        }
        Ok(())
    }

    /// Sums up the bytes of all, or of one who takes them in.
    fn in_memory(&self, taker: Option<Taker>) -> u64 {
        let these = self.by_number.values();
        let these = these.filter(|it| taker.is_none_or(|taker| it.taker == taker));
        these.map(|it| it.memory).sum()
    }

    fn on_disk(&self, is_of_these: impl Fn(&OutgoingAnswer) -> bool) -> u64 {
        let these = self.by_number.values().filter(|it| is_of_these(it));
        these.map(|it| it.disk).sum()
    }

    /// `None` where the answer itself is the one to give way.
    fn evict(&mut self, number: u64, is_of_these: impl Fn(&OutgoingAnswer) -> bool) -> Option<()> {
        let mut by_taker: HashMap<Taker, u64> = HashMap::new();
        for it in self.by_number.values() {
            *by_taker.entry(it.taker).or_default() += it.disk;
        }
        let these = self.by_number.iter().filter(|(_, it)| is_of_these(it));
        let largest = these.max_by_key(|(n, it)| {
            let of_taker = by_taker.get(&it.taker).copied();
            (of_taker.unwrap_or_default(), it.disk, **n)
        });
        let (&largest, _) = largest.filter(|(n, _)| **n != number)?;
        let evicted = self.by_number.remove(&largest)?;
        if let Some(file) = evicted.file {
            // What is left of it goes when it is closed, within seconds.
            let _ = file.set_len(0);
        }
        Some(())
    }
}

/// An answer while it is made: what is beyond a buffer goes to the disk.
#[derive(Debug)]
pub struct AnswerWriter {
    outgoing: OutgoingAnswers,
    files: Files,
    taker: Taker,
    buffer: Vec<u8>,
    spilled: Option<SpilledAnswer>,
}

/// The part of an answer that is on the disk.
#[derive(Debug)]
struct SpilledAnswer {
    lease: OutgoingLease,
    file: Arc<File>,
    bytes: u64,
}

impl SpilledAnswer {
    fn into_body(self, head: Bytes) -> (Body, u64) {
        let length = head.len() as u64 + self.bytes;
        let chunks = stream::try_unfold((0, self), |(at, spilled)| async move {
            let size = CHUNK_BYTES.min(spilled.bytes - at);
            if size == 0 {
                return Ok::<_, io::Error>(None);
            }
            let file = Arc::clone(&spilled.file);
            let read = move || {
                let mut chunk = vec![0; usize::try_from(size).unwrap_or_default()];
                file.read_exact_at(&mut chunk, at)?;
                Ok::<_, io::Error>(Bytes::from(chunk))
            };
            let read = tokio::task::spawn_blocking(read).await;
            let chunk = read.map_err(io::Error::other)??;
            Ok(Some((chunk, (at + size, spilled))))
        });
        let head = stream::iter((!head.is_empty()).then_some(Ok(head)));
        (Body::from_stream(head.chain(chunks)), length)
    }
}

impl AnswerWriter {
    /// Begins an answer for somebody.
    pub fn new(outgoing: OutgoingAnswers, files: Files, taker: Taker) -> Self {
        Self {
            outgoing,
            files,
            taker,
            buffer: Vec::new(),
            spilled: None,
        }
    }

    /// Brings what is in memory to the disk.
    pub(crate) fn spill(&mut self) -> io::Result<()> {
        let spilled = match &mut self.spilled {
            Some(spilled) => spilled,
            none => {
                let file = Arc::new(self.files.temporary()?);
                let lease = self.outgoing.begin(OutgoingAnswer {
                    taker: self.taker,
                    memory: 0,
                    disk: 0,
                    file: Some(Arc::clone(&file)),
                });
                none.insert(SpilledAnswer {
                    lease,
                    file,
                    bytes: 0,
                })
            }
        };
        let more = self.buffer.len() as u64;
        let number = spilled.lease.number;
        self.outgoing.lock().grow(number, more)?;
        spilled.file.write_all_at(&self.buffer, spilled.bytes)?;
        spilled.bytes += more;
        self.buffer.clear();
        Ok(())
    }

    /// The whole answer as a body, with what stands before all that was written, and how long it is.
    pub fn finish_after(mut self, head: Bytes) -> io::Result<(Body, u64)> {
        if self.spilled.is_some() {
            self.spill()?;
        }
        Ok(match self.spilled {
            Some(spilled) => spilled.into_body(head),
            None => {
                let bytes = [&head[..], &self.buffer].concat();
                let length = bytes.len() as u64;
                (Body::from(bytes), length)
            }
        })
    }

    /// The whole answer as a body, and how long it is.
    pub fn finish(self) -> io::Result<(Body, u64)> {
        self.finish_after(Bytes::new())
    }

    /// The same as an answer of JSON.
    pub fn into_json_after(self, head: impl Into<Bytes>) -> Result<Response, AppError> {
        let (body, bytes) = self.finish_after(head.into()).map_err(unkept)?;
        let json = HeaderValue::from_static("application/json");
        let length = HeaderValue::from(bytes);
        let headers = [
            (header::CONTENT_TYPE, json),
            (header::CONTENT_LENGTH, length),
        ];
        Ok((headers, body).into_response())
    }
}

impl Write for AnswerWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if BUFFER_BYTES <= self.buffer.len() {
            self.spill()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Turns down a call whose answer could not be kept until it is taken in.
pub fn unkept(error: io::Error) -> AppError {
    AppError::Unavailable(anyhow::Error::from(error).context("the answer's temporary file"))
}

/// A body with what is held until it is taken in, or until its connection is gone.
pub fn held(body: Body, held: impl Send + Unpin + 'static) -> Body {
    Body::new(HeldBody { body, _held: held })
}

struct HeldBody<T> {
    body: Body,
    _held: T,
}

impl<T: Unpin> HttpBody for HeldBody<T> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;

    use super::*;

    const ONE: Taker = Taker::Account(Id::of(1));
    const OTHER: Taker = Taker::Account(Id::of(2));

    fn writer(taker: Taker, outgoing: &OutgoingAnswers) -> AnswerWriter {
        let files = Files::open("none").expect("no place is one");
        AnswerWriter::new(outgoing.clone(), files, taker)
    }

    #[tokio::test]
    async fn a_long_answer_comes_as_it_was_written_and_leaves_nothing() {
        let outgoing = OutgoingAnswers::default();
        let mut writer = writer(ONE, &outgoing);
        let mut expected = Vec::new();
        for n in 0..200_000 {
            let line = format!("{n}\n");
            writer.write_all(line.as_bytes()).expect("written");
            expected.extend_from_slice(line.as_bytes());
        }
        assert!(writer.buffer.len() < BUFFER_BYTES);
        let (body, length) = writer.finish().expect("whole");
        assert_eq!(length, expected.len() as u64);
        assert_eq!(outgoing.lock().on_disk(|_| true), length);
        let bytes = to_bytes(body, usize::MAX).await.expect("all of it");
        assert!(bytes == expected, "it is another one");
        assert!(outgoing.lock().by_number.is_empty());
    }

    #[tokio::test]
    async fn a_short_answer_is_not_written_to_the_disk() {
        let outgoing = OutgoingAnswers::default();
        let mut writer = writer(ONE, &outgoing);
        writer.write_all(b"{}").expect("written");
        let (body, length) = writer.finish().expect("whole");
        assert_eq!((length, body.size_hint().exact()), (2, Some(2)));
    }

    #[test]
    fn who_holds_much_in_memory_has_the_rest_on_the_disk() {
        let outgoing = OutgoingAnswers::default();
        let first = outgoing.hold_in_memory(ONE, MEMORY_SHARE);
        assert!(first.is_some());
        assert!(outgoing.hold_in_memory(ONE, 1).is_none());
        assert!(outgoing.hold_in_memory(OTHER, 1).is_some());
        drop(first);
        assert!(outgoing.hold_in_memory(ONE, 1).is_some());
    }

    #[tokio::test]
    async fn where_the_disk_is_full_who_holds_the_most_gives_way() {
        let outgoing = OutgoingAnswers::default();
        let mut large = writer(ONE, &outgoing);
        large.write_all(b"first").expect("written");
        large.spill().expect("there is room");
        let number = large.spilled.as_ref().expect("it has spilled").lease.number;
        let rest = DISK_SHARE - 5;
        outgoing.lock().grow(number, rest).expect("its share");
        assert!(outgoing.lock().grow(number, 1).is_err());
        // The next one of the same is let in, and the large one ends.
        let mut small = writer(ONE, &outgoing);
        small.write_all(b"second").expect("written");
        small.spill().expect("room is made");
        assert_eq!(outgoing.lock().on_disk(|_| true), 6);
        let (body, _) = large
            .spilled
            .expect("it has spilled")
            .into_body(Bytes::new());
        assert!(to_bytes(body, usize::MAX).await.is_err());
    }
}
