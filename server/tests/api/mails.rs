//! Each kind of mail as it is composed and sent, in `pwa/e2e/files/mails.json`: a browser story looks at them there.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use walkies_server::app::settings::Settings;
use walkies_server::external::mail::Mailer;
use walkies_server::external::mail_html::html;
use walkies_server::jobs::{event_mail, mail};

use crate::reports::walk_form;
use crate::support::push::PushService;
use crate::support::{DAY, PASSWORD, TestApp, settings};

const SECOND: i64 = 1_000;
const MINUTE: i64 = 60_000;
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../pwa/e2e/files/mails.json");
/// Set to write the file anew, after a mail was changed on purpose.
const WRITE: &str = "WALKIES_WRITE_MAILS";

/// Letters of what stands for a secret in the file.
const MASK: &str = "k7QxVb2mNw";

struct Mails {
    app: TestApp,
    _push: PushService,
    taken: Vec<Value>,
}

impl Mails {
    async fn new() -> Self {
        let push = PushService::start().await;
        let app = TestApp::sqlite(Settings {
            sends_mail: true,
            push: push.push_settings(Duration::from_secs(60)),
            ..settings()
        })
        .await;
        Self {
            app,
            _push: push,
            taken: Vec::new(),
        }
    }

    /// Sends what is due, and keeps the one mail of this kind; its text.
    async fn take(&mut self, kind: &str) -> String {
        event_mail::queue_due(&self.app.state).await.unwrap();
        let folder = self.app.folder().join("mail");
        let mailer = Mailer::Folder(folder.clone());
        while mail::send_next(&self.app.state, &mailer).await.unwrap() {}
        let files: Vec<_> = std::fs::read_dir(&folder).unwrap().collect();
        let paths: Vec<_> = files.into_iter().map(|it| it.unwrap().path()).collect();
        let [path] = paths.as_slice() else {
            panic!("{} mails for `{kind}`", paths.len());
        };
        let written = std::fs::read_to_string(path).unwrap();
        std::fs::remove_file(path).unwrap();
        let (head, text) = written.split_once("\n\n").unwrap();
        let line = |name: &str| head.lines().find_map(|it| it.strip_prefix(name));
        let subject = line("Subject: ").unwrap();
        let stop = line("List-Unsubscribe: ").map(|it| it.trim_matches(['<', '>']));
        let page = html(subject, text, stop);
        self.taken.push(json!({
            "kind": kind, "subject": masked(subject), "text": masked(text), "html": masked(&page),
        }));
        text.to_owned()
    }
}

/// The same in place of codes and of the secrets in links, which are others each time.
fn masked(text: &str) -> String {
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '-' || it == '_';
    let mut out = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let n = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(n);
        let n_digits = word.chars().filter(char::is_ascii_digit).count();
        if n == 8 && n_digits == 8 {
            out.push_str("12345678");
        } else if 20 <= n && (0 < n_digits || out.ends_with('/')) || out.ends_with("code=") {
            out.extend(MASK.chars().cycle().take(n));
        } else {
            out.push_str(word);
        }
        let other = after.chars().next().map_or(0, char::len_utf8);
        out.push_str(&after[..other]);
        rest = &after[other..];
    }
    out
}

#[tokio::test]
async fn each_mail_is_as_the_browser_story_has_it() {
    let mut mails = Mails::new().await;
    let app = &mails.app;
    let sitter = app.sitter("Mara").await;
    let profile = json!({
        "business_name": "Paws & Co", "mails_changes": true,
        "invoicing": { "prefix": "INV-", "due_days": 7, "contact_email": "mara@example.org" },
    });
    sitter.put("/sitters/profile", profile).await.data();
    let sam = sitter.client("Sam Rivers").await;
    let parent = app.pet_parent("Sam").await;
    app.link(&sitter, &sam.0, Some(&parent)).await;
    let kim = sitter.client("Kim Waters").await;
    let email = json!({ "email": "kim@example.com" });
    sitter
        .put(&format!("/clients/{}", kim.0), email)
        .await
        .data();

    let form = |name: &str, email: &str| {
        json!({
            "name": name, "email": email, "password": PASSWORD, "time_zone": "America/New_York", "role": "client",
        })
    };
    let nobody = app.anonymous();
    nobody
        .post("/auth/signup", form("Lee Park", "lee@example.com"))
        .await;
    mails.take("code to sign up").await;
    nobody
        .post("/auth/signup", form("Mara", "mara@example.com"))
        .await;
    mails
        .take("sign-up with an email that has an account")
        .await;
    nobody
        .post(
            "/auth/forgot-password",
            json!({ "email": "sam@example.com" }),
        )
        .await;
    mails.take("new password").await;
    let change = json!({ "email": "sam.rivers@example.com", "password": PASSWORD });
    let asked = parent.post("/auth/email", change).await.data().clone();
    let text = mails.take("code for another email").await;
    let code = text.split("Your code is ").nth(1).unwrap()[..8].to_owned();
    let form = json!({ "token": asked["token"], "code": code });
    parent.post("/auth/email/confirm", form).await.data();
    mails.take("email was changed").await;

    let invite = format!("/clients/{}/invite", kim.0);
    sitter
        .post(&invite, json!({ "send_email": true }))
        .await
        .data();
    mails.take("invitation").await;
    // Events of one mail stand in the order in which they happened.
    sitter.walk(&kim, "2026-11-24", "10:00").await;
    mails.app.clock.advance(SECOND);
    sitter.walk(&kim, "2026-11-26", "10:00").await;
    mails.app.clock.advance(10 * MINUTE);
    mails.take("visits, to a client without a login").await;
    sitter.walk(&sam, "2026-11-24", "12:00").await;
    mails.app.clock.advance(SECOND);
    sitter.walk(&sam, "2026-11-25", "12:00").await;
    mails.app.clock.advance(SECOND);
    let message = json!({ "conversation_id": sam.0, "content": "See you on Tuesday" });
    sitter.post("/messages", message).await.data();
    mails.app.clock.advance(60 * MINUTE);
    mails.take("events, to a pet parent").await;
    let wish = json!({
        "client_id": sam.0, "dog_ids": [sam.1], "service_type": "walk", "requested_date": "2026-11-27",
        "requested_start_time": "10:00", "requested_duration_minutes": 30,
    });
    parent.post("/client/requests", wish).await.data();
    mails.app.clock.advance(60 * MINUTE);
    mails.take("events, to the sitter").await;

    let extras = json!([{ "label": "Keys", "amount": 1_240.5 }]);
    let form = json!({ "client_id": kim.0, "extras": extras });
    let invoice = sitter.post("/invoices/share", form).await.data().clone();
    mails.take("invoice").await;
    mails.app.clock.advance(9 * DAY);
    let remind = format!("/invoices/{}/remind", invoice["id"].as_str().unwrap());
    sitter.post(&remind, json!({})).await.data();
    mails.take("reminder of an invoice").await;
    let walk = walk_form(json!([]), &[(&kim, "Rex was brave")]);
    sitter.post("/walks", walk).await.data();
    mails.take("report").await;
    sitter
        .post(&format!("/clients/{}/unlink", sam.0), json!({}))
        .await
        .data();
    mails.take("end of the access").await;

    let composed = serde_json::to_string_pretty(&mails.taken).unwrap() + "\n";
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(FILE, &composed).unwrap();
    }
    let kept = std::fs::read_to_string(Path::new(FILE)).unwrap_or_default();
    assert!(
        kept == composed,
        "mails have changed: {WRITE}=1 writes {FILE} anew, and the browser story mails.spec.ts looks at them"
    );
}
