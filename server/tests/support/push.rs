//! Owns what tests of notifications stand on: a push service in this process that answers as it is told, and phones that
//! subscribe to it. They read what comes with another implementation than the one that wrote it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, post};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use serde_json::{Value, json};
use tokio::sync::watch;
use walkies_server::app::settings::Settings;
use walkies_server::external::push_service::endpoint::Allowed;
use walkies_server::external::push_service::sender::{PushSender, PushSettings};
use walkies_server::jobs::push_delivery::send_due;
use web_push_native::p256::SecretKey;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint as _;
use web_push_native::{Auth, decrypt};

use super::{Answer, NOW, TestApp, User, settings};

/// The reply to a phone's messages.
#[derive(Clone, Copy, Debug)]
pub enum Reply {
    /// With this status.
    Status(u16),
    /// Not before so many seconds.
    Busy(u32),
    /// A redirect to another path of the service.
    Redirect,
    /// Not at all.
    Silence,
}

/// A message as it came.
#[derive(Clone, Debug)]
pub struct Call {
    pub phone: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

#[derive(Default)]
struct Heard {
    calls: Vec<Call>,
    replies: HashMap<String, Reply>,
    n_strays: usize,
}

/// A push service.
#[derive(Clone)]
pub struct PushService {
    pub origin: String,
    heard: Arc<Mutex<Heard>>,
    n_calls: watch::Sender<usize>,
}

impl PushService {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let service = Self {
            origin: format!("http://{}", listener.local_addr().unwrap()),
            heard: Arc::default(),
            n_calls: watch::Sender::new(0),
        };
        let router = Router::new()
            .route("/push/{phone}", post(take))
            .fallback(any(stray))
            .with_state(service.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        service
    }

    /// From now on this phone's messages are answered so.
    pub fn answers(&self, phone: &str, reply: Reply) {
        let replies = &mut self.heard.lock().unwrap().replies;
        replies.insert(phone.to_owned(), reply);
    }

    /// The messages since the last time.
    pub fn take(&self) -> Vec<Call> {
        std::mem::take(&mut self.heard.lock().unwrap().calls)
    }

    /// Calls that were no messages: of who followed a redirect.
    pub fn n_strays(&self) -> usize {
        self.heard.lock().unwrap().n_strays
    }

    /// Waits until so many messages came since it was started.
    pub async fn has_heard(&self, n: usize) {
        let mut n_calls = self.n_calls.subscribe();
        n_calls.wait_for(|it| n <= *it).await.unwrap();
    }

    /// How a server knows it.
    pub fn push_settings(&self, timeout: Duration) -> PushSettings {
        PushSettings {
            contact: "mailto:ops@example.org".to_owned(),
            allowed: Allowed {
                local: Some(self.origin.clone()),
                ..Allowed::default()
            },
            timeout,
        }
    }

    /// The same server, which knows this push service.
    pub async fn beside(&self, app: &TestApp) -> TestApp {
        let settings = Settings {
            push: self.push_settings(Duration::from_secs(60)),
            ..settings()
        };
        app.with(settings).await
    }

    /// Sends what is due.
    pub async fn deliver(&self, app: &TestApp) -> Vec<Call> {
        self.deliver_within(app, Duration::from_secs(60)).await
    }

    /// Sends what is due, and waits no longer for an answer.
    pub async fn deliver_within(&self, app: &TestApp, timeout: Duration) -> Vec<Call> {
        let sender = PushSender::new(&self.push_settings(timeout)).unwrap();
        send_due(&app.state, &sender).await.unwrap();
        self.take()
    }

