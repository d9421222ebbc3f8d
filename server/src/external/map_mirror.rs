//! Owns calls to a mirror of OpenStreetMap extracts: where they may lead, how many redirects they follow, and how long an
//! answer may be and take. A mirror's index and redirects are what others say, and this server sits in somebody's network.

use std::error::Error;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use axum::body::Bytes;
use reqwest::header::{HeaderMap, LOCATION};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use tokio::time::timeout;

use crate::external::push_service::endpoint::{NO_PUBLIC_ADDRESS, PublicAddresses, is_public};

/// The mirror that is asked if no other one is configured.
pub const DEFAULT_MIRROR: &str = "https://download.geofabrik.de";

/// The most redirects of a call: a mirror leads from the newest extract to that of a day, and perhaps to another host.
const MAX_REDIRECTS: usize = 5;

/// Bounds of the time that a mirror has.
#[derive(Clone, Copy, Debug)]
pub struct MirrorTimes {
    /// The longest wait for a connection, an answer, or the next bytes of one.
    pub idle: Duration,
    /// The longest time for a short answer.
    pub short: Duration,
}

impl Default for MirrorTimes {
    fn default() -> Self {
        Self {
            idle: Duration::from_secs(30),
            short: Duration::from_secs(120),
        }
    }
}

/// Why a call to a mirror came to nothing.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// No connection could be made.
    #[error("{0} could not be reached")]
    Unreachable(String),
    /// Nothing came for too long.
    #[error("{0} did not answer in time")]
    TimeOut(String),
    /// The connection ended in the middle of an answer.
    #[error("the connection to {0} broke off")]
    BrokeOff(String),
    /// Any status but those of success.
    #[error("{url} was answered with the status {status}")]
    Status {
        /// The address that was asked for.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// The index or a redirect leads to an address that is not asked.
    #[error("{0} is not asked: only the configured mirror itself, and public addresses by https")]
    Forbidden(String),
    /// Redirects without an end.
    #[error("{0} leads from one address to the next without an end")]
    Redirects(String),
    /// The answer is longer than any honest one.
    #[error("the answer of {url} is longer than {most} bytes")]
    TooLong {
        /// The address that was asked for.
        url: String,
        /// The bound of the answer.
        most: usize,
    },
}

impl MirrorError {
    /// Returns true if the same call may succeed in a moment.
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::TimeOut(_) | Self::BrokeOff(_) => true,
            Self::Status { status, .. } => matches!(status, 429 | 500..=599),
            Self::Forbidden(_) | Self::Redirects(_) | Self::TooLong { .. } => false,
        }
    }
}

/// Client of one mirror.
#[derive(Clone, Debug)]
pub struct MapMirror {
    base: Url,
    times: MirrorTimes,
    /// Asks the mirror itself, wherever its operator has put it.
    own: Client,
    /// Asks what the index and redirects lead to: public addresses alone.
    others: Client,
}

impl MapMirror {
    /// Creates the client of the mirror at this address, which has `index-v1.json` below it.
    pub fn new(url: &str, times: MirrorTimes) -> anyhow::Result<Self> {
        // Fails where it was done before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let base = Url::parse(&format!("{}/", url.trim_end_matches('/')));
        let base = base.with_context(|| format!("`{url}` is no address of a mirror"))?;
        let client = || {
            Client::builder()
                .redirect(Policy::none())
                // A proxy would look up the name itself.
                .no_proxy()
                .connect_timeout(times.idle)
                .user_agent(concat!("Walkies/", env!("CARGO_PKG_VERSION")))
        };
        Ok(Self {
            base,
            times,
            own: client().build().context("no mirror can be asked")?,
            others: client()
                .dns_resolver(Arc::new(PublicAddresses))
                .build()
                .context("no mirror can be asked")?,
        })
    }

    /// The address of something at the mirror: relative to its own, or whole.
    pub fn url(&self, path: &str) -> Option<Url> {
        self.base.join(path).ok()
    }

    /// The longest wait for the next bytes of an answer.
    pub const fn idle(&self) -> Duration {
        self.times.idle
    }

    /// Starts a call and follows its redirects; the answer has any status but those.
    pub async fn open(&self, url: &Url, headers: HeaderMap) -> Result<Response, MirrorError> {
        let mut at = url.clone();
        for _ in 0..=MAX_REDIRECTS {
            let request = self.client(&at)?.get(at.clone()).headers(headers.clone());
            let answer = match timeout(self.times.idle, request.send()).await {
                Ok(Ok(answer)) => answer,
                Ok(Err(error)) if is_not_public(&error) => {
                    return Err(MirrorError::Forbidden(shown(&at)));
                }
                Ok(Err(error)) if error.is_timeout() => {
                    return Err(MirrorError::TimeOut(shown(&at)));
                }
                Ok(Err(error)) if error.is_connect() => {
                    return Err(MirrorError::Unreachable(shown(&at)));
                }
                Ok(Err(_)) => return Err(MirrorError::BrokeOff(shown(&at))),
                Err(_) => return Err(MirrorError::TimeOut(shown(&at))),
            };
            if !matches!(answer.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
                return Ok(answer);
            }
            let to = answer.headers().get(LOCATION);
            let to = to.and_then(|it| at.join(it.to_str().ok()?).ok());
            at = to.ok_or_else(|| MirrorError::Status {
                url: shown(&at),
                status: answer.status().as_u16(),
            })?;
        }
        Err(MirrorError::Redirects(shown(url)))
    }

