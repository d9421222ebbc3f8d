//! Owns the sending of one message to a push service, encrypted and signed, and what the answer means. `web-push` makes
//! the body and the signature; the request is ours, so that it follows no redirect and goes to no private address.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use reqwest::{Client, StatusCode, Url, header};
use walkies_core::Instant;
use walkies_core::values::push::Urgency;
use web_push::{
    ContentEncoding, SubscriptionInfo, VapidSignatureBuilder, WebPushMessage, WebPushMessageBuilder,
};

use crate::db::PushTarget;
use crate::external::push_service::endpoint::{Allowed, PublicAddresses};

/// A signature is good for so long; RFC 8292 allows a day, from which clocks that differ are taken off.
const SIGNATURE_SECONDS: i64 = 12 * 60 * 60;

/// Settings of push that differ between servers.
#[derive(Clone, Debug)]
pub struct PushSettings {
    /// The contact for push services with questions about this server: `mailto:…` or `https://…` (RFC 8292, 2.1).
    pub contact: String,
    /// Push services to which messages may go.
    pub allowed: Allowed,
    /// A service that has not answered by then is tried again later.
    pub timeout: Duration,
}

impl Default for PushSettings {
    fn default() -> Self {
        Self {
            contact: "mailto:walkies@127.0.0.1".to_owned(),
            allowed: Allowed::default(),
            timeout: Duration::from_secs(10),
        }
    }
}

/// A message on its way.
#[derive(Clone, Copy, Debug)]
pub struct Outgoing<'a> {
    /// The subscription to send to, with its keys.
    pub target: &'a PushTarget,
    /// The text of the message, before it is encrypted.
    pub payload: &'a str,
    /// The topic: the push service replaces an undelivered message of the same topic.
    pub topic: &'a str,
    /// The time that the service keeps it for a phone that is off.
    pub ttl_seconds: u32,
    /// How much it hurries.
    pub urgency: Urgency,
    /// The current time.
    pub now: Instant,
}

/// Result of sending a message to a push service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The service has it.
    Delivered,
    /// The subscription is no more.
    Gone,
    /// It can never be delivered this way; holds the reason.
    Lost(String),
    /// It could not be delivered now, and may be later.
    Later {
        /// Why it did not now.
        error: String,
        /// When the service wants it again.
        retry_after_seconds: Option<u32>,
    },
}

/// Client that sends messages to push services.
#[derive(Clone, Debug)]
pub struct PushSender {
    client: Client,
    settings: PushSettings,
}

impl PushSender {
    /// For these settings.
    pub fn new(settings: &PushSettings) -> anyhow::Result<Self> {
        // Fails where it was done before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder()
            .dns_resolver(Arc::new(PublicAddresses))
            .redirect(reqwest::redirect::Policy::none())
            // A proxy would look up the name itself.
            .no_proxy()
            .connect_timeout(settings.timeout)
            .timeout(settings.timeout)
            .user_agent(concat!("Walkies/", env!("CARGO_PKG_VERSION")))
            .build()
            .context("nothing can be sent to push services")?;
        Ok(Self {
            client,
            settings: settings.clone(),
        })
    }

    /// Sends a message; back when the service has answered, or has not for too long.
    pub async fn send(&self, outgoing: Outgoing<'_>) -> Sent {
        let endpoint = &outgoing.target.subscription.endpoint;
        // What was allowed when the phone subscribed may not be any more.
        let Some(url) = self.settings.allowed.endpoint(endpoint) else {
            return Sent::Lost("its push service is none of --push-hosts".to_owned());
        };
        let message = match self.message(&url, outgoing) {
            Ok(message) => message,
            Err(error) => return Sent::Lost(format!("it could not be encrypted: {error}")),
        };
        let Some(body) = message.payload else {
            return Sent::Lost("it has no content".to_owned());
        };
        let mut request = self
            .client
            .post(url)
            .header("ttl", message.ttl)
            .header("topic", outgoing.topic)
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header(header::CONTENT_ENCODING, body.content_encoding.to_str());
        if let Some(urgency) = message.urgency {
            request = request.header("urgency", urgency.to_string());
        }
        for (name, value) in body.crypto_headers {
            request = request.header(name, value);
        }
        match request.body(body.content).send().await {
            Ok(answer) => meaning(answer.status(), answer.headers()),
            Err(error) => Sent::Later {
                // Without the address, which is a secret.
                error: reason(&error.without_url()),
                retry_after_seconds: None,
            },
        }
    }

    /// The message as `web-push` makes it.
    fn message(
        &self,
        url: &Url,
        outgoing: Outgoing<'_>,
    ) -> Result<WebPushMessage, web_push::WebPushError> {
        let subscription = &outgoing.target.subscription;
        let info = SubscriptionInfo::new(
            subscription.endpoint.as_str(),
            subscription.p256dh.as_str(),
            subscription.auth.as_str(),
        );
        let key = &outgoing.target.key.private_key;
        let mut signature = VapidSignatureBuilder::from_base64(key, &info)?;
        signature.add_claim("sub", self.settings.contact.as_str());
        // Its own would leave out the port.
        signature.add_claim("aud", url.origin().ascii_serialization());
        let expires_at = outgoing.now.0.div_euclid(1000) + SIGNATURE_SECONDS;
        signature.add_claim("exp", expires_at);
        let mut message = WebPushMessageBuilder::new(&info);
        message.set_payload(ContentEncoding::Aes128Gcm, outgoing.payload.as_bytes());
        message.set_ttl(outgoing.ttl_seconds);
        message.set_urgency(match outgoing.urgency {
            Urgency::Low => web_push::Urgency::Low,
            Urgency::Normal => web_push::Urgency::Normal,
            Urgency::High => web_push::Urgency::High,
        });
        message.set_topic(outgoing.topic.to_owned());
        message.set_vapid_signature(signature.build()?);
        message.build()
    }
}

/// Returns true if a message can be encrypted for these keys of a browser.
pub fn are_keys(p256dh: &[u8], auth: &[u8]) -> bool {
    ece::encrypt(p256dh, auth, b"").is_ok()
}

fn meaning(status: StatusCode, headers: &header::HeaderMap) -> Sent {
    let said = format!("the push service answers {}", status.as_u16());
    match status.as_u16() {
        200..=299 => Sent::Delivered,
        404 | 410 => Sent::Gone,
        401 | 403 => Sent::Lost(format!(
            "{said}: it does not take this server's key or its --push-contact"
        )),
        413 => Sent::Lost(format!("{said}: the message is too long for it")),
        408 | 429 | 500..=599 => {
            let after = headers.get(header::RETRY_AFTER);
            Sent::Later {
                error: said,
                // A date is as good as nothing said: the delays of our own are longer than most.
                retry_after_seconds: after.and_then(|it| it.to_str().ok()?.trim().parse().ok()),
            }
        }
        _ => Sent::Lost(said),
    }
}

fn reason(error: &reqwest::Error) -> String {
    let what = if error.is_timeout() {
        "did not answer in time"
    } else if error.is_connect() {
        "could not be reached"
    } else {
        "broke off"
    };
    format!("the push service {what}")
}
