//! Clients who book open times without asking: only those whom the sitter lets, and no time twice.

use serde_json::{Value, json};
use walkies_core::Id;
use walkies_core::rules::push::settles_ms;
use walkies_core::values::push::PushKind;

use crate::on_both;
use crate::push::{Family, body};
use crate::support::push::PushPhone;
use crate::support::{Answer, Phone, TestApp, User};

/// A request for a walk of Tuesday, November 24.
fn walk_at(start: &str, dog: &str) -> Value {
    json!({
        "requested_date": "2026-11-24", "requested_start_time": start, "requested_duration_minutes": 30,
        "service_type": "walk", "dog_ids": [dog], "quoted_price": 25,
    })
}

async fn trust(sitter: &User, client: &str) {
    let path = format!("/clients/{client}");
    let saved = sitter.put(&path, json!({ "books_at_once": true })).await;
    assert_eq!(saved.data()["books_at_once"], true);
}

/// A client of Dana's with a login.
async fn client_of(app: &TestApp, dana: &User, name: &str) -> (User, (String, String)) {
    let (parent, client) = (app.pet_parent(name).await, dana.client(name).await);
    app.link(dana, &client.0, Some(&parent)).await;
    (parent, client)
}

fn state(answer: &Answer) -> (Value, bool, bool) {
    let data = answer.data();
    let is = |field: &str| data.get(field).is_some_and(|it| *it == true);
    (data["status"].clone(), is("booked_at_once"), is("is_wish"))
}

