//! Owns how much of the bodies of calls is in memory at once: of all together, of one address, and of the wider networks
//! that an address of version 6 lies in. A body counts as much as has come of it, so that one who sends nothing takes
//! nothing. Where there is no room, the largest body gives way of those who hold the most; one that comes too slowly ends.

use std::collections::HashMap;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use futures_util::{StreamExt as _, stream};
use tokio::sync::Notify;
use tokio::time::Instant;
use walkies_core::Id;

use crate::base::error::AppError;

/// The bytes of all bodies at once. Phones send photos of less than 1 MB, one after the other; the largest that is taken has 10 MB.
const MAX_BYTES: usize = 40 * 1024 * 1024;

/// The same for one address, and for the networks around one of version 6, by the bits that they share.
const NETWORK_SHARES: [(u32, usize); 3] = [
    (64, MAX_BYTES / 2),
    (56, MAX_BYTES / 8 * 5),
    (48, MAX_BYTES / 4 * 3),
];

/// The body of a call that needs no sign-in, where the call says nothing else: the longest form is that of a sign-up.
pub const ANONYMOUS_BYTES: usize = 4 * 1024;

/// The first of a body has come within this time,
const PATIENCE: Duration = Duration::from_secs(10);
/// and after it so much in a second, on average: less than the slowest line that an app can be used on.
const BYTES_PER_SECOND: usize = 4 * 1024;

/// Bodies that are being read or worked on.
#[derive(Clone, Debug, Default)]
pub struct Bodies(Arc<SharedBodies>);

#[derive(Debug, Default)]
struct SharedBodies {
    table: Mutex<BodyTable>,
    /// Told when a body ends.
    freed: Notify,
}

#[derive(Debug, Default)]
struct BodyTable {
    last: u64,
    by_number: HashMap<u64, BodyState>,
}

/// A body that is being read or worked on.
#[derive(Debug)]
struct BodyState {
    sender: BodySender,
    bytes: usize,
    /// All of it has come: it is worked on, and is not taken away.
    is_whole: bool,
    /// Told when it has to give way.
    evicted: Arc<Notify>,
}

/// The sender of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BodySender {
    /// The address that it comes from.
    pub address: Option<IpAddr>,
    /// The account, if somebody is signed in.
    pub account: Option<Id>,
}

/// A reason not to read a body to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyFault {
    NoRoom,
    TooSlow,
    TooLong { most: usize },
}

impl fmt::Display for BodyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRoom => write!(f, "too much is being sent"),
            Self::TooSlow => write!(f, "a body came too slowly"),
            Self::TooLong { .. } => write!(f, "a body is too long"),
        }
    }
}

impl std::error::Error for BodyFault {}

impl From<BodyFault> for AppError {
    fn from(fault: BodyFault) -> Self {
        match fault {
            BodyFault::NoRoom => Self::Unavailable(fault.into()),
            BodyFault::TooSlow => Self::BodyBrokeOff,
            BodyFault::TooLong { most } => too_long(most),
        }
    }
}

/// Turns down a body of more bytes than a call takes of somebody who is not signed in.
pub fn too_long(most: usize) -> AppError {
    AppError::TooLarge(format!("A body has at most {} kB", most / 1024))
}

/// Counts a body until nobody needs what was sent any more.
#[derive(Clone, Debug)]
pub struct BodyLease(Arc<LeaseState>);

#[derive(Debug)]
struct LeaseState {
    bodies: Bodies,
    number: u64,
    evicted: Arc<Notify>,
    fault: OnceLock<BodyFault>,
}

impl Drop for LeaseState {
    fn drop(&mut self) {
        self.bodies.lock().by_number.remove(&self.number);
        self.bodies.0.freed.notify_waiters();
    }
}

/// The lease of a call's body; none where it has no body.
#[derive(Clone, Debug)]
pub struct OfCall(pub Option<BodyLease>);

impl<S: Sync> FromRequestParts<S> for OfCall {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        Ok(Self(parts.extensions.get::<BodyLease>().cloned()))
    }
}

impl OfCall {
    /// Finds the lease of a request that is still to be read.
    pub fn of(request: &Request) -> Self {
        Self(request.extensions().get::<BodyLease>().cloned())
    }
}

