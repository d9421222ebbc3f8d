//! Limits of what one account, one network or everybody together may have done: who meets them, who doesn't, and what
//! the refused are told.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use walkies_core::rules::message::TOO_MUCH_TODAY;
use walkies_server::app::settings::{MailRates, Settings};
use walkies_server::external::mail::Mailer;
use walkies_server::jobs::{cleanup, mail};
use walkies_server::limits::rate::Rate;

use crate::on_both;
use crate::support::{Answer, DAY, HOUR, PASSWORD, Phone, TestApp, User, settings};

/// Few tries, behind a proxy that says where callers are.
fn strict() -> Settings {
    Settings {
        behind_proxy: true,
        rate_by_address: Rate {
            burst: 6,
            every_ms: 1_000,
        },
        rate_by_account: Rate {
            burst: 3,
            every_ms: 10_000,
        },
        rate_of_writes: Rate {
            burst: 40,
            every_ms: 1_000,
        },
        ..settings()
    }
}

async fn sign_in_from(app: &TestApp, address: &str, email: &str, password: &str) -> Answer {
    let form = json!({ "email": email, "password": password });
    let from = [("x-forwarded-for", address)];
    let anyone = app.anonymous();
    anyone.call("POST", "/auth/signin", &from, Some(form)).await
}

async fn note(sitter: &User, client: &str, notes: &str) -> u16 {
    let form = json!({ "access_notes": notes });
    let answer = sitter.put(&format!("/clients/{client}"), form).await;
    answer.status.as_u16()
}

#[tokio::test]
async fn a_clock_that_is_set_back_refuses_nobody() {
    let app = TestApp::sqlite(strict()).await;
    let dana = app.sitter("Dana").await;
    let (client, _) = dana.client("Kim").await;
    for back in [HOUR, DAY, 400 * DAY] {
        app.clock.advance(HOUR);
        for _ in 0..3 {
            let answer = sign_in_from(&app, "192.0.2.1", &dana.email, "a guess at it").await;
            assert_eq!(answer.status, 401);
        }
        let locked = sign_in_from(&app, "192.0.2.1", &dana.email, PASSWORD).await;
        assert_eq!(locked.status, 429);
        assert_eq!(note(&dana, &client, "before").await, 200);

        app.clock.set_wall_by(-back);
        assert_eq!(note(&dana, &client, "after").await, 200, "{back}");
        let form = json!({ "email": dana.email });
        let forgotten = app.anonymous().post("/auth/forgot-password", form).await;
        assert_eq!(forgotten.status, 200, "{back}");
        let still = sign_in_from(&app, "192.0.2.1", &dana.email, PASSWORD).await;
        assert_eq!(still.status, 429, "no time has passed: {back}");
        app.clock.advance(30_000);
        let again = sign_in_from(&app, "192.0.2.1", &dana.email, PASSWORD).await;
        assert_eq!(again.status, 200, "{back}");
    }
}

#[tokio::test]
async fn networks_of_ipv6_around_an_address_count_together() {
    let app = TestApp::sqlite(strict()).await;
    let dana = app.sitter("Dana").await;
    // Four and sixteen times what one address may.
    for (bits, step, expected) in [(56, 1, 24), (48, 0x100, 96)] {
        app.clock.advance(DAY);
        let mut let_in = 0;
        for number in 0..200 {
            let address = format!("2001:db8:1:{:x}::1", number * step);
            let email = format!("nobody{number}@example.com");
            let answer = sign_in_from(&app, &address, &email, "a guess at it").await;
            let_in += usize::from(answer.status == 401);
        }
        assert_eq!(let_in, expected, "/{bits}");
    }
    let other = sign_in_from(&app, "2001:db8:2:1::1", &dana.email, PASSWORD).await;
    assert_eq!(other.status, 200);
}

/// Settings with very low limits on mails.
fn strict_mail() -> Settings {
    let rate = |burst| Rate {
        burst,
        every_ms: 60_000,
    };
    Settings {
        behind_proxy: true,
        mail: MailRates {
            by_sender: rate(5),
            by_new_sender: rate(3),
            by_recipient: rate(2),
            of_new_senders: rate(6),
            of_senders: rate(9),
            codes_by_recipient: rate(4),
            codes: rate(100),
        },
        ..settings()
    }
}

