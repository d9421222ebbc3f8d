//! Pet parents' phones: of the businesses that the person is a client of, they get the person's own rows and nothing
//! else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use futures_util::{StreamExt as _, stream};
use serde_json::{Value, json};
use walkies_core::rows::client::Client;
use walkies_core::rows::walk_request::{RequestStatus, WalkRequest};
use walkies_core::sync::wire::{PullRequest, SCHEMA};
use walkies_core::values::bounds::{PARENTS, REQUESTS, SITTERS};
use walkies_core::{Id, Instant, Row};
use walkies_server::app::session::Member;
use walkies_server::app::settings::Settings;
use walkies_server::base::error::AppError;
use walkies_server::db;
use walkies_server::write::sync;

use crate::on_both;
use crate::photos::jpeg;
use crate::support::{ACCESS_NOTES, DAY, HOUR, PASSWORD, Phone, TestApp, User, settings};

/// A pet parent's phone, with one business on it.
pub struct ParentsPhone {
    user: User,
    sitter_id: Id,
    device_id: Id,
    cursor: u64,
    epoch: Option<u64>,
    backend_id: Option<String>,
    /// Rows on the phone, by table and id.
    pub rows: BTreeMap<String, Value>,
}

impl ParentsPhone {
    pub fn new(parent: &User, sitter: &User) -> Self {
        Self {
            user: parent.clone(),
            sitter_id: sitter.sitter_id.unwrap(),
            device_id: Id::of(77),
            cursor: 0,
            epoch: None,
            backend_id: None,
            rows: BTreeMap::new(),
        }
    }

    /// Pulls until nothing is left: whether it had to start over.
    pub async fn pull(&mut self) -> bool {
        let mut began_anew = false;
        loop {
            let mut path = format!(
                "/sync/pull?sitter_id={}&cursor={}&device_id={}&schema=3",
                self.sitter_id, self.cursor, self.device_id
            );
            if let (Some(epoch), Some(backend_id)) = (self.epoch, &self.backend_id) {
                path += &format!("&epoch={epoch}&backend_id={backend_id}");
            }
            let answer = self.user.get(&path).await;
            let page = answer.data();
            if page["reset"] == true {
                began_anew = true;
                self.rows.clear();
            }
            for row in page["rows"].as_array().unwrap() {
                let key = format!(
                    "{}/{}",
                    row["t"].as_str().unwrap(),
                    row["id"].as_str().unwrap()
                );
                match row["del"] == true {
                    true => self.rows.remove(&key),
                    false => self.rows.insert(key, row["d"].clone()),
                };
            }
            self.cursor = page["next"].as_u64().unwrap();
            self.epoch = page["epoch"].as_u64();
            self.backend_id = page["backend_id"].as_str().map(str::to_owned);
            if page["more"] != true {
                return began_anew;
            }
        }
    }

    fn has(&self, table: &str, id: &str) -> bool {
        self.rows.contains_key(&format!("{table}/{id}"))
    }

    fn tables(&self) -> BTreeSet<&str> {
        self.rows
            .keys()
            .filter_map(|it| it.split('/').next())
            .collect()
    }

    pub fn text(&self) -> String {
        json!(self.rows).to_string()
    }
}

/// A walk with a note that is the sitter's alone.
async fn walk_with_notes(sitter: &User, (client, dog): &(String, String), start: &str) -> String {
    let mut form = crate::support::walk(client, dog, "2026-11-24", start);
    form["notes"] = json!("Back by noon");
    form["internal_notes"] = json!("Beware of the cat");
    sitter.post("/scheduled-services", form).await.id()
}

