//! Owns what stands in for Stripe where there is none: its API as far as the server calls it, the page on which somebody
//! pays, and its signed events. What it takes and what it answers is held against the shapes that Stripe publishes
//! (`shapes.json`). It fails on command.

mod form;
mod page;
pub mod plans;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{delete, get, post};
use axum::{Extension, Json};
use ring::hmac;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use walkies_server::base::env::Clock;

pub use plans::PRICES;

/// May do everything.
pub const KEY: &str = "sk_test_51StandInMayDoEverything";
/// May make and see sessions, and nothing else.
pub const RESTRICTED_KEY: &str = "rk_test_51StandInMaySeeSessions";
/// Secret key of another account.
pub const OTHER_KEY: &str = "sk_test_51StandInOfAnotherAccount";
/// Signs the events of both accounts.
pub const SECRET: &str = "whsec_StandInStandInStandInStandIn";

/// The shapes that Stripe publishes.
static SHAPES: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("shapes.json")).unwrap());

/// The trouble that the next call meets.
#[derive(Clone, Copy, Debug)]
pub enum Trouble {
    /// This status, with Stripe's word for it, and nothing done: it comes before the call is begun.
    Status(u16),
    /// This status, from the midst of the call, with nothing done: whoever repeats the key gets it again.
    Broken(u16),
    /// Another call with the same key is under way.
    KeyInUse,
    /// No answer, and nothing done.
    Silence,
    /// No answer, and it is done all the same.
    DoneInSilence,
    /// An answer that is none of Stripe's.
    Nonsense,
    /// An answer without an end.
    Endless,
    /// No trouble: the call is answered.
    None,
}

/// A call as it came.
#[derive(Clone, Debug)]
pub struct Call {
    pub method: String,
    pub path: String,
    pub form: Vec<(String, String)>,
    pub headers: HeaderMap,
}

/// A session and what is not shown of it.
#[derive(Clone)]
struct Session {
    account: &'static str,
    shown: Value,
    payment_metadata: Value,
    /// The form that it was made with.
    form: Value,
}

#[derive(Default)]
struct Books {
    sessions: BTreeMap<String, Session>,
    /// By the payment that they belong to.
    charges: BTreeMap<String, Value>,
    /// Answers by account and idempotency key, with what was asked.
    answers: HashMap<(String, String), (String, u16, Value)>,
    /// Accounts and idempotency keys of the calls that are being worked on.
    in_use: HashSet<(String, String)>,
    troubles: VecDeque<Trouble>,
    calls: Vec<Call>,
    events: Vec<Value>,
    /// Addresses that events go to, and the secrets that they are signed with.
    hooks: Vec<(String, String)>,
    customers: BTreeMap<String, plans::Customer>,
    subscriptions: BTreeMap<String, Value>,
    portals: BTreeMap<String, Value>,
    /// All cents that were charged for plans.
    charged: i64,
    n_made: usize,
}

/// Stripe, in this process.
#[derive(Clone)]
pub struct Stripe {
    pub origin: String,
    clock: Arc<dyn Clock>,
    books: Arc<Mutex<Books>>,
}

/// How somebody pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// A card that is good.
    Card,
    /// One that is declined.
    BadCard,
    /// A bank that takes its time.
    Bank,
    /// A card whose bank wants its owner's yes each time.
    AskingCard,
}

impl Stripe {
    /// Binds the listener that it is going to serve on.
    pub async fn listener() -> TcpListener {
        TcpListener::bind("127.0.0.1:0").await.unwrap()
    }

