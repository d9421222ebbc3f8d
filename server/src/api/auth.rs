//! Signing in and out; forgotten, lost and changed passwords; the end of an account.

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use serde::Deserialize;
use serde_json::{Value, json};
use walkies_core::api::{PasswordReset, SessionUser, SignInAnswer};
use walkies_core::rules::account::SignInForm;

use crate::accounts::deletion::delete_own_account;
use crate::accounts::email_change::{ask_for_email, confirm_email};
use crate::accounts::passwords::{self, prove};
use crate::accounts::roles::{self, OtherRole};
use crate::accounts::sign_in::{Caller, SignInStep, sign_in_by_password};
use crate::app::realtime::Notice;
use crate::app::session::AnyUser;
use crate::app::state::AppState;
use crate::base::error::AppError;
use crate::db;
use crate::http::extract::{CallerAddress, JsonBody};
use crate::http::route::{Access, Route, get, post, route};
use crate::write::answer::{Answer, ok};

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
        post(
            "/auth/email",
            Access::Client,
            "Mails a code to another address, which becomes the account's once the code comes back",
            ask_for_other_email,
        )
        .body::<OtherEmail>()
        .answer_of(|_| json!({ "type": "object", "properties": { "token": { "type": "string" } } })),
        post(
            "/auth/email/confirm",
            Access::Client,
            "Gives the account the address to which the code was mailed",
            confirm_other_email,
        )
        .body::<EmailCode>()
        .answer::<SessionUser>(),
        post(
            "/auth/roles",
            Access::AnyUser,
            "Gives the caller another role beside the one of the call: a sitter becomes a pet parent, too, and a pet parent \
             starts a business, as far as this server takes new ones. A repeat changes nothing",
            add_role,
        )
        .fails(&[403])
        .body::<OtherRole>()
        .answer::<SessionUser>(),
        route(
            Method::DELETE,
            "/auth/account",
            Access::AnyUser,
            "Deletes the account and all its data, at once and for good; of somebody with both roles the one that the token \
             names, and the account stays for the other. What was paid for a plan stays with the payment \
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
    let form = SignInForm { email, password };
    let step = sign_in_by_password(&app, &caller, form, device).await?;
    Ok(match step {
        SignInStep::SignedIn(signed_in) => ok(signed_in),
        SignInStep::FactorNeeded(question) => ok(question),
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
    passwords::mail_reset_link(&app, &caller, &form.email, form.device).await?;
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
    let reset = passwords::reset_password(&app, &caller.address, &form.token, form.password);
    Ok(ok(reset.await?))
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
    passwords::change_password(&app, &user, form.current_password, form.new_password).await?;
    Ok(ok(json!({})))
}

#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct OtherEmail {
    #[serde(default)]
    #[schema(max_length = 128)]
    password: String,
    #[serde(default)]
    #[schema(max_length = 254)]
    email: String,
}

async fn ask_for_other_email(
    State(app): State<AppState>,
    user: AnyUser,
    CallerAddress(address): CallerAddress,
    JsonBody(form): JsonBody<OtherEmail>,
) -> Result<Answer, AppError> {
    let token = ask_for_email(&app, &user, &address, form.password, &form.email);
    Ok(ok(json!({ "token": token.await? })))
}

/// The code from the mail, with the token of the answer.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
struct EmailCode {
    #[serde(default)]
    #[schema(max_length = 64)]
    token: String,
    #[serde(default)]
    #[schema(max_length = 64)]
    code: String,
}

async fn confirm_other_email(
    State(app): State<AppState>,
    user: AnyUser,
    CallerAddress(address): CallerAddress,
    JsonBody(form): JsonBody<EmailCode>,
) -> Result<Answer, AppError> {
    let account = confirm_email(&app, &user, &address, &form.token, &form.code).await?;
    Ok(ok(SessionUser::from(&account)))
}

async fn add_role(
    State(app): State<AppState>,
    user: AnyUser,
    JsonBody(form): JsonBody<OtherRole>,
) -> Result<Answer, AppError> {
    let account = roles::add_role(&app, &user, form).await?;
    Ok(ok(SessionUser::from(&account)))
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
    delete_own_account(&app, &user).await?;
    Ok(ok(json!({})))
}
