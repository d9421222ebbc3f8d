//! The live map: its client alone sees a walk under way, only while the sitter shows it, and nothing of it is kept.

use serde_json::{Value, json};
use walkies_server::jobs::cleanup;

use crate::on_both;
use crate::support::{Answer, DAY, PASSWORD, Phone, TestApp, User};

const MINUTE: i64 = 60 * 1000;
const FIRST: &str = "01930000-0000-7000-8000-00000000a001";
const SECOND: &str = "01930000-0000-7000-8000-00000000a002";
const THIRD: &str = "01930000-0000-7000-8000-00000000a003";

/// A sitter with two clients who have a login, and a walk of the first one.
struct Walk {
    sitter: User,
    parent: User,
    other_parent: User,
    client: String,
    dog: String,
    other_client: (String, String),
    visit: String,
}

impl Walk {
    async fn new(app: &TestApp) -> Self {
        let sitter = app.sitter("Mara").await;
        let (sam, kim) = (sitter.client("Sam").await, sitter.client("Kim").await);
        let (parent, other_parent) = (app.pet_parent("Sam").await, app.pet_parent("Kim").await);
        app.link(&sitter, &sam.0, Some(&parent)).await;
        app.link(&sitter, &kim.0, Some(&other_parent)).await;
        let visit = sitter.walk(&sam, "2026-11-20", "17:00").await;
        Self {
            sitter,
            parent,
            other_parent,
            client: sam.0,
            dog: sam.1,
            other_client: kim,
            visit,
        }
    }

    fn path(&self) -> String {
        format!("/scheduled-services/{}/live-map", self.visit)
    }

    async fn send(&self, map_id: &str) -> Answer {
        self.sitter
            .put(&self.path(), update(&self.client, map_id))
            .await
    }

    /// Sends an update; whether the client sees it.
    async fn show(&self, map_id: &str) -> bool {
        let answer = self.send(map_id).await;
        answer.data()["is_shown"].as_bool().unwrap()
    }

    async fn end(&self, map_id: &str) {
        let path = format!("{}?map_id={map_id}", self.path());
        self.sitter.delete(&path).await.data();
    }

    async fn seen(&self) -> Value {
        self.parent.get("/client/live-maps").await.data().clone()
    }
}

fn update(client_id: &str, map_id: &str) -> Value {
    json!({
        "map_id": map_id, "client_id": client_id, "lines": [{ "points": "_izlhA~rlgdF_{geC~ywl@" }],
        "here": { "lat_e7": 407_000_000, "lon_e7": -1_209_500_000 }, "age_seconds": 20,
    })
}

async fn rows(app: &TestApp) -> Vec<String> {
    let mut rows = app.dump(None).await;
    rows.retain(|it| it.starts_with("live_map ") || it.starts_with("live_map_end "));
    rows
}

