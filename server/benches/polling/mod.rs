//! Measures ten thousand phones that each ask every 25 seconds whether something is new, against the real binary.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::{Child, Command as Process, Stdio};
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{Instant, sleep_until};

use crate::phone::new_id;

const PHONES: usize = 10_000;
const EVERY: Duration = Duration::from_secs(25);
/// The first one connects and is not counted.
const ROUNDS: u32 = 3;
/// Nobody is let in with so many connections from one place.
const PLACES: usize = 50;

/// The 99th percentile of a poll in milliseconds, and the memory of the server at its peak in MB.
pub fn measure(runtime: &tokio::runtime::Runtime, folder: &Path, tokens: &[String]) -> (f64, f64) {
    allow_files();
    let (mut server, address) = start(folder);
    let times = runtime.block_on(poll_all(address, tokens));
    let memory = peak_mb(server.id());
    server.kill().expect("it runs");
    server.wait().expect("it ends");
    let mut times = times;
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[(times.len() as f64 * share) as usize];
    println!(
        "  {} polls of {PHONES} phones: median {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms; the server took {memory:.0} MB",
        times.len(),
        at(0.5),
        at(0.99),
        at(0.999)
    );
    (at(0.99), memory)
}

pub fn allow_files() {
    let maximum = getrlimit(Resource::Nofile).maximum;
    let current = maximum;
    setrlimit(Resource::Nofile, Rlimit { current, maximum })
        .expect("the limit of open files can be raised");
}

/// The real binary on that folder, and where it listens.
pub fn start(folder: &Path) -> (Child, SocketAddr) {
    use std::io::{BufRead as _, BufReader};
    let mut child = Process::new(env!("CARGO_BIN_EXE_walkies"))
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(folder)
        .env("WALKIES_LOG", "off")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let out = BufReader::new(child.stdout.take().expect("its output is ours"));
    let address = out.lines().map_while(Result::ok).find_map(|line| {
        let address = line.strip_prefix("Walkies listens on http://")?;
        address.parse().ok()
    });
    (child, address.expect("the server says where it listens"))
}

/// The connection of one phone of many, which are in different places.
pub async fn connect(address: SocketAddr, phone: usize) -> TcpStream {
    let place = IpAddr::V4(Ipv4Addr::new(127, 0, 1, 1 + (phone % PLACES) as u8));
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(SocketAddr::new(place, 0)).expect("a place");
    let stream = socket.connect(address).await.expect("a connection");
    stream.set_nodelay(true).expect("a connection");
    stream
}

fn peak_mb(process: u32) -> f64 {
    let status =
        std::fs::read_to_string(format!("/proc/{process}/status")).expect("the server runs");
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"));
    let kib: Option<f64> = line.and_then(|it| it.trim().strip_suffix(" kB")?.parse().ok());
    kib.expect("Linux says what a process takes") / 1024.0
}

/// Runs all phones and returns how long each poll took, in milliseconds.
async fn poll_all(address: SocketAddr, tokens: &[String]) -> Vec<f64> {
    let begin = Instant::now() + Duration::from_secs(1);
    let phones = (0..PHONES).map(|n| {
        let token = tokens[n % tokens.len()].clone();
        // Spread over the time, as phones are that were opened at different moments.
        let first =
            begin + EVERY * u32::try_from(n).expect("few") / u32::try_from(PHONES).expect("few");
        tokio::spawn(async move {
            sleep_until(first).await;
            let mut stream = connect(address, n).await;
            let device = new_id();
            let mut path = format!("/sync/pull?cursor=0&device_id={device}&schema=1");
            let mut times = Vec::new();
            for round in 0..ROUNDS {
                sleep_until(first + EVERY * round).await;
                let begun = Instant::now();
                let answer = poll(&mut stream, &path, &token).await;
                if round == 0 {
                    let page: Value = serde_json::from_slice(&answer).expect("an answer");
                    let page = &page["data"];
                    path = format!(
                        "/sync/pull?cursor={}&device_id={device}&schema=1&epoch={}&backend_id={}",
                        page["next"],
                        page["epoch"],
                        page["backend_id"].as_str().unwrap_or_default()
                    );
                } else {
                    times.push(begun.elapsed().as_secs_f64() * 1e3);
                }
            }
            times
        })
    });
    let phones: Vec<_> = phones.collect();
    let mut times = Vec::new();
    for phone in phones {
        times.extend(phone.await.expect("every poll is answered"));
    }
    times
}

/// The body of the answer.
async fn poll(stream: &mut TcpStream, path: &str, token: &str) -> Vec<u8> {
    let request = format!(
        "GET /api{path} HTTP/1.1\r\nhost: walkies\r\nauthorization: Bearer {token}\r\n\r\n"
    );
    stream
        .write_all(request.as_bytes())
        .await
        .expect("it is sent");
    let mut answer = Vec::new();
    loop {
        let read = stream.read_buf(&mut answer).await.expect("an answer");
        assert_ne!(read, 0, "the connection was closed");
        let Some(head) = answer.windows(4).position(|it| it == b"\r\n\r\n") else {
            continue;
        };
        let text = String::from_utf8_lossy(&answer[..head]).to_ascii_lowercase();
        assert!(text.starts_with("http/1.1 200"), "{text}");
        let length = text
            .lines()
            .find_map(|it| it.strip_prefix("content-length:"));
        let length: usize = length
            .and_then(|it| it.trim().parse().ok())
            .expect("a length");
        if head + 4 + length <= answer.len() {
            return answer.split_off(head + 4);
        }
    }
}
