//! Owns what the stand-in knows of plans: customers with a card and a credit, prices, subscriptions with their periods, what
//! a change comes to, and the portal's page. Time passes by the clock that the stand-in was given; what Stripe does by itself
//! then is done when a test says so.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};
use serde_json::{Value, json};

use super::{Books, Means, SHAPES, Stripe, failure, form, held, unknown, words};

/// The prices of the account: name, cents a month.
pub const PRICES: [(&str, i64); 2] = [("price_solo", 1_200), ("price_pro", 2_900)];
/// A price of something else that the account sells.
pub const OTHER_PRICE: &str = "price_of_a_leash";

const MONTH_S: i64 = 30 * 24 * 60 * 60;

/// A customer and what is not shown of it.
#[derive(Clone)]
pub struct Customer {
    pub shown: Value,
    pub means: Means,
    /// True once the customer was deleted; all that it had is listed all the same.
    is_deleted: bool,
}

fn price(id: &str) -> Option<Value> {
    let cents = match PRICES.iter().find(|it| it.0 == id) {
        Some(it) => it.1,
        None if id == OTHER_PRICE => 500,
        None => return None,
    };
    let shown = json!({
        "id": id, "object": "price", "active": true, "billing_scheme": "per_unit", "created": 0, "currency": "usd",
        "livemode": false, "metadata": {}, "product": format!("prod_{id}"), "type": "recurring", "unit_amount": cents,
        "recurring": { "interval": "month", "interval_count": 1, "usage_type": "licensed" },
    });
    held("price", &shown);
    Some(shown)
}

fn missing(param: &str) -> Response {
    failure(404, "invalid_request_error", "resource_missing", param)
}

fn invalid(param: &str) -> Response {
    failure(400, "invalid_request_error", "", param)
}

fn list(url: &str, data: Vec<Value>) -> Value {
    json!({ "object": "list", "url": url, "has_more": false, "data": data })
}

