//! Whom an invoice is told to, who is reminded of it by hand or on the days that the sitter has set, and how often.

use serde_json::{Value, json};
use walkies_server::app::settings::{MailRates, Settings};
use walkies_server::db;
use walkies_server::external::mail::Mailer;
use walkies_server::jobs::invoice_reminders::remind_once;
use walkies_server::jobs::mail;
use walkies_server::limits::rate::Rate;

use crate::on_both;
use crate::push::{Family, body};
use crate::support::{Answer, DAY, HOUR, PASSWORD, Phone, TestApp, User, settings};

const MINUTE: i64 = 60_000;

impl Family {
    /// One that has an e-mail, of a business whose invoices are due after a week.
    async fn billed(app: &TestApp) -> Self {
        let family = Self::new(app).await;
        let invoicing = json!({ "prefix": "INV-", "due_days": 7, "reminder_days": [1, 3] });
        let profile = json!({ "invoicing": invoicing });
        family.sitter.put("/sitters/profile", profile).await.data();
        let client = format!("/clients/{}", family.client.0);
        let email = json!({ "email": "sam@example.com" });
        family.sitter.put(&client, email).await.data();
        family
    }

    /// Shares an invoice of one walk, which began ten hours before `start`: nobody is told that it is booked.
    async fn invoice(&self, start: &str) -> Value {
        let (hour, minute) = start.split_once(':').unwrap();
        let hour = hour.parse::<u32>().unwrap() - 10;
        let start = format!("{hour:02}:{minute}");
        let walk = self.sitter.walk(&self.client, "2026-11-20", &start).await;
        self.invoice_of(&walk).await
    }

    async fn invoice_of(&self, walk: &str) -> Value {
        let form = json!({ "client_id": self.client.0, "services": [walk] });
        self.sitter
            .post("/invoices/share", form)
            .await
            .data()
            .clone()
    }

    async fn act(&self, invoice: &Value, act: &str) -> Answer {
        let path = format!("/invoices/{}/{act}", invoice["id"].as_str().unwrap());
        self.sitter.post(&path, json!({})).await
    }

    /// Looks for what is to be reminded of, as two processes at once; to how many phones something was said.
    async fn remind_owed(&self) -> usize {
        let state = &self.app.state;
        let (one, other) = tokio::join!(remind_once(state), remind_once(state));
        one.and(other).unwrap();
        self.deliver().await.len()
    }

    async fn mails(&self) -> usize {
        self.rows("mail_job").await.len()
    }
}

/// A business whose one client has so many invoices, on a server that mails nobody more than ten times at once.
async fn often_billed(app: &TestApp, n: usize) -> (TestApp, User, Vec<String>) {
    let app = app
        .with(Settings {
            sends_mail: true,
            rate_by_account: Settings::default().rate_by_account,
            ..settings()
        })
        .await;
    let sitter = app.sitter("Mara").await;
    let invoicing =
        json!({ "prefix": "INV-", "due_days": 7, "reminder_days": [1], "keeps_mail_off": true });
    let profile = json!({ "invoicing": invoicing });
    sitter.put("/sitters/profile", profile).await.data();
    let client = sitter.client("Sam Rivers").await;
    let path = format!("/clients/{}", client.0);
    let email = json!({ "email": "sam@example.com" });
    sitter.put(&path, email).await.data();
    let mut invoices = Vec::new();
    for at in 0..n {
        let start = format!("{:02}:00", 6 + at);
        let walk = sitter.walk(&client, "2026-11-24", &start).await;
        let form = json!({ "client_id": client.0, "services": [walk] });
        let shared = sitter.post("/invoices/share", form).await;
        invoices.push(shared.data()["id"].as_str().unwrap().to_owned());
    }
    (app, sitter, invoices)
}

/// The number of invoices with a reminder.
async fn reminded(sitter: &User) -> usize {
    let listed = sitter.get("/invoices").await;
    let listed = listed.data().as_array().unwrap().clone();
    listed
        .iter()
        .filter(|it| it["reminded_at"].is_string())
        .count()
}

async fn mails(app: &TestApp) -> usize {
    let rows = app.dump(None).await;
    rows.iter().filter(|it| it.starts_with("mail_job ")).count()
}

