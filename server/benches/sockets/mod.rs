//! Measures two thousand open apps, each with a socket, against the real binary: how soon a client's message is there, and
//! whether anybody misses one when the server is killed under them.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant as Clock;

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};
use walkies_core::Id;

use crate::phone::{Http, new_id};
use crate::polling::{allow_files, connect, start};

pub const SOCKETS: usize = 2_000;

/// A sitter with an app that is open, and a client of theirs with a login.
pub struct Pair {
    pub sitter: String,
    pub client: String,
    pub client_id: Id,
}

/// Results of the measurement.
pub struct Figures {
    /// The 99th percentile of the time from a message's first byte to the event at the sitter's app, in milliseconds.
    pub p99_ms: f64,
    /// The share of the apps that have each message which a client was told was sent, once the server is killed and back.
    pub kept: f64,
}

pub fn measure(runtime: &tokio::runtime::Runtime, folder: &Path, pairs: &[Pair]) -> Figures {
    allow_files();
    let (mut server, address) = start(folder);
    let cursors = cursors(address, pairs);
    let apps = runtime.block_on(Apps::open(address, pairs));
    let (sent, mut heard) = (apps.heard, apps.tasks);
    let p99_ms = runtime.block_on(deliver(address, pairs, sent));

    // Killed in the middle of the next ones: who was told that a message was sent can rely on it.
    let mut http = Http::new(&address.to_string(), "");
    let told = pairs
        .iter()
        .take(SOCKETS / 2)
        .filter(|pair| say(&mut http, pair, "second"));
    let told = told.count();
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    let closed = runtime.block_on(join_all(heard.drain(..)));
    assert_eq!(closed.len(), SOCKETS, "every app notices");

    let (mut server, address) = start(folder);
    let apps = runtime.block_on(Apps::open(address, pairs));
    let kept = pairs
        .iter()
        .zip(&cursors)
        .enumerate()
        .filter(|&(n, (pair, query))| {
            let expected: &[&str] = if n < told {
                &["first", "second"]
            } else {
                &["first"]
            };
            said(address, pair, query).as_slice() == expected
        })
        .count();
    drop(apps);
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    println!(
        "  {SOCKETS} sockets: a message's p99 {p99_ms:.2} ms; {kept} apps have all after a kill"
    );
    Figures {
        p99_ms,
        kept: kept as f64 / SOCKETS as f64,
    }
}

/// Returns the query with which each app asks the feed next.
fn cursors(address: SocketAddr, pairs: &[Pair]) -> Vec<String> {
    let mut http = Http::new(&address.to_string(), "");
    let query = |pair: &Pair| {
        let device = new_id();
        http.token.clone_from(&pair.sitter);
        let path = format!("/sync/pull?cursor=0&device_id={device}&schema=1");
        let page = http.data("GET", &path, None);
        format!(
            "cursor={}&device_id={device}&schema=1&epoch={}&backend_id={}",
            page["next"],
            page["epoch"],
            page["backend_id"].as_str().unwrap_or_default()
        )
    };
    pairs.iter().map(query).collect()
}

/// The words of the messages that came since.
fn said(address: SocketAddr, pair: &Pair, query: &str) -> Vec<String> {
    let mut http = Http::new(&address.to_string(), &pair.sitter);
    let page = http.data("GET", &format!("/sync/pull?{query}"), None);
    let rows = page["rows"].as_array().expect("rows");
    let mut messages: Vec<&Value> = rows.iter().filter(|it| it["t"] == "message").collect();
    messages.sort_by_key(|it| it["d"]["number"].as_u64());
    let content = |it: &&Value| it["d"]["content"].as_str().map(str::to_owned);
    messages.iter().filter_map(content).collect()
}

/// Sends a message as the client; true if the server answered that it has it.
fn say(http: &mut Http, pair: &Pair, content: &str) -> bool {
    http.token.clone_from(&pair.client);
    let form = json!({ "conversation_id": pair.client_id, "content": content });
    matches!(http.call("POST", "/messages", Some(&form)), Some((201, _)))
}

/// Apps that are open.
struct Apps {
    /// Receives the number of each app that hears of a message, with the time.
    heard: UnboundedReceiver<(usize, Clock)>,
    /// Each ends with its socket.
    tasks: Vec<JoinHandle<()>>,
}

impl Apps {
    async fn open(address: SocketAddr, pairs: &[Pair]) -> Self {
        let (tell, heard) = unbounded_channel();
        let mut tasks = Vec::new();
        let mut http = Http::new(&address.to_string(), "");
        for (n, pair) in pairs.iter().enumerate() {
            http.token.clone_from(&pair.sitter);
            let ticket = http.data("POST", "/realtime/ticket", Some(&json!({})))["ticket"].take();
            let ticket = ticket.as_str().expect("a ticket");
            let url = format!("ws://{address}/api/realtime?ticket={ticket}");
            let stream = connect(address, n).await;
            let (socket, _) = client_async(url, stream).await.expect("a socket");
            tasks.push(tokio::spawn(listen(n, socket, tell.clone())));
        }
        Self { heard, tasks }
    }
}

async fn listen(
    n: usize,
    mut socket: WebSocketStream<TcpStream>,
    tell: UnboundedSender<(usize, Clock)>,
) {
    while let Some(Ok(message)) = socket.next().await {
        if matches!(&message, Message::Text(text) if text.contains("message_sent")) {
            // Nobody listens any more once everything is measured.
            let _ = tell.send((n, Clock::now()));
        }
    }
}

/// One message to each, one after the other: the 99th percentile in milliseconds.
async fn deliver(
    address: SocketAddr,
    pairs: &[Pair],
    mut heard: UnboundedReceiver<(usize, Clock)>,
) -> f64 {
    let mut http = Http::new(&address.to_string(), "");
    let mut times = Vec::new();
    for (n, pair) in pairs.iter().enumerate() {
        let begun = Clock::now();
        assert!(
            tokio::task::block_in_place(|| say(&mut http, pair, "first")),
            "a message is taken"
        );
        let (who, at) = heard.recv().await.expect("apps are open");
        assert_eq!(who, n, "nobody else is told");
        times.push((at - begun).as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    times[times.len() * 99 / 100]
}
