//! Who may call what: every operation of the OpenAPI document, with the ids of one business, called by everybody else.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use walkies_server::app::settings::Settings;
use walkies_server::db::{self, StripeAccount};
use walkies_server::limits::rate::Rate;

use crate::billing::beside;
use crate::document::operations;
use crate::on_both;
use crate::support::push::{PushPhone, key_of};
use crate::support::stripe::Means;
use crate::support::{PASSWORD, TestApp, User, billing_settings, settings, walk};

/// One that phones have; nothing is sent there.
const PUSH_SERVICE: &str = "https://fcm.googleapis.com";

/// One business with something of everything, by the names that the matrix uses.
pub struct Victim {
    pub sitter: User,
    pub ids: BTreeMap<&'static str, String>,
    /// The secret of a report's address, which is no id.
    pub share_id: String,
    /// Public key with which everybody subscribes to notifications.
    pub push_key: String,
}

pub async fn victim(app: &TestApp) -> Victim {
    let sitter = app.sitter("Victim").await;
    let (client, dog) = sitter.client("Sam").await;
    let pair = (client.clone(), dog.clone());
    let another = sitter.client("Ada").await;
    let reachable = json!({ "email": "ada@example.com" });
    sitter
        .put(&format!("/clients/{}", another.0), reachable)
        .await;
    // On the report's page, which everybody may see who has the address.
    sitter
        .put("/sitters/profile", json!({ "business_name": "Paws & Co" }))
        .await;
    let photo = sitter.upload(None, &crate::photos::jpeg()).await.id();
    let event = json!({ "type": "photo", "at": "2026-11-20T08:10:00Z", "photo": photo });
    let form = crate::reports::walk_form(json!([event]), &[(&pair, "Good dog")]);
    let shared = sitter.post("/walks", form).await;
    let report = &shared.data()["reports"][0];
    let share_id = report["share_id"].as_str().unwrap().to_owned();
    let account = StripeAccount {
        secret_key: crate::support::stripe::KEY.to_owned(),
        webhook_secrets: vec![crate::support::stripe::SECRET.to_owned()],
        user_id: sitter.user_id,
        fault: None,
    };
    let mut tx = app.state.db.write().await.unwrap();
    db::set_stripe_account(
        &mut tx,
        sitter.sitter_id.unwrap(),
        &account,
        app.state.now(),
    )
    .await
    .unwrap();
    tx.commit().await.unwrap();
    let push_key = key_of(&sitter).await;
    let phone = PushPhone::new(PUSH_SERVICE, "victim", push_key.clone());
    let first = |answer: &Value| answer[0]["id"].as_str().unwrap().to_owned();
    let ids = BTreeMap::from([
        ("service", sitter.walk(&pair, "2026-11-24", "10:00").await),
        ("record", {
            let done = sitter.walk(&pair, "2026-11-23", "10:00").await;
            sitter
                .post(&format!("/scheduled-services/{done}/complete"), json!({}))
                .await;
            done
        }),
        (
            "offering",
            first(sitter.get("/sitter-services").await.data()),
        ),
        (
            "pattern",
            first(sitter.get("/availability/patterns").await.data()),
        ),
        (
            "blocked",
            sitter
                .post(
                    "/availability/blocked-times",
                    json!({ "block_date": "2026-12-01" }),
                )
                .await
                .id(),
        ),
        (
            "time_off",
            sitter
                .post(
                    "/availability/time-off",
                    json!({ "block_date": "2026-12-04" }),
                )
                .await
                .id(),
        ),
        ("photo", photo),
        (
            "video",
            crate::videos::upload(&sitter, &crate::videos::small_film()).await,
        ),
        (
            "document",
            crate::onboarding::upload(&sitter, None, "licence.pdf", crate::onboarding::PDF)
                .await
                .id(),
        ),
        ("session", first(sitter.get("/auth/sessions").await.data())),
        ("factor", {
            let proof = json!({ "password": PASSWORD });
            sitter.post("/auth/factors/totp", proof).await.id()
        }),
        ("walk", shared.id()),
        ("subscription", phone.subscribe(&sitter).await.id()),
        ("request", app.request(&sitter, &pair).await),
        ("request of another", app.request(&sitter, &another).await),
        (
            "visit of another",
            sitter.walk(&another, "2026-11-27", "15:00").await,
        ),
        ("invoice of another", {
            let billed = sitter.walk(&another, "2026-11-22", "17:00").await;
            let form = json!({ "client_id": another.0, "services": [billed] });
            sitter.post("/invoices/share", form).await.id()
        }),
        ("dog of another", another.1),
        ("conversation", another.0.clone()),
        ("message", {
            let said = json!({ "conversation_id": another.0, "content": "Gate code 4821" });
            sitter.post("/messages", said).await.id()
        }),
        ("report", report["id"].as_str().unwrap().to_owned()),
        ("invoice", {
            let billed = sitter.walk(&pair, "2026-11-22", "10:00").await;
            let form =
                json!({ "client_id": client, "services": [billed], "note": "Thank you, Sam" });
            sitter.post("/invoices/share", form).await.id()
        }),
        ("expense", {
            let spent = json!({
                "date": "2026-11-20", "category": "supplies", "amount": 12, "note": "Treats for Rex",
            });
            sitter.post("/expenses", spent).await.id()
        }),
        ("series", {
            let weekly = json!({
                "client_id": client, "dog_ids": [dog], "begins": "2027-06-01", "notes": "Weekly, for Rex",
                "rule": { "kind": "weekly", "every": 1, "weekdays": [2] },
                "slots": [{ "id": WEEKLY_SLOT, "start_time": "09:00", "duration_minutes": 30, "service_type": "walk" }],
            });
            sitter.post("/series", weekly).await.id()
        }),
        ("trip", {
            let trip = json!({
                "client_id": client, "dog_ids": [dog], "begins": "2027-06-02", "notes": "House key for Rex",
                "rule": { "kind": "daily", "every": 1 }, "end": { "kind": "on", "date": "2027-06-04" },
                "slots": [{ "id": TRIP_SLOT, "start_time": "13:00", "duration_minutes": 30, "service_type": "walk" }],
                "trip": { "total": 100 },
            });
            sitter.post("/series", trip).await.id()
        }),
        ("client", client),
        ("dog", dog),
    ]);
    Victim {
        sitter,
        ids,
        share_id,
        push_key,
    }
}

