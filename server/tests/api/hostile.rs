//! Hostile input that no form sends, into every field of every call: whatever comes, the answer is one that the
//! document names, in its form, and never a defect. `WALKIES_HOSTILE=all` tries all of it, and not every third.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use walkies_core::Command;
use walkies_core::rows::report::SharedWalk;
use walkies_server::app::settings::Settings;
use walkies_server::limits::rate::Rate;

use crate::access::{Victim, call, query, victim};
use crate::document::operations;
use crate::support::{PASSWORD, Phone, TestApp, User, settings, undocumented};

/// JSON texts that no form sends, some of which are no JSON.
const SHORT: &[&str] = &[
    r#""\u0000""#,
    r#""a\u0000b""#,
    r#""\u001b[2J\r\n""#,
    r#""\ud800""#,
    r#""\udfff after""#,
    r#""\u202e\ufeff\uffff""#,
    r#""""#,
    r#"" ""#,
    "null",
    "true",
    "0",
    "-1",
    "0.1",
    "1e308",
    "-1e308",
    "5e-324",
    "1e400",
    "4294967296",
    "9223372036854775808",
    "-9223372036854775809",
    "NaN",
    r#""NaN""#,
    "[]",
    "[null]",
    "[[[]]]",
    "{}",
    r#"{"a":{"b":[{}]}}"#,
    r#"{"id":1,"id":2}"#,
    r#""0000-00-00""#,
    r#""0000-01-01""#,
    r#""9999-12-31""#,
    r#""-0001-01-01""#,
    r#""2026-02-30""#,
    r#""24:00""#,
    r#""99:99:99.9999999999999999999""#,
    r#""9999-12-31T23:59:60.999999Z""#,
    r#""0000-01-01T00:00:00+23:59""#,
    r#""00000000-0000-0000-0000-000000000000""#,
    r#""ffffffff-ffff-ffff-ffff-ffffffffffff""#,
    r#""' OR 1=1; --""#,
    r#""../../../etc/passwd""#,
    "\"\u{1F415}\u{1F415}\"",
    "\"unended",
];

fn values() -> Vec<String> {
    let mut values: Vec<String> = SHORT.iter().map(|it| (*it).to_owned()).collect();
    values.push(format!("\"{}\"", "x".repeat(100_000)));
    values.push(format!("\"{}\"", "\u{1F415}".repeat(201)));
    values.push(format!("[{}0]", "0,".repeat(100_000)));
    values.push(format!("[{}{{}}]", "{},".repeat(300)));
    values.push("[".repeat(100_000));
    values.push(format!("{}{}", "[".repeat(120), "]".repeat(120)));
    values.push(format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100)));
    values
}

/// Values that take the place of an id in the path, or of a parameter.
const PARTS: &[&str] = &[
    "%00",
    "%FF",
    "a%0Ab",
    "%F0%9F%90%95",
    "0",
    "-1",
    "null",
    "%2e%2e",
    "%27",
    "%25",
    "00000000-0000-0000-0000-000000000000",
];

/// A step down into JSON.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Field(String),
    Item,
}

/// Collects the places in a body that its schema describes, down to a depth of seven.
fn places(document: &Value, schema: &Value, at: &[Step], found: &mut BTreeSet<Vec<Step>>) {
    if 7 < at.len() {
        return;
    }
    if let Some(target) = schema["$ref"].as_str() {
        let target = document.pointer(target.trim_start_matches('#')).unwrap();
        return places(document, target, at, found);
    }
    if !at.is_empty() {
        found.insert(at.to_vec());
    }
    let below = |step: Step| [at, &[step]].concat();
    for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
        places(document, schema, &below(Step::Field(field.clone())), found);
    }
    if schema["items"].is_object() {
        places(document, &schema["items"], &below(Step::Item), found);
    }
    for list in ["allOf", "anyOf", "oneOf"] {
        for schema in schema[list].as_array().into_iter().flatten() {
            places(document, schema, at, found);
        }
    }
}

