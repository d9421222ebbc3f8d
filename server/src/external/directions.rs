//! Owns asking the walking directions service of others, with the key that its owner pays for: few calls at once, with a
//! bound on how long an answer may be and take. Nothing of its address reaches anybody.

use std::time::Duration;

use anyhow::Context as _;
use reqwest::Client;
use tokio::sync::Semaphore;
use walkies_core::route::DirectionsResponse;

use crate::base::log::redacted;
use crate::external::service::ExternalService;

/// The longest wait for a route.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest way with all its steps has a quarter of it.
const MAX_ANSWER_BYTES: usize = 1024 * 1024;
/// Three for each of a few people.
const AT_ONCE: usize = 12;

/// The service that is configured.
#[derive(Debug)]
pub struct Directions {
    client: Client,
    /// Its address, with `{route}`.
    url: String,
    permits: Semaphore,
}

impl Directions {
    /// For this service.
    pub fn new(service: &ExternalService) -> anyhow::Result<Self> {
        // Fails where it was done before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(TIMEOUT)
            .user_agent(concat!("Walkies/", env!("CARGO_PKG_VERSION")))
            .build()
            .context("no directions service can be asked")?;
        Ok(Self {
            client,
            url: service.url.clone(),
            permits: Semaphore::new(AT_ONCE),
        })
    }

    /// The service's answer to a `walkies_core::route::query`.
    pub async fn ask(&self, query: &str) -> DirectionsResponse {
        match self.answer(query).await {
            Ok(Some(answer)) => DirectionsResponse::read(&answer),
            Ok(None) => DirectionsResponse::failed(),
            Err(error) => {
                // Its address has the key.
                let error = redacted(&error.without_url());
                tracing::warn!(error, "the directions service does not answer");
                DirectionsResponse::failed()
            }
        }
    }

    /// `None` where the answer is too long.
    async fn answer(&self, query: &str) -> reqwest::Result<Option<Vec<u8>>> {
        let Ok(_permit) = self.permits.acquire().await else {
            return Ok(None);
        };
        let url = self.url.replace("{route}", query);
        let mut answer = self.client.get(url).send().await?;
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await? {
            if MAX_ANSWER_BYTES < body.len() + part.len() {
                return Ok(None);
            }
            body.extend_from_slice(&part);
        }
        Ok(Some(body))
    }
}
