//! One person as a sitter and as a pet parent: one email, one password and one session, and two sides that share nothing else.

use std::time::Duration;

use serde_json::{Value, json};
use walkies_server::app::settings::{Settings, SignUpMode};

use crate::access::{call, victim};
use crate::document::operations;
use crate::on_both;
use crate::realtime::{listen, next, open, ticket};
use crate::support::{PASSWORD, TestApp, User, settings};

/// The person in a role, by the same session.
fn acting(person: &User, role: &str) -> User {
    let token = person.token.as_ref().unwrap();
    let token = token.split('.').next().unwrap();
    User {
        token: Some(format!("{token}.{role}")),
        ..person.clone()
    }
}

/// A sitter who is a pet parent, too: in either role.
async fn both(app: &TestApp, name: &str) -> (User, User) {
    let sitter = app.sitter(name).await;
    let added = sitter
        .post("/auth/roles", json!({ "role": "client" }))
        .await;
    assert_eq!(added.data()["role"], "client");
    assert_eq!(added.data()["roles"], json!(["sitter", "client"]));
    let parent = acting(&sitter, "client");
    (acting(&sitter, "sitter"), parent)
}

/// A client of a sitter with the code of an invitation.
async fn invited(sitter: &User, name: &str) -> (String, String) {
    let (client, _) = sitter.client(name).await;
    let invite = sitter
        .post(&format!("/clients/{client}/invite"), json!({}))
        .await;
    let code = invite.data()["code"].as_str().unwrap().to_owned();
    (client, code)
}

async fn follow(parent: &User, (client, code): &(String, String)) {
    let form = json!({ "client_id": client, "code": code });
    let linked = parent.post("/client/link", form).await;
    assert_eq!(linked.status, 200, "{}", linked.body);
}

async fn delete_role(person: &User) {
    let proof = json!({ "password": PASSWORD });
    let gone = person
        .call("DELETE", "/auth/account", &[], Some(proof))
        .await;
    assert_eq!(gone.status, 200, "{}", gone.body);
}

