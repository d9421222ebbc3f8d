//! How somebody becomes a sitter: registering, what is left to be done, and the documents that nobody else sees.

use axum::body::Body;
use axum::http::{Request, header};
use image::ImageFormat;
use serde_json::{Value, json};
use walkies_core::rules::document::MAX_DOCUMENT_BYTES;
use walkies_core::values::bounds::DOCUMENTS;
use walkies_server::app::settings::{Settings, SignUpMode};
use walkies_server::base::env::Env;
use walkies_server::db;
use walkies_server::jobs::cleanup;
use walkies_server::media::files::FileName;
use walkies_server::media::photo;

use crate::on_both;
use crate::photos::{jpeg, picture};
use crate::support::{Answer, DAY, PASSWORD, TestApp, User, settings};

/// A PDF, as far as anybody looks.
pub const PDF: &[u8] = b"%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj\nstartxref\n9\n%%EOF\n";

/// Stores a document.
pub async fn upload(user: &User, id: Option<&str>, name: &str, bytes: &[u8]) -> Answer {
    upload_once(user, None, id, name, bytes).await
}

/// Uploads a document with an `Idempotency-Key`.
pub async fn upload_once(
    user: &User,
    key: Option<&str>,
    id: Option<&str>,
    name: &str,
    bytes: &[u8],
) -> Answer {
    let mut body = Vec::new();
    if let Some(id) = id {
        body.extend(b"--XX\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\n");
        body.extend(id.as_bytes());
        body.extend(b"\r\n");
    }
    let head = format!(
        "--XX\r\nContent-Disposition: form-data; name=\"document\"; filename=\"{name}\"\r\n\r\n"
    );
    body.extend(head.as_bytes());
    body.extend(bytes);
    body.extend(b"\r\n--XX--\r\n");
    let mut request = Request::builder()
        .method("POST")
        .uri("/api/sitters/upload-document")
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=XX");
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    user.send(request.body(Body::from(body)).unwrap()).await
}

/// How many files of documents this server has.
fn stored(app: &TestApp, user: &User) -> usize {
    let folder = app.folder().join(user.sitter_id.unwrap().to_string());
    std::fs::read_dir(folder.join("document")).map_or(0, Iterator::count)
}

/// The steps that are taken.
async fn done(user: &User) -> Vec<String> {
    let status = user.get("/sitters/onboarding-status").await;
    let steps = status.data()["steps"].as_array().unwrap().clone();
    let done = steps.iter().filter(|it| it["isDone"] == true);
    done.map(|it| it["step"].as_str().unwrap().to_owned())
        .collect()
}

fn form(email: &str) -> Value {
    json!({ "name": "Dana", "email": email, "password": PASSWORD, "time_zone": "UTC", "role": "client" })
}