/// Collects the places in a value.
fn places_of(value: &Value, at: &[Step], found: &mut BTreeSet<Vec<Step>>) {
    if !at.is_empty() {
        found.insert(at.to_vec());
    }
    let below = |step: Step| [at, &[step]].concat();
    match value {
        Value::Object(fields) => {
            for (field, value) in fields {
                places_of(value, &below(Step::Field(field.clone())), found);
            }
        }
        Value::Array(items) => {
            if let Some(item) = items.first() {
                places_of(item, &below(Step::Item), found);
            }
        }
        _ => {}
    }
}

/// The body with this text in that place.
fn with(body: &Value, at: &[Step], text: &str) -> String {
    match at {
        [] => text.to_owned(),
        [Step::Field(field), rest @ ..] => {
            let empty = serde_json::Map::new();
            let fields = body.as_object().unwrap_or(&empty);
            let mut parts = vec![format!(
                "{}:{}",
                json!(field),
                with(&body[field], rest, text)
            )];
            let others = fields.iter().filter(|it| it.0 != field);
            parts.extend(others.map(|(field, value)| format!("{}:{value}", json!(field))));
            format!("{{{}}}", parts.join(","))
        }
        [Step::Item, rest @ ..] => format!("[{}]", with(&body[0], rest, text)),
    }
}

/// A sitter who sends hostile input, with the number of tries.
struct Attacker<'a> {
    app: &'a TestApp,
    sitter: User,
    tried: usize,
    sent: usize,
    /// Answers that are not as they should be.
    found: Vec<String>,
    /// One of so many tries is made.
    one_of: usize,
}

