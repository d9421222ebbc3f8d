//! What stays of a client who was deleted: nothing that anybody typed.

use serde_json::json;
use walkies_core::Instant;
use walkies_server::db::Db;
use walkies_server::env::Env;

use crate::on_both;
use crate::support::{Phone, TestApp};

/// In every text of the client and of its pet.
const WORDS: &str = "Zwetschgenbaum";

/// Makes a client, changes it by two ways, and deletes it; the last key is that of the answer to its making.
async fn made_and_deleted(app: &TestApp) -> (Phone, serde_json::Value) {
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
}

#[tokio::test]
async fn the_file_of_the_database_has_no_trace_of_a_deleted_client() {
    let app = TestApp::sqlite(crate::support::settings()).await;
    made_and_deleted(&app).await;
    walkies_server::jobs::tidy_once(&app.state).await.unwrap();
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
