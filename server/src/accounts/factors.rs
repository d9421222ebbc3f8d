//! Second factors: keys of authenticator apps, recovery codes for the day on which the phone is lost, and the second step of a
//! sign-in. Setting one up and removing one take the password, since the phone may lie open.
//!
//! The key of an authenticator app is kept as it is: codes cannot be told right or wrong from a hash of it. Whoever has
//! the database has the keys, and no password.

use totp_rs::{Builder, Secret, Totp};
use walkies_core::Id;
use walkies_core::api::{FactorKind, SignedIn, TotpKey};

use super::MAX_SECRET_BYTES;
use super::passwords::prove;
use super::sign_in::{Caller, known_device, signed_in};
use crate::app::session::AnyUser;
use crate::app::state::App;
use crate::app::throttle;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::{self, Factor, Tx, roll_back};

/// Nobody has more phones than these with such an app.
const MAX_FACTORS: usize = 10;
const RECOVERY_CODES: usize = 10;
/// In groups of four: 60 bits, which nobody guesses at a few tries an hour.
const RECOVERY_CODE_LENGTH: usize = 12;
/// Letters and digits that are not taken for each other.
const RECOVERY_LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Makes a key for an authenticator app; it counts when a code of it was confirmed.
pub(crate) async fn begin_totp(
    app: &App,
    user: &AnyUser,
    name: String,
    password: String,
) -> Result<TotpKey, AppError> {
    prove(app, user, "password", password).await?;
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
    Ok(TotpKey {
        id: factor.id,
        secret: factor.secret,
        qr_svg: crate::print::qr::svg(&uri)?,
        uri,
    })
}

/// Confirms an authenticator app by a code. Returns the recovery codes that come with the first factor.
pub(crate) async fn confirm_totp(
    app: &App,
    user: &AnyUser,
    id: &str,
    code: &str,
) -> Result<Vec<String>, AppError> {
    if MAX_SECRET_BYTES < code.len() {
        return Err(wrong_code());
    }
    throttle::try_code(app, user.account.id, None)?;
    let mut tx = app.db.write().await?;
    let factors = db::factors_of(&mut tx, user.account.id).await?;
    let waiting = factors
        .iter()
        .find(|it| it.id.to_string() == id && it.confirmed_at.is_none());
    let Some(waiting) = waiting else {
        return roll_back(tx, AppError::NotFound).await;
    };
    if !takes_totp(&mut tx, app, waiting, code).await? {
        return roll_back(tx, wrong_code()).await;
    }
    let is_first = factors.iter().all(|it| it.confirmed_at.is_none());
    let recovery_codes = match is_first {
        true => renew(&mut tx, app, user.account.id).await?,
        false => Vec::new(),
    };
    tx.commit().await?;
    tracing::info!(user_id = %user.account.id, "added a second factor");
    Ok(recovery_codes)
}

/// Removes a factor, and the recovery codes with the last one.
pub(crate) async fn remove_factor(
    app: &App,
    user: &AnyUser,
    id: Id,
    password: String,
) -> Result<(), AppError> {
    let own = db::factors_of(&mut app.db.read_autocommit().await?, user.account.id).await?;
    if own.iter().all(|it| it.id != id) {
        return Err(AppError::NotFound);
    }
    prove(app, user, "password", password).await?;
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
    Ok(())
}

/// Makes new recovery codes in place of the old ones.
pub(crate) async fn renew_recovery_codes(
    app: &App,
    user: &AnyUser,
    password: String,
) -> Result<Vec<String>, AppError> {
    prove(app, user, "password", password).await?;
    let mut tx = app.db.write().await?;
    let factors = db::factors_of(&mut tx, user.account.id).await?;
    if factors.iter().all(|it| it.confirmed_at.is_none()) {
        let why = AppError::of_field("password", "Recovery codes come with a second factor");
        return roll_back(tx, why).await;
    }
    let recovery_codes = renew(&mut tx, app, user.account.id).await?;
    tx.commit().await?;
    Ok(recovery_codes)
}

/// Signs in by the token of the first step and a code.
pub(crate) async fn sign_in_by_factor(
    app: &App,
    caller: &Caller,
    challenge: &str,
    code: &str,
    device: Option<String>,
) -> Result<SignedIn, AppError> {
    if MAX_SECRET_BYTES < challenge.len().max(code.len()) {
        return Err(wrong_code());
    }
    let hash = sha256(challenge.as_bytes());
    let mut tx = app.db.read_autocommit().await?;
    let waiting = db::find_challenge(&mut tx, &hash, app.now()).await?;
    let Some(user_id) = waiting else {
        throttle::call(app, &caller.address)?;
        return Err(sign_in_again());
    };
    let account = db::account_by_id(&mut tx, user_id).await?;
    let account = account.ok_or_else(sign_in_again)?;
    let factors = db::factors_of(&mut tx, account.id).await?;
    // The writer of SQLite is taken while no reader is held.
    drop(tx);
    let device = known_device(app, &account.email, device).await?;
    let device_hash = device.as_deref().map(|it| sha256(it.as_bytes()));
    throttle::try_code(app, account.id, device_hash.as_deref())?;

    let mut tx = app.db.write().await?;
    let mut is_right = false;
    for factor in factors.iter().filter(|it| it.confirmed_at.is_some()) {
        is_right = is_right || takes_totp(&mut tx, app, factor, code).await?;
    }
    let recovery = recovery_hash(account.id, code);
    is_right = is_right || db::take_recovery_code(&mut tx, account.id, &recovery).await?;
    if !is_right {
        return roll_back(tx, wrong_code()).await;
    }
    if !db::take_challenge(&mut tx, &hash, app.now()).await? {
        return roll_back(tx, sign_in_again()).await;
    }
    tx.commit().await?;
    throttle::forgive_code(app, account.id, device_hash.as_deref());
    signed_in(app, caller, &account, device).await
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

fn wrong_code() -> AppError {
    AppError::of_field("code", "This code is wrong, or was used before")
}

fn sign_in_again() -> AppError {
    AppError::of_field(
        "challenge",
        "This took too long. Please sign in with your password again.",
    )
}
