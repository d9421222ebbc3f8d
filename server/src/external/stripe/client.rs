//! Owns how Stripe is called: one version of its API, forms in, bounded JSON out, and what each failure means. Calls have
//! a file for each of Stripe's resources beside this one; fields that Stripe adds are passed over.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, Url, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;

/// The version whose shapes are read here; Stripe goes on answering in it (docs.stripe.com/api/versioning).
pub const API_VERSION: &str = "2026-10-28.endive";

/// No answer to a call that is made here comes near it: a hundred subscriptions have half of it.
const MAX_ANSWER_BYTES: usize = 1024 * 1024;
/// The most attempts of a call: one that did not reach Stripe, or that Stripe says may be retried, is retried once.
const TRIES: u32 = 2;
const DELAY: Duration = Duration::from_millis(400);

/// The addresses of Stripe, and how long to wait for it.
#[derive(Clone, Debug)]
pub struct StripeSettings {
    /// The origin of its API.
    pub api: String,
    /// The origin of the pages on which people pay.
    pub pages: String,
    /// The longest time that a call waits for Stripe.
    pub timeout: Duration,
}

impl Default for StripeSettings {
    fn default() -> Self {
        Self {
            api: "https://api.stripe.com".to_owned(),
            pages: "https://checkout.stripe.com".to_owned(),
            timeout: Duration::from_secs(10),
        }
    }
}

/// Why a call came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StripeError {
    /// The key is invalid or was revoked.
    #[error("Stripe does not know the key")]
    Key,
    /// The key is restricted, and not to this.
    #[error("the key may not do this")]
    Permission,
    /// There is no such object of this account, or no such customer as was named.
    #[error("Stripe has no such object")]
    Missing,
    /// The card was declined.
    #[error("the card was declined ({0})")]
    Card(String),
    /// The call is wrong: a defect, or something that this account cannot do.
    #[error("Stripe does not take the call ({0})")]
    Invalid(String),
    /// The idempotency key came with other arguments: a defect.
    #[error("the idempotency key was used for another call")]
    KeyReused,
    /// The account is over Stripe's rate limit.
    #[error("Stripe is called too often")]
    RateLimited,
    /// Stripe failed, or another call with the same key is under way; holds the status.
    #[error("Stripe answers {0}")]
    Down(u16),
    /// No answer in time; what was asked for may have been done.
    #[error("Stripe did not answer in time")]
    TimeOut,
    /// The call did not reach Stripe.
    #[error("Stripe could not be reached")]
    Unreachable,
    /// The answer is not one of Stripe's.
    #[error("Stripe's answer cannot be read")]
    Unreadable,
}

impl StripeError {
    /// Returns true if the same call may well succeed later, with nothing changed.
    pub const fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::RateLimited
                | Self::Down(_)
                | Self::TimeOut
                | Self::Unreachable
                | Self::Unreadable
        )
    }
}

/// A list as Stripe gives it.
#[derive(Clone, Debug, Deserialize)]
pub struct List<T> {
    /// A page of it.
    #[serde(default = "Vec::new")]
    pub data: Vec<T>,
}

/// Client of Stripe's API, which makes each call with the key of the account that it is for.
#[derive(Debug)]
pub struct Stripe {
    settings: StripeSettings,
    /// Made for the first call: most servers make none.
    client: OnceLock<Client>,
}

impl Stripe {
    /// For these settings.
    pub const fn new(settings: StripeSettings) -> Self {
        Self {
            settings,
            client: OnceLock::new(),
        }
    }

    /// Returns the settings that it was made with.
    pub const fn settings(&self) -> &StripeSettings {
        &self.settings
    }