impl BodyLease {
    /// The reason not to read the body to its end, unless the reader has one of its own.
    pub fn fault(&self) -> Option<AppError> {
        self.0.fault.get().map(|it| (*it).into())
    }
}

/// A body as it is read.
struct BodyReader {
    chunks: BodyDataStream,
    lease: BodyLease,
    /// When somebody first asked for it.
    begun: Option<Instant>,
    received: usize,
    most: usize,
}

impl BodyReader {
    async fn next(&mut self) -> Result<Option<Bytes>, BodyOrFault> {
        let read = self.read().await;
        if let Err(BodyOrFault::Fault(fault)) = &read {
            // The first one counts.
            let _ = self.lease.0.fault.set(*fault);
        }
        read
    }

    async fn read(&mut self) -> Result<Option<Bytes>, BodyOrFault> {
        let lease = Arc::clone(&self.lease.0);
        let earned = u64::try_from(self.received / BYTES_PER_SECOND).unwrap_or(u64::MAX);
        let begun = *self.begun.get_or_insert_with(Instant::now);
        let deadline = begun + PATIENCE + Duration::from_secs(earned);
        let chunk = tokio::select! {
            chunk = tokio::time::timeout_at(deadline, self.chunks.next()) => chunk,
            () = lease.evicted.notified() => return Err(BodyFault::NoRoom.into()),
        };
        let chunk = chunk.map_err(|_| BodyFault::TooSlow)?;
        let chunk = chunk.transpose().map_err(BodyOrFault::Body)?;
        match &chunk {
            Some(chunk) => {
                self.received += chunk.len();
                if self.most < self.received {
                    return Err(BodyFault::TooLong { most: self.most }.into());
                }
                lease.reserve(chunk.len()).await?;
            }
            None => lease.note_whole(),
        }
        Ok(chunk)
    }
}

/// An error that ends a body early: its connection's, or ours.
#[derive(Debug)]
enum BodyOrFault {
    Body(axum::Error),
    Fault(BodyFault),
}