/// Invites a new client with this e-mail, by mail.
async fn invite(sitter: &User, name: &str, email: &str) -> Answer {
    let form = json!({ "name": name, "email": email, "dogs": [{ "name": "Rex" }] });
    let client = sitter.post("/clients", form).await.id();
    let path = format!("/clients/{client}/invite");
    let mailed = sitter.post(&path, json!({ "send_email": true })).await;
    if mailed.status != 201 {
        // The link is there for whoever sends it otherwise.
        let link = sitter.post(&path, json!({})).await;
        assert!(link.data()["link"].is_string());
    }
    mailed
}

#[tokio::test]
async fn a_new_business_has_less_mailed_than_an_old_one() {
    let app = TestApp::sqlite(strict_mail()).await;
    let mallory = app.sitter("Mallory").await;
    for (weeks, most) in [(0, 3), (2, 5)] {
        app.clock.advance(weeks * 7 * DAY);
        for n in 0..most {
            let email = format!("stranger{weeks}-{n}@example.com");
            assert_eq!(invite(&mallory, "Sam", &email).await.status, 201, "{n}");
        }
        let refused = invite(&mallory, "Sam", "one-more@example.com").await;
        assert_eq!(refused.failure(), (409, "mail_limit"));
    }
}

#[tokio::test]
async fn one_mailbox_gets_few_invitations_however_many_invite_it_and_all_get_not_too_many() {
    let app = TestApp::sqlite(strict_mail()).await;
    let mut told = Vec::new();
    for (n, email) in ["kim@example.com", "kim+1@example.com", "Kim+2@example.com"]
        .into_iter()
        .enumerate()
    {
        let sitter = app.sitter(&format!("Mallory{n}")).await;
        told.push(invite(&sitter, "Kim", email).await.status.as_u16());
    }
    assert_eq!(told, [201, 201, 409]);
    // Of all new businesses together six mails go out, and of old ones three more.
    let (old, honest) = (app.sitter("Olga").await, app.sitter("Dana").await);
    app.clock.advance(8 * DAY);
    let mut sent = 0;
    for n in 0..10 {
        let sitter = app.sitter(&format!("Oscar{n}")).await;
        let email = format!("stranger{n}@example.com");
        sent += usize::from(invite(&sitter, "Sam", &email).await.status == 201);
    }
    assert_eq!(sent, 6);
    assert_eq!(invite(&old, "Sam", "sam@example.com").await.status, 201);
    let email = "ben@example.com";
    assert_eq!(invite(&honest, "Ben", email).await.status, 201);
}

#[tokio::test]
async fn names_in_mail_are_no_links() {
    let app = TestApp::sqlite(strict_mail()).await;
    let mallory = app.sitter("Mallory").await;
    let profile = json!({ "business_name": "You won https://evil.example/prize" });
    mallory.put("/sitters/profile", profile).await.data();
    invite(&mallory, "www.evil.example", "kim@example.com")
        .await
        .data();
    let queued = app.dump(None).await;
    let queued = queued.iter().find(|it| it.starts_with("mail_job "));
    let queued = queued.expect("a mail");
    assert!(
        queued.contains("You won invites you to Walkies"),
        "{queued}"
    );
    assert!(!queued.contains("evil"), "{queued}");
}

/// The page of a link, as a browser or a mail program asks for it.
async fn stop_page(app: &TestApp, method: &str, link: &str, body: &'static str) -> (u16, String) {
    let path = link.strip_prefix("http://127.0.0.1:8080").expect("our own");
    let request = Request::builder().method(method).uri(path);
    let request = request.body(Body::from(body)).expect("a request");
    let answer = app.anonymous().try_send(request).await;
    let text = String::from_utf8(answer.bytes).expect("a page");
    (answer.status.as_u16(), text)
}

