//! Owns the connections of a server: how many there may be, of how many each address, and that none is held by somebody
//! who sends nothing. Where there is no room those go first that never asked for anything.

use std::collections::HashMap;
use std::convert::Infallible;
use std::io::{self, IoSlice};
use std::net::{IpAddr, Ipv6Addr, Shutdown, SocketAddr};
use std::pin::Pin;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode, Version, header};
use axum::response::{IntoResponse as _, Response};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tower::ServiceExt as _;
use tower_http::timeout::TimeoutBody;

use crate::base::error::AppError;
use crate::base::log::redacted;
use crate::base::metrics;

/// Limits on the connections of one server: how many, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The most connections at once, WebSockets among them.
    pub connections: usize,
    /// The most connections of one address; behind a proxy all of them, since they share its address.
    pub by_address: usize,
    /// Within this time the head of a request has come, be it after the connection or after its own first byte.
    pub head: Duration,
    /// The time that a connection is kept open for the next request: a phone asks every 25 s.
    pub idle: Duration,
    /// The longest time without a byte of a request's body, or without progress of a response, before the connection is
    /// closed.
    pub stall: Duration,
    /// The longest that a request and its answer take together on the slowest line.
    pub answer: Duration,
    /// The same of a `LongAnswer`.
    pub download: Duration,
}

/// Marks an answer that may take longer than others: all that somebody has, as a file.
#[derive(Clone, Copy, Debug)]
pub struct LongAnswer;

impl Limits {
    /// For a process that may have so many files open, some of which are the database's and the log's.
    pub fn of(files: usize, database_connections: u32, behind_proxy: bool) -> Self {
        let kept = OTHER_FILES + usize::try_from(database_connections).unwrap_or(OTHER_FILES);
        let connections = files.saturating_sub(kept).clamp(16, MAX_CONNECTIONS);
        let by_address = if behind_proxy {
            connections
        } else {
            (connections / 8).max(64).min(connections)
        };
        Self {
            connections,
            by_address,
            head: Duration::from_secs(10),
            idle: Duration::from_secs(75),
            stall: Duration::from_secs(15),
            answer: Duration::from_secs(300),
            download: Duration::from_secs(4 * 60 * 60),
        }
    }
}

/// Files that are open beside connections: of photos and the map's tiles, of mail on its way, and standard ones.
const OTHER_FILES: usize = 64;
/// The most that fits into a small server's memory: with a whole buffer each takes 14 kB.
const MAX_CONNECTIONS: usize = 10_000;

/// The largest head of a request, and as much of a body as is read at once: the least that hyper takes, and twice what the
/// longest address has.
const BUFFER_BYTES: usize = 8 * 1024;

/// Serves until `stop` is dropped or set, and then until all that was asked is answered.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    mut stop: watch::Receiver<bool>,
) {
    let peers = Peers::new(limits);
    let mut tidy = tokio::time::interval(limits.head.min(limits.stall) / 4);
    tidy.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = tidy.tick() => {
                peers.close_overdue();
                peers.count();
                continue;
            }
            _ = stop.changed() => break,
        };
        match accepted {
            Ok((stream, address)) => {
                if let Some(io) = peers.admit(stream, address) {
                    tokio::spawn(serve_connection(io, address, router.clone(), stop.clone()));
                }
            }
            Err(error) if is_peer_error(&error) => {}
            Err(error) => {
                // Most likely there are too many files: room is made, and what waits in the kernel is looked at anew.
                tracing::warn!(error = redacted(&error), "a connection could not be taken");
                peers.open().evict_one(|_| true);
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
    drop(listener);
    peers.drain().await;
}

fn is_peer_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionReset
    )
}

/// Answers what comes over one connection, one after the other.
async fn serve_connection(
    io: CountedStream,
    address: SocketAddr,
    router: Router,
    mut stop: watch::Receiver<bool>,
) {
    let peer = Arc::clone(&io.peer);
    let stall = io.peers.limits.stall;
    let service = service_fn(move |request: Request<Incoming>| {
        peer.set_state(ConnectionState::Answering);
        let (peer, router) = (Arc::clone(&peer), router.clone());
        // Boxed, so that a connection which waits takes no room for it.
        Box::pin(async move {
            let response = answer(request, address, router, stall).await;
            if response.extensions().get::<LongAnswer>().is_some() {
                peer.set_state(ConnectionState::Downloading);
            }
            let is_socket = response.status() == StatusCode::SWITCHING_PROTOCOLS;
            let then = if is_socket {
                ConnectionState::WebSocket
            } else {
                ConnectionState::Idle
            };
            Ok::<_, Infallible>(response.map(|body| TrackedBody { body, peer, then }))
        })
    });
    let mut connection = std::pin::pin!(
        http1::Builder::new()
            .max_buf_size(BUFFER_BYTES)
            // Who is late is found by `Peers::close_overdue`, for all connections at once.
            .header_read_timeout(None)
            .serve_connection(TokioIo::new(io), service)
            .with_upgrades()
    );
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        _ = stop.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(error = redacted(&error), "a connection broke off");
    }
}

