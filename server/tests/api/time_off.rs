//! A sitter who is away: one call blocks the time, decides on the visits in it and writes to their clients; and its undo.

use serde_json::{Value, json};

use crate::on_both;
use crate::support::{Phone, TestApp, User};

const BLOCK: &str = "01930000-0000-7000-8000-00000000b10c";

/// Whole days from Tuesday, November 24 to Thursday.
fn ill() -> Value {
    json!({
        "id": BLOCK, "block_date": "2026-11-24", "start_time": "00:00", "end_time": "23:59", "block_type": "sick",
        "is_recurring": true, "recurrence_pattern": "daily", "recurrence_end_date": "2026-11-26",
    })
}

fn choice(id: &str, client: &str, date: &str, way: &str) -> Value {
    json!({ "id": id, "client_id": client, "date": date, "start_time": "12:00", "way": way })
}

fn message(n: u32, client: &str, content: &str) -> Value {
    let id = format!("01930000-0000-7000-8000-{n:012}");
    json!({ "id": id, "client_id": client, "content": content })
}

/// Date, start and status of a visit.
async fn state(sitter: &User, id: &str) -> (String, String, String) {
    let list = sitter
        .get("/scheduled-services?date_start=2026-11-01&date_end=2027-12-31&limit=500")
        .await;
    let visits = list.data().as_array().unwrap().clone();
    let it = visits.iter().find(|it| it["id"] == id).unwrap();
    let text = |field: &str| it[field].as_str().unwrap().to_owned();
    (text("date"), text("start_time"), text("status"))
}

fn of(date: &str, start: &str, status: &str) -> (String, String, String) {
    (date.to_owned(), start.to_owned(), status.to_owned())
}

