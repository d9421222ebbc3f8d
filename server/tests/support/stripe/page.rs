//! Owns the page of the stand-in on which somebody pays, and how tests of other processes tell it what to do.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};
use serde_json::Value;

use super::{Means, Stripe, form};

pub async fn show(State(stripe): State<Stripe>, Path(id): Path<String>) -> Response {
    page(&stripe, &id, "")
}

fn page(stripe: &Stripe, id: &str, fault: &str) -> Response {
    if !stripe.session_ids().iter().any(|it| it == id) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let session = stripe.session(id);
    if session["status"] != "open" {
        return Html("<!doctype html><title>Paid</title><h1>You're all done here</h1>")
            .into_response();
    }
    let cents = session["amount_total"].as_i64().unwrap();
    let cancel = session["cancel_url"].as_str().unwrap();
    Html(format!(
        "<!doctype html><html lang=en><meta name=viewport content='width=device-width'><title>Pay</title>\
         <h1>Pay ${}.{:02}</h1><p role=alert>{fault}</p><form method=post><label>Card number <input name=card></label>\
         <button>Pay</button></form><a href='{cancel}'>Back</a></html>",
        cents / 100,
        cents % 100
    ))
    .into_response()
}

/// Returns the means of payment that a form names.
pub fn means(body: &Bytes) -> Means {
    let pairs = form::pairs(&String::from_utf8_lossy(body));
    let card = pairs.iter().find(|(name, _)| name == "card");
    // Stripe's own numbers for tries (docs.stripe.com/testing).
    match card.map(|it| it.1.replace(' ', "")).as_deref() {
        Some("4242424242424242") => Means::Card,
        Some("000123456789") => Means::Bank,
        _ => Means::BadCard,
    }
}

pub async fn pay(State(stripe): State<Stripe>, Path(id): Path<String>, body: Bytes) -> Response {
    if !stripe.pay(&id, means(&body)) {
        return page(&stripe, &id, "Your card was declined.");
    }
    let session = stripe.session(&id);
    let back = session["success_url"].as_str().unwrap().to_owned();
    (StatusCode::SEE_OTHER, [(header::LOCATION, back)]).into_response()
}

/// Sends events there from now on.
pub async fn add_hook(State(stripe): State<Stripe>, Json(hook): Json<Value>) -> StatusCode {
    let word = |name: &str| hook[name].as_str().unwrap().to_owned();
    stripe.books().hooks.push((word("url"), word("secret")));
    StatusCode::NO_CONTENT
}

/// A period of every subscription is over.
pub async fn renew(State(stripe): State<Stripe>) -> StatusCode {
    stripe.renew_all();
    StatusCode::NO_CONTENT
}

/// The last try at the card of every subscription has failed.
pub async fn give_up(State(stripe): State<Stripe>) -> StatusCode {
    stripe.give_up_all();
    StatusCode::NO_CONTENT
}

/// The business gives everything back that was paid.
pub async fn refund_all(State(stripe): State<Stripe>) -> StatusCode {
    for id in stripe.session_ids() {
        let session = stripe.session(&id);
        if session["payment_status"] == "paid" {
            stripe.refund(&id, session["amount_total"].as_i64().unwrap());
        }
    }
    StatusCode::NO_CONTENT
}
