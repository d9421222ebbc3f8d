//! Signing in by password: known devices, the question for a second factor, and the session that begins.

use walkies_core::Instant;
use walkies_core::api::{FactorKind, FactorNeeded, Role, SessionUser, SignedIn};
use walkies_core::rules::account::{SignInForm, sign_in_errors};

use super::MAX_SECRET_BYTES;
use crate::app::password::HashQueue;
use crate::app::state::App;
use crate::app::throttle::{self, Guesser};
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::db::{self, Account, roll_back};

/// How long the second step may take.
const CHALLENGE_MS: i64 = 5 * 60 * 1000;

/// Address and device of a caller, for rate limits and the list of sessions.
pub(crate) struct Caller {
    pub(crate) address: String,
    pub(crate) device_name: String,
}

impl From<&Account> for SessionUser {
    fn from(account: &Account) -> Self {
        Self {
            id: account.id,
            email: account.email.clone(),
            name: account.name.clone(),
            role: account.role,
            roles: account.roles.clone(),
            sitter_id: account.sitter_id.filter(|_| account.role == Role::Sitter),
        }
    }
}

/// Outcome of the right password.
pub(crate) enum SignInStep {
    SignedIn(SignedIn),
    FactorNeeded(FactorNeeded),
}

/// Signs in by e-mail and password; `device` is the token of a device that has signed in before.
pub(crate) async fn sign_in_by_password(
    app: &App,
    caller: &Caller,
    form: SignInForm,
    device: Option<String>,
) -> Result<SignInStep, AppError> {
    sign_in_errors(&form).or(())?;
    let email = normalize_email(&form.email);
    let device = known_device(app, &email, device).await?;
    let device_hash = device.as_deref().map(|it| sha256(it.as_bytes()));
    let guesser = guesser(device_hash.as_deref(), caller, &email);
    throttle::try_password(app, guesser)?;
    let is_known = device.is_some();
    let account = verified(app, caller, is_known, &email, form.password)
        .await?
        .ok_or(AppError::WrongPassword)?;
    throttle::forgive_password(app, guesser);
    if let Some(question) = ask_for_factor(app, &account).await? {
        return Ok(SignInStep::FactorNeeded(question));
    }
    let signed_in = signed_in(app, caller, &account, device).await?;
    Ok(SignInStep::SignedIn(signed_in))
}

pub(crate) fn normalize_email(email: &str) -> String {
    email.trim().to_lowercase()
}

/// Names the caller who tries a password, by the hash of a known device's token where there is one.
pub(crate) fn guesser<'a>(
    device_hash: Option<&'a str>,
    caller: &'a Caller,
    email: &'a str,
) -> Guesser<'a> {
    match device_hash {
        Some(hash) => Guesser::Device(hash),
        None => Guesser::Stranger {
            address: &caller.address,
            email,
        },
    }
}

/// Returns the token of a device, if it has signed in to this account before.
pub(crate) async fn known_device(
    app: &App,
    email: &str,
    token: Option<String>,
) -> sqlx::Result<Option<String>> {
    let Some(token) = token.filter(|it| it.len() <= MAX_SECRET_BYTES) else {
        return Ok(None);
    };
    let hash = sha256(token.as_bytes());
    let known = db::email_of_device(&mut app.db.read_autocommit().await?, &hash).await?;
    Ok((known.as_deref() == Some(email)).then_some(token))
}

/// The account of an e-mail, if the password is right. Takes as long for an e-mail that nobody has.
async fn verified(
    app: &App,
    caller: &Caller,
    is_known: bool,
    email: &str,
    password: String,
) -> Result<Option<Account>, AppError> {
    let mut tx = app.db.read().await?;
    let mut account = db::account_by_email(&mut tx, email).await?;
    tx.commit().await?;
    let hashed = account.as_ref().map(|it| it.password_hash.clone());
    let queue = match &account {
        Some(account) if is_known => HashQueue::Known(account.id),
        _ => HashQueue::Stranger(&caller.address),
    };
    if !app
        .passwords
        .verify(password.clone(), hashed, queue)
        .await?
    {
        // By the account's id and not by what was typed, which may be a password in the wrong field.
        let user_id = account.map(|it| it.id.to_string());
        tracing::warn!(address = caller.address, user_id, "a sign-in failed");
        return Ok(None);
    }
    if let Some(account) = &mut account
        && app.passwords.is_outdated(&account.password_hash)
    {
        let fresh = app.passwords.hash(password, queue).await?;
        let mut tx = app.db.write().await?;
        db::rehash_password(&mut tx, account, &fresh).await?;
        tx.commit().await?;
        account.password_hash = fresh;
    }
    Ok(account)
}

/// After the right password: the question for the second factor, of who has one.
async fn ask_for_factor(app: &App, account: &Account) -> Result<Option<FactorNeeded>, AppError> {
    let factors = db::factors_of(&mut app.db.read_autocommit().await?, account.id).await?;
    if factors.iter().all(|it| it.confirmed_at.is_none()) {
        return Ok(None);
    }
    let token = app.env.token();
    let until = Instant(app.now().0 + CHALLENGE_MS);
    let mut tx = app.db.write().await?;
    if !db::has_password(&mut tx, account).await? {
        return roll_back(tx, AppError::WrongPassword).await;
    }
    db::insert_challenge(&mut tx, &sha256(token.as_bytes()), account.id, until).await?;
    tx.commit().await?;
    Ok(Some(FactorNeeded {
        challenge: token,
        factors: vec![FactorKind::Totp],
        expires_in_seconds: CHALLENGE_MS / 1000,
    }))
}

/// Starts a session, on a device that is known from then on if it is not yet.
pub(crate) async fn signed_in(
    app: &App,
    caller: &Caller,
    account: &Account,
    device: Option<String>,
) -> Result<SignedIn, AppError> {
    let (token, now) = (app.env.token(), app.now());
    let device = device.unwrap_or_else(|| app.env.token());
    let mut tx = app.db.write().await?;
    if !db::has_password(&mut tx, account).await? {
        return roll_back(tx, AppError::WrongPassword).await;
    }
    db::delete_surplus_sessions(&mut tx, account.id).await?;
    db::insert_session(
        &mut tx,
        &sha256(token.as_bytes()),
        account.id,
        &caller.device_name,
        now,
    )
    .await?;
    db::upsert_device(&mut tx, &sha256(device.as_bytes()), account.id, now).await?;
    tx.commit().await?;
    tracing::info!(user_id = %account.id, address = caller.address, "signed in");
    Ok(SignedIn {
        token,
        device,
        user: account.into(),
    })
}
