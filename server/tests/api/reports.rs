//! Reports of walks: to each client its own, to nobody else anything, and gone when they are taken back.

use serde_json::{Value, json};
use walkies_core::Instant;
use walkies_core::values::encoded_line;
use walkies_core::values::place::Place;
use walkies_server::db;
use walkies_server::jobs::cleanup;
use walkies_server::limits::rate::Rate;

use crate::on_both;
use crate::photos::{picture, stored};
use crate::support::{Answer, DAY, HOUR, NOW, Phone, TestApp, settings};

const LINE_AT: Place = Place {
    lat_e7: 407_128_000,
    lon_e7: -740_060_000,
};

/// A line of some 100 m, as a phone sends it.
fn line() -> String {
    encoded_line::encode((0..5).map(|n| Place {
        lat_e7: LINE_AT.lat_e7 + n * 2_000,
        ..LINE_AT
    }))
}

/// Clients with their dogs, each given as the ids of client and dog.
type Party = (String, String);

/// The form of a walk of half an hour with these events, for these clients; without a note where it has no text.
pub fn walk_form(events: Value, parties: &[(&Party, &str)]) -> Value {
    let reports: Vec<Value> = parties
        .iter()
        .map(|((client, dog), note)| json!({ "client_id": client, "dog_ids": [dog], "note": note }))
        .collect();
    json!({
        "walk": {
            "started_at": Instant(NOW - HOUR), "ended_at": Instant(NOW - HOUR / 2), "ran_seconds": 1800,
            "distance_m": 1500, "lines": [{ "points": line() }], "events": events,
        },
        "reports": reports,
    })
}

/// An event so many minutes after the start; for these clients, or as the rule says.
fn event(
    kind: &str,
    minute: i64,
    note: &str,
    photo: Option<&str>,
    clients: Option<&[&Party]>,
) -> Value {
    let mut event = json!({
        "type": kind, "at": Instant(NOW - HOUR + minute * 60_000), "note": note, "photo": photo,
        "place": { "lat_e7": LINE_AT.lat_e7, "lon_e7": LINE_AT.lon_e7 },
    });
    if let Some(clients) = clients {
        event["client_ids"] = clients.iter().map(|it| json!(it.0)).collect();
    }
    event
}

/// The address of the report for this client in the answer to `POST /walks`.
fn share_id(answer: &Answer, client: &Party) -> String {
    let reports = answer.data()["reports"].as_array().unwrap();
    let report = reports.iter().find(|it| it["client_id"] == client.0);
    report.unwrap()["share_id"].as_str().unwrap().to_owned()
}

/// Addresses that cannot be, and one that can be, are both nobody's.
#[tokio::test]
async fn an_address_that_is_none_is_no_defect_of_the_server() {
    let sqlite = TestApp::sqlite(settings()).await;
    let apps = [Some(sqlite), TestApp::postgres(settings()).await];
    for app in apps.iter().flatten() {
        for address in ["%00", "a%00b", "%F0%9F%90%95", "AAAAAAAAAAAAAAAAAAAAAA"] {
            assert_eq!(page(app, address).await.failure().0, 404, "{address}");
        }
    }
}

async fn page(app: &TestApp, share_id: &str) -> Answer {
    app.anonymous()
        .get(&format!("/public/reports/{share_id}"))
        .await
}