on_both! {
    #[always]
    async fn a_recipient_stops_mail_and_whoever_would_write_is_told(app: TestApp) {
        let (dana, olga) = (app.sitter("Dana").await, app.sitter("Olga").await);
        invite(&dana, "Kim", "kim@example.com").await.data();
        let text = app.mail_to("kim@example.com").await;
        let (_, link) = text.trim_end().rsplit_once(' ').expect("a link");
        let (status, page) = stop_page(&app, "GET", link, "").await;
        assert!(status == 200 && page.contains("Stop mail from Walkies?"), "{page}");
        assert_eq!(invite(&olga, "Kim", "kim@example.com").await.status, 201, "looking stops nothing");

        // A mail program's own call.
        let (status, page) = stop_page(&app, "POST", link, "List-Unsubscribe=One-Click").await;
        assert!(status == 200 && page.contains("Mail is stopped"), "{page}");
        let mailer = Mailer::Folder(app.folder().join("mail"));
        assert!(mail::send_next(&app.state, &mailer).await.expect("it is looked at"));
        assert!(!app.folder().join("mail").exists(), "what waited is not sent");
        assert!(app.dump(None).await.iter().all(|it| !it.starts_with("mail_job ")));
        let refused = invite(&dana, "Kim", "Kim+dogs@example.com").await;
        assert_eq!(refused.failure(), (409, "mail_stopped"));
        let said = "Kim+dogs@example.com asked not to get mail from Walkies. Please send the link yourself.";
        assert_eq!(refused.body["error"], said);

        let (client, dog) = dana.client("Kim").await;
        dana.put(&format!("/clients/{client}"), json!({ "email": "kim@example.com" })).await.data();
        let walk = dana.walk(&(client.clone(), dog), "2026-11-24", "10:00").await;
        let shared = dana.post("/invoices/share", json!({ "client_id": client, "services": [walk] })).await;
        let reminded = dana.post(&format!("/invoices/{}/remind", shared.id()), json!({})).await;
        assert_eq!(reminded.failure(), (422, "invalid"));
        assert_eq!(reminded.body["error"], "kim@example.com asked not to get mail from Walkies. Please send the link yourself.");

        // Nobody else finds out: a sign-up is answered as ever, and mailed nothing.
        let form = json!({ "name": "Kim", "email": "kim@example.com", "password": PASSWORD, "time_zone": "UTC" });
        assert_eq!(app.anonymous().post("/auth/signup", form.clone()).await.status, 202);
        assert!(app.dump(None).await.iter().all(|it| !it.starts_with("mail_job ")));
        app.clock.advance(500 * DAY);
        cleanup::clean_up_once(&app.state).await.expect("it is cleaned up");
        let (_, page) = stop_page(&app, "GET", link, "").await;
        assert!(page.contains("Allow mail again"), "{page}");

        let (status, page) = stop_page(&app, "POST", link, "allow=1").await;
        assert!(status == 200 && page.contains("Stop mail from Walkies?"), "{page}");
        // The link in the newest mail is good as long as there is the account.
        let signed_up = app.sign_up_by_mail(form).await;
        assert_eq!(signed_up.status, 201);
        let (status, page) = stop_page(&app, "GET", link, "").await;
        assert!(status == 200 && page.contains("Stop mail from Walkies?"), "{page}");
        let proof = json!({ "password": PASSWORD });
        let gone = app.user_of(&signed_up).call("DELETE", "/auth/account", &[], Some(proof)).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        let kept = app.dump(None).await;
        assert!(kept.iter().all(|it| !it.starts_with("mail_recipient ")), "it goes with the account: {kept:?}");
        for unknown in ["http://127.0.0.1:8080/mail/stop/x", link] {
            assert_eq!(stop_page(&app, "POST", unknown, "").await.0, 404, "{unknown}");
            assert_eq!(stop_page(&app, "GET", unknown, "").await.0, 404, "{unknown}");
        }
    }
}

