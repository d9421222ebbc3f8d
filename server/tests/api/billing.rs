//! Payments of businesses for their plans: a limit that a checkout lifts, changes with a charge and with a credit,
//! cards that are declined, and what Stripe reports, hangs on, loses and says twice.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use walkies_server::app::billing_settings::BillingSettings;
use walkies_server::app::settings::Settings;
use walkies_server::db;
use walkies_server::external::stripe::client::StripeSettings;
use walkies_server::payments::billing::{align, look_once};

use crate::on_both;
use crate::rng::Rng;
use crate::support::stripe::plans::OTHER_PRICE;
use crate::support::stripe::{Means, OTHER_KEY, SECRET, Stripe, Trouble, sign};
use crate::support::{Answer, HOUR, PASSWORD, Phone, TestApp, User, billing_settings, settings};

const DAY: i64 = 24 * HOUR;
const HERE: &str = "http://127.0.0.1:8080/billing";

/// A business on the free plan of a server that sells plans.
struct Shop {
    stripe: Stripe,
    app: TestApp,
    sitter: User,
}

pub async fn beside(
    app: &TestApp,
    timeout: Duration,
    billing: BillingSettings,
) -> (TestApp, Stripe) {
    let listener = Stripe::listener().await;
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let app = app
        .with(Settings {
            stripe: StripeSettings {
                api: origin.clone(),
                pages: origin,
                timeout,
            },
            billing: Some(billing),
            ..settings()
        })
        .await;
    let stripe = Stripe::start(listener, Arc::new(app.clock.clone()));
    (app, stripe)
}

impl Shop {
    async fn open(app: &TestApp) -> Self {
        Self::impatient(app, Duration::from_secs(60)).await
    }

    async fn impatient(app: &TestApp, timeout: Duration) -> Self {
        let (app, stripe) = beside(app, timeout, billing_settings()).await;
        let sitter = app.sitter("Mara").await;
        Self {
            stripe,
            app,
            sitter,
        }
    }

    async fn checkout(&self, plan: &str) -> Answer {
        let form =
            json!({ "plan_id": plan, "price_id": format!("price_{plan}"), "return_url": HERE });
        self.sitter.post("/billing/checkout-session", form).await
    }

    /// Begins to pay for a plan: the session.
    async fn begin(&self, plan: &str) -> String {
        let answer = self.checkout(plan).await;
        let url = answer.data()["url"].as_str().unwrap().to_owned();
        let page = format!("{}/pay/", self.stripe.origin);
        url.strip_prefix(&page).unwrap().to_owned()
    }

    /// Pays for a plan, and all of it is reported.
    async fn subscribe(&self, plan: &str) {
        let session = self.begin(plan).await;
        assert!(self.stripe.pay(&session, Means::Card));
        self.report_all().await;
    }

    /// Pays for a plan that was tried to the end.
    async fn paying(app: &TestApp, plan: &str) -> Self {
        let shop = Self::open(app).await;
        shop.pay_from_now_on(plan).await;
        shop
    }

    async fn pay_from_now_on(&self, plan: &str) {
        self.subscribe(plan).await;
        self.app.clock.advance(14 * DAY);
        self.stripe.renew_all();
        self.report_all().await;
        self.assert_stands(plan, "active").await;
    }

    /// Plan and status as phones have them.
    async fn standing(&self) -> (String, String) {
        let profile = self.sitter.get("/sitters/profile").await;
        let it = &profile.data()["subscription"];
        let word = |name: &str| it[name].as_str().unwrap().to_owned();
        (word("plan_id"), word("status"))
    }

    async fn assert_stands(&self, plan: &str, status: &str) {
        assert_eq!(self.standing().await, (plan.to_owned(), status.to_owned()));
    }

    async fn report(&self, event: &Value) -> Answer {
        let body = event.to_string();
        let header = sign(&body, SECRET, self.app.state.now().0 / 1000);
        self.post(&body, &header).await
    }

    async fn report_all(&self) {
        for event in self.stripe.take_events() {
            assert_eq!(self.report(&event).await.status, 200);
        }
    }

    async fn post(&self, body: &str, signature: &str) -> Answer {
        self.app.hear("/api/billing/webhook", body, signature).await
    }

    async fn preview(&self, from: &str, to: &str) -> Answer {
        let form = json!({ "current_plan_id": from, "new_plan_id": to });
        self.sitter.post("/billing/preview-change", form).await
    }

    async fn update(&self, to: &str, preview: &Answer) -> Answer {
        let date = &preview.data()["proration_date"];
        let form = json!({ "plan_id": to, "proration_date": date });
        self.sitter.post("/billing/update-subscription", form).await
    }

    async fn new_client(&self, name: &str) -> Answer {
        let form = json!({ "name": name, "address": "1 Elm St", "phone": "(555) 123-4567", "dogs": [{ "name": "Rex" }] });
        self.sitter.post("/clients", form).await
    }
}