on_both! {
    #[always]
    async fn a_walk_is_seen_by_its_client_alone_until_the_sitter_stops(app: TestApp) {
        let walk = Walk::new(&app).await;
        assert_eq!(walk.seen().await, json!([]));
        let before = walk.sitter.get("/scheduled-services").await.data().clone();
        assert!(walk.show(FIRST).await);
        app.clock.advance(MINUTE);
        assert_eq!(walk.seen().await, json!([{
            "service_id": walk.visit, "lines": [{ "points": "_izlhA~rlgdF_{geC~ywl@", "after_gap": false }],
            "here": { "lat_e7": 407_000_000, "lon_e7": -1_209_500_000 }, "age_seconds": 80,
        }]));
        // No row of the business has changed.
        assert_eq!(walk.sitter.get("/scheduled-services").await.data(), &before);

        assert_eq!(walk.other_parent.get("/client/live-maps").await.data(), &json!([]));
        assert_eq!(app.anonymous().get("/client/live-maps").await.status, 401);
        assert_eq!(walk.sitter.get("/client/live-maps").await.failure(), (403, "forbidden"));
        assert_eq!(walk.parent.put(&walk.path(), update(&walk.client, SECOND)).await.failure(), (403, "forbidden"));
        let stranger = app.sitter("Olga").await;
        assert_eq!(stranger.put(&walk.path(), update(&walk.client, SECOND)).await.status, 404);
        let ended = stranger.delete(&format!("{}?map_id={FIRST}", walk.path())).await;
        assert_eq!(ended.status, 404);
        assert_eq!(walk.seen().await.as_array().unwrap().len(), 1);

        walk.end(FIRST).await;
        assert_eq!(walk.seen().await, json!([]));
        assert!(rows(&app).await.iter().all(|it| !it.contains("_izlhA")));
        // What was on its way when the sitter stopped shows nothing.
        assert!(!walk.show(FIRST).await);
        assert_eq!(walk.seen().await, json!([]));
        assert!(walk.show(SECOND).await);
        walk.end(FIRST).await;
        assert_eq!(walk.seen().await.as_array().unwrap().len(), 1);
    }

    async fn an_end_that_comes_before_the_first_update_counts(app: TestApp) {
        let walk = Walk::new(&app).await;
        walk.end(FIRST).await;
        assert!(!walk.show(FIRST).await);
        assert_eq!(walk.seen().await, json!([]));
    }

    #[always]
    async fn of_two_phones_the_one_that_shows_the_walk_last_is_seen(app: TestApp) {
        let walk = Walk::new(&app).await;
        assert!(walk.show(FIRST).await);
        assert!(walk.show(SECOND).await);
        assert_eq!(walk.seen().await.as_array().unwrap().len(), 1);
        // The first one is off for good, whatever becomes of the second one.
        let off = walk.send(FIRST).await;
        assert_eq!(off.data(), &json!({ "is_shown": false, "is_replaced": true }));
        assert_eq!(walk.seen().await.as_array().unwrap().len(), 1);
        walk.end(SECOND).await;
        let off = walk.send(FIRST).await;
        assert_eq!(off.data(), &json!({ "is_shown": false, "is_replaced": false }));
        assert_eq!(walk.seen().await, json!([]));
    }

    #[always]
    async fn an_end_counts_for_its_map_while_another_one_is_seen(app: TestApp) {
        let walk = Walk::new(&app).await;
        assert!(walk.show(FIRST).await);
        walk.end(SECOND).await;
        assert_eq!(walk.seen().await.as_array().unwrap().len(), 1);
        assert!(!walk.show(SECOND).await);
        assert!(walk.show(FIRST).await);
        assert_eq!(walk.seen().await.as_array().unwrap().len(), 1);
        walk.end(FIRST).await;
        assert!(!walk.show(SECOND).await);
        // Longer than any update is on its way.
        app.clock.advance(20 * 60 * MINUTE);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert!(!walk.show(SECOND).await);
        app.clock.advance(25 * 60 * MINUTE);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(rows(&app).await, Vec::<String>::new());
    }

    async fn a_service_has_no_more_live_maps_than_can_be_ended(app: TestApp) {
        let walk = Walk::new(&app).await;
        let nth = |n: usize| format!("01930000-0000-7000-8000-00000000b{n:03}");
        for n in 0..51 {
            walk.end(&nth(n)).await;
            app.clock.advance(2_000);
        }
        assert_eq!(rows(&app).await.len(), 50);
        assert!(!walk.show(&nth(50)).await);
        assert!(!walk.show(&nth(49)).await);
        assert!(!walk.show(FIRST).await);
        assert_eq!(walk.seen().await, json!([]));
        assert_eq!(rows(&app).await.len(), 50);
    }

    #[always]
    async fn nobody_sees_a_walk_whose_visit_was_moved_to_another_week(app: TestApp) {
        let walk = Walk::new(&app).await;
        assert!(walk.show(FIRST).await);
        let moved = json!({ "date": "2026-11-27" });
        walk.sitter.put(&format!("/scheduled-services/{}", walk.visit), moved).await.data();
        assert_eq!(walk.seen().await, json!([]));
    }

    #[always]
    async fn a_phone_that_says_nothing_for_half_an_hour_shows_nothing(app: TestApp) {
        let walk = Walk::new(&app).await;
        assert!(walk.show(FIRST).await);
        app.clock.advance(29 * MINUTE);
        assert_eq!(walk.seen().await[0]["age_seconds"], 29 * 60 + 20);
        app.clock.advance(2 * MINUTE);
        assert_eq!(walk.seen().await, json!([]));
        assert!(walk.show(FIRST).await);
        assert_eq!(walk.seen().await.as_array().unwrap().len(), 1);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(rows(&app).await.len(), 1);
        app.clock.advance(61 * MINUTE);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert!(rows(&app).await.iter().all(|it| !it.contains("_izlhA") && !it.contains(&walk.client)));
        // A long walk without a signal goes on being seen.
        assert!(walk.show(FIRST).await);
        assert_eq!(walk.seen().await.as_array().unwrap().len(), 1);
        app.clock.advance(25 * 60 * MINUTE);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(rows(&app).await, Vec::<String>::new());
    }

    #[always]
    async fn one_that_was_silent_for_long_does_not_end_one_that_is_shown_since(app: TestApp) {
        let walk = Walk::new(&app).await;
        assert!(walk.show(FIRST).await);
        app.clock.advance(61 * MINUTE);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert!(walk.show(SECOND).await);
        let late = walk.send(FIRST).await;
        assert_eq!(late.data(), &json!({ "is_shown": false, "is_replaced": true }));
        assert!(walk.show(SECOND).await);
        assert_eq!(walk.seen().await.as_array().unwrap().len(), 1);
    }

    #[always]
    async fn an_end_counts_where_the_service_is_deleted_and_comes_back(app: TestApp) {
        let mut walk = Walk::new(&app).await;
        let slot = "01930000-0000-7000-8000-0000000012aa";
        let series = walk.sitter.post("/series", json!({
            "client_id": walk.client, "dog_ids": [walk.dog], "begins": "2026-11-20", "rule": { "kind": "daily", "every": 1 },
            "slots": [{ "id": slot, "start_time": "12:00", "duration_minutes": 30, "service_type": "walk" }],
        })).await.id();
        let day = "2026-11-21";
        let of_day = format!("/scheduled-services?date_start={day}&date_end={day}");
        walk.visit = walk.sitter.get(&of_day).await.data()[0]["id"].as_str().unwrap().to_owned();
        assert!(walk.show(FIRST).await);
        walk.end(FIRST).await;
        let mut phone = Phone::new(&walk.sitter);
        phone.pull().await;
        phone.send("leave_out_date", json!({ "id": series, "date": day })).await;
        assert_eq!(walk.sitter.get(&of_day).await.data(), &json!([]));
        // Said while the service is away, that counts too.
        walk.end(SECOND).await;
        phone.send("restore_series", json!({ "id": series, "put_back": [{ "date": day, "slot": slot }] })).await;
        assert_eq!(walk.sitter.get(&of_day).await.data()[0]["id"], walk.visit);
        assert!(!walk.show(FIRST).await);
        assert!(!walk.show(SECOND).await);
        assert_eq!(walk.seen().await, json!([]));
        assert!(walk.show(THIRD).await);
    }

    async fn nobody_sees_a_walk_that_is_over(app: TestApp) {
        let walk = Walk::new(&app).await;
        assert!(walk.show(FIRST).await);
        walk.sitter.post(&format!("/scheduled-services/{}/complete", walk.visit), json!({})).await.data();
        assert_eq!(walk.seen().await, json!([]));
        assert!(!walk.show(FIRST).await);
        assert!(rows(&app).await.iter().all(|it| !it.contains("_izlhA")));
        walk.sitter.delete(&format!("/services/{}", walk.visit)).await.data();
        assert!(rows(&app).await.iter().all(|it| it.starts_with("live_map_end ")));
        assert_eq!(walk.send(FIRST).await.status, 404);
    }

    async fn nobody_sees_a_walk_that_is_cancelled(app: TestApp) {
        let walk = Walk::new(&app).await;
        assert!(walk.show(FIRST).await);
        walk.sitter.delete(&format!("/scheduled-services/{}", walk.visit)).await.data();
        assert_eq!(walk.seen().await, json!([]));
        assert!(!walk.show(FIRST).await);
    }

    async fn nobody_sees_a_walk_of_last_week(app: TestApp) {
        let walk = Walk::new(&app).await;
        app.clock.advance(7 * DAY);
        assert!(!walk.show(FIRST).await);
        assert_eq!(walk.seen().await, json!([]));
    }

    #[always]
    async fn a_service_that_is_given_to_another_client_shows_neither_of_them_the_walk(app: TestApp) {
        let walk = Walk::new(&app).await;
        assert!(walk.show(FIRST).await);
        let (client, dog) = &walk.other_client;
        let moved = json!({ "client_id": client, "dog_ids": [dog] });
        walk.sitter.put(&format!("/scheduled-services/{}", walk.visit), moved).await.data();
        assert_eq!(walk.seen().await, json!([]));
        assert_eq!(walk.other_parent.get("/client/live-maps").await.data(), &json!([]));
        assert!(!walk.show(FIRST).await);
        assert!(rows(&app).await.iter().all(|it| !it.contains("_izlhA")));
    }

    #[always]
    async fn who_is_let_go_sees_nothing_more(app: TestApp) {
        let walk = Walk::new(&app).await;
        assert!(walk.show(FIRST).await);
        walk.sitter.post(&format!("/clients/{}/unlink", walk.client), json!({})).await.data();
        assert_eq!(walk.parent.get("/client/live-maps").await.failure(), (403, "not_linked"));
        assert!(!walk.show(FIRST).await);
        assert!(rows(&app).await.iter().all(|it| !it.contains("_izlhA")));
    }

    async fn a_deleted_account_leaves_no_live_map(app: TestApp) {
        let walk = Walk::new(&app).await;
        assert!(walk.show(FIRST).await);
        let gone = walk.sitter.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        assert_eq!(walk.parent.get("/client/live-maps").await.failure(), (403, "not_linked"));
        assert_eq!(rows(&app).await, Vec::<String>::new());
    }

    async fn an_archive_has_no_live_map(app: TestApp) {
        let walk = Walk::new(&app).await;
        assert!(walk.show(FIRST).await);
        let files = crate::archive::export(&walk.sitter).await;
        assert!(files.values().all(|it| !String::from_utf8_lossy(it).contains("_izlhA")));
    }

    #[always]
    async fn an_update_out_of_bounds_is_refused(app: TestApp) {
        let walk = Walk::new(&app).await;
        let refused = async |change: Value| {
            let mut body = update(&walk.client, FIRST);
            body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let answer = walk.sitter.put(&walk.path(), body).await;
            answer.status.as_u16()
        };
        let points = |n: usize| "??".repeat(n);
        assert_eq!(refused(json!({ "lines": [{ "points": points(2_001) }] })).await, 422);
        assert_eq!(refused(json!({ "lines": [{ "points": "?".repeat(16_002) }] })).await, 422);
        assert_eq!(refused(json!({ "lines": vec![json!({ "points": "??" }); 101] })).await, 422);
        assert_eq!(refused(json!({ "lines": [{ "points": "no line" }] })).await, 422);
        assert_eq!(refused(json!({ "lines": [{ "points": "a\u{0}" }] })).await, 422);
        assert_eq!(refused(json!({ "here": { "lat_e7": 2_000_000_000, "lon_e7": 0 } })).await, 422);
        assert_eq!(refused(json!({ "age_seconds": 86_401 })).await, 422);
        assert_eq!(refused(json!({ "age_seconds": -1 })).await, 422);
        assert_eq!(refused(json!({ "map_id": "x" })).await, 400);
        assert_eq!(refused(json!({ "lines": [{ "points": points(2_000) }], "here": null })).await, 200);
        assert_eq!(walk.sitter.delete(&walk.path()).await.status, 400);
        assert_eq!(walk.sitter.put("/scheduled-services/x/live-map", update(&walk.client, FIRST)).await.status, 404);
    }

    async fn live_maps_have_a_rate_of_their_own(app: TestApp) {
        let walk = Walk::new(&app).await;
        for _ in 0..60 {
            assert_eq!(walk.send(FIRST).await.status, 200);
            assert_eq!(walk.parent.get("/client/live-maps").await.status, 200);
        }
        assert_eq!(walk.send(FIRST).await.status, 429);
        assert_eq!(walk.parent.get("/client/live-maps").await.status, 429);
        assert_eq!(walk.other_parent.get("/client/live-maps").await.status, 200);
        app.clock.advance(20_000);
        assert_eq!(walk.send(FIRST).await.status, 200);
    }
}
