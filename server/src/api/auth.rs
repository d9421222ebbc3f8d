//! Signing in and out; forgotten, lost and changed passwords; the end of an account.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use serde::Deserialize;
use serde_json::{Value, json};
use walkies_core::api::{
    FactorKind, FactorNeeded, PasswordReset, SessionUser, SignInAnswer, SignedIn,
};
use walkies_core::rules::account::{SignInForm, check_email, sign_in_errors};
use walkies_core::rules::mail::name_in_mail;
use walkies_core::{FieldErrors, Instant};

use super::{CallerAddress, JsonBody, MAX_SECRET_BYTES};
use crate::accounts::client_links::forget_login;
use crate::app::password;
use crate::app::password::HashQueue;
use crate::app::realtime::Notice;
use crate::app::session::AnyUser;
use crate::app::state::{App, AppState};
use crate::app::throttle::{self, Guesser};
use crate::archive;
use crate::base::env::sha256;
use crate::base::error::AppError;
use crate::base::log::redacted;
use crate::db::{self, Account, MailJob, roll_back};
use crate::http::route::{Access, Route, get, post, route};
use crate::write::answer::{Answer, ok, success};

pub(super) fn routes() -> Vec<Route> {
    vec![
        post("/auth/signin", Access::Public, "Signs in", sign_in)
            .fails(&[401])
            .body::<SignIn>()
            .answer::<SignInAnswer>(),
        get("/auth/user", Access::AnyUser, "Who is signed in", read_user).answer::<SessionUser>(),
        post(
            "/auth/signout",
            Access::AnyUser,
            "Ends this session",
            sign_out,
        )
        .answer_of(empty_data),
        post(
            "/auth/forgot-password",
            Access::Public,
            "Sends a link by which to set a new password",
            forgot_password,
        )
        .body::<ForgotPassword>()
        .answer_of(empty_data),
        post(
            "/auth/reset-password",
            Access::Public,
            "Sets a new password by such a link",
            reset_password,
        )
        .body::<ResetPassword>()
        .answer::<PasswordReset>(),
        post(
            "/auth/change-password",
            Access::AnyUser,
            "Sets a new password and ends all other sessions",
            change_password,
        )
        .fails(&[429])
        .body::<ChangePassword>()
        .answer_of(empty_data),
        route(
            Method::DELETE,
            "/auth/account",
            Access::AnyUser,
            "Deletes the account and all its data, at once and for good. What was paid for a plan stays with the payment \
             processor for as long as tax law has its records kept; nothing of it is here",
            delete_account,
        )
        .fails(&[429])
        .body::<DeleteAccount>()
        .answer_of(empty_data),
    ]
}

pub(super) fn empty_data(_: &mut crate::http::route::Schemas) -> Value {
    json!({ "type": "object" })
}

/// How long the second step may take.
const CHALLENGE_MS: i64 = 5 * 60 * 1000;
/// How long the link of a forgotten password is good.
const RESET_MS: i64 = 30 * 60 * 1000;

/// The sign-in form, with what an earlier sign-in on this device was given.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct SignIn {
    #[serde(default)]
    #[schema(max_length = 254)]
    email: String,
    #[serde(default)]
    password: String,
    #[serde(default)]
    #[schema(max_length = 64)]
    device: Option<String>,
}

impl From<&Account> for SessionUser {
    fn from(account: &Account) -> Self {
        Self {
            id: account.id,
            email: account.email.clone(),
            name: account.name.clone(),
            role: account.role,
            sitter_id: account.sitter_id,
        }
    }
}

/// Address and device of a caller, for rate limits and the list of sessions.
pub(super) struct Caller {
    pub(super) address: String,
    pub(super) device_name: String,
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        let CallerAddress(address) = CallerAddress::from_request_parts(parts, state).await?;
        Ok(Self {
            address,
            device_name: device_name(&parts.headers),
        })
    }
}

fn device_name(headers: &HeaderMap) -> String {
    let agent = headers
        .get(header::USER_AGENT)
        .and_then(|it| it.to_str().ok())
        .unwrap_or_default();
    agent
        .chars()
        .filter(|it| !it.is_control())
        .take(200)
        .collect()
}

pub(super) fn normalize_email(email: &str) -> String {
    email.trim().to_lowercase()
}

async fn sign_in(
    State(app): State<AppState>,
    caller: Caller,
    JsonBody(form): JsonBody<SignIn>,
) -> Result<Answer, AppError> {
    let SignIn {
        email,
        password,
        device,
    } = form;
    let checked = SignInForm { email, password };
    sign_in_errors(&checked).or(())?;
    let email = normalize_email(&checked.email);
    let device = known_device(&app, &email, device).await?;
    let device_hash = device.as_deref().map(|it| sha256(it.as_bytes()));
    let guesser = guesser(device_hash.as_deref(), &caller, &email);
    throttle::try_password(&app, guesser)?;
    let is_known = device.is_some();
    let account = verified(&app, &caller, is_known, &email, checked.password)
        .await?
        .ok_or(AppError::WrongPassword)?;
    throttle::forgive_password(&app, guesser);
    if let Some(question) = ask_for_factor(&app, &account).await? {
        return Ok(question);
    }
    signed_in(&app, &caller, &account, device, StatusCode::OK).await
}