on_both! {
    async fn a_limit_that_is_reached_is_lifted_by_a_checkout(app: TestApp) {
        let shop = Shop::open(&app).await;
        for name in ["One", "Two", "Three", "Four", "Five"] {
            shop.new_client(name).await.data();
        }
        assert_eq!(shop.new_client("Six").await.failure(), (403, "limit_reached"));
        let before = shop.sitter.get("/billing/dashboard").await;
        assert_eq!(before.data()["usage_limits"]["clients"], json!({ "current": 5, "limit": 5 }));
        assert_eq!(before.data()["subscription"]["subscription_plan_id"], "free");
        assert_eq!(before.data()["subscription"]["plan"]["plan_display_name"], "Free");

        shop.subscribe("solo").await;
        let after = shop.sitter.get("/billing/dashboard").await;
        let subscription = &after.data()["subscription"];
        assert_eq!(subscription["status"], "trialing");
        assert_eq!(subscription["plan"]["display_name"], "Solo");
        assert_eq!(after.data()["usage_limits"]["clients"], json!({ "current": 5, "limit": -1 }));
        shop.new_client("Six").await.data();
        assert_eq!(shop.stripe.charged(), 0, "it is tried first");
        // A phone limits by what the feed brings.
        let mut phone = Phone::new(&shop.sitter);
        let feed = phone.pull().await.to_string();
        assert!(feed.contains(r#""plan_id":"solo""#), "{feed}");
    }

    async fn who_comes_back_before_the_report_has_the_plan(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("pro").await;
        assert_eq!(shop.stripe.session(&session)["success_url"], HERE);
        shop.stripe.pay(&session, Means::Card);
        let seen = shop.sitter.get("/billing/dashboard").await;
        assert_eq!(seen.data()["subscription"]["subscription_plan_id"], "pro");
        shop.report_all().await;
        shop.assert_stands("pro", "trialing").await;
    }

    async fn prices_are_stripes_and_stay_known_while_it_is_down(app: TestApp) {
        let shop = Shop::open(&app).await;
        let joining = shop.app.anonymous().get("/auth/signup").await;
        assert_eq!(joining.data()["plans"][1]["price"], Value::Null, "nobody waits for Stripe");
        let plans = shop.sitter.get("/billing/plans").await;
        let solo = &plans.data()[1];
        assert_eq!(solo["stripe_price_id"], "price_solo");
        assert_eq!(solo["price"], json!({ "amount": 12, "every": "month", "words": "$12.00 a month" }));
        let joining = shop.app.anonymous().get("/auth/signup").await;
        assert_eq!(joining.data()["plans"][2]["price"]["amount"], 29);
        shop.app.clock.advance(2 * HOUR);
        for _ in 0..4 {
            shop.stripe.has(Trouble::Status(500));
        }
        let plans = shop.sitter.get("/billing/plans").await;
        assert_eq!(plans.data()[1]["price"]["amount"], 12);
        shop.app.clock.advance(DAY);
        for _ in 0..4 {
            shop.stripe.has(Trouble::Status(500));
        }
        assert_eq!(shop.sitter.get("/billing/plans").await.failure(), (503, "unavailable"));
        let joining = shop.app.anonymous().get("/auth/signup").await;
        assert_eq!(joining.data()["plans"][1]["price"], Value::Null, "nobody is told an old price");
    }

    async fn a_larger_plan_charges_what_was_previewed_and_a_smaller_one_gives_credit(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        let before = shop.stripe.charged();
        shop.app.clock.advance(15 * DAY);
        let preview = shop.preview("solo", "pro").await;
        assert_eq!(preview.data()["immediate_charge"], 8.5, "half of $29.00 - $12.00");
        let words = preview.data()["words"].as_str().unwrap();
        assert!(words.starts_with("You are charged $8.50 now"), "{words}");
        assert_eq!(shop.stripe.charged(), before, "nothing is changed by looking");
        shop.app.clock.advance(HOUR / 2);
        let changed = shop.update("pro", &preview).await;
        assert_eq!(changed.data()["subscription"]["subscription_plan_id"], "pro");
        assert_eq!(shop.stripe.charged() - before, 850, "what was said");
        shop.report_all().await;
        shop.assert_stands("pro", "active").await;

        let preview = shop.preview("pro", "solo").await;
        let credit = preview.data()["immediate_charge"].as_f64().unwrap();
        assert!((-8.5..-8.0).contains(&credit), "{credit}");
        assert!(preview.data()["words"].as_str().unwrap().contains("credit of $8."));
        shop.update("solo", &preview).await.data();
        assert_eq!(shop.stripe.charged() - before, 850);
        let [customer] = shop.stripe.customers().try_into().unwrap();
        assert_eq!(customer["balance"], json!((credit * 100.0).round() as i64));
        shop.assert_stands("solo", "active").await;
    }

    async fn a_change_that_comes_twice_is_charged_once(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        let before = shop.stripe.charged();
        shop.app.clock.advance(15 * DAY);
        let preview = shop.preview("solo", "pro").await;
        let (one, two) = tokio::join!(shop.update("pro", &preview), shop.update("pro", &preview));
        assert_eq!((one.status.as_u16(), two.status.as_u16()), (200, 200), "{} {}", one.body, two.body);
        shop.update("pro", &preview).await.data();
        assert_eq!(shop.stripe.charged() - before, 850);
    }

    async fn a_page_is_the_same_one_for_all_calls_with_one_key(app: TestApp) {
        let shop = Shop::open(&app).await;
        let form = json!({ "plan_id": "solo", "price_id": "price_solo", "return_url": HERE });
        let post = async |key: &str, form: &Value| shop.sitter.post_once(key, "/billing/checkout-session", form.clone()).await;
        for _ in 0..2 {
            shop.stripe.has(Trouble::Status(500));
        }
        assert_eq!(post("one", &form).await.failure(), (503, "unavailable"));
        shop.app.clock.advance(HOUR);
        let first = post("one", &form).await;
        shop.app.clock.advance(HOUR);
        assert_eq!(post("one", &form).await.body, first.body);
        assert_ne!(post("two", &form).await.body, first.body);
        let other = json!({ "plan_id": "pro", "price_id": "price_pro", "return_url": HERE });
        assert_eq!(post("one", &other).await.failure(), (422, "key_reused"));
    }

    async fn a_change_with_a_key_is_made_once_whatever_came_after_it(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        shop.app.clock.advance(15 * DAY);
        let before = shop.stripe.charged();
        let date = shop.preview("solo", "pro").await.data()["proration_date"].clone();
        let form = json!({ "plan_id": "pro", "proration_date": date });
        let post = async || shop.sitter.post_once("one", "/billing/update-subscription", form.clone()).await;
        let first = post().await;
        assert_eq!(first.data()["subscription"]["subscription_plan_id"], "pro");
        let charged = shop.stripe.charged() - before;
        shop.update("solo", &shop.preview("pro", "solo").await).await.data();
        assert_eq!(post().await.body, first.body);
        shop.assert_stands("solo", "active").await;
        assert_eq!(shop.stripe.charged() - before, charged);
    }

    async fn a_declined_card_changes_nothing_until_it_is_mended(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        shop.app.clock.advance(15 * DAY);
        shop.stripe.all_have(Means::BadCard);
        let preview = shop.preview("solo", "pro").await;
        let declined = shop.update("pro", &preview).await;
        assert_eq!(declined.failure(), (402, "card_declined"));
        shop.report_all().await;
        shop.assert_stands("solo", "active").await;
        let portal = shop.sitter.post("/billing/portal-session", json!({ "return_url": HERE })).await;
        assert!(portal.data()["url"].as_str().unwrap().starts_with(&shop.stripe.origin));
        shop.stripe.all_have(Means::Card);
        shop.app.clock.advance(1000);
        let preview = shop.preview("solo", "pro").await;
        shop.update("pro", &preview).await.data();
        shop.assert_stands("pro", "active").await;
    }

    async fn the_free_plan_comes_with_the_end_of_what_is_paid_and_can_be_thought_better_of(app: TestApp) {
        let shop = Shop::paying(&app, "pro").await;
        for at in 0..7 {
            shop.new_client(&format!("Client {at}")).await.data();
        }
        let cancelled = shop.preview("pro", "free").await;
        assert_eq!(cancelled.data()["immediate_charge"], 0);
        let changed = shop.update("free", &cancelled).await;
        assert_eq!(changed.data()["subscription"]["cancels"], true);
        assert_eq!(changed.data()["subscription"]["subscription_plan_id"], "pro");
        let kept = shop.preview("pro", "pro").await;
        assert_eq!(shop.update("pro", &kept).await.data()["subscription"]["cancels"], false);
        shop.app.clock.advance(1000);
        let cancelled = shop.preview("pro", "free").await;
        shop.update("free", &cancelled).await.data();
        shop.new_client("Eight").await.data();
        shop.app.clock.advance(29 * DAY);
        shop.stripe.renew_all();
        shop.report_all().await;
        shop.assert_stands("free", "active").await;
        assert_eq!(shop.sitter.get("/clients").await.data().as_array().unwrap().len(), 8, "nothing is taken away");
        assert_eq!(shop.new_client("Nine").await.failure(), (403, "limit_reached"));
        // Who comes again is a customer already, and has tried.
        let session = shop.begin("solo").await;
        assert_eq!(shop.stripe.customers().len(), 1);
        let before = shop.stripe.charged();
        shop.stripe.pay(&session, Means::Card);
        shop.report_all().await;
        shop.assert_stands("solo", "active").await;
        assert_eq!(shop.stripe.charged() - before, 1200);
    }

    async fn who_cannot_pay_is_warned_and_later_limited_and_keeps_everything(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        for at in 0..7 {
            shop.new_client(&format!("Client {at}")).await.data();
        }
        shop.stripe.all_have(Means::BadCard);
        shop.app.clock.advance(29 * DAY);
        shop.stripe.renew_all();
        shop.report_all().await;
        shop.assert_stands("solo", "past_due").await;
        shop.new_client("Eight").await.data();
        shop.stripe.give_up_all();
        shop.report_all().await;
        shop.assert_stands("solo", "inactive").await;
        assert_eq!(shop.new_client("Nine").await.failure(), (403, "limit_reached"));
        assert_eq!(shop.sitter.get("/clients").await.data().as_array().unwrap().len(), 8);
        shop.subscribe("solo").await;
        shop.assert_stands("solo", "active").await;
    }

    async fn reports_may_come_twice_late_and_in_any_order(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("solo").await;
        shop.stripe.pay(&session, Means::Card);
        let mut events = shop.stripe.take_events();
        let preview = shop.preview("solo", "pro").await;
        shop.update("pro", &preview).await.data();
        let preview = shop.preview("pro", "free").await;
        shop.update("free", &preview).await.data();
        events.extend(shop.stripe.take_events());
        shop.app.clock.advance(14 * DAY);
        shop.stripe.renew_all();
        events.extend(shop.stripe.take_events());
        for event in events.iter().rev().chain(&events) {
            assert_eq!(shop.report(event).await.status, 200);
        }
        shop.assert_stands("free", "active").await;
        let (one, two) = tokio::join!(shop.report(&events[0]), shop.report(&events[0]));
        assert_eq!((one.status.as_u16(), two.status.as_u16()), (200, 200));
        // Each is asked about once.
        shop.stripe.take_calls();
        assert_eq!(shop.report(&events[1]).await.status, 200);
        assert_eq!(shop.stripe.take_calls().len(), 0);
    }

    async fn a_report_that_cannot_be_dealt_with_is_asked_for_again(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("solo").await;
        shop.stripe.pay(&session, Means::Card);
        let events = shop.stripe.take_events();
        for trouble in [Trouble::Status(500), Trouble::Status(429), Trouble::Nonsense, Trouble::Endless] {
            // What may pass is tried twice.
            shop.stripe.has(trouble);
            shop.stripe.has(trouble);
            let answer = shop.report(&events[0]).await;
            assert_eq!(answer.failure().0, 503, "{trouble:?}");
            while !shop.stripe.is_untroubled() {
                let _ = shop.sitter.get("/billing/plans").await;
                shop.app.clock.advance(2 * HOUR);
            }
            shop.assert_stands("free", "active").await;
        }
        assert_eq!(shop.report(&events[0]).await.status, 200);
        shop.assert_stands("solo", "trialing").await;
    }

    async fn what_was_never_reported_is_found_when_the_period_is_over(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("solo").await;
        shop.stripe.pay(&session, Means::Card);
        shop.stripe.take_events();
        look_once(&shop.app.state).await.unwrap();
        shop.assert_stands("free", "active").await;
        shop.app.clock.advance(2 * HOUR);
        look_once(&shop.app.state).await.unwrap();
        shop.assert_stands("solo", "trialing").await;
        shop.app.clock.advance(14 * DAY);
        shop.stripe.renew_all();
        shop.stripe.take_calls();
        look_once(&shop.app.state).await.unwrap();
        shop.assert_stands("solo", "active").await;
        shop.stripe.take_calls();
        look_once(&shop.app.state).await.unwrap();
        let asked = shop.stripe.take_calls();
        assert!(asked.iter().all(|it| it.path != "/v1/subscriptions"), "nothing is due");
    }

    async fn what_was_ended_in_the_portal_goes_on_for_who_keeps_the_plan(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        shop.stripe.cancel_all_at_portal();
        shop.report_all().await;
        let seen = shop.sitter.get("/billing/dashboard").await;
        assert_eq!(seen.data()["subscription"]["cancels"], true);
        let kept = shop.preview("solo", "solo").await;
        assert_eq!(shop.update("solo", &kept).await.data()["subscription"]["cancels"], false);
        shop.app.clock.advance(29 * DAY);
        shop.stripe.renew_all();
        shop.report_all().await;
        shop.assert_stands("solo", "active").await;
    }

    async fn what_was_ended_in_the_portal_goes_on_for_who_pays_for_a_larger_plan(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        shop.stripe.cancel_all_at_portal();
        let preview = shop.preview("solo", "pro").await;
        assert_eq!(shop.update("pro", &preview).await.data()["subscription"]["cancels"], false);
        shop.app.clock.advance(29 * DAY);
        shop.stripe.renew_all();
        shop.report_all().await;
        shop.assert_stands("pro", "active").await;
    }

    async fn what_else_the_customer_is_sold_is_no_plan_and_takes_none_away(app: TestApp) {
        let shop = Shop::paying(&app, "pro").await;
        shop.app.clock.advance(1000);
        shop.stripe.sell_to_all(OTHER_PRICE);
        shop.report_all().await;
        shop.sitter.get("/billing/dashboard").await.data();
        shop.assert_stands("pro", "active").await;
        assert_eq!(shop.stripe.subscriptions().len(), 2);
    }

    async fn who_is_sold_something_else_can_begin_a_plan(app: TestApp) {
        let shop = Shop::open(&app).await;
        shop.begin("solo").await;
        shop.stripe.sell_to_all(OTHER_PRICE);
        shop.app.clock.advance(1000);
        shop.subscribe("solo").await;
        shop.assert_stands("solo", "trialing").await;
        assert_eq!(shop.stripe.subscriptions().len(), 2);
    }

    #[always]
    async fn whose_customer_was_deleted_at_stripe_begins_anew(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        shop.stripe.delete_all_customers();
        let portal = shop.sitter.post("/billing/portal-session", json!({ "return_url": HERE })).await;
        assert_eq!(portal.failure(), (409, "not_subscribed"));
        shop.assert_stands("free", "active").await;
        shop.begin("solo").await;
        shop.stripe.delete_all_customers();
        shop.subscribe("solo").await;
        shop.assert_stands("solo", "trialing").await;
    }

    async fn what_stripe_has_failed_at_once_is_begun_a_few_minutes_later(app: TestApp) {
        let shop = Shop::open(&app).await;
        shop.sitter.get("/billing/plans").await.data();
        // It is looked for a customer, who is made then.
        shop.stripe.passes(1);
        shop.stripe.has(Trouble::Broken(500));
        assert_eq!(shop.checkout("solo").await.failure(), (503, "unavailable"));
        assert!(shop.stripe.is_untroubled());
        assert_eq!(shop.checkout("solo").await.failure(), (503, "unavailable"), "its key has its answer");
        shop.app.clock.advance(HOUR / 12);
        // It is made; then comes what it has, and then the page.
        shop.stripe.passes(3);
        shop.stripe.has(Trouble::Broken(500));
        assert_eq!(shop.checkout("solo").await.failure(), (503, "unavailable"));
        shop.app.clock.advance(HOUR / 12);
        shop.subscribe("solo").await;
        shop.assert_stands("solo", "trialing").await;
    }

    async fn who_changes_the_name_between_two_tries_begins_all_the_same(app: TestApp) {
        let shop = Shop::impatient(&app, Duration::from_millis(300)).await;
        shop.stripe.passes(1);
        shop.stripe.has(Trouble::DoneInSilence);
        assert_eq!(shop.checkout("solo").await.failure(), (503, "unavailable"));
        let form = json!({ "business_name": "Mara and Dogs" });
        shop.sitter.put("/sitters/profile", form).await.data();
        shop.begin("solo").await;
    }

    async fn a_call_whose_key_is_in_use_is_made_again(app: TestApp) {
        let shop = Shop::open(&app).await;
        shop.stripe.passes(1);
        shop.stripe.has(Trouble::KeyInUse);
        shop.begin("solo").await;
    }

    async fn a_bank_that_asks_is_answered_on_stripes_page(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        shop.stripe.all_have(Means::AskingCard);
        let preview = shop.preview("solo", "pro").await;
        assert_eq!(shop.update("pro", &preview).await.failure(), (402, "bank_asks"));
        shop.stripe.take_calls();
        let form = json!({ "plan_id": "pro", "return_url": HERE });
        let page = shop.sitter.post("/billing/portal-session", form).await;
        assert!(page.data()["url"].as_str().unwrap().starts_with(&shop.stripe.origin));
        let call = shop.stripe.take_calls().pop().unwrap();
        let price = "flow_data[subscription_update_confirm][items][0][price]";
        assert!(call.form.contains(&(price.to_owned(), "price_pro".to_owned())), "{:?}", call.form);
    }

    #[always]
    async fn who_could_not_pay_may_stay_on_free_and_is_asked_no_more(app: TestApp) {
        let mut shop = Shop::open(&app).await;
        for (is_left, next) in [(false, "Kim"), (true, "Ada")] {
            shop.pay_from_now_on("solo").await;
            shop.stripe.all_have(Means::BadCard);
            shop.app.clock.advance(29 * DAY);
            shop.stripe.renew_all();
            match is_left {
                true => shop.stripe.leave_all_unpaid(),
                false => shop.stripe.give_up_all(),
            }
            shop.report_all().await;
            shop.assert_stands("solo", "inactive").await;
            assert_eq!(shop.preview("solo", "pro").await.failure(), (409, "not_subscribed"));
            let preview = shop.preview("solo", "free").await;
            assert_eq!(preview.data()["immediate_charge"], 0);
            let before = shop.stripe.charged();
            let stays = shop.update("free", &preview).await;
            assert_eq!(stays.data()["subscription"]["subscription_plan_id"], "free");
            shop.report_all().await;
            shop.assert_stands("free", "active").await;
            assert_eq!(shop.stripe.subscriptions().len(), 0);
            assert_eq!(shop.stripe.charged(), before);
            assert!(shop.stripe.customers().iter().all(|it| it["balance"] == 0));
            shop.sitter = shop.app.sitter(next).await;
        }
    }

    async fn a_plan_that_is_past_due_for_months_is_limited_and_begun_anew(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        shop.stripe.all_have(Means::BadCard);
        for is_limited in [false, false, true] {
            shop.app.clock.advance(30 * DAY);
            shop.stripe.renew_all();
            shop.report_all().await;
            let status = if is_limited { "inactive" } else { "past_due" };
            shop.assert_stands("solo", status).await;
        }
        shop.subscribe("solo").await;
        shop.assert_stands("solo", "active").await;
        assert_eq!(shop.stripe.subscriptions().len(), 1);
        let [customer] = shop.stripe.customers().try_into().unwrap();
        assert_eq!(customer["balance"], 0, "no credit for what was never paid");
    }

    async fn who_pays_is_known_again_by_a_database_of_before(app: TestApp) {
        let forget = async |shop: &Shop| {
            let state = &shop.app.state;
            let mut tx = state.db.write().await.unwrap();
            let known = db::billing_customer(&mut tx, shop.sitter.sitter_id.unwrap()).await.unwrap().unwrap();
            db::delete_billing_customer(&mut tx, &known).await.unwrap();
            tx.commit().await.unwrap();
        };
        let shop = Shop::paying(&app, "solo").await;
        forget(&shop).await;
        assert_eq!(shop.checkout("solo").await.failure(), (409, "subscribed"), "not twice");
        forget(&shop).await;
        shop.app.clock.advance(29 * DAY);
        shop.stripe.cancel_all_at_portal();
        shop.report_all().await;
        let seen = shop.sitter.get("/billing/dashboard").await;
        assert_eq!(seen.data()["subscription"]["cancels"], true);
        assert_eq!(shop.stripe.customers().len(), 1);
    }

    async fn strangers_reports_hold_up_none_of_stripes(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("solo").await;
        shop.stripe.pay(&session, Means::Card);
        let mut refused = 0;
        while refused < 1_000 && shop.post("{}", "t=0,v1=00").await.status != 429 {
            refused += 1;
        }
        assert!(refused < 1_000, "nobody tries for ever");
        shop.report_all().await;
        shop.assert_stands("solo", "trialing").await;
    }

    async fn what_stripe_leaves_unpaid_is_begun_anew_and_not_paid_twice(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        shop.stripe.all_have(Means::BadCard);
        shop.app.clock.advance(29 * DAY);
        shop.stripe.renew_all();
        shop.stripe.leave_all_unpaid();
        shop.report_all().await;
        shop.assert_stands("solo", "inactive").await;
        let before = shop.stripe.charged();
        shop.subscribe("pro").await;
        shop.assert_stands("pro", "active").await;
        assert_eq!(shop.stripe.charged() - before, 2900, "no credit for what was never paid");
        assert_eq!(shop.stripe.subscriptions().len(), 1);
    }

    async fn a_page_cannot_be_paid_on_after_it_was_looked_whether_it_was(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("solo").await;
        shop.app.clock.advance(HOUR / 2);
        shop.sitter.get("/billing/dashboard").await.data();
        shop.app.clock.advance(HOUR / 2 - 1000);
        assert!(shop.stripe.pay(&session, Means::Card));
        shop.stripe.take_events();
        shop.app.clock.advance(HOUR);
        look_once(&shop.app.state).await.unwrap();
        shop.assert_stands("solo", "trialing").await;

        let shop = Shop { sitter: shop.app.sitter("Kim").await, ..shop };
        let session = shop.begin("solo").await;
        shop.app.clock.advance(2 * HOUR);
        assert!(!shop.stripe.pay(&session, Means::Card));
    }

    async fn a_change_that_is_cut_off_is_looked_at_within_minutes(app: TestApp) {
        let shop = Shop::open(&app).await;
        shop.subscribe("solo").await;
        let preview = shop.preview("solo", "pro").await;
        shop.stripe.passes(1);
        shop.stripe.has(Trouble::DoneInSilence);
        let is_done = async {
            while shop.stripe.subscriptions()[0]["items"]["data"][0]["price"]["id"] != "price_pro" {
                tokio::task::yield_now().await;
            }
        };
        // Whoever asked hangs up.
        tokio::select! {
            answer = shop.update("pro", &preview) => panic!("{}", answer.body),
            () = is_done => {}
        }
        shop.stripe.take_events();
        shop.app.clock.advance(HOUR / 60);
        look_once(&shop.app.state).await.unwrap();
        shop.assert_stands("pro", "trialing").await;
    }

    async fn a_change_is_told_without_asking_once_more(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        let preview = shop.preview("solo", "pro").await;
        shop.stripe.take_calls();
        let changed = shop.update("pro", &preview).await;
        assert_eq!(changed.data()["subscription"]["subscription_plan_id"], "pro");
        assert_eq!(shop.stripe.take_calls().len(), 2, "what there is, and the change");
    }

    async fn what_is_not_what_was_confirmed_is_not_changed(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        let preview = shop.preview("solo", "pro").await;
        shop.update("pro", &preview).await.data();
        let form = json!({ "plan_id": "free", "current_plan_id": "solo" });
        let answer = shop.sitter.post("/billing/update-subscription", form).await;
        assert_eq!(answer.failure(), (409, "plan_changed"));
        let seen = shop.sitter.get("/billing/dashboard").await;
        assert_eq!(seen.data()["subscription"]["cancels"], false);
    }

    async fn a_second_subscription_is_ended_with_a_credit_however_often_that_fails(app: TestApp) {
        let shop = Shop::paying(&app, "pro").await;
        let cancelled = shop.preview("pro", "free").await;
        shop.update("free", &cancelled).await.data();
        shop.app.clock.advance(29 * DAY);
        shop.stripe.renew_all();
        shop.report_all().await;
        // Tried it is no more: both are paid.
        let (one, other) = (shop.begin("solo").await, shop.begin("pro").await);
        shop.stripe.pay(&one, Means::Card);
        shop.app.clock.advance(1000);
        shop.stripe.pay(&other, Means::Card);
        shop.stripe.take_events();
        // The list, and then the end of one, twice.
        shop.stripe.passes(1);
        shop.stripe.has(Trouble::Status(500));
        shop.stripe.has(Trouble::Status(500));
        shop.sitter.get("/billing/dashboard").await.data();
        shop.assert_stands("pro", "active").await;
        assert_eq!(shop.stripe.subscriptions().len(), 2);
        shop.app.clock.advance(HOUR / 60);
        look_once(&shop.app.state).await.unwrap();
        assert_eq!(shop.stripe.subscriptions().len(), 1);
        let [customer] = shop.stripe.customers().try_into().unwrap();
        assert_eq!(customer["balance"], -1200, "what is left of it");
    }

    async fn two_pages_that_are_both_paid_are_one_subscription_in_the_end(app: TestApp) {
        let shop = Shop::open(&app).await;
        let (one, same) = tokio::join!(shop.begin("solo"), shop.begin("solo"));
        assert_eq!(one, same);
        let other = shop.begin("pro").await;
        assert_ne!(one, other);
        shop.stripe.pay(&one, Means::Card);
        shop.app.clock.advance(1000);
        shop.stripe.pay(&other, Means::Card);
        shop.report_all().await;
        shop.assert_stands("pro", "trialing").await;
        assert_eq!(shop.stripe.subscriptions().len(), 1);
        assert_eq!(shop.checkout("solo").await.failure(), (409, "subscribed"));
    }

    async fn whatever_stripe_does_nothing_changes_and_the_person_can_try_again(app: TestApp) {
        let shop = Shop::impatient(&app, Duration::from_millis(300)).await;
        shop.sitter.get("/billing/plans").await.data();
        for trouble in [Trouble::Silence, Trouble::DoneInSilence, Trouble::Nonsense, Trouble::Status(400)] {
            // It is looked for a customer first.
            shop.stripe.passes(1);
            shop.stripe.has(trouble);
            let answer = shop.checkout("solo").await;
            assert_eq!(answer.failure(), (503, "unavailable"), "{trouble:?}");
        }
        shop.subscribe("solo").await;
        assert_eq!(shop.stripe.customers().len(), 1, "who was made in silence is the same");
        let preview = shop.preview("solo", "pro").await;
        // The list is fetched first; then comes the change, which is done and not answered.
        shop.stripe.passes(1);
        shop.stripe.has(Trouble::DoneInSilence);
        assert_eq!(shop.update("pro", &preview).await.failure(), (503, "unavailable"));
        shop.stripe.take_events();
        shop.app.clock.advance(HOUR / 60);
        look_once(&shop.app.state).await.unwrap();
        shop.assert_stands("pro", "trialing").await;
        shop.update("pro", &preview).await.data();
        let seen = shop.sitter.get("/billing/dashboard").await;
        assert_eq!(seen.status, 200);
        shop.stripe.has(Trouble::Silence);
        let seen = shop.sitter.get("/billing/dashboard").await;
        assert_eq!(seen.data()["subscription"]["subscription_plan_id"], "pro", "what is known is shown");
    }

    async fn what_is_not_signed_by_stripe_or_of_another_account_changes_nothing(app: TestApp) {
        let shop = Shop::open(&app).await;
        let session = shop.begin("solo").await;
        shop.stripe.pay(&session, Means::Card);
        let [event, _] = shop.stripe.take_events().try_into().unwrap();
        let (body, now) = (event.to_string(), shop.app.state.now().0 / 1000);
        for (what, body, signature) in [
            ("no signature", body.clone(), String::new()),
            ("another secret", body.clone(), sign(&body, "whsec_another", now)),
            ("a stale one", body.clone(), sign(&body, SECRET, now - 301)),
            ("tampered with", body.replace("trialing", "active"), sign(&body, SECRET, now)),
            ("no event", "[]".to_owned(), sign("[]", SECRET, now)),
        ] {
            assert_eq!(shop.post(&body, &signature).await.failure(), (400, "malformed"), "{what}");
        }
        shop.assert_stands("free", "active").await;
        // What is signed and means nothing here is taken.
        for (kind, object) in [
            ("customer.subscription.created", json!({ "object": "subscription", "customer": "cus_of_a_shop" })),
            ("customer.deleted", json!({ "object": "customer", "id": "cus_of_a_shop" })),
            ("customer.subscription.updated", json!({ "customer": { "id": "cus_of_a_shop" } })),
            ("invoice.payment_failed", json!(null)),
            ("a.kind.of.tomorrow", json!([])),
        ] {
            shop.stripe.tell(kind, &object);
        }
        shop.report_all().await;
        shop.assert_stands("free", "active").await;
        assert_eq!(shop.report(&event).await.status, 200);
        shop.assert_stands("solo", "trialing").await;
    }

    async fn whatever_is_signed_no_plan_is_had_that_stripe_does_not_know(app: TestApp) {
        let shop = Shop::open(&app).await;
        shop.begin("pro").await;
        let [customer] = shop.stripe.customers().try_into().unwrap();
        let event = json!({
            "id": "evt_0", "object": "event", "type": "customer.subscription.updated", "created": 0, "livemode": false,
            "data": { "object": {
                "id": "sub_1", "object": "subscription", "customer": customer["id"], "status": "active",
                "items": { "object": "list", "data": [{ "id": "si_1", "price": { "id": "price_pro" } }] },
                "metadata": { "walkies_plan": "pro", "walkies_sitter": shop.sitter.sitter_id },
            } },
        });
        let mut rng = Rng::new(31, 0);
        for n in 0..300 {
            let mut mutated = event.clone();
            mutated["id"] = json!(format!("evt_{n}"));
            for _ in 0..rng.below(4) {
                spoil(&mut mutated, &mut rng);
            }
            let mut body = mutated.to_string();
            if rng.chance(10) {
                body.truncate(rng.below(body.len()));
            }
            let signature = sign(&body, SECRET, shop.app.state.now().0 / 1000);
            let status = shop.post(&body, &signature).await.status;
            assert!([200, 400].contains(&status.as_u16()), "{status} for {body}");
        }
        shop.assert_stands("free", "active").await;
    }

    async fn both_secrets_count_while_one_takes_the_others_place(app: TestApp) {
        let next = "whsec_StandInStandInStandInOfNext".to_owned();
        let billing = BillingSettings { webhook_secrets: vec![next.clone(), SECRET.to_owned()], ..billing_settings() };
        let (app, stripe) = beside(&app, Duration::from_secs(60), billing).await;
        let sitter = app.sitter("Mara").await;
        let shop = Shop { stripe, app, sitter };
        shop.subscribe("solo").await;
        let event = json!({ "id": "evt_next", "type": "a.kind.of.tomorrow", "data": { "object": {} } }).to_string();
        let signature = sign(&event, &next, shop.app.state.now().0 / 1000);
        assert_eq!(shop.post(&event, &signature).await.status, 200);
    }

    async fn nobody_is_sent_elsewhere_and_nobody_pays_another_price(app: TestApp) {
        let shop = Shop::open(&app).await;
        for return_url in ["https://evil.example/billing", "http://127.0.0.1:8080.evil.example/", "javascript:alert(1)",
            "http://127.0.0.1:8080\\@evil.example", "http://127.0.0.1:8080@evil.example/", ""] {
            let form = json!({ "plan_id": "solo", "price_id": "price_solo", "return_url": return_url });
            let answer = shop.sitter.post("/billing/checkout-session", form).await;
            let session = answer.data()["url"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            assert_eq!(shop.stripe.session(&session)["success_url"], HERE, "{return_url}");
        }
        for (plan, price, code) in [
            ("solo", "price_pro", "plan_changed"), ("solo", OTHER_PRICE, "plan_changed"),
            ("free", "price_solo", "invalid"), ("self_hosted", "", "invalid"), ("gold", "price_solo", "invalid"),
        ] {
            let form = json!({ "plan_id": plan, "price_id": price });
            let answer = shop.sitter.post("/billing/checkout-session", form).await;
            assert_eq!(answer.failure().1, code, "{plan} {price}");
        }
        assert_eq!(shop.preview("free", "solo").await.failure(), (409, "not_subscribed"));
        let portal = shop.sitter.post("/billing/portal-session", json!({})).await;
        assert_eq!(portal.status, 200, "who was on the way to pay is a customer");
        let other = shop.app.sitter("Kim").await;
        let portal = other.post("/billing/portal-session", json!({})).await;
        assert_eq!(portal.failure(), (409, "not_subscribed"));
    }

    async fn an_old_preview_or_one_of_another_plan_is_not_acted_on(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        let preview = shop.preview("solo", "pro").await;
        assert_eq!(shop.preview("pro", "solo").await.failure(), (409, "plan_changed"));
        assert_eq!(shop.preview("solo", "solo").await.failure(), (409, "same_plan"));
        shop.app.clock.advance(2 * HOUR);
        assert_eq!(shop.update("pro", &preview).await.failure(), (409, "plan_changed"));
        shop.assert_stands("solo", "active").await;
    }

    #[always]
    async fn a_deleted_account_pays_no_more(app: TestApp) {
        let shop = Shop::paying(&app, "solo").await;
        let gone = shop.sitter.call("DELETE", "/auth/account", &[], Some(json!({ "password": PASSWORD }))).await;
        assert_eq!(gone.status, 200, "{}", gone.body);
        // The prices come first.
        shop.stripe.passes(2);
        shop.stripe.has(Trouble::Status(500));
        shop.stripe.has(Trouble::Status(500));
        look_once(&shop.app.state).await.unwrap();
        look_once(&shop.app.state).await.unwrap();
        assert_eq!(shop.stripe.customers().len(), 1, "not before its time");
        shop.app.clock.advance(HOUR);
        look_once(&shop.app.state).await.unwrap();
        assert_eq!((shop.stripe.customers(), shop.stripe.subscriptions()), (vec![], vec![]));
        shop.report_all().await;
        look_once(&shop.app.state).await.unwrap();
    }

    async fn a_customer_whom_stripe_has_forgotten_begins_anew(app: TestApp) {
        let shop = Shop::open(&app).await;
        shop.begin("solo").await;
        let billing = BillingSettings { secret_key: OTHER_KEY.to_owned(), ..billing_settings() };
        let (other_app, stripe) = beside(&shop.app, Duration::from_secs(60), billing).await;
        let sitter = User { router: other_app.router.clone(), ..shop.sitter.clone() };
        let other = Shop { stripe, app: other_app, sitter };
        other.begin("solo").await;
    }

    async fn without_keys_everything_is_self_hosted_and_unlimited(app: TestApp) {
        let sitter = app.sitter("Mara").await;
        let seen = sitter.get("/billing/dashboard").await;
        let it = seen.data();
        assert_eq!((&it["sells_plans"], &it["has_portal"]), (&json!(false), &json!(false)));
        assert_eq!(it["subscription"]["plan"]["display_name"], "Self-hosted");
        assert_eq!(it["usage_limits"]["dogs"], json!({ "current": 0, "limit": -1 }));
        let plans = sitter.get("/billing/plans").await;
        assert_eq!(plans.data().as_array().unwrap().len(), 1);
        assert_eq!(plans.data()[0]["display_name"], "Self-hosted");
        for (path, form) in [
            ("checkout-session", json!({ "plan_id": "solo", "price_id": "price_solo" })),
            ("portal-session", json!({})),
            ("preview-change", json!({ "current_plan_id": "free", "new_plan_id": "solo" })),
            ("update-subscription", json!({ "plan_id": "solo" })),
        ] {
            let answer = sitter.post(&format!("/billing/{path}"), form).await;
            assert_eq!(answer.failure(), (404, "not_sold"), "{path}");
        }
    }

    #[always]
    async fn limits_begin_and_end_with_the_selling_of_plans(app: TestApp) {
        let before = app.sitter("Mara").await;
        let shop = Shop::open_for(&app, "Kim").await;
        align(&shop.app.state).await.unwrap();
        let mara = User { router: shop.app.router.clone(), ..before.clone() };
        assert_eq!(mara.get("/billing/dashboard").await.data()["subscription"]["subscription_plan_id"], "free");
        shop.subscribe("solo").await;
        align(&app.state).await.unwrap();
        let kim = User { router: app.router.clone(), ..shop.sitter.clone() };
        for sitter in [&before, &kim] {
            let profile = sitter.get("/sitters/profile").await;
            assert_eq!(profile.data().get("subscription"), None);
        }
        // Who pays is asked about, and limited at no time.
        align(&shop.app.state).await.unwrap();
        let profile = shop.sitter.get("/sitters/profile").await;
        assert_eq!(profile.data().get("subscription"), None);
        look_once(&shop.app.state).await.unwrap();
        shop.assert_stands("solo", "trialing").await;
    }
}

/// Puts something else in a place of it.
fn spoil(value: &mut Value, rng: &mut Rng) {
    let goes_on = rng.chance(80);
    match value {
        Value::Object(fields) if goes_on && !fields.is_empty() => {
            let at = rng.below(fields.len());
            spoil(fields.values_mut().nth(at).unwrap(), rng);
        }
        Value::Array(items) if goes_on && !items.is_empty() => {
            let at = rng.below(items.len());
            spoil(&mut items[at], rng);
        }
        value => {
            let others = [
                json!(null),
                json!(true),
                json!(-1),
                json!(1e300),
                json!([]),
                json!({}),
                json!("../../v1/balance"),
                json!("\u{0}\u{202e}"),
                json!("x".repeat(10_000)),
                json!([[[[]]]]),
            ];
            *value = rng.pick(&others).unwrap().clone();
        }
    }
}

impl Shop {
    async fn open_for(app: &TestApp, name: &str) -> Self {
        let (app, stripe) = beside(app, Duration::from_secs(60), billing_settings()).await;
        let sitter = app.sitter(name).await;
        Self {
            stripe,
            app,
            sitter,
        }
    }
}
