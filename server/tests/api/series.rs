//! Bookings that repeat: by REST and by phones, with the nightly job, for a pet parent, and what happens when two phones
//! change the same one.

use serde_json::{Value, json};
use walkies_core::Cents;
use walkies_server::jobs::series::extend_once;

use crate::on_both;
use crate::support::{DAY, Phone, TestApp, User};

const NOON: &str = "01930000-0000-7000-8000-0000000012aa";
const EVENING: &str = "01930000-0000-7000-8000-0000000018ab";

/// Every Tuesday at noon from 2026-11-24 on.
fn tuesdays(client: &(String, String)) -> Value {
    json!({
        "client_id": client.0, "dog_ids": [client.1], "begins": "2026-11-24", "notes": "The long round",
        "internal_notes": "Pays late", "rule": { "kind": "weekly", "every": 1, "weekdays": [2] },
        "slots": [{ "id": NOON, "start_time": "12:00", "duration_minutes": 30, "service_type": "walk" }],
    })
}

/// From the evening of 2026-12-04 to the noon of 2026-12-06, for 100 dollars.
fn weekend(client: &(String, String)) -> Value {
    let slot = |id: &str, start: &str| json!({ "id": id, "start_time": start, "duration_minutes": 30, "service_type": "dropin" });
    json!({
        "client_id": client.0, "dog_ids": [client.1], "begins": "2026-12-04", "rule": { "kind": "daily", "every": 1 },
        "end": { "kind": "on", "date": "2026-12-06" }, "slots": [slot(NOON, "12:00"), slot(EVENING, "18:00")],
        "trip": {
            "first_slot": EVENING, "last_slot": NOON, "total": 100, "booked_for": "2026-11-01",
            "shares": [{ "date": "2026-12-04", "slot": EVENING, "amount": 99 }],
        },
    })
}

/// The sum of the prices of the sitter's visits of a series.
async fn total(sitter: &User) -> Cents {
    let list = sitter
        .get("/scheduled-services?date_start=2026-11-01&date_end=2027-12-31&limit=500")
        .await;
    let visits = list.data().as_array().unwrap().clone();
    let visits = visits.iter().filter(|it| !it["series_id"].is_null());
    visits.map(|it| cents(&it["price"])).sum()
}

fn cents(price: &Value) -> Cents {
    serde_json::from_value(price.clone()).unwrap()
}

/// The visits of a series that the sitter has, as dates, starts and statuses, by date.
async fn visits(sitter: &User) -> Vec<(String, String, String)> {
    let list = sitter
        .get("/scheduled-services?date_start=2026-11-01&date_end=2027-12-31&limit=500")
        .await;
    let visits = list.data().as_array().unwrap().clone();
    let mut visits: Vec<(String, String, String)> = visits
        .iter()
        .filter(|it| !it["series_id"].is_null())
        .map(|it| {
            let text = |field: &str| it[field].as_str().unwrap().to_owned();
            (text("date"), text("start_time"), text("status"))
        })
        .collect();
    visits.sort();
    visits
}

async fn book(sitter: &User, client: &(String, String)) -> String {
    let answer = sitter.post("/series", tuesdays(client)).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.id()
}

