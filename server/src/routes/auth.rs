//! Signing up, in and out; forgotten, lost and changed passwords; the end of an account.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode, header};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use walkies_core::account::{SignInForm, SignUpForm, check_email, sign_in_errors, sign_up_errors};
use walkies_core::sitter::{Sitter, starter_rows};
use walkies_core::{FieldErrors, Id, Instant, Row};

use super::{Address, Sent};
use crate::answer::{Answer, found, success};
use crate::db::{self, Account, MailJob, Role};
use crate::env::sha256;
use crate::error::AppError;
use crate::jobs;
use crate::password;
use crate::realtime::Notice;
use crate::route::{Access, Route, get, post, route};
use crate::session::AnyUser;
use crate::state::{App, AppState, Settings};
use crate::zone::time_zone;

pub(super) fn routes() -> Vec<Route> {
    vec![
        post(
            "/auth/signup",
            Access::Public,
            "Makes an account; for a sitter with a business that can be used",
            sign_up,
        )
        .body::<SignUp>()
        .answer::<SignedIn>(),
        post("/auth/signin", Access::Public, "Signs in", sign_in)
            .body::<SignInForm>()
            .answer::<SignedIn>(),
        get("/auth/user", Access::AnyUser, "Who is signed in", read_user).answer::<User>(),
        post(
            "/auth/signout",
            Access::AnyUser,
            "Ends this session",
            sign_out,
        )
        .answer_of(nothing),
        post(
            "/auth/forgot-password",
            Access::Public,
            "Sends a link by which to set a new password",
            forgot_password,
        )
        .body::<ForgotPassword>()
        .answer_of(nothing),
        post(
            "/auth/reset-password",
            Access::Public,
            "Sets a new password by such a link",
            reset_password,
        )
        .body::<ResetPassword>()
        .answer_of(nothing),
        post(
            "/auth/change-password",
            Access::AnyUser,
            "Sets a new password and ends all other sessions",
            change_password,
        )
        .body::<ChangePassword>()
        .answer_of(nothing),
        route(
            Method::DELETE,
            "/auth/account",
            Access::AnyUser,
            "Deletes the account and all its data",
            delete_account,
        )
        .body::<DeleteAccount>()
        .answer_of(nothing),
    ]
}

fn nothing(_: &mut crate::route::Schemas) -> Value {
    json!({ "type": "object" })
}

/// How long the link of a forgotten password is good.
const RESET_MS: i64 = 30 * 60 * 1000;

/// The sign-up form, with what kind of account it is for.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct SignUp {
    #[serde(default)]
    name: String,
    #[serde(default)]
    email: String,
    #[serde(default)]
    password: String,
    /// Of the business; not asked of client users.
    #[serde(default)]
    time_zone: String,
    /// A sitter where it is absent.
    #[serde(default)]
    role: Option<Role>,
}

/// Who is signed in.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct User {
    id: Id,
    email: String,
    name: String,
    role: Role,
    sitter_id: Option<Id>,
}

impl From<&Account> for User {
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

/// A new session.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct SignedIn {
    /// The bearer token; the server keeps only its hash.
    token: String,
    user: User,
}