/// Names the caller who tries a password, by the hash of a known device's token where there is one.
fn guesser<'a>(device_hash: Option<&'a str>, caller: &'a Caller, email: &'a str) -> Guesser<'a> {
    match device_hash {
        Some(hash) => Guesser::Device(hash),
        None => Guesser::Stranger {
            address: &caller.address,
            email,
        },
    }
}

/// After the right password: the question for the second factor, of who has one.
async fn ask_for_factor(app: &App, account: &Account) -> Result<Option<Answer>, AppError> {
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
    Ok(Some(Answer {
        status: StatusCode::OK,
        body: success(FactorNeeded {
            challenge: token,
            factors: vec![FactorKind::Totp],
            expires_in_seconds: CHALLENGE_MS / 1000,
        }),
    }))
}

/// Returns the token of a device, if it has signed in to this account before.
pub(super) async fn known_device(
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

/// Starts a session, on a device that is known from then on if it is not yet.
pub(super) async fn signed_in(
    app: &App,
    caller: &Caller,
    account: &Account,
    device: Option<String>,
    status: StatusCode,
) -> Result<Answer, AppError> {
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
    Ok(Answer {
        status,
        body: success(SignedIn {
            token,
            device,
            user: account.into(),
        }),
    })
}

async fn read_user(user: AnyUser) -> Answer {
    ok(SessionUser::from(&user.account))
}

async fn sign_out(State(app): State<AppState>, user: AnyUser) -> Result<Answer, AppError> {
    let mut tx = app.db.write().await?;
    db::delete_session(&mut tx, &user.session_hash).await?;
    tx.commit().await?;
    app.realtime.send(Notice::SessionsEnded {
        user_id: user.account.id,
    });
    Ok(ok(json!({})))
}

/// An e-mail, with what an earlier sign-in on this device was given.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct ForgotPassword {
    #[serde(default)]
    #[schema(max_length = 254)]
    email: String,
    #[serde(default)]
    #[schema(max_length = 64)]
    device: Option<String>,
}