on_both! {
    async fn a_series_is_booked_changed_paused_and_ended(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let id = book(&mara, &client).await;
        let made = visits(&mara).await;
        assert_eq!(made.len(), 12, "{made:?}");
        assert_eq!(made[0].0, "2026-11-24");
        assert!(made.iter().all(|it| it.1 == "12:00" && it.2 == "scheduled"));
        // One is left out, two are paused.
        let path = format!("/series/{id}");
        let out = mara.post(&format!("{path}/leave-out"), json!({ "date": "2026-12-01" })).await;
        assert_eq!(out.data()["left_out"], json!([{ "date": "2026-12-01", "slot": NOON }]));
        let pause = json!({ "from": "2026-12-06", "to": "2026-12-20", "reason": "Sam is away" });
        let paused = mara.post(&format!("{path}/pauses"), pause).await;
        let dates = |visits: &[(String, String, String)]| visits.iter().map(|it| it.0.clone()).collect::<Vec<_>>();
        assert_eq!(dates(&visits(&mara).await)[..2], ["2026-11-24", "2026-12-22"]);
        // From the end of the year on an hour later.
        let later = json!({ "from": "2027-01-01", "slots": [{ "id": NOON, "changes": { "start_time": "13:00" } }] });
        mara.put(&path, later).await.data();
        let now = visits(&mara).await;
        assert!(now.iter().all(|it| (it.0.as_str() < "2027") == (it.1 == "12:00")), "{now:?}");
        // The pause is taken back: both are there again, and what was left out is not.
        let pause_id = paused.data()["pauses"][0]["id"].as_str().unwrap();
        mara.post(&format!("{path}/pauses/{pause_id}/end"), json!({})).await.data();
        assert_eq!(dates(&visits(&mara).await)[..4], ["2026-11-24", "2026-12-08", "2026-12-15", "2026-12-22"]);
        let end = json!({ "end": { "kind": "on", "date": "2026-12-10" } });
        mara.post(&format!("{path}/end"), end).await.data();
        assert_eq!(dates(&visits(&mara).await), ["2026-11-24", "2026-12-08"]);
        assert_eq!(mara.get("/series").await.data().as_array().unwrap().len(), 1);
        assert_eq!(mara.delete(&path).await.status, 200);
        assert!(visits(&mara).await.is_empty());
        assert_eq!(mara.delete(&path).await.failure(), (404, "gone"));
    }

    async fn completed_and_paid_visits_stay_as_they_are(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let id = book(&mara, &client).await;
        let list = mara.get("/scheduled-services?date_start=2026-11-24&date_end=2026-12-01").await;
        let ids: Vec<String> = list.data().as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect();
        mara.post(&format!("/scheduled-services/{}/complete", ids[0]), json!({})).await.data();
        mara.patch(&format!("/services/{}/paid", ids[1]), json!({ "paid": true })).await.data();
        let before = mara.get("/scheduled-services?date_start=2026-11-24&date_end=2026-12-01").await.data().clone();
        let later = json!({ "from": "2026-11-20", "slots": [{ "id": NOON, "changes": { "start_time": "13:00" } }] });
        mara.put(&format!("/series/{id}"), later).await.data();
        mara.delete(&format!("/series/{id}")).await.data();
        let after = mara.get("/scheduled-services?date_start=2026-11-24&date_end=2026-12-01").await.data().clone();
        assert_eq!(before, after);
        assert_eq!(visits(&mara).await.len(), 2);
    }

    async fn the_nightly_job_makes_the_weeks_ahead_once(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let other = app.sitter("Olga").await;
        let client = mara.client("Sam Rivers").await;
        book(&mara, &client).await;
        let mut phone = Phone::new(&mara);
        phone.pull().await;
        extend_once(&app.state).await.unwrap();
        assert_eq!(visits(&mara).await.len(), 12);
        let cursor = phone.cursor;
        phone.pull().await;
        assert_eq!(phone.cursor, cursor, "an hour without work makes no revision");
        // A month without the job, and then two processes at once.
        app.clock.advance(28 * DAY);
        let (one, two) = tokio::join!(extend_once(&app.state), extend_once(&app.state));
        one.and(two).unwrap();
        let made = visits(&mara).await;
        assert_eq!(made.len(), 16, "{made:?}");
        extend_once(&app.state).await.unwrap();
        assert_eq!(visits(&mara).await, made);
        assert!(visits(&other).await.is_empty());
    }

    async fn a_visit_that_was_deleted_or_cancelled_is_not_made_again(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let id = book(&mara, &client).await;
        let list = mara.get("/scheduled-services?date_start=2026-11-24&date_end=2026-12-01").await;
        let ids: Vec<String> = list.data().as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap().to_owned()).collect();
        mara.delete(&format!("/services/{}", ids[0])).await.data();
        mara.delete(&format!("/scheduled-services/{}", ids[1])).await.data();
        let path = format!("/series/{id}");
        for end in [json!({ "kind": "on", "date": "2026-11-20" }), json!({ "kind": "never" })] {
            mara.post(&format!("{path}/end"), json!({ "end": end })).await.data();
        }
        app.clock.advance(DAY);
        extend_once(&app.state).await.unwrap();
        let visits = visits(&mara).await;
        assert_eq!(visits[0], ("2026-12-01".to_owned(), "12:00".to_owned(), "cancelled".to_owned()));
        assert!(visits[1..].iter().all(|it| it.2 == "scheduled"));
    }

    async fn dates_that_are_taken_wait_for_a_decision(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        mara.walk(&client, "2026-12-01", "12:00").await;
        let answer = mara.post("/series", tuesdays(&client)).await;
        assert_eq!(answer.data()["waiting"], json!([{ "date": "2026-12-01", "slot": NOON }]));
        assert_eq!(visits(&mara).await.len(), 11);
        let path = format!("/series/{}/settle", answer.id());
        let choice = json!({ "date": "2026-12-01", "slot": NOON, "way": "move", "start_time": "14:00" });
        let settled = mara.post(&path, json!({ "choices": [choice] })).await;
        assert_eq!(settled.data()["waiting"], json!([]));
        assert!(visits(&mara).await.contains(&("2026-12-01".to_owned(), "14:00".to_owned(), "scheduled".to_owned())));
    }

    #[always]
    async fn the_undo_of_a_phone_without_a_network_spares_what_others_have_deleted_meanwhile(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let id = book(&mara, &client).await;
        let mut phone = Phone::new(&mara);
        phone.pull().await;
        let delete = async |date: &str| {
            let list = mara.get(&format!("/scheduled-services?date_start={date}&date_end={date}")).await;
            let visit = list.data()[0]["id"].as_str().unwrap().to_owned();
            mara.delete(&format!("/services/{visit}")).await.data();
        };
        delete("2026-12-01").await;
        for date in ["2026-12-01", "2026-12-08"] {
            let out = phone.send("leave_out_date", json!({ "id": id, "date": date })).await;
            assert_eq!(out["outcome"], "applied", "{out}");
        }
        // The newest list of the others has the phone's own date, too.
        delete("2026-12-15").await;
        let named = |date: &str| json!({ "date": date, "slot": NOON });
        let back = [named("2026-12-01"), named("2026-12-08")];
        let undone = phone.send("restore_series", json!({ "id": id, "put_back": back })).await;
        assert_eq!(undone["outcome"], "applied", "{undone}");
        let left_out = mara.get("/series").await.data()[0]["left_out"].clone();
        assert_eq!(left_out, json!([named("2026-12-01"), named("2026-12-15")]));
        assert!(visits(&mara).await.iter().any(|it| it.0 == "2026-12-08"));
    }

    async fn two_phones_change_the_times_of_one_series(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let id = book(&mara, &client).await;
        let (mut one, mut other) = (Phone::new(&mara), Phone::new(&mara));
        one.pull().await;
        other.pull().await;
        let evening = "01930000-0000-7000-8000-0000000018aa";
        let slot = json!({ "id": evening, "is_new": true, "changes": { "start_time": "18:00" } });
        let added = one.send("change_series", json!({ "id": id, "from": "2026-11-20", "slots": [slot] })).await;
        assert_eq!(added["outcome"], "applied", "{added}");
        let slot = json!({ "id": NOON, "changes": { "duration_minutes": 45 } });
        let longer = other.send("change_series", json!({ "id": id, "from": "2026-11-20", "slots": [slot] })).await;
        assert_eq!(longer["outcome"], "applied", "{longer}");
        let starts: Vec<String> = visits(&mara).await.into_iter().take(2).map(|it| it.1).collect();
        assert_eq!(starts, ["12:00", "18:00"]);
        // A change to a time that the other phone has removed is told, and does nothing.
        one.pull().await;
        one.send("change_series", json!({ "id": id, "from": "2026-11-20", "removed_slots": [evening] })).await;
        let slot = json!({ "id": evening, "changes": { "start_time": "19:00" } });
        let late = other.send("change_series", json!({ "id": id, "from": "2026-11-20", "slots": [slot] })).await;
        assert_eq!((&late["outcome"], &late["refusal"]["code"]), (&json!("rejected"), &json!("gone")));
        // So is an undo of what somebody else has changed since.
        let undo = json!({ "id": id, "phases": [] });
        let refused = other.send("restore_series", undo).await;
        assert_eq!(refused["refusal"]["code"], "changed_meanwhile", "{refused}");
    }

    async fn a_trip_is_booked_moved_and_canceled(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let booked = mara.post("/series", weekend(&client)).await;
        assert_eq!(booked.status, 201, "{}", booked.body);
        let day = |date: &str, start: &str| (date.to_owned(), start.to_owned(), "scheduled".to_owned());
        let weekend = [day("2026-12-04", "18:00"), day("2026-12-05", "12:00"), day("2026-12-05", "18:00"), day("2026-12-06", "12:00")];
        assert_eq!(visits(&mara).await, weekend);
        assert_eq!(total(&mara).await, Cents(10_000));
        // Nobody says how a total is spread, or for when it was booked.
        let trip = &booked.data()["trip"];
        assert_eq!((&trip["booked_for"], trip["shares"].as_array().unwrap().len()), (&json!("2026-12-04"), 4));
        // The flight home is a day late.
        let path = format!("/series/{}", booked.id());
        let later = mara.post(&format!("{path}/trip"), json!({ "ends": "2026-12-07" })).await;
        assert_eq!(later.data()["end"], json!({ "kind": "on", "date": "2026-12-07" }));
        let made = visits(&mara).await;
        assert_eq!((made.len(), made.last()), (6, Some(&day("2026-12-07", "12:00"))));
        assert_eq!(total(&mara).await, Cents(10_000));
        let past = mara.post(&format!("{path}/trip"), json!({ "begins": "2026-11-01" })).await;
        assert_eq!(past.failure(), (422, "invalid"));
        let end = json!({ "end": { "kind": "on", "date": "2026-11-19" } });
        mara.post(&format!("{path}/end"), end).await.data();
        assert!(visits(&mara).await.is_empty());
        let restored = json!({ "end": { "kind": "on", "date": "2026-12-07" }, "trip": later.data()["trip"] });
        mara.post(&format!("{path}/restore"), restored).await.data();
        assert_eq!(visits(&mara).await, made);
        assert_eq!(total(&mara).await, Cents(10_000));
    }

    async fn nobody_else_changes_a_trip(app: TestApp) {
        let (mara, olga) = (app.sitter("Mara").await, app.sitter("Olga").await);
        let client = mara.client("Sam Rivers").await;
        let id = mara.post("/series", weekend(&client)).await.id();
        let sam = app.pet_parent("Sam").await;
        app.link(&mara, &client.0, Some(&sam)).await;
        let path = format!("/series/{id}/trip");
        let before = visits(&mara).await;
        assert_eq!(olga.post(&path, json!({ "ends": "2026-12-09" })).await.failure(), (404, "gone"));
        assert_eq!(sam.post(&path, json!({ "ends": "2026-12-09" })).await.status, 403);
        assert_eq!(visits(&mara).await, before);
        assert!(visits(&olga).await.is_empty());
        // A series that is no trip has no such days.
        let weekly = book(&mara, &client).await;
        let none = mara.post(&format!("/series/{weekly}/trip"), json!({ "ends": "2026-12-09" })).await;
        assert_eq!(none.failure(), (404, "gone"));
        // What is agreed for all of it is the client's to see; how it is spread stands on each visit.
        let mut phone = Phone::new(&sam);
        phone.sitter_id = mara.sitter_id;
        let page = phone.pull().await;
        let rows = page["rows"].as_array().unwrap();
        let series = rows.iter().find(|it| it["t"] == "series" && it["d"]["id"] == id).expect("the trip is told");
        let trip = &series["d"]["trip"];
        assert_eq!((cents(&trip["total"]), &trip["shares"]), (Cents(10_000), &json!([])));
    }

    async fn a_pet_parent_sees_the_days_and_nothing_of_the_sitters_own(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let id = book(&mara, &client).await;
        let pause = json!({ "from": "2026-12-06", "to": "2026-12-20", "reason": "They owe me money" });
        mara.post(&format!("/series/{id}/pauses"), pause).await.data();
        let sam = app.pet_parent("Sam").await;
        app.link(&mara, &client.0, Some(&sam)).await;
        let mut phone = Phone::new(&sam);
        phone.sitter_id = mara.sitter_id;
        let page = phone.pull().await;
        let rows = page["rows"].as_array().unwrap();
        let series = rows.iter().find(|it| it["t"] == "series").expect("the series is told");
        assert_eq!(series["d"]["phases"][0]["notes"], "The long round");
        assert_eq!(series["d"]["pauses"][0]["from"], "2026-12-06");
        let text = page.to_string();
        for private in ["They owe me money", "Pays late"] {
            assert!(!text.contains(private), "{private}");
        }
        assert_eq!(sam.get("/series").await.status, 403);
    }
    async fn a_planned_visit_is_made_by_its_sitter_alone_and_the_weeks_ahead_are_a_setting(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let id = book(&mara, &client).await;
        let path = format!("/series/{id}/make");
        let planned = json!({ "date": "2027-03-02", "slot": NOON });
        let olga = app.sitter("Olga").await;
        assert_eq!(olga.post(&path, planned.clone()).await.status, 404);
        let sam = app.pet_parent("Sam").await;
        app.link(&mara, &client.0, Some(&sam)).await;
        assert_eq!(sam.post(&path, planned.clone()).await.status, 403);
        assert_eq!(visits(&mara).await.len(), 12);
        mara.post(&path, planned.clone()).await.data();
        mara.post(&path, planned).await.data();
        assert_eq!(visits(&mara).await.len(), 13);
        assert_eq!(visits(&mara).await[12].0, "2027-03-02");
        // A day that the series does not have.
        let wednesday = json!({ "date": "2027-03-03", "slot": NOON });
        assert_eq!(mara.post(&path, wednesday).await.status, 422);
        let undo = json!({ "unmade": [{ "date": "2027-03-02", "slot": NOON }] });
        mara.post(&format!("/series/{id}/restore"), undo).await.data();
        assert_eq!(visits(&mara).await.len(), 12);
        // The job follows the setting, and removes nothing.
        mara.put("/availability/config", json!({ "series_weeks_ahead": 26 })).await.data();
        extend_once(&app.state).await.unwrap();
        let many = visits(&mara).await.len();
        assert_eq!(many, 26);
        mara.put("/availability/config", json!({ "series_weeks_ahead": 4 })).await.data();
        extend_once(&app.state).await.unwrap();
        assert_eq!(visits(&mara).await.len(), many);
        assert_eq!(mara.put("/availability/config", json!({ "series_weeks_ahead": 27 })).await.status, 422);
    }

    #[always]
    async fn a_change_is_asked_for_by_its_client_alone_and_happens_as_it_is_granted(app: TestApp) {
        let (mara, other) = (app.sitter("Mara").await, app.sitter("Olga").await);
        let (parent, stranger) = (app.pet_parent("Sam").await, app.pet_parent("Kim").await);
        let (sam, kim) = (mara.client("Sam Rivers").await, mara.client("Kim").await);
        app.link(&mara, &sam.0, Some(&parent)).await;
        app.link(&mara, &kim.0, Some(&stranger)).await;
        let id = book(&mara, &sam).await;
        let change = json!({ "kind": "leave_out_date", "series_id": id, "date": "2026-12-01", "slot": NOON });
        let form = json!({ "change": change, "message": "We are away" });
        let by_stranger = stranger.post("/client/requests/changes", form.clone()).await;
        assert_eq!(by_stranger.status, 404, "{}", by_stranger.body);
        let asked = parent.post("/client/requests/changes", form.clone()).await;
        assert_eq!(asked.status, 201, "{}", asked.body);
        assert_eq!(asked.data()["subject"], change);
        assert_eq!(visits(&mara).await.len(), 12, "it is a wish");
        let again = parent.post("/client/requests/changes", form).await;
        assert_eq!(again.body["fields"]["change"], "You have asked for this already.");
        let path = format!("/sitter/requests/{}", asked.id());
        let approved = mara.post(&format!("{path}/approve"), json!({})).await;
        assert_eq!(approved.status, 422, "{}", approved.body);
        assert_eq!(other.post(&format!("{path}/grant"), json!({})).await.status, 404);
        assert_eq!(parent.post(&format!("{path}/grant"), json!({})).await.status, 403);
        let granted = mara.post(&format!("{path}/grant"), json!({ "sitter_response": "Gladly" })).await;
        assert_eq!(granted.data()["status"], "approved");
        let left = visits(&mara).await;
        assert_eq!((left.len(), left[1].0.as_str()), (11, "2026-12-08"));
        let seen = parent.get("/client/requests").await;
        assert_eq!(seen.data()[0]["sitter_response"], "Gladly");
        let late = parent.delete(&format!("/client/requests/{}", asked.id())).await;
        assert_eq!(late.failure(), (409, "already_answered"));
    }

    #[always]
    async fn a_series_that_a_parent_asks_for_is_booked_as_it_is_granted(app: TestApp) {
        let (mara, parent) = (app.sitter("Mara").await, app.pet_parent("Sam").await);
        let sam = mara.client("Sam Rivers").await;
        app.link(&mara, &sam.0, Some(&parent)).await;
        let form = json!({
            "requested_date": "2026-11-24", "requested_start_time": "12:00", "requested_duration_minutes": 30,
            "service_type": "walk", "dog_ids": [sam.1],
            "repeats": { "rule": { "kind": "weekly", "every": 1, "weekdays": [2] }, "last_day": "2026-12-15" },
        });
        let asked = parent.post("/client/requests", form).await;
        assert_eq!(asked.status, 201, "{}", asked.body);
        assert_eq!(visits(&mara).await, []);
        let id = asked.id();
        let choices = json!([{ "date": "2026-12-01", "slot": id, "way": "leave_out" }]);
        let granted = mara.post(&format!("/sitter/requests/{id}/grant"), json!({ "choices": choices })).await;
        assert_eq!(granted.data()["status"], "approved");
        let booked: Vec<String> = visits(&mara).await.into_iter().map(|it| it.0).collect();
        assert_eq!(booked, ["2026-11-24", "2026-12-08", "2026-12-15"]);
        let again = mara.post(&format!("/sitter/requests/{id}/grant"), json!({})).await;
        assert_eq!(again.failure(), (409, "already_answered"));
    }
}
