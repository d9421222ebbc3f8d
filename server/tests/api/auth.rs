//! Signing up, in and out, and all that can go wrong with it.

use serde_json::{Value, json};
use walkies_core::Instant;
use walkies_server::app::password::HashQueue;
use walkies_server::app::settings::MailRates;
use walkies_server::base::env::sha256;
use walkies_server::db;
use walkies_server::external::mail::Mailer;
use walkies_server::jobs::{cleanup, mail};
use walkies_server::limits::rate::Rate;
use walkies_server::payments::billing::known_offers;

use crate::on_both;
use crate::support::{Answer, DAY, HOUR, PASSWORD, TestApp, User, settings};

async fn sign_in(app: &TestApp, email: &str, password: &str) -> Answer {
    app.anonymous()
        .post(
            "/auth/signin",
            json!({ "email": email, "password": password }),
        )
        .await
}

/// The token in the mail that waits; there must be one mail.
async fn mailed_token(app: &TestApp) -> String {
    let mut tx = app.state.db.write().await.unwrap();
    let now = app.state.now();
    let job = db::lease_mail_job(&mut tx, now, Instant(now.0 + 1))
        .await
        .unwrap()
        .expect("a mail waits");
    db::delete_mail_job(&mut tx, job.id).await.unwrap();
    tx.commit().await.unwrap();
    let (_, token) = job
        .body
        .split_once("/auth/reset-password?token=")
        .expect("the mail has a link");
    token.split_whitespace().next().unwrap().to_owned()
}

/// Returns the code that an authenticator app shows at this time.
fn code_of(secret: &str, now: Instant) -> String {
    let secret = totp_rs::Secret::try_from_base32(secret).unwrap();
    let app = totp_rs::Builder::new()
        .with_secret(secret)
        .with_account_name("Dana")
        .build()
        .unwrap();
    app.generate(u64::try_from(now.0 / 1000).unwrap())
        .to_string()
}

/// The secret of an invitation, as the operator's command makes it.
pub async fn invite(app: &TestApp, email: Option<&str>) -> String {
    let token = app.state.env.token();
    let invitation = db::Invitation {
        email: email.map(str::to_owned),
    };
    let until = Instant(app.state.now().0 + 14 * DAY);
    let mut tx = app.state.db.write().await.unwrap();
    db::insert_invitation(&mut tx, &sha256(token.as_bytes()), &invitation, until)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    token
}

/// All that a caller gets to see, but for the number of the request.
fn all_of(answer: Answer) -> (u16, Vec<(String, String)>, String) {
    let mut headers: Vec<(String, String)> = answer
        .headers
        .iter()
        .filter(|(name, _)| *name != "x-request-id")
        .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
        .collect();
    headers.sort();
    let body = String::from_utf8(answer.bytes).unwrap();
    (answer.status.as_u16(), headers, body)
}

async fn is_signed_in(user: &User) -> bool {
    user.get("/auth/user").await.status == 200
}

