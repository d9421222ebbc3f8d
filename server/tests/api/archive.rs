//! Everything of a business as one archive, and such an archive into an empty business.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};

use axum::body::{Body, Bytes};
use axum::http::Request;
use serde_json::{Value, json};
use walkies_core::archive::{Entry, Kept};
use walkies_core::rules::photo::MAX_PHOTO_STORAGE_BYTES;
use walkies_core::rules::video::VIDEO_PIECE_BYTES;
use walkies_core::{Id, RowKey, TableName};
use walkies_server::app::dropped_files;
use walkies_server::app::settings::Settings;
use walkies_server::archive::import::work;
use walkies_server::archive::{snapshot, stream};
use walkies_server::db;
use walkies_server::jobs::cleanup;
use walkies_server::media::files::FileName;

use crate::access::victim;
use crate::on_both;
use crate::support::{self, ACCESS_NOTES, Answer, DAY, HOUR, PASSWORD, TestApp, User};

/// The files of an archive by their names.
pub type Files = BTreeMap<String, Vec<u8>>;

pub fn unpack(bytes: &[u8]) -> Files {
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).expect("a ZIP");
    let mut files = Files::new();
    for index in 0..zip.len() {
        let mut file = zip.by_index(index).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        let name = file.name().unwrap().into_owned();
        assert!(files.insert(name, bytes).is_none());
    }
    files
}

pub async fn export(user: &User) -> Files {
    let answer = user.get("/export").await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    unpack(&answer.bytes)
}

pub fn text<'a>(files: &'a Files, name: &str) -> &'a str {
    std::str::from_utf8(&files[name]).unwrap()
}

pub fn lines(files: &Files, name: &str) -> Vec<Value> {
    let lines = text(files, name).lines();
    lines.map(|it| serde_json::from_str(it).unwrap()).collect()
}

pub fn manifest(files: &Files) -> Value {
    serde_json::from_slice(&files[Entry::MANIFEST]).unwrap()
}

async fn send_piece(user: &User, offset: usize, bytes: &[u8]) -> Answer {
    let request = Request::patch(format!("/api/import?offset={offset}"));
    let request = request.header("content-type", "application/octet-stream");
    user.send(request.body(Body::from(bytes.to_vec())).unwrap())
        .await
}

async fn announce(user: &User, bytes: &[u8]) -> Answer {
    let form = json!({ "archive_bytes": bytes.len(), "password": PASSWORD });
    user.post("/import", form).await
}

/// Sends an archive and has it looked through: how it stands.
async fn send(app: &TestApp, user: &User, bytes: &[u8]) -> Value {
    let begun = announce(user, bytes).await;
    assert_eq!(begun.status, 201, "{}", begun.body);
    let mut offset = 0;
    for piece in bytes.chunks(VIDEO_PIECE_BYTES as usize) {
        let sent = send_piece(user, offset, piece).await;
        assert_eq!(sent.status, 200, "{}", sent.body);
        offset += piece.len();
    }
    work(&app.state).await;
    user.get("/import").await.data().clone()
}

/// Sends an archive and has it written.
pub async fn import(app: &TestApp, user: &User, bytes: &[u8]) -> Value {
    let sent = send(app, user, bytes).await;
    assert_eq!(sent["state"], "ready", "{sent}");
    let started = user.post("/import/start", json!({})).await;
    assert_eq!(started.status, 200, "{}", started.body);
    work(&app.state).await;
    user.get("/import").await.data().clone()
}

