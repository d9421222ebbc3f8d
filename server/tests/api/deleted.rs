//! Remains of deleted rows: nothing that anybody typed stays.

use serde_json::{Value, json};
use walkies_core::rows::service::Service;
use walkies_core::{Instant, Row};
use walkies_server::app::settings::Settings;
use walkies_server::archive::import::work;
use walkies_server::base::env::Env;
use walkies_server::db::{self, Db};

use crate::on_both;
use crate::support::{PASSWORD, Phone, TestApp, User, settings, walk};

/// In every text of the client and of its pet.
const WORDS: &str = "Zwetschgenbaum";

/// Makes a client, changes it by two ways, and deletes it; the last key is that of the answer to its making.
async fn made_and_deleted(app: &TestApp) -> (Phone, Value) {
    let anna = app.sitter("Anna").await;
    let form = json!({ "name": WORDS, "access_notes": WORDS, "internal_notes": WORDS, "dogs": [{ "name": WORDS, "about": WORDS }] });
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

/// A mutation that was refused; when it is sent again, it gets its stored answer again.
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

/// Has commands refused because of rows with the words, and deletes all of these rows. Returns the refused ones, each
/// with the code that it is answered with from then on, and the body of the call whose answer had the words.
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

/// Makes an account that has something of everything, some of it cleared, and deletes it.
async fn account_made_and_deleted(app: &TestApp) {
    let lena = app.sitter(WORDS).await;
    let form = json!({ "name": WORDS, "email": format!("{WORDS}@example.com"), "dogs": [{ "name": WORDS, "about": WORDS }] });
    let made = lena.post("/clients", form).await;
    let pair = (
        made.id(),
        made.data()["dogs"][0]["id"].as_str().unwrap().to_owned(),
    );
    lena.put("/sitters/profile", json!({ "business_name": WORDS }))
        .await;
    lena.upload(None, &crate::photos::jpeg()).await;
    crate::videos::upload(&lena, &crate::videos::small_film()).await;
    crate::onboarding::upload(&lena, None, &format!("{WORDS}.pdf"), crate::onboarding::PDF).await;
    lena.post(
        "/messages",
        json!({ "conversation_id": pair.0, "content": WORDS }),
    )
    .await;
    lena.post(
        "/walks",
        crate::reports::walk_form(json!([]), &[(&pair, WORDS)]),
    )
    .await;
    let billed = lena.walk(&pair, "2026-11-26", "10:00").await;
    let form = json!({ "client_id": pair.0, "services": [billed], "note": WORDS });
    assert_eq!(lena.post("/invoices/share", form).await.status, 201);
    lena.post(&format!("/clients/{}/invite", pair.0), json!({}))
        .await;
    app.anonymous()
        .post("/auth/forgot-password", json!({ "email": lena.email }))
        .await;
    let proof = json!({ "password": PASSWORD });
    lena.post("/auth/factors/totp", proof.clone()).await;
    lena.post("/clear", json!({ "word": "CLEAR", "password": PASSWORD }))
        .await;
    walkies_server::archive::import::work(&app.state).await;
    assert!(
        app.dump(None)
            .await
            .iter()
            .any(|it| it.starts_with("cleared_row") && it.contains(WORDS))
    );
    lena.client(WORDS).await;
    let gone = lena.call("DELETE", "/auth/account", &[], Some(proof)).await;
    assert_eq!(gone.status, 200, "{}", gone.body);
}

on_both! {
    async fn a_deleted_account_with_something_of_everything_leaves_no_row(app: TestApp) {
        let other = app.sitter("Other").await;
        let before = app.dump(None).await;
        account_made_and_deleted(&app).await;
        assert_eq!(app.dump(None).await, before);
        assert_eq!(crate::photos::stored(&app), Vec::<String>::new());
        assert_eq!(other.get("/clients").await.status, 200);
    }
}

/// More services than are removed at once.
const SERVICES: usize = 450;

on_both! {
    async fn a_large_business_goes_in_pieces_and_nobody_reads_of_it_meanwhile(app: TestApp) {
        let app = app.with(Settings { import_turn: 1, ..settings() }).await;
        let parent = app.pet_parent("Pat").await;
        let before = app.dump(None).await;
        let lena = app.sitter(WORDS).await;
        let (sitter_id, pair) = (lena.sitter_id.unwrap(), lena.client(WORDS).await);
        app.link(&lena, &pair.0, Some(&parent)).await;
        let shared = lena.post("/walks", crate::reports::walk_form(json!([]), &[(&pair, WORDS)])).await;
        let report = shared.data()["reports"][0]["share_id"].as_str().unwrap().to_owned();
        let walk = lena.walk(&pair, "2026-11-26", "10:00").await;
        let form = json!({ "client_id": pair.0, "services": [walk] });
        let shared = lena.post("/invoices/share", form).await;
        let invoice = shared.data()["shareId"].as_str().unwrap().to_owned();
        let mut tx = app.state.db.write().await.unwrap();
        let rev = db::claim_next_revision(&mut tx, sitter_id, None, None).await.unwrap().unwrap().rev;
        for _ in 0..SERVICES {
            let service = Service::new(Env::system().id(), app.state.now());
            db::write_row(&mut tx, sitter_id, rev, &Row::Service(service)).await.unwrap();
        }
        tx.commit().await.unwrap();

        let left = || async {
            let rows = app.dump(Some(sitter_id)).await;
            rows.iter().filter(|it| it.starts_with("service ")).count()
        };
        let n_services = left().await;
        assert!(SERVICES < n_services);
        let proof = json!({ "password": PASSWORD });
        assert_eq!(lena.call("DELETE", "/auth/account", &[], Some(proof)).await.status, 200);
        assert_eq!(left().await, n_services, "the rest is left to the job");
        assert_eq!(lena.get("/clients").await.status, 401);
        let form = json!({ "email": lena.email, "password": PASSWORD });
        assert_eq!(app.anonymous().post("/auth/signin", form).await.status, 401);
        assert_eq!(parent.get("/client/sitters").await.data(), &json!([]));
        for path in [format!("/public/reports/{report}"), format!("/public/invoices/{invoice}")] {
            assert_eq!(app.anonymous().get(&path).await.status, 404, "{path}");
        }
        // A process takes it up and is killed; another one goes on when nobody can be at it any more.
        let mut tx = app.state.db.write().await.unwrap();
        assert!(db::lease_clearing(&mut tx, app.state.now()).await.unwrap().is_some());
        tx.commit().await.unwrap();
        work(&app.state).await;
        assert_eq!(left().await, n_services);
        app.clock.advance(61_000);
        work(&app.state).await;
        assert_eq!(app.dump(None).await, before);
    }
}

#[tokio::test]
async fn every_table_of_a_business_goes_with_its_account() {
    let app = TestApp::sqlite(settings()).await;
    let Db::Sqlite { writer, .. } = &app.state.db else {
        unreachable!()
    };
    let sql = "SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c \
        WHERE t.type = 'table' AND c.name = 'sitter_id' AND t.name NOT LIKE 'dropped\\_%' ESCAPE '\\' ORDER BY t.name";
    let there_are: Vec<String> = sqlx::query_scalar(sql).fetch_all(writer).await.unwrap();
    let many = db::TABLES_OF_MANY_ROWS.iter().chain(db::TABLES_OF_PIECES);
    let mut known: Vec<&str> = many.map(|it| it.0).collect();
    known.extend(db::TABLES_OF_FEW_ROWS);
    // Its photos go first.
    known.push("photo");
    known.sort_unstable();
    assert_eq!(there_are, known);
}

/// Every file below a folder.
fn files_in(folder: &std::path::Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_in(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[tokio::test]
async fn no_byte_on_the_disk_tells_of_a_deleted_account() {
    let app = TestApp::sqlite(crate::support::settings()).await;
    account_made_and_deleted(&app).await;
    let mut files = Vec::new();
    files_in(app.folder(), &mut files);
    let told = [WORDS.to_owned(), WORDS.to_lowercase()];
    for path in &files {
        let bytes = std::fs::read(path).unwrap();
        for word in &told {
            let found = bytes.windows(word.len()).any(|it| it == word.as_bytes());
            assert!(!found, "{} has it still", path.display());
        }
    }
    // Nothing but the database's own files.
    assert!(
        files
            .iter()
            .all(|it| it.to_string_lossy().contains("test.sqlite3")),
        "{files:?}"
    );
}

#[tokio::test]
async fn the_file_of_the_database_has_no_trace_of_what_was_deleted() {
    let app = TestApp::sqlite(crate::support::settings()).await;
    made_and_deleted(&app).await;
    refused_and_deleted(&app).await;
    walkies_server::jobs::cleanup::clean_up_once(&app.state)
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
