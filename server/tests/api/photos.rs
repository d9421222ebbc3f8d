//! Photos: taken in once, kept clean, shown to their own business alone.

use std::io::Cursor;

use image::{ImageFormat, RgbImage};
use serde_json::json;
use walkies_core::rules::photo::{MAX_PHOTO_STORAGE_BYTES, MAX_UPLOADS_A_DAY};
use walkies_server::base::env::Env;
use walkies_server::db;
use walkies_server::jobs::cleanup;
use walkies_server::media::files::{FileName, PhotoSize};

use crate::on_both;
use crate::support::{DAY, HOUR, TestApp};

/// A small photo.
pub fn jpeg() -> Vec<u8> {
    picture(ImageFormat::Jpeg, 120)
}

/// A photo in one color.
pub fn picture(format: ImageFormat, shade: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    RgbImage::from_pixel(640, 480, image::Rgb([shade, 90, 60]))
        .write_to(&mut Cursor::new(&mut bytes), format)
        .unwrap();
    bytes
}

/// The names of all files of this server's photos.
pub fn stored(app: &TestApp) -> Vec<String> {
    fn walk(folder: &std::path::Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|it| it == "jpg") {
                found.push(path.display().to_string());
            }
        }
    }
    let mut found = Vec::new();
    walk(app.folder(), &mut found);
    found
}

