//! Owns the list of all calls; each file has those of one area, as thin adapters.

mod auth;
mod availability;
mod clients;
mod map;
mod offerings;
mod photos;
mod profile;
mod realtime;
mod reports;
mod services;
mod sync;

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use utoipa::ToSchema;
use walkies_core::Command;

use crate::error::AppError;
use crate::form::{Form, read};
use crate::route::{Access, Route, Schemas, route};
use crate::session::SitterUser;
use crate::state::AppState;

pub(crate) use auth::{create_account, new_account};

/// Every call of the API.
pub fn all() -> Vec<Route> {
    let mut routes = Vec::new();
    routes.extend(auth::routes());
    routes.extend(profile::routes());
    routes.extend(clients::routes());
    routes.extend(offerings::routes());
    routes.extend(services::routes());
    routes.extend(availability::routes());
    routes.extend(photos::routes());
    routes.extend(map::routes());
    routes.extend(reports::routes());
    routes.extend(sync::routes());
    routes.extend(realtime::routes());
    routes
}

/// A sitter's call that is a command.
fn command(
    method: axum::http::Method,
    path: &'static str,
    summary: &'static str,
    build: fn(&mut Form) -> Result<Command, AppError>,
) -> Route {
    route(
        method,
        path,
        Access::Sitter,
        summary,
        async move |sitter: SitterUser, mut form: Form| {
            let command = build(&mut form)?;
            form.submit(sitter, command).await
        },
    )
}

/// A query that can be read, or the failure form.
#[derive(Debug)]
struct Asked<T>(T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for Asked<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _state: &AppState) -> Result<Self, AppError> {
        let query = Query::try_from_uri(&parts.uri);
        query
            .map(|Query(it)| Self(it))
            .map_err(|it| AppError::Malformed(it.body_text()))
    }
}

/// Where a call comes from: counts who calls too often.
#[derive(Debug)]
struct Address(String);

impl FromRequestParts<AppState> for Address {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        let peer = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map(|it| it.0.ip().to_string());
        // Only the last address was written by our own proxy; those before it are the caller's to invent.
        let forwarded = parts.headers.get_all("x-forwarded-for").iter().next_back();
        let forwarded = forwarded
            .and_then(|it| it.to_str().ok()?.rsplit(',').next())
            .map(|it| it.trim().to_owned());
        let address = forwarded.filter(|_| state.settings.behind_proxy).or(peer);
        Ok(Self(address.unwrap_or_default()))
    }
}

/// A JSON body that can be read, or the failure form.
#[derive(Debug)]
struct Sent<T>(T);

impl<T: DeserializeOwned> FromRequest<AppState> for Sent<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, _state: &AppState) -> Result<Self, AppError> {
        let bytes = read(request.into_body()).await?;
        serde_json::from_slice(&bytes)
            .map(Self)
            .map_err(|it| AppError::Malformed(format!("The body cannot be read: {it}")))
    }
}

/// The schema of a row with its revision.
fn revised<T: ToSchema>(schemas: &mut Schemas) -> Value {
    with_fields(schemas.of::<T>(), json!({ "rev": { "type": "integer" } }))
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
