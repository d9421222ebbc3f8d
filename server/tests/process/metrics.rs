//! Metrics for an operator's Prometheus: they have an address of their own, and are nowhere else.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command as Process;

use crate::server::Server;

/// The whole answer to a request of a page.
fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it is sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

fn start(flags: &[&str]) -> (tempfile::TempDir, Server) {
    let data = tempfile::tempdir().expect("a folder");
    let mut process = Process::new(env!("CARGO_BIN_EXE_walkies"));
    process.args(["serve", "--data"]).arg(data.path());
    let server = Server::spawn(process.args(Server::FLAGS).args(flags));
    (data, server)
}

#[test]
fn metrics_are_told_on_their_own_address_and_not_on_the_public_one() {
    let (_data, server) = start(&["--metrics-listen", "127.0.0.1:0"]);
    let own = server.metrics.clone().expect("it says where");
    get(&server.address, "/healthz");
    let told = get(&own, "/metrics");
    assert!(told.starts_with("HTTP/1.1 200 OK\r\n"), "{told}");
    assert!(
        told.contains("content-type: text/plain; version=0.0.4"),
        "{told}"
    );
    for line in [
        r#"walkies_http_requests_total{route="/healthz",method="GET",status="2xx"} 1"#,
        r#"walkies_queue_length{queue="notifications"} 0"#,
        "# TYPE walkies_http_request_duration_seconds histogram",
    ] {
        assert!(told.contains(line), "{line} in {told}");
    }
    let size = told
        .lines()
        .find_map(|it| it.strip_prefix("walkies_database_bytes "));
    assert!(
        size.is_some_and(|it| it.parse::<f64>().is_ok_and(|it| 0.0 < it)),
        "{told}"
    );
    assert!(get(&own, "/healthz").starts_with("HTTP/1.1 404"));
    assert!(get(&own, "/api/openapi.json").starts_with("HTTP/1.1 404"));
    for path in ["/metrics", "/api/metrics"] {
        assert!(
            !get(&server.address, path).contains("walkies_http"),
            "{path}"
        );
    }
}

#[test]
fn without_an_address_of_their_own_there_are_none() {
    let (_data, server) = start(&[]);
    assert_eq!(server.metrics, None);
    assert!(!get(&server.address, "/metrics").contains("walkies_http"));
}
