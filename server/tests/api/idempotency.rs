//! Idempotency: a call that is sent twice happens once.

use serde_json::json;
use walkies_core::Instant;
use walkies_server::archive::import::work;
use walkies_server::db::{self, KEPT_ANSWERS};
use walkies_server::jobs::cleanup;

use crate::document::operations;
use crate::on_both;
use crate::onboarding::{PDF, upload_once};
use crate::support::{Answer, DAY, PASSWORD, TestApp, User, walk};

const MINUTE: i64 = 60 * 1000;

/// Clears a business once.
async fn clear(app: &TestApp, user: &User, key: &str, password: &str) -> Answer {
    let form = json!({ "word": "CLEAR", "password": password });
    let asked = user.post_once(key, "/clear", form).await;
    work(&app.state).await;
    asked
}

async fn n_clients(user: &User) -> usize {
    user.get("/clients")
        .await
        .data()
        .as_array()
        .map_or(0, Vec::len)
}

on_both! {
    #[always]
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

    #[always]
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

    #[always]
    async fn keys_are_each_business_own(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let first = dana.post_once("one", "/clients", json!({ "name": "Sam", "dogs": ["Rex"] })).await;
        let second = other.post_once("one", "/clients", json!({ "name": "Kim", "dogs": ["Rex"] })).await;
        assert_eq!(second.status, 201);
        assert_ne!(first.id(), second.id());
    }

    #[always]
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

    #[always]
    async fn a_key_has_to_be_a_sensible_text(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let form = json!({ "name": "Sam", "dogs": ["Rex"] });
        assert_eq!(dana.post_once("", "/clients", form.clone()).await.failure(), (400, "malformed"));
        assert_eq!(dana.post_once(&"k".repeat(201), "/clients", form).await.failure(), (400, "malformed"));
    }

    #[always]
    async fn a_call_that_is_no_command_is_done_once_for_all_with_its_key(app: TestApp) {
        let dana = app.sitter("Dana").await;
        dana.client("Sam").await;
        let first = clear(&app, &dana, "one", PASSWORD).await;
        assert_eq!((first.status.as_u16(), n_clients(&dana).await), (200, 0));
        dana.client("After").await;
        let before = app.dump(None).await;
        let again = clear(&app, &dana, "one", PASSWORD).await;
        assert_eq!((again.status, &again.body), (first.status, &first.body));
        assert_eq!(again.headers["content-type"], first.headers["content-type"]);
        assert_eq!((app.dump(None).await, n_clients(&dana).await), (before, 1));
        let other = dana.post_once("one", "/clear/undo", json!({})).await;
        assert_eq!(other.failure(), (422, "key_reused"));
        assert_eq!(clear(&app, &dana, "", PASSWORD).await.failure(), (400, "malformed"));

        // Keys are each account's own.
        let kim = app.sitter("Kim").await;
        kim.client("Ada").await;
        clear(&app, &kim, "one", PASSWORD).await;
        assert_eq!((n_clients(&kim).await, n_clients(&dana).await), (0, 1));
    }

    #[always]
    async fn what_proves_who_asks_is_no_part_of_what_is_asked(app: TestApp) {
        let dana = app.sitter("Dana").await;
        dana.client("Sam").await;
        for wrong in ["not mine", "not mine either"] {
            assert_eq!(clear(&app, &dana, "one", wrong).await.failure(), (422, "invalid"));
        }
        assert_eq!(clear(&app, &dana, "one", PASSWORD).await.status, 200, "a slip is not kept");
        assert_eq!(clear(&app, &dana, "one", "not mine").await.status, 200, "it is done");
        // Nothing that is kept changes with the password.
        let kept = |dump: Vec<String>| dump.into_iter().filter(|it| it.starts_with("kept_answer")).collect::<Vec<_>>();
        let [before] = kept(app.dump(None).await).try_into().unwrap();
        assert!(before.contains("one"));
        clear(&app, &dana, "one", "another").await;
        assert_eq!(kept(app.dump(None).await), [before]);
    }

    #[always]
    async fn a_refusal_of_what_was_asked_is_given_again(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let refused = dana.post_once("one", "/clear/undo", json!({})).await;
        assert_eq!(refused.failure(), (404, "not_found"));
        clear(&app, &dana, "two", PASSWORD).await;
        let again = dana.post_once("one", "/clear/undo", json!({})).await;
        assert_eq!((again.status, &again.body), (refused.status, &refused.body));
        assert_eq!(dana.post_once("three", "/clear/undo", json!({})).await.status, 200);
    }

    #[always]
    async fn twins_at_once_are_done_once(app: TestApp) {
        let dana = app.sitter("Dana").await;
        dana.client("Sam").await;
        let form = json!({ "word": "CLEAR", "password": PASSWORD });
        let calls = (0..10).map(|_| {
            let (dana, form) = (dana.clone(), form.clone());
            tokio::spawn(async move { dana.post_once("one", "/clear", form).await })
        });
        for call in calls.collect::<Vec<_>>() {
            // Who is not the first may have to come again.
            let answer = call.await.unwrap();
            assert!(matches!(answer.status.as_u16(), 200 | 503), "{}", answer.body);
        }
        work(&app.state).await;
        dana.client("After").await;
        assert_eq!(dana.post_once("one", "/clear", form).await.status, 200);
        work(&app.state).await;
        assert_eq!(n_clients(&dana).await, 1);
    }

    #[always]
    async fn who_broke_off_in_the_middle_is_tried_again_when_nobody_works_on_it(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let done = clear(&app, &dana, "one", PASSWORD).await;
        let of = (dana.user_id, "one");
        let mut tx = app.state.db.write().await.unwrap();
        let hash = db::find_answer(&mut tx, of).await.unwrap().unwrap().args_hash;
        // As if the process had ended in it.
        db::collect_answers(&mut tx, Instant(i64::MAX)).await.unwrap();
        let now = app.state.now();
        assert!(db::claim_answer(&mut tx, of, &hash, now, now).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(clear(&app, &dana, "one", PASSWORD).await.failure(), (503, "unavailable"));
        app.clock.advance(3 * MINUTE);
        assert_eq!(clear(&app, &dana, "one", PASSWORD).await.status, done.status);
    }

    #[always]
    async fn so_many_answers_are_kept_of_an_account_and_for_so_long(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut tx = app.state.db.write().await.unwrap();
        for at in 0..KEPT_ANSWERS + 20 {
            let (key, now) = (format!("key {at}"), Instant(app.state.now().0 + at as i64));
            db::claim_answer(&mut tx, (dana.user_id, &key), "hash", now, now).await.unwrap();
            db::keep_answer(&mut tx, (dana.user_id, &key), now, 200, "{}").await.unwrap();
        }
        tx.commit().await.unwrap();
        let kept = async || {
            let dump = app.dump(None).await;
            dump.iter().filter(|it| it.starts_with("kept_answer")).count() as u64
        };
        assert_eq!(kept().await, KEPT_ANSWERS);
        app.clock.advance(6 * DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(kept().await, KEPT_ANSWERS);
        app.clock.advance(2 * DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(kept().await, 0);
    }

    #[always]
    async fn a_document_with_a_key_is_stored_once(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let first = upload_once(&dana, Some("one"), None, "licence.pdf", PDF).await;
        let again = upload_once(&dana, Some("one"), None, "licence.pdf", PDF).await;
        assert_eq!((again.status.as_u16(), &again.body), (201, &first.body));
        assert_eq!(dana.get("/sitters/documents").await.data().as_array().unwrap().len(), 1);
        let other = upload_once(&dana, Some("one"), None, "licence.pdf", b"%PDF-1.4 another").await;
        assert_eq!(other.failure(), (422, "key_reused"));
    }

    #[always]
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

    #[always]
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

#[test]
fn no_call_whose_answer_has_a_secret_takes_a_key() {
    let secrets = [
        "TotpKey",
        "RecoveryCodes",
        "CalendarAddress",
        "InviteAnswer",
        "SignedIn",
    ];
    let mut with_secret = 0;
    for (method, path, operation) in operations(walkies_server::api::router::document()) {
        let answers = operation["responses"].to_string();
        let has_secret = secrets
            .iter()
            .any(|it| answers.contains(&format!("schemas/{it}\"")));
        let parameters = operation["parameters"].as_array().unwrap();
        let takes_key = parameters.iter().any(|it| it["name"] == "Idempotency-Key");
        assert!(!(has_secret && takes_key), "{method} {path}");
        with_secret += usize::from(has_secret);
    }
    assert!(secrets.len() <= with_secret);
}
