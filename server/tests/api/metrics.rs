//! Metrics for an operator's Prometheus: counts of what happened, in labels of lists that nobody who calls can make
//! longer.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Request;
use http_body_util::BodyExt as _;
use serde_json::json;
use tower::ServiceExt as _;
use walkies_core::Command;
use walkies_server::base::metrics;
use walkies_server::http::metrics_page::{self, Source};

use crate::support::{Phone, TestApp, settings};

/// The lines that are told.
async fn told(source: &Source) -> String {
    let request = Request::get("/metrics").body(Body::empty()).unwrap();
    let answer = metrics_page::router(source.clone()).oneshot(request).await;
    let answer = answer.unwrap();
    assert_eq!(answer.status(), 200);
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(body.to_vec()).unwrap()
}

/// The labels of a line: names and values.
fn labels(line: &str) -> Vec<(String, String)> {
    let Some((_, labels)) = line.split_once('{') else {
        return Vec::new();
    };
    // Routes have braces, too.
    let (labels, _) = labels.rsplit_once("\"}").unwrap();
    let label = |it: &str| {
        let (name, value) = it.split_once("=\"").unwrap();
        (name.to_owned(), value.to_owned())
    };
    labels.split("\",").map(label).collect()
}

/// The number after a line that begins so.
fn value(told: &str, beginning: &str) -> f64 {
    let line = told.lines().find(|it| it.starts_with(beginning));
    let line = line.unwrap_or_else(|| panic!("{beginning} in {told}"));
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

// INVARIANT: No label has a value that a caller chooses, and none is about a person or a business.
//
// All tests of this program count into one process: what the others do is held against the lists, too.
#[tokio::test]
async fn what_is_told_has_no_label_that_a_caller_chooses() {
    let app = TestApp::sqlite(settings()).await;
    let source = Source {
        handle: metrics::install().unwrap(),
        state: app.state.clone(),
        data: app.folder().to_owned(),
        database: None,
    };
    let sitter = app.sitter("Mara").await;
    let client = sitter.client("Dana").await;
    sitter.walk(&client, "2026-11-25", "10:00").await;
    let mut phone = Phone::new(&sitter);
    phone.send("chosen_command", json!({})).await;
    for path in [
        "/api/chosen",
        "/api/clients/chosen",
        "/api/calendar/chosen.ics",
        "/api/public/reports/chosen",
        "/chosen",
        "/invoice/chosen",
        "/report/chosen?chosen=chosen",
    ] {
        for method in ["GET", "CHOSEN"] {
            let request = Request::builder().method(method).uri(path);
            let request = request.header("user-agent", "chosen");
            app.anonymous()
                .try_send(request.body(Body::empty()).unwrap())
                .await;
        }
    }
    let forgotten = json!({ "email": sitter.email });
    app.anonymous()
        .post("/auth/forgot-password", forgotten)
        .await;

    let told = told(&source).await;
    let paths = walkies_server::api::router::document()["paths"]
        .as_object()
        .unwrap();
    let mut routes: BTreeSet<&str> = paths.keys().map(String::as_str).collect();
    routes.extend([
        "none",
        "page",
        "/healthz",
        "/readyz",
        "/invoice/{shareId}",
        "/invoice/{shareId}/pdf",
        "/invoice/{shareId}/card",
    ]);
    let mut commands = BTreeSet::from(["unreadable"]);
    commands.extend(Command::NAMES);
    for line in told.lines().filter(|it| !it.starts_with('#')) {
        for (name, value) in labels(line) {
            let value = value.as_str();
            let is_known = match name.as_str() {
                "route" => routes.contains(value),
                "command" => commands.contains(value),
                "method" => {
                    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "other"].contains(&value)
                }
                "status" => ["1xx", "2xx", "3xx", "4xx", "5xx"].contains(&value),
                "outcome" => [
                    "done", "refused", "repeated", "stopped", "failed", "sent", "later",
                    "given_up", "gone",
                ]
                .contains(&value),
                "reason" => [
                    "busy",
                    "too_new",
                    "failed",
                    "out_of_order",
                    "other_server",
                    "reserve",
                    "share",
                ]
                .contains(&value),
                "state" | "queue" | "job" => value
                    .chars()
                    .all(|it| it.is_ascii_lowercase() || " _".contains(it)),
                "le" => value == "+Inf" || value.parse::<f64>().is_ok(),
                _ => false,
            };
            assert!(is_known, "{name} = {value}: {line}");
        }
    }
    assert!(
        !told.contains("chosen") && !told.contains(&sitter.email),
        "{told}"
    );

    let visits = r#"walkies_http_requests_total{route="/api/scheduled-services",method="POST",status="2xx"}"#;
    assert!(1.0 <= value(&told, visits));
    let scheduled = r#"walkies_commands_total{command="schedule_service",outcome="done"}"#;
    assert!(1.0 <= value(&told, scheduled));
    assert!(1.0 <= value(&told, "walkies_database_write_wait_seconds_count"));
    assert!(1.0 <= value(&told, r#"walkies_queue_length{queue="mail"}"#));
    assert!(0.0 < value(&told, "walkies_data_folder_free_bytes"));
    assert!(0.0 < value(&told, "process_resident_memory_bytes"));
    assert!((value(&told, "walkies_database_up") - 1.0).abs() < f64::EPSILON);

    // What else there is to know is told just when the database does not answer.
    app.state.db.close().await;
    let told = self::told(&source).await;
    assert!(value(&told, "walkies_database_up").abs() < f64::EPSILON);
    assert!(1.0 <= value(&told, visits));
}

#[test]
fn the_dashboard_asks_for_nothing_that_there_is_not() {
    let dashboard = include_str!("../../../docs/grafana-dashboard.json");
    serde_json::from_str::<serde_json::Value>(dashboard).unwrap();
    let is_name = |it: char| it.is_ascii_lowercase() || it == '_';
    let words = dashboard.split(|it| !is_name(it));
    let asked: BTreeSet<&str> = words.filter(|it| it.starts_with("walkies_")).collect();
    let is_known = |it: &&str| metrics::NAMES.contains(&it.trim_end_matches("_bucket"));
    assert_eq!(asked.iter().find(|it| !is_known(it)), None);
    assert!(10 < asked.len(), "{asked:?}");
}
