//! Who sends nothing, or slowly, holds no connection for long, and never one that others need.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use walkies_server::limits::listen::{self, Limits};

use crate::support::{TestApp, settings};

const ASK: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: walkies\r\n\r\n";
/// As good as for ever.
const LONG: Duration = Duration::from_secs(3_600);
/// Sooner than anybody would wait in vain.
const SOON: Duration = Duration::from_millis(50);

const PATIENT: Limits = Limits {
    connections: 64,
    by_address: 64,
    head: LONG,
    idle: LONG,
    stall: LONG,
    answer: LONG,
    download: LONG,
};

struct Listening {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    serving: JoinHandle<()>,
    app: TestApp,
}

async fn listen(limits: Limits) -> Listening {
    let app = TestApp::sqlite(settings()).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = watch::channel(false);
    let serving = tokio::spawn(listen::serve(listener, app.router.clone(), limits, stopped));
    Listening {
        address,
        stop,
        serving,
        app,
    }
}

impl Listening {
    async fn open(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    async fn open_from(&self, last: u8) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        let own = IpAddr::V4(Ipv4Addr::new(127, 0, 0, last));
        socket.bind(SocketAddr::new(own, 0)).unwrap();
        socket.connect(self.address).await.unwrap()
    }
}

/// The status of the next answer.
async fn status(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    while !answer.windows(4).any(|it| it == b"\r\n\r\n") {
        let read = stream.read_buf(&mut answer).await.unwrap();
        assert_ne!(read, 0, "{}", String::from_utf8_lossy(&answer));
    }
    String::from_utf8_lossy(&answer[9..12]).into_owned()
}

async fn ask(stream: &mut TcpStream) -> String {
    stream.write_all(ASK).await.unwrap();
    status(stream).await
}

/// Waits until the server has closed; what it said before does not matter.
async fn is_closed(mut stream: TcpStream) {
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest).await;
}

#[tokio::test]
async fn a_request_names_exactly_one_host() {
    let server = listen(PATIENT).await;
    for (head, expected) in [
        ("GET /healthz HTTP/1.1\r\n\r\n", "400"),
        ("GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", "400"),
        ("GET /healthz HTTP/1.0\r\nhost: a\r\nhost: b\r\n\r\n", "400"),
        ("GET /healthz HTTP/1.0\r\n\r\n", "200"),
        ("GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n", "200"),
    ] {
        let mut stream = server.open().await;
        stream.write_all(head.as_bytes()).await.unwrap();
        assert_eq!(status(&mut stream).await, expected, "{head}");
    }
}

#[tokio::test]
async fn a_head_over_8_kb_is_refused_as_such() {
    let server = listen(PATIENT).await;
    let head = |length: usize| {
        let path = "a/".repeat(length / 2);
        format!("GET /{path} HTTP/1.1\r\nhost: a\r\n\r\n")
    };
    for (length, expected) in [(8_000, "404"), (9_000, "431")] {
        let mut stream = server.open().await;
        stream.write_all(head(length).as_bytes()).await.unwrap();
        assert_eq!(status(&mut stream).await, expected, "{length} bytes");
    }
}

#[tokio::test]
async fn who_sends_no_head_in_time_is_closed() {
    let server = listen(Limits {
        head: SOON,
        ..PATIENT
    })
    .await;
    is_closed(server.open().await).await;
    let mut begun = server.open().await;
    begun.write_all(&ASK[..10]).await.unwrap();
    is_closed(begun).await;
    let mut second = server.open().await;
    assert_eq!(ask(&mut second).await, "200");
    second.write_all(&ASK[..10]).await.unwrap();
    is_closed(second).await;
}

#[tokio::test]
async fn who_asks_for_nothing_more_is_closed() {
    let limits = Limits {
        head: SOON,
        idle: 4 * SOON,
        ..PATIENT
    };
    let server = listen(limits).await;
    let mut stream = server.open().await;
    assert_eq!(ask(&mut stream).await, "200");
    is_closed(stream).await;
}

#[tokio::test]
async fn who_sends_no_more_of_a_body_is_answered_and_who_takes_no_answer_is_closed() {
    let server = listen(Limits {
        stall: SOON,
        ..PATIENT
    })
    .await;
    let mut sends = server.open().await;
    let half = b"POST /api/auth/signin HTTP/1.1\r\nhost: walkies\r\ncontent-length: 100\r\n\r\n{\"email\":";
    sends.write_all(half).await.unwrap();
    // It is no fault of what was sent.
    assert_eq!(status(&mut sends).await, "408");
    let sitter = server.app.sitter("Dana").await;
    let part = "--edge\r\ncontent-disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n\u{ff}";
    let half = format!(
        "POST /api/upload HTTP/1.1\r\nhost: walkies\r\nauthorization: Bearer {}\r\ncontent-length: 9000\r\n\
         content-type: multipart/form-data; boundary=edge\r\n\r\n{part}",
        sitter.token.unwrap()
    );
    let mut sends = server.open().await;
    sends.write_all(half.as_bytes()).await.unwrap();
    assert_eq!(status(&mut sends).await, "408");

    let mut takes = server.open().await;
    let document = b"GET /api/openapi.json HTTP/1.1\r\nhost: walkies\r\n\r\n";
    // More than fits into the system's buffers on both sides.
    while let Ok(Ok(())) = tokio::time::timeout(4 * SOON, takes.write_all(document)).await {}
    is_closed(takes).await;
}

#[tokio::test]
async fn where_there_is_no_room_those_go_first_that_never_asked() {
    let server = listen(Limits {
        connections: 8,
        ..PATIENT
    })
    .await;
    let mut phone = server.open().await;
    assert_eq!(ask(&mut phone).await, "200");
    let mut silent = Vec::new();
    for _ in 0..40 {
        silent.push(server.open().await);
        let mut other = server.open().await;
        assert_eq!(ask(&mut other).await, "200");
    }
    assert_eq!(ask(&mut phone).await, "200", "it was not closed for them");
    is_closed(silent.swap_remove(0)).await;
}

#[tokio::test]
async fn one_address_does_not_take_the_room_of_others() {
    let server = listen(Limits {
        connections: 8,
        by_address: 4,
        ..PATIENT
    })
    .await;
    let mut phones = Vec::new();
    for _ in 0..4 {
        let mut phone = server.open_from(2).await;
        assert_eq!(ask(&mut phone).await, "200");
        phones.push(phone);
    }
    for _ in 0..40 {
        let mut stream = server.open_from(3).await;
        assert_eq!(ask(&mut stream).await, "200");
        phones.push(stream);
    }
    for phone in &mut phones[..4] {
        assert_eq!(ask(phone).await, "200");
    }
}

#[tokio::test]
async fn a_server_that_stops_answers_what_was_asked_and_closes_the_rest() {
    let server = listen(PATIENT).await;
    let silent = server.open().await;
    let mut idle = server.open().await;
    assert_eq!(ask(&mut idle).await, "200");
    let mut under_way = server.open().await;
    let head = b"POST /api/auth/signin HTTP/1.1\r\nhost: walkies\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n";
    under_way.write_all(head).await.unwrap();
    assert_eq!(status(&mut under_way).await, "100");
    server.stop.send_replace(true);
    is_closed(silent).await;
    is_closed(idle).await;
    under_way.write_all(b"{}").await.unwrap();
    assert_eq!(status(&mut under_way).await, "422");
    is_closed(under_way).await;
    server.serving.await.unwrap();
}
