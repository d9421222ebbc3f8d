//! Nothing is without an end: what is too much, or no text, is refused by the name of its field, on both databases and
//! on both ways in.

use serde_json::{Value, json};
use walkies_core::values::bounds;
use walkies_server::app::settings::Settings;
use walkies_server::limits::rate::Rate;

use crate::on_both;
use crate::support::{Phone, TestApp, settings, walk};

fn id() -> String {
    walkies_server::base::env::Env::system().id().to_string()
}

/// The names of the fields that an answer of 422 is about.
#[track_caller]
fn wrong_fields(answer: &crate::support::Answer) -> Vec<String> {
    assert_eq!(answer.failure(), (422, "invalid"), "{}", answer.body);
    answer.body["fields"]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect()
}

on_both! {
    async fn a_list_that_is_too_long_is_refused_before_anything_is_looked_up(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (client, dog) = dana.client("Sam").await;
        let before = app.dump(None).await;
        let pets = json!({ "name": "Kim", "dogs": vec![json!({ "name": "" }); 8_000] });
        assert_eq!(wrong_fields(&dana.post("/clients", pets.clone()).await), ["dogs"]);
        assert_eq!(wrong_fields(&dana.put(&format!("/clients/{client}"), pets).await), ["dogs"]);
        let mut visit = walk(&client, &dog, "2026-11-25", "10:00");
        visit["dog_ids"] = json!(vec![dog.clone(); 51]);
        for path in ["/scheduled-services", "/services", "/scheduled-services/price-preview"] {
            assert_eq!(wrong_fields(&dana.post(path, visit.clone()).await), ["dog_ids"], "{path}");
        }
        let orders = json!({ "serviceOrders": vec![json!({ "id": dog, "display_order": 1 }); 201] });
        assert_eq!(wrong_fields(&dana.patch("/sitter-services/reorder", orders).await), ["serviceOrders"]);
        let types = json!({ "service_types": vec!["walk"; 11], "blocked_services": vec!["walk"; 11] });
        assert_eq!(wrong_fields(&dana.post("/availability/patterns", types).await), ["blocked_services"]);
        assert_eq!(app.dump(None).await, before);
    }

    async fn a_text_holds_no_control_character_and_no_more_than_its_bound(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (client, dog) = dana.client("Sam").await;
        let service = dana.walk(&(client.clone(), dog.clone()), "2026-11-24", "10:00").await;
        let offering = dana.get("/sitter-services").await.data()[0]["id"].as_str().unwrap().to_owned();
        let pattern = dana.get("/availability/patterns").await.data()[0]["id"].as_str().unwrap().to_owned();
        let before = app.dump(None).await;
        for (method, path, field) in [
            ("PUT", format!("/clients/{client}"), "access_notes"),
            ("PUT", format!("/clients/{client}"), "address"),
            ("PUT", "/sitters/profile".to_owned(), "business_name"),
            ("PUT", "/sitters/service-area".to_owned(), "address"),
            ("PUT", format!("/sitter-services/{offering}"), "description"),
            ("PUT", format!("/availability/patterns/{pattern}"), "pattern_name"),
            ("POST", "/availability/blocked-times".to_owned(), "reason"),
            ("POST", "/expenses".to_owned(), "note"),
            ("PUT", format!("/scheduled-services/{service}"), "internal_notes"),
            ("POST", format!("/scheduled-services/{service}/complete"), "notes"),
            ("POST", "/auth/signup".to_owned(), "email"),
            ("POST", "/auth/signin".to_owned(), "email"),
            ("POST", "/auth/forgot-password".to_owned(), "email"),
            ("POST", "/auth/reset-password".to_owned(), "token"),
            ("POST", "/auth/change-password".to_owned(), "current_password"),
            ("POST", "/auth/factors/totp".to_owned(), "name"),
        ] {
            for text in ["a\0b".to_owned(), "a\rb".to_owned(), "é".repeat(bounds::text(field) + 1)] {
                let answer = dana.call(method, &path, &[], Some(json!({ field: text }))).await;
                assert_eq!(wrong_fields(&answer), [field], "{method} {path}");
            }
        }
        let dogs = json!([{ "id": dog, "name": "Rex" }, { "name": "Pepper", "about": "\0" }]);
        let answer = dana.put(&format!("/clients/{client}"), json!({ "dogs": dogs })).await;
        assert_eq!(wrong_fields(&answer), ["dogs.1.about"]);
        assert_eq!(app.dump(None).await, before);
        let fine = json!({ "access_notes": "é".repeat(bounds::NOTES), "address": "Line\n\tline" });
        dana.put(&format!("/clients/{client}"), fine).await.data();
    }

    async fn what_a_phone_pushes_out_of_bounds_is_refused_alone(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (client, _) = dana.client("Sam").await;
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        let change = |field: &str, value: Value| json!({ "id": client, "changes": { field: value } });
        let many: Vec<Value> = (0..8_000).map(|_| json!({ "id": id(), "is_new": true, "changes": {} })).collect();
        let saved = [
            phone.save("update_client", change("access_notes", json!("a\0b"))),
            phone.save("update_client", change("name", json!("n".repeat(201)))),
            phone.save("create_client", json!({ "id": id(), "client": { "name": "Kim" }, "dogs": many })),
            phone.save("share_walk", json!({ "id": id(), "walk": { "events": vec![0; 10_000] }, "reports": [] })),
            phone.save("update_client", change("address", json!("HALF"))),
            phone.save("update_client", change("address", json!("12 Elm Street"))),
        ];
        // Half of a character, which no text of this test can hold.
        let body = json!({ "device_id": phone.device_id, "schema": 1, "backend_id": phone.backend_id, "mutations": saved });
        let body = body.to_string().replace("HALF", "\\ud800");
        let request = axum::http::Request::post("/api/sync/push").body(axum::body::Body::from(body)).unwrap();
        let answer = dana.send(request).await;
        let results = answer.data()["results"].as_array().unwrap();
        let said: Vec<_> = results
            .iter()
            .map(|it| (it["outcome"].as_str().unwrap(), it["refusal"]["fields"][0]["field"].as_str()))
            .collect();
        assert_eq!(said, [
            ("rejected", Some("access_notes")),
            ("rejected", Some("name")),
            ("rejected", Some("dogs")),
            ("rejected", Some("events")),
            ("rejected", None),
            ("applied", None),
        ]);
        assert_eq!(dana.get(&format!("/clients/{client}")).await.data()["address"], "12 Elm Street");
    }

    async fn notes_that_are_added_to_notes_stay_within_the_bound(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let visit = dana.walk(&dana.client("Sam").await, "2026-11-24", "10:00").await;
        let complete = format!("/scheduled-services/{visit}/complete");
        for n in 0..5 {
            let notes = json!({ "notes": n.to_string().repeat(998) });
            dana.post(&complete, notes).await.data();
        }
        assert_eq!(wrong_fields(&dana.post(&complete, json!({ "notes": "x".repeat(999) })).await), ["notes"]);
        dana.post(&complete, json!({ "notes": "!" })).await.data();
    }

    async fn a_business_has_room_for_so_much_even_in_a_race(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let there_are = dana.get("/availability/patterns").await.data().as_array().unwrap().len();
        for _ in there_are..bounds::PATTERNS - 1 {
            dana.post("/availability/patterns", json!({ "day_of_week": 1 })).await.data();
        }
        let one_more = || dana.post("/availability/patterns", json!({ "day_of_week": 1 }));
        let (one, other) = tokio::join!(one_more(), one_more());
        let (made, refused) = if one.status == 201 { (one, other) } else { (other, one) };
        assert_eq!(made.status, 201, "{}", made.body);
        assert_eq!(refused.body["error"], "Patterns cannot exceed 200");
        let there_are = dana.get("/sitter-services").await.data().as_array().unwrap().len();
        let offering = json!({ "name": "A walk", "base_price": 20 });
        for _ in there_are..bounds::OFFERINGS {
            dana.post("/sitter-services", offering.clone()).await.data();
        }
        assert_eq!(wrong_fields(&dana.post("/sitter-services", offering).await), ["offerings"]);
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        let pattern = json!({ "id": id(), "pattern": { "day_of_week": 1 } });
        assert_eq!(phone.send("create_pattern", pattern).await["refusal"]["fields"][0]["field"], "patterns");
    }

    async fn a_day_has_so_many_expenses_and_no_more(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let spent = |day: &str| json!({ "date": day, "category": "supplies", "amount": 2.5 });
        for _ in 0..bounds::EXPENSES_ON_A_DAY {
            dana.post("/expenses", spent("2026-11-20")).await.data();
        }
        let refused = dana.post("/expenses", spent("2026-11-20")).await;
        assert_eq!(refused.body["error"], "Expenses on a day cannot exceed 50");
        let other = dana.post("/expenses", spent("2026-11-21")).await.id();
        let moved = dana.put(&format!("/expenses/{other}"), json!({ "date": "2026-11-20" })).await;
        assert_eq!(wrong_fields(&moved), ["expenses_on_a_day"]);
        let corrected = dana.put(&format!("/expenses/{other}"), json!({ "date": "2026-11-21", "amount": 3 })).await;
        assert_eq!(corrected.data()["amount"], 3);
        let far = dana.post("/expenses", json!({ "date": "2026-11-21", "miles": 2000.1 })).await;
        assert_eq!(wrong_fields(&far), ["miles"]);
    }

    async fn a_client_has_so_many_pets_and_no_more(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        let pet = || json!({ "id": id(), "is_new": true, "changes": { "name": "Rex" } });
        let pets: Vec<Value> = (0..bounds::PETS).map(|_| pet()).collect();
        let client = id();
        let made = phone.send("create_client", json!({ "id": client, "client": { "name": "Sam" }, "dogs": pets })).await;
        assert_eq!(made["outcome"], "applied");
        let one_more = phone.send("update_client", json!({ "id": client, "changes": {}, "dogs": [pet()] })).await;
        assert_eq!(one_more["refusal"]["fields"][0]["text"], "Dogs cannot exceed 50");
    }

    async fn an_address_that_is_no_text_names_nothing(app: TestApp) {
        let dana = app.sitter("Dana").await;
        for (method, path) in [
            ("GET", "/public/reports/%00"),
            ("GET", "/public/reports/%FF"),
            ("GET", "/public/reports/%00/photos/0"),
            ("GET", "/clients/%00"),
            ("PUT", "/clients/%FF"),
            ("DELETE", "/walks/%FF"),
            ("GET", "/photos/%00"),
            ("GET", "/photos/%FF"),
            ("GET", "/map/tiles/%FF"),
        ] {
            let answer = dana.call(method, path, &[], (method == "PUT").then(|| json!({ "name": "Kim" }))).await;
            assert!(matches!(answer.failure().0, 400 | 404), "{method} {path}: {}", answer.body);
        }
        for path in ["/realtime?ticket=%00", "/scheduled-services?status=%00", "/services/recent?limit=%FF", "/photos/x?size=%00"] {
            let answer = dana.get(path).await;
            assert!(matches!(answer.failure().0, 400..=404), "{path}: {}", answer.body);
        }
    }

    async fn a_body_is_no_larger_than_its_bound(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let body = json!({ "name": "n".repeat(bounds::BODY_BYTES) });
        assert_eq!(dana.post("/clients", body.clone()).await.failure(), (413, "too_large"));
        assert_eq!(dana.post("/sync/push", body.clone()).await.failure(), (413, "too_large"));
        assert_eq!(app.anonymous().post("/auth/signin", body).await.failure(), (413, "too_large"));
    }
}

