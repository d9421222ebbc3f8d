//! The OpenAPI document says what the router does, and the router does nothing else.

use axum::body::Body;
use axum::http::Request;
use serde_json::Value;

use crate::support::{TestApp, settings};

/// Every operation of the document: method, path below `/api`, the operation.
pub fn operations(document: &Value) -> Vec<(String, String, Value)> {
    let paths = document["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, methods)| {
        let path = path.strip_prefix("/api").unwrap().to_owned();
        methods
            .as_object()
            .unwrap()
            .iter()
            .map(move |(method, operation)| {
                (method.to_uppercase(), path.clone(), operation.clone())
            })
    });
    operations.collect()
}

#[tokio::test]
async fn the_served_document_is_the_one_that_the_binary_prints() {
    let app = TestApp::sqlite(settings()).await;
    let served = app.anonymous().get("/openapi.json").await;
    assert_eq!(served.body, *walkies_server::api::router::document());
}

/// A well-formed id that no row has.
const ANY_ID: &str = "01a1fb5d-0000-7000-8000-000000000001";

#[tokio::test]
async fn every_call_of_the_document_is_in_the_router() {
    let app = TestApp::sqlite(settings()).await;
    for (method, path, operation) in operations(walkies_server::api::router::document()) {
        let filled = path.replace("{id}", ANY_ID).replace("{payment_id}", ANY_ID);
        let answer = app.anonymous().call(&method, &filled, &[], None).await;
        let is_missing =
            matches!(answer.status.as_u16(), 405) || answer.body["code"] == "not_found";
        assert!(
            !is_missing,
            "{method} {path}: {} {}",
            answer.status, answer.body
        );
        let is_public = operation["x-access"] == "public";
        assert_eq!(
            answer.status == 401 && answer.body["code"] == "sign_in_needed",
            !is_public,
            "{method} {path}"
        );
    }
}

/// The router cannot be listed, so that no call bypasses the table is seen to by looking at the sources.
#[test]
fn every_call_of_the_router_is_in_the_document() {
    let mut looked_at = 0;
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let Ok(source) = std::fs::read_to_string(&path) else {
                continue;
            };
            looked_at += 1;
            for line in source
                .lines()
                .filter(|it| it.contains(".route(") || it.contains(".nest("))
            {
                let known = [
                    ".route(&format!(\"/api{}\", route.path), handler)",
                    ".route(\"/healthz\"",
                    ".route(\"/readyz\"",
                    ".route(\"/invoice/{shareId}",
                    // A page for whoever gets mail.
                    ".route(\"/mail/stop/{token}\"",
                    // On an address of its own.
                    ".route(\"/metrics\", get(tell))",
                ];
                assert!(
                    known.iter().any(|it| line.contains(it)),
                    "{}: {line}",
                    path.display()
                );
            }
        }
    }
    assert!(20 < looked_at);
}

#[test]
fn every_reference_of_the_document_leads_somewhere() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    match value.as_str() {
                        Some(target) if name == "$ref" => found.push(target.to_owned()),
                        _ => references(value, found),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|it| references(it, found)),
            _ => {}
        }
    }
    let document = walkies_server::api::router::document();
    let mut found = Vec::new();
    references(document, &mut found);
    assert!(50 < found.len());
    for target in found {
        let pointer = target.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{target}");
    }
}

#[test]
fn every_operation_has_a_name_of_its_own_and_says_what_it_does() {
    let mut names = std::collections::BTreeSet::new();
    for (method, path, operation) in operations(walkies_server::api::router::document()) {
        let name = operation["operationId"].as_str().unwrap().to_owned();
        assert!(names.insert(name.clone()), "{name} is there twice");
        assert!(
            operation["summary"].as_str().is_some_and(|it| 5 < it.len()),
            "{method} {path}"
        );
        let responses = operation["responses"].as_object().unwrap();
        assert!(!responses.contains_key("default"), "{method} {path}");
        assert!(
            ["200", "201", "101"]
                .iter()
                .any(|it| responses.contains_key(*it)),
            "{method} {path}"
        );
    }
}

#[test]
fn every_file_and_every_length_of_a_service_has_its_bound() {
    fn check(name: &str, value: &Value) {
        if value["format"] == "binary" {
            assert!(value["maxLength"].is_u64(), "{name}");
        }
        let is_length = name.ends_with("duration_minutes") && value["type"] != "string";
        if is_length && value.is_object() {
            assert!(
                value["minimum"].is_number() && value["maximum"].is_number(),
                "{name}: {value}"
            );
        }
        match value {
            Value::Object(fields) => fields.iter().for_each(|(name, it)| check(name, it)),
            Value::Array(items) => items.iter().for_each(|it| check("", it)),
            _ => {}
        }
    }
    let mut files = 0;
    for (method, path, operation) in operations(walkies_server::api::router::document()) {
        let body = &operation["requestBody"];
        check(&format!("{method} {path}"), body);
        files += body.to_string().matches("binary").count();
    }
    assert_eq!(files, 6);
}

#[tokio::test]
async fn every_answer_has_the_headers_that_keep_it_to_itself() {
    let app = TestApp::sqlite(settings()).await;
    for path in [
        "/api/clients",
        "/api/openapi.json",
        "/api/nothing",
        "/healthz",
        "/readyz",
        "/",
        "/scheduling",
        "/report/0f3JpQ7xTzSx5mN8dVb2Kg",
        "/invoice/0f3JpQ7xTzSx5mN8dVb2Kg",
    ] {
        let request = Request::builder()
            .uri(path)
            .header("accept", "text/html")
            .body(Body::empty())
            .unwrap();
        let answer = app.anonymous().send(request).await;
        for (header, expected) in [
            ("x-content-type-options", "nosniff"),
            ("strict-transport-security", "max-age=31536000"),
            ("content-security-policy", "frame-ancestors 'none'"),
            ("content-security-policy", "default-src 'none'"),
            ("x-request-id", "-7"),
        ] {
            let value = answer
                .headers
                .get(header)
                .and_then(|it| it.to_str().ok())
                .unwrap_or_default();
            assert!(value.contains(expected), "{path}: {header}: {value}");
        }
        if path.starts_with("/api") {
            assert_eq!(answer.headers["cache-control"], "no-store", "{path}");
        } else if path.ends_with('z') {
            assert_eq!(answer.status, 200, "{path}");
        } else {
            let csp = answer.headers["content-security-policy"].to_str().unwrap();
            assert!(
                csp.contains("require-trusted-types-for 'script'"),
                "{path}: {csp}"
            );
        }
        if path.starts_with("/report/") || path.starts_with("/invoice/") {
            assert_eq!(answer.headers["referrer-policy"], "no-referrer", "{path}");
            assert_eq!(answer.headers["x-robots-tag"], "noindex", "{path}");
        }
        assert!(
            answer.headers.get("access-control-allow-origin").is_none(),
            "{path}"
        );
        assert!(answer.headers.get("set-cookie").is_none(), "{path}");
    }
}