/// Where a call comes from, for its rate.
struct Caller {
    address: String,
    device_name: String,
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        let Address(address) = Address::from_request_parts(parts, state).await?;
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

/// Counts a try at the password of an account, before anything is hashed.
fn count(app: &App, caller: &Caller, email: &str) -> Result<(), AppError> {
    let Settings {
        rate_by_address,
        rate_by_account,
        ..
    } = app.settings;
    let tries = [
        (format!("address {}", caller.address), rate_by_address),
        (account_key(email), rate_by_account),
    ];
    for (key, rate) in tries {
        let counted = app.limiter.count(key, rate, app.now());
        counted.map_err(|retry_after_s| AppError::TooManyRequests { retry_after_s })?;
    }
    Ok(())
}

fn account_key(email: &str) -> String {
    format!("account {email}")
}

fn normal(email: &str) -> String {
    email.trim().to_lowercase()
}

async fn sign_up(
    State(app): State<AppState>,
    caller: Caller,
    Sent(form): Sent<SignUp>,
) -> Result<Answer, AppError> {
    let role = form.role.unwrap_or(Role::Sitter);
    let email = normal(&form.email);
    let checked = SignUpForm {
        name: form.name.trim().to_owned(),
        email: email.clone(),
        password: form.password.clone(),
        // Pet parents have no zone of their own: dates are their sitter's.
        time_zone: if role == Role::Client {
            "UTC".to_owned()
        } else {
            form.time_zone.clone()
        },
    };
    let mut errors = sign_up_errors(&checked);
    password::check(&mut errors, "password", &form.password, &email);
    errors.check(
        time_zone(&checked.time_zone).is_none(),
        "time_zone",
        "Unknown time zone",
    );
    errors.or(())?;
    count(&app, &caller, &email)?;

    let password_hash = app.passwords.hash(form.password.clone()).await?;
    let account = new_account(&app, &checked, role, password_hash);
    let mut tx = app.db.write().await?;
    let is_new = create_account(&mut tx, &app, &account, &checked).await?;
    if !is_new {
        tx.rollback().await?;
        // Whoever signs up again with the right password has lost the first answer on the way.
        let known = verified(&app, &email, form.password).await?;
        return signed_in(
            &app,
            &caller,
            &known.ok_or(AppError::EmailTaken)?,
            StatusCode::OK,
        )
        .await;
    }
    tx.commit().await?;
    signed_in(&app, &caller, &account, StatusCode::CREATED).await
}

/// An account for this form; a sitter's comes with the id of its business.
pub(crate) fn new_account(
    app: &App,
    form: &SignUpForm,
    role: Role,
    password_hash: String,
) -> Account {
    Account {
        id: app.env.id(),
        email: form.email.clone(),
        name: form.name.clone(),
        role,
        sitter_id: (role == Role::Sitter).then(|| app.env.id()),
        password_hash,
        created_at: app.now(),
    }
}

/// Writes an account, and for a sitter a business that can be used at once; `false` when the e-mail has an account.
pub(crate) async fn create_account(
    tx: &mut db::Tx,
    app: &App,
    account: &Account,
    form: &SignUpForm,
) -> Result<bool, AppError> {
    let now = account.created_at;
    if let Some(sitter_id) = account.sitter_id {
        db::insert_sitter(tx, sitter_id, now).await?;
        let sitter = Sitter::new(
            sitter_id,
            form.name.clone(),
            form.email.clone(),
            form.time_zone.clone(),
            now,
        );
        let rows = starter_rows(&sitter, || app.env.id(), now);
        for row in std::iter::once(Row::Sitter(sitter)).chain(rows) {
            db::write_row(tx, sitter_id, 1, &row).await?;
        }
    }
    Ok(db::insert_account(tx, account).await?)
}

async fn sign_in(
    State(app): State<AppState>,
    caller: Caller,
    Sent(form): Sent<SignInForm>,
) -> Result<Answer, AppError> {
    sign_in_errors(&form).or(())?;
    let email = normal(&form.email);
    count(&app, &caller, &email)?;
    let account = verified(&app, &email, form.password)
        .await?
        .ok_or(AppError::WrongPassword)?;
    app.limiter.forgive(&account_key(&email));
    signed_in(&app, &caller, &account, StatusCode::OK).await
}

/// The account of an e-mail, if the password is right. Takes as long for an e-mail that nobody has.
async fn verified(app: &App, email: &str, password: String) -> Result<Option<Account>, AppError> {
    let mut tx = app.db.read().await?;
    let account = db::account_by_email(&mut tx, email).await?;
    tx.commit().await?;
    let hashed = account.as_ref().map(|it| it.password_hash.clone());
    if !app.passwords.verify(password.clone(), hashed).await? {
        return Ok(None);
    }
    if let Some(account) = &account
        && app.passwords.is_outdated(&account.password_hash)
    {
        let password_hash = app.passwords.hash(password).await?;
        let mut tx = app.db.write().await?;
        db::rehash_password(&mut tx, account.id, &password_hash).await?;
        tx.commit().await?;
    }
    Ok(account)
}

async fn signed_in(
    app: &App,
    caller: &Caller,
    account: &Account,
    status: StatusCode,
) -> Result<Answer, AppError> {
    let token = app.env.token();
    let mut tx = app.db.write().await?;
    db::insert_session(
        &mut tx,
        &sha256(token.as_bytes()),
        account.id,
        &caller.device_name,
        app.now(),
    )
    .await?;
    tx.commit().await?;
    tracing::info!(user_id = %account.id, address = caller.address, "signed in");
    Ok(Answer {
        status,
        body: success(SignedIn {
            token,
            user: account.into(),
        }),
    })
}

async fn read_user(user: AnyUser) -> Answer {
    found(User::from(&user.account))
}

async fn sign_out(State(app): State<AppState>, user: AnyUser) -> Result<Answer, AppError> {
    let mut tx = app.db.write().await?;
    db::delete_session(&mut tx, &user.session_hash).await?;
    tx.commit().await?;
    app.realtime.send(Notice::SessionsEnded {
        user_id: user.account.id,
    });
    Ok(found(json!({})))
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct ForgotPassword {
    #[serde(default)]
    email: String,
}

/// Answers the same, and does the same work, whether or not the e-mail has an account.
async fn forgot_password(
    State(app): State<AppState>,
    caller: Caller,
    Sent(form): Sent<ForgotPassword>,
) -> Result<Answer, AppError> {
    let email = normal(&form.email);
    let mut errors = FieldErrors::default();
    check_email(&mut errors, &email);
    errors.or(())?;
    count(&app, &caller, &format!("forgotten {email}"))?;
    let token = app.env.token();
    let now = app.now();
    let mut tx = app.db.write().await?;
    let account = db::account_by_email(&mut tx, &email).await?;
    let name = account.as_ref().map(|it| it.name.as_str());
    let job = MailJob {
        id: app.env.id(),
        subject: "Set a new password for Walkies".to_owned(),
        body: format!(
            "Hello {},\n\nsomebody, hopefully you, has asked for a new password. Set one within half an hour \
             here:\n\n{}/auth/reset-password?token={token}\n\nIf it was not you, nothing needs to be done.\n",
            name.unwrap_or(&email),
            app.settings.public_url
        ),
        recipient: email,
        attempts: 0,
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
    Ok(found(json!({})))
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
    Sent(form): Sent<ResetPassword>,
) -> Result<Answer, AppError> {
    check_new_password("password", &form.password, "")?;
    count(&app, &caller, &format!("reset {}", caller.address))?;
    let password_hash = app.passwords.hash(form.password).await?;
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
    tx.commit().await?;
    app.realtime.send(Notice::SessionsEnded { user_id });
    tracing::info!(%user_id, "set a new password by mail");
    Ok(found(json!({})))
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
    caller: Caller,
    user: AnyUser,
    Sent(form): Sent<ChangePassword>,
) -> Result<Answer, AppError> {
    check_new_password("new_password", &form.new_password, &user.account.email)?;
    prove(
        &app,
        &caller,
        &user,
        "current_password",
        form.current_password,
    )
    .await?;
    let password_hash = app.passwords.hash(form.new_password).await?;
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
    Ok(found(json!({})))
}

/// That it is the person and not somebody who found an open phone. Not answered 401: the session is good.
async fn prove(
    app: &App,
    caller: &Caller,
    user: &AnyUser,
    field: &str,
    password: String,
) -> Result<(), AppError> {
    count(app, caller, &user.account.email)?;
    if app
        .passwords
        .verify(password, Some(user.account.password_hash.clone()))
        .await?
    {
        app.limiter.forgive(&account_key(&user.account.email));
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
    caller: Caller,
    user: AnyUser,
    Sent(form): Sent<DeleteAccount>,
) -> Result<Answer, AppError> {
    prove(&app, &caller, &user, "password", form.password).await?;
    let mut tx = app.db.write().await?;
    db::delete_mail_to(&mut tx, &user.account.email).await?;
    match user.account.sitter_id {
        Some(sitter_id) => {
            db::drop_photos_of(&mut tx, sitter_id).await?;
            db::delete_sitter(&mut tx, sitter_id).await?;
        }
        None => db::delete_account(&mut tx, user.account.id).await?,
    }
    tx.commit().await?;
    jobs::remove_dropped_photos_or_say(&app).await;
    app.realtime.send(Notice::SessionsEnded {
        user_id: user.account.id,
    });
    tracing::info!(user_id = %user.account.id, "deleted the account");
    Ok(found(json!({})))
}
