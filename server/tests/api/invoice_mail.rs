//! The mail that brings an invoice to its client, what the sitter reads of it, and of the first opening of the page.

use std::path::Path;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use walkies_server::app::settings::Settings;
use walkies_server::archive::import::work;
use walkies_server::external::mail::Mailer;
use walkies_server::jobs::mail::send_next;

use crate::on_both;
use crate::support::{DAY, PASSWORD, TestApp, User, settings, walk};

/// A business on a server that sends mail, with a client who has an address.
struct Billing {
    app: TestApp,
    sitter: User,
    client: String,
    dog: String,
}

impl Billing {
    async fn new(app: &TestApp) -> Self {
        let mail = Settings {
            sends_mail: true,
            ..settings()
        };
        let app = app.with(mail).await;
        let sitter = app.sitter("Mara").await;
        let client = sitter.client("Sam Rivers").await;
        let billing = Self {
            client: client.0,
            dog: client.1,
            app,
            sitter,
        };
        billing
            .set(json!({ "prefix": "INV-", "due_days": 7, "contact_email": "mara@example.org" }))
            .await;
        let email = json!({ "email": "sam@example.com" });
        billing
            .sitter
            .put(&format!("/clients/{}", billing.client), email)
            .await
            .data();
        billing
    }

    async fn set(&self, invoicing: Value) {
        let profile = json!({ "invoicing": invoicing });
        self.sitter.put("/sitters/profile", profile).await.data();
    }

    /// Shares an invoice of $40 for one line.
    async fn share(&self) -> Value {
        let extras = json!([{ "label": "Keys", "amount": 40 }]);
        let form = json!({ "client_id": self.client, "extras": extras });
        let shared = self.sitter.post("/invoices/share", form).await;
        assert_eq!(shared.status, 201, "{}", shared.body);
        shared.data().clone()
    }

    async fn read(&self, invoice: &Value) -> Value {
        let path = format!("/invoices/{}", invoice["id"].as_str().unwrap());
        self.sitter.get(&path).await.data().clone()
    }

    async fn deliver(&self, mailer: &Mailer) {
        while send_next(&self.app.state, mailer).await.unwrap() {}
    }