fn int(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

/// The one part of a subscription.
fn item(subscription: &Value) -> &Value {
    &subscription["items"]["data"][0]
}

fn put_price(subscription: &mut Value, price: &Value) {
    let item = &mut subscription["items"]["data"][0];
    item["price"] = price.clone();
    item["plan"] = json!({ "id": price["id"], "object": "plan" });
}

impl Books {
    fn new_id(&mut self, prefix: &str) -> String {
        self.n_made += 1;
        format!("{prefix}_{}", self.n_made)
    }

    pub fn customer(&self, id: &Value) -> Option<&Customer> {
        let known = self.customers.get(id.as_str()?);
        known.filter(|it| !it.is_deleted)
    }

    /// Begins something for a customer that nobody has to pay on a page for.
    fn give(&mut self, customer: &str, price: &str, metadata: &Value, now_s: i64) -> Value {
        let session = json!({ "customer": customer });
        let form = json!({ "line_items": [{ "price": price }], "subscription_data": { "metadata": metadata } });
        self.begin(&session, &form, now_s)
    }

    /// Charges a customer, after what stands to its credit; whether that went through.
    fn charge(&mut self, customer: &str, cents: i64) -> bool {
        let Some(customer) = self.customers.get_mut(customer) else {
            return false;
        };
        let balance = int(&customer.shown["balance"]);
        let due = cents + balance;
        if 0 < due && matches!(customer.means, Means::BadCard | Means::AskingCard) {
            return false;
        }
        customer.shown["balance"] = json!(due.min(0));
        self.charged += due.max(0);
        true
    }

    /// Returns the cents that another price comes to: the rest of this period at the new one, less the same at the old
    /// one.
    fn proration(&self, subscription: &Value, price: &Value, at_s: i64) -> i64 {
        if subscription["status"] == "trialing" {
            return 0;
        }
        let item = item(subscription);
        let (from, to) = (
            int(&item["current_period_start"]),
            int(&item["current_period_end"]),
        );
        let left = (to - at_s).clamp(0, to - from);
        let part =
            |price: &Value| (int(&price["unit_amount"]) * left + (to - from) / 2) / (to - from);
        part(price) - part(&item["price"])
    }

    /// Begins what a page was made for.
    pub fn begin(&mut self, session: &Value, form: &Value, now_s: i64) -> Value {
        let id = self.new_id("sub");
        let item_id = self.new_id("si");
        let price = price(form["line_items"][0]["price"].as_str().unwrap()).unwrap();
        let data = &form["subscription_data"];
        let trial_days = data["trial_period_days"]
            .as_str()
            .and_then(|it| it.parse::<i64>().ok());
        let trial_end = trial_days.map(|it| now_s + it * 86_400);
        let end = trial_end.unwrap_or(now_s + MONTH_S);
        let customer = session["customer"].as_str().unwrap().to_owned();
        self.customers.get_mut(&customer).unwrap().means = Means::Card;
        let status = if trial_end.is_some() {
            "trialing"
        } else {
            assert!(self.charge(&customer, int(&price["unit_amount"])));
            "active"
        };
        let mut subscription = json!({
            "id": id, "object": "subscription", "automatic_tax": { "enabled": false }, "billing_cycle_anchor": end,
            "billing_mode": { "type": "flexible" }, "billing_schedules": [], "cancel_at_period_end": false,
            "cancel_at": null, "canceled_at": null, "cancellation_details": { "comment": null, "feedback": null, "reason": null },
            "collection_method": "charge_automatically", "created": now_s, "currency": "usd", "customer": customer,
            "discounts": [], "invoice_settings": { "issuer": { "type": "self" } }, "livemode": false,
            "metadata": words(&data["metadata"]), "start_date": now_s, "status": status,
            "trial_end": trial_end, "trial_start": trial_end.map(|_| now_s), "ended_at": null,
            "items": list("/v1/subscription_items", vec![json!({
                "id": item_id, "object": "subscription_item", "created": now_s, "current_period_start": now_s,
                "current_period_end": end, "discounts": [], "metadata": {}, "quantity": 1, "subscription": id,
                "price": price, "plan": {},
            })]),
        });
        put_price(&mut subscription, &price);
        held("subscription", &subscription);
        held("subscription_item", item(&subscription));
        self.subscriptions.insert(id, subscription.clone());
        subscription
    }

    /// Deletes a customer, which ends all it has.
    fn delete(&mut self, id: &str, now_s: i64) {
        self.customers.get_mut(id).unwrap().is_deleted = true;
        let theirs = self.subscriptions.iter();
        let theirs: Vec<String> = theirs
            .filter(|(_, it)| it["customer"] == *id && it["status"] != "canceled")
            .map(|(name, _)| name.clone())
            .collect();
        for subscription in theirs {
            self.end(&subscription, "cancellation_requested", now_s);
        }
    }

    fn end(&mut self, id: &str, reason: &str, now_s: i64) -> Value {
        let subscription = self.subscriptions.get_mut(id).unwrap();
        subscription["status"] = json!("canceled");
        subscription["canceled_at"] = json!(now_s);
        subscription["ended_at"] = json!(now_s);
        subscription["cancellation_details"]["reason"] = json!(reason);
        subscription.clone()
    }
}

/// Methods by which tests act on it and inspect it.
impl Stripe {
    /// The subscriptions that are not over, the oldest first.
    pub fn subscriptions(&self) -> Vec<Value> {
        let books = self.books();
        let living = books.subscriptions.values();
        let mut living: Vec<Value> = living
            .filter(|it| it["status"] != "canceled")
            .cloned()
            .collect();
        living.sort_by_key(|it| (int(&it["created"]), it["id"].to_string()));
        living
    }

    /// A customer as the API shows it, of those who are not forgotten.
    pub fn customers(&self) -> Vec<Value> {
        self.books()
            .customers
            .values()
            .filter(|it| !it.is_deleted)
            .map(|it| it.shown.clone())
            .collect()
    }

    /// Whoever runs the server sells every customer something at this price, outside of Walkies.
    pub fn sell_to_all(&self, price: &str) {
        let now_s = self.now_s();
        for customer in self.customers() {
            let id = customer["id"].as_str().unwrap();
            let made = self.books().give(id, price, &Value::Null, now_s);
            self.tell("customer.subscription.created", &made);
        }
    }

    /// Whoever runs the server deletes every customer in the dashboard.
    pub fn delete_all_customers(&self) {
        for customer in self.customers() {
            self.books()
                .delete(customer["id"].as_str().unwrap(), self.now_s());
        }
    }

    /// Everybody ends their subscription on the portal's page.
    pub fn cancel_all_at_portal(&self) {
        for subscription in self.subscriptions() {
            self.cancel_at_portal(subscription["id"].as_str().unwrap());
        }
    }

    fn cancel_at_portal(&self, id: &str) {
        let mut books = self.books();
        let now_s = self.now_s();
        let it = books.subscriptions.get_mut(id).unwrap();
        // Not with the period: the mode is flexible.
        it["cancel_at"] = item(it)["current_period_end"].clone();
        it["canceled_at"] = json!(now_s);
        it["cancellation_details"]["reason"] = json!("cancellation_requested");
        let ending = it.clone();
        drop(books);
        self.tell("customer.subscription.updated", &ending);
    }

    /// All cents that were charged for plans.
    pub fn charged(&self) -> i64 {
        self.books().charged
    }

    /// The cards of all customers are of this kind from now on.
    pub fn all_have(&self, means: Means) {
        for customer in self.books().customers.values_mut() {
            customer.means = means;
        }
    }

    /// Acts as Stripe when a period of every subscription is over: it charges for the next one, or ends what was
    /// cancelled.
    pub fn renew_all(&self) {
        let now_s = self.now_s();
        for subscription in self.subscriptions() {
            let id = subscription["id"].as_str().unwrap();
            let mut books = self.books();
            if !subscription["cancel_at"].is_null() {
                let ended = books.end(id, "cancellation_requested", now_s);
                drop(books);
                self.tell("customer.subscription.deleted", &ended);
                continue;
            }
            let customer = subscription["customer"].as_str().unwrap().to_owned();
            let is_paid =
                books.charge(&customer, int(&item(&subscription)["price"]["unit_amount"]));
            let kept = books.subscriptions.get_mut(id).unwrap();
            kept["status"] = json!(if is_paid { "active" } else { "past_due" });
            let item = &mut kept["items"]["data"][0];
            item["current_period_start"] = item["current_period_end"].clone();
            item["current_period_end"] = json!(int(&item["current_period_end"]) + MONTH_S);
            let renewed = kept.clone();
            drop(books);
            if !is_paid {
                let invoice = json!({ "object": "invoice", "customer": customer });
                self.tell("invoice.payment_failed", &invoice);
            }
            self.tell("customer.subscription.updated", &renewed);
        }
    }

    /// Acts as Stripe after its last try at a card that is no good, where it was told to keep the subscription.
    pub fn leave_all_unpaid(&self) {
        for subscription in self.subscriptions() {
            let mut books = self.books();
            let id = subscription["id"].as_str().unwrap();
            let kept = books.subscriptions.get_mut(id).unwrap();
            kept["status"] = json!("unpaid");
            let unpaid = kept.clone();
            drop(books);
            self.tell("customer.subscription.updated", &unpaid);
        }
    }

    /// Acts as Stripe after its last try at a card that is no good, and ends the subscriptions.
    pub fn give_up_all(&self) {
        for subscription in self.subscriptions() {
            let id = subscription["id"].as_str().unwrap();
            let ended = self.books().end(id, "payment_failed", self.now_s());
            self.tell("customer.subscription.deleted", &ended);
        }
    }
}

pub async fn create_customer(State(stripe): State<Stripe>, body: Bytes) -> Response {
    let form = match form::read(&String::from_utf8_lossy(&body), &SHAPES["create_customer"]) {
        Ok(form) => form,
        Err(param) => return failure(400, "invalid_request_error", "parameter_unknown", &param),
    };
    if !form["email"].as_str().is_some_and(|it| it.contains('@')) {
        return failure(400, "invalid_request_error", "email_invalid", "email");
    }
    let mut books = stripe.books();
    let id = books.new_id("cus");
    let shown = json!({
        "id": id, "object": "customer", "created": stripe.now_s(), "livemode": false, "email": form["email"],
        "name": form["name"], "metadata": words(&form["metadata"]), "balance": 0, "delinquent": false,
    });
    held("customer", &shown);
    let customer = Customer {
        shown: shown.clone(),
        means: Means::Card,
        is_deleted: false,
    };
    books.customers.insert(id, customer);
    Json(shown).into_response()
}

pub async fn delete_customer(State(stripe): State<Stripe>, Path(id): Path<String>) -> Response {
    let mut books = stripe.books();
    if books.customer(&json!(id)).is_none() {
        return missing("id");
    }
    books.delete(&id, stripe.now_s());
    Json(json!({ "id": id, "object": "customer", "deleted": true })).into_response()
}

pub async fn retrieve_price(Path(id): Path<String>) -> Response {
    price(&id).map_or_else(|| missing("price"), |it| Json(it).into_response())
}

pub async fn list_subscriptions(State(stripe): State<Stripe>, request: Request) -> Response {
    let pairs = form::pairs(request.uri().query().unwrap_or_default());
    let said = |name: &str| pairs.iter().find(|it| it.0 == name).map(|it| it.1.as_str());
    // Without `status` those that are over are left out.
    assert_eq!(said("status"), Some("all"));
    let books = stripe.books();
    let customer = said("customer").unwrap_or_default();
    if !books.customers.contains_key(customer) {
        return unknown("customer");
    }
    let theirs = books.subscriptions.values();
    let mut theirs: Vec<Value> = theirs
        .filter(|it| it["customer"] == *customer)
        .cloned()
        .collect();
    theirs.sort_by_key(|it| -int(&it["created"]));
    Json(list("/v1/subscriptions", theirs)).into_response()
}

pub async fn list_customers(State(stripe): State<Stripe>, request: Request) -> Response {
    let pairs = form::pairs(request.uri().query().unwrap_or_default());
    let email = pairs.iter().find(|it| it.0 == "email");
    let mut found = stripe.customers();
    found.retain(|it| email.is_none_or(|(_, email)| it["email"] == **email));
    Json(list("/v1/customers", found)).into_response()
}

pub async fn preview(State(stripe): State<Stripe>, body: Bytes) -> Response {
    let form = match form::read(&String::from_utf8_lossy(&body), &SHAPES["create_preview"]) {
        Ok(form) => form,
        Err(param) => return failure(400, "invalid_request_error", "parameter_unknown", &param),
    };
    let books = stripe.books();
    let id = form["subscription"].as_str().unwrap_or_default();
    let Some(subscription) = books.subscriptions.get(id) else {
        return unknown("subscription");
    };
    let details = &form["subscription_details"];
    let wanted = &details["items"][0];
    let price = price(wanted["price"].as_str().unwrap_or_default());
    let Some(price) = price.filter(|_| wanted["id"] == item(subscription)["id"]) else {
        return invalid("subscription_details[items]");
    };
    if details["proration_behavior"] != "always_invoice" {
        return invalid("subscription_details[proration_behavior]");
    }
    let at_s = details["proration_date"]
        .as_str()
        .and_then(|it| it.parse().ok());
    let total = books.proration(subscription, &price, at_s.unwrap_or(stripe.now_s()));
    let customer = books.customer(&subscription["customer"]).unwrap();
    let balance = int(&customer.shown["balance"]);
    let now_s = stripe.now_s();
    let due = (total + balance).max(0);
    let shown = json!({
        "id": "upcoming_in_1", "object": "invoice", "amount_due": due, "amount_overpaid": 0, "amount_paid": 0,
        "amount_remaining": due, "amount_shipping": 0, "attempt_count": 0, "attempted": false,
        "automatic_tax": { "enabled": false }, "collection_method": "charge_automatically", "created": now_s,
        "currency": "usd", "default_tax_rates": [], "discounts": [], "issuer": { "type": "self" },
        "lines": list("/v1/invoices/upcoming/lines", vec![]), "livemode": false, "payment_settings": {}, "period_end": now_s,
        "period_start": now_s, "post_payment_credit_notes_amount": 0, "pre_payment_credit_notes_amount": 0,
        "starting_balance": balance, "status_transitions": {}, "subtotal": total, "total": total,
    });
    held("invoice", &shown);
    Json(shown).into_response()
}

pub async fn update_subscription(
    State(stripe): State<Stripe>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let form = match form::read(
        &String::from_utf8_lossy(&body),
        &SHAPES["update_subscription"],
    ) {
        Ok(form) => form,
        Err(param) => return failure(400, "invalid_request_error", "parameter_unknown", &param),
    };
    let mut books = stripe.books();
    let known = books.subscriptions.get(&id).cloned();
    let Some(mut subscription) = known.filter(|it| it["status"] != "canceled") else {
        return missing("id");
    };
    if let Some(wanted) = form["items"].as_array().and_then(|it| it.first()) {
        let price = price(wanted["price"].as_str().unwrap_or_default());
        let Some(price) = price.filter(|_| wanted["id"] == item(&subscription)["id"]) else {
            return invalid("items");
        };
        assert_eq!(form["proration_behavior"], "always_invoice");
        assert_eq!(form["payment_behavior"], "error_if_incomplete");
        let at_s = form["proration_date"]
            .as_str()
            .and_then(|it| it.parse().ok());
        let total = books.proration(&subscription, &price, at_s.unwrap_or(stripe.now_s()));
        let customer = subscription["customer"].as_str().unwrap().to_owned();
        let code = match books.customers[&customer].means {
            Means::AskingCard => "subscription_payment_intent_requires_action",
            _ => "card_declined",
        };
        if !books.charge(&customer, total) {
            return failure(402, "card_error", code, "");
        }
        put_price(&mut subscription, &price);
    }
    // One of both, and each takes back only what it has said.
    match (
        form["cancel_at_period_end"].as_str(),
        form["cancel_at"].as_str(),
    ) {
        (None, None) => {}
        (Some("true"), None) => {
            subscription["cancel_at_period_end"] = json!(true);
            subscription["cancel_at"] = item(&subscription)["current_period_end"].clone();
        }
        (Some("false"), None) => {
            if subscription["cancel_at_period_end"] == true {
                subscription["cancel_at"] = Value::Null;
            }
            subscription["cancel_at_period_end"] = json!(false);
        }
        (None, Some("")) => subscription["cancel_at"] = Value::Null,
        _ => return invalid("cancel_at"),
    }
    for (name, value) in form["metadata"].as_object().into_iter().flatten() {
        subscription["metadata"][name] = value.clone();
    }
    held("subscription", &subscription);
    books.subscriptions.insert(id, subscription.clone());
    drop(books);
    stripe.tell("customer.subscription.updated", &subscription);
    Json(subscription).into_response()
}

pub async fn cancel_subscription(
    State(stripe): State<Stripe>,
    Path(id): Path<String>,
    request: Request,
) -> Response {
    let query = request.uri().query().unwrap_or_default();
    let form = match form::read(query, &SHAPES["cancel_subscription"]) {
        Ok(form) => form,
        Err(param) => return failure(400, "invalid_request_error", "parameter_unknown", &param),
    };
    let mut books = stripe.books();
    let known = books.subscriptions.get(&id).cloned();
    let Some(subscription) = known.filter(|it| it["status"] != "canceled") else {
        return missing("id");
    };
    let now_s = stripe.now_s();
    if form["prorate"] == "true" {
        assert_eq!(
            form["invoice_now"], "true",
            "else it waits for an invoice that never comes"
        );
        let nothing = json!({ "unit_amount": 0 });
        let credit = books.proration(&subscription, &nothing, now_s);
        let customer = subscription["customer"].as_str().unwrap().to_owned();
        books.charge(&customer, credit);
    }
    let ended = books.end(&id, "cancellation_requested", now_s);
    drop(books);
    stripe.tell("customer.subscription.deleted", &ended);
    Json(ended).into_response()
}

pub async fn create_portal(State(stripe): State<Stripe>, body: Bytes) -> Response {
    let form = match form::read(
        &String::from_utf8_lossy(&body),
        &SHAPES["create_portal_session"],
    ) {
        Ok(form) => form,
        Err(param) => return failure(400, "invalid_request_error", "parameter_unknown", &param),
    };
    let mut books = stripe.books();
    if books.customer(&form["customer"]).is_none() {
        return unknown("customer");
    }
    let flow = &form["flow_data"];
    if !flow.is_null() {
        let confirm = &flow["subscription_update_confirm"];
        let wanted = &confirm["items"][0];
        let known = confirm["subscription"].as_str();
        let known = known.and_then(|it| books.subscriptions.get(it));
        let is_known = known.is_some_and(|it| item(it)["id"] == wanted["id"])
            && price(wanted["price"].as_str().unwrap_or_default()).is_some();
        if flow["type"] != "subscription_update_confirm" || !is_known {
            return invalid("flow_data");
        }
    }
    let id = books.new_id("bps");
    let shown = json!({
        "id": id, "object": "billing_portal.session", "configuration": "bpc_1", "created": stripe.now_s(),
        "customer": form["customer"], "livemode": false, "return_url": form["return_url"],
        "url": format!("{}/portal/{id}", stripe.origin),
    });
    held("billing_portal.session", &shown);
    books.portals.insert(id, shown.clone());
    Json(shown).into_response()
}

/// The portal's page.
pub async fn show_portal(State(stripe): State<Stripe>, Path(id): Path<String>) -> Response {
    let books = stripe.books();
    let Some(portal) = books.portals.get(&id) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let back = portal["return_url"].as_str().unwrap();
    Html(format!(
        "<!doctype html><html lang=en><meta name=viewport content='width=device-width'><title>Portal</title>\
         <h1>Your card</h1><form method=post><label>Card number <input name=card></label><button>Save</button></form>\
         <form method=post><button name=end value=1>Cancel subscription</button></form><a href='{back}'>Back</a></html>"
    ))
    .into_response()
}

/// Another card, or the end of all that the customer has.
pub async fn use_portal(
    State(stripe): State<Stripe>,
    Path(id): Path<String>,
    body: Bytes,
) -> Response {
    let Some(portal) = stripe.books().portals.get(&id).cloned() else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let customer = portal["customer"].as_str().unwrap();
    if body.starts_with(b"end=") {
        for it in stripe.subscriptions() {
            if it["customer"] == customer {
                stripe.cancel_at_portal(it["id"].as_str().unwrap());
            }
        }
    } else {
        let means = super::page::means(&body);
        stripe.books().customers.get_mut(customer).unwrap().means = means;
    }
    let back = portal["return_url"].as_str().unwrap().to_owned();
    (StatusCode::SEE_OTHER, [(header::LOCATION, back)]).into_response()
}
