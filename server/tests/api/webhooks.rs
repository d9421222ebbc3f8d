//! Posts to the addresses at which Stripe reports: whatever comes, it is no defect, and nothing changes that nobody has
//! signed.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, Request};
use proptest::prelude::*;
use proptest::strategy::{Union, ValueTree as _};
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::billing::beside;
use crate::on_both;
use crate::support::stripe::{KEY, Means, SECRET, sign};
use crate::support::{PASSWORD, TestApp, User, billing_settings};

/// Kinds of events that Stripe reports.
const KINDS: [&str; 8] = [
    "checkout.session.completed",
    "checkout.session.async_payment_failed",
    "customer.deleted",
    "customer.subscription.updated",
    "customer.subscription.deleted",
    "invoice.paid",
    "charge.refunded",
    "charge.dispute.created",
];
const OBJECTS: [&str; 6] = [
    "checkout.session",
    "customer",
    "subscription",
    "invoice",
    "charge",
    "payment_intent",
];

/// How something is signed.
#[derive(Clone, Debug)]
enum Signature {
    /// As Stripe does.
    Right,
    /// Right, but of so many seconds ago.
    Old(i64),
    /// With a secret of somebody else's.
    Others,
    /// Signature of another body.
    OfAnother,
    /// These bytes in place of a signature.
    Bytes(Vec<u8>),
    /// Not at all.
    None,
}

fn signature() -> impl Strategy<Value = Signature> {
    prop_oneof![
        4 => Just(Signature::Right),
        1 => (-100_000_i64..100_000).prop_map(|it| Signature::Old(it + 400 * it.signum())),
        1 => Just(Signature::Others),
        1 => Just(Signature::OfAnother),
        1 => "t=[0-9-]{0,20},v1=[0-9a-fA-F,=v1]{0,80}".prop_map(|it| Signature::Bytes(it.into_bytes())),
        1 => proptest::collection::vec(32_u8..=255, 0..100).prop_map(Signature::Bytes),
        1 => Just(Signature::None),
    ]
}

/// Any JSON, with these words here and there.
fn json_with(words: &[String]) -> impl Strategy<Value = Value> + use<> {
    let words = words.to_vec();
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(|it| json!(it)),
        any::<i64>().prop_map(|it| json!(it)),
        any::<f64>().prop_map(|it| json!(it)),
        "\\PC{0,30}".prop_map(|it| json!(it)),
        "[\\x00-\\x1f]{1,3}".prop_map(|it| json!(it)),
        proptest::sample::select(words).prop_map(|it| json!(it)),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let name = prop_oneof![
            proptest::sample::select(vec![
                "id", "object", "customer", "metadata", "data", "items", "status"
            ])
            .prop_map(str::to_owned),
            "[a-z_]{0,8}",
        ];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            proptest::collection::vec((name, inner), 0..5)
                .prop_map(|it| it.into_iter().collect::<Value>()),
        ]
    })
}

/// A body: an event of something that is known or not, one that was spoiled, or no event.
fn body(words: &[String]) -> impl Strategy<Value = Vec<u8>> + use<> {
    let anything = json_with(words).boxed();
    let one_of = |known: &[&str]| {
        let known = known.iter().map(|it| json!(it)).collect::<Vec<_>>();
        Union::new([proptest::sample::select(known).boxed(), anything.clone()])
    };
    let known: Vec<&str> = words.iter().map(String::as_str).collect();
    let about = (
        one_of(&OBJECTS),
        one_of(&known),
        one_of(&known),
        one_of(&known),
        anything.clone(),
    );
    let about = about.prop_map(|(object, id, customer, sitter, more)| {
        let metadata = json!({ "walkies_sitter": sitter, "walkies_invoice": id, "walkies_plan": "pro" });
        json!({ "object": object, "id": id, "customer": customer, "metadata": metadata, "client_reference_id": sitter,
            "payment_status": "paid", "amount_total": more, "status": "complete", "payment_intent": id })
    });
    let about = Union::new([about.boxed(), anything.clone()]);
    let event = ("evt_[a-z0-9]{1,6}|.{0,300}", one_of(&KINDS), about);
    let event = event.prop_map(|(id, kind, object)| {
        json!({ "id": id, "type": kind, "data": { "object": object } })
            .to_string()
            .into_bytes()
    });
    let spoiled = (event.clone(), any::<prop::sample::Index>(), any::<u8>());
    let spoiled = spoiled.prop_map(|(mut body, place, byte)| {
        let place = place.index(body.len());
        body[place] = byte;
        body
    });
    prop_oneof![
        6 => event,
        2 => spoiled,
        1 => anything.prop_map(|it| it.to_string().into_bytes()),
        1 => proptest::collection::vec(any::<u8>(), 0..200),
    ]
}