on_both! {
    async fn a_client_is_told_of_an_invoice_without_what_it_comes_to(app: TestApp) {
        let family = Family::billed(&app).await;
        let phone = family.push.phone(&family.parent, "parent").await;
        family.push.phone(&family.sitter, "sitter").await;
        let invoice = family.invoice("10:00").await;
        let calls = family.deliver().await;
        let [call] = &calls[..] else { panic!("{calls:?}") };
        assert_eq!(call.phone, "parent");
        assert_eq!(body(&phone, call), "You have a new invoice");
        let leads = phone.read(call)["notification"]["navigate"].clone();
        assert!(leads.as_str().unwrap().ends_with(&format!("/client/invoices?client_id={}", family.client.0)), "{leads}");
        // So is a credit note.
        let path = format!("/invoices/{}/credit", invoice["id"].as_str().unwrap());
        assert_eq!(family.sitter.post(&path, json!({ "amount": 1, "note": "A slip" })).await.status, 201);
        let calls = family.deliver().await;
        let said: Vec<String> = calls.iter().map(|it| body(&phone, it)).collect();
        assert_eq!(said, ["You have a credit note"]);
        assert_eq!(family.mails().await, 0, "only a reminder is mailed");
    }

    async fn an_invoice_that_is_paid_deleted_or_credited_meanwhile_is_not_told(app: TestApp) {
        let family = Family::billed(&app).await;
        let phone = family.push.phone(&family.parent, "parent").await;
        let paid = family.invoice("10:00").await;
        assert_eq!(family.act(&paid, "mark-paid").await.status, 200);
        let deleted = family.invoice("11:00").await;
        let path = format!("/invoices/{}", deleted["id"].as_str().unwrap());
        assert_eq!(family.sitter.delete(&path).await.status, 200);
        let credited = family.invoice("12:00").await;
        let path = format!("/invoices/{}/credit", credited["id"].as_str().unwrap());
        let all = json!({ "amount": credited["total"], "note": "It rained" });
        assert_eq!(family.sitter.post(&path, all).await.status, 201);
        let told = family.deliver().await;
        let said: Vec<String> = told.iter().map(|it| body(&phone, it)).collect();
        assert_eq!(said, ["You have a credit note"]);
    }

    async fn a_reminder_goes_to_the_phone_and_by_mail_once_an_hour(app: TestApp) {
        let family = Family::billed(&app).await;
        let phone = family.push.phone(&family.parent, "parent").await;
        let invoice = family.invoice("10:00").await;
        family.deliver().await;
        assert_eq!(family.act(&invoice, "remind").await.status, 200);
        let calls = family.deliver().await;
        assert_eq!(calls.len(), 1);
        assert_eq!(body(&phone, &calls[0]), "Reminder: invoice INV-1 is unpaid");
        let address = format!("http://127.0.0.1:8080{}", invoice["shareUrl"].as_str().unwrap());
        let mail = family.app.mail_to("sam@example.com").await;
        let (text, stop) = mail.split_once("\n\n").unwrap();
        assert_eq!(text, format!("Hello Sam! This is a reminder of invoice INV-1 from Paws & Co: $25.00 to pay, due on Nov 27, 2026. {address}"));
        assert!(stop.starts_with("Don't want mail from Walkies? Stop it here: http://127.0.0.1:8080/mail/stop/"), "{stop}");
        let again = family.act(&invoice, "remind").await;
        assert_eq!(again.failure(), (422, "invalid"));
        assert_eq!(again.body["error"], "The last reminder of this invoice is less than an hour old");
        assert_eq!((family.deliver().await.len(), family.mails().await), (0, 0));
        family.app.clock.advance(HOUR);
        assert_eq!(family.act(&invoice, "mark-paid").await.status, 200);
        assert_eq!(family.act(&invoice, "remind").await.status, 200);
        assert_eq!((family.deliver().await.len(), family.mails().await), (0, 0));
    }

    async fn a_client_without_an_email_is_reminded_on_the_phone_alone(app: TestApp) {
        let family = Family::new(&app).await;
        family.push.phone(&family.parent, "parent").await;
        let invoice = family.invoice("10:00").await;
        family.deliver().await;
        assert_eq!(family.act(&invoice, "remind").await.status, 200);
        assert_eq!((family.deliver().await.len(), family.mails().await), (1, 0));
    }

    async fn a_client_whom_nothing_reaches_is_not_said_to_be_reminded(app: TestApp) {
        let family = Family::new(&app).await;
        family.app.link(&family.sitter, &family.client.0, None).await;
        let invoice = family.invoice("10:00").await;
        let refused = family.act(&invoice, "remind").await;
        assert_eq!(refused.failure(), (422, "invalid"));
        let text = "Sam Rivers gets neither mail nor notifications from Walkies. Please send the link yourself.";
        assert_eq!(refused.body["fields"], json!({ "email": text }));
        let path = format!("/invoices/{}", invoice["id"].as_str().unwrap());
        let read = family.sitter.get(&path).await;
        assert!(read.data()["reminded_at"].is_null(), "{}", read.body);
    }

    async fn of_what_is_owed_nobody_is_reminded_twice_on_one_day_nor_at_night(app: TestApp) {
        let family = Family::billed(&app).await;
        family.push.phone(&family.parent, "parent").await;
        let invoice = family.invoice("10:00").await;
        let other = family.invoice("11:00").await;
        assert_eq!(family.deliver().await.len(), 2);
        // In New York it is the twentieth at 4:00; they are due on the twenty-seventh.
        family.app.clock.advance(8 * DAY + 5 * HOUR - MINUTE);
        assert_eq!(family.remind_owed().await, 0, "nobody is reminded at night");
        family.app.clock.advance(MINUTE);
        assert_eq!(family.remind_owed().await, 2);
        assert_eq!(family.mails().await, 2);
        for _ in 0..20 {
            family.app.clock.advance(HOUR);
            assert_eq!(family.remind_owed().await, 0, "once a day is enough");
        }
        // On the third day the server is started late, and one of them is paid.
        assert_eq!(family.act(&other, "mark-paid").await.status, 200);
        family.app.clock.advance(MINUTE);
        assert_eq!(family.deliver().await.len(), 1, "of the payment");
        family.app.clock.advance(DAY + 10 * HOUR - MINUTE);
        assert_eq!(family.remind_owed().await, 1);
        assert_eq!(family.mails().await, 3);
        family.app.clock.advance(3 * DAY);
        assert_eq!(family.remind_owed().await, 0);
        let path = format!("/invoices/{}", invoice["id"].as_str().unwrap());
        let read = family.sitter.get(&path).await;
        assert!(read.data()["reminded_at"].as_str().unwrap().starts_with("2026-11-30"), "{:?}", read.data());
    }

    async fn all_that_is_owed_on_one_day_is_reminded_of_however_much_it_is(app: TestApp) {
        let family = Family::billed(&app).await;
        family.push.phone(&family.parent, "parent").await;
        for n in 0..25 {
            let (date, start) = (format!("2026-11-{}", 24 + n / 10), format!("{:02}:00", 8 + n % 10));
            let walk = family.sitter.walk(&family.client, &date, &start).await;
            family.invoice_of(&walk).await;
        }
        family.app.clock.advance(8 * DAY + 5 * HOUR);
        family.remind_owed().await;
        let listed = family.sitter.get("/invoices").await;
        let listed = listed.data().as_array().unwrap();
        assert_eq!(listed.iter().filter(|it| it["reminded_at"].is_string()).count(), 25);
    }

    async fn a_reminder_that_cannot_be_mailed_is_refused_in_words_and_is_none(app: TestApp) {
        let (app, sitter, invoices) = often_billed(&app, 11).await;
        let (last, first) = invoices.split_last().unwrap();
        for invoice in first {
            let reminded = sitter.post(&format!("/invoices/{invoice}/remind"), json!({})).await;
            assert_eq!(reminded.status, 200, "{}", reminded.body);
        }
        let refused = sitter.post(&format!("/invoices/{last}/remind"), json!({})).await;
        assert_eq!(refused.failure(), (422, "invalid"));
        let often = "Walkies can't mail sam@example.com again for now. Please send the link yourself, or try again later.";
        assert_eq!(refused.body["fields"], json!({ "email": often }));
        // A phone is told the same, and nothing behind it waits.
        let told = Phone::new(&sitter).send("remind_of_invoice", json!({ "id": last })).await;
        assert_eq!(told["refusal"]["fields"][0]["text"], often, "{told}");
        let invoice = sitter.get(&format!("/invoices/{last}")).await;
        assert!(invoice.data()["reminded_at"].is_null(), "{}", invoice.body);
        app.clock.advance(HOUR);
        assert_eq!(sitter.post(&format!("/invoices/{last}/remind"), json!({})).await.status, 200);
        assert_eq!(reminded(&sitter).await, 11);
        assert_eq!(mails(&app).await, 11);
    }

    async fn a_reminder_that_is_not_mailed_says_which_limit_it_has_met(app: TestApp) {
        let few = Rate { burst: 2, every_ms: 60 * 60 * 1000 };
        let limited = async |mail: MailRates| {
            let limited = app.with(Settings { sends_mail: true, mail, ..settings() }).await;
            let sitter = limited.sitter(&format!("Mara{}", limited.state.env.digits(8))).await;
            let off = json!({ "invoicing": { "keeps_mail_off": true } });
            sitter.put("/sitters/profile", off).await.data();
            let mut invoices = Vec::new();
            for (name, start) in [("Sam", "10:00"), ("Kim", "11:00"), ("Ben", "12:00")] {
                let client = sitter.client(name).await;
                let email = format!("{}@example.org", name.to_lowercase());
                sitter.put(&format!("/clients/{}", client.0), json!({ "email": email })).await.data();
                let walk = sitter.walk(&client, "2026-11-24", start).await;
                let form = json!({ "client_id": client.0, "services": [walk] });
                invoices.push((client.0, sitter.post("/invoices/share", form).await.id()));
            }
            // What was mailed before were invitations, and no reminders.
            for (client, _) in &invoices[..2] {
                let invited = sitter.post(&format!("/clients/{client}/invite"), json!({ "send_email": true })).await;
                assert_eq!(invited.status, 201, "{}", invited.body);
            }
            let refused = sitter.post(&format!("/invoices/{}/remind", invoices[2].1), json!({})).await;
            refused.body["fields"]["email"].as_str().unwrap().to_owned()
        };
        let many = settings().mail;
        assert_eq!(
            limited(MailRates { by_new_sender: few, ..many }).await,
            "Walkies has mailed as much for you as it can for now. Please send the link yourself, or try again later."
        );
        assert_eq!(
            limited(MailRates { of_senders: few, ..many }).await,
            "Walkies can't send more mail for now. Please send the link yourself, or try again later."
        );
    }

    async fn reminders_that_go_by_themselves_wait_for_the_next_hour_where_a_client_was_mailed_often(app: TestApp) {
        let (app, sitter, _) = often_billed(&app, 14).await;
        app.clock.advance(8 * DAY + 5 * HOUR);
        for n in [10, 14, 14] {
            remind_once(&app.state).await.unwrap();
            assert_eq!((reminded(&sitter).await, mails(&app).await), (n, n), "each with its mail");
            app.clock.advance(HOUR);
        }
    }

    #[always]
    async fn no_reminder_that_goes_by_itself_is_noted_where_it_would_reach_nobody(app: TestApp) {
        let family = Family::billed(&app).await;
        let client = format!("/clients/{}", family.client.0);
        family.invoice("10:00").await;
        family.app.clock.advance(8 * DAY + 5 * HOUR);
        let reminded = async |app: &TestApp| {
            remind_once(&app.state).await.unwrap();
            (reminded(&family.sitter).await, family.mails().await)
        };
        assert_eq!(reminded(&family.app).await, (0, 0), "no phone, and no mail leaves this server");

        let mailing = app.with(Settings { sends_mail: true, ..settings() }).await;
        mailing.clock.advance(8 * DAY + 5 * HOUR);
        family.sitter.put(&client, json!({ "email": "" })).await.data();
        assert_eq!(reminded(&mailing).await, (0, 0), "no phone and no address");
        family.sitter.put(&client, json!({ "email": "sam@example.com" })).await.data();
        let stop = async |stopped_at| {
            let (state, now) = (&mailing.state, mailing.state.now());
            let mut tx = state.db.write().await.unwrap();
            let sam = db::mail_recipient(&mut tx, "sam@example.com", state.env.share_id(), now).await.unwrap();
            db::set_mail_stopped(&mut tx, &sam.token, stopped_at).await.unwrap();
            tx.commit().await.unwrap();
        };
        stop(Some(mailing.state.now())).await;
        assert_eq!(reminded(&mailing).await, (0, 0), "no phone, and mail was stopped");

        family.push.phone(&family.parent, "parent").await;
        family.parent.put("/push/preferences", json!({ "off": ["invoice"] })).await.data();
        assert_eq!(reminded(&family.app).await, (0, 0), "no notification of invoices is wanted");
        family.parent.put("/push/preferences", json!({ "off": ["message"] })).await.data();
        assert_eq!(reminded(&family.app).await, (1, 0), "by notification alone");
        mailing.clock.advance(2 * DAY);
        stop(None).await;
        assert_eq!(reminded(&mailing).await, (1, 1), "and by mail once it is allowed again");
    }

    async fn nobody_is_reminded_of_the_invoice_of_a_client_who_was_deleted(app: TestApp) {
        let family = Family::billed(&app).await;
        family.push.phone(&family.parent, "parent").await;
        family.invoice("10:00").await;
        family.deliver().await;
        let mailing = app.with(Settings { sends_mail: true, ..settings() }).await;
        for app in [&family.app, &mailing] {
            app.clock.advance(8 * DAY + 5 * HOUR);
        }
        let client = format!("/clients/{}", family.client.0);
        family.sitter.delete(&client).await.data();
        remind_once(&mailing.state).await.unwrap();
        assert_eq!((reminded(&family.sitter).await, family.mails().await), (0, 0));
    }

    #[always]
    async fn a_reminder_by_mail_that_waits_is_not_sent_once_its_invoice_is_settled_or_gone(app: TestApp) {
        let family = Family::billed(&app).await;
        let folder = family.app.folder().join("mail");
        let mailer = Mailer::Folder(folder.clone());
        let sent = async || {
            while mail::send_next(&family.app.state, &mailer).await.unwrap() {}
            assert_eq!(family.mails().await, 0, "nothing waits on");
            std::fs::read_dir(&folder).map_or(0, Iterator::count)
        };
        for (at, what) in ["nothing", "paid", "credited", "deleted", "no business"].into_iter().enumerate() {
            let invoice = family.invoice(&format!("{}:00", 10 + at)).await;
            assert_eq!(family.act(&invoice, "remind").await.status, 200);
            let path = format!("/invoices/{}", invoice["id"].as_str().unwrap());
            match what {
                "paid" => drop(family.act(&invoice, "mark-paid").await),
                "credited" => {
                    let all = json!({ "amount": invoice["total"], "note": "It rained" });
                    assert_eq!(family.sitter.post(&format!("{path}/credit"), all).await.status, 201);
                }
                "deleted" => drop(family.sitter.delete(&path).await),
                "no business" => {
                    let proof = json!({ "password": PASSWORD });
                    let gone = family.sitter.call("DELETE", "/auth/account", &[], Some(proof)).await;
                    assert_eq!(gone.status, 200, "{}", gone.body);
                }
                _ => {}
            }
            assert_eq!(sent().await, 1, "{what}");
        }
    }

    #[always]
    async fn nobody_is_reminded_on_the_day_on_which_it_was_shared(app: TestApp) {
        let family = Family::billed(&app).await;
        family.push.phone(&family.parent, "parent").await;
        let invoicing = json!({ "prefix": "INV-", "due_days": 0, "reminder_days": [0, 1] });
        family.sitter.put("/sitters/profile", json!({ "invoicing": invoicing })).await.data();
        family.invoice("10:00").await;
        family.deliver().await;
        // In New York it is the twentieth at 4:00.
        family.app.clock.advance(6 * HOUR);
        assert_eq!(family.remind_owed().await, 0);
        family.app.clock.advance(DAY);
        assert_eq!(family.remind_owed().await, 1);
    }

    async fn a_business_that_has_set_no_days_reminds_nobody_by_itself(app: TestApp) {
        let family = Family::billed(&app).await;
        family.push.phone(&family.parent, "parent").await;
        family.invoice("10:00").await;
        family.deliver().await;
        let invoicing = json!({ "prefix": "INV-", "due_days": 7, "reminder_days": [] });
        family.sitter.put("/sitters/profile", json!({ "invoicing": invoicing })).await.data();
        for _ in 0..12 {
            family.app.clock.advance(DAY);
            assert_eq!(family.remind_owed().await, 0);
        }
    }
}