on_both! {
    async fn who_registers_is_a_sitter_once_the_code_from_the_mail_is_typed(app: TestApp) {
        let asked = app.anonymous().post("/sitters/register", form("dana@example.com")).await;
        assert_eq!(asked.status, 202, "{}", asked.body);
        let mail = app.mail_to("dana@example.com").await;
        let code = &mail.split("Your code is ").nth(1).unwrap()[..8];
        let confirmation = &asked.data()["confirmation"];
        let verify = async |code: &str| {
            let form = json!({ "confirmation": confirmation, "code": code });
            app.anonymous().post("/sitters/verify-email", form).await
        };
        assert_eq!(verify("0000000").await.failure(), (422, "invalid"));
        let made = verify(code).await;
        assert_eq!(made.status, 201, "{}", made.body);
        assert_eq!(made.data()["user"]["role"], "sitter");
        assert_eq!(verify(code).await.failure(), (422, "invalid"), "a code is good once");
        let dana = app.user_of(&made);
        assert_eq!(done(&dana).await, ["account", "email", "offerings", "availability"]);
    }

    async fn to_register_does_not_tell_whether_an_email_is_known(app: TestApp) {
        app.sitter("Dana").await;
        let known = app.anonymous().post("/sitters/register", form("dana@example.com")).await;
        let unknown = app.anonymous().post("/sitters/register", form("kim@example.com")).await;
        for answer in [&known, &unknown] {
            assert_eq!(answer.status, 202);
            assert_eq!(answer.data().as_object().unwrap().len(), 2);
            assert_eq!(answer.data()["expires_in_seconds"], 1800);
        }
        let lengths = [&known, &unknown].map(|it| it.bytes.len());
        assert_eq!(lengths[0], lengths[1]);
        assert!(app.mail_to("dana@example.com").await.contains("which has an account already"));
        assert!(app.mail_to("kim@example.com").await.contains("Your code is"));
    }

    async fn who_may_not_sign_up_may_not_register(app: TestApp) {
        for (mode, code) in [(SignUpMode::Closed, "sign_up_closed"), (SignUpMode::Invite, "invitation_needed")] {
            let mut anybody = app.anonymous();
            anybody.router = app.restarted_with(Settings { sign_up: mode, ..settings() }).await;
            let answer = anybody.post("/sitters/register", form("dana@example.com")).await;
            assert_eq!(answer.failure(), (403, code));
        }
    }

    async fn the_status_follows_the_rows(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let status = dana.get("/sitters/onboarding-status").await.data().clone();
        assert_eq!((&status["next"], &status["isComplete"]), (&json!("profile"), &json!(false)));
        let optional: Vec<&Value> = status["steps"].as_array().unwrap().iter().filter(|it| it["isOptional"] == true).collect();
        assert_eq!(optional.len(), 1);
        assert_eq!(optional[0]["step"], "documents");

        dana.put("/sitters/profile", json!({ "phone": "555-010-0200" })).await;
        assert_eq!(dana.get("/sitters/onboarding-status").await.data()["next"], "service_area");
        let area = json!({ "address": "Kluuvi", "lat": 60.17, "lng": 24.94, "radius_miles": 2 });
        dana.put("/sitters/service-area", area).await;
        let status = dana.get("/sitters/onboarding-status").await.data().clone();
        assert_eq!((&status["next"], &status["isComplete"]), (&Value::Null, &json!(true)));
        let banner = dana.get("/sitter/profile/status").await.data().clone();
        assert_eq!((&banner["hasProfile"], &banner["isComplete"]), (&json!(true), &json!(true)));
        assert_eq!(banner["profile"]["phone"], "555-010-0200");

        for offering in dana.get("/sitter-services").await.data().as_array().unwrap() {
            let id = offering["id"].as_str().unwrap();
            dana.put(&format!("/sitter-services/{id}"), json!({ "is_active": false })).await;
        }
        for pattern in dana.get("/availability/patterns").await.data().as_array().unwrap() {
            let id = pattern["id"].as_str().unwrap();
            dana.delete(&format!("/availability/patterns/{id}")).await;
        }
        assert_eq!(done(&dana).await, ["account", "email", "profile", "service_area"]);
        let banner = dana.get("/sitter/profile/status").await.data().clone();
        assert_eq!(banner["isComplete"], false, "the banner follows the same rule");
        assert_eq!(banner["stepsLeft"], json!(["offerings", "availability"]));
    }

    #[always]
    async fn a_document_comes_back_to_its_owner_alone(app: TestApp) {
        let (dana, other, parent) = (app.sitter("Dana").await, app.sitter("Other").await, app.pet_parent("Pat").await);
        let stored_pdf = upload(&dana, None, "Versicherung \u{20ac}.pdf", PDF).await;
        assert_eq!(stored_pdf.status, 201, "{}", stored_pdf.body);
        assert_eq!(stored_pdf.data()["name"], "Versicherung \u{20ac}.pdf");
        assert_eq!(stored_pdf.data()["media_type"], "application/pdf");
        assert_eq!(stored_pdf.data()["size_bytes"], PDF.len());
        assert!(done(&dana).await.contains(&"documents".to_owned()));
        let path = format!("/sitters/documents/{}", stored_pdf.id());
        let shown = dana.get(&path).await;
        assert_eq!((shown.status.as_u16(), shown.bytes.as_slice()), (200, PDF));
        assert_eq!(shown.headers["content-type"], "application/pdf");
        assert_eq!(shown.headers["content-disposition"], "attachment; filename=\"document.pdf\"");
        assert_eq!(shown.headers["x-content-type-options"], "nosniff");
        assert_eq!(shown.headers["cache-control"], "no-store");
        assert_eq!(other.get(&path).await.failure(), (404, "not_found"));
        assert_eq!(other.delete(&path).await.failure(), (404, "not_found"));
        assert_eq!(parent.get(&path).await.failure(), (403, "forbidden"));
        assert_eq!(app.anonymous().get(&path).await.failure(), (401, "sign_in_needed"));
        assert_eq!(other.get("/sitters/documents").await.data(), &json!([]));
        assert_eq!(dana.get("/sitters/documents").await.data().as_array().unwrap().len(), 1);
        // Nothing of a photo's address leads to it.
        assert_eq!(dana.get(&format!("/photos/{}", stored_pdf.id())).await.failure(), (404, "not_found"));
    }

    async fn a_document_is_what_its_bytes_are(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let photo = upload(&dana, None, "licence.pdf", &picture(ImageFormat::Png, 7)).await;
        assert_eq!(photo.data()["media_type"], "image/jpeg", "whatever its name says");
        let shown = dana.get(&format!("/sitters/documents/{}", photo.id())).await;
        assert!(shown.bytes.starts_with(&[0xFF, 0xD8, 0xFF]));
        for bytes in [&b"<html><script>alert(1)</script>"[..], b"%PDF-1.7 cut off", b"GIF89a", b"MZ"] {
            let refused = upload(&dana, None, "licence.pdf", bytes).await;
            assert_eq!(refused.failure(), (415, "unsupported"));
            assert_eq!(refused.body["error"], "Unsupported file type (use PDF, JPEG, PNG, or HEIC)");
        }
        let heic = upload(&dana, None, "licence.heic", b"\0\0\0\x18ftypheic\0\0\0\0").await;
        assert_eq!(heic.failure(), (415, "unsupported"));
        assert_eq!(heic.body["error"], photo::PhotoError::Heic.to_string());
        let damaged = upload(&dana, None, "licence.jpg", &jpeg()[..200]).await;
        assert_eq!(damaged.failure(), (400, "malformed"));
        let missing = upload(&dana, None, "licence.jpg", b"").await;
        assert_eq!(missing.body["error"], "No document selected");
        let mut large = PDF.to_vec();
        large.resize(usize::try_from(MAX_DOCUMENT_BYTES).unwrap() + 1, b' ');
        let refused = upload(&dana, None, "licence.pdf", &large).await;
        assert_eq!(refused.failure(), (413, "too_large"));
        assert_eq!(refused.body["error"], "Document size too large (max 10MB)");
        let named = upload(&dana, None, &"x".repeat(201), PDF).await;
        assert_eq!(named.body["fields"], json!({ "name": "Name cannot exceed 200 characters" }));
        assert_eq!(stored(&app, &dana), 1);
    }

    async fn a_document_with_an_id_is_stored_once(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let id = Env::system().id().to_string();
        let upload = async |user: &User, bytes: &[u8]| upload(user, Some(&id), "a.pdf", bytes).await;
        let (one, two) = tokio::join!(upload(&dana, PDF), upload(&dana, PDF));
        assert_eq!((one.id(), two.id()), (id.clone(), id.clone()));
        assert_eq!(stored(&app, &dana), 1);
        assert_eq!(upload(&dana, &jpeg()).await.failure(), (422, "key_reused"));
        assert_eq!(upload(&other, &jpeg()).await.id(), id, "ids are each business's own");
    }

    async fn a_business_keeps_so_many_documents(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut ids = Vec::new();
        for _ in 0..DOCUMENTS {
            ids.push(upload(&dana, None, "a.pdf", PDF).await.id());
        }
        let refused = upload(&dana, None, "a.pdf", PDF).await;
        assert_eq!(refused.body["fields"], json!({ "documents": "Documents cannot exceed 20" }));
        assert_eq!(stored(&app, &dana), DOCUMENTS);
        assert_eq!(dana.delete(&format!("/sitters/documents/{}", ids[0])).await.status, 200);
        assert_eq!(stored(&app, &dana), DOCUMENTS - 1);
        assert_eq!(upload(&dana, None, "a.pdf", PDF).await.status, 201);
    }

    async fn documents_go_with_the_account(app: TestApp) {
        let dana = app.sitter("Dana").await;
        upload(&dana, None, "a.pdf", PDF).await;
        upload(&dana, None, "b.jpg", &jpeg()).await;
        assert_eq!(stored(&app, &dana), 2);
        let gone = dana.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await;
        assert_eq!(gone.status, 200);
        assert_eq!(stored(&app, &dana), 0);
        assert!(app.dump(None).await.iter().all(|it| !it.starts_with("document ") && !it.starts_with("dropped_document ")));
    }

    async fn a_file_that_was_stored_and_never_noted_is_gone_after_a_day(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (sitter_id, file_id) = (dana.sitter_id.unwrap(), Env::system().id());
        let mut tx = app.state.db.write().await.unwrap();
        let due_at = walkies_core::Instant(app.state.now().0 + DAY);
        db::announce_document(&mut tx, sitter_id, file_id, due_at).await.unwrap();
        tx.commit().await.unwrap();
        let file = FileName::document(sitter_id, file_id);
        app.state.files.put(&file, PDF.into()).await.unwrap();
        app.clock.advance(DAY - 1);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(stored(&app, &dana), 1);
        app.clock.advance(1);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(stored(&app, &dana), 0);
    }

    async fn a_server_without_a_place_for_files_takes_no_documents(app: TestApp) {
        let mut dana = app.sitter("Dana").await;
        dana.router = app.without_photo_storage().await;
        let answer = upload(&dana, None, "a.pdf", PDF).await;
        assert_eq!(answer.failure(), (503, "photo_storage_not_configured"));
    }
}