    /// Starts it on this listener.
    pub fn start(listener: TcpListener, clock: Arc<dyn Clock>) -> Self {
        let stripe = Self {
            origin: format!("http://{}", listener.local_addr().unwrap()),
            clock,
            books: Arc::default(),
        };
        let api = Router::new()
            .route("/v1/checkout/sessions", post(create).get(list))
            .route("/v1/checkout/sessions/{id}", get(retrieve))
            .route("/v1/checkout/sessions/{id}/expire", post(expire))
            .route(
                "/v1/customers",
                post(plans::create_customer).get(plans::list_customers),
            )
            .route("/v1/customers/{id}", delete(plans::delete_customer))
            .route("/v1/prices/{id}", get(plans::retrieve_price))
            .route("/v1/subscriptions", get(plans::list_subscriptions))
            .route(
                "/v1/subscriptions/{id}",
                post(plans::update_subscription).delete(plans::cancel_subscription),
            )
            .route("/v1/invoices/create_preview", post(plans::preview))
            .route("/v1/billing_portal/sessions", post(plans::create_portal))
            .fallback(|| async { failure(404, "invalid_request_error", "", "") })
            .layer(middleware::from_fn_with_state(stripe.clone(), receive));
        let router = Router::new()
            .route("/pay/{id}", get(page::show).post(page::pay))
            .route(
                "/portal/{id}",
                get(plans::show_portal).post(plans::use_portal),
            )
            .route("/stand-in/renewals", post(page::renew))
            .route("/stand-in/endings", post(page::give_up))
            .route("/stand-in/hooks", post(page::add_hook))
            .route("/stand-in/refunds", post(page::refund_all))
            .merge(api)
            .with_state(stripe.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        stripe
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap()
    }

    fn now_s(&self) -> i64 {
        self.clock.now().0.div_euclid(1000)
    }

    /// Queues trouble for the next call.
    pub fn has(&self, trouble: Trouble) {
        self.books().troubles.push_back(trouble);
    }

    /// Queues calls without trouble, so many, before the next trouble.
    pub fn passes(&self, n: usize) {
        self.books().troubles.extend(vec![Trouble::None; n]);
    }

    /// True if no call meets anything any more.
    pub fn is_untroubled(&self) -> bool {
        self.books().troubles.is_empty()
    }

    /// Takes the calls since this was last called.
    pub fn take_calls(&self) -> Vec<Call> {
        std::mem::take(&mut self.books().calls)
    }

    /// The sessions that there are.
    pub fn session_ids(&self) -> Vec<String> {
        self.books().sessions.keys().cloned().collect()
    }

    /// A session as the API shows it.
    pub fn session(&self, id: &str) -> Value {
        self.books().sessions[id].shown.clone()
    }

    /// The sessions on which somebody can pay.
    pub fn open_session_ids(&self) -> Vec<String> {
        let books = self.books();
        let open = books
            .sessions
            .iter()
            .filter(|it| it.1.shown["status"] == "open");
        open.map(|it| it.0.clone()).collect()
    }

    /// Somebody pays on the page of a session; whether it went through.
    pub fn pay(&self, id: &str, means: Means) -> bool {
        let mut books = self.books();
        let n = books.n_made;
        if books
            .sessions
            .get(id)
            .is_some_and(|it| it.shown["mode"] == "subscription")
        {
            return self.subscribe(books, id, means);
        }
        let Some(kept) = books.sessions.get_mut(id) else {
            return false;
        };
        let session = &mut kept.shown;
        if session["status"] != "open" || means == Means::BadCard {
            return false;
        }
        let (payment, charge) = (format!("pi_{n}{id}"), format!("ch_{n}{id}"));
        session["status"] = json!("complete");
        session["payment_intent"] = json!(payment);
        session["url"] = Value::Null;
        if means == Means::Card {
            session["payment_status"] = json!("paid");
        }
        let session = session.clone();
        let made = charge_of(&session, &charge, &kept.payment_metadata, self.now_s());
        books.charges.insert(payment, made);
        drop(books);
        self.tell("checkout.session.completed", &session);
        true
    }

    /// Somebody begins a subscription on the page of a session.
    fn subscribe(&self, mut books: MutexGuard<'_, Books>, id: &str, means: Means) -> bool {
        let Session {
            mut shown, form, ..
        } = books.sessions[id].clone();
        let is_over = shown["expires_at"].as_i64().unwrap() < self.now_s();
        if shown["status"] != "open" || is_over || means != Means::Card {
            return false;
        }
        let subscription = books.begin(&shown, &form, self.now_s());
        shown["status"] = json!("complete");
        shown["payment_status"] = json!("paid");
        shown["subscription"] = subscription["id"].clone();
        shown["url"] = Value::Null;
        held("checkout.session", &shown);
        books.sessions.get_mut(id).unwrap().shown = shown.clone();
        drop(books);
        self.tell("customer.subscription.created", &subscription);
        self.tell("checkout.session.completed", &shown);
        true
    }

    /// The bank of a session has made up its mind.
    pub fn settle(&self, id: &str, is_paid: bool) {
        let mut books = self.books();
        let session = &mut books.sessions.get_mut(id).unwrap().shown;
        let kind = if is_paid {
            session["payment_status"] = json!("paid");
            "checkout.session.async_payment_succeeded"
        } else {
            "checkout.session.async_payment_failed"
        };
        let session = session.clone();
        drop(books);
        self.tell(kind, &session);
    }

    /// The business gives so many cents back.
    pub fn refund(&self, id: &str, cents: i64) {
        let mut books = self.books();
        let payment = books.sessions[id].shown["payment_intent"].clone();
        let charge = books.charges.get_mut(payment.as_str().unwrap()).unwrap();
        let refunded = charge["amount_refunded"].as_i64().unwrap() + cents;
        charge["amount_refunded"] = json!(refunded);
        charge["refunded"] = json!(charge["amount"] == refunded);
        let charge = charge.clone();
        drop(books);
        self.tell("charge.refunded", &charge);
    }

    /// Sends an event to all hooks, and keeps it.
    pub fn tell(&self, kind: &str, object: &Value) {
        let mut books = self.books();
        books.n_made += 1;
        let event = json!({
            "id": format!("evt_{}", books.n_made), "object": "event", "api_version": version(), "created": self.now_s(),
            "livemode": false, "pending_webhooks": 1, "request": null, "type": kind, "data": { "object": object },
        });
        held("event", &event);
        books.events.push(event.clone());
        for (url, secret) in books.hooks.clone() {
            tokio::spawn(self.clone().deliver(url, secret, event.clone()));
        }
    }

    /// The events since the last time.
    pub fn take_events(&self) -> Vec<Value> {
        std::mem::take(&mut self.books().events)
    }

    /// Posts an event until it is taken, and once more, as Stripe sometimes does.
    async fn deliver(self, url: String, secret: String, event: Value) {
        let body = event.to_string();
        let mut left = 2;
        // The first time at once.
        let mut turns = tokio::time::interval(Duration::from_millis(500));
        while 0 < left {
            turns.tick().await;
            let header = sign(&body, &secret, self.now_s());
            let request = reqwest::Client::new().post(&url).body(body.clone());
            let sent = request.header("stripe-signature", header).send().await;
            if sent.is_ok_and(|it| it.status().is_success()) {
                left -= 1;
            }
        }
    }
}

/// `Stripe-Signature` of a body.
pub fn sign(body: &str, secret: &str, at_s: i64) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, secret.as_bytes());
    let tag = hmac::sign(&key, format!("{at_s}.{body}").as_bytes());
    let hex: String = tag.as_ref().iter().map(|it| format!("{it:02x}")).collect();
    format!("t={at_s},v1={hex}")
}