async fn answer(
    request: Request<Incoming>,
    address: SocketAddr,
    router: Router,
    stall: Duration,
) -> Response {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    // RFC 9112 3.2: what names two could mean one thing to a proxy and another one here.
    if hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11) {
        return AppError::Malformed("A request names one host".to_owned()).into_response();
    }
    let mut request = request.map(|body| Body::new(TimeoutBody::new(stall, body)));
    request.extensions_mut().insert(ConnectInfo(address));
    match router.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

/// State of a connection, in the order in which connections are closed to make room for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
enum ConnectionState {
    /// It has not asked for anything yet.
    New,
    /// Its answer is given, and the next request has not begun.
    Idle,
    /// The head of its next request is coming.
    ReadingHead,
    /// It is a WebSocket.
    WebSocket,
    /// Its request is worked on. These are never closed for others.
    Answering,
    /// Its answer is long, and comes for as long as it is taken.
    Downloading,
    /// It is being closed.
    Closing,
}

impl ConnectionState {
    /// In what the operator reads.
    const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Idle => "idle",
            Self::ReadingHead => "reading_head",
            Self::WebSocket => "websocket",
            Self::Answering => "answering",
            Self::Downloading => "downloading",
            Self::Closing => "closing",
        }
    }

    const ALL: [Self; 7] = [
        Self::New,
        Self::Idle,
        Self::ReadingHead,
        Self::WebSocket,
        Self::Answering,
        Self::Downloading,
        Self::Closing,
    ];
}

/// The other end of a connection.
#[derive(Debug)]
struct Peer {
    id: u64,
    network: IpAddr,
    stream: TcpStream,
    begun: Instant,
    state: AtomicU8,
    /// In milliseconds of the connection's life.
    since: AtomicU64,
    /// Since when nothing of what is to be sent is taken, in milliseconds of the connection's life; `NEVER` if it is.
    blocked: AtomicU64,
}

const NEVER: u64 = u64::MAX;

impl Peer {
    fn age(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(NEVER)
    }

    fn state(&self) -> ConnectionState {
        let state = usize::from(self.state.load(Ordering::Relaxed));
        ConnectionState::ALL
            .get(state)
            .copied()
            .unwrap_or(ConnectionState::Closing)
    }

    fn set_state(&self, state: ConnectionState) {
        self.since.store(self.age(), Ordering::Relaxed);
        self.state.store(state as u8, Ordering::Relaxed);
    }

    fn since(&self) -> Duration {
        Duration::from_millis(
            self.age()
                .saturating_sub(self.since.load(Ordering::Relaxed)),
        )
    }

    fn is_overdue(&self, limits: &Limits) -> bool {
        let blocked = self
            .age()
            .saturating_sub(self.blocked.load(Ordering::Relaxed));
        let patience = match self.state() {
            ConnectionState::New | ConnectionState::ReadingHead => limits.head,
            ConnectionState::Idle => limits.idle,
            ConnectionState::Answering => limits.answer,
            ConnectionState::Downloading => limits.download,
            ConnectionState::WebSocket | ConnectionState::Closing => Duration::MAX,
        };
        patience < self.since() || limits.stall < Duration::from_millis(blocked)
    }

    /// Whoever waits for the connection finds it at its end.
    fn close(&self) {
        self.set_state(ConnectionState::Closing);
        // It may have ended by itself.
        let _ = SockRef::from(&self.stream).shutdown(Shutdown::Both);
    }
}

/// All connections of a server.
#[derive(Clone, Debug)]
struct Peers {
    limits: Limits,
    open: Arc<Mutex<PeerTable>>,
    /// One has ended.
    closed: Arc<Notify>,
}

#[derive(Debug, Default)]
struct PeerTable {
    last: u64,
    peers: HashMap<u64, Arc<Peer>>,
    by_network: HashMap<IpAddr, usize>,
}

impl Peers {
    fn new(limits: Limits) -> Self {
        Self {
            limits,
            open: Arc::default(),
            closed: Arc::default(),
        }
    }