/// Keeps so many declined requests of a client, with ids from 1 on.
async fn keep_requests(
    app: &TestApp,
    sitter: &User,
    (client, _): &(String, String),
    n: usize,
    day: impl Fn(usize) -> &'static str,
) {
    let sitter_id = sitter.sitter_id.unwrap();
    let mut tx = app.state.db.write().await.unwrap();
    let next = db::claim_next_revision(&mut tx, sitter_id, None, None).await;
    let rev = next.unwrap().unwrap().rev;
    for n in 0..n {
        let request = WalkRequest {
            status: RequestStatus::Declined,
            requested_date: day(n).parse().unwrap(),
            ..WalkRequest::new(
                Id::of(n as u128 + 1),
                client.parse().unwrap(),
                Instant(app.state.now().0 - DAY),
            )
        };
        db::write_row(&mut tx, sitter_id, rev, &Row::WalkRequest(request))
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
}

on_both! {
    async fn a_pet_parent_is_told_what_is_theirs_without_what_is_the_sitters_alone(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let (sam, kim) = (dana.client("Sam").await, dana.client("Kim").await);
        app.link(&dana, &sam.0, Some(&parent)).await;
        let (theirs, others) = (walk_with_notes(&dana, &sam, "10:00").await, walk_with_notes(&dana, &kim, "12:00").await);
        let request = app.request(&dana, &sam).await;
        app.request(&dana, &kim).await;

        let sitters = parent.get("/client/sitters").await;
        assert_eq!(sitters.data()[0]["client_id"], json!(sam.0));
        let mut phone = ParentsPhone::new(&parent, &dana);
        phone.pull().await;
        assert_eq!(phone.tables(), BTreeSet::from(["sitter", "client", "pet", "offering", "service", "walk_request"]));
        assert!(phone.has("service", &theirs) && phone.has("walk_request", &request) && phone.has("pet", &sam.1));
        assert!(!phone.has("service", &others) && !phone.has("client", &kim.0) && !phone.has("pet", &kim.1));
        assert_eq!(phone.rows[&format!("service/{theirs}")]["notes"], "Back by noon");
        for secret in ["Beware of the cat", ACCESS_NOTES, "dana@example.com", kim.0.as_str()] {
            assert!(!phone.text().contains(secret), "{secret}");
        }
    }

    #[always]
    async fn what_becomes_another_clients_or_is_deleted_leaves_the_phone(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let (sam, kim) = (dana.client("Sam").await, dana.client("Kim").await);
        app.link(&dana, &sam.0, Some(&parent)).await;
        let (moved, gone) = (dana.walk(&sam, "2026-11-24", "10:00").await, dana.walk(&sam, "2026-11-25", "10:00").await);
        let offerings = dana.get("/sitter-services").await;
        let (first, second) = (offerings.data()[0]["id"].as_str().unwrap(), offerings.data()[1]["id"].as_str().unwrap());
        let mut phone = ParentsPhone::new(&parent, &dana);
        phone.pull().await;
        assert!(phone.has("service", &moved) && phone.has("service", &gone) && phone.has("offering", first));

        dana.put(&format!("/scheduled-services/{moved}"), json!({ "client_id": kim.0, "dog_ids": [kim.1] })).await.data();
        dana.delete(&format!("/services/{gone}")).await.data();
        dana.put(&format!("/sitter-services/{first}"), json!({ "is_active": false })).await.data();
        dana.delete(&format!("/sitter-services/{second}")).await.data();
        assert!(!phone.pull().await, "there is no reason to start over");
        for (table, id) in [("service", moved.as_str()), ("service", &gone), ("offering", first), ("offering", second)] {
            assert!(!phone.has(table, id), "{table}/{id}");
        }
        dana.put(&format!("/scheduled-services/{moved}"), json!({ "client_id": sam.0, "dog_ids": [sam.1] })).await.data();
        dana.put(&format!("/sitter-services/{first}"), json!({ "is_active": true })).await.data();
        phone.pull().await;
        assert!(phone.has("service", &moved) && phone.has("offering", first), "what comes back is theirs again");
    }

    async fn who_was_let_go_is_told_nothing_and_starts_over_when_linked_again(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let sam = dana.client("Sam").await;
        app.link(&dana, &sam.0, Some(&parent)).await;
        let mut phone = ParentsPhone::new(&parent, &dana);
        phone.pull().await;

        app.link(&dana, &sam.0, None).await;
        let path = format!("/sync/pull?sitter_id={}&cursor={}&device_id={}&schema=3", phone.sitter_id, phone.cursor, phone.device_id);
        assert_eq!(parent.get(&path).await.failure(), (403, "not_linked"));
        let never = path.replace(&phone.sitter_id.to_string(), &Id::of(5).to_string());
        assert_eq!(parent.get(&never).await.body, parent.get(&path).await.body, "nor is told whether there is one");
        assert_eq!(parent.get("/client/sitters").await.data(), &json!([]));

        app.link(&dana, &sam.0, Some(&parent)).await;
        assert!(phone.pull().await, "what it may see may be another thing now");
        assert!(phone.has("client", &sam.0));
    }

    async fn what_a_parents_phone_claims_to_know_is_no_reason_for_the_sitters_to_start_over(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let sam = dana.client("Sam").await;
        app.link(&dana, &sam.0, Some(&parent)).await;
        let mut phone = ParentsPhone::new(&parent, &dana);
        phone.pull().await;
        // All but what the parent's own phones are told that this database is.
        let rows = async || {
            let mut rows = app.dump(None).await;
            rows.retain(|it| !it.starts_with("client_user_link "));
            rows
        };
        let before = rows().await;
        phone.cursor = 9_000;
        assert!(phone.pull().await);
        assert!(rows().await == before);
    }

    async fn a_pet_parent_asks_and_withdraws_over_rest_and_sees_what_was_answered(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let (sam, kim) = (dana.client("Sam").await, dana.client("Kim").await);
        app.link(&dana, &sam.0, Some(&parent)).await;
        dana.walk(&kim, "2026-11-24", "10:00").await;

        let slots = parent.get("/client/slots?date=2026-11-24&duration_minutes=30").await;
        let starts: Vec<&str> = slots.data().as_array().unwrap().iter().map(|it| it["start_time"].as_str().unwrap()).collect();
        assert_eq!(starts[..3], ["09:00", "11:00", "11:30"]);
        let form = |start: &str| json!({
            "requested_date": "2026-11-24", "requested_start_time": start, "requested_duration_minutes": 30,
            "service_type": "walk", "dog_ids": [sam.1], "message": "He is shy", "quoted_price": 1,
        });
        let taken = parent.post("/client/requests", form("10:00")).await;
        assert_eq!(taken.failure(), (409, "conflict"));
        assert!(!taken.body.to_string().contains("Kim"), "who is in the way is nobody's to know: {}", taken.body);
        let asked = parent.post("/client/requests", form("09:00")).await;
        assert_eq!((asked.status.as_u16(), &asked.data()["status"], &asked.data()["estimated_price"]), (201, &json!("pending"), &json!(25)));
        let other = parent.post("/client/requests", form("11:00")).await.id();
        assert_eq!(dana.get("/sitter/requests?status=pending").await.data()["requests"].as_array().unwrap().len(), 2);

        parent.delete(&format!("/client/requests/{other}")).await.data();
        dana.post(&format!("/sitter/requests/{}/approve", asked.id()), json!({ "sitter_response": "Gladly" })).await.data();
        let late = parent.delete(&format!("/client/requests/{}", asked.id())).await;
        assert_eq!(late.failure(), (409, "already_answered"));
        let requests = parent.get("/client/requests").await;
        assert_eq!(requests.data().as_array().unwrap().len(), 1);
        assert_eq!((&requests.data()[0]["status"], &requests.data()[0]["sitter_response"]), (&json!("approved"), &json!("Gladly")));
        assert!(requests.data()[0]["answered_at"].is_string());
        let services = parent.get("/client/services").await;
        assert_eq!(services.data()[0]["id"], requests.data()[0]["scheduled_service_id"]);
        assert_eq!(services.data().as_array().unwrap().len(), 1);
    }

    async fn a_refused_time_has_its_own_reason_and_the_nearest_one_that_would_do(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let sam = dana.client("Sam").await;
        app.link(&dana, &sam.0, Some(&parent)).await;
        dana.walk(&sam, "2026-12-08", "10:00").await;
        let ask = async |date: &str, start: &str| {
            let form = json!({
                "requested_date": date, "requested_start_time": start, "requested_duration_minutes": 30,
                "service_type": "walk", "dog_ids": [sam.1],
            });
            parent.post("/client/requests", form).await
        };
        for (date, start, code, next) in [
            ("2026-11-20", "11:00", "too_soon", "2026-11-21"),
            ("2026-12-28", "09:00", "too_far", "2026-12-20"),
            ("2026-12-08", "20:00", "outside_hours", "2026-12-09"),
            ("2026-12-08", "09:10", "between_starts", "2026-12-08"),
            ("2026-12-08", "10:00", "conflict", "2026-12-08"),
        ] {
            let refused = ask(date, start).await;
            assert_eq!(refused.failure(), (409, code), "{}", refused.body);
            assert_eq!(refused.body["details"]["next"]["date"], next, "{}", refused.body);
            let says_conflict = refused.body["error"] == "Time slot conflict detected. Please choose a different time.";
            assert_eq!(says_conflict, code == "conflict");
        }
        // As many days as a screen shows refuse nothing: the patterns' days ahead are the limit, and are told.
        dana.put("/availability/config", json!({ "show_slots_days_ahead": 7 })).await.data();
        let sitters = parent.get("/client/sitters").await;
        assert_eq!(sitters.data()[0]["advance_days"], json!({ "walk": 30, "dropin": 30 }));
        assert!(!parent.get("/client/slots?date=2026-12-15").await.data().as_array().unwrap().is_empty());
        assert_eq!(parent.get("/client/closed-day?date=2026-12-15").await.data(), &json!({ "reason": null, "next": null }));
        let far = parent.get("/client/closed-day?date=2026-12-28").await;
        assert_eq!(far.data()["reason"], "Too far ahead: requests are taken up to Dec 20, 2026.");
        assert_eq!(ask("2026-12-15", "09:00").await.status, 201);
    }

    #[always]
    async fn the_calendar_shows_the_days_that_can_be_asked_for_and_nobodys_visits(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let (sam, kim) = (dana.client("Sam").await, dana.client("Kim").await);
        app.link(&dana, &sam.0, Some(&parent)).await;
        dana.put("/availability/config", json!({ "show_slots_days_ahead": 7 })).await.data();
        let block = json!({ "block_date": "2026-11-24", "start_time": "00:00", "end_time": "23:59" });
        dana.post("/availability/blocked-times", block).await.data();
        dana.walk(&kim, "2026-11-25", "10:00").await;
        let first = parent.get("/client/open-days?duration_minutes=30").await;
        let days = json!(["2026-11-21", "2026-11-22", "2026-11-23", "2026-11-25", "2026-11-26"]);
        let expected = json!({ "first": "2026-11-20", "until": "2026-11-26", "last": "2026-12-20", "days": days });
        assert_eq!(first.data(), &expected);
        let next = parent.get("/client/open-days?from=2026-12-18").await;
        assert_eq!(next.data()["until"], "2026-12-20");
        assert_eq!(next.data()["days"].as_array().unwrap().len(), 3);
        // For a stay other stays count, and no hours.
        let stay = parent.get("/client/open-days?service_type=dropin&stay=true&from=2026-12-18").await;
        assert_eq!((&stay.data()["until"], &stay.data()["last"]), (&json!("2026-12-24"), &Value::Null));
        assert_eq!(parent.get("/client/open-days?duration_minutes=999999").await.status, 422);
    }

    #[always]
    async fn several_dates_are_asked_for_with_a_wish_and_approved_at_once(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let sam = dana.client("Sam").await;
        app.link(&dana, &sam.0, Some(&parent)).await;
        let ask = async |date: &str, start: &str, is_wish: bool| {
            let form = json!({
                "requested_date": date, "requested_start_time": start, "requested_duration_minutes": 30,
                "service_type": "walk", "dog_ids": [sam.1], "group_id": Id::of(70), "is_wish": is_wish,
            });
            parent.post("/client/requests", form).await
        };
        let first = ask("2026-11-24", "10:00", false).await.data().clone();
        assert_eq!(ask("2026-11-25", "21:00", false).await.failure(), (409, "outside_hours"));
        let wish = ask("2026-11-25", "21:00", true).await.data().clone();
        assert_eq!((&first["group_id"], &first["is_wish"]), (&wish["group_id"], &Value::Null));
        assert_eq!((&wish["group_id"], &wish["is_wish"]), (&json!(Id::of(70)), &json!(true)));
        assert_eq!(ask("2027-03-01", "21:00", true).await.failure(), (409, "too_far"));
        // What is in the way of one keeps the other from being approved, too.
        let taken = dana.walk(&sam, "2026-11-25", "21:00").await;
        let approval = |request: &Value, service: u128| json!({ "id": request["id"], "service_id": Id::of(service) });
        let both = json!({ "approvals": [approval(&first, 71), approval(&wish, 72)] });
        assert_eq!(dana.post("/sitter/requests/approve", both.clone()).await.failure(), (409, "conflict"));
        let waiting = parent.get("/client/requests").await;
        assert!(waiting.data().as_array().unwrap().iter().all(|it| it["status"] == "pending"));
        dana.delete(&format!("/scheduled-services/{taken}")).await.data();
        let approved = dana.post("/sitter/requests/approve", both).await;
        assert_eq!(approved.data()["ids"], json!([Id::of(71), Id::of(72)]));
        let answered = parent.get("/client/requests").await;
        assert!(answered.data().as_array().unwrap().iter().all(|it| it["status"] == "approved"));
    }

    #[always]
    async fn a_visit_moves_once_the_sitter_agrees_and_not_onto_another_one(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let (sam, kim) = (dana.client("Sam").await, dana.client("Kim").await);
        app.link(&dana, &sam.0, Some(&parent)).await;
        let visit = dana.walk(&sam, "2026-11-24", "10:00").await;
        let ask = async |date: &str| {
            let change = json!({ "kind": "move_service", "service_id": visit, "date": date, "start_time": "14:00" });
            parent.post("/client/requests/changes", json!({ "change": change, "message": "Please" })).await
        };
        assert_eq!(ask("2027-06-01").await.failure(), (409, "too_far"));
        let asked = ask("2026-11-25").await;
        assert_eq!(asked.status, 201, "{}", asked.body);
        assert_eq!(ask("2026-11-26").await.status, 422, "one new time at once");
        let grant = format!("/sitter/requests/{}/grant", asked.id());
        let other = dana.walk(&kim, "2026-11-25", "14:00").await;
        assert_eq!(dana.post(&grant, json!({})).await.failure(), (409, "conflict"));
        assert_eq!(parent.get("/client/services").await.data()[0]["date"], "2026-11-24");
        dana.delete(&format!("/scheduled-services/{other}")).await.data();
        assert_eq!(dana.post(&grant, json!({})).await.data()["status"], "approved");
        let moved = parent.get("/client/services").await;
        assert_eq!((&moved.data()[0]["date"], &moved.data()[0]["start_time"]), (&json!("2026-11-25"), &json!("14:00")));
    }

    #[always]
    async fn a_stay_moves_to_other_days_once_the_sitter_agrees_at_the_price_of_these(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let sam = dana.client("Sam").await;
        app.link(&dana, &sam.0, Some(&parent)).await;
        let boarding = json!({ "name": "Boarding", "icon": "🏠", "base_price": 60, "pricing_type": "daily", "category": "Boarding" });
        let offering = dana.post("/sitter-services", boarding).await.id();
        let booked = json!({
            "client_id": sam.0, "dog_ids": [sam.1], "offering_id": offering, "date": "2026-12-01",
            "end_date": "2026-12-03", "start_time": "09:00", "duration_minutes": 30, "service_type": "dropin",
        });
        let booked = dana.post("/scheduled-services", booked).await;
        assert_eq!(booked.status, 201, "{}", booked.body);
        let (stay, price) = (booked.id(), booked.data()["price"].as_f64().unwrap());
        let ask = async |last: Option<&str>| {
            let change = json!({
                "kind": "move_service", "service_id": stay, "date": "2026-12-02", "start_time": "10:00", "end_date": last,
            });
            parent.post("/client/requests/changes", json!({ "change": change, "message": "Please" })).await
        };
        assert_eq!(ask(None).await.failure(), (422, "invalid"));
        let asked = ask(Some("2026-12-05")).await;
        assert_eq!(asked.status, 201, "{}", asked.body);
        let estimate = asked.data()["estimated_price"].as_f64().unwrap();
        assert!(price < estimate, "{price} {estimate}");
        let days = async || {
            let shown = parent.get("/client/services").await.data()[0].clone();
            ["date", "end_date", "start_time", "price"].map(|it| shown[it].clone())
        };
        assert_eq!(days().await[..3], [json!("2026-12-01"), json!("2026-12-03"), json!("09:00")]);
        let decline = format!("/sitter/requests/{}/decline", asked.id());
        dana.post(&decline, json!({ "sitter_response": "Full" })).await.data();
        assert_eq!(days().await[0], "2026-12-01");
        let again = ask(Some("2026-12-05")).await;
        let grant = format!("/sitter/requests/{}/grant", again.id());
        assert_eq!(dana.post(&grant, json!({})).await.data()["status"], "approved");
        assert_eq!(days().await, [json!("2026-12-02"), json!("2026-12-05"), json!("10:00"), asked.data()["estimated_price"].clone()]);
    }

    async fn without_patterns_a_business_is_open_wherever_nothing_overlaps(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let sam = dana.client("Sam").await;
        app.link(&dana, &sam.0, Some(&parent)).await;
        for pattern in dana.get("/availability/patterns").await.data().as_array().unwrap() {
            dana.delete(&format!("/availability/patterns/{}", pattern["id"].as_str().unwrap())).await.data();
        }
        let own = dana.walk(&sam, "2026-11-24", "10:00").await;
        let others = dana.walk(&dana.client("Kim").await, "2026-11-24", "14:00").await;
        // A visit that is to be moved is not in its own way, and takes no other client's out of it.
        for (moved, start, is_open) in [(&own, "10:15", true), (&others, "14:15", false)] {
            let slots = parent.get(&format!("/client/slots?date=2026-11-24&duration_minutes=30&except={moved}")).await;
            let slots = slots.data().as_array().unwrap().clone();
            assert_eq!(slots.iter().any(|it| it["start_time"] == start), is_open, "{slots:?}");
        }
        let slots = parent.get("/client/slots?date=2026-11-24&duration_minutes=30").await;
        let starts: Vec<&str> = slots.data().as_array().unwrap().iter().map(|it| it["start_time"].as_str().unwrap()).collect();
        assert!(starts.contains(&"06:00") && starts.contains(&"10:30") && !starts.contains(&"10:15"), "{starts:?}");
        let ask = async |start: &str| {
            let form = json!({
                "requested_date": "2026-11-24", "requested_start_time": start, "requested_duration_minutes": 30,
                "service_type": "walk", "dog_ids": [sam.1],
            });
            parent.post("/client/requests", form).await.status.as_u16()
        };
        assert_eq!((ask("06:00").await, ask("10:15").await), (201, 409));
        assert_eq!(parent.get("/client/sitters").await.data()[0]["advance_days"], json!({ "walk": null, "dropin": null }));
    }

    async fn all_sitters_of_a_pet_parent_are_told_and_no_more_are_linked_than_an_account_has(app: TestApp) {
        let (dana, mara) = (app.sitter("Dana").await, app.sitter("Mara").await);
        let parent = app.pet_parent("Sam").await;
        let sam = mara.client("Sam").await;
        let invited = async || {
            let invite = mara.post(&format!("/clients/{}/invite", sam.0), json!({})).await;
            parent.post("/client/link", json!({ "client_id": sam.0, "code": invite.data()["code"] })).await
        };
        // Records of one sitter stand for those of many.
        let most = SITTERS as u64;
        let sitter_id = dana.sitter_id.unwrap();
        let mut tx = app.state.db.write().await.unwrap();
        let rev = db::claim_next_revision(&mut tx, sitter_id, None, None).await.unwrap().unwrap().rev;
        for number in 1..=most + 1 {
            let client = Client {
                name: "Sam".to_owned(),
                client_user_id: Some(parent.user_id),
                ..Client::new(Id::of(number.into()), app.state.now())
            };
            db::write_row(&mut tx, sitter_id, rev, &Row::Client(client)).await.unwrap();
            let history = app.state.env.id();
            db::link_client_user(&mut tx, sitter_id, Id::of(number.into()), parent.user_id, history).await.unwrap();
        }
        tx.commit().await.unwrap();
        let told = async |page: &str| {
            let answer = parent.get(&format!("/client/sitters{page}")).await;
            (answer.data().as_array().unwrap().len() as u64, answer.body["total"].as_u64().unwrap())
        };
        assert_eq!(told("").await, (most + 1, most + 1), "a phone parts with what it is not told of");
        assert_eq!(told(&format!("?offset={most}")).await, (1, most + 1));
        assert_eq!(told("?limit=2").await, (2, most + 1));
        assert_eq!(invited().await.failure(), (409, "invite_full"));
        for number in 1..=2_u128 {
            app.link(&dana, &Id::of(number).to_string(), None).await;
        }
        assert_eq!(invited().await.data()["client_id"], json!(sam.0));
        assert_eq!(told("").await, (most, most));
    }

    async fn visits_and_requests_of_several_sitters_are_the_newest_first(app: TestApp) {
        let parent = app.pet_parent("Sam").await;
        let mut sitters = Vec::new();
        for name in ["Dana", "Mara"] {
            let sitter = app.sitter(name).await;
            let sam = sitter.client("Sam").await;
            app.link(&sitter, &sam.0, Some(&parent)).await;
            sitters.push((sitter, sam));
        }
        let (mut services, mut requests) = (Vec::new(), Vec::new());
        for (place, date) in [(0, "2026-11-24"), (1, "2026-11-25"), (0, "2026-11-26"), (1, "2026-11-27")] {
            let (sitter, sam) = &sitters[place];
            app.clock.advance(1_000);
            services.insert(0, json!(sitter.walk(sam, date, "14:00").await));
            requests.insert(0, json!(app.request(sitter, sam).await));
        }
        let ids = async |path: &str| {
            let answer = parent.get(path).await;
            answer.data().as_array().unwrap().iter().map(|it| it["id"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(ids("/client/services").await, services);
        assert_eq!(ids("/client/requests").await, requests);
    }

    async fn a_pet_parent_corrects_what_is_theirs_and_reads_nothing_else_in_the_answer(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let (sam, kim) = (dana.client("Sam").await, dana.client("Kim").await);
        app.link(&dana, &sam.0, Some(&parent)).await;
        let form = json!({ "vet": "Dr. Cole", "walk_rate_30min": 1, "dogs": [{ "id": sam.1, "breed": "Beagle" }] });
        let answer = parent.put("/client/details", form).await;
        assert_eq!((&answer.data()["vet"], &answer.data()["dogs"][0]["breed"]), (&json!("Dr. Cole"), &json!("Beagle")));
        assert!(!answer.body.to_string().contains(ACCESS_NOTES));
        let client = dana.get(&format!("/clients/{}", sam.0)).await;
        assert_eq!((&client.data()["vet"], &client.data()["walk_rate_30min"]), (&json!("Dr. Cole"), &json!(25)));
        let foreign = parent.put("/client/details", json!({ "dogs": [{ "id": kim.1, "breed": "Cat" }] })).await;
        assert_eq!(foreign.failure(), (409, "taken"), "a pet that is not there would be a new one");
        let added = parent.put("/client/details", json!({ "dogs": [{ "name": "Bo", "breed": "Pug" }] })).await;
        let names: Vec<&Value> = added.data()["dogs"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
        assert_eq!(names, ["Rex", "Bo"], "{}", added.body);
        let client = dana.get(&format!("/clients/{}", sam.0)).await;
        let change = client.data()["parent_changes"].as_array().unwrap().last().unwrap().clone();
        assert_eq!((&change["what"], &change["by"]), (&json!("Bo: New pet"), &json!(parent.user_id)));
    }

    #[always]
    async fn how_to_get_in_is_given_by_a_parent_read_by_the_household_and_decided_on_by_the_sitter(app: TestApp) {
        let (mara, dana, alex) = (app.sitter("Mara").await, app.pet_parent("Dana").await, app.pet_parent("Alex").await);
        let other = app.pet_parent("Kim").await;
        let (sam, kim) = (mara.client("Sam").await, mara.client("Kim").await);
        app.link(&mara, &sam.0, Some(&dana)).await;
        app.link(&mara, &kim.0, Some(&other)).await;
        let invite = mara.post(&format!("/clients/{}/invite", sam.0), json!({})).await;
        alex.post("/client/link", json!({ "client_id": sam.0, "code": invite.data()["code"] })).await.data();
        let answer = dana.put("/client/details", json!({ "how_to_get_in": "Code 7731" })).await;
        assert_eq!(answer.data()["how_to_get_in"], "Code 7731");
        assert!(!answer.body.to_string().contains(ACCESS_NOTES));
        let client = async || mara.get(&format!("/clients/{}", sam.0)).await.data().clone();
        let row = client().await;
        assert_eq!(row["access_notes"], ACCESS_NOTES, "nothing is replaced");
        let given = &row["other_texts"][0];
        assert_eq!((&given["field"], &given["content"], &given["by"]), (&json!("access_notes"), &json!("Code 7731"), &json!("client")));
        assert_eq!(row["parent_changes"][0]["what"], "How to get in");

        // The other one of the household reads what was given and nothing else; nobody of another one does.
        let mut phones = [ParentsPhone::new(&alex, &mara), ParentsPhone::new(&other, &mara)];
        let mut seen = Vec::new();
        for phone in &mut phones {
            phone.pull().await;
            seen.push(serde_json::to_string(&phone.rows).unwrap());
        }
        assert!(seen[0].contains("Code 7731") && !seen[0].contains(ACCESS_NOTES), "{seen:?}");
        assert!(!seen[0].contains("other_texts") && !seen[1].contains("7731"), "{seen:?}");
        alex.put("/client/details", json!({ "how_to_get_in": "Code 8842" })).await.data();
        let row = client().await;
        let others = row["other_texts"].as_array().unwrap();
        assert_eq!((others.len(), &others[0]["content"]), (1, &json!("Code 8842")));

        // The sitter sets none for them, and it has its bound.
        mara.put(&format!("/clients/{}", sam.0), json!({ "how_to_get_in": "Code 1" })).await.data();
        assert_eq!(client().await["how_to_get_in"], "Code 8842");
        let too_long = json!({ "how_to_get_in": "x".repeat(5_001) });
        assert_eq!(dana.put("/client/details", too_long).await.status, 422);
    }

    #[always]
    async fn a_parents_commands_wait_in_a_queue_of_their_own(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let sam = dana.client("Sam").await;
        app.link(&dana, &sam.0, Some(&parent)).await;
        let (mut sitters, mut parents) = (Phone::new(&dana), Phone::new(&parent));
        sitters.pull().await;
        parents.sitter_id = dana.sitter_id;
        // The same names as the sitter's phone gives itself and its command.
        parents.device_id = sitters.device_id;
        parents.pull().await;
        let theirs = sitters.save("update_profile", json!({ "changes": { "phone": "555 010 0199" } }));
        let mut own = parents.save("ask_for_service", json!({ "id": Id::of(70), "request": {
            "requested_date": "2026-11-24", "requested_start_time": "10:00", "requested_duration_minutes": 30,
            "service_type": "walk", "dog_ids": [sam.1],
        } }));
        own["id"] = theirs["id"].clone();
        assert_eq!(parents.push(&[own.clone()]).await.data()["results"][0]["outcome"], "applied");
        assert_eq!(sitters.push(&[theirs]).await.data()["results"][0]["outcome"], "applied");
        assert_eq!(parents.push(&[own.clone()]).await.data()["results"][0]["outcome"], "applied", "a repeat changes nothing");
        let told = |page: &Value| page["outcomes"].as_array().unwrap().len();
        let (sitters_page, parents_page) = (sitters.pull().await, parents.pull().await);
        assert_eq!((told(&sitters_page), told(&parents_page)), (1, 1));
        assert_eq!(parents_page["outcomes"][0]["id"], own["id"]);
        let verify = json!({ "ids": [own["id"], Id::of(4)] });
        let path = format!("/sync/verify?sitter_id={}", dana.sitter_id.unwrap());
        assert_eq!(parent.post(&path, verify).await.data()["unknown"], json!([Id::of(4)]));

        let approval = parents.send("approve_request", json!({ "id": Id::of(70), "service_id": Id::of(71) })).await;
        assert_eq!(approval["refusal"]["code"], "not_allowed");
        // A queue that goes on where this database knows of nothing: the parent's phones start over, and nobody else's.
        parents.seq += 5;
        let lost = parents.save("withdraw_request", json!({ "id": Id::of(70) }));
        assert_eq!(parents.push(&[lost]).await.data()["stopped"], "other_server");
        let (known, others) = (parents.backend_id.clone(), sitters.backend_id.clone());
        assert_eq!((parents.pull().await["reset"].clone(), sitters.pull().await["reset"].clone()), (json!(true), json!(false)));
        assert!(known != parents.backend_id && others == sitters.backend_id);

        app.link(&dana, &sam.0, None).await;
        let late = parents.save("withdraw_request", json!({ "id": Id::of(70) }));
        assert_eq!(parents.push(&[late]).await.failure(), (403, "not_linked"));
    }

    async fn a_client_who_has_asked_as_often_as_is_kept_asks_in_place_of_the_oldest_that_is_over(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let (sam, kim) = (dana.client("Sam").await, dana.client("Kim").await);
        app.link(&dana, &sam.0, Some(&parent)).await;
        let others = app.request(&dana, &kim).await;
        let (oldest, next) = (Id::of(1), Id::of(2));
        let day = |n: usize| if n == 0 { "2025-01-01" } else { "2026-11-19" };
        keep_requests(&app, &dana, &sam, REQUESTS - 1, day).await;
        let ask = async |start: &str| {
            let form = json!({
                "requested_date": "2026-11-24", "requested_start_time": start, "requested_duration_minutes": 30,
                "service_type": "walk", "dog_ids": [sam.1],
            });
            parent.post("/client/requests", form).await
        };
        let mut phone = ParentsPhone::new(&parent, &dana);
        ask("10:00").await.data();
        phone.pull().await;
        assert!(phone.has("walk_request", &oldest.to_string()), "there was room");
        app.clock.advance(1);
        let last = ask("11:00").await.id();
        phone.pull().await;
        assert!(!phone.has("walk_request", &oldest.to_string()) && phone.has("walk_request", &next.to_string()));
        let own = parent.get("/client/requests").await;
        assert_eq!((own.data().as_array().unwrap().len(), &own.data()[0]["id"]), (REQUESTS, &json!(last)));
        let all = dana.get("/sitter/requests").await;
        let all = all.data()["requests"].as_array().unwrap();
        assert_eq!((all.len(), &all[0]["id"]), (REQUESTS, &json!(last)), "the newest of all");
        let pending = dana.get("/sitter/requests?status=pending").await;
        assert!(pending.data()["requests"].as_array().unwrap().iter().any(|it| it["id"] == json!(others)));
        keep_requests(&app, &dana, &sam, REQUESTS, |_| "2026-12-01").await;
        assert_eq!(ask("12:00").await.body["fields"]["requests"], "Requests cannot exceed 2,000");
    }

    async fn who_was_let_go_while_a_call_was_under_way_reads_and_writes_nothing_more(app: TestApp) {
        let (dana, parent, next) = (app.sitter("Dana").await, app.pet_parent("Sam").await, app.pet_parent("Lee").await);
        let sam = dana.client("Sam").await;
        app.link(&dana, &sam.0, Some(&parent)).await;
        let sitter_id = dana.sitter_id.unwrap();
        let mut links = app.state.db.read_autocommit().await.unwrap();
        let link = db::client_links(&mut links, parent.user_id, Some(sitter_id)).await.unwrap().pop();
        drop(links);
        // The call was let in; then the sitter lets the person go, and the record is somebody else's.
        let member = Member { user_id: parent.user_id, sitter_id, link };
        app.link(&dana, &sam.0, None).await;
        app.link(&dana, &sam.0, Some(&next)).await;
        let before = app.dump(None).await;
        let commands = [
            ("send_message", json!({ "id": Id::of(90), "conversation_id": sam.0, "content": "Hello" })),
            ("ask_for_service", json!({ "id": Id::of(91), "request": { "requested_date": "2026-11-24", "dog_ids": [sam.1] } })),
            ("update_client", json!({ "id": sam.0, "changes": { "phone": "040" } })),
            ("mark_conversation_read", json!({ "id": sam.0 })),
            ("what_nobody_knows", json!({})),
        ];
        for (name, args) in commands {
            let mutation = Phone::new(&parent).save(name, args);
            let body = json!({ "device_id": Id::of(77), "schema": SCHEMA, "mutations": [mutation] });
            let pushed = sync::push(&app.state, &member, serde_json::from_value(body).unwrap()).await;
            assert!(matches!(pushed, Err(AppError::NotLinked)), "{name}");
        }
        let request = PullRequest { cursor: 0, device_id: Id::of(77), schema: SCHEMA, epoch: None, backend_id: None, seen: None, rev_id: None };
        let pulled = sync::pull(&app.state, &member, &request).await;
        assert!(matches!(pulled, Err(AppError::NotLinked)));
        assert!(app.dump(None).await == before, "something was written");
    }

    async fn what_arrives_when_its_sender_was_let_go_is_not_kept(app: TestApp) {
        let app = Arc::new(app);
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let sam = dana.client("Sam").await;
        for (path, field) in [("/upload", "photo"), ("/messages/upload", "file")] {
            app.link(&dana, &sam.0, Some(&parent)).await;
            // The rest of the body comes when the sitter has let the person go.
            let (meanwhile, of, client) = (Arc::clone(&app), dana.clone(), sam.0.clone());
            let rest = async move {
                meanwhile.link(&of, &client, None).await;
                Ok::<_, std::io::Error>([&jpeg()[..], b"\r\n--XX--\r\n"].concat())
            };
            let head = format!(
                "--XX\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"a.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n"
            );
            let head = async { Ok(head.into_bytes()) };
            let request = Request::post(format!("/api{path}"))
                .header("content-type", "multipart/form-data; boundary=XX")
                .body(Body::from_stream(stream::once(head).chain(stream::once(rest))))
                .unwrap();
            assert_eq!(parent.send(request).await.failure(), (403, "not_linked"), "{path}");
            assert!(app.dump(None).await.iter().all(|it| !it.starts_with("photo ")), "{path}");
        }
    }

    async fn a_link_that_is_sent_says_whose_it_is_before_it_is_opened(app: TestApp) {
        let dana = app.sitter("Dana").await;
        dana.put("/sitters/profile", json!({ "business_name": "Paws & Co" })).await.data();
        let sam = dana.client("Sam").await;
        let look = async |path: String| {
            let request = Request::get(path).header("accept", "*/*").body(Body::empty()).unwrap();
            app.anonymous().try_send(request).await
        };
        let code = dana.post(&format!("/clients/{}/invite", sam.0), json!({})).await.data()["code"].as_str().unwrap().to_owned();
        let invite = look(format!("/client?client_id={}&code={code}", sam.0)).await;
        assert_eq!(invite.status, 200);
        assert_eq!(invite.headers["content-type"], "text/html; charset=utf-8");
        let page = String::from_utf8(invite.bytes).unwrap();
        assert!(page.contains("<meta property=\"og:title\" content=\"Paws &amp; Co invites you\">"), "{page}");
        assert!(page.contains("See your visits, request new ones and read walk reports."), "{page}");
        assert!(page.contains("http://127.0.0.1:8080/icon-512.png"), "{page}");
        let photo = dana.upload(None, &crate::photos::jpeg()).await.id();
        dana.put("/sitters/profile", json!({ "photo": photo })).await.data();
        let logo = format!("/api/invites/{code}/logo");
        let page = String::from_utf8(look(format!("/client?client_id={}&code={code}", sam.0)).await.bytes).unwrap();
        assert!(page.contains(&format!("http://127.0.0.1:8080{logo}")), "{page}");
        assert_eq!(look(logo).await.headers["content-type"], "image/jpeg");

        let shared = dana.post("/walks", crate::reports::walk_form(json!([]), &[(&sam, "Good dog")])).await;
        let share_id = shared.data()["reports"][0]["share_id"].as_str().unwrap().to_owned();
        let report = look(format!("/report/{share_id}")).await;
        assert_eq!(report.status, 200);
        assert_eq!((&report.headers["cache-control"], &report.headers["referrer-policy"]), (&"no-store".parse().unwrap(), &"no-referrer".parse().unwrap()));
        let page = String::from_utf8(report.bytes).unwrap();
        assert!(page.contains("<meta property=\"og:title\" content=\"A walk with ") && page.contains("By Paws &amp; Co."), "{page}");
        let (head, shown) = page.split_once("</head>").unwrap();
        assert!(!head.contains("Good dog") && !page.contains("Sam"), "{page}");
        assert!(shown.contains("Good dog") && shown.contains("<polyline points="), "without scripts: {page}");
    }

    async fn an_invited_parent_is_linked_once_and_let_go(app: TestApp) {
        let (dana, parent, stranger) = (app.sitter("Dana").await, app.pet_parent("Sam").await, app.pet_parent("Lee").await);
        let sam = dana.client("Sam").await;
        let path = format!("/clients/{}/invite", sam.0);
        let first = dana.post(&path, json!({})).await;
        let invite = dana.post(&path, json!({})).await;
        let code = invite.data()["code"].as_str().unwrap().to_owned();
        let link = invite.data()["link"].as_str().unwrap();
        assert!(link.ends_with(&format!("/client?client_id={}&code={code}", sam.0)), "{link}");
        assert!(invite.data()["text"].as_str().unwrap().contains(link));
        let form = |code: &str| json!({ "client_id": sam.0, "code": code });
        let former = first.data()["code"].as_str().unwrap();
        for good in [former, &code] {
            assert_eq!(app.anonymous().get(&format!("/invites/{good}")).await.data()["sitter_name"], "Dana");
        }
        assert_eq!(app.anonymous().get("/invites/0000000000").await.failure(), (404, "invite_unknown"));
        assert_eq!(parent.post("/client/link", json!({ "client_id": Id::of(3), "code": code })).await.failure(), (404, "invite_unknown"));

        let cut = json!({ "client_id": "01a", "code": code });
        assert_eq!(parent.post("/client/link", cut).await.failure(), (404, "invite_unknown"));
        let typed = format!("{}-{}", &code[..5].to_lowercase(), &code[5..]);
        assert_eq!(parent.post("/client/link", form(&typed)).await.data()["client_id"], json!(sam.0));
        assert_eq!(parent.post("/client/link", form(&code)).await.data()["client_id"], json!(sam.0), "a repeat changes nothing");
        assert_eq!(stranger.post("/client/link", form(&code)).await.failure(), (410, "invite_used"));
        assert_eq!(app.anonymous().get(&format!("/invites/{former}")).await.status, 200, "it was sent to somebody else");
        assert_eq!(app.anonymous().get(&format!("/invites/{code}")).await.failure(), (410, "invite_used"));
        let mut phone = ParentsPhone::new(&parent, &dana);
        phone.pull().await;
        assert!(phone.has("client", &sam.0));

        let again = dana.post(&path, json!({})).await.data()["code"].as_str().unwrap().to_owned();
        let kim = dana.client("Kim").await;
        let other = dana.post(&format!("/clients/{}/invite", kim.0), json!({})).await.data()["code"].clone();
        let second = json!({ "client_id": kim.0, "code": other });
        assert_eq!(parent.post("/client/link", second).await.failure(), (409, "invite_taken"), "one record of a sitter");
        dana.post(&format!("/clients/{}/unlink", sam.0), json!({})).await.data();
        assert_eq!(parent.get("/client/offerings").await.failure(), (403, "not_linked"));
        assert_eq!(parent.post("/client/link", form(&again)).await.failure(), (410, "invite_expired"), "no way back in");
        let again = dana.post(&path, json!({})).await.data()["code"].as_str().unwrap().to_owned();
        app.clock.advance(15 * DAY);
        let (parent, stranger) = (app.pet_parent("Sam2").await, app.pet_parent("Lee2").await);
        assert_eq!(parent.post("/client/link", form(&again)).await.failure(), (410, "invite_expired"));
        let dana = app.sitter("Dana2").await;
        let sam = dana.client("Sam").await;
        let invite = dana.post(&format!("/clients/{}/invite", sam.0), json!({})).await;
        let gone = json!({ "client_id": sam.0, "code": invite.data()["code"] });
        dana.delete(&format!("/clients/{}", sam.0)).await.data();
        assert_eq!(stranger.post("/client/link", gone).await.failure(), (404, "invite_unknown"));
    }

    #[always]
    async fn two_parents_of_a_household_have_the_same_rights_and_what_they_do_names_them(app: TestApp) {
        let (mara, dana, alex) = (app.sitter("Mara").await, app.pet_parent("Dana").await, app.pet_parent("Alex").await);
        let sam = mara.client("Sam").await;
        let kim = mara.client("Kim").await;
        let invited = async |parent: &User| {
            let invite = mara.post(&format!("/clients/{}/invite", sam.0), json!({})).await;
            parent.post("/client/link", json!({ "client_id": sam.0, "code": invite.data()["code"] })).await
        };
        // As a login that was linked before households were.
        app.link(&mara, &sam.0, Some(&dana)).await;
        invited(&alex).await.data();
        let client = async || mara.get("/clients").await.data().as_array().unwrap().iter()
            .find(|it| it["id"] == json!(sam.0)).unwrap().clone();
        let row = client().await;
        assert_eq!(row["client_user_id"], json!(dana.user_id));
        let names: Vec<&Value> = row["parents"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
        assert_eq!(names, ["Dana", "Alex"]);
        assert_eq!((&row["parents"][1]["email"], row["parents"][1]["linked_at"].is_string()), (&json!(alex.email), true));

        // Both see the same rows, and of each other the name alone.
        let mut phones = [ParentsPhone::new(&dana, &mara), ParentsPhone::new(&alex, &mara)];
        for phone in &mut phones {
            phone.pull().await;
            assert!(phone.has("client", &sam.0) && phone.has("pet", &sam.1) && !phone.has("client", &kim.0));
            let seen = serde_json::to_string(&phone.rows).unwrap();
            assert!(seen.contains("Alex") && !seen.contains(&alex.email) && !seen.contains(&dana.email), "{seen}");
        }
        for (parent, vet, start) in [(&dana, "Dr. Cole", "10:00"), (&alex, "Dr. Lee", "11:00")] {
            let text = json!({ "conversation_id": sam.0, "content": vet });
            let message = parent.post("/messages", text).await.id();
            let other = if parent.user_id == dana.user_id { &alex } else { &dana };
            let refused = other.delete(&format!("/messages/{message}")).await;
            assert_eq!(refused.body["fields"]["id"], "Only the person who wrote a message can delete it", "{}", refused.body);
            let details = json!({ "vet": vet });
            parent.put("/client/details", details).await.data();
            let asked = json!({
                "requested_date": "2026-11-25", "requested_start_time": start, "requested_duration_minutes": 30,
                "service_type": "walk", "dog_ids": [sam.1], "message": vet,
            });
            let asked = parent.post("/client/requests", asked).await;
            assert_eq!(asked.data()["asked_by"], json!(parent.user_id), "{}", asked.body);
        }
        let said = mara.get(&format!("/conversations/{}/messages", sam.0)).await;
        let said = said.data().to_string();
        assert!(said.contains(&dana.user_id.to_string()) && said.contains(&alex.user_id.to_string()), "{said}");
        let changes = client().await["parent_changes"].clone();
        assert_eq!((&changes[0]["what"], &changes[0]["by"]), (&json!("Vet"), &json!(alex.user_id)), "{changes}");
        for parent in [&dana, &alex] {
            assert_eq!(parent.get("/client/requests").await.data().as_array().unwrap().len(), 2);
            assert_eq!(parent.get("/client/invoices").await.status, 200);
            assert_eq!(parent.get("/client/reports").await.status, 200);
        }

        // A household has so many logins and no more.
        for n in 0..PARENTS - 2 {
            invited(&app.pet_parent(&format!("Aunt{n}")).await).await.data();
        }
        assert_eq!(invited(&app.pet_parent("Uncle").await).await.failure(), (409, "household_full"));

        // The sitter ends one, and the other one stays.
        let unlink = format!("/clients/{}/unlink", sam.0);
        mara.post(&unlink, json!({ "user_id": dana.user_id })).await.data();
        assert_eq!(dana.get("/client/offerings").await.failure(), (403, "not_linked"));
        assert_eq!(dana.get("/client/requests").await.data(), &json!([]));
        assert_eq!(alex.get("/client/offerings").await.status, 200);
        assert_eq!(client().await["client_user_id"], json!(alex.user_id));
        // Another one deletes the account, and nobody is told that the household has left.
        alex.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await.data();
        let row = client().await;
        assert_eq!((row["parents"].as_array().unwrap().len(), row.get("parent_left_at")), (PARENTS - 2, None));
        mara.post(&unlink, json!({})).await.data();
        let row = client().await;
        assert_eq!((&row["client_user_id"], row.get("parents")), (&Value::Null, None));
    }

    #[always]
    async fn a_parent_leaves_one_sitter_and_keeps_the_others(app: TestApp) {
        let (mara, olga, parent) = (app.sitter("Mara").await, app.sitter("Olga").await, app.pet_parent("Sam").await);
        let (sam, other) = (mara.client("Sam").await, olga.client("Sam").await);
        app.link(&mara, &sam.0, Some(&parent)).await;
        app.link(&olga, &other.0, Some(&parent)).await;
        let visit = mara.walk(&sam, "2026-11-24", "10:00").await;
        assert_eq!(parent.post("/client/leave", json!({})).await.failure(), (400, "malformed"), "one of two is meant");
        let left = json!({ "sitter_id": mara.sitter_id });
        assert_eq!(parent.post("/client/leave", left.clone()).await.status, 200);
        assert_eq!(parent.post("/client/leave", left).await.failure(), (403, "not_linked"));
        let sitters = parent.get("/client/sitters").await;
        assert_eq!(sitters.data().as_array().unwrap().len(), 1);
        assert_eq!(sitters.data()[0]["client_id"], json!(other.0));
        let clients = mara.get("/clients").await;
        let row = &clients.data()[0];
        assert_eq!(row["client_user_id"], Value::Null);
        assert!(row["parent_left_at"].is_string(), "{row}");
        assert_eq!(mara.get(&format!("/scheduled-services/{visit}")).await.data()["status"], "scheduled");
    }

    async fn a_parent_who_deletes_the_account_leaves_the_record_to_the_next_one(app: TestApp) {
        let (dana, parent, next) = (app.sitter("Dana").await, app.pet_parent("Sam").await, app.pet_parent("Lee").await);
        let sam = dana.client("Sam").await;
        app.link(&dana, &sam.0, Some(&parent)).await;
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        parent.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await.data();
        let page = phone.pull().await;
        let row = &page["rows"][0];
        assert_eq!((&row["id"], &row["d"]["client_user_id"]), (&json!(sam.0), &Value::Null), "{page}");
        assert!(row["d"]["parent_left_at"].is_string(), "{page}");
        let invite = dana.post(&format!("/clients/{}/invite", sam.0), json!({})).await;
        let form = json!({ "client_id": sam.0, "code": invite.data()["code"] });
        assert_eq!(next.post("/client/link", form).await.data()["client_id"], json!(sam.0));
        let row = &phone.pull().await["rows"][0];
        assert!(row["d"].get("parent_left_at").is_none(), "{row}");
    }

    async fn whose_access_ends_is_mailed_who_ended_it(app: TestApp) {
        use walkies_server::app::settings::Settings;
        let app = app.with(Settings { sends_mail: true, ..settings() }).await;
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let (sam, kim) = (dana.client("Sam").await, dana.client("Kim").await);
        app.link(&dana, &sam.0, Some(&parent)).await;
        dana.post(&format!("/clients/{}/unlink", sam.0), json!({})).await.data();
        let mail = app.mail_to("sam@example.com").await;
        assert!(mail.starts_with("Dana has ended your access in Walkies."), "{mail}");
        app.link(&dana, &kim.0, Some(&parent)).await;
        dana.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await.data();
        let mail = app.mail_to("sam@example.com").await;
        assert!(mail.starts_with("Dana has deleted their Walkies account."), "{mail}");
    }

    #[always]
    async fn who_is_invited_by_a_sitter_signs_up_where_nobody_else_may_and_as_nothing_but_a_parent(app: TestApp) {
        use walkies_server::app::settings::SignUpMode;
        let dana = app.sitter("Dana").await;
        let sam = dana.client("Sam").await;
        let path = format!("/clients/{}/invite", sam.0);
        let code = dana.post(&path, json!({})).await.data()["code"].as_str().unwrap().to_owned();
        let form = |role: &str, code: &str| json!({
            "name": "Sam", "email": "sam@example.com", "password": PASSWORD, "role": role, "time_zone": "UTC", "invite_code": code,
        });
        let mut anyone = app.anonymous();
        for sign_up in [SignUpMode::Invite, SignUpMode::Closed] {
            anyone.router = app.restarted_with(Settings { sign_up, ..settings() }).await;
            let as_sitter = anyone.post("/auth/signup", form("sitter", &code)).await;
            assert_eq!(as_sitter.status, 403, "{sign_up:?}");
            assert_eq!(anyone.post("/auth/signup", form("client", "0000000000")).await.failure(), (404, "invite_unknown"));
        }
        let typed = format!("{}-{}", &code[..5].to_lowercase(), &code[5..]);
        let asked = anyone.post("/auth/signup", form("client", &typed)).await;
        assert_eq!(asked.status, 202);
        let mail = app.mail_to("sam@example.com").await;
        let digits = &mail.split("Your code is ").nth(1).unwrap()[..8];
        let confirmation = json!({ "confirmation": asked.data()["confirmation"], "code": digits });
        let made = anyone.post("/auth/signup/confirm", confirmation).await;
        assert_eq!((made.status.as_u16(), &made.data()["user"]["role"]), (201, &json!("client")));
        // The account has not used the code up: the link does.
        let mut parent = app.user_of(&made);
        parent.router = anyone.router.clone();
        let link = json!({ "client_id": sam.0, "code": code });
        assert_eq!(parent.post("/client/link", link).await.data()["client_id"], json!(sam.0));
        let late = anyone.post("/auth/signup", form("client", &code)).await;
        assert_eq!(late.failure(), (410, "invite_used"));
    }

    async fn a_code_is_given_once_more_as_long_as_it_is_good(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Olga").await);
        let (sam, kim) = (dana.client("Sam").await, other.client("Kim").await);
        let path = format!("/clients/{}/invite", sam.0);
        let first = dana.post(&path, json!({})).await;
        let code = first.data()["code"].clone();
        app.clock.advance(DAY);
        let again = dana.post(&path, json!({ "code": code })).await;
        assert_eq!((&again.data()["code"], &again.data()["expires_at"]), (&code, &first.data()["expires_at"]));
        assert!(again.data()["qr_svg"].as_str().unwrap().starts_with("<svg "));
        let foreign = other.post(&format!("/clients/{}/invite", kim.0), json!({ "code": code })).await;
        assert_ne!(foreign.data()["code"], code, "another business's code is none of theirs");
        let long = dana.post(&path, json!({ "code": "A".repeat(65) })).await;
        assert_eq!(long.failure(), (404, "invite_unknown"));
        app.clock.advance(14 * DAY);
        assert_ne!(dana.post(&path, json!({ "code": code })).await.data()["code"], code);
    }

    #[always]
    async fn a_client_has_five_unused_codes_at_once_and_the_oldest_makes_room(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (sam, kim) = (dana.client("Sam").await, dana.client("Kim").await);
        let code_of = async |client: &str| {
            let made = dana.post(&format!("/clients/{client}/invite"), json!({})).await;
            app.clock.advance(1);
            made.data()["code"].as_str().unwrap().to_owned()
        };
        let other = code_of(&kim.0).await;
        let mut codes = Vec::new();
        for _ in 0..6 {
            codes.push(code_of(&sam.0).await);
        }
        let status = async |code: &str| app.anonymous().get(&format!("/invites/{code}")).await.status.as_u16();
        let ended = app.anonymous().get(&format!("/invites/{}", codes[0])).await;
        assert_eq!(ended.failure(), (410, "invite_expired"), "who has it is told");
        for code in codes[1..].iter().chain([&other]) {
            assert_eq!(status(code).await, 200, "{code}");
        }
        let parent = app.pet_parent("Sam").await;
        let link = json!({ "client_id": sam.0, "code": codes[1] });
        parent.post("/client/link", link).await.data();
        assert_eq!(status(&codes[1]).await, 410);
        for code in codes[2..].iter().chain([&other]) {
            assert_eq!(status(code).await, 200, "each is for one person");
        }
        // So many that ended are known, and no more.
        for _ in 0..16 {
            code_of(&sam.0).await;
        }
        assert_eq!(status(&codes[0]).await, 404);
    }

    async fn a_code_that_is_given_again_says_the_same_day_until_which_it_is_good(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let sam = dana.client("Sam").await;
        let path = format!("/clients/{}/invite", sam.0);
        let code = dana.post(&path, json!({})).await.data()["code"].clone();
        dana.put(&format!("/clients/{}", sam.0), json!({ "email": "sam@example.com" })).await.data();
        // In New York it is four in the morning, of November 20 and then of December 4.
        for wait in [14 * DAY, 20 * HOUR - 1] {
            let again = dana.post(&path, json!({ "code": code, "send_email": true })).await;
            assert_eq!(again.data()["code"], code);
            let said = "It's just for you and works until Friday, December 4.";
            let mail = app.mail_to("sam@example.com").await;
            for text in [again.data()["text"].as_str().unwrap(), &mail] {
                assert!(text.contains(said), "{text}");
            }
            app.clock.advance(wait);
        }
        let link = json!({ "client_id": sam.0, "code": code });
        let parent = app.pet_parent("Parent").await;
        parent.post("/client/link", link).await.data();
    }

    async fn an_invitation_is_mailed_to_the_clients_email(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let sam = dana.client("Sam").await;
        let path = format!("/clients/{}/invite", sam.0);
        assert_eq!(dana.post(&path, json!({ "send_email": true })).await.failure(), (422, "invalid"), "there is no email");
        dana.put(&format!("/clients/{}", sam.0), json!({ "email": "sam@example.com" })).await.data();
        let invite = dana.post(&path, json!({ "send_email": true })).await;
        assert_eq!((&invite.data()["emailed"], &invite.data()["mailed_to"]), (&json!(true), &json!("sam@example.com")));
        let mail = app.mail_to("sam@example.com").await;
        assert!(mail.contains(invite.data()["code"].as_str().unwrap()), "{mail}");
    }
}
