//! Notifications: the phones that somebody is told on, and of what.

use axum::extract::{Path, State};
use axum::http::{Method, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use walkies_core::api::{PushChoice, PushKey, PushSubscribed, Role};
use walkies_core::values::push::{MailChoice, PushKind, PushPreferences};
use walkies_core::{FieldErrors, Id};

use crate::app::quiet_hours::quiet_until;
use crate::app::session::AnyUser;
use crate::app::state::{App, AppState};
use crate::app::{push_keys, throttle, zone};
use crate::base::error::AppError;
use crate::db::{self, PushSubscription, Tx, roll_back};
use crate::external::push_service::sender;
use crate::http::extract::JsonBody;
use crate::http::form::from_json;
use crate::http::route::{Access, Route, get, post, route};
use crate::write::answer::{Answer, ok, success};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/push/public-key",
            Access::AnyUser,
            "The key that phones subscribe to notifications with",
            public_key,
        )
        .answer::<PushKey>(),
        post(
            "/push/subscriptions",
            Access::AnyUser,
            "Has this phone told; a repeat changes nothing",
            subscribe,
        )
        .statuses(&[201])
        .body::<SubscriptionForm>()
        .answer::<PushSubscribed>(),
        route(
            Method::DELETE,
            "/push/subscriptions/{id}",
            Access::AnyUser,
            "Has a phone told nothing more",
            unsubscribe,
        )
        .answer_of(super::auth::empty_data),
        get(
            "/push/preferences",
            Access::AnyUser,
            "Of what one is told, and when",
            preferences,
        )
        .answer::<PushChoice>(),
        route(
            Method::PUT,
            "/push/preferences",
            Access::AnyUser,
            "Says of what one wants to be told, and when",
            set_preferences,
        )
        .body::<PushPreferences>()
        .answer::<PushChoice>(),
    ]
}

/// A browser's `PushSubscription` as JSON, with the server's public key that it was made with.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct SubscriptionForm {
    /// URL of the browser's push service to which messages go.
    endpoint: String,
    keys: SubscriptionKeys,
    /// The server's key from `GET /push/public-key`.
    public_key: String,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct SubscriptionKeys {
    /// An uncompressed point of P-256, base64url.
    p256dh: String,
    /// 16 bytes, base64url.
    auth: String,
}

async fn public_key(State(app): State<AppState>, _: AnyUser) -> Result<Answer, AppError> {
    let public_key = push_keys::current(&app).await?.public_key;
    Ok(ok(PushKey { public_key }))
}

async fn subscribe(
    State(app): State<AppState>,
    user: AnyUser,
    JsonBody(form): JsonBody<SubscriptionForm>,
) -> Result<Answer, AppError> {
    check(&app, &form).or(())?;
    let mut subscription = PushSubscription {
        id: app.env.id(),
        user_id: user.account.id,
        session_hash: user.session_hash,
        endpoint: form.endpoint,
        p256dh: form.keys.p256dh,
        auth: form.keys.auth,
        public_key: form.public_key,
    };
    let mut tx = app.db.read_autocommit().await?;
    let known = db::push_subscription_at(&mut tx, &subscription.endpoint).await?;
    if let Some(known) = known {
        let fresh = std::mem::replace(&mut subscription.id, known.id);
        if subscription == known {
            return Ok(subscribed(known.id));
        }
        subscription.id = fresh;
    }
    drop(tx);
    throttle::subscribe(&app, subscription.user_id)?;
    let mut tx = app.db.write().await?;
    if !db::has_push_key(&mut tx, &subscription.public_key).await? {
        let mut errors = FieldErrors::default();
        errors.add("public_key", "This server has another key by now");
        return roll_back(tx, errors.into()).await;
    }
    db::put_push_subscription(&mut tx, &subscription, app.now()).await?;
    tx.commit().await?;
    Ok(subscribed(subscription.id))
}

fn subscribed(id: Id) -> Answer {
    Answer {
        status: StatusCode::CREATED,
        body: success(PushSubscribed { id }),
    }
}

