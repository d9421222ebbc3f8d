//! A disk that is nearly full: files and imports are refused first, and whoever stores the most of all.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use walkies_core::values::bounds::IMPORT_CLIENTS;
use walkies_server::app::settings::Settings;
use walkies_server::base::env::Env;
use walkies_server::base::error::STORAGE_LOW;
use walkies_server::db;
use walkies_server::limits::disk::{FreeSpace, Space};

use crate::on_both;
use crate::onboarding::PDF;
use crate::photos::jpeg;
use crate::support::{Answer, PASSWORD, Phone, TestApp, User, settings};

const GB: u64 = 1024 * 1024 * 1024;
const MB: u64 = 1024 * 1024;

/// A disk of 10 GB, of which so much is free.
#[derive(Debug)]
struct FakeDisk(AtomicU64);

impl FreeSpace for FakeDisk {
    fn read(&self) -> Option<Space> {
        Some(Space {
            total: 10 * GB,
            free: self.0.load(Ordering::Relaxed),
        })
    }
}

impl FakeDisk {
    fn has(&self, free: u64) {
        self.0.store(free, Ordering::Relaxed);
    }
}

async fn on_a_disk(app: &TestApp) -> (TestApp, Arc<FakeDisk>) {
    let disk = Arc::new(FakeDisk(AtomicU64::new(5 * GB)));
    let free_space: Arc<dyn FreeSpace> = Arc::clone(&disk) as _;
    let app = app
        .with(Settings {
            free_space: Some(free_space),
            ..settings()
        })
        .await;
    (app, disk)
}

async fn video(user: &User, size_bytes: u64) -> Answer {
    let id = Env::system().id();
    let form = json!({ "id": id, "size_bytes": size_bytes, "media_type": "video/mp4" });
    user.post("/videos", form).await
}

async fn clients(user: &User) -> Answer {
    let request = Request::post("/api/import/clients");
    let request = request.header("content-type", "application/octet-stream");
    let file = b"Name,Email,Pets\nDana,dana@example.com,Rex\n";
    user.send(request.body(Body::from(file.to_vec())).unwrap())
        .await
}

/// Asks as a load balancer does.
async fn ready(app: &TestApp) -> String {
    let request = Request::get("/readyz").body(Body::empty()).unwrap();
    let answer = app.anonymous().try_send(request).await;
    assert_eq!(answer.status, 200);
    String::from_utf8(answer.bytes.to_vec()).unwrap()
}

async fn archive(user: &User) -> Answer {
    let form = json!({ "archive_bytes": 10, "password": PASSWORD });
    user.post("/import", form).await
}

on_both! {
    async fn a_nearly_full_disk_takes_no_files_and_no_imports_and_all_else_goes_on(app: TestApp) {
        let (app, disk) = on_a_disk(&app).await;
        let (mara, newcomer) = (app.sitter("Mara").await, app.sitter("Newcomer").await);
        let photo = Env::system().id().to_string();
        assert_eq!(mara.upload(Some(&photo), &jpeg()).await.status, 201);
        let client = mara.client("Sam").await;
        assert_eq!(ready(&app).await, "ready\n");
        disk.has(500 * MB);
        assert_eq!(ready(&app).await, "ready, low on disk space\n");
        let low = (507, "storage_low");
        let refused = mara.upload(None, &jpeg()).await;
        assert_eq!(refused.failure(), low);
        assert_eq!(refused.body["error"], STORAGE_LOW);
        assert_eq!(mara.upload_image(&jpeg()).await.failure(), low);
        assert_eq!(video(&mara, 1_000).await.failure(), low);
        assert_eq!(crate::onboarding::upload(&mara, None, "a.pdf", PDF).await.failure(), low);
        assert_eq!(clients(&mara).await.failure(), low);
        assert_eq!(archive(&newcomer).await.failure(), low);
        // A phone's import waits for a word, and what comes after it is done.
        let mut phone = Phone::new(&mara);
        let imported = |n: usize| json!({ "id": Env::system().id(), "client": { "name": format!("Client {n}") },
            "dogs": [{ "id": Env::system().id(), "is_new": true, "changes": { "name": "Rex" } }] });
        let many: Vec<Value> = (0..IMPORT_CLIENTS / 10).map(imported).collect();
        let told = phone.send("import_clients", json!({ "clients": many })).await;
        assert_eq!(told["refusal"]["fields"][0]["text"], STORAGE_LOW, "{told}");
        let changes = json!({ "access_notes": "Ring twice" });
        let done = phone.send("update_client", json!({ "id": client.0, "changes": changes })).await;
        assert_eq!(done["outcome"], "applied", "{done}");
        assert_eq!(mara.put(&format!("/clients/{}", client.0), json!({ "access_notes": "Ring once" })).await.status, 200);
        let form = json!({ "email": mara.email, "password": PASSWORD });
        assert_eq!(app.anonymous().post("/auth/signin", form).await.status, 200);
        // What is here already is answered as before.
        assert_eq!(mara.upload(Some(&photo), &jpeg()).await.status, 201);
        disk.has(5 * GB);
        assert_eq!(mara.upload(None, &jpeg()).await.status, 201);
        assert_eq!(clients(&mara).await.status, 201);
    }

    async fn whoever_stores_more_than_a_share_is_refused_before_all_others(app: TestApp) {
        let (app, disk) = on_a_disk(&app).await;
        let (mara, other) = (app.sitter("Mara").await, app.sitter("Other").await);
        let mut tx = app.state.db.write().await.unwrap();
        let id = Env::system().id();
        db::insert_video(&mut tx, mara.sitter_id.unwrap(), id, 2 * GB, app.state.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(mara.upload(None, &jpeg()).await.status, 201);
        disk.has(900 * MB);
        assert_eq!(mara.upload(None, &jpeg()).await.failure(), (507, "storage_low"));
        assert_eq!(other.upload(None, &jpeg()).await.status, 201);
        // A file that would go into the reserve is nobody's.
        assert_eq!(video(&other, 100 * MB).await.status, 201);
        disk.has(560 * MB);
        assert_eq!(video(&other, 100 * MB).await.failure(), (507, "storage_low"));
        assert_eq!(other.upload(None, &jpeg()).await.status, 201);
    }
}