on_both! {
    #[always]
    async fn an_open_time_is_booked_at_once_for_a_client_whom_the_sitter_trusts_and_for_no_other(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (sam, (client, dog)) = client_of(&app, &dana, "Sam").await;
        let (kim, (_, other_dog)) = client_of(&app, &dana, "Kim").await;
        trust(&dana, &client).await;
        let booked = sam.post("/client/requests", walk_at("10:00", &dog)).await;
        assert_eq!(state(&booked), (json!("approved"), true, false));
        let seen = sam.get("/client/services").await;
        assert_eq!((&seen.data()[0]["status"], &seen.data()[0]["price"]), (&json!("scheduled"), &json!(25)));
        assert_eq!(seen.data()[0]["id"], booked.data()["scheduled_service_id"]);
        let asked = kim.post("/client/requests", walk_at("11:00", &other_dog)).await;
        assert_eq!(state(&asked), (json!("pending"), false, false));
        // Out of hours, at another price and as a wish the sitter decides.
        let late = sam.post("/client/requests", walk_at("21:00", &dog)).await;
        assert_eq!(state(&late), (json!("pending"), false, true));
        let mut cheap = walk_at("12:00", &dog);
        cheap["quoted_price"] = json!(20);
        assert_eq!(state(&sam.post("/client/requests", cheap).await), (json!("pending"), false, false));
        let mut wish = walk_at("13:00", &dog);
        wish["is_wish"] = json!(true);
        assert_eq!(state(&sam.post("/client/requests", wish).await), (json!("pending"), false, false));
        // The sitter takes it back as an approval of a moment ago: the time is free, and the request waits.
        let (id, service) = (booked.id(), booked.data()["scheduled_service_id"].clone());
        let undo = json!({ "id": id, "service_id": service });
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        let undone = phone.send("undo_approval", undo).await;
        assert_eq!(undone["outcome"], "applied", "{undone}");
        let requests = sam.get("/client/requests").await;
        let requests = requests.data().as_array().unwrap();
        assert!(requests.iter().all(|it| it["status"] == "pending" && it["booked_at_once"] != true), "{requests:?}");
        assert_eq!(sam.get("/client/services").await.data(), &json!([]));
    }

    #[always]
    async fn two_clients_who_book_one_time_at_the_same_moment_get_it_once_and_one_of_them_waits(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (sam, (client, dog)) = client_of(&app, &dana, "Sam").await;
        let (kim, (other, other_dog)) = client_of(&app, &dana, "Kim").await;
        trust(&dana, &client).await;
        trust(&dana, &other).await;
        let (one, two) = tokio::join!(
            sam.post("/client/requests", walk_at("10:00", &dog)),
            kim.post("/client/requests", walk_at("10:00", &other_dog)),
        );
        let mut states = [state(&one), state(&two)];
        states.sort_by_key(|it| !it.1);
        assert_eq!(states, [(json!("approved"), true, false), (json!("pending"), false, true)]);
        let mut visits = 0;
        for it in [&sam, &kim] {
            visits += it.get("/client/services").await.data().as_array().unwrap().len();
        }
        assert_eq!(visits, 1);
    }

    async fn no_pet_parent_lets_themselves_book_without_asking(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (sam, (client, dog)) = client_of(&app, &dana, "Sam").await;
        sam.put("/client/details", json!({ "books_at_once": true, "vet": "Dr. Bell" })).await.data();
        let mut phone = Phone::new(&sam);
        phone.sitter_id = dana.sitter_id;
        phone.send("update_client", json!({ "id": client, "changes": { "books_at_once": true } })).await;
        let stranger = app.sitter("Mallory").await;
        let taken = stranger.put(&format!("/clients/{client}"), json!({ "books_at_once": true })).await;
        assert_eq!(taken.failure(), (404, "gone"));
        assert_eq!(dana.get(&format!("/clients/{client}")).await.data().get("books_at_once"), None);
        let mut smuggled = walk_at("10:00", &dog);
        for field in ["booked_at_once", "status", "scheduled_service_id"] {
            smuggled[field] = json!(match field {
                "status" => json!("approved"),
                "booked_at_once" => json!(true),
                _ => json!(Id::of(9)),
            });
        }
        let asked = sam.post("/client/requests", smuggled).await;
        assert_eq!(state(&asked), (json!("pending"), false, false));
    }

    #[always]
    async fn sitter_and_household_are_told_once_of_what_was_booked_at_once(app: TestApp) {
        let family = Family::new(&app).await;
        trust(&family.sitter, &family.client.0).await;
        let office = family.push.phone(&family.sitter, "office").await;
        let pixel = family.push.phone(&family.parent, "pixel").await;
        for (start, group) in [("10:00", Some(70)), ("11:00", Some(70)), ("13:00", None)] {
            let mut form = walk_at(start, &family.client.1);
            form["client_id"] = json!(family.client.0);
            form["group_id"] = json!(group.map(Id::of));
            let booked = family.parent.post("/client/requests", form).await;
            assert_eq!(state(&booked), (json!("approved"), true, false));
        }
        family.app.clock.advance(settles_ms(PushKind::ClientBooked));
        let calls = family.deliver().await;
        let said = |phone: &PushPhone, name: &str| {
            let of = calls.iter().filter(|it| it.phone == name);
            let mut said: Vec<String> = of.map(|it| body(phone, it)).collect();
            said.sort();
            said
        };
        assert_eq!(said(&office, "office"), [
            "Booked a walk on Tuesday, November 24 at 11:00 AM and 1 more",
            "Booked a walk on Tuesday, November 24 at 1:00 PM",
        ]);
        assert_eq!(said(&pixel, "pixel"), [
            "Your walk on Tuesday, November 24 at 11:00 AM and 1 more are booked",
            "Your walk on Tuesday, November 24 at 1:00 PM is booked",
        ]);
    }

    #[always]
    async fn what_was_booked_at_once_is_told_as_it_stands_and_taken_back_with_an_undo(app: TestApp) {
        let family = Family::new(&app).await;
        trust(&family.sitter, &family.client.0).await;
        let office = family.push.phone(&family.sitter, "office").await;
        let mut booked = Vec::new();
        for start in ["10:00", "11:00", "13:00"] {
            let mut form = walk_at(start, &family.client.1);
            form["client_id"] = json!(family.client.0);
            form["group_id"] = json!(Id::of(70));
            booked.push(family.parent.post("/client/requests", form).await.data().clone());
        }
        let service = |n: usize| booked[n]["scheduled_service_id"].as_str().unwrap().to_owned();
        let last = format!("/scheduled-services/{}", service(2));
        family.sitter.put(&last, json!({ "start_time": "15:00", "overlap_ok": true })).await.data();
        family.sitter.delete(&format!("/scheduled-services/{}", service(0))).await.data();
        family.app.clock.advance(settles_ms(PushKind::ClientBooked));
        let said = async || {
            let calls = family.deliver().await;
            calls.iter().map(|it| body(&office, it)).collect::<Vec<_>>()
        };
        assert_eq!(said().await, ["Booked a walk on Tuesday, November 24 at 3:00 PM and 1 more"]);
        let undo = format!("/sitter/requests/{}/undo-approval", booked[1]["id"].as_str().unwrap());
        family.sitter.post(&undo, json!({ "service_id": service(1) })).await.data();
        family.app.clock.advance(settles_ms(PushKind::ClientBooked));
        assert_eq!(said().await, ["No longer booked: walk on Tuesday, November 24 at 11:00 AM"]);
    }

    #[always]
    async fn two_bookings_that_are_undone_shortly_after_each_other_are_both_named_and_to_the_client_once(app: TestApp) {
        let family = Family::new(&app).await;
        trust(&family.sitter, &family.client.0).await;
        let office = family.push.phone(&family.sitter, "office").await;
        let pixel = family.push.phone(&family.parent, "pixel").await;
        let mut group = 70;
        let mut book = async |starts: &[&str]| {
            group += 1;
            let mut booked = Vec::new();
            for start in starts {
                let mut form = walk_at(start, &family.client.1);
                form["client_id"] = json!(family.client.0);
                form["group_id"] = json!(Id::of(group));
                booked.push(family.parent.post("/client/requests", form).await.data().clone());
            }
            booked
        };
        let undo = async |booked: &Value| {
            let path = format!("/sitter/requests/{}/undo-approval", booked["id"].as_str().unwrap());
            family.sitter.post(&path, json!({ "service_id": booked["scheduled_service_id"] })).await.data();
        };
        let said = async || {
            family.app.clock.advance(settles_ms(PushKind::ClientBooked));
            let calls = family.deliver().await;
            let of = |phone: &PushPhone, name: &str| {
                let of = calls.iter().filter(|it| it.phone == name);
                let mut said: Vec<String> = of.map(|it| body(phone, it)).collect();
                said.sort();
                said
            };
            (of(&office, "office"), of(&pixel, "pixel"))
        };
        let booked = book(&["10:00", "11:00", "13:00"]).await;
        assert_eq!(said().await.0.len(), 1);
        undo(&booked[0]).await;
        undo(&booked[1]).await;
        let both = ["10:00", "11:00"].map(|it| format!("No longer booked: walk on Tuesday, November 24 at {it} AM"));
        assert_eq!(said().await, (both.to_vec(), both.to_vec()));
        // Of what was not told yet nobody hears the end.
        let next = book(&["15:00", "16:00"]).await;
        undo(&next[0]).await;
        let (sitter, client) = said().await;
        assert_eq!(sitter, ["Booked a walk on Tuesday, November 24 at 4:00 PM"]);
        assert_eq!(client, ["Your walk on Tuesday, November 24 at 4:00 PM is booked"]);
    }
}