/// The id of the one time of a trip.
const TRIP_SLOT: &str = "01930000-0000-7000-8000-000000005110";

/// The id of the one time of a series.
const WEEKLY_SLOT: &str = "01930000-0000-7000-8000-00000000510f";

/// Returns the name of the id in an operation's path, empty where it has none, and the body that it is called with.
pub fn call(victim: &Victim, method: &str, path: &str) -> Option<(&'static str, Option<Value>)> {
    let id = |name: &str| victim.ids[name].clone();
    let visit = walk(&id("client"), &id("dog"), "2026-11-25", "10:00");
    Some(match (method, path) {
        (
            "POST",
            "/auth/signup"
            | "/auth/signup/confirm"
            | "/sitters/register"
            | "/sitters/verify-email"
            | "/auth/signin"
            | "/auth/signin/factor"
            | "/auth/forgot-password"
            | "/auth/reset-password",
        ) => (
            "",
            Some(json!({ "email": victim.sitter.email, "password": "not the password" })),
        ),
        (
            "GET",
            "/auth/user" | "/auth/signup" | "/auth/sessions" | "/auth/factors" | "/openapi.json"
            | "/realtime",
        )
        | ("DELETE", "/auth/sessions") => ("", None),
        ("DELETE", "/auth/sessions/{id}") => ("session", None),
        ("POST", "/auth/factors/totp" | "/auth/recovery-codes") => {
            ("", Some(json!({ "password": "not the password" })))
        }
        // With the caller's own password.
        ("DELETE", "/auth/factors/{id}") => ("factor", Some(json!({ "password": PASSWORD }))),
        ("POST", "/auth/factors/{id}/confirm") => ("factor", Some(json!({ "code": "123456" }))),
        ("POST", "/auth/signout" | "/realtime/ticket") => ("", Some(json!({}))),
        ("POST", "/auth/change-password") => (
            "",
            Some(
                json!({ "current_password": "not the password", "new_password": "another one to use" }),
            ),
        ),
        ("POST", "/auth/email") => (
            "",
            Some(json!({ "password": "not the password", "email": "taken-over@example.com" })),
        ),
        ("POST", "/auth/email/confirm") => ("", Some(json!({ "token": "x", "code": "12345678" }))),
        ("POST", "/auth/roles") => ("", Some(json!({ "role": "client" }))),
        ("DELETE", "/auth/account") => ("", Some(json!({ "password": "not the password" }))),
        (
            "GET",
            "/sitters/profile"
            | "/sitters/onboarding-status"
            | "/sitters/documents"
            | "/sitter/profile/status"
            | "/sitter/requests"
            | "/clients"
            | "/clients-available"
            | "/sitter-services"
            | "/scheduled-services"
            | "/scheduling/constraints"
            | "/services"
            | "/services/recent"
            | "/dashboard/stats"
            | "/availability/patterns"
            | "/availability/blocked-times"
            | "/availability/config"
            | "/sync/pull"
            | "/export"
            | "/import"
            | "/clear"
            | "/services/range"
            | "/analytics/dashboard"
            | "/analytics/revenue"
            | "/analytics/bookings"
            | "/analytics/clients"
            | "/analytics/performance"
            | "/analytics/availability"
            | "/analytics/insights/revenue"
            | "/analytics/insights/bookings"
            | "/analytics/export"
            | "/expenses"
            | "/expenses/summary"
            | "/expenses/summary/pdf",
        ) => ("", None),
        ("POST", "/import") => (
            "",
            Some(json!({ "archive_bytes": 10, "password": "not the password" })),
        ),
        ("POST", "/import/clients") => ("", None),
        ("POST", "/import/start" | "/clear/undo") => ("", Some(json!({}))),
        ("POST", "/clear") => (
            "",
            Some(json!({ "word": "CLEAR", "password": "not the password" })),
        ),
        ("PATCH" | "DELETE", "/import") => ("", None),
        ("PUT", "/sitters/profile") => (
            "",
            Some(json!({ "id": victim.sitter.sitter_id, "name": "Taken over" })),
        ),
        ("PUT", "/sitters/service-area") => ("", Some(json!({ "address": "Elsewhere" }))),
        ("POST", "/clients") => (
            "",
            Some(json!({ "name": "Thief", "dogs": [{ "name": "Rex", "photo": id("photo") }] })),
        ),
        ("GET" | "DELETE", "/clients/{id}") => ("client", None),
        ("PUT", "/clients/{id}") => (
            "client",
            Some(json!({ "name": "Taken over", "dogs": [{ "id": id("dog"), "name": "X" }] })),
        ),
        ("POST", "/clients/{id}/deactivate") => (
            "client",
            Some(json!({ "ends": [id("series")], "cancels": [id("service")] })),
        ),
        ("POST", "/clients/{id}/activate") => {
            ("client", Some(json!({ "reopens": [id("service")] })))
        }
        ("POST", "/pets/{id}/gone") => ("dog", Some(json!({ "on": "2026-11-20" }))),
        ("POST", "/pets/{id}/back") => ("dog", Some(json!({ "reopens": [id("service")] }))),
        ("POST", "/services/reprice") => (
            "",
            Some(json!({ "prices": [{ "id": id("service"), "price": 25 }] })),
        ),
        ("POST", "/services/restore-prices") => (
            "",
            Some(
                json!({ "prices": [{ "id": id("service"), "price": 25, "breakdown": { "baseDogPrice": 1, "additionalDogsCount": 0, "additionalDogsCharge": 0, "total": 1, "explanation": "" } }] }),
            ),
        ),
        ("POST", "/sitter-services") => ("", Some(json!({ "name": "Own", "base_price": 1 }))),
        ("PATCH", "/sitter-services/reorder") => (
            "",
            Some(json!({ "serviceOrders": [{ "id": id("offering"), "display_order": 4 }] })),
        ),
        ("PUT", "/sitter-services/{id}") => ("offering", Some(json!({ "name": "Taken over" }))),
        ("DELETE", "/sitter-services/{id}") => ("offering", None),
        ("POST", "/scheduled-services") => ("", Some(visit)),
        ("GET" | "DELETE", "/scheduled-services/{id}") | ("GET" | "DELETE", "/services/{id}") => {
            ("service", None)
        }
        ("PUT", "/scheduled-services/{id}" | "/services/{id}") => {
            ("service", Some(json!({ "notes": "Taken over" })))
        }
        ("POST", "/scheduled-services/{id}/complete") => {
            ("service", Some(json!({ "notes": "Taken over" })))
        }
        ("POST", "/scheduled-services/{id}/progress") => {
            ("service", Some(json!({ "step": "started" })))
        }
        ("POST", "/scheduled-services/{id}/live") => (
            "service",
            Some(json!({
                "events": [{ "id": id("message"), "kind": "photo", "at": "2026-11-20T08:10:00Z", "photo": id("photo") }],
            })),
        ),
        ("PUT", "/scheduled-services/{id}/live-map") => (
            "service",
            Some(
                json!({ "map_id": TRIP_SLOT, "client_id": id("client"), "lines": [], "here": null, "age_seconds": 0 }),
            ),
        ),
        ("DELETE", "/scheduled-services/{id}/live-map") => ("service", None),
        ("POST", "/scheduled-services/delays") => (
            "",
            Some(json!({
                "date": "2026-11-20", "moves_plan": true,
                "delayed": [{ "id": id("service"), "planned": "10:00", "start_time": "23:20" }],
                "told": [{ "client_id": id("client"), "message_id": id("message"), "content": "Taken over" }],
            })),
        ),
        ("POST", "/scheduled-services/delays/take-back") => (
            "",
            Some(json!({
                "delayed": [{ "id": id("service"), "planned": "10:00", "start_time": "23:20" }],
                "messages": [id("message")],
            })),
        ),
        ("POST", "/scheduled-services/order") => (
            "",
            Some(json!({
                "date": "2026-11-24", "moved": [{ "id": id("service"), "planned": "10:00", "start_time": "11:00" }],
            })),
        ),
        ("POST", "/scheduled-services/price-preview") => ("", Some(visit)),
        ("POST", "/scheduled-services/check-conflict") => {
            let visit = walk(&id("client"), &id("dog"), "2026-11-24", "10:00");
            ("", Some(visit))
        }
        ("POST", "/services") => ("", Some(visit)),
        ("PATCH", "/services/{id}/paid" | "/services/{id}/payment") => {
            ("record", Some(json!({ "paid": true })))
        }
        ("POST", "/availability/patterns") => ("", Some(json!({ "day_of_week": 6 }))),
        ("PUT", "/availability/patterns/{id}") => ("pattern", Some(json!({ "priority": 9 }))),
        ("DELETE", "/availability/patterns/{id}") => ("pattern", None),
        ("PATCH", "/availability/patterns/{id}/toggle") => ("pattern", Some(json!({}))),
        ("POST", "/availability/blocked-times") => {
            ("", Some(json!({ "block_date": "2026-12-02" })))
        }
        ("DELETE", "/availability/blocked-times/{id}") => ("blocked", None),
        ("POST", "/availability/time-off") => ("", Some(json!({ "block_date": "2026-12-03" }))),
        ("POST", "/availability/time-off/{id}/undo") => ("time_off", Some(json!({}))),
        ("PUT", "/availability/config") => ("", Some(json!({ "slot_interval_minutes": 60 }))),
        ("POST", "/upload" | "/sitters/upload-document") => ("", None),
        ("GET" | "DELETE", "/sitters/documents/{id}") => ("document", None),
        (
            "GET",
            "/map/areas"
            | "/map/tiles/{tile}"
            | "/map/directions"
            | "/map/directions/route"
            | "/map/geocoder",
        ) => ("", None),
        ("POST", "/map/geocoder/search") => ("", Some(json!({ "address": "12 Long Street" }))),
        ("GET", "/photos/{id}") => ("photo", None),
        ("POST", "/videos") => (
            "",
            Some(json!({ "id": id("walk"), "size_bytes": 7, "media_type": "video/mp4" })),
        ),
        ("GET" | "PATCH" | "DELETE", "/videos/{id}") | ("GET", "/videos/{id}/file") => {
            ("video", None)
        }
        ("POST", "/walks") => (
            "",
            Some(crate::reports::walk_form(
                json!([{ "type": "photo", "at": "2026-11-20T08:10:00Z", "photo": id("photo") }]),
                &[(&(id("client"), id("dog")), "Taken over")],
            )),
        ),
        ("DELETE", "/walks/{id}") => ("walk", None),
        ("POST", "/expenses") => ("", Some(json!({ "date": "2026-11-20", "miles": 4 }))),
        ("PUT", "/expenses/{id}") => ("expense", Some(json!({ "note": "Taken over" }))),
        ("DELETE", "/expenses/{id}") => ("expense", None),
        ("POST", "/scheduled-services/move") => (
            "",
            Some(json!({ "moves": [{
                "id": id("service"), "date": "2026-11-26", "start_time": "10:00", "was_date": "2026-11-25",
                "was_start_time": "09:00",
            }] })),
        ),
        ("POST", "/scheduled-services/mark") => (
            "",
            Some(json!({ "marked": [id("service")], "status": "cancelled" })),
        ),
        ("POST", "/scheduled-services/copy") => (
            "",
            Some(json!({ "copies": [{
                "id": id("walk"), "original": id("service"), "date": "2026-11-26", "start_time": "10:00",
            }] })),
        ),
        ("GET", "/series") => ("", None),
        ("POST", "/series") => (
            "",
            Some(json!({
                "client_id": id("client"), "dog_ids": [id("dog")], "begins": "2027-06-01",
                "rule": { "kind": "weekly", "every": 1, "weekdays": [2] },
                "slots": [{ "id": WEEKLY_SLOT, "start_time": "09:00", "duration_minutes": 30, "service_type": "walk" }],
            })),
        ),
        ("PUT", "/series/{id}") => (
            "series",
            Some(json!({ "from": "2027-06-01", "changes": { "notes": "Taken over" } })),
        ),
        ("POST", "/series/{id}/make") => (
            "series",
            Some(json!({ "date": "2027-06-01", "slot": WEEKLY_SLOT })),
        ),
        ("POST", "/series/{id}/leave-out") => ("series", Some(json!({ "date": "2027-06-01" }))),
        ("POST", "/series/{id}/pauses") => (
            "series",
            Some(json!({ "from": "2027-06-01", "to": "2027-06-09", "reason": "Taken over" })),
        ),
        ("POST", "/series/{id}/pauses/{pause_id}/end") => ("series", Some(json!({}))),
        ("POST", "/series/{id}/end") => (
            "series",
            Some(json!({ "end": { "kind": "on", "date": "2027-07-01" } })),
        ),
        ("POST", "/series/{id}/trip") => ("trip", Some(json!({ "ends": "2027-06-08" }))),
        ("POST", "/series/{id}/settle") => ("series", Some(json!({ "choices": [] }))),
        ("POST", "/series/{id}/restore") => ("series", Some(json!({ "end": { "kind": "never" } }))),
        ("DELETE", "/series/{id}") => ("series", None),
        ("GET", "/invoices" | "/invoices/count" | "/client/invoices") => ("", None),
        ("GET" | "DELETE", "/invoices/{id}")
        | ("DELETE", "/invoices/{id}/payments/{payment_id}")
        | ("DELETE", "/invoices/{id}/refunds/{refund_id}") => ("invoice", None),
        ("POST", "/invoices/share") => (
            "",
            Some(
                json!({ "client_id": id("client"), "services": [id("record")], "photos": [id("photo")] }),
            ),
        ),
        (
            "POST",
            "/invoices/{id}/mark-paid" | "/invoices/{id}/remind" | "/invoices/{id}/restore",
        ) => ("invoice", Some(json!({}))),
        ("POST", "/invoices/{id}/overpayment") => ("invoice", Some(json!({ "tip": 0, "kept": 0 }))),
        ("POST", "/invoices/payments") => (
            "",
            Some(json!({ "parts": [{ "invoice_id": id("invoice"), "amount": 5 }] })),
        ),
        ("POST", "/invoices/{id}/write-off") => ("invoice", Some(json!({ "written_off": true }))),
        ("POST", "/invoices/{id}/refunds") => ("invoice", Some(json!({}))),
        ("POST", "/invoices/{id}/payments") => ("invoice", Some(json!({ "amount": 5 }))),
        ("POST", "/invoices/{id}/credit") => (
            "invoice",
            Some(json!({ "amount": 5, "note": "Taken over" })),
        ),
        ("POST", "/sitter/requests/{id}/approve") => {
            ("request", Some(json!({ "create_scheduled_service": true })))
        }
        ("POST", "/sitter/requests/approve") => (
            "",
            Some(json!({ "approvals": [{ "id": id("request"), "service_id": id("walk") }] })),
        ),
        ("POST", "/sitter/requests/{id}/decline") => {
            ("request", Some(json!({ "sitter_response": "Taken over" })))
        }
        ("POST", "/sitter/requests/{id}/undo-approval") => {
            ("request", Some(json!({ "service_id": id("service") })))
        }
        ("POST", "/sitter/requests/{id}/grant") => {
            ("request", Some(json!({ "sitter_response": "Taken over" })))
        }
        (
            "GET",
            "/public/reports/{shareId}"
            | "/public/reports/{shareId}/photos/{photo}"
            | "/public/invoices/{shareId}/videos/{video}"
            | "/client/reports"
            | "/public/invoices/{shareId}"
            | "/public/invoices/{shareId}/photos/{photo}"
            | "/client/sitters"
            | "/client/services"
            | "/client/offerings"
            | "/client/slots"
            | "/client/closed-day"
            | "/client/open-days"
            | "/client/requests"
            | "/client/live-maps"
            | "/client/export"
            | "/invites/{code}"
            | "/invites/{code}/logo",
        ) => ("", None),
        ("POST", "/clients/{id}/invite" | "/clients/{id}/unlink") => ("client", Some(json!({}))),
        // Of a business whose client the caller is not; who is one would leave it.
        ("POST", "/client/leave") => ("", Some(json!({ "sitter_id": id("client") }))),
        ("POST", "/client/link") => (
            "",
            Some(json!({ "client_id": id("client"), "code": "0000000000" })),
        ),
        ("POST", "/client/invoices/{id}/card-page") => ("invoice of another", Some(json!({}))),
        ("GET", "/client/invoices/{id}/card-payment") => ("invoice of another", None),
        ("POST", "/client/requests") => (
            "",
            Some(json!({
                "sitter_id": victim.sitter.sitter_id, "requested_date": "2026-11-25", "requested_start_time": "10:00",
                "requested_duration_minutes": 30, "service_type": "walk", "dog_ids": [id("dog of another")],
            })),
        ),
        ("POST", "/client/requests/changes") => (
            "",
            Some(json!({
                "sitter_id": victim.sitter.sitter_id,
                "change": { "kind": "cancel_service", "service_id": id("visit of another") },
            })),
        ),
        ("DELETE", "/client/requests/{id}") => ("request of another", None),
        ("PUT", "/client/details") => (
            "",
            Some(json!({
                "sitter_id": victim.sitter.sitter_id, "vet": "Taken over",
                "dogs": [{ "id": id("dog of another"), "name": "X" }],
            })),
        ),
        ("GET", "/conversations" | "/conversations/search" | "/messages/unread-count")
        | ("POST", "/messages/upload") => ("", None),
        ("POST", "/conversations") => ("", Some(json!({ "client_id": id("conversation") }))),
        ("GET", "/conversations/{id}/messages") => ("conversation", None),
        ("POST", "/conversations/{id}/archive" | "/conversations/{id}/unarchive")
        | ("PUT", "/messages/{id}/read") => ("conversation", Some(json!({}))),
        ("POST", "/messages") => (
            "",
            Some(json!({ "conversation_id": id("conversation"), "content": "Taken over" })),
        ),
        ("DELETE", "/messages/{id}") => ("message", None),
        ("GET" | "DELETE", "/client/calendar/address") => ("", None),
        ("POST", "/client/calendar/address") => ("", Some(json!({}))),
        ("GET" | "DELETE", "/invoices/card-payments" | "/calendar/address")
        | ("GET", "/calendar/{file}") => ("", None),
        ("POST", "/calendar/address") => ("", Some(json!({}))),
        ("PUT", "/invoices/card-payments") => (
            "",
            Some(json!({
                "secret_key": "sk_test_51NobodyHasEverSeenThis", "webhook_secrets": ["whsec_NobodyHasEverSeenThis"],
                "password": "not the password", "sitter_id": victim.sitter.sitter_id,
            })),
        ),
        ("POST", "/invoices/stripe/{id}/webhook") => (
            "client",
            Some(
                json!({ "id": "evt_1", "type": "checkout.session.completed", "data": { "object": { "id": "cs_1" } } }),
            ),
        ),
        ("GET", "/billing/dashboard" | "/billing/plans") => ("", None),
        ("POST", "/billing/checkout-session") => (
            "",
            Some(
                json!({ "plan_id": "solo", "price_id": "price_solo", "sitter_id": victim.sitter.sitter_id }),
            ),
        ),
        ("POST", "/billing/portal-session") => {
            ("", Some(json!({ "sitter_id": victim.sitter.sitter_id })))
        }
        ("POST", "/billing/preview-change") => (
            "",
            Some(json!({ "current_plan_id": "free", "new_plan_id": "solo" })),
        ),
        ("POST", "/billing/update-subscription") => ("", Some(json!({ "plan_id": "solo" }))),
        ("POST", "/billing/webhook") => (
            "",
            Some(
                json!({ "id": "evt_1", "type": "customer.deleted", "data": { "object": { "customer": "cus_1" } } }),
            ),
        ),
        ("GET", "/push/public-key" | "/push/preferences") => ("", None),
        ("POST", "/push/subscriptions") => {
            let phone = PushPhone::new(PUSH_SERVICE, "own", victim.push_key.clone());
            let mut form = phone.form();
            form["id"] = json!(id("subscription"));
            form["user_id"] = json!(victim.sitter.user_id);
            ("", Some(form))
        }
        ("DELETE", "/push/subscriptions/{id}") => ("subscription", None),
        ("PUT", "/push/preferences") => (
            "",
            Some(json!({ "off": ["message"], "user_id": victim.sitter.user_id })),
        ),
        ("POST", "/sync/verify") => ("", Some(json!({ "ids": [id("client")] }))),
        ("POST", "/sync/push") => (
            "",
            Some(json!({
                "device_id": id("client"), "schema": 1, "mutations": [{
                    "id": id("dog"), "seq": 1, "v": 1, "made_at": "2026-11-20T09:00:00Z", "base_rev": 0,
                    "name": "cancel_service", "args": { "id": id("service") },
                }],
            })),
        ),
        _ => return None,
    })
}

