//! Paying an invoice by card: a business's own keys, the page at Stripe's, and what Stripe reports, in any order and twice.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use futures_util::future::join_all;
use serde_json::{Value, json};
use walkies_core::rules::card_payment::{CardFault, ON_ITS_WAY, TURNED_DOWN};
use walkies_server::app::settings::Settings;
use walkies_server::external::stripe::client::StripeSettings;
use walkies_server::payments::invoices::after_return;

use crate::on_both;
use crate::support::push::PushService;
use crate::support::stripe::{
    KEY, Means, OTHER_KEY, RESTRICTED_KEY, SECRET, Stripe, Trouble, sign,
};
use crate::support::{Answer, HOUR, NOW, PASSWORD, TestApp, User, settings};

const CARDS: &str = "/invoices/card-payments";

/// A business that takes cards, with an invoice over $50.00 that is shared.
struct Shop {
    stripe: Stripe,
    push: PushService,
    app: TestApp,
    sitter: User,
    client: (String, String),
    invoice: String,
    share_id: String,
}

/// A server that knows a stand-in for Stripe, with the same clock, and waits for it no longer than this.
async fn beside(app: &TestApp, timeout: Duration) -> (TestApp, Stripe, PushService) {
    let push = PushService::start().await;
    let listener = Stripe::listener().await;
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let app = app
        .with(Settings {
            stripe: StripeSettings {
                api: origin.clone(),
                pages: origin,
                timeout,
            },
            push: push.push_settings(Duration::from_secs(60)),
            ..settings()
        })
        .await;
    let stripe = Stripe::start(listener, Arc::new(app.clock.clone()));
    (app, stripe, push)
}

fn keys(key: &str, secrets: &[&str]) -> Value {
    json!({ "secret_key": key, "webhook_secrets": secrets, "password": PASSWORD })
}

impl Shop {
    async fn open(app: &TestApp) -> Self {
        Self::impatient(app, Duration::from_secs(60)).await
    }

    async fn impatient(app: &TestApp, timeout: Duration) -> Self {
        let (app, stripe, push) = beside(app, timeout).await;
        let sitter = app.sitter("Mara").await;
        let client = sitter.client("Sam Rivers").await;
        let on = sitter.put(CARDS, keys(KEY, &[SECRET])).await;
        assert_eq!(on.data()["is_on"], true);
        stripe.take_calls();
        let (invoice, share_id) = share(&sitter, &client, "09:00").await;
        Self {
            stripe,
            push,
            app,
            sitter,
            client,
            invoice,
            share_id,
        }
    }

    /// Presses the button of the invoice's page: where it leads.
    async fn press(&self, form: &str) -> String {
        press(&self.app, &self.share_id, form).await
    }

    /// The invoice's page with this query.
    async fn page(&self, query: &str) -> String {
        let path = format!("/invoice/{}{query}", self.share_id);
        let request = Request::get(path).body(Body::empty()).unwrap();
        let answer = self.app.anonymous().try_send(request).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        String::from_utf8(answer.bytes).unwrap()
    }

    /// Begins to pay: the session.
    async fn begin(&self, form: &str) -> String {
        let to = self.press(form).await;
        let page = format!("{}/pay/", self.stripe.origin);
        let id = to.strip_prefix(&page);
        id.unwrap_or_else(|| panic!("it leads to {to}")).to_owned()
    }

    /// The invoice as the sitter sees it.
    async fn invoice(&self) -> Value {
        let answer = self
            .sitter
            .get(&format!("/invoices/{}", self.invoice))
            .await;
        answer.data().clone()
    }

    /// Returns the payments on the invoice: each its amount in dollars and its method.
    async fn payments(&self) -> Vec<(f64, String)> {
        let invoice = self.invoice().await;
        let payments = invoice["payments"].as_array().unwrap().clone();
        payments
            .iter()
            .map(|it| {
                let method = it["method"].as_str().unwrap().to_owned();
                (it["amount"].as_f64().unwrap(), method)
            })
            .collect()
    }

    /// Posts an event as Stripe does, signed.
    async fn report(&self, event: &Value) -> Answer {
        let body = event.to_string();
        let header = sign(&body, SECRET, self.app.state.now().0 / 1000);
        self.post(&body, &header).await
    }

    /// Everything that has happened is reported.
    async fn report_all(&self) {
        for event in self.stripe.take_events() {
            assert_eq!(self.report(&event).await.status, 200);
        }
    }

    async fn post(&self, body: &str, signature: &str) -> Answer {
        post(&self.app, &self.sitter, body, signature).await
    }
}

async fn press(app: &TestApp, share_id: &str, form: &str) -> String {
    let request = Request::post(format!("/invoice/{share_id}/card"))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(form.to_owned()))
        .unwrap();
    let answer = app.anonymous().try_send(request).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.headers["location"].to_str().unwrap().to_owned()
}

async fn post(app: &TestApp, sitter: &User, body: &str, signature: &str) -> Answer {
    let path = format!("/api/invoices/stripe/{}/webhook", sitter.sitter_id.unwrap());
    app.hear(&path, body, signature).await
}

