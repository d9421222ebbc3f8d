//! Saved commands up, the change feed down: in order, once, complete, whatever the network does.

use serde_json::{Value, json};
use sqlx::AssertSqlSafe;
use walkies_core::Instant;
use walkies_core::sync::wire::SCHEMA;
use walkies_core::values::bounds;
use walkies_server::app::settings::Settings;
use walkies_server::db;
use walkies_server::jobs::cleanup;

use crate::on_both;
use crate::support::{DAY, PASSWORD, Phone, TestApp, settings, walk};

fn rows<'a>(page: &'a Value, table: &str) -> Vec<&'a Value> {
    page["rows"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["t"] == table)
        .collect()
}

fn new_client(id: &str, dog: &str, name: &str) -> Value {
    json!({
        "id": id, "client": { "name": name },
        "dogs": [{ "id": dog, "is_new": true, "changes": { "name": "Rex" } }],
    })
}

/// An id for what a phone makes.
fn id() -> String {
    walkies_server::base::env::Env::system().id().to_string()
}

/// The server does not know this phone's numbers any more; what it has saved is done all the same, and once.
async fn begins_anew(phone: &mut Phone) {
    let clients = async |phone: &Phone| {
        let clients = phone.user.get("/clients").await;
        clients.data().as_array().unwrap().len()
    };
    let before = clients(phone).await;
    let mut saved = phone.save("create_client", new_client(&id(), &id(), "Pat"));
    assert_eq!(
        phone.push(std::slice::from_ref(&saved)).await.data()["stopped"],
        "other_server"
    );
    assert_eq!(phone.pull().await["reset"], true);
    (phone.device_id, phone.seq) = (id().parse().unwrap(), 1);
    saved["seq"] = json!(1);
    for _ in 0..2 {
        let answer = phone.push(std::slice::from_ref(&saved)).await;
        assert_eq!(answer.data()["results"][0]["outcome"], "applied");
        assert_eq!(clients(phone).await, before + 1);
    }
}