on_both! {
    async fn signing_up_makes_a_business_that_can_be_used(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let user = dana.get("/auth/user").await;
        assert_eq!(user.data()["email"], "dana@example.com");
        assert_eq!(user.data()["role"], "sitter");
        assert!(!dana.get("/sitter-services").await.data().as_array().unwrap().is_empty());
        assert_eq!(dana.get("/availability/patterns").await.data().as_array().unwrap().len(), 5);
        assert_eq!(dana.get("/availability/config").await.data()["id"], serde_json::json!(dana.sitter_id));
        assert_eq!(dana.get("/sitters/profile").await.data()["time_zone"], "America/New_York");
        let status = dana.get("/sitter/profile/status").await;
        assert_eq!(status.data()["hasProfile"], true);
        assert_eq!(status.data()["isComplete"], false);
        let client = dana.client("Sam").await;
        dana.walk(&client, "2026-11-20", "10:00").await;
    }

    async fn a_sign_up_says_everything_that_is_wrong(app: TestApp) {
        let form = json!({ "name": " ", "email": "x", "password": "short", "time_zone": "Mars/Olympus" });
        let answer = app.anonymous().post("/auth/signup", form).await;
        assert_eq!(answer.failure(), (422, "invalid"));
        assert_eq!(answer.body["fields"], json!({
            "name": "Name is required",
            "email": "Invalid email format",
            "password": "Password must be at least 8 characters",
            "time_zone": "Unknown time zone",
        }));
        let form = json!({ "name": "Dana", "email": "d@example.com", "password": "Password123", "time_zone": "UTC" });
        let answer = app.anonymous().post("/auth/signup", form).await;
        assert_eq!(answer.body["fields"], json!({ "password": "This password is too easy to guess" }));
    }

    async fn a_sign_up_is_finished_where_it_was_begun_by_the_code_from_the_mail(app: TestApp) {
        let form = json!({ "name": "Dana", "email": " DANA@example.com ", "password": PASSWORD, "time_zone": "UTC" });
        let asked = app.anonymous().post("/auth/signup", form).await;
        assert_eq!(asked.status, 202);
        assert!(app.dump(None).await.iter().all(|it| !it.starts_with("user_account ") && !it.starts_with("sitter ")));
        let mail = app.mail_to("dana@example.com").await;
        let code = &mail.split("Your code is ").nth(1).unwrap()[..8];
        assert!(app.dump(None).await.iter().all(|it| !it.contains(code)), "only the hash is kept");

        let confirmation = &asked.data()["confirmation"];
        let confirm = async |confirmation: &Value, code: &str| {
            let form = json!({ "confirmation": confirmation, "code": code });
            app.anonymous().post("/auth/signup/confirm", form).await
        };
        let elsewhere = confirm(&json!("not what was given"), code).await;
        assert_eq!(elsewhere.failure(), (422, "invalid"), "who has the mail alone makes no account");
        let wrong = confirm(confirmation, "0000000").await;
        assert_eq!(wrong.body["fields"], json!({ "code": "That code is wrong or has expired" }));
        let (one, two) = tokio::join!(confirm(confirmation, code), confirm(confirmation, code));
        let mut statuses = [one.status.as_u16(), two.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 422], "a code is good once");
        let made = if one.status == 201 { one } else { two };
        assert!(is_signed_in(&app.user_of(&made)).await);
        assert_eq!(sign_in(&app, "dana@example.com", PASSWORD).await.status, 200);
    }

    async fn the_code_of_a_sign_up_is_good_for_half_an_hour_and_a_few_tries(app: TestApp) {
        let form = json!({ "name": "Dana", "email": "dana@example.com", "password": PASSWORD, "time_zone": "UTC" });
        for (wait, tries, expected) in [(HOUR / 2, 4, 201), (HOUR / 2 + 1, 0, 422), (0, 5, 429)] {
            let mut form = form.clone();
            form["email"] = json!(format!("{expected}@example.com"));
            let asked = app.anonymous().post("/auth/signup", form).await;
            let mail = app.mail_to(&format!("{expected}@example.com")).await;
            let code = &mail.split("Your code is ").nth(1).unwrap()[..8];
            let confirmation = asked.data()["confirmation"].clone();
            for _ in 0..tries {
                let form = json!({ "confirmation": confirmation, "code": "no code" });
                assert_eq!(app.anonymous().post("/auth/signup/confirm", form).await.status, 422);
            }
            app.clock.advance(wait);
            let form = json!({ "confirmation": confirmation, "code": code });
            let answer = app.anonymous().post("/auth/signup/confirm", form).await;
            assert_eq!(answer.status, expected, "{}", answer.body);
        }
        app.clock.advance(HOUR);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert!(app.dump(None).await.iter().all(|it| !it.starts_with("sign_up ")));
    }

    async fn a_sign_up_does_not_tell_who_has_an_account_and_the_mail_does(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let mut heard = Vec::new();
        for email in ["dana@example.com", " DANA@example.com", "nobody@example.com"] {
            for password in [PASSWORD, "another password"] {
                let spent = app.state.passwords.spent();
                let rows = app.dump(None).await.len();
                let form = json!({ "name": "Dana", "email": email, "password": password, "time_zone": "UTC" });
                let mut answer = app.anonymous().post("/auth/signup", form).await;
                let given = answer.body["data"]["confirmation"].as_str().unwrap().len();
                answer.bytes.clear();
                let work = (app.state.passwords.spent() - spent, app.dump(None).await.len() - rows);
                heard.push((all_of(answer).0, given, work));
                let mail = app.mail_to(email.trim().to_lowercase().as_str()).await;
                assert_eq!(mail.contains("Your code is"), email.contains("nobody"), "{mail}");
                assert_eq!(mail.contains("/auth/forgot-password"), !email.contains("nobody"), "{mail}");
            }
        }
        // A mailbox is noted the first time that it is written to: that of an account was by its own sign-up.
        let (status, given, (passwords, rows)) = heard[5];
        assert_eq!(heard[4], (status, given, (passwords, rows + 1)));
        assert!(heard[..4].iter().all(|it| *it == heard[5]), "{heard:?}");
        assert_eq!(sign_in(&app, "dana@example.com", "another password").await.status, 401);
        assert!(is_signed_in(&dana).await);
    }

    #[always]
    async fn a_pet_parent_changes_the_email_by_a_code_to_the_new_address(app: TestApp) {
        let (sam, lee) = (app.pet_parent("Sam").await, app.pet_parent("Lee").await);
        let ask = async |parent: &User, email: &str, password: &str| {
            parent.post("/auth/email", json!({ "email": email, "password": password })).await
        };
        assert_eq!(ask(&sam, "new@example.com", "not the password").await.failure(), (422, "invalid"));
        assert_eq!(ask(&sam, "sam@example.com", PASSWORD).await.failure(), (422, "invalid"), "it is that already");
        let confirm = async |parent: &User, token: &Value, code: &str| {
            parent.post("/auth/email/confirm", json!({ "token": token, "code": code })).await
        };
        // An address that has an account is answered the same; its owner reads why there is no code.
        let taken = ask(&sam, "Lee@example.com", PASSWORD).await;
        assert_eq!(taken.status, 200);
        assert!(app.mail_to("lee@example.com").await.contains("has an account of its own"));

        let asked = ask(&sam, " New@Example.com", PASSWORD).await.data()["token"].clone();
        let mail = app.mail_to("new@example.com").await;
        let code = mail.split("Your code is ").nth(1).unwrap()[..8].to_owned();
        assert_eq!(confirm(&sam, &taken.data()["token"], &code).await.failure(), (422, "invalid"), "only the last counts");
        assert_eq!(confirm(&lee, &asked, &code).await.failure(), (422, "invalid"), "of another account");
        assert_eq!(confirm(&sam, &asked, "00000000").await.failure(), (422, "invalid"));
        let changed = confirm(&sam, &asked, &code).await;
        assert_eq!(changed.data()["email"], "new@example.com", "{}", changed.body);
        assert_eq!(confirm(&sam, &asked, &code).await.failure(), (422, "invalid"), "it is good once");
        assert!(app.mail_to("sam@example.com").await.contains("has another email from now on"));
        let sign_in = async |email: &str| {
            app.anonymous().post("/auth/signin", json!({ "email": email, "password": PASSWORD })).await.status.as_u16()
        };
        assert_eq!((sign_in("new@example.com").await, sign_in("sam@example.com").await), (200, 401));

        let late = ask(&sam, "late@example.com", PASSWORD).await.data()["token"].clone();
        let mail = app.mail_to("late@example.com").await;
        let code = mail.split("Your code is ").nth(1).unwrap()[..8].to_owned();
        app.clock.advance(31 * 60 * 1000);
        assert_eq!(confirm(&sam, &late, &code).await.failure(), (422, "invalid"), "it has expired");
    }

    #[always]
    async fn a_sitter_sees_the_email_that_the_account_of_a_pet_parent_has_now(app: TestApp) {
        let (mara, dana) = (app.sitter("Mara").await, app.pet_parent("Dana").await);
        let sam = mara.client("Sam").await;
        let invite = mara.post(&format!("/clients/{}/invite", sam.0), json!({})).await;
        let form = json!({ "client_id": sam.0, "code": invite.data()["code"] });
        dana.post("/client/link", form).await.data();
        let email = async || mara.get("/clients").await.data()[0]["parents"][0]["email"].clone();
        assert_eq!(email().await, json!(dana.email));
        let asked = dana.post("/auth/email", json!({ "email": "new@example.com", "password": PASSWORD })).await;
        let mail = app.mail_to("new@example.com").await;
        let code = mail.split("Your code is ").nth(1).unwrap()[..8].to_owned();
        let form = json!({ "token": asked.data()["token"], "code": code });
        dana.post("/auth/email/confirm", form).await.data();
        assert_eq!(email().await, json!("new@example.com"));
    }

    #[always]
    async fn a_code_is_worth_nothing_once_nobody_signs_up_here_or_only_the_invited(app: TestApp) {
        use walkies_server::app::settings::{Settings, SignUpMode};
        let form = |invitation: Option<&str>| json!({
            "name": "Dana", "email": "dana@example.com", "password": PASSWORD, "time_zone": "UTC",
            "invitation": invitation,
        });
        let ask = async |invitation: Option<&str>| {
            let asked = app.anonymous().post("/auth/signup", form(invitation)).await;
            let mail = app.mail_to("dana@example.com").await;
            let code = mail.split("Your code is ").nth(1).unwrap()[..8].to_owned();
            json!({ "confirmation": asked.data()["confirmation"], "code": code })
        };
        let with = async |sign_up| {
            let mut anyone = app.anonymous();
            anyone.router = app.restarted_with(Settings { sign_up, ..settings() }).await;
            anyone
        };
        let uninvited = ask(None).await;
        let invited = ask(Some(&invite(&app, None).await)).await;
        let before = app.dump(None).await;
        let (closed, by_invitation) = (with(SignUpMode::Closed).await, with(SignUpMode::Invite).await);
        for code in [&uninvited, &invited] {
            let answer = closed.post("/auth/signup/confirm", code.clone()).await;
            assert_eq!(answer.failure(), (403, "sign_up_closed"));
        }
        let answer = by_invitation.post("/auth/signup/confirm", uninvited).await;
        assert_eq!(answer.failure(), (403, "invitation_needed"));
        assert_eq!(app.dump(None).await, before);
        assert_eq!(by_invitation.post("/auth/signup/confirm", invited).await.status, 201);
    }

    async fn a_mail_to_an_address_that_is_not_proven_has_no_words_of_who_asked_for_it(app: TestApp) {
        let form = json!({
            "name": "You have won, see https://example.net", "email": "kim@example.com", "password": PASSWORD,
            "time_zone": "UTC",
        });
        app.anonymous().post("/auth/signup", form).await;
        let mail = app.mail_to("kim@example.com").await;
        assert!(mail.contains("Your code is ") && !mail.contains("won") && !mail.contains("https"), "{mail}");
    }

    async fn two_sign_ups_of_one_email_at_once_make_one_account(app: TestApp) {
        let mut asked = Vec::new();
        for name in ["One", "Two"] {
            let form = json!({
                "name": name, "email": "same@example.com", "password": format!("the password of {name}"),
                "time_zone": "UTC",
            });
            let answer = app.anonymous().post("/auth/signup", form).await;
            let mail = app.mail_to("same@example.com").await;
            let code = mail.split("Your code is ").nth(1).unwrap()[..8].to_owned();
            asked.push(json!({ "confirmation": answer.data()["confirmation"], "code": code }));
        }
        let (one, two) = (app.anonymous(), app.anonymous());
        let (one, two) = tokio::join!(
            one.post("/auth/signup/confirm", asked[0].clone()),
            two.post("/auth/signup/confirm", asked[1].clone()),
        );
        let mut statuses = [one.status.as_u16(), two.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 422]);
        let accounts = app.dump(None).await;
        assert_eq!(accounts.iter().filter(|it| it.starts_with("user_account ")).count(), 1);
        assert_eq!(accounts.iter().filter(|it| it.starts_with("sitter ")).count(), 1, "no business is left over");
    }

    async fn an_invitation_for_an_email_makes_its_account_at_once_and_once(app: TestApp) {
        let token = invite(&app, Some("dana@example.com")).await;
        let rules = app.anonymous().get(&format!("/auth/signup?invitation={token}")).await;
        assert_eq!(rules.data(), &json!({
            "mode": "open", "sends_mail": false, "is_invited": true, "email": "dana@example.com",
            "plans": known_offers(&app.state),
        }));
        let form = |email: &str| json!({
            "name": "Dana", "email": email, "password": PASSWORD, "time_zone": "UTC", "invitation": token,
        });
        let other = app.anonymous().post("/auth/signup", form("other@example.com")).await;
        assert_eq!(other.body["fields"], json!({ "email": "This invitation is for another email" }));
        let made = app.anonymous().post("/auth/signup", form("dana@example.com")).await;
        assert_eq!(made.status, 201);
        assert!(is_signed_in(&app.user_of(&made)).await);
        let gone = json!({ "invitation": "This invitation is no longer valid. Please ask for a new one." });
        let again = app.anonymous().post("/auth/signup", form("dana@example.com")).await;
        assert_eq!(again.body["fields"], gone);
        let late = invite(&app, Some("late@example.com")).await;
        app.clock.advance(14 * DAY + 1);
        let form = json!({
            "name": "Late", "email": "late@example.com", "password": PASSWORD, "time_zone": "UTC", "invitation": late,
        });
        assert_eq!(app.anonymous().post("/auth/signup", form).await.body["fields"], gone);
        cleanup::clean_up_once(&app.state).await.unwrap();
        assert!(app.dump(None).await.iter().all(|it| !it.starts_with("invitation ")));
    }

    async fn devices_are_listed_and_signed_out_one_by_one_or_all_others(app: TestApp) {
        let phone = app.sitter("Dana").await;
        let other = app.sitter("Other").await;
        app.clock.advance(HOUR);
        let form = json!({ "email": phone.email, "password": PASSWORD });
        let agent = "Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Mobile Safari/537.36";
        let headers = [("user-agent", agent)];
        let tablet = app.user_of(&app.anonymous().call("POST", "/auth/signin", &headers, Some(form)).await);
        let desktop = app.user_of(&sign_in(&app, &phone.email, PASSWORD).await);
        let listed = phone.get("/auth/sessions").await;
        let listed = listed.data().as_array().unwrap().clone();
        assert_eq!(listed.len(), 3);
        let current: Vec<&Value> = listed.iter().filter(|it| it["is_current"] == true).collect();
        assert_eq!(current.len(), 1);
        assert_eq!(current[0]["last_used_at"], "2026-11-20T09:00:00.000Z");
        let of_tablet = listed.iter().find(|it| it["name"] == "Chrome on Android").unwrap();
        assert_eq!(of_tablet["created_at"], "2026-11-20T10:00:00.000Z");
        let path = format!("/auth/sessions/{}", of_tablet["id"].as_str().unwrap());
        assert_eq!(other.delete(&path).await.failure(), (404, "not_found"));
        assert_eq!(phone.delete("/auth/sessions/none").await.failure(), (404, "not_found"));
        assert!(is_signed_in(&tablet).await);
        assert_eq!(phone.delete(&path).await.status, 200);
        assert!(!is_signed_in(&tablet).await);
        assert!(is_signed_in(&desktop).await);
        assert_eq!(phone.delete(&path).await.failure(), (404, "not_found"));
        assert_eq!(phone.delete("/auth/sessions").await.status, 200);
        assert!(!is_signed_in(&desktop).await);
        assert!(is_signed_in(&phone).await && is_signed_in(&other).await);
        app.clock.advance(31 * DAY);
        let again = app.user_of(&sign_in(&app, &phone.email, PASSWORD).await);
        assert_eq!(again.get("/auth/sessions").await.data().as_array().unwrap().len(), 1, "what has expired is none");
    }

    #[always]
    async fn a_second_factor_is_asked_for_after_the_password(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let wrong = dana.post("/auth/factors/totp", json!({ "password": "not my password" })).await;
        assert_eq!(wrong.body["fields"], json!({ "password": "This is not your password" }));
        let begun = dana.post("/auth/factors/totp", json!({ "password": PASSWORD, "name": "Pixel" })).await;
        let (secret, id) = (begun.data()["secret"].as_str().unwrap().to_owned(), begun.id());
        let uri = begun.data()["uri"].as_str().unwrap();
        assert!(uri.starts_with("otpauth://totp/Walkies:dana%40example.com?secret="), "{uri}");
        assert!(begun.data()["qr_svg"].as_str().unwrap().starts_with("<svg "));
        assert_eq!(sign_in(&app, &dana.email, PASSWORD).await.data()["user"]["name"], "Dana", "it does not count yet");

        let confirm = format!("/auth/factors/{id}/confirm");
        let answer = dana.post(&confirm, json!({ "code": "000000" })).await;
        assert_eq!(answer.body["fields"], json!({ "code": "This code is wrong, or was used before" }));
        let code = code_of(&secret, app.state.now());
        let confirmed = dana.post(&confirm, json!({ "code": code })).await;
        let recovery: Vec<String> = serde_json::from_value(confirmed.data()["recovery_codes"].clone()).unwrap();
        assert_eq!(recovery.len(), 10);
        let dump = app.dump(None).await.join("\n");
        assert!(recovery.iter().all(|it| !dump.contains(it.as_str()) && !dump.contains(&it.replace('-', ""))));
        let listed = dana.get("/auth/factors").await;
        assert_eq!(listed.data()["recovery_codes_left"], 10);
        assert_eq!(listed.data()["factors"][0]["name"], "Pixel");
        assert!(!listed.body.to_string().contains(&secret));

        let asked = sign_in(&app, &dana.email, PASSWORD).await;
        assert_eq!(asked.data()["factors"], json!(["totp"]));
        assert!(asked.data().get("token").is_none());
        let challenge = asked.data()["challenge"].as_str().unwrap().to_owned();
        let mut by_challenge = app.anonymous();
        by_challenge.token = Some(challenge.clone());
        assert_eq!(by_challenge.get("/clients").await.failure(), (401, "token_expired"), "a challenge is no session");
        let step = async |challenge: &str, code: &str| {
            let form = json!({ "challenge": challenge, "code": code });
            app.anonymous().post("/auth/signin/factor", form).await
        };
        let replayed = step(&challenge, &code).await;
        assert_eq!(replayed.failure(), (422, "invalid"), "the code that has confirmed it was used");
        app.clock.advance(30_000);
        let next = code_of(&secret, app.state.now());
        let (one, two) = tokio::join!(step(&challenge, &next), step(&challenge, &next));
        let mut statuses = [one.status.as_u16(), two.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 422], "of two with one code, one gets in");
        let entered = if one.status == 200 { one } else { two };
        assert!(is_signed_in(&app.user_of(&entered)).await);

        app.clock.advance(30_000);
        let used = step(&challenge, &code_of(&secret, app.state.now())).await;
        assert_eq!(used.body["fields"], json!({ "challenge": "This took too long. Please sign in with your password again." }));
        let asked = sign_in(&app, &dana.email, PASSWORD).await;
        let challenge = asked.data()["challenge"].as_str().unwrap();
        let typed = recovery[3].to_uppercase().replace('-', " ");
        assert_eq!(step(challenge, &typed).await.status, 200);
        let asked = sign_in(&app, &dana.email, PASSWORD).await;
        let challenge = asked.data()["challenge"].as_str().unwrap();
        assert_eq!(step(challenge, &recovery[3]).await.failure(), (422, "invalid"), "a recovery code is good once");
        app.clock.advance(5 * 60_000 + 1);
        assert_eq!(step(challenge, &recovery[4]).await.failure(), (422, "invalid"), "five minutes are over");

        let renewed = dana.post("/auth/recovery-codes", json!({ "password": PASSWORD })).await;
        assert_eq!(renewed.data()["recovery_codes"].as_array().unwrap().len(), 10);
        let asked = sign_in(&app, &dana.email, PASSWORD).await;
        let challenge = asked.data()["challenge"].as_str().unwrap();
        assert_eq!(step(challenge, &recovery[5]).await.failure(), (422, "invalid"), "the old ones are void");

        let path = format!("/auth/factors/{id}");
        let remove = async |password: &str| {
            dana.call("DELETE", &path, &[], Some(json!({ "password": password }))).await
        };
        assert_eq!(remove("not my password").await.failure(), (422, "invalid"));
        assert_eq!(remove(PASSWORD).await.status, 200);
        assert_eq!(sign_in(&app, &dana.email, PASSWORD).await.data()["user"]["name"], "Dana");
        assert!(app.dump(None).await.iter().all(|it| !it.starts_with("recovery_code ")));
    }

    async fn nobody_can_tell_who_has_an_account(app: TestApp) {
        app.sitter("Dana").await;
        app.pet_parent("Pat").await;
        let gone = app.sitter("Gone").await;
        let deletion = gone.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await;
        assert_eq!(deletion.status, 200);
        let emails = ["dana@example.com", " DANA@Example.com", "pat@example.com", "gone@example.com", "nobody@example.com"];
        let spent = || app.state.passwords.spent();
        // The last one is what an unknown e-mail's password is held against.
        for password in ["not my password", "x", "nobody's password"] {
            let mut heard = Vec::new();
            for email in emails {
                let before = spent();
                let answer = sign_in(&app, email, password).await;
                assert_eq!(answer.failure(), (401, "wrong_password"), "{email}");
                heard.push((all_of(answer), spent() - before));
            }
            assert_eq!(heard[0].1, 64, "one hash of the tests' cost");
            assert!(heard.windows(2).all(|it| it[0] == it[1]), "{password}: {heard:?}");
        }
        let mut heard = Vec::new();
        for email in emails {
            let before = spent();
            let answer = app.anonymous().post("/auth/forgot-password", json!({ "email": email })).await;
            assert_eq!(answer.data(), &json!({}), "{email}");
            heard.push((all_of(answer), spent() - before));
        }
        assert_eq!(heard[0].1, 0);
        assert!(heard.windows(2).all(|it| it[0] == it[1]), "{heard:?}");

        let missing = sign_in(&app, "", "").await;
        assert_eq!(missing.body["fields"], json!({ "email": "Email is required", "password": "Password is required" }));
    }

    async fn a_mailed_code_or_link_is_not_sent_after_the_half_hour_that_it_names(app: TestApp) {
        app.sitter("Dana").await;
        let folder = app.folder().join("mail");
        let mailer = Mailer::Folder(folder.clone());
        let sent_after = async |wait: i64| {
            let anyone = app.anonymous();
            anyone.post("/auth/forgot-password", json!({ "email": "dana@example.com" })).await.data();
            for email in ["kim@example.com", "dana@example.com"] {
                let form = json!({ "name": "Kim", "email": email, "password": PASSWORD, "time_zone": "UTC" });
                assert_eq!(anyone.post("/auth/signup", form).await.status, 202);
            }
            app.clock.advance(wait);
            while mail::send_next(&app.state, &mailer).await.unwrap() {}
            assert!(app.dump(None).await.iter().all(|it| !it.starts_with("mail_job ")));
            let sent: Vec<String> = std::fs::read_dir(&folder).map_or_else(|_| Vec::new(), |files| {
                files.map(|it| std::fs::read_to_string(it.unwrap().path()).unwrap()).collect()
            });
            std::fs::remove_dir_all(&folder).unwrap();
            sent
        };
        assert_eq!(sent_after(HOUR / 2 - 1).await.len(), 3);
        let late = sent_after(HOUR / 2).await;
        let [known] = &late[..] else { panic!("{late:?}") };
        assert!(known.contains("You have an account at Walkies"), "no time limit is named: {known}");
    }

    async fn a_forgotten_password_is_written_down_whoever_asks(app: TestApp) {
        app.sitter("Dana").await;
        let rename = "ALTER TABLE mail_job RENAME TO away";
        match &app.state.db {
            db::Db::Sqlite { writer, .. } => drop(sqlx::query(rename).execute(writer).await.unwrap()),
            db::Db::Postgres(pool) => drop(sqlx::query(rename).execute(pool).await.unwrap()),
        }
        // Who has no account would be known by it, on a disk that is slow or full.
        for email in ["dana@example.com", "nobody@example.com"] {
            let answer = app.anonymous().post("/auth/forgot-password", json!({ "email": email })).await;
            assert_eq!(answer.failure(), (500, "internal"), "{email}");
        }
    }

    async fn a_session_ends_after_thirty_days_without_use_and_half_a_year_in_all(app: TestApp) {
        let dana = app.sitter("Dana").await;
        app.clock.advance(30 * DAY + 1);
        let answer = dana.get("/auth/user").await;
        assert_eq!(answer.failure(), (401, "token_expired"));
        assert_eq!(answer.body["error"], "Invalid or expired token");

        let again = app.user_of(&sign_in(&app, "dana@example.com", PASSWORD).await);
        for _ in 0..8 {
            app.clock.advance(20 * DAY);
            assert!(is_signed_in(&again).await);
        }
        app.clock.advance(20 * DAY + 1);
        assert!(!is_signed_in(&again).await, "180 days are over");
    }

    async fn the_use_of_a_session_is_written_down_at_most_once_an_hour(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let before = app.dump(None).await;
        app.clock.advance(HOUR);
        assert!(is_signed_in(&dana).await);
        assert_eq!(app.dump(None).await, before);
        app.clock.advance(1);
        assert!(is_signed_in(&dana).await);
        assert_ne!(app.dump(None).await, before);
    }

    async fn signing_out_ends_this_session_alone(app: TestApp) {
        let phone = app.sitter("Dana").await;
        let desktop = app.user_of(&sign_in(&app, "dana@example.com", PASSWORD).await);
        assert_eq!(phone.post("/auth/signout", json!({})).await.status, 200);
        assert!(!is_signed_in(&phone).await);
        assert!(is_signed_in(&desktop).await);
    }

    async fn a_call_without_a_sign_in_is_told_so(app: TestApp) {
        let answer = app.anonymous().get("/clients").await;
        assert_eq!(answer.failure(), (401, "sign_in_needed"));
        assert_eq!(answer.body["error"], "Authentication required");
        let mut forged = app.anonymous();
        forged.token = Some("x".repeat(43));
        assert_eq!(forged.get("/clients").await.failure(), (401, "token_expired"));
    }

    async fn a_changed_password_ends_all_other_sessions(app: TestApp) {
        let phone = app.sitter("Dana").await;
        let stolen = app.user_of(&sign_in(&app, "dana@example.com", PASSWORD).await);
        let wrong = json!({ "current_password": "not my password", "new_password": "a walk in the snow" });
        let answer = phone.post("/auth/change-password", wrong).await;
        assert_eq!(answer.failure(), (422, "invalid"));
        assert_eq!(answer.body["fields"], json!({ "current_password": "This is not your password" }));
        let form = json!({ "current_password": PASSWORD, "new_password": "a walk in the snow" });
        assert_eq!(phone.post("/auth/change-password", form).await.status, 200);
        assert!(is_signed_in(&phone).await);
        assert!(!is_signed_in(&stolen).await);
        assert_eq!(sign_in(&app, "dana@example.com", PASSWORD).await.status, 401);
        assert_eq!(sign_in(&app, "dana@example.com", "a walk in the snow").await.status, 200);
    }

    async fn a_forgotten_password_is_set_anew_by_a_link_that_works_once(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let anyone = app.anonymous();
        assert_eq!(anyone.post("/auth/forgot-password", json!({ "email": "dana@example.com" })).await.status, 200);
        let token = mailed_token(&app).await;
        assert!(app.dump(None).await.iter().all(|it| !it.contains(&token)), "only the hash is kept");

        let form = |token: &str| json!({ "token": token, "password": "a walk in the snow" });
        let (one, two) = tokio::join!(
            anyone.post("/auth/reset-password", form(&token)),
            anyone.post("/auth/reset-password", form(&token)),
        );
        let mut statuses = [one.status.as_u16(), two.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 422], "of two who use it at once, one succeeds");
        assert!(!is_signed_in(&dana).await);
        assert_eq!(sign_in(&app, "dana@example.com", "a walk in the snow").await.status, 200);
    }

    async fn a_reset_link_is_good_for_half_an_hour(app: TestApp) {
        app.sitter("Dana").await;
        app.anonymous().post("/auth/forgot-password", json!({ "email": "dana@example.com" })).await;
        let token = mailed_token(&app).await;
        app.clock.advance(HOUR / 2 + 1);
        let form = json!({ "token": token, "password": "a walk in the snow" });
        let answer = app.anonymous().post("/auth/reset-password", form).await;
        assert_eq!(answer.failure(), (422, "invalid"));
        assert_eq!(sign_in(&app, "dana@example.com", PASSWORD).await.status, 200);
    }

    async fn no_token_is_in_the_database(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let ticket = dana.post("/realtime/ticket", json!({})).await;
        let ticket = ticket.data()["ticket"].as_str().unwrap().to_owned();
        let dump = app.dump(None).await.join("\n");
        assert!(!dump.contains(dana.token.as_ref().unwrap()));
        assert!(!dump.contains(&ticket));
        assert!(!dump.contains(PASSWORD));
    }

    #[always]
    async fn a_deleted_account_leaves_nothing_behind(app: TestApp) {
        let (dana, other) = (app.sitter("Dana").await, app.sitter("Other").await);
        let empty = app.dump(None).await;
        let gone = app.sitter("Gone").await;
        let client = gone.client("Sam").await;
        let walk = gone.walk(&client, "2026-11-20", "10:00").await;
        gone.delete(&format!("/scheduled-services/{walk}")).await;
        gone.delete(&format!("/clients/{}", client.0)).await;
        gone.post_once("k", "/clients", json!({ "name": "Kim", "dogs": ["Rex"] })).await;
        gone.upload(None, &crate::photos::jpeg()).await;
        let kim = gone.client("Kim").await;
        let shared = gone.post("/walks", crate::reports::walk_form(json!([]), &[(&kim, "Good dog")])).await;
        let address = format!("/public/reports/{}", shared.data()["reports"][0]["share_id"].as_str().unwrap());
        assert_eq!(app.anonymous().get(&address).await.status, 200);
        gone.post("/realtime/ticket", json!({})).await;
        app.anonymous().post("/auth/forgot-password", json!({ "email": gone.email })).await;

        let wrong = gone.call("DELETE", "/auth/account", &[], Some(json!({ "password": "not my password" }))).await;
        assert_eq!(wrong.failure(), (422, "invalid"));
        assert!(is_signed_in(&gone).await);
        let answer = gone.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await;
        assert_eq!(answer.status, 200);
        assert_eq!(app.dump(None).await, empty);
        assert!(crate::photos::stored(&app).is_empty());
        assert_eq!(app.anonymous().get(&address).await.failure(), (404, "report_gone"));
        assert_eq!(gone.get("/clients").await.failure(), (401, "token_expired"));
        assert!(is_signed_in(&dana).await && is_signed_in(&other).await);
    }

    async fn a_pet_parent_signs_in_and_may_do_nothing_of_a_sitters(app: TestApp) {
        let parent = app.pet_parent("Pat").await;
        let user = parent.get("/auth/user").await;
        assert_eq!((&user.data()["role"], &user.data()["sitter_id"]), (&json!("client"), &Value::Null));
        let answer = parent.get("/clients").await;
        assert_eq!(answer.failure(), (403, "forbidden"));
        assert_eq!(answer.body["error"], "You do not have permission to perform this action.");
        let deletion = parent.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await;
        assert_eq!(deletion.status, 200);
        assert!(app.dump(None).await.iter().all(|it| !it.contains("pat@example.com")));
    }

    async fn old_sessions_and_links_are_removed(app: TestApp) {
        let dana = app.sitter("Dana").await;
        app.anonymous().post("/auth/forgot-password", json!({ "email": dana.email })).await;
        app.clock.advance(31 * DAY);
        cleanup::clean_up_once(&app.state).await.unwrap();
        let dump = app.dump(None).await;
        assert!(dump.iter().all(|it| !it.starts_with("session ") && !it.starts_with("password_reset ")));
    }
}

