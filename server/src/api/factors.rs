//! Second factors: codes of an authenticator app, recovery codes for the day on which the phone is lost, and the second
//! step of a sign-in. Setting one up and removing one take the password, since the phone may lie open.
//!
//! The key of an authenticator app is kept as it is: codes cannot be told right or wrong from a hash of it. Whoever has
//! the database has the keys, and no password.

use axum::extract::{Path, State};
use axum::http::Method;
use serde::Deserialize;
use serde_json::json;
use totp_rs::{Builder, Secret, Totp};
use walkies_core::Id;
use walkies_core::api::{FactorAnswer, FactorKind, Factors, RecoveryCodes, SignedIn, TotpKey};

use crate::accounts::MAX_SECRET_BYTES;
use crate::accounts::passwords::prove;
use crate::accounts::sign_in::{Caller, known_device, signed_in};
use crate::app::session::AnyUser;
use crate::app::state::{App, AppState};
use crate::app::throttle;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::{self, Factor, Tx, roll_back};
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

/// Nobody has more phones than these with such an app.
const MAX_FACTORS: usize = 10;
const RECOVERY_CODES: usize = 10;
/// In groups of four: 60 bits, which nobody guesses at a few tries an hour.
const RECOVERY_CODE_LENGTH: usize = 12;
/// Letters and digits that are not taken for each other.
const RECOVERY_LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

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
    prove(&app, &user, "password", proof.password).await?;
    let mut bytes = [0; 20];
    app.env.entropy.fill(&mut bytes);
    let secret = Secret::new_stack(bytes);
    let now = app.now();
    let factor = Factor {
        id: app.env.id(),
        user_id: user.account.id,
        kind: FactorKind::Totp,
        name,
        secret: secret.to_base32(),
        confirmed_at: None,
        created_at: now,
        last_used_at: now,
    };
    let uri = totp(&factor.secret, &user.account.email)?
        .to_url()
        .map_err(|it| AppError::Internal(anyhow::anyhow!("the authenticator's address: {it}")))?;
    let mut tx = app.db.write().await?;
    let others = db::factors_of(&mut tx, user.account.id).await?;
    if MAX_FACTORS <= others.iter().filter(|it| it.confirmed_at.is_some()).count() {
        let text = format!("There can be {MAX_FACTORS} of them at most");
        return roll_back(tx, AppError::of_field("name", &text)).await;
    }
    db::insert_factor(&mut tx, &factor).await?;
    tx.commit().await?;
    Ok(ok(TotpKey {
        id: factor.id,
        secret: factor.secret,
        qr_svg: crate::print::qr::svg(&uri)?,
        uri,
    }))
}

async fn confirm_totp(
    State(app): State<AppState>,
    user: AnyUser,
    Path(id): Path<String>,
    JsonBody(TotpCode { code }): JsonBody<TotpCode>,
) -> Result<Answer, AppError> {
    if MAX_SECRET_BYTES < code.len() {
        return Err(wrong_code());
    }
    throttle::try_code(&app, user.account.id, None)?;
    let mut tx = app.db.write().await?;
    let factors = db::factors_of(&mut tx, user.account.id).await?;
    let waiting = factors
        .iter()
        .find(|it| it.id.to_string() == id && it.confirmed_at.is_none());
    let Some(waiting) = waiting else {
        return roll_back(tx, AppError::NotFound).await;
    };
    if !takes_totp(&mut tx, &app, waiting, &code).await? {
        return roll_back(tx, wrong_code()).await;
    }
    let is_first = factors.iter().all(|it| it.confirmed_at.is_none());
    let recovery_codes = match is_first {
        true => renew(&mut tx, &app, user.account.id).await?,
        false => Vec::new(),
    };
    tx.commit().await?;
    tracing::info!(user_id = %user.account.id, "added a second factor");
    Ok(ok(RecoveryCodes { recovery_codes }))
}

async fn remove_factor(
    State(app): State<AppState>,
    user: AnyUser,
    Path(id): Path<String>,
    JsonBody(proof): JsonBody<Proof>,
) -> Result<Answer, AppError> {
    let id: Id = id.parse().map_err(|_| AppError::NotFound)?;
    let own = db::factors_of(&mut app.db.read_autocommit().await?, user.account.id).await?;
    if own.iter().all(|it| it.id != id) {
        return Err(AppError::NotFound);
    }
    prove(&app, &user, "password", proof.password).await?;
    let mut tx = app.db.write().await?;
    if !db::delete_factor(&mut tx, user.account.id, id).await? {
        return roll_back(tx, AppError::NotFound).await;
    }
    let left = db::factors_of(&mut tx, user.account.id).await?;
    if left.iter().all(|it| it.confirmed_at.is_none()) {
        db::delete_factors(&mut tx, user.account.id).await?;
    }
    tx.commit().await?;
    tracing::info!(user_id = %user.account.id, "removed a second factor");
    Ok(ok(json!({})))
}