/// Closes a business to everything else, as who writes it does.
async fn close(app: &TestApp, user: &User) {
    let mut tx = app.state.db.write().await.unwrap();
    let now = Some(app.state.now());
    db::set_importing(&mut tx, user.sitter_id.unwrap(), now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

async fn clear(app: &TestApp, user: &User) {
    let form = json!({ "word": "CLEAR", "password": PASSWORD });
    let asked = user.post("/clear", form).await;
    assert_eq!(asked.status, 200, "{}", asked.body);
    work(&app.state).await;
}

/// Takes a piece of an archive out of the storage.
async fn lose_piece(app: &TestApp, user: &User, number: usize) -> (FileName, Bytes) {
    let sitter_id = user.sitter_id.unwrap();
    let mut tx = app.state.db.read_autocommit().await.unwrap();
    let pieces = db::pieces_of_import(&mut tx, sitter_id).await.unwrap();
    drop(tx);
    let name = FileName::video_piece(sitter_id, pieces[number]);
    let bytes = app.state.files.get(&name).await.unwrap().unwrap();
    app.state.files.delete(&name).await.unwrap();
    (name, bytes)
}

/// Takes the piece with the table of contents out of the storage.
async fn lose_last_piece(app: &TestApp, user: &User) -> (FileName, Bytes) {
    let sitter_id = user.sitter_id.unwrap();
    let mut tx = app.state.db.read_autocommit().await.unwrap();
    let n = db::pieces_of_import(&mut tx, sitter_id)
        .await
        .unwrap()
        .len();
    drop(tx);
    lose_piece(app, user, n - 1).await
}

/// Rows without what is the account's and not the business's.
fn business_of(files: &Files) -> BTreeMap<String, Vec<Value>> {
    let names = files.keys().filter(|it| it.ends_with(".jsonl"));
    let mut tables = BTreeMap::new();
    for name in names {
        let mut rows = lines(files, name);
        for row in &mut rows {
            let row = row.as_object_mut().unwrap();
            for field in [
                "client_user_id",
                "parents",
                "asked_by",
                "share_id",
                "shareId",
            ] {
                row.remove(field);
            }
            if name == "rows/sitter.jsonl" {
                for field in ["id", "email", "created_at"] {
                    row.remove(field);
                }
            }
            if name == "rows/availability_config.jsonl" {
                row.remove("id");
            }
        }
        tables.insert(name.clone(), rows);
    }
    tables
}

on_both! {
    async fn what_was_exported_and_imported_is_exported_the_same(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        let parent = app.pet_parent("Pat").await;
        app.link(&victim.sitter, &victim.ids["client"], Some(&parent)).await;
        let bytes = victim.sitter.get("/export").await.bytes;
        let done = import(&app, &other, &bytes).await;
        assert_eq!((&done["state"], &done["fault"], &done["left_out"]), (&json!("done"), &json!(null), &json!([])));
        assert_eq!(done["done"], done["total"]);
        let (before, after) = (unpack(&bytes), export(&other).await);
        assert_eq!(business_of(&after), business_of(&before));
        for kept in ["photos/", "videos/", "documents/"] {
            let of_kind = |files: &Files| files.keys().filter(|it| it.starts_with(kept)).cloned().collect::<Vec<_>>();
            assert_eq!(of_kind(&after), of_kind(&before));
            for name in of_kind(&before) {
                assert!(after[&name] == before[&name], "{name}");
            }
        }
        assert_eq!(manifest(&after)["missing"], json!([]));
        // The account is the importing one, and nobody is linked with it.
        let profile = other.get("/sitters/profile").await.data().clone();
        assert_eq!((&profile["business_name"], &profile["email"]), (&json!("Paws & Co"), &json!("other@example.com")));
        assert_eq!(parent.get("/client/sitters").await.data().as_array().unwrap().len(), 1);
        // The pages at the addresses of the first business are still its own.
        let shared = |files: &Files| lines(files, "rows/invoice.jsonl")[0]["shareId"].clone();
        assert_ne!(shared(&after), shared(&before));
        let address = format!("/public/invoices/{}", shared(&after).as_str().unwrap());
        assert_eq!(app.anonymous().get(&address).await.status, 200);

        // Once they are free, they come along.
        let gone = victim.sitter.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await;
        assert_eq!(gone.status, 200);
        let third = app.sitter("Third").await;
        import(&app, &third, &bytes).await;
        assert_eq!(shared(&export(&third).await), shared(&before));
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(business_of(&export(&third).await), business_of(&before));
    }

    async fn what_is_imported_comes_to_the_phones_and_can_be_worked_with(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        let bytes = victim.sitter.get("/export").await.bytes;
        let mut phone = crate::support::Phone::new(&other);
        phone.pull().await;
        import(&app, &other, &bytes).await;
        let pulled = phone.pull().await;
        assert!(pulled["rows"].to_string().contains("Sam"), "{pulled}");
        let path = format!("/clients/{}", victim.ids["client"]);
        assert_eq!(other.put(&path, json!({ "name": "Samuel" })).await.status, 200);
        assert_eq!(victim.sitter.get(&path).await.data()["name"], "Sam");
        let billed = other.walk(&(victim.ids["client"].clone(), victim.ids["dog"].clone()), "2026-11-26", "15:00").await;
        let form = json!({ "client_id": victim.ids["client"], "services": [billed] });
        let invoice = other.post("/invoices/share", form).await;
        assert_eq!(invoice.data()["number"], 3, "numbers go on: {}", invoice.body);
    }

    async fn an_import_that_is_taken_back_brings_back_what_the_business_began_with(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        let shown = async || {
            let (offerings, hours) = (other.get("/sitter-services").await, other.get("/availability/patterns").await);
            let ids = |it: &Answer| it.data().as_array().unwrap().iter().map(|it| it["id"].clone()).collect::<Vec<_>>();
            (ids(&offerings), ids(&hours))
        };
        let before = shown().await;
        let archives = [victim.sitter.get("/export").await.bytes, other.get("/export").await.bytes];
        for bytes in &archives {
            assert_eq!(import(&app, &other, bytes).await["state"], "done");
            // As if nobody had come so far as to say so.
            close(&app, &other).await;
            let mut tx = app.state.db.write().await.unwrap();
            let import = db::find_import(&mut tx, other.sitter_id.unwrap()).await.unwrap().unwrap();
            assert!(db::set_import_state(&mut tx, &import, "undoing", app.state.now()).await.unwrap());
            tx.commit().await.unwrap();
            work(&app.state).await;
            assert_eq!(other.get("/import").await.data()["state"], "failed");
            assert_eq!(shown().await, before);
        }
        let mut phone = crate::support::Phone::new(&other);
        let pulled = phone.pull().await.to_string();
        assert!(pulled.contains(before.0[0].as_str().unwrap()), "{pulled}");
        // It is nobody's work.
        assert_eq!(import(&app, &other, &archives[0]).await["state"], "done");
    }

    async fn another_archive_of_the_same_size_is_another_one(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let begin = async |hash: Value| {
            let form = json!({ "archive_bytes": 10, "end_sha256": hash, "password": PASSWORD });
            dana.post("/import", form).await
        };
        let first = begin(json!("a".repeat(64))).await;
        assert_eq!(first.status, 201);
        assert_eq!(begin(json!("a".repeat(64))).await.status, 200, "the same again");
        for other in [json!("b".repeat(64)), json!(null)] {
            let other = begin(other).await;
            assert_eq!((other.status.as_u16(), &other.data()["offset"]), (201, &json!(0)));
            assert_ne!(other.data()["id"], first.data()["id"]);
        }
        assert_eq!(begin(json!("b")).await.failure(), (422, "invalid"));
    }

    async fn an_archive_comes_into_an_empty_business_alone(app: TestApp) {
        let (dana, busy) = (app.sitter("Dana").await, app.sitter("Busy").await);
        let bytes = dana.get("/export").await.bytes;
        busy.client("Sam").await;
        assert_eq!(announce(&busy, &bytes).await.failure(), (409, "business_not_empty"));
        let late = app.sitter("Late").await;
        assert_eq!(send(&app, &late, &bytes).await["state"], "ready");
        let again = announce(&late, &bytes).await;
        assert_eq!((again.status.as_u16(), &again.data()["state"]), (200, &json!("ready")), "it is not sent again");
        late.client("Sam").await;
        assert_eq!(late.post("/import/start", json!({})).await.failure(), (409, "business_not_empty"));
        assert_eq!(late.call("DELETE", "/import", &[], None).await.status, 200);
        assert_eq!(late.get("/import").await.data(), &json!(null));
    }

    async fn an_import_takes_the_password_and_goes_on_where_it_broke_off(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        let bytes = victim.sitter.get("/export").await.bytes;
        let wrong = other.post("/import", json!({ "archive_bytes": bytes.len(), "password": "not mine" })).await;
        assert_eq!(wrong.failure(), (422, "invalid"));
        assert_eq!(other.post("/import", json!({ "archive_bytes": u64::MAX / 4, "password": PASSWORD })).await.status, 413);
        assert_eq!(announce(&other, &bytes).await.status, 201);
        assert_eq!(announce(&other, &bytes).await.status, 200, "the same again");
        let piece = &bytes[..bytes.len().min(VIDEO_PIECE_BYTES as usize)];
        assert_eq!(send_piece(&other, 7, piece).await.failure(), (409, "wrong_offset"));
        assert_eq!(send_piece(&other, 0, &piece[1..]).await.status, 400);
        assert_eq!(other.post("/import/start", json!({})).await.failure(), (409, "import_elsewhere"));
        let first = send_piece(&other, 0, piece).await.data().clone();
        assert_eq!(first["offset"], piece.len());
        assert_eq!(send_piece(&other, 0, piece).await.data()["offset"], piece.len(), "a repeat changes nothing");
        if first["state"] == "checking" {
            assert_eq!(announce(&other, &bytes).await.failure(), (409, "import_elsewhere"));
            assert_eq!(other.call("DELETE", "/import", &[], None).await.failure(), (409, "import_elsewhere"));
        }
    }

    #[always]
    async fn while_an_archive_is_written_nothing_else_is_done_and_a_process_that_ends_is_gone_on_with(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        let bytes = victim.sitter.get("/export").await.bytes;
        send(&app, &other, &bytes).await;
        other.post("/import/start", json!({})).await;
        // A process takes it up, and ends.
        let lost = lose_last_piece(&app, &other).await;
        work(&app.state).await;
        let form = json!({ "name": "Meanwhile", "dogs": [{ "name": "Rex" }] });
        assert_eq!(other.post("/clients", form).await.failure(), (503, "unavailable"));
        work(&app.state).await;
        assert_eq!(other.get("/import").await.data()["state"], "writing");
        app.state.files.put(&lost.0, lost.1).await.unwrap();
        app.clock.advance(HOUR);
        work(&app.state).await;
        assert_eq!(other.get("/import").await.data()["state"], "done");
        // As if the process had ended right before it said so.
        let sitter_id = other.sitter_id.unwrap();
        close(&app, &other).await;
        let mut tx = app.state.db.write().await.unwrap();
        let import = db::find_import(&mut tx, sitter_id).await.unwrap().unwrap();
        assert!(db::set_import_state(&mut tx, &import, "undoing", app.state.now()).await.unwrap());
        tx.commit().await.unwrap();
        work(&app.state).await;
        let failed = other.get("/import").await.data().clone();
        assert_eq!(failed["state"], "failed");
        assert_eq!(other.get("/clients").await.data(), &json!([]), "it is taken back whole");
        other.client("After").await;
    }

    async fn rows_that_were_written_before_a_process_ended_are_written_once(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        let bytes = victim.sitter.get("/export").await.bytes;
        send(&app, &other, &bytes).await;
        other.post("/import/start", json!({})).await;
        let sitter_id = other.sitter_id.unwrap();
        close(&app, &other).await;
        // Some of the rows and files of the archive are there already.
        let row = lines(&unpack(&bytes), "rows/client.jsonl")[0].to_string();
        let mut row = TableName::Client.read(&row).unwrap();
        if let walkies_core::Row::Client(it) = &mut row {
            it.client_user_id = None;
        }
        let mut tx = app.state.db.write().await.unwrap();
        let rev = db::claim_next_revision(&mut tx, sitter_id, None, None).await.unwrap().unwrap().rev;
        db::write_row(&mut tx, sitter_id, rev, &row).await.unwrap();
        tx.commit().await.unwrap();
        work(&app.state).await;
        assert_eq!(other.get("/import").await.data()["state"], "done");
        assert_eq!(business_of(&export(&other).await), business_of(&unpack(&bytes)));
    }

    async fn a_business_has_some_archives_looked_through_and_then_waits(app: TestApp) {
        let dana = app.sitter("Dana").await;
        for _ in 0..10 {
            assert_eq!(announce(&dana, &[1; 10]).await.status, 201);
            assert_eq!(dana.call("DELETE", "/import", &[], None).await.status, 200);
        }
        assert_eq!(announce(&dana, &[1; 10]).await.failure(), (429, "too_many_requests"));
        app.clock.advance(2 * HOUR);
        assert_eq!(announce(&dana, &[1; 10]).await.status, 201);
    }

    async fn an_import_that_nobody_could_look_through_takes_nothing_of_the_business_with_it(app: TestApp) {
        let dana = app.sitter("Dana").await;
        assert_eq!(announce(&dana, &[1; 10]).await.status, 201);
        assert_eq!(send_piece(&dana, 0, &[1; 10]).await.data()["state"], "checking");
        dana.client("Sam").await;
        app.clock.advance(2 * DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        work(&app.state).await;
        assert_eq!(dana.get("/clients").await.data().as_array().unwrap().len(), 1);
    }

    async fn an_import_that_could_not_be_written_for_a_day_is_taken_back(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        send(&app, &other, &victim.sitter.get("/export").await.bytes).await;
        other.post("/import/start", json!({})).await;
        app.clock.advance(2 * DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(other.get("/import").await.data()["state"], "undoing");
        work(&app.state).await;
        let failed = other.get("/import").await.data().clone();
        assert_eq!(failed["fault"], "The import could not be finished. Nothing was changed. Please try again.");
        other.client("After").await;
    }

    async fn what_is_no_archive_changes_nothing_and_leaves_nothing(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let before = business_of(&export(&dana).await);
        let failed = send(&app, &dana, b"PK\x03\x04 this is none").await;
        assert_eq!(failed["state"], "failed");
        assert_eq!(failed["fault"], "This file is no archive of Walkies, or it is damaged.");
        assert_eq!(dana.post("/import/start", json!({})).await.failure(), (409, "import_elsewhere"));
        assert_eq!(business_of(&export(&dana).await), before);
        let pieces = || app.dump(None);
        assert!(!pieces().await.iter().any(|it| it.starts_with("import_piece") || it.starts_with("dropped_video_piece")));
        app.clock.advance(2 * DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(dana.get("/import").await.data(), &json!(null));
    }

    async fn who_deletes_the_account_in_the_middle_of_an_import_leaves_nothing(app: TestApp) {
        let dana = app.sitter("Dana").await;
        assert_eq!(announce(&dana, &[1; 10]).await.status, 201);
        send_piece(&dana, 0, &[1; 10]).await;
        let gone = dana.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await;
        assert_eq!(gone.status, 200);
        work(&app.state).await;
        assert_eq!(app.dump(dana.sitter_id).await, Vec::<String>::new());
    }

    async fn an_archive_has_every_row_and_every_file_of_a_business_and_none_of_another(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        let files = export(&victim.sitter).await;
        for table in TableName::ALL {
            let rows = lines(&files, &Entry::rows(*table));
            assert!(!rows.is_empty() || *table == TableName::BlockedTime, "{}", table.name());
        }
        let report = &lines(&files, &Entry::rows(TableName::Report))[0];
        assert_eq!(report["content"]["note"], "Good dog");
        let id = |name: &str| -> Id { victim.ids[name].parse().unwrap() };
        let photo = &files[&Entry::file(Kept::Photos, id("photo"), "image/jpeg")];
        assert_eq!(*photo, victim.sitter.get(&format!("/photos/{}", id("photo"))).await.bytes);
        let film = &files[&Entry::file(Kept::Videos, id("video"), "video/mp4")];
        assert_eq!(*film, victim.sitter.get(&format!("/videos/{}/file", id("video"))).await.bytes);
        let licence = &files[&Entry::file(Kept::Documents, id("document"), "application/pdf")];
        assert_eq!(licence, crate::onboarding::PDF);
        assert!(text(&files, "csv/clients.csv").contains("\r\nSam,"));
        assert!(text(&files, "csv/messages.csv").contains("Gate code 4821"));
        assert!(text(&files, "csv/quickbooks-invoices.csv").starts_with("\"*InvoiceNo\",\"*Customer\","));
        assert!(text(&files, "csv/xero-expenses.csv").starts_with("\"*Date\",\"*Amount\","));
        // Both tables can be imported as clients with their pets.
        for table in ["csv/clients.csv", "csv/pets.csv"] {
            let request = Request::post("/api/import/clients?dry_run=true");
            let request = request.header("content-type", "application/octet-stream");
            let shown = other.send(request.body(Body::from(files[table].clone())).unwrap()).await;
            let preview = &shown.data()["preview"];
            assert_eq!((&preview["n_wrong"], &preview["n_known"]), (&json!(0), &json!(0)), "{table}: {preview}");
            let rows = |table| lines(&files, &Entry::rows(table)).len();
            assert_eq!(preview["n_clients"], rows(TableName::Client), "{table}: {preview}");
            assert_eq!(preview["n_dogs"], rows(TableName::Pet), "{table}: {preview}");
        }
        let page = text(&files, "invoices/00002.html");
        assert!(page.contains("Thank you, Sam") && !page.contains("/api/") && !page.contains("/pdf"), "{page}");
        let walk = files.iter().find(|it| it.0.starts_with("walks/2026-11-20-")).unwrap();
        assert!(String::from_utf8_lossy(walk.1).contains("Good dog"));

        let manifest = manifest(&files);
        assert_eq!((&manifest["format"], &manifest["business"], &manifest["missing"]), (&json!(1), &json!("Paws & Co"), &json!([])));
        let listed = manifest["files"].as_array().unwrap();
        assert_eq!(listed.len(), files.len() - 1);
        for it in listed {
            let bytes = &files[it["name"].as_str().unwrap()];
            assert_eq!(it["bytes"], bytes.len());
            assert_eq!(it["sha256"], walkies_server::base::env::sha256(bytes));
        }
        for name in files.keys() {
            assert!(Entry::parse(name).is_some(), "{name} is read again");
        }

        let others = export(&other).await;
        for (name, bytes) in &others {
            assert!(!String::from_utf8_lossy(bytes).contains("Sam"), "{name}");
        }
    }

    async fn an_archive_is_of_one_revision_while_the_business_goes_on(app: TestApp) {
        let dana = app.sitter("Dana").await;
        dana.client("Sam").await;
        let photo = dana.upload(None, &crate::photos::jpeg()).await.id();
        let sitter_id = dana.sitter_id.unwrap();
        let seen = snapshot(&app.state, sitter_id).await.unwrap();
        let revision = seen.revision;
        // Meanwhile.
        dana.client("Ada").await;
        let mut tx = app.state.db.write().await.unwrap();
        db::drop_photo(&mut tx, sitter_id, photo.parse().unwrap()).await.unwrap();
        tx.commit().await.unwrap();
        dropped_files::remove_dropped_photos_or_log(&app.state).await;
        let mut chunks = stream(app.state.clone(), std::future::ready(Ok(seen.into())), ());
        let mut bytes = Vec::new();
        while let Some(chunk) = chunks.recv().await {
            bytes.extend_from_slice(&chunk.unwrap());
        }
        let files = unpack(&bytes);
        assert_eq!(lines(&files, "rows/client.jsonl").len(), 1);
        let manifest = manifest(&files);
        assert_eq!(manifest["revision"], revision);
        assert_eq!(manifest["missing"], json!([format!("photos/{photo}.jpg")]));
    }

    async fn a_business_has_one_archive_at_a_time_and_some_a_day(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let taken = app.state.exports.acquire(dana.sitter_id.unwrap()).await.unwrap();
        assert_eq!(dana.get("/export").await.failure(), (429, "too_many_requests"));
        assert_eq!(other.get("/export").await.status, 200);
        drop(taken);
        // The one that was turned down counts too.
        for _ in 1..10 {
            assert_eq!(dana.get("/export").await.status, 200);
        }
        assert_eq!(dana.get("/export").await.failure(), (429, "too_many_requests"));
        app.clock.advance(2 * HOUR);
        assert_eq!(dana.get("/export").await.status, 200);
    }

    async fn a_cleared_business_is_empty_and_comes_back_whole(app: TestApp) {
        let victim = victim(&app).await;
        let (sitter, parent) = (&victim.sitter, app.pet_parent("Pat").await);
        app.link(sitter, &victim.ids["client"], Some(&parent)).await;
        let before = export(sitter).await;
        let form = |word: &str, password: &str| json!({ "word": word, "password": password });
        assert_eq!(sitter.post("/clear", form("clear", PASSWORD)).await.failure(), (422, "invalid"));
        assert_eq!(sitter.post("/clear", form("CLEAR", "not mine")).await.failure(), (422, "invalid"));
        assert_eq!(sitter.get("/clear").await.data(), &json!(null));
        let asked = sitter.post("/clear", form("CLEAR", PASSWORD)).await;
        assert_eq!(asked.status, 200, "{}", asked.body);
        assert_eq!(asked.data()["state"], "clearing");
        assert_eq!(sitter.post("/clear", form("CLEAR", PASSWORD)).await.failure(), (409, "import_elsewhere"));
        work(&app.state).await;
        let cleared = export(sitter).await;
        for table in TableName::ALL {
            let is_profile = matches!(table, TableName::Sitter | TableName::AvailabilityConfig);
            assert_eq!(!lines(&cleared, &Entry::rows(*table)).is_empty(), is_profile, "{}", table.name());
        }
        assert_eq!(app.anonymous().get(&format!("/public/reports/{}", victim.share_id)).await.status, 404);
        assert_eq!(parent.get("/client/sitters").await.data(), &json!([]));
        // Photos and films are kept as long as it can be undone.
        app.clock.advance(10 * DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(sitter.post("/clear/undo", json!({})).await.status, 200);
        work(&app.state).await;
        assert_eq!(sitter.get("/clear").await.data(), &json!(null));
        let after = export(sitter).await;
        assert_eq!(manifest(&after)["missing"], json!([]));
        assert_eq!(business_of(&after), business_of(&before));
        assert_eq!(parent.get("/client/sitters").await.data().as_array().unwrap().len(), 1);
        assert_eq!(app.anonymous().get(&format!("/public/reports/{}", victim.share_id)).await.status, 200);
    }

    #[always]
    async fn after_thirty_days_nothing_is_left_of_what_was_cleared(app: TestApp) {
        let victim = victim(&app).await;
        let sitter = &victim.sitter;
        let asked = sitter.post("/clear", json!({ "word": "CLEAR", "password": PASSWORD })).await;
        assert_eq!(asked.status, 200);
        work(&app.state).await;
        app.clock.advance(29 * DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert!(app.dump(sitter.sitter_id).await.iter().any(|it| it.starts_with("cleared_row")));
        for _ in 0..3 {
            // Each look is at what was due by then.
            app.clock.advance(8 * DAY);
            cleanup::clean_up_once(&app.state).await.unwrap();
        }
        let left = app.dump(sitter.sitter_id).await.join("\n");
        for word in ["Gate code 4821", "Thank you, Sam", "Good dog", "cleared_row"] {
            assert!(!left.contains(word), "{word}: {left}");
        }
        assert_eq!(crate::photos::stored(&app), Vec::<String>::new());
        let form = json!({ "email": sitter.email, "password": PASSWORD });
        let sitter = app.user_of(&app.anonymous().post("/auth/signin", form).await);
        assert_eq!(sitter.get("/clear").await.data(), &json!(null));
        assert_eq!(sitter.post("/clear/undo", json!({})).await.failure(), (404, "not_found"));
        let new = sitter.client("New").await;
        let billed = sitter.walk(&new, "2027-03-02", "10:00").await;
        let invoice = sitter.post("/invoices/share", json!({ "client_id": new.0, "services": [billed] })).await;
        assert_eq!(invoice.data()["number"], 3, "no number is given twice: {}", invoice.body);
    }

    async fn what_was_cleared_comes_back_only_where_there_is_no_new_work(app: TestApp) {
        let victim = victim(&app).await;
        let sitter = &victim.sitter;
        let before = export(sitter).await;
        clear(&app, sitter).await;
        sitter.client("New").await;
        let state = sitter.get("/clear").await.data().clone();
        assert_eq!((&state["state"], &state["has_new_work"]), (&json!("cleared"), &json!(true)));
        let refused = sitter.post("/clear/undo", json!({})).await;
        assert_eq!(refused.failure(), (409, "new_work"));
        assert_eq!(state["fault"], refused.body["error"]);
        // What is cleared now goes for good, and what was cleared first stays.
        app.clock.advance(DAY);
        clear(&app, sitter).await;
        let state = sitter.get("/clear").await.data().clone();
        assert_eq!((&state["has_new_work"], &state["fault"]), (&json!(false), &json!(null)));
        assert!(!app.dump(sitter.sitter_id).await.iter().any(|it| it.starts_with("cleared_row") && it.contains("New")));
        assert_eq!(sitter.post("/clear/undo", json!({})).await.status, 200);
        work(&app.state).await;
        assert_eq!(business_of(&export(sitter).await), business_of(&before));
    }

    async fn a_business_is_not_cleared_by_somebody_who_was_told_wrongly_what_is_kept(app: TestApp) {
        let sitter = app.sitter("Dana").await;
        sitter.client("Sam").await;
        let clear = async |keeps: bool| {
            let form = json!({ "word": "CLEAR", "password": PASSWORD, "keeps": keeps });
            let asked = sitter.post("/clear", form).await;
            work(&app.state).await;
            asked
        };
        let is_empty = async || sitter.get("/clients").await.data() == &json!([]);
        assert_eq!(clear(false).await.failure(), (409, "clearing_changed"));
        assert!(!is_empty().await);
        assert_eq!(clear(true).await.status, 200);
        assert!(is_empty().await);
        // Another phone has cleared it; what is new would be kept nowhere.
        sitter.client("New").await;
        assert_eq!(clear(true).await.failure(), (409, "clearing_changed"));
        assert!(!is_empty().await);
        assert_eq!(clear(false).await.status, 200);
        assert!(is_empty().await);
    }

    async fn a_business_that_cannot_be_brought_back_says_so_and_is_open_and_nothing_is_lost(app: TestApp) {
        let victim = victim(&app).await;
        let (sitter, sitter_id) = (&victim.sitter, victim.sitter.sitter_id.unwrap());
        let message = lines(&export(sitter).await, "rows/message.jsonl")[0].clone();
        clear(&app, sitter).await;
        let kept = || async {
            let dump = app.dump(Some(sitter_id)).await;
            dump.iter().filter(|it| it.starts_with("cleared_row")).count()
        };
        // One that cannot be read, and then one that the database does not take beside another one.
        let mut second = message.clone();
        second["id"] = json!(Id::of(7));
        for json in ["nonsense of Sam".to_owned(), second.to_string()] {
            let key = RowKey { table: TableName::Message, id: Id::of(7) };
            let mut tx = app.state.db.write().await.unwrap();
            db::keep_cleared_row(&mut tx, sitter_id, key, json, None).await.unwrap();
            tx.commit().await.unwrap();
            let before = kept().await;
            assert_eq!(sitter.post("/clear/undo", json!({})).await.status, 200);
            work(&app.state).await;
            let state = sitter.get("/clear").await.data().clone();
            assert_eq!(state["state"], "cleared");
            assert!(state["fault"].as_str().unwrap().contains("Nothing of it is lost."), "{state}");
            assert_eq!(kept().await, before);
        }
        sitter.client("After").await;
    }

    #[always]
    async fn a_business_is_not_written_by_two_at_once(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        let bytes = victim.sitter.get("/export").await.bytes;
        other.client("Sam").await;
        clear(&app, &other).await;
        assert_eq!(send(&app, &other, &bytes).await["state"], "ready");
        assert_eq!(other.post("/clear/undo", json!({})).await.status, 200);
        assert_eq!(other.post("/import/start", json!({})).await.failure(), (409, "import_elsewhere"));
        assert_eq!(other.post("/clear", json!({ "word": "CLEAR", "password": PASSWORD })).await.failure(), (409, "import_elsewhere"));
        work(&app.state).await;
        assert_eq!(other.post("/import/start", json!({})).await.failure(), (409, "business_not_empty"));
    }

    async fn an_archive_that_is_none_opens_no_business_that_a_clearing_has_closed(app: TestApp) {
        let dana = app.sitter("Dana").await;
        assert_eq!(announce(&dana, &[1; 10]).await.status, 201);
        send_piece(&dana, 0, &[1; 10]).await;
        assert_eq!(dana.post("/clear", json!({ "word": "CLEAR", "password": PASSWORD })).await.status, 200);
        // Another process is at it.
        let mut tx = app.state.db.write().await.unwrap();
        db::lease_clearing(&mut tx, app.state.now()).await.unwrap().unwrap();
        tx.commit().await.unwrap();
        close(&app, &dana).await;
        work(&app.state).await;
        assert_eq!(dana.get("/import").await.data()["state"], "failed");
        let form = json!({ "name": "Meanwhile", "dogs": [{ "name": "Rex" }] });
        assert_eq!(dana.post("/clients", form).await.failure(), (503, "unavailable"));
    }

    async fn work_that_came_before_an_archive_was_written_stays_and_the_archive_does_not_come(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        send(&app, &other, &victim.sitter.get("/export").await.bytes).await;
        other.post("/import/start", json!({})).await;
        other.client("Quick").await;
        work(&app.state).await;
        let failed = other.get("/import").await.data().clone();
        assert_eq!(failed["fault"], "There is work in this business already. Clear it first, or use a new account.");
        assert_eq!(other.get("/clients").await.data().as_array().unwrap().len(), 1);
        other.client("After").await;
    }

    async fn an_archive_that_the_database_does_not_take_is_taken_back(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        let bytes = victim.sitter.get("/export").await.bytes;
        send(&app, &other, &bytes).await;
        other.post("/import/start", json!({})).await;
        close(&app, &other).await;
        let mut row = lines(&unpack(&bytes), "rows/message.jsonl")[0].clone();
        row["id"] = json!(Id::of(7));
        let row = TableName::Message.read(&row.to_string()).unwrap();
        let sitter_id = other.sitter_id.unwrap();
        let mut tx = app.state.db.write().await.unwrap();
        let rev = db::claim_next_revision(&mut tx, sitter_id, None, None).await.unwrap().unwrap().rev;
        db::write_row(&mut tx, sitter_id, rev, &row).await.unwrap();
        tx.commit().await.unwrap();
        work(&app.state).await;
        assert_eq!(other.get("/import").await.data()["state"], "failed");
        assert_eq!(other.get("/clients").await.data(), &json!([]));
        other.client("After").await;
    }

    #[always]
    async fn who_stops_an_import_has_an_empty_business_again(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        send(&app, &other, &victim.sitter.get("/export").await.bytes).await;
        other.post("/import/start", json!({})).await;
        let lost = lose_last_piece(&app, &other).await;
        work(&app.state).await;
        assert_eq!(other.get("/import").await.data()["state"], "writing");
        assert_eq!(other.call("DELETE", "/import", &[], None).await.status, 200);
        app.state.files.put(&lost.0, lost.1).await.unwrap();
        work(&app.state).await;
        let stopped = other.get("/import").await.data().clone();
        assert_eq!((&stopped["state"], &stopped["fault"]), (&json!("failed"), &json!("The import was stopped. Nothing was changed.")));
        other.client("After").await;
    }

    #[always]
    async fn an_import_that_comes_further_and_fails_each_time_is_given_up_too(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        send(&app, &other, &victim.sitter.get("/export").await.bytes).await;
        other.post("/import/start", json!({})).await;
        let lost = lose_last_piece(&app, &other).await;
        for _ in 0..4 {
            app.clock.advance(DAY - HOUR);
            work(&app.state).await;
            let mut tx = app.state.db.write().await.unwrap();
            let import = db::find_import(&mut tx, other.sitter_id.unwrap()).await.unwrap().unwrap();
            assert!(db::note_import_progress(&mut tx, &import, false, app.state.now()).await.unwrap());
            tx.commit().await.unwrap();
        }
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(other.get("/import").await.data()["state"], "undoing");
        drop(lost);
        work(&app.state).await;
        other.client("After").await;
    }

    #[always]
    async fn archives_come_in_by_turns(app: TestApp) {
        let victim = victim(&app).await;
        let bytes = victim.sitter.get("/export").await.bytes;
        let app = app.with(Settings { import_turn: 1, ..support::settings() }).await;
        let mut sitters = Vec::new();
        for name in ["One", "Two", "Three"] {
            let sitter = app.sitter(name).await;
            send(&app, &sitter, &bytes).await;
            assert_eq!(sitter.post("/import/start", json!({})).await.status, 200);
            sitters.push(sitter);
        }
        work(&app.state).await;
        for sitter in sitters {
            let done = sitter.get("/import").await.data().clone();
            assert_eq!((&done["state"], &done["done"], &done["left_out_count"]), (&json!("done"), &done["total"], &json!(0)));
            assert_eq!(business_of(&export(&sitter).await), business_of(&unpack(&bytes)));
        }
    }

    async fn a_file_that_the_storage_does_not_give_just_now_is_not_left_out(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        // So long that one piece of the archive has nothing else.
        crate::videos::upload(&victim.sitter, &crate::videos::film()).await;
        let bytes = victim.sitter.get("/export").await.bytes;
        send(&app, &other, &bytes).await;
        other.post("/import/start", json!({})).await;
        let lost = lose_piece(&app, &other, 1).await;
        work(&app.state).await;
        assert_eq!(other.get("/import").await.data()["state"], "writing");
        app.state.files.put(&lost.0, lost.1).await.unwrap();
        app.clock.advance(HOUR);
        work(&app.state).await;
        let done = other.get("/import").await.data().clone();
        assert_eq!((&done["state"], &done["left_out_count"]), (&json!("done"), &json!(0)), "{done}");
    }

    async fn an_archive_for_whose_photos_there_is_no_room_is_turned_down_in_words(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        let photo = db::PhotoRow {
            id: Id::of(7),
            file_id: Id::of(8),
            source_hash: String::new(),
            size_bytes: MAX_PHOTO_STORAGE_BYTES - 1,
            client_id: None,
        };
        let mut tx = app.state.db.write().await.unwrap();
        db::insert_photo(&mut tx, other.sitter_id.unwrap(), &photo, app.state.now()).await.unwrap();
        tx.commit().await.unwrap();
        let failed = send(&app, &other, &victim.sitter.get("/export").await.bytes).await;
        assert_eq!(failed["state"], "failed");
        let words = "There is no room for the photos of this archive. What you have cleared takes its room until it is deleted for good.";
        assert_eq!(failed["fault"], words);
    }

    async fn what_was_deleted_by_hand_comes_back_from_ones_own_archive_with_all_offerings(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let before = export(&dana).await;
        assert!(!lines(&before, "rows/offering.jsonl").is_empty());
        let bytes = dana.get("/export").await.bytes;
        assert_eq!(import(&app, &dana, &bytes).await["state"], "done");
        assert_eq!(business_of(&export(&dana).await), business_of(&before));
    }

    #[always]
    async fn a_pet_parent_who_is_gone_by_then_does_not_come_back_with_the_business(app: TestApp) {
        let victim = victim(&app).await;
        let (sitter, parent) = (&victim.sitter, app.pet_parent("Pat").await);
        app.link(sitter, &victim.ids["client"], Some(&parent)).await;
        clear(&app, sitter).await;
        let gone = parent.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        assert_eq!(sitter.post("/clear/undo", json!({})).await.status, 200);
        work(&app.state).await;
        let client = sitter.get(&format!("/clients/{}", victim.ids["client"])).await;
        assert_eq!(client.data()["client_user_id"], json!(null));
        let another = app.pet_parent("Robin").await;
        app.link(sitter, &victim.ids["client"], Some(&another)).await;
        assert_eq!(another.get("/client/sitters").await.data().as_array().unwrap().len(), 1);
    }

    async fn the_address_of_a_page_that_was_cleared_is_kept_for_it(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        let bytes = victim.sitter.get("/export").await.bytes;
        clear(&app, &victim.sitter).await;
        import(&app, &other, &bytes).await;
        assert_eq!(victim.sitter.post("/clear/undo", json!({})).await.status, 200);
        work(&app.state).await;
        let shared = |files: &Files| lines(files, "rows/invoice.jsonl")[0]["shareId"].clone();
        assert_eq!(shared(&export(&victim.sitter).await), shared(&unpack(&bytes)));
        assert_ne!(shared(&export(&other).await), shared(&unpack(&bytes)));
    }

    async fn no_archive_is_made_of_a_business_that_is_being_written(app: TestApp) {
        let dana = app.sitter("Dana").await;
        assert_eq!(dana.post("/clear", json!({ "word": "CLEAR", "password": PASSWORD })).await.status, 200);
        assert_eq!(dana.get("/export").await.failure(), (409, "import_elsewhere"));
        work(&app.state).await;
        assert_eq!(dana.get("/export").await.status, 200);
    }

    async fn a_pet_parents_archive_has_the_account_and_what_each_sitter_shares_and_nothing_else(app: TestApp) {
        let (victim, other) = (victim(&app).await, app.sitter("Other").await);
        let (sam, theirs) = (app.pet_parent("Sam").await, other.client("Samuel").await);
        app.link(&victim.sitter, &victim.ids["client"], Some(&sam)).await;
        app.link(&other, &theirs.0, Some(&sam)).await;
        let visit = format!("/scheduled-services/{}", victim.ids["service"]);
        victim.sitter.put(&visit, json!({ "internal_notes": "Beware of the cat" })).await.data();
        let said = json!({ "conversation_id": victim.ids["client"], "content": "See you on Monday" });
        victim.sitter.post("/messages", said).await.data();

        let answer = sam.get("/client/export").await;
        assert_eq!(answer.headers["content-disposition"], "attachment; filename=\"walkies-account.zip\"");
        let files = unpack(&answer.bytes);
        let manifest = manifest(&files);
        assert_eq!(manifest["account"]["email"], json!(sam.email));
        let sitters = manifest["sitters"].as_array().unwrap();
        let folder = |business: &str| {
            let found = sitters.iter().find(|it| it["business"] == business).unwrap();
            found["folder"].as_str().unwrap().to_owned()
        };
        let (of_victim, of_other) = (folder("Paws & Co"), folder("Other"));
        let ids = |folder: &str, table: TableName| -> Vec<Value> {
            lines(&files, &(folder.to_owned() + &Entry::rows(table))).into_iter().map(|mut it| it["id"].take()).collect()
        };
        for (table, id) in [
            (TableName::Client, "client"), (TableName::Pet, "dog"), (TableName::WalkRequest, "request"),
            (TableName::Report, "report"), (TableName::Invoice, "invoice"),
        ] {
            assert_eq!(ids(&of_victim, table), [json!(victim.ids[id])], "{}", table.name());
        }
        assert_eq!(ids(&of_other, TableName::Client), [json!(theirs.0)]);
        assert!(ids(&of_victim, TableName::Service).contains(&json!(victim.ids["service"])));
        assert!(text(&files, &(of_victim.clone() + "csv/messages.csv")).contains("See you on Monday"));
        assert!(text(&files, &(of_victim.clone() + "invoices/00002.html")).contains("Thank you, Sam"));
        // It is on the page of the shared walk.
        let photo = of_victim.clone() + &Entry::file(Kept::Photos, victim.ids["photo"].parse().unwrap(), "image/jpeg");
        assert!(files.contains_key(&photo));
        assert!(files.keys().any(|it| it.starts_with(&(of_victim.clone() + "walks/2026-11-20-"))));

        let others = ["conversation", "dog of another", "request of another", "message", "document", "expense", "pattern"];
        let others = others.map(|it| victim.ids[it].as_str());
        let secrets = [ACCESS_NOTES, "Beware of the cat", "Gate code 4821", "Treats for Rex", "ada@example.com"];
        for (name, bytes) in &files {
            let said = String::from_utf8_lossy(bytes);
            let secret = secrets.iter().chain(&others).find(|it| said.contains(**it));
            assert_eq!(secret, None, "{name}: {said}");
        }
        let listed = manifest["files"].as_array().unwrap();
        assert_eq!(listed.len(), files.len() - 1);
        assert!(listed.iter().all(|it| walkies_server::base::env::sha256(&files[it["name"].as_str().unwrap()]) == it["sha256"]));

        app.link(&victim.sitter, &victim.ids["client"], None).await;
        let left = unpack(&sam.get("/client/export").await.bytes);
        assert!(left.keys().all(|it| it == Entry::MANIFEST || it.starts_with("sitter-1/")));
        assert!(!text(&left, Entry::MANIFEST).contains("Paws & Co"));
    }

    async fn an_account_has_one_archive_at_a_time_beside_that_of_the_business(app: TestApp) {
        let (dana, sam) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        app.link(&dana, &dana.client("Sam").await.0, Some(&sam)).await;
        let taken = app.state.exports.acquire(sam.user_id).await.unwrap();
        assert_eq!(sam.get("/client/export").await.failure(), (429, "too_many_requests"));
        assert_eq!(dana.get("/export").await.status, 200);
        drop(taken);
        assert_eq!(sam.get("/client/export").await.status, 200);
        // It is no business.
        let sent = send(&app, &app.sitter("Other").await, &sam.get("/client/export").await.bytes).await;
        assert_eq!(sent["state"], "failed");
    }

    async fn nobody_but_the_sitter_has_an_archive(app: TestApp) {
        assert_eq!(app.pet_parent("Pat").await.get("/export").await.failure(), (403, "forbidden"));
        assert_eq!(app.sitter("Dana").await.get("/client/export").await.failure(), (403, "forbidden"));
        assert_eq!(app.anonymous().get("/export").await.failure(), (401, "sign_in_needed"));
    }
}