/// Shares an invoice over two walks at $25.00: its id and its address.
async fn share(sitter: &User, client: &(String, String), start: &str) -> (String, String) {
    let mut services = Vec::new();
    for date in ["2026-11-24", "2026-11-25"] {
        services.push(sitter.walk(client, date, start).await);
    }
    let form = json!({ "client_id": client.0, "services": services });
    let shared = sitter.post("/invoices/share", form).await;
    assert_eq!(shared.data()["total"], 50, "{}", shared.body);
    let share_id = shared.data()["shareId"].as_str().unwrap().to_owned();
    (shared.id(), share_id)
}

on_both! {
    async fn a_stranger_pays_with_a_tip_and_the_invoice_and_its_services_are_paid(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("tip=20").await;
        let made = shop.stripe.session(&session);
        assert_eq!(made["amount_total"], 6000);
        let page = format!("http://127.0.0.1:8080/invoice/{}", shop.share_id);
        assert_eq!(made["success_url"], format!("{page}?paid=1"));
        assert_eq!(made["cancel_url"], page);
        assert!(shop.stripe.pay(&session, Means::Card));
        shop.report_all().await;

        let invoice = shop.invoice().await;
        assert_eq!(shop.payments().await, [(60.0, "card".to_owned())]);
        assert_eq!((&invoice["paid"], &invoice["balance"]), (&json!(true), &json!(0)));
        assert_eq!(invoice["payments"][0]["tip"], 10, "the payer has chosen it");
        let note = invoice["payments"][0]["note"].as_str().unwrap();
        assert!(note.contains("test mode"), "{note}");
        for service in invoice["servicesData"].as_array().unwrap() {
            let id = service["id"].as_str().unwrap();
            let service = shop.sitter.get(&format!("/scheduled-services/{id}")).await;
            assert_eq!(service.data()["paid"], true);
        }
        assert_eq!(shop.press("").await, format!("/invoice/{}?card=paid", shop.share_id));
    }

    #[always]
    async fn two_taps_make_one_page_and_another_amount_makes_another(app: TestApp) {
        let shop = Shop::open(&app).await;
        let (one, two) = tokio::join!(shop.begin("tip=15"), shop.begin("tip=15"));
        assert_eq!(one, two);
        assert_eq!(shop.begin("tip=15").await, one);
        assert_eq!(shop.begin("amount=7.50").await, one, "the same amount");
        assert_ne!(shop.begin("").await, one);
        shop.app.clock.advance(2 * HOUR);
        assert_ne!(shop.begin("tip=15").await, one, "Stripe's page has closed by now");
        assert_eq!(shop.stripe.session_ids().len(), 3);
    }

    #[always]
    async fn a_pet_parent_pays_on_the_page_that_the_invoice_itself_leads_to(app: TestApp) {
        let shop = Shop::open(&app).await;
        let parent = shop.app.pet_parent("Sam").await;
        shop.app.link(&shop.sitter, &shop.client.0, Some(&parent)).await;
        assert_eq!(parent.get("/client/sitters").await.data()[0]["takes_cards"], true);
        let path = format!("/client/invoices/{}/card-page", shop.invoice);
        let page = async |form: Value| parent.post(&path, form).await;
        let url = page(json!({ "tip": 20 })).await.data()["url"].as_str().unwrap().to_owned();
        let session = shop.begin("tip=20").await;
        assert_eq!(url, format!("{}/pay/{session}", shop.stripe.origin));
        assert_eq!(page(json!({ "tip": 20, "sitter_id": shop.sitter.sitter_id })).await.data()["url"], url);
        assert_eq!(shop.stripe.session_ids().len(), 1);
        shop.stripe.pay(&session, Means::Card);
        shop.report_all().await;
        assert_eq!(shop.payments().await, [(60.0, "card".to_owned())]);
        assert_eq!(page(json!({})).await.failure(), (409, "paid"));

        let lou = shop.sitter.client("Lou").await;
        let (other, _) = share(&shop.sitter, &lou, "13:00").await;
        let foreign = parent.post(&format!("/client/invoices/{other}/card-page"), json!({})).await;
        assert_eq!(foreign.failure(), (404, "not_found"));
        let (next, _) = share(&shop.sitter, &shop.client, "15:00").await;
        shop.sitter.delete(CARDS).await.data();
        assert_eq!(parent.get("/client/sitters").await.data()[0]["takes_cards"], false);
        let off = parent.post(&format!("/client/invoices/{next}/card-page"), json!({})).await;
        assert_eq!(off.failure(), (409, "off"));
        // Who has paid keeps the receipt.
        let gone = shop.sitter.delete(&format!("/invoices/{}", shop.invoice)).await;
        assert_eq!(gone.failure(), (422, "invalid"));
        let listed = parent.get("/client/invoices").await;
        assert!(listed.data().to_string().contains(&shop.invoice));
    }

    #[always]
    async fn who_pays_in_the_portal_comes_back_into_it_and_is_told_what_is_known(app: TestApp) {
        let shop = Shop::open(&app).await;
        let parent = shop.app.pet_parent("Sam").await;
        shop.app.link(&shop.sitter, &shop.client.0, Some(&parent)).await;
        let begin = format!("/client/invoices/{}/card-page", shop.invoice);
        let follow = format!("/client/invoices/{}/card-payment", shop.invoice);
        let known = async |query: &str| {
            let answer = parent.get(&format!("{follow}{query}")).await;
            answer.data()["progress"].as_str().unwrap().to_owned()
        };
        assert_eq!(known("").await, "nothing", "nobody has begun");
        let pages = join_all((0..6).map(|_| parent.post(&begin, json!({})))).await;
        let urls: Vec<&Value> = pages.iter().map(|it| &it.data()["url"]).collect();
        assert!(urls.iter().all(|it| *it == urls[0]), "{urls:?}");
        let [session] = shop.stripe.session_ids().try_into().unwrap();
        let made = shop.stripe.session(&session);
        let back = format!("/client/invoices?client_id={}&card={}", shop.client.0, shop.share_id);
        let whole = format!("http://127.0.0.1:8080{back}");
        assert_eq!((&made["success_url"], &made["cancel_url"]), (&json!(format!("{whole}&paid=1")), &json!(whole)));
        assert_eq!(shop.begin("").await, session, "the invoice's page leads to the same one");

        shop.stripe.take_calls();
        for _ in 0..3 {
            assert_eq!(known("").await, if shop.stripe.take_calls().is_empty() { "unconfirmed" } else { "not_paid" });
        }
        // Who comes from a payment is not told that nothing was paid.
        shop.app.clock.advance(3_000);
        assert_eq!(known("?paid=true").await, "unconfirmed");
        shop.app.clock.advance(3_000);
        shop.stripe.has(Trouble::Status(500));
        shop.stripe.has(Trouble::Status(500));
        assert_eq!(known("").await, "unconfirmed", "Stripe does not say");
        shop.app.clock.advance(3_000);
        shop.stripe.pay(&session, Means::Bank);
        assert_eq!(known("?paid=true").await, "on_its_way");
        let again = parent.post(&begin, json!({ "tip": 20 })).await;
        assert_eq!(again.data()["url"], format!("{back}&paid=1"), "it is on its way");
        shop.stripe.settle(&session, false);
        shop.report_all().await;
        assert_eq!(known("").await, "turned_down");

        let next = parent.post(&begin, json!({})).await.data()["url"].as_str().unwrap().to_owned();
        let next = next.rsplit('/').next().unwrap().to_owned();
        shop.stripe.pay(&next, Means::Card);
        // Before the report, and after it.
        for _ in 0..2 {
            assert_eq!(known("?paid=true").await, "paid");
            shop.report_all().await;
        }
        assert_eq!(shop.payments().await, [(50.0, "card".to_owned())]);
        shop.stripe.refund(&next, 5000);
        shop.report_all().await;
        assert_eq!(known("").await, "nothing", "it is owed again");

        let lou = shop.sitter.client("Lou").await;
        let (other, _) = share(&shop.sitter, &lou, "13:00").await;
        let foreign = parent.get(&format!("/client/invoices/{other}/card-payment")).await;
        assert_eq!(foreign.failure(), (404, "not_found"));
    }

    async fn a_session_whose_answer_was_lost_is_found_from_the_other_place(app: TestApp) {
        let shop = Shop::impatient(&app, Duration::from_millis(300)).await;
        let parent = shop.app.pet_parent("Sam").await;
        shop.app.link(&shop.sitter, &shop.client.0, Some(&parent)).await;
        shop.stripe.has(Trouble::DoneInSilence);
        assert!(shop.press("").await.ends_with("?card=unavailable"));
        let path = format!("/client/invoices/{}/card-page", shop.invoice);
        let page = parent.post(&path, json!({})).await;
        let [session] = shop.stripe.session_ids().try_into().unwrap();
        assert_eq!(page.data()["url"], format!("{}/pay/{session}", shop.stripe.origin));
        assert_eq!(shop.begin("").await, session);
    }

    async fn after_taps_at_once_an_invoice_has_one_page_on_which_somebody_can_pay(app: TestApp) {
        let shop = Shop::open(&app).await;
        let same = join_all((0..6).map(|_| shop.press("tip=15"))).await;
        assert!(same.iter().all(|it| *it == same[0]), "{same:?}");
        assert_eq!(shop.stripe.session_ids().len(), 1);
        let forms = ["", "tip=10", "tip=20", "amount=1", "amount=2", "amount=3"];
        join_all(forms.map(|it| shop.begin(it))).await;
        let open = shop.stripe.open_session_ids();
        assert_eq!((open.len(), shop.stripe.session_ids().len()), (1, 7));
        // What was ended can be asked for again.
        let again = shop.begin("tip=15").await;
        assert_eq!(shop.stripe.open_session_ids(), std::slice::from_ref(&again));
        assert!(!shop.stripe.pay(&open[0], Means::Card));
        assert!(shop.stripe.pay(&again, Means::Card));
        // Its report is on the way: another amount is not asked for as well.
        let back = format!("/invoice/{}?paid=1", shop.share_id);
        assert_eq!(shop.press("tip=20").await, back);
        shop.report_all().await;
        assert_eq!(shop.payments().await, [(57.5, "card".to_owned())]);
    }

    async fn an_event_that_comes_again_or_late_changes_nothing(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Card);
        let [event] = shop.stripe.take_events().try_into().unwrap();
        for _ in 0..3 {
            assert_eq!(shop.report(&event).await.status, 200);
        }
        // Another name for the same, as Stripe sometimes gives it.
        let mut again = event.clone();
        again["id"] = json!("evt_again");
        assert_eq!(shop.report(&again).await.status, 200);
        assert_eq!(shop.payments().await, [(50.0, "card".to_owned())]);

        // What the sitter has taken off stays off.
        let payment = shop.invoice().await["payments"][0]["id"].as_str().unwrap().to_owned();
        shop.sitter.delete(&format!("/invoices/{}/payments/{payment}", shop.invoice)).await.data();
        for event in [&event, &again] {
            assert_eq!(shop.report(event).await.status, 200);
        }
        assert_eq!(shop.payments().await, []);
        // And can be paid anew, also within the hour.
        let next = shop.begin("").await;
        assert_ne!(next, session);
        shop.stripe.pay(&next, Means::Card);
        shop.report_all().await;
        assert_eq!(shop.payments().await, [(50.0, "card".to_owned())]);
    }

    async fn two_reports_at_once_are_one_payment(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Card);
        let [event] = shop.stripe.take_events().try_into().unwrap();
        let mut again = event.clone();
        again["id"] = json!("evt_again");
        let (one, two) = tokio::join!(shop.report(&event), shop.report(&again));
        assert_eq!((one.status.as_u16(), two.status.as_u16()), (200, 200));
        assert_eq!(shop.payments().await, [(50.0, "card".to_owned())]);
    }

    async fn what_is_not_signed_by_stripe_changes_nothing(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Card);
        let [event] = shop.stripe.take_events().try_into().unwrap();
        let (body, now) = (event.to_string(), NOW / 1000);
        let before = shop.app.dump(None).await;
        for (what, body, signature) in [
            ("no signature", body.clone(), String::new()),
            ("another secret", body.clone(), sign(&body, "whsec_another", now)),
            ("a stale one", body.clone(), sign(&body, SECRET, now - 301)),
            ("one of the future", body.clone(), sign(&body, SECRET, now + 301)),
            ("tampered with", body.replace("5000", "5001"), sign(&body, SECRET, now)),
            ("no event", "[]".to_owned(), sign("[]", SECRET, now)),
        ] {
            let answer = shop.post(&body, &signature).await;
            assert_eq!(answer.failure(), (400, "malformed"), "{what}");
        }
        let other = shop.app.sitter("Kim").await;
        let answer = post(&shop.app, &other, &body, &sign(&body, SECRET, now)).await;
        assert_eq!(answer.failure(), (400, "malformed"), "a business without keys");
        let mut after = shop.app.dump(None).await;
        after.retain(|it| before.contains(it));
        assert_eq!(after, before);
        assert_eq!(shop.payments().await, []);
    }

    async fn who_signs_for_one_business_pays_nothing_of_another(app: TestApp) {
        let shop = Shop::open(&app).await;
        let other = shop.app.sitter("Kim").await;
        other.put(CARDS, keys(OTHER_KEY, &[SECRET])).await.data();
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Card);
        let [event] = shop.stripe.take_events().try_into().unwrap();
        let body = event.to_string();
        let signature = sign(&body, SECRET, NOW / 1000);
        assert_eq!(post(&shop.app, &other, &body, &signature).await.status, 200);
        assert_eq!(shop.payments().await, []);
        // Nor does a session that says that it is of another business, in an account of one's own.
        let account = other.put(CARDS, keys(KEY, &[SECRET])).await;
        assert_eq!(account.data()["is_on"], true);
        assert_eq!(post(&shop.app, &other, &body, &signature).await.status, 200);
        assert_eq!(shop.payments().await, []);
        assert_eq!(shop.report(&event).await.status, 200);
        assert_eq!(shop.payments().await.len(), 1);
    }

    async fn what_else_happens_in_the_account_is_none_of_ours(app: TestApp) {
        let shop = Shop::open(&app).await;
        for (kind, object) in [
            ("checkout.session.completed", json!({ "id": "cs_test_of_a_shop" })),
            ("checkout.session.completed", json!({ "id": "../../v1/balance" })),
            ("checkout.session.async_payment_failed", json!({ "id": "cs_test_of_a_shop" })),
            ("charge.refunded", json!({ "id": "ch_1", "payment_intent": "pi_of_a_shop", "amount_refunded": 100 })),
            ("charge.refunded", json!({ "id": "ch_2" })),
            ("charge.refunded", json!(null)),
            ("customer.created", json!({ "id": "cus_1" })),
            ("a.kind.of.tomorrow", json!([])),
        ] {
            shop.stripe.tell(kind, &object);
        }
        shop.report_all().await;
        assert_eq!(shop.payments().await, []);
    }

    async fn money_that_comes_too_late_is_written_down_as_more_than_was_owed(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        let path = format!("/invoices/{}/mark-paid", shop.invoice);
        shop.sitter.post(&path, json!({ "method": "cash" })).await.data();
        shop.stripe.pay(&session, Means::Card);
        shop.report_all().await;
        let paid = [(50.0, "cash".to_owned()), (50.0, "card".to_owned())];
        assert_eq!(shop.payments().await, paid);
    }

    async fn money_that_comes_for_a_deleted_invoice_brings_it_back(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        shop.sitter.delete(&format!("/invoices/{}", shop.invoice)).await.data();
        shop.stripe.pay(&session, Means::Card);
        shop.report_all().await;
        assert_eq!(shop.payments().await, [(50.0, "card".to_owned())]);
        let invoice = shop.invoice().await;
        assert_eq!(invoice["paid"], true);
        let service = invoice["servicesData"][0]["id"].as_str().unwrap();
        let service = shop.sitter.get(&format!("/scheduled-services/{service}")).await;
        assert_eq!((&service.data()["paid"], &service.data()["invoice_id"]), (&json!(true), &json!(shop.invoice)));
    }

    async fn money_that_comes_for_what_was_billed_anew_is_on_the_new_invoice(app: TestApp) {
        let mut shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        let old = shop.invoice().await;
        let services: Vec<&Value> = old["servicesData"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
        shop.sitter.delete(&format!("/invoices/{}", shop.invoice)).await.data();
        let form = json!({ "client_id": shop.client.0, "services": services });
        shop.invoice = shop.sitter.post("/invoices/share", form).await.id();
        shop.stripe.pay(&session, Means::Card);
        shop.report_all().await;
        assert_eq!(shop.payments().await, [(50.0, "card".to_owned())]);
        assert_eq!(shop.invoice().await["paid"], true);
        assert_eq!(shop.sitter.get("/invoices/count").await.data()["count"], 1);
        shop.stripe.refund(&session, 5000);
        shop.report_all().await;
        assert_eq!(shop.payments().await, []);
    }

    async fn a_bank_that_takes_days_pays_when_the_money_is_there(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Bank);
        shop.report_all().await;
        assert_eq!(shop.payments().await, []);
        shop.stripe.settle(&session, true);
        shop.report_all().await;
        assert_eq!(shop.payments().await, [(50.0, "card".to_owned())]);
    }

    #[always]
    async fn while_a_bank_takes_its_days_nobody_pays_again(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Bank);
        shop.report_all().await;
        shop.app.clock.advance(72 * HOUR);
        // Somebody else of the household opens the invoice, or presses a button that was there before.
        let page = shop.page("").await;
        assert!(page.contains(ON_ITS_WAY) && !page.contains("/card\""), "{page}");
        let back = format!("/invoice/{}?paid=1", shop.share_id);
        assert_eq!(shop.press("tip=20").await, back);
        assert_eq!(shop.stripe.session_ids().len(), 1);
        shop.stripe.settle(&session, true);
        shop.report_all().await;
        assert_eq!(shop.payments().await, [(50.0, "card".to_owned())]);
        assert!(!shop.page("").await.contains(ON_ITS_WAY));
    }

    async fn what_was_paid_before_its_page_closed_is_not_asked_for_again(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Card);
        // Its event is late, and the page has closed since.
        shop.app.clock.advance(3 * HOUR);
        let back = format!("/invoice/{}?paid=1", shop.share_id);
        assert_eq!(shop.press("").await, back);
        assert_eq!(shop.stripe.session_ids().len(), 1);
    }

    #[always]
    async fn a_bank_that_turns_it_down_leaves_the_invoice_as_it_was(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        assert!(!shop.stripe.pay(&session, Means::BadCard));
        shop.stripe.pay(&session, Means::Bank);
        shop.stripe.settle(&session, false);
        let events = shop.stripe.take_events();
        for event in events.iter().rev() {
            assert_eq!(shop.report(event).await.status, 200);
        }
        assert_eq!(shop.payments().await, []);
        assert_ne!(shop.begin("").await, session, "it can be tried again");
    }

    async fn what_is_given_back_is_taken_off_the_invoice(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("amount=10").await;
        shop.stripe.pay(&session, Means::Card);
        shop.report_all().await;
        shop.stripe.refund(&session, 1500);
        let part = shop.stripe.take_events();
        shop.report(&part[0]).await;
        assert_eq!(shop.payments().await, [(45.0, "card".to_owned())]);
        let invoice = shop.invoice().await;
        assert_eq!((&invoice["paid"], &invoice["balance"]), (&json!(false), &json!(5)));
        let note = invoice["payments"][0]["note"].as_str().unwrap();
        assert_eq!(note, "$15.00 of $60.00 given back by card");

        shop.stripe.refund(&session, 4500);
        shop.report_all().await;
        assert_eq!(shop.payments().await, []);
        // The first one comes again, late.
        let mut again = part[0].clone();
        again["id"] = json!("evt_again");
        assert_eq!(shop.report(&again).await.status, 200);
        assert_eq!(shop.payments().await, []);
    }

    async fn a_refund_that_the_sitter_wrote_down_before_is_not_counted_twice(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Card);
        shop.report_all().await;
        let path = |what: &str| format!("/invoices/{}/{what}", shop.invoice);
        let credit = json!({ "amount": 20, "note": "One walk less" });
        assert_eq!(shop.sitter.post(&path("credit"), credit).await.status, 201);
        let refund = json!({ "refund_id": app.state.env.id(), "amount": 20, "method": "card" });
        let written = shop.sitter.post(&path("refunds"), refund).await;
        assert_eq!(written.status, 200, "{}", written.body);
        for (given_back, kept, left) in [(1500, 35.0, json!([5])), (500, 30.0, json!([]))] {
            shop.stripe.refund(&session, given_back);
            shop.report_all().await;
            assert_eq!(shop.payments().await, [(20.0, "credit".to_owned()), (kept, "card".to_owned())]);
            let invoice = shop.invoice().await;
            assert_eq!((&invoice["paid"], &invoice["balance"]), (&json!(true), &json!(0)));
            let refunds = invoice["refunds"].as_array().into_iter().flatten();
            assert_eq!(json!(refunds.map(|it| &it["amount"]).collect::<Vec<_>>()), left);
        }
    }

    async fn a_refund_that_is_reported_before_its_payment_takes_both_in(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Card);
        shop.stripe.refund(&session, 2000);
        let [paid, refunded] = shop.stripe.take_events().try_into().unwrap();
        for event in [&refunded, &paid, &refunded] {
            assert_eq!(shop.report(event).await.status, 200);
        }
        assert_eq!(shop.payments().await, [(30.0, "card".to_owned())]);
    }

    #[always]
    async fn who_comes_back_before_the_report_sees_it_paid_and_stripe_is_asked_once(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Card);
        shop.stripe.take_calls();
        let (sitter_id, invoice_id) = (shop.sitter.sitter_id.unwrap(), shop.invoice.parse().unwrap());
        for _ in 0..3 {
            let state = after_return(&shop.app.state, sitter_id, invoice_id).await.unwrap();
            assert_eq!(format!("{state:?}"), "Some(Paid)");
        }
        assert_eq!(shop.stripe.take_calls().len(), 1);
        shop.report_all().await;
        assert_eq!(shop.payments().await, [(50.0, "card".to_owned())]);
    }

    #[always]
    async fn only_a_payer_whose_session_is_complete_is_thanked_and_shown_no_other_way_to_pay(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("").await;
        let back = async || {
            let page = shop.page("?paid=1").await;
            (page.contains(ON_ITS_WAY), page.contains(TURNED_DOWN), page.contains("/card\""))
        };
        for _ in 0..2 {
            assert_eq!(back().await, (false, false, true), "back in the browser");
        }
        // Who pays then is asked about again.
        shop.stripe.pay(&session, Means::Bank);
        shop.app.clock.advance(60_000);
        for _ in 0..2 {
            assert_eq!(back().await, (true, false, false), "the bank takes days");
        }
        shop.report_all().await;
        assert_eq!(back().await, (true, false, false), "the bank takes days");
        shop.stripe.settle(&session, false);
        shop.report_all().await;
        assert_eq!(back().await, (false, true, true));
    }

    async fn a_page_says_of_cards_what_holds_now_and_not_when_the_button_was_pressed(app: TestApp) {
        let shop = Shop::open(&app).await;
        let unavailable = CardFault::Unavailable.to_string();
        assert!(shop.page("?card=unavailable").await.contains(&unavailable));
        let paid = CardFault::Paid.to_string();
        assert!(!shop.page("?card=paid").await.contains(&paid), "it is owed");
        let path = format!("/invoices/{}", shop.invoice);
        let all = json!({ "amount": 50, "note": "It rained" });
        assert_eq!(shop.sitter.post(&format!("{path}/credit"), all).await.status, 201);
        let back = shop.press("").await;
        assert_eq!(back, format!("/invoice/{}?card=settled", shop.share_id));
        for query in ["?card=settled", "?card=paid"] {
            let page = shop.page(query).await;
            assert!(page.contains("Nothing is owed on this invoice."), "{page}");
            assert!(!page.contains(&paid), "{page}");
        }
        assert!(!shop.page("?card=unavailable").await.contains(&unavailable), "there is nothing to pay");
    }

    async fn who_comes_back_without_having_paid_is_told_so_and_stripe_is_asked_once_a_minute(app: TestApp) {
        let shop = Shop::open(&app).await;
        let (sitter_id, invoice_id) = (shop.sitter.sitter_id.unwrap(), shop.invoice.parse().unwrap());
        let state = after_return(&shop.app.state, sitter_id, invoice_id).await.unwrap();
        assert_eq!(state, None);
        shop.begin("").await;
        shop.stripe.take_calls();
        for _ in 0..3 {
            let state = after_return(&shop.app.state, sitter_id, invoice_id).await.unwrap();
            assert_eq!(format!("{state:?}"), "Some(Open)");
        }
        assert_eq!(shop.stripe.take_calls().len(), 1);
        shop.app.clock.advance(60_000);
        after_return(&shop.app.state, sitter_id, invoice_id).await.unwrap();
        assert_eq!(shop.stripe.take_calls().len(), 1);
    }

    async fn keys_are_tried_before_they_are_kept_and_never_shown_again(app: TestApp) {
        let (app, stripe, _) = beside(&app, Duration::from_secs(60)).await;
        let sitter = app.sitter("Mara").await;
        let off = sitter.get(CARDS).await;
        assert_eq!((&off.data()["is_on"], &off.data()["key_ends_with"]), (&json!(false), &json!("")));
        let hook = format!("/api/invoices/stripe/{}/webhook", sitter.sitter_id.unwrap());
        assert!(off.data()["webhook_url"].as_str().unwrap().ends_with(&hook));
        for (form, status, field) in [
            (keys("sk_test_51NobodyHasEverSeenThis", &[SECRET]), 422, "secret_key"),
            (keys("pk_test_51NobodyHasEverSeenThis", &[SECRET]), 422, "secret_key"),
            (keys(KEY, &[]), 422, "webhook_secrets"),
            (keys(KEY, &["whsec_x"]), 422, "webhook_secrets"),
            (json!({ "secret_key": KEY, "webhook_secrets": [SECRET], "password": "not the password" }), 422, "password"),
        ] {
            let answer = sitter.put(CARDS, form).await;
            assert_eq!(answer.status, status, "{}", answer.body);
            assert!(answer.body["fields"][field].is_string(), "{}", answer.body);
        }
        stripe.has(Trouble::Status(500));
        stripe.has(Trouble::Status(500));
        assert_eq!(sitter.put(CARDS, keys(KEY, &[SECRET])).await.failure(), (503, "unavailable"));
        assert_eq!(sitter.get(CARDS).await.data()["is_on"], false);

        let on = sitter.put(CARDS, keys(&format!(" {RESTRICTED_KEY}\n"), &[SECRET, SECRET])).await;
        assert_eq!((&on.data()["is_on"], &on.data()["is_live"]), (&json!(true), &json!(false)));
        assert_eq!(on.data()["key_ends_with"], RESTRICTED_KEY[RESTRICTED_KEY.len() - 4..]);
        let shown = sitter.get(CARDS).await;
        for answer in [&on, &shown, &sitter.get("/sync/pull?cursor=0&schema=1&device_id=0193b3f0-0000-7000-8000-000000000001").await] {
            let said = String::from_utf8_lossy(&answer.bytes);
            assert!(!said.contains(RESTRICTED_KEY) && !said.contains(SECRET), "{said}");
        }
        assert_eq!(sitter.delete(CARDS).await.data()["is_on"], false);
        assert!(app.dump(None).await.iter().all(|it| !it.contains(RESTRICTED_KEY)));
    }

    #[always]
    async fn the_sitters_phones_are_told_of_money_that_comes_and_of_money_that_goes(app: TestApp) {
        let shop = Shop::open(&app).await;
        let phone = shop.push.phone(&shop.sitter, "mara").await;
        let told = async || {
            let calls = shop.push.deliver(&shop.app).await;
            let said = calls.iter().map(|it| phone.read(it)["notification"].clone());
            said.map(|it| (it["title"].clone(), it["body"].clone())).collect::<Vec<_>>()
        };
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Card);
        let paid = shop.stripe.take_events();
        for _ in 0..2 {
            shop.report(&paid[0]).await;
        }
        assert_eq!(told().await, [(json!("Sam Rivers"), json!("Paid an invoice by card"))]);
        for cents in [1500, 3500] {
            shop.stripe.refund(&session, cents);
            shop.report_all().await;
            assert_eq!(told().await, [(json!("Sam Rivers"), json!("Money was given back by card"))]);
        }
        // Of a payment that fails nothing was ever on the invoice.
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Bank);
        shop.report_all().await;
        assert!(told().await.is_empty());
        shop.stripe.settle(&session, false);
        shop.report_all().await;
        assert_eq!(told().await, [(json!("Sam Rivers"), json!("A payment by card did not come through"))]);
    }

    async fn a_new_signing_secret_takes_the_old_ones_place_without_a_gap(app: TestApp) {
        let shop = Shop::open(&app).await;
        shop.sitter.put(CARDS, keys(KEY, &["whsec_TheNextOneTheNextOneTheNextOne", SECRET])).await.data();
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Card);
        shop.report_all().await;
        assert_eq!(shop.payments().await.len(), 1);
    }

    async fn a_restricted_key_is_enough_to_be_paid(app: TestApp) {
        let shop = Shop::open(&app).await;
        shop.sitter.put(CARDS, keys(RESTRICTED_KEY, &[SECRET])).await.data();
        let session = shop.begin("").await;
        shop.stripe.pay(&session, Means::Card);
        shop.report_all().await;
        assert_eq!(shop.payments().await, [(50.0, "card".to_owned())]);
    }

    async fn where_stripe_fails_the_payer_goes_back_to_the_other_ways_to_pay(app: TestApp) {
        let shop = Shop::impatient(&app, Duration::from_millis(200)).await;
        let back = format!("/invoice/{}?card=unavailable", shop.share_id);
        for troubles in [
            vec![Trouble::Status(500), Trouble::Status(503)],
            vec![Trouble::Status(429)],
            vec![Trouble::Status(402)],
            vec![Trouble::Nonsense],
            vec![Trouble::Endless],
            vec![Trouble::Silence],
        ] {
            let n = troubles.len();
            troubles.into_iter().for_each(|it| shop.stripe.has(it));
            assert_eq!(shop.press("").await, back);
            assert_eq!(shop.stripe.take_calls().len(), n);
        }
        // What failed once is tried again at once, and made once: also where the answer was lost.
        shop.stripe.has(Trouble::Status(500));
        shop.begin("tip=10").await;
        // The page for the other amount is ended first, and it is no matter whether its answer is lost, or the next one.
        shop.stripe.has(Trouble::DoneInSilence);
        assert_eq!(shop.press("tip=20").await, back);
        assert!(shop.stripe.open_session_ids().is_empty());
        shop.stripe.passes(1);
        shop.stripe.has(Trouble::DoneInSilence);
        assert_eq!(shop.press("tip=20").await, back);
        let session = shop.begin("tip=20").await;
        assert_eq!(shop.stripe.session_ids().len(), 2);
        // Its report waits for the next try, since Stripe is asked first.
        shop.stripe.pay(&session, Means::Card);
        let [event] = shop.stripe.take_events().try_into().unwrap();
        shop.stripe.has(Trouble::Silence);
        assert_eq!(shop.report(&event).await.status, 503);
        assert_eq!(shop.payments().await, []);
        assert_eq!(shop.report(&event).await.status, 200);
        assert_eq!(shop.payments().await.len(), 1);
    }

    async fn what_cannot_be_charged_is_said_on_the_invoice(app: TestApp) {
        let shop = Shop::open(&app).await;
        let too_much = format!("/invoice/{}?card=too_much", shop.share_id);
        assert_eq!(shop.press("amount=999999").await, too_much);
        let long = format!("tip={}", "1".repeat(2_000));
        // What is no tip is none.
        let session = shop.begin("").await;
        for form in ["tip=x", "tip=101", "amount=-5", "tip[]=5", "%ff", &long] {
            assert_eq!(shop.begin(form).await, session, "{form}");
        }
        shop.stripe.take_calls();
        shop.sitter.delete(CARDS).await.data();
        assert_eq!(shop.press("").await, format!("/invoice/{}?card=off", shop.share_id));
        assert_eq!(shop.stripe.take_calls().len(), 0);
        shop.sitter.delete(&format!("/invoices/{}", shop.invoice)).await.data();
        for gone in [shop.share_id.as_str(), "0f3JpQ7xTzSx5mN8dVb2Kg", "%22%0d%0aSet-Cookie:x"] {
            let request = Request::post(format!("/invoice/{gone}/card")).body(Body::empty()).unwrap();
            assert_eq!(shop.app.anonymous().try_send(request).await.status, 404, "{gone}");
        }
    }

    #[always]
    async fn a_key_that_stripe_turns_down_is_said_in_the_settings(app: TestApp) {
        let shop = Shop::open(&app).await;
        shop.stripe.has(Trouble::Status(401));
        assert!(shop.press("").await.ends_with("?card=unavailable"));
        let settings = shop.sitter.get(CARDS).await;
        assert_eq!(settings.data()["fault"], "Stripe does not know the key");
        shop.sitter.put(CARDS, keys(KEY, &[SECRET])).await.data();
        assert_eq!(shop.sitter.get(CARDS).await.data()["fault"], json!(null));
    }

    async fn nobody_makes_pages_of_stripes_without_end(app: TestApp) {
        let shop = Shop::open(&app).await;
        for n in 0..20 {
            shop.begin(&format!("amount={n}")).await;
        }
        assert!(shop.press("amount=99").await.ends_with("?card=too_often"));
        shop.app.clock.advance(60_000);
        shop.begin("amount=99").await;
    }

    async fn what_was_not_paid_and_what_was_reported_is_forgotten_after_a_month(app: TestApp) {
        let shop = Shop::open(&app).await;
        shop.begin("tip=10").await;
        let paid = shop.begin("").await;
        shop.stripe.pay(&paid, Means::Card);
        shop.report_all().await;
        for _ in 0..31 {
            shop.app.clock.advance(24 * HOUR);
            // Who comes by each day stays signed in.
            shop.sitter.get(CARDS).await.data();
        }
        walkies_server::jobs::cleanup::clean_up_once(&shop.app.state).await.unwrap();
        let left = shop.app.dump(shop.sitter.sitter_id).await;
        let of = |table: &str| left.iter().filter(|it| it.starts_with(table)).count();
        assert_eq!((of("stripe_event "), of("stripe_checkout ")), (0, 1));
        // A refund still finds its payment.
        shop.stripe.refund(&paid, 5000);
        shop.report_all().await;
        assert_eq!(shop.payments().await, []);
    }
}

