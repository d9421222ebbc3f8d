//! Owns asking the geocoder of others for addresses outside the imported map: one configured host and no other, with a bound
//! on how long an answer may be and take. It gets the words that were typed as an address, and logs have none of them.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use reqwest::{Client, Url};
use tokio::sync::Semaphore;
use walkies_core::addresses::{GeocoderAnswer, GeocoderKind, SearchedAddress};

use crate::base::log::redacted;

/// Six addresses with all their details have a tenth of it.
const MAX_ANSWER_BYTES: usize = 256 * 1024;
/// As many as are begun until the first one is timed out.
const AT_ONCE: usize = 12;

/// The geocoder that an operator has configured.
#[derive(Clone, Debug)]
pub struct GeocoderSettings {
    /// The form of its calls.
    pub kind: GeocoderKind,
    /// Its address, below which its paths begin.
    pub url: Url,
    /// The longest wait for an answer.
    pub timeout: Duration,
}

impl GeocoderSettings {
    /// For the geocoder at this address.
    pub const fn new(kind: GeocoderKind, url: Url) -> Self {
        Self {
            kind,
            url,
            timeout: Duration::from_secs(10),
        }
    }
}

/// Client of the geocoder.
#[derive(Debug)]
pub struct Geocoder {
    settings: GeocoderSettings,
    client: Client,
    permits: Semaphore,
}

impl Geocoder {
    /// Creates the client; no redirect is followed, so that the words go to the configured host alone.
    pub fn new(settings: &GeocoderSettings) -> anyhow::Result<Self> {
        // Fails where it was done before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            // A proxy would read what is asked.
            .no_proxy()
            .timeout(settings.timeout)
            .user_agent(concat!("Walkies/", env!("CARGO_PKG_VERSION")))
            .build()
            .context("no geocoder can be asked")?;
        Ok(Self {
            settings: settings.clone(),
            client,
            permits: Semaphore::new(AT_ONCE),
        })
    }

    /// Kind of the geocoder.
    pub const fn kind(&self) -> GeocoderKind {
        self.settings.kind
    }

    /// The geocoder's answer to these words.
    pub async fn ask(&self, address: &SearchedAddress) -> GeocoderAnswer {
        match self.answer(address).await {
            Ok(answer) => self.kind().read(&answer),
            Err(error) => {
                let error = redacted(error.as_ref());
                tracing::warn!(error, "the geocoder does not answer");
                GeocoderAnswer::failed()
            }
        }
    }

    async fn answer(&self, address: &SearchedAddress) -> anyhow::Result<Vec<u8>> {
        let _permit = self.permits.acquire().await?;
        let request = self.client.get(self.url(address));
        // The address of an error has what was typed.
        let answer = request.send().await.map_err(reqwest::Error::without_url);
        let mut answer = answer?;
        let status = answer.status().as_u16();
        ensure!(status == 200, "the status is {status}");
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await.map_err(reqwest::Error::without_url)? {
            ensure!(
                body.len() + part.len() <= MAX_ANSWER_BYTES,
                "the answer is longer than {MAX_ANSWER_BYTES} bytes"
            );
            body.extend_from_slice(&part);
        }
        Ok(body)
    }

    /// The address of a search.
    fn url(&self, address: &SearchedAddress) -> Url {
        let mut url = self.settings.url.clone();
        // Only an address that cannot have a path has no segments, and settings refuse those.
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push(self.kind().path());
        }
        url.query_pairs_mut()
            .extend_pairs(self.kind().query(address));
        url
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_words_stay_in_the_query() {
        let url = |base: &str, kind: GeocoderKind, typed: &str| {
            let settings = GeocoderSettings::new(kind, Url::parse(base).expect("an address"));
            let geocoder = Geocoder::new(&settings).expect("a geocoder");
            let address = SearchedAddress::parse(typed).expect("words");
            geocoder.url(&address).to_string()
        };
        assert_eq!(
            url(
                "https://photon.example.com",
                GeocoderKind::Photon,
                "12 Long Street & Co"
            ),
            "https://photon.example.com/api?q=12+Long+Street+%26+Co&limit=6"
        );
        assert_eq!(
            url(
                "http://10.0.0.7:8080/osm/",
                GeocoderKind::Nominatim,
                "../x?y#z"
            ),
            "http://10.0.0.7:8080/osm/search?q=..%2Fx%3Fy%23z&limit=6&format=jsonv2&addressdetails=1"
        );
    }
}