impl Attacker<'_> {
    async fn send(&mut self, method: &str, path: &str, headers: &[(&str, &[u8])], body: Vec<u8>) {
        self.tried += 1;
        if !self.tried.is_multiple_of(self.one_of) {
            return;
        }
        self.sent += 1;
        let mut request = Request::builder().method(method).uri(format!("/api{path}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let shown: String = String::from_utf8_lossy(&body).chars().take(300).collect();
        let Ok(request) = request.body(Body::from(body)) else {
            return;
        };
        let at = request.uri().path().to_owned();
        let answer = self.sitter.try_send(request).await;
        let status = answer.status.as_u16();
        let is_json = answer
            .headers
            .get("content-type")
            .is_some_and(|it| it == "application/json");
        let is_in_form = match status {
            200..300 if is_json => answer.body["success"] == true || path == "/openapi.json",
            200..400 => true,
            _ => answer.body["success"] == false && answer.body["code"].is_string(),
        };
        let code = answer.body["code"].as_str().unwrap_or_default();
        // Whoever is signed out, or gone, tries nothing from then on.
        let is_gone =
            code == "token_expired" && path != "/realtime" && !path.starts_with("/realtime?");
        let undocumented = undocumented(method, &at, status);
        if 500 <= status || !is_in_form || is_gone || undocumented.is_some() {
            self.found.push(format!(
                "{method} {path} {shown}: {status} {} {undocumented:?}",
                answer.body
            ));
        }
    }
}

fn is_json(operation: &Value) -> bool {
    operation["requestBody"]["content"]["application/json"].is_object()
}

async fn attack(app: TestApp) {
    let mut victim = victim(&app).await;
    let document = walkies_server::api::router::document();
    let is_all = std::env::var("WALKIES_HOSTILE").is_ok_and(|it| it == "all");
    let mut attacker = Attacker {
        sitter: victim.sitter.clone(),
        app: &app,
        tried: 0,
        sent: 0,
        found: Vec::new(),
        one_of: if is_all { 1 } else { 3 },
    };
    let parent = app.pet_parent("Sam").await;
    app.link(&victim.sitter, &victim.ids["client"], Some(&parent))
        .await;
    for (method, path, operation) in operations(document) {
        if path == "/auth/signout" {
            continue;
        }
        if operation["x-access"] == "client" {
            attacker.sitter = parent.clone();
        }
        into_call(&mut attacker, &victim, document, &method, &path, &operation).await;
        // Sign-ins that succeed make room for themselves: the session that all began with is among the first to go.
        let form = json!({ "email": victim.sitter.email, "password": PASSWORD });
        let answer = app.anonymous().post("/auth/signin", form).await;
        victim.sitter = app.user_of(&answer);
        attacker.sitter = victim.sitter.clone();
    }
    into_pushes(&mut attacker, &victim).await;
    let found = attacker.found.join("\n");
    assert!(
        found.is_empty(),
        "{} of {}:\n{found}",
        attacker.found.len(),
        attacker.sent
    );
    assert!(2_000 < attacker.sent, "{} inputs", attacker.sent);
    eprintln!("{} hostile inputs", attacker.sent);
    let form = json!({ "email": victim.sitter.email, "password": PASSWORD });
    let answer = attacker.app.anonymous().post("/auth/signin", form).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}

async fn into_call(
    attacker: &mut Attacker<'_>,
    victim: &Victim,
    document: &Value,
    method: &str,
    path: &str,
    operation: &Value,
) {
    let (id, body) = call(victim, method, path).unwrap();
    let id = victim.ids.get(id).cloned().unwrap_or_default();
    let filled = path
        .replace("{id}", &id)
        .replace("{shareId}", &victim.share_id)
        .replace("{photo}", "0")
        .replace("{payment_id}", &id)
        .replace("{refund_id}", &id)
        .replace("{video}", "0")
        .replace("{tile}", "1-1-00000000")
        .replace("{code}", "0000000000");
    let address = format!("{filled}{}", query(path, victim));
    if is_json(operation) {
        let body = body.unwrap_or_else(|| json!({}));
        let mut found = BTreeSet::from([Vec::new()]);
        let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
        places(document, schema, &[], &mut found);
        places_of(&body, &[], &mut found);
        for at in found {
            for text in values() {
                attacker
                    .send(method, &address, &[], with(&body, &at, &text).into_bytes())
                    .await;
            }
        }
        for raw in [
            &b"{\"name\":\"\xff\xfe\"}"[..],
            b"\xef\xbb\xbf{}",
            b"\x00",
            b"",
            b"{}{}",
            b"{\"a\"}",
        ] {
            attacker.send(method, &address, &[], raw.to_vec()).await;
        }
    }
    if path.contains('{') {
        for part in PARTS
            .iter()
            .map(|it| (*it).to_owned())
            .chain(["x".repeat(5_000)])
        {
            let mut address = path.to_owned();
            for name in [
                "{id}",
                "{payment_id}",
                "{refund_id}",
                "{shareId}",
                "{photo}",
                "{video}",
                "{tile}",
                "{code}",
            ] {
                address = address.replace(name, &part);
            }
            attacker.send(method, &address, &[], b"{}".to_vec()).await;
        }
    }
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap();
        match parameter["in"].as_str().unwrap() {
            "query" => {
                let long = "9".repeat(400);
                let other = [
                    "",
                    "%00",
                    "%FF",
                    "-1",
                    "1e308",
                    "NaN",
                    "inf",
                    "18446744073709551615",
                    "0000-01-01",
                    "9999-12-31",
                    "[]",
                    &long,
                ];
                for value in PARTS.iter().copied().chain(other) {
                    let with = if address.contains('?') { '&' } else { '?' };
                    attacker
                        .send(method, &format!("{filled}?{name}={value}"), &[], Vec::new())
                        .await;
                    attacker
                        .send(
                            method,
                            &format!("{address}{with}{name}={value}"),
                            &[],
                            Vec::new(),
                        )
                        .await;
                }
            }
            "header" => {
                for value in [
                    &b""[..],
                    b"\xff\xfe",
                    b"\t",
                    &[b'k'; 5_000],
                    b"'",
                    "é".as_bytes(),
                ] {
                    attacker
                        .send(
                            method,
                            &filled,
                            &[("idempotency-key", value)],
                            b"{}".to_vec(),
                        )
                        .await;
                    attacker
                        .send(method, &filled, &[("if-match", value)], b"{}".to_vec())
                        .await;
                }
            }
            _ => {}
        }
    }
    for agent in [&b"\xff\x80"[..], &[b'a'; 5_000], b"\t"] {
        let headers = [("user-agent", agent), ("content-type", agent)];
        attacker
            .send(method, &filled, &headers, b"{}".to_vec())
            .await;
    }
}