    /// A phone on which this user turns notifications on.
    pub async fn phone(&self, user: &User, name: &str) -> PushPhone {
        let public_key = key_of(user).await;
        let phone = PushPhone::new(&self.origin, name, public_key);
        let subscribed = phone.subscribe(user).await;
        assert_eq!(subscribed.status, 201, "{}", subscribed.body);
        PushPhone {
            id: subscribed.id(),
            ..phone
        }
    }
}

/// The key that the server has phones subscribe with.
pub async fn key_of(user: &User) -> String {
    let key = user.get("/push/public-key").await;
    key.data()["public_key"].as_str().unwrap().to_owned()
}

async fn take(
    State(service): State<PushService>,
    Path(phone): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let reply = {
        let mut heard = service.heard.lock().unwrap();
        heard.calls.push(Call {
            phone: phone.clone(),
            headers,
            body: body.to_vec(),
        });
        heard.replies.get(&phone).copied()
    };
    service.n_calls.send_modify(|it| *it += 1);
    match reply.unwrap_or(Reply::Status(201)) {
        Reply::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        Reply::Busy(seconds) => {
            let after = [(header::RETRY_AFTER, seconds.to_string())];
            (StatusCode::TOO_MANY_REQUESTS, after).into_response()
        }
        Reply::Redirect => {
            let location = [(header::LOCATION, format!("{}/inside", service.origin))];
            (StatusCode::TEMPORARY_REDIRECT, location).into_response()
        }
        Reply::Silence => std::future::pending().await,
    }
}

async fn stray(State(service): State<PushService>) -> StatusCode {
    service.heard.lock().unwrap().n_strays += 1;
    StatusCode::OK
}

/// A browser's subscription.
pub struct PushPhone {
    pub id: String,
    pub endpoint: String,
    pub public_key: String,
    secret: SecretKey,
    auth: [u8; 16],
}

impl PushPhone {
    pub fn new(origin: &str, name: &str, public_key: String) -> Self {
        // Any number below the order of the curve.
        let mut scalar = [1; 32];
        for (at, byte) in name.bytes().take(31).enumerate() {
            scalar[at + 1] = byte;
        }
        Self {
            id: String::new(),
            endpoint: format!("{origin}/push/{name}"),
            public_key,
            secret: SecretKey::from_slice(&scalar).unwrap(),
            auth: [name.len() as u8; 16],
        }
    }

    /// Returns the subscription as its browser reports it.
    pub fn form(&self) -> Value {
        let point = self.secret.public_key().to_encoded_point(false);
        json!({
            "endpoint": self.endpoint, "expirationTime": null, "public_key": self.public_key, "keys": {
                "p256dh": URL_SAFE_NO_PAD.encode(point.as_bytes()), "auth": URL_SAFE_NO_PAD.encode(self.auth),
            },
        })
    }

    pub async fn subscribe(&self, user: &User) -> Answer {
        user.post("/push/subscriptions", self.form()).await
    }

    /// Returns a message to it, decrypted by an implementation that knows nothing of the one that encrypted it, once
    /// its signature was checked.
    pub fn read(&self, call: &Call) -> Value {
        assert_eq!(call.headers["content-encoding"], "aes128gcm");
        assert!(self.endpoint.ends_with(&format!("/{}", call.phone)));
        self.check_signature(&call.headers);
        let auth = Auth::from(self.auth);
        let text = decrypt(call.body.clone(), &self.secret, &auth).unwrap();
        // What pads it comes after the delimiter, which this implementation leaves to its caller.
        let end = text.iter().rposition(|it| *it == b'}').unwrap();
        assert!(text[end + 1..].iter().all(|it| matches!(it, 0 | 2)));
        serde_json::from_slice(&text[..=end]).unwrap()
    }

    /// RFC 8292: by the key that it subscribed with, for the push service's origin, good for a day at the most.
    fn check_signature(&self, headers: &HeaderMap) {
        let header = headers["authorization"].to_str().unwrap();
        let rest = header.strip_prefix("vapid t=").unwrap();
        let (token, key) = rest.split_once(", k=").unwrap();
        assert_eq!(key, self.public_key);
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let bytes = |it: &str| URL_SAFE_NO_PAD.decode(it).unwrap();
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, bytes(key))
            .verify(signed.as_bytes(), &bytes(signature))
            .unwrap();
        let (head, claims) = signed.split_once('.').unwrap();
        let json = |it: &str| serde_json::from_slice::<Value>(&bytes(it)).unwrap();
        assert_eq!(json(head)["alg"], "ES256");
        let claims = json(claims);
        assert_eq!(claims["sub"], "mailto:ops@example.org");
        assert!(
            self.endpoint
                .starts_with(&format!("{}/", claims["aud"].as_str().unwrap()))
        );
        let good_for = claims["exp"].as_i64().unwrap() - NOW / 1000;
        // The tests' clock is moved by days.
        assert!((1..40 * 86_400).contains(&good_for), "{claims}");
    }
}