on_both! {
    #[always]
    async fn a_sitter_follows_an_invitation_and_is_a_pet_parent_too(app: TestApp) {
        let other = app.sitter("Other").await;
        let invitation = invited(&other, "Kim").await;
        let kim = app.sitter("Kim").await;
        let form = json!({ "client_id": invitation.0, "code": invitation.1 });
        assert_eq!(kim.post("/client/link", form).await.failure(), (403, "forbidden"));
        for _ in 0..2 {
            let added = kim.post("/auth/roles", json!({ "role": "client" })).await;
            assert_eq!(added.data()["sitter_id"], Value::Null, "a pet parent has no business");
        }
        let parent = acting(&kim, "client");
        follow(&parent, &invitation).await;
        let sitters = parent.get("/client/sitters").await;
        assert_eq!(sitters.data().as_array().unwrap().len(), 1);
        let user = kim.get("/auth/user").await;
        assert_eq!((&user.data()["role"], &user.data()["roles"]), (&json!("sitter"), &json!(["sitter", "client"])));
        // A later sign-in says both.
        let form = json!({ "email": kim.email, "password": PASSWORD });
        let again = app.anonymous().post("/auth/signin", form).await;
        assert_eq!(again.data()["user"]["roles"], json!(["sitter", "client"]));
    }

    #[always]
    async fn a_pet_parent_starts_a_business(app: TestApp) {
        let pat = app.pet_parent("Pat").await;
        let wrong = pat.post("/auth/roles", json!({ "role": "sitter", "time_zone": "Europe/Atlantis" })).await;
        assert_eq!(wrong.failure(), (422, "invalid"));
        let form = json!({ "role": "sitter", "time_zone": "Europe/Helsinki" });
        let first = pat.post("/auth/roles", form.clone()).await;
        assert_eq!(first.data()["roles"], json!(["client", "sitter"]));
        let again = pat.post("/auth/roles", form).await;
        assert_eq!(first.data()["sitter_id"], again.data()["sitter_id"], "one business");
        let sitter = acting(&pat, "sitter");
        assert_eq!(sitter.get("/sitters/profile").await.data()["time_zone"], "Europe/Helsinki");
        sitter.client("Sam").await;
        assert_eq!(pat.get("/clients").await.failure(), (403, "forbidden"), "calls without a role stay a pet parent's");
        assert_eq!(pat.get("/client/sitters").await.status, 200);
    }

    async fn nobody_acts_in_a_role_that_is_not_theirs(app: TestApp) {
        let (dana, pat) = (app.sitter("Dana").await, app.pet_parent("Pat").await);
        for (person, role) in [(&dana, "client"), (&pat, "sitter"), (&dana, "admin"), (&dana, ""), (&dana, "sitter.client")] {
            assert_eq!(acting(person, role).get("/auth/user").await.failure(), (401, "token_expired"), "{role}");
        }
    }

    async fn nobody_is_a_client_of_the_own_business(app: TestApp) {
        let (sitter, parent) = both(&app, "Dana").await;
        let (client, code) = invited(&sitter, "Sam").await;
        let form = json!({ "client_id": client, "code": code });
        assert_eq!(parent.post("/client/link", form.clone()).await.failure(), (409, "invite_own"));
        let sam = app.pet_parent("Sam").await;
        assert_eq!(sam.post("/client/link", form).await.status, 200, "the code is still good");
    }

    async fn a_password_is_the_persons_in_both_roles(app: TestApp) {
        let (sitter, parent) = both(&app, "Dana").await;
        let sign_in = |password: &str| {
            let form = json!({ "email": sitter.email, "password": password });
            let anonymous = app.anonymous();
            async move { anonymous.post("/auth/signin", form).await }
        };
        let elsewhere = app.user_of(&sign_in(PASSWORD).await);
        let devices = parent.get("/auth/sessions").await;
        assert_eq!(devices.data().as_array().unwrap().len(), 2, "a device is one, in whatever role");
        let form = json!({ "current_password": PASSWORD, "new_password": "wet dogs shake twice" });
        assert_eq!(parent.post("/auth/change-password", form).await.status, 200);
        assert_eq!(sitter.get("/clients").await.status, 200, "this device stays signed in");
        for role in ["sitter", "client"] {
            assert_eq!(acting(&elsewhere, role).get("/auth/user").await.failure(), (401, "token_expired"));
        }
        assert_eq!(sign_in(PASSWORD).await.failure(), (401, "wrong_password"));
        assert_eq!(sign_in("wet dogs shake twice").await.status, 200);
    }

    async fn signing_out_ends_both_roles(app: TestApp) {
        let (sitter, parent) = both(&app, "Dana").await;
        assert_eq!(parent.post("/auth/signout", json!({})).await.status, 200);
        assert_eq!(sitter.get("/auth/user").await.failure(), (401, "token_expired"));
    }

    async fn another_email_signs_in_to_both_roles(app: TestApp) {
        let (sitter, parent) = both(&app, "Dana").await;
        let other = app.sitter("Other").await;
        let invitation = invited(&other, "Dana").await;
        follow(&parent, &invitation).await;
        let asked = parent.post("/auth/email", json!({ "password": PASSWORD, "email": "new@example.com" })).await;
        let mail = app.mail_to("new@example.com").await;
        let code = &mail.split("Your code is ").nth(1).unwrap()[..8];
        let form = json!({ "token": asked.data()["token"], "code": code });
        let changed = parent.post("/auth/email/confirm", form).await;
        assert_eq!(changed.data()["email"], "new@example.com");
        assert_eq!(changed.data()["roles"], json!(["sitter", "client"]));
        assert_eq!(sitter.get("/auth/user").await.data()["email"], "new@example.com");
    }

    #[always]
    async fn a_business_is_deleted_and_its_sitter_stays_a_pet_parent(app: TestApp) {
        let other = app.sitter("Other").await;
        let (sitter, parent) = both(&app, "Dana").await;
        follow(&parent, &invited(&other, "Dana").await).await;
        let form = json!({ "email": sitter.email, "password": PASSWORD });
        let elsewhere = app.user_of(&app.anonymous().post("/auth/signin", form.clone()).await);
        let client = sitter.client("Sam").await;
        sitter.walk(&client, "2026-11-24", "10:00").await;
        delete_role(&sitter).await;
        assert_eq!(sitter.get("/clients").await.failure(), (401, "token_expired"));
        assert_eq!(elsewhere.get("/auth/user").await.failure(), (401, "token_expired"), "other devices are signed out");
        assert_eq!(parent.get("/client/sitters").await.data().as_array().unwrap().len(), 1);
        let user = acting(&sitter, "client").get("/auth/user").await;
        assert_eq!((&user.data()["roles"], &user.data()["sitter_id"]), (&json!(["client"]), &Value::Null));
        let rows = app.dump(sitter.sitter_id).await;
        assert!(rows.is_empty(), "{rows:?}");
        let again = app.anonymous().post("/auth/signin", form).await;
        assert_eq!(again.data()["user"]["role"], "client");
        // Another business of the same person is a new one.
        let form = json!({ "role": "sitter", "time_zone": "Europe/Helsinki" });
        let begun = parent.post("/auth/roles", form).await;
        assert_ne!(begun.data()["sitter_id"], json!(sitter.sitter_id));
    }

    #[always]
    async fn a_pet_parent_leaves_all_sitters_and_stays_one_with_the_business(app: TestApp) {
        let other = app.sitter("Other").await;
        let (sitter, parent) = both(&app, "Dana").await;
        let invitation = invited(&other, "Dana").await;
        follow(&parent, &invitation).await;
        parent.post("/client/calendar/address", json!({})).await;
        sitter.client("Sam").await;
        delete_role(&parent).await;
        assert_eq!(parent.get("/client/sitters").await.failure(), (401, "token_expired"));
        assert_eq!(sitter.get("/clients").await.data().as_array().unwrap().len(), 1);
        assert_eq!(sitter.get("/auth/user").await.data()["roles"], json!(["sitter"]));
        let client = other.get(&format!("/clients/{}", invitation.0)).await;
        assert_eq!(client.data()["client_user_id"], Value::Null);
        let dump = app.dump(None).await;
        assert!(dump.iter().all(|it| !it.starts_with("client_user_link") && !it.starts_with("parent_calendar")));
        // The role comes back with nothing of before.
        sitter.post("/auth/roles", json!({ "role": "client" })).await;
        assert_eq!(parent.get("/client/sitters").await.data(), &json!([]));
        delete_role(&parent).await;
        delete_role(&sitter).await;
        assert!(app.dump(None).await.iter().all(|it| !it.contains("dana@example.com")));
    }

    #[always]
    async fn the_role_that_ends_is_named_so_that_a_repeat_ends_no_other(app: TestApp) {
        let (sitter, parent) = both(&app, "Dana").await;
        let unnamed = User {
            token: sitter.token.as_ref().and_then(|it| it.split('.').next()).map(str::to_owned),
            ..sitter.clone()
        };
        let proof = json!({ "password": PASSWORD });
        let refused = unnamed.call("DELETE", "/auth/account", &[], Some(proof.clone())).await;
        assert_eq!(refused.failure(), (422, "invalid"));
        assert!(refused.body["fields"]["role"].is_string(), "{}", refused.body);
        delete_role(&sitter).await;
        let again = sitter.call("DELETE", "/auth/account", &[], Some(proof)).await;
        assert_eq!(again.failure(), (401, "token_expired"));
        assert_eq!(parent.get("/auth/user").await.data()["roles"], json!(["client"]));
        // The role that is left needs no name.
        delete_role(&unnamed).await;
        assert!(app.dump(None).await.iter().all(|it| !it.contains("dana@example.com")));
    }

    async fn an_app_hears_of_the_role_that_it_is_open_in(app: TestApp) {
        let other = app.sitter("Other").await;
        let (sitter, parent) = both(&app, "Dana").await;
        let invitation = invited(&other, "Dana").await;
        follow(&parent, &invitation).await;
        let address = listen(&app).await;
        let mut business = open(address, &ticket(&sitter).await, None).await.unwrap();
        let mut portal = open(address, &ticket(&parent).await, None).await.unwrap();
        sitter.client("Sam").await;
        let heard = next(&mut business).await.unwrap();
        assert_eq!(heard["sitter_id"], json!(sitter.sitter_id));
        // It is told once its links are looked up.
        let mut times = 0;
        let heard = loop {
            times += 1;
            other.put(&format!("/clients/{}", invitation.0), json!({ "address": format!("{times} Long Street") })).await;
            if let Ok(heard) = tokio::time::timeout(Duration::from_secs(1), next(&mut portal)).await {
                break heard.unwrap();
            }
        };
        assert_eq!(heard["sitter_id"], json!(other.sitter_id));
        // A link that comes later is none of the business's either.
        let third = app.sitter("Third").await;
        follow(&parent, &invited(&third, "Dana").await).await;
        third.client("Pat").await;
        sitter.client("Sue").await;
        let heard = next(&mut business).await.unwrap();
        assert_eq!(heard["sitter_id"], json!(sitter.sitter_id), "{heard}");
        delete_role(&sitter).await;
        let ended = loop {
            if let Err(code) = next(&mut business).await {
                break code;
            }
        };
        assert_eq!(ended, 4401);
    }

    // The whole document, each call in the role that it is not for.
    async fn each_call_of_one_role_refuses_the_other(app: TestApp) {
        let victim = victim(&app).await;
        victim.sitter.post("/auth/roles", json!({ "role": "client" })).await;
        let (sitter, parent) = (acting(&victim.sitter, "sitter"), acting(&victim.sitter, "client"));
        let mut refused = 0;
        for (method, path, operation) in operations(walkies_server::api::router::document()) {
            let person = match operation["x-access"].as_str().unwrap() {
                "sitter" => &parent,
                "client" => &sitter,
                _ => continue,
            };
            let Some((name, body)) = call(&victim, &method, &path) else { continue };
            let id = victim.ids.get(name).cloned().unwrap_or_default();
            let answer = person.call(&method, &path.replace("{id}", &id), &[], body).await;
            assert_eq!(answer.failure(), (403, "forbidden"), "{method} {path}");
            refused += 1;
        }
        assert!(100 < refused, "{refused}");
    }
}