fn strict() -> walkies_server::app::settings::Settings {
    walkies_server::app::settings::Settings {
        rate_by_address: Rate {
            burst: 6,
            every_ms: 1_000,
        },
        rate_by_account: Rate {
            burst: 3,
            every_ms: 10_000,
        },
        mail: MailRates {
            codes_by_recipient: Rate {
                burst: 30,
                every_ms: 1_000,
            },
            ..settings().mail
        },
        ..settings()
    }
}

/// A server behind a proxy, so that callers have addresses.
fn strict_by_account() -> walkies_server::app::settings::Settings {
    walkies_server::app::settings::Settings {
        rate_by_address: settings().rate_by_address,
        behind_proxy: true,
        ..strict()
    }
}

/// A sign-in from an address, with what makes a device known.
async fn sign_in_from(
    app: &TestApp,
    address: &str,
    password: &str,
    device: Option<&Value>,
) -> Answer {
    let form = json!({ "email": "dana@example.com", "password": password, "device": device });
    app.anonymous()
        .call(
            "POST",
            "/auth/signin",
            &[("x-forwarded-for", address)],
            Some(form),
        )
        .await
}

#[tokio::test]
async fn guessing_is_slowed_by_account_and_address_and_the_right_password_forgives() {
    let app = TestApp::sqlite(strict()).await;
    app.sitter("Dana").await;
    app.clock.advance(DAY);
    for _ in 0..3 {
        assert_eq!(
            sign_in(&app, "dana@example.com", "a guess at it")
                .await
                .status,
            401
        );
    }
    let blocked = sign_in(&app, "dana@example.com", PASSWORD).await;
    assert_eq!(blocked.failure(), (429, "too_many_requests"));
    assert_eq!(blocked.headers["retry-after"], "10");
    app.clock.advance(10_000);
    assert_eq!(
        sign_in(&app, "dana@example.com", PASSWORD).await.status,
        200
    );
    for _ in 0..3 {
        assert_eq!(
            sign_in(&app, "dana@example.com", "a guess at it")
                .await
                .status,
            401
        );
    }
}

