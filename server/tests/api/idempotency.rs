//! What is sent twice happens once.

use serde_json::json;

use crate::on_both;
use crate::support::{TestApp, walk};

on_both! {
    async fn a_repeat_with_the_same_key_gets_the_first_answer_and_changes_nothing(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let form = json!({ "name": "Sam", "dogs": ["Rex"] });
        let first = dana.post_once("one", "/clients", form.clone()).await;
        assert_eq!(first.status, 201);
        let before = app.dump(None).await;
        let second = dana.post_once("one", "/clients", form).await;
        assert_eq!((second.status, &second.body), (first.status, &first.body));
        assert_eq!(second.headers["etag"], first.headers["etag"]);
        assert_eq!(app.dump(None).await, before);
        dana.put(&format!("/clients/{}", first.id()), json!({ "name": "Samira" })).await;
        let third = dana.post_once("one", "/clients", json!({ "name": "Sam", "dogs": ["Rex"] })).await;
        assert_eq!(third.body, first.body, "also when the row has changed since");
    }

    async fn the_same_key_with_another_body_or_call_is_refused(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let first = dana.post_once("one", "/clients", json!({ "name": "Sam", "dogs": ["Rex"] })).await;
        let before = app.dump(None).await;
        let other_body = dana.post_once("one", "/clients", json!({ "name": "Kim", "dogs": ["Rex"] })).await;
        assert_eq!(other_body.failure(), (422, "key_reused"));
        let path = format!("/clients/{}", first.id());
        let other_call = dana.call("DELETE", &path, &[("idempotency-key", "one")], None).await;
        assert_eq!(other_call.failure(), (422, "key_reused"));
        assert_eq!(app.dump(None).await, before);
    }

    async fn keys_are_each_business_own(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let first = dana.post_once("one", "/clients", json!({ "name": "Sam", "dogs": ["Rex"] })).await;
        let second = other.post_once("one", "/clients", json!({ "name": "Kim", "dogs": ["Rex"] })).await;
        assert_eq!(second.status, 201);
        assert_ne!(first.id(), second.id());
    }

    async fn a_refusal_with_a_key_is_given_again_and_one_without_leaves_no_trace(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let before = app.dump(None).await;
        let form = json!({ "name": "", "dogs": [] });
        assert_eq!(dana.post("/clients", form.clone()).await.failure(), (422, "invalid"));
        assert_eq!(app.dump(None).await, before);

        let client = dana.client("Sam").await;
        let service = dana.walk(&client, "2026-11-20", "10:00").await;
        let again = walk(&client.0, &client.1, "2026-11-20", "10:15");
        let refused = dana.post_once("late", "/scheduled-services", again.clone()).await;
        assert_eq!(refused.failure(), (409, "conflict"));
        dana.delete(&format!("/scheduled-services/{service}")).await;
        let repeated = dana.post_once("late", "/scheduled-services", again.clone()).await;
        assert_eq!((repeated.status, &repeated.body), (refused.status, &refused.body));
        assert_eq!(dana.post_once("later", "/scheduled-services", again).await.status, 201);
    }

    async fn a_key_has_to_be_a_sensible_text(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let form = json!({ "name": "Sam", "dogs": ["Rex"] });
        assert_eq!(dana.post_once("", "/clients", form.clone()).await.failure(), (400, "malformed"));
        assert_eq!(dana.post_once(&"k".repeat(201), "/clients", form).await.failure(), (400, "malformed"));
    }

    async fn of_fifty_who_book_one_slot_at_once_one_gets_it(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let calls = (0..50).map(|_| {
            let (dana, form) = (dana.clone(), walk(&client.0, &client.1, "2026-11-23", "10:00"));
            tokio::spawn(async move { dana.post("/scheduled-services", form).await })
        });
        let mut made = 0;
        for call in calls.collect::<Vec<_>>() {
            let answer = call.await.unwrap();
            match answer.status.as_u16() {
                201 => made += 1,
                _ => assert_eq!(answer.failure(), (409, "conflict")),
            }
        }
        assert_eq!(made, 1);
        let services = dana.get("/scheduled-services").await;
        assert_eq!(services.data().as_array().unwrap().len(), 1);
    }

    async fn of_fifty_repeats_at_once_one_is_done(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let calls = (0..50).map(|_| {
            let dana = dana.clone();
            tokio::spawn(async move {
                dana.post_once("one", "/clients", json!({ "name": "Sam", "dogs": ["Rex"] })).await.id()
            })
        });
        let mut ids = std::collections::BTreeSet::new();
        for call in calls.collect::<Vec<_>>() {
            ids.insert(call.await.unwrap());
        }
        assert_eq!(ids.len(), 1);
        assert_eq!(dana.get("/clients").await.data().as_array().unwrap().len(), 1);
    }
}