    /// Reads an answer of at most `most` bytes whole.
    pub async fn read(&self, url: &Url, most: usize) -> Result<Vec<u8>, MirrorError> {
        let reading = async {
            let mut answer = self.open(url, HeaderMap::new()).await?;
            if answer.status().as_u16() != 200 {
                return Err(MirrorError::Status {
                    url: shown(url),
                    status: answer.status().as_u16(),
                });
            }
            let mut body = Vec::new();
            while let Some(part) = self.next_part(url, &mut answer).await? {
                if most < body.len() + part.len() {
                    return Err(MirrorError::TooLong {
                        url: shown(url),
                        most,
                    });
                }
                body.extend_from_slice(&part);
            }
            Ok(body)
        };
        let read = timeout(self.times.short, reading).await;
        read.unwrap_or_else(|_| Err(MirrorError::TimeOut(shown(url))))
    }

    /// The next bytes of an answer; `None` at its end.
    pub async fn next_part(
        &self,
        url: &Url,
        answer: &mut Response,
    ) -> Result<Option<Bytes>, MirrorError> {
        match timeout(self.times.idle, answer.chunk()).await {
            Ok(part) => part.map_err(|_| MirrorError::BrokeOff(shown(url))),
            Err(_) => Err(MirrorError::TimeOut(shown(url))),
        }
    }

    /// The client that may ask for an address.
    fn client(&self, url: &Url) -> Result<&Client, MirrorError> {
        let has_user = !url.username().is_empty() || url.password().is_some();
        let host = url.host_str().unwrap_or_default();
        let is_open = match host.trim_matches(['[', ']']).parse::<IpAddr>() {
            Ok(address) => is_public(address),
            // The resolver checks the addresses of a name.
            Err(_) => !host.is_empty(),
        };
        let is_https = url.scheme() == "https" && url.port().is_none();
        if has_user {
            Err(MirrorError::Forbidden(shown(url)))
        } else if url.origin() == self.base.origin() {
            Ok(&self.own)
        } else if is_https && is_open {
            Ok(&self.others)
        } else {
            Err(MirrorError::Forbidden(shown(url)))
        }
    }
}

/// An address for a sentence: without what could be a secret.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    url.set_query(None);
    url.set_fragment(None);
    // Fails for addresses that cannot have them.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.to_string()
}

fn is_not_public(error: &reqwest::Error) -> bool {
    let mut cause = error.source();
    while let Some(it) = cause {
        if it.to_string() == NO_PUBLIC_ADDRESS {
            return true;
        }
        cause = it.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn may_ask(mirror: &str, url: &str) -> bool {
        let mirror = MapMirror::new(mirror, MirrorTimes::default()).expect("a mirror");
        mirror.client(&Url::parse(url).expect("an address")).is_ok()
    }

    #[test]
    fn calls_go_to_the_mirror_and_to_public_addresses_by_https() {
        for url in [
            "https://download.geofabrik.de/europe/germany-latest.osm.pbf",
            "https://mirror.example.com/hamburg.osm.pbf",
            "https://142.250.74.10/hamburg.osm.pbf",
        ] {
            assert!(may_ask(DEFAULT_MIRROR, url), "{url}");
        }
        for url in [
            "http://download.geofabrik.de/hamburg.osm.pbf",
            "https://download.geofabrik.de:8443/hamburg.osm.pbf",
            "https://user@download.geofabrik.de/hamburg.osm.pbf",
            "https://127.0.0.1/hamburg.osm.pbf",
            "https://0x7f000001/hamburg.osm.pbf",
            "https://169.254.169.254/latest/meta-data",
            "https://[::1]/hamburg.osm.pbf",
            "https://[::ffff:10.0.0.1]/hamburg.osm.pbf",
            "file:///etc/passwd",
            "ftp://download.geofabrik.de/hamburg.osm.pbf",
        ] {
            assert!(!may_ask(DEFAULT_MIRROR, url), "{url}");
        }
    }

    #[test]
    fn a_private_mirror_is_one_origin_to_the_letter() {
        let private = "http://10.0.0.7:8000/osm";
        assert!(may_ask(private, "http://10.0.0.7:8000/osm/index-v1.json"));
        for url in [
            "http://10.0.0.7/osm/index-v1.json",
            "http://10.0.0.8:8000/osm/index-v1.json",
            "https://10.0.0.7:8000/osm/index-v1.json",
            "https://10.0.0.7/osm/index-v1.json",
        ] {
            assert!(!may_ask(private, url), "{url}");
        }
    }
}
