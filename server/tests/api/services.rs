//! Several services at once: moved, marked and copied by REST and by phones, with what stays, one notice for each client, and
//! nobody else's touched.

use serde_json::{Value, json};

use crate::on_both;
use crate::support::{Phone, TestApp, User};

/// The id with this number.
fn id(number: usize) -> String {
    format!("01930000-0000-7000-8000-{number:012x}")
}

/// The sitter's service as `date start status`.
async fn state(sitter: &User, service: &str) -> String {
    let answer = sitter.get(&format!("/scheduled-services/{service}")).await;
    let data = answer.data();
    let text = |field: &str| data[field].as_str().unwrap().to_owned();
    [text("date"), text("start_time"), text("status")].join(" ")
}

fn a_move(service: &str, to: (&str, &str), was: (&str, &str)) -> Value {
    json!({
        "id": service, "date": to.0, "start_time": to.1, "was_date": was.0, "was_start_time": was.1,
    })
}

on_both! {
    async fn several_services_move_at_once_and_what_cannot_stays_and_is_named(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let one = mara.walk(&client, "2026-11-24", "09:00").await;
        let next = mara.walk(&client, "2026-11-24", "10:00").await;
        let done = mara.walk(&client, "2026-11-24", "13:00").await;
        mara.post(&format!("/scheduled-services/{done}/complete"), json!({})).await.data();
        let day = "2026-11-24";
        let moves = json!({ "moves": [
            a_move(&one, (day, "10:00"), (day, "09:00")),
            a_move(&next, (day, "11:00"), (day, "10:00")),
            a_move(&done, (day, "14:00"), (day, "13:00")),
        ] });
        let moved = mara.post("/scheduled-services/move", moves.clone()).await;
        assert_eq!(moved.status, 200, "{}", moved.body);
        assert_eq!(moved.data()["ids"], json!([one, next]));
        let left = json!([{ "code": "left_alone", "services": [{ "id": done, "why": "completed" }], "of": 3 }]);
        assert_eq!(moved.body["adjustments"], left);
        assert_eq!(state(&mara, &one).await, "2026-11-24 10:00 scheduled");
        assert_eq!(state(&mara, &next).await, "2026-11-24 11:00 scheduled");
        assert_eq!(state(&mara, &done).await, "2026-11-24 13:00 completed");
        // A repeat changes nothing.
        let again = mara.post("/scheduled-services/move", moves).await;
        assert_eq!(again.data()["ids"], json!([]));
        // Where another phone has put something in the way meanwhile, the visit stays.
        mara.walk(&client, "2026-11-25", "10:00").await;
        let taken = json!({ "moves": [a_move(&next, ("2026-11-25", "10:00"), (day, "11:00"))] });
        let taken = Phone::new(&mara).send("move_services", taken).await;
        assert_eq!(taken["outcome"], "adjusted", "{taken}");
        assert_eq!(taken["adjustments"][0]["services"], json!([{ "id": next, "why": "taken" }]));
    }

    async fn several_services_are_called_off_and_come_back_by_one_undo(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let one = mara.walk(&client, "2026-11-24", "09:00").await;
        let other = mara.walk(&client, "2026-12-24", "09:30").await;
        let mark = json!({ "marked": [one, other], "status": "cancelled" });
        let off = mara.post("/scheduled-services/mark", mark).await;
        assert_eq!(off.data()["ids"].as_array().unwrap().len(), 2, "{}", off.body);
        assert_eq!(state(&mara, &other).await, "2026-12-24 09:30 cancelled");
        let undo = json!({ "marked": [one, other], "status": "scheduled", "was": "cancelled" });
        mara.post("/scheduled-services/mark", undo).await.data();
        assert_eq!(state(&mara, &one).await, "2026-11-24 09:00 scheduled");
        assert_eq!(state(&mara, &other).await, "2026-12-24 09:30 scheduled");
        let missing = mara.post("/scheduled-services/mark", json!({ "marked": [one] })).await;
        assert_eq!(missing.status, 400, "{}", missing.body);
    }

    async fn a_week_is_copied_by_a_phone_and_removed_again_but_for_what_was_changed(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let originals = [
            mara.walk(&client, "2026-11-23", "09:00").await,
            mara.walk(&client, "2026-11-25", "09:00").await,
        ];
        let copies: Vec<Value> = originals
            .iter()
            .zip(["2026-11-30", "2026-12-02"])
            .enumerate()
            .map(|(n, (original, date))| json!({ "id": id(n), "original": original, "date": date, "start_time": "09:00" }))
            .collect();
        let mut phone = Phone::new(&mara);
        phone.pull().await;
        let copied = phone.send("copy_services", json!({ "copies": copies })).await;
        assert_eq!(copied["outcome"], "applied", "{copied}");
        assert_eq!(state(&mara, &id(0)).await, "2026-11-30 09:00 scheduled");
        mara.put(&format!("/scheduled-services/{}", id(1)), json!({ "notes": "Towel" })).await.data();
        let undone = phone.send("undo_copy", json!({ "copied": [id(0), id(1)] })).await;
        assert_eq!(undone["outcome"], "adjusted", "{undone}");
        assert_eq!(undone["adjustments"][0]["services"], json!([{ "id": id(1), "why": "changed" }]));
        assert_eq!(mara.get(&format!("/scheduled-services/{}", id(0))).await.status, 404);
        assert_eq!(state(&mara, &id(1)).await, "2026-12-02 09:00 scheduled");
    }

    async fn nobody_moves_marks_or_copies_the_services_of_another_business(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let other = app.sitter("Other").await;
        let client = mara.client("Sam Rivers").await;
        let service = mara.walk(&client, "2026-11-24", "09:00").await;
        let parent = app.pet_parent("Sam").await;
        app.link(&mara, &client.0, Some(&parent)).await;
        let moves = json!({ "moves": [a_move(&service, ("2026-11-25", "09:00"), ("2026-11-24", "09:00"))] });
        let mark = json!({ "marked": [service], "status": "cancelled" });
        let copies = json!({ "copies": [{ "id": id(7), "original": service, "date": "2026-11-30", "start_time": "09:00" }] });
        for (path, body) in [("move", &moves), ("mark", &mark), ("copy", &copies)] {
            let path = format!("/scheduled-services/{path}");
            let answer = other.post(&path, body.clone()).await;
            assert_eq!(answer.data()["ids"], json!([]), "{path}: {}", answer.body);
            assert_eq!(answer.body["adjustments"][0]["services"][0]["why"], "gone");
            assert_eq!(parent.post(&path, body.clone()).await.status, 403, "{path}");
        }
        let gone = Phone::new(&other).send("undo_copy", json!({ "copied": [service] })).await;
        assert_eq!(gone["outcome"], "applied", "{gone}");
        assert_eq!(state(&mara, &service).await, "2026-11-24 09:00 scheduled");
        assert_eq!(mara.get(&format!("/scheduled-services/{}", id(7))).await.status, 404);
    }
}