on_both! {
    async fn an_uploaded_photo_is_shown_again_to_its_business_alone(app: TestApp) {
        let (dana, other, parent) = (app.sitter("Dana").await, app.sitter("Other").await, app.pet_parent("Pat").await);
        let answer = dana.upload(None, &picture(ImageFormat::Png, 10)).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        let id = answer.id();
        assert_eq!(answer.data()["filename"], format!("{id}.jpg"));
        assert_eq!(answer.data()["type"], "photo");
        assert_eq!(answer.data()["photoUrl"], format!("/api/photos/{id}"));
        for size in ["", "?size=full", "?size=thumb"] {
            let shown = dana.get(&format!("/photos/{id}{size}")).await;
            assert_eq!(shown.status, 200);
            assert_eq!(shown.headers["content-type"], "image/jpeg");
            assert_eq!(shown.headers["x-content-type-options"], "nosniff");
            assert_eq!(shown.headers["cache-control"], "no-store");
            assert!(shown.bytes.starts_with(&[0xFF, 0xD8, 0xFF]));
        }
        assert_eq!(other.get(&format!("/photos/{id}")).await.failure(), (404, "not_found"));
        assert_eq!(parent.get(&format!("/photos/{id}")).await.failure(), (403, "not_linked"));
        assert_eq!(app.anonymous().get(&format!("/photos/{id}")).await.failure(), (401, "sign_in_needed"));
    }

    async fn a_server_without_a_place_for_photos_says_so(app: TestApp) {
        let mut dana = app.sitter("Dana").await;
        dana.router = app.without_photo_storage().await;
        let answer = dana.upload(None, &jpeg()).await;
        assert_eq!(answer.failure(), (503, "photo_storage_not_configured"));
        assert_eq!(answer.body["error"], "Photo storage is not configured");
    }

    async fn an_upload_with_an_id_happens_once(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let id = Env::system().id().to_string();
        assert_eq!(dana.upload(Some(&id), &jpeg()).await.id(), id);
        let files = stored(&app);
        assert_eq!(files.len(), 2);
        assert_eq!(dana.upload(Some(&id), &jpeg()).await.id(), id);
        assert_eq!(stored(&app), files);
        let changed = dana.upload(Some(&id), &picture(ImageFormat::Jpeg, 30)).await;
        assert_eq!(changed.failure(), (422, "key_reused"));
        assert_eq!(other.upload(Some(&id), &picture(ImageFormat::Jpeg, 30)).await.id(), id, "ids are each business's own");
    }

    async fn an_upload_with_a_key_happens_once(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let first = dana.upload_once(Some("one"), None, &jpeg()).await;
        let second = dana.upload_once(Some("one"), None, &jpeg()).await;
        assert_eq!((first.id(), stored(&app).len()), (second.id(), 2));
        assert_ne!(dana.upload_once(Some("two"), None, &jpeg()).await.id(), first.id());
        let other = picture(ImageFormat::Png, 3);
        assert_eq!(dana.upload_once(Some("one"), None, &other).await.failure(), (422, "key_reused"));
    }

    async fn a_business_uploads_so_many_photos_a_day_and_more_on_the_next(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let kept = dana.upload(None, &jpeg()).await.id();
        let sitter_id = dana.sitter_id.unwrap();
        let mut tx = app.state.db.write().await.unwrap();
        for _ in 1..MAX_UPLOADS_A_DAY {
            db::count_upload(&mut tx, sitter_id, None, app.state.now().0 / DAY).await.unwrap();
        }
        tx.commit().await.unwrap();
        let refused = dana.upload(None, &jpeg()).await;
        assert_eq!(refused.failure(), (429, "too_many_photos"));
        assert_eq!(refused.headers["retry-after"], "54001", "it is nine in the morning");
        assert_eq!(dana.upload(Some(&kept), &jpeg()).await.id(), kept, "a repeat is no other photo");
        assert_eq!(other.upload(None, &jpeg()).await.status, 201);
        app.clock.advance(15 * HOUR);
        assert_eq!(dana.upload(None, &jpeg()).await.status, 201);
    }

    async fn a_business_keeps_so_many_photos(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let full = db::PhotoRow {
            id: Env::system().id(),
            file_id: Env::system().id(),
            source_hash: String::new(),
            size_bytes: MAX_PHOTO_STORAGE_BYTES,
            client_id: None,
        };
        let mut tx = app.state.db.write().await.unwrap();
        db::insert_photo(&mut tx, dana.sitter_id.unwrap(), &full, app.state.now()).await.unwrap();
        tx.commit().await.unwrap();
        let refused = dana.upload(None, &jpeg()).await;
        assert_eq!(refused.failure(), (409, "photo_storage_full"));
        assert!(stored(&app).is_empty());
    }

    async fn a_photo_that_nothing_names_is_gone_after_a_day(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let photo = dana.upload(None, &jpeg()).await.id();
        let unnamed = dana.upload(None, &picture(ImageFormat::Jpeg, 30)).await.id();
        let form = json!({ "name": "Sam", "dogs": [{ "name": "Rex", "photo": photo }] });
        let client = dana.post("/clients", form).await.id();
        let is_there = async |photo: &str| dana.get(&format!("/photos/{photo}")).await.status == 200;
        app.clock.advance(DAY - 1);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert!(is_there(&unnamed).await);
        app.clock.advance(1);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert!(!is_there(&unnamed).await && is_there(&photo).await);
        assert_eq!(stored(&app).len(), 2);
        dana.delete(&format!("/clients/{client}")).await;
        // Whoever takes the deletion back finds the photo there.
        for days in [7, 1] {
            assert!(is_there(&photo).await);
            app.clock.advance(days * DAY);
            cleanup::clean_up_once(&app.state).await.unwrap();
        }
        assert!(!is_there(&photo).await);
        assert!(stored(&app).is_empty());
    }

    async fn all_photos_that_nothing_names_go_in_one_round_however_many(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let photo = dana.upload(None, &jpeg()).await.id();
        dana.post("/clients", json!({ "name": "Sam", "dogs": [{ "name": "Rex", "photo": photo }] })).await;
        let mut tx = app.state.db.write().await.unwrap();
        for n in 0..1_200 {
            let sitter = if n % 3 == 0 { &other } else { &dana };
            let (id, file_id) = (Env::system().id(), Env::system().id());
            let unnamed = db::PhotoRow { id, file_id, source_hash: String::new(), size_bytes: 1, client_id: None };
            db::insert_photo(&mut tx, sitter.sitter_id.unwrap(), &unnamed, app.state.now()).await.unwrap();
        }
        tx.commit().await.unwrap();
        app.clock.advance(DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        let dump = app.dump(None).await;
        let count = |table: &str| dump.iter().filter(|it| it.starts_with(table)).count();
        assert_eq!((count("photo "), count("dropped_photo ")), (1, 0));
        assert_eq!(dana.get(&format!("/photos/{photo}")).await.status, 200);
    }

    async fn files_of_an_upload_that_broke_off_are_removed(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (sitter_id, file_id) = (dana.sitter_id.unwrap(), Env::system().id());
        // As after a crash between the files and their row.
        let mut tx = app.state.db.write().await.unwrap();
        db::announce_photo(&mut tx, sitter_id, file_id, app.state.now()).await.unwrap();
        tx.commit().await.unwrap();
        let name = FileName::photo(sitter_id, file_id, PhotoSize::Full);
        app.state.files.put(&name, jpeg().into()).await.unwrap();
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(stored(&app).len(), 1, "it may still be under way");
        app.clock.advance(DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert!(stored(&app).is_empty());
    }

    async fn what_is_no_photo_is_refused_in_the_specifications_words(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let refused = async |bytes: &[u8]| {
            let answer = dana.upload(None, bytes).await;
            (answer.status.as_u16(), answer.body["error"].as_str().unwrap().to_owned())
        };
        assert_eq!(refused(b"").await, (400, "No photo selected".to_owned()));
        let svg = (415, "Unsupported file type (use JPEG, PNG, or HEIC)".to_owned());
        assert_eq!(refused(b"<svg xmlns='http://www.w3.org/2000/svg'/>").await, svg);
        let heic = "HEIC photos are turned into JPEG on the phone. Please send a JPEG or PNG here.";
        assert_eq!(refused(b"\0\0\0\x18ftypheic\0\0\0\0").await, (415, heic.to_owned()));
        let large = (413, "Photo size too large (max 10MB)".to_owned());
        assert_eq!(refused(&vec![0xFF; 10 * 1024 * 1024 + 1]).await, large);
        assert_eq!(refused(&vec![0xFF; 12 * 1024 * 1024]).await, large);
        assert!(stored(&app).is_empty());
    }

    async fn a_row_never_names_a_photo_that_has_not_arrived(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let photo = Env::system().id().to_string();
        let form = json!({ "name": "Sam", "dogs": [{ "name": "Rex", "photo": photo }] });
        other.upload(Some(&photo), &jpeg()).await;
        let answer = dana.post("/clients", form.clone()).await;
        assert_eq!(answer.failure(), (409, "photo_missing"), "another business's photo is none");
        dana.upload(Some(&photo), &jpeg()).await;
        assert_eq!(dana.post("/clients", form).await.data()["dogs"][0]["photo"], photo);
    }
}