    fn open(&self) -> MutexGuard<'_, PeerTable> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a connection in, if there is room or room can be made.
    fn admit(&self, stream: TcpStream, address: SocketAddr) -> Option<CountedStream> {
        // Answers are short, and nobody is to wait for more of them.
        let _ = stream.set_nodelay(true);
        let network = network(address.ip());
        let mut open = self.open();
        let of_network = open.by_network.get(&network).copied().unwrap_or_default();
        let has_room = if self.limits.by_address <= of_network {
            open.evict_one(|it| it.network == network)
        } else {
            open.peers.len() < self.limits.connections || open.evict_one(|_| true)
        };
        if !has_room {
            return None;
        }
        open.last += 1;
        let peer = Arc::new(Peer {
            id: open.last,
            network,
            stream,
            begun: Instant::now(),
            state: AtomicU8::new(ConnectionState::New as u8),
            since: AtomicU64::new(0),
            blocked: AtomicU64::new(NEVER),
        });
        open.peers.insert(peer.id, Arc::clone(&peer));
        *open.by_network.entry(network).or_default() += 1;
        Some(CountedStream {
            peer,
            peers: self.clone(),
        })
    }

    fn remove(&self, peer: &Peer) {
        let mut open = self.open();
        open.peers.remove(&peer.id);
        if let Some(n) = open.by_network.get_mut(&peer.network) {
            *n -= 1;
            if *n == 0 {
                open.by_network.remove(&peer.network);
            }
        }
        drop(open);
        self.closed.notify_waiters();
    }

    fn close_overdue(&self) {
        for peer in self.open().peers.values() {
            if peer.state() != ConnectionState::Closing && peer.is_overdue(&self.limits) {
                peer.close();
            }
        }
    }

    /// Tells the operator how many do what.
    fn count(&self) {
        let open = self.open();
        let states: Vec<ConnectionState> = open.peers.values().map(|it| it.state()).collect();
        drop(open);
        for state in ConnectionState::ALL {
            let count = states.iter().filter(|it| **it == state).count();
            metrics::connections(state.name(), count);
        }
    }

    /// Closes those that wait for the next request, and waits until the others are answered.
    async fn drain(&self) {
        loop {
            let closed = self.closed.notified();
            tokio::pin!(closed);
            closed.as_mut().enable();
            {
                let open = self.open();
                if open.peers.is_empty() {
                    return;
                }
                for peer in open
                    .peers
                    .values()
                    .filter(|it| it.state() < ConnectionState::Answering)
                {
                    peer.close();
                }
            }
            closed.await;
        }
    }
}

impl PeerTable {
    /// Closes the one of these that is missed least, if one is not being answered.
    fn evict_one(&self, is_of_these: impl Fn(&Peer) -> bool) -> bool {
        let these = self.peers.values().filter(|it| is_of_these(it));
        let worst = these
            .map(|it| (it.state(), it))
            .filter(|(state, _)| *state < ConnectionState::Answering)
            .min_by_key(|(state, it)| (*state, std::cmp::Reverse(it.since())));
        if let Some((_, peer)) = worst {
            peer.close();
        }
        worst.is_some()
    }
}

/// Returns the address that limits count by: of IPv6 the network of 64 bits, since everybody has 2^64 addresses there.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        four => four,
    }
}

/// A connection that notes what it is doing, and that is counted until it is dropped.
#[derive(Debug)]
struct CountedStream {
    peer: Arc<Peer>,
    peers: Peers,
}

impl Drop for CountedStream {
    fn drop(&mut self) {
        self.peers.remove(&self.peer);
    }
}

impl CountedStream {
    fn poll_send(
        &self,
        cx: &mut Context<'_>,
        send: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        let peer = &self.peer;
        loop {
            if peer.stream.poll_write_ready(cx)?.is_pending() {
                let _ = peer.blocked.compare_exchange(
                    NEVER,
                    peer.age(),
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                );
                return Poll::Pending;
            }
            match send(&peer.stream) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                sent => {
                    peer.blocked.store(NEVER, Ordering::Relaxed);
                    return Poll::Ready(sent);
                }
            }
        }
    }
}

impl AsyncRead for CountedStream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let peer = &self.peer;
        loop {
            ready!(peer.stream.poll_read_ready(cx))?;
            match peer.stream.try_read_buf(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => {
                    if peer.state() == ConnectionState::Idle && 0 < *read.as_ref().unwrap_or(&0) {
                        peer.set_state(ConnectionState::ReadingHead);
                    }
                    return Poll::Ready(read.map(drop));
                }
            }
        }
    }
}

impl AsyncWrite for CountedStream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_send(cx, |it| it.try_write(bytes))
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.poll_send(cx, |it| it.try_write_vectored(slices))
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let _ = SockRef::from(&self.peer.stream).shutdown(Shutdown::Write);
        Poll::Ready(Ok(()))
    }
}

/// The body of an answer: when it is given, its connection waits for the next request.
struct TrackedBody {
    body: Body,
    peer: Arc<Peer>,
    then: ConnectionState,
}

impl Drop for TrackedBody {
    fn drop(&mut self) {
        let is_answered = [ConnectionState::Answering, ConnectionState::Downloading];
        if is_answered.contains(&self.peer.state()) {
            self.peer.set_state(self.then);
        }
    }
}

impl HttpBody for TrackedBody {
    type Data = <Body as HttpBody>::Data;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
