//! Owns the list of all calls; each file has those of one area, as thin adapters.

mod analytics;
mod auth;
mod availability;
mod billing;
mod calendar;
mod card_payments;
mod client_files;
mod clients;
mod data;
mod documents;
mod expenses;
mod factors;
mod invites;
mod invoices;
mod live_maps;
mod mail;
mod map;
mod messages;
mod offerings;
mod parents;
mod photos;
mod previews;
mod profile;
mod push;
mod reader;
mod realtime;
mod reports;
mod requests;
pub mod router;
mod series;
mod services;
mod sessions;
mod shared_invoices;
mod sign_up;
mod sync;
mod videos;

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::post;
use serde_json::{Value, json};
use utoipa::ToSchema;
use walkies_core::rows::sitter::Sitter;
use walkies_core::values::field::{Field, plain};
use walkies_core::values::zone::TimeZone;
use walkies_core::{Command, Id};

use crate::app::session::SitterUser;
use crate::app::state::AppState;
use crate::app::zone::time_zone;
use crate::base::error::AppError;
use crate::db::{self, Tx};
use crate::http::form::Form;
use crate::http::route::{Access, Route, Schemas, route};

pub(crate) use previews::preview;

/// Every call of the API.
pub(crate) fn all() -> Vec<Route> {
    let mut routes = Vec::new();
    routes.extend(sign_up::routes());
    routes.extend(auth::routes());
    routes.extend(sessions::routes());
    routes.extend(factors::routes());
    routes.extend(profile::routes());
    routes.extend(data::routes());
    routes.extend(documents::routes());
    routes.extend(clients::routes());
    routes.extend(client_files::routes());
    routes.extend(offerings::routes());
    routes.extend(services::routes());
    routes.extend(series::routes());
    routes.extend(availability::routes());
    routes.extend(billing::routes());
    routes.extend(calendar::routes());
    routes.extend(card_payments::routes());
    routes.extend(invoices::routes());
    routes.extend(expenses::routes());
    routes.extend(photos::routes());
    routes.extend(videos::routes());
    routes.extend(map::routes());
    routes.extend(requests::routes());
    routes.extend(analytics::routes());
    routes.extend(parents::routes());
    routes.extend(invites::routes());
    routes.extend(messages::routes());
    routes.extend(reports::routes());
    routes.extend(live_maps::routes());
    routes.extend(shared_invoices::routes());
    routes.extend(sync::routes());
    routes.extend(realtime::routes());
    routes.extend(push::routes());
    routes
}

/// Public pages and what their forms send: no calls of the API, but answered with a page.
pub(crate) fn pages() -> Router<AppState> {
    let invoices = shared_invoices::pages()
        .route("/invoice/{shareId}/card", post(card_payments::pay))
        .route_layer(middleware::from_fn(check_path));
    invoices.merge(mail::pages())
}

/// Answers an address that is no text with the page of an invoice that is none.
async fn check_path(
    path: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
    next: Next,
) -> Response {
    match path {
        Ok(_) => next.run(request).await,
        Err(_) => shared_invoices::failure(AppError::InvoiceGone),
    }
}

/// A sitter's call that is a command.
fn command(
    method: axum::http::Method,
    path: &'static str,
    summary: &'static str,
    build: fn(&mut Form) -> Result<Command, AppError>,
) -> Route {
    let route = route(
        method,
        path,
        Access::Sitter,
        summary,
        async move |sitter: SitterUser, mut form: Form| {
            let command = build(&mut form)?;
            form.submit(sitter.into(), command).await
        },
    );
    route.command()
}

/// A business as its public pages show it, with its time zone; `None` where it was deleted meanwhile.
async fn business_of_page(tx: &mut Tx, sitter_id: Id) -> sqlx::Result<Option<(Sitter, TimeZone)>> {
    let sitter = db::select_one::<Sitter>(tx, sitter_id, sitter_id).await?;
    Ok(sitter.map(|it| {
        let zone = time_zone(&it.row.time_zone).unwrap_or(TimeZone::UTC);
        (it.row, zone)
    }))
}

/// The schema of a row with its revision.
fn revised<T: ToSchema>(schemas: &mut Schemas) -> Value {
    with_fields(schemas.of::<T>(), json!({ "rev": { "type": "integer" } }))
}

/// The schema of the fields of a command that a body has; the others are in the path.
fn part_of<T: ToSchema>(schemas: &mut Schemas, names: &[&'static str]) -> Value {
    let fields: Vec<Field> = names.iter().map(|it| plain(it)).collect();
    schemas.subset_of::<T>(&fields)
}

fn with_fields(schema: Value, properties: Value) -> Value {
    json!({ "allOf": [schema, { "type": "object", "properties": properties }] })
}

fn list_of(schema: Value) -> Value {
    json!({ "type": "array", "items": schema })
}

/// The schema of the answer to a deletion.
fn removed(_: &mut Schemas) -> Value {
    json!({
        "type": "object",
        "properties": { "id": { "type": "string", "format": "uuid" }, "rev": { "type": "integer" } },
    })
}
