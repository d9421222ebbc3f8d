//! Everything of a business as one archive.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};

use serde_json::{Value, json};
use walkies_core::archive::{Entry, Kept};
use walkies_core::{Id, TableName};
use walkies_server::archive::{snapshot, stream};
use walkies_server::db;

use crate::access::victim;
use crate::on_both;
use crate::support::{HOUR, TestApp, User};

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

on_both! {
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
        let page = text(&files, "invoices/00001.html");
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
            assert_eq!(it["sha256"], walkies_server::env::sha256(bytes));
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
        walkies_server::jobs::remove_dropped_photos_or_log(&app.state).await;
        let mut chunks = stream(app.state.clone(), seen, ());
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

    async fn nobody_but_the_sitter_has_an_archive(app: TestApp) {
        assert_eq!(app.pet_parent("Pat").await.get("/export").await.failure(), (403, "forbidden"));
        assert_eq!(app.anonymous().get("/export").await.failure(), (401, "sign_in_needed"));
    }
}