fn version() -> &'static str {
    let source = SHAPES["source"].as_str().unwrap();
    source.rsplit(' ').next().unwrap()
}

/// Holds an object against what Stripe publishes: it has every field that is always there, and none of another kind.
fn held(name: &str, object: &Value) {
    let shape = SHAPES["objects"][name].as_object().unwrap();
    for (field, kinds) in shape {
        let value = object.get(field).unwrap_or(&Value::Null);
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let kinds = kinds.as_array().unwrap();
        assert!(
            kinds.iter().any(|it| it == kind),
            "{name}.{field} is {value}"
        );
    }
    for field in object.as_object().unwrap().keys() {
        assert!(shape.contains_key(field), "{name} has no {field}");
    }
}

/// Stripe's form of a failure.
fn failure(status: u16, kind: &str, code: &str, param: &str) -> Response {
    let mut error =
        json!({ "type": kind, "message": format!("Your call quoted: {code} {param} sk_test_***") });
    for (field, value) in [("code", code), ("param", param)] {
        if !value.is_empty() {
            error[field] = json!(value);
        }
    }
    held("error", &error);
    let status = StatusCode::from_u16(status).unwrap();
    (status, Json(json!({ "error": error }))).into_response()
}

/// Middleware of every call of the API: troubles, keys, the version, and repeats.
async fn receive(State(stripe): State<Stripe>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let encoded = if parts.method == "POST" {
        String::from_utf8_lossy(&body).into_owned()
    } else {
        parts.uri.query().unwrap_or_default().to_owned()
    };
    let trouble = {
        let mut books = stripe.books();
        books.calls.push(Call {
            method: parts.method.to_string(),
            path: parts.uri.path().to_owned(),
            form: form::pairs(&encoded),
            headers: parts.headers.clone(),
        });
        books.troubles.pop_front()
    };
    match trouble {
        Some(Trouble::Status(status)) => {
            let kind = if status == 402 {
                "card_error"
            } else {
                "api_error"
            };
            return failure(status, kind, "", "");
        }
        Some(Trouble::KeyInUse) => return key_in_use(),
        Some(Trouble::Silence) => return std::future::pending().await,
        Some(Trouble::Nonsense) => return "<html>502 Bad Gateway</html>".into_response(),
        Some(Trouble::Endless) => {
            let parts = futures_util::stream::repeat_with(|| {
                Ok::<_, std::io::Error>(Bytes::from(vec![b' '; 65_536]))
            });
            return axum::body::Body::from_stream(parts).into_response();
        }
        Some(Trouble::Broken(_) | Trouble::DoneInSilence | Trouble::None) | None => {}
    }
    let said = |name: &str| {
        let value = parts.headers.get(name).and_then(|it| it.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let authorization = said("authorization");
    let key = authorization.strip_prefix("Bearer ").unwrap_or_default();
    let Some(key) = [KEY, RESTRICTED_KEY, OTHER_KEY]
        .into_iter()
        .find(|it| *it == key)
    else {
        return failure(401, "invalid_request_error", "", "");
    };
    if said("stripe-version") != version() {
        return failure(400, "invalid_request_error", "", "");
    }
    let once = (account(key).to_owned(), said("idempotency-key"));
    let is_once = parts.method == "POST" && !once.1.is_empty();
    if is_once && let Some((asked, status, answer)) = stripe.books().answers.get(&once) {
        if *asked != encoded {
            return failure(400, "idempotency_error", "", "");
        }
        let status = StatusCode::from_u16(*status).unwrap();
        let headers = [("idempotent-replayed", "true")];
        return (status, headers, Json(answer.clone())).into_response();
    }
    if is_once && !stripe.books().in_use.insert(once.clone()) {
        return key_in_use();
    }
    let mut request = Request::from_parts(parts, body.into());
    request.extensions_mut().insert(key);
    let answer = match trouble {
        Some(Trouble::Broken(status)) => failure(status, "api_error", "", ""),
        _ => next.run(request).await,
    };
    let (parts, body) = answer.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    if is_once {
        let mut books = stripe.books();
        books.in_use.remove(&once);
        let value = serde_json::from_slice(&body).unwrap();
        let kept = (encoded, parts.status.as_u16(), value);
        books.answers.insert(once, kept);
    }
    if matches!(trouble, Some(Trouble::DoneInSilence)) {
        return std::future::pending().await;
    }
    Response::from_parts(parts, body.into())
}

fn key_in_use() -> Response {
    failure(409, "idempotency_error", "idempotency_key_in_use", "")
}

/// An argument names what is not there (docs.stripe.com/error-codes): of what a path names it is a 404.
fn unknown(param: &str) -> Response {
    failure(400, "invalid_request_error", "resource_missing", param)
}

/// Whose key it is.
fn account(key: &str) -> &'static str {
    if key == OTHER_KEY {
        "acct_other"
    } else {
        "acct_own"
    }
}

async fn create(
    State(stripe): State<Stripe>,
    Extension(key): Extension<&'static str>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let kind = headers
        .get(header::CONTENT_TYPE)
        .and_then(|it| it.to_str().ok());
    assert_eq!(kind, Some("application/x-www-form-urlencoded"));
    let form = match form::read(&String::from_utf8_lossy(&body), &SHAPES["create_session"]) {
        Ok(form) => form,
        Err(param) => {
            return failure(400, "invalid_request_error", "parameter_unknown", &param);
        }
    };
    let invalid = |param: &str| failure(400, "invalid_request_error", "", param);
    let number = |value: &Value| value.as_str()?.parse::<i64>().ok();
    let is_subscription = form["mode"] == "subscription";
    if !is_subscription && form["mode"] != "payment" {
        return invalid("mode");
    }
    if is_subscription && stripe.books().customer(&form["customer"]).is_none() {
        return unknown("customer");
    }
    for url in ["success_url", "cancel_url"] {
        if !form[url].as_str().is_some_and(|it| it.starts_with("http")) {
            return invalid(url);
        }
    }
    let mut total = 0;
    for line in form["line_items"].as_array().into_iter().flatten() {
        if is_subscription {
            let price = PRICES.iter().find(|it| line["price"] == it.0);
            let Some((_, cents)) = price.filter(|_| line["quantity"] == "1") else {
                return unknown("line_items[0][price]");
            };
            total += cents;
            continue;
        }
        let price = &line["price_data"];
        let has_name = price["product_data"]["name"]
            .as_str()
            .is_some_and(|it| !it.is_empty());
        match (number(&line["quantity"]), number(&price["unit_amount"])) {
            (Some(n), Some(amount)) if 0 <= amount && price["currency"] == "usd" && has_name => {
                total += n * amount;
            }
            _ => return invalid("line_items"),
        }
    }
    if !(50..=99_999_999).contains(&total) {
        return failure(400, "invalid_request_error", "amount_too_small", "");
    }
    let expires_at = number(&form["expires_at"]).unwrap_or(stripe.now_s() + 86_400);
    if !(1_800..=86_400).contains(&(expires_at - stripe.now_s())) {
        return invalid("expires_at");
    }
    let mut books = stripe.books();
    books.n_made += 1;
    let id = format!("cs_test_a{}", books.n_made);
    let session = json!({
        "id": id, "object": "checkout.session", "mode": form["mode"], "customer": form["customer"], "livemode": false, "status": "open",
        "payment_status": "unpaid", "amount_total": total, "amount_subtotal": total, "currency": "usd",
        "created": stripe.now_s(), "expires_at": expires_at, "url": format!("{}/pay/{id}", stripe.origin),
        "success_url": form["success_url"], "cancel_url": form["cancel_url"], "payment_intent": null,
        "client_reference_id": form["client_reference_id"], "metadata": words(&form["metadata"]), "automatic_tax": { "enabled": false },
        "custom_fields": [], "custom_text": {}, "payment_method_types": ["card"], "shipping_options": [],
        "submit_type": form["submit_type"], "adaptive_pricing": { "enabled": false },
    });
    held("checkout.session", &session);
    let kept = Session {
        account: account(key),
        shown: session.clone(),
        payment_metadata: words(&form["payment_intent_data"]["metadata"]),
        form: form.clone(),
    };
    books.sessions.insert(id, kept);
    Json(session).into_response()
}

/// Metadata is never null.
fn words(said: &Value) -> Value {
    if said.is_null() {
        json!({})
    } else {
        said.clone()
    }
}

fn charge_of(session: &Value, id: &str, metadata: &Value, now_s: i64) -> Value {
    let amount = session["amount_total"].as_i64().unwrap();
    let charge = json!({
        "id": id, "object": "charge", "amount": amount, "amount_captured": amount, "amount_refunded": 0,
        "billing_details": {}, "captured": true, "created": now_s, "currency": "usd", "disputed": false,
        "livemode": false, "metadata": metadata, "paid": true, "refunded": false, "status": "succeeded",
        "payment_intent": session["payment_intent"],
        "balance_transaction": format!("txn_{id}"),
    });
    held("charge", &charge);
    charge
}

async fn retrieve(
    State(stripe): State<Stripe>,
    Extension(key): Extension<&'static str>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let pairs = form::pairs(request.uri().query().unwrap_or_default());
    let expands = pairs.iter().any(|it| it.0.starts_with("expand["));
    let books = stripe.books();
    let found = books.sessions.get(&id);
    let Some(kept) = found.filter(|it| it.account == account(key)) else {
        return failure(404, "invalid_request_error", "resource_missing", "session");
    };
    let mut session = kept.shown.clone();
    if !expands {
        return Json(session).into_response();
    }
    if key == RESTRICTED_KEY {
        return failure(403, "invalid_request_error", "", "");
    }
    assert_eq!(
        pairs[0].1,
        "payment_intent.latest_charge.balance_transaction"
    );
    if let Some(payment) = session["payment_intent"].as_str() {
        let mut charge = books.charges[payment].clone();
        let amount = charge["amount"].as_i64().unwrap();
        let fee = (amount * 29 + 500) / 1000 + 30;
        charge["balance_transaction"] = json!({
            "id": charge["balance_transaction"], "object": "balance_transaction", "amount": amount, "fee": fee,
            "net": amount - fee, "currency": "usd", "available_on": 0, "balance_type": "payments", "created": 0,
            "fee_details": [], "reporting_category": "charge", "status": "pending", "type": "charge",
        });
        held("balance_transaction", &charge["balance_transaction"]);
        session["payment_intent"] =
            json!({ "id": payment, "object": "payment_intent", "latest_charge": charge });
    }
    Json(session).into_response()
}

/// Only an open session can be ended.
async fn expire(
    State(stripe): State<Stripe>,
    Extension(key): Extension<&'static str>,
    Path(id): Path<String>,
) -> Response {
    let mut books = stripe.books();
    let found = books.sessions.get_mut(&id);
    let Some(kept) = found.filter(|it| it.account == account(key)) else {
        return failure(404, "invalid_request_error", "resource_missing", "session");
    };
    let session = &mut kept.shown;
    if session["status"] != "open" {
        return failure(400, "invalid_request_error", "", "");
    }
    session["status"] = json!("expired");
    session["url"] = Value::Null;
    held("checkout.session", session);
    Json(session.clone()).into_response()
}

async fn list(
    State(stripe): State<Stripe>,
    Extension(key): Extension<&'static str>,
    request: Request,
) -> Response {
    let wanted = form::pairs(request.uri().query().unwrap_or_default());
    let payment = wanted.iter().find(|(name, _)| name == "payment_intent");
    let books = stripe.books();
    let found: Vec<&Value> = books
        .sessions
        .values()
        .filter(|it| {
            let is_wanted =
                payment.is_none_or(|(_, wanted)| it.shown["payment_intent"] == **wanted);
            it.account == account(key) && is_wanted
        })
        .map(|it| &it.shown)
        .take(1)
        .collect();
    Json(json!({ "object": "list", "url": "/v1/checkout/sessions", "has_more": false, "data": found }))
        .into_response()
}