pub fn query(path: &str, victim: &Victim) -> String {
    match path {
        "/services/range" => format!(
            "?clientId={}&startDate=2026-01-01&endDate=2027-01-01",
            victim.ids["client"]
        ),
        "/sync/pull" => format!(
            "?cursor=0&schema=1&device_id={}&sitter_id={}",
            victim.ids["client"],
            victim.sitter.sitter_id.unwrap()
        ),
        "/client/slots" | "/client/closed-day" => format!(
            "?date=2026-11-24&sitter_id={}",
            victim.sitter.sitter_id.unwrap()
        ),
        "/conversations/search" => "?q=code".to_owned(),
        "/map/directions/route" => "?places=24.94,60.17;24.95,60.18".to_owned(),
        "/videos/{id}" => "?offset=0".to_owned(),
        "/conversations" | "/messages/unread-count" => {
            format!("?sitter_id={}", victim.sitter.sitter_id.unwrap())
        }
        "/scheduled-services/{id}/live-map" => format!("?map_id={TRIP_SLOT}"),
        "/client/services" | "/client/offerings" | "/client/open-days" | "/client/requests"
        | "/client/live-maps" => {
            format!("?sitter_id={}", victim.sitter.sitter_id.unwrap())
        }
        "/scheduled-services" => format!("?client_id={}", victim.ids["client"]),
        _ => String::new(),
    }
}

