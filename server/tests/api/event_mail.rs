//! Mail that tells people of events where no device does: what it says and when, how much of it there is, and who gets
//! none.

use std::time::Duration;

use serde_json::{Value, json};
use walkies_server::app::settings::{MailRates, Settings};
use walkies_server::archive::import::work;
use walkies_server::external::mail::Mailer;
use walkies_server::jobs::{cleanup, event_mail, mail};
use walkies_server::limits::rate::Rate;

use crate::on_both;
use crate::push::{Family, body};
use crate::reports::walk_form;
use crate::support::push::{PushService, Reply};
use crate::support::{DAY, PASSWORD, Phone, TestApp, User, settings, walk};

const MINUTE: i64 = 60_000;
const BOOKED_AT_TEN: &str = "Your walk on Tuesday, November 24 at 10:00 AM is booked";

/// A family on a server that sends mail; the parent has turned no notifications on.
async fn family(app: &TestApp) -> Family {
    limited_family(app, settings().mail).await
}

/// The same with these limits.
async fn limited_family(app: &TestApp, mail: MailRates) -> Family {
    let push = PushService::start().await;
    let settings = Settings {
        sends_mail: true,
        mail,
        push: push.push_settings(Duration::from_secs(60)),
        ..settings()
    };
    let app = app.with(settings).await;
    let sitter = app.sitter("Mara").await;
    let profile = json!({ "business_name": "Paws & Co", "invoicing": { "contact_email": "mara@example.org" } });
    sitter.put("/sitters/profile", profile).await.data();
    let client = sitter.client("Sam Rivers").await;
    let parent = app.pet_parent("Sam").await;
    app.link(&sitter, &client.0, Some(&parent)).await;
    Family {
        push,
        app,
        sitter,
        client,
        parent,
    }
}

/// Puts what is due into the queue of mail.
async fn queue(family: &Family) {
    event_mail::queue_due(&family.app.state).await.unwrap();
}

/// Sends what is due; the mails.
async fn mails(family: &Family) -> Vec<String> {
    queue(family).await;
    let folder = family.app.folder().join("mail");
    let mailer = Mailer::Folder(folder.clone());
    while mail::send_next(&family.app.state, &mailer).await.unwrap() {}
    let Ok(files) = std::fs::read_dir(&folder) else {
        return Vec::new();
    };
    let files: Vec<_> = files.map(|it| it.unwrap().path()).collect();
    let read = files.into_iter().map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(path).unwrap();
        text
    });
    read.collect()
}

/// Sends what is due; the subjects of the mails without the name of the business.
async fn subjects(family: &Family) -> Vec<String> {
    let mails = mails(family).await;
    let subject = |it: &String| {
        let line = it.lines().find_map(|it| it.strip_prefix("Subject: "));
        let line = line.unwrap();
        line.strip_prefix("Paws & Co: ").unwrap_or(line).to_owned()
    };
    mails.iter().map(subject).collect()
}

async fn prefer(family: &Family, preferences: Value) {
    family
        .parent
        .put("/push/preferences", preferences)
        .await
        .data();
}

/// A family whose client has an email and nobody in the portal, and whose sitter has visits mailed.
async fn outside(app: &TestApp) -> Family {
    limited_outside(app, settings().mail).await
}

/// The same with these limits.
async fn limited_outside(app: &TestApp, mail: MailRates) -> Family {
    let family = limited_family(app, mail).await;
    let client = &family.client.0;
    family.app.link(&family.sitter, client, None).await;
    let email = json!({ "email": "kim@example.com" });
    family
        .sitter
        .put(&format!("/clients/{client}"), email)
        .await
        .data();
    allow(&family, true).await;
    family
}

/// Has visits mailed to clients without a login, or not.
async fn allow(family: &Family, is_on: bool) {
    let form = json!({ "mails_changes": is_on });
    family.sitter.put("/sitters/profile", form).await.data();
}

/// Has the pet parent ask for a walk: the request's id.
async fn ask(family: &Family, start: &str) -> String {
    let form = json!({
        "client_id": family.client.0, "dog_ids": [family.client.1], "service_type": "walk",
        "requested_date": "2026-11-24", "requested_start_time": start, "requested_duration_minutes": 30,
    });
    family.parent.post("/client/requests", form).await.id()
}