/// A server whose businesses write so many kB, and one more each minute.
async fn with_little_to_write(burst: u32) -> TestApp {
    let rate_of_writes = Rate {
        burst,
        every_ms: 60_000,
    };
    TestApp::sqlite(Settings {
        rate_of_writes,
        ..settings()
    })
    .await
}

#[tokio::test]
async fn a_phone_that_says_over_and_over_that_it_knows_more_is_told_to_wait() {
    let app = with_little_to_write(5).await;
    let mut phone = Phone::new(&app.sitter("Dana").await);
    phone.pull().await;
    let mut lines = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let Phone {
            device_id,
            epoch,
            backend_id,
            ..
        } = &phone;
        let (epoch, line) = (epoch.unwrap(), backend_id.clone().unwrap());
        let path = format!(
            "/sync/pull?cursor=1000000&device_id={device_id}&schema=2&epoch={epoch}&backend_id={line}"
        );
        let answer = phone.user.get(&path).await;
        lines.insert(line);
        if answer.status == 429 {
            break;
        }
        phone.backend_id = answer.data()["backend_id"].as_str().map(str::to_owned);
    }
    assert!((2..=6).contains(&lines.len()), "{lines:?}");
}

#[tokio::test]
async fn one_business_does_not_fill_the_database_and_loses_nothing_at_its_bound() {
    let app = with_little_to_write(40).await;
    let (dana, sam) = (app.sitter("Dana").await, app.sitter("Sam").await);
    let mut phone = Phone::new(&dana);
    let about = "n".repeat(4_000);
    let saved: Vec<Value> = (0..15)
        .map(|_| {
            let client = json!({ "name": "Anna", "access_notes": about });
            let args = json!({ "id": id(), "client": client, "dogs": [{ "id": id(), "is_new": true, "changes": { "name": "Rex" } }] });
            phone.save("create_client", args)
        })
        .collect();
    let answer = phone.push(&saved).await;
    let n = answer.data()["results"].as_array().unwrap().len();
    assert!((5..15).contains(&n), "{n} were written");
    assert_eq!(answer.data()["stopped"], "busy");
    let refused = phone.push(&saved[n..]).await;
    assert_eq!(refused.failure(), (429, "too_many_requests"));
    assert!(refused.headers.contains_key("retry-after"));
    let others = json!({ "name": "Anna", "dogs": [{ "name": "Rex" }] });
    assert_eq!(sam.post("/clients", others).await.status, 201);

    app.clock.advance(60 * 60_000);
    let answer = phone.push(&saved[n..]).await;
    let rest = answer.data()["results"].as_array().unwrap();
    assert_eq!(n + rest.len(), 15, "{answer:?}");
    assert_eq!(
        dana.get("/clients").await.data().as_array().unwrap().len(),
        15
    );
}

#[tokio::test]
async fn what_is_kept_of_refusals_counts_like_what_is_written() {
    let app = with_little_to_write(20).await;
    let dana = app.sitter("Dana").await;
    let mut phone = Phone::new(&dana);
    let nameless: Vec<Value> = (0..30)
        .map(|_| {
            let dogs = json!([{ "id": id(), "is_new": true, "changes": { "name": "Rex" } }]);
            let args = json!({ "id": id(), "client": { "name": "" }, "dogs": dogs });
            phone.save("create_client", args)
        })
        .collect();
    let answer = phone.push(&nameless).await;
    let results = answer.data()["results"].as_array().unwrap();
    assert!((5..=20).contains(&results.len()), "{answer:?}");
    assert!(
        results.iter().all(|it| it["outcome"] == "rejected"),
        "{answer:?}"
    );
    assert_eq!(answer.data()["stopped"], "busy");
}