/// Posts as much as is asked for by `PROPTEST_CASES`, or a bit.
async fn post_all(app: &TestApp, path: &str, words: &[String], check: impl AsyncFn(&str, bool)) {
    let config = Config::default();
    let n_cases = config.cases / 2;
    let mut runner = TestRunner::new(config);
    let strategy = (body(words), signature());
    for _ in 0..n_cases {
        let (body, signature) = strategy.new_tree(&mut runner).unwrap().current();
        let now = app.state.now().0 / 1000;
        let text = String::from_utf8_lossy(&body).into_owned();
        // Bytes that are no text are signed as other ones.
        let is_signed = matches!(signature, Signature::Right) && text.as_bytes() == body;
        let header = match &signature {
            Signature::Right => sign(&text, SECRET, now).into_bytes(),
            Signature::Old(age) => sign(&text, SECRET, now - age).into_bytes(),
            Signature::Others => sign(&text, "whsec_of_somebody", now).into_bytes(),
            Signature::OfAnother => sign(&format!("{text} "), SECRET, now).into_bytes(),
            Signature::Bytes(bytes) => bytes.clone(),
            Signature::None => Vec::new(),
        };
        let shown = format!("{text} signed {signature:?}");
        let mut request = Request::post(path);
        if let Ok(header) = HeaderValue::from_bytes(&header) {
            request = request.header("stripe-signature", header);
        }
        let request = request.body(Body::from(body)).unwrap();
        let answer = app.anonymous().send(request).await;
        let status = answer.status.as_u16();
        let is_fine = match is_signed {
            true => matches!(status, 200 | 400),
            false => status == 400,
        };
        assert!(is_fine, "{shown} was answered {status} {}", answer.body);
        check(&shown, is_signed).await;
        // Who is counted for what nobody has signed is let go again.
        app.clock.advance(10_000);
    }
}

async fn plan_of(sitter: &User) -> Value {
    let profile = sitter.get("/sitters/profile").await;
    profile.data()["subscription"].clone()
}

fn words_of(known: &[&str]) -> Vec<String> {
    let others = [
        "cus_nobody",
        "sub_nobody",
        "cs_nobody",
        "01a1fb5d-0000-7000-8000-000000000001",
        "",
    ];
    known
        .iter()
        .chain(&others)
        .map(|it| (*it).to_owned())
        .collect()
}

on_both! {
    async fn whatever_is_reported_of_plans_is_no_defect_and_stands_as_stripe_says(app: TestApp) {
        let (app, stripe) = beside(&app, Duration::from_secs(60), billing_settings()).await;
        let (sitter, free) = (app.sitter("Mara").await, app.sitter("Free").await);
        let form = json!({ "plan_id": "solo", "price_id": "price_solo" });
        let begun = sitter.post("/billing/checkout-session", form).await;
        let url = begun.data()["url"].as_str().unwrap().to_owned();
        let session = url.rsplit('/').next().unwrap();
        stripe.pay(session, Means::Card);
        stripe.take_events();
        sitter.get("/billing/dashboard").await;
        let before = plan_of(&sitter).await;
        assert_eq!(before["plan_id"], "solo");
        let [customer] = stripe.customers().try_into().unwrap();
        let sitter_id = sitter.sitter_id.unwrap().to_string();
        let words = words_of(&[customer["id"].as_str().unwrap(), session, &sitter_id]);
        post_all(&app, "/api/billing/webhook", &words, async |shown, _| {
            assert_eq!(plan_of(&sitter).await, before, "{shown}");
        })
        .await;
        assert_eq!(plan_of(&free).await["plan_id"], "free");
    }

    async fn whatever_is_reported_of_payments_is_no_defect_and_pays_nothing_unsigned(app: TestApp) {
        let (app, _stripe) = beside(&app, Duration::from_secs(60), billing_settings()).await;
        let sitter = app.sitter("Mara").await;
        let keys = json!({ "secret_key": KEY, "webhook_secrets": [SECRET], "password": PASSWORD });
        assert_eq!(sitter.put("/invoices/card-payments", keys).await.status, 200);
        let client = sitter.client("Sam").await;
        let service = sitter.walk(&client, "2026-11-24", "09:00").await;
        let form = json!({ "client_id": client.0, "services": [service] });
        let invoice = sitter.post("/invoices/share", form).await.id();
        let sitter_id = sitter.sitter_id.unwrap().to_string();
        let words = words_of(&[&invoice, &sitter_id]);
        let path = format!("/api/invoices/stripe/{sitter_id}/webhook");
        let payments = async || {
            let found = sitter.get(&format!("/invoices/{invoice}")).await;
            found.data()["payments"].clone()
        };
        let before = std::cell::RefCell::new(payments().await);
        post_all(&app, &path, &words, async |shown, is_signed| {
            let now = payments().await;
            assert!(is_signed || now == *before.borrow(), "{shown}");
            before.replace(now);
        })
        .await;
    }
}
