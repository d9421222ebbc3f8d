//! What stays of what was deleted: nothing that anybody typed.

use serde_json::{Value, json};
use walkies_core::Instant;
use walkies_server::db::Db;
use walkies_server::env::Env;

use crate::on_both;
use crate::support::{Phone, TestApp, User, walk};

/// In every text of the client and of its pet.
const WORDS: &str = "Zwetschgenbaum";

/// Makes a client, changes it by two ways, and deletes it; the last key is that of the answer to its making.
async fn made_and_deleted(app: &TestApp) -> (Phone, Value) {
    let anna = app.sitter("Anna").await;
    let form = json!({ "name": WORDS, "access_notes": WORDS, "dogs": [{ "name": WORDS, "about": WORDS }] });
    let made = anna.post_once("made", "/clients", form.clone()).await;
    let id = made.id();
    let path = format!("/clients/{id}");
    let change = json!({ "access_notes": format!("Behind the {WORDS}") });
    assert_eq!(
        anna.call(
            "PUT",
            &path,
            &[("idempotency-key", "changed")],
            Some(change)
        )
        .await
        .status,
        200
    );
    let mut phone = Phone::new(&anna);
    phone.pull().await;
    let changes = json!({ "access_notes": format!("Under the {WORDS}") });
    // On what it saw before the change by REST: the answer names both values.
    let late = json!({
        "id": Env::system().id(), "seq": 1, "v": 1, "made_at": Instant(crate::support::NOW), "base_rev": 1,
        "name": "update_client", "args": { "id": id, "changes": changes },
    });
    phone.seq = 1;
    assert_eq!(
        phone.push(&[late]).await.data()["results"][0]["outcome"],
        "adjusted"
    );
    assert!(
        app.dump(None)
            .await
            .iter()
            .any(|it| it.starts_with("history") && it.contains(WORDS))
    );
    let gone = phone.send("delete_client", json!({ "id": id })).await;
    assert_eq!(gone["outcome"], "applied", "{gone}");
    (phone, form)
}

/// What a command was refused with, which is answered again when it is sent again.
struct Refused {
    phone: Phone,
    mutation: Value,
}

impl Refused {
    async fn new(user: &User, command: &str, args: Value) -> Self {
        let mut phone = Phone::new(user);
        // On what was there before everything else.
        let mut mutation = phone.save(command, args);
        mutation["base_rev"] = json!(1);
        let it = Self { phone, mutation };
        let outcome = it.outcome().await;
        assert_eq!(outcome["outcome"], "rejected", "{outcome}");
        assert!(outcome.to_string().contains(WORDS), "{outcome}");
        it
    }

    async fn outcome(&self) -> Value {
        let again = self.phone.push(std::slice::from_ref(&self.mutation)).await;
        let outcome = again.data()["results"][0].clone();
        let mut fresh = Phone {
            cursor: 0,
            ..Phone::new(&self.phone.user)
        };
        fresh.device_id = self.phone.device_id;
        assert_eq!(fresh.pull().await["outcomes"][0], outcome);
        outcome
    }
}

/// What was refused because of rows with the words, told over again once all of these rows are deleted; and the calls
/// whose answers had them.
async fn refused_and_deleted(app: &TestApp) -> (User, Vec<(Refused, &'static str)>, Value) {
    let kim = app.sitter("Kim").await;
    let form = json!({ "name": WORDS, "dogs": [{ "name": "Rex" }] });
    let made = kim.post("/clients", form).await;
    let pair = (
        made.id(),
        made.data()["dogs"][0]["id"].as_str().unwrap().to_owned(),
    );
    let client_path = format!("/clients/{}", pair.0);
    kim.put(&client_path, json!({ "access_notes": WORDS }))
        .await;
    let unseen = Refused::new(&kim, "delete_client", json!({ "id": pair.0 })).await;

    let other = kim.client("Sam").await;
    let visit = |date: &str| {
        let visit = walk(&other.0, &other.1, date, "12:00");
        json!({ "id": Env::system().id(), "service": visit })
    };
    let service = kim.walk(&pair, "2026-11-24", "12:00").await;
    let beside_visit = Refused::new(&kim, "schedule_service", visit("2026-11-24")).await;
    let blocked = json!({ "block_date": "2026-12-01", "reason": WORDS });
    let blocked = kim.post("/availability/blocked-times", blocked).await.id();
    let in_blocked = Refused::new(&kim, "schedule_service", visit("2026-12-01")).await;
    let call = walk(&other.0, &other.1, "2026-12-01", "12:00");
    let answer = kim
        .post_once("in the way", "/scheduled-services", call.clone())
        .await;
    assert_eq!(answer.failure(), (409, "conflict"));
    assert!(answer.body.to_string().contains(WORDS), "{}", answer.body);

    let offering = json!({ "name": WORDS, "base_price": 1 });
    let offering = kim.post("/sitter-services", offering).await.id();
    let order = json!({ "serviceOrders": [{ "id": offering, "display_order": 4 }] });
    let key = [("idempotency-key", "order")];
    let ordered = kim
        .call("PATCH", "/sitter-services/reorder", &key, Some(order))
        .await;
    assert!(ordered.data().to_string().contains(WORDS));

    for path in [
        format!("/scheduled-services/{service}"),
        format!("/services/{service}"),
        format!("/availability/blocked-times/{blocked}"),
        format!("/sitter-services/{offering}"),
        client_path,
    ] {
        assert_eq!(kim.delete(&path).await.status, 200, "{path}");
    }
    let refused = vec![
        (unseen, "gone"),
        (beside_visit, "conflict"),
        (in_blocked, "conflict"),
    ];
    (kim, refused, call)
}

on_both! {
    async fn the_words_of_a_deleted_client_go_with_it(app: TestApp) {
        let (mut phone, form) = made_and_deleted(&app).await;
        let left: Vec<String> = app.dump(None).await.into_iter().filter(|it| it.contains(WORDS)).collect();
        assert_eq!(left, Vec::<String>::new());
        // Its making is not done again either.
        let again = phone.user.post_once("made", "/clients", form).await;
        assert_eq!(again.failure(), (404, "gone"));
        phone.pull().await;
    }

    async fn the_words_of_what_is_deleted_go_from_the_refusals_that_named_it(app: TestApp) {
        let (kim, refused, call) = refused_and_deleted(&app).await;
        let left: Vec<String> = app.dump(None).await.into_iter().filter(|it| it.contains(WORDS)).collect();
        assert_eq!(left, Vec::<String>::new());
        for (it, code) in refused {
            let outcome = it.outcome().await;
            assert_eq!(outcome["outcome"], "rejected", "{outcome}");
            assert_eq!(outcome["refusal"]["code"], code, "{outcome}");
        }
        let again = kim.post_once("in the way", "/scheduled-services", call).await;
        assert_eq!(again.failure(), (409, "conflict"));
        assert_eq!(again.body["details"]["with"], json!([]));
    }
}

#[tokio::test]
async fn the_file_of_the_database_has_no_trace_of_what_was_deleted() {
    let app = TestApp::sqlite(crate::support::settings()).await;
    made_and_deleted(&app).await;
    refused_and_deleted(&app).await;
    walkies_server::jobs::clean_up_once(&app.state)
        .await
        .unwrap();
    let Db::Sqlite { .. } = &app.state.db else {
        unreachable!()
    };
    for entry in std::fs::read_dir(app.folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            let found = bytes.windows(WORDS.len()).any(|it| it == WORDS.as_bytes());
            assert!(!found, "{} has it still", path.display());
        }
    }
}