on_both! {
    async fn each_client_of_a_shared_walk_sees_its_own_dogs_photos_and_words_alone(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        sitter.put("/sitters/profile", json!({ "business_name": "Mara's Dog Walks", "phone": "555-010-4499" })).await;
        let (sam, kim) = (sitter.client("Sam Rivers").await, sitter.client("Kim Waters").await);
        sitter.put(&format!("/clients/{}", kim.0), json!({ "dogs": [{ "id": kim.1, "name": "Miso" }] })).await;
        let mut photos = Vec::new();
        for shade in [10, 20, 30] {
            photos.push(sitter.upload(None, &picture(image::ImageFormat::Jpeg, shade)).await.id());
        }
        let both = [&sam, &kim];
        let events = json!([
            event("photo", 1, "", Some(&photos[0]), Some(&[&sam])),
            event("photo", 2, "", Some(&photos[1]), Some(&[&kim])),
            event("photo", 3, "", Some(&photos[2]), Some(&both)),
            event("note", 4, "Rex found a stick", None, Some(&[&sam])),
            event("note", 5, "Miso limps a little", None, None),
            event("water", 6, "", None, None),
        ]);
        let parties = [(&sam, "Rex was brave"), (&kim, "Miso slept in the sun")];
        let shared = sitter.post("/walks", walk_form(events, &parties)).await;
        assert_eq!(shared.status, 201, "{}", shared.body);
        let (of_sam, of_kim) = (share_id(&shared, &sam), share_id(&shared, &kim));
        for id in [&of_sam, &of_kim] {
            assert_eq!(id.len(), 22, "128 bits: {id}");
        }
        assert_ne!(of_sam, of_kim);

        let shown = page(&app, &of_sam).await;
        assert_eq!(shown.headers["cache-control"], "no-store");
        assert_eq!(shown.headers["x-robots-tag"], "noindex");
        assert_eq!(shown.headers["referrer-policy"], "no-referrer");
        let said = shown.data();
        assert_eq!(said["business_name"], "Mara's Dog Walks");
        assert_eq!(said["title"], "A walk with Rex");
        assert_eq!(said["note"], "Rex was brave");
        let texts: Vec<&str> = said["events"].as_array().unwrap().iter().map(|it| it["text"].as_str().unwrap()).collect();
        assert_eq!(texts, ["Photo", "Photo", "Rex found a stick", "Water"]);
        assert_eq!(said["map"]["lines"][0].as_array().unwrap().len(), 5);
        let text = said.to_string();
        let secrets = [&sam.0, &sam.1, &kim.0, &kim.1, &photos[0], &photos[1], &photos[2]];
        for secret in secrets.into_iter().map(String::as_str).chain(["Miso", "Kim", "Sam", "555-010", "@example.com"]) {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
        let text = page(&app, &of_kim).await.data().to_string();
        assert!(text.contains("Miso slept in the sun") && text.contains("A walk with Miso"), "{text}");
        // Nobody said for whom that one was, and there are two.
        assert!(!text.contains("Rex") && !text.contains("limps"), "{text}");

        // Two photos each; the second of them is the same.
        let anonymous = app.anonymous();
        let mut first = Vec::new();
        for id in [&of_sam, &of_kim] {
            let photo = async |name: &str| anonymous.get(&format!("/public/reports/{id}/photos/{name}")).await;
            for name in ["0", "1?size=thumb", "1"] {
                let shown = photo(name).await;
                assert_eq!(shown.status, 200, "{name}");
                assert_eq!(shown.headers["content-type"], "image/jpeg");
                assert_eq!(shown.headers["cache-control"], "no-store");
                assert_eq!(shown.headers["x-content-type-options"], "nosniff");
            }
            first.push(photo("0").await.bytes);
            for name in ["2", "-1", "logo", &photos[0], "x"] {
                assert_eq!(photo(name).await.failure(), (404, "report_gone"), "{name}");
            }
        }
        assert_ne!(first[0], first[1]);

        // Each client's login lists its own; whoever is linked to none has none.
        let (parent, stranger) = (app.pet_parent("Parent").await, app.pet_parent("Stranger").await);
        app.link(&sitter, &kim.0, Some(&parent)).await;
        let list = parent.get("/client/reports").await;
        let [report] = &list.data().as_array().unwrap()[..] else { panic!("{}", list.body) };
        assert_eq!((&report["share_id"], &report["title"]), (&json!(of_kim), &json!("A walk with Miso")));
        assert!(!list.body.to_string().contains("Rex"), "{}", list.body);
        assert_eq!(stranger.get("/client/reports").await.data(), &json!([]));
        assert_eq!(sitter.get("/client/reports").await.failure(), (403, "forbidden"));
    }

    async fn a_visit_and_a_day_of_a_stay_have_reports_of_their_own(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam Rivers").await;
        let parent = app.pet_parent("Parent").await;
        app.link(&sitter, &sam.0, Some(&parent)).await;
        for (kind, title) in [("visit", "A visit with Rex"), ("day", "A day with Rex")] {
            let events = json!([
                { "type": "fed", "at": Instant(NOW - HOUR), "note": "half a cup" },
                { "type": "pee", "at": Instant(NOW - HOUR + 60_000) },
                { "type": "medication", "at": Instant(NOW - HOUR + 120_000) },
            ]);
            let mut form = walk_form(events, &[(&sam, "Rex ate well")]);
            form["kind"] = json!(kind);
            let walk = form["walk"].as_object_mut().unwrap();
            walk.remove("lines");
            walk.remove("distance_m");
            let shared = sitter.post("/walks", form).await;
            assert_eq!(shared.status, 201, "{}", shared.body);
            let share_id = share_id(&shared, &sam);
            let shown = page(&app, &share_id).await;
            let said = shown.data();
            assert_eq!((&said["title"], &said["kind"]), (&json!(title), &json!(kind)));
            assert_eq!((&said["map"], &said["distance"]), (&Value::Null, &Value::Null));
            let texts: Vec<&str> = said["events"].as_array().unwrap().iter().map(|it| it["text"].as_str().unwrap()).collect();
            assert_eq!(texts, ["half a cup", "Pee", "Medication"]);
            let list = parent.get("/client/reports").await;
            assert!(list.data().as_array().unwrap().iter().any(|it| it["title"] == title), "{}", list.body);
        }
        let mut unknown = walk_form(json!([]), &[(&sam, "")]);
        unknown["kind"] = json!("party");
        assert_eq!(sitter.post("/walks", unknown).await.status, 422);
    }

    async fn what_was_taken_back_is_gone_for_everybody_with_its_photos(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let (photo, portrait) = (
            sitter.upload(None, &picture(image::ImageFormat::Jpeg, 10)).await.id(),
            sitter.upload(None, &picture(image::ImageFormat::Jpeg, 20)).await.id(),
        );
        sitter.put(&format!("/clients/{}", sam.0), json!({ "dogs": [{ "id": sam.1, "photo": portrait }] })).await;
        let before = stored(&app).len();
        assert_eq!(before, 4, "two photos of two sizes");
        let events = json!([event("photo", 1, "", Some(&photo), None), event("photo", 2, "", Some(&portrait), None)]);
        let form = walk_form(events, &[(&sam, "Let the cat out")]);
        let shared = sitter.post("/walks", form.clone()).await;
        let address = share_id(&shared, &sam);
        assert_eq!(page(&app, &address).await.status, 200);
        let walk = shared.id();

        assert_eq!(app.sitter("Other").await.delete(&format!("/walks/{walk}")).await.failure(), (404, "gone"));
        assert_eq!(page(&app, &address).await.status, 200);
        assert_eq!(sitter.delete(&format!("/walks/{walk}")).await.status, 200);
        assert_eq!(sitter.delete(&format!("/walks/{walk}")).await.failure(), (404, "gone"));
        let gone = page(&app, &address).await;
        assert_eq!(gone.failure(), (404, "report_gone"));
        let never = page(&app, "AAAAAAAAAAAAAAAAAAAAAA").await;
        assert_eq!((gone.status, &gone.body), (never.status, &never.body));
        let photo_of = |number| format!("/public/reports/{address}/photos/{number}");
        assert_eq!(app.anonymous().get(&photo_of(0)).await.failure(), (404, "report_gone"));
        // The dog's own picture was only lent.
        assert_eq!(sitter.get(&format!("/photos/{photo}")).await.failure(), (404, "not_found"));
        assert_eq!(sitter.get(&format!("/photos/{portrait}")).await.status, 200);
        assert_eq!(stored(&app).len(), 2);
        let dump = app.dump(None).await.join("\n");
        for trace in [line().as_str(), &address, &photo, "Let the cat out", "407128000"] {
            assert!(!dump.contains(trace), "{trace} in {dump}");
        }

        let again = sitter.upload(None, &picture(image::ImageFormat::Jpeg, 10)).await.id();
        let mut form = form;
        form["id"] = json!(walk);
        form["walk"]["events"][0]["photo"] = json!(again);
        let shared = sitter.post("/walks", form).await;
        assert_ne!(share_id(&shared, &sam), address, "an address is never given twice");
    }

    async fn a_photo_stays_as_long_as_a_report_shows_it(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let (sam, kim) = (sitter.client("Sam").await, sitter.client("Kim").await);
        let photo = sitter.upload(None, &picture(image::ImageFormat::Jpeg, 10)).await.id();
        let other = sitter.upload(None, &picture(image::ImageFormat::Jpeg, 20)).await.id();
        let shown = async |photo: &str| sitter.get(&format!("/photos/{photo}")).await.status == 200;
        let events = |photo: &str| json!([event("photo", 1, "", Some(photo), None)]);
        let first = sitter.post("/walks", walk_form(events(&photo), &[(&sam, "Good")])).await.id();
        let second = sitter.post("/walks", walk_form(events(&photo), &[(&kim, "Good")])).await.id();
        // Shared again with another photo.
        let mut form = walk_form(events(&other), &[(&sam, "Good")]);
        form["id"] = json!(first);
        assert_eq!(sitter.post("/walks", form).await.status, 201);
        for days in [1, 7, 7] {
            app.clock.advance(days * DAY);
            cleanup::clean_up_once(&app.state).await.unwrap();
            assert!(shown(&photo).await && shown(&other).await);
        }
        assert_eq!(sitter.delete(&format!("/walks/{second}")).await.status, 200);
        assert!(!shown(&photo).await && shown(&other).await);
        assert_eq!(sitter.delete(&format!("/walks/{first}")).await.status, 200);
        assert!(stored(&app).is_empty());
        assert!(!app.dump(None).await.iter().any(|it| it.starts_with("report")));
    }

    async fn a_photo_that_could_not_be_removed_is_removed_later(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let photo = sitter.upload(None, &picture(image::ImageFormat::Jpeg, 10)).await.id();
        // As after a crash between the commit and the removal of the files.
        let mut tx = app.state.db.write().await.unwrap();
        db::drop_photo(&mut tx, sitter.sitter_id.unwrap(), photo.parse().unwrap()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(sitter.get(&format!("/photos/{photo}")).await.failure(), (404, "not_found"));
        assert_eq!(stored(&app).len(), 2);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert!(stored(&app).is_empty());
        let mut tx = app.state.db.read().await.unwrap();
        assert!(db::dropped_photos(&mut tx, app.state.now()).await.unwrap().is_empty());
    }

    async fn a_pushed_report_is_made_once_and_named_by_the_server(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam").await;
        let mut phone = Phone::new(&sitter);
        let mut args = walk_form(json!([event("potty", 1, "", None, None)]), &[(&sam, "Good dog")]);
        args["id"] = json!("01a1fb5d-0000-7000-8000-0000000000aa");
        args["reports"][0]["id"] = json!("01a1fb5d-0000-7000-8000-0000000000bb");
        // A phone has no say in the secret of the address.
        args["reports"][0]["share_id"] = json!("AAAAAAAAAAAAAAAAAAAAAA");
        let mutation = phone.save("share_walk", args.clone());
        for _ in 0..2 {
            let answer = phone.push(std::slice::from_ref(&mutation)).await;
            assert_eq!(answer.data()["results"][0]["outcome"], "applied", "{}", answer.body);
        }
        let mut other_phone = Phone::new(&sitter);
        let feed = other_phone.pull().await;
        let rows: Vec<&Value> = feed["rows"].as_array().unwrap().iter().filter(|it| it["t"] == "report").collect();
        let [row] = rows[..] else { panic!("{rows:?}") };
        let share_id = row["d"]["share_id"].as_str().unwrap().to_owned();
        assert_eq!(share_id.len(), 22);
        assert_ne!(share_id, "AAAAAAAAAAAAAAAAAAAAAA");
        assert_eq!(row["d"]["dogs"], json!(["Rex"]));
        // The other phone learns that it is shared, and not what.
        let text = row.to_string();
        assert!(!text.contains("Good dog") && !text.contains(&line()) && row["d"].get("content").is_none(), "{text}");

        args["reports"][0]["id"] = json!("01a1fb5d-0000-7000-8000-0000000000cc");
        args["reports"][0]["note"] = json!("Very good dog");
        assert_eq!(phone.send("share_walk", args).await["outcome"], "applied");
        assert_eq!(page(&app, &share_id).await.data()["note"], "Very good dog");
        let back = json!({ "id": "01a1fb5d-0000-7000-8000-0000000000aa" });
        assert_eq!(phone.send("unshare_walk", back).await["outcome"], "applied");
        assert_eq!(page(&app, &share_id).await.failure(), (404, "report_gone"));
        let gone = other_phone.pull().await;
        assert!(gone["rows"].as_array().unwrap().iter().any(|it| it["t"] == "report" && it["del"] == true), "{gone}");
    }

    async fn what_cannot_be_shared_is_said(app: TestApp) {
        let (sitter, other) = (app.sitter("Mara").await, app.sitter("Other").await);
        let (sam, theirs) = (sitter.client("Sam").await, other.client("Kim").await);
        let refused = async |form: Value| {
            let answer = sitter.post("/walks", form).await;
            let (status, code) = answer.failure();
            (status, code.to_owned(), answer.body["error"].as_str().unwrap().to_owned())
        };
        let fits = || walk_form(json!([]), &[(&sam, "")]);
        let gone = (404, "gone".to_owned());
        for party in [(theirs.0.clone(), theirs.1.clone()), (sam.0.clone(), theirs.1.clone()), (theirs.0.clone(), sam.1.clone())] {
            let (status, code, _) = refused(walk_form(json!([]), &[(&party, "")])).await;
            assert_eq!((status, code), gone);
        }
        let their_photo = other.upload(None, &picture(image::ImageFormat::Jpeg, 10)).await.id();
        let events = json!([event("photo", 1, "", Some(&their_photo), None)]);
        assert_eq!(refused(walk_form(events, &[(&sam, "")])).await.1, "photo_missing");
        let mut nobody = fits();
        nobody["reports"] = json!([]);
        assert_eq!(refused(nobody).await, (422, "invalid".to_owned(), "At least one dog is required".to_owned()));
        let mut garbled = fits();
        garbled["walk"]["lines"][0]["points"] = json!("~~~~~~~~?");
        assert_eq!(refused(garbled).await.2, "The line of this walk cannot be read");
        let mut unread = fits();
        unread["walk"]["distance_m"] = json!(-1);
        assert_eq!(refused(unread).await.0, 422);
        assert_eq!(refused(json!({ "reports": [] })).await.0, 400);
        assert_eq!(sitter.post("/walks", fits()).await.status, 201);
    }
}

#[tokio::test]
async fn whoever_looks_for_reports_is_slowed_down() {
    let mut slow = settings();
    slow.rate_of_reports = Rate {
        burst: 2,
        every_ms: 60_000,
    };
    let app = TestApp::sqlite(slow).await;
    for _ in 0..2 {
        assert_eq!(page(&app, "no-such-report").await.status, 404);
    }
    let answer = page(&app, "no-such-report").await;
    assert_eq!(answer.failure(), (429, "too_many_requests"));
    assert_eq!(answer.headers["retry-after"], "60");
    let photo = app
        .anonymous()
        .get("/public/reports/no-such-report/photos/0")
        .await;
    assert_eq!(photo.status, 429);
    app.clock.advance(60_000);
    assert_eq!(page(&app, "no-such-report").await.status, 404);
}