/// Has everybody else call every operation whose path begins so; how often each of them was refused.
async fn reach(app: &TestApp, victim: &Victim, paths: &str) -> BTreeMap<&'static str, usize> {
    let sitter_id = victim.sitter.sitter_id.unwrap();
    let (other, own_parent, other_parent) = (
        app.sitter("Other").await,
        app.pet_parent("Own").await,
        app.pet_parent("Stranger").await,
    );
    let other_client = other.client("Kim").await;
    app.link(&victim.sitter, &victim.ids["client"], Some(&own_parent))
        .await;
    app.link(&other, &other_client.0, Some(&other_parent)).await;

    let callers = [
        ("anonymous", app.anonymous()),
        ("another sitter", other.clone()),
        ("a client user of another sitter", other_parent),
        ("a client user of this sitter", own_parent),
    ];
    // All but the links for a new password, which anybody may have sent to the victim's mailbox.
    let rows = async || {
        let mut rows = app.dump_with_owner(sitter_id).await;
        rows.retain(|it| !it.starts_with("password_reset "));
        rows
    };
    let untouched = rows().await;
    for table in ["session ", "factor ", "client ", "stripe_account "] {
        assert!(untouched.iter().any(|it| it.starts_with(table)), "{table}");
    }
    let mut refused_by = BTreeMap::new();
    let mut before = app.dump(None).await;
    for (method, path, operation) in operations(walkies_server::api::router::document()) {
        if !path.starts_with(paths) {
            continue;
        }
        let Some((id, body)) = call(victim, &method, &path) else {
            panic!("{method} {path} is new: say here what it is called with");
        };
        let access = operation["x-access"].as_str().unwrap();
        for (who, caller) in &callers {
            // What a client of the sitter's own sends is decided, and noted.
            if path == "/sync/push" && *who == "a client user of this sitter" {
                continue;
            }
            // Signing out would end the caller's part in the rest.
            if path == "/auth/signout" && caller.token.is_some() {
                continue;
            }
            let target = victim.ids.get(id).map(String::as_str).unwrap_or_default();
            let path = path
                .replace("{shareId}", &victim.share_id)
                .replace("{photo}", "0")
                .replace("{video}", "0");
            let address = format!(
                "{}{}",
                path.replace("{id}", target)
                    .replace("{payment_id}", target)
                    .replace("{refund_id}", target),
                query(&path, victim)
            );
            let answer = caller.call(&method, &address, &[], body.clone()).await;
            let label = format!(
                "{method} {path} by {who}: {} {}",
                answer.status, answer.body
            );
            let status = answer.status.as_u16();
            match (access, *who) {
                ("public", _) => {}
                (_, "anonymous") => {
                    assert_eq!(answer.failure(), (401, "sign_in_needed"), "{label}")
                }
                ("sitter", "a client user of another sitter" | "a client user of this sitter")
                | ("client", "another sitter") => {
                    assert_eq!(answer.failure(), (403, "forbidden"), "{label}");
                }
                // Whoever may call it has none of that id.
                _ if !id.is_empty() => assert_eq!(status, 404, "{label}"),
                _ => assert_ne!(status, 500, "{label}"),
            }
            let after = app.dump(None).await;
            if 400 <= status {
                assert_eq!(after, before, "{label}");
                *refused_by.entry(*who).or_insert(0) += 1;
            }
            before = after;
            assert_eq!(rows().await, untouched, "{label}");
            // What is theirs there is judged by itself.
            if *who == "a client user of this sitter"
                && method == "GET"
                && (path == "/sync/pull" || path.starts_with("/client/"))
                && id.is_empty()
            {
                assert_eq!(status, 200, "{label}");
                continue;
            }
            let said = String::from_utf8_lossy(&answer.bytes).into_owned();
            let sent = body.as_ref().map(Value::to_string).unwrap_or_default() + &address;
            for leak in victim.ids.values().filter(|it| !sent.contains(it.as_str())) {
                assert!(!said.contains(leak.as_str()), "{label}");
            }
            assert!(!said.contains("Victim"), "{label}");
        }
    }
    refused_by
}

