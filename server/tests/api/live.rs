//! Photos and events of a visit that its client sees before the report: nobody else does, and nothing is left of what was
//! taken back.

use serde_json::{Value, json};
use walkies_core::Id;
use walkies_server::jobs::cleanup;

use crate::on_both;
use crate::photos::{picture, stored};
use crate::support::{Answer, DAY, TestApp, User};

/// A sitter with a client who has a login, and another one of the same kind.
struct Family {
    sitter: User,
    parent: User,
    other_parent: User,
    sam: (String, String),
}

impl Family {
    async fn new(app: &TestApp) -> Self {
        let sitter = app.sitter("Mara").await;
        let (sam, kim) = (sitter.client("Sam").await, sitter.client("Kim").await);
        let (parent, other_parent) = (app.pet_parent("Sam").await, app.pet_parent("Kim").await);
        app.link(&sitter, &sam.0, Some(&parent)).await;
        app.link(&sitter, &kim.0, Some(&other_parent)).await;
        Self {
            sitter,
            parent,
            other_parent,
            sam,
        }
    }

    async fn visit(&self) -> String {
        self.sitter.walk(&self.sam, "2026-11-20", "17:00").await
    }

    async fn photo(&self, shade: u8) -> String {
        let picture = picture(image::ImageFormat::Jpeg, shade);
        self.sitter.upload(None, &picture).await.id()
    }

    async fn send(&self, visit: &str, body: Value) -> Answer {
        let path = format!("/scheduled-services/{visit}/live");
        self.sitter.post(&path, body).await
    }

    /// Live events of the only visit, as its client sees them.
    async fn seen(&self) -> Value {
        self.parent.get("/client/services").await.data()[0]["live"].clone()
    }
}

fn photo_event(number: u32, photo: &str) -> Value {
    let id = format!("00000000-0000-0000-0000-{number:012}");
    json!({ "id": id, "kind": "photo", "at": "2026-11-20T08:10:00.000Z", "photo": photo })
}

async fn status(user: &User, photo: &str) -> u16 {
    user.get(&format!("/photos/{photo}")).await.status.as_u16()
}

on_both! {
    #[always]
    async fn a_photo_sent_from_a_walk_is_seen_by_its_client_alone_and_gone_once_it_is_taken_back(app: TestApp) {
        let family = Family::new(&app).await;
        let (visit, photo) = (family.visit().await, family.photo(10).await);
        assert_eq!(status(&family.parent, &photo).await, 404, "nobody has sent it yet");
        let event = photo_event(1, &photo);
        let sent = family.send(&visit, json!({ "events": [event] })).await;
        assert_eq!(sent.data()["live"], json!([event]));
        assert_eq!(family.seen().await, json!([event]));
        assert_eq!(status(&family.parent, &photo).await, 200);
        assert_eq!(status(&family.other_parent, &photo).await, 404);
        assert_eq!(status(&app.anonymous(), &photo).await, 401);
        let path = format!("/scheduled-services/{visit}/live");
        let own = family.parent.post(&path, json!({ "events": [event] })).await;
        assert_eq!(own.failure(), (403, "forbidden"));

        // It stays as long as the service shows it.
        for _ in 0..9 {
            app.clock.advance(DAY);
            cleanup::clean_up_once(&app.state).await.unwrap();
        }
        assert_eq!(status(&family.parent, &photo).await, 200);
        let back = family.send(&visit, json!({ "taken_back": [event["id"]] })).await;
        assert_eq!(back.data().get("live"), None);
        assert_eq!((status(&family.parent, &photo).await, status(&family.sitter, &photo).await), (404, 404));
        assert!(stored(&app).is_empty());
        let history = app.dump(family.sitter.sitter_id).await;
        assert!(history.iter().all(|it| !it.starts_with("history ") || !it.contains(&photo)), "{history:?}");
    }

    #[always]
    async fn a_report_takes_the_place_of_what_was_sent_and_keeps_the_photos_that_it_shows(app: TestApp) {
        let family = Family::new(&app).await;
        let (visit, kept, left_out) = (family.visit().await, family.photo(10).await, family.photo(20).await);
        let events = json!([photo_event(1, &kept), photo_event(2, &left_out)]);
        family.send(&visit, json!({ "events": events })).await.data();
        let shown = json!({ "type": "photo", "at": "2026-11-20T08:10:00Z", "photo": kept });
        let mut form = crate::reports::walk_form(json!([shown]), &[(&family.sam, "Good dog")]);
        form["reports"][0]["service_ids"] = json!([visit]);
        let shared = family.sitter.post("/walks", form).await;
        assert_eq!(shared.status, 201, "{}", shared.body);
        assert_eq!(family.seen().await, Value::Null);
        // The report shows it at its own address.
        assert_eq!((status(&family.parent, &kept).await, status(&family.sitter, &kept).await), (404, 200));
        assert_eq!(status(&family.sitter, &left_out).await, 404);
        family.sitter.delete(&format!("/walks/{}", shared.id())).await;
        assert!(stored(&app).is_empty());
    }

    async fn nothing_is_sent_to_a_client_for_whom_the_sitter_has_switched_it_off(app: TestApp) {
        let family = Family::new(&app).await;
        let (visit, photo) = (family.visit().await, family.photo(10).await);
        let client = format!("/clients/{}", family.sam.0);
        family.sitter.put(&client, json!({ "sends_live": "off" })).await.data();
        let sent = family.send(&visit, json!({ "events": [photo_event(1, &photo)] })).await;
        assert_eq!(sent.data().get("live"), None);
        assert_eq!(status(&family.parent, &photo).await, 404);
        family.sitter.put(&client, json!({ "sends_live": "on" })).await.data();
        let sitter_id = family.sitter.sitter_id.unwrap();
        let path = format!("/sync/pull?sitter_id={sitter_id}&cursor=0&device_id={}&schema=10", Id::of(77));
        let pulled = family.parent.get(&path).await.data().to_string();
        assert!(pulled.contains(&family.sam.0) && !pulled.contains("sends_live"), "{pulled}");
        let missing = json!({ "events": [photo_event(1, "00000000-0000-0000-0000-000000000099")] });
        assert_eq!(family.send(&visit, missing).await.failure(), (409, "photo_missing"));
    }

    #[always]
    async fn a_service_takes_its_photos_with_it_and_an_archive_has_them(app: TestApp) {
        let family = Family::new(&app).await;
        let (visit, photo) = (family.visit().await, family.photo(10).await);
        let event = photo_event(1, &photo);
        family.send(&visit, json!({ "events": [event] })).await.data();
        let files = crate::archive::export(&family.sitter).await;
        assert!(files.keys().any(|it| it.contains(&photo)), "{:?}", files.keys());
        assert!(files.values().any(|it| String::from_utf8_lossy(it).contains(event["id"].as_str().unwrap())));
        family.sitter.delete(&format!("/services/{visit}")).await.data();
        assert_eq!(status(&family.sitter, &photo).await, 404);
        assert!(app.dump(None).await.iter().all(|it| !it.starts_with("service_photo ")));
    }
}
