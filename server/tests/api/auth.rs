//! Signing up, in and out, and all that can go wrong with it.

use serde_json::{Value, json};
use walkies_core::Instant;
use walkies_server::limit::Rate;
use walkies_server::{db, jobs};

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

    async fn an_email_signs_up_once_and_a_lost_answer_is_given_again(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let form = |password: &str| json!({
            "name": "Dana", "email": " DANA@example.com ", "password": password, "time_zone": "UTC",
        });
        let other = app.anonymous().post("/auth/signup", form("another password")).await;
        assert_eq!(other.failure(), (409, "email_taken"));
        let again = app.anonymous().post("/auth/signup", form(PASSWORD)).await;
        assert_eq!(app.user_of(&again).user_id, dana.user_id);
    }

    async fn two_sign_ups_of_one_email_at_once_make_one_account(app: TestApp) {
        let form = |name: &str| json!({
            "name": name, "email": "same@example.com", "password": format!("the password of {name}"), "time_zone": "UTC",
        });
        let (one, two) = (app.anonymous(), app.anonymous());
        let (one, two) = tokio::join!(one.post("/auth/signup", form("One")), two.post("/auth/signup", form("Two")));
        let mut statuses = [one.status.as_u16(), two.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409]);
        let accounts = app.dump(None).await;
        assert_eq!(accounts.iter().filter(|it| it.starts_with("user_account ")).count(), 1);
        assert_eq!(accounts.iter().filter(|it| it.starts_with("sitter ")).count(), 1, "no business is left over");
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
        jobs::tidy_once(&app.state).await.unwrap();
        let dump = app.dump(None).await;
        assert!(dump.iter().all(|it| !it.starts_with("session ") && !it.starts_with("password_reset ")));
    }
}

fn strict() -> walkies_server::state::Settings {
    walkies_server::state::Settings {
        rate_by_address: Rate {
            burst: 6,
            every_ms: 1_000,
        },
        rate_by_account: Rate {
            burst: 3,
            every_ms: 10_000,
        },
        ..settings()
    }
}

#[tokio::test]
async fn guessing_is_slowed_by_account_and_the_right_password_forgives() {
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
async fn who_has_an_account_is_slowed_like_who_has_none() {
    let app = TestApp::sqlite(walkies_server::state::Settings {
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
        let app = TestApp::sqlite(walkies_server::state::Settings {
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
    let dearer = walkies_server::password::Cost {
        memory_kib: 128,
        passes: 2,
    };
    let passwords = walkies_server::password::Passwords::new(dearer).unwrap();
    let hash = passwords.hash(PASSWORD.to_owned()).await.unwrap();
    let mut tx = app.state.db.write().await.unwrap();
    db::rehash_password(&mut tx, dana.user_id, &hash)
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