#[tokio::test]
async fn all_addresses_of_the_world_mail_a_person_few_codes_and_the_owner_still_gets_a_link() {
    let app = TestApp::sqlite(strict_mail()).await;
    let dana = app.sitter("Dana").await;
    app.clock.advance(DAY);
    let signed_in = sign_in_from(&app, "192.0.2.1", &dana.email, PASSWORD).await;
    let device = signed_in.data()["device"].clone();
    let ask = async |address: &str, path: &str, form: Value| {
        let from = [("x-forwarded-for", address)];
        let anyone = app.anonymous();
        anyone.call("POST", path, &from, Some(form)).await.status
    };
    let (mut codes, mut links) = (0, 0);
    for n in 0..200 {
        let address = format!("198.51.{}.{}", 100 + n / 100, n % 100);
        let form = json!({
            "name": "Kim", "email": format!("kim+{n}@example.com"), "password": PASSWORD, "time_zone": "UTC",
        });
        codes += usize::from(ask(&address, "/auth/signup", form).await == 202);
        let form = json!({ "email": dana.email });
        links += usize::from(ask(&address, "/auth/forgot-password", form).await == 200);
    }
    assert_eq!((codes, links), (4, 4));
    let form = json!({ "email": dana.email, "device": device });
    let owner = ask("192.0.2.1", "/auth/forgot-password", form).await;
    assert_eq!(owner, 200);
}

on_both! {
    async fn a_client_writes_so_much_in_a_day_and_nobody_else_less_for_it(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (kim, ben) = (dana.client("Kim").await, dana.client("Ben").await);
        let (mallory, honest) = (app.pet_parent("Kim").await, app.pet_parent("Ben").await);
        app.link(&dana, &kim.0, Some(&mallory)).await;
        app.link(&dana, &ben.0, Some(&honest)).await;
        let say = async |user: &User, client: &str, content: &str| {
            let form = json!({ "conversation_id": client, "content": content });
            user.post("/messages", form).await
        };
        // Of four bytes each.
        let long = "🐕".repeat(5_000);
        let mut sent = 0;
        let refused = loop {
            let answer = say(&mallory, &kim.0, &long).await;
            if answer.status != 201 {
                break answer;
            }
            sent += 1;
        };
        assert_eq!(sent, 12);
        assert_eq!(refused.failure(), (422, "invalid"));
        assert_eq!(refused.body["fields"], json!({ "content": TOO_MUCH_TODAY }));
        // What a phone sends is refused alone, and with the words it stays there.
        let mut phone = Phone::new(&mallory);
        let args = json!({ "id": app.state.env.id(), "conversation_id": kim.0, "content": long });
        let told = phone.send("send_message", args).await;
        assert_eq!(told["refusal"]["fields"][0]["text"], TOO_MUCH_TODAY, "{told}");
        assert_eq!(say(&honest, &ben.0, "Hello").await.status, 201);
        assert_eq!(say(&dana, &kim.0, &long).await.status, 201);
        app.clock.advance(DAY);
        assert_eq!(say(&mallory, &kim.0, "Good morning").await.status, 201);
    }

    #[always]
    async fn a_conversation_goes_a_day_after_its_client(app: TestApp) {
        let dana = app.sitter("Dana").await;
        let (kim, ben) = (dana.client("Kim").await, dana.client("Ben").await);
        for client in [&kim.0, &ben.0] {
            dana.put(&format!("/clients/{client}"), json!({ "email": "a@example.com" })).await.data();
        }
        let say = async |client: &str, content: &str| {
            let form = json!({ "conversation_id": client, "content": content });
            dana.post("/messages", form).await.data();
        };
        for n in 0..120 {
            say(&kim.0, &format!("Zwetschge {n}")).await;
        }
        say(&ben.0, "Hello").await;
        let mut phone = Phone::new(&dana);
        phone.pull().await;
        assert_eq!(dana.delete(&format!("/clients/{}", kim.0)).await.status, 200);
        app.clock.advance(DAY - HOUR);
        cleanup::clean_up_once(&app.state).await.unwrap();
        let said = |dump: &[String]| {
            let messages = dump.iter().filter(|it| it.starts_with("message "));
            messages.filter(|it| it.contains("Zwetschge")).count()
        };
        assert_eq!(said(&app.dump(None).await), 120, "the deletion can be undone");
        app.clock.advance(2 * HOUR);
        cleanup::clean_up_once(&app.state).await.unwrap();
        let left = app.dump(None).await;
        assert!(left.iter().all(|it| !it.contains("Zwetschge")), "{left:?}");
        let page = phone.pull().await;
        assert!(page.to_string().contains(&kim.0), "phones are told: {page}");
        let listed = dana.get("/conversations").await;
        let listed = listed.data().as_array().unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!(listed[0]["id"], json!(ben.0));
    }
}
