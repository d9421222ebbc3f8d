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
mod mail;
mod map;
mod messages;
mod offerings;
mod parents;
mod photos;
mod previews;
mod profile;
mod push;
mod realtime;
mod reports;
mod requests;
mod services;
mod sessions;
mod shared_invoices;
mod sign_up;
mod sync;
mod videos;

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::Router;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Query, RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};
use axum::middleware::{self, Next};
use axum::response::Response;
use axum::routing::post;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use utoipa::ToSchema;
use walkies_core::rows::sitter::Sitter;
use walkies_core::values::zone::TimeZone;
use walkies_core::{Command, Id};

use crate::db::{self, Tx};
use crate::error::AppError;
use crate::form::{Form, from_json, read_body};
use crate::malformed;
use crate::route::{Access, Route, Schemas, route};
use crate::session::{AnyUser, Member, SitterUser};
use crate::state::AppState;
use crate::zone::time_zone;

pub(crate) use documents::import_document;
pub(crate) use photos::{ImportedPhoto, import_photo, store_photo};
pub(crate) use sign_up::{create_account, new_account};
pub(crate) use videos::{import_video, store_video};

pub use previews::preview;

/// Every call of the API.
pub fn all() -> Vec<Route> {
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
    routes.extend(shared_invoices::routes());
    routes.extend(sync::routes());
    routes.extend(realtime::routes());
    routes.extend(push::routes());
    routes
}

/// Public pages and what their forms send: no calls of the API, but answered with a page.
pub fn pages() -> Router<AppState> {
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

/// The query parameter that names a business.
#[derive(Debug, Deserialize)]
struct OfSitter {
    sitter_id: Option<Id>,
}

const OF_SITTER: &str = "Of which business, for a pet parent of several; others need not say";

/// The caller as a member of the business that the query names.
#[derive(Debug)]
struct Caller(Member);

impl FromRequestParts<AppState> for Caller {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        let user = AnyUser::from_request_parts(parts, state).await?;
        let QueryParams(of) = QueryParams::<OfSitter>::from_request_parts(parts, state).await?;
        Member::of(state, &user, of.sitter_id).await.map(Self)
    }
}

/// A query that can be read, or the failure form.
#[derive(Debug)]
struct QueryParams<T>(T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for QueryParams<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _state: &AppState) -> Result<Self, AppError> {
        let query = Query::try_from_uri(&parts.uri);
        query
            .map(|Query(it)| Self(it))
            .map_err(|it| malformed::query(&it))
    }
}

/// Address of a caller, reduced to the network that rate limits count: one caller cannot choose another one.
#[derive(Debug)]
struct CallerAddress(String);

impl FromRequestParts<AppState> for CallerAddress {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        let address = caller_ip(state, &parts.headers, &parts.extensions);
        Ok(Self(address.map(network_of).unwrap_or_default()))
    }
}

/// The address that a call comes from.
pub(crate) fn caller_ip(
    state: &AppState,
    headers: &HeaderMap,
    extensions: &Extensions,
) -> Option<IpAddr> {
    let peer = extensions.get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map(|it| it.0.ip());
    // Only the last address was written by our own proxy; those before it are the caller's to invent.
    let forwarded = headers.get_all("x-forwarded-for").iter().next_back();
    let forwarded = forwarded.and_then(|it| ip_of(it.to_str().ok()?.rsplit(',').next()?.trim()));
    forwarded.filter(|_| state.settings.behind_proxy).or(peer)
}

/// An address as proxies write it, some with a port.
fn ip_of(text: &str) -> Option<IpAddr> {
    let with_port = || text.parse().ok().map(|it: SocketAddr| it.ip());
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse().ok().or_else(with_port)
}

/// Returns the network that counts as one caller: an address of IPv4, and of IPv6 the network of 64 bits that one
/// customer has.
fn network_of(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let network = address.to_bits() >> 64 << 64;
            format!("{}/64", Ipv6Addr::from_bits(network))
        }
    }
}

/// A JSON body that can be read, or the failure form.
#[derive(Debug)]
struct JsonBody<T>(T);

impl<T: DeserializeOwned> FromRequest<AppState> for JsonBody<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, _state: &AppState) -> Result<Self, AppError> {
        let bytes = read_body(request.into_body()).await?;
        from_json(&bytes).map(Self)
    }
}

/// No secret that was given out, and no code, is longer, in bytes.
const MAX_SECRET_BYTES: usize = 64;

/// Turns down a call that has begun to write. Without this the transaction is lost, and with it what others have
/// written in the same one.
async fn roll_back<T>(tx: Tx, why: AppError) -> Result<T, AppError> {
    tx.rollback().await?;
    Err(why)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_a_network_of_addresses_counts_as_one() {
        for (address, network) in [
            ("192.0.2.7", "192.0.2.7"),
            ("192.0.2.7:4711", "192.0.2.7"),
            ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
            ("[2001:db8:1:3::9]", "2001:db8:1:3::/64"),
        ] {
            let found = ip_of(address).map(network_of);
            assert_eq!(found.as_deref(), Some(network), "{address}");
        }
        assert_eq!(ip_of("unknown"), None);
    }
}
