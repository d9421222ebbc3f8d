//! The calls of the specification, one story per area: forms, answers, what is refused and in which words.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use walkies_server::cli::demo;
use walkies_server::db::fault::{Fault, Faults, Moment, with_faults};

use crate::document::operations;
use crate::on_both;
use crate::photos::jpeg;
use crate::support::{DAY, TestApp, User, walk};

async fn patterns_off(user: &User) {
    for pattern in user
        .get("/availability/patterns")
        .await
        .data()
        .as_array()
        .unwrap()
    {
        let id = pattern["id"].as_str().unwrap();
        user.delete(&format!("/availability/patterns/{id}")).await;
    }
}

/// Counts trips to SQLite.
#[derive(Default)]
struct Trips(AtomicUsize);

impl Faults for Trips {
    fn fault_at(&self, moment: Moment) -> Option<Fault> {
        if moment == Moment::Statement {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
        None
    }
}

async fn trips(user: &User, path: &str) -> usize {
    let trips = Arc::new(Trips::default());
    let answer = with_faults(trips.clone(), user.get(path)).await;
    assert_eq!(answer.status, 200, "{path}");
    trips.0.load(Ordering::Relaxed)
}

fn names(answer: &Value) -> Vec<&str> {
    answer
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["name"].as_str().unwrap())
        .collect()
}