/// Lists the problems of a subscription as field errors.
fn check(app: &App, form: &SubscriptionForm) -> FieldErrors {
    let mut errors = FieldErrors::default();
    let is_elsewhere = app.settings.push.allowed.endpoint(&form.endpoint).is_none();
    errors.check(
        is_elsewhere,
        "endpoint",
        "This server does not know the push service of this browser",
    );
    let keys = [&form.keys.p256dh, &form.keys.auth].map(|it| URL_SAFE_NO_PAD.decode(it));
    let are_keys = match keys {
        [Ok(p256dh), Ok(auth)] => sender::are_keys(&p256dh, &auth),
        _ => false,
    };
    errors.check(!are_keys, "keys", "The keys of this subscription are none");
    errors
}

async fn unsubscribe(
    State(app): State<AppState>,
    user: AnyUser,
    Path(id): Path<String>,
) -> Result<Answer, AppError> {
    // What is not even an id names nothing.
    let id: Id = id.parse().map_err(|_| AppError::NotFound)?;
    let mut tx = app.db.write().await?;
    if !db::delete_push_subscription(&mut tx, user.account.id, id).await? {
        return roll_back(tx, AppError::NotFound).await;
    }
    tx.commit().await?;
    Ok(ok(json!({})))
}

async fn preferences(State(app): State<AppState>, user: AnyUser) -> Result<Answer, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let preferences = db::push_preferences(&mut tx, user.account.id).await?;
    Ok(choice(&app, &mut tx, &user, preferences).await?)
}

async fn set_preferences(
    State(app): State<AppState>,
    user: AnyUser,
    JsonBody(sent): JsonBody<Map<String, Value>>,
) -> Result<Answer, AppError> {
    unknown_in(&sent).or(())?;
    let preferences: PushPreferences = from_json(Value::Object(sent).to_string().as_bytes())?;
    let mut errors = preferences.errors();
    let name = preferences.time_zone.as_str();
    let is_unknown = !name.is_empty() && zone::time_zone(name).is_none();
    errors.check(is_unknown, "time_zone", "Unknown time zone");
    errors.or(())?;
    throttle::subscribe(&app, user.account.id)?;
    let preferences = preferences.tidied();
    let mut tx = app.db.write().await?;
    db::set_push_preferences(&mut tx, user.account.id, &preferences).await?;
    tx.commit().await?;
    let mut tx = app.db.read_autocommit().await?;
    Ok(choice(&app, &mut tx, &user, preferences).await?)
}

/// The preferences that there are none of, by name.
fn unknown_in(sent: &Map<String, Value>) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for name in sent.keys() {
        let is_known = ["off", "quiet_hours", "time_zone", "mail"].contains(&name.as_str());
        errors.check(!is_known, name, "There is no such preference");
    }
    let kinds = sent.get("off").and_then(Value::as_array);
    for kind in kinds.into_iter().flatten() {
        if PushKind::deserialize(kind).is_err() {
            let text = format!("There is no notification called {kind}");
            errors.add("off", text);
        }
    }
    if let Some(choice) = sent.get("mail")
        && MailChoice::deserialize(choice).is_err()
    {
        errors.add(
            "mail",
            format!("There is no choice of mail called {choice}"),
        );
    }
    errors
}

async fn choice(
    app: &App,
    tx: &mut Tx,
    user: &AnyUser,
    preferences: PushPreferences,
) -> sqlx::Result<Answer> {
    let kinds = match user.account.role {
        Role::Sitter => PushKind::of_sitters(),
        Role::Client => PushKind::of_clients(),
    };
    let email = &user.account.email;
    let is_mailed = app.settings.sends_mail;
    Ok(ok(PushChoice {
        mailed: kinds
            .iter()
            .copied()
            .filter(|it| is_mailed && it.is_mailed())
            .collect(),
        mails_to: is_mailed.then(|| email.clone()),
        has_stopped_mail: is_mailed && db::is_mail_stopped(tx, email).await?,
        kinds,
        quiet_until: quiet_until(&preferences, app.now()),
        preferences,
    }))
}