/// Commands that this test leaves out: they take an id alone, or the arguments of a command that it sends.
const LIKE_OTHERS: &[&str] = &[
    "delete_client",
    "restore_client",
    "update_offering",
    "delete_offering",
    "reopen_service",
    "delete_service",
    "update_pattern",
    "delete_pattern",
    "delete_blocked_time",
    "start_conversation",
    "delete_message",
    "delete_expense",
    "delete_series",
];

/// Each command of a phone with each of its arguments spoiled: it is decided all the same, and the next one after it.
async fn into_pushes(attacker: &mut Attacker<'_>, victim: &Victim) {
    let id = |name: &str| victim.ids[name].clone();
    let pet = json!({ "id": id("dog"), "is_new": false, "changes": { "name": "Rex", "weight": 3, "birthday": "2020-01-01" } });
    let visit = crate::support::walk(&id("client"), &id("dog"), "2026-11-25", "10:00");
    let shared = crate::reports::walk_form(
        json!([{ "type": "note", "at": "2026-11-20T08:10:00Z", "note": "Saw a fox", "place": null }]),
        &[(&(id("client"), id("dog")), "Good dog")],
    );
    let _: SharedWalk = serde_json::from_value(shared["walk"].clone()).unwrap();
    let mut phone = Phone::new(&victim.sitter);
    phone.pull().await;
    let commands = [
        (
            "update_profile",
            json!({ "changes": { "name": "Mara", "time_zone": "UTC", "service_area_lat": 1 } }),
        ),
        (
            "create_client",
            json!({ "id": id("walk"), "client": { "name": "Kim", "lat": 1 }, "dogs": [pet] }),
        ),
        (
            "update_client",
            json!({ "id": id("client"), "changes": { "name": "Kim" }, "dogs": [pet], "removed_dogs": [id("walk")] }),
        ),
        (
            "settle_text",
            json!({
                "id": id("dog"), "client_id": id("client"), "field": "about", "content": "Shy", "settled": ["Loud"],
            }),
        ),
        (
            "import_clients",
            json!({ "clients": [{ "id": id("walk"), "client": { "name": "Kim", "lat": 1 }, "dogs": [pet] }] }),
        ),
        ("undo_import", json!({ "clients": [id("client")] })),
        (
            "create_offering",
            json!({ "id": id("walk"), "offering": { "name": "Bath", "duration_minutes": 5 } }),
        ),
        (
            "reorder_offerings",
            json!({ "orders": [{ "id": id("offering"), "display_order": 1, "category": "Pet Care" }] }),
        ),
        (
            "schedule_service",
            json!({ "id": id("walk"), "service": visit, "overlap_ok": true, "quoted_price": 25 }),
        ),
        (
            "update_service",
            json!({ "id": id("service"), "changes": visit, "overlap_ok": true }),
        ),
        (
            "complete_service",
            json!({ "id": id("service"), "notes": "Done", "internal_notes": "Limps", "despite_cancel": true }),
        ),
        (
            "record_service",
            json!({ "id": id("walk"), "service": visit }),
        ),
        (
            "mark_progress",
            json!({ "id": id("service"), "step": "started" }),
        ),
        (
            "send_live",
            json!({
                "id": id("service"), "taken_back": [id("walk")],
                "events": [{ "id": id("message"), "kind": "photo", "at": "2026-11-20T08:10:00Z", "note": "Hi", "photo": id("photo") }],
            }),
        ),
        (
            "announce_delay",
            json!({
                "date": "2026-11-20", "moves_plan": true,
                "delayed": [{ "id": id("service"), "planned": "10:00", "start_time": "10:20" }],
                "told": [{ "client_id": id("client"), "message_id": id("walk"), "content": "Late" }],
            }),
        ),
        (
            "move_visits",
            json!({ "date": "2026-11-24", "moved": [{ "id": id("service"), "planned": "10:00", "start_time": "11:00" }] }),
        ),
        (
            "take_back_delay",
            json!({
                "delayed": [{ "id": id("service"), "planned": "10:00", "start_time": "10:20" }],
                "messages": [id("message")],
            }),
        ),
        (
            "set_service_paid",
            json!({ "id": id("record"), "paid": true }),
        ),
        (
            "create_pattern",
            json!({ "id": id("walk"), "pattern": { "day_of_week": 1, "priority": 1, "service_types": ["walk"] } }),
        ),
        (
            "create_blocked_time",
            json!({ "id": id("walk"), "blocked_time": { "block_date": "2026-12-24", "reason": "Away" } }),
        ),
        (
            "take_time_off",
            json!({
                "id": id("walk"), "blocked_time": { "block_date": "2026-12-24", "reason": "Away" },
                "visits": [{
                    "id": id("service"), "client_id": id("client"), "date": "2026-12-24", "start_time": "12:00",
                    "way": "move", "to_date": "2026-12-25", "to_start_time": "12:00",
                }],
                "messages": [{ "id": id("walk"), "client_id": id("client"), "content": "I am away" }],
            }),
        ),
        (
            "undo_time_off",
            json!({
                "id": id("walk"),
                "visits": [{ "id": id("service"), "date": "2026-12-24", "start_time": "12:00", "overlap_ok": true }],
            }),
        ),
        (
            "update_availability_config",
            json!({ "changes": { "slot_interval_minutes": 30 } }),
        ),
        (
            "share_walk",
            json!({ "id": id("walk"), "walk": shared["walk"], "reports": [], "kind": "visit" }),
        ),
        ("unshare_walk", json!({ "id": id("walk") })),
        (
            "approve_request",
            json!({ "id": id("request"), "service_id": id("walk"), "sitter_response": "Gladly", "start_time": "10:00", "overlap_ok": true }),
        ),
        (
            "approve_requests",
            json!({ "approvals": [
                { "id": id("request"), "service_id": id("walk"), "sitter_response": "Gladly", "overlap_ok": true },
            ] }),
        ),
        (
            "decline_request",
            json!({ "id": id("request"), "sitter_response": "Full" }),
        ),
        (
            "undo_approval",
            json!({ "id": id("request"), "service_id": id("service"), "inactive_since": "2026-11-01" }),
        ),
        (
            "unlink_client",
            json!({ "id": id("client"), "user_id": id("walk") }),
        ),
        (
            "ask_for_service",
            json!({ "id": id("walk"), "quoted_price": 25, "request": {
                "requested_date": "2026-12-01", "requested_start_time": "10:00", "requested_duration_minutes": 30,
                "service_type": "walk", "dog_ids": [id("dog")], "message": "Please",
            } }),
        ),
        ("withdraw_request", json!({ "id": id("request") })),
        (
            "ask_for_change",
            json!({ "id": id("walk"), "message": "Please", "change": {
                "kind": "leave_out_date", "series_id": id("series"), "date": "2027-06-01", "slot": id("walk"),
            } }),
        ),
        (
            "grant_request",
            json!({ "id": id("request"), "sitter_response": "Gladly", "start_time": "10:00", "choices": [
                { "date": "2027-06-01", "slot": id("request"), "way": "leave_out" },
            ] }),
        ),
        (
            "send_message",
            json!({ "id": id("walk"), "conversation_id": id("conversation"), "content": "Hello", "photo": id("photo") }),
        ),
        (
            "mark_conversation_read",
            json!({ "id": id("conversation"), "message_id": id("message") }),
        ),
        (
            "set_conversation_archived",
            json!({ "id": id("conversation"), "archived": true }),
        ),
        (
            "share_invoice",
            json!({
                "id": id("walk"), "client_id": id("client"), "services": [id("record")], "start_date": "2026-11-20",
                "end_date": "2026-11-24", "photos": [id("photo")], "videos": [], "note": "Thanks", "due_date": "2026-12-10",
                "extras": [{ "label": "Key fob", "amount": -5, "tax_name": "" }], "total": 20,
                "credits": [{ "invoice_id": id("invoice"), "amount": 1 }],
                "service_taxes": [{ "id": id("record"), "tax_name": "" }],
            }),
        ),
        (
            "record_invoice_payment",
            json!({
                "id": id("invoice"), "payment_id": id("walk"), "amount": 1, "method": "cash", "paid_on": "2026-11-20",
                "note": "In hand", "tip": 0, "kept": 0, "beyond": "back",
            }),
        ),
        (
            "settle_overpayment",
            json!({ "id": id("invoice"), "tip": 0, "kept": 0 }),
        ),
        (
            "record_invoice_refund",
            json!({
                "id": id("invoice"), "refund_id": id("walk"), "amount": 1, "method": "cash", "refunded_on": "2026-11-20",
                "note": "In hand",
            }),
        ),
        (
            "remove_invoice_refund",
            json!({ "id": id("invoice"), "refund_id": id("walk") }),
        ),
        (
            "credit_invoice",
            json!({ "id": id("walk"), "invoice_id": id("invoice"), "amount": 1, "note": "A slip" }),
        ),
        (
            "remove_invoice_payment",
            json!({ "id": id("invoice"), "payment_id": id("walk") }),
        ),
        (
            "create_expense",
            json!({ "id": id("walk"), "expense": { "date": "2026-11-20", "category": "mileage", "miles": 4, "note": "Two visits" } }),
        ),
        (
            "update_expense",
            json!({ "id": id("expense"), "changes": { "date": "2026-11-21", "category": "other", "amount": 4 } }),
        ),
        (
            "move_services",
            json!({ "moves": [{
                "id": id("service"), "date": "2026-11-26", "start_time": "10:00", "was_date": "2026-11-25",
                "was_start_time": "09:00", "overlap_ok": true,
            }], "brings_back": true }),
        ),
        (
            "cancel_service",
            json!({ "id": id("service"), "reason": "Flu", "tells_reason": true }),
        ),
        (
            "mark_services",
            json!({
                "marked": [id("service")], "status": "scheduled", "was": "cancelled", "reason": "Flu", "tells_reason": true,
            }),
        ),
        (
            "copy_services",
            json!({ "copies": [{
                "id": id("walk"), "original": id("service"), "date": "2026-11-26", "start_time": "10:00", "overlap_ok": true,
            }] }),
        ),
        ("undo_copy", json!({ "copied": [id("service")] })),
        (
            "create_series",
            json!({ "id": id("walk"), "series": {
                "client_id": id("client"), "dog_ids": [id("dog")], "begins": "2027-06-01", "notes": "Weekly",
                "rule": { "kind": "weekly", "every": 1, "weekdays": [2] }, "end": { "kind": "after", "visits": 3 },
                "slots": [{ "id": id("walk"), "start_time": "09:00", "duration_minutes": 30, "service_type": "walk" }],
            }, "choices": [{ "date": "2027-06-01", "slot": id("walk"), "way": "move", "start_time": "10:00" }] }),
        ),
        (
            "change_series",
            json!({
                "id": id("series"), "from": "2027-06-01", "changes": { "notes": "Each week" },
                "slots": [{ "id": id("record"), "is_new": true, "changes": { "start_time": "11:00" } }],
                "removed_slots": [id("walk")], "replaces_own": true,
            }),
        ),
        (
            "leave_out_date",
            json!({ "id": id("series"), "date": "2027-06-01", "slot": id("walk") }),
        ),
        (
            "pause_series",
            json!({ "id": id("series"), "pause_id": id("walk"), "from": "2027-06-01", "to": "2027-06-09", "reason": "Away" }),
        ),
        (
            "resume_series",
            json!({ "id": id("series"), "pause_id": id("walk"), "on": "2027-06-05" }),
        ),
        (
            "end_series",
            json!({ "id": id("series"), "end": { "kind": "on", "date": "2027-12-01" } }),
        ),
        (
            "settle_series_dates",
            json!({ "id": id("series"), "choices": [{ "date": "2027-06-01", "slot": id("walk"), "way": "book" }] }),
        ),
        (
            "make_series_date",
            json!({ "id": id("series"), "date": "2027-06-01", "slot": id("walk"), "overlap_ok": true }),
        ),
        (
            "restore_series",
            json!({
                "id": id("series"), "end": { "kind": "never" }, "pauses": [],
                "put_back": [{ "date": "2027-06-01", "slot": id("walk") }], "own": [{ "id": id("service"), "changes": {} }],
                "waiting": [{ "date": "2027-06-02", "slot": id("walk") }],
            }),
        ),
        (
            "change_trip",
            json!({
                "id": id("series"), "begins": "2027-06-02", "ends": "2027-06-09",
                "changes": { "total": 180, "stay": null },
            }),
        ),
        ("extend_series", json!({})),
        ("remind_of_invoice", json!({ "id": id("invoice") })),
        (
            "mark_passed_on",
            json!({ "id": id("invoice"), "what": "invoice", "passed_on": true }),
        ),
        (
            "deactivate_client",
            json!({ "id": id("client"), "ends": [id("series")], "cancels": [id("service")] }),
        ),
        (
            "activate_client",
            json!({
                "id": id("client"), "series": [{ "id": id("series"), "end": { "kind": "never" } }],
                "reopens": [id("service")],
            }),
        ),
        (
            "mark_pet_gone",
            json!({ "id": id("dog"), "on": "2026-11-20" }),
        ),
        (
            "restore_pet",
            json!({
                "id": id("dog"), "series": [{ "id": id("series") }], "reopens": [id("service")],
                "own": [{ "id": id("service"), "dog_ids": [id("dog")], "breakdown": { "baseDogPrice": 25, "additionalDogsCount": 0, "additionalDogsCharge": 0, "total": 25, "explanation": "" } }],
            }),
        ),
        (
            "reprice_services",
            json!({ "prices": [{ "id": id("service"), "price": 25 }] }),
        ),
        (
            "restore_prices",
            json!({ "prices": [{ "id": id("service"), "price": 25, "breakdown": { "baseDogPrice": 25, "additionalDogsCount": 0, "additionalDogsCharge": 0, "total": 25, "explanation": "" } }] }),
        ),
        (
            "record_payments",
            json!({
                "payment_id": id("walk"), "parts": [{ "invoice_id": id("invoice"), "amount": 1 }], "method": "cash",
                "paid_on": "2026-11-20", "note": "In hand", "beyond": "credit",
            }),
        ),
        (
            "set_written_off",
            json!({ "id": id("invoice"), "written_off": true, "note": "Moved away" }),
        ),
        ("delete_invoice", json!({ "id": id("invoice") })),
        ("restore_invoice", json!({ "id": id("invoice") })),
    ];
    for name in Command::NAMES {
        let is_sent = commands.iter().any(|(it, _)| it == name);
        assert!(
            is_sent || LIKE_OTHERS.contains(name),
            "{name} is new: say here what it is sent with"
        );
    }
    for (name, args) in commands {
        let mut found = BTreeSet::from([Vec::new()]);
        places_of(&args, &[], &mut found);
        for at in found {
            // What is no JSON at all makes no push.
            let texts = values()
                .into_iter()
                .filter(|it| serde_json::from_str::<&serde_json::value::RawValue>(it).is_ok());
            for text in texts {
                attacker.tried += 1;
                if !attacker.tried.is_multiple_of(attacker.one_of) {
                    continue;
                }
                attacker.sent += 1;
                let mut mutation = phone.save(name, json!("ARGS"));
                mutation["v"] = json!(1);
                let body = json!({ "device_id": phone.device_id, "schema": 1, "backend_id": phone.backend_id, "mutations": [mutation] });
                let body = body
                    .to_string()
                    .replace("\"ARGS\"", &with(&args, &at, &text));
                let shown: String = body.chars().take(500).collect();
                let request = Request::post("/api/sync/push")
                    .body(Body::from(body))
                    .unwrap();
                let answer = victim.sitter.try_send(request).await;
                assert_eq!(answer.status, 200, "{shown}: {}", answer.body);
                assert_eq!(
                    answer.data()["stopped_at"],
                    Value::Null,
                    "{shown}: {}",
                    answer.body
                );
            }
        }
    }
}

fn unthrottled() -> Settings {
    let rate = Rate {
        burst: 1_000_000,
        every_ms: 1,
    };
    Settings {
        rate_of_map: rate,
        rate_of_invoices: rate,
        rate_of_reports: rate,
        ..settings()
    }
}

#[tokio::test]
async fn no_input_is_a_defect_on_sqlite() {
    attack(TestApp::sqlite(unthrottled()).await).await;
}

mod in_full_lane {
    use super::*;

    #[tokio::test]
    async fn no_input_is_a_defect_on_postgres() {
        if let Some(app) = TestApp::postgres(unthrottled()).await {
            attack(app).await;
        }
    }
}