on_both! {
    async fn nobody_reaches_into_another_business(app: TestApp) {
        let victim = victim(&app).await;
        let refused_by = reach(&app, &victim, "").await;
        assert!(refused_by.values().all(|it| 25 < *it), "{refused_by:?}");
        assert_eq!(victim.sitter.get("/auth/user").await.status, 200);
        assert_eq!(app.anonymous().post("/auth/signin", json!({ "email": victim.sitter.email, "password": PASSWORD })).await.status, 200);
    }

    async fn nobody_reaches_into_what_another_business_pays(app: TestApp) {
        let (app, stripe) = beside(&app, Duration::from_secs(60), billing_settings()).await;
        let mut victim = victim(&app).await;
        let form = json!({ "plan_id": "solo", "price_id": "price_solo" });
        victim.sitter.post("/billing/checkout-session", form).await.data();
        assert!(stripe.pay(&stripe.session_ids()[0], Means::Card));
        victim.sitter.get("/billing/dashboard").await.data();
        let [customer] = stripe.customers().try_into().unwrap();
        victim.ids.insert("customer", customer["id"].as_str().unwrap().to_owned());
        let (charged, before) = (stripe.charged(), stripe.subscriptions());
        reach(&app, &victim, "/billing/").await;
        assert_eq!((stripe.charged(), stripe.subscriptions()), (charged, before));
    }
}

#[tokio::test]
async fn nobody_gets_to_the_one_writer_past_a_throttle_without_a_sign_in() {
    let twice = Rate {
        burst: 2,
        every_ms: 3_600_000,
    };
    let app = TestApp::sqlite(Settings {
        rate_by_address: twice,
        rate_by_account: twice,
        ..settings()
    })
    .await;
    // Those were the tries that this address has: the sign-up and its code.
    app.sitter("Dana").await;
    let others_turn = app.state.db.write().await.unwrap();
    for (method, path, operation) in operations(walkies_server::api::router::document()) {
        if operation["x-access"] != "public" {
            continue;
        }
        let path = path.replace("{shareId}", "0f3JpQ7xTzSx5mN8dVb2Kg");
        let form = json!({
            "name": "Kim", "email": "kim@example.com", "password": PASSWORD, "time_zone": "Europe/Helsinki",
            "token": "0f3JpQ7xTzSx5mN8dVb2Kg",
        });
        let answer = app
            .anonymous()
            .call(&method, &format!("{path}?ticket=x"), &[], Some(form))
            .await;
        assert_ne!(
            answer.status, 503,
            "{method} {path} has waited for the writer"
        );
    }
    others_turn.rollback().await.unwrap();
}