#[tokio::test]
async fn a_business_is_started_where_the_operator_takes_new_sitters() {
    for (mode, code) in [
        (SignUpMode::Closed, "sign_up_closed"),
        (SignUpMode::Invite, "invitation_needed"),
    ] {
        let app = TestApp::sqlite(settings()).await;
        let pat = app.pet_parent("Pat").await;
        let dana = app.sitter("Dana").await;
        let router = app
            .restarted_with(Settings {
                sign_up: mode,
                ..settings()
            })
            .await;
        let at = |user: &User| User {
            router: router.clone(),
            ..user.clone()
        };
        let form = json!({ "role": "sitter", "time_zone": "Europe/Helsinki" });
        let refused = at(&pat).post("/auth/roles", form).await;
        assert_eq!(refused.failure(), (403, code));
        let parent = at(&dana)
            .post("/auth/roles", json!({ "role": "client" }))
            .await;
        assert_eq!(parent.status, 200, "a pet parent is no new sitter");
        let invited = |email: Option<&'static str>| {
            let app = &app;
            let pat = at(&pat);
            async move {
                let secret = crate::auth::invite(app, email).await;
                let form = json!({ "role": "sitter", "time_zone": "Europe/Helsinki", "invitation": secret });
                (pat.post("/auth/roles", form).await, secret)
            }
        };
        if mode == SignUpMode::Invite {
            let (foreign, _) = invited(Some("kim@example.com")).await;
            assert_eq!(foreign.failure(), (422, "invalid"));
            let (begun, secret) = invited(Some("pat@example.com")).await;
            assert_eq!(begun.data()["roles"], json!(["client", "sitter"]));
            let used = format!("/auth/signup?invitation={secret}");
            let rules = at(&app.anonymous()).get(&used).await;
            assert_eq!(rules.data()["is_invited"], false, "it is used up");
        }
    }
}