on_both! {
    async fn a_person_with_both_roles_is_mailed_of_each_business_in_the_role_there(app: TestApp) {
        let family = family(&app).await;
        let form = json!({ "role": "sitter", "time_zone": "America/New_York" });
        let begun = family.parent.post("/auth/roles", form).await;
        let business = User {
            token: family.parent.token.as_ref().map(|it| format!("{it}.sitter")),
            sitter_id: begun.data()["sitter_id"].as_str().map(|it| it.parse().unwrap()),
            ..family.parent.clone()
        };
        let kim = business.client("Kim Lee").await;
        let client = family.app.pet_parent("Kim").await;
        family.app.link(&business, &kim.0, Some(&client)).await;
        let form = json!({
            "client_id": kim.0, "dog_ids": [kim.1], "service_type": "walk", "requested_date": "2026-11-24",
            "requested_start_time": "15:00", "requested_duration_minutes": 30,
        });
        client.post("/client/requests", form).await.id();
        family.sitter.walk(&family.client, "2026-11-24", "10:00").await;
        family.app.clock.advance(MINUTE);
        let mails = mails(&family).await;
        let to_sam: Vec<&String> = mails.iter().filter(|it| it.contains("To: sam@example.com\n")).collect();
        assert_eq!((mails.len(), to_sam.len()), (2, 2), "{mails:?}");
        let has = |words: &str, path: &str| to_sam.iter().any(|it| it.contains(words) && it.contains(path));
        assert!(has(BOOKED_AT_TEN, "http://127.0.0.1:8080/client/visits/"), "{mails:?}");
        assert!(has("Kim Lee: Asks for a walk", "http://127.0.0.1:8080/requests"), "{mails:?}");
    }

    #[always]
    async fn a_price_that_is_put_back_at_once_is_mailed_nobody(app: TestApp) {
        let family = outside(&app).await;
        let path = format!("/scheduled-services/{}", family.walk("10:00").await);
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await.len(), 1);
        for price in [json!({ "amount": 60, "reason": "Snow" }), Value::Null] {
            family.sitter.put(&path, json!({ "price_override": price })).await.data();
        }
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await, [""; 0]);
        assert!(family.rows("mailed_event").await.is_empty());
    }

    #[always]
    async fn a_client_without_a_login_is_mailed_of_visits_once_the_sitter_allows_it(app: TestApp) {
        let family = outside(&app).await;
        allow(&family, false).await;
        family.walk("09:00").await;
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await.len(), 0);
        assert!(family.rows("mailed_event").await.is_empty());
        allow(&family, true).await;
        let visit = family.walk("10:00").await;
        family.app.clock.advance(MINUTE);
        let booked = mails(&family).await;
        let [text] = booked.as_slice() else { panic!("{booked:?}") };
        for part in [
            "To: kim@example.com\n",
            &format!("Subject: Paws & Co: {BOOKED_AT_TEN}\n"),
            "Reply-To: mara@example.org\n",
            "List-Unsubscribe: <",
            &format!("\nPaws & Co: {BOOKED_AT_TEN}.\n\nBooked with Paws & Co at the moment:\nTuesday, November 24 at 9:00 AM: walk\n\
                Tuesday, November 24 at 10:00 AM: walk\n\nAn answer to this mail goes to Paws & Co.\n"),
            "Don't want mail from Walkies? Stop it here: ",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("Open in Walkies") && !text.contains("/client/"), "{text}");

        let path = format!("/scheduled-services/{visit}");
        family.sitter.put(&path, json!({ "start_time": "11:00" })).await.data();
        assert_eq!(subjects(&family).await, ["Your walk is now on Tuesday, November 24 at 11:00 AM"]);
        let message = json!({ "conversation_id": family.client.0, "content": "The code is 4711" });
        family.sitter.post("/messages", message).await.data();
        family.sitter.put("/sitters/profile", json!({ "tells_progress": true })).await.data();
        family.app.clock.advance(30 * MINUTE);
        assert_eq!(subjects(&family).await.len(), 0, "talk is for the portal");
        family.sitter.delete(&path).await.data();
        assert_eq!(subjects(&family).await, ["Your walk on Tuesday, November 24 at 11:00 AM was cancelled"]);
        assert!(family.rows("mailed_event").await.is_empty());
    }

    #[always]
    async fn mail_to_a_client_without_a_login_ends_with_the_switch_the_address_the_client_or_a_stop(app: TestApp) {
        let family = outside(&app).await;
        let client = format!("/clients/{}", family.client.0);
        family.walk("09:00").await;
        family.app.clock.advance(MINUTE);
        queue(&family).await;
        assert_eq!(family.rows("mail_job").await.len(), 1);
        family.sitter.put(&client, json!({ "email": "new@example.com" })).await.data();
        let mailed = mails(&family).await;
        assert!(mailed.is_empty(), "{mailed:?}");
        let mailed = mails(&family).await;
        let [text] = mailed.as_slice() else { panic!("{mailed:?}") };
        assert!(text.contains("To: new@example.com\n"), "{text}");
        let (_, rest) = text.split_once("/mail/stop/").unwrap();
        let token: String = rest.chars().take_while(|it| *it != '>').collect();

        // Whoever has a login is mailed as that login, and once.
        family.walk("10:00").await;
        family.app.link(&family.sitter, &family.client.0, Some(&family.parent)).await;
        family.walk("11:00").await;
        family.app.clock.advance(MINUTE);
        let mailed = mails(&family).await;
        let [text] = mailed.as_slice() else { panic!("{mailed:?}") };
        assert!(text.contains("To: sam@example.com\n") && text.contains("at 11:00 AM is booked."), "{text}");
        family.app.link(&family.sitter, &family.client.0, None).await;

        family.walk("12:00").await;
        allow(&family, false).await;
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await.len(), 0);
        allow(&family, true).await;

        let state = &family.app.state;
        let mut tx = state.db.write().await.unwrap();
        assert!(walkies_server::db::set_mail_stopped(&mut tx, &token, Some(state.now())).await.unwrap());
        tx.commit().await.unwrap();
        family.walk("13:00").await;
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await.len(), 0);
        assert!(family.rows("mailed_event").await.is_empty());

        family.walk("14:00").await;
        assert_eq!(family.rows("mailed_event").await.len(), 1);
        family.sitter.call("DELETE", &client, &[], None).await;
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await.len(), 0);
    }

    #[always]
    async fn a_client_without_a_login_gets_a_few_mails_an_hour_and_then_the_rest_in_one(app: TestApp) {
        let family = outside(&app).await;
        let mut n_mails = 0;
        for n in 0..30 {
            let visit = family.walk(&format!("{:02}:{:02}", 45 * n / 60, 45 * n % 60)).await;
            family.app.clock.advance(MINUTE);
            n_mails += subjects(&family).await.len();
            if n % 2 == 0 {
                family.sitter.delete(&format!("/scheduled-services/{visit}")).await.data();
            }
        }
        assert_eq!(n_mails, 4, "three at once, and one in twenty minutes");
        family.app.clock.advance(20 * MINUTE);
        let gathered = mails(&family).await;
        let [text] = gathered.as_slice() else { panic!("{gathered:?}") };
        assert!(text.contains(" updates\n") && text.contains("\nand more\n"), "{text}");
    }

    #[always]
    async fn a_visit_says_what_became_of_the_mail_about_it_to_the_sitter_alone(app: TestApp) {
        let family = outside(&app).await;
        let client_id = family.client.0.clone();
        let visit = family.walk("10:00").await;
        let path = format!("/scheduled-services/{visit}");
        let mailed = async || family.sitter.get(&path).await.data()["mailed"].clone();
        let state = async || (mailed().await["to"].clone(), mailed().await["state"].clone());
        assert_eq!(mailed().await, Value::Null);
        family.app.clock.advance(MINUTE);
        queue(&family).await;
        let nowhere = Mailer::Folder(family.app.folder().join("mail.txt"));
        std::fs::write(family.app.folder().join("mail.txt"), "no folder").unwrap();
        assert!(mail::send_next(&family.app.state, &nowhere).await.unwrap());
        let kim = json!("kim@example.com");
        assert_eq!(state().await, (kim.clone(), json!("waiting")));
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await.len(), 1);
        assert_eq!(state().await, (kim.clone(), json!("sent")));
        assert_eq!(mailed().await["client_id"], json!(client_id));

        family.sitter.put(&path, json!({ "start_time": "11:00" })).await.data();
        queue(&family).await;
        assert!(mail::send_next(&family.app.state, &nowhere).await.unwrap());
        assert_eq!(state().await, (kim.clone(), json!("waiting")));
        family.app.clock.advance(DAY);
        assert!(mail::send_next(&family.app.state, &nowhere).await.unwrap(), "it is dropped");
        assert_eq!(state().await, (kim, json!("failed")));
        assert!(family.rows("mailed_event").await.is_empty() && family.rows("mail_job").await.is_empty());

        // The account's address is the pet parent's own.
        family.app.link(&family.sitter, &client_id, Some(&family.parent)).await;
        family.sitter.put(&path, json!({ "start_time": "12:00" })).await.data();
        assert_eq!(subjects(&family).await.len(), 1);
        assert_eq!(state().await, (json!(""), json!("sent")));
        let pull = format!("/sync/pull?cursor=0&device_id={}&schema=5&sitter_id={}", walkies_core::Id::of(77), family.sitter.sitter_id.unwrap());
        let rows = family.parent.get(&pull).await.data().to_string();
        assert!(rows.contains(&visit) && !rows.contains("\"mailed\""), "{rows}");
    }

    #[always]
    async fn a_sitter_without_notifications_reads_by_mail_what_clients_do(app: TestApp) {
        let family = family(&app).await;
        let choice = family.sitter.get("/push/preferences").await.data().clone();
        assert_eq!(choice["mails_to"], "mara@example.com");
        assert!(choice["mailed"].as_array().unwrap().contains(&json!("new_request")));
        assert!(!choice["mailed"].as_array().unwrap().contains(&json!("visit_overdue")));
        let request = ask(&family, "10:00").await;
        assert_eq!(subjects(&family).await.len(), 0, "there may be more");
        family.app.clock.advance(2_000);
        let asked = mails(&family).await;
        let [text] = asked.as_slice() else { panic!("{asked:?}") };
        for part in [
            "To: mara@example.com\n",
            "Subject: Sam Rivers: Asks for a walk on Tuesday, November 24 at 10:00 AM\n",
            "\nSam Rivers: Asks for a walk on Tuesday, November 24 at 10:00 AM.\n\nOpen in Walkies: http://127.0.0.1:8080/requests\n",
            "Under Profile in Walkies you choose what comes by mail.\n",
            "Don't want mail from Walkies? Stop it here: ",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("Reply-To"), "{text}");
        family.parent.delete(&format!("/client/requests/{request}")).await.data();
        family.app.clock.advance(2_000);
        assert_eq!(subjects(&family).await, ["Sam Rivers: Took back the request for a walk on Tuesday, November 24 at 10:00 AM"]);
        let message = json!({ "conversation_id": family.client.0, "content": "The code is 4711" });
        family.parent.post("/messages", message).await.data();
        family.app.clock.advance(30 * MINUTE);
        let told = mails(&family).await;
        let [text] = told.as_slice() else { panic!("{told:?}") };
        assert!(text.contains("Subject: Sam Rivers: Sent you a message\n") && !text.contains("4711"), "{text}");
        family.parent.put("/client/details", json!({ "vet": "Dr. Bell" })).await.data();
        family.app.clock.advance(20 * MINUTE);
        assert_eq!(subjects(&family).await, ["Sam Rivers: Changed details of home or pets"]);
        assert!(family.rows("mailed_event").await.is_empty());
    }

    #[always]
    async fn a_sitter_chooses_the_kinds_and_a_device_takes_the_place_of_mail(app: TestApp) {
        let family = family(&app).await;
        let told = async |start: &str| {
            ask(&family, start).await;
            family.app.clock.advance(20 * MINUTE);
            (family.deliver().await.len(), subjects(&family).await.len())
        };
        let prefer = async |form: Value| {
            family.sitter.put("/push/preferences", form).await.data();
        };
        assert_eq!(told("09:00").await, (0, 1));
        prefer(json!({ "off": ["new_request"] })).await;
        assert_eq!(told("10:00").await, (0, 0));
        prefer(json!({ "mail": "never" })).await;
        assert_eq!(told("11:00").await, (0, 0));
        prefer(json!({})).await;
        family.push.phone(&family.sitter, "pixel").await;
        assert_eq!(told("12:00").await, (1, 0));
        prefer(json!({ "mail": "always" })).await;
        assert_eq!(told("13:00").await, (1, 1));
    }

    #[always]
    async fn the_last_mail_holds_whatever_was_taken_back_and_told_anew_while_it_waited(app: TestApp) {
        let family = family(&app).await;
        let request = ask(&family, "10:00").await;
        let approve = async || {
            let approved = family.sitter.post(&format!("/sitter/requests/{request}/approve"), json!({})).await;
            approved.data()["scheduled_service_id"].as_str().unwrap().to_owned()
        };
        let undo = async |visit: String| {
            let form = json!({ "service_id": visit });
            family.sitter.post(&format!("/sitter/requests/{request}/undo-approval"), form).await.data();
        };
        let told_to_sam = async || {
            family.app.clock.advance(MINUTE);
            let mut told = subjects(&family).await;
            told.retain(|it| it.starts_with("Your walk on") || it.starts_with("Not booked yet"));
            told
        };
        let visit = approve().await;
        assert_eq!(told_to_sam().await, [BOOKED_AT_TEN]);
        undo(visit).await;
        undo(approve().await).await;
        let waits = "Not booked yet: your request for a walk on Tuesday, November 24 at 10:00 AM waits for an answer again";
        assert_eq!(told_to_sam().await, [waits]);
    }

    #[always]
    async fn a_parent_without_notifications_reads_by_mail_that_a_visit_was_booked_and_cancelled(app: TestApp) {
        let family = family(&app).await;
        let visit = family.walk("10:00").await;
        assert_eq!(subjects(&family).await.len(), 0, "it may be undone at once");
        family.app.clock.advance(MINUTE);
        let booked = mails(&family).await;
        let [text] = booked.as_slice() else { panic!("{booked:?}") };
        let link = format!("http://127.0.0.1:8080/client/visits/{visit}?client_id={}", family.client.0);
        for part in [
            "To: sam@example.com\n",
            &format!("Subject: Paws & Co: {BOOKED_AT_TEN}\n"),
            "Reply-To: mara@example.org\n",
            "List-Unsubscribe: <",
            &format!("\nPaws & Co: {BOOKED_AT_TEN}.\n\nOpen in Walkies: {link}\n"),
            "Don't want mail from Walkies? Stop it here: ",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        family.sitter.delete(&format!("/scheduled-services/{visit}")).await.data();
        assert_eq!(subjects(&family).await, ["Your walk on Tuesday, November 24 at 10:00 AM was cancelled"]);
        assert_eq!(subjects(&family).await.len(), 0, "once is enough");
        assert!(family.rows("mailed_event").await.is_empty());
    }

    #[always]
    async fn nobody_hears_of_the_end_of_a_visit_whose_booking_was_not_told_yet(app: TestApp) {
        let outside = outside(&app).await;
        let visit = outside.walk("10:00").await;
        outside.sitter.delete(&format!("/scheduled-services/{visit}")).await.data();
        outside.app.clock.advance(MINUTE);
        assert_eq!(subjects(&outside).await.len(), 0);
        outside.app.link(&outside.sitter, &outside.client.0, Some(&outside.parent)).await;
        let pixel = outside.push.phone(&outside.parent, "pixel").await;
        let visit = outside.walk("11:00").await;
        outside.sitter.delete(&format!("/scheduled-services/{visit}")).await.data();
        outside.app.clock.advance(MINUTE);
        assert_eq!(outside.deliver().await.len(), 0);
        let visit = outside.walk("12:00").await;
        outside.app.clock.advance(MINUTE);
        assert_eq!(outside.deliver().await.len(), 1);
        outside.sitter.delete(&format!("/scheduled-services/{visit}")).await.data();
        let calls = outside.deliver().await;
        let said: Vec<String> = calls.iter().map(|it| body(&pixel, it)).collect();
        assert_eq!(said, ["Your walk on Tuesday, November 24 at 12:00 PM was cancelled"]);
        assert!(outside.rows("mailed_event").await.is_empty());
    }

    #[always]
    async fn a_booking_that_is_changed_before_it_is_told_is_told_as_it_is_by_then(app: TestApp) {
        let family = family(&app).await;
        let visit = family.walk("10:00").await;
        let form = json!({ "service_type": "dropin" });
        family.sitter.put(&format!("/scheduled-services/{visit}"), form).await.data();
        family.app.clock.advance(MINUTE);
        let on = "on Tuesday, November 24";
        assert_eq!(subjects(&family).await, [format!("Your drop-in visit {on} at 10:00 AM is booked")]);
        // Within a window it is nobody's news that a visit has moved.
        let mut form = walk(&family.client.0, &family.client.1, "2026-11-24", "12:00");
        form["window_from"] = json!("12:00");
        form["window_to"] = json!("15:00");
        let visit = family.sitter.post("/scheduled-services", form).await.id();
        let form = json!({ "start_time": "13:20" });
        family.sitter.put(&format!("/scheduled-services/{visit}"), form).await.data();
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await, [format!("Your walk {on} between 12:00 PM and 3:00 PM is booked")]);
        let request = ask(&family, "16:00").await;
        let approved = family.sitter.post(&format!("/sitter/requests/{request}/approve"), json!({})).await;
        let visit = approved.data()["scheduled_service_id"].as_str().unwrap().to_owned();
        let form = json!({ "service_type": "dropin" });
        family.sitter.put(&format!("/scheduled-services/{visit}"), form).await.data();
        assert_eq!(subjects(&family).await, [format!("Your drop-in visit {on} at 4:00 PM is booked")]);
    }

    #[always]
    async fn what_is_done_to_several_visits_at_once_is_told_with_their_number(app: TestApp) {
        let family = family(&app).await;
        let mut visits = Vec::new();
        for start in ["10:00", "11:00", "12:00"] {
            visits.push(family.walk(start).await);
        }
        family.app.clock.advance(MINUTE);
        assert_eq!(mails(&family).await.len(), 1);
        let mark = json!({ "marked": visits, "status": "cancelled" });
        family.sitter.post("/scheduled-services/mark", mark).await.data();
        let at_ten = "Your walk on Tuesday, November 24 at 10:00 AM";
        assert_eq!(subjects(&family).await, [format!("{at_ten} and 2 other visits were cancelled")]);
        family.app.clock.advance(MINUTE);
        let back = json!({ "marked": visits[..2], "status": "scheduled" });
        family.sitter.post("/scheduled-services/mark", back).await.data();
        assert_eq!(subjects(&family).await, [format!("{at_ten} and 1 other visit take place after all")]);
        // What becomes of the first of them meanwhile does not take the place of the others.
        family.app.clock.advance(60 * MINUTE);
        let later = |visit: &String, was: &str, start: &str| json!({
            "id": visit, "was_date": "2026-11-24", "was_start_time": was, "date": "2026-11-24", "start_time": start,
        });
        let moves = [later(&visits[0], "10:00", "15:00"), later(&visits[1], "11:00", "16:00")];
        family.sitter.post("/scheduled-services/move", json!({ "moves": moves })).await.data();
        family.sitter.delete(&format!("/scheduled-services/{}", visits[0])).await.data();
        let told = mails(&family).await.join("");
        for said in ["at 3:00 PM was cancelled", "is now on Tuesday, November 24 at 4:00 PM"] {
            assert!(told.contains(said), "{said} in {told}");
        }
    }

    #[always]
    async fn what_becomes_of_one_of_several_visits_takes_nothing_of_what_is_told_of_the_others(app: TestApp) {
        let family = family(&app).await;
        let day = "on Tuesday, November 24";
        let (first, second) = (family.walk("10:00").await, family.walk("11:00").await);
        family.app.clock.advance(MINUTE);
        assert_eq!(mails(&family).await.len(), 1);
        // Both are cancelled, and the first one is put back and moved before anybody is told.
        let mark = async |visits: &[&String], status: &str| {
            let form = json!({ "marked": visits, "status": status });
            family.sitter.post("/scheduled-services/mark", form).await.data();
        };
        let put_at = async |visit: &str, form: Value| {
            family.sitter.put(&format!("/scheduled-services/{visit}"), form).await.data();
        };
        mark(&[&first, &second], "cancelled").await;
        mark(&[&first], "scheduled").await;
        put_at(&first, json!({ "start_time": "15:00" })).await;
        let told = mails(&family).await.join("");
        for said in [format!("Your walk {day} at 11:00 AM was cancelled"), format!("Your walk is now {day} at 3:00 PM")] {
            assert!(told.contains(&said), "{said} in {told}");
        }
        // Of two acts on visits of which one is in both, each is told.
        family.app.clock.advance(60 * MINUTE);
        let (third, fourth) = (family.walk("12:00").await, family.walk("13:00").await);
        family.app.clock.advance(MINUTE);
        assert_eq!(mails(&family).await.len(), 1);
        mark(&[&first, &third], "cancelled").await;
        mark(&[&first], "scheduled").await;
        mark(&[&first, &fourth], "cancelled").await;
        let told = mails(&family).await.join("");
        for said in ["at 12:00 PM and 1 other visit were cancelled", "at 1:00 PM and 1 other visit were cancelled"] {
            assert!(told.contains(said), "{said} in {told}");
        }
    }

    #[always]
    async fn of_visits_whose_booking_is_still_to_be_told_that_alone_is_told(app: TestApp) {
        let family = family(&app).await;
        let day = "on Tuesday, November 24";
        let known = family.walk("10:00").await;
        family.app.clock.advance(MINUTE);
        assert_eq!(mails(&family).await.len(), 1);
        let (new, other) = (family.walk("11:00").await, family.walk("12:00").await);
        let mark = json!({ "marked": [known, new], "status": "cancelled" });
        family.sitter.post("/scheduled-services/mark", mark).await.data();
        let to = |visit: &String, was: &str, start: &str| json!({
            "id": visit, "was_date": "2026-11-24", "was_start_time": was, "date": "2026-11-24", "start_time": start,
        });
        let more = family.walk("13:00").await;
        let moves = [to(&other, "12:00", "15:00"), to(&more, "13:00", "16:00")];
        family.sitter.post("/scheduled-services/move", json!({ "moves": moves })).await.data();
        assert_eq!(subjects(&family).await, [format!("Your walk {day} at 10:00 AM was cancelled")]);
        family.app.clock.advance(MINUTE);
        let told = mails(&family).await.join("");
        for said in ["at 3:00 PM is booked", "at 4:00 PM is booked"] {
            assert!(told.contains(said), "{said} in {told}");
        }
        assert!(!told.contains("11:00 AM") && !told.contains("is now"), "{told}");
        assert!(family.rows("mailed_event").await.is_empty());
    }

    #[always]
    async fn a_visit_that_is_moved_twice_is_told_with_all_that_has_changed(app: TestApp) {
        let family = family(&app).await;
        let visit = family.walk("10:00").await;
        family.app.clock.advance(MINUTE);
        assert_eq!(mails(&family).await.len(), 1);
        for form in [json!({ "start_time": "11:00", "price_override": { "amount": 40, "reason": "Rain" } }), json!({ "start_time": "12:00" })] {
            family.sitter.put(&format!("/scheduled-services/{visit}"), form).await.data();
        }
        let now = "Your walk is now on Tuesday, November 24 at 12:00 PM, at another price";
        assert_eq!(subjects(&family).await, [now]);
    }

    #[always]
    async fn requests_that_were_not_made_at_once_are_answered_one_by_one(app: TestApp) {
        let family = family(&app).await;
        let (first, second) = (ask(&family, "10:00").await, ask(&family, "11:00").await);
        let approvals = [first, second].map(|id| json!({ "id": id, "service_id": family.app.state.env.id() }));
        family.sitter.post("/sitter/requests/approve", json!({ "approvals": approvals })).await.data();
        let told = mails(&family).await.join("");
        for start in ["10:00 AM", "11:00 AM"] {
            assert!(told.contains(&format!("at {start} is booked")), "{told}");
        }
    }

    #[always]
    async fn a_mail_that_waits_says_what_is_true_when_it_goes_out(app: TestApp) {
        let family = family(&app).await;
        let visit = family.walk("10:00").await;
        family.app.clock.advance(MINUTE);
        queue(&family).await;
        assert_eq!(family.rows("mail_job").await.len(), 1);
        family.sitter.delete(&format!("/scheduled-services/{visit}")).await.data();
        assert_eq!(subjects(&family).await, ["Your walk on Tuesday, November 24 at 10:00 AM was cancelled"]);

        let shared = family.sitter.post("/walks", walk_form(json!([]), &[(&family.client, "Good dog")])).await;
        queue(&family).await;
        assert_eq!(family.rows("mail_job").await.len(), 1);
        family.sitter.delete(&format!("/walks/{}", shared.id())).await.data();
        assert_eq!(subjects(&family).await.len(), 0, "there is no report any more");
        assert!(family.rows("mailed_event").await.is_empty() && family.rows("mail_job").await.is_empty());
    }

    #[always]
    async fn a_mail_that_waits_goes_to_the_email_that_the_account_has_by_then(app: TestApp) {
        let family = family(&app).await;
        let asked = family.parent.post("/auth/email", json!({ "email": "new@example.com", "password": PASSWORD })).await;
        let mailed = mails(&family).await;
        let code = mailed[0].split("Your code is ").nth(1).unwrap()[..8].to_owned();
        family.walk("10:00").await;
        family.app.clock.advance(MINUTE);
        queue(&family).await;
        assert_eq!(family.rows("mail_job").await.len(), 1);
        let form = json!({ "token": asked.data()["token"], "code": code });
        family.parent.post("/auth/email/confirm", form).await.data();
        let mailed = mails(&family).await;
        let booked: Vec<&String> = mailed.iter().filter(|it| it.contains(BOOKED_AT_TEN)).collect();
        assert!(booked.len() == 1 && booked[0].contains("To: new@example.com\n"), "{mailed:?}");
        assert!(family.rows("mailed_event").await.is_empty());
    }

    #[always]
    async fn beyond_the_mails_of_an_hour_events_are_gathered_as_they_are_by_then(app: TestApp) {
        let family = family(&app).await;
        for start in ["09:00", "10:00", "11:00"] {
            family.walk(start).await;
            family.app.clock.advance(MINUTE);
            assert_eq!(subjects(&family).await.len(), 1);
        }
        let (moved, _) = (family.walk("12:00").await, family.walk("13:00").await);
        let gone = family.sitter.post("/walks", walk_form(json!([]), &[(&family.client, "Good dog")])).await;
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await.len(), 0);
        family.sitter.delete(&format!("/walks/{}", gone.id())).await.data();
        let path = format!("/scheduled-services/{moved}");
        family.sitter.put(&path, json!({ "start_time": "15:00" })).await.data();
        family.app.clock.advance(20 * MINUTE);
        let gathered = mails(&family).await;
        let [text] = gathered.as_slice() else { panic!("{gathered:?}") };
        assert!(text.contains("Subject: Paws & Co: 2 updates\n"), "{text}");
        assert!(text.contains("Your walk on Tuesday, November 24 at 3:00 PM is booked."), "{text}");
        assert!(text.contains("Your walk on Tuesday, November 24 at 1:00 PM is booked."), "{text}");
        assert!(!text.contains("report"), "{text}");
    }

    #[always]
    async fn a_device_takes_the_place_of_mail_unless_both_or_none_are_wanted(app: TestApp) {
        let family = family(&app).await;
        let phone = family.push.phone(&family.parent, "pixel").await;
        let told = async |start: &str| {
            family.walk(start).await;
            family.app.clock.advance(30 * MINUTE);
            (family.deliver().await.len(), subjects(&family).await.len())
        };
        assert_eq!(told("09:00").await, (1, 0));
        prefer(&family, json!({ "mail": "always" })).await;
        assert_eq!(told("10:00").await, (1, 1));
        family.parent.delete(&format!("/push/subscriptions/{}", phone.id)).await.data();
        prefer(&family, json!({})).await;
        assert_eq!(told("11:00").await, (0, 1));
        prefer(&family, json!({ "off": ["visit_booked"] })).await;
        assert_eq!(told("12:00").await, (0, 0));
        prefer(&family, json!({ "mail": "never" })).await;
        assert_eq!(told("13:00").await, (0, 0));
        let refused = family.parent.put("/push/preferences", json!({ "mail": "by pigeon" })).await;
        assert_eq!(refused.status, 422);
        assert!(refused.body["fields"]["mail"].is_string(), "{}", refused.body);
    }

    #[always]
    async fn a_device_that_is_gone_leaves_its_events_to_mail(app: TestApp) {
        let family = family(&app).await;
        family.push.phone(&family.parent, "gone").await;
        family.push.answers("gone", Reply::Status(410));
        family.walk("10:00").await;
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await.len(), 0);
        assert_eq!(family.deliver().await.len(), 1);
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await, [BOOKED_AT_TEN]);
    }

    #[always]
    async fn a_sitter_is_told_whom_a_mail_tells_of_changes_and_a_pet_parent_is_not(app: TestApp) {
        let family = family(&app).await;
        let client = &family.client.0;
        let pull = format!("/sync/pull?cursor=0&device_id={}&schema=5", walkies_core::Id::of(77));
        let mailed = async || family.sitter.get(&pull).await.data()["reach"]["mailed"].clone();
        assert_eq!(mailed().await, json!([client]));
        prefer(&family, json!({ "mail": "never" })).await;
        assert_eq!(mailed().await, Value::Null);
        prefer(&family, json!({ "off": ["message"] })).await;
        assert_eq!(mailed().await, Value::Null, "the kinds are nobody else's matter");
        prefer(&family, json!({})).await;
        family.push.phone(&family.parent, "pixel").await;
        assert_eq!(mailed().await, Value::Null);
        let own = format!("{pull}&sitter_id={}", family.sitter.sitter_id.unwrap());
        assert_eq!(family.parent.get(&own).await.data()["reach"], Value::Null);
    }

    async fn messages_of_half_an_hour_are_one_mail_without_their_words_unless_they_were_read(app: TestApp) {
        let family = family(&app).await;
        let send = async |content: &str| {
            let form = json!({ "conversation_id": family.client.0, "content": content });
            family.sitter.post("/messages", form).await.data();
        };
        send("The code is 4711").await;
        family.app.clock.advance(20 * MINUTE);
        send("See you").await;
        assert_eq!(subjects(&family).await.len(), 0);
        family.app.clock.advance(10 * MINUTE);
        let gathered = mails(&family).await;
        let [text] = gathered.as_slice() else { panic!("{gathered:?}") };
        assert!(text.contains("Subject: Paws & Co: Sent you a message\n") && !text.contains("4711"), "{text}");
        send("Are you there?").await;
        family.parent.put(&format!("/messages/{}/read", family.client.0), json!({})).await.data();
        family.app.clock.advance(30 * MINUTE);
        assert_eq!(subjects(&family).await.len(), 0);
    }

    async fn an_invoice_is_mailed_by_one_mail_and_its_payment_by_another(app: TestApp) {
        let family = family(&app).await;
        prefer(&family, json!({ "off": ["visit_booked"] })).await;
        let invoice = async |start: &str| {
            let form = json!({ "client_id": family.client.0, "services": [family.walk(start).await] });
            family.sitter.post("/invoices/share", form).await.data().clone()
        };
        invoice("10:00").await;
        assert_eq!(subjects(&family).await, ["You have a new invoice"]);
        let client = format!("/clients/{}", family.client.0);
        family.sitter.put(&client, json!({ "email": "sam@example.com" })).await.data();
        let shared = invoice("11:00").await;
        let said = subjects(&family).await;
        assert!(said.len() == 1 && said[0].starts_with("Invoice "), "{said:?}");
        let path = format!("/invoices/{}/mark-paid", shared["id"].as_str().unwrap());
        family.sitter.post(&path, json!({})).await.data();
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await, ["Your payment was recorded"]);
    }

    #[always]
    async fn a_visit_that_is_done_is_told_unless_a_report_comes(app: TestApp) {
        let family = family(&app).await;
        prefer(&family, json!({ "off": ["visit_booked"] })).await;
        let visits = [family.walk("08:00").await, family.walk("08:30").await];
        // In New York it is the twenty-fourth at 10:00.
        family.app.clock.advance(4 * DAY + 6 * 60 * MINUTE);
        for visit in &visits {
            family.sitter.post(&format!("/scheduled-services/{visit}/complete"), json!({})).await.data();
        }
        let mut form = walk_form(json!([]), &[(&family.client, "Good dog")]);
        form["reports"][0]["service_ids"] = json!([visits[1]]);
        assert_eq!(family.sitter.post("/walks", form).await.status, 201);
        assert_eq!(subjects(&family).await, ["The report of your walk is ready"]);
        family.app.clock.advance(5 * MINUTE);
        assert_eq!(subjects(&family).await, ["Your walk is done"]);
    }

    #[always]
    async fn nobody_is_mailed_who_has_stopped_mail_or_was_let_go_or_left(app: TestApp) {
        let family = family(&app).await;
        let choice = async || family.parent.get("/push/preferences").await.data().clone();
        assert_eq!((&choice().await["mails_to"], &choice().await["has_stopped_mail"]), (&json!("sam@example.com"), &json!(false)));
        assert!(choice().await["mailed"].as_array().unwrap().contains(&json!("visit_booked")));
        family.walk("09:00").await;
        family.app.clock.advance(MINUTE);
        let sent = mails(&family).await;
        let (_, rest) = sent[0].split_once("/mail/stop/").unwrap();
        let token: String = rest.chars().take_while(|it| *it != '>').collect();
        let state = &family.app.state;
        let stop = async |at| {
            let mut tx = state.db.write().await.unwrap();
            assert!(walkies_server::db::set_mail_stopped(&mut tx, &token, at).await.unwrap());
            tx.commit().await.unwrap();
        };
        stop(Some(state.now())).await;
        assert_eq!(choice().await["has_stopped_mail"], true);
        family.walk("10:00").await;
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await.len(), 0);
        assert!(family.rows("mailed_event").await.is_empty());

        stop(None).await;
        family.walk("11:00").await;
        family.sitter.post(&format!("/clients/{}/unlink", family.client.0), json!({})).await.data();
        family.app.clock.advance(MINUTE);
        assert_eq!(subjects(&family).await, ["Paws & Co has ended your access in Walkies"]);

        family.app.link(&family.sitter, &family.client.0, Some(&family.parent)).await;
        family.walk("12:00").await;
        assert_eq!(family.rows("mailed_event").await.len(), 1);
        let form = json!({ "password": PASSWORD });
        family.parent.call("DELETE", "/auth/account", &[], Some(form)).await.data();
        assert_eq!(subjects(&family).await, ["Sam Rivers: Left your portal"], "the sitter's own mail");
        assert!(family.rows("mailed_event").await.is_empty());
    }

    async fn pet_parents_of_a_business_that_is_cleared_are_mailed_and_see_nothing(app: TestApp) {
        let family = family(&app).await;
        let form = json!({ "word": "CLEAR", "password": PASSWORD });
        family.sitter.post("/clear", form).await.data();
        work(&family.app.state).await;
        assert_eq!(family.parent.get("/client/sitters").await.data(), &json!([]));
        assert_eq!(subjects(&family).await, ["Paws & Co has ended your access in Walkies"]);
        family.sitter.post("/clear/undo", json!({})).await.data();
        work(&family.app.state).await;
        assert_eq!(family.parent.get("/client/sitters").await.data().as_array().unwrap().len(), 1);
        assert_eq!(subjects(&family).await, ["Paws & Co has given you access in Walkies again"]);
    }

    async fn a_client_who_has_to_wait_for_mail_takes_nothing_of_the_share_of_others(app: TestApp) {
        let few = Rate { burst: 5, every_ms: 24 * 60 * 60 * 1000 };
        let rates = MailRates { by_sender: few, by_new_sender: few, ..settings().mail };
        let family = limited_outside(&app, rates).await;
        let mut n_mails = 0;
        for n in 0..10 {
            family.walk(&format!("{:02}:00", 8 + n)).await;
            family.app.clock.advance(MINUTE);
            n_mails += mails(&family).await.len();
        }
        assert_eq!(n_mails, 3);
        let other = family.sitter.client("Lee").await;
        let email = json!({ "email": "lee@example.com" });
        family.sitter.put(&format!("/clients/{}", other.0), email).await.data();
        family.sitter.walk(&other, "2026-11-24", "19:00").await;
        family.app.clock.advance(MINUTE);
        let mailed = mails(&family).await;
        assert!(mailed.len() == 1 && mailed[0].contains("To: lee@example.com\n"), "{mailed:?}");
    }

    async fn events_of_another_business_with_a_client_of_the_same_id_take_no_room(app: TestApp) {
        let family = outside(&app).await;
        family.walk("10:00").await;
        let mallory = family.app.sitter("Mallory").await;
        mallory.put("/sitters/profile", json!({ "mails_changes": true })).await.data();
        let (client, dog) = (family.client.0.clone(), walkies_core::Id::of(900).to_string());
        let form = json!({
            "id": client, "client": { "name": "Kim", "email": "kim@example.com" },
            "dogs": [{ "id": dog, "is_new": true, "changes": { "name": "Rex" } }],
        });
        let mut phone = Phone::new(&mallory);
        phone.pull().await;
        let made = phone.send("create_client", form).await;
        assert_eq!(made["outcome"], "applied", "{made}");
        for n in 0..51 {
            family.app.clock.advance(1);
            let start = format!("{:02}:{:02}", 6 + n / 12, 5 * (n % 12));
            let mut form = crate::support::walk(&client, &dog, "2026-11-24", &start);
            form["overlap_ok"] = json!(true);
            mallory.post("/scheduled-services", form).await.data();
        }
        assert_eq!(family.rows("mailed_event").await.len(), 51);
    }

    #[always]
    async fn the_oldest_of_too_many_events_make_room_and_expired_ones_are_forgotten(app: TestApp) {
        let family = family(&app).await;
        for n in 0..52 {
            family.app.clock.advance(1);
            let start = format!("{:02}:{:02}", 6 + n / 12, 5 * (n % 12));
            let mut form = crate::support::walk(&family.client.0, &family.client.1, "2026-11-24", &start);
            form["overlap_ok"] = json!(true);
            family.sitter.post("/scheduled-services", form).await.data();
        }
        assert_eq!(family.rows("mailed_event").await.len(), 50);
        family.app.clock.advance(2 * DAY);
        cleanup::clean_up_once(&family.app.state).await.unwrap();
        assert!(family.rows("mailed_event").await.is_empty());
    }
}