#[tokio::test]
async fn calls_carry_the_version_a_key_of_their_own_and_the_form_that_stripe_documents() {
    let app = TestApp::sqlite(settings()).await;
    let shop = Shop::open(&app).await;
    shop.begin("tip=10").await;
    let [call] = shop.stripe.take_calls().try_into().unwrap();
    assert_eq!(
        (call.method.as_str(), call.path.as_str()),
        ("POST", "/v1/checkout/sessions")
    );
    let said = |name: &str| call.headers[name].to_str().unwrap();
    assert_eq!(said("authorization"), format!("Bearer {KEY}"));
    assert_eq!(
        said("stripe-version"),
        walkies_server::external::stripe::client::API_VERSION
    );
    assert!(said("idempotency-key").contains(&shop.invoice));
    assert!(said("idempotency-key").len() <= 255);
    let field = |name: &str| {
        call.form
            .iter()
            .find(|it| it.0 == name)
            .map(|it| it.1.as_str())
    };
    assert_eq!(
        field("line_items[0][price_data][product_data][name]"),
        Some("Invoice INV-1")
    );
    assert_eq!(field("line_items[1][price_data][unit_amount]"), Some("500"));
    assert_eq!(field("client_reference_id"), Some(shop.invoice.as_str()));
    assert_eq!(
        field("metadata[walkies_invoice]"),
        Some(shop.invoice.as_str())
    );
    assert_eq!(
        field("payment_intent_data[metadata][walkies_invoice]"),
        Some(shop.invoice.as_str())
    );
}