/// Answers the same, and does the same work, whether or not the e-mail has an account.
async fn forgot_password(
    State(app): State<AppState>,
    caller: Caller,
    JsonBody(form): JsonBody<ForgotPassword>,
) -> Result<Answer, AppError> {
    let email = normalize_email(&form.email);
    let mut errors = FieldErrors::default();
    check_email(&mut errors, &email);
    errors.or(())?;
    let device = known_device(&app, &email, form.device).await?;
    let device_hash = device.map(|it| sha256(it.as_bytes()));
    throttle::ask_for_new_password(&app, guesser(device_hash.as_deref(), &caller, &email))?;
    let token = app.env.token();
    let now = app.now();
    let mut tx = app.db.write().await?;
    let account = db::account_by_email(&mut tx, &email).await?;
    let name = account.as_ref().map(|it| name_in_mail(&it.name));
    let name = name.filter(|it| !it.is_empty());
    let job = MailJob {
        id: app.env.id(),
        subject: "Set a new password for Walkies".to_owned(),
        body: format!(
            "Hello {},\n\nsomebody, hopefully you, has asked for a new password. Set one within half an hour \
             here:\n\n{}/auth/reset-password?token={token}\n\nIf it was not you, nothing needs to be done.\n",
            name.as_deref().unwrap_or(&email),
            app.settings.public_url
        ),
        recipient: email,
        attempts: 0,
        stop_token: None,
    };
    db::insert_mail_job(&mut tx, &job, now).await?;
    match account {
        Some(account) => {
            let until = Instant(now.0 + RESET_MS);
            db::insert_reset(&mut tx, &sha256(token.as_bytes()), account.id, until).await?;
        }
        // Taken back in the same transaction: what waits for the disk, or finds it full, is not to be told from
        // what finds no account.
        None => db::delete_mail_job(&mut tx, job.id).await?,
    }
    tx.commit().await?;
    app.mail_queued.notify_one();
    Ok(ok(json!({})))
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct ResetPassword {
    #[serde(default)]
    token: String,
    #[serde(default)]
    password: String,
}

async fn reset_password(
    State(app): State<AppState>,
    caller: Caller,
    JsonBody(form): JsonBody<ResetPassword>,
) -> Result<Answer, AppError> {
    check_new_password("password", &form.password, "")?;
    throttle::call(&app, &caller.address)?;
    let password_hash = app
        .passwords
        .hash(form.password, HashQueue::Stranger(&caller.address))
        .await?;
    let mut tx = app.db.write().await?;
    let user_id = db::take_reset(&mut tx, &sha256(form.token.as_bytes()), app.now()).await?;
    let Some(user_id) = user_id else {
        tx.rollback().await?;
        let mut errors = FieldErrors::default();
        errors.add(
            "token",
            "This link is no longer valid. Please ask for a new one.",
        );
        return Err(errors.into());
    };
    db::set_password(&mut tx, user_id, &password_hash, None).await?;
    let device = app.env.token();
    db::upsert_device(&mut tx, &sha256(device.as_bytes()), user_id, app.now()).await?;
    let account = db::account_by_id(&mut tx, user_id).await?;
    let Some(account) = account else {
        return roll_back(tx, AppError::NotFound).await;
    };
    tx.commit().await?;
    app.realtime.send(Notice::SessionsEnded { user_id });
    tracing::info!(%user_id, "set a new password by mail");
    Ok(ok(PasswordReset {
        email: account.email,
        device,
    }))
}

fn check_new_password(field: &str, password: &str, email: &str) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::default();
    password::check(&mut errors, field, password, email);
    errors.or(())
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct ChangePassword {
    #[serde(default)]
    current_password: String,
    #[serde(default)]
    new_password: String,
}

async fn change_password(
    State(app): State<AppState>,
    user: AnyUser,
    JsonBody(form): JsonBody<ChangePassword>,
) -> Result<Answer, AppError> {
    check_new_password("new_password", &form.new_password, &user.account.email)?;
    prove(&app, &user, "current_password", form.current_password).await?;
    let password_hash = app
        .passwords
        .hash(form.new_password, HashQueue::Known(user.account.id))
        .await?;
    let mut tx = app.db.write().await?;
    db::set_password(
        &mut tx,
        user.account.id,
        &password_hash,
        Some(&user.session_hash),
    )
    .await?;
    tx.commit().await?;
    app.realtime.send(Notice::SessionsEnded {
        user_id: user.account.id,
    });
    Ok(ok(json!({})))
}

/// That it is the person and not somebody who found an open phone. Not answered 401: the session is good.
pub(super) async fn prove(
    app: &App,
    user: &AnyUser,
    field: &str,
    password: String,
) -> Result<(), AppError> {
    throttle::try_proof(app, user.account.id, &user.session_hash)?;
    if app
        .passwords
        .verify(
            password,
            Some(user.account.password_hash.clone()),
            HashQueue::Known(user.account.id),
        )
        .await?
    {
        throttle::forgive_proof(app, &user.session_hash);
        return Ok(());
    }
    let mut errors = FieldErrors::default();
    errors.add(field, "This is not your password");
    Err(errors.into())
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct DeleteAccount {
    #[serde(default)]
    password: String,
}

async fn delete_account(
    State(app): State<AppState>,
    user: AnyUser,
    JsonBody(form): JsonBody<DeleteAccount>,
) -> Result<Answer, AppError> {
    prove(&app, &user, "password", form.password).await?;
    let mut tx = app.db.write().await?;
    db::delete_mail_to(&mut tx, &user.account.email).await?;
    db::forget_mail_recipient(&mut tx, &user.account.email).await?;
    let mut changed = Vec::new();
    match user.account.sitter_id {
        Some(sitter_id) => {
            // No subscription begins from here on that nobody ends.
            if !db::lock_sitter(&mut tx, sitter_id).await? {
                return roll_back(tx, AppError::TokenExpired).await;
            }
            db::insert_billing_farewell(&mut tx, sitter_id, app.now()).await?;
            db::close_business(&mut tx, sitter_id, user.account.id, app.now()).await?;
            // What is asked here is worked on here, unless it is very much.
            db::renew_clearing(&mut tx, sitter_id, app.now()).await?;
        }
        None => {
            changed = forget_login(&app, &mut tx, user.account.id).await?;
            db::delete_account(&mut tx, user.account.id).await?;
        }
    }
    tx.commit().await?;
    for (sitter_id, rev) in changed {
        app.realtime.changed(sitter_id, rev);
    }
    app.realtime.send(Notice::SessionsEnded {
        user_id: user.account.id,
    });
    tracing::info!(user_id = %user.account.id, "deleted the account");
    match user.account.sitter_id {
        // Whatever goes wrong now, the account is gone, and the job goes on with its rows.
        Some(sitter_id) => {
            if let Err(error) = archive::delete_first_rows(&app, sitter_id).await {
                let error = redacted(&error);
                tracing::warn!(error, "the rows of a deleted account wait");
            }
        }
        None => {
            // Where somebody reads just then, a part of the log stays until the next hour.
            if let Err(error) = app.db.checkpoint().await {
                tracing::warn!(
                    error = redacted(&error),
                    "the log of the database was not emptied"
                );
            }
        }
    }
    Ok(ok(json!({})))
}
