//! Notifications: who may have them, what they say, and what becomes of those that a push service does not take.

use std::time::Duration;

use serde_json::{Value, json};
use walkies_core::rules::push::{Notice, settles_ms};
use walkies_core::values::push::PushKind;
use walkies_core::{Id, Instant};
use walkies_server::app::push_keys;
use walkies_server::app::settings::Settings;
use walkies_server::archive::import::work;
use walkies_server::db::{self, PushAudience};
use walkies_server::jobs::series::extend_once;
use walkies_server::jobs::{cleanup, push_overdue, push_reminders};
use walkies_server::write::notify;

use crate::on_both;
use crate::reports::walk_form;
use crate::support::push::{Call, PushPhone, PushService, Reply, key_of};
use crate::support::{DAY, HOUR, PASSWORD, Phone, TestApp, User, settings, walk};

/// Long enough for no answer to come, since none ever does.
const IMPATIENT: Duration = Duration::from_millis(100);
const MINUTE: i64 = 60_000;

/// A business with a client, and a pet parent who is linked to it.
pub struct Family {
    pub push: PushService,
    pub app: TestApp,
    pub sitter: User,
    pub client: (String, String),
    pub parent: User,
}

impl Family {
    pub async fn new(app: &TestApp) -> Self {
        Self::numbered(app, 1).await
    }

    /// One of several on the same database.
    async fn numbered(app: &TestApp, number: u16) -> Self {
        let push = PushService::start().await;
        let app = push.beside(app).await;
        let sitter = app.sitter(&format!("Mara{number}")).await;
        sitter
            .put("/sitters/profile", json!({ "business_name": "Paws & Co" }))
            .await;
        let client = sitter.client("Sam Rivers").await;
        let parent = app.pet_parent(&format!("Parent{number}")).await;
        app.link(&sitter, &client.0, Some(&parent)).await;
        Self {
            push,
            app,
            sitter,
            client,
            parent,
        }
    }

    /// Puts a notice for somebody in the queue.
    async fn notify(&self, user: &User, kind: PushKind, about: u128) {
        let notice = Notice::of(
            kind,
            self.sitter.sitter_id.unwrap(),
            self.client.0.parse().unwrap(),
            Id::of(about),
        );
        let (state, audience) = (&self.app.state, PushAudience::User(user.user_id));
        let mut tx = state.db.write().await.unwrap();
        let now = Instant(state.now().0 - settles_ms(kind));
        notify::notify(state, &mut tx, audience, &notice, now)
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }

    pub async fn deliver(&self) -> Vec<Call> {
        self.push.deliver(&self.app).await
    }

    /// The rows of a table.
    pub async fn rows(&self, table: &str) -> Vec<String> {
        let mut rows = self.app.dump(None).await;
        rows.retain(|it| it.starts_with(&format!("{table} ")));
        rows
    }

    /// Returns the failures that an operator is shown: kind, reason, tries.
    async fn failures(&self) -> Vec<(PushKind, String, u32)> {
        let mut tx = self.app.state.db.read().await.unwrap();
        let failures = db::push_failures(&mut tx, 100).await.unwrap();
        tx.commit().await.unwrap();
        let failures = failures.into_iter();
        failures
            .map(|(email, it)| {
                assert!(email.ends_with("@example.com"), "{email}");
                assert!(it.host == "127.0.0.1");
                (it.kind, it.error, it.attempts)
            })
            .collect()
    }

    /// Tells of what begins soon, as two processes at once, and gives what was said to whom.
    async fn remind(&self) -> Vec<String> {
        let state = &self.app.state;
        let (one, other) = tokio::join!(
            push_reminders::remind_once(state),
            push_reminders::remind_once(state)
        );
        one.and(other).unwrap();
        let mut told: Vec<String> = self
            .deliver()
            .await
            .into_iter()
            .map(|it| it.phone)
            .collect();
        told.sort();
        told
    }

    /// Tells the sitter of what is overdue, as two processes at once, and gives what the phone shows.
    async fn tell_overdue(&self, phone: &PushPhone) -> Vec<String> {
        let state = &self.app.state;
        let (one, other) = tokio::join!(
            push_overdue::tell_once(state),
            push_overdue::tell_once(state)
        );
        one.and(other).unwrap();
        let calls = self.deliver().await.into_iter();
        let to_sitter = calls.filter(|it| it.phone == "sitter");
        to_sitter.map(|it| body(phone, &it)).collect()
    }

    pub async fn walk(&self, start: &str) -> String {
        self.sitter.walk(&self.client, "2026-11-24", start).await
    }
}

pub fn body(phone: &PushPhone, call: &Call) -> String {
    let said = phone.read(call);
    said["notification"]["body"].as_str().unwrap().to_owned()
}