    /// Reads an object or a list of Stripe's.
    pub async fn get<T: DeserializeOwned>(
        &self,
        key: &str,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<T, StripeError> {
        let url = self.url(path, query)?;
        self.call(|client| client.request(Method::GET, url.clone()), key)
            .await
    }

    /// Makes or changes something, once for all calls with the same `idempotency_key`.
    pub async fn post<T: DeserializeOwned>(
        &self,
        key: &str,
        path: &str,
        form: &[(&str, &str)],
        idempotency_key: &str,
    ) -> Result<T, StripeError> {
        let url = self.url(path, &[])?;
        let body = self.url(path, form)?.query().unwrap_or_default().to_owned();
        let request = |client: &Client| {
            client
                .request(Method::POST, url.clone())
                .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                .header("idempotency-key", idempotency_key)
                .body(body.clone())
        };
        self.call(request, key).await
    }

    /// Removes something; a repeat finds it gone.
    pub async fn delete<T: DeserializeOwned>(
        &self,
        key: &str,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<T, StripeError> {
        let url = self.url(path, query)?;
        self.call(|client| client.request(Method::DELETE, url.clone()), key)
            .await
    }

    fn url(&self, path: &str, query: &[(&str, &str)]) -> Result<Url, StripeError> {
        let whole = format!("{}/v1/{path}", self.settings.api);
        let url = if query.is_empty() {
            Url::parse(&whole)
        } else {
            Url::parse_with_params(&whole, query)
        };
        url.map_err(|_| StripeError::Unreachable)
    }

    fn client(&self) -> Result<&Client, StripeError> {
        if let Some(client) = self.client.get() {
            return Ok(client);
        }
        // Fails where it was done before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(self.settings.timeout)
            .timeout(self.settings.timeout)
            .user_agent(concat!("Walkies/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| {
                tracing::error!(%error, "nothing can be sent to Stripe");
                StripeError::Unreachable
            })?;
        Ok(self.client.get_or_init(|| client))
    }

    async fn call<T: DeserializeOwned>(
        &self,
        request: impl Fn(&Client) -> RequestBuilder,
        key: &str,
    ) -> Result<T, StripeError> {
        let client = self.client()?;
        let mut tries = 1;
        loop {
            let request = request(client)
                .bearer_auth(key)
                .header("stripe-version", API_VERSION);
            match once(request).await {
                Ok(bytes) => {
                    return serde_json::from_slice(&bytes).map_err(|_| StripeError::Unreadable);
                }
                Err((_, true)) if tries < TRIES => {
                    tries += 1;
                    tokio::time::sleep(DELAY).await;
                }
                Err((error, _)) => return Err(error),
            }
        }
    }
}

/// The body of an answer that it was done; else why not, and whether the same call may be made again at once.
async fn once(request: RequestBuilder) -> Result<Vec<u8>, (StripeError, bool)> {
    let answer = request.send().await.map_err(|error| unanswered(&error))?;
    let status = answer.status();
    // Stripe's own word comes first (docs.stripe.com/error-low-level, 'Should retry').
    let said = answer.headers().get("stripe-should-retry");
    let said = said.map(|it| it.as_bytes() == b"true");
    let body = bounded(answer).await?;
    if status.is_success() {
        return Ok(body);
    }
    let error = meaning(status, &body);
    let is_transient = status.is_server_error() || status == StatusCode::CONFLICT;
    Err((error, said.unwrap_or(is_transient)))
}

fn unanswered(error: &reqwest::Error) -> (StripeError, bool) {
    if error.is_timeout() {
        // Who waits has waited long enough.
        (StripeError::TimeOut, false)
    } else {
        (StripeError::Unreachable, true)
    }
}

async fn bounded(mut answer: Response) -> Result<Vec<u8>, (StripeError, bool)> {
    let mut body = Vec::new();
    while let Some(part) = answer.chunk().await.map_err(|error| unanswered(&error))? {
        if MAX_ANSWER_BYTES < body.len() + part.len() {
            return Err((StripeError::Unreadable, false));
        }
        body.extend_from_slice(&part);
    }
    Ok(body)
}

/// Stripe's description of a failure (docs.stripe.com/api/errors).
#[derive(Debug, Default, Deserialize)]
struct Failure {
    #[serde(default)]
    error: Fault,
}

#[derive(Debug, Default, Deserialize)]
struct Fault {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    code: String,
    /// The argument that is wrong.
    #[serde(default)]
    param: String,
}

fn meaning(status: StatusCode, body: &[u8]) -> StripeError {
    let Failure { error } = serde_json::from_slice(body).unwrap_or_default();
    // Codes and names of arguments are Stripe's; its sentences quote what was sent.
    let what = format!("{} {}", error.code, error.param).trim().to_owned();
    let names_nobody = error.code == "resource_missing" && error.param == "customer";
    match (status.as_u16(), error.kind.as_str()) {
        (401, _) => StripeError::Key,
        (403, _) => StripeError::Permission,
        // What is missing of a path is a 404, what is missing of an argument is not.
        (404, _) => StripeError::Missing,
        (400, _) if names_nobody => StripeError::Missing,
        (429, _) => StripeError::RateLimited,
        (402, _) | (_, "card_error") => StripeError::Card(what),
        // Another call with the same key is under way.
        (409, _) => StripeError::Down(409),
        (_, "idempotency_error") => StripeError::KeyReused,
        (400..=499, _) => StripeError::Invalid(what),
        (status, _) => StripeError::Down(status),
    }
}