on_both! {
    async fn clients_are_added_changed_and_deleted_with_their_pets(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let form = json!({
            "name": "  Sam Ito ", "email": "sam@example.com", "walk_rate_30min": 0, "pricing_walk": 31.5,
            "dogs": [{ "name": "Rex", "breed": "Collie" }, "Mia"],
        });
        let made = dana.post("/clients", form).await;
        assert_eq!(made.status, 201);
        let (id, client) = (made.id(), made.data());
        assert_eq!((&client["name"], &client["walk_rate_30min"], &client["pricing_walk"]),
            (&json!("Sam Ito"), &json!(25), &json!(31.5)));
        assert_eq!(names(&client["dogs"]), ["Rex", "Mia"]);
        let rex = client["dogs"][0]["id"].clone();

        let changed = dana.put(&format!("/clients/{id}"), json!({
            "phone": "555-010-4477", "dogs": [{ "id": rex, "name": "Rexy" }, { "name": "Bo" }],
        })).await;
        assert_eq!(names(&changed.data()["dogs"]), ["Rexy", "Bo"], "a form with dogs has all of them");
        assert_eq!(changed.data()["dogs"][0]["breed"], "Collie", "fields that the form leaves out stay");
        assert_eq!(changed.data()["email"], "sam@example.com");
        let same = dana.put(&format!("/clients/{id}"), json!({ "address": "12 Elm St" })).await;
        assert_eq!(names(&same.data()["dogs"]), ["Rexy", "Bo"]);

        dana.client("amir").await;
        assert_eq!(names(dana.get("/clients").await.data()), ["amir", "Sam Ito"]);
        assert_eq!(dana.get("/clients-available").await.data().as_array().unwrap().len(), 1);
        assert_eq!(dana.delete(&format!("/clients/{id}")).await.data()["id"], json!(id));
        assert_eq!(dana.get(&format!("/clients/{id}")).await.failure(), (404, "not_found"));
        assert_eq!(dana.delete(&format!("/clients/{id}")).await.failure(), (404, "gone"));
        assert_eq!(names(dana.get("/clients").await.data()), ["amir"]);
    }

    async fn a_client_with_services_to_come_is_not_deleted(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let service = dana.walk(&client, "2026-11-24", "10:00").await;
        let refused = dana.delete(&format!("/clients/{}", client.0)).await;
        assert_eq!(refused.failure(), (409, "has_future_services"));
        assert_eq!(refused.body["details"]["count"], 1);
        dana.delete(&format!("/scheduled-services/{service}")).await;
        assert_eq!(dana.delete(&format!("/clients/{}", client.0)).await.status, 200);
        let services = dana.get("/scheduled-services").await;
        assert_eq!(services.data()[0]["client_name"], "Sam", "what was done or called off stays readable");
    }

    async fn a_form_says_all_that_is_wrong_by_field(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let answer = dana.post("/clients", json!({ "email": "x", "pricing_walk": -1, "dogs": [] })).await;
        assert_eq!(answer.failure(), (422, "invalid"));
        assert_eq!(answer.body["fields"], json!({
            "name": "Client name is required",
            "email": "Invalid email format",
            "dogs": "At least one dog is required",
            "pricing_walk": "Walk price cannot be negative",
        }));
        assert_eq!(answer.body["error"], "Client name is required");
        let past = dana.post("/scheduled-services", json!({ "date": "2026-11-19", "duration_minutes": 5 })).await;
        assert_eq!(past.body["fields"]["client_id"], "Please select a client");
        assert_eq!(past.body["fields"]["dog_ids"], "Please select at least one dog");
        assert_eq!(past.body["fields"]["date"], "Cannot schedule services in the past");
        assert_eq!(past.body["fields"]["duration_minutes"], "Duration must be at least 15 minutes");
    }

    async fn what_cannot_be_read_is_answered_in_the_failure_form(app: TestApp) {
        use axum::body::Body;
        use axum::http::Request;
        let dana = app.sitter("Dana").await;
        for (method, path, body) in [
            ("POST", "/api/clients", "{"),
            ("POST", "/api/clients", "[1]"),
            ("POST", "/api/clients", r#"{"id": 5}"#),
            ("POST", "/api/clients", r#"{"name": "Sam", "dogs": [7]}"#),
            ("POST", "/api/sync/push", "{}"),
            ("POST", "/api/scheduled-services/price-preview", "{}"),
            ("GET", "/api/sync/pull?cursor=-1", ""),
            ("GET", "/api/services/range?clientId=x", ""),
            ("GET", "/api/scheduled-services?status=lost", ""),
            ("POST", "/api/upload", "no multipart"),
        ] {
            let request = Request::builder().method(method).uri(path).body(Body::from(body)).unwrap();
            let answer = dana.send(request).await;
            assert_eq!(answer.failure(), (400, "malformed"), "{method} {path} {body}");
        }
        assert_eq!(dana.get("/clients/not-an-id").await.failure(), (404, "not_found"));
        assert_eq!(dana.get("/no-such-call").await.failure(), (404, "not_found"));
        assert_eq!(dana.patch("/clients", json!({})).await.failure(), (405, "method_not_allowed"));
        let long = json!({ "name": "x".repeat(2 * 1024 * 1024) });
        assert_eq!(dana.post("/clients", long).await.failure(), (413, "too_large"));
    }

    async fn what_only_a_rule_may_set_is_ignored(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let other = app.sitter("Other").await;
        let form = json!({
            "name": "Sam", "dogs": [{ "name": "Rex", "client_id": other.user_id }], "sitter_id": other.sitter_id,
            "rev": 99, "client_user_id": other.user_id, "unread_count": 7, "role": "admin", "no_such_field": 1,
        });
        let client = dana.post("/clients", form).await;
        assert_eq!(client.data()["client_user_id"], Value::Null);
        assert_eq!(client.data()["unread_count"], 0);
        assert!(client.data()["rev"].as_u64().unwrap() < 99);
        assert!(client.data().get("no_such_field").is_none());
        assert_eq!(client.data()["dogs"][0]["client_id"], json!(client.id()));
        assert_eq!(names(other.get("/clients").await.data()).len(), 0);

        let dog = client.data()["dogs"][0]["id"].as_str().unwrap().to_owned();
        let mut tampered = walk(&client.id(), &dog, "2026-11-20", "10:00");
        for (field, value) in [("price", json!(1)), ("paid", json!(true)), ("status", json!("completed"))] {
            tampered[field] = value;
        }
        let service = dana.post("/scheduled-services", tampered).await;
        let service = service.data();
        assert_eq!((&service["price"], &service["paid"], &service["status"]),
            (&json!(25), &json!(false), &json!("scheduled")));
        let profile = dana.put("/sitters/profile", json!({ "email": "other@example.com", "name": "Dana B" })).await;
        assert_eq!(profile.data()["email"], "dana@example.com");
    }

    async fn hostile_text_is_kept_as_text(app: TestApp) {
        let dana = app.sitter("Dana").await;
        for text in ["<script>alert(1)</script>", "'; DROP TABLE client; --", "=HYPERLINK(\"x\")", "\u{202e}cba", "🐕 \"quoted\" \\"] {
            let made = dana.post("/clients", json!({ "name": text, "dogs": [{ "name": text }] })).await;
            assert_eq!((&made.data()["name"], &made.data()["dogs"][0]["name"]), (&json!(text), &json!(text)));
            assert_eq!(made.headers["content-type"], "application/json");
            assert_eq!(made.headers["x-content-type-options"], "nosniff");
        }
        assert_eq!(dana.get("/clients").await.data().as_array().unwrap().len(), 5);
    }

    async fn a_row_is_changed_only_by_who_has_seen_it_if_asked_so(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let path = format!("/clients/{}", client.0);
        let seen = dana.get(&path).await.headers["etag"].to_str().unwrap().to_owned();
        let with = |etag: &str, name: &str| {
            let (dana, path, etag, name) = (dana.clone(), path.clone(), etag.to_owned(), name.to_owned());
            async move { dana.call("PUT", &path, &[("if-match", &etag)], Some(json!({ "name": name }))).await }
        };
        assert_eq!(with(&seen, "Samira").await.status, 200);
        let before = app.dump(None).await;
        assert_eq!(with(&seen, "Sammy").await.failure(), (412, "changed_meanwhile"));
        assert_eq!(with("\"elsewhere\"", "Sammy").await.failure(), (412, "changed_meanwhile"));
        assert_eq!(app.dump(None).await, before);
        assert_eq!(with("*", "Sammy").await.data()["name"], "Sammy");
    }

    async fn offerings_are_kept_in_their_order(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let before = dana.get("/sitter-services").await.data().as_array().unwrap().len();
        let refused = dana.post("/sitter-services", json!({ "name": " ", "base_price": 0 })).await;
        assert_eq!(refused.body["error"], "Please fill in all required fields");
        let made = dana.post("/sitter-services", json!({ "name": "Cat care", "base_price": 18.5, "icon": "🐈" })).await;
        assert_eq!((made.status.as_u16(), &made.data()["display_order"]), (201, &json!(before)));
        let id = made.id();
        let off = dana.put(&format!("/sitter-services/{id}"), json!({ "is_active": false })).await;
        assert_eq!((&off.data()["is_active"], &off.data()["base_price"]), (&json!(false), &json!(18.5)));
        let orders = json!({ "serviceOrders": [{ "id": id, "display_order": 0 }] });
        let ordered = dana.patch("/sitter-services/reorder", orders).await;
        assert_eq!(ordered.data()[0]["id"], json!(id));
        let places: Vec<u64> = ordered.data().as_array().unwrap().iter().map(|it| it["display_order"].as_u64().unwrap()).collect();
        assert_eq!(places, (0..=before as u64).collect::<Vec<_>>());

        let client = dana.client("Sam").await;
        let mut form = walk(&client.0, &client.1, "2026-11-20", "10:00");
        form["offering_id"] = json!(id);
        dana.post("/scheduled-services", form).await.data();
        assert_eq!(dana.delete(&format!("/sitter-services/{id}")).await.data()["deactivated"], true);
        let stay = json!({ "name": "Overnight", "base_price": 65, "pricing_type": "daily", "category": "Boarding" });
        let stay = dana.post("/sitter-services", stay).await.id();
        form = walk(&client.0, &client.1, "2026-11-23", "10:00");
        form["offering_id"] = json!(stay);
        form["end_date"] = json!("2026-11-25");
        let quoted = dana.post("/scheduled-services/price-preview", form.clone()).await;
        assert_eq!(quoted.data()["price"], json!(195));
        let made = dana.post("/scheduled-services", form.clone()).await;
        assert_eq!((&made.data()["price"], &made.data()["service_type"]), (&json!(195), &json!("dropin")));
        assert_eq!(made.data()["summary"], json!("Overnight for Rex, 3 days"));
        let taken = dana.post("/scheduled-services/check-conflict", form.clone()).await;
        assert_eq!(taken.data()["with"][0]["id"], json!(made.id()));
        let refused = dana.post("/scheduled-services", form).await;
        assert_eq!((refused.status.as_u16(), &refused.body["code"]), (409, &json!("conflict")));
        let agreed = json!({ "price_override": { "amount": 150, "reason": "Long-time client" } });
        let agreed = dana.put(&format!("/scheduled-services/{}", made.id()), agreed).await;
        assert_eq!(agreed.data()["price"], json!(150));

        let fresh = dana.post("/sitter-services", json!({ "name": "Taxi", "base_price": 9 })).await.id();
        assert_eq!(dana.delete(&format!("/sitter-services/{fresh}")).await.data()["deactivated"], false);
        assert_eq!(dana.get("/sitter-services").await.data().as_array().unwrap().len(), before + 2);
    }

    async fn a_stay_by_the_night_keeps_its_count_when_its_offering_changes(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let stay = json!({ "name": "Overnight", "base_price": 65, "pricing_type": "daily", "stay_unit": "nights", "category": "Overnight Care" });
        let stay = dana.post("/sitter-services", stay).await.id();
        let mut form = walk(&client.0, &client.1, "2026-11-27", "21:00");
        form["offering_id"] = json!(stay);
        form["end_date"] = json!("2026-11-29");
        form["departure_time"] = json!("07:00");
        assert_eq!(dana.post("/scheduled-services/price-preview", form.clone()).await.data()["price"], json!(130));
        let made = dana.post("/scheduled-services", form.clone()).await;
        assert_eq!((&made.data()["price"], &made.data()["summary"]), (&json!(130), &json!("Overnight for Rex, 2 nights")));
        // The next one arrives after this one has left.
        form["date"] = json!("2026-11-29");
        form["end_date"] = json!("2026-11-30");
        let next = dana.post("/scheduled-services", form).await;
        assert_eq!(next.data()["price"], json!(65));
        let days = json!({ "stay_unit": "days", "further_day_after": "12:00" });
        assert_eq!(dana.put(&format!("/sitter-services/{stay}"), days).await.status, 200);
        let path = format!("/scheduled-services/{}", made.id());
        let longer = dana.put(&path, json!({ "date": "2026-11-26" })).await;
        assert_eq!((&longer.data()["price"], &longer.data()["summary"]), (&json!(195), &json!("Overnight for Rex, 3 nights")));
        let wrong = dana.put(&path, json!({ "end_date": "2026-11-26" })).await;
        assert!(wrong.body["fields"]["departure_time"].is_string(), "{}", wrong.body);
    }

    async fn a_service_is_scheduled_changed_done_and_paid(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let quoted = json!({
            "client_id": client.0, "dog_ids": [client.1], "service_type": "walk", "duration_minutes": 30,
        });
        let preview = dana.post("/scheduled-services/price-preview", quoted).await;
        assert_eq!((&preview.data()["price"], &preview.data()["breakdown"]["baseDogPrice"]), (&json!(25), &json!(25)));
        let made = dana.post("/scheduled-services", walk(&client.0, &client.1, "2026-11-23", "09:30")).await;
        let (id, service) = (made.id(), made.data());
        assert_eq!((&service["end_time"], &service["formatted_time"], &service["type"]),
            (&json!("10:00"), &json!("9:30 AM - 10:00 AM"), &json!("walk")));
        assert_eq!(made.headers["etag"], format!("\"{}\"", service["rev"]).as_str());

        let asked = |start: &str| json!({
            "service_type": "walk", "date": "2026-11-23", "start_time": start, "duration_minutes": 30,
        });
        let taken = dana.post("/scheduled-services/check-conflict", asked("10:10")).await;
        assert_eq!((&taken.data()["conflict"], &taken.data()["with"][0]["id"]), (&json!(true), &json!(id)));
        let free = dana.post("/scheduled-services/check-conflict", asked("12:00")).await;
        assert_eq!(free.data()["conflict"], false);
        let refused = dana.post("/scheduled-services", walk(&client.0, &client.1, "2026-11-23", "10:10")).await;
        assert_eq!(refused.failure(), (409, "conflict"));
        assert_eq!(refused.body["error"], "Time slot conflict detected. Please choose a different time.");
        assert_eq!(refused.body["details"]["with"][0]["id"], json!(id));
        let mut anyway = walk(&client.0, &client.1, "2026-11-23", "10:10");
        anyway["overlap_ok"] = json!(true);
        assert_eq!(dana.post("/scheduled-services", anyway).await.status, 201);

        let path = format!("/scheduled-services/{id}");
        let moved = dana.put(&path, json!({ "date": "2026-11-24", "duration_minutes": 60 })).await;
        assert_eq!((&moved.data()["date"], &moved.data()["price"]), (&json!("2026-11-24"), &json!(35)));
        let done = dana.post(&format!("{path}/complete"), json!({ "notes": "Fine." })).await;
        assert_eq!((&done.data()["status"], &done.data()["completion_notes"]), (&json!("completed"), &json!("Fine.")));
        assert_eq!(dana.post(&format!("{path}/complete"), json!({})).await.status, 200, "a repeat is no mistake");
        assert_eq!(dana.delete(&path).await.failure(), (409, "already_completed"));
        assert_eq!(dana.put(&path, json!({ "notes": "x" })).await.failure(), (409, "already_completed"));

        let paid = dana.patch(&format!("/services/{id}/paid"), json!({ "paid": true })).await;
        assert_eq!(paid.data()["paid"], true);
        let unpaid = dana.patch(&format!("/services/{id}/payment"), json!({ "paid": false })).await;
        assert_eq!(unpaid.data()["paid"], false);
        let range = format!("/services/range?clientId={}&startDate=2026-11-23&endDate=2026-11-24", client.0);
        assert_eq!(dana.get(&range).await.data().as_array().unwrap().len(), 2);
        let listed = dana.get("/scheduled-services?date_start=2026-11-24&status=completed").await;
        assert_eq!(listed.data().as_array().unwrap().len(), 1);
        let stats = dana.get("/dashboard/stats").await;
        assert_eq!(stats.data(), &json!({
            "walks": 1, "dropins": 0, "revenue": 35, "unpaid_amount": 35, "unpaid_count": 1,
        }));
        assert_eq!(dana.get("/scheduling/constraints").await.data(), &json!({
            "defaultWalkDuration": 30, "defaultDropinDuration": 30, "minDurationMinutes": 15, "maxDurationMinutes": 480,
        }));
        dana.put("/sitters/profile", json!({ "hour_cycle": "h23" })).await.data();
        for answer in [dana.get(&path).await.data().clone(), dana.get(&range).await.data()[1].clone()] {
            assert_eq!(answer["formatted_time"], "09:30 - 10:30", "as the business writes times of day");
        }
    }

    async fn a_range_of_days_has_what_goes_on_within_it_and_nothing_cancelled(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let stay = json!({ "name": "Overnight", "base_price": 65, "pricing_type": "daily", "category": "Boarding" });
        let offering = dana.post("/sitter-services", stay).await.id();
        let mut form = walk(&client.0, &client.1, "2026-11-22", "10:00");
        (form["offering_id"], form["end_date"]) = (json!(offering), json!("2026-11-24"));
        let stay = dana.post("/scheduled-services", form).await.id();
        let mut days = Vec::new();
        for date in ["2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26"] {
            days.push(dana.walk(&client, date, "10:00").await);
        }
        dana.delete(&format!("/scheduled-services/{}", days[1])).await.data();
        let ids = async |path: String| {
            let answer = dana.get(&path).await;
            answer.data().as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let range = |first: &str, last: &str| format!("/services/range?clientId={}&startDate={first}&endDate={last}", client.0);
        assert_eq!(ids(range("2026-11-24", "2026-11-25")).await, [stay.clone(), days[2].clone()]);
        assert_eq!(ids(range("2026-11-25", "2026-11-25")).await, [days[2].clone()]);
        assert_eq!(ids(range("2026-11-20", "2026-11-21")).await, Vec::<String>::new());
        let scheduled = "/scheduled-services?date_start=2026-11-24&date_end=2026-11-25".to_owned();
        assert_eq!(ids(scheduled).await, [stay, days[1].clone(), days[2].clone()]);
    }

    async fn a_price_preview_is_what_is_charged(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let form = json!({
            "name": "Sam", "dogs": [{ "name": "Rex" }, { "name": "Misse", "pet_type": "cat" }],
            "multiple_dog_method": "flat", "additional_dog_walk_rate": 5, "additional_dog_dropin_rate": 8,
        });
        let client = dana.post("/clients", form).await;
        let dogs: Vec<&Value> = client.data()["dogs"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
        let sitting = json!({ "name": "Puppy sitting", "base_price": 20, "category": "Pet Sitting" });
        let stay = json!({ "name": "Overnight", "base_price": 65, "pricing_type": "daily", "category": "Boarding" });
        let sitting = dana.post("/sitter-services", sitting).await.id();
        let stay = dana.post("/sitter-services", stay).await.id();
        let form = |more: Value| {
            let mut form = walk(&client.id(), "", "2026-11-23", "10:00");
            form["dog_ids"] = json!([dogs[0], dogs[1], dogs[0]]);
            form.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            form
        };
        for (more, price) in [
            (json!({}), 25),
            (json!({ "offering_id": sitting, "start_time": "13:00" }), 28),
            (json!({ "offering_id": stay, "end_date": "2026-11-25" }), 203),
        ] {
            let quoted = dana.post("/scheduled-services/price-preview", form(more.clone())).await;
            let made = dana.post("/scheduled-services", form(more)).await;
            assert_eq!((&quoted.data()["price"], &made.data()["price"]), (&json!(price), &json!(price)));
            assert_eq!(quoted.data()["breakdown"], made.data()["pricing_breakdown"]);
        }
        let mut without_a_day = form(json!({ "offering_id": stay, "end_date": "2026-11-25" }));
        without_a_day.as_object_mut().unwrap().remove("date");
        let refused = dana.post("/scheduled-services/price-preview", without_a_day).await;
        assert_eq!(refused.body["fields"]["date"], "Please select a date");
        let other = dana.client("Kim").await;
        let refused = dana.post("/scheduled-services/price-preview", form(json!({ "dog_ids": [other.1] }))).await;
        assert_eq!(refused.body["fields"]["dog_ids"], "A selected dog is not one of this client's");
    }

    async fn a_record_of_work_done_is_made_and_removed(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let made = dana.post("/services", json!({
            "clientId": client.0, "type": "dropin", "date": "2026-11-10", "start_time": "08:00:00", "dogs": [client.1],
            "price": 22.25, "paid": true,
        })).await;
        assert_eq!((&made.data()["status"], &made.data()["price"]), (&json!("completed"), &json!(22.25)));
        assert_eq!(dana.get("/services/recent?limit=1").await.data()[0]["id"], json!(made.id()));
        assert_eq!(dana.get("/services").await.data().as_array().unwrap().len(), 1);
        let to_come = dana.walk(&client, "2026-11-24", "10:00").await;
        let changed = json!({ "type": "dropin", "clientId": client.0, "dogs": [client.1] });
        let changed = dana.put(&format!("/services/{to_come}"), changed).await;
        assert_eq!(changed.data()["service_type"], "dropin", "in a record's names");
        let refused = dana.put(&format!("/services/{}", made.id()), json!({ "notes": "x" })).await;
        assert_eq!(refused.failure(), (409, "already_completed"));
        assert_eq!(dana.delete(&format!("/services/{}", made.id())).await.status, 200);
        assert_eq!(dana.get(&format!("/services/{}", made.id())).await.failure(), (404, "not_found"));
        let wrong = dana.post("/services", json!({ "price": -1 })).await;
        assert_eq!(wrong.body["fields"]["client_id"], "Client is required");
        assert_eq!(wrong.body["fields"]["price"], "Price cannot be negative");
    }

    async fn recent_records_are_the_newest_ones_and_no_more_than_asked_for(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let mut newest_first = Vec::new();
        for (date, start) in [("2026-11-10", "08:00"), ("2026-11-10", "09:00"), ("2026-11-11", "07:00")] {
            let made = dana.post("/services", json!({
                "client_id": client.0, "type": "walk", "date": date, "start_time": start, "dogs": [client.1],
            })).await;
            newest_first.insert(0, json!(made.id()));
        }
        dana.walk(&client, "2026-11-24", "10:00").await;
        let ids = |answer: &Value| {
            answer.as_array().unwrap().iter().map(|it| it["id"].clone()).collect::<Vec<_>>()
        };
        for (query, n) in [("", 3), ("?limit=2", 2), ("?limit=0", 0), ("?limit=99999999999", 3)] {
            let recent = dana.get(&format!("/services/recent{query}")).await;
            assert_eq!(ids(recent.data()), newest_first[..n], "{query}");
        }
        assert_eq!(ids(dana.get("/services").await.data()), newest_first);
    }

    async fn every_list_has_pages_and_says_how_many_rows_there_are(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let clients = [dana.client("Sam").await, dana.client("Kim").await, dana.client("Lee").await];
        app.link(&dana, &clients[0].0, Some(&parent)).await;
        for (client, start) in clients.iter().zip(["09:00", "11:00", "14:00"]) {
            dana.walk(client, "2026-11-24", start).await;
            app.request(&dana, client).await;
        }
        dana.walk(&clients[0], "2026-11-25", "09:00").await;
        app.request(&dana, &clients[0]).await;
        for content in ["Hello", "Rex was happy"] {
            dana.post("/messages", json!({ "conversation_id": clients[0].0, "content": content })).await.data();
        }
        let mut n_lists = 0;
        for (method, path, operation) in operations(walkies_server::api::router::document()) {
            let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"]["properties"];
            let is_list = schema["data"]["type"] == "array" || path == "/sitter/requests";
            if method != "GET" || !is_list {
                continue;
            }
            n_lists += 1;
            assert!(schema["total"].is_object(), "{path} does not document its total");
            let names: Vec<&str> = operation["parameters"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
            assert!(names.contains(&"limit") && names.contains(&"offset"), "{path}: {names:?}");
            let user = if operation["x-access"] == "client" { &parent } else { &dana };
            let path = path.replace("{id}", &clients[0].0);
            let query = match path.as_str() {
                "/conversations/search" => "q=Sam&".to_owned(),
                "/client/slots" => "date=2026-11-26&".to_owned(),
                "/services/range" => format!("clientId={}&startDate=2026-01-01&endDate=2027-01-01&", clients[0].0),
                _ => String::new(),
            };
            let read = async |page: &str| {
                let answer = user.get(&format!("{path}?{query}{page}")).await;
                let rows = answer.data().get("requests").unwrap_or(answer.data()).as_array().unwrap().clone();
                (rows, answer.body["total"].as_u64())
            };
            let (whole, total) = read("").await;
            assert_eq!(total, Some(whole.len() as u64), "{path}");
            let mut pages = Vec::new();
            for offset in 0..=whole.len() {
                let (page, total) = read(&format!("limit=1&offset={offset}")).await;
                assert_eq!(total, Some(whole.len() as u64), "{path} at {offset}");
                pages.push(page);
            }
            // A conversation's pages go from its newest message back.
            if !path.ends_with("/messages") {
                assert_eq!(pages.concat(), whole, "{path}");
            }
        }
        assert!(15 < n_lists, "{n_lists}");
    }

    async fn a_query_that_cannot_be_read_names_its_parameter(app: TestApp) {
        let dana = app.sitter("Dana").await;
        for (path, text) in [
            ("/services?limit=many", "`limit` is not valid"),
            ("/services?offset=-1", "`offset` is not valid"),
            ("/scheduled-services?date_start=soon", "`date_start` is not valid"),
            ("/scheduled-services?status=lost", "`status` is not valid"),
            ("/conversations/search", "`q` is missing"),
        ] {
            let refused = dana.get(path).await;
            assert_eq!(refused.failure(), (400, "malformed"), "{path}");
            assert_eq!(refused.body["error"], text, "{path}");
        }
    }

    async fn a_body_that_cannot_be_read_names_its_field_and_what_it_must_be(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let send = async |method: &str, path: &str, kind: &str, body: &str| {
            let request = Request::builder().method(method).uri(format!("/api{path}")).header("content-type", kind);
            let refused = dana.send(request.body(Body::from(body.to_owned())).unwrap()).await;
            let (status, code) = refused.failure();
            (status, code.to_owned(), refused.body["error"].as_str().unwrap().to_owned())
        };
        let malformed = |text: &str| (400, "malformed".to_owned(), text.to_owned());
        // Bodies of one form.
        for (path, body, text) in [
            ("/auth/signin", r#"{"email":5,"password":""}"#, "`email` must be a text"),
            ("/auth/signin", "5", "The body must be an object"),
            ("/auth/signin", "", "The body must be JSON, and is empty"),
            ("/auth/signin", "{\"email\":", "The body is not valid JSON at line 1, column 9"),
        ] {
            assert_eq!(send("POST", path, "application/json", body).await, malformed(text), "{path} {body}");
        }
        let asked = json!({ "client_id": client.0, "service_type": "walk", "duration_minutes": 30 });
        for (field, value, text) in [
            ("client_id", Value::Null, "`client_id` must be a text"),
            ("client_id", json!("7"), "`client_id` must be a UUID"),
            ("service_type", json!("run"), "`service_type` must be one of `walk`, `dropin`"),
            ("duration_minutes", json!(12.5), "`duration_minutes` must be a whole number, 0 or more"),
            ("date", json!("soon"), "`date` must be a date, such as 2026-11-20"),
            ("dog_ids", json!([client.1, "7"]), "Each of `dog_ids` must be a UUID"),
        ] {
            let mut body = asked.clone();
            body[field] = value;
            let sent = send("POST", "/scheduled-services/price-preview", "application/json", &body.to_string()).await;
            assert_eq!(sent, malformed(text), "{body}");
        }
        let missing = send("POST", "/scheduled-services/price-preview", "application/json", "{}").await;
        assert_eq!(missing, malformed("`client_id` is missing"));
        // Forms, whose fields are read one by one.
        let approve = format!("/sitter/requests/{}/approve", app.request(&dana, &client).await);
        let invalid = |text: &str| (422, "invalid".to_owned(), text.to_owned());
        for (method, path, body, expected) in [
            ("POST", "/clients", "[]", malformed("The body must be an object")),
            ("POST", "/clients", r#"{"id":"7"}"#, malformed("`id` must be a UUID")),
            ("POST", "/clients", r#"{"dogs":"Rex"}"#, invalid("`dogs` must be a list")),
            ("POST", "/clients", r#"{"dogs":[5]}"#, malformed("`dogs` must have objects or names")),
            ("POST", approve.as_str(), r#"{"overlap_ok":"yes"}"#, invalid("`overlap_ok` must be true or false")),
            ("POST", approve.as_str(), r#"{"price":"much"}"#, invalid("`price` must be a number")),
            ("PATCH", "/sitter-services/reorder", r#"{"serviceOrders":[{"id":"7"}]}"#, invalid("`serviceOrders.0.id` must be a UUID")),
        ] {
            assert_eq!(send(method, path, "application/json", body).await, expected, "{path} {body}");
        }
        // Forms with a file.
        let of_parts = "multipart/form-data; boundary=XX";
        let part = |name: &str, content: &str| {
            format!("--XX\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{content}\r\n--XX--\r\n")
        };
        for (path, file) in [("/upload", "photo"), ("/messages/upload", "file")] {
            let missing = format!("`{file}` is missing");
            for (kind, body, text) in [
                ("application/json", "{}".to_owned(), "The body must be multipart/form-data with a boundary"),
                ("multipart/form-data", String::new(), "The body must be multipart/form-data with a boundary"),
                (of_parts, "--XX\r\nno header\r\n\r\n".to_owned(), "The body is not valid multipart/form-data"),
                (of_parts, part("id", "7"), "`id` must be a UUID"),
                (of_parts, part("other", "7"), missing.as_str()),
            ] {
                assert_eq!(send("POST", path, kind, &body).await, malformed(text), "{path} {body}");
            }
        }
        let no_document = send("POST", "/sitters/upload-document", "application/json", "{}").await;
        assert_eq!(no_document, malformed("The body must be multipart/form-data with a boundary"));
        // Places in the path.
        for path in ["/clients/7", "/clients/%FF", "/photos/7"] {
            assert_eq!(dana.get(path).await.failure(), (404, "not_found"), "{path}");
        }
    }

    #[always]
    async fn lists_take_as_many_trips_to_the_database_however_long_they_are(app: TestApp) {
        let dana = app.sitter("Dana").await;
        // One of them finds the session.
        let most = [
            ("/sitters/profile", 2), ("/services/recent", 3), ("/dashboard/stats", 2), ("/clients", 7),
            ("/clients-available", 7),
        ];
        for n_clients in 0..3 {
            for (path, most) in most {
                let trips = trips(&dana, path).await;
                assert!(trips <= most, "{path} takes {trips} with {n_clients} clients");
            }
            let client = dana.client("Sam").await;
            dana.put(&format!("/clients/{}", client.0), json!({ "email": "sam@example.com" })).await;
            dana.post("/services", json!({
                "client_id": client.0, "type": "walk", "date": "2026-11-10", "start_time": "08:00", "dogs": [client.1],
            })).await;
        }
    }

    async fn hours_blocked_times_and_settings_are_kept(app: TestApp) {
        let dana = app.sitter("Dana").await;
        patterns_off(&dana).await;
        let made = dana.post("/availability/patterns", json!({ "day_of_week": 0, "pattern_name": "Sundays" })).await;
        let pattern = made.data();
        assert_eq!((&pattern["start_time"], &pattern["end_time"], &pattern["buffer_minutes"], &pattern["is_active"]),
            (&json!("09:00"), &json!("17:00"), &json!(15), &json!(true)));
        let path = format!("/availability/patterns/{}", made.id());
        assert_eq!(dana.patch(&format!("{path}/toggle"), json!({})).await.data()["is_active"], false);
        assert_eq!(dana.patch(&format!("{path}/toggle"), json!({})).await.data()["is_active"], true);
        assert_eq!(dana.patch(&format!("{path}/toggle"), json!({ "is_active": true })).await.data()["is_active"], true);
        assert_eq!(dana.put(&path, json!({ "priority": 3 })).await.data()["priority"], 3);
        assert_eq!(dana.put(&path, json!({ "priority": 0 })).await.failure(), (422, "invalid"));
        assert_eq!(dana.get("/availability/patterns").await.data().as_array().unwrap().len(), 1);
        assert_eq!(dana.delete(&path).await.status, 200);

        let made = dana.post("/availability/blocked-times", json!({ "block_date": "2026-11-23" })).await;
        assert_eq!((&made.data()["block_type"], &made.data()["start_time"]), (&json!("lunch"), &json!("12:00")));
        let client = dana.client("Sam").await;
        let refused = dana.post("/scheduled-services", walk(&client.0, &client.1, "2026-11-23", "12:15")).await;
        assert_eq!(refused.body["details"]["with"][0]["kind"], "blocked_time");
        assert_eq!(dana.delete(&format!("/availability/blocked-times/{}", made.id())).await.status, 200);
        assert_eq!(dana.get("/availability/blocked-times").await.data(), &json!([]));
        let mut ids = Vec::new();
        for block in [
            json!({ "block_date": "2026-11-01" }),
            json!({ "block_date": "2026-12-01" }),
            json!({ "block_date": "2026-10-02", "is_recurring": true, "recurrence_pattern": "weekly" }),
        ] {
            ids.insert(0, json!(dana.post("/availability/blocked-times", block).await.id()));
        }
        let listed = dana.get("/availability/blocked-times").await;
        let listed: Vec<&Value> = listed.data().as_array().unwrap().iter().map(|it| &it["id"]).collect();
        assert_eq!(listed, ids.iter().collect::<Vec<_>>(), "what comes next first, then what is over");

        let mut config = dana.get("/availability/config").await.data().clone();
        config["slot_interval_minutes"] = json!(20);
        let changed = dana.put("/availability/config", config).await;
        assert_eq!(changed.data()["slot_interval_minutes"], 20);
        assert_eq!(dana.get("/availability/config").await.data(), changed.data());
    }

    async fn the_profile_is_complete_when_clients_know_who_comes(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let area = json!({ "address": "Kamppi", "lat": 60.17, "lng": 24.93, "radius_miles": 3, "name": "ignored here" });
        let changed = dana.put("/sitters/service-area", area).await;
        assert_eq!((&changed.data()["service_area_lat"], &changed.data()["name"]), (&json!(60.17), &json!("Dana")));
        let wrong = dana.put("/sitters/profile", json!({ "time_zone": "Mars/Olympus" })).await;
        assert_eq!(wrong.body["fields"], json!({ "time_zone": "Unknown time zone" }));
        dana.put("/sitters/profile", json!({ "phone": "+358 40 555 0100", "time_zone": "Europe/Helsinki" })).await.data();
        assert_eq!(dana.get("/sitter/profile/status").await.data()["isComplete"], true);
    }

    async fn today_is_the_sitters_own(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        // 23:30 of the 20th in New York, 04:30 of the 21st in London.
        app.clock.advance(DAY - 4 * 3_600_000 - 1_800_000);
        dana.walk(&client, "2026-11-20", "10:00").await;
        dana.put("/sitters/profile", json!({ "time_zone": "Europe/London" })).await.data();
        let past = dana.post("/scheduled-services", walk(&client.0, &client.1, "2026-11-20", "15:00")).await;
        assert_eq!(past.body["fields"]["date"], "Cannot schedule services in the past");
    }

    async fn requests_are_listed_by_status(app: TestApp) {
        demo::create(&app.state, &demo::BALTIMORE).await.unwrap();
        let form = json!({ "email": "demo@walkies.example", "password": "walkies-demo" });
        let demo = app.user_of(&app.anonymous().post("/auth/signin", form).await);
        let all = demo.get("/sitter/requests").await;
        assert_eq!(all.data()["requests"].as_array().unwrap().len(), 5);
        let pending = demo.get("/sitter/requests?status=pending").await;
        let pending = pending.data()["requests"].as_array().unwrap();
        assert_eq!(pending.len(), 3);
        assert!(pending.iter().all(|it| it["dogs"][0]["name"].is_string() && it["client_name"].is_string()));
        assert!(pending.iter().any(|it| it["client_user_email"] == "parent@walkies.example"));
    }

    async fn a_request_is_approved_once_and_its_service_is_linked(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let path = format!("/sitter/requests/{}", app.request(&dana, &client).await);
        let form = json!({ "create_scheduled_service": true, "sitter_response": "With pleasure" });
        let approved = dana.post(&format!("{path}/approve"), form.clone()).await;
        let request = approved.data();
        assert_eq!((&request["status"], &request["sitter_response"]), (&json!("approved"), &json!("With pleasure")));
        let service = request["scheduled_service_id"].as_str().unwrap();
        let service = dana.get(&format!("/scheduled-services/{service}")).await;
        assert_eq!(service.data()["date"], "2026-11-25");
        assert_eq!((&service.data()["internal_notes"], &service.data()["price"]), (&json!("Side gate, please"), &json!(25)));
        assert_eq!(service.data()["notes"], "", "an invoice shows it to whoever has its link");

        let again = dana.post(&format!("{path}/approve"), form).await;
        assert_eq!(again.failure(), (409, "already_answered"));
        assert_eq!(again.body["message"], "This request was already approved.");
        assert_eq!(dana.post(&format!("{path}/decline"), json!({})).await.failure(), (409, "already_answered"));
        let other = app.sitter("Other").await;
        assert_eq!(other.post(&format!("{path}/approve"), json!({})).await.failure(), (404, "gone"));
    }

    async fn a_request_is_completed_once_its_service_is(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let client = dana.client("Sam").await;
        app.link(&dana, &client.0, Some(&parent)).await;
        let (first, second) = (app.request(&dana, &client).await, app.request(&dana, &client).await);
        let approve = async |id: &str, start: &str| {
            let form = json!({ "start_time": start });
            let approved = dana.post(&format!("/sitter/requests/{id}/approve"), form).await;
            approved.data()["scheduled_service_id"].as_str().unwrap().to_owned()
        };
        let service = approve(&first, "09:00").await;
        approve(&second, "12:00").await;
        app.clock.advance(5 * DAY);
        dana.post(&format!("/scheduled-services/{service}/complete"), json!({})).await.data();
        let ids = async |status: &str| {
            let answer = dana.get(&format!("/sitter/requests?status={status}")).await;
            let requests = answer.data()["requests"].as_array().unwrap();
            assert!(requests.iter().all(|it| it["status"] == status));
            requests.iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(ids("completed").await, std::slice::from_ref(&first));
        assert_eq!(ids("approved").await, std::slice::from_ref(&second));
        let all = dana.get("/sitter/requests").await;
        assert_eq!(all.data()["requests"].as_array().unwrap().len(), 2);
        let seen = parent.get("/client/requests").await;
        let status = |id: &str| seen.data().as_array().unwrap().iter().find(|it| it["id"] == id).unwrap()["status"].clone();
        assert_eq!((status(&first), status(&second)), (json!("completed"), json!("approved")));
    }

    async fn a_request_shows_who_asks_and_for_whom(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let client = dana.client("Sam Rivers").await;
        app.link(&dana, &client.0, Some(&parent)).await;
        let photo = dana.upload(None, &jpeg()).await.id();
        let form = json!({
            "address": "18 Alder Street", "dogs": [{ "id": client.1, "name": "Rex", "breed": "Beagle", "photo": photo }],
        });
        dana.put(&format!("/clients/{}", client.0), form).await.data();
        app.request(&dana, &client).await;
        let requests = dana.get("/sitter/requests").await;
        let request = &requests.data()["requests"][0];
        let shown = |fields: &[&str]| fields.iter().map(|it| request[*it].clone()).collect::<Vec<_>>();
        let who = ["client_name", "client_address", "client_user_id", "client_user_name", "client_user_email"];
        assert_eq!(shown(&who), [
            json!("Sam Rivers"), json!("18 Alder Street"), json!(parent.user_id), json!("Sam"), json!("sam@example.com"),
        ]);
        assert_eq!(request["dogs"], json!([{ "id": client.1, "name": "Rex", "breed": "Beagle", "photo": photo }]));
    }

    async fn what_is_in_a_requests_way_is_told_and_free_times_are_offered(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        dana.walk(&client, "2026-11-25", "09:15").await;
        let path = format!("/sitter/requests/{}", app.request(&dana, &client).await);
        let refused = dana.post(&format!("{path}/approve"), json!({})).await;
        assert_eq!(refused.failure(), (409, "conflict"));
        assert_eq!(refused.body["details"]["with"][0]["start_time"], "09:15");
        let free = refused.body["details"]["free"][0].as_str().unwrap();
        let moved = dana.post(&format!("{path}/approve"), json!({ "start_time": free })).await;
        assert_eq!(moved.data()["status"], "approved");
        let without = json!({ "create_scheduled_service": false });
        let path = format!("/sitter/requests/{}", app.request(&dana, &client).await);
        assert_eq!(dana.post(&format!("{path}/approve"), without).await.status, 400);
    }

    async fn a_request_is_declined_with_and_without_a_reason(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        for (reason, said) in [
            (json!({ "sitter_response": "Full that day" }), "Full that day"),
            (json!({}), "Sorry, I'm not available at this time."),
        ] {
            let path = format!("/sitter/requests/{}/decline", app.request(&dana, &client).await);
            let declined = dana.post(&path, reason.clone()).await;
            assert_eq!((&declined.data()["status"], &declined.data()["sitter_response"]), (&json!("declined"), &json!(said)));
            assert_eq!(dana.post(&path, reason).await.status, 200, "a repeat is no mistake");
        }
        assert_eq!(dana.get("/sitter/requests?status=declined").await.data()["requests"].as_array().unwrap().len(), 2);
    }

    async fn the_demo_business_is_made_once_and_has_a_life(app: TestApp) {
        demo::create(&app.state, &demo::BALTIMORE).await.unwrap();
        let before = app.dump(None).await;
        demo::create(&app.state, &demo::BALTIMORE).await.unwrap();
        assert_eq!(app.dump(None).await, before);
        let count = |table: &str, text: &str| {
            before.iter().filter(|it| it.starts_with(&format!("{table} ")) && it.contains(text)).count()
        };
        assert_eq!(count("client", ""), 12);
        assert!((700..1400).contains(&count("service", "")), "{}", count("service", ""));
        for status in ["scheduled", "completed", "cancelled"] {
            assert!(0 < count("service", &format!("\"status\":\"{status}\"")), "{status}");
        }
        assert!(0 < count("service", "\"start_time\":\"05:15\""));
    }

    async fn the_demo_has_invoices_of_every_kind_and_its_pet_parent_sees_some(app: TestApp) {
        demo::create(&app.state, &demo::BALTIMORE).await.unwrap();
        let sign_in = async |email: &str| {
            let form = json!({ "email": email, "password": "walkies-demo" });
            app.user_of(&app.anonymous().post("/auth/signin", form).await)
        };
        let demo = sign_in("demo@walkies.example").await;
        let listed = demo.get("/invoices").await;
        let invoices = listed.data().as_array().unwrap();
        let has = |kind: &str, is_it: &dyn Fn(&Value) -> bool| assert!(invoices.iter().any(is_it), "{kind}");
        let is_credit = |it: &Value| it["credits"].is_string();
        let has_payments = |it: &Value| !it["payments"].as_array().unwrap().is_empty();
        has("paid", &|it| it["paid"] == true && !is_credit(it));
        has("partly paid", &|it| it["paid"] == false && has_payments(it));
        has("overdue", &|it| it["paid"] == false && it["due_date"].as_str().unwrap() < "2026-11-20");
        has("a credit note", &is_credit);
        let parent = sign_in("parent@walkies.example").await;
        let theirs = parent.get("/client/invoices").await;
        let paid: Vec<_> = theirs.data().as_array().unwrap().iter().map(|it| it["paid"].clone()).collect();
        assert_eq!(paid, [json!(false), json!(true)]);
    }

    async fn an_invoice_of_the_demo_shows_a_video_in_ranges(app: TestApp) {
        demo::create(&app.state, &demo::BALTIMORE).await.unwrap();
        let form = json!({ "email": "parent@walkies.example", "password": "walkies-demo" });
        let parent = app.user_of(&app.anonymous().post("/auth/signin", form).await);
        let theirs = parent.get("/client/invoices").await;
        let share_id = theirs.data()[0]["shareId"].as_str().unwrap().to_owned();
        let anyone = app.anonymous();
        let words = anyone.get(&format!("/public/invoices/{share_id}")).await;
        assert_eq!(words.data()["n_videos"], 1);
        let path = format!("/public/invoices/{share_id}/videos/0");
        let video = anyone.get(&path).await;
        assert_eq!(video.headers["content-type"], "video/mp4");
        let part = anyone.call("GET", &path, &[("range", "bytes=4-7")], None).await;
        assert!(part.status == 206 && part.bytes == b"ftyp" && video.bytes[4..8] == part.bytes);
    }

    async fn each_pet_of_the_demo_has_a_portrait_of_its_own(app: TestApp) {
        demo::create(&app.state, &demo::BALTIMORE).await.unwrap();
        let form = json!({ "email": "demo@walkies.example", "password": "walkies-demo" });
        let demo = app.user_of(&app.anonymous().post("/auth/signin", form).await);
        let clients = demo.get("/clients").await;
        let pets = clients.data().as_array().unwrap().iter().flat_map(|it| it["dogs"].as_array().unwrap().clone());
        let mut portraits = std::collections::BTreeSet::new();
        let mut count = 0;
        for pet in pets {
            let id = pet["photo"].as_str().unwrap_or_else(|| panic!("{} has no portrait", pet["name"]));
            portraits.insert(demo.get(&format!("/photos/{id}?size=thumb")).await.bytes);
            count += 1;
        }
        assert_eq!((portraits.len(), count), (16, 16));
    }
}
