//! The mail that brings a report to its client, what the sitter reads of it, and of the first opening of the page.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use walkies_server::app::settings::Settings;
use walkies_server::archive::import::work;
use walkies_server::external::mail::Mailer;
use walkies_server::jobs::mail::send_next;

use crate::on_both;
use crate::reports::walk_form;
use crate::support::{DAY, PASSWORD, Phone, TestApp, User, settings};

/// A business on a server that sends mail, with a client who has an address and is not in the portal.
struct Walker {
    app: TestApp,
    sitter: User,
    sam: (String, String),
}

impl Walker {
    async fn new(app: &TestApp) -> Self {
        let mail = Settings {
            sends_mail: true,
            ..settings()
        };
        let app = app.with(mail).await;
        let sitter = app.sitter("Mara").await;
        let sam = sitter.client("Sam Rivers").await;
        let walker = Self { app, sitter, sam };
        let contact = json!({ "invoicing": { "contact_email": "mara@example.org" } });
        walker.set(contact).await;
        walker.write_to("sam@example.com").await;
        walker
    }

    async fn set(&self, profile: Value) {
        self.sitter.put("/sitters/profile", profile).await.data();
    }

    async fn write_to(&self, email: &str) {
        let path = format!("/clients/{}", self.sam.0);
        let form = json!({ "email": email });
        self.sitter.put(&path, form).await.data();
    }

    /// Shares a walk with the client; the report.
    async fn share(&self, form: &Value) -> Value {
        let shared = self.sitter.post("/walks", form.clone()).await;
        assert_eq!(shared.status, 201, "{}", shared.body);
        shared.data()["reports"][0].clone()
    }

    fn form(&self) -> Value {
        walk_form(json!([]), &[(&self.sam, "Rex was brave")])
    }

    /// The report as the sitter's phone reads it; null once it was taken back.
    async fn read(&self, report: &Value) -> Value {
        let page = Phone::new(&self.sitter).pull().await;
        let rows = page["rows"].as_array().unwrap();
        let found = rows.iter().find(|it| it["id"] == report["id"]);
        found.map_or(Value::Null, |it| it["d"].clone())
    }

    async fn deliver(&self) -> Vec<String> {
        let folder = self.app.folder().join("mail");
        let mailer = Mailer::Folder(folder.clone());
        while send_next(&self.app.state, &mailer).await.unwrap() {}
        let Ok(files) = std::fs::read_dir(&folder) else {
            return Vec::new();
        };
        let texts = files.map(|it| std::fs::read_to_string(it.unwrap().path()).unwrap());
        texts.collect()
    }

    /// Fetches the report's page as a program with this name and this cookie.
    async fn open(&self, report: &Value, query: &str, agent: &str, cookie: &str) {
        let share_id = report["share_id"].as_str().unwrap();
        let request = Request::get(format!("/api/public/reports/{share_id}{query}"))
            .header("user-agent", agent)
            .header("cookie", cookie)
            .body(Body::empty())
            .unwrap();
        let answer = self.app.anonymous().try_send(request).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
}

const BROWSER: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";

on_both! {
    #[always]
    async fn a_report_is_mailed_once_however_often_it_is_changed_and_says_so(app: TestApp) {
        let walker = Walker::new(&app).await;
        let mut form = walker.form();
        let report = walker.share(&form).await;
        assert_eq!(report["mailed"]["state"], "waiting", "{report}");
        assert_eq!(report["mailed"]["to"], "sam@example.com");
        let mails = walker.deliver().await;
        let [text] = mails.as_slice() else { panic!("{mails:?}") };
        for part in [
            "To: sam@example.com\nSubject: Report of the walk with ",
            "List-Unsubscribe: <",
            "Reply-To: mara@example.org\n",
            "Hello Sam! Here is the report of the walk with ",
            &format!("/report/{}\n", report["share_id"].as_str().unwrap()),
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("brave"), "{text}");
        assert_eq!(walker.read(&report).await["mailed"]["state"], "sent");
        form["id"] = report["walk_id"].clone();
        form["reports"][0]["note"] = json!("Rex was very brave");
        let changed = walker.share(&form).await;
        assert_eq!((&changed["id"], &changed["mailed"]["state"]), (&report["id"], &json!("sent")));
        assert_eq!(walker.deliver().await.len(), 1);
    }

    async fn a_report_by_mail_is_seen_as_opened_by_others_than_its_sitter(app: TestApp) {
        let walker = Walker::new(&app).await;
        let report = walker.share(&walker.form()).await;
        let opened = async || walker.read(&report).await["opened_at"].clone();
        let own = format!("a=b; own_reports={}", walker.sitter.sitter_id.unwrap());
        walker.open(&report, "?read=1", BROWSER, &own).await;
        walker.open(&report, "?read=1", "WhatsApp/2.23", "").await;
        // As a phone keeps it for later.
        walker.open(&report, "", BROWSER, "").await;
        assert!(opened().await.is_null());
        walker.open(&report, "?read=1", BROWSER, "").await;
        let first = opened().await;
        assert!(first.is_string(), "{first}");
        walker.app.clock.advance(DAY);
        walker.open(&report, "?read=1", BROWSER, "").await;
        assert_eq!(opened().await, first);
    }

    async fn a_report_is_not_mailed_where_the_sitter_has_switched_that_off(app: TestApp) {
        let walker = Walker::new(&app).await;
        walker.set(json!({ "keeps_report_mail_off": true })).await;
        assert!(walker.share(&walker.form()).await["mailed"].is_null());
        assert_eq!(walker.deliver().await.len(), 0);
    }

    #[always]
    async fn a_report_that_was_taken_back_or_has_another_reader_is_not_mailed(app: TestApp) {
        let walker = Walker::new(&app).await;
        let report = walker.share(&walker.form()).await;
        let path = format!("/walks/{}", report["walk_id"].as_str().unwrap());
        assert_eq!(walker.sitter.delete(&path).await.status, 200);
        let other = walker.share(&walker.form()).await;
        walker.write_to("sam.rivers@example.com").await;
        assert_eq!(walker.deliver().await.len(), 0);
        assert!(walker.read(&other).await["mailed"].is_null());
    }

    #[always]
    async fn no_report_waits_for_a_mail_that_went_with_an_account(app: TestApp) {
        let walker = Walker::new(&app).await;
        let sam = walker.app.pet_parent("Sam").await;
        let report = walker.share(&walker.form()).await;
        assert_eq!(report["mailed"]["state"], "waiting");
        let form = json!({ "password": PASSWORD });
        let gone = sam.call("DELETE", "/auth/account", &[], Some(form)).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        assert!(walker.read(&report).await["mailed"].is_null());
    }

    #[always]
    async fn no_report_that_comes_back_waits_for_a_mail_that_was_dropped(app: TestApp) {
        let walker = Walker::new(&app).await;
        let report = walker.share(&walker.form()).await;
        let form = json!({ "word": "CLEAR", "password": PASSWORD });
        assert_eq!(walker.sitter.post("/clear", form).await.status, 200);
        work(&walker.app.state).await;
        assert!(walker.deliver().await.is_empty());
        assert_eq!(walker.sitter.post("/clear/undo", json!({})).await.status, 200);
        work(&walker.app.state).await;
        assert!(walker.read(&report).await["mailed"].is_null());
    }
}