async fn renew_recovery_codes(
    State(app): State<AppState>,
    user: AnyUser,
    JsonBody(proof): JsonBody<Proof>,
) -> Result<Answer, AppError> {
    prove(&app, &user, "password", proof.password).await?;
    let mut tx = app.db.write().await?;
    let factors = db::factors_of(&mut tx, user.account.id).await?;
    if factors.iter().all(|it| it.confirmed_at.is_none()) {
        let why = AppError::of_field("password", "Recovery codes come with a second factor");
        return roll_back(tx, why).await;
    }
    let recovery_codes = renew(&mut tx, &app, user.account.id).await?;
    tx.commit().await?;
    Ok(ok(RecoveryCodes { recovery_codes }))
}

async fn sign_in_by_factor(
    State(app): State<AppState>,
    caller: Caller,
    JsonBody(form): JsonBody<SecondStep>,
) -> Result<Answer, AppError> {
    if MAX_SECRET_BYTES < form.challenge.len().max(form.code.len()) {
        return Err(wrong_code());
    }
    let hash = sha256(form.challenge.as_bytes());
    let mut tx = app.db.read_autocommit().await?;
    let waiting = db::find_challenge(&mut tx, &hash, app.now()).await?;
    let Some(user_id) = waiting else {
        throttle::call(&app, &caller.address)?;
        return Err(sign_in_again());
    };
    let account = db::account_by_id(&mut tx, user_id).await?;
    let account = account.ok_or_else(sign_in_again)?;
    let factors = db::factors_of(&mut tx, account.id).await?;
    // The writer of SQLite is taken while no reader is held.
    drop(tx);
    let device = known_device(&app, &account.email, form.device).await?;
    let device_hash = device.as_deref().map(|it| sha256(it.as_bytes()));
    throttle::try_code(&app, account.id, device_hash.as_deref())?;

    let mut tx = app.db.write().await?;
    let mut is_right = false;
    for factor in factors.iter().filter(|it| it.confirmed_at.is_some()) {
        is_right = is_right || takes_totp(&mut tx, &app, factor, &form.code).await?;
    }
    let recovery = recovery_hash(account.id, &form.code);
    is_right = is_right || db::take_recovery_code(&mut tx, account.id, &recovery).await?;
    if !is_right {
        return roll_back(tx, wrong_code()).await;
    }
    if !db::take_challenge(&mut tx, &hash, app.now()).await? {
        return roll_back(tx, sign_in_again()).await;
    }
    tx.commit().await?;
    throttle::forgive_code(&app, account.id, device_hash.as_deref());
    Ok(ok(signed_in(&app, &caller, &account, device).await?))
}

/// Uses up a code of the authenticator app; false if it is wrong or was used before.
async fn takes_totp(tx: &mut Tx, app: &App, factor: &Factor, code: &str) -> Result<bool, AppError> {
    let digits: String = code.chars().filter(|it| !it.is_whitespace()).collect();
    let seconds = u64::try_from(app.now().0 / 1000).unwrap_or_default();
    let Some(step) = totp(&factor.secret, "")?.check(&digits, seconds) else {
        return Ok(false);
    };
    let step = i64::try_from(step).unwrap_or(i64::MAX);
    Ok(db::take_step(tx, factor.id, step, app.now()).await?)
}

/// Creates the generator of codes: six digits each half minute, and one to each side for clocks that differ, as every
/// such app has it.
fn totp(secret: &str, email: &str) -> Result<Totp, AppError> {
    let secret = Secret::try_from_base32(secret)
        .map_err(|it| AppError::Internal(anyhow::anyhow!("a stored key: {it}")))?;
    // A colon would end the name within the address; no app shows one.
    let account_name = if email.is_empty() { "Walkies" } else { email }.replace(':', " ");
    Builder::new()
        .with_secret(secret)
        .with_account_name(account_name)
        .with_issuer(Some("Walkies"))
        .build()
        .map_err(|it| AppError::Internal(anyhow::anyhow!("an authenticator's key: {it}")))
}

/// A new set of recovery codes in place of the old one.
async fn renew(tx: &mut Tx, app: &App, user_id: Id) -> sqlx::Result<Vec<String>> {
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| recovery_code(app)).collect();
    let hashes: Vec<String> = codes.iter().map(|it| recovery_hash(user_id, it)).collect();
    db::set_recovery_codes(tx, user_id, &hashes).await?;
    Ok(codes)
}

fn recovery_code(app: &App) -> String {
    let mut random = [0; RECOVERY_CODE_LENGTH];
    app.env.entropy.fill(&mut random);
    let letters = random.map(|it| char::from(RECOVERY_LETTERS[usize::from(it) % 32]));
    let groups: Vec<String> = letters.chunks(4).map(|it| it.iter().collect()).collect();
    groups.join("-")
}

/// As a code is kept, however it was typed.
fn recovery_hash(user_id: Id, code: &str) -> String {
    let letters: String = code.chars().filter(|it| it.is_alphanumeric()).collect();
    sha256(format!("{user_id} {}", letters.to_lowercase()).as_bytes())
}

fn name(given: Option<&str>, otherwise: &str) -> String {
    let name = given.unwrap_or_default().trim();
    if name.is_empty() { otherwise } else { name }.to_owned()
}

fn wrong_code() -> AppError {
    AppError::of_field("code", "This code is not right, or was used before")
}

fn sign_in_again() -> AppError {
    AppError::of_field(
        "challenge",
        "This took too long. Please sign in with your password again.",
    )
}