impl From<BodyFault> for BodyOrFault {
    fn from(fault: BodyFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<BodyOrFault> for axum::BoxError {
    fn from(error: BodyOrFault) -> Self {
        match error {
            BodyOrFault::Body(error) => error.into(),
            BodyOrFault::Fault(fault) => fault.into(),
        }
    }
}

impl Bodies {
    /// A body of at most so many bytes that counts while it is read and until the lease is gone; `None` of an empty one.
    pub fn count(&self, body: Body, sender: BodySender, most: usize) -> (Body, Option<BodyLease>) {
        if body.is_end_stream() {
            return (body, None);
        }
        let lease = self.begin(sender);
        let reading = BodyReader {
            chunks: body.into_data_stream(),
            lease: lease.clone(),
            begun: None,
            received: 0,
            most,
        };
        let chunks = stream::try_unfold(reading, |mut it| async move {
            let chunk = it.next().await?;
            Ok::<_, BodyOrFault>(chunk.map(|chunk| (chunk, it)))
        });
        (Body::from_stream(chunks), Some(lease))
    }

    fn begin(&self, sender: BodySender) -> BodyLease {
        let evicted = Arc::new(Notify::new());
        let mut table = self.lock();
        table.last += 1;
        let number = table.last;
        let state = BodyState {
            sender,
            bytes: 0,
            is_whole: false,
            evicted: Arc::clone(&evicted),
        };
        table.by_number.insert(number, state);
        BodyLease(Arc::new(LeaseState {
            bodies: self.clone(),
            number,
            evicted,
            fault: OnceLock::new(),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, BodyTable> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LeaseState {
    /// Holds more bytes, in place of those of who holds the most where there is no room. Who holds the most and wants
    /// more gives way itself.
    async fn reserve(&self, bytes: usize) -> Result<(), BodyFault> {
        loop {
            let freed = self.bodies.0.freed.notified();
            tokio::pin!(freed);
            freed.as_mut().enable();
            if self.bodies.lock().reserve(self.number, bytes)? {
                return Ok(());
            }
            tokio::select! {
                () = freed => {}
                () = self.evicted.notified() => return Err(BodyFault::NoRoom),
            }
        }
    }

    fn note_whole(&self) {
        if let Some(it) = self.bodies.lock().by_number.get_mut(&self.number) {
            it.is_whole = true;
        }
    }
}

impl BodyTable {
    /// `false` where that has to wait until what somebody has sent is worked through.
    fn reserve(&mut self, number: u64, bytes: usize) -> Result<bool, BodyFault> {
        loop {
            // Who gave way is here no longer.
            let own = self.by_number.get(&number).ok_or(BodyFault::NoRoom)?;
            let sender = own.sender;
            let full = NETWORK_SHARES.iter().find_map(|(bits, share)| {
                let network = sender.network(*bits)?;
                let is_in = move |it: &BodySender| it.network(*bits) == Some(network);
                (*share < self.held(is_in) + bytes).then_some(Some((*bits, network)))
            });
            let full = full.or((MAX_BYTES < self.held(|_| true) + bytes).then_some(None));
            let largest = match full {
                None => {
                    if let Some(own) = self.by_number.get_mut(&number) {
                        own.bytes += bytes;
                    }
                    return Ok(true);
                }
                Some(None) => self.largest(|_| true),
                Some(Some((bits, network))) => self.largest(|it| it.network(bits) == Some(network)),
            };
            let largest = largest.filter(|it| *it != number);
            let largest = largest.ok_or(BodyFault::NoRoom)?;
            let is_whole = self.by_number.get(&largest).is_some_and(|it| it.is_whole);
            if is_whole {
                return Ok(false);
            }
            if let Some(evicted) = self.by_number.remove(&largest) {
                evicted.evicted.notify_one();
            }
        }
    }

    fn held(&self, is_of_these: impl Fn(&BodySender) -> bool) -> usize {
        let these = self.by_number.values().filter(|it| is_of_these(&it.sender));
        these.map(|it| it.bytes).sum()
    }

    /// Finds the largest body among these: of the account that holds the most, at the address that holds the most.
    fn largest(&self, is_of_these: impl Fn(&BodySender) -> bool) -> Option<u64> {
        let mut by_address: HashMap<Option<IpAddr>, usize> = HashMap::new();
        let mut by_sender: HashMap<(Option<IpAddr>, Option<Id>), usize> = HashMap::new();
        for it in self.by_number.values() {
            let address = it.sender.network(64);
            *by_address.entry(address).or_default() += it.bytes;
            *by_sender.entry((address, it.sender.account)).or_default() += it.bytes;
        }
        let these = self.by_number.iter();
        let these = these.filter(|(_, it)| is_of_these(&it.sender));
        let largest = these.max_by_key(|(number, it)| {
            let address = it.sender.network(64);
            let of = |n: Option<&usize>| n.copied().unwrap_or_default();
            (
                of(by_address.get(&address)),
                of(by_sender.get(&(address, it.sender.account))),
                it.bytes,
                **number,
            )
        });
        largest.map(|(number, _)| *number)
    }
}

impl BodySender {
    /// The network of so many bits that the address lies in; one of version 4 is a network of its own.
    fn network(&self, bits: u32) -> Option<IpAddr> {
        Some(match self.address?.to_canonical() {
            IpAddr::V6(address) => {
                let rest = 128 - bits;
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> rest << rest))
            }
            four => four,
        })
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn sender(address: &str, account: u128) -> BodySender {
        BodySender {
            address: Some(address.parse().expect("an address")),
            account: Some(Id::of(account)),
        }
    }

    async fn read(body: Body) -> Option<usize> {
        let read = axum::body::to_bytes(body, usize::MAX).await;
        read.ok().map(|it| it.len())
    }

    #[tokio::test]
    async fn a_body_counts_until_nobody_needs_it() {
        let bodies = Bodies::default();
        let (body, lease) = bodies.count(Body::from("abc"), sender("192.0.2.1", 1), 3);
        assert_eq!(read(body).await, Some(3));
        assert_eq!(bodies.lock().held(|_| true), 3);
        drop(lease);
        assert!(bodies.lock().by_number.is_empty());
        let (_, lease) = bodies.count(Body::empty(), sender("192.0.2.1", 1), 3);
        assert!(lease.is_none());
    }

    #[tokio::test]
    async fn a_body_longer_than_the_call_takes_is_refused() {
        let bodies = Bodies::default();
        let (body, lease) = bodies.count(Body::from("abcd"), BodySender::default(), 3);
        assert_eq!(read(body).await, None);
        let fault = lease.and_then(|it| it.fault());
        assert!(matches!(fault, Some(AppError::TooLarge(_))), "{fault:?}");
    }

    #[tokio::test]
    async fn a_body_that_comes_too_slowly_ends() {
        let bodies = Bodies::default();
        let reader = |received: usize| BodyReader {
            chunks: Body::from_stream(stream::pending::<std::io::Result<Bytes>>())
                .into_data_stream(),
            lease: bodies.begin(BodySender::default()),
            begun: Instant::now().checked_sub(PATIENCE + Duration::from_secs(1)),
            received,
            most: 1_000_000,
        };
        let mut slow = reader(BYTES_PER_SECOND);
        let ended = slow.next().await;
        assert!(matches!(ended, Err(BodyOrFault::Fault(BodyFault::TooSlow))));
        let fault = slow.lease.fault();
        assert!(matches!(fault, Some(AppError::BodyBrokeOff)), "{fault:?}");
        // What has come as fast as that is waited for.
        let mut steady = reader(60 * BYTES_PER_SECOND);
        assert!(Box::pin(steady.next()).now_or_never().is_none());
    }

    #[tokio::test]
    async fn one_address_has_a_share_and_others_keep_theirs() {
        let bodies = Bodies::default();
        let large = bodies.begin(sender("192.0.2.1", 1));
        let (_, share) = NETWORK_SHARES[0];
        large.0.reserve(share).await.expect("its share");
        assert_eq!(large.0.reserve(1).await, Err(BodyFault::NoRoom));
        let other = bodies.begin(sender("192.0.2.2", 2));
        other.0.reserve(share).await.expect("a share of its own");
    }

    #[tokio::test]
    async fn networks_of_version_6_count_together_beyond_a_share() {
        let bodies = Bodies::default();
        let mut held = Vec::new();
        for n in 0..20 {
            let lease = bodies.begin(sender(&format!("2001:db8:1:{n:x}00::1"), n));
            // All are in one /48, and each in a /56 of its own.
            lease.0.reserve(MAX_BYTES / 20).await.expect("room is made");
            held.push(lease);
        }
        let (_, share) = NETWORK_SHARES[2];
        assert!(bodies.lock().held(|_| true) <= share);
        let other = bodies.begin(sender("2001:db8:2::1", 99));
        other.0.reserve(MAX_BYTES / 4).await.expect("another one's");
    }

    #[tokio::test]
    async fn where_there_is_no_room_who_holds_the_most_gives_way() {
        let bodies = Bodies::default();
        let of_one: Vec<_> = (0..2)
            .map(|_| bodies.begin(sender("192.0.2.1", 1)))
            .collect();
        for it in &of_one {
            it.0.reserve(MAX_BYTES / 4).await.expect("its share");
        }
        let small = bodies.begin(sender("192.0.2.1", 2));
        small.0.reserve(1).await.expect("room is made");
        // The later one of two that are alike.
        assert_eq!(of_one[1].0.reserve(1).await, Err(BodyFault::NoRoom));
        assert_eq!(bodies.lock().held(|_| true), MAX_BYTES / 4 + 1);
    }

    #[tokio::test]
    async fn what_is_worked_on_is_waited_for() {
        let bodies = Bodies::default();
        let whole = bodies.begin(sender("192.0.2.1", 1));
        whole.0.reserve(MAX_BYTES / 2).await.expect("its share");
        whole.0.note_whole();
        let next = bodies.begin(sender("192.0.2.1", 2));
        let waiting = tokio::spawn(async move { next.0.reserve(1).await });
        tokio::task::yield_now().await;
        assert!(!waiting.is_finished());
        drop(whole);
        assert_eq!(waiting.await.expect("no panic"), Ok(()));
    }
}