    /// Opens the invoice's page as a program with this name and this cookie.
    async fn open(&self, invoice: &Value, agent: &str, cookie: &str) {
        let path = invoice["shareUrl"].as_str().unwrap();
        let request = Request::get(path)
            .header("user-agent", agent)
            .header("cookie", cookie)
            .body(Body::empty())
            .unwrap();
        let answer = self.app.anonymous().try_send(request).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
}

/// Reads the one mail in this folder.
fn only_file(folder: &Path) -> String {
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().collect();
    let [file] = files.as_slice() else {
        panic!("{files:?}")
    };
    std::fs::read_to_string(file.as_ref().unwrap().path()).unwrap()
}

on_both! {
    async fn an_invoice_is_mailed_once_with_its_pdf_and_says_so(app: TestApp) {
        let billing = Billing::new(&app).await;
        let invoice = billing.share().await;
        assert_eq!(invoice["mailed"]["state"], "waiting", "{invoice}");
        assert_eq!(invoice["mailed"]["to"], "sam@example.com");
        let folder = billing.app.folder().join("mail");
        let mailer = Mailer::Folder(folder.clone());
        billing.deliver(&mailer).await;
        billing.deliver(&mailer).await;
        let text = only_file(&folder);
        for part in [
            "To: sam@example.com\nSubject: Invoice INV-1 from Mara, $40.00\n",
            "List-Unsubscribe: <",
            "Reply-To: mara@example.org\nAttachment: Invoice INV-1.pdf, ",
            "Hello Sam! Here is invoice INV-1 from Mara: $40.00 to pay, due on ",
            invoice["shareUrl"].as_str().unwrap(),
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let read = billing.read(&invoice).await;
        assert_eq!(read["mailed"]["state"], "sent", "{read}");
    }

    async fn an_invoice_is_not_mailed_where_the_sitter_or_the_recipient_has_stopped_that(app: TestApp) {
        let billing = Billing::new(&app).await;
        billing.set(json!({ "prefix": "INV-", "keeps_mail_off": true })).await;
        assert!(billing.share().await["mailed"].is_null());
        billing.set(json!({ "prefix": "INV-" })).await;
        billing.share().await;
        let mail = billing.app.mail_to("sam@example.com").await;
        let (_, stop) = mail.rsplit_once("Stop it here: http://127.0.0.1:8080").unwrap();
        let request = Request::post(stop.trim()).body(Body::empty()).unwrap();
        let stopped = billing.app.anonymous().try_send(request).await;
        assert!(stopped.status.as_u16() < 400, "{}", stopped.body);
        assert_eq!(billing.share().await["mailed"]["state"], "stopped");
    }

    async fn a_mail_that_is_given_up_says_so_in_its_invoice(app: TestApp) {
        let billing = Billing::new(&app).await;
        let invoice = billing.share().await;
        // A file stands where the folder would be.
        let path = billing.app.folder().join("no-folder");
        std::fs::write(&path, "").unwrap();
        let mailer = Mailer::Folder(path);
        for _ in 0..12 {
            billing.deliver(&mailer).await;
            billing.app.clock.advance(DAY);
        }
        let read = billing.read(&invoice).await;
        assert_eq!(read["mailed"]["state"], "failed", "{read}");
    }

    async fn a_reminder_waits_for_the_mail_that_brings_its_invoice(app: TestApp) {
        let billing = Billing::new(&app).await;
        let invoice = billing.share().await;
        // A file stands where the folder would be.
        let path = billing.app.folder().join("no-folder");
        std::fs::write(&path, "").unwrap();
        billing.deliver(&Mailer::Folder(path)).await;
        let path = format!("/invoices/{}/remind", invoice["id"].as_str().unwrap());
        let reminded = billing.sitter.post(&path, json!({})).await;
        assert_eq!(reminded.status, 200, "{}", reminded.body);
        let folder = billing.app.folder().join("mail");
        let mailer = Mailer::Folder(folder.clone());
        billing.deliver(&mailer).await;
        assert!(!folder.exists(), "the reminder came first");
        billing.app.clock.advance(DAY);
        assert!(send_next(&billing.app.state, &mailer).await.unwrap());
        let first = only_file(&folder);
        assert!(first.contains("Subject: Invoice INV-1 from Mara"), "{first}");
        assert!(send_next(&billing.app.state, &mailer).await.unwrap());
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    }

    async fn the_words_of_a_mail_are_of_the_moment_in_which_it_is_sent(app: TestApp) {
        let billing = Billing::new(&app).await;
        let invoice = billing.share().await;
        let path = format!("/invoices/{}/payments", invoice["id"].as_str().unwrap());
        let paid = billing.sitter.post(&path, json!({ "amount": 15, "method": "cash" })).await;
        assert_eq!(paid.status, 200, "{}", paid.body);
        let folder = billing.app.folder().join("mail");
        billing.deliver(&Mailer::Folder(folder.clone())).await;
        let text = only_file(&folder);
        for part in [
            "Subject: Invoice INV-1 from Mara, $25.00\n",
            "INV-1 from Mara: $25.00 to pay, due on ",
            "The PDF is attached. This page has the invoice, too:\n",
            "Stop it here: ",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains("the ways to pay it"), "no way to pay is set up: {text}");
    }

    async fn an_invoice_that_is_too_long_for_a_pdf_is_mailed_without_one(app: TestApp) {
        let billing = Billing::new(&app).await;
        let mut services = Vec::new();
        for day in 1..=25 {
            let mut form = walk(&billing.client, &billing.dog, &format!("2026-10-{day:02}"), "10:00");
            form["completion_notes"] = json!("x\n".repeat(2000) + "x");
            services.push(billing.sitter.post("/services", form).await.id());
        }
        let form = json!({ "client_id": billing.client, "services": services });
        let invoice = billing.sitter.post("/invoices/share", form).await;
        assert_eq!(invoice.status, 201, "{}", invoice.body);
        let folder = billing.app.folder().join("mail");
        billing.deliver(&Mailer::Folder(folder.clone())).await;
        let text = only_file(&folder);
        assert!(!text.contains("PDF") && text.contains("This page has the invoice:\n"), "{text}");
        assert_eq!(billing.read(invoice.data()).await["mailed"]["state"], "sent");
    }

    async fn mail_about_a_password_does_not_wait_for_invoices(app: TestApp) {
        let billing = Billing::new(&app).await;
        for _ in 0..3 {
            billing.share().await;
        }
        billing.app.clock.advance(1000);
        let email = json!({ "email": "mara@example.com" });
        let asked = billing.app.anonymous().post("/auth/forgot-password", email).await;
        assert!(asked.status.as_u16() < 300, "{}", asked.body);
        let folder = billing.app.folder().join("mail");
        assert!(send_next(&billing.app.state, &Mailer::Folder(folder.clone())).await.unwrap());
        let text = only_file(&folder);
        assert!(text.contains("To: mara@example.com\n"), "{text}");
    }

    async fn no_invoice_waits_for_a_mail_that_went_with_an_account(app: TestApp) {
        let billing = Billing::new(&app).await;
        let sam = billing.app.pet_parent("Sam").await;
        let email = json!({ "email": "sam@example.com" });
        billing.sitter.put(&format!("/clients/{}", billing.client), email).await.data();
        let invoice = billing.share().await;
        assert_eq!(invoice["mailed"]["state"], "waiting");
        let form = json!({ "password": PASSWORD });
        let gone = sam.call("DELETE", "/auth/account", &[], Some(form)).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        assert!(billing.read(&invoice).await["mailed"].is_null());
    }

    #[always]
    async fn no_invoice_that_comes_back_waits_for_a_mail_that_was_dropped(app: TestApp) {
        let billing = Billing::new(&app).await;
        let invoice = billing.share().await;
        let form = json!({ "word": "CLEAR", "password": PASSWORD });
        assert_eq!(billing.sitter.post("/clear", form).await.status, 200);
        work(&billing.app.state).await;
        let folder = billing.app.folder().join("mail");
        billing.deliver(&Mailer::Folder(folder.clone())).await;
        assert_eq!(std::fs::read_dir(&folder).map_or(0, Iterator::count), 0);
        assert_eq!(billing.sitter.post("/clear/undo", json!({})).await.status, 200);
        work(&billing.app.state).await;
        assert!(billing.read(&invoice).await["mailed"].is_null());
    }

    async fn an_invoice_that_is_paid_before_its_mail_goes_out_is_not_mailed(app: TestApp) {
        let billing = Billing::new(&app).await;
        let invoice = billing.share().await;
        let path = format!("/invoices/{}/mark-paid", invoice["id"].as_str().unwrap());
        assert_eq!(billing.sitter.post(&path, json!({})).await.status, 200);
        let folder = billing.app.folder().join("mail");
        billing.deliver(&Mailer::Folder(folder.clone())).await;
        assert_eq!(std::fs::read_dir(&folder).map_or(0, Iterator::count), 0);
        assert!(billing.read(&invoice).await["mailed"].is_null());
    }

    async fn only_somebody_else_s_first_opening_counts_and_no_client_learns_of_it(app: TestApp) {
        let billing = Billing::new(&app).await;
        let invoice = billing.share().await;
        let opened = async || billing.read(&invoice).await["opened_at"].clone();
        let browser = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";
        let own = format!("a=b; own_invoices={}", billing.sitter.sitter_id.unwrap());
        billing.open(&invoice, browser, &own).await;
        billing.open(&invoice, "WhatsApp/2.23", "").await;
        assert!(opened().await.is_null());
        billing.open(&invoice, browser, "").await;
        let first = opened().await;
        assert!(first.is_string(), "{first}");
        billing.app.clock.advance(DAY);
        billing.open(&invoice, browser, "").await;
        assert_eq!(opened().await, first);
    }

    async fn whatever_strangers_send_an_opening_is_written_once_and_tells_them_nothing(app: TestApp) {
        let billing = Billing::new(&app).await;
        let invoice = billing.share().await;
        let eve = billing.app.sitter("Eve").await;
        let browser = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)";
        // The mark of another business hides nobody's opening.
        billing.open(&invoice, browser, &format!("own_invoices={}", eve.sitter_id.unwrap())).await;
        let first = billing.read(&invoice).await["opened_at"].clone();
        assert!(first.is_string(), "{first}");
        let before = billing.app.dump(billing.sitter.sitter_id).await;
        billing.app.clock.advance(DAY);
        let long = "a".repeat(4_000);
        for cookie in ["own_invoices=", "own_invoices=' OR 1=1", ";;;=;", long.as_str()] {
            for agent in [browser, "", long.as_str()] {
                billing.open(&invoice, agent, cookie).await;
            }
        }
        assert_eq!(billing.app.dump(billing.sitter.sitter_id).await, before);
        // Nobody else reads or sets it.
        let path = format!("/invoices/{}", invoice["id"].as_str().unwrap());
        assert_eq!(eve.get(&path).await.status, 404);
        let share_id = invoice["shareUrl"].as_str().unwrap().rsplit('/').next().unwrap();
        let seen = billing.app.anonymous().get(&format!("/public/invoices/{share_id}")).await;
        let seen = seen.body.to_string();
        assert!(!seen.contains("opened_at") && !seen.contains("sam@example.com"), "{seen}");
    }
}
