//! Parts of a request that handlers ask for by type: query, JSON body, address and caller.

use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use walkies_core::Id;

use crate::app::session::{AnyUser, Member};
use crate::app::state::AppState;
use crate::base::address::{caller_ip, network_of};
use crate::base::error::AppError;
use crate::base::malformed;
use crate::http::form::{from_json, read_body};

/// The query parameter that names a business.
#[derive(Debug, Deserialize)]
pub(crate) struct OfSitter {
    pub(crate) sitter_id: Option<Id>,
}

/// Description of the query parameter that names a business.
pub(crate) const OF_SITTER: &str =
    "Of which business, for a pet parent of several; others need not say";

/// The caller as a member of the business that the query names.
#[derive(Debug)]
pub(crate) struct Caller(pub(crate) Member);

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
pub(crate) struct QueryParams<T>(pub(crate) T);

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
pub(crate) struct CallerAddress(pub(crate) String);

impl FromRequestParts<AppState> for CallerAddress {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        let address = caller_ip(
            state.settings.behind_proxy,
            &parts.headers,
            &parts.extensions,
        );
        Ok(Self(address.map(network_of).unwrap_or_default()))
    }
}

/// A JSON body that can be read, or the failure form.
#[derive(Debug)]
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<AppState> for JsonBody<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, _state: &AppState) -> Result<Self, AppError> {
        let bytes = read_body(request.into_body()).await?;
        from_json(&bytes).map(Self)
    }
}
