//! Running late: who is told of a later start, how often, until when, and that nobody else hears of it.

use serde_json::{Value, json};

use crate::on_both;
use crate::push::{Family, body};
use crate::support::{HOUR, Phone, TestApp};

/// The day on which the clock of the tests begins, at 4:00 AM in the sitter's zone.
const TODAY: &str = "2026-11-20";
const USUAL: &str = "Rex's visit is about 20 minutes later today, around 10:20 AM.";

fn fresh() -> String {
    walkies_server::base::env::Env::system().id().to_string()
}

/// Announces that a visit of 10:00 begins at 10:20.
fn later(visit: &str, client: &str, moves_plan: bool) -> Value {
    json!({
        "date": TODAY, "moves_plan": moves_plan,
        "delayed": [{ "id": visit, "planned": "10:00", "start_time": "10:20" }],
        "told": [{ "client_id": client, "message_id": fresh() }],
    })
}

on_both! {
    async fn a_client_hears_of_a_later_start_once_and_of_the_undo(app: TestApp) {
        let family = Family::new(&app).await;
        let (sitter, parent) = (&family.sitter, &family.parent);
        let phone = family.push.phone(parent, "pixel").await;
        let visit = sitter.walk(&family.client, TODAY, "10:00").await;
        let form = later(&visit, &family.client.0, true);
        let done = sitter.post("/scheduled-services/delays", form.clone()).await;
        assert_eq!(done.data()["ids"], json!([visit]));
        let told: Vec<String> = family.deliver().await.iter().map(|it| body(&phone, it)).collect();
        assert_eq!(told, ["Your walk is expected around 10:20 AM"]);
        let seen = parent.get("/client/services").await.data()[0].clone();
        assert_eq!((&seen["start_time"], &seen["delay"]["text"]), (&json!("10:20"), &json!("")));
        let messages = parent.get(&format!("/conversations/{}/messages", family.client.0)).await;
        assert_eq!(messages.data()[0]["content"], USUAL);

        let again = sitter.post("/scheduled-services/delays", form.clone()).await;
        assert_eq!(again.data()["ids"], json!([]), "a repeat changes nothing");
        assert!(family.deliver().await.is_empty());

        let back = json!({ "delayed": form["delayed"], "messages": [form["told"][0]["message_id"]] });
        sitter.post("/scheduled-services/delays/take-back", back).await.data();
        let told: Vec<String> = family.deliver().await.iter().map(|it| body(&phone, it)).collect();
        assert_eq!(told, ["Your walk takes place on Friday, November 20 at 10:00 AM, as planned"]);
        let messages = parent.get(&format!("/conversations/{}/messages", family.client.0)).await;
        assert_eq!(messages.data()[0]["content"], "This message was deleted");
    }

    async fn a_delay_that_comes_after_the_new_time_is_told_to_nobody(app: TestApp) {
        let family = Family::new(&app).await;
        family.push.phone(&family.parent, "pixel").await;
        let visit = family.sitter.walk(&family.client, TODAY, "10:00").await;
        let mut phone = Phone::new(&family.sitter);
        phone.pull().await;
        // Said at 4:00 AM, and without a network until 10:30.
        family.app.clock.advance(6 * HOUR + HOUR / 2);
        let sent = phone.send("announce_delay", later(&visit, &family.client.0, true)).await;
        let left = json!([{ "code": "delay_left", "changed": [], "late": [visit] }]);
        assert_eq!((&sent["outcome"], &sent["adjustments"]), (&json!("adjusted"), &left));
        assert!(family.deliver().await.is_empty());
        let path = format!("/scheduled-services/{visit}");
        assert_eq!(family.sitter.get(&path).await.data()["start_time"], "10:00");
    }

    async fn a_notice_of_a_delay_ends_with_the_new_time(app: TestApp) {
        let family = Family::new(&app).await;
        family.push.phone(&family.parent, "pixel").await;
        let visit = family.sitter.walk(&family.client, TODAY, "10:00").await;
        let form = later(&visit, &family.client.0, false);
        family.sitter.post("/scheduled-services/delays", form).await.data();
        family.app.clock.advance(6 * HOUR + HOUR / 2);
        assert!(family.deliver().await.is_empty());
    }

    async fn a_client_outside_the_portal_is_told_nothing_by_the_app(app: TestApp) {
        let family = Family::new(&app).await;
        family.push.phone(&family.parent, "pixel").await;
        let kim = family.sitter.client("Kim").await;
        let visit = family.sitter.walk(&kim, TODAY, "10:00").await;
        let form = later(&visit, &kim.0, true);
        family.sitter.post("/scheduled-services/delays", form).await.data();
        assert!(family.deliver().await.is_empty());
        let path = format!("/scheduled-services/{visit}");
        assert_eq!(family.sitter.get(&path).await.data()["delay"]["text"], USUAL);
        assert_eq!(family.rows("message").await.len(), 0);
        assert_eq!(family.parent.get("/client/services").await.data(), &json!([]));
    }

    #[always]
    async fn nobody_else_announces_a_delay(app: TestApp) {
        let family = Family::new(&app).await;
        let visit = family.sitter.walk(&family.client, TODAY, "10:00").await;
        let form = later(&visit, &family.client.0, true);
        let path = "/scheduled-services/delays";
        assert_eq!(family.parent.post(path, form.clone()).await.failure(), (403, "forbidden"));
        let other = family.app.sitter("Otto").await;
        let tried = other.post(path, form.clone()).await;
        assert_eq!(tried.data()["ids"], json!([]));
        assert_eq!(tried.body["adjustments"][0]["changed"], json!([visit]));
        let back = json!({ "delayed": form["delayed"], "messages": [] });
        let tried = other.post(&format!("{path}/take-back"), back).await;
        assert_eq!(tried.data()["ids"], json!([]));
        let seen = family.sitter.get(&format!("/scheduled-services/{visit}")).await;
        assert_eq!((&seen.data()["start_time"], seen.data().get("delay")), (&json!("10:00"), None));
        assert_eq!(family.rows("message").await.len(), 0);
        // A day that is not today's is refused.
        let mut tomorrow = form;
        tomorrow["date"] = json!("2026-11-21");
        assert_eq!(family.sitter.post(path, tomorrow).await.status, 422);
    }
}
