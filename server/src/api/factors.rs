//! Calls of second factors, and of the second step of a sign-in.

use axum::extract::{Path, State};
use axum::http::Method;
use serde::Deserialize;
use serde_json::json;
use walkies_core::Id;
use walkies_core::api::{FactorAnswer, Factors, RecoveryCodes, SignedIn, TotpKey};

use crate::accounts::factors;
use crate::accounts::sign_in::Caller;
use crate::app::session::AnyUser;
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::db;
use crate::http::extract::JsonBody;
use crate::http::route::{Access, Route, get, post, route};
use crate::write::answer::{Answer, ok};

pub(super) fn routes() -> Vec<Route> {
    vec![
        get(
            "/auth/factors",
            Access::AnyUser,
            "The second factors of the account",
            list_factors,
        )
        .answer::<Factors>(),
        post(
            "/auth/factors/totp",
            Access::AnyUser,
            "Makes a key for an authenticator app, another one each time; it counts when a code of it was confirmed",
            begin_totp,
        )
        .fails(&[429])
        .body::<Proof>()
        .answer::<TotpKey>(),
        post(
            "/auth/factors/{id}/confirm",
            Access::AnyUser,
            "Confirms an authenticator app by a code; the first factor comes with recovery codes",
            confirm_totp,
        )
        .fails(&[429])
        .body::<TotpCode>()
        .answer::<RecoveryCodes>(),
        route(
            Method::DELETE,
            "/auth/factors/{id}",
            Access::AnyUser,
            "Removes a second factor; the last one takes the recovery codes with it",
            remove_factor,
        )
        .once()
        .fails(&[429])
        .body::<Proof>()
        .answer_of(super::auth::empty_data),
        post(
            "/auth/recovery-codes",
            Access::AnyUser,
            "Makes new recovery codes each time; the old ones are void",
            renew_recovery_codes,
        )
        .fails(&[429])
        .body::<Proof>()
        .answer::<RecoveryCodes>(),
        post(
            "/auth/signin/factor",
            Access::Public,
            "The second step of a sign-in: a code of the authenticator app, or a recovery code",
            sign_in_by_factor,
        )
        .fails(&[401])
        .body::<SecondStep>()
        .answer::<SignedIn>(),
    ]
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct Proof {
    /// The password of the account.
    #[serde(default)]
    #[schema(max_length = 128)]
    password: String,
    /// Name for the new factor, if one is made.
    #[serde(default)]
    #[schema(max_length = 200)]
    name: Option<String>,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct TotpCode {
    /// The six digits that the authenticator app shows.
    #[serde(default)]
    #[schema(max_length = 64)]
    code: String,
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct SecondStep {
    /// From the first step's answer.
    #[serde(default)]
    #[schema(max_length = 64)]
    challenge: String,
    /// Six digits of the authenticator app, or a recovery code.
    #[serde(default)]
    #[schema(max_length = 64)]
    code: String,
    /// As in the first step.
    #[serde(default)]
    #[schema(max_length = 64)]
    device: Option<String>,
}

async fn list_factors(State(app): State<AppState>, user: AnyUser) -> Result<Answer, AppError> {
    let mut tx = app.db.read_autocommit().await?;
    let factors = db::factors_of(&mut tx, user.account.id).await?;
    let recovery_codes_left = db::count_recovery_codes(&mut tx, user.account.id).await?;
    let confirmed = factors.into_iter().filter(|it| it.confirmed_at.is_some());
    Ok(ok(Factors {
        factors: confirmed
            .map(|it| FactorAnswer {
                id: it.id,
                kind: it.kind,
                name: it.name,
                created_at: it.created_at,
                last_used_at: it.last_used_at,
            })
            .collect(),
        recovery_codes_left,
    }))
}

async fn begin_totp(
    State(app): State<AppState>,
    user: AnyUser,
    JsonBody(proof): JsonBody<Proof>,
) -> Result<Answer, AppError> {
    let name = name(proof.name.as_deref(), "Authenticator app");
    Ok(ok(
        factors::begin_totp(&app, &user, name, proof.password).await?
    ))
}

async fn confirm_totp(
    State(app): State<AppState>,
    user: AnyUser,
    Path(id): Path<String>,
    JsonBody(TotpCode { code }): JsonBody<TotpCode>,
) -> Result<Answer, AppError> {
    let recovery_codes = factors::confirm_totp(&app, &user, &id, &code).await?;
    Ok(ok(RecoveryCodes { recovery_codes }))
}

async fn remove_factor(
    State(app): State<AppState>,
    user: AnyUser,
    Path(id): Path<String>,
    JsonBody(proof): JsonBody<Proof>,
) -> Result<Answer, AppError> {
    let id: Id = id.parse().map_err(|_| AppError::NotFound)?;
    factors::remove_factor(&app, &user, id, proof.password).await?;
    Ok(ok(json!({})))
}

async fn renew_recovery_codes(
    State(app): State<AppState>,
    user: AnyUser,
    JsonBody(proof): JsonBody<Proof>,
) -> Result<Answer, AppError> {
    let recovery_codes = factors::renew_recovery_codes(&app, &user, proof.password).await?;
    Ok(ok(RecoveryCodes { recovery_codes }))
}

async fn sign_in_by_factor(
    State(app): State<AppState>,
    caller: Caller,
    JsonBody(form): JsonBody<SecondStep>,
) -> Result<Answer, AppError> {
    let SecondStep {
        challenge,
        code,
        device,
    } = form;
    let signed_in = factors::sign_in_by_factor(&app, &caller, &challenge, &code, device);
    Ok(ok(signed_in.await?))
}

fn name(given: Option<&str>, otherwise: &str) -> String {
    let name = given.unwrap_or_default().trim();
    if name.is_empty() { otherwise } else { name }.to_owned()
}