on_both! {
    async fn what_one_phone_saves_another_one_pulls(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (mut one, mut two) = (Phone::new(&dana), Phone::new(&dana));
        let first = two.pull().await;
        assert_eq!((&first["from"], &first["next"], &first["more"], &first["reset"]),
            (&json!(0), &json!(1), &json!(false), &json!(false)));
        assert_eq!(rows(&first, "sitter")[0]["d"]["name"], "Dana");
        assert_eq!(first["zone"]["name"], "America/New_York");
        assert!(first["zone"]["tzif"].as_str().unwrap().starts_with("VFppZ"));

        one.pull().await;
        let (client, dog, service) = (id(), id(), id());
        let made = one.save("create_client", new_client(&client, &dog, "Sam"));
        let visit = one.save("schedule_service", json!({
            "id": service, "service": walk(&client, &dog, "2026-11-23", "10:00"), "quoted_price": 25,
        }));
        let answer = one.push(&[made.clone(), visit.clone()]).await;
        let results = answer.data()["results"].clone();
        assert_eq!(results, json!([
            { "id": made["id"], "outcome": "applied", "rev": 2 },
            { "id": visit["id"], "outcome": "applied", "rev": 3 },
        ]));
        assert_eq!(answer.data()["stopped_at"], Value::Null);

        let page = two.pull().await;
        assert_eq!((&page["from"], &page["next"]), (&json!(1), &json!(3)));
        assert_eq!(rows(&page, "service")[0]["d"]["price"], 25);
        assert_eq!(rows(&page, "client")[0]["rev"], 2);
        assert_eq!(page["outcomes"], json!([]), "outcomes are for the phone that sent");
        assert!(page.get("zone").is_none());
        assert_eq!(one.pull().await["outcomes"], results);
        let nothing = two.pull().await;
        assert_eq!((&nothing["rows"], &nothing["from"], &nothing["next"]), (&json!([]), &json!(3), &json!(3)));
    }

    async fn what_is_sent_again_is_answered_as_before_and_done_once(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        let mutations: Vec<Value> =
            (0..3).map(|n| phone.save("create_client", new_client(&id(), &id(), &format!("Client {n}")))).collect();
        let first = phone.push(&mutations).await;
        let before = app.dump(None).await;
        let second = phone.push(&mutations).await;
        assert_eq!(first.data(), second.data());
        assert_eq!(phone.push(&mutations[1..2]).await.data()["results"][0], first.data()["results"][1]);
        assert_eq!(app.dump(None).await, before);
        assert_eq!(dana.get("/clients").await.data().as_array().unwrap().len(), 3);
    }

    async fn the_same_push_twice_at_once_is_done_once(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        let mutations: Vec<Value> =
            (0..5).map(|n| phone.save("create_client", new_client(&id(), &id(), &format!("Client {n}")))).collect();
        let (one, two) = tokio::join!(phone.push(&mutations), phone.push(&mutations));
        assert!(one.status.is_success() && two.status.is_success());
        let again = phone.push(&mutations).await;
        assert_eq!(again.data()["results"].as_array().unwrap().len(), 5);
        assert_eq!(dana.get("/clients").await.data().as_array().unwrap().len(), 5);
    }

    async fn a_gap_in_the_queue_stops_it(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        let mutations: Vec<Value> =
            (0..3).map(|n| phone.save("create_client", new_client(&id(), &id(), &format!("Client {n}")))).collect();
        let before = app.dump(None).await;
        let late = phone.push(&mutations[1..]).await;
        assert_eq!(late.data(), &json!({
            "results": [], "stopped_at": mutations[1]["id"], "stopped": "out_of_order",
        }));
        assert_eq!(app.dump(None).await, before);
        let all = phone.push(&mutations).await;
        assert_eq!(all.data()["results"].as_array().unwrap().len(), 3);
        let mut forged = phone.save("create_client", new_client(&id(), &id(), "Forged"));
        forged["seq"] = json!(2);
        assert_eq!(phone.push(&[forged.clone()]).await.data()["stopped_at"], forged["id"]);
        assert_eq!(phone.push(&[forged]).await.data()["stopped"], "out_of_order");
    }

    async fn a_refused_command_is_told_in_the_feed_and_does_not_block_the_next(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        let refused = phone.save("cancel_service", json!({ "id": id() }));
        let fine = phone.save("create_client", new_client(&id(), &id(), "Sam"));
        // The answer is lost on the way; the feed says the same.
        phone.push(&[refused.clone(), fine]).await;
        let page = phone.pull().await;
        assert_eq!(page["outcomes"][0], json!({
            "id": refused["id"], "outcome": "rejected", "refusal": { "code": "gone" }, "rev": 2,
        }));
        assert_eq!(page["outcomes"][1]["outcome"], "applied");
    }

    async fn the_same_id_with_another_command_is_a_defect_of_the_phone(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        let first = phone.save("create_client", new_client(&id(), &id(), "Sam"));
        phone.push(std::slice::from_ref(&first)).await.data();
        let mut second = first;
        second["args"]["client"]["name"] = json!("Kim");
        assert_eq!(phone.push(&[second]).await.failure(), (422, "key_reused"));
    }

    async fn two_who_edit_different_fields_both_keep_their_words(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let (mut one, mut two) = (Phone::new(&dana), Phone::new(&dana));
        one.pull().await;
        two.pull().await;
        let edit = |field: &str, value: &str| json!({ "id": client.0, "changes": { field: value } });
        assert_eq!(one.send("update_client", edit("phone", "555-010-4477")).await["outcome"], "applied");
        assert_eq!(two.send("update_client", edit("address", "12 Elm St")).await["outcome"], "applied");
        let merged = dana.get(&format!("/clients/{}", client.0)).await;
        assert_eq!((&merged.data()["phone"], &merged.data()["address"]), (&json!("555-010-4477"), &json!("12 Elm St")));

        let adjusted = two.send("update_client", edit("phone", "555-010-9999")).await;
        assert_eq!(adjusted["outcome"], "adjusted");
        assert_eq!(adjusted["adjustments"], json!([
            { "code": "overwritten", "field": "phone", "theirs": "555-010-4477", "yours": "555-010-9999" },
        ]));
        assert_eq!(two.pull().await["outcomes"][1], adjusted);
        let own = two.send("update_client", edit("phone", "555-010-1111")).await;
        assert_eq!(own["outcome"], "applied", "one's own change is no surprise");
    }

    async fn a_long_text_that_both_sides_wrote_keeps_both_until_one_of_them_decides(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let (client, dog) = dana.client("Sam").await;
        app.link(&dana, &client, Some(&parent)).await;
        let mut office = Phone::new(&dana);
        let mut home = Phone { sitter_id: dana.sitter_id, ..Phone::new(&parent) };
        office.pull().await;
        home.pull().await;
        let about = |text: &str| json!({ "id": client, "changes": {}, "dogs": [{ "id": dog, "changes": { "about": text } }] });
        let first = home.send("update_client", about("allergic to chicken")).await;
        assert_eq!(first["outcome"], "applied");
        let second = office.send("update_client", about("loves cheese")).await;
        assert_eq!(second["adjustments"], json!([{
            "code": "overwritten", "field": "about", "theirs": "allergic to chicken", "yours": "loves cheese",
            "kept": true, "by": "client",
        }]));
        for phone in [&mut office, &mut home] {
            let page = phone.pull().await;
            let pet = &rows(&page, "pet").last().unwrap()["d"];
            assert_eq!(pet["about"], "loves cheese");
            assert_eq!(pet["other_texts"][0]["content"], "allergic to chicken");
            assert_eq!((&pet["other_texts"][0]["by"], &pet["other_texts"][0]["field"]), (&json!("client"), &json!("about")));
        }

        let settle = json!({
            "id": dog, "client_id": client, "field": "about", "content": "loves cheese\n\nallergic to chicken",
            "settled": ["loves cheese", "allergic to chicken"],
        });
        assert_eq!(home.send("settle_text", settle.clone()).await["outcome"], "applied");
        let pulled = office.pull().await;
        let pet = &rows(&pulled, "pet")[0]["d"];
        assert_eq!((&pet["about"], pet.get("other_texts")), (&settle["content"], None));
        assert_eq!(home.send("settle_text", settle).await["outcome"], "applied", "a repeat changes nothing");
    }

    async fn how_to_get_in_is_kept_twice_and_told_to_no_parent(app: TestApp) {
        let (dana, parent) = (app.sitter("Dana").await, app.pet_parent("Sam").await);
        let (client, _) = dana.client("Sam").await;
        app.link(&dana, &client, Some(&parent)).await;
        let (mut one, mut two) = (Phone::new(&dana), Phone::new(&dana));
        let mut home = Phone { sitter_id: dana.sitter_id, ..Phone::new(&parent) };
        one.pull().await;
        two.pull().await;
        let edit = |field: &str, text: &str| json!({ "id": client, "changes": { field: text } });
        one.send("update_client", edit("access_notes", "Code 4821")).await;
        two.send("update_client", edit("access_notes", "Key under the pot")).await;
        one.send("update_client", edit("house_instructions", "No shoes")).await;
        two.send("update_client", edit("house_instructions", "Shoes off, please")).await;
        let page = two.pull().await;
        let others = &rows(&page, "client").last().unwrap()["d"]["other_texts"];
        assert_eq!((&others[0]["content"], &others[1]["content"]), (&json!("Code 4821"), &json!("No shoes")));
        let page = home.pull().await;
        let others = &rows(&page, "client").last().unwrap()["d"]["other_texts"];
        assert_eq!((&others[0]["content"], others.get(1)), (&json!("No shoes"), None));
        assert!(!page.to_string().contains("4821"));
        let settle = json!({
            "id": client, "client_id": client, "field": "access_notes", "content": "x", "settled": ["Key under the pot"],
        });
        let refused = home.send("settle_text", settle).await;
        assert_eq!(refused["refusal"]["code"], "not_allowed");
    }

    async fn what_was_deleted_is_told_and_may_come_back(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (client, dog) = dana.client("Sam").await;
        let (mut one, mut two) = (Phone::new(&dana), Phone::new(&dana));
        one.pull().await;
        two.pull().await;
        one.send("delete_client", json!({ "id": client })).await;
        let page = two.pull().await;
        let gone = rows(&page, "client")[0];
        assert_eq!((&gone["id"], &gone["del"], gone.get("d")), (&json!(client), &json!(true), None));
        assert_eq!(rows(&page, "pet")[0]["id"], json!(dog));
        one.send("restore_client", new_client(&client, &dog, "Sam")).await;
        let page = two.pull().await;
        assert_eq!(rows(&page, "client")[0]["d"]["name"], "Sam");
        let mut late = Phone::new(&dana);
        late.cursor = 2;
        (late.epoch, late.backend_id) = (two.epoch, two.backend_id.clone());
        let page = late.pull().await;
        let words: Vec<bool> = rows(&page, "client").iter().map(|it| it["del"] == true).collect();
        assert_eq!(words.last(), Some(&false), "the newest word comes last: {words:?}");
    }

    async fn a_phone_that_missed_forgotten_deletions_starts_over(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        dana.delete(&format!("/clients/{}", client.0)).await;
        let deleted_at = phone.cursor + 1;
        app.clock.advance(181 * DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        let dana = app.user_of(&app.anonymous().post("/auth/signin", json!({
            "email": dana.email, "password": crate::support::PASSWORD,
        })).await);
        phone.user = dana.clone();
        let page = phone.pull().await;
        assert_eq!((&page["reset"], &page["from"], &page["more"]), (&json!(true), &json!(0), &json!(false)));
        assert!(rows(&page, "client").is_empty() && !rows(&page, "offering").is_empty());
        assert_eq!(phone.cursor, deleted_at);
        assert_eq!(phone.pull().await["reset"], false);
        let fresh = Phone::new(&dana).pull().await;
        assert_eq!(fresh["rows"], page["rows"]);
    }

    async fn a_restored_database_makes_phones_start_over(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        let real = phone.backend_id.clone();
        phone.backend_id = Some(id());
        let mutation = phone.save("create_client", new_client(&id(), &id(), "Sam"));
        let push = phone.push(std::slice::from_ref(&mutation)).await;
        assert_eq!(push.data(), &json!({
            "results": [], "stopped_at": mutation["id"], "stopped": "other_server",
        }));
        let page = phone.pull().await;
        assert_eq!((&page["reset"], phone.backend_id.clone()), (&json!(true), real.clone()));

        phone.epoch = Some(99);
        assert_eq!(phone.pull().await["reset"], true, "what may be seen has changed");
        phone.cursor += 10;
        assert_eq!(phone.pull().await["reset"], true, "the phone has seen a future that was lost");
    }

    async fn what_is_too_old_or_too_new_waits(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        let body = json!({ "device_id": id(), "schema": 0, "mutations": [] });
        assert_eq!(dana.post("/sync/push", body).await.failure(), (426, "update_required"));
        let pull = dana.get(&format!("/sync/pull?cursor=0&schema=0&device_id={}", id())).await;
        assert_eq!(pull.failure(), (426, "update_required"));

        let mut newer = phone.save("teleport_dog", json!({ "id": id() }));
        newer["v"] = json!(SCHEMA + 1);
        let held = phone.push(&[newer.clone()]).await;
        assert_eq!((&held.data()["stopped_at"], &held.data()["stopped"]), (&newer["id"], &json!("too_new")));
        newer["v"] = json!(SCHEMA);
        let refused = phone.push(&[newer]).await;
        assert_eq!(refused.data()["results"][0]["outcome"], "rejected", "nobody will ever understand it");
    }

    async fn a_push_has_at_most_two_hundred_commands(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        let mutations: Vec<Value> =
            (0..201).map(|n| phone.save("create_client", new_client(&id(), &id(), &format!("Client {n}")))).collect();
        let refused = phone.push(&mutations).await;
        assert_eq!(refused.failure(), (422, "invalid"));
        assert_eq!(refused.body["fields"]["mutations"], "Mutations cannot exceed 200");
        let most = phone.push(&mutations[..200]).await;
        assert_eq!(most.data()["results"].as_array().unwrap().len(), 200);
    }

    async fn a_clock_that_runs_ahead_counts_as_now_and_one_behind_as_it_says(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let mut phone = Phone::new(&dana);
        let schedule = |date: &str| json!({ "id": id(), "service": walk(&client.0, &client.1, date, "10:00") });
        let mut ahead = phone.save("complete_service", json!({ "id": dana.walk(&client, "2026-11-23", "10:00").await }));
        ahead["made_at"] = json!("2030-01-01T00:00:00Z");
        phone.push(&[ahead]).await.data();
        let done = dana.get("/scheduled-services?status=completed").await;
        assert_eq!(done.data()[0]["completed_at"], "2026-11-20T09:00:00.000Z");
        let mut yesterday = phone.save("schedule_service", schedule("2026-11-19"));
        yesterday["made_at"] = json!("2026-11-19T12:00:00Z");
        assert_eq!(phone.push(&[yesterday]).await.data()["results"][0]["outcome"], "applied");
        let late = phone.send("schedule_service", schedule("2026-11-18")).await;
        assert_eq!(late["refusal"]["fields"][0]["text"], "Cannot schedule services in the past");
    }

    async fn a_price_that_was_quoted_otherwise_is_told_and_not_refused(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let mut phone = Phone::new(&dana);
        let outcome = phone.send("schedule_service", json!({
            "id": id(), "service": walk(&client.0, &client.1, "2026-11-23", "10:00"), "quoted_price": 20,
        })).await;
        assert_eq!(outcome["adjustments"], json!([{ "code": "price", "quoted": 20, "price": 25 }]));
    }

    async fn old_outcomes_and_history_are_forgotten(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let mut phone = Phone::new(&dana);
        phone.send("update_client", json!({ "id": client.0, "changes": { "phone": "555-010-4477" } })).await;
        let has = async |table: &str| app.dump(None).await.iter().any(|it| it.starts_with(&format!("{table} ")));
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert!(has("mutation").await && has("history").await);
        app.clock.advance(401 * DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert!(!has("mutation").await && !has("history").await);
        assert!(has("client").await);
    }

    async fn a_phone_that_was_silent_for_longer_than_outcomes_are_kept_is_forgotten_and_begins_anew(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        phone.send("create_client", new_client(&id(), &id(), "Sam")).await;
        let devices = async || app.dump(None).await.iter().filter(|it| it.starts_with("device ")).count();
        app.clock.advance(399 * DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(devices().await, 1);
        app.clock.advance(2 * DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert_eq!(devices().await, 0);
        let form = json!({ "email": dana.email, "password": PASSWORD });
        phone.user = app.user_of(&app.anonymous().post("/auth/signin", form).await);
        begins_anew(&mut phone).await;
    }

    async fn a_business_has_room_for_so_many_phones_and_the_longest_silent_one_begins_anew(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        let sent = phone.save("create_client", new_client(&id(), &id(), "Sam"));
        let outcome = phone.push(std::slice::from_ref(&sent)).await.data()["results"].clone();
        let mut tx = app.state.db.write().await.unwrap();
        for _ in 1..bounds::DEVICES {
            let sitter_id = dana.sitter_id.unwrap();
            let now = Instant(app.state.now().0 + 1);
            db::set_last_seq(&mut tx, sitter_id, id().parse().unwrap(), 1, now).await.unwrap();
        }
        tx.commit().await.unwrap();
        app.clock.advance(2);
        let devices = async || {
            let dump = app.dump(None).await;
            dump.into_iter().filter(|it| it.starts_with("device ")).collect::<Vec<_>>()
        };
        let has = |devices: &[String], phone: &Phone| {
            devices.iter().any(|it| it.contains(&phone.device_id.to_string()))
        };
        let before = devices().await;
        assert!(before.len() == bounds::DEVICES && has(&before, &phone));
        let mut fresh = Phone::new(&dana);
        assert_eq!(fresh.send("create_client", new_client(&id(), &id(), "Kim")).await["outcome"], "applied");
        let after = devices().await;
        assert!(after.len() == bounds::DEVICES && has(&after, &fresh) && !has(&after, &phone));
        // What it was told to be done is not done again, whoever sends it under whatever name.
        for _ in 0..2 {
            let again = phone.push(std::slice::from_ref(&sent)).await;
            assert_eq!(again.data()["results"], outcome);
            phone.device_id = id().parse().unwrap();
            app.clock.advance(1);
        }
        assert_eq!(devices().await.len(), bounds::DEVICES);
        assert_eq!(dana.get("/clients").await.data().as_array().unwrap().len(), 2);
        begins_anew(&mut phone).await;
    }

    async fn a_backup_put_back_with_no_word_makes_all_phones_of_the_business_start_over(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let (mut one, mut two, mut third) = (Phone::new(&dana), Phone::new(&dana), Phone::new(&other));
        for phone in [&mut one, &mut two, &mut third] {
            phone.pull().await;
        }
        let before = one.backend_id.clone();
        one.cursor += 10;
        let page = one.pull().await;
        assert_eq!((&page["reset"], &page["from"]), (&json!(true), &json!(0)));
        assert_ne!(one.backend_id, before, "the phone is to number its outbox anew");
        let pushed = two.save("create_client", new_client(&id(), &id(), "Sam"));
        assert_eq!(two.push(&[pushed]).await.data()["stopped"], "other_server");
        assert_eq!(two.pull().await["reset"], true, "the others are told, too");
        assert_eq!(two.backend_id, one.backend_id);
        assert_eq!((third.pull().await["reset"].clone(), third.backend_id), (json!(false), before));
        assert_eq!(one.pull().await["reset"], false);
        one.device_id = id().parse().unwrap();
        one.seq = 0;
        assert_eq!(one.send("create_client", new_client(&id(), &id(), "Sam")).await["outcome"], "applied");
    }

    #[always]
    async fn a_backup_put_back_with_no_word_shows_also_where_others_have_overtaken_what_a_phone_knows(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (mut one, mut two) = (Phone::new(&dana), Phone::new(&dana));
        let save = |name: &str| new_client(&id(), &id(), name);
        one.send("create_client", save("Sam")).await;
        one.pull().await;
        two.pull().await;
        let (line, sitter_id) = (one.backend_id.clone(), dana.sitter_id.unwrap());
        // What a database of before Sam has, where somebody else was saved since.
        let mut tx = app.state.db.write().await.unwrap();
        let name = id();
        let put_back = format!("UPDATE revision SET id = '{name}' WHERE sitter_id = '{sitter_id}'");
        tx.defer(AssertSqlSafe(put_back), []).await.unwrap();
        tx.commit().await.unwrap();
        let page = two.pull().await;
        assert_eq!((&page["reset"], &page["rev_id"]), (&json!(true), &json!(name)), "{page}");
        assert_ne!(two.backend_id, line, "the phone is to number its outbox anew");
        Phone::new(&dana).send("create_client", save("Kim")).await;
        assert_eq!(one.pull().await["reset"], true, "the others are told, too");
        assert_eq!(one.backend_id, two.backend_id);
        assert_eq!(two.pull().await["reset"], false);
        assert_eq!(one.pull().await["reset"], false);
    }

    async fn a_phone_that_was_told_of_more_than_the_database_knows_is_told_that_it_is_another(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        let before = phone.backend_id.clone();
        phone.seq = 7;
        let mutation = phone.save("create_client", new_client(&id(), &id(), "Sam"));
        let answer = phone.push(std::slice::from_ref(&mutation)).await;
        assert_eq!(answer.data(), &json!({
            "results": [], "stopped_at": mutation["id"], "stopped": "other_server",
        }));
        assert_eq!(phone.pull().await["reset"], true);
        assert_ne!(phone.backend_id, before);
    }

    async fn a_command_that_meets_a_defect_is_refused_after_a_few_tries_and_what_follows_goes_on(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        let mut tx = app.state.db.write().await.unwrap();
        let defect = "CREATE UNIQUE INDEX defect ON client (sitter_id, name)";
        tx.defer(defect, []).await.unwrap();
        tx.commit().await.unwrap();
        let mut save = |name: &str| phone.save("create_client", new_client(&id(), &id(), name));
        let queue = [save("Sam"), save("Sam"), save("Kim")];
        let first = phone.push(&queue).await;
        assert_eq!(first.data()["results"].as_array().unwrap().len(), 1, "what came before it is told");
        assert_eq!((&first.data()["stopped_at"], &first.data()["stopped"]), (&queue[1]["id"], &json!("failed")));
        assert_eq!(phone.push(&queue[1..]).await.data()["stopped"], "failed");
        let last = phone.push(&queue[1..]).await;
        let results = last.data()["results"].clone();
        assert_eq!((&results[0]["outcome"], &results[0]["refusal"]), (&json!("rejected"), &json!({ "code": "failed" })));
        assert_eq!(results[1]["outcome"], "applied");
        let page = phone.pull().await;
        assert_eq!(page["outcomes"][1], results[0], "the feed says the same");

        let old = dana.get(&format!("/sync/pull?cursor=0&schema=1&device_id={}", phone.device_id)).await;
        let refusal = &old.data()["outcomes"][1]["refusal"];
        assert_eq!(refusal["code"], "invalid", "an older phone reads what it knows");
        assert!(refusal["fields"][0]["text"].as_str().unwrap().starts_with("Something went wrong"));
    }

    #[always]
    async fn who_deletes_what_another_phone_has_changed_meanwhile_is_asked(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (client, dog) = dana.client("Sam").await;
        let (mut one, mut two) = (Phone::new(&dana), Phone::new(&dana));
        one.pull().await;
        two.pull().await;
        one.send("update_client", json!({ "id": client, "changes": { "access_notes": "Key 14" } })).await;
        one.send("update_client", json!({
            "id": client, "changes": {}, "dogs": [{ "id": id(), "is_new": true, "changes": { "name": "Misse" } }],
        })).await;
        let refused = two.send("delete_client", json!({ "id": client })).await;
        assert_eq!(refused["outcome"], "rejected");
        assert_eq!(refused["refusal"]["code"], "changed_meanwhile");
        let fields: Vec<&str> =
            refused["refusal"]["changes"].as_array().unwrap().iter().map(|it| it["field"].as_str().unwrap()).collect();
        assert_eq!(fields, ["access_notes", "name"]);
        assert_eq!(dana.get(&format!("/clients/{client}")).await.data()["access_notes"], "Key 14");
        two.pull().await;
        assert_eq!(two.send("delete_client", json!({ "id": client })).await["outcome"], "applied", "now it was seen");

        let late = one.send("update_client", json!({ "id": client, "changes": { "phone": "555-010-4477" } })).await;
        assert_eq!(late["refusal"], json!({ "code": "gone" }));
        assert_eq!(one.send("restore_client", new_client(&client, &dog, "Sam")).await["outcome"], "applied");
    }

    async fn what_one_has_changed_oneself_is_deleted_without_a_question(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let client = dana.client("Sam").await;
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        let edit = phone.save("update_client", json!({ "id": client.0, "changes": { "phone": "555-010-4477" } }));
        let delete = phone.save("delete_client", json!({ "id": client.0 }));
        let answer = phone.push(&[edit, delete]).await;
        assert_eq!(answer.data()["results"][1]["outcome"], "applied");
    }

    async fn a_phone_asks_what_a_restored_database_has_forgotten(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let mut phone = Phone::new(&dana);
        let known = phone.save("create_client", new_client(&id(), &id(), "Sam"));
        phone.push(std::slice::from_ref(&known)).await.data();
        let forgotten = id();
        let ask = json!({ "ids": [known["id"], forgotten] });
        assert_eq!(dana.post("/sync/verify", ask.clone()).await.data(), &json!({ "unknown": [forgotten] }));
        assert_eq!(other.post("/sync/verify", ask.clone()).await.data()["unknown"], ask["ids"], "it is not theirs");
        let many: Vec<String> = (0..201).map(|_| id()).collect();
        assert_eq!(dana.post("/sync/verify", json!({ "ids": many })).await.failure(), (422, "invalid"));
        assert_eq!(dana.post("/sync/verify", json!({ "ids": many[1..] })).await.data()["unknown"], json!(many[1..]));
        assert_eq!(dana.post("/sync/verify", json!({ "ids": [] })).await.data()["unknown"], json!([]));
    }

    async fn a_deleted_business_takes_no_more_commands(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut phone = Phone::new(&dana);
        let mut tx = app.state.db.write().await.unwrap();
        db::delete_sitter(&mut tx, dana.sitter_id.unwrap()).await.unwrap();
        tx.commit().await.unwrap();
        let mutation = phone.save("create_client", new_client(&id(), &id(), "Sam"));
        assert_eq!(phone.push(&[mutation]).await.failure(), (401, "token_expired"));
    }
}

async fn pages_story(app: TestApp) {
    let dana = app.sitter("Dana").await;
    let mut sender = Phone::new(&dana);
    for n in 0..12 {
        let dogs: Vec<Value> = (0..n % 5 + 1)
            .map(|_| json!({ "id": id(), "is_new": true, "changes": { "name": "Rex" } }))
            .collect();
        let args = json!({ "id": id(), "client": { "name": format!("Client {n}") }, "dogs": dogs });
        sender.send("create_client", args).await;
    }
    let mut whole = Phone::new(&dana);
    let mut seen: Vec<Value> = Vec::new();
    let mut n_pages = 0;
    loop {
        let page = whole.pull().await;
        n_pages += 1;
        assert_eq!(page["head"], 13, "each page tells of the last revision");
        assert_eq!(page["rev_id"], json!(whole.rev_id));
        let rows = page["rows"].as_array().unwrap();
        let (from, next) = (
            page["from"].as_u64().unwrap(),
            page["next"].as_u64().unwrap(),
        );
        for row in rows {
            let rev = row["rev"].as_u64().unwrap();
            assert!(
                from < rev && rev <= next,
                "a page has whole revisions: {from} {rev} {next}"
            );
        }
        assert!(
            rows.windows(2)
                .all(|it| it[0]["rev"].as_u64() <= it[1]["rev"].as_u64())
        );
        seen.extend(rows.iter().cloned());
        if page["more"] == false {
            break;
        }
    }
    assert!(8 < n_pages, "{n_pages}");
    let mut keys: Vec<String> = seen
        .iter()
        .map(|it| format!("{} {}", it["t"], it["id"]))
        .collect();
    let n_rows = keys.len();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), n_rows, "no row comes twice");
    assert_eq!(keys.iter().filter(|it| it.contains("client")).count(), 12);
    assert_eq!(
        sender.pull().await["outcomes"].as_array().unwrap().len(),
        0,
        "the first page is the sign-up alone"
    );
    let mut outcomes = 0;
    while outcomes < 12 {
        outcomes += sender.pull().await["outcomes"].as_array().unwrap().len();
    }
    assert_eq!(whole.pull().await["rows"], json!([]));
}

fn small_pages() -> Settings {
    Settings {
        page_size: 3,
        ..settings()
    }
}

#[tokio::test]
async fn pages_never_split_a_revision_on_sqlite() {
    pages_story(TestApp::sqlite(small_pages()).await).await;
}

#[tokio::test]
async fn pages_never_split_a_revision_on_postgres() {
    if let Some(app) = TestApp::postgres(small_pages()).await {
        pages_story(app).await;
    }
}
