//! Limits of the free plan: by REST and by sync, for two who take the last place at once, and never against what is
//! there.

use serde_json::{Value, json};
use walkies_server::app::settings::Settings;

use crate::on_both;
use crate::support::{HOUR, Phone, TestApp, User, settings, walk};

/// Somebody on the free plan.
async fn on_free(app: &TestApp) -> (TestApp, User) {
    let app = app
        .with(Settings {
            billing: Some(crate::support::billing_settings()),
            ..settings()
        })
        .await;
    let sitter = app.sitter("Mara").await;
    (app, sitter)
}

fn client(name: &str, n_dogs: usize) -> Value {
    let dogs: Vec<Value> = (0..n_dogs)
        .map(|it| json!({ "name": format!("Dog {it}") }))
        .collect();
    json!({ "name": name, "address": "1 Elm St", "phone": "(555) 123-4567", "email": "c@example.com", "dogs": dogs })
}

fn new_client(id: &str, name: &str) -> Value {
    let dog = json!({ "id": id.replace("0000-0000", "0000-0001"), "is_new": true, "changes": { "name": "Rex" } });
    let client = json!({ "name": name, "address": "1 Elm St", "phone": "(555) 123-4567", "email": "c@example.com" });
    json!({ "id": id, "client": client, "dogs": [dog] })
}

fn id(n: u32) -> String {
    format!("00000000-0000-0000-0000-0000000{n:05}")
}