on_both! {
    async fn a_client_is_told_of_what_was_committed_by_a_message_that_only_the_phone_can_read(app: TestApp) {
        let family = Family::new(&app).await;
        let (sitter, push) = (&family.sitter, &family.push);
        let phone = push.phone(&family.parent, "pixel").await;
        let request = family.app.request(sitter, &family.client).await;
        let path = format!("/sitter/requests/{request}/approve");
        let approved = sitter.post(&path, json!({ "start_time": "10:30" })).await;
        let visit = approved.data()["scheduled_service_id"].as_str().unwrap().to_owned();
        let calls = family.deliver().await;
        let [call] = &calls[..] else { panic!("{calls:?}") };
        assert_eq!(phone.read(call), json!({ "web_push": 8030, "notification": {
            "title": "Paws & Co", "body": "Your walk on Wednesday, November 25 at 10:30 AM is booked",
            "navigate": format!("http://127.0.0.1:8080/client/visits/{visit}?client_id={}", family.client.0), "tag": call.headers["topic"].to_str().unwrap(), "lang": "en",
        } }));
        assert_eq!(call.headers["topic"].len(), 32);
        assert_eq!((&call.headers["ttl"], &call.headers["urgency"]), (&"86400".parse().unwrap(), &"normal".parse().unwrap()));
        // No word of it is readable on the way, and its length tells little.
        assert!(!String::from_utf8_lossy(&call.body).contains("Paws"));
        assert_eq!((call.body.len() - 86 - 16) % 128, 0);

        // Refused, and so nobody is told.
        assert_eq!(sitter.post(&path, json!({})).await.failure(), (409, "already_answered"));
        assert!(family.deliver().await.is_empty());
        assert!(family.rows("push_delivery").await.is_empty());
    }

    async fn who_was_let_go_is_told_that_alone_and_not_even_what_waits(app: TestApp) {
        let family = Family::new(&app).await;
        let (sitter, push) = (&family.sitter, &family.push);
        let phone = push.phone(&family.parent, "pixel").await;
        let visit = family.walk("10:00").await;
        let path = format!("/scheduled-services/{visit}");
        sitter.put(&path, json!({ "start_time": "11:00" })).await.data();
        assert_eq!(family.rows("push_delivery").await.len(), 1);
        sitter.post(&format!("/clients/{}/unlink", family.client.0), json!({})).await.data();
        sitter.put(&path, json!({ "start_time": "12:00" })).await.data();
        let said: Vec<String> = family.deliver().await.iter().map(|it| body(&phone, it)).collect();
        assert_eq!(said, ["Ended your access. Ask about visits that you have booked."]);
        family.app.clock.advance(MINUTE);
        assert!(family.deliver().await.is_empty(), "not even of the booking, which waited");
        assert!(family.rows("push_delivery").await.is_empty());
    }

    async fn pet_parents_of_a_business_that_is_cleared_are_told_so(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.parent, "pixel").await;
        let form = json!({ "word": "CLEAR", "password": PASSWORD });
        family.sitter.post("/clear", form).await.data();
        work(&family.app.state).await;
        let said: Vec<String> = family.deliver().await.iter().map(|it| body(&phone, it)).collect();
        assert_eq!(said, ["Ended your access. Ask about visits that you have booked."]);
    }

    async fn who_is_linked_again_is_not_told_of_an_access_that_ended(app: TestApp) {
        let family = Family::new(&app).await;
        let _phone = family.push.phone(&family.parent, "pixel").await;
        family.sitter.post(&format!("/clients/{}/unlink", family.client.0), json!({})).await.data();
        family.app.link(&family.sitter, &family.client.0, Some(&family.parent)).await;
        assert!(family.deliver().await.is_empty());
    }

    #[always]
    async fn a_sitter_and_a_parent_who_delete_the_account_are_told_of_on_the_other_side(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.parent, "pixel").await;
        let ada = family.sitter.client("Ada").await;
        let other = family.app.pet_parent("Ada").await;
        family.app.link(&family.sitter, &ada.0, Some(&other)).await;
        let sitters = family.push.phone(&family.sitter, "tablet").await;
        let leave = async |user: &User| user.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await.data().clone();
        leave(&other).await;
        let said: Vec<String> = family.deliver().await.iter().map(|it| body(&sitters, it)).collect();
        assert_eq!(said, ["Left your portal"]);
        // Of a household each who leaves.
        let alex = family.app.pet_parent("Alex").await;
        let invite = family.sitter.post(&format!("/clients/{}/invite", family.client.0), json!({})).await;
        let form = json!({ "client_id": family.client.0, "code": invite.data()["code"] });
        alex.post("/client/link", form).await.data();
        family.deliver().await;
        leave(&alex).await;
        let said: Vec<String> = family.deliver().await.iter().map(|it| body(&sitters, it)).collect();
        assert_eq!(said, ["One person of this household left your portal"]);
        leave(&family.sitter).await;
        let said: Vec<String> = family.deliver().await.iter().map(|it| body(&phone, it)).collect();
        assert_eq!(said, ["Left Walkies. Ask about visits that you have booked."]);
    }

    #[always]
    async fn details_that_change_one_after_the_other_are_told_together(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.parent, "pixel").await;
        let path = format!("/scheduled-services/{}", family.walk("10:00").await);
        family.app.clock.advance(MINUTE);
        assert_eq!(family.deliver().await.len(), 1);
        family.sitter.put(&path, json!({ "notes": "Side gate" })).await.data();
        family.sitter.put(&path, json!({ "service_type": "dropin" })).await.data();
        family.app.clock.advance(MINUTE);
        let said: Vec<String> = family.deliver().await.iter().map(|it| body(&phone, it)).collect();
        assert_eq!(said, ["Details of your drop-in visit on Tuesday, November 24 at 10:00 AM have changed"]);
    }

    #[always]
    async fn a_price_that_is_put_back_within_the_minute_is_told_nobody(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.parent, "pixel").await;
        let path = format!("/scheduled-services/{}", family.walk("10:00").await);
        let told = async || {
            family.app.clock.advance(MINUTE);
            let calls = family.deliver().await;
            calls.iter().map(|it| body(&phone, it)).collect::<Vec<_>>()
        };
        assert_eq!(told().await.len(), 1);
        let change = async |changes: Value| family.sitter.put(&path, changes).await.data().clone();
        let dearer = json!({ "price_override": { "amount": 60, "reason": "Snow" } });
        let usual = json!({ "price_override": null });
        change(dearer.clone()).await;
        assert_eq!(change(usual.clone()).await["price"], 25);
        assert_eq!(told().await, [""; 0]);
        // What stays changed is told, and that alone.
        change(dearer.clone()).await;
        change(json!({ "notes": "Side gate" })).await;
        change(usual).await;
        assert_eq!(told().await, ["The notes on your walk on Tuesday, November 24 at 10:00 AM have changed"]);
        change(dearer).await;
        assert_eq!(told().await, ["The price of your walk on Tuesday, November 24 at 10:00 AM has changed"]);
    }

    #[always]
    async fn a_series_of_which_the_first_visit_is_cancelled_at_once_is_told_by_the_next_one(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.parent, "pixel").await;
        let told = async || {
            family.app.clock.advance(MINUTE);
            let calls = family.deliver().await;
            calls.iter().map(|it| body(&phone, it)).collect::<Vec<_>>()
        };
        let series = async |id: u128, start: &str, last: &str| {
            let form = json!({
                "client_id": family.client.0, "dog_ids": [family.client.1], "begins": "2026-11-24",
                "rule": { "kind": "weekly", "every": 1, "weekdays": [2] }, "end": { "kind": "on", "date": last },
                "slots": [{ "id": Id::of(id), "start_time": start, "duration_minutes": 30, "service_type": "walk" }],
            });
            family.sitter.post("/series", form).await.data();
        };
        let cancel_on = async |day: &str, start: &str| {
            let listed = family.sitter.get(&format!("/scheduled-services?date_start={day}&date_end={day}")).await;
            let visits = listed.data().as_array().unwrap().clone();
            let visit = visits.iter().find(|it| it["start_time"] == start).unwrap();
            family.sitter.delete(&format!("/scheduled-services/{}", visit["id"].as_str().unwrap())).await.data();
        };
        series(903, "15:00", "2026-12-31").await;
        cancel_on("2026-11-24", "15:00").await;
        assert_eq!(told().await, ["Your visits are booked, the first on Tuesday, December 1 at 3:00 PM"]);
        // Of two visits one is left.
        series(904, "17:00", "2026-12-01").await;
        cancel_on("2026-11-24", "17:00").await;
        assert_eq!(told().await, ["Your walk on Tuesday, December 1 at 5:00 PM is booked"]);
    }

    async fn clients_are_told_of_whatever_becomes_of_their_walks(app: TestApp) {
        let family = Family::new(&app).await;
        let (sitter, push) = (&family.sitter, &family.push);
        let phone = push.phone(&family.parent, "pixel").await;
        let told = async || {
            let calls = family.deliver().await;
            let [call] = &calls[..] else { panic!("{calls:?}") };
            body(&phone, call)
        };
        let request = family.app.request(sitter, &family.client).await;
        sitter.post(&format!("/sitter/requests/{request}/decline"), json!({ "sitter_response": "The code 4711 is lost" })).await;
        assert_eq!(told().await, "Your request for a walk on Wednesday, November 25 at 9:00 AM was declined");

        let request = family.app.request(sitter, &family.client).await;
        let approved = sitter.post(&format!("/sitter/requests/{request}/approve"), json!({})).await;
        let service_id = approved.data()["scheduled_service_id"].clone();
        assert_eq!(told().await, "Your walk on Wednesday, November 25 at 9:00 AM is booked");
        sitter.post(&format!("/sitter/requests/{request}/undo-approval"), json!({ "service_id": service_id })).await.data();
        assert_eq!(told().await, "Not booked yet: your request for a walk on Wednesday, November 25 at 9:00 AM waits for an answer again");

        let visit = family.walk("10:00").await;
        let path = format!("/scheduled-services/{visit}");
        assert!(family.deliver().await.is_empty(), "it may be undone at once");
        family.app.clock.advance(MINUTE);
        assert_eq!(told().await, "Your walk on Tuesday, November 24 at 10:00 AM is booked");
        sitter.put(&path, json!({ "internal_notes": "4711" })).await;
        family.app.clock.advance(MINUTE);
        assert!(family.deliver().await.is_empty(), "those are the sitter's own");
        sitter.put(&path, json!({ "notes": "Side gate" })).await;
        family.app.clock.advance(MINUTE);
        assert_eq!(told().await, "The notes on your walk on Tuesday, November 24 at 10:00 AM have changed");
        sitter.put(&path, json!({ "start_time": "11:15" })).await;
        assert_eq!(told().await, "Your walk is now on Tuesday, November 24 at 11:15 AM");
        sitter.delete(&path).await;
        assert_eq!(told().await, "Your walk on Tuesday, November 24 at 11:15 AM was cancelled");

        let shared = sitter.post("/walks", walk_form(json!([]), &[(&family.client, "Good dog")])).await;
        assert_eq!(told().await, "The report of your walk is ready");
        let mut again = walk_form(json!([]), &[(&family.client, "Very good dog")]);
        again["id"] = json!(shared.id());
        assert_eq!(sitter.post("/walks", again).await.status, 201);
        assert!(family.deliver().await.is_empty(), "the same report is told once");

        // What is over is nobody's news.
        let past = family.walk("12:00").await;
        family.app.clock.advance(5 * DAY);
        sitter.delete(&format!("/scheduled-services/{past}")).await;
        assert!(family.deliver().await.is_empty());
    }

    async fn a_sitter_is_told_of_details_that_a_client_changes_and_not_of_their_own_changes(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.sitter, "office").await;
        let told = async || {
            family.app.clock.advance(MINUTE);
            let calls = family.deliver().await;
            calls.iter().map(|it| body(&phone, it)).collect::<Vec<_>>()
        };
        for vet in ["Dr. Cole", "Dr. Hall"] {
            family.parent.put("/client/details", json!({ "vet": vet })).await.data();
        }
        assert_eq!(told().await, ["Changed details of home or pets"]);
        family.sitter.put(&format!("/clients/{}", family.client.0), json!({ "vet": "Dr. Bell" })).await.data();
        assert!(told().await.is_empty());
    }

    async fn visits_that_are_booked_at_once_are_one_notification_and_those_of_the_night_are_none(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.parent, "pixel").await;
        let told = async || {
            family.app.clock.advance(MINUTE);
            let calls = family.deliver().await;
            calls.iter().map(|it| body(&phone, it)).collect::<Vec<_>>()
        };
        let visit = family.walk("10:00").await;
        assert_eq!(told().await, ["Your walk on Tuesday, November 24 at 10:00 AM is booked"]);
        let copies = json!({ "copies": [
            { "id": Id::of(901), "original": visit, "date": "2026-11-26", "start_time": "10:00" },
            { "id": Id::of(902), "original": visit, "date": "2026-11-25", "start_time": "10:00" },
        ] });
        family.sitter.post("/scheduled-services/copy", copies).await.data();
        assert_eq!(told().await, ["Your visits are booked, the first on Wednesday, November 25 at 10:00 AM"]);
        let series = json!({
            "client_id": family.client.0, "dog_ids": [family.client.1], "begins": "2026-11-24",
            "rule": { "kind": "weekly", "every": 1, "weekdays": [2] },
            "slots": [{ "id": Id::of(903), "start_time": "15:00", "duration_minutes": 30, "service_type": "walk" }],
        });
        family.sitter.post("/series", series).await.data();
        assert_eq!(told().await, ["Your visits are booked, the first on Tuesday, November 24 at 3:00 PM"]);
        family.app.clock.advance(28 * DAY);
        extend_once(&family.app.state).await.unwrap();
        assert!(told().await.is_empty());
    }

    async fn a_walk_that_has_begun_is_told_where_the_sitter_wants_it(app: TestApp) {
        let family = Family::new(&app).await;
        let (sitter, push) = (&family.sitter, &family.push);
        let phone = push.phone(&family.parent, "pixel").await;
        let visit = sitter.walk(&family.client, "2026-11-20", "10:00").await;
        let path = format!("/scheduled-services/{visit}/progress");
        let said = sitter.post(&path, json!({ "step": "started" })).await;
        assert_eq!(said.data()["progress"], Value::Null);
        assert!(family.deliver().await.is_empty());

        sitter.put("/sitters/profile", json!({ "tells_progress": true })).await.data();
        let said = sitter.post(&path, json!({ "step": "on_the_way" })).await;
        assert_eq!(said.data()["progress"]["step"], "on_the_way");
        let calls = family.deliver().await;
        assert_eq!(calls.iter().map(|it| body(&phone, it)).collect::<Vec<_>>(), ["On the way to your walk"]);
        let seen = family.parent.get("/client/services").await.data()[0]["progress"].clone();
        assert_eq!(seen, said.data()["progress"]);
        assert_eq!(family.parent.post(&path, json!({ "step": "started" })).await.failure(), (403, "forbidden"));

        sitter.post(&path, json!({ "step": "started" })).await.data();
        let calls = family.deliver().await;
        assert_eq!(calls.iter().map(|it| body(&phone, it)).collect::<Vec<_>>(), ["Your walk has started"]);
        assert_eq!((&calls[0].headers["ttl"], &calls[0].headers["urgency"]), (&"900".parse().unwrap(), &"high".parse().unwrap()));
        sitter.post(&path, json!({ "step": "started" })).await.data();
        assert!(family.deliver().await.is_empty(), "once is enough");
        let back = sitter.post(&path, json!({ "step": null })).await;
        assert_eq!(back.data()["progress"], Value::Null);

        // Said by a phone that was without a network for longer than anybody wants to hear it.
        family.app.clock.advance(15 * MINUTE);
        assert_eq!(family.deliver().await.len(), 1, "that it was booked");
        let mut late = Phone::new(sitter);
        late.pull().await;
        let done = late.send("mark_progress", json!({ "id": visit, "step": "started" })).await;
        assert_eq!(done["outcome"], "applied");
        assert!(family.deliver().await.is_empty());
    }

    async fn a_started_visit_that_is_moved_is_told_as_moved_and_a_new_client_of_it_later(app: TestApp) {
        let family = Family::new(&app).await;
        family.app.clock.advance(4 * DAY);
        let (sitter, push) = (&family.sitter, &family.push);
        push.phone(&family.parent, "parent").await;
        let ada = sitter.client("Ada").await;
        let other = family.app.pet_parent("Ada").await;
        family.app.link(sitter, &ada.0, Some(&other)).await;
        push.phone(&other, "other").await;
        sitter.put("/sitters/profile", json!({ "tells_progress": true })).await.data();
        let told = async |change: Value| {
            let visit = family.walk("10:00").await;
            family.app.clock.advance(MINUTE);
            assert_eq!(family.deliver().await.len(), 1, "it is booked");
            let path = format!("/scheduled-services/{visit}");
            sitter.post(&format!("{path}/progress"), json!({ "step": "started" })).await.data();
            assert_eq!(family.deliver().await.len(), 1, "it has started");
            sitter.put(&path, change).await.data();
            let calls = family.deliver().await;
            // Nobody hears that it has not started who never heard that it has.
            sitter.post(&format!("{path}/progress"), json!({ "step": null })).await.data();
            assert!(family.deliver().await.is_empty());
            sitter.delete(&path).await.data();
            family.deliver().await;
            calls.into_iter().map(|it| it.phone).collect::<Vec<_>>()
        };
        assert_eq!(told(json!({ "date": "2026-11-26" })).await, ["parent"], "of the new day");
        let to_ada = json!({ "client_id": ada.0, "dog_ids": [ada.1] });
        assert_eq!(told(to_ada.clone()).await, ["parent"], "it is off for the former client");
        let mut both = to_ada;
        both["date"] = json!("2026-11-26");
        assert_eq!(told(both).await, ["parent"], "it is off for the former client");
    }

    async fn of_a_start_nobody_is_told_twice(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.parent, "parent").await;
        family.push.phone(&family.sitter, "sitter").await;
        // Nobody is told of it, since nobody listens.
        let deaf = family.app.sitter("Deaf").await;
        let client = deaf.client("Kim").await;
        deaf.walk(&client, "2026-11-24", "10:00").await;
        // In New York it is the twenty-fourth at 8:59.
        let visit = family.walk("10:00").await;
        family.app.clock.advance(4 * DAY + 5 * HOUR - MINUTE);
        assert!(family.remind().await.is_empty());
        family.app.clock.advance(MINUTE);
        let state = &family.app.state;
        let (one, other) = tokio::join!(push_reminders::remind_once(state), push_reminders::remind_once(state));
        one.and(other).unwrap();
        let calls = family.deliver().await;
        assert_eq!(calls.len(), 2, "{calls:?}");
        let parents = calls.iter().find(|it| it.phone == "parent").unwrap();
        assert_eq!(body(&phone, parents), "Your walk begins soon, at 10:00 AM");
        assert_eq!(parents.headers["ttl"], "3600");
        assert!(family.remind().await.is_empty(), "once is enough");
        assert_eq!(family.rows("service_reminder").await.len(), 1);

        // At another time it is told again, and then it is worth something until that.
        family.sitter.put(&format!("/scheduled-services/{visit}"), json!({ "start_time": "09:30" })).await.data();
        assert_eq!(family.deliver().await.len(), 1, "the client is told that it has changed");
        assert_eq!(family.remind().await, ["parent", "sitter"]);
        // What is off, done or under way is not.
        family.sitter.put("/sitters/profile", json!({ "tells_progress": true })).await.data();
        for (start, path) in [("12:00", ""), ("12:30", "/complete"), ("14:00", "/progress")] {
            let visit = family.walk(start).await;
            let path = format!("/scheduled-services/{visit}{path}");
            match path.ends_with(&visit) {
                true => family.sitter.delete(&path).await,
                false => family.sitter.post(&path, json!({ "step": "on_the_way" })).await,
            }.data();
        }
        family.app.clock.advance(MINUTE);
        family.deliver().await;
        for _ in 0..10 {
            family.app.clock.advance(30 * MINUTE);
            assert!(family.remind().await.is_empty());
        }
        family.app.clock.advance(3 * DAY);
        cleanup::clean_up_once(state).await.unwrap();
        assert!(family.rows("service_reminder").await.is_empty());
    }

    #[always]
    async fn of_a_visit_that_is_overdue_a_sitter_is_told_once(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.sitter, "sitter").await;
        let (done, moved) = (family.walk("07:30").await, family.walk("06:30").await);
        family.walk("10:00").await;
        // In New York it is the twenty-fourth at 7:14.
        family.app.clock.advance(4 * DAY + 3 * HOUR + 14 * MINUTE);
        assert!(family.tell_overdue(&phone).await.is_empty());
        family.app.clock.advance(MINUTE);
        let at = |time: &str| format!("walk on Tuesday, November 24 at {time}");
        assert_eq!(family.tell_overdue(&phone).await, [format!("Not completed yet: {}", at("6:30 AM"))]);
        assert!(family.tell_overdue(&phone).await.is_empty(), "once is enough");

        family.sitter.put(&format!("/scheduled-services/{moved}"), json!({ "start_time": "06:45" })).await.data();
        assert_eq!(family.tell_overdue(&phone).await, [format!("No longer overdue: {}", at("6:30 AM"))]);
        // At 8:20 the moved one is late again, and the other one is done just before it is told.
        family.app.clock.advance(65 * MINUTE);
        push_overdue::tell_once(&family.app.state).await.unwrap();
        family.sitter.post(&format!("/scheduled-services/{done}/complete"), json!({})).await.data();
        assert!(family.deliver().await.is_empty());
        let told = family.rows("service_overdue").await;
        assert_eq!(told.len(), 2, "{told:?}");
        family.app.clock.advance(4 * DAY);
        cleanup::clean_up_once(&family.app.state).await.unwrap();
        assert!(family.rows("service_overdue").await.is_empty());
    }

    #[always]
    async fn a_missing_start_is_told_where_the_client_is_told_of_starts(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.sitter, "sitter").await;
        family.sitter.put("/sitters/profile", json!({ "tells_progress": true })).await.data();
        let visit = family.walk("10:00").await;
        // In New York it is the twenty-fourth at 10:15.
        family.app.clock.advance(4 * DAY + 6 * HOUR + 15 * MINUTE);
        let at = "walk on Tuesday, November 24 at 10:00 AM";
        assert_eq!(family.tell_overdue(&phone).await, [format!("Not started yet: {at}")]);
        let path = format!("/scheduled-services/{visit}/progress");
        family.sitter.post(&path, json!({ "step": "started" })).await.data();
        assert_eq!(family.tell_overdue(&phone).await, [format!("No longer overdue: {at}")]);
        // Not completed either, which is not told any more.
        family.app.clock.advance(2 * HOUR);
        assert!(family.tell_overdue(&phone).await.is_empty());
    }

    #[always]
    async fn of_overdue_visits_nobody_is_told_who_does_not_want_it_or_sleeps(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.sitter, "sitter").await;
        let hours = json!({ "quiet_hours": { "from": "22:00", "to": "08:00" }, "time_zone": "America/New_York" });
        family.sitter.put("/push/preferences", hours).await.data();
        family.walk("06:30").await;
        // In New York it is the twenty-fourth at 7:15.
        family.app.clock.advance(4 * DAY + 3 * HOUR + 15 * MINUTE);
        assert!(family.tell_overdue(&phone).await.is_empty());
        family.app.clock.advance(45 * MINUTE);
        assert_eq!(family.deliver().await.len(), 1, "it is true still");
        family.sitter.put("/push/preferences", json!({ "off": ["visit_overdue"] })).await.data();
        family.walk("09:00").await;
        family.app.clock.advance(2 * HOUR);
        assert!(family.tell_overdue(&phone).await.is_empty());
    }

    #[always]
    async fn what_begins_after_midnight_is_told_before_it_and_not_in_quiet_hours(app: TestApp) {
        let family = Family::new(&app).await;
        family.push.phone(&family.parent, "parent").await;
        family.push.phone(&family.sitter, "sitter").await;
        let hours = json!({ "quiet_hours": { "from": "22:00", "to": "07:00" }, "time_zone": "America/New_York" });
        family.parent.put("/push/preferences", hours).await.data();
        family.walk("00:10").await;
        family.walk("07:30").await;
        // In New York it is the twenty-third at 23:20.
        family.app.clock.advance(3 * DAY + 19 * HOUR + 20 * MINUTE);
        assert_eq!(family.remind().await, ["sitter"]);
        // At 6:45 it is still quiet, and at 7:00 still time.
        family.app.clock.advance(7 * HOUR + 25 * MINUTE);
        assert_eq!(family.remind().await, ["sitter"]);
        family.app.clock.advance(15 * MINUTE);
        assert_eq!(family.remind().await, ["parent"]);
    }

    async fn of_many_that_begin_at_once_none_is_left_out(app: TestApp) {
        let family = Family::new(&app).await;
        family.push.phone(&family.sitter, "sitter").await;
        for _ in 0..60 {
            let mut visit = walk(&family.client.0, &family.client.1, "2026-11-24", "10:00");
            visit["overlap_ok"] = json!(true);
            family.sitter.post("/scheduled-services", visit).await.data();
        }
        family.app.clock.advance(4 * DAY + 5 * HOUR);
        let state = &family.app.state;
        let (one, other) = tokio::join!(push_reminders::remind_once(state), push_reminders::remind_once(state));
        one.and(other).unwrap();
        assert_eq!(family.rows("service_reminder").await.len(), 60);
        // No more than wait for a phone.
        assert_eq!(family.rows("push_delivery").await.len(), 50);
    }

    async fn a_newer_one_takes_the_place_of_what_waits_and_says_nothing_that_was_typed(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.parent, "pixel").await;
        let (one, two) = (family.walk("10:00").await, family.walk("14:00").await);
        family.app.clock.advance(MINUTE);
        assert_eq!(family.deliver().await.len(), 2, "that they were booked");
        for (visit, start) in [(&one, "11:00"), (&two, "15:00"), (&one, "11:30"), (&one, "12:00")] {
            let path = format!("/scheduled-services/{visit}");
            family.sitter.put(&path, json!({ "start_time": start, "notes": "4711" })).await.data();
        }
        let waiting = family.rows("push_delivery").await;
        assert_eq!(waiting.len(), 2, "{waiting:?}");
        for words in ["4711", "Rex", "Sam", "Paws"] {
            assert!(!waiting.concat().contains(words), "{waiting:?}");
        }
        let mut said: Vec<String> = family.deliver().await.iter().map(|it| body(&phone, it)).collect();
        said.sort();
        assert_eq!(said, [
            "Your walk is now on Tuesday, November 24 at 12:00 PM, and its details have changed, too",
            "Your walk is now on Tuesday, November 24 at 3:00 PM, and its details have changed, too",
        ]);
        assert!(family.deliver().await.is_empty(), "once is enough");
    }

    async fn a_subscription_that_is_gone_is_forgotten(app: TestApp) {
        for status in [404, 410] {
            let family = Family::numbered(&app, status).await;
            family.push.phone(&family.parent, "gone").await;
            family.push.phone(&family.parent, "here").await;
            family.push.answers("gone", Reply::Status(status));
            family.notify(&family.parent, PushKind::Message, 1).await;
            assert_eq!(family.deliver().await.len(), 2);
            let left = family.rows("push_subscription").await;
            assert!(!left.concat().contains("/push/gone") && left.concat().contains("/push/here"), "{left:?}");
            assert!(family.rows("push_delivery").await.is_empty());
            assert_eq!(family.failures().await, [], "nobody has to do anything about it");
        }
    }

    async fn what_a_service_does_not_take_is_given_up_and_shown_to_the_operator(app: TestApp) {
        let family = Family::new(&app).await;
        family.push.phone(&family.parent, "pixel").await;
        for (reply, why) in [
            (Reply::Status(400), "the push service answers 400"),
            (Reply::Status(401), "the push service answers 401: it does not take this server's key or its --push-contact"),
            (Reply::Status(403), "the push service answers 403: it does not take this server's key or its --push-contact"),
            (Reply::Status(413), "the push service answers 413: the message is too long for it"),
            (Reply::Redirect, "the push service answers 307"),
        ] {
            family.push.answers("pixel", reply);
            family.app.clock.advance(1000);
            family.notify(&family.parent, PushKind::Message, 1).await;
            assert_eq!(family.deliver().await.len(), 1);
            let failures = family.failures().await;
            assert_eq!(failures[0], (PushKind::Message, why.to_owned(), 1));
            assert!(family.rows("push_delivery").await.is_empty());
            assert_eq!(family.rows("push_subscription").await.len(), 1);
        }
        assert_eq!(family.push.n_strays(), 0, "no redirect is followed");
        family.app.clock.advance(31 * DAY);
        cleanup::clean_up_once(&family.app.state).await.unwrap();
        assert_eq!(family.failures().await, []);
    }

    #[always]
    async fn a_service_that_is_busy_is_asked_again_when_it_says_so(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.parent, "pixel").await;
        family.push.answers("pixel", Reply::Busy(3600));
        family.notify(&family.parent, PushKind::Message, 1).await;
        assert_eq!(family.deliver().await.len(), 1);
        family.app.clock.advance(HOUR - 1000);
        assert!(family.deliver().await.is_empty());
        // A quarter more, so that not all come back at the same moment.
        family.app.clock.advance(HOUR / 4 + 1000);
        family.push.answers("pixel", Reply::Status(201));
        let calls = family.deliver().await;
        assert_eq!(body(&phone, &calls[0]), "Sent you a message");
        let left: i64 = calls[0].headers["ttl"].to_str().unwrap().parse().unwrap();
        let waited = HOUR + HOUR / 4 + settles_ms(PushKind::Message);
        assert_eq!(left, (DAY - waited) / 1000, "no longer than it is worth anything");
        // Whoever wants to be left alone for longer than it is worth anything never gets it.
        family.push.answers("pixel", Reply::Busy(u32::MAX));
        family.notify(&family.parent, PushKind::Message, 2).await;
        assert_eq!(family.deliver().await.len(), 1);
        assert_eq!(family.failures().await, [(PushKind::Message, "the push service answers 429".to_owned(), 1)]);
    }

    async fn what_a_client_asks_for_at_once_is_told_once_and_what_was_withdrawn_or_answered_is_not(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.sitter, "pixel").await;
        let ask_on = async |date: &str, start: &str| {
            let form = json!({
                "client_id": family.client.0, "dog_ids": [family.client.1], "service_type": "walk",
                "requested_date": date, "requested_start_time": start, "requested_duration_minutes": 30,
            });
            family.parent.post("/client/requests", form).await.id()
        };
        let ask = async |start: &str| ask_on("2026-11-24", start).await;
        let told = async || {
            family.app.clock.advance(settles_ms(PushKind::NewRequest));
            let calls = family.deliver().await;
            calls.iter().map(|it| body(&phone, it)).collect::<Vec<_>>()
        };
        let (one, two) = (ask("09:00").await, ask("10:00").await);
        assert!(family.deliver().await.is_empty(), "there may be more");
        family.app.clock.advance(settles_ms(PushKind::NewRequest) - 1);
        let three = ask("11:00").await;
        family.app.clock.advance(1);
        let calls = family.deliver().await;
        assert_eq!(calls.iter().map(|it| body(&phone, it)).collect::<Vec<_>>(), ["Asks for 3 visits"], "what comes late delays nothing");
        assert!(told().await.is_empty());

        family.parent.delete(&format!("/client/requests/{one}")).await.data();
        family.parent.delete(&format!("/client/requests/{two}")).await.data();
        let four = ask("12:00").await;
        family.parent.delete(&format!("/client/requests/{four}")).await.data();
        assert_eq!(told().await, ["Asks for a walk on Tuesday, November 24 at 11:00 AM"], "it says what is left");
        let five = ask("13:00").await;
        for id in [three, five] {
            family.sitter.post(&format!("/sitter/requests/{id}/decline"), json!({})).await.data();
        }
        assert!(told().await.is_empty());
        assert!(family.rows("push_delivery").await.is_empty());

        // What nobody has answered until its day was over is asked for no more.
        ask("14:00").await;
        assert_eq!(told().await, ["Asks for a walk on Tuesday, November 24 at 2:00 PM"]);
        family.app.clock.advance(5 * DAY);
        ask_on("2026-12-01", "09:00").await;
        assert_eq!(told().await, ["Asks for a walk on Tuesday, December 1 at 9:00 AM"]);
    }

    async fn a_push_opens_what_it_speaks_of_and_what_was_withdrawn_takes_its_place(app: TestApp) {
        let family = Family::new(&app).await;
        let (sitter, push) = (&family.sitter, &family.push);
        let pixel = push.phone(&family.parent, "pixel").await;
        let office = push.phone(sitter, "office").await;
        let told = async |phone: &PushPhone| {
            family.app.clock.advance(settles_ms(PushKind::NewRequest));
            let calls = family.deliver().await;
            let [call] = &calls[..] else { panic!("{calls:?}") };
            let said = phone.read(call)["notification"].clone();
            let path = said["navigate"].as_str().unwrap().replace("http://127.0.0.1:8080", "");
            (said["body"].as_str().unwrap().to_owned(), path, said["tag"].clone())
        };
        let ask = async |start: &str| {
            let form = json!({
                "client_id": family.client.0, "dog_ids": [family.client.1], "service_type": "walk",
                "requested_date": "2026-11-24", "requested_start_time": start, "requested_duration_minutes": 30,
            });
            family.parent.post("/client/requests", form).await.id()
        };
        let shared = sitter.post("/walks", walk_form(json!([]), &[(&family.client, "Good dog")])).await;
        let share_id = shared.data()["reports"][0]["share_id"].as_str().unwrap().to_owned();
        let (body, path, tag) = told(&pixel).await;
        assert_eq!((body.as_str(), path), ("The report of your walk is ready", format!("/report/{share_id}")));
        sitter.delete(&format!("/walks/{}", shared.id())).await;
        let (body, _, same_tag) = told(&pixel).await;
        assert_eq!((body.as_str(), same_tag), ("A report was taken back", tag));

        // Nobody was told of it yet, so that there is nothing to take back.
        let shared = sitter.post("/walks", walk_form(json!([]), &[(&family.client, "Good dog")])).await;
        sitter.delete(&format!("/walks/{}", shared.id())).await;
        assert!(family.deliver().await.is_empty());

        let request = ask("09:00").await;
        assert!(told(&office).await.0.starts_with("Asks for a walk"));
        family.parent.delete(&format!("/client/requests/{request}")).await.data();
        assert!(told(&office).await.0.starts_with("Took back the request for a walk on "));

        let request = ask("10:00").await;
        told(&office).await;
        let approved = sitter.post(&format!("/sitter/requests/{request}/approve"), json!({})).await;
        let visit = approved.data()["scheduled_service_id"].as_str().unwrap().to_owned();
        assert_eq!(told(&pixel).await.1, format!("/client/visits/{visit}?client_id={}", family.client.0));
        sitter.delete(&format!("/scheduled-services/{visit}")).await;
        assert!(told(&pixel).await.0.ends_with("was cancelled"));
        let mut phone = Phone::new(sitter);
        phone.pull().await;
        phone.send("reopen_service", json!({ "id": visit })).await;
        assert!(told(&pixel).await.0.ends_with("takes place after all"));
    }

    async fn the_last_word_holds_whatever_was_taken_back_and_told_anew_while_it_waited(app: TestApp) {
        let family = Family::new(&app).await;
        let sitter = &family.sitter;
        let pixel = family.push.phone(&family.parent, "pixel").await;
        let told = async || {
            family.app.clock.advance(settles_ms(PushKind::NewRequest));
            family.deliver().await.iter().map(|it| body(&pixel, it)).collect::<Vec<_>>()
        };
        let request = family.app.request(sitter, &family.client).await;
        let approve = async || {
            let approved = sitter.post(&format!("/sitter/requests/{request}/approve"), json!({})).await;
            approved.data()["scheduled_service_id"].as_str().unwrap().to_owned()
        };
        let booked = "Your walk on Wednesday, November 25 at 9:00 AM is booked";
        let waits = "Not booked yet: your request for a walk on Wednesday, November 25 at 9:00 AM waits for an answer again";
        let undo = async |visit: String| {
            let form = json!({ "service_id": visit });
            sitter.post(&format!("/sitter/requests/{request}/undo-approval"), form).await.data();
        };
        let visit = approve().await;
        assert_eq!(told().await, [booked]);
        undo(visit).await;
        undo(approve().await).await;
        undo(approve().await).await;
        assert_eq!(told().await, [waits]);
        let visit = approve().await;
        assert_eq!(told().await, [booked]);
        undo(visit).await;
        let visit = approve().await;
        assert_eq!(told().await, [booked], "it is true once more");

        let path = format!("/scheduled-services/{visit}");
        let reopen = json!({ "id": visit });
        let mut phone = Phone::new(sitter);
        phone.pull().await;
        sitter.delete(&path).await.data();
        assert_eq!(told().await, ["Your walk on Wednesday, November 25 at 9:00 AM was cancelled"]);
        phone.pull().await;
        phone.send("reopen_service", reopen.clone()).await;
        sitter.delete(&path).await.data();
        phone.pull().await;
        phone.send("reopen_service", reopen).await;
        assert_eq!(told().await, ["Your walk on Wednesday, November 25 at 9:00 AM takes place after all"]);
    }

    async fn a_push_that_waits_tells_what_became_of_its_visit_meanwhile(app: TestApp) {
        let family = Family::new(&app).await;
        let sitter = &family.sitter;
        let phone = family.push.phone(&family.parent, "pixel").await;
        let ada = sitter.client("Ada").await;
        let quiet = async |hours: Value| {
            let form = json!({ "quiet_hours": hours, "time_zone": "America/New_York" });
            family.parent.put("/push/preferences", form).await.data();
        };
        let told_in_the_morning = async || {
            assert!(family.deliver().await.is_empty(), "it is quiet");
            quiet(Value::Null).await;
            // What waits is due when the hours that held it are over.
            family.app.clock.advance(3 * HOUR);
            let calls = family.deliver().await;
            family.app.clock.advance(DAY - 3 * HOUR);
            calls.iter().map(|it| body(&phone, it)).collect::<Vec<_>>()
        };
        let hours = json!({ "from": "22:00", "to": "07:00" });
        let to_ada = json!({ "client_id": ada.0, "dog_ids": [ada.1] });
        for (change, told) in [
            (Value::Null, "Your walk on Wednesday, November 25 at 9:00 AM is booked"),
            (json!("cancel"), "Your walk on Wednesday, November 25 at 9:00 AM was cancelled"),
            (json!("delete"), "Your walk on Wednesday, November 25 at 9:00 AM was cancelled"),
            (json!({ "start_time": "10:15" }), "Your walk is now on Wednesday, November 25 at 10:15 AM"),
            (to_ada, "Your walk on Wednesday, November 25 at 9:00 AM was cancelled"),
        ] {
            quiet(hours.clone()).await;
            let request = family.app.request(sitter, &family.client).await;
            let approved = sitter.post(&format!("/sitter/requests/{request}/approve"), json!({})).await;
            let visit = approved.data()["scheduled_service_id"].as_str().unwrap().to_owned();
            let path = format!("/scheduled-services/{visit}");
            assert!(family.deliver().await.is_empty(), "it is quiet");
            if !change.is_null() {
                match change.as_str() {
                    Some("cancel") => sitter.delete(&path).await,
                    Some(_) => sitter.delete(&format!("/services/{visit}")).await,
                    None => sitter.put(&path, change.clone()).await,
                }.data();
            }
            assert_eq!(told_in_the_morning().await, [told], "{change}");
            sitter.delete(&format!("/services/{visit}")).await;
            family.deliver().await;
        }
    }

    async fn a_start_is_not_told_once_its_visit_is_gone_done_or_another_client_s(app: TestApp) {
        let family = Family::new(&app).await;
        family.app.clock.advance(4 * DAY);
        let sitter = &family.sitter;
        let phone = family.push.phone(&family.parent, "pixel").await;
        let ada = sitter.client("Ada").await;
        sitter.put("/sitters/profile", json!({ "tells_progress": true })).await.data();
        let to_ada = json!({ "client_id": ada.0, "dog_ids": [ada.1] });
        let off = "Your walk on Tuesday, November 24 at 10:00 AM was cancelled";
        for (change, told) in [
            (json!("delete"), vec![off]),
            (json!("cancel"), vec![off]),
            (json!("complete"), vec![]),
            (to_ada, vec![off]),
        ] {
            let visit = family.walk("10:00").await;
            let path = format!("/scheduled-services/{visit}");
            sitter.post(&format!("{path}/progress"), json!({ "step": "started" })).await.data();
            match change.as_str() {
                Some("delete") => sitter.delete(&format!("/services/{visit}")).await,
                Some("cancel") => sitter.delete(&path).await,
                Some(_) => sitter.post(&format!("{path}/complete"), json!({})).await,
                None => sitter.put(&path, change.clone()).await,
            }.data();
            let calls = family.deliver().await;
            let said: Vec<String> = calls.iter().map(|it| body(&phone, it)).collect();
            assert_eq!(said, told, "{change}");
            sitter.delete(&format!("/services/{visit}")).await;
            family.deliver().await;
        }
    }

    async fn a_deleted_message_takes_its_notification_back_unless_it_was_read_or_another_one_waits(app: TestApp) {
        let family = Family::new(&app).await;
        let (sitter, parent, client) = (&family.sitter, &family.parent, &family.client.0);
        let pixel = family.push.phone(parent, "pixel").await;
        let office = family.push.phone(sitter, "office").await;
        let send = async |user: &User, content: &str| {
            let form = json!({ "conversation_id": client, "content": content });
            user.post("/messages", form).await.id()
        };
        let delete = async |user: &User, id: &str| {
            user.delete(&format!("/messages/{id}")).await.data();
        };
        let told = async |phone: &PushPhone| {
            family.app.clock.advance(settles_ms(PushKind::Message));
            let said = family.deliver().await.into_iter().map(|it| {
                let notification = phone.read(&it)["notification"].clone();
                (notification["body"].as_str().unwrap().to_owned(), notification["tag"].clone())
            });
            said.collect::<Vec<_>>()
        };
        for (from, to) in [(sitter, &pixel), (parent, &office)] {
            let one = send(from, "The code is 4711").await;
            let shown = told(to).await;
            assert_eq!(shown[0].0, "Sent you a message");
            delete(from, &one).await;
            assert_eq!(told(to).await, [("Took back a message".to_owned(), shown[0].1.clone())]);
            delete(from, &one).await;
            assert!(told(to).await.is_empty(), "a repeat tells nobody");

            // Nobody was told of it yet, so that there is nothing to take back.
            let two = send(from, "Hello").await;
            delete(from, &two).await;
            assert!(told(to).await.is_empty());
            assert!(family.rows("push_delivery").await.is_empty());

            // Another one is unread, of which the notification still speaks.
            let (three, four) = (send(from, "See you").await, send(from, "at nine").await);
            assert_eq!(told(to).await.len(), 1);
            delete(from, &three).await;
            assert!(told(to).await.is_empty());
            delete(from, &four).await;
            assert_eq!(told(to).await[0].0, "Took back a message");
        }
        // A message that was read, before it is deleted or right after, needs no word.
        let five = send(sitter, "Good dog").await;
        told(&pixel).await;
        parent.put(&format!("/messages/{client}/read"), json!({})).await.data();
        delete(sitter, &five).await;
        assert!(told(&pixel).await.is_empty());
        let six = send(sitter, "Good dogs").await;
        told(&pixel).await;
        delete(sitter, &six).await;
        parent.put(&format!("/messages/{client}/read"), json!({})).await.data();
        assert!(told(&pixel).await.is_empty());
        // A day later nobody has it on the screen any more.
        let seven = send(sitter, "Good night").await;
        told(&pixel).await;
        family.app.clock.advance(DAY);
        delete(sitter, &seven).await;
        assert!(told(&pixel).await.is_empty());
    }

    async fn a_sitter_is_told_which_clients_have_notifications_on_and_nothing_else_of_that(app: TestApp) {
        let family = Family::new(&app).await;
        let (sitter, parent, client) = (&family.sitter, &family.parent, &family.client.0);
        let pull = async |user: &User, query: &str| {
            let path = format!("/sync/pull?device_id={}&schema=5&{query}", Id::of(77));
            user.get(&path).await.data().clone()
        };
        let notified = async |user: &User| {
            let reach = pull(user, "cursor=0").await["reach"].clone();
            assert_eq!(reach["sends_mail"], false);
            assert_eq!(reach.as_object().unwrap().len(), 2, "{reach}");
            reach["notified"].clone()
        };
        assert_eq!(notified(sitter).await, json!([]), "the login alone shows no notification");
        let pixel = family.push.phone(parent, "pixel").await;
        assert_eq!(notified(sitter).await, json!([client]));
        family.push.phone(parent, "tablet").await;
        assert_eq!(notified(sitter).await, json!([client]), "how many devices is the parent's own matter");
        // A phone that knows all the rest hears it, too.
        let known = pull(sitter, "cursor=0").await;
        let query = ["next", "epoch", "backend_id"].map(|it| known[it].to_string().replace('"', ""));
        let [cursor, epoch, backend_id] = query;
        let again = pull(sitter, &format!("cursor={cursor}&epoch={epoch}&backend_id={backend_id}")).await;
        assert_eq!((&again["rows"], &again["reach"]), (&json!([]), &known["reach"]));

        // A client who has turned a kind off may not be notified of it.
        parent.put("/push/preferences", json!({ "off": ["invoice"] })).await.data();
        assert_eq!(notified(sitter).await, json!([]));
        parent.put("/push/preferences", json!({ "off": [] })).await.data();
        assert_eq!(notified(sitter).await, json!([client]));

        // Neither another business nor a pet parent hears anything of it.
        let other = family.app.sitter("Olga").await;
        other.client("Sam Rivers").await;
        assert_eq!(notified(&other).await, json!([]));
        let own = format!("cursor=0&sitter_id={}", sitter.sitter_id.unwrap());
        assert_eq!(pull(parent, &own).await["reach"], Value::Null);

        for id in [&pixel.id, &family.push.phone(parent, "tablet").await.id] {
            parent.delete(&format!("/push/subscriptions/{id}")).await.data();
        }
        assert_eq!(notified(sitter).await, json!([]));
        family.push.phone(parent, "pixel").await;
        let mut phone = Phone::new(sitter);
        phone.pull().await;
        phone.send("unlink_client", json!({ "id": client })).await;
        assert_eq!(notified(sitter).await, json!([]), "who has left the portal sees nothing there");
    }

    async fn a_server_that_sends_mail_says_so_to_the_sitter_s_phone(app: TestApp) {
        let mailing = app.with(Settings { sends_mail: true, ..settings() }).await;
        let sitter = mailing.sitter("Mara").await;
        let pull = format!("/sync/pull?cursor=0&device_id={}&schema=5", Id::of(77));
        let pulled = sitter.get(&pull).await;
        assert_eq!(pulled.data()["reach"], json!({ "sends_mail": true, "notified": [] }));
    }

    async fn one_client_takes_no_other_client_s_place_in_what_waits(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.sitter, "pixel").await;
        let ada = family.sitter.client("Ada").await;
        let other = family.app.pet_parent("Ada").await;
        family.app.link(&family.sitter, &ada.0, Some(&other)).await;
        other.post("/messages", json!({ "conversation_id": ada.0, "content": "Hello" })).await.data();
        for _ in 0..60 {
            family.app.request(&family.sitter, &family.client).await;
            family.app.clock.advance(1);
            let notice = Notice::of(PushKind::NewRequest, family.sitter.sitter_id.unwrap(), family.client.0.parse().unwrap(), family.app.state.env.id());
            let state = &family.app.state;
            let mut tx = state.db.write().await.unwrap();
            let audience = PushAudience::Sitter(notice.sitter_id);
            notify::notify(state, &mut tx, audience, &notice, state.now()).await.unwrap();
            tx.commit().await.unwrap();
        }
        assert_eq!(family.rows("push_delivery").await.len(), 2);
        family.app.clock.advance(settles_ms(PushKind::Message));
        let said: Vec<String> = family.deliver().await.iter().map(|it| body(&phone, it)).collect();
        assert_eq!(said, ["Sent you a message", "Asks for 60 visits"]);
    }

    async fn what_is_read_in_an_open_app_at_once_is_not_told(app: TestApp) {
        let family = Family::new(&app).await;
        family.push.phone(&family.sitter, "pixel").await;
        family.parent.post("/messages", json!({ "conversation_id": family.client.0, "content": "Hello" })).await.data();
        family.sitter.put(&format!("/messages/{}/read", family.client.0), json!({})).await.data();
        family.app.clock.advance(settles_ms(PushKind::Message));
        assert!(family.deliver().await.is_empty());
        assert!(family.rows("push_delivery").await.is_empty());
    }

    async fn what_is_not_true_any_more_when_the_quiet_hours_end_is_not_told(app: TestApp) {
        let family = Family::new(&app).await;
        for (user, name) in [(&family.sitter, "sitter"), (&family.parent, "parent")] {
            family.push.phone(user, name).await;
            // In New York it is 4 in the morning.
            let form = json!({ "quiet_hours": { "from": "22:00", "to": "07:00" }, "time_zone": "America/New_York" });
            user.put("/push/preferences", form).await.data();
        }
        let shared = family.sitter.post("/walks", walk_form(json!([]), &[(&family.client, "Good dog")])).await.id();
        assert!(family.deliver().await.is_empty());
        assert_eq!(family.rows("push_delivery").await.len(), 1);
        family.sitter.delete(&format!("/walks/{shared}")).await.data();
        family.app.clock.advance(3 * HOUR);
        assert!(family.deliver().await.is_empty());

        // In New York it is the twenty-fourth at 9:00, and nothing is quiet.
        let (moved, cancelled) = (family.walk("10:00").await, family.walk("09:15").await);
        family.app.clock.advance(4 * DAY + 2 * HOUR);
        push_reminders::remind_once(&family.app.state).await.unwrap();
        family.app.clock.advance(1);
        family.sitter.put(&format!("/scheduled-services/{moved}"), json!({ "start_time": "15:00" })).await.data();
        family.sitter.delete(&format!("/scheduled-services/{cancelled}")).await.data();
        let phones: Vec<String> = family.deliver().await.into_iter().map(|it| it.phone).collect();
        assert_eq!(phones, ["parent", "parent"], "the sitter has done it, and is told of neither");
    }

    async fn what_fails_is_tried_less_and_less_often_and_then_given_up(app: TestApp) {
        let family = Family::new(&app).await;
        family.push.phone(&family.parent, "pixel").await;
        family.push.answers("pixel", Reply::Status(500));
        family.notify(&family.parent, PushKind::RequestDeclined, 1).await;
        let mut tries = Vec::new();
        for minute in 0..(24 * 60) {
            if !family.deliver().await.is_empty() {
                tries.push(minute);
            }
            if family.rows("push_delivery").await.is_empty() {
                break;
            }
            family.app.clock.advance(MINUTE);
        }
        assert_eq!(tries.len(), 8, "{tries:?}");
        let gaps: Vec<i64> = tries.windows(2).map(|it| it[1] - it[0]).collect();
        assert!(gaps.is_sorted() && 300 < gaps[6], "{gaps:?}");
        assert_eq!(family.failures().await, [(PushKind::RequestDeclined, "the push service answers 500".to_owned(), 8)]);
    }

    async fn a_service_that_hangs_keeps_nobody_else_waiting(app: TestApp) {
        let family = Family::new(&app).await;
        let other = family.sitter.clone();
        for n in 0..8 {
            let name = format!("silent{n}");
            family.push.phone(&family.parent, &name).await;
            family.push.answers(&name, Reply::Silence);
        }
        family.push.phone(&other, "pixel").await;
        for about in 1..5 {
            family.notify(&family.parent, PushKind::Message, about).await;
        }
        family.app.clock.advance(1000);
        family.notify(&other, PushKind::Message, 1).await;
        let sending = tokio::spawn({
            let (push, app) = (family.push.clone(), family.app.with(family.app.state.settings.clone()).await);
            app.clock.advance(1000);
            async move { push.deliver(&app).await }
        });
        // One of those that hang, which is not given up for a minute, and the other one's.
        family.push.has_heard(2).await;
        let phones: Vec<String> = family.push.take().into_iter().map(|it| it.phone).collect();
        assert_eq!(phones.len(), 2, "{phones:?}");
        assert!(phones.contains(&"pixel".to_owned()), "{phones:?}");
        sending.abort();
    }

    async fn a_service_that_does_not_answer_is_tried_again(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.parent, "pixel").await;
        family.push.answers("pixel", Reply::Silence);
        family.notify(&family.parent, PushKind::Message, 1).await;
        family.push.deliver_within(&family.app, IMPATIENT).await;
        let waiting = family.rows("push_delivery").await;
        assert!(waiting.concat().contains("the push service did not answer in time"), "{waiting:?}");
        family.push.answers("pixel", Reply::Status(201));
        family.app.clock.advance(MINUTE);
        let calls = family.deliver().await;
        assert_eq!(body(&phone, calls.last().unwrap()), "Sent you a message");
    }

    async fn what_a_killed_process_was_sending_is_sent_by_another(app: TestApp) {
        let family = Family::new(&app).await;
        family.push.phone(&family.parent, "pixel").await;
        family.notify(&family.parent, PushKind::Message, 1).await;
        let now = family.app.state.now();
        let mut tx = family.app.state.db.write().await.unwrap();
        let taken = db::lease_push_deliveries(&mut tx, now, Instant(now.0 + MINUTE), 10).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(taken.len(), 1);
        assert!(family.deliver().await.is_empty());
        // What comes in its place meanwhile is not forgotten with it.
        family.notify(&family.parent, PushKind::Message, 1).await;
        let mut tx = family.app.state.db.write().await.unwrap();
        db::finish_push(&mut tx, &taken[0]).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(family.deliver().await.len(), 1);
        family.notify(&family.parent, PushKind::Message, 1).await;
        let mut tx = family.app.state.db.write().await.unwrap();
        db::lease_push_deliveries(&mut tx, now, Instant(now.0 + MINUTE), 10).await.unwrap();
        tx.commit().await.unwrap();
        family.app.clock.advance(MINUTE);
        assert_eq!(family.deliver().await.len(), 1);
    }

    #[always]
    async fn nothing_comes_in_quiet_hours_and_what_is_worth_something_in_the_morning_comes_then(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.parent, "pixel").await;
        // In New York it is 4 in the morning.
        let form = json!({
            "off": ["invoice", "invoice"], "quiet_hours": { "from": "22:00", "to": "07:00" }, "time_zone": "America/New_York",
        });
        let set = family.parent.put("/push/preferences", form).await;
        assert_eq!(set.data()["preferences"]["off"], json!(["invoice"]));
        assert_eq!(set.data()["quiet_until"], "2026-11-20T12:00:00.000Z");
        assert_eq!(family.parent.get("/push/preferences").await.data(), set.data());
        for kind in [PushKind::Message, PushKind::WalkStarted, PushKind::Invoice] {
            family.notify(&family.parent, kind, 1).await;
        }
        assert!(family.deliver().await.is_empty());
        assert_eq!(family.rows("push_delivery").await.len(), 1);
        family.app.clock.advance(3 * HOUR - 1);
        assert!(family.deliver().await.is_empty());
        family.app.clock.advance(1);
        assert_eq!(family.parent.get("/push/preferences").await.data()["quiet_until"], Value::Null);
        let calls = family.deliver().await;
        assert_eq!(calls.len(), 1);
        assert_eq!(body(&phone, &calls[0]), "Sent you a message");
        assert_eq!(family.failures().await, []);
    }

    async fn preferences_are_checked_and_have_what_there_is_for_the_person(app: TestApp) {
        let family = Family::new(&app).await;
        let (sitter, parent) = (&family.sitter, &family.parent);
        let kinds = async |user: &User| user.get("/push/preferences").await.data()["kinds"].clone();
        let of_sitters = ["new_request", "client_booked", "message", "upcoming_service", "visit_overdue", "card_payment", "card_payment_lost", "billing_day", "parent_left", "parent_joined", "details_corrected"];
        assert_eq!(kinds(sitter).await, json!(of_sitters));
        assert_eq!(kinds(parent).await.as_array().unwrap().len(), 17);
        let hours = json!({ "from": "22:00", "to": "07:00" });
        for (form, field) in [
            (json!({ "quiet_hours": hours, "time_zone": "Europe/Atlantis" }), "time_zone"),
            (json!({ "quiet_hours": hours }), "time_zone"),
            (json!({ "quiet_hours": { "from": "22:00", "to": "22:00" }, "time_zone": "UTC" }), "quiet_hours"),
            (json!({ "off": ["no_such_kind"] }), "off"),
            (json!({ "off": [], "snooze": true }), "snooze"),
        ] {
            let refused = parent.put("/push/preferences", form).await;
            assert_eq!(refused.status, 422);
            assert!(refused.body["fields"][field].is_string(), "{}", refused.body);
        }
    }

    async fn a_phone_is_told_as_long_as_somebody_is_signed_in_on_it(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = family.push.phone(&family.parent, "pixel").await;
        assert_eq!(phone.subscribe(&family.parent).await.id(), phone.id, "a repeat changes nothing");
        let other = family.sitter.clone();
        let path = format!("/push/subscriptions/{}", phone.id);
        assert_eq!(other.delete(&path).await.failure(), (404, "not_found"));
        assert_eq!(other.delete("/push/subscriptions/x").await.failure(), (404, "not_found"));
        family.notify(&family.parent, PushKind::Message, 1).await;

        // Somebody else signs in in the same browser: nothing of the one before comes there any more.
        let taken = phone.subscribe(&other).await.id();
        assert_ne!(taken, phone.id);
        assert!(family.deliver().await.is_empty());
        family.notify(&family.parent, PushKind::Message, 2).await;
        assert!(family.deliver().await.is_empty());
        family.notify(&other, PushKind::Message, 1).await;
        assert_eq!(family.deliver().await.len(), 1);

        family.notify(&other, PushKind::Message, 2).await;
        other.post("/auth/signout", json!({})).await;
        for table in ["push_subscription", "push_delivery"] {
            assert!(family.rows(table).await.is_empty(), "{table}");
        }
        let again = family.push.phone(&family.parent, "pixel").await;
        let path = format!("/push/subscriptions/{}", again.id);
        assert_eq!(family.parent.delete(&path).await.status, 200);
        assert_eq!(family.parent.delete(&path).await.failure(), (404, "not_found"));
    }

    async fn of_too_many_subscriptions_and_messages_the_oldest_make_room(app: TestApp) {
        let family = Family::new(&app).await;
        for n in 0..22 {
            family.app.clock.advance(1);
            family.push.phone(&family.parent, &format!("phone{n}")).await;
        }
        let rows = family.rows("push_subscription").await;
        assert_eq!(rows.len(), 20);
        assert!(!rows.concat().contains("/phone1\"") && rows.concat().contains("/phone2\""));
        for about in 0..55 {
            family.app.clock.advance(1);
            family.notify(&family.parent, PushKind::Message, about).await;
        }
        let rows = family.rows("push_delivery").await;
        assert_eq!(rows.len(), 20 * 50);
        let has = |about: u128| rows.iter().any(|it| it.contains(&Id::of(about).to_string()));
        assert!(!has(4) && has(5) && has(54));
    }

    async fn only_what_a_browser_gives_can_be_subscribed(app: TestApp) {
        let family = Family::new(&app).await;
        let phone = PushPhone::new(&family.push.origin, "pixel", key_of(&family.parent).await);
        let canary = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = canary.local_addr().unwrap().port();
        let refused = async |field: &str, form: Value| {
            let answer = family.parent.post("/push/subscriptions", form).await;
            assert_eq!(answer.status, 422, "{}", answer.body);
            assert!(answer.body["fields"][field].is_string(), "{field}: {}", answer.body);
        };
        for endpoint in [
            format!("http://127.0.0.1:{port}/push"), format!("https://127.0.0.1:{port}/push"),
            format!("http://[::ffff:127.0.0.1]:{port}/"), format!("http://2130706433:{port}/"),
            format!("https://fcm.googleapis.com@127.0.0.1:{port}/"), format!("https://localhost:{port}/"),
            "https://169.254.169.254/latest".to_owned(), "https://fcm.googleapis.com.evil.example/".to_owned(),
            "http://fcm.googleapis.com/fcm/send/a".to_owned(), "https://fcm.googleapis.com:8443/".to_owned(),
            format!("https://fcm.googleapis.com/{}", "a".repeat(480)), String::new(),
        ] {
            let mut form = phone.form();
            form["endpoint"] = json!(endpoint);
            refused("endpoint", form).await;
        }
        for (name, value) in [("p256dh", "AAAA"), ("p256dh", ""), ("auth", "AAAA"), ("auth", "!!!!!!!!!!!!!!!!!!!!!!")] {
            let mut form = phone.form();
            form["keys"][name] = json!(value);
            refused("keys", form).await;
        }
        let mut form = phone.form();
        form["public_key"] = json!("BAAA");
        refused("public_key", form).await;
        form = phone.form();
        form["user_id"] = json!(family.sitter.user_id);
        assert_eq!(family.parent.post("/push/subscriptions", form).await.status, 201, "whose it is the session says");
        let rows = family.rows("push_subscription").await.concat();
        assert!(rows.contains(&family.parent.user_id.to_string()) && !rows.contains(&family.sitter.user_id.to_string()));
        assert_eq!(family.app.anonymous().post("/push/subscriptions", phone.form()).await.failure(), (401, "sign_in_needed"));
    }

    #[always]
    async fn new_keys_are_for_new_subscriptions_and_old_ones_serve_until_they_are_revoked(app: TestApp) {
        let family = Family::new(&app).await;
        let old = family.push.phone(&family.parent, "old").await;
        assert_eq!(key_of(&family.sitter).await, old.public_key, "they are made once");
        family.app.clock.advance(1000);
        let replace = async || {
            let state = &family.app.state;
            let mut tx = state.db.write().await.unwrap();
            let key = push_keys::replace(state, &mut tx).await.unwrap();
            tx.commit().await.unwrap();
            key.public_key
        };
        let fresh = replace().await;
        let new = family.push.phone(&family.parent, "new").await;
        assert_eq!(new.public_key, fresh);
        assert_ne!(new.public_key, old.public_key);
        family.notify(&family.parent, PushKind::Message, 1).await;
        let calls = family.deliver().await;
        assert_eq!(calls.len(), 2);
        for call in &calls {
            // Each is signed with the key that the phone knows.
            let phone = if call.phone == "old" { &old } else { &new };
            assert_eq!(body(phone, call), "Sent you a message");
        }
        // A key goes when nobody has it any more.
        let clean_up = async || cleanup::clean_up_once(&family.app.state).await.unwrap();
        clean_up().await;
        assert_eq!(family.rows("push_key").await.len(), 2);
        family.parent.delete(&format!("/push/subscriptions/{}", old.id)).await;
        clean_up().await;
        assert_eq!(family.rows("push_key").await.len(), 1);

        let mut tx = family.app.state.db.write().await.unwrap();
        db::delete_push_keys(&mut tx, "").await.unwrap();
        tx.commit().await.unwrap();
        assert!(family.rows("push_subscription").await.is_empty());
        let stale = new.subscribe(&family.parent).await;
        assert_eq!(stale.body["fields"]["public_key"], "This server has another key by now");
        assert_ne!(key_of(&family.parent).await, new.public_key);
    }
}