#[tokio::test]
async fn strangers_who_guess_lock_nobody_out_of_a_known_device() {
    let app = TestApp::sqlite(strict_by_account()).await;
    app.sitter("Dana").await;
    app.clock.advance(DAY);
    let first = sign_in_from(&app, "192.0.2.1", PASSWORD, None).await;
    let device = first.data()["device"].clone();
    let phone = app.user_of(&first);
    let mut refused = 0;
    for number in 0..60 {
        let address = format!("198.51.100.{}", number % 20);
        let guess = sign_in_from(&app, &address, "a guess at it", None).await;
        refused += usize::from(guess.status == 429);
    }
    assert_eq!(
        refused, 31,
        "all addresses together have ten times the tries of one, and the owner had one of them"
    );
    let from_elsewhere = sign_in_from(&app, "192.0.2.9", PASSWORD, None).await;
    assert_eq!(from_elsewhere.failure(), (429, "too_many_requests"));

    // From the address of a guesser, too, and without losing the count of its own.
    let again = sign_in_from(&app, "198.51.100.1", PASSWORD, Some(&device)).await;
    assert_eq!(again.data()["device"], device);
    for expected in [401, 401, 401, 429] {
        let wrong = sign_in_from(&app, "192.0.2.1", "a guess at it", Some(&device)).await;
        assert_eq!(wrong.status, expected);
    }

    // Who is signed in has a count of their own for what asks for the password.
    let form = json!({ "current_password": PASSWORD, "new_password": "a walk in the snow" });
    assert_eq!(phone.post("/auth/change-password", form).await.status, 200);
    let deletion = json!({ "password": "a walk in the snow" });
    let answer = phone
        .call("DELETE", "/auth/account", &[], Some(deletion))
        .await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn nobody_has_the_right_password_checked_without_end() {
    let app = TestApp::sqlite(strict_by_account()).await;
    app.sitter("Dana").await;
    app.clock.advance(DAY);
    let first = sign_in_from(&app, "192.0.2.1", PASSWORD, None).await;
    let device = first.data()["device"].clone();
    let mut statuses = Vec::new();
    for _ in 0..20 {
        let again = sign_in_from(&app, "192.0.2.1", PASSWORD, Some(&device)).await;
        statuses.push(again.status.as_u16());
    }
    let (let_in, refused) = statuses.split_at(9);
    assert!(let_in.iter().all(|it| *it == 200), "{statuses:?}");
    assert!(refused.iter().all(|it| *it == 429), "{statuses:?}");

    app.clock.advance(DAY);
    let phone = app.user_of(&sign_in_from(&app, "192.0.2.1", PASSWORD, Some(&device)).await);
    let mut statuses = Vec::new();
    for _ in 0..20 {
        let key = json!({ "password": PASSWORD });
        statuses.push(phone.post("/auth/factors/totp", key).await.status.as_u16());
    }
    let (proven, refused) = statuses.split_at(9);
    assert!(!proven.contains(&429), "{statuses:?}");
    assert!(refused.iter().all(|it| *it == 429), "{statuses:?}");
}

#[tokio::test]
async fn one_guesser_locks_nobody_out_of_a_new_device() {
    let app = TestApp::sqlite(strict_by_account()).await;
    app.sitter("Dana").await;
    app.clock.advance(DAY);
    for number in 0..50 {
        // One customer's network: every address in it is that customer's to choose.
        let address = format!("2001:db8:1:2::{number:x}");
        let guess = sign_in_from(&app, &address, "a guess at it", None).await;
        assert_eq!(guess.status, if number < 3 { 401 } else { 429 });
    }
    let owner = sign_in_from(&app, "2001:db8:1:3::1", PASSWORD, None).await;
    assert_eq!(owner.status, 200);
}

#[tokio::test]
async fn who_sets_a_new_password_by_mail_gets_in_past_any_number_of_guessers() {
    let app = TestApp::sqlite(strict_by_account()).await;
    app.sitter("Dana").await;
    app.clock.advance(DAY);
    for number in 0..40 {
        sign_in_from(&app, &format!("198.51.100.{number}"), "a guess at it", None).await;
    }
    let blocked = sign_in_from(&app, "192.0.2.1", PASSWORD, None).await;
    assert_eq!(blocked.status, 429);
    let anyone = app.anonymous();
    let form = json!({ "email": "dana@example.com" });
    assert_eq!(anyone.post("/auth/forgot-password", form).await.status, 200);
    let form = json!({ "token": mailed_token(&app).await, "password": "a walk in the snow" });
    let reset = anyone.post("/auth/reset-password", form).await;
    assert_eq!(reset.data()["email"], "dana@example.com");
    let device = &reset.data()["device"];
    let answer = sign_in_from(&app, "192.0.2.1", "a walk in the snow", Some(device)).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn strangers_who_ask_for_mail_keep_nobody_from_signing_up_or_from_a_new_password() {
    let app = TestApp::sqlite(strict_by_account()).await;
    app.sitter("Dana").await;
    app.clock.advance(DAY);
    let ask = async |path: &str, address: &str| {
        let form = json!({
            "name": "Kim", "email": "dana@example.com", "password": PASSWORD, "time_zone": "UTC",
        });
        let from = [("x-forwarded-for", address)];
        let anyone = app.anonymous();
        anyone.call("POST", path, &from, Some(form)).await.status
    };
    for (path, done) in [("/auth/signup", 202), ("/auth/forgot-password", 200)] {
        for expected in [done, done, done, 429, 429] {
            assert_eq!(ask(path, "198.51.100.1").await, expected, "{path}");
        }
        assert_eq!(ask(path, "192.0.2.1").await, done, "{path}");
        // All addresses of the world fill no mailbox either.
        for asked in 4..30 {
            let address = format!("203.0.113.{asked}");
            assert_eq!(ask(path, &address).await, done, "{path} {asked}");
        }
        assert_eq!(ask(path, "192.0.2.2").await, 429, "{path}");
    }
}

#[tokio::test]
async fn a_device_is_known_on_its_own_account_alone() {
    let app = TestApp::sqlite(strict_by_account()).await;
    let other = app.sitter("Other").await;
    app.sitter("Dana").await;
    app.clock.advance(DAY);
    let form = json!({ "email": other.email, "password": PASSWORD });
    let of_other = app.anonymous().post("/auth/signin", form).await;
    let device = &of_other.data()["device"];
    for number in 0..40 {
        let address = format!("198.51.100.{number}");
        sign_in_from(&app, &address, "a guess at it", Some(device)).await;
    }
    let blocked = sign_in_from(&app, "192.0.2.1", PASSWORD, Some(device)).await;
    assert_eq!(blocked.failure(), (429, "too_many_requests"));
}

#[tokio::test]
async fn long_emails_are_refused_before_anything_is_kept_of_them() {
    let app = TestApp::sqlite(settings()).await;
    let kept = app.state.limiter.len();
    let email = format!("{}@example.com", "x".repeat(243));
    for path in ["/auth/signin", "/auth/signup", "/auth/forgot-password"] {
        let form =
            json!({ "name": "Dana", "email": email, "password": PASSWORD, "time_zone": "UTC" });
        let answer = app.anonymous().post(path, form).await;
        assert_eq!(answer.failure(), (422, "invalid"), "{path}");
        let said = json!({ "email": "Email cannot exceed 254 characters" });
        assert_eq!(answer.body["fields"], said, "{path}");
    }
    assert_eq!(app.state.limiter.len(), kept);
    assert_eq!(app.state.passwords.spent(), 0);
}

#[tokio::test]
async fn who_has_an_account_is_slowed_like_who_has_none() {
    let app = TestApp::sqlite(walkies_server::app::settings::Settings {
        rate_by_address: settings().rate_by_address,
        ..strict()
    })
    .await;
    app.sitter("Dana").await;
    app.clock.advance(DAY);
    for path in ["/auth/signin", "/auth/forgot-password"] {
        let mut heard = Vec::new();
        for email in ["dana@example.com", "nobody@example.com"] {
            let form = json!({ "email": email, "password": "a guess at it" });
            for _ in 0..5 {
                let answer = app.anonymous().post(path, form.clone()).await;
                heard.push(all_of(answer));
            }
        }
        assert_eq!(heard[4].0, 429, "{path}");
        assert_eq!(heard[..5], heard[5..], "{path}");
    }
}

#[tokio::test]
async fn guessing_is_slowed_by_address_whatever_the_account() {
    let app = TestApp::sqlite(strict()).await;
    for number in 0..6 {
        assert_eq!(
            sign_in(&app, &format!("user{number}@example.com"), "a guess at it")
                .await
                .status,
            401
        );
    }
    assert_eq!(
        sign_in(&app, "another@example.com", "a guess at it")
            .await
            .failure(),
        (429, "too_many_requests")
    );
    let forgot = app
        .anonymous()
        .post(
            "/auth/forgot-password",
            json!({ "email": "third@example.com" }),
        )
        .await;
    assert_eq!(forgot.failure(), (429, "too_many_requests"));
    app.clock.advance(1_000);
    assert_eq!(
        sign_in(&app, "another@example.com", "a guess at it")
            .await
            .status,
        401
    );
}

#[tokio::test]
async fn only_a_known_proxy_says_where_a_call_comes_from() {
    for (behind_proxy, expected) in [(false, 429), (true, 401)] {
        let app = TestApp::sqlite(walkies_server::app::settings::Settings {
            behind_proxy,
            ..strict()
        })
        .await;
        let mut last = 0;
        for number in 0..7 {
            let headers = [("x-forwarded-for", format!("10.0.0.1, 192.0.2.{number}"))];
            let headers: Vec<(&str, &str)> = headers
                .iter()
                .map(|(name, value)| (*name, value.as_str()))
                .collect();
            let body = json!({ "email": format!("user{number}@example.com"), "password": "a guess at it" });
            last = app
                .anonymous()
                .call("POST", "/auth/signin", &headers, Some(body))
                .await
                .status
                .as_u16();
        }
        assert_eq!(last, expected, "behind_proxy = {behind_proxy}");
    }
}

#[tokio::test]
async fn a_hash_of_yesterdays_cost_is_replaced_at_sign_in() {
    let app = TestApp::sqlite(settings()).await;
    let dana = app.sitter("Dana").await;
    let dearer = walkies_server::app::password::Cost {
        memory_kib: 128,
        passes: 2,
    };
    let passwords = walkies_server::app::password::Passwords::new(dearer).unwrap();
    let hash = passwords
        .hash(PASSWORD.to_owned(), HashQueue::Stranger(""))
        .await
        .unwrap();
    let mut tx = app.state.db.write().await.unwrap();
    let account = db::account_by_id(&mut tx, dana.user_id).await.unwrap();
    db::rehash_password(&mut tx, &account.unwrap(), &hash)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(
        sign_in(&app, "dana@example.com", PASSWORD).await.status,
        200
    );
    assert!(
        app.dump(None)
            .await
            .iter()
            .any(|it| it.contains("m=64,t=1,p=1"))
    );
    assert_eq!(
        sign_in(&app, "dana@example.com", PASSWORD).await.status,
        200
    );
}

#[tokio::test]
async fn who_may_sign_up_is_the_operators_to_say() {
    use walkies_server::app::settings::{Settings, SignUpMode};
    let form = |invitation: Option<&str>| {
        json!({
            "name": "Dana", "email": "dana@example.com", "password": PASSWORD, "time_zone": "UTC",
            "invitation": invitation,
        })
    };
    let with = |sign_up| Settings {
        sign_up,
        ..settings()
    };
    let closed = TestApp::sqlite(with(SignUpMode::Closed)).await;
    let token = invite(&closed, None).await;
    let rules = closed.anonymous().get("/auth/signup").await;
    assert_eq!(rules.data()["mode"], "closed");
    for invitation in [None, Some(token.as_str())] {
        let answer = closed
            .anonymous()
            .post("/auth/signup", form(invitation))
            .await;
        assert_eq!(answer.failure(), (403, "sign_up_closed"));
    }

    let by_invitation = TestApp::sqlite(with(SignUpMode::Invite)).await;
    let token = invite(&by_invitation, None).await;
    let anyone = by_invitation.anonymous();
    let answer = anyone.post("/auth/signup", form(None)).await;
    assert_eq!(answer.failure(), (403, "invitation_needed"));
    let answer = anyone.post("/auth/signup", form(Some("made up"))).await;
    assert_eq!(answer.failure(), (422, "invalid"));
    // An invitation for anybody says who may ask; whose the e-mail is, the mail says.
    let made = by_invitation.sign_up_by_mail(form(Some(&token))).await;
    assert_eq!(made.status, 201);
    let answer = anyone.post("/auth/signup", form(Some(&token))).await;
    assert_eq!(answer.failure(), (422, "invalid"), "it is good once");
}

#[tokio::test]
async fn codes_of_a_second_factor_are_slowed_apart_from_passwords() {
    let app = TestApp::sqlite(strict_by_account()).await;
    let dana = app.sitter("Dana").await;
    let begun = dana
        .post("/auth/factors/totp", json!({ "password": PASSWORD }))
        .await;
    let secret = begun.data()["secret"].as_str().unwrap().to_owned();
    let confirm = format!("/auth/factors/{}/confirm", begun.id());
    let code = code_of(&secret, app.state.now());
    assert_eq!(
        dana.post(&confirm, json!({ "code": code })).await.status,
        200
    );
    app.clock.advance(DAY);
    let asked = sign_in_from(&app, "192.0.2.1", PASSWORD, None).await;
    let step = async |asked: &Answer, code: &str, device: Option<&Value>| {
        let form =
            json!({ "challenge": asked.data()["challenge"], "code": code, "device": device });
        app.anonymous().post("/auth/signin/factor", form).await
    };
    let entered = step(&asked, &code_of(&secret, app.state.now()), None).await;
    let device = entered.data()["device"].clone();

    // Somebody who has the password guesses codes, and then waits.
    let stolen = sign_in_from(&app, "198.51.100.1", PASSWORD, None).await;
    for expected in [422, 422, 422, 429] {
        assert_eq!(step(&stolen, "000000", None).await.status, expected);
    }
    app.clock.advance(30_000 - 1);
    let mine = sign_in_from(&app, "192.0.2.1", PASSWORD, Some(&device)).await;
    app.clock.advance(1);
    let code = code_of(&secret, app.state.now());
    assert_eq!(step(&mine, &code, Some(&device)).await.status, 200);
}
