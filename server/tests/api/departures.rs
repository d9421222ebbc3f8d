//! Clients who are inactive, pets that are no longer there, and visits at new prices: by REST and by phones, for the sitter
//! and for the pet parent.

use serde_json::{Value, json};
use walkies_server::jobs::series::extend_once;

use crate::on_both;
use crate::support::{DAY, Phone, TestApp, User};

const NOON: &str = "01930000-0000-7000-8000-0000000012bb";

async fn tuesdays(sitter: &User, client: &str, dogs: &[&str]) -> String {
    let weekly = json!({
        "client_id": client, "dog_ids": dogs, "begins": "2026-11-24",
        "rule": { "kind": "weekly", "every": 1, "weekdays": [2] },
        "slots": [{ "id": NOON, "start_time": "12:00", "duration_minutes": 30, "service_type": "walk" }],
    });
    let answer = sitter.post("/series", weekly).await;
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.id()
}

/// The services of a sitter that are to come.
async fn scheduled(sitter: &User) -> Vec<Value> {
    let path =
        "/scheduled-services?date_start=2026-11-20&date_end=2027-12-31&status=scheduled&limit=500";
    sitter.get(path).await.data().as_array().unwrap().clone()
}

/// The row of a table that a phone has pulled.
fn row<'a>(page: &'a Value, table: &str, id: &str) -> &'a Value {
    let rows = page["rows"].as_array().unwrap();
    let found = rows.iter().find(|it| it["t"] == table && it["id"] == id);
    &found.expect("the row is told")["d"]
}

on_both! {
    async fn an_inactive_client_keeps_everything_and_gets_no_more_visits(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let series = tuesdays(&mara, &client.0, &[&client.1]).await;
        let done = mara.walk(&client, "2026-11-20", "08:00").await;
        mara.post(&format!("/scheduled-services/{done}/complete"), json!({})).await.data();
        let path = format!("/clients/{}", client.0);
        let kept = mara.post(&format!("{path}/deactivate"), json!({})).await;
        assert_eq!(kept.data()["inactive_since"], "2026-11-20", "{}", kept.body);
        assert_eq!(scheduled(&mara).await.len(), 12);
        assert_eq!(mara.get("/clients-available").await.data(), &json!([]));
        // The weeks pass without a new visit, and are made up for once the client is active.
        app.clock.advance(28 * DAY);
        extend_once(&app.state).await.unwrap();
        assert_eq!(scheduled(&mara).await.len(), 12);
        let back = mara.post(&format!("{path}/activate"), json!({})).await;
        assert!(back.data().get("inactive_since").is_none(), "{}", back.body);
        extend_once(&app.state).await.unwrap();
        assert_eq!(scheduled(&mara).await.len(), 16);
        // The series is ended, what is left is cancelled, and what was done is billed all the same.
        let open: Vec<Value> = scheduled(&mara).await.iter().map(|it| it["id"].clone()).collect();
        let ends = json!({ "ends": [series], "cancels": open });
        mara.post(&format!("{path}/deactivate"), ends).await.data();
        let left = scheduled(&mara).await;
        assert!(left.is_empty(), "{left:?}");
        let bill = json!({ "client_id": client.0, "services": [done] });
        assert_eq!(mara.post("/invoices/share", bill).await.status, 201);
    }

    async fn another_sitters_client_and_another_clients_visits_are_left_alone(app: TestApp) {
        let (mara, olga) = (app.sitter("Mara").await, app.sitter("Olga").await);
        let (client, other) = (mara.client("Sam Rivers").await, mara.client("Kim Lee").await);
        let visit = mara.walk(&other, "2026-11-25", "10:00").await;
        let foreign = json!({ "cancels": [visit] });
        let path = format!("/clients/{}/deactivate", client.0);
        assert_eq!(olga.post(&path, foreign.clone()).await.failure(), (404, "gone"));
        mara.post(&path, foreign).await.data();
        assert_eq!(scheduled(&mara).await.len(), 1);
        let gone = json!({ "on": "2026-11-20" });
        assert_eq!(olga.post(&format!("/pets/{}/gone", client.1), gone).await.failure(), (404, "gone"));
        let price = json!({ "prices": [{ "id": visit, "price": 25 }] });
        let told = olga.post("/services/reprice", price).await;
        assert_eq!(told.data()["ids"], json!([]));
        assert_eq!(told.body["adjustments"][0]["code"], "prices_left");
    }

    async fn a_pet_parent_sees_a_pet_apart_and_nothing_of_being_inactive(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let sam = app.pet_parent("Sam").await;
        app.link(&mara, &client.0, Some(&sam)).await;
        tuesdays(&mara, &client.0, &[&client.1]).await;
        let mut own = Phone::new(&mara);
        own.pull().await;
        let args = json!({ "id": client.0 });
        assert_eq!(own.send("deactivate_client", args).await["outcome"], "applied");
        let gone = json!({ "id": client.1, "on": "2026-11-18" });
        assert_eq!(own.send("mark_pet_gone", gone.clone()).await["outcome"], "applied");
        assert!(scheduled(&mara).await.is_empty());
        let mut phone = Phone::new(&sam);
        phone.sitter_id = mara.sitter_id;
        let page = phone.pull().await;
        assert_eq!(row(&page, "pet", &client.1)["gone_on"], "2026-11-18");
        assert!(!page.to_string().contains("inactive"), "{page}");
        // Who comes and goes is the sitter's to say.
        for (name, args) in [
            ("mark_pet_gone", gone),
            ("restore_pet", json!({ "id": client.1 })),
            ("deactivate_client", json!({ "id": client.0 })),
            ("activate_client", json!({ "id": client.0 })),
            ("reprice_services", json!({ "prices": [] })),
            ("restore_prices", json!({ "prices": [] })),
        ] {
            let refused = phone.send(name, args).await;
            assert_eq!(refused["refusal"]["code"], "not_allowed", "{name}: {refused}");
        }
        let page = own.pull().await;
        assert_eq!(row(&page, "client", &client.0)["inactive_since"], "2026-11-20");
    }

    async fn visits_are_repriced_unless_their_price_is_another_one_by_then(app: TestApp) {
        let mara = app.sitter("Mara").await;
        let client = mara.client("Sam Rivers").await;
        let one = mara.walk(&client, "2026-11-25", "10:00").await;
        let other = mara.walk(&client, "2026-11-26", "10:00").await;
        let old = scheduled(&mara).await[0]["price"].clone();
        mara.put(&format!("/clients/{}", client.0), json!({ "walk_rate_30min": 61 })).await.data();
        mara.patch(&format!("/services/{other}/paid"), json!({ "paid": true })).await.data();
        let prices = json!({ "prices": [{ "id": one, "price": old }, { "id": other, "price": old }] });
        let told = mara.post("/services/reprice", prices).await;
        assert_eq!(told.data()["ids"], json!([one]), "{}", told.body);
        assert_eq!(told.body["adjustments"][0]["services"], json!([other]));
        let now = scheduled(&mara).await;
        assert_eq!((now[0]["price"].as_f64(), &now[1]["price"]), (Some(61.0), &old));
        let former = json!({ "prices": [{ "id": one, "price": 61, "breakdown": { "baseDogPrice": old, "additionalDogsCount": 0, "additionalDogsCharge": 0, "total": old, "explanation": "" } }] });
        mara.post("/services/restore-prices", former).await.data();
        assert_eq!(scheduled(&mara).await[0]["price"], old);
    }
}