on_both! {
    async fn a_time_off_decides_on_its_visits_writes_to_their_clients_and_is_undone(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let sam = mara.client("Sam Rivers").await;
        let dana = mara.client("Dana Whitfield").await;
        let parent = app.pet_parent("Sam").await;
        app.link(&mara, &sam.0, Some(&parent)).await;
        let tuesday = mara.walk(&sam, "2026-11-24", "12:00").await;
        let thursday = mara.walk(&dana, "2026-11-26", "12:00").await;
        let mut moved = choice(&thursday, &dana.0, "2026-11-26", "move");
        moved["to_date"] = json!("2026-11-27");
        moved["to_start_time"] = json!("15:00");
        let mut body = ill();
        body["visits"] = json!([choice(&tuesday, &sam.0, "2026-11-24", "cancel"), moved]);
        body["messages"] = json!([message(1, &sam.0, "Tuesday is cancelled."), message(2, &dana.0, "Friday then.")]);
        // Neither a pet parent nor another sitter can do it, or undo it.
        assert_eq!(parent.post("/availability/time-off", body.clone()).await.status, 403);
        let answer = mara.post("/availability/time-off", body).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        assert_eq!(answer.data()["to_pass_on"][0]["content"], "Friday then.");
        assert_eq!(state(&mara, &tuesday).await, of("2026-11-24", "12:00", "cancelled"));
        assert_eq!(state(&mara, &thursday).await, of("2026-11-27", "15:00", "scheduled"));
        let mut phone = Phone::new(&parent);
        phone.sitter_id = mara.sitter_id;
        let told = phone.pull().await.to_string();
        assert!(told.contains("Tuesday is cancelled."), "{told}");
        assert!(!told.contains("Friday then."), "{told}");
        let path = format!("/availability/time-off/{BLOCK}/undo");
        let former = |id: &str, date: &str| json!({ "id": id, "date": date, "start_time": "12:00" });
        let undo = json!({ "visits": [former(&tuesday, "2026-11-24"), former(&thursday, "2026-11-26")] });
        assert_eq!(parent.post(&path, undo.clone()).await.status, 403);
        let olga = app.sitter("Olga").await;
        assert_eq!(olga.post(&path, undo.clone()).await.status, 404);
        mara.post(&path, undo).await.data();
        assert_eq!(state(&mara, &tuesday).await, of("2026-11-24", "12:00", "scheduled"));
        assert_eq!(state(&mara, &thursday).await, of("2026-11-26", "12:00", "scheduled"));
        assert_eq!(mara.get("/availability/blocked-times").await.data(), &json!([]));
    }

    async fn what_another_phone_changed_is_told_and_no_untrue_message_is_sent(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let sam = mara.client("Sam Rivers").await;
        let visit = mara.walk(&sam, "2026-11-24", "12:00").await;
        let (mut one, mut other) = (Phone::new(&mara), Phone::new(&mara));
        one.pull().await;
        other.pull().await;
        other.send("update_service", json!({ "id": visit, "changes": { "date": "2026-12-10" } })).await;
        let mut blocked_time = ill();
        blocked_time.as_object_mut().unwrap().remove("id");
        let args = json!({
            "id": BLOCK, "blocked_time": blocked_time, "visits": [choice(&visit, &sam.0, "2026-11-24", "cancel")],
            "messages": [message(1, &sam.0, "Tuesday is cancelled.")],
        });
        let outcome = one.send("take_time_off", args).await;
        assert_eq!(outcome["outcome"], "adjusted", "{outcome}");
        let told = &outcome["adjustments"][0];
        assert_eq!((&told["code"], &told["visits"][0]["why"]), (&json!("time_off"), &json!("changed")));
        assert_eq!(told["unsent"], json!([sam.0]));
        assert_eq!(state(&mara, &visit).await, of("2026-12-10", "12:00", "scheduled"));
        let blocks = mara.get("/availability/blocked-times").await;
        assert_eq!(blocks.data()[0]["to_pass_on"], Value::Null);
    }

    async fn a_time_off_touches_no_visit_and_writes_to_no_client_of_another_business(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let sam = mara.client("Sam Rivers").await;
        let visit = mara.walk(&sam, "2026-11-24", "12:00").await;
        let olga = app.sitter("Olga").await;
        let mut body = ill();
        body["visits"] = json!([choice(&visit, &sam.0, "2026-11-24", "cancel")]);
        body["messages"] = json!([message(1, &sam.0, "Yours is cancelled.")]);
        let answer = olga.post("/availability/time-off", body).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        assert_eq!(answer.data()["to_pass_on"], Value::Null);
        assert_eq!(state(&mara, &visit).await, of("2026-11-24", "12:00", "scheduled"));
        assert_eq!(mara.get("/availability/blocked-times").await.data(), &json!([]));
    }

    async fn a_cancelled_visit_of_a_series_is_not_made_again(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let sam = mara.client("Sam Rivers").await;
        let series = json!({
            "client_id": sam.0, "dog_ids": [sam.1], "begins": "2026-11-24",
            "rule": { "kind": "weekly", "every": 1, "weekdays": [2] },
            "slots": [{ "id": BLOCK, "start_time": "12:00", "duration_minutes": 30, "service_type": "walk" }],
        });
        let series = mara.post("/series", series).await.id();
        let list = mara.get("/scheduled-services?date_start=2026-11-24&date_end=2026-11-24").await;
        let visit = list.data()[0]["id"].as_str().unwrap().to_owned();
        let mut body = ill();
        body["visits"] = json!([choice(&visit, &sam.0, "2026-11-24", "cancel")]);
        mara.post("/availability/time-off", body).await.data();
        mara.delete(&format!("/availability/blocked-times/{BLOCK}")).await.data();
        for end in [json!({ "kind": "on", "date": "2026-11-20" }), json!({ "kind": "never" })] {
            mara.post(&format!("/series/{series}/end"), json!({ "end": end })).await.data();
        }
        assert_eq!(state(&mara, &visit).await, of("2026-11-24", "12:00", "cancelled"));
        let list = mara.get("/scheduled-services?date_start=2026-11-24&date_end=2026-11-24").await;
        assert_eq!(list.data().as_array().unwrap().len(), 1);
    }
}
