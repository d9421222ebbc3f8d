//! Owns which part of a list a call asks for, in every list of the API alike.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::Deserialize;

use crate::base::error::AppError;
use crate::base::malformed;

/// The most rows that a `limit` can ask for.
pub const MAX_LIMIT: u64 = 1_000;

/// `limit` and `offset` of the query. Without a limit a list is whole, or as long as its call says.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub struct Page {
    limit: Option<u64>,
    #[serde(default)]
    offset: u64,
}

impl Page {
    /// How many rows are asked for, where the query says so.
    pub fn limit(self) -> Option<u64> {
        self.limit.map(|it| it.min(MAX_LIMIT))
    }

    /// The same page of a list that gives `usual` rows at once without a limit, and never more than `most`.
    pub fn within(self, usual: u64, most: u64) -> Self {
        Self {
            limit: Some(self.limit_or(usual).min(most)),
            ..self
        }
    }

    /// How many rows are asked for; `usual` where the query says nothing.
    pub fn limit_or(self, usual: u64) -> u64 {
        self.limit().unwrap_or(usual)
    }

    /// How many rows of the list come before the first one.
    pub fn offset(self) -> u64 {
        // A database counts in 63 bits.
        self.offset.min(u32::MAX.into())
    }

    /// How many rows must be read for this page, from the beginning of the list on.
    pub fn end(self, usual: u64) -> u64 {
        self.offset() + self.limit_or(usual)
    }

    /// Tells that the row at this place of the list, from 0, is on this page.
    pub fn has(self, place: u64) -> bool {
        let most = self.limit().unwrap_or(u64::MAX);
        (self.offset()..self.offset().saturating_add(most)).contains(&place)
    }

    /// This page of a whole list.
    pub fn cut<T>(self, rows: Vec<T>) -> Vec<T> {
        let n = |it: u64| usize::try_from(it).unwrap_or(usize::MAX);
        let most = self.limit().map_or(usize::MAX, n);
        rows.into_iter().skip(n(self.offset())).take(most).collect()
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Page {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, AppError> {
        let query = Query::try_from_uri(&parts.uri);
        query
            .map(|Query(it)| it)
            .map_err(|it| malformed::query(&it))
    }
}