on_both! {
    async fn a_sixth_client_is_refused_with_the_usage_and_the_five_stay(app: TestApp) {
        let (_app, sitter) = on_free(&app).await;
        for name in ["One", "Two", "Three", "Four"] {
            sitter.post("/clients", client(name, 1)).await.data();
        }
        let last = sitter.client("Five").await;
        let refused = sitter.post("/clients", client("Six", 1)).await;
        assert_eq!(refused.failure(), (403, "limit_reached"));
        let usage = json!({ "code": "limit_reached", "what": "clients", "usage": { "current": 5, "limit": 5 } });
        assert_eq!(refused.body["details"], usage);
        assert_eq!(sitter.get("/clients").await.data().as_array().unwrap().len(), 5);
        // What is there is worked with, and who goes makes room.
        let changed = sitter.put(&format!("/clients/{}", last.0), json!({ "access_notes": "Ring twice" })).await;
        assert_eq!(changed.data()["access_notes"], "Ring twice");
        sitter.delete(&format!("/clients/{}", last.0)).await.data();
        sitter.post("/clients", client("Six", 1)).await.data();
    }

    #[always]
    async fn a_file_comes_as_far_as_there_is_room_for_all_of_it(app: TestApp) {
        let (_app, sitter) = on_free(&app).await;
        let mut phone = Phone::new(&sitter);
        let clients: Vec<Value> = (51..57).map(|it| new_client(&id(it), "Somebody")).collect();
        let refused = phone.send("import_clients", json!({ "clients": clients })).await;
        assert_eq!(refused["refusal"]["usage"], json!({ "current": 0, "limit": 5 }), "{refused}");
        let made = phone.send("import_clients", json!({ "clients": clients[..5] })).await;
        assert_eq!(made["outcome"], "applied", "{made}");
        let ids: Vec<&Value> = clients.iter().map(|it| &it["id"]).collect();
        phone.send("undo_import", json!({ "clients": ids })).await;
        sitter.post("/clients", client("Six", 1)).await.data();
    }

    async fn an_eleventh_dog_is_refused_whoever_it_belongs_to(app: TestApp) {
        let (_app, sitter) = on_free(&app).await;
        let (first, dog) = sitter.client("One").await;
        sitter.post("/clients", client("Two", 8)).await.data();
        let dogs = |n: usize| {
            let mut dogs = vec![json!({ "id": dog, "name": "Rex" })];
            dogs.extend((0..n).map(|it| json!({ "name": format!("New {it}") })));
            json!({ "dogs": dogs })
        };
        let refused = sitter.put(&format!("/clients/{first}"), dogs(2)).await;
        assert_eq!(refused.failure(), (403, "limit_reached"));
        assert_eq!(refused.body["details"]["usage"], json!({ "current": 9, "limit": 10 }));
        sitter.put(&format!("/clients/{first}"), dogs(1)).await.data();
        let refused = sitter.post("/clients", client("Three", 1)).await;
        assert_eq!(refused.body["details"]["what"], "dogs");
    }

    async fn a_month_has_room_for_thirty_services_that_are_not_cancelled(app: TestApp) {
        let (app, sitter) = on_free(&app).await;
        let client = sitter.client("One").await;
        let mut phone = Phone::new(&sitter);
        let mut last = String::new();
        for at in 0..30 {
            let date = format!("2026-12-{:02}", 2 + at % 10);
            last = sitter.walk(&client, &date, &format!("{:02}:00", 8 + at / 10)).await;
        }
        let one_more = walk(&client.0, &client.1, "2026-12-31", "10:00");
        let refused = sitter.post("/scheduled-services", one_more.clone()).await;
        assert_eq!(refused.failure(), (403, "limit_reached"));
        assert_eq!(refused.body["details"]["usage"], json!({ "current": 30, "limit": 30 }));
        let request = app.request(&sitter, &client).await;
        // Another month has its own room.
        let in_november = sitter.walk(&client, "2026-11-30", "10:00").await;
        let moved = sitter.put(&format!("/scheduled-services/{in_november}"), json!({ "date": "2026-12-31" })).await;
        assert_eq!(moved.failure(), (403, "limit_reached"));
        sitter.put(&format!("/scheduled-services/{in_november}"), json!({ "date": "2026-11-29" })).await.data();
        sitter.post(&format!("/sitter/requests/{request}/approve"), json!({})).await.data();
        let record = json!({ "clientId": client.0, "dogs": [client.1], "date": "2026-12-01", "start_time": "10:00",
            "duration_minutes": 30, "type": "walk", "price": 20 });
        assert_eq!(sitter.post("/services", record).await.failure(), (403, "limit_reached"));
        let args = json!({ "id": id(7), "service": one_more, "brings_back": true });
        let outcome = phone.send("schedule_service", args).await;
        assert_eq!(outcome["refusal"]["code"], "limit_reached", "it never was there: {outcome}");
        sitter.delete(&format!("/scheduled-services/{last}")).await.data();
        sitter.post("/scheduled-services", one_more).await.data();
    }

    async fn from_two_phones_at_the_last_place_one_is_refused(app: TestApp) {
        let (_app, sitter) = on_free(&app).await;
        for name in ["One", "Two", "Three", "Four"] {
            sitter.post("/clients", client(name, 1)).await.data();
        }
        let (mut one, mut two) = (Phone::new(&sitter), Phone::new(&sitter));
        let first = [one.save("create_client", new_client(&id(51), "Five"))];
        let second = [two.save("create_client", new_client(&id(52), "Another"))];
        let (first, second, third) = tokio::join!(
            one.push(&first),
            two.push(&second),
            sitter.post("/clients", client("A third", 1)),
        );
        let outcomes = [&first, &second].map(|it| it.data()["results"][0]["outcome"] == "applied");
        let n_done = outcomes.into_iter().chain([third.status == 201]).filter(|it| *it).count();
        assert_eq!(n_done, 1, "{} {} {}", first.body, second.body, third.body);
        assert_eq!(sitter.get("/clients").await.data().as_array().unwrap().len(), 5);
    }

    #[always]
    async fn what_was_deleted_comes_back_and_what_never_was_does_not(app: TestApp) {
        let (app, sitter) = on_free(&app).await;
        let mut phone = Phone::new(&sitter);
        for n in 1..=5 {
            let made = phone.send("create_client", new_client(&id(50 + n), "Somebody")).await;
            assert_eq!(made["outcome"], "applied", "{made}");
        }
        phone.send("delete_client", json!({ "id": id(55) })).await;
        phone.send("create_client", new_client(&id(60), "In its place")).await;
        let back = phone.send("restore_client", new_client(&id(55), "Somebody")).await;
        assert_eq!(back["outcome"], "applied", "{back}");
        let made_up = phone.send("restore_client", new_client(&id(61), "Nobody")).await;
        assert_eq!(made_up["refusal"]["code"], "limit_reached", "{made_up}");
        // Its place was taken long since.
        phone.send("delete_client", json!({ "id": id(54) })).await;
        app.clock.advance(25 * HOUR);
        let late = phone.send("restore_client", new_client(&id(54), "Somebody")).await;
        assert_eq!(late["refusal"]["code"], "limit_reached", "{late}");
    }

    async fn where_no_plans_are_sold_nothing_is_limited(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        for at in 0..7 {
            sitter.post("/clients", client(&format!("Client {at}"), 3)).await.data();
        }
        assert_eq!(sitter.get("/sitters/profile").await.data().get("subscription"), None);
    }

    async fn nobody_writes_the_own_subscription(app: TestApp) {
        let (_app, sitter) = on_free(&app).await;
        let pro = json!({ "plan_id": "pro", "status": "active" });
        sitter.put("/sitters/profile", json!({ "phone": "(555) 123-4567", "subscription": pro })).await;
        let mut phone = Phone::new(&sitter);
        phone.send("update_profile", json!({ "changes": { "subscription": pro } })).await;
        let profile = sitter.get("/sitters/profile").await;
        assert_eq!(profile.data()["subscription"]["plan_id"], "free", "{}", profile.body);
    }
}
